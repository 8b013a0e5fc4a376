"""Cards as small integers, sets of cards as 40-bit integers, and their text names.

A card is ``suit * 10 + rank`` with the suits in the order C, H, D, S (bastoni,
coppe, denari, spade) and the rank an index into the ranks of the deck in use,
so that every deck of ten ranks has the same 40 cards.  A CardSet has bit
``1 << card`` set for each card it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from chiamata.rules.errors import Malformed

Card: TypeAlias = int
"""0 to 39: ``suit * 10 + rank``."""
CardSet: TypeAlias = int
"""A set of cards: bit ``1 << card``."""
Suit: TypeAlias = int
"""0 to 3: an index into SUITS."""
Rank: TypeAlias = int
"""0 to 9: an index into the ranks of the deck, strongest for the pack's own order first."""
Seat: TypeAlias = int
"""0 to 4 in order of play; -1 where there is none."""

SUITS = ("C", "H", "D", "S")
"""bastoni, coppe, denari, spade: the order in which a shuffled pack is numbered."""
ITALIAN_RANKS = ("A", "3", "K", "Q", "J", "7", "6", "5", "4", "2")
"""Q is the cavallo, J the fante."""
SEAT_NAMES = "ABCDE"
SEATS = (0, 1, 2, 3, 4)
ALL_CARDS: CardSet = (1 << 40) - 1
SUIT_CARDS: tuple[CardSet, ...] = tuple(((1 << 10) - 1) << (10 * suit) for suit in range(4))
"""The ten cards of each suit."""


def suit_of(card: Card) -> Suit:
    """The suit of a card."""
    return card // 10


def rank_of(card: Card) -> Rank:
    """The rank of a card, an index into the ranks of its deck."""
    return card % 10


def card_name(card: Card, ranks: tuple[str, ...] = ITALIAN_RANKS) -> str:
    """The text name of a card: ``card_name(10)`` is ``'AH'``."""
    return ranks[card % 10] + SUITS[card // 10]


def card_of(name: object, ranks: tuple[str, ...] = ITALIAN_RANKS) -> Card:
    """The card with this text name; Malformed if there is none."""
    if isinstance(name, str) and name[-1:] in SUITS and name[:-1] in ranks:
        return SUITS.index(name[-1:]) * 10 + ranks.index(name[:-1])
    raise Malformed(
        "UNKNOWN_CARD", "card", name, f"Write a rank of {' '.join(ranks)} and a suit of C H D S, such as {ranks[0]}H."
    )


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: CardSet) -> Iterator[Card]:
    """The cards of a set, lowest number first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def seat_of(name: object) -> Seat:
    """The seat with this letter, A to E; Malformed if there is none."""
    if isinstance(name, str) and len(name) == 1 and name in SEAT_NAMES:
        return SEAT_NAMES.index(name)
    raise Malformed("UNKNOWN_SEAT", "seat", name, "Write one letter from A to E.")
