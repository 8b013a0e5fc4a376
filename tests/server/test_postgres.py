"""The log on a real PostgreSQL: the promises of tests/server/test_log.py, and what the database refuses by itself."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

import pytest

from chiamata.server.archive import FileArchive, NotEmpty, fill
from chiamata.server.log import BATCH, Conflict, Unwritten
from chiamata.server.postgres import PostgresLog
from chiamata.server.postgres_archive import DatabaseArchive
from chiamata.server.postgres_schema import SCHEMA
from tests.e2e.house import Guest, House
from tests.server.postgres import Database

T = TypeVar("T")
pytestmark = pytest.mark.xdist_group("postgres")


def run(deed: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(deed)


@pytest.fixture
def log(database: Database) -> Iterator[PostgresLog]:
    opened = PostgresLog(database.fresh())
    yield opened
    opened.close()


async def hold(log: PostgresLog, *books: str) -> None:
    for book in books:
        assert await log.leases.take(book) is None


def say(log: PostgresLog, query: str, *values: object) -> Any:
    return run(log.ask(lambda db: db.fetch(query, *values)))


def test_lines_come_back_in_order(log: PostgresLog) -> None:
    async def deed() -> list[bytes]:
        await hold(log, "A", "B")
        await log.append("A", 0, [b"one", b"two"])
        await log.append("B", 0, [b"other"])
        await log.append("A", 2, [b"\x00three\xff"])
        return await log.read("A")

    assert run(deed()) == [b"one", b"two", b"\x00three\xff"]
    assert run(log.last("A")) == 3
    assert run(log.last("none")) == 0
    assert run(log.read("none")) == []


@pytest.mark.parametrize("prev", [0, 1, 3, 99, -1])
def test_an_append_that_does_not_follow_the_last_line_is_refused(log: PostgresLog, prev: int) -> None:
    run(hold(log, "A"))
    run(log.append("A", 0, [b"one", b"two"]))
    with pytest.raises(Conflict):
        run(log.append("A", prev, [b"three"]))
    assert run(log.read("A")) == [b"one", b"two"]


def test_a_conflict_spoils_no_other_append_of_its_batch(log: PostgresLog) -> None:
    async def deed() -> list[BaseException | None]:
        await hold(log, "T0", "T1", "T2")
        wishes = [log.append(f"T{n % 3}", n // 3 if n != 4 else 7, [b"x"]) for n in range(9)]
        return await asyncio.gather(*wishes, return_exceptions=True)

    assert [type(answer) for answer in run(deed())] == [Conflict if n in (4, 7) else type(None) for n in range(9)]
    assert [run(log.last(f"T{n}")) for n in range(3)] == [3, 1, 3]


def test_more_appends_than_a_batch_holds(log: PostgresLog) -> None:
    async def deed() -> list[Any]:
        await asyncio.gather(*[hold(log, f"T{n}") for n in range(2 * BATCH + 1)])
        return await asyncio.gather(
            *[log.append(f"T{n}", 0, [b"x", b"y"]) for n in range(2 * BATCH + 1)], log.last("T1")
        )

    assert run(deed())[-1] == 2
    assert say(log, "SELECT count(*), max(seq) FROM chiamata.lines")[0] == (2 * (2 * BATCH + 1), 2)


def test_a_second_process_of_the_same_name_takes_over_and_the_first_gives_up(database: Database) -> None:
    address = database.fresh()
    first = PostgresLog(address)
    run(hold(first, "A"))
    run(first.append("A", 0, [b"one"]))
    second = PostgresLog(address)
    with pytest.raises(Conflict, match="not held"):
        run(first.append("A", 1, [b"two, by the first"]))
    run(hold(second, "A"))
    run(second.append("A", 1, [b"two"]))
    assert first.broken == ""
    with pytest.raises(Unwritten, match="is the node house"):
        run(first.leases.renew())
    assert first.broken
    run(second.leases.renew())
    assert second.leases.holds("A")
    assert run(first.read("A")) == [b"one", b"two"]
    first.close()
    second.close()


def test_houses_that_start_at_once_make_one_log(database: Database) -> None:
    address = database.fresh()
    with ThreadPoolExecutor(4) as pool:
        logs = list(pool.map(PostgresLog, [address] * 4))
    taken = []
    for log in logs:
        try:
            run(hold(log, "A"))
            run(log.append("A", 0, [b"one"]))
        except (Conflict, Unwritten):
            continue
        finally:
            log.close()
        taken.append(log)
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("seq", "older", "reason"),
    [(1, 0, "ends with line 1"), (3, 0, "ends with line 1"), (0, 0, "ends with line 1"), (2, 1, "not held under")],
)
def test_the_database_refuses_by_itself(log: PostgresLog, seq: int, older: int, reason: str) -> None:
    run(hold(log, "A"))
    run(log.append("A", 0, [b"one"]))
    with pytest.raises(Unwritten, match=reason):
        say(log, "INSERT INTO chiamata.lines SELECT 'A', $1, '', epoch - $2 FROM chiamata.leases", seq, older)
    assert run(log.read("A")) == [b"one"]


def test_notes(log: PostgresLog) -> None:
    assert run(log.get("guest/x")) is None
    run(log.put("guest/x", b"Anna"))
    run(log.put("guest/x", b"Annetta"))
    assert run(log.get("guest/x")) == b"Annetta"


def test_a_note_that_is_emptied_is_told_to_every_other_node(log: PostgresLog, database: Database) -> None:
    other = PostgresLog(log._address, "other")
    heard: SimpleQueue[str] = SimpleQueue()
    other.heed(heard.put)
    run(log.put("guest/x", b"Anna"))
    run(log.put("guest/x", b""))
    assert heard.get(timeout=10) == "guest/x"
    assert run(other.get("guest/x")) == b""
    database.crash()
    while True:
        try:
            run(other.get("guest/x"))
        except Unwritten:
            time.sleep(0.1)  # it recovers
        else:
            break
    assert heard.get(timeout=10) == "", "some may have been missed meanwhile"
    while True:
        try:
            run(log.put("guest/y", b""))
        except Unwritten:
            time.sleep(0.1)
        else:
            break
    assert heard.get(timeout=10) == "guest/y", "it listens on the new line too"
    other.close()


def test_a_commit_is_on_the_disk_before_it_is_answered(log: PostgresLog) -> None:
    assert say(log, "SHOW synchronous_commit")[0][0] == "on"


def test_a_caller_that_has_gone_is_not_missed(log: PostgresLog) -> None:
    async def deed() -> None:
        await hold(log, "A")
        wish = asyncio.ensure_future(log.append("A", 0, [b"one"]))
        await asyncio.sleep(0)
        wish.cancel()
        assert await log.last("A") == 1

    run(deed())


def test_what_was_asked_before_the_end_is_done(database: Database) -> None:
    address = database.fresh()
    log = PostgresLog(address)

    async def deed() -> None:
        await hold(log, "A")
        wish = asyncio.ensure_future(log.append("A", 0, [b"one"]))
        await asyncio.sleep(0)
        await asyncio.to_thread(log.close)
        await wish

    run(deed())
    again = PostgresLog(address)
    assert run(again.read("A")) == [b"one"]
    again.close()


def test_a_log_of_a_newer_version_is_refused(database: Database) -> None:
    address = database.fresh()
    log = PostgresLog(address)
    say(log, f"UPDATE chiamata.writer SET version = {SCHEMA + 1}")
    with pytest.raises(Unwritten, match="newer"):
        PostgresLog(address)
    gc.collect()  # a connection left open would be found here, not in whatever test comes next
    run(hold(log, "A"))
    run(log.append("A", 0, [b"one"]))  # and it did not take the name
    log.close()


@pytest.mark.parametrize("address", ["postgresql://x:hunter2@127.0.0.1:1/none", "postgresql://x:hunter2@127.0.0.1:y/"])
def test_a_database_that_is_not_there(address: str) -> None:
    with pytest.raises(Unwritten) as error:
        PostgresLog(address)
    assert "hunter2" not in str(error.value)


# The driver does not close a connection whose opening it has given up.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_nothing_acknowledged_is_lost_when_the_database_is_killed(database: Database) -> None:
    log = PostgresLog(database.fresh())
    told = [0] * 4
    unknown = []

    async def book(number: int) -> None:
        name, goal = f"T{number}", 10**6
        await hold(log, name)
        while told[number] < goal:
            try:
                prev = await log.last(name)
                assert prev >= told[number]
                await log.append(name, prev, [b"%d" % (prev + 1)])
            except Unwritten:
                unknown.append(name)
                goal = told[number] + 10  # so many more once it is back
                await asyncio.sleep(0.1)
            else:
                told[number] = prev + 1

    async def deed() -> None:
        books = [asyncio.ensure_future(book(number)) for number in range(4)]
        await asyncio.sleep(0.5)
        await asyncio.to_thread(database.crash)
        async with asyncio.timeout(60):  # for the recovery
            await asyncio.gather(*books)
        for number in range(4):
            lines = await log.read(f"T{number}")
            assert len(lines) >= told[number]
            assert lines == [b"%d" % (place + 1) for place in range(len(lines))]

    run(deed())
    assert unknown
    assert min(told) > 10
    log.close()
    gc.collect()  # while it is still let pass


def test_a_house_on_postgresql_goes_on_after_kill_9(database: Database, tmp_path: Path) -> None:
    house = House(tmp_path, options=("--pace", "0", "--store", database.fresh(), "--key", str(tmp_path / "key")))
    house.start()
    guest = Guest(house, "Anna")
    code = guest.table("quick")
    guest.enter(code)
    guest.until("scene")
    guest.say(do="start")
    guest.until("ack")
    house.kill()
    guest.leave()
    house.start()
    guest.enter(code)
    scene = guest.until("scene")
    while not scene.get("deal"):
        scene = guest.until("scene")
    assert len(scene["deal"]["hand"]) > 0
    guest.leave()
    house.stop()
    assert not (tmp_path / "house.db").exists()


def test_a_log_moves_there_and_back_by_way_of_a_copy(database: Database, tmp_path: Path) -> None:
    first, second = database.fresh(), database.fresh()
    log = PostgresLog(first)
    run(hold(log, "A", "B"))
    run(log.append("B", 0, [b"one", b"\x00two"]))
    run(log.append("A", 0, [b"other"]))
    run(log.put("guest/x", b"Anna"))
    archive = DatabaseArchive(first)
    assert archive.books() == ["A", "B"]
    assert archive.lines("B") == [(1, b"one"), (2, b"\x00two")]
    assert archive.save(tmp_path / "copy") == 3
    run(log.append("B", 2, [b"three"]))  # it is still the writer
    with pytest.raises(FileExistsError):
        archive.save(tmp_path / "copy")
    with pytest.raises(NotEmpty):
        archive.load(tmp_path / "copy")
    assert DatabaseArchive(second).load(tmp_path / "copy") == 3
    back, file = PostgresLog(second), FileArchive(tmp_path / "copy")
    assert run(back.read("B")) == [line for _, line in file.lines("B")] == [b"one", b"\x00two"]
    assert run(back.get("guest/x")) == b"Anna"
    run(hold(back, "B"))
    run(back.append("B", 2, [b"three"]))
    for opened in (log, back, file, archive):
        opened.close()


def test_those_who_run_it_add_a_line_where_no_node_serves_the_table(database: Database) -> None:
    address = database.fresh()
    log, archive = PostgresLog(address), DatabaseArchive(address)
    run(hold(log, "A"))
    run(log.append("A", 0, [b"one"]))
    with pytest.raises(Unwritten, match="is served by a node"):
        archive.append("A", 1, b"two")
    run(log.leases.release("A"))
    with pytest.raises(Unwritten, match="ends with line 1"):
        archive.append("A", 2, b"three")
    archive.append("A", 1, b"two")
    run(hold(log, "A"))
    run(log.append("A", 2, [b"three"]))
    assert run(log.read("A")) == [b"one", b"two", b"three"]
    log.close()


def test_a_copy_with_a_gap_is_not_put_there(database: Database, tmp_path: Path) -> None:
    fill(tmp_path / "copy", [("A", 1, b"one"), ("A", 3, b"three")], [])
    with pytest.raises(Unwritten, match="ends with line 1"):
        DatabaseArchive(database.fresh()).load(tmp_path / "copy")
