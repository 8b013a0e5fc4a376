"""The built client, read once: no path of a request reaches the disk, and a new build does not pull files from under
pages that are open; it is shown after the next start."""

from __future__ import annotations

import gzip
import mimetypes
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).parent.parent / "client"
"""Where the build puts the client."""

UNBUILT = """The browser client has not been built.

In a checkout: python3 go.py setup
"""

_KNOWN = re.compile(
    r"/(?:[tg]/[A-Za-z]{5}|[re]/[A-Za-z]{5}/[1-9]\d{0,5}|learn(?:/[a-z-]+)?|rules(?:/[a-z0-9-]+(?:/example)?)?"
    r"|privacy|score(?:/[a-z0-9]{1,16})?)?/?"
)
"""The addresses that the client draws something at, as in web/src/route.ts: at others it says that there is nothing."""

_SMALL = 600
"""Bytes below which packing does not pay."""


class Client:
    """The files of a folder as they were when the server started (1 MB or so), packed when first asked for."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {
            "/" + path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        self._packed: dict[str, bytes] = {}

    @property
    def is_built(self) -> bool:
        """Whether there is a page to show."""
        return "/index.html" in self._files

    def page(self) -> bytes:
        """The one page of the client, as it was built; nothing where it was not."""
        return self._files.get("/index.html", b"")

    def answer(self, request: Request, missing: bool = False) -> Response:
        """The file; the one page of the client for every address that is no file's, with 404 where it names nothing.

        ``missing``: what a known address names is not there.
        """
        if not self.is_built:
            return PlainTextResponse(UNBUILT, 503)
        path, status = request.url.path, 200
        if path not in self._files:
            if "." in path.rsplit("/", 1)[-1]:
                return PlainTextResponse("There is no such file.\n", 404)
            status = 404 if missing or not _KNOWN.fullmatch(path) else 200
            path = "/index.html"
        plain, packed = self._files[path], self._pack(path)
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        headers = {"cache-control": _caching(path), "vary": "accept-encoding"}
        if packed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(packed, status, headers | {"content-encoding": "gzip"}, kind)
        return Response(plain, status, headers, kind)

    def _pack(self, path: str) -> bytes:
        """The packed file; nothing where it does not pay."""
        if path not in self._packed:
            plain = self._files[path]
            packed = gzip.compress(plain, 6, mtime=0) if len(plain) > _SMALL else b""
            self._packed[path] = packed if len(packed) < len(plain) else b""
        return self._packed[path]


def _caching(path: str) -> str:
    """Assets carry a hash in their names and never change; what names them or says what is new is asked each time."""
    if path.startswith("/assets/"):
        return "public, max-age=31536000, immutable"
    return "no-cache" if path.endswith((".html", ".webmanifest", "/worker.js")) else "public, max-age=3600"
