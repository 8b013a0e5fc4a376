"""The two ways to a table: a house in this very process, and one on the net."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from chiamata.doors.terminal.kept import Cookies
from chiamata.doors.terminal.session import Lost
from chiamata.rules.errors import Malformed
from chiamata.rules.fair import Transcript
from chiamata.rules.ruleset import RuleSet
from chiamata.server import wire
from chiamata.server.hub import Hub, NoTable, Workers, decide_in_haste, wall_clock
from chiamata.server.leases import NAME
from chiamata.server.log import Log
from chiamata.server.page import RESTARTING, Closed, Page
from chiamata.server.runner import House

WITHIN = 10.0
"""Seconds that a house has for an answer."""

_ADDRESS = re.compile(r"(https?)://([^/\s]+)/t/([A-Za-z]{5})/?")
_TO_BROWSER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(wire.ToBrowser)
_FROM_BROWSER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(wire.FromBrowser)


# --- here -----------------------------------------------------------------------------------------


class HouseLine:
    """A page at a table of a hub in this process: the bytes are those that a browser would get."""

    def __init__(self, hub: Hub, code: str, page: Page, bots: list[wire.DoBot]) -> None:
        """``bots``: who takes the other chairs before the first deal."""
        self.hub = hub
        self.code = code
        self.page = page
        self.bots = bots
        self._heard: deque[bytes] = deque()

    async def open(self) -> None:
        try:
            await self.hub.join(self.code, self.page)
        except NoTable as error:
            raise Lost(error.code) from None
        for do in (*self.bots, wire.DoStart(id="start", v=0)):
            self._wish(do)
        begun = False
        while not begun:  # nobody need see the chairs fill
            batch = await self._batch()
            begun = any(
                isinstance(answer, wire.Ack) and answer.id == "start" for answer in map(_TO_BROWSER.decode, batch)
            )
        self._heard.extend(batch)

    async def hear(self) -> bytes:
        while not self._heard:
            self._heard.extend(await self._batch())
        return self._heard.popleft()

    async def _batch(self) -> list[bytes]:
        try:
            return await self.page.next()
        except Closed as closed:
            raise Lost(closed.code) from None

    async def send(self, message: bytes) -> None:
        self._wish(_FROM_BROWSER.decode(message))

    async def transcript(self, deal: int) -> Transcript:
        for one in await self.hub.transcripts(self.code):
            if one.deal == deal:
                return one
        raise Lost

    def _wish(self, do: wire.Command) -> None:
        if (refusal := self.hub.wish(self.code, self.page, do)) is not None:
            self.page.put(msgspec.json.encode(wire.No(do.id, refusal)))


@asynccontextmanager
async def at_home(rules: RuleSet, level: str, name: str, pace: float = 1.0) -> AsyncIterator[HouseLine]:
    """A table with bots of this level in all other chairs, which begins at once and is forgotten at the end."""
    log, workers = Log(":memory:"), Workers()
    hub = Hub(House(log, workers, time.monotonic, wall_clock, pace=pace, in_haste=decide_in_haste))
    try:
        who = secrets.token_hex(16)
        code = await hub.create(rules, None, who, name)
        free = (await hub.facts(code)).free  # the player's own too, while nobody has come
        bots = [wire.DoBot(id=f"bot {chair}", v=0, chair=chair, level=level) for chair in range(1, free)]
        yield HouseLine(hub, code, Page(who, name, cuts=True), bots)
    finally:
        await hub.close()
        workers.close()
        log.close()


# --- there ----------------------------------------------------------------------------------------


class Away(msgspec.Struct, frozen=True):
    """A table of a house on the net.

    Args:
        house: ``https://cards.example.org``, which is also where our words come from.
    """

    house: str
    code: str

    @staticmethod
    def from_text(text: str) -> Away:
        """``https://cards.example.org/t/ABCDE``.  Raises Malformed."""
        found = _ADDRESS.fullmatch(text.strip())
        if not found:
            raise Malformed("NOT_A_TABLE", "at", text, "Write it as https://cards.example.org/t/ABCDE.")
        return Away(f"{found[1]}://{found[2]}", found[3].upper())

    def ask(self, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
        """A GET, or a POST of this body: the answer as JSON, and the cookie that came with it.  Raises OSError."""
        headers = {"Content-Type": "application/json", "Origin": self.house, "Cookie": cookie}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.house}{path}", data, headers)
        try:
            with urlopen(request, timeout=WITHIN) as answer:
                return json.loads(answer.read()), answer.headers.get("set-cookie", "").partition(";")[0]
        except HTTPError as error:
            error.close()  # it holds the line open
            raise


class NetLine:
    """A WebSocket to a table, as a guest."""

    def __init__(self, table: Away, cookie: str) -> None:
        self.table = table
        self.cookie = cookie
        self._socket: ClientConnection | None = None
        self._node = ""

    async def open(self) -> None:
        await self.close()
        at, self._node = (f"/at/{self._node}" if self._node else ""), ""
        address = f"ws{self.table.house.removeprefix('http')}{at}/ws/{self.table.code}?deal=1"
        headers = {"Cookie": self.cookie}
        try:
            self._socket = await connect(
                address, additional_headers=headers, origin=Origin(self.table.house), open_timeout=WITHIN
            )
        except (OSError, InvalidHandshake, TimeoutError):
            raise Lost from None

    async def hear(self) -> str | bytes:
        try:
            return await self._open_one().recv()
        except ConnectionClosed as closed:
            code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (0, "")
            self._node = reason if code == RESTARTING and NAME.fullmatch(reason) else ""
            raise Lost(code) from None

    async def send(self, message: bytes) -> None:
        try:
            await self._open_one().send(message, text=True)
        except ConnectionClosed:
            raise Lost from None

    async def transcript(self, deal: int) -> Transcript:
        path = f"/api/tables/{self.table.code}/deals/{deal}/transcript"
        answer, _ = await asyncio.to_thread(self.table.ask, path)
        return msgspec.convert(answer, Transcript)

    async def close(self) -> None:
        if self._socket:
            await self._socket.close()
            self._socket = None

    def _open_one(self) -> ClientConnection:
        if self._socket is None:
            raise Lost
        return self._socket


@asynccontextmanager
async def there(table: Away, name: str, cookies: Cookies) -> AsyncIterator[NetLine]:
    """A guest's line to a table on the net; one who was there before is known again and has their chair.

    Raises:
        Malformed: NO_TABLE_THERE, NO_HOUSE_THERE or NOT_LET_IN, with what to do.
    """
    try:
        await asyncio.to_thread(table.ask, f"/api/tables/{table.code}")
        _, cookie = await asyncio.to_thread(table.ask, "/api/me", {"name": name}, cookies.get(table.house))
    except HTTPError as error:
        code = {404: "NO_TABLE_THERE"}.get(error.code, "NOT_LET_IN")
        raise Malformed(code, "at", table.house, f"HTTP {error.code}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise Malformed("NO_HOUSE_THERE", "at", table.house, str(error)) from None
    cookies.put(table.house, cookie)
    line = NetLine(table, cookie)
    try:
        yield line
    finally:
        await line.close()
