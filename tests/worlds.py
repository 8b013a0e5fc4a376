"""Two worlds: the same public history, other cards in the hands that a viewer cannot see.

A Plan is a deal, a script of moves up to some moment, and a viewer.  In the
second world the cards that nobody has shown yet are dealt anew among the seats
the viewer does not see, so that every move of the script is still legal.  The
real house plays both under simulated time; whatever reaches the viewer's page,
and when, whatever the viewer and a stranger can ask of any address, and what the
house tells those who run it, must be the same.
"""

from __future__ import annotations

import asyncio
import random
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from chiamata.rules.cards import SEATS, CardSet, Seat, card_name, card_set, cards_in
from chiamata.rules.deal import Deal, Hands
from chiamata.rules.moves import Move, Pass, Play, to_json
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.shuffle import hands_from
from chiamata.server import deciding, guests, metrics, pace, table, wire
from chiamata.server import lines as say
from chiamata.server.hub import Hub
from chiamata.server.page import Page
from chiamata.server.runner import House
from tests import surfaces
from tests.server.driver import KINDS
from tests.server.simulated import MemoryLog, simulate
from tests.surfaces import log_lines

WATCHER = -1


class Plan(msgspec.Struct):
    """What happens in both worlds.

    Args:
        viewer: a seat, or WATCHER.
        bots: the seats in which bots sit.
        waits: how long each person thinks, in seconds.
        probes: what the viewer tries before each move and may not.
        watch: what the table allows to those who only watch.
    """

    rules: RuleSet
    seed: int
    dealer: Seat
    hands: Hands
    viewer: Seat
    bots: frozenset[Seat]
    moves: list[Move]
    waits: list[float]
    probes: list[tuple[str, dict[str, Any]]]
    watch: wire.Watch = "closed"


def secret_of(seed: int) -> bytes:
    """The house's bytes of chance in both worlds."""
    return sha256(str(seed).encode()).digest()


def make_plan(rules: RuleSet, seed: int) -> Plan:
    """A random deal and a random script, stopped at a random moment before the last trick's end."""
    dice = random.Random(seed)
    dealer = pace.draw(f"{secret_of(seed).hex()}/dealer/0", 5)
    hands = hands_from(dice.randbytes(32), dealer)
    moves = _random_moves(Deal.start(rules, dealer, hands), dice)
    moves = moves[: dice.randint(1, len(moves) - 1)]
    viewer = dice.choice([WATCHER, *SEATS])
    return Plan(
        rules=rules,
        seed=seed,
        dealer=dealer,
        hands=hands,
        viewer=viewer,
        bots=frozenset(seat for seat in SEATS[1:] if seat != viewer and dice.random() < 0.5),
        moves=moves,
        waits=[round(dice.uniform(0.05, 2), 3) for _ in moves],
        probes=[_probe(dice) for _ in moves],
    )


def _random_moves(deal: Deal, dice: random.Random) -> list[Move]:
    moves: list[Move] = []
    while deal.public.phase != "done":
        legal = deal.legal(deal.public.turn)
        passes = isinstance(legal[0], Pass) and dice.random() < 0.6
        moves.append(legal[0] if passes else dice.choice(legal[: 5 if deal.public.phase == "auction" else None]))
        deal = deal.follow(moves[-1])
    return moves


def _probe(dice: random.Random) -> tuple[str, dict[str, Any]]:
    card = card_name(dice.randrange(40))
    return dice.choice(
        [("play", {"card": card})] * 3
        + [("call", {"card": card}), ("bid", {"say": card[:-1]}), ("pass", {}), ("trump", {"suit": card[-1]})]
    )


def played_by(plan: Plan) -> list[CardSet]:
    """The cards that each seat has shown."""
    return [card_set(one.card for one in plan.moves if isinstance(one, Play) and one.seat == seat) for seat in SEATS]


