"""One thing in a text is made another: where it is JSON, a value in it, so that the search gets past the brackets."""

from __future__ import annotations

import json
import random
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 4, 5, 8, 9, 40, 2**31, 2**53, 2**64, -(2**70), 1.5, 1e308, "", "A", "2@65", "AS", "3H",
    "3?", "\ud800", "\u0000", "__proto__", "x" * 300, [], {}, [[]], [0] * 9,
)  # fmt: skip
SIGNS = b'{}[]",:0e9-nul\\\x7f\xc3\n\t #=AKQJ325CDHS@?'


def mutated(data: bytes, dice: random.Random) -> bytes:
    """These bytes with one to three things changed."""
    for _ in range(dice.randint(1, 3)):
        data = _once(data, dice)
    return data


def _once(data: bytes, dice: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = dice.randrange(len(lines))
    kind = dice.randrange(8)
    if kind == 0:
        lines[place : place + 1] = [] if len(lines) > 1 else [b""]
    elif kind == 1:
        lines.insert(dice.randrange(len(lines) + 1), lines[place])
    elif kind < 4 or not lines[place].lstrip().startswith((b"{", b"[")):
        lines[place] = _signs(lines[place], dice)
    else:
        lines[place] = _value(lines[place], dice)
    return b"\n".join(lines)


def _signs(line: bytes, dice: random.Random) -> bytes:
    """Some bytes cut out, and others in their place; or two words change places."""
    words = line.split(b" ")
    if len(words) > 2 and dice.random() < 0.4:
        one, other = dice.randrange(len(words)), dice.randrange(len(words))
        words[one], words[other] = words[other], words[one]
        return b" ".join(words)
    at = dice.randrange(len(line) + 1)
    new = bytes(dice.choice(SIGNS) for _ in range(dice.randint(0, 2)))
    return line[:at] + new + line[at + dice.randint(0, 3) :]


def _value(line: bytes, dice: random.Random) -> bytes:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return _signs(line, dice)
    places: list[tuple[Any, Any]] = []
    _places(value, places)
    if places:
        inside, key = dice.choice(places)
        _change(inside, key, dice)
    return json.dumps(value).encode()


def _change(inside: Any, key: Any, dice: random.Random) -> None:
    """The value at this place is another, gone, or said under another's name."""
    draw, old = dice.random(), inside[key]
    if draw < 0.15 and isinstance(inside, dict):
        inside[dice.choice([*inside, "x", "__proto__"])] = inside.pop(key)
    elif draw < 0.25:
        del inside[key]
    elif draw < 0.5 and isinstance(old, int):
        inside[key] = old + dice.choice((-1, 1, 10, -100))
    elif draw < 0.5 and isinstance(old, str):
        inside[key] = _signs(old.encode(errors="replace"), dice).decode(errors="replace")
    else:
        inside[key] = dice.choice(ODD)


def _places(value: Any, found: list[tuple[Any, Any]]) -> None:
    """Every place inside a value: the list or mapping, and the index or key in it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        found.append((value, key))
        if len(found) < 5_000:
            _places(one, found)
