#!/usr/bin/env python3
"""Deals again from a transcript of Chiamata and says whether everything holds.  Standard library only, no network.

    python3 verify.py deal.json [--promised HASH] [--mine BYTES]

``--promised``: the house's promise that your page showed before the cards.
``--mine``: the bytes that your page put in (64 hex digits).  Both are in the
file that the page lets you save.  docs/fair.md says what all this proves.
This file is written apart from the server, so that two programs must agree.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys

BARE, HOUSE = "briscola-chiamata/deal/v1", "briscola-chiamata/deal/v2"


def lp(*parts):
    """The parts, each behind its length in four bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def sha(*parts):
    return hashlib.sha256(lp(*parts))


def whole(least, most):
    return lambda it: type(it) is int and least <= it <= most


def some(least, most, fits):
    return lambda it: type(it) is list and least <= len(it) <= most and all(fits(one) for one in it)


def text(it):
    return type(it) is str and len(it) <= 100


def hexes(it):
    return type(it) is str and bool(re.fullmatch("[0-9a-f]{64}", it))


def hexes_or_none(it):
    return it == "" or hexes(it)


SHAPE = {
    "protocol": lambda it: it in (BARE, HOUSE), "table": text, "deal": whole(1, 2**32 - 1), "rules": hexes,
    "ranks": some(10, 10, text), "packets": some(1, 8, whole(1, 8)), "seats": some(5, 5, text),
    "chairs": some(5, 5, whole(0, 8)), "dealer": whole(0, 4), "previous": hexes_or_none, "commitment": hexes,
    "commitments": some(5, 5, hexes_or_none), "shares": some(5, 5, hexes_or_none), "cutter": whole(-1, 4),
    "cut": whole(0, 39), "secret": hexes, "hands": some(0, 5, text), "hash": hexes,
}  # fmt: skip


def terms_of(told):
    """What was settled before anything was sealed, as bytes."""
    parts = [told["protocol"].encode(), told["table"].encode(), told["deal"].to_bytes(4, "big")]
    parts += [bytes.fromhex(told["rules"]), *(seat.encode() for seat in told["seats"])]
    return lp(*parts) if told["protocol"] == BARE else lp(*parts, bytes([told["dealer"]]), raw(told["previous"]))


raw = bytes.fromhex


def hands_of(told, terms):
    """The five hands that follow: HMAC stream, Fisher-Yates with rejection, the cut, the packets."""
    seed = hmac.digest(raw(told["secret"]), lp(b"seed", terms, *map(raw, told["shares"])), "sha256")
    blocks = (hmac.digest(seed, b"blk" + n.to_bytes(4, "big"), "sha256") for n in range(2**32))
    draws = (byte for block in blocks for byte in block)
    pack = list(range(40))
    for last in range(39, 0, -1):
        fair = 256 - 256 % (last + 1)  # bytes from here on would favour some cards: they are drawn again
        chosen = next(byte for byte in draws if byte < fair) % (last + 1)
        pack[last], pack[chosen] = pack[chosen], pack[last]
    pack = pack[told["cut"] :] + pack[: told["cut"]]
    hands = [[] for _ in range(5)]
    for packet in told["packets"]:
        for right in range(1, 6):
            hands[(told["dealer"] + right) % 5] += pack[:packet]
            del pack[:packet]
    return [" ".join(told["ranks"][card % 10] + "CHDS"[card // 10] for card in sorted(hand)) for hand in hands]


def check(told):
    """Every check by its name; ``shape`` alone, and false, for what is no transcript."""
    if type(told) is not dict or set(told) != set(SHAPE) or not all(SHAPE[name](told[name]) for name in SHAPE):
        return {"shape": False}
    terms = terms_of(told)

    def is_bot(seat):
        return told["protocol"] == HOUSE and told["seats"][seat].startswith("bot:")

    def is_kept(seat):
        promise, share = told["commitments"][seat], told["shares"][seat]
        if is_bot(seat) or not share:
            return not share and not (is_bot(seat) and promise)
        return sha(b"commit-seat", terms, bytes([seat]), raw(share)).hexdigest() == promise

    parts = [b"transcript", terms, bytes([told["dealer"]]), raw(told["previous"]), " ".join(told["ranks"]).encode()]
    parts += [bytes(told["packets"]), bytes(told["chairs"]), raw(told["commitment"])]
    parts += map(raw, told["commitments"] + told["shares"])
    parts += [bytes([told["cutter"] % 256, told["cut"]]), raw(told["secret"]), *(hand.encode() for hand in told["hands"])]
    return {
        "shape": True,
        "commitment": sha(b"commit-server", terms, raw(told["secret"])).hexdigest() == told["commitment"],
        "shares": all(map(is_kept, range(5))),
        "cut": told["cut"] == 0 if told["cutter"] < 0 else not is_bot(told["cutter"]),
        "hands": not told["hands"] or (sum(told["packets"]) == 8 and hands_of(told, terms) == told["hands"]),
        "hash": sha(*parts).hexdigest() == told["hash"],
    }


def is_chain(deals):
    """Whether these are deals of one table, one after the other, none left out and none put in."""
    return all(
        (after["table"], after["deal"], after["previous"])
        == (before["table"], before["deal"] + bool(before["hands"]), before["hash"])
        for before, after in zip(deals, deals[1:])
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="a transcript, or the transcripts of a table")
    parser.add_argument("--promised", help="the house's promise that you saw before the cards")
    parser.add_argument("--mine", help="the bytes that you put in")
    parser.add_argument("--json", action="store_true", help="the bare answers")
    asked = parser.parse_args()
    with open(asked.file, encoding="utf-8") as file:
        told = json.load(file)
    deals = told["deals"] if type(told) is dict and set(told) == {"deals"} else [told]
    answers = [check(one) for one in deals]
    if all(answer["shape"] for answer in answers):
        answers.append({"chain": is_chain(deals)})
        if asked.promised:
            answers.append({"promised": any(one["commitment"] == asked.promised for one in deals)})
        if asked.mine:
            answers.append({"mine": any(asked.mine in one["shares"] for one in deals)})
    if asked.json:
        print(json.dumps(answers))
    else:
        for answer in answers:
            print("  ".join(("ok " if fine else "WRONG ") + name for name, fine in answer.items()))
    return 0 if deals and all(all(answer.values()) for answer in answers) else 1


if __name__ == "__main__":
    sys.exit(main())