def other_world(plan: Plan) -> Plan | None:
    """The plan with other hands, under which everything that the viewer knows is the same; None if chance found none.

    A third of the worlds only moves the called card to another seat, which is what a leak would most likely tell.
    """
    dice = random.Random(plan.seed + 1)
    shown = played_by(plan)
    hidden = [seat for seat in SEATS if seat != plan.viewer]
    called = next((move.card for move in plan.moves if to_json(move, plan.rules.ranks)["do"] == "call"), -1)  # type: ignore[union-attr]
    for _ in range(30):
        rest = {seat: list(cards_in(plan.hands[seat] & ~shown[seat])) for seat in hidden}
        holder = next((seat for seat in hidden if called in rest[seat]), None)
        if plan.seed % 3 == 0 and holder is not None:
            other = dice.choice([seat for seat in hidden if seat != holder])
            if not rest[other]:
                continue
            swapped = dice.randrange(len(rest[other]))
            rest[holder][rest[holder].index(called)], rest[other][swapped] = rest[other][swapped], called
        else:
            pool = [card for seat in hidden for card in rest[seat]]
            dice.shuffle(pool)
            rest = {seat: [pool.pop() for _ in rest[seat]] for seat in hidden}
        hands = tuple(plan.hands[seat] if seat == plan.viewer else shown[seat] | card_set(rest[seat]) for seat in SEATS)
        world = _turned(msgspec.structs.replace(plan, hands=hands), dice)
        if world.hands != plan.hands and _end(world) is not None:
            return world
    return None


def _turned(plan: Plan, dice: random.Random) -> Plan:
    """The plan with another card of the same rank in the place of one that lies face down, where there is one."""
    deal = _end(plan)
    for seat, card in () if deal is None else deal.covered:
        twin = card % 10 + 10 * dice.randrange(4)
        owner = next(one for one in SEATS if plan.hands[one] >> twin & 1)
        if plan.viewer not in (seat, owner) and owner != seat and not played_by(plan)[owner] >> twin & 1:
            swap = 1 << card | 1 << twin
            hands = tuple(hand ^ swap if one in (seat, owner) else hand for one, hand in enumerate(plan.hands))
            moves = [Play(seat, twin) if move == Play(seat, card) else move for move in plan.moves]
            return msgspec.structs.replace(plan, hands=hands, moves=moves)
    return plan


def _end(plan: Plan) -> Deal | None:
    """The deal after all moves; None if one of them is not legal."""
    deal = Deal.start(plan.rules, plan.dealer, plan.hands)
    for move in plan.moves:
        if deal.why_not(move) is not None:
            return None
        deal = deal.follow(move)
    return deal


