"""The house kills itself at a chosen moment: for tests of what a crash leaves behind, and for nothing else.

``CHIAMATA_CRASH=12:in-transaction`` ends the process, as kill -9 would, in the
transaction of the twelfth append since its start (or of a later one that
shares its sync).  Without the variable none of this is in the way of a move.
"""

from __future__ import annotations

import os
import signal
from collections.abc import MutableMapping
from typing import Any, Literal, get_args

from starlette.types import ASGIApp, Receive, Scope, Send

from chiamata.server.log import Around, Log, Store

Phase = Literal["before-append", "in-transaction", "committed-not-acked", "acked", "mid-fan-out"]
PHASES: tuple[Phase, ...] = get_args(Phase)
FANNED_OUT = 2
"""``mid-fan-out``: after so many scenes have left for pages."""


class Crash:
    """One crash that is to come."""

    def __init__(self, number: int, phase: Phase) -> None:
        """``number``: of the append at which it comes, from 1."""
        self.number, self.phase = number, phase
        self.appends = 0
        self.scenes = 0

    def reach(self, phase: Phase) -> None:
        """The house has come to this phase of an append."""
        if phase == self.phase and self.appends >= self.number:
            os.kill(os.getpid(), signal.SIGKILL)

    def store(self, log: Store) -> Store:
        """The log, with its phases watched; ``in-transaction`` only where it lies in a file."""
        if isinstance(log, Log):
            log.before_commit(lambda: self.reach("in-transaction"))
        return _WatchedStore(log, self)

    def app(self, app: ASGIApp) -> ASGIApp:
        """The application, with what leaves for its pages watched."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_on(message: MutableMapping[str, Any]) -> None:
                await send(message)
                self._sent(str(message.get("text", "")))

            await app(scope, receive, send_on)

        return watched

    def _sent(self, text: str) -> None:
        if text.startswith('{"is":"ack"'):
            self.reach("acked")
        elif text.startswith('{"is":"scene"') and self.appends >= self.number:
            self.scenes += 1
            if self.scenes >= FANNED_OUT:
                self.reach("mid-fan-out")


class _WatchedStore(Around):
    """A store whose appends pass through the phases of a crash."""

    def __init__(self, store: Store, crash: Crash) -> None:
        super().__init__(store)
        self._crash, self.read = crash, store.read

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        self._crash.appends += 1
        self._crash.reach("before-append")
        await self._store.append(book, prev, lines)
        self._crash.reach("committed-not-acked")


def planned() -> Crash | None:
    """The crash that the environment asks for; None, as nearly always, for none.

    Raises:
        ValueError: it is not written as ``NUMBER:PHASE``.
    """
    text = os.environ.get("CHIAMATA_CRASH", "")
    if not text:
        return None
    number, _, name = text.partition(":")
    for phase in PHASES:
        if name == phase:
            return Crash(int(number), phase)
    raise ValueError(f"CHIAMATA_CRASH={text}: write NUMBER:PHASE with a phase of {', '.join(PHASES)}")
