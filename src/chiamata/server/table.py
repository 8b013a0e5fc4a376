"""One table: what happened there, folded from its log.  Pure.

A state is the fold of the log's lines and of nothing else, so that a table read
from its log is the table that was live.  What a table does next is decided in
``deciding``.
"""

from __future__ import annotations

from typing import get_args

import msgspec

from chiamata.rules.cards import CardSet, Seat
from chiamata.rules.errors import Bug, Illegal, Malformed
from chiamata.rules.fair import Terms, Transcript
from chiamata.rules.game import Game, seats_for
from chiamata.rules.moves import Dealt, End, Word, from_json
from chiamata.rules.public import Public
from chiamata.rules.ruleset import RuleSet
from chiamata.server import dealing, pace, seating, wire
from chiamata.server import lines as say
from chiamata.server.lines import Line
from chiamata.server.seating import Place, Places, Stage

KEPT_WORDS = 12
"""At least as many as there are chairs: whoever spoke last is remembered long enough to be asked for patience."""
STRICTER: tuple[wire.Watch, ...] = get_args(wire.Watch)
"""The kinds of watching, each stricter than the one before."""
KEPT_ANSWERS = 64
"""So many of the last accepted commands are known by their ids: far more than pages resend."""


class State(msgspec.Struct, frozen=True):
    """A table after line ``v`` of its log.

    Args:
        at: when line ``v`` was written.
        games: how many games have begun here.
        earlier: the deals of the games before this one.
        began_at: when the running game began.
        turn, turn_at: the line that began the running decision, and from when its time counts.
        deal_v: the line that dealt.
        ended_at: when the last deal ended.
        answers: (guest, command id, line) of the last accepted commands.
        opening: the deal on its way.
        sealed: the secret of the last deal is not in the log in clear.
        said: the last sentences and lines of free text, each with its version.
        manners: what the table allows now.
        told_v: the version that those outside are shown while a deal runs that they may not see.
        kinds: of each deal at this table, over all games: what its watchers were promised to see at most.
        records: how each deal at this table came about, over all games.
        voided: the numbers of the deals that were given up, whose numbers went to the next.
    """

    code: str
    host: str
    secret: str
    rules: RuleSet
    clock: wire.ClockTag | None
    places: Places
    v: int = 1
    at: int = 0
    game: Game | None = None
    games: int = 0
    earlier: int = 0
    began_at: int = 0
    turn: int = 0
    turn_at: int = 0
    deal_v: int = 0
    ended_at: int = 0
    answers: tuple[tuple[str, str, int], ...] = ()
    opening: dealing.Opening | None = None
    sealed: bool = False
    said: tuple[tuple[int, say.Phrased | say.Wrote], ...] = ()
    manners: wire.Manners = wire.Manners()
    told_v: int = 0
    kinds: tuple[wire.Watch, ...] = ()
    records: tuple[dealing.Record, ...] = ()
    voided: tuple[int, ...] = ()


_change = msgspec.structs.replace


def stage_of(state: State) -> Stage:
    """Lobby, playing, between or over."""
    game = state.game
    if game is None:
        return "lobby"
    if game.over:
        return "over"
    return "between" if game.needs_deal else "playing"


def finished(state: State) -> int:
    """How many deals have ended at this table, over all games."""
    return state.earlier + (len(state.game.rows) if state.game is not None else 0)


def moment(state: State) -> tuple[int, int]:
    """The number of the running deal at its table, and how many of its tricks are done; (0, 0) where none runs."""
    if state.game is None or stage_of(state) != "playing":
        return 0, 0
    return finished(state) + 1, len(public_of(state.game).tricks)


def is_silent(state: State) -> bool:
    """Whether nobody may say anything now: a rule set without talk, while a deal is running."""
    return state.rules.conduct.chat == "off" and stage_of(state) == "playing"


