"""The compiled core through ctypes: loads it, hands whole jobs over, keeps nothing.

ctypes lets go of the GIL while the core works, so one Core a thread runs in
parallel.  Where no library stands beside this file, ``available()`` is False
and ``why_not()`` says in one line what that means; mirror.py does the same
jobs, slowly.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_double, c_int16, c_int32, c_int64, c_uint64, c_void_p
from functools import cache
from pathlib import Path

from chiamata.racer.build import LIBRARY
from chiamata.racer.jobs import BINS, UNLIMITED, Bounds, Limits, Position, Unsound, Variant

ORDERING = Path(__file__).with_name("ordering.txt")
DEFAULT_TABLE_BITS = 24
"""Most memory of one Core for positions: 2**24 entries of 16 bytes, taken only for whole deals."""

SAMPLE_ROOM = 400_000
SAMPLE_LIMITS = Limits(nodes=8_000_000)


class _Variant(ctypes.Structure):
    _fields_ = (
        ("points", c_int32 * 40),
        ("strength", c_int32 * 40),
        ("trump", c_int32),
        ("follow_last", c_int32),
        ("first_plain", c_int32),
        ("trump_change", c_int32),
        ("called", c_int32),
        ("per_trick", c_int32),
    )


class _Position(ctypes.Structure):
    _fields_ = (
        ("hands", c_uint64 * 5),
        ("side", c_int32),
        ("leader", c_int32),
        ("on_table", c_int32),
        ("table", c_int32 * 4),
        ("taken", c_int32),
    )


class _Limits(ctypes.Structure):
    _fields_ = (("nodes", c_uint64), ("seconds", c_double))


class _Answer(ctypes.Structure):
    _fields_ = (("low", c_int32), ("high", c_int32), ("card", c_int32), ("spare", c_int32), ("nodes", c_uint64))


class _Samples(ctypes.Structure):
    _fields_ = (("target", c_int32), ("one_in", c_int32), ("room", c_int32), ("out", POINTER(c_int32)))


_JOB = (POINTER(_Variant), POINTER(_Position))


@cache
def _library() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(LIBRARY))
    except OSError:
        return None
    library.racer_new.argtypes = (POINTER(c_int16), c_int32, c_int32)
    library.racer_new.restype = c_void_p
    library.racer_free.argtypes = (c_void_p,)
    library.racer_free.restype = None
    library.racer_weights.argtypes = ()
    library.racer_solve.argtypes = (c_void_p, *_JOB, POINTER(_Limits), POINTER(_Answer))
    library.racer_test.argtypes = (c_void_p, *_JOB, c_int32, POINTER(_Limits), POINTER(_Answer))
    library.racer_cards.argtypes = (c_void_p, *_JOB, c_int32, POINTER(_Limits), POINTER(_Answer))
    library.racer_samples.argtypes = (c_void_p, *_JOB, POINTER(_Limits), POINTER(_Samples))
    library.racer_plain.argtypes = (*_JOB, POINTER(c_int32))
    library.racer_census.argtypes = (*_JOB, POINTER(c_int64))
    library.racer_playouts.argtypes = (*_JOB, c_int64, c_uint64, c_int32, POINTER(c_int64))
    return library


def available() -> bool:
    """Whether the compiled core is there."""
    return _library() is not None


def why_not() -> str:
    """One line for people where the core is missing, empty where it is there."""
    if available():
        return ""
    return (
        f"The compiled racer ({LIBRARY.name}) is missing: bots think in plain Python, 100 to 250 times slower. "
        "Build it with: python -m chiamata.racer.build"
    )


@cache
def _weights() -> tuple[int, ...]:
    """The learned move ordering: whole numbers, `#` starts a comment."""
    lines = ORDERING.read_text(encoding="utf-8").splitlines()
    return tuple(int(number) for line in lines if not line.startswith("#") for number in line.split())


_REFUSALS = {-1: "The variant makes no sense.", -2: "The position makes no sense.", -3: "Out of memory."}


def _checked(code: int) -> int:
    if code == -3:
        raise MemoryError(_REFUSALS[code])
    if code < 0:
        raise Unsound(_REFUSALS[code])
    return code


class Core:
    """One searcher of the compiled core: for one thread at a time, with memory of its own.

    Args:
        table_bits: it may keep up to 2**table_bits positions of 16 bytes, 12 to 28, and beside them up to 2**20 with
            two tricks left; it takes them as a job needs them.
        weights: a move ordering other than ordering.txt.
    """

    def __init__(self, table_bits: int = DEFAULT_TABLE_BITS, weights: tuple[int, ...] | None = None) -> None:
        library = _library()
        if library is None:
            raise RuntimeError(why_not())
        self._c = library
        weights = _weights() if weights is None else weights
        self._racer: int | None = library.racer_new((c_int16 * len(weights))(*weights), len(weights), table_bits)
        if not self._racer:
            raise ValueError(f"table_bits {table_bits} is not 12 to 28, or {ORDERING.name} does not fit the library.")

    def __del__(self) -> None:
        if getattr(self, "_racer", None):
            self._c.racer_free(self._racer)
            self._racer = None

    def solve(self, variant: Variant, position: Position, limits: Limits = UNLIMITED) -> Bounds:
        """What the caller's side gets in all with best play of all seats, all cards open."""
        answer = _Answer()
        _checked(self._c.racer_solve(self._racer, *_job(variant, position), _limits(limits), answer))
        return _bounds(answer)

    def win_test(self, variant: Variant, position: Position, target: int, limits: Limits = UNLIMITED) -> Bounds:
        """Bounds that tell whether ``target`` is reached (Bounds.reaches); much cheaper than the value."""
        answer = _Answer()
        _checked(self._c.racer_test(self._racer, *_job(variant, position), target, _limits(limits), answer))
        return _bounds(answer)

    def all_cards(
        self, variant: Variant, position: Position, target: int = 0, limits: Limits = UNLIMITED
    ) -> tuple[Bounds, ...]:
        """Bounds for each card the seat to play may play, sorted by card; with a target only as much as that needs."""
        answers = (_Answer * 8)()
        job = _job(variant, position)
        number = _checked(self._c.racer_cards(self._racer, *job, target, _limits(limits), answers))
        return tuple(sorted((_bounds(answers[i]) for i in range(number)), key=lambda bounds: bounds.card))

    def samples(self, variant: Variant, position: Position, target: int, one_in: int) -> list[int]:
        """Labelled nodes of one search, for tools/train_ordering.py: one node in ``one_in``, drawn.

        A node is its tricks left, place and number of cards tried, then for each card a label (1: it decides the
        node) and its features.  ``target`` 0 samples the search for the value.
        """
        out = (c_int32 * SAMPLE_ROOM)()
        wanted = _Samples(target, one_in, SAMPLE_ROOM, out)
        limits = _limits(SAMPLE_LIMITS)
        used = _checked(self._c.racer_samples(self._racer, *_job(variant, position), limits, wanted))
        return out[:used]


