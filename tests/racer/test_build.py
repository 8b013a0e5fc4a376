"""The core compiles without a warning, and its absence is said in one clear line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from chiamata.racer import binding, build
from chiamata.racer.examples import classic
from chiamata.racer.jobs import Position


@pytest.mark.skipif("ziglang" in build.compiler(), reason="no C compiler on the path")
@pytest.mark.parametrize("source", sorted(build.SOURCES.glob("*.c")), ids=lambda path: path.name)
def test_sources_compile_without_a_warning(source: Path) -> None:
    command = [*build.compiler(), "-std=c99", "-O1", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("library")
def test_a_missing_core_is_said_in_one_line() -> None:
    assert not binding.available()
    assert binding.why_not().count("\n") == 0
    assert "python -m chiamata.racer.build" in binding.why_not()
    where = Position((1, 2, 4, 8, 16), 1, 0)
    for job in (
        binding.Core,
        lambda: binding.playouts(classic(0), where, 1, 1),
        lambda: binding.plain(classic(0), where),
    ):
        with pytest.raises(RuntimeError, match="missing"):
            job()


@pytest.mark.skipif(not binding.available(), reason="no compiled racer")
def test_a_core_refuses_memory_it_cannot_have_and_foreign_weights() -> None:
    makers: tuple[Callable[[], binding.Core], ...]
    makers = (lambda: binding.Core(11), lambda: binding.Core(29), lambda: binding.Core(weights=(1, 2, 3)))
    for make in makers:
        with pytest.raises(ValueError, match="table_bits"):
            make()
