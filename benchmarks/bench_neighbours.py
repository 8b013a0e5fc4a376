"""Random whole deals a second: ours beside OpenSpiel's trick-taking games, in one run.

    pip install open-spiel && python benchmarks/bench_neighbours.py [--seconds 2]

OpenSpiel is asked in two ways: move by move through its Python face, as its own
examples do, and by its compiled random players, which cross the border once a game.
Ours likewise: the referee move by move, the racer in jobs.  A deal is 40 cards
here, 52 in hearts and at most 20 played ones in euchre, so cards a second stand
beside deals.  One thread, CPU seconds of this process.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator

try:
    import pyspiel
except ModuleNotFoundError:
    print("left out: this benchmark alone needs OpenSpiel (pip install open-spiel)")
    sys.exit(0)

from chiamata.racer import binding
from chiamata.racer.examples import classic
from chiamata.racer.jobs import Position
from chiamata.rules import catalogue, shuffle
from chiamata.rules.deal import Deal

ANEW = Position((0, 0, 0, 0, 0), 0b00101, 0)
JOB = 200_000


def referee() -> Iterator[int]:
    """Deals of ``classic``, random legal moves one by one."""
    rules, dice = catalogue.load("classic"), random.Random(1)
    while True:
        deal = Deal.start(rules, 4, shuffle.hands_from(dice.randbytes(32), 4))
        while deal.public.turn >= 0:
            deal = deal.apply(dice.choice(deal.legal(deal.public.turn)))
        yield 1


def racer(step: bool) -> Iterator[int]:
    """Jobs of playouts; the number of deals of each."""
    seed = 0
    while True:
        seed += 1
        binding.playouts(classic(0), ANEW, JOB, seed, step=step)
        yield JOB


def by_moves(name: str) -> Iterator[int]:
    game, dice = pyspiel.load_game(name), random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
        yield 1


def by_its_players(name: str) -> Iterator[int]:
    """Whole games by OpenSpiel's compiled random players: one call a game."""
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    seed = 0
    while True:
        seed += 1
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        yield 1


def plain_loop() -> Iterator[int]:
    """The same random deal in plain Python without any rules: shuffle, strongest card of a trick, points."""
    dice, pack, worth = random.Random(1), list(range(40)), (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)
    while True:
        dice.shuffle(pack)
        leader, points = 0, [0] * 5
        for trick in range(8):
            cards = pack[5 * trick : 5 * trick + 5]
            suit = 0 if any(card < 10 for card in cards) else cards[0] // 10
            best = min(card for card in cards if card // 10 == suit)
            leader = (leader + cards.index(best)) % 5
            points[leader] += sum(worth[card % 10] for card in cards)
        yield 1


def rate(deals: Iterator[int], seconds: float) -> float:
    """Deals a second of CPU time."""
    next(deals)
    begun, done = time.process_time(), 0
    while time.process_time() - begun < seconds:
        done += next(deals)
    return done / (time.process_time() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row")
    seconds = parser.parse_args().seconds
    rows: tuple[tuple[str, int, Callable[[], Iterator[int]]], ...] = (
        ("plain Python loop, no rules", 40, plain_loop),
        ("chiamata, referee, move by move (auction included)", 40, referee),
        ("OpenSpiel hearts, move by move", 52, lambda: by_moves("hearts")),
        ("OpenSpiel euchre, move by move", 20, lambda: by_moves("euchre")),
        ("OpenSpiel hearts, its compiled players", 52, lambda: by_its_players("hearts")),
        ("OpenSpiel euchre, its compiled players", 20, lambda: by_its_players("euchre")),
        ("chiamata, racer, step by step", 40, lambda: racer(True)),
        ("chiamata, racer, one shuffle a deal", 40, lambda: racer(False)),
    )
    print("| random whole deals | deals a second | cards a second | ratio to the plain loop |\n|---|---|---|---|")
    base = 0.0
    for name, cards, deals in rows:
        speed = rate(deals(), seconds)
        base = base or speed
        print(f"| {name} | {speed:,.0f} | {speed * cards:,.0f} | {speed / base:.2f} |", flush=True)


if __name__ == "__main__":
    main()
