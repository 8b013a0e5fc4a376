"""The ladder: the seeded matches whose results stand in benchmarks/ladder.md."""

from __future__ import annotations

from itertools import pairwise

from chiamata.bots import roster
from chiamata.study.arena import Match
from chiamata.study.players import PEEKS

FIELD = "determinized-40"
SLOW = {"master": 2, "clairvoyant-solve": 4, "ismcts-1000": 10}
"""Players that take so many times longer play so many times fewer deals."""
PLAIN = ("random", "greedy", "simple", "determinized-160", "ismcts-1000")
"""Players that make nothing of what was played."""


def matches(deals: int, seed: str = "ladder") -> list[tuple[Match, int]]:
    """The matches with their deals: the null control, who defends and who calls how well, each level on the next.

    Args:
        deals: for players that are quick.
    """
    cheats = [f"{peek}-{one}" for one in ("40", "search") for peek in PEEKS]
    subjects = [*PLAIN, *roster.levels()[2:], *cheats, "clairvoyant-solve"]
    wanted = [(Match(FIELD, FIELD, "defenders", seed=seed), min(deals, 20))]
    for chairs in ("defenders", "caller"):
        wanted += [(Match(one, FIELD, chairs, seed=seed), max(1, deals // SLOW.get(one, 1))) for one in subjects]
    for chairs in ("defenders", "side", "game"):
        for below, above in pairwise(roster.levels()):
            wanted.append((Match(above, below, chairs, seed=seed), max(1, deals // SLOW.get(above, 1))))
    return wanted
