"""When a sequence of deals is decided: a test that one may look at after every deal and stop whenever one likes.

Testing by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86,
2024): who claims that the subject is no better than the field is bet against, deal by deal, at stakes fixed before the
deal is seen.  If the claim is true the capital does not grow on average, so by Ville's inequality it ever becomes 1/a
with a chance of a at most, whatever the differences look like; two claims, no better and no worse, share 5 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log
from typing import Self

import msgspec

from chiamata.bots.pack import pack_of
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, score

ALPHA = 0.05
BOLDEST = 0.75
"""The share of the capital that the worst deal can take."""


class Verdict(msgspec.Struct, frozen=True):
    """Where a sequence of deals stands: ``better``, ``worse`` or ``open``, and the mean so far."""

    says: str
    deals: int
    mean: float


def verdicts(values: Iterable[float], worst: float, alpha: float = ALPHA) -> Iterator[Verdict]:
    """A Verdict after each deal; what it says first beside ``open`` holds.

    Args:
        values: differences of payoff, one a deal.
        worst: none is farther from 0.
        alpha: the chance of a wrong verdict, both kinds together.
    """
    total, squares = 0.0, 1.0  # one unit of spread before the first deal: nobody bets on nothing
    up = down = 0.0
    says, enough, most = "open", log(2 / alpha), BOLDEST / worst
    for number, value in enumerate(values, 1):
        stake = max(-most, min(most, total / squares))  # the mean over the mean square: nearly what grows fastest
        up += log(1 + max(stake, 0.0) * value)
        down += log(1 + min(stake, 0.0) * value)
        total += value
        squares += value * value
        if says == "open":
            says = "better" if up >= enough else "worse" if down >= enough else "open"
        yield Verdict(says, number, total / number)


class Stakes(msgspec.Struct, frozen=True):
    """The most that a deal can pay, or cost, each role."""

    caller: float
    partner: float
    defender: float

    @classmethod
    def of(cls, rules: RuleSet, neutral: bool) -> Self:
        """Over all outcomes; of a neutral contract alone (the base target, with a partner) or of any."""
        base, most = rules.contract.base_target, pack_of(rules).total
        targets = (base,) if neutral else range(min(1, base), most + 1)
        sides = [
            Side(0, partner, target, made, tricks)
            for target in targets
            for partner in ((1,) if neutral else (0, 1))
            for made, tricks in ((0, 0), (0, 4), (target - 1, 4), (target, 4), (most, 4), (most, 8))
        ]
        rows = [score(rules, side, 1, 0).payoff for side in sides]
        caller, partner, defender = (max(abs(row[seat]) for row in rows) for seat in range(3))
        return cls(caller, partner, defender)
