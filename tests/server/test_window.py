"""How many tables go at a time: more while they are taken quickly, fewer once they are not, never none."""

from __future__ import annotations

import asyncio

from chiamata.server.window import FIRST, QUICK, Window
from tests.server.simulated import simulate


def test_it_grows_and_shrinks() -> None:
    async def deed() -> None:
        window = Window()
        for _ in range(50):
            await window.room()
            window.landed(QUICK / 2)
        wide = window.size
        assert wide > 4 * FIRST
        await window.room()
        window.landed(None)
        assert window.size == wide, "nobody came, which says nothing"
        for _ in range(10):
            await window.room()
            window.landed(QUICK)
        assert window.size == 1

    simulate(deed())


def test_no_more_than_it_says_are_away() -> None:
    async def deed() -> int:
        window, away, most = Window(), 0, 0

        async def one() -> None:
            nonlocal away, most
            await window.room()
            away += 1
            most = max(most, away)
            assert away <= max(FIRST, window.size + 1)
            await asyncio.sleep(0.1)
            away -= 1
            window.landed(0.1)

        await asyncio.gather(*[one() for _ in range(100)])
        return most

    assert simulate(deed()) > FIRST
