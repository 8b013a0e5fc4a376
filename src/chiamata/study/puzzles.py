"""Puzzles: one seat's views with known best moves, by theme; they tell whether a level still plays as well as it did.

``puzzles.jsonl`` holds one a line, with the view in the form of ``rules.view_json``.  ``study.mine`` found them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from chiamata.bots.bot import Bot
from chiamata.rules import moves
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Bid, Move
from chiamata.rules.view import View
from chiamata.rules.view_json import view_of_json, view_to_json

PATH = Path(__file__).with_name("puzzles.jsonl")
THEMES = ("leading", "feeding", "hiding", "hunting", "calling", "raising", "passing")
KEYS = ("theme", "view", "best", "margin", "error", "seed")


class Puzzle(msgspec.Struct, frozen=True):
    """A position and its answer.

    Args:
        view: what the seat to move sees.
        best: the moves that are right; mostly one, two where no difference was found between them.
        margin: by how much payoff the best is above the best of those that are wrong.
        error: standard error of the margin.
        seed: of the deal it was found in.
    """

    theme: str
    view: View
    best: tuple[Move, ...]
    margin: float
    error: float
    seed: str

    def solved_by(self, move: Move) -> bool:
        """Whether this is right.  Of bids only the cheapest were weighed: where one of them is right, so is any."""
        return move in self.best or (isinstance(move, Bid) and isinstance(self.best[0], Bid))

    @property
    def rules_name(self) -> str:
        """The rule set's name."""
        return self.view.public.rules.id


def to_line(puzzle: Puzzle) -> str:
    """The puzzle as one line of JSON; its rule set by name."""
    ranks = puzzle.view.public.rules.ranks
    line = {
        "theme": puzzle.theme,
        "view": view_to_json(puzzle.view) | {"rules": puzzle.rules_name},
        "best": [moves.to_json(move, ranks) for move in puzzle.best],
        "margin": round(puzzle.margin, 3),
        "error": round(puzzle.error, 4),
        "seed": puzzle.seed,
    }
    return json.dumps(line)


def of_line(text: str) -> Puzzle:
    """The puzzle that this line says; Malformed, or Illegal, where it says none."""
    line: dict[str, Any] = json.loads(text)
    missing = [key for key in KEYS if key not in line]
    if missing:
        raise Malformed("UNKNOWN_KEY", "puzzle", missing, f"A puzzle has {' '.join(KEYS)}.")
    if line["theme"] not in THEMES:
        raise Malformed("OUT_OF_RANGE", "theme", line["theme"], f"Write one of {' '.join(THEMES)}.")
    view = view_of_json(line["view"])
    rules, legal = view.public.rules, view.legal()
    best = tuple(moves.from_json(one, rules.ranks, rules.auction.kind == "points") for one in line["best"])
    right = tuple(legal[legal.index(move)] for move in best if move in legal)
    if not right or len(right) != len(best) or len(set(right)) == len(legal):
        raise Malformed("OUT_OF_RANGE", "best", line["best"], "Write legal moves, and leave a wrong one.")
    return Puzzle(line["theme"], view, right, float(line["margin"]), float(line["error"]), str(line["seed"]))


@cache
def shipped() -> tuple[Puzzle, ...]:
    """All puzzles that come with this package, by theme, numbered from 1 in this order."""
    found = [of_line(line) for line in PATH.read_text(encoding="utf-8").splitlines()]
    return tuple(sorted(found, key=lambda puzzle: THEMES.index(puzzle.theme)))


class Score(msgspec.Struct, frozen=True):
    """How many puzzles of a theme were solved."""

    theme: str
    solved: int
    of: int


def answer(bot: Bot, puzzle: Puzzle) -> Move:
    """The bot's move, with dice that belong to the puzzle."""
    return bot.choose(puzzle.view, random.Random(f"puzzle {puzzle.seed}"))


def check(bot: Bot, puzzles: Sequence[Puzzle]) -> tuple[Score, ...]:
    """A Score a theme, in the order of THEMES, without those that have no puzzle here."""
    solved = [(puzzle.theme, puzzle.solved_by(answer(bot, puzzle))) for puzzle in puzzles]
    return tuple(
        Score(theme, sum(right for one, right in solved if one == theme), number)
        for theme in THEMES
        if (number := sum(one == theme for one, _ in solved))
    )
