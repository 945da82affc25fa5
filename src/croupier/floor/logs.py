"""Logs of a server: one line an event, for people or for programs, without anything secret.

Lines are written by a thread beside: somebody who does not read them stops no table. What looks
like a password, a token, a validation number or the address of a database with its password is
taken out of every line, wherever it came from; a stack shows places in the code and no values.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import sys
import threading
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TextIO

from croupier.frozen import Named

if TYPE_CHECKING:
    from types import TracebackType

    from croupier.journal.gathering import Committed

REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
"""The identification of the request that is being answered."""
FIELDS: Final = ("request", "table", "round", "command")
"""What a line may say beside its message; nothing else that came with a record is written."""
LINES_MAX: Final = 10_000
"""Lines that wait to be written; while nobody reads them, more are dropped and counted."""
LINE_MAX: Final = 16_384
REMOVED: Final = "[removed]"
SECRETS: Final = (
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)[^\s\"',;]+"),
    re.compile(
        r"(?i)([\"']?\b(?:password|passwd|token|ticket|approval|validation|secret|salt"
        r"|csrf|authorization|cookie|croupier_session)\b[\"']?\s*[=:]\s*)"
        r"(?:\"[^\"]*\"|'[^']*'|[^\s\"',;&)}\]]+)"
    ),
    re.compile(r"(\w+://[^\s:/@]*:)[^\s/]+(?=@)"),
    re.compile(r"()\bdemo-[0-9a-f]{12}\b"),
    re.compile(r"()(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"),
    re.compile(r"()\b(?=[A-Z]*[0-9])[0-9A-HJKMNP-TV-Z]{16}\b"),
)
"""A secret, behind what names it: by its name, or by its form alone (tokens and tickets, logins
of the demo, validation numbers)."""

LOGGER = logging.getLogger("croupier")
DECISIONS = logging.getLogger("croupier.decisions")
QUIET: Final = ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "asyncio", "httpx")
"""Loggers of libraries: what they say is ours to tell, so they speak of trouble only."""


class Level(Named):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Format(Named):
    """How a line is written."""

    AUTO = "auto"
    """Text at a terminal, JSON elsewhere."""
    JSON = "json"
    TEXT = "text"


def without_secrets(text: str) -> str:
    """Return a text without what looks like a secret.

    >>> without_secrets("POST /live?ticket=abc&x=1 Authorization: Bearer abc")
    'POST /live?ticket=[removed]&x=1 Authorization: [removed] [removed]'
    """
    for secret in SECRETS:
        text = secret.sub(lambda found: found.group(1) + REMOVED, text)
    return text


class Lines(logging.Formatter):
    """Writes a record as one line without secrets."""

    def __init__(self, form: Format) -> None:
        super().__init__()
        self._json = form is Format.JSON

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        found: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _cut(without_secrets(record.getMessage())),
        }
        for name in FIELDS:
            value = getattr(record, name, REQUEST.get() if name == "request" else None)
            if value is not None:
                found[name] = value
        if record.exc_info and record.exc_info[0] is not None:
            found["error"] = crash_report(record.exc_info[1])
        return json.dumps(found, ensure_ascii=False) if self._json else _text(found)


def _text(found: dict[str, Any]) -> str:
    said = [found.pop(name) for name in ("time", "level", "logger", "message")]
    error = found.pop("error", None)
    rest = "".join(f" {name}={value}" for name, value in found.items())
    line = f"{said[0]} {said[1]:7} {said[2]}: {' '.join(said[3].split())}{rest}"
    if error is None:
        return line
    stack = " < ".join(reversed(error["stack"]))
    return f"{line} [{error['type']}: {' '.join(error['message'].split())}] {stack}"


def crash_report(error: BaseException | None) -> dict[str, Any]:
    """Return what is told of an error: its kind, its sentence and places in the code.

    Values of variables are not in it: one of them may be a card that was not dealt.
    """
    if error is None:
        return {"type": "", "message": "", "stack": []}
    stack = [
        f"{place.filename}:{place.lineno} {place.name}"
        for place in traceback.extract_tb(error.__traceback__)
    ]
    report: dict[str, Any] = {
        "type": type(error).__name__,
        "message": _cut(without_secrets(str(error))),
        "stack": stack,
    }
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and cause is not error:
        report["cause"] = {
            "type": type(cause).__name__,
            "message": _cut(without_secrets(str(cause))),
        }
    return report


def _cut(text: str) -> str:
    return text if len(text) <= LINE_MAX else f"{text[:LINE_MAX]}…"


class Beside(logging.Handler):
    """Hands lines to a thread that writes them; never waits for it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_MAX)
        self.dropped = 0
        self.replaced: list[logging.Handler] = []
        """Who wrote the log before."""
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line, or count that there was no room for it."""
        try:
            line = self.format(record)
        except Exception:  # noqa: BLE001  # a line that cannot be written stops nothing
            line = f"A line of {record.name} could not be written."
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.dropped += 1

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._stream.write(f"{line}\n")
                self._stream.flush()
            except (OSError, ValueError):
                return  # nobody reads any more
            if self.dropped and self._lines.empty():
                dropped, self.dropped = self.dropped, 0
                LOGGER.warning("%d lines were dropped: nobody read them in time", dropped)

    def close(self) -> None:
        """Write what waits, for a moment, and stop."""
        try:
            self._lines.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(1.0)
        super().close()


def set_up(
    level: Level = Level.INFO, form: Format = Format.AUTO, stream: TextIO | None = None
) -> Beside:
    """Let everything that this process logs be lines of one form; return who writes them."""
    out = stream or sys.stderr
    if form is Format.AUTO:
        form = Format.TEXT if out.isatty() else Format.JSON
    handler = Beside(out)
    handler.setFormatter(Lines(form))
    root = logging.getLogger()
    handler.replaced = list(root.handlers)
    for one in handler.replaced:
        root.removeHandler(one)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(level.value.upper())
    for name in QUIET:
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
        library.setLevel(logging.WARNING)
    sys.excepthook = _unhandled
    threading.excepthook = _unhandled_in_thread
    return handler


def tear_down(handler: Beside) -> None:
    """Write what waits, and let go of the log."""
    root = logging.getLogger()
    root.removeHandler(handler)
    handler.close()
    for one in handler.replaced:
        root.addHandler(one)
    for name in (LOGGER.name, *QUIET):
        logging.getLogger(name).setLevel(logging.NOTSET)
    sys.excepthook = sys.__excepthook__
    threading.excepthook = threading.__excepthook__


def _unhandled(
    kind: type[BaseException], error: BaseException, stack: TracebackType | None
) -> None:
    LOGGER.critical("the server failed", exc_info=(kind, error, stack))


def _unhandled_in_thread(arguments: threading.ExceptHookArgs) -> None:
    if arguments.exc_value is not None:
        LOGGER.error("a thread failed", exc_info=arguments.exc_value)


def decided(committed: Committed) -> None:
    """Log a decision: where, who asked for what, and what came of it; no value of it."""
    if not DECISIONS.isEnabledFor(logging.DEBUG):
        return
    decision = committed.decision
    _, _, name = decision.stream.partition(":")
    table = getattr(committed.after, "table", None)
    play = None if table is None else table.round
    came = "accepted" if decision.refusal is None else f"refused {decision.refusal.code}"
    kind = decision.command.__struct_config__.tag
    DECISIONS.debug(
        "decision %d of %s: %s %s",
        decision.sequence,
        decision.stream,
        kind,
        came,
        extra={
            "table": name or None,
            "round": None if play is None else play.number,
            "command": decision.command_id,
        },
    )
