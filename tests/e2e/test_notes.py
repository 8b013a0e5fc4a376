"""Notes on the others: a tap on a portrait, kept through a reload, seen by nobody else until the deal is over."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.kit import Move, Person, moves
from tests.e2e.test_game import choose
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]


def wanted(person: Person) -> bool:
    """It is my turn in play, and nobody knows the partner yet."""
    return person.deal.get("phase") == "play" and person.deal.get("partner") is None and bool(moves(person.scene))


def to_a_secret(person: Person) -> None:
    """Pass and play until there is somebody to wonder about."""
    dice = random.Random(3)
    person.wait_for_turn()
    while not wanted(person) or person.deal.get("mine"):
        before = person.scene
        offers = moves(before)
        passes = Move("pass") in offers
        person.do(Move("pass") if passes else choose(person, dice))
        person.settle(before)


def test_a_note_is_its_owner_s_until_the_end(arrive: Arrive) -> None:
    anna, watcher = arrive("it"), arrive("en")
    anna.play_now()
    to_a_secret(anna)
    code = anna.scene["table"]["code"]
    watcher.open(f"/t/{code}")
    watcher.wait(lambda scene: scene.get("deal"), "the deal")
    about = next(index for index in range(1, 5) if index != anna.deal["caller"])
    name = watcher.page.locator(f"[data-place='seat-{about}'] .seat-name").inner_text()
    heard, version = len(watcher.frames), anna.scene["v"]
    button = anna.button(anna.word("note_on", name=name, mark=anna.word("note_none")))
    faults = axe_faults(anna, "notes") + layout_faults(anna, "notes")
    with anna.page.expect_response(lambda answer: answer.url.endswith("/notes") and answer.request.method == "POST"):
        button.click()
        anna.button(anna.word("note_on", name=name, mark=anna.word("note_maybe"))).click()
    anna.page.reload()
    anna.button(anna.word("note_on", name=name, mark=anna.word("note_sure"))).wait_for()
    assert len([frame for frame in watcher.frames[heard:] if '"pong"' not in frame]) <= 2, "a page that left and came"
    assert anna.scene["v"] <= version + 2
    assert "note" not in "".join(watcher.frames)
    dice = random.Random(5)
    anna.wait_for_turn()
    while anna.state == "playing":
        before = anna.scene
        anna.do(choose(anna, dice))
        anna.settle(before)
    watcher.page.goto(f"{watcher.house.url}/r/{code}/{anna.scene['sheet'][-1]['number']}")
    watcher.button(watcher.word("to_end")).click()
    region = watcher.page.get_by_role("region", name=watcher.word("notes"))
    expect(region).to_contain_text(watcher.word("note_sure"))
    faults += axe_faults(watcher, "notes in the replay")
    assert not faults
