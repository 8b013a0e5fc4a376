"""A mixed company of players, whose deals teach the belief how people play: the same by number, everywhere."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from chiamata.bots.bot import Bot
from chiamata.bots.determinized import Determinized
from chiamata.bots.policy import numbers_of
from chiamata.bots.search import move_of
from chiamata.bots.seen import is_open, seen_of, variant_of
from chiamata.bots.simple import Simple
from chiamata.bots.situation import role_of
from chiamata.bots.worth import ROLES, payoffs_of
from chiamata.racer.mind import Mind, Thought
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Move, Play, Trump
from chiamata.rules.view import View
from chiamata.study.cheats import SEARCH
from chiamata.study.deals import neutral_contract, play_on, practice_contract
from chiamata.study.greedy import Greedy

TABLES = ("plain", "plain", "plain", "plain", "deeper", "search", "search", "search", "rules", "mixed")
"""Who sits at a table, by the last figure of its number; ``rules`` and ``greedy`` take turns at theirs."""
MIXED = ("plain", "search", "rules", "greedy")
RULES = ("classic", "classic", "classic", "classic", "classic", "fifteen", "trattoria-follow", "bastarda")
"""Rule sets of the tens of tables in turn: what is looked at is relative, so most of what is learned holds for all."""


class Plays:
    """A searching player at the cards, with a policy that is still in training: it judges others by its own ways."""

    name = "search"

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._simple = Simple()

    def choose(self, view: View, rng: random.Random) -> Move:
        """The card that the search finds best."""
        moves, public = view.legal(), view.public
        if len(moves) == 1 or not is_open(public):
            return self._simple.choose(view, rng)
        seed, budget = rng.getrandbits(60), SEARCH
        thought = Thought(seed, budget.worlds, budget.draws, budget.swaps, budget.playouts, budget.temper)
        payoffs = payoffs_of(public.rules, public.target, ROLES[role_of(view)])
        thinking = self._mind.think(variant_of(public.rules), seen_of(view), thought, payoffs)
        return move_of(view, max(thinking.choices, key=lambda choice: choice.mean).move)


@cache
def players_by(policy: Path) -> dict[str, Bot]:
    """Those of a company, the searching one with this policy."""
    mind = Mind(numbers_of(policy))
    return {
        "plain": Determinized(40, mind),
        "deeper": Determinized(160, mind),
        "search": Plays(mind),
        "rules": Simple(),
        "greedy": Greedy(),
    }


def sitting(number: int) -> tuple[str, ...]:
    """Who plays a deal of this number, by seat."""
    table = TABLES[number % 10]
    if table == "mixed":
        return tuple(random.Random(f"company {number}").choices(MIXED, k=5))
    return ("greedy" if table == "rules" and number // 10 % 2 else table,) * 5


def first_lead(number: int) -> Deal:
    """The deal as the company begins it."""
    rules = load(RULES[number // 10 % len(RULES)])
    return (neutral_contract if number // 80 % 2 else practice_contract)(rules, f"company {number}")


def played(policy: Path, number: int) -> tuple[int, ...]:
    """What was played, card by card; the suit where a trump was named."""
    start, bots = first_lead(number), players_by(policy)
    done = play_on(start, [bots[name] for name in sitting(number)], f"company {number}")
    words = done.public.words[len(start.public.words) :]
    return tuple(
        word.suit if isinstance(word, Trump) else word.card for word in words if isinstance(word, Play | Trump)
    )


def follow(deal: Deal, number: int) -> Deal:
    """The deal after what ``played`` tells next."""
    seat = deal.public.turn
    return deal.follow(Trump(seat, number) if deal.public.phase == "trump" else Play(seat, number))
