"""What a browser is set to: it is drawn so at once, at every size, and it stays."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.kit import DESKTOP, PHONE, SIDEWAYS, TABLET, Move, Person, moves, starting
from tests.e2e.test_game import choose
from tests.e2e.test_page import axe_faults, layout_faults, settled

Arrive = Callable[..., Person]


def root(person: Person, name: str) -> str:
    """What the page is set to, as its styles see it."""
    return str(person.page.evaluate(f"document.documentElement.dataset.{name}"))


def test_settings_are_drawn_and_kept(arrive: Arrive) -> None:
    person = arrive("it")
    person.open()
    person.button(person.word("settings")).click()
    faults = axe_faults(person, "settings")
    for choice in ("theme_auto", "speed_0"):
        person.page.get_by_text(person.word(choice), exact=True).click()
    for switch in ("large_cards", "left_handed", "sound"):
        person.page.get_by_role("switch", name=person.word(switch)).click()
    faults += axe_faults(person, "settings in light")
    assert root(person, "theme") == "light"  # as the device
    person.button(person.word("close")).click()
    person.play_now()
    faults += layout_faults(person, "large cards, left hand") + axe_faults(person, "large cards")
    tops = person.page.evaluate("[...document.querySelectorAll('[data-card]')].map(c => c.getBoundingClientRect().y)")
    assert len({round(top) for top in tops}) == 2
    person.page.reload()
    person.page.locator("[data-card]").first.wait_for()
    assert [root(person, name) for name in ("cards", "side", "speed")] == ["large", "left", "0"]
    assert not faults


def test_the_easy_preset_sets_all_it_says(arrive: Arrive) -> None:
    person = arrive("it")
    person.open()
    person.button(person.word("settings")).click()
    person.button(starting(person.word("easy"))).click()
    assert [root(person, name) for name in ("cards", "speed")] == ["large", "half"]
    expect(person.page.get_by_role("combobox", name=person.word("deck"))).to_have_value("grande")
    expect(person.page.get_by_role("switch", name=person.word("one_tap"))).not_to_be_checked()
    person.button(person.word("close")).click()
    person.play_now()
    assert not layout_faults(person, "easy preset")


def test_on_a_stream_nothing_tells_whose_the_called_card_is(arrive: Arrive) -> None:
    """The partner's page with the mark hidden is, as it is read and drawn, that of anybody else."""
    person, dice = arrive("en"), random.Random(4)
    person.page.add_init_script("localStorage.setItem('chiamata.key', 'hidden')")
    person.play_now()
    while not person.deal.get("mine"):
        before = person.scene
        offers = moves(before)
        person.do(Move("pass") if Move("pass") in offers else choose(person, dice))
        person.settle(before)
    keys = ".icon-key"
    expect(person.page.locator(keys)).to_have_count(0)
    assert person.word("card_is_mine") not in person.page.content()
    person.page.evaluate("localStorage.setItem('chiamata.key', 'shown')")
    shown = Person(person.house, person.context, person.context.new_page(), "en")
    shown.page.goto(person.page.url)
    shown.page.locator(keys).first.wait_for()


def test_a_pass_promised_is_made_when_the_turn_comes(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("en")
    code = anna.new_table("classic", bots=True)
    bruno.join(code)
    anna.start()

    def to_speak(person: Person) -> bool:
        return Move("pass") in moves(person.scene)

    anna.wait(lambda _: to_speak(anna) or to_speak(bruno), "one of the two to speak")
    speaker, waiter = (anna, bruno) if to_speak(anna) else (bruno, anna)
    waiter.wait(lambda scene: scene.get("v") == speaker.scene["v"], "the same scene")
    promise = waiter.button(waiter.word("promise_pass"))
    promise.click()
    expect(promise).to_have_attribute("aria-pressed", "true")
    assert not axe_faults(waiter, "a promised pass")
    speaker.do(Move("pass"))
    you = waiter.scene["table"]["you"]
    waiter.wait(lambda scene: scene["chairs"][you].get("passed"), "the pass that was promised")


def test_the_help_sheet_and_the_keys_for_notes_and_sounds(arrive: Arrive) -> None:
    person, dice = arrive("it"), random.Random(6)
    keys = person.page.keyboard
    person.play_now()
    person.drawn()
    keys.press("?")
    sheet = person.page.get_by_role("dialog", name=person.word("help"), exact=True)
    for key in ("key_cards", "key_bid", "key_notes", "key_mute", "scores", "last_trick"):
        sheet.get_by_text(person.word(key), exact=True).wait_for()
    faults = axe_faults(person, "help") + layout_faults(person, "help")
    keys.press("Escape")
    keys.press("m")
    person.page.get_by_role("status").get_by_text(person.word("sound_off")).wait_for()
    person.page.evaluate("document.activeElement.blur()")
    while not (person.deal.get("phase") == "play" and person.deal.get("partner") is None and moves(person.scene)):
        before = person.scene
        offers = moves(before)
        person.do(Move("pass") if Move("pass") in offers else choose(person, dice))
        person.settle(before)
    asked = set()
    for _ in range(4):
        keys.press("n")
        asked.add(person.page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert len(asked) >= 3, "one after another"
    with person.page.expect_response(lambda answer: answer.url.endswith("/notes") and answer.request.method == "POST"):
        keys.press("Enter")
    assert not faults, "\n".join(faults)


FIRST_PAINTED = """() => {
  const boxes = () => [...document.querySelectorAll('.hand [data-card]')].map(card => {
    const { x, y, width } = card.getBoundingClientRect();
    return [x, y, width];
  });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.hand [data-card]')) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.painted = boxes(); window.lying = boxes; });
  }).observe(document, { subtree: true, childList: true });
}"""
"""Where the cards of a hand lie in the first picture that shows them."""


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS[0], TABLET, DESKTOP])
def test_cards_lie_from_the_first_picture_on_where_they_stay(arrive: Arrive, size: tuple[int, int]) -> None:
    """A card that moved on after painting would take the tap that was meant for its neighbour."""
    person = arrive("it", size)
    person.play_now()
    person.page.add_init_script(f"({FIRST_PAINTED})()")
    person.page.reload()
    person.page.wait_for_function("() => window.painted")
    settled(person)
    painted, lying = person.page.evaluate("[painted, lying()]")
    assert len(lying) == 8
    assert painted == [pytest.approx(place, abs=1) for place in lying]


def test_a_name_that_is_typed_before_the_house_knows_us_stands(arrive: Arrive) -> None:
    person = arrive("it")
    person.play_now()  # the house knows a guest by this cookie
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    person.page.route("**/api/me", hold)
    with person.page.expect_request("**/api/me"):
        person.open()
    name = person.page.get_by_role("textbox", name=person.word("your_name"))
    name.fill("Ginevra")
    with person.page.expect_response("**/api/me"):
        held[0].continue_()
    person.page.evaluate("() => new Promise(done => setTimeout(done, 100))")
    expect(name).to_have_value("Ginevra")
