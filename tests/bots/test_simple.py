"""The rule-of-thumb level: its bids pay, its contracts are made about half of the time."""

from __future__ import annotations

import random

import pytest

from chiamata.bots.bidding import expected, likelihood, others_contract, passing, redeal, stakes
from chiamata.bots.chance import Chance
from chiamata.bots.hand import FEATURES, expected_points
from chiamata.bots.pack import pack_of
from chiamata.bots.roster import make
from chiamata.bots.simple import Simple
from chiamata.bots.weights import SOLO, WITH_PARTNER
from chiamata.rules.cards import SEATS
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass
from chiamata.rules.scoring import Result
from tests.kit import card_set_of, moved, random_hands, start_of, won_by


def played(name: str, seed: int, levels: tuple[str, ...] = ("simple",) * 5) -> Result:
    """The result of a seeded deal."""
    deal = Deal.start(load(name), seed % 5, random_hands(random.Random(seed)))
    bots = [Simple() if level == "simple" else make(level) for level in levels]
    dice = [random.Random(f"{seed} {seat}") for seat in SEATS]
    while deal.public.phase != "done":
        seat = deal.public.turn
        deal = deal.apply(bots[seat].choose(deal.view(seat), dice[seat]))
    assert deal.public.result is not None
    return deal.public.result


def says(deal: Deal) -> Move:
    """What the seat whose turn it is answers."""
    return Simple().choose(deal.view(deal.public.turn), random.Random(0))


def test_contracts_are_made_about_half_of_the_time() -> None:
    """The full measure is in benchmarks/results.md; a bidder that always or never dares falls outside."""
    results = [played("classic", seed) for seed in range(300)]
    scored = [result for result in results if result.kind == "scored"]
    assert len(scored) >= 0.85 * len(results)
    assert 0.40 <= sum(result.made for result in scored) / len(scored) <= 0.70


def test_it_beats_chance() -> None:
    """One simple bot among four random ones, in each seat of the same deals."""
    total = 0
    for seed in range(40):
        for seat in SEATS:
            levels = tuple("simple" if other == seat else "random" for other in SEATS)
            total += played("classic", seed, levels).payoff[seat]
    assert total > 100  # half a point a deal; the benchmark tells how much it is


def test_lapses_are_moves_of_chance_as_often_as_asked() -> None:
    """All of them, none, and of the level's moves some that the rules of thumb would not have made."""
    deal, other = Deal.start(load("classic"), 0, random_hands(random.Random(5))), 0
    while deal.public.phase != "done":
        view, dice = deal.view(deal.public.turn), random.Random(len(deal.public.words))
        thought = Simple().choose(view, random.Random(1))
        after = random.Random(1)
        after.random()
        if len(view.legal()) > 1:
            assert Simple(lapses=1.0).choose(view, random.Random(1)) == Chance().choose(view, after)
        other += make("simple").choose(view, dice) != Simple().choose(view, random.Random(len(deal.public.words)))
        deal = deal.apply(thought)
    assert 3 <= other <= 25


# --- auction --------------------------------------------------------------------------------------


STRONG = "AS 3S KS QS AH 3H 7D 6C"
POOR = "7C 6C 5C 7D 6D 5H 4H 2H"


def test_bids_on_a_strong_hand_and_passes_on_a_poor_one() -> None:
    assert isinstance(says(start_of("classic", {"A": STRONG})), Bid)
    raised = moved(start_of("classic", {"C": POOR}), "A:2 B:2@70")
    assert isinstance(says(raised), Pass)


def test_opens_with_the_cheapest_bid_that_will_do() -> None:
    bid = says(start_of("classic", {"A": "KS QS JS 7S 3H 3D 6C 5C"}))
    assert isinstance(bid, Bid)
    assert load("classic").ranks[bid.rank] == "A"


def test_a_forced_bidder_bids() -> None:
    deal = moved(start_of("quick", {"E": POOR}), "A:pass B:pass C:pass D:pass")
    assert isinstance(says(deal), Bid)


def test_raises_one_step_at_a_time_where_it_must() -> None:
    deal = moved(start_of("fifteen", {"B": STRONG}), "A:2")
    bid = says(deal)
    assert isinstance(bid, Bid)
    assert bid.points == 62


