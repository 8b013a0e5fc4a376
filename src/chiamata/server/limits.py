"""How much one page, guest or address may ask for."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The limits of a server.

    Args:
        messages, messages_burst: a page's messages a second, and how many at once.
        requests, requests_burst: an address's changes over HTTP a second, and how many at once.
        guesses, guesses_burst: an address's codes that name no table, a second, and how many at once.
        pages_of_guest, pages_of_address, pages: open sockets.
        body: bytes of a request.
    """

    messages: float = 5
    messages_burst: int = 20
    requests: float = 2
    requests_burst: int = 60
    guesses: float = 0.1
    guesses_burst: int = 60
    pages_of_guest: int = 20
    pages_of_address: int = 1_000
    pages: int = 25_000
    body: int = 32_768


UNHURRIED = Limits(
    messages=1e6,
    messages_burst=1_000_000,
    requests=1e6,
    requests_burst=1_000_000,
    guesses=1e6,
    guesses_burst=1_000_000,
)
"""For tests and load: programs are faster than people."""
FRAME = 2_048
"""Bytes of a message from a page; a longer one closes its socket (1009)."""
ADDRESSES = 10_000
"""So many addresses are remembered, the latest ones."""


class Bucket:
    """Lets ``burst`` things through at once and ``rate`` a second after that."""

    __slots__ = ("burst", "full_at", "rate")

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self.full_at = 0.0

    def take(self, now: float) -> bool:
        """Whether one more may pass at this moment (monotonic seconds)."""
        if not self.has_room(now):
            return False
        self.full_at = max(self.full_at, now) + 1 / self.rate
        return True

    def has_room(self, now: float) -> bool:
        """Whether one more could pass at this moment."""
        return (self.full_at - now) * self.rate <= self.burst - 1 + 1e-6  # sums of fractions are not exact


class Gate:
    """Counts open pages and changes over HTTP."""

    def __init__(self, limits: Limits, time: Callable[[], float]) -> None:
        self.limits = limits
        self._time = time
        self._pages: Counter[str] = Counter()
        self._requests: OrderedDict[str, Bucket] = OrderedDict()
        self._guesses: OrderedDict[str, Bucket] = OrderedDict()

    def may_change(self, address: str) -> bool:
        """Whether this address may make one more change now."""
        new = Bucket(self.limits.requests, self.limits.requests_burst)
        return _of(self._requests, address, new).take(self._time())

    def may_guess(self, address: str) -> bool:
        """Whether this address may name a code: not once it has named too many that are no table's."""
        return address not in self._guesses or self._guesses[address].has_room(self._time())

    def guessed(self, address: str) -> None:
        """This address has named a code that is no table's."""
        new = Bucket(self.limits.guesses, self.limits.guesses_burst)
        _of(self._guesses, address, new).take(self._time())

    def messages(self) -> Bucket:
        """A new page's allowance of messages."""
        return Bucket(self.limits.messages, self.limits.messages_burst)

    def enter(self, address: str, who: str) -> bool:
        """Counts a new page, unless there are too many."""
        limits = self.limits
        full = self._pages[""] >= limits.pages or self._pages[f"at {address}"] >= limits.pages_of_address
        if full or (who and self._pages[f"of {who}"] >= limits.pages_of_guest):
            return False
        self._pages.update(self._keys(address, who))
        return True

    def leave(self, address: str, who: str) -> None:
        """A counted page has closed."""
        self._pages.subtract(self._keys(address, who))
        self._pages += Counter()  # drops what is at zero

    @staticmethod
    def _keys(address: str, who: str) -> list[str]:
        return ["", f"at {address}", *([f"of {who}"] if who else [])]


def _of(kept: OrderedDict[str, Bucket], address: str, new: Bucket) -> Bucket:
    """The address's bucket, which is now the last to be forgotten."""
    kept[address] = bucket = kept.pop(address, new)
    if len(kept) > ADDRESSES:
        kept.popitem(last=False)
    return bucket
