"""The parts of a rule set: one frozen struct a section, with the default of every option.

The field names are the keys of the configuration (``auction.kind``,
``scoring.win.caller``); their annotations are the types and the values allowed,
and ``ruleset_check`` reads them from here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from chiamata.rules.cards import ITALIAN_RANKS

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Thresholds in rising order, each with a value: ``((61, 1), (71, 2))``."""


def value_at(pairs: Pairs, number: int) -> int:
    """The value of the last threshold not above this number; 0 below the first."""
    value = 0
    for start, worth in pairs:
        if start <= number:
            value = worth
    return value


ITALIAN_POINTS = (11, 10, 4, 3, 2, 0, 0, 0, 0, 0)


class Deck(msgspec.Struct, frozen=True):
    """Ten ranks in each of four suits."""

    ranks: tuple[str, ...] = ITALIAN_RANKS
    """The ten rank symbols; a Rank is an index into these."""
    card_points: tuple[int, ...] = ITALIAN_POINTS
    """Card points by rank index; in a mapping ``{rank: points}``."""
    trick_order: tuple[str, ...] = ITALIAN_RANKS
    """Strongest first; by default the order of ``ranks``."""
    auction_order: tuple[str, ...] = ITALIAN_RANKS
    """Cheapest bid first; by default the order of ``ranks``."""


class Dealing(msgspec.Struct, frozen=True):
    packets: tuple[int, ...] = (4, 4)
    """How many cards at a time; they sum to eight."""
    dealer_rotation: Literal["next", "same"] = "next"


class Auction(msgspec.Struct, frozen=True):
    opener: Literal["forehand", "dealer"] = "forehand"
    kind: Literal["rank", "points"] = "rank"
    open_lowest_only: bool = False
    """The first bid must be the lowest rank ("subito al due")."""
    pass_is_final: bool = True
    points_after_lowest: bool = True
    """Once the lowest rank is bid it may be raised in points."""
    direct_points_jump: bool = False
    """The lowest rank with points may be bid at any time."""
    first_raise: int = 62
    """The smallest first raise over the base target."""
    raise_mode: Literal["min_step", "exact_step", "ladder"] = "min_step"
    raise_step: int = 1
    ladder: tuple[int, ...] | None = None
    min_points: int = 61
    max_points: int = 120
    """The points in the pack: the end of the auction in points, and of raises."""
    last_bidder: Literal["free", "forced", "auto_min"] = "free"
    """The fifth player when four have passed and nobody has bid."""
    all_pass: Literal["redeal_same_dealer", "redeal_next_dealer", "impossible"] = "redeal_same_dealer"
    all_pass_multiplier: int = 1
    """Factor on the next scored deal; it accumulates."""
    lone_bidder_min: int | None = None
    """The fifth player, when four have passed, may bid at this much and above only."""
    bid_requirements: Pairs | None = None
    """From so many points, the best suit must be so strong (A 11, 3 10, K 4, Q 3, J 2, others 1)."""


class Calling(msgspec.Struct, frozen=True):
    allowed: Literal["bid_rank", "bid_rank_or_higher", "any", "highest_missing"] = "bid_rank"
    own_card: Literal["allowed", "forbidden"] = "allowed"
    """Calling one's own card is playing alone."""
    lowest_exception: Literal["none", "lowest_missing"] = "none"
    """The holder of the lowest trump may call the lowest trump he lacks instead."""
    timing: Literal["before_first_trick", "suit_after_first_trick_cards", "after_first_trick"] = "before_first_trick"
    cover_called_rank: bool = True
    """With ``suit_after_first_trick_cards``: a card of the called rank shows its rank only until the suit is named."""


class Playing(msgspec.Struct, frozen=True):
    first_leader: Literal["forehand", "caller", "dealer"] = "forehand"
    follow_suit: Literal["none", "always", "last_n"] = "none"
    follow_last_n: int | None = None
    """With ``last_n``: in the last so many tricks, 1 to 8."""
    trump_change: Literal["none", "on_reveal"] = "none"
    """``on_reveal``: whoever plays the called card names the trump for the tricks that follow."""


