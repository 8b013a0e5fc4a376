"""How good the belief is: the partner named by defenders, and where cards lie, trick by trick.

python -m chiamata.study.calibration [--field NAME] [--deals N]
"""

from __future__ import annotations

import argparse
import sys
from math import log

import msgspec

from chiamata.bots.policy import mind
from chiamata.bots.seen import seen_of, variant_of
from chiamata.bots.worth import DEFENDER, payoffs_of
from chiamata.racer.mind import Thinking, Thought
from chiamata.rules.cards import Seat, cards_in
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.study.deals import neutral_contract, play_on
from chiamata.study.players import player

LEAST = 1e-3
"""No probability is taken to be less, for the logarithm."""
BINS = 10


class Tally(msgspec.Struct):
    """Sums over the guesses after one trick.

    Attributes:
        deals: deals looked at; hidden: those in which the partner was still hidden.
        guesses, named: guesses of defenders, and those whose likeliest seat was the partner.
        loss: sum of the logarithmic losses for the partner; lost: for each unseen card, of ``cards``.
        expected, happened: by tenths of the probability given to a seat, its sum and how often it was the partner.
    """

    deals: int = 0
    hidden: int = 0
    guesses: int = 0
    named: float = 0.0
    loss: float = 0.0
    lost: float = 0.0
    cards: int = 0
    expected: list[float] = msgspec.field(default_factory=lambda: [0.0] * BINS)
    happened: list[int] = msgspec.field(default_factory=lambda: [0] * BINS)
    given: list[int] = msgspec.field(default_factory=lambda: [0] * BINS)

    def add(self, thinking: Thinking, deal: Deal, seat: Seat) -> None:
        """One defender's guess."""
        public = deal.public
        partner = next(one for one in range(5) if deal.dealt[one] >> public.called & 1)
        odds = thinking.partner
        best = max(odds)
        ties = [one for one in range(5) if odds[one] == best]
        self.guesses += 1
        self.named += (partner in ties) / len(ties)
        self.loss -= log(max(LEAST, odds[partner]))
        for one in range(5):
            if one not in (seat, public.caller):
                place = min(BINS - 1, int(odds[one] * BINS))
                self.given[place] += 1
                self.expected[place] += odds[one]
                self.happened[place] += one == partner
        for holder in range(5):
            if holder != seat:
                for card in cards_in(deal.dealt[holder] & ~public.played):
                    self.lost -= log(max(LEAST, thinking.where[card][holder]))
                    self.cards += 1


def measure(field: str, deals: int, thought: Thought, rules: str = "classic") -> list[Tally]:
    """A Tally for each number of tricks played, 0 to 7, over neutral contracts played by the field."""
    tallies = [Tally() for _ in range(8)]
    bots = [player(field)] * 5
    for number in range(deals):
        seed = f"belief {number}"
        deal = neutral_contract(load(rules), seed)
        done = play_on(deal, bots, seed)
        for word in done.public.words[len(deal.public.words) :]:
            _look(tallies[len(deal.public.tricks)], deal, thought)
            deal = deal.follow(word)
        if number % 20 == 19:
            print(f"\r{number + 1} of {deals} deals ", end="", file=sys.stderr)
    print(file=sys.stderr)
    return tallies


def _look(tally: Tally, deal: Deal, thought: Thought) -> None:
    public = deal.public
    if public.trick or public.phase != "play":
        return
    tally.deals += 1
    if public.partner >= 0:
        return
    tally.hidden += 1
    for seat in range(5):
        if seat != public.caller and not deal.dealt[seat] >> public.called & 1:
            view = deal.view(seat)
            payoffs = payoffs_of(public.rules, public.target, DEFENDER)
            thinking = mind().think(variant_of(public.rules), seen_of(view), thought, payoffs)
            tally.add(thinking, deal, seat)


def table(tallies: list[Tally]) -> str:
    """The figures as a Markdown table, then the calibration of all guesses together."""
    lines = ["| after trick | still hidden | partner named | log-loss | of a card's place |", "|---|---|---|---|---|"]
    for tricks, tally in enumerate(tallies):
        if tally.guesses:
            lines.append(
                f"| {tricks} | {100 * tally.hidden / tally.deals:.0f} % | {100 * tally.named / tally.guesses:.1f} % "
                f"| {tally.loss / tally.guesses:.3f} | {tally.lost / tally.cards:.3f} |"
            )
    lines += ["", "| probability given | mean | was the partner | guesses |", "|---|---|---|---|"]
    for place in range(BINS):
        given = sum(tally.given[place] for tally in tallies)
        if given:
            mean = sum(tally.expected[place] for tally in tallies) / given
            share = sum(tally.happened[place] for tally in tallies) / given
            lines.append(f"| {place * 10}–{place * 10 + 10} % | {100 * mean:.1f} % | {100 * share:.1f} % | {given} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(prog="chiamata.study.calibration")
    parser.add_argument("--field", default="determinized-40", help="the players that are watched")
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--temper", type=float, default=0.8)
    asked = parser.parse_args(arguments)
    print(table(measure(asked.field, asked.deals, Thought(1, worlds=asked.worlds, temper=asked.temper, playouts=0))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
