"""A real house for the tests: the server as its own process, and guests who speak to it over raw HTTP and WebSocket."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
READY_WITHIN = 15.0
"""Seconds that a loaded machine may take; alone it is ready in under 1.5."""


@dataclass
class House:
    """``chiamata serve`` on a port of its own with its log in a folder."""

    folder: Path
    port: int = 0
    options: tuple[str, ...] = ("--pace", "0")
    process: subprocess.Popen[str] | None = None
    variables: dict[str, str] = field(default_factory=dict)
    """Of its environment, beside those of this process."""

    @property
    def url(self) -> str:
        """Where the house is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait for the line that says where it listens."""
        words = [sys.executable, "-m", "chiamata.doors.cli", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        words += ["--db", str(self.folder / "house.db"), *self.options]
        self.errors = (self.folder / "errors.txt").open("a", encoding="utf-8")
        variables = ENVIRONMENT | self.variables
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=variables)
        assert self.process.stdout
        found = None
        while not found:
            line = self.process.stdout.readline()
            assert line, f"the house did not start:\n{(self.folder / 'errors.txt').read_text('utf-8')}"
            found = re.search(r"http://[\w.]+:(\d+)", line)
        self.port = int(found[1])
        self.wait_for_answer()

    def wait_for_answer(self) -> None:
        """Until it answers over HTTP."""
        end = time.monotonic() + READY_WITHIN
        while time.monotonic() < end:
            try:
                self.ask("GET", "/api/rules")
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError("the house does not answer")

    def kill(self) -> None:
        """kill -9: no goodbye, no flush."""
        assert self.process
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.close()

    def hang(self) -> None:
        """It lives and reads nothing any more."""
        assert self.process
        os.kill(self.process.pid, signal.SIGSTOP)

    def stop(self) -> None:
        """A polite end; killed where it does not listen."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.close()

    def close(self) -> None:
        """Let go of the process's pipes."""
        if self.process and self.process.stdout:
            self.process.stdout.close()
        self.errors.close()

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        """One HTTP request; ``body`` goes as JSON."""
        line = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            sent = None if body is None else json.dumps(body)
            line.request(method, path, sent, {"Content-Type": "application/json", "Origin": self.url} | (headers or {}))
            response = line.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            line.close()


@dataclass(frozen=True)
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body read as JSON."""
        return json.loads(self.body)


@contextmanager
def house_in(folder: Path, *options: str) -> Iterator[House]:
    """A house that runs for the length of the block; bots answer at once."""
    house = House(folder, options=("--pace", "0", *options))
    house.start()
    try:
        yield house
    finally:
        house.stop()


@dataclass
class Guest:
    """Somebody with a name and a cookie, who speaks the wire without a browser."""

    house: House
    name: str
    cookie: str = ""
    line: ClientConnection | None = None
    scene: dict[str, Any] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    sent: int = 0
    doors: ExitStack = field(default_factory=ExitStack)
    path: str = ""
    """Before the table's address: ``/at/NAME`` for a node of several."""

    def __post_init__(self) -> None:
        answer = self.house.ask("POST", "/api/me", {"name": self.name})
        assert answer.status == 200, answer
        self.cookie = answer.headers["set-cookie"].split(";")[0]

    def table(self, rules: str | dict[str, Any] = "classic") -> str:
        """Open a table; its code."""
        answer = self.house.ask("POST", "/api/tables", {"rules": rules}, {"Cookie": self.cookie})
        assert answer.status in (200, 201), answer
        return str(answer.json()["code"])

    def enter(self, code: str, headers: dict[str, str] | None = None, origin: str | None = None) -> None:
        """Open the table's line."""
        more = {"Cookie": self.cookie} if headers is None else headers
        url = f"ws://127.0.0.1:{self.house.port}{self.path}/ws/{code}"
        sender = Origin(origin or self.house.url)
        opening = connect(url, additional_headers=more, origin=sender, max_size=None, max_queue=None)
        self.line = self.doors.enter_context(opening)

    def say(self, **words: Any) -> str:
        """Send a command that answers the newest scene; its id."""
        self.sent += 1
        command = {"id": f"{self.name}-{self.sent}", "v": self.scene.get("v", 0)} | words
        self.throw(json.dumps(command))
        return str(command["id"])

    def throw(self, text: str | bytes) -> None:
        """Send anything at all."""
        assert self.line
        self.line.send(text)

    def hear(self, within: float = 5.0) -> dict[str, Any] | None:
        """The next message, or None when nothing comes in time."""
        assert self.line
        try:
            message = json.loads(self.line.recv(timeout=within))
        except TimeoutError:
            return None
        self.heard.append(message)
        if message["is"] == "scene":
            self.scene = message
        return dict(message)

    def until(self, wanted: str, within: float = 10.0) -> dict[str, Any]:
        """Read on until a message of this kind (``scene``, ``ack``, ``no``) comes."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            message = self.hear(end - time.monotonic())
            if message and message["is"] == wanted:
                return message
        raise AssertionError(f"{self.name} waited for {wanted!r} in vain")

    def is_cut_off(self, within: float = 5.0) -> bool:
        """Whether the house closes the line."""
        end = time.monotonic() + within
        try:
            while time.monotonic() < end:
                self.hear(end - time.monotonic())
        except ConnectionClosed:
            return True
        return False

    def leave(self) -> None:
        """Close the line."""
        self.doors.close()
        self.line = None
