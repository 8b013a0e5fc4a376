"""The acceptance cases told in words that hold for every rule set: what is seen, who may play what."""

from __future__ import annotations

import pytest

from chiamata.rules.cards import SEAT_NAMES, SEATS, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Pass, Play
from chiamata.rules.public import Public
from tests.kit import card_set_of, five, hands_with, moved, play_on, start_of, won_by

EVERY = pytest.mark.parametrize("name", names())


# --- what is seen ---------------------------------------------------------------------------------

# The called card of each rule set: the two of spades, or the ace where only the highest missing card may be called.
MISSING = {name for name in names() if load(name).call.allowed == "highest_missing"}
CALLED = {name: "AS" if name in MISSING else "2S" for name in names()}


def called(name: str, holder: str) -> Deal:
    """A has called, and this seat holds the card; where the call comes late a trick is played first."""
    rules = load(name)
    others = {"A": "3S 4C AH", "D": "4H 4D AC"} | ({"B": "3C"} if name in MISSING else {})
    card, swapped = rules.card_of(CALLED[name]), rules.card_of("4H" if holder == "D" else "4C")
    held = list(hands_with(others, rules.ranks))
    seat = SEAT_NAMES.index(holder)
    where = next(seat for seat in SEATS if held[seat] >> card & 1)
    if where != seat:
        held[where] ^= 1 << card | 1 << swapped
        held[seat] ^= 1 << card | 1 << swapped
    deal = won_by(Deal.start(rules, 4, five(held)), "A")
    while deal.public.phase == "play":
        turn = deal.public.turn
        keep = card_set_of("2S AS 4H 4C", rules.ranks)
        deal = deal.apply(Play(turn, next(cards_in(deal.dealt[turn] & ~keep))))
    return moved(deal, f"A:call {CALLED[name]}")


@EVERY
def test_w01_a_call_looks_the_same_whoever_holds_the_card(name: str) -> None:
    if load(name).call.own_card == "forbidden" or load(name).call.allowed == "highest_missing":
        deal = called(name, "D")
        assert deal.public.partner == -1
        return
    partner, solo = called(name, "D"), called(name, "A")
    assert partner.public == solo.public
    assert partner.public.partner == -1
    for seat in (-1, 1, 2, 4):
        assert partner.view(seat).public.words == solo.view(seat).public.words
        assert partner.view(seat).public == solo.view(seat).public


@EVERY
@pytest.mark.parametrize("holder", ["D", "A"])
def test_w02_the_card_on_the_table_shows_the_partner(name: str, holder: str) -> None:
    rules = load(name)
    if holder == "A" and (rules.call.own_card == "forbidden" or rules.call.allowed == "highest_missing"):
        assert Call(0, rules.card_of(CALLED[name])) not in called(name, "D").legal(0)
        return
    deal = called(name, holder)
    card = rules.card_of(CALLED[name])
    seat = SEAT_NAMES.index(holder)
    while deal.public.partner < 0:
        turn = deal.public.turn
        assert not deal.public.played >> card & 1
        play = Play(turn, card) if turn == seat else deal.legal(turn)[0]
        deal = deal.apply(play)
    assert deal.public.played >> card & 1
    assert [deal.view(viewer).public.partner for viewer in (-1, *SEATS)] == [seat] * 6


def test_w03_no_suit_before_the_call() -> None:
    deal = won_by(start_of("classic", {}), "C", "K")
    for viewer in (-1, *SEATS):
        public = deal.view(viewer).public
        assert (public.trump, public.called) == (-1, -1)
        assert all(isinstance(word, Bid | Pass) for word in public.words)
    assert "suit" not in Bid.__struct_fields__


def test_w04_a_covered_card_shows_its_rank() -> None:
    held = {"A": "AH", "B": "3H", "C": "2S", "D": "KH", "E": "4D"}
    deal = moved(won_by(start_of("buio", held), "A", "2"), "A:AH B:3H C:2S")
    for viewer in (-1, 0, 1, 3, 4):
        view = deal.view(viewer)
        assert view.public.trick[2] == -1 - view.public.rules.ranks.index("2")
        assert view.covered == -1
    mine = deal.view(2)
    assert mine.covered == mine.public.rules.card_of("2S")
    assert not mine.hand >> mine.covered & 1
    after = moved(deal, "D:KH E:4D A:call 2H")
    assert after.view(-1).public.tricks[0].cards[2] == mine.covered


@EVERY
def test_w05_everything_is_open_at_the_end(name: str) -> None:
    deal = play_on(called(name, "D"), 8)
    public: Public = deal.view(-1).public
    shown = [0] * 5
    for trick in public.tricks:
        for place, card in enumerate(trick.cards):
            shown[(trick.leader + place) % 5] |= 1 << card
    assert tuple(shown) == deal.dealt
    assert public.result is not None
    assert public.result.partner == public.partner == 3


# --- playing --------------------------------------------------------------------------------------


@EVERY
def test_y01_a_card_of_somebody_else(name: str) -> None:
    deal = called(name, "D")
    turn = deal.public.turn
    for card in range(40):
        if not deal.dealt[turn] >> card & 1:
            assert deal.why_not(Play(turn, card)) == "CARD_NOT_IN_HAND"
    gone = play_on(deal, 2)
    turn = gone.public.turn
    for card in cards_in(gone.public.played & gone.dealt[turn]):
        assert gone.why_not(Play(turn, card)) == "CARD_NOT_IN_HAND"


@EVERY
def test_y02_out_of_turn(name: str) -> None:
    deal = called(name, "D")
    for seat in SEATS:
        card = next(cards_in(deal.dealt[seat] & ~deal.public.played))
        expected = None if seat == deal.public.turn else "NOT_YOUR_TURN"
        assert deal.why_not(Play(seat, card)) == expected


@EVERY
def test_y03_only_the_caller_calls(name: str) -> None:
    rules = load(name)
    deal = won_by(Deal.start(rules, 4, hands_with({}, rules.ranks)), "A")
    while deal.public.phase == "play":
        deal = deal.apply(deal.legal(deal.public.turn)[0])
    assert deal.why_not(Call(1, rules.card_of(CALLED[name]))) == "NOT_CALLER"


def test_y04_the_winner_leads() -> None:
    deal = start_of("classic", {"A": "AH", "B": "2S", "C": "3H", "D": "7S", "E": "4C"})
    deal = moved(won_by(deal, "A"), "A:call 2S", "A:AH B:2S C:3H D:7S E:4C")
    for seat in "DEABC":
        assert SEAT_NAMES[deal.public.turn] == seat
        deal = deal.apply(deal.legal(deal.public.turn)[0])
