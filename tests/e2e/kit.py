"""People at the page: a browser context each, found and moved by the names that a screen reader says."""

from __future__ import annotations

import json
import os
import re
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from tests.e2e.house import House

ROOT = Path(__file__).parents[2]
LOCALES = {"it": "it-IT", "en": "en-GB"}
PHONE, TABLET, DESKTOP = (390, 844), (820, 1180), (1440, 900)
SMALL_PHONES = ((360, 640), (375, 667))
SIDEWAYS = ((844, 390), (667, 375))
SLOW = float(os.environ.get("CHIAMATA_SLOW", "1"))
"""From 2 on each page has a processor and a screen so many times slower, keeps nothing of what it fetched and waits 40
ms × SLOW for every answer over HTTP, so that tests which do not wait for what they look at fail. (Nor can it be offline
then: the three tests of that fail too.)"""
FRAME = """frame => {
  const later = setTimeout;
  window.requestAnimationFrame = then => later(() => then(performance.now()), frame);
  window.cancelAnimationFrame = clearTimeout;
  window.setTimeout = (then, wait = 0, ...more) => later(then, Math.max(wait, frame), ...more);
}"""
"""A slow screen: what comes after painting comes late (``frame`` in ms)."""
PATIENCE = 15.0 * SLOW
"""Seconds to wait for a scene before a test fails: bots answer at once, a loaded machine may not."""
expect.set_options(timeout=PATIENCE * 1000)

Scene = dict[str, Any]


@cache
def texts(language: str) -> dict[str, str]:
    """All words of a language as ``section.key``."""
    found: dict[str, str] = {}

    def flatten(prefix: str, table: dict[str, Any]) -> None:
        for key, value in table.items():
            if isinstance(value, dict):
                flatten(f"{prefix}{key}.", value)
            else:
                found[prefix + key] = value

    path = ROOT / "src" / "chiamata" / "locales" / f"{language}.toml"
    flatten("", tomllib.loads(path.read_text(encoding="utf-8")))
    return found


