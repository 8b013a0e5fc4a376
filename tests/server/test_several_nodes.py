"""Nodes as processes of their own over one PostgreSQL, behind a proxy: sent on, killed, stopped, drained, restarted."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from chiamata.doors.cli import main
from chiamata.server import boxes, vault
from chiamata.server.postgres_archive import DatabaseArchive, on_database
from chiamata.server.postgres_schema import Connection
from tests.e2e.front import Front, Traveller, front
from tests.server.postgres import Database

pytestmark = pytest.mark.xdist_group("postgres")
END = 60
"""Seconds that a node has to end on a busy machine; how long people wait is tested in tests/test_nodes.py,
under simulated time, and measured by benchmarks/bench_nodes.py."""


@pytest.fixture(scope="module")
def nodes(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with front(tmp_path_factory.mktemp("nodes"), database.fresh(), "a", "b") as started:
        yield started


def admin(capsys: pytest.CaptureFixture[str], nodes: Front, *words: str) -> tuple[int, str]:
    """What ``chiamata admin`` says of these nodes."""
    status = main(["--language", "en", "admin", "--store", nodes.store, *words])
    said = capsys.readouterr()
    return status, said.out + said.err


def owner(capsys: pytest.CaptureFixture[str], nodes: Front, code: str) -> str:
    """The node that serves this table; '' for none."""
    (line,) = [line for line in admin(capsys, nodes, "tables")[1].splitlines() if line.startswith(code)]
    return line.partition(" at ")[2]


def act(one: Traveller, tell: bool = True) -> str:
    """The first thing on offer; returns the command's id, once it is granted."""
    options = one.scene["deal"]["options"]
    if options.get("may_pass"):
        ident = one.say(do="pass")
    elif options.get("plays"):
        ident = one.say(do="play", card=options["plays"][0])
    elif options.get("calls"):
        ident = one.say(do="call", card=options["calls"][0]["card"])
    else:
        ident = one.say(do="bid", say=options["bids"][0]["say"])
    while tell and one.until("ack")["id"] != ident:
        pass
    return ident


def to_a_turn(one: Traveller) -> None:
    while not one.scene.get("deal", {}).get("options"):
        one.until("scene")


def playing(nodes: Front, name: str = "Anna") -> tuple[Traveller, str]:
    """Somebody whose turn it is at a table of their own, with bots."""
    anna = Traveller(nodes, name)
    code = anna.table("classic")
    anna.enter(code)
    anna.say(do="start")
    to_a_turn(anna)
    return anna, code


def test_whoever_comes_to_the_wrong_node_is_sent_on(nodes: Front, capsys: pytest.CaptureFixture[str]) -> None:
    anna, code = playing(nodes)
    at = owner(capsys, nodes, code)
    sent = []
    for name in ("Bruno", "Carla", "Dino"):
        guest = Traveller(nodes, name)
        guest.enter(code)
        sent += guest.ways
        assert guest.scene["v"] >= anna.scene["v"]
        guest.leave()
    assert (4012, at) in sent
    assert set(sent) == {(4012, at)}
    for node in nodes.nodes.values():  # HTTP is answered by both
        assert node.ask("GET", f"/api/tables/{code}").json()["state"] == "playing"
        jotted = {"deal": 1, "marks": [0, 1]}
        assert node.ask("POST", f"/api/tables/{code}/notes", jotted, {"Cookie": anna.cookie}).status == 200
    anna.leave()


