"""The end of a game: where a deal may decide it, it pays what it leaves of the win, not its own payoff.

The score sheet is public.  Where this deal is surely the last, or somebody may reach the target of the game in it, an
outcome that ends the game is worth the seat's share of the first place: one among those who share it, nothing to
the others (a tie counts as shared, whatever may break it).  One that leaves the game open is worth exp(score / SWING)
of the seat among those of all.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from chiamata.bots.pack import pack_of
from chiamata.racer.mind import PAYOFFS
from chiamata.rules.cards import Seat
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, score
from chiamata.rules.view import Standing, View

SWING = 4.0
"""Of two who go on playing, one so many units ahead is taken to be e times as likely to win.  An estimate."""
EVEN = 0.02
"""A unit of payoff beside a whole win: it decides between moves that leave the same share."""
Contract = tuple[int, Seat, Seat, int]
"""Target, caller, partner (the caller himself alone), multiplier."""


def decides(view: View, target: int) -> bool:
    """Whether a deal with this target may be the last of its game; by points, if it is made with a partner."""
    standing, rules = view.standing, view.public.rules
    if standing is None:
        return False
    session = rules.session
    if standing.ending or (session.kind == "deals" and standing.scored + 1 >= (session.deals or 0)):
        return True
    if session.kind != "points":
        return False
    contract = (target, view.seat, (view.seat + 1) % 5, view.public.multiplier)
    made = max(_payoffs(rules, contract)[min(target, pack_of(rules).total)])
    return max(standing.scores) + made >= (session.target or 0)


def win_row(view: View, target: int, caller: Seat, partners: tuple[Seat, ...]) -> list[float]:
    """What each outcome leaves the view's seat, by PAYOFFS; the mean over those who may be the partner."""
    standing, public = view.standing, view.public
    assert standing is not None
    contracts = [(target, caller, partner, public.multiplier) for partner in partners]
    rows = [_row(public.rules, standing, contract, view.seat) for contract in contracts]
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def share(rules: RuleSet, standing: Standing, payoff: tuple[int, ...], seat: Seat) -> float:
    """The seat's share of the win after a deal that pays this."""
    session = rules.session
    final = [score + pay for score, pay in zip(standing.scores, payoff, strict=True)]
    everybody = [*final, *standing.others]
    best = max(everybody)
    over = standing.ending or (session.kind == "deals" and any(payoff))  # a draw pays nothing, and is played again
    if over or (session.kind == "points" and best >= (session.target or 0)):
        return 1 / everybody.count(best) if final[seat] == best else 0.0
    return exp((final[seat] - best) / SWING) / sum(exp((other - best) / SWING) for other in everybody)


def outcomes(rules: RuleSet) -> list[tuple[int, int]]:
    """How a deal may end, by PAYOFFS: points and tricks of the caller's side."""
    most = pack_of(rules).total
    return [*((min(points, most), 4) for points in range(PAYOFFS - 2)), (most, 8), (0, 0)]


@lru_cache(maxsize=1024)
def _payoffs(rules: RuleSet, contract: Contract) -> tuple[tuple[int, ...], ...]:
    """Of each outcome, by PAYOFFS: what it pays each seat."""
    target, caller, partner, multiplier = contract
    return tuple(score(rules, Side(caller, partner, target, *one), multiplier, 0).payoff for one in outcomes(rules))


@lru_cache(maxsize=1024)
def _row(rules: RuleSet, standing: Standing, contract: Contract, seat: Seat) -> tuple[float, ...]:
    worth: dict[tuple[int, ...], float] = {}
    for payoff in _payoffs(rules, contract):
        if payoff not in worth:
            worth[payoff] = share(rules, standing, payoff, seat) + EVEN * payoff[seat]
    return tuple(worth[payoff] for payoff in _payoffs(rules, contract))
