"""Every rule set played by five bots of a level: nothing illegal, nothing that crashes, nothing too slow.

    python -m benchmarks.bench_legal LEVEL [--deals N] [--first N] [--part P]     (200 deals of each set by itself)

The referee refuses what is not allowed, and any error ends the run.  The deals are seeded, the dealer goes round.
Prints Markdown: for each set the deals, the decisions and the process time of a mean and of the longest one.
"""

from __future__ import annotations

import argparse
import random
from time import process_time

import msgspec

from benchmarks.selfplay import deal_of
from chiamata.bots.bot import Bot
from chiamata.bots.roster import levels, make
from chiamata.bots.search import Searcher
from chiamata.rules.catalogue import load, names
from chiamata.rules.ruleset import RuleSet

ENOUGH = 1.0
"""Seconds that no decision may take."""


def times_of(bot: Bot, rules: RuleSet, seed: int) -> list[float]:
    """Seconds of each decision of one deal; Illegal if one was not allowed."""
    deal, dice, times = deal_of(rules, seed), random.Random(f"legal {seed}"), []
    while deal.public.phase != "done":
        view = deal.view(deal.public.turn)
        began = process_time()
        move = bot.choose(view, dice)
        times.append(process_time() - began)
        deal = deal.apply(move)
    return times


def thinking(level: str, part: float) -> Bot:
    """A level with a part of its budget, at least one of each: the same code, sooner done."""
    bot = make(level)
    if not isinstance(bot, Searcher) or part == 1.0:
        return bot
    names = ("worlds", "playouts", "deals")
    less = {name: max(1, round(part * getattr(bot.budget, name))) for name in names}
    return Searcher(level, msgspec.structs.replace(bot.budget, **less))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("level", choices=levels())
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--part", type=float, default=1.0, help="of the level's worlds, playouts and deals for a bid")
    asked = parser.parse_args()
    bot, late = thinking(asked.level, asked.part), 0
    print("| level | rule set | deals | decisions | ms: mean | longest |\n|---|---|---|---|---|---|")
    for name in names():
        times = []
        for seed in range(asked.first, asked.first + asked.deals):
            times += times_of(bot, load(name), seed)
        late += sum(time > ENOUGH for time in times)
        mean = 1000 * sum(times) / len(times)
        print(
            f"| `{asked.level}` | `{name}` | {asked.deals} | {len(times)} | {mean:.2f} | {1000 * max(times):.0f} |",
            flush=True,
        )
    print(f"\nNothing illegal; {late} decisions of more than {ENOUGH:.0f} s.")


if __name__ == "__main__":
    main()
