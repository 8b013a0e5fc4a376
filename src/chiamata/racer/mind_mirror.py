"""worlds.c and think.c in plain Python: the same worlds from the same dice, the same values of moves.

It is the oracle that the tests hold against the core; with it a few worlds take seconds, so no level plays by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, inf, log, sqrt

from chiamata.racer.jobs import Unsound, Variant
from chiamata.racer.mind import KINDS, PAYOFFS, SILENT, Choice, Masks, Payoffs, Seen, Thinking, Thought
from chiamata.racer.mirror import dice
from chiamata.racer.policy_mirror import UNIT, Pack, Policy, Scene, Turn, below, play_out, shares
from chiamata.rules.cards import ALL_CARDS, SUIT_CARDS, Card, CardSet, Seat, cards_in

SELDOM = 0.02
TRIES = 400
_WORD = 18446744073709551616.0
_MASK = (1 << 64) - 1


class Past:
    """The deal so far, as one seat knows it."""

    def __init__(self, policy: Policy, variant: Variant, seen: Seen, thought: Thought) -> None:
        self.seen, self.thought = seen, thought
        self.pack = Pack(variant)
        self.before: list[Scene] = []
        self.seats: list[Seat] = []
        self.kinds: list[int] = []
        self.fell = [0] * 5
        who = (seen.caller, seen.called, seen.target)
        self.now = Scene(policy, self.pack, who, (seen.leader, seen.trump))
        for place, card in enumerate(seen.cards):
            self._played(place, card)
        if self.now.naming >= 0 and seen.named >= 0:
            self.now.name(seen.named)
        self.hand = seen.dealt & ~self.now.seen
        self.unseen = ALL_CARDS & ~self.now.seen & ~seen.dealt
        self.left = [8 - fell.bit_count() for fell in self.fell]
        self.hidden = seen.called >= 0 and bool(self.unseen >> seen.called & 1)

    def _played(self, place: int, card: Card) -> None:
        seen, scene = self.seen, self.now
        if scene.naming >= 0:
            scene.name(seen.named)
        seat = scene.turn
        tells = place >= seen.blind and scene.partner < 0 and seat != seen.caller and seen.called >= 0
        self.before.append(scene.copy())
        self.seats.append(seat)
        self.kinds.append(scene.stage * KINDS + scene.kind(seat, card) if tells else -1)
        self.fell[seat] |= 1 << card
        scene.play(seat, card)
        if place < seen.blind:
            scene.suspicion = [0] * 5

    # --- how well a hand fits what its seat did ---

    def promise(self, hand: CardSet, called: Card) -> float:
        """Points that a caller's side should make with this card called."""
        weight, pack, trump = self.seen.estimate, self.pack, called // 10
        own = hand & SUIT_CARDS[trump]
        total = weight[0] + weight[11 + pack.strength[called]] + weight[21] * own.bit_count() ** 2
        total += weight[22] * (pack.above[called] & ~hand).bit_count()
        total += sum(weight[1 + pack.strength[card]] for card in cards_in(own))
        for suit in range(4):
            side = hand & SUIT_CARDS[suit]
            if suit != trump and side:
                strengths = {pack.strength[card] for card in cards_in(side)}
                points = sum(pack.points[card] for card in cards_in(side) if pack.strength[card] < 8)
                total += weight[23] * (9 in strengths) + weight[24] * (8 in strengths)
                total += weight[25] * ({8, 9} <= strengths) + weight[26] * points + weight[27]
        return total * pack.total / 120.0

    def call_in(self, hand: CardSet, suit: int, strength: int) -> Card:
        """The card of that strength in a suit, -1 if the hand has it; for strength -1 the strongest missing one."""
        missing = list(cards_in(SUIT_CARDS[suit] & ~hand))
        if strength < 0:
            return max(missing, key=lambda card: self.pack.strength[card], default=-1)
        return next((card for card in missing if self.pack.strength[card] == strength), -1)

    def best_call(self, hand: CardSet, strength: int) -> tuple[Card, float]:
        """The call that promises most, and how much."""
        best, most = -1, -1000.0
        for suit in range(4):
            card = self.call_in(hand, suit, strength)
            if card >= 0 and (points := self.promise(hand, card)) > most:
                best, most = card, points
        return best, most

    def _chosen(self, dealt: CardSet) -> float:
        called = self.seen.called
        mine, whole = self.promise(dealt, called), 0.0
        for suit in range(4):
            card = self.call_in(dealt, suit, self.pack.strength[called])
            if suit == called // 10:
                whole += 1.0
            elif card >= 0:
                whole += exp(min(40.0, (self.promise(dealt, card) - mine) / self.seen.width))
        return SELDOM + (1 - SELDOM) / whole

    def spoken(self, seat: Seat, dealt: CardSet) -> float:
        """Log-likelihood of what this seat said in the auction and called."""
        clue, width, chance = self.seen.clues[seat], self.seen.width, 1.0
        if clue.low_call > SILENT:
            chance *= _likely(self.best_call(dealt, clue.low_call)[1] - clue.low, width)
        if clue.high_call > SILENT:
            chance *= _likely(clue.high - self.best_call(dealt, clue.high_call)[1], width)
        if clue.strong and self._best_suit(dealt) < clue.strong:
            chance *= 1e-9
        if seat == self.seen.caller and self.seen.called >= 0:
            chance *= self._chosen(dealt)
        return log(chance)

    def _best_suit(self, hand: CardSet) -> int:
        return max(sum(self.pack.points[card] or 1 for card in cards_in(hand & SUIT_CARDS[suit])) for suit in range(4))

    def played(self, seat: Seat, dealt: CardSet) -> float:
        """Tempered log-likelihood of the cards that this seat played."""
        chance, floor, hand = 1.0, self.thought.floor, dealt
        for place, (who, card) in enumerate(zip(self.seats, self.seen.cards, strict=True)):
            if who != seat:
                continue
            legal = self.before[place].legal(hand)
            if place >= self.seen.blind and legal & (legal - 1):
                weights = shares(self.before[place], seat, hand)
                whole = sum(weight for _, weight in weights)
                chance *= (1 - floor) * dict(weights).get(card, 0) / whole + floor / len(weights)
            hand ^= 1 << card
        return log(chance) * self.thought.temper

    def fits(self, seat: Seat, hand: CardSet) -> float:
        """Log of how well this hand fits all that its seat did."""
        dealt = hand | self.fell[seat]
        return self.spoken(seat, dealt) + self.played(seat, dealt)

    def holds(self, seat: Seat) -> float:
        """Weight of the called card lying with this seat."""
        seen = self.seen
        if seat == seen.seat or not seen.may[seat] >> seen.called & 1:
            return 0.0
        return seen.solo if seat == seen.caller else 1.0


