"""Every message over HTTP: guests, tables, rule sets in words, what has ended, one's own notes, lessons."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from chiamata.rules.schema import Option
from chiamata.server.wire import ClockTag, Manners, RulesTag, Scene


class Me(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/me`` and its answer: a guest needs a name and nothing else.  ``DELETE /api/me`` forgets it."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    """At most 20 characters are kept, without controls or marks that turn the direction of writing."""


class MenuEntry(msgspec.Struct, frozen=True):
    """One rule set of ``GET /api/rules``; its name and line are in locales under ``rules.<id>``."""

    id: str
    title: str
    group: Literal["seed", "more"]
    approximate: bool = False
    """Some detail of its source could not be read and was decided."""


class Words(msgspec.Struct, frozen=True):
    """One option of a rule set in words: a sentence of locales (section ``options``) and what goes into its places."""

    option: str
    """Dotted, such as ``auction.kind``."""
    key: str
    args: dict[str, str | int]
    applies: bool
    """False where another option leaves this one without effect."""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables``; ``rules`` is an id of the menu or a whole rule set."""

    rules: str | dict[str, Any]
    clock: ClockTag | None = None
    """None: no turn clock."""
    manners: Manners = Manners()


class Created(msgspec.Struct, frozen=True):
    code: str
    """Five letters; the page of the table is ``/t/CODE``."""


class TableFacts(msgspec.Struct, frozen=True):
    """``GET /api/tables/{code}``: what somebody with the link may know before joining."""

    code: str
    state: Literal["lobby", "playing", "between", "over", "asleep"]
    rules: RulesTag
    names: list[str]
    """The people who sit there, by chair."""
    free: int
    """Chairs that a person can take: empty ones and bots'."""
    manners: Manners


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong with a request: which field, what it held, what to write instead."""

    code: str
    where: str
    value: str
    fix: str


class Faults(msgspec.Struct, frozen=True):
    """The body of every HTTP answer that is not a success."""

    faults: list[Fault]


class Difference(msgspec.Struct, frozen=True):
    """An option that plays otherwise than in another rule set, in the words of both."""

    option: str
    ours: list[Words]
    theirs: list[Words]


class RulesPage(msgspec.Struct, frozen=True):
    """``GET /api/rules/{id}`` and ``GET /api/tables/{code}/rules``: a rule set, every option of it in words."""

    id: str
    fingerprint: str
    rules: dict[str, Any]
    words: list[Words]
    sources: list[str]
    decisions: list[str]
    """Ids of what was decided where the source is silent; their words are in locales."""
    approximate: bool
    nearest: str
    """The id of the named rule set that differs the least."""
    differs: list[Difference]
    """From the nearest one."""


class Schema(msgspec.Struct, frozen=True):
    """``GET /api/rules/schema``: what may be set, for an editor."""

    options: list[Option]


class Proposal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that somebody would like to play by.

    ``POST /api/rules/check`` answers with a Checked, ``POST /api/rules/payoffs`` with a PayTable.
    """

    rules: dict[str, Any]


class Checked(msgspec.Struct, frozen=True):
    """All that is wrong with proposed rules, or else their page."""

    problems: list[Fault]
    """``code`` has its words in locales under ``config``, ``where`` is the option."""
    page: RulesPage | None
    warnings: list[Fault]
    """What is allowed but worth knowing."""


Mark = Annotated[int, msgspec.Meta(ge=0, le=3)]
"""0 nothing, 1 perhaps the partner, 2 surely the partner, 3 surely not."""
Marks = Annotated[list[Mark], msgspec.Meta(max_length=9)]
"""By chair."""


class TrickNotes(msgspec.Struct, frozen=True):
    """What a person thought of the others when so many tricks were done."""

    tricks: int
    marks: Marks


class Notes(msgspec.Struct, frozen=True):
    """``GET /api/tables/{code}/notes``: one's own notes on the running deal; nobody else gets them before its end."""

    deal: int
    """Of the table, over all games."""
    notes: list[TrickNotes]


