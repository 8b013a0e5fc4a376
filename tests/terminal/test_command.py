"""``chiamata play`` as a program: on a terminal of its own, with a pipe, without Textual, where there are no signs."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from select import select

import pytest

import chiamata
from chiamata.doors.cli import main
from chiamata.doors.terminal.signs import is_ascii, to_ascii

PLAY = [sys.executable, "-m", "chiamata.doors.cli", "--language", "it", "play", "--pace", "0", "--level", "simple"]
WITHIN = 60
"""Seconds that a loaded machine may say nothing for."""
WEB = Path(__file__).parents[2] / "web" / "src"


def on_a_terminal(*options: str, **variables: str) -> tuple[int, str]:
    """Plays in a terminal of 80 by 24 and leaves with Q, Q; the status and all that was written there."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL")}
    env = kept | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | variables
    written, leaves = "", b"qq"
    with subprocess.Popen([*PLAY, *options], stdin=far, stdout=far, stderr=far, env=env) as playing:
        os.close(far)
        while select([near], [], [], WITHIN)[0]:
            try:
                more = os.read(near, 65536)
            except OSError:  # the other end is closed
                break
            written += more.decode(errors="replace")
            if leaves and re.search("[┌+]1", written):  # the cards stand there
                os.write(near, leaves)
                leaves = b""
        else:
            playing.kill()
        os.close(near)
        return playing.wait(), written


COLOURS = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|38;\d[\d;]*|48;\d[\d;]*)(?:;\d+)*m")


def test_on_a_terminal() -> None:
    status, written = on_a_terminal()
    assert status == 0
    assert "♥" in written
    assert COLOURS.search(written)
    assert "\x1b[?1049l" in written  # what stood there before is there again


def test_on_one_without_colours_and_signs() -> None:
    status, written = on_a_terminal(NO_COLOR="1", PYTHONIOENCODING="ascii")
    assert status == 0
    assert written.isascii()
    assert COLOURS.findall(written) == []


def test_line_by_line_through_a_pipe() -> None:
    run = subprocess.run([*PLAY, "--plain"], input="q", capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_what_cannot_be_drawn_on_is_said() -> None:
    run = subprocess.run(PLAY, input="", capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout) == (1, "")
    assert "chiamata play --plain" in run.stderr


@pytest.mark.parametrize("pace", ["-1", "nan", "quick"])
def test_a_pace_that_is_none(pace: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--pace", pace])
    assert "--pace" in capsys.readouterr().err


def test_a_reader_that_waits_does_not_keep_the_program() -> None:
    code = (
        "import asyncio\nfrom chiamata.doors.terminal.plain import lines_of_stdin\n"
        "async def deed():\n    ask = lines_of_stdin()\n    print(await ask())\n"
        "asyncio.run(deed())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdin
        assert run.stdout
        run.stdin.write("hello\n")
        run.stdin.flush()
        assert run.stdout.readline() == "hello\n"
        assert run.wait(timeout=30) == 0  # though its input is still open


def test_without_textual(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delitem(sys.modules, "chiamata.doors.terminal.app", raising=False)
    monkeypatch.setitem(sys.modules, "textual", None)
    assert main(["--language", "en", "play"]) == 1
    assert "pip install 'chiamata[terminal]'" in capsys.readouterr().err


def test_the_encodings_that_have_no_signs() -> None:
    assert [is_ascii(name) for name in ("utf-8", "UTF-16", "ascii", "latin-1", "cp850", None, "nosuch")] == (
        [False, False, True, True, True, True, True]
    )
    assert to_ascii("«È più» ×2 · 3♥ …") == '"E piu" x2 - 3  .'


def test_the_sentences_are_those_of_the_page() -> None:
    """Every text that the page speaks has its place here too."""
    spoken = re.findall(r'\bt\("(\w+)"', (WEB / "speech.ts").read_text(encoding="utf-8"))
    here = (Path(chiamata.__file__).parent / "doors" / "terminal" / "speech.py").read_text(encoding="utf-8")
    made = {"say_away", "say_back", "result_all_pass", "result_claim", "result_made", "result_lost"}
    made |= {"result_made_alone", "result_lost_alone", "reveal_points"}  # put together there
    assert len(spoken) > 15
    assert {key for key in spoken if f'"{key}"' not in here} <= made
