"""What the racer does in a second: random playouts, exact values, win tests of whole deals.

    python benchmarks/bench_racer.py [--quick]

One thread, times in CPU seconds of this process, so that neighbours on the
machine disturb little.  Positions are seeded (chiamata.racer.examples:
auction-like sides, earlier tricks by a noisy greedy player, one solo in ten).
A calibration loop runs first and last: compare runs by it, not by seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import mean, median

from chiamata.racer import binding, mirror
from chiamata.racer.binding import Core
from chiamata.racer.examples import classic, example
from chiamata.racer.jobs import Limits, Position

ANEW = Position((0, 0, 0, 0, 0), 0b00101, 0)
DEALS = ((2, 1000), (3, 1000), (4, 1000), (5, 200), (6, 30))
TARGET = 61
WHOLE_DEALS = 20
PATIENCE = Limits(nodes=1_000_000_000)
"""About a minute on one core; a limit in seconds would count the neighbours' time too."""


def seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def calibration() -> float:
    """Million steps a second of a plain loop of whole numbers in this Python."""

    def loop() -> int:
        state = 1
        for _ in range(2_000_000):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        return state

    return 2 / seconds(loop)


def playouts() -> None:
    rules = classic(0)
    jobs: tuple[tuple[str, int, Callable[[int], object]], ...] = (
        ("whole deals, one shuffle each", 4_000_000, lambda n: binding.playouts(rules, ANEW, n, 1)),
        ("whole deals, step by step", 1_000_000, lambda n: binding.playouts(rules, ANEW, n, 1, step=True)),
        ("the same in plain Python (mirror)", 300, lambda n: mirror.playouts(rules, ANEW, n, 1)),
    )
    print("\n| random playouts | a second |\n|---|---|")
    for name, number, job in jobs:
        print(f"| {name} | {number / seconds(lambda job=job, number=number: job(number)):,.0f} |")  # type: ignore[misc]


def values(share: float) -> None:
    core = Core()
    print("\n| tricks left | deals | exact value, ms: median / p95 / max / mean | nodes: median | Mnodes/s |")
    print("|---|---|---|---|---|")
    for tricks, number in DEALS:
        times, nodes = [], []
        for seed in range(max(10, round(number * share))):
            rules, where = example(seed, tricks)
            begun = time.process_time()
            bounds = core.solve(rules, where)
            times.append(1e3 * (time.process_time() - begun))
            nodes.append(bounds.nodes)
            assert bounds.low == bounds.high
        ranked = sorted(times)
        row = f"{median(times):.3f} / {ranked[len(ranked) * 95 // 100]:.3f} / {ranked[-1]:.2f} / {mean(times):.3f}"
        print(
            f"| {tricks} | {len(times)} | {row} | {median(nodes):,.0f} | {sum(nodes) / sum(times) / 1e3:.1f} |",
            flush=True,
        )


def win_tests(share: float) -> None:
    core = Core()
    print(f"\n| tricks left | deals | win or loss at {TARGET}, ms: median / p95 / max / mean | undecided |")
    print("|---|---|---|---|")
    for tricks, number in (*DEALS[2:], (7, 20), (8, WHOLE_DEALS)):
        times, open_ = [], 0
        for seed in range(number if tricks >= 7 else max(10, round(number * share))):
            rules, where = example(seed, tricks)
            begun = time.process_time()
            open_ += core.win_test(rules, where, TARGET, PATIENCE).reaches(TARGET) is None
            times.append(1e3 * (time.process_time() - begun))
        ranked = sorted(times)
        row = f"{median(times):.3f} / {ranked[len(ranked) * 95 // 100]:.2f} / {ranked[-1]:.1f} / {mean(times):.2f}"
        print(f"| {tricks} | {len(times)} | {row} | {open_} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the smaller positions")
    share = 0.1 if parser.parse_args().quick else 1.0
    if not binding.available():
        raise SystemExit(binding.why_not())
    print(f"calibration: {calibration():.1f} M loop steps/s")
    playouts()
    values(share)
    win_tests(share)
    print(f"\ncalibration: {calibration():.1f} M loop steps/s")


if __name__ == "__main__":
    main()
