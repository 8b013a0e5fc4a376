"""Who may watch a table, as its maker chose, and free text between its people where it is allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.kit import Person, starting
from tests.e2e.test_page import axe_faults, layout_faults
from tests.e2e.test_replay import through_a_deal

Arrive = Callable[..., Person]


def made(person: Person, watch: str, chat: bool = False) -> str:
    """A table of this kind; its code."""
    person.open()
    person.button(starting(person.word("with_friends"))).click()
    person.choose_rules("classic")
    person.page.locator("summary", has_text=person.word("who_watches")).click()
    person.page.get_by_role("radio", name=starting(person.word(f"watch_{watch}"))).check(force=True)
    if chat:
        person.page.get_by_role("switch", name=starting(person.word("chat_switch"))).press("Space")
    person.button(person.word("make_table")).click()
    person.wait(lambda scene: scene["table"].get("you") is not None, "a chair")
    return str(person.scene["table"]["code"])


def test_watchers_are_counted_and_see_no_hand(arrive: Arrive) -> None:
    anna, walter = arrive("it"), arrive("en")
    code = made(anna, "closed")
    walter.open(f"/t/{code}")
    walter.page.get_by_text(walter.word("watch_closed_line")).wait_for()
    anna.page.get_by_text(anna.word("one_watcher")).wait_for()
    faults = axe_faults(anna, "lobby") + layout_faults(anna, "lobby")
    anna.start()
    anna.wait_for_turn()
    walter.wait(lambda scene: bool(scene.get("deal")), "the deal")
    assert "hand" not in walter.deal
    eyes = anna.button(starting(anna.word("one_watcher")))
    expect(eyes).to_contain_text("1")
    eyes.click()
    dialog = anna.page.get_by_role("dialog", name=anna.word("who_watches"))
    dialog.get_by_role("radio", name=starting(anna.word("watch_off"))).check(force=True)
    walter.wait(lambda scene: "deal" not in scene, "the deal is hidden at once")
    faults += axe_faults(anna, "who may watch") + layout_faults(anna, "who may watch")
    walter.page.get_by_text(walter.word("watch_off_line")).wait_for()
    faults += axe_faults(walter, "outside") + layout_faults(walter, "outside")
    assert not faults


def test_a_deal_later_with_open_cards(arrive: Arrive) -> None:
    anna, walter = arrive("it"), arrive("en")
    code = made(anna, "delayed")
    anna.start()
    walter.open(f"/t/{code}")
    walter.page.get_by_text(walter.word("delayed_first")).wait_for()
    walter.page.get_by_text(walter.word("watch_delayed_line")).wait_for()
    assert all('"deal":' not in frame or '"deal":1' in frame for frame in walter.frames)
    through_a_deal(anna)
    frame = walter.page.frame_locator("iframe")
    rows = frame.get_by_role("list", name=walter.word("open_cards")).get_by_role("listitem")
    rows.first.wait_for()
    expect(rows).to_have_count(5)
    walter.page.get_by_role("heading", name=walter.word("delayed_title", n=1)).wait_for()
    assert not axe_faults(walter, "a deal later")


def test_free_text_is_text_and_goes_to_those_who_wish_to_hear(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("en")
    code = made(anna, "closed", chat=True)
    bruno.join(code)
    bruno.button(bruno.word("say_something")).click()
    field = bruno.page.get_by_role("textbox", name=bruno.word("write_label"))
    field.fill("<b>ciao</b> http://example.org")
    faults = axe_faults(bruno, "chat") + layout_faults(bruno, "chat")
    bruno.button(bruno.word("send")).click()
    expect(field).to_have_value("")
    anna.button(anna.word("say_something")).click()
    written = anna.page.get_by_role("list", name=anna.word("chat_log"))
    expect(written).to_contain_text("<b>ciao</b> http://example.org")
    expect(written.locator("a, b:has-text('ciao')")).to_have_count(0)
    anna.page.get_by_role("switch", name=anna.word("mute", name=bruno.scene["chairs"][1]["name"])).click()
    expect(written).to_have_count(0)
    assert not faults


@pytest.mark.parametrize("language", ["it", "en"])
def test_a_table_without_free_text_has_no_field_for_it(arrive: Arrive, language: str) -> None:
    anna = arrive(language)
    anna.new_table("classic")
    anna.button(anna.word("say_something")).click()
    anna.button(anna.word("phrases.hello")).wait_for()
    expect(anna.page.get_by_role("dialog").get_by_role("textbox")).to_have_count(0)
