"""Trains the solver's move ordering: writes src/chiamata/racer/ordering.txt.

    python tools/train_ordering.py [--positions 1500] [--rounds 3] [--seed 1]

The solver's own searches are sampled: nodes at which some cards decide and
others do not.  A linear model over one-hot features (src/chiamata/racer/order.h)
is fitted so that softmax puts its weight on deciding cards.  Each round samples
with the ordering of the round before, the first with none at all.  Plain
Python; three rounds take a few minutes on one core, with the state of the work printed.
"""

from __future__ import annotations

import argparse
import math
import time
from array import array
from random import Random

from chiamata.racer.binding import ORDERING, Core, weights_wanted
from chiamata.racer.examples import example

SCALE = 64
"""Weights are kept as whole sixty-fourths."""
RATE = 0.15
"""Step of Adagrad."""
EPOCHS = 4
NODES_A_POSITION = 60
FIRST_SHARES = ((4, 0.5, 60), (5, 0.5, 6000))
SHARES = ((4, 0.3, 30), (5, 0.45, 1500), (6, 0.25, 30_000))
"""Tricks left, share of the positions, one node in so many; the first round stays with the small ones."""

WIDTH = 13
"""A label and the twelve blocks of order.h."""

Node = tuple[list[int], list[list[int]]]
"""Labels, and one list of features a card."""


def nodes_in(numbers: list[int]) -> list[Node]:
    """A flat row of samples, cut up."""
    nodes, at = [], 0
    while at < len(numbers):
        cards = numbers[at + 2]
        at += 3
        labels, rows = [], []
        for _ in range(cards):
            labels.append(numbers[at])
            rows.append(numbers[at + 1 : at + WIDTH])
            at += WIDTH
        nodes.append((labels, rows))
    return nodes


def gather(weights: tuple[int, ...], positions: int, first_seed: int) -> list[Node]:
    """Samples of searches for values and of win tests, both at their hardest."""
    core = Core(table_bits=21, weights=weights)
    random = Random(first_seed)
    shares = SHARES if any(weights) else FIRST_SHARES
    found: list[Node] = []
    begun = time.monotonic()
    for number in range(positions):
        tricks, _, one_in = random.choices(shares, [share for _, share, _ in shares])[0]
        variant, position = example(first_seed + number, tricks)
        target = random.choice((0, 61))
        nodes = nodes_in(core.samples(variant, position, target, one_in if target == 0 else max(1, one_in // 8)))
        random.shuffle(nodes)
        found += nodes[:NODES_A_POSITION]
        if number % 200 == 199:
            print(f"  {number + 1} positions, {len(found)} nodes, {time.monotonic() - begun:.0f} s", flush=True)
    random.shuffle(found)
    return found


def fit(nodes: list[Node], start: list[float]) -> list[float]:
    """Weights that put deciding cards first, by Adagrad from ``start``."""
    weights = array("d", start)
    squares = array("d", [1e-3] * len(start))
    held_out, training = nodes[: len(nodes) // 10], nodes[len(nodes) // 10 :]
    for epoch in range(EPOCHS):
        for labels, rows in training:
            scores = [sum([weights[i] for i in row]) for row in rows]
            top = max(scores)
            shares = [math.exp(score - top) for score in scores]
            total, good = sum(shares), sum(share for share, label in zip(shares, labels, strict=True) if label)
            for share, label, row in zip(shares, labels, rows, strict=True):
                slope = share / total - (share / good if label else 0.0)
                square = slope * slope
                for i in row:
                    squares[i] += square
                    weights[i] -= RATE * slope / math.sqrt(squares[i])
        print(
            f"  epoch {epoch + 1}: first card decides {first_hits(held_out, weights):.3f} of unseen nodes", flush=True
        )
    return list(weights)


def first_hits(nodes: list[Node], weights: array[float]) -> float:
    """How often the best-scored card decides."""
    hits = 0
    for labels, rows in nodes:
        scores = [sum([weights[i] for i in row]) for row in rows]
        hits += labels[scores.index(max(scores))]
    return hits / max(1, len(nodes))


def whole(weights: list[float]) -> tuple[int, ...]:
    return tuple(max(-32000, min(32000, round(weight * SCALE))) for weight in weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    weights = [0.0] * weights_wanted()
    for round_ in range(options.rounds):
        print(f"round {round_ + 1} of {options.rounds}", flush=True)
        nodes = gather(whole(weights), options.positions, 1_000_000 * (options.seed + round_))
        weights = fit(nodes, weights)
    how = f"--positions {options.positions} --rounds {options.rounds} --seed {options.seed}"
    lines = [f"# Move ordering of the solver, by tools/train_ordering.py {how}. Blocks as in order.h."]
    row = whole(weights)
    lines += [" ".join(map(str, row[i : i + 20])) for i in range(0, len(row), 20)]
    ORDERING.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
