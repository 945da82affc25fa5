"""Numbers of tables: what is written over a table, on its display and on tickets.

An operator may set them; every other table is numbered in the order in which it was founded,
which is that of the first records of their streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from croupier.journal.decision import read_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.floor.house import House

PREFIX: Final = "table:"
LAST: Final = "~"
"""Behind every moment."""


class Numbers:
    """Which number every table has."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._set = house.configuration.server.table_numbers
        self._given: dict[str, int] = {}

    async def load(self) -> None:
        """Read which tables the journal has, of other processes too."""
        streams = [head.stream for head in await self._house.store.heads()]
        founded = [
            (await self._founded(stream), stream.removeprefix(PREFIX))
            for stream in streams
            if stream.startswith(PREFIX)
        ]
        self._given = numbered([name for _, name in sorted(founded)], self._set)

    async def _founded(self, stream: str) -> str:
        """Return when a table was founded; one whose journal is damaged counts as the last."""
        try:
            (first,) = await self._house.store.read(stream, 0, 1)
            return read_record(first).moment
        except Exception:  # noqa: BLE001  # the start of that table says what is wrong
            return LAST

    def of(self, name: str) -> int:
        """Return the number of a table."""
        if name not in self._given:
            everybody = dict.fromkeys((*self._given, *self._house.tables, name))
            self._given = numbered(everybody, self._set)
        return self._given[name]

    @property
    def all(self) -> dict[str, int]:
        """Return the numbers of the tables of this house."""
        return {name: self.of(name) for name in self._house.tables}


def numbered(names: Iterable[str], given: Mapping[str, int]) -> dict[str, int]:
    """Return numbers of tables in their order; one that was set is its table's alone.

    >>> numbered(["a", "b", "c"], {"b": 1})
    {'a': 2, 'b': 1, 'c': 3}
    """
    taken, found, last = {*given.values()}, {}, 0
    for name in names:
        if name in given:
            found[name] = given[name]
            continue
        last += 1
        while last in taken:
            last += 1
        found[name] = last
    return found
