"""The log: conditional appends, one writer, group commit, full and failing disks, kill -9."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import apsw
import pytest

from chiamata.server.log import BATCH, SCHEMA, Conflict, Log, Unwritten

T = TypeVar("T")


def run(deed: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(deed)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    opened = Log(tmp_path / "log.db")
    yield opened
    opened.close()


def test_lines_come_back_in_order(log: Log) -> None:
    async def deed() -> list[bytes]:
        await log.append("A", 0, [b"one", b"two"])
        await log.append("B", 0, [b"other"])
        await log.append("A", 2, [b"\x00three\xff"])
        return await log.read("A")

    assert run(deed()) == [b"one", b"two", b"\x00three\xff"]
    assert run(log.last("A")) == 3
    assert run(log.last("none")) == 0
    assert run(log.read("none")) == []


@pytest.mark.parametrize("prev", [0, 1, 3, 99, -1])
def test_an_append_that_does_not_follow_the_last_line_is_refused(log: Log, prev: int) -> None:
    run(log.append("A", 0, [b"one", b"two"]))
    with pytest.raises(Conflict):
        run(log.append("A", prev, [b"three"]))
    assert run(log.read("A")) == [b"one", b"two"]


def test_a_conflict_spoils_no_other_append_of_its_batch(log: Log) -> None:
    async def deed() -> list[BaseException | None]:
        wishes = [log.append(f"T{n % 3}", n // 3 if n != 4 else 7, [b"x"]) for n in range(9)]
        return await asyncio.gather(*wishes, return_exceptions=True)

    answers = run(deed())
    assert [type(answer) for answer in answers] == [
        Conflict if n in (4, 7) else type(None) for n in range(9)
    ]  # 7 builds on the refused 4
    assert [run(log.last(f"T{n}")) for n in range(3)] == [3, 1, 3]


def test_more_appends_than_a_batch_holds(log: Log) -> None:
    async def deed() -> None:
        await asyncio.gather(*[log.append(f"T{n}", 0, [b"x"]) for n in range(2 * BATCH + 1)], log.last("T1"))

    run(deed())
    assert all(run(log.last(f"T{n}")) == 1 for n in range(2 * BATCH + 1))


def test_a_batch_takes_few_statements(log: Log) -> None:
    """After each the log's thread waits until the loop lets it go on."""
    asked: list[str] = []

    def note(_cursor: object, text: str, _values: object) -> bool:
        asked.append(text)
        return True

    log._db.set_exec_trace(note)

    async def deed() -> None:
        wait = threading.Event()
        held = asyncio.ensure_future(log._ask(lambda _db: wait.wait()))
        wishes = [asyncio.ensure_future(log.append(f"T{n % 50}", 2 * (n // 50), [b"x", b"y"])) for n in range(200)]
        await asyncio.sleep(0)  # all are waiting now
        wait.set()
        await asyncio.gather(held, *wishes)

    run(deed())
    assert [text.split()[0] for text in asked] == ["BEGIN", "SELECT", "SELECT", "INSERT", "COMMIT"]
    assert [run(log.last(f"T{n}")) for n in range(50)] == [8] * 50


def test_an_append_of_more_lines_than_a_statement_takes(log: Log) -> None:
    lines = [b"%d" % n for n in range(12_000)]
    run(log.append("A", 0, lines))
    assert run(log.read("A")) == lines


def test_a_second_writer_takes_over_and_the_first_is_refused(tmp_path: Path) -> None:
    first = Log(tmp_path / "log.db")
    run(first.append("A", 0, [b"one"]))
    second = Log(tmp_path / "log.db")
    with pytest.raises(Conflict, match="another writer"):
        run(first.append("A", 1, [b"two, by the first"]))
    run(second.append("A", 1, [b"two"]))
    assert run(first.read("A")) == [b"one", b"two"]
    first.close()
    second.close()


def test_the_key_refuses_two_lines_in_one_place(log: Log) -> None:
    run(log.append("A", 0, [b"one"]))
    with pytest.raises(Unwritten):
        run(log._ask(lambda db: db.execute("INSERT INTO lines VALUES ('A', 1, x'00')").fetchall()))
    assert run(log.read("A")) == [b"one"]


def test_notes(log: Log) -> None:
    assert run(log.get("guest/x")) is None
    run(log.put("guest/x", b"Anna"))
    run(log.put("guest/x", b"Annetta"))
    assert run(log.get("guest/x")) == b"Annetta"


def test_synced_in_full() -> None:
    # 2 is FULL: a commit is on the disk before it is answered; NORMAL would lose the tail at a power cut.
    opened = Log(":memory:")
    assert run(opened._ask(lambda db: db.execute("PRAGMA synchronous").fetchall())) == [(2,)]
    opened.close()


def test_a_full_disk_takes_nothing_and_later_everything(log: Log) -> None:
    async def limit(pages: int) -> None:
        await log._ask(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchall())

    async def deed() -> None:
        await log.append("A", 0, [b"one"])
        await limit(1)
        for _ in range(2):
            with pytest.raises(Unwritten):
                await log.append("A", 1, [bytes(100_000), b"small"])
        assert await log.last("A") == 1
        assert not log.broken
        await limit(1_000_000)
        await log.append("A", 1, [b"two"])
        assert await log.read("A") == [b"one", b"two"]

    run(deed())


class FailingDisk:
    """A connection whose commit fails as a sync would."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def execute(self, text: str, *values: Any) -> Any:
        if text == "COMMIT":
            raise apsw.IOError("disk I/O error")
        return self._db.execute(text, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def test_after_a_failed_sync_nothing_more_is_written(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.db")
    run(log.append("A", 0, [b"one"]))
    whole = log._db
    log._db = FailingDisk(whole)  # type: ignore[assignment]
    with pytest.raises(Unwritten):
        run(log.append("A", 1, [b"two"]))
    log._db = whole
    assert "I/O" in log.broken
    with pytest.raises(Unwritten):
        run(log.append("A", 1, [b"two"]))
    log.close()
    again = Log(tmp_path / "log.db")
    assert run(again.read("A")) == [b"one"]
    run(again.append("A", 1, [b"two"]))
    again.close()


@pytest.mark.parametrize("content", [b"not a database, but long enough to be read as a header" * 20, None])
def test_a_file_that_is_no_log(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "log.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(Unwritten):
        Log(path)


def test_a_log_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Log(tmp_path / "log.db").close()
    with apsw.Connection(str(tmp_path / "log.db")) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}").fetchall()
    db.close()
    with pytest.raises(Unwritten, match="newer"):
        Log(tmp_path / "log.db")


def test_a_caller_that_has_gone_is_not_missed(log: Log) -> None:
    async def deed() -> None:
        wish = asyncio.ensure_future(log.append("A", 0, [b"one"]))
        await asyncio.sleep(0)
        wish.cancel()
        await asyncio.sleep(0.05)
        assert await log.last("A") == 1

    run(deed())


WRITER = """
import asyncio, sys
from chiamata.server.log import Log

async def book(log, name):
    prev = await log.last(name)
    while True:
        await log.append(name, prev, [b"%d" % (prev + 1)])
        prev += 1
        print(name, prev, flush=True)

async def main():
    log = Log(sys.argv[1])
    await asyncio.gather(*[book(log, f"T{n}") for n in range(4)])

asyncio.run(main())
"""


def test_nothing_acknowledged_is_lost_by_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    told: dict[str, int] = {}
    for round_ in range(6):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(40 + 37 * round_):
            book, number = process.stdout.readline().split()
            told[book] = max(told.get(book, 0), int(number))
        os.kill(process.pid, signal.SIGKILL)
        rest = process.stdout.read()
        process.wait()
        process.stdout.close()
        for line in rest.splitlines()[:-1]:
            book, number = line.split()
            told[book] = max(told[book], int(number))
        log = Log(path)
        for book, least in told.items():
            lines = run(log.read(book))
            assert len(lines) >= least
            assert lines == [b"%d" % (place + 1) for place in range(len(lines))]
        log.close()
