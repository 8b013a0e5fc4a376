"""Every option of a rule set as a sentence: not its words, but their key in the locales and what goes into it.

Server, terminal and documentation all draw from this one list, so that a new
option is in words everywhere or nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from chiamata.rules.cards import ITALIAN_RANKS
from chiamata.rules.parts import Capot, HandClaim, Pairs, Parts, Roles, SoloRoles


class Sentence(msgspec.Struct, frozen=True):
    """One option in words."""

    option: str
    """Dotted, such as ``auction.kind``."""
    key: str
    """Of the words, in the section ``options`` of the locales: ``auction_kind_rank``."""
    args: dict[str, str | int] = {}
    """What goes into the places of the words.  ``ranks`` is a list of rank symbols."""
    applies: bool = True
    """False where another option leaves this one without effect."""


def explain(rules: Parts) -> tuple[Sentence, ...]:
    """All options of a rule set in order, each at least once."""
    sections = (_table, _deck, _dealing, _auction, _raising, _last_words, _calling, _playing, _contract)
    more = (_scoring, _units, _hand_claim, _session, _length)
    return tuple(sentence for section in (*sections, *more) for sentence in section(rules))


def _pick(option: str, value: str | bool, applies: bool = True) -> Sentence:
    """The sentence of one of a few values: ``auction_kind_rank``, ``auction_pass_is_final_true``."""
    name = str(value).lower() if isinstance(value, bool) else value
    return Sentence(option, f"{option.replace('.', '_')}_{name}", {}, applies)


def _number(option: str, n: int | None, applies: bool = True) -> Sentence:
    """The sentence of a number: ``…_n`` with ``{n}``, or ``…_none``."""
    key = option.replace(".", "_")
    return Sentence(option, f"{key}_none" if n is None else f"{key}_n", {} if n is None else {"n": n}, applies)


def _factor(option: str, n: int, applies: bool = True) -> Sentence:
    """A factor: ``…_1`` where it changes nothing."""
    key = option.replace(".", "_")
    return Sentence(option, f"{key}_1" if n == 1 else f"{key}_n", {} if n == 1 else {"n": n}, applies)


def _listed(option: str, values: tuple[int, ...] | None, applies: bool = True) -> Sentence:
    """A list of numbers: ``…_list`` with ``{list}``, or ``…_none``."""
    key = option.replace(".", "_")
    if values is None:
        return Sentence(option, f"{key}_none", {}, applies)
    return Sentence(option, f"{key}_list", {"list": _series(values)}, applies)


def _series(values: tuple[int, ...]) -> str:
    """``65, 70, 75``; of a long even row the beginning and the end: ``65, 70 … 120``."""
    steps = {high - low for low, high in pairwise(values)}
    if len(values) > 5 and len(steps) == 1:
        return f"{values[0]}, {values[1]} … {values[-1]}"
    return ", ".join(str(value) for value in values)


def _thresholds(option: str, pairs: Pairs | None, applies: bool = True) -> Sentence:
    key = option.replace(".", "_")
    if pairs is None:
        return Sentence(option, f"{key}_none", {}, applies)
    return Sentence(option, f"{key}_list", {"list": ", ".join(f"{start} → {value}" for start, value in pairs)}, applies)


def signed(n: int) -> str:
    """``+2``, ``−1``, ``0``."""
    return f"+{n}" if n > 0 else f"−{-n}" if n else "0"


def _table(rules: Parts) -> Iterator[Sentence]:
    yield _pick("direction", rules.direction)


def _deck(rules: Parts) -> Iterator[Sentence]:
    deck = rules.deck
    italian = deck.ranks == ITALIAN_RANKS
    yield Sentence("deck.ranks", f"deck_ranks_{'italian' if italian else 'other'}", _ranks(deck.ranks, not italian))
    worth = [(rank, points) for rank, points in zip(deck.ranks, deck.card_points, strict=True) if points]
    usual = italian and deck.card_points == (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)
    points: dict[str, str | int] = {} if usual else {"ranks": ", ".join(f"{rank} {each}" for rank, each in worth)}
    yield Sentence("deck.card_points", f"deck_card_points_{'usual' if usual else 'other'}", points)
    for name, order in (("trick_order", deck.trick_order), ("auction_order", deck.auction_order)):
        same = order == deck.ranks
        args = _ranks(order, not same) | ({} if same else {"first": order[0], "second": order[1]})
        applies = name == "trick_order" or rules.auction.kind == "rank"
        yield Sentence(f"deck.{name}", f"deck_{name}_{'same' if same else 'other'}", args, applies)


def _ranks(ranks: tuple[str, ...], told: bool) -> dict[str, str | int]:
    return {"ranks": " ".join(ranks)} if told else {}


def _dealing(rules: Parts) -> Iterator[Sentence]:
    yield Sentence("deal.packets", "deal_packets_list", {"list": " + ".join(str(each) for each in rules.deal.packets)})
    yield _pick("deal.dealer_rotation", rules.deal.dealer_rotation)


def _auction(rules: Parts) -> Iterator[Sentence]:
    auction = rules.auction
    in_ranks = auction.kind == "rank"
    yield _pick("auction.opener", auction.opener)
    yield _pick("auction.kind", auction.kind)
    yield _pick("auction.open_lowest_only", auction.open_lowest_only, in_ranks)
    yield _pick("auction.pass_is_final", auction.pass_is_final)
    yield _pick("auction.points_after_lowest", auction.points_after_lowest, in_ranks)
    yield _pick("auction.direct_points_jump", auction.direct_points_jump, auction.points_after_lowest)


def _raising(rules: Parts) -> Iterator[Sentence]:
    auction = rules.auction
    in_points = auction.kind == "points"
    raises = in_points or auction.points_after_lowest
    idle = auction.raise_mode == "ladder" and auction.ladder and auction.ladder[0] >= auction.first_raise
    yield _number("auction.first_raise", auction.first_raise, raises and not in_points and not idle)
    yield _pick("auction.raise_mode", auction.raise_mode, raises)
    yield _number("auction.raise_step", auction.raise_step, raises and auction.raise_mode != "ladder")
    yield _listed("auction.ladder", auction.ladder, raises and auction.raise_mode == "ladder")
    yield _number("auction.min_points", auction.min_points, in_points)
    yield _number("auction.max_points", auction.max_points, raises)


def _last_words(rules: Parts) -> Iterator[Sentence]:
    auction = rules.auction
    yield _pick("auction.last_bidder", auction.last_bidder)
    yield _pick("auction.all_pass", auction.all_pass)
    yield _factor("auction.all_pass_multiplier", auction.all_pass_multiplier, auction.all_pass != "impossible")
    yield _number("auction.lone_bidder_min", auction.lone_bidder_min, auction.direct_points_jump)
    yield _thresholds("auction.bid_requirements", auction.bid_requirements, auction.points_after_lowest)


def _calling(rules: Parts) -> Iterator[Sentence]:
    call = rules.call
    yield _pick("call.allowed", call.allowed)
    yield _pick("call.own_card", call.own_card, call.allowed != "highest_missing")
    yield _pick("call.lowest_exception", call.lowest_exception, call.allowed == "bid_rank")
    yield _pick("call.timing", call.timing)
    blind = call.timing == "suit_after_first_trick_cards"
    yield _pick("call.cover_called_rank", call.cover_called_rank, blind)


def _playing(rules: Parts) -> Iterator[Sentence]:
    play = rules.play
    yield _pick("play.first_leader", play.first_leader)
    yield _pick("play.follow_suit", play.follow_suit)
    yield _number("play.follow_last_n", play.follow_last_n, play.follow_suit == "last_n")
    yield _pick("play.trump_change", play.trump_change)


def _contract(rules: Parts) -> Iterator[Sentence]:
    contract = rules.contract
    yield _number("contract.base_target", contract.base_target, rules.auction.kind == "rank")
    reachable = rules.auction.kind == "rank" or rules.auction.min_points <= 61
    yield _pick("contract.tie_60", contract.tie_60, contract.base_target == 61 and reachable)


def _scoring(rules: Parts) -> Iterator[Sentence]:
    scoring = rules.scoring
    roles = scoring.kind == "roles"
    yield _pick("scoring.kind", scoring.kind)
    tables: tuple[tuple[str, Roles | SoloRoles], ...] = (
        ("win", scoring.win),
        ("loss", scoring.loss),
        ("solo_win", scoring.solo_win),
        ("solo_loss", scoring.solo_loss),
    )
    for name, table in tables:
        args: dict[str, str | int] = {role: signed(getattr(table, role)) for role in table.__struct_fields__}
        yield Sentence(f"scoring.{name}", f"scoring_{name}_roles", args, roles)


def _units(rules: Parts) -> Iterator[Sentence]:
    scoring = rules.scoring
    roles = scoring.kind == "roles"
    if len(scoring.unit_by_target) == 1:
        unit: dict[str, str | int] = {"n": scoring.unit_by_target[0][1]}
        yield Sentence("scoring.unit_by_target", "scoring_unit_by_target_n", unit, roles)
    else:
        yield _thresholds("scoring.unit_by_target", scoring.unit_by_target, roles)
    yield _thresholds("scoring.margin_bonus", scoring.margin_bonus, roles)
    yield from _capot(scoring.capot, roles)
    yield _factor("scoring.draw_multiplier", scoring.draw_multiplier, rules.contract.tie_60 == "draw")
    yield _pick("scoring.require_zero_sum", scoring.require_zero_sum)


def _capot(capot: Capot | None, roles: bool) -> Iterator[Sentence]:
    if capot is None:
        yield Sentence("scoring.capot", "scoring_capot_none", {}, roles)
        return
    yield _pick("scoring.capot.basis", capot.basis, roles)
    yield _pick("scoring.capot.side", capot.side, roles)
    yield Sentence("scoring.capot.op", f"scoring_capot_op_{capot.op}", {"n": capot.value}, roles)


def _hand_claim(rules: Parts) -> Iterator[Sentence]:
    claim: HandClaim | None = rules.hand_claim
    if claim is None:
        yield Sentence("hand_claim", "hand_claim_none")
        return
    yield _number("hand_claim.max_points", claim.max_points)
    yield _pick("hand_claim.four_lowest", claim.four_lowest)
    yield _pick("hand_claim.when", claim.when)
    yield _pick("hand_claim.mandatory", claim.mandatory)
    yield _pick("hand_claim.same_dealer", claim.same_dealer)
    yield _factor("hand_claim.multiplier", claim.multiplier)


def _session(rules: Parts) -> Iterator[Sentence]:
    session = rules.session
    yield _pick("session.kind", session.kind)
    yield _number("session.deals", session.deals, session.kind == "deals")
    yield _listed("session.allowed", session.allowed, session.kind == "deals")
    yield _number("session.target", session.target, session.kind == "points")
    yield _number("session.minutes", session.minutes, session.kind == "time")


def _length(rules: Parts) -> Iterator[Sentence]:
    session = rules.session
    yield _pick("session.tie", session.tie)
    broken = session.tie == "tiebreak"
    if not session.tiebreaks:
        yield Sentence("session.tiebreaks", "session_tiebreaks_none", {}, broken)
    for tiebreak in session.tiebreaks:
        yield _pick("session.tiebreaks", tiebreak, broken)
    yield _number("session.sitters", session.sitters or None)
    yield _pick("conduct.chat", rules.conduct.chat)
