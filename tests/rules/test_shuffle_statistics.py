"""Faulty shuffles, each with the test that finds it, and ours, which passes them all (``tests.rules.luck``)."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator
from math import comb

import pytest

from chiamata.rules.cards import cards_in
from chiamata.rules.fair import seed_of
from chiamata.rules.shuffle import hands_from, permutation, stream
from tests.rules import luck
from tests.rules.luck import (
    ACES,
    CERTAIN,
    FINE,
    HANDS,
    PATTERNS,
    POINTS,
    STATISTICS,
    SUIT,
    VALUES,
    Order,
    Statistic,
    aces,
    card_and_place,
    card_and_seat,
    chance_of,
    from_deal_to_deal,
    neighbours,
    order_of_five,
    pairs,
    patterns,
    points,
    suit_length,
)

Pack = list[int]
Shuffle = Callable[[random.Random], Pack]
FEW, MANY = 4_000, 12_000


def test_the_exact_counts() -> None:
    assert comb(40, 8) == HANDS == sum(PATTERNS.values())
    for pattern, count in PATTERNS.items():
        ways = len(set(permuted(pattern)))
        product = 1
        for length in pattern:
            product *= comb(10, length)
        assert ways * product == count
    assert SUIT[0] == 5_852_925
    assert SUIT[3] == 17_100_720
    assert ACES == {0: 30_260_340, 1: 33_390_720, 2: 11_686_752, 3: 1_507_968, 4: 58_905}
    for counts in (SUIT, ACES, POINTS):
        assert sum(counts.values()) == HANDS
    assert POINTS[0] == 125_970
    assert max(POINTS) == 84
    assert sum(total * count for total, count in POINTS.items()) == 24 * HANDS
    assert sum(count for total, count in POINTS.items() if total <= 10) / HANDS == pytest.approx(0.0940842943)


def permuted(pattern: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(pattern) == 1:
        yield pattern
    for place, one in enumerate(pattern):
        for rest in permuted(pattern[:place] + pattern[place + 1 :]) if len(pattern) > 1 else ():
            yield (one, *rest)


# --- shuffles -------------------------------------------------------------------------------------


def ours(dice: random.Random) -> Pack:
    return list(permutation(stream(dice.randbytes(32))))


def sattolo(dice: random.Random) -> Pack:
    """Off by one: no card stays where it was."""
    order = list(range(40))
    for last in range(39, 0, -1):
        chosen = dice.randrange(last)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def naive(dice: random.Random) -> Pack:
    """Every place is swapped with any: 40^40 paths to 40! orders."""
    order = list(range(40))
    for place in range(40):
        chosen = dice.randrange(40)
        order[place], order[chosen] = order[chosen], order[place]
    return order


def swaps(times: int) -> Shuffle:
    """A new deck with a few cards swapped."""

    def shuffle(dice: random.Random) -> Pack:
        order = list(range(40))
        for _ in range(times):
            one, other = dice.sample(range(40), 2)
            order[one], order[other] = order[other], order[one]
        return order

    return shuffle


def riffles(times: int) -> Shuffle:
    """So many riffles as people do them (Gilbert, Shannon, Reeds)."""

    def shuffle(dice: random.Random) -> Pack:
        order = list(range(40))
        for _ in range(times):
            bits = [dice.getrandbits(1) for _ in order]
            left, right = iter(order[: 40 - sum(bits)]), iter(order[40 - sum(bits) :])
            order = [next(right if bit else left) for bit in bits]
        return order

    return shuffle


def dealt_again(where: Callable[[Pack], bool]) -> Shuffle:
    """Ours, but for hands that somebody does not like: then it is quietly dealt again."""

    def shuffle(dice: random.Random) -> Pack:
        while where((order := ours(dice))[:4] + order[20:24]):
            pass
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


def deals_of(shuffle: Shuffle, count: int) -> list[Order]:
    dice = random.Random(40)
    return [bytes(shuffle(dice)) for _ in range(count)]


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
        (dealt_again(lambda hand: sum(card % 10 == 0 for card in hand) > 2), aces),
        (dealt_again(lambda hand: sum(VALUES[card % 10] for card in hand) <= 10), points),
        (dealt_again(lambda hand: sum(card < 10 for card in hand) > 4), suit_length),
        (dealt_again(lambda hand: max(Counter(card // 10 for card in hand).values()) > 4), patterns),
    ],
    ids=lambda one: getattr(one, "__qualname__", "").split(".")[0],
)
def test_a_faulty_shuffle_is_found(shuffle: Shuffle, statistic: Statistic) -> None:
    assert statistic(deals_of(shuffle, FEW)) < CERTAIN


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


# --- looking at fresh deals -----------------------------------------------------------------------


def test_fresh_deals_pass_all_of_them() -> None:
    chances, twice = luck.look(MANY, random.Random(7).randbytes)
    assert all(FINE < chance < 1 - FINE for chance in chances.values()), chances
    assert len(chances) == len(STATISTICS) == 10
    assert twice == 0


def test_a_key_of_few_bits_deals_something_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.rules.luck.seed_of", lambda *parts: hashlib.sha256(seed_of(*parts)[:2]).digest())
    assert luck.look(1_000, random.Random(1).randbytes)[1] > 0


@pytest.mark.parametrize(
    ("looks", "alarms"),
    [
        ([({"a": 0.4, "b": 0.6}, 0)], []),
        ([({"a": CERTAIN / 2, "b": 0.6}, 0)], ["a"]),
        ([({"a": 0.4, "b": 0.6}, 1)], ["twice"]),
        ([({"a": FINE / 2, "b": 0.6}, 0), ({"a": 0.3, "b": FINE / 2}, 0)], []),
        ([({"a": FINE / 2, "b": 0.6}, 0), ({"a": FINE / 2, "b": 0.6}, 0)], ["a"]),
        ([({"a": 1 - FINE / 2, "b": 0.6}, 0), ({"a": 1 - FINE / 2, "b": 0.6}, 0)], ["a"]),
        ([({"a": 1 - FINE / 2, "b": 0.6}, 0), ({"a": 0.5, "b": 0.6}, 1)], ["twice"]),
    ],
)
def test_what_raises_an_alarm(looks: list[tuple[dict[str, float], int]], alarms: list[str]) -> None:
    """A doubt is looked at once more, with ten times as many new deals; what is certain is not."""
    asked = []

    def look(count: int) -> tuple[dict[str, float], int]:
        asked.append(count)
        return looks.pop(0)

    assert luck.verdict(100, look) == alarms
    assert asked == [100, 1_000][: len(asked)]
    assert looks == []


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
