"""A whole game as text that a person can write by hand, and back (docs/text-form.md).

    rules: classic
    dealer: E
    A  AS 3S QS 7S 3H 4S 6S KD
    B  …
    A:K B:pass C:pass D:pass E:pass  A:call 2S
    A:QS B:6C C:7D D:7H E:4C

A file whose first sign is ``{`` is read as a log of JSON lines instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from chiamata.rules.cards import SEAT_NAMES, CardSet, card_name, card_of, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.errors import Malformed
from chiamata.rules.game import Game, read_log
from chiamata.rules.moves import Dealt, End, Word, from_text, to_text
from chiamata.rules.ruleset import RuleSet

PEOPLE = "ABCDEFGHI"
"""People round the table, six to nine of them where some sit out."""
DEFAULT_RULES = "classic"
_HEADER = re.compile(r"\s*([a-z_]{2,}(?:\.[a-z_0-9]+)?)\s*:(.*)")
_TOKEN = re.compile(r"\S+")
_LOG_LINE = re.compile(r"line (\d+)(?:: (.*))?", re.DOTALL)
_BARE = re.compile(r"[A-Za-z][\w-]*")
"""A value that may stand without quotes, unless JSON takes it for something else."""


class Place(msgspec.Struct, frozen=True):
    """Where a word stands in its file, both from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


class Script(msgspec.Struct, frozen=True):
    """A game as it was written: ``game`` is the game before its first word; one place for each word."""

    game: Game
    words: tuple[Word, ...]
    places: tuple[Place, ...]


def read_text(text: str) -> Script:
    """The game that this text tells; legality is not tested.

    Raises:
        Malformed: ``where`` is ``line:column``.
    """
    lines = text.split("\n")
    if text.lstrip().startswith("{"):
        return _read_json(lines)
    bare = [line.partition("#")[0] for line in lines]
    end, game = _read_header(bare)
    found = list(_read_words(bare, end, game.rules))
    return Script(game, tuple(word for _, word in found), tuple(place for place, _ in found))


def _read_json(lines: list[str]) -> Script:
    """A log of JSON lines; blank lines are skipped."""
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    try:
        game, words = read_log(lines[number - 1] for number in numbers)
    except Malformed as error:
        match = _LOG_LINE.fullmatch(error.where)
        number, field = (numbers[int(match[1]) - 1], match[2]) if match else (numbers[0], error.where)
        fix = f"{field}: {error.fix}" if field else error.fix
        raise Malformed(error.code, str(Place(number, 1)), error.value, fix) from None
    return Script(game, tuple(words), tuple(Place(number, 1) for number in numbers[1:]))


@contextmanager
def _at(place: Place) -> Iterator[None]:
    """A Malformed from in here happened at this place."""
    try:
        yield
    except Malformed as error:
        raise Malformed(error.code, str(place), error.value, error.fix) from None


# --- the header -----------------------------------------------------------------------------------


def _read_header(lines: list[str]) -> tuple[int, Game]:
    """How many lines the header has, and the game it starts."""
    said: dict[str, tuple[Place, str]] = {}
    count = 0
    for line in lines:
        match = _HEADER.fullmatch(line)
        if line.strip() and not match:
            break
        count += 1
        if match:
            place = Place(count, match.start(1) + 1)
            if match[1] in said:
                raise Malformed("KEY_TWICE", str(place), match[1], "Say each key of the header once.")
            said[match[1]] = (place, match[2].strip())
    rules = _rules_of(said)
    place, dealer = said.get("dealer", (Place(1, 1), "E"))
    people = PEOPLE[: 5 + rules.session.sitters]
    if len(dealer) != 1 or dealer not in people:
        raise Malformed("BAD_DEALER", str(place), dealer, f"Write one letter from A to {people[-1]}.")
    return count, Game.start(rules, people.index(dealer))


def _rules_of(said: dict[str, tuple[Place, str]]) -> RuleSet:
    """The named rule set with the header's other keys laid over it."""
    place, name = said.get("rules", (Place(1, 1), DEFAULT_RULES))
    with _at(place):
        rules = load(name)
    changes = {key: value for key, value in said.items() if key not in ("rules", "dealer")}
    if not changes:
        return rules
    mapping = rules.to_mapping()
    for key, (_, value) in changes.items():
        _lay(mapping, key, _value_of(value))
    try:
        return RuleSet.from_mapping(mapping)
    except Malformed as error:
        blamed = [at for key, (at, _) in changes.items() if error.where.startswith(key)] or [place]
        raise Malformed(error.code, str(blamed[0]), error.value, f"{error.where}: {error.fix}") from None


def _lay(mapping: dict[str, Any], key: str, value: object) -> None:
    part, dot, option = key.partition(".")
    if not dot:
        mapping[part] = value
    elif isinstance(mapping.get(part), dict):
        mapping[part][option] = value
    else:
        mapping[part] = {option: value}


