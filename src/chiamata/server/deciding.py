"""What a table does about what it is asked, and about time.  Pure.

``handle(state, command, now)`` returns an Outcome: the lines to append, the
state after them and what the house must do then.  ``now`` is the table's own
time in milliseconds.
"""

from __future__ import annotations

from typing import Any

import msgspec

from chiamata.rules.errors import Bug, Malformed
from chiamata.rules.fair import SECRET_BYTES
from chiamata.rules.moves import Dealt, End, from_json, to_json
from chiamata.rules.shuffle import hands_from
from chiamata.server import dealing, pace, plain, seating, wire
from chiamata.server import lines as say
from chiamata.server.lines import AskBot, Command, Line
from chiamata.server.seating import Refused
from chiamata.server.table import (
    State,
    follow,
    in_points,
    is_awake,
    is_silent,
    is_told,
    may_write,
    next_deal_at,
    public_of,
    stage_of,
    turn_of,
)


class Outcome(msgspec.Struct, frozen=True):
    """What a command did, and what the house must do: append the lines, then tell.

    Args:
        answer: for the page that asked; None for what nobody asked.
        ask_bot: the decision that a bot owes now.
        wake: when the table wants a Tick, in its own time; None for never.
        needs_deal: the table wants DealNow.
    """

    state: State
    lines: tuple[bytes, ...] = ()
    answer: wire.Ack | wire.No | None = None
    ask_bot: AskBot | None = None
    wake: int | None = None
    needs_deal: bool = False


_change = msgspec.structs.replace


def handle(state: State, command: Command, now: int) -> Outcome:
    """What the command does.  Nothing is changed: the house keeps the Outcome's state once its lines are on disk."""
    now = max(now, state.at)
    before = state
    written: list[Line] = []
    answer: wire.Ack | wire.No | None = None
    try:
        written = _lines_of(state, command, now)
    except Refused as refusal:
        assert isinstance(command, say.Ask)
        answer = wire.No(command.do.id, refusal.code, refusal.where)
    for line in written:
        state = follow(state, line)
    granted = state.v if written else 0
    while (due := _due(state, now)) is not None:
        written.append(due)
        state = follow(state, due)
    if isinstance(command, say.Ask) and answer is None:
        # What was so already has no line: the version that it answers is the same when it is sent again.
        v = _known(before, command) or granted or command.do.v
        answer = wire.Ack(command.do.id, v)
    return Outcome(
        state,
        tuple([say.encode(line) for line in written]),
        answer,
        ask_bot=_bot_to_ask(state),
        wake=_wake(state),
        needs_deal=_needs_deal(state, now),
    )


def _lines_of(state: State, command: Command, now: int) -> list[Line]:
    match command:
        case say.Ask():
            return _asked(state, command, now)
        case say.Arrive(who, name, cuts):
            return [] if seating.is_known(state.places, command) else [say.Came(now, who, name=name, cuts=cuts)]
        case say.Leave(who):
            chair = seating.chair_of(state.places, who)
            return [say.Gone(now, who)] if chair >= 0 and state.places[chair].here else []
        case say.DealNow(secret):
            return [_sealed(secret, now)] if _needs_deal(state, now) else []
        case say.BotSays(turn, move):
            return _bot_said(state, turn, move, now)
        case say.Open(wall):
            return [say.Opened(state.at, wall=wall)]
        case _:
            return []  # a Tick: what is due comes by itself


def _known(state: State, ask: say.Ask) -> int | None:
    """The line that this command became when it was first sent."""
    return next((v for who, name, v in state.answers if who == ask.who and name == ask.do.id), None)


