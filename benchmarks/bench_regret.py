"""What a level's card costs beside the card that a long search finds: a finer measure of levels than whole games.

    python -m benchmarks.bench_regret [--deals N] [--first N]     (68 deals by itself, two cards of each)

Five ``club`` players bid and play each seeded deal; at two of its cards, drawn at random, each budget is asked for its
card, and a search with 60,000 playouts over 3,000 worlds says what that card pays less than the best one.  The long
search shares the levels' policy and belief: it shows what more thought of the same kind would bring, no more.
Prints Markdown: mean loss of a card in payoff with half of its 95 % interval.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from chiamata.bots import roster
from chiamata.bots.search import Budget, Searcher
from chiamata.racer.mind import Thinking
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.view import View
from chiamata.study.cheats import SEARCH
from chiamata.study.deals import hands_of
from chiamata.study.intervals import half_width

LONG = Budget(worlds=3000, draws=3, swaps=8, playouts=60000, exact=2)
BUDGETS = {
    "`friend`": roster.FRIEND,
    "`club`": roster.CLUB,
    "`club` before": SEARCH,
    "`master`": roster.MASTER,
    "`master` before": Budget(worlds=768, draws=3, swaps=16, playouts=16000, exact=2),
}
CARDS = 2
"""Cards that are looked at in a deal."""


def choices_of(seed: str, dealer: int) -> list[View]:
    """Of a deal played by five ``club`` players what each saw that had more than one card to choose from."""
    bot = roster.make("club")
    deal, views = Deal.start(load("classic"), dealer, hands_of(seed)), list[View]()
    while deal.public.phase != "done":
        view = deal.view(deal.public.turn)
        if deal.public.phase == "play" and len(view.legal()) > 1:
            views.append(view)
        deal = deal.follow(bot.choose(view, random.Random(f"{seed} {len(deal.public.words)}")))
    return views


def thought(budget: Budget, view: View, dice: random.Random) -> Thinking:
    thinking = Searcher("", budget).think(view, dice.getrandbits(60))
    assert thinking is not None
    return thinking


def losses(seed: str, dealer: int) -> Iterator[dict[str, float]]:
    """For some cards of a deal what each budget's choice pays less than the best one."""
    dice, views = random.Random(seed), choices_of(seed, dealer)
    for view in dice.sample(views, min(CARDS, len(views))):
        values = {choice.move: choice.mean for choice in thought(LONG, view, dice).choices}
        found = {}
        for name, budget in BUDGETS.items():
            best = max(thought(budget, view, dice).choices, key=lambda choice: (choice.mean, choice.playouts))
            found[name] = max(values.values()) - values[best.move]
        yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=68)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    asked = parser.parse_args()
    numbers = range(asked.first, asked.first + asked.deals)
    rows = [row for number in numbers for row in losses(f"regret {number}", number % 5)]
    print(f"{len(rows)} cards of {asked.deals} deals\n\n| budget | loss of a card |\n|---|---|")
    for name in BUDGETS:
        values = [row[name] for row in rows]
        print(f"| {name} | {sum(values) / len(values):.4f} ± {half_width(values):.4f} |")


if __name__ == "__main__":
    main()
