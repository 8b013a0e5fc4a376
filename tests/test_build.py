"""The build hook: what it rebuilds, what it asks for where a machine lacks a tool, and what it does without one."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import go
from hatch_build import NODE_PACKAGE, ZIG_PACKAGE, ChiamataBuildHook, Client, Racer, system_node, write_stamp

ROOT = Path(__file__).parent.parent


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with a client and a racer to build, and nothing built."""
    for name in ("web/package.json", "web/src/main.tsx", "src/chiamata/locales/en.toml", "src/chiamata/racer/core.c"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("one", encoding="utf-8")
    return tmp_path


def asked_for(tree: Path, target: str = "wheel") -> list[str]:
    metadata: Any = None
    return ChiamataBuildHook(str(tree), {}, metadata, metadata, str(tree), target).dependencies()


def tool(folder: Path, name: str, prints: str = "") -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{prints}'\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def built(tree: Path) -> None:
    """As if everything had just been built."""
    client, racer = Client(tree), Racer(tree)
    client.built.mkdir()
    racer.library.touch()
    write_stamp(client.stamp, client.sources())
    write_stamp(racer.stamp, racer.sources())


@pytest.mark.parametrize("name", ["web/src/main.tsx", "src/chiamata/locales/en.toml", "web/new.ts"])
def test_the_client_is_built_when_what_it_is_made_of_changed(tree: Path, name: str) -> None:
    client = Client(tree)
    assert client.is_stale()
    built(tree)
    assert not client.is_stale()
    (tree / name).write_text("two", encoding="utf-8")
    assert client.is_stale()


@pytest.mark.parametrize("name", ["web/node_modules/x/main.js", "web/src/generated/en.ts", "web/test/x.test.ts"])
def test_the_client_is_not_built_for_what_it_is_not_made_of(tree: Path, name: str) -> None:
    built(tree)
    (tree / name).parent.mkdir(parents=True)
    (tree / name).write_text("two", encoding="utf-8")
    assert not Client(tree).is_stale()


def test_the_racer_is_built_when_its_sources_changed_or_it_is_gone(tree: Path) -> None:
    racer = Racer(tree)
    assert racer.is_stale()
    built(tree)
    assert not racer.is_stale()
    racer.library.unlink()
    assert racer.is_stale()


def test_a_pure_build_drops_the_racer(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(tree)
    monkeypatch.setenv("CHIAMATA_PURE", "1")
    assert not Racer(tree).build()
    assert not Racer(tree).library.exists()


def test_a_racer_that_compiles_is_there_and_is_not_built_again(tree: Path) -> None:
    racer = Racer(tree)
    script = f"open({str(racer.library)!r}, 'x').close()"
    (racer.room / "build.py").write_text(script, encoding="utf-8")
    assert racer.build()
    assert racer.build()  # a second run of the script would fail
    (racer.room / "core.c").write_text("two", encoding="utf-8")
    assert racer.build()  # what was there went first


def test_a_racer_that_does_not_compile_is_left_out_with_a_word(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    racer = Racer(tree)
    (racer.room / "build.py").write_text("raise SystemExit('no cc')", encoding="utf-8")
    assert not racer.build()
    assert "no compiled racer" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [("v22.12.0", True), ("v24.1.0", True), ("v22.11.9", False), ("v20.20.2", False), ("banana", False)],
)
def test_a_bare_machine_is_brought_what_it_lacks(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_enough: bool
) -> None:
    machine = tmp_path / "bin"
    machine.mkdir()
    monkeypatch.setenv("PATH", str(machine))
    monkeypatch.delenv("CC", raising=False)
    assert asked_for(tree) == [NODE_PACKAGE, ZIG_PACKAGE]
    tool(machine, "cc")
    tool(machine, "npm")
    tool(machine, "node", version)
    assert (system_node() is not None) == is_enough
    assert asked_for(tree) == ([] if is_enough else [NODE_PACKAGE])


def test_nothing_is_asked_for_when_nothing_is_to_be_built(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    built(tree)
    assert asked_for(tree) == []
    assert asked_for(tree, "sdist") == []


def test_the_hook_asks_for_what_is_pinned_with_its_hash() -> None:
    pinned = (ROOT / "requirements" / "build.txt").read_text(encoding="utf-8")
    assert f"{NODE_PACKAGE} \\\n    --hash=" in pinned
    assert f"{ZIG_PACKAGE} \\\n    --hash=" in pinned


@pytest.mark.parametrize("path", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda path: path.name)
def test_requirements_are_hashed_and_name_no_place(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    packages = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert packages
    assert all("==" in line and line.endswith("\\") for line in packages)


def test_go_tells_one_change_from_none(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(go, "ROOT", tree)
    path = tree / "web" / "src" / "main.tsx"
    before = go.digest([path])
    assert go.digest([path]) == before
    path.write_text("two", encoding="utf-8")
    assert go.digest([path]) != before


def test_go_passes_a_mirror_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "mirror")
    monkeypatch.delenv("UV_DEFAULT_INDEX", raising=False)
    assert go.environment()["UV_DEFAULT_INDEX"] == "mirror"


def test_a_wrong_verb_shows_the_right_ones() -> None:
    run = subprocess.run([sys.executable, "go.py", "sing"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "play" in run.stderr


def test_a_machine_without_pip_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(go, "TOOLS", tmp_path)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    monkeypatch.setattr(sys, "argv", ["go.py", "lock"])
    assert go.main() == 1
    assert capsys.readouterr().err == "go.py: Python has no pip here. On Debian: apt-get install python3-pip\n"
