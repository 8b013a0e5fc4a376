"""Faulty shuffles, each with the test that finds it, and ours, which passes them all.

The corrections: a deal fixes the sums over cards and over seats, so Pearson's sum must be
multiplied by 39/40; the 780 pairs of cards have 740 degrees of freedom, because every card has seven
companions; the five hands of a deal depend on each other, so only one of them is looked at.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import comb, erfc, sqrt

import pytest

from chiamata.rules.cards import cards_in
from chiamata.rules.shuffle import hands_from, permutation, stream

Order = list[int]
Shuffle = Callable[[random.Random], Order]
FEW, MANY = 4_000, 12_000
CAUGHT, FINE = 1e-9, 1e-4
"""Below CAUGHT a fault is certain; what is right stays above FINE (with these seeds, always)."""
HANDS = 76_904_685
PATTERNS = {
    (3, 2, 2, 1): 29_160_000,
    (4, 2, 1, 1): 11_340_000,
    (3, 3, 1, 1): 8_640_000,
    (3, 3, 2, 0): 7_776_000,
    (4, 3, 1, 0): 6_048_000,
    (4, 2, 2, 0): 5_103_000,
    (2, 2, 2, 2): 4_100_625,
    (5, 2, 1, 0): 2_721_600,
    (5, 1, 1, 1): 1_008_000,
    (5, 3, 0, 0): 362_880,
    (4, 4, 0, 0): 264_600,
    (6, 1, 1, 0): 252_000,
    (6, 2, 0, 0): 113_400,
    (7, 1, 0, 0): 14_400,
    (8, 0, 0, 0): 180,
}
"""Of the 76,904,685 hands, how many have suits of these lengths."""


def test_the_exact_counts() -> None:
    assert comb(40, 8) == HANDS == sum(PATTERNS.values())
    for pattern, count in PATTERNS.items():
        ways = len(set(permuted(pattern)))
        product = 1
        for length in pattern:
            product *= comb(10, length)
        assert ways * product == count


def permuted(pattern: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(pattern) == 1:
        yield pattern
    for place, one in enumerate(pattern):
        for rest in permuted(pattern[:place] + pattern[place + 1 :]) if len(pattern) > 1 else ():
            yield (one, *rest)


# --- shuffles -------------------------------------------------------------------------------------


def ours(dice: random.Random) -> Order:
    return list(permutation(stream(dice.randbytes(32))))


def sattolo(dice: random.Random) -> Order:
    """Off by one: no card stays where it was."""
    order = list(range(40))
    for last in range(39, 0, -1):
        chosen = dice.randrange(last)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def naive(dice: random.Random) -> Order:
    """Every place is swapped with any: 40^40 paths to 40! orders."""
    order = list(range(40))
    for place in range(40):
        chosen = dice.randrange(40)
        order[place], order[chosen] = order[chosen], order[place]
    return order


def swaps(times: int) -> Shuffle:
    """A new deck with a few cards swapped."""

    def shuffle(dice: random.Random) -> Order:
        order = list(range(40))
        for _ in range(times):
            one, other = dice.sample(range(40), 2)
            order[one], order[other] = order[other], order[one]
        return order

    return shuffle


def riffles(times: int) -> Shuffle:
    """So many riffles as people do them (Gilbert, Shannon, Reeds)."""

    def shuffle(dice: random.Random) -> Order:
        order = list(range(40))
        for _ in range(times):
            bits = [dice.getrandbits(1) for _ in order]
            left, right = iter(order[: 40 - sum(bits)]), iter(order[40 - sum(bits) :])
            order = [next(right if bit else left) for bit in bits]
        return order

    return shuffle


def by_remainder(size: int) -> Callable[[Iterator[int]], tuple[int, ...]]:
    """Ours without throwing any draw away; a draw has ``size`` bytes."""

    def shuffle(draws: Iterator[int]) -> tuple[int, ...]:
        order = list(range(40))
        for last in range(39, 0, -1):
            draw = 0
            for _ in range(size):
                draw = draw * 256 + next(draws)
            chosen = draw % (last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    return shuffle


# --- statistics: each gives a probability ---------------------------------------------------------


def chance_of(total: float, freedom: int) -> float:
    """How likely a chi-square sum is that is as large (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return erfc(((total / freedom) ** (1 / 3) - (1 - spread)) / sqrt(2 * spread)) / 2


def seat_of(place: int) -> int:
    """Packets of four, twice round."""
    return place % 20 // 4


def card_and_seat(orders: list[Order]) -> float:
    seen = Counter((card, seat_of(place)) for order in orders for place, card in enumerate(order))
    mean = len(orders) / 5
    total = sum((seen[card, seat] - mean) ** 2 for card in range(40) for seat in range(5)) / mean
    return chance_of(total * 39 / 40, 156)


def card_and_place(orders: list[Order]) -> float:
    seen = Counter((card, place) for order in orders for place, card in enumerate(order))
    mean = len(orders) / 40
    total = sum((seen[card, place] - mean) ** 2 for card in range(40) for place in range(40)) / mean
    return chance_of(total * 39 / 40, 1521)


def pairs(orders: list[Order]) -> float:
    seen: Counter[tuple[int, int]] = Counter()
    for order in orders:
        for seat in range(5):
            seen.update(combinations(sorted(order[4 * seat : 4 * seat + 4] + order[20 + 4 * seat : 24 + 4 * seat]), 2))
    mean = len(orders) * 7 / 39
    total = sum((seen[pair] - mean) ** 2 for pair in combinations(range(40), 2)) / (len(orders) * 224 / 1443)
    return chance_of(total, 740)


def patterns(orders: list[Order]) -> float:
    """The suits of the first seat's hand."""
    seen: Counter[tuple[int, ...]] = Counter()
    for order in orders:
        suits = [card // 10 for card in order[:4] + order[20:24]]
        seen[tuple(sorted((suits.count(suit) for suit in range(4)), reverse=True))] += 1
    often = [pattern for pattern, count in PATTERNS.items() if count * len(orders) / HANDS >= 5]
    rare = [pattern for pattern in PATTERNS if pattern not in often]
    total = 0.0
    for group in [*([one] for one in often), rare]:
        mean = sum(PATTERNS[one] for one in group) * len(orders) / HANDS
        total += (sum(seen[one] for one in group) - mean) ** 2 / mean
    return chance_of(total, len(often))


def from_deal_to_deal(orders: list[Order]) -> float:
    """Whether the seat of a card says something about its seat in the next deal."""
    seats = [seat_of(order.index(0)) for order in orders]
    seen = Counter(pairwise(seats))
    mean = (len(orders) - 1) / 25
    return chance_of(sum((seen[a, b] - mean) ** 2 for a in range(5) for b in range(5)) / mean, 24)


def order_of_five(orders: list[Order]) -> float:
    seen = Counter(tuple(sorted(range(0, 40, 8), key=order.index)) for order in orders)
    mean = len(orders) / 120
    total = sum((count - mean) ** 2 for count in seen.values()) / mean + (120 - len(seen)) * mean
    return chance_of(total, 119)


def neighbours(orders: list[Order]) -> float:
    """How often a card still lies on the one that it lay on in a new deck: 39/40 a deal, variance 0.974375."""
    found = sum(after == card + 1 for order in orders for card, after in pairwise(order))
    z = (found - len(orders) * 39 / 40) / sqrt(len(orders) * 0.974375)
    return erfc(abs(z) / sqrt(2))


Statistic = Callable[[list[Order]], float]
STATISTICS: tuple[Statistic, ...] = (
    card_and_seat,
    card_and_place,
    pairs,
    patterns,
    from_deal_to_deal,
    order_of_five,
    neighbours,
)


def deals_of(shuffle: Shuffle, count: int) -> list[Order]:
    dice = random.Random(40)
    return [shuffle(dice) for _ in range(count)]


def test_ours_passes_all_of_them() -> None:
    orders = deals_of(ours, MANY)
    found = {statistic.__name__: statistic(orders) for statistic in STATISTICS}
    assert all(FINE < chance < 1 - FINE for chance in found.values()), found


def test_chances_are_what_tables_say() -> None:
    assert chance_of(0.95 * 24, 24) == pytest.approx(0.5313, abs=2e-3)
    assert chance_of(156.0, 156) == pytest.approx(0.4849, abs=2e-3)
    assert chance_of(36.415, 24) == pytest.approx(0.05, abs=1e-3)


@pytest.mark.parametrize(
    ("shuffle", "statistic"),
    [
        (sattolo, card_and_place),
        (sattolo, card_and_seat),
        (naive, card_and_place),
        (naive, card_and_seat),
        (swaps(10), pairs),
        (swaps(10), from_deal_to_deal),
        (riffles(4), card_and_seat),
        (riffles(4), order_of_five),
        (riffles(7), neighbours),
    ],
    ids=lambda one: getattr(one, "__qualname__", "").split(".")[0],
)
def test_a_faulty_shuffle_is_found(shuffle: Shuffle, statistic: Statistic) -> None:
    assert statistic(deals_of(shuffle, FEW)) < CAUGHT


def test_a_shuffle_without_rejection_is_found_by_counting_alone() -> None:
    """Its bias is too small for statistics of this size; what each first draw leads to is counted instead."""
    for size, draws in ((1, 256), (2, 65_536)):
        chosen: Counter[int] = Counter()
        for draw in range(draws):
            data = [*draw.to_bytes(size, "big"), *bytes(80)]
            chosen[by_remainder(size)(iter(data))[39]] += 1
        assert max(chosen.values()) > min(chosen.values())
    exact = Counter(permutation(iter([draw, *bytes(40)]))[39] for draw in range(240))
    assert set(exact.values()) == {6}


def test_a_short_secret_is_found_by_repeated_deals() -> None:
    """No statistic sees it, but a deal comes again once there are about as many as the root of the secrets."""
    dice = random.Random(1)
    short = [dice.randbytes(2) for _ in range(1_000)]  # 16 bits stand for 32, so that a thousand deals are enough
    deals = Counter(hands_from(hashlib.sha256(secret).digest(), 0) for secret in short)
    assert len(deals) < 1_000
    whole = Counter(hands_from(dice.randbytes(32), 0) for _ in range(1_000))
    assert len(whole) == 1_000


# --- every order can come up ----------------------------------------------------------------------


def rank_of(order: list[int]) -> int:
    """The number of an order among all: the factorial number system."""
    left, rank = sorted(order), 0
    for place, card in enumerate(order):
        rank = rank * (len(order) - place) + left.index(card)
        left.remove(card)
    return rank


def order_of(rank: int, size: int = 40) -> list[int]:
    digits = []
    for base in range(1, size + 1):
        rank, digit = divmod(rank, base)
        digits.append(digit)
    left = list(range(size))
    return [left.pop(digit) for digit in reversed(digits)]


def draws_to(order: list[int]) -> list[int]:
    """The bytes that lead our sampler to this order: every order has some."""
    pack, draws = list(range(40)), []
    for last in range(39, 0, -1):
        chosen = pack.index(order[last])
        draws.append(chosen)
        pack[last], pack[chosen] = pack[chosen], pack[last]
    return draws


def test_orders_and_numbers_correspond() -> None:
    assert [rank_of(order_of(rank, 5)) for rank in range(120)] == list(range(120))
    most = 1
    for n in range(2, 41):
        most *= n
    dice = random.Random(3)
    for rank in [0, 1, most - 1, *(dice.randrange(most) for _ in range(50))]:
        order = order_of(rank)
        assert rank_of(order) == rank
        assert list(permutation(iter(draws_to(order)))) == order  # drawn by number, reached by bytes


def test_dealing_is_four_and_four_from_the_dealers_right() -> None:
    seed = bytes(range(32))
    order = permutation(stream(seed))
    for dealer in range(5):
        hands = hands_from(seed, dealer)
        for right in range(5):
            expected = sorted(order[4 * right : 4 * right + 4] + order[20 + 4 * right : 24 + 4 * right])
            assert list(cards_in(hands[(dealer + 1 + right) % 5])) == expected
