"""Runs one table: one inbox, one writer; append, then tell.

Commands, pages that come and go, timers and bots' answers all pass through the
inbox, one after the other.  A command's lines are on disk before anybody hears
of them.  A table that breaks is stopped; the other tables do not notice.
"""

from __future__ import annotations

import asyncio
import logging
import os
import traceback
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from chiamata.rules.moves import Move
from chiamata.server import deciding, picture, seating, table, wire
from chiamata.server import lines as say
from chiamata.server.log import Conflict, Store, Unwritten
from chiamata.server.page import RESTARTING, STOPPED, Page, TableClock

logger = logging.getLogger("chiamata")

RETRY = 1.0
"""Seconds until a table tries again after the disk refused."""
LATE = 10.0
"""Seconds that a bot may think where no pause is set (pace 0)."""
KEPT_REFUSALS = 64

_ENCODER = msgspec.json.Encoder()


Thinker = Callable[[say.AskBot], asyncio.Future[Move]]
"""Where bots think: gives the move to come; the future fails if the bot does."""


class House(msgspec.Struct, frozen=True):
    """What every table of a server shares.

    Args:
        think: where bots think.
        in_haste: the move of a bot that was late or failed, made at once; None leaves it to the table.
        pace: factor on bots' pauses: 1 as people like it, 0 for tests.
        time: monotonic seconds.
        wall: seconds since 1970.
        chance: so many bytes from the operating system's source of chance.
    """

    store: Store
    think: Thinker
    time: Callable[[], float]
    wall: Callable[[], float]
    chance: Callable[[int], bytes] = os.urandom
    pace: float = 1.0
    in_haste: Callable[[say.AskBot], Move | None] = lambda ask: None


class Join(msgspec.Struct, frozen=True):
    """A page opened."""

    page: Page


class Part(msgspec.Struct, frozen=True):
    """A page closed."""

    page: Page


class Wish(msgspec.Struct, frozen=True):
    """A command that came through a page."""

    page: Page
    ask: say.Ask


class HandOver(msgspec.Struct, frozen=True):
    """The end of the run: the table is let go, and its pages come back to this node, or to any."""

    node: str = ""


class Release(msgspec.Struct, frozen=True):
    """A bot's pause is over."""

    turn: int


Item = Join | Part | Wish | Release | HandOver | say.Command
"""What the inbox holds."""


