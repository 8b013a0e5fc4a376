"""The ``chiamata`` command.  Each verb imports what it needs when it is asked for, so that every one starts fast."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import chiamata
from chiamata.doors import cli_admin, cli_advise, cli_arena, cli_play, cli_puzzles, cli_rules, cli_verify
from chiamata.rules.errors import Malformed
from chiamata.server.texts import Texts, language_of, languages


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 if it worked, 1 if what it was given is wrong, 2 if it was called wrongly."""
    parser = argparse.ArgumentParser(prog="chiamata", description="Briscola Chiamata for five.")
    parser.add_argument("--version", action="version", version=f"chiamata {chiamata.__version__}")
    parser.add_argument("--language", choices=languages(), help="of what is printed; by default that of $LANG")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    _add_serve(verbs.add_parser("serve", help="start the house: a server with its page"))
    cli_play.add_to(verbs.add_parser("play", help="the table in this terminal, with bots or at somebody's house"))
    cli_admin.add_to(verbs.add_parser("admin", help="the tables of a log, copies of it, whether it holds"))
    cli_rules.add_to(verbs.add_parser("rules", help="list, show, compare and check rule sets"))
    replay = verbs.add_parser("replay", help="tell a written game (or a log) move by move")
    replay.add_argument("file", type=Path, help="a text as in docs/text-form.md, or a log of JSON lines")
    replay.set_defaults(run=_replay)
    cli_advise.add_to(verbs.add_parser("advise", help="what a bot would do in a seat, and why"))
    cli_arena.add_to(verbs.add_parser("arena", help="measures bots against each other on the same deals"))
    cli_puzzles.add_to(verbs.add_parser("puzzles", help="positions with known best moves, for people and levels"))
    cli_verify.add_to(verbs.add_parser("verify", help="deal again from a transcript and say what holds"))
    asked = parser.parse_args(arguments)
    asked.texts = Texts(asked.language or language_of(os.environ.get("LANG", "")))
    try:
        status: int = asked.run(asked)
    except BrokenPipeError:  # the reader has seen enough: `chiamata rules list | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for all (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=8000, help="0 for any free one (default: %(default)s)")
    parser.add_argument("--db", type=Path, default=Path("chiamata.db"), help="file of the log (default: %(default)s)")
    parser.add_argument("--store", metavar="ADDRESS", help="postgresql://… in place of a file")
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="key for what is stored of running deals (default: beside --db)"
    )
    parser.add_argument("--node", default="house", help="this node's name, where several share a store (%(default)s)")
    parser.add_argument("--origin", action="append", default=[], help="address that pages come from, behind a proxy")
    parser.add_argument("--proxy", action="append", default=[], help="address of a proxy whose X-Forwarded-For is true")
    parser.add_argument("--pace", type=float, default=1.0, help="factor on the bots' pauses (default: %(default)s)")
    parser.add_argument("--metrics", type=int, metavar="PORT", help="shows figures for Prometheus on this machine")
    parser.add_argument("--open", action="store_true", help="open the page in this machine's browser")
    parser.set_defaults(run=_serve)


def _serve(asked: argparse.Namespace) -> int:
    from msgspec.structs import replace

    from chiamata.server.leases import NAME
    from chiamata.server.run import Settings, serve

    if asked.open and _has_screen():
        Thread(target=_open_page, args=(asked.host, asked.port), daemon=True).start()
    try:
        store = _store(asked.store, asked.node) if asked.store else None
    except (ImportError, ValueError):
        print(asked.texts.say("admin.no_store"), file=sys.stderr)
        return 1
    if not NAME.fullmatch(asked.node):
        print(asked.texts.say("admin.bad_node", node=asked.node), file=sys.stderr)
        return 1
    settings = Settings(host=asked.host, port=asked.port, db=asked.db, store=store, pace=asked.pace)
    around = {"origins": tuple(asked.origin), "proxies": tuple(asked.proxy), "metrics": asked.metrics, "key": asked.key}
    return serve(replace(settings, **around))


def _store(address: str, node: str) -> Callable[[], Any]:
    """Opens the log on a database, as this node.  ImportError without its driver, ValueError for another address."""
    from chiamata.server.postgres import PostgresLog

    if not address.startswith(("postgresql://", "postgres://")):
        raise ValueError(address)
    return lambda: PostgresLog(address, node)


def _has_screen() -> bool:
    """Without one, a text browser would take the terminal."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def _open_page(host: str, port: int) -> None:
    """Opens the page as soon as the server takes connections; gives up after ten seconds."""
    import webbrowser

    for _ in range(100):
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(f"http://{host}:{port}/")
            return


def _replay(asked: argparse.Namespace) -> int:
    from chiamata.study.review import retell

    texts: Texts = asked.texts
    try:
        text = asked.file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        print(texts.say("replay.unreadable", file=asked.file, reason=reason), file=sys.stderr)
        return 1
    try:
        for told in retell(text):
            print(texts.say(f"replay.{told.key}", **_in_words(told.facts, texts)))
    except Malformed as error:
        facts = {"where": error.where, "code": error.code, "value": repr(error.value), "fix": error.fix}
        print(texts.say("replay.broken", file=asked.file, **facts), file=sys.stderr)
        return 1
    return 0


def _in_words(facts: dict[str, str | int], texts: Texts) -> dict[str, str | int]:
    """The facts with the suit named as people name it."""
    return facts | ({"suit": texts.say(f"cards.suit_{facts['suit']}")} if "suit" in facts else {})


if __name__ == "__main__":
    sys.exit(main())
