"""The verifiable deal: known answers, nothing in a transcript can be changed unseen, the house can swap nothing."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chiamata.rules import fair
from chiamata.rules.cards import ALL_CARDS, card_set
from chiamata.rules.errors import Malformed
from chiamata.rules.shuffle import cut_pack, hands_from, permutation, stream
from tests.forgeries import VECTORS, forgeries

SEATS = ("anna", "bruno", "bot:carla", "dario", "elena")
ZERO_TO_31 = bytes(range(32))
SHARES = tuple(bytes([seat]) * 32 for seat in range(5))
TERMS = fair.Terms("T0001", 1, bytes(32), SEATS, protocol=fair.BARE)


def transcript(name: str) -> fair.Transcript:
    return fair.read(json.dumps(VECTORS[name]))[0]


# --- known answers --------------------------------------------------------------------------------


def test_known_promises_and_seeds() -> None:
    v1 = "f46ed562871857cee258aa2875910ea3973214d77ac485da6682500226cc01f0"
    assert fair.seal(TERMS, bytes(32)).hex() == v1
    v2 = "eec90977ef6ed1cae92fa0df25a06e161016616675ddd18fc79a5c36646aec44"
    assert fair.seal(TERMS, ZERO_TO_31).hex() == v2
    c0 = "5fffee35dafeff3ff202573e425e6594844c841efe6f9f30bf141765b0b7059e"
    assert fair.commitment_of(TERMS, 0, SHARES[0]).hex() == c0
    seeds = {
        "ff9d81364f67a82cce5ce620d2764d3c6e1b79336558258e39d5272a37bcd4d5": (bytes(32), fair.NONE),
        "9db91e923aa9c069f513771fcac94e68505d6be857b4326701bf9cebbd6436e8": (ZERO_TO_31, SHARES),
        "24c872d70783ba70a835b8b6a47fea3e9af0a9a53ce403ba75ebc078ffe49e1e": (ZERO_TO_31, (*SHARES[:4], b"")),
    }
    for seed, (secret, shares) in seeds.items():
        assert fair.seed_of(TERMS, secret, shares).hex() == seed  # type: ignore[arg-type]


@pytest.mark.parametrize("name", VECTORS)
def test_known_transcripts_hold(name: str) -> None:
    assert fair.check(transcript(name)) == dict.fromkeys(fair.CHECKS, True)


def test_the_hands_of_the_published_examples() -> None:
    first = {"V2": "5S 2H JS 5D QS 3S JD 3H", "V3": "KS 5C JC QS 6C 6D AS 5S"}
    for name, hand in first.items():
        assert sorted(VECTORS[name]["hands"][0].split()) == sorted(hand.split())


def test_dealt_anew_by_hand() -> None:
    """H1 without the module under test: only hashing, as the page says it."""
    told = VECTORS["H1"]

    def lp(*parts: bytes) -> bytes:
        return b"".join(len(part).to_bytes(4, "big") + part for part in parts)

    terms = lp(
        told["protocol"].encode(),
        told["table"].encode(),
        told["deal"].to_bytes(4, "big"),
        bytes.fromhex(told["rules"]),
        *[seat.encode() for seat in told["seats"]],
        bytes([told["dealer"]]),
        bytes.fromhex(told["previous"]),
    )
    secret = bytes.fromhex(told["secret"])
    assert hashlib.sha256(lp(b"commit-server", terms, secret)).hexdigest() == told["commitment"]
    for seat, share in enumerate(told["shares"]):
        if share:
            promise = hashlib.sha256(lp(b"commit-seat", terms, bytes([seat]), bytes.fromhex(share))).hexdigest()
            assert promise == told["commitments"][seat]
    seed = hmac.digest(secret, lp(b"seed", terms, *[bytes.fromhex(share) for share in told["shares"]]), "sha256")
    order = cut_pack(permutation(stream(seed)), told["cut"])
    places = {"first": order[:15], "second": order[15:25], "third": order[25:]}  # packets of 3, 2 and 3
    right = (told["dealer"] + 1) % 5
    hand = {*places["first"][:3], *places["second"][:2], *places["third"][:3]}
    assert fair.hand_text(card_set(hand), tuple(told["ranks"])) == told["hands"][right]


# --- nothing can be changed -----------------------------------------------------------------------


def holds(told: dict[str, Any]) -> bool:
    try:
        (found,) = fair.read(json.dumps(told))
    except Malformed:
        return False
    return all(fair.check(found).values())


@pytest.mark.parametrize("name", VECTORS)
def test_every_change_is_seen(name: str) -> None:
    told = VECTORS[name]
    forged = list(forgeries(told))
    assert holds(told)
    assert len(forged) > 300
    assert [one for one in forged if holds(one)] == []


def test_what_the_hash_alone_would_not_hold() -> None:
    """A forger who writes a new hash too is caught by the promises and the cards, whatever changes the deal."""
    told = VECTORS["H2"]
    unseen = set()
    for forged in forgeries(told):
        try:
            (found,) = fair.read(json.dumps(forged))
        except Malformed:
            continue
        checks = fair.check(fair.finished(found))
        assert checks["hash"]
        if all(checks.values()):
            unseen |= {key for key in told if forged.get(key) != told[key]}
    # Who sat where, who of the persons cut, a sealed nothing, and whether cards were dealt at all: the next
    # deal's terms hold these, by the hash, and so does everybody who was there.
    assert unseen <= {"chairs", "cutter", "commitments", "hash", "hands"}


def test_the_house_cannot_swap_its_secret() -> None:
    """A house that likes another secret better must tell another hash than it told before."""
    fine = transcript("H1")
    swapped = msgspec.structs.replace(fine, secret="07" * 32)
    assert not fair.check(fair.finished(swapped))["commitment"]
    resealed = msgspec.structs.replace(swapped, commitment=fair.seal(fine.terms, b"\7" * 32).hex())
    assert fair.check(fair.finished(resealed))["commitment"]
    assert resealed.commitment != fine.commitment  # which every page has kept


@pytest.mark.parametrize("seat", [0, 1])
def test_the_house_cannot_swap_anybodys_bytes(seat: int) -> None:
    fine = transcript("H1")
    shares = list(fine.shares)
    for instead in ("ff" * 32, ""):
        shares[seat] = instead
        swapped = msgspec.structs.replace(fine, shares=tuple(shares))
        checks = fair.check(fair.finished(swapped))
        assert not checks["hands"]
        assert checks["shares"] == (instead == "")  # it can claim that somebody was absent; they know better


def test_a_bot_gives_nothing_and_does_not_cut() -> None:
    fine = transcript("H1")
    share = b"\1" * 32
    given = (*fine.shares[:2], share.hex(), *fine.shares[3:])
    promise = fair.commitment_of(fine.terms, 2, share).hex()
    promised = (*fine.commitments[:2], promise, *fine.commitments[3:])
    assert not fair.check(msgspec.structs.replace(fine, shares=given, commitments=promised))["shares"]
    assert not fair.check(msgspec.structs.replace(fine, cutter=2))["cut"]
    assert not fair.check(msgspec.structs.replace(fine, cutter=fair.NOBODY))["cut"]


def test_a_share_without_a_promise_does_not_count() -> None:
    fine = transcript("H1")
    assert fair.check(msgspec.structs.replace(fine, shares=(*fine.shares[:3], "", "")))["shares"]  # sealed, not opened
    bare = msgspec.structs.replace(fine, commitments=("", *fine.commitments[1:]))
    assert not fair.check(bare)["shares"]


def test_a_deal_that_was_never_dealt_is_open_too() -> None:
    fine = msgspec.structs.replace(transcript("H1"), hands=())
    checks = fair.check(fair.finished(fine))
    assert all(checks.values())
    assert not fair.check(msgspec.structs.replace(fine, packets=(4, 5), hands=("",) * 5))["hands"]


# --- lengths, terms, chains -----------------------------------------------------------------------


@given(st.lists(st.binary(max_size=6), max_size=4), st.lists(st.binary(max_size=6), max_size=4))
def test_no_two_lists_of_parts_are_the_same_bytes(ours: list[bytes], theirs: list[bytes]) -> None:
    assert (fair.lp(*ours) == fair.lp(*theirs)) == (ours == theirs)


def test_parts_that_run_into_each_other_without_lengths() -> None:
    one = msgspec.structs.replace(TERMS, seats=("ab", "c", "d", "e", "f"))
    two = msgspec.structs.replace(TERMS, seats=("a", "bc", "d", "e", "f"))
    assert "".join(one.seats) == "".join(two.seats)
    assert fair.seal(one, ZERO_TO_31) != fair.seal(two, ZERO_TO_31)


@pytest.mark.parametrize(
    "change",
    [
        {"table": "T0002"},
        {"deal": 2},
        {"rules": b"\1" * 32},
        {"seats": ("anna", "bruno", "carla", "elena", "dario")},
        {"dealer": 1},
        {"previous": b"\1" * 32},
        {"protocol": fair.BARE},
    ],
)
def test_every_term_counts(change: dict[str, Any]) -> None:
    terms = msgspec.structs.replace(TERMS, protocol=fair.HOUSE)
    assert fair.seal(msgspec.structs.replace(terms, **change), ZERO_TO_31) != fair.seal(terms, ZERO_TO_31)


def test_a_seats_promise_is_no_other_seats() -> None:
    assert fair.commitment_of(TERMS, 0, SHARES[0]) != fair.commitment_of(TERMS, 1, SHARES[0])


@pytest.mark.parametrize("size", [0, 4, 31, 33])
def test_a_secret_has_256_bits(size: int) -> None:
    with pytest.raises(Malformed) as caught:
        fair.seal(TERMS, bytes(size))
    assert caught.value.code == "BAD_SECRET"


def test_deals_make_a_chain() -> None:
    first, second = transcript("H1"), transcript("H2")
    assert fair.is_chain((first, second))
    assert fair.is_chain((second,))
    assert not fair.is_chain((second, first))
    for change in ({"table": "EDCBA"}, {"deal": 3}, {"previous": "00" * 32}):
        assert not fair.is_chain((first, msgspec.structs.replace(second, **change)))
    undealt = msgspec.structs.replace(first, hands=())
    assert not fair.is_chain((undealt, second))
    assert fair.is_chain((undealt, msgspec.structs.replace(second, deal=1)))


def test_files() -> None:
    both = json.dumps({"deals": [VECTORS["H1"], VECTORS["H2"]]})
    assert fair.read(both) == (transcript("H1"), transcript("H2"))
    for broken in (b"", b"[]", b"\xff", b'"x"', b"{}", b'{"deals": 1}', b'{"deals": [], "more": 1}', b"[" * 5_000):
        with pytest.raises(Malformed) as caught:
            fair.read(broken)
        assert caught.value.code == "NOT_A_TRANSCRIPT"


# --- who can choose what --------------------------------------------------------------------------


def test_one_honest_seat_is_enough() -> None:
    """Whatever the house and four seats fixed before, the fifth one's bytes make every deal another."""
    shares = [(*SHARES[:4], bytes([last]) * 32) for last in range(256)]
    seeds = {fair.seed_of(TERMS, ZERO_TO_31, one) for one in shares}  # type: ignore[arg-type]
    assert len(seeds) == 256
    deals = {hands_from(seed, 0) for seed in seeds}
    assert len(deals) == 256
    assert all(a | b | c | d | e == ALL_CARDS for a, b, c, d, e in deals)
