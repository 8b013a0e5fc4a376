"""The public state on its own: who speaks, what opens, what is thrown in; the corners that whole deals seldom reach."""

from __future__ import annotations

import random

import msgspec
import pytest

from chiamata.rules.cards import SEATS
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Claim, Pass, Play, Trump
from chiamata.rules.public import Public, advance, cards_left, hides, legal, start, why_not
from chiamata.rules.ruleset import RuleSet
from tests.kit import card_set_of, hands_with, moved, play_on, random_hands, run, start_of, with_options, won_by


def changed(name: str, **options: object) -> RuleSet:
    """``call__timing`` stands for ``call.timing``."""
    dotted = {key.replace("__", "."): value for key, value in options.items()}
    return RuleSet.from_mapping(with_options(load(name).to_mapping(), dotted))


def deal_of(rules: RuleSet, held: dict[str, str] | None = None, dealer: int = 4) -> Deal:
    return Deal.start(rules, dealer, hands_with(held or {}, rules.ranks))


def test_who_opens() -> None:
    assert [start(load("classic"), dealer).turn for dealer in SEATS] == [1, 2, 3, 4, 0]
    assert [start(changed("classic", auction__opener="dealer"), dealer).turn for dealer in SEATS] == [0, 1, 2, 3, 4]


def test_who_leads() -> None:
    for leader, seat in (("forehand", 0), ("caller", 2), ("dealer", 4)):
        deal = won_by(deal_of(changed("classic", play__first_leader=leader)), "C")
        assert deal.public.leader == seat
        assert moved(deal, "C:call 2S").public.turn == seat


def test_how_many_cards_each_seat_still_holds() -> None:
    deal = moved(won_by(start_of("classic", {}), "A"), "A:call 2S")
    for _, after in run(deal, random.Random(2)):
        for seat in SEATS:
            assert cards_left(after.public, seat) == after.view(seat).hand.bit_count()
    assert cards_left(start(load("classic"), 0), 3) == 8


def test_passing_that_is_not_final() -> None:
    rules = changed("classic", auction__pass_is_final=False)
    deal = moved(deal_of(rules), "A:pass B:A")
    assert deal.public.passed == 0
    deal = moved(deal, "C:pass D:pass E:pass")
    assert deal.public.turn == 0
    deal = moved(deal, "A:3")
    assert (deal.public.turn, deal.public.passed) == (1, 0)
    deal = moved(deal, "B:pass C:pass D:pass")
    assert deal.why_not(Pass(1)) == "ALREADY_PASSED"
    assert moved(deal, "E:pass").public.caller == 0


def test_all_may_pass_even_where_a_pass_is_not_final() -> None:
    result = moved(
        deal_of(changed("classic", auction__pass_is_final=False)), "A:pass B:pass C:pass D:pass E:pass"
    ).public.result
    assert result is not None
    assert result.kind == "all_pass"


def test_the_last_player_is_given_the_cheapest_bid() -> None:
    deal = moved(deal_of(load("caller-leads")), "A:pass B:pass C:pass D:pass")
    assert (deal.public.phase, deal.public.caller, deal.public.target) == ("call", 4, 61)
    assert deal.public.standing == Bid(4, -1, 61)


def test_a_forced_player_who_has_no_bid_may_pass() -> None:
    """Rule sets in which this can happen are refused; the auction would still end."""
    rules = msgspec.structs.replace(
        load("quick"), auction=msgspec.structs.replace(load("quick").auction, lone_bidder_min=120)
    )
    deal = moved(deal_of(rules), "A:pass B:pass C:pass D:pass")
    assert deal.legal(4) == (Pass(4),)
    assert moved(deal, "E:pass").public.result is not None


