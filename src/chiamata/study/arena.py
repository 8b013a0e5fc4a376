"""Bots measured against each other on the same deals: ``chiamata arena``.

A match seats a subject among players of a field.  Three things are told apart:

* the play: the contract is fixed by a neutral bidder, the same for a deal whoever plays it.  The subject takes the
  caller's chair, the partner's, both, those of the three defenders, or each of the five in turn (``play``);
* the bidding (``bidding``): the subject bids and calls in each chair in turn, and players of the field play the cards;
* the whole game: the subject does all in each of the five chairs in turn (``game``), or in two of them (``pairs``).

The same deal is always played by five players of the field as well, with the same dice, and only the difference
counts.  Over the chairs of one deal the mean is taken first: the deal is the unit of every interval, and a field
measured in its own company differs from itself by exactly nothing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from chiamata.bots.bot import Bot
from chiamata.rules.cards import Seat
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.study.deals import hands_of, neutral_contract, play_on, side_of
from chiamata.study.executors import Executor, Here
from chiamata.study.gate import Stakes, Verdict, verdicts
from chiamata.study.intervals import half_width, holm
from chiamata.study.kept import Kept
from chiamata.study.players import COMMAND, Bidder, Company, player
from chiamata.study.progress import Progress

ROLES = ("caller", "partner", "side", "defenders")
"""Chairs by their role in a neutral contract."""
TURNS = ("play", "bidding", "game", "pairs")
"""The subject takes each chair, or pair of chairs, in turn."""
CHAIRS = (*ROLES, *TURNS)
NEUTRAL = (*ROLES, "play")
SHOWN_FAULTS = 3
"""So many faults of outside programs are told in full."""


class Match(msgspec.Struct, frozen=True):
    """What is measured.

    Args:
        subject, field: names of players (``players.known``); no cheats in the field.
        chairs: one of CHAIRS.
        seed: of the deals, which are the same for all matches with this seed.
        seconds: for one move of a program from outside.
    """

    subject: str
    field: str
    chairs: str
    rules: str = "classic"
    seed: str = "ladder"
    seconds: float = 1.0


class Outcome(msgspec.Struct, frozen=True):
    """One deal of a match: the field alone, and with the subject in its chairs (means over the five in turn).

    Args:
        made: contracts made, 0 to 1.
        points: of the caller's side.
        payoff: of the subject's chairs together.
        scored: deals that were played to the end, 0 to 1.
    """

    made: float
    points: float
    payoff: float
    scored: float


class Pair(msgspec.Struct, frozen=True, array_like=True):
    """One deal: the field alone, the subject in its company, and what programs from outside did wrong."""

    before: Outcome
    after: Outcome
    faults: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True):
    """A result: mean and half of the 95 % interval of the difference the subject makes, over so many deals."""

    match: Match
    deals: int
    base: Outcome
    difference: Outcome
    within: Outcome


def play_deal(match: Match, number: int) -> Pair:
    """The field alone on one deal, and the subject in its company."""
    seed = f"{match.seed} {number}"
    rules = load(match.rules)
    neutral = match.chairs in NEUTRAL
    deal = neutral_contract(rules, seed) if neutral else Deal.start(rules, number % 5, hands_of(seed))
    seatings = seatings_of(deal, match.chairs)
    with Company(match.seconds) as company:
        alone = _played(match, deal, set(), company, seed)
        after = [_outcome(_played(match, deal, chairs, company, seed), chairs) for chairs in seatings]
        faults = company.faults
    return Pair(_mean([_outcome(alone, chairs) for chairs in seatings]), _mean(after), faults)


def seatings_of(deal: Deal, chairs: str) -> list[set[Seat]]:
    """The chairs of the subject, for each time that the deal is played with it."""
    if chairs in ROLES:
        return [chairs_of(deal, chairs)]
    return [{first, (first + 2) % 5} if chairs == "pairs" else {first} for first in range(5)]


def chairs_of(deal: Deal, name: str) -> set[Seat]:
    """The seats of this role in a deal that has a called card."""
    caller, side = deal.public.caller, side_of(deal)
    return {"caller": {caller}, "partner": side - {caller} or side, "side": side}.get(name, set(range(5)) - side)


def worst(match: Match) -> float:
    """The largest difference of payoffs that one deal of this match can show."""
    stakes = Stakes.of(load(match.rules), neutral=match.chairs in NEUTRAL)
    chair = (stakes.caller + stakes.partner + 3 * stakes.defender) / 5
    side = stakes.caller + stakes.partner
    roles = {"caller": stakes.caller, "partner": stakes.partner, "side": side, "defenders": 3 * stakes.defender}
    if match.chairs in NEUTRAL:
        return 2 * roles.get(match.chairs, chair)
    return side + 2 * chair if match.chairs == "pairs" else stakes.caller + chair


def _played(match: Match, deal: Deal, chairs: set[Seat], company: Company, seed: str) -> Deal:
    def bot_of(seat: Seat) -> Bot:
        if seat not in chairs:
            return company.seated(match.field, deal)
        subject = company.seated(match.subject, deal)
        return Bidder(subject, company.seated(match.field, deal)) if match.chairs == "bidding" else subject

    return play_on(deal, [bot_of(seat) for seat in range(5)], seed)


def _outcome(done: Deal, chairs: set[Seat]) -> Outcome:
    result = done.public.result
    assert result is not None
    payoff = float(sum(result.payoff[seat] for seat in chairs))
    return Outcome(float(result.made), float(result.points), payoff, float(result.kind in ("scored", "draw")))


def _mean(outcomes: Sequence[Outcome]) -> Outcome:
    return _each(lambda values: sum(values) / len(values), outcomes)


def _each(reduce: Callable[[list[float]], float], outcomes: Sequence[Outcome]) -> Outcome:
    made, points, payoff, scored = (
        reduce([getattr(one, name) for one in outcomes]) for name in Outcome.__struct_fields__
    )
    return Outcome(made, points, payoff, scored)


def difference(pair: Pair) -> Outcome:
    """What the subject changed in one deal."""
    return Outcome(*(getattr(pair.after, name) - getattr(pair.before, name) for name in Outcome.__struct_fields__))


def summed(match: Match, pairs: Sequence[Pair]) -> Row:
    """The result over these deals."""
    differences = [difference(pair) for pair in pairs]
    base = _mean([pair.before for pair in pairs])
    return Row(match, len(pairs), base, _mean(differences), _each(half_width, differences))


class Arena:
    """Plays matches and keeps every deal in a file, so that a run that was stopped goes on.

    Args:
        kept: a file of JSON lines; None keeps nothing.
        executor: where deals are played.
    """

    def __init__(self, kept: Path | None = None, executor: Executor | None = None) -> None:
        self._kept: Kept[Match, Pair] = Kept(kept, tuple[Match, int, Pair])
        self._executor = executor or Here()

    def play(self, match: Match, deals: int) -> Row:
        """Deals 0 to ``deals`` - 1 of this match; Malformed if there is no such player."""
        self._check(match)
        pairs = self._pairs(match, range(deals), self._progress(match, range(deals)))
        tell_faults(match, pairs)
        return summed(match, pairs)

    def gate(self, match: Match, most: int) -> tuple[Verdict, Row]:
        """Deals until the subject's payoff is shown to be above or below the field's, ``most`` (1 or more) at most.

        The deals are judged in their order, so that the verdict is the same however many are played at a time.
        """
        self._check(match)
        progress, pairs = self._progress(match, range(most)), list[Pair]()
        payoffs = (difference(pair).payoff for pair in self._stream(match, most, progress, pairs))
        verdict = Verdict("open", 0, 0.0)
        for verdict in verdicts(payoffs, worst(match)):
            if verdict.says != "open":
                break
        progress.end()
        tell_faults(match, pairs[: verdict.deals])
        return verdict, summed(match, pairs[: verdict.deals])

    def _stream(self, match: Match, most: int, progress: Progress, pairs: list[Pair]) -> Iterator[Pair]:
        batch = 4 * self._executor.jobs
        for first in range(0, most, batch):
            pairs += self._pairs(match, range(first, min(most, first + batch)), progress)
            yield from pairs[first:]

    def _pairs(self, match: Match, numbers: Sequence[int], progress: Progress) -> list[Pair]:
        missing = self._missing(match, numbers)
        for number, pair in zip(missing, self._executor.spread(partial(play_deal, match), missing), strict=True):
            self._kept.keep(match, number, pair)
            progress.step()
        return [self._kept[match, number] for number in numbers]

    def _missing(self, match: Match, numbers: Sequence[int]) -> list[int]:
        return [number for number in numbers if (match, number) not in self._kept]

    def _progress(self, match: Match, numbers: Sequence[int]) -> Progress:
        label = f"{match.subject} as {match.chairs} among {match.field}"
        return Progress(label, len(self._missing(match, numbers)))

    def _check(self, match: Match) -> None:
        deal = neutral_contract(load(match.rules), match.seed)
        with Company(match.seconds) as company:
            company.check(match.subject, deal)
            company.check(match.field, deal) if match.field.startswith(COMMAND) else player(match.field)


def tell_faults(match: Match, pairs: Sequence[Pair]) -> None:
    """What programs from outside did wrong, on the standard error: how often of each kind, and some in full."""
    faults = [fault for pair in pairs for fault in pair.faults]
    if not faults:
        return
    kinds = Counter(fault.split(maxsplit=1)[0].rstrip(":") for fault in faults)
    told = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    print(f"{match.subject} among {match.field}: {len(faults)} moves made for it ({told})", file=sys.stderr)
    for fault in faults[:SHOWN_FAULTS]:
        print(f"  {fault}", file=sys.stderr)


def table(rows: Sequence[Row]) -> str:
    """The results as a Markdown table."""
    lines = [
        "| player | chairs | field | rules | deals | contracts made by the field alone | change | points | payoff |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        match, change, within = row.match, row.difference, row.within
        lines.append(
            f"| {match.subject} | {match.chairs} | {match.field} | {match.rules} | {row.deals} "
            f"| {100 * row.base.made:.1f} % | {100 * change.made:+.1f} ± {100 * within.made:.1f} "
            f"| {change.points:+.1f} ± {within.points:.1f} | {change.payoff:+.3f} ± {within.payoff:.3f} |"
        )
    if len(rows) > 1:
        stand = holm([(row.difference.payoff, row.within.payoff) for row in rows])
        names = [f"{row.match.subject} ({row.match.chairs})" for row, one in zip(rows, stand, strict=True) if one]
        told = ", ".join(names) or "none"
        lines += ["", f"Payoffs that differ from the field's at 5 % over all {len(rows)} rows (Holm): {told}."]
    return "\n".join(lines) + "\n"


def as_json(row: Row) -> str:
    """One line for a program to read."""
    return json.dumps(msgspec.to_builtins(row))
