"""The page in a pocket: installed, kept for when there is no line, replaced by a newer build."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.house import Guest, House
from tests.e2e.kit import PATIENCE, ROOT, Person, Shape, person, starting
from tests.e2e.test_page import axe_faults, layout_faults
from tests.server.test_past_routes import first_move

Arrive = Callable[..., Person]
PACKAGE = ROOT / "src" / "chiamata"
KEPT = """async () => {
  const kept = await (await caches.open('chiamata-past-1')).keys();
  return kept.map(({ url }) => new URL(url).pathname + new URL(url).search);
}"""
EVERYTHING = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  return found;
}"""
SHELLS = "async () => (await caches.keys()).filter(name => name.startsWith('chiamata-shell-')).join()"


@pytest.fixture
def pocket(browser: Browser, house: House) -> Iterator[Callable[..., Person]]:
    """Makes people whose browser runs the worker; their pages must have thrown nothing but what being offline does."""
    people: list[Person] = []

    def one(language: str = "en") -> Person:
        people.append(person(browser, house, Shape(language, pocket=True)))
        return people[-1]

    yield one
    faults = [fault for somebody in people for fault in somebody.faults if "net::ERR_" not in fault]
    for somebody in people:
        somebody.context.close()
    assert not faults


def settle_in(person: Person) -> None:
    """Until the worker looks after the page."""
    person.page.wait_for_function("() => navigator.serviceWorker.controller !== null")


