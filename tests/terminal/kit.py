"""A table for the terminal's tests that knows no waiting: commands in, Scenes out, bots by dice, the clock by hand."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from textual import events

from chiamata.doors.terminal.app import TableApp
from chiamata.doors.terminal.choices import SUITS
from chiamata.doors.terminal.session import Lost, Session
from chiamata.doors.terminal.speech import Speech
from chiamata.rules.fair import Transcript
from chiamata.rules.moves import Move, Pass
from chiamata.rules.ruleset import RuleSet
from chiamata.server import lines as say
from chiamata.server import table, wire
from chiamata.server.texts import Texts
from tests.server.driver import Driver

_FROM_BROWSER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(wire.FromBrowser)
_ENCODER = msgspec.json.Encoder()
CHARACTERS = {"enter": "\r", "escape": "\x1b", "up": None, "down": None}


class TableLine:
    """A line to a Driver's table, at which Anna sits with four bots.  Bots move by dice, or all pass who may."""

    def __init__(
        self,
        rules: RuleSet | str,
        seed: int = 1,
        *,
        shy: bool = False,
        start: bool = True,
        clock: wire.ClockTag | None = None,
    ) -> None:
        """``shy``: the bots pass where they may, so that Anna wins the auction if she bids."""
        self.driver = Driver(rules, seed, clock)
        self.cuts = False
        """Anna's screen takes part in the deals."""
        self.shy = shy
        self.scenes: list[bytes] = []
        """Every Scene that was sent."""
        self._news: deque[bytes] = deque()
        self._rung = asyncio.Event()
        self.cut_with: int | None = None
        self.driver.must("anna", "sit")
        if start:
            self.driver.must("anna", "start")
            self.go_on()

    def arrival(self) -> say.Arrive:
        """Anna's page opens."""
        return say.Arrive("anna", "Anna", self.cuts)

    async def open(self) -> None:
        self.cut_with = None
        self._rung.clear()
        self._news.clear()
        self.show()

    async def hear(self) -> bytes:
        while not self._news:
            if self.cut_with is not None:
                raise Lost(self.cut_with)
            self._rung.clear()
            await self._rung.wait()
        return self._news.popleft()

    async def send(self, message: bytes) -> None:
        if self.cut_with is not None:
            raise Lost(self.cut_with)
        do = _FROM_BROWSER.decode(message)
        answer = self.driver.do(say.Ask("anna", "Anna", do, "simple", self.cuts)).answer
        self._put(_ENCODER.encode(answer))
        self.show()
        self.go_on()

    async def transcript(self, deal: int) -> Transcript:
        return {one.deal: one for one in table.transcripts(self.driver.state)}[deal]

    def go_on(self) -> None:
        """Bots move until it is Anna's turn."""
        while self.driver.stage == "playing" and self.driver.turn != 0:
            self.driver.move(self._shy_move())
            self.show()

    def _shy_move(self) -> Move | None:
        legal = self.driver.view(self.driver.turn).legal()
        return legal[0] if self.shy and isinstance(legal[0], Pass) else None

    def show(self) -> None:
        """Anna's newest Scene."""
        self.scenes.append(_ENCODER.encode(self.driver.scene("anna")))
        self._put(self.scenes[-1])

    def lose(self, code: int) -> None:
        """The line breaks."""
        self._news.clear()
        self.cut_with = code
        self._rung.set()

    @property
    def idle(self) -> bool:
        return not self._news and self.cut_with is None

    def _put(self, message: bytes) -> None:
        self._news.append(message)
        self._rung.set()


def session_at(line: TableLine, speech: Speech) -> Session:
    """A session that opens a lost line again at once."""
    return Session(line, speech.bot_names, lambda _: 0)


def app_at(line: TableLine, language: str = "en", ascii_only: bool = False) -> TableApp:
    speech = Speech(Texts(language))
    return TableApp(session_at(line, speech), speech, ascii_only)


@asynccontextmanager
async def sitting(app: TableApp, line: TableLine) -> AsyncIterator[None]:
    """The app hears its table and is not on any terminal: what it would draw can be asked of it."""
    running = asyncio.ensure_future(app.session.run())
    await settle(line, app.session)
    try:
        yield
    finally:
        running.cancel()


async def settle(line: TableLine, session: Session) -> None:
    """Until everything that was sent has been answered and heard."""
    while not line.idle or session._waiting or session.state != "open":
        await asyncio.sleep(0)


async def press(app: TableApp, line: TableLine, *keys: str) -> None:
    """Keys into the app's own handler, each with its answer: a whole deal of them takes no time."""
    for key in keys:
        app.on_key(events.Key(key, CHARACTERS.get(key, key)))
        await settle(line, app.session)


def keys_for(app: TableApp, dice: random.Random, bold: bool) -> list[str]:
    """The keys of a random move that is on offer, without the last Enter.

    Args:
        bold: bids rather than passing.
    """
    scene, may, speech = app.session.scene, app.session.may, app.speech
    assert scene is not None
    assert scene.deal is not None
    if may.plays:
        return [str(scene.deal.hand.index(dice.choice(may.plays)) + 1)]
    if may.calls:
        card = dice.choice(may.calls).card
        return [str(SUITS.index(card[-1]) + 1), *([] if _only(may, card) else [_letter(card[:-1], speech)])]
    if may.trumps:
        return [str(SUITS.index(dice.choice(may.trumps)) + 1)]
    if may.may_claim and dice.random() < 0.2:
        return ["m"]
    if may.may_pass and not (bold and may.bids):
        return ["p"]
    bid = dice.choice(may.bids[:4]).say
    if scene.table.rules.auction_kind == "points":
        return ["up", *["up"] * dice.randrange(3)]
    return [_letter(bid.partition("@")[0], speech), *(["up"] if "@" in bid else [])]


def _only(may: wire.Options, card: str) -> bool:
    return sum(call.card[-1] == card[-1] for call in may.calls) == 1


def _letter(rank: str, speech: Speech) -> str:
    letter = speech.rank_letter(rank)
    return "0" if letter == "10" else letter.lower()


async def play_deal(app: TableApp, line: TableLine, dice: random.Random, look: Callable[[], None], bold: bool) -> None:
    """One deal to its end by keys; ``look`` is called at every step."""
    while line.driver.stage == "playing":
        look()
        await press(app, line, *keys_for(app, dice, bold))
        assert app.armed is not None, app.session.may
        look()
        await press(app, line, "enter")
        if is_asked_again(app):
            look()
            await press(app, line, "enter")
    look()


def is_asked_again(app: TableApp) -> bool:
    """Whether a card of Anna's own was called and wants another yes."""
    return app.armed is not None and app.armed.again
