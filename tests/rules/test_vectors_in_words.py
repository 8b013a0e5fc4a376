"""The acceptance cases that vectors.json tells in words, each as a test under its name."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chiamata.rules.cards import SEAT_NAMES, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Play, Trump
from chiamata.rules.ruleset import RuleSet
from tests.kit import card_set_of, hands_with, moved, play_on, start_of, with_options, won_by

EVERY = pytest.mark.parametrize("name", names())
change = msgspec.structs.replace


def with_rules(name: str, **options: object) -> RuleSet:
    """A named rule set with some options changed, ``call__timing`` standing for ``call.timing``."""
    dotted = {key.replace("__", "."): value for key, value in options.items()}
    return RuleSet.from_mapping(with_options(load(name).to_mapping(), dotted))


def winner_and_points(deal: Deal) -> tuple[str, int]:
    last = deal.public.tricks[-1]
    return SEAT_NAMES[last.winner], last.points


# --- who leads ------------------------------------------------------------------------------------


def test_r01_forehand_leads_whoever_calls() -> None:
    deal = moved(won_by(start_of("classic", {}), "C"), "C:call 2S")
    for seat in "ABCDE":
        assert SEAT_NAMES[deal.public.turn] == seat
        deal = deal.apply(deal.legal(deal.public.turn)[0])


def test_r02_the_caller_leads() -> None:
    deal = moved(won_by(start_of("fifteen", {}), "C"), "C:call 2S")
    for seat in "CDEAB":
        assert SEAT_NAMES[deal.public.turn] == seat
        deal = deal.apply(deal.legal(deal.public.turn)[0])


def test_r03_everything_goes_on_from_the_dealer() -> None:
    deal = start_of("quick", {}, dealer="B")
    assert deal.public.turn == 2
    deal = moved(won_by(deal, "A"), "A:call 2S")
    assert (deal.public.leader, deal.public.turn) == (2, 2)
    result = play_on(deal, 8).public.result
    assert result is not None
    assert result.next_dealer == 2


def test_r04_the_caller_leads_after_an_auction_in_points() -> None:
    deal = won_by(start_of("caller-leads", {}), "D")
    call = deal.legal(3)[0]
    assert deal.apply(call).public.turn == 3


def test_r05_elena_deals_and_anna_begins() -> None:
    deal = start_of("family", {})
    assert deal.public.turn == 0
    assert moved(won_by(deal, "C", "61"), "C:call AS").public.turn == 0


# --- blind first tricks ---------------------------------------------------------------------------

FIVE = {"A": "AH", "B": "3H", "C": "2S", "D": "KH", "E": "4D"}


def test_b01_a_first_trick_without_trumps() -> None:
    deal = won_by(start_of("family-blind", FIVE), "A", "61")
    assert (deal.public.phase, deal.public.trump) == ("play", -1)
    deal = moved(deal, "A:AH B:3H C:2S D:KH E:4D")
    assert winner_and_points(deal) == ("A", 25)
    assert (deal.public.phase, deal.public.turn) == ("call", 0)
    deal = moved(deal, "A:call AS")
    assert (deal.public.phase, deal.public.turn, deal.public.leader) == ("play", 0, 0)


def test_b02_the_suit_is_named_over_five_cards() -> None:
    deal = moved(won_by(start_of("first-trick-blind", FIVE), "A", "7"), "A:AH B:3H C:2S D:KH E:4D")
    assert (deal.public.phase, deal.public.turn, deal.public.tricks) == ("call", 0, ())
    deal = moved(deal, "A:call 7S")
    assert (deal.public.called, deal.public.trump) == (deal.public.rules.card_of("7S"), 3)
    assert winner_and_points(deal) == ("C", 25)
    assert deal.public.turn == 2


def b03() -> Deal:
    return moved(won_by(start_of("first-trick-blind", FIVE), "A", "2"), "A:AH B:3H C:2S D:KH E:4D")


def test_b03_a_card_of_the_called_rank_lies_face_down() -> None:
    deal = b03()
    assert deal.public.trick[2] == -1 - deal.public.rules.ranks.index("2")
    assert not deal.public.played >> deal.public.rules.card_of("2S") & 1
    deal = moved(deal, "A:call 2S")
    assert deal.public.partner == 2
    assert winner_and_points(deal) == ("C", 25)
    assert deal.public.tricks[0].cards[2] == deal.public.rules.card_of("2S")


def test_b04_another_suit_makes_it_a_mere_two() -> None:
    deal = moved(b03(), "A:call 2D")
    assert deal.public.partner == -1
    assert winner_and_points(deal) == ("E", 25)


def test_b05_nobody_but_the_caller_goes_on() -> None:
    deal = b03()
    assert deal.why_not(Play(2, deal.public.rules.card_of("2C"))) == "WRONG_PHASE"
    assert deal.why_not(Call(1, deal.public.rules.card_of("2H"))) == "NOT_CALLER"


def test_b06_no_card_before_the_call() -> None:
    deal = won_by(start_of("classic", FIVE), "C")
    assert deal.why_not(Play(0, deal.public.rules.card_of("AH"))) == "WRONG_PHASE"


def test_b07_the_called_card_may_be_on_the_table_already() -> None:
    rules = with_rules("family-cards", call__timing="after_first_trick")
    deal = Deal.start(rules, 4, hands_with({"A": "2S", "B": "2H", "C": "2D", "D": "2C", "E": "7H"}))
    deal = moved(won_by(deal, "A", "2"), "A:2S B:2H C:2D D:2C E:7H")
    assert winner_and_points(deal) == ("A", 0)
    assert deal.public.partner == -1
    assert moved(deal, "A:call 2H").public.partner == 1


# --- following suit -------------------------------------------------------------------------------


# A draws with the high spades, the trumps, and leads 3H when told; B throws clubs as long as it has others to keep.
LEADER = "AS 3S KS QS JS 7S 6S 3H"


def heart_led(rules: RuleSet, trick: int, second: str, keep: str) -> Deal:
    """The deal when A has led 3H in this trick; B was dealt these cards and keeps some of them so far."""
    deal = Deal.start(rules, 4, hands_with({"A": LEADER, "B": second, "C": "2S"}))
    deal = moved(won_by(deal, "A"), "A:call 2S")
    return moved(play_on(deal, trick - 1, f"3H {keep}"), "A:3H")


def of_b(cards: str) -> tuple[Play, ...]:
    return tuple(Play(1, card) for card in cards_in(card_set_of(cards)))


def test_f01_no_duty_before_the_last_three() -> None:
    deal = heart_led(load("trattoria-follow"), 5, "4H 5S AC 3C KC QC JC 7C", "4H 5S")
    assert of_b("5S")[0] in deal.legal(1)
    assert len(deal.legal(1)) == 4


def test_f02_duty_in_the_last_three() -> None:
    deal = heart_led(load("trattoria-follow"), 6, "4H 5S AC 3C KC QC JC 7C", "4H 5S")
    assert deal.why_not(of_b("5S")[0]) == "MUST_FOLLOW_SUIT"
    assert deal.legal(1) == of_b("4H")


def test_f03_no_duty_to_trump() -> None:
    deal = heart_led(load("trattoria-follow"), 6, "2C 5S AC 3C KC QC JC 7C", "2C 5S 7C")
    assert deal.legal(1) == of_b("2C 5S 7C")


def test_f04_no_duty_to_overtake() -> None:
    rules = with_rules("trattoria", play__follow_suit="always")
    deal = Deal.start(rules, 4, hands_with({"A": "3H", "B": "AH 4H 7S 6S 5S AC 3C KC"}))
    deal = moved(won_by(deal, "A"), "A:call 2C", "A:3H")
    assert deal.legal(1) == of_b("AH 4H")


def test_f05_no_duty_at_all() -> None:
    """In the eighth trick nobody has a choice; the last one in which the case can be tried is the seventh."""
    deal = heart_led(load("classic"), 7, "4H 2C AC 3C KC QC JC 7C", "4H 2C")
    assert deal.legal(1) == of_b("4H 2C")
    last = heart_led(load("classic"), 8, "4H 2C AC 3C KC QC JC 7C", "2C")
    assert last.legal(1) == of_b("2C")


# --- the trump changes ----------------------------------------------------------------------------

BASTARDA = {
    "A": "AS KS QS JS 7S 6S 5S 4S",
    "B": "3S AH 3H KH QH JH 7H 6H",
    "C": "2S AD 3D KD QD JD 7D 6D",
    "D": "5H 4H 2H 5D 4D 2D 5C 4C",
    "E": "AC 3C KC QC JC 7C 6C 2C",
}


def to_reveal() -> Deal:
    """A calls 3S; two tricks without it; in the third B plays it on A's king."""
    deal = moved(won_by(start_of("bastarda", BASTARDA), "A"), "A:call 3S")
    deal = moved(deal, "A:4S B:6H C:6D D:2H E:2C", "A:5S B:7H C:7D D:4H E:6C")
    assert deal.public.partner == -1
    return moved(deal, "A:KS B:3S C:JD D:5H E:7C")


