"""RuleSet: reading, printing, fingerprint, warnings, and every constraint both ways."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chiamata.rules import catalogue, constraints, ruleset, ruleset_check
from chiamata.rules.cards import card_name
from chiamata.rules.errors import Malformed
from chiamata.rules.parts import Parts
from chiamata.rules.ruleset import BadRuleSet, Problem, RuleSet, problems
from tests.kit import junk, rule_set_mappings, rule_sets, with_options

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "config.json").read_text())
DEFAULT = RuleSet.from_mapping({})


def broken(vector: dict[str, Any]) -> dict[str, Any]:
    base = catalogue.load(vector["base"]).to_mapping() if "base" in vector else {}
    return with_options(base, vector["set"])


def told(found: list[Problem]) -> list[list[object]]:
    return [[problem.code, problem.key, problem.value] for problem in found]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_each_configuration_is_refused_and_its_nearest_neighbour_is_not(vector: dict[str, Any]) -> None:
    mapping = broken(vector)
    wanted = [vector["expect"], *vector.get("also", [])] if "expect" in vector else []
    found = problems(mapping)
    assert told(found) == wanted
    assert [problem.nearest for problem in found] == [vector.get("nearest", problem.nearest) for problem in found]
    assert all(len(problem.message) > 10 and problem.message[-1] in ".?)" for problem in found)
    *sections, last = vector.get("drop", "seats").split(".")
    place = mapping
    for section in sections:
        place = place[section]
    place.pop(last, None)
    assert problems(with_options(mapping, vector["valid"])) == []


def test_the_vectors_know_every_code() -> None:
    source = "".join(Path(module.__file__ or "").read_text() for module in (constraints, ruleset_check))
    codes = set(re.findall(r'(?:_problem|bad|Problem)\(\s*"([A-Z_0-9]+)"', source))
    warned = {"UNEQUAL_DEALING", "LOW_BID_IS_FREE", "RAISES_ARE_SLOW", "ORDERS_DIFFER", "SUM_NOT_ZERO"}
    assert codes - warned == {vector["expect"][0] for vector in VECTORS if "expect" in vector}
    assert warned < codes
    assert {f"V{number:02}" for number in range(1, 24)} <= {vector["id"] for vector in VECTORS}


def test_several_problems_come_at_once_in_the_order_of_the_options() -> None:
    mapping = {
        "seats": 6,
        "auction": {"kind": "ranks", "rais_mode": 1, "ladder": [1.5], "raise_step": 0},
        "hand_claim": {"max_points": 25, "mandatory": True},
    }
    assert [problem.code for problem in problems(mapping)] == [
        "FIVE_PLAYERS_ONLY",
        "UNKNOWN_KEY",
        "UNKNOWN_VALUE",
        "WRONG_TYPE",
        "HAND_CLAIM_TOO_WIDE",
    ]
    with pytest.raises(BadRuleSet) as caught:
        RuleSet.from_mapping(mapping)
    assert isinstance(caught.value, Malformed)
    assert (caught.value.code, caught.value.where, caught.value.value) == ("FIVE_PLAYERS_ONLY", "seats", 6)
    assert list(caught.value.problems) == problems(mapping)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.problems, str(again)) == (BadRuleSet, caught.value.problems, str(caught.value))


def test_an_unreadable_option_is_not_blamed_for_what_depends_on_it() -> None:
    mapping = {"auction": {"kind": "points", "points_after_lowest": False}, "call": {"allowed": "anyy"}}
    assert [problem.code for problem in problems(mapping)] == ["UNKNOWN_VALUE"]


@pytest.mark.parametrize(
    "value",
    [None, 5, "text", [], float("nan"), 10**5000, "x" * 10**6, b"", object(), set(), {1: 2}, {None: {}}],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_configuration_is_refused(value: object) -> None:
    for mapping in (value, {"auction": value}, {"auction": {"kind": value}}, {"deck": {"ranks": value}}, {"x": value}):
        for problem in problems(mapping):
            assert len(str(problem)) < 3000


def test_nothing_nested_deep_gets_through() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for mapping in (
        {"auction": {"ladder": deep}},
        {"scoring": {"unit_by_target": deep}},
        {"x": deep},
        {"session": deep},
    ):
        assert problems(mapping)
        assert repr(problems(mapping))
    assert len(problems({f"k{number}": 0 for number in range(10_000)})) == ruleset_check.MOST_PROBLEMS


def test_points_of_cards_are_an_object() -> None:
    found = problems({"deck": {"card_points": [11, 10, 4, 3, 2]}})
    assert [(problem.code, problem.key) for problem in found] == [("WRONG_TYPE", "deck.card_points")]


def test_of_many_wrong_entries_a_hundred_are_told() -> None:
    assert len(problems({"auction": {"ladder": ["x"] * 120}})) == ruleset_check.MOST_PROBLEMS


def _mutations() -> st.SearchStrategy[dict[str, Any]]:
    """A valid configuration with junk somewhere, or junk altogether."""
    keys = st.sampled_from([key for key in ruleset_check.known_keys() if not key.startswith("scoring.capot.")])
    flat = st.dictionaries(keys | st.text(max_size=8), junk(), max_size=5)
    sections = st.sampled_from(["deck", "auction", "call", "play", "scoring", "session", "hand_claim"])
    return st.tuples(rule_set_mappings() | st.dictionaries(sections, junk()), flat).map(
        lambda both: {**both[0], **{key.split(".")[0]: value for key, value in both[1].items()}}
    )


@settings(max_examples=150, deadline=None)
@given(junk() | _mutations())
def test_nothing_but_malformed_ever_comes_out(mapping: Any) -> None:
    before = repr(mapping) if not isinstance(mapping, int) else ""
    found = problems(mapping)
    if found:
        with pytest.raises(BadRuleSet) as caught:
            RuleSet.from_mapping(mapping)
        assert caught.value.code == found[0].code
    else:
        rules = RuleSet.from_mapping(mapping)
        assert RuleSet.from_mapping(rules.to_mapping()) == rules
    if before:
        assert repr(mapping) == before


@settings(max_examples=150, deadline=None)
@given(rule_sets())
def test_a_rule_set_reads_back_from_what_it_writes_and_prints(rules: RuleSet) -> None:
    mapping = json.loads(json.dumps(rules.to_mapping()))
    assert RuleSet.from_mapping(mapping) == rules
    assert RuleSet.from_mapping(mapping).fingerprint == rules.fingerprint
    assert eval(repr(rules), vars(ruleset)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(RuleSet.from_mapping(mapping)) == hash(rules)
    assert set(Parts.__struct_fields__) == set(mapping)


@settings(max_examples=100, deadline=None)
@given(rule_sets())
def test_the_tables_by_card_agree_with_the_deck(rules: RuleSet) -> None:
    assert sum(rules.points) == rules.auction.max_points
    for card in range(40):
        rank = card_name(card, rules.ranks)[:-1]
        assert rules.card_of(rules.card_name(card)) == card
        assert rules.points[card] == rules.to_mapping()["deck"]["card_points"][rank]
        assert rules.deck.trick_order[9 - rules.strength[card]] == rank
    assert [rules.ranks[rank] for rank in rules.by_strength] == list(rules.deck.trick_order)
    assert [rules.ranks[rank] for rank in rules.auction_ranks] == list(rules.deck.auction_order)


def test_the_tables_of_the_default_deck() -> None:
    assert DEFAULT.points[:10] == (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)
    assert DEFAULT.strength[10:20] == (9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    assert DEFAULT.card_name(11) == "3H"
    three_high = catalogue.load("fifteen")
    assert three_high.strength[:2] == (8, 9)
    assert three_high.auction_ranks == tuple(range(10))
    with pytest.raises(Malformed):
        catalogue.load("french-ten").card_of("7H")


CHANGES: dict[str, Any] = {
    "deck.trick_order": ["3", "A", "K", "Q", "J", "7", "6", "5", "4", "2"],
    "deal.packets": [8],
    "deal.dealer_rotation": "same",
    "auction.opener": "dealer",
    "auction.pass_is_final": False,
    "auction.first_raise": 65,
    "auction.all_pass": "redeal_next_dealer",
    "auction.bid_requirements": [[71, 19]],
    "call.cover_called_rank": False,
    "play.first_leader": "caller",
    "contract.tie_60": "draw",
    "scoring.win.caller": 3,
    "scoring.capot": None,
    "hand_claim": {"max_points": 0},
    "session.sitters": 1,
}


@pytest.mark.parametrize("key", sorted(CHANGES))
def test_the_fingerprint_sees_what_changes_play(key: str) -> None:
    assert RuleSet.from_mapping(with_options({}, {key: CHANGES[key]})).fingerprint != DEFAULT.fingerprint


@pytest.mark.parametrize(
    "options",
    [
        {"id": "mine", "title": "Mine", "source": "me", "version": 7},
        {"direction": "cw"},
        {"conduct.chat": "off"},
        {"scoring.require_zero_sum": True},
        {"hand_claim": "none", "auction.ladder": "none"},
    ],
    ids="+".join,
)
def test_the_fingerprint_is_blind_to_names_and_drawing(options: dict[str, Any]) -> None:
    assert RuleSet.from_mapping(with_options({}, options)).fingerprint == DEFAULT.fingerprint


def test_the_fingerprint_of_the_defaults_stays() -> None:
    """It stands in logs: whoever changes what goes into it must mean to."""
    assert re.fullmatch("[0-9a-f]{64}", DEFAULT.fingerprint)
    assert DEFAULT.fingerprint.startswith("22d8527dd9ecdf65")


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({}, []),
        ({"session.deals": 7}, ["UNEQUAL_DEALING"]),
        ({"session.deals": 12, "session.sitters": 1}, []),
        ({"session.kind": "open", "session.deals": None}, []),
        ({"call.allowed": "bid_rank_or_higher"}, ["LOW_BID_IS_FREE"]),
        ({"auction.raise_mode": "exact_step"}, ["RAISES_ARE_SLOW"]),
        ({"deck.trick_order": ["3", "A", "K", "Q", "J", "7", "6", "5", "4", "2"]}, ["ORDERS_DIFFER"]),
        ({"scoring.win.partner": 2}, ["SUM_NOT_ZERO"]),
        ({"scoring.kind": "gingo"}, ["SUM_NOT_ZERO"]),
    ],
)
def test_warnings(options: dict[str, Any], codes: list[str]) -> None:
    rules = RuleSet.from_mapping(with_options({}, options))
    assert [warning.code for warning in rules.warnings] == codes


def test_absent_sections_and_options_take_their_defaults() -> None:
    claim = RuleSet.from_mapping({"hand_claim": {"max_points": 3}}).hand_claim
    assert claim is not None
    assert (claim.max_points, claim.when, claim.multiplier, claim.same_dealer) == (3, "auction_any_time", 1, True)
    french = RuleSet.from_mapping({"deck": {"ranks": list("A9KQJ65432")}})
    assert french.deck.trick_order == french.deck.auction_order == french.ranks
    assert french.to_mapping()["deck"]["card_points"]["9"] == 10
    assert RuleSet.from_mapping({"seats": 5}) == DEFAULT


def test_a_rule_set_is_frozen() -> None:
    with pytest.raises(AttributeError):
        DEFAULT.title = "Mine"  # type: ignore[misc]
    changed = copy.copy(DEFAULT)
    assert msgspec.structs.replace(changed, title="Mine") != DEFAULT
