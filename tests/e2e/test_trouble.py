"""Where something is wrong the page says what, and how to go on."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.e2e.house import House
from tests.e2e.kit import LOCALES, Person, starting, texts
from tests.e2e.test_page import axe_faults, layout_faults

Arrive = Callable[..., Person]


def heading(person: Person, key: str) -> None:
    """The page with this heading is there."""
    person.page.get_by_role("heading", name=person.word(key), exact=True).wait_for()


def forget_missing(person: Person) -> None:
    """The browser reports pages and tables that are not there; here that is as it should be."""
    person.faults[:] = [fault for fault in person.faults if "404" not in fault]


NOWHERE = ("/t/ABC", "/nowhere", "/learn/a/b", "/rules/a/b", "/score/A", "/r/ABCDE/0", "/g/", "/e/ABCDE")
SOMEWHERE = ("/", "/learn", "/learn/", "/rules", "/rules/quick", "/rules/quick/example", "/privacy", "/score/x1")


def status(person: Person, path: str) -> int:
    """Go there; the code that the house answered."""
    answer = person.page.goto(person.house.url + path)
    assert answer, path
    return answer.status


def test_the_house_and_the_page_agree_on_what_is_an_address(arrive: Arrive) -> None:
    person = arrive("en")
    nothing = person.page.get_by_role("heading", name=person.word("no_such_page"), exact=True)
    for path in NOWHERE:
        assert status(person, path) == 404, path
        assert person.house.ask("HEAD", path).status == 404
        expect(nothing).to_be_visible()
    for path in SOMEWHERE:
        assert status(person, path) == 200, path
        assert person.house.ask("HEAD", path).status == 200
        expect(person.page.locator("main, .page").first).to_be_visible()
        expect(nothing).to_have_count(0)
    forget_missing(person)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/rules/nonsense", "learn.no_rules"),
        ("/rules/nonsense/example", "learn.no_rules"),
        ("/g/QQQQQ", "no_such_table"),
        ("/g/QQQQQ/", "no_such_table"),
    ],
)
def test_rules_and_games_that_there_are_not(arrive: Arrive, language: str, path: str, key: str) -> None:
    person = arrive(language)
    assert status(person, path) == 404
    assert person.house.ask("HEAD", path).status == 404
    heading(person, key)
    forget_missing(person)
    assert not axe_faults(person, path) + layout_faults(person, path)


def test_the_sheets_of_a_table_are_there_as_long_as_it_is(arrive: Arrive) -> None:
    """The address tells a stranger no more than that of the table itself."""
    anna, walter = arrive("it"), arrive("it")
    code = anna.new_table()
    assert [walter.house.ask(method, f"/g/{code}").status for method in ("GET", "HEAD")] == [200, 200]
    assert status(walter, f"/g/{code.lower()}") == 200
    heading_text = walter.word("sheets_of", code=code)
    expect(walter.page.get_by_role("heading", name=heading_text, exact=True)).to_be_visible()


@pytest.mark.parametrize("language", ["it", "en"])
def test_an_address_that_names_nothing(arrive: Arrive, language: str) -> None:
    person = arrive(language)
    person.open("/t/ABC")
    heading(person, "no_such_page")
    forget_missing(person)
    assert not axe_faults(person, "no page") + layout_faults(person, "no page")
    person.press(person.word("to_lobby"))
    person.button(starting(person.word("play_now"))).wait_for()


def test_a_table_that_is_not_there_asks_for_another_code(arrive: Arrive) -> None:
    anna, bruno = arrive("it"), arrive("it")
    code = anna.new_table()
    bruno.open("/t/QQQQQ")
    heading(bruno, "no_such_table")
    faults = axe_faults(bruno, "no table") + layout_faults(bruno, "no table")
    bruno.page.get_by_role("textbox", name=bruno.word("join_by_code")).fill(code)
    bruno.press(bruno.word("join"))
    bruno.wait(lambda scene: scene["table"]["code"] == code, "the other table")
    forget_missing(bruno)
    assert not faults


def test_a_house_that_is_gone(arrive: Arrive) -> None:
    person = arrive("it")
    person.open()
    person.button(starting(person.word("play_now"))).wait_for()
    person.context.set_offline(True)
    person.button(starting(person.word("play_now"))).click()
    person.page.get_by_role("status").get_by_text(person.word("unreachable")).wait_for()
    person.context.set_offline(False)
    person.page.route("**/api/**", lambda route: route.abort())
    person.page.route_web_socket("**/ws/*", lambda line: line.close())
    person.open("/t/ABCDE")
    person.page.get_by_role("status").get_by_text(person.word("house_gone")).wait_for()
    person.faults.clear()  # requests that failed


def test_a_table_that_has_stopped(arrive: Arrive) -> None:
    person = arrive("en")
    code = person.new_table()
    person.page.route_web_socket("**/ws/*", lambda line: line.close(code=4010))
    person.open(f"/t/{code}")
    heading(person, "table_stopped")


def without_rules(line: WebSocketRoute) -> None:
    """Scenes such as no house sends: drawing them fails."""
    server = line.connect_to_server()

    def spoil(message: str | bytes) -> None:
        scene = json.loads(message)
        scene.get("table", {}).pop("rules", None)
        line.send(json.dumps(scene))

    server.on_message(spoil)


def test_a_fault_of_the_page_leaves_a_way_on(arrive: Arrive) -> None:
    person = arrive("it")
    code = person.new_table()
    person.page.route_web_socket("**/ws/*", without_rules)
    person.page.reload()
    heading(person, "page_broken")
    person.page.unroute_all()
    person.button(person.word("load_again")).wait_for()
    person.faults.clear()  # the fault that was made
    other = Person(person.house, person.context, person.context.new_page(), "it")
    other.open(f"/t/{code}")
    other.wait(lambda scene: scene["table"].get("you") is not None, "the chair is still theirs")


def bilingual(page: Page, where: str, it: str, en: str) -> None:
    """Both languages are read: nobody has said which."""
    for language, words in (("it", it), ("en", en)):
        expect(page.locator(f"{where} p[lang={language}]")).to_contain_text(words)


def test_without_javascript_and_in_a_browser_that_is_too_old(browser: Browser, house: House) -> None:
    with browser.new_context(java_script_enabled=False, locale=LOCALES["it"]) as context:
        page = context.new_page()
        page.goto(house.url)
        bilingual(page, "noscript", "ha bisogno di JavaScript", "needs JavaScript")
    with browser.new_context(locale=LOCALES["it"]) as context:
        page = context.new_page()
        page.route("**/assets/*.js", lambda route: route.fulfill(body="no language", content_type="text/javascript"))
        page.goto(house.url)
        bilingual(page, "#too-old", "è troppo vecchio", "is too old")


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_privacy_page_is_reached_and_true_of_cookies(arrive: Arrive, language: str) -> None:
    person = arrive(language)
    person.open()
    person.page.get_by_role("link", name=person.word("privacy"), exact=True).click()
    heading(person, "privacy_title")
    assert not axe_faults(person, "privacy") + layout_faults(person, "privacy")
    assert person.context.cookies() == [], "whoever only looks around gets none"
    person.play_now()
    (cookie,) = person.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("chiamata", True, "Strict")
    days = (cookie["expires"] - person.page.evaluate("Date.now() / 1000")) / 86_400
    assert 399 < days <= 400
    assert "400" in texts(language)["ui.privacy_cookie_line"]


def test_who_wants_to_be_forgotten_is(arrive: Arrive) -> None:
    person = arrive("it")
    person.open("/privacy")
    heading(person, "privacy_title")
    person.play_now()
    person.open("/privacy")
    person.button(person.word("privacy_forget")).wait_for()
    assert not axe_faults(person, "forgetting")
    person.press(person.word("privacy_forget"))
    person.page.get_by_text(person.word("privacy_forgotten")).wait_for()
    assert person.context.cookies() == []
    assert person.page.evaluate("fetch('/api/me').then((answer) => answer.json())") == {"name": ""}


@pytest.mark.parametrize("language", ["it", "en"])
def test_with_friends_in_two_taps(arrive: Arrive, language: str) -> None:
    """Both buttons are in sight without scrolling; then link, code and square are there."""
    person = arrive(language)
    person.open()
    person.button(starting(person.word("with_friends"))).click()
    make = person.button(person.word("make_table"))
    make.wait_for()
    box = make.bounding_box()
    assert box
    assert box["y"] + box["height"] <= 844, "the second tap needs no scrolling"
    make.click()
    person.page.get_by_role("img", name=person.word("qr")).wait_for()
    code = person.scene["table"]["code"]
    expect(person.page.get_by_role("textbox", name=person.word("link"))).to_have_value(f"{person.house.url}/t/{code}")
    person.page.get_by_text(person.word("code_spelled", code=" ".join(code))).wait_for(state="attached")
