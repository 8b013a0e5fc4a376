"""The player ``greedy``: takes every trick that is worth something, as cheaply as it can, and knows no friends."""

from __future__ import annotations

import random

from chiamata.bots.pack import pack_of
from chiamata.bots.simple import Simple
from chiamata.rules.cards import Card
from chiamata.rules.moves import Move, Play
from chiamata.rules.public import trick_winner
from chiamata.rules.view import View


class Greedy:
    """Bids and calls as ``simple`` does; its cards look at this trick alone.  It makes no use of its dice."""

    name = "greedy"

    def __init__(self) -> None:
        self._simple = Simple()

    def choose(self, view: View, rng: random.Random) -> Move:
        """The cheapest card that takes a trick with points on the table, else the cheapest card."""
        public = view.public
        cards = [move.card for move in view.legal() if isinstance(move, Play)]
        if not cards or any(card < 0 for card in public.trick):
            return self._simple.choose(view, rng)
        pack = pack_of(public.rules)

        def price(card: Card) -> tuple[int, bool, int]:
            return pack.points[card], card // 10 == public.trump, pack.strength[card]

        def takes(card: Card) -> bool:
            trick = (*public.trick, card)
            return trick_winner(public.rules, public.leader, trick, public.trump) == view.seat

        if public.trick and pack.worth(sum(1 << card for card in public.trick)) > 0:
            cards = [card for card in cards if takes(card)] or cards
        return Play(view.seat, min(cards, key=price))
