"""The verifiable deal: what is promised before the cards, what follows from it, and how anybody checks it after.

The house seals a secret (it tells the hash), everybody at the table seals bytes
of their own, one person cuts, everybody opens, and the order of the pack
follows from all of it.  docs/fair.md says what that proves and what not.
Everything that is hashed is first written as parts with their lengths before
them, so that no two lists of parts are the same bytes.
"""

from __future__ import annotations

import hashlib
import hmac
from itertools import pairwise
from typing import Annotated, Literal, TypeAlias

import msgspec

from chiamata.rules.cards import SEATS, SUITS, CardSet, Seat, cards_in
from chiamata.rules.errors import Malformed
from chiamata.rules.shuffle import hands_from

BARE: Literal["briscola-chiamata/deal/v1"] = "briscola-chiamata/deal/v1"
"""The protocol of the published examples: its terms name neither the dealer nor the deal before."""
HOUSE: Literal["briscola-chiamata/deal/v2"] = "briscola-chiamata/deal/v2"
"""The one played here: the terms also name the dealer and the hash of the transcript before."""
SECRET_BYTES = 32
"""256 bits: the hash is public, so a shorter secret could be searched for while the deal runs."""
NOBODY = -1
"""As cutter: the pack was not cut."""
BOT = "bot:"
"""How a bot's seat begins; ``person:`` is a person's."""

Five: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes]
NONE: Five = (b"", b"", b"", b"", b"")
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1, lt=2**32)]
Hex: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
HexOrNone: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
Text: TypeAlias = Annotated[str, msgspec.Meta(max_length=100)]


def lp(*parts: bytes) -> bytes:
    """The parts one after the other, each behind its length in four bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(lp(*parts)).digest()


class Terms(msgspec.Struct, frozen=True):
    """What a deal is about, settled before anything is sealed.

    Args:
        deal: its number at the table, from 1.
        rules: the rule set's fingerprint, 32 bytes.
        seats: who sits in the five seats: ``person:NAME`` or ``bot:LEVEL``.
        previous: the hash of the transcript before, b"" for a table's first.
    """

    table: str
    deal: int
    rules: bytes
    seats: tuple[str, str, str, str, str]
    dealer: Seat = 0
    previous: bytes = b""
    protocol: str = HOUSE

    def data(self) -> bytes:
        """The terms as the bytes that go into every hash of the deal."""
        parts = [self.protocol.encode(), self.table.encode(), self.deal.to_bytes(4, "big"), self.rules]
        parts += [seat.encode() for seat in self.seats]
        return lp(*parts) if self.protocol == BARE else lp(*parts, bytes([self.dealer]), self.previous)


def seal(terms: Terms, secret: bytes) -> bytes:
    """The house's promise: the hash of its secret under these terms."""
    if len(secret) != SECRET_BYTES:
        raise Malformed("BAD_SECRET", "secret", len(secret), f"Give {SECRET_BYTES} bytes.")
    return _hash(b"commit-server", terms.data(), secret)


def commitment_of(terms: Terms, seat: Seat, share: bytes) -> bytes:
    """A seat's promise: the hash of the bytes that it will open."""
    return _hash(b"commit-seat", terms.data(), bytes([seat]), share)


def seed_of(terms: Terms, secret: bytes, shares: Five) -> bytes:
    """The 32 bytes from which the order of the pack follows; b"" for a seat that gave nothing."""
    return hmac.digest(secret, lp(b"seed", terms.data(), *shares), "sha256")


