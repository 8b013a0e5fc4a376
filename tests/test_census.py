"""Golden counts: complete auctions, and the playout census of small endings, each found in two ways."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from chiamata.rules.cards import SEAT_NAMES, SEATS, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Pass
from chiamata.rules.public import Public, advance, legal, start
from chiamata.rules.ruleset import RuleSet
from tests.kit import hands_with, moved, random_hands, run, start_of, won_by
from tests.rules.second_writing import best

ANY_HAND = hands_with({})[0]


def changed(name: str, **options: bool) -> RuleSet:
    """A named rule set with some options of its auction changed."""
    mapping = load(name).to_mapping()
    mapping["auction"] |= options
    return RuleSet.from_mapping(mapping)


RANKS = changed("classic", points_after_lowest=False)
"""Ten ranks and nothing after the lowest."""
RANKS_FORCED = changed("quick", points_after_lowest=False)


def said(public: Public) -> list[Public]:
    """The public states after each thing that may be said now."""
    moves = legal(public, public.turn, ANY_HAND)
    assert all(isinstance(move, Bid | Pass) for move in moves)
    return [advance(public, move) for move in moves]


def complete(public: Public) -> int:
    """How many complete auctions there are from here, counted one by one."""
    return 1 if public.phase != "auction" else sum(map(complete, said(public)))


def complete_by_memory(rules: RuleSet) -> int:
    """The same, each state counted once: what was said before does not matter, only what stands."""

    @cache
    def count(turn: int, rank: int, points: int, bidder: int, passed: int) -> int:
        standing = Bid(bidder, rank, points) if bidder >= 0 else None
        public = Public(rules, 4, turn=turn, standing=standing, passed=passed)
        total = 0
        for after in said(public):
            if after.phase != "auction":
                total += 1
                continue
            bid = after.standing
            total += count(
                after.turn, *((-1, 0, -1) if bid is None else (bid.rank, bid.points, bid.seat)), after.passed
            )
        return total

    return count(0, -1, 0, -1, 0)


def complete_in_chain(rungs: int, gate: int, forced: bool) -> int:
    """A second writing, of rungs and seats alone: rungs above ``gate`` open once ``gate`` itself is bid."""

    @cache
    def count(turn: int, standing: int, bidder: int, active: frozenset[int]) -> int:
        opened = rungs if standing >= gate else gate + 1
        total = sum(after(turn, rung, turn, active) for rung in range(standing + 1, opened))
        if bidder < 0 and len(active) == 1:
            return total + (not forced)
        return total + after(turn, standing, bidder, active - {turn})

    def after(turn: int, standing: int, bidder: int, active: frozenset[int]) -> int:
        if active == {bidder} or standing == rungs - 1:
            return 1
        following = next((turn + step) % 5 for step in range(1, 6) if (turn + step) % 5 in active)
        return count(following, standing, bidder, active)

    return count(0, -1, -1, frozenset(range(5)))


def perft(public: Public, depth: int) -> int:
    """How many sequences of so many things said there are.

    An auction is over at once when nothing can be bid any more; here, as in the golden counts,
    those who are still in it pass first.
    """
    if depth == 0:
        return 1
    if public.phase == "auction":
        return sum(perft(after, depth - 1) for after in said(public))
    return int(depth <= 4 - public.passed.bit_count())


def test_auctions_of_ten_ranks_in_which_all_may_pass() -> None:
    assert complete(start(RANKS, 4)) == complete_by_memory(RANKS) == complete_in_chain(10, 9, False) == 66_314


def test_auctions_of_ten_ranks_in_which_the_fifth_must_bid() -> None:
    assert complete(start(RANKS_FORCED, 4)) == complete_by_memory(RANKS_FORCED) == 66_313
    assert complete_in_chain(10, 9, True) == 66_313


def test_auctions_of_ten_ranks_and_twelve_raises_in_which_the_fifth_must_bid() -> None:
    """The golden count is that of one ladder of 22 rungs, any of which may be bid at any time."""
    assert complete_by_memory(changed("quick", direct_points_jump=True)) == 1_676_673_045
    assert complete_in_chain(22, 21, True) == 1_676_673_045


def test_auctions_of_quick_in_which_the_two_must_be_bid_before_it_is_raised() -> None:
    assert complete_by_memory(load("quick")) == complete_in_chain(22, 9, True) == 929_589_257


@pytest.mark.parametrize(("depth", "count"), [(1, 11), (2, 66), (3, 286), (4, 1001), (5, 3003), (6, 7722)])
def test_auctions_of_so_many_words(depth: int, count: int) -> None:
    assert perft(start(RANKS, 4), depth) == count


# --- the census of small endings ------------------------------------------------------------------


def ending(name: str, left: int, seed: int) -> Deal:
    """A deal of this rule set before a trick, with so many cards left to each seat."""
    for number in range(1000):
        rng = random.Random(f"{seed}/{number}")
        deal = Deal.start(load(name), rng.randrange(5), random_hands(rng))
        for _, after in run(deal, rng):
            deal = after
            if deal.public.phase == "play" and not deal.public.trick and len(deal.public.tricks) == 8 - left:
                return deal
    raise AssertionError("no such ending")


def census(deal: Deal) -> Counter[int]:
    """How often the caller's side makes how many points over all that can be played from here."""
    if deal.public.result is not None:
        return Counter({deal.public.result.points: 1})
    total: Counter[int] = Counter()
    for move in deal.legal(deal.public.turn):
        total += census(deal.apply(move))
    return total


