"""Which card: what the trick brings to one's own side, less what the card would still bring if kept.

Every legal card gets one number in card points,

    outlook (points of this trick for my side) - keep (what the card is worth later),

and the best one is played.  In the last seat the outlook is exact.  Before
that, each later player is taken to beat the trick, or to feed it, with a
likelihood that depends on the cards unseen and on whose friend that player
seems to be.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import msgspec

from chiamata.bots.situation import Situation, suit_cards
from chiamata.rules.cards import SUIT_CARDS, Card, CardSet, Seat


class Habits(msgspec.Struct, frozen=True):
    """The numbers of the rule of thumb, found by play against neighbouring values.

    Args:
        eager, eager_slope: chance to take an empty trick with a trump, and its rise with each point on the table.
        handy, handy_slope: the same for taking in the suit that was led.
        feed, feed_last: what a friend adds to a trick, in average unseen cards, before and in the last seat.
        dump, dump_last: what an enemy of the holder adds, likewise: before the last seat in hope of a friend to come.
        bring, bring_figure: the share of its points that a kept carico, or a lesser card, brings home in the end.
        bring_trump: the same for a trump, beside what it wins.
        low, high: what the weakest and the strongest trump are worth, in average tricks still to come.
        curve: how steeply it rises between them.
        bare: the share of its points that a card led into the unknown fails to bring, against the reckoning.
        over: the share of the unseen trumps that beats a trump played on purpose.
        secret: points that it is worth to a hidden partner to stay hidden, for each trick still to come.
        disguise: how far a hidden partner trusts that the defenders take it for one of theirs.
        lead: points that it costs to lead the next trick.
    """

    eager: float = 0.10
    eager_slope: float = 0.065
    handy: float = 0.5
    handy_slope: float = 0.05
    feed: float = 1.6
    feed_last: float = 2.2
    dump: float = 0.3
    dump_last: float = 0.3
    bring: float = 0.5
    bring_figure: float = 0.5
    bring_trump: float = 0.65
    low: float = 0.1
    high: float = 0.9
    curve: float = 2.0
    bare: float = 0.0
    over: float = 0.5
    secret: float = 0.5
    disguise: float = 1.0
    lead: float = 0.0


HABITS = {
    "caller": Habits(),
    "partner": Habits(bring=0.65, disguise=0.5),
    "defender": Habits(
        eager=0.08, low=0.1, high=1.0, curve=1.8, bring=0.7, bring_figure=0.3, bring_trump=0.8, bare=0.4
    ),
}
"""By role."""


def choose_card(now: Situation, cards: Iterable[Card], habits: Habits, rng: random.Random) -> Card:
    """The best of these cards; among equals by ``rng``."""
    values = {card: value(now, card, habits) for card in cards}
    top = max(values.values())
    return rng.choice([card for card, one in values.items() if one > top - 1e-9])


def value(now: Situation, card: Card, habits: Habits) -> float:
    """What playing this card is worth to the player's side, in card points, against keeping all cards."""
    bare = habits.bare * now.pack.points[card] if not now.view.public.trick and card // 10 != now.trump else 0.0
    return outlook(now, card, habits) - bare - keep(now, card, habits)


# --- this trick -----------------------------------------------------------------------------------


class _Hold:
    """One side holding the trick: how likely, with how many points, and what of the unseen cards beats it."""

    __slots__ = ("chance", "suit", "trumps", "worth")

    def __init__(self, chance: float, worth: float, suit: float, trumps: float) -> None:
        self.chance = chance
        self.worth = worth
        self.suit = suit
        self.trumps = trumps


def outlook(now: Situation, card: Card, habits: Habits) -> float:
    """The points that this trick is expected to bring to the player's side if this card is played."""
    takes = now.best < 0 or now.pack.beats(card, now.best, now.trump)
    best = card if takes else now.best
    holder = now.view.seat if takes else now.holder
    worth = float(now.worth + now.pack.points[card])
    mine = 1.0 if takes else now.allies[holder]
    suit, trumps = _beaters(now, best)
    ours = _Hold(mine, worth, suit, trumps)
    theirs = _Hold(1.0 - mine, worth, suit, trumps)
    first = now.view.public.trick[:1]
    led = first[0] if first and first[0] >= 0 else best
    for place, seat in enumerate(now.later):
        last = place == len(now.later) - 1
        friend = now.allies[seat]
        taken_for = friend + habits.disguise * (_taken_for(now, holder, seat, friend) - friend)
        _pass_by(now, (ours, theirs), (seat, led, last), (taken_for, friend), habits)
    return ours.chance * (ours.worth - (habits.lead if takes and now.left else 0.0))


def _taken_for(now: Situation, holder: Seat, seat: Seat, friend: float) -> float:
    """How likely a later seat treats our holder as a friend: a hidden partner is taken for a defender."""
    if now.role != "partner" or now.view.public.partner >= 0 or holder != now.view.seat:
        return friend
    return now.exposed if seat == now.view.public.caller else 1.0 - now.exposed


