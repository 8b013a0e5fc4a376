"""Thinking as one seat, through the compiled core: worlds that fit what it sees, belief, choice of a card, contracts.

mind.h tells what each number means.  ``mind_mirror`` does the same in plain Python.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from ctypes import POINTER, c_double, c_float, c_int16, c_int32, c_int64, c_uint64, c_void_p
from dataclasses import dataclass
from functools import cache

from chiamata.racer.binding import _Variant, _variant, why_not
from chiamata.racer.build import LIBRARY
from chiamata.racer.jobs import BINS, Unsound, Variant
from chiamata.rules.cards import ALL_CARDS, Card, CardSet, Seat, Suit

PAYOFFS = BINS + 2
"""A row of payoffs: by points of the caller's side, then for all tricks, then for none."""
GROUPS = 11
"""Features of a card."""
INPUTS = 34
"""Inputs of a card to the hidden units."""
HIDDEN = 32
"""Hidden units, where a policy has them."""
KINDS = 48
STAGES = 3
ESTIMATES = 28
SILENT = -2
"""In a clue: the seat made no such bid, or did not pass."""

Masks = tuple[CardSet, CardSet, CardSet, CardSet, CardSet]
NONE: Masks = (0, 0, 0, 0, 0)
ANY: Masks = (ALL_CARDS, ALL_CARDS, ALL_CARDS, ALL_CARDS, ALL_CARDS)


@dataclass(frozen=True)
class Clue:
    """What the auction told of one seat.

    Args:
        low, low_call: it bid where its best contract with a called card of that strength must bring ``low`` points.
        high, high_call: it passed where going on would have asked for ``high``.
        strong: suit strength that its bid asks of a hand, 0 for none.
    """

    low: float = 0.0
    low_call: int = SILENT
    high: float = 0.0
    high_call: int = SILENT
    strong: int = 0


@dataclass(frozen=True)
class Seen:
    """A deal in play as one seat sees it.

    Args:
        dealt: the seat's own eight cards.
        called: -1 before the call (contracts only).
        leader: of the first trick.
        trump: of the tricks before the called card fell.
        cards: all cards played, in order.
        named: the trump named after the called card fell, -1 none.
        blind: so many cards were played before the call.
        must, may: by seat the cards it was surely, was possibly dealt.
        solo: weight of a world in which the caller itself holds the called card; 0 where that is forbidden.
        width: softness of the clues in points.
        estimate: weights of a caller's hand.
    """

    dealt: CardSet
    seat: Seat
    caller: Seat
    called: Card
    target: int
    leader: Seat
    trump: Suit
    cards: tuple[Card, ...] = ()
    named: Suit = -1
    blind: int = 0
    must: Masks = NONE
    may: Masks = ANY
    clues: tuple[Clue, ...] = (Clue(),) * 5
    solo: float = 0.0
    width: float = 8.0
    estimate: tuple[float, ...] = (0.0,) * ESTIMATES


@dataclass(frozen=True)
class Thought:
    """How to think.

    Args:
        worlds, draws: worlds kept, and drawn for each one kept.
        swaps: pairs of cards that each world tries to exchange.
        playouts: in all, over all moves.
        temper, floor: of the likelihood of the cards played; temper 0 believes nothing.
        sure: a move that is so many standard errors behind is given up; 0: all get as many playouts.
        open_cards: playouts by a greedy rule with all cards open, as plain determinized players do.
        exact: so many last tricks of a playout are played with open cards, each side at its best.
    """

    seed: int
    worlds: int = 256
    draws: int = 3
    swaps: int = 12
    playouts: int = 4000
    temper: float = 0.8
    floor: float = 0.03
    sure: float = 3.5
    open_cards: bool = False
    exact: int = 0


@dataclass(frozen=True)
class Choice:
    """A move, what it should pay, and the standard error of its difference to the best one."""

    move: int
    mean: float
    error: float
    playouts: int


@dataclass(frozen=True)
class Thinking:
    """What came of it.

    Args:
        choices: one a legal move, by card (or suit where a trump is to be named).
        partner: by seat how likely it holds, or held, the called card.
        told: for each card played the logarithm of how much oftener a partner than a defender plays so.
        where: for each card and seat how likely it lies there.
    """

    choices: tuple[Choice, ...]
    partner: tuple[float, ...]
    told: tuple[float, ...]
    where: tuple[tuple[float, ...], ...]


class _Clue(ctypes.Structure):
    _fields_ = (
        ("low", c_double),
        ("high", c_double),
        ("low_call", c_int32),
        ("high_call", c_int32),
        ("strong", c_int32),
        ("spare", c_int32),
    )


class _View(ctypes.Structure):
    _fields_ = (
        ("dealt", c_uint64),
        ("must", c_uint64 * 5),
        ("may", c_uint64 * 5),
        ("clues", _Clue * 5),
        ("solo", c_double),
        ("width", c_double),
        ("estimate", c_double * ESTIMATES),
        ("seat", c_int32),
        ("caller", c_int32),
        ("called", c_int32),
        ("target", c_int32),
        ("leader", c_int32),
        ("trump", c_int32),
        ("named", c_int32),
        ("spare", c_int32),
        ("blind", c_int32),
        ("plays", c_int32),
        ("cards", c_int32 * 40),
    )


