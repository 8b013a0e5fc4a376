"""What a table's log holds, and what a table can be asked: values only.

A line says what happened at a table; the state is folded from the lines and
from nothing else.  A line that answers a person's command carries who asked
and the id of the command, so that a repeated command is known after a restart.
Times (``at``) are the table's own: milliseconds in which it was awake and
served, from 0 at its making.  Time asleep and outages are not in them.

As it is stored each line ends with a sum over itself and the sum before it, so that
a line that was changed, lost, moved or put in is found when the log is read; and of
a deal that is not over, secret and words lie in boxes (``boxes``).  The table knows
of neither: it is given the lines as it wrote them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Move
from chiamata.rules.view import View
from chiamata.server import wire

VERSION = 1
"""Of the lines; older ones are read for ever, newer ones refused."""


class _Line(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    at: int
    who: str = ""
    """The guest who asked for it; '' for what the house does by itself."""
    id: str = ""
    """Of the guest's command."""


class Made(_Line, frozen=True, tag="made"):
    """The first line: the table is there.  ``who`` is its host."""

    code: str = ""
    rules: dict[str, Any] = {}
    """The whole rule set."""
    clock: wire.ClockTag | None = None
    secret: str = ""
    """64 hex digits: bots' dice and the first dealers come from it.  Nobody outside sees it."""
    manners: wire.Manners = wire.Manners()
    wall: int = 0
    """Seconds since 1970 when it was made."""
    version: int = VERSION


class Opened(_Line, frozen=True, tag="opened"):
    """The house took the table up (again): nobody is here yet, clocks go on from the last line."""

    wall: int = 0


class Sat(_Line, frozen=True, tag="sat"):
    chair: int = 0
    name: str = ""


class Stood(_Line, frozen=True, tag="stood"):
    """``who`` left the chair; a bot of this level goes on in it, or nobody ('')."""

    chair: int = 0
    level: str = ""


class BotSat(_Line, frozen=True, tag="bot"):
    chair: int = 0
    level: str = ""


class Came(_Line, frozen=True, tag="came"):
    """The first page of a person who sits here opened."""

    name: str = ""
    cuts: bool = False
    """It can take part in the deal: seal, cut, open."""


class Gone(_Line, frozen=True, tag="gone"):
    """The last page of a person who sits here closed."""


class StoodIn(_Line, frozen=True, tag="stand-in"):
    """From now on a bot plays for the person in this chair."""

    chair: int = 0


class Readied(_Line, frozen=True, tag="ready"):
    chair: int = 0


class EndAsked(_Line, frozen=True, tag="end-asked"):
    chair: int = 0


class Phrased(_Line, frozen=True, tag="phrase"):
    """Somebody said one of the fixed sentences."""

    chair: int = 0
    phrase: wire.Phrase = "hello"


class Wrote(_Line, frozen=True, tag="wrote"):
    """Somebody wrote a line to the table, as ``plain.line`` keeps it."""

    chair: int = 0
    text: str = ""


class Allowed(_Line, frozen=True, tag="allowed"):
    """From now on the table allows this."""

    manners: wire.Manners = wire.Manners()


class Began(_Line, frozen=True, tag="began"):
    """A new game, with the person (chair) who deals first."""

    dealer: int = 0


class Spoken(_Line, frozen=True, tag="word"):
    """A word of the running game, as ``rules.moves.to_json`` writes it."""

    word: dict[str, Any] = {}


class Sealed(_Line, frozen=True, tag="sealed"):
    """The house has drawn its secret for the deal that is due (64 hex digits); people are told its hash."""

    secret: str = ""


class Committed(_Line, frozen=True, tag="committed"):
    """This seat of the deal on its way has sealed bytes of its own: their hash, 64 hex digits."""

    seat: int = 0
    hash: str = ""


class Cut(_Line, frozen=True, tag="cut"):
    """This seat lifted so many cards."""

    seat: int = 0
    cut: int = 0


class ShareNow(_Line, frozen=True, tag="share-now"):
    """Nothing more can be sealed; what is sealed can be opened."""


class Shared(_Line, frozen=True, tag="shared"):
    """This seat has opened its bytes, 64 hex digits."""

    seat: int = 0
    share: str = ""


class Unsealed(_Line, frozen=True, tag="unsealed"):
    """The last deal sealed here is over: its secret, 64 hex digits, is open."""

    secret: str = ""


class Voided(_Line, frozen=True, tag="voided"):
    """The house's people gave up the deal whose secret was sealed in line ``since``: its key is lost."""

    since: int = 0


