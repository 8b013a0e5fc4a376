"""The edges of the score: thresholds, cappotto of each kind and side, draws, gingo."""

from __future__ import annotations

import pytest

from chiamata.rules.catalogue import load
from chiamata.rules.parts import value_at
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import NOTHING, Side, outcome, score, unit_for
from tests.kit import with_options


def changed(name: str, **options: object) -> RuleSet:
    return RuleSet.from_mapping(
        with_options(load(name).to_mapping(), {f"scoring.{key}": options[key] for key in options})
    )


def payoff(rules: RuleSet, side: Side, multiplier: int = 1) -> tuple[int, ...]:
    return score(rules, side, multiplier, dealer=0).payoff


def test_the_last_threshold_reached_counts() -> None:
    pairs = ((61, 1), (71, 5), (81, 3))
    assert [value_at(pairs, number) for number in (60, 61, 70, 71, 80, 81, 120)] == [0, 1, 1, 5, 5, 3, 3]
    assert value_at((), 100) == 0


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("classic", "1 1 2 2 3 3 4 4 5 5"),
        ("fifteen", "1 1 2 2 3 3 3 3 3 3"),
        ("quick", "1 1 1 1 1 1 1 1 1 1"),
        ("brisk", "1 1 2 2 3 3 4 4 5 6"),
        ("sixth-sits-out", "1 2 2 3 3 3 3 3 3 3"),
    ],
)
def test_units_by_target(name: str, units: str) -> None:
    targets = (61, 70, 71, 80, 81, 90, 91, 100, 101, 120)
    assert " ".join(str(unit_for(load(name), target)) for target in targets) == units


@pytest.mark.parametrize(
    ("name", "target", "points", "ended"),
    [
        ("classic", 61, 60, "loss"),
        ("classic", 61, 61, "win"),
        ("classic", 120, 119, "loss"),
        ("classic", 120, 120, "win"),
        ("fifteen", 61, 60, "win"),
        ("fifteen", 61, 59, "loss"),
        ("fifteen", 62, 60, "loss"),
        ("brisk-draw", 61, 60, "draw"),
        ("brisk-draw", 61, 59, "loss"),
        ("brisk-draw", 61, 61, "win"),
        ("straight-to-two", 60, 60, "win"),
        ("straight-to-two", 60, 59, "loss"),
    ],
)
def test_outcome(name: str, target: int, points: int, ended: str) -> None:
    assert outcome(load(name), Side(0, 1, target, points, 4)) == ended


ENDS = {"tricks": ((120, 8), (120, 7), (0, 0), (0, 1)), "points": ((120, 7), (119, 8), (0, 1), (2, 0))}
"""Points and tricks of a side that has everything, almost everything, nothing, almost nothing."""


@pytest.mark.parametrize("basis", ENDS)
@pytest.mark.parametrize(("side", "factors"), [("either", "3 1 3 1"), ("caller", "3 1 1 1"), ("defenders", "1 1 3 1")])
def test_cappotto(basis: str, side: str, factors: str) -> None:
    rules = changed("classic", capot={"basis": basis, "side": side, "op": "multiply", "value": 3})
    found = [score(rules, Side(0, 1, 61, points, tricks), 1, 0).factor for points, tricks in ENDS[basis]]
    assert " ".join(map(str, found)) == factors


@pytest.mark.parametrize(
    ("op", "unit", "factor", "caller"), [("multiply", 2, 3, 12), ("add_units", 5, 1, 10), ("replace_unit", 3, 1, 6)]
)
def test_what_a_cappotto_does(op: str, unit: int, factor: int, caller: int) -> None:
    capot = {"basis": "tricks", "side": "either", "op": op, "value": 3}
    result = score(changed("classic", capot=capot), Side(2, 4, 71, 120, 8), 1, 0)
    assert (result.unit, result.factor, result.payoff[2]) == (unit, factor, caller)


def test_without_a_cappotto_in_the_rules() -> None:
    rules = changed("classic", capot=None)
    assert payoff(rules, Side(0, 1, 61, 120, 8)) == (2, 1, -1, -1, -1)


def test_margins_count_for_contracts_made_only() -> None:
    rules = load("trattoria-margin")
    assert [score(rules, Side(0, 1, 61, points, 5), 1, 0).unit for points in (61, 70, 71, 80, 81, 91, 119)] == [
        1,
        1,
        2,
        2,
        3,
        4,
        4,
    ]
    falling = changed("classic", margin_bonus=[[71, 3], [81, 1]])
    assert score(falling, Side(0, 1, 61, 85, 5), 1, 0).unit == 2
    high = changed("trattoria-points", margin_bonus=[[71, 1]])
    assert score(high, Side(0, 1, 100, 90, 5), 1, 0).unit == unit_for(high, 100)


def test_everything_is_multiplied() -> None:
    rules = load("brisk")
    assert payoff(rules, Side(1, 3, 71, 75, 5), multiplier=4) == (-8, 16, -8, 8, -8)
    assert payoff(rules, Side(1, 1, 71, 120, 8), multiplier=2) == (-8, 32, -8, -8, -8)


def test_a_draw_pays_nothing_and_is_carried_on() -> None:
    result = score(load("brisk-draw"), Side(0, 1, 61, 60, 4), 4, dealer=3)
    assert (result.kind, result.made, result.payoff) == ("draw", False, NOTHING)
    assert (result.next_multiplier, result.next_dealer, result.unit, result.factor) == (8, 4, 1, 1)


def test_a_scored_deal_tells_how_it_ended() -> None:
    result = score(load("brisk"), Side(2, 0, 81, 80, 5), 2, dealer=4)
    assert (result.kind, result.made, result.points, result.tricks) == ("scored", False, 80, 5)
    assert (result.unit, result.factor, result.multiplier, result.partner) == (3, 1, 2, 0)
    assert (result.payoff, result.next_multiplier, result.next_dealer) == ((-6, 6, -12, 6, 6), 1, 0)


def test_the_same_dealer_where_the_rules_say_so() -> None:
    mapping = with_options(load("classic").to_mapping(), {"deal.dealer_rotation": "same"})
    assert score(RuleSet.from_mapping(mapping), Side(0, 1, 61, 70, 5), 1, dealer=3).next_dealer == 3


@pytest.mark.parametrize(
    ("partner", "target", "points", "expected"),
    [
        (1, 80, 85, (80, 80, 0, 0, 0)),
        (1, 80, 79, (-1, -1, 41, 41, 41)),
        (1, 80, 0, (-80, -80, 120, 120, 120)),
        (0, 80, 120, (160, 0, 0, 0, 0)),
        (0, 80, 60, (-20, 60, 60, 60, 60)),
    ],
)
def test_gingo_pays_the_bid(partner: int, target: int, points: int, expected: tuple[int, ...]) -> None:
    tricks = 8 if points == 120 else 0 if points == 0 else 4
    result = score(load("gingo"), Side(0, partner, target, points, tricks), 1, 0)
    assert (result.payoff, result.unit, result.factor) == (expected, 1, 1)
    assert score(load("gingo"), Side(0, partner, target, points, tricks), 2, 0).payoff == tuple(
        2 * one for one in expected
    )
