"""Find the numbers of the ``simple`` bot by play against itself, and write them into its tables.

    python -m tools.fit_bots [DEALS]

Deals are seeded.  In each a seat is made caller with a suit and a called card
(its best ones more often than others), and five simple bots play the cards.
From these games come

* ``bots/weights.py``: least squares of the points made by the caller's side on
  what was to be seen in the caller's hand, with a partner and alone;
* ``bots/evidence.py``: how much oftener the hidden partner than a defender does
  each kind of thing, as a logarithm.

The bot reads these tables while it plays, so run it twice for figures that agree with themselves.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path

import msgspec

from benchmarks.selfplay import deal_of, play_out
from chiamata.bots.hand import FEATURES, expected_points, features
from chiamata.bots.pack import pack_of
from chiamata.bots.simple import Simple
from chiamata.bots.suspicion import kinds
from chiamata.rules.cards import Card
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call
from chiamata.rules.ruleset import RuleSet

BOTS = Path(__file__).parent.parent / "src" / "chiamata" / "bots"
SOLOS = 0.15
"""Share of deals in which the caller calls a card of its own."""
BEST = 0.6
"""Share of deals in which the best of the suits is chosen, for the card drawn."""
SEEN_OFTEN = 30
"""Kinds of play seen less often than this carry no weight."""


class Samples:
    """What the games leave behind."""

    def __init__(self) -> None:
        self.rows: dict[bool, list[tuple[list[float], int]]] = {False: [], True: []}
        self.did: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}


def contract(deal: Deal, dice: random.Random) -> Deal:
    """The deal with a caller, a trump and a called card, chosen without an auction."""
    rules = deal.public.rules
    pack = pack_of(rules)
    seat = dice.randrange(5)
    hand = deal.dealt[seat]
    solo = dice.random() < SOLOS
    cards = [card for card in range(40) if bool(hand >> card & 1) == solo]
    rank = dice.choice(cards) % 10
    same = [card for card in cards if card % 10 == rank]

    def estimate(card: Card) -> float:
        return expected_points(pack, hand, card, solo)

    card = max(same, key=estimate) if dice.random() < BEST else dice.choice(same)
    called = msgspec.structs.replace(
        deal.public,
        phase="call",
        turn=seat,
        caller=seat,
        standing=Bid(seat, rank),
        target=rules.contract.base_target,
        leader=(deal.public.dealer + 1) % 5,
        passed=31 & ~(1 << seat),
    )
    return Deal(called, deal.dealt).apply(Call(seat, card))


def play(rules: RuleSet, count: int) -> Samples:
    """Play so many deals; progress goes to standard error."""
    samples, pack = Samples(), pack_of(rules)
    bots = [Simple()] * 5
    for seed in range(count):
        dice = random.Random(f"contract {seed}")
        deal = contract(deal_of(rules, seed), dice)
        caller, called = deal.public.caller, deal.public.called
        hand = deal.dealt[caller]
        row = features(pack, hand, called // 10, called)
        done = play_out(deal, bots, seed)
        result = done.public.result
        assert result is not None
        samples.rows[bool(hand >> called & 1)].append((row, result.points))
        if result.partner != caller:
            _count(samples, done, result.partner)
        if seed % 500 == 499:
            print(f"\r{seed + 1} of {count} deals", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return samples


def _count(samples: Samples, done: Deal, partner: int) -> None:
    """What each seat did before the called card fell, in whole tricks."""
    public = done.public
    hidden = 0
    while public.called not in public.tricks[hidden].cards:
        hidden += 1
    before = msgspec.structs.replace(public, tricks=public.tricks[:hidden], trick=())
    for seat, kind in kinds(before):
        samples.did[seat == partner][kind] += 1


def least_squares(rows: Sequence[tuple[list[float], int]], ridge: float = 1.0) -> list[float]:
    """Weights that fit the totals best; ``ridge`` holds back features that are seldom seen."""
    size = len(FEATURES)
    left = [[ridge * (i == j and i > 0) for j in range(size)] for i in range(size)]
    right = [0.0] * size
    for row, total in rows:
        seen = [index for index, value in enumerate(row) if value]
        for i in seen:
            right[i] += row[i] * total
            for j in seen:
                left[i][j] += row[i] * row[j]
    return _solve(left, right)


def _solve(left: list[list[float]], right: list[float]) -> list[float]:
    """Gauss with the largest pivot."""
    size = len(right)
    table = [[*line, end] for line, end in zip(left, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda line: abs(table[line][column]))
        table[column], table[pivot] = table[pivot], table[column]
        for line in range(size):
            if line != column and table[line][column]:
                factor = table[line][column] / table[column][column]
                table[line] = [a - factor * b for a, b in zip(table[line], table[column], strict=True)]
    return [table[line][size] / table[line][line] for line in range(size)]


def spread(rows: Sequence[tuple[list[float], int]], weights: Sequence[float]) -> float:
    """Standard deviation of the totals round the fit."""
    off = [total - sum(weight * one for weight, one in zip(weights, row, strict=True)) for row, total in rows]
    return sqrt(sum(one * one for one in off) / len(off))


def evidence(did: dict[bool, Counter[str]]) -> dict[str, float]:
    """For each kind the logarithm of how much oftener partners do it, given what the trick looked like."""
    weights = {}
    for kind in sorted(set(did[True]) | set(did[False])):
        alike = [other for other in did[False] if _looks(other) == _looks(kind)]
        partners, defenders = (sum(did[who][other] for other in alike) for who in (True, False))
        if did[True][kind] + did[False][kind] >= SEEN_OFTEN:
            share = (did[True][kind] + 1) / (partners + len(alike))
            weights[kind] = round(log(share * (defenders + len(alike)) / (did[False][kind] + 1)), 2)
    return weights


def _looks(kind: str) -> str:
    """The part of a kind that the seat did not choose."""
    return "lead" if kind.startswith("lead") else kind.partition(":")[0]


def main() -> None:
    """Play, fit, write and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    samples = play(load("classic"), count)
    fits = {solo: least_squares(samples.rows[solo]) for solo in (False, True)}
    widths = {solo: spread(samples.rows[solo], fits[solo]) for solo in (False, True)}
    note = "Written by ``tools/fit_bots.py``; do not edit by hand."
    lines = [f'"""Weights of a caller\'s hand, and their spread.  {note}"""', ""]
    for name, solo in (("WITH_PARTNER", False), ("SOLO", True)):
        lines += [f"{name}: tuple[float, ...] = ("]
        lines += [f"    {weight:.2f},  # {label}" for weight, label in zip(fits[solo], FEATURES, strict=True)] + [")"]
        print(name, len(samples.rows[solo]), "deals, spread", round(widths[solo], 2))
    lines += [f"SPREAD = ({widths[False]:.1f}, {widths[True]:.1f})"]
    lines += ['"""Standard deviation of the points made around the estimate: with a partner, and alone."""', ""]
    (BOTS / "weights.py").write_text("\n".join(lines), encoding="utf-8")
    weights = evidence(samples.did)
    lines = [f'"""Weights of the evidence about the partner.  {note}"""', "", "EVIDENCE: dict[str, float] = {"]
    lines += [f'    "{kind}": {weight},' for kind, weight in weights.items()] + ["}", ""]
    (BOTS / "evidence.py").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
