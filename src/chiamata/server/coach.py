"""Who thinks hints through: a thread beside those of the bots, and never the loop that serves the tables."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from chiamata.bots import roster
from chiamata.bots.advice import Advice
from chiamata.server import hints, paper, table
from chiamata.server import lines as say
from chiamata.server.seating import Refused

WAITING = 16
"""So many people may wait for a hint, which takes 0.06 s on average and 0.5 s at most; one more must try again."""

Adviser = Callable[[say.AskBot], asyncio.Future[Advice]]
"""Where advice is thought of: gives the one to come."""


class Desk:
    """A thread of its own for advice."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="coach")

    def __call__(self, ask: say.AskBot) -> asyncio.Future[Advice]:
        return asyncio.get_running_loop().run_in_executor(self._pool, advise, ask)

    def close(self) -> None:
        """Questions that wait are not answered any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def advise(ask: say.AskBot) -> Advice:
    """The advice; the same question gets the same one."""
    return roster.advise(ask.level, ask.view, random.Random(ask.dice))


class Coach:
    """Gives hints, to one question of each person at a time."""

    def __init__(self, think: Adviser) -> None:
        self._think = think
        self._asking: set[str] = set()

    async def hint(self, state: table.State, who: str, v: int) -> paper.Hint:
        """What the adviser would do in this person's place, and why.

        Raises:
            Refused: as ``hints.question`` does, and where too many ask at a time.
        """
        ask = hints.question(state, who, v)
        if who in self._asking or len(self._asking) >= WAITING:
            raise Refused("HINT_BUSY")
        self._asking.add(who)
        try:
            advice = await self._think(ask)
        finally:
            self._asking.discard(who)
        return hints.told(state, ask, advice)
