"""Every lesson plays under its rules, asks for what may be done, answers whatever else may be, and shows one hand."""

from __future__ import annotations

import re
import string
from pathlib import Path

import msgspec
import pytest

from chiamata.racer import binding
from chiamata.racer.binding import Core
from chiamata.racer.jobs import Bounds
from chiamata.rules import catalogue
from chiamata.rules.errors import Malformed
from chiamata.server import lessons, paper, replay
from chiamata.server.lessons import Step, Written
from chiamata.server.texts import languages, words
from chiamata.study.deals import position_of

FILES = sorted(lessons.FOLDER.glob("*.toml"))
IDS = [path.stem.partition("-")[2] for path in FILES]
CARD = re.compile(r'"((?:10|[AKQJ2-7])[SHDC])"')
THEMES = ["values", "tricks", "auction", "calling", "partner", "spotting", "alone", "raising", "points", "blind"]


def lesson(name: str) -> paper.Lesson:
    return next(one for one in lessons.lessons().lessons if one.id == name)


def written(name: str) -> Written:
    return lessons.read(FILES[IDS.index(name)])


def offered(step: paper.LessonStep) -> set[str]:
    """The legal moves of the last Scene, as a page would send them."""
    deal = step.scenes[-1].deal
    assert deal is not None
    may = deal.options
    moves = {f"bid {bid.say}" for bid in may.bids} | {f"call {call.card}" for call in may.calls}
    moves |= {f"play {card}" for card in may.plays} | {f"trump {suit}" for suit in may.trumps}
    return moves | ({"pass"} if may.may_pass else set()) | ({"claim"} if may.may_claim else set())


def test_there_are_ten_in_their_order() -> None:
    assert [one.id for one in lessons.lessons().lessons] == IDS == THEMES


@pytest.mark.parametrize("name", IDS)
def test_every_step_asks_for_a_legal_move_and_has_words_for_all_others(name: str) -> None:
    asked = 0
    for step in lesson(name).steps:
        legal = offered(step)
        assert step.scenes
        if step.answer:
            asked += 1
            assert step.answer in legal
            right = {step.answer, *step.right}
            assert right <= legal
            assert legal - right <= {*step.wrong} or "*" in step.wrong
            assert {*step.wrong} - {"*"} <= legal - right
        else:
            assert (legal, step.wrong, step.right) == (set(), {}, {})
        assert all(not scene.deal.options.plays for scene in step.scenes[:-1] if scene.deal)
    assert asked >= 1
    assert not lesson(name).steps[-1].answer, "a lesson ends with words"


@pytest.mark.parametrize("name", IDS)
def test_every_word_is_there_and_every_word_is_used(name: str) -> None:
    used = {"title", "line"}
    for step in lesson(name).steps:
        used |= {step.say, *step.wrong.values(), *step.right.values()}
    for language in languages():
        told = {key.split(".")[2] for key in words(language) if key.startswith(f"lessons.{name}.")}
        assert told == used


def test_the_places_in_the_words_are_names_cards_ranks_and_suits() -> None:
    rules = catalogue.load("classic")
    known = {*"BCDE", *rules.ranks, *(f"letter_{rank}" for rank in rules.ranks), *(f"suit_{suit}" for suit in "SHDC")}
    known |= {rank + suit for rank in rules.ranks for suit in "SHDC"}
    for language in languages():
        for key, text in words(language).items():
            if key.startswith("lessons."):
                assert {place for _, place, _, _ in string.Formatter().parse(text) if place} <= known, key


def worth(told: Written, number: int, move: str) -> Bounds:
    """What the caller's side gets after this move and those of the others up to the next step, all cards open."""
    lines = [f"rules: {told.rules}", f"dealer: {told.dealer}", *told.hands, told.before, *told.moves[: number + 1]]
    lines.append(f"{move} {told.steps[number + 1].play}")
    game = replay.moments(replay.written("\n".join(lines), "LEARN", reader="learner"))[-1].game
    assert game is not None
    assert game.deal is not None
    found = Core().solve(*position_of(game.deal))
    return Bounds(found.low, found.high)


def dearer_moves(told: Written) -> list[str]:
    """Moves that a lesson calls as right as the one it asks for, and are not."""
    return [
        f"{number} {move}"
        for number, step in enumerate(told.steps)
        for move in step.right
        if worth(told, number, move) != worth(told, number, step.ask)
    ]