def may_write(state: State) -> bool:
    """Whether lines of free text may be written now: the table allows them, and so do the rules at this moment."""
    if not state.manners.chat or is_silent(state):
        return False
    if state.game is None or stage_of(state) != "playing" or state.rules.conduct.chat == "free":
        return True
    return public_of(state.game).phase in ("claim", "auction")


def is_watched(state: State) -> bool:
    """Whether those who do not sit here see the running or last deal: it began, and still is, with closed hands."""
    return state.manners.watch == "closed" and state.kinds[-1:] in ((), ("closed",))


def may_look(state: State, deal: int, who: str) -> bool:
    """Whether this guest may see the open cards of a deal that has ended.

    Where nobody may watch, strangers wait for the end of the game.
    """
    over = deal <= state.earlier or stage_of(state) == "over"
    return over or state.kinds[deal - 1] != "off" or seating.chair_of(state.places, who) >= 0


def is_awake(state: State) -> bool:
    """Whether time passes at this table."""
    return seating.is_awake(state.places, stage_of(state))


# --- folding --------------------------------------------------------------------------------------


def make(made: say.Made) -> State:
    """The state after a table's first line; Malformed (BadRuleSet) if its rules cannot be played."""
    rules = RuleSet.from_mapping(made.rules)
    places = (Place(),) * (5 + rules.session.sitters)
    return State(
        made.code,
        made.who,
        made.secret,
        rules,
        made.clock,
        places,
        at=made.at,
        manners=made.manners,
    )


def fold(log: list[bytes]) -> State:
    """The state after all these lines; Malformed if they are no table's log, or not as they were written."""
    first, *others = say.unchain(log)
    if not isinstance(first, say.Made) or first.version > say.VERSION:
        raise Malformed("NOT_A_TABLE", "line 1", log[0][:80], "A table's log starts with a line of a known version.")
    state = make(first)
    for number, line in enumerate(others, 2):
        try:
            state = follow(state, line)
        except Exception as error:  # whatever comes of a line that nobody can have written there
            code = error.code if isinstance(error, Malformed | Illegal) else "IMPOSSIBLE_LINE"
            fix = "No table can have written this line there: go back to a copy of the log."
            raise Malformed(code, f"line {number}", type(line).__name__, fix) from error
    return state


def follow(state: State, line: Line) -> State:
    """The state after one more line."""
    v = state.v + 1
    answers = state.answers
    if line.id:
        answers = (*answers, (line.who, line.id, v))[-KEPT_ANSWERS:]
    state = _change(state, v=v, at=line.at, answers=answers)
    match line:
        case say.Began(at=at, dealer=dealer):
            return _change(
                state,
                game=Game.start(state.rules, dealer),
                games=state.games + 1,
                earlier=finished(state),
                began_at=at,
                places=seating.new_game(state.places),
            )
        case say.Spoken(word=word):
            return _after_word(state, from_json(word, state.rules.ranks, in_points(state)))
        case say.Sealed():
            return _after_seal(state, line)
        case say.Unsealed():
            return _change(state, sealed=False)
        case say.Voided():
            return _given_up(state)
        case say.Lost():
            return state
        case say.Boxed():
            raise Malformed("SEALED_LINE", f"line {v}", "", "Open the log before it is folded: boxes.read.")
        case say.Phrased() | say.Wrote():
            return _change(state, said=(*state.said, (v, line))[-KEPT_WORDS:])
        case say.Allowed(manners=manners):
            return _change(state, manners=manners, told_v=v, kinds=_narrowed(state, manners.watch))
        case say.Committed() | say.Cut() | say.ShareNow() | say.Shared():
            return _change(state, opening=dealing.follow(_opening(state), line))
        case _:
            return _change(state, places=seating.follow(state.places, line))


