"""What a bot cannot see does not move it: every level, every rule set, every kind of decision that there is in it.

At a decision the cards that its seat has not seen are exchanged between the other hands, covered ones with others of
their rank, such that the deal so far could have gone as it did.  The view is then the same, and with the same dice the
answer must be.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from chiamata.bots.roster import levels
from chiamata.rules.cards import SEATS, Card, Seat, card_set, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal
from chiamata.rules.moves import Call, Claim, Move, Play
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View
from tests.bots.test_every_level import quick, seeded
from tests.kit import five, with_options

ENOUGH = 3
"""So many decisions of each kind are asked again."""
WORLDS = 12
"""So many other worlds are tried for one."""
EXCHANGES = 8
"""At most so many pairs of cards are exchanged for one."""
DEALS = 60
BEFORE = "claims before the auction"
"""No named rule set has a round of claims: this one is ``buio`` with it."""
Choose = Callable[[View, random.Random], Move]


def rules_of(name: str) -> RuleSet:
    if name == BEFORE:
        return RuleSet.from_mapping(with_options(load("buio").to_mapping(), {"hand_claim.when": "before_auction"}))
    return load(name)


def kind_of(view: View) -> str:
    """What sort of decision this is."""
    if any(isinstance(move, Claim) for move in view.legal()):
        return "claim"
    if view.public.phase == "play" and view.public.called < 0:
        return "blind"
    return view.public.phase


def kinds_in(rules: RuleSet) -> set[str]:
    """The kinds of decision that these rules can ask for."""
    kinds = {"auction", "call", "play"}
    kinds |= {"blind"} if rules.call.timing != "before_first_trick" else set()
    kinds |= {"trump"} if rules.play.trump_change == "on_reveal" else set()
    return kinds | ({"claim"} if rules.hand_claim is not None else set())


def other_world(deal: Deal, seat: Seat, rng: random.Random) -> Deal | None:
    """A deal that has gone as this one though cards that this seat has not seen lie otherwise; None if none came up."""
    for _ in range(WORLDS):
        again = _replayed(deal, *_exchanged(deal, seat, rng))
        if again is not None and again.dealt != deal.dealt:
            return again
    return None


def _exchanged(deal: Deal, seat: Seat, rng: random.Random) -> tuple[list[int], dict[Seat, Card]]:
    dealt, covered = list(deal.dealt), _covered(deal)
    others = [other for other in SEATS if other != seat]
    for _ in range(rng.randint(1, EXCHANGES)):
        one, two = rng.sample(others, 2)
        mine, theirs = (rng.choice(list(cards_in(dealt[who] & ~deal.public.played)) or [-1]) for who in (one, two))
        shown = [covered.get(one) == mine, covered.get(two) == theirs]
        if min(mine, theirs) < 0 or (any(shown) and mine % 10 != theirs % 10):
            continue
        for who, gives, takes, is_covered in ((one, mine, theirs, shown[0]), (two, theirs, mine, shown[1])):
            dealt[who] ^= 1 << gives | 1 << takes
            if is_covered:
                covered[who] = takes
    return dealt, covered


def _covered(deal: Deal) -> dict[Seat, Card]:
    """The cards of a blind first trick, covered still or shown by the call."""
    words = deal.public.words
    seats = [word.seat for word in words if isinstance(word, Play) and word.card < 0]
    shown = next((word.shown for word in words if isinstance(word, Call)), ())
    return dict(zip(seats, shown, strict=False)) | dict(deal.covered)


def _replayed(deal: Deal, dealt: list[int], covered: dict[Seat, Card]) -> Deal | None:
    public = deal.public
    again = Deal.start(public.rules, public.dealer, five(dealt), public.multiplier)
    try:
        for word in public.words:
            hidden = isinstance(word, Play) and word.card < 0
            again = again.apply(Play(word.seat, covered[word.seat]) if hidden else _said(word))
    except Illegal:
        return None
    return again


def _said(word: Move) -> Move:
    """The word as its player said it."""
    return Claim(word.seat) if isinstance(word, Claim) else word


def deals(rules: RuleSet) -> Iterator[Deal]:
    """Seeded deals; where a hand may be thrown in every second one has such a hand."""
    for seed in range(DEALS):
        deal = seeded(rules, seed)
        if rules.hand_claim is not None and seed % 2:
            rng = random.Random(seed)
            poor = rng.sample([card for card in range(40) if rules.points[card] == 0], 8)
            rest = rng.sample([card for card in range(40) if card not in poor], 32)
            hands = [card_set(poor), *(card_set(rest[place : place + 8]) for place in range(0, 32, 8))]
            deal = Deal.start(rules, seed % 5, five(hands[seed % 3 :] + hands[: seed % 3]))
        yield deal


def asked_twice(name: str, choose: Callable[[Deal], Choose], enough: int = ENOUGH) -> tuple[Counter[str], list[str]]:
    """How many decisions of each kind were asked again in another world, and the kinds of those answered otherwise."""
    rules, rng = rules_of(name), random.Random(name)
    kinds, seen, moved = kinds_in(rules), Counter[str](), list[str]()
    for number, start in enumerate(deals(rules)):
        deal = start
        while deal.public.phase != "done":
            view = deal.view(deal.public.turn)
            kind, dice = kind_of(view), f"{number} {len(deal.public.words)}"
            answer = choose(deal)(view, random.Random(dice))
            other = other_world(deal, view.seat, rng) if seen[kind] < enough * (4 if kind == "play" else 1) else None
            if other is not None:
                assert other.view(view.seat) == view
                seen[kind] += 1
                if choose(other)(view, random.Random(dice)) != answer:
                    moved.append(kind)
            deal = deal.apply(answer)
        if all(seen[kind] >= enough for kind in kinds):
            break
    return seen, moved


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("name", [*names(), BEFORE])
def test_unseen_cards_do_not_move_it(level: str, name: str) -> None:
    bot = quick(level)
    seen, moved = asked_twice(name, lambda deal: bot.choose)
    assert moved == []
    assert {kind for kind, count in seen.items() if count >= ENOUGH} == kinds_in(rules_of(name))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("classic", "auction"),
        ("classic", "call"),
        ("classic", "play"),
        ("family-blind", "blind"),
        ("first-trick-blind", "blind"),
        ("bastarda", "trump"),
        ("buio", "claim"),
        (BEFORE, "claim"),
    ],
)
def test_who_peeks_is_found(name: str, kind: str) -> None:
    """A player that lets the others' cards decide, at one kind of decision alone."""

    def peeking(deal: Deal) -> Choose:
        def choose(view: View, rng: random.Random) -> Move:
            legal = view.legal()
            if kind_of(view) == kind:
                rng = random.Random(str(deal.dealt))
            return rng.choice(legal)

        return choose

    seen, moved = asked_twice(name, peeking, 20)
    assert set(moved) == {kind}
    assert seen[kind] >= ENOUGH
