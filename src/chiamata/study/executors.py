"""Where deals are played: in this process, or over processes of this machine.  ``cluster`` adds a Dask cluster.

A deal's result follows from its number and the match, so that all of them give the same.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class Executor(Protocol):
    """Plays deals by their numbers."""

    @property
    def jobs(self) -> int:
        """How many deals are played at a time."""
        ...

    def spread(self, work: Callable[[int], Result], numbers: Sequence[int]) -> Iterator[Result]:
        """``work`` of each number, in their order, each as soon as it is there; ``work`` can be pickled."""
        ...


class Here:
    """One deal after the other in this process."""

    jobs = 1

    def spread(self, work: Callable[[int], Result], numbers: Sequence[int]) -> Iterator[Result]:
        """``work`` of each number."""
        return map(work, numbers)


def _end_with_parent() -> None:
    """A process of the pool does not outlive the run: it would wait for ever if that was killed."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Processes:
    """So many processes of this machine, started anew for each sequence of numbers."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def spread(self, work: Callable[[int], Result], numbers: Sequence[int]) -> Iterator[Result]:
        """``work`` of each number."""
        with ProcessPoolExecutor(self.jobs, initializer=_end_with_parent) as pool:
            try:
                yield from pool.map(work, numbers, chunksize=1 if len(numbers) < 16 * self.jobs else 4)
            finally:
                pool.shutdown(cancel_futures=True)


def local(jobs: int) -> Executor:
    """Here for one job, else Processes."""
    return Here() if jobs == 1 else Processes(jobs)
