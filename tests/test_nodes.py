"""Several nodes over one log, under simulated time: whoever comes to the wrong one is sent on, nobody loses a move."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from chiamata.server import table, wire
from chiamata.server.hub import ON_ITS_WAY, NoTable
from chiamata.server.leases import LEASE, RENEW, Owner
from chiamata.server.log import Unwritten
from chiamata.server.page import RESTARTING, Closed, Page
from chiamata.server.runner import Join
from tests.server.cluster import Cluster, Traveller
from tests.server.driver import rules_with
from tests.server.simulated import Faults, judge, simulate

RULES = rules_with("classic", session={"kind": "deals", "deals": 2, "allowed": None})
FAULTS = Faults(lost=0.05, twice=0.1, stale=0.05)
TAKEOVER = 10.0
"""Seconds within which a dead node's tables must be played on elsewhere."""


async def newest(page: Page) -> wire.Scene:
    scenes = [msgspec.json.decode(text, type=wire.ToBrowser) for text in await page.next()]
    assert isinstance(scenes[-1], wire.Scene)
    return scenes[-1]


async def seated(cluster: Cluster, node: str) -> tuple[str, Page]:
    """A table that Anna has open at this node."""
    code, page = await cluster.create(RULES), Page("anna", "Anna")
    await cluster.nodes[node].hub.join(code, page)
    await newest(page)
    return code, page


def test_the_wrong_node_names_the_right_one_and_answers_everything_else() -> None:
    async def deed() -> None:
        cluster = Cluster("a", "b")
        a, b = cluster.nodes["a"].hub, cluster.nodes["b"].hub
        code, page = await seated(cluster, "a")
        with pytest.raises(NoTable) as sent:
            await b.join(code, Page("bruno", "Bruno"))
        assert (sent.value.code, sent.value.node) == (RESTARTING, "a")
        assert b.served == 0
        assert await a.facts(code) == await b.facts(code)
        assert (await b.state(code)).v == (await a.state(code)).v
        a.part(code, page)
        await asyncio.sleep(1)
        assert cluster.owner_of(code) == "", "a table asleep is held by nobody"
        await b.join(code, Page("bruno", "Bruno"))
        assert cluster.owner_of(code) == "b"
        await cluster.end()

    simulate(deed())


def test_what_is_no_table_is_held_by_nobody() -> None:
    async def deed() -> None:
        cluster = Cluster("a")
        for code in ("ABCDE", "abcde", ""):
            with pytest.raises(NoTable) as none:
                await cluster.nodes["a"].hub.join(code, Page("", ""))
            assert (none.value.code, none.value.node) == (4003, "")
        cluster.shared.books["ABCDE"] = [b"rubbish"]
        with pytest.raises(NoTable):
            await cluster.nodes["a"].hub.join("ABCDE", Page("", ""))
        await cluster.create(RULES)
        assert cluster.registry.held == {}
        await cluster.end()

    simulate(deed())


def test_a_table_whose_lease_goes_while_it_is_made_is_not_saved() -> None:
    """Whoever makes it is told to try again, not that the house is broken."""

    async def deed() -> None:
        cluster = Cluster("a")
        leases = cluster.nodes["a"].store.leases
        whole = leases.take

        async def take(book: str) -> Owner | None:
            owner = await whole(book)
            del cluster.registry.held[book]
            return owner

        with pytest.MonkeyPatch.context() as paused:
            paused.setattr(leases, "take", take)
            with pytest.raises(Unwritten):
                await cluster.create(RULES)
        assert cluster.shared.books == {}
        assert await cluster.create(RULES) in cluster.shared.books
        await cluster.end()

    simulate(deed())


def forgotten(page: Page) -> bool:
    return page.code == RESTARTING


def test_a_page_that_comes_while_its_guest_is_forgotten_is_closed() -> None:
    """Before its table is there, before the table has let it in, and when only its cookie was looked up."""

    async def deed() -> None:
        cluster = Cluster("a")
        code, hub = await cluster.create(RULES), cluster.nodes["a"].hub
        loading, queued, late, other = [Page("anna", "Anna") for _ in range(3)] + [Page("bruno", "Bruno")]
        join = asyncio.ensure_future(hub.join(code, loading))
        await asyncio.sleep(0)
        assert hub.served == 0
        hub.forget("anna")
        assert forgotten(loading)
        await join
        await hub.join(code, other)
        hub._presence._forgotten.clear()
        await hub.join(code, queued)
        hub.forget("anna")
        await hub.join(code, late)
        assert [forgotten(page) for page in (queued, late, other)] == [True, True, False]
        with pytest.raises(NoTable):
            await hub.join("ABCDE", Page("x", "X"))
        for page in (loading, queued, late, other):
            hub.part(code, page)
        assert hub._presence._pages == set()
        await cluster.end()

    simulate(deed())


