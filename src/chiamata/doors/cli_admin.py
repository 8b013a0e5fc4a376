"""``chiamata admin``: the tables and nodes of a log, a copy of it, a copy put back, and whether all of it holds."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chiamata.server.texts import Texts


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata admin`` its verbs."""
    parser.add_argument("--db", type=Path, default=Path("chiamata.db"), help="file of the log (default: %(default)s)")
    parser.add_argument("--store", metavar="ADDRESS", help="postgresql://… in place of a file")
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="the house's key, to look into running deals (default: beside --db)"
    )
    verbs = parser.add_subparsers(dest="deed", required=True, metavar="DEED")
    verbs.add_parser("tables", help="every table: code, state, rules, people, deals, lines")
    verbs.add_parser("backup", help="copies the log into a new file, while the house goes on").add_argument(
        "file", type=Path
    )
    verbs.add_parser("restore", help="puts a copy where there is no log yet").add_argument("file", type=Path)
    verbs.add_parser("check", help="replays every table")
    verbs.add_parser("newkey", help="puts a new key above the old ones in its file, or makes the file")
    verbs.add_parser("void", help="gives up a table's running deal whose key is lost; it is told so").add_argument(
        "table"
    )
    verbs.add_parser("nodes", help="the nodes that serve a store, and how many tables each")
    verbs.add_parser("drain", help="has a node hand its tables to the others and stop").add_argument("node")
    move = verbs.add_parser("migrate", help="has a table go to another node")
    move.add_argument("table")
    move.add_argument("node")
    parser.set_defaults(run=run)


def run(asked: argparse.Namespace) -> int:
    """0 if all is well, 1 if something does not hold or cannot be done."""
    # Late, so that every other verb starts without a database.
    from chiamata.server.archive import Archive, FileArchive, NotEmpty, check, tables  # noqa: PLC0415
    from chiamata.server.log import Unwritten  # noqa: PLC0415
    from chiamata.server.vault import BadKey  # noqa: PLC0415

    texts: Texts = asked.texts
    if asked.deed in ("nodes", "drain", "migrate"):
        return _with_nodes(asked, texts)
    archive: Archive = FileArchive(asked.db)
    try:
        archive = _in_database(asked.store) if asked.store else archive
        if asked.deed == "newkey":
            return _newkey(asked, archive, texts)
        if asked.deed == "void":
            return _void(asked, archive, texts)
        if asked.deed == "tables":
            return _tables(tables(archive, _keys(asked)), _owners(asked), texts)
        if asked.deed == "check":
            return _check(list(check(archive, _keys(asked))), texts)
        count = archive.save(asked.file) if asked.deed == "backup" else archive.load(asked.file)
        print(texts.say(f"admin.{asked.deed}", file=asked.file, lines=count))
        return 0
    except ImportError:
        print(texts.say("admin.no_store"), file=sys.stderr)
    except FileExistsError:
        print(texts.say("admin.exists", file=asked.file), file=sys.stderr)
    except NotEmpty:
        print(texts.say("admin.not_empty"), file=sys.stderr)
    except (BadKey, Unwritten, OSError) as error:
        print(texts.say("admin.failed", reason=error), file=sys.stderr)
    finally:
        archive.close()
    return 1


def _key_file(asked: argparse.Namespace) -> Path | None:
    """Where the house's key lies; None where nobody has said it."""
    from chiamata.server.vault import place_of  # noqa: PLC0415

    return place_of(asked.key, bool(asked.store), asked.db)


def _keys(asked: argparse.Namespace) -> Any:
    """The house's keys; none where there is no file and none was named.  Raises BadKey."""
    from chiamata.server.boxes import Keys  # noqa: PLC0415
    from chiamata.server.vault import read  # noqa: PLC0415

    file = _key_file(asked)
    return Keys() if file is None or not (asked.key or file.exists()) else read(file)


def _newkey(asked: argparse.Namespace, archive: Any, texts: Texts) -> int:
    from chiamata.server import vault  # noqa: PLC0415

    file = _key_file(asked)
    if file is None:
        print(texts.say("admin.no_key"), file=sys.stderr)
        return 1
    if file.exists():
        vault.read(file)  # nothing is put above what is no key
    vault.make(file)
    name = vault.read(file).names[0]
    archive.note(vault.NOTE, name.encode())
    print(texts.say("admin.newkey", file=file, name=name))
    return 0


