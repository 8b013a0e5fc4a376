"""Deals over a Dask cluster: ``dask scheduler`` on one machine, ``dask worker`` on many, this package on each.

Needs the package ``distributed``, which comes with ``chiamata[study]``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from distributed import Client

from chiamata.rules.errors import Malformed

Result = TypeVar("Result")
SCHEME = "dask://"
PATIENCE = 10
"""Seconds for the scheduler to answer."""
_client: Any = Client  # which brings no types
AHEAD = 4
"""Deals handed over for each thread of the workers, so that none waits for the next."""


class Cluster:
    """The workers behind a scheduler.

    Args:
        address: ``dask://host:port``.
    """

    def __init__(self, address: str) -> None:
        try:
            self._client = _client(address.replace(SCHEME, "tcp://", 1), timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            fix = "Start one with `dask scheduler`, and workers with `dask worker ADDRESS`."
            raise Malformed("NO_CLUSTER", "executor", f"{address} ({error})", fix) from None
        self.jobs = sum(self._client.nthreads().values())
        if self.jobs == 0:
            self._client.close()
            raise Malformed("NO_CLUSTER", "executor", address, "It has no workers: start `dask worker ADDRESS`.")

    def spread(self, work: Callable[[int], Result], numbers: Sequence[int]) -> Iterator[Result]:
        """``work`` of each number, in their order."""
        waiting: list[Any] = []
        left = iter(numbers)
        try:
            while True:
                for number in left:
                    waiting.append(self._client.submit(work, number, pure=False))
                    if len(waiting) >= AHEAD * self.jobs:
                        break
                if not waiting:
                    return
                yield waiting.pop(0).result()
        finally:
            self._client.cancel(waiting)

    def close(self) -> None:
        """Leaves the cluster, which runs on."""
        self._client.close()
