"""The cookies by which houses know this player again, in a file of their own that nobody else may read."""

from __future__ import annotations

import json
import os
from pathlib import Path


def folder() -> Path:
    """Where programs keep what they would rather not lose: ``$XDG_STATE_HOME``, else ``~/.local/state``."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "chiamata"


class Cookies:
    """By house.  What cannot be read or kept is no reason not to play: one is then a new guest the next time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, house: str) -> str:
        """The cookie that this house gave; "" for none."""
        return self._all().get(house, "")

    def put(self, house: str, cookie: str) -> None:
        """Keeps it in place of what was there."""
        text = json.dumps(self._all() | {house: cookie}, indent=2)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                file.write(text)
        except OSError:
            return

    def _all(self) -> dict[str, str]:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(house): str(cookie) for house, cookie in found.items()} if isinstance(found, dict) else {}
