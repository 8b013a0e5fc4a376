"""The run itself: one house, so many tables at a time, and what befalls the house."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import math
import os
import random
import resource
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from chiamata.server.crash import PHASES
from tests.e2e.house import Answer, House
from tests.nemesis.judge import Journal as Written
from tests.nemesis.judge import Verdict, judge_all, rows_of
from tests.nemesis.players import Player, Post
from tests.nemesis.proxy import Proxy
from tests.server.driver import rules_with

TABLES = 8
"""So many tables are played at a time."""
RULES = ("classic", "quick", "trattoria", "family-blind", "first-trick-blind", "brisk-draw")
STUCK = 240.0
"""Seconds after which a game that does not end is a fault of the house."""
DISK = 64
"""MiB of the small disk."""
CALM = (0.2, 2.5)
"""Seconds between two blows, least and most."""
NO_ANSWER = (OSError, HTTPException)


class Victim(House):
    """A house that may die while it starts."""

    def wait_for_answer(self) -> None:
        """Until it answers, or is dead."""
        while self.process and self.process.poll() is None:
            try:
                self.ask("GET", "/api/rules")
            except NO_ANSWER:
                time.sleep(0.05)
            else:
                return

    def is_dead(self) -> bool:
        """Whether its process has ended."""
        return self.process is None or self.process.poll() is not None


class Nemesis:
    """What befalls the house: at random moments of its choice, and at chosen phases of an append."""

    def __init__(self, house: Victim, dice: random.Random, faults: Counter[str], small_disk: bool) -> None:
        """``small_disk``: the log lies on a disk of its own that may be filled."""
        self.house, self.dice, self.faults = house, dice, faults
        self.kinds = ["kill", "pause", "limit", *(["full"] if small_disk else [])]
        self._planned = ""

    async def rage(self) -> None:
        """Until it is cancelled; a house that has died is started again."""
        while True:
            self._plan()
            await asyncio.to_thread(self.house.start)
            end = time.monotonic() + self.dice.uniform(*CALM)
            while not self.house.is_dead():
                await asyncio.sleep(0.05)
                if time.monotonic() > end:
                    await self._strike(self.dice.choice(self.kinds))
                    end = time.monotonic() + self.dice.uniform(*CALM)
            self.faults[self._planned or "stopped"] += 1
            self.house.close()

    def _plan(self) -> None:
        """Every other life of the house ends at a chosen append."""
        phase = self.dice.choice(PHASES) if self.dice.random() < 0.6 else ""
        number = self.dice.randrange(1, 60)
        self.house.variables = {"CHIAMATA_CRASH": f"{number}:{phase}"} if phase else {}
        self._planned = phase

    async def _strike(self, kind: str) -> None:
        process = self.house.process
        assert process is not None
        if kind == "kill":
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            self._planned = kind
        elif kind == "pause":
            self.faults[kind] += 1
            os.kill(process.pid, signal.SIGSTOP)
            await asyncio.sleep(self.dice.uniform(0.2, 2))
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
        elif kind == "limit":
            self.faults[kind] += 1
            await self._limit(process.pid)
        else:
            self.faults[kind] += 1
            await self._fill()

    async def _limit(self, pid: int) -> None:
        """No file may grow: a write fails, which is worse than a full disk, and the house must stop."""
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        log = self.house.folder / "house.db-wal"
        room = log.stat().st_size + 1 if log.exists() else 1
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (room, hard))
            await asyncio.sleep(self.dice.uniform(0.3, 1.5))
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))

    async def _fill(self) -> None:
        """The disk is full for a while, then it is not."""
        ballast = self.house.folder / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(bytes(65_536)):
                pass
        await asyncio.sleep(self.dice.uniform(0.3, 1.5))
        ballast.unlink()


async def run(folder: Path, games: int, dice: random.Random, until: float = math.inf) -> tuple[Verdict, Counter[str]]:
    """Plays so many games, and judges them by what lies in the folder afterwards.  Also returns the faults by kind.

    Args:
        until: after this moment no game is begun.
    """
    (folder / "journals").mkdir()
    faults: Counter[str] = Counter()
    with _small_disk(folder / "disk") as small:
        house = Victim(folder / "disk")
        house.start()
        proxy = Proxy(house.port, random.Random(dice.random()), faults)
        await proxy.start()
        house.stop()
        nemesis = Nemesis(house, random.Random(dice.random()), faults, small)
        raging = asyncio.ensure_future(nemesis.rage())
        doors = Doors([house], {"": proxy.port}, faults, folder / "journals", until=until)
        try:
            stuck = await play(doors, games, dice)
        finally:
            raging.cancel()
            await asyncio.gather(raging, return_exceptions=True)
            await proxy.stop()
            if not house.is_dead():
                house.kill()
        for name in ("house.db", "house.db-wal", "house.db.key"):
            if (folder / "disk" / name).exists():
                (folder / name).write_bytes((folder / "disk" / name).read_bytes())
    return verdict_on(folder, faults, stuck), faults


class Doors(msgspec.Struct, frozen=True):
    """Where games are played.

    Args:
        houses: one, or several nodes; each answers over HTTP.
        ports: of the networks before them, by the nodes' names; '' for a house alone.
        journals: the folder that takes them.
        patience: seconds for a game.
        until: after this moment no game is begun.
    """

    houses: list[Victim]
    ports: dict[str, int]
    faults: Counter[str]
    journals: Path
    patience: float = STUCK
    until: float = math.inf

    async def ask(self, method: str, path: str, body: Any = None, cookie: str = "") -> Answer:
        """One request, again and again until a house answers it."""
        while True:
            for house in self.houses:
                with contextlib.suppress(*NO_ANSWER):
                    headers = {"Cookie": cookie} if cookie else None
                    answer = await asyncio.to_thread(house.ask, method, path, body, headers)
                    if answer.status < 300:
                        return answer
                await asyncio.sleep(0.2)


async def play(doors: Doors, games: int, dice: random.Random) -> list[str]:
    """So many games, some at a time; the codes of those that did not end."""
    seats = [random.Random(dice.random()) for _ in range(min(TABLES, games))]
    numbers = iter(range(games))
    lanes = [asyncio.ensure_future(_lane(doors, numbers, seed)) for seed in seats]
    return [code for lane in asyncio.as_completed(lanes) for code in await lane]


def verdict_on(folder: Path, faults: Counter[str], stuck: list[str]) -> Verdict:
    """The judge's, of what lies in the folder; ``stuck``: the games that did not end."""
    (folder / "faults.json").write_bytes(msgspec.json.encode(faults))
    read = msgspec.json.Decoder(Written)
    journals = (read.decode(path.read_bytes()) for path in sorted((folder / "journals").iterdir()))
    verdict = judge_all(rows_of(folder / "house.db"), journals)
    for code in stuck:
        verdict.complain("lost", f"{code}: the game did not come to its end")
    return verdict


