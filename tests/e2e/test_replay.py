"""An ended deal at its own address: stepped through, seen by one player, taken away; closed while it is live."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.house import House
from tests.e2e.kit import Person
from tests.e2e.test_game import choose
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]


def through_a_deal(person: Person) -> str:
    """Play a deal to its end; the code of the table."""
    dice = random.Random(7)
    person.wait_for_turn()
    while person.state == "playing":
        before = person.scene
        person.do(choose(person, dice))
        person.settle(before)
    return str(person.scene["table"]["code"])


def clipboard_after_sharing(person: Person) -> str:
    """The text that goes into a chat."""
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.page.locator(".btn:visible", has_text=person.word("share")).first.click()
    person.page.get_by_text(person.word("copied"), exact=True).first.wait_for()
    return str(person.page.evaluate("navigator.clipboard.readText()"))


def test_a_deal_is_looked_at_again(arrive: Arrive, house: House) -> None:
    anna, friend = arrive("it"), arrive("en")
    anna.play_now()
    code = anna.scene["table"]["code"]
    assert house.ask("GET", f"/api/tables/{code}/deals/1").status == 404
    friend.page.goto(f"{house.url}/r/{code}/1")
    friend.page.get_by_text(friend.word("no_such_deal"), exact=True).wait_for()
    through_a_deal(anna)
    anna.page.get_by_role("link", name=anna.word("watch_deal", n=1)).first.click()
    anna.button(anna.word("step_on")).click()
    slider = anna.page.get_by_role("slider", name=anna.word("step"))
    expect(slider).to_have_value("1")
    anna.button(anna.word("pace", n=1)).click()
    anna.button(anna.word("autoplay")).click()
    anna.page.wait_for_function("() => document.querySelector('input[type=range]').value > 3")
    anna.button(anna.word("pause")).click()
    slider.focus()
    anna.page.keyboard.press("End")
    faults = axe_faults(anna, "replay") + layout_faults(anna, "replay")
    anna.button(anna.word("to_start")).click()
    faults += axe_faults(anna, "first step")
    friend.page.goto(f"{house.url}/r/{code}/1")
    rows = friend.page.get_by_role("list", name=friend.word("open_cards")).get_by_role("listitem")
    rows.first.wait_for()
    expect(rows).to_have_count(5)
    expect(rows.get_by_role("img")).to_have_count(40)
    friend.press(friend.word("menu"))
    menu = friend.page.get_by_role("dialog")
    menu.get_by_label(friend.word("view")).select_option("0")
    menu.get_by_role("button", name=friend.word("close")).click()
    friend.page.locator("[data-card]").nth(7).wait_for()
    expect(friend.page.locator("[data-card]")).to_have_count(8)
    friend.page.goto(f"{house.url}/g/{code}")
    friend.page.get_by_role("link", name=friend.word("watch_deal", n=1)).wait_for()
    faults += axe_faults(friend, "sheet") + layout_faults(friend, "sheet")
    assert clipboard_after_sharing(friend).splitlines()[-1] == f"{house.url}/g/{code}"
    friend.page.goto(f"{house.url}/r/{code}/1")
    friend.press(friend.word("menu"))
    first, *_, last = clipboard_after_sharing(friend).splitlines()
    assert (first, last) == (f"{friend.word('brand_long')} · {friend.word('deal_n', n=1)}", f"{house.url}/r/{code}/1")
    # The browser itself reports the 404 that the question for a running deal got.
    friend.faults[:] = [fault for fault in friend.faults if "404" not in fault]
    assert not faults
