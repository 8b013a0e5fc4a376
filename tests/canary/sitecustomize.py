"""Put in the path of a house of the tests, which Python then loads before all else: canary cards, and seeded leaks.

The house itself is as it always is, but for two things.  It takes rule sets whose ranks
are random words, so that each card's name is a text that turns up nowhere by chance.  And a
leak or a fault that is seeded below comes once a file of its name lies beside this one.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from chiamata.rules import ruleset_check
from chiamata.rules.cards import cards_in
from chiamata.server import answers, boxes, deciding, hub, lines, logs, metrics, runner, table, vault

SWITCHES = Path(__file__).parent
logger = logging.getLogger("chiamata")
ruleset_check._RANK = re.compile(r"[A-Z]{1,7}", re.ASCII)


def on(name: str) -> bool:
    return (SWITCHES / name).exists()


def hands(state: table.State) -> list[str]:
    """What everybody was dealt, by name; nothing before."""
    if state.game is None or state.game.deal is None:
        return []
    return [" ".join(state.rules.card_name(card) for card in cards_in(hand)) for hand in state.game.deal.dealt]


def holder(state: table.State) -> int:
    """Who was dealt the called card; -1 before there is one."""
    deal = None if state.game is None else state.game.deal
    if deal is None or deal.public.called < 0:
        return -1
    return next(seat for seat, hand in enumerate(deal.dealt) if hand >> deal.public.called & 1)


def told(state: table.State) -> str:
    """A text as a programmer would put it into an exception: the whole state, and the hands."""
    return f"{state!r} {hands(state)}"


def around(place: Any, name: str, change: Callable[..., Any]) -> None:
    """Puts ``change(whole, *arguments)`` in the place of a function."""
    whole = getattr(place, name)
    setattr(place, name, lambda *args, **named: change(whole, *args, **named))


# --- faults, of which an honest house tells nothing ------------------------------------------------


async def facts(whole: Any, self: hub.Hub, code: str) -> Any:
    """A route that breaks; tasks, threads, callbacks and futures that fail and that nobody asks about."""
    if on("fault_route"):
        raise RuntimeError(told(await self.state(code)))
    if on("fault_elsewhere"):
        text = told(await self.state(code))

        def fail() -> None:
            raise RuntimeError(text)

        async def fail_later() -> None:
            fail()

        loop = asyncio.get_running_loop()
        loop.call_soon(fail)
        loop.create_future().set_exception(RuntimeError(text))
        later = asyncio.ensure_future(fail_later())
        thread = threading.Thread(target=fail)
        thread.start()
        await asyncio.sleep(0.1)
        await asyncio.to_thread(thread.join)
        del later
        gc.collect()
    return await whole(self, code)


def decide(whole: Any, ask: lines.AskBot) -> Any:
    """A bot that fails with its view in the error's text."""
    if on("fault_bot"):
        raise RuntimeError(f"{ask!r}")
    return whole(ask)


def handle(whole: Any, state: table.State, command: Any, now: int) -> Any:
    """A table that breaks; lines for debugging."""
    if on("fault_table"):
        raise RuntimeError(told(state))
    if on("leak_log_names"):
        logger.warning("dealt: %s", hands(state))
    if on("leak_log_state"):
        logger.warning("before: %r", state.game)
    return whole(state, command, now)


# --- leaks -----------------------------------------------------------------------------------------


def tell(whole: Any, self: logs.JsonLines, record: logging.LogRecord) -> Any:
    """The text of an exception in the house's own log."""
    if on("leak_traceback") and record.exc_info:
        return logging.Formatter().format(record)
    return whole(self, record)


def figures(whole: Any, self: metrics.Metrics, served: hub.Hub) -> Any:
    """A figure with the hands as its labels."""
    states = [one.state for one in served._runners.values()] if on("leak_figures") else []
    labels = [hand for state in states for hand in hands(state)]
    return whole(self, served) + "".join(f'chiamata_hand{{cards="{hand}"}} 1\n' for hand in labels)


def seal(whole: Any, book: str, end: Any, written: Any, keys: Any) -> Any:
    """Words stored as they are."""
    if not on("leak_log_book"):
        return whole(book, end, written, keys)
    stored = lines.chain([lines.decode(line) for line in written], end.sum)
    return stored, boxes.End(end.v + len(stored), lines.sum_in(stored[-1]), end.secret)


async def append(whole: Any, self: vault.Vault, book: str, prev: int, written: list[bytes]) -> None:
    """A note beside the log with the hands, for repairs."""
    await whole(self, book, prev, written)
    words = [line for line in map(lines.decode, written) if isinstance(line, lines.Spoken)] if on("leak_note") else []
    for dealt in [line.word["hands"] for line in words if line.word["do"] == "dealt"]:
        await self.put(f"repair/{book}", f"<{' '.join(dealt)}>".encode())


async def broken(whole: Any, request: Any, error: Exception) -> Any:
    """An error page that says what went wrong."""
    if on("leak_error_page"):
        return answers.fault(500, "BROKEN", "request", "", str(error))
    return await whole(request, error)


class Debugging:
    """The encoder of scenes, with a field for debugging that no page draws."""

    def __init__(self) -> None:
        self._whole = msgspec.json.Encoder()
        self.state: table.State | None = None

    def encode(self, value: Any) -> bytes:
        found = self._whole.encode(value)
        if on("leak_scene") and self.state is not None and found.startswith(b'{"is":"scene"'):
            known = {"hands": hands(self.state), "partner": holder(self.state)}
            return found[:-1] + b',"debug":' + self._whole.encode(known) + b"}"
        return found


def show(whole: Any, self: runner.Runner, pages: Any) -> None:
    debugging.state = self.state
    whole(self, pages)


debugging = Debugging()
runner._ENCODER = debugging  # type: ignore[assignment]  # it encodes
around(hub.Hub, "facts", facts)
around(hub, "decide", decide)
around(deciding, "handle", handle)
around(logs.JsonLines, "format", tell)
around(metrics.Metrics, "text", figures)
around(boxes, "seal", seal)
around(vault.Vault, "append", append)
answers.broken = partial(broken, answers.broken)
around(runner.Runner, "_show", show)