def test_x01_the_partner_names_a_new_trump() -> None:
    deal = to_reveal()
    assert winner_and_points(deal) == ("B", 16)
    assert (deal.public.phase, deal.public.turn, deal.public.partner) == ("trump", 1, 1)
    assert deal.why_not(Trump(0, 1)) == "NOT_YOUR_TURN"
    deal = moved(deal, "B:trump H")
    assert (deal.public.phase, deal.public.turn, deal.public.trump) == ("play", 1, 1)
    deal = moved(deal, "B:JH C:QD D:2D E:AC A:AS")
    assert winner_and_points(deal) == ("B", 2 + 3 + 11 + 11)


def test_x02_nothing_is_named_after_the_last_trick() -> None:
    deal = moved(won_by(start_of("bastarda", BASTARDA), "A"), "A:call 3S")
    deal = play_on(deal, 8, "3S")
    assert deal.public.rules.card_of("3S") in deal.public.tricks[7].cards
    assert deal.public.phase == "done"
    assert not any(isinstance(word, Trump) for word in deal.public.words)


def test_x03_a_solo_caller_names_it_himself() -> None:
    deal = moved(won_by(start_of("bastarda", BASTARDA), "A"), "A:call JS", "A:4S B:6H C:6D D:2H E:2C")
    deal = moved(deal, "A:JS B:7H C:7D D:4H E:6C")
    assert (deal.public.phase, deal.public.turn, deal.public.partner) == ("trump", 0, 0)


