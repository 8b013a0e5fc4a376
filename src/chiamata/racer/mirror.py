"""The racer in plain Python: the same jobs, the same answers, 100 to 250 times slower.

It is the fallback where no compiled core loads, and the second opinion in the
tests: alpha-beta over whole tricks with a memory, and no bound, relaxation or
equivalence that could be wrong in the same way as the core's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from chiamata.racer.jobs import (
    BINS,
    UNLIMITED,
    Bounds,
    Limits,
    Position,
    Unsound,
    Variant,
    check_position,
    check_variant,
)
from chiamata.rules.cards import SUIT_CARDS, Card, CardSet, Seat, Suit, cards_in

_MASK = (1 << 64) - 1
_PACK = tuple(range(40))


@dataclass(frozen=True, slots=True)
class Play:
    """A deal in progress; every card makes a new one.

    Args:
        pending: while a change of trump may still come, the called card, else -1.
        naming: the seat that must name the trump now, -1 none.
    """

    variant: Variant
    hands: tuple[CardSet, ...]
    side: int
    leader: Seat
    table: tuple[Card, ...]
    taken: int
    trump: Suit
    pending: Card
    naming: Seat = -1

    @classmethod
    def start(cls, variant: Variant, position: Position) -> Play:
        """The position, checked."""
        check_variant(variant)
        check_position(position)
        coming = sum(position.hands) | sum(1 << card for card in position.table)
        pending = variant.trump_change and variant.called >= 0 and coming >> variant.called & 1
        return cls(
            variant,
            position.hands,
            position.side,
            position.leader,
            position.table,
            position.taken,
            variant.trump,
            variant.called if pending else -1,
        )

    @property
    def turn(self) -> Seat:
        """Who acts now."""
        return self.naming if self.naming >= 0 else (self.leader + len(self.table)) % 5

    @property
    def over(self) -> bool:
        """Nothing is left to play."""
        return not self.table and not self.hands[self.leader]

    @property
    def callers_turn(self) -> bool:
        """A seat of the caller's side acts now."""
        return bool(self.side >> self.turn & 1)

    def moves(self) -> list[int]:
        """Cards that may be played, or the suits 0 to 3 where a trump must be named."""
        if self.naming >= 0:
            return [0, 1, 2, 3]
        hand = self.hands[self.turn]
        if self.table and hand.bit_count() <= self.variant.follow_last:
            hand = hand & SUIT_CARDS[self.table[0] // 10] or hand
        return list(cards_in(hand))

    def after(self, move: int) -> Play:
        """The deal after a card, or after a trump was named."""
        if self.naming >= 0:
            return replace(self, trump=move, naming=-1)
        seat = self.turn
        first = self.hands[seat].bit_count() == 8
        hands = tuple(hand ^ (1 << move) if one == seat else hand for one, hand in enumerate(self.hands))
        table = (*self.table, move)
        if len(table) < 5:
            return Play(self.variant, hands, self.side, self.leader, table, self.taken, self.trump, self.pending)
        trumps = not (first and self.variant.first_plain)
        winner = (self.leader + winning_place(self.variant, table, self.trump if trumps else -1)) % 5
        worth = self.variant.per_trick + sum(self.variant.points[card] for card in table)
        taken = self.taken + worth if self.side >> winner & 1 else self.taken
        fell = self.pending in table
        naming = (self.leader + table.index(self.pending)) % 5 if fell and hands[seat] else -1
        pending = -1 if fell else self.pending
        return Play(self.variant, hands, self.side, winner, (), taken, self.trump, pending, naming)


def winning_place(variant: Variant, table: tuple[Card, ...], trump: Suit) -> int:
    """Which card of a full trick takes it, 0 the led one; trump -1: there is none."""
    led = table[0] // 10

    def rank(place: int) -> tuple[int, int]:
        suit = table[place] // 10
        return (2 if suit == trump else 1 if suit == led else 0), variant.strength[table[place]]

    return max(range(5), key=rank)


# --- open cards -----------------------------------------------------------------------------------


class _Stop(Exception):
    """A limit was reached."""


class Mirror:
    """The same questions as binding.Core, answered in plain Python."""

    def __init__(self) -> None:
        self._memo: dict[tuple[int, ...], tuple[int, int]] = {}
        self._nodes = 0
        self._most = 0
        self._deadline = 0.0

    def solve(self, variant: Variant, position: Position, limits: Limits = UNLIMITED) -> Bounds:
        """What the caller's side gets in all with best play of all seats, all cards open."""
        self._begin(limits)
        return self._value(Play.start(variant, position))

    def win_test(self, variant: Variant, position: Position, target: int, limits: Limits = UNLIMITED) -> Bounds:
        """Bounds that tell whether ``target`` is reached (Bounds.reaches)."""
        self._begin(limits)
        return self._reaches(Play.start(variant, position), target)

    def all_cards(
        self, variant: Variant, position: Position, target: int = 0, limits: Limits = UNLIMITED
    ) -> tuple[Bounds, ...]:
        """Bounds for each card the seat to play may play, sorted by card."""
        self._begin(limits)
        play = Play.start(variant, position)
        bounds = []
        for card in play.moves():
            after = play.after(card)
            one = self._reaches(after, target) if target > 0 else self._value(after)
            bounds.append(replace(one, card=card))
        return tuple(bounds)

    def _begin(self, limits: Limits) -> None:
        self._memo.clear()
        self._nodes = 0
        self._most = limits.nodes
        self._deadline = time.monotonic() + limits.seconds if limits.seconds > 0 else 0.0

    def _reaches(self, play: Play, target: int) -> Bounds:
        low, high = play.taken, play.taken + _coming(play)
        if low < target <= high:
            try:
                value = self._search(play, target)
            except _Stop:
                return Bounds(low, high, self._nodes)
            low, high = (value, high) if value >= target else (low, value)
        return Bounds(low, high, self._nodes)

    def _value(self, play: Play) -> Bounds:
        low, high = play.taken, play.taken + _coming(play)
        while low < high:
            half = self._reaches(play, (low + high + 1) // 2)
            if half.low <= low and half.high >= high:
                break
            low, high = max(low, half.low), min(high, half.high)
        return Bounds(low, high, self._nodes)

    def _search(self, play: Play, target: int) -> int:
        """Fail-soft: at least target if it is reached, less if it is not."""
        self._nodes += 1
        if self._most and self._nodes > self._most:
            raise _Stop
        if self._deadline and not self._nodes & 255 and time.monotonic() > self._deadline:
            raise _Stop
        if play.over or play.taken >= target:
            return play.taken
        if play.table or play.naming >= 0:
            return self._best(play, target)
        left = _coming(play)
        if play.taken + left < target:
            return play.taken + left
        key = (*play.hands, play.leader, play.trump, play.pending)
        low, high = self._memo.get(key, (0, left))
        need = target - play.taken
        if low >= need:
            return play.taken + low
        if high < need:
            return play.taken + high
        value = self._best(play, target) - play.taken
        self._memo[key] = (max(low, value), high) if value >= need else (low, min(high, value))
        return play.taken + value

    def _best(self, play: Play, target: int) -> int:
        callers = play.callers_turn
        best = -1
        for move in play.moves():
            value = self._search(play.after(move), target)
            if best < 0 or (value > best if callers else value < best):
                best = value
            if best >= target if callers else best < target:
                break
        return best


def _coming(play: Play) -> int:
    """Points that somebody still takes."""
    points = play.variant.points
    cards = sum(points[card] for hand in play.hands for card in cards_in(hand)) + sum(
        points[card] for card in play.table
    )
    return cards + play.variant.per_trick * play.hands[(play.leader + len(play.table)) % 5].bit_count()


# --- every order of play, random play ---------------------------------------------------------------


def census(variant: Variant, position: Position) -> tuple[int, ...]:
    """How many of all orders of play end with 0, 1, 2 ... points of the caller's side."""
    bins = [0] * BINS
    waiting = [Play.start(variant, position)]
    while waiting:
        play = waiting.pop()
        if play.over:
            bins[play.taken] += 1
        else:
            waiting.extend(play.after(move) for move in play.moves())
    return tuple(bins)


def dice(seed: int) -> Iterator[int]:
    """64-bit words of SplitMix64, the core's generator."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        x = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
        yield x ^ x >> 31


def shuffle(words: Iterator[int], pack: list[Card]) -> None:
    """Fisher and Yates as the core does it: six draws from a word."""
    last = 39
    while last > 0:
        word = next(words)
        for _ in range(6):
            if last == 0:
                break
            product = word * (last + 1)
            at, word = product >> 64, product & _MASK
            pack[at], pack[last] = pack[last], pack[at]
            last -= 1


def playouts(variant: Variant, position: Position, games: int, seed: int, *, step: bool = False) -> tuple[int, ...]:
    """How often the caller's side got 0, 1, 2 ... points in random games: number for number the core's answer."""
    words = dice(seed)
    bins = [0] * BINS
    fresh = not any(position.hands)
    pack = list(_PACK)
    shuffled = fresh and not step and not variant.follow_last and not variant.trump_change
    for _ in range(games):
        if fresh:
            shuffle(words, pack)
            position = replace(position, hands=dealt(pack), table=())
        play = Play.start(variant, position)
        bins[_in_order(play, pack) if shuffled else _at_random(play, words)] += 1
    return tuple(bins)


def dealt(pack: list[Card]) -> tuple[CardSet, CardSet, CardSet, CardSet, CardSet]:
    """Seat s gets cards s, 5 + s, 10 + s ... of the pack."""
    a, b, c, d, e = (sum(1 << card for card in pack[seat::5]) for seat in range(5))
    return a, b, c, d, e


def _in_order(play: Play, pack: list[Card]) -> int:
    for trick in range(8):
        for _ in range(5):
            play = play.after(pack[5 * trick + play.turn])
    return play.taken


def _at_random(play: Play, words: Iterator[int]) -> int:
    while not play.over:
        moves = play.moves()
        play = play.after(moves[(next(words) >> 32) * len(moves) >> 32])
    return play.taken


__all__ = ["Mirror", "Play", "Unsound", "census", "dealt", "dice", "playouts", "shuffle", "winning_place"]
