"""Trains the policy: ``python -m chiamata.study.train FOLDER [--deals N] [--company N] [--policy FILE] [--jobs N]``.

Generation 0 imitates the rule-of-thumb player.  Each later one plays with itself: every decision is
searched with the newest weights (imperfect-information Monte Carlo), and the policy learns to give each card a
share by how good the search found it.  Last, the habits are learned: how a mixed company of players (``company``) is
seen to play, by which the belief judges the cards played; with ``--policy FILE`` they alone, with that policy.
Everything is seeded; FOLDER keeps what is done, so a run that was stopped goes on where it was.  Run it anew with the
same options for the same weights.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from functools import partial
from math import exp, log
from pathlib import Path

from chiamata.bots.policy import Numbers, numbers_of, write_numbers
from chiamata.bots.seen import seen_of, variant_of
from chiamata.bots.simple import Simple
from chiamata.racer.mind import KINDS, PAYOFFS, STAGES, Mind, Payoffs, Samples, Thought, hidden_wanted, numbers_wanted
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Play, Trump
from chiamata.study.company import first_lead, follow, played
from chiamata.study.deals import is_choice, practice_contract
from chiamata.study.executors import local
from chiamata.study.kept import Kept

UNIT = 64
"""Weights are whole numbers of 1/64 nat."""
SOFTNESS = 0.06
"""Two cards whose values differ by this much get shares as 1 to e."""
EXPLORING = 0.12
"""The same for the card that is really played while training, so that rarer positions are seen."""
POINT = 0.004
"""What a card point is worth beside making (+1) or losing (-1) the contract."""
RULES = ("classic", "classic", "classic", "classic", "fifteen", "trattoria-follow", "family", "bastarda")
"""Rule sets of the deals in turn: the features are relative, so most of what is learned holds for all."""
SEEN_OFTEN = 25
"""A kind of play seen less often than this tells little: counts are drawn towards even odds by so many."""
PASSES = 12
DEEP_PASSES = 14
"""With hidden units, which learn more slowly."""
DOUBT = 0.02
"""The share of a decision that goes to all cards alike, so that none is thought impossible."""
MOST, MOST_DEEP = 2000, 500
"""No number is larger; rows of hidden units are added up and multiplied, and must not overflow."""


def payoffs(deal: Deal, seat: int) -> Payoffs:
    """Making the contract, and points a little, from a seat's side."""
    public = deal.public
    allies = {public.caller, next(one for one in range(5) if deal.dealt[one] >> public.called & 1)}
    sign = 1.0 if seat in allies else -1.0
    row = [sign * ((1.0 if made >= public.target else -1.0) + POINT * (made - 60)) for made in range(PAYOFFS - 2)]
    ends = [row[120], row[0]]
    return Payoffs(([*row, *ends], [*row, *ends]))


class Harvest:
    """What the games of a generation leave behind.  Of ten decisions one is held back, not learned from."""

    def __init__(self) -> None:
        self.learned, self.held = Samples(()), Samples(())
        self.kinds: dict[bool, Counter[int]] = {False: Counter(), True: Counter()}

    def __len__(self) -> int:
        return len(self.learned) + len(self.held)

    def add(self, rows: list[tuple[int, tuple[int, ...]]], shares: list[float]) -> None:
        """A decision: its cards with their features, and the share of each."""
        (self.held if len(self) % 10 == 0 else self.learned).add([row for _, row in rows], shares)

    def count_kinds(self, mind: Mind, deal: Deal) -> None:
        """What each seat did while the called card was hidden, partner and defenders apart."""
        public = deal.public
        if public.partner == public.caller:
            return
        seats = [(trick.leader + place) % 5 for trick in public.tricks for place in range(5)]
        for kind, seat in zip(mind.kinds(variant_of(public.rules), seen_of(deal.view(0))), seats, strict=False):
            if kind >= 0:
                self.kinds[seat == public.partner][kind] += 1


def softmax(values: list[float], softness: float) -> list[float]:
    """Shares by value, one in all."""
    most = max(values)
    weights = [exp((value - most) / softness) for value in values]
    return [weight / sum(weights) for weight in weights]


