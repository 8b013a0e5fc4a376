"""What people say to each other: fixed sentences in the hearer's language, and none that one does not wish to hear."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.kit import Person
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]


def say(person: Person, phrase: str) -> None:
    person.button(person.word("say_something")).click()
    person.button(person.word(f"phrases.{phrase}")).click()


def test_a_sentence_in_the_hearer_s_language(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("en")
    code = anna.new_table("classic")
    bruno.open(f"/t/{code}")
    bruno.page.get_by_role("textbox", name=bruno.word("your_name")).fill("Bruno")
    bruno.page.get_by_role("region", name=bruno.word("sit"), exact=True).get_by_role("button").click()
    bruno.wait(lambda scene: "say" in scene["table"]["may"], "a chair")
    bruno.button(bruno.word("say_something")).click()
    faults = axe_faults(bruno, "phrases") + layout_faults(bruno, "phrases")
    bruno.button(bruno.word("phrases.luck")).click()
    heard = anna.page.get_by_role("log", name=anna.word("log"))
    expect(heard).to_contain_text(anna.word("said_by", name="Bruno", words=anna.word("phrases.luck")))
    anna.button(anna.word("say_something")).click()
    anna.page.get_by_role("switch", name=anna.word("mute", name="Bruno")).click()
    anna.page.keyboard.press("Escape")
    bruno.page.wait_for_timeout(3_100)
    say(bruno, "bravo")
    anna.wait(lambda scene: scene["table"]["said"][-1]["phrase"] == "bravo", "the second sentence")
    anna.page.wait_for_timeout(100)
    assert anna.word("phrases.bravo") not in heard.inner_text()
    assert not faults