def until(person: Person, holds: Callable[[], bool], why: str) -> None:
    """Until what the worker does by itself is done."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"waited in vain: {why}"
        person.page.wait_for_timeout(20)


def faces(person: Person) -> int:
    """How many cards are kept."""
    return sum(path.startswith("/decks/") for path in person.page.evaluate(EVERYTHING))


def test_it_can_be_installed(pocket: Arrive) -> None:
    anna = pocket("it")
    anna.open()
    settle_in(anna)
    line = anna.context.new_cdp_session(anna.page)
    manifest = line.send("Page.getAppManifest")
    assert (manifest["errors"], manifest["url"].rsplit("/", 1)[1]) == ([], "app.it.webmanifest")
    told = json.loads(manifest["data"])
    assert (told["lang"], told["shortcuts"][0]["name"]) == ("it", anna.word("app.score_keeper"))
    # The contexts of a test are incognito: nothing else may stand in the way.
    found = [one["errorId"] for one in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert found == ["in-incognito"]
    sizes = [anna.page.request.get(anna.house.url + icon["src"]).body()[16:24] for icon in told["icons"]]
    assert [int.from_bytes(size[:4]) for size in sizes] == [192, 512, 512]


def test_without_a_line_there_is_a_page_that_helps(pocket: Arrive) -> None:
    anna = pocket("it")
    anna.open()
    settle_in(anna)
    anna.context.set_offline(True)
    anna.page.reload()
    anna.page.get_by_role("heading", name=anna.word("app.no_line")).wait_for()
    faults = axe_faults(anna, "offline") + layout_faults(anna, "offline")
    anna.page.get_by_label(anna.word("language")).select_option("en")
    anna.language = "en"
    anna.open("/t/ABCDE")
    anna.page.get_by_role("heading", name=anna.word("app.no_line")).wait_for()
    anna.page.get_by_role("link", name=anna.word("app.score_keeper")).click()
    anna.press(anna.word("score.begin"))
    anna.page.get_by_role("heading", name=anna.word("deal_n", n=1)).wait_for()
    anna.open()
    anna.page.get_by_role("heading", name=anna.word("app.no_line")).wait_for()
    anna.context.set_offline(False)
    anna.press(anna.word("app.try_again"))
    anna.button(starting(anna.word("play_now"))).wait_for()
    assert not faults


def ended_deal(house: House) -> str:
    """A table at which one deal is over and none runs; its code."""
    guest = Guest(house, "Anna")
    code = guest.table()
    guest.enter(code)
    guest.until("scene")
    guest.say(do="start")
    done = -1
    while not guest.scene.get("sheet"):
        scene = guest.until("scene")
        options = scene.get("deal", {}).get("options", {})
        if scene["v"] > done and options:
            done = scene["v"]
            guest.say(**first_move(options))
    guest.leave()
    return code


def test_a_deal_that_was_opened_is_there_without_a_line(house: House, pocket: Arrive) -> None:
    code = ended_deal(house)
    anna = pocket()
    anna.open()
    settle_in(anna)
    anna.open(f"/g/{code}")
    anna.page.get_by_role("link", name=anna.word("watch_deal", n=1)).click()
    slider = anna.page.get_by_role("slider", name=anna.word("step"))
    slider.wait_for()
    until(anna, lambda: faces(anna) == 41, "a whole deck")
    assert anna.page.evaluate(KEPT) == [f"/api/tables/{code}/games", f"/api/tables/{code}/deals/1"]
    anna.context.set_offline(True)
    anna.page.reload()
    end = int(slider.get_attribute("max") or 0)
    for _ in range(end):
        anna.page.keyboard.press("ArrowRight")
    assert end
    expect(slider).to_have_value(str(end))
    pictures = "[...document.images].map(one => one.complete && one.naturalWidth > 0)"
    anna.page.wait_for_function(f"() => {pictures}.every(Boolean)")
    anna.open("/")
    anna.page.get_by_role("link", name=anna.word("sheets_of", code=code)).click()
    anna.page.get_by_role("link", name=anna.word("watch_deal", n=1)).wait_for()
    allowed = re.compile(rf"/|/icon\.svg|/old\.js|/assets/.*|/decks/.*\.svg|/api/tables/{code}/(games|deals/1)")
    assert [path for path in anna.page.evaluate(EVERYTHING) if not allowed.fullmatch(path)] == []


def test_nothing_of_a_running_deal_may_be_kept(house: House, pocket: Arrive) -> None:
    anna = pocket()
    anna.open()
    settle_in(anna)
    anna.play_now()
    code = anna.scene["table"]["code"]
    anna.open(f"/g/{code}")
    anna.page.get_by_role("heading", name=anna.word("sheets_of", code=code)).wait_for()
    addresses = [f"/api/tables/{code}{rest}" for rest in ("", "/games", "/notes", "/rules", "/transcripts")]
    assert {house.ask("GET", path).headers["cache-control"] for path in addresses} == {"no-store"}
    assert anna.page.evaluate(KEPT) == []


def test_a_new_build_replaces_the_old_one(browser: Browser, tmp_path: Path) -> None:
    """A house of its own, whose client is built anew while somebody has the old one in their pocket."""
    shutil.copytree(PACKAGE, tmp_path / "src" / "chiamata", ignore=shutil.ignore_patterns("__pycache__"))
    house = House(tmp_path, variables={"PYTHONPATH": str(tmp_path / "src")})
    house.start()
    anna = person(browser, house, Shape(pocket=True))
    try:
        anna.open()
        settle_in(anna)
        old = part_of(anna)
        house.stop()
        new_build(tmp_path / "src" / "chiamata" / "client", old)
        house.start()
        anna.page.reload()
        assert part_of(anna) == "/assets/index-AnotherB.js"
        until(anna, lambda: bool(anna.page.evaluate(SHELLS) == "chiamata-shell-" + 16 * "f"), "the new build alone")
        house.stop()
        anna.page.reload()
        anna.page.get_by_role("heading", name=anna.word("app.no_line")).wait_for()
        assert part_of(anna) == "/assets/index-AnotherB.js"
        assert old not in anna.page.evaluate(EVERYTHING)
    finally:
        anna.context.close()
        house.stop()


def part_of(person: Person) -> str:
    """The script that the page was made of."""
    return str(person.page.evaluate("new URL(document.querySelector('script[src]').src).pathname"))


def new_build(client: Path, old: str) -> None:
    """As if the client had been built with a change: its script, its page and its worker have other contents."""
    (client / old[1:]).rename(client / "assets" / "index-AnotherB.js")
    for name in ("index.html", "worker.js"):
        text = (client / name).read_text(encoding="utf-8").replace(old, "/assets/index-AnotherB.js")
        (client / name).write_text(re.sub(r"shell-[0-9a-f]{16}", "shell-" + 16 * "f", text), encoding="utf-8")
