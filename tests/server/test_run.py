"""What cannot be seen from outside: slow readers, slow bodies, a log that broke."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.websockets import WebSocket

from chiamata.server import answers, logs, paper, run, sockets
from chiamata.server.hub import Hub
from chiamata.server.log import Log
from chiamata.server.page import TOO_SLOW, Page
from tests.server.simulated import MemoryLog, house_on, simulate


def test_a_page_that_reads_too_slowly_is_closed() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "websocket.send":
            await asyncio.get_running_loop().create_future()

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def deed() -> None:
        page_socket = WebSocket({"type": "websocket"}, receive, send)
        await page_socket.accept()
        page = Page("anna", "Anna")
        page.show(b"{}")
        await sockets._write(page_socket, page)
        assert asyncio.get_running_loop().time() == pytest.approx(answers.PATIENCE)

    simulate(deed())
    assert sent[-1]["type"] == "websocket.close"
    assert sent[-1]["code"] == TOO_SLOW


@pytest.mark.parametrize("error", [RuntimeError(), ConnectionResetError()])
def test_a_page_that_is_gone_is_let_go(error: Exception) -> None:
    async def send(message: Any) -> None:
        if message["type"] != "websocket.accept":
            raise error

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def deed() -> None:
        page_socket = WebSocket({"type": "websocket"}, receive, send)
        await page_socket.accept()
        page = Page("anna", "Anna")
        page.put(b"{}")
        await sockets._write(page_socket, page)
        page.close(TOO_SLOW)
        await sockets._write(page_socket, page)

    simulate(deed())


def test_a_body_that_does_not_come_to_its_end() -> None:
    async def receive() -> Any:
        await asyncio.sleep(3)
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def deed() -> None:
        headers = [(b"content-type", b"application/json")]
        with pytest.raises(HTTPException) as error:
            await answers.read(Request({"type": "http", "method": "POST", "headers": headers}, receive), paper.Me)
        assert error.value.status_code == 408
        assert asyncio.get_running_loop().time() == pytest.approx(answers.PATIENCE)

    simulate(deed())


def test_a_server_whose_log_broke_stops(tmp_path: Path) -> None:
    async def deed() -> list[bool]:
        server = run.Server(uvicorn.Config(lambda: None, log_config=None), Hub(house_on(MemoryLog())), log)
        stops = [await server.on_tick(1)]
        log.broken = "IOError: sync"
        return [*stops, await server.on_tick(1)]

    log = Log(tmp_path / "log.db")
    assert simulate(deed()) == [False, True]
    log.close()


@pytest.mark.parametrize(
    ("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1"), ("::1", "[::1]"), ("10.0.0.2", "10.0.0.2")]
)
def test_the_address_that_is_printed(host: str, shown: str) -> None:
    assert run._readable(host) == shown


def test_a_server_for_others_says_where_they_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    own = run._own_address()
    assert own == "" or own.count(".") == 3

    class NoNetwork:
        def __init__(self, *_: Any) -> None: ...
        def __enter__(self) -> NoNetwork:
            return self

        def __exit__(self, *_: Any) -> None: ...
        def connect(self, _: Any) -> None:
            raise OSError

    monkeypatch.setattr(socket, "socket", NoNetwork)
    assert run._own_address() == ""


def test_all_objects_are_looked_through_rarely(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A thousand tables are a million objects: half a second in which nobody is answered."""
    asked: list[tuple[int, ...]] = []
    monkeypatch.setattr(gc, "set_threshold", lambda *counts: asked.append(counts))
    turns: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", turns.append)
    monkeypatch.setattr(logs, "to_stderr", lambda: None)
    monkeypatch.setattr(run, "_server", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert run.serve(run.Settings(port=0, db=tmp_path / "log.db")) == 0
    ((young, old, whole),) = asked
    assert young * old <= 2_000, "those that outlived the first look are few when they are looked at"
    assert young * old * whole > 10_000_000
    assert turns == [run.SWITCH]
