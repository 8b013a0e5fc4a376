"""One open page of a person or watcher, as the tables see it: what waits to be sent.  And a table's own clock."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

UNKNOWN = 4003
TOO_SLOW = 4008
STOPPED = 4010
RESTARTING = 4012

WAITING = 128
"""So many answers may wait for a page that does not read; then it is closed.  Of scenes only the newest waits."""


class Closed(Exception):
    """The house has closed the page; ``code`` is the WebSocket's close code, ``node`` where to come back."""

    def __init__(self, code: int, node: str = "") -> None:
        super().__init__(code)
        self.code, self.node = code, node


class Page:
    """An outbox of bounded size.  Tables put into it and never wait for the network."""

    def __init__(self, who: str, name: str, cuts: bool = False) -> None:
        """``cuts``: it can take part in the deal: seal bytes, cut, open them."""
        self.who = who
        self.name = name
        self.cuts = cuts
        self.code = 0
        """Why the house closed it; 0 while it is open."""
        self.node = ""
        """The node to come back to; '' for any."""
        self._answers: deque[bytes] = deque()
        self._scene: bytes | None = None
        self._shown = b""
        self._news = asyncio.Event()

    def put(self, answer: bytes) -> None:
        """An Ack, a No or a Pong: none may be lost."""
        if len(self._answers) >= WAITING:
            self.close(TOO_SLOW)
        elif not self.code:
            self._answers.append(answer)
            self._news.set()

    def show(self, scene: bytes) -> None:
        """A Scene, in place of one that has not been sent yet; one that the page has already is not sent again."""
        if scene != self._shown:
            self._scene = self._shown = scene
            self._news.set()

    def close(self, code: int, node: str = "") -> None:
        """What waits is sent no more."""
        if not self.code:
            self.code, self.node = code, node
        self._news.set()

    async def next(self) -> list[bytes]:
        """What is to be sent now, oldest first; waits for it.  Raises Closed."""
        await self._news.wait()
        self._news.clear()
        if self.code:
            self._news.set()
            raise Closed(self.code, self.node)
        waiting = [*self._answers, *([self._scene] if self._scene is not None else [])]
        self._answers.clear()
        self._scene = None
        return waiting


class TableClock:
    """A table's own time in milliseconds: it stands still while the table sleeps, and starts where the log ended."""

    def __init__(self, time: Callable[[], float], at: int) -> None:
        """``time``: monotonic seconds.  ``at``: the time of the last line."""
        self._time = time
        self._at = float(at)
        self._since: float | None = None

    def now(self) -> int:
        """Milliseconds since the table was made, sleep and outages left out."""
        passed = 0.0 if self._since is None else (self._time() - self._since) * 1000
        return int(self._at + passed)

    def go(self, awake: bool) -> None:
        """Lets time pass, or stops it."""
        if awake and self._since is None:
            self._since = self._time()
        elif not awake and self._since is not None:
            self._at += (self._time() - self._since) * 1000
            self._since = None