@dataclass
class Person:
    """Somebody with a page of their own; notes every frame that the page receives."""

    house: House
    context: BrowserContext
    page: Page
    language: str = "en"
    frames: list[str] = field(default_factory=list)
    scene: Scene = field(default_factory=dict)
    sockets: int = 0
    faults: list[str] = field(default_factory=list)
    suits: str = "latin"
    """Of the deck that the page draws: French cards have names of their own."""

    def __post_init__(self) -> None:
        self.page.on("websocket", self.listen)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)

    def listen(self, line: WebSocket) -> None:
        """Hear a new line of the page."""
        self.sockets += 1
        line.on("framereceived", self.note)

    def note(self, frame: str | bytes) -> None:
        """Keep a frame; the newest scene is the one drawn."""
        text = frame if isinstance(frame, str) else frame.decode()
        self.frames.append(text)
        message = json.loads(text)
        if message["is"] == "scene":
            self.scene = message

    # --- words ------------------------------------------------------------------------------------

    def word(self, key: str, **values: object) -> str:
        """A text of the page in this person's language."""
        text = texts(self.language)[key if "." in key else f"ui.{key}"]
        return re.sub(r"\{(\w+)\}", lambda place: str(values.get(place[1], place[0])), text)

    def card_name(self, card: str) -> str:
        """A card as the page says it, with a small first letter."""
        return self.word("cards.card", rank=self.rank_name(card[:-1]), suit=self.suit_name(card[-1]))

    def rank_name(self, rank: str) -> str:
        """A rank in words."""
        return self.of_this_deck("rank", rank)

    def letter(self, rank: str) -> str:
        """The index letter of a rank."""
        return self.of_this_deck("letter", rank)

    def of_this_deck(self, kind: str, rank: str) -> str:
        """French cards have words of their own for some ranks."""
        french = f"cards.french_{kind}_{rank}"
        own = self.suits == "french" and french in texts(self.language)
        return self.word(french if own else f"cards.{kind}_{rank}")

    def suit_name(self, suit: str) -> str:
        """A suit in words."""
        return self.word(f"cards.{'french_' if self.suits == 'french' else ''}suit_{suit}")

    # --- the page ---------------------------------------------------------------------------------

    def button(self, name: str | re.Pattern[str], exact: bool = True) -> Locator:
        """A button by its accessible name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press the button of this name."""
        self.button(name).first.click()

    def wait(self, what: Callable[[Scene], Any], why: str, within: float = PATIENCE) -> Scene:
        """Until the newest scene is as wanted."""
        end = time.monotonic() + within
        while not (self.scene and what(self.scene)):
            assert time.monotonic() < end, f"waited in vain: {why}; the scene is {json.dumps(self.scene)[:1500]}"
            self.page.wait_for_timeout(10)
        return self.scene

    @property
    def deal(self) -> Scene:
        """The running deal."""
        return dict(self.scene.get("deal") or {})

    @property
    def may(self) -> Scene:
        """The moves on offer."""
        return dict(self.deal.get("options") or {})

    @property
    def state(self) -> str:
        """What the table does now."""
        return str(self.scene["table"]["state"])

    def wait_for_turn(self) -> Scene:
        """Until this person may move, the deal is over, or the table rests."""
        return self.wait(
            lambda scene: moves(scene) or "next" in scene["table"].get("may", ()), f"{self.language}: something to do"
        )

    # --- coming in --------------------------------------------------------------------------------

    def open(self, path: str = "/") -> None:
        """Go to a page of the house."""
        self.page.goto(self.house.url + path)

    def play_now(self) -> None:
        """From the first page to the first decision, in one tap."""
        self.open()
        self.button(starting(self.word("play_now"))).click()
        self.wait_for_turn()

    def drawn(self) -> None:
        """Until the cards are on the screen and the page listens to keys, which it does after it has painted."""
        self.page.locator("[data-card]").first.wait_for()
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.page.evaluate("() => new Promise(done => setTimeout(done))")

    def new_table(self, rules: str = "classic", deals: int = 0, bots: bool = False) -> str:
        """Choose rules in the picker and make a table; its code."""
        self.open()
        self.button(starting(self.word("with_friends"))).click()
        self.choose_rules(rules)
        if deals:
            self.page.get_by_role("radio", name=str(deals), exact=True).check(force=True)
        if bots:
            # By key: the options above it are still coming in, so a click may land beside it.
            self.page.get_by_role("switch", name=starting(self.word("bots_at_once"))).press("Space")
        self.button(self.word("make_table")).click()
        self.wait(lambda scene: scene["table"].get("you") is not None, "a chair")
        if bots:
            self.wait(lambda scene: all(chair.get("kind") for chair in scene["chairs"]), "bots in all chairs")
        return str(self.scene["table"]["code"])

    def choose_rules(self, rules: str) -> None:
        """Pick a rule set from the open picker."""
        name = self.word(f"rules.{rules}.name")
        radio = self.page.get_by_role("radio", name=starting(name)).first
        if not radio.is_visible():
            self.page.get_by_text(self.word("more_rules")).click()
        radio.check(force=True)
        self.page.get_by_role("form", name=name, exact=True).wait_for()

    def start(self) -> None:
        """Deal, with bots in the chairs that are empty."""
        empty = any(chair.get("kind", "empty") == "empty" for chair in self.scene["chairs"])
        self.button(self.word("start_with_bots" if empty else "start")).click()

    def join(self, code: str) -> None:
        """Open the link and sit down."""
        self.open(f"/t/{code}")
        self.page.get_by_role("region", name=self.word("sit"), exact=True).get_by_role("button").click()
        self.wait(lambda scene: scene["table"].get("you") is not None, "a chair")

    # --- moves ------------------------------------------------------------------------------------

    def do(self, move: Move) -> None:
        """Make a move with the mouse: arm it, confirm it."""
        what = move.what
        if move.do == "pass":
            self.pass_on()
        elif move.do == "bid":
            self.arm_bid(what)
            self.confirm("do_bid", bid=self.bid_name(what))
        elif move.do == "call":
            self.call(what)
        elif move.do == "play":
            self.hand_card(what).click(position={"x": 20, "y": 60})
            self.confirm("do_play", card=self.card_name(what))
        elif move.do == "trump":
            suit = self.suit_name(what)
            tiles = self.page.get_by_role("region", name=self.word("phase_trump"))
            tiles.get_by_role("button", name=re.compile(f"^{re.escape(suit)}[.,]")).click()
            self.confirm("do_trump", suit=suit)
        else:
            self.button(starting(self.word("rematch" if self.state == "over" else "next_deal"))).click()

    def pass_on(self) -> None:
        """Pass, in two taps on the same button."""
        word = self.word("no_claim" if self.deal["phase"] == "claim" else "pass")
        self.press(word)
        self.press(self.word("confirm_word", word=word))

    def arm_bid(self, say: str) -> None:
        """Tap the chip of a rank, or the amount of points."""
        rank, _, points = say.partition("@")
        kind = self.scene["table"]["rules"]["auction_kind"]
        if points:
            name = self.word("bid_rank_at", rank=self.rank_name(rank), points=points)
        else:
            name = self.word("bid_points", points=say)
        inexact = points or kind == "points"
        self.press(starting(name + ",") if inexact else self.word("bid_rank", rank=self.rank_name(rank)))

    def bid_name(self, say: str) -> str:
        """A bid as the bar says it."""
        rank, _, points = say.partition("@")
        if points:
            return self.word("rank_at", rank=self.rank_name(rank), points=points)
        if self.scene["table"]["rules"]["auction_kind"] == "points":
            return self.word("points", n=say)
        return self.rank_name(rank)

    def call(self, card: str) -> None:
        """Tap the suit, the rank where several may be called, confirm; a third time for one's own card."""
        offers = {call["card"]: call.get("own", False) for call in self.may["calls"]}
        same = [other for other in offers if other[-1] == card[-1]]
        tiles = self.page.get_by_role("region", name=self.word("phase_call"))
        if len(same) == 1:
            tiles.get_by_role("button", name=re.compile(re.escape(self.card_name(card)) + "[.,]")).click()
        else:
            suit = self.suit_name(card[-1])
            tiles.get_by_role("button", name=starting(f"{suit}.")).click()
            tiles.get_by_role("button", name=starting(self.card_name(card))).click()
        self.confirm("do_call", card=self.card_name(card))
        if offers[card]:
            self.press(self.word("own_yes"))

    def confirm(self, key: str, **values: object) -> None:
        """Press the bar that says what will be done."""
        self.button(self.word(key, **values)).click()

    def hand_card(self, card: str) -> Locator:
        """A card of the hand by its spoken name."""
        hand = self.page.get_by_role("region", name=self.word("your_hand"))
        return hand.get_by_role("button", name=starting(capital(self.card_name(card))))

    def do_by_keys(self, move: Move) -> None:
        """Make a move with the keyboard alone, once the page shows what this person knows of."""
        if self.sockets:
            self.page.locator(f'.table[data-v="{self.scene["v"]}"]').wait_for()
        for key in self.keys_for(move):
            self.page.keyboard.press(key)

    def keys_for(self, move: Move) -> list[str]:
        """The keys that make a move."""
        what, suits = move.what, "DHSC"
        if move.do == "pass":
            return ["p", "Enter"]
        if move.do == "bid" and self.scene["table"]["rules"]["auction_kind"] == "rank" and "@" not in what:
            return ["0" if what == "10" else self.letter(what).lower(), "Enter"]
        if move.do == "bid":
            offers = sorted(self.may["bids"], key=lambda bid: int(bid["target"]))
            return ["+"] * (1 + [bid["say"] for bid in offers].index(what)) + ["Enter"]
        if move.do == "call":
            own = next(call.get("own", False) for call in self.may["calls"] if call["card"] == what)
            return [str(suits.index(what[-1]) + 1), "Enter"] + ["Enter"] * own
        if move.do == "trump":
            return [str(suits.index(what) + 1), "Enter"]
        return [str(self.deal["hand"].index(what) + 1), "Enter"]

    def settle(self, before: Scene) -> None:
        """Until the house has answered with a newer scene."""
        self.wait(lambda scene: scene["v"] != before["v"], "an answer")
        self.wait_for_turn()


