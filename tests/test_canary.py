"""A house with cards that can be recognised anywhere: none turns up where nobody may know it, whatever goes wrong.

``tests/test_secrecy.py`` compares what a viewer is told in two worlds.  Here a real process
plays a deal with canary cards, and all that it leaves behind is searched for them: its
own log and figures, the answers of every address, frames, and every byte on the disk.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from chiamata.doors.cli import main
from chiamata.server.vault import beside
from tests import surfaces
from tests.canary import deck
from tests.canary.deck import Running, seen
from tests.e2e.house import Guest, House

PATIENCE = 30.0
PLAYED = 2
"""Cards that Anna plays before everything is looked at."""
TOLD = (
    b"Exception in ASGI application",
    b"Exception in callback",
    b"Future exception was never retrieved",
    b"Task exception was never retrieved",
    b"an exception that nobody caught",
    b"a bot was late or failed",
    b"the bot in haste failed: RuntimeError",
)
"""What the house writes of the faults that are seeded."""


class Canary:
    """A house, its people at a table in the middle of a deal, and all that can be had of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.site = folder, folder / "site"
        variables = deck.site(self.site)
        self.house = House(folder, options=("--pace", "0", "--metrics", "0"), variables=variables)
        self.house.start()
        assert self.house.process is not None
        assert self.house.process.stdout is not None
        self.figures = int(re.findall(r":(\d+)/metrics", self.house.process.stdout.readline())[0])
        self.people: list[Guest] = []
        self.code = ""

    def switch(self, name: str, on: bool = True) -> None:
        """Seeds a leak or a fault, or takes it away."""
        (self.site / name).touch() if on else (self.site / name).unlink()

    def play(self, seed: int) -> None:
        """A new table of two people and three bots, played to the third trick."""
        for one in self.people:
            one.leave()
        anna, bruno = self.people = [Guest(self.house, "Anna"), Guest(self.house, "Bruno")]
        self.code = anna.table(deck.pack(seed))
        for one in self.people:
            one.enter(self.code)
            one.until("scene")
        bruno.say(do="sit")
        bruno.until("ack")
        anna.say(do="start", v=bruno.scene["v"])
        moved = 0
        while moved < PLAYED:
            one = self.in_turn()
            moved += act(one) == "play" and one is anna
        self.refusals()

    def in_turn(self) -> Guest:
        """Whoever of the people must do something, with the newest scene read."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for one in self.people:
                while one.hear(0.02):
                    pass
                if (one.scene.get("deal") or {}).get("options"):
                    return one
        raise AssertionError("nobody is in turn")

    def refusals(self) -> None:
        """What is not allowed: out of turn, of cards that lie open, of cards that are none, and rubbish."""
        one = self.in_turn()
        other = next(guest for guest in self.people if guest is not one)
        open_card = other.scene["deal"]["trick"]["cards"][0]["card"] if other.scene["deal"].get("trick") else ""
        for guest in self.people:
            guest.say(do="play", card=open_card or guest.scene["deal"]["hand"][0], v=0)
            guest.say(do="call", card=guest.scene["deal"]["hand"][0])
            guest.say(do="pass")
            for text in surfaces.RUBBISH:
                guest.throw(text)
            end = time.monotonic() + PATIENCE
            while sum(message["is"] == "no" for message in guest.heard) < 3 + len(surfaces.RUBBISH):
                assert time.monotonic() < end, "refusals"
                guest.hear(1)

    # --- all that can be had ------------------------------------------------------------------------

    def of_guest(self, guest: Guest | None) -> dict[str, bytes]:
        """What one of the people (None for a stranger) gets of every address, and has heard."""
        headers = {"Cookie": guest.cookie} if guest else {}
        found = {}
        for path in [path.format(code=self.code) for paths in surfaces.ADDRESSES.values() for path in paths]:
            found[path] = self.house.ask("GET", path, headers=headers).body
        for path, body in (("hint", {"v": 10**6}), ("hint", {"v": 0}), ("notes", surfaces.JOTS[1])):
            found[f"POST {path} {body}"] = self.house.ask("POST", f"/api/tables/{self.code}/{path}", body, headers).body
        frames = guest.heard if guest else []
        return found | {f"frame {number}": frame_of(message) for number, message in enumerate(frames)}

    def errors(self) -> bytes:
        """All that the process wrote of its own troubles."""
        return (self.folder / "errors.txt").read_bytes()

    def metrics(self) -> bytes:
        line = HTTPConnection("127.0.0.1", self.figures, timeout=10)
        line.request("GET", "/metrics")
        body = line.getresponse().read()
        line.close()
        return body

    def disk(self) -> dict[str, bytes]:
        """Every file of the log but the key, and a copy of it."""
        db, copy = self.folder / "house.db", self.folder / f"copy-{time.monotonic_ns()}"
        assert main(["--language", "en", "admin", "--db", str(db), "backup", str(copy)]) == 0
        files = [path for path in self.folder.glob("house.db*") if path != beside(db)]
        return {path.name: path.read_bytes() for path in [*files, copy]}

    def running(self) -> Running:
        return deck.running(self.folder / "house.db", self.code)

    def places(self) -> Iterator[tuple[str, bytes, list[bytes]]]:
        """All that can be looked at: where, what stands there, and what must not."""
        deal = self.running()
        for guest in (*self.people, None):
            marks = deal.marks(but=guest.scene["deal"]["hand"] if guest else [])
            for name, data in self.of_guest(guest).items():
                yield name, data, marks
        for name, data in ({"errors": self.errors(), "metrics": self.metrics()} | self.disk()).items():
            yield name, data, deal.marks()

    def leaks(self) -> set[str]:
        """The places in which something stands that whoever looks there may not know."""
        return {name for name, data, marks in self.places() if seen(data, marks)}


def frame_of(message: dict[str, Any]) -> bytes:
    """A frame, but for the list of what its reader may call: that is every card."""
    if message["is"] == "scene" and message.get("deal"):
        options = {key: value for key, value in message["deal"].get("options", {}).items() if key != "calls"}
        message = message | {"deal": message["deal"] | {"options": options}}
    return json.dumps(message).encode()


def act(one: Guest) -> str:
    """The first bid, a pass, a card but the called one: granted; what it was."""
    options = one.scene["deal"]["options"]
    if options.get("may_pass") and (one.scene["deal"].get("standing") or not options.get("bids")):
        verb, fields = "pass", {}
    elif options.get("plays"):
        called = one.scene["deal"]["called"]
        verb, fields = "play", {"card": next((card for card in options["plays"] if card != called), called)}
    elif options.get("calls"):
        verb, fields = "call", {"card": next(call for call in options["calls"] if not call.get("own"))["card"]}
    else:
        verb, fields = "bid", {"say": options["bids"][0]["say"]}
    v = one.scene["v"]
    one.say(do=verb, **fields)
    end = time.monotonic() + PATIENCE
    while one.scene["v"] == v:
        assert time.monotonic() < end, verb
        one.hear(1)
    return verb


def until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    running = Canary(tmp_path_factory.mktemp("canary"))
    yield running
    for one in running.people:
        one.leave()
    running.house.stop()


def test_no_card_that_nobody_has_shown_turns_up_anywhere(canary: Canary) -> None:
    canary.play(1)
    deal = canary.running()
    assert len({name for hand in deal.hands for name in hand}) == 40
    assert len(deal.played) > 5 * PLAYED - 5
    assert all(seen(json.dumps(one.scene).encode(), [one.scene["deal"]["hand"][0].encode()]) for one in canary.people)
    assert canary.leaks() == set()


def test_no_card_turns_up_when_a_route_a_bot_a_thread_or_the_table_breaks_with_the_state_in_its_error(
    canary: Canary,
) -> None:
    canary.play(2)
    canary.running()
    canary.switch("fault_route")
    assert canary.house.ask("GET", f"/api/tables/{canary.code}").status == 500
    canary.switch("fault_route", on=False)
    canary.switch("fault_elsewhere")
    assert canary.house.ask("GET", f"/api/tables/{canary.code}").status == 200
    canary.switch("fault_elsewhere", on=False)
    canary.switch("fault_bot")
    while canary.people[0].scene["deal"].get("tricks_done", 0) < PLAYED + 1:
        act(canary.in_turn())
    canary.switch("fault_bot", on=False)
    until(lambda: all(told in canary.errors() for told in TOLD))
    assert canary.leaks() == set()
    canary.switch("fault_table")
    canary.people[0].say(do="say", phrase="hello")
    until(lambda: f"table {canary.code} stopped: RuntimeError".encode() in canary.errors())
    canary.switch("fault_table", on=False)
    assert not seen(canary.errors(), canary.running().marks())


LEAKS: dict[str, tuple[str, bytes]] = {
    "leak_log_names": ("errors", b"dealt: .*MARK"),
    "leak_log_state": ("errors", b"before: .*[=(]MARK[,)]"),
    "leak_traceback": ("errors", b"RuntimeError: State.*MARK"),
    "leak_figures": ("metrics", b'cards="[^"]*MARK'),
    "leak_log_book": ("house.db-wal", rb'"hands":\[[^]]*MARK'),
    "leak_note": ("copy", b"repair/.....<[^>]*MARK"),
    "leak_error_page": ("/api/tables/", b"BROKEN.*State.*MARK"),
    "leak_scene": ("frame", rb'"debug": {"hands": \[[^]]*MARK'),
}
"""What is seeded, where it must be found, and what stands around the mark."""


@pytest.fixture(scope="module")
def leaking(canary: Canary) -> list[tuple[str, bytes, list[bytes]]]:
    """All that can be looked at with every leak seeded."""
    for name in LEAKS:
        canary.switch(name)
    canary.play(3)
    canary.switch("fault_route")
    found = [(name, data, seen(data, marks)) for name, data, marks in canary.places()]
    for name in (*LEAKS, "fault_route"):
        canary.switch(name, on=False)
    return found


@pytest.mark.parametrize("name", LEAKS)
def test_a_seeded_leak_is_found(leaking: list[tuple[str, bytes, list[bytes]]], name: str) -> None:
    place, evidence = LEAKS[name]
    patterns = [
        (data, evidence.replace(b"MARK", b"(?:%b)" % b"|".join(map(re.escape, marks))))
        for where, data, marks in leaking
        if where.startswith(place) and marks
    ]
    assert any(re.search(pattern, data) for data, pattern in patterns)


def test_a_mark_is_seen_in_every_writing() -> None:
    hand = ["XXC", "YYC", "ZZC", "VVC"]
    deal = Running([hand, *([["WWH"]] * 4)], ["XXC"], "", ["XX", "YY", "ZZ", "VV", "WW"], [bytes(range(32))])
    assert seen(b"..YYC..", deal.marks()) == [b"YYC"]
    assert seen("..YYC..".encode("utf-16-le"), deal.marks()) == [b"YYC"]
    assert seen(b"..XXC..", deal.marks()) == []
    assert seen(b"..YYC..", deal.marks(but=["ZZC"])) == []
    assert seen(b"hand=14,", deal.marks()) == [b"14"], "what is held once the first card is played"
    assert seen(b"dealt=(15,", deal.marks()) == [b"15"]
    assert seen(bytes(range(32)).hex().encode(), deal.marks())
