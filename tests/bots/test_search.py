"""Searching players: what they take from the auction and the rules, how they bid and call, what they say of it."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest

from chiamata.bots import roster, search
from chiamata.bots.contracts import ANY, Trial, asked, clues_of, rows_of, weigh, weigh_calls, worth
from chiamata.bots.determinized import Determinized
from chiamata.bots.roster import advise, make
from chiamata.bots.search import Budget, Searcher
from chiamata.bots.seen import callers_cards, seen_of
from chiamata.bots.simple import Simple
from chiamata.bots.worth import CALLER, DEFENDER, PARTNER, payoffs_of, row
from chiamata.racer.mind import PAYOFFS, SILENT, available
from chiamata.rules.cards import ALL_CARDS, card_of, card_set
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Pass
from chiamata.study.deals import neutral_contract
from tests.kit import random_hands

needs_core = pytest.mark.skipif(not available(), reason="no compiled racer here")

STRONG = "AS 3S KS QS JS AH 3H AD"
WEAK = "2S 4C 5C 6C 4H 5H 4D 5D"


def cards(text: str) -> int:
    return card_set(card_of(name) for name in text.split())


def dealt(first: str, rules: str = "classic") -> Deal:
    """A deal by seat 4, so that seat 0 opens with this hand; the others have what is left, as it comes."""
    rest = [card for card in range(40) if not cards(first) >> card & 1]
    others = [card_set(rest[8 * seat : 8 * seat + 8]) for seat in range(4)]
    return Deal.start(load(rules), 4, (cards(first), others[0], others[1], others[2], others[3]))


# --- what is known --------------------------------------------------------------------------------


def test_the_auction_leaves_clues() -> None:
    rules = load("classic")
    deal = dealt(STRONG)
    for word in (Bid(0, 0), Bid(1, 2), Pass(2), Bid(3, 9, 0), Pass(4), Pass(0)):
        deal = deal.apply(word)
    clues = clues_of(deal.public)
    assert (clues[1].low_call, clues[1].high_call) == (rules.strength[2], SILENT)
    assert (clues[2].low_call, clues[2].high_call) == (SILENT, rules.strength[3])
    assert (clues[0].low_call, clues[0].high_call) == (rules.strength[0], rules.strength[9])
    assert clues[0].high == asked(rules, 62) > clues[0].low == asked(rules, 61)


def test_where_any_card_may_be_called_the_strength_is_not_settled() -> None:
    deal = dealt(STRONG, "family").apply(Bid(0, -1, 75))
    assert clues_of(deal.public)[0].low_call == ANY


def test_a_tournament_bid_shows_a_strong_suit() -> None:
    deal = dealt(STRONG, "brisk-tournament").apply(Bid(0, 9, 71))
    assert clues_of(deal.public)[0].strong == 19


def test_calls_that_betray_cards() -> None:
    assert callers_cards(load("classic"), card_of("5S"), 9) == cards("4S 2S")
    assert callers_cards(load("classic"), card_of("2S"), 9) == 0
    assert callers_cards(load("gingo"), card_of("KS"), -1) == cards("AS 3S")


@pytest.mark.parametrize("name", names())
def test_payoffs_are_those_of_the_rule_set(name: str) -> None:
    rules = load(name)
    target = max(rules.contract.base_target, 61)
    caller, partner, defender = (row(rules, target, role, False) for role in (CALLER, PARTNER, DEFENDER))
    assert caller[100] >= caller[0]
    assert defender[100] <= defender[0]
    assert len(partner) == PAYOFFS
    if rules.scoring.require_zero_sum:
        assert all(one + two + 3 * three == 0 for one, two, three in zip(caller, partner, defender, strict=True))
    assert payoffs_of(rules, target, CALLER).rows[0][90] > payoffs_of(rules, target, CALLER).rows[0][89] - 100


def test_points_never_outweigh_a_payoff() -> None:
    """A made contract is worth more than any points that come with a lost one."""
    for role, sign in ((CALLER, 1), (PARTNER, 1), (DEFENDER, -1)):
        made, lost = (payoffs_of(load("classic"), 61, role).rows[0][points] for points in (61, 60))
        assert sign * (made - lost) > 0.5


# --- bids and calls -------------------------------------------------------------------------------


@needs_core
def test_a_strong_hand_bids_and_a_weak_one_passes() -> None:
    deal = dealt(STRONG)
    assert isinstance(make("club").choose(deal.view(0), random.Random(0)), Bid)
    deal = dealt(STRONG).apply(Bid(0, 9, 0))
    poor = msgspec.structs.replace(deal, dealt=(deal.dealt[1], cards(WEAK), *deal.dealt[2:]))
    assert make("club").choose(poor.view(1), random.Random(0)) == Pass(1)


@needs_core
def test_calls_in_the_suit_that_it_holds() -> None:
    deal = dealt(STRONG).apply(Bid(0, 9, 0))
    for seat in (1, 2, 3, 4):
        deal = deal.apply(Pass(seat))
    move = make("club").choose(deal.view(0), random.Random(0))
    assert isinstance(move, Call)
    assert move.card // 10 == card_of("AS") // 10


@needs_core
def test_bids_are_weighed_the_one_to_make_first() -> None:
    for seed in range(6):
        deal = Deal.start(load("classic"), 4, random_hands(random.Random(seed)))
        view = deal.view(0)
        trial = Trial(view, seed, 60)
        (best, value), *rest = weigh(view, view.legal(), trial)
        values = dict([(best, value), *rest])
        least = values[Pass(0)]
        better = [move for move in values if isinstance(move, Bid) and values[move] > least]
        assert best == (better[0] if better else Pass(0))


@needs_core
def test_more_trumps_are_worth_more() -> None:
    values = []
    for text in (STRONG, WEAK):
        view = dealt(text).view(0)
        values.append(Trial(view, 1, 200).own(card_of("7S"), 61))
    assert values[0] > values[1] + 1
    nothing = tuple(((0,) * PAYOFFS, (0,) * PAYOFFS) for _ in range(3))
    assert worth(rows_of(load("classic"), 61), nothing) == 0.0


@needs_core
def test_a_solo_is_weighed_where_it_is_allowed() -> None:
    view = dealt(STRONG, "family").view(0)
    calls = weigh_calls(view, tuple(Call(0, card) for card in range(40)), Trial(view, 1, 100))
    assert any(isinstance(move, Call) and view.dealt >> move.card & 1 for move, _ in calls)
    assert [value for _, value in calls] == sorted((value for _, value in calls), reverse=True)


# --- play and advice ------------------------------------------------------------------------------


@needs_core
def test_advice_is_what_is_played() -> None:
    for seed in range(4):
        deal = neutral_contract(load("classic"), f"advice {seed}")
        while deal.public.phase == "play":
            view = deal.view(deal.public.turn)
            played = make("friend").choose(view, random.Random(seed))
            advice = advise("friend", view, random.Random(seed))
            assert {one.move for one in advice.moves} == set(view.legal())
            assert advice.best == played
            assert sum(advice.partner) == pytest.approx(1.0)
            for tell in advice.tells:
                assert deal.public.played >> tell.card & 1
                assert tell.seat != view.seat
                assert deal.public.partner < 0
            deal = deal.follow(played)


def test_each_level_may_spend_more_than_the_one_below() -> None:
    for below, above in pairwise((roster.FRIEND, roster.CLUB, roster.MASTER)):
        for name in ("worlds", "playouts", "deals"):
            assert getattr(below, name) * 2 < getattr(above, name)


@needs_core
def test_its_last_tricks_are_exact_where_the_budget_says_so() -> None:
    """Nothing is drawn there, so each world is asked once a card; before them the dice decide."""
    budget = Budget(worlds=12, draws=2, swaps=2, playouts=600, exact=2)
    deal, most = neutral_contract(load("classic"), "exact"), dict[int, int]()
    while deal.public.phase == "play":
        view = deal.view(deal.public.turn)
        if len(view.legal()) > 1:
            thinking = Searcher("exact", budget).think(view, 1)
            assert thinking is not None
            most[len(deal.public.tricks)] = max(choice.playouts for choice in thinking.choices)
        deal = deal.follow(Simple().choose(view, random.Random(0)))
    assert most[5] > 12
    assert most[6] == 12


def test_without_the_core_it_plays_by_rules_of_thumb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "available", lambda: False)
    for name in ("classic", "family"):
        deal = Deal.start(load(name), 0, random_hands(random.Random(name)))
        while deal.public.phase != "done":
            view = deal.view(deal.public.turn)
            move = make("master").choose(view, random.Random(0))
            assert move == Simple().choose(view, _after_seed())
            deal = deal.apply(move)


def _after_seed() -> random.Random:
    """The dice as a searching player hands them on."""
    dice = random.Random(0)
    dice.getrandbits(60)
    return dice


@needs_core
def test_where_no_world_fits_it_plays_by_rules_of_thumb(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a bot that holds another notion of the rules would be asked: any move is better than none."""
    view = neutral_contract(load("classic"), "1")
    seat = view.public.turn
    wrong = replace(seen_of(view.view(seat)), must=(ALL_CARDS,) * 5)
    monkeypatch.setattr(search, "seen_of", lambda *_: wrong)
    dice = random.Random(0)
    assert make("club").choose(view.view(seat), dice) == Simple().choose(view.view(seat), _after_seed())


@needs_core
def test_the_measuring_stick_plays_all_rule_sets() -> None:
    for name in names():
        deal = Deal.start(load(name), 0, random_hands(random.Random(f"plain {name}")))
        bot = Determinized(4)
        while deal.public.phase != "done":
            deal = deal.apply(bot.choose(deal.view(deal.public.turn), random.Random(0)))


def test_all_tricks_and_none_pay_apart_from_all_points_and_none() -> None:
    pays = row(load("classic"), 61, CALLER, False)
    assert pays[-3:] == [2.0, 4.0, -4.0], "all points in fewer tricks, all tricks, none"
    assert pays[0] == -2.0, "no point, but a trick"
