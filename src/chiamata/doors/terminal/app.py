"""The table on a whole terminal, with Textual: ``draw`` says what stands where, the keys are those of the page."""

from __future__ import annotations

from typing import ClassVar, get_args

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from chiamata.doors.terminal import draw, tell
from chiamata.doors.terminal.changes import Change, is_my_cut
from chiamata.doors.terminal.choices import Armed, choose, is_own, offered
from chiamata.doors.terminal.session import Finding, Session
from chiamata.doors.terminal.signs import to_ascii
from chiamata.doors.terminal.speech import Speech
from chiamata.server import wire

KEPT = 100
"""Sentences that the log keeps."""
LIFTED = 20
"""Cards that a cut lifts unless the arrows say otherwise: half of the pack."""
_NAMES = {"+": "plus", "-": "minus", "?": "help"}
_TOP = ("header", "contract", "seats", "panel", "log")
_BOTTOM = ("hand", "action", "keys")


class Drawer(ModalScreen[None]):
    """A sheet over the table; any key but those that scroll puts it away."""

    def __init__(self, title: str, lines: list[str], phrases: int = 0) -> None:
        """``phrases``: so many lines can be said by their digits."""
        super().__init__()
        self._title = title
        self._lines = lines
        self._phrases = phrases

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = self._title
            yield Static(Text("\n".join(self._lines)))

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down", "pageup", "pagedown", "home", "end"):
            return
        event.stop()
        number = int(event.character) if event.character and event.character in "123456789" else 0
        app = self.app
        self.dismiss(None)
        if 0 < number <= self._phrases and isinstance(app, TableApp):
            app.say_phrase(number - 1)


