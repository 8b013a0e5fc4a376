"""The house's promises in a house that runs: synced before they are told, never replaced, and no chance, no deal."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import msgspec
import pytest

from chiamata.rules import fair
from chiamata.server import lines as say
from chiamata.server import table, wire
from chiamata.server.hub import Hub, NoTable
from chiamata.server.page import STOPPED, Closed, Page
from chiamata.server.runner import House
from tests.server.driver import KINDS, rules_with
from tests.server.simulated import MemoryLog, house_on, simulate, think_at_once

SHORT = rules_with("quick", session={"deals": 1, "allowed": None})


class Player:
    """One person's page that takes part, driven by hand."""

    def __init__(self, hub: Hub, code: str) -> None:
        self.hub, self.code, self.sent = hub, code, 0
        self.page = Page("anna", "Anna", cuts=True)
        self.scenes: list[wire.Scene] = []

    async def join(self) -> None:
        await self.hub.join(self.code, self.page)
        await self.hear()

    async def hear(self) -> wire.Scene:
        await asyncio.sleep(0.05)
        for text in await self.page.next():
            message = msgspec.json.decode(text, type=wire.ToBrowser)
            if isinstance(message, wire.Scene):
                self.scenes.append(message)
        return self.scenes[-1]

    async def say(self, verb: str, **fields: Any) -> wire.Scene:
        self.sent += 1
        self.hub.wish(self.code, self.page, KINDS[verb](id=f"c{self.sent}", v=self.scenes[-1].v, **fields))
        return await self.hear()

    def promise(self, share: bytes) -> str:
        now, scene = self.scenes[-1].fair, self.scenes[-1]
        assert now is not None
        rules = bytes.fromhex(scene.table.rules.fingerprint)
        a, b, c, d, e = now.seats
        terms = fair.Terms(self.code, now.deal, rules, (a, b, c, d, e), now.dealer, bytes.fromhex(now.previous))
        return fair.commitment_of(terms, now.chairs.index(0), share).hex()


def lines_of(store: MemoryLog, code: str) -> list[say.Line]:
    return [say.decode(data) for data in store.books[code]]


async def table_with(store: MemoryLog) -> Player:
    hub = Hub(house_on(store))
    player = Player(hub, await hub.create(SHORT, None, "anna", "Anna"))
    await player.join()
    return player


def test_a_promise_is_on_disk_before_it_is_told() -> None:
    """The append that holds the secret hangs: nobody hears of a deal.  Once it is done everybody does."""

    async def deed() -> None:
        store = MemoryLog()
        anna = await table_with(store)
        whole, held = store.append, asyncio.Event()

        async def append(book: str, prev: int, lines: list[bytes]) -> None:
            if any(isinstance(say.decode(line), say.Sealed) for line in lines):
                await held.wait()
            await whole(book, prev, lines)

        store.append = append  # type: ignore[method-assign]
        anna.hub.wish(anna.code, anna.page, wire.DoStart("s", anna.scenes[-1].v))
        await asyncio.sleep(2)
        assert all(scene.fair is None for scene in anna.scenes)
        held.set()
        scene = await anna.hear()
        assert scene.fair is not None
        (sealed,) = [line for line in lines_of(store, anna.code) if isinstance(line, say.Sealed)]
        state = table.fold(store.books[anna.code])
        assert state.opening is not None
        assert state.opening.secret.hex() == sealed.secret
        assert scene.fair.commitment == fair.seal(state.opening.terms, state.opening.secret).hex()
        await anna.hub.close()

    simulate(deed())


@pytest.mark.parametrize("stop_after", ["start", "commit", "cut", "share"])
def test_an_interrupted_deal_survives_a_restart_unchanged(stop_after: str) -> None:
    """A new house on the same log, after each step: the same promise, and at the end all holds."""

    async def deed() -> None:
        store = MemoryLog()
        anna = await table_with(store)
        share = hashlib.sha256(b"anna").digest()
        promise = ""
        for step in ("start", "commit", "cut", "share"):
            fields: dict[str, dict[str, Any]] = {"start": {}, "cut": {"cut": 12}, "share": {"share": share.hex()}}
            scene = await anna.say(step, **(fields.get(step) or ({"hash": anna.promise(share)} if promise else {})))
            assert scene.fair is not None
            promise = promise or scene.fair.commitment
            assert scene.fair.commitment == promise
            if step == stop_after:
                await anna.hub.close()
                anna.hub = Hub(house_on(store))
                anna.page = Page("anna", "Anna", cuts=True)
                await anna.join()
                assert anna.scenes[-1].fair is not None
                assert anna.scenes[-1].fair.commitment == promise
        state = table.fold(store.books[anna.code])
        (record,) = state.records
        told = record.transcript(state.rules)
        assert (told.commitment, told.cut, told.shares.count(share.hex())) == (promise, 12, 1)
        assert all(fair.check(told).values())
        await anna.hub.close()

    simulate(deed())


def test_without_chance_a_table_deals_nothing_and_the_others_go_on() -> None:
    async def deed() -> None:
        store, broken = MemoryLog(), [False]

        def chance(size: int) -> bytes:
            if broken[0]:
                raise OSError("no entropy")
            return store.dice.randbytes(size)

        loop = asyncio.get_running_loop()
        hub = Hub(House(store, think_at_once, loop.time, lambda: 1.8e9, chance))
        players = [Player(hub, await hub.create(SHORT, None, "anna", "Anna")) for _ in range(2)]
        for player in players:
            await player.join()
        sick, well = players
        broken[0] = True
        with pytest.raises(Closed) as closed:
            await sick.say("start")
        assert closed.value.code == STOPPED
        assert not any(isinstance(line, say.Sealed) for line in lines_of(store, sick.code))
        broken[0] = False
        scene = await well.say("start")
        assert scene.fair is not None
        with pytest.raises(NoTable):
            await hub.join(sick.code, Page("anna", "Anna"))
        await hub.close()
        again = Player(Hub(house_on(store)), sick.code)
        await again.join()
        assert again.scenes[-1].fair is not None  # the game had begun: its deal is sealed now
        await again.hub.close()

    simulate(deed())


def test_secrets_are_thirty_two_bytes_of_the_systems_own_and_come_once() -> None:
    """R1: from the function that the house was given (os.urandom, unless a test gives another), asked once a deal."""
    assert House.__struct_defaults__[0].__name__ == "urandom"

    async def deed() -> None:
        store, asked = MemoryLog(), list[int]()

        def chance(size: int) -> bytes:
            asked.append(size)
            return store.dice.randbytes(size)

        loop = asyncio.get_running_loop()
        hub = Hub(House(store, think_at_once, loop.time, lambda: 1.8e9, chance, pace=0))
        anna = Player(hub, await hub.create(rules_with("classic"), None, "anna", "Anna"))
        await anna.join()
        asked.clear()
        await anna.say("start")
        await asyncio.sleep(600)  # bots and a bot in anna's chair play on, with nobody's bytes
        secrets = [line.secret for line in lines_of(store, anna.code) if isinstance(line, say.Sealed)]
        assert asked == [32] * len(secrets)
        assert len(set(secrets)) == len(secrets) >= 1
        assert all(len(bytes.fromhex(secret)) == 32 for secret in secrets)
        await hub.close()

    simulate(deed())
