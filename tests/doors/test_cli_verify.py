"""``chiamata verify``: what it prints of files and addresses, good and bad."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from chiamata.doors.cli import main
from tests.forgeries import VECTORS


def written(folder: Path, value: object) -> str:
    path = folder / "deal.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.fixture
def address() -> Iterator[str]:
    """A server that tells the transcripts of one table."""
    told = json.dumps({"deals": [VECTORS["H1"], VECTORS["H2"]]}).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/api/tables/ABCDE/transcripts" else 404)
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", VECTORS)
def test_the_examples_hold(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "verify", written(tmp_path, VECTORS[name])]) == 0
    said = capsys.readouterr().out
    assert said.endswith("Everything holds.\n")
    assert said.count("✓") == 6
    assert "✗" not in said


def test_who_gave_and_who_was_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--language", "en", "verify", written(tmp_path, VECTORS["H1"])])
    said = capsys.readouterr().out
    assert "Bytes from: person:Anna, person:Zoë" in said
    assert "Sealed and did not open: person:Dario" in said
    assert "Cut by person:Anna: 23" in said
    main(["--language", "it", "verify", written(tmp_path, VECTORS["V1"])])
    said = capsys.readouterr().out
    assert "Nessuno ha messo dati" in said
    assert "Nessuno ha tagliato." in said


def test_a_forgery(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "verify", written(tmp_path, VECTORS["H2"] | {"cut": 6})]) == 1
    said = capsys.readouterr().out
    assert "✗ The five hands are what follows from all that" in said
    assert said.endswith("Something does not hold.\n")


def test_what_was_seen_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = VECTORS["H1"]
    words = ["--language", "en", "verify", written(tmp_path, told)]
    assert main([*words, "--mine", told["shares"][1], "--promised", told["commitment"]]) == 0
    assert main([*words, "--mine", "00" * 32]) == 1
    assert main([*words, "--promised", "00" * 32]) == 1
    capsys.readouterr()


def test_a_table(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--language", "en", "verify", f"{address}/t/abcde"]) == 0
    assert "Deal 2 at table ABCDE" in capsys.readouterr().out


def test_what_cannot_be_read(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place in (str(tmp_path / "none"), written(tmp_path, {}), f"{address}/else", "http://["):
        assert main(["--language", "en", "verify", place]) == 1
        assert "cannot be read" in capsys.readouterr().err
