"""A second referee, written from the specification alone: small, slow and plain.

It knows a rule set as the mapping of its options, cards as texts ("3H") and what is said as texts
("K", "2@65", "75", "pass", "claim", "call 3H", "3H", "trump S").  It finds what is legal by trying
everything that could be said.  It shares no code with ``chiamata.rules``: where the two agree on
random deals of random rule sets, a mistake would have to have been made twice.
"""

from __future__ import annotations

from typing import Any

SUITS = "CHDS"


class Referee:
    """One deal.  ``hands`` are five lists of card texts."""

    def __init__(self, rules: dict[str, Any], dealer: int, hands: list[list[str]], multiplier: int) -> None:
        self.rules = rules
        self.dealer = dealer
        self.dealt = [list(hand) for hand in hands]
        self.hands = [list(hand) for hand in hands]
        self.multiplier = multiplier
        self.forehand = (dealer + 1) % 5
        self.opener = dealer if rules["auction"]["opener"] == "dealer" else self.forehand
        claim = rules["hand_claim"]
        self.phase = "claim" if claim and claim["when"] == "before_auction" else "auction"
        self.turn = self.opener
        self.said: list[tuple[int, str]] = []
        self.standing: tuple[int, str] | None = None
        self.active = [0, 1, 2, 3, 4]
        self.caller = -1
        self.called = ""
        self.trump = ""
        self.table: list[tuple[int, str]] = []
        self.tricks: list[list[tuple[int, str]]] = []
        self.winners: list[int] = []
        self.ended = ""
        self.payoff = [0, 0, 0, 0, 0]
        self.next_multiplier = 1
        self.next_dealer = dealer

    # --- what may be said -------------------------------------------------------------------------

    def everything(self) -> list[str]:
        """Whatever anybody could say in any deal of this rule set."""
        ranks = self.rules["deck"]["ranks"]
        cards = [rank + suit for rank in ranks for suit in SUITS]
        lowest = self.lowest()
        bids = ranks if self.rules["auction"]["kind"] == "rank" else []
        numbers = range(1, self.rules["auction"]["max_points"] + 5)
        raises = [f"{lowest}@{number}" for number in numbers] if bids else [str(number) for number in numbers]
        calls = [f"call {card}" for card in cards]
        return ["pass", "claim", *bids, *raises, *calls, *cards, *(f"trump {suit}" for suit in SUITS)]

    def legal(self, seat: int) -> set[str]:
        return {text for text in self.everything() if self.may(seat, text)}

    def may(self, seat: int, text: str) -> bool:
        if text == "claim":
            return self.may_claim(seat)
        if seat != self.turn:
            return False
        if self.phase in ("claim", "auction") and self.rules["hand_claim"] and self.must_claim(seat):
            return False
        if self.phase == "claim":
            return text == "pass"
        if self.phase == "auction":
            return self.may_pass(seat) if text == "pass" else self.may_bid(seat, text)
        if self.phase == "call":
            return text.startswith("call ") and self.may_call(seat, text[5:])
        if self.phase == "trump":
            return text.startswith("trump ")
        return self.phase == "play" and self.may_play(seat, text)

    def may_claim(self, seat: int) -> bool:
        claim = self.rules["hand_claim"]
        if not claim or self.phase not in ("claim", "auction"):
            return False
        if claim["when"] == "before_auction" and (self.phase != "claim" or seat != self.turn):
            return False
        if claim["when"] == "own_turn" and (seat != self.turn or any(who == seat for who, _ in self.said)):
            return False
        hand = self.dealt[seat]
        lowest = self.rules["deck"]["trick_order"][9]
        all_four = all(lowest + suit in hand for suit in SUITS)
        return self.points_of(hand) <= claim["max_points"] or (claim["four_lowest"] and all_four)

    def must_claim(self, seat: int) -> bool:
        return bool(self.rules["hand_claim"]["mandatory"]) and self.may_claim(seat)

    def is_lone(self) -> bool:
        return self.standing is None and len(self.active) == 1

    def may_pass(self, seat: int) -> bool:
        if self.rules["auction"]["last_bidder"] != "forced" or not self.is_lone():
            return True
        return not any(self.may_bid(seat, text) for text in self.everything())

    def may_bid(self, seat: int, text: str) -> bool:
        if not self.follows(text):
            return False
        target = self.target_of(text)
        least = self.rules["auction"]["lone_bidder_min"]
        if least is not None and self.is_lone() and target < least:
            return False
        if "@" in text and max(self.strength_of(seat, suit) for suit in SUITS) < self.strength_needed(text):
            return False
        if self.rules["call"]["own_card"] == "forbidden":
            ranks = self.rules["deck"]["ranks"]
            foreign = [rank + suit for rank in ranks for suit in SUITS if rank + suit not in self.dealt[seat]]
            return any(self.is_callable(seat, text, card) for card in foreign)
        return True

    def follows(self, text: str) -> bool:
        """Whether this bid may follow the standing one, whatever the hand."""
        auction = self.rules["auction"]
        standing = self.standing[1] if self.standing else ""
        if auction["kind"] == "points":
            return text.isdigit() and self.is_step(int(text), int(standing or 0), auction["min_points"])
        order = self.rules["deck"]["auction_order"]
        rank, _, points = text.partition("@")
        if rank not in order:
            return False
        stood, _, points_stood = standing.partition("@")
        if not points:
            if not standing:
                return rank == order[9] or not auction["open_lowest_only"]
            return bool(order.index(rank) > order.index(stood))
        if rank != order[9] or not auction["points_after_lowest"]:
            return False
        if stood != order[9] and not auction["direct_points_jump"]:
            return False
        last = int(points_stood) if stood == order[9] and points_stood else 0
        return self.is_step(int(points), last, auction["first_raise"])

    def is_step(self, number: int, last: int, first: int) -> bool:
        """Whether a number may follow the last one (0: it is the first, and at least ``first``)."""
        auction = self.rules["auction"]
        if number > auction["max_points"]:
            return False
        if auction["raise_mode"] == "ladder":
            return number in auction["ladder"] and (number > last if last else number >= first)
        least = last + auction["raise_step"] if last else first
        return bool(number == least if auction["raise_mode"] == "exact_step" else number >= least)

    def target_of(self, text: str) -> int:
        points = text.partition("@")[2]
        if self.rules["auction"]["kind"] == "points":
            points = text
        return int(points or self.rules["contract"]["base_target"])

    def lowest(self) -> str:
        return str(self.rules["deck"]["auction_order"][9])

    def strength_of(self, seat: int, suit: str) -> int:
        points = self.rules["deck"]["card_points"]
        return sum(points[card[:-1]] or 1 for card in self.dealt[seat] if card[-1] == suit)

    def strength_needed(self, bid: str) -> int:
        wanted = self.rules["auction"]["bid_requirements"] or []
        if bid.partition("@")[0] != self.lowest():
            return 0
        reached = [strength for start, strength in wanted if start <= self.target_of(bid)]
        return int(reached[-1]) if reached else 0

    def is_callable(self, seat: int, bid: str, card: str) -> bool:
        """Whether the winner with this bid may call this card as far as its rank goes."""
        rank, suit = card[:-1], card[-1]
        hand = self.dealt[seat]
        strongest_first = self.rules["deck"]["trick_order"]
        missing = [one for one in strongest_first if one + suit not in hand]
        order = self.rules["deck"]["auction_order"]
        called = bid.partition("@")[0]
        match self.rules["call"]["allowed"]:
            case "any":
                return True
            case "highest_missing":
                return bool(rank == missing[0])
            case "bid_rank_or_higher":
                return bool(order.index(rank) <= order.index(called))
        if rank == called:
            return True
        exception = self.rules["call"]["lowest_exception"] == "lowest_missing"
        return exception and called == order[9] and order[9] + suit in hand and rank == missing[-1]

    def may_call(self, seat: int, card: str) -> bool:
        """Also: the suit is strong enough, and the card is not the caller's own; a ban on everything bans nothing."""
        assert self.standing is not None
        bid = self.standing[1]
        ranks = self.rules["deck"]["ranks"]
        can = [rank + suit for rank in ranks for suit in SUITS if self.is_callable(seat, bid, rank + suit)]
        strong = [one for one in can if self.strength_of(seat, one[-1]) >= self.strength_needed(bid)]
        can = strong or can
        if self.rules["call"]["own_card"] == "forbidden":
            can = [one for one in can if one not in self.dealt[seat]] or can
        return card in can

    def may_play(self, seat: int, card: str) -> bool:
        hand = self.hands[seat]
        if card not in hand:
            return False
        play = self.rules["play"]
        trick = len(self.tricks) + 1
        first_bound = {"none": 9, "always": 1, "last_n": 9 - (play["follow_last_n"] or 0)}[play["follow_suit"]]
        if trick < first_bound or not self.table or self.is_covered(self.table[0][1]):
            return True
        led = self.table[0][1][-1]
        return card[-1] == led or all(one[-1] != led for one in hand)

    def is_covered(self, card: str) -> bool:
        """Whether a card on the table lies face down, with its rank alone to be seen."""
        call = self.rules["call"]
        if call["timing"] != "suit_after_first_trick_cards" or not call["cover_called_rank"] or self.called:
            return False
        assert self.standing is not None
        return self.rules["auction"]["kind"] == "rank" and card[:-1] == self.standing[1].partition("@")[0]

    # --- what follows -----------------------------------------------------------------------------

    def say(self, seat: int, text: str) -> None:
        self.said.append((seat, text))
        if text == "claim":
            claim = self.rules["hand_claim"]
            self.end("claim", self.multiplier * claim["multiplier"], claim["same_dealer"])
        elif self.phase == "claim":
            self.turn = (seat + 1) % 5
            if len(self.said) == 5:
                self.phase, self.turn = "auction", self.opener
        elif self.phase == "auction":
            self.speak(seat, text)
        elif self.phase == "call":
            self.call(text[5:])
        elif self.phase == "trump":
            self.trump, self.phase, self.turn = text[-1], "play", self.winners[-1]
        else:
            self.play(seat, text)

    def end(self, how: str, multiplier: int, same_dealer: bool) -> None:
        self.ended, self.phase, self.turn = how, "done", -1
        self.next_multiplier = multiplier
        self.next_dealer = self.dealer if same_dealer else self.forehand

    def speak(self, seat: int, text: str) -> None:
        auction = self.rules["auction"]
        if text == "pass":
            self.active.remove(seat)
        else:
            self.standing = (seat, text)
            if not auction["pass_is_final"]:
                self.active = [0, 1, 2, 3, 4]
        unbeatable = not any(self.follows(bid) for bid in self.everything())
        if self.standing and (self.active == [self.standing[0]] or unbeatable):
            self.win_auction()
        elif not self.active:
            same = auction["all_pass"] != "redeal_next_dealer"
            self.end("all_pass", self.multiplier * auction["all_pass_multiplier"], same)
        elif self.is_lone() and auction["last_bidder"] == "auto_min":
            order = [*self.rules["deck"]["auction_order"], *(str(number) for number in range(1, 200))]
            self.standing = (self.active[0], next(bid for bid in order if self.follows(bid)))
            self.win_auction()
        else:
            self.turn = next((seat + step) % 5 for step in range(1, 6) if (seat + step) % 5 in self.active)

    def win_auction(self) -> None:
        assert self.standing is not None
        self.caller = self.standing[0]
        first = {"forehand": self.forehand, "caller": self.caller, "dealer": self.dealer}
        self.leader = first[self.rules["play"]["first_leader"]]
        if self.rules["call"]["timing"] == "before_first_trick":
            self.phase, self.turn = "call", self.caller
        else:
            self.phase, self.turn = "play", self.leader

    def call(self, card: str) -> None:
        self.called, self.trump = card, card[-1]
        self.phase = "play"
        if len(self.table) == 5:
            self.take()
        elif self.tricks:
            self.go_on(self.owner() is not None)
        else:
            self.turn = self.leader

    def owner(self) -> int | None:
        """Who has played the called card; nobody yet, or not to be known yet."""
        plays = [play for trick in [*self.tricks, self.table] for play in trick]
        return next((seat for seat, card in plays if card == self.called), None)

    def play(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        self.turn = (seat + 1) % 5
        if len(self.table) == 5:
            if not self.called and self.rules["call"]["timing"] == "suit_after_first_trick_cards":
                self.phase, self.turn = "call", self.caller
            else:
                self.take()

    def take(self) -> None:
        trick, self.table = self.table, []
        self.tricks.append(trick)
        self.winners.append(best(self.rules["deck"]["trick_order"], trick, self.trump))
        if not self.called:
            self.phase, self.turn = "call", self.caller
        else:
            self.go_on(any(card == self.called for _, card in trick))

    def go_on(self, revealed: bool) -> None:
        self.turn = self.winners[-1]
        if len(self.tricks) == 8:
            self.score()
        elif revealed and self.rules["play"]["trump_change"] == "on_reveal":
            owner = self.owner()
            assert owner is not None
            self.phase, self.turn = "trump", owner

    # --- what it is worth -------------------------------------------------------------------------

    def points_of(self, cards: list[str]) -> int:
        return sum(self.rules["deck"]["card_points"][card[:-1]] for card in cards)

    def score(self) -> None:
        partner = next(seat for seat in range(5) if self.called in self.dealt[seat])
        side = {self.caller, partner}
        taken = [trick for trick, winner in zip(self.tricks, self.winners, strict=True) if winner in side]
        points = sum(self.points_of([card for _, card in trick]) for trick in taken)
        assert self.standing is not None
        target = self.target_of(self.standing[1])
        contract = self.rules["contract"]
        outcome = "win" if points >= target else "loss"
        if points == 60 and target == contract["base_target"] == 61:
            outcome = {"defenders": "loss", "caller": "win", "draw": "draw"}[contract["tie_60"]]
        same_dealer = self.rules["deal"]["dealer_rotation"] == "same"
        if outcome == "draw":
            self.end("draw", self.multiplier * self.rules["scoring"]["draw_multiplier"], same_dealer)
            return
        for seat in range(5):
            role = "caller" if seat == self.caller else "partner" if seat == partner else "defender"
            stake = self.stake(target, outcome == "win", points, len(taken))
            solo = "solo_" if partner == self.caller else ""
            if self.rules["scoring"]["kind"] == "gingo":
                self.payoff[seat] = self.gingo(role, bool(solo), target, points) * self.multiplier
            else:
                self.payoff[seat] = self.rules["scoring"][solo + outcome][role] * stake * self.multiplier
        self.end("scored", 1, same_dealer)

    def gingo(self, role: str, solo: bool, bid: int, points: int) -> int:
        if points >= bid:
            return 0 if role == "defender" else 2 * bid if solo else bid
        return self.rules["auction"]["max_points"] - points if role == "defender" else points - bid

    def stake(self, target: int, made: bool, points: int, tricks: int) -> int:
        scoring = self.rules["scoring"]
        unit: int = [unit for start, unit in scoring["unit_by_target"] if start <= target][-1]
        if made:
            unit += ([extra for start, extra in scoring["margin_bonus"] or [] if start <= points] or [0])[-1]
        capot = scoring["capot"]
        if capot:
            everything = self.rules["auction"]["max_points"]
            got, most = (tricks, 8) if capot["basis"] == "tricks" else (points, everything)
            hit = (got == most and capot["side"] in ("either", "caller")) or (
                got == 0 and capot["side"] in ("either", "defenders")
            )
            value: int = capot["value"]
            if hit:
                return {"multiply": unit * value, "add_units": unit + value, "replace_unit": value}[capot["op"]]
        return unit


def best(order: list[str], trick: list[tuple[int, str]], trump: str) -> int:
    """Who takes a trick: card by card, each beating or not beating the best so far."""
    seat, card = trick[0]
    for other, challenger in trick[1:]:
        if beats(order, challenger, card, trump):
            seat, card = other, challenger
    return seat


def beats(order: list[str], challenger: str, card: str, trump: str) -> bool:
    """Whether a later card beats the best one so far."""
    if challenger[-1] == card[-1]:
        return order.index(challenger[:-1]) < order.index(card[:-1])
    return challenger[-1] == trump
