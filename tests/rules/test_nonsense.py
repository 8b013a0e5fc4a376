"""Nothing but Malformed, Illegal and Bug leaves the rules floor, whatever comes in."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Bug, Illegal, Malformed
from chiamata.rules.game import Game, read_log, replay, to_lines
from chiamata.rules.moves import (
    Bid,
    Call,
    Claim,
    Dealt,
    End,
    Pass,
    Play,
    Trump,
    from_json,
    from_text,
    to_json,
    to_text,
)
from tests.kit import game_words, junk, states

numbers = st.integers(-12, 45) | st.sampled_from([10**9, -(10**30), 10**30, 2**40, 2**40 - 1])
odd = numbers | st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.lists(st.integers(), max_size=3)
absurd: st.SearchStrategy[Any] = (
    st.builds(Bid, odd, odd, odd)
    | st.builds(Play, odd, odd)
    | st.builds(Call, odd, odd, odd | st.lists(odd).map(tuple))
    | st.builds(Trump, odd, odd)
    | st.builds(Claim, odd, odd)
    | st.builds(Pass, odd)
    | st.builds(Dealt, odd | st.lists(odd, max_size=6).map(tuple) | st.permutations(range(40)).map(tuple))
    | st.builds(End)
    | junk()
)
TOLD = (Malformed, Illegal, Bug)
ALMOST = r"[A-F] ?: ?(call |trump |claim|pass)?[AK32?@10-9CHDS]{0,6}"
"""What looks much like a move."""
LINES: tuple[dict[str, Any], ...] = (
    {"do": "bid", "seat": 1, "say": "K"},
    {"do": "play", "seat": 0, "card": "AS"},
    {"do": "call", "seat": 2, "card": "AS", "shown": ["2H"]},
    {"do": "trump", "seat": 3, "suit": "S"},
    {"do": "claim", "seat": 4, "hand": "AS 3S KS QS JS 7S 6S 5S"},
    {"do": "dealt", "hands": ["AS 3S KS QS JS 7S 6S 5S"] * 5},
    {"do": "end"},
)
"""A line of each kind, into which junk is put."""


def answer(act: Callable[..., Any], *given: Any) -> Any:
    """What comes back, or the text of one of the three errors; any other error goes through."""
    try:
        return act(*given)
    except TOLD as error:
        return str(error)


@given(states(), st.lists(absurd, min_size=1, max_size=20))
def test_no_absurd_move_raises_anything_else(deal: Deal, words: list[Any]) -> None:
    game = Game.start(deal.public.rules)
    game = msgspec.structs.replace(game, deal=deal)
    for word in words:
        for act in (deal.apply, deal.why_not, game.apply, deal.view(1).why_not, deal.view(-1).why_not):
            if isinstance(word, Dealt | End) and act != game.apply:
                continue
            answer(act, word)


@given(st.lists(junk(), max_size=10))
def test_no_junk_word_raises_anything_but_malformed(words: list[Any]) -> None:
    for ranks, in_points in ((load("classic").ranks, False), (load("french-ten").ranks, True)):
        for word in words:
            for line in (word, {"do": word}, *(good | {key: word} for good in LINES for key in good)):
                read = answer(from_json, line, ranks, in_points)
                if not isinstance(read, str):
                    assert from_json(to_json(read, ranks), ranks, in_points) == read
            if isinstance(word, dict):
                answer(from_json, {"do": "pass", "seat": 2} | word, ranks, in_points)


@given(st.text(max_size=30) | st.from_regex(ALMOST, fullmatch=True))
def test_no_text_raises_anything_but_malformed(text: str) -> None:
    for name in ("classic", "french-ten", "family"):
        rules = load(name)
        in_points = rules.auction.kind == "points"
        word = answer(from_text, text, rules.ranks, in_points)
        if not isinstance(word, str):
            assert from_text(to_text(word, rules.ranks), rules.ranks, in_points) == word


@given(st.lists(junk().map(repr) | st.text() | st.binary(), max_size=3), st.data())
def test_no_broken_log_raises_anything_else(lines: list[Any], data: st.DataObject) -> None:
    game = Game.start(load(data.draw(st.sampled_from(names()))))
    good: list[Any] = to_lines(game, [word for word, _ in game_words(game, random.Random(1), most=1)])
    if data.draw(st.booleans()):  # a good log with something wrong in the middle
        place = data.draw(st.integers(0, len(good)))
        lines = [*good[:place], *lines, *good[place + data.draw(st.integers(0, 2)) :]]
    read = answer(read_log, lines)
    if not isinstance(read, str):
        answer(replay, *read)
