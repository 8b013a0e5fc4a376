"""The command: what it prints, where, and the status it ends with."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import chiamata
from chiamata.doors import cli
from tests.study.test_review import DEAL


@pytest.fixture
def deal(tmp_path: Path) -> Path:
    path = tmp_path / "deal.txt"
    path.write_text(DEAL, encoding="utf-8")
    return path


def test_replay_tells_a_deal(deal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--language", "en", "replay", str(deal)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "  A calls 2S: trumps are swords" in told
    assert "  3  C:QC D:QD E:5S A:AS B:6H  A takes 17" in told
    assert told[-4:] == [
        "  Made: 61 points for 61, the others have 59. Tricks: 5.",
        "  Payoff  A +2  B +1  C -1  D -1  E -1",
        "  Score   A 2  B 1  C -1  D -1  E -1",
        "The game is over. Won by: A",
    ]


def test_replay_speaks_the_language_of_the_machine(
    deal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "it_IT.UTF-8")
    assert cli.main(["replay", str(deal)]) == 0
    assert "  A chiama 2S: la briscola è spade" in capsys.readouterr().out


def test_a_broken_file_ends_with_one_and_its_place(deal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal.write_text(DEAL.replace("E:KH", "E:3H"), encoding="utf-8")
    assert cli.main(["--language", "en", "replay", str(deal)]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"{deal}:15:21: CARD_NOT_IN_HAND: 'E:3H'. Now comes one of: E:5C")


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_is_no_text_ends_with_one(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deal.txt"
    if content is not None:
        path.write_bytes(content)
    assert cli.main(["--language", "en", "replay", str(path)]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_a_wrong_call_ends_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["sing"])
    assert ended.value.code == 2
    assert "sing" in capsys.readouterr().err


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"chiamata {chiamata.__version__}\n"


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m chiamata.doors.cli rules list | head -1"
    run = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_command_starts_without_what_other_verbs_need() -> None:
    code = "import sys, chiamata.doors.cli; print([name for name in ('uvicorn', 'apsw') if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_serve_is_ready_soon_and_ends_politely(tmp_path: Path) -> None:
    begun = time.monotonic()
    words = [sys.executable, "-m", "chiamata.doors.cli", "serve", "--port", "0", "--db", str(tmp_path / "house.db")]
    env = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env) as house:
        assert house.stdout
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", house.stdout.readline())
        assert house.stdout.readline() == "ready\n"
        took = time.monotonic() - begun
        house.terminate()
        assert house.wait(timeout=10) == 0
    assert took < 15  # under 1.5 alone; tests share the machine


def test_a_port_in_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert cli.main(["serve", "--port", port, "--db", str(tmp_path / "house.db")]) == 1
    assert port in capsys.readouterr().err
