"""policy.c in plain Python: the table as everybody sees it, and how a player chooses a card there.

Number for number what the core computes; the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from math import exp, floor
from typing import NamedTuple

from chiamata.racer.jobs import Variant
from chiamata.racer.mind import HIDDEN, KINDS, STAGES
from chiamata.rules.cards import ALL_CARDS, SUIT_CARDS, Card, CardSet, Seat, Suit, cards_in

UNIT, EXPS, CERTAIN, ROLES = 64, 1024, 256, 7
CALLER, CALLER_KNOWN, CALLER_ALONE, PARTNER, PARTNER_SHOWN, DEFENDER, DEFENDER_KNOWN = range(ROLES)
_SIZES = (
    ROLES * 3 * 4 * 20,
    ROLES * 6 * 6 * 12,
    ROLES * 4 * 6 * 10,
    ROLES * 6 * 4 * 3 * 12,
    ROLES * 8 * 4 * 8,
    ROLES * 8 * 6 + 1,
    ROLES * 5 * 2 * 12,
    ROLES * 6 * 4 * 12,
    ROLES * 4 * 4 * 4 * 6 + 1,
    ROLES * 4 * 2 * 5 * 12,
    4 * 2 * 3 * 12 + 1,
)
_AT = tuple(sum(_SIZES[:place]) for place in range(len(_SIZES)))
FEATURE_WEIGHTS = sum(_SIZES)
_SHARED_SIZES = (
    ROLES * 5,
    ROLES * 8,
    ROLES * 6,
    ROLES * 8,
    ROLES * 6,
    21,
    11,
    9,
    21,
    ROLES * 13,
    ROLES * 13,
    13,
    ROLES * 5,
    25,
    *(41,) * 4,
    31,
)
"""Rows of the hidden units' inputs that all cards of a turn share; the last are those of the hand."""
_OWN_SIZES = (ROLES * 3 * 20, ROLES * 6 * 12, 5 * 12, ROLES * 10, 32, 18, ROLES * 2, 6 * 12)
_IN = tuple(sum((*_SHARED_SIZES, *_OWN_SIZES)[:place]) for place in range(len(_SHARED_SIZES) + len(_OWN_SIZES)))
INPUT_ROWS = sum((*_SHARED_SIZES, *_OWN_SIZES))


class Policy:
    """The numbers of a policy, taken apart."""

    def __init__(self, numbers: Sequence[int]) -> None:
        plain, deep = FEATURE_WEIGHTS + KINDS * STAGES, (INPUT_ROWS + 1) * HIDDEN
        self.weight = tuple(numbers[:FEATURE_WEIGHTS])
        self.evidence = tuple(numbers[FEATURE_WEIGHTS:plain])
        rows = [tuple(numbers[at : at + HIDDEN]) for at in range(plain, len(numbers), HIDDEN)]
        self.rows, self.counts = rows[:-1], rows[-1] if rows else ()
        self.exps = tuple(floor(1048576.0 * exp(-place / UNIT) + 0.5) for place in range(EXPS))
        if len(numbers) not in (plain, plain + deep):
            raise ValueError(f"A policy has {plain} numbers, or {deep} more.")

    def deep(self, inputs: Sequence[int]) -> int:
        """What the hidden units add to a card's score."""
        units = [sum(column) for column in zip(*(self.rows[at] for at in inputs), strict=True)]
        total: int = sum(max(0, unit) * count for unit, count in zip(units, self.counts, strict=True))
        return total // UNIT if total >= 0 else -(-total // UNIT)

    def share(self, below: int) -> int:
        """The weight of a score so far below the best."""
        return self.exps[min(below, EXPS - 1)]


