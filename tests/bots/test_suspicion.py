"""The odds of who the partner is: sums, certainties, and that they point the right way."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from chiamata.bots.bidding import planned_suit
from chiamata.bots.evidence import EVIDENCE
from chiamata.bots.roster import make
from chiamata.bots.simple import Simple
from chiamata.bots.situation import role_of, situation_of
from chiamata.bots.suspicion import kinds, partner_odds
from chiamata.rules.cards import SEATS
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from tests.kit import moved, play_on, random_hands, start_of, states, won_by

CALLED = "A:call KS"


def after(*tricks: str) -> Deal:
    """A is the caller on a king, spade are trumps, D holds the called card; these tricks have been played."""
    held = {"A": "AH JH 7H 2H AS QS 7S 2S", "B": "3H 4C 5C 6C AC 3C 6S 5S", "C": "3D 5D 6D 7D KD QD JD 4S"}
    return moved(won_by(start_of("classic", held | {"D": "KS 3S JS 4D AD 2D KH QH"}), "A", "K"), CALLED, *tricks)


def test_all_are_alike_before_the_first_card() -> None:
    assert partner_odds(after().public, 1) == (0.0, 0.0, *[pytest.approx(1 / 3)] * 3)


def test_who_feeds_the_caller_in_the_last_seat_is_suspected() -> None:
    fed = after("A:AH B:4C C:5D D:4D E:KC").public
    assert partner_odds(fed, 1)[4] > 0.6
    assert max(partner_odds(fed, 1)[2:4]) < 0.25
    assert partner_odds(fed, 4)[4] == 0.0


def test_who_trumps_the_caller_in_the_last_seat_is_cleared() -> None:
    held = {"A": "AH JH", "B": "4C", "C": "4D", "D": "KS 5D", "E": "6S"}
    deal = won_by(start_of("classic", held), "A", "K")
    assert partner_odds(moved(deal, CALLED, "A:AH B:4C C:4D D:5D E:6S").public, 1)[4] < 0.1


def test_the_called_card_ends_all_doubt() -> None:
    shown = after("A:AH B:4C C:5D D:KS").public
    assert partner_odds(shown, 1) == (0.0, 0.0, 0.0, 1.0, 0.0)


@given(states())
def test_odds_are_odds(deal: Deal) -> None:
    public = deal.public
    if public.phase == "play" and public.called >= 0:
        for viewer in SEATS:
            odds = partner_odds(public, viewer)
            assert odds[public.caller] == 0.0
            assert public.partner == public.caller or sum(odds) == pytest.approx(1.0)
            assert public.partner >= 0 or odds[viewer] == 0.0


def test_every_weight_is_of_a_kind_that_occurs() -> None:
    seen: set[str] = set()
    for seed in range(400):
        deal = Deal.start(load("classic"), seed % 5, random_hands(random.Random(seed)))
        while deal.public.phase != "done":
            deal = deal.apply(make("random").choose(deal.view(deal.public.turn), random.Random(seed)))
        seen |= {kind for _, kind in kinds(deal.public)} if deal.public.tricks else set()
    assert set(EVIDENCE) <= seen


def test_odds_point_the_right_way() -> None:
    """In games of the bot against itself the partner is named more often than by chance (one in three)."""
    named = asked = 0
    for seed in range(60):
        deal = Deal.start(load("classic"), seed % 5, random_hands(random.Random(seed)))
        holder = -1
        while deal.public.phase != "done":
            public = deal.public
            deal = deal.apply(Simple().choose(deal.view(public.turn), random.Random(seed)))
            if holder < 0 and deal.public.called >= 0:
                holder = next(seat for seat in SEATS if deal.dealt[seat] >> deal.public.called & 1)
            fresh = len(deal.public.tricks) == 4 > len(public.tricks)
            if fresh and deal.public.partner < 0 and holder != deal.public.caller:
                viewer = next(seat for seat in SEATS if seat not in (holder, deal.public.caller))
                odds = partner_odds(deal.public, viewer)
                asked += 1
                named += odds.index(max(odds)) == holder
    assert asked >= 20
    assert named / asked > 0.45


def test_roles_as_the_seats_know_them() -> None:
    deal = after()
    assert [role_of(deal.view(seat)) for seat in SEATS] == ["caller", "defender", "defender", "partner", "defender"]
    now = situation_of(deal.view(0))
    assert now.allies == (0.0, *[pytest.approx(0.25)] * 4)
    fourth = situation_of(moved(deal, "A:AH B:4C C:5D").view(3))
    assert (fourth.holder, fourth.worth, fourth.later, fourth.allies[0]) == (0, 11, (4,), 1.0)


def test_who_does_not_follow_is_void() -> None:
    """Where suit must be followed, a card of another suit tells; elsewhere it tells nothing."""
    hands = {"A": "AH JH", "B": "3H", "C": "4S", "D": "KS 5H", "E": "6D 7D 2C 3C 4C 5C 6C 7C"}
    free = moved(won_by(start_of("classic", hands), "A", "K"), CALLED, "A:AH B:3H C:4S D:5H E:6D")
    assert not any(situation_of(free.view(free.public.turn)).void)
    late = play_on(moved(won_by(start_of("trattoria-follow", hands), "A", "K"), CALLED), 6)
    known = situation_of(late.view(late.public.turn)).void
    for trick in late.public.tricks[5:]:
        for place, card in enumerate(trick.cards):
            if card // 10 != trick.cards[0] // 10:
                assert known[(trick.leader + place) % 5] >> trick.cards[0] // 10 & 1
    assert any(known)


def test_in_the_dark_the_caller_alone_knows_its_suit() -> None:
    deal = won_by(start_of("first-trick-blind", {"A": "AS 3S QS JS 7S 7H 6D 5D"}), "A", "K")
    assert situation_of(deal.view(0), planned_suit(deal.view(0))).trump == 3
    after_lead = moved(deal, "A:5D")
    other = situation_of(after_lead.view(1))
    assert (other.trump, other.trumps_later, other.allies[0]) == (-1, -1, 0.0)


def test_a_trick_without_trumps_is_reckoned_without() -> None:
    deal = won_by(start_of("family-blind", {"A": "AS 3S QS JS 7S 7H 6D 5D"}), "A", "61")
    now = situation_of(deal.view(0), planned_suit(deal.view(0)))
    assert (now.trump, now.trumps_later) == (-1, 3)
