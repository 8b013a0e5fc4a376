"""How the bots bid and how strong they are.

    python -m benchmarks.bench_bots [DEALS]      (2,000 without a number)

Everything is seeded; ``simple`` is the rules of thumb without the lapses of that level.
(a) Five ``simple`` bots under every rule set of the seeds
(``classic`` in full length, the others a fifth of it).  (b) One ``simple`` among
four ``random``, in each of the five seats of the same deals: the mean payoff a
deal, with the deal as unit, and its contracts.  (c) Five ``random``, whose
mean payoff in a seat must be near zero.  Prints Markdown.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt
from time import process_time

from benchmarks.selfplay import deal_of, play_out
from chiamata.bots.roster import make
from chiamata.bots.simple import Simple
from chiamata.rules.catalogue import about, load, names
from chiamata.rules.moves import bid_name
from chiamata.rules.public import Public
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Result


def shown(items: Iterable[int], note: str) -> Iterator[int]:
    """The items, with a count on standard error."""
    for number, item in enumerate(items, 1):
        yield item
        if number % 50 == 0:
            print(f"\r{note} {number} ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def interval(values: list[float]) -> str:
    """Mean and half the width of its 95 % interval."""
    mean = sum(values) / len(values)
    spread = sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    return f"{mean:+.2f} ± {1.96 * spread / sqrt(len(values)):.2f}"


def share(part: int, whole: int) -> str:
    """A percentage and half the width of its 95 % interval (Wilson's centre is not needed at these counts)."""
    if not whole:
        return "–"
    p = part / whole
    return f"{100 * p:.1f} ± {196 * sqrt(p * (1 - p) / whole):.1f} %"


def ended(rules: RuleSet, seed: int, levels: list[str]) -> tuple[Public, Result]:
    """A seeded deal at its end."""
    bots = [Simple() if level == "simple" else make(level) for level in levels]
    public = play_out(deal_of(rules, seed), bots, seed).public
    assert public.result is not None
    return public, public.result


def bidding(name: str, deals: int) -> None:
    """Five simple bots: one row of the table, and for ``classic`` the bids."""
    rules = load(name)
    made: Counter[str] = Counter()
    bids: Counter[str] = Counter()
    began = process_time()
    for seed in shown(range(deals), name):
        public, result = ended(rules, seed, ["simple"] * 5)
        made[result.kind] += 1
        if result.kind == "scored":
            made["made"] += result.made
            made["solo"] += result.partner == public.caller
            assert public.standing is not None
            bids[bid_name(public.standing, rules.ranks)] += 1
    scored = made["scored"]
    took = 1000 * (process_time() - began) / deals
    print(
        f"| `{name}` | {deals} | {share(made['made'], scored)} | {share(made['all_pass'], deals)} "
        f"| {made['claim']} | {made['solo']} | {took:.1f} |",
        flush=True,
    )
    if name == "classic":
        CLASSIC.update(bids)


CLASSIC: Counter[str] = Counter()
"""The winning bids under ``classic``."""


def bands(bids: Counter[str]) -> str:
    """The winning bids in words: ranks one by one, the two with points by tens."""
    grouped: Counter[str] = Counter()
    for bid, count in bids.items():
        rank, _, points = bid.partition("@")
        grouped[f"{rank}@{int(points) // 10}x" if points else rank] += count
    return ", ".join(f"{bid} {count}" for bid, count in sorted(grouped.items(), key=lambda item: -item[1]))


def strength(deals: int) -> None:
    """One simple bot among four random ones, in each seat of the same deals."""
    rules = load("classic")
    means: list[float] = []
    by_role: dict[str, list[float]] = {"caller": [], "partner": [], "defender": []}
    for seed in shown(range(deals), "simple among random"):
        payoffs = []
        for seat in range(5):
            levels = ["simple" if other == seat else "random" for other in range(5)]
            public, result = ended(rules, seed, levels)
            payoffs.append(result.payoff[seat])
            if result.kind == "scored":
                role = "caller" if seat == public.caller else "partner" if seat == result.partner else "defender"
                by_role[role].append(result.payoff[seat])
        means.append(sum(payoffs) / 5)
    print(f"\nOne `simple` among four `random`, {deals} deals in five rotations: {interval(means)} a deal.")
    for role, values in by_role.items():
        print(f"* as {role}, {len(values)} times: {interval(values)}")


def chance(deals: int) -> None:
    """Five random bots."""
    rules = load("classic")
    results = [ended(rules, seed, ["random"] * 5)[1] for seed in shown(range(deals), "random")]
    scored = [result for result in results if result.kind == "scored"]
    made = share(sum(result.made for result in scored), len(scored))
    payoffs = interval([result.payoff[0] for result in results])
    print(f"\nFive `random`, {deals} deals: made {made}, first seat {payoffs} a deal.")


def main() -> None:
    """Print the section of results.md."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print("| rule set | deals | contracts made | all passed | thrown in | solos | ms a deal |")
    print("|---|---|---|---|---|---|---|")
    for name in names():
        if about(name).menu == "seed":
            bidding(name, deals if name == "classic" else deals // 5)
    print(f"\nWinning bids under `classic`: {bands(CLASSIC)}.")
    strength(deals // 4)
    chance(deals)


if __name__ == "__main__":
    main()
