"""Starts and stops the server: ``serve`` returns when it has been told to stop and everything is on disk."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from chiamata.server import crash, logs, vault
from chiamata.server.app import Doors, make_app
from chiamata.server.boxes import Keys
from chiamata.server.coach import Coach, Desk
from chiamata.server.hub import Hub, Workers, decide_in_haste, wall_clock
from chiamata.server.limits import FRAME, UNHURRIED, Gate, Limits
from chiamata.server.log import Log, Store, Unwritten
from chiamata.server.metrics import Metrics, show
from chiamata.server.runner import House
from chiamata.server.static import FOLDER, Client
from chiamata.server.vault import BadKey, Vault
from chiamata.server.web import Origins

logger = logging.getLogger("chiamata")

WILDCARDS = ("0.0.0.0", "::")
"""Hosts that mean every address of this machine."""
GRACE = 5
"""Seconds that closing sockets get when the server stops."""
COLLECTIONS = (700, 2, 35_000)
"""When garbage is looked for: among the youngest objects as ever; among those that outlived it every second time (at
ten, Python's own number, such a look took up to 80 ms with thousands of tables); among all once in 50 million new ones:
with a thousand tables that takes half a second, in which nobody is answered (``benchmarks/results.md``, load)."""
SWITCH = 0.0005
"""Seconds after which the loop lets the log's thread go on.  That thread asks for its turn after each statement; with
Python's own 5 ms its batches took long enough to be felt at some thousand tables (``benchmarks/results.md``, load)."""
HANDSHAKE = 5.0
"""Seconds that a new connection has for its first request."""


class Settings(msgspec.Struct, frozen=True):
    """How to serve.

    Args:
        port: 0 for any free one.
        db: the log's file.
        store: opens the log elsewhere (raises Unwritten); None for the file.
        key: the file of the house's key; None for the one beside the log's file, which a ``store`` has not.
        pace: factor on bots' pauses; 0 for tests.
        metrics: port of this machine on which the figures are shown; None for nowhere, 0 for any free one.
        limits: None for the usual ones, which at pace 0 leave programs their speed.
        origins: addresses of pages that may act here, beside the server's own (``https://cards.example.org``).
        proxies: addresses or networks of proxies in front, which are believed when they say for whom they ask.
        client: the folder of the built client.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    db: Path = Path("chiamata.db")
    store: Callable[[], Store] | None = None
    key: Path | None = None
    pace: float = 1.0
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    client: Path = FOLDER
    limits: Limits | None = None
    metrics: int | None = None


class PatientOnly(H11Protocol):
    """HTTP that closes a connection which has not made a request within HANDSHAKE seconds."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._hurry = self.loop.call_later(HANDSHAKE, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._hurry.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        request: object = self.cycle
        speaker: object = self.transport.get_protocol()
        if request is None and speaker is self:  # it has not asked yet, and has not become a WebSocket
            self.transport.close()


class Server(uvicorn.Server):
    """A server that says when it is ready and lets the tables finish before it closes their sockets."""

    def __init__(self, config: uvicorn.Config, hub: Hub, log: Store) -> None:
        super().__init__(config)
        self.hub = hub
        self.log = log
        self.figures: list[tuple[Metrics, socket.socket]] = []
        """What is measured, and where it is shown: one pair, or none."""
        self._tasks: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or []:
            host, port = listening.getsockname()[:2]
            print(f"http://{_readable(host)}:{port}/", flush=True)
            if host in WILDCARDS and (own := _own_address()):
                print(f"http://{own}:{port}/ for others on your network", flush=True)
        for metrics, shown in self.figures:
            print(f"http://127.0.0.1:{shown.getsockname()[1]}/metrics", flush=True)
            self._tasks.append(asyncio.create_task(show(metrics, self.hub, shown)))
        self._tasks.append(asyncio.create_task(self.hub.keep()))
        print("ready", flush=True)

    async def on_tick(self, counter: int) -> bool:
        if self.log.broken:
            logger.error("the log cannot be written any more: %s", self.log.broken)
            return True
        return self.hub.leaving or await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.hub.close()
        await asyncio.sleep(0.05)  # the pages' writers send their last words
        await super().shutdown(sockets)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._captured_signals.clear()  # being told to stop is no failure: the caller still closes the log


def serve(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT; returns the exit code: 0, or 1 if it could not start or the disk failed."""
    key = vault.place_of(settings.key, settings.store is not None, settings.db)
    if key is None:
        print("A log in a database needs --key FILE, the same for every node (made if there is none).", file=sys.stderr)
        return 1
    try:
        log = settings.store() if settings.store else Log(settings.db)
    except Unwritten as error:
        print(f"The log cannot be opened: {error}", file=sys.stderr)
        return 1
    try:
        keys = asyncio.run(vault.keys_for(log, key))
    except (BadKey, Unwritten) as error:
        log.close()
        print(f"The log's key: {error}", file=sys.stderr)
        return 1
    return _serve(settings, log, keys)


def _serve(settings: Settings, log: Store, keys: Keys) -> int:
    """Serves with the log and its keys open; closes the log."""
    logs.to_stderr()
    gc.set_threshold(*COLLECTIONS)
    sys.setswitchinterval(SWITCH)
    workers, desk = Workers(), Desk()
    wanted = [(settings.host, settings.port)]
    if settings.metrics is not None:
        wanted.append(("127.0.0.1", settings.metrics))
    listening: list[socket.socket] = []
    try:
        for host, port in wanted:
            listening.append(_listen(host, port))
        server = _server(settings, log, Tools(keys, workers, desk), listening[1:])
        server.run(listening[:1])
    except OSError as error:
        host, port = wanted[min(len(listening), len(wanted) - 1)]
        print(f"{host}:{port} cannot be used: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    finally:
        workers.close()
        desk.close()
        log.close()
        for one in listening:
            one.close()
    return 1 if log.broken else 0


class Tools(NamedTuple):
    """What a server works with."""

    keys: Keys
    workers: Workers
    desk: Desk


def _server(settings: Settings, log: Store, tools: Tools, shown: list[socket.socket]) -> Server:
    """The server, with what watches it put around its log and its application.

    Args:
        shown: where its figures are shown; empty for nowhere.
    """
    metrics = [Metrics() for _ in shown]
    watches: list[crash.Crash | Metrics] = [*filter(None, [crash.planned()]), *metrics]
    store = log
    for watch in watches:
        store = watch.store(store)
    store = Vault(store, tools.keys)
    hub = Hub(House(store, tools.workers, time.monotonic, wall_clock, pace=settings.pace, in_haste=decide_in_haste))
    app: ASGIApp = make_app(_doors(settings, hub, Coach(tools.desk)))
    for watch in watches:
        app = watch.app(app)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        http=PatientOnly,
        ws="websockets-sansio",
        ws_max_size=FRAME,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        timeout_graceful_shutdown=GRACE,
    )
    server = Server(config, hub, log)
    server.figures = list(zip(metrics, shown, strict=True))
    return server


def _doors(settings: Settings, hub: Hub, coach: Coach) -> Doors:
    limits = settings.limits or (Limits() if settings.pace else UNHURRIED)
    return Doors(
        hub=hub,
        client=Client(settings.client),
        origins=Origins(settings.origins),
        gate=Gate(limits, time.monotonic),
        limits=limits,
        coach=coach,
        secure=bool(settings.origins) and all(origin.startswith("https://") for origin in settings.origins),
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    listening.set_inheritable(True)
    return listening


def _readable(host: str) -> str:
    """An address that a person can open: the wildcard is this machine's own."""
    if host in WILDCARDS:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _own_address() -> str:
    """This machine's address in its network, '' without one.  Nothing is sent: only a route is looked up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an address reserved for documentation
            own: str = asking.getsockname()[0]
        except OSError:
            return ""
    return own
