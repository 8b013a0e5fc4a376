"""A house under simulated time: a loop whose clock jumps, a log in memory that can fail, people with bad networks."""

from __future__ import annotations

import asyncio
import hashlib
import random
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec

from chiamata.rules.fair import Terms, check, commitment_of, is_chain
from chiamata.rules.moves import Move
from chiamata.server import lines as say
from chiamata.server import table, wire
from chiamata.server.hub import Hub, NoTable
from chiamata.server.leases import Alone, Leases
from chiamata.server.log import Conflict, Store, Unwritten
from chiamata.server.page import Closed, Page
from chiamata.server.runner import House
from tests.server.driver import KINDS

T = TypeVar("T")


class _Jump(selectors.DefaultSelector):
    """Instead of waiting, time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.threads and timeout != 0:
            return super().select(None)
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "everybody waits for everybody"
            self.now = round(self.now + timeout, 9)  # sums of fractions must not depend on how often time jumped
        return ready


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop in which an hour takes no time.

    While ``threads`` is not 0, something is waited for that takes real time and no simulated time.
    """

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now

    @property
    def threads(self) -> int:
        return self._jump.threads

    @threads.setter
    def threads(self, number: int) -> None:
        self._jump.threads = number


def simulate(deed: Coroutine[Any, Any, T]) -> T:
    """Runs this under simulated time."""
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(deed)


class MemoryLog:
    """A Store in memory.

    Args:
        fault: given the number of each append (1, 2, …), what goes wrong: ``refuse`` (the disk
            takes nothing), ``crash before`` or ``crash after`` it is stored (nobody is told, for ever).
    """

    def __init__(self, fault: Callable[[int], str] = lambda _: "") -> None:
        self.books: dict[str, list[bytes]] = {}
        self.notes: dict[str, bytes] = {}
        self.fault = fault
        self.appends = 0
        self.dice = random.Random(1)
        """The house's source of chance: one seed, one game."""
        self.broken = ""
        self.leases: Leases = Alone()
        self.crashed = asyncio.Event()

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        self.appends += 1
        fault = self.fault(self.appends)
        await asyncio.sleep(0.002)  # a sync
        if fault == "refuse":
            raise Unwritten("full")
        if fault != "crash before":
            known = self.books.setdefault(book, [])
            if len(known) != prev:
                raise Conflict(f"{book} ends with line {len(known)}, not {prev}")
            known.extend(lines)
        if fault.startswith("crash"):
            self.crashed.set()
            await asyncio.get_running_loop().create_future()

    async def read(self, book: str) -> list[bytes]:
        return list(self.books.get(book, []))

    async def last(self, book: str) -> int:
        return len(self.books.get(book, []))

    async def put(self, key: str, value: bytes) -> None:
        self.notes[key] = value

    async def get(self, key: str) -> bytes | None:
        return self.notes.get(key)

    def heed(self, deed: Callable[[str], None]) -> None:
        return

    def close(self) -> None:
        return


def think_at_once(ask: say.AskBot) -> asyncio.Future[Move]:
    """A random legal move; the same question gets the same answer."""
    thought: asyncio.Future[Move] = asyncio.get_running_loop().create_future()
    thought.set_result(random.Random(ask.dice).choice(ask.view.legal()))
    return thought


def house_on(store: Store, think: Callable[[say.AskBot], asyncio.Future[Move]] = think_at_once) -> House:
    """A house under the running loop's time."""
    chance = store.dice.randbytes if isinstance(store, MemoryLog) else random.Random(2).randbytes
    return House(store, think, asyncio.get_running_loop().time, lambda: 1.8e9, chance)