def census_by_orders(deal: Deal) -> Counter[int]:
    """The same from five orders of five hands, played without a referee: the k-th card of a hand falls k-th."""
    public, rules = deal.public, deal.public.rules
    hands = [list(cards_in(deal.view(seat).hand)) for seat in SEATS]
    owner = next(seat for seat in SEATS if deal.dealt[seat] >> public.called & 1)
    side = {public.caller, owner}
    had = sum(public.points[seat] for seat in side)
    total: Counter[int] = Counter()
    order = list(rules.deck.trick_order)
    trump = "CHDS"[public.trump]

    def play(leader: int, points: int, number: int, orders: tuple[tuple[int, ...], ...]) -> int:
        if number == len(orders[0]):
            return points
        trick = [(seat, orders[seat][number]) for seat in ((leader + step) % 5 for step in range(5))]
        winner = best(order, [(seat, rules.card_name(card)) for seat, card in trick], trump)
        worth = sum(rules.points[card] for _, card in trick) if winner in side else 0
        return play(winner, points + worth, number + 1, orders)

    def choose(orders: tuple[tuple[int, ...], ...]) -> None:
        if len(orders) == 5:
            total[play(public.leader, had, 0, orders)] += 1
            return
        for one in permutations(hands[len(orders)]):
            choose((*orders, one))

    choose(())
    return total


@pytest.mark.parametrize("name", ["classic", "fifteen", "french-ten"])
def test_census_of_the_last_three_tricks(name: str) -> None:
    deal = ending(name, 3, 1)
    counted = census(deal)
    assert sum(counted.values()) == 6**5 == 7776
    assert counted == census_by_orders(deal)
    assert len(counted) > 3


def five_tricks_of(case: str) -> Deal:
    """A whole deal of vectors.json under ``classic``, up to the lead of its sixth trick."""
    cases = json.loads((Path(__file__).parent / "vectors" / "vectors.json").read_text())["vectors"]
    told = next(one for one in cases if one["id"] == case)
    hands = {seat: " ".join(hand) for seat, hand in zip(SEAT_NAMES, told["hands"], strict=True)}
    deal = moved(won_by(start_of("classic", hands), "A", told["called"][:-1]), f"A:call {told['called']}")
    for trick in told["tricks"][:5]:
        for place, card in enumerate(trick["cards"]):
            deal = moved(deal, f"{SEAT_NAMES[(trick['leader'] + place) % 5]}:{card}")
    return deal


def test_census_of_the_end_of_three_known_deals() -> None:
    """Kept as figures, so that the racer and other writings can be held to them: points of the caller's side."""
    assert dict(sorted(census(five_tricks_of("P01")).items())) == {
        56: 192,
        57: 192,
        60: 384,
        61: 384,
        65: 192,
        66: 192,
        67: 384,
        68: 192,
        69: 384,
        70: 384,
        71: 768,
        72: 384,
        76: 192,
        78: 192,
        80: 384,
        82: 384,
        84: 2592,
    }
    assert dict(sorted(census(five_tricks_of("P02")).items())) == {
        41: 40,
        43: 80,
        44: 24,
        46: 48,
        51: 48,
        53: 96,
        54: 32,
        56: 160,
        58: 48,
        59: 192,
        60: 128,
        61: 96,
        62: 64,
        63: 352,
        64: 160,
        65: 176,
        66: 80,
        67: 352,
        68: 192,
        69: 176,
        70: 96,
        71: 384,
        73: 288,
        75: 48,
        86: 4416,
    }
    assert dict(sorted(census(five_tricks_of("P07")).items())) == {
        47: 168,
        49: 252,
        50: 256,
        52: 556,
        53: 88,
        55: 532,
        57: 84,
        58: 204,
        60: 392,
        61: 112,
        62: 152,
        63: 864,
        64: 40,
        65: 368,
        66: 952,
        68: 180,
        69: 300,
        71: 332,
        73: 296,
        74: 596,
        76: 704,
        77: 132,
        79: 216,
    }


@pytest.mark.parametrize("name", names())
def test_census_of_the_last_two_tricks_of_every_rule_set(name: str) -> None:
    deal = ending(name, 2, 3)
    follows = deal.public.rules.play.follow_suit != "none"
    names_trump = deal.public.rules.play.trump_change == "on_reveal" and deal.public.partner < 0
    counted = census(deal)
    if not follows and not names_trump:
        assert counted == census_by_orders(deal)
        assert sum(counted.values()) == 32
