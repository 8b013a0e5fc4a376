"""Tables of one rule set's pack that the bots look into at every card."""

from __future__ import annotations

from functools import lru_cache

from chiamata.rules.cards import SUIT_CARDS, Card, CardSet, Suit, cards_in
from chiamata.rules.ruleset import RuleSet


class Pack:
    """Points, strength and what beats what.

    Attributes:
        points: card points of the 40 cards.
        strength: 9 = strongest of its suit … 0.
        above: for each card the stronger ones of its suit.
        total: card points of the whole pack.
        rich: from this many points on a card is a carico (ace or three in the Italian pack).
    """

    def __init__(self, rules: RuleSet) -> None:
        self.points = rules.points
        self.strength = rules.strength
        self.above: tuple[CardSet, ...] = tuple(
            sum(1 << other for other in cards_in(SUIT_CARDS[card // 10]) if self.strength[other] > self.strength[card])
            for card in range(40)
        )
        self.total = sum(self.points)
        self._alike = [
            (points, sum(1 << card for card in range(40) if self.points[card] == points))
            for points in sorted(set(self.points) - {0})
        ]
        self.rich = max(1, self.total // 15)

    def beats(self, card: Card, best: Card, trump: Suit) -> bool:
        """Whether ``card``, played later, takes the trick from ``best``."""
        if card // 10 == best // 10:
            return self.strength[card] > self.strength[best]
        return card // 10 == trump

    def worth(self, mask: CardSet) -> int:
        """The card points of a set."""
        return sum([points * (mask & cards).bit_count() for points, cards in self._alike])


@lru_cache(maxsize=256)
def pack_of(rules: RuleSet) -> Pack:
    """The Pack of a rule set, kept while it is in use."""
    return Pack(rules)
