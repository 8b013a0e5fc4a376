"""What everybody at the table knows of a deal, and how it goes on.  It never held a hand.

``advance`` needs no hand.  ``legal`` and ``why_not`` take the eight cards that
the seat in question was dealt, and nobody else's.  Source: SPEC 3.2 and 3.3.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from chiamata.rules import auction
from chiamata.rules.cards import SUIT_CARDS, Card, CardSet, Seat, Suit, cards_in
from chiamata.rules.errors import Bug
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass, Play, Trump, covered
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Result, Side, score

Phase: TypeAlias = Literal["claim", "auction", "call", "play", "trump", "done"]
Five: TypeAlias = tuple[int, int, int, int, int]


class Trick(msgspec.Struct, frozen=True):
    """A finished trick: ``cards`` in the order of play from the leader on."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat
    points: int


class Public(msgspec.Struct, frozen=True):
    """The public state of one deal.

    Args:
        dealer: the seat that dealt.
        multiplier: carried from earlier deals.
        turn: the seat that must act; -1 when the deal is done.
        words: every move so far as everybody saw it.
        standing: the bid to beat; after the auction the winning one.
        passed: bit ``1 << seat`` for each seat out of the auction.
        caller, target, called, trump: -1, 0, -1, -1 until known.
        partner: the seat that played the called card; the caller's own for a solo; -1 while hidden.
        trick: the cards on the table from ``leader`` on; ``-1 - rank`` for a covered one.
        played: all cards seen so far.
        points, taken: card points and tricks by seat.
    """

    rules: RuleSet
    dealer: Seat
    multiplier: int = 1
    phase: Phase = "auction"
    turn: Seat = 0
    words: tuple[Move, ...] = ()
    standing: Bid | None = None
    passed: int = 0
    caller: Seat = -1
    target: int = 0
    called: Card = -1
    trump: Suit = -1
    partner: Seat = -1
    leader: Seat = -1
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    played: CardSet = 0
    points: Five = (0, 0, 0, 0, 0)
    taken: Five = (0, 0, 0, 0, 0)
    result: Result | None = None


_change = msgspec.structs.replace


def start(rules: RuleSet, dealer: Seat, multiplier: int = 1) -> Public:
    """The public state after the cards are dealt and before anybody has spoken."""
    opener = dealer if rules.auction.opener == "dealer" else (dealer + 1) % 5
    claims_first = rules.hand_claim is not None and rules.hand_claim.when == "before_auction"
    return Public(rules, dealer, multiplier, phase="claim" if claims_first else "auction", turn=opener)


def cards_left(public: Public, seat: Seat) -> int:
    """How many cards a seat still holds."""
    on_table = public.leader >= 0 and (seat - public.leader) % 5 < len(public.trick)
    return 8 - len(public.tricks) - on_table


# --- what is allowed ------------------------------------------------------------------------------


def legal(public: Public, seat: Seat, dealt: CardSet) -> tuple[Move, ...]:
    """Every move of this seat for which ``why_not`` gives None: pass, bids, calls, cards, trumps, then a claim."""
    if seat != public.turn or seat < 0:
        return (Claim(seat),) if seat >= 0 and why_not_claim(public, seat, dealt) is None else ()
    match public.phase:
        case "play":
            return tuple([Play(seat, card) for card in cards_in(playable(public, dealt))])
        case "auction":
            return _auction_moves(public, seat, dealt)
        case "call":
            assert public.standing is not None
            return tuple([Call(seat, card) for card in cards_in(auction.calls(public.rules, public.standing, dealt))])
        case "trump":
            return tuple([Trump(seat, suit) for suit in range(4)])
        case _:
            claim = (Claim(seat),) if _may_claim(public.rules, dealt) else ()
            return claim if claim and _must_claim(public, seat, dealt) else (Pass(seat), *claim)