def imitate(mind: Mind, deal: Deal, harvest: Harvest, dice: random.Random) -> Deal:
    """One move of the rule-of-thumb player, which becomes a sample."""
    seat, bot = deal.public.turn, Simple()
    move = bot.choose(deal.view(seat), dice)
    if is_choice(deal) and isinstance(move, Play):
        rows = mind.features(variant_of(deal.public.rules), seen_of(deal.view(seat)))
        share = 0.1 / len(rows)
        harvest.add(rows, [share + 0.9 * (card == move.card) for card, _ in rows])
    return deal.follow(move)


def search(mind: Mind, deal: Deal, harvest: Harvest, dice: random.Random) -> Deal:
    """One move by search; its values become a sample."""
    seat, public = deal.public.turn, deal.public
    view, variant = deal.view(seat), variant_of(deal.public.rules)
    moves = view.legal()
    if len(moves) == 1:
        return deal.follow(moves[0])
    seen = seen_of(view)
    thought = Thought(dice.getrandbits(60), worlds=64, draws=2, swaps=6, playouts=56 * len(moves), sure=99.0)
    thinking = mind.think(variant, seen, thought, payoffs(deal, seat))
    values = [choice.mean for choice in thinking.choices]
    (chosen,) = dice.choices(thinking.choices, softmax(values, EXPLORING))
    if public.phase == "trump":
        return deal.follow(Trump(seat, chosen.move))
    rows = mind.features(variant, seen)
    harvest.add(rows, softmax(values, SOFTNESS))
    return deal.follow(Play(seat, chosen.move))


def watch(before: Numbers, company: dict[int, tuple[int, ...]]) -> Harvest:
    """What a company's deals, by number, tell of how people play.

    They are gone through twice: what a seat makes of the others' play, which is a feature too, is known only when
    it is counted how partners and defenders play.
    """
    harvest, features = Harvest(), numbers_wanted() - KINDS * STAGES
    mind = Mind(before)
    for number, moves in company.items():
        deal = first_lead(number)
        for move in moves:
            deal = follow(deal, move)
        harvest.count_kinds(mind, deal)
    mind = Mind((*before[:features], *evidence(harvest.kinds)))
    for number, moves in company.items():
        deal = first_lead(number)
        for move in moves:
            if is_choice(deal):
                rows = mind.features(variant_of(deal.public.rules), seen_of(deal.view(deal.public.turn)))
                harvest.add(rows, [DOUBT / len(rows) + (1 - DOUBT) * (card == move) for card, _ in rows])
            deal = follow(deal, move)
    return harvest


def reap(mind: Mind, name: str, deals: int) -> Harvest:
    """Plays the deals of a generation."""
    harvest, began = Harvest(), time.monotonic()
    step = imitate if name == "0" else search
    for number in range(deals):
        seed = f"{name} {number}"
        dice = random.Random(f"train {seed}")
        deal = practice_contract(load(RULES[number % len(RULES)]), seed)
        while deal.public.phase != "done":
            deal = step(mind, deal, harvest, dice)
        harvest.count_kinds(mind, deal)
        if number % 50 == 49:
            pace = (number + 1) / (time.monotonic() - began)
            print(f"\rgeneration {name}: {number + 1} of {deals} deals, {pace:.1f} a second ", end="", file=sys.stderr)
    print(file=sys.stderr)
    return harvest


def learn(harvest: Harvest, before: Numbers, deep: bool = False) -> tuple[Numbers, list[tuple[float, float]]]:
    """New numbers, and for each pass the loss there and on every tenth decision, which is not learned from.

    The weights of the pass that does best on those are kept.

    Args:
        deep: with hidden units, which begin with small dice.
    """
    features = numbers_wanted() - KINDS * STAGES
    dice = random.Random("hidden units")
    hidden = [dice.gauss(0.0, 0.15) for _ in range(hidden_wanted())] if deep else []
    learned, held = harvest.learned, harvest.held
    learned.start([*(number / UNIT for number in before[:features]), *hidden])
    held.start([0.0] * len(learned.weights))
    best, curve = float("inf"), []
    kept = list(learned.weights)
    for number in range(DEEP_PASSES if deep else PASSES):
        (loss,) = learned.fit(1, 0.06 / (1 + 0.3 * number), 1e-5)
        held.weights = learned.weights
        (held_loss,) = held.fit(1, 0.0)
        curve.append((round(loss, 4), round(held_loss, 4)))
        if held_loss < best:
            best, kept = held_loss, list(learned.weights)
    plain = _rounded(kept[:features], MOST)
    return (*plain, *evidence(harvest.kinds), *_rounded(kept[features:], MOST_DEEP)), curve


