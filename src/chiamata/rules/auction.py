"""The auction: which bids may follow which, and why a bid is refused.

Everything here is a function of the rule set, the standing bid and (for the
few conditions that ask for it) the bidder's dealt hand.  Source: SPEC 3.2.3.
"""

from __future__ import annotations

from chiamata.rules.cards import SUIT_CARDS, SUITS, Card, CardSet, Rank, Seat, cards_in
from chiamata.rules.moves import Bid
from chiamata.rules.parts import value_at
from chiamata.rules.ruleset import RuleSet

RANK_CARDS: tuple[CardSet, ...] = tuple(sum(1 << (10 * suit + rank) for suit in range(4)) for rank in range(10))
"""The four cards of each rank."""


class Ladder:
    """All bids of one rule set, cheapest first, as they may follow a standing bid.

    Folded once per rule set (see ``ladder_of``).  It knows no hand.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.lowest: Rank = rules.auction_ranks[-1]
        self.place: dict[Rank, int] = {rank: place for place, rank in enumerate(rules.auction_ranks)}
        self._after: dict[tuple[Rank, int] | None, tuple[tuple[Rank, int], ...]] = {}
        self._bids: dict[tuple[Seat, Rank, int] | Seat, tuple[Bid, ...]] = {}
        self._needs: dict[int, int] = {}

    def after(self, standing: Bid | None) -> tuple[tuple[Rank, int], ...]:
        """The (rank, points) pairs that may be bid over ``standing``, cheapest first."""
        key = None if standing is None else (standing.rank, standing.points)
        if key not in self._after:
            self._after[key] = (
                self._points_after(key) if self.rules.auction.kind == "points" else self._ranks_after(key)
            )
        return self._after[key]

    def bids(self, seat: Seat, standing: Bid | None) -> tuple[Bid, ...]:
        """The same as Bids of this seat."""
        key = seat if standing is None else (seat, standing.rank, standing.points)
        if key not in self._bids:
            self._bids[key] = tuple(Bid(seat, rank, points) for rank, points in self.after(standing))
        return self._bids[key]

    def target(self, bid: Bid) -> int:
        """The points that the bid promises."""
        return bid.points or self.rules.contract.base_target

    def need(self, bid: Bid) -> int:
        """The suit strength that this bid asks of a hand (``bid_requirements``); 0 where it asks for none."""
        wanted = self.rules.auction.bid_requirements
        if wanted is None or bid.rank != self.lowest:
            return 0
        target = self.target(bid)
        if target not in self._needs:
            self._needs[target] = value_at(wanted, target)
        return self._needs[target]

    def cheapest(self, seat: Seat) -> Bid:
        """The bid that ``auto_min`` gives to the last player."""
        return self.bids(seat, None)[0]

    def _points_after(self, standing: tuple[Rank, int] | None) -> tuple[tuple[Rank, int], ...]:
        return tuple(
            (-1, points) for points in self._values(standing[1] if standing else None, self.rules.auction.min_points)
        )

    def _ranks_after(self, standing: tuple[Rank, int] | None) -> tuple[tuple[Rank, int], ...]:
        auction = self.rules.auction
        plain: tuple[Rank, ...] = self.rules.auction_ranks
        if standing is not None:
            plain = plain[self.place[standing[0]] + 1 :]
        elif auction.open_lowest_only:
            plain = (self.lowest,)
        on_lowest = standing is not None and standing[0] == self.lowest
        raises: tuple[int, ...] = ()
        if auction.points_after_lowest and (on_lowest or auction.direct_points_jump):
            last = standing[1] if standing is not None and on_lowest and standing[1] else None
            raises = self._values(last, auction.first_raise)
        return tuple((rank, 0) for rank in plain) + tuple((self.lowest, points) for points in raises)

    def _values(self, last: int | None, first: int) -> tuple[int, ...]:
        """The numbers that may be said after ``last`` (None: as the first one, from ``first``)."""
        auction = self.rules.auction
        top = auction.max_points
        if auction.raise_mode == "ladder":
            floor = first - 1 if last is None else last
            return tuple(rung for rung in auction.ladder or () if floor < rung <= top)
        lowest = first if last is None else last + auction.raise_step
        highest = lowest if auction.raise_mode == "exact_step" else top
        return tuple(range(lowest, min(highest, top) + 1))


def ladder_of(rules: RuleSet) -> Ladder:
    """The Ladder of a rule set, kept beside it."""
    kept: Ladder | None = rules.__dict__.get("_ladder")
    if kept is None:
        kept = rules.__dict__["_ladder"] = Ladder(rules)
    return kept


def suit_strength(rules: RuleSet, dealt: CardSet, suit: int) -> int:
    """How strong a suit is in a hand for ``bid_requirements``: its card points, and 1 for a card without any."""
    return sum(max(rules.points[card], 1) for card in cards_in(dealt & SUIT_CARDS[suit]))


def callable_cards(rules: RuleSet, bid: Bid, dealt: CardSet) -> CardSet:
    """The cards that the winner with this bid may call by rank, own cards and the 2's exception included."""
    allowed = rules.call.allowed
    if allowed == "any":
        return (1 << 40) - 1
    if allowed == "highest_missing":
        return _missing(rules.by_strength, dealt, range(4))
    if allowed == "bid_rank_or_higher":
        ranks = rules.auction_ranks[: ladder_of(rules).place[bid.rank] + 1]
        return sum(RANK_CARDS[rank] for rank in ranks)
    cards = RANK_CARDS[bid.rank]
    lowest = ladder_of(rules).lowest
    if rules.call.lowest_exception == "lowest_missing" and bid.rank == lowest:
        holding = [suit for suit in range(4) if dealt >> (10 * suit + lowest) & 1]
        cards |= _missing(rules.by_strength[::-1], dealt, holding)
    return cards


