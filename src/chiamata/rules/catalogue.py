"""The named rule sets: one TOML file each in ``rulesets``, with its sources and decisions.

A file holds only the options that differ from the defaults, and beside them
``menu`` (seed or more) and ``place`` (its order there), ``sources``,
``decisions`` (ids such as ``D5``, whose words are in the locales) and
``approximate`` where the source is known in part only.  TOML has no null:
``"none"`` stands for it.
"""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from chiamata.rules.errors import Malformed
from chiamata.rules.problem import showable
from chiamata.rules.ruleset import RuleSet

FOLDER = Path(__file__).parent / "rulesets"
COMMON_DECISIONS = ("D19", "D20", "D21", "D22", "D23", "D24", "D25", "D26", "D27", "D28")
"""Decisions that hold for every rule set, since every source is silent there."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule set file says beside the rules."""

    sources: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    """Ids of this set's own decisions; COMMON_DECISIONS come on top."""
    approximate: bool = False
    """The source is known in part only, or leaves numbers open that we chose."""
    menu: Literal["seed", "more"] = "more"
    place: int = 1000
    """Where it stands in the menu, lowest first."""


@cache
def names() -> tuple[str, ...]:
    """The names of all rule sets in the order of the menu: those of the seeds first."""
    found = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return tuple(sorted(found, key=lambda name: (about(name).menu != "seed", about(name).place, name)))


@cache
def load(name: str) -> RuleSet:
    """The rule set of this name; Malformed (UNKNOWN_RULESET, with the nearest name) if there is none."""
    return RuleSet.from_mapping(split(_document(name), name)[0])


@cache
def about(name: str) -> About:
    """Sources, decisions and place in the menu of the rule set of this name."""
    return split(_document(name), name)[1]


def split(document: dict[str, Any], name: str) -> tuple[dict[str, Any], About]:
    """A decoded rule set file, as the mapping of its rules and what it says beside them.

    ``id`` is the name and ``source`` the sources unless the file gives them.

    Raises:
        Malformed: UNKNOWN_VALUE if what stands beside the rules has the wrong type.
    """
    beside = {key: document[key] for key in About.__struct_fields__ if key in document}
    try:
        told = msgspec.convert(beside, About)
    except (msgspec.ValidationError, RecursionError) as error:
        fix = f"Write sources and decisions as lists of texts, approximate as true or false ({error})."
        raise Malformed("UNKNOWN_VALUE", name, showable(beside), fix) from None
    mapping = {key: value for key, value in document.items() if key not in beside}
    return {"id": name, "source": "; ".join(told.sources)} | mapping, told


def _document(name: str) -> dict[str, Any]:
    known = sorted(path.stem for path in FOLDER.glob("*.toml"))
    if name in known:
        return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    near = get_close_matches(str(name)[:80], known, 1, 0.3)
    fix = f"Did you mean {near[0]}?" if near else "See `chiamata rules list`."
    raise Malformed("UNKNOWN_RULESET", "rules", showable(name), fix)