class _Thought(ctypes.Structure):
    _fields_ = (
        ("seed", c_uint64),
        ("worlds", c_int32),
        ("draws", c_int32),
        ("swaps", c_int32),
        ("playouts", c_int32),
        ("open", c_int32),
        ("exact", c_int32),
        ("temper", c_double),
        ("floor", c_double),
        ("sure", c_double),
    )


class _Move(ctypes.Structure):
    _fields_ = (("move", c_int32), ("playouts", c_int32), ("mean", c_double), ("error", c_double))


class _Thinking(ctypes.Structure):
    _fields_ = (
        ("moves", _Move * 8),
        ("count", c_int32),
        ("spare", c_int32),
        ("partner", c_double * 5),
        ("told", c_double * 40),
        ("where", (c_float * 5) * 40),
    )


class _Minds(ctypes.Structure):
    _fields_ = (("policy", c_void_p), ("habits", c_void_p), ("payoff", POINTER(c_double)))


class _Set(ctypes.Structure):
    _fields_ = (
        ("cards", POINTER(c_int32)),
        ("features", POINTER(c_int32)),
        ("targets", POINTER(c_float)),
        ("samples", c_int64),
        ("groups", c_int32),
        ("weights", c_int32),
        ("inputs", c_int32),
        ("rows", c_int32),
        ("rate", c_float),
        ("decay", c_float),
    )


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(LIBRARY))
    except OSError:
        return None
    if not hasattr(library, "racer_think"):
        return None
    job = (c_void_p, POINTER(_Variant), POINTER(_View))
    library.racer_policy_new.argtypes = (POINTER(c_int16), c_int32)
    library.racer_policy_new.restype = c_void_p
    library.racer_policy_free.argtypes = (c_void_p,)
    library.racer_policy_free.restype = None
    library.racer_policy_numbers.argtypes = ()
    library.racer_hidden_numbers.argtypes = ()
    library.racer_think.argtypes = (POINTER(_Minds), *job[1:], POINTER(_Thought), POINTER(_Thinking))
    library.racer_worlds.argtypes = (*job, POINTER(_Thought), POINTER(c_uint64))
    library.racer_contract.argtypes = (*job, POINTER(_Thought), c_int32, POINTER(c_int32))
    library.racer_features.argtypes = (*job, POINTER(c_int32))
    library.racer_kinds.argtypes = (*job, POINTER(c_int32))
    library.racer_fit.argtypes = (POINTER(_Set), POINTER(c_float), POINTER(c_float))
    library.racer_fit.restype = c_double
    return library


def available() -> bool:
    """Whether the compiled core is there."""
    return _library() is not None


def _need() -> ctypes.CDLL:
    library = _library()
    if library is None:
        raise RuntimeError(why_not() or "The compiled racer is older than this package: build it anew.")
    return library


def numbers_wanted() -> int:
    """How many numbers a policy has."""
    number: int = _need().racer_policy_numbers()
    return number


def hidden_wanted() -> int:
    """How many more it has where it has hidden units."""
    number: int = _need().racer_hidden_numbers()
    return number


class Payoffs:
    """The payoff of a seat by what the caller's side took, with a partner and alone.

    Args:
        rows: two rows of PAYOFFS numbers: with a partner, solo.
    """

    def __init__(self, rows: tuple[Sequence[float], Sequence[float]]) -> None:
        if any(len(row) != PAYOFFS for row in rows):
            raise Unsound(f"A row of payoffs has {PAYOFFS} numbers.")
        self.rows = rows
        self.data = (c_double * (2 * PAYOFFS))(*rows[0], *rows[1])


