"""Bidding and calling by simulation: each contract is played out over worlds that fit the auction so far.

The racer plays whole deals by the learned policy and counts how many points the caller's side takes; the rule
set's own scoring turns the counts into payoffs.  A bid is made where playing its contract pays more than what
another's contract, or a new deal, leaves to this seat.  So the same lines serve every kind of auction.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from chiamata.bots.bidding import expected, purse_of, redeal
from chiamata.bots.ending import decides, win_row
from chiamata.bots.pack import pack_of
from chiamata.bots.policy import mind
from chiamata.bots.seen import WIDTH, variant_of
from chiamata.bots.weights import WITH_PARTNER
from chiamata.bots.worth import CALLER, DEFENDER, PARTNER, row
from chiamata.racer.mind import PAYOFFS, Clue, Seen, Thought
from chiamata.rules import auction
from chiamata.rules.cards import SEATS, Card, CardSet, Seat, cards_in
from chiamata.rules.moves import Bid, Call, Move, Pass
from chiamata.rules.public import Public
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View

CALLS = 4
"""So many cards that could be called are played out: those with the best estimates, and the best own one."""
FORESIGHT = -1
"""Points by which a caller's side makes more at the table than in the playouts.

Measured: -2.2 ± 2.3 among players of the level ``friend`` (200 deals), -3.2 ± 2.5 among ``club`` (120 deals).  Less
than that is taken: with it contracts of five ``friend`` are made in about 60 % of the deals of ``classic`` already.
"""
Counts = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""By role, by solo, by outcome (racer.mind.PAYOFFS): how often."""
Rows = tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]
"""By role, by solo, by outcome: what it pays."""
ANY = -1
"""A card of any strength may be called."""


# --- what the auction tells -----------------------------------------------------------------------


@lru_cache(maxsize=4096)
def asked(rules: RuleSet, target: int) -> int:
    """The points that a hand must promise before a bidder plays for this target rather than pass."""

    def is_worth_it(mean: int) -> bool:
        caller, partner, defender = expected(rules, target, False, mean)
        return caller >= 0.25 * partner + 0.75 * defender

    most = pack_of(rules).total
    return bisect_left(range(most), True, key=is_worth_it)


def strength_called(rules: RuleSet, bid: Bid) -> int:
    """The strength of the card that goes with a bid, ANY where it is not settled."""
    return rules.strength[bid.rank] if bid.rank >= 0 and rules.call.allowed == "bid_rank" else ANY


def clues_of(public: Public) -> tuple[Clue, ...]:
    """What each seat's last bid and its pass tell of its hand."""
    rules, ladder = public.rules, auction.ladder_of(public.rules)
    clues = [Clue()] * 5
    standing: Bid | None = None
    for word in public.words:
        if isinstance(word, Bid):
            standing = word
            low, strong = float(asked(rules, ladder.target(word))), ladder.need(word)
            clues[word.seat] = Clue(low, strength_called(rules, word), strong=strong)
        elif isinstance(word, Pass) and (following := ladder.bids(word.seat, standing)):
            high = float(asked(rules, ladder.target(following[0])))
            was = clues[word.seat]
            clues[word.seat] = Clue(was.low, was.low_call, high, strength_called(rules, following[0]), was.strong)
    return tuple(clues)


# --- contracts played out -------------------------------------------------------------------------


