"""What comes seldom: every kind of decision, the cut, the next deal, the end of a game, those who rest, turn clocks."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from chiamata.doors.terminal.app import TableApp
from chiamata.doors.terminal.choices import hint
from chiamata.doors.terminal.part import Kept, Part
from chiamata.doors.terminal.speech import Speech
from chiamata.rules import catalogue
from chiamata.rules.fair import Transcript
from chiamata.server import table, wire
from chiamata.server.texts import Texts
from tests.server.driver import rules_with
from tests.terminal.kit import TableLine, app_at, is_asked_again, keys_for, play_deal, press, sitting


def at(line: TableLine, deed: Callable[[TableApp], Awaitable[None]], language: str = "en") -> None:
    """This, at a table whose app hears it."""

    async def sit() -> None:
        app = app_at(line, language)
        async with sitting(app, line):
            await deed(app)

    asyncio.run(sit())


def reached(kind: str, line: TableLine) -> str:
    """What the action line says when such a move is chosen in this deal; "" if it never is."""
    found: list[str] = []

    async def deed(app: TableApp) -> None:
        dice = random.Random(1)
        while line.driver.stage == "playing" and not found:
            await press(app, line, *keys_for(app, dice, True))
            if app.armed is not None and app.armed.kind == kind:
                found.append(app.drawn(80)["action"].plain)
            await press(app, line, "enter", *(["enter"] if is_asked_again(app) else []))

    at(line, deed)
    return found[0] if found else ""


def sets(**options: object) -> list[str]:
    """The rule sets whose mapping has these options: ``sets(play__trump_change="on_reveal")``."""
    found = []
    for name in catalogue.names():
        mapping = catalogue.load(name).to_mapping()
        for key, value in options.items():
            section, _, option = key.partition("__")
            inner = mapping[section]
            if inner is not None and (not option or inner[option] == value):
                found.append(name)
    return found


def test_the_new_trump_is_named() -> None:
    (name,) = sets(play__trump_change="on_reveal")
    line = TableLine(name, seed=2)  # Anna holds the called card
    assert reached("trump", line).startswith("Enter  Trump: ")


@pytest.mark.parametrize(("when", "seed"), [("own_turn", 13), ("before_auction", 15)])
def test_a_hand_is_thrown_in(when: str, seed: int) -> None:
    line = TableLine(rules_with("buio", hand_claim={"when": when}), seed, shy=True)  # hands of nothing

    async def deed(app: TableApp) -> None:
        asked = app.drawn(80)["action"].plain
        assert asked.endswith("P  Pass  ·  M  Throw in" if when == "own_turn" else "P  Keep the cards  ·  M  Throw in")
        await press(app, line, "m")
        assert app.drawn(80)["action"].plain == "Enter  Show the cards and throw in"
        await press(app, line, "enter")
        assert "Thrown in: the cards are dealt again" in app.drawn(80)["panel"].plain
        assert "of " in app.drawn(80)["panel"].plain  # the hand is shown

    at(line, deed)


def test_the_call_comes_after_a_blind_trick() -> None:
    named = sets(call__timing="after_first_trick") + sets(call__timing="suit_after_first_trick_cards")
    assert named
    for name in named:
        assert reached("call", TableLine(name, 1, shy=True)).startswith("Enter  Call: ")


def test_the_pack_is_cut_by_keys_and_the_deal_is_checked() -> None:
    line = TableLine("classic", start=False)
    line.driver.cuts = line.cuts = True
    line.driver.do(line.arrival())

    async def deed(app: TableApp) -> None:
        await press(app, line, "enter")
        assert "Cut the pack" in app.drawn(80)["panel"].plain
        await press(app, line, "up", "up", "down", "enter")
        assert line.driver.deal().number == 1
        await play_deal(app, line, random.Random(1), lambda: None, False)
        while not app.session._part._last:
            await asyncio.sleep(0)
        (told,) = table.transcripts(line.driver.state)
        assert told.cut == 21
        assert "Deal checked." in app.told

    at(line, deed)


def judged(change: Callable[[Transcript, Kept], Transcript]) -> bool:
    """Whether a transcript that was changed so is believed."""
    line = TableLine("classic", start=False)
    line.driver.cuts = line.cuts = True
    line.driver.do(line.arrival())
    findings: list[bool] = []

    async def deed(app: TableApp) -> None:
        await press(app, line, "enter")
        await press(app, line, "enter")
        holds = app.session._part.holds

        def changed(scene: wire.Scene, told: Transcript) -> bool:
            findings.append(holds(scene, change(told, app.session._part._kept[told.deal])))
            return findings[-1]

        app.session._part.holds = changed  # type: ignore[method-assign]
        await play_deal(app, line, random.Random(1), lambda: None, False)
        while not findings:
            await asyncio.sleep(0)

    at(line, deed)
    return findings[0]


@pytest.mark.parametrize("field", ["shares", "commitments", "secret", "hands", "cut", "hash"])
def test_a_transcript_that_was_changed_is_found(field: str) -> None:
    def change(told: Transcript, kept: Kept) -> Transcript:
        old = getattr(told, field)
        if isinstance(old, int):
            new: object = (old + 1) % 40
        elif isinstance(old, str):
            new = "0" * 64
        else:
            new = tuple(old[::-1])
        return msgspec.structs.replace(told, **{field: new})

    assert not judged(change)


def test_a_transcript_as_it_is_holds() -> None:
    assert judged(lambda told, kept: told)


@pytest.mark.parametrize("saw", ["promise", "sealed", "share", "hand"])
def test_a_transcript_of_another_deal_than_we_saw_is_found(saw: str) -> None:
    """It is right in itself, and not what this screen was promised, put in or held."""

    def change(told: Transcript, kept: Kept) -> Transcript:
        setattr(kept, saw, b"other" if saw == "share" else "other")
        return told

    assert not judged(change)


def test_the_house_that_leaves_our_bytes_out_is_noticed() -> None:
    line = TableLine("classic", start=False)
    line.driver.cuts = line.cuts = True
    line.driver.do(line.arrival())
    part = Part(bytes)
    line.driver.must("anna", "start")
    sealing = line.driver.scene("anna")
    do = part.due(sealing)
    assert do is not None
    assert do[0] is wire.DoCommit
    line.driver.must("anna", "commit", **do[1])
    line.driver.must("anna", "cut", cut=7)
    do = part.due(line.driver.scene("anna"))
    assert do is not None
    assert do[0] is wire.DoShare
    line.driver.must("anna", "share", **do[1])
    dealt = line.driver.scene("anna")
    assert part.due(dealt) is None
    assert dealt.fair is not None
    assert not part.is_left_out(dealt)
    forged = msgspec.structs.replace(dealt, fair=msgspec.structs.replace(dealt.fair, shares=["00"] * 5))
    assert part.is_left_out(forged)
    assert not part.is_left_out(forged)  # told once


def test_a_game_to_its_end_and_on() -> None:
    line = TableLine(rules_with("classic", session={"deals": 2, "allowed": None}), seed=4)

    async def deed(app: TableApp) -> None:
        def drawn() -> str:
            return "\n".join(part.plain for part in app.drawn(80).values())

        dice = random.Random(4)
        while line.driver.stage != "over":
            await play_deal(app, line, dice, lambda: None, False)
            if line.driver.stage == "between":
                assert "Enter  Next deal" in drawn()
                await press(app, line, "enter")
        assert "End of the game" in drawn()
        assert "Enter  Rematch" in drawn()
        await press(app, line, "enter")
        scene = app.session.scene
        assert scene is not None
        assert scene.table.game == 2
        await press(app, line, "s")

    at(line, deed)


def test_one_who_rests_is_told_so() -> None:
    line = TableLine(rules_with("classic", session={"sitters": 1}), seed=2)

    async def deed(app: TableApp) -> None:
        while len(line.driver.scene().sheet) < 6:
            await play_deal(app, line, random.Random(1), lambda: None, False)
            await press(app, line, "enter")

    at(line, deed)
    scenes = [msgspec.json.decode(sent, type=wire.Scene) for sent in line.scenes]
    rests = [scene for scene in scenes if not scene.chairs[0].playing and scene.table.state == "playing"]
    assert rests
    assert {hint(scene, Speech(Texts("en"))) for scene in rests} == {"You sit this deal out"}


def test_who_watches_sits_down() -> None:
    line = TableLine("classic", start=False)
    line.driver.must("anna", "stand")

    async def deed(app: TableApp) -> None:
        assert app.drawn(80)["action"].plain == "Take a chair to play.  ·  Enter  Sit down"
        assert "Chair 1 is free" in app.drawn(80)["seats"].plain
        await press(app, line, "enter")
        scene = app.session.scene
        assert scene is not None
        assert scene.table.you == 0
        await press(app, line, "enter")
        assert line.driver.stage == "playing"

    at(line, deed)


def test_turn_clocks_run() -> None:
    line = TableLine("classic", clock=wire.ClockTag(bank=65))

    async def deed(app: TableApp) -> None:
        assert " 1:05 " in app.drawn(80)["seats"].plain
        app.session._since -= 6
        assert " 0:59 " in app.drawn(80)["seats"].plain
        assert max(map(len, app.drawn(40)["seats"].plain.split("\n"))) <= 40

    at(line, deed)
