"""Seeded positions like those of real play: for tests, for training the move ordering, for benchmarks."""

from __future__ import annotations

from random import Random

from chiamata.racer.jobs import Position, Variant
from chiamata.racer.mirror import Play, dealt, winning_place
from chiamata.rules.cards import SUIT_CARDS, Card, CardSet, Seat, Suit, cards_in

POINTS = (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)
"""Of A 3 K Q J 7 6 5 4 2."""
NOISE = 0.15
"""How often the greedy player plays any card instead."""
SOLO_EVERY = 10
"""One deal in ten is a solo."""


def classic(trump: Suit) -> Variant:
    """The usual cards and no duty to follow."""
    return Variant(POINTS * 4, tuple(range(9, -1, -1)) * 4, trump)


def example(seed: int, tricks: int, variant: Variant | None = None) -> tuple[Variant, Position]:
    """An auction-like deal played down to ``tricks`` tricks.

    The strongest suit at the table is called, the partner holds the highest missing trump, and the
    earlier tricks are played by a greedy player with some noise.  ``taken`` is the caller's side's points.

    Args:
        variant: rules other than ``classic``; its trump is replaced by the suit that is called.
    """
    random = Random(seed * 8 + tricks)
    pack = list(range(40))
    random.shuffle(pack)
    hands = dealt(pack)
    caller, trump = _strongest(random, hands)
    base = variant or classic(0)
    rules = Variant(
        base.points,
        base.strength,
        trump,
        base.follow_last,
        base.first_plain,
        base.trump_change,
        _called(base, hands[caller], trump) if base.trump_change else -1,
        base.per_trick,
    )
    called = _called(base, hands[caller], trump)
    partner = next(seat for seat in range(5) if hands[seat] >> called & 1)
    side = 1 << caller | (0 if seed % SOLO_EVERY == SOLO_EVERY - 1 else 1 << partner)
    play = Play.start(rules, Position(hands, side, random.randrange(5)))
    while play.naming >= 0 or play.table or play.hands[play.leader].bit_count() > tricks:
        moves = play.moves()
        noisy = play.naming >= 0 or random.random() < NOISE
        play = play.after(random.choice(moves) if noisy else max(moves, key=lambda card: greed(play, card)))
    a, b, c, d, e = play.hands
    fallen = rules if play.pending >= 0 or not rules.trump_change else Variant(base.points, base.strength, play.trump)
    return fallen, Position((a, b, c, d, e), side, play.leader, (), play.taken)


def greed(play: Play, card: Card) -> int:
    """How much a simple player likes a card: the last takes fat tricks, partners feed, else the cheapest goes."""
    points, strength = play.variant.points[card], play.variant.strength[card]
    dear = 8 + strength if card // 10 == play.trump else 0
    place, table = len(play.table), play.table
    if not table:
        return -3 * points - dear
    full = (*table, *([table[0]] * (4 - place)), card)
    takes = winning_place(play.variant, full, play.trump) == 4
    holder = winning_place(play.variant, (*table, *([table[0]] * (5 - place))), play.trump)
    holding_seat = (play.leader + holder) % 5
    ours = bool(play.side >> holding_seat & 1) == play.callers_turn
    pot = sum(play.variant.points[one] for one in table)
    if place == 4 and ours and not takes:
        return 3 * points - (10 if dear else 0)
    if place == 4 and takes:
        return 2 * (pot + points) - (10 + strength if dear else 0)
    if (
        place >= 2
        and ours
        and not takes
        and table[holder] // 10 == play.trump
        and play.variant.strength[table[holder]] >= 7
    ):
        return 2 * points - (10 if dear else 0)
    return pot - points - dear if takes else -3 * points - dear


def _strongest(random: Random, hands: tuple[CardSet, ...]) -> tuple[Seat, Suit]:
    def merit(seat: Seat, suit: Suit) -> int:
        trumps = sum(24 - 2 * (card % 10) for card in cards_in(hands[seat] & SUIT_CARDS[suit]))
        return (
            trumps
            + 5 * sum(card % 10 < 2 and card // 10 != suit for card in cards_in(hands[seat]))
            + random.randrange(3)
        )

    return max(((seat, suit) for seat in range(5) for suit in range(4)), key=lambda pair: merit(*pair))


def _called(variant: Variant, hand: CardSet, trump: Suit) -> Card:
    """The strongest trump that the caller lacks."""
    missing = cards_in(SUIT_CARDS[trump] & ~hand)
    return max(missing, key=lambda card: variant.strength[card])
