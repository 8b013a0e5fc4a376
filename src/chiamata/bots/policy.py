"""The learned policy's numbers: read from policy.txt, written by study.train."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeAlias

from chiamata.racer.mind import Mind

Numbers: TypeAlias = tuple[int, ...]
POLICY = Path(__file__).with_name("policy.txt")
"""How we play."""
HABITS = Path(__file__).with_name("habits.txt")
"""How others are seen to play."""


def numbers_of(path: Path) -> Numbers:
    """Whole numbers with spaces between; ``0*12`` stands for twelve zeros, ``#`` starts a comment."""
    numbers: list[int] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        for word in line.partition("#")[0].split():
            number, _, times = word.partition("*")
            numbers.extend([int(number)] * int(times or 1))
    return tuple(numbers)


def write_numbers(path: Path, numbers: Numbers) -> None:
    """The file that ``numbers_of`` reads."""
    words: list[str] = []
    at = 0
    while at < len(numbers):
        end = at
        while end < len(numbers) and numbers[end] == 0:
            end += 1
        if end - at > 2:
            words.append(f"0*{end - at}")
            at = end
        else:
            words.append(str(numbers[at]))
            at += 1
    lines = [" ".join(words[i : i + 24]) for i in range(0, len(words), 24)]
    path.write_text("# Written by chiamata.study.train; do not edit by hand.\n" + "\n".join(lines) + "\n", "utf-8")


@cache
def mind() -> Mind:
    """The compiled mind with what was learned; all threads share it."""
    return Mind(numbers_of(POLICY), numbers_of(HABITS))
