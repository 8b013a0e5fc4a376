"""What to bid, what to call, and when to throw a hand in: by expected payoff.

The hand's estimate in points (``hand.expected_points``) and its spread give
the likelihood of every total; the rule set's own scoring turns totals into
payoffs; and winning the contract is compared with leaving it to somebody
else, who is taken to be a player of the same sort.  So the same few lines bid
in ranks and in points, and more boldly where a failure costs little.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise
from math import erf, sqrt

from chiamata.bots.hand import expected_points
from chiamata.bots.pack import pack_of
from chiamata.bots.weights import SPREAD
from chiamata.rules import auction
from chiamata.rules.cards import Card, CardSet, Seat, Suit, cards_in
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass
from chiamata.rules.public import trick_winner
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, score
from chiamata.rules.view import View

SURPLUS = 7
"""By how many points the hand of somebody who outbids us is better than one just good enough."""
SHOWN_CALL = 6.0
"""What a called card that has already been played is worth less to its side than one to come, in points."""


# --- payoffs --------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def stakes(rules: RuleSet, target: int, solo: bool) -> tuple[tuple[int, int, int], ...]:
    """For each total of the caller's side the payoff of caller, partner and a defender.

    Totals of 0 and of all points stand for a cappotto by tricks too.
    """
    most = pack_of(rules).total
    table = []
    for made in range(most + 1):
        tricks = 8 if made == most else 0 if made == 0 else 4
        payoff = score(rules, Side(0, 0 if solo else 1, target, made, tricks), 1, 0).payoff
        table.append((payoff[0], payoff[1], payoff[2]))
    return tuple(table)


@lru_cache(maxsize=512)
def likelihood(most: int, solo: bool, mean: int) -> tuple[float, ...]:
    """The probability of each total from 0 to ``most``: a bell round the mean with the ends gathered in."""
    width = SPREAD[solo] * most / 120 * sqrt(2)
    below = [(1 + erf((total + 0.5 - mean) / width)) / 2 for total in range(most)]
    edges = [0.0, *below, 1.0]
    return tuple(high - low for low, high in pairwise(edges))


@lru_cache(maxsize=65536)
def expected(rules: RuleSet, target: int, solo: bool, mean: int) -> tuple[float, float, float]:
    """The expected payoff of caller, partner and a defender when the side makes ``mean`` points on average."""
    table = stakes(rules, target, solo)
    caller = partner = defender = 0.0
    for chance, (one, two, three) in zip(likelihood(len(table) - 1, solo, mean), table, strict=True):
        caller += chance * one
        partner += chance * two
        defender += chance * three
    return caller, partner, defender


@lru_cache(maxsize=4096)
def others_contract(rules: RuleSet, target: int) -> tuple[float, float, float]:
    """The payoffs to expect when somebody else, as good a bidder, plays for this target."""
    most = pack_of(rules).total
    enough = bisect_left(range(most), True, key=lambda mean: _worth_it(rules, target, mean))
    return expected(rules, target, False, min(most, enough + SURPLUS))


def _worth_it(rules: RuleSet, target: int, mean: int) -> bool:
    caller, partner, defender = expected(rules, target, False, mean)
    return caller >= 0.25 * partner + 0.75 * defender


def passing(rules: RuleSet, target: int) -> float:
    """The value of somebody else's contract to a seat that may turn out partner (one in four) or defender."""
    _, partner, defender = others_contract(rules, target)
    return 0.25 * partner + 0.75 * defender


def redeal(rules: RuleSet, target: int) -> float:
    """The value of a new deal: what a seat gets on average."""
    caller, partner, defender = others_contract(rules, target)
    return (caller + partner + 3 * defender) / 5


# --- bids -----------------------------------------------------------------------------------------


