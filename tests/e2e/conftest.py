"""A browser for each worker and a house for each file; without Chromium one line says why nothing ran."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.e2e.house import House, house_in
from tests.e2e.kit import ROOT, Person, Shape, person

NAMES = ("chromium", "chromium-browser", "google-chrome")
LONG_TEXTS = "--js-flags=--heap-snapshot-string-limit=10000000"
"""A snapshot of the heap has whole scenes in it, not the first thousand letters of each."""


def chromium() -> str | None:
    """The browser of this machine, or the one that CHIAMATA_CHROMIUM names."""
    return os.environ.get("CHIAMATA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


SECRECY = {"test_secret", "test_canary_page", "test_watch"}
"""A leak that shows once is a leak: these files get a second look only where something did not come in time."""
LATE = "Timeout|Locator expected|waited in vain"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Slow tests run only when they are asked for: ``-m slow``."""
    for item in items:
        if item.path.stem in SECRECY:
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2, only_rerun=LATE))
    if config.getoption("markexpr"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Headless Chromium; gone after the last test here, since its driver keeps an event loop running."""
    path = chromium()
    if not path:
        pytest.skip("no Chromium on this machine: apt-get install chromium, or set CHIAMATA_CHROMIUM")
    with sync_playwright() as player:
        started = player.chromium.launch(executable_path=path, args=["--no-sandbox", LONG_TEXTS])
        yield started
        started.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose bots answer at once."""
    assert (ROOT / "src/chiamata/client/index.html").exists(), "the client is not built: python3 go.py setup"
    with house_in(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def arrive(browser: Browser, house: House) -> Iterator[Callable[..., Person]]:
    """Makes people; their pages close with the test and must have thrown nothing."""
    people: list[Person] = []

    def one(language: str = "en", size: tuple[int, int] = (390, 844)) -> Person:
        people.append(person(browser, house, Shape(language, size)))
        return people[-1]

    yield one
    faults = [fault for somebody in people for fault in somebody.faults]
    for somebody in people:
        somebody.context.close()
    assert not faults
