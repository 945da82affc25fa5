"""Tickets that nobody brought in time."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.accounts import commands as a
from croupier.accounts.commands import UserKind
from croupier.journal.cage_book import Ticketed
from tests.floor.fed import PASSWORD, _account, fed, settings_of
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from pathlib import Path


@looped
async def test_a_ticket_that_expired_is_not_open(tmp_path: Path) -> None:
    async with fed(tmp_path, settings_of("baccarat")) as table:
        floor = table.floor
        await _account(floor, a.AddUser("cas", UserKind.STAFF, "Cashier"))
        await floor.people.set_passwords({"cas": PASSWORD})
        await floor.books.ready()
        now = floor.house.clock()
        for number in range(300):
            age = timedelta(days=1 if number >= 298 else -1)
            name = f"{number:016}"
            floor.books.cage.tickets[name] = Ticketed(
                name, number, "ann", 100, now, "0" * 64, expires=now + age
            )
        found = (await table.http.get("/cage", headers=await table.headers("cas"))).json()
        assert (found["tickets_open"], found["tickets_open_cents"]) == (2, 200)
        states = [one["state"] for one in found["tickets"]]
        assert (states.count("open"), states.count("expired")) == (2, len(states) - 2)
        assert 2 < len(states) < 200, "those that expired long ago are not listed"
        expired = found["tickets"][-1]
        assert not expired["validation"].isdigit(), "what proves it stays hidden"
