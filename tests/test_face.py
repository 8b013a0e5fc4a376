"""The public face: what it hands on, how soon it is there, and its doctest."""

from __future__ import annotations

import doctest
import statistics
import subprocess
import sys
from pathlib import Path

import chiamata


def test_the_face_hands_on_what_it_says() -> None:
    assert sorted(chiamata.__all__) == chiamata.__all__
    assert all(hasattr(chiamata, name) for name in chiamata.__all__)
    assert doctest.testmod(chiamata) == (0, 3)


def test_no_referee_comes_with_it() -> None:
    """A process that has imported the face alone has not loaded the rooms behind the walls."""
    code = "import sys, chiamata; print(*sorted(name for name in sys.modules if name.startswith('chiamata')))"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "chiamata.rules.view" in told
    assert not {"chiamata.rules.deal", "chiamata.rules.game"} & set(told)


def test_the_face_is_short() -> None:
    assert chiamata.__file__ is not None
    assert len(Path(chiamata.__file__).read_text(encoding="utf-8").splitlines()) < 40


def test_it_is_there_soon() -> None:
    """The bound is 150 ms on a quiet machine (benchmarks/bench_start.py); a busy one is given twice as long."""
    code = "import time; begun = time.process_time(); import chiamata; print(time.process_time() - begun)"
    took = [
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout) for _ in range(5)
    ]
    assert statistics.median(took) < 0.3
