"""A deal on its way: the house's secret, everybody's bytes, the cut, and only then the cards.  Pure.

Three steps, each of which ends when nobody is waited for or its time is over:
*sealing* (each who takes part sends the hash of bytes of their own, and one cuts),
*opening* (they send the bytes) and the cards.  Nobody's bytes are opened before
the cut is made and everything is sealed, so that whoever comes last cannot choose.
Who takes part is settled when the secret is sealed: the persons in the five
seats whose pages said that they can.  Where nobody does, the cards come at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from chiamata.rules import fair
from chiamata.rules.cards import SEATS, CardSet, Seat
from chiamata.rules.errors import Bug
from chiamata.rules.fair import NONE, Five, Terms, Transcript
from chiamata.rules.ruleset import RuleSet
from chiamata.server import wire
from chiamata.server.lines import Ask, Committed, Cut, Line, Sealed, Shared, ShareNow
from chiamata.server.seating import Place, Refused

CUT = 2_000
"""The cutter has so long; then the page cuts by itself."""
SEALING, OPENING = 3_000, 3_000
"""So long each step waits for those who take part; who is later is absent from this deal."""


class Opening(msgspec.Struct, frozen=True):
    """A deal on its way, or how a running one came about.

    Args:
        v, at: the line that sealed the secret, and when the present step began.
        chairs: of the five seats.
        people: the guests in the five seats who take part; "" for the others.
        cutter: the seat that may cut, -1 for none.
        cut: how many cards it lifted, -1 before.
        opened: the second step has begun.
    """

    terms: Terms
    secret: bytes
    v: int
    at: int
    chairs: tuple[int, ...]
    people: tuple[str, ...]
    cutter: Seat
    cut: int = -1
    commitments: Five = NONE
    shares: Five = NONE
    opened: bool = False

    def waits_for(self) -> list[Seat]:
        """The seats that have not done their part in this step."""
        if self.opened:
            return [seat for seat in SEATS if self.commitments[seat] and not self.shares[seat]]
        return [
            seat
            for seat in SEATS
            if self.people[seat] and (not self.commitments[seat] or (seat == self.cutter and self.cut < 0))
        ]

    @property
    def deadline(self) -> int:
        """When this step ends, whoever is late."""
        return self.at + (OPENING if self.opened else SEALING)

    @property
    def seed(self) -> bytes:
        """What the order of the pack follows from, once everything is open."""
        return fair.seed_of(self.terms, self.secret, self.shares)

    @property
    def lifted(self) -> int:
        """How many cards were lifted: none where nobody cut."""
        return max(0, self.cut)


class Record(msgspec.Struct, frozen=True):
    """How a deal came about, and its hands; none where the game ended before they were dealt."""

    opening: Opening
    hands: tuple[CardSet, ...] = ()

    def transcript(self, rules: RuleSet) -> Transcript:
        """All of it, the secret too: for deals that have ended."""
        opening, terms = self.opening, self.opening.terms
        said: dict[str, Any] = {name: tuple([part.hex() for part in getattr(opening, name)]) for name in PROMISES}
        return fair.finished(
            Transcript(
                protocol=fair.HOUSE,
                table=terms.table,
                deal=terms.deal,
                rules=terms.rules.hex(),
                ranks=rules.ranks,  # type: ignore[arg-type]  # ten, as the rule set has checked
                packets=rules.deal.packets,
                seats=terms.seats,
                chairs=opening.chairs,
                dealer=terms.dealer,
                previous=terms.previous.hex(),
                commitment=fair.seal(terms, opening.secret).hex(),
                cutter=opening.cutter if opening.cut >= 0 else fair.NOBODY,
                cut=opening.lifted,
                secret=opening.secret.hex(),
                hands=tuple([fair.hand_text(hand, rules.ranks) for hand in self.hands]),
                hash="",
                **said,
            )
        )


PROMISES = ("commitments", "shares")


# --- folding --------------------------------------------------------------------------------------


def begin(terms: Terms, line: Sealed, v: int, places: Sequence[tuple[int, Place]]) -> Opening:
    """A deal whose secret has just been sealed.

    Args:
        v: the line's number.
        places: the chair and the place of each of the five seats.
    """
    people = tuple([place.who if takes_part(place) else "" for _, place in places])
    return Opening(
        terms,
        bytes.fromhex(line.secret),
        v=v,
        at=line.at,
        chairs=tuple([chair for chair, _ in places]),
        people=people,
        cutter=_cutter(people, terms.dealer),
    )


def takes_part(place: Place) -> bool:
    """A person who is here with a page that can."""
    return place.kind == "person" and place.here and place.cuts


def name_of(place: Place) -> str:
    """How a seat is called in the terms."""
    return f"person:{place.name}" if place.kind == "person" else fair.BOT + place.level


def _cutter(people: Sequence[str], dealer: Seat) -> Seat:
    """The dealer's left neighbour; failing that the next to the left, the dealer last of all."""
    lefts = [(dealer - left) % 5 for left in range(1, 6)]
    return next((seat for seat in lefts if people[seat]), fair.NOBODY)


