"""Who looks on is counted and told to everybody; a page that may see nothing is sent nothing."""

from __future__ import annotations

import asyncio

import msgspec

from chiamata.server import wire
from chiamata.server.hub import Hub
from chiamata.server.page import Page
from tests.server.driver import KINDS, rules_with
from tests.server.simulated import MemoryLog, house_on, simulate


class Open:
    """A page that keeps what it hears."""

    def __init__(self, hub: Hub, code: str, who: str) -> None:
        self.hub, self.code, self.sent = hub, code, 0
        self.page = Page(who, who.title())
        self.scenes: list[wire.Scene] = []

    async def join(self) -> None:
        await self.hub.join(self.code, self.page)

    async def leave(self) -> None:
        self.hub.part(self.code, self.page)
        await asyncio.sleep(0.05)

    async def hear(self) -> list[wire.Scene]:
        """What has come since the last time."""
        before = len(self.scenes)
        await asyncio.sleep(0.05)
        while self.page._news.is_set():
            for text in await self.page.next():
                message = msgspec.json.decode(text, type=wire.ToBrowser)
                if isinstance(message, wire.Scene):
                    self.scenes.append(message)
        return self.scenes[before:]

    async def say(self, verb: str, **fields: object) -> None:
        self.sent += 1
        self.hub.wish(self.code, self.page, KINDS[verb](id=f"c{self.sent}", v=self.scenes[-1].v, **fields))
        await self.hear()


async def at_table(manners: wire.Manners) -> tuple[Hub, str, Open]:
    hub = Hub(house_on(MemoryLog()))
    code = await hub.create(rules_with("quick"), None, "anna", "Anna", manners)
    anna = Open(hub, code, "anna")
    await anna.join()
    await anna.hear()
    return hub, code, anna


def test_the_number_of_those_who_look_on_is_told_to_all() -> None:
    async def deed() -> None:
        hub, code, anna = await at_table(wire.Manners())
        pages = [Open(hub, code, who) for who in ("walter", "walter", "", "")]
        for page in pages:
            await page.join()
        await anna.hear()
        assert anna.scenes[-1].table.watchers == 3, "two pages of one guest are one, two without a cookie are two"
        assert (await pages[0].hear())[-1].table.watchers == 3
        await pages[0].leave()
        assert await anna.hear() == [], "walter is still here"
        await pages[1].leave()
        await pages[2].leave()
        assert (await anna.hear())[-1].table.watchers == 1
        await pages[3].hear()
        await hub.close()

    simulate(deed())


def test_who_sits_down_looks_on_no_more() -> None:
    async def deed() -> None:
        hub, code, anna = await at_table(wire.Manners())
        bruno = Open(hub, code, "bruno")
        await bruno.join()
        await bruno.hear()
        assert bruno.scenes[-1].table.watchers == 1
        await bruno.say("sit")
        assert bruno.scenes[-1].table.watchers == 0
        await anna.hear()
        assert anna.scenes[-1].table.watchers == 0
        await hub.close()

    simulate(deed())


async def through_a_deal(anna: Open, walter: Open) -> list[wire.Scene]:
    """Anna plays a deal to its end; what Walter was sent between its cards and its end."""
    told: list[wire.Scene] = []
    while not anna.scenes[-1].sheet:
        await asyncio.sleep(1)
        await anna.hear()
        heard = await walter.hear()
        if anna.scenes[-1].deal is not None and not anna.scenes[-1].sheet:
            told += heard
        may = (anna.scenes[-1].deal or wire.DealScene(1, "done", 0)).options
        if may.may_pass:
            await anna.say("pass")
        elif may.bids:
            await anna.say("bid", say=may.bids[0].say)
        elif may.calls:
            await anna.say("call", card=may.calls[0].card)
        elif may.plays:
            await anna.say("play", card=may.plays[0])
    return told


def test_where_nobody_may_watch_a_page_hears_nothing_and_strangers_get_no_deal() -> None:
    async def deed() -> None:
        hub, code, anna = await at_table(wire.Manners("off"))
        walter = Open(hub, code, "walter")
        await walter.join()
        await anna.hear()
        await anna.say("start")
        told = await through_a_deal(anna, walter)
        assert len(told) <= 1, "that cards were dealt, and nothing more"
        assert all(scene.deal is None for scene in walter.scenes)
        assert walter.scenes[-1].sheet == anna.scenes[-1].sheet
        assert await hub.past(code, 1, "anna") is not None
        assert await hub.past(code, 1, "walter") is None
        assert await hub.past(code, 1) is None
        assert len(await hub.transcripts(code, "anna")) == 1
        assert await hub.transcripts(code, "walter") == ()
        await hub.close()

    simulate(deed())
