"""What differences of deals say: intervals, and which of many hold together.  ``gate`` is for looking as one goes."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt

NORMAL_95 = 1.96
"""Half the width of a 95 % interval in standard errors."""
ALPHA = 0.05


def half_width(values: Sequence[float]) -> float:
    """Half of the 95 % interval of a mean, from the values' own spread."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return NORMAL_95 * sqrt(spread / len(values))


def holm(tests: Sequence[tuple[float, float]], alpha: float = ALPHA) -> list[bool]:
    """Which of these (mean, half width) differ from 0 when all are looked at together (Holm 1979)."""
    chances = [_chance(mean, within) for mean, within in tests]
    order = sorted(range(len(tests)), key=chances.__getitem__)
    kept = [False] * len(tests)
    for place, index in enumerate(order):
        if chances[index] > alpha / (len(tests) - place):
            break
        kept[index] = True
    return kept


def _chance(mean: float, within: float) -> float:
    """Of a mean so far from 0 or farther, if there were nothing."""
    if within == 0:
        return 1.0 if mean == 0 else 0.0
    return erfc(abs(mean) / (within / NORMAL_95) / sqrt(2))