def _missing(ranks: tuple[Rank, ...], dealt: CardSet, suits: range | list[int]) -> CardSet:
    """In each suit the first of ``ranks`` that is not in the hand."""
    cards = 0
    for suit in suits:
        cards |= next(1 << (10 * suit + rank) for rank in ranks if not dealt >> (10 * suit + rank) & 1)
    return cards


def calls(rules: RuleSet, bid: Bid, dealt: CardSet) -> CardSet:
    """The cards that may be called.  Never empty: a ban that would leave nothing is lifted."""
    cards = callable_cards(rules, bid, dealt)
    need = ladder_of(rules).need(bid)
    if need:
        strong = sum(SUIT_CARDS[suit] for suit in range(len(SUITS)) if suit_strength(rules, dealt, suit) >= need)
        cards = cards & strong or cards
    if rules.call.own_card == "forbidden":
        cards = cards & ~dealt or cards
    return cards


def why_not_call(rules: RuleSet, bid: Bid, dealt: CardSet, card: Card) -> str | None:
    """The refusal code for calling this card, or None."""
    if calls(rules, bid, dealt) >> card & 1:
        return None
    if not callable_cards(rules, bid, dealt) >> card & 1:
        return _rank_refusal(rules, bid, dealt, card)
    # No rule set has both: with own cards forbidden, bids ask for no strength.
    return "OWN_CARD_FORBIDDEN" if rules.call.own_card == "forbidden" else "BID_REQUIREMENT_NOT_MET"


def _rank_refusal(rules: RuleSet, bid: Bid, dealt: CardSet, card: Card) -> str:
    if rules.call.allowed == "highest_missing":
        return "CALL_NOT_HIGHEST_MISSING"
    if rules.call.allowed == "bid_rank_or_higher":
        return "CALL_RANK_TOO_LOW"
    if rules.call.lowest_exception == "lowest_missing" and bid.rank == ladder_of(rules).lowest:
        return "CALL_EXCEPTION_NOT_AVAILABLE"
    return "CALL_RANK_MISMATCH"


def why_not_bid(rules: RuleSet, standing: Bid | None, bid: Bid) -> str | None:
    """The refusal code for this bid as far as no hand is asked, or None."""
    if (bid.rank, bid.points) in ladder_of(rules).after(standing):
        return None
    if rules.auction.kind == "points":
        return "WRONG_BID_TYPE" if bid.rank >= 0 else _points_refusal(rules, standing, bid.points)
    if bid.rank < 0:
        return "WRONG_BID_TYPE"
    if bid.rank > 9:
        return "UNKNOWN_RANK"
    return _raise_refusal(rules, standing, bid) if bid.points else _plain_refusal(rules, standing, bid)


def _points_refusal(rules: RuleSet, standing: Bid | None, points: int) -> str:
    if points > rules.auction.max_points:
        return "BID_ABOVE_MAX"
    if points < rules.auction.min_points:
        return "BID_BELOW_MIN"
    if standing is not None and points <= standing.points:
        return "BID_NOT_HIGHER"
    return "BID_OFF_LADDER" if rules.auction.raise_mode == "ladder" else "BID_STEP_NOT_ALLOWED"


def _plain_refusal(rules: RuleSet, standing: Bid | None, bid: Bid) -> str:
    ladder = ladder_of(rules)
    if standing is None:
        return "OPEN_LOWEST_ONLY"
    return "BID_NOT_HIGHER" if bid.rank == standing.rank == ladder.lowest else "BID_NOT_LOWER"


def _raise_refusal(rules: RuleSet, standing: Bid | None, bid: Bid) -> str:
    auction = rules.auction
    ladder = ladder_of(rules)
    if bid.rank != ladder.lowest:
        return "POINTS_ONLY_WITH_LOWEST"
    if not auction.points_after_lowest:
        return "NO_RAISE_IN_RULESET"
    if bid.points > auction.max_points:
        return "BID_ABOVE_MAX"
    on_lowest = standing is not None and standing.rank == ladder.lowest
    if not on_lowest and not auction.direct_points_jump:
        return "RAISE_BEFORE_LOWEST"
    if standing is not None and on_lowest and bid.points <= ladder.target(standing):
        return "BID_NOT_HIGHER"
    if auction.raise_mode == "ladder":
        return "BID_OFF_LADDER"
    if bid.points < auction.first_raise:
        return "BID_BELOW_MIN"
    return "BID_STEP_NOT_ALLOWED"


def fit_for_hand(rules: RuleSet, bids: tuple[Bid, ...], dealt: CardSet) -> tuple[Bid, ...]:
    """Those of these bids that this hand may make."""
    if rules.auction.bid_requirements is not None:
        need, best = ladder_of(rules).need, _best_suit(rules, dealt)
        bids = tuple([bid for bid in bids if need(bid) <= best])
    if rules.call.own_card == "forbidden":
        bids = tuple([bid for bid in bids if callable_cards(rules, bid, dealt) & ~dealt])
    return bids


def _best_suit(rules: RuleSet, dealt: CardSet) -> int:
    return max(suit_strength(rules, dealt, suit) for suit in range(4))


def why_not_hand(rules: RuleSet, bid: Bid, dealt: CardSet) -> str | None:
    """The refusal code for a bid that this hand may not make, or None."""
    need = ladder_of(rules).need(bid)
    if need and _best_suit(rules, dealt) < need:
        return "BID_REQUIREMENT_NOT_MET"
    if rules.call.own_card == "forbidden" and not callable_cards(rules, bid, dealt) & ~dealt:
        return "OWN_CARD_FORBIDDEN"
    return None
