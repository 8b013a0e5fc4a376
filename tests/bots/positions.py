"""Positions in text: a rule set, one seat's eight cards, all that was said, and what the seat should do now.

A position is a block of lines; ``#`` begins a remark.  Nobody else's hand is in
it, since a bot does not see one:

    title: the last seat takes with the cheapest winner
    rules: classic            (may be left out)
    dealer: E                 (may be left out)
    seat: E
    hand: AH 3H KH 7C 6C 5C 4D 2D
    A:K B:pass C:pass D:pass E:pass
    A:call KS
    A:2H B:AC C:4C D:5D
    plays: 3H                 (any of several; or ``avoids:``)
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from chiamata.rules.cards import SEAT_NAMES, CardSet
from chiamata.rules.catalogue import load
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import from_text
from chiamata.rules.public import Public, advance, start
from chiamata.rules.view import View
from tests.kit import card_set_of


class Position(msgspec.Struct, frozen=True):
    """A View and the answers wanted (``plays``) or not wanted (``avoids``), as text without the seat."""

    title: str
    view: View
    plays: frozenset[str]
    avoids: frozenset[str]


def read_positions(path: Path) -> list[Position]:
    """All positions of a file; Malformed names the block that cannot be read."""
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    lines = [[re.sub(r"#.*", "", line).strip() for line in block.splitlines()] for block in blocks]
    return [_position([line for line in block if line]) for block in lines if any(block)]


def _position(lines: list[str]) -> Position:
    head = dict(line.split(": ", 1) for line in lines if re.match(r"[a-z]+: ", line))
    rules = load(head.get("rules", "classic"))
    public = start(rules, SEAT_NAMES.index(head.get("dealer", "E")))
    seat = SEAT_NAMES.index(head["seat"])
    dealt = card_set_of(head["hand"], rules.ranks)
    for line in lines:
        if re.match(r"[A-E]:", line):
            for text in re.split(r"\s+(?=[A-E]:)", line):
                public = _after(public, text, (seat, dealt), head["title"])
    if public.turn != seat or dealt.bit_count() != 8:
        raise Malformed("NOT_A_POSITION", head["title"], head["seat"], "The seat has eight cards and the turn.")
    wanted = [frozenset(head.get(key, "").replace(",", " ").split()) for key in ("plays", "avoids")]
    return Position(head["title"], View(public, seat, dealt), wanted[0], wanted[1])


def _after(public: Public, text: str, own: tuple[int, CardSet], title: str) -> Public:
    move = from_text(text, public.rules.ranks, public.rules.auction.kind == "points")
    view = View(public, *own)
    if move.seat != public.turn or (move.seat == own[0] and view.why_not(move)):
        raise Malformed("NOT_A_POSITION", title, text, "Each word is its seat's, in turn and allowed.")
    return advance(public, move)
