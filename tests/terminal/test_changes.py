"""What happened between two Scenes is found once, in its order, as the page finds it."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from chiamata.doors.terminal import tell
from chiamata.doors.terminal.changes import Change, changes, named
from chiamata.doors.terminal.speech import Speech
from chiamata.rules import catalogue
from chiamata.server import wire
from chiamata.server.texts import Texts
from tests.server.driver import Driver

NAMES = ["Ada", "Bruno", "Cesira", "Dante", "Elvira", "Fosco"]


def told(driver: Driver, who: str = "anna") -> list[tuple[Change, wire.Scene]]:
    """A deal move by move, and what each step tells to this one."""
    found = []
    before = named(driver.scene(who), NAMES)
    while driver.stage == "playing":
        driver.move()
        after = named(driver.scene(who), NAMES)
        found += [(change, after) for change in changes(before, after)]
        before = after
    return found


def scored(name: str, first: int = 1) -> Driver:
    """A deal of this rule set that is played to the last trick, at its first move; seeds from ``first`` are tried."""
    for seed in range(first, first + 50):
        driver = Driver(name, seed)
        driver.sit_and_start("anna")
        copy = Driver(name, seed)
        copy.sit_and_start("anna")
        copy.play_deal()
        result = copy.deal().result
        if result is not None and result.kind == "scored":
            return driver
    raise AssertionError(name)


COVERING = [
    name
    for name in catalogue.names()
    if (call := catalogue.load(name).to_mapping()["call"])["cover_called_rank"]
    and call["timing"] == "suit_after_first_trick_cards"
]
"""Where a card lies face down at first: it is told once, by its rank."""


@pytest.mark.parametrize("name", ["classic", "quick", "trattoria", "bastarda"])
def test_each_card_word_and_trick_once(name: str) -> None:
    driver = scored(name)
    found = told(driver)
    count = Counter(change.what for change, _ in found)
    deal = driver.deal("anna")
    assert count["played"] == 40
    assert count["taken"] == 8
    assert (count["called"], count["revealed"], count["ended"]) == (1, 1, 1)
    assert count["said"] == len(deal.auction)
    assert count["won"] <= 1
    cards = {change.word for change, _ in found if change.what == "played"}
    assert len(cards) == 40
    assert [change.what for change, _ in found][-1] == "ended"


@pytest.mark.parametrize("name", COVERING)
def test_a_covered_card_is_told_once(name: str) -> None:
    covered = []
    for first in range(1, 1000, 50):
        found = [change.word for change, _ in told(scored(name, first)) if change.what == "played"]
        assert len(found) == 40
        covered += [card for card in found if card.endswith("?")]
        if covered:
            return
    raise AssertionError("no card was covered in twenty deals")


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_change_is_a_sentence(language: str) -> None:
    speech = Speech(Texts(language))
    for name in catalogue.names()[:8]:
        for change, scene in told(scored(name)):
            sentence = speech.sentence(change, scene)
            assert sentence[0].isupper()
            assert "{" not in sentence


def test_what_a_grown_up_line_reads_like() -> None:
    speech = Speech(Texts("it"))
    lines = [speech.sentence(change, scene) for change, scene in told(scored("classic"))]
    mine = [line for line in lines if line.startswith("Tu")]
    assert mine
    assert [line for line in mine if not line.startswith("Tu: ")] == []  # nobody says "tu vince l'asta"
    assert not any(" Tu:" in line or " Tu " in line for line in lines)


def test_people_who_leave_and_speak_are_told() -> None:
    driver = Driver("classic")
    driver.sit_and_start("anna")
    before = driver.scene("anna")
    chairs = list(before.chairs)
    chairs[2] = msgspec.structs.replace(chairs[2], stand_in=True)
    said = [wire.PhraseScene(before.v + 1, 2, "bravo")]
    after = msgspec.structs.replace(
        before, v=before.v + 1, chairs=chairs, table=msgspec.structs.replace(before.table, said=said)
    )
    assert changes(before, after) == [Change("away", 2), Change("spoke", 2, "bravo")]
    assert changes(after, before) == [Change("back", 2)]
    assert changes(after, after) == []


def test_bots_get_names_that_nobody_has() -> None:
    driver = Driver("classic", random.Random(1).randrange(9))
    driver.sit_and_start("ada", "bruno")
    names = [chair.name for chair in named(driver.scene(), NAMES).chairs]
    assert names[:2] == ["Ada", "Bruno"]
    assert len({*names}) == 5


@pytest.mark.parametrize(("language", "word"), [("en", "void"), ("it", "nulla")])
def test_a_deal_that_was_given_up_is_told_and_stands_on_the_sheet(language: str, word: str) -> None:
    driver = Driver("quick")
    driver.sit_and_start("anna")
    before = named(driver.scene("anna"), NAMES)
    after = msgspec.structs.replace(before, table=msgspec.structs.replace(before.table, voided=[3]))
    assert changes(before, after) == [Change("voided", n=3)]
    assert changes(after, after) == []
    speech = Speech(Texts(language))
    line = speech.sentence(Change("voided", n=3), after)
    assert word in line
    assert "3" in line
    assert line in tell.sheet(after, speech)
    assert line not in tell.sheet(before, speech)
