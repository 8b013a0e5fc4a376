"""How soon things are there: ``import chiamata``, the command's help, and a server that answers.

    python benchmarks/bench_start.py

Prints the median of several fresh processes, beside that of an empty one (which is Python itself).
The house's bounds: 150 ms for the import, 1.5 s for the server.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 11


def median(once: Callable[[], float]) -> float:
    """The median of RUNS calls, after one that warms the disk."""
    once()
    return statistics.median(once() for _ in range(RUNS))


def process(*words: str) -> Callable[[], float]:
    """Seconds from start to end of a Python with these arguments."""

    def once() -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - begun

    return once


def server() -> float:
    """Seconds from start to the line ``ready``."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["-m", "chiamata.doors.cli", "serve", "--port", "0", "--db", str(Path(folder) / "house.db")]
        begun = time.perf_counter()
        with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as house:
            assert house.stdout
            while house.stdout.readline() not in ("ready\n", ""):
                pass
            took = time.perf_counter() - begun
            house.terminate()
        return took


if __name__ == "__main__":
    for name, once in (
        ("an empty Python", process("-c", "")),
        ("import chiamata", process("-c", "import chiamata")),
        ("import the rules and a bot", process("-c", "import chiamata.rules.game, chiamata.bots.roster")),
        ("chiamata --help", process("-m", "chiamata.doors.cli", "--help")),
        ("chiamata serve, ready", server),
    ):
        print(f"{name:28} {median(once) * 1000:7.0f} ms")
