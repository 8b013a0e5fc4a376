"""The house is killed, pages are loaded anew: the game goes on where it was and nobody loses a move."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from chiamata.doors.cli import main
from chiamata.rules import catalogue
from chiamata.rules.ruleset import RuleSet
from tests.e2e.house import House, house_in
from tests.e2e.kit import Move, Person, Scene, Shape, moves, person

Arrive = Callable[..., Person]


@pytest.fixture
def mortal_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house of one's own to kill."""
    with house_in(tmp_path_factory.mktemp("mortal")) as running:
        yield running


def what_counts(scene: Scene) -> Scene:
    """All of a scene that a restart or a fresh page must not change."""
    table = {key: scene["table"].get(key) for key in ("code", "state", "you", "may", "game", "rules")}
    chairs = [{key: chair.get(key) for key in ("name", "kind", "score", "cards", "points", "said", "turn", "role")}
              for chair in scene["chairs"]]  # fmt: skip
    return {"table": table, "chairs": chairs, "deal": scene.get("deal"), "sheet": scene.get("sheet", [])}


def kill_and_return(house: House, people: list[Person]) -> None:
    """kill -9, then the same house again; each page notices, says so, and comes back by itself."""
    before = [what_counts(one.scene) for one in people]
    lines = [one.sockets for one in people]
    house.kill()
    for one in people:
        one.page.get_by_text(one.word("link_lost"), exact=True).wait_for()
    house.start()
    for one, old, sockets in zip(people, before, lines, strict=True):
        one.page.get_by_text(one.word("link_lost"), exact=True).wait_for(state="detached")
        assert one.sockets > sockets
        one.wait(lambda scene, old=old: what_counts(scene) == old, "the scene as it was")  # type: ignore[misc]


def first(one: Person, do: str) -> Move:
    """The first move on offer of this kind, or any."""
    offers = moves(one.scene)
    return next((move for move in offers if move.do == do), offers[0])


def play_on(one: Person, until: Callable[[Scene], bool], liking: str = "pass") -> None:
    """Make moves until the scene is as wanted."""
    while not until(one.wait_for_turn()):
        before = one.scene
        one.do(first(one, liking) if moves(before) else Move("next"))
        one.settle(before)


def in_auction(scene: Scene) -> bool:
    return bool((scene.get("deal") or {}).get("phase") == "auction" and moves(scene))


def mid_trick(scene: Scene) -> bool:
    """My turn with cards of others on the table."""
    deal = scene.get("deal") or {}
    cards = (deal.get("trick") or {}).get("cards", [])
    return bool(deal.get("phase") == "play" and moves(scene) and 0 < len(cards) < 5 and deal.get("tricks_done", 0) >= 2)


def test_kill_nine_in_the_auction_and_in_a_trick(browser: Browser, mortal_house: House) -> None:
    anna = person(browser, mortal_house, Shape("it"))
    anna.play_now()
    play_on(anna, in_auction)
    kill_and_return(mortal_house, [anna])
    play_on(anna, mid_trick)
    kill_and_return(mortal_house, [anna])
    play_on(anna, lambda scene: len(scene.get("sheet", [])) > 0)
    assert anna.scene["sheet"][0]["payoff"]
    anna.context.close()


def test_kill_nine_with_two_people_and_a_move_on_its_way(browser: Browser, mortal_house: House) -> None:
    """The house hangs, a move is sent, the house dies without having read it: the page sends it again, once."""
    anna, bruno = person(browser, mortal_house), person(browser, mortal_house, Shape("it"))
    code = anna.new_table("classic")
    bruno.join(code)
    anna.wait(lambda scene: sum(chair.get("kind") == "person" for chair in scene["chairs"]) == 2, "two people")
    anna.start()
    for one in (anna, bruno):
        one.wait(lambda scene: scene.get("deal"), "cards")
    mover = who_moves([anna, bruno])
    before, move = mover.scene, first(mover, "bid")
    mortal_house.hang()
    mover.do(move)
    mortal_house.kill()
    for one in (anna, bruno):
        one.page.get_by_text(one.word("link_lost"), exact=True).wait_for()
    mortal_house.start()
    me = before["table"]["you"]
    for one in (anna, bruno):
        one.wait(lambda scene: said(scene, me) > said(before, me), "the bid")
    assert said(mover.scene, me) == said(before, me) + 1
    assert {"chair": me, "say": move.what} in mover.deal["auction"]
    for one in (anna, bruno):
        one.context.close()


def said(scene: Scene, chair: int) -> int:
    """How often this chair has spoken in the auction."""
    return sum(word["chair"] == chair for word in scene["deal"].get("auction", ()))


