"""Whether the best level bids too boldly or too shyly: close decisions of auctions, both ways.

    python -m benchmarks.bench_bids [--deals N] [--first N]     (80 deals by itself)

Five ``club`` players bid seeded deals.  Where ``master`` finds bidding and passing within 0.7 of each other (at four
such places of a deal at most), both are done, the auction goes on, and the policy plays the contract that comes of it
400 times with the hands as they are.  Prints Markdown: what ``master`` thought bidding pays over passing, what it paid.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from chiamata.bots import roster
from chiamata.bots.contracts import Trial, rows_of, weigh, worth
from chiamata.bots.policy import mind
from chiamata.bots.seen import seen_of, variant_of
from chiamata.racer.mind import Thought
from chiamata.rules.cards import Seat
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Move, Pass
from chiamata.study.deals import hands_of
from chiamata.study.intervals import half_width

RULES = load("classic")
CLOSE = 0.7
PLACES = 4
"""Decisions that are looked at in a deal."""
EDGES = (-CLOSE, -0.3, -0.1, 0.1, 0.3, CLOSE)


def bid_on(deal: Deal, seed: str) -> Iterator[Deal]:
    """The auction and the call by five ``club`` players: each decision of theirs, and the contract."""
    bot = roster.make("club")
    while deal.public.phase in ("auction", "call"):
        yield deal
        view = deal.view(deal.public.turn)
        deal = deal.follow(bot.choose(view, random.Random(f"{seed} {len(deal.public.words)}")))
    yield deal


def paid(deal: Deal, seat: Seat) -> float:
    """What a contract pays a seat when the policy plays it with these hands; 0 where all passed."""
    if deal.public.phase != "play":
        return 0.0
    seen = replace(seen_of(deal.view(seat)), must=deal.dealt, may=deal.dealt)
    counts = mind().contract(variant_of(RULES), seen, Thought(1, worlds=1, draws=1, swaps=0, playouts=400))
    return worth(rows_of(RULES, deal.public.target), counts)


def thought(deal: Deal, dice: random.Random) -> tuple[float, Bid] | None:
    """By how much ``master`` finds the cheapest bid better than passing; None where it cannot choose."""
    view = deal.view(deal.public.turn)
    moves = view.legal()
    if deal.public.phase != "auction" or Pass(view.seat) not in moves or len(moves) == 1:
        return None
    values = dict(weigh(view, moves, Trial(view, dice.getrandbits(60), roster.MASTER.deals)))
    bid = next(move for move in moves if isinstance(move, Bid))
    return values[bid] - values[Pass(view.seat)], bid


def places(number: int) -> Iterator[tuple[float, float]]:
    """Of the close decisions of a deal: what bidding was thought to pay over passing, and what it paid."""
    seed = f"bids {number}"
    dice, found = random.Random(seed), 0
    decisions = list(bid_on(Deal.start(RULES, number % 5, hands_of(seed)), seed))
    for deal in dice.sample(decisions, len(decisions)):
        close = thought(deal, dice)
        if close is None or abs(close[0]) > CLOSE or found == PLACES:
            continue
        seat, found = deal.public.turn, found + 1
        ways: tuple[Move, Move] = (close[1], Pass(seat))
        bidding, passing = (paid([*bid_on(deal.follow(way), seed)][-1], seat) for way in ways)
        yield close[0], bidding - passing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=80)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    asked = parser.parse_args()
    found = [place for number in range(asked.first, asked.first + asked.deals) for place in places(number)]
    print("| bidding was thought to pay over passing | decisions | it paid |\n|---|---|---|")
    for low, high in pairwise(EDGES):
        values = [value for guess, value in found if low <= guess < high]
        mean = sum(values) / len(values)
        print(f"| {low:+.1f} to {high:+.1f} | {len(values)} | {mean:+.2f} ± {half_width(values):.2f} |")


if __name__ == "__main__":
    main()
