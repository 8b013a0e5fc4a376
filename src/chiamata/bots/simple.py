"""The level ``simple``: a player by rules of thumb, quick and without search.

It values its hand (``hand``), bids and calls by expected payoff (``bidding``),
counts cards and weighs who the partner is (``situation``, ``suspicion``), and
plays the card that brings most to its side (``play``).
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from chiamata.bots.bidding import choose_call, planned_suit, speak
from chiamata.bots.chance import Chance
from chiamata.bots.pack import pack_of
from chiamata.bots.play import HABITS, Habits, choose_card
from chiamata.bots.situation import role_of, situation_of
from chiamata.bots.weights import WITH_PARTNER
from chiamata.rules.cards import SUIT_CARDS, cards_in
from chiamata.rules.moves import Move, Play, Trump
from chiamata.rules.view import View

KNOWN_TRUMP = 15.0
"""Points by which a partner prefers the trump that the caller chose: the caller is strong in it."""


class Simple:
    """Rules of thumb.

    Args:
        habits: the numbers behind its card play, by role.
        lapses: how often it does anything that is allowed (``chance``) without a thought, 0 to 1.
    """

    name = "simple"

    def __init__(self, habits: Mapping[str, Habits] = HABITS, lapses: float = 0.0) -> None:
        self.habits = habits
        self.lapses = lapses
        self._chance = Chance()

    def choose(self, view: View, rng: random.Random) -> Move:
        """The move with the best expectation; among equal cards by ``rng``."""
        moves = view.legal()
        if len(moves) == 1:
            return moves[0]
        if self.lapses and rng.random() < self.lapses:
            return self._chance.choose(view, rng)
        match view.public.phase:
            case "play":
                blind = view.public.trump < 0 and view.seat == view.public.caller
                now = situation_of(view, planned_suit(view) if blind else -1)
                cards = [move.card for move in moves if isinstance(move, Play)]
                return Play(view.seat, choose_card(now, cards, self.habits[now.role], rng))
            case "call":
                return choose_call(view, moves)
            case "trump":
                return _name_trump(view)
            case _:
                return speak(view, moves)


def _name_trump(view: View) -> Move:
    """The suit in which the hand is strongest; a partner rather keeps the caller's."""
    pack = pack_of(view.public.rules)

    def strength(suit: int) -> float:
        own = sum(WITH_PARTNER[1 + pack.strength[card]] for card in cards_in(view.hand & SUIT_CARDS[suit]))
        keeps = suit == view.public.trump and role_of(view) == "partner"
        return own + KNOWN_TRUMP * keeps

    return Trump(view.seat, max(range(4), key=lambda suit: (strength(suit), suit == view.public.trump)))
