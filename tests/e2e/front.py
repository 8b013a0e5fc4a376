"""Several nodes as processes of their own over one database, and before them a proxy as small as can be.

The proxy does what docs/deploying.md asks of a real one: what begins with
``/at/NAME/`` goes to that node, everything else to any that answers.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.e2e.house import ENVIRONMENT, Guest, House

BREATH = 0.2
"""Seconds before a guest who was not sent anywhere tries again: the browser's first wait, without its doubling."""
HEAD = 16_384
"""Bytes that a request's head may have."""


class Proxy:
    """Listens on a port of its own; every connection goes to one node and stays there."""

    def __init__(self) -> None:
        self.ports: dict[str, int] = {}
        """Where the nodes are, by name."""
        self.turn = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._lines: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """Cuts every line and waits for the threads."""
        for one in [self._listening, *self._lines]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._listening.accept()
                thread = threading.Thread(target=self._carry, args=(line,), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _carry(self, line: socket.socket) -> None:
        with line:
            self._lines.add(line)
            head = b""
            with contextlib.suppress(OSError):
                while b"\r\n\r\n" not in head and len(head) < HEAD and (chunk := line.recv(HEAD)):
                    head += chunk
                onward = self._reach(head) if head else None
                if onward is None:
                    line.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                else:
                    with onward:
                        self._lines.add(onward)
                        onward.sendall(head)
                        back = threading.Thread(target=_pump, args=(onward, line), daemon=True)
                        back.start()
                        _pump(line, onward)
                        back.join()
                    self._lines.discard(onward)
            self._lines.discard(line)

    def _reach(self, head: bytes) -> socket.socket | None:
        """A line to the named node, or to the first that takes one; sockets come to each in turn."""
        named = re.match(rb"GET /at/([a-z0-9-]+)/", head)
        names = [named[1].decode()] if named else sorted(self.ports)
        self.turn += head.startswith(b"GET /ws/")
        for place in range(len(names)):
            port = self.ports.get(names[(self.turn + place) % len(names)], 1)
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", port), timeout=5)
        return None


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        source.settimeout(None)
        while chunk := source.recv(65_536):
            sink.sendall(chunk)
    for one in (source, sink):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@dataclass
class Front(House):
    """Nodes behind the proxy; to a guest it is one house."""

    store: str = ""
    names: tuple[str, ...] = ("a", "b")
    nodes: dict[str, House] = field(default_factory=dict)
    address: str = ""
    """Of another proxy in front of the nodes; '' for the small one."""

    @property
    def url(self) -> str:
        return self.address or super().url

    @property
    def key(self) -> Path:
        """The file of their key."""
        return self.folder / "key"

    def start(self) -> None:
        """Start the proxy and every node."""
        self.proxy = Proxy()
        self.port = self.proxy.port
        for name in self.names:
            self.start_node(name)

    def admin(self, *words: str) -> str:
        """What ``chiamata admin`` says, as its own process."""
        line = [sys.executable, "-m", "chiamata.doors.cli", "--language", "en", "admin", "--store", self.store, *words]
        return subprocess.run(line, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout

    def owner(self, code: str) -> str:
        """The node that serves this table; '' for none."""
        (line,) = [line for line in self.admin("tables").splitlines() if line.startswith(code)]
        return line.partition(" at ")[2]

    def store_of(self, name: str) -> str:
        """The database's address as this node has it."""
        return self.store

    def start_node(self, name: str) -> None:
        """Start one node, where it was or anew."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        options = ("--pace", "0", "--store", self.store_of(name), "--node", name, "--key", str(self.key))
        self.nodes[name] = House(folder, self.proxy.ports.get(name, 0), options)
        self.nodes[name].start()
        self.proxy.ports[name] = self.nodes[name].port

    def stop(self) -> None:
        """All of it."""
        for node in self.nodes.values():
            node.stop()
        self.proxy.close()


@contextlib.contextmanager
def front(folder: Path, store: str, *names: str) -> Iterator[Front]:
    """Nodes over this database that run for the length of the block."""
    running = Front(folder, store=store, names=names)
    running.start()
    try:
        yield running
    finally:
        running.stop()


@dataclass
class Traveller(Guest):
    """A guest who comes back after every goodbye, to the node that was named, as the browser does."""

    at: str = ""
    """The node that the last goodbye named."""
    ways: list[tuple[int, str]] = field(default_factory=list)
    """Every goodbye: its code and the node that it named."""

    def enter(self, code: str, headers: dict[str, str] | None = None, origin: str | None = None) -> None:
        """Open the table's line and wait for the first scene, wherever it is."""
        while True:
            try:
                self.path, self.at = (f"/at/{self.at}" if self.at else ""), ""
                super().enter(code, headers, origin)
                self.until("scene")
            except (ConnectionClosed, InvalidMessage, InvalidStatus, OSError) as error:
                self.leave()
                self._heed(error)
                time.sleep(0 if self.at else BREATH)
            else:
                return

    def follow(self, code: str) -> dict[str, Any]:
        """Read until the line is closed, then come back; the first scene after that."""
        self.ways = []
        try:
            while True:
                self.hear(30)
        except ConnectionClosed as error:
            self.leave()
            self._heed(error)
        self.enter(code)
        return self.scene

    def _heed(self, error: Exception) -> None:
        goodbye = error.rcvd if isinstance(error, ConnectionClosed) else None
        self.ways.append((goodbye.code, goodbye.reason) if goodbye else (1006, ""))
        self.at = self.ways[-1][1]
