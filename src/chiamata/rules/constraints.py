"""Which options do not fit together: one function a constraint, each with the keys it looks at.

The codes are public: tests, the command line and the locales know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from chiamata.rules.parts import Pairs, Parts, Roles
from chiamata.rules.problem import Problem, showable

Constraint = Callable[[Parts], Iterator[Problem]]


def _problem(code: str, key: str, value: object, message: str) -> Problem:
    return Problem(code, key, showable(value), message)


def _orders(parts: Parts) -> Iterator[Problem]:
    deck = parts.deck
    for name, order in (("trick_order", deck.trick_order), ("auction_order", deck.auction_order)):
        if sorted(order) != sorted(deck.ranks):
            message = f"Write each of the ten ranks {' '.join(deck.ranks)} once."
            yield _problem("ORDER_NOT_PERMUTATION", f"deck.{name}", order, message)


def _points_total(parts: Parts) -> Iterator[Problem]:
    total = 4 * sum(parts.deck.card_points)
    if total != parts.auction.max_points:
        points = dict(zip(parts.deck.ranks, parts.deck.card_points, strict=True))
        message = f"The pack holds {total} points; auction.max_points says {parts.auction.max_points}. Make them agree."
        yield _problem("POINTS_TOTAL_MISMATCH", "deck.card_points", points, message)


def _packets(parts: Parts) -> Iterator[Problem]:
    if sum(parts.deal.packets) != 8:
        yield _problem(
            "PACKETS_NOT_EIGHT", "deal.packets", parts.deal.packets, "Write packets that sum to eight cards."
        )


def _call_needs_rank(parts: Parts) -> Iterator[Problem]:
    if parts.auction.kind == "points" and parts.call.allowed in ("bid_rank", "bid_rank_or_higher"):
        message = "No rank is bid in an auction in points: write any or highest_missing."
        yield _problem("CALL_NEEDS_RANK_AUCTION", "call.allowed", parts.call.allowed, message)


def _raise_needs_rank(parts: Parts) -> Iterator[Problem]:
    if parts.auction.kind == "points":
        for name in ("points_after_lowest", "direct_points_jump", "open_lowest_only"):
            if getattr(parts.auction, name):
                message = "There is no lowest rank in an auction in points: write false."
                yield _problem("RAISE_AFTER_LOWEST_NEEDS_RANK_AUCTION", f"auction.{name}", True, message)


def _jump_needs_raise(parts: Parts) -> Iterator[Problem]:
    auction = parts.auction
    if auction.kind == "rank" and auction.direct_points_jump and not auction.points_after_lowest:
        message = "A jump to the lowest rank with points needs auction.points_after_lowest = true."
        yield _problem("JUMP_NEEDS_RAISE", "auction.direct_points_jump", True, message)


def _exception(parts: Parts) -> Iterator[Problem]:
    call = parts.call
    if call.lowest_exception == "none":
        return
    if call.allowed != "bid_rank":
        message = "The exception only makes sense with call.allowed = bid_rank: write none."
        yield _problem("EXCEPTION_NEEDS_BID_RANK", "call.lowest_exception", call.lowest_exception, message)
    if call.own_card == "forbidden":
        message = "The exception needs call.own_card = allowed: write none."
        yield _problem("EXCEPTION_NEEDS_OWN_CARD", "call.lowest_exception", call.lowest_exception, message)


def _all_pass(parts: Parts) -> Iterator[Problem]:
    last, all_pass = parts.auction.last_bidder, parts.auction.all_pass
    if last != "free" and all_pass != "impossible":
        message = f"With last_bidder = {last} not all can pass: write impossible."
        yield _problem("ALL_PASS_UNREACHABLE", "auction.all_pass", all_pass, message)
    if last == "free" and all_pass == "impossible":
        message = "With last_bidder = free all may pass: write redeal_same_dealer or redeal_next_dealer."
        yield _problem("ALL_PASS_UNDEFINED", "auction.all_pass", all_pass, message)


def _increasing(values: tuple[int, ...]) -> bool:
    return all(low < high for low, high in pairwise(values))


def _ladder(parts: Parts) -> Iterator[Problem]:
    auction, key = parts.auction, "auction.ladder"
    if auction.raise_mode != "ladder":
        return
    if not auction.ladder:
        message = "raise_mode = ladder needs the rungs, such as [65, 70, 75]."
        yield _problem("LADDER_MISSING", key, auction.ladder, message)
        return
    if not _increasing(auction.ladder):
        yield _problem("LADDER_NOT_INCREASING", key, auction.ladder, "Write each rung higher than the one before.")
    lowest = parts.contract.base_target + 1 if auction.kind == "rank" else auction.min_points
    if min(auction.ladder) < lowest:
        yield _problem("LADDER_BELOW_TARGET", key, auction.ladder, f"Write no rung below {lowest}.")
    if max(auction.ladder) > auction.max_points:
        message = f"Write no rung above auction.max_points, {auction.max_points}."
        yield _problem("LADDER_ABOVE_MAX", key, auction.ladder, message)


def _bid_range(parts: Parts) -> Iterator[Problem]:
    auction, base = parts.auction, parts.contract.base_target
    if auction.raise_step < 1:
        yield _problem("STEP_NOT_POSITIVE", "auction.raise_step", auction.raise_step, "Write 1 or more.")
    if not 1 <= auction.min_points <= auction.max_points:
        message = f"Write a number from 1 to auction.max_points, {auction.max_points}."
        yield _problem("BID_RANGE", "auction.min_points", auction.min_points, message)
    if not 1 <= base <= auction.max_points:
        message = f"Write a number from 1 to auction.max_points, {auction.max_points}."
        yield _problem("BID_RANGE", "contract.base_target", base, message)
    if auction.kind == "rank" and auction.points_after_lowest and auction.first_raise <= base:
        message = f"The first raise must be above contract.base_target, {base}."
        yield _problem("BID_RANGE", "auction.first_raise", auction.first_raise, message)


def _lone_bidder(parts: Parts) -> Iterator[Problem]:
    auction, lone = parts.auction, parts.auction.lone_bidder_min
    if lone is None:
        return
    if not auction.direct_points_jump:
        message = "It needs auction.direct_points_jump = true, or nobody could bid so high: leave it out."
        yield _problem("BID_RANGE", "auction.lone_bidder_min", lone, message)
    elif lone > auction.max_points:
        message = f"Write no more than auction.max_points, {auction.max_points}."
        yield _problem("BID_RANGE", "auction.lone_bidder_min", lone, message)


def _forced(parts: Parts) -> Iterator[Problem]:
    """Whoever must bid must always have a bid to make."""
    auction, call = parts.auction, parts.call
    if auction.last_bidder == "free":
        return
    if auction.lone_bidder_min is not None:
        message = "A fifth player who must bid cannot be held to auction.lone_bidder_min as well: write free."
        yield _problem("FORCED_WITHOUT_A_BID", "auction.last_bidder", auction.last_bidder, message)
    if auction.open_lowest_only and call.allowed == "bid_rank" and call.own_card == "forbidden":
        message = "Whoever holds all four of the lowest rank could make no bid, and must make one: write free."
        yield _problem("FORCED_WITHOUT_A_BID", "auction.last_bidder", auction.last_bidder, message)


def _requirements(parts: Parts) -> Iterator[Problem]:
    auction, wanted = parts.auction, parts.auction.bid_requirements
    if wanted is None:
        return
    key, base = "auction.bid_requirements", parts.contract.base_target
    if not _increasing(tuple(points for points, _ in wanted)):
        yield _problem("REQUIREMENT_RANGE", key, wanted, "Write the points in rising order, each once.")
    if auction.kind != "rank" or not auction.points_after_lowest:
        message = "Requirements hold for raises of the lowest rank: they need auction.points_after_lowest = true."
        yield _problem("REQUIREMENT_RANGE", key, wanted, message)
    if any(points <= base for points, _ in wanted):
        message = f"Write only points above contract.base_target, {base}: plain bids need no strength."
        yield _problem("REQUIREMENT_RANGE", key, wanted, message)
    if parts.call.own_card == "forbidden":
        message = "With call.own_card = forbidden the winner might have no card to call: leave the requirements out."
        yield _problem("REQUIREMENT_RANGE", key, wanted, message)


def _tie(parts: Parts) -> Iterator[Problem]:
    contract = parts.contract
    if contract.tie_60 != "defenders" and contract.base_target != 61:
        message = "60 to 60 is only open with contract.base_target = 61: write defenders."
        yield _problem("TIE_NEEDS_TARGET_61", "contract.tie_60", contract.tie_60, message)


def _units(parts: Parts) -> Iterator[Problem]:
    units, key = parts.scoring.unit_by_target, "scoring.unit_by_target"
    lowest = parts.contract.base_target if parts.auction.kind == "rank" else parts.auction.min_points
    if not units or units[0][0] > lowest:
        message = f"The first threshold must be {lowest} or less, the lowest possible target."
        yield _problem("UNIT_GAP", key, units, message)
    yield from _thresholds(units, key, 1)
    yield from _thresholds(parts.scoring.margin_bonus or (), "scoring.margin_bonus", 0)


def _thresholds(pairs: Pairs, key: str, least: int) -> Iterator[Problem]:
    if not _increasing(tuple(start for start, _ in pairs)) or any(value < least for _, value in pairs):
        message = f"Write thresholds in rising order, each with a value of {least} or more."
        yield _problem("UNIT_NOT_INCREASING", key, pairs, message)


def _capot(parts: Parts) -> Iterator[Problem]:
    capot = parts.scoring.capot
    if capot is not None and capot.value < 1:
        yield _problem("CAPOT_VALUE", "scoring.capot.value", capot.value, "Write 1 or more, or scoring.capot = none.")


def _sums(parts: Parts) -> dict[str, int]:
    """What the five payoffs of each table sum to."""
    scoring = parts.scoring
    return {
        "win": _five(scoring.win),
        "loss": _five(scoring.loss),
        "solo_win": scoring.solo_win.caller + 4 * scoring.solo_win.defender,
        "solo_loss": scoring.solo_loss.caller + 4 * scoring.solo_loss.defender,
    }


def _five(roles: Roles) -> int:
    return roles.caller + roles.partner + 3 * roles.defender


def _zero_sum(parts: Parts) -> Iterator[Problem]:
    if not parts.scoring.require_zero_sum:
        return
    if parts.scoring.kind == "gingo":
        message = "Gingo's payoffs do not sum to zero: write roles, or require_zero_sum = false."
        yield _problem("NOT_ZERO_SUM", "scoring.kind", "gingo", message)
        return
    for name, total in _sums(parts).items():
        if total:
            table = getattr(parts.scoring, name)
            value = {role: getattr(table, role) for role in table.__struct_fields__}
            message = f"The five payoffs sum to {total}: make it 0, or write require_zero_sum = false."
            yield _problem("NOT_ZERO_SUM", f"scoring.{name}", value, message)


def _follow(parts: Parts) -> Iterator[Problem]:
    last = parts.play.follow_last_n
    if (last is None and parts.play.follow_suit == "last_n") or (last is not None and not 1 <= last <= 8):
        yield _problem("FOLLOW_N_RANGE", "play.follow_last_n", last, "Write a number of tricks from 1 to 8.")


def _hand_claim(parts: Parts) -> Iterator[Problem]:
    claim = parts.hand_claim
    if claim is None:
        return
    most = 5 if claim.mandatory else 10
    if claim.max_points > most:
        message = f"Write at most {most}: with more, too many hands are thrown in."
        yield _problem("HAND_CLAIM_TOO_WIDE", "hand_claim.max_points", claim.max_points, message)


def _session_target(parts: Parts) -> Iterator[Problem]:
    session, key = parts.session, "session.target"
    if session.target is None:
        if session.kind == "points":
            yield _problem("SESSION_TARGET_MISSING", key, None, "A game to points needs a target, such as 15.")
    elif session.target < 1:
        yield _problem("SESSION_TARGET_NOT_POSITIVE", key, session.target, "Write 1 or more.")


def _never_ends(parts: Parts) -> Iterator[Problem]:
    scoring, session = parts.scoring, parts.session
    if session.kind == "points" and scoring.kind == "roles":
        tables = (scoring.win, scoring.loss, scoring.solo_win, scoring.solo_loss)
        if not any(getattr(table, role) > 0 for table in tables for role in table.__struct_fields__):
            message = "Nobody can gain a point, so no target is ever reached: give some role a positive payoff."
            yield _problem("SESSION_NEVER_ENDS", "session.kind", "points", message)
    if session.kind == "time" and session.minutes is None:
        yield _problem("SESSION_NEVER_ENDS", "session.minutes", None, "A game by time needs its minutes, such as 60.")


def _session_deals(parts: Parts) -> Iterator[Problem]:
    deals, allowed = parts.session.deals, parts.session.allowed
    if deals is None:
        if parts.session.kind == "deals":
            yield _problem("SESSION_DEALS_NOT_ALLOWED", "session.deals", None, "A game by deals needs their number.")
        return
    if deals < 1:
        yield _problem("SESSION_DEALS_NOT_ALLOWED", "session.deals", deals, "Write 1 or more.")
    elif allowed is not None and deals not in allowed:
        names = " or ".join(str(one) for one in allowed)
        yield _problem(
            "SESSION_DEALS_NOT_ALLOWED", "session.deals", deals, f"This rule set is played over {names} deals."
        )


def _tiebreaks(parts: Parts) -> Iterator[Problem]:
    if parts.session.tie == "tiebreak" and not parts.session.tiebreaks:
        message = "session.tie = tiebreak needs at least one tie-break, such as deals_won."
        yield _problem("TIEBREAKS_MISSING", "session.tiebreaks", parts.session.tiebreaks, message)


CONSTRAINTS: tuple[tuple[tuple[str, ...], Constraint], ...] = (
    (("deck.ranks", "deck.trick_order", "deck.auction_order"), _orders),
    (("deck.ranks", "deck.card_points", "auction.max_points"), _points_total),
    (("deal.packets",), _packets),
    (("auction.kind", "call.allowed"), _call_needs_rank),
    (
        ("auction.kind", "auction.points_after_lowest", "auction.direct_points_jump", "auction.open_lowest_only"),
        _raise_needs_rank,
    ),
    (("auction.kind", "auction.direct_points_jump", "auction.points_after_lowest"), _jump_needs_raise),
    (("call",), _exception),
    (("auction.last_bidder", "auction.all_pass"), _all_pass),
    (("auction", "contract.base_target"), _ladder),
    (("auction", "contract.base_target"), _bid_range),
    (("auction.lone_bidder_min", "auction.direct_points_jump", "auction.max_points"), _lone_bidder),
    (("auction", "call"), _forced),
    (("auction", "contract.base_target", "call.own_card"), _requirements),
    (("contract",), _tie),
    (
        (
            "scoring.unit_by_target",
            "scoring.margin_bonus",
            "contract.base_target",
            "auction.kind",
            "auction.min_points",
        ),
        _units,
    ),
    (("scoring.capot",), _capot),
    (("scoring",), _zero_sum),
    (("play.follow_suit", "play.follow_last_n"), _follow),
    (("hand_claim",), _hand_claim),
    (("session.kind", "session.target"), _session_target),
    (("session.kind", "session.minutes", "scoring"), _never_ends),
    (("session.kind", "session.deals", "session.allowed"), _session_deals),
    (("session.tie", "session.tiebreaks"), _tiebreaks),
)
"""Each constraint with the keys it looks at, in the order of the options."""


def _unequal_dealing(parts: Parts) -> Iterator[Problem]:
    session, people = parts.session, 5 + parts.session.sitters
    if session.kind == "deals" and session.deals is not None and session.deals % people:
        message = f"{session.deals} deals are no multiple of {people}: not everybody deals equally often."
        yield _problem("UNEQUAL_DEALING", "session.deals", session.deals, message)


def _cheap_two(parts: Parts) -> Iterator[Problem]:
    if parts.call.allowed == "bid_rank_or_higher":
        message = "Bidding the lowest rank costs nothing, since its winner may call the highest (decision D5)."
        yield _problem("LOW_BID_IS_FREE", "call.allowed", parts.call.allowed, message)


def _slow_raises(parts: Parts) -> Iterator[Problem]:
    if parts.auction.raise_mode == "exact_step":
        message = "High targets are reached by a long duel only, one step at a time (decision D4)."
        yield _problem("RAISES_ARE_SLOW", "auction.raise_mode", "exact_step", message)


def _two_orders(parts: Parts) -> Iterator[Problem]:
    deck = parts.deck
    if deck.trick_order != deck.auction_order:
        message = "Cards beat one another in another order than they are bid in (decision D1)."
        yield _problem("ORDERS_DIFFER", "deck.trick_order", deck.trick_order, message)


def _not_zero_sum(parts: Parts) -> Iterator[Problem]:
    if parts.scoring.kind == "gingo" or any(_sums(parts).values()):
        message = "The payoffs of a deal do not always sum to zero (decision D8)."
        yield _problem("SUM_NOT_ZERO", "scoring", parts.scoring.kind, message)


WARNINGS: tuple[Constraint, ...] = (_unequal_dealing, _cheap_two, _slow_raises, _two_orders, _not_zero_sum)
