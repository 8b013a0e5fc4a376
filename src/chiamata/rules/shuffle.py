"""From a secret of 32 bytes and a cut to five hands: the same on every machine.

A stream of bytes is made from the secret with HMAC-SHA-256; Fisher-Yates draws
from it with rejection, so that each of the 40! orders is equally likely; the
pack is cut, and dealt in packets from the dealer's right on.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

from chiamata.rules.cards import Card, CardSet, Seat, card_set
from chiamata.rules.errors import Malformed


def stream(seed: bytes) -> Iterator[int]:
    """Bytes without end: HMAC-SHA-256(seed, "blk" and a 32-bit block number), block after block."""
    block = 0
    while True:
        yield from hmac.new(seed, b"blk" + block.to_bytes(4, "big"), hashlib.sha256).digest()
        block += 1


def permutation(draws: Iterator[int], size: int = 40) -> tuple[int, ...]:
    """A permutation of ``range(size)``, uniform if the draws are uniform bytes.

    A byte of the last, incomplete stretch of ``256 // n`` is thrown away: with it some
    cards would come up more often than others.
    """
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        limit = 256 - 256 % (last + 1)
        draw = next(draws)
        while draw >= limit:
            draw = next(draws)
        chosen = draw % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def cut_pack(order: tuple[Card, ...], cut: int) -> tuple[Card, ...]:
    """The pack with its first ``cut`` cards (0 to 39) put below the others."""
    return order[cut:] + order[:cut]


def hands_from(
    seed: bytes, dealer: Seat, cut: int = 0, packets: tuple[int, ...] = (4, 4)
) -> tuple[CardSet, CardSet, CardSet, CardSet, CardSet]:
    """Five hands, seat 0 first, from a secret.

    Args:
        seed: 32 bytes.
        cut: how many cards the left neighbour lifts, 0 to 39.
        packets: how many cards each player gets in each round; they sum to 8.
    """
    if len(seed) != 32:
        raise Malformed("BAD_SEED", "seed", seed, "Give 32 bytes.")
    if type(cut) is not int or not 0 <= cut <= 39:
        raise Malformed("BAD_CUT", "cut", cut, "Give a whole number from 0 to 39.")
    pack = iter(cut_pack(permutation(stream(seed)), cut))
    hands = [0, 0, 0, 0, 0]
    for packet in packets:
        for right in range(1, 6):
            hands[(dealer + right) % 5] |= card_set(next(pack) for _ in range(packet))
    a, b, c, d, e = hands
    return a, b, c, d, e