@dataclass(frozen=True)
class Move:
    """Something that a person may do: pass, bid, call, play, trump or next, and what."""

    do: str
    what: str = ""


def moves(scene: Scene) -> list[Move]:
    """The moves on offer to the viewer, in the order of the scene."""
    may = (scene.get("deal") or {}).get("options") or {}
    found = [Move("bid", bid["say"]) for bid in may.get("bids", ())]
    found += [Move("pass")] if may.get("may_pass") else []
    found += [Move("call", call["card"]) for call in may.get("calls", ())]
    found += [Move("play", card) for card in may.get("plays", ())]
    return found + [Move("trump", suit) for suit in may.get("trumps", ())]


def starting(text: str) -> re.Pattern[str]:
    """Names that begin with this text."""
    return re.compile("^" + re.escape(text))


def capital(text: str) -> str:
    """With a large first letter."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Shape:
    """What kind of page a person has."""

    language: str = "en"
    size: tuple[int, int] = PHONE
    touch: bool = False
    pocket: bool = False
    """With the service worker, which keeps the page for when there is no line."""


def person(browser: Browser, house: House, shape: Shape = Shape()) -> Person:
    """A new person with a browser context of their own (and so a cookie of their own)."""
    context = browser.new_context(
        locale=LOCALES[shape.language],
        viewport={"width": shape.size[0], "height": shape.size[1]},
        reduced_motion="reduce",
        has_touch=shape.touch,
        service_workers="allow" if shape.pocket else "block",
        ignore_https_errors=True,  # a proxy of the tests signs for itself
    )
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    if SLOW > 1:
        line = context.new_cdp_session(page)
        line.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
        page.add_init_script(f"({FRAME})({16 * SLOW})")
        line.send("Network.enable")
        line.send("Network.setCacheDisabled", {"cacheDisabled": True})
        calm = {"offline": False, "latency": 40 * SLOW, "downloadThroughput": -1, "uploadThroughput": -1}
        line.send("Network.emulateNetworkConditions", calm)
    return Person(house, context, page, shape.language)
