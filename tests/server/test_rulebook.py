"""Rule sets beside the nearest named one, and the schema that an editor is made from."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chiamata.rules import catalogue, schema
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.ruleset_check import known_keys, problems
from chiamata.rules.schema import NAMES, Option, options
from chiamata.server import rulebook
from tests.server.driver import rules_with


@pytest.mark.parametrize("name", catalogue.names())
def test_a_named_set_is_nearest_to_itself(name: str) -> None:
    page = rulebook.page(catalogue.load(name))
    assert (page.nearest, page.differs) == (name, [])


def test_a_change_is_told_in_the_words_of_both() -> None:
    page = rulebook.page(rules_with("quick", auction={"all_pass": "impossible"}, play={"first_leader": "caller"}))
    assert page.nearest == "quick"
    (change,) = [one for one in page.differs if one.option == "play.first_leader"]
    assert [words.key for words in change.ours] == ["play_first_leader_caller"]
    assert [words.key for words in change.theirs] == ["play_first_leader_forehand"]


def test_an_option_of_a_missing_section_is_a_difference() -> None:
    claim = {"max_points": 5, "when": "own_turn", "mandatory": False, "same_dealer": True, "multiplier": 1}
    page = rulebook.page(rules_with("classic", hand_claim=claim))
    told = {one.option: (len(one.ours), len(one.theirs)) for one in page.differs}
    assert told["hand_claim"] == (0, 1)
    assert told["hand_claim.max_points"] == (1, 0)


def test_the_schema_has_every_option() -> None:
    sections = {key.split(".")[0] for key in known_keys() if "." in key}
    parts = {"scoring.win", "scoring.loss", "scoring.solo_win", "scoring.solo_loss"}
    told = {one.key for one in options()}
    assert set(known_keys()) - told - set(NAMES) == (sections | parts) - {"hand_claim"}


def put(mapping: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The mapping with one option set."""
    first, dot, rest = key.partition(".")
    return mapping | {first: put(mapping.get(first) or {}, rest, value) if dot else value}


@pytest.mark.parametrize("option", options(), ids=lambda option: option.key)
def test_every_value_of_the_schema_can_be_read(option: Option) -> None:
    """Whatever an editor offers is a value of its option, though others may not fit with it."""
    values: list[Any] = [option.standard, *(option.values if option.kind == "choice" else ())]
    values += [True, False] if option.kind == "flag" else [None] if option.optional else []
    values += [option.low, option.high] if option.kind == "number" else []
    values += [[one] for one in option.values] if option.kind == "texts" else []
    if option.kind == "points":
        values = [{"A": 11}]
    base = catalogue.load("classic").to_mapping()
    for value in values:
        found = [one for one in problems(put(base, option.key, value)) if one.code in ("WRONG_TYPE", "UNKNOWN_VALUE")]
        assert [one for one in found if one.key == option.key] == []
    assert [one.code for one in problems(put(base, option.key, object()))] != []


def test_a_custom_set_survives_its_page() -> None:
    rules = rules_with("trattoria", session={"deals": 7, "allowed": None})
    assert RuleSet.from_mapping(rulebook.page(rules).rules) == rules


class Remark(msgspec.Struct):
    """A section as no rule set has one yet: plain words."""

    words: str = "hello"


def test_an_option_of_plain_words_would_be_told_as_such() -> None:
    (told,) = schema._of_struct(Remark, Remark(), "remark.")
    assert (told.key, told.kind, told.values, told.standard) == ("remark.words", "text", (), "hello")
