"""Around the table: coming by code, several tabs, watchers, a bot's chair, the reveal, dragging, the language."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, expect

from tests.e2e.house import House
from tests.e2e.kit import LOCALES, PATIENCE, Move, Person, Scene, Shape, moves, starting
from tests.e2e.kit import person as a_person
from tests.e2e.test_game import choose
from tests.e2e.test_recovery import first, play_on

Arrive = Callable[..., Person]


def test_friends_come_by_the_five_letters(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("en")
    code = anna.new_table("quick")
    bruno.open()
    bruno.page.get_by_role("textbox", name=bruno.word("your_name")).fill("Bruno")
    bruno.page.get_by_role("textbox", name=bruno.word("join_by_code")).fill(code.lower())
    bruno.press(bruno.word("join"))
    bruno.page.get_by_role("region", name=bruno.word("sit"), exact=True).get_by_role("button").click()
    anna.wait(lambda scene: scene["chairs"][1].get("name") == "Bruno", "Bruno on the second chair")
    expect(anna.page.get_by_text("Bruno", exact=True)).to_be_visible()


def test_no_such_table_is_said_in_words(arrive: Arrive) -> None:
    person = arrive("it")
    person.open("/t/QQQQQ")
    person.page.get_by_role("heading", name=person.word("no_such_table")).wait_for()
    person.press(person.word("to_lobby"))
    person.button(starting(person.word("play_now"))).wait_for()
    # The browser itself reports the 404 that the question for the table got.
    person.faults[:] = [fault for fault in person.faults if "404" not in fault]


def test_two_tabs_of_one_person_are_both_live(arrive: Arrive) -> None:
    person = arrive("en")
    person.play_now()
    other = Person(person.house, person.context, person.context.new_page(), "en")
    other.open(f"/t/{person.scene['table']['code']}")
    other.wait(lambda scene: scene.get("v") == person.scene["v"], "the same scene")
    assert other.deal["hand"] == person.deal["hand"]
    for mover, follower in ((other, person), (person, other)):
        mover.wait_for_turn()
        before = mover.scene
        mover.do(first(mover, "pass") if moves(before) else Move("next"))
        mover.settle(before)
        follower.wait(lambda scene, mover=mover: scene["v"] >= mover.scene["v"], "the other tab's move")  # type: ignore[misc]
    assert other.faults == []


def test_a_watcher_sees_the_table_and_no_hand(arrive: Arrive) -> None:
    person, watcher = arrive("en"), arrive("en")
    person.play_now()
    watcher.open(f"/t/{person.scene['table']['code']}")
    watcher.wait(lambda scene: scene.get("deal"), "the deal")
    rng = random.Random(1)
    while person.state == "playing":
        assert not {"hand", "mine", "covered", "options"} & watcher.deal.keys()
        expect(watcher.page.locator("[data-card]")).to_have_count(0)
        before = person.scene
        person.do(choose(person, rng))
        person.settle(before)


def test_a_friend_takes_a_bots_chair_between_deals(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("en")
    anna.play_now()
    code = anna.scene["table"]["code"]
    play_on(anna, lambda scene: scene["table"]["state"] == "between")
    bruno.join(code)
    you = bruno.scene["table"]["you"]
    anna.wait(lambda scene: scene["chairs"][you].get("kind") == "person", "a person where a bot was")
    for one in (anna, bruno):
        one.do(Move("next"))
    bruno.wait(lambda scene: scene["table"]["state"] == "playing" and scene["deal"].get("hand"), "cards")
    assert len(bruno.deal["hand"]) == 8
    assert bruno.scene["chairs"][you].get("score", 0) == anna.scene["chairs"][you].get("score", 0)


def revealed(scene: Scene) -> bool:
    return (scene.get("deal") or {}).get("partner") is not None


def test_the_reveal_is_shown_and_blocks_nothing(browser: Browser, house: House) -> None:
    """With motion: the moment is drawn over the table, goes by itself, and the table can be played meanwhile."""
    context = browser.new_context(locale=LOCALES["it"], viewport={"width": 390, "height": 844})
    person = Person(house, context, context.new_page(), "it")
    person.play_now()
    play_on(person, lambda scene: revealed(scene) or bool(scene.get("sheet")))
    person.page.locator(".reveal").wait_for()
    shown = person.page.locator(".reveal").inner_text()
    assert str(person.deal["target"]) in shown
    if moves(person.scene):
        before = person.scene
        person.do(first(person, "play"))
        person.settle(before)
    expect(person.page.locator(".reveal")).to_have_count(0)
    assert person.faults == []
    context.close()


ENDLESS = """() => {
  const later = window.setTimeout;
  window.setTimeout = (deed, wait, ...more) => wait === 2600 ? 0 : later(deed, wait, ...more);
  window.counted = [];
  new MutationObserver(() => {
    const bars = [...document.querySelectorAll('.bar b')].map(bar => Number(bar.textContent));
    if (bars.length) counted.push(bars);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""The reveal does not end by itself any more, and what its bars say is noted."""


def test_the_reveal_counts_the_points_up_and_ends_with_any_key(browser: Browser, house: House) -> None:
    context = browser.new_context(locale=LOCALES["en"], viewport={"width": 390, "height": 844})
    person = Person(house, context, context.new_page(), "en")
    person.play_now()
    person.page.evaluate(ENDLESS)
    play_on(person, lambda scene: revealed(scene) and scene["table"]["state"] == "playing")
    reveal = person.page.locator(".reveal")
    expect(reveal).to_be_visible()
    expect(person.page.locator(".revealing .bar b").first).to_be_visible()
    end = time.monotonic() + PATIENCE
    while reveal.count() and time.monotonic() < end:  # a key counts from a moment after the card
        person.page.keyboard.press("Shift")
        person.page.wait_for_timeout(50)
    expect(reveal).to_have_count(0)
    assert person.page.evaluate("counted[0].every(points => points === 0)"), "from nothing"
    context.close()


def test_a_card_dragged_up_is_played(arrive: Arrive) -> None:
    person = arrive("en")
    person.play_now()
    play_on(person, lambda scene: any(move.do == "play" for move in moves(scene)))
    card, before = person.may["plays"][0], person.scene
    box = person.hand_card(card).bounding_box()
    assert box
    mouse = person.page.mouse
    mouse.move(box["x"] + 20, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + 25, box["y"] - 60, steps=6)
    mouse.up()
    person.settle(before)
    assert card not in person.deal["hand"]


def swipe(person: Person, start: Locator, across: float = 0, up: float = 90, at: str = "middle") -> None:
    """A finger that goes over the glass from this place."""
    box = start.bounding_box()
    assert box
    x, y = (box["x"] + 20 if at == "edge" else box["x"] + box["width"] / 2), box["y"] + box["height"] / 2
    line = person.context.new_cdp_session(person.page)
    line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in (0.2, 0.4, 0.6, 0.8, 1):
        to = {"x": x + across * part, "y": y - up * part}
        line.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [to]})
    line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    line.detach()


def test_a_swipe_up_opens_the_scores_and_presses_nothing(browser: Browser, house: House) -> None:
    anna = a_person(browser, house, Shape("it", touch=True))
    anna.play_now()
    play_on(anna, lambda scene: any(move.do == "pass" for move in moves(scene)))
    sheet = anna.page.get_by_role("dialog", name=anna.word("scores"))
    points, deny = anna.page.locator(".points"), anna.page.locator("[data-pass]")
    before = anna.scene["v"]
    for start in (points, deny, anna.page.locator("footer.action")):
        swipe(anna, start)
        expect(sheet).to_be_visible()
        anna.press(anna.word("close"))
        expect(sheet).to_have_count(0)
        expect(deny).to_have_attribute("aria-pressed", "false")
    for across, up in ((90, 0), (90, 70), (0, 30), (0, -40)):
        swipe(anna, points, across, up)
    deny.click()
    expect(deny).to_have_attribute("aria-pressed", "true")
    expect(sheet).to_have_count(0)
    assert anna.scene["v"] == before
    anna.context.close()


def test_a_finger_that_drags_a_card_up_plays_it_and_opens_nothing(browser: Browser, house: House) -> None:
    anna = a_person(browser, house, Shape("en", touch=True))
    anna.play_now()
    play_on(anna, lambda scene: any(move.do == "play" for move in moves(scene)))
    card, before = anna.may["plays"][0], anna.scene
    anna.page.evaluate(
        "() => { window.opened = false; new MutationObserver(() => opened ||= !!document.querySelector('dialog'))"
        ".observe(document, {subtree: true, childList: true}) }"
    )
    swipe(anna, anna.hand_card(card), up=50, at="edge")  # not far enough to play
    swipe(anna, anna.hand_card(card), up=110, at="edge")
    anna.settle(before)
    assert card not in anna.deal["hand"]
    assert not anna.page.evaluate("opened")
    anna.context.close()


def test_the_spoken_log_tells_what_happens(arrive: Arrive) -> None:
    person = arrive("it")
    person.play_now()
    play_on(person, lambda scene: any(move.do == "play" for move in moves(scene)))
    before = person.scene
    person.do(first(person, "play"))
    person.settle(before)
    log = person.page.get_by_role("log", name=person.word("log"))
    trick = person.deal.get("trick") or person.deal["last"]
    expect(log).to_contain_text(person.card_name(trick["cards"][-1]["card"]))
    expect(log.locator("p").last).to_have_text(person.word("your_turn"))


def test_the_language_changes_at_once_and_stays(arrive: Arrive) -> None:
    person = arrive("en")
    person.open()
    person.page.get_by_role("combobox", name=person.word("language"), exact=True).select_option("it")
    person.language = "it"
    person.button(starting(person.word("play_now"))).wait_for()
    person.page.reload()
    person.button(starting(person.word("play_now"))).click()
    person.wait_for_turn()
    assert person.page.evaluate("document.documentElement.lang") == "it"
