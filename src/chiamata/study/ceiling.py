"""How well the partner of determinized players can be known at all: their own choice is the likelihood.

python -m chiamata.study.ceiling [--deals N] [--after 2 4 7] [--worlds N] [--asked N]

Worlds are drawn by our belief, and weighed anew: in each of them the player that really played is asked, for
every card that fell, how often it would play that card from that hand (importance sampling).  So the habits cancel out,
and what is left is Bayes with the true model, as far as so many worlds can tell: with few of them the figures are a
little too low.  Beside them stands what our belief makes of the same guesses.
"""

from __future__ import annotations

import argparse
import random
import sys
from math import exp, log, sqrt

from chiamata.bots.determinized import Determinized
from chiamata.bots.policy import HABITS, mind, numbers_of
from chiamata.bots.seen import seen_of, variant_of
from chiamata.bots.situation import role_of
from chiamata.bots.worth import DEFENDER, ROLES, payoffs_of
from chiamata.racer.mind import GROUPS, Choice, Masks, Mind, Thought
from chiamata.racer.policy_mirror import UNIT, Policy
from chiamata.rules.cards import Card, Seat
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Play
from chiamata.rules.view import View
from chiamata.study.deals import neutral_contract, play_on, side_of

WORLDS = 40
"""Of the player that is looked at."""
DRAWS = 200
"""How often its choice is drawn from what it was found to think of its cards."""
LEAST = 0.004
"""No card is taken to be less likely."""
TEMPER, FLOOR = 0.6, 0.03
"""Worlds are drawn by a belief milder than ours, so that more than its favourites come up."""


def frequency(choices: tuple[Choice, ...], card: Card, asked: int, dice: random.Random) -> float:
    """How often a player of WORLDS worlds plays this card, from the values that ``asked`` worlds gave."""
    spread = sqrt(asked / WORLDS)
    best = max(choices, key=lambda choice: choice.mean)
    errors = {choice.move: (choice.error * spread if choice is not best else 0.0) for choice in choices}
    shared = min((error for error in errors.values() if error), default=0.0) / sqrt(2)
    won = 0
    for _ in range(DRAWS):
        shift = dice.gauss(0, shared)
        drawn = {}
        for choice in choices:
            own = sqrt(max(0.0, errors[choice.move] ** 2 - shared**2))
            drawn[choice.move] = choice.mean + (shift if choice is best else dice.gauss(0, own))
        won += max(drawn, key=lambda move: drawn[move]) == card
    return max(LEAST, won / DRAWS)


class Judge:
    """The true likelihood of a deal's cards, seat by seat, against that by which worlds were drawn.

    Args:
        asked: worlds that the player thinks through for one card.
    """

    def __init__(self, asked: int) -> None:
        self.asked = asked
        self._player = Determinized(WORLDS)
        self._habits = Policy(numbers_of(HABITS))
        self._looks = Mind(numbers_of(HABITS))

    def truth(self, view: View, card: Card, dice: random.Random) -> float:
        """How likely the player itself plays this card."""
        public, moves = view.public, len(view.legal())
        thought = Thought(dice.getrandbits(60), self.asked, 1, 0, self.asked * moves, 0.0, sure=0.0, open_cards=True)
        payoffs = payoffs_of(public.rules, public.target, ROLES[role_of(view)])
        thinking = mind().think(variant_of(public.rules), self._player.seen(view), thought, payoffs)
        return frequency(thinking.choices, card, self.asked, dice)

    def habit(self, view: View, card: Card) -> float:
        """How likely our habits make it."""
        scores = {}
        for one, row in self._looks.features(variant_of(view.public.rules), seen_of(view)):
            tables = sum(self._habits.weight[at] for at in row[:GROUPS])
            scores[one] = tables + (self._habits.deep(row[GROUPS:]) if self._habits.counts else 0)
        most = max(scores.values())
        weights = {one: exp(max((score - most) / UNIT, -16.0)) for one, score in scores.items()}
        return (1 - FLOOR) * weights[card] / sum(weights.values()) + FLOOR / len(weights)

    def weight(
        self, pasts: list[tuple[Deal, Card]], viewer: Seat, dealt: tuple[int, ...], dice: random.Random
    ) -> float:
        """The logarithm of truth against proposal for one world."""
        sum_of = 0.0
        for deal, card in pasts:
            seat = deal.public.turn
            view = View(deal.public, seat, dealt[seat])
            if seat != viewer and len(view.legal()) > 1:
                sum_of += log(self.truth(view, card, dice)) - TEMPER * log(self.habit(view, card))
        return sum_of


