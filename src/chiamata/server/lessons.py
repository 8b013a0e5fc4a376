"""Lessons: deals written down with what the learner is asked, made into Scenes by the engine that runs the tables.

One TOML file each in ``chiamata/lessons``, in the order of their names (``01-values.toml``):

    rules = "classic"              # a named rule set
    dealer = "E"
    hands = ["A  AS 3S …", …]      # five, as in docs/text-form.md; the learner is A, in chair 0
    before = "A:K B:pass …"        # moves made before the learner comes

    [[steps]]
    play = "B:3H C:2D"             # moves made first, one Scene each
    say = "take"                   # the words, in locales below lessons.ID
    ask = "A:AH"                   # what the learner is to do, if anything
    right = { "A:3S" = "too" }     # the words for other moves that are as right; it goes on with the one asked
    wrong = { "A:2H" = "low", "*" = "other" }    # the words for other legal moves

A lesson that does not play under its rule set, or leaves a legal move without an answer, is Malformed.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.moves import Move, from_text, to_text
from chiamata.server import paper, picture, replay, scene, table, wire

FOLDER = Path(__file__).parent.parent / "lessons"
LEARNER = 0
"""The learner's chair and seat."""
CODE = "LEARN"
OTHERS = "*"


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step as it is written."""

    say: str
    play: str = ""
    ask: str = ""
    right: dict[str, str] = {}
    wrong: dict[str, str] = {}


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson as it is written."""

    rules: str
    dealer: str
    hands: list[str]
    steps: list[Step]
    before: str = ""

    @property
    def moves(self) -> list[str]:
        """What is played up to the first step, up to the second, …"""
        asked = ["", *(step.ask for step in self.steps)]
        return [f"{asks} {step.play}" for asks, step in zip(asked, self.steps, strict=False)]


@cache
def lessons() -> paper.Lessons:
    """All lessons in order.  Raises Malformed where a file is no lesson."""
    return paper.Lessons([compiled(path.stem.partition("-")[2], read(path)) for path in sorted(FOLDER.glob("*.toml"))])


def read(path: Path) -> Written:
    """The lesson of a file; Malformed, with the field, if it is none."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Written)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise Malformed("NOT_A_LESSON", path.name, str(error), "See the head of server/lessons.py.") from None


def compiled(name: str, written: Written) -> paper.Lesson:
    """The Scenes of a lesson, what is asked in each step and what other moves are told."""
    lines = [f"rules: {written.rules}", f"dealer: {written.dealer}", *written.hands, written.before]
    ends = []
    for moves in written.moves:
        lines.append(moves)
        ends.append(len(_played(name, lines)))
    states, start = _played(name, lines), len(_played(name, lines[: -len(written.steps)])) - 1
    steps = []
    for step, end in zip(written.steps, ends, strict=True):
        seen = states[min(start, end - 1) : end]
        scenes = [_scene(state, bool(step.ask) and state is seen[-1]) for state in seen]
        steps.append(_step(f"{name}.{step.say}", step, states[end - 1], scenes))
        start = end
    return paper.Lesson(name, steps)


def _played(name: str, lines: list[str]) -> list[table.State]:
    try:
        return replay.moments(replay.written("\n".join(lines), CODE, reader="learner"))
    except Illegal as error:
        raise Malformed("NOT_A_LESSON", name, lines[-1], f"A move here is refused: {error.code}.") from None


def _scene(state: table.State, asked: bool) -> wire.Scene:
    """What the learner sees; moves are on offer where one is asked for, and nothing about the table itself."""
    change = msgspec.structs.replace
    seen = picture.Gallery(state, state.at).of_chair(LEARNER)
    deal = seen.deal if asked or seen.deal is None else change(seen.deal, options=scene.NO_OPTIONS)
    return change(seen, table=change(seen.table, may=[]), deal=deal)


def _step(where: str, step: Step, state: table.State, scenes: list[wire.Scene]) -> paper.LessonStep:
    if not step.ask:
        return paper.LessonStep(scenes, step.say)
    view = None if state.game is None else state.game.view(LEARNER)
    rules, legal = state.rules, () if view is None else view.legal()

    def move_of(text: str) -> Move:
        move = from_text(text, rules.ranks, rules.auction.kind == "points")
        if move not in legal:
            said = " ".join(to_text(one, rules.ranks) for one in legal)
            raise Malformed("NOT_A_LESSON", where, text, f"The learner may do one of: {said}.")
        return move

    answer = move_of(step.ask)
    right = {move_of(text): words for text, words in step.right.items()}
    wrong = {move_of(text): words for text, words in step.wrong.items() if text != OTHERS}
    if both := ({answer} | {*wrong}) & {*right}:
        said = " ".join(to_text(one, rules.ranks) for one in both)
        raise Malformed("NOT_A_LESSON", where, said, "Name each move once: as what is asked, as right or as wrong.")
    if OTHERS not in step.wrong and {*legal} - {answer, *right, *wrong}:
        raise Malformed("NOT_A_LESSON", where, step.wrong, "Say what other moves are told, under *.")
    too, told = ({scene.said(move, rules.ranks): words for move, words in moves.items()} for moves in (right, wrong))
    return paper.LessonStep(scenes, step.say, scene.said(answer, rules.ranks), told | _rest(step), too)


def _rest(step: Step) -> dict[str, str]:
    return {OTHERS: step.wrong[OTHERS]} if OTHERS in step.wrong else {}
