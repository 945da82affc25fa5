"""The registered devices of a house, with who registered or retired them and when.

The accounts know which devices there are, the journal who decided that and when, the server
when a device last asked for something. The journal is read when somebody looks, and from then
on only what was decided since.
"""

from __future__ import annotations

import asyncio
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.accounts.commands import DeviceKind  # noqa: TC001  # read by msgspec
from croupier.accounts.events import DeviceRegistered, DeviceRetired
from croupier.journal.accounts_stream import STREAM
from croupier.journal.decision import read_moment, read_record

if TYPE_CHECKING:
    from croupier.floor.device_tokens import DeviceTokens
    from croupier.floor.house import House

PAGE: Final = 2_000
"""Decisions of the accounts that are read at once."""
STAMPED: Final = (DeviceRegistered, DeviceRetired)
MARKS: Final = [f'"type":"{one.__struct_config__.tag}"'.encode() for one in STAMPED]
"""What the body of a record has that counts."""


class Stamp(msgspec.Struct, frozen=True):
    """When something was decided, and by whom."""

    moment: datetime
    by: str


class DeviceShown(msgspec.Struct, frozen=True, kw_only=True):
    """A registered device, as whoever tends devices sees it."""

    name: str
    kind: DeviceKind
    table: str | None
    registered: Stamp
    retired: Stamp | None
    """None: it is in use."""
    token: bool
    """Whether it has a token to show."""
    seen: datetime | None
    """When it last asked for something; None: not since the server started."""


class DeviceBook:
    """Lists the devices of a house."""

    def __init__(self, house: House, tokens: DeviceTokens) -> None:
        self._house, self._tokens = house, tokens
        self._reading = asyncio.Lock()
        self._sequence = 0
        self._registered: dict[str, Stamp] = {}
        self._retired: dict[str, Stamp] = {}

    async def listed(self) -> list[DeviceShown]:
        """Return all devices by name, those out of use too."""
        async with self._reading:
            await self._read()
        devices = self._house.accounts.accounts.devices.all
        return [
            DeviceShown(
                name=name,
                kind=device.kind,
                table=device.table,
                registered=self._registered[name],
                retired=self._retired.get(name),
                token=self._tokens.has(name),
                seen=self._tokens.seen.get(name),
            )
            for name, device in sorted(devices.items())
            if name in self._registered  # else it came after what was read
        ]

    async def _read(self) -> None:
        """Read what the accounts decided since."""
        while records := await self._house.store.read(STREAM, self._sequence, PAGE):
            for record in records:
                self._sequence = record.sequence
                if not any(mark in record.body for mark in MARKS):
                    continue
                decision = read_record(record)
                stamp = Stamp(read_moment(decision.moment), decision.actor.name)
                for event in decision.events:
                    if isinstance(event, DeviceRegistered):
                        self._registered[event.device] = stamp
                    elif isinstance(event, DeviceRetired):
                        self._retired[event.device] = stamp
