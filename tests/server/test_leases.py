"""Leases in a real PostgreSQL: one owner for a table, an epoch in every append, and who may take over when."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest

from chiamata.server.archive import fill
from chiamata.server.leases import LEASE, NAME, Orders, Owner
from chiamata.server.log import Conflict, Unwritten
from chiamata.server.postgres import PostgresLog
from chiamata.server.postgres_archive import DatabaseArchive
from chiamata.server.postgres_schema import SCHEMA
from tests.golden.record import FOLDER, digest, index, lines_of, read
from tests.server.postgres import Database

T = TypeVar("T")
Open = Callable[[str], PostgresLog]
OLD = FOLDER / "schema_1.sql"
RACES = int(os.environ.get("CHIAMATA_RACES", "50"))
pytestmark = pytest.mark.xdist_group("postgres")


def run(deed: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(deed)


@pytest.fixture
def node(database: Database) -> Iterator[Open]:
    """Opens nodes over one database, which close with the test."""
    address = database.fresh()
    with ExitStack() as doors:

        def one(name: str) -> PostgresLog:
            log = PostgresLog(address, name)
            doors.callback(log.close)
            return log

        yield one


def say(log: PostgresLog, query: str, *values: object) -> Any:
    return run(log.ask(lambda db: db.fetch(query, *values)))


def let_run_out(log: PostgresLog, of: str, left: float = -1.0) -> None:
    """As if the node had last renewed long ago."""
    say(log, "UPDATE chiamata.nodes SET expires = clock_timestamp() + $2 * interval '1 s' WHERE name = $1", of, left)


def test_a_table_has_one_owner(node: Open) -> None:
    a, b = node("a"), node("b")
    assert run(a.leases.take("T")) is None
    assert run(a.leases.take("T")) is None, "it stays"
    assert run(b.leases.take("T")) == Owner("a", late=False)
    assert (a.leases.holds("T"), b.leases.holds("T")) == (True, False)
    assert (run(a.leases.owner("T")), run(b.leases.owner("T")), run(b.leases.owner("U"))) == ("", "a", "")
    run(a.append("T", 0, [b"one"]))
    with pytest.raises(Conflict, match="not held"):
        run(b.append("T", 1, [b"two"]))
    assert run(b.read("T")) == [b"one"]


def test_nodes_that_want_a_table_at_once_agree_on_one(node: Open) -> None:
    """``make races`` has 1,000 of them."""
    nodes = [node(name) for name in "abcd"]

    async def race(book: str) -> None:
        answers = await asyncio.gather(*[one.leases.take(book) for one in nodes])
        assert len({owner.node for owner in answers if owner}) == 1
        assert [one.leases.holds(book) for one in nodes] == [owner is None for owner in answers]
        wishes = [one.append(book, 0, [one.leases.name.encode()]) for one in nodes]
        wrote = await asyncio.gather(*wishes, return_exceptions=True)
        assert [owner is None for owner in answers] == [error is None for error in wrote]
        (line,) = await nodes[0].read(book)
        assert wrote["abcd".index(line.decode())] is None

    for number in range(RACES):
        run(race(f"T{number}"))


def test_a_table_that_was_let_go_is_free(node: Open) -> None:
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    first = a.leases.epoch("T")
    run(a.leases.release("T"))
    run(a.leases.release("T"))
    assert say(a, "SELECT * FROM chiamata.leases") == []
    assert not a.leases.holds("T")
    assert run(b.leases.take("T")) is None
    assert b.leases.epoch("T") > first
    with pytest.raises(Conflict, match="not held"):
        run(a.append("T", 0, [b"late"]))


def test_a_lease_that_has_run_out_is_taken_over_and_the_late_append_is_refused(node: Open) -> None:
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    run(a.append("T", 0, [b"one"]))
    let_run_out(b, "a", LEASE / 2 - 0.1)
    assert run(b.leases.take("T")) == Owner("a", late=True), "likely dead, but its lease stands"
    let_run_out(b, "a")
    assert run(b.leases.owner("T")) == ""
    run(a.append("T", 1, [b"two"]))  # nobody has taken it yet
    assert run(b.leases.take("T")) is None
    with pytest.raises(Conflict, match="not held"):
        run(a.append("T", 2, [b"three, by the dead"]))
    run(b.append("T", 2, [b"three"]))
    assert run(a.read("T")) == [b"one", b"two", b"three"]


@pytest.mark.parametrize("jump", [-86_400.0, -3_600.0, -30.0, 3_600.0, 86_400.0])
def test_a_clock_of_the_database_that_is_set_holds_nobody_up(node: Open, jump: float) -> None:
    """Set on, it ends leases early; set back by more than a minute, it leaves some that end later than any can."""
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    run(a.append("T", 0, [b"one"]))
    let_run_out(b, "a", LEASE - jump)
    found = run(b.leases.take("T"))
    assert found == (Owner("a", late=False) if jump == -30 else None)
    run((b if found is None else a).append("T", 1, [b"two"]))
    if found is None:
        with pytest.raises(Conflict, match="not held"):
            run(a.append("T", 2, [b"three"]))
    run(a.leases.renew())
    assert run(a.leases.take("U")) is None
    assert a.broken == ""


def test_who_comes_back_too_late_begins_anew_with_no_table(node: Open) -> None:
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    run(a.leases.take("U"))
    let_run_out(b, "a")
    run(b.leases.take("T"))
    a.leases._until = 0.0
    assert not run(a.leases.confirm("T"))
    assert run(a.leases.renew()) == Orders(others=("b",))
    assert not a.leases.holds("T")
    assert not a.leases.holds("U")
    assert run(a.leases.take("T")) == Owner("b", late=False)
    assert run(a.leases.take("U")) is None
    assert a.broken == ""


class TornLine:
    """A connection that is torn when a session has begun, before the answer comes."""

    def __init__(self, db: asyncpg.Connection) -> None:
        self._db = db

    async def fetchval(self, query: str, *values: object) -> Any:
        value = await self._db.fetchval(query, *values)
        if query.startswith("INSERT"):
            raise ConnectionResetError
        return value


def test_whose_new_session_was_not_answered_knows_it_for_its_own(node: Open) -> None:
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    let_run_out(b, "a")
    run(b.leases.take("T"))
    whole = a.leases._register
    with pytest.MonkeyPatch.context() as torn:
        torn.setattr(a.leases, "_register", lambda db, over: whole(TornLine(db), over))
        with pytest.raises(Unwritten):
            run(a.leases.renew())
    assert run(a.leases.renew()) == Orders(others=("b",))
    assert a.broken == ""
    assert run(a.leases.take("U")) is None
    run(a.append("U", 0, [b"one"]))


def test_all_that_ask_at_once_after_a_pause_begin_one_session(node: Open) -> None:
    """The renewal and every table with something to tell find at once that the lease is over."""
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    let_run_out(b, "a")
    run(b.leases.take("T"))

    async def deed() -> None:
        await asyncio.gather(*[a.leases.renew() for _ in range(3)])
        assert await a.leases.take("U") is None
        await a.append("U", 0, [b"one"])

    run(deed())
    assert a.broken == ""
    assert len(say(b, "SELECT FROM chiamata.nodes WHERE name = 'a'")) == 1


def test_who_comes_back_before_anybody_asked_goes_on(node: Open) -> None:
    a = node("a")
    run(a.leases.take("T"))
    let_run_out(a, "a")
    a.leases._until = 0.0
    assert not a.leases.holds("T"), "by its own clock: nothing may be told"
    assert run(a.leases.confirm("T"))
    a.leases._until = 0.0
    assert run(a.leases.take("T")) is None
    assert a.leases.holds("T")
    run(a.append("T", 0, [b"one"]))


def test_what_is_under_way_is_waited_for(node: Open) -> None:
    """A takeover comes before an append or after it, never in the middle."""
    a, b = node("a"), node("b")
    run(a.leases.take("T"))
    let_run_out(b, "a")

    async def deed() -> None:
        db = await asyncpg.connect(a._address)
        async with db.transaction():
            await db.execute("INSERT INTO chiamata.lines VALUES ('T', 1, '', $1)", a.leases.epoch("T"))
            taking = asyncio.ensure_future(b.leases.take("T"))
            while not await db.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
                assert not taking.done()
        assert await taking is None
        assert await b.last("T") == 1
        await db.close()

    run(deed())


def test_orders_come_with_the_renewal(node: Open) -> None:
    a, b, c = node("a"), node("b"), node("c")
    run(a.leases.take("T"))
    run(a.leases.take("U"))
    run(c.leases.leave())
    say(b, "UPDATE chiamata.leases SET wanted = 'b' WHERE book = 'U'")
    assert run(a.leases.renew()) == Orders(others=("b",), moves={"U": "b"})
    assert run(c.leases.renew()).leaving
    let_run_out(b, "b")
    assert run(a.leases.renew()).others == ()


def test_an_end_frees_everything(node: Open, database: Database) -> None:
    a = node("a")
    address = database.fresh()
    b = PostgresLog(address, "b")
    run(b.leases.take("T"))
    b.close()
    again = PostgresLog(address, "a")
    assert say(again, "SELECT name FROM chiamata.nodes") == [("a",)]
    assert say(again, "SELECT * FROM chiamata.leases") == []
    again.close()
    assert run(a.leases.take("T")) is None


def test_a_database_that_is_away_renews_nothing(node: Open) -> None:
    a = node("a")
    run(a.leases.take("T"))

    async def refuse(_: Any, urgent: bool = False) -> Any:
        raise Unwritten("away")

    a.leases._ask = refuse
    with pytest.raises(Unwritten):
        run(a.leases.renew())
    assert a.leases.holds("T"), "until its time is over"
    a.leases._until = 0.0
    assert not run(a.leases.confirm("T"))


def test_a_renewal_waits_for_nothing(node: Open) -> None:
    """However much is asked: a hundred tables that are read must not cost a node its lease."""
    a = node("a")
    run(a.leases.take("T"))

    free = threading.Event()

    async def hold(_: Any) -> None:
        await asyncio.to_thread(free.wait)

    async def deed() -> list[str]:
        done: list[str] = []
        busy = asyncio.ensure_future(a.ask(hold))  # nothing is done before everything has been asked
        wishes = [a.last("T") for _ in range(100)] + [a.append("T", n, [b"x"]) for n in range(100)]
        tasks = [asyncio.ensure_future(wish) for wish in [*wishes, a.leases._extend()]]
        for number, task in enumerate(tasks):
            task.set_name(str(number))
            task.add_done_callback(lambda task: done.append(task.get_name()))
        await asyncio.sleep(0.05)
        free.set()
        await asyncio.gather(busy, *tasks)
        return done

    assert run(deed()).index("200") < 100


@pytest.mark.parametrize(("name", "fits"), [("a", True), ("node-2", True), ("A", False), ("", False), ("-a", False),
                                            ("a/b", False), ("a" * 33, False), ("a.b", False)])  # fmt: skip
def test_names(name: str, fits: bool) -> None:
    assert (NAME.fullmatch(name) is not None) == fits


def test_a_database_of_version_1_is_brought_up(database: Database) -> None:
    address = database.fresh()

    async def make() -> None:
        db = await asyncpg.connect(address)
        await db.execute(OLD.read_text("utf-8"))
        await db.close()

    run(make())
    a, b = PostgresLog(address, "a"), PostgresLog(address, "b")
    assert say(a, "SELECT version FROM chiamata.writer") == [(SCHEMA,)]
    assert run(a.read("ABCDE")) == [b"one", b"two", b"three", b"four"]
    assert run(a.get("guest/x")) == b"Anna"
    assert run(a.leases.take("ABCDE")) is None
    assert run(b.leases.take("FGHJK")) is None
    run(a.append("ABCDE", 4, [b"five"]))
    assert say(b, "SELECT min(epoch) > 7 FROM chiamata.lines WHERE seq = 5") == [(True,)]
    old = "SELECT chiamata.append(7, ARRAY['ABCDE'], ARRAY[5]::bigint[], ARRAY[1], ARRAY['six']::bytea[])"
    assert say(a, old) == [(None,)], "a house of version 1 that still runs is told that another writer is there"
    with pytest.raises(Unwritten, match="not held under"):
        say(a, "INSERT INTO chiamata.lines VALUES ('ABCDE', 6, '', 7)")
    run(a.append("ABCDE", 5, [b"six"]))
    for log in (a, b):
        log.close()


def test_a_copy_put_back_fences_whoever_was_there(node: Open, database: Database, tmp_path: Path) -> None:
    address = database.fresh()
    a = PostgresLog(address, "a")
    run(a.leases.take("T"))
    fill(tmp_path / "copy", [("T", 1, b"one")], [])
    assert DatabaseArchive(address).load(tmp_path / "copy") == 1
    with pytest.raises(Conflict, match="not held"):
        run(a.append("T", 1, [b"two"]))
    assert say(a, "SELECT * FROM chiamata.nodes") == []
    run(a.leases.renew())
    assert run(a.leases.take("T")) is None
    run(a.append("T", 1, [b"two"]))
    a.close()


@pytest.mark.parametrize("version", range(1, SCHEMA))
def test_a_log_that_is_kept_is_read_from_a_database_of_every_version(version: int, database: Database) -> None:
    address, kept = database.fresh(), next(one for one in index() if one.name == "manners")
    lines = lines_of(kept.name)

    async def make() -> None:
        db = await asyncpg.connect(address)
        await db.execute((FOLDER / f"schema_{version}.sql").read_text("utf-8"))
        await db.execute("SET session_replication_role = replica")  # whoever wrote them held the table
        rows = [(kept.book, seq, line, 1) for seq, line in enumerate(lines, 1)]
        await db.copy_records_to_table("lines", schema_name="chiamata", records=rows)
        await db.close()

    async def deed(node: PostgresLog) -> None:
        assert digest(read(kept.book, await node.read(kept.book))) == kept.sha256
        assert await node.leases.take(kept.book) is None
        await node.append(kept.book, len(lines), [b"more"])

    run(make())
    node = PostgresLog(address)
    run(deed(node))
    node.close()
