"""``chiamata play``: the table in this terminal, with bots or at somebody's house, drawn or line by line."""

from __future__ import annotations

import argparse
import sys

from chiamata.bots import roster
from chiamata.rules.errors import Malformed
from chiamata.server.texts import Texts, languages


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata play`` its options."""
    parser.add_argument("--at", metavar="ADDRESS", help="of a table: https://cards.example.org/t/ABCDE")
    parser.add_argument("--rules", default="classic", metavar="NAME", help="of a rule set, or a file (%(default)s)")
    parser.add_argument("--level", default=roster.DEFAULT, help="of the bots (%(default)s)")
    parser.add_argument("--name", help="under which you play")
    parser.add_argument("--suits", choices=("latin", "french"), default="latin", help="cups or hearts (%(default)s)")
    parser.add_argument("--plain", action="store_true", help="line by line, for screen readers and pipes")
    parser.add_argument("--ascii", action="store_true", help="no signs beyond ASCII")
    parser.add_argument("--pace", type=_pace, default=1.0, help="factor on the bots' pauses (%(default)s)")
    parser.add_argument("--lang", dest="language", choices=languages(), default=argparse.SUPPRESS, help="as --language")
    parser.set_defaults(run=run)


def _pace(text: str) -> float:
    """A factor of 0 or more."""
    pace = float(text)
    if not 0 <= pace <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no factor from 0 (no pauses) to 100")
    return pace


def run(asked: argparse.Namespace) -> int:
    """0 when the player has left, 1 if there is nothing to play at."""
    # Late, so that every other verb starts without a house.
    from chiamata.doors.terminal.play import play  # noqa: PLC0415

    texts: Texts = asked.texts
    try:
        return play(asked)
    except ModuleNotFoundError as error:
        if error.name not in ("textual", "rich"):
            raise
        print(texts.say("play.no_textual"), file=sys.stderr)
    except Malformed as error:
        print(texts.say(f"play.{error.code}", value=repr(error.value), fix=error.fix), file=sys.stderr)
    return 1
