"""Worked examples: a deal under each named rule set, and what is worth looking at in it.

The deals stand in ``chiamata/examples``, one text file each (``docs/text-form.md``),
found by ``tools/examples.py``.  They are played by the engine when they are
asked for; what is told of them follows from the rules and the words alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from chiamata.rules import catalogue
from chiamata.rules.cards import SUITS, Card
from chiamata.rules.errors import Bug
from chiamata.rules.moves import Bid, Call, Move, Play, Trump, bid_name
from chiamata.rules.public import Public, Trick
from chiamata.rules.scoring import unit_for
from chiamata.server import paper, replay, table

FOLDER = Path(__file__).parent.parent / "examples"
CODE = "RULES"
CARICO = 10
"""From so many points on a card is worth speaking of: aces and threes."""

Told = tuple[str, dict[str, str | int]]
"""The key of a sentence, and what goes into it; chairs are still seats."""


@cache
def example(name: str) -> paper.Example:
    """The example of a named rule set; Malformed (UNKNOWN_RULESET) if there is no such set."""
    text = (FOLDER / f"{catalogue.load(name).id}.txt").read_text(encoding="utf-8")
    past = replay.find(replay.written(text, CODE), 1)
    if past is None:
        raise Bug(f"the example of {name} does not end")
    return paper.Example(replay.show(past, None, []), events(past))


def events(past: replay.Past) -> list[paper.Event]:
    """What is worth looking at, each kind once."""
    found: dict[str, paper.Event] = {}
    for step, (one, other) in enumerate(zip(past.steps, past.steps[1:], strict=False), 1):
        for key, args in _between(one, other):
            if key not in found or key == "raised":
                found[key] = paper.Event(step, key, _in_chairs(args, one))
    return sorted(found.values(), key=lambda event: event.step)


def _in_chairs(args: dict[str, str | int], state: table.State) -> dict[str, str | int]:
    assert state.game is not None
    return args | ({"chair": state.game.seats[int(args["chair"])]} if "chair" in args else {})


def _between(one: table.State, other: table.State) -> Iterator[Told]:
    before, after = _public(one), _public(other)
    word = after.words[-1]
    dealt = _dealt(one)
    if before.phase == "auction":
        yield from _of_auction(before, after, word)
    match word:
        case Call(seat, card):
            yield _of_call(before, seat, card)
            if dealt[seat] >> card & 1:
                yield "in_hand", {"chair": seat}
        case Play():
            yield from _of_play(before, word, dealt)
        case Trump(seat, suit):
            yield "kept_trump" if suit == before.trump else "new_trump", {"chair": seat, "suit": SUITS[suit]}
    if len(after.tricks) > len(before.tricks):
        yield from _of_trick(after, after.tricks[-1], dealt)
    if before.partner < 0 <= after.partner:
        fallen, alone = after.rules.card_name(after.called), after.partner == after.caller
        yield "revealed_alone" if alone else "revealed", {"chair": after.partner, "card": fallen}
    if after.result is not None:
        yield from _of_end(after)


def _public(state: table.State) -> Public:
    if state.game is None or state.game.deal is None:
        raise Bug("an example without a deal")
    return state.game.deal.public


def _dealt(state: table.State) -> tuple[int, ...]:
    if state.game is None or state.game.deal is None:
        raise Bug("an example without a deal")
    return state.game.deal.dealt


# --- the auction and the call ---------------------------------------------------------------------


def _of_auction(before: Public, after: Public, word: Move) -> Iterator[Told]:
    rules, first = after.rules, before.standing is None
    if isinstance(word, Bid):
        seat = word.seat
        if first and before.passed.bit_count() == 4 and rules.auction.last_bidder == "forced":
            yield "must_bid", {"chair": seat}
        elif first and rules.auction.open_lowest_only:
            yield "opens_lowest", {"chair": seat}
        elif first and word.rank < 0:
            yield "opens_points", {"chair": seat, "n": word.points}
        if word.rank >= 0 and word.points:
            jumped = before.standing is None or before.standing.rank != word.rank
            yield "jumped" if jumped else "raised", {"chair": seat, "n": word.points}
    elif after.caller >= 0 and first:
        yield "auto_bid", {"chair": after.caller, "n": after.target}
    if after.caller >= 0 and rules.scoring.kind == "roles" and unit_for(rules, after.target) > 1:
        yield "stake", {"n": after.target, "times": unit_for(rules, after.target)}


def _of_call(before: Public, seat: int, card: Card) -> Told:
    rules = before.rules
    args: dict[str, str | int] = {"chair": seat, "card": rules.card_name(card)}
    if rules.call.timing == "after_first_trick":
        return "blind_call", args
    if rules.call.timing == "suit_after_first_trick_cards":
        return "blind_suit", args
    if rules.call.allowed in ("any", "highest_missing"):
        return f"called_{'any' if rules.call.allowed == 'any' else 'highest'}", args
    assert before.standing is not None
    said = bid_name(before.standing, rules.ranks).partition("@")[0]
    if rules.ranks[card % 10] == said:
        return "called", args
    return "called_higher" if rules.call.allowed == "bid_rank_or_higher" else "called_exception", args


# --- play -----------------------------------------------------------------------------------------


def _of_play(before: Public, play: Play, dealt: tuple[int, ...]) -> Iterator[Told]:
    rules, seat = before.rules, play.seat
    duty = rules.play.follow_suit
    if not before.trick:
        if not before.tricks and rules.play.first_leader == "caller":
            yield "caller_leads", {"chair": seat}
        if duty == "last_n" and len(before.tricks) == 8 - (rules.play.follow_last_n or 0):
            yield "must_follow", {"n": rules.play.follow_last_n or 0}
        return
    led = before.trick[0]
    if duty != "none" or play.card < 0 or led < 0 or play.card // 10 in (led // 10, before.trump):
        return
    held = dealt[seat] & ~before.played
    if any(held >> card & 1 for card in range(led // 10 * 10, led // 10 * 10 + 10)):
        yield "no_duty", {"chair": seat, "card": rules.card_name(play.card)}


def _of_trick(after: Public, trick: Trick, dealt: tuple[int, ...]) -> Iterator[Told]:
    rules, cards = after.rules, trick.cards
    won = cards[(trick.winner - trick.leader) % 5]
    if rules.call.timing == "after_first_trick" and len(after.tricks) == 1:
        yield "no_trumps", {"chair": trick.winner, "points": trick.points}
        return
    beaten = [card for card in cards if card // 10 == won // 10 and card % 10 < won % 10]
    if beaten:  # ranks stand in the pack from the ace down
        yield "lower_beats", {"card": rules.card_name(won), "other": rules.card_name(min(beaten))}
    best = max(cards, key=lambda card: rules.points[card])
    if won // 10 == after.trump != cards[0] // 10 and rules.points[best] >= CARICO and best // 10 != after.trump:
        yield "ruffed", {"chair": trick.winner, "card": rules.card_name(best), "points": trick.points}
    if trick.winner != after.caller or after.called < 0 or after.played >> after.called & 1:
        return
    holder = next(seat for seat in range(5) if dealt[seat] >> after.called & 1)
    given = rules.points[cards[(holder - trick.leader) % 5]]
    if holder != after.caller and given >= CARICO:
        yield "fed", {"chair": holder, "points": given}


def _of_end(after: Public) -> Iterator[Told]:
    rules, result = after.rules, after.result
    if result is None or result.kind not in ("scored", "draw"):
        return
    scoring = rules.scoring
    if result.points == 60 and after.target == rules.contract.base_target == 61:
        yield f"sixty_{rules.contract.tie_60}", {}
    elif result.kind == "scored":
        yield "made" if result.made else "lost", {"chair": after.caller, "points": result.points, "n": after.target}
    if result.factor != 1:
        yield "cappotto", {"n": result.factor}
    if scoring.kind == "gingo":
        yield "gingo", {"n": after.target}
        return
    if scoring.loss.caller == 0:
        yield "nobody_loses", {}
    if scoring.win.partner == scoring.win.caller and after.partner != after.caller:
        yield "equal_share", {"chair": after.partner}
    if result.made and result.unit > unit_for(rules, after.target):
        yield "margin", {"points": result.points, "n": result.unit}
