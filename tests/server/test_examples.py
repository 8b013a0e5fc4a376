"""Every rule set has an example that plays, shows what is special there, and has a sentence for each thing it shows."""

from __future__ import annotations

import string

import pytest

from chiamata.rules import catalogue
from chiamata.rules.errors import Malformed
from chiamata.rules.ruleset import RuleSet
from chiamata.server import examples, paper
from chiamata.server.texts import languages, words


def keys(name: str) -> set[str]:
    return {event.key for event in examples.example(name).events}


def special(rules: RuleSet) -> list[set[str]]:
    """What an example of these rules must show: one of each set."""
    auction, call, play, scoring = rules.auction, rules.call, rules.play, rules.scoring
    wanted: list[tuple[bool, set[str]]] = [
        (auction.kind == "points", {"opens_points", "auto_bid", "must_bid"}),
        (auction.raise_mode == "exact_step", {"raised"}),
        (auction.raise_mode == "ladder" and auction.kind == "rank", {"raised", "must_bid"}),
        (auction.direct_points_jump, {"jumped"}),
        (auction.open_lowest_only, {"opens_lowest"}),
        (auction.last_bidder == "forced", {"must_bid", "raised"}),
        (call.timing == "after_first_trick", {"blind_call"}),
        (call.timing == "after_first_trick", {"no_trumps"}),
        (call.timing == "suit_after_first_trick_cards", {"blind_suit"}),
        (call.timing == "before_first_trick" and call.allowed == "any", {"called_any"}),
        (call.allowed == "highest_missing", {"called_highest"}),
        (call.allowed == "bid_rank_or_higher", {"called_higher"}),
        (play.first_leader == "caller", {"caller_leads"}),
        (play.follow_suit != "none", {"must_follow"}),
        (play.trump_change != "none", {"new_trump", "kept_trump"}),
        (rules.deck.trick_order != rules.deck.ranks, {"lower_beats"}),
        (scoring.kind == "gingo", {"gingo"}),
        (scoring.loss.caller == 0 and scoring.kind == "roles", {"nobody_loses"}),
        (scoring.win.partner == scoring.win.caller, {"equal_share"}),
        (scoring.margin_bonus is not None, {"margin"}),
    ]
    return [one for applies, one in wanted if applies]


def test_every_rule_set_has_an_example_and_there_is_no_other() -> None:
    assert {path.stem for path in examples.FOLDER.glob("*.txt")} == set(catalogue.names())


@pytest.mark.parametrize("name", catalogue.names())
def test_an_example_plays_to_its_end_under_its_own_rules(name: str) -> None:
    found = examples.example(name)
    last = found.replay.steps[-1].scene
    assert last.table.rules.id == name
    assert last.deal is not None
    assert last.deal.result is not None
    assert last.deal.result.kind in ("scored", "draw")
    assert [event.step for event in found.events] == sorted(event.step for event in found.events)
    assert found.events[0].step >= 1
    assert found.events[-1].step == len(found.replay.steps) - 1
    assert len(found.replay.steps) <= 65, "an example is short"
    assert len(found.events) >= 4


@pytest.mark.parametrize("name", catalogue.names())
def test_an_example_shows_what_is_special(name: str) -> None:
    for wanted in special(catalogue.load(name)):
        assert keys(name) & wanted, f"{name} shows none of {sorted(wanted)}"


def fits(event: paper.Event) -> None:
    """There are words, and they need nothing that the event does not give."""
    for language in languages():
        text = words(language)[f"examples.{event.key}"]
        assert {place for _, place, _, _ in string.Formatter().parse(text) if place} <= {*event.args}


@pytest.mark.parametrize("name", catalogue.names())
def test_everything_shown_has_its_sentence(name: str) -> None:
    for event in examples.example(name).events:
        fits(event)


def test_sentences_that_no_example_needs_are_few() -> None:
    written = {key.split(".")[1] for key in words("en") if key.startswith("examples.")} - {"title", "line", "next"}
    shown = set().union(*(keys(name) for name in catalogue.names()))
    assert shown <= written
    rare = {"called_exception", "sixty_caller", "sixty_defenders", "sixty_draw", "auto_bid", "kept_trump", "new_trump"}
    assert written - shown <= rare | {"revealed_alone", "in_hand", "cappotto", "stake", "must_bid"}


def test_no_example_for_rules_that_there_are_not() -> None:
    with pytest.raises(Malformed, match="UNKNOWN_RULESET"):
        examples.example("../../secrets")
