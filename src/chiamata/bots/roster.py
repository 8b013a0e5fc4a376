"""The levels by name.  A new bot is a file in this folder and a line here."""

from __future__ import annotations

import random
from collections.abc import Callable

from chiamata.bots.advice import Advice, Weighed
from chiamata.bots.bot import Bot
from chiamata.bots.chance import Chance
from chiamata.bots.search import Budget, Searcher
from chiamata.bots.simple import Simple
from chiamata.rules.errors import Malformed
from chiamata.rules.view import View

DEFAULT = "friend"
"""The level that fills an empty chair when nobody has chosen one."""

LAPSES = 0.3
"""How often the level ``simple`` does anything that is allowed without a thought."""
FRIEND = Budget(worlds=24, draws=2, swaps=2, playouts=100, temper=0.4, deals=30)
CLUB = Budget(worlds=52, draws=2, swaps=3, playouts=220, temper=0.6, deals=64)
MASTER = Budget(worlds=512, draws=2, swaps=6, playouts=8000, temper=0.8, deals=600, exact=2)

_MAKERS: dict[str, Callable[[], Bot]] = {
    "random": Chance,
    "simple": lambda: Simple(lapses=LAPSES),
    "friend": lambda: Searcher("friend", FRIEND),
    "club": lambda: Searcher("club", CLUB),
    "master": lambda: Searcher("master", MASTER),
}


def levels() -> tuple[str, ...]:
    """The names of all levels, weakest first."""
    return tuple(_MAKERS)


def make(level: str) -> Bot:
    """A bot of this level; Malformed (UNKNOWN_LEVEL) if there is none."""
    if level not in _MAKERS:
        raise Malformed("UNKNOWN_LEVEL", "level", level, f"Write one of {' '.join(_MAKERS)}.")
    return _MAKERS[level]()


def advise(level: str, view: View, rng: random.Random) -> Advice:
    """What a bot of this level would do and why; one that does not search gives its move alone.

    Only asked when the view's seat has a legal move.
    """
    bot = make(level)
    return bot.advise(view, rng) if isinstance(bot, Searcher) else Advice((Weighed(bot.choose(view, rng), 0.0, 0.0),))
