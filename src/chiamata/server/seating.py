"""Who sits where: chairs, people, bots, presence.  Pure; it knows no cards.

A chair stays with its number and its score for the whole game; what changes is
who sits in it.  ``follow`` folds a line into the chairs; the other functions
say which lines a wish becomes, or refuse it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from chiamata.server.lines import (
    Arrive,
    Ask,
    BotSat,
    Came,
    EndAsked,
    Gone,
    Line,
    Opened,
    Readied,
    Sat,
    Stood,
    StoodIn,
)
from chiamata.server.wire import ClockTag, DoBot, DoSit

Stage = Literal["lobby", "playing", "between", "over"]
"""Before the first deal, during a deal, between two deals, after the game."""


class Place(msgspec.Struct, frozen=True):
    """One chair and who is in it.

    Args:
        who: the guest, '' for a bot or nobody.
        gone_at: when the person's last page closed, in table milliseconds.
        stand_in: a bot plays for the person until the next decision that finds them here.
        bank: milliseconds left on the turn clock.
        cuts: the person's page can take part in the deal.
    """

    kind: Literal["empty", "person", "bot"] = "empty"
    who: str = ""
    name: str = ""
    level: str = ""
    here: bool = False
    gone_at: int = 0
    stand_in: bool = False
    ready: bool = False
    wants_end: bool = False
    bank: int = 0
    cuts: bool = False


Places = tuple[Place, ...]


class Refused(Exception):
    """A wish that cannot be granted; ``code`` has its words in locales under ``refusals``."""

    def __init__(self, code: str, where: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.where = where


def chair_of(places: Places, who: str) -> int:
    """The chair of a guest, -1 for one who only watches."""
    return next((chair for chair, place in enumerate(places) if who and place.who == who), -1)


def is_known(places: Places, arrival: Arrive) -> bool:
    """Whether an arrival is no news: of one who only watches, or is here already, by this name and with such a page."""
    chair = chair_of(places, arrival.who)
    place = places[chair]
    return chair < 0 or (place.here and place.name == arrival.name and (place.cuts or not arrival.cuts))


def seated(places: Places, who: str) -> int:
    """The chair of a guest; refused for one who only watches."""
    chair = chair_of(places, who)
    if chair < 0:
        raise Refused("NOT_SEATED")
    return chair


def is_alone(places: Places, chair: int) -> bool:
    """Whether the person in this chair sits among bots: nobody else has a chair, whether here or away."""
    return places[chair].kind == "person" and sum(place.kind == "person" for place in places) == 1


def is_botted(place: Place) -> bool:
    """Whether a bot decides for this chair."""
    return place.kind == "bot" or place.stand_in


def people_here(places: Places) -> list[Place]:
    """The people who sit here and have a page open."""
    return [place for place in places if place.kind == "person" and place.here]


def is_awake(places: Places, stage: Stage) -> bool:
    """A table sleeps while nobody who sits there is looking.

    A deal that all its people have left for good is played out by bots, so that new people can sit down after it.
    """
    people = [place for place in places if place.kind == "person"]
    return any(place.here for place in people) or (not people and stage == "playing")


def may_take(place: Place, stage: Stage) -> bool:
    """Whether a person may sit down here: an empty chair, a bot's outside a deal, an absent guest's in the lobby."""
    if place.kind == "person":
        return stage == "lobby" and not place.here
    return place.kind == "empty" or stage != "playing"


def _change(places: Places, chair: int, place: Place) -> Places:
    return (*places[:chair], place, *places[chair + 1 :])


# --- folding --------------------------------------------------------------------------------------


def follow(places: Places, line: Line) -> Places:
    """The chairs after this line; lines that say nothing of chairs change nothing."""
    match line:
        case Sat(at=at, who=who, chair=chair, name=name):
            return _change(places, chair, Place("person", who, name, gone_at=at, bank=places[chair].bank))
        case BotSat(chair=chair, level=level):
            return _change(places, chair, Place("bot", level=level, bank=places[chair].bank))
        case Stood(chair=chair, level=level):
            kind: Literal["bot", "empty"] = "bot" if level else "empty"
            return _change(places, chair, Place(kind, level=level, bank=places[chair].bank))
        case Opened(at=at):
            return tuple([_leave(place, at) if place.here else place for place in places])
        case Came() | Gone() | StoodIn() | Readied() | EndAsked():
            return _mark(places, line)
        case _:
            return places


def _leave(place: Place, at: int) -> Place:
    return msgspec.structs.replace(place, here=False, gone_at=at)


def _mark(places: Places, line: Came | Gone | StoodIn | Readied | EndAsked) -> Places:
    match line:
        case Came(who=who, name=name, cuts=cuts):
            chair = chair_of(places, who)
            place = msgspec.structs.replace(places[chair], here=True, name=name, stand_in=False, cuts=cuts)
        case Gone(at=at, who=who):
            chair = chair_of(places, who)
            place = _leave(places[chair], at)
        case StoodIn(chair=chair):
            place = msgspec.structs.replace(places[chair], stand_in=True)
        case Readied(chair=chair):
            place = msgspec.structs.replace(places[chair], ready=True)
        case _:
            chair = line.chair
            place = msgspec.structs.replace(places[chair], wants_end=True)
    return _change(places, chair, place)


def new_game(places: Places) -> Places:
    """The chairs at the start of a game: no wish of the last one is left."""
    return tuple([msgspec.structs.replace(place, ready=False, wants_end=False) for place in places])


def new_deal(places: Places, clock: ClockTag | None) -> Places:
    """The chairs when cards are dealt: nobody is ready, banks are full, those who are here play themselves."""
    bank = clock.bank * 1000 if clock else 0
    return tuple(
        [
            msgspec.structs.replace(place, ready=False, bank=bank, stand_in=place.stand_in and not place.here)
            for place in places
        ]
    )


def after_move(places: Places, chair: int, elapsed: int, clock: ClockTag | None) -> Places:
    """The chairs after the one in turn has decided: its clock is charged, and a person who is here has it back.

    Args:
        elapsed: milliseconds since the decision began; 0 for a word out of turn.
    """
    place = places[chair]
    bank = place.bank
    if clock and place.kind == "person":
        bank = max(0, bank - elapsed) + clock.increment * 1000
    return _change(places, chair, msgspec.structs.replace(place, bank=bank, stand_in=place.stand_in and not place.here))


# --- wishes ---------------------------------------------------------------------------------------


def sit(places: Places, stage: Stage, ask: Ask, now: int) -> list[Line]:
    """``DoSit``: the chair asked for, or the first empty one, or the first bot's."""
    assert isinstance(ask.do, DoSit)
    chair = ask.do.chair
    if not ask.who:
        raise Refused("NAME_NEEDED")
    if chair_of(places, ask.who) >= 0:
        raise Refused("SEATED_ALREADY")
    if chair >= len(places):
        raise Refused("NO_SUCH_CHAIR", "chair")
    if chair < 0:
        free = [chair for chair, place in enumerate(places) if may_take(place, stage)]
        free.sort(key=lambda chair: places[chair].kind != "empty")
        if not free:
            raise Refused("TABLE_FULL" if all(place.kind == "person" for place in places) else "NOT_BETWEEN_DEALS")
        chair = free[0]
    elif not may_take(places[chair], stage):
        raise Refused("CHAIR_TAKEN" if places[chair].kind == "person" else "NOT_BETWEEN_DEALS", "chair")
    return [Sat(now, ask.who, chair=chair, name=ask.name), Came(now, ask.who, name=ask.name, cuts=ask.cuts)]


