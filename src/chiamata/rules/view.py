"""A View: all that is public, and one seat's own cards (none for a watcher)."""

from __future__ import annotations

import msgspec

from chiamata.rules.cards import Card, CardSet, Seat
from chiamata.rules.moves import Move, check
from chiamata.rules.public import Public, legal, why_not


class Standing(msgspec.Struct, frozen=True):
    """Where the game stood as the deal began: the score sheet, which everybody sees.

    Args:
        scores: by seat.
        others: scores of those who sit this deal out.
        scored: deals made or failed before it; redeals and draws do not count.
        ending: somebody's clock or wish ends the game after it.
    """

    scores: tuple[int, int, int, int, int]
    others: tuple[int, ...] = ()
    scored: int = 0
    ending: bool = False


class View(msgspec.Struct, frozen=True):
    """What one seat may know.

    Args:
        seat: 0 to 4; -1 for a watcher.
        dealt: the eight cards the seat was dealt (0 for a watcher).
        covered: the seat's own card that lies face down in a blind first trick, else -1.
        standing: of the game that the deal belongs to; None for a deal by itself.
    """

    public: Public
    seat: Seat
    dealt: CardSet
    covered: Card = -1
    standing: Standing | None = None

    @property
    def hand(self) -> CardSet:
        """The cards still held."""
        hand = self.dealt & ~self.public.played
        return hand & ~(1 << self.covered) if self.covered >= 0 else hand

    def legal(self) -> tuple[Move, ...]:
        """Every move this seat may make now, sorted; none for a watcher."""
        return legal(self.public, self.seat, self.dealt)

    def why_not(self, move: Move) -> str | None:
        """The refusal code for this move by this seat, or None; Malformed if there can be no such move."""
        check(move)
        if move.seat != self.seat:
            return "NOT_YOUR_TURN"
        return why_not(self.public, self.seat, self.dealt, move)
