"""The referee against the second one in second_writing.py: the same legal moves at every step, the same payoff."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from chiamata.rules.cards import SEATS, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Move, to_text
from tests.kit import random_hands, rule_sets, run, runs
from tests.rules.second_writing import Referee

Steps = list[tuple[Move | None, Deal]]


def referee_of(deal: Deal) -> Referee:
    rules = deal.public.rules
    hands = [[rules.card_name(card) for card in cards_in(hand)] for hand in deal.dealt]
    return Referee(rules.to_mapping(), deal.public.dealer, hands, deal.public.multiplier)


def said(move: Move, deal: Deal) -> str:
    return to_text(move, deal.public.rules.ranks).partition(":")[2]


def compare(steps: Steps) -> None:
    second = referee_of(steps[0][1])
    for move, deal in steps:
        if move is not None:
            second.say(move.seat, said(move, deal))
        assert (deal.public.phase, deal.public.turn) == (second.phase, second.turn)
        for seat in SEATS:
            assert {said(one, deal) for one in deal.legal(seat)} == second.legal(seat)
        if second.called:
            owner = second.owner()
            assert deal.public.partner == (-1 if owner is None else owner)
    result = steps[-1][1].public.result
    assert result is not None
    assert (result.kind, list(result.payoff)) == (second.ended, second.payoff)
    assert (result.next_multiplier, result.next_dealer) == (second.next_multiplier, second.next_dealer)


@given(runs(rule_sets()))
def test_both_referees_agree_on_random_rule_sets(steps: Steps) -> None:
    compare(steps)


@pytest.mark.parametrize("name", names())
def test_both_referees_agree_on_the_named_rule_sets(name: str) -> None:
    rng = random.Random(name)
    for number in range(4):
        deal = Deal.start(load(name), number, random_hands(rng), 1 + number % 2)
        compare([(None, deal), *run(deal, rng)])
