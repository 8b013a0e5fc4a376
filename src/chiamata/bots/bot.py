"""What a bot is: something that, shown a View, answers with a legal move."""

from __future__ import annotations

import random
from typing import Protocol

from chiamata.rules.moves import Move
from chiamata.rules.view import View


class Bot(Protocol):
    """A player of one level.  It keeps nothing between two answers."""

    @property
    def name(self) -> str:
        """The level's name in the roster."""
        ...

    def choose(self, view: View, rng: random.Random) -> Move:
        """One of ``view.legal()``; the same for the same view and the same state of ``rng``.

        Only asked when the view's seat has a legal move.
        """
        ...
