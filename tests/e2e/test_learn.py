"""The lessons, each played to its end: a wrong move first, then the one that was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.house import House
from tests.e2e.kit import Move, Person, moves, starting
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]


def said(person: Person) -> str:
    """The words beside the table."""
    return person.page.locator(".lesson-text").inner_text()


def step_shown(person: Person, step: dict[str, Any], number: int, of: int) -> None:
    """Wait until the words of this step stand."""
    person.page.get_by_text(person.word("learn.step_of", n=number, of=of), exact=True).wait_for()
    person.page.locator(".lesson-text", has_text=re.compile(r"\S")).wait_for()
    person.scene = step["scenes"][-1]


def answer(person: Person, text: str) -> None:
    """Do a move as a lesson writes it."""
    do, _, what = text.partition(" ")
    person.do(Move(do, what))


def wrong_move(step: dict[str, Any], person: Person) -> Move:
    """A move that is not right: in an auction a pass, which is always in reach."""
    right = {step["answer"], *step.get("right", ())}
    legal = [move for move in moves(person.scene) if f"{move.do} {move.what}".strip() not in right]
    return next((move for move in legal if move.do == "pass"), legal[0])


def work_through(person: Person, lesson: dict[str, Any], look: Callable[[str], None]) -> None:
    """One lesson from its first words to its last."""
    steps = lesson["steps"]
    for number, step in enumerate(steps, 1):
        step_shown(person, step, number, len(steps))
        words = said(person)
        assert "{" not in words
        if not step.get("answer"):
            if number < len(steps):
                person.press(person.word("learn.go_on"))
            continue
        person.do(wrong_move(step, person))
        person.page.get_by_text(person.word("learn.not_yet")).wait_for()
        assert said(person) != words
        assert "{" not in said(person)
        look(f"{lesson['id']} {number}")
        answer(person, step["answer"])


def test_all_ten_lessons_are_played_to_the_end(arrive: Arrive, house: House) -> None:
    lessons = house.ask("GET", "/api/lessons").json()["lessons"]
    anna = arrive("it")
    faults: list[str] = []

    def look(where: str) -> None:
        if where == "calling 2":
            faults.extend(axe_faults(anna, where) + layout_faults(anna, where))

    anna.open()
    anna.page.get_by_role("link", name=anna.word("learn"), exact=True).click()
    anna.page.get_by_role("link", name=starting(anna.word("lessons.values.title"))).click()
    for place, lesson in enumerate(lessons):
        work_through(anna, lesson, look)
        if place < len(lessons) - 1:
            anna.press(anna.word("learn.next_lesson", title=anna.word(f"lessons.{lessons[place + 1]['id']}.title")))
    anna.button(anna.word("learn.all_lessons")).last.click()
    done = anna.page.get_by_role("link", name=re.compile(re.escape(anna.word("learn.done"))))
    done.nth(len(lessons) - 1).wait_for()
    anna.scene = {}
    faults += axe_faults(anna, "lessons") + layout_faults(anna, "lessons")
    assert not faults


def test_a_lesson_goes_back_skips_and_begins_again_and_is_played_by_keys(arrive: Arrive, house: House) -> None:
    lessons = house.ask("GET", "/api/lessons").json()["lessons"]
    (tricks,) = [one for one in lessons if one["id"] == "tricks"]
    anna = arrive("en")
    anna.open("/learn/tricks")
    step_shown(anna, tricks["steps"][0], 1, 4)
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    anna.button(anna.word("learn.skip")).click()
    step_shown(anna, tricks["steps"][1], 2, 4)
    anna.button(anna.word("learn.back")).click()
    step_shown(anna, tricks["steps"][0], 1, 4)
    expect(anna.button(anna.word("learn.go_on"))).to_be_focused()
    anna.page.keyboard.press("Enter")  # the button that goes on has the focus
    step_shown(anna, tricks["steps"][1], 2, 4)
    anna.do_by_keys(Move("play", "2S"))
    step_shown(anna, tricks["steps"][2], 3, 4)
    anna.button(anna.word("learn.restart")).click()
    step_shown(anna, tricks["steps"][0], 1, 4)
    assert (asked, anna.sockets) == ([], 0), "a lesson asks nothing of the house"


@pytest.mark.parametrize("language", ["it", "en"])
def test_another_move_that_is_as_right_is_taken_as_such(arrive: Arrive, house: House, language: str) -> None:
    """Alone with all the high trumps, each of them draws the others' as well as the ace does."""
    lessons = house.ask("GET", "/api/lessons").json()["lessons"]
    (alone,) = [one for one in lessons if one["id"] == "alone"]
    steps = alone["steps"]
    anna = arrive(language)
    anna.open("/learn/alone")
    for place in (0, 1):
        step_shown(anna, steps[place], place + 1, len(steps))
        anna.button(anna.word("learn.skip")).click()
    step_shown(anna, steps[2], 3, len(steps))
    anna.do(Move("play", "AH"))
    anna.page.get_by_text(anna.word("learn.not_yet")).wait_for()
    anna.do(Move("play", "7S"))
    anna.page.get_by_text(anna.word("learn.right_too")).wait_for()
    expect(anna.page.locator(".lesson-words.wrong")).to_have_count(0)
    assert "{" not in said(anna)
    expect(anna.page.locator("[data-card].playable")).to_have_count(0)
    faults = axe_faults(anna, "right as well") + layout_faults(anna, "right as well")
    expect(anna.button(anna.word("learn.go_on"))).to_be_focused()
    anna.page.keyboard.press("Enter")
    step_shown(anna, steps[3], 4, len(steps))
    expect(anna.page.get_by_text(anna.word("learn.right_too"))).to_have_count(0)
    assert not faults


