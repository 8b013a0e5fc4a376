"""When things happen at a table, and the move that is played when nobody decides.  Pure.

Times are milliseconds.  A bot's pause is drawn from what everybody sees (which
decision of which table it is, whether a trick has just been completed), before
the bot sees its cards: how long it takes says nothing about them.
"""

from __future__ import annotations

import hashlib

from chiamata.rules.cards import cards_in
from chiamata.rules.moves import Call, Move, Pass, Play
from chiamata.rules.public import Public
from chiamata.rules.view import View

AWAY = 45_000
"""An absent person's chair is played by a bot after this long."""
NEXT_DEAL = 12_000
"""The score of a deal stays so long on the screen, unless everybody asks for the next one."""
REDEAL = 5_000
"""The same where nothing was scored: all passed, or a hand was thrown in."""
FULL_TRICK = 1_200
"""A full trick stays so long on the screen before a bot leads to the next one."""
REVEAL = 1_200
"""While the called card falls nobody's clock runs and no bot plays: the page shows who is with whom."""
BREATH = 3_000
"""Between two sentences or lines of one person."""
PAUSE_LEAST, PAUSE_MOST = 700, 1_600


def draw(text: str, below: int) -> int:
    """A number from 0 to ``below - 1`` that follows from the text alone, evenly spread."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % below


def reveal_between(before: Public, after: Public) -> int:
    """How long the table stands still between two words: REVEAL where the second one showed the partner, else 0."""
    return REVEAL if before.partner < 0 <= after.partner else 0


def bot_pause(public: Public, text: str, still: int = 0) -> int:
    """How long a bot takes over this decision; ``text`` names the table and the decision.

    ``still``: the table stands still so long before it.
    """
    pause = PAUSE_LEAST + draw(text, PAUSE_MOST - PAUSE_LEAST + 1)
    after_trick = public.phase in ("play", "trump", "call") and not public.trick and bool(public.tricks)
    return pause + max(still, FULL_TRICK if after_trick else 0)


def rest_after(public: Public) -> int:
    """How long a finished deal's table waits before it deals again by itself."""
    return NEXT_DEAL if public.result is not None and public.result.kind in ("scored", "draw") else REDEAL


def default_move(view: View) -> Move:
    """The legal move that commits to least: a pass, a call of another's card, the cheapest card; else the first."""
    legal = view.legal()
    rules = view.public.rules
    for move in legal:
        if isinstance(move, Pass) or (isinstance(move, Call) and not view.dealt >> move.card & 1):
            return move
    plays = [move.card for move in legal if isinstance(move, Play)]
    if not plays:
        return legal[0]
    return Play(view.seat, min(plays, key=lambda card: (rules.points[card], rules.strength[card], card)))


def hand_order(view: View) -> list[int]:
    """The viewer's cards by suit, the strongest of each suit first."""
    strength = view.public.rules.strength
    return sorted(cards_in(view.hand), key=lambda card: (card // 10, -strength[card]))