def test_dares_more_where_a_failure_costs_nothing() -> None:
    """Under family scoring nobody loses points, so the same hand is worth a higher target."""
    assert highest("family") > highest("trattoria-points") + 3


def highest(name: str) -> int:
    """Up to which target a fair hand overbids its neighbour."""
    hand = {"B": "AS KS QS 7S AH 7D 6C 5C"}
    return next(
        points for points in range(61, 120) if isinstance(says(moved(start_of(name, hand), f"A:{points}")), Pass)
    )


@pytest.mark.parametrize("name", ["brisk", "scighera", "buio", "straight-to-two"])
def test_throws_in_a_poor_hand_and_no_good_one(name: str) -> None:
    worthless = start_of(name, {"A": POOR})
    assert isinstance(says(worthless), Claim)
    good = start_of(name, {"A": STRONG})
    assert not isinstance(says(good), Claim)


# --- calls ----------------------------------------------------------------------------------------


def called(name: str, hand: str, bid: str = "") -> str:
    """The card that the winner of the auction calls."""
    deal = won_by(start_of(name, {"A": hand}), "A", bid)
    call = says(deal)
    assert isinstance(call, Call)
    return load(name).card_name(call.card)


@pytest.mark.parametrize(
    ("name", "hand", "bid", "card"),
    [
        ("classic", "3S KS QS JS 7H 6H 5D 2C", "A", "AS"),
        ("classic", "AS KS QS JS 7H 6H 5D 4C", "3", "3S"),
        ("family", "AS KS QS 7S 7H 6D 5D 2C", "61", "3S"),
        ("trattoria", "3S KS QS 7S 7H 6D 5D 4C", "2", "AS"),
        ("gingo", "3S KS QS 7S 7H 6D 5D 4C", "61", "AS"),
        ("caller-leads", "AS 3S KS 7S 7H 6D 5D 2C", "61", "QS"),
    ],
)
def test_calls_the_card_that_helps_most(name: str, hand: str, bid: str, card: str) -> None:
    assert called(name, hand, bid) == card


def test_prefers_a_partner_to_its_own_two() -> None:
    """The holder of the 2 may call the lowest missing trump instead of playing alone."""
    assert called("classic", "AS KS QS 7S 2S 7H 6D 5D", "2") == "4S"


# --- the arithmetic -------------------------------------------------------------------------------


@pytest.mark.parametrize("mean", [0, 35, 60, 61, 100, 120])
def test_likelihoods_sum_to_one(mean: int) -> None:
    for solo in (False, True):
        assert sum(likelihood(120, solo, mean)) == pytest.approx(1.0)


@pytest.mark.parametrize("name", names())
def test_more_points_never_pay_less(name: str) -> None:
    rules = load(name)
    payoffs = [expected(rules, 61, False, mean)[0] for mean in range(20, 121, 5)]
    assert payoffs == sorted(payoffs)


def test_stakes_are_the_payoffs_of_the_rules() -> None:
    table = stakes(load("classic"), 61, False)
    assert (table[60], table[61]) == ((-2, -1, 1), (2, 1, -1))
    assert stakes(load("classic"), 61, True)[61] == (4, -1, -1)
    assert table[120] == (4, 2, -2)


def test_passing_costs_little_where_the_payoffs_sum_to_zero() -> None:
    rules = load("classic")
    assert abs(passing(rules, 61)) < 0.4
    assert redeal(rules, 61) == pytest.approx(0.0)
    caller, _, defender = others_contract(rules, 61)
    assert caller > defender


def test_features_have_names_and_weights() -> None:
    assert len(FEATURES) == len(set(FEATURES)) == len(WITH_PARTNER) == len(SOLO)


def test_a_better_hand_is_worth_more() -> None:
    pack = pack_of(load("classic"))
    strong = card_set_of("3S KS QS 7S AH 3H 6D 5D")
    weak = card_set_of("6S 5S 4S 2S 7H 6H 6D 5D")
    assert expected_points(pack, strong, 30, False) > expected_points(pack, weak, 30, False) + 15
