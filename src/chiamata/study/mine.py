"""Finds puzzles: ``python -m chiamata.study.mine FILE [--each N] [--rules NAME ...]``.

Deals are played by the level ``friend``; every choice that a short search finds clear is weighed again at length, by
so many searches of their own seeds, and once more by as many with others.  A position is kept if both times the same
moves are best, no other is within three standard errors (over the searches) of them, and the margin is worth
something.  Everything is seeded; FILE keeps what was found, so a run that was stopped goes on after its last deal.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import replace
from math import sqrt
from pathlib import Path

import msgspec

from chiamata.bots import roster
from chiamata.bots.contracts import Trial, weigh, weigh_calls
from chiamata.bots.policy import mind
from chiamata.bots.search import Searcher, move_of
from chiamata.bots.seen import is_open, variant_of
from chiamata.bots.situation import role_of
from chiamata.bots.worth import ROLES, payoffs_of
from chiamata.racer.mind import Thought
from chiamata.rules.cards import Card, Seat
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Claim, Move, Pass, Play
from chiamata.rules.public import Public, trick_winner
from chiamata.rules.view import View
from chiamata.study.deals import hands_of
from chiamata.study.puzzles import THEMES, Puzzle, of_line, to_line

RULES = ("classic", "classic", "classic", "quick", "fifteen", "trattoria", "family")
SEARCHES = 6
"""Searches whose spread is the error."""
ERRORS = 3.0
CLEAR = 0.1
"""The least margin, in payoff: a tenth of a defender's stake in the base contract."""
RICH = 10
"""Card points of a carico."""
SUSPECT = 0.5
"""A seat is hunted if it is the partner as likely as not."""
SHORT = Thought(0, worlds=96, draws=2, swaps=6, playouts=800)
LONG = Thought(0, worlds=768, draws=3, swaps=16, playouts=12000, sure=0.0)
DEALS = 1500
"""Deals played out for each contract in a long search of the auction."""

Values = dict[Move, float]


class Weighing(msgspec.Struct, frozen=True):
    """Means over some searches: of each move's payoff by search, and of the partner's odds by seat."""

    rows: tuple[Values, ...]
    partner: tuple[float, ...]

    def mean(self, move: Move) -> float:
        """Its payoff."""
        return sum(row[move] for row in self.rows) / len(self.rows)

    def margin(self, better: Move, worse: Move) -> tuple[float, float]:
        """By how much one is above the other, and the standard error of that."""
        gaps = [row[better] - row[worse] for row in self.rows]
        mean = sum(gaps) / len(gaps)
        spread = sum((gap - mean) ** 2 for gap in gaps) / max(1, len(gaps) - 1)
        return mean, sqrt(spread / len(gaps))

    def answer(self) -> tuple[tuple[Move, ...], float, float] | None:
        """The best move, or the best two, the margin to the rest and its error; None where that is not clear."""
        order = sorted(self.rows[0], key=lambda move: -self.mean(move))
        for count in (1, 2):
            if len(order) > count:
                gaps = [self.margin(best, other) for best in order[:count] for other in order[count:]]
                least, error = min(gaps)
                if all(gap >= max(CLEAR, ERRORS * noise) for gap, noise in gaps):
                    return tuple(order[:count]), least, error
        return None


def weighed(view: View, seeds: list[str], thought: Thought, deals: int) -> Weighing:
    """One search a seed."""
    rows: list[Values] = []
    partner: tuple[float, ...] = (0.0,) * 5
    for seed in seeds:
        number = random.Random(seed).getrandbits(60)
        if is_open(view.public):
            payoffs = payoffs_of(view.public.rules, view.public.target, ROLES[role_of(view)])
            seen = Searcher("", roster.MASTER).seen(view)
            thinking = mind().think(variant_of(view.public.rules), seen, replace(thought, seed=number), payoffs)
            rows.append({move_of(view, choice.move): choice.mean for choice in thinking.choices})
            partner = thinking.partner
        else:
            trial = Trial(view, number, deals)
            found = (weigh_calls if view.public.phase == "call" else weigh)(view, view.legal(), trial)
            rows.append(dict(found))
    return Weighing(tuple(rows), partner)


def holder_of(public: Public, card: Card = -1) -> Seat:
    """Whose the trick is so far, or with this card played now."""
    trick = (*public.trick, card) if card >= 0 else public.trick
    return trick_winner(public.rules, public.leader, trick, public.trump)


