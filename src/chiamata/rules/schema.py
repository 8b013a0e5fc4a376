"""Every option of a rule set with the values it may take, read off the types in ``parts``: what an editor needs."""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from chiamata.rules.parts import Pairs, Parts
from chiamata.rules.ruleset_check import RANGES, WIDEST, hints_of, struct_of

Kind = Literal["choice", "flag", "number", "text", "numbers", "texts", "pairs", "points", "section"]
NAMES = ("id", "title", "source", "version")
"""These say which rule set it is and change nothing of it."""


class Option(msgspec.Struct, frozen=True):
    """One option.

    Args:
        key: dotted, such as ``auction.kind``.
        kind: ``numbers``, ``texts`` and ``pairs`` are lists; ``points`` maps ranks to numbers; a ``section`` holds
            the options whose keys begin with its own, and may be absent as a whole.
        values: what may be chosen; of ``texts`` what may stand in the list, empty for anything.
        low, high: of a number, or of each in a list.
        optional: it may be none.
        standard: what holds where nothing is said.
    """

    key: str
    kind: Kind
    values: tuple[str, ...]
    low: int
    high: int
    optional: bool
    standard: Any


@cache
def options() -> tuple[Option, ...]:
    """All options in their order, without the names of the rule set."""
    return tuple(_of_struct(Parts, Parts(), ""))


def _of_struct(kind: type[msgspec.Struct], default: msgspec.Struct, prefix: str) -> Iterator[Option]:
    for name, hint in hints_of(kind).items():
        key = prefix + name
        if key in NAMES:
            continue
        standard = getattr(default, name)
        inner = struct_of(hint)
        if inner is None:
            yield _leaf(key, hint, standard)
            continue
        if type(None) in get_args(hint):
            yield Option(key, "section", (), 0, 0, True, msgspec.to_builtins(standard))
        yield from _of_struct(inner, standard if standard is not None else inner(), key + ".")


def _leaf(key: str, hint: Any, standard: Any) -> Option:
    optional = get_origin(hint) in (Union, types.UnionType)
    if optional:
        hint = next(one for one in get_args(hint) if one is not type(None))
    low, high = RANGES.get(key, (-WIDEST, WIDEST))
    kind, values = _kind(key, hint)
    return Option(key, kind, values, low, high, optional, msgspec.to_builtins(standard))


def _kind(key: str, hint: Any) -> tuple[Kind, tuple[str, ...]]:
    if key == "deck.card_points":
        return "points", ()
    if hint == Pairs:
        return "pairs", ()
    if get_origin(hint) is Literal:
        return "choice", get_args(hint)
    if hint is bool:
        return "flag", ()
    if hint is int:
        return "number", ()
    if hint is str:
        return "text", ()
    (inner, *_) = get_args(hint)
    return ("numbers", ()) if inner is int else ("texts", get_args(inner))
