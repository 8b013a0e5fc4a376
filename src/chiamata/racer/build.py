"""Builds the compiled core beside its sources: ``python -m chiamata.racer.build``.

A wheel's build hook runs this too, where nothing but Python is installed: it
imports the standard library only.  The system's compiler is used, else the one
in the ``ziglang`` package.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent
LIBRARY = SOURCES / ("_core" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so"))
FLAGS = ("-O3", "-std=c99", "-shared", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra")


def compiler() -> list[str]:
    """The C compiler as a command."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and shutil.which(name.split()[0]):
            return name.split()
    return [sys.executable, "-m", "ziglang", "cc"]


def command(target: Path) -> list[str]:
    """What builds the library there."""
    cc = compiler()
    level = []
    if platform.machine().lower() in ("x86_64", "amd64"):
        level = ["-march=x86_64_v2" if "ziglang" in cc else "-march=x86-64-v2"]
    mathematics = [] if sys.platform == "win32" else ["-lm"]
    return [*cc, *FLAGS, *level, *map(str, sorted(SOURCES.glob("*.c"))), "-o", str(target), *mathematics]


def main() -> int:
    """0 if it was built; a library in use is replaced, never written into."""
    fresh = LIBRARY.with_name(f"{LIBRARY.name}.new")
    done = subprocess.run(command(fresh), check=False)
    if done.returncode == 0:
        fresh.replace(LIBRARY)
    print(f"{LIBRARY.name} built." if done.returncode == 0 else "The compiled racer could not be built.")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
