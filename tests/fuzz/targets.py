"""What is searched: each target takes bytes and raises nothing, unless a decoder breaks its promise.

A promise is: Malformed or Illegal, never Bug, never anything else; and what was read says the same when it is
written and read again.
"""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from chiamata.rules import catalogue, fair, game, paytable
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.text import read_text, write_text
from chiamata.rules.view_json import view_of_json, view_to_json
from chiamata.server import deciding, guests, paper, plain, rulebook, table, wire
from chiamata.server import lines as say
from chiamata.study import puzzles
from tests.fuzz import rulesets
from tests.fuzz.mutate import mutated
from tests.golden import record
from tests.server.driver import Driver

BOXED = next(kept for kept in record.index() if kept.name == "boxes")
"""A log that is kept, of a deal that runs."""
PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
READABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What the house's sockets and routes answer as UNREADABLE."""


class Target(msgspec.Struct, frozen=True):
    """One decoder.

    Args:
        feed: reads these bytes; an error that comes out of it is a find.
        seeds: bytes that can be read, to begin with.
        change: makes others of them.
    """

    about: str
    feed: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    change: Callable[[bytes, Random], bytes] = mutated


# --- what people write -----------------------------------------------------------------------------


def _text(data: bytes) -> None:
    """The text form, and a log of JSON lines in its place."""
    with contextlib.suppress(Malformed):
        script = read_text(data.decode(errors="surrogateescape"))
        with contextlib.suppress(Illegal):
            game.replay(script.game, script.words)
            again = read_text(write_text(script.game, script.words))
            assert (again.game.rules.fingerprint, len(again.words)) == (
                script.game.rules.fingerprint,
                len(script.words),
            )


def _text_seeds() -> list[bytes]:
    """The first deal of each playthrough, as text and as JSON lines."""
    seeds = []
    for path in sorted(PLAYTHROUGHS.glob("*.txt")):
        text = path.read_text("utf-8").partition("\n# Deal 2")[0]
        script = read_text(text)
        seeds += [text.encode(), "\n".join(game.to_lines(script.game, script.words)).encode()]
    return seeds


def _rules(mapping: object) -> RuleSet | None:
    with contextlib.suppress(Malformed):
        rules = RuleSet.from_mapping(mapping)
        assert RuleSet.from_mapping(rules.to_mapping()) == rules
        assert read_text(write_text(game.Game.start(rules), ())).game.rules.fingerprint == rules.fingerprint
        return rules
    return None


def _rules_json(data: bytes) -> None:
    with contextlib.suppress(*READABLE):
        _rules(msgspec.json.decode(data))


def _rules_told(data: bytes) -> None:
    """In words and as a pay table, which takes thirty times as long as reading them."""
    with contextlib.suppress(*READABLE):
        rules = _rules(msgspec.json.decode(data))
        if rules is not None:
            msgspec.json.encode((rulebook.page(rules), paytable.table_of(rules), rules.warnings))


def _rules_toml(data: bytes) -> None:
    """A file, as ``chiamata rules check`` reads it."""
    with contextlib.suppress(Malformed, ValueError, RecursionError):
        document = tomllib.loads(data.decode())
        _rules(catalogue.split(document, "own")[0])


def _toml_seeds() -> list[bytes]:
    folder = Path(catalogue.__file__).parent / "rulesets"
    return [path.read_bytes() for path in sorted(folder.glob("*.toml"))]


def _json_seeds() -> list[bytes]:
    """As short as people write them, and whole."""
    whole = [catalogue.load(name).to_mapping() for name in catalogue.names()[::5]]
    return [msgspec.json.encode(one) for one in (*rulesets.differences(), *whole)]


def _view(data: bytes) -> None:
    """A view, to ask for advice or to hand to a bot."""
    with contextlib.suppress(Malformed, Illegal, *READABLE):
        view = view_of_json(msgspec.json.decode(data))
        view.legal()
        if not any(word.get("shown") for word in view_to_json(view)["words"]):
            assert view_of_json(view_to_json(view)) == view


def _view_seeds() -> list[bytes]:
    return [msgspec.json.encode(view_to_json(one.view) | {"rules": one.rules_name}) for one in puzzles.shipped()[::5]]