def _rounded(weights: list[float], most: int) -> list[int]:
    return [max(-most, min(most, round(weight * UNIT))) for weight in weights]


def evidence(kinds: dict[bool, Counter[int]]) -> list[int]:
    """How much oftener a partner than a defender does each kind of thing: a logarithm in 1/64."""
    totals = {who: [sum(kinds[who][stage * KINDS + kind] for kind in range(KINDS)) for stage in range(STAGES)]
              for who in (False, True)}  # fmt: skip
    told = []
    for place in range(KINDS * STAGES):
        prior = [max(1, totals[who][place // KINDS]) for who in (False, True)]
        both = kinds[False][place] + kinds[True][place]
        share = max(both, 1) / (prior[0] + prior[1])
        odds = [(kinds[who][place] + SEEN_OFTEN * share) / prior[who] for who in (False, True)]
        told.append(round(UNIT * log(odds[1] / odds[0])) if both else 0)
    return told


def _generation(folder: Path, what: tuple[str, int], before: Numbers) -> Numbers:
    """The numbers of one generation, learned unless they are there already."""
    name, deals = what
    file = folder / f"policy-{name}.txt"
    if not file.exists():
        harvest = reap(Mind(before), name, deals)
        _write(file, (name, deals, len(harvest)), learn(harvest, before))
    return numbers_of(file)


def _write(file: Path, what: tuple[str, int, int], got: tuple[Numbers, list[tuple[float, float]]]) -> None:
    """Tells the curve, then writes the numbers: a run that was stopped between does it again."""
    (name, deals, decisions), (numbers, curve) = what, got
    report = {"generation": name, "deals": deals, "decisions": decisions, "losses": curve}
    with (file.parent / "curve.jsonl").open("a", encoding="utf-8") as log_file:
        log_file.write(json.dumps(report) + "\n")
    write_numbers(file, numbers)
    print(f"generation {name}: {decisions} decisions, losses {curve}")


def _habits(folder: Path, policy: Path, deals: int, jobs: int) -> None:
    """The habits, learned from so many deals of a company unless they are there already."""
    file, kept = folder / "policy-habits.txt", Kept(folder / "company.jsonl", tuple[str, int, tuple[int, ...]])
    if file.exists():
        return
    missing = [number for number in range(deals) if ("company", number) not in kept]
    for number, moves in zip(missing, local(jobs).spread(partial(played, policy), missing), strict=True):
        kept.keep("company", number, moves)
        if number % 50 == 49:
            print(f"\rcompany: {number + 1} of {deals} deals ", end="", file=sys.stderr)
    print(file=sys.stderr)
    before = numbers_of(policy)
    harvest = watch(before, {number: kept["company", number] for number in range(deals)})
    _write(file, ("habits", deals, len(harvest)), learn(harvest, before, deep=True))


def main(arguments: list[str] | None = None) -> int:
    """Trains until all generations are done; prints the curve."""
    parser = argparse.ArgumentParser(prog="chiamata.study.train")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=1500, help="deals of a generation")
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--company", type=int, default=5500, help="deals that the habits are learned from")
    parser.add_argument("--policy", type=Path, help="learn the habits alone, with the policy in this file")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play the company's deals")
    asked = parser.parse_args(arguments)
    asked.folder.mkdir(parents=True, exist_ok=True)
    policy = asked.policy
    if policy is None:
        numbers: Numbers = (0,) * numbers_wanted()
        for generation in range(asked.generations + 1):
            deals = asked.deals * 2 if generation == 0 else asked.deals
            numbers = _generation(asked.folder, (str(generation), deals), numbers)
        policy = asked.folder / f"policy-{asked.generations}.txt"
    _habits(asked.folder, policy, asked.company, asked.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