def _asked(state: State, ask: say.Ask, now: int) -> list[Line]:
    """The lines that a guest's command becomes; the last one carries its id."""
    if _known(state, ask) is not None or _has_come(state, ask):
        return []
    if ask.do.v > state.v:
        raise Refused("STALE", "v")
    stage, places = stage_of(state), state.places
    match ask.do:
        case wire.DoSit():
            written = seating.sit(places, stage, ask, now)
        case wire.DoStand():
            written = seating.stand(places, stage, ask, now)
        case wire.DoBot():
            written = seating.add_bot(places, stage, ask, now)
        case wire.DoStart():
            written = [*seating.fill(places, stage, ask, now), _began(state, now)]
        case wire.DoNext():
            written = seating.get_ready(places, stage, ask, now)
        case wire.DoEnd():
            written = _end_asked(state, ask, now)
        case wire.DoSay() | wire.DoWrite():
            written = [_said(state, ask, now)]
        case wire.DoAllow(manners=manners):
            written = _allowed(state, ask.who, manners, now)
        case wire.DoCommit() | wire.DoCut() | wire.DoShare():
            written = dealing.part(state.opening, ask, now)
        case _:
            written = [_moved(state, ask, now)]
    return [*written[:-1], _change(written[-1], who=ask.who, id=ask.do.id)] if written else []


def _has_come(state: State, ask: say.Ask) -> bool:
    """Whether somebody here asked, before it came, for the deal that runs or the end that is there.

    A wish that is a person's already becomes no line.  It is granted, and must be when it is sent again later.
    """
    if not isinstance(ask.do, wire.DoNext | wire.DoEnd) or seating.chair_of(state.places, ask.who) < 0:
        return False
    if isinstance(ask.do, wire.DoNext):
        return stage_of(state) == "playing" and ask.do.v < state.deal_v
    return stage_of(state) == "over" and ask.do.v < state.v


def _end_asked(state: State, ask: say.Ask, now: int) -> list[Line]:
    if state.rules.session.kind not in ("open", "time"):
        raise Refused("END_NOT_IN_RULESET")
    return seating.ask_end(state.places, stage_of(state), ask, now)


def _said(state: State, ask: say.Ask, now: int) -> Line:
    """A sentence of the list, or a line of free text."""
    chair = seating.seated(state.places, ask.who)
    if isinstance(ask.do, wire.DoWrite) and not state.manners.chat:
        raise Refused("NO_CHAT")
    if not (may_write(state) if isinstance(ask.do, wire.DoWrite) else not is_silent(state)):
        raise Refused("SILENT_TABLE")
    if any(line.chair == chair and now - line.at < pace.BREATH for _, line in state.said):
        raise Refused("TOO_OFTEN")
    if isinstance(ask.do, wire.DoSay):
        return say.Phrased(now, chair=chair, phrase=ask.do.phrase)
    assert isinstance(ask.do, wire.DoWrite)
    try:
        return say.Wrote(now, chair=chair, text=plain.line(ask.do.text))
    except Malformed as error:
        raise Refused(error.code, error.where) from None


def _allowed(state: State, who: str, manners: wire.Manners, now: int) -> list[Line]:
    seating.seated(state.places, who)
    if who != state.host:
        raise Refused("NOT_HOST")
    return [] if manners == state.manners else [say.Allowed(now, who, manners=manners)]


def _began(state: State, now: int) -> Line:
    """The next game; its first dealer is drawn from the table's secret."""
    return say.Began(now, dealer=pace.draw(f"{state.secret}/dealer/{state.games}", len(state.places)))


def _moved(state: State, ask: say.Ask, now: int) -> Line:
    chair = seating.seated(state.places, ask.who)
    game = state.game
    if game is None or stage_of(state) != "playing":
        raise Refused("WRONG_PHASE")
    seat = game.seat(chair)
    if seat < 0:
        raise Refused("SITS_OUT")
    if ask.do.v < (state.deal_v if isinstance(ask.do, wire.DoClaim) else state.turn):
        raise Refused("STALE")
    said: dict[str, Any] = msgspec.to_builtins(ask.do)
    try:
        move = from_json(
            {key: said[key] for key in said if key not in ("id", "v")} | {"seat": seat},
            state.rules.ranks,
            in_points(state),
        )
    except Malformed as error:
        raise Refused(error.code, error.where) from None
    assert not isinstance(move, Dealt | End)
    view = game.view(chair)
    assert view is not None
    refusal = view.why_not(move)
    if refusal is not None:
        raise Refused(refusal)
    return say.Spoken(now, word=to_json(move, state.rules.ranks))


