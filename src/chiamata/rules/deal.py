"""The referee of one deal: Public and five hands."""

from __future__ import annotations

import msgspec

from chiamata.rules.cards import ALL_CARDS, Card, CardSet, Seat
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.moves import Call, Claim, Move, Play, check
from chiamata.rules.public import Public, advance, as_seen, legal, start, why_not
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View

Hands = tuple[CardSet, CardSet, CardSet, CardSet, CardSet]


class Deal(msgspec.Struct, frozen=True):
    """One deal with all it hides.

    Args:
        dealt: five hands of eight cards as they were dealt.
        covered: the true cards that lie face down in a blind first trick, with their seats.
    """

    public: Public
    dealt: Hands
    covered: tuple[tuple[Seat, Card], ...] = ()

    @classmethod
    def start(cls, rules: RuleSet, dealer: Seat, hands: Hands, multiplier: int = 1) -> Deal:
        """The deal before anybody has spoken; Malformed unless each card is in exactly one hand of eight."""
        if type(dealer) is not int or not 0 <= dealer <= 4:
            raise Malformed("UNKNOWN_SEAT", "dealer", dealer, "Write a whole number from 0 to 4.")
        if type(hands) is not tuple or len(hands) != 5:
            raise Malformed("NOT_FIVE_HANDS", "hands", hands, "Give a tuple of five hands.")
        union = 0
        for seat, hand in enumerate(hands):
            if type(hand) is not int or not 0 <= hand <= ALL_CARDS or hand.bit_count() != 8 or union & hand:
                raise Malformed("NOT_FIVE_HANDS", f"hands[{seat}]", hand, "Deal eight of the 40 cards to each seat.")
            union |= hand
        return cls(start(rules, dealer, multiplier), hands)

    def legal(self, seat: Seat) -> tuple[Move, ...]:
        """Every move that this seat may make now, sorted."""
        return legal(self.public, seat, self.dealt[seat])

    def why_not(self, move: Move) -> str | None:
        """The refusal code for this move, or None; Malformed if there can be no such move."""
        check(move)
        return why_not(self.public, move.seat, self.dealt[move.seat], move)

    def apply(self, move: Move) -> Deal:
        """The deal after this move; Illegal, with its code, if it is not allowed now; Malformed if it never can be."""
        code = self.why_not(move)
        if code is not None:
            raise Illegal(code)
        return self.follow(move)

    def follow(self, move: Move) -> Deal:
        """The deal after a move that is known to be legal."""
        match move:
            case Play(seat, card):
                seen = as_seen(self.public, move)
                if seen is move:
                    return Deal(advance(self.public, move), self.dealt, self.covered)
                return Deal(advance(self.public, seen), self.dealt, (*self.covered, (seat, card)))
            case Call(seat, card):
                shown = tuple([hidden for _, hidden in self.covered])
                return Deal(advance(self.public, Call(seat, card, shown)), self.dealt)
            case Claim(seat):
                return Deal(advance(self.public, Claim(seat, self.dealt[seat])), self.dealt, self.covered)
        return Deal(advance(self.public, move), self.dealt, self.covered)

    def view(self, seat: Seat) -> View:
        """What this seat may know; -1 for a watcher."""
        if seat < 0:
            return View(self.public, -1, 0)
        return View(self.public, seat, self.dealt[seat], dict(self.covered).get(seat, -1))
