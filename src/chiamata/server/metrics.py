"""What a house does, as figures for those who run it: Prometheus text on a port of its own, on this machine alone.

Figures count and measure; none names a table, a person, an address or a card.
They are not on the port that people use, since even how many commands were refused
while a hand was played may tell something of it.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Iterator, MutableMapping
from typing import Any

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from chiamata.server.hub import Hub
from chiamata.server.log import Around, Conflict, Store, Unwritten

BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds: a sync takes one to ten milliseconds, and half a second is what people notice."""
BEAT = 0.25
"""Seconds between two looks at how late the loop is."""
REQUEST = 4_096
"""Bytes that a scrape may ask with."""


class Histogram:
    """How often something took how long."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.counts[sum(seconds > bound for bound in BOUNDS)] += 1
        self.sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        """As Prometheus reads it."""
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self.sum:.6f}"
        yield f"{name}_count {total}"


class _No(msgspec.Struct):
    code: str


class Metrics:
    """The figures of one house."""

    def __init__(self) -> None:
        self.appends, self.lag = Histogram(), Histogram()
        self.failed: Counter[str] = Counter()
        """Appends that were not made, by reason: ``conflict`` or ``unwritten``."""
        self.refused: Counter[str] = Counter()
        """Commands refused, by code."""
        self.sent: Counter[str] = Counter()
        """Messages to pages, by kind."""
        self.answers: Counter[str] = Counter()
        """HTTP answers, by status."""
        self.sockets = 0

    def store(self, store: Store) -> Store:
        """The store, with its appends measured."""
        return _Measured(store, self)

    def app(self, app: ASGIApp) -> ASGIApp:
        """The application, with its sockets and what leaves it counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_on(message: MutableMapping[str, Any]) -> None:
                self._count(message)
                await send(message)

            is_socket = scope["type"] == "websocket"
            self.sockets += is_socket
            try:
                await app(scope, receive, send_on)
            finally:
                self.sockets -= is_socket

        return counted

    def _count(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "websocket.send":
            text = str(message.get("text") or "")
            kind = text[7 : text.find('"', 7)]  # after {"is":"
            self.sent[kind] += 1
            if kind == "no":
                self.refused[msgspec.json.decode(text, type=_No).code] += 1
        elif message["type"] == "http.response.start":
            self.answers[str(message["status"])] += 1

    async def watch_loop(self) -> None:
        """Measures how late the loop is, for ever."""
        while True:
            due = time.monotonic() + BEAT
            await asyncio.sleep(BEAT)
            self.lag.add(max(0.0, time.monotonic() - due))

    def text(self, hub: Hub) -> str:
        """All figures in Prometheus's text form."""
        lines: list[str] = []
        for name, about, kind, samples in self._families(hub):
            lines += [f"# HELP chiamata_{name} {about}", f"# TYPE chiamata_{name} {kind}", *samples]
        return "\n".join(lines) + "\n"

    def _families(self, hub: Hub) -> Iterator[tuple[str, str, str, list[str]]]:
        gauges = {
            "tables": ("Tables that are loaded.", hub.served),
            "sockets": ("Open WebSockets.", self.sockets),
            "commitments_unopened": ("Secrets sealed for deals on their way or running.", hub.unopened),
            "commitments_overdue": ("Secrets not open a minute after their deal.", hub.overdue()),
            "log_broken": ("1 once the log cannot be written any more.", int(bool(hub.house.store.broken))),
        }
        for name, (about, value) in gauges.items():
            yield name, about, "gauge", [f"chiamata_{name} {value}"]
        counters = {
            "refusals_total": ("Commands refused.", "code", self.refused),
            "appends_failed_total": ("Appends that were not made.", "reason", self.failed),
            "messages_total": ("Messages sent to pages.", "kind", self.sent),
            "answers_total": ("HTTP answers.", "status", self.answers),
        }
        for name, (about, label, counts) in counters.items():
            samples = [f'chiamata_{name}{{{label}="{key}"}} {counts[key]}' for key in sorted(counts)]
            yield name, about, "counter", samples
        histograms = {
            "append_seconds": ("From asking for an append until it is synced.", self.appends),
            "loop_lag_seconds": ("How late the event loop is.", self.lag),
        }
        for name, (about, histogram) in histograms.items():
            yield name, about, "histogram", list(histogram.lines(f"chiamata_{name}"))


class _Measured(Around):
    """A store whose appends are timed."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        super().__init__(store)
        self._metrics, self.read = metrics, store.read

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        start = time.monotonic()
        try:
            await self._store.append(book, prev, lines)
        except (Conflict, Unwritten) as error:
            self._metrics.failed[type(error).__name__.lower()] += 1
            raise
        self._metrics.appends.add(time.monotonic() - start)


async def show(metrics: Metrics, hub: Hub, listening: socket.socket) -> None:
    """Measures, and answers ``GET /metrics`` on this socket, until it is cancelled."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(5):
                asked = await reader.readuntil(b"\r\n\r\n")
            is_ours = asked.startswith((b"GET /metrics HTTP/", b"GET /metrics?"))
            body = metrics.text(hub).encode() if is_ours else b"GET /metrics\n"
            status = "200 OK" if is_ours else "404 Not Found"
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
            writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
            await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asked has gone, or asks for something else
        finally:
            writer.close()

    async with await asyncio.start_server(answer, sock=listening, limit=REQUEST):
        await metrics.watch_loop()