def _bot_said(state: State, turn: int, move: Any, now: int) -> list[Line]:
    """A bot's move, or the default one if it gave none that is legal; nothing once the decision is no longer its."""
    ask = _bot_to_ask(state)
    if ask is None or turn != ask.turn:
        return []
    if move is None or move not in ask.view.legal():
        move = pace.default_move(ask.view)
    return [say.Spoken(now, word=to_json(move, state.rules.ranks))]


def _sealed(secret: bytes, now: int) -> Line:
    if len(secret) != SECRET_BYTES:
        raise Bug("the source of chance gave too few bytes")
    return say.Sealed(now, secret=secret.hex())


def _dealt(state: State, opening: dealing.Opening, now: int) -> Line:
    packets = state.rules.deal.packets
    hands = hands_from(opening.seed, opening.terms.dealer, cut=opening.lifted, packets=packets)
    return say.Spoken(now, word=to_json(Dealt(hands), state.rules.ranks))


# --- what follows by itself -----------------------------------------------------------------------


def _due(state: State, now: int) -> Line | None:
    """The next line that time or the people's agreement brings without a command."""
    if state.sealed and is_told(state):
        return say.Unsealed(now, secret=state.records[-1].opening.secret.hex())
    game, stage = state.game, stage_of(state)
    if game is None or not is_awake(state):
        return None
    if stage == "over":
        return _began(state, now) if seating.all_here(state.places, "ready") else None
    opening = state.opening
    if opening is not None and dealing.is_over(opening, now):
        return _dealt(state, opening, now) if dealing.is_ready(opening, now) else say.ShareNow(now)
    closing = _closing(state)
    if not game.ending and (seating.all_here(state.places, "wants_end") or (closing is not None and now >= closing)):
        return say.Spoken(now, word=to_json(End(), state.rules.ranks))
    for at, chair in _absences(state):
        if now >= at:
            return say.StoodIn(now, chair=chair)
    return None


def _closing(state: State) -> int | None:
    """When a timed game asks for its last deal."""
    session = state.rules.session
    return state.began_at + session.minutes * 60_000 if session.kind == "time" and session.minutes else None


def _absences(state: State) -> list[tuple[int, int]]:
    """(When, which chair): persons whom a bot will replace in this deal, gone too long or out of time."""
    game = state.game
    if game is None or stage_of(state) != "playing":
        return []
    found = []
    for chair, place in enumerate(state.places):
        if place.kind == "person" and not place.stand_in:
            if not place.here:
                found.append((place.gone_at + pace.AWAY, chair))
            if state.clock and game.seat(chair) == turn_of(game):
                found.append((state.turn_at + place.bank, chair))
    return sorted(found)


def _needs_deal(state: State, now: int) -> bool:
    game = state.game
    if game is None or not game.needs_deal or state.opening is not None or not seating.people_here(state.places):
        return False
    return seating.all_here(state.places, "ready") or now >= next_deal_at(state)


def _bot_to_ask(state: State) -> AskBot | None:
    """The decision that a bot owes, if it is a bot's turn and the table is awake."""
    game = state.game
    if game is None or stage_of(state) != "playing" or not is_awake(state):
        return None
    public = public_of(game)
    chair = game.seats[public.turn]
    place = state.places[chair]
    if not seating.is_botted(place):
        return None
    view = game.view(chair)
    assert view is not None
    text = f"{state.secret}/{state.turn}"
    still = max(0, state.turn_at - state.at)
    return AskBot(state.turn, place.level, view, pace.bot_pause(public, text, still), text)


def _wake(state: State) -> int | None:
    """The earliest time at which something is due by itself."""
    game = state.game
    if game is None or game.over or not is_awake(state):
        return None
    times = [at for at, _ in _absences(state)[:1]]
    if game.needs_deal:
        times.append(next_deal_at(state) if state.opening is None else state.opening.deadline)
    closing = _closing(state)
    if closing is not None and not game.ending:
        times.append(closing)
    return min(times, default=None)