def _value_of(text: str) -> object:
    """JSON, or a bare word."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


# --- hands and moves ------------------------------------------------------------------------------


def _read_words(lines: list[str], header: int, rules: RuleSet) -> Iterator[tuple[Place, Word]]:
    """Every word after the header: five lines of hands are one Dealt."""
    hands: list[CardSet] = []
    begun = Place(1, 1)
    for number, line in enumerate(lines[header:], header + 1):
        tokens = [(Place(number, match.start() + 1), match[0]) for match in _TOKEN.finditer(line)]
        if not tokens:
            continue
        if tokens[0][1] not in SEAT_NAMES:
            if hands:
                break
            yield from _moves_of(tokens, rules)
            continue
        begun = begun if hands else tokens[0][0]
        hands.append(_hand_of(tokens, hands, rules))
        if len(hands) == 5:
            a, b, c, d, e = hands
            yield begun, Dealt((a, b, c, d, e))
            hands = []
    if hands:
        fix = "Write five lines of hands, one for each seat from A to E, with no move between them."
        raise Malformed("NOT_FIVE_HANDS", str(begun), len(hands), fix)


def _hand_of(tokens: list[tuple[Place, str]], before: list[CardSet], rules: RuleSet) -> CardSet:
    """The hand on this line; ``before`` are the hands of the lines above."""
    (place, seat), *cards = tokens
    if seat != SEAT_NAMES[len(before)]:
        raise Malformed("NOT_FIVE_HANDS", str(place), seat, f"The next hand is that of {SEAT_NAMES[len(before)]}.")
    hand = 0
    for where, name in cards:
        with _at(where):
            card = 1 << card_of(name, rules.ranks)
        if any(card & other for other in (hand, *before)):
            raise Malformed("CARD_TWICE", str(where), name, "Each of the 40 cards is in exactly one hand.")
        hand |= card
    if hand.bit_count() != 8:
        raise Malformed("NOT_EIGHT_CARDS", str(place), hand.bit_count(), "Write the eight cards of this hand.")
    return hand


def _moves_of(tokens: list[tuple[Place, str]], rules: RuleSet) -> Iterator[tuple[Place, Word]]:
    """The moves on a line: each begins with a seat and a colon and goes on to the next such."""
    moves: list[tuple[Place, str]] = []
    for place, token in tokens:
        if ":" in token or token == "end" or not moves:
            moves.append((place, token))
        else:
            moves[-1] = (moves[-1][0], f"{moves[-1][1]} {token}")
    for place, said in moves:
        with _at(place):
            yield place, End() if said == "end" else from_text(said, rules.ranks, rules.auction.kind == "points")


# --- writing --------------------------------------------------------------------------------------


def write_text(game: Game, words: Iterable[Word]) -> str:
    """The text that ``read_text`` reads as this game; ``game`` is the game before its first word.

    One line for the auction up to the call, one for each trick; covered cards
    (``shown`` of a call, ``hand`` of a claim) are not written, the referee knows them.
    """
    lines = [*_header_lines(game.rules), f"dealer: {PEOPLE[game.dealer]}"]
    line: list[str] = []
    kind = ""
    for word in words:
        kind_now = type(word).__name__
        new = kind_now in ("Dealt", "End") or (kind_now == "Play") != (kind == "Play") or len(line) == 5
        if new and line:
            lines.append(" ".join(line))
            line = []
        kind = kind_now
        if isinstance(word, Dealt):
            lines += ["", *_hand_lines(word, game.rules)]
        else:
            line.append(to_text(word, game.rules.ranks))
    return "\n".join([*lines, *([" ".join(line)] if line else [])]) + "\n"


def _hand_lines(word: Dealt, rules: RuleSet) -> Iterator[str]:
    for seat, hand in zip(SEAT_NAMES, word.hands, strict=True):
        yield f"{seat}  {' '.join(card_name(card, rules.ranks) for card in cards_in(hand))}"


def _header_lines(rules: RuleSet) -> Iterator[str]:
    """The nearest named rule set, and what differs from it."""
    base = load(rules.id if rules.id in names() else DEFAULT_RULES)
    yield f"rules: {base.id}"
    had = base.to_mapping()
    for part, value in rules.to_mapping().items():
        old = had[part]
        if isinstance(value, dict) and isinstance(old, dict):
            yield from (f"{part}.{key}: {_value_text(new)}" for key, new in value.items() if new != old[key])
        elif value != old:
            yield f"{part}: {_value_text(value)}"


def _value_text(value: object) -> str:
    if isinstance(value, str) and _BARE.fullmatch(value) and value not in ("null", "true", "false"):
        return value
    return msgspec.json.encode(value).decode().replace("#", "\\u0023")
