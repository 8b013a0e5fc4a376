"""What the viewer may choose, and what a key chooses of it: nothing but the moves that the Scene offers."""

from __future__ import annotations

from typing import Literal

import msgspec

from chiamata.doors.terminal.changes import is_my_turn, rank_of, suit_of
from chiamata.doors.terminal.speech import Speech, name_of
from chiamata.server import wire
from chiamata.server.wire import BidOption, Options, RulesTag, Scene

SUITS = ("D", "H", "S", "C")
"""The order in which suits are offered; 1 to 4 choose them."""
Kind = Literal["bid", "pass", "claim", "call", "play", "trump"]
_STEPS = {"plus": 1, "up": 1, "minus": -1, "down": -1}
"""The keys that raise and lower points."""


class Armed(msgspec.Struct, frozen=True):
    """What was chosen and waits to be confirmed.

    Args:
        what: a bid, a card or a suit; "" for pass and claim.
        again: calling a card of one's own was confirmed once and wants another yes.
    """

    kind: Kind
    what: str = ""
    again: bool = False


def options(scene: Scene | None) -> Options:
    """The legal moves of the viewer."""
    return scene.deal.options if scene and scene.deal else wire.Options()


def offered(may: Options, armed: Armed) -> bool:
    """Whether this is among the moves that the house offers."""
    match armed.kind:
        case "bid":
            return any(bid.say == armed.what for bid in may.bids)
        case "call":
            return any(call.card == armed.what for call in may.calls)
        case "play":
            return armed.what in may.plays
        case "trump":
            return armed.what in may.trumps
        case "pass":
            return may.may_pass
        case "claim":
            return may.may_claim


def is_own(may: Options, armed: Armed) -> bool:
    """Whether this calls a card of one's own: four against one, which is asked twice."""
    return armed.kind == "call" and any(call.card == armed.what and call.own for call in may.calls)


def command(armed: Armed) -> tuple[type[wire.Command], dict[str, str]]:
    """The command that does it, with its fields."""
    match armed.kind:
        case "bid":
            return wire.DoBid, {"say": armed.what}
        case "call":
            return wire.DoCall, {"card": armed.what}
        case "play":
            return wire.DoPlay, {"card": armed.what}
        case "trump":
            return wire.DoTrump, {"suit": armed.what}
        case "pass":
            return wire.DoPass, {}
        case "claim":
            return wire.DoClaim, {}


def all_of(may: Options) -> list[Armed]:
    """Every move on offer, in the order of the Scene: passing first, throwing in last."""
    found = [Armed("pass")] if may.may_pass else []
    found += [Armed("bid", bid.say) for bid in may.bids]
    found += [Armed("call", call.card) for call in may.calls]
    found += [Armed("play", card) for card in may.plays]
    found += [Armed("trump", suit) for suit in may.trumps]
    return found + ([Armed("claim")] if may.may_claim else [])


def amounts(rules: RulesTag, may: Options) -> list[BidOption]:
    """The bids that name points, lowest first."""
    in_points = rules.auction_kind == "points"
    return sorted((bid for bid in may.bids if in_points or "@" in bid.say), key=lambda bid: bid.target)


# --- keys -----------------------------------------------------------------------------------------


def choose(key: str, scene: Scene, armed: Armed | None, speech: Speech) -> Armed | None:
    """What a key chooses, of the moves on offer: the keys of the page.

    Args:
        key: a letter or digit in lower case, or ``plus minus up down``.
    """
    may, found = options(scene), None
    if key == "p":
        found = Armed("pass")
    elif key == "m" and may.may_claim:
        found = Armed("claim")
    elif may.plays:
        hand = scene.deal.hand if scene.deal else []
        found = Armed("play", hand[int(key) - 1]) if key in "12345678" and int(key) <= len(hand) else None
    elif may.calls:
        found = _call(key, scene, armed, speech)
    elif may.trumps:
        found = Armed("trump", SUITS[int(key) - 1]) if key in ("1", "2", "3", "4") else None
    elif may.bids:
        found = _bid(key, scene, armed, speech)
    return found if found and offered(may, found) else None


def _rank(key: str, scene: Scene, speech: Speech) -> str:
    letter = "10" if key == "0" else key.upper()
    return next((rank for rank in scene.table.rules.ranks if speech.rank_letter(rank) == letter), "")


