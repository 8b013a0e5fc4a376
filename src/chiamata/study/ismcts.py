"""The player ``ismcts-N``: information-set Monte Carlo tree search with N iterations a move.

Single-observer ISMCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012): one tree
over the moves that everybody sees, walked each time in another world that fits the view, all drawn without a thought
about who did what.  A move that is legal in some worlds only competes by how often it could be chosen.  Leaves are
played out by random cards.  The tree takes a seat's reward whatever its role in the world at hand ("merged" nodes).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import log, sqrt

from chiamata.bots.determinized import UNMOVED
from chiamata.bots.policy import mind
from chiamata.bots.seen import is_open, seen_of, variant_of
from chiamata.bots.simple import Simple
from chiamata.bots.worth import CALLER, DEFENDER, PARTNER, payoffs_of
from chiamata.racer.binding import playouts
from chiamata.racer.mind import Masks, Thought
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Move
from chiamata.rules.view import View
from chiamata.study.deals import position_of, side_of

EXPLORING = 0.7
"""Weight of what is untried against what was good, for rewards between 0 and 1: that of the paper."""
WORLDS = 256
"""So many worlds are drawn at most; more iterations use them in turn."""

Rewards = Callable[[Deal, int], tuple[float, ...]]
"""By seat, 0 to 1, for a deal's roles and the points of its caller's side."""


class Node:
    """A place in the tree: how often it was reached, with what reward for the seat that moved there."""

    __slots__ = ("available", "children", "reward", "visits")

    def __init__(self) -> None:
        self.children: dict[Move, Node] = {}
        self.visits = 0
        self.available = 0
        self.reward = 0.0

    def best(self, moves: tuple[Move, ...]) -> Move:
        """The child to go on with: by reward, and by how seldom it was tried when it could have been."""

        def bound(move: Move) -> float:
            child = self.children[move]
            return child.reward / child.visits + EXPLORING * sqrt(log(child.available) / child.visits)

        return max(moves, key=bound)


class Ismcts:
    """Searches the cards; bids and calls as ``simple`` does."""

    def __init__(self, iterations: int) -> None:
        self.name = f"ismcts-{iterations}"
        self.iterations = iterations
        self._simple = Simple()

    def choose(self, view: View, rng: random.Random) -> Move:
        """The move tried most."""
        moves = view.legal()
        if len(moves) == 1:
            return moves[0]
        if not is_open(view.public):
            return self._simple.choose(view, rng)
        thought = Thought(rng.getrandbits(60), min(WORLDS, self.iterations), draws=1, swaps=0, playouts=0, temper=0.0)
        seen = replace(seen_of(view), width=UNMOVED)
        deals = [_deal_of(view, hands) for hands in mind().worlds(variant_of(view.public.rules), seen, thought)]
        root, rewards = Node(), _rewards(view)
        for number in range(self.iterations):
            _walk(root, deals[number % len(deals)], rewards, rng)
        return max(moves, key=lambda move: root.children[move].visits if move in root.children else 0)


def _deal_of(view: View, hands: Masks) -> Deal:
    """The deal as it stands in a world: ``hands`` are the cards still held."""
    dealt = list(hands)
    public = view.public
    for leader, cards in [(trick.leader, trick.cards) for trick in public.tricks] + [(public.leader, public.trick)]:
        for place, card in enumerate(cards):
            dealt[(leader + place) % 5] |= 1 << card
    a, b, c, d, e = dealt
    return Deal(public, (a, b, c, d, e))


def _walk(root: Node, deal: Deal, rewards: Rewards, rng: random.Random) -> None:
    """One iteration: down to a move not tried yet, out to the end by chance, and back up."""
    node, path = root, list[tuple[int, Node]]()
    while deal.public.phase != "done":
        seat = deal.public.turn
        moves = deal.legal(seat)
        untried = [move for move in moves if move not in node.children]
        for move in moves:
            if move in node.children:
                node.children[move].available += 1
        move = rng.choice(untried) if untried else node.best(moves)
        if untried:
            node.children[move] = Node()
            node.children[move].available = 1
        node = node.children[move]
        path.append((seat, node))
        deal = deal.follow(move)
        if untried:
            break
    got = rewards(deal, _points(deal, rng))
    for seat, passed in path:
        passed.visits += 1
        passed.reward += got[seat]


def _points(deal: Deal, rng: random.Random) -> int:
    """What the caller's side has in the end, random cards from here on."""
    if deal.public.phase == "trump":
        deal = deal.follow(rng.choice(deal.legal(deal.public.turn)))
    if deal.public.phase == "done":
        return sum(deal.public.points[seat] for seat in side_of(deal))
    return playouts(*position_of(deal), 1, rng.getrandbits(60)).index(1)


def _rewards(view: View) -> Rewards:
    rules, target = view.public.rules, view.public.target
    pays = [payoffs_of(rules, target, role).rows for role in (CALLER, PARTNER, DEFENDER)]
    low = min(min(row) for rows in pays for row in rows)
    width = max(max(row) for rows in pays for row in rows) - low or 1.0

    def rewards(deal: Deal, points: int) -> tuple[float, ...]:
        side, caller = side_of(deal), deal.public.caller
        roles = [CALLER if seat == caller else PARTNER if seat in side else DEFENDER for seat in range(5)]
        return tuple((pays[role][len(side) == 1][points] - low) / width for role in roles)

    return rewards