SIGHTS = """() => {
  window.sights = {};
  new MutationObserver(() => {
    const first = (name, found, tell) => found && !(name in sights) && (sights[name] = tell(found));
    first('words', document.querySelector('.lesson-text')?.textContent, () => document.activeElement?.className);
    first('cards', document.querySelector('.hand [data-card]'), card =>
      !card.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true })));
    first('sheet', document.querySelector('dialog'), sheet => sheet.open);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""What is so in the very moment in which words, cards and a sheet come: no key may fall between drawing and hearing."""


def test_what_is_drawn_hears_keys_at_once(arrive: Arrive) -> None:
    anna = arrive("en")
    anna.page.add_init_script(f"({SIGHTS})()")
    anna.open("/learn/tricks")
    anna.page.get_by_role("dialog").wait_for()
    assert anna.page.evaluate("sights") == {"words": "btn primary confirm", "cards": True, "sheet": True}


def test_a_lesson_that_there_is_not_leads_to_those_that_there_are(arrive: Arrive) -> None:
    anna = arrive("it")
    anna.open("/learn/cheating")
    anna.page.get_by_text(anna.word("learn.no_lesson"), exact=True).wait_for()
    anna.press(anna.word("learn.all_lessons"))
    anna.page.get_by_role("heading", name=anna.word("learn.title")).wait_for()


def test_the_coach_says_what_to_do_and_why(arrive: Arrive) -> None:
    anna = arrive("it")
    anna.open("/learn")
    coached = anna.page.get_by_role("region", name=anna.word("learn.coached"))
    coached.get_by_role("button", name=anna.word("learn.play_coached")).click()
    anna.wait_for_turn()
    anna.press(anna.word("hint"))
    box = anna.page.get_by_role("complementary", name=anna.word("hints.title"))
    box.get_by_role("listitem").first.wait_for()
    words = box.inner_text()
    assert len(words.splitlines()) >= 2
    assert "{" not in words
    faults = axe_faults(anna, "hint") + layout_faults(anna, "hint")
    box.get_by_role("button", name=anna.word("close")).click()
    box.wait_for(state="detached")
    anna.press(anna.word("menu"))
    anna.page.get_by_role("radio", name=anna.word("coach_always")).check(force=True)
    anna.press(anna.word("close"))
    before = anna.scene
    anna.do(moves(anna.scene)[0])
    anna.settle(before)
    anna.wait_for_turn()
    box.get_by_role("listitem").first.wait_for()
    assert not faults


def test_the_page_of_a_rule_set_has_an_example_that_plays(arrive: Arrive, house: House) -> None:
    events = house.ask("GET", "/api/rules/bastarda/example").json()["events"]
    anna = arrive("en")
    anna.open("/learn")
    anna.page.get_by_role("link", name=anna.word("rules.bastarda.name"), exact=True).click()
    anna.page.get_by_role("heading", name=anna.word("options.section_call")).wait_for()
    faults = axe_faults(anna, "rules") + layout_faults(anna, "rules")
    anna.page.get_by_role("link", name=anna.word("learn.watch_example")).click()
    on = anna.button(anna.word("examples.next"))
    slider = anna.page.get_by_role("slider", name=anna.word("step"))
    for step in sorted({event["step"] for event in events}):
        on.click()
        expect(slider).to_have_value(str(step))
        assert "{" not in said(anna)
    expect(on).to_be_disabled()
    faults += axe_faults(anna, "example") + layout_faults(anna, "example")
    anna.open("/rules/nonsense")
    anna.page.get_by_text(anna.word("learn.no_rules"), exact=True).wait_for()
    anna.faults[:] = [fault for fault in anna.faults if "404" not in fault]
    assert not faults
