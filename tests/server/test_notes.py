"""Notes are their owner's alone while the deal runs, and everybody's once it is over."""

from __future__ import annotations

import asyncio

from chiamata.server import replay, table
from chiamata.server.notes import Notebook
from chiamata.server.paper import ChairNotes, Jot, Notes, TrickNotes
from tests.server.driver import Driver
from tests.server.simulated import MemoryLog


def test_notes_are_kept_by_trick_for_their_owner() -> None:
    house, book = Driver(), Notebook(MemoryLog())
    house.sit_and_start("anna", "bruno")

    async def live() -> None:
        assert not await book.jot(house.state, "walter", Jot(1, [1])), "a watcher takes no notes"
        assert not await book.jot(house.state, "", Jot(1, [1]))
        assert not await book.jot(house.state, "anna", Jot(2, [1])), "of another deal"
        assert await book.jot(house.state, "anna", Jot(1, [0, 1]))
        assert await book.jot(house.state, "anna", Jot(1, [0, 2]))
        house.play_to("play")
        while table.moment(house.state) == (1, 0):
            house.move()
        assert await book.jot(house.state, "anna", Jot(1, [0, 2, 3, 0, 0, 1, 1]))
        own = [TrickNotes(0, [0, 2, 0, 0, 0]), TrickNotes(1, [0, 2, 3, 0, 0])]
        assert await book.of(house.state, "anna") == Notes(1, own)
        assert await book.of(house.state, "bruno") == Notes(1, [])
        assert await book.of(house.state, "walter") == Notes(1, [])
        house.play_deal()
        assert not await book.jot(house.state, "anna", Jot(1, [1])), "after the end"
        assert await book.of(house.state, "anna") == Notes(0, [])
        past = replay.find(house.log, 1)
        assert past is not None
        assert await book.told(past) == [ChairNotes(0, own)]

    asyncio.run(live())


def test_a_note_is_no_line_of_the_log() -> None:
    """Nothing that the others are sent can tell that somebody took one: the table does not hear of it."""
    house, store = Driver(), MemoryLog()
    house.sit_and_start("anna", "bruno")
    before, log = house.scene("bruno"), list(house.log)
    assert asyncio.run(Notebook(store).jot(house.state, "anna", Jot(1, [0, 1])))
    assert (house.scene("bruno"), house.log) == (before, log)
    assert list(store.notes) == ["notes/ABCDE/1/anna"]
    assert store.books == {}
