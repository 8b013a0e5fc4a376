"""Chiamata: Briscola Chiamata for five, its rules as plain values, its table as a server.

This is the public face: the named rule sets, what one seat may know, and the three errors.
Whoever may hold all five hands asks the referee's own rooms, ``chiamata.rules.deal`` and
``chiamata.rules.game``; no face hands them on, since bots and house must not come by them.

    >>> import chiamata
    >>> rules = chiamata.load("classic")
    >>> rules.contract.base_target, rules.card_name(11)
    (61, '3H')
"""

from chiamata.rules.catalogue import load, names
from chiamata.rules.errors import Bug, Illegal, Malformed
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass, Play, Trump
from chiamata.rules.public import Public
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View

__all__ = [
    "Bid",
    "Bug",
    "Call",
    "Claim",
    "Illegal",
    "Malformed",
    "Move",
    "Pass",
    "Play",
    "Public",
    "RuleSet",
    "Trump",
    "View",
    "load",
    "names",
]
__version__ = "0.1.0"