def guess(judge: Judge, deal: Deal, seat: Seat, pasts: list[tuple[Deal, Card]], worlds: int) -> tuple[float, ...]:
    """How likely each seat is the partner, as the seat could know if it knew the players."""
    dice = random.Random(f"ceiling {deal.dealt} {seat}")
    thought = Thought(dice.getrandbits(60), worlds=worlds, swaps=20, temper=TEMPER, floor=FLOOR, playouts=0)
    drawn = mind().worlds(variant_of(deal.public.rules), seen_of(deal.view(seat)), thought)
    weighed = [(judge.weight(pasts, seat, whole, dice), whole) for whole in (_whole(deal, world) for world in drawn)]
    most = max(weight for weight, _ in weighed)
    odds = [0.02] * 5
    for weight, whole in weighed:
        holder = next(one for one in range(5) if whole[one] >> deal.public.called & 1)
        odds[holder] += exp(weight - most)
    return tuple(odd / sum(odds) for odd in odds)


def believed(deal: Deal, seat: Seat) -> tuple[float, ...]:
    """The same as our belief has it."""
    payoffs = payoffs_of(deal.public.rules, deal.public.target, DEFENDER)
    thought = Thought(1, worlds=256, playouts=0)
    return mind().think(variant_of(deal.public.rules), seen_of(deal.view(seat)), thought, payoffs).partner


def _whole(deal: Deal, world: Masks) -> tuple[int, ...]:
    return tuple(hand | dealt & deal.public.played for hand, dealt in zip(world, deal.dealt, strict=True))


def measure(deals: int, after: list[int], judge: Judge, worlds: int) -> dict[int, list[tuple[float, ...]]]:
    """For each number of tricks the guesses: the odds given to the true partner, then the most given to a seat.

    Both twice, with the true model and by our belief.  One defender a deal is looked at, as all see much the same.
    """
    found: dict[int, list[tuple[float, ...]]] = {tricks: [] for tricks in after}
    bots = [Determinized(WORLDS)] * 5
    for number in range(deals):
        seed = f"belief {number}"
        deal = neutral_contract(load("classic"), seed)
        done = play_on(deal, bots, seed)
        pasts: list[tuple[Deal, Card]] = []
        for word in done.public.words[len(deal.public.words) :]:
            public = deal.public
            if len(public.tricks) in after and not public.trick and public.partner < 0:
                found[len(public.tricks)].append(_look(judge, deal, pasts, worlds))
            if isinstance(word, Play):
                pasts.append((deal, word.card))
            deal = deal.follow(word)
        print(f"\r{number + 1} of {deals} deals ", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


def _look(judge: Judge, deal: Deal, pasts: list[tuple[Deal, Card]], worlds: int) -> tuple[float, ...]:
    side = side_of(deal)
    seat, partner = min(set(range(5)) - side), max(side - {deal.public.caller})
    both = guess(judge, deal, seat, pasts, worlds), believed(deal, seat)
    return tuple(number for odds in both for number in (max(LEAST, odds[partner]), max(odds)))


def main(arguments: list[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="chiamata.study.ceiling")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--after", type=int, nargs="+", default=[2, 4, 7], help="tricks")
    parser.add_argument("--worlds", type=int, default=150)
    parser.add_argument("--asked", type=int, default=120, help="worlds that a player is asked in for each card")
    asked = parser.parse_args(arguments)
    found = measure(asked.deals, asked.after, Judge(asked.asked), asked.worlds)
    print("| after trick | guesses | true model: named | log-loss | our belief: named | log-loss |")
    print("|---|---|---|---|---|---|")
    for tricks, guesses in found.items():
        if guesses:
            cells = [f"| {tricks} | {len(guesses)} "]
            for at in (0, 2):
                named = sum(one[at] == one[at + 1] for one in guesses) / len(guesses)
                loss = -sum(log(one[at]) for one in guesses) / len(guesses)
                cells.append(f"| {100 * named:.1f} % | {loss:.3f} ")
            print("".join(cells) + "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
