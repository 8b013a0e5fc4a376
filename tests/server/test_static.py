"""The client's files: these and nothing else, and whole for as long as the server runs."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Any

from starlette.requests import Request

from chiamata.server.static import Client


def test_the_client_and_nothing_else(tmp_path: Path) -> None:
    def get(client: Client, path: str, packed: bool = False) -> Any:
        headers = [(b"accept-encoding", b"gzip")] if packed else []
        scope = {"type": "http", "path": path, "headers": headers, "query_string": b"", "server": ("x", 1)}
        return client.answer(Request(scope | {"scheme": "http", "method": "GET"}))

    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "assets" / "a-1.js").write_text("let a = 1;" * 1_000)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "worker.js").write_text("self")
    (tmp_path / "secret.txt").write_text("secret")
    client = Client(folder)
    for path in ("/", "/t/ABCDE", "/index.html"):
        answer = get(client, path)
        assert answer.body == b"<!doctype html>"
        assert answer.headers["cache-control"] == "no-cache"
    assert get(client, "/worker.js").headers["cache-control"] == "no-cache"  # it says that there is a new build
    for path in ("/nowhere", "/t/AB", "/t/ABCDE/x", "/r/ABCDE/0", "/learn/a/b", "/rules/classic/other", "/score/A"):
        answer = get(client, path)
        assert (answer.status_code, answer.body) == (404, b"<!doctype html>"), path
    packed = get(client, "/assets/a-1.js", packed=True)
    assert gzip.decompress(packed.body) == get(client, "/assets/a-1.js").body
    assert packed.headers["cache-control"].endswith("immutable")
    assert packed.headers["content-encoding"] == "gzip"
    assert get(client, "/icon.svg").headers["content-type"] == "image/svg+xml"
    for path in ("/../secret.txt", "/assets/../../secret.txt", "//etc/passwd.x", "/%2e%2e/secret.txt", "/a\x00.js"):
        assert get(client, path).status_code == 404
    assert get(Client(tmp_path / "nowhere"), "/").status_code == 503
    # Built anew while the server runs: the page that it knows stays whole.
    shutil.rmtree(folder)
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>another")
    for path in ("/", "/icon.svg"):
        assert get(client, path).status_code == 200
    assert gzip.decompress(get(client, "/assets/a-1.js", packed=True).body).startswith(b"let a")
    assert get(client, "/").body == b"<!doctype html>"
