"""People who act over HTTP, where their screen is not what a test is about."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any

from tools.people import People, least

if TYPE_CHECKING:
    from tests.web.looking import Place

FACES = ("6C", "9D", "7H", "9C", "2S", "KD")
"""What comes from a shoe of paper when nothing else is said."""


class Staff(People):
    """Everybody of a house, each signed in once."""

    def __init__(self, floor: Place) -> None:
        super().__init__(floor.password, floor.url)
        self._faces = itertools.cycle(FACES)
        self._as_founded: dict[str, dict[str, Any]] = {}

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

    def _founded(self, table: str) -> dict[str, Any]:
        """Return the settings with which a table was founded, whatever tests made of it."""
        return self._as_founded.setdefault(table, self.settings(table))

    def _reopen(self, table: str, wanted: dict[str, Any]) -> None:
        """Close a table and open it with other settings; nobody sits there meanwhile.

        What another test left there is played out first.
        """
        if self.settings(table) == wanted:
            return
        patrons = self.view(table)["dealer"]["patrons"]
        if patrons or self.view(table)["rules"]["dealt_by"] == "dealer":
            self._sign_in(table)
            self.play_out(table)
        if patrons and self.view(table)["phase"] == "SETTLED":
            # At PB6 and F6T2 what a pay list credited stays at the seat until the next call.
            self.call(table)
            self.void(table)
            self.play_out(table)
        for one in patrons:
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

        A round that waits for something, which a test left so, is void. Where the house deals,
        it goes on by itself, and bets that it would leave open for long are void.
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
            if view["dealer"]["next"]["system"]:  # the house is at it
                if view["phase"] == "OPEN":
                    self.void(table)
                else:
                    time.sleep(0.1)
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
            self.give(name, table, step, cards=cards, **least(opened[0]))

    def report(self, table: str, situation: str, **facts: Any) -> None:  # noqa: ANN401
        """Let the Dealer report an irregularity, and a Pit Supervisor confirm it."""
        about = {"situation": situation, **facts}
        self.give("dealer", table, "report", about=about)
        self.give("pit-supervisor", table, "confirm_report", reason="as reported")

    def void(self, table: str) -> None:
        """Let a round be void: there is a foreign card, which every rulebook knows."""
        self.give("dealer", table, "report", about={"situation": "foreign_card"})
        self.give("pit-supervisor", table, "confirm_report", second="pit-manager")

    def seat(self, patron: str, table: str, position: int, cents: int = 10_000_00) -> None:
        """Let a patron sit down with credit."""
        self.give(patron, table, "take_seat", position=position)
        self.send_credit(patron, table, cents)
