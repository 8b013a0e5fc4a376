"""Advice in words: which sentences say why a move is best.  A function of the View and of the advice drawn from it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from chiamata.bots.advice import Advice
from chiamata.bots.bidding import purse_of
from chiamata.bots.situation import Situation, role_of, situation_of
from chiamata.rules.cards import SUIT_CARDS, SUITS, Card, Seat
from chiamata.rules.moves import Bid, Call, Claim, Pass, Play, Trump, to_json
from chiamata.rules.view import View

LIKELY = 0.5
"""From this probability on somebody is spoken of as a friend."""
SUSPECT = 0.45
"""From this probability on somebody is named as the likely partner; four unknown seats have 0.25 each."""
CLOSE = 0.05
"""Two cards whose expected payoffs differ by less are spoken of as about as good."""

Args = dict[str, str | int | float]


class Reason(msgspec.Struct, frozen=True):
    """One sentence: its key in the section ``hints`` of the locales, and what goes into its places.

    ``seat`` is a seat, ``card`` and ``other`` are card names, ``suit`` is a suit's letter, ``value`` and ``less``
    are payoffs, ``points`` are card points, ``percent`` is a probability.
    """

    key: str
    args: Args = {}


def reasons_of(view: View, advice: Advice) -> tuple[Reason, ...]:
    """Why the advice's best move is best, the weightiest reason first."""
    best = advice.best
    if len(view.legal()) == 1:
        return (Reason("only"),)
    match best:
        case Play(_, card):
            found = [*_of_play(view, advice, card), *_of_the_next(view, advice), *_of_belief(view, advice)]
        case Call(_, card):
            found = [*_of_call(view, card), *_of_the_next(view, advice)]
        case Trump(_, suit):
            found = [Reason("trump", {"suit": SUITS[suit], "n": _held(view, suit)})]
        case Bid():
            found = [*_of_bid(view, best), *_of_passing(advice, "bid_pays")]
        case Claim():
            found = [Reason("claim")]
        case _:
            found = list(_of_passing(advice, "pass_pays")) or [Reason("pass")]
    return tuple(found)


def _held(view: View, suit: int) -> int:
    return (view.hand & SUIT_CARDS[suit]).bit_count()


# --- the auction ----------------------------------------------------------------------------------


def _of_bid(view: View, bid: Bid) -> Iterator[Reason]:
    rules = view.public.rules
    _, card = purse_of(rules, view.dealt).call_for(bid)
    yield Reason("bid_for", {"card": rules.card_name(card), "n": _held(view, card // 10)})


def _of_passing(advice: Advice, key: str) -> Iterator[Reason]:
    """What bidding pays and what passing does, where both were weighed."""
    bids = [one.value for one in advice.moves if isinstance(one.move, Bid)]
    passes = [one.value for one in advice.moves if isinstance(one.move, Pass)]
    if bids and passes:
        yield Reason(key, {"value": round(bids[0], 2), "less": round(passes[0], 2)})


def _of_call(view: View, card: Card) -> Iterator[Reason]:
    own = bool(view.dealt >> card & 1)
    suit = card // 10
    yield Reason("call_own" if own else "call", {"suit": SUITS[suit], "n": _held(view, suit)})


# --- play -----------------------------------------------------------------------------------------


def _of_play(view: View, advice: Advice, card: Card) -> Iterator[Reason]:
    now, public = situation_of(view), view.public
    if public.trick and (now.holder < 0 or (public.trump < 0 and public.rules.call.timing != "after_first_trick")):
        yield Reason("blind")
    else:
        yield _of_lead(now, card) if now.holder < 0 else _of_following(now, advice, card)
    if card == public.called and public.partner < 0:
        yield Reason("shows_alone" if now.role == "caller" else "shows")


def _of_lead(now: Situation, card: Card) -> Reason:
    if card // 10 == now.trump:
        return Reason("lead_trump")
    points = now.pack.points[card]
    return Reason("lead_points", {"points": points}) if points else Reason("lead_low")


def _of_following(now: Situation, advice: Advice, card: Card) -> Reason:
    points = now.pack.points[card]
    if now.pack.beats(card, now.best, now.trump):
        lying = now.worth + points
        if not now.later:
            return Reason("takes_last", {"points": lying})
        return Reason("takes", {"points": lying, "n": len(now.later)})
    seat, friend = now.holder, _friend(now, advice, now.holder)
    if not points:
        return Reason("spares", {"seat": seat})
    if friend == 1:
        return Reason("feeds", {"seat": seat, "points": points})
    if friend > LIKELY:
        return Reason("feeds_likely", {"seat": seat, "points": points, "percent": round(100 * friend)})
    return Reason("costs_least", {"points": points})


def _friend(now: Situation, advice: Advice, seat: Seat) -> float:
    """How likely this seat is on our side, as the adviser believes."""
    public = now.view.public
    if not advice.partner or public.partner >= 0 or now.role == "partner" or seat == public.caller:
        return now.allies[seat]
    return advice.partner[seat] if now.role == "caller" else 1 - advice.partner[seat]


def _of_the_next(view: View, advice: Advice) -> Iterator[Reason]:
    """How much less the second-best card is worth; nothing where values are not known."""
    if len(advice.moves) < 2:
        return
    first, second = advice.moves[:2]
    less = first.value - second.value
    other: Args = {"other": str(to_json(second.move, view.public.rules.ranks)["card"])}
    yield Reason("close", other) if less < CLOSE else Reason("ahead", other | {"less": round(less, 2)})


def _of_belief(view: View, advice: Advice) -> Iterator[Reason]:
    """Who seems to be the partner, and the card that told most."""
    public = view.public
    if not advice.partner or public.partner >= 0 or role_of(view) == "partner":
        return
    seat = max(range(5), key=lambda one: advice.partner[one] if one != view.seat else -1.0)
    if advice.partner[seat] < SUSPECT or seat == public.caller:
        return
    yield Reason("suspect", {"seat": seat, "percent": round(100 * advice.partner[seat])})
    telling = [tell for tell in advice.tells if tell.seat == seat and tell.weight > 0 and tell.card >= 0]
    if telling:
        tell = max(telling, key=lambda one: one.weight)
        yield Reason("tells", {"seat": seat, "card": public.rules.card_name(tell.card), "n": tell.trick})
