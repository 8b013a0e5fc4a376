"""A bot that is another program: JSON lines on its standard input and output, one View in, one move out.

    to it    {"is": "hello", "protocol": 1, "seconds": 1.0}
    from it  {"is": "hello", "protocol": 1, "name": "mine"}
    to it    {"is": "ask", "view": {…}, "legal": [{"do": "play", "seat": 1, "card": "3H"}, …], "seed": 123}
    from it  {"do": "play", "seat": 1, "card": "3H"}

The view is that of ``rules.view_json``; ``legal`` are all moves allowed.  An answer that is late, no JSON, no legal
move, or missing since the program died is a fault: it is counted, told with what the program wrote to its standard
error, and the first of the legal moves is made for it.  After all but an illegal move the program is killed, and
started again when it is next asked, three times a deal at most.  docs/how-to/outside-bot.md is for who writes one.
"""

from __future__ import annotations

import json
import os
import queue
import random
import shlex
import signal
import subprocess
import tempfile
import threading
from contextlib import suppress
from typing import IO, Any

from chiamata.rules import moves
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Move
from chiamata.rules.view import View
from chiamata.rules.view_json import view_to_json

PROTOCOL = 1
HELLO_SECONDS = 20.0
"""A program may take so long to start: an interpreter that loads a large library is not late."""
LONGEST = 100_000
"""Bytes of an answer; a move has less than 100."""
STARTS = 3
FAREWELL = 1.0
"""Seconds between the end of its input and being killed."""


class Fault(Exception):
    """What went wrong, in a line; it begins with ``late``, ``died``, ``rubbish`` or ``illegal``."""


class Outside:
    """A bot behind a command line, split as a shell would; no shell runs it.

    Args:
        seconds: for one move.
        hello: seconds for its first line.
    """

    def __init__(self, command: str, seconds: float, hello: float = HELLO_SECONDS) -> None:
        self.name = command
        self.faults: list[str] = []
        self._seconds = seconds
        self._hello = hello
        self._process: _Process | None = None
        self._starts = 0

    def start(self) -> None:
        """Runs it and greets it; Malformed with what it said if it cannot be used."""
        try:
            self._running()
        except Fault as fault:
            self.close()
            fix = 'Its first line must be {"is": "hello", "protocol": 1, "name": …}: docs/how-to/outside-bot.md.'
            raise Malformed("OUTSIDE_BOT", "cmd", f"{self.name}: {fault}", fix) from None

    def choose(self, view: View, rng: random.Random) -> Move:
        """Its answer, or the first legal move where it has no good one."""
        legal, ranks = view.legal(), view.public.rules.ranks
        ask = {
            "is": "ask",
            "view": view_to_json(view),
            "legal": [moves.to_json(move, ranks) for move in legal],
            "seed": rng.getrandbits(53),
        }
        try:
            return _move(self._running().ask(ask, self._seconds), view, legal)
        except Fault as fault:
            self.faults.append(str(fault))
            if not str(fault).startswith("illegal"):
                self.close(0.0)
            return legal[0]

    def close(self, farewell: float = FAREWELL) -> None:
        """Ends the program, after so many seconds whatever it is doing."""
        if self._process is not None:
            self._process.stop(farewell)
            self._process = None

    def _running(self) -> _Process:
        if self._process is None:
            if self._starts == STARTS:
                raise Fault(f"died: it was started {STARTS} times in this deal")
            self._starts += 1
            self._process = _Process(self.name)
            hello = {"is": "hello", "protocol": PROTOCOL, "seconds": self._seconds}
            answer = self._process.ask(hello, self._hello)
            if not isinstance(answer, dict) or (answer.get("is"), answer.get("protocol")) != ("hello", PROTOCOL):
                raise Fault(f"died: it greets with {json.dumps(answer)[:200]}, not with protocol {PROTOCOL}")
        return self._process


def _move(answer: Any, view: View, legal: tuple[Move, ...]) -> Move:
    rules = view.public.rules
    try:
        said = moves.from_json(answer, rules.ranks, rules.auction.kind == "points")
    except Malformed as error:
        raise Fault(f"rubbish: {json.dumps(answer)[:200]}: {error.code} {error.where}. {error.fix}") from None
    if said not in legal:
        raise Fault(f"illegal: {json.dumps(answer)[:200]}")
    return legal[legal.index(said)]


class _Process:
    """The running program, with a thread that reads its lines."""

    def __init__(self, command: str) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # ``stop`` closes it
        try:
            self._program = subprocess.Popen(
                shlex.split(command, posix=os.name != "nt"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            raise Fault(f"died: {error}") from None
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        out = self._program.stdout
        assert out is not None
        for line in iter(lambda: out.readline(LONGEST), b""):
            self._lines.put(line)
        self._lines.put(b"")

    def ask(self, message: object, seconds: float) -> Any:
        """The decoded answer to this message; Fault where there is none in time, or it is no JSON."""
        assert self._program.stdin is not None
        if not self._lines.empty():
            line = self._lines.get()
            raise Fault(f"rubbish: nobody asked for {line[:200]!r}" if line else self._death())
        try:
            self._program.stdin.write(json.dumps(message).encode() + b"\n")
            self._program.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except OSError:
            line = b""
        except queue.Empty:
            raise Fault(f"late: no answer in {seconds:g} s{self._told()}") from None
        if not line:
            raise Fault(self._death())
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            raise Fault(f"rubbish: {line[:200]!r}") from None

    def _death(self) -> str:
        try:
            how = f"with status {self._program.wait(FAREWELL)}"
        except subprocess.TimeoutExpired:
            how = "for us: it closed its output"
        return f"died {how}{self._told()}"

    def _told(self) -> str:
        """The last that it wrote to its standard error."""
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        text = self._errors.read().decode(errors="replace").strip()
        return f"; it wrote: {text}" if text else ""

    def stop(self, farewell: float) -> None:
        """Ends its input, waits so many seconds, then kills it and whatever it started."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        with suppress(OSError):  # it is dead already, and what was not flushed is of no use
            self._program.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(farewell)
        if os.name == "nt":
            self._program.kill()
        else:
            with suppress(ProcessLookupError):  # nothing of it is left
                os.killpg(self._program.pid, signal.SIGKILL)
        self._program.wait()
        self._reader.join()
        self._program.stdout.close()
        self._errors.close()
