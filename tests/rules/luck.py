"""Statistics of dealt packs, each against its exact distribution; and, as a program, of fresh deals in any number.

    python -m tests.rules.luck [--deals 200000]

``make luck`` runs it.  Secrets are the operating system's, people's bytes and cuts are drawn, and key, pack and hands
follow as at a table.  What the program calls an alarm was settled before any deal was dealt.  A chance below CERTAIN is
one, and so is a deal that comes twice.  A chance that leaves FINE on either side is looked at once more, with ten times
as many *new* deals, and is an alarm if it leaves FINE again: never "run until green".  A right house is looked at
twice about once in 500 runs, and raises an alarm less than once in a million.

The corrections: a deal fixes the sums over cards and over seats, so Pearson's sum must be
multiplied by 39/40; the 780 pairs of cards have 740 degrees of freedom, because every card has seven
companions; the five hands of a deal depend on each other, so only one of them is looked at.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations, pairwise
from math import comb, erfc, sqrt
from typing import Any

from chiamata.rules.cards import cards_in
from chiamata.rules.fair import Terms, seed_of
from chiamata.rules.shuffle import cut_pack, hands_from, permutation, stream

Order = bytes
"""The pack as it is dealt, card by card; packets of four, twice round."""
CERTAIN, FINE = 1e-9, 1e-4
"""Below CERTAIN a fault is certain; what is right stays above FINE, and below 1 - FINE, 4,999 times of 5,000."""
SEATS = ("person:A", "person:B", "bot:club", "person:D", "person:E")
AGAIN = 10
"""So many times as many deals are dealt for the second look."""
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
SUIT = {length: comb(10, length) * comb(30, 8 - length) for length in range(9)}
"""The same for so many cards of one suit."""
ACES = {count: comb(4, count) * comb(36, 8 - count) for count in range(5)}
VALUES = (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)
"""Card points, by rank."""


def ways_to_points() -> dict[int, int]:
    """Of all hands, how many have so many card points."""
    ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for card in range(40):
        for (cards, total), count in list(ways.items()):
            if cards < 8:
                ways[cards + 1, total + VALUES[card % 10]] += count
    return {total: count for (cards, total), count in sorted(ways.items()) if cards == 8}


POINTS = ways_to_points()


def chance_of(total: float, freedom: int) -> float:
    """How likely a chi-square sum is that is as large (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    return erfc(((total / freedom) ** (1 / 3) - (1 - spread)) / sqrt(2 * spread)) / 2


def fit(seen: Mapping[Any, int], counts: Mapping[Any, int]) -> float:
    """Whether what was seen fits so many of all hands; what is expected less than five times is taken together."""
    deals = sum(seen.values())
    often = [one for one, count in counts.items() if count * deals / HANDS >= 5]
    rare = [one for one in counts if one not in often]
    total, groups = 0.0, [*([one] for one in often), *([rare] if rare else [])]
    for group in groups:
        mean = sum(counts[one] for one in group) * deals / HANDS
        total += (sum(seen.get(one, 0) for one in group) - mean) ** 2 / mean
    return chance_of(total, len(groups) - 1)


def hands_of(orders: list[Order]) -> Iterator[Order]:
    """One hand of each deal, the first packet's seat: the five of a deal depend on each other."""
    return (order[:4] + order[20:24] for order in orders)


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
    """The lengths of the four suits in a hand."""
    seen: Counter[Hashable] = Counter()
    for hand in hands_of(orders):
        suits = [card // 10 for card in hand]
        seen[tuple(sorted((suits.count(suit) for suit in range(4)), reverse=True))] += 1
    return fit(seen, PATTERNS)


def suit_length(orders: list[Order]) -> float:
    """How many cards of one suit a hand has."""
    return fit(Counter(sum(card < 10 for card in hand) for hand in hands_of(orders)), SUIT)


def aces(orders: list[Order]) -> float:
    """How many aces a hand has."""
    return fit(Counter(sum(card % 10 == 0 for card in hand) for hand in hands_of(orders)), ACES)


def points(orders: list[Order]) -> float:
    """How many card points a hand has."""
    return fit(Counter(sum(VALUES[card % 10] for card in hand) for hand in hands_of(orders)), POINTS)


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
    suit_length,
    aces,
    points,
    from_deal_to_deal,
    order_of_five,
    neighbours,
)

# --- fresh deals ----------------------------------------------------------------------------------


def fresh(count: int, chance: Callable[[int], bytes] = os.urandom) -> Iterator[tuple[Order, tuple[int, ...]]]:
    """Pack and hands of so many deals; the dealer goes round, one seat is a bot's, none to four people put bytes in."""
    table = chance(3).hex()
    for number in range(count):
        drawn = chance(166)
        secret, people, cut = drawn[:32], drawn[160], drawn[161] * 40 // 256
        a, b, d, e = (drawn[32 * n : 32 * n + 32] if people >> n & 1 else b"" for n in range(1, 5))
        terms = Terms(table, number + 1, bytes(32), SEATS, number % 5)
        seed = seed_of(terms, secret, (a, b, b"", d, e))
        yield bytes(cut_pack(permutation(stream(seed)), cut)), hands_from(seed, number % 5, cut)


def look(count: int, chance: Callable[[int], bytes] = os.urandom) -> tuple[dict[str, float], int]:
    """The chance that each statistic gives to so many fresh deals, and how many of them came twice, however cut."""
    orders, uncut = [], set()
    for number, (order, five) in enumerate(fresh(count, chance)):
        first = sorted(order[:4] + order[20:24])
        assert list(cards_in(five[(number + 1) % 5])) == first, "the hands are not those of the pack"
        orders.append(order)
        start = order.index(0)
        uncut.add(order[start:] + order[:start])
    return {statistic.__name__: statistic(orders) for statistic in STATISTICS}, count - len(uncut)


def verdict(count: int, look: Callable[[int], tuple[dict[str, float], int]] = look) -> list[str]:
    """The names of what raises an alarm."""
    chances, twice = look(count)
    for name, chance in chances.items():
        print(f"{name}: {chance:.3g}")
    print(f"deals={count} statistics={len(chances)} lowest={min(chances.values()):.3g} twice={twice}", flush=True)
    alarms = ["twice"] * (twice > 0) + [name for name, chance in chances.items() if chance < CERTAIN]
    doubted = [name for name, chance in chances.items() if not FINE < chance < 1 - FINE and name not in alarms]
    if doubted:
        again, twice = look(AGAIN * count)
        for name in doubted:
            print(f"{name}, with {AGAIN * count} new deals: {again[name]:.3g}", flush=True)
        alarms += ["twice"] * (twice > 0) + [name for name in doubted if not FINE < again[name] < 1 - FINE]
    return alarms


def main() -> int:
    """0 if nothing raises an alarm."""
    parser = argparse.ArgumentParser(prog="luck")
    parser.add_argument("--deals", type=int, default=200_000)
    alarms = verdict(parser.parse_args().deals)
    print("alarm: " + ", ".join(alarms) if alarms else "no alarm")
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