class TableApp(App[None]):
    """One person's screen."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", priority=True)]
    CSS = """
    Screen { background: ansi_default; color: ansi_default; }
    Static { height: auto; background: ansi_default; }
    #top { height: 1fr; overflow-y: auto; }
    #header, #keys, #contract { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #panel { margin-top: 1; }
    #log { height: 1fr; }
    #bottom { height: auto; dock: bottom; background: ansi_default; }
    Drawer { align: center middle; background: ansi_default; }
    Drawer VerticalScroll {
        width: 90%; max-width: 100; height: auto; max-height: 90%; border: round ansi_default; padding: 0 1;
    }
    """

    def __init__(self, session: Session, speech: Speech, ascii_only: bool = False) -> None:
        super().__init__(ansi_color=True)
        self.session = session
        self.speech = speech
        self.ascii_only = ascii_only
        self.armed: Armed | None = None
        self.lifted = LIFTED
        self.told: list[str] = []
        """What has happened, newest first."""
        self.notice = ""
        self.leaving = False
        self._parts: dict[str, Static] = {}
        session.screen = self

    def compose(self) -> ComposeResult:
        self._parts = {name: Static(id=name) for name in (*_TOP, *_BOTTOM)}
        for place, names in (("top", _TOP), ("bottom", _BOTTOM)):
            with Vertical(id=place):
                yield from (self._parts[name] for name in names)

    def on_mount(self) -> None:
        self.run_worker(self.session.run(), exit_on_error=True)
        self.set_interval(1.0, self.tick)
        self.show()

    def tick(self) -> None:
        """Draws again where a clock runs."""
        scene = self.session.scene
        if scene is not None and (scene.table.clock is not None or scene.table.next_in is not None):
            self.show()

    def on_resize(self) -> None:
        self.show()

    # --- what the session tells ------------------------------------------------------------------

    def on_scene(self, happened: list[Change]) -> None:
        """A newer Scene: what was chosen stays chosen while it is still on offer."""
        scene = self.session.scene
        assert scene is not None
        if self.armed and not offered(self.session.may, self.armed):
            self.armed = None
        said = [self.speech.sentence(change, scene) for change in happened if change.what != "turn"]
        self.told = [*reversed([line for line in said if line]), *self.told][:KEPT]
        self.notice = ""
        self.show()

    def on_no(self, code: str) -> None:
        """A refusal, in words."""
        self.notice = self.speech.refusal(code)
        self.show()

    def on_fair(self, finding: Finding) -> None:
        """How the deal came about, in words."""
        self.told.insert(0, f"{self.speech.texts.say(f'fair.{finding}')}.".replace("..", "."))
        self.show()

    def on_state(self) -> None:
        """The line, or what waits for an answer, has changed."""
        self.show()

    # --- drawing ---------------------------------------------------------------------------------

    def drawn(self, width: int) -> dict[str, Text]:
        """Every part of the screen as it stands, in so many columns."""
        scene = self.session.scene
        look = draw.Look(self.speech, width, self.session.elapsed)
        if scene is None:
            return {"action": Text(self._state() or self.speech.t("opening"))}
        armed = self.armed
        parts = {
            "header": draw.header(scene, look),
            "contract": draw.contract(scene, look),
            "seats": draw.seats(scene, look),
            "panel": draw.panel(scene, armed, self.lifted, look),
            "log": Text("\n".join(self.told)),
            "hand": draw.hand(scene, armed, look),
            "action": Text(self._state(), style="bold") if self._state() else draw.action(scene, armed, look),
            "keys": Text(self.speech.texts.say("play.keys"), style="dim"),
        }
        return {name: draw.in_ascii(part) for name, part in parts.items()} if self.ascii_only else parts

    def _state(self) -> str:
        """What is in the way of acting; '' for nothing."""
        speech = self.speech
        if self.leaving:
            return speech.texts.say("play.leave")
        if self.session.state == "closed":
            gone = self.session.code == 4003
            return speech.t("no_such_table") if gone else speech.refusal("TABLE_STOPPED")
        if self.session.state == "lost":
            return speech.t("link_lost")
        return self.notice

    def show(self) -> None:
        """Draws everything anew."""
        drawn = self.drawn(self.size.width)
        for name, part in self._parts.items():
            part.update(drawn.get(name, Text()))

    # --- keys ------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """One key of the map in ``docs/terminal.md``."""
        key = event.key
        if event.character and event.character.isprintable():
            key = _NAMES.get(event.character, event.character.lower())
        if self.leaving and key in ("q", "enter"):
            self.exit()
            return
        self.leaving, self.notice = False, ""
        if not self._press(key):
            self._open(key)
        self.show()

    def _press(self, key: str) -> bool:
        """Whether the key says something about a move, the pack or the table."""
        scene = self.session.scene
        if scene is None or self.session.state == "closed":
            return False
        if key == "escape":
            self.armed = None
        elif key == "enter":
            self._enter(scene)
        elif key in ("up", "down") and is_my_cut(scene):
            self.lifted = min(39, max(1, self.lifted + (1 if key == "up" else -1)))
        elif (chosen := self._chosen(key, scene)) is not None:
            if chosen == self.armed and chosen.kind == "pass":
                self._confirm()
            else:
                self.armed = chosen
        else:
            return False
        return True

    def _chosen(self, key: str, scene: wire.Scene) -> Armed | None:
        found = choose(key, scene, self.armed, self.speech)
        return found if found and offered(self.session.may, found) else None

    def _enter(self, scene: wire.Scene) -> None:
        may = scene.table.may
        if self.armed:
            self._confirm()
        elif is_my_cut(scene):
            self.session.cut(self.lifted)
        elif "sit" in may:
            self.session.send(wire.DoSit)
        elif "start" in may:
            self.session.send(wire.DoStart)
        elif "next" in may:
            self.session.send(wire.DoNext)

    def _confirm(self) -> None:
        armed = self.armed
        if armed is None:
            return
        if is_own(self.session.may, armed) and not armed.again:
            self.armed = Armed(armed.kind, armed.what, again=True)
            return
        self.armed = None
        self.session.act(armed)

    def _open(self, key: str) -> None:
        """Sheets over the table, and what is done about the table itself."""
        scene, speech = self.session.scene, self.speech
        if key == "q":
            self.leaving = True
        elif key == "help":
            self._sheet(speech.t("help"), speech.texts.say("play.help").splitlines())
        elif scene is None:
            return
        elif key == "l":
            self._sheet(speech.t("last_trick"), tell.last_trick(scene, speech))
        elif key == "s":
            self._sheet(speech.t("scores"), tell.sheet(scene, speech))
        elif key == "t":
            self._sheet(speech.t("chairs"), tell.people(scene, speech))
        elif key == "y" and "say" in scene.table.may:
            said = [f"{number}  {words}" for number, words in enumerate(self._phrases().values(), 1)]
            self._sheet(speech.t("say_something"), said, len(said))
        elif key == "e" and "end" in scene.table.may:
            self.session.send(wire.DoEnd)

    def _sheet(self, title: str, lines: list[str], phrases: int = 0) -> None:
        if self.ascii_only:
            title, lines = to_ascii(title), [to_ascii(line) for line in lines]
        self.push_screen(Drawer(title, lines, phrases))

    def _phrases(self) -> dict[str, str]:
        return {name: self.speech.texts.say(f"phrases.{name}") for name in get_args(wire.Phrase)}

    def say_phrase(self, index: int) -> None:
        """Says one of the fixed sentences."""
        self.session.send(wire.DoSay, phrase=list(self._phrases())[index])
