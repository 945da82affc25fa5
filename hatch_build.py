"""A wheel has the screens in it, or it is not built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Screens(BuildHookInterface[Any]):
    """Refuses a wheel without its screens; a checkout builds them when they are needed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Look for the page that all screens begin with."""
        if version == "editable":
            return
        static = Path(self.root) / "src" / "croupier" / "floor" / "static"
        if not (static / "index.html").is_file():
            message = "The screens are not built, and no wheel goes without them: run make web."
            raise RuntimeError(message)
        build_data["artifacts"].append("src/croupier/floor/static/**")
