"""All tables of one server: made, found by their codes, loaded from the log when somebody comes, let go after."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgspec

from chiamata.bots import roster
from chiamata.rules.errors import Bug, Illegal, Malformed
from chiamata.rules.fair import Transcript
from chiamata.rules.moves import Move
from chiamata.rules.ruleset import RuleSet
from chiamata.server import lines as say
from chiamata.server import paper, picture, replay, table, wire
from chiamata.server.forgetting import Presence
from chiamata.server.leases import RENEW, Orders
from chiamata.server.log import Conflict, Unwritten
from chiamata.server.page import RESTARTING, STOPPED, UNKNOWN, Page
from chiamata.server.runner import HandOver, House, Join, Part, Runner, Wish
from chiamata.server.window import Window

logger = logging.getLogger("chiamata")

HASTY = "simple"
"""The level that moves for a bot whose pause is over before its thoughts are."""
CODE_LETTERS = "ABCDEFGHJKLMNPRSTWXYZ"
"""Without I, O, Q, U and V, which are taken for others."""
CODE_LENGTH = 5
KEPT_DEALS = 64
"""So many ended deals are kept at hand for those who look at them."""
MANNERS = wire.Manners()
"""What a table allows whose maker says nothing of it."""
GRACE = 5.0
"""Seconds that a table has to finish when the server stops."""
ON_ITS_WAY = 3.0
"""Seconds for which the next one waits for a table that nobody takes: its people may be gone."""
LOOK = 0.1
"""Seconds between two looks whether it was taken."""
OVERDUE = 60.0
"""Seconds from the end of a deal to an alarm if its secret is not open: it is opened with the next line, as a rule."""
ASK_AGAIN = 0.25
"""Seconds between two questions after a table whose node seems to be dead."""


class NoTable(Exception):
    """There is no table with this code here; ``code`` is the WebSocket's close code, ``node`` where it may be."""

    def __init__(self, code: int, node: str = "") -> None:
        super().__init__(code)
        self.code, self.node = code, node


