"""Who may sign in at a demo: its door says so to everybody, since its money is play money."""

from __future__ import annotations

from typing import Final

import httpx
import msgspec

from croupier.client.addresses import BASE, floor_address, trusted
from croupier.client.errors import ClientError, Unavailable

SECONDS: Final = 12.0
"""A floor answers within 10 seconds."""


class DemoLogin(msgspec.Struct, frozen=True):
    """A login that a demo shows, as far as it is needed here."""

    name: str
    password: str
    kind: str

    def __repr__(self) -> str:
        return f"DemoLogin({self.name!r})"


class Door(msgspec.Struct, frozen=True):
    """What a house says of itself, as far as it is needed here."""

    demo: bool
    logins: tuple[DemoLogin, ...]


def demo_logins(url: str) -> tuple[DemoLogin, ...] | None:
    """Return the logins that a demo shows to everybody; None: the house is no demo."""
    address = floor_address(url)
    try:
        answer = httpx.get(
            f"{address}{BASE}/house", timeout=SECONDS, trust_env=False, verify=trusted()
        )
        door = msgspec.json.decode(answer.content, type=Door)
    except httpx.TransportError as error:
        message = f"The floor at {address} does not answer."
        raise Unavailable(message) from error
    except (msgspec.MsgspecError, UnicodeError) as error:
        message = f"What answers at {address} is not a floor."
        raise ClientError(message) from error
    return door.logins if door.demo else None
