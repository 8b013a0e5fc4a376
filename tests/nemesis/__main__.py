"""``make nemesis SEED=1 GAMES=1000``: whole games on a real house that is killed, paused and starved; then the judge.

    python -m tests.nemesis [--seed 1] [--games 20] [--within MINUTES] [--nodes 2] [--folder DIR]

With ``--nodes`` (``make nemesis NODES=2``) the games are played over so many nodes and a real PostgreSQL; with
``--within`` (``WITHIN=60``) no game is begun after so many minutes.

Nothing is asked of the server but what a browser asks.  The faults follow from
the seed; the moments at which they meet the games follow from the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.nemesis.judge import SHOWN
from tests.nemesis.nodes import run_nodes
from tests.nemesis.run import run


def main() -> int:
    """0 if the judge found nothing; the last line says what was done and found."""
    parser = argparse.ArgumentParser(prog="nemesis")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--within", type=float, default=math.inf, help="minutes after which no game is begun")
    parser.add_argument("--nodes", type=int, default=0, help="over PostgreSQL; 0: one house over a file")
    parser.add_argument("--folder", type=Path, help="keeps the log and the journals here")
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="nemesis-"))
    folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(asked.seed)
    until = time.monotonic() + asked.within * 60
    if asked.nodes:
        deed = run_nodes(folder, asked.games, dice, asked.nodes, until)
    else:
        deed = run(folder, asked.games, dice, until)
    verdict, faults = asyncio.run(deed)
    for complaint in verdict.complaints[:SHOWN]:
        print(complaint)
    print("faults: " + " ".join(f"{kind}={faults[kind]}" for kind in sorted(faults) if faults[kind]))
    print(verdict.line(faults.total()))
    if asked.folder is None and verdict.is_clean:
        shutil.rmtree(folder)
    else:
        print(f"log and journals: {folder}")
    return 0 if verdict.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