def playouts(variant: Variant, position: Position, games: int, seed: int, *, step: bool = False) -> tuple[int, ...]:
    """How often the caller's side got 0, 1, 2 ... points in ``games`` games of random legal cards.

    Args:
        position: played out from where it stands; five empty hands deal all forty cards anew each time.
        step: draw each card when its turn comes.  Otherwise one shuffle fixes the whole play of a fresh deal,
            which is the same game and about five times faster; positions and rule sets that limit what may be
            played are stepped in any case.
    """
    library = _library()
    if library is None:
        raise RuntimeError(why_not())
    shuffled = not step and not any(position.hands) and not variant.follow_last and not variant.trump_change
    bins = (c_int64 * BINS)()
    _checked(library.racer_playouts(*_job(variant, position), games, seed, int(not shuffled), bins))
    return tuple(bins)


def weights_wanted() -> int:
    """How many numbers the move ordering has."""
    library = _library()
    if library is None:
        raise RuntimeError(why_not())
    number: int = library.racer_weights()
    return number


def plain(variant: Variant, position: Position) -> int:
    """The value by plain minimax without any cut, four tricks at most: what the solver is measured against."""
    library = _library()
    if library is None:
        raise RuntimeError(why_not())
    value = c_int32()
    _checked(library.racer_plain(*_job(variant, position), value))
    return value.value


def census(variant: Variant, position: Position) -> tuple[int, ...]:
    """How many of all orders of play end with 0, 1, 2 ... points of the caller's side; four tricks at most."""
    library = _library()
    if library is None:
        raise RuntimeError(why_not())
    bins = (c_int64 * BINS)()
    _checked(library.racer_census(*_job(variant, position), bins))
    return tuple(bins)


@cache
def _variant(variant: Variant) -> _Variant:
    if len(variant.points) != 40 or len(variant.strength) != 40:
        raise Unsound("A variant has 40 points and 40 strengths.")
    return _Variant(
        (c_int32 * 40)(*variant.points),
        (c_int32 * 40)(*variant.strength),
        variant.trump,
        variant.follow_last,
        variant.first_plain,
        variant.trump_change,
        variant.called,
        variant.per_trick,
    )


def _job(variant: Variant, position: Position) -> tuple[_Variant, _Position]:
    if len(position.table) > 4 or min(position.hands) < 0:
        raise Unsound("A position has at most four cards on the table.")
    table = (c_int32 * 4)(*position.table)
    hands = (c_uint64 * 5)(*position.hands)
    data = _Position(hands, position.side, position.leader, len(position.table), table, position.taken)
    return _variant(variant), data


def _limits(limits: Limits) -> _Limits:
    return _Limits(limits.nodes, limits.seconds)


def _bounds(answer: _Answer) -> Bounds:
    return Bounds(answer.low, answer.high, answer.nodes, answer.card)