class Jot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables/{code}/notes``: what one thinks of the others now; the house adds the trick."""

    deal: Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
    marks: Marks


class ReplayStep(msgspec.Struct, frozen=True):
    """A finished deal after one of its words (the first is the dealing)."""

    scene: Scene
    """What was shown then."""
    hands: list[list[str]]
    """The cards still held, by chair: of all for open cards, else of the viewer alone."""


class ChairNotes(msgspec.Struct, frozen=True):
    chair: int
    notes: list[TrickNotes]


class Replay(msgspec.Struct, frozen=True):
    """``GET /api/tables/{code}/deals/{number}``, of a deal that has ended; ``?chair=2`` for what that chair saw."""

    code: str
    number: int
    """Of the deal at its table, over all games, from 1."""
    chair: int | None
    """None: all cards are open."""
    steps: list[ReplayStep]
    notes: list[ChairNotes]
    """Everybody's notes, now that the deal is over."""


class Games(msgspec.Struct, frozen=True):
    """``GET /api/tables/{code}/games``: every game of a table as everybody sees it now."""

    code: str
    games: list[Scene]
    """With chairs, sheet and winners; without a deal."""
    running: bool
    """A deal runs at the table: a browser keeps no answer that says so."""


class LessonStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment of a lesson at which the learner reads something, and may be asked for a move."""

    scenes: list[Scene]
    """Drawn one after the other; at the last one the words stand."""
    say: str
    """The words, in locales below ``lessons.ID``; names stand there as ``{B}`` to ``{E}``, by chair."""
    answer: str = ""
    """What the learner is to do: ``bid K``, ``pass``, ``call 3H``, ``play 3H``, ``trump S``; "" for going on."""
    wrong: dict[str, str] = {}
    """The words for other legal moves; under ``*`` for those that have none of their own."""
    right: dict[str, str] = {}
    """The words for other moves that are as right; the lesson goes on with ``answer`` all the same."""


class Lesson(msgspec.Struct, frozen=True):
    """A deal with a plan: others' moves are written down; the learner, in chair 0, is asked for each of theirs."""

    id: str
    steps: list[LessonStep]


class Lessons(msgspec.Struct, frozen=True):
    """``GET /api/lessons``: all lessons, ready to be drawn; nothing more is asked of the house while one runs."""

    lessons: list[Lesson]


class AskHint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables/{code}/hint``: what would the adviser do?  Only for a person who sits alone among bots."""

    v: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    """The version of the Scene that is asked about."""


class HintMove(msgspec.Struct, frozen=True):
    move: str
    """``play 3H``, ``bid K``, ``pass``, ``call 3H``, ``trump S``, ``claim``."""
    value: float
    """The payoff to expect from the deal; 0 where it was not worked out."""


class Reason(msgspec.Struct, frozen=True):
    """A sentence: its key in locales under ``hints``, and what goes into its places."""

    key: str
    args: dict[str, str | int | float]
    """``chair`` is a person, ``card`` and ``other`` are cards (or a suit), ``suit`` is a letter."""


class Hint(msgspec.Struct, frozen=True):
    """Its answer, a function of what the asking player may know and of nothing else."""

    turn: int
    """The version that began the decision."""
    moves: list[HintMove]
    """The best ones, best first."""
    reasons: list[Reason]
    """Why the first one, the weightiest reason first."""
    partner: list[int]
    """By chair: how likely, in per cent, it holds or held the called card; empty where that is not asked."""


class Event(msgspec.Struct, frozen=True):
    """Something worth looking at in an example."""

    step: int
    """Of the replay, from 0."""
    key: str
    """Of its sentence, in locales under ``examples``."""
    args: dict[str, str | int]
    """What goes into its places: ``chair`` is a person, ``card`` and ``other`` are cards, ``suit`` is a letter."""


class Example(msgspec.Struct, frozen=True):
    """``GET /api/rules/{id}/example``: a deal under a named rule set that shows what is special there."""

    replay: Replay
    events: list[Event]
    """In the order of the steps."""
