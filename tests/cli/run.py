"""Run the command line in this process, or as a real one."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from croupier.cli import main

HEAVY = frozenset({"numpy", "numba", "matplotlib", "pandas", "polars", "distributed"})
"""Libraries that are slow to load and that most commands do without."""


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401  # a document has any shape
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: str) -> Ran:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main(list(arguments))
    code = end.value.code
    assert isinstance(code, int)
    return Ran(code, out.getvalue(), err.getvalue())


def run_process(*arguments: str, given: str | bytes = "") -> Ran:
    """Run a command as a process of its own."""
    data = given if isinstance(given, bytes) else given.encode()
    ended = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-m", "croupier", *arguments],
        input=data,
        capture_output=True,
        check=False,
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def assert_refused(ran: Ran, *words: str) -> None:
    """Check that a command ended with one sentence on standard error and exit code 2."""
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err.startswith("croupier: ")
    assert ran.err.endswith((".\n", "?\n"))
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    for word in words:
        assert word in ran.err, ran.err


def loaded_by(*arguments: str, of: frozenset[str] = HEAVY) -> tuple[str, set[str]]:
    """Run a command as a process; return what it printed and the heavy libraries it loaded."""
    code = (
        "import sys\nfrom croupier.cli import main\n"
        f"try:\n    main({list(arguments)!r})\nexcept SystemExit:\n    pass\n"
        f"sys.stderr.write(' '.join({set(of)!r} & set(sys.modules)))"
    )
    ended = subprocess.run(  # noqa: S603  # our own command
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return ended.stdout, set(ended.stderr.split())