def _likely(above: float, width: float) -> float:
    return SELDOM + (1 - 2 * SELDOM) / (1 + exp(-above / width))


class World:
    """Five hands, and how well each fits."""

    def __init__(self, hands: list[CardSet], fits: list[float]) -> None:
        self.hands, self.fits = hands, fits


def _nth(cards: CardSet, number: int) -> Card:
    return list(cards_in(cards))[number]


def _draw(past: Past, barred: bool, words: Iterator[int]) -> list[CardSet] | None:
    seen = past.seen
    hands = [past.hand if seat == seen.seat else seen.must[seat] & past.unseen for seat in range(5)]
    room = [0 if seat == seen.seat else past.left[seat] - hands[seat].bit_count() for seat in range(5)]
    if min(room) < 0:
        return None
    cards = past.unseen
    for seat in range(5):
        cards &= ~hands[seat]
    if past.hidden and cards >> seen.called & 1:
        holder = _holder(past, room, words)
        if holder < 0:
            return None
        hands[holder] |= 1 << seen.called
        room[holder] -= 1
        cards &= ~(1 << seen.called)
    if barred:
        return _place_rest(past, hands, room, (cards, words))
    for seat in range(5):
        for _ in range(room[seat]):
            card = 1 << _nth(cards, below(words, cards.bit_count()))
            hands[seat] |= card
            cards ^= card
    return hands


def _holder(past: Past, room: list[int], words: Iterator[int]) -> Seat:
    weights = [room[seat] * past.holds(seat) for seat in range(5)]
    draw = next(words) / _WORD * sum(weights)
    for seat, weight in enumerate(weights):
        if weight > 0 and draw < weight:
            return seat
        draw -= weight
    return -1