def who_moves(people: list[Person]) -> Person:
    """The one of these who is to move."""
    people[0].wait(lambda _: any(moves(one.scene) for one in people), "somebody's turn")
    return next(one for one in people if moves(one.scene))


STOPS = ("lobby", "claim", "auction", "blind", "call", "trick", "trump", "between", "over")
"""Where a page is loaded anew: ``blind`` is the trick before the call, ``trump`` comes right after the reveal."""


def all_phases() -> dict[str, Any]:
    """Rules under which one deal may go through every phase: claims, a blind trick, a trump named anew."""
    rules = catalogue.load("bastarda").to_mapping() | {"id": "custom", "hand_claim": {"when": "before_auction"}}
    rules["call"]["timing"] = "suit_after_first_trick_cards"
    rules["session"]["deals"] = 2
    RuleSet.from_mapping(rules)
    return rules


def stop_of(scene: Scene) -> str:
    """Which stop a scene is; '' for none."""
    if scene["table"]["state"] != "playing":
        return str(scene["table"]["state"])
    deal = scene["deal"]
    if deal["phase"] != "play":
        return str(deal["phase"])
    return "blind" if not deal.get("called") else "trick" if mid_trick(scene) else ""


def boldly(one: Person) -> Move:
    """A move that leads through all phases: the lowest bid, the call of a card of one's own, and that card at once."""
    offers = moves(one.scene)
    own = [Move("call", call["card"]) for call in one.may.get("calls", ()) if call.get("own")]
    bids = [move for move in offers if move.do == "bid"]
    called = Move("play", one.deal.get("called") or "")
    if called in offers and one.deal["tricks_done"] < 3:
        return first(one, "play")  # one trick for the stop within a trick
    return (own + bids[-1:] + [called] * (called in offers) + offers + [Move("next")])[0]


def make_table(one: Person, rules: dict[str, Any]) -> str:
    """A table of rules that no menu has, made as this person, who has a chair at it; its code."""
    for path, body in (("/api/me", {"name": "Anna"}), ("/api/tables", {"rules": rules})):
        answer = one.page.request.post(one.house.url + path, data=body, headers={"Origin": one.house.url})
        assert answer.ok, answer.text()
    return str(answer.json()["code"])


def test_a_fresh_page_in_every_phase(arrive: Arrive) -> None:
    """The page loaded anew shows the same scene in the same words, and play goes on from there."""
    anna = arrive("en")
    anna.open(f"/t/{make_table(anna, all_phases())}")
    anna.wait(lambda scene: scene["table"].get("you") is not None, "a chair")
    seen = {"lobby"}
    reload(anna)
    anna.start()
    while True:
        scene = anna.wait_for_turn()
        stop = stop_of(scene)
        if stop and stop not in seen:
            seen.add(stop)
            reload(anna)
        if seen >= set(STOPS):
            break
        before = anna.scene
        anna.do(boldly(anna))
        anna.settle(before)


def reload(one: Person) -> None:
    """Load the page anew and find everything as it was: what the house sends and what the page says."""
    old, sockets = what_counts(one.scene), one.sockets
    page = one.page.get_by_role("main")
    said, before = page.aria_snapshot(), ""
    while said != before:  # the newest scene may be on its way to the screen
        one.page.wait_for_timeout(100)
        said, before = page.aria_snapshot(), said
    one.scene = {}
    one.page.reload()
    one.wait(lambda scene: scene, "a scene")
    assert one.sockets == sockets + 1
    assert what_counts(one.scene) == old
    counting = re.compile(f'"({re.escape(one.word("next_deal"))}) \\d+"')  # the seconds go on meanwhile
    expect(page).to_match_aria_snapshot(counting.sub(r"/\1 \\d+/", said))


def test_whoever_sits_there_is_told_that_a_deal_was_given_up(browser: Browser, mortal_house: House) -> None:
    anna = person(browser, mortal_house, Shape("it"))
    anna.play_now()
    play_on(anna, in_auction)
    code = anna.scene["table"]["code"]
    mortal_house.stop()
    anna.page.get_by_text(anna.word("link_lost"), exact=True).wait_for()
    (mortal_house.folder / "house.db.key").unlink()
    for words in (["newkey"], ["void", code]):
        assert main(["admin", "--db", str(mortal_house.folder / "house.db"), *words]) == 0
    mortal_house.start()
    told = anna.word("fair.voided", n=1)
    expect(anna.page.locator(".notices")).to_contain_text(told)
    anna.wait(lambda scene: scene["table"].get("voided") == [1], "a table that says so")
    anna.page.goto(f"{mortal_house.url}/g/{code}")
    expect(anna.page.locator(".voided")).to_have_text(told)
    anna.page.goto(f"{mortal_house.url}/t/{code}")
    play_on(anna, in_auction)
