"""Who is the partner?  The odds of each seat, from what it fed and whom it beat.

Nobody but the partner knows whom the caller's called card made a friend, so
the others judge by behaviour: each card played by a seat is put into a kind
(what the trick looked like, what the seat did) and each kind carries a weight,
the logarithm of how much oftener a partner does that than a defender.
``EVIDENCE`` was counted in games of this bot against itself by
``tools/fit_bots.py``; it says nothing about any one deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

from chiamata.bots.evidence import EVIDENCE
from chiamata.bots.pack import Pack, pack_of
from chiamata.rules.cards import Card, Seat, Suit
from chiamata.rules.public import Public

TEMPER = 0.8
"""Evidence is taken at this discount: cards of one seat are not independent, and a wrong certainty is dear."""


def partner_odds(public: Public, viewer: Seat) -> tuple[float, float, float, float, float]:
    """The probability of each seat to hold (or to have been dealt) the called card, 0 for the caller.

    Args:
        viewer: a seat that is known not to be the partner; -1 for somebody who holds no cards.
    """
    if public.partner >= 0:
        a, b, c, d, e = (float(seat == public.partner != public.caller) for seat in range(5))
        return a, b, c, d, e
    weights = [0.0 if seat in (viewer, public.caller) else 1.0 for seat in range(5)]
    if public.called >= 0:
        score = [0.0] * 5
        for seat, kind in kinds(public):
            score[seat] += EVIDENCE.get(kind, 0.0)
        weights = [weight * exp(TEMPER * score[seat]) for seat, weight in enumerate(weights)]
    whole = sum(weights)
    a, b, c, d, e = (weight / whole for weight in weights)
    return a, b, c, d, e


def kinds(public: Public) -> Iterator[tuple[Seat, str]]:
    """Each card played by somebody else than the caller: the seat and the kind of thing it did."""
    pack = pack_of(public.rules)
    blind = public.rules.call.timing == "after_first_trick"
    for number, trick in enumerate(public.tricks):
        trump = -1 if blind and number == 0 else public.trump
        yield from _kinds_in(pack, (trick.leader, public.caller), trick.cards, trump)
    if public.trick and public.trump >= 0:
        yield from _kinds_in(pack, (public.leader, public.caller), public.trick, public.trump)


def _kinds_in(pack: Pack, who: tuple[Seat, Seat], cards: tuple[Card, ...], trump: Suit) -> Iterator[tuple[Seat, str]]:
    leader, caller = who
    callers_place = (caller - leader) % 5
    best, holder, worth = cards[0], 0, 0
    for place, card in enumerate(cards):
        takes = place == 0 or pack.beats(card, best, trump)
        if place != callers_place:
            yield (leader + place) % 5, _kind(pack, card, (place, callers_place, holder), (takes, worth, trump))
        if takes:
            best, holder = card, place
        worth += pack.points[card]


def _kind(pack: Pack, card: Card, places: tuple[int, int, int], trick: tuple[bool, int, Suit]) -> str:
    place, callers_place, holder = places
    takes, worth, trump = trick
    points = pack.points[card]
    gift = "carico" if points >= pack.rich else "figure" if points else "smooth"
    if place == 0:
        return f"lead trump {gift}" if card // 10 == trump else f"lead {gift}"
    open_still = "caller to come" if callers_place > place else "caller beaten"
    when = "caller wins" if holder == callers_place else open_still
    last = " last" if place == 4 else ""
    if takes:
        rich = "rich" if worth >= pack.rich else "poor"
        return f"{when}{last}: takes {rich} with {'trump' if card // 10 == trump else 'suit'}"
    return f"{when}{last}: {gift}"
