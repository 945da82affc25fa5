"""Stakes in play at tables that another process serves, counted from what it decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.journal.decision import Decision

Parts = dict[tuple[int, str], int]
"""By number of a stake and patron: what of the stake is that patron's."""


def _added(parts: Parts, event: e.WagerPlaced | e.WagerRaised | e.StakeFound) -> None:
    key = event.stake, event.patron
    parts[key] = parts.get(key, 0) + event.cents


def _lowered(parts: Parts, event: e.WagerLowered) -> None:
    parts[event.stake, event.patron] -= event.cents


def _returned(parts: Parts, event: e.WagerReturned) -> None:
    for key in [one for one in parts if one[0] == event.stake]:
        del parts[key]


def _withdrawn(parts: Parts, event: i.WagersWithdrawn) -> None:
    for stake in event.stakes:
        parts.pop((stake, event.patron), None)


def _over(parts: Parts, _: e.Event) -> None:
    parts.clear()


def _reversed(parts: Parts, event: i.SettlementReversed) -> None:
    """Count stakes again whose pay list was taken back: they are settled anew."""
    for line in event.lines:
        key = line.stake, line.patron
        parts[key] = parts.get(key, 0) + line.cents


RULES: Final[Mapping[type, Callable[[Parts, Any], None]]] = {
    e.BetsOpened: _over,
    e.WagerPlaced: _added,
    e.WagerRaised: _added,
    e.StakeFound: _added,
    e.WagerLowered: _lowered,
    e.WagerReturned: _returned,
    i.WagersWithdrawn: _withdrawn,
    e.WagersSettled: _over,
    i.SettlementReversed: _reversed,
    i.RoundVoided: _over,
}


class StakesElsewhere:
    """What patrons have in rounds that are not settled, by stream of a table."""

    def __init__(self) -> None:
        self._streams: dict[str, Parts] = {}

    def feed(self, decision: Decision) -> None:
        """Count a decision, from the first round on that was seen to open."""
        for event in decision.events:
            rule, known = RULES.get(type(event)), self._streams.get(decision.stream)
            if rule is None or (known is None and not isinstance(event, e.BetsOpened)):
                continue
            rule(self._streams.setdefault(decision.stream, {}), event)

    def forget(self, stream: str) -> None:
        """Count a table no more: it is served here."""
        self._streams.pop(stream, None)

    def cents(self, patron: str) -> int:
        """Return what a patron has in play."""
        every = self._streams.values()
        return sum(
            cents for one in every for (_, owner), cents in one.items() if owner == patron
        )
