"""Variants and positions to try the racer on."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from chiamata.racer.examples import POINTS, classic
from chiamata.racer.jobs import Position, Variant
from chiamata.racer.mirror import Play, dealt

THREE_HIGH = (8, 9, 7, 6, 5, 4, 3, 2, 1, 0)
"""Strengths of A 3 K Q J 7 6 5 4 2 where the three beats the ace."""


ACE_HIGH = tuple(range(9, -1, -1))


def variant(
    trump: int,
    strength: tuple[int, ...] = ACE_HIGH,
    *,
    follow_last: int = 0,
    first_plain: bool = False,
    called: int = -1,
) -> Variant:
    """The usual points with another trick order or other duties; with a called card the trump may change."""
    return Variant(POINTS * 4, strength * 4, trump, follow_last, first_plain, called >= 0, called)


def all_variants(random: Random) -> dict[str, Variant]:
    """One of each kind that the solver treats differently, trumps and odd decks drawn."""
    trump, called = random.randrange(4), random.randrange(40)
    order = random.sample(range(10), 10)
    odd = tuple(random.randrange(6) for _ in range(10))
    few = tuple(random.choice((0, 0, 0, 3, 6)) for _ in range(10))
    return {
        "classic": classic(trump),
        "three high": variant(trump, THREE_HIGH),
        "follow": variant(trump, follow_last=8),
        "follow in the last three": variant(trump, follow_last=3),
        "follow in the last two": variant(trump, follow_last=2),
        "first trick plain": variant(trump, first_plain=True),
        "trump changes": variant(called // 10, called=called),
        "trump changes, three high": variant(called // 10, THREE_HIGH, called=called),
        "trump changes, follow": variant(called // 10, follow_last=3, called=called),
        "tricks count": classic(trump).counting_tricks(),
        "tricks count too": replace(classic(trump), per_trick=3),
        "any order": variant(trump, tuple(order)),
        "any points": Variant(odd * 4, tuple(order) * 4, trump),
        "few points": Variant(few * 4, tuple(order) * 4, trump),
    }


def position(random: Random, rules: Variant, tricks: int, on_table: int) -> Position:
    """Random hands of ``tricks`` cards with that many cards of the trick already played; one in six is a solo."""
    pack = random.sample(range(40), 40)
    hands = dealt(pack[: 5 * tricks])
    caller = random.randrange(5)
    side = 1 << caller | (1 << random.randrange(5) if random.random() > 0.15 else 0)
    play = Play.start(rules, Position(hands, side, random.randrange(5)))
    for _ in range(on_table):
        play = play.after(random.choice(play.moves()))
    a, b, c, d, e = play.hands
    return Position((a, b, c, d, e), side, play.leader, play.table, random.choice((0, random.randrange(40))))
