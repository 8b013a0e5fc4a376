"""The words of the log: one secret (Dealt) and the public ones, as JSON and as text.

A word is what somebody said or did.  In JSON it is one flat object with the
key ``do``; in text it is what a person writes by hand: ``A:K``, ``B:2@65``,
``C:pass``, ``A:call 3H``, ``D:3H``, ``B:claim``, ``C:trump S``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from chiamata.rules.cards import (
    ALL_CARDS,
    SEAT_NAMES,
    SUITS,
    Card,
    CardSet,
    Rank,
    Seat,
    Suit,
    card_name,
    card_of,
    cards_in,
    seat_of,
)
from chiamata.rules.errors import Malformed
from chiamata.rules.problem import showable


class Bid(msgspec.Struct, frozen=True):
    """A bid: a rank (``points`` 0 = the base target), the lowest rank with points, or points alone.

    Args:
        seat: who bids.
        rank: an index into the deck's ranks, -1 in an auction in points.
        points: the target named, 0 where none was named.
    """

    seat: Seat
    rank: Rank
    points: int = 0


class Pass(msgspec.Struct, frozen=True):
    """A pass in the auction (or "no claim" in a round of claims)."""

    seat: Seat


class Claim(msgspec.Struct, frozen=True):
    """A claim that the dealt hand may be thrown in; ``hand`` is shown to all (a CardSet).

    A player sends ``hand`` 0; the referee fills it in.
    """

    seat: Seat
    hand: int = 0


class Call(msgspec.Struct, frozen=True):
    """The called card.  ``shown`` uncovers the covered cards of a blind first trick.

    ``shown`` has one card per covered card, in the order of play; the referee fills it in.
    """

    seat: Seat
    card: Card
    shown: tuple[Card, ...] = ()


class Play(msgspec.Struct, frozen=True):
    """A card played.  ``card`` is ``-1 - rank`` where everybody else sees its rank only."""

    seat: Seat
    card: Card


class Trump(msgspec.Struct, frozen=True):
    """The trump named anew after the called card fell (``play.trump_change``)."""

    seat: Seat
    suit: Suit


class Dealt(msgspec.Struct, frozen=True):
    """The one secret word: five hands as CardSets, seat 0 first."""

    hands: tuple[int, int, int, int, int]


class End(msgspec.Struct, frozen=True):
    """The people at the table (or their clock) end an open or timed game after the running deal."""


Move: TypeAlias = Bid | Pass | Claim | Call | Play | Trump
"""What a seat may do; every move is public once made."""
Word: TypeAlias = Move | Dealt | End
"""Everything that can stand in a log."""


def covered(rank: Rank) -> int:
    """How a covered card of this rank is written in a public trick."""
    return -1 - rank


def bid_name(bid: Bid, ranks: tuple[str, ...]) -> str:
    """``K``, ``2@65`` or ``75``."""
    if bid.rank < 0:
        return str(bid.points)
    return ranks[bid.rank] + (f"@{bid.points}" if bid.points else "")


def bid_of(seat: Seat, text: object, ranks: tuple[str, ...], in_points: bool = False) -> Bid:
    """The bid written so; Malformed otherwise.

    Args:
        in_points: read a bare number as points even where a rank has that name.
    """
    if isinstance(text, str):
        rank, at, points = text.partition("@")
        if not at and text in ranks and not (in_points and text.isdigit()):
            return Bid(seat, ranks.index(text))
        if not at and _is_number(text):
            return Bid(seat, -1, int(text))
        if at and rank in ranks and _is_number(points):
            return Bid(seat, ranks.index(rank), int(points))
    raise Malformed(
        "UNKNOWN_BID", "say", text, f"Write a rank of {' '.join(ranks)}, a rank with points (2@65) or points (75)."
    )


def _is_number(text: str) -> bool:
    """One to four plain digits, the first not 0: nothing else that int() would take, and one way to write each."""
    return text.isascii() and text.isdigit() and len(text) <= 4 and text[0] != "0"


def check(word: object) -> None:
    """Malformed unless this is a word and each of its values is one that such a word can have."""
    match word:
        case Play(seat, card):
            fits = type(card) is int and -10 <= card <= 39
        case Bid(seat, rank, points):
            fits = type(rank) is int and -1 <= rank <= 9 and type(points) is int and 0 <= points <= 9999
        case Pass(seat):
            fits = True
        case Call(seat, card, shown):
            fits = type(shown) is tuple and len(shown) <= 5 and all(_is_card(one) for one in (card, *shown))
        case Claim(seat, hand):
            fits = type(hand) is int and 0 <= hand <= ALL_CARDS
        case Trump(seat, suit):
            fits = type(suit) is int and 0 <= suit <= 3
        case _:
            raise Malformed("UNKNOWN_WORD", "word", word, f"Give one of {' '.join(_KEYS)}.")
    if type(seat) is not int or not 0 <= seat <= 4:
        raise Malformed("UNKNOWN_SEAT", "seat", seat, "Write a whole number from 0 to 4.")
    if not fits:
        raise Malformed(
            "OUT_OF_RANGE",
            type(word).__name__,
            [getattr(word, name) for name in word.__struct_fields__],
            "No such card, rank, suit or number.",
        )


def _is_card(card: object) -> bool:
    return type(card) is int and 0 <= card <= 39


# --- JSON -----------------------------------------------------------------------------------------


def to_json(word: Word, ranks: tuple[str, ...]) -> dict[str, Any]:
    """The word as a flat JSON object: ``{"do": "play", "seat": 0, "card": "AD"}``."""
    match word:
        case Bid(seat):
            return {"do": "bid", "seat": seat, "say": bid_name(word, ranks)}
        case Pass(seat):
            return {"do": "pass", "seat": seat}
        case Claim(seat, hand):
            return {"do": "claim", "seat": seat} | ({"hand": _hand_text(hand, ranks)} if hand else {})
        case Call(seat, card, shown):
            line: dict[str, Any] = {"do": "call", "seat": seat, "card": card_name(card, ranks)}
            return line | ({"shown": [card_name(one, ranks) for one in shown]} if shown else {})
        case Play(seat, card):
            name = card_name(card, ranks) if card >= 0 else ranks[-1 - card] + "?"
            return {"do": "play", "seat": seat, "card": name}
        case Trump(seat, suit):
            return {"do": "trump", "seat": seat, "suit": SUITS[suit]}
        case Dealt(hands):
            return {"do": "dealt", "hands": [_hand_text(hand, ranks) for hand in hands]}
        case _:
            return {"do": "end"}


_KEYS = {
    "bid": {"seat", "say"},
    "pass": {"seat"},
    "claim": {"seat", "hand"},
    "call": {"seat", "card", "shown"},
    "play": {"seat", "card"},
    "trump": {"seat", "suit"},
    "dealt": {"hands"},
    "end": set(),
}


def from_json(line: object, ranks: tuple[str, ...], in_points: bool = False) -> Word:
    """The word that this decoded JSON object says; Malformed, with the field, for anything else."""
    if not isinstance(line, dict):
        raise Malformed("NOT_AN_OBJECT", "word", line, 'Write an object such as {"do": "pass", "seat": 0}.')
    do = line.get("do")
    if not isinstance(do, str) or do not in _KEYS:
        raise Malformed("UNKNOWN_WORD", "do", do, f"Write one of {' '.join(_KEYS)}.")
    for key in line:
        if key != "do" and key not in _KEYS[do]:
            raise Malformed(
                "UNKNOWN_KEY",
                str(showable(key)),
                line[key],
                f"A {do} has {' '.join(sorted(_KEYS[do])) or 'no more keys'}.",
            )
    if do == "end":
        return End()
    if do == "dealt":
        return Dealt(_five_hands(line.get("hands"), ranks))
    seat = line.get("seat")
    if type(seat) is not int or not 0 <= seat <= 4:
        raise Malformed("UNKNOWN_SEAT", "seat", seat, "Write a whole number from 0 to 4.")
    return _move(do, seat, line, ranks, in_points)


def _move(do: str, seat: Seat, line: dict[str, Any], ranks: tuple[str, ...], in_points: bool) -> Move:
    match do:
        case "bid":
            return bid_of(seat, line.get("say"), ranks, in_points)
        case "pass":
            return Pass(seat)
        case "claim":
            return Claim(seat, _hand(line["hand"], "hand", ranks) if "hand" in line else 0)
        case "call":
            shown = line.get("shown", [])
            if not isinstance(shown, list):
                raise Malformed("NOT_A_LIST", "shown", shown, "Write a list of cards.")
            return Call(seat, card_of(line.get("card"), ranks), tuple(card_of(one, ranks) for one in shown))
        case "play":
            return Play(seat, _played_card(line.get("card"), ranks))
        case _:
            return Trump(seat, _suit(line.get("suit")))


def _played_card(name: object, ranks: tuple[str, ...]) -> Card:
    """``3H``, or ``3?`` for a covered card."""
    if isinstance(name, str) and name.endswith("?") and name[:-1] in ranks:
        return covered(ranks.index(name[:-1]))
    return card_of(name, ranks)


def _suit(name: object) -> Suit:
    if isinstance(name, str) and name in SUITS:
        return SUITS.index(name)
    raise Malformed("UNKNOWN_SUIT", "suit", name, "Write one of C H D S.")


def _hand_text(hand: CardSet, ranks: tuple[str, ...]) -> str:
    return " ".join(card_name(card, ranks) for card in cards_in(hand))


def _hand(text: object, where: str, ranks: tuple[str, ...]) -> CardSet:
    if not isinstance(text, str):
        raise Malformed("NOT_A_HAND", where, text, "Write eight cards with spaces between them.")
    hand = 0
    for name in text.split():
        card = card_of(name, ranks)
        if hand >> card & 1:
            raise Malformed("CARD_TWICE", where, name, "Name each card once.")
        hand |= 1 << card
    if hand.bit_count() != 8:
        raise Malformed("NOT_EIGHT_CARDS", where, text, "Write eight cards with spaces between them.")
    return hand


def _five_hands(hands: object, ranks: tuple[str, ...]) -> tuple[int, int, int, int, int]:
    if not isinstance(hands, list) or len(hands) != 5:
        raise Malformed("NOT_FIVE_HANDS", "hands", hands, "Write a list of five hands.")
    a, b, c, d, e = (_hand(hand, f"hands[{seat}]", ranks) for seat, hand in enumerate(hands))
    if a | b | c | d | e != ALL_CARDS:
        raise Malformed("CARD_TWICE", "hands", hands, "Each of the 40 cards is in exactly one hand.")
    return a, b, c, d, e


# --- text -----------------------------------------------------------------------------------------


def to_text(word: Word, ranks: tuple[str, ...]) -> str:
    """The word as a person writes it: ``A:K``, ``B:pass``, ``A:call 3H``, ``D:3H``."""
    match word:
        case Bid(seat):
            said = bid_name(word, ranks)
        case Pass(seat):
            said = "pass"
        case Claim(seat):
            said = "claim"
        case Call(seat, card):
            said = f"call {card_name(card, ranks)}"
        case Play(seat, card):
            said = card_name(card, ranks) if card >= 0 else ranks[-1 - card] + "?"
        case Trump(seat, suit):
            said = f"trump {SUITS[suit]}"
        case Dealt(hands):
            return "\n".join(f"{SEAT_NAMES[seat]}  {_hand_text(hand, ranks)}" for seat, hand in enumerate(hands))
        case _:
            return "end"
    return f"{SEAT_NAMES[seat]}:{said}"


def from_text(text: str, ranks: tuple[str, ...], in_points: bool = False) -> Move:
    """The move written so; a card name alone is a play, a rank or a number alone is a bid."""
    name, colon, said = text.partition(":")
    if not colon:
        raise Malformed("UNKNOWN_WORD", "move", text, "Write a seat, a colon and what it does: A:K, B:pass, C:3H.")
    seat = seat_of(name.strip())
    verb, _, object_ = said.strip().partition(" ")
    object_ = object_.strip()
    if verb in ("pass", "claim") and not object_:
        return Pass(seat) if verb == "pass" else Claim(seat)
    if verb == "call":
        return Call(seat, card_of(object_, ranks))
    if verb == "trump":
        return Trump(seat, _suit(object_))
    if not object_ and verb[:-1] in ranks and (verb[-1:] in SUITS or verb[-1:] == "?"):
        return Play(seat, _played_card(verb, ranks))
    return bid_of(seat, said.strip(), ranks, in_points)
