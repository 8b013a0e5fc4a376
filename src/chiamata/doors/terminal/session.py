"""One screen's place at a table: the newest Scene, commands that wait for answers, a line that is opened again."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, Literal, Protocol

import msgspec

from chiamata.doors.terminal.changes import Change, changes, is_my_cut, named
from chiamata.doors.terminal.choices import Armed, command, offered, options
from chiamata.doors.terminal.part import Part
from chiamata.rules.fair import Transcript
from chiamata.server import wire

FINAL = (4003, 4010)
"""The house closes with these codes where trying again would not help: no such table, or it has stopped."""
State = Literal["opening", "open", "lost", "closed"]
Finding = Literal["fine", "broken", "left_out"]
"""Of a deal; its words are in locales under ``fair``."""

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[wire.ToBrowser] = msgspec.json.Decoder(wire.ToBrowser)


class Lost(Exception):
    """The line is gone; ``code`` is the WebSocket's close code, 0 for none."""

    def __init__(self, code: int = 0) -> None:
        super().__init__(code)
        self.code = code


class Line(Protocol):
    """The way to a house.  Its methods raise Lost."""

    async def open(self) -> None:
        """Opens it, again if need be."""

    async def hear(self) -> bytes | str:
        """The house's next message."""

    async def send(self, message: bytes) -> None:
        """One command to the house."""

    async def transcript(self, deal: int) -> Transcript:
        """How a deal that has ended came about; ``deal`` is its number at the table."""


class Screen(Protocol):
    """What draws or tells."""

    def on_scene(self, happened: list[Change]) -> None:
        """A newer Scene is there, and this has happened since the last one."""

    def on_no(self, code: str) -> None:
        """A command was refused."""

    def on_fair(self, finding: Finding) -> None:
        """How a deal came about was looked at."""

    def on_state(self) -> None:
        """The line is there, or lost; or a command waits for its answer, or has got it."""


def backoff(attempt: int) -> float:
    """Seconds to wait before try number ``attempt`` (0 first): doubling to 10, half of it by chance."""
    full: float = min(10.0, 0.4 * 2 ** min(attempt, 10))
    return full / 2 + full / 2 * random.random()


