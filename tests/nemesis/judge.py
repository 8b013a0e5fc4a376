"""The referee program: the journals of everybody who played against the log as it lies on the disk.

It is given nothing by the server but what reached the wire and the lines of
the log, and it believes neither: what was acknowledged must be in the log, no
command twice, every frame must be the scene of the line that it names, no card
or secret in a frame of somebody who may not know it, the payoffs those of the
second writing of the rules, and every promise about the cards opened and kept.

    python -m tests.nemesis.judge FOLDER     judges FOLDER/house.db and FOLDER/journals/*.json
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from chiamata.rules import fair
from chiamata.rules.errors import Bug, Illegal, Malformed
from chiamata.rules.moves import Dealt, End, from_json, to_text
from chiamata.server import lines as say
from chiamata.server import picture, table, wire
from tests.nemesis import opener
from tests.nemesis.opener import Rows
from tests.rules.second_writing import Referee

COUNTS = ("lost", "dup", "forked", "leaked", "diverged", "unopened")
SHOWN = 20
"""So many complaints are printed."""
MOVES = ("bid", "pass", "claim", "call", "play", "trump", "commit", "cut", "share")
"""Commands that are never granted without a line of their own."""
NOT_FINAL = ("NOT_SAVED", "TABLE_STOPPED")
"""Refusals after which the same command may be sent again and granted."""
CARD = re.compile(r"(?:[A-Z2-9]|10)[CHDS]")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a client noted.

    Args:
        kind: ``sent`` (``text`` is the command), ``heard`` (``text`` is the frame), ``open`` (a new
            connection; nothing of the old one is heard any more) or ``opened`` (``text``: the table's transcripts).
        at: seconds since the client began.
    """

    kind: str
    at: float
    text: str = ""


class Journal(msgspec.Struct, frozen=True):
    """What one client sent to a table and heard of it, in the order in which it did.

    Args:
        who: the guest as the log names them; "" for a watcher.
        pace: the house's, for the scenes.
    """

    code: str
    who: str
    entries: list[Entry]
    pace: float = 0.0


class Verdict(msgspec.Struct):
    """What was found; ``complaints`` say where, and name no card and no secret."""

    games: int = 0
    moves: int = 0
    frames: int = 0
    counts: Counter[str] = msgspec.field(default_factory=Counter)
    complaints: list[str] = []

    def complain(self, kind: str, text: str) -> None:
        """One more of a kind."""
        self.counts[kind] += 1
        self.complaints.append(f"{kind}: {text}")

    @property
    def is_clean(self) -> bool:
        """Whether nothing at all was found."""
        return not self.complaints

    def line(self, faults: int) -> str:
        """The one line of the report."""
        found = " ".join(f"{kind}={self.counts[kind]}" for kind in COUNTS)
        return f"games={self.games} moves={self.moves} faults={faults} {found}"


# --- one table ------------------------------------------------------------------------------------


def judge(rows: Rows, journals: list[Journal], verdict: Verdict) -> None:
    """Judges one table.

    Args:
        rows: number and bytes of its lines.
        journals: of those who were there.
        verdict: takes what is found.
    """
    code = journals[0].code
    if [seq for seq, _ in rows] != [*range(1, len(rows) + 1)]:
        verdict.complain("forked", f"{code}: the lines are not 1, 2, 3, …")
        return
    verdict.games += 1
    try:
        log = [say.decode(line) for _, line in rows]
        verdict.moves += sum(isinstance(line, say.Spoken) for line in log)
        _judge_answers(log, journals, verdict)
        _judge_frames(log, journals, verdict)
        _judge_payoffs(log, code, verdict)
        _judge_promises(log, journals, verdict)
    except (Malformed, Illegal, Bug) as error:
        verdict.complain("diverged", f"{code}: the log cannot be replayed: {type(error).__name__}")


def _heard(journal: Journal) -> Iterator[tuple[str, wire.ToBrowser]]:
    for entry in journal.entries:
        if entry.kind == "heard":
            yield entry.text, msgspec.json.decode(entry.text, type=wire.ToBrowser)


