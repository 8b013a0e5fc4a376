"""How far a run is: a line that changes on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

SELDOM = 30.0
"""Seconds between two lines that stay."""
OFTEN = 0.2
WIDTH = 24
"""Characters of the bar."""


class Progress:
    """Counts up to ``total``.

    Args:
        label: what is being done.
        stream: where it is told, by default the standard error; ``now`` a clock in seconds.
    """

    def __init__(
        self, label: str, total: int, stream: TextIO | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._label, self._total = label, total
        self._stream = stream or sys.stderr
        self._bar = self._stream.isatty()
        self._now = now
        self._began = self._told = now()
        self.count = 0

    def step(self) -> None:
        """One more is done."""
        self.count += 1
        now = self._now()
        if self.count == self._total or now - self._told >= (OFTEN if self._bar else SELDOM):
            self._told = now
            print(f"\r{self._text(now)}  " if self._bar else self._text(now), end="", file=self._stream)
            if not self._bar or self.count == self._total:
                print(file=self._stream)
            self._stream.flush()

    def end(self) -> None:
        """Nothing more comes, though not all is done."""
        if self._bar and 0 < self.count < self._total:
            print(file=self._stream)

    def _text(self, now: float) -> str:
        pace = self.count / max(1e-9, now - self._began)
        left = int((self._total - self.count) / pace)
        full = WIDTH * self.count // self._total
        bar = f"[{'#' * full}{'.' * (WIDTH - full)}] " if self._bar else ""
        rest = f", {left // 60}:{left % 60:02d} left" if left else ""
        return f"{self._label}: {bar}{self.count}/{self._total}, {pace:.1f} a second{rest}"
