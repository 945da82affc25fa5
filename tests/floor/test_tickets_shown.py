"""What proves a ticket is shown once, whatever happens in between, and never a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from croupier.uuids import uuid7
from tests.floor.serving import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.floor.serving import Served

PATRON = "patron-01"
BASE = "/api/v1"


class Purse:
    """A patron who takes credit out of the wallet on tickets."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def printed(self, key: str) -> dict[str, Any]:
        """Take out 10.00 under a key, or ask again what came of it."""
        body = {"command": {"type": "cash_out", "cents": 10_00}}
        with self.signed_in() as http:
            headers = {"Idempotency-Key": key}
            answer = http.post(f"{BASE}/cage/commands", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def tickets(self) -> dict[str, str]:
        """Return what is shown of every ticket's validation number."""
        with self.signed_in() as http:
            found = http.get(f"{BASE}/me/tickets").json()
        return {one["number"]: one["validation"] for one in found}

    def signed_in(self) -> httpx.Client:
        login = {"name": PATRON, "password": self._served.password(PATRON)}
        token = httpx.post(f"{self._served.url}{BASE}/sessions", json=login).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self._served.url, headers=headers)


def test_what_proves_a_ticket_is_shown_once_also_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        purse, key = Purse(served), uuid7()
        first = purse.printed(key)
        number, validation = first["ticket"], first["validation"]
        for ends in (served.stop, served.kill):
            ends()
            served.start()
            assert "validation" not in purse.printed(key)
        shown = purse.tickets()[number]
        assert shown.endswith(validation[-4:])
        assert shown != validation


def test_a_house_that_lost_the_key_of_its_tickets_shows_no_other_number(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as served:
        purse, key = Purse(served), uuid7()
        first = purse.printed(key)
        served.stop()
        (tmp_path / "house" / "ticket.key").unlink()
        (tmp_path / "house" / "people.sqlite").unlink()  # it forgot what was shown, too
        served.start()
        assert "validation" not in purse.printed(key)
        assert set(purse.tickets()[first["ticket"]]) == {"•"}
        assert purse.printed(uuid7())["validation"]
