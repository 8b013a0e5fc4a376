"""Ratings of a league by OpenSkill's Plackett-Luce model (Weng and Lin, JMLR 12, 2011): ``openskill``, chiamata[study].

A rating is a mean and a standard deviation on a scale on which everybody begins at 25 ± 8.3; entrants that are paid
the same in a round share its place.  Nobody learns while the league lasts, so nothing is added to the deviation from
one round to the next (tau 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from chiamata.study.league import League, Round, mean_payoffs
from chiamata.study.plot import Point


class Rating(msgspec.Struct, frozen=True):
    """An entrant's strength: mean and standard deviation, how many rounds it played, its mean payoff of a deal."""

    name: str
    mean: float
    deviation: float
    rounds: int
    payoff: float


def rate(league: League, rounds: Sequence[Round]) -> list[Rating]:
    """The ratings after these rounds in their order, the best first."""
    model: Any = PlackettLuce(tau=0.0)
    now = [model.rating() for _ in league.entrants]
    played = [0] * len(league.entrants)
    for one in rounds:
        places = [sum(other > payoff for other in one.payoffs) for payoff in one.payoffs]
        after = model.rate([[now[entrant]] for entrant in one.entrants], ranks=places)
        for entrant, (rating,) in zip(one.entrants, after, strict=True):
            now[entrant] = rating
            played[entrant] += 1
    paid = mean_payoffs(league, rounds)
    rows = zip(league.entrants, now, played, paid, strict=True)
    found = [Rating(name, rating.mu, rating.sigma, number, payoff) for name, rating, number, payoff in rows]
    return sorted(found, key=lambda rating: -rating.mean)


def table(ratings: Sequence[Rating]) -> str:
    """The ratings as a Markdown table; ± is two standard deviations."""
    lines = ["| player | rating | rounds | payoff a deal |", "|---|---|---|---|"]
    for one in ratings:
        lines.append(f"| {one.name} | {one.mean:.1f} ± {2 * one.deviation:.1f} | {one.rounds} | {one.payoff:+.3f} |")
    return "\n".join(lines) + "\n"


def points(ratings: Sequence[Rating]) -> list[Point]:
    """The ratings as rows of a picture, above or below where everybody began."""
    return [Point(one.name, one.mean - 25.0, 2 * one.deviation) for one in ratings]
