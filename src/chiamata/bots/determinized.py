"""The measuring stick: a plain determinized player, as card programs commonly are.

Worlds are drawn without any thought about who did what, and each is played out with all cards open by a greedy
rule.  It is no level; the arena measures the levels in its company.
"""

from __future__ import annotations

import random
from dataclasses import replace

from chiamata.bots.policy import mind as shipped
from chiamata.bots.search import move_of
from chiamata.bots.seen import is_open, seen_of, variant_of
from chiamata.bots.simple import Simple
from chiamata.bots.situation import role_of
from chiamata.bots.worth import ROLES, payoffs_of
from chiamata.racer.mind import Mind, Seen, Thought
from chiamata.rules.moves import Move
from chiamata.rules.view import View

UNMOVED = 1e9
"""Clues so soft that they tell nothing."""


class Determinized:
    """Perfect-information Monte Carlo over so many worlds; it bids by rules of thumb."""

    def __init__(self, worlds: int, mind: Mind | None = None) -> None:
        self.name = f"determinized-{worlds}"
        self._mind = mind or shipped()
        self.worlds = worlds
        self._simple = Simple()

    def choose(self, view: View, rng: random.Random) -> Move:
        """The move with the best mean payoff."""
        moves = view.legal()
        if len(moves) == 1:
            return moves[0]
        if not is_open(view.public):
            return self._simple.choose(view, rng)
        public = view.public
        thought = Thought(
            rng.getrandbits(60), self.worlds, 1, 0, self.worlds * len(moves), 0.0, sure=0.0, open_cards=True
        )
        payoffs = payoffs_of(public.rules, public.target, ROLES[role_of(view)])
        thinking = self._mind.think(variant_of(public.rules), self.seen(view), thought, payoffs)
        return move_of(view, max(thinking.choices, key=lambda choice: choice.mean).move)

    def seen(self, view: View) -> Seen:
        """What it knows; it makes nothing of what anybody did."""
        return replace(seen_of(view), width=UNMOVED)
