"""Logs of every form that there was are kept for ever, and read as what they were (``docs/how-to/line.md``)."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from chiamata.rules import fair
from chiamata.rules.game import replay
from chiamata.rules.text import read_text
from chiamata.server import boxes, log, table
from chiamata.server import lines as say
from chiamata.server.boxes import Keys
from chiamata.server.log import Log
from tests.golden import record
from tests.golden.record import FOLDER, KEY, NOTE, Kept, digest, index, lines_of, read

ALL = index()
HOW = "there is a new form of line: record one with `make golden NAME=… NEW='what is new in it'`"
IN_FILE = {1: "manners", 2: "boxes"}
"""What lies in the SQLite file of each version."""


@pytest.mark.parametrize("kept", ALL, ids=lambda kept: kept.name)
def test_a_log_that_is_kept_is_folded_to_what_it_was(kept: Kept) -> None:
    state = read(kept.book, lines_of(kept.name))
    assert digest(state) == kept.sha256
    opened = table.transcripts(state)
    assert all(all(fair.check(one).values()) for one in opened)
    assert len(opened) == (kept.name != "first")


def test_the_hash_tells_any_line_from_none() -> None:
    kept = ALL[-1]
    lines = boxes.read(kept.book, lines_of(kept.name), Keys([KEY])).lines
    assert digest(table.fold(lines)) == kept.sha256
    assert digest(table.fold(lines[:-1])) != kept.sha256


def test_every_file_has_its_entry() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.log")) == sorted(kept.name for kept in ALL)
    assert all(kept.new for kept in ALL)


def test_every_kind_of_line_and_all_that_it_can_hold_is_in_a_log_that_is_kept() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for kept in ALL:
        stored = lines_of(kept.name)
        for line in [*stored, *boxes.read(kept.book, stored, Keys([KEY])).lines]:
            held = json.loads(line)
            found[held["do"]] |= held.keys()
    common = {"at", "who", "id", "version"}  # of every line; and of the first one where it is not the present one
    for kind in get_args(say.Line):
        assert set(kind.__struct_fields__) - common <= found[kind.__struct_config__.tag], HOW


@pytest.mark.parametrize("version", range(1, log.SCHEMA + 1))
def test_a_file_of_every_version_is_opened(version: int, tmp_path: Path) -> None:
    kept = next(one for one in ALL if one.name == IN_FILE[version])
    shutil.copy(FOLDER / f"sqlite-{version}.db", tmp_path / "house.db")

    async def deed(house: Log) -> None:
        lines = await house.read(kept.book)
        assert digest(read(kept.book, lines)) == kept.sha256
        assert await house.get(NOTE[0]) == NOTE[1]
        await house.append(kept.book, len(lines), [b"more"])

    house = Log(tmp_path / "house.db")
    asyncio.run(deed(house))
    house.close()


def test_a_game_as_text_is_played_as_it_was() -> None:
    text = (FOLDER / "text-1.txt").read_text("utf-8")
    script = read_text(text)
    scores = [line.rpartition("; scores ")[2] for line in text.splitlines() if "; scores " in line]
    assert " ".join(map(str, replay(script.game, script.words).scores)) == scores[-1]


def test_how_the_next_one_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``make golden`` adds a log, an entry and, for a new version, a file; it never writes over anything."""
    monkeypatch.setattr(record, "FOLDER", tmp_path)
    monkeypatch.setattr(record, "INDEX", tmp_path / "golden.json")
    assert record.main("next", "All that there is") == 0
    (entry,) = index()
    before = (tmp_path / "next.log").read_bytes()
    assert digest(read(entry.book, before.splitlines())) == entry.sha256
    assert record.main("next", "") == 1
    assert (tmp_path / "next.log").read_bytes() == before
    assert record.main("after", "") == 0
    assert [one.name for one in index()] == ["next", "after"]
    assert (tmp_path / f"sqlite-{log.SCHEMA}.db").exists()
    assert entry == msgspec.structs.replace(index()[1], name="next", new="All that there is")
