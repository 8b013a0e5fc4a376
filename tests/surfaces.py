"""All that a house lets anybody have besides the scenes of an open page: every address, a socket, figures, its log.

``ADDRESSES`` has an entry for each route of the application: a route without one is found by
``tests/test_secrecy.py``, since nobody would have asked what it tells.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Scope

from chiamata.bots import roster
from chiamata.bots.advice import Advice
from chiamata.server import guests
from chiamata.server import lines as say
from chiamata.server.app import Doors, make_app
from chiamata.server.coach import Coach
from chiamata.server.hub import Hub
from chiamata.server.limits import UNHURRIED, Gate
from chiamata.server.static import Client
from chiamata.server.web import Origins

HOST = "localhost"
PAST = ("1", "1.txt", "1.jsonl", "1?chair=3", "2")
ADDRESSES: dict[str, tuple[str, ...]] = {
    "/health": ("/health",),
    "/ready": ("/ready",),
    "/api/lessons": (),  # these six know no table: tests/server/test_app.py asks them
    "/api/rules": (),
    "/api/rules/schema": (),
    "/api/rules/check": (),
    "/api/rules/payoffs": (),
    "/api/rules/{id}": (),
    "/api/rules/{id}/example": (),
    "/api/me": ("/api/me",),
    "/api/tables": (),  # makes a table; asked without its own page's origin below
    "/api/tables/{code}": ("/api/tables/{code}",),
    "/api/tables/{code}/notes": ("/api/tables/{code}/notes",),
    "/api/tables/{code}/hint": ("/api/tables/{code}/hint",),
    "/api/tables/{code}/rules": ("/api/tables/{code}/rules",),
    "/api/tables/{code}/games": ("/api/tables/{code}/games",),
    "/api/tables/{code}/deals/{name}": tuple(f"/api/tables/{{code}}/deals/{name}" for name in PAST),
    "/api/tables/{code}/deals/{number}/transcript": ("/api/tables/{code}/deals/1/transcript",),
    "/api/tables/{code}/transcripts": ("/api/tables/{code}/transcripts",),
    "/api/{rest:path}": ("/api/tables/{code}/hands",),
    "/t/{code}": ("/t/{code}",),
    "/r/{code}/{number}": ("/r/{code}/1",),
    "/e/{code}/{number}": ("/e/{code}/1",),
    "/g/{code}": ("/g/{code}", "/g/{code}/"),
    "/rules/{id}": ("/rules/{code}",),
    "/rules/{id}/example": ("/rules/{code}/example",),
    "/{path:path}": ("/{code}",),
}
"""Each route's path, and what is asked of it."""
JOTS = tuple({"deal": deal, "marks": marks} for deal, marks in ((1, [0, 2, 1, 3, 0]), (1, [9]), (7, [])))
RUBBISH = ("", "{", '{"do":"play","id":"x","v":1,"card":"??"}', '{"do":"hands","id":"y","v":1}')


def application(hub: Hub) -> Starlette:
    """The routes of this hub, in simulated time; the client is one empty page."""
    time = asyncio.get_running_loop().time
    gate = Gate(UNHURRIED, time)
    return make_app(Doors(hub, Client(Path(__file__).parent / "page"), Origins(), gate, UNHURRIED, Coach(at_once)))


def at_once(ask: say.AskBot) -> asyncio.Future[Advice]:
    """Advice by rules of thumb, without a thread."""
    thought: asyncio.Future[Advice] = asyncio.get_running_loop().create_future()
    thought.set_result(roster.advise("simple", ask.view, random.Random(ask.dice)))
    return thought


def cookie_of(name: str) -> str:
    """The cookie of a person in a test; its guest is ``guests.who_of`` of it."""
    return f"cookie-of-{name}"


async def everything(app: Starlette, code: str, cookie: str) -> list[bytes]:
    """What this guest ('' for a stranger) gets of every address of one table, and of a socket with rubbish."""
    paths = [
        path.format(code=code) for route in app.routes if isinstance(route, Route) for path in ADDRESSES[route.path]
    ]
    answers = [await ask(app, path, cookie) for path in paths]
    answers.append(await ask(app, "/api/tables", cookie, {}, origin=""))
    answers += [await ask(app, f"/api/tables/{code}/notes", cookie, jot) for jot in JOTS]
    answers += [await ask(app, f"/api/tables/{code}/hint", cookie, {"v": v}) for v in (0, 10**6)]
    return answers + await talk(app, code, cookie)


async def ask(app: Starlette, path: str, cookie: str, body: Any = None, *, origin: str = f"http://{HOST}") -> bytes:
    """One HTTP answer: status, headers, body.  With a ``body`` it is a POST."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": msgspec.json.encode(body), "more_body": False}

    method = "GET" if body is None else "POST"
    await app({**_scope("http", path, cookie, origin), "method": method}, receive, send)
    start, *parts = sent
    return b"%s %s %d %r %s" % (
        method.encode(),
        path.encode(),
        start["status"],
        sorted(start["headers"]),
        b"".join(part["body"] for part in parts),
    )


async def talk(app: Starlette, code: str, cookie: str) -> list[bytes]:
    """What a socket says to a page that opens, writes rubbish and goes."""
    said: list[bytes] = []
    heard: asyncio.Queue[Any] = asyncio.Queue()
    for message in ({"type": "websocket.connect"}, *({"type": "websocket.receive", "text": text} for text in RUBBISH)):
        heard.put_nowait(message)

    async def send(message: Any) -> None:
        said.append(repr(message).encode())
        if len(said) == 1 + len(RUBBISH) + 1:  # accepted, one refusal each, and the scene
            heard.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async with asyncio.timeout(60):
        await app(_scope("websocket", f"/ws/{code}", cookie, f"http://{HOST}"), heard.get, send)
    return said


def _scope(kind: str, path: str, cookie: str, origin: str) -> Scope:
    path, _, query = path.partition("?")
    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    headers += [(b"origin", origin.encode())] if origin else []
    headers += [(b"cookie", f"{guests.COOKIE}={cookie}".encode())] if cookie else []
    return {
        "type": kind,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "subprotocols": [],
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "server": (HOST, 80),
    }


@contextmanager
def log_lines() -> Iterator[list[str]]:
    """What the house writes into its own log meanwhile, at every level."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.levelname} {record.getMessage()}")

    logger, keep = logging.getLogger("chiamata"), Keep()
    before = logger.level
    logger.addHandler(keep)
    logger.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        logger.removeHandler(keep)
        logger.setLevel(before)
