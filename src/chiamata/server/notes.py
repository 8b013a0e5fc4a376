"""Private notes: what a person thinks of the others, trick by trick, until the deal is over for that person alone.

They stand beside the table's log and not in it, and go through no table: that
somebody takes a note changes nothing of what the others are sent, nor when.
"""

from __future__ import annotations

import asyncio

import msgspec

from chiamata.server import replay, seating, table
from chiamata.server.log import Store
from chiamata.server.paper import ChairNotes, Jot, Marks, Notes, TrickNotes

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[list[TrickNotes]] = msgspec.json.Decoder(list[TrickNotes])


class Notebook:
    """The notes of all people at all tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one = asyncio.Lock()

    async def of(self, state: table.State, who: str) -> Notes:
        """A person's own notes on the running deal; none where no deal is running or they do not sit here."""
        deal, _ = table.moment(state)
        return Notes(deal, await self._read(state.code, deal, who) if deal and _plays(state, who) else [])

    async def jot(self, state: table.State, who: str, jot: Jot) -> bool:
        """Keeps what a person thinks now; False where that is not the running deal, or they have no part in it."""
        deal, tricks = table.moment(state)
        if not deal or jot.deal != deal or not _plays(state, who):
            return False
        async with self._one:
            notes = [one for one in await self._read(state.code, deal, who) if one.tricks != tricks]
            notes.append(TrickNotes(tricks, _cut(jot.marks, len(state.places))))
            await self._store.put(_key(state.code, deal, who), _ENCODER.encode(notes))
        return True

    async def told(self, past: replay.Past) -> list[ChairNotes]:
        """Everybody's notes on a deal that has ended, by chair."""
        code = past.steps[0].code
        found = [ChairNotes(chair, await self._read(code, past.number, who)) for chair, who in replay.people(past)]
        return [one for one in found if one.notes]

    async def _read(self, code: str, deal: int, who: str) -> list[TrickNotes]:
        kept = await self._store.get(_key(code, deal, who))
        return [] if kept is None else _DECODER.decode(kept)


def _plays(state: table.State, who: str) -> bool:
    return bool(who) and seating.chair_of(state.places, who) >= 0


def _cut(marks: Marks, chairs: int) -> Marks:
    return (marks + [0] * chairs)[:chairs]


def _key(code: str, deal: int, who: str) -> str:
    return f"notes/{code}/{deal}/{who}"
