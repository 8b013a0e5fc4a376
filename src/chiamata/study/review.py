"""A written game told move by move, as facts that a door can say in any language."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from chiamata.rules.cards import SEAT_NAMES, SUITS, Card, Seat, cards_in
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.game import Game
from chiamata.rules.moves import Bid, Call, Claim, Dealt, End, Move, Pass, Play, Trump, Word, bid_name, to_text
from chiamata.rules.public import Trick
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.text import PEOPLE, Place, Script, read_text

_MOST_NAMED = 12
"""How many legal moves an error names before it stops."""


class Told(msgspec.Struct, frozen=True):
    """One line of the telling.

    Args:
        key: its words in the locales, under ``replay``.
        facts: what the words name: seats and people as letters, cards and bids as text, numbers.
    """

    key: str
    facts: dict[str, str | int] = {}


def retell(text: str) -> Iterator[Told]:
    """The game in this text (or log of JSON lines), line by line as it happens.

    Raises:
        Malformed: it cannot be read, or a move is not allowed where it stands; ``where`` is
            ``line:column`` and ``fix`` says what could stand there.
    """
    yield from _tell(read_text(text))


def _tell(script: Script) -> Iterator[Told]:
    game = script.game
    yield Told("game", {"rules": game.rules.title or game.rules.id, "dealer": PEOPLE[game.dealer]})
    for word, place in zip(script.words, script.places, strict=True):
        before, game = game, _after(game, word, place)
        yield from _say(before, word, game)
    yield from _end(game)


def _after(game: Game, word: Word, place: Place) -> Game:
    try:
        return game.apply(word)
    except Illegal as refusal:
        said = "hands" if isinstance(word, Dealt) else to_text(word, game.rules.ranks)
        raise Malformed(refusal.code, str(place), said, _what_may_stand_here(game)) from None


def _what_may_stand_here(game: Game) -> str:
    if game.over:
        return "The game is over here."
    if game.needs_deal or game.deal is None:
        return "Five hands come next."
    turn = game.deal.public.turn
    moves = [to_text(move, game.rules.ranks) for move in game.deal.legal(turn)]
    more = [] if len(moves) <= _MOST_NAMED else ["…"]
    return f"Now comes one of: {'  '.join(moves[:_MOST_NAMED] + more)}."


def _say(before: Game, word: Word, after: Game) -> Iterator[Told]:
    deal = after.deal
    if isinstance(word, End) or deal is None:
        yield Told("end")
        return
    if isinstance(word, Dealt):
        yield from _say_deal(after, deal)
        return
    yield from _say_move(word, after.rules)
    old = before.deal.public if before.deal else deal.public
    new = deal.public
    if len(new.tricks) > len(old.tricks):
        yield _say_trick(after, len(new.tricks), new.tricks[-1])
    if new.partner >= 0 > old.partner:
        yield _say_partner(new.caller, new.partner)
    if new.caller >= 0 > old.caller:
        yield Told("contract", {"seat": SEAT_NAMES[new.caller], "target": new.target})
    if new.result is not None:
        yield from _say_result(after)


def _say_move(move: Move, rules: RuleSet) -> Iterator[Told]:
    """What a seat said; cards are told with their trick."""
    seat = SEAT_NAMES[move.seat]
    match move:
        case Bid():
            yield Told("bid", {"seat": seat, "bid": bid_name(move, rules.ranks)})
        case Pass():
            yield Told("pass", {"seat": seat})
        case Claim():
            yield Told("claim", {"seat": seat})
        case Call(card=card):
            yield Told("call", {"seat": seat, "card": rules.card_name(card), "suit": SUITS[card // 10]})
        case Trump(suit=suit):
            yield Told("trump", {"seat": seat, "suit": SUITS[suit]})


def _say_deal(game: Game, deal: Deal) -> Iterator[Told]:
    number, dealer = len(game.rows) + 1, SEAT_NAMES[deal.public.dealer]
    yield Told("deal", {"number": number, "dealer": dealer})
    if game.people > len(game.seats):
        yield Told("seats", {"people": " ".join(PEOPLE[person] for person in game.seats)})
    if game.multiplier != 1:
        yield Told("multiplier", {"times": game.multiplier})
    for seat, hand in zip(SEAT_NAMES, deal.dealt, strict=True):
        names = " ".join(game.rules.card_name(card) for card in cards_in(hand))
        yield Told("hand", {"seat": seat, "cards": names})


def _say_trick(game: Game, number: int, trick: Trick) -> Told:
    facts: dict[str, str | int] = {"number": number, "cards": _cards(game, trick.leader, trick.cards)}
    return Told("trick", facts | {"winner": SEAT_NAMES[trick.winner], "points": trick.points})


def _say_partner(caller: Seat, partner: Seat) -> Told:
    if caller == partner:
        return Told("solo", {"seat": SEAT_NAMES[caller]})
    return Told("partner", {"seat": SEAT_NAMES[partner], "caller": SEAT_NAMES[caller]})


def _say_result(game: Game) -> Iterator[Told]:
    row = game.rows[-1]
    result = row.result
    if result.kind == "scored":
        facts: dict[str, str | int] = {"points": result.points, "target": row.target, "tricks": result.tricks}
        yield Told("made" if result.made else "failed", facts | {"rest": sum(game.rules.points) - result.points})
        yield Told("payoff", {"payoffs": _signed(row.payoff)})
    else:
        key = "thrown_in" if result.kind == "claim" else result.kind
        yield Told(key, {"times": result.next_multiplier})
    yield Told("score", {"scores": "  ".join(f"{PEOPLE[who]} {score}" for who, score in enumerate(game.scores))})


def _end(game: Game) -> Iterator[Told]:
    """What lies on the table where the text stops, or who has won."""
    if game.over:
        yield Told("over", {"winners": " ".join(PEOPLE[person] for person in game.winners())})
    elif game.deal is not None and not game.needs_deal:
        public = game.deal.public
        if public.trick:
            number = len(public.tricks) + 1
            yield Told("table", {"number": number, "cards": _cards(game, public.leader, public.trick)})
        yield Told("stops", {"seat": SEAT_NAMES[public.turn]})


def _cards(game: Game, leader: Seat, cards: tuple[Card, ...]) -> str:
    plays = (Play((leader + right) % 5, card) for right, card in enumerate(cards))
    return " ".join(to_text(play, game.rules.ranks) for play in plays)


def _signed(payoff: tuple[int, ...]) -> str:
    return "  ".join(f"{PEOPLE[person]} {gain:+d}" for person, gain in enumerate(payoff))
