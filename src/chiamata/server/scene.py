"""The Scene of a screen, built from a View and the chairs.

A Scene is built up from what its viewer may know; nothing is ever taken out of
a fuller one.  Every list is in an order that everybody knows: chairs, the order
of play, the order of the pack.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from chiamata.rules.auction import ladder_of
from chiamata.rules.cards import SUITS, cards_in
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass, Play, Trump, bid_name, to_json
from chiamata.rules.public import Public, cards_left
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import unit_for
from chiamata.rules.view import View
from chiamata.server import wire
from chiamata.server.pace import hand_order
from chiamata.server.seating import Place


class Sight(msgspec.Struct, frozen=True):
    """What everybody sees of a running or just finished deal.

    Args:
        seats: the chair of each of the five seats.
        number: of the deal in its game, from 1.
        people: how many play the game, sitters among them.
    """

    public: Public
    seats: tuple[int, ...]
    number: int
    people: int


class Standing(msgspec.Struct, frozen=True):
    """What everybody knows of one chair beside the cards."""

    place: Place
    host: bool = False
    score: int = 0
    clock: int | None = None


def rules_tag(rules: RuleSet) -> wire.RulesTag:
    """The short form of a rule set; made once for each."""
    kept: wire.RulesTag | None = rules.__dict__.get("_tag")
    if kept is None:
        kept = rules.__dict__["_tag"] = _rules_tag(rules)
    return kept


def _rules_tag(rules: RuleSet) -> wire.RulesTag:
    session = rules.session
    size = {"deals": session.deals, "points": session.target, "time": session.minutes}.get(session.kind)
    return wire.RulesTag(
        id=rules.id,
        fingerprint=rules.fingerprint,
        direction=rules.direction,
        ranks=list(rules.ranks),
        card_points=list(rules.deck.card_points),
        trick_order=list(rules.deck.trick_order),
        auction_kind=rules.auction.kind,
        auction_order=list(rules.deck.auction_order),
        session=session.kind if size is None else f"{session.kind} {size}",
    )


# --- chairs ---------------------------------------------------------------------------------------


def chairs(standings: list[Standing], sight: Sight | None) -> list[wire.Chair]:
    """All chairs in their order."""
    if sight is None:
        return [wire.Chair(**_of_place(standing)) for standing in standings]
    public = sight.public
    said = _last_said(public)
    return [
        wire.Chair(**_of_place(standing), **_of_seat(public, sight.seats.index(chair), said))
        if chair in sight.seats
        else wire.Chair(**_of_place(standing), playing=False)
        for chair, standing in enumerate(standings)
    ]


def _of_place(standing: Standing) -> dict[str, Any]:
    place = standing.place
    return {
        "name": place.name,
        "kind": place.kind,
        "level": place.level,
        "here": place.here,
        "stand_in": place.stand_in,
        "host": standing.host,
        "ready": place.ready,
        "wants_end": place.wants_end,
        "score": standing.score,
        "clock": standing.clock,
    }


def _of_seat(public: Public, seat: int, said: dict[int, str]) -> dict[str, Any]:
    return {
        "dealer": seat == public.dealer,
        "turn": seat == public.turn,
        "passed": bool(public.passed >> seat & 1),
        "said": said.get(seat, ""),
        "cards": cards_left(public, seat),
        "points": public.points[seat],
        "tricks": public.taken[seat],
        "role": role_of(public, seat),
    }


def role_of(public: Public, seat: int) -> Literal["", "caller", "partner", "defender"]:
    """Caller from the end of the auction on; partner and defender only once the called card has fallen."""
    if seat == public.caller:
        return "caller"
    if public.partner < 0:
        return ""
    return "partner" if seat == public.partner else "defender"


def _spoken(public: Public) -> list[tuple[int, str]]:
    """Every word of claims and auction: seat and text.  Before the auction a pass says that a hand is kept."""
    asked = public.rules.hand_claim is not None and public.rules.hand_claim.when == "before_auction"
    spoken = []
    for place, word in enumerate(public.words):
        match word:
            case Bid():
                spoken.append((word.seat, bid_name(word, public.rules.ranks)))
            case Pass():
                spoken.append((word.seat, "keep" if asked and place < 5 else "pass"))
            case Claim():
                spoken.append((word.seat, "claim"))
            case _:
                break  # the auction is over
    return spoken


def _last_said(public: Public) -> dict[int, str]:
    return dict(_spoken(public))


# --- the deal -------------------------------------------------------------------------------------


def deal_scene(sight: Sight) -> wire.DealScene:
    """The deal as everybody sees it."""
    public, seats = sight.public, (*sight.seats, -1)  # seat -1 is nobody
    rules = public.rules
    trick, last = _tricks(public, seats)
    standing = public.standing
    return wire.DealScene(
        number=sight.number,
        phase=public.phase,
        dealer=seats[public.dealer],
        multiplier=public.multiplier,
        turn=_chair(seats, public.turn),
        auction=[wire.Said(seats[seat], say) for seat, say in _spoken(public)],
        standing=None if standing is None else wire.Said(seats[standing.seat], bid_name(standing, rules.ranks)),
        caller=_chair(seats, public.caller),
        target=public.target,
        unit=0 if standing is None else _stake(public, ladder_of(rules).target(standing)),
        called=rules.card_name(public.called) if public.called >= 0 else "",
        trump=SUITS[public.trump] if public.trump >= 0 else "",
        partner=_chair(seats, public.partner),
        trick=trick,
        last=last,
        tricks_done=len(public.tricks),
        result=result_scene(sight),
    )


def with_own(deal: wire.DealScene, view: View) -> wire.DealScene:
    """The deal as the holder of this view sees it: what everybody sees, and the own cards and moves."""
    public = view.public
    rules = public.rules
    return msgspec.structs.replace(
        deal,
        hand=hand(view),
        covered=rules.card_name(view.covered) if view.covered >= 0 else "",
        mine=public.called >= 0 and bool(view.dealt >> public.called & 1),
        options=options(view),
    )


def hand(view: View) -> list[str]:
    """The cards that the holder of this view still holds, in the order in which they are shown."""
    return [view.public.rules.card_name(card) for card in hand_order(view)]


def _chair(seats: tuple[int, ...], seat: int) -> int | None:
    return seats[seat] if seat >= 0 else None


def _tricks(public: Public, seats: tuple[int, ...]) -> tuple[wire.TrickScene | None, wire.TrickScene | None]:
    """The trick on the table (a full one stays until the next lead) and the one before it."""
    shown = [(trick.leader, trick.cards, trick.winner, trick.points) for trick in public.tricks[-2:]]
    if public.trick:
        shown.append((public.leader, public.trick, -1, 0))
    scenes = [
        wire.TrickScene(
            leader=seats[leader],
            cards=[
                wire.PlayedCard(seats[(leader + right) % 5], _name(public.rules, card))
                for right, card in enumerate(cards)
            ],
            winner=_chair(seats, winner),
            points=points,
        )
        for leader, cards, winner, points in shown
    ]
    return (scenes[-1] if scenes else None), (scenes[-2] if len(scenes) > 1 else None)


def _name(rules: RuleSet, card: int) -> str:
    """``3H``; ``3?`` for a covered card."""
    return rules.card_name(card) if card >= 0 else rules.ranks[-1 - card] + "?"


def result_scene(sight: Sight) -> wire.ResultScene | None:
    """How the deal ended; None while it goes on."""
    public = sight.public
    result = public.result
    if result is None:
        return None
    payoff = [0] * sight.people
    for seat, chair in enumerate(sight.seats):
        payoff[chair] = result.payoff[seat]
    last = public.words[-1]
    return wire.ResultScene(
        kind=result.kind,
        made=result.made,
        points=result.points,
        tricks=result.tricks,
        unit=result.unit,
        factor=result.factor,
        multiplier=result.multiplier,
        payoff=payoff,
        shown=[public.rules.card_name(card) for card in cards_in(last.hand)] if isinstance(last, Claim) else [],
    )


# --- what the viewer may do -----------------------------------------------------------------------


def options(view: View) -> wire.Options:
    """The legal moves of this viewer, in the order of ``legal``; nothing for a watcher."""
    legal = view.legal()
    if not legal:
        return NO_OPTIONS
    rules = view.public.rules
    return wire.Options(
        bids=[_bid(view.public, move) for move in legal if isinstance(move, Bid)],
        may_pass=_has(legal, Pass),
        may_claim=_has(legal, Claim),
        calls=[
            wire.CallOption(rules.card_name(move.card), bool(view.dealt >> move.card & 1))
            for move in legal
            if isinstance(move, Call)
        ],
        plays=[rules.card_name(move.card) for move in legal if isinstance(move, Play)],
        trumps=[SUITS[move.suit] for move in legal if isinstance(move, Trump)],
    )


NO_OPTIONS = wire.Options()


def said(move: Move, ranks: tuple[str, ...]) -> str:
    """A move without its seat, as a page's command says it: ``play 3H``, ``bid K``, ``pass``."""
    told = to_json(move, ranks)
    return " ".join(str(told[key]) for key in told if key != "seat")


def _has(legal: tuple[Move, ...], kind: type) -> bool:
    return any(isinstance(move, kind) for move in legal)


def _bid(public: Public, bid: Bid) -> wire.BidOption:
    """A bid with what it promises and what it is worth if made."""
    rules = public.rules
    target = ladder_of(rules).target(bid)
    return wire.BidOption(bid_name(bid, rules.ranks), target, _stake(public, target))


def _stake(public: Public, target: int) -> int:
    """What a contract with this target is worth if made (in gingo the target itself), the running multiplier in it."""
    rules = public.rules
    return (target if rules.scoring.kind == "gingo" else unit_for(rules, target)) * public.multiplier
