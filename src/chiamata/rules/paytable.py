"""What deals pay under a rule set, as a table to look things up in: for score sheets without an engine.

Every number in it was asked of ``scoring.score``; nothing is worked out anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from chiamata.rules.auction import ladder_of
from chiamata.rules.moves import Bid
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, outcome, score

POINTS = range(121)
"""Card points of the caller's side."""

Pay = tuple[int, ...]
"""Caller, partner, each defender; the caller alone, each of the others then."""
LEVEL: Pay = (0, 0, 0, 0, 0)


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """Points of the caller's side that pay alike, up to where the next piece starts."""

    start: int
    pay: Pay
    """At ``start``, for a multiplier of 1."""
    step: Pay | None = None
    """What each point above ``start`` adds to it; None where they pay the same."""


class Prices(msgspec.Struct, frozen=True):
    """What a contract pays."""

    made: tuple[Piece, ...]
    """The first one starts at 0, wherever the contract does."""
    lost: tuple[Piece, ...]
    whole: Pay | None
    """With all eight tricks; None where tricks are not counted."""
    none: Pay | None
    """Without a single trick; None where tricks are not counted."""


class Redeal(msgspec.Struct, frozen=True):
    """A deal without a payoff."""

    multiplier: int
    """Of the deals after it, up to the next that is scored."""
    same_dealer: bool


class PayTable(msgspec.Struct, frozen=True):
    """A rule set as far as a score sheet needs it."""

    id: str
    title: str
    targets: tuple[int, ...]
    """The contracts that an auction may end with, lowest first."""
    won: tuple[int, ...]
    """By target: the least points of the caller's side that make it."""
    drawn: tuple[int, ...]
    """By target: the points with which nobody has won; -1 where there are none."""
    rows: tuple[int, ...]
    """By target: the place of its prices in ``prices``."""
    prices: tuple[Prices, ...]
    solo: bool
    """The caller may call a card of his own."""
    rotates: bool
    """The next one deals after a deal that was played."""
    draw: int
    """Factor on the multiplier after a draw."""
    all_pass: Redeal | None
    """None: somebody always bids."""
    claim: Redeal | None
    """A worthless hand was thrown in; None: it never may be."""
    session: Literal["deals", "points", "time", "open"]
    end: int
    """The number of scored deals, or the score, that ends the game; 0 without such an end."""
    tie: Literal["shared", "play_on", "tiebreak"]
    tiebreaks: tuple[Literal["deals_won", "calls_made", "peak_score", "countback"], ...]
    """What then tells people with equal scores apart, one after the other; nothing unless ``tie`` says so."""


def table_of(rules: RuleSet) -> PayTable:
    """The table of this rule set."""
    targets = tuple(sorted(set(_targets(rules))))
    ends = [[outcome(rules, Side(0, 1, target, points, 4)) for points in POINTS] for target in targets]
    kinds: dict[Prices, int] = {}
    rows = tuple(kinds.setdefault(_prices(rules, *of), len(kinds)) for of in zip(targets, ends, strict=True))
    auction, claim, session = rules.auction, rules.hand_claim, rules.session
    passed = Redeal(auction.all_pass_multiplier, auction.all_pass == "redeal_same_dealer")
    return PayTable(
        id=rules.id,
        title=rules.title,
        targets=targets,
        won=tuple(end.index("win") for end in ends),
        drawn=tuple(end.index("draw") if "draw" in end else -1 for end in ends),
        rows=rows,
        prices=tuple(kinds),
        solo=rules.call.own_card == "allowed" and rules.call.allowed != "highest_missing",
        rotates=rules.deal.dealer_rotation == "next",
        draw=rules.scoring.draw_multiplier,
        all_pass=None if auction.all_pass == "impossible" else passed,
        claim=None if claim is None else Redeal(claim.multiplier, claim.same_dealer),
        session=session.kind,
        end={"deals": session.deals, "points": session.target}.get(session.kind) or 0,
        tie=session.tie,
        tiebreaks=session.tiebreaks if session.tie == "tiebreak" else (),
    )


def _targets(rules: RuleSet) -> Iterator[int]:
    """The target of every bid that some auction reaches."""
    ladder = ladder_of(rules)
    seen: set[tuple[int, int]] = set()
    open_ends: list[Bid | None] = [None]
    while open_ends:
        for rank, points in ladder.after(open_ends.pop()):
            if (rank, points) not in seen:
                seen.add((rank, points))
                bid = Bid(0, rank, points)
                open_ends.append(bid)
                yield ladder.target(bid)


def _prices(rules: RuleSet, target: int, ends: Sequence[str]) -> Prices:
    capot = rules.scoring.capot
    by_tricks = rules.scoring.kind == "roles" and capot is not None and capot.basis == "tricks"
    return Prices(
        made=tuple(_pieces(rules, target, range(ends.index("win"), len(POINTS)))),
        lost=tuple(_pieces(rules, target, range(ends.count("loss")))),
        whole=_pay(rules, target, POINTS[-1], 8) if by_tricks else None,
        none=_pay(rules, target, 0, 0) if by_tricks else None,
    )


def _pay(rules: RuleSet, target: int, points: int, tricks: int = 4) -> Pay:
    """What such a deal pays; 4 tricks are neither all nor none."""
    two = score(rules, Side(0, 1, target, points, tricks), 1, 0).payoff
    alone = score(rules, Side(0, 0, target, points, tricks), 1, 0).payoff
    return (*two[:3], *alone[:2])


def _pieces(rules: RuleSet, target: int, points: range) -> Iterator[Piece]:
    """Between two edges the payoff rises evenly or not at all; whether it does so was tested on every point."""
    capot, everything = rules.scoring.capot, rules.auction.max_points
    edges = {points.start, *(start for start, _ in rules.scoring.margin_bonus or ())}
    if capot is not None and capot.basis == "points" and rules.scoring.kind == "roles":
        edges |= {1, everything, everything + 1}
    starts = sorted(edge for edge in edges if edge in points)
    last: Piece | None = None
    for start, end in zip(starts, [*starts[1:], points.stop], strict=True):
        pay = _pay(rules, target, start)
        step = _plus(_pay(rules, target, start + 1), pay, -1) if end - start > 1 else LEVEL
        if last is None or pay != _plus(last.pay, last.step or LEVEL, start - last.start):
            # A piece that pays the same everywhere may as well start at 0: targets then share their prices.
            low = 0 if last is None and step == LEVEL else start
            last = Piece(low, pay, None if step == LEVEL else step)
            yield last


def _plus(pay: Pay, step: Pay, times: int) -> Pay:
    return tuple(one + times * more for one, more in zip(pay, step, strict=True))
