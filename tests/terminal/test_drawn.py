"""The drawn table: whole deals by keys under every rule set, in few columns, in ASCII, in both languages."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import msgspec
import pytest

from chiamata.doors.terminal.app import TableApp
from chiamata.doors.terminal.changes import named
from chiamata.doors.terminal.choices import Armed
from chiamata.rules import catalogue
from chiamata.server import wire
from tests.server.driver import rules_with
from tests.terminal.kit import TableLine, app_at, is_asked_again, play_deal, press, settle, sitting

ONE_LINE = ("header", "contract", "keys")
"""Parts that are cut off where they are too long."""


def fits(app: TableApp, width: int = 80, height: int = 24) -> Callable[[], None]:
    """A look at what is drawn: seats and cards stand in the width, all parts and a line of log in the height."""

    def look() -> None:
        rows = 2  # a line of log, and the gap above the panel
        for name, part in app.drawn(width).items():
            lines = part.plain.split("\n")
            if name in ("hand", "seats"):
                assert max(map(len, lines)) <= width, part.plain
            if name != "log":
                rows += 1 if name in ONE_LINE else sum(max(1, -(-len(line) // width)) for line in lines)
        assert rows <= height, app.drawn(width)

    return look


def played(line: TableLine, app: TableApp, look: Callable[[], None], bold: bool = True) -> wire.Scene:
    """A deal played by keys without a terminal; the Scene after it."""

    async def deed() -> None:
        async with sitting(app, line):
            await play_deal(app, line, random.Random(3), look, bold)

    asyncio.run(deed())
    scene = app.session.scene
    assert scene is not None
    assert scene.deal is not None
    assert scene.deal.phase == "done"
    return scene


SEEDS = ("classic", "quick", "trattoria", "family", "fifteen")


@pytest.mark.parametrize("name", catalogue.names())
def test_a_whole_deal_by_keys(name: str) -> None:
    line = TableLine(name, seed=5, shy=True)  # the bots pass where they may: bids, the call and cards are Anna's
    app = app_at(line)
    scene = played(line, app, fits(app))
    assert app.speech.result(scene) in app.told


@pytest.mark.parametrize("name", SEEDS)
def test_a_whole_deal_by_keys_of_one_who_passes(name: str) -> None:
    line = TableLine(name, seed=2)
    app = app_at(line, "it")
    scene = played(line, app, fits(app), bold=False)
    assert app.speech.result(scene) in app.told


def test_forty_columns_hold_it_and_ascii_draws_it() -> None:
    line = TableLine("classic", seed=4)
    app = app_at(line, "it", ascii_only=True)
    drawn: list[str] = []
    look = fits(app, 40)

    def in_ascii() -> None:
        look()
        drawn.extend(part.plain for part in app.drawn(40).values())
        drawn.extend(part.plain for part in app.drawn(80).values())

    played(line, app, in_ascii)
    assert all(text.isascii() for text in drawn)
    assert any("3 " in text for text in drawn)


def test_no_cue_is_by_colour_alone() -> None:
    """Without its styles, what may be played, what is chosen and every suit can still be told apart."""
    line = TableLine("trattoria-follow", seed=1)
    app = app_at(line)
    marks: set[str] = set()

    def look() -> None:
        hand = app.drawn(80)["hand"].plain
        scene = app.session.scene
        assert scene is not None
        assert scene.deal is not None
        for card in scene.deal.hand:
            assert app.speech.suit_name(card[-1])[:3] in hand
        if app.armed and app.armed.kind == "play":
            assert "▸" in hand
        marks.update(sign for sign in hand if sign in "·▸●")
        barred = bool(app.session.may.plays) and len(app.session.may.plays) < len(scene.deal.hand)
        assert ("·" in hand) == barred

    played(line, app, look)
    assert marks >= {"▸", "·"}


# --- on a terminal --------------------------------------------------------------------------------


def screen_of(app: TableApp) -> str:
    """What stands on the terminal."""
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in app.screen._compositor.render_strips())


@pytest.mark.parametrize("language", ["en", "it"])
def test_keys_on_a_real_screen(language: str) -> None:
    """Through Textual itself: keys are heard, the sheets open and close, Q twice leaves."""

    async def deed() -> None:
        line = TableLine("classic", seed=5, shy=True)
        app = app_at(line, language)
        say = app.speech.t
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(line, app.session)
            await pilot.press("a")
            await pilot.pause()
            assert say("do_bid", bid=app.speech.rank_name("A")) in screen_of(app)
            await pilot.press("enter")
            await settle(line, app.session)
            await pilot.pause()
            assert say("choose_call") in screen_of(app)
            for key, title in (("l", "last_trick"), ("s", "scores"), ("t", "chairs"), ("question_mark", "help")):
                await pilot.press(key)
                await pilot.pause()
                assert say(title) in screen_of(app)
                await pilot.press("escape")
                await pilot.pause()
                assert say("choose_call") in screen_of(app)
            await pilot.press("y", "5")
            await settle(line, app.session)
            await pilot.pause()
            assert app.speech.texts.say("phrases.bravo") in screen_of(app)
            await pilot.press("q", "1")
            await pilot.pause()
            assert app.is_running
            await pilot.press("q")
            await pilot.pause()
            assert app.speech.texts.say("play.leave") in screen_of(app)
            await pilot.press("enter")
        assert not app.is_running

    asyncio.run(deed())


def test_a_card_of_one_s_own_is_asked_for_twice() -> None:
    async def deed() -> None:
        line = TableLine("classic", seed=5, shy=True)
        app = app_at(line)
        async with sitting(app, line):
            scene = app.session.scene
            assert scene is not None
            assert scene.deal is not None
            card = scene.deal.hand[0]
            letter = app.speech.rank_letter(card[:-1]).lower()
            await press(app, line, letter, "enter", str("DHSC".index(card[-1]) + 1), "enter")
            assert is_asked_again(app)
            assert "alone against four" in app.drawn(80)["panel"].plain
            await press(app, line, "escape")
            assert not is_asked_again(app)
            assert line.driver.deal().called == ""
            await press(app, line, str("DHSC".index(card[-1]) + 1), "enter", "enter")
            assert line.driver.deal().called == card

    asyncio.run(deed())


def test_a_lost_line_is_opened_again_and_what_was_sent_is_not_lost() -> None:
    async def deed() -> None:
        line = TableLine("classic", seed=5, shy=True)
        app = app_at(line)
        async with sitting(app, line):
            line.lose(1006)
            await asyncio.sleep(0)
            app.session.act(Armed("pass"))  # nothing is on offer while the line is lost
            await settle(line, app.session)
            assert line.driver.deal().caller is None
            assert app.session.may.bids
            line.lose(1006)
            app.session.send(wire.DoBid, say="A")
            await settle(line, app.session)
            assert line.driver.deal().caller == 0

    asyncio.run(deed())


@pytest.mark.parametrize(("code", "words"), [(4003, "no such table"), (4010, "stopped")])
def test_a_table_that_is_closed_for_good_says_so(code: int, words: str) -> None:
    async def deed() -> None:
        line = TableLine("classic")
        app = app_at(line)
        async with sitting(app, line):
            line.lose(code)
            while app.session.state != "closed":
                await asyncio.sleep(0)
            assert words in app.drawn(80)["action"].plain

    asyncio.run(deed())


def test_nothing_is_drawn_that_is_not_in_the_scene() -> None:
    """What is drawn is a function of the Scene that was sent: read back from its bytes it draws the same."""
    line = TableLine("classic", seed=9)
    app = app_at(line)
    pairs = []

    def look() -> None:
        sent = msgspec.json.decode(line.scenes[-1], type=wire.Scene)
        fresh = app_at(line)
        fresh.session.scene, fresh.session.state = named(sent, app.speech.bot_names), "open"
        fresh.armed, fresh.told = app.armed, app.told
        pairs.append((fresh.drawn(80), app.drawn(80)))

    played(line, app, look)
    assert all(one == other for one, other in pairs)


def test_nine_people_stand_on_one_screen() -> None:
    line = TableLine(rules_with("classic", session={"sitters": 4}), seed=1, shy=True)
    app = app_at(line, "it")
    played(line, app, fits(app))
    assert app.drawn(80)["seats"].plain.count("\n") == 8
