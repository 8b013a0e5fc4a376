"""Seeded deals played by bots: what the benchmarks and the fitting of the bots share."""

from __future__ import annotations

import random
from collections.abc import Sequence

from chiamata.bots.bot import Bot
from chiamata.rules.cards import card_set
from chiamata.rules.deal import Deal, Hands
from chiamata.rules.ruleset import RuleSet


def hands_of(seed: int) -> Hands:
    """Five hands of eight, the same for the same seed."""
    pack = list(range(40))
    random.Random(f"hands {seed}").shuffle(pack)
    a, b, c, d, e = (card_set(pack[8 * seat : 8 * seat + 8]) for seat in range(5))
    return a, b, c, d, e


def play_out(deal: Deal, bots: Sequence[Bot], seed: int) -> Deal:
    """The deal at its end.  ``bots`` sit in seats 0 to 4; each has dice of its own, seeded by deal and seat."""
    dice = [random.Random(f"dice {seed} {seat}") for seat in range(5)]
    while deal.public.phase != "done":
        seat = deal.public.turn
        deal = deal.apply(bots[seat].choose(deal.view(seat), dice[seat]))
    return deal


def deal_of(rules: RuleSet, seed: int) -> Deal:
    """A fresh deal; the dealer goes round with the seed."""
    return Deal.start(rules, seed % 5, hands_of(seed))
