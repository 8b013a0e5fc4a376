"""One deal as a PettingZoo environment (AEC: agents act one after the other), for learning programs.

Needs the package ``pettingzoo``, which comes with ``chiamata[study]``.  An observation is built from the View of the
seat that it is for and from nothing else; seats are told relative to it.  docs/how-to/environment.md lists the numbers.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from chiamata.bots.pack import pack_of
from chiamata.rules.cards import SEATS, CardSet, Seat
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass, Play, Trump
from chiamata.rules.view import View
from chiamata.study.deals import hands_of

AGENTS = tuple(f"seat_{seat}" for seat in SEATS)
PHASES = ("claim", "auction", "call", "play", "trump", "done")
PASS, CLAIM, PLAYS, CALLS, TRUMPS, RANKS, POINTS = 0, 1, 2, 42, 82, 86, 96
"""Where each kind of action begins: cards by number, trumps by suit, bids by rank or by points."""
MOST_POINTS = 240
ACTIONS = POINTS + MOST_POINTS + 1

Observation = dict[str, Any]


def action_of(move: Move) -> int:
    """The number of a move, whoever makes it."""
    match move:
        case Pass():
            return PASS
        case Claim():
            return CLAIM
        case Play(_, card):
            return PLAYS + card
        case Call(_, card):
            return CALLS + card
        case Trump(_, suit):
            return TRUMPS + suit
        case Bid(_, rank, points):
            return POINTS + points if points else RANKS + rank


def mask_of(view: View) -> Any:
    """1 for each action that this seat may take now: int8 of shape (ACTIONS,)."""
    mask = np.zeros(ACTIONS, np.int8)
    for move in view.legal():
        mask[action_of(move)] = 1
    return mask


class _Row:
    """Numbers one after the other."""

    def __init__(self) -> None:
        self.numbers: list[float] = []

    def one_of(self, size: int, place: int) -> None:
        """A 1 in that place, none for -1."""
        self.numbers += [float(place == one) for one in range(size)]

    def cards(self, cards: CardSet) -> None:
        """Forty numbers, 1 for a card of the set."""
        self.numbers += [float(cards >> card & 1) for card in range(40)]

    def add(self, *numbers: float) -> None:
        """As they are."""
        self.numbers += numbers


def features_of(view: View) -> Any:
    """What this seat knows: float32 of shape (SIZE,), each from 0 to 1."""
    public, row = view.public, _Row()
    order = [(view.seat + step) % 5 for step in range(5)]
    total = pack_of(public.rules).total

    def relative(seat: Seat) -> int:
        return (seat - view.seat) % 5 if seat >= 0 else -1

    row.cards(view.dealt)
    row.cards(view.hand)
    row.cards(1 << view.covered if view.covered >= 0 else 0)
    fallen, lying = _cards_by_seat(view)
    for seat in order:
        row.cards(fallen[seat])
        row.cards(lying[seat])
    covered = {(public.leader + place) % 5: -1 - card for place, card in enumerate(public.trick) if card < 0}
    for seat in order:
        row.one_of(10, covered.get(seat, -1))
    row.one_of(len(PHASES), PHASES.index(public.phase))
    row.cards(1 << public.called if public.called >= 0 else 0)
    row.one_of(4, public.trump)
    standing = public.standing
    for seat in (public.caller, public.partner, public.leader, public.dealer, standing.seat if standing else -1):
        row.one_of(5, relative(seat))
    row.one_of(10, standing.rank if standing else -1)
    row.add(*(float(public.passed >> seat & 1) for seat in order))
    row.add(standing.points / total if standing else 0.0, public.target / total)
    row.add(*(public.points[seat] / total for seat in order), *(public.taken[seat] / 8 for seat in order))
    return np.array(row.numbers, np.float32)


SIZE = 3 * 40 + 5 * 80 + 5 * 10 + len(PHASES) + 40 + 4 + 5 * 5 + 10 + 5 + 2 + 10


def _cards_by_seat(view: View) -> tuple[list[CardSet], list[CardSet]]:
    """By seat the cards that fell in finished tricks, and the one that lies open on the table."""
    public, fallen, lying = view.public, [0] * 5, [0] * 5
    for trick in public.tricks:
        for place, card in enumerate(trick.cards):
            fallen[(trick.leader + place) % 5] |= 1 << card
    for place, card in enumerate(public.trick):
        lying[(public.leader + place) % 5] |= 1 << card if card >= 0 else 0
    return fallen, lying


class ChiamataEnv(AECEnv):  # type: ignore[misc]  # which brings no types
    """One deal of a rule set from the auction to the last card; rewards are the payoffs, at its end.

    A deal in which all pass, or a hand is thrown in, ends with rewards of 0.

    Args:
        rules: the name of a rule set.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "chiamata_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self, rules: str = "classic") -> None:
        super().__init__()
        self.rules = load(rules)
        self.render_mode = None
        self.possible_agents = list(AGENTS)
        whole = Dict({"observation": Box(0.0, 1.0, (SIZE,), np.float32), "action_mask": Box(0, 1, (ACTIONS,), np.int8)})
        self._observations = dict.fromkeys(AGENTS, whole)
        self._actions = {agent: Discrete(ACTIONS) for agent in AGENTS}
        self._dice = random.Random()

    def observation_space(self, agent: str) -> Dict:
        """The same for every agent."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Discrete:
        """The same for every agent; of its numbers the mask says which are allowed."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new deal; the same for the same seed, the next one without."""
        if seed is not None:
            self._dice = random.Random(seed)
        hands = hands_of(str(self._dice.getrandbits(64)))
        self._deal = Deal.start(self.rules, self._dice.randrange(5), hands)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._deal.public.turn]

    def view(self, agent: str) -> View:
        """What this agent may know, as our own players are shown it."""
        return self._deal.view(AGENTS.index(agent))

    def observe(self, agent: str) -> Observation:
        """Its features, and its mask: empty when it is not its turn."""
        view = self.view(agent)
        return {"observation": features_of(view), "action_mask": mask_of(view)}

    def step(self, action: int | None) -> None:
        """The selected agent's move; ValueError with the allowed numbers if it is none of them."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        moves = {action_of(move): move for move in self._deal.legal(AGENTS.index(agent))}
        if action is None or int(action) not in moves:
            raise ValueError(f"{agent} may not do {action}: write one of {sorted(moves)}.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._deal = self._deal.follow(moves[int(action)])
        public = self._deal.public
        if public.result is not None:
            self.rewards = {one: float(public.result.payoff[seat]) for seat, one in enumerate(AGENTS)}
            self.terminations = dict.fromkeys(AGENTS, True)
        else:
            self.agent_selection = AGENTS[public.turn]
        self._accumulate_rewards()
        self._deads_step_first()

    def close(self) -> None:
        """Nothing is held."""
