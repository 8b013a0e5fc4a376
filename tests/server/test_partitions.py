"""A node whose wire to the database is pulled out, in a network namespace: ``make partitions``.

Needs root and ``ip`` (iproute2), and is run where it is asked for: CHIAMATA_PARTITIONS says how often the wire goes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from chiamata.server import boxes, vault
from chiamata.server.leases import LEASE
from chiamata.server.postgres_archive import DatabaseArchive, on_database
from chiamata.server.postgres_schema import Connection
from tests.e2e.front import Front, Traveller
from tests.server.namespaces import PORT, Wire, are_possible, wire
from tests.server.postgres import Database
from tests.server.test_several_nodes import act, playing

PARTITIONS = int(os.environ.get("CHIAMATA_PARTITIONS", "0"))
pytestmark = [
    pytest.mark.xdist_group("postgres"),
    pytest.mark.skipif(not PARTITIONS, reason="only where it is asked for: make partitions"),
    pytest.mark.skipif(
        bool(PARTITIONS) and not are_possible(), reason="no network namespaces here: root and ip needed"
    ),
]
TAKEOVER = 10.0
"""Seconds in which a table must be played on elsewhere; what the machine's other work adds comes on top."""
BUSY = 20.0


@dataclass
class Parted(Front):
    """Nodes each of which has a wire of its own to the database."""

    wires: dict[str, Wire] = field(default_factory=dict)

    def store_of(self, name: str) -> str:
        return f"postgresql://postgres@{self.wires[name].address}:{PORT}{urlsplit(self.store).path}"


@pytest.fixture
def nodes(database: Database, tmp_path: Path) -> Iterator[Parted]:
    with ExitStack() as doors:
        wires = {name: doors.enter_context(wire(place, database.socket)) for place, name in enumerate("ab", 1)}
        running = Parted(tmp_path, store=database.fresh(), names=("a", "b"), wires=wires)
        running.start()
        doors.callback(running.stop)
        yield running


def on_turn(one: Traveller) -> None:
    """Until there is something to do; the next deal is asked for."""
    while not one.scene.get("deal", {}).get("options"):
        if "next" in one.scene["table"].get("may", []):
            one.say(do="next")
        one.until("scene", within=30)


def test_a_node_that_is_cut_off_from_the_database_writes_nothing_and_its_tables_go_on(nodes: Parted) -> None:
    anna, code = playing(nodes)
    late, gaps = [], []
    for number in range(PARTITIONS):
        at = nodes.owner(code)
        process = nodes.nodes[at].process
        assert process is not None
        nodes.wires[at].pull()
        late.append(act(anna, tell=False))
        begun = time.monotonic()
        port = nodes.proxy.ports.pop(at)  # people have another way in
        bruno = Traveller(nodes, f"Bruno {number}")
        bruno.enter(code)
        gaps.append(time.monotonic() - begun)
        assert gaps[-1] < TAKEOVER + BUSY
        assert nodes.owner(code) not in ("", at)
        nodes.wires[at].plug()
        assert anna.is_cut_off(LEASE + BUSY), "it tells nobody any more"
        assert not any(one["is"] == "ack" and one["id"] in late for one in anna.heard), "what was not saved was granted"
        anna.leave()
        anna.enter(code)
        on_turn(anna)
        act(anna)
        on_turn(anna)
        bruno.leave()
        nodes.proxy.ports[at] = port
        assert process.poll() is None, "it lives on"
        nodes.nodes[at].wait_for_answer()
    log = boxes.read(code, [line for _, line in DatabaseArchive(nodes.store).lines(code)], vault.read(nodes.key))
    assert not any(f'"{one}"'.encode() in line for one in late for line in log.lines)

    async def epochs(db: Connection) -> list[int]:
        return [row[0] for row in await db.fetch("SELECT epoch FROM chiamata.lines WHERE book = $1 ORDER BY seq", code)]

    found = on_database(nodes.store, epochs)
    assert found == sorted(found), "an older epoch wrote after a newer one"
    assert len(set(found)) > PARTITIONS
    print(f"partitions={PARTITIONS} lost=0 forked=0; seconds until played on elsewhere: {max(gaps):.1f} at most")
    anna.leave()