def test_x04_the_old_trump_may_stay() -> None:
    deal = to_reveal()
    after = moved(deal, "B:trump S")
    assert after.public == change(deal.public, words=after.public.words, phase="play", turn=1)


# --- what a bid asks of a hand --------------------------------------------------------------------


def test_q01_thirteen_for_a_bid_of_62() -> None:
    deal = start_of("brisk-tournament", {"A": "AS JS 7H 6H 5D 4D 7C 6C"})
    assert deal.why_not(Bid(0, 9, 62)) is None


def test_q02_twelve_is_not_enough() -> None:
    deal = start_of("brisk-tournament", {"A": "AS 7S 7H 6H 5D 4D 7C 6C"})
    assert deal.why_not(Bid(0, 9, 62)) == "BID_REQUIREMENT_NOT_MET"


def test_q03_the_steps() -> None:
    deal = start_of("brisk-tournament", {"A": "AS KS QS 6S 7H 4H 5D 2C"})
    assert deal.why_not(Bid(0, 9, 71)) is None
    assert deal.why_not(Bid(0, 9, 79)) is None
    assert deal.why_not(Bid(0, 9, 80)) == "BID_REQUIREMENT_NOT_MET"


def test_q04_the_suit_called_must_be_strong_too() -> None:
    deal = start_of("brisk-tournament", {"A": "AS KS QS 6S 7H 4H 5D 2C"}, dealer="A")
    deal = moved(deal, "B:pass C:pass D:pass E:pass A:2@71")
    assert deal.why_not(Call(0, deal.public.rules.card_of("2S"))) is None
    assert deal.why_not(Call(0, deal.public.rules.card_of("2H"))) == "BID_REQUIREMENT_NOT_MET"


def test_q05_a_bid_that_would_leave_no_call() -> None:
    options: dict[str, Any] = {"auction__kind": "rank", "call__allowed": "bid_rank", "call__own_card": "forbidden"}
    rules = with_rules("caller-leads", **options)
    deal = Deal.start(rules, 4, hands_with({"A": "7S 7H 7D 7C"}))
    seven = Bid(0, rules.ranks.index("7"))
    assert deal.why_not(seven) is not None
    assert seven not in deal.legal(0)
    assert Bid(0, rules.ranks.index("6")) in deal.legal(0)
