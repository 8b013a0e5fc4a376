"""What a hand is worth as the caller's: the points that its side should make with a called card.

The estimate is a sum of weights over what one sees in a hand (own trumps by
strength, aces and threes beside, the called card).  ``weights.py`` holds
them; ``tools/fit_bots.py`` finds them by least squares over games of this
bot against itself.
"""

from __future__ import annotations

from chiamata.bots.pack import Pack
from chiamata.bots.weights import SOLO, WITH_PARTNER
from chiamata.rules.cards import SUIT_CARDS, Card, CardSet, Suit, cards_in

FEATURES = (
    "one",
    *(f"own trump {place}" for place in range(10)),
    *(f"called {place}" for place in range(10)),
    "trumps squared",
    "stronger trumps out",
    "side masters",
    "side seconds",
    "side pairs",
    "other side points",
    "side suits",
)
"""Names of the features, in the order of the weights; places are strengths, 9 for the strongest."""


def features(pack: Pack, hand: CardSet, trump: Suit, called: Card) -> list[float]:
    """What counts in a hand if this trump is named with this called card (``called`` in hand: a solo)."""
    own = hand & SUIT_CARDS[trump]
    row = [0.0] * len(FEATURES)
    row[0] = 1.0
    for card in cards_in(own):
        row[1 + pack.strength[card]] = 1.0
    row[11 + pack.strength[called]] = 1.0
    row[21] = float(own.bit_count() ** 2)
    row[22] = float((pack.above[called] & ~own).bit_count())
    for suit in range(4):
        side = hand & SUIT_CARDS[suit]
        if suit != trump and side:
            _side_suit(pack, side, row)
    return row


def _side_suit(pack: Pack, side: CardSet, row: list[float]) -> None:
    strengths = {pack.strength[card] for card in cards_in(side)}
    row[23] += 9 in strengths
    row[24] += 8 in strengths
    row[25] += {8, 9} <= strengths
    row[26] += sum(pack.points[card] for card in cards_in(side) if pack.strength[card] < 8)
    row[27] += 1


def expected_points(pack: Pack, hand: CardSet, called: Card, solo: bool) -> float:
    """The card points that the caller's side should make: the mean over all ways the other cards may lie.

    Args:
        hand: the caller's cards, eight or fewer.
        solo: whether the caller was dealt the called card.
    """
    row = features(pack, hand, called // 10, called)
    estimate = sum([weight * one for weight, one in zip(SOLO if solo else WITH_PARTNER, row, strict=True)])
    return estimate * pack.total / 120