def follow(opening: Opening, line: Line) -> Opening:
    """The deal on its way after this line."""
    change = msgspec.structs.replace
    match line:
        case Committed(seat=seat, hash=text):
            return change(opening, commitments=_put(opening.commitments, seat, text))
        case Cut(seat=_, cut=cut):
            return change(opening, cut=cut)
        case ShareNow(at=at):
            return change(opening, opened=True, at=at)
        case Shared(seat=seat, share=text):
            return change(opening, shares=_put(opening.shares, seat, text))
        case _:
            raise Bug("a line that is no part of a deal")


def _put(five: Five, seat: Seat, text: str) -> Five:
    a, b, c, d, e = [bytes.fromhex(text) if place == seat else kept for place, kept in enumerate(five)]
    return a, b, c, d, e


# --- deciding -------------------------------------------------------------------------------------


def part(opening: Opening | None, ask: Ask, now: int) -> list[Line]:
    """``DoCommit``, ``DoCut`` and ``DoShare``: a person's part in the deal on its way."""
    if opening is None:
        raise Refused("WRONG_PHASE")
    if ask.do.v < opening.v:
        raise Refused("STALE")
    if not ask.who or ask.who not in opening.people:
        raise Refused("NO_PART_IN_THIS_DEAL")
    seat = opening.people.index(ask.who)
    match ask.do:
        case wire.DoCommit(hash=text):
            if opening.opened or opening.commitments[seat]:
                raise Refused("WRONG_PHASE")
            return [Committed(now, seat=seat, hash=text)]
        case wire.DoCut(cut=cut):
            if opening.opened or opening.cut >= 0 or seat != opening.cutter:
                raise Refused("NOT_YOUR_CUT")
            return [Cut(now, seat=seat, cut=cut)]
        case wire.DoShare(share=text):
            if not opening.opened or opening.shares[seat]:
                raise Refused("WRONG_PHASE")
            if fair.commitment_of(opening.terms, seat, bytes.fromhex(text)) != opening.commitments[seat]:
                raise Refused("NOT_WHAT_WAS_SEALED", "share")
            return [Shared(now, seat=seat, share=text)]
        case _:
            raise Bug("a command that is no part of a deal")


def is_over(opening: Opening, now: int) -> bool:
    """Whether the step waits for nobody any more."""
    return not opening.waits_for() or now >= opening.deadline


def is_ready(opening: Opening, now: int) -> bool:
    """Whether the cards can be dealt: all is open, or nobody has sealed anything that could be opened."""
    return is_over(opening, now) and (opening.opened or not any(opening.commitments))


# --- what people see ------------------------------------------------------------------------------


def on_its_way(opening: Opening, now: int, pace: float) -> wire.FairScene:
    """A deal before its cards, as everybody sees it: what is sealed, never what was opened.

    ``pace``: factor on the time that the cutter has.
    """
    terms, cutter = opening.terms, opening.cutter
    return wire.FairScene(
        deal=terms.deal,
        step="opening" if opening.opened else "sealing",
        commitment=fair.seal(terms, opening.secret).hex(),
        seats=list(terms.seats),
        chairs=list(opening.chairs),
        dealer=terms.dealer,
        previous=terms.previous.hex(),
        commitments=[promise.hex() for promise in opening.commitments],
        waits_for=[opening.chairs[seat] for seat in opening.waits_for()],
        cutter=opening.chairs[cutter] if cutter >= 0 else None,
        cut=opening.cut if opening.cut >= 0 else None,
        cut_in=max(0, opening.at + int(CUT * pace) - now),
    )


def of_a_deal(opening: Opening, fresh: bool, ended: bool) -> wire.FairScene:
    """How a deal came about, as everybody sees it.

    Args:
        fresh: no card is down yet: everybody's bytes are told, for each to find their own among them.
        ended: the secret is open.
    """
    seen = wire.FairScene(
        deal=opening.terms.deal,
        step="ended" if ended else "dealt",
        commitment=fair.seal(opening.terms, opening.secret).hex(),
    )
    if ended:
        return msgspec.structs.replace(seen, secret=opening.secret.hex())
    if not fresh:
        return seen
    return msgspec.structs.replace(
        seen,
        shares=[share.hex() for share in opening.shares],
        chairs=list(opening.chairs),
        cutter=opening.chairs[opening.cutter] if opening.cut >= 0 else None,
        cut=opening.lifted,
    )