class Trial:
    """Contracts played out from one seat's view, with so many deals each."""

    def __init__(self, view: View, seed: int, deals: int) -> None:
        self.view = view
        self.rules = view.public.rules
        self.thought = Thought(seed, worlds=deals, draws=2, swaps=0, playouts=deals)
        self.clues = clues_of(view.public)
        self._kept: dict[tuple[Seat, Card, int], Counts] = {}
        self._wins: dict[tuple[Seat, int], Rows] = {}

    def own(self, card: Card, target: int) -> float:
        """What playing with this called card pays."""
        counts = self._play(self.view.seat, card, ANY, target)
        return worth(self._rows(self.view.seat, target), counts)

    def anothers(self, caller: Seat, bid: Bid) -> float:
        """What it pays this seat if another plays that contract."""
        target = auction.ladder_of(self.rules).target(bid)
        counts = self._play(caller, -1, strength_called(self.rules, bid), target)
        return worth(self._rows(caller, target), counts)

    def _rows(self, caller: Seat, target: int) -> Rows:
        """What a contract pays this seat, or leaves it of the win where the deal may decide that."""
        if not decides(self.view, target):
            return rows_of(self.rules, target)
        if (caller, target) not in self._wins:
            seat = self.view.seat
            others = tuple(one for one in SEATS if one not in (caller, seat))
            alone = _foreseen(self.rules, win_row(self.view, target, caller, (caller,)))
            plain = [
                _foreseen(self.rules, win_row(self.view, target, caller, one)) for one in (others, (seat,), others)
            ]
            self._wins[caller, target] = tuple((row, alone) for row in plain)
        return self._wins[caller, target]

    def calls(self, cards: CardSet, target: int) -> list[tuple[float, Card]]:
        """What the most promising of these calls pay, the best first."""
        return sorted(((self.own(card, target), card) for card in self._candidates(cards)), reverse=True)

    def _candidates(self, cards: CardSet) -> list[Card]:
        purse, dealt = purse_of(self.rules, self.view.dealt), self.view.dealt
        others = sorted(cards_in(cards & ~dealt), key=lambda card: (-purse.estimate(card), card))
        own = sorted(cards_in(cards & dealt), key=lambda card: (-purse.estimate(card), card))
        return others[:CALLS] + own[:1]

    def _play(self, caller: Seat, called: Card, strength: int, target: int) -> Counts:
        key = (caller, called, strength)
        if key not in self._kept:
            seen = self._seen(caller, called, target)
            self._kept[key] = mind().contract(variant_of(self.rules), seen, self.thought, strength)
        return self._kept[key]

    def _seen(self, caller: Seat, called: Card, target: int) -> Seen:
        public = self.view.public
        first = {"caller": caller, "dealer": public.dealer}.get(self.rules.play.first_leader, (public.dealer + 1) % 5)
        cards = tuple(card for trick in public.tricks for card in trick.cards) + public.trick
        return Seen(
            dealt=self.view.dealt,
            seat=self.view.seat,
            caller=caller,
            called=called,
            target=target,
            leader=public.tricks[0].leader if public.tricks else first,
            trump=called // 10 if called >= 0 else -1,
            cards=cards,
            blind=len(cards),
            clues=self.clues,
            width=WIDTH,
            estimate=WITH_PARTNER,
        )


@lru_cache(maxsize=512)
def rows_of(rules: RuleSet, target: int) -> Rows:
    """Payoffs by role, solo and outcome."""
    rows = []
    for role in (CALLER, PARTNER, DEFENDER):
        plain, solo = (_foreseen(rules, row(rules, target, role, alone)) for alone in (False, True))
        rows.append((plain, solo))
    return tuple(rows)


def _foreseen(rules: RuleSet, pays: list[float]) -> tuple[float, ...]:
    """A row of payoffs as the table will play rather than the playouts (FORESIGHT)."""
    most = pack_of(rules).total
    moved = (pays[max(0, min(most, points + FORESIGHT))] for points in range(PAYOFFS - 2))
    return (*moved, *pays[PAYOFFS - 2 :])


def worth(rows: Rows, counts: Counts) -> float:
    """The mean payoff over what was counted."""
    total, number = 0.0, 0
    for pays, made in zip(rows, counts, strict=True):
        for one_pays, one_made in zip(pays, made, strict=True):
            for pay, count in zip(one_pays, one_made, strict=True):
                if count:
                    total += pay * count
                    number += count
    return total / max(1, number)


# --- decisions ------------------------------------------------------------------------------------


def weigh(view: View, moves: tuple[Move, ...], trial: Trial) -> list[tuple[Move, float]]:
    """What the cheapest bids pay, and what passing leaves; the bid or pass to make comes first."""
    bids = [move for move in moves if isinstance(move, Bid)]
    pass_ = next((move for move in moves if isinstance(move, Pass)), None)
    if not bids:
        return [(move, 0.0) for move in moves if move == pass_]
    weighed: list[tuple[Move, float]] = [(bid, _value(trial, bid)) for bid in bids[: 3 if pass_ is None else 2]]
    if pass_ is None:
        return sorted(weighed, key=lambda one: -one[1])
    least = _left(view, trial, bids[0])
    # Of two bids that pay more than passing the cheaper one is made: the dearer can still be bid later.
    return sorted([*weighed, (pass_, least)], key=lambda one: one[1] <= least and one[0] != pass_)


def _value(trial: Trial, bid: Bid) -> float:
    target = auction.ladder_of(trial.rules).target(bid)
    return trial.calls(auction.calls(trial.rules, bid, trial.view.dealt), target)[0][0]


def _left(view: View, trial: Trial, cheapest: Bid) -> float:
    """What passing leaves: the standing contract, another's opening, or a new deal."""
    public = view.public
    if public.standing is not None:
        return trial.anothers(public.standing.seat, public.standing)
    others = [seat for seat in range(5) if seat != view.seat and not public.passed >> seat & 1]
    if not others:
        return redeal(trial.rules, auction.ladder_of(trial.rules).target(cheapest))
    return sum(trial.anothers(seat, cheapest) for seat in others) / len(others)


def weigh_calls(view: View, moves: tuple[Move, ...], trial: Trial) -> list[tuple[Move, float]]:
    """What the most promising calls pay, the best first."""
    cards = sum(1 << move.card for move in moves if isinstance(move, Call))
    return [(Call(view.seat, card), value) for value, card in trial.calls(cards, view.public.target)]
