"""Two worlds on the wire: a viewer's bytes, and their times, do not tell who holds what nobody has shown.

``CHIAMATA_PAIRS`` says how many pairs of worlds to play for each rule set
(30 by default; ``make leaks`` plays 2,000).
"""

from __future__ import annotations

import os

import msgspec
import pytest
from starlette.routing import Route

from chiamata.rules import catalogue
from chiamata.rules.moves import Call, Play
from chiamata.server import picture, wire
from chiamata.server.hub import Hub
from tests import surfaces
from tests.leaks import LEAKS
from tests.server.simulated import MemoryLog, house_on, simulate
from tests.worlds import WATCHER, World, differ, make_plan, other_world

SEEDS = ("classic", "quick", "trattoria", "family", "fifteen")
"""The rule set of each of the five seed documents."""
SPECIAL = ("trattoria-follow", "buio")
"""Where suit must be followed, and where cards of the first trick lie face down."""
PAIRS = int(os.environ.get("CHIAMATA_PAIRS", "30"))
MUTANT_PAIRS = 200
"""Enough for the rarest leak below, which shows in about one pair of ten."""


@pytest.mark.parametrize("name", SEEDS + SPECIAL)
def test_no_viewer_can_tell_the_worlds_apart(name: str) -> None:
    rules, played, viewers, called = catalogue.load(name), 0, set(), 0
    for seed in range(PAIRS):
        plan = make_plan(rules, seed)
        other = other_world(plan)
        if other is not None:
            found = differ(plan, other)
            assert not found, f"{name}, seed {seed}, viewer {plan.viewer}: {found[:2_000]}"
            played += 1
            viewers.add(plan.viewer)
            called += any(isinstance(move, Call) for move in plan.moves)
    assert played >= 0.8 * PAIRS
    assert viewers == {WATCHER, 0, 1, 2, 3, 4}
    assert called >= PAIRS / 2


@pytest.mark.parametrize("watch", ["delayed", "off"])
def test_who_may_not_watch_is_told_nothing_of_a_running_deal(watch: wire.Watch) -> None:
    """The bytes are the same in the other world, and the same again however far the deal has come."""
    rules, played = catalogue.load("classic"), 0
    for seed in range(PAIRS // 4):
        plan = msgspec.structs.replace(make_plan(rules, seed), watch=watch, viewer=WATCHER)
        other = other_world(plan)
        if other is None:
            continue
        assert not differ(plan, other), seed
        shorter = msgspec.structs.replace(plan, moves=plan.moves[: len(plan.moves) // 2])
        assert told(World(plan)) == told(World(shorter)), seed
        played += 1
    assert played >= PAIRS // 5


def told(world: World) -> list[bytes]:
    """All that reached the viewer; the house's own figures count its appends and are for nobody else."""
    return [text for _, text in world.run() if not text.startswith(b"# HELP")]


def test_a_table_that_shows_its_running_deal_outside_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "is_watched", lambda state: True)
    with pytest.raises(AssertionError):
        test_who_may_not_watch_is_told_nothing_of_a_running_deal("off")


def test_every_address_is_asked() -> None:
    async def routes() -> set[str]:
        return {
            route.path for route in surfaces.application(Hub(house_on(MemoryLog()))).routes if isinstance(route, Route)
        }

    new = simulate(routes()) - surfaces.ADDRESSES.keys()
    assert not new, f"say in tests/surfaces.py what is to be asked of {sorted(new)}"


@pytest.mark.parametrize("name", LEAKS)
def test_a_seeded_leak_is_found(name: str) -> None:
    seeded = LEAKS[name]
    rules = catalogue.load(seeded.rules)
    with pytest.MonkeyPatch.context() as patch:
        seeded.leak(patch)
        for seed in range(MUTANT_PAIRS):
            plan = make_plan(rules, seed)
            other = other_world(plan)
            if other is not None and differ(plan, other):
                return
    pytest.fail(f"{MUTANT_PAIRS} pairs did not show it")


def test_the_other_world_is_another_and_keeps_what_the_viewer_knows() -> None:
    rules = catalogue.load("fifteen")
    for seed in range(60):
        plan = make_plan(rules, seed)
        other = other_world(plan)
        if other is None:
            continue
        assert other.hands != plan.hands
        assert [hand.bit_count() for hand in other.hands] == [8] * 5
        if plan.viewer != WATCHER:
            assert other.hands[plan.viewer] == plan.hands[plan.viewer]
        assert all(other.hands[move.seat] >> move.card & 1 for move in other.moves if isinstance(move, Play))
