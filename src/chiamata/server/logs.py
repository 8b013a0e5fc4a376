"""The server's own log of what goes wrong: one JSON object a line on stderr, without anybody's cards.

An exception is told by its type and the place where it arose, never by its text
or its values: those may hold state of a table.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
import traceback
from types import TracebackType

OURS = "chiamata"
LOGGERS = (OURS, "uvicorn.error", "asyncio", "py.warnings")
"""``asyncio`` writes of tasks, futures and callbacks that failed and that nobody asks about: what they are on its first
line, what they hold on those below."""


class JsonLines(logging.Formatter):
    """``{"at": "2026-11-30T18:00:00Z", "level": "error", "event": "table ABCDE stopped: …"}``."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage() if record.name == OURS else record.getMessage().partition("\n")[0],
        }
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            line["event"] = str(record.msg).partition("\n")[0]
            line["exception"] = kind.__name__
            if steps := traceback.extract_tb(trace):
                line["where"] = f"{steps[-1].name}:{steps[-1].lineno}"
        return json.dumps(line, ensure_ascii=False)


def to_stderr() -> None:
    """Has what the server logs written so; called once, by the process that serves."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda found: _uncaught(found.exc_type, found.exc_value, found.exc_traceback)
    sys.unraisablehook = lambda found: _uncaught(found.exc_type, found.exc_value, found.exc_traceback)


def _uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """What Python would write with the error's text: of threads, finalizers, and the end of the process."""
    shown = (kind, error or kind(), trace)
    logging.getLogger(OURS).error("an exception that nobody caught", exc_info=shown)