def stand(places: Places, stage: Stage, ask: Ask, now: int) -> list[Line]:
    """``DoStand``: once a game is on, a bot goes on in the chair."""
    return [Stood(now, ask.who, chair=seated(places, ask.who), level="" if stage == "lobby" else ask.level)]


def add_bot(places: Places, stage: Stage, ask: Ask, now: int) -> list[Line]:
    """``DoBot``: anybody seated may put a bot into an empty chair, or change a bot's level outside a deal."""
    assert isinstance(ask.do, DoBot)
    seated(places, ask.who)
    if not 0 <= ask.do.chair < len(places):
        raise Refused("NO_SUCH_CHAIR", "chair")
    place = places[ask.do.chair]
    if place.kind == "person":
        raise Refused("CHAIR_TAKEN", "chair")
    if stage == "playing":
        raise Refused("NOT_BETWEEN_DEALS")
    return [BotSat(now, ask.who, chair=ask.do.chair, level=ask.level)]


def fill(places: Places, stage: Stage, ask: Ask, now: int) -> list[Line]:
    """``DoStart``: bots for the empty chairs.  Anybody seated may start, so that no absent host can hold up a table."""
    seated(places, ask.who)
    if stage != "lobby":
        raise Refused("ALREADY_STARTED")
    return [BotSat(now, chair=chair, level=ask.level) for chair, place in enumerate(places) if place.kind == "empty"]


def get_ready(places: Places, stage: Stage, ask: Ask, now: int) -> list[Line]:
    """``DoNext``: one more wish for the next deal or the rematch; nothing new if it is there already."""
    chair = seated(places, ask.who)
    if stage not in ("between", "over"):
        raise Refused("NOT_BETWEEN_DEALS")
    return [] if places[chair].ready else [Readied(now, ask.who, chair=chair)]


def ask_end(places: Places, stage: Stage, ask: Ask, now: int) -> list[Line]:
    """``DoEnd`` (the rule set allows it): one more wish that the game end."""
    chair = seated(places, ask.who)
    if stage not in ("playing", "between"):
        raise Refused("NOT_STARTED")
    return [] if places[chair].wants_end else [EndAsked(now, ask.who, chair=chair)]


def all_here(places: Places, wish: Literal["ready", "wants_end"]) -> bool:
    """Whether everybody who sits here and is here has this wish (and there is somebody)."""
    here = people_here(places)
    return bool(here) and all(getattr(place, wish) for place in here)