def test_the_lone_player_needs_the_target() -> None:
    rules = changed("brisk", auction__lone_bidder_min=61)
    deal = moved(deal_of(rules), "A:pass B:pass C:pass D:pass")
    assert deal.why_not(Bid(4, 0)) is None
    high = moved(deal_of(changed("brisk", auction__lone_bidder_min=62)), "A:pass B:pass C:pass D:pass")
    assert high.why_not(Bid(4, 0)) == "BID_BELOW_LONE_MIN"
    assert high.why_not(Bid(4, 9, 62)) is None
    assert high.legal(4)[:2] == (Pass(4), Bid(4, 9, 62))


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Play(0, 0), "WRONG_PHASE"),
        (Call(0, 0), "WRONG_PHASE"),
        (Trump(0, 0), "WRONG_PHASE"),
        (Bid(1, 0), "NOT_YOUR_TURN"),
        (Pass(1), "NOT_YOUR_TURN"),
        (Claim(1), "HAND_CLAIM_NOT_IN_RULESET"),
    ],
)
def test_refusals_in_the_auction(move: Play, code: str) -> None:
    assert deal_of(load("classic")).why_not(move) == code


def test_refusals_when_all_is_done() -> None:
    deal = play_on(moved(won_by(start_of("scighera", {}), "A"), "A:call 2S"), 8)
    codes = [deal.why_not(move) for move in (Pass(0), Bid(0, 0), Play(0, 0), Call(0, 0), Trump(0, 0), Claim(0))]
    assert codes == ["AUCTION_OVER", "AUCTION_OVER", *["WRONG_PHASE"] * 3, "HAND_CLAIM_TOO_LATE"]
    assert [deal.legal(seat) for seat in SEATS] == [()] * 5
    assert legal(deal.public, -1, 0) == ()


# --- claims ---------------------------------------------------------------------------------------

WORTHLESS = "7S 6S 5H 4H 2D 4C 2C 6C"


def claims(**options: object) -> RuleSet:
    return changed("classic", hand_claim={"max_points": 2, **options})


def test_a_round_of_claims_before_the_auction() -> None:
    deal = deal_of(claims(when="before_auction"), {"B": WORTHLESS}, dealer=1)
    assert (deal.public.phase, deal.public.turn) == ("claim", 2)
    assert deal.why_not(Bid(2, 0)) == "WRONG_PHASE"
    assert deal.why_not(Pass(3)) == "NOT_YOUR_TURN"
    assert deal.why_not(Claim(1)) == "NOT_YOUR_TURN"
    deal = moved(deal, "C:pass D:pass E:pass A:pass")
    assert deal.legal(1) == (Pass(1), Claim(1))
    after = moved(deal, "B:pass")
    assert (after.public.phase, after.public.turn, after.public.passed) == ("auction", 2, 0)
    assert after.why_not(Claim(1)) == "HAND_CLAIM_TOO_LATE"


def test_a_claim_shows_the_hand() -> None:
    deal = moved(deal_of(claims(when="before_auction"), {"A": WORTHLESS}), "A:claim")
    assert deal.public.words == (Claim(0, card_set_of(WORTHLESS)),)


@pytest.mark.parametrize("when", ["before_auction", "own_turn", "auction_any_time"])
def test_a_claim_that_must_be_made(when: str) -> None:
    deal = deal_of(claims(when=when, mandatory=True), {"A": WORTHLESS, "C": "AS"})
    assert deal.legal(0) == (Claim(0),)
    assert deal.why_not(Pass(0)) == "MUST_CLAIM"
    if when != "before_auction":
        assert deal.why_not(Bid(0, 0)) == "MUST_CLAIM"
        assert deal.why_not(Bid(0, 9, 62)) == "RAISE_BEFORE_LOWEST"


def test_who_need_not_claim_goes_on() -> None:
    rules = claims(when="before_auction", mandatory=True)
    deal = deal_of(
        rules, {seat: f"A{suit}" for seat, suit in zip("ABCDE", "SHDCC", strict=False) if seat != "E"} | {"E": "3S"}
    )
    assert deal.legal(0) == (Pass(0),)
    assert moved(deal, "A:pass B:pass C:pass D:pass E:pass").public.phase == "auction"