class Workers:
    """Threads in which bots think; compiled players let go of the interpreter's lock while they do."""

    def __init__(self, count: int = 2) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="bot")

    def __call__(self, ask: say.AskBot) -> asyncio.Future[Move]:
        return asyncio.get_running_loop().run_in_executor(self._pool, decide, ask)

    def close(self) -> None:
        """Bots that still think are not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def decide(ask: say.AskBot) -> Move:
    """The move of the bot that was asked: the same question gets the same move."""
    return roster.make(ask.level or roster.DEFAULT).choose(ask.view, random.Random(ask.dice))


def decide_in_haste(ask: say.AskBot) -> Move | None:
    """The move by rules of thumb, in about a tenth of a millisecond; None if even that fails."""
    try:
        return decide(msgspec.structs.replace(ask, level=HASTY))
    except Exception as error:  # whatever breaks a bot must not break the table
        logger.error("the bot in haste failed: %s", type(error).__name__)
        return None


def new_code(chance: Callable[[int], bytes]) -> str:
    """Five letters, each code as likely: bytes beyond the last full round of letters are thrown away."""
    code = ""
    while len(code) < CODE_LENGTH:
        (draw,) = chance(1)
        if draw < 256 - 256 % len(CODE_LETTERS):
            code += CODE_LETTERS[draw % len(CODE_LETTERS)]
    return code


def _is_code(text: str) -> bool:
    return len(text) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in text)


class Hub:
    """The tables that are being served."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._runners: dict[str, Runner] = {}
        self._runs: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._stopped: set[str] = set()
        self._past: OrderedDict[tuple[str, int], replay.Past] = OrderedDict()
        self._closed_since: dict[str, float] = {}
        self._closing = False
        self._orders = Orders()
        self._presence = Presence(house.store)

    async def create(
        self, rules: RuleSet, clock: wire.ClockTag | None, who: str, name: str, manners: wire.Manners = MANNERS
    ) -> str:
        """Makes a table with this guest in its first chair and returns its code.  Raises Unwritten."""
        while True:
            code = new_code(self.house.chance)
            if code in self._runners or await self.house.store.leases.take(code) is not None:
                continue
            made = say.Made(
                0,
                who,
                code=code,
                rules=rules.to_mapping(),
                clock=clock,
                manners=manners,
                secret=self.house.chance(32).hex(),
                wall=int(self.house.wall()),
            )
            sat = say.Sat(0, who, chair=0, name=name)
            try:
                await self.house.store.append(code, 0, [say.encode(made), say.encode(sat)])
            except Conflict as error:
                if await self.house.store.last(code) == 0:  # the lease went, or the log has another writer
                    raise Unwritten(str(error)) from error
                continue
            finally:
                await self.house.store.leases.release(code)
            return code

    async def join(self, code: str, page: Page) -> None:
        """Opens a page at a table.  Raises NoTable."""
        self._presence.enter(page)
        try:
            runner = await self._runner(code)
        except BaseException:
            self._presence.leave(page)
            raise
        runner.inbox.put_nowait(Join(page))

    def part(self, code: str, page: Page) -> None:
        """The page is closed."""
        self._presence.leave(page)
        if code in self._runners:
            self._runners[code].inbox.put_nowait(Part(page))

    def wish(self, code: str, page: Page, do: wire.Command) -> str | None:
        """A command from a page; returns a refusal where it need not go to the table."""
        level = (do.level if isinstance(do, wire.DoBot) else "") or roster.DEFAULT
        if level not in roster.levels():
            return "UNKNOWN_LEVEL"
        if code not in self._runners:
            return "TABLE_STOPPED"
        self._runners[code].inbox.put_nowait(Wish(page, say.Ask(page.who, page.name, do, level, page.cuts)))
        return None

    def forget(self, who: str) -> None:
        """Closes this guest's pages here at once; those who come back come as strangers.  (See ``Store.put``.)"""
        self._presence.forget(who)

    async def facts(self, code: str) -> paper.TableFacts:
        """What somebody with the link may know.  Writes nothing.  Raises NoTable."""
        state = await self.state(code)
        if code in self._runners or await self.house.store.leases.owner(code):
            return picture.facts(state)
        return picture.facts(table.follow(state, say.Opened(state.at)))

    async def past(self, code: str, number: int, who: str = "") -> replay.Past | None:
        """A deal of a table that has ended; None where there is none that this guest may see yet.  Raises NoTable.

        Why there is none does not show in the time that it takes.
        """
        found = self._past.get((code, number))
        if found is None or replay.is_closed(found):
            state = await self.state(code)
            if not 0 < number <= table.finished(state) or not table.may_look(state, number, who):
                return None
        found = found or replay.find(await self._log(code), number)
        if found is not None:
            self._past[code, number] = found
            self._past.move_to_end((code, number))
            if len(self._past) > KEPT_DEALS:
                self._past.popitem(last=False)
        return found

    async def state(self, code: str) -> table.State:
        """The table as it is now, whichever node serves it.  Raises NoTable."""
        is_here = code in self._runners and self.house.store.leases.holds(code)
        return self._runners[code].state if is_here else await self._read(code)

    async def games(self, code: str) -> paper.Games:
        """The sheets of a table's games.  Raises NoTable."""
        return replay.games(await self._log(code))

    async def transcripts(self, code: str, who: str = "") -> tuple[Transcript, ...]:
        """How the ended deals of a table came about that this guest may see.  Raises NoTable."""
        state = await self.state(code)
        return tuple([one for one in table.transcripts(state) if table.may_look(state, one.deal, who)])

    async def keep(self) -> None:
        """Renews the leases for ever, does what the others ask of this node, and forgets whom they forget."""
        leases = self.house.store.leases
        self._presence.heed()
        while True:
            await asyncio.sleep(RENEW)
            try:
                self._orders = await leases.renew()
            except Unwritten:
                continue  # with its lease run out, a table tells nothing
            for code, runner in self._runners.items():
                if code in self._orders.moves or not leases.holds(code):
                    runner.inbox.put_nowait(HandOver(self._orders.moves.get(code, "")))

    async def close(self, grace: float = GRACE) -> None:
        """Finishes what is in the inboxes, then hands every table over to the other nodes, or closes its pages.

        Args:
            grace: seconds for a table that waits for a disk which refuses; then it is left as the log has it.
        """
        self._closing = True
        try:
            await self.house.store.leases.leave()
        except Unwritten:
            logger.warning("the other nodes do not know that this one stops")
        window = Window()
        async with asyncio.TaskGroup() as under_way:
            for number, (code, runner) in enumerate(list(self._runners.items())):
                await window.room()
                under_way.create_task(self._hand_over(window, runner, self._elsewhere(number), code))
        if self._runs:
            _, waiting = await asyncio.wait(self._runs, timeout=grace)
            for run in waiting:
                run.cancel()

    async def _hand_over(self, window: Window, runner: Runner, node: str, code: str) -> None:
        """Sends a table's pages to another node, and sees how long it takes until the table is there."""
        runner.inbox.put_nowait(HandOver(node))
        begun, took = self.house.time(), None
        try:
            while node and runner.pages and took is None and self.house.time() < begun + ON_ITS_WAY:
                await asyncio.sleep(LOOK)
                if await self.house.store.leases.owner(code):
                    took = self.house.time() - begun
        except Unwritten:
            pass  # it goes by itself
        window.landed(took)

    def _elsewhere(self, number: int) -> str:
        """One of the other nodes, in turn; '' if there is none."""
        others = self._orders.others
        return others[number % len(others)] if others else ""

    @property
    def leaving(self) -> bool:
        """Whether somebody has asked that this node stop."""
        return self._orders.leaving

    @property
    def closing(self) -> bool:
        """Whether no table is opened any more."""
        return self._closing

    @property
    def unopened(self) -> int:
        """How many secrets of served tables are sealed and not yet open: a deal on its way or running has one."""
        states = [runner.state for runner in self._runners.values()]
        return sum(state.opening is not None or table.stage_of(state) == "playing" for state in states)

    def overdue(self) -> int:
        """How many secrets should be open and are not: the deal was over already when this was asked OVERDUE ago."""
        now, before = self.house.time(), self._closed_since
        late = [code for code, run in self._runners.items() if run.state.sealed and table.is_told(run.state)]
        self._closed_since = {code: before.get(code, now) for code in late}
        return sum(now - since >= OVERDUE for since in self._closed_since.values())

    @property
    def served(self) -> int:
        """How many tables are loaded."""
        return len(self._runners)

    async def _runner(self, code: str) -> Runner:
        while code not in self._runners:
            if code not in self._loading:  # five pages that come at once have one table read for them
                self._loading[code] = asyncio.get_running_loop().create_task(self._load(code), name=f"load {code}")
                self._loading[code].add_done_callback(lambda done: self._loaded(code, done))
            await asyncio.shield(self._loading[code])
        return self._runners[code]

    def _loaded(self, code: str, load: asyncio.Task[None]) -> None:
        del self._loading[code]
        if not load.cancelled():
            load.exception()  # those who wait have it; they may be gone

    async def _load(self, code: str) -> None:
        """Takes a table, reads it and starts it; not if its lease went while it was being read.  Raises NoTable."""
        if self._closing:
            raise NoTable(RESTARTING, self._elsewhere(sum(code.encode())))
        if not _is_code(code) or await self.house.store.last(code) == 0:
            raise NoTable(UNKNOWN)
        await self._take(code)
        leases = self.house.store.leases
        try:
            state = await self._read(code)
            if leases.holds(code) and not self._closing:
                self._start(code, state)
        finally:
            if code not in self._runners:
                await leases.release(code)

    async def _take(self, code: str) -> None:
        """Makes the table this node's.  Raises NoTable with the name of the node that has it.

        One that is likely dead is not named: this node waits until its lease has run out.
        """
        while (owner := await self.house.store.leases.take(code)) is not None:
            if not owner.late:
                raise NoTable(RESTARTING, owner.node)
            await asyncio.sleep(ASK_AGAIN)

    def _start(self, code: str, state: table.State) -> None:
        runner = Runner(self.house, state, lambda: self._forget(code))
        self._runners[code] = runner
        run = asyncio.get_running_loop().create_task(runner.run(), name=f"table {code}")
        self._runs.add(run)
        run.add_done_callback(self._runs.discard)

    def _forget(self, code: str) -> None:
        if self._runners.pop(code).broken:
            self._stopped.add(code)

    async def _log(self, code: str) -> list[bytes]:
        try:
            log = await self.house.store.read(code) if _is_code(code) else []
        except Malformed as error:
            raise _unreadable(code, error) from None
        if not log:
            raise NoTable(UNKNOWN)
        if code in self._stopped:
            raise NoTable(STOPPED)
        return log

    async def _read(self, code: str) -> table.State:
        log = await self._log(code)
        try:
            return table.fold(log)
        except (Malformed, Illegal, Bug) as error:
            raise _unreadable(code, error) from None


def _unreadable(code: str, error: Malformed | Illegal | Bug) -> NoTable:
    """What whoever comes is told, once the house's people have been told why."""
    logger.error("table %s cannot be read: %s", code, type(error).__name__ if isinstance(error, Bug) else error.code)
    return NoTable(STOPPED)


def wall_clock() -> float:
    """Seconds since 1970: for dates only, never for intervals."""
    return time.time()