def _transcript(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        deals = fair.read(data)
        fair.is_chain(deals)
        for deal in deals:
            fair.check(deal)


def _transcript_seeds() -> list[bytes]:
    told = [msgspec.json.encode(one) for one in table.transcripts(table.fold(_log()))]
    return [*told, b'{"deals":[' + b",".join(told) + b"]}"]


def _name(data: bytes) -> None:
    """A name and a line of free text: what is kept of them is kept whole the second time."""
    text = data.decode(errors="surrogateescape").encode(errors="replace").decode()
    for clean in (guests.clean_name, plain.line):
        with contextlib.suppress(Malformed):
            kept = clean(text)
            assert clean(kept) == kept
            assert kept.isprintable()


# --- what comes over the wire, and from the disk ----------------------------------------------------

_FRAME: msgspec.json.Decoder[wire.FromBrowser] = msgspec.json.Decoder(wire.FromBrowser)


def _frame(data: bytes) -> None:
    """A page's frame: whatever can be read is decided, at tables in every phase, for a person there and a stranger."""
    try:
        do = _FRAME.decode(data)
    except READABLE:
        return
    if isinstance(do, wire.Ping):
        return
    for state in _tables():
        for who in ("anna", "eva"):
            asked = msgspec.structs.replace(do, v=state.v) if len(do.id) % 2 else do
            outcome = deciding.handle(state, say.Ask(who, who.title(), asked, "simple", cuts=True), state.at + 10)
            msgspec.json.encode(outcome.answer)
            after = state
            for line in outcome.lines:
                after = table.follow(after, say.decode(line))
            assert after == outcome.state


@cache
def _logs() -> dict[int, list[bytes]]:
    """Logs of one table in every phase, by their lengths."""
    driver, logs = Driver("classic"), dict[int, list[bytes]]()

    def keep() -> None:
        logs[driver.state.v] = list(driver.log)

    keep()
    driver.cuts = True
    driver.sit_and_start("anna", "bruno")
    keep()
    driver.wait(60_000)
    for phase in ("auction", "call", "play", "done"):
        driver.play_to(phase)
        if driver.stage == "playing":
            driver.to_turn_of(0)
        keep()
    return logs


@cache
def _tables() -> tuple[table.State, ...]:
    return tuple(table.fold(log) for log in _logs().values())


@cache
def _log() -> list[bytes]:
    """The log of a table at which a deal has ended."""
    return list(_logs().values())[-1]


def _frame_seeds() -> list[bytes]:
    said: list[dict[str, Any]] = [
        {"do": "ping"},
        *({"do": verb} for verb in ("pass", "claim", "stand", "start", "next", "end", "sit")),
        {"do": "bid", "say": "K"},
        {"do": "bid", "say": "2@65"},
        {"do": "call", "card": "AS"},
        {"do": "play", "card": "3H"},
        {"do": "trump", "suit": "S"},
        {"do": "bot", "chair": 1, "level": "simple"},
        {"do": "say", "phrase": "hello"},
        {"do": "write", "text": "buonasera"},
        {"do": "allow", "manners": {"watch": "closed", "chat": True}},
        {"do": "commit", "hash": "a" * 64},
        {"do": "cut", "cut": 12},
        {"do": "share", "share": "b" * 64},
    ]
    seeds = [msgspec.json.encode(one if one["do"] == "ping" else one | {"v": 4, "id": "id1"}) for one in said]
    for seed in seeds:
        _FRAME.decode(seed)
    return seeds


def _lines(data: bytes) -> None:
    """A table's log as the disk gives it back.  (Its sums are left out: with them next to nothing gets further.)"""
    with contextlib.suppress(Malformed):
        record.read(BOXED.book, data.split(b"\n"))


def _line_seeds() -> list[bytes]:
    boxed = [say.bare(line) for line in record.lines_of(BOXED.name)]
    return [b"\n".join(log) for log in (*_logs().values(), boxed)]


BODIES: tuple[type, ...] = (paper.Me, paper.NewTable, paper.Jot, paper.AskHint, paper.Proposal)


def _body(data: bytes) -> None:
    """The body of a request."""
    for kind in BODIES:
        with contextlib.suppress(*READABLE):
            msgspec.json.decode(data, type=kind)


def _body_seeds() -> list[bytes]:
    table_asked = paper.NewTable("classic", wire.ClockTag(60, 10), wire.Manners())
    bodies = (paper.Me("Anna"), table_asked, paper.Jot(1, [0, 1, 2, 3, 0]), paper.AskHint(3), paper.Proposal({}))
    return [msgspec.json.encode(body) for body in bodies]


TARGETS: dict[str, Target] = {
    "frame": Target("a page's frame, and what a table does about it", _frame, _frame_seeds),
    "body": Target("the body of a request", _body, _body_seeds),
    "name": Target(
        "names and lines of free text", _name, lambda: ["Anna Lucía".encode(), "ciao 👩‍👩‍👧 \u202e".encode()]
    ),
    "log": Target("a table's log", _lines, _line_seeds),
    "text": Target("the text form, and a game as JSON lines", _text, _text_seeds),
    "rules-json": Target("a rule set as JSON", _rules_json, _json_seeds, rulesets.changed_json),
    "rules-toml": Target("a rule set as TOML", _rules_toml, _toml_seeds, rulesets.changed_toml),
    "rules-told": Target("a rule set in words and as a pay table", _rules_told, _json_seeds, rulesets.changed_json),
    "view": Target("a view as JSON", _view, _view_seeds),
    "transcript": Target("how a deal came about", _transcript, _transcript_seeds),
}
