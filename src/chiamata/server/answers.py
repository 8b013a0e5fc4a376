"""What the routes read and answer: messages as JSON, and what is wrong with a request as a list of faults."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from chiamata.rules.errors import Malformed
from chiamata.rules.problem import Problem
from chiamata.rules.ruleset import BadRuleSet
from chiamata.server import paper

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that a message may take to leave for a page, or a request's body to come; then it is given up."""

KEEPABLE = {"cache-control": "private, no-cache"}
"""What does not change any more may be kept by a browser, for when there is no line; all else carries ``no-store``."""

_ENCODER = msgspec.json.Encoder()


def json(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A message as JSON."""
    return Response(_ENCODER.encode(value), status, headers, "application/json")


async def lasting(request: Request, make: Callable[[], Any]) -> Response:
    """A message that is the same for everybody and always: made once, beside the loop, and packed for those who can."""
    plain, packed = await asyncio.to_thread(_made, make)
    headers = KEEPABLE | {"vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, 200, headers | {"content-encoding": "gzip"}, "application/json")
    return Response(plain, 200, headers, "application/json")


@cache
def _made(make: Callable[[], Any]) -> tuple[bytes, bytes]:
    plain = _ENCODER.encode(make())
    return plain, gzip.compress(plain, 6, mtime=0)


def fault(status: int, code: str, where: str, value: str, fix: str) -> Response:
    """One thing wrong: which field, what it held, what to write instead."""
    return json(paper.Faults([paper.Fault(code, where, value, fix)]), status)


async def malformed(_: HTTPConnection, error: Exception) -> Response:
    """For what cannot be read: 400, or 404 where an id names nothing."""
    if isinstance(error, BadRuleSet):
        return json(paper.Faults([of_problem(one) for one in error.problems]), 400)
    assert isinstance(error, Malformed)
    return fault(
        404 if error.code == "UNKNOWN_RULESET" else 400, error.code, error.where, _shown(error.value), error.fix
    )


def of_problem(one: Problem) -> paper.Fault:
    """What is wrong with a rule set, as a message."""
    return paper.Fault(one.code, one.key, _shown(one.value), one.message)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else text[:80] + "…"


async def refused(_: HTTPConnection, error: Exception) -> Response:
    """For what the routes refuse."""
    assert isinstance(error, HTTPException)
    code = {404: "NOT_FOUND", 405: "WRONG_METHOD", 413: "TOO_LONG"}.get(error.status_code, "NOT_ALLOWED")
    return fault(error.status_code, code, "request", "", str(error.detail))


async def unwritten(_: HTTPConnection, error: Exception) -> Response:
    """For what the log did not take."""
    return fault(503, "NOT_SAVED", "request", "", "The disk took nothing; try again in a moment.")


async def gone(_: HTTPConnection, error: Exception) -> Response:
    """For who broke off while sending: nobody reads it, but it is counted, under the status that proxies use for it."""
    return Response(status_code=499)


async def broken(_: HTTPConnection, error: Exception) -> Response:
    """For faults of ours: nothing of them is told."""
    return fault(500, "BROKEN", "request", "", "This is our fault, and it is in the server's log.")


async def read(request: Request, kind: type[T]) -> T:
    """The body as a message; Malformed, with the field, for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "Send JSON, with the content type application/json.")
    try:
        async with asyncio.timeout(PATIENCE):
            body = await request.body()
    except TimeoutError:
        raise HTTPException(408, "The request did not come to its end.") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed("UNREADABLE", where(error), body[:80].decode(errors="replace"), f"{error}.") from None


def where(error: Exception) -> str:
    """The field that a decoding error names: ``$.chair`` is ``chair``."""
    return str(error).partition(" - at `$")[2].rstrip("`").lstrip(".")
