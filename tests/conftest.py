"""What all tests share: the citations they carry, and how Hypothesis runs."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

settings.register_profile(
    "croupier",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("croupier")


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
