"""``chiamata puzzles``: positions with known best moves, to be solved by people and by levels."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from chiamata.bots import roster
from chiamata.rules.cards import SEAT_NAMES, card_name, cards_in
from chiamata.rules.moves import to_text
from chiamata.rules.public import Public
from chiamata.server.texts import Texts


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata puzzles`` its arguments; ``asked.texts`` must hold the Texts when it runs."""
    verbs = parser.add_subparsers(dest="puzzles", required=True, metavar="COMMAND")
    verbs.add_parser("list", help="all of them by theme").set_defaults(run=list_all)
    show = verbs.add_parser("show", help="one of them")
    show.add_argument("number", type=int)
    show.add_argument("--answer", action="store_true", help="with its solution")
    show.add_argument("--json", action="store_true", help="its view, as `chiamata advise` reads it")
    show.set_defaults(run=show_one)
    check = verbs.add_parser("check", help="how many a level solves")
    check.add_argument("--level", choices=roster.levels(), default="master", help="(default: %(default)s)")
    check.set_defaults(run=check_level)


def list_all(asked: argparse.Namespace) -> int:
    """Prints a line each."""
    from chiamata.study.puzzles import shipped  # noqa: PLC0415  # reads a file, and only wanted here

    for number, puzzle in enumerate(shipped(), 1):
        print(f"{number:3}  {_theme(asked.texts, puzzle.theme)}  ({puzzle.rules_name})")
    return 0


def show_one(asked: argparse.Namespace) -> int:
    """0 if there is such a puzzle, else 1."""
    from chiamata.rules.view_json import view_to_json  # noqa: PLC0415
    from chiamata.study.puzzles import shipped  # noqa: PLC0415

    texts: Texts = asked.texts
    if not 1 <= asked.number <= len(shipped()):
        print(texts.say("puzzles.none", number=asked.number, last=len(shipped())), file=sys.stderr)
        return 1
    puzzle = shipped()[asked.number - 1]
    if asked.json:
        print(json.dumps(view_to_json(puzzle.view)))
        return 0
    print("\n".join(in_words(asked.number, puzzle, texts)))
    if asked.answer:
        ranks = puzzle.view.public.rules.ranks
        best = ", ".join(to_text(move, ranks) for move in puzzle.best)
        print(texts.say("puzzles.answer", moves=best, margin=f"{puzzle.margin:.2f}", error=f"{puzzle.error:.2f}"))
    return 0


def check_level(asked: argparse.Namespace) -> int:
    """Prints how many were solved, by theme."""
    from chiamata.study.puzzles import check, shipped  # noqa: PLC0415

    texts: Texts = asked.texts
    scores = check(roster.make(asked.level), shipped())
    for score in scores:
        print(texts.say("puzzles.score", theme=_theme(texts, score.theme), solved=score.solved, of=score.of))
    solved, number = sum(score.solved for score in scores), sum(score.of for score in scores)
    print(texts.say("puzzles.score", theme=asked.level, solved=solved, of=number))
    return 0


def _theme(texts: Texts, theme: str) -> str:
    return texts.say(f"puzzles.theme_{theme}")


def in_words(number: int, puzzle: Any, texts: Texts) -> list[str]:
    """What the seat sees, line by line."""
    view = puzzle.view
    public, ranks = view.public, view.public.rules.ranks
    seat = SEAT_NAMES[view.seat]
    head = texts.say("puzzles.head", number=number, theme=_theme(texts, puzzle.theme), rules=puzzle.rules_name)
    hand = " ".join(card_name(card, ranks) for card in cards_in(view.hand))
    lines = [head, texts.say("puzzles.seat", seat=seat, dealer=SEAT_NAMES[public.dealer], hand=hand)]
    lines += _said(public)
    moves = "  ".join(to_text(move, ranks).partition(":")[2] for move in view.legal())
    return [*lines, texts.say("puzzles.ask", seat=seat, moves=moves)]


def _said(public: Public) -> list[str]:
    """All that was said and played: the auction, the call, then a trick a line."""
    lines, row = list[str](), list[str]()
    plays = 0
    for word in public.words:
        text = to_text(word, public.rules.ranks)
        play = type(word).__name__ == "Play"
        if row and (not play or plays == 0) and (play or type(word).__name__ in ("Call", "Trump")):
            lines.append("  " + "  ".join(row))
            row = []
        row.append(text)
        plays = (plays + play) % 5 if play else plays
        if play and plays == 0:
            lines.append("  " + "  ".join(row))
            row = []
    return [*lines, *(["  " + "  ".join(row)] if row else [])]
