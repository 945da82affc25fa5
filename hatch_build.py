"""A wheel has the screens in it, whole, or it is not built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = "src/croupier/floor/static"
PAGE = "index.html"
NAMED = re.compile(r"""(?:src|href)=["']/([^"'?#]+)""")
"""What the page names of this house."""
IMPORTED = re.compile(r"""["'`](?:\./|/?assets/)([\w.-]+\.(?:js|css))["'`]""")
"""What a script or style names beside itself: other parts are loaded when they are needed."""


def missing(static: Path) -> list[str]:
    """Return the files that the screens are made of and that are not there."""
    if not (static / PAGE).is_file():
        return [PAGE]
    wanted = NAMED.findall((static / PAGE).read_text(encoding="utf-8"))
    seen: set[str] = set()
    gone = []
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        file = static / name
        if not file.is_file() or not file.stat().st_size:
            gone.append(name)
        elif file.suffix == ".js":
            found = IMPORTED.findall(file.read_text(encoding="utf-8"))
            wanted += (f"assets/{one}" for one in found)
    return sorted(gone)


class Screens(BuildHookInterface[Any]):
    """Refuses a wheel without its screens; a checkout builds them when they are needed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Look for the page that all screens begin with, and for all that it leads to."""
        if version == "editable":
            return
        gone = missing(Path(self.root) / STATIC)
        if gone:
            message = (
                "The screens are not built, and no wheel goes without them: run make web."
                f" Missing: {', '.join(gone[:5])}{' …' if gone[5:] else ''}."
            )
            raise RuntimeError(message)
        build_data["artifacts"].append(f"{STATIC}/**")
