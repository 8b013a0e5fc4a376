"""From a secret to five hands: known answers, and that every order is equally likely."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product
from math import factorial

import pytest

from chiamata.rules.cards import ALL_CARDS, card_name, cards_in
from chiamata.rules.errors import Malformed
from chiamata.rules.shuffle import cut_pack, hands_from, permutation, stream
from tests.kit import card_set_of

# Seed, SHA-256 of the permutation as bytes, bytes drawn: the vectors V1 to V4 (V3 is V2 with the pack cut).
KNOWN = {
    "V1": (
        "ff9d81364f67a82cce5ce620d2764d3c6e1b79336558258e39d5272a37bcd4d5",
        "3f4d43f3d4239b3304c5bb5c16676cef773e029b85bff098b36160a4917596e3",
        42,
    ),
    "V2": (
        "9db91e923aa9c069f513771fcac94e68505d6be857b4326701bf9cebbd6436e8",
        "47322004a046afb0ca05ed7f7f65a5351c62435f1266517f93a7da22955030ae",
        41,
    ),
    "V4": (
        "24c872d70783ba70a835b8b6a47fea3e9af0a9a53ce403ba75ebc078ffe49e1e",
        "7798fee38f2f56c311137edf0bf8d6e1e3f2a3abe76eb71509190f66caa73b25",
        39,
    ),
}
V2 = bytes.fromhex(KNOWN["V2"][0])
V2_ORDER = (
    "37 19 34 27 38 17 8 13 12 0 9 15 16 18 21 10 23 32 7 4 33 31 24 11 20 5 22 3 14 1 2 36 28 35 29 25 39 6 26 30"
)


class Counted:
    """Draws that are counted."""

    def __init__(self, draws: Iterator[int]) -> None:
        self.draws = draws
        self.count = 0

    def __iter__(self) -> Counted:
        return self

    def __next__(self) -> int:
        self.count += 1
        return next(self.draws)


@pytest.mark.parametrize("name", KNOWN)
def test_known_permutations(name: str) -> None:
    seed, digest, drawn = KNOWN[name]
    draws = Counted(stream(bytes.fromhex(seed)))
    order = permutation(draws)
    assert sorted(order) == list(range(40))
    assert hashlib.sha256(bytes(order)).hexdigest() == digest
    assert draws.count == drawn


def test_known_hands() -> None:
    assert permutation(stream(V2)) == tuple(map(int, V2_ORDER.split()))
    dealt = [
        "5S 2H JS 5D QS 3S JD 3H",
        "4S 5H 4C QH AD 7C KD QC",
        "KH AC 2C 7H JH 3C KC 6S",
        "6H 4H 3D AH 4D 7S 2D 7D",
        "QD KS 5C JC 2S 6C 6D AS",
    ]
    hands = hands_from(V2, dealer=4)
    assert hands == tuple(card_set_of(hand) for hand in dealt)
    for dealer in range(4):
        turned = hands_from(V2, dealer)
        assert tuple(turned[(dealer + 1 + right) % 5] for right in range(5)) == hands
    assert hands_from(V2, 4, cut=17)[0] == card_set_of("KS 5C JC QS 6C 6D AS 5S")


def test_the_stream_is_made_of_numbered_blocks() -> None:
    blocks = b"".join(hmac.digest(V2, b"blk" + number.to_bytes(4, "big"), "sha256") for number in range(3))
    assert bytes(islice(stream(V2), 96)) == blocks


def test_packets_only_change_who_gets_which_card() -> None:
    order = permutation(stream(V2))
    eight = hands_from(V2, 4, packets=(8,))
    assert [sorted(order[8 * seat : 8 * seat + 8]) for seat in range(5)] == [list(cards_in(hand)) for hand in eight]
    ones = hands_from(V2, 4, packets=(1,) * 8)
    assert [sorted(order[seat::5]) for seat in range(5)] == [list(cards_in(hand)) for hand in ones]
    for packets in ((4, 4), (3, 2, 3), (8,), (1,) * 8):
        hands = hands_from(V2, 2, cut=5, packets=packets)
        assert [hand.bit_count() for hand in hands] == [8] * 5
        assert hands[0] | hands[1] | hands[2] | hands[3] | hands[4] == ALL_CARDS


def test_the_cut() -> None:
    pack = tuple(range(40))
    assert cut_pack(pack, 0) == pack
    assert cut_pack(pack, 1) == (*range(1, 40), 0)
    assert cut_pack(pack, 39) == (39, *range(39))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_order_is_exactly_equally_likely(size: int) -> None:
    """All paths of bytes that are not drawn again lead to each order equally often."""
    paths = product(range(256), repeat=size - 1)
    taken = [path for path in paths if all(byte < 256 - 256 % (size - place) for place, byte in enumerate(path))]
    orders = Counter(permutation(iter(path), size) for path in taken)
    assert set(orders) == set(permutations(range(size)))
    assert len(set(orders.values())) == 1


@pytest.mark.parametrize("size", [4, 5, 6])
def test_every_choice_of_places_leads_to_another_order(size: int) -> None:
    """One byte for each remainder; that each remainder is equally likely is the next test."""
    paths = product(*(range(left) for left in range(size, 1, -1)))
    orders = [permutation(iter(path), size) for path in paths]
    assert len(orders) == len(set(orders)) == factorial(size)


@pytest.mark.parametrize("size", range(2, 41))
def test_the_rejected_bytes_are_those_of_the_incomplete_stretch(size: int) -> None:
    """Of the 256 first bytes as many are taken for each choice; the others are drawn again."""
    chosen: Counter[int] = Counter()
    rejected = 0
    for byte in range(256):
        draws = Counted(iter([byte, *[0] * size]))
        order = permutation(draws, size)
        if draws.count > size - 1:
            rejected += 1
            assert byte >= 256 - 256 % size
        else:
            chosen[order[-1]] += 1
    assert rejected == 256 % size
    assert set(chosen) == set(range(size))
    assert set(chosen.values()) == {256 // size}


@pytest.mark.parametrize(
    ("seed", "cut", "code"),
    [
        (b"x" * 31, 0, "BAD_SEED"),
        (b"x" * 33, 0, "BAD_SEED"),
        (V2, -1, "BAD_CUT"),
        (V2, 40, "BAD_CUT"),
        (V2, True, "BAD_CUT"),
    ],
)
def test_what_cannot_be_dealt(seed: bytes, cut: int, code: str) -> None:
    with pytest.raises(Malformed) as caught:
        hands_from(seed, 0, cut)
    assert caught.value.code == code


def test_names_of_a_shuffled_pack() -> None:
    assert card_name(permutation(stream(V2))[0]) == "5S"
