"""RuleSet: the rules of a game as one frozen value of parts, checked, with a fingerprint.

``RuleSet.from_mapping({})`` is the default of every option.  The value prints
as the text that rebuilds it (with the names of this module).
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any

import msgspec

from chiamata.rules.cards import Card, Rank, card_name, card_of, rank_of
from chiamata.rules.parts import (
    Auction,
    Calling,
    Capot,
    Conduct,
    Contract,
    Dealing,
    Deck,
    HandClaim,
    Parts,
    Playing,
    Roles,
    Scoring,
    Session,
    SoloRoles,
)
from chiamata.rules.problem import Problem
from chiamata.rules.ruleset_check import BadRuleSet, check, problems, warnings_of

__all__ = [
    "Auction",
    "BadRuleSet",
    "Calling",
    "Capot",
    "Conduct",
    "Contract",
    "Dealing",
    "Deck",
    "HandClaim",
    "Playing",
    "Problem",
    "Roles",
    "RuleSet",
    "Scoring",
    "Session",
    "SoloRoles",
    "problems",
]

_NOT_PLAY = ("id", "title", "source", "version", "direction", "conduct")
"""What may differ between two rule sets that play alike."""


class RuleSet(Parts, frozen=True, dict=True):
    """A rule set whose options fit together; build it with ``from_mapping``."""

    @classmethod
    def from_mapping(cls, mapping: object) -> RuleSet:
        """The rule set that this mapping describes (nested, JSON types; see ``to_mapping``).

        Absent keys take their defaults.  Where a value may be absent (None),
        the text ``"none"`` says the same, since TOML has no null.

        Raises:
            BadRuleSet: a Malformed with the first problem; all are in ``.problems``.
        """
        parts, found = check(mapping)
        if found:
            raise BadRuleSet(tuple(found))
        return cls(*(getattr(parts, name) for name in Parts.__struct_fields__))

    def to_mapping(self) -> dict[str, Any]:
        """Every option in plain JSON types, defaults included; ``from_mapping`` reads it back."""
        mapping: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        mapping["deck"]["card_points"] = dict(zip(self.deck.ranks, self.deck.card_points, strict=True))
        return mapping

    @cached_property
    def fingerprint(self) -> str:
        """64 hex digits over everything that changes play: not over names, sources, drawing or chat."""
        mapping = self.to_mapping()
        for key in _NOT_PLAY:
            del mapping[key]
        del mapping["scoring"]["require_zero_sum"]
        return hashlib.sha256(msgspec.json.encode(mapping, order="sorted")).hexdigest()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.fingerprint)

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """What is allowed but worth knowing before one plays so."""
        return tuple(warnings_of(self))

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """The ten rank symbols of the pack; a Rank is an index into these."""
        return self.deck.ranks

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The card points of each of the 40 cards."""
        return tuple(self.deck.card_points[rank_of(card)] for card in range(40))

    @cached_property
    def strength(self) -> tuple[int, ...]:
        """Of each of the 40 cards within its suit: 9 = strongest … 0 = weakest."""
        places = [self.deck.trick_order.index(rank) for rank in self.ranks]
        return tuple(9 - places[rank_of(card)] for card in range(40))

    @cached_property
    def by_strength(self) -> tuple[Rank, ...]:
        """The ten ranks, strongest first."""
        return tuple(self.ranks.index(rank) for rank in self.deck.trick_order)

    @cached_property
    def auction_ranks(self) -> tuple[Rank, ...]:
        """The ten ranks in the order of bidding, cheapest bid first."""
        return tuple(self.ranks.index(rank) for rank in self.deck.auction_order)

    def card_name(self, card: Card) -> str:
        """The text name of a card in this pack: ``3H``."""
        return card_name(card, self.ranks)

    def card_of(self, text: object) -> Card:
        """The card of this name in this pack; Malformed if there is none."""
        return card_of(text, self.ranks)