def _place_rest(
    past: Past, hands: list[CardSet], room: list[int], rest: tuple[CardSet, Iterator[int]]
) -> list[CardSet] | None:
    cards, words = rest
    while cards:
        fewest, best, to, ties = 6, -1, -1, 0
        for card in cards_in(cards):
            seats = [seat for seat in range(5) if room[seat] > 0 and past.seen.may[seat] >> card & 1]
            if not seats:
                return None
            seat = _by_room(seats, room, words)
            number = len(seats)
            ties = 1 if number < fewest else ties + 1 if number == fewest else ties
            if number < fewest or (number == fewest and below(words, ties) == 0):
                fewest, best, to = number, card, seat
        hands[to] |= 1 << best
        room[to] -= 1
        cards &= ~(1 << best)
    return hands


def _by_room(seats: list[Seat], room: list[int], words: Iterator[int]) -> Seat:
    draw = below(words, sum(room[seat] for seat in seats))
    for seat in seats:
        if draw < room[seat]:
            return seat
        draw -= room[seat]
    raise AssertionError


def _resample(worlds: list[World], keep: int, words: Iterator[int]) -> list[World]:
    sums = [sum(world.fits) for world in worlds]
    most = max(sums)
    weights = [exp(one - most) for one in sums]
    step = sum(weights) / keep
    at, reached, place = next(words) / _WORD * step, weights[0], 0
    kept = []
    for _ in range(keep):
        while reached < at and place < len(worlds) - 1:
            place += 1
            reached += weights[place]
        kept.append(World(worlds[place].hands[:], worlds[place].fits[:]))
        at += step
    return kept


def _exchange(past: Past, world: World, words: Iterator[int]) -> None:
    seen, hands, called = past.seen, world.hands, past.seen.called
    a = (seen.seat + 1 + below(words, 4)) % 5
    b = (seen.seat + 1 + below(words, 4)) % 5
    if a == b or not hands[a] or not hands[b]:
        return
    move_called = past.hidden and below(words, 3) == 0
    if move_called and not hands[a] >> called & 1:
        a = next(seat for seat in range(5) if hands[seat] >> called & 1)
        if a == b:
            return
    x = called if move_called else _nth(hands[a], below(words, hands[a].bit_count()))
    y = _nth(hands[b], below(words, hands[b].bit_count()))
    if not (seen.may[b] >> x & seen.may[a] >> y & 1) or seen.must[a] >> x & 1 or seen.must[b] >> y & 1:
        return
    gain = log(past.left[b] / past.left[a]) if move_called else 0.0
    if called in (x, y):
        start, end = (past.holds(seat) for seat in ((a, b) if x == called else (b, a)))
        if end <= 0:
            return
        gain += log(end / start)
    both = 1 << x | 1 << y
    fits_a, fits_b = past.fits(a, hands[a] ^ both), past.fits(b, hands[b] ^ both)
    gain += fits_a + fits_b - world.fits[a] - world.fits[b]
    if log((next(words) + 1) / _WORD) < gain:
        hands[a] ^= both
        hands[b] ^= both
        world.fits[a], world.fits[b] = fits_a, fits_b


def _worlds(past: Past, words: Iterator[int]) -> list[World]:
    seen, keep = past.seen, past.thought.worlds
    number = keep * past.thought.draws
    barred = any(seat != seen.seat and past.left[seat] and past.unseen & ~seen.may[seat] for seat in range(5))
    worlds: list[World] = []
    for _ in range(number + TRIES):
        if len(worlds) == number:
            break
        hands = _draw(past, barred, words)
        if hands is not None:
            fits = [0.0 if seat == seen.seat else past.fits(seat, hands[seat]) for seat in range(5)]
            worlds.append(World(hands, fits))
    if not worlds:
        raise Unsound("No deal fits the view.")
    worlds = _resample(worlds, keep, words)
    for world in worlds:
        for _ in range(past.thought.swaps):
            _exchange(past, world, words)
    return worlds


