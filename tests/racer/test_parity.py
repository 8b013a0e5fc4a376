"""Referee and racer are two writings of one game: all rule sets, random deals, card by card."""

from __future__ import annotations

from random import Random

import pytest

from chiamata.racer import binding
from chiamata.racer.jobs import Limits, Position, Variant
from chiamata.racer.mirror import Play as Mirrored
from chiamata.racer.mirror import dealt
from chiamata.rules import catalogue
from chiamata.rules.cards import SEATS, SUIT_CARDS
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Pass, Play, Trump
from chiamata.rules.public import Public
from chiamata.rules.ruleset import RuleSet

DEALS = 8


def variant_of(rules: RuleSet, trump: int, called: int) -> Variant:
    """How this rule set plays once the card is called."""
    play = rules.play
    follow = {"none": 0, "always": 8, "last_n": play.follow_last_n or 0}[play.follow_suit]
    return Variant(
        rules.points,
        rules.strength,
        trump,
        follow_last=follow,
        first_plain=rules.call.timing == "after_first_trick",
        trump_change=play.trump_change == "on_reveal",
        called=called,
    )


def contract(random: Random, rules: RuleSet) -> Deal:
    """A deal in which somebody has called, or where that comes later, in which the first trick may begin."""
    while True:
        deal = Deal.start(rules, random.randrange(5), dealt(random.sample(range(40), 40)))
        while deal.public.phase in ("claim", "auction", "call"):
            moves = deal.legal(deal.public.turn)
            quiet = [move for move in moves if isinstance(move, (Pass, Bid, Call))] or moves
            deal = deal.apply(random.choice(quiet))
        if deal.public.phase == "play":
            return deal


def sides(deal: Deal) -> int:
    """Caller and holder of the called card, as a mask."""
    partner = next(seat for seat in SEATS if deal.dealt[seat] >> deal.public.called & 1)
    return 1 << deal.public.caller | 1 << partner


def taken(public: Public, side: int) -> int:
    return sum(public.points[seat] for seat in SEATS if side >> seat & 1)


def finished(random: Random, deal: Deal) -> tuple[Deal, list[tuple[tuple[int, ...], int]]]:
    """The deal played at random, and for each card or trump what was legal and what was chosen."""
    steps = []
    while deal.public.phase != "done":
        moves = deal.legal(deal.public.turn)
        move = random.choice(moves)
        deal = deal.apply(move)
        if isinstance(move, Play):
            steps.append((tuple(one.card for one in moves if isinstance(one, Play)), move.card))
        elif isinstance(move, Trump):
            steps.append((tuple(one.suit for one in moves if isinstance(one, Trump)), move.suit))
    return deal, steps


@pytest.mark.parametrize("name", catalogue.names())
def test_referee_and_racer_play_the_same_game(name: str) -> None:
    rules, random = catalogue.load(name), Random(name)
    for _ in range(DEALS):
        begun = contract(random, rules)
        deal, steps = finished(random, begun)
        public = deal.public
        side = sides(deal)
        named = next(word.card for word in public.words if isinstance(word, Call)) // 10
        mirrored = Mirrored.start(
            variant_of(rules, named, public.called), Position(begun.dealt, side, public.tricks[0].leader)
        )
        for legal, chosen in steps:
            assert tuple(mirrored.moves()) == legal
            if binding.available() and mirrored.naming < 0:
                same_in_c(mirrored, legal, chosen)
            mirrored = mirrored.after(chosen)
        assert mirrored.over
        assert mirrored.taken == taken(public, side) == (public.result and public.result.points)
        assert public.trump in (named, mirrored.trump)


def same_in_c(play: Mirrored, legal: tuple[int, ...], chosen: int) -> None:
    """The compiled search sees the same cards to play and the same gain of the last seat's card."""
    core = same_in_c.__dict__.setdefault("core", binding.Core(12))
    a, b, c, d, e = play.hands
    rules = play.variant if play.pending >= 0 else replaced_trump(play)
    where = Position((a, b, c, d, e), play.side, play.leader, play.table, play.taken)
    answers = core.all_cards(rules, where, 1, Limits(nodes=1))
    assert tuple(one.card for one in answers) == legal
    after = play.after(chosen)
    if after.over:
        assert next((one.low, one.high) for one in answers if one.card == chosen) == (after.taken, after.taken)


def replaced_trump(play: Mirrored) -> Variant:
    """The variant once no change of trump can come any more."""
    old = play.variant
    return Variant(old.points, old.strength, play.trump, old.follow_last, old.first_plain, False, -1, old.per_trick)


def test_suits_are_rows_of_ten() -> None:
    """Both writings lean on this."""
    assert [suit.bit_count() for suit in SUIT_CARDS] == [10, 10, 10, 10]
