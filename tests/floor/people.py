"""What the tests of people share: clocks that a test moves, a cheap hash, and who is known."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from argon2 import PasswordHasher

from croupier.accounts.commands import UserKind
from croupier.floor.passwords import Passwords
from croupier.floor.people import People
from croupier.floor.sessions import Settings, SignedIn, Standing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from croupier.floor.sessions import Session

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""What a password costs where the test is not about that."""
BEGIN = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
MINUTE, HOUR = 60, 3600


class Hands:
    """Two clocks: one that nobody sets, and one on the wall that somebody may."""

    def __init__(self) -> None:
        self.seconds = 1_000.0
        self.wall = BEGIN

    def clock(self) -> datetime:
        return self.wall

    def monotonic(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds
        self.jump(seconds)

    def jump(self, seconds: float) -> None:
        """Set the clock on the wall."""
        self.wall += timedelta(seconds=seconds)


def known() -> dict[str, Standing]:
    """Return whom the accounts know."""
    return {
        "ann": Standing(UserKind.PATRON),
        "dan": Standing(UserKind.STAFF, "Dealer"),
        "mia": Standing(UserKind.STAFF, "Pit Manager"),
        "ada": Standing(UserKind.ADMIN, "Administrator"),
    }


PASSWORDS = {name: f"the password of {name}" for name in known()}


async def open_people(
    folder: Path,
    hands: Hands | None = None,
    users: dict[str, Standing] | None = None,
    settings: Settings | None = None,
    hasher: PasswordHasher = CHEAP,
) -> People:
    """Open people by the clocks of a test."""
    hands = hands or Hands()
    users = known() if users is None else users
    return await People.open(
        folder,
        users.get,
        settings=settings,
        passwords=Passwords(hasher),
        clock=hands.clock,
        monotonic=hands.monotonic,
    )


@asynccontextmanager
async def people_in(
    folder: Path,
    hands: Hands | None = None,
    users: dict[str, Standing] | None = None,
    settings: Settings | None = None,
) -> AsyncIterator[People]:
    """Open people who have their passwords, and close them in the end."""
    people = await open_people(folder, hands, users, settings)
    try:
        if not await people.has_password("ann"):
            assert await people.set_passwords(PASSWORDS) is None
        yield people
    finally:
        await people.close()


async def signed_in(people: People, name: str) -> tuple[str, Session]:
    """Sign somebody in; return the token and the session."""
    answer = await people.sign_in(name, PASSWORDS[name])
    assert isinstance(answer, SignedIn), answer
    return answer.token, answer.session