def _judge_answers(log: list[say.Line], journals: list[Journal], verdict: Verdict) -> None:
    """Acknowledged ⊆ log, each command at most once, one command one answer."""
    places: dict[tuple[str, str], int] = {}
    for place, line in enumerate(log, 1):
        if line.id and places.setdefault((line.who, line.id), place) != place:
            verdict.complain("dup", f"{journals[0].code}: lines {places[line.who, line.id]} and {place} answer one id")
    for who in {journal.who for journal in journals if journal.who}:
        mine = [journal for journal in journals if journal.who == who]
        sent: dict[str, dict[str, Any]] = {}
        for entry in [entry for journal in mine for entry in journal.entries if entry.kind == "sent"]:
            command = msgspec.json.decode(entry.text)
            sent[command["id"]] = command
        acked: dict[str, int] = {}
        for _, answer in [found for journal in mine for found in _heard(journal)]:
            if isinstance(answer, wire.Ack) and acked.setdefault(answer.id, answer.v) != answer.v:
                verdict.complain("dup", f"{mine[0].code}: {answer.id} was granted as two lines")
        refused = {no.id for one in mine for _, no in _heard(one) if isinstance(no, wire.No) and _is_final(no)}
        for ident in refused & acked.keys():
            verdict.complain("dup", f"{mine[0].code}: {ident} was granted and refused")
        for ident, v in acked.items():
            if trouble := _is_kept(log, places.get((who, ident)), sent.get(ident), v):
                verdict.complain("lost", f"{mine[0].code}: {ident} was granted as line {v} and {trouble}")


def _is_final(no: wire.No) -> bool:
    return no.code not in NOT_FINAL and bool(no.id)


def _is_kept(log: list[say.Line], place: int | None, sent: dict[str, Any] | None, v: int) -> str:
    """What is wrong with an acknowledged command; '' for nothing."""
    if sent is None:
        return "never sent"
    if place is None:
        # What was so already (sitting down twice) is granted without a line, as the version that it answered.
        return "" if sent["do"] not in MOVES and v == sent["v"] else "is not in the log"
    if v > len(log) or place > v:
        return f"stands at {place} of {len(log)}"
    line = log[place - 1]
    written = line.word if isinstance(line, say.Spoken) else msgspec.to_builtins(line)
    told = sent.keys() & written.keys() - {"id", "v", "do"}
    differs = sorted(key for key in told if not _agrees(sent, written, key))
    return f"says something else in the log: {differs}" if differs else ""


def _agrees(sent: dict[str, Any], written: dict[str, Any], key: str) -> bool:
    chosen = sent[key] in (-1, "") and key in ("chair", "level")  # the house chose
    return chosen or str(written[key]).replace("?", "") in str(sent[key])


# --- frames ---------------------------------------------------------------------------------------


class _Seen(msgspec.Struct):
    """The frames of one version: the texts of each reader, with the pace of their house."""

    texts: dict[str, set[str]] = msgspec.field(default_factory=dict)
    pace: float = 0.0


def _judge_frames(log: list[say.Line], journals: list[Journal], verdict: Verdict) -> None:
    """Every frame is the scene of the log that it names, and holds nothing that its reader may not know."""
    seen: dict[int, _Seen] = {}
    for journal in journals:
        newest = 0
        for entry in journal.entries:
            if entry.kind == "open":
                newest = 0
            if entry.kind != "heard" or not entry.text.startswith('{"is":"scene"'):
                continue
            v = int(msgspec.json.decode(entry.text, type=_Version).v)
            verdict.frames += 1
            if v < newest:
                verdict.complain("diverged", f"{journal.code}: {v} was shown after {newest} on one line")
            newest = max(newest, v)
            if v > len(log):
                verdict.complain("lost", f"{journal.code}: version {v} was shown and the log ends at {len(log)}")
            seen.setdefault(v, _Seen(pace=journal.pace)).texts.setdefault(journal.who, set()).add(entry.text)
    first = log[0]
    if not isinstance(first, say.Made):
        raise Malformed("NOT_A_TABLE", "line 1", "", "A table's log starts with its making.")
    state = table.make(first)
    known = _Known(first.secret)
    for v, line in enumerate(log, 1):
        state = table.follow(state, line) if v > 1 else state
        known.follow(line, state)
        if v in seen:
            _judge_version(state, known, seen[v], verdict)


class _Version(msgspec.Struct):
    v: int