def test_who_was_forgotten_while_a_node_could_not_hear_of_it_is_found() -> None:
    async def deed() -> None:
        cluster = Cluster("a")
        heard: list[Callable[[str], None]] = []

        def remember(deed: Callable[[str], None]) -> None:
            heard.append(deed)

        cluster.nodes["a"].store.heed = remember
        await asyncio.sleep(0)
        code, hub = await cluster.create(RULES), cluster.nodes["a"].hub
        pages = {who: Page(who, who.title()) for who in ("anna", "bruno", "")}
        for page in pages.values():
            await hub.join(code, page)
        cluster.shared.notes |= {"guest/anna": b"", "guest/bruno": b"Bruno"}
        (tell,) = heard
        tell("vault/key")
        await asyncio.sleep(0.1)
        assert not any(map(forgotten, pages.values()))
        get, hub.house.store.get = hub.house.store.get, _away  # type: ignore[method-assign]
        tell("")
        await asyncio.sleep(0.1)
        assert not any(map(forgotten, pages.values())), "the database is away again"
        hub.house.store.get = get  # type: ignore[method-assign]
        tell("")
        await asyncio.sleep(0.1)
        assert {who: forgotten(page) for who, page in pages.items()} == {"anna": True, "bruno": False, "": False}
        tell("guest/bruno")
        await asyncio.sleep(0.1)
        assert forgotten(pages["bruno"])
        await cluster.end()

    simulate(deed())


async def _away(key: str) -> bytes | None:
    raise Unwritten("away")


def test_pages_that_come_at_once_to_two_nodes_find_one_table() -> None:
    async def deed() -> None:
        cluster = Cluster("a", "b")
        code = await cluster.create(RULES)
        wishes = [cluster.any().hub.join(code, Page(f"p{n}", f"P{n}")) for n in range(10)]
        answers = await asyncio.gather(*wishes, return_exceptions=True)
        sent = [answer.node for answer in answers if isinstance(answer, NoTable)]
        assert len(sent) == 5
        assert set(sent) == {cluster.owner_of(code)}
        assert [node.hub.served for node in cluster.nodes.values()].count(1) == 1
        await cluster.end()

    simulate(deed())


def test_a_stopped_process_tells_nobody_once_its_time_is_over() -> None:
    """It takes a command before its clock has run out, is stopped, and goes on when the table is somebody else's."""

    async def deed() -> None:
        cluster = Cluster("a", "b")
        stopped = cluster.nodes["a"]
        code, page = await seated(cluster, "a")
        watcher = Page("", "")
        await stopped.hub.join(code, watcher)
        for one in (page, watcher):
            await newest(one)  # that somebody looks on
        v = stopped.hub._runners[code].state.v
        stopped.store.awake.clear()
        stopped.hub.wish(code, page, wire.DoStart("late", v))
        other = Page("anna", "Anna")
        with pytest.raises(NoTable):
            await cluster.nodes["b"].hub.join(code, other)  # its lease stands
        await asyncio.sleep(LEASE + 1)
        await cluster.nodes["b"].hub.join(code, other)
        before = cluster.shared.books[code][:]
        stopped.store.awake.set()
        for one in (page, watcher):
            with pytest.raises(Closed) as closed:
                await one.next()
            assert closed.value.code == RESTARTING
        assert cluster.shared.books[code][: len(before)] == before
        assert not any(b'"id":"late"' in line for line in cluster.shared.books[code])
        assert stopped.hub.served == 0
        await cluster.end()

    simulate(deed())


@pytest.mark.parametrize("is_taken", [True, False])
@pytest.mark.parametrize("what", ["watcher", "refusal", "again"])
def test_nothing_is_told_without_a_lease_even_where_nothing_is_written(what: str, is_taken: bool) -> None:
    """Once somebody else has the table; a node that is merely late with its renewal asks, and goes on."""

    async def deed() -> None:
        cluster = Cluster("a", "b")
        node = cluster.nodes["a"]
        code, page = await seated(cluster, "a")
        bad = wire.DoSit("bad", node.hub._runners[code].state.v, chair=99)
        if what == "again":
            node.hub.wish(code, page, bad)
            await page.next()
        node.keeper.cancel()
        await asyncio.sleep(LEASE)
        assert not node.store.leases.holds(code)
        if is_taken:
            await cluster.nodes["b"].hub.join(code, Page("", ""))
        if what == "watcher":
            page = Page("", "")
            node.hub._runners[code].inbox.put_nowait(Join(page))
        else:
            node.hub.wish(code, page, bad)
        if is_taken:
            with pytest.raises(Closed):
                await page.next()
        else:
            assert len(await page.next()) == 1
        assert node.hub.served == (not is_taken)
        await cluster.end()

    simulate(deed())


async def _kill_and_start(cluster: Cluster) -> None:
    cluster.kill("a")
    await asyncio.sleep(8)
    cluster.start("a")


async def _pause(cluster: Cluster) -> None:
    node = cluster.nodes["a"]
    node.store.awake.clear()
    await asyncio.sleep(9)
    node.store.awake.set()


async def _roll(cluster: Cluster) -> None:
    for name in ("a", "b"):
        await cluster.stop(name)
        await asyncio.sleep(1)
        cluster.start(name)
        await asyncio.sleep(RENEW + 0.5)