def theme_of(view: View, best: tuple[Move, ...], partner: tuple[float, ...]) -> str | None:
    """What the position teaches; None if nothing in particular."""
    public = view.public
    if public.phase == "call":
        return "calling"
    if public.phase == "auction":
        if public.standing is None:
            return None
        return "passing" if isinstance(best[0], Pass) else "raising"
    if public.phase != "play" or not all(isinstance(move, Play) for move in best):
        return None
    if not public.trick:
        shy = role_of(view) == "partner" and public.partner < 0 and Play(view.seat, public.called) not in best
        return "hiding" if shy else "leading"
    return _following(view, [move.card for move in best if isinstance(move, Play)], partner)


def _following(view: View, best: list[Card], partner: tuple[float, ...]) -> str | None:
    public, points, role = view.public, view.public.rules.points, role_of(view)
    held = [move.card for move in view.legal() if isinstance(move, Play)]
    holder = holder_of(public)
    takes = all(holder_of(public, card) == view.seat for card in best)
    frugal = max(points[card] for card in best) < RICH
    fed = any(points[card] >= RICH and holder_of(public, card) == holder for card in held if card not in best)
    hidden = public.partner < 0
    if role == "partner" and hidden and public.called not in best:
        spared = public.called in held and holder_of(public, public.called) == view.seat and not takes
        if spared or (holder == public.caller and frugal and fed):
            return "hiding"
    if role == "defender" and hidden and partner[holder] >= SUSPECT and (takes or (fed and frugal)):
        return "hunting"
    return "feeding" if not takes and min(points[card] for card in best) >= RICH else None


def candidates(view: View) -> bool:
    """Whether there is a choice that the searches can weigh."""
    moves = view.legal()
    if len(moves) < 3 or any(isinstance(move, Claim) for move in moves):
        return len(moves) == 2 and {type(move) for move in moves} == {Pass, Bid}
    return is_open(view.public) or all(card >= 0 for card in view.public.trick)


def puzzle_of(view: View, seed: str, wanted: set[str]) -> Puzzle | None:
    """The puzzle that this view is, if it is one of a theme still wanted."""
    quick = weighed(view, [f"{seed} quick"], SHORT, 150)
    order = sorted(quick.rows[0], key=lambda move: -quick.mean(move))
    if len(order) < 2 or quick.margin(order[0], order[min(2, len(order) - 1)])[0] < CLEAR:
        return None
    themes = {theme_of(view, tuple(order[:count]), quick.partner) for count in (1, 2)}
    if not themes & wanted:
        return None
    first, again = (
        weighed(view, [f"{seed} {run} {number}" for number in range(SEARCHES)], LONG, DEALS) for run in ("long", "more")
    )
    answer, second = first.answer(), again.answer()
    if answer is None or second is None or set(answer[0]) != set(second[0]):
        return None
    best, margin, error = answer
    theme = theme_of(view, best, first.partner)
    return Puzzle(theme, view, best, margin, error, seed) if theme in wanted else None


def positions(rules_name: str, seed: str) -> list[View]:
    """The views of one deal at which something is to be chosen."""
    rules = load(rules_name)
    deal = Deal.start(rules, random.Random(seed).randrange(5), hands_of(seed))
    bot, views = roster.make("friend"), []
    while deal.public.phase != "done":
        view = deal.view(deal.public.turn)
        if candidates(view):
            views.append(view)
        deal = deal.follow(bot.choose(view, random.Random(f"{seed} {len(deal.public.words)}")))
    return views


def mined(number: int, wanted: set[str]) -> list[Puzzle]:
    """The puzzles of one deal: at most one of each theme that is wanted."""
    seed, found = f"puzzle {number}", list[Puzzle]()
    for place, view in enumerate(positions(RULES[number % len(RULES)], seed)):
        still = wanted - {puzzle.theme for puzzle in found}
        puzzle = puzzle_of(view, f"{seed} {place}", still)
        if puzzle is not None:
            found.append(puzzle)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Mines until there are enough of each theme."""
    parser = argparse.ArgumentParser(prog="chiamata.study.mine")
    parser.add_argument("file", type=Path)
    parser.add_argument("--each", type=int, default=12, help="puzzles of each theme")
    asked = parser.parse_args(arguments)
    lines = asked.file.read_text(encoding="utf-8").splitlines() if asked.file.exists() else []
    found = [of_line(line) for line in lines]
    count = Counter(puzzle.theme for puzzle in found)
    number = max((int(puzzle.seed.split()[1]) + 1 for puzzle in found), default=0)
    while wanted := {theme for theme in THEMES if count[theme] < asked.each}:
        for puzzle in mined(number, wanted):
            count[puzzle.theme] += 1
            with asked.file.open("a", encoding="utf-8") as file:
                file.write(to_line(puzzle) + "\n")
        number += 1
        told = ", ".join(f"{theme} {count[theme]}" for theme in THEMES)
        print(f"deal {number}: {told}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
