"""What holds for every level of bot without asking: legal, repeatable, quick.  That it is blind: test_blindness."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import process_time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chiamata.bots.bot import Bot
from chiamata.bots.roster import DEFAULT, levels, make
from chiamata.bots.search import Searcher
from chiamata.rules.cards import SEATS, Seat
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Move, Play
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View
from chiamata.server.texts import languages, words
from tests.kit import hands, random_hands, rule_sets

EACH = [(level, name) for level in levels() for name in names()]
DEALS = 12
"""Deals for each level and rule set: every seat deals at least twice."""
SECONDS = {"friend": 0.05, "club": 0.1, "master": 1.0}
"""Most that a move may take on average; 0.01 for a level that does not search."""


def quick(level: str) -> Bot:
    """The level with its thoughts cut short, where it is not asked how well it plays."""
    bot = make(level)
    if isinstance(bot, Searcher):
        short = msgspec.structs.replace(bot.budget, worlds=8, draws=2, swaps=2, playouts=32, deals=8)
        return Searcher(level, short)
    return bot


def play(level: str, deal: Deal, seed: int) -> Iterator[tuple[View, Move]]:
    """Five bots of a level play a deal to its end: each View that was shown and the answer."""
    bot = quick(level)
    dice = [random.Random(f"{seed} {seat}") for seat in SEATS]
    while deal.public.phase != "done":
        seat = deal.public.turn
        view = deal.view(seat)
        move = bot.choose(view, dice[seat])
        yield view, move
        deal = deal.apply(move)
    assert deal.public.result is not None


def seeded(rules: RuleSet, seed: int) -> Deal:
    return Deal.start(rules, seed % 5, random_hands(random.Random(seed)))


@pytest.mark.parametrize(("level", "name"), EACH)
def test_plays_every_rule_set(level: str, name: str) -> None:
    contracts = 0
    for seed in range(DEALS):
        moves = [move for _, move in play(level, seeded(load(name), seed), seed)]
        contracts += sum(isinstance(move, Play) for move in moves) == 40
    assert contracts >= 1


@given(rule_sets(), st.integers(0, 4), hands(), st.integers(0, 2**32))
def test_plays_any_rule_set(rules: RuleSet, dealer: Seat, dealt: tuple[int, int, int, int, int], seed: int) -> None:
    for level in levels():
        for view, move in play(level, Deal.start(rules, dealer, dealt), seed):
            assert move in view.legal()


@pytest.mark.parametrize(("level", "name"), EACH)
def test_same_view_and_seed_same_answer(level: str, name: str) -> None:
    first = list(play(level, seeded(load(name), 3), 3))
    assert list(play(level, seeded(load(name), 3), 3)) == first
    for view, _ in first:
        answers = {quick(level).choose(view, random.Random("again")) for _ in range(3)}
        assert len(answers) == 1


# --- the rest -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", levels())
def test_answers_quickly(level: str) -> None:
    """With all its thoughts; the benchmark tells the true figures (about 0.2 ms for one that does not search)."""
    views = [
        view
        for seed in range(1 if level in SECONDS else 5)
        for view, _ in play(level, seeded(load("classic"), seed), seed)
    ]
    bot = make(level)
    began = process_time()
    for view in views:
        bot.choose(view, random.Random(0))
    assert (process_time() - began) / len(views) < SECONDS.get(level, 0.01)


def test_the_default_is_a_level() -> None:
    assert DEFAULT in levels()
    assert [make(level).name for level in levels()] == list(levels())


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(Malformed) as refused:
        make("perfect")
    assert refused.value.code == "UNKNOWN_LEVEL"


@pytest.mark.parametrize("language", languages())
def test_every_level_is_in_words(language: str) -> None:
    told = words(language)
    assert {key.split(".")[1] for key in told if key.startswith("bots.")} == {
        key for level in levels() for key in (level, f"{level}_line")
    }
