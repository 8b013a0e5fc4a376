"""What must be seen at first sight: whole words on the plates, and the ways on from the first page."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.kit import PHONE, SIDEWAYS, SMALL_PHONES, Person, moves, starting
from tests.e2e.test_page import overlap, settled
from tests.e2e.test_recovery import play_on

Arrive = Callable[..., Person]
MARGIN = 2
"""So far from the edge of the screen, in px: letters of another font are a little wider."""
OUTSIDE = """margin => [...document.querySelectorAll('.seat')].flatMap(seat => {
  const plate = seat.getBoundingClientRect();
  return [...seat.querySelectorAll('.role, .seat-facts, .clock')].flatMap(word => {
    const { left, right } = word.getBoundingClientRect();
    const low = Math.max(margin, plate.left), high = Math.min(innerWidth - margin, plate.right);
    return left < low || right > high ? [`${word.textContent}: ${left} to ${right} in ${low} to ${high}`] : [];
  });
})"""
"""The words of a plate that reach beyond it, or too near to the edge of the screen."""


def all_callers(line: WebSocketRoute) -> None:
    """Every chair wears the longest word: whoever calls, it must find room."""
    server = line.connect_to_server()

    def crown(message: str | bytes) -> None:
        scene = json.loads(message)
        for chair in scene.get("chairs", ()) if (scene.get("deal") or {}).get("phase") == "play" else ():
            chair["role"] = "caller"
        line.send(json.dumps(scene))

    server.on_message(crown)


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_words_of_a_plate_stay_within_it(arrive: Arrive, language: str) -> None:
    person = arrive(language)
    person.page.route_web_socket("**/ws/*", all_callers)
    person.play_now()
    play_on(person, lambda scene: any(move.do == "play" for move in moves(scene)))
    expect(person.page.locator(".seat .role-caller")).to_have_count(4)
    for width, height in (PHONE, *SMALL_PHONES, *SIDEWAYS):
        person.page.set_viewport_size({"width": width, "height": height})
        settled(person)
        assert person.page.evaluate(OUTSIDE, MARGIN) == [], (width, height)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("size", [PHONE, *SIDEWAYS])
def test_the_ways_on_are_in_the_first_screen(arrive: Arrive, language: str, size: tuple[int, int]) -> None:
    person = arrive(language, size)
    person.open()
    ways = [person.button(starting(person.word(name))) for name in ("play_now", "with_friends")]
    for way in (*ways, person.page.get_by_role("link", name=person.word("learn"), exact=True)):
        expect(way).to_be_in_viewport(ratio=1)
    boxes = [person.page.locator(place).bounding_box() for place in (".hero h1", ".hero p", ".start-box")]
    title, line, start = ([box["x"], box["y"], box["width"], box["height"]] for box in boxes if box)
    assert not overlap(title, start)
    assert not overlap(line, start)
