"""The table line by line, for screen readers and pipes: what happens is told in sentences, moves come as text."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Thread
from typing import get_args

from chiamata.doors.terminal import asking, tell
from chiamata.doors.terminal.changes import Change, is_my_cut
from chiamata.doors.terminal.choices import Armed, hint, is_own
from chiamata.doors.terminal.session import Finding, Session
from chiamata.doors.terminal.speech import Speech, capital
from chiamata.server import wire

Asked = Callable[[], Awaitable[str | None]]
"""The next line that the player has written; None when there will be no more."""


class PlainTable:
    """Tells one person's game."""

    def __init__(self, session: Session, speech: Speech, say: Callable[[str], None]) -> None:
        """``say``: takes a line for the reader."""
        self.session = session
        self.speech = speech
        self.say = say
        self._sure: Armed | None = None
        """Was chosen, and wants a yes."""
        self._begun = False
        self._asked: tuple[int, str] | None = None
        """The decision that has been asked for: deal and what is on offer."""
        session.screen = self

    async def play(self, asked: Asked) -> None:
        """Until the player leaves or the house closes the table for good."""
        running = asyncio.ensure_future(self.session.run())
        reading = asyncio.ensure_future(self._read(asked))
        try:
            await asyncio.wait({running, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (running, reading):
                task.cancel()
            for ended in await asyncio.gather(running, reading, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended

    async def _read(self, asked: Asked) -> None:
        while (line := await asked()) is not None:
            if not self.hear(line.strip().lower()):
                return

    # --- what the session tells ------------------------------------------------------------------

    def on_scene(self, happened: list[Change]) -> None:
        """Tells what has happened, and asks for a move where one is due."""
        scene = self.session.scene
        assert scene is not None
        if not self._begun:
            self._begun = True
            self._greet(scene)
        for change in happened:
            if change.what != "turn" and (sentence := self.speech.sentence(change, scene)):
                self.say(sentence)
            if change.what == "dealt" and scene.deal and scene.deal.hand:
                self.say(asking.hand(scene, self.speech))
            if change.what == "ended":
                for line in tell.result(scene, self.speech)[1:]:
                    self.say(line)
        self._ask(scene)

    def _greet(self, scene: wire.Scene) -> None:
        """Where we are, for one who comes to a deal that is running."""
        for part in (self.speech.rules_name(scene.table.rules), self.speech.deal_number(scene)):
            if part:
                self.say(f"{part}.")
        if scene.table.state == "lobby":
            for line in tell.people(scene, self.speech):
                self.say(line)
        if scene.deal is not None and scene.table.state == "playing":
            self.say(f"{self.speech.contract(scene, scene.deal)}.")
            self.say(asking.hand(scene, self.speech))

    def on_no(self, code: str) -> None:
        """A refusal, and the question again."""
        self.say(self.speech.refusal(code))
        self._asked = None
        if self.session.scene:
            self._ask(self.session.scene)

    def on_fair(self, finding: Finding) -> None:
        """How the deal came about, in words."""
        self.say(self.speech.texts.say(f"fair.{finding}"))

    def on_state(self) -> None:
        """The line is lost, or the table is closed."""
        if self.session.state == "lost":
            self.say(self.speech.t("link_lost"))
            self._asked = None
        elif self.session.state == "closed":
            gone = self.session.code == 4003
            self.say(self.speech.t("no_such_table") if gone else self.speech.refusal("TABLE_STOPPED"))
        elif self.session.scene:
            self._ask(self.session.scene)

    # --- asking ----------------------------------------------------------------------------------

    def _ask(self, scene: wire.Scene) -> None:
        """What is to be decided, once for each decision."""
        question = self._question(scene)
        number = scene.deal.number if scene.deal else 0
        key = (number, f"{scene.table.game} {scene.table.state} {question}")
        if question and key != self._asked:
            self._asked = key
            self._sure = None
            for line in question:
                self.say(line)

    def _question(self, scene: wire.Scene) -> list[str]:
        speech, may = self.speech, scene.table.may
        if is_my_cut(scene):
            return [speech.texts.say("play.ask_cut")]
        if scene.table.state in ("lobby", "between", "over"):
            lines = tell.ending(scene, speech) if scene.table.state == "over" else []
            for wish, key in (("sit", "sit"), ("start", "start_with_bots"), ("next", self._next(scene))):
                if wish in may:
                    return [*lines, speech.texts.say("play.ask_enter", what=speech.t(key))]
            return [*lines, hint(scene, speech)] if lines else []
        return asking.question(scene, self.session.may, speech) if scene.deal else []

    @staticmethod
    def _next(scene: wire.Scene) -> str:
        return "rematch" if scene.table.state == "over" else "next_deal"

    # --- hearing ---------------------------------------------------------------------------------

    def hear(self, line: str) -> bool:
        """One line of the player; False where they leave."""
        scene = self.session.scene
        if line in ("q", "quit", "esci"):
            return False
        if scene is None:
            return True
        if (told := self._told(line, scene)) is not None:
            for one in told:
                self.say(one)
        elif self._sure is not None:
            sure, self._sure = self._sure, None
            if line in self.speech.texts.say("play.yes").split():
                self.session.act(sure)
            else:
                self._again(scene)
        elif is_my_cut(scene) and re.fullmatch(r"\d{1,2}", line):
            self.session.cut(min(39, int(line)))
        elif not line:
            self._enter(scene)
        else:
            self._move(line, scene)
        return True

    def _told(self, line: str, scene: wire.Scene) -> list[str] | None:
        """What the player only wants to know; None for anything else."""
        speech, deal = self.speech, scene.deal
        match line:
            case "?":
                return speech.texts.say("play.plain_help").splitlines()
            case "h":
                return [asking.hand(scene, self.speech)]
            case "l":
                return tell.last_trick(scene, speech)
            case "s":
                return tell.sheet(scene, speech)
            case "t":
                shown = tell.trick(deal.trick, scene, speech) if deal and deal.trick else []
                return [*([speech.contract(scene, deal)] if deal else []), *tell.people(scene, speech), *shown]
            case "y":
                return [f"y{n}  {words}" for n, words in enumerate(self._phrases().values(), 1)]
        return None

    def _phrases(self) -> dict[str, str]:
        return {name: self.speech.texts.say(f"phrases.{name}") for name in get_args(wire.Phrase)}

    def _enter(self, scene: wire.Scene) -> None:
        may = scene.table.may
        for wish, do in (("sit", wire.DoSit), ("start", wire.DoStart), ("next", wire.DoNext)):
            if wish in may:
                self.session.send(do)
                return
        self._again(scene)

    def _again(self, scene: wire.Scene) -> None:
        self._asked = None
        self._ask(scene)
        if self._asked is None:
            self.say(hint(scene, self.speech))

    def _move(self, line: str, scene: wire.Scene) -> None:
        if found := re.fullmatch(r"y([1-9])", line):
            self.session.send(wire.DoSay, phrase=list(self._phrases())[int(found[1]) - 1])
            return
        if line == "e" and "end" in scene.table.may:
            self.session.send(wire.DoEnd)
            return
        move = asking.meant(line, scene, self.session.may, self.speech)
        if move is None:
            self.say(self.speech.texts.say("play.not_understood", line=line))
            self._again(scene)
        elif is_own(self.session.may, move) or move.kind == "claim":
            self._sure = move
            warning = self.speech.t("own_warning", card=capital(self.speech.card_name(move.what))) if move.what else ""
            self.say(f"{warning} {self.speech.texts.say('play.sure')}".strip())
        else:
            self.session.act(move)


# --- the terminal ---------------------------------------------------------------------------------


def lines_of_stdin() -> Asked:
    """Reads the terminal in a thread of its own, which does not keep the program from ending."""
    loop, waiting = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def read() -> None:
        # Not through sys.stdin itself: a thread that waits inside it would keep the interpreter from ending.
        rest = b""
        while more := os.read(sys.stdin.fileno(), 4096):
            *whole, rest = (rest + more).split(b"\n")
            for line in whole:
                _hand_over(loop, waiting, line.decode(sys.stdin.encoding, "replace"))
        _hand_over(loop, waiting, rest.decode(sys.stdin.encoding, "replace"))
        _hand_over(loop, waiting, None)

    Thread(target=read, name="stdin", daemon=True).start()
    return waiting.get


def _hand_over(loop: asyncio.AbstractEventLoop, waiting: asyncio.Queue[str | None], line: str | None) -> None:
    with suppress(RuntimeError):  # the game is over, and so is its loop
        loop.call_soon_threadsafe(waiting.put_nowait, line)
