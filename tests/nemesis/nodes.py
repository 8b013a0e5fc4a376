"""The run over two nodes and a real PostgreSQL: nodes, database and the lines between them suffer, people play on."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import random
import signal
import socket
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import msgspec

from chiamata.server.crash import PHASES
from chiamata.server.leases import LEASE
from tests.nemesis.judge import Verdict
from tests.nemesis.proxy import Proxy
from tests.nemesis.run import Doors, Victim, play, verdict_on
from tests.server.postgres import Database, running

NAMES = "abcdefgh"
PATIENCE = 900.0
"""Seconds for a game: takeovers, recoveries and dead lines between node and database take their time."""
CALM = (0.5, 2.0)
"""Between two blows to a node, least and most, in times that its last start took: 2 seconds on a machine of its own.
(On a busy one nodes would spend their lives starting.)"""
DATABASE_CALM = (4.0, 10.0)
"""The same for the database, which all nodes wait for."""
QUICK = 2.0
"""Seconds that a start is taken to need at least."""
LONGEST_PAUSE = LEASE + 6
LONGEST_CUT = LEASE + 8
ENDS_WITHIN = 60.0
"""Seconds that a node may take to stop when it is told to; then it is killed."""
REFUSED = "another writer has it"
"""What a node says when it finds that a table is no longer its own."""


class Strand:
    """All lines between one node and the database: they can be held, one way or both, and cut."""

    def __init__(self, database: Path) -> None:
        """``database``: the socket where PostgreSQL listens."""
        self.database, self.port = database, 0
        self.gates = (asyncio.Event(), asyncio.Event())
        """Open while it carries: to the database, and back."""
        for gate in self.gates:
            gate.set()
        self._lines: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listens; ``port`` says where."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """For good."""
        self._server.close()
        self.cut()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def cut(self) -> None:
        """Every line that there is; new ones are taken."""
        for line in self._lines:
            line.cancel()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        back: asyncio.StreamWriter | None = None
        ways: list[asyncio.Future[None]] = []
        try:
            onward, back = await asyncio.open_unix_connection(str(self.database))
            ends = ((reader, back, self.gates[0]), (onward, writer, self.gates[1]))
            ways = [asyncio.ensure_future(_pump(*each)) for each in ends]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        except (OSError, asyncio.CancelledError):
            pass  # the database is down, or the line is cut
        finally:
            for way in ways:
                way.cancel()
            for end in filter(None, (back, writer)):
                end.transport.abort()
            self._lines.discard(task)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(65_536):
            await gate.wait()
            writer.write(chunk)
            await writer.drain()


class Wired(msgspec.Struct, frozen=True):
    """A node and its lines to the database."""

    node: Victim
    strand: Strand


class NodeNemesis:
    """What befalls one node, and its lines to the database."""

    def __init__(self, one: Wired, dice: random.Random, faults: Counter[str]) -> None:
        self.node, self.strand, self.dice, self.faults = one.node, one.strand, dice, faults
        self.start_took = QUICK
        self._planned = ""

    async def rage(self) -> None:
        """Until it is cancelled; a node that has died is started again."""
        deeds: tuple[Callable[[], Awaitable[None]], ...] = (self._kill, self._roll, self._pause, self._part, self._tear)
        while True:
            await self._start()
            end = time.monotonic() + self.start_took * self.dice.uniform(*CALM)
            while not self.node.is_dead():
                await asyncio.sleep(0.05)
                if time.monotonic() > end:
                    await self.dice.choice(deeds)()
                    end = time.monotonic() + self.start_took * self.dice.uniform(*CALM)
            self.faults[self._planned or "stopped"] += 1
            self.node.close()

    async def _start(self) -> None:
        """Until it is up: while the database is away a node does not start."""
        phases = [phase for phase in PHASES if phase != "in-transaction"]  # which is the database's own here
        self._planned = self.dice.choice(phases) if self.dice.random() < 0.4 else ""
        number = self.dice.randrange(1, 60)
        self.node.variables = {"CHIAMATA_CRASH": f"{number}:{self._planned}"} if self._planned else {}
        while True:
            begun = time.monotonic()
            try:
                await asyncio.to_thread(self.node.start)
            except AssertionError:
                await asyncio.to_thread(self.node.stop)
                await asyncio.sleep(1)
            else:
                self.start_took = max(QUICK, time.monotonic() - begun)
                return

    async def _kill(self) -> None:
        self._signal(signal.SIGKILL)
        self._planned = "kill"
        await self._end()

    async def _roll(self) -> None:
        """It hands its tables over and stops; a new process of its name comes after it."""
        self._signal(signal.SIGTERM)
        self._planned = "roll"
        await self._end()

    async def _end(self) -> None:
        end = time.monotonic() + ENDS_WITHIN
        while not self.node.is_dead():
            await asyncio.sleep(0.05)
            if time.monotonic() > end:
                self._signal(signal.SIGKILL)

    async def _pause(self) -> None:
        """Often for longer than its lease: then its tables are elsewhere when it wakes in the middle of a deed."""
        self.faults["pause"] += 1
        self._signal(signal.SIGSTOP)
        await asyncio.sleep(self.dice.uniform(0.5, LONGEST_PAUSE))
        self._signal(signal.SIGCONT)

    async def _part(self) -> None:
        """The lines are dead for a while, one way or both, and what was on the way arrives afterwards."""
        which = self.dice.choice(((0,), (1,), (0, 1)))
        self.faults[("part-there", "part-back")[which[0]] if len(which) == 1 else "part"] += 1
        gates = [self.strand.gates[way] for way in which]
        for gate in gates:
            gate.clear()
        await asyncio.sleep(self.dice.uniform(0.5, LONGEST_CUT))
        for gate in gates:
            gate.set()

    async def _tear(self) -> None:
        self.faults["tear"] += 1
        self.strand.cut()

    def _signal(self, number: signal.Signals) -> None:
        assert self.node.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.node.process.pid, number)


async def _rage_at(database: Database, nodes: list[NodeNemesis], dice: random.Random, faults: Counter[str]) -> None:
    """kill -9 of what serves the logs, after which PostgreSQL recovers; or of all of it, and a start."""
    while True:
        await asyncio.sleep(max(node.start_took for node in nodes) * dice.uniform(*DATABASE_CALM))
        kind = dice.choice(("database-crash", "database-kill"))
        faults[kind] += 1
        with contextlib.suppress(subprocess.CalledProcessError):  # it is still recovering from the last one
            await asyncio.to_thread(database.crash if kind == "database-crash" else database.kill)


async def run_nodes(
    folder: Path, games: int, dice: random.Random, nodes: int, until: float = math.inf
) -> tuple[Verdict, Counter[str]]:
    """Plays so many games over so many nodes, and judges them by what the database holds then.

    Args:
        until: after this moment no game is begun.
    """
    (folder / "journals").mkdir()
    faults: Counter[str] = Counter()
    with running() as database:
        address = database.fresh()
        some = [await _node(folder / name, database, address) for name in NAMES[:nodes]]
        proxies = [Proxy(one.node.port, random.Random(dice.random()), faults) for one in some]
        for proxy in proxies:
            await proxy.start()
        furies = [NodeNemesis(one, random.Random(dice.random()), faults) for one in some]
        raging = [asyncio.ensure_future(fury.rage()) for fury in furies]
        raging.append(asyncio.ensure_future(_rage_at(database, furies, random.Random(dice.random()), faults)))
        ports = {name: proxy.port for name, proxy in zip(NAMES, proxies, strict=False)}
        doors = Doors([one.node for one in some], ports, faults, folder / "journals", PATIENCE, until)
        try:
            stuck = await play(doors, games, dice)
        finally:
            for raged in raging:
                raged.cancel()
            await asyncio.gather(*raging, return_exceptions=True)
            for one in some:
                if not one.node.is_dead():
                    one.node.kill()
                await one.strand.stop()
            for proxy in proxies:
                await proxy.stop()
        forked = await _keep(address, folder / "house.db")
    verdict = verdict_on(folder, faults, stuck)
    for book in forked:
        verdict.complain("forked", f"{book}: an older epoch wrote after a newer one")
    said = [(one.node.folder / "errors.txt").read_text("utf-8") for one in some]
    print(f"tables that a node found to be another's: {sum(text.count(REFUSED) for text in said)}")
    return verdict, faults


async def _node(folder: Path, database: Database, address: str) -> Wired:
    """A node with its strand, not yet started; its port is its own from now on."""
    strand = Strand(database.socket)
    await strand.start()
    folder.mkdir()
    store = f"postgresql://postgres@127.0.0.1:{strand.port}{urlsplit(address).path}"
    key = str(folder.parent / "house.db.key")
    options = ("--pace", "0", "--store", store, "--node", folder.name, "--key", key)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    return Wired(Victim(folder, port, options), strand)


async def _keep(address: str, file: Path) -> list[str]:
    """Copies the lines into a file for the judge; the books in which epochs run back."""
    while True:
        try:
            db = await asyncpg.connect(address)
        except (asyncpg.PostgresError, OSError):
            await asyncio.sleep(0.5)  # it recovers
        else:
            break
    rows = await db.fetch("SELECT book, seq, line, epoch FROM chiamata.lines ORDER BY book, seq")
    await db.close()
    copy = sqlite3.connect(file)
    copy.execute("CREATE TABLE lines (book TEXT, seq INTEGER, line BLOB)")
    copy.executemany("INSERT INTO lines VALUES (?, ?, ?)", [tuple(row)[:3] for row in rows])
    copy.commit()
    copy.close()
    epochs: dict[str, list[int]] = {}
    for row in rows:
        epochs.setdefault(row["book"], []).append(row["epoch"])
    return [book for book, each in epochs.items() if each != sorted(each)]