class Transcript(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that happened on the way to a deal: enough to deal it again.  Published once the deal has ended.

    Args:
        ranks: the names of the ranks as the pack has them, for the names of the cards.
        packets: how many cards each seat gets in each round.
        chairs: the chair of each of the five seats.
        commitments, shares: by seat; "" for none.  One who sealed and did not open is absent.
        cutter: a seat, -1 where nobody cut.
        hands: by seat; none where the game ended before the cards were dealt.
        hash: over all of it; the next deal's terms name it.
    """

    protocol: Literal["briscola-chiamata/deal/v1", "briscola-chiamata/deal/v2"]
    table: Text
    deal: Number
    rules: Hex
    ranks: tuple[Text, Text, Text, Text, Text, Text, Text, Text, Text, Text]
    packets: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=8)], ...], msgspec.Meta(min_length=1, max_length=8)]
    seats: tuple[Text, Text, Text, Text, Text]
    chairs: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=8)], ...], msgspec.Meta(min_length=5, max_length=5)]
    dealer: Annotated[int, msgspec.Meta(ge=0, le=4)]
    previous: HexOrNone
    commitment: Hex
    commitments: tuple[HexOrNone, HexOrNone, HexOrNone, HexOrNone, HexOrNone]
    shares: tuple[HexOrNone, HexOrNone, HexOrNone, HexOrNone, HexOrNone]
    cutter: Annotated[int, msgspec.Meta(ge=NOBODY, le=4)]
    cut: Annotated[int, msgspec.Meta(ge=0, le=39)]
    secret: Hex
    hands: Annotated[tuple[Text, ...], msgspec.Meta(max_length=5)]
    hash: Hex

    @property
    def terms(self) -> Terms:
        """The terms that it says were settled."""
        return Terms(
            self.table,
            self.deal,
            bytes.fromhex(self.rules),
            self.seats,
            self.dealer,
            bytes.fromhex(self.previous),
            self.protocol,
        )


def hash_of(transcript: Transcript) -> str:
    """64 hex digits over everything in the transcript but this."""
    return _hash(
        b"transcript",
        transcript.terms.data(),
        bytes([transcript.dealer]),
        bytes.fromhex(transcript.previous),
        " ".join(transcript.ranks).encode(),
        bytes(transcript.packets),
        bytes(transcript.chairs),
        bytes.fromhex(transcript.commitment),
        *_five(transcript.commitments),
        *_five(transcript.shares),
        bytes([transcript.cutter % 256, transcript.cut]),
        bytes.fromhex(transcript.secret),
        *[hand.encode() for hand in transcript.hands],
    ).hex()


def finished(transcript: Transcript) -> Transcript:
    """The transcript with the hash that belongs to it."""
    return msgspec.structs.replace(transcript, hash=hash_of(transcript))


def hand_text(hand: CardSet, ranks: tuple[str, ...]) -> str:
    """``AC 3C 5H``: the cards in the order of the pack."""
    return " ".join(ranks[card % 10] + SUITS[card // 10] for card in cards_in(hand))


def _five(texts: tuple[str, str, str, str, str]) -> Five:
    a, b, c, d, e = map(bytes.fromhex, texts)
    return a, b, c, d, e


def read(data: bytes | str) -> tuple[Transcript, ...]:
    """The transcripts of a file: one, or ``{"deals": [...]}``; Malformed for anything else."""
    try:
        found = msgspec.json.decode(data)
        if isinstance(found, dict) and set(found) == {"deals"}:
            return msgspec.convert(found["deals"], tuple[Transcript, ...])
        return (msgspec.convert(found, Transcript),)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed("NOT_A_TRANSCRIPT", "transcript", data[:80], f"{error}.") from None


CHECKS = ("commitment", "shares", "cut", "hands", "hash")


def check(transcript: Transcript) -> dict[str, bool]:
    """Each of CHECKS and whether it holds: the secret is the one that was sealed, everybody's bytes are those
    that they sealed, only a person cut, the hands are what follows, and the hash is over just this."""
    return {
        "commitment": seal(transcript.terms, bytes.fromhex(transcript.secret)).hex() == transcript.commitment,
        "shares": all(_is_kept(transcript, seat) for seat in SEATS),
        "cut": _is_cut_fair(transcript),
        "hands": _are_dealt(transcript),
        "hash": transcript.hash == hash_of(transcript),
    }


def _is_kept(transcript: Transcript, seat: Seat) -> bool:
    """Whether a seat opened what it sealed, or nothing; a bot has nothing to open."""
    promise, share = transcript.commitments[seat], transcript.shares[seat]
    if _is_bot(transcript, seat):
        return not promise and not share
    return not share or commitment_of(transcript.terms, seat, bytes.fromhex(share)).hex() == promise


def _is_cut_fair(transcript: Transcript) -> bool:
    if transcript.cutter == NOBODY:
        return transcript.cut == 0
    return not _is_bot(transcript, transcript.cutter)


def _is_bot(transcript: Transcript, seat: Seat) -> bool:
    """In the bare protocol a seat's name says nothing."""
    return transcript.protocol == HOUSE and transcript.seats[seat].startswith(BOT)


def _are_dealt(transcript: Transcript) -> bool:
    """Whether the hands follow from the rest; true as well where none were dealt."""
    if not transcript.hands:
        return True
    if sum(transcript.packets) != 8:
        return False
    seed = seed_of(transcript.terms, bytes.fromhex(transcript.secret), _five(transcript.shares))
    hands = hands_from(seed, transcript.dealer, transcript.cut, transcript.packets)
    return transcript.hands == tuple(hand_text(hand, transcript.ranks) for hand in hands)


def is_chain(transcripts: tuple[Transcript, ...]) -> bool:
    """Whether these are deals of one table, one after the other, none left out and none put in.

    A deal that was never dealt leaves its number to the next.
    """
    return all(
        (after.table, after.deal, after.previous) == (before.table, before.deal + bool(before.hands), before.hash)
        for before, after in pairwise(transcripts)
    )
