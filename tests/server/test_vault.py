"""The house's key: where it lies, what it keeps from whoever has the log or a copy, what a house says without it."""

from __future__ import annotations

import asyncio
import re
import secrets
import stat
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from chiamata.doors.cli import main
from chiamata.rules.errors import Malformed
from chiamata.server import boxes, run, table, vault
from chiamata.server import lines as say
from chiamata.server.archive import FileArchive
from chiamata.server.boxes import Keys
from chiamata.server.log import Conflict, Log, Store, Unwritten
from chiamata.server.postgres import PostgresLog
from chiamata.server.postgres_archive import DatabaseArchive
from chiamata.server.postgres_schema import SCHEMA
from chiamata.server.vault import BadKey, Vault
from tests.e2e.front import Traveller, front
from tests.e2e.house import Guest, House, house_in
from tests.server.driver import Driver
from tests.server.postgres import Database
from tests.server.simulated import MemoryLog
from tests.server.test_boxes import CODE, KEY, KEYS, OTHER, shows

T = TypeVar("T")


def do(deed: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(deed)


# --- the store ------------------------------------------------------------------------------------


def test_a_vault_keeps_what_it_was_given() -> None:
    async def deed() -> None:
        below = MemoryLog()
        store: Store = Vault(below, KEYS)
        driver = Driver("quick")
        driver.sit_and_start("anna")
        for v, line in enumerate(driver.log):
            if v % 5 == 4:
                store = Vault(below, KEYS)  # a house that comes after another
            await store.append(CODE, v, [line])
        assert await store.read(CODE) == driver.log
        assert await store.last(CODE) == len(driver.log)
        assert await store.read("none") == []
        assert boxes.read(CODE, below.books[CODE], KEYS).lines == driver.log
        with pytest.raises(Conflict):
            await store.append(CODE, 3, driver.log[3:4])
        await store.append(CODE, len(driver.log), [say.encode(say.Opened(0))])
        await store.put("x", b"y")
        assert await store.get("x") == b"y"
        store.broken = "disk"
        assert below.broken == store.broken == "disk"

    do(deed())


def test_an_append_whose_end_is_unknown_does_not_spoil_the_next() -> None:
    """The disk refused, or stored it and told nobody: the end of the book is read before it is believed again."""

    class Doubtful(MemoryLog):
        async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
            await super().append(book, prev, lines)
            if self.appends in (2, 4):
                raise Unwritten("the line was lost")

    async def deed() -> None:
        below = Doubtful(lambda number: "refuse" if number == 3 else "")
        store = Vault(below, KEYS)
        driver = Driver("quick")
        driver.sit_and_start("anna")
        while (v := await store.last(CODE)) < len(driver.log):
            try:
                await store.append(CODE, v, driver.log[v : v + 2])
            except Unwritten:
                continue
        assert below.appends > 5
        assert await store.read(CODE) == driver.log

    do(deed())


def test_ends_of_books_are_forgotten_and_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault, "KEPT_ENDS", 2)

    async def deed() -> None:
        store = Vault(MemoryLog(), KEYS)
        for v in range(3):
            for code in ("AAAAA", "BBBBB", "CCCCC"):
                await store.append(code, v, [say.encode(say.Opened(v))])
        assert len(store._ends) == 2
        assert len(await store.read("AAAAA")) == 3

    do(deed())


def test_a_running_deal_of_another_key_cannot_be_read() -> None:
    async def deed() -> None:
        below, driver = MemoryLog(), Driver("quick")
        driver.sit_and_start("anna")
        await Vault(below, KEYS).append(CODE, 0, driver.log)
        with pytest.raises(Malformed) as error:
            await Vault(below, Keys([OTHER])).read(CODE)
        assert error.value.code == "NO_KEY"

    do(deed())


# --- the file -------------------------------------------------------------------------------------


