"""``chiamata arena``: one match, a gate, a league or the whole ladder, as a Markdown table and a picture."""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

from chiamata.rules.errors import Malformed
from chiamata.server.texts import Texts

CLUSTER = "dask://"
UNDECIDED = 3
"""Status of a gate that did not show the subject to be better."""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata arena`` its arguments; ``asked.texts`` must hold the Texts when it runs."""
    names = "a level, greedy, determinized-N, ismcts-N, or 'cmd:PROGRAM ARGUMENTS' for a bot of your own"
    cheats = "oracle-N, oracle-search, clairvoyant-N, clairvoyant-search, clairvoyant-solve"
    parser.add_argument("--subject", default="club", help=f"{names}; cheats: {cheats}")
    parser.add_argument("--field", default="determinized-40", help="who sits in the other chairs: no cheats")
    chairs = ("caller", "partner", "side", "defenders", "play", "bidding", "game", "pairs")
    parser.add_argument("--chairs", choices=chairs, default="defenders", help="those of the subject, or each in turn")
    parser.add_argument("--rules", default="classic", metavar="NAME")
    parser.add_argument("--deals", type=_positive, default=200, help="for a gate the most (default: %(default)s)")
    parser.add_argument("--seed", default="ladder")
    parser.add_argument("--jobs", type=_positive, default=1, help="processes (default: %(default)s)")
    parser.add_argument("--executor", default="processes", help="or dask://HOST:PORT, the scheduler of a cluster")
    parser.add_argument("--seconds", type=float, default=1.0, help="for a move of a program (default: %(default)s)")
    parser.add_argument("--kept", type=Path, help="file of results: a run that was stopped goes on from it")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draws the payoffs with their intervals")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--gate", action="store_true", help="stops when the subject is shown to be better or worse")
    what.add_argument("--league", nargs="+", metavar="PLAYER", help="five or more, rated by whole games among them")
    what.add_argument("--ladder", action="store_true", help="all matches of the ladder; --deals is for its quick ones")
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def run(asked: argparse.Namespace) -> int:
    """0 if all was played, 1 if a name is wrong or a package is missing, 3 where a gate shows nothing better."""
    texts: Texts = asked.texts
    try:
        with _executor(asked) as executor:
            if asked.league:
                return _league(asked, executor)
            return _gate(asked, executor) if asked.gate else _matches(asked, executor)
    except ImportError as error:
        print(texts.say("arena.no_package", package=str(error.name).partition(".")[0]), file=sys.stderr)
    except Malformed as error:
        facts = {"code": error.code, "where": error.where, "value": error.value, "fix": error.fix}
        print(texts.say("arena.broken", **facts), file=sys.stderr)
    return 1


def _executor(asked: argparse.Namespace) -> AbstractContextManager[Any]:
    from chiamata.study.executors import local  # noqa: PLC0415  # heavy, and only wanted here

    if asked.executor.startswith(CLUSTER):
        return _cluster(asked.executor)
    if asked.executor != "processes":
        fix = "Write processes, or dask://host:port for a cluster."
        raise Malformed("UNKNOWN_VALUE", "executor", asked.executor, fix)
    return nullcontext(local(asked.jobs))


def _cluster(address: str) -> AbstractContextManager[Any]:
    from chiamata.study.cluster import Cluster  # noqa: PLC0415  # its package comes with chiamata[study]

    return closing(Cluster(address))


def _match(asked: argparse.Namespace) -> Any:
    from chiamata.study.arena import Match  # noqa: PLC0415

    return Match(asked.subject, asked.field, asked.chairs, asked.rules, asked.seed, asked.seconds)


def _matches(asked: argparse.Namespace, executor: Any) -> int:
    from chiamata.study.arena import Arena, table  # noqa: PLC0415
    from chiamata.study.ladder import matches  # noqa: PLC0415

    arena = Arena(asked.kept, executor)
    wanted = matches(asked.deals, asked.seed) if asked.ladder else [(_match(asked), asked.deals)]
    rows = [arena.play(match, deals) for match, deals in wanted]
    print(table(rows))
    _draw_rows(asked, rows)
    return 0


def _gate(asked: argparse.Namespace, executor: Any) -> int:
    from chiamata.study.arena import Arena, table  # noqa: PLC0415

    verdict, row = Arena(asked.kept, executor).gate(_match(asked), asked.deals)
    print(table([row]))
    print(asked.texts.say(f"arena.gate_{verdict.says}", deals=verdict.deals, mean=f"{verdict.mean:+.3f}"))
    _draw_rows(asked, [row])
    return 0 if verdict.says == "better" else UNDECIDED


def _league(asked: argparse.Namespace, executor: Any) -> int:
    from chiamata.study import ratings  # noqa: PLC0415  # its package comes with chiamata[study]
    from chiamata.study.league import League, play_rounds  # noqa: PLC0415

    league = League(tuple(asked.league), asked.rules, asked.seed, asked.seconds)
    found = ratings.rate(league, play_rounds(league, asked.deals, executor, asked.kept))
    print(ratings.table(found))
    _draw(asked, "OpenSkill ratings above 25, ± two standard deviations", ratings.points(found))
    return 0


def _draw_rows(asked: argparse.Namespace, rows: list[Any]) -> None:
    from chiamata.study.plot import Point  # noqa: PLC0415

    names = [f"{row.match.subject}, {row.match.chairs} among {row.match.field}" for row in rows]
    points = [Point(name, row.difference.payoff, row.within.payoff) for name, row in zip(names, rows, strict=True)]
    _draw(asked, "Payoff a deal above the field's, with 95 % intervals", points)


def _draw(asked: argparse.Namespace, title: str, points: list[Any]) -> None:
    from chiamata.study.plot import svg  # noqa: PLC0415

    if asked.plot is not None:
        asked.plot.write_text(svg(title, points), encoding="utf-8")
