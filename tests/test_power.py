"""The power is cut at any write and sync: what was acknowledged is on the disk, and every table goes on.

``make power`` cuts 500 times and more; here it is a sample.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chiamata.server import log as log_module
from chiamata.server import table
from chiamata.server.log import Log, Unwritten
from tests.server.driver import rules_with
from tests.server.power import Disk, DiskLog, forgetful_disks
from tests.server.simulated import Faults, Person, World, judge, simulate

CUTS = int(os.environ.get("CHIAMATA_CUTS", "40"))
"""So many cuts of games at least."""
OFTEN = 0.01
"""The chance of a cut at each deed of the disk: about four in a deal."""
SHORT = 12
"""Pages after which a test's log goes into its file, so that there is much of it to be cut."""

Forgetful = Callable[..., Disk]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the layer lies on the file system of Unix")


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Forgetful]:
    monkeypatch.setattr(log_module, "CHECKPOINT", SHORT)
    with forgetful_disks() as make:
        yield make


# --- games ----------------------------------------------------------------------------------------


def game(folder: Path, disk: Forgetful, seed: int, settings: tuple[str, ...] = ()) -> int:
    """A deal of three people and two bots with cuts on the way; how many."""
    rules = rules_with(
        ("quick", "classic", "first-trick-blind")[seed % 3], session={"kind": "deals", "deals": 1, "allowed": None}
    )

    async def deed() -> int:
        store = DiskLog(folder, disk, random.Random(seed), settings)
        world = World(store)
        world.code = await world.hub.create(rules, None, "p0", "P0")
        store.often = OFTEN
        people = [Person(world, f"p{n}", Faults(lost=0.05, twice=0.1), seed, cuts=n > 0) for n in range(3)]
        async with asyncio.timeout(40_000):
            await asyncio.gather(*[person.live() for person in people])
        store.often = 0
        await world.end()
        assert table.stage_of(world.state) == "over"
        assert await store.read(world.code) == store.books[world.code]
        judge(world, people)
        store.close()
        return store.cuts

    return simulate(deed())


def test_games_go_on_after_cuts(tmp_path: Path, disk: Forgetful) -> None:
    cuts = seed = 0
    while cuts < CUTS:
        cuts += game(tmp_path / str(seed), disk, seed)
        seed += 1
    print(f"games={seed} cuts={cuts} lost=0")


@pytest.mark.parametrize("weak", ["PRAGMA synchronous = NORMAL", "PRAGMA synchronous = OFF"])
def test_a_log_that_does_not_wait_for_the_disk_is_found_out(tmp_path: Path, disk: Forgetful, weak: str) -> None:
    def five_games() -> None:
        for seed in range(5):
            game(tmp_path / str(seed), disk, seed, (weak,))

    with pytest.raises(AssertionError, match=r"not on the disk|cannot be opened|malformed"):
        five_games()


# --- the log alone --------------------------------------------------------------------------------


def test_a_cut_at_every_write_and_sync(tmp_path: Path, disk: Forgetful) -> None:
    """From the making of the file on, over checkpoints, a close and a second opening, with four books at a time."""
    told = {f"T{n}": 0 for n in range(4)}
    cuts: list[tuple[Path, dict[str, int]]] = []
    dice = random.Random(1)

    def before(number: int) -> None:
        for again in range(2):
            cuts.append((tmp_path / f"{number}-{again}", dict(told)))
            forgetful.after_a_cut(cuts[-1][0], dice)

    async def book(log: Log, name: str) -> None:
        for prev in range(told[name], told[name] + 6):
            await log.append(name, prev, [b"%d" % (prev + 1) * 300])
            told[name] = prev + 1

    async def life() -> None:
        log = Log(tmp_path / "house" / "log.db")
        await asyncio.gather(*[book(log, name) for name in told])
        log.close()

    (tmp_path / "house").mkdir()
    forgetful = disk(tmp_path / "house", before)
    for _ in range(2):
        asyncio.run(life())
    assert forgetful.deeds > 150
    for folder, least in cuts:
        disk(folder)
        asyncio.run(_goes_on(folder, least))


async def _goes_on(folder: Path, least: dict[str, int]) -> None:
    log = Log(folder / "log.db")
    for name, number in least.items():
        lines = await log.read(name)
        assert len(lines) >= number, "an acknowledged line is lost"
        assert lines == [b"%d" % (place + 1) * 300 for place in range(len(lines))]
        await log.append(name, len(lines), [b"more"])
    # In the log's own thread: it may be putting what was appended into the file, and the connection is its own.
    checked = await log._ask(lambda db: db.execute("PRAGMA integrity_check").fetchall())
    assert checked == [("ok",)]
    log.close()


@pytest.mark.parametrize("file", ["log.db", "log.db-wal"])
def test_after_a_sync_that_failed_nothing_more_is_written(tmp_path: Path, disk: Forgetful, file: str) -> None:
    """Be it the sync of a commit or that of a checkpoint: the file may lack what the system believes to be there."""
    told = 0

    async def deed() -> None:
        nonlocal told
        for _ in range(100):
            await log.append("A", told, [b"%d" % (told + 1) * 300])
            told += 1
            if told == 2:
                forgetful.failing = file

    folder = tmp_path / "house"
    folder.mkdir()
    forgetful = disk(folder)
    log = Log(folder / "log.db")
    with pytest.raises(Unwritten):
        asyncio.run(deed())
    deeds = forgetful.deeds
    assert "sync failed" in log.broken
    with pytest.raises(Unwritten):
        asyncio.run(log.append("A", told, [b"never"]))
    assert forgetful.deeds == deeds
    forgetful.after_a_cut(tmp_path / "after", random.Random(1))
    forgetful.failing = ""
    log.close()
    again = Log(tmp_path / "after" / "log.db")
    assert asyncio.run(again.read("A"))[:told] == [b"%d" % (place + 1) * 300 for place in range(told)]
    again.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="a file is taken away by way of /proc")
def test_a_checkpoint_that_fails_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own checkpoints keep such a failure to themselves (and the layer above would tell of it even so)."""
    monkeypatch.setattr(log_module, "CHECKPOINT", SHORT)
    log = Log(tmp_path / "log.db")
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{name}") == str(tmp_path / "log.db"):
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, int(name))  # writes succeed, and a new length or a sync does not
                os.close(nowhere)

    async def deed() -> None:
        for prev in range(100):
            await log.append("A", prev, [bytes(2_000)])

    with pytest.raises(Unwritten):
        asyncio.run(deed())
    assert log.broken
    log.close()