class Purse:
    """What every contract is worth with one dealt hand."""

    def __init__(self, rules: RuleSet, dealt: CardSet) -> None:
        self.rules = rules
        self.dealt = dealt
        self._estimates: dict[Card, int] = {}
        self._best: dict[CardSet, tuple[int, int]] = {}

    def estimate(self, card: Card) -> int:
        """Points to expect with this card called, as a whole number."""
        if card not in self._estimates:
            solo = bool(self.dealt >> card & 1)
            self._estimates[card] = _whole(self.rules, expected_points(pack_of(self.rules), self.dealt, card, solo))
        return self._estimates[card]

    def call_for(self, bid: Bid) -> tuple[float, Card]:
        """The best call that this bid allows, and its expected payoff."""
        cards = auction.calls(self.rules, bid, self.dealt)
        if cards not in self._best:
            self._best[cards] = (
                max(cards_in(cards & ~self.dealt), key=self.estimate, default=-1),
                max(cards_in(cards & self.dealt), key=self.estimate, default=-1),
            )
        target = auction.ladder_of(self.rules).target(bid)
        return max((self.worth(card, target), card) for card in self._best[cards] if card >= 0)

    def worth(self, card: Card, target: int) -> float:
        """The caller's expected payoff with this card called."""
        return expected(self.rules, target, bool(self.dealt >> card & 1), self.estimate(card))[0]


@lru_cache(maxsize=1024)
def purse_of(rules: RuleSet, dealt: CardSet) -> Purse:
    """The Purse of a hand, kept while its auction may last: it follows from the two alone."""
    return Purse(rules, dealt)


def _whole(rules: RuleSet, points: float) -> int:
    return max(0, min(pack_of(rules).total, round(points)))


def speak(view: View, moves: tuple[Move, ...]) -> Move:
    """The bid, pass or claim of a seat whose turn it is in the auction or the round of claims."""
    bids = [move for move in moves if isinstance(move, Bid)]
    pass_ = next((move for move in moves if isinstance(move, Pass)), None)
    claim = next((move for move in moves if isinstance(move, Claim)), None)
    purse = purse_of(view.public.rules, view.dealt)
    rules, standing = view.public.rules, view.public.standing
    if claim is not None and ((pass_ is None and not bids) or _is_poor(purse, view.seat)):
        return claim
    if pass_ is None:
        return max(bids, key=lambda bid: purse.call_for(bid)[0])
    if not bids:
        return pass_
    ladder = auction.ladder_of(rules)
    target = ladder.target(standing or ladder.cheapest(view.seat))
    alone = standing is None and view.public.passed.bit_count() == 4
    least = redeal(rules, target) if alone else passing(rules, target)
    return next((bid for bid in bids if purse.call_for(bid)[0] >= least), pass_)


def _is_poor(purse: Purse, seat: Seat) -> bool:
    """Whether a new deal is better than the contract that others will leave: the dearest at the base target."""
    rules = purse.rules
    ladder = auction.ladder_of(rules)
    openings = [bid for bid in ladder.bids(seat, None) if auction.why_not_hand(rules, bid, purse.dealt) is None]
    base = ladder.target(ladder.cheapest(seat))
    likely = [bid for bid in openings if ladder.target(bid) == base]
    return not likely or purse.call_for(likely[-1])[0] < redeal(rules, base)


# --- calls ----------------------------------------------------------------------------------------


def planned_suit(view: View) -> Suit:
    """The suit that the caller means to name after a blind first trick."""
    bid = view.public.standing
    assert bid is not None
    return purse_of(view.public.rules, view.dealt).call_for(bid)[1] // 10


def choose_call(view: View, moves: tuple[Move, ...]) -> Move:
    """The call with the best expected payoff."""
    target = view.public.target
    rules = view.public.rules

    def worth(card: Card) -> tuple[float, float]:
        points = _points_with(view, card)
        return expected(rules, target, bool(view.dealt >> card & 1), _whole(rules, points))[0], points

    return max([move for move in moves if isinstance(move, Call)], key=lambda call: worth(call.card))


def _points_with(view: View, card: Card) -> float:
    """Points to expect with this call; after a blind first trick, from what lies there and the cards left."""
    public = view.public
    pack = pack_of(public.rules)
    points = expected_points(pack, view.hand, card, bool(view.dealt >> card & 1))
    done = sum(public.points)
    ours = public.points[view.seat] + (done - public.points[view.seat]) / 4
    if public.trick:
        seen = tuple([shown if shown >= 0 else _guess(shown, card) for shown in public.trick])
        lying = sum(pack.points[shown] for shown in seen)
        winner = trick_winner(public.rules, public.leader, seen, card // 10)
        ours += lying if winner == view.seat else lying / 4
        done += lying
    if public.played >> card & 1:
        points -= SHOWN_CALL
    return ours + points * (pack.total - done) / pack.total


def _guess(shown: int, called: Card) -> Card:
    """A covered card, taken to be of another suit than the one to be called (three times in four it is)."""
    return (called // 10 + 1) % 4 * 10 + (-1 - shown)
