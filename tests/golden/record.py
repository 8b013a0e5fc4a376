"""Records a log in today's form, to be kept for ever: ``python -m tests.golden.record NAME`` (``make golden NAME=…``).

``NAME.log`` is a table's book as it is stored, a line for a line; ``golden.json`` says of each what is new in it and
what it must be folded to.  Nothing that was recorded is ever written anew.  Where the file of the log has a new
version (``log.SCHEMA``), ``sqlite-N.db`` is recorded beside it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from chiamata.rules.cards import cards_in
from chiamata.rules.moves import to_text
from chiamata.server import boxes, pace, table, wire
from chiamata.server import lines as say
from chiamata.server.archive import new_file
from chiamata.server.boxes import End, Keys
from chiamata.server.log import SCHEMA, opened
from tests.server.driver import Driver, rules_with
from tests.server.test_dealing import do_all

FOLDER = Path(__file__).parent
INDEX = FOLDER / "golden.json"
KEY = bytes(range(32))
"""The house's, of all that is recorded here."""
KEYS = Keys([KEY])
BOOK = "ABCDE"
NOTE = ("guest/anna", b"Anna")


class Kept(msgspec.Struct, frozen=True):
    """What is known of one log.

    Args:
        name: of its file, without the ending.
        new: what the logs before it had not.
        book: the table's code.
        sha256: of what it is folded to: see ``digest``.
    """

    name: str
    new: str
    book: str
    sha256: str


def index() -> list[Kept]:
    """Every log that is kept, oldest first."""
    return msgspec.json.decode(INDEX.read_bytes(), type=list[Kept])


def lines_of(name: str) -> list[bytes]:
    """The lines of a log that is kept."""
    return (FOLDER / f"{name}.log").read_bytes().splitlines()


def read(book: str, lines: list[bytes]) -> table.State:
    """The table that these stored lines are folded to."""
    return table.fold(boxes.read(book, lines, KEYS).lines)


def digest(state: table.State) -> str:
    """A hash of what happened at a table, said in words that no later version of the house need change.

    Who sits where, every game's rows, the running deal with its hands, how each ended deal came about: no
    more, so that a State with a new field has the same hash.
    """
    places = [[place.kind, place.who, place.name, place.level, place.here] for place in state.places]
    told: dict[str, Any] = {
        "table": [state.code, state.host, state.secret, state.rules.fingerprint, state.v, state.at],
        "places": places,
        "stage": table.stage_of(state),
        "deals": table.finished(state),
        "fair": [[one.deal, one.commitment, one.secret, one.hash] for one in table.transcripts(state)],
    }
    if state.game is not None and state.game.deal is not None:
        deal, ranks = state.game.deal, state.rules.ranks
        told |= {
            "rows": [list(row.result.payoff) for row in state.game.rows],
            "scores": list(state.game.scores),
            "hands": [[state.rules.card_name(card) for card in cards_in(hand)] for hand in deal.dealt],
            "words": [to_text(word, ranks) for word in deal.public.words],
        }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def play() -> list[bytes]:
    """What is stored of a table at which all happens that a line can tell of.

    A deal that ends, one that is given up since its key is lost, and one that runs.
    """
    rules = rules_with("quick", session={"kind": "open", "deals": None, "allowed": None})
    house = Driver(rules, 4, wire.ClockTag(60, 5))
    made = msgspec.structs.replace(say.decode(house.log[0]), manners=wire.Manners("delayed", chat=True))
    house.log = [say.encode(made)]
    house.state = house.folded = table.fold(house.log)
    house.cuts = True
    house.do(say.Open(1_800_000_000))
    for who in ("host", "anna", "bruno", "carla"):
        house.must(who, "sit")
        house.do(say.Arrive(who, who.title(), cuts=True))
    house.must("anna", "bot", chair=4, level="simple")
    house.must("anna", "say", phrase="thanks")
    house.must("host", "allow", manners=wire.Manners("off", chat=True))
    house.must("bruno", "write", text="Ciao, più tardi è più bello")
    house.must("anna", "start")
    do_all(house)
    house.to_turn_of(1)
    house.do(say.Leave("anna"))
    house.wait(pace.AWAY)
    house.move()
    house.do(say.Arrive("anna", "Anna", cuts=True))
    house.play_deal()
    house.must("bruno", "end")
    for who in ("host", "anna", "bruno", "carla"):
        house.must(who, "next")
    do_all(house)
    house.must("carla", "stand")
    house.play_to("play")
    house.move()
    stored, _ = boxes.seal(BOOK, End(), house.log, KEYS)
    since = max(v for v, line in enumerate(map(say.decode, house.log), 1) if isinstance(line, say.Sealed))
    stored += say.chain([say.Voided(house.state.at, since=since)], say.sum_in(stored[-1]))
    found = boxes.read(BOOK, stored, KEYS)
    house.log = found.lines
    house.state = house.folded = table.fold(found.lines)
    for who in ("host", "anna", "bruno"):
        house.must(who, "next")
    do_all(house)
    house.play_to("play")
    house.move()
    return stored + boxes.seal(BOOK, found.end, house.log[len(stored) :], KEYS)[0]


def main(name: str, new: str) -> int:
    """Records ``name``, with the file's version where that is new; 1 if there is one of this name."""
    if (FOLDER / f"{name}.log").exists():
        print(f"{name} is kept already, and is not written anew", file=sys.stderr)
        return 1
    stored = play()
    (FOLDER / f"{name}.log").write_bytes(b"\n".join(stored) + b"\n")
    kept = Kept(name, new, BOOK, digest(read(BOOK, stored)))
    known = index() if INDEX.exists() else []
    INDEX.write_bytes(msgspec.json.format(msgspec.json.encode([*known, kept]), indent=1) + b"\n")
    file = FOLDER / f"sqlite-{SCHEMA}.db"
    if not file.exists():
        new_file(file, [(BOOK, seq, line) for seq, line in enumerate(stored, 1)], [NOTE])
        db = opened(str(file))
        db.execute("PRAGMA journal_mode = DELETE").fetchall()
        db.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], " ".join(sys.argv[2:])))
