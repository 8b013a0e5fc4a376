"""A View in the racer's terms: what one seat knows of a deal in play, hard facts about the other hands included."""

from __future__ import annotations

from functools import lru_cache

from chiamata.bots.pack import pack_of
from chiamata.bots.situation import voids
from chiamata.bots.weights import WITH_PARTNER
from chiamata.racer.jobs import Variant
from chiamata.racer.mind import ANY, Clue, Masks, Seen
from chiamata.rules import auction
from chiamata.rules.cards import ALL_CARDS, SUIT_CARDS, Card, CardSet, cards_in
from chiamata.rules.moves import Trump
from chiamata.rules.public import Public
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View

SOLO = 0.05
"""How much likelier a card is called that another holds than one's own, to begin with: 1 to this."""
WIDTH = 8.0
"""Softness of what a bid tells of a hand, in points."""
SILENT = (Clue(),) * 5


@lru_cache(maxsize=256)
def variant_of(rules: RuleSet) -> Variant:
    """How cards are played and counted; the trump comes with each deal."""
    play = rules.play
    follow = {"none": 0, "always": 8}.get(play.follow_suit, play.follow_last_n or 0)
    return Variant(
        points=rules.points,
        strength=rules.strength,
        trump=0,
        follow_last=follow,
        first_plain=rules.call.timing == "after_first_trick",
        trump_change=play.trump_change == "on_reveal",
    )


def is_open(public: Public) -> bool:
    """Whether the call is made, so that a deal in play can be thought through."""
    return public.called >= 0 and public.phase in ("play", "trump")


def seen_of(view: View, clues: tuple[Clue, ...] = SILENT) -> Seen:
    """What this seat knows; the call must have been made."""
    public, rules = view.public, view.public.rules
    cards = tuple(card for trick in public.tricks for card in trick.cards) + public.trick
    return Seen(
        dealt=view.dealt,
        seat=view.seat,
        caller=public.caller,
        called=public.called,
        target=public.target,
        leader=public.tricks[0].leader if public.tricks else public.leader,
        trump=public.called // 10,
        cards=cards,
        named=next((word.suit for word in public.words if isinstance(word, Trump)), -1),
        blind=0 if rules.call.timing == "before_first_trick" else 5,
        must=_sure(public),
        may=_possible(view),
        clues=clues,
        solo=0.0 if rules.call.own_card == "forbidden" or rules.call.allowed == "highest_missing" else SOLO,
        width=WIDTH,
        estimate=WITH_PARTNER,
    )


def _sure(public: Public) -> Masks:
    """Cards that the caller's call betrays."""
    held = callers_cards(public.rules, public.called, public.standing.rank if public.standing else -1)
    a, b, c, d, e = (held if seat == public.caller else 0 for seat in range(5))
    return a, b, c, d, e


def callers_cards(rules: RuleSet, called: Card, bid: int) -> CardSet:
    """Cards that a caller must hold to be allowed this call after a bid of this rank."""
    pack = pack_of(rules)
    suit = SUIT_CARDS[called // 10]
    if rules.call.allowed == "highest_missing":
        return pack.above[called]
    lowest = auction.ladder_of(rules).lowest
    excepted = rules.call.lowest_exception == "lowest_missing" and bid == lowest != called % 10
    return suit & ~pack.above[called] & ~(1 << called) if excepted else 0


def _possible(view: View) -> Masks:
    if view.public.rules.play.follow_suit == "none":
        return ANY
    masks = []
    for bits in voids(view):
        out = sum(SUIT_CARDS[suit] for suit in cards_in(bits))
        masks.append(ALL_CARDS & ~out)
    a, b, c, d, e = masks
    return a, b, c, d, e
