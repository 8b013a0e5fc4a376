"""A pack whose cards can be recognised wherever they turn up, and what of a running deal nobody else may know.

Each rank of the pack is a word of six random letters, so a card (``QZKVWXH``) is a text that
stands nowhere but where somebody wrote that card.  Hands are also looked for as the numbers
that the rules keep them as, and secrets as bytes, in hexadecimal and base64.
"""

from __future__ import annotations

import base64
import random
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from chiamata.rules import catalogue
from chiamata.rules.cards import SUITS, CardSet, card_set
from chiamata.server import boxes, vault
from chiamata.server import lines as say
from chiamata.server.archive import FileArchive

ROOT = Path(__file__).parents[2]
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Without vowels: no word of any language."""
FEW = 3
"""A hand of so many cards and more is a number that is written nowhere by chance."""


def pack(seed: int) -> dict[str, Any]:
    """The rule set ``classic`` with ranks that are random words."""
    rules = catalogue.load("classic").to_mapping()
    deck, dice = rules["deck"], random.Random(seed)
    words = {rank: "".join(dice.choices(LETTERS, k=6)) for rank in deck["ranks"]}
    deck["ranks"], deck["card_points"] = (
        [*words.values()],
        {words[rank]: points for rank, points in deck["card_points"].items()},
    )
    for order in ("trick_order", "auction_order"):
        deck[order] = [words[rank] for rank in deck[order]]
    return rules | {"id": "canary", "deck": deck}


def site(folder: Path) -> dict[str, str]:
    """The environment of a house that takes such packs; a file beside ``sitecustomize.py`` seeds what it is named."""
    folder.mkdir()
    shutil.copy(Path(__file__).with_name("sitecustomize.py"), folder)
    return {"PYTHONPATH": f"{folder}:{ROOT / 'src'}"}


class Running(msgspec.Struct):
    """A running deal, as its log says.

    Args:
        hands: of each seat, the names as they were dealt.
        played: names that lay open, in their order.
        called: the called card, whose name everybody knows.
        ranks: of the pack.
        secrets: of table and deal.
    """

    hands: list[list[str]]
    played: list[str]
    called: str
    ranks: list[str]
    secrets: list[bytes]

    def marks(self, but: Iterable[str] = ()) -> list[bytes]:
        """All texts by which a card that is still held can be told, but for the hand that these cards are of."""
        own = set(but)
        found = [
            mark
            for hand in self.hands
            if not own & {*hand}
            for mark in [*({*hand} - {*self.played, self.called}), *map(str, self._numbers(hand))]
        ]
        for secret in self.secrets:
            found += [secret.hex(), secret.hex().upper(), repr(secret)[2:-1]]
            found += [code(secret).decode()[:40] for code in (base64.b64encode, base64.urlsafe_b64encode)]
        return [mark.encode() for mark in found] + self.secrets

    def _numbers(self, hand: list[str]) -> Iterable[CardSet]:
        """The hand as the rules keep it, from the deal on."""
        held = [name for name in self.played if name in hand]
        held = held + [name for name in hand if name not in held]
        for gone in range(len(hand) - FEW + 1):
            yield card_set(SUITS.index(name[-1]) * 10 + self.ranks.index(name[:-1]) for name in held[gone:])


def running(db: Path, code: str) -> Running:
    """What the log of a house, opened with its key, says of the deal that runs."""
    log = [line for _, line in FileArchive(db).lines(code)]
    lines = [say.decode(line) for line in boxes.read(code, log, vault.read(vault.beside(db))).lines]
    made = lines[0]
    assert isinstance(made, say.Made)
    sealed = [line for line in lines if isinstance(line, say.Sealed)][-1]
    words = [line.word for line in lines[lines.index(sealed) :] if isinstance(line, say.Spoken)]
    secrets = [bytes.fromhex(made.secret), bytes.fromhex(sealed.secret)]
    return Running(
        hands=[hand.split() for hand in words[0]["hands"]],
        played=[word["card"] for word in words if word["do"] == "play"],
        called=next((word["card"] for word in words if word["do"] == "call"), ""),
        ranks=made.rules["deck"]["ranks"],
        secrets=secrets,
    )


def seen(data: bytes, marks: Iterable[bytes]) -> list[bytes]:
    """Which of the marks stand in these bytes, in UTF-8 or in UTF-16 as browsers keep texts on the disk."""
    return [mark for mark in marks if mark in data or mark.decode("latin-1").encode("utf-16-le") in data]