def _in_database(address: str) -> Any:
    """ImportError without the driver, which is an extra."""
    from chiamata.server.postgres_archive import DatabaseArchive  # noqa: PLC0415

    return DatabaseArchive(address)


def _void(asked: argparse.Namespace, archive: Any, texts: Texts) -> int:
    from chiamata.rules.errors import Malformed  # noqa: PLC0415
    from chiamata.server.archive import NotClosed, give_up  # noqa: PLC0415

    keys, table = _keys(asked), asked.table.upper()
    if not keys.names:  # without any key every running deal would seem lost
        print(texts.say("admin.no_key"), file=sys.stderr)
        return 1
    try:
        deal = give_up(archive, keys, table)
    except NotClosed:
        print(texts.say("admin.not_closed", table=table), file=sys.stderr)
        return 1
    except Malformed as error:
        print(texts.say("admin.failed", reason=f"{table}: {error.code}"), file=sys.stderr)
        return 1
    print(texts.say("admin.voided", table=table, deal=deal))
    return 0


def _with_nodes(asked: argparse.Namespace, texts: Texts) -> int:
    from chiamata.server.log import Unwritten  # noqa: PLC0415

    try:
        nodes = _nodes(asked)
        if asked.deed == "nodes":
            for one in nodes.all():
                state = texts.say("admin.node_leaving" if one.leaving else "admin.node_serving")
                print(texts.say("admin.node", name=one.name, state=state, tables=one.tables))
            return 0
        done = nodes.drain(asked.node) if asked.deed == "drain" else nodes.migrate(asked.table, asked.node)
        known = {"node": asked.node, "table": getattr(asked, "table", "")}
        print(texts.say(f"admin.{asked.deed}_{'done' if done else 'none'}", **known), file=None if done else sys.stderr)
        return 0 if done else 1
    except (ImportError, ValueError):
        print(texts.say("admin.no_store"), file=sys.stderr)
    except (Unwritten, OSError) as error:
        print(texts.say("admin.failed", reason=error), file=sys.stderr)
    return 1


def _nodes(asked: argparse.Namespace) -> Any:
    """ImportError without the driver, ValueError for a log that has one node and no more."""
    from chiamata.server.postgres_nodes import Nodes  # noqa: PLC0415

    if not asked.store:
        raise ValueError(asked.db)
    return Nodes(asked.store)


def _owners(asked: argparse.Namespace) -> dict[str, str]:
    """Which node serves which table, where there may be several."""
    owners: dict[str, str] = _nodes(asked).owners() if asked.store else {}
    return owners


def _tables(found: Iterable[Any], owners: dict[str, str], texts: Texts) -> int:
    status = 0
    for one in found:
        facts = getattr(one, "facts", None)
        if facts is None:
            print(_unreadable(one, texts))
            status = 1
            continue
        counts = {"people": len(facts.names), "deals": one.deals, "lines": one.lines}
        state = texts.say(f"admin.state_{facts.state}")
        line = texts.say("admin.table", code=facts.code, state=state, rules=facts.rules.id, **counts)
        at = texts.say("admin.table_at", node=owners[facts.code]) if facts.code in owners else ""
        print(line + (texts.say("admin.table_closed") if one.closed else "") + at)
    return status


def _check(findings: list[Any], texts: Texts) -> int:
    broken = [one for one in findings if one.trouble]
    for one in broken:
        print(_unreadable(one, texts))
    counts = {"deals": sum(one.deals for one in findings), "lines": sum(one.lines for one in findings)}
    print(texts.say("admin.checked", tables=len(findings), broken=len(broken), **counts))
    if closed := sum(one.closed for one in findings):
        print(texts.say("admin.closed", closed=closed))
    return 1 if broken else 0


def _unreadable(one: Any, texts: Texts) -> str:
    return texts.say("admin.unreadable", code=one.code, lines=one.lines, reason=one.trouble)
