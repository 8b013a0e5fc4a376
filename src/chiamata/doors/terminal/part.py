"""This screen's part in the deals, as every page has one (docs/fair.md): it seals bytes of its own, opens them, and
deals again from the transcript once a deal has ended."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import msgspec

from chiamata.rules.fair import SECRET_BYTES, Terms, Transcript, check, commitment_of, is_chain
from chiamata.server import wire

Wish = tuple[type[wire.Command], dict[str, Any]]
"""A command and its fields, but for the id and the version."""


class Kept(msgspec.Struct):
    """What this screen saw of a deal while it ran.

    Args:
        promise: the house's.
        sealed: the hash under which the share was sealed, "" for nothing.
        counted: the house told everybody that it has the hash, before anything was opened.
        hand: the eight cards, "" for nobody's.
        done: the steps in which this screen has done its part.
    """

    promise: str
    share: bytes = b""
    sealed: str = ""
    counted: bool = False
    hand: str = ""
    done: set[str] = msgspec.field(default_factory=set)


class Part:
    """What was seen and sealed, by deal."""

    def __init__(self, chance: Callable[[int], bytes] = os.urandom) -> None:
        self._chance = chance
        self._kept: dict[int, Kept] = {}
        self._last: Transcript | None = None

    def due(self, scene: wire.Scene) -> Wish | None:
        """Looks at a Scene; what must be sent now, by itself, each part once."""
        fair = scene.fair
        if fair is None:
            return None
        kept = self._kept.setdefault(fair.deal, Kept(fair.commitment))
        me = scene.table.you
        seat = fair.chairs.index(me) if me is not None and me in fair.chairs else -1
        self._see(scene, fair, kept, seat)
        if seat < 0 or me not in fair.waits_for or fair.step in kept.done:
            return None
        if fair.step == "sealing" and not fair.commitments[seat]:
            wish: Wish = wire.DoCommit, {"hash": kept.sealed}
        elif fair.step == "opening" and kept.counted:
            wish = wire.DoShare, {"share": kept.share.hex()}
        else:
            return None
        kept.done.add(fair.step)
        return wish

    def _see(self, scene: wire.Scene, fair: wire.FairScene, kept: Kept, seat: int) -> None:
        if fair.step == "sealing" and seat >= 0 and not kept.share:
            kept.share = self._chance(SECRET_BYTES)
            kept.sealed = commitment_of(_terms(scene, fair), seat, kept.share).hex()
        if fair.step == "opening" and seat >= 0 and kept.sealed:
            kept.counted = fair.commitments[seat] == kept.sealed
        hand = scene.deal.hand if scene.deal else []
        if fair.step == "dealt" and len(hand) == 8 and not kept.hand:
            kept.hand = " ".join(sorted(hand))

    def is_left_out(self, scene: wire.Scene) -> bool:
        """The cards are there, our bytes were sealed in time, and they are not among those told.  Told once."""
        fair = scene.fair
        kept = self._kept.get(fair.deal) if fair else None
        if fair is None or kept is None or fair.step != "dealt" or not fair.shares or "left out" in kept.done:
            return False
        me = scene.table.you
        seat = fair.chairs.index(me) if me is not None and me in fair.chairs else -1
        out = seat >= 0 and kept.counted and fair.shares[seat] != kept.share.hex()
        if out:
            kept.done.add("left out")
        return out

    def asks(self, scene: wire.Scene) -> int:
        """The number of a deal that has ended and has not been checked; 0 for none."""
        fair = scene.fair
        ended = fair is not None and fair.step == "ended" and "checked" not in self._kept[fair.deal].done
        return fair.deal if fair is not None and ended else 0

    def holds(self, scene: wire.Scene, told: Transcript) -> bool:
        """Whether a transcript is right in itself, tells what this screen saw, and follows on the one before."""
        fair, kept = scene.fair, self._kept[told.deal]
        kept.done.add("checked")
        me = scene.table.you
        seat = told.chairs.index(me) if me is not None and me in told.chairs else -1
        answers = [*check(told).values(), told.commitment == kept.promise]
        answers.append(fair is not None and (fair.deal, fair.secret) == (told.deal, told.secret))
        if kept.counted and seat >= 0:
            answers.append((told.commitments[seat], told.shares[seat]) == (kept.sealed, kept.share.hex()))
        if kept.hand and seat >= 0 and told.hands:
            answers.append(" ".join(sorted(told.hands[seat].split())) == kept.hand)
        if self._last is not None and self._last.deal + 1 == told.deal:
            answers.append(is_chain((self._last, told)))
        self._last = told
        return all(answers)

    def cut(self) -> int:
        """Where a pack is cut that nobody touched: 0 to 39, evenly."""
        while (draw := self._chance(1)[0]) >= 240:
            pass
        return draw % 40


def _terms(scene: wire.Scene, fair: wire.FairScene) -> Terms:
    """What was settled before anything was sealed."""
    a, b, c, d, e = fair.seats
    rules, previous = bytes.fromhex(scene.table.rules.fingerprint), bytes.fromhex(fair.previous)
    return Terms(scene.table.code, fair.deal, rules, (a, b, c, d, e), fair.dealer, previous)
