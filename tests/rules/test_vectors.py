"""The acceptance cases of tests/vectors/vectors.json that are data: tricks, auctions, calls, scores, whole deals.

The cases written in words are in the test_vectors_*.py beside this file, the configurations in
test_ruleset.py; the last test here says that no case is left out.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from chiamata.rules.cards import SEAT_NAMES, SUITS, Seat, card_name, card_set, seat_of
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal
from chiamata.rules.moves import Call, Play, from_text
from chiamata.rules.public import trick_winner
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, score
from tests.kit import five, hands_with, moved, with_options

VECTORS = Path(__file__).parents[1] / "vectors"
CASES: list[dict[str, Any]] = json.loads((VECTORS / "vectors.json").read_text())["vectors"]


def cases(kind: str) -> pytest.MarkDecorator:
    """Run a test on every case of a kind, under the case's name."""
    mine = [case for case in CASES if case["type"] == kind]
    return pytest.mark.parametrize("case", mine, ids=[case["id"] for case in mine])


@cases("trick")
def test_trick(case: dict[str, Any]) -> None:
    rules = load(case["preset"])
    plays = [from_text(text, rules.ranks) for text in case["plays"]]
    cards = tuple(play.card for play in plays if isinstance(play, Play))
    assert trick_winner(rules, plays[0].seat, cards, SUITS.index(case["trump"])) == seat_of(case["winner"])
    assert sum(rules.points[card] for card in cards) == case["points"]


# A case without hands: E alone could make the high bids of brisk-tournament (A40).
STRONG_LAST = {"E": "AS 3S KS QS JS 7S 6S 5S"}


@cases("auction")
def test_auction(case: dict[str, Any]) -> None:
    rules = load(case["preset"])
    in_points = rules.auction.kind == "points"
    deal = Deal.start(rules, seat_of(case["dealer"]), hands_with(STRONG_LAST))
    for step in case["steps"]:
        move = from_text(f"{step['seat']}:{step['action']}", rules.ranks, in_points)
        assert (deal.why_not(move) or "OK") == step["expect"]
        assert (move in deal.legal(move.seat)) == (step["expect"] == "OK")
        if step["expect"] == "OK":
            deal = deal.apply(move)
        else:
            with pytest.raises(Illegal) as caught:
                deal.apply(move)
            assert caught.value.code == step["expect"]
    assert told(deal) == case["result"]


def told(deal: Deal) -> str:
    """How the auction stands, in the words of the cases."""
    public = deal.public
    if public.result is not None:
        return public.result.kind
    if public.phase == "auction":
        return f"open, {SEAT_NAMES[public.turn]} to act"
    assert public.standing is not None
    rank = "" if public.standing.rank < 0 else f"{public.rules.ranks[public.standing.rank]} target "
    return f"{SEAT_NAMES[public.caller]} wins {rank}{public.target}"


@cases("call")
def test_call(case: dict[str, Any]) -> None:
    rules = load(case["preset"])
    kind, *bid = case["winning_bid"]
    hands = hands_with({"A": " ".join(case["caller_hand"])})
    deal = Deal.start(rules, 0, hands)
    if kind == "rank" and bid[1] > 61:  # somebody must bid the two before it is raised
        deal = moved(deal, f"B:{bid[0]} C:pass D:pass E:pass A:{bid[0]}@{bid[1]} B:pass")
    else:
        deal = moved(deal, "B:pass C:pass D:pass E:pass")
        if deal.public.phase == "auction":
            deal = moved(deal, f"A:{bid[0]}")
    assert (deal.public.caller, deal.public.target, deal.public.phase) == (0, bid[-1], "call")
    for name, expect in case["calls"]:
        card = rules.card_of(name)
        assert (deal.why_not(Call(0, card)) or "OK") == expect.removesuffix("_SOLO")
        assert (Call(0, card) in deal.legal(0)) == expect.startswith("OK")
        if expect.startswith("OK"):
            called = deal.apply(Call(0, card)).public
            assert (called.called, called.trump, called.partner) == (card, card // 10, -1)
            assert hands[0] >> card & 1 == (expect == "OK_SOLO")


@cases("score")
def test_score(case: dict[str, Any]) -> None:
    rules = load(case["preset"])
    if case["override"]:
        rules = RuleSet.from_mapping(with_options(rules.to_mapping(), case["override"]))
    caller = seat_of(case["caller"])
    partner = caller if case["partner"] is None else seat_of(case["partner"])
    side = Side(caller, partner, case["target"], case["side_points"], case["side_tricks"])
    result = score(rules, side, case["multiplier"], dealer=4)
    outcome = "draw" if result.kind == "draw" else "win" if result.made else "loss"
    assert (outcome, list(result.payoff)) == (case["outcome"], case["vector"])
    assert (result.next_multiplier, result.next_dealer) == (2 if outcome == "draw" else 1, 0)


@pytest.mark.parametrize(
    ("case", "name"),
    [(case, name) for case in CASES if case["type"] == "playout" for name in case["expect"]],
    ids=[f"{case['id']}-{name}" for case in CASES if case["type"] == "playout" for name in case["expect"]],
)
def test_playout(case: dict[str, Any], name: str) -> None:
    rules = load(name)
    literal = case["literal"] if name == "fifteen" and "literal" in case else case
    caller = case["caller"]
    hands = five([card_set(rules.card_of(card) for card in hand) for hand in case["hands"]])
    bid = "61" if rules.auction.kind == "points" else case["called"][:-1]
    deal = moved(Deal.start(rules, seat_of(case["dealer"]), hands), f"{caller}:{bid}")
    while deal.public.phase == "auction":
        deal = moved(deal, f"{SEAT_NAMES[deal.public.turn]}:pass")
    deal = moved(deal, f"{caller}:call {case['called']}")
    for number, trick in enumerate(literal["tricks"]):
        for place, card in enumerate(trick["cards"]):
            deal = deal.apply(Play((trick["leader"] + place) % 5, rules.card_of(card)))
            assert (deal.public.partner >= 0) == (called_is_out(deal, case["called"]))
        done = deal.public.tricks[number]
        names = [card_name(card, rules.ranks) for card in done.cards]
        assert (done.leader, names, done.winner, done.points) == tuple(trick.values())
    check_end(deal, literal, case["partner"], case["expect"][name])


def called_is_out(deal: Deal, called: str) -> bool:
    return bool(deal.public.played >> deal.public.rules.card_of(called) & 1)


def check_end(deal: Deal, case: dict[str, Any], partner: str | None, payoff: list[int]) -> None:
    result = deal.public.result
    assert result is not None
    caller: Seat = deal.public.caller
    assert result.partner == (caller if partner is None else seat_of(partner))
    assert (result.points, result.tricks) == (case["caller_points"], case["caller_tricks"])
    assert list(deal.public.points) == case["seat_points"]
    assert list(result.payoff) == payoff


def test_every_case_has_its_test() -> None:
    data = {case["id"] for case in CASES if case["type"] in ("trick", "auction", "call", "score", "playout")}
    config = {case["id"] for case in json.loads((VECTORS / "config.json").read_text())}
    told = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("test_vectors_*.py")))
    words = {name.upper() for name in re.findall(r"^def test_([a-z]\d\d)_", told, re.MULTILINE)}
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids)) == 203
    assert set(ids) - data - config - words == set()
    assert words <= set(ids), "a test for a case that is not there"