class World:
    """One table of one house, which may crash; a new one then stands on the same log."""

    def __init__(self, store: MemoryLog) -> None:
        self.store = store
        self.hub = Hub(house_on(store))
        self.code = ""
        self.crashes = 0
        self._watch = asyncio.ensure_future(self._restart())

    async def _restart(self) -> None:
        while True:
            await self.store.crashed.wait()
            self.crashes += 1
            for run in list(self.hub._runs):
                run.cancel()
            self.store.crashed = asyncio.Event()
            self.hub = Hub(house_on(self.store))

    async def end(self) -> None:
        """Closes the house once a crash that is under way is over."""
        self.store.fault = lambda _: ""
        await asyncio.sleep(1)
        self._watch.cancel()
        await self.hub.close()

    @property
    def state(self) -> table.State:
        """As the log has it."""
        return table.fold(self.store.books[self.code])


class Faults(msgspec.Struct, frozen=True):
    """How often a message gets lost, is sent twice, answers an old scene; how often a page is closed for a while."""

    lost: float = 0.0
    twice: float = 0.0
    stale: float = 0.0
    away: float = 0.0
    absence: float = 20.0


class Chooser:
    """What somebody at a table does about the newest scene, or now and then about the one before it."""

    def __init__(self, who: str, seed: int, stale: float = 0.0, cuts: bool = False) -> None:
        """``stale``: how often they answer an old scene.  ``cuts``: takes part in the deals."""
        self.who, self.stale, self.cuts = who, stale, cuts
        self.dice = random.Random(f"{who}{seed}")
        self.scene: wire.Scene | None = None
        self.old: wire.Scene | None = None
        self.sent = 0

    def _wish(self) -> wire.Command | None:
        """What this person does about the newest scene (or, by mistake, about an older one)."""
        scene = self.scene
        if scene is None:
            return None
        fresh = scene
        if self.old is not None and self.dice.random() < self.stale:
            scene = self.old
        verb, fields = self._choice(scene, fresh)
        if not verb:
            return None
        self.sent += 1
        return KINDS[verb](id=f"{self.who}{self.sent}", v=scene.v, **fields)

    def _choice(self, scene: wire.Scene, fresh: wire.Scene) -> tuple[str, dict[str, Any]]:
        may = fresh.table.may
        if scene.fair is not None and scene.fair.step in ("sealing", "opening") and self.cuts:
            return self._part(scene, scene.fair)
        for verb in ("sit", "start", "next"):
            if verb in may:
                return verb, {}
        options = scene.deal.options if scene.deal is not None else wire.Options()
        if scene.deal is None or scene.deal.turn != scene.table.you:
            return "", {}
        choices: list[tuple[str, dict[str, Any]]] = [("pass", {})] if options.may_pass else []
        choices += [("bid", {"say": bid.say}) for bid in options.bids[:2]]
        choices += [("call", {"card": call.card}) for call in options.calls]
        choices += [("play", {"card": card}) for card in options.plays]
        choices += [("trump", {"suit": suit}) for suit in options.trumps]
        return self.dice.choice(choices) if choices else ("", {})

    def _part(self, scene: wire.Scene, seen: wire.FairScene) -> tuple[str, dict[str, Any]]:
        """What is missing of this person's part in the deal on its way."""
        me = scene.table.you
        if me is None or me not in seen.waits_for:
            return "", {}
        a, b, c, d, e = seen.seats
        terms = Terms(
            scene.table.code,
            seen.deal,
            bytes.fromhex(scene.table.rules.fingerprint),
            (a, b, c, d, e),
            seen.dealer,
            bytes.fromhex(seen.previous),
        )
        seat, share = seen.chairs.index(me), hashlib.sha256(f"{self.who} {seen.deal}".encode()).digest()
        if seen.step == "opening":
            return "share", {"share": share.hex()}
        if not seen.commitments[seat]:
            return "commit", {"hash": commitment_of(terms, seat, share).hex()}
        return "cut", {"cut": self.dice.randrange(40)}


