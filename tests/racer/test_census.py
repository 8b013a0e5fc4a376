"""Every order of play of a small ending, counted."""

from __future__ import annotations

from random import Random

import pytest

from chiamata.racer import binding, mirror
from chiamata.racer.jobs import Position
from chiamata.rules.cards import card_of, card_set
from tests.racer.variants import all_variants, position, variant

pytestmark = pytest.mark.skipif(not binding.available(), reason=binding.why_not())

FOUR_EACH = ("AS 4C 3D 7H", "3S 2S KD 5H", "AC 6S QD 2H", "7C KS AD 4H", "QC JS 5D 3H")
"""Trump is spades; seat 0 called and seat 3 is its partner."""


def ending(cards: int) -> Position:
    """The last so many cards of each seat's four."""
    a, b, c, d, e = (card_set(card_of(name) for name in hand.split()[-cards:]) for hand in FOUR_EACH)
    return Position((a, b, c, d, e), 0b01001, 0)


def test_three_cards_each_have_7776_orders() -> None:
    bins = mirror.census(variant(3), ending(3))
    assert sum(bins) == 6**5
    assert binding.census(variant(3), ending(3)) == bins


def test_four_cards_each_have_nearly_eight_million_orders() -> None:
    """The histogram is golden: each number is how many orders end with so many points of the caller's side."""
    bins = binding.census(variant(3), ending(4))
    assert sum(bins) == 24**5
    assert {points: orders for points, orders in enumerate(bins) if orders and points % 7 == 0} == GOLDEN


GOLDEN = {
    14: 75_776,
    21: 189_424,
    28: 253_628,
    35: 285_766,
    42: 267_626,
    49: 165_360,
    56: 231_278,
    63: 98_432,
    70: 13_656,
    77: 51_520,
}
"""Every seventh number of points."""


@pytest.mark.parametrize("kind", all_variants(Random(0)))
def test_the_mirror_counts_the_same_in_every_variant(kind: str) -> None:
    random = Random(kind)
    for tricks in (1, 2, 2, 2):
        rules = all_variants(random)[kind]
        where = position(random, rules, tricks, random.randrange(5))
        assert binding.census(rules, where) == mirror.census(rules, where)
