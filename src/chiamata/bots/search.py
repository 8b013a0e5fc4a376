"""Players that search: worlds that fit the View, weighed by what everybody did, and playouts in which nobody peeks.

``racer.mind`` does the work.  What a level may spend is a Budget; everything it does follows from the View
and the dice.  Where no compiled core loads, the rules of thumb (``simple``) play instead.
"""

from __future__ import annotations

import random

import msgspec

from chiamata.bots.advice import Advice, Weighed, tells_of
from chiamata.bots.contracts import Trial, clues_of, weigh, weigh_calls
from chiamata.bots.policy import mind
from chiamata.bots.seen import is_open, seen_of, variant_of
from chiamata.bots.simple import Simple
from chiamata.bots.worth import payoffs_for
from chiamata.racer.jobs import Unsound
from chiamata.racer.mind import Seen, Thinking, Thought, available
from chiamata.rules.moves import Claim, Move, Play, Trump
from chiamata.rules.view import View


class Budget(msgspec.Struct, frozen=True):
    """How much a level thinks.

    Args:
        worlds, draws, swaps: of the belief (racer.mind.Thought).
        playouts: over all moves of one choice.
        temper: how far the cards played are believed; 0: not at all.
        deals: played out for each contract in the auction; 0 bids by rules of thumb.
        exact: from so many tricks before the end its playouts are exact, with open cards; 0: never.
    """

    worlds: int
    draws: int = 3
    swaps: int = 12
    playouts: int = 4000
    temper: float = 0.8
    deals: int = 300
    exact: int = 0


class Searcher:
    """Bids, calls and plays by what the racer found over many worlds."""

    def __init__(self, name: str, budget: Budget) -> None:
        self.name = name
        self.budget = budget
        self._simple = Simple()

    def choose(self, view: View, rng: random.Random) -> Move:
        """The move with the best expected payoff."""
        moves = view.legal()
        if len(moves) == 1:
            return moves[0]
        return self._weigh(view, moves, rng).best

    def advise(self, view: View, rng: random.Random) -> Advice:
        """The move that ``choose`` would make, with what it is chosen for.

        Only asked when the view's seat has a legal move.
        """
        return self._weigh(view, view.legal(), rng)

    def _weigh(self, view: View, moves: tuple[Move, ...], rng: random.Random) -> Advice:
        seed = rng.getrandbits(60)
        if available():
            if is_open(view.public):
                thinking = self.think(view, seed)
                if thinking is not None:
                    return _advice(view, thinking)
            elif self.budget.deals and _may_try(view, moves):
                trial = Trial(view, seed, self.budget.deals)
                weighed = (weigh_calls if view.public.phase == "call" else weigh)(view, moves, trial)
                return Advice(tuple(Weighed(move, value, 0.0) for move, value in weighed))
        return Advice((Weighed(self._simple.choose(view, rng), 0.0, 0.0),))

    def think(self, view: View, seed: int) -> Thinking | None:
        """Belief and the value of each move of a deal in play; None where no deal was found that fits."""
        budget, public = self.budget, view.public
        left = 8 - len(public.tricks)
        thought = Thought(
            seed,
            worlds=budget.worlds,
            draws=budget.draws,
            swaps=budget.swaps,
            playouts=budget.playouts,
            temper=budget.temper,
            exact=left if left <= budget.exact else 0,
        )
        try:
            return mind().think(variant_of(public.rules), self.seen(view), thought, payoffs_for(view))
        except Unsound:
            return None

    def seen(self, view: View) -> Seen:
        """What it knows of a deal in play, the auction included."""
        return seen_of(view, clues_of(view.public))


def _may_try(view: View, moves: tuple[Move, ...]) -> bool:
    """Whether contracts can be played out: no hand may be thrown in, and no card lies covered."""
    if view.public.phase == "call":
        return all(card >= 0 for card in view.public.trick)
    return view.public.phase == "auction" and not any(isinstance(move, Claim) for move in moves)


def move_of(view: View, move: int) -> Move:
    """The racer's number as a move of this seat."""
    return Trump(view.seat, move) if view.public.phase == "trump" else Play(view.seat, move)


def _advice(view: View, thinking: Thinking) -> Advice:
    choices = sorted(thinking.choices, key=lambda choice: (-choice.mean, -choice.playouts))
    moves = tuple(Weighed(move_of(view, choice.move), choice.mean, choice.error) for choice in choices)
    return Advice(moves, thinking.partner, tells_of(view, thinking))
