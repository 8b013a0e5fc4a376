"""The same results over processes and over a cluster; a run that is killed leaves nobody behind, and goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from chiamata.doors import cli
from chiamata.rules.errors import Malformed
from chiamata.study.arena import Arena, Match, Pair
from chiamata.study.cluster import Cluster
from chiamata.study.kept import Kept

local_cluster: Any = LocalCluster  # which brings no types
MATCH = Match("simple", "random", "caller")
DIES = """
import os, signal, sys
from pathlib import Path
from chiamata.study.arena import Arena, Match
from chiamata.study.executors import Processes, local
from chiamata.study.kept import Kept

path, keep, count = Path(sys.argv[1]), Kept.keep, 0

def dies(self, *what):
    global count
    keep(self, *what)
    count += 1
    if count == 3:
        with path.open("ab") as file:
            file.write(b'[{"subject":"sim')  # as far as it came
        os.kill(os.getpid(), signal.SIGKILL)

Kept.keep = dies
Arena(path, local(int(sys.argv[2]))).play(Match("simple", "random", "caller"), 40)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_in_the_middle_of_a_line_it_goes_on(jobs: str, tmp_path: Path) -> None:
    """That the run ends at all says that its processes are gone too: they hold its output open."""
    kept = tmp_path / "kept"
    words = [sys.executable, "-c", DIES, str(kept), jobs]
    died = subprocess.run(words, capture_output=True, check=False, timeout=100)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert kept.read_bytes().count(b"\n") == 3
    whole = tmp_path / "whole"
    assert Arena(kept).play(MATCH, 6) == Arena(whole).play(MATCH, 6)
    assert kept.read_bytes() == whole.read_bytes()


def test_a_file_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kept"
    path.write_text("[1, 2, 3]\n")
    with pytest.raises(Malformed):
        Arena(path)
    assert cli.main(["arena", "--kept", str(path)]) == 1
    assert str(path) in capsys.readouterr().err


def test_results_of_before_there_were_programs_are_read(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    numbers = '{"made":1.0,"points":70.0,"payoff":2.0,"scored":1.0}'
    path.write_text(f'[{{"subject":"simple","field":"random","chairs":"caller"}},0,[{numbers},{numbers}]]\n')
    kept: Kept[Match, Pair] = Kept(path, tuple[Match, int, Pair])
    assert kept[MATCH, 0].faults == ()


# --- a cluster ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with local_cluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield str(cluster.scheduler_address).replace("tcp://", "dask://")


def test_two_workers_play_the_same(scheduler: str, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Cluster(scheduler)) as cluster:
        assert cluster.jobs == 2
        assert Arena(executor=cluster).play(MATCH, 12) == Arena().play(MATCH, 12)
    words = ["arena", "--subject", "simple", "--field", "random", "--gate", "--deals", "200"]
    assert cli.main([*words, "--executor", scheduler]) == 0
    over_cluster = capsys.readouterr().out
    assert cli.main(words) == 0
    assert capsys.readouterr().out == over_cluster


def test_a_cluster_without_workers_says_so() -> None:
    with (
        local_cluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        pytest.raises(Malformed, match="no workers"),
    ):
        Cluster(str(cluster.scheduler_address).replace("tcp://", "dask://"))


def test_where_there_is_no_cluster(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("chiamata.study.cluster.PATIENCE", 1)
    assert cli.main(["arena", "--executor", "dask://127.0.0.1:9", "--deals", "2"]) == 1
    assert "dask scheduler" in capsys.readouterr().err
    assert cli.main(["arena", "--executor", "threads", "--deals", "2"]) == 1
    assert "dask://host:port" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("module", "package", "words"),
    [
        ("chiamata.study.cluster", "distributed", ["--executor", "dask://127.0.0.1:9"]),
        ("chiamata.study.ratings", "openskill", ["--league", "random"]),
    ],
)
def test_where_a_package_is_missing(
    module: str, package: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, module, raising=False)
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delattr(sys.modules["chiamata.study"], module.rpartition(".")[2], raising=False)
    assert cli.main(["arena", *words]) == 1
    told = capsys.readouterr().err
    assert f"The package {package} is missing" in told
    assert "chiamata[study]" in told