class Lost(_Line, frozen=True, tag="lost"):
    """A line of a voided deal as a table is given it: nobody knows what it said, or it says nothing any more."""


class Boxed(_Line, frozen=True, tag="boxed"):
    """A line as it is stored while its deal is not over; ``box`` as ``boxes`` writes it.  No table ever sees one."""

    box: str = ""


OnItsWay = Committed | Cut | ShareNow | Shared
"""What happens between the house's secret and the cards."""
Line = (
    Made
    | Opened
    | Sat
    | Stood
    | BotSat
    | Came
    | Gone
    | StoodIn
    | Readied
    | EndAsked
    | Phrased
    | Wrote
    | Allowed
    | Began
    | Spoken
    | Sealed
    | Unsealed
    | Voided
    | Lost
    | Boxed
    | OnItsWay
)

_SUM = b',"sum":"%b"}'
_SUMMED = re.compile(_SUM % rb"([0-9a-f]{16})" + rb"\Z")
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def encode(line: Line) -> bytes:
    """The line as JSON, without a sum."""
    return _ENCODER.encode(line)


def bare(data: bytes) -> bytes:
    """The line as it was before its sum was put to it."""
    return _SUMMED.sub(b"}", data)


def chain(lines: Iterable[Line], before: str = "") -> list[bytes]:
    """The lines as they go into the log after one with the sum ``before``; '' for a table's first."""
    written = []
    for line in lines:
        before = sum_after(before, line)
        written.append(encode(line)[:-1] + _SUM % before.encode())
    return written


def unchain(log: list[bytes]) -> list[Line]:
    """The lines of a log from its first one on; Malformed if one is not as it was written.

    Lines without a sum may stand before the first that has one: there were none once.
    """
    lines, before, is_summed = [], "", False
    for number, data in enumerate(log, 1):
        lines.append(decode(data))
        before, found = sum_after(before, lines[-1]), _SUMMED.search(data)
        is_wrong = is_summed if found is None else found[1].decode() != before
        if is_wrong:
            fix = "This line or one before it is not as it was written: go back to a copy of the log."
            raise Malformed("WRONG_SUM", f"line {number}", data[:80], fix)
        is_summed = found is not None
    return lines


def sum_in(data: bytes) -> str:
    """The sum with which a line ends; '' for one without."""
    found = _SUMMED.search(data)
    return "" if found is None else found[1].decode()


def sum_after(before: str, line: Line) -> str:
    """The sum of a line that follows one with this sum: 16 hex digits, more than any accident gets past."""
    return hashlib.blake2b(before.encode() + encode(line), digest_size=8).hexdigest()


def decode(data: bytes) -> Line:
    """The line that these bytes of a log say, with a sum or without; Malformed for anything else."""
    try:
        return _DECODER.decode(bare(data))
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Malformed("NOT_A_LINE", "line", data[:80], f"The log is damaged or newer: {error}.") from None


# --- what a table can be asked --------------------------------------------------------------------


class Ask(msgspec.Struct, frozen=True):
    """A guest's command.

    Args:
        level: of the bots that it may put into chairs.
        cuts: it came from a page that can take part in the deal.
    """

    who: str
    name: str
    do: wire.Command
    level: str
    cuts: bool = False


class Arrive(msgspec.Struct, frozen=True):
    """A guest's first page here opened.  ``cuts``: it can take part in the deal."""

    who: str
    name: str
    cuts: bool = False


class Leave(msgspec.Struct, frozen=True):
    """A guest's last page here closed."""

    who: str


class Tick(msgspec.Struct, frozen=True):
    """Time has passed."""


class DealNow(msgspec.Struct, frozen=True):
    """The house's secret for the deal that is due: 32 bytes from the operating system's source of chance."""

    secret: bytes


class BotSays(msgspec.Struct, frozen=True):
    """A bot's move for the decision that began with line ``turn``; None if it failed or was late."""

    turn: int
    move: Move | None


class Open(msgspec.Struct, frozen=True):
    """The house takes the table up after a restart.  ``wall``: seconds since 1970."""

    wall: int


Command = Ask | Arrive | Leave | Tick | DealNow | BotSays | Open


class AskBot(msgspec.Struct, frozen=True):
    """A bot must decide.

    Args:
        turn: the line that began the decision; the answer names it.
        level: the bot's strength, '' for a person's stand-in.
        view: all that it may know.
        pause: milliseconds until its move may be seen, drawn from public features alone.
        dice: the text its random source starts from.
    """

    turn: int
    level: str
    view: View
    pause: int
    dice: str


TableState = Literal["lobby", "playing", "between", "over", "asleep"]
