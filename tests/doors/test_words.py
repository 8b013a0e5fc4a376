"""Both languages are complete, and everything that can be said has its words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given

import chiamata
from chiamata.doors.rulepage import SECTIONS, say, sections, without_effect
from chiamata.rules import catalogue
from chiamata.rules.explain import explain, signed
from chiamata.rules.parts import Parts
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.ruleset_check import known_keys
from chiamata.server.texts import Texts, languages, words
from tests.kit import rule_sets, with_options

SOURCE = Path(chiamata.__file__).parent
SPEC_REFUSALS = """
WRONG_PHASE AUCTION_OVER ALREADY_PASSED NOT_YOUR_TURN NOT_CALLER WRONG_BID_TYPE UNKNOWN_RANK POINTS_ONLY_WITH_LOWEST
NO_RAISE_IN_RULESET BID_NOT_LOWER BID_ABOVE_MAX BID_BELOW_MIN BID_NOT_HIGHER RAISE_BEFORE_LOWEST BID_OFF_LADDER
BID_STEP_NOT_ALLOWED OPEN_LOWEST_ONLY BID_BELOW_LONE_MIN BID_REQUIREMENT_NOT_MET MUST_BID CALL_RANK_MISMATCH
CALL_RANK_TOO_LOW CALL_EXCEPTION_NOT_AVAILABLE CALL_NOT_HIGHEST_MISSING OWN_CARD_FORBIDDEN CARD_NOT_IN_HAND
MUST_FOLLOW_SUIT HAND_CLAIM_NOT_ALLOWED HAND_CLAIM_TOO_LATE HAND_CLAIM_NOT_IN_RULESET
"""


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_words_with_the_same_places(language: str) -> None:
    ours, english = words(language), words("en")
    assert sorted(ours) == sorted(english)
    assert {key: places(text) for key, text in ours.items()} == {key: places(text) for key, text in english.items()}
    assert [key for key, text in ours.items() if not text.strip() or text != text.rstrip()] == []


def test_italian_is_not_left_in_english() -> None:
    same = {
        key
        for key, text in words("it").items()
        if text == words("en")[key] and len(re.findall(r"[a-z]+", re.sub(r"\{\w+\}", "", text))) > 2
    }
    assert same <= {"ui.bot_names"}  # names stay


@pytest.mark.parametrize("name", catalogue.names())
def test_every_rule_set_has_a_name_and_a_line(name: str) -> None:
    for language in languages():
        texts = words(language)
        assert texts[f"rules.{name}.name"]
        assert texts[f"rules.{name}.line"].endswith(".")
    assert words("en")[f"rules.{name}.name"] == catalogue.load(name).title


def test_no_words_for_rule_sets_that_there_are_not() -> None:
    named = {key.split(".")[1] for key in words("en") if key.startswith("rules.")}
    assert named == set(catalogue.names())


def test_every_decision_is_in_words() -> None:
    told = {key.split(".")[1] for key in words("en") if re.fullmatch(r"decisions\.D\d+", key)}
    assert told == {f"D{number}" for number in range(1, 29)}
    used = {one for name in catalogue.names() for one in catalogue.about(name).decisions}
    assert used | set(catalogue.COMMON_DECISIONS) == told


def test_every_refusal_is_in_words() -> None:
    told = {key.split(".")[1] for key in words("en") if key.startswith("refusals.")}
    assert {*SPEC_REFUSALS.split()} <= told
    said = set()
    for path in (SOURCE / "server").glob("*.py"):
        said |= set(re.findall(r'Refused\(\s*"([A-Z_]+)"', path.read_text()))
    assert said
    assert said <= told


def test_every_problem_and_warning_is_in_words() -> None:
    source = "".join((SOURCE / "rules" / f"{name}.py").read_text() for name in ("constraints", "ruleset_check"))
    codes = set(re.findall(r'(?:_problem|bad|Problem)\(\s*"([A-Z_0-9]+)"', source))
    told = {key.split(".")[1] for key in words("en") if key.startswith("config.")}
    assert told == codes | {"UNKNOWN_RULESET"}


def _choices() -> list[tuple[str, Any]]:
    """Every value of every option that takes one of a few."""
    found: list[tuple[str, Any]] = []

    def walk(kind: type[msgspec.Struct], prefix: str) -> None:
        for name, hint in get_type_hints(kind).items():
            inner = [
                one for one in (hint, *get_args(hint)) if isinstance(one, type) and issubclass(one, msgspec.Struct)
            ]
            literals = [one for one in (hint, *get_args(hint)) if get_origin(one) is Literal]
            if inner:
                walk(inner[0], f"{prefix}{name}.")
            elif literals:
                found.extend((prefix + name, value) for value in get_args(literals[0]))
            elif hint is bool:
                found.extend(((prefix + name, True), (prefix + name, False)))

    walk(Parts, "")
    return found


@pytest.mark.parametrize(("option", "value"), _choices(), ids=str)
def test_every_value_of_every_option_has_a_sentence_of_its_own(option: str, value: Any) -> None:
    name = str(value).lower() if isinstance(value, bool) else value
    key = f"options.{option.replace('.', '_')}_{name}"
    for language in languages():
        assert words(language)[key].endswith(".")


def test_every_sentence_is_used() -> None:
    """No words for options or values that there are not."""
    stems = sorted((key.replace(".", "_") for key in known_keys()), key=len, reverse=True)
    values = {
        option.replace(".", "_"): {str(value).lower() for key, value in _choices() if key == option}
        for option, _ in _choices()
    }
    endings = {"n", "none", "list", "1", "roles", "italian", "usual", "same", "other"}
    for key in (key.removeprefix("options.") for key in words("en") if key.startswith("options.")):
        if key.startswith("section_") or key == "no_effect":
            assert key == "no_effect" or key.removeprefix("section_") in SECTIONS
            continue
        stem = next(stem for stem in stems if key.startswith(stem + "_"))
        assert key.removeprefix(stem + "_") in endings | values.get(stem, set())


@given(rule_sets())
def test_any_rule_set_can_be_told_in_every_language(rules: RuleSet) -> None:
    sentences = explain(rules)
    options = {sentence.option for sentence in sentences}
    silent = {"id", "title", "source", "version"}
    tables = {"scoring.win", "scoring.loss", "scoring.solo_win", "scoring.solo_loss"}
    leaves = {key for key in known_keys() if not any(other.startswith(key + ".") for other in known_keys())}
    wanted = {key for key in leaves if key.rsplit(".", 1)[0] not in tables} | tables
    absent = {key for key in wanted if key.startswith("hand_claim.") and rules.hand_claim is None}
    absent |= {key for key in wanted if key.startswith("scoring.capot.") and rules.scoring.capot is None}
    # The value of a cappotto is told with what is done with it.
    assert options >= wanted - silent - absent - {"scoring.capot.value"}
    for language in languages():
        texts = Texts(language)
        told = [say(texts, sentence) for sentence in sentences]
        assert not any("{" in sentence for sentence in told)
        listed = [one for _, each in sections(texts, rules) for one in each] + without_effect(texts, rules)
        assert sorted(listed) == sorted(told)
        assert all(each for _, each in sections(texts, rules))


def test_numbers_and_signs_are_told_as_they_are() -> None:
    rules = RuleSet.from_mapping(with_options({}, {"scoring.win.caller": 3, "session.deals": 5, "session.sitters": 1}))
    told = [say(Texts("en"), sentence) for sentence in explain(rules) if sentence.applies]
    assert "When the contract is made: caller +3, partner +1, each defender −1." in told
    assert "It lasts 5 scored deals; deals thrown in do not count." in told
    assert "More than five sit at the table, and 1 sit each deal out in turn." in told
    assert [signed(number) for number in (-4, 0, 2)] == ["−4", "0", "+2"]


def test_the_three_that_beats_the_ace_is_said_aloud() -> None:
    for language, wanted in (("en", "the Three beats the Ace"), ("it", "Tre batte Asso")):
        told = [say(Texts(language), sentence) for sentence in explain(catalogue.load("fifteen"))]
        assert any(wanted in sentence for sentence in told)
    letters = [say(Texts("it"), sentence) for sentence in explain(catalogue.load("fifteen"))]
    assert any("3 A R C F 7" in sentence for sentence in letters)


def test_ladders_are_told_short() -> None:
    told = [say(Texts("en"), sentence) for sentence in explain(catalogue.load("quick"))]
    assert "The numbers that may be bid are 65, 70 … 120." in told
    five = RuleSet.from_mapping({"auction": {"raise_mode": "ladder", "ladder": [65, 70, 75, 80, 85]}})
    told = [say(Texts("en"), sentence) for sentence in explain(five)]
    assert "The numbers that may be bid are 65, 70, 75, 80, 85." in told
    uneven = RuleSet.from_mapping({"auction": {"raise_mode": "ladder", "ladder": [65, 70, 80, 90, 100, 120]}})
    told = [say(Texts("en"), sentence) for sentence in explain(uneven)]
    assert "The numbers that may be bid are 65, 70, 80, 90, 100, 120." in told


def test_what_has_no_effect_is_said_to_have_none() -> None:
    def idle(options: dict[str, Any]) -> set[str]:
        rules = RuleSet.from_mapping(with_options({}, options))
        return {sentence.option for sentence in explain(rules) if not sentence.applies}

    assert idle({}) >= {"auction.ladder", "auction.min_points", "session.target", "call.cover_called_rank"}
    points = {"auction.kind": "points", "auction.points_after_lowest": False, "call.allowed": "any"}
    assert idle(points) >= {"auction.first_raise", "contract.base_target", "deck.auction_order"}
    assert "auction.min_points" not in idle(points)
    assert "contract.tie_60" not in idle(points)
    assert "contract.tie_60" in idle({**points, "auction.min_points": 62})
    assert "play.follow_last_n" not in idle({"play.follow_suit": "last_n", "play.follow_last_n": 3})
    assert idle({"scoring.kind": "gingo"}) >= {"scoring.win", "scoring.unit_by_target", "scoring.capot.basis"}
