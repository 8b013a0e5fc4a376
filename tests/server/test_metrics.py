"""Figures, health and the server's own log: what they say, and that they say nothing of tables and cards."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request

from chiamata.server import wire
from chiamata.server.app import Doors, Routes
from chiamata.server.coach import Coach, Desk
from chiamata.server.hub import OVERDUE, Hub
from chiamata.server.limits import Gate, Limits
from chiamata.server.log import Conflict, Unwritten
from chiamata.server.logs import JsonLines
from chiamata.server.metrics import BOUNDS, Histogram, Metrics
from chiamata.server.page import Page
from chiamata.server.static import Client
from chiamata.server.web import Origins
from tests.e2e.house import Guest, House, house_in
from tests.server.driver import rules_with
from tests.server.simulated import MemoryLog, house_on, simulate

SAMPLE = re.compile(r'chiamata_[a-z_]+(\{[a-z]+="[\w.+-]+"\})? \d+(\.\d+)?')


def figures(port: int, path: str = "/metrics") -> tuple[int, str]:
    line = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        line.request("GET", path)
        response = line.getresponse()
        return response.status, response.read().decode()
    finally:
        line.close()


def value(text: str, name: str) -> float:
    (found,) = re.findall(rf"^chiamata_{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found)


@contextmanager
def measured(folder: Path) -> Iterator[tuple[House, int]]:
    """A house for the length of the block, and the port where its figures are."""
    with house_in(folder, "--metrics", "0") as house:
        assert house.process is not None
        assert house.process.stdout is not None
        (port,) = re.findall(r":(\d+)/metrics", house.process.stdout.readline())
        yield house, int(port)


def until(holds: Callable[[], bool]) -> None:
    """Waits at most five seconds until it holds."""
    end = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_figures_of_a_house(tmp_path: Path) -> None:
    with measured(tmp_path) as (house, port):
        guest = Guest(house, "Annabella")
        code = guest.table("quick")
        guest.enter(code)
        guest.until("scene")
        guest.say(do="stand", chair=0)
        guest.until("no")
        guest.say(do="start")
        guest.until("ack")
        until(lambda: value(figures(port)[1], "commitments_unopened") == 1)  # granted first, then dealt
        status, text = figures(port)
        assert status == 200
        for line in text.splitlines():
            assert SAMPLE.fullmatch(line) or re.fullmatch(r"# (HELP|TYPE) chiamata_\w+ .+", line), line
        assert value(text, "tables") == value(text, "sockets") == value(text, "commitments_unopened") == 1
        assert value(text, 'refusals_total{code="UNREADABLE"}') == 1
        assert value(text, "append_seconds_count") >= 3
        assert value(text, "append_seconds_sum") > 0
        assert value(text, "log_broken") == 0
        assert value(text, 'messages_total{kind="ack"}') == 1
        for secret in (code, "Annabella", guest.cookie.partition("=")[2], "127.0.0.1"):
            assert secret not in text
        guest.leave()
        until(lambda: value(figures(port)[1], "sockets") == 0)
        assert figures(port, "/else")[0] == 404
        assert "chiamata_" not in house.ask("GET", "/metrics").body.decode()  # not where people come in
        with socket.create_connection(("127.0.0.1", port)) as other:
            other.sendall(b"x" * 10_000)
        assert figures(port)[0] == 200


def test_who_breaks_off_while_sending_is_counted_and_is_no_fault_of_ours(tmp_path: Path) -> None:
    with measured(tmp_path) as (house, port):
        head = f"POST /api/me HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nOrigin: {house.url}\r\n"
        head += "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        for sent in ("", '{"name":'):
            with socket.create_connection(("127.0.0.1", house.port)) as line:
                line.sendall((head + sent).encode())
        until(lambda: 'chiamata_answers_total{status="499"} 2' in figures(port)[1])
    assert (tmp_path / "errors.txt").read_text("utf-8") == ""


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        house = House(tmp_path, options=("--metrics", str(port)))
        with pytest.raises(AssertionError, match=f"127.0.0.1:{port} cannot be used"):
            house.start()
        house.stop()


def test_a_histogram_adds_up() -> None:
    histogram = Histogram()
    for seconds in (0.0, BOUNDS[0], 0.003, 100.0):
        histogram.add(seconds)
    lines = list(histogram.lines("x"))
    assert lines[0] == f'x_bucket{{le="{BOUNDS[0]}"}} 2'
    assert lines[2] == f'x_bucket{{le="{BOUNDS[2]}"}} 3'
    assert lines[-3:] == ['x_bucket{le="+Inf"} 4', "x_sum 100.004000", "x_count 4"]


def test_appends_that_fail_are_counted_apart() -> None:
    async def deed() -> None:
        log = MemoryLog(lambda number: "refuse" if number == 2 else "")
        metrics = Metrics()
        store = metrics.store(log)
        await store.append("A", 0, [b"one"])
        with pytest.raises(Unwritten):
            await store.append("A", 1, [b"two"])
        with pytest.raises(Conflict):
            await store.append("A", 0, [b"two"])
        log.broken = "failed"
        text = metrics.text(Hub(house_on(log)))
        assert 'chiamata_appends_failed_total{reason="unwritten"} 1' in text
        assert 'chiamata_appends_failed_total{reason="conflict"} 1' in text
        assert value(text, "append_seconds_count") == 1
        assert store.broken == "failed"

    simulate(deed())


def test_a_late_loop_is_seen() -> None:
    async def deed() -> Metrics:
        metrics = Metrics()
        watch = asyncio.ensure_future(metrics.watch_loop())
        await asyncio.sleep(0.01)
        time.sleep(0.6)
        await asyncio.sleep(0.05)
        watch.cancel()
        return metrics

    assert asyncio.run(deed()).lag.sum > 0.2


async def table_of_one_deal() -> tuple[Hub, str, Page]:
    """A house with one table, where Anna waits for a game of one deal."""
    hub = Hub(house_on(MemoryLog()))
    rules = rules_with("quick", session={"kind": "deals", "deals": 1, "allowed": None})
    code = await hub.create(rules, None, "anna", "Anna")
    page = Page("anna", "Anna")
    await hub.join(code, page)
    await asyncio.sleep(0.1)
    return hub, code, page


def test_secrets_that_are_not_open_yet_are_counted() -> None:
    async def deed() -> None:
        hub, code, page = await table_of_one_deal()
        assert hub.unopened == 0
        hub.wish(code, page, wire.DoStart("x", 3))
        await asyncio.sleep(0.1)
        assert hub.unopened == 1
        await hub.close()

    simulate(deed())


def test_a_secret_that_stays_closed_after_its_deal_is_overdue() -> None:
    async def deed() -> None:
        hub, code, page = await table_of_one_deal()
        runner = hub._runners[code]
        lobby = runner.state
        runner.state = msgspec.structs.replace(lobby, sealed=True)  # as if the last deal's secret had been forgotten
        assert hub.overdue() == 0, "not yet"
        await asyncio.sleep(OVERDUE - 1)
        assert hub.overdue() == 0
        await asyncio.sleep(1)
        assert "chiamata_commitments_overdue 1\n" in Metrics().text(hub)
        runner.state = lobby
        assert "chiamata_commitments_overdue 0\n" in Metrics().text(hub)
        hub.wish(code, page, wire.DoStart("x", 3))
        for _ in range(3):
            await asyncio.sleep(OVERDUE)
            assert runner.state.sealed
            assert hub.overdue() == 0, "the deal runs"
        await hub.close()

    simulate(deed())


def answer(store: Any, deed: str, closing: bool = False) -> int:
    async def ask() -> int:
        hub = Hub(house_on(store))
        if closing:
            await hub.close()
        gate = Gate(Limits(), time.monotonic)
        routes = Routes(Doors(hub, Client(Path("none")), Origins(()), gate, Limits(), Coach(Desk())))
        status: int = (await getattr(routes, deed)(Request({"type": "http"}))).status_code
        return status

    return simulate(ask())


class Silent(MemoryLog):
    """A log that does not answer."""

    async def last(self, book: str) -> int:
        await asyncio.get_running_loop().create_future()
        return 0


class Away(MemoryLog):
    """A log whose database is away."""

    async def last(self, book: str) -> int:
        raise Unwritten("away")


def test_ready_means_that_a_table_can_be_opened() -> None:
    broken = MemoryLog()
    broken.broken = "a sync failed"
    assert answer(MemoryLog(), "ready") == 200
    assert [answer(store, "ready") for store in (Silent(), Away(), broken)] == [503] * 3
    assert answer(MemoryLog(), "ready", closing=True) == 503
    assert answer(Silent(), "health") == 200


def test_the_log_tells_where_and_what_but_not_with_which_cards() -> None:
    try:
        raise ValueError("the hand was 3H KD")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord("chiamata", logging.ERROR, "x.py", 1, "table %s stopped\n", ("ABCDE",), error)
    told = json.loads(JsonLines().format(record))
    assert set(told) == {"at", "level", "event", "exception", "where"}
    assert (told["level"], told["exception"]) == ("error", "ValueError")
    assert "3H" not in str(told)
    record = logging.LogRecord("chiamata", logging.WARNING, "x.py", 1, "table %s: late\nat line %s", ("ABCDE", 3), None)
    text = JsonLines().format(record)
    assert "\n" not in text
    assert json.loads(text)["event"] == "table ABCDE: late\nat line 3"
