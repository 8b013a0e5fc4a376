"""Which bids may follow which, the refusals at their edges, and what a bid asks of a hand."""

from __future__ import annotations

import pytest

from chiamata.rules import auction
from chiamata.rules.catalogue import load
from chiamata.rules.moves import Bid, bid_name, bid_of
from chiamata.rules.ruleset import RuleSet
from tests.kit import card_set_of, with_options


def changed(name: str, **options: object) -> RuleSet:
    dotted = {f"auction.{key}": value for key, value in options.items()}
    return RuleSet.from_mapping(with_options(load(name).to_mapping(), dotted))


def after(rules: RuleSet, standing: str) -> str:
    """The bids that may follow, in words; the run of plain numbers cut short."""
    in_points = rules.auction.kind == "points"
    stands = bid_of(0, standing, rules.ranks, in_points) if standing else None
    found = [bid_name(bid, rules.ranks) for bid in auction.ladder_of(rules).bids(1, stands)]
    return " ".join(found if len(found) < 14 else [*found[:12], "…", found[-1]])


@pytest.mark.parametrize(
    ("rules", "standing", "bids"),
    [
        (load("classic"), "", "A 3 K Q J 7 6 5 4 2"),
        (load("classic"), "6", "5 4 2"),
        (load("classic"), "2@118", "2@119 2@120"),
        (load("classic"), "2@120", ""),
        (load("trattoria"), "2", ""),
        (load("quick"), "2", " ".join(f"2@{rung}" for rung in range(65, 121, 5))),
        (load("quick"), "2@105", "2@110 2@115 2@120"),
        (load("fifteen"), "", "A 3 K Q J 7 6 5 4 2"),
        (load("fifteen"), "2", "2@62"),
        (load("fifteen"), "2@62", "2@63"),
        (load("fifteen"), "2@120", ""),
        (load("family"), "118", "119 120"),
        (load("family"), "120", ""),
        (load("straight-to-two"), "", "2"),
        (load("straight-to-two"), "2@119", "2@120"),
        (load("brisk"), "4", "2 2@62 2@63 2@64 2@65 2@66 2@67 2@68 2@69 2@70 2@71 2@72 … 2@120"),
        (changed("brisk", raise_mode="ladder", ladder=[65, 90, 120], first_raise=70), "4", "2 2@90 2@120"),
        (changed("brisk", raise_mode="exact_step", raise_step=4), "4", "2 2@62"),
        (changed("brisk", raise_mode="exact_step", raise_step=4), "2@62", "2@66"),
        (
            changed("brisk", raise_step=20),
            "2@62",
            "2@82 2@83 2@84 2@85 2@86 2@87 2@88 2@89 2@90 2@91 2@92 2@93 … 2@120",
        ),
        (changed("family", raise_step=30), "90", "120"),
        (changed("family", raise_mode="exact_step"), "", "61"),
        (changed("family", raise_mode="ladder", ladder=[61, 80, 120]), "", "61 80 120"),
        (changed("family", raise_mode="ladder", ladder=[61, 80, 120]), "61", "80 120"),
    ],
)
def test_what_may_follow(rules: RuleSet, standing: str, bids: str) -> None:
    assert after(rules, standing) == bids


@pytest.mark.parametrize(
    ("rules", "standing", "bid", "code"),
    [
        (load("classic"), "", "75", "WRONG_BID_TYPE"),
        (load("classic"), "", "2@62", "RAISE_BEFORE_LOWEST"),
        (load("classic"), "4", "2@62", "RAISE_BEFORE_LOWEST"),
        (load("classic"), "", "2@120", "RAISE_BEFORE_LOWEST"),
        (load("classic"), "", "2@121", "BID_ABOVE_MAX"),
        (load("classic"), "4", "3@62", "POINTS_ONLY_WITH_LOWEST"),
        (load("classic"), "4", "4", "BID_NOT_LOWER"),
        (load("classic"), "2@62", "2", "BID_NOT_HIGHER"),
        (load("classic"), "2@62", "4", "BID_NOT_LOWER"),
        (load("classic"), "2@62", "2@62", "BID_NOT_HIGHER"),
        (load("classic"), "2", "2@61", "BID_NOT_HIGHER"),
        (load("classic"), "2", "2@121", "BID_ABOVE_MAX"),
        (load("classic"), "2", "2@120", None),
        (load("quick"), "2@65", "2@69", "BID_OFF_LADDER"),
        (changed("classic", first_raise=70), "2", "2@69", "BID_BELOW_MIN"),
        (changed("classic", first_raise=70), "2", "2@70", None),
        (changed("classic", raise_step=5), "2@70", "2@74", "BID_STEP_NOT_ALLOWED"),
        (changed("classic", raise_step=5), "2@70", "2@75", None),
        (load("straight-to-two"), "", "4", "OPEN_LOWEST_ONLY"),
        (load("family"), "", "60", "BID_BELOW_MIN"),
        (load("family"), "", "121", "BID_ABOVE_MAX"),
        (load("family"), "", "2@65", "WRONG_BID_TYPE"),
        (load("family"), "62", "62", "BID_NOT_HIGHER"),
        (changed("family", raise_mode="exact_step"), "62", "120", "BID_STEP_NOT_ALLOWED"),
        (changed("family", raise_mode="exact_step"), "62", "61", "BID_NOT_HIGHER"),
        (changed("family", raise_step=3), "62", "64", "BID_STEP_NOT_ALLOWED"),
        (changed("family", raise_mode="ladder", ladder=[61, 80]), "61", "79", "BID_OFF_LADDER"),
    ],
)
def test_why_a_bid_is_refused(rules: RuleSet, standing: str, bid: str, code: str | None) -> None:
    in_points = rules.auction.kind == "points"
    stands = bid_of(0, standing, rules.ranks, in_points) if standing else None
    assert auction.why_not_bid(rules, stands, bid_of(1, bid, rules.ranks, in_points)) == code


