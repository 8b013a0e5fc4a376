"""Two worlds on the rules floor: a view does not change with what its viewer has not seen."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chiamata.rules.cards import ALL_CARDS, SEATS, CardSet, cards_in, suit_of
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal, Hands
from chiamata.rules.moves import (
    Bid,
    Call,
    Claim,
    Move,
    Pass,
    Play,
    Trump,
)
from tests.kit import five, random_hands, run, runs, states

Steps = list[tuple[Move | None, Deal]]


def named(test: Any) -> Any:
    """Run a test on each of the named rule sets."""
    return pytest.mark.parametrize("name", names())(test)


@given(runs())
def test_the_partner_is_known_when_the_called_card_lies_open(steps: Steps) -> None:
    for _, deal in steps:
        public = deal.public
        out = public.called >= 0 and bool(public.played >> public.called & 1)
        assert (public.partner >= 0) == out
        if out:
            assert deal.dealt[public.partner] >> public.called & 1


def unseen_by(deal: Deal, seat: int) -> CardSet:
    """The cards that this viewer cannot place."""
    return ALL_CARDS & ~deal.public.played & ~(deal.dealt[seat] if seat >= 0 else 0)


def other_worlds(steps: Steps, viewer: int, rng: random.Random, most: int = 12) -> list[Hands]:
    """Deals that differ in what the viewer has not seen by the end of these steps, hands keeping their sizes."""
    deal = steps[-1][1]
    unseen = unseen_by(deal, viewer)
    places = [(seat, card) for seat in SEATS for card in cards_in(deal.dealt[seat] & unseen)]
    found = []
    for _ in range(most):
        cards = [card for _, card in places]
        rng.shuffle(cards)
        hands = [deal.dealt[seat] & ~unseen for seat in SEATS]
        for (seat, _), card in zip(places, cards, strict=True):
            hands[seat] |= 1 << card
        found.append(five(hands))
    return found


def same_story(steps: Steps, hands: Hands, rng: random.Random) -> list[Deal] | None:
    """The same public moves with other hands, or None where these hands could not have made them."""
    deal = Deal.start(steps[0][1].public.rules, steps[0][1].public.dealer, hands, steps[0][1].public.multiplier)
    told = [deal]
    for move, after in steps[1:]:
        seen = after.public.words[-1]
        ours = move
        if isinstance(seen, Play) and seen.card < 0:  # a covered card: any of this rank that the seat holds
            mine = [one for one in deal.legal(seen.seat) if isinstance(one, Play) and one.card % 10 == -1 - seen.card]
            ours = rng.choice(mine) if mine else None
        elif isinstance(seen, Call):
            if seen.shown != tuple(card for _, card in deal.covered):
                return None
        elif isinstance(seen, Claim) and seen.hand != deal.dealt[seen.seat]:
            return None
        if ours is None or deal.why_not(ours) is not None:
            return None
        deal = deal.apply(ours)
        told.append(deal)
    return told


@given(runs(), st.integers(-1, 4), st.integers(0, 2**32), st.data())
def test_views_do_not_change_with_what_they_do_not_see(
    steps: Steps, viewer: int, seed: int, data: st.DataObject
) -> None:
    rng = random.Random(seed)
    steps = steps[: data.draw(st.integers(1, len(steps)))]
    for hands in other_worlds(steps, viewer, rng):
        told = same_story(steps, hands, rng)
        if told is not None:
            for (_, ours), theirs in zip(steps, told, strict=True):
                assert ours.view(viewer) == theirs.view(viewer)
                assert ours.view(viewer).legal() == theirs.view(viewer).legal()


@named
def test_two_worlds_are_really_compared(name: str) -> None:
    """Enough other worlds tell the same story up to the lead of the third trick, in each rule set."""
    rng = random.Random(name)
    compared = 0
    for number in range(8):
        deal = Deal.start(load(name), number % 5, random_hands(rng))
        steps: Steps = [(None, deal), *run(deal, rng)]
        steps = [step for step in steps if len(step[1].public.tricks) < 2 or step[1].public.phase == "done"]
        if steps[-1][1].public.tricks:
            steps.pop()
        for viewer in (-1, 2):
            for hands in other_worlds(steps, viewer, rng, 40):
                told = same_story(steps, hands, rng)
                if told is not None and hands != steps[0][1].dealt:
                    compared += 1
                    assert [one.view(viewer) for one in told] == [one.view(viewer) for _, one in steps]
    assert compared > 20


@given(states())
def test_a_view_is_the_public_state_and_one_hand(deal: Deal) -> None:
    watcher = deal.view(-1)
    assert (watcher.public, watcher.dealt, watcher.hand, watcher.covered) == (deal.public, 0, 0, -1)
    assert watcher.legal() == ()
    conceivable: list[Move] = [Pass(0), Bid(1, 0), Play(2, 3), Call(3, 4), Trump(4, 0), Claim(0)]
    for move in conceivable:
        assert watcher.why_not(move) == "NOT_YOUR_TURN"
    for seat in SEATS:
        view = deal.view(seat)
        assert (view.public, view.seat, view.dealt) == (deal.public, seat, deal.dealt[seat])
        others: list[Move] = [Pass((seat + 1) % 5), Play((seat + 1) % 5, 0)]
        assert {view.why_not(move) for move in others} == {"NOT_YOUR_TURN"}


@given(runs())
def test_who_must_follow_suit_does(steps: Steps) -> None:
    for (_, before), (move, _) in pairwise(steps):
        rules, public = before.public.rules, before.public
        if not isinstance(move, Play) or not public.trick or public.trick[0] < 0 or rules.play.follow_suit == "none":
            continue
        bound = rules.play.follow_suit == "always" or len(public.tricks) + (rules.play.follow_last_n or 0) >= 8
        led = suit_of(public.trick[0])
        holds = any(suit_of(card) == led for card in cards_in(before.view(move.seat).hand))
        assert suit_of(move.card) == led or not bound or not holds
