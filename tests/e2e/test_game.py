"""A whole game of ten deals through the page: by mouse, and by keyboard alone."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from chiamata.rules import catalogue
from tests.e2e.kit import DESKTOP, PHONE, Move, Person, moves

Arrive = Callable[..., Person]
SEEDS = ("classic", "quick", "trattoria", "family", "fifteen")


def choose(person: Person, rng: random.Random) -> Move:
    """A quick choice: bid now and then, so that every role comes up."""
    offers = moves(person.scene)
    if not offers:
        return Move("next")
    passes = [move for move in offers if move.do == "pass"]
    if passes and rng.random() < 0.6:
        return passes[0]
    return offers[0] if offers[0].do == "bid" else rng.choice(offers)


def play(person: Person, do: Callable[[Move], None], rng: random.Random) -> set[str]:
    """Play until the game is over; the kinds of moves that were made."""
    made = set()
    while person.state != "over":
        before, move = person.scene, choose(person, rng)
        do(move)
        person.settle(before)
        made.add(move.do)
    return made


def check_the_end(person: Person) -> None:
    """Scores that add up, a winner, and the way to a rematch."""
    scored = [row for row in person.scene["sheet"] if row["kind"] in ("scored", "draw")]
    assert len(scored) == 10
    totals = [sum(row["payoff"][chair] for row in person.scene["sheet"]) for chair in range(5)]
    assert totals == [chair.get("score", 0) for chair in person.scene["chairs"]]
    best = max(totals)
    assert person.scene["table"]["winners"] == [chair for chair in range(5) if totals[chair] == best]
    person.page.get_by_role("region", name=person.word("game_over")).wait_for()
    expect(person.button(person.word("rematch"))).to_be_enabled()


def test_a_whole_game_by_mouse(arrive: Arrive) -> None:
    person = arrive("it", DESKTOP)
    person.play_now()
    made = play(person, person.do, random.Random(3))
    assert {"pass", "play", "next"} <= made
    check_the_end(person)
    assert person.sockets == 1, "the line never broke"
    before = person.scene
    person.do(Move("next"))
    person.settle(before)
    assert (person.scene["table"]["game"], person.state) == (2, "playing")
    assert person.scene.get("sheet", []) == []


def test_a_whole_game_by_keyboard_alone(arrive: Arrive) -> None:
    person = arrive("en", PHONE)
    person.open()
    for _ in range(20):
        person.page.keyboard.press("Tab")
        if person.word("play_now") in str(person.page.evaluate("document.activeElement.innerText")):
            break
    person.page.keyboard.press("Enter")
    person.wait_for_turn()

    def by_keys(move: Move) -> None:
        if move.do != "next":
            return person.do_by_keys(move)
        name = person.word("next_deal")
        for _ in range(30):
            if str(person.page.evaluate("document.activeElement.innerText")).startswith(name):
                return person.page.keyboard.press("Enter")
            person.page.keyboard.press("Tab")
        raise AssertionError("the next deal cannot be reached by Tab")

    made = play(person, by_keys, random.Random(5))
    assert {"pass", "play", "next"} <= made
    check_the_end(person)


def test_enter_does_what_a_key_has_armed_wherever_the_focus_is(arrive: Arrive) -> None:
    person = arrive("en", PHONE)
    person.play_now()
    bid = next(move for move in moves(person.scene) if move.do == "bid")
    person.page.locator("[data-pass]").focus()
    before = person.scene
    person.do_by_keys(bid)
    person.settle(before)
    mine = [said for said in person.deal["auction"] if said["chair"] == person.scene["table"]["you"]]
    assert mine[0]["say"] == bid.what


def one_deal(person: Person, rules: str) -> None:
    """Chosen in the picker; played to a result, whatever the auction and the call are like."""
    person.suits = "french" if "10" in catalogue.load(rules).ranks else "latin"
    person.new_table(rules, bots=True)
    person.button(person.word("start")).click()
    person.wait_for_turn()
    rng = random.Random(rules)
    while not any(row["kind"] in ("scored", "draw") for row in person.scene.get("sheet", [])):
        before, move = person.scene, choose(person, rng)
        by_keys = move.do != "next" and rng.random() < 0.3
        (person.do_by_keys if by_keys else person.do)(move)
        person.settle(before)
    region = person.page.get_by_role("region", name=person.word("result"), exact=True)
    expect(region).to_contain_text(str(person.scene["sheet"][-1]["points"]))


@pytest.mark.parametrize("rules", SEEDS)
def test_one_deal_of_each_rule_set_of_the_seeds(arrive: Arrive, rules: str) -> None:
    one_deal(arrive("en" if len(rules) % 2 else "it", PHONE), rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(set(catalogue.names()) - set(SEEDS)))
def test_one_deal_of_every_other_rule_set(arrive: Arrive, rules: str) -> None:
    one_deal(arrive("en" if len(rules) % 2 else "it", PHONE), rules)
