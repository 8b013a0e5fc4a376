"""Several nodes over one log in memory, under simulated time: they die and pause, and people go where they are sent."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import msgspec

from chiamata.rules.ruleset import RuleSet
from chiamata.server.hub import Hub, NoTable
from chiamata.server.leases import LATE, LEASE, Orders, Owner
from chiamata.server.log import Conflict
from chiamata.server.page import Closed, Page
from chiamata.server.runner import Join
from tests.server.simulated import Faults, MemoryLog, Person, World, house_on

CUT = 1006
"""What a page sees of a node that has died: no goodbye."""


class Entry(msgspec.Struct):
    """A table that is held."""

    node: str
    epoch: int
    wanted: str = ""


class Registry:
    """What the database knows of nodes and tables."""

    def __init__(self) -> None:
        self.expires: dict[str, float] = {}
        self.leaving: set[str] = set()
        self.held: dict[str, Entry] = {}
        self.epochs = 0

    def bury(self, but: str) -> None:
        """Removes the nodes whose time is over, and their tables with them."""
        now = asyncio.get_running_loop().time()
        for name in [name for name, until in self.expires.items() if until < now and name != but]:
            self.remove(name)

    def remove(self, name: str) -> None:
        del self.expires[name]
        self.leaving.discard(name)
        self.held = {book: entry for book, entry in self.held.items() if entry.node != name}


class MemoryLeases:
    """``leases.Leases`` of one node."""

    def __init__(self, name: str, registry: Registry, awake: asyncio.Event) -> None:
        """``awake``: cleared while the process is stopped."""
        self.name, self.registry, self.awake = name, registry, awake
        self.epochs: dict[str, int] = {}
        self.until = 0.0
        self.dead = False
        registry.expires[name] = 0.0
        self._extend()

    def _extend(self) -> None:
        now = asyncio.get_running_loop().time()
        if self.name not in self.registry.expires:
            self.epochs.clear()
        self.registry.expires[self.name] = self.until = now + LEASE

    async def _reach(self) -> None:
        await asyncio.sleep(0.001)
        await self.awake.wait()
        if self.dead:
            raise Closed(CUT)

    async def take(self, book: str) -> Owner | None:
        await self._reach()
        now = asyncio.get_running_loop().time()
        if now >= self.until:
            self._extend()
        self.registry.bury(self.name)
        if book not in self.registry.held:
            self.registry.epochs += 1
            self.registry.held[book] = Entry(self.name, self.registry.epochs)
        found = self.registry.held[book]
        if found.node != self.name:
            return Owner(found.node, self.registry.expires[found.node] < now + LEASE - LATE)
        self.epochs[book] = found.epoch
        return None

    def holds(self, book: str) -> bool:
        return book in self.epochs and asyncio.get_running_loop().time() < self.until

    async def confirm(self, book: str) -> bool:
        if book in self.epochs and not self.holds(book):
            await self._reach()
            self._extend()
        return self.holds(book)

    async def owner(self, book: str) -> str:
        await self._reach()
        found = self.registry.held.get(book)
        alive = found is not None and self.registry.expires[found.node] > asyncio.get_running_loop().time()
        return found.node if found is not None and alive and found.node != self.name else ""

    async def release(self, book: str) -> None:
        epoch = self.epochs.pop(book, 0)
        await self._reach()
        if book in self.registry.held and self.registry.held[book].epoch == epoch:
            del self.registry.held[book]

    async def renew(self) -> Orders:
        await self._reach()
        self._extend()
        now = asyncio.get_running_loop().time()
        others = [name for name, until in self.registry.expires.items() if until > now and name != self.name]
        mine = {book: one.wanted for book, one in self.registry.held.items() if one.node == self.name and one.wanted}
        takers = tuple(sorted(set(others) - self.registry.leaving))
        return Orders(self.name in self.registry.leaving, takers, mine)

    async def leave(self) -> None:
        await self._reach()
        self.registry.leaving.add(self.name)


class NodeLog:
    """The one log as a node writes it: under its epochs, and not at all while it is stopped or dead."""

    def __init__(self, name: str, shared: MemoryLog, registry: Registry) -> None:
        self.shared = shared
        self.awake = asyncio.Event()
        self.awake.set()
        self.leases = MemoryLeases(name, registry, self.awake)
        self.broken = ""
        self.read, self.last, self.put, self.get = shared.read, shared.last, shared.put, shared.get
        self.heed = shared.heed

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        epoch = self.leases.epochs.get(book, 0)
        await self.awake.wait()
        found = self.leases.registry.held.get(book)
        if found is None or found.epoch != epoch:
            raise Conflict(f"{book} is not held")
        await self.shared.append(book, prev, lines)

    def close(self) -> None:
        self.leases.registry.remove(self.leases.name)


class Node:
    """One process."""

    def __init__(self, name: str, shared: MemoryLog, registry: Registry) -> None:
        self.name = name
        self.store = NodeLog(name, shared, registry)
        self.hub = Hub(house_on(self.store))
        self.keeper = asyncio.ensure_future(self.hub.keep())

    def kill(self) -> None:
        """No goodbye: nothing of it goes on, and its lease stands until it runs out."""
        self.store.leases.dead = True
        for task in (self.keeper, *self.hub._runs):
            task.cancel()
        self.store.awake.set()
        for runner in self.hub._runners.values():
            while not runner.inbox.empty():
                if isinstance(item := runner.inbox.get_nowait(), Join):
                    runner.pages.append(item.page)
            for page in runner.pages:
                page.close(CUT)

    async def stop(self) -> None:
        """As after SIGTERM."""
        await self.hub.close()
        self.keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.keeper
        self.store.close()


class Cluster:
    """Nodes by name, and a proxy before them that sends a page to a named node or to any."""

    def __init__(self, *names: str) -> None:
        self.shared, self.registry = MemoryLog(), Registry()
        self.nodes: dict[str, Node] = {}
        self.turn = 0
        for name in names:
            self.start(name)

    def start(self, name: str) -> Node:
        self.nodes[name] = Node(name, self.shared, self.registry)
        return self.nodes[name]

    def kill(self, name: str) -> None:
        self.nodes.pop(name).kill()

    async def stop(self, name: str) -> None:
        await self.nodes[name].stop()
        del self.nodes[name]

    async def end(self) -> None:
        for name in list(self.nodes):
            await self.stop(name)

    async def create(self, rules: RuleSet) -> str:
        """At any node."""
        return await self.any().hub.create(rules, None, "anna", "Anna")

    def any(self) -> Node:
        """The next one in turn."""
        self.turn += 1
        return list(self.nodes.values())[self.turn % len(self.nodes)]

    def owner_of(self, code: str) -> str:
        """Who holds this table; '' for nobody."""
        return self.registry.held[code].node if code in self.registry.held else ""


class Way(World):
    """The node where one person is just now."""

    def __init__(self, cluster: Cluster, code: str) -> None:
        self.store = cluster.shared
        self.code, self.crashes = code, 0
        self.hub = cluster.any().hub


class Traveller(Person):
    """A person who comes back after every goodbye, to the node that was named."""

    def __init__(self, cluster: Cluster, code: str, who: str, faults: Faults, seed: int) -> None:
        super().__init__(Way(cluster, code), who, faults, seed)
        self.cluster, self.crashes = cluster, self.world.crashes
        self.gone: float | None = None
        self.gaps: list[float] = []
        """Seconds between a goodbye and the next scene."""
        self.ways: list[tuple[int, str]] = []
        """Close codes, and the nodes that were named."""

    async def live(self) -> None:
        """Until the game is over."""
        at, tries = "", 0
        while self.scene is None or self.scene.table.state != "over":
            node = self.cluster.nodes.get(at) if at else self.cluster.any()
            at = ""
            if node is not None:
                self.world.hub = node.hub
                page = Page(self.who, self.who.title())
                heard = len(self.versions)
                try:
                    await node.hub.join(self.world.code, page)
                    await self._read(node.hub, page)
                except (Closed, NoTable) as goodbye:
                    at = goodbye.node
                    self.ways.append((goodbye.code, at))
                    self.gone = self.gone or asyncio.get_running_loop().time()
                node.hub.part(self.world.code, page)
                tries = 0 if len(self.versions) > heard else tries + 1
            await asyncio.sleep(0.01 if at and not tries else min(10.0, 0.4 * 2**tries))

    def _hear(self, message: Any) -> None:
        if self.gone is not None:
            self.gaps.append(asyncio.get_running_loop().time() - self.gone)
            self.gone = None
        super()._hear(message)
