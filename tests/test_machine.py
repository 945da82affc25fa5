"""What tests and tools need of the machine they run on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tools.system import FOLDERS, with_system_programs


@pytest.mark.parametrize("path", ["", "/usr/bin:/bin", "/usr/sbin:/usr/bin"])
def test_programs_of_the_system_are_found_behind_everybodys(path: str) -> None:
    found = with_system_programs(path).split(os.pathsep)
    assert os.pathsep.join(found).startswith(path)
    assert set(FOLDERS) <= set(found)
    assert len(found) == len(set(found))


def test_a_server_starts_where_the_path_has_no_system_programs() -> None:
    script = "from tools.postgres import running_server\nwith running_server(): print('up')"
    done = subprocess.run(  # noqa: S603  # our own
        [sys.executable, "-c", script],
        env={**os.environ, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("up\n", 0), done.stderr
