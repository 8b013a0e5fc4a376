"""A page at a table of canary cards: no card of another hand is in its document, its memory or anything it keeps."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.canary import deck
from tests.canary.deck import Running, seen
from tests.e2e.house import Guest, House
from tests.e2e.kit import PATIENCE, Shape, moves, person
from tests.test_canary import PLAYED, act, frame_of

KEPT = """async () => {
    const kept = {local: {...localStorage}, session: {...sessionStorage}, bases: [], caches: []};
    for (const {name} of await indexedDB.databases()) {
        const base = await new Promise((done, no) => {
            const asked = indexedDB.open(name);
            asked.onsuccess = () => done(asked.result);
            asked.onerror = no;
        });
        for (const store of base.objectStoreNames) {
            const all = (what) => new Promise((done, no) => {
                const asked = base.transaction(store).objectStore(store)[what]();
                asked.onsuccess = () => done(asked.result);
                asked.onerror = no;
            });
            kept.bases.push([name, store, await all("getAllKeys"), await all("getAll")]);
        }
        base.close();
    }
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const asked of await cache.keys()) {
            kept.caches.push([asked.url, await (await cache.match(asked)).text()]);
        }
    }
    return JSON.stringify(kept);
}"""
"""All that the browser keeps for this address."""

PARTNERS = """function() {
    const own = (one, key) => Object.getOwnPropertyDescriptor(one, key)?.value;
    const tells = one => typeof own(one, "partner") === "number" || own(one, "role") === "partner";
    return this.filter(tells).map(one => Object.keys(one).join(" "));
}"""

SEEDS = (
    ("document", "card => { document.body.dataset.debug = card; }"),
    ("memory", "card => { const kept = [card]; addEventListener('never', () => kept); }"),
    ("memory", "card => { const kept = 'x'.repeat(5000) + card; addEventListener('never', () => kept); }"),
    ("kept", "card => { localStorage.setItem('debug', card); }"),
    ("kept", "card => { sessionStorage.setItem('debug', card); }"),
    (
        "kept",
        """card => new Promise(done => {
            const asked = indexedDB.open('debug', 1);
            asked.onupgradeneeded = () => asked.result.createObjectStore('hands').put([card], 1);
            asked.onsuccess = () => { asked.result.close(); done(); };
        })""",
    ),
    ("kept", "async card => { await (await caches.open('debug')).put('/debug', new Response(card)); }"),
)
"""Where a page's card must be found, and how it could come to be there."""


