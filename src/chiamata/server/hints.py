"""A hint for a person who plays alone with bots: what may be asked, and how the advice is told.  Pure."""

from __future__ import annotations

from chiamata.bots.advice import Advice
from chiamata.bots.reasons import Args, reasons_of
from chiamata.rules.view import View
from chiamata.server import lines as say
from chiamata.server import paper, scene, seating, table
from chiamata.server.seating import Refused

LEVEL = "master"
"""The level that advises: the best, which answers in a tenth of a second."""
MOST_MOVES = 3


def question(state: table.State, who: str, v: int) -> say.AskBot:
    """What the adviser is asked: the person's own View, and dice that follow from the decision.

    Args:
        v: the version of the Scene that the person sees.

    Raises:
        Refused: they have no chair or no turn, the Scene is old, or other people sit at the table.
    """
    chair = seating.seated(state.places, who)
    if not seating.is_alone(state.places, chair):
        raise Refused("HINT_WITH_PEOPLE")
    game = state.game
    if game is None or table.stage_of(state) != "playing":
        raise Refused("WRONG_PHASE")
    view = game.view(chair)
    if view is None or not view.legal():
        raise Refused("NOT_YOUR_TURN")
    if v < state.turn:
        raise Refused("STALE")
    return say.AskBot(state.turn, LEVEL, view, 0, f"{state.secret}/{state.turn}/hint")


def told(state: table.State, ask: say.AskBot, advice: Advice) -> paper.Hint:
    """The advice as the page gets it, with chairs for seats."""
    assert state.game is not None
    seats, ranks = state.game.seats, state.rules.ranks
    percent = [0] * len(state.places)
    for seat, odds in enumerate(advice.partner):
        percent[seats[seat]] = round(100 * odds)
    return paper.Hint(
        turn=ask.turn,
        moves=[paper.HintMove(scene.said(one.move, ranks), round(one.value, 2)) for one in advice.moves[:MOST_MOVES]],
        reasons=[paper.Reason(one.key, _in_chairs(one.args, seats)) for one in reasons_of(ask.view, advice)],
        partner=percent if _is_open(ask.view, advice) else [],
    )


def _in_chairs(args: Args, seats: tuple[int, ...]) -> Args:
    args = dict(args)
    return args | {"chair": seats[int(args.pop("seat"))]} if "seat" in args else args


def _is_open(view: View, advice: Advice) -> bool:
    """Whether it is a question who the partner is: a card is called, and neither seen nor held."""
    public = view.public
    return bool(advice.partner) and public.partner < 0 and not view.dealt >> public.called & 1