async def _lane(doors: Doors, numbers: Iterator[int], dice: random.Random) -> list[str]:
    """One game after the other with the same guests; the codes of those that did not end."""
    names = [f"p{n}x{dice.randrange(10**6)}" for n in range(5)]
    cookies = {}
    for name in names:
        answer = await doors.ask("POST", "/api/me", {"name": name})
        cookies[name] = answer.headers["set-cookie"].split(";")[0]
    stuck = []
    for _ in takewhile(lambda _: time.monotonic() < doors.until, numbers):
        people = names[: dice.randrange(2, 6)]
        rules = rules_with(dice.choice(RULES), session={"kind": "deals", "deals": 1, "allowed": None})
        made = await doors.ask("POST", "/api/tables", {"rules": rules.to_mapping()}, cookies[people[0]])
        post = Post(str(made.json()["code"]), doors.ports, len(people), doors.faults)
        players = [Player(name, cookies[name], post, dice.randrange(1000)) for name in people]
        watchers = [Player("w", "", post, 0) for _ in range(dice.randrange(2))]
        try:
            async with asyncio.timeout(doors.patience):
                await asyncio.gather(*[player.live() for player in [*players, *watchers]])
        except TimeoutError:
            stuck.append(post.code)
        opened = await doors.ask("GET", f"/api/tables/{post.code}/transcripts")
        players[0].note("opened", opened.body.decode())
        for number, player in enumerate([*players, *watchers]):
            who = _who(player.cookie)
            (doors.journals / f"{post.code}-{number}.json").write_bytes(msgspec.json.encode(player.journal(who)))
    return stuck


def _who(cookie: str) -> str:
    """As the log names the guest with this cookie."""
    return hashlib.sha256(cookie.partition("=")[2].encode()).hexdigest()[:32] if cookie else ""


@contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    """The folder on a small disk of its own, where this process may make one; whether it is."""
    folder.mkdir()
    kind = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "nemesis", str(folder)]
    made = subprocess.run(kind, capture_output=True, check=False).returncode == 0
    try:
        yield made
    finally:
        if made:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)
