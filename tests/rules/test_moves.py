"""The words of the log, as JSON and as text, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from chiamata.rules.cards import ITALIAN_RANKS
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import (
    Bid,
    Call,
    Claim,
    Dealt,
    End,
    Move,
    Pass,
    Play,
    Trump,
    Word,
    bid_name,
    bid_of,
    check,
    covered,
    from_json,
    from_text,
    to_json,
    to_text,
)
from tests.kit import FRENCH_RANKS, card_set_of, hands_with

HAND = "KC 7H 6H 5H 4H 2H 7S 6S"
PAIRS: list[tuple[Word, dict[str, Any], str]] = [
    (Bid(0, 2), {"do": "bid", "seat": 0, "say": "K"}, "A:K"),
    (Bid(1, 9, 65), {"do": "bid", "seat": 1, "say": "2@65"}, "B:2@65"),
    (Bid(2, -1, 75), {"do": "bid", "seat": 2, "say": "75"}, "C:75"),
    (Pass(3), {"do": "pass", "seat": 3}, "D:pass"),
    (Claim(4), {"do": "claim", "seat": 4}, "E:claim"),
    (Call(0, 11), {"do": "call", "seat": 0, "card": "3H"}, "A:call 3H"),
    (Play(1, 20), {"do": "play", "seat": 1, "card": "AD"}, "B:AD"),
    (Play(1, -10), {"do": "play", "seat": 1, "card": "2?"}, "B:2?"),
    (Trump(2, 3), {"do": "trump", "seat": 2, "suit": "S"}, "C:trump S"),
]


@pytest.mark.parametrize(("word", "line", "text"), PAIRS, ids=[text for _, _, text in PAIRS])
def test_each_word_as_json_and_as_text(word: Move, line: dict[str, Any], text: str) -> None:
    assert to_json(word, ITALIAN_RANKS) == line
    assert from_json(line, ITALIAN_RANKS) == word
    assert to_text(word, ITALIAN_RANKS) == text
    assert from_text(text, ITALIAN_RANKS) == word
    check(word)


def test_words_with_hands() -> None:
    claim = Claim(4, card_set_of(HAND))
    assert to_json(claim, ITALIAN_RANKS) == {"do": "claim", "seat": 4, "hand": HAND}
    assert from_json({"do": "claim", "seat": 4, "hand": HAND}, ITALIAN_RANKS) == claim
    call = Call(0, 9, (9, 19))
    assert to_json(call, ITALIAN_RANKS) == {"do": "call", "seat": 0, "card": "2C", "shown": ["2C", "2H"]}
    assert from_json(to_json(call, ITALIAN_RANKS), ITALIAN_RANKS) == call
    dealt = Dealt(hands_with({"A": HAND}))
    line = to_json(dealt, ITALIAN_RANKS)
    assert line["hands"][0] == HAND
    assert from_json(line, ITALIAN_RANKS) == dealt
    assert to_text(dealt, ITALIAN_RANKS).splitlines()[0] == f"A  {HAND}"
    assert from_json({"do": "end"}, ITALIAN_RANKS) == End()
    assert to_text(End(), ITALIAN_RANKS) == "end"


def test_numbers_that_are_ranks_too() -> None:
    """In the French pack 10 and 6 are ranks; in an auction in points they are points."""
    assert bid_of(0, "10", FRENCH_RANKS) == Bid(0, 1)
    assert bid_of(0, "10", FRENCH_RANKS, in_points=True) == Bid(0, -1, 10)
    assert bid_of(0, "8", ITALIAN_RANKS) == Bid(0, -1, 8)
    assert bid_of(0, "K", FRENCH_RANKS, in_points=True) == Bid(0, 2)
    assert from_text("A:10D", FRENCH_RANKS) == Play(0, 21)
    assert from_text("A:10", FRENCH_RANKS) == Bid(0, 1)
    assert bid_name(Bid(0, 1), FRENCH_RANKS) == "10"
    assert bid_name(Bid(0, 9, 80), FRENCH_RANKS) == "2@80"
    assert [covered(rank) for rank in (0, 9)] == [-1, -10]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "0",
        "061",
        "12345",
        "2@",
        "2@0",
        "2@065",
        "2@x",
        "@65",
        "Z@65",
        "2@²",
        "²",
        "-5",
        "6.5",
        "1e2",
        "k",
        None,
        7,
    ],
)
def test_what_is_no_bid(said: object) -> None:
    with pytest.raises(Malformed) as caught:
        bid_of(0, said, ITALIAN_RANKS)
    assert caught.value.code == "UNKNOWN_BID"


@pytest.mark.parametrize(
    ("line", "code", "where"),
    [
        (None, "NOT_AN_OBJECT", "word"),
        ([], "NOT_AN_OBJECT", "word"),
        ({}, "UNKNOWN_WORD", "do"),
        ({"do": "bids"}, "UNKNOWN_WORD", "do"),
        ({"do": ["pass"]}, "UNKNOWN_WORD", "do"),
        ({"do": "pass", "seat": 0, "say": "K"}, "UNKNOWN_KEY", "say"),
        ({"do": "end", "seat": 0}, "UNKNOWN_KEY", "seat"),
        ({"do": "pass"}, "UNKNOWN_SEAT", "seat"),
        ({"do": "pass", "seat": 5}, "UNKNOWN_SEAT", "seat"),
        ({"do": "pass", "seat": -1}, "UNKNOWN_SEAT", "seat"),
        ({"do": "pass", "seat": True}, "UNKNOWN_SEAT", "seat"),
        ({"do": "pass", "seat": 1.0}, "UNKNOWN_SEAT", "seat"),
        ({"do": "pass", "seat": 10**5000}, "UNKNOWN_SEAT", "seat"),
        ({"do": "bid", "seat": 0}, "UNKNOWN_BID", "say"),
        ({"do": "call", "seat": 0, "card": "3H", "shown": "2C"}, "NOT_A_LIST", "shown"),
        ({"do": "call", "seat": 0, "card": "3H", "shown": ["2?"]}, "UNKNOWN_CARD", "card"),
        ({"do": "play", "seat": 0, "card": "8?"}, "UNKNOWN_CARD", "card"),
        ({"do": "trump", "seat": 0, "suit": "X"}, "UNKNOWN_SUIT", "suit"),
        ({"do": "trump", "seat": 0, "suit": 1}, "UNKNOWN_SUIT", "suit"),
        ({"do": "claim", "seat": 0, "hand": 3}, "NOT_A_HAND", "hand"),
        ({"do": "claim", "seat": 0, "hand": "AS"}, "NOT_EIGHT_CARDS", "hand"),
        ({"do": "claim", "seat": 0, "hand": "AS AS"}, "CARD_TWICE", "hand"),
        ({"do": "dealt"}, "NOT_FIVE_HANDS", "hands"),
        ({"do": "dealt", "hands": [HAND] * 4}, "NOT_FIVE_HANDS", "hands"),
        ({"do": "dealt", "hands": [HAND] * 5}, "CARD_TWICE", "hands"),
        ({"do": "dealt", "hands": [HAND, HAND, 3, 4, 5]}, "NOT_A_HAND", "hands[2]"),
    ],
)
def test_what_is_no_word(line: object, code: str, where: str) -> None:
    with pytest.raises(Malformed) as caught:
        from_json(line, ITALIAN_RANKS)
    assert (caught.value.code, caught.value.where) == (code, where)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "UNKNOWN_WORD"),
        ("pass", "UNKNOWN_WORD"),
        (":pass", "UNKNOWN_SEAT"),
        ("F:pass", "UNKNOWN_SEAT"),
        ("A:", "UNKNOWN_BID"),
        ("A:pass now", "UNKNOWN_BID"),
        ("A:call", "UNKNOWN_CARD"),
        ("A:call 3X", "UNKNOWN_CARD"),
        ("A:trump", "UNKNOWN_SUIT"),
        ("A:trump SS", "UNKNOWN_SUIT"),
        ("A:3H 3D", "UNKNOWN_BID"),
        ("A:?", "UNKNOWN_BID"),
    ],
)
def test_what_is_no_move_in_text(text: str, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        from_text(text, ITALIAN_RANKS)
    assert caught.value.code == code


def test_spaces_around_a_move_do_not_matter() -> None:
    assert from_text(" A : call  3H ", ITALIAN_RANKS) == Call(0, 11)
    assert from_text("B: 3H", ITALIAN_RANKS) == Play(1, 11)


@pytest.mark.parametrize(
    ("word", "code"),
    [
        (Play(0, 40), "OUT_OF_RANGE"),
        (Play(0, -11), "OUT_OF_RANGE"),
        (Play(0, True), "OUT_OF_RANGE"),
        (Play(5, 0), "UNKNOWN_SEAT"),
        (Play(-1, 0), "UNKNOWN_SEAT"),
        (Bid(0, 10), "OUT_OF_RANGE"),
        (Bid(0, -2), "OUT_OF_RANGE"),
        (Bid(0, 0, -1), "OUT_OF_RANGE"),
        (Bid(0, 0, 10_000), "OUT_OF_RANGE"),
        (Call(0, -1), "OUT_OF_RANGE"),
        (Call(0, 40), "OUT_OF_RANGE"),
        (Call(0, 0, (40,)), "OUT_OF_RANGE"),
        (Call(0, 0, (1, 2, 3, 4, 5, 6)), "OUT_OF_RANGE"),
        (Claim(0, -1), "OUT_OF_RANGE"),
        (Claim(0, 1 << 40), "OUT_OF_RANGE"),
        (Trump(0, 4), "OUT_OF_RANGE"),
        (Trump(0, -1), "OUT_OF_RANGE"),
        (Pass(5), "UNKNOWN_SEAT"),
        ("A:pass", "UNKNOWN_WORD"),
        (None, "UNKNOWN_WORD"),
    ],
)
def test_values_that_no_move_can_have(word: object, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        check(word)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "word",
    [
        Play(4, 39),
        Play(0, 0),
        Bid(0, 9, 9999),
        Bid(4, -1, 0),
        Call(0, 39, (0, 39, 1, 2, 3)),
        Claim(0, (1 << 40) - 1),
        Trump(4, 3),
        Trump(0, 0),
    ],
)
def test_values_that_a_move_can_just_have(word: object) -> None:
    check(word)
