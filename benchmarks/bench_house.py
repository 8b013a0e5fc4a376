"""What a command costs the house: decided, appended and synced, and five people's scenes made from it.

    python benchmarks/bench_house.py [--tables 20] [--deals 2] [--db FILE]

Five people sit at each table and move as soon as they may; sockets are left out.  Beside the figure
stands its ratio to a turn of the loop of plain Python in bench_rules.py.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from bench_rules import calibration

from chiamata.rules.catalogue import load
from chiamata.rules.moves import to_json
from chiamata.server import table, wire
from chiamata.server.boxes import KEY_BYTES, Keys
from chiamata.server.hub import Hub, Workers, wall_clock
from chiamata.server.log import Log
from chiamata.server.page import Page
from chiamata.server.runner import House, Runner
from chiamata.server.vault import Vault

VERBS: dict[str, type[wire.Command]] = {
    "bid": wire.DoBid,
    "pass": wire.DoPass,
    "call": wire.DoCall,
    "play": wire.DoPlay,
}


class Players:
    """Five people at one table, who all have a page open."""

    def __init__(self, hub: Hub, seed: int) -> None:
        self.hub = hub
        self.dice = random.Random(seed)
        self.pages = [Page(f"{seed}-{chair}", f"P{chair}") for chair in range(5)]
        self.code = ""
        self.commands = 0
        self.waits: list[float] = []

    async def play(self, deals: int) -> None:
        """So many deals."""
        self.code = await self.hub.create(load("classic"), None, self.pages[0].who, "P0")
        for page in self.pages:
            await self.hub.join(self.code, page)
        for chair, page in enumerate(self.pages[1:], 1):
            await self._send(page, wire.DoSit, chair=chair)
        await self._send(self.pages[0], wire.DoStart)
        await self._playing()
        while table.stage_of(self._runner.state) != "over" and self._deals < deals:
            if table.stage_of(self._runner.state) == "between":
                for page in self.pages:
                    await self._send(page, wire.DoNext)
                await self._playing()
            else:
                await self._move()

    async def _playing(self) -> None:
        """Until the cards are dealt."""
        while table.stage_of(self._runner.state) == "between":
            await asyncio.sleep(0)

    async def _move(self) -> None:
        game = self._runner.state.game
        assert game is not None
        assert game.deal is not None
        chair = game.seats[game.deal.public.turn]
        view = game.view(chair)
        assert view is not None
        said = to_json(self.dice.choice(view.legal()), load("classic").ranks)
        fields = {key: said[key] for key in ("say", "card") if key in said}
        await self._send(self.pages[chair], VERBS[said["do"]], **fields)

    async def _send(self, page: Page, kind: type[wire.Command], **fields: object) -> None:
        """A command, until its answer and everybody's new scenes are there."""
        self.commands += 1
        begun = time.perf_counter()
        self.hub.wish(self.code, page, kind(id=str(self.commands), v=self._runner.state.v, **fields))
        while True:
            texts = await page.next()
            if any(b'"is":"ack"' in text for text in texts):
                break
        self.waits.append(time.perf_counter() - begun)

    @property
    def _runner(self) -> Runner:
        return self.hub._runners[self.code]

    @property
    def _deals(self) -> int:
        game = self._runner.state.game
        return 0 if game is None else len(game.rows)


async def measure(db: Path, tables: int, deals: int) -> None:
    """Plays and prints."""
    log, workers = Vault(Log(db), Keys([bytes(KEY_BYTES)])), Workers()
    hub = Hub(House(log, workers, time.monotonic, wall_clock))
    players = [Players(hub, seed) for seed in range(tables)]
    pace = calibration()
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*[one.play(deals) for one in players])
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    pace = (pace + calibration()) / 2
    commands = sum(one.commands for one in players)
    waits = sorted(wait for one in players for wait in one.waits)
    lines = await log.read(players[0].code)
    begun = time.perf_counter()
    table.fold(lines)
    fold = (time.perf_counter() - begun) / len(lines)
    micro = cpu / commands * 1e6
    late = waits[-len(waits) // 100]
    print(f"{tables} tables, {commands} commands, {commands / wall:,.0f} a second")
    print(f"{micro:.0f} us of CPU a command, five scenes with it: {micro * pace / 1e6:.0f} turns of plain Python")
    print(f"to the answer: median {waits[len(waits) // 2] * 1e3:.1f} ms, 99 of 100 in {late * 1e3:.1f} ms")
    print(f"{fold * 1e6:.0f} us a line to read a table back")
    await hub.close()
    workers.close()
    log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--db", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(asked.db or Path(folder) / "bench.db", asked.tables, asked.deals))


if __name__ == "__main__":
    main()
