"""What the table costs on a slow phone: script, first paint, taps, layout shifts.

    python -m benchmarks.bench_page [VISITS]

A real house, Chromium with an empty cache each time and a processor made four times slower; the same visits as in
tests/e2e/test_budget.py. Prints a line a visit, then the medians.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import chromium
from tests.e2e.house import house_in
from tests.e2e.test_budget import Figures, visit


def row(name: str, figures: Figures) -> str:
    """A line of the table."""
    shift = sum(size for size, _ in figures.shifts)
    middle = statistics.median(figures.taps)
    kilobytes, slowest = figures.javascript / 1000, max(figures.taps)
    return f"| {name} | {kilobytes:.1f} | {figures.paint:.0f} | {middle:.0f} | {slowest:.0f} | {shift:.5f} |"


def main(visits: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, house_in(Path(folder)) as house, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        seen = [visit(browser, house, seed) for seed in range(visits)]
        browser.close()
    print("| visit | script, kB packed | first paint, ms | tap, median ms | slowest tap, ms | layout shift |")
    print("|---|---|---|---|---|---|")
    for number, figures in enumerate(seen, 1):
        print(row(str(number), figures))
    everything = Figures(
        max(one.javascript for one in seen),
        statistics.median(one.paint for one in seen),
        [tap for one in seen for tap in one.taps],
        [shift for one in seen for shift in one.shifts],
    )
    print(row("all", everything))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
