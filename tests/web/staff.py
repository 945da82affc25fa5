"""People who act over HTTP, where their screen is not what a test is about."""

from __future__ import annotations

import itertools
import time
import uuid
from typing import TYPE_CHECKING, Any

import httpx

from tests.web.playing import until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.web.looking import Place

FACES = ("6C", "9D", "7H", "9C", "2S", "KD")
"""What comes from a shoe of paper when nothing else is said."""


class Staff:
    """Everybody of a house, each signed in once."""

    def __init__(self, floor: Place) -> None:
        self._floor = floor
        self._http = httpx.Client(base_url=f"{floor.url}/api/v1", timeout=60)
        self._tokens: dict[str, str] = {}
        self._faces = itertools.cycle(FACES)
        self._as_founded: dict[str, dict[str, Any]] = {}

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def _headers(self, name: str) -> dict[str, str]:
        if name not in self._tokens:
            login = {"name": name, "password": self._floor.password(name)}
            answer = self._http.post("/sessions", json=login)
            assert answer.status_code == 201, answer.text
            self._http.cookies.clear()
            self._tokens[name] = answer.json()["token"]
        return {"Authorization": f"Bearer {self._tokens[name]}"}

    def get(self, name: str, path: str) -> Any:  # noqa: ANN401  # JSON
        """Read something as somebody."""
        answer = self._http.get(path, headers=self._headers(name))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def view(self, table: str, name: str = "dealer") -> dict[str, Any]:
        """Return a table as somebody sees it."""
        view: dict[str, Any] = self.get(name, f"/tables/{table}")["view"]
        return view

    def give(
        self,
        name: str,
        where: str,
        kind: str,
        /,
        second: str | None = None,
        cards: Sequence[str] = (),
        **facts: Any,  # noqa: ANN401  # as on the wire
    ) -> dict[str, Any]:
        """Give a command that is taken; a second person approves it where one is named."""
        command = {"type": kind, **facts}
        body: dict[str, Any] = {"command": command}
        if cards:
            body["cards"] = cards
        if second is not None:
            wanted = {"table": where, "command": command, "for": name}
            headers = self._headers(second)
            answer = self._http.post("/approvals", json=wanted, headers=headers)
            assert answer.status_code == 201, answer.text
            body["approval"] = answer.json()["approval"]
        path = "/cage/commands" if where == "cage" else f"/tables/{where}/commands"
        headers = {**self._headers(name), "Idempotency-Key": uuid.uuid4().hex}
        answer = self._http.post(path, json=body, headers=headers)
        while answer.status_code == 429:  # a Dealer who is faster than any
            time.sleep(0.5)
            answer = self._http.post(path, json=body, headers=headers)
        assert answer.status_code == 200, f"{command}: {answer.text}"
        done: dict[str, Any] = answer.json()
        return done

    # At a live table

    def take_over(self, table: str) -> None:
        """Let the Dealer deal instead of the house, at a table as it was founded."""
        self._reopen(table, self._founded(table))
        self._sign_in(table)
        self._load(table)

    def _sign_in(self, table: str) -> None:
        view = self.view(table)
        if view["dealer"]["dealer"] is None and view["rules"]["dealt_by"] == "house":
            self.give("dealer", table, "sign_in")

    def _settings(self, table: str) -> dict[str, Any]:
        settings: dict[str, Any] = self.view(table, "pit-manager")["pit"]["settings"]
        return settings

    def _founded(self, table: str) -> dict[str, Any]:
        """Return the settings with which a table was founded, whatever tests made of it."""
        return self._as_founded.setdefault(table, self._settings(table))

    def _reopen(self, table: str, wanted: dict[str, Any]) -> None:
        """Close a table and open it with other settings; nobody sits there meanwhile."""
        if self._settings(table) == wanted:
            return
        for one in self.view(table)["dealer"]["patrons"]:
            self._sign_in(table)
            self.play_out(table)
            self.give("dealer", table, "leave_seat", patron=one["patron"])
        self.give("pit-manager", table, "close_table")
        self.give("pit-manager", table, "open_table", settings=wanted)

    def _load(self, table: str) -> None:
        shoe = self.view(table)["shoe"]
        if shoe is None or shoe["ended"]:
            name = "1" if shoe is None else str(int(shoe["name"]) + 1)
            self.give("dealer", table, "load_shoe", shoe=name)

    def open_with_paper(self, table: str, *, reads: bool = True, **others: Any) -> None:  # noqa: ANN401  # as on the wire
        """Open a table anew with cards of paper, whose faces are keyed in, and a full shoe."""
        founded = self._founded(table)
        device = founded["device"] | {"physical": True, "reads_cards": reads}
        self._reopen(table, founded | {"device": device, "dealt_by": "dealer"} | others)
        self.play_out(table)
        shoe = self.view(table)["shoe"]
        if shoe is not None and not shoe["ended"]:
            self.give("dealer", table, "end_shoe")
        self._load(table)

    def call(self, table: str) -> int:
        """Bring the table to the next call for bets; return the round."""
        self.play_out(table)
        self._load(table)
        self.give("dealer", table, "call_bets")
        number: int = self.view(table)["round"]
        return number

    def deal(self, table: str, *faces: str) -> None:
        """Let the Dealer close the bets and draw cards: of paper, with these faces."""
        if self.view(table)["phase"] == "OPEN":
            self.give("dealer", table, "close_bets")
        for face in faces:
            self.draw(table, face)

    def coup(self, table: str, faces: str) -> None:
        """Deal a round of paper cards from the call to the payment."""
        for step in ("call_bets", "close_bets"):
            self.give("dealer", table, step)
        for face in faces.split():
            self.give("dealer", table, "draw_card", cards=[face])
        for step in ("announce_outcome", "settle", "confirm_payment"):
            self.give("dealer", table, step)

    def draw(self, table: str, face: str) -> None:
        """Let the Dealer draw one card; a sealed shoe gives its own."""
        paper = self._paper(table)
        self.give("dealer", table, "draw_card", cards=[face] if paper else ())

    def _paper(self, table: str) -> bool:
        shoe = self.view(table)["shoe"]["name"]
        return bool(self.get("dealer", f"/tables/{table}/shoes/{shoe}")["source"] == "device")

    def play_out(self, table: str) -> None:
        """Let the Dealer do whatever comes next until no round is on.

        A round that waits for something, which a test left so, is void.
        """
        while (view := self.view(table))["phase"] != "IDLE":
            step = view["dealer"]["next"]["command"]
            if view["phase"] == "VOID" and step is None:
                self.give("pit-manager", table, "decide_replacement", replace=False)
                return
            if step == "call_bets":
                return
            if view["hold"] is not None:
                self.void(table)
                continue
            if step == "draw_card":
                self.draw(table, next(self._faces))
                continue
            name, may = "dealer", view["dealer"]["may"]
            if view["dealer"]["next"]["patrons"]:
                name = view["dealer"]["next"]["patrons"][0]
                may = self.view(table, name)["own"]["may"]
            opened = [one for one in may if one["command"] == step]
            assert opened, (step, view["dealer"]["next"])
            keyed = any(field["name"] == "cards" for field in opened[0].get("fields", ()))
            cards = [next(self._faces)] if keyed else ()
            self.give(name, table, step, cards=cards, **_only(opened[0]))

    def report(self, table: str, situation: str, **facts: Any) -> None:  # noqa: ANN401
        """Let the Dealer report an irregularity, and a Pit Supervisor confirm it."""
        about = {"situation": situation, **facts}
        self.give("dealer", table, "report", about=about)
        self.give("pit-supervisor", table, "confirm_report", reason="as reported")

    def void(self, table: str) -> None:
        """Let a round be void: there is a foreign card, which every rulebook knows."""
        self.give("dealer", table, "report", about={"situation": "foreign_card"})
        self.give("pit-supervisor", table, "confirm_report", second="pit-manager")

    def bet(self, patron: str, table: str, stakes: Sequence[tuple[str, int]]) -> None:
        """Let a patron stake, who sits there."""
        for wager, cents in stakes:
            self.give(patron, table, "place_wager", wager=wager, cents=cents)

    def seat(self, patron: str, table: str, position: int, cents: int = 10_000_00) -> None:
        """Let a patron sit down with credit."""
        self.give(patron, table, "take_seat", position=position)
        self.give(patron, "cage", "send_to_table", table=table, cents=cents)
        until(lambda: self.view(table, patron)["own"]["credit_cents"] >= cents, "credit")


def _only(opened: dict[str, Any]) -> dict[str, Any]:
    """Return the first value of each field that must be said."""
    return {
        field["name"]: field["allowed"][0]
        for field in opened.get("fields", ())
        if field.get("required") and not field.get("house")
    }