def test_the_claim_s_dealer_and_factor() -> None:
    for same, dealer in ((True, 4), (False, 0)):
        result = moved(deal_of(claims(same_dealer=same, multiplier=3), {"A": WORTHLESS}), "A:claim").public.result
        assert result is not None
        assert (result.next_dealer, result.next_multiplier, result.multiplier) == (dealer, 3, 1)


def test_hands_at_the_edge_of_a_claim() -> None:
    rules = claims(max_points=2, four_lowest=True)
    assert deal_of(rules, {"A": "JS 7S 6S 5H 4H 2D 4C 2C"}).why_not(Claim(0)) is None
    assert deal_of(rules, {"A": "QS 7S 6S 5H 4H 2D 4C 2C"}).why_not(Claim(0)) == "HAND_CLAIM_NOT_ALLOWED"
    assert deal_of(rules, {"A": "AS AD 3S 3D 2S 2H 2D 2C"}).why_not(Claim(0)) is None
    assert deal_of(rules, {"A": "AS AD 3S 3D 4S 2H 2D 2C"}).why_not(Claim(0)) == "HAND_CLAIM_NOT_ALLOWED"


# --- late calls -----------------------------------------------------------------------------------


def test_what_lies_covered() -> None:
    rules = load("buio")
    public = won_by(deal_of(rules), "A", "7").public
    assert [hides(public, rules.card_of(name)) for name in ("7S", "7C", "6S", "AS")] == [True, True, False, False]
    open_faced = won_by(deal_of(changed("buio", call__cover_called_rank=False)), "A", "7").public
    assert not hides(open_faced, rules.card_of("7S"))
    blind = won_by(deal_of(changed("buio", call__timing="after_first_trick")), "A", "7").public
    assert not hides(blind, rules.card_of("7S"))


def test_a_covered_lead_binds_nobody() -> None:
    rules = changed("buio", play__follow_suit="always")
    held = {"A": "7S", "B": "AS 3H"}
    deal = won_by(deal_of(rules, held), "C", "7")
    covered = moved(deal, "A:7S")
    assert len(covered.legal(1)) == 8
    shown = moved(deal, f"A:{rules.card_name(next(iter(deal.legal(0))).card)}")  # type: ignore[union-attr]
    assert shown.public.trick[0] >= 0


def test_a_card_called_late_may_lie_in_the_first_trick_and_change_the_trump() -> None:
    rules = changed("bastarda", call__timing="after_first_trick")
    deal = deal_of(rules, {"A": "2S", "B": "2H", "C": "2D", "D": "2C", "E": "7H"})
    deal = moved(won_by(deal, "A", "2"), "A:2S B:2H C:2D D:2C E:7H A:call 2D")
    assert (deal.public.phase, deal.public.turn, deal.public.partner) == ("trump", 2, 2)
    assert moved(deal, "C:trump H").public.turn == 0
    later = moved(won_by(deal_of(rules, {"A": "2S", "B": "4S"}), "A", "2"), "A:2S B:4S")
    while later.public.phase == "play":
        later = later.apply(later.legal(later.public.turn)[-1])
    later = moved(later, "A:call AC") if later.public.played >> 0 & 1 == 0 else later
    assert (later.public.phase, later.public.partner) == ("play", -1)


def test_advance_needs_no_hand() -> None:
    """The published words alone rebuild the public state."""
    for name in ("classic", "buio", "bastarda", "scighera", "family-blind"):
        rng = random.Random(name)
        deal = Deal.start(load(name), 2, random_hands(rng))
        public: Public = deal.public
        for _, after in run(deal, rng):
            public = advance(public, after.public.words[-1])
            assert public == after.public


def test_why_not_asks_the_seat_it_is_told() -> None:
    public = start(load("classic"), 4)
    hand = hands_with({})[0]
    assert why_not(public, 0, hand, Pass(0)) is None
    assert why_not(public, 1, hand, Pass(1)) == "NOT_YOUR_TURN"
