"""Tokens of devices: a device proves who it is by a token of its own, and is nobody's session.

A device has one token. A new one takes the place of the old; the file knows its SHA-256 alone.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from croupier.floor.rates import Allowance
from croupier.floor.sessions import TOKEN_BYTES, digest_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.floor.people_file import PeopleFile
    from croupier.floor.rates import Rates


class DeviceTokens:
    """Which device has which token, and how much each may send."""

    def __init__(self, file: PeopleFile, rates: Rates, monotonic: Callable[[], float]) -> None:
        self._file, self._rates, self._monotonic = file, rates, monotonic
        self._devices: dict[bytes, str] = {}
        self._allowances: dict[str, Allowance] = {}
        self.seen: dict[str, datetime] = {}
        """When devices last asked for something, since the server started."""

    async def load(self) -> None:
        """Read the tokens that hold."""
        query = "SELECT digest, device FROM device_token"
        rows = await self._file.run(lambda file: file.execute(query).fetchall())
        self._devices = dict(rows)

    def has(self, device: str) -> bool:
        """Tell whether a device has a token."""
        return device in self._devices.values()

    async def issue(self, device: str) -> str:
        """Give a device a token, which is told this once; one that it had is void."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        digest = digest_of(token)
        query = "INSERT OR REPLACE INTO device_token VALUES (?, ?)"
        await self._file.run(lambda file: file.execute(query, (device, digest)))
        self._forget(device)
        self._devices[digest] = device
        return token

    async def revoke(self, device: str) -> bool:
        """Let the token of a device be void; tell whether it had one."""
        had = self.has(device)
        self._forget(device)
        query = "DELETE FROM device_token WHERE device = ?"
        await self._file.run(lambda file: file.execute(query, (device,)))
        return had

    def _forget(self, device: str) -> None:
        for digest in [one for one, name in self._devices.items() if name == device]:
            del self._devices[digest]

    def find(self, token: str) -> str | None:
        """Return whose token this is."""
        return self._devices.get(digest_of(token))

    def asks(self, device: str, moment: datetime) -> Allowance:
        """Take note that a device asks for something; return what it may send."""
        self.seen[device] = moment
        found = self._allowances.get(device)
        if found is None:
            found = self._allowances[device] = Allowance(self._rates, self._monotonic)
        return found
