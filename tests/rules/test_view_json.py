"""A View as JSON: every View of every rule set comes back the same; nothing else gets in."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chiamata.rules.cards import SEATS
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import Standing
from chiamata.rules.view_json import view_of_json, view_to_json
from tests.kit import hands, junk, random_hands, rule_sets


def followed(deal: Deal, dice: random.Random) -> list[Deal]:
    """The deal at each of its moves, played at random."""
    found = [deal]
    while deal.public.phase != "done":
        moves = [move for seat in SEATS for move in deal.legal(seat)]
        deal = deal.follow(dice.choice(moves[:3] if deal.public.phase == "auction" else moves))
        found.append(deal)
    return found


@pytest.mark.parametrize("name", names())
def test_there_and_back(name: str) -> None:
    for seed in range(4):
        dice = random.Random(f"{name} {seed}")
        for deal in followed(Deal.start(load(name), seed, random_hands(dice)), dice):
            view = deal.view(dice.choice(SEATS))
            assert view_of_json(json.loads(json.dumps(view_to_json(view)))) == view


def test_the_standing_comes_back() -> None:
    sitters = load("classic").to_mapping() | {"session": {"kind": "deals", "deals": 10, "sitters": 1}}
    for rules, others in ((load("classic"), ()), (RuleSet.from_mapping(sitters), (4,))):
        standing = Standing((3, 0, -1, -2, 0), others, 4, True)
        deal = Deal.start(rules, 0, random_hands(random.Random(1)))
        deal = deal.follow(deal.legal(deal.public.turn)[0])
        view = msgspec.structs.replace(deal.view(2), standing=standing)
        assert view_of_json(json.loads(json.dumps(view_to_json(view)))) == view


@pytest.mark.parametrize(
    "standing",
    [
        None,
        [],
        {},
        {"scores": [0, 0, 0, 0]},
        {"scores": [0, 0, 0, 0, "1"]},
        {"scores": [0, 0, 0, 0, 0], "others": [1]},
        {"scores": [0, 0, 0, 0, 0], "scored": -1},
        {"scores": [0, 0, 0, 0, 1 << 50]},
    ],
)
def test_a_bad_standing_is_refused(standing: object) -> None:
    view = view_to_json(Deal.start(load("classic"), 0, random_hands(random.Random(1))).view(2))
    with pytest.raises(Malformed, match="NOT_A_STANDING"):
        view_of_json(view | {"standing": standing})


@settings(max_examples=40)
@given(rule_sets(), hands(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_there_and_back_by_any_rules(
    rules: RuleSet, dealt: tuple[int, int, int, int, int], dealer: int, dice: random.Random
) -> None:
    deal = dice.choice(followed(Deal.start(rules, dealer, dealt), dice))
    for seat in SEATS:
        assert view_of_json(view_to_json(deal.view(seat))) == deal.view(seat)


GOOD: dict[str, Any] = {
    "rules": "classic",
    "dealer": 4,
    "seat": 1,
    "hand": "AD 3D KD 7S 5C 4C 2H JH",
    "words": [{"do": "bid", "seat": 0, "say": "A"}],
}


def test_a_view_written_by_hand() -> None:
    view = view_of_json(GOOD)
    assert (view.public.turn, view.dealt.bit_count()) == (1, 8)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seat": 5}, "UNKNOWN_SEAT"),
        ({"dealer": True}, "UNKNOWN_SEAT"),
        ({"rules": "chess"}, "UNKNOWN_RULESET"),
        ({"rules": 7}, "UNKNOWN_RULESET"),
        ({"hand": "AD 3D"}, "NOT_EIGHT_CARDS"),
        ({"hand": "AD AD KD 7S 5C 4C 2H JH"}, "NOT_EIGHT_CARDS"),
        ({"hand": 3}, "NOT_A_HAND"),
        ({"hands": []}, "UNKNOWN_KEY"),
        ({"words": {}}, "NOT_A_LIST"),
        ({"words": [{"do": "end"}]}, "UNKNOWN_WORD"),
        ({"words": [{"do": "dealt", "hands": []}]}, "NOT_FIVE_HANDS"),
        ({"multiplier": 0}, "OUT_OF_RANGE"),
    ],
)
def test_what_cannot_be_read(change: dict[str, Any], code: str) -> None:
    with pytest.raises(Malformed) as refused:
        view_of_json(GOOD | change)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([{"do": "bid", "seat": 2, "say": "A"}], "NOT_YOUR_TURN"),
        ([{"do": "play", "seat": 0, "card": "AS"}], "WRONG_PHASE"),
        ([{"do": "bid", "seat": 0, "say": "K"}, {"do": "bid", "seat": 1, "say": "A"}], "BID_NOT_LOWER"),
    ],
)
def test_what_cannot_have_been_said(words: list[dict[str, Any]], code: str) -> None:
    with pytest.raises(Illegal) as refused:
        view_of_json(GOOD | {"words": words})
    assert refused.value.code == code


def test_another_cannot_play_my_card_or_one_that_fell() -> None:
    words = [{"do": "bid", "seat": 0, "say": "A"}, *({"do": "pass", "seat": seat} for seat in (1, 2, 3, 4))]
    words += [{"do": "call", "seat": 0, "card": "AS"}]
    for card in ("AD", "9Z"):
        with pytest.raises((Illegal, Malformed)):
            view_of_json(GOOD | {"words": [*words, {"do": "play", "seat": 0, "card": card}]})
    fallen = [{"do": "play", "seat": 0, "card": "6S"}, {"do": "play", "seat": 1, "card": "7S"}]
    with pytest.raises(Illegal):
        view_of_json(GOOD | {"words": [*words, *fallen, {"do": "play", "seat": 2, "card": "6S"}]})


def test_a_covered_card_falls_in_a_blind_first_trick_only() -> None:
    with pytest.raises(Illegal) as refused:
        view_of_json(GOOD | {"words": [{"do": "play", "seat": 0, "card": "A?"}]})
    assert refused.value.code == "CARD_NOT_IN_HAND"


def test_a_hand_thrown_in_by_another_is_a_poor_one_and_none_of_mine() -> None:
    poor = {"do": "claim", "seat": 0, "hand": "KS 6S 5H 4H 2D 6H 7H 6C"}
    view = view_of_json(GOOD | {"rules": "scighera", "words": [poor]})
    assert view.public.phase == "done"
    for hand in ("KS 6S 5H 4H AH 6H 7H 6C", "AD 3D KD 7S 5C 4C 2H JH"):
        with pytest.raises(Illegal) as refused:
            view_of_json(GOOD | {"rules": "scighera", "words": [poor | {"hand": hand}]})
        assert refused.value.code == "HAND_CLAIM_NOT_ALLOWED"


@given(junk())
def test_nonsense(line: object) -> None:
    with pytest.raises((Malformed, Illegal)):
        view_of_json(line)
    with pytest.raises((Malformed, Illegal)):
        view_of_json(GOOD | {"words": [line]})
