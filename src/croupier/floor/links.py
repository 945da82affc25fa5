"""Links that are used once: for the first administrator, and for a password to be set."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from croupier.floor.door import Issued, ServerCode, TurnedAway
from croupier.floor.people_file import micros, moment_of
from croupier.floor.sessions import A_SECOND_US, TOKEN_BYTES, digest_of
from croupier.frozen import Named

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from datetime import datetime

    from croupier.floor.people_file import PeopleFile

LINK_SECONDS = 24 * 3600


class Purpose(Named):
    """What a link is for."""

    FIRST_ADMINISTRATOR = "first_administrator"
    PASSWORD = "password"  # noqa: S105  # a purpose, no password


class Link:
    """A link that was not used yet."""

    __slots__ = ("digest", "ends", "name", "purpose", "used")

    def __init__(self, digest: bytes, purpose: Purpose, name: str | None, ends: float) -> None:
        self.digest, self.purpose, self.name, self.ends = digest, purpose, name, ends
        self.used = False
        """Whether somebody is using it at this moment."""


class Links:
    """Links that wait to be used."""

    def __init__(
        self, file: PeopleFile, clock: Callable[[], datetime], monotonic: Callable[[], float]
    ) -> None:
        self._file, self._clock, self._monotonic = file, clock, monotonic
        self._open: dict[bytes, Link] = {}

    def __len__(self) -> int:
        return len(self._open)

    async def load(self) -> None:
        """Read the links that still hold."""
        query = "SELECT digest, purpose, name, expires_us FROM link"
        rows = await self._file.run(lambda file: file.execute(query).fetchall())
        now_us = micros(self._clock())
        for digest, purpose, name, expires_us in rows:
            left = min((expires_us - now_us) / A_SECOND_US, LINK_SECONDS)
            if left > 0:
                ends = self._monotonic() + left
                self._open[digest] = Link(digest, Purpose(purpose), name, ends)

    async def issue(self, purpose: Purpose, name: str | None) -> Issued:
        """Return a new link, which takes the place of an earlier one for the same."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        expires_us = micros(self._clock()) + LINK_SECONDS * A_SECOND_US
        row = (digest_of(token), purpose.value, name, expires_us)

        def write(file: sqlite3.Connection) -> None:
            delete_links(file, purpose, name)
            file.execute("INSERT INTO link VALUES (?, ?, ?, ?)", row)

        await self._file.run(write)
        self.drop(purpose, name)
        ends = self._monotonic() + LINK_SECONDS
        self._open[row[0]] = Link(row[0], purpose, name, ends)
        return Issued(token, moment_of(expires_us))

    def find(self, token: str, purpose: Purpose) -> Link | TurnedAway:
        """Return a link that may be used now."""
        link = self._open.get(digest_of(token))
        if link is not None and self._monotonic() >= link.ends:
            del self._open[link.digest]
            link = None
        if link is None or link.purpose is not purpose or link.used:
            return TurnedAway(
                ServerCode.BAD_LINK,
                "The link was used, was replaced, or is older than a day; ask for a new one.",
            )
        return link

    def drop(self, purpose: Purpose, name: str | None) -> None:
        """Forget the links for a purpose and a name; the file is the caller's."""
        same = [
            one for one in self._open.values() if (one.purpose, one.name) == (purpose, name)
        ]
        for link in same:
            del self._open[link.digest]


def delete_links(file: sqlite3.Connection, purpose: Purpose, name: str | None) -> None:
    """Delete the links for a purpose and a name from the file."""
    file.execute("DELETE FROM link WHERE purpose = ? AND name IS ?", (purpose.value, name))