class Runner:
    """A table that is being served."""

    def __init__(self, house: House, state: table.State, forget: Callable[[], None]) -> None:
        """``forget`` is called when nobody is here any more and nothing is left to do."""
        self.house = house
        self.state = state
        self.inbox: asyncio.Queue[Item] = asyncio.Queue()
        self.pages: list[Page] = []
        self.broken = False
        self._told_of = 0
        self._forget = forget
        self._clock = TableClock(house.time, state.at)
        self._timers: list[asyncio.TimerHandle] = []
        self._asked: say.AskBot | None = None
        self._release_at = 0.0
        self._thought: asyncio.Future[Move] | None = None
        self._refused: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self.inbox.put_nowait(say.Open(int(house.wall())))

    async def run(self) -> None:
        """Serves the table until it is closed, forgotten or broken."""
        try:
            while not isinstance(item := await self.inbox.get(), HandOver):
                await self._take(item)
                if self._is_done():
                    self._forget()
                    await self._let_go()
                    return
            await self._stop(RESTARTING, item.node)
        except Conflict:
            logger.error("table %s: another writer has it", self.state.code)
            await self._stop(RESTARTING)
        except Exception as error:  # whatever breaks a table must not break the others
            where = traceback.extract_tb(error.__traceback__)[-1]
            logger.error(
                "table %s stopped: %s at %s:%s", self.state.code, type(error).__name__, where.name, where.lineno
            )
            await self._stop(STOPPED)

    async def _stop(self, code: int, node: str = "") -> None:
        """Lets the table go, and only then closes its pages: whoever comes back finds it free."""
        self.broken = code == STOPPED
        self._cancel_timers()
        await self._let_go()
        self._forget()
        while not self.inbox.empty():
            if isinstance(item := self.inbox.get_nowait(), Join):
                self.pages.append(item.page)
        for page in self.pages:
            page.close(code, node)

    async def _let_go(self) -> None:
        try:
            await self.house.store.leases.release(self.state.code)
        except Unwritten:
            logger.warning("table %s: its lease is left to run out", self.state.code)

    async def _check_lease(self) -> None:
        """Before anything is told: another node may already play on.  Raises Conflict."""
        if not await self.house.store.leases.confirm(self.state.code):
            raise Conflict(f"the lease of {self.state.code} has run out")

    def _is_done(self) -> bool:
        return not self.pages and self.inbox.empty() and not table.is_awake(self.state)

    async def _take(self, item: Item) -> None:
        match item:
            case Join(page):
                self.pages.append(page)
                if not await self._do(say.Arrive(page.who, page.name, page.cuts)):
                    await self._check_lease()
                    self._show([page])
                await self._count()
            case Part(page):
                if page in self.pages:
                    self.pages.remove(page)
                    await self._do(self._presence(page.who, page.name))
                    await self._count()
            case Wish(page, ask):
                await self._grant(page, ask)
            case Release(turn):
                await self._release(turn)
            case HandOver():
                raise AssertionError("the end of the run is not taken")
            case _:
                await self._do(item)

    def _presence(self, who: str, name: str) -> say.Command:
        """Whether this guest has a page open here, as the table must hear it."""
        pages = [page for page in self.pages if page.who == who]
        return say.Arrive(who, name, any(page.cuts for page in pages)) if pages else say.Leave(who)

    async def _grant(self, page: Page, ask: say.Ask) -> None:
        """A person's command.  One that was refused is refused again when it is sent again."""
        key = (ask.who, ask.do.id)
        if key not in self._refused:
            await self._do(ask, page)
        else:
            await self._check_lease()
            page.put(self._refused[key])

    async def _do(self, command: say.Command, page: Page | None = None) -> bool:
        """Decides, appends, and only then goes on and tells.  Returns whether anything was written."""
        outcome = deciding.handle(self.state, command, self._clock.now())
        if outcome.lines:
            try:
                await self.house.store.append(self.state.code, self.state.v, list(outcome.lines))
            except Unwritten:
                await self._recover(command, page)
                return False
        await self._check_lease()
        self.state = outcome.state
        self._clock.go(table.is_awake(self.state))
        if page is not None and outcome.answer is not None:
            self._answer(page, command, outcome.answer)
        if outcome.needs_deal:  # nobody need see the moment between
            return await self._do(say.DealNow(self.house.chance(32)))
        if outcome.lines:
            self._show(self.pages)
        self._arm(outcome)
        return bool(outcome.lines)

    def _answer(self, page: Page, command: say.Command, answer: wire.Ack | wire.No) -> None:
        text = _ENCODER.encode(answer)
        if isinstance(answer, wire.No) and isinstance(command, say.Ask):
            self._refused[command.who, answer.id] = text
            if len(self._refused) > KEPT_REFUSALS:
                self._refused.popitem(last=False)
        page.put(text)

    async def _recover(self, command: say.Command, page: Page | None) -> None:
        """The disk refused: nobody was told, and nothing is believed until the log has been read again."""
        if page is not None and isinstance(command, say.Ask):
            page.put(_ENCODER.encode(wire.No(command.do.id, "NOT_SAVED")))
        self._cancel_timers()
        while True:
            try:
                if await self.house.store.last(self.state.code) != self.state.v:
                    self.state = table.fold(await self.house.store.read(self.state.code))
                break
            except Unwritten:
                await asyncio.sleep(RETRY)
        await self._check_lease()
        self._show(self.pages)
        self._after(RETRY, say.Tick())
        for place in self.state.places:
            if place.who:
                self._after(RETRY, self._presence(place.who, place.name))

    def _show(self, pages: list[Page]) -> None:
        """The newest scene for each of these pages; pages of one person share theirs, and so do watchers."""
        if not pages:
            return
        watchers = self._looking_on()
        if pages is self.pages:
            self._told_of = watchers
        gallery = picture.Gallery(self.state, self._clock.now(), self.house.pace, watchers)
        scenes: dict[str, bytes] = {}
        for page in pages:
            who = page.who if self._sits(page) else ""
            if who not in scenes:
                scenes[who] = _ENCODER.encode(gallery.scene(who))
            page.show(scenes[who])

    def _sits(self, page: Page) -> bool:
        return seating.chair_of(self.state.places, page.who) >= 0

    def _looking_on(self) -> int:
        """How many look on without a chair; a guest with two pages is one, a page without a cookie is one."""
        return len({page.who or id(page) for page in self.pages if not self._sits(page)})

    async def _count(self) -> None:
        """Tells everybody once the number of those who look on has changed."""
        if self._looking_on() != self._told_of:
            await self._check_lease()
            self._show(self.pages)

    # --- timers and bots -------------------------------------------------------------------------

    def _arm(self, outcome: deciding.Outcome) -> None:
        """Sets the timers anew.  While the table sleeps there are none."""
        self._cancel_timers()
        if not table.is_awake(self.state):
            self._asked = None
            return
        if outcome.wake is not None:
            self._after(max(0, outcome.wake - self._clock.now()) / 1000, say.Tick())
        if outcome.ask_bot is not None:
            self._ask_bot(outcome.ask_bot)

    def _ask_bot(self, ask: say.AskBot) -> None:
        """Lets a bot think; its move is released when its pause is over, ready or not."""
        if self._asked is None or self._asked.turn != ask.turn:
            self._asked = ask
            self._release_at = self._clock.now() + ask.pause * self.house.pace
            self._thought = self.house.think(ask)
            if not self.house.pace:
                self._thought.add_done_callback(lambda _: self.inbox.put_nowait(Release(ask.turn)))
                self._release_at += LATE * 1000
        self._after(max(0.0, self._release_at - self._clock.now()) / 1000, Release(ask.turn))

    async def _release(self, turn: int) -> None:
        ask, thought = self._asked, self._thought
        if ask is None or turn != ask.turn or thought is None:
            return
        self._asked = self._thought = None
        if thought.done() and not thought.cancelled() and thought.exception() is None:
            move: Move | None = thought.result()
        else:
            logger.warning("table %s: a bot was late or failed at line %s", self.state.code, turn)
            move = self.house.in_haste(ask)
        await self._do(say.BotSays(turn, move))

    def _after(self, seconds: float, item: Item) -> None:
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(seconds, self.inbox.put_nowait, item))

    def _cancel_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
