"""What tests of the racer share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chiamata.racer import binding, build


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Where the compiled racer is looked for during the test; nothing lies there yet."""
    place = tmp_path / build.LIBRARY.name
    monkeypatch.setattr(binding, "LIBRARY", place)
    binding._library.cache_clear()
    yield place
    monkeypatch.undo()
    binding._library.cache_clear()
