"""How many random legal moves the referee makes a second in one process, whole games through ``Game.apply``.

Beside each figure stands the ratio to a loop of plain Python timed on the same machine in the same
minute, so that figures of different or busy machines can be compared.

    python benchmarks/bench_rules.py [--seconds 1.0]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from chiamata.rules.catalogue import load, names
from chiamata.rules.game import Game
from chiamata.rules.moves import Dealt, Word
from chiamata.rules.ruleset import RuleSet

PACK = list(range(40))


def calibration(turns: int = 200_000) -> float:
    """Turns a second of a loop that does what Python does all day: calls, attributes, tuples, arithmetic."""

    class Cell:
        def __init__(self) -> None:
            self.value = 1

        def step(self, number: int) -> tuple[int, int]:
            self.value = (self.value * 33 + number) & 0xFFFF
            return self.value, number

    cell = Cell()
    begun = time.process_time()
    for number in range(turns):
        cell.step(number)
    return turns / (time.process_time() - begun)


def random_hands(rng: random.Random) -> tuple[int, int, int, int, int]:
    pack = rng.sample(PACK, 40)
    a, b, c, d, e = (sum(1 << card for card in pack[8 * seat : 8 * seat + 8]) for seat in range(5))
    return a, b, c, d, e


def moves_a_second(rules: RuleSet, seconds: float, seed: int = 1) -> float:
    """Random games, the choosing of moves and the dealing included; time of this process, not of the clock."""
    rng = random.Random(seed)
    count = 0
    game = Game.start(rules)
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        for _ in range(200):
            if game.over or len(game.rows) == 100:
                game = Game.start(rules)
            deal = game.deal
            word: Word
            if deal is None or game.needs_deal:
                word = Dealt(random_hands(rng))
            else:
                legal = deal.legal(deal.public.turn)
                word = legal[int(rng.random() * len(legal))]
            game = game.apply(word)
        count += 200
    return count / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each rule set")
    seconds: float = parser.parse_args().seconds
    print(f"{'rule set':20} {'moves/s':>9} {'ratio to the loop':>18}")
    for name in names():
        loop = calibration()
        runs = [moves_a_second(load(name), seconds / 3, seed) for seed in (1, 2, 3)]
        loop = (loop + calibration()) / 2
        middle = statistics.median(runs)
        print(f"{name:20} {middle:9,.0f} {middle / loop:18.4f}   runs {', '.join(f'{run:,.0f}' for run in runs)}")


if __name__ == "__main__":
    main()
