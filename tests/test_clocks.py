"""Clocks that jump: what the calendar says is written down and decides nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable

import msgspec
import pytest

from chiamata.server import table, wire
from tests.server.driver import rules_with
from tests.server.simulated import Faults, MemoryLog, Person, World, judge, simulate

RULES = rules_with("quick", session={"kind": "deals", "deals": 1, "allowed": None})
START = 1_792_893_600.0
"""2026-10-25 02:00 UTC, an hour after clocks in Italy went back."""
JUMPS = {
    "steady": lambda dice: START,
    "a second": lambda dice: START + dice.choice((-1, 1)),
    "an hour": lambda dice: START + dice.choice((-3_600, 3_600)),
    "a day": lambda dice: START + dice.choice((-86_400, 86_400)),
    "2038": lambda dice: 2.0**31 + dice.choice((-1, 0, 1)),
    "anywhere": lambda dice: dice.uniform(0, 2.0**40),
}


def played(wall: Callable[[random.Random], float]) -> list[dict[str, object]]:
    """The log of a deal of three people against the clock, who come and go, without its dates."""

    async def deed() -> list[dict[str, object]]:
        world, dice = World(MemoryLog()), random.Random(1)
        world.hub.house = msgspec.structs.replace(world.hub.house, wall=lambda: wall(dice))
        world.code = await world.hub.create(RULES, wire.ClockTag(30, 2), "p0", "P0")
        people = [Person(world, f"p{n}", Faults(away=0.1, absence=90), 5, cuts=True) for n in range(3)]
        async with asyncio.timeout(40_000):
            await asyncio.gather(*[person.live() for person in people])
        await world.end()
        judge(world, people)  # the table's own time never runs back
        assert table.stage_of(world.state) == "over"
        return [json.loads(line) for line in world.store.books[world.code]]

    log = simulate(deed())
    dates = [line.pop("wall") for line in log if "wall" in line]
    assert len(dates) > 3
    return log


@pytest.fixture(scope="module")
def steady() -> list[dict[str, object]]:
    return played(JUMPS["steady"])


@pytest.mark.parametrize("jump", JUMPS)
def test_no_move_and_no_time_of_a_game_depends_on_the_calendar(jump: str, steady: list[dict[str, object]]) -> None:
    assert played(JUMPS[jump]) == steady
