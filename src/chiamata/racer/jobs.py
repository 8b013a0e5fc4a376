"""What the racer is asked and what it answers: plain values, the same for the compiled core and its mirror."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chiamata.rules.cards import Card, CardSet, Seat, Suit

MOST_POINTS = 240
"""All cards and tricks together; the core keeps points in one byte."""
BINS = 256
"""How many numbers a histogram of points has."""


class Unsound(ValueError):
    """A variant or a position that cannot be: cards twice, hands of unequal length, no such seat."""


@dataclass(frozen=True)
class Variant:
    """How cards are played and counted, as plain numbers.

    Args:
        points: of each of the 40 cards; the four cards of a rank are worth the same.
        strength: of each card inside its suit, 9 strongest to 0 weakest.
        trump: suit 0 to 3.
        follow_last: the last so many tricks must follow suit; 0 never, 8 always.
        first_plain: trick 1 is played without trumps.
        trump_change: who plays the called card names the trump of the tricks after it.
        called: the called card; it matters only where the trump changes, -1 elsewhere.
        per_trick: points for taking a trick at all.
    """

    points: tuple[int, ...]
    strength: tuple[int, ...]
    trump: Suit
    follow_last: int = 0
    first_plain: bool = False
    trump_change: bool = False
    called: Card = -1
    per_trick: int = 0

    def counting_tricks(self) -> Variant:
        """The same play where each trick counts 1 and cards nothing: for "all tricks" (cappotto)."""
        return replace(self, points=(0,) * 40, per_trick=1)


@dataclass(frozen=True)
class Position:
    """Open cards, anywhere in a deal.

    Args:
        hands: the cards that each seat still holds.
        side: bit mask of the seats of the caller's side; one bit alone is a solo.
        leader: who led, or will lead, this trick.
        table: cards already played to this trick, in the order of play.
        taken: points that the caller's side has already.
    """

    hands: tuple[CardSet, CardSet, CardSet, CardSet, CardSet]
    side: int
    leader: Seat
    table: tuple[Card, ...] = ()
    taken: int = 0

    @property
    def turn(self) -> Seat:
        """The seat to play."""
        return (self.leader + len(self.table)) % 5


@dataclass(frozen=True)
class Limits:
    """When to stop: cards played in the search, seconds; 0 is without limit."""

    nodes: int = 0
    seconds: float = 0.0


UNLIMITED = Limits()


@dataclass(frozen=True)
class Bounds:
    """The caller's side gets at least ``low`` and at most ``high`` points of the deal, all seats playing best.

    They are equal unless a limit came first.  ``nodes`` is the work done, ``card`` the card it is about
    (-1 where it is about the position itself).
    """

    low: int
    high: int
    nodes: int = 0
    card: Card = -1

    def reaches(self, target: int) -> bool | None:
        """Whether the target is reached, None where the bounds do not tell."""
        return True if self.low >= target else False if self.high < target else None


def check_variant(variant: Variant) -> None:
    """Unsound if it cannot be played."""
    if len(variant.points) != 40 or len(variant.strength) != 40:
        raise Unsound("A variant has 40 points and 40 strengths.")
    worth: dict[int, int] = {}
    for card, (points, strength) in enumerate(zip(variant.points, variant.strength, strict=True)):
        if not 0 <= strength <= 9 or not 0 <= points <= 31 or worth.setdefault(strength, points) != points:
            raise Unsound(
                f"Card {card} has strength {strength} and {points} points; its rank has other points elsewhere."
            )
    if any(sorted(variant.strength[10 * suit : 10 * suit + 10]) != list(range(10)) for suit in range(4)):
        raise Unsound("The strengths of a suit are 0 to 9, each once.")
    if sum(variant.points) + 8 * variant.per_trick > MOST_POINTS:
        raise Unsound(f"A deal has more than {MOST_POINTS} points.")
    inside = 0 <= variant.trump <= 3 and 0 <= variant.follow_last <= 8 and -1 <= variant.called <= 39
    if not inside or not 0 <= variant.per_trick <= 8:
        raise Unsound("Trump, follow_last, called or per_trick is out of range.")


def check_position(position: Position) -> None:
    """Unsound unless the hands are disjoint and have the length that the trick asks for."""
    if not (0 <= position.leader <= 4 and len(position.table) <= 4 and 0 < position.side < 32):
        raise Unsound("No such leader, table or side.")
    full = position.hands[position.turn].bit_count()
    if not (1 <= full <= 8 and 0 <= position.taken <= MOST_POINTS):
        raise Unsound("The seat to play holds 1 to 8 cards and points are not negative.")
    cards: Sequence[CardSet] = (*position.hands, *(1 << card for card in position.table))
    if sum(cards) != _union(cards) or _union(cards) >> 40:
        raise Unsound("A card stands twice, or is none of the forty.")
    for place in range(5):
        seat = (position.leader + place) % 5
        if position.hands[seat].bit_count() != full - (place < len(position.table)):
            raise Unsound(f"Seat {seat} holds {position.hands[seat].bit_count()} cards.")


def _union(cards: Sequence[CardSet]) -> CardSet:
    total = 0
    for one in cards:
        total |= one
    return total
