"""Results as a picture: a point and its 95 % interval for each row, as SVG that needs no program to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10

import msgspec

ROW = 26
LEFT, WIDE, RIGHT = 330, 420, 130
"""Pixels: for the names, for the scale, for the figures."""
TOP, BOTTOM = 44, 34
INK, FAINT, MARK = "#333", "#bbb", "#0b6e4f"
"""Each at least 3 : 1 on white but the lines of the scale, which say nothing alone."""


class Point(msgspec.Struct, frozen=True):
    """A row: its name, the value and half of its interval."""

    name: str
    value: float
    within: float


def svg(title: str, points: Sequence[Point]) -> str:
    """The picture; its text says all that its marks say."""
    ends = [point.value + sign * point.within for point in points for sign in (-1, 1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = (high - low) * 0.05 or 1.0
    low, high = low - room, high + room

    def across(value: float) -> float:
        return LEFT + WIDE * (value - low) / (high - low)

    height = TOP + ROW * len(points)
    size = f"0 0 {LEFT + WIDE + RIGHT} {height + BOTTOM}"
    font = 'font-family="sans-serif" font-size="13"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {font} role="img" aria-label="{escape(title)}">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="10" y="24" font-size="16" fill="{INK}">{escape(title)}</text>',
    ]
    for mark in marks(low, high):
        x = across(mark)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{height}" stroke="{FAINT if mark else INK}"/>'
            f'<text x="{x:.1f}" y="{height + 20}" text-anchor="middle" fill="{INK}">{mark:g}</text>'
        )
    for place, point in enumerate(points):
        y = TOP + ROW * place + ROW // 2
        start, end, middle = (across(point.value + sign * point.within) for sign in (-1, 1, 0))
        parts.append(
            f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end" fill="{INK}">{escape(point.name)}</text>'
            f'<line x1="{start:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}" stroke="{MARK}" stroke-width="2"/>'
            f'<circle cx="{middle:.1f}" cy="{y}" r="4.5" fill="{MARK}"/>'
            f'<text x="{LEFT + WIDE + 10}" y="{y + 4}" fill="{INK}">{point.value:+.3f} ± {point.within:.3f}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def marks(low: float, high: float) -> list[float]:
    """Round numbers between two ends, four to ten of them, 0 among them if it lies between."""
    step = 10.0 ** floor(log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 10)
    first = int(low // step) + 1
    found = []
    while first * step <= high:
        found.append(round(first * step, 10))
        first += 1
    return found
