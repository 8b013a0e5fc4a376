"""The score-keeper: a game with real cards written down, corrected, kept and taken away, with and without a network."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, expect

from chiamata.rules.catalogue import load
from chiamata.rules.scoring import Side, score
from tests.e2e.kit import Person
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]
NAMES = ("Anna", "Bruno", "Carla", "Davide", "Elena", "Fabio")


def begin(person: Person, rules: str, people: int = 5) -> None:
    """Start a game."""
    person.page.get_by_role("combobox", name=person.word("score.rules"), exact=True).select_option(rules)
    for _ in range(people - 5):
        person.press(person.word("score.one_more"))
    for number, name in enumerate(NAMES[:people], 1):
        person.page.get_by_role("textbox", name=person.word("score.person", n=number)).fill(name)
    person.press(person.word("score.begin"))
    person.page.get_by_role("heading", name=person.word("deal_n", n=1)).wait_for()


def choose(person: Person, group: str, name: str) -> None:
    """Tap one of the buttons of a question."""
    person.page.get_by_role("group", name=person.word(f"score.{group}")).get_by_text(name, exact=True).first.click()


def deal(person: Person, caller: str, partner: str, target: str, ended: str) -> None:
    """Write a deal down."""
    choose(person, "who_called", caller)
    choose(person, "who_partner", partner)
    if target:
        choose(person, "for_how_many", target)
    choose(person, "how_ended", person.word(f"score.{ended}"))


def sums(person: Person) -> Locator:
    """What everybody has, as it stands above the deals."""
    return person.page.get_by_role("list", name=person.word("scores")).locator("b")


def preview(person: Person) -> Locator:
    """The line that says what it pays."""
    return person.page.locator(".preview")


def test_a_game_is_written_down(arrive: Arrive, tmp_path: Path) -> None:
    anna = arrive("it")
    anna.open()
    anna.page.get_by_role("link", name=anna.word("app.score_keeper")).click()
    anna.page.get_by_role("combobox", name=anna.word("score.rules"), exact=True).wait_for()
    faults = axe_faults(anna, "list")
    begin(anna, "brisk")
    deal(anna, "Anna", "Bruno", "71", "made")
    expect(preview(anna)).to_have_text(
        f"{anna.word('score.pays')}: Anna +4, Bruno +2, {anna.word('score.the_others')} −2"
    )
    faults += axe_faults(anna, "entry") + layout_faults(anna, "entry")
    anna.press(anna.word("score.write_down"))
    anna.press(anna.word("score.all_pass"))
    expect(anna.page.get_by_text(anna.word("score.worth", n=2), exact=True)).to_be_visible()
    deal(anna, "Carla", anna.word("score.alone"), "61", "failed")
    anna.press(anna.word("score.write_down"))
    expect(sums(anna)).to_have_text(["6", "4", "−10", "0", "0"])
    faults += axe_faults(anna, "game") + layout_faults(anna, "game")
    anna.press(anna.word("score.change_deal", n=3))
    expect(anna.page.get_by_role("heading", name=anna.word("score.change_deal", n=3))).to_be_focused()
    choose(anna, "who_partner", "Davide")
    faults += axe_faults(anna, "changing a deal")
    anna.press(anna.word("score.change"))
    expect(sums(anna)).to_have_text(["6", "4", "−6", "−4", "0"])
    anna.press(anna.word("score.undo"))
    expect(sums(anna)).to_have_text(["6", "4", "−10", "0", "0"])
    anna.press(anna.word("score.change_deal", n=2))
    anna.press(anna.word("score.remove"))
    expect(sums(anna)).to_have_text(["5", "3", "−6", "−1", "−1"])
    anna.page.reload()
    expect(sums(anna)).to_have_text(["5", "3", "−6", "−1", "−1"])
    roles = anna.page.get_by_role("region", name=anna.word("score.roles")).get_by_role("row", name="Carla")
    expect(roles).to_contain_text(anna.word("score.made_of", made=0, n=1))
    with anna.page.expect_download() as table:
        anna.press(anna.word("score.spreadsheet"))
    table.value.save_as(tmp_path / "game.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "game.csv").read_text(encoding="utf-8"))))
    assert rows[-1][-5:] == ["5", "3", "-6", "-1", "-1"]
    with anna.page.expect_download() as data:
        anna.press("JSON")
    data.value.save_as(tmp_path / "game.json")
    assert json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))["scores"] == [5, 3, -6, -1, -1]
    assert not faults


def test_points_are_counted_where_each_one_pays(arrive: Arrive) -> None:
    anna = arrive()
    anna.open("/score")
    begin(anna, "gingo", people=6)
    expect(anna.page.get_by_text(anna.word("score.sits_out", names="Fabio"))).to_be_visible()
    choose(anna, "who_called", "Bruno")
    expect(anna.page.get_by_text(anna.word("score.alone"), exact=True)).to_have_count(0)
    choose(anna, "who_partner", "Carla")
    anna.page.get_by_label(anna.word("score.other_contract")).select_option("80")
    anna.page.get_by_label(anna.word("score.other_points")).fill("53")
    expect(anna.page.get_by_label(anna.word("score.caller_points"))).to_have_value("67")
    caller, partner, other = score(load("gingo"), Side(0, 1, 80, 67, 4), 1, 0).payoff[:3]
    told = f"Bruno −{-caller}, Carla −{-partner}, {anna.word('score.the_others')} +{other}"
    expect(preview(anna)).to_have_text(f"{anna.word('score.pays')}: {told}")
    anna.press(anna.word("score.write_down"))
    expect(sums(anna)).to_have_text(["53", "−13", "−13", "53", "53", "0"])
    expect(anna.page.get_by_text(anna.word("score.sits_out", names="Anna"))).to_be_visible()


def test_rules_of_one_s_own_come_by_their_link(arrive: Arrive) -> None:
    anna = arrive()
    anna.open()
    link = anna.page.evaluate(
        "location.origin + '/?rules=' + btoa(JSON.stringify(['quick', {'scoring.win.caller': 9}]))"
        ".replace(/[+]/g,'-').replace(/=/g,'')"
    )
    anna.open("/score")
    anna.page.get_by_role("combobox", name=anna.word("score.rules"), exact=True).select_option("own")
    anna.page.get_by_label(anna.word("score.own_code")).fill("nonsense")
    anna.press(anna.word("score.begin"))
    expect(anna.page.get_by_role("alert")).to_have_text(anna.word("score.own_code_bad"))
    anna.page.get_by_label(anna.word("score.own_code")).fill(link)
    begin(anna, "own")
    deal(anna, "Anna", "Bruno", "65", "made")
    anna.press(anna.word("score.write_down"))
    expect(sums(anna)).to_have_text(["9", "1", "−1", "−1", "−1"])
    anna.page.reload()
    expect(sums(anna)).to_have_text(["9", "1", "−1", "−1", "−1"])
