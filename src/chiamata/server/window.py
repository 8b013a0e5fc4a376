"""How many tables a node lets go at a time when it stops: as many as the others can take without anybody waiting."""

from __future__ import annotations

import asyncio

FIRST = 2.0
QUICK = 0.4
"""Seconds from letting a table go until another node has it, below which more may be on their way: half of what people
notice, and of that a page has up to 0.15 for itself."""


class Window:
    """Grows by one for each round of tables that were taken quickly, and halves when one was not."""

    def __init__(self) -> None:
        self.size = FIRST
        self._away = 0
        self._landed = asyncio.Event()

    async def room(self) -> None:
        """Until one more may go, which then counts."""
        while self._away >= int(self.size):
            self._landed.clear()
            await self._landed.wait()
        self._away += 1

    def landed(self, seconds: float | None) -> None:
        """One was taken after so long; None for one that nobody came for, which says nothing."""
        self._away -= 1
        if seconds is not None:
            self.size = self.size + 1 / self.size if seconds < QUICK else max(1.0, self.size / 2)
        self._landed.set()
