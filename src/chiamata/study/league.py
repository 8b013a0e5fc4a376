"""A league: five entrants a deal, each in every chair once, for ratings of many players at one scale.

A round is one deal played five times with the entrants moved on by one chair, so that each holds each hand once; what
an entrant is paid in the five together is its place in the round.  Of more than five entrants a round draws five.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Malformed
from chiamata.study.deals import hands_of, neutral_contract, play_on
from chiamata.study.executors import Executor
from chiamata.study.kept import Kept
from chiamata.study.players import Company
from chiamata.study.progress import Progress


class League(msgspec.Struct, frozen=True):
    """Who plays: five entrants or more, by name; the same name twice is two entrants who play alike."""

    entrants: tuple[str, ...]
    rules: str = "classic"
    seed: str = "league"
    seconds: float = 1.0


class Round(msgspec.Struct, frozen=True):
    """Five entrants by their places in the league, and the payoff of each over its five chairs."""

    entrants: tuple[int, ...]
    payoffs: tuple[float, ...]


def play_round(league: League, number: int) -> Round:
    """One deal, five times."""
    seed = f"{league.seed} {number}"
    drawn = random.Random(f"round {seed}").sample(range(len(league.entrants)), 5)
    deal = Deal.start(load(league.rules), number % 5, hands_of(seed))
    payoffs = [0.0] * 5
    with Company(league.seconds) as company:
        for turn in range(5):
            bots = [company.seated(league.entrants[drawn[(seat + turn) % 5]], deal) for seat in range(5)]
            result = play_on(deal, bots, seed).public.result
            assert result is not None
            for seat in range(5):
                payoffs[(seat + turn) % 5] += result.payoff[seat]
    return Round(tuple(drawn), tuple(payoffs))


def play_rounds(league: League, rounds: int, executor: Executor, kept: Path | None = None) -> list[Round]:
    """Rounds 0 to ``rounds`` - 1; Malformed if there are fewer than five entrants or one that nobody knows."""
    if len(league.entrants) < 5:
        raise Malformed("OUT_OF_RANGE", "league", list(league.entrants), "Name five players or more.")
    deal = neutral_contract(load(league.rules), league.seed)
    with Company(league.seconds) as company:
        for name in league.entrants:
            company.check(name, deal)
    done: Kept[League, Round] = Kept(kept, tuple[League, int, Round])
    missing = [number for number in range(rounds) if (league, number) not in done]
    progress = Progress("league", len(missing))
    for number, one in zip(missing, executor.spread(partial(play_round, league), missing), strict=True):
        done.keep(league, number, one)
        progress.step()
    return [done[league, number] for number in range(rounds)]


def mean_payoffs(league: League, rounds: Sequence[Round]) -> list[float]:
    """Of each entrant the mean payoff of a deal."""
    total, played = [0.0] * len(league.entrants), [0] * len(league.entrants)
    for one in rounds:
        for entrant, payoff in zip(one.entrants, one.payoffs, strict=True):
            total[entrant] += payoff
            played[entrant] += 5
    return [paid / max(1, deals) for paid, deals in zip(total, played, strict=True)]