class Person(Chooser):
    """Plays by what the scenes offer, over a bad network, and keeps a journal."""

    def __init__(self, world: World, who: str, faults: Faults, seed: int, cuts: bool = False) -> None:
        """``cuts``: takes part in the deals."""
        super().__init__(who, seed, faults.stale, cuts)
        self.world, self.faults = world, faults
        self.acked: dict[str, int] = {}
        self.versions: list[int] = []
        self.promises: set[tuple[int, str]] = set()
        """(Deal, the house's promise), as told before the cards or with them."""
        self.pending: wire.Command | None = None
        self.crashes = -1

    async def live(self) -> None:
        """Until the game is over."""
        while self.scene is None or self.scene.table.state != "over":
            hub, self.crashes = self.world.hub, self.world.crashes
            page = Page(self.who, self.who.title(), self.cuts)
            try:
                await hub.join(self.world.code, page)
                await self._read(hub, page)
            except (Closed, NoTable):
                await asyncio.sleep(1)
            hub.part(self.world.code, page)

    async def _read(self, hub: Hub, page: Page) -> None:
        while self.world.crashes == self.crashes and self.world.hub is hub:
            try:
                async with asyncio.timeout(5):
                    texts = await page.next()
            except TimeoutError:
                texts = []
            for text in texts:
                self._hear(msgspec.json.decode(text, type=wire.ToBrowser))
            if self.scene is not None and self.scene.table.state == "over":
                return
            if self.dice.random() < self.faults.away:
                hub.part(self.world.code, page)
                await asyncio.sleep(self.dice.uniform(0, self.faults.absence))
                return
            await asyncio.sleep(self.dice.uniform(0, 0.3))
            self._speak(hub, page)

    def _hear(self, message: wire.ToBrowser) -> None:
        match message:
            case wire.Scene():
                self.old, self.scene = self.scene, message
                self.versions.append(message.v)
                if message.fair is not None:
                    self.promises.add((message.fair.deal, message.fair.commitment))
            case wire.Ack(id=ident, v=v):
                assert self.acked.setdefault(ident, v) == v, "one command, two answers"
                self._answered(ident)
            case wire.No(id=ident):
                assert ident not in self.acked, "granted and refused"
                self._answered(ident)

    def _answered(self, ident: str) -> None:
        if self.pending is not None and self.pending.id == ident:
            self.pending = None

    def _speak(self, hub: Hub, page: Page) -> None:
        """Sends the command that waits for its answer again, or a new one."""
        self.pending = self.pending or self._wish()
        if self.pending is None or self.dice.random() < self.faults.lost:
            return
        for _ in range(2 if self.dice.random() < self.faults.twice else 1):
            hub.wish(self.world.code, page, self.pending)


def judge(world: World, people: list[Person]) -> None:
    """The log against the journals: nothing acknowledged is lost, nothing is done twice, no version runs back."""
    log = [say.decode(line) for line in world.store.books[world.code]]
    asked = [(line.who, line.id) for line in log if line.id]
    assert len(asked) == len(set(asked)), "done twice"
    place = {key: number for number, key in enumerate([(line.who, line.id) for line in log], 1) if key[1]}
    for person in people:
        for ident, v in person.acked.items():
            if (person.who, ident) in place:  # (an Ack of what was so already has no line)
                assert place[person.who, ident] <= v <= len(log), "lost"
        assert person.versions == sorted(person.versions), "a scene from the past"
        assert max(person.versions) <= len(log), "told before it was written"
    judge_deals(world, people)
    assert [line.at for line in log] == sorted(line.at for line in log), "time ran back"


def judge_deals(world: World, people: list[Person]) -> None:
    """Every secret that was sealed is open once its deal has ended, it is the one that was promised, and all holds."""
    state = world.state
    running = state.opening is not None or table.stage_of(state) == "playing"
    sealed = sum(b'"do":"sealed"' in line for line in world.store.books[world.code])
    opened = table.transcripts(state)
    assert len(opened) == sealed - running, "a promise that was never opened"
    assert all(all(check(one).values()) for one in opened), "a promise that was not kept"
    assert is_chain(opened)
    promised = {(one.deal, one.commitment) for one in opened}
    for person in people:
        assert len(person.promises - promised) <= running, "a promise that was replaced"
