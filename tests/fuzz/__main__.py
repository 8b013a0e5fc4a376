"""``make fuzz MINUTES=1``: searches every target, or those that are named, and says what it found.

Where atheris is not installed the mutations go on without its coverage.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.targets import TARGETS, Target

LONGEST = 16_384
"""Bytes that are tried: the longest seed has fewer."""


def sample(target: Target, seed: int, count: int) -> Iterator[bytes]:
    """So many mutations of the seeds."""
    dice, seeds = random.Random(seed), target.seeds()
    for _ in range(count):
        yield target.change(dice.choice(seeds), dice)


def without_coverage(target: Target, seconds: float, seed: int) -> tuple[int, bytes | None]:
    """How many were tried, and the first that did harm."""
    until, tried = time.monotonic() + seconds, 0
    for data in sample(target, seed, sys.maxsize):
        if time.monotonic() > until:
            break
        tried += 1
        try:
            target.feed(data)
        except Exception:  # whatever comes out is what is looked for
            traceback.print_exc()
            return tried, data
    return tried, None


def with_coverage(name: str, seconds: float, seed: int) -> tuple[int, bytes | None]:
    """The same, by atheris in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, data in enumerate(TARGETS[name].seeds()):
            (corpus / str(number)).write_bytes(data)
        options = [f"-max_total_time={max(1, round(seconds))}", f"-seed={seed}", f"-max_len={LONGEST}"]
        options += [f"-artifact_prefix={folder}/", "-print_final_stats=1", "-timeout=20"]
        command = [sys.executable, "-m", "tests.fuzz.search", name, *options, str(corpus)]
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        tried = re.findall(r"stat::number_of_executed_units: +(\d+)", run.stderr)
        found = [path for kind in ("crash", "timeout", "oom") for path in Path(folder).glob(f"{kind}-*")]
        if run.returncode or found:
            print(run.stdout[-4000:], run.stderr[-2000:], sep="\n")
        return int(tried[-1]) if tried else 0, found[0].read_bytes() if found else None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *TARGETS], metavar="TARGET")
    parser.add_argument("--minutes", type=float, default=1, help="for each target")
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    asked = parser.parse_args()
    by_coverage = importlib.util.find_spec("atheris") is not None
    print(f"seed {asked.seed}, {'by coverage' if by_coverage else 'without coverage: atheris is not installed'}")
    worst = 0
    for name in asked.names or TARGETS:
        target = TARGETS[name]
        if by_coverage:
            tried, found = with_coverage(name, asked.minutes * 60, asked.seed)
        else:
            tried, found = without_coverage(target, asked.minutes * 60, asked.seed)
        print(f"{name:12} {tried:>9,} tried: {'nothing' if found is None else repr(found)}", flush=True)
        worst |= found is not None or not tried
    return worst


if __name__ == "__main__":
    sys.exit(main())
