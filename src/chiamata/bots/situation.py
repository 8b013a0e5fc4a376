"""What a seat can work out before it plays a card: who holds the trick, who is left, who is a friend."""

from __future__ import annotations

import msgspec

from chiamata.bots.pack import Pack, pack_of
from chiamata.bots.suspicion import partner_odds
from chiamata.rules.cards import ALL_CARDS, SUIT_CARDS, Card, CardSet, Seat, Suit
from chiamata.rules.public import cards_left
from chiamata.rules.view import View

Odds = tuple[float, float, float, float, float]


class Situation(msgspec.Struct, frozen=True):
    """One seat's turn to play.

    Args:
        trump: of this trick; -1 where it is played without, or not yet known to this seat.
        trumps_later: the trump of the tricks that follow, as far as this seat knows; -1 if it does not.
        unseen: the cards in the four other hands.
        unknown: how many those are.
        mean: the card points of an average one of them.
        best, holder: the card that wins so far and whose it is; -1, -1 for the leader.
        worth: card points on the table.
        later: the seats that play after this one, in order.
        allies: for each seat the probability that it is on this seat's side.
        exposed: how likely the table takes this seat for the partner.
        void: for each seat the suits (bits) that it is known not to hold.
    """

    view: View
    pack: Pack
    role: str
    trump: Suit
    trumps_later: Suit
    hand: CardSet
    unseen: CardSet
    unknown: int
    mean: float
    best: Card
    holder: Seat
    worth: int
    later: tuple[Seat, ...]
    allies: Odds
    exposed: float
    void: tuple[int, int, int, int, int]

    @property
    def left(self) -> int:
        """How many tricks follow this one."""
        return 7 - len(self.view.public.tricks)

    def cards_of(self, seat: Seat) -> int:
        """How many cards a seat holds."""
        return cards_left(self.view.public, seat)


def situation_of(view: View, planned: Suit = -1) -> Situation:
    """The Situation of a seat that is to play.

    Args:
        planned: the suit that this seat, as the caller, means to name after a blind first trick.
    """
    public, seat = view.public, view.seat
    pack = pack_of(public.rules)
    role = role_of(view)
    open_trump = public.trump if public.trump >= 0 else planned
    without = public.trump < 0 and public.rules.call.timing == "after_first_trick"
    trump = -1 if without else open_trump
    best, holder, worth = _table(view, pack, trump)
    covered = sum(card < 0 for card in public.trick)
    unseen = ALL_CARDS & ~public.played & ~view.dealt
    return Situation(
        view=view,
        pack=pack,
        role=role,
        trump=trump,
        trumps_later=open_trump,
        hand=view.hand,
        unseen=unseen,
        unknown=unseen.bit_count() - covered,
        mean=pack.worth(unseen) / max(unseen.bit_count(), 1),
        best=best,
        holder=holder,
        worth=worth,
        later=tuple([(seat + step) % 5 for step in range(1, 5 - len(public.trick))]),
        allies=_allies(view, role),
        exposed=partner_odds(public, -1)[seat] if role == "partner" else 0.0,
        void=voids(view),
    )


def role_of(view: View) -> str:
    """``caller``, ``partner`` or ``defender``, as this seat knows it."""
    public = view.public
    if view.seat == public.caller:
        return "caller"
    if public.called >= 0 and view.dealt >> public.called & 1:
        return "partner"
    return "defender"


def _allies(view: View, role: str) -> Odds:
    public = view.public
    if role == "partner":
        a, b, c, d, e = (float(seat == public.caller) for seat in range(5))
        return a, b, c, d, e
    odds = partner_odds(public, view.seat)
    if role == "caller":
        alone = public.called >= 0 and view.dealt >> public.called & 1
        return (0.0, 0.0, 0.0, 0.0, 0.0) if alone else odds
    a, b, c, d, e = (0.0 if seat in (public.caller, view.seat) else 1.0 - odds[seat] for seat in range(5))
    return a, b, c, d, e


def _table(view: View, pack: Pack, trump: Suit) -> tuple[Card, Seat, int]:
    """The winning card so far, its seat and the points on the table.  A covered card counts its points only."""
    public = view.public
    best, holder, worth = -1, -1, 0
    for place, card in enumerate(public.trick):
        worth += pack.points[card if card >= 0 else -1 - card]
        if card >= 0 and (best < 0 or pack.beats(card, best, trump)):
            best, holder = card, (public.leader + place) % 5
    return best, holder, worth


def voids(view: View) -> tuple[int, int, int, int, int]:
    """Suits that seats have shown not to hold, where suit must be followed."""
    public = view.public
    play = public.rules.play
    void = [0] * 5
    if play.follow_suit != "none":
        first = 0 if play.follow_suit == "always" else 8 - (play.follow_last_n or 0)
        tricks = [(trick.leader, trick.cards) for trick in public.tricks] + [(public.leader, public.trick)]
        for leader, cards in tricks[first:]:
            for place, card in enumerate(cards):
                if card >= 0 <= cards[0] and card // 10 != cards[0] // 10:
                    void[(leader + place) % 5] |= 1 << cards[0] // 10
    a, b, c, d, e = void
    return a, b, c, d, e


def suit_cards(suit: Suit) -> CardSet:
    """The cards of a suit; none for -1."""
    return SUIT_CARDS[suit] if suit >= 0 else 0
