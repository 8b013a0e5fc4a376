"""Finds the example deals of the rule sets: ``python -m tools.examples [NAME …]`` writes ``src/chiamata/examples``.

For each rule set many seeded deals are played, the auction half by chance and the cards by rules of thumb; the one
that shows most of what the set has and others have not, in the fewest words, is written down.
"""

from __future__ import annotations

import random
import sys

from chiamata.bots.simple import Simple
from chiamata.rules import catalogue, shuffle
from chiamata.rules.auction import ladder_of
from chiamata.rules.deal import Deal
from chiamata.rules.game import Game
from chiamata.rules.moves import Bid, Dealt, Move, Pass
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.text import write_text
from chiamata.server import examples, replay

SEEDS = 300
SANE = 75
"""No bid by chance promises more points than these."""
PLAIN = {"called", "no_duty", "ruffed", "fed", "revealed", "made", "lost", "in_hand", "revealed_alone", "stake"}
"""What deals of all rule sets may show; everything else is worth three of these."""
LONG = 0.2
"""What each word of the auction costs, against one thing shown."""


Hands = tuple[int, int, int, int, int]


def played(rules: RuleSet, seed: int) -> tuple[Hands, list[Move]]:
    """The hands and moves of one seeded deal."""
    dice, bot, ladder = random.Random(seed), Simple(), ladder_of(rules)
    deal = Deal.start(rules, 4, shuffle.hands_from(seed.to_bytes(32), dealer=4))
    hands, moves = deal.dealt, list[Move]()
    while deal.public.phase != "done":
        view = deal.view(deal.public.turn)
        legal = view.legal()
        bids = [move for move in legal if isinstance(move, Bid)]
        passes = [move for move in legal if isinstance(move, Pass)]
        if deal.public.phase in ("auction", "claim") and dice.random() < 0.6:
            sane = [bid for bid in bids if ladder.target(bid) <= SANE] or bids[:1]
            choices: list[Move] = [*passes] if passes and (not bids or dice.random() < 0.6) else [*(sane or passes)]
            move = dice.choice(choices)
        else:
            move = bot.choose(view, dice)
        moves.append(move)
        deal = deal.apply(move)
    return hands, moves


def worth(text: str) -> float:
    """How much a deal shows, for its length; little where it ends without a contract."""
    past = replay.find(replay.written(text, examples.CODE), 1)
    assert past is not None
    found = examples.events(past)
    if not any(event.key in ("made", "lost") or event.key.startswith("sixty") for event in found):
        return -1.0
    shown = sum(1 if event.key in PLAIN else 3 for event in found)
    return shown - LONG * (len(past.steps) - 41)


def best(name: str) -> str:
    """The text of the best deal for this rule set."""
    rules, found = catalogue.load(name), list[tuple[float, str]]()
    for seed in range(SEEDS):
        hands, moves = played(rules, seed)
        text = write_text(Game.start(rules, 4), [Dealt(hands), *moves])
        found.append((worth(text), text))
    return max(found, key=lambda one: one[0])[1]


if __name__ == "__main__":
    examples.FOLDER.mkdir(exist_ok=True)
    for asked in sys.argv[1:] or catalogue.names():
        (examples.FOLDER / f"{asked}.txt").write_text(best(asked), encoding="utf-8")
