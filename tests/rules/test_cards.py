"""Cards, sets of cards and seats."""

from __future__ import annotations

import pickle

import pytest

from chiamata.rules.cards import (
    ALL_CARDS,
    SUIT_CARDS,
    SUITS,
    card_name,
    card_of,
    card_set,
    cards_in,
    rank_of,
    seat_of,
    suit_of,
)
from chiamata.rules.errors import Bug, Illegal, Malformed
from tests.kit import FRENCH_RANKS


def test_every_card_has_a_name_of_its_own() -> None:
    names = [card_name(card) for card in range(40)]
    assert (names[0], names[10], names[29], names[39]) == ("AC", "AH", "2D", "2S")
    assert [card_of(name) for name in names] == list(range(40))
    assert [card_of(card_name(card, FRENCH_RANKS), FRENCH_RANKS) for card in range(40)] == list(range(40))
    assert card_name(11, FRENCH_RANKS) == "10H"
    assert [suit_of(card) * 10 + rank_of(card) for card in range(40)] == list(range(40))
    assert {rank_of(card) for card in range(40)} == set(range(10))


@pytest.mark.parametrize(
    "name", ["", "A", "H", "1H", "AX", "ah", " AH", "AH ", "10H", "8H", "AHH", None, 3, ["A", "H"]]
)
def test_what_is_no_card(name: object) -> None:
    with pytest.raises(Malformed) as caught:
        card_of(name)
    assert (caught.value.code, caught.value.value) == ("UNKNOWN_CARD", name)


def test_a_set_lists_its_cards_in_order() -> None:
    assert list(cards_in(card_set([39, 0, 17]))) == [0, 17, 39]
    assert card_set([]) == 0
    assert list(cards_in(ALL_CARDS)) == list(range(40))
    for suit in range(4):
        assert [suit_of(card) for card in cards_in(SUIT_CARDS[suit])] == [suit] * 10
    assert SUIT_CARDS[0] | SUIT_CARDS[1] | SUIT_CARDS[2] | SUIT_CARDS[3] == ALL_CARDS
    assert SUITS == ("C", "H", "D", "S")


def test_seats_have_letters() -> None:
    assert [seat_of(letter) for letter in "ABCDE"] == [0, 1, 2, 3, 4]
    for wrong in ("F", "a", "", "AB", 0, None):
        with pytest.raises(Malformed) as caught:
            seat_of(wrong)
        assert caught.value.code == "UNKNOWN_SEAT"


def test_the_three_errors() -> None:
    error = Malformed("CODE", "place", 3, "Write 4.")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.where, again.value, again.fix) == ("CODE", "place", 3, "Write 4.")
    assert str(again) == str(error) == "CODE at place: 3. Write 4."
    assert len(str(Malformed("CODE", "place", 10**9999, "Write 4."))) < 100
    assert Illegal("MUST_BID").code == str(Illegal("MUST_BID")) == "MUST_BID"
    assert isinstance(error, ValueError)
    assert issubclass(Bug, RuntimeError)
