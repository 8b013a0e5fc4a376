"""Every message between browser and house, and the Scene that a screen draws.

People are named by *chair*: a number from 0 to ``len(scene.chairs) - 1`` that
stays for the whole game (0 to 4 for five people, up to 8 with sitters).
Cards are text names (``3H``), suits letters of ``C H D S``, bids short texts
(``K``, ``2@65``, ``75``).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place at the table and what everybody sees of it."""

    name: str = ""
    kind: Literal["empty", "person", "bot"] = "empty"
    level: str = ""
    """The bot's level, where a bot sits."""
    here: bool = False
    """A person: at least one page is connected."""
    stand_in: bool = False
    """A person who is away and whose seat a bot plays for now."""
    host: bool = False
    ready: bool = False
    """Between deals: has asked for the next one; after the game: for a rematch."""
    wants_end: bool = False
    """Has asked that an open or timed game end after the running deal."""
    playing: bool = True
    """False for those who sit this deal out (games for six to nine)."""
    dealer: bool = False
    turn: bool = False
    passed: bool = False
    said: str = ""
    """The last word in the auction: ``K``, ``2@65``, ``75``, ``pass``, ``claim``; ``keep`` before it, for no claim."""
    cards: int = 0
    """Cards still in hand."""
    points: int = 0
    """Card points captured so far in this deal."""
    tricks: int = 0
    role: Literal["", "caller", "partner", "defender"] = ""
    """Partner and defender only once the called card has fallen (or the deal is over)."""
    score: int = 0
    """Running sum of the game."""
    clock: int | None = None
    """Milliseconds left in the bank; None where the table plays without a clock."""


class PlayedCard(msgspec.Struct, frozen=True):
    chair: int
    card: str
    """``3H``; ``3?`` while only the rank may be seen."""


class TrickScene(msgspec.Struct, frozen=True):
    leader: int
    cards: list[PlayedCard]
    winner: int | None = None
    points: int = 0


class BidOption(msgspec.Struct, frozen=True):
    say: str
    target: int
    unit: int
    """What a made contract is worth, in units, with the running multiplier in it."""


class CallOption(msgspec.Struct, frozen=True):
    card: str
    own: bool = False
    """The viewer was dealt it: calling it is playing alone."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """What this viewer may do now: exactly the legal moves, sorted."""

    bids: list[BidOption] = []
    may_pass: bool = False
    may_claim: bool = False
    calls: list[CallOption] = []
    plays: list[str] = []
    trumps: list[str] = []


class Said(msgspec.Struct, frozen=True):
    chair: int
    say: str


class ResultScene(msgspec.Struct, frozen=True):
    """How a deal ended."""

    kind: Literal["scored", "draw", "all_pass", "claim"]
    made: bool
    points: int
    """Card points of the caller's side."""
    tricks: int
    unit: int
    factor: int
    """The cappotto's factor."""
    multiplier: int
    """Carried from earlier deals."""
    payoff: list[int]
    """By chair."""
    shown: list[str] = []
    """The hand shown with a claim."""


class DealScene(msgspec.Struct, frozen=True, omit_defaults=True):
    number: int
    """1 for the first deal of the game; redeals count here."""
    phase: Literal["claim", "auction", "call", "play", "trump", "done"]
    dealer: int
    multiplier: int = 1
    turn: int | None = None
    auction: list[Said] = []
    """Every word of the auction, in order."""
    standing: Said | None = None
    caller: int | None = None
    target: int = 0
    unit: int = 0
    """What the standing bid, and later the contract, is worth if it is made: in units, the running multiplier in it."""
    called: str = ""
    trump: str = ""
    partner: int | None = None
    """Once the called card has fallen; the caller's own chair for a solo."""
    trick: TrickScene | None = None
    """The cards on the table; a full trick stays here until the next card is led."""
    last: TrickScene | None = None
    """The trick before the one in ``trick``."""
    tricks_done: int = 0
    hand: list[str] = []
    """The viewer's own cards, sorted by suit and strength."""
    covered: str = ""
    """The viewer's own covered card, while it lies face down."""
    mine: bool = False
    """The viewer was dealt the called card."""
    options: Options = Options()
    result: ResultScene | None = None


class Row(msgspec.Struct, frozen=True):
    """One line of the score sheet."""

    deal: int
    number: int
    """Of the deal at its table, over all games: its replay is at ``/r/CODE/number``."""
    kind: Literal["scored", "draw", "all_pass", "claim"]
    caller: int | None
    partner: int | None
    called: str
    target: int
    points: int
    made: bool
    payoff: list[int]


