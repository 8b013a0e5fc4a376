"""The referee program: a small run on a real house, houses that lie in one way after the other, and the crash hook."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chiamata.server import boxes, crash, dealing, deciding, picture, seating, table, wire
from chiamata.server import lines as say
from chiamata.server.boxes import End, Keys
from chiamata.server.log import Log
from chiamata.server.page import Page
from chiamata.server.runner import Runner
from chiamata.server.scene import hand
from tests.nemesis.judge import Entry, Journal, Verdict, judge, main
from tests.nemesis.nodes import run_nodes
from tests.nemesis.opener import Rows, opened
from tests.nemesis.run import run
from tests.server.driver import rules_with
from tests.server.simulated import Faults, MemoryLog, Person, World, simulate

RULES = rules_with("quick", session={"kind": "deals", "deals": 1, "allowed": None})
GAMES, BLOWS = 6, 8


@pytest.mark.parametrize("seed", [1])
def test_a_house_under_faults_loses_nothing(tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    verdict, faults = asyncio.run(run(tmp_path, GAMES, random.Random(seed)))
    assert verdict.complaints == []
    assert verdict.games == GAMES
    assert verdict.moves > 30 * GAMES
    assert verdict.frames > 30 * GAMES
    assert faults.total() >= BLOWS
    assert main(tmp_path) == 0  # the same from the folder alone
    assert capsys.readouterr().out == verdict.line(faults.total()) + "\n"


@pytest.mark.xdist_group("postgres")
# The driver does not close a connection whose opening it has given up.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_game_over_two_nodes_under_faults_loses_nothing(tmp_path: Path) -> None:
    """One game alone: what nodes wait for, a lease or a recovery, takes its seconds (``make nemesis NODES=2``)."""
    verdict, _ = asyncio.run(run_nodes(tmp_path, 1, random.Random(1), 2))
    assert verdict.complaints == []
    assert verdict.games == 1
    assert verdict.moves > 30


# --- houses that lie ------------------------------------------------------------------------------


class Noting(Person):
    """A person who notes in a journal what is sent and heard."""

    def __init__(self, world: World, who: str, faults: Faults, seed: int) -> None:
        super().__init__(world, who, faults, seed, cuts=True)
        self.entries: list[Entry] = []

    def _hear(self, message: wire.ToBrowser) -> None:
        self.entries.append(Entry("heard", 0, msgspec.json.encode(message).decode()))
        if isinstance(message, wire.Scene):
            self.old, self.scene = self.scene, message
        elif not isinstance(message, wire.Pong):
            self._answered(message.id)

    async def _read(self, hub: Any, page: Page) -> None:
        self.entries.append(Entry("open", 0))
        await super()._read(hub, page)

    def _speak(self, hub: Any, page: Page) -> None:
        self.pending = self.pending or self._wish()
        if self.pending is not None:
            self.entries.append(Entry("sent", 0, msgspec.json.encode(self.pending).decode()))
            for _ in range(2 if self.dice.random() < self.faults.twice else 1):
                hub.wish(self.world.code, page, self.pending)


def play(fault: Callable[[int], str] = lambda _: "", seconds: float = 600) -> tuple[Rows, list[Journal]]:
    """A deal of three people and two bots: the log and the journals."""

    async def deed() -> tuple[Rows, list[Journal]]:
        world = World(MemoryLog(fault))
        world.code = await world.hub.create(RULES, None, "p0", "P0")
        people = [Noting(world, f"p{n}", Faults(twice=0.3), 3) for n in range(3)]
        lives = [asyncio.ensure_future(person.live()) for person in people]
        await asyncio.wait(lives, timeout=seconds)
        for life in lives:
            life.cancel()
        await asyncio.gather(*lives, return_exceptions=True)
        await world.end()
        rows = [*enumerate(world.store.books[world.code], 1)]
        return rows, [Journal(world.code, person.who, person.entries, pace=1.0) for person in people]

    return simulate(deed())


def found(rows: Rows, journals: list[Journal]) -> set[str]:
    verdict = Verdict()
    judge(rows, journals, verdict)
    assert verdict.is_clean == (not verdict.counts)
    return set(verdict.counts)


def test_an_honest_house_is_believed() -> None:
    rows, journals = play(lambda number: {9: "crash before", 17: "crash after", 23: "refuse"}.get(number, ""))
    assert found(rows, journals) == set()
    assert any('"step":"ended"' in entry.text for entry in journals[0].entries)


async def _tell_first(self: Runner, command: say.Command, page: Page | None = None) -> bool:
    """``Runner._do`` with telling and appending the wrong way round."""
    outcome = deciding.handle(self.state, command, self._clock.now())
    v, self.state = self.state.v, outcome.state
    self._clock.go(table.is_awake(self.state))
    if page is not None and outcome.answer is not None:
        self._answer(page, command, outcome.answer)
    if outcome.lines:
        self._show(self.pages)
        await asyncio.sleep(0.5)
        await self.house.store.append(self.state.code, v, list(outcome.lines))
    if outcome.needs_deal:
        return await self._do(say.DealNow(self.house.chance(32)))
    self._arm(outcome)
    return bool(outcome.lines)


def test_a_house_that_tells_before_it_writes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Runner, "_do", _tell_first)
    rows, journals = play(lambda number: "crash before" if number % 4 == 1 and 9 < number < 70 else "")
    assert "lost" in found(rows, journals)


def test_a_house_that_forgets_what_it_has_granted_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "_known", lambda state, ask: None)
    assert "dup" in found(*play())


def _with_deal(change: Callable[[picture.Gallery, int, wire.DealScene], dict[str, Any]]) -> Any:
    whole = picture.Gallery.of_chair

    def of_chair(self: picture.Gallery, chair: int) -> wire.Scene:
        scene = whole(self, chair)
        if scene.deal is None:
            return scene
        return msgspec.structs.replace(
            scene, deal=msgspec.structs.replace(scene.deal, **change(self, chair, scene.deal))
        )

    return of_chair


def _next_hand(gallery: picture.Gallery, chair: int, deal: wire.DealScene) -> dict[str, Any]:
    game = gallery.state.game
    view = game.view((chair + 1) % 5) if game is not None and chair >= 0 else None
    return {} if view is None else {"last": wire.TrickScene(0, [wire.PlayedCard(0, card) for card in hand(view)])}


LIES = {
    "leaked": _next_hand,
    "diverged": lambda gallery, chair, deal: {"multiplier": deal.multiplier + (gallery.state.v == 40)},
    "forked": lambda gallery, chair, deal: {"target": deal.target + chair},
}
"""What a house changes in its scenes, by what it must be found guilty of."""


@pytest.mark.parametrize("kind", LIES)
def test_a_house_that_shows_something_else_is_found_out(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as lying:
        lying.setattr(picture.Gallery, "of_chair", _with_deal(LIES[kind]))
        rows, journals = play()
    assert kind in found(rows, journals)


def test_a_house_that_opens_its_secret_early_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = dealing.of_a_deal
    with monkeypatch.context() as lying:
        lying.setattr(dealing, "of_a_deal", lambda opening, fresh, ended: whole(opening, fresh, ended=True))
        rows, journals = play()
    assert "leaked" in found(rows, journals)


def test_a_house_that_opens_another_secret_is_found_out() -> None:
    rows, journals = play()
    opened = table.transcripts(table.fold([line for _, line in rows]))
    forged = msgspec.structs.replace(opened[0], secret="ab" * 32)
    entry = Entry("opened", 0, msgspec.json.encode({"deals": [forged, *opened[1:]]}).decode())
    assert found(
        rows, [*journals[:-1], msgspec.structs.replace(journals[-1], entries=[*journals[-1].entries, entry])]
    ) == {"unopened"}
    entry = Entry("opened", 0, '{"deals":[]}')
    assert "unopened" in found(rows, [msgspec.structs.replace(journals[0], entries=[*journals[0].entries, entry])])


def _spoken(rows: Rows) -> list[int]:
    return [place for place, (_, line) in enumerate(rows) if b'"do":"play"' in line and b'"id"' in line]


def test_a_log_that_was_touched_is_found_out() -> None:
    rows, journals = play()
    place = _spoken(rows)[-1]
    assert "forked" in found([row for row in rows if row[0] != place + 1], journals)
    assert "lost" in found(rows[:place], journals)
    word = msgspec.json.decode(rows[place][1])
    twice = [
        *rows,
        (len(rows) + 1, msgspec.json.encode({"do": "opened", "at": 10**6, "who": word["who"], "id": word["id"]})),
    ]
    assert "dup" in found(twice, journals)
    other = [*rows[:place], (place + 1, msgspec.json.encode(word | {"id": "other"})), *rows[place + 1 :]]
    assert "lost" in found(other, journals)


def test_seats_stay_with_their_people() -> None:
    """A frame of one person in the journal of another is a leak."""
    rows, journals = play()
    mixed = [msgspec.structs.replace(journals[0], who=journals[1].who)]
    assert "leaked" in found(rows, mixed)
    assert seating.chair_of(table.fold([line for _, line in rows]).places, "p1") >= 0


def test_the_second_writing_opens_what_was_sealed_and_finds_what_was_turned() -> None:
    rows, _ = play(lambda number: "crash after" if number == 40 else "", seconds=60)
    written, _ = boxes.seal("ABCDE", End(), [line for _, line in rows], Keys([bytes(32)]))
    stored = [*enumerate(written, 1)]
    assert opened(stored, "ABCDE", [bytes(32)]) == rows
    assert sum(b'"do":"boxed"' in line for line in written) > 10
    with pytest.raises(ValueError, match="does not open"):
        opened(stored, "ABCDE", [])
    with pytest.raises(ValueError, match="does not open"):
        opened(stored, "FGHJK", [bytes(32)])
    for seq, line in stored[1::7]:
        turned = line.replace(b'"at":', b'"at":1', 1)
        with pytest.raises(ValueError, match="not as it was written"):
            opened([*stored[: seq - 1], (seq, turned), *stored[seq:]], "ABCDE", [bytes(32)])


# --- the hook -------------------------------------------------------------------------------------


@pytest.mark.parametrize("phase", crash.PHASES)
def test_a_crash_comes_at_its_phase_of_its_append(
    phase: crash.Phase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    died: list[int] = []
    monkeypatch.setattr("os.kill", lambda pid, how: died.append(how))
    monkeypatch.setenv("CHIAMATA_CRASH", f"2:{phase}")
    planned = crash.planned()
    assert planned is not None
    store = planned.store(Log(tmp_path / "log.db"))
    for number in range(2):
        assert died == []
        asyncio.run(store.append("A", number, [b"x"]))
        for text in ('{"is":"ack"}', '{"is":"scene"}', '{"is":"scene"}'):
            planned._sent(text)
    store.close()
    assert died == [signal.SIGKILL]


def test_a_crash_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHIAMATA_CRASH", raising=False)
    assert crash.planned() is None
    for text in ("3", "x:acked", "3:never"):
        monkeypatch.setenv("CHIAMATA_CRASH", text)
        with pytest.raises(ValueError, match=r"CHIAMATA_CRASH|invalid literal"):
            crash.planned()
