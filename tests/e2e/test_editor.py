"""Rules of one's own: changed, refused where they do not fit, sent as a link, read before one sits down, played."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from chiamata.rules.ruleset import RuleSet
from tests.e2e.kit import Person, starting
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]


def choose(person: Person, now: str, then: str) -> None:
    """Set the option that now says one sentence to another."""
    page = person.page
    option = page.locator("select", has=page.locator("option:checked", has_text=person.word(f"options.{now}")))
    option.select_option(label=person.word(f"options.{then}"))


def test_rules_of_one_s_own(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("en")
    anna.open()
    anna.button(starting(anna.word("with_friends"))).click()
    anna.button(anna.word("change_rules")).click()
    for section in ("auction", "play", "session"):
        anna.page.locator("summary", has_text=anna.word(f"options.section_{section}")).click()
    choose(anna, "auction_last_bidder_free", "auction_last_bidder_forced")
    expect(anna.page.get_by_role("alert").first).to_be_visible()
    make = anna.button(anna.word("make_table"))
    expect(make).to_be_disabled()
    faults = axe_faults(anna, "editor with a fault") + layout_faults(anna, "editor")
    choose(anna, "auction_all_pass_redeal_same_dealer", "auction_all_pass_impossible")
    choose(anna, "play_first_leader_forehand", "play_first_leader_caller")
    expect(make).to_be_enabled()
    differs = anna.page.get_by_role("region", name=anna.word("differs")).first
    expect(differs).to_contain_text(anna.word("options.play_first_leader_caller"))
    make.click()
    anna.wait(lambda scene: scene["table"]["state"] == "lobby", "the lobby")
    code = anna.scene["table"]["code"]
    bruno.open(f"/t/{code}")
    told = bruno.page.get_by_role("region", name=bruno.word("differs"))
    expect(told).to_contain_text(bruno.word("options.play_first_leader_caller"))
    faults += axe_faults(bruno, "lobby of own rules") + layout_faults(bruno, "lobby of own rules")
    page = bruno.house.ask("GET", f"/api/tables/{code}/rules").json()
    rules = RuleSet.from_mapping(page["rules"])
    assert (rules.id, rules.auction.last_bidder, rules.play.first_leader) == ("custom", "forced", "caller")
    assert rules.fingerprint == bruno.scene["table"]["rules"]["fingerprint"]
    assert not faults


def test_a_link_carries_the_rules(arrive: Arrive) -> None:
    person = arrive("en")
    person.open()
    code = person.page.evaluate(
        "btoa(JSON.stringify(['quick', {'play.first_leader': 'caller'}])).replace(/[+]/g,'-').replace(/=/g,'')"
    )
    person.open(f"/?rules={code}")
    region = person.page.get_by_role("region", name=person.word("differs")).first
    expect(region).to_contain_text(person.word("options.play_first_leader_caller"))
    person.open("/?rules=nonsense")
    person.button(starting(person.word("play_now"))).wait_for()
    expect(person.page.get_by_role("region", name=person.word("differs"))).to_have_count(0)
