"""A few seconds of the search, the same each time; and the search finds what it is to find."""

from __future__ import annotations

import json
import tomllib

import pytest

from chiamata.rules.ruleset import RuleSet
from tests.fuzz import rulesets, targets
from tests.fuzz.__main__ import sample, without_coverage
from tests.fuzz.targets import TARGETS, Target


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_the_promised_errors_comes_out(name: str) -> None:
    for data in sample(TARGETS[name], seed=1, count=100):
        TARGETS[name].feed(data)


def test_the_search_finds_a_decoder_that_breaks_its_promise() -> None:
    def careless(data: bytes) -> None:
        if b'"seat":5' in data.replace(b" ", b""):
            raise KeyError(5)

    tried, found = without_coverage(Target("", careless, lambda: [b'{"do":"pass","seat":3}']), 30, 1)
    assert found is not None
    assert tried > 1


@pytest.mark.parametrize("name", ["rules-json", "rules-toml", "rules-told"])
def test_half_of_what_is_tried_of_rule_sets_can_be_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is refused at the brackets tries nothing."""
    played = []
    whole = targets._rules

    def counted(mapping: object) -> RuleSet | None:
        rules = whole(mapping)
        played.append(rules)
        return rules

    monkeypatch.setattr(targets, "_rules", counted)
    for data in sample(TARGETS[name], seed=2, count=200):
        TARGETS[name].feed(data)
    good = {rules.fingerprint for rules in played if rules is not None}
    assert 60 < len(good) < len(played), "and not all of them: what is just outside is tried too"


def test_what_is_written_as_toml_is_read_as_it_was() -> None:
    for rules in rulesets.differences():
        assert tomllib.loads(rulesets.to_toml(rules)) == json.loads(json.dumps(rules))