async def _move(cluster: Cluster) -> None:
    for entry in cluster.registry.held.values():
        entry.wanted = "b" if entry.node == "a" else "a"
    await asyncio.sleep(RENEW * 2)


@pytest.mark.parametrize(
    ("fault", "longest"), [(_kill_and_start, TAKEOVER), (_pause, TAKEOVER + 9), (_roll, 1.0), (_move, 1.0)]
)
@pytest.mark.parametrize("seed", range(2))
def test_games_go_on(fault: Callable[[Cluster], Awaitable[None]], longest: float, seed: int) -> None:
    """Three tables played through with this again and again: nothing lost, nothing twice, nobody waits for long."""

    async def deed() -> None:
        cluster, dice = Cluster("a", "b"), random.Random(seed)
        games = []
        for _ in range(3):
            code = await cluster.create(RULES)
            games.append([Traveller(cluster, code, who, FAULTS, seed) for who in ("anna", "bruno", "carla")])
        lives = [asyncio.ensure_future(one.live()) for game in games for one in game]
        await asyncio.sleep(5)
        end = asyncio.get_running_loop().time() + 3_600
        while not all(life.done() for life in lives):
            await fault(cluster)
            await asyncio.sleep(dice.uniform(1, 20))
            assert asyncio.get_running_loop().time() < end, "a game does not end"
        for life in lives:
            life.result()
        for game in games:
            judge(game[0].world, list(game))
            assert any(one.gaps for one in game)
            assert max(gap for one in game for gap in one.gaps) <= longest
        await cluster.end()
        assert cluster.registry.held == {}

    simulate(deed())


@pytest.mark.parametrize("come_back", [True, False])
def test_tables_are_handed_over_as_fast_as_they_are_taken_to_the_others_in_turn(come_back: bool) -> None:
    async def deed() -> None:
        cluster, clock = Cluster("a", "b", "c"), asyncio.get_running_loop().time
        await asyncio.sleep(RENEW + 0.1)
        tables = [await seated(cluster, "a") for _ in range(24)]
        begun = clock()
        leaving = asyncio.ensure_future(cluster.stop("a"))
        seen, times = [], []
        for code, page in tables:
            with pytest.raises(Closed) as closed:
                await page.next()
            seen.append(closed.value.node)
            times.append(clock() - begun)
            assert closed.value.code == RESTARTING
            if come_back:
                await cluster.nodes[closed.value.node].hub.join(code, Page("anna", "Anna"))
        assert seen == ["b", "c"] * (len(tables) // 2)
        if come_back:
            assert times[-1] < ON_ITS_WAY
        else:
            assert [int(at / ON_ITS_WAY) for at in times] == [place // 2 for place in range(24)]
        await leaving
        if come_back:
            assert all(cluster.owner_of(code) in ("b", "c") for code, _ in tables)
            await cluster.end()
            return
        assert cluster.registry.held == {}
        for code, _ in tables:
            again = Page("anna", "Anna")
            await cluster.nodes["b"].hub.join(code, again)
            assert (await newest(again)).table.code == code
        await cluster.end()

    simulate(deed())


def test_a_node_that_leaves_takes_no_table() -> None:
    async def deed() -> None:
        cluster = Cluster("a", "b")
        await asyncio.sleep(RENEW + 0.1)
        code = await cluster.create(RULES)
        cluster.registry.leaving.add("a")
        await asyncio.sleep(RENEW + 0.1)
        assert cluster.nodes["a"].hub.leaving
        assert not cluster.nodes["b"].hub.leaving
        assert cluster.nodes["b"].hub._orders.others == ()
        await cluster.nodes["a"].hub.close()
        with pytest.raises(NoTable) as sent:
            await cluster.nodes["a"].hub.join(code, Page("", ""))
        assert (sent.value.code, sent.value.node) == (RESTARTING, "b")
        await cluster.end()

    simulate(deed())


def test_a_page_that_comes_while_its_table_goes_is_not_forgotten() -> None:
    async def deed() -> None:
        cluster = Cluster("a", "b")
        await asyncio.sleep(RENEW + 0.1)
        code, _ = await seated(cluster, "a")
        late = Page("bruno", "Bruno")
        leaving = asyncio.ensure_future(cluster.stop("a"))
        await asyncio.sleep(0.0015)
        await cluster.nodes["a"].hub.join(code, late)
        with pytest.raises(Closed) as closed:
            await late.next()
        assert (closed.value.code, closed.value.node) == (RESTARTING, "b")
        await leaving
        await cluster.end()

    simulate(deed())


def test_the_clock_stands_still_while_a_table_moves() -> None:
    async def deed() -> None:
        cluster = Cluster("a", "b")
        code, _ = await seated(cluster, "a")
        at = cluster.nodes["a"].hub._runners[code]._clock.now()
        cluster.kill("a")
        page = Page("anna", "Anna")
        await asyncio.sleep(LEASE + 1)
        await cluster.nodes["b"].hub.join(code, page)
        await newest(page)
        assert table.fold(cluster.shared.books[code]).at <= at + 1
        await cluster.end()

    simulate(deed())