def _call(key: str, scene: Scene, armed: Armed | None, speech: Speech) -> Armed | None:
    """1 to 4 name the suit; once one is chosen, a letter that is none of them names the rank."""
    calls = [call.card for call in options(scene).calls]
    if key in ("1", "2", "3", "4"):
        fitting = [card for card in calls if suit_of(card) == SUITS[int(key) - 1]]
    else:
        suit = suit_of(armed.what) if armed and armed.kind == "call" else ""
        fitting = [card for card in calls if suit_of(card) == suit and rank_of(card) == _rank(key, scene, speech)]
    if not fitting and armed and armed.kind == "call" and key in _STEPS:
        within = [card for card in calls if suit_of(card) == suit_of(armed.what)]
        return Armed("call", within[(within.index(armed.what) - _STEPS[key]) % len(within)])
    return Armed("call", fitting[0]) if fitting else None


def _bid(key: str, scene: Scene, armed: Armed | None, speech: Speech) -> Armed | None:
    may, rules = options(scene), scene.table.rules
    offers = [bid.say for bid in amounts(rules, may)]
    if key in _STEPS:
        if not offers:
            return None
        if armed is None or armed.what not in offers:
            return Armed("bid", offers[0])
        at = offers.index(armed.what) + _STEPS[key]
        return Armed("bid", offers[min(max(at, 0), len(offers) - 1)])
    rank = _rank(key, scene, speech)
    if not rank or rules.auction_kind == "points":
        return None
    named = [bid.say for bid in may.bids if bid.say == rank or bid.say.startswith(f"{rank}@")]
    return Armed("bid", named[0]) if named else None


# --- in words -------------------------------------------------------------------------------------


def told(armed: Armed, scene: Scene, speech: Speech) -> str:
    """What confirming would do."""
    match armed.kind:
        case "bid":
            stake = next((bid.unit for bid in options(scene).bids if bid.say == armed.what), 1)
            more = f", {speech.t('stake', n=stake)}" if stake > 1 else ""
            return speech.t("do_bid", bid=speech.bid_name(armed.what, scene)) + more
        case "call":
            own = f", {speech.t('own_card')}" if is_own(options(scene), armed) else ""
            return speech.t("do_call", card=speech.card_name(armed.what)) + own
        case "play":
            return speech.t("do_play", card=speech.card_name(armed.what))
        case "trump":
            return speech.t("do_trump", suit=speech.suit_name(armed.what))
        case "pass":
            return speech.t("no_claim" if scene.deal and scene.deal.phase == "claim" else "pass")
        case "claim":
            return speech.t("claim_again")


def hint(scene: Scene, speech: Speech) -> str:
    """What the viewer should do, or whom everybody waits for."""
    table, deal = scene.table, scene.deal
    if table.state == "asleep":
        return speech.t("asleep")
    if table.state == "lobby":
        return speech.t("sit_to_play" if table.you is None else "waits_to_start")
    if table.state in ("between", "over"):
        return _between(scene, speech)
    me = scene.chairs[table.you] if table.you is not None else None
    if deal is None or deal.turn is None:
        return ""
    if is_my_turn(scene):
        return _my_turn(scene, speech)
    if me is None:
        return speech.t("watching", name=name_of(scene, deal.turn))
    if not me.playing:
        return speech.t("you_rest")
    return speech.t("bot_plays_for_you") if me.stand_in else speech.t("turn_of", name=name_of(scene, deal.turn))


def _my_turn(scene: Scene, speech: Speech) -> str:
    deal = scene.deal
    assert deal is not None
    match deal.phase:
        case "auction":
            return speech.t("choose_bid" if deal.standing else "choose_first_bid")
        case "claim":
            return speech.t("choose_claim")
        case "call":
            return speech.t("choose_call_blind" if deal.tricks_done or deal.trick else "choose_call")
        case "trump":
            return speech.t("choose_trump")
        case _:
            return speech.t("choose_card" if deal.trick and deal.trick.winner is None else "choose_lead")


def _between(scene: Scene, speech: Speech) -> str:
    waits = [
        chair.name
        for index, chair in enumerate(scene.chairs)
        if chair.kind == "person" and chair.here and not chair.ready and index != scene.table.you
    ]
    ready = scene.table.you is not None and scene.chairs[scene.table.you].ready
    parts = [speech.t("you_are_ready")] if ready else []
    parts += [speech.t("waits_for", names=", ".join(waits))] if waits else []
    return " ".join(parts)
