"""Reports for tests that say more than a situation asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.table import commands as c
from croupier.table.reports import CONTENTS

if TYPE_CHECKING:
    from croupier.table.rulings import Situation


def told(situation: Situation, note: str = "", **facts: Any) -> c.Report:  # noqa: ANN401
    """Return a report with those of the facts that its situation has a place for."""
    fields = CONTENTS[situation].__struct_fields__
    said = {name: value for name, value in facts.items() if name in fields}
    return c.report(situation, note, **said)
