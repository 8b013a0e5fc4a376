"""The page as such: accessible in every state, in both languages, at every size."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.e2e.kit import DESKTOP, PHONE, ROOT, SIDEWAYS, SMALL_PHONES, TABLET, Person, moves, starting, texts
from tests.e2e.test_game import choose
from tests.e2e.test_recovery import first, mid_trick

Arrive = Callable[..., Person]
SIZES = (PHONE, TABLET, DESKTOP, *SMALL_PHONES, *SIDEWAYS)
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
TARGET = 44
"""The least size of what a thumb must hit, in CSS px."""

MEASURE = """() => {
  const box = element => { const r = element.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] };
  const shown = element => element.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const name = element => (element.getAttribute('aria-label') || element.innerText || element.value || '').slice(0, 40);
  const label = element => element.closest('label') || element;
  const targets = [...document.querySelectorAll('button, a[href], input, select, summary, [role=button]')]
    .filter(shown).map(element => [name(element), ...box(label(element))]);
  const cards = [...document.querySelectorAll('[data-card]')].map(card => [card.dataset.card, ...box(card)]);
  const all = selector => [...document.querySelectorAll(selector)].filter(shown).map(box);
  const drawn = [...document.querySelectorAll('.seat, .trick-card, .standing, .points, .panel, h2, p')].filter(shown)
    .map(element => [name(element) || element.className, ...box(element)]);
  return { targets, cards, drawn, rows: all('.centre > .points'),
    bar: all('footer.action'), plates: all('.seat'), panels: all('.centre > .panel'),
    width: document.documentElement.clientWidth, height: innerHeight,
    scroll: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) };
}"""


def overlap(one: list[float], other: list[float]) -> bool:
    """Whether two boxes (x, y, width, height) share more than a rounded edge."""
    return all(min(one[at] + one[at + 2], other[at] + other[at + 2]) - max(one[at], other[at]) > 1 for at in (0, 1))


def layout_faults(person: Person, where: str) -> list[str]:
    """What scrolls sideways, cannot be hit, or is hidden, at every size that a page may have."""
    before = person.page.viewport_size
    faults = []
    for width, height in SIZES:
        person.page.set_viewport_size({"width": width, "height": height})
        held = len(person.deal.get("hand", [])) if person.scene and person.state == "playing" else 0
        faults += [f"{where} at {width}×{height}: {fault}" for fault in faults_at_size(person, held)]
    if before:
        person.page.set_viewport_size(before)
    return faults


def settled(person: Person) -> dict[str, Any]:
    """The boxes of the page once they have stopped moving."""
    found: dict[str, Any] = {}
    for _ in range(40):
        person.page.wait_for_timeout(50)
        before, found = found, person.page.evaluate(MEASURE)
        if found == before:
            return found
    raise AssertionError("the page does not come to rest")


def faults_at_size(person: Person, held: int) -> list[str]:
    """What is wrong with the page as it is drawn now; ``held`` cards must be seen."""
    found = settled(person)
    faults = [] if found["scroll"] <= found["width"] else ["the page scrolls sideways"]
    for name, x, _, width, _ in found["targets"] + found["drawn"]:
        if x < -0.5 or x + width > found["width"] + 0.5:
            faults.append(f"{name!r} reaches beyond the page")
    for name, _, _, width, height in found["targets"]:
        if min(width, height) < TARGET - 0.5:
            faults.append(f"{name!r} is {width:.0f}×{height:.0f}")
    faults += [
        f"a plate lies over the points by {plate[1] + plate[3] - row[1]:.0f} px"
        for plate in found["plates"]
        for row in found["rows"]
        if overlap(plate, row)
    ]
    if len(found["cards"]) < held:
        faults.append(f"{len(found['cards'])} cards are drawn of {held}")
    return faults + hand_faults(found)


def hand_faults(found: dict[str, Any]) -> list[str]:
    """Each card of the hand must be inside the page, a full target of its own, under nothing else."""
    faults = []
    cards = sorted(found["cards"], key=lambda card: float(card[1]))
    for here, after in zip(cards, [*cards[1:], None], strict=False):
        name, x, y, width, height = here
        free = width if after is None or after[2] >= y + height else min(width, after[1] - x)
        if free < TARGET - 0.5:
            faults.append(f"{name} shows only {free:.1f} px")
        if y < 0 or y + height > found["height"] + 0.5:
            faults.append(f"{name} is cut off: {y:.0f} to {y + height:.0f} of {found['height']}")
        if any(overlap(here[1:], other) for other in found["bar"] + found["plates"] + found["panels"]):
            faults.append(f"{name} lies over something else")
    return faults


def axe_faults(person: Person, where: str) -> list[str]:
    """Violations of any rule that axe-core knows, best practices included; contrast in the other colours as well."""
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate(AXE.read_text(encoding="utf-8"))
    now = str(person.page.evaluate("document.documentElement.dataset.theme"))
    faults = axe_run(person, f"{where}, {now}", [])
    paint = "theme => { document.documentElement.dataset.theme = theme }"
    other = "felt" if now == "light" else "light"
    person.page.evaluate(paint, other)
    faults += axe_run(person, f"{where}, {other}", ["color-contrast"])
    person.page.evaluate(paint, now)
    return faults


def axe_run(person: Person, where: str, rules: list[str]) -> list[str]:
    """Violations in the colours that are set, of these rules alone where some are named."""
    options: dict[str, Any] = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = person.page.evaluate("options => axe.run(document, options).then(result => result.violations)", options)
    return [f"{where}: {one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]


@dataclass
class Tour:
    """A walk through every state of the page; what the check finds wrong in each is kept."""

    person: Person
    check: Callable[[Person, str], list[str]]
    seen: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def look(self, where: str) -> None:
        """Check the page as it is now."""
        self.seen.add(where)
        self.faults += self.check(self.person, where)

    def walk(self) -> None:
        """From the first page to the end of a game of five deals."""
        person = self.person
        person.open()
        person.button(starting(person.word("play_now"))).wait_for()
        self.look("first page")
        person.button(starting(person.word("with_friends"))).click()
        person.choose_rules("classic")
        self.look("picker")
        person.new_table("classic", deals=5)
        self.look("lobby")
        person.start()
        person.wait_for_turn()
        self.game()

    def game(self) -> None:
        """Play to the end; look once at each phase."""
        person, rng = self.person, random.Random(17)
        while True:
            phase = person.state if person.state in ("between", "over") else person.deal["phase"]
            if phase == "auction" and "@" in person.may["bids"][0]["say"]:
                phase = "auction in points"
            if phase not in self.seen and (phase != "play" or mid_trick(person.scene)):
                self.look(phase)
                if phase in ("play", "over"):
                    self.drawers(phase)
            if person.state == "over":
                return
            before = person.scene
            move = choose(person, rng) if "call" in self.seen or not moves(before) else first(person, "bid")
            person.do(move)
            person.settle(before)

    def drawers(self, phase: str) -> None:
        """What opens over the table: look at each sheet and close it again."""
        for opener in ("scores", "menu", "last_trick"):
            button = self.person.button(self.person.word(opener))
            if not (button.count() and button.first.is_visible() and button.first.is_enabled()):
                continue
            button.first.click()
            dialog = self.person.page.get_by_role("dialog")
            dialog.wait_for()
            self.look(f"{opener} in {phase}")
            self.person.page.keyboard.press("Escape")
            dialog.wait_for(state="hidden")


EVERYWHERE = {"first page", "picker", "lobby", "auction", "call", "play", "between", "over", "scores in play"}


@pytest.mark.parametrize(("language", "size"), [("en", PHONE), ("it", DESKTOP)])
def test_axe_finds_nothing_anywhere(arrive: Arrive, language: str, size: tuple[int, int]) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there: npm ci in web/")
    tour = Tour(arrive(language, size), axe_faults)
    tour.walk()
    assert not tour.faults, "\n".join(tour.faults)
    assert tour.seen >= EVERYWHERE - ({"scores in play"} if size == DESKTOP else set())


@pytest.mark.parametrize("language", ["it", "en"])
def test_layout_at_every_size_in_every_state(arrive: Arrive, language: str) -> None:
    tour = Tour(arrive(language, PHONE), layout_faults)
    tour.walk()
    assert not tour.faults, "\n".join(tour.faults)
    assert tour.seen >= EVERYWHERE


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_language_follows_the_browser_and_is_complete(arrive: Arrive, language: str) -> None:
    person = arrive(language)
    other = texts("en" if language == "it" else "it")
    assert texts(language).keys() == other.keys()
    person.play_now()
    assert person.page.evaluate("document.documentElement.lang") == language
    html = person.page.content()
    assert not re.search(r">\s*(?:ui|cards|rules|refusals|config|bots|decks)\.\w+|\{\w+\}", html), "a raw key or place"


FACES = """() => [...document.querySelectorAll('.hand img')]
  .map(img => [img.getAttribute('src'), img.complete && img.naturalWidth > 0])"""


def test_the_deck_can_be_changed_and_all_its_faces_come(arrive: Arrive) -> None:
    person = arrive("it")
    person.play_now()
    faults = []
    for deck in ("francese", "grande", "nord", "classica"):
        person.button(person.word("menu")).click()
        choice = person.page.get_by_role("combobox", name=person.word("deck"), exact=True)
        choice.select_option(person.word(f"decks.{deck}"))
        person.page.keyboard.press("Escape")
        person.page.wait_for_function(f"() => ({FACES})().every(([src, there]) => there && src.includes('/{deck}/'))")
        drawn = [str(src).rsplit("/", 1)[1] for src, _ in person.page.evaluate(FACES)]
        assert drawn == [f"{card}.svg" for card in person.deal["hand"]]
        faults += layout_faults(person, deck) if deck == "nord" else []  # the tallest cards
    assert not faults, "\n".join(faults)


def test_french_cards_where_the_rules_have_tens(arrive: Arrive) -> None:
    """A deck without tens is not offered; the names, letters and keys are those of French cards."""
    person = arrive("it")
    person.suits = "french"
    person.new_table("french-ten", bots=True)
    person.button(person.word("start")).click()
    person.wait_for_turn()
    rng = random.Random(2)
    while person.state == "playing":
        assert all("/francese/" in src for src, _ in person.page.evaluate(FACES))
        before, move = person.scene, choose(person, rng)
        (person.do if rng.random() < 0.5 else person.do_by_keys)(move)
        person.settle(before)
    person.page.keyboard.press("s")
    person.page.get_by_role("dialog").wait_for()
