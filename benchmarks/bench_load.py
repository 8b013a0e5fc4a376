"""A house full of people at human pace: how long from a command until all five have its scene.

    python benchmarks/bench_load.py [--tables 1000] [--seconds 60] [--db FILE] [--gap 3.2]

Open loop: each table's next command is due every ``gap`` seconds, whether the last one has been answered or
not, and its time counts from the moment it was due.  (A generator that waits for answers first would slow down
with the house and report that all is well.)  Five sockets a table, every append synced, no bots, no clocks.

The house runs in a process of its own on the same machine, which the generator shares with it.  Levels:
1,000 tables (5,000 sockets) with 99 of 100 commands in 50 ms; 4,000 tables in 75 ms; 10,000 in 100 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import msgspec
import uvloop
from bench_rules import calibration

from chiamata.server.limits import UNHURRIED
from chiamata.server.run import Settings, serve

GAP = 3.2
"""Seconds between two commands of a table: 55 commands in a deal of three minutes."""
SOCKETS_OF_ADDRESS = 20_000
"""An address has 28,000 ports for its connections; more sockets come from another address of this machine."""
SPARE_FILES = 100
"""Beside the sockets: the log, the threads' pipes, modules."""
OPENING = 40
"""So many sockets are opened at a time."""
CHAIRS = range(5)


class Options(msgspec.Struct):
    bids: list[dict[str, Any]] = []
    may_pass: bool = False
    calls: list[dict[str, Any]] = []
    plays: list[str] = []


class Deal(msgspec.Struct):
    turn: int | None = None
    options: Options = msgspec.field(default_factory=Options)


class Table(msgspec.Struct):
    state: str


class Scene(msgspec.Struct):
    """What a player needs of a scene."""

    v: int
    table: Table
    deal: Deal | None = None


_SCENE = msgspec.json.Decoder(Scene)


class Line(asyncio.Protocol):
    """One person's socket: as little work for each frame as can be done."""

    def __init__(self, game: Game, chair: int, hello: bytes) -> None:
        self.game, self.chair, self.hello = game, chair, hello
        self.buffer = b""
        self.is_open = False
        self.scene = b""
        self.v = 0
        self.frames = 0
        self.goodbye = b""
        """The house's last words: two bytes of code, and a reason."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        transport.write(self.hello)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.is_open:
            head, end, self.buffer = self.buffer.partition(b"\r\n\r\n")
            if not end:
                self.buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.is_open = True
        while len(self.buffer) >= 2:
            length, start = self.buffer[1] & 127, 2
            if length == 126:
                length, start = int.from_bytes(self.buffer[2:4], "big"), 4
            elif length == 127:
                length, start = int.from_bytes(self.buffer[2:10], "big"), 10
            if len(self.buffer) < start + length:
                return
            kind, text = self.buffer[0] & 15, self.buffer[start : start + length]
            self.buffer = self.buffer[start + length :]
            if kind == 1:
                self.frames += 1
                self._heard(text)
            elif kind == 8:
                self.goodbye = text
                self._write(0x88, text[:2])
                self.transport.close()
            elif kind == 9:
                self._write(0x8A, text)

    def _heard(self, text: bytes) -> None:
        if text.startswith(b'{"is":"scene","v":'):
            self.scene = text
            self.v = int(text[18 : text.index(b",", 18)])
            self.game.saw()
        elif text.startswith(b'{"is":"no"'):
            self.game.refused(text)

    def say(self, **fields: Any) -> None:
        self._write(0x81, msgspec.json.encode(fields))

    def _write(self, head: int, text: bytes) -> None:
        size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2, "big")
        self.transport.write(bytes([head]) + size + bytes(4) + text)  # masked with zeros


class Game:
    """Five people at a table."""

    def __init__(self, house: House, number: int) -> None:
        self.house, self.dice = house, random.Random(number)
        self.lines: list[Line] = []
        self.code = ""
        self.due: deque[float] = deque()
        self.since = 0.0
        """When the command that is under way was due; 0 for none."""
        self.waits: list[float] = []
        self.noes: list[bytes] = []
        self.sent = 0
        self._v = 0
        self._news = asyncio.Event()

    async def open(self, cookies: list[str]) -> None:
        """Sits down and starts."""
        self.code = await self.house.table(cookies[0])
        for chair, cookie in enumerate(cookies):
            self.lines.append(await self.house.line(self, chair, cookie))
        await self._until(lambda: all(line.v for line in self.lines))
        for chair in CHAIRS[1:]:
            self._say(chair, do="sit", chair=chair)
            await self._until(lambda: all(line.v > self._v for line in self.lines))
        self._say(0, do="start")
        await self._until(lambda: all(line.v > self._v for line in self.lines))

    async def _until(self, is_so: Any) -> None:
        async with asyncio.timeout(60):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    def saw(self) -> None:
        """Somebody has a new scene."""
        self._news.set()
        if self.since and all(line.v > self._v for line in self.lines):
            self.waits.append(time.perf_counter() - self.since)
            self.since = 0.0
            if self.due:
                self._act(self.due.popleft())

    def refused(self, text: bytes) -> None:
        """A command was: nothing will come of it."""
        self.noes.append(text)
        self.since = 0.0

    def tick(self) -> None:
        """A command is due."""
        now = time.perf_counter()
        if self.since:
            self.due.append(now)
        else:
            self._act(now)

    def _act(self, due: float) -> None:
        scene = _SCENE.decode(self.lines[0].scene)
        self.since = due
        if scene.table.state != "playing":
            for chair in CHAIRS:
                self._say(chair, do="next")
            return
        assert scene.deal is not None
        chair = scene.deal.turn
        assert chair is not None
        options = _SCENE.decode(self.lines[chair].scene).deal
        assert options is not None
        self._say(chair, **chosen(options.options, self.dice))

    def _say(self, who: int, **fields: Any) -> None:
        self._v = max(line.v for line in self.lines)
        self.sent += 1
        self.lines[who].say(id=str(self.sent), v=self._v, **fields)


def chosen(options: Options, dice: random.Random) -> dict[str, Any]:
    """A move like a person's: any card, any call, and six in ten pass."""
    if options.plays:
        return {"do": "play", "card": dice.choice(options.plays)}
    if options.calls:
        return {"do": "call", "card": dice.choice(options.calls)["card"]}
    if options.may_pass and (not options.bids or dice.random() < 0.6):
        return {"do": "pass"}
    return {"do": "bid", "say": options.bids[0]["say"]}