class Session:
    """What the screen knows."""

    def __init__(self, line: Line, bot_names: list[str], wait: Callable[[int], float] = backoff) -> None:
        """``wait``: seconds before each try to open the line again."""
        self.line = line
        self.scene: wire.Scene | None = None
        self.state: State = "opening"
        self.code = 0
        """Why the line was closed for good."""
        self.screen: Screen | None = None
        self._bot_names = bot_names
        self._wait = wait
        self._waiting: dict[str, wire.Command] = {}
        self._quietly: set[str] = set()
        self._answered = 0
        """The version of the last Ack; the Scene before it offers what has been done."""
        self._out: asyncio.Queue[wire.Command] = asyncio.Queue()
        self._fresh = True
        self._part = Part()
        self._checking: asyncio.Task[None] | None = None
        self._since = 0.0
        self._cutting: tuple[int, asyncio.TimerHandle] | None = None

    @property
    def may(self) -> wire.Options:
        """The moves on offer; none while an answer, or the Scene it speaks of, is on its way, or the line is lost."""
        busy = bool(self._waiting.keys() - self._quietly) or self.state != "open"
        old = self.scene is None or self.scene.v < self._answered
        return wire.Options() if busy or old else options(self.scene)

    @property
    def elapsed(self) -> int:
        """Milliseconds since the newest Scene, for clocks that run between two."""
        return int((time.monotonic() - self._since) * 1000) if self._since else 0

    def send(self, do: type[wire.Command], quietly: bool = False, /, **fields: Any) -> None:
        """A command on the newest Scene; ``quietly``: a refusal is nothing to tell."""
        if self.scene is None:
            return
        made = do(id=secrets.token_hex(12), v=self.scene.v, **fields)
        if quietly:
            self._quietly.add(made.id)
        self._waiting[made.id] = made
        self._out.put_nowait(made)
        self._tell()

    def act(self, armed: Armed) -> None:
        """Does a move that is on offer."""
        if offered(self.may, armed):
            do, fields = command(armed)
            self.send(do, **fields)

    def cut(self, cards: int) -> None:
        """Cuts the pack, where it is the viewer's to cut."""
        if self.scene and self._cutting and is_my_cut(self.scene):
            self._cutting[1].cancel()
            self.send(wire.DoCut, True, cut=cards)

    async def run(self) -> None:
        """Keeps the line open until the house closes it for good."""
        attempt = 0
        try:
            while self.state != "closed":
                try:
                    await self.line.open()
                    await self._serve()
                except Lost as lost:
                    attempt = 0 if self.state == "open" else attempt + 1
                    self.state, self.code = ("closed" if lost.code in FINAL else "lost"), lost.code
                    self._tell()
                if self.state != "closed":
                    await asyncio.sleep(self._wait(attempt))
        finally:
            if self._cutting:
                self._cutting[1].cancel()
            if self._checking:
                self._checking.cancel()

    async def _serve(self) -> None:
        self._out = asyncio.Queue()
        writer: asyncio.Task[None] | None = None
        try:
            while True:
                message = _DECODER.decode(await self.line.hear())
                if isinstance(message, wire.Scene) and writer is None:
                    self.state, self._fresh, self._answered = "open", True, 0
                    for waits in self._waiting.values():
                        self._out.put_nowait(waits)
                    writer = asyncio.create_task(self._write(self._out))
                self._heard(message)
        finally:
            if writer:
                writer.cancel()

    async def _write(self, out: asyncio.Queue[wire.Command]) -> None:
        try:
            while True:
                await self.line.send(_ENCODER.encode(await out.get()))
        except Lost:
            return  # the reader hears of it

    def _heard(self, message: wire.ToBrowser) -> None:
        match message:
            case wire.Scene():
                self._show(message)
            case wire.Ack(id=known) | wire.No(id=known):
                self._waiting.pop(known, None)
                self._answered = message.v if isinstance(message, wire.Ack) else self._answered
                quiet = known in self._quietly
                self._quietly.discard(known)
                self._tell()
                if isinstance(message, wire.No) and not quiet and self.screen:
                    self.screen.on_no(message.code)
            case wire.Pong():
                pass

    def _show(self, sent: wire.Scene) -> None:
        old, fresh, self._fresh = self.scene, self._fresh, False
        if old and sent.v < old.v and not fresh:  # the first on a new line counts whatever its number
            return
        self.scene = named(sent, self._bot_names)
        if (due := self._part.due(sent)) is not None:
            self.send(due[0], True, **due[1])
        self._since = time.monotonic()
        self._plan_cut(sent)
        if self.screen:
            self.screen.on_scene(changes(old, self.scene) if old else [])
            if self._part.is_left_out(sent):
                self.screen.on_fair("left_out")
        if (ended := self._part.asks(sent)) and (self._checking is None or self._checking.done()):
            self._checking = asyncio.create_task(self._check(sent, ended))

    async def _check(self, scene: wire.Scene, deal: int) -> None:
        """Deals again from the transcript; where it cannot be had, the next Scene asks again."""
        try:
            told = await self.line.transcript(deal)
        except (Lost, OSError, HTTPException, ValueError):
            return
        holds = self._part.holds(scene, told)
        if self.screen:
            self.screen.on_fair("fine" if holds else "broken")

    def _plan_cut(self, scene: wire.Scene) -> None:
        """A pack that nobody touches is cut by chance after a while."""
        fair = scene.fair
        if fair is None or not is_my_cut(scene) or (self._cutting and self._cutting[0] == fair.deal):
            return
        later = asyncio.get_running_loop().call_later(fair.cut_in / 1000, lambda: self.cut(self._part.cut()))
        self._cutting = (fair.deal, later)

    def _tell(self) -> None:
        if self.screen:
            self.screen.on_state()