def playable(public: Public, dealt: CardSet) -> CardSet:
    """The cards of this hand that may be played now."""
    hand = dealt & ~public.played
    if public.trick and public.rules.play.follow_suit != "none" and public.trick[0] >= 0 and _must_follow(public):
        return hand & SUIT_CARDS[public.trick[0] // 10] or hand
    return hand


def _must_follow(public: Public) -> bool:
    play = public.rules.play
    return play.follow_suit == "always" or len(public.tricks) >= 8 - (play.follow_last_n or 0)


def _auction_moves(public: Public, seat: Seat, dealt: CardSet) -> tuple[Move, ...]:
    rules = public.rules
    claim: tuple[Move, ...] = (Claim(seat),) if why_not_claim(public, seat, dealt) is None else ()
    if claim and _must_claim(public, seat, dealt):
        return claim
    bids = auction.ladder_of(rules).bids(seat, public.standing)
    if _is_lone(public):
        bids = tuple([bid for bid in bids if _lone_refusal(public, bid) is None])
    bids = auction.fit_for_hand(rules, bids, dealt)
    if bids and _is_forced(public):
        return bids + claim
    return (Pass(seat), *bids, *claim)


def why_not(public: Public, seat: Seat, dealt: CardSet, move: Move) -> str | None:
    """The refusal code for this move by this seat, or None if it is legal.

    Tests go in the order phase, passed, turn, type, content.
    """
    match move:
        case Play():
            return _why_not_play(public, seat, dealt, move.card)
        case Bid() | Pass():
            return _why_not_speak(public, seat, dealt, move)
        case Call():
            return _why_not_call(public, seat, dealt, move.card)
        case Claim():
            return why_not_claim(public, seat, dealt)
        case _:
            if public.phase != "trump":
                return "WRONG_PHASE"
            return None if seat == public.turn else "NOT_YOUR_TURN"


def _why_not_play(public: Public, seat: Seat, dealt: CardSet, card: Card) -> str | None:
    if public.phase != "play":
        return "WRONG_PHASE"
    if seat != public.turn:
        return "NOT_YOUR_TURN"
    if card < 0 or not dealt & ~public.played & (1 << card):
        return "CARD_NOT_IN_HAND"
    return None if playable(public, dealt) >> card & 1 else "MUST_FOLLOW_SUIT"


def _why_not_call(public: Public, seat: Seat, dealt: CardSet, card: Card) -> str | None:
    if public.phase != "call":
        return "WRONG_PHASE"
    if seat != public.caller:
        return "NOT_CALLER"
    assert public.standing is not None
    return auction.why_not_call(public.rules, public.standing, dealt, card)


def _why_not_speak(public: Public, seat: Seat, dealt: CardSet, move: Bid | Pass) -> str | None:
    if public.phase == "claim":
        return _why_not_in_claims(public, seat, dealt, move)
    if public.phase != "auction":
        return "AUCTION_OVER"
    if public.passed >> seat & 1:
        return "ALREADY_PASSED"
    if seat != public.turn:
        return "NOT_YOUR_TURN"
    if isinstance(move, Bid):
        code = auction.why_not_bid(public.rules, public.standing, move) or _lone_refusal(public, move)
        code = code or auction.why_not_hand(public.rules, move, dealt)
        return code or ("MUST_CLAIM" if _must_claim(public, seat, dealt) else None)
    if _must_claim(public, seat, dealt):
        return "MUST_CLAIM"
    return "MUST_BID" if _is_forced(public) and move not in _auction_moves(public, seat, dealt) else None


def _why_not_in_claims(public: Public, seat: Seat, dealt: CardSet, move: Bid | Pass) -> str | None:
    if isinstance(move, Bid):
        return "WRONG_PHASE"
    if seat != public.turn:
        return "NOT_YOUR_TURN"
    return "MUST_CLAIM" if _must_claim(public, seat, dealt) else None


def _is_lone(public: Public) -> bool:
    """Nobody has bid and four have passed."""
    return public.standing is None and public.passed.bit_count() == 4


def _is_forced(public: Public) -> bool:
    return public.rules.auction.last_bidder == "forced" and _is_lone(public)


def _lone_refusal(public: Public, bid: Bid) -> str | None:
    least = public.rules.auction.lone_bidder_min
    if least is not None and _is_lone(public) and auction.ladder_of(public.rules).target(bid) < least:
        return "BID_BELOW_LONE_MIN"
    return None


# --- throwing a hand in ---------------------------------------------------------------------------


def why_not_claim(public: Public, seat: Seat, dealt: CardSet) -> str | None:
    """The refusal code for throwing this dealt hand in now, or None."""
    claim = public.rules.hand_claim
    if claim is None:
        return "HAND_CLAIM_NOT_IN_RULESET"
    if public.phase not in ("claim", "auction") or (claim.when == "before_auction" and public.phase != "claim"):
        return "HAND_CLAIM_TOO_LATE"
    if claim.when == "own_turn" and any(word.seat == seat for word in public.words):
        return "HAND_CLAIM_TOO_LATE"
    if claim.when != "auction_any_time" and seat != public.turn:
        return "NOT_YOUR_TURN"
    return None if _may_claim(public.rules, dealt) else "HAND_CLAIM_NOT_ALLOWED"


def _may_claim(rules: RuleSet, dealt: CardSet) -> bool:
    claim = rules.hand_claim
    assert claim is not None
    if sum(rules.points[card] for card in cards_in(dealt)) <= claim.max_points:
        return dealt != 0
    four_lowest = auction.RANK_CARDS[rules.by_strength[-1]]
    return claim.four_lowest and dealt & four_lowest == four_lowest


def _must_claim(public: Public, seat: Seat, dealt: CardSet) -> bool:
    claim = public.rules.hand_claim
    return claim is not None and claim.mandatory and why_not_claim(public, seat, dealt) is None


# --- what follows ---------------------------------------------------------------------------------


def advance(public: Public, move: Move) -> Public:
    """The public state after this (legal, published) move."""
    words = (*public.words, move)
    match move:
        case Play():
            return _after_play(public, move, words)
        case Bid():
            return _after_bid(public, move, words)
        case Pass():
            return _after_pass(public, move, words)
        case Call():
            return _after_call(public, move, words)
        case Trump():
            return _change(public, words=words, trump=move.suit, phase="play", turn=public.leader)
        case _:
            claim = public.rules.hand_claim
            assert claim is not None
            return _redeal(public, "claim", words, claim.multiplier, claim.same_dealer)


def _redeal(
    public: Public, kind: Literal["all_pass", "claim"], words: tuple[Move, ...], factor: int, same: bool
) -> Public:
    result = Result(
        kind=kind,
        multiplier=public.multiplier,
        next_multiplier=public.multiplier * factor,
        next_dealer=public.dealer if same else (public.dealer + 1) % 5,
    )
    return _change(public, words=words, phase="done", turn=-1, result=result)


def _after_bid(public: Public, bid: Bid, words: tuple[Move, ...]) -> Public:
    passed = public.passed if public.rules.auction.pass_is_final else 0
    public = _change(public, words=words, standing=bid, passed=passed)
    if passed | 1 << bid.seat == 31 or not auction.ladder_of(public.rules).after(bid):
        return _auction_won(public, bid)
    return _change(public, turn=_next_speaker(passed, bid.seat))


def _after_pass(public: Public, move: Pass, words: tuple[Move, ...]) -> Public:
    if public.phase == "claim":
        opener, last = words[0].seat, len(words) == 5
        return _change(
            public, words=words, phase="auction" if last else "claim", turn=opener if last else (move.seat + 1) % 5
        )
    passed = public.passed | 1 << move.seat
    public = _change(public, words=words, passed=passed)
    standing = public.standing
    if standing is not None and passed | 1 << standing.seat == 31:
        return _auction_won(public, standing)
    rules = public.rules
    if passed == 31:
        return _redeal(
            public, "all_pass", words, rules.auction.all_pass_multiplier, rules.auction.all_pass != "redeal_next_dealer"
        )
    speaker = _next_speaker(passed, move.seat)
    if standing is None and passed.bit_count() == 4 and rules.auction.last_bidder == "auto_min":
        cheapest = auction.ladder_of(rules).cheapest(speaker)
        return _auction_won(_change(public, standing=cheapest), cheapest)
    return _change(public, turn=speaker)


def _next_speaker(passed: int, seat: Seat) -> Seat:
    seat = (seat + 1) % 5
    while passed >> seat & 1:
        seat = (seat + 1) % 5
    return seat


def _auction_won(public: Public, bid: Bid) -> Public:
    rules = public.rules
    leader = (public.dealer + 1) % 5
    if rules.play.first_leader != "forehand":
        leader = bid.seat if rules.play.first_leader == "caller" else public.dealer
    blind = rules.call.timing != "before_first_trick"
    return _change(
        public,
        phase="play" if blind else "call",
        turn=leader if blind else bid.seat,
        caller=bid.seat,
        target=auction.ladder_of(rules).target(bid),
        leader=leader,
    )


def _after_call(public: Public, call: Call, words: tuple[Move, ...]) -> Public:
    shown = iter(call.shown)
    trick = tuple([card if card >= 0 else next(shown) for card in public.trick])
    played = public.played
    for card in call.shown:
        played |= 1 << card
    public = _change(
        public,
        words=words,
        called=call.card,
        trump=call.card // 10,
        partner=_who_played(public, trick, call.card),
        played=played,
        trick=trick,
        phase="play",
        turn=public.leader,
    )
    return _close_trick(public) if trick else _lead_on(public, public.partner >= 0)


def _who_played(public: Public, trick: tuple[Card, ...], called: Card) -> Seat:
    """Who has played this card already (a blind first trick only); -1 if nobody has."""
    for leader, cards in [(done.leader, done.cards) for done in public.tricks] + [(public.leader, trick)]:
        if called in cards:
            return (leader + cards.index(called)) % 5
    return -1


def _after_play(public: Public, play: Play, words: tuple[Move, ...]) -> Public:
    card = play.card
    trick = (*public.trick, card)
    played = public.played | 1 << card if card >= 0 else public.played
    partner = play.seat if card == public.called else public.partner
    if len(trick) < 5:
        return _change(public, words=words, trick=trick, played=played, partner=partner, turn=(play.seat + 1) % 5)
    public = _change(public, words=words, trick=trick, played=played, partner=partner)
    if public.called < 0 and public.rules.call.timing == "suit_after_first_trick_cards":
        return _change(public, phase="call", turn=public.caller)
    return _close_trick(public)


def hides(public: Public, card: Card) -> bool:
    """Whether this card would now lie covered, with only its rank to be seen (SPEC ``call.cover_called_rank``)."""
    call = public.rules.call
    return (
        call.timing == "suit_after_first_trick_cards"
        and call.cover_called_rank
        and public.called < 0
        and public.standing is not None
        and public.standing.rank == card % 10
    )


def as_seen(public: Public, play: Play) -> Play:
    """The play as everybody sees it."""
    return Play(play.seat, covered(play.card % 10)) if hides(public, play.card) else play


def trick_winner(rules: RuleSet, leader: Seat, cards: tuple[Card, ...], trump: Suit) -> Seat:
    """Who takes these five cards: the highest trump, else the highest card of the suit led."""
    strength = rules.strength
    suit = trump if any(card // 10 == trump for card in cards) else cards[0] // 10
    best = max([card for card in cards if card // 10 == suit], key=strength.__getitem__)
    return (leader + cards.index(best)) % 5


def _close_trick(public: Public) -> Public:
    rules, trick = public.rules, public.trick
    winner = trick_winner(rules, public.leader, trick, public.trump)
    worth = sum([rules.points[card] for card in trick])
    points, taken = list(public.points), list(public.taken)
    points[winner] += worth
    taken[winner] += 1
    public = _change(
        public,
        trick=(),
        tricks=(*public.tricks, Trick(public.leader, trick, winner, worth)),
        points=tuple(points),
        taken=tuple(taken),
        leader=winner,
        turn=winner,
    )
    if public.called < 0:
        return _change(public, phase="call", turn=public.caller)
    return _lead_on(public, public.called in trick)


def _lead_on(public: Public, revealed: bool) -> Public:
    """After a trick: the end, the trump named anew, or the next lead."""
    if len(public.tricks) == 8:
        return _finish(public)
    if revealed and public.rules.play.trump_change == "on_reveal":
        return _change(public, phase="trump", turn=public.partner)
    return _change(public, phase="play", turn=public.leader)


def _finish(public: Public) -> Public:
    caller, partner = public.caller, public.partner
    if partner < 0:
        raise Bug("eight tricks without the called card")
    allies = {caller, partner}
    side = Side(
        caller,
        partner,
        public.target,
        sum(public.points[seat] for seat in allies),
        sum(public.taken[seat] for seat in allies),
    )
    return _change(public, phase="done", turn=-1, result=score(public.rules, side, public.multiplier, public.dealer))