def _after_word(state: State, word: Word) -> State:
    game = running(state)
    after = game.apply(word)
    state = _change(state, game=after)
    match word:
        case End():
            return _change(_settled(state), places=seating.new_game(state.places)) if after.over else state
        case Dealt(hands):
            places = seating.new_deal(state.places, state.clock)
            state = _change(_settled(state, hands), kinds=(*state.kinds, state.manners.watch))
            return _change(state, places=places, turn=state.v, turn_at=state.at, deal_v=state.v, told_v=state.v)
    elapsed = max(0, state.at - state.turn_at) if word.seat == turn_of(game) else 0
    places = seating.after_move(state.places, game.seats[word.seat], elapsed, state.clock)
    ended_at = state.at if after.needs_deal or after.over else state.ended_at
    turn_at = state.at + pace.reveal_between(public_of(game), public_of(after))
    return _change(state, places=places, turn=state.v, turn_at=turn_at, ended_at=ended_at)


def _given_up(state: State) -> State:
    """The deal whose lines are lost is void: the table is as it was before it, and deals again."""
    if not is_told(state):
        raise Malformed("WRONG_VOID", f"line {state.v}", "", "A deal that can be read is not given up.")
    places = seating.new_deal(state.places, state.clock)
    return _change(state, voided=(*state.voided, finished(state) + 1), places=places, ended_at=state.at)


def _narrowed(state: State, watch: wire.Watch) -> tuple[wire.Watch, ...]:
    """The kinds of the deals once the table allows this: the running one may get stricter, never looser."""
    if stage_of(state) != "playing":
        return state.kinds
    return (*state.kinds[:-1], max(state.kinds[-1], watch, key=STRICTER.index))


def _after_seal(state: State, line: say.Sealed) -> State:
    """The house's secret is sealed, under terms that are settled with it."""
    game, records = running(state), state.records
    chairs = seats_for(game.people, game.dealer)
    places = [(chair, state.places[chair]) for chair in chairs]
    a, b, c, d, e = [dealing.name_of(place) for _, place in places]
    terms = Terms(
        table=state.code,
        deal=finished(state) + 1,
        rules=bytes.fromhex(state.rules.fingerprint),
        seats=(a, b, c, d, e),
        dealer=game.dealer_seat,
        previous=bytes.fromhex(records[-1].transcript(state.rules).hash) if records else b"",
    )
    return _change(state, opening=dealing.begin(terms, line, state.v, places), sealed=True)


def _settled(state: State, hands: tuple[CardSet, ...] = ()) -> State:
    """The deal that was on its way is dealt, or will not be."""
    if state.opening is None:
        return state
    return _change(state, opening=None, records=(*state.records, dealing.Record(state.opening, hands)))


def transcripts(state: State) -> tuple[Transcript, ...]:
    """How the deals of this table came about: those that have ended, and none that runs."""
    ended = state.records[: len(state.records) - (stage_of(state) == "playing")]
    return tuple([record.transcript(state.rules) for record in ended])


def is_told(state: State) -> bool:
    """Whether nothing of the last deal is secret any more: it is over, or none was ever on its way."""
    return state.opening is None and stage_of(state) != "playing"


def running(state: State) -> Game:
    """The game that is on; a Bug where there is none."""
    if state.game is None:
        raise Bug("a word before the first game")
    return state.game


def _opening(state: State) -> dealing.Opening:
    if state.opening is None:
        raise Bug("no deal is on its way")
    return state.opening


def in_points(state: State) -> bool:
    """Whether bids are numbers of points, not cards."""
    return state.rules.auction.kind == "points"


def public_of(game: Game) -> Public:
    """What everybody knows of the running or last deal; a Bug before the first."""
    if game.deal is None:
        raise Bug("a deal was expected")
    return game.deal.public


def turn_of(game: Game) -> Seat:
    """The seat in turn; -1 between deals."""
    return public_of(game).turn


def next_deal_at(state: State) -> int:
    """When the next deal begins by itself."""
    game = running(state)
    return state.ended_at + pace.rest_after(public_of(game)) if game.rows else state.at
