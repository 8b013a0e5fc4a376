"""Puts a way to a table and a screen together, and lets somebody play."""

from __future__ import annotations

import argparse
import asyncio
import locale
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from chiamata.bots import roster
from chiamata.doors import cli_rules
from chiamata.doors.terminal import lines
from chiamata.doors.terminal.kept import Cookies, folder
from chiamata.doors.terminal.plain import PlainTable, lines_of_stdin
from chiamata.doors.terminal.session import Line, Session
from chiamata.doors.terminal.signs import is_ascii, to_ascii
from chiamata.doors.terminal.speech import Speech
from chiamata.rules.errors import Malformed
from chiamata.server.guests import clean_name

Way = Callable[[], AbstractAsyncContextManager[Line]]
"""Opens the way to a table."""


def play(asked: argparse.Namespace) -> int:
    """0 when the player has left, 1 where the rules cannot be read (and it is printed why).

    Raises:
        Malformed: another option cannot be followed, the house of ``--at`` does not let us in, or there is no
            terminal to draw on.
        ModuleNotFoundError: Textual is not there, and the table is to be drawn.
    """
    speech = Speech(asked.texts, asked.suits)
    way = way_to(asked)
    if way is None:
        return 1
    ascii_only = asked.ascii or is_ascii(sys.stdout.encoding) or is_ascii(locale.getencoding())
    if asked.plain:
        asyncio.run(tell(way, speech, ascii_only))
        return 0
    from chiamata.doors.terminal.app import TableApp  # noqa: PLC0415 -- Textual is an extra

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Malformed("NO_TERMINAL", "stdout", "", "")

    async def show() -> None:
        async with way() as line:
            await TableApp(Session(line, speech.bot_names), speech, ascii_only).run_async()

    asyncio.run(show())
    return 0


async def tell(way: Way, speech: Speech, ascii_only: bool) -> None:
    """The table line by line."""

    def say(text: str) -> None:
        print(to_ascii(text) if ascii_only else text, flush=True)

    async with way() as line:
        await PlainTable(Session(line, speech.bot_names), speech, say).play(lines_of_stdin())


def way_to(asked: argparse.Namespace) -> Way | None:
    """How the table is reached.  None, and it is printed why, for rules that cannot be read.  Raises Malformed."""
    name = clean_name(asked.name or asked.texts.say("ui.guest"))
    if asked.at:
        table = lines.Away.from_text(asked.at)
        cookies = Cookies(folder() / "guests.json")
        return lambda: lines.there(table, name, cookies)
    if asked.level not in roster.levels():
        raise Malformed("UNKNOWN_BOT", "level", asked.level, ", ".join(roster.levels()))
    rules = cli_rules.find(asked.texts, asked.rules)
    return None if rules is None else lambda: lines.at_home(rules, asked.level, name, asked.pace)