def _judge_version(state: table.State, known: _Known, seen: _Seen, verdict: Verdict) -> None:
    gallery = picture.Gallery(state, state.at, seen.pace)
    where = f"{state.code}: version {state.v}"
    public: set[bytes] = set()
    for who, texts in seen.texts.items():
        expected = _timeless(gallery.scene(who))
        for text in texts:
            frame = msgspec.json.decode(text, type=wire.Scene)
            public.add(_public(frame))
            if leak := known.leak_in(text, who, state):
                verdict.complain("leaked", f"{where} shows {leak}")
            elif _timeless(frame) != expected:
                verdict.complain("diverged", f"{where} is not the scene of its line")
    if len(public) > 1:
        verdict.complain("forked", f"{where} was told in {len(public)} ways")


def _timeless(frame: wire.Scene) -> wire.Scene:
    """The scene without what depends on the moment at which it was drawn."""
    change = msgspec.structs.replace
    fair_scene = None if frame.fair is None else change(frame.fair, cut_in=0)
    chairs = [change(chair, clock=None) for chair in frame.chairs]
    return change(frame, table=change(frame.table, next_in=None, watchers=0), chairs=chairs, fair=fair_scene)


def _public(frame: wire.Scene) -> bytes:
    """What everybody is told alike."""
    change = msgspec.structs.replace
    frame = _timeless(frame)
    deal = frame.deal
    if deal is not None:
        deal = change(deal, hand=[], covered="", mine=False, options=wire.Options())
    return msgspec.json.encode(change(frame, deal=deal, table=change(frame.table, you=None, may=[])))


class _Known:
    """Who may know which card, kept from the words of the log alone, without a View."""

    def __init__(self, table_secret: str) -> None:
        self.secrets = {table_secret}
        """Never to be seen yet."""
        self.hands: dict[int, set[str]] = {}
        """By chair, as dealt."""
        self.public: set[str] = set()

    def follow(self, line: say.Line, state: table.State) -> None:
        """One more line; ``state`` is the table after it."""
        if isinstance(line, say.Sealed):
            self.secrets.add(line.secret)
        if not isinstance(line, say.Spoken) or state.game is None:
            return
        word = line.word
        if word["do"] == "dealt":
            hands = zip(state.game.seats, word["hands"], strict=True)
            self.hands, self.public = {chair: set(hand.split()) for chair, hand in hands}, set()
        self.public |= {*word.get("shown", ()), *str(word.get("hand", "")).split()}
        self.public |= _on_the_table(state) | ({str(word["card"])} if word["do"] == "call" else set())
        if table.stage_of(state) != "playing":
            self.secrets = {secret for secret in self.secrets if secret == state.secret}
            self.public |= {card for hand in self.hands.values() for card in hand}

    def leak_in(self, text: str, who: str, state: table.State) -> str:
        """What this frame holds that its reader may not know; '' for nothing."""
        if any(secret in text for secret in self.secrets):
            return "a secret"
        frame = msgspec.json.decode(text)
        deal = frame.get("deal") or {}
        chair = next((number for number, place in enumerate(state.places) if who and place.who == who), -1)
        own = self.hands.get(chair, set())
        calls = (deal.get("options") or {}).pop("calls", [])  # a call names any card
        if any(call.get("own", False) != (call["card"] in own) for call in calls):
            return "whose the called card would be"
        if deal.get("hand") and not {*deal["hand"]} <= own:
            return "somebody's hand"
        if deal.get("mine") and deal.get("called") not in own:
            return "who was dealt the called card"
        foreign = {card for card in _cards_in([deal, frame.get("chairs")]) if card not in own | self.public}
        return f"{len(foreign)} cards" if foreign else ""


def _on_the_table(state: table.State) -> set[str]:
    """The cards of the running deal that lie face up."""
    if state.game is None or state.game.deal is None:
        return set()
    public = state.game.deal.public
    played = [card for trick in public.tricks for card in trick.cards] + [*public.trick]
    return {state.rules.card_name(card) for card in played if card >= 0}


def _cards_in(value: Any) -> Iterator[str]:
    """Every text in it that is the name of a card."""
    if isinstance(value, str):
        if CARD.fullmatch(value):
            yield value
    elif isinstance(value, dict):
        for key in value:
            yield from _cards_in(value[key])
    elif isinstance(value, list):
        for one in value:
            yield from _cards_in(one)