class House:
    """The server, and what it costs."""

    def __init__(self, db: Path) -> None:
        words = [sys.executable, __file__, "--serve", str(db)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        ports = [int(re.findall(r":(\d+)/", self.process.stdout.readline())[0]) for _ in range(2)]
        self.port, self.metrics = ports
        assert self.process.stdout.readline() == "ready\n"
        self._http = HTTPConnection("127.0.0.1", self.port)
        self._asking = asyncio.Lock()
        self._opened = 0

    def _post(self, path: str, body: object, cookie: str = "") -> tuple[Any, str]:
        headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.port}", "Cookie": cookie}
        self._http.request("POST", path, msgspec.json.encode(body), headers)
        answer = self._http.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        return msgspec.json.decode(text), (answer.getheader("set-cookie") or "").partition(";")[0]

    async def _ask(self, *asked: Any) -> tuple[Any, str]:
        """Beside the loop, which must be there when a new socket has to speak: the house gives it five seconds."""
        async with self._asking:
            return await asyncio.to_thread(self._post, *asked)

    async def guest(self, name: str) -> str:
        """A new guest's cookie."""
        return (await self._ask("/api/me", {"name": name}))[1]

    async def table(self, cookie: str) -> str:
        """A new table's code."""
        return str((await self._ask("/api/tables", {"rules": "classic"}, cookie))[0]["code"])

    async def line(self, game: Game, chair: int, cookie: str) -> Line:
        """A socket at a table."""
        hello = (
            f"GET /ws/{game.code} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
            f"Cookie: {cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()
        self._opened += 1
        own = f"127.0.0.{2 + self._opened // SOCKETS_OF_ADDRESS}"
        loop = asyncio.get_running_loop()
        line = Line(game, chair, hello)
        await loop.create_connection(lambda: line, "127.0.0.1", self.port, local_addr=(own, 0))
        return line

    def cpu(self) -> float:
        """Seconds of CPU that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes in memory."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        assert found
        return int(found[1]) * 1024

    def lag(self) -> dict[float, int]:
        """How often its loop was late by at most so many seconds."""
        with urlopen(f"http://127.0.0.1:{self.metrics}/metrics") as answer:
            text = answer.read().decode()
        return {
            float(bound): int(count) for bound, count in re.findall(r'loop_lag_seconds_bucket{le="(.*?)"} (\d+)', text)
        }

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


async def measure(house: House, asked: argparse.Namespace) -> None:
    """Opens the tables, plays, prints."""
    empty = house.memory()
    games = [Game(house, number) for number in range(asked.tables)]
    gate = asyncio.Semaphore(OPENING)

    async def open_one(number: int, game: Game) -> None:
        async with gate:
            await game.open([await house.guest(f"P{number}-{chair}") for chair in CHAIRS])

    begun = time.perf_counter()
    await asyncio.gather(*[open_one(number, game) for number, game in enumerate(games)])
    print(
        f"{asked.tables} tables, {5 * asked.tables} sockets opened in {time.perf_counter() - begun:.0f} s", flush=True
    )
    loop, dice = asyncio.get_running_loop(), random.Random(1)
    end = loop.time() + asked.seconds

    def tick(game: Game, at: float) -> None:
        game.tick()
        if at + asked.gap < end:
            loop.call_at(at + asked.gap, tick, game, at + asked.gap)

    pace = calibration()
    before, lags, frames = house.cpu(), house.lag(), sum(line.frames for game in games for line in game.lines)
    sent = sum(game.sent for game in games)
    for game in games:
        at = loop.time() + dice.uniform(0, asked.gap)
        loop.call_at(at, tick, game, at)
    own = time.process_time()
    await asyncio.sleep(asked.seconds + 5)
    pace = (pace + calibration()) / 2
    own, cpu = time.process_time() - own, house.cpu() - before
    commands = sum(game.sent for game in games) - sent
    frames = sum(line.frames for game in games for line in game.lines) - frames
    report(games, commands, frames, asked.seconds)
    late = {bound: count - lags[bound] for bound, count in house.lag().items()}
    total = late[float("inf")]
    bound = min(bound for bound, count in late.items() if count >= 0.99 * total)
    micro = cpu / commands * 1e6
    print(f"house: {micro:.0f} us of CPU a command, {micro * pace / 1e6:.0f} turns of plain Python;", end=" ")
    print(f"{cpu / asked.seconds:.0%} of a core (generator: {own / asked.seconds:.0%})")
    each = (house.memory() - empty) / (5 * len(games)) / 1024
    print(f"memory {house.memory() / 2**20:.0f} MiB, {each:.1f} KiB a socket with its share of the table")
    print(f"loop late by at most {bound * 1e3:g} ms in 99 of 100 looks")


def report(games: list[Game], commands: int, frames: int, seconds: float) -> None:
    """The waits of all commands, those that never ended among them."""
    waits = sorted(wait for game in games for wait in game.waits)
    unfinished = sum(bool(game.since) + len(game.due) for game in games)
    noes = sum(len(game.noes) for game in games)
    print(f"{commands / seconds:.0f} commands and {frames / seconds:.0f} frames a second; ", end="")
    print(f"{unfinished} not answered, {noes} refused")
    marks = [waits[min(len(waits) - 1, int(len(waits) * share))] * 1e3 for share in (0.5, 0.99, 0.999)]
    print(
        "from due to the fifth scene: median / 99 % / 99.9 %", " / ".join(f"{mark:.1f}" for mark in marks), end=" ms, "
    )
    print(f"longest {waits[-1] * 1e3:.0f} ms", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--gap", type=float, default=GAP)
    parser.add_argument("--db", type=Path, help="the log's file (a temporary one)")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    files = 5 * asked.tables + SPARE_FILES
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, most), max(files, most)))
    except (ValueError, OSError) as error:
        sys.exit(f"{asked.tables} tables need {files} open files in each process ({error}): the most here is {most}")
    if asked.serve:
        many = msgspec.structs.replace(UNHURRIED, pages_of_address=10**6, pages=10**6)
        sys.exit(serve(Settings(port=0, db=asked.serve, metrics=0, limits=many)))
    with tempfile.TemporaryDirectory() as folder:
        house = House(asked.db or Path(folder) / "load.db")
        try:
            uvloop.run(measure(house, asked))
        finally:
            house.close()


if __name__ == "__main__":
    main()