class Pack:
    """A variant made ready."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.points, self.strength = variant.points, variant.strength
        most = max(self.points)
        self.total = sum(self.points) + 8 * variant.per_trick
        self.value = tuple(0 if points == 0 else 1 if points * 2 <= most else 2 for points in self.points)
        self.above = tuple(
            sum(1 << other for other in cards_in(SUIT_CARDS[card // 10]) if self.strength[other] > self.strength[card])
            for card in range(40)
        )

    def beats(self, card: Card, best: Card, trump: Suit) -> bool:
        """Whether a later card takes the trick."""
        return self.strength[card] > self.strength[best] if card // 10 == best // 10 else card // 10 == trump


class Scene:
    """What everybody knows of a deal in play."""

    def __init__(self, policy: Policy, pack: Pack, who: tuple[Seat, Card, int], start: tuple[Seat, Suit]) -> None:
        self.policy, self.pack = policy, pack
        self.caller, self.called, self.target = who
        self.leader, self.trump = start
        self.seen: CardSet = 0
        self.suspicion, self.points, self.taken = [0] * 5, [0] * 5, [0] * 5
        self.table: list[Card] = []
        self.partner = self.best = self.holder = self.naming = -1
        self.pot = self.trick = 0

    def copy(self) -> Scene:
        """Another that goes its own way."""
        other = copy(self)
        other.suspicion, other.points, other.taken = self.suspicion[:], self.points[:], self.taken[:]
        other.table = self.table[:]
        return other

    @property
    def turn(self) -> Seat:
        """Who plays next."""
        return (self.leader + len(self.table)) % 5

    @property
    def trump_now(self) -> Suit:
        """The trump of the running trick, -1 where it is played without."""
        return -1 if self.trick == 0 and self.pack.variant.first_plain else self.trump

    @property
    def stage(self) -> int:
        """Evidence is counted apart for the first trick, the next two, and the rest."""
        return 0 if self.trick == 0 else 1 if self.trick < 3 else 2

    def legal(self, hand: CardSet) -> CardSet:
        """The cards that may be played."""
        if not self.table or hand.bit_count() > self.pack.variant.follow_last:
            return hand
        return hand & SUIT_CARDS[self.table[0] // 10] or hand

    def kind(self, seat: Seat, card: Card) -> int:
        """What a card of somebody else than the caller looks like to the table."""
        pack, trump = self.pack, self.trump_now
        is_trump = int(card // 10 == trump)
        if not self.table:
            return is_trump * 3 + pack.value[card]
        to_come = (self.caller - self.leader) % 5 > (seat - self.leader) % 5
        when = 0 if self.holder == self.caller else 1 if to_come else 2
        what = pack.value[card]
        if pack.beats(card, self.best, trump):
            what = 3 + 2 * (self.pot * 15 >= pack.total) + is_trump
        return 6 + when * 14 + (len(self.table) == 4) * 7 + what

    def play(self, seat: Seat, card: Card) -> None:
        """This seat plays this card."""
        if self.partner < 0 and seat != self.caller and self.called >= 0:
            self.suspicion[seat] += self.policy.evidence[self.stage * KINDS + self.kind(seat, card)]
        if card == self.called:
            self.partner = seat
        if not self.table or self.pack.beats(card, self.best, self.trump_now):
            self.best, self.holder = card, seat
        self.table.append(card)
        self.pot += self.pack.points[card]
        self.seen |= 1 << card
        if len(self.table) == 5:
            self._end_trick()

    def _end_trick(self) -> None:
        self.points[self.holder] += self.pot
        self.taken[self.holder] += 1
        revealed = self.called in self.table
        self.leader = self.holder
        self.table, self.pot = [], 0
        self.best = self.holder = -1
        self.trick += 1
        self.naming = self.partner if revealed and self.pack.variant.trump_change and self.trick < 8 else -1

    def name(self, suit: Suit) -> None:
        """The trump is named anew."""
        self.trump, self.naming = suit, -1

    def best_trump(self, hand: CardSet) -> Suit:
        """The suit in which a hand is longest and strongest."""
        best, most = self.trump, -1
        for suit in range(4):
            total = 8 if suit == self.trump else 0
            total += sum(2 * (4 + self.pack.strength[card]) for card in cards_in(hand & SUIT_CARDS[suit]))
            if total > most:
                best, most = suit, total
        return best

    def odds(self, viewer: Seat) -> list[int]:
        """Odds, in 256ths, that each seat is the partner, as this viewer must think."""
        if self.partner >= 0:
            return [CERTAIN * (seat == self.partner != self.caller) for seat in range(5)]
        others = [seat for seat in range(5) if seat not in (viewer, self.caller)]
        most = max(self.suspicion[seat] for seat in others)
        weights = [self.policy.share(most - self.suspicion[seat]) if seat in others else 0 for seat in range(5)]
        whole = sum(weights)
        return [weight * CERTAIN // whole for weight in weights]


class Look(NamedTuple):
    """What a card is and does in a turn: see policy.c."""

    trump: int
    kind: int
    takes: int
    what: int
    higher: int
    beaten: int
    suit: int


class Turn:
    """One seat's turn: what its choice depends on beside the card."""

    def __init__(self, scene: Scene, seat: Seat, hand: CardSet) -> None:
        self.scene, self.seat, self.hand = scene, seat, hand
        self.unseen = ALL_CARDS & ~scene.seen & ~hand
        self.role = _role(scene, seat, scene.called >= 0 and bool(hand >> scene.called & 1))
        odds = scene.odds(-1 if self.role == PARTNER else seat)
        exposed = odds[seat] if self.role == PARTNER else 0
        if self.role == PARTNER:
            odds = [CERTAIN * (one == seat) for one in range(5)]
        friend = [_friend(scene, self.role, odds, one) for one in range(5)]
        friend[seat] = CERTAIN
        later = [(scene.leader + place) % 5 for place in range(len(scene.table) + 1, 5)]
        self.caller_to_come = int(scene.caller in later)
        self.trump = scene.trump_now
        self.stage = 0 if not scene.table else 1 if len(scene.table) < 4 else 2
        self.left = 7 - scene.trick
        self.held = _class(friend[scene.holder], (16, 96, 160, 240)) + 1 if scene.table else 0
        self.pot = _class(scene.pot, (1, 6, 11, 16, 22))
        self.enemies = _class(sum(CERTAIN - friend[one] for one in later), (40, 206, 462))
        self.friends = min(2, _class(sum(friend[one] for one in later), (40, 206, 462)))
        self.need = _need(scene, odds)
        own = (hand & SUIT_CARDS[self.trump]).bit_count() if self.trump >= 0 else 0
        self.trumps = max(0, min(own, 4) - 1)
        holder = scene.holder
        self.who = 0 if not scene.table else 1 if holder == scene.caller else 2 if odds[holder] > 128 else 3
        self.exposed = _class(exposed, (48, 96, 160))

    def look(self, card: Card) -> Look:
        """What a card is and does in this turn."""
        scene, pack = self.scene, self.scene.pack
        trump = int(card // 10 == self.trump)
        takes = int(not scene.table or pack.beats(card, scene.best, self.trump))
        above = pack.above[card] & self.unseen
        beaten = 0
        if takes and self.stage < 2:
            trumps = 0 if trump or self.trump < 0 else self.unseen & SUIT_CARDS[self.trump]
            beaten = _class((above | trumps).bit_count(), (1, 3, 6, 10))
        kind = pack.value[card] * 2 + trump
        suit = min((self.hand & SUIT_CARDS[card // 10]).bit_count(), 4) - 1
        return Look(trump, kind, takes, kind * 2 + takes, min(above.bit_count(), 3), beaten, suit)

    def features(self, card: Card) -> tuple[int, ...]:
        """One number of each table for this card."""
        scene, pack, role, half = self.scene, self.scene.pack, self.role, self.left // 2
        trump, kind, takes, what, higher, beaten, suit = self.look(card)
        place = len(scene.table)
        rows = (
            ((role * 3 + self.stage) * 4 + half) * 20 + trump * 10 + pack.strength[card],
            ((role * 6 + self.held) * 6 + self.pot) * 12 + what,
            ((role * 4 + self.enemies) * 6 + self.pot) * 10 + takes * 5 + beaten,
            (((role * 6 + self.held) * 4 + self.enemies) * 3 + self.friends) * 12 + what,
            ((role * 8 + self.left) * 4 + self.trumps) * 8 + trump * 4 + higher,
            (role * 8 + self.left) * 6 + self.held + 1 if card == scene.called else 0,
            ((role * 5 + place) * 2 + self.caller_to_come) * 12 + what,
            ((role * 6 + self.need) * 4 + half) * 12 + what,
            0 if self.stage else 1 + (((role * 4 + half) * 4 + higher) * 4 + suit) * 6 + kind,
            (((role * 4 + self.who) * 2 + self.caller_to_come) * 5 + place) * 12 + what,
            1 + ((self.exposed * 2 + (self.who == 1)) * 3 + self.stage) * 12 + what if role == PARTNER else 0,
        )
        return tuple(at + row for at, row in zip(_AT, rows, strict=True))

    def inputs(self, card: Card) -> tuple[int, ...]:
        """What the hidden units are shown of this card."""
        return (*self._shared_inputs(), *self._own_inputs(card))

    def _card_class(self, card: Card) -> int:
        return (card // 10 == self.trump) * 10 + self.scene.pack.strength[card]

    def _shared_inputs(self) -> tuple[int, ...]:
        scene, pack, role = self.scene, self.scene.pack, self.role
        trumps = SUIT_CARDS[self.trump] if self.trump >= 0 else 0
        dear = sum(pack.value[card] == 2 for card in cards_in(self.unseen & ~trumps))
        place, table, total = len(scene.table), scene.table, pack.total
        callers = [(scene.leader + i) % 5 == scene.caller for i in range(4)]
        on_table = [1 + self._card_class(card) * 2 + callers[i] for i, card in enumerate(table)]
        called = 0 if scene.called < 0 else 1 + pack.strength[scene.called] * 2 + (scene.partner >= 0)
        rows = (
            role * 5 + place,
            role * 8 + self.who * 2 + self.caller_to_come,
            role * 6 + self.pot,
            role * 8 + self.left,
            role * 6 + self.need,
            1 + self._card_class(scene.best) if table else 0,
            (self.unseen & trumps).bit_count(),
            min(dear, 8),
            called,
            role * 13 + min(scene.points[scene.caller] * 12 // total, 12),
            role * 13 + min(scene.points[self.seat] * 12 // total, 12),
            (total - sum(scene.points)) * 12 // total,
            role * 5 + ((self.seat - scene.holder) % 5 if table else 0),
            place * 5 + (scene.caller - self.seat) % 5,
            *on_table,
            *[0] * (4 - place),
        )
        led = table[0] // 10 if table else -1
        suits = [2 if card // 10 == self.trump else int(card // 10 == led) for card in cards_in(self.hand)]
        held = [1 + suit * 10 + pack.strength[card] for suit, card in zip(suits, cards_in(self.hand), strict=True)]
        hand = [*held, *[0] * (8 - len(held))]
        at = len(rows)
        return (*(base + row for base, row in zip(_IN, rows, strict=False)), *(_IN[at] + row for row in hand))

    def _own_inputs(self, card: Card) -> tuple[int, ...]:
        scene, pack, role = self.scene, self.scene.pack, self.role
        look = self.look(card)
        led = 0 if not scene.table else 1 if scene.table[0] // 10 == card // 10 else 2
        rows = (
            (role * 3 + self.stage) * 20 + self._card_class(card),
            (role * 6 + self.held) * 12 + look.what,
            len(scene.table) * 12 + look.what,
            role * 10 + look.takes * 5 + look.beaten,
            look.trump * 16 + look.suit * 4 + look.higher,
            led * 6 + pack.value[card] * 2 + look.trump,
            role * 2 + (card == scene.called),
            self.pot * 12 + look.what,
        )
        return tuple(base + row for base, row in zip(_IN[len(_SHARED_SIZES) :], rows, strict=True))


def _class(value: int, bounds: tuple[int, ...]) -> int:
    """How many of the bounds it reaches."""
    return sum(value >= bound for bound in bounds)


def _role(scene: Scene, seat: Seat, holds: bool) -> int:
    if seat == scene.caller:
        return CALLER_ALONE if holds or scene.partner == seat else CALLER_KNOWN if scene.partner >= 0 else CALLER
    if scene.partner >= 0:
        return PARTNER_SHOWN if scene.partner == seat else DEFENDER_KNOWN
    return PARTNER if holds else DEFENDER


def _friend(scene: Scene, role: int, odds: list[int], other: Seat) -> int:
    is_caller = other == scene.caller
    if role <= CALLER_KNOWN:
        return odds[other]
    if role == CALLER_ALONE:
        return 0
    if role <= PARTNER_SHOWN:
        return CERTAIN * is_caller
    return 0 if is_caller else CERTAIN - odds[other]


def _need(scene: Scene, odds: list[int]) -> int:
    done = scene.points[scene.caller] * CERTAIN
    done += sum(points * odd for points, odd in zip(scene.points, odds, strict=True))
    left = scene.pack.total - sum(scene.points)
    need = scene.target - done // CERTAIN
    if need <= 0:
        return 0
    if need > left:
        return 5
    return 1 if need * 20 < left * 7 else 2 if need * 2 < left else 3 if need * 20 < left * 13 else 4


def scores(scene: Scene, seat: Seat, hand: CardSet) -> list[tuple[Card, int]]:
    """Scores of the legal cards."""
    turn = Turn(scene, seat, hand)
    policy, scored = scene.policy, []
    for card in cards_in(scene.legal(hand)):
        score = sum(policy.weight[at] for at in turn.features(card))
        scored.append((card, score + (policy.deep(turn.inputs(card)) if policy.counts else 0)))
    return scored


def shares(scene: Scene, seat: Seat, hand: CardSet) -> list[tuple[Card, int]]:
    """Weights of the legal cards, to draw by."""
    scored = scores(scene, seat, hand)
    most = max(score for _, score in scored)
    return [(card, scene.policy.share(most - score)) for card, score in scored]


def drawn(scene: Scene, seat: Seat, hand: CardSet, words: Iterator[int]) -> Card:
    """A card drawn from the policy."""
    legal = scene.legal(hand)
    if legal & (legal - 1) == 0:
        return legal.bit_length() - 1
    weights = shares(scene, seat, hand)
    draw = below(words, sum(weight for _, weight in weights))
    for card, weight in weights:
        if draw < weight:
            return card
        draw -= weight
    raise AssertionError


def below(words: Iterator[int], bound: int) -> int:
    """0 .. bound - 1, as the core draws it."""
    return (next(words) >> 32) * bound >> 32


def play_out(scene: Scene, hands: list[CardSet], words: Iterator[int], tricks: int = 8) -> None:
    """Everybody plays by the policy until so many tricks are done."""
    while scene.trick < tricks:
        if scene.naming >= 0:
            scene.name(scene.best_trump(hands[scene.naming]))
        seat = scene.turn
        card = drawn(scene, seat, hands[seat], words)
        hands[seat] ^= 1 << card
        scene.play(seat, card)