class CanaryTable:
    """Anna with a page of her own, and four guests without one, in the third trick of a deal."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.folder, self.site = folder, folder / "site"
        self.house = House(folder, variables=deck.site(self.site))
        self.house.start()
        self.guests = [Guest(self.house, name) for name in ("Bruno", "Carla", "Dino", "Elena")]
        self.code = self.guests[0].table(deck.pack(7))
        for guest in self.guests:
            guest.enter(self.code)
            guest.until("scene")
        for guest in self.guests[1:]:
            guest.say(do="sit")
            guest.until("ack")
        self.anna = person(browser, self.house, Shape(pocket=True))
        self.anna.join(self.code)
        self.guests[0].say(do="start", v=self.anna.scene["v"])
        played = 0
        while played < PLAYED:
            played += self.act()

    def act(self) -> bool:
        """The next move of whoever is in turn; whether it was a card of Anna's."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if moves(self.anna.scene):
                return self._anna_acts()
            for guest in self.guests:
                while guest.hear(0.02):
                    pass
                if (guest.scene.get("deal") or {}).get("options"):
                    act(guest)
                    return False
            self.anna.page.wait_for_timeout(10)
        raise AssertionError("nobody is in turn")

    def _anna_acts(self) -> bool:
        self.anna.drawn()
        before, may = self.anna.scene, self.anna.may
        wanted = "pass" if may.get("may_pass") else "play"
        called = self.anna.deal.get("called")
        move = next(move for move in moves(before) if move.do == wanted and move.what != called)
        self.anna.do_by_keys(move)
        self.anna.wait(lambda scene: scene["v"] != before["v"], "an answer")
        return move.do == "play"

    def running(self) -> Running:
        return deck.running(self.folder / "house.db", self.code)

    def places(self) -> dict[str, Callable[[], bytes]]:
        """All that the page has and keeps; the memory is looked at before the others bring anything into it."""
        page = self.anna.page
        return {
            "memory": self.heap,
            "document": lambda: page.content().encode(),
            "kept": lambda: str(page.evaluate(KEPT)).encode(),
            "frames": lambda: b"\n".join(frame_of(json.loads(frame)) for frame in self.anna.frames),
        }

    def heap(self) -> bytes:
        """A snapshot of the page's memory: every text that it holds is in it."""
        parts: list[str] = []
        line = self.anna.context.new_cdp_session(self.anna.page)
        line.on("HeapProfiler.addHeapSnapshotChunk", lambda part: parts.append(part["chunk"]))
        line.send("HeapProfiler.enable")
        line.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
        line.detach()
        texts: list[str] = json.loads("".join(parts))["strings"]
        return "\n".join(texts).encode("utf-8", "surrogatepass")

    def partners(self) -> list[str]:
        """Every object in the page's memory that says who is a partner."""
        line = self.anna.context.new_cdp_session(self.anna.page)
        root = line.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
        objects = line.send("Runtime.queryObjects", {"prototypeObjectId": root})["objects"]["objectId"]
        asked = {"objectId": objects, "functionDeclaration": PARTNERS, "returnByValue": True}
        found: list[str] = line.send("Runtime.callFunctionOn", asked)["result"]["value"]
        line.detach()
        return found

    def close(self) -> None:
        self.anna.context.close()
        for guest in self.guests:
            guest.leave()
        self.house.stop()


@pytest.fixture(scope="module")
def canary(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CanaryTable]:
    table = CanaryTable(browser, tmp_path_factory.mktemp("canary"))
    yield table
    table.close()


def leaks(table: CanaryTable) -> dict[str, list[bytes]]:
    """Where something is that Anna may not know, and what."""
    marks = table.running().marks(but=table.anna.deal["hand"])
    found = {name: seen(look(), marks) for name, look in table.places().items()}
    return {name: those for name, those in found.items() if those}


def test_a_page_holds_and_keeps_no_card_of_another_hand_and_no_partner(canary: CanaryTable) -> None:
    hand = canary.anna.deal["hand"]
    canary.anna.page.wait_for_function(
        "() => navigator.serviceWorker.ready.then(() => caches.keys()).then(all => all.length)"
    )
    assert leaks(canary) == {}
    assert canary.anna.deal.get("partner") is None
    places = {name: look() for name, look in canary.places().items()}
    assert b"role-partner" not in places["document"]
    assert canary.partners() == []
    for place in ("document", "memory", "frames"):
        assert all(name.encode() in places[place] for name in hand), f"one's own cards are found in the {place}"


def test_what_the_page_is_sent_and_does_not_draw_is_found_in_its_memory(canary: CanaryTable) -> None:
    (canary.site / "leak_scene").touch()
    before = canary.anna.scene["v"]
    canary.act()
    canary.anna.wait(lambda scene: scene["v"] > before, "a scene")
    canary.anna.drawn()
    (canary.site / "leak_scene").unlink()
    found = leaks(canary)
    assert {"frames", "memory"} <= found.keys()
    assert "hands partner" in canary.partners()
    assert "document" not in found


def test_whatever_a_page_comes_to_keep_is_found(canary: CanaryTable) -> None:
    mark = canary.running().marks(but=canary.anna.deal["hand"])[0].decode()
    for number, (_, seed) in enumerate(SEEDS):
        canary.anna.page.evaluate(seed, f"{number}-{mark}")
    places = canary.places()
    found = {place: places[place]() for place in ("memory", "document", "kept")}
    assert [place for number, (place, _) in enumerate(SEEDS) if f"{number}-{mark}".encode() not in found[place]] == []