# --- payoffs and promises -------------------------------------------------------------------------


def _judge_payoffs(log: list[say.Line], code: str, verdict: Verdict) -> None:
    """The second writing of the rules, which shares nothing with the first, comes to the same payoffs."""
    first = log[0]
    assert isinstance(first, say.Made)
    state, second = table.make(first), None
    for line in log[1:]:
        state = table.follow(state, line)
        if not isinstance(line, say.Spoken) or state.game is None or state.game.deal is None:
            continue
        word = from_json(line.word, state.rules.ranks, state.rules.auction.kind == "points")
        public = state.game.deal.public
        if isinstance(word, Dealt):
            hands = [hand.split() for hand in line.word["hands"]]
            second = Referee(state.rules.to_mapping(), public.dealer, hands, public.multiplier)
        elif not isinstance(word, End) and second is not None:
            second.say(word.seat, to_text(word, state.rules.ranks).partition(":")[2])
            if public.result is not None and list(public.result.payoff) != second.payoff:
                number = table.finished(state)
                verdict.complain("diverged", f"{code}: deal {number} pays otherwise in the second writing")


def _judge_promises(log: list[say.Line], journals: list[Journal], verdict: Verdict) -> None:
    """Every secret that was sealed is open once its deal has ended, as it was promised to everybody."""
    code = journals[0].code
    state = table.fold([say.encode(line) for line in log])
    sealed = [line.secret for line in log if isinstance(line, say.Sealed)]
    due = len(sealed) - (state.opening is not None or table.stage_of(state) == "playing")
    texts = [entry.text for journal in journals for entry in journal.entries if entry.kind == "opened"]
    opened = fair.read(texts[-1]) if texts else table.transcripts(state)
    if [one.secret for one in opened] != sealed[:due]:
        verdict.complain("unopened", f"{code}: {len(opened)} of {due} secrets are open")
    for one in opened:
        if failed := [name for name, holds in fair.check(one).items() if not holds]:
            verdict.complain("unopened", f"{code}: deal {one.deal} is open and does not hold: {failed}")
    if not fair.is_chain(opened):
        verdict.complain("unopened", f"{code}: the deals are no chain")
    promised = {one.commitment for one in opened}
    for frame in [frame for journal in journals for _, frame in _heard(journal) if isinstance(frame, wire.Scene)]:
        if frame.fair is not None and frame.fair.step == "ended" and frame.fair.commitment not in promised:
            verdict.complain("unopened", f"{code}: a promise of deal {frame.fair.deal} was not the one that was opened")


# --- a folder -------------------------------------------------------------------------------------


def rows_of(db: Path) -> dict[str, Rows]:
    """Every book of a SQLite log, read without the server's own code; the key of running deals lies beside it."""
    books: dict[str, Rows] = {}
    connection = sqlite3.connect(db)
    try:
        for book, seq, line in connection.execute("SELECT book, seq, line FROM lines ORDER BY book, seq"):
            books.setdefault(book, []).append((seq, bytes(line)))
    finally:
        connection.close()
    keys = opener.keys_in(db.with_name(f"{db.name}.key"))
    return {book: opener.opened(rows, book, keys) for book, rows in books.items()}


def judge_all(books: dict[str, Rows], journals: Iterable[Journal]) -> Verdict:
    """Judges every table of which there is a journal."""
    tables: dict[str, list[Journal]] = {}
    for journal in journals:
        tables.setdefault(journal.code, []).append(journal)
    verdict = Verdict()
    for code, those in sorted(tables.items()):
        if code in books:
            judge(books[code], those, verdict)
        else:
            verdict.complain("lost", f"{code}: the table is not in the log")
    return verdict


def main(folder: Path) -> int:
    """Prints the line and the first complaints; 1 if there are any."""
    read = msgspec.json.Decoder(Journal)
    journals = [read.decode(path.read_bytes()) for path in sorted((folder / "journals").glob("*.json"))]
    verdict = judge_all(rows_of(folder / "house.db"), journals)
    told = folder / "faults.json"
    faults = sum(msgspec.json.decode(told.read_bytes(), type=dict[str, int]).values()) if told.exists() else 0
    for complaint in verdict.complaints[:SHOWN]:
        print(complaint)
    print(verdict.line(faults))
    return 0 if verdict.is_clean else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
