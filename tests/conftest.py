"""What all tests share: the citations they carry, and how Hypothesis runs."""

from __future__ import annotations

import json
import os
import signal
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from croupier.journal import writer

if TYPE_CHECKING:
    from collections.abc import Iterator

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Tests press Ctrl-C; a shell that runs them in the background has it ignored, for their
    # processes too.
    signal.signal(signal.SIGINT, signal.default_int_handler)


settings.register_profile(
    "croupier",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("croupier")


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """Let no test leave its handlers behind: another one presses Ctrl-C."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a medium that is gone for ever sooner than a house would."""
    monkeypatch.setattr(writer, "PAUSES_SECONDS", (0.0, 0.001, 0.01))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write which tests carry which citation, when tools/conformance.py asks for it."""
    target = os.environ.get("CROUPIER_CLAUSE_MARKS")
    if target is None:
        return
    marks: dict[str, list[str]] = defaultdict(list)
    for item in session.items:
        name = item.nodeid.partition("[")[0].removeprefix("tests/")
        for mark in item.iter_markers("clause"):
            for cite in mark.args:
                if name not in marks[cite]:
                    marks[cite].append(name)
    Path(target).write_text(json.dumps(marks), encoding="utf-8")


@pytest.fixture(autouse=True)
def _wide_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print as wide as to a file, whatever the terminal of whoever runs the tests."""
    monkeypatch.delenv("COLUMNS", raising=False)
