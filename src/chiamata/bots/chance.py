"""The level ``random``: any card, any call, and bids within reason."""

from __future__ import annotations

import random
from collections.abc import Sequence

from chiamata.rules.moves import Bid, Claim, Move, Pass
from chiamata.rules.view import View

PASSES = 0.5
"""How often it passes where it may: with every bid alike the ladder's top would be reached in one turn."""
CLAIMS = 0.25
"""How often it throws in a hand that it may throw in."""
NEXT_BIDS = 3
"""Its bids are among so many cheapest ones."""


class Chance:
    """Uniform over the legal calls, cards and trumps; see the constants above for the auction."""

    name = "random"

    def choose(self, view: View, rng: random.Random) -> Move:
        """Any legal move."""
        moves = view.legal()
        if view.public.phase in ("auction", "claim"):
            return _speak(moves, rng)
        return rng.choice(moves)


def _speak(moves: Sequence[Move], rng: random.Random) -> Move:
    claims = [move for move in moves if isinstance(move, Claim)]
    passes = [move for move in moves if isinstance(move, Pass)]
    bids = [move for move in moves if isinstance(move, Bid)][:NEXT_BIDS]
    if claims and (len(claims) == len(moves) or rng.random() < CLAIMS):
        return claims[0]
    if passes and (not bids or rng.random() < PASSES):
        return passes[0]
    return rng.choice(bids)