class World:
    """The real house, playing a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.seen: list[tuple[float, bytes]] = []
        self.sent = 0

    def run(self) -> list[tuple[float, bytes]]:
        """All that reached the viewer: when, and which bytes."""
        with pytest.MonkeyPatch.context() as patch, log_lines() as self.log:
            patch.setattr(deciding, "hands_from", lambda *_, **__: self.plan.hands)
            simulate(self._live(patch))
        return self.seen

    async def _live(self, patch: pytest.MonkeyPatch) -> None:
        loop, secret = asyncio.get_running_loop(), secret_of(self.plan.seed)
        patch.setattr(metrics, "time", SimpleNamespace(monotonic=loop.time))
        chance = {1: bytes(1), 32: secret}  # a letter of the code; a secret (a byte of it might be no letter for ever)
        store, figures = MemoryLog(), metrics.Metrics()
        self.hub = Hub(House(figures.store(store), self._think, loop.time, lambda: 1.8e9, chance.__getitem__))
        pages = {seat: _page(store, f"P{seat}") for seat in (*SEATS, WATCHER)}
        host = pages[0]
        self.code = await self.hub.create(self.plan.rules, None, host.who, host.name, wire.Manners(self.plan.watch))
        await self.hub.join(self.code, host)
        watcher = asyncio.ensure_future(self._watch(pages[self.plan.viewer]))
        await asyncio.sleep(0.1)
        for seat in SEATS[1:]:
            if seat not in self.plan.bots:
                await self._wish(pages[seat], "sit", chair=seat)
        await self._wish(host, "start")
        for number, move in enumerate(self.plan.moves):
            if self.plan.viewer >= 0:
                await self._try(pages[self.plan.viewer], *self.plan.probes[number])
            await self._make(pages, number, move)
        await asyncio.sleep(0.3)
        watcher.cancel()
        await self._look_around(figures, pages[self.plan.viewer].name)
        await self.hub.close()
        self.seen += [(0.0, line.encode()) for line in self.log]

    async def _look_around(self, figures: metrics.Metrics, name: str) -> None:
        """What the viewer and a stranger can ask for, and what the house's own people see."""
        app = surfaces.application(self.hub)
        for cookie in ("", surfaces.cookie_of(name)):
            self.seen += [(0.0, answer) for answer in await surfaces.everything(app, self.code, cookie)]
        self.seen.append((0.0, figures.text(self.hub).encode()))

    async def _watch(self, page: Page) -> None:
        """The viewer's page, and at the end a second one, as after a reload."""
        if page.name != "P0":
            await self.hub.join(self.code, page)
        again = Page(page.who, page.name)
        while True:
            for text in await page.next():
                self.seen.append((round(asyncio.get_running_loop().time(), 6), text))
            if len(self.seen) % 20 == 19:
                await self.hub.join(self.code, again)
                self.seen += [(0.0, text) for text in await again.next()]
                self.hub.part(self.code, again)

    def _think(self, ask: say.AskBot) -> asyncio.Future[Move]:
        """The bot's scripted move; how long it takes depends on its hand."""
        loop = asyncio.get_running_loop()
        thought: asyncio.Future[Move] = loop.create_future()
        number = len(ask.view.public.words)
        if number < len(self.plan.moves):
            seconds = 0.01 * sum(card % 7 for card in cards_in(ask.view.hand)) / 3
            loop.call_later(min(seconds, 0.6), thought.set_result, self.plan.moves[number])
        return thought

    async def _make(self, pages: dict[int, Page], number: int, move: Move) -> None:
        if move.seat in self.plan.bots:
            while self._words() <= number:
                await asyncio.sleep(0.05)
            return
        await asyncio.sleep(self.plan.waits[number])
        said = to_json(move, self.plan.rules.ranks)
        await self._wish(pages[move.seat], said["do"], **{key: said[key] for key in said if key not in ("do", "seat")})
        assert self._words() == number + 1, (move, number)

    async def _try(self, page: Page, verb: str, fields: dict[str, Any]) -> None:
        """Something that the viewer may not do now."""
        game = self._state.game
        view = None if game is None else game.view(self.plan.viewer)
        assert view is not None
        card = self.plan.rules.card_of(fields["card"]) if "card" in fields else -1
        if view.seat != view.public.turn or (verb == "play" and not view.dealt >> card & 1):
            await self._wish(page, verb, **fields)

    async def _wish(self, page: Page, verb: str, **fields: Any) -> None:
        self.sent += 1
        do = KINDS[verb](id=f"c{self.sent}", v=self._state.v, **fields)
        assert self.hub.wish(self.code, page, do) is None
        await asyncio.sleep(0.01)

    @property
    def _state(self) -> table.State:
        return self.hub._runners[self.code].state

    def _words(self) -> int:
        game = self._state.game
        return 0 if game is None or game.deal is None else len(game.deal.public.words)


def _page(store: MemoryLog, name: str) -> Page:
    """The page of a guest whom the house knows."""
    who = guests.who_of(surfaces.cookie_of(name))
    store.notes[f"guest/{who}"] = name.encode()
    return Page(who, name)


def differ(plan: Plan, other: Plan) -> str:
    """What the viewer could tell the worlds apart by; '' if nothing."""
    first, second = World(plan).run(), World(other).run()
    for one, another in zip(first, second, strict=False):
        if one != another:
            return f"{one} | {another}"
    return "" if len(first) == len(second) else f"{len(first)} messages, {len(second)} messages"
