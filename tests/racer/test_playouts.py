"""Random play: number for number the mirror's, and statistically what it must be."""

from __future__ import annotations

from random import Random

import pytest

from chiamata.racer import binding, mirror
from chiamata.racer.examples import classic
from chiamata.racer.jobs import Position, Unsound
from tests.racer.variants import all_variants, position

pytestmark = pytest.mark.skipif(not binding.available(), reason=binding.why_not())

KINDS = tuple(all_variants(Random(0)))
ANEW = Position((0, 0, 0, 0, 0), 0b00101, 3)


def fresh(side: int, leader: int) -> Position:
    return Position((0, 0, 0, 0, 0), side, leader)


@pytest.mark.parametrize("kind", KINDS)
def test_whole_deals_are_the_mirrors(kind: str) -> None:
    random = Random(kind)
    for seed in range(4):
        rules = all_variants(random)[kind]
        where = fresh(random.randrange(1, 32), random.randrange(5))
        for step in (False, True):
            mine = binding.playouts(rules, where, 30, seed, step=step)
            assert mine == mirror.playouts(rules, where, 30, seed, step=step)
            assert sum(mine) == 30


@pytest.mark.parametrize("kind", KINDS)
def test_positions_played_out_are_the_mirrors(kind: str) -> None:
    random = Random(kind)
    for seed in range(12):
        rules = all_variants(random)[kind]
        where = position(random, rules, random.randint(1, 8), random.randrange(5))
        assert binding.playouts(rules, where, 20, seed) == mirror.playouts(rules, where, 20, seed)


@pytest.mark.parametrize("step", [False, True])
def test_two_of_five_seats_get_two_fifths_of_the_points(step: bool) -> None:
    """By symmetry 48 of 120, over the five leaders; the mean of 200,000 games has a standard error of 0.05."""
    total = 0
    for leader in range(5):
        bins = binding.playouts(classic(1), fresh(0b00101, leader), 40_000, leader, step=step)
        total += sum(points * games for points, games in enumerate(bins))
    assert total / 200_000 == pytest.approx(48, abs=0.2)


def test_one_shuffle_and_step_by_step_are_the_same_game() -> None:
    """Chi-square over the points, cells of 100 games at least: 3 standard deviations."""
    one = binding.playouts(classic(2), ANEW, 300_000, 1)
    two = binding.playouts(classic(2), ANEW, 300_000, 2, step=True)
    cells = [(a, b) for a, b in zip(one, two, strict=True) if a + b >= 200]
    chi = sum((a - b) ** 2 / (a + b) for a, b in cells)
    assert abs(chi - len(cells)) < 3 * (2 * len(cells)) ** 0.5


def test_seeds_differ_and_repeat() -> None:
    games = [binding.playouts(classic(0), ANEW, 1000, seed) for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def test_a_broken_position_is_refused() -> None:
    for playouts in (binding.playouts, mirror.playouts):
        with pytest.raises(Unsound):
            playouts(classic(0), Position((1, 0, 0, 0, 0), 1, 0), 10, 1)
