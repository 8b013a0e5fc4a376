"""The packaged rule sets hold exactly the values of tests/vectors/presets.json."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from chiamata.rules import catalogue
from chiamata.rules.errors import Malformed
from chiamata.rules.ruleset import RuleSet

PRESETS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "presets.json").read_text())
DEFAULTS = RuleSet.from_mapping({}).to_mapping()
NAMING = ("id", "title", "source", "version")


def flat(mapping: dict[str, Any], prefix: str = "") -> dict[str, object]:
    """Dotted keys with their values, so that a difference names its option."""
    found: dict[str, object] = {}
    for key, value in mapping.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


def test_the_catalogue_has_these_rule_sets_the_seeds_first() -> None:
    assert sorted(catalogue.names()) == sorted(PRESETS)
    assert len(catalogue.names()) == 27
    menus = [catalogue.about(name).menu for name in catalogue.names()]
    assert menus == ["seed"] * 13 + ["more"] * 14
    assert catalogue.names()[:3] == ("classic", "quick", "trattoria")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_values_are_those_of_the_preset_and_defaults_elsewhere(name: str) -> None:
    wanted = flat({key: value for key, value in PRESETS[name].items() if key not in NAMING})
    loaded = flat({key: value for key, value in catalogue.load(name).to_mapping().items() if key not in NAMING})
    assert {key: loaded.get(key, "absent") for key in wanted} == wanted
    silent = {key for key in flat(DEFAULTS) if key not in wanted and key in loaded and key not in NAMING}
    assert {key: loaded[key] for key in silent} == {key: flat(DEFAULTS)[key] for key in silent}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_file_says_nothing_that_is_the_default_anyway(name: str) -> None:
    document = catalogue.split(_document(name), name)[0]
    ranks = document.get("deck", {}).get("ranks")
    defaults = flat(RuleSet.from_mapping({"deck": {"ranks": ranks}} if ranks else {}).to_mapping())
    for key, value in flat(document).items():
        if key not in (*NAMING, "deck.ranks", "hand_claim.max_points"):
            assert defaults.get(key, "absent") != value, key


def _document(name: str) -> dict[str, Any]:
    return tomllib.loads((catalogue.FOLDER / f"{name}.toml").read_text())


@pytest.mark.parametrize("name", catalogue.names())
def test_each_names_itself_and_its_sources(name: str) -> None:
    rules, about = catalogue.load(name), catalogue.about(name)
    assert rules.id == name
    assert rules.title
    assert about.sources
    assert rules.source == "; ".join(about.sources)


def test_no_two_play_alike() -> None:
    assert len({catalogue.load(name).fingerprint for name in catalogue.names()}) == 27


def test_loading_twice_gives_the_same_value() -> None:
    assert catalogue.load("classic") is catalogue.load("classic")


@pytest.mark.parametrize("name", ["clasic", "", "../ruleset", "CLASSIC", "x" * 10_000])
def test_an_unknown_name_is_refused_with_the_nearest(name: str) -> None:
    with pytest.raises(Malformed) as caught:
        catalogue.load(name)
    assert caught.value.code == "UNKNOWN_RULESET"
    if name == "clasic":
        assert "classic" in caught.value.fix


@pytest.mark.parametrize("beside", [{"sources": "one"}, {"decisions": [1]}, {"approximate": "yes"}, {"menu": "top"}])
def test_what_stands_beside_the_rules_is_checked(beside: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as caught:
        catalogue.split(beside, "mine")
    assert caught.value.code == "UNKNOWN_VALUE"
