"""What a deal pays a seat, as the racer reads it: by the points of the caller's side, all tricks and none apart."""

from __future__ import annotations

from functools import lru_cache

from chiamata.bots.ending import decides, outcomes, win_row
from chiamata.bots.pack import pack_of
from chiamata.bots.situation import role_of
from chiamata.racer.mind import PAYOFFS, Payoffs
from chiamata.rules.cards import SEATS
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, score
from chiamata.rules.view import View

CALLER, PARTNER, DEFENDER = 0, 1, 2
ROLES = {"caller": CALLER, "partner": PARTNER, "defender": DEFENDER}
WIN_POINT = 0.001
"""A card point beside a whole win."""
POINT = 0.002
"""A card point beside the payoff of the base contract: it decides only between moves that pay the same."""


def row(rules: RuleSet, target: int, role: int, solo: bool) -> list[float]:
    """Payoffs of a role for each outcome."""
    seat = 0 if role == CALLER or (solo and role == PARTNER) else role
    sides = (Side(0, 0 if solo else 1, target, points, tricks) for points, tricks in outcomes(rules))
    return [float(score(rules, side, 1, 0).payoff[seat]) for side in sides]


def _with_points(rules: RuleSet, pays: list[float], small: float) -> list[float]:
    """The same with each point of the caller's side worth a little."""
    made = [*range(PAYOFFS - 2), pack_of(rules).total, 0]
    return [value + small * points for value, points in zip(pays, made, strict=True)]


def payoffs_for(view: View) -> Payoffs:
    """What the outcomes of a deal in play pay this seat, or leave it of the win where the deal may decide that."""
    public, role = view.public, role_of(view)
    if not decides(view, public.target):
        return payoffs_of(public.rules, public.target, ROLES[role])
    others = tuple(seat for seat in SEATS if seat not in (public.caller, view.seat))
    known = public.partner >= 0 and public.partner != public.caller
    partners = (public.partner,) if known else (view.seat,) if role == "partner" else others
    small = WIN_POINT * (-1 if role == "defender" else 1)
    plain, solo = (
        _with_points(public.rules, win_row(view, public.target, public.caller, one), small)
        for one in (partners, (public.caller,))
    )
    return Payoffs((plain, solo))


@lru_cache(maxsize=512)
def payoffs_of(rules: RuleSet, target: int, role: int) -> Payoffs:
    """Both rows of a role, each point of its side worth a little."""
    rows = []
    for solo in (False, True):
        pays = row(rules, target, role, solo)
        small = POINT * max(1.0, (max(pays) - min(pays)) / 2) * (-1 if role == DEFENDER else 1)
        rows.append(_with_points(rules, pays, small))
    return Payoffs((rows[0], rows[1]))
