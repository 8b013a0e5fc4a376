"""What is generated from the messages is fresh, and messages are closed both ways."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from chiamata.server import wire, wire_ts

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("path", "text"), [("web/src/wire.ts", wire_ts.typescript()), ("docs/protocol.md", wire_ts.markdown())]
)
def test_what_is_generated_is_fresh(path: str, text: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == text, "run: python -m chiamata.server.wire_ts"


def test_it_is_written_where_it_is_asked(tmp_path: Path) -> None:
    wire_ts.main(tmp_path)
    assert (tmp_path / "web/src/wire.ts").read_text() == wire_ts.typescript()


def test_every_message_has_its_interface_and_its_section() -> None:
    for cls in (*wire_ts.TO_BROWSER, *wire_ts.FROM_BROWSER, *wire_ts.HTTP):
        assert f"export interface {cls.__name__} {{" in wire_ts.typescript()
        assert f"### {cls.__name__}" in wire_ts.markdown()


@pytest.mark.parametrize("cls", wire_ts.FROM_BROWSER)
def test_an_unknown_key_is_refused(cls: type) -> None:
    tag = msgspec.inspect.type_info(cls).tag  # type: ignore[attr-defined]
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"do":"{tag}","id":"x","v":1,"seat":0}}', type=wire.FromBrowser)