def test_a_rank_that_no_pack_has() -> None:
    assert auction.why_not_bid(load("classic"), None, Bid(0, 10)) == "UNKNOWN_RANK"


def test_the_ladder_is_kept_beside_its_rule_set() -> None:
    rules = load("classic")
    assert auction.ladder_of(rules) is auction.ladder_of(rules)
    assert auction.ladder_of(rules).bids(2, None) is auction.ladder_of(rules).bids(2, None)
    assert {bid.seat for bid in auction.ladder_of(rules).bids(3, None)} == {3}
    assert auction.ladder_of(rules).cheapest(4) == Bid(4, 0)
    assert auction.ladder_of(load("family")).cheapest(4) == Bid(4, -1, 61)
    assert [auction.ladder_of(rules).target(bid) for bid in (Bid(0, 3), Bid(0, 9, 75))] == [61, 75]


def test_the_strength_of_a_suit() -> None:
    rules = load("brisk-tournament")
    hand = card_set_of("AS 3S KS QS JS 7S 2S AH")
    assert [auction.suit_strength(rules, hand, suit) for suit in range(4)] == [0, 11, 0, 32]


@pytest.mark.parametrize(
    ("bid", "need"),
    [
        ("2", 0),
        ("3", 0),
        ("2@62", 13),
        ("2@70", 13),
        ("2@71", 19),
        ("2@80", 23),
        ("2@89", 23),
        ("2@90", 25),
        ("2@120", 28),
    ],
)
def test_what_a_bid_asks(bid: str, need: int) -> None:
    rules = load("brisk-tournament")
    assert auction.ladder_of(rules).need(bid_of(0, bid, rules.ranks)) == need


def test_the_last_requirement_reached_counts_even_if_it_is_lower() -> None:
    rules = changed("brisk-tournament", bid_requirements=[[62, 20], [71, 10]])
    assert auction.ladder_of(rules).need(Bid(0, 9, 70)) == 20
    assert auction.ladder_of(rules).need(Bid(0, 9, 75)) == 10


def test_which_bids_a_hand_may_make() -> None:
    rules = load("brisk-tournament")
    strong = card_set_of("AS KS QS 6S 7H 4H 5D 2C")  # 19
    bids = auction.fit_for_hand(rules, auction.ladder_of(rules).bids(0, None), strong)
    assert bids[-1] == Bid(0, 9, 79)
    assert [auction.why_not_hand(rules, bid, strong) for bid in bids] == [None] * len(bids)
    assert auction.why_not_hand(rules, Bid(0, 9, 80), strong) == "BID_REQUIREMENT_NOT_MET"


def test_the_exception_is_for_who_holds_the_lowest_trump() -> None:
    rules = load("classic")
    hand = card_set_of("2S 4S 5S 2H AD 3D KD QD")
    cards = auction.callable_cards(rules, Bid(0, 9), hand)
    assert cards == card_set_of("2S 2H 2D 2C 6S 4H")
    assert auction.callable_cards(rules, Bid(0, 8), hand) == card_set_of("4S 4H 4D 4C")
    assert auction.why_not_call(rules, Bid(0, 9), hand, rules.card_of("7S")) == "CALL_EXCEPTION_NOT_AVAILABLE"
    assert auction.why_not_call(rules, Bid(0, 8), hand, rules.card_of("7S")) == "CALL_RANK_MISMATCH"


def test_a_ban_on_own_cards_that_would_leave_none_is_lifted() -> None:
    """The last player is given the cheapest bid and may hold all four aces."""
    rules = RuleSet.from_mapping(
        {
            "auction": {"last_bidder": "auto_min", "all_pass": "impossible"},
            "call": {"own_card": "forbidden"},
        }
    )
    hand = card_set_of("AS AH AD AC 2S 2H 2D 4C")
    assert auction.calls(rules, Bid(0, 0), hand) == card_set_of("AS AH AD AC")
    assert auction.calls(rules, Bid(0, 9), hand) == card_set_of("2C")
    assert auction.why_not_call(rules, Bid(0, 9), hand, rules.card_of("2S")) == "OWN_CARD_FORBIDDEN"
    assert auction.why_not_hand(rules, Bid(0, 0), hand) == "OWN_CARD_FORBIDDEN"
    assert Bid(0, 0) not in auction.fit_for_hand(rules, auction.ladder_of(rules).bids(0, None), hand)


def test_the_highest_missing_card_of_each_suit() -> None:
    rules = load("gingo")
    hand = card_set_of("AS 3S KS AH KH 3D 4D 2C")
    assert auction.calls(rules, Bid(0, -1, 80), hand) == card_set_of("QS 3H AD AC")


def test_the_bid_rank_or_a_higher_one() -> None:
    rules = load("trattoria")
    assert auction.calls(rules, Bid(0, 1), 0) == card_set_of("AC AH AD AS 3C 3H 3D 3S")
