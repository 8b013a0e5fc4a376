"""One page's WebSocket: what it says goes to its table, and what waits for it goes out as fast as it reads."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from chiamata.server import guests, wire
from chiamata.server.answers import PATIENCE, where
from chiamata.server.hub import Hub
from chiamata.server.limits import Bucket, Gate
from chiamata.server.page import TOO_SLOW, Closed, Page

TOO_MANY_MESSAGES = 4009

_ENCODER = msgspec.json.Encoder()
_FROM_BROWSER: msgspec.json.Decoder[wire.FromBrowser] = msgspec.json.Decoder(wire.FromBrowser)
_PONG = _ENCODER.encode(wire.Pong())


async def serve(socket: WebSocket, guest: guests.Guest, hub: Hub, gate: Gate) -> None:
    """Lets an accepted socket take part at the table that its address names, until either side closes it.

    Raises:
        NoTable: there is none with this code here.
    """
    code = socket.path_params["code"]
    page = Page(guest.who, guest.name, cuts=socket.query_params.get("deal") == "1")
    await hub.join(code, page)
    writer = asyncio.create_task(_write(socket, page))
    try:
        allowance = gate.messages()
        while (message := await socket.receive())["type"] != "websocket.disconnect":
            _heard(hub, code, page, message.get("text") or message.get("bytes") or "", allowance)
    finally:
        hub.part(code, page)
        writer.cancel()


def _heard(hub: Hub, code: str, page: Page, text: str | bytes, allowance: Bucket) -> None:
    """One message of a page: passed on to its table, or answered at once; not of one that the house has closed."""
    if page.code:
        return
    if not allowance.take(hub.house.time()):
        page.close(TOO_MANY_MESSAGES)
        return
    try:
        do = _FROM_BROWSER.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        page.put(_ENCODER.encode(wire.No("", "UNREADABLE", where(error))))
        return
    if isinstance(do, wire.Ping):
        page.put(_PONG)
    elif (refusal := hub.wish(code, page, do)) is not None:
        page.put(_ENCODER.encode(wire.No(do.id, refusal)))


async def _write(socket: WebSocket, page: Page) -> None:
    """Sends what waits for a page, as fast as the page reads."""
    try:
        while True:
            for text in await page.next():
                async with asyncio.timeout(PATIENCE):
                    await socket.send({"type": "websocket.send", "text": text.decode()})
    except Closed as closed:
        await close(socket, closed.code, closed.node)
    except TimeoutError:
        await close(socket, TOO_SLOW)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # it is gone; the reader hears of it


async def close(socket: WebSocket, code: int, node: str = "") -> None:
    """Closes it with this code and reason; a page that is gone already is none the wiser."""
    try:
        await socket.close(code, node)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return