def _beaters(now: Situation, best: Card) -> tuple[float, float]:
    """How many unseen cards beat this one: in its own suit, and by trumping."""
    above = (now.unseen & now.pack.above[best]).bit_count()
    if best // 10 == now.trump:
        return 0.0, float(above)
    return float(above), float((now.unseen & suit_cards(now.trump)).bit_count())


def _pass_by(
    now: Situation,
    holds: tuple[_Hold, _Hold],
    who: tuple[Seat, Card, bool],
    friend: tuple[float, float],
    habits: Habits,
) -> None:
    """One later seat plays: it takes the trick from an enemy, feeds a friend, or throws little."""
    ours, theirs = holds
    seat, led, last = who
    mean = now.mean
    feed = mean * (habits.feed_last if last else habits.feed)
    dump = mean * (habits.dump_last if last else habits.dump)
    from_us = (1.0 - friend[0]) * _takes(now, ours, (seat, led), habits) if ours.chance else 0.0
    from_them = friend[1] * _takes(now, theirs, (seat, led), habits) if theirs.chance else 0.0
    lost, won = ours.chance * from_us, theirs.chance * from_them
    stay, away = ours.chance - lost, theirs.chance - won
    stay_worth = ours.worth + friend[0] * feed + (1.0 - friend[0]) * dump
    away_worth = theirs.worth + (1.0 - friend[1]) * feed + friend[1] * dump
    suit, trumps = ours.suit, ours.trumps
    _blend(ours, (stay, stay_worth, suit, trumps), (won, theirs.worth + mean, 0.0, theirs.trumps * habits.over))
    _blend(theirs, (away, away_worth, theirs.suit, theirs.trumps), (lost, ours.worth + mean, 0.0, trumps * habits.over))


def _blend(hold: _Hold, one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> None:
    hold.chance = chance = one[0] + other[0]
    if chance > 0:
        share = other[0] / chance
        hold.worth = one[1] + share * (other[1] - one[1])
        hold.suit = one[2] + share * (other[2] - one[2])
        hold.trumps = one[3] + share * (other[3] - one[3])


def _takes(now: Situation, hold: _Hold, who: tuple[Seat, Card], habits: Habits) -> float:
    """The chance that this seat, wishing to, has what beats the trick and spends it."""
    seat, led = who
    cards = now.cards_of(seat)
    unknown = max(now.unknown, 1)
    suit = 0.0 if now.void[seat] >> led // 10 & 1 else hold.suit
    has_suit = 1.0 - max(0.0, 1.0 - suit / unknown) ** cards
    has_trump = 1.0 - max(0.0, 1.0 - hold.trumps / unknown) ** cards
    if _must_follow(now) and led // 10 != now.trump and not now.void[seat] >> led // 10 & 1:
        same = (now.unseen & SUIT_CARDS[led // 10]).bit_count()
        has_trump *= max(0.0, 1.0 - same / unknown) ** cards
    by_suit = has_suit * min(0.95, habits.handy + habits.handy_slope * hold.worth)
    by_trump = has_trump * min(0.95, habits.eager + habits.eager_slope * hold.worth)
    return 1.0 - (1.0 - by_suit) * (1.0 - by_trump)


def _must_follow(now: Situation) -> bool:
    play = now.view.public.rules.play
    if play.follow_suit == "last_n":
        return now.left < (play.follow_last_n or 0)
    return play.follow_suit == "always"


# --- later tricks ---------------------------------------------------------------------------------


def keep(now: Situation, card: Card, habits: Habits) -> float:
    """The points that this card is expected to bring to the player's side if it is kept."""
    left = now.left
    if left == 0:
        return 0.0
    public = now.view.public
    points = now.pack.points[card]
    hidden = card == public.called and now.role == "partner"
    price = habits.secret * left if hidden else 0.0
    if card // 10 != now.trumps_later:
        # A card without points costs nothing; of such cards the weakest goes first.
        share = habits.bring if points >= now.pack.rich else habits.bring_figure
        return price + points * share * min(1.0, (left + 1) / 4) + 0.02 * now.pack.strength[card]
    still = _worth_to_come(now) / (left + 1)
    strong: float = _rank_among(now, card) ** habits.curve
    return price + habits.bring_trump * points + still * (habits.low + (habits.high - habits.low) * strong)


def _worth_to_come(now: Situation) -> int:
    """The card points in all hands, the player's own included."""
    return now.pack.total - sum(now.view.public.points) - now.worth


def _rank_among(now: Situation, card: Card) -> float:
    """1 for the best trump still out, down to 0 for the worst, among the trumps not yet seen."""
    unseen: CardSet = now.unseen & suit_cards(now.trumps_later)
    above = (unseen & now.pack.above[card]).bit_count()
    return 1.0 - above / (unseen.bit_count() + 1)
