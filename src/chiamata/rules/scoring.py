"""From points and tricks to the payoff of the five seats.  Source: SPEC 3.2.6 and 3.2.7."""

from __future__ import annotations

from typing import Literal

import msgspec

from chiamata.rules.cards import Seat
from chiamata.rules.parts import value_at
from chiamata.rules.ruleset import RuleSet

Payoff = tuple[int, int, int, int, int]
NOTHING: Payoff = (0, 0, 0, 0, 0)


class Result(msgspec.Struct, frozen=True):
    """How a deal ended.

    Args:
        kind: ``scored`` (made or failed), ``draw``, ``all_pass`` or ``claim``.
        made: whether the contract was made.
        points: card points of the caller's side, 0 to 120.
        tricks: tricks of the caller's side, 0 to 8.
        unit: the unit of the contract with margin and added units in it.
        factor: the cappotto's factor, 1 without one.
        multiplier: carried into this deal from earlier ones.
        partner: the partner's seat; the caller's own for a solo; -1 where nothing was called.
        payoff: by seat.
        next_multiplier: carried into the next deal.
        next_dealer: the seat that deals next.
    """

    kind: Literal["scored", "draw", "all_pass", "claim"]
    made: bool = False
    points: int = 0
    tricks: int = 0
    unit: int = 0
    factor: int = 1
    multiplier: int = 1
    partner: Seat = -1
    payoff: Payoff = NOTHING
    next_multiplier: int = 1
    next_dealer: Seat = 0


class Side(msgspec.Struct, frozen=True):
    """The caller's side at the end of a deal: who it was, what it promised and what it took."""

    caller: Seat
    partner: Seat
    target: int
    points: int
    tricks: int


def unit_for(rules: RuleSet, target: int) -> int:
    """The unit of a contract with this target (``scoring.unit_by_target``)."""
    return value_at(rules.scoring.unit_by_target, target)


def outcome(rules: RuleSet, side: Side) -> Literal["win", "loss", "draw"]:
    """Whether the contract was made; 60 to 60 at the base target goes by ``contract.tie_60``."""
    if side.points >= side.target:
        return "win"
    base = rules.contract.base_target
    if side.points == 60 and side.target == base == 61 and rules.contract.tie_60 != "defenders":
        return "win" if rules.contract.tie_60 == "caller" else "draw"
    return "loss"


def score(rules: RuleSet, side: Side, multiplier: int, dealer: Seat) -> Result:
    """The Result of a deal that was played to the end."""
    ended = outcome(rules, side)
    next_dealer = dealer if rules.deal.dealer_rotation == "same" else (dealer + 1) % 5
    draw = ended == "draw"
    unit, factor = (unit_for(rules, side.target), 1) if draw else _unit_and_factor(rules, side, ended == "win")
    return Result(
        kind="draw" if draw else "scored",
        made=ended == "win",
        points=side.points,
        tricks=side.tricks,
        unit=unit,
        factor=factor,
        multiplier=multiplier,
        partner=side.partner,
        payoff=NOTHING if draw else _payoff(rules, side, ended == "win", unit * factor * multiplier),
        next_multiplier=multiplier * rules.scoring.draw_multiplier if draw else 1,
        next_dealer=next_dealer,
    )


def _unit_and_factor(rules: RuleSet, side: Side, made: bool) -> tuple[int, int]:
    scoring = rules.scoring
    if scoring.kind == "gingo":  # pays the bid itself, without units
        return 1, 1
    unit = unit_for(rules, side.target)
    if made and scoring.margin_bonus is not None:
        unit += value_at(scoring.margin_bonus, side.points)
    capot = scoring.capot
    if capot is None or not _is_capot(rules, side):
        return unit, 1
    match capot.op:
        case "multiply":
            return unit, capot.value
        case "add_units":
            return unit + capot.value, 1
        case _:
            return capot.value, 1


def _is_capot(rules: RuleSet, side: Side) -> bool:
    """Whether one side took everything, by the test and for the sides that the rule set names."""
    capot = rules.scoring.capot
    assert capot is not None
    taken, everything = (side.tricks, 8) if capot.basis == "tricks" else (side.points, rules.auction.max_points)
    if taken == everything:
        return capot.side != "defenders"
    return taken == 0 and capot.side != "caller"


def _payoff(rules: RuleSet, side: Side, made: bool, stake: int) -> Payoff:
    scoring = rules.scoring
    solo = side.partner == side.caller
    if scoring.kind == "gingo":
        caller, partner, defender = _gingo(side, made, rules.auction.max_points)
    elif solo:
        alone = scoring.solo_win if made else scoring.solo_loss
        caller, partner, defender = alone.caller, alone.caller, alone.defender
    else:
        roles = scoring.win if made else scoring.loss
        caller, partner, defender = roles.caller, roles.partner, roles.defender
    a, b, c, d, e = (
        stake * (caller if seat == side.caller else partner if seat == side.partner else defender) for seat in range(5)
    )
    return a, b, c, d, e


def _gingo(side: Side, made: bool, all_points: int) -> tuple[int, int, int]:
    """Gingo pays the bid itself: the allies win it, or lose what is missing while the others gain what is left."""
    if made:
        bid = side.target * (2 if side.partner == side.caller else 1)
        return bid, bid, 0
    missing = side.points - side.target
    return missing, missing, all_points - side.points
