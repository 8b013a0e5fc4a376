"""What every HTTP answer carries, and who may ask: headers, hosts, origins."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, MutableMapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",  # blob: pictures of a person's own pack, which never leave the browser
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types chiamata",
    )
)
FRAMED = {"content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")}
"""Of the one page that others may put into theirs: a replay, on which nothing can be done to a table."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_NAMING = re.compile(r"/(?:[tgr]|rules)/.+/")


class SafeHeaders:
    """Puts HEADERS on every answer, and ``no-store`` on every one that does not say how it may be kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with(message: MutableMapping[str, Any]) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with)


class OneAddress:
    """Pages that name a table or rules are the same with a slash at the end (``/g/CODE/``), and as surely missing."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _NAMING.fullmatch(scope["path"]):
            scope = {**scope, "path": scope["path"].removesuffix("/")}
        await self.app(scope, receive, send)


class Origins:
    """Which pages may act here: those of this very host, and those that were named at the start.

    A host counts if it is named in a given origin, is this machine itself, or is
    an address in numbers.  (A name that somebody else makes point to this
    machine does not: a page of theirs would be "of this very host".)
    """

    def __init__(self, given: Iterable[str] = ()) -> None:
        """``given``: such as ``https://cards.example.org``."""
        self._given = frozenset(origin.rstrip("/").lower() for origin in given)
        self._hosts = frozenset(origin.partition("://")[2] for origin in self._given)

    def knows_host(self, host: str) -> bool:
        """Whether the Host header names this server."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        return host.lower() in self._hosts or name.lower() == "localhost" or _is_number(name)

    def of_host(self, host: str) -> str:
        """The origin by which people reach this host: the one given for it, else plain HTTP; '' for an unknown host."""
        given = [origin for origin in sorted(self._given) if origin.partition("://")[2] == host.lower()]
        return given[-1] if given else f"http://{host}" if self.knows_host(host) else ""

    def allows(self, asked: HTTPConnection) -> bool:
        """Whether the page that asks may act: exactly an origin that was given, or the asked host's own."""
        origins, hosts = asked.headers.getlist("origin"), asked.headers.getlist("host")
        if len(origins) != 1 or len(hosts) != 1 or not self.knows_host(hosts[0]):
            return False
        if asked.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        return origins[0] in self._given or origins[0] in (f"http://{hosts[0]}", f"https://{hosts[0]}")


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