class Contract(msgspec.Struct, frozen=True):
    base_target: int = 61
    """The target of a rank auction without a raise."""
    tie_60: Literal["defenders", "caller", "draw"] = "defenders"
    """Who has won when the caller's side has exactly 60 of a base target of 61."""


class Roles(msgspec.Struct, frozen=True):
    """Units for each seat of a role, before all factors."""

    caller: int
    partner: int
    defender: int


class SoloRoles(msgspec.Struct, frozen=True):
    """The same where the caller plays alone against four."""

    caller: int
    defender: int


class Capot(msgspec.Struct, frozen=True):
    """The cappotto: everything won, or everything lost."""

    basis: Literal["tricks", "points"] = "tricks"
    """All eight tricks, or all 120 points."""
    side: Literal["either", "caller", "defenders"] = "either"
    op: Literal["multiply", "add_units", "replace_unit"] = "multiply"
    value: int = 2


class Scoring(msgspec.Struct, frozen=True):
    kind: Literal["roles", "gingo"] = "roles"
    win: Roles = Roles(2, 1, -1)
    loss: Roles = Roles(-2, -1, 1)
    solo_win: SoloRoles = SoloRoles(4, -1)
    solo_loss: SoloRoles = SoloRoles(-4, 1)
    unit_by_target: Pairs = ((61, 1),)
    """The unit of the last threshold not above the target."""
    margin_bonus: Pairs | None = None
    """Extra units by points made, when the contract is made."""
    capot: Capot | None = Capot()
    draw_multiplier: int = 1
    """Factor on the next scored deal after a draw."""
    require_zero_sum: bool = False
    """Refuse the rule set unless the payoffs of a deal sum to zero."""


class HandClaim(msgspec.Struct, frozen=True):
    """A worthless hand may be thrown in (a monte)."""

    max_points: int = 0
    """Hands with at most so many card points, 0 to 10."""
    four_lowest: bool = False
    """Hands with all four cards of the lowest rank."""
    when: Literal["auction_any_time", "own_turn", "before_auction"] = "auction_any_time"
    mandatory: bool = False
    same_dealer: bool = True
    multiplier: int = 1
    """Factor on the next scored deal."""


class Session(msgspec.Struct, frozen=True):
    """When a game ends."""

    kind: Literal["deals", "points", "time", "open"] = "deals"
    deals: int | None = 10
    """Scored deals; redeals do not count."""
    allowed: tuple[int, ...] | None = None
    """The numbers of deals that the host may choose among; None for any."""
    target: int | None = None
    minutes: int | None = None
    """The running deal is finished."""
    tie: Literal["shared", "play_on", "tiebreak"] = "shared"
    tiebreaks: tuple[Literal["deals_won", "calls_made", "peak_score", "countback"], ...] = ()
    sitters: int = 0
    """People at the table beyond five, 0 to 4: so many sit each deal out."""


class Conduct(msgspec.Struct, frozen=True):
    chat: Literal["off", "canned", "free"] = "canned"
    """Between the call and the last trick."""


class Parts(msgspec.Struct, frozen=True):
    """All options, read but not yet known to fit together (``RuleSet`` is what is checked)."""

    id: str = "custom"
    title: str = ""
    source: str = ""
    version: int = 1
    direction: Literal["ccw", "cw"] = "ccw"
    """Which way the play goes round the table as drawn; seats count up in either."""
    deck: Deck = Deck()
    deal: Dealing = Dealing()
    auction: Auction = Auction()
    call: Calling = Calling()
    play: Playing = Playing()
    contract: Contract = Contract()
    scoring: Scoring = Scoring()
    hand_claim: HandClaim | None = None
    session: Session = Session()
    conduct: Conduct = Conduct()
