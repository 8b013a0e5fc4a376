"""A page at a table that changes its node: moved, handed over, lost with a node that dies, and behind a real proxy."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.front import Front, front
from tests.e2e.kit import ROOT, Move, Person, Shape, moves, person
from tests.server.postgres import Database, running

NODES = ("a", "b")


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with running() as server:
        yield server


@pytest.fixture
def nodes(database: Database, tmp_path: Path) -> Iterator[Front]:
    with front(tmp_path, database.fresh(), *NODES) as started:
        yield started


def play_one(one: Person) -> None:
    """A move, and whatever follows until the next turn."""
    one.wait_for_turn()
    before = one.scene
    one.do(next(iter(moves(before)), Move("next")))
    one.settle(before)


def another_line(one: Person, sockets: int, frames: int) -> None:
    """Until the page has opened a line more than these, and heard more."""
    one.wait(lambda _: one.sockets > sockets and len(one.frames) > frames, "a line to another node")


def seat_down(one: Person) -> str:
    """At a table of one's own with bots; its code."""
    one.play_now()
    one.wait_for_turn()
    play_one(one)
    return str(one.scene["table"]["code"])


def test_a_page_follows_its_table(browser: Browser, nodes: Front) -> None:
    """Two times without a word of it on the page; after a kill it says so and comes back."""
    anna = person(browser, nodes, Shape("it"))
    code = seat_down(anna)
    said: list[str] = []
    lost = anna.page.get_by_text(anna.word("link_lost"), exact=True)
    anna.page.expose_function("said", lambda: said.append("lost"))
    anna.page.evaluate(
        """lost => new MutationObserver(() => document.body.innerText.includes(lost) && said())
            .observe(document.body, {subtree: true, childList: true, characterData: true})""",
        anna.word("link_lost"),
    )
    for deed in ("migrate", "drain"):
        at, sockets, frames = nodes.owner(code), anna.sockets, len(anna.frames)
        other = NODES[at == "a"]
        nodes.admin("migrate", code, other) if deed == "migrate" else nodes.admin("drain", at)
        another_line(anna, sockets, frames)
        play_one(anna)
        assert anna.sockets == sockets + 1
        assert nodes.owner(code) == other
    assert said == []
    process = nodes.nodes[at].process
    assert process is not None
    assert process.wait(timeout=20) == 0
    nodes.nodes[at].close()
    nodes.start_node(at)
    nodes.nodes[other].kill()
    lost.wait_for()
    lost.wait_for(state="detached")
    play_one(anna)
    assert nodes.owner(code) == at
    nodes.start_node(other)
    anna.context.close()


@pytest.fixture
def deployed(database: Database, tmp_path: Path) -> Iterator[Front]:
    """The same nodes behind nginx, as docs/deploy/nginx.conf has it but for ports, names and files."""
    nginx, openssl = shutil.which("nginx") or shutil.which("/usr/sbin/nginx"), shutil.which("openssl")
    if not nginx or not openssl:
        pytest.skip("no nginx and openssl on this machine: apt-get install nginx-light openssl")
    with front(tmp_path, database.fresh(), *NODES) as started:
        port = _free_port()
        key = ["-newkey", "rsa:2048", "-nodes", "-keyout", "privkey.pem", "-out", "fullchain.pem", "-days", "2"]
        subj = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        subprocess.run([openssl, "req", "-x509", *key, *subj], cwd=tmp_path, check=True, capture_output=True)
        site = (ROOT / "docs/deploy/nginx.conf").read_text("utf-8")
        for old, new in {
            "127.0.0.1:8001": f"127.0.0.1:{started.proxy.ports['a']}",
            "127.0.0.1:8002": f"127.0.0.1:{started.proxy.ports['b']}",
            "listen 80;": f"listen {_free_port()};",
            "listen 443 ": f"listen 127.0.0.1:{port} ",
            "cards.example.org": "127.0.0.1",
            "/etc/ssl/chiamata": str(tmp_path),
        }.items():
            assert old in site
            site = site.replace(old, new)
        (tmp_path / "site.conf").write_text(site)
        (tmp_path / "nginx.conf").write_text(
            f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}"
            f" http {{ access_log off; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/temp;"
            f" include {tmp_path}/site.conf; }}"
        )
        words = [nginx, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
        subprocess.run([*words, "-t"], check=True, capture_output=True)
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        started.address = f"https://127.0.0.1:{port}"
        started.wait_for_answer()
        yield started
        process.terminate()
        process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.mark.slow
def test_a_deal_behind_nginx(browser: Browser, deployed: Front) -> None:
    """TLS, sockets, a node that is drained and one that is killed, to the end of a deal."""
    anna = person(browser, deployed, Shape("it"))
    code = seat_down(anna)
    at = deployed.owner(code)
    process = deployed.nodes[at].process
    assert process is not None
    sockets, frames = anna.sockets, len(anna.frames)
    process.send_signal(signal.SIGTERM)
    other = NODES[at == "a"]
    another_line(anna, sockets, frames)
    play_one(anna)
    assert process.wait(timeout=20) == 0
    deployed.nodes[at].close()
    deployed.start_node(at)
    sockets = anna.sockets
    deployed.nodes[other].kill()
    anna.page.get_by_text(anna.word("link_lost"), exact=True).wait_for(state="detached")
    while not anna.scene.get("sheet"):
        play_one(anna)
    assert anna.sockets > sockets
    assert anna.page.evaluate("isSecureContext")
    deployed.start_node(other)
    anna.context.close()
