"""Reads a mapping into Parts and says everything that is wrong with it.

First every key is read by the type of its field (unknown keys and values,
wrong types, numbers out of range); then the constraints between options are
tested (``constraints.py``), each only where all the keys it looks at were
readable.  Nothing but a list of problems comes out, whatever comes in.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from chiamata.rules.constraints import CONSTRAINTS, WARNINGS
from chiamata.rules.errors import Malformed
from chiamata.rules.parts import ITALIAN_POINTS, Deck, Pairs, Parts
from chiamata.rules.problem import Problem, showable

MOST_PROBLEMS = 100
"""More than this many are not listed: nobody reads them, and input may be hostile."""
WIDEST = 1000
"""No option needs a number beyond -1000 … 1000."""
RANGES: dict[str, tuple[int, int]] = {
    "version": (1, 1_000_000),
    "deck.card_points": (0, 30),
    "deal.packets": (1, 8),
    "auction.all_pass_multiplier": (1, 10),
    "auction.lone_bidder_min": (1, WIDEST),
    "scoring.draw_multiplier": (1, 10),
    "hand_claim.max_points": (0, WIDEST),
    "hand_claim.multiplier": (1, 10),
    "session.minutes": (1, 1440),
    "session.sitters": (0, 4),
}
"""Where a number of its own has a narrower range; multipliers accumulate, so they stay small."""
LONGEST_LIST = 120
LONGEST_TEXT = 300
_RANK = re.compile(r"[A-Z]|[1-9]|10", re.ASCII)
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)


class BadRuleSet(Malformed):
    """A mapping that is no rule set.  ``problems`` has all that was found, the first one is the error's own."""

    def __init__(self, found: tuple[Problem, ...]) -> None:
        first = found[0]
        super().__init__(first.code, first.key, first.value, first.message)
        self.problems = found

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return type(self), (self.problems,)


def problems(mapping: object) -> list[Problem]:
    """All problems of this mapping as a rule set, in the order of the options; empty if it is one."""
    return check(mapping)[1]


def check(mapping: object) -> tuple[Parts, list[Problem]]:
    """The parts that could be read (defaults elsewhere) and all problems."""
    reader = _Reader()
    if not isinstance(mapping, dict):
        reader.bad("WRONG_TYPE", "", mapping, "A rule set is an object of sections and options.")
        return Parts(), reader.found
    mapping = dict(mapping)
    if "seats" in mapping:
        seats = mapping.pop("seats")
        if type(seats) is not int or seats != 5:
            reader.bad(
                "FIVE_PLAYERS_ONLY", "seats", seats, "Exactly five play; session.sitters lets six to nine take turns."
            )
    parts = reader.struct(mapping, Parts, Parts(), "")
    assert isinstance(parts, Parts)
    for keys, constraint in CONSTRAINTS:
        if not any(reader.unreadable(key) for key in keys):
            reader.found.extend(constraint(parts))
    return parts, reader.found[:MOST_PROBLEMS]


def warnings_of(parts: Parts) -> Iterator[Problem]:
    """What is allowed but surprising, as problems with the codes of warnings."""
    for warning in WARNINGS:
        yield from warning(parts)


@cache
def known_keys() -> tuple[str, ...]:
    """Every dotted key there is, sections included, in the order of the options."""
    return tuple(_keys(Parts, ""))


def _keys(kind: type[msgspec.Struct], prefix: str) -> Iterator[str]:
    for name, hint in hints_of(kind).items():
        yield prefix + name
        inner = struct_of(hint)
        if inner is not None:
            yield from _keys(inner, prefix + name + ".")


