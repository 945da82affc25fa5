"""Programs of the system that are not everybody's."""

from __future__ import annotations

import os

FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")


def with_system_programs(path: str) -> str:
    """Return a search path that has the folders of system programs, too.

    PostgreSQL adds a user to run as, packages want ldconfig; not every environment has them.

    >>> with_system_programs("/usr/bin:/usr/sbin")
    '/usr/bin:/usr/sbin:/usr/local/sbin:/sbin'
    """
    there = [one for one in path.split(os.pathsep) if one]
    return os.pathsep.join([*there, *(one for one in FOLDERS if one not in there)])
