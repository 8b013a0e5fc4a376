"""Five browsers at one table: what each page receives and draws until the called card falls."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.kit import Move, Person, Scene, moves

Arrive = Callable[..., Person]
CARD = re.compile(r"(?<![A-Za-z0-9])(10|[A2-7KQJ])([SHDC])(?![A-Za-z0-9])")
FACE = re.compile(r"/decks/\w+/((?:10|[A2-7KQJ])[SHDC])\.svg")


def table_of_five(arrive: Arrive) -> list[Person]:
    """One makes a table, four come by its link; the game has begun."""
    people = [arrive("it" if number % 2 else "en") for number in range(5)]
    code = people[0].new_table("classic")
    for other in people[1:]:
        other.join(code)
    people[0].wait(lambda scene: all(chair.get("kind") == "person" for chair in scene["chairs"]), "five people")
    people[0].start()
    for person in people:
        person.wait(lambda scene: scene.get("deal"), "cards")
    return people


def turn(people: list[Person]) -> Person:
    """Whose turn it is, once all pages know the newest state."""
    newest = max(person.scene["v"] for person in people)
    for person in people:
        person.wait(lambda scene: scene["v"] >= newest, "the newest scene")
    return next(person for person in people if moves(person.scene))


def hand_sizes(scene: Scene) -> int:
    return sum(chair.get("cards", 0) for chair in scene["chairs"])


def public_cards(scenes: list[Scene]) -> set[str]:
    """Cards that lay open on the table so far, and the called one."""
    found = set()
    for scene in scenes:
        deal = scene.get("deal") or {}
        for trick in (deal.get("trick"), deal.get("last")):
            found |= {played["card"] for played in (trick or {}).get("cards", ())}
        found |= {deal["called"]} if deal.get("called") else set()
    return found


def scenes_of(person: Person) -> list[Scene]:
    return [message for message in map(json.loads, person.frames) if message["is"] == "scene"]


def check_frames(person: Person, dealt: set[str]) -> None:
    """No frame before the reveal names a card or a side that this person may not know."""
    for scene in scenes_of(person):
        deal = scene.get("deal")
        if not deal:
            continue
        told = json.dumps({**deal, "options": None, "called": None})
        called = {deal["called"]} if deal.get("called") else set()
        own_choice = {call["card"] for call in (deal.get("options") or {}).get("calls", ())}
        named = {rank + suit for rank, suit in CARD.findall(told)}
        assert named <= dealt | public_cards([scene]), "a card that is not one's own and not on the table"
        everything = {rank + suit for rank, suit in CARD.findall(json.dumps(scene))}
        assert everything <= dealt | public_cards([scene]) | called | own_choice
        assert deal.get("partner") is None
        assert {chair.get("role", "") for chair in scene["chairs"]} <= {"", "caller"}
        assert deal.get("mine", False) == bool(called & dealt)


def check_page(person: Person, dealt: set[str], seen: set[str]) -> None:
    """Nor does the page: no face, no word, no attribute, in the document or in what the browser fetched."""
    html = person.page.content()
    assert set(FACE.findall(html)) <= dealt | seen
    assert person.word("role_partner") not in person.page.locator("body").inner_text().lower().split()
    for role in ("partner", "defender"):
        assert person.page.locator(f".role-{role}, .seat.{role}, .mine.{role}").count() == 0


def test_the_secret_is_kept_on_each_page_until_the_card_falls(arrive: Arrive) -> None:
    people = table_of_five(arrive)
    hands = [set(person.deal["hand"]) for person in people]
    assert len(set().union(*hands)) == 40
    rng = random.Random(11)
    everybody_saw: list[set[str]] = [set() for _ in people]
    while True:
        mover = turn(people)
        deal = mover.deal
        if deal.get("partner") is not None or deal["phase"] == "done":
            break
        for person, dealt, seen in zip(people, hands, everybody_saw, strict=True):
            seen.update(public_cards([person.scene]))
            check_page(person, dealt, seen | {call["card"] for call in person.may.get("calls", ())})
        offers = moves(mover.scene)
        before = mover.scene
        mover.do(pick(mover, offers, rng))
        mover.wait(lambda scene, v=before["v"]: scene["v"] != v, "an answer")  # type: ignore[misc]
        if mover.deal.get("partner") is not None:
            break
        for person, dealt in zip(people, hands, strict=True):
            check_frames(person, dealt)
            person.frames.clear()
    check_reveal(people, hands)


def pick(person: Person, offers: list[Move], rng: random.Random) -> Move:
    """Bid once, pass then; call a card of somebody else's; the rest by chance."""
    if person.deal["phase"] == "auction":
        wanted = "pass" if person.deal.get("standing") else "bid"
        return next((move for move in offers if move.do == wanted), offers[0])
    if person.deal["phase"] == "call":
        own = {call["card"] for call in person.may["calls"] if call.get("own")}
        return next((move for move in offers if move.what not in own), offers[0])
    return rng.choice(offers)


def check_reveal(people: list[Person], hands: list[set[str]]) -> None:
    """Now everybody knows, and knows the same."""
    for person in people:
        person.wait(lambda scene: scene["deal"].get("partner") is not None, "the reveal")
    deal = people[0].deal
    holder = next(chair for chair, hand in enumerate(hands) if deal["called"] in hand)
    assert {person.deal["partner"] for person in people} == {holder}
    for person in people:
        assert person.scene["chairs"][holder]["role"] == ("caller" if holder == deal["caller"] else "partner")
        expect(person.page.locator(".role-caller").first).to_be_visible()
