"""The compiled mind and its mirror say the same; the worlds they draw fit what is known."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chiamata.bots.bidding import expected
from chiamata.bots.contracts import clues_of
from chiamata.bots.policy import HABITS, POLICY, numbers_of
from chiamata.bots.seen import is_open, seen_of, variant_of
from chiamata.bots.situation import role_of, voids
from chiamata.bots.worth import CALLER, DEFENDER, PARTNER, payoffs_of
from chiamata.racer.binding import Core
from chiamata.racer.jobs import Position, Unsound
from chiamata.racer.mind import (
    GROUPS,
    HIDDEN,
    INPUTS,
    KINDS,
    PAYOFFS,
    STAGES,
    Masks,
    Mind,
    Payoffs,
    Samples,
    Seen,
    Thought,
    available,
    hidden_wanted,
    numbers_wanted,
)
from chiamata.racer.mind_mirror import MindMirror
from chiamata.racer.policy_mirror import FEATURE_WEIGHTS, INPUT_ROWS
from chiamata.rules.cards import SEATS, SUIT_CARDS, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.public import Public
from chiamata.rules.view import View
from chiamata.study.deals import neutral_contract
from tests.kit import random_hands

pytestmark = pytest.mark.skipif(not available(), reason="no compiled racer here")

ROLES = {"caller": CALLER, "partner": PARTNER, "defender": DEFENDER}


def minds() -> tuple[Mind, MindMirror]:
    """The core and its mirror with the shipped numbers."""
    policy, habits = numbers_of(POLICY), numbers_of(HABITS)
    return Mind(policy, habits), MindMirror(policy, habits)


MIND, MIRROR = minds() if available() else (None, None)


def some_view(name: str, seed: int) -> View | None:
    """The View of the seat to play somewhere in a deal played at random; None if that deal came to nothing."""
    dice = random.Random(f"{name} {seed}")
    deal = Deal.start(load(name), dice.randrange(5), random_hands(dice))
    stop, played = dice.randrange(40), 0
    while deal.public.phase != "done":
        public = deal.public
        if is_open(public):
            if played >= stop and len(deal.legal(public.turn)) > 1:
                return deal.view(public.turn)
            played += 1
        moves = deal.legal(public.turn)
        deal = deal.follow(dice.choice(moves[:2] if public.phase == "auction" else moves))
    return None


VIEWS = [(name, seed) for name in names() for seed in range(6)]


def seen_by(view: View) -> Seen:
    return seen_of(view, clues_of(view.public))


def payoffs(view: View) -> Payoffs:
    return payoffs_of(view.public.rules, view.public.target, ROLES[role_of(view)])


@pytest.mark.parametrize(("name", "seed"), VIEWS)
def test_core_and_mirror_agree(name: str, seed: int) -> None:
    view = some_view(name, seed)
    if view is None:
        return
    assert MIND is not None
    assert MIRROR is not None
    variant, seen = variant_of(view.public.rules), seen_by(view)
    if view.public.phase == "play":
        assert MIND.features(variant, seen) == MIRROR.features(variant, seen)
    thought = Thought(seed, worlds=4, draws=2, swaps=3, playouts=16, sure=0.0, exact=seed % 3)
    assert MIND.worlds(variant, seen, thought) == MIRROR.worlds(variant, seen, thought)
    core, mirror = (one.think(variant, seen, thought, payoffs(view)) for one in (MIND, MIRROR))
    assert [choice.move for choice in core.choices] == [choice.move for choice in mirror.choices]
    assert [choice.mean for choice in core.choices] == pytest.approx(
        [choice.mean for choice in mirror.choices],
        abs=1e-4,  # the core keeps payoffs in single precision
    )
    assert [choice.error for choice in core.choices] == pytest.approx(
        [choice.error for choice in mirror.choices], abs=1e-3
    )
    assert core.partner == pytest.approx(mirror.partner)
    assert core.told == pytest.approx(mirror.told)
    assert sum(core.where, ()) == pytest.approx(sum(mirror.where, ()), abs=1e-5)


@settings(max_examples=60)
@given(st.sampled_from(names()), st.integers(0, 2**32))
def test_worlds_fit_what_is_known(name: str, seed: int) -> None:
    view = some_view(name, seed)
    if view is None:
        return
    assert MIND is not None
    public, seen = view.public, seen_by(view)
    for world in MIND.worlds(variant_of(public.rules), seen, Thought(seed, worlds=20, draws=2, swaps=10)):
        assert world[view.seat] == view.hand
        assert sum(world) == sum(1 << card for card in range(40)) & ~public.played
        barred = voids(view)
        for seat in SEATS:
            on_table = (seat - public.leader) % 5 < len(public.trick)
            assert world[seat].bit_count() == 8 - len(public.tricks) - on_table
            if seat != view.seat:
                assert not any(world[seat] & SUIT_CARDS[suit] for suit in cards_in(barred[seat]))
        held = world[public.caller] >> public.called & 1
        if view.seat != public.caller and (seen.solo == 0 or public.partner >= 0):
            assert not held
        fell = sum(1 << card for i, card in enumerate(seen.cards) if _seats(view)[i] == public.caller)
        assert (
            seen.must[public.caller] & ~(world[public.caller] | fell) & ~view.dealt == 0 or view.seat == public.caller
        )


def _seats(view: View) -> list[int]:
    public = view.public
    tricks = [(trick.leader, trick.cards) for trick in public.tricks] + [(public.leader, public.trick)]
    return [(leader + place) % 5 for leader, cards in tricks for place in range(len(cards))]


@pytest.mark.parametrize("name", ["classic", "trattoria-follow", "gingo"])
def test_worlds_without_evidence_are_even(name: str) -> None:
    """With nothing believed, every unseen card lies with each seat as often as that seat has room."""
    view = next(view for seed in range(50) if (view := some_view(name, seed)) and len(view.public.tricks) == 2)
    assert MIND is not None
    seen = replace(seen_of(view), width=1e9, solo=0.0)
    thought = Thought(3, worlds=3000, draws=1, swaps=6, temper=0.0, playouts=0)
    where = MIND.think(variant_of(view.public.rules), seen, thought, payoffs(view)).where
    free = [
        card
        for card in cards_in(((1 << 40) - 1) & ~view.public.played & ~view.dealt)
        if card % 10 != view.public.called % 10  # a caller rather lacks the other cards of the called rank
        and not seen.must[view.public.caller] >> card & 1
        and all(mask >> card & 1 for mask in seen.may)
    ]
    seats = [seat for seat in SEATS if seat != view.seat]
    for seat in seats:
        shares = [where[card][seat] for card in free]
        if name == "classic":
            mean = sum(shares) / len(shares)
            assert all(abs(share - mean) < 0.05 for share in shares)
    assert all(sum(where[card]) == pytest.approx(1.0, abs=1e-3) for card in free)


def test_halving_finds_the_same_best_card_cheaply() -> None:
    assert MIND is not None
    view = some_view("classic", 4)
    assert view is not None
    variant, seen = variant_of(view.public.rules), seen_by(view)
    full = MIND.think(variant, seen, Thought(1, playouts=40_000, sure=0.0), payoffs(view))
    quick = MIND.think(variant, seen, Thought(1, playouts=8_000), payoffs(view))
    worth = {choice.move: choice.mean for choice in full.choices}
    chosen = max(quick.choices, key=lambda choice: choice.mean).move
    assert worth[chosen] > max(worth.values()) - 0.1
    assert sum(choice.playouts for choice in quick.choices) < 9_000


def late_view(rules: str, seed: int, tricks: int) -> View:
    """Somewhere in the trick after so many, in a deal played at random."""
    dice = random.Random(f"late {rules} {seed}")
    deal = neutral_contract(load(rules), f"late {seed}")
    place = dice.randrange(4)
    while len(deal.public.tricks) < tricks or len(deal.public.trick) < place:
        deal = deal.follow(dice.choice(deal.legal(deal.public.turn)))
    return deal.view(deal.public.turn)


@pytest.mark.parametrize("rules", ["classic", "trattoria-follow", "fifteen"])
def test_exact_ends_are_those_of_the_solver(rules: str) -> None:
    """Card by card, in each world, the points that the solver finds; and no world is asked twice."""
    assert MIND is not None
    rows = [float(points) for points in range(PAYOFFS - 2)] + [float(sum(load(rules).points)), 0.0]
    core = Core()
    for seed in range(6):
        tricks = 5 + seed % 2
        view = late_view(rules, seed, tricks)
        variant, seen, left = variant_of(load(rules)), seen_by(view), 8 - tricks
        thought = Thought(seed, worlds=5, playouts=10_000, sure=0.0, exact=left)
        role = 1.0 if role_of(view) != "defender" else -1.0
        signed = [role * value for value in rows]
        thinking = MIND.think(variant, seen, thought, Payoffs((signed, signed)))
        worth: dict[int, float] = {}
        for hands in MIND.worlds(variant, seen, thought):
            for bounds in core.all_cards(replace(variant, trump=seen.trump), _position(view, hands)):
                assert bounds.low == bounds.high
                worth[bounds.card] = worth.get(bounds.card, 0.0) + role * bounds.low / 5
        assert {choice.move: choice.mean for choice in thinking.choices} == pytest.approx(worth, abs=1e-3)
        assert all(choice.playouts == 5 for choice in thinking.choices)


def _position(view: View, hands: Masks) -> Position:
    public = view.public
    dealt = [hand | sum(1 << card for card, seat in _fell(public) if seat == one) for one, hand in enumerate(hands)]
    partner = next(seat for seat in SEATS if dealt[seat] >> public.called & 1)
    taken = sum(public.points[seat] for seat in {public.caller, partner})
    return Position(hands, 1 << public.caller | 1 << partner, public.leader, public.trick, taken)


def _fell(public: Public) -> list[tuple[int, int]]:
    tricks = [(trick.leader, trick.cards) for trick in public.tricks] + [(public.leader, public.trick)]
    return [(card, (leader + place) % 5) for leader, cards in tricks for place, card in enumerate(cards)]


def test_a_contract_is_played_out() -> None:
    """A hand of all trumps takes everything alone; the counts add up."""
    assert MIND is not None
    rules = load("classic")
    hand = (1 << 8) - 1
    seen = Seen(hand, 0, 0, 0, 61, 1, 0)
    counts = MIND.contract(variant_of(rules), seen, Thought(1, worlds=50, draws=1, swaps=0, playouts=100))
    assert sum(counts[0][1]) == 100
    assert sum(counts[0][1][61:]) >= 95


@pytest.mark.parametrize("deep", [False, True])
def test_learning_learns(deep: bool) -> None:
    """Of two cards told apart by one feature, the wanted one gets the larger share."""
    size = FEATURE_WEIGHTS + (hidden_wanted() if deep else 0)
    samples = Samples([0.1 if at >= FEATURE_WEIGHTS else 0.0 for at in range(size)])
    for _ in range(20):
        samples.add([(*range(GROUPS), *[0] * INPUTS), (*range(GROUPS, 2 * GROUPS), *[0] * INPUTS)], [0.9, 0.1])
    curve = samples.fit(30, 0.1)
    assert 0.32 < curve[-1] < curve[0]
    assert samples.weights[0] > 0 > samples.weights[GROUPS]


def test_hidden_units_see_what_goes_together() -> None:
    """The card wanted has one of two inputs, not both: a sum of tables cannot tell it."""
    dice = random.Random(3)
    start = [0.0] * FEATURE_WEIGHTS + [dice.gauss(0, 0.15) for _ in range(hidden_wanted())]

    def card(one: int, two: int) -> tuple[int, ...]:
        return (*[one, 2 + two] * 5, 9, *[one, 2 + two], *range(8, INPUTS + 6))

    losses = []
    for weights in (start[:FEATURE_WEIGHTS], start):
        samples = Samples(weights)
        for one in (0, 1):
            samples.add([card(one, 1 - one), card(one, one)], [1.0, 0.0])
        losses.append(samples.fit(300, 0.05)[-1])
    assert losses[0] > 0.6
    assert losses[1] < 0.1


def test_nonsense_is_refused() -> None:
    assert MIND is not None
    with pytest.raises(Unsound):
        Mind([0] * 3)
    seen = Seen((1 << 8) - 1, 0, 1, 20, 61, 0, 2)
    variant, thought, pays = variant_of(load("classic")), Thought(1), payoffs_of(load("classic"), 61, DEFENDER)
    for wrong in (
        replace(seen, seat=5),
        replace(seen, dealt=7),
        replace(seen, cards=(20, 20)),
        replace(seen, cards=(40,)),
        replace(seen, trump=7),
        replace(seen, caller=-1),
    ):
        with pytest.raises(Unsound):
            MIND.think(variant, wrong, thought, pays)
    with pytest.raises(Unsound):
        MIND.think(variant, seen, replace(thought, worlds=0), pays)
    assert expected(load("classic"), 61, False, 60)
    assert numbers_wanted() == len(numbers_of(POLICY)) == FEATURE_WEIGHTS + KINDS * STAGES
    assert hidden_wanted() == (INPUT_ROWS + 1) * HIDDEN
