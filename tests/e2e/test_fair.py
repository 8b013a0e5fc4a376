"""The verifiable deal in the browser: cut, bytes, tick, what can be saved, and a house that cheats."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from chiamata.rules import fair
from tests.e2e.house import House, house_in
from tests.e2e.kit import Move, Person, Shape, moves, person

Arrive = Callable[..., Person]


@pytest.fixture(scope="module")
def slow_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that leaves people the time to cut."""
    with house_in(tmp_path_factory.mktemp("slow"), "--pace", "1") as running:
        yield running


def play_a_deal(somebody: Person) -> None:
    """Moves until the deal has ended."""
    dice = random.Random(5)
    while somebody.scene.get("fair", {}).get("step") != "ended":
        offers = moves(somebody.scene)
        before = somebody.scene
        passes = [move for move in offers if move.do == "pass"]
        if offers:
            somebody.do(passes[0] if passes else dice.choice(offers))
            somebody.settle(before)
        else:
            somebody.page.wait_for_timeout(10)


def save(somebody: Person, key: str, folder: Path) -> Path:
    with somebody.page.expect_download() as saving:
        somebody.page.get_by_role("link", name=somebody.word(key), exact=True).click()
    path = folder / saving.value.suggested_filename
    saving.value.save_as(path)
    return path


def test_a_deal_is_checked_and_can_be_checked_elsewhere(arrive: Arrive, tmp_path: Path) -> None:
    anna = arrive("it")
    anna.play_now()
    assert [bool(share) for share in anna.scene["fair"]["shares"]].count(
        True
    ) == 1  # hers, sealed and opened by her page
    play_a_deal(anna)
    tick = anna.button(anna.word("fair.fine"))
    tick.wait_for()
    tick.click()
    sheet = anna.page.get_by_role("dialog", name=anna.word("fair.title"))
    sheet.get_by_text(anna.word("fair.check_mine"), exact=True).wait_for()
    expect(sheet.locator("li.wrong")).to_have_count(0)
    told = save(anna, "fair.save", tmp_path)
    script = save(anna, "fair.script", tmp_path)
    page = save(anna, "fair.page", tmp_path)
    mine, promise = anna.page.locator(".fair-checks code").all_inner_texts()[::-1]
    words = [sys.executable, "-I", str(script), str(told), "--mine", mine, "--promised", promise]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (run.returncode, "WRONG" in run.stdout) == (0, False), run.stdout
    alone = anna.context.new_page()
    alone.context.set_offline(True)
    alone.goto(page.as_uri())
    alone.locator("#file").set_input_files(told)
    alone.locator("#mine").fill(mine)
    alone.locator("#promised").fill(promise)
    alone.locator("li.fine").nth(8).wait_for()
    expect(alone.locator("li.wrong")).to_have_count(0)
    forged = tmp_path / "forged.json"
    whole = json.loads(told.read_text())
    forged.write_text(json.dumps(whole | {"cut": (whole["cut"] + 1) % 40}))
    alone.locator("#file").set_input_files(forged)
    alone.locator("li.wrong").first.wait_for()
    alone.context.set_offline(False)


def test_luck_is_told(arrive: Arrive) -> None:
    anna = arrive("en")
    anna.play_now()
    play_a_deal(anna)
    anna.button(anna.word("menu")).first.click()
    anna.press(anna.word("luck.title"))
    sheet = anna.page.get_by_role("dialog", name=anna.word("luck.title"))
    sheet.get_by_text(anna.word("luck.few")).wait_for()
    expect(sheet.get_by_role("table")).to_have_count(2)


def test_one_cuts_and_the_others_see_it(browser: Browser, slow_house: House) -> None:
    people = [person(browser, slow_house, Shape(language)) for language in ("en", "it")]
    anna, bruno = people
    bruno.join(anna.new_table("classic"))
    anna.start()
    for one in people:
        one.wait(lambda scene: scene.get("fair"), "a deal on its way")
    chair = anna.scene["fair"]["cutter"]
    cutter, other = people if anna.scene["table"]["you"] == chair else people[::-1]
    pack = cutter.page.locator("[data-cut-pack]")
    box = pack.bounding_box()
    assert box
    cutter.page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2)
    for one in people:
        scene = one.wait(lambda scene: scene["fair"]["step"] == "dealt", "cards")
        assert 5 <= scene["fair"]["cut"] <= 15
        assert [bool(share) for share in scene["fair"]["shares"]].count(True) == 2
    assert not any(one.faults for one in people)
    play_by_both(people)
    for one in people:
        one.button(one.word("fair.fine")).wait_for()
    assert not other.faults
    for one in people:
        one.context.close()


def play_by_both(people: list[Person]) -> None:
    while not all(one.scene["fair"]["step"] == "ended" for one in people):
        for one in people:
            offers = moves(one.scene)
            if offers:
                before = one.scene
                passes = [move for move in offers if move.do == "pass"]
                one.do(passes[0] if passes else offers[0])
                one.wait(lambda scene, v=before["v"]: scene["v"] > v, "the move")  # type: ignore[misc]
            one.page.wait_for_timeout(10)


def test_the_page_cuts_by_itself(browser: Browser, slow_house: House) -> None:
    anna = person(browser, slow_house, Shape("en"))
    anna.new_table("classic", bots=True)
    anna.start()
    anna.page.locator("[data-cut-pack]").wait_for()
    scene = anna.wait(lambda scene: scene["fair"]["step"] == "dealt", "cards")
    assert scene["fair"]["cutter"] == anna.scene["table"]["you"]
    assert not anna.faults
    anna.context.close()


def test_a_house_that_tells_another_deal_is_caught(arrive: Arrive) -> None:
    """The transcript that the page gets has another secret, signed anew: the page has seen the promise."""
    anna = arrive("en")
    anna.play_now()

    def forge(route: Route) -> None:
        response = route.fetch()
        (told,) = fair.read(response.body())
        mapping = json.loads(response.body())
        mapping["secret"] = "00" * 32
        mapping["commitment"] = fair.seal(told.terms, bytes(32)).hex()
        mapping["hash"] = fair.hash_of(fair.read(json.dumps(mapping))[0])
        route.fulfill(response=response, body=json.dumps(mapping))

    anna.page.route("**/transcript", forge)
    play_a_deal(anna)
    anna.button(anna.word("fair.wrong")).wait_for()
    anna.page.get_by_text(anna.word("fair.broken")).wait_for()


def test_a_reload_on_the_way_keeps_the_bytes(browser: Browser, slow_house: House) -> None:
    anna = person(browser, slow_house, Shape("en"))
    anna.new_table("classic", bots=True)
    anna.start()
    anna.page.locator("[data-cut-pack]").wait_for()
    anna.page.reload()
    scene = anna.wait(lambda scene: scene["fair"]["step"] == "dealt" and scene["table"]["state"] == "playing", "cards")
    assert any(scene["fair"]["shares"])
    assert Move("next") not in moves(scene)
    anna.context.close()
