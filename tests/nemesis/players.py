"""People who play over real sockets and a bad network, and note in a journal all that they send and hear."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Origin

from chiamata.server import wire
from chiamata.server.page import RESTARTING
from tests.nemesis.judge import Entry, Journal
from tests.server.simulated import Chooser

DROP, TWICE, ELSEWHERE, STALE = 0.02, 0.05, 0.02, 0.04
"""How often a line is torn, a command sent twice, sent over a second line too, or an answer to an old scene."""
PATIENCE = 1.0
"""Seconds until an unanswered command is sent again."""
WELCOME = (OSError, WebSocketException, TimeoutError, EOFError)
"""What a line may die of."""


class Post(msgspec.Struct, frozen=True):
    """Where a player plays.

    Args:
        ports: of the network before each node, by the node's name; a house alone has none.
        people: how many persons shall sit before the game starts.
    """

    code: str
    ports: dict[str, int]
    people: int
    faults: Counter[str]


class Player(Chooser):
    """One guest at one table; with no cookie, somebody who watches."""

    def __init__(self, name: str, cookie: str, post: Post, seed: int) -> None:
        super().__init__(name, seed, STALE, cuts=seed % 3 > 0)
        self.cookie, self.post = cookie, post
        self.entries: list[Entry] = []
        self.pending: wire.Command | None = None
        self.sent_at = 0.0
        self.at = ""
        """The node that the last goodbye named."""
        self._begun = time.monotonic()

    def journal(self, who: str) -> Journal:
        """All that was noted; ``who``: as the log names this guest."""
        return Journal(self.post.code, who, self.entries)

    @property
    def is_over(self) -> bool:
        """Whether the newest scene is of the end."""
        return self.scene is not None and self.scene.table.state == "over"

    async def live(self) -> None:
        """Until the game is over."""
        while not self.is_over:
            try:
                async with self._line() as line:
                    self.note("open")
                    await self._stay(line)
            except WELCOME as error:
                self.at = _named(error)
            await asyncio.sleep(self.dice.uniform(0.05, 0.5))

    def _line(self) -> connect:
        """To the node that was named last, once; else to any."""
        node = self.at if self.at in self.post.ports else self.dice.choice(sorted(self.post.ports))
        host, path = f"127.0.0.1:{self.post.ports[node]}", f"/at/{self.at}" if self.at else ""
        self.at = ""
        return connect(
            f"ws://{host}{path}/ws/{self.post.code}?deal={int(self.cuts)}",
            origin=Origin(f"http://{host}"),
            additional_headers={"Cookie": self.cookie} if self.cookie else {},
            compression=None,
            max_size=None,
            open_timeout=10,
            close_timeout=0.2,
            ping_interval=None,
        )

    async def _stay(self, line: ClientConnection) -> None:
        while not self.is_over:
            try:
                async with asyncio.timeout(PATIENCE):
                    self._hear(str(await line.recv()))
            except TimeoutError:
                if self.dice.random() < 0.2:  # it may be half open: a new line says so
                    return
            if self.cookie and not self.is_over:
                if self.dice.random() < DROP:
                    self.post.faults["drop"] += 1
                    line.transport.abort()
                    return
                await self._speak(line)

    def note(self, kind: str, text: str = "") -> None:
        """Into the journal."""
        self.entries.append(Entry(kind, round(time.monotonic() - self._begun, 4), text))

    def _hear(self, text: str) -> None:
        self.note("heard", text)
        message = msgspec.json.decode(text, type=wire.ToBrowser)
        if isinstance(message, wire.Scene):
            self.old, self.scene = self.scene, message
        elif self.pending is not None and not isinstance(message, wire.Pong) and message.id == self.pending.id:
            if isinstance(message, wire.No) and message.code == "NOT_SAVED":
                self.sent_at = time.monotonic() - PATIENCE / 2
            else:
                self.pending = None

    async def _speak(self, line: ClientConnection) -> None:
        """A new command, or the one that waits for its answer again; by mistake twice, or over a second line too."""
        now = time.monotonic()
        if self.pending is None:
            self.pending = self._wish()
        elif now < self.sent_at + PATIENCE:
            return
        if self.pending is None:
            return
        self.sent_at = now
        text = msgspec.json.encode(self.pending).decode()
        self.note("sent", text)
        twice = self.dice.random() < TWICE
        if self.dice.random() < ELSEWHERE:
            self.post.faults["elsewhere"] += 1
            await self._say_elsewhere(text)
        for _ in range(1 + twice):
            await line.send(text)
        self.post.faults["twice"] += twice

    async def _say_elsewhere(self, text: str) -> None:
        """The same command over a line of its own, which may well overtake or be overtaken."""
        try:
            async with self._line() as other:
                await other.send(text)
                async with asyncio.timeout(PATIENCE):
                    while "scene" in (await other.recv(decode=True))[:16]:
                        pass
        except WELCOME:
            return

    def _choice(self, scene: wire.Scene, fresh: wire.Scene) -> tuple[str, dict[str, Any]]:
        verb, fields = super()._choice(scene, fresh)
        self.post.faults["stale"] += bool(verb) and scene is not fresh
        if verb == "start" and sum(chair.kind == "person" for chair in fresh.chairs) < self.post.people:
            return "", {}
        return verb, fields


def _named(error: Exception) -> str:
    """The node that this goodbye names; '' for none."""
    goodbye = error.rcvd if isinstance(error, ConnectionClosed) else None
    return goodbye.reason if goodbye is not None and goodbye.code == RESTARTING else ""