class RulesTag(msgspec.Struct, frozen=True):
    """What a screen needs of the rule set without asking for the whole of it."""

    id: str
    fingerprint: str
    direction: Literal["ccw", "cw"]
    ranks: list[str]
    """As in the pack."""
    card_points: list[int]
    """Card points of each of ``ranks``."""
    trick_order: list[str]
    auction_kind: Literal["rank", "points"]
    auction_order: list[str]
    session: str
    """``deals 10``, ``points 15``, ``time 60`` or ``open``."""


May = Literal["sit", "stand", "bot", "start", "next", "end", "say", "hint", "write", "allow"]

Watch = Literal["closed", "delayed", "off"]
"""What those see who do not sit here; ``Manners`` says it in words."""

Phrase = Literal["hello", "luck", "moment", "ready", "bravo", "thanks", "sorry", "again", "bye"]
"""The sentences that may be said; their words are in locales under ``phrases``."""


class PhraseScene(msgspec.Struct, frozen=True):
    """Somebody said something."""

    v: int
    """The version of the Scene that told it first."""
    chair: int
    phrase: Phrase


class WrittenScene(msgspec.Struct, frozen=True):
    """Somebody wrote a line of their own."""

    v: int
    """The version of the Scene that told it first."""
    chair: int
    text: str
    """Plain text, to be shown as it is: no address in it is a link."""


