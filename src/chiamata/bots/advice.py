"""What a bot says when asked for its reasons: a value per move, what it believes of the partner, and what told it."""

from __future__ import annotations

import msgspec

from chiamata.racer.mind import Thinking
from chiamata.rules.cards import Card, Seat
from chiamata.rules.moves import Move
from chiamata.rules.view import View

TELLING = 0.35
"""A card tells something from this logarithm of odds on: 1.4 to 1."""
MOST_TELLS = 4


class Weighed(msgspec.Struct, frozen=True):
    """A move with its expected payoff and the standard error of its distance to the best one (0: not known)."""

    move: Move
    value: float
    error: float


class Tell(msgspec.Struct, frozen=True):
    """A card that spoke for (weight above 0) or against its player being the partner; ``trick`` counts from 1."""

    seat: Seat
    card: Card
    trick: int
    weight: float


class Advice(msgspec.Struct, frozen=True):
    """What to do and why.

    Args:
        moves: best first; moves of one kind that pay the same may be left out in an auction.
        partner: by seat how likely it holds, or held, the called card; empty before the call.
        tells: the cards that told most, in the order of play.
    """

    moves: tuple[Weighed, ...]
    partner: tuple[float, ...] = ()
    tells: tuple[Tell, ...] = ()

    @property
    def best(self) -> Move:
        """The move to make."""
        return self.moves[0].move


def tells_of(view: View, thinking: Thinking) -> tuple[Tell, ...]:
    """The cards of the others that told most about the partner, while it is hidden."""
    public = view.public
    if public.partner >= 0 or view.dealt >> public.called & 1:
        return ()
    told = iter(thinking.told)
    tricks = [(trick.leader, trick.cards) for trick in public.tricks] + [(public.leader, public.trick)]
    tells = []
    for number, (leader, cards) in enumerate(tricks, 1):
        for place, card in enumerate(cards):
            tells.append(Tell((leader + place) % 5, card, number, next(told)))
    strong = [tell for tell in tells if abs(tell.weight) >= TELLING and tell.seat != view.seat]
    strong.sort(key=lambda tell: -abs(tell.weight))
    return tuple(tell for tell in tells if tell in strong[:MOST_TELLS])
