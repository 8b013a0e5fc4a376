"""A whole deal as a screen reader plays it: found by role and name alone, followed by what the page says aloud.

No key of our own, no selector of styles, no look at what comes over the line: what cannot be heard cannot be played.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.kit import Person, starting

Arrive = Callable[..., Person]


@dataclass
class Listener:
    """Somebody who hears the page: regions, buttons and the log by their names."""

    person: Person
    said: list[str] = field(default_factory=list)
    """What I did, as the log should tell it."""

    def region(self, key: str) -> Locator:
        """A part of the page by its spoken name."""
        return self.person.page.get_by_role("region", name=self.person.word(key), exact=True)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button that can be pressed, by its name."""
        return self.person.page.get_by_role("button", name=name, exact=True, disabled=False)

    @property
    def log(self) -> Locator:
        """What is said aloud as it happens."""
        return self.person.page.get_by_role("log", name=self.person.word("log"), exact=True)

    @property
    def my_turn(self) -> Locator:
        """My own plate, while it says that I am to act."""
        word = self.person.word
        return self.person.page.get_by_role("group", name=starting(f"{word('you')}, {word('has_turn')}"))

    def hear(self, *keys: str) -> str:
        """Wait until one of these regions is there and it is my turn, or the deal is over; which."""
        result = self.region("result")
        expect(self.my_turn.or_(result).first).to_be_visible(timeout=20_000)
        if result.is_visible():
            return "result"
        return next((key for key in keys if self.region(key).is_visible()), "your_hand")

    def name_of(self, control: Locator) -> str:
        """Its spoken name, from what the browser hands to a screen reader."""
        heard = re.search(r'\w+ "(.*)"', control.aria_snapshot().splitlines()[0])
        assert heard, control.aria_snapshot()
        return heard[1]

    def bid(self) -> None:
        """The next bid there is: the first chip that is left, else one step more."""
        chips = self.region("phase_auction").get_by_role("button", disabled=False)
        chips.first.click()
        confirm = self.button(starting(self.person.word("do_bid", bid="")))
        if not confirm.is_visible():  # the first was "less" or "throw in": take the amount in the middle
            amount = re.compile(re.escape(self.person.word("stake", n=9)).replace("9", r"\d+") + "$")
            self.region("phase_auction").get_by_role("button", name=amount).first.click()
        self.confirm("do_bid", "bid")

    def call(self) -> None:
        """A card that I do not hold: by its suit, and by its rank where several of a suit may be called."""
        only, own = self.person.word("call_label", card="\n").split("\n")[0], self.person.word("own_card")
        choices = self.region("phase_call").get_by_role("button", disabled=False)
        names = [self.name_of(choices.nth(at)) for at in range(choices.count())]
        wanted = [at for at, name in enumerate(names) if name.startswith(only) and own not in name]
        choices.nth(wanted[0] if wanted else 0).click()
        if not wanted:
            expect(choices).not_to_have_count(len(names))
            choices.nth(len(names)).click()
        self.confirm("do_call", "card")
        alone = self.button(self.person.word("own_yes"))
        if alone.is_visible():
            alone.click()

    def play(self) -> None:
        """The first card that may be played."""
        card = self.region("your_hand").get_by_role("button", disabled=False).first
        card.click()
        self.confirm("do_play", "card")

    def confirm(self, key: str, place: str) -> None:
        """The second tap; then the log tells what I did."""
        before = self.person.word(key, **{place: ""})
        button = self.button(starting(before))
        what = self.name_of(button).removeprefix(before)
        button.click()
        mine = f"{self.person.word('you')}: {what}." if key != "do_call" else what
        self.said.append(mine)
        expect(self.log).to_contain_text(mine)


@pytest.mark.parametrize("language", ["it", "en"])
def test_a_whole_deal_by_names_alone(arrive: Arrive, language: str) -> None:
    person = arrive(language)
    listener = Listener(person)
    word = person.word
    person.open()
    listener.button(starting(word("play_now"))).click()
    done: list[str] = []
    while (part := listener.hear("phase_auction", "phase_call")) != "result":
        expect(listener.log).to_contain_text(word("your_turn"))
        {"phase_auction": listener.bid, "phase_call": listener.call, "your_hand": listener.play}[part]()
        done.append(part)
    assert done.count("phase_call") == 1, "whoever never passes wins the auction"
    assert done.count("your_hand") == 8
    contract = person.page.get_by_role("group", name=starting(word("calls", name=word("guest"))))
    expect(contract).to_be_visible()
    expect(listener.log).to_contain_text(re.compile(r"\d+"))
    verdict = listener.region("result").get_by_role("heading").first.inner_text()
    expect(listener.log).to_contain_text(verdict)
    listener.button(starting(word("next_deal"))).click()
    expect(listener.log).to_contain_text(word("say_dealt", n=2))