def test_who_is_forgotten_at_one_node_has_no_page_left_at_another(
    nodes: Front, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, code = playing(nodes)
    at = owner(capsys, nodes, code)
    bruno = Traveller(nodes, "Bruno")
    bruno.enter(code)
    other = nodes.nodes["b" if at == "a" else "a"]
    begun = time.monotonic()
    assert other.ask("DELETE", "/api/me", None, {"Cookie": anna.cookie}).status == 200
    assert anna.is_cut_off(10)
    assert time.monotonic() - begun < 5, "not only when its line breaks by itself"
    assert anna.line is not None
    assert anna.line.close_code == 4012
    anna.leave()
    anna.at = at
    anna.enter(code)
    assert "you" not in anna.scene["table"]
    bruno.throw('{"do":"ping"}')
    bruno.until("pong")
    anna.leave()
    bruno.leave()


def test_a_node_that_dies_is_taken_over_and_nothing_granted_is_lost(
    nodes: Front, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, code = playing(nodes)
    at = owner(capsys, nodes, code)
    granted = act(anna)
    v = anna.scene["v"]
    nodes.nodes[at].kill()
    assert anna.follow(code)["v"] > v
    assert owner(capsys, nodes, code) not in ("", at)
    anna.throw(f'{{"do": "pass", "id": "{granted}", "v": {v}}}')
    assert anna.until("ack")["id"] == granted, "it is known, and not done twice"
    to_a_turn(anna)
    act(anna)
    anna.leave()
    nodes.start_node(at)


def test_a_stopped_process_that_goes_on_is_refused_and_tells_nobody(
    nodes: Front, capsys: pytest.CaptureFixture[str]
) -> None:
    anna, code = playing(nodes)
    at = owner(capsys, nodes, code)
    process = nodes.nodes[at].process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    late = act(anna, tell=False)
    port = nodes.proxy.ports.pop(at)  # the proxy sees that it does not answer
    bruno = Traveller(nodes, "Bruno")
    bruno.enter(code)
    assert owner(capsys, nodes, code) not in ("", at)
    while anna.hear(0.05):
        pass  # what it told before it was stopped
    process.send_signal(signal.SIGCONT)
    with pytest.raises(ConnectionClosed) as closed:
        anna.hear(10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4012
    nodes.proxy.ports[at] = port
    anna.leave()
    bruno.leave()
    log = boxes.read(code, [line for _, line in DatabaseArchive(nodes.store).lines(code)], vault.read(nodes.key))
    assert not any(f'"{late}"'.encode() in line for line in log.lines)
    assert process.poll() is None, "it lives on, and takes other tables"


def test_a_rolling_restart_loses_nobody(nodes: Front, capsys: pytest.CaptureFixture[str]) -> None:
    people = [playing(nodes, f"P{n}") for n in range(4)]
    for name in ("a", "b"):
        _wait_for_orders(nodes)
        there = [(one, code) for one, code in people if owner(capsys, nodes, code) == name]
        node, errors = nodes.nodes[name].process, nodes.nodes[name].folder / "errors.txt"
        assert node is not None
        before = errors.read_bytes()
        node.send_signal(signal.SIGTERM)
        for one, code in there:
            one.follow(code)
            assert one.ways[0][0] == 4012
            assert one.ways[0][1] not in ("", name), "it says where to go"
            act(one)
            to_a_turn(one)
        assert node.wait(timeout=END) == 0
        nodes.nodes[name].close()
        assert errors.read_bytes() == before, "it complained"
        nodes.start_node(name)
    for one, _ in people:
        one.leave()


def _wait_for_orders(nodes: Front) -> None:
    """Until every node has renewed after the newest one began, and so knows of it."""

    async def deed(db: Connection) -> None:
        since = await db.fetchval("SELECT max(expires) FROM chiamata.nodes")
        while not await db.fetchval("SELECT bool_and(expires > $1) FROM chiamata.nodes", since):
            await asyncio.sleep(0.05)

    on_database(nodes.store, deed)


def test_those_who_run_it_move_tables_and_drain_nodes(nodes: Front, capsys: pytest.CaptureFixture[str]) -> None:
    anna, code = playing(nodes)
    at = owner(capsys, nodes, code)
    other = "b" if at == "a" else "a"
    assert admin(capsys, nodes, "migrate", code, "nowhere")[0] == 1
    assert admin(capsys, nodes, "migrate", "ABCDE", other)[0] == 1
    assert admin(capsys, nodes, "migrate", code, other) == (0, f"{code} goes to {other} within seconds.\n")
    anna.follow(code)
    assert anna.ways == [(4012, other)]
    assert owner(capsys, nodes, code) == other
    assert admin(capsys, nodes, "drain", "nowhere")[0] == 1
    assert f"{other}  serving" in admin(capsys, nodes, "nodes")[1]
    assert admin(capsys, nodes, "drain", other)[0] == 0
    anna.follow(code)
    process = nodes.nodes[other].process
    assert process is not None
    assert process.wait(timeout=END) == 0
    nodes.nodes[other].close()
    assert owner(capsys, nodes, code) == at
    assert admin(capsys, nodes, "nodes")[1].startswith(f"{at}  serving")
    anna.leave()
    nodes.start_node(other)


def test_what_asks_for_several_nodes_and_has_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "--db", str(tmp_path / "x.db"), "nodes"]) == 1
    assert "--store" in capsys.readouterr().err
    assert main(["serve", "--store", "postgresql://x@127.0.0.1:1/x", "--node", "A b"]) == 1
    assert "A b" in capsys.readouterr().err
