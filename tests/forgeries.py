"""A transcript of a deal with one thing changed: what every verifier must see."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

VECTORS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "vectors" / "fair.json").read_text())
"""V1 to V4 as the design publishes them, H1 and H2 as the house deals."""


def other(value: Any) -> Iterator[Any]:
    """What a forger could write instead: near misses first, then nonsense."""
    if isinstance(value, str):
        yield from (value + "0", value[:-1] if value else "00")
        if value:
            last = "1" if value[-1] == "0" else "0"
            yield from (value[:-1] + last, last + value[1:], "", value.upper() + " ")
        else:
            yield "00" * 32
        yield None
    elif isinstance(value, int):
        yield from (value + 1, value - 1, str(value), -2, 255, True, None)
    elif isinstance(value, list):
        yield from (value[:-1], [*value, value[-1]], None)
        for place, one in enumerate(value):
            for instead in other(one):
                yield [*value[:place], instead, *value[place + 1 :]]
        for place, (one, after) in enumerate(pairwise(value)):
            if one != after:
                yield [*value[:place], after, one, *value[place + 2 :]]


def forgeries(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The transcript with one thing changed, left out or put in."""
    for key, value in told.items():
        for instead in other(value):
            if instead != value or type(instead) is not type(value):
                yield copy.deepcopy(told) | {key: instead}
        yield {name: kept for name, kept in told.items() if name != key}
    yield told | {"note": "trust me"}