class Manners(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the maker of a table allows; everybody can read it before sitting down."""

    watch: Watch = "closed"
    """What those see who do not sit here: ``closed`` the table without any hand, ``delayed`` each deal with open cards
    once it has ended, ``off`` nothing before the game has ended."""
    chat: bool = False
    """People who sit here may write to each other, where the rule set lets them talk."""


class ClockTag(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A turn clock: a bank for the whole deal, and what each decision adds to it."""

    bank: Annotated[int, msgspec.Meta(ge=5, le=3600)]
    """Seconds."""
    increment: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    """Seconds."""


class TableScene(msgspec.Struct, frozen=True, omit_defaults=True):
    code: str
    state: Literal["lobby", "playing", "between", "over", "asleep"]
    """``asleep``: no person who sits here has a page open; time stands still."""
    rules: RulesTag
    you: int | None = None
    """The viewer's chair; None for a watcher."""
    may: list[May] = []
    """What this viewer may do about the table now (the moves are in ``deal.options``)."""
    clock: ClockTag | None = None
    game: int = 1
    """1 for the first game at this table, 2 after one rematch, …"""
    next_in: int | None = None
    """Milliseconds until the next deal begins by itself."""
    winners: list[int] = []
    """Once the game is over: those who share the first place."""
    said: list[PhraseScene] = []
    """The last few sentences, oldest first."""
    written: list[WrittenScene] = []
    """The last few lines of free text, oldest first."""
    manners: Manners = Manners()
    watchers: int = 0
    """How many look on without a chair."""
    voided: list[int] = []
    """The numbers, over all games at this table, of deals that were given up, since the house lost their key."""


class FairScene(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the running deal, or the one on its way, comes about; ``docs/fair.md`` says what can be checked."""

    deal: int
    """Its number at the table, over all games."""
    step: Literal["sealing", "opening", "dealt", "ended"]
    """``sealing``: they who take part send ``DoCommit``, the cutter ``DoCut``; ``opening``: ``DoShare``; then cards."""
    commitment: str
    """The hash of the house's secret, in hex like all that follows."""
    seats: list[str] = []
    """Until the cards are dealt, as they stand in the terms: ``person:NAME`` or ``bot:LEVEL``."""
    chairs: list[int] = []
    """Until the first card is down: the chair of each of the five seats."""
    dealer: int = 0
    """A seat."""
    previous: str = ""
    """The hash of the transcript before; "" for a table's first."""
    commitments: list[str] = []
    """Until the cards are dealt: what each seat has sealed, "" for nothing."""
    shares: list[str] = []
    """From the cards until the first one is down: the bytes of each seat, "" for none."""
    waits_for: list[int] = []
    """The chairs whose part in this step is missing."""
    cutter: int | None = None
    """The chair that may cut, and later the one that did; None where nobody cuts."""
    cut: int | None = None
    """How many cards were lifted."""
    cut_in: int = 0
    """Milliseconds after which the cutter's page cuts by itself."""
    secret: str = ""
    """Once the deal has ended."""


class Scene(msgspec.Struct, frozen=True, tag_field="is", tag="scene", omit_defaults=True):
    """All that a screen draws; sent whole each time.  The newest ``v`` wins."""

    v: int
    table: TableScene
    chairs: list[Chair]
    deal: DealScene | None = None
    sheet: list[Row] = []
    fair: FairScene | None = None


class Ack(msgspec.Struct, frozen=True, tag_field="is", tag="ack"):
    id: str
    v: int


class No(msgspec.Struct, frozen=True, tag_field="is", tag="no"):
    """A command refused: ``code`` has its words in locales under ``refusals``."""

    id: str
    code: str
    where: str = ""


class Pong(msgspec.Struct, frozen=True, tag_field="is", tag="pong"):
    pass


ToBrowser = Scene | Ack | No | Pong


Short = Annotated[str, msgspec.Meta(max_length=8)]
ChairNumber = Annotated[int, msgspec.Meta(ge=-1, le=8)]


class Ping(msgspec.Struct, frozen=True, tag_field="do", tag="ping", forbid_unknown_fields=True):
    pass


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every command carries."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    """Chosen by the page, 1 to 40 characters; the same id gets the same answer."""
    v: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    """The version of the Scene that it answers."""


class DoBid(Command, frozen=True, tag_field="do", tag="bid", forbid_unknown_fields=True):
    say: Short


class DoPass(Command, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    pass


class DoClaim(Command, frozen=True, tag_field="do", tag="claim", forbid_unknown_fields=True):
    pass


class DoCall(Command, frozen=True, tag_field="do", tag="call", forbid_unknown_fields=True):
    card: Short


class DoPlay(Command, frozen=True, tag_field="do", tag="play", forbid_unknown_fields=True):
    card: Short


class DoTrump(Command, frozen=True, tag_field="do", tag="trump", forbid_unknown_fields=True):
    suit: Short


class DoSit(Command, frozen=True, tag_field="do", tag="sit", forbid_unknown_fields=True):
    """Take an empty chair, or a bot's between deals; -1 takes the first there is."""

    chair: ChairNumber = -1


class DoStand(Command, frozen=True, tag_field="do", tag="stand", forbid_unknown_fields=True):
    """Leave one's chair; during a deal a bot goes on in it."""


class DoBot(Command, frozen=True, tag_field="do", tag="bot", forbid_unknown_fields=True):
    """Put a bot into an empty chair (anybody seated may)."""

    chair: ChairNumber
    level: Annotated[str, msgspec.Meta(max_length=20)] = ""


class DoStart(Command, frozen=True, tag_field="do", tag="start", forbid_unknown_fields=True):
    """Fill the empty chairs with bots and deal."""


class DoNext(Command, frozen=True, tag_field="do", tag="next", forbid_unknown_fields=True):
    """Between deals: ready for the next one.  After the game: a rematch."""


class DoEnd(Command, frozen=True, tag_field="do", tag="end", forbid_unknown_fields=True):
    """Open or timed games: end after the running deal; all people seated must ask."""


class DoSay(Command, frozen=True, tag_field="do", tag="say", forbid_unknown_fields=True):
    """Say one of the fixed sentences to the whole table."""

    phrase: Phrase


class DoWrite(Command, frozen=True, tag_field="do", tag="write", forbid_unknown_fields=True):
    """Write a line to the whole table, where it allows that."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
    """At most 200 signs once it is composed; controls and marks that turn the direction of writing are refused."""


class DoAllow(Command, frozen=True, tag_field="do", tag="allow", forbid_unknown_fields=True):
    """The maker of the table changes what it allows; no deal is shown to more people than when it began."""

    manners: Manners


Bytes32 = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class DoCommit(Command, frozen=True, tag_field="do", tag="commit", forbid_unknown_fields=True):
    """Seal the bytes that one will open before the cards: their hash, 64 hex digits."""

    hash: Bytes32


class DoCut(Command, frozen=True, tag_field="do", tag="cut", forbid_unknown_fields=True):
    """Lift so many cards off the pack and put them below the others."""

    cut: Annotated[int, msgspec.Meta(ge=0, le=39)]


class DoShare(Command, frozen=True, tag_field="do", tag="share", forbid_unknown_fields=True):
    """Open the bytes that one has sealed: 64 hex digits."""

    share: Bytes32


FromBrowser = (
    Ping
    | DoBid
    | DoPass
    | DoClaim
    | DoCall
    | DoPlay
    | DoTrump
    | DoSit
    | DoStand
    | DoBot
    | DoStart
    | DoNext
    | DoEnd
    | DoSay
    | DoWrite
    | DoAllow
    | DoCommit
    | DoCut
    | DoShare
)
