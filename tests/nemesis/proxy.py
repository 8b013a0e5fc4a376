"""A network between people and the house that delays, holds and cuts what it carries, by seed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

CHUNK = 4096
LONGEST_DELAY, LONGEST_STALL = 0.05, 1.5
"""Seconds that a chunk is late, and that a line is half open."""


class Proxy:
    """Listens on a port of its own and hands every connection on to another port of this machine."""

    def __init__(self, port: int, dice: random.Random, faults: Counter[str]) -> None:
        """``faults`` counts what was done, by kind."""
        self.target, self.dice, self.faults = port, dice, faults
        self.port = 0
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listens; ``port`` says where."""
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Cuts every line."""
        assert self._server is not None
        self._server.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        try:
            onward, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            self._lines.discard(task)
            return
        fault = self.dice.choice(("", "", "", "delay", "stall", "truncate"))
        after = self.dice.randrange(2_000, 60_000)
        ways = [
            asyncio.ensure_future(self._pump(reader, back, "", after)),
            asyncio.ensure_future(self._pump(onward, writer, fault, after)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            back.transport.abort()
            writer.transport.abort()
            self._lines.discard(task)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: str, after: int) -> None:
        """Carries one way; the fault comes after so many bytes."""
        carried = 0
        try:
            while chunk := await reader.read(CHUNK):
                carried += len(chunk)
                if fault and carried > after:
                    self.faults[fault] += fault != "delay" or carried - len(chunk) <= after
                    if fault == "truncate":
                        writer.write(chunk[: len(chunk) // 2])
                        await writer.drain()
                        return
                    await asyncio.sleep(self.dice.uniform(0, LONGEST_DELAY if fault == "delay" else LONGEST_STALL))
                    fault = "" if fault == "stall" else fault
                writer.write(chunk)
                await writer.drain()
        except OSError:
            return  # one end is gone; so will be the other
