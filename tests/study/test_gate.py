"""The gate errs as seldom as it says, whatever the deals look like, and finds what is there; many rows at once."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from chiamata.bots.pack import pack_of
from chiamata.rules.catalogue import load, names
from chiamata.rules.scoring import Side, score
from chiamata.study.arena import CHAIRS, Arena, Match, difference, play_deal, worst
from chiamata.study.executors import Processes
from chiamata.study.gate import Stakes, Verdict, verdicts
from chiamata.study.intervals import holm

EVEN = ((-4, -2, 0, 2, 4), (4, 12, 68, 12, 4))
"""Differences like those of three defenders, and how often each comes."""
SKEW = ((-8, 0, 1), (1, 89, 8))
"""One deal in a hundred decides: an interval from the usual spread would be wrong in a third of the runs."""


def last(values: Sequence[float], most: float = 12.0) -> Verdict:
    """Where it stops."""
    for verdict in verdicts(values, most):
        if verdict.says != "open":
            break
    return verdict


def runs(values: Sequence[float], weights: Sequence[int], shift: float, number: int) -> Counter[str]:
    """What so many gates of 1,000 deals each say."""
    dice = random.Random(7)
    return Counter(last([value + shift for value in dice.choices(values, weights, k=1000)]).says for _ in range(number))


@pytest.mark.parametrize("shape", [EVEN, SKEW])
def test_seldom_finds_what_is_not_there(shape: tuple[Sequence[float], Sequence[int]]) -> None:
    said = runs(*shape, 0.0, 200)
    assert said["better"] + said["worse"] <= 10  # 5 % of 200


@pytest.mark.parametrize(("shift", "says"), [(0.3, "better"), (-0.3, "worse")])
def test_finds_what_is_there(shift: float, says: str) -> None:
    assert runs(*EVEN, shift, 60)[says] >= 58


def test_nothing_but_nothing_is_never_decided() -> None:
    assert last([0.0] * 500) == Verdict("open", 500, 0.0)


def test_a_verdict_stands() -> None:
    said = [verdict.says for verdict in verdicts([2.0] * 100 + [-2.0] * 300, 12.0)]
    assert said.index("better") < 100
    assert said[-1] == "better"


@pytest.mark.parametrize("name", names())
def test_no_deal_pays_more_than_the_stakes(name: str) -> None:
    rules, dice = load(name), random.Random(name)
    stakes, most = Stakes.of(rules, neutral=False), pack_of(rules).total
    for _ in range(300):
        target = dice.randrange(rules.contract.base_target, most + 1)
        side = Side(0, dice.choice((0, 1)), target, dice.randrange(most + 1), dice.randrange(9))
        payoff = score(rules, side, 1, 0).payoff
        assert abs(payoff[0]) <= stakes.caller
        assert abs(payoff[1]) <= stakes.partner or side.partner == 0
        assert abs(payoff[2]) <= stakes.defender


@pytest.mark.parametrize("chairs", CHAIRS)
def test_no_difference_is_more_than_the_worst(chairs: str) -> None:
    match = Match("random", "simple", chairs, "fifteen")
    assert all(abs(difference(play_deal(match, number)).payoff) <= worst(match) for number in range(8))


def test_a_gate_stops_and_says_the_same_however_it_is_played() -> None:
    match = Match("simple", "random", "defenders")
    verdict, row = Arena().gate(match, 150)
    assert verdict.says == "better"
    assert row.deals == verdict.deals < 150
    assert row.difference.payoff == pytest.approx(verdict.mean)
    assert Arena(executor=Processes(2)).gate(match, 150) == (verdict, row)
    assert Arena().gate(Match("simple", "simple", "defenders"), 4)[0] == Verdict("open", 4, 0.0)


def test_many_rows_are_judged_together() -> None:
    assert holm([(1.0, 0.9), (0.1, 0.9)]) == [False, False]  # alone the first would stand
    assert holm([(1.0, 0.5), (1.0, 0.9), (0.0, 0.0)]) == [True, False, False]
    assert holm([(1.0, 0.0), (0.0, 0.0)]) == [True, False]
