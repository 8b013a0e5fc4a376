"""Wires between a node and the database that can be pulled out: each leads into a network namespace of its own.

Behind it is nothing but a relay to the database's socket.  With the wire out the kernel has nowhere to send: lines
stand, send again and go on, or give up, as in a real network; nobody is told that the other end has gone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PORT = 5432
REPOSITORY = Path(__file__).parents[2]


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def are_possible() -> bool:
    """Whether this process may make network namespaces."""
    name = f"chiamata{os.getpid()}"
    if shutil.which("ip") is None:
        return False
    try:
        _ip("netns", "add", name)
        _ip("netns", "del", name)
    except subprocess.CalledProcessError:
        return False
    return True


class Wire:
    """One wire; ``address`` is where the database is found at its other end."""

    def __init__(self, number: int) -> None:
        self.here, self.there = f"ch{os.getpid()}a{number}", f"ch{os.getpid()}b{number}"
        self.space = f"chiamata{os.getpid()}-{number}"
        self.near, self.address = f"10.213.{number}.1", f"10.213.{number}.2"

    def lay(self) -> None:
        """Makes it; it is up."""
        _ip("netns", "add", self.space)
        _ip("link", "add", self.here, "type", "veth", "peer", "name", self.there, "netns", self.space)
        _ip("addr", "add", f"{self.near}/30", "dev", self.here)
        _ip("netns", "exec", self.space, "ip", "addr", "add", f"{self.address}/30", "dev", self.there)
        _ip("netns", "exec", self.space, "ip", "link", "set", self.there, "up")
        self.plug()

    def take_up(self) -> None:
        """It is gone, with all behind it."""
        for words in (("link", "del", self.here), ("netns", "del", self.space)):
            with suppress(subprocess.CalledProcessError):
                _ip(*words)

    def pull(self) -> None:
        """Nothing passes."""
        _ip("link", "set", self.here, "down")

    def plug(self) -> None:
        """It is there again; what was on the way is sent again."""
        _ip("link", "set", self.here, "up")


@contextmanager
def wire(number: int, socket: Path) -> Iterator[Wire]:
    """A wire to the database that listens at this socket, for the length of the block."""
    one = Wire(number)
    try:
        one.lay()
        words = ["ip", "netns", "exec", one.space, sys.executable, "-m", "tests.server.relay"]
        relay = subprocess.Popen(
            [*words, one.address, str(PORT), str(socket)], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
        )
        try:
            assert relay.stdout is not None
            assert relay.stdout.readline() == "ready\n"
            yield one
        finally:
            relay.kill()
            relay.wait()
            assert relay.stdout is not None
            relay.stdout.close()
    finally:
        one.take_up()
