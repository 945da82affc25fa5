"""A server that is killed while a device deals: it goes on where it was, and no card twice."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import httpx
import msgspec

from croupier.cli.device import Server, Simulator
from croupier.floor.house import JOURNAL
from croupier.journal.loading import decisions_of
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table.events import CardDrawn
from croupier.uuids import uuid7
from tests.floor.fed import SHOE, settings_of
from tests.floor.serving import Served

if TYPE_CHECKING:
    from pathlib import Path

TABLE, ROUNDS, KILLS, WAIT_SECONDS = "baccarat", 4, 2, 90.0


class Staff:
    """People of the demo who ask again until somebody answers."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._tokens: dict[str, str] = {}

    def ask(self, method: str, path: str, name: str, **options: Any) -> httpx.Response:  # noqa: ANN401
        end = time.monotonic() + WAIT_SECONDS
        headers = {"Idempotency-Key": uuid7()}
        while True:
            assert time.monotonic() < end, self._served.output
            with suppress(httpx.HTTPError), httpx.Client(timeout=10) as http:
                base = f"{self._served.url}/api/v1"
                if name not in self._tokens:
                    login = {"name": name, "password": self._served.password(name)}
                    self._tokens[name] = http.post(f"{base}/sessions", json=login).json()[
                        "token"
                    ]
                headers["Authorization"] = f"Bearer {self._tokens[name]}"
                answer = http.request(method, base + path, headers=headers, **options)
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return answer
            time.sleep(0.05)

    def order(self, name: str, where: str, **command: object) -> httpx.Response:
        return self.ask("POST", f"/{where}/commands", name, json={"command": command})

    def do(self, name: str, where: str = f"tables/{TABLE}", **command: object) -> None:
        answer = self.order(name, where, **command)
        assert answer.is_success, answer.text

    def found(self) -> str:
        """Open the table anew for cards of paper, with a device; return its token."""
        self.do("pit-manager", type="close_table")
        settings = msgspec.to_builtins(settings_of(TABLE))
        self.do("pit-manager", type="open_table", settings=settings)
        self.do("dealer", type="load_shoe", shoe="paper")
        register = {"type": "register_device", "device": SHOE, "kind": "shoe", "table": TABLE}
        self.do("technician", "accounts", **register)
        answer = self.ask("POST", f"/devices/{SHOE}/token", "technician")
        token: str = answer.json()["token"]
        return token

    def deal(self) -> tuple[int, bool]:
        """Do what comes next, if it is the Dealer's; return the round, and who does it."""
        view = self.ask("GET", f"/tables/{TABLE}", "dealer").json()["view"]
        command = view["dealer"]["next"]["command"]
        assert view["hold"] is None, view["hold"]
        if command not in (None, "draw_card"):
            # What was done by a command whose answer was lost is refused the second time.
            self.order("dealer", f"tables/{TABLE}", type=command)
        return int(view["round"] or 0), command == "draw_card"


def test_a_kill_neither_loses_nor_repeats_a_card(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    staff = Staff(served)
    simulator = Simulator(Server(served.url, SHOE, staff.found()), seed=5)
    running = threading.Thread(target=simulator.run)
    running.start()
    try:
        for kill in range(1, KILLS + 1):
            # While the device deals, in the middle of a round.
            while staff.deal() < (kill * ROUNDS // KILLS, True):
                pass
            served.kill()
            served.start()
        while staff.deal() < (ROUNDS + 1, False):
            pass
    finally:
        simulator.stopping = True
        running.join()
        assert served.stop() == 0
    assert "Traceback" not in served.output
    assert simulator.refused == 0
    drawn = asyncio.run(_drawn(tmp_path / "house"))
    assert [number for number, _ in drawn] == list(range(len(drawn)))
    assert [face for _, face in drawn] == simulator.cards[: len(drawn)]


async def _drawn(house: Path) -> list[tuple[int, str | None]]:
    """Return all cards that were drawn, in order, from a journal that holds."""
    store = await SqliteStore.open(house / JOURNAL)
    try:
        assert (await verify(store, RULEBOOKS)).findings == []
        return [
            (event.number, event.card)
            async for one in decisions_of(store, f"table:{TABLE}")
            for event in one.events
            if isinstance(event, CardDrawn)
        ]
    finally:
        await store.close()
