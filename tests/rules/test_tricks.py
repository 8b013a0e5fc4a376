"""Who takes a trick: every ordered pair of cards under every trump and led suit, in every trick order there is.

``trick_winner`` is compared with a naive second writing; the pairs are embedded in tricks of five
whose other three cards can win nothing, at every two places of the trick.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from chiamata.rules.cards import Card, card_of, rank_of, suit_of
from chiamata.rules.catalogue import load, names
from chiamata.rules.public import trick_winner
from chiamata.rules.ruleset import RuleSet
from tests.rules.second_writing import best

ORDERS: dict[tuple[str, ...], str] = {}
for _name in names():
    ORDERS.setdefault(load(_name).deck.trick_order, _name)


def test_these_orders_are_among_them() -> None:
    assert {" ".join(order) for order in ORDERS} >= {
        "A 3 K Q J 7 6 5 4 2",
        "3 A K Q J 7 6 5 4 2",
        "A 10 K Q J 6 5 4 3 2",
    }


def beats(rules: RuleSet, card: Card, other: Card, trump: int, led: int) -> bool:
    """Whether a card beats another, said as plainly as it can be; a card off both suits beats nothing."""
    if suit_of(card) == suit_of(other):
        order = [rules.ranks[rank] for rank in rules.by_strength]
        higher = order.index(rules.ranks[rank_of(card)]) < order.index(rules.ranks[rank_of(other)])
        return higher and suit_of(card) in (trump, led)
    if suit_of(card) == trump:
        return True
    return suit_of(card) == led and suit_of(other) != trump


@pytest.mark.parametrize("name", ORDERS.values())
@pytest.mark.parametrize("trump", [-1, 0, 1, 2, 3])
def test_every_pair_with_the_first_card_led(name: str, trump: int) -> None:
    """The winner between a led card and any later card, wherever the later card stands."""
    rules = load(name)
    for first, second in permutations(range(40), 2):
        spare = next(suit for suit in range(4) if suit not in (suit_of(first), suit_of(second), trump))
        wins = beats(rules, second, first, trump, suit_of(first))
        for place in range(1, 5):
            cards = [first, *(spare * 10 + rank for rank in range(3))]
            cards.insert(place, second)
            assert trick_winner(rules, 0, tuple(cards), trump) == (place if wins else 0)


@pytest.mark.parametrize("name", ORDERS.values())
@pytest.mark.parametrize("trump", [-1, 0, 1, 2, 3])
def test_every_pair_behind_every_led_suit(name: str, trump: int) -> None:
    """Two cards behind the weakest card of each suit: the better one wins, or the lead does."""
    rules = load(name)
    for led in range(4):
        lead = led * 10 + rules.by_strength[-1]
        for first, second in permutations([card for card in range(40) if card != lead], 2):
            spare = next(suit for suit in range(4) if suit not in (led, trump))
            fillers = [card for card in range(spare * 10, spare * 10 + 10) if card not in (first, second)][:2]
            cards = (lead, first, fillers[0], second, fillers[1])
            wins = 0
            for place in (1, 3):
                if beats(rules, cards[place], cards[wins], trump, led):
                    wins = place
            assert trick_winner(rules, 2, cards, trump) == (2 + wins) % 5


@pytest.mark.parametrize("name", ORDERS.values())
def test_five_cards_of_every_suit_pattern_agree_with_the_second_writing(name: str) -> None:
    """Every pattern of suits in a trick, with high and low ranks dealt over it both ways."""
    rules = load(name)
    for pattern in range(4**5):
        suits = [pattern >> 2 * place & 3 for place in range(5)]
        for ranks in ((0, 1, 2, 3, 4), (9, 8, 7, 6, 5), (5, 0, 9, 1, 6)):
            cards = tuple(suit * 10 + rank for suit, rank in zip(suits, ranks, strict=True))
            for trump in (-1, 0, 1, 2, 3):
                trick = [((3 + place) % 5, rules.card_name(card)) for place, card in enumerate(cards)]
                second = best(list(rules.deck.trick_order), trick, "CHDS"[trump] if trump >= 0 else "")
                assert trick_winner(rules, 3, cards, trump) == second


def test_low_cards_have_their_order_too() -> None:
    """Cards without points are not equal, and a low trump beats a led ace."""
    rules = load("classic")
    for text in ("7C 6C", "6C 5C", "5C 4C", "4C 2C", "7C 2C"):
        higher, lower = (card_of(name) for name in text.split())
        assert trick_winner(rules, 0, (lower, higher, 30, 31, 32), trump=2) == 1
    assert trick_winner(rules, 0, (card_of("AC"), card_of("2S"), 10, 11, 12), trump=3) == 1
