"""Players that peek: no levels, but the upper ends of the scale on which honest ones are measured."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal

from chiamata.bots.determinized import Determinized
from chiamata.bots.search import Budget, Searcher
from chiamata.bots.situation import role_of
from chiamata.bots.worth import ROLES, payoffs_of
from chiamata.racer.binding import Core
from chiamata.racer.mind import NONE, Seen
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Move, Play
from chiamata.rules.view import View
from chiamata.study.deals import position_of

Peek = Literal["oracle", "clairvoyant"]
SEARCH = Budget(worlds=96, draws=2, swaps=4, playouts=800, temper=0.8, deals=150)
"""The thought of a searching player that is no level: it stays, so that figures of different days can be compared."""
SOLVED = 5
"""With so many tricks left or fewer the open cards are solved: 15 ms at most, as the racer's page says."""
TABLE_BITS = 20
"""Memory of one solver: 16 MB."""


def peeked(seen: Seen, view: View, deal: Deal, peek: Peek) -> Seen:
    """What somebody knows who peeked at the partner (``oracle``) or at all cards (``clairvoyant``)."""
    if peek == "clairvoyant":
        return replace(seen, must=deal.dealt)
    a, b, c, d, e = ((1 << seen.called) & hand for hand in deal.dealt)
    return replace(seen, must=(a, b, c, d, e) if view.public.partner < 0 else NONE)


class Cheat(Determinized):
    """A plain determinized player that peeks."""

    def __init__(self, peek: Peek, worlds: int, deal: Deal) -> None:
        super().__init__(worlds)
        self.name = f"{peek}-{worlds}"
        self._peek: Peek = peek
        self._deal = deal

    def seen(self, view: View) -> Seen:
        """What it may know, and what it may not."""
        return peeked(super().seen(view), view, self._deal, self._peek)


class Seer(Searcher):
    """A searching player (SEARCH) with a peek: it still thinks that the others see their own cards only."""

    def __init__(self, peek: Peek, deal: Deal) -> None:
        super().__init__(f"{peek}-search", SEARCH)
        self._peek: Peek = peek
        self._deal = deal

    def seen(self, view: View) -> Seen:
        """What it may know, and what it may not."""
        return peeked(super().seen(view), view, self._deal, self._peek)


class Solver(Seer):
    """A clairvoyant searching player whose last tricks are exact: best play of all seats with all cards open."""

    def __init__(self, deal: Deal) -> None:
        super().__init__("clairvoyant", deal)
        self.name = "clairvoyant-solve"
        self.core = Core(TABLE_BITS)

    def choose(self, view: View, rng: random.Random) -> Move:
        """The card whose value pays most, from the fourth trick on."""
        public, moves = view.public, view.legal()
        if public.phase != "play" or public.called < 0 or len(moves) == 1 or len(public.tricks) < 8 - SOLVED:
            return super().choose(view, rng)
        cards = self.core.all_cards(*position_of(Deal(public, self._deal.dealt)))
        pays = payoffs_of(public.rules, public.target, ROLES[role_of(view)]).rows
        solo = self._deal.dealt[public.caller] >> public.called & 1
        return Play(view.seat, max(cards, key=lambda bounds: pays[solo][bounds.low]).card)
