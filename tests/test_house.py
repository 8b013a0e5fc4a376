"""Table, hub and log together under simulated time: bad networks, crashes, full disks, sleeping and broken tables."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import Any

import msgspec
import pytest

from chiamata.rules import catalogue
from chiamata.rules.moves import Move
from chiamata.rules.ruleset import RuleSet
from chiamata.server import deciding, pace, picture, table, wire
from chiamata.server import lines as say
from chiamata.server.hub import Hub, NoTable, decide_in_haste
from chiamata.server.log import Unwritten
from chiamata.server.page import RESTARTING, STOPPED, TOO_SLOW, WAITING, Closed, Page
from tests.server.driver import KINDS, rules_with
from tests.server.simulated import Faults, MemoryLog, Person, World, house_on, judge, simulate

SHORT = rules_with("quick", session={"deals": 1, "allowed": None})
"""One deal."""


async def play(world: World, people: int, faults: Faults, seed: int, rules: RuleSet = SHORT) -> list[Person]:
    """A game of so many people and bots, to its end."""
    world.code = await world.hub.create(rules, None, "p0", "P0")
    guests = [Person(world, f"p{n}", faults, seed, cuts=(seed + n) % 3 > 0) for n in range(people)]
    async with asyncio.timeout(40_000):
        await asyncio.gather(*[guest.live() for guest in guests])
    await world.end()
    judge(world, guests)
    return guests


@pytest.mark.parametrize("name", ["classic", "quick", "trattoria", "family-blind", "first-trick-blind", "brisk-draw"])
def test_games_over_bad_networks(name: str) -> None:
    rules = rules_with(name, session={"kind": "deals", "deals": 3, "allowed": None})

    async def deed(seed: int) -> None:
        world = World(MemoryLog())
        world.store.dice.seed(seed)
        faults = Faults(lost=0.2, twice=0.2, stale=0.2, away=0.02, absence=120)
        guests = await play(world, 1 + seed % 5, faults, seed, rules)
        assert table.stage_of(world.state) == "over"
        assert all(guest.acked for guest in guests[:1])

    for seed in range(4):
        simulate(deed(seed))


def appends_of_a_deal(rules: RuleSet) -> int:
    async def deed() -> int:
        store = MemoryLog()
        await play(World(store), 2, Faults(), 7, rules)
        return store.appends

    return simulate(deed())


@pytest.mark.parametrize("phase", ["crash before", "crash after"])
@pytest.mark.parametrize("name", ["quick", "classic", "first-trick-blind"])
def test_a_crash_at_every_event(name: str, phase: str) -> None:
    rules = rules_with(name, session={"kind": "deals", "deals": 1, "allowed": None})

    async def deed(moment: int) -> int:
        world = World(MemoryLog(lambda number: phase if number == moment else ""))
        await play(world, 2, Faults(), 7, rules)
        assert table.stage_of(world.state) == "over"
        return world.crashes

    events = appends_of_a_deal(rules)
    assert events > 45
    crashes = [simulate(deed(moment)) for moment in range(2, events - 1)]
    assert sum(crashes) >= events - 5


def test_many_crashes_and_refusals_over_bad_networks() -> None:
    async def deed(seed: int) -> None:
        dice = random.Random(seed)
        kinds = ["refuse", "crash before", "crash after"]
        world = World(MemoryLog(lambda n: dice.choice(kinds) if n > 1 and dice.random() < 0.08 else ""))
        world.store.dice.seed(seed)
        await play(world, 3, Faults(lost=0.1, twice=0.2, stale=0.1, away=0.01), seed)

    for seed in range(12):
        simulate(deed(seed))


class Table:
    """A table with a page or more, driven by hand."""

    def __init__(self, think: Any = None, fault: Any = lambda _: "") -> None:
        self.store = MemoryLog(fault)
        self.hub = Hub(house_on(self.store, think) if think else house_on(self.store))
        self.code = ""
        self.sent = 0

    async def open(self, who: str = "anna", rules: Any = SHORT) -> Page:
        if not self.code:
            self.code = await self.hub.create(rules, None, "anna", "Anna")
        page = Page(who, who.title())
        await self.hub.join(self.code, page)
        await asyncio.sleep(0.1)
        return page

    async def send(self, page: Page, verb: str, v: int | None = None, **fields: Any) -> list[wire.ToBrowser]:
        self.sent += 1
        v = self.state.v if v is None else v
        assert self.hub.wish(self.code, page, KINDS[verb](id=f"x{self.sent}", v=v, **fields)) is None
        await asyncio.sleep(0.1)
        return await heard(page)

    def is_here(self, chair: int) -> bool:
        return self.state.places[chair].here

    @property
    def state(self) -> table.State:
        return self.hub._runners[self.code].state


async def heard(page: Page) -> list[wire.ToBrowser]:
    return [msgspec.json.decode(text, type=wire.ToBrowser) for text in await page.next()]


def test_all_pages_of_a_person_are_live() -> None:
    async def deed() -> None:
        house = Table()
        first, second = await house.open(), await house.open()
        watcher = await house.open("walter")
        await house.send(first, "start")
        (one,) = await heard(second)
        (other,) = await heard(watcher)
        assert isinstance(one, wire.Scene)
        assert isinstance(other, wire.Scene)
        assert one.table.you == 0
        assert one.deal is not None
        assert len(one.deal.hand) == 8
        assert other.deal is not None
        assert other.deal.hand == []
        house.hub.part(house.code, first)
        await asyncio.sleep(1)
        assert house.is_here(0)
        house.hub.part(house.code, second)
        await asyncio.sleep(1)
        assert not house.is_here(0)
        await house.hub.close()

    simulate(deed())


def test_a_table_sleeps_is_let_go_and_wakes_where_it_was() -> None:
    async def deed() -> None:
        house = Table()
        page = await house.open()
        await house.send(page, "start")
        await asyncio.sleep(1)
        before = house.state
        house.hub.part(house.code, page)
        await asyncio.sleep(7_200)
        assert house.hub.served == 0
        facts = await house.hub.facts(house.code)
        assert facts.state == "asleep"
        lines = len(house.store.books[house.code])
        page = await house.open()
        assert len(house.store.books[house.code]) == lines + 2
        assert house.state.game == before.game
        assert house.state.at < 60_000
        await asyncio.sleep(20)
        assert house.state.v > before.v
        await house.hub.close()

    simulate(deed())


def test_a_table_watched_by_strangers_alone_stands_still() -> None:
    async def deed() -> None:
        house = Table()
        page = await house.open()
        await house.open("walter")
        await house.send(page, "start")
        house.hub.part(house.code, page)
        await asyncio.sleep(5)
        v = house.state.v
        await asyncio.sleep(3_600)
        assert house.state.v == v
        assert picture.Gallery(house.state, 0).scene("walter").table.state == "asleep"
        await house.open()
        await asyncio.sleep(20)
        assert house.state.v > v
        assert house.state.at < 60_000  # the hour is not in the table's time
        await house.hub.close()

    simulate(deed())


@pytest.mark.parametrize("kind", ["fails", "never", "illegal", "cancelled"])
def test_bots_that_fail_hold_nobody_up(kind: str) -> None:
    def think(ask: say.AskBot) -> asyncio.Future[Move]:
        thought: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if kind == "fails":
            thought.set_exception(ZeroDivisionError())
        elif kind == "illegal":
            thought.set_result("nonsense")
        elif kind == "cancelled":
            thought.cancel()
        return thought

    async def deed() -> None:
        house = Table(think)
        page = await house.open()
        await house.send(page, "start")
        await asyncio.sleep(60)
        assert picture.Gallery(house.state, 0).scene("anna").chairs[0].turn
        await house.hub.close()

    simulate(deed())


@pytest.mark.parametrize("kind", ["never", "fails"])
def test_a_bot_that_is_late_moves_by_rules_of_thumb(kind: str) -> None:
    """Not by the move that commits to least, unless the rules of thumb fail too."""

    def think(ask: say.AskBot) -> asyncio.Future[Move]:
        return asyncio.get_running_loop().create_future()

    def in_haste(ask: say.AskBot) -> Move | None:
        return decide_in_haste(msgspec.structs.replace(ask, view=None) if kind == "fails" else ask)

    async def deed() -> None:
        house = Table(think)
        house.hub.house = msgspec.structs.replace(house.hub.house, in_haste=in_haste)
        page = await house.open()
        await house.send(page, "start")
        before = house.state
        asked = deciding._bot_to_ask(before)
        if asked is None:  # Anna speaks first
            await house.send(page, "pass")
            before = house.state
            asked = deciding._bot_to_ask(before)
        assert asked is not None
        while house.state.v == before.v:
            await asyncio.sleep(0.01)
        assert house.state.game is not None
        assert house.state.game.deal is not None
        expected = pace.default_move(asked.view) if kind == "fails" else decide_in_haste(asked)
        assert house.state.game.deal.public.words[len(asked.view.public.words)] == expected
        await house.hub.close()

    simulate(deed())


@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_how_long_a_bot_thinks_cannot_be_seen(seconds: float) -> None:
    """The times of all moves are those of a bot that needs no time at all."""

    def think(ask: say.AskBot) -> asyncio.Future[Move]:
        loop = asyncio.get_running_loop()
        thought: asyncio.Future[Move] = loop.create_future()
        loop.call_later(seconds * len(ask.view.legal()) / 10, thought.set_result, pace.default_move(ask.view))
        return thought

    async def deed() -> list[int]:
        house = Table(think)
        page = await house.open()
        await house.send(page, "start")
        secret = house.state.secret
        times = []
        start = asyncio.get_running_loop().time()
        turn = house.state.turn
        while not picture.Gallery(house.state, 0).scene("anna").chairs[0].turn:
            await asyncio.sleep(0.001)
            if house.state.turn != turn:
                now = asyncio.get_running_loop().time()
                expected = pace.bot_pause(house.state.game.deal.public, f"{secret}/{turn}")  # type: ignore[union-attr]
                times.append(round((now - start) * 1000) - expected)
                start, turn = now, house.state.turn
        await house.hub.close()
        return times[1:]

    for late in simulate(deed()):
        assert abs(late) < 50


def test_a_table_that_breaks_is_stopped_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = deciding.handle
    poisoned: list[str] = []

    def handle(state: table.State, command: say.Command, now: int) -> deciding.Outcome:
        if state.code in poisoned and isinstance(command, say.Ask):
            raise ZeroDivisionError("secret cards")
        return whole(state, command, now)

    monkeypatch.setattr(deciding, "handle", handle)

    async def deed() -> None:
        house, other = Table(), Table()
        other.hub, other.store = house.hub, house.store
        page, fine = await house.open(), await other.open()
        poisoned.append(house.code)
        with pytest.raises(Closed) as closed:
            await house.send(page, "start")
        assert closed.value.code == STOPPED
        assert (await other.send(fine, "start"))[0] == wire.Ack("x1", other.state.deal_v - 2)
        assert house.hub.wish(house.code, page, wire.DoNext("y", 0)) == "TABLE_STOPPED"
        house.hub.part(house.code, page)
        with pytest.raises(NoTable) as none:
            await house.open()
        assert none.value.code == STOPPED
        await house.hub.close()

    with caplog.at_level(logging.ERROR):
        simulate(deed())
    assert "ZeroDivisionError" in caplog.text
    assert "secret cards" not in caplog.text


def test_a_disk_that_refuses_is_told_and_tried_again() -> None:
    refusing: list[bool] = []

    async def deed() -> None:
        house = Table(fault=lambda _: "refuse" if refusing else "")
        page = await house.open()
        v = house.state.v
        refusing.append(True)
        answers = await house.send(page, "start")
        assert answers[0] == wire.No("x1", "NOT_SAVED")
        assert house.state.v == v
        stranger = await house.open("bruno")
        await asyncio.sleep(3)
        house.hub.part(house.code, page)
        await asyncio.sleep(3)
        assert house.state.places[0].here
        refusing.clear()
        await asyncio.sleep(3)
        page = await house.open()
        await house.send(page, "start")
        assert house.state.game is not None
        assert not stranger.code
        await asyncio.sleep(30)
        await house.hub.close()

    simulate(deed())


def test_who_left_while_the_disk_refused_is_found_gone() -> None:
    refusing: list[bool] = []

    async def deed() -> None:
        house = Table(fault=lambda _: "refuse" if refusing else "")
        page = await house.open()
        await house.open("walter")
        refusing.append(True)
        house.hub.part(house.code, page)
        await asyncio.sleep(2.5)
        refusing.clear()
        await asyncio.sleep(2.5)
        assert not house.state.places[0].here
        await house.hub.close()

    simulate(deed())


def test_another_writer_takes_the_table() -> None:
    async def deed() -> None:
        house = Table()
        page = await house.open()
        house.store.books[house.code].append(say.encode(say.Opened(0)))
        with pytest.raises(Closed) as closed:
            await house.send(page, "start")
        assert closed.value.code == RESTARTING
        house.hub.part(house.code, page)
        await house.open()
        assert house.state.places[0].here
        await house.hub.close()

    simulate(deed())


def test_a_page_that_does_not_read_is_closed_and_holds_one_scene() -> None:
    async def deed() -> None:
        page = Page("anna", "Anna")
        for n in range(1_000):
            page.show(b"%d" % n)
        page.put(b"answer")
        assert await page.next() == [b"answer", b"999"]
        for _ in range(WAITING + 1):
            page.put(b"answer")
        page.put(b"too late")
        for _ in range(2):
            with pytest.raises(Closed) as closed:
                await page.next()
            assert closed.value.code == TOO_SLOW

    simulate(deed())


def test_closing_the_house_finishes_what_was_asked() -> None:
    async def deed() -> None:
        house = Table()
        page = await house.open()
        house.hub.wish(house.code, page, wire.DoStart("last", house.state.v))
        await house.hub.close()
        assert any(say.decode(line).id == "last" for line in house.store.books[house.code])
        with pytest.raises(Closed) as closed:
            await page.next()
        assert closed.value.code == RESTARTING
        with pytest.raises(NoTable) as none:
            await house.open()
        assert none.value.code == RESTARTING

    simulate(deed())


def test_a_full_disk_does_not_keep_the_house_open() -> None:
    async def deed() -> None:
        refusing: list[bool] = []
        house = Table(fault=lambda _: "refuse" if refusing else "")
        page = await house.open()
        whole = house.store.last
        refusing.append(True)

        async def failing(book: str) -> int:
            raise Unwritten("full")

        house.store.last = failing  # type: ignore[method-assign]
        await house.send(page, "start")
        await house.hub.close()
        house.store.last = whole  # type: ignore[method-assign]
        assert asyncio.get_running_loop().time() < 10

    simulate(deed())


def test_what_is_no_table() -> None:
    async def deed() -> None:
        house = Table()
        for code in ("", "ABCD", "ABCDEF", "abcde", "IIIII", "ABCDE", "../..", "%00%0"):
            with pytest.raises(NoTable) as none:
                await house.hub.facts(code)
            assert none.value.code == 4003
        house.store.books["ABCDE"] = [b"rubbish"]
        with pytest.raises(NoTable) as none:
            await house.hub.join("ABCDE", Page("", ""))
        assert none.value.code == STOPPED

    simulate(deed())


def test_a_refused_command_is_refused_again() -> None:
    async def deed() -> None:
        house = Table()
        page, other = await house.open(), await house.open("bruno")
        wish = wire.DoSit("again", house.state.v, chair=0)
        for _ in range(2):
            house.hub.wish(house.code, other, wish)
            await asyncio.sleep(0.1)
            assert wire.No("again", "CHAIR_TAKEN", "chair") in await heard(other)
            await house.send(page, "bot", chair=1)
            if house.state.places[0].who:
                await house.send(page, "stand")
                await asyncio.sleep(0.1)
        assert house.hub.wish(house.code, page, wire.DoBot("l", 0, chair=1, level="grandmaster")) == "UNKNOWN_LEVEL"
        await house.hub.close()

    simulate(deed())


def test_codes_that_are_taken_are_not_given_twice() -> None:
    async def deed() -> list[str]:
        store = MemoryLog()
        draws = iter([0] * 5 + [255, 0, 0, 254, 0, 0, 0, 1, 1, 1, 1, 1])  # 252 and above are thrown away
        store.dice.randbytes = lambda n: bytes([next(draws)]) if n == 1 else bytes(n)  # type: ignore[method-assign]
        hub = Hub(house_on(store))
        return [await hub.create(catalogue.load("classic"), None, "anna", "Anna") for _ in range(2)]

    assert simulate(deed()) == ["AAAAA", "BBBBB"]