class _Policy:
    """Numbers of a policy, read by the core; freed with this."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._c = _need()
        self.handle: int | None = self._c.racer_policy_new((c_int16 * len(numbers))(*numbers), len(numbers))
        if not self.handle:
            raise Unsound(f"A policy has {numbers_wanted()} numbers, or {hidden_wanted()} more, not {len(numbers)}.")

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._c.racer_policy_free(self.handle)
            self.handle = None


class Mind:
    """A way to play and a notion of how others play, and the jobs that are done with them.  Threads may share one.

    Args:
        numbers: a policy: its weights, then those of the evidence.  Playouts follow it.
        habits: the policy by which cards already played are judged; the same without it.
    """

    def __init__(self, numbers: Sequence[int], habits: Sequence[int] = ()) -> None:
        self._c = _need()
        self._owned = (_Policy(numbers), _Policy(habits or numbers))
        self._policy = self._owned[0].handle

    def think(self, variant: Variant, seen: Seen, thought: Thought, payoffs: Payoffs) -> Thinking:
        """Belief, and if it is the seat's turn the value of each of its moves."""
        out = _Thinking()
        minds = _Minds(self._policy, self._owned[1].handle, ctypes.cast(payoffs.data, POINTER(c_double)))
        _checked(self._c.racer_think(minds, _variant(variant), _view(seen), _thought(thought), out))
        choices = tuple(Choice(one.move, one.mean, one.error, one.playouts) for one in out.moves[: out.count])
        told = tuple(out.told[: len(seen.cards)])
        return Thinking(choices, tuple(out.partner), told, tuple(tuple(row) for row in out.where))

    def worlds(self, variant: Variant, seen: Seen, thought: Thought) -> list[Masks]:
        """Worlds that fit: the five hands as they are now."""
        hands = (c_uint64 * (5 * thought.worlds))()
        count = _checked(
            self._c.racer_worlds(self._owned[1].handle, _variant(variant), _view(seen), _thought(thought), hands)
        )
        return [(hands[i], hands[i + 1], hands[i + 2], hands[i + 3], hands[i + 4]) for i in range(0, 5 * count, 5)]

    def contract(
        self, variant: Variant, seen: Seen, thought: Thought, call: int = -1
    ) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Outcomes of whole deals: counts by role of the seat (caller, partner, defender), by solo, by PAYOFFS.

        Args:
            call: where ``seen.called`` is -1, the strength of the card that the caller calls, -1 for any.
        """
        bins = (c_int32 * (6 * PAYOFFS))()
        _checked(self._c.racer_contract(self._policy, _variant(variant), _view(seen), _thought(thought), call, bins))
        rows = [tuple(bins[PAYOFFS * i : PAYOFFS * (i + 1)]) for i in range(6)]
        return tuple((rows[2 * role], rows[2 * role + 1]) for role in range(3))

    def features(self, variant: Variant, seen: Seen) -> list[tuple[Card, tuple[int, ...]]]:
        """The features of each legal card, then its inputs to hidden units: GROUPS and INPUTS numbers."""
        step = 1 + GROUPS + INPUTS
        out = (c_int32 * (8 * step))()
        count = _checked(self._c.racer_features(self._policy, _variant(variant), _view(seen), out))
        return [(out[i * step], tuple(out[i * step + 1 : (i + 1) * step])) for i in range(count)]

    def kinds(self, variant: Variant, seen: Seen) -> list[int]:
        """Stage and kind of each card played, -1 where it tells nothing."""
        out = (c_int32 * 40)()
        count = _checked(self._c.racer_kinds(self._policy, _variant(variant), _view(seen), out))
        return out[:count]


_REFUSALS = {
    -1: "The variant makes no sense.",
    -2: "The view makes no sense.",
    -3: "Out of memory.",
    -5: "No deal fits the view.",
}


def _checked(code: int) -> int:
    if code == -3:
        raise MemoryError(_REFUSALS[code])
    if code < 0:
        raise Unsound(_REFUSALS[code])
    return code


def _view(seen: Seen) -> _View:
    clues = (_Clue * 5)(
        *[_Clue(clue.low, clue.high, clue.low_call, clue.high_call, clue.strong, 0) for clue in seen.clues]
    )
    return _View(
        seen.dealt,
        (c_uint64 * 5)(*seen.must),
        (c_uint64 * 5)(*seen.may),
        clues,
        seen.solo,
        seen.width,
        (c_double * ESTIMATES)(*seen.estimate),
        seen.seat,
        seen.caller,
        seen.called,
        seen.target,
        seen.leader,
        seen.trump,
        seen.named,
        0,
        seen.blind,
        len(seen.cards),
        (c_int32 * 40)(*seen.cards),
    )


def _thought(thought: Thought) -> _Thought:
    return _Thought(
        thought.seed & (1 << 64) - 1,
        thought.worlds,
        thought.draws,
        thought.swaps,
        thought.playouts,
        thought.open_cards,
        thought.exact,
        thought.temper,
        thought.floor,
        thought.sure,
    )


class Samples:
    """Decisions to learn from, and the weights that are learned.

    Attributes:
        weights: in nats: of the features, then, where hidden units are learned too, of their rows and what they count.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self.start(weights)
        self._cards = array("i")
        self._features = array("i")
        self._targets = array("f")

    def __len__(self) -> int:
        return len(self._cards)

    def start(self, weights: Sequence[float]) -> None:
        """Begin with these weights; with those of the features alone there are no hidden units."""
        self.weights = (c_float * len(weights))(*weights)
        self._slopes = (c_float * len(weights))()

    def add(self, features: Sequence[tuple[int, ...]], targets: Sequence[float]) -> None:
        """One decision: features and inputs of each card and the share of each, one in all."""
        self._cards.append(len(features))
        for row in features:
            self._features.extend(row)
        self._targets.extend(targets)

    def fit(self, passes: int, rate: float, decay: float = 0.0) -> list[float]:
        """The mean loss of each pass."""
        cards = (c_int32 * len(self._cards)).from_buffer(self._cards)
        features = (c_int32 * len(self._features)).from_buffer(self._features)
        targets = (c_float * len(self._targets)).from_buffer(self._targets)
        size = numbers_wanted() - KINDS * STAGES
        rows = hidden_wanted() // HIDDEN - 1 if len(self.weights) > size else 0
        given = _Set(cards, features, targets, len(self._cards), GROUPS, size, INPUTS, rows, rate, decay)
        return [float(_need().racer_fit(given, self.weights, self._slopes)) for _ in range(passes)]