@cache
def hints_of(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The options of a part with their types."""
    return get_type_hints(kind)


def struct_of(hint: Any) -> type[msgspec.Struct] | None:
    """The part that a type stands for, if it is one."""
    for one in (hint, *get_args(hint)):
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            return one
    return None


@dataclass
class _Reader:
    """Collects problems while it reads; a key with a problem is remembered as unreadable."""

    found: list[Problem] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def bad(self, code: str, key: str, value: object, message: str, nearest: str = "") -> None:
        self.broken.add(key)
        if len(self.found) < MOST_PROBLEMS:
            self.found.append(Problem(code, key, showable(value), message, nearest))

    def unreadable(self, key: str) -> bool:
        """Whether this key, its section or something in it could not be read."""
        return any(key == one or one.startswith(key + ".") or key.startswith(one + ".") for one in self.broken)

    def struct(self, given: object, kind: type[msgspec.Struct], default: msgspec.Struct, prefix: str) -> Any:
        if not isinstance(given, dict):
            self.bad("WRONG_TYPE", prefix, given, "Write an object of options here.")
            return default
        hints = hints_of(kind)
        dotted = prefix + "." if prefix else ""
        for key in given:
            if not isinstance(key, str) or key not in hints:
                self._unknown_key(key, given[key], tuple(hints), dotted)
        if kind is Deck:
            return self._deck(given)
        values = {name: getattr(default, name) for name in hints}
        for name, hint in hints.items():
            if name in given:
                values[name] = self.value(given[name], hint, values[name], dotted + name)
        return kind(**values)

    def _unknown_key(self, key: object, value: object, siblings: tuple[str, ...], dotted: str) -> None:
        if len(self.found) >= MOST_PROBLEMS:
            return
        name = str(showable(key))[:80]
        near = get_close_matches(name, siblings, 1, 0.5)
        nearest = dotted + near[0] if near else next((one for one in known_keys() if one.split(".")[-1] == name), "")
        fix = f"Did you mean {nearest}?" if nearest else f"The options here are {', '.join(siblings)}."
        # Not remembered as unreadable: no constraint looks at it.
        self.found.append(Problem("UNKNOWN_KEY", dotted + name, showable(value), fix, nearest))

    def value(self, given: object, hint: Any, default: Any, key: str) -> Any:
        """The value read by its type; the default, and a problem noted, if it cannot be read so."""
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            if given is None or given == "none":
                return None
            hint = next(one for one in get_args(hint) if one is not type(None))
            origin = get_origin(hint)
        inner = struct_of(hint)
        if inner is not None:
            return self.struct(given, inner, default if default is not None else inner(), key)
        if origin is Literal:
            return self._choice(given, get_args(hint), default, key)
        if hint is bool:
            return self._flag(given, default, key)
        if hint is int:
            return self._number(given, default, key)
        if hint is str:
            return self._text(given, default, key)
        return self._list(given, hint, default, key)

    def _choice(self, given: object, choices: tuple[str, ...], default: Any, key: str) -> Any:
        if isinstance(given, str) and given in choices:
            return given
        near = get_close_matches(given[:80], choices, 1, 0.3) if isinstance(given, str) else []
        fix = f"Write one of {', '.join(choices)}."
        self.bad("UNKNOWN_VALUE", key, given, fix, near[0] if near else "")
        return default

    def _flag(self, given: object, default: Any, key: str) -> Any:
        if isinstance(given, bool):
            return given
        self.bad("WRONG_TYPE", key, given, "Write true or false.")
        return default

    def _number(self, given: object, default: Any, key: str) -> Any:
        low, high = RANGES.get(key, (-WIDEST, WIDEST))
        if type(given) is not int:
            self.bad("WRONG_TYPE", key, given, "Write a whole number.")
        elif not low <= given <= high:
            self.bad("OUT_OF_RANGE", key, given, f"Write a whole number from {low} to {high}.")
        else:
            return given
        return default

    def _text(self, given: object, default: Any, key: str) -> Any:
        if not isinstance(given, str) or len(given) > LONGEST_TEXT or not given.isprintable():
            self.bad("WRONG_TYPE", key, given, f"Write a text of one line, at most {LONGEST_TEXT} characters.")
        elif key == "id" and not _ID.fullmatch(given):
            self.bad("UNKNOWN_VALUE", key, given, "Write an id of small letters, digits and hyphens, at most 40.")
        else:
            return given
        return default

    def _list(self, given: object, hint: Any, default: Any, key: str) -> Any:
        if not isinstance(given, (list, tuple)) or len(given) > LONGEST_LIST:
            self.bad("WRONG_TYPE", key, given, f"Write a list of at most {LONGEST_LIST} entries.")
            return default
        before = len(self.broken), len(self.found)
        if hint == Pairs:
            read = tuple(self._pair(one, f"{key}[{place}]", key) for place, one in enumerate(given))
        else:
            read = tuple(self.value(one, get_args(hint)[0], None, key) for one in given)
        return read if (len(self.broken), len(self.found)) == before else default

    def _pair(self, given: object, where: str, key: str) -> tuple[int, int]:
        if isinstance(given, (list, tuple)) and len(given) == 2:
            first, second = (self._number(one, 0, key) for one in given)
            return first, second
        self.bad("WRONG_TYPE", key, given, f"Write pairs of whole numbers such as [71, 2]; {where} is none.")
        return 0, 0

    def _deck(self, given: dict[Any, Any]) -> Deck:
        """The deck: ranks first, since the orders and the points default to them."""
        default = Deck().ranks
        ranks = self.value(given.get("ranks", default), tuple[str, ...], default, "deck.ranks")
        if len(ranks) != 10 or len(set(ranks)) != 10 or not all(_RANK.fullmatch(rank) for rank in ranks):
            self.bad(
                "RANKS_NOT_TEN",
                "deck.ranks",
                ranks,
                "Write ten different ranks: capital letters or numbers from 1 to 10.",
            )
            ranks = default
        trick = self.value(given.get("trick_order", ranks), tuple[str, ...], ranks, "deck.trick_order")
        bids = self.value(given.get("auction_order", ranks), tuple[str, ...], ranks, "deck.auction_order")
        points = self._card_points(given["card_points"], ranks) if "card_points" in given else ITALIAN_POINTS
        return Deck(ranks, points, trick, bids)

    def _card_points(self, given: object, ranks: tuple[str, ...]) -> tuple[int, ...]:
        """By rank index from ``{rank: points}``; a rank left out is worth nothing."""
        key = "deck.card_points"
        if not isinstance(given, dict):
            self.bad("WRONG_TYPE", key, given, f'Write the points of each rank, such as {{"{ranks[0]}": 11}}.')
            return ITALIAN_POINTS
        for rank in given:
            if rank not in ranks and not self.unreadable("deck.ranks"):
                self._unknown_key(rank, given[rank], ranks, key + ".")
                self.broken.add(key)
        return tuple(self._number(given.get(rank, 0), 0, key) for rank in ranks)
