"""Who can sit down in the arena, by name.

Honest: every level, ``greedy``, ``determinized-N`` (perfect-information Monte Carlo over N worlds), ``ismcts-N``.
Cheats, for the upper end of the scale: ``oracle-N`` and ``oracle-search`` know the partner, ``clairvoyant-N`` and
``clairvoyant-search`` all cards, ``clairvoyant-solve`` solves the last tricks with open cards.  Others' programs:
``cmd:`` and a command line (``outside``).
"""

from __future__ import annotations

import random
from functools import cache
from types import TracebackType
from typing import Self

from chiamata.bots import roster
from chiamata.bots.bot import Bot
from chiamata.bots.determinized import Determinized
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Move
from chiamata.rules.view import View
from chiamata.study.cheats import Cheat, Peek, Seer, Solver
from chiamata.study.greedy import Greedy
from chiamata.study.ismcts import Ismcts
from chiamata.study.outside import Outside

PEEKS: tuple[Peek, ...] = ("oracle", "clairvoyant")
COMMAND = "cmd:"
SPEAKING = ("claim", "auction", "call")
"""Phases before the cards; what else a seat does is play."""


def known() -> tuple[str, ...]:
    """Names to write, those with a number by example."""
    cheats = [f"{peek}-{one}" for peek in PEEKS for one in ("40", "search")]
    return (*roster.levels(), "greedy", "determinized-40", "ismcts-1000", *cheats, "clairvoyant-solve", COMMAND + "…")


@cache
def player(name: str) -> Bot:
    """The honest player of this name, one of our own; Malformed if there is none."""
    kind, _, number = name.rpartition("-")
    if kind in ("determinized", "ismcts") and number.isdigit() and int(number) > 0:
        return Determinized(int(number)) if kind == "determinized" else Ismcts(int(number))
    if name == "greedy":
        return Greedy()
    if name in roster.levels():
        return roster.make(name)
    raise Malformed("UNKNOWN_LEVEL", "player", name, f"Write one of {' '.join(known())}.")


def _cheat(name: str, deal: Deal) -> Bot | None:
    kind, _, number = name.rpartition("-")
    if name == "clairvoyant-solve":
        return Solver(deal)
    for peek in PEEKS:
        if kind == peek and (number == "search" or (number.isdigit() and int(number) > 0)):
            return Seer(peek, deal) if number == "search" else Cheat(peek, int(number), deal)
    return None


class Company:
    """The players of one deal.  Programs from outside are started when they are first asked, and stopped with it.

    Args:
        seconds: that an outside program may take for one move.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._outside: dict[str, Outside] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for bot in self._outside.values():
            bot.close()

    def seated(self, name: str, deal: Deal) -> Bot:
        """The player of this name at this deal, which the cheats see; Malformed if there is none."""
        if name.startswith(COMMAND):
            if name not in self._outside:
                self._outside[name] = Outside(name.removeprefix(COMMAND), self._seconds)
            return self._outside[name]
        return _cheat(name, deal) or player(name)

    def check(self, name: str, deal: Deal) -> None:
        """Malformed unless there is such a player, and it answers where it is a program from outside."""
        bot = self.seated(name, deal)
        if isinstance(bot, Outside):
            bot.start()

    @property
    def faults(self) -> tuple[str, ...]:
        """What outside programs did wrong so far."""
        return tuple(fault for bot in self._outside.values() for fault in bot.faults)


class Bidder:
    """One player's auction and call with another's cards."""

    def __init__(self, bids: Bot, plays: Bot) -> None:
        self.name = f"{bids.name} bids, {plays.name} plays"
        self._bids = bids
        self._plays = plays

    def choose(self, view: View, rng: random.Random) -> Move:
        """The move of whoever the phase is for."""
        return (self._bids if view.public.phase in SPEAKING else self._plays).choose(view, rng)
