"""The referee of one deal at its edges."""

from __future__ import annotations

from typing import Any

import pytest

from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.moves import Bid, Call, Claim, Pass, Play
from tests.kit import hands_with, moved, start_of, won_by

GOOD = hands_with({})


@pytest.mark.parametrize(
    "hands",
    [
        GOOD[:4],
        (*GOOD, 0),
        list(GOOD),
        (GOOD[0], *GOOD[:4]),
        (*GOOD[:4], GOOD[4] ^ 1 << 39),
        (*GOOD[:4], GOOD[4] ^ 1 << 39 | 1 << 40),
        (*GOOD[:4], -1),
        (*GOOD[:4], None),
        None,
        5,
    ],
    ids=str,
)
def test_hands_that_cannot_be_dealt(hands: Any) -> None:
    with pytest.raises(Malformed) as caught:
        Deal.start(load("classic"), 0, hands)
    assert caught.value.code == "NOT_FIVE_HANDS"


@pytest.mark.parametrize("dealer", [-1, 5, None, True, "A"])
def test_a_dealer_who_is_not_there(dealer: Any) -> None:
    with pytest.raises(Malformed) as caught:
        Deal.start(load("classic"), dealer, GOOD)
    assert caught.value.code == "UNKNOWN_SEAT"


def test_what_never_can_be_is_malformed_and_what_is_not_now_is_illegal() -> None:
    deal = Deal.start(load("classic"), 4, GOOD)
    absurd: list[Any] = [Bid(0, 99), Play(7, 55), Play(0, 10**30), Pass(-1), "A:pass", None]
    for move in absurd:
        with pytest.raises(Malformed):
            deal.apply(move)
        with pytest.raises(Malformed):
            deal.why_not(move)
        with pytest.raises(Malformed):
            deal.view(2).why_not(move)
    with pytest.raises(Illegal) as caught:
        deal.apply(Pass(1))
    assert caught.value.code == "NOT_YOUR_TURN"


def test_what_a_player_says_of_hidden_cards_is_not_believed() -> None:
    """The referee fills in the covered cards of a call and the hand of a claim."""
    deal = moved(
        won_by(start_of("buio", {"A": "AH", "B": "3H", "C": "2S", "D": "2D", "E": "4D"}), "A", "2"),
        "A:AH B:3H C:2S D:2D E:4D",
    )
    two_of_hearts = deal.public.rules.card_of("2H")
    honest = deal.apply(Call(0, two_of_hearts))
    assert honest.public.words[-1] == Call(0, two_of_hearts, (39, 29))
    assert honest.covered == ()
    assert deal.apply(Call(0, two_of_hearts, (1, 2, 3))) == honest
    claim = start_of("scighera", {"A": "7S 6S 5H 4H 2D 4C 2C 6C"})
    assert claim.apply(Claim(0, 255)) == claim.apply(Claim(0))


def test_covered_cards_stay_in_the_hand_of_nobody() -> None:
    deal = moved(won_by(start_of("buio", {"A": "2S"}), "A", "2"), "A:2S")
    assert deal.covered == ((0, 39),)
    assert deal.view(0).hand.bit_count() == 7
    assert deal.view(0).covered == 39
    assert not deal.public.played
    first_card = moved(won_by(start_of("buio", {"A": "AC"}), "A", "A"), "A:AC").view(0)
    assert (first_card.covered, first_card.hand.bit_count()) == (0, 7)