@pytest.mark.skipif(not binding.available(), reason="the racer is not built")
def test_another_right_move_costs_nothing_with_all_cards_open() -> None:
    assert [move for name in IDS for move in dearer_moves(written(name))] == []
    told = written("alone")
    (ace,) = [step for step in told.steps if step.ask == "A:AS"]
    steps = [msgspec.structs.replace(step, right={"A:AH": "any"}) if step is ace else step for step in told.steps]
    assert dearer_moves(msgspec.structs.replace(told, steps=steps)) == [f"{told.steps.index(ace)} A:AH"]


@pytest.mark.parametrize("name", IDS)
def test_a_lesson_takes_a_minute_or_two(name: str) -> None:
    """Read at 180 words a minute, with 0.7 s a move and 5 s to find each answer: from 25 seconds to 3 minutes."""
    steps = lesson(name).steps
    read = sum(len(words("en")[f"lessons.{name}.{step.say}"].split()) for step in steps) / 3
    moves = sum(len(step.scenes) - 1 for step in steps) * 0.7
    assert 25 <= read + moves + 5 * sum(bool(step.answer) for step in steps) <= 180


# --- what the learner may not see -----------------------------------------------------------------


def exchanged(lines: list[str], one: str, other: str) -> list[str]:
    """The hands with two cards changed for each other."""
    swap = {one: other, other: one}
    return [" ".join(swap.get(word, word) for word in line.split()) for line in lines]


@pytest.mark.parametrize("name", IDS)
def test_no_scene_shows_or_depends_on_a_card_that_the_learner_has_not_seen(name: str) -> None:
    told = written(name)
    moves = " ".join([told.before, *(f"{step.play} {step.ask}" for step in told.steps)])
    fixed = {*re.findall(r"[A-E]:(?:call )?(\w+[SHDC])\b", moves)}
    unseen = [[card for card in line.split()[1:] if card not in fixed] for line in told.hands[1:]]
    plain = msgspec.json.encode(lesson(name))
    shown = {*CARD.findall(msgspec.json.encode([step.scenes for step in without_calls(lesson(name)).steps]).decode())}
    assert shown <= {*told.hands[0].split(), *fixed}
    for left, right in zip(unseen, [*unseen[1:], unseen[0]], strict=True):
        for one, other in zip(left, right, strict=False):
            swapped = msgspec.structs.replace(told, hands=exchanged(told.hands, one, other))
            assert msgspec.json.encode(lessons.compiled(name, swapped)) == plain, f"{name}: {one} for {other}"


def without_calls(found: paper.Lesson) -> paper.Lesson:
    """The cards that could be called name no hand."""
    change = msgspec.structs.replace
    steps = []
    for step in found.steps:
        scenes = []
        for scene in step.scenes:
            assert scene.deal is not None
            deal = change(scene.deal, options=change(scene.deal.options, calls=[]))
            scenes.append(change(scene, deal=deal))
        steps.append(change(step, scenes=scenes))
    return change(found, steps=steps)


# --- what is no lesson ----------------------------------------------------------------------------


def changed(**fields: object) -> Written:
    return msgspec.structs.replace(written("values"), **fields)


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([Step("pack", play="B:2S")], "NOT_YOUR_TURN"),
        ([Step("pack", ask="A:2S", wrong={"*": "x"})], "The learner may do one of"),
        ([Step("pack", ask="A:4H", wrong={"A:2S": "x", "*": "x"})], "The learner may do one of"),
        ([Step("pack", ask="A:4H", wrong={"A:AH": "x"})], "under \\*"),
        ([Step("pack", ask="A:4H", right={"A:2S": "x"}, wrong={"*": "x"})], "The learner may do one of"),
        ([Step("pack", ask="A:4H", right={"A:AH": "x"}, wrong={"A:AH": "x", "*": "x"})], "each move once"),
        ([Step("pack", ask="A:4H", right={"A:4H": "x"}, wrong={"*": "x"})], "each move once"),
    ],
)
def test_what_does_not_play_is_no_lesson(steps: list[Step], why: str) -> None:
    with pytest.raises(Malformed, match=why) as found:
        lessons.compiled("values", changed(steps=steps))
    assert found.value.code == "NOT_A_LESSON"


def test_a_file_with_an_unknown_key_is_no_lesson(tmp_path: Path) -> None:
    file = tmp_path / "11-more.toml"
    file.write_text(FILES[0].read_text(encoding="utf-8").replace("say =", "says =", 1), encoding="utf-8")
    with pytest.raises(Malformed, match="says"):
        lessons.read(file)
    file.write_text("rules =", encoding="utf-8")
    with pytest.raises(Malformed, match="NOT_A_LESSON"):
        lessons.read(file)
