"""``chiamata admin``: what it tells of tables, copies, copies put back, and logs that do not hold."""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec
import pytest

from chiamata.doors.cli import main
from chiamata.rules.cards import cards_in
from chiamata.server import lines as say
from chiamata.server.archive import FileArchive
from chiamata.server.log import Conflict, Log
from tests.server.driver import Driver, rules_with

LINE_20 = "SELECT line FROM lines WHERE book = 'ABCDE' AND seq = 20"
LATER = """CAST(replace(CAST(line AS TEXT), 'at":', 'at":1') AS BLOB)"""
SHORT = rules_with("quick", session={"kind": "deals", "deals": 1, "allowed": None})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Log]:
    """A log with a table in its lobby, one that plays and one that is over, and a guest; its house is running."""
    log = Log(tmp_path / "log.db")
    for code, deed in (("LOBBY", "sit"), ("PLAYS", "start"), ("ABCDE", "all")):
        asyncio.run(log.append(code, 0, table(code, deed)))
    asyncio.run(log.put("guest/x", b"Anna"))
    yield log
    log.close()


def table(code: str, deed: str) -> list[bytes]:
    driver = Driver(SHORT)
    driver.must("host", "sit")
    if deed != "sit":
        driver.must("host", "start")
    if deed == "all":
        driver.do(say.Arrive("host", "Host"))
        driver.play_game()
    made, *others = [say.decode(data) for data in driver.log]
    return say.chain([msgspec.structs.replace(made, code=code), *others])


def admin(folder: Path, *words: str, db: str = "log.db", language: str = "en") -> int:
    return main(["--language", language, "admin", "--db", str(folder / db), *words])


def test_tables(house: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert admin(tmp_path, "tables") == 0
    told = capsys.readouterr().out
    assert re.sub(r"\d+$", "n", told, flags=re.MULTILINE).splitlines()[1] == (
        "LOBBY  lobby  quick  people: 1  deals: 0  lines: n"
    )
    assert [line.split("  ")[:2] for line in told.splitlines()] == [
        ["ABCDE", "over"],
        ["LOBBY", "lobby"],
        ["PLAYS", "asleep"],
    ]
    assert "deals: 1" in told.splitlines()[0]
    admin(tmp_path, "tables", language="it")
    assert "addormentata" in capsys.readouterr().out
    asyncio.run(house.append("OTHER", 0, [b"{}"]))  # whoever looks does not take the log over


def test_nobody_is_told_of_a_hand(house: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for deed in ("tables", "check"):
        admin(tmp_path, deed)
    told = capsys.readouterr().out
    driver = Driver(SHORT)
    driver.sit_and_start("host")
    names = {SHORT.card_name(card) for chair in range(5) for card in cards_in(driver.view(chair).hand)}
    assert len(names) == 40
    assert not names & set(re.findall(r"\w+", told))


def test_a_copy_is_a_log_and_goes_only_where_there_is_none(
    house: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    assert admin(tmp_path, "backup", str(copy)) == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    asyncio.run(house.append("AFTER", 0, [b"{}"]))
    assert admin(tmp_path, "backup", str(copy)) == 1
    assert "already" in capsys.readouterr().err
    assert not (tmp_path / "copy-wal").exists()
    assert admin(tmp_path, "restore", str(copy), db="new.db") == 0
    assert admin(tmp_path, "restore", str(copy), db="new.db") == 1
    assert "already" in capsys.readouterr().err
    back = Log(tmp_path / "new.db")
    for code in ("LOBBY", "PLAYS", "ABCDE", "AFTER"):
        kept = [] if code == "AFTER" else asyncio.run(house.read(code))
        assert asyncio.run(back.read(code)) == kept
    assert asyncio.run(back.get("guest/x")) == b"Anna"
    back.close()
    again = Log(copy)
    assert asyncio.run(again.last("ABCDE")) > 40
    again.close()


def test_a_house_on_an_empty_log_is_refused_after_a_copy_was_put_there(house: Log, tmp_path: Path) -> None:
    other = Log(tmp_path / "other.db")
    assert admin(tmp_path, "backup", str(tmp_path / "copy")) == 0
    assert admin(tmp_path, "restore", str(tmp_path / "copy"), db="other.db") == 0
    with pytest.raises(Conflict):
        asyncio.run(other.append("NEWER", 0, [b"{}"]))
    other.close()


def test_a_log_that_holds(house: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert admin(tmp_path, "check") == 0
    assert re.fullmatch(r"3 tables, 1 ended deals, \d+ lines; 0 tables do not hold.\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("DELETE FROM lines WHERE book = 'ABCDE' AND seq = 9", "GAP"),
        ("UPDATE lines SET line = x'7b7d' WHERE book = 'ABCDE' AND seq = 9", "NOT_A_LINE"),
        (f"UPDATE lines SET line = ({LINE_20}) WHERE book = 'ABCDE' AND seq = 21", "WRONG_SUM"),
        (f"UPDATE lines SET line = {LATER} WHERE book = 'ABCDE' AND seq = 9", "WRONG_SUM"),
        ("UPDATE lines SET book = 'OTHER' WHERE book = 'LOBBY'", "ANOTHER_TABLE"),
    ],
)
def test_a_log_that_does_not_hold(
    house: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: str, told: str
) -> None:
    with apsw.Connection(str(tmp_path / "log.db")) as db:
        db.execute(harm).fetchall()
    db.close()
    assert admin(tmp_path, "check") == 1
    found = capsys.readouterr().out.splitlines()
    assert f"  cannot be replayed ({told})" in found[0]
    assert found[1].endswith("1 tables do not hold.")
    assert admin(tmp_path, "tables") == (told != "ANOTHER_TABLE")


def test_a_log_that_was_forged_with_its_sums(house: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [say.decode(data) for data in asyncio.run(house.read("ABCDE"))]
    forged = [msgspec.structs.replace(one, secret="ab" * 32) if isinstance(one, say.Sealed) else one for one in lines]
    with apsw.Connection(str(tmp_path / "log.db")) as db:
        for seq, data in enumerate(say.chain(forged), 1):
            db.execute("UPDATE lines SET line = ? WHERE book = 'ABCDE' AND seq = ?", (data, seq)).fetchall()
    db.close()
    assert admin(tmp_path, "check") == 1
    assert "  cannot be replayed (UNFAIR)" in capsys.readouterr().out


def test_what_is_no_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("no log" * 500)
    for words, db in (
        (("tables",), "none.db"),
        (("check",), "text"),
        (("backup", str(tmp_path / "copy")), "none.db"),
        (("restore", str(tmp_path / "text")), "new.db"),
        (("restore", str(tmp_path / "absent")), "new.db"),
    ):
        assert admin(tmp_path, *words, db=db) == 1
        assert capsys.readouterr().err.startswith("That did not work")
    assert not (tmp_path / "none.db").exists()
    assert not list(FileArchive(tmp_path / "new.db").rows())