class MindMirror:
    """The same questions as ``mind.Mind``."""

    def __init__(self, numbers: Sequence[int], habits: Sequence[int] = ()) -> None:
        self._policy = Policy(numbers)
        self._habits = Policy(habits or numbers)

    def worlds(self, variant: Variant, seen: Seen, thought: Thought) -> list[Masks]:
        """Worlds that fit: the five hands as they are now."""
        past = Past(self._habits, variant, seen, thought)
        found = []
        for world in _worlds(past, dice(thought.seed & _MASK)):
            a, b, c, d, e = world.hands
            found.append((a, b, c, d, e))
        return found

    def features(self, variant: Variant, seen: Seen) -> list[tuple[Card, tuple[int, ...]]]:
        """The features of each legal card, then its inputs to hidden units."""
        past = Past(self._policy, variant, seen, Thought(0))
        turn = Turn(past.now, seen.seat, past.hand)
        return [(card, turn.features(card) + turn.inputs(card)) for card in cards_in(past.now.legal(past.hand))]

    def think(self, variant: Variant, seen: Seen, thought: Thought, payoffs: Payoffs) -> Thinking:
        """Belief, and if it is the seat's turn the value of each of its moves; every move gets all playouts alike.

        It answers thoughts with ``sure`` 0 alone, and plays by the policy, not with open cards.
        """
        past = Past(self._habits, variant, seen, thought)
        words = dice(thought.seed & _MASK)
        worlds = _worlds(past, words)
        past.now.policy = self._policy
        seed = next(words)
        where = [[0.0] * 5 for _ in range(40)]
        partner = [0.0] * 5
        for world in worlds:
            for seat in range(5):
                for card in cards_in(world.hands[seat] if seat != seen.seat else 0):
                    where[card][seat] += 1 / len(worlds)
                if past.now.partner < 0 and world.hands[seat] >> seen.called & 1:
                    partner[seat] += 1 / len(worlds)
        if past.now.partner >= 0:
            partner[past.now.partner] = 1.0
        told = tuple(0.0 if kind < 0 else self._habits.evidence[kind] / UNIT for kind in past.kinds)
        choices = _choices(past, worlds, seed, payoffs)
        return Thinking(choices, tuple(partner), told, tuple(tuple(row) for row in where))


def _choices(past: Past, worlds: list[World], seed: int, payoffs: Payoffs) -> tuple[Choice, ...]:
    moves = range(4) if past.now.naming >= 0 else list(cards_in(past.now.legal(past.hand)))
    each = past.thought.playouts // len(moves)
    if 8 - past.now.trick <= past.thought.exact:  # nothing is drawn: each world needs each move once
        each = min(each, len(worlds))
    values = {move: [_play_once(past, worlds, (seed, move, i), payoffs) for i in range(each)] for move in moves}
    means = {move: sum(played) / each for move, played in values.items()}
    best = max(moves, key=lambda move: means[move])
    choices = []
    for move in moves:
        differences = [one - other for one, other in zip(values[best], values[move], strict=True)]
        mean = sum(differences) / each
        spread = max(0.0, sum(one * one for one in differences) / each - mean * mean)
        choices.append(Choice(move, means[move], sqrt(spread / (each - 1)) if each > 1 else inf, each))
    return tuple(choices)


def _play_once(past: Past, worlds: list[World], what: tuple[int, int, int], payoffs: Payoffs) -> float:
    seed, move, number = what
    scene = past.now.copy()
    hands = worlds[number % len(worlds)].hands[:]
    words = dice((seed + number * 0xD1342543DE82EF95) & _MASK)
    if scene.naming >= 0:
        scene.name(move)
    else:
        hands[past.seen.seat] ^= 1 << move
        scene.play(past.seen.seat, move)
    play_out(scene, hands, words, 8 - past.thought.exact)
    partner = next((seat for seat in range(5) if hands[seat] >> scene.called & 1), scene.partner)
    allies = {scene.caller, partner}
    side = allies if past.seen.seat in allies else set(range(5)) - allies
    return _end(scene, hands, (allies, side), payoffs.rows[partner == scene.caller])


def _end(scene: Scene, hands: list[CardSet], who: tuple[set[Seat], set[Seat]], row: Sequence[float]) -> float:
    """The payoff of the side that is meant, all cards open, each side at its best: plain minimax."""
    allies, side = who
    if scene.trick == 8:
        points, tricks = (sum(each[seat] for seat in allies) for each in (scene.points, scene.taken))
        return row[PAYOFFS - 2 if tricks == 8 else PAYOFFS - 1 if tricks == 0 else points]
    naming = scene.naming >= 0
    seat = scene.naming if naming else scene.turn
    values = []
    for move in range(4) if naming else list(cards_in(scene.legal(hands[seat]))):
        after, left = scene.copy(), hands[:]
        if naming:
            after.name(move)
        else:
            left[seat] ^= 1 << move
            after.play(seat, move)
        values.append(_end(after, left, who, row))
    return max(values) if seat in side else min(values)