def test_the_keys_file_is_made_for_its_owner_alone_and_found_again(tmp_path: Path) -> None:
    file, store = tmp_path / "key", MemoryLog()
    keys = do(vault.keys_for(store, file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert store.notes[vault.NOTE].decode() == keys.names[0]
    assert bytes.fromhex(file.read_text().strip()) not in store.notes[vault.NOTE]
    assert do(vault.keys_for(store, file)).names == keys.names
    another = do(vault.keys_for(MemoryLog(), tmp_path / "another"))
    assert another.names != keys.names


def test_two_that_make_the_key_at_once_have_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key"
    whole = secrets.token_hex

    def quicker(count: int) -> str:
        file.write_text(KEY.hex() + "\n")
        return whole(count)

    monkeypatch.setattr(secrets, "token_hex", quicker)
    vault.make(file)
    assert vault.read(file).names == KEYS.names
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_key_where_files_have_one_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr("os.link", refuse)
    vault.make(tmp_path / "key")
    (name,) = vault.read(tmp_path / "key").names
    vault.make(tmp_path / "key")
    assert vault.read(tmp_path / "key").names[1:] == (name,)
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_key_that_cannot_be_written_or_read(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match="cannot be written"):
        vault.make(tmp_path / "nowhere" / "key")
    with pytest.raises(BadKey, match="cannot be read"):
        vault.read(tmp_path)
    for text in ("", "0" * 63, "x" * 64, "0" * 64 + "\nrubbish", "é"):
        (tmp_path / "key").write_text(text, "utf-8")
        with pytest.raises(BadKey, match="key "):
            vault.read(tmp_path / "key")


def test_a_missing_and_a_wrong_key_are_told_with_file_and_fix(tmp_path: Path) -> None:
    file, store = tmp_path / "key", MemoryLog()
    keys = do(vault.keys_for(store, file))
    text = file.read_text()
    file.unlink()
    with pytest.raises(BadKey) as missing:
        do(vault.keys_for(store, file))
    assert not file.exists(), "none is made in place of one that is lost"
    file.write_text(OTHER.hex())
    with pytest.raises(BadKey) as wrong:
        do(vault.keys_for(store, file))
    for error in (missing, wrong):
        assert str(file) in str(error.value)
        assert keys.names[0] in str(error.value)
        assert "newkey" in str(error.value)
    file.write_text(f"{OTHER.hex()}\n{text}")
    assert do(vault.keys_for(store, file)).names == (Keys([OTHER]).names[0], *keys.names)
    assert store.notes[vault.NOTE].decode() == Keys([OTHER]).names[0]


# --- a house --------------------------------------------------------------------------------------


def playing(house: House) -> tuple[Guest, str]:
    """Somebody in turn in a deal that is under way."""
    guest = Guest(house, "Anna")
    code = guest.table("classic")
    guest.enter(code)
    guest.until("scene")
    guest.say(do="start")
    to_a_turn(guest)
    return guest, code


def to_a_turn(guest: Guest) -> None:
    while not guest.scene.get("deal", {}).get("options"):
        guest.until("scene", within=30)


def check_hides(places: list[Path], hidden: list[bytes], words: list[dict[str, Any]]) -> None:
    """No file holds the secrets, the hands or a word of the running deal."""
    for place in places:
        data = place.read_bytes()
        assert data, place
        for secret in hidden:
            assert not shows(data, secret), place
        for word in words:
            texts = [" ".join(hand.split()[:3]) for hand in word.get("hands", ())] or [word["do"] + '","seat']
            assert not any(text.encode() in data for text in texts), (place, word["do"])


def running(lines: list[bytes]) -> tuple[list[bytes], list[dict[str, Any]]]:
    """The secrets of the table and of its running deal, and the words of that deal."""
    read = [say.decode(line) for line in lines]
    first = read[0]
    assert isinstance(first, say.Made)
    begun = max(v for v, line in enumerate(read) if isinstance(line, say.Sealed))
    sealed = read[begun]
    assert isinstance(sealed, say.Sealed)
    words = [line.word for line in read[begun:] if isinstance(line, say.Spoken)]
    return [bytes.fromhex(first.secret), bytes.fromhex(sealed.secret)], words


def test_a_log_its_journal_and_its_copy_hold_nothing_of_a_running_deal_which_goes_on_after_kill_9(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    db, key = tmp_path / "house.db", tmp_path / "house.db.key"
    with house_in(tmp_path) as house:
        guest, code = playing(house)
        hand = guest.scene["deal"]["hand"]
        house.kill()
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        places = [path for path in tmp_path.glob("house.db*") if path != key and path.stat().st_size]
        assert tmp_path / "house.db-wal" in places
        stolen = {path: path.read_bytes() for path in places}
        house.start()
        assert main(["--language", "en", "admin", "--db", str(db), "backup", str(tmp_path / "copy")]) == 0
        assert "without the key" in capsys.readouterr().out
        lines = boxes.read(code, [line for _, line in FileArchive(db).lines(code)], vault.read(key)).lines
        hidden, words = running(lines)
        assert words[0]["do"] == "dealt"
        assert [" ".join(sorted(hand))] == [
            " ".join(sorted(dealt.split())) for dealt in words[0]["hands"] if dealt.split()[0] in hand
        ]
        for path, data in stolen.items():
            (tmp_path / f"stolen-{path.name}").write_bytes(data)
        check_hides([*tmp_path.glob("stolen-*"), tmp_path / "copy", db], hidden, words)
        guest.leave()
        guest.enter(code)
        to_a_turn(guest)
        assert guest.scene["deal"]["hand"] == hand, "the same deal"
        guest.leave()
    check_copy(tmp_path, code, capsys)
    other = tmp_path / "other"
    other.mkdir()
    assert main(["--language", "en", "admin", "--db", str(other / "house.db"), "restore", str(tmp_path / "copy")]) == 0
    with house_in(other, "--key", str(key)) as guest.house:
        guest.enter(code)
        to_a_turn(guest)
        assert guest.scene["deal"]["hand"] == hand, "and on another machine, from the copy and the key"
        guest.leave()
    assert not (other / "house.db.key").exists()


def check_copy(folder: Path, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A copy by itself is good, says that a deal is closed to it, and serves once its key is there."""
    admin = ["--language", "en", "admin", "--db", str(folder / "copy")]
    assert main([*admin, "check"]) == 0
    assert "1 of them" in capsys.readouterr().out
    assert main([*admin, "tables"]) == 0
    assert "a deal runs" in capsys.readouterr().out
    assert main([*admin, "--key", str(folder / "house.db.key"), "check"]) == 0
    assert "of them" not in capsys.readouterr().out
    assert main([*admin, "--key", str(folder / "none"), "check"]) == 1
    assert str(folder / "none") in capsys.readouterr().err
    assert run.serve(run.Settings(port=0, db=folder / "copy")) == 1
    assert str(folder / "copy.key") in capsys.readouterr().err
    found = boxes.read(code, [line for _, line in FileArchive(folder / "copy").lines(code)], Keys())
    assert found.closed


def test_a_lost_key_closes_the_running_deal_and_hurts_no_other_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with house_in(tmp_path) as house:
        guest, code = playing(house)
        guest.leave()
        other = guest.table("quick")
        house.stop()
        (tmp_path / "house.db.key").unlink()
        admin = ["--language", "en", "admin", "--db", str(tmp_path / "house.db")]
        assert main([*admin, "newkey"]) == 0
        assert re.search(r"new key [0-9a-f]{8}\.", capsys.readouterr().out)
        house.start()
        guest.enter(code)
        assert guest.is_cut_off(20)
        guest.leave()
        assert house.ask("GET", f"/api/tables/{code}").status in (404, 410, 500, 503)
        guest.scene = {}
        guest.enter(other)
        guest.until("scene")
        guest.say(do="start")
        to_a_turn(guest)
        guest.leave()
    assert '"table %s' not in (tmp_path / "errors.txt").read_text()
    assert f"table {code} cannot be read: NO_KEY" in (tmp_path / "errors.txt").read_text()
    (tmp_path / "house.db.key").write_text("rubbish")
    assert main([*admin, "newkey"]) == 1
    assert "64 hex digits" in capsys.readouterr().err
    assert main(["--language", "en", "admin", "--store", "postgresql://x@127.0.0.1:1/x", "newkey"]) == 1
    assert "--key" in capsys.readouterr().err


def test_a_deal_whose_key_is_lost_is_given_up_and_everybody_at_the_table_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    admin = ["--language", "en", "admin", "--db", str(tmp_path / "house.db")]
    with house_in(tmp_path) as house:
        guest, code = playing(house)
        guest.leave()
        other = guest.table("quick")
        house.stop()
        assert main([*admin, "void", code]) == 1, "its key is there"
        (tmp_path / "house.db.key").unlink()
        assert main([*admin, "newkey"]) == 0
        house.start()
        assert main([*admin, "void", other]) == 1
        assert "nothing was changed" in capsys.readouterr().err
        assert main([*admin, "--key", str(tmp_path / "none"), "void", code]) == 1
        assert main([*admin, "check"]) == 0
        assert "sealed with a key that is not here" in capsys.readouterr().out
        assert main([*admin, "void", code.lower()]) == 0
        assert f"Deal 1 of table {code} is void" in capsys.readouterr().out
        assert main([*admin, "void", code]) == 1, "once"
        guest.scene = {}
        guest.enter(code)
        guest.until("scene")
        assert guest.scene["table"]["voided"] == [1]
        guest.say(do="next")
        to_a_turn(guest)
        walter = Guest(house, "Walter")
        walter.enter(code)
        assert walter.until("scene")["table"]["voided"] == [1]
        for one in (guest, walter):
            one.leave()
        assert main([*admin, "check"]) == 0


def test_a_house_on_a_database_is_told_its_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--store", "postgresql://x@127.0.0.1:1/x"]) == 1
    assert "--key FILE" in capsys.readouterr().err


@pytest.mark.xdist_group("postgres")
def test_two_nodes_with_one_key_take_a_table_over_and_the_database_holds_nothing_of_its_deal(
    database: Database, tmp_path: Path
) -> None:
    store = database.fresh()
    with front(tmp_path, store, "a", "b") as nodes:
        anna = Traveller(nodes, "Anna")
        code = anna.table("classic")
        anna.enter(code)
        anna.say(do="start")
        while not anna.scene.get("deal", {}).get("options"):
            anna.until("scene")
        hand = anna.scene["deal"]["hand"]
        nodes.nodes[nodes.owner(code)].kill()
        assert anna.follow(code)["deal"]["hand"] == hand
        rows = [line for _, line in DatabaseArchive(store).lines(code)]
        lines = boxes.read(code, rows, vault.read(nodes.key)).lines
        (tmp_path / "rows").write_bytes(b"\n".join(rows))
        assert DatabaseArchive(store).save(tmp_path / "copy") == len(rows)
        check_hides([tmp_path / "rows", tmp_path / "copy"], *running(lines))
        assert table.stage_of(table.fold(lines)) == "playing"
        anna.leave()
    DatabaseArchive(store).note(vault.NOTE, b"12345678")
    log = PostgresLog(store, "c")
    with pytest.raises(BadKey, match="12345678"):
        do(vault.keys_for(log, nodes.key))
    log.close()


@pytest.mark.xdist_group("postgres")
def test_a_node_does_not_start_beside_one_that_could_not_read_its_lines(database: Database) -> None:
    address = database.fresh()
    old = PostgresLog(address, "old")
    do(old.ask(lambda db: db.execute("UPDATE chiamata.writer SET version = 2")))
    with pytest.raises(Unwritten, match=r"older version.*old"):
        PostgresLog(address, "new")
    old.close()
    new = PostgresLog(address, "new")
    assert do(new.ask(lambda db: db.fetchval("SELECT version FROM chiamata.writer"))) == SCHEMA
    new.close()


def test_a_copy_goes_where_a_house_was_only_started(tmp_path: Path) -> None:
    for name in ("first", "second"):
        log = Log(tmp_path / name)
        keys = do(vault.keys_for(log, tmp_path / f"{name}.key"))
        if name == "first":
            do(Vault(log, keys).append(CODE, 0, Driver("quick").log))
        log.close()
    FileArchive(tmp_path / "first").save(tmp_path / "copy")
    assert FileArchive(tmp_path / "second").load(tmp_path / "copy") == 1
    log = Log(tmp_path / "second")
    with pytest.raises(BadKey, match=r"second\.key holds"):
        do(vault.keys_for(log, tmp_path / "second.key"))
    log.close()
