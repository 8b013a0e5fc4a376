"""The search of one target by coverage, in a process of its own: ``python -m tests.fuzz.search NAME OPTIONS…``.

The options are libFuzzer's.  Ends with status 77 at the first find, whose bytes it leaves in a file.
"""

from __future__ import annotations

import random
import sys

import atheris

with atheris.instrument_imports(include=["chiamata"]):
    from tests.fuzz.targets import TARGETS


def mutate(data: bytes, most: int, seed: int) -> bytes:
    """Every second time by signs that mean something to the target, else as libFuzzer does."""
    new = TARGETS[sys.argv[1]].change(data, random.Random(seed)) if seed % 2 else atheris.Mutate(data, len(data))
    return bytes(new[:most])


def main() -> None:
    name, *options = sys.argv[1:]
    atheris.Setup([name, *options], TARGETS[name].feed, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
