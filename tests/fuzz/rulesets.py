"""A rule set with some of its options made others: allowed values, those just outside, or a section of another set.

Bytes that are changed at random are refused at their brackets or their first name; these get to where options meet.
"""

from __future__ import annotations

import json
import random
import tomllib
from typing import Any

from chiamata.rules import catalogue, schema
from chiamata.rules.schema import Option
from tests.fuzz.mutate import ODD, mutated

BLIND = 0.2
"""How often the bytes are changed without knowing what they are."""
NONSENSE = 0.05
"""How often an option gets a value that no option has."""


def changed_json(data: bytes, dice: random.Random) -> bytes:
    """JSON, with one to eight options changed."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return mutated(data, dice)
    if dice.random() < BLIND or not isinstance(found, dict):
        return mutated(data, dice)
    return json.dumps(_changed(found, dice)).encode()


def changed_toml(data: bytes, dice: random.Random) -> bytes:
    """The same as TOML."""
    try:
        found = tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        return mutated(data, dice)
    return mutated(data, dice) if dice.random() < BLIND else to_toml(_changed(found, dice)).encode(errors="replace")


def differences() -> list[dict[str, Any]]:
    """Each named set as what it says beside the standard: documents as short as people write them."""
    return [catalogue.split(catalogue._document(name), name)[0] for name in catalogue.names()]


def _changed(rules: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    for _ in range(dice.choice((1, 2, 3, 8))):
        option = dice.choice(schema.options())
        if dice.random() < 0.15:  # as another set has it, the whole section with it
            section = option.key.partition(".")[0]
            other = dice.choice(differences())
            if section in other:
                rules[section] = other[section]
            continue
        *path, last = option.key.split(".")
        inside = rules
        for name in path:
            if not isinstance(inside.get(name), dict):
                inside[name] = {}
            inside = inside[name]
        if dice.random() < 0.1:
            inside.pop(last, None)
        else:
            inside[last] = _value(option, inside.get(last, option.standard), dice)
    return rules


def _value(option: Option, old: Any, dice: random.Random) -> Any:
    draw = dice.random()
    if draw < NONSENSE:
        return dice.choice(ODD)
    if option.optional and draw < 0.2:
        return None
    match option.kind:
        case "choice":
            return dice.choice(option.values)
        case "flag":
            return dice.random() < 0.5
        case "number":
            return _number(option, dice)
        case "numbers":
            return [_number(option, dice) for _ in range(dice.randint(0, 6))]
        case "pairs":
            return [[_number(option, dice), _number(option, dice)] for _ in range(dice.randint(0, 5))]
        case "texts":
            words = list(option.values or (old if isinstance(old, list) else "") or "AK3")
            dice.shuffle(words)
            return words[: dice.randint(0, len(words))] if dice.random() < 0.3 else words
        case "points":
            return {rank: dice.randint(0, 12) for rank in "A3KQJ76542"[: dice.choice((10, 10, 9))]}
        case "section":
            return {}
        case _:
            return dice.choice(("", "x", "A" * 90))


def _number(option: Option, dice: random.Random) -> int:
    """Within what is allowed most often, else at its rim or just beyond; small ones oftener than large ones."""
    edges = (option.low, option.high, option.low - 1, option.high + 1, 0, 1, 60, 61, 120, 121)
    return dice.choice(edges) if dice.random() < 0.3 else dice.randint(max(option.low, -10), min(option.high, 130))


def to_toml(document: dict[str, Any]) -> str:
    """As a person would write it; what TOML has no word for (none) is left out."""
    told = {key: one for key, one in document.items() if one is not None}
    lines = [f"{_key(key)} = {_inline(one)}" for key, one in told.items() if not isinstance(one, dict)]
    for key, one in told.items():
        if isinstance(one, dict):
            lines += [
                f"\n[{_key(key)}]",
                *[f"{_key(name)} = {_inline(value)}" for name, value in one.items() if value is not None],
            ]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return json.dumps(name)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_inline(one)}" for key, one in value.items() if one is not None) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(one) for one in value if one is not None) + "]"
    return json.dumps(value) if isinstance(value, bool | str) else repr(value)
