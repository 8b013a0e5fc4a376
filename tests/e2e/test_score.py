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


def hand_in(person: Person, name: str, content: str) -> None:
    """Choose a file to bring a game back from."""
    chooser = person.page.get_by_label(person.word("score.bring_choose"))
    chooser.set_input_files({"name": name, "mimeType": "application/json", "buffer": content.encode()})


def taken_away(person: Person, folder: Path) -> str:
    """The open game as JSON."""
    with person.page.expect_download() as data:
        person.press("JSON")
    data.value.save_as(folder / "game.json")
    return (folder / "game.json").read_text(encoding="utf-8")


def kept_games(person: Person) -> Locator:
    """The list of games, on the page that has it."""
    person.open("/score")
    expect(person.page.get_by_role("heading", name=person.word("score.bring_back"))).to_be_visible()
    return person.page.locator(".score-games li")


def test_a_game_comes_back_from_its_file_and_nothing_goes_without_a_question(arrive: Arrive, tmp_path: Path) -> None:
    anna, bruno = arrive("it"), arrive("en")
    anna.open("/score")
    begin(anna, "brisk", people=6)
    deal(anna, "Anna", "Bruno", "71", "made")
    anna.press(anna.word("score.write_down"))
    expect(sums(anna)).to_have_text(["4", "2", "−2", "−2", "−2", "0"])
    content = taken_away(anna, tmp_path)
    expect(kept_games(bruno)).to_have_count(0)
    hand_in(bruno, "game.json", content)
    expect(sums(bruno)).to_have_text(["4", "2", "−2", "−2", "−2", "0"])
    bruno.press(bruno.word("score.all_pass"))
    expect(bruno.page.get_by_role("heading", name=bruno.word("deal_n", n=3))).to_be_focused()
    kept_games(bruno)
    hand_in(bruno, "game.json", content)
    question = bruno.page.get_by_role("dialog", name=bruno.word("score.bring_here"))
    expect(question).to_contain_text(bruno.word("deals", n=2))
    faults = axe_faults(bruno, "question") + layout_faults(bruno, "question")
    bruno.press(bruno.word("score.bring_leave"))
    expect(question).to_have_count(0)
    expect(kept_games(bruno)).to_have_count(1)
    hand_in(bruno, "game.json", content)
    bruno.press(bruno.word("score.bring_beside"))
    expect(bruno.page.get_by_role("heading", name=bruno.word("deal_n", n=2))).to_be_visible()
    expect(kept_games(bruno)).to_have_count(2)
    hand_in(bruno, "game.json", content)
    bruno.press(bruno.word("score.bring_over"))
    expect(bruno.page.get_by_role("heading", name=bruno.word("deal_n", n=2))).to_be_visible()
    expect(kept_games(bruno)).to_have_count(2)
    hand_in(bruno, "game.json", content)
    expect(bruno.page.get_by_role("status").get_by_text(bruno.word("score.bring_known"))).to_be_visible()
    assert not faults


def test_what_is_wrong_in_a_file_is_said_by_field(arrive: Arrive, tmp_path: Path) -> None:
    anna = arrive("it")
    anna.open("/score")
    begin(anna, "classic")
    anna.press(anna.word("score.all_pass"))
    whole = json.loads(taken_away(anna, tmp_path))
    whole["deals"][0] |= {"kind": "played", "caller": 7}
    expect(kept_games(anna)).to_have_count(1)
    hand_in(anna, "game.json", json.dumps(whole))
    wrong = anna.page.get_by_role("alert")
    expect(wrong).to_contain_text("deals[0].caller: 7. " + anna.word("score.fix_one_of", list="0, 1, 2, 3, 4"))
    faults = axe_faults(anna, "a wrong file") + layout_faults(anna, "a wrong file")
    hand_in(anna, "cards.txt", "not a game")
    expect(wrong).to_contain_text(anna.word("score.fix_file"))
    hand_in(anna, "large.json", " " * 1_000_001)
    expect(wrong).to_contain_text(anna.word("score.fix_size", n="1000"))
    expect(anna.page.locator(".score-games li")).to_have_count(1)
    assert not faults


def test_who_is_level_at_the_end_is_told_apart_as_the_rules_say(arrive: Arrive) -> None:
    """Anna and Bruno call five times each and make all of it: the last deal decides, or the win is shared."""
    anna = arrive("it")
    one = {"kind": "played", "target": 61, "points": 70, "exact": True, "tricks": ""}
    deals = [one | {"caller": n % 2, "partner": 1 - n % 2} for n in range(10)]
    file = {"chiamata": "score", "version": 1, "names": [*NAMES[:5]], "dealer": 0, "deals": deals}
    over = anna.page.get_by_role("status").filter(has_text=anna.word("score.over", names=""))
    for rules, first, why in (
        ("buio", "Bruno", anna.word("options.session_tiebreaks_countback")),
        ("classic", "Anna, Bruno", ""),
    ):
        anna.open("/score")
        hand_in(anna, "game.json", json.dumps(file | {"rules": rules}))
        expect(over).to_have_text(anna.word("score.over", names=first) + why)
