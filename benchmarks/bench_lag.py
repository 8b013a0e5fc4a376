"""A house of tables filled with bots at human pace: how late its event loop is while they think.

    python benchmarks/bench_lag.py [--tables 50] [--seconds 120] [--level friend] [--db FILE]

One person sits at each table with four bots of a level, takes some seconds for a move as people do, and the bots
pause as they do at any table (``--pace 1``).  The house runs in a process of its own, which says itself how late its
loop was, four looks a second (``chiamata_loop_lag_seconds``); what is told are the bounds of that figure, so "at most".
Beside it stands how late, at the same time, a loop of its own process is that does nothing else: that is the machine.
Level: 99 of 100 looks late by at most 20 ms with 50 tables, on a machine where the idle loop is not late.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvloop
from bench_load import _SCENE, Game, House, Line, chosen
from bench_rules import calibration

from chiamata.server.metrics import BOUNDS, Metrics

PAUSE = (0.8, 4.0)
"""Seconds that a person takes for a move."""
BOTS = range(1, 5)


class Table(Game):
    """One person among bots."""

    def __init__(self, house: House, number: int, level: str) -> None:
        super().__init__(house, number)
        self.level = level
        self.moves = 0
        self._answered = -1
        self._begun = False

    async def open(self, cookies: list[str]) -> None:
        """Sits down, fills the table and starts."""
        self.code = await self.house.table(cookies[0])
        self.lines.append(await self.house.line(self, 0, cookies[0]))
        await self._until(lambda: self._line.v > 0)
        for chair in BOTS:
            await self._ask(do="bot", chair=chair, level=self.level)
        await self._ask(do="start")
        self._begun = True
        self._look()

    async def _ask(self, **fields: Any) -> None:
        self._say(0, **fields)
        await self._until(lambda: self._line.v > self._v)

    @property
    def _line(self) -> Line:
        return self.lines[0]

    def saw(self) -> None:
        """A new scene: if something is to be done, it is done in a while."""
        super().saw()
        self._look()

    def _look(self) -> None:
        if not self._begun or self._line.v == self._answered:
            return
        scene = _SCENE.decode(self._line.scene)
        mine = scene.deal is not None and scene.deal.turn == 0
        if scene.table.state == "playing" and not mine:
            return
        self._answered = self._line.v
        asyncio.get_running_loop().call_later(self.dice.uniform(*PAUSE), self._move)

    def _move(self) -> None:
        scene = _SCENE.decode(self._line.scene)
        self.moves += 1
        if scene.table.state != "playing":
            self._say(0, do="next")
        elif scene.deal is not None and scene.deal.turn == 0:
            self._say(0, **chosen(scene.deal.options, self.dice))


async def measure(house: House, asked: argparse.Namespace) -> None:
    """Opens the tables, waits, prints."""
    tables = [Table(house, number, asked.level) for number in range(asked.tables)]
    for number, one in enumerate(tables):
        await one.open([await house.guest(f"P{number}")])
    pace, load = calibration(), os.getloadavg()[0]
    words = [sys.executable, __file__, "--idle", "--seconds", str(asked.seconds)]
    control = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
    before, cpu, begun = house.lag(), house.cpu(), time.perf_counter()
    frames, moves = sum(one.lines[0].frames for one in tables), sum(one.moves for one in tables)
    await asyncio.sleep(asked.seconds)
    seconds, cpu = time.perf_counter() - begun, house.cpu() - cpu
    late = {bound: count - before[bound] for bound, count in house.lag().items()}
    idle = (await control.communicate())[0].decode()
    frames = sum(one.lines[0].frames for one in tables) - frames
    moves = sum(one.moves for one in tables) - moves
    refused = [text for one in tables for text in one.noes]
    pace = (pace + calibration()) / 2
    print(f"{asked.tables} tables of one person and four {asked.level} bots, {seconds:.0f} s: ", end="")
    print(f"{frames / seconds:.1f} scenes and {moves / seconds:.1f} people's moves a second, {len(refused)} refused")
    print(
        f"house: {cpu / seconds:.0%} of a core; load of the machine {load:.1f} and {os.getloadavg()[0]:.1f}; ", end=""
    )
    print(f"calibration {pace / 1e6:.1f} M steps a second")
    print(f"the house's loop late: {told(late)}\nan idle loop late: {idle.strip()}")


def told(late: dict[float, int]) -> str:
    """How late by half, by 99 of 100 and by all looks."""
    total = late[float("inf")]
    marks = [min(bound for bound, count in late.items() if count >= share * total) for share in (0.5, 0.99, 1.0)]
    half, most, all_ = (f"{mark * 1e3:g} ms" for mark in marks)
    return f"half of {total} looks at most {half}, 99 of 100 {most}, all {all_}"


async def idle(seconds: float) -> str:
    """The same of a loop that only looks."""
    metrics = Metrics()
    with suppress(TimeoutError):
        await asyncio.wait_for(metrics.watch_loop(), seconds)
    counts = [sum(metrics.lag.counts[: place + 1]) for place in range(len(metrics.lag.counts))]
    return told(dict(zip((*BOUNDS, float("inf")), counts, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--level", default="friend")
    parser.add_argument("--db", type=Path, help="the log's file (a temporary one)")
    parser.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.idle:
        print(uvloop.run(idle(asked.seconds)))
        return
    with tempfile.TemporaryDirectory() as folder:
        house = House(asked.db or Path(folder) / "lag.db")
        try:
            uvloop.run(measure(house, asked))
        finally:
            house.close()


if __name__ == "__main__":
    main()
