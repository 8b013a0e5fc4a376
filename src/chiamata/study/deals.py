"""Seeded deals and contracts: the same for the same seed, on every machine."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from chiamata.bots.bot import Bot
from chiamata.bots.hand import expected_points
from chiamata.bots.pack import pack_of
from chiamata.bots.seen import variant_of
from chiamata.racer.jobs import Position, Variant
from chiamata.rules.cards import SUIT_CARDS, Card, Seat, card_set, cards_in
from chiamata.rules.deal import Deal, Hands
from chiamata.rules.moves import Bid, Call, Play
from chiamata.rules.ruleset import RuleSet

BotOf = Callable[[Deal, Seat], Bot]
"""Which bot sits in a seat of a deal."""


def hands_of(seed: str) -> Hands:
    """Five hands of eight."""
    pack = list(range(40))
    random.Random(f"hands {seed}").shuffle(pack)
    a, b, c, d, e = (card_set(pack[8 * seat : 8 * seat + 8]) for seat in range(5))
    return a, b, c, d, e


def neutral_contract(rules: RuleSet, seed: str) -> Deal:
    """A deal at its first lead, as a bidder outside the game would set it: the best hand of the table calls, to 61.

    The trump is its best suit, the called card the second to fifth strongest that it lacks there.
    """
    hands = hands_of(seed)
    dice = random.Random(f"contract {seed}")
    place = dice.randrange(1, 5)
    pack = pack_of(rules)

    def call_in(seat: Seat, suit: int) -> tuple[float, Seat, Card]:
        missing = sorted(cards_in(SUIT_CARDS[suit] & ~hands[seat]), key=lambda card: -pack.strength[card])
        card = missing[min(place, len(missing) - 1)]
        return expected_points(pack, hands[seat], card, False), seat, card

    _, caller, card = max(call_in(seat, suit) for seat in range(5) for suit in range(4))
    return called_deal(rules, hands, (dice.randrange(5), caller, card), rules.contract.base_target)


def practice_contract(rules: RuleSet, seed: str) -> Deal:
    """A deal at its first lead with more variety: any called card, good and middling callers, some solos and raises."""
    hands = hands_of(seed)
    dice = random.Random(f"practice {seed}")
    pack = pack_of(rules)
    solo = dice.random() < 0.06
    noise = dice.choice((0.0, 5.0, 15.0))
    best: tuple[float, Seat, Card] = (-1e9, 0, 0)
    for seat in range(5):
        for suit in range(4):
            cards = sorted(cards_in(SUIT_CARDS[suit] & (hands[seat] if solo else ~hands[seat])))
            if cards:
                card = dice.choice(cards)
                best = max(best, (expected_points(pack, hands[seat], card, solo) + dice.gauss(0, noise), seat, card))
    _, caller, card = best
    target = rules.contract.base_target + dice.choice((0, 0, 0, 0, 0, 5, 10, 15, 20, 30))
    return called_deal(rules, hands, (dice.randrange(5), caller, card), target)


def called_deal(rules: RuleSet, hands: Hands, who: tuple[Seat, Seat, Card], target: int) -> Deal:
    """A deal whose auction is over: ``who`` is the dealer, the caller and the card it calls.

    Rule sets with a blind first trick are played as if the call came before it: a contract that is fixed cannot wait.
    """
    dealer, caller, card = who
    first = msgspec.structs.replace(rules.call, timing="before_first_trick")
    rules = msgspec.structs.replace(rules, call=first) if rules.call != first else rules
    deal = Deal.start(rules, dealer, hands)
    leader = {"caller": caller, "dealer": dealer}.get(rules.play.first_leader, (dealer + 1) % 5)
    bid = Bid(caller, card % 10) if rules.auction.kind == "rank" else Bid(caller, -1, target)
    public = msgspec.structs.replace(
        deal.public, phase="call", turn=caller, caller=caller, standing=bid, target=target, leader=leader
    )
    return Deal(msgspec.structs.replace(public, passed=31 & ~(1 << caller)), hands).follow(Call(caller, card))


def play_on(deal: Deal, bots: Sequence[Bot], seed: str) -> Deal:
    """The deal at its end.  ``bots`` sit in seats 0 to 4; each move has dice of its own."""
    while deal.public.phase != "done":
        seat = deal.public.turn
        dice = random.Random(f"{seed} {seat} {len(deal.public.words)}")
        deal = deal.follow(bots[seat].choose(deal.view(seat), dice))
    return deal


def is_choice(deal: Deal) -> bool:
    """Whether the seat to play has more than one card to choose from."""
    return deal.public.phase == "play" and sum(isinstance(move, Play) for move in deal.legal(deal.public.turn)) > 1


def side_of(deal: Deal) -> set[Seat]:
    """The caller and whoever was dealt the called card: one seat where that is the caller."""
    called = deal.public.called
    return {deal.public.caller, next(seat for seat in range(5) if deal.dealt[seat] >> called & 1)}


def position_of(deal: Deal) -> tuple[Variant, Position]:
    """A deal whose called card is known, in phase ``play``, as the racer reads it."""
    public, side = deal.public, side_of(deal)
    a, b, c, d, e = (hand & ~public.played for hand in deal.dealt)
    plain = variant_of(public.rules)
    changing = plain.trump_change and public.partner < 0
    variant = replace(plain, trump=public.trump, called=public.called, trump_change=changing)
    taken = sum(public.points[seat] for seat in side)
    return variant, Position((a, b, c, d, e), sum(1 << seat for seat in side), public.leader, public.trick, taken)
