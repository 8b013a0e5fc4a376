"""``chiamata verify FILE-or-URL``: deals again from a transcript and says what holds."""

from __future__ import annotations

import argparse
import re
import sys
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path

from chiamata.rules import fair
from chiamata.rules.errors import Malformed
from chiamata.server.texts import Texts

PATIENCE = 10.0
"""Seconds that an address may take."""
MOST = 20_000_000
"""Bytes: a deal has 1,600, so these are all the deals that one table will see."""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata verify`` its arguments; ``asked.texts`` must hold the Texts when it runs."""
    parser.add_argument("place", metavar="FILE-or-URL", help="a transcript, or the page of a table: http://HOST/t/CODE")
    parser.add_argument("--promised", metavar="HASH", help="the house's promise that your page showed before the cards")
    parser.add_argument("--mine", metavar="BYTES", help="what your page put in, 64 hex digits")
    parser.set_defaults(run=_verify)


def _verify(asked: argparse.Namespace) -> int:
    texts: Texts = asked.texts
    try:
        deals = fair.read(_fetch(asked.place))
    except (OSError, HTTPException, ValueError) as error:  # Malformed is one; so is an address that is none
        reason = f"{error.code}: {error.fix}" if isinstance(error, Malformed) else error
        print(texts.say("fair.unreadable", file=asked.place, reason=reason), file=sys.stderr)
        return 1
    holds = [_told(texts, deal) for deal in deals]
    holds.append(_say(texts, "chain", fair.is_chain(deals)))
    if asked.promised:
        holds.append(_say(texts, "promised", any(deal.commitment == asked.promised for deal in deals)))
    if asked.mine:
        holds.append(_say(texts, "mine", any(asked.mine in deal.shares for deal in deals)))
    print(texts.say("fair.holds" if all(holds) else "fair.not_all"))
    return 0 if all(holds) else 1


def _fetch(place: str) -> bytes:
    """What the file or the address holds; of a table's page, the transcripts of the table."""
    if not place.startswith(("http://", "https://")):
        return Path(place).read_bytes()
    address = re.sub(r"/t/([A-Za-z]{5})/?$", lambda found: f"/api/tables/{found[1].upper()}/transcripts", place)
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return bytes(answer.read(MOST))
    except urllib.error.HTTPError as error:
        error.close()  # it holds the line open
        raise


def _told(texts: Texts, deal: fair.Transcript) -> bool:
    """Prints what holds of a deal and who put something in."""
    print(texts.say("fair.deal_of", deal=deal.deal, table=deal.table))
    checks = fair.check(deal)
    for name, fine in checks.items():
        _say(texts, name, fine)
    gave = [seat for seat, share in zip(deal.seats, deal.shares, strict=True) if share]
    away = [
        seat for seat, one, share in zip(deal.seats, deal.commitments, deal.shares, strict=True) if one and not share
    ]
    print("    " + (texts.say("fair.gave", names=", ".join(gave)) if gave else texts.say("fair.gave_none")))
    if away:
        print("    " + texts.say("fair.absent", names=", ".join(away)))
    if deal.cutter == fair.NOBODY:
        print("    " + texts.say("fair.cut_none"))
    else:
        print("    " + texts.say("fair.cut_by", name=deal.seats[deal.cutter], n=deal.cut))
    return all(checks.values())


def _say(texts: Texts, name: str, fine: bool) -> bool:
    print(f"  {'✓' if fine else '✗'} {texts.say(f'fair.check_{name}')}")
    return fine
