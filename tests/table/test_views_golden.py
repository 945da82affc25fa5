"""Views of a few states as JSON, reviewed by eye.

Write them anew with ``python -m tests.table.test_views_golden --anew``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.roles import StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Method
from croupier.table.views import Audience, view
from tests.table.floor import SUPERVISOR, SYSTEM, Floor

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parent / "golden_views"
LIMITS = {"*": Limits(50_00, 5_000_00, 10_00)}


def betting() -> Floor:
    """Let Ann and Bea bet at a live table, one of them on a shared stake."""
    floor = Floor("baccarat", method=Method.A, optional=(), limits=LIMITS)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 300_00)
    floor.bet("Bea", "banker", 200_00)
    floor.bet("Ann", "tie", 50_00, shared=True)
    return floor


def squeezing() -> Floor:
    """Deal four cards face down, and hand the Player hand to Ann."""
    floor = betting()
    floor.close_bets()
    for face in ("2S", "3H", "3D", "2C"):
        floor.draw(face)
    floor.do(c.PassHand(Side.PLAYER, "Ann"))
    floor.do(c.ChooseFirstHand(Side.BANKER))
    return floor


def offered() -> Floor:
    """Offer withdrawal after a power failure."""
    floor = betting()
    floor.close_bets()
    floor.report(Situation.POWER_FAILURE, SYSTEM)
    return floor


def reported() -> Floor:
    """Let a report wait for a Pit Supervisor."""
    floor = betting()
    floor.close_bets()
    floor.report(Situation.FOREIGN_CARD, note="a joker")
    return floor


def settled() -> Floor:
    """Settle a round that is not paid."""
    floor = Floor("power-98", limits=LIMITS)
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "player", 300_00), ("Bea", "banker", 200_00))
    floor.deal("4S 2H 5D 3C", die=3)
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    return floor


def void() -> Floor:
    """Make a round void, after one that was played."""
    floor = Floor("tiger", limits=LIMITS)
    floor.seat("Ann")
    floor.play("4S 2H 5D 3C", ("Ann", "player", 100_00))
    floor.bets(("Ann", "tiger", 50_00))
    floor.report(Situation.FOREIGN_CARD, SUPERVISOR)
    floor.confirm()
    return floor


GOLDEN: dict[str, tuple[Callable[[], Floor], Audience, str]] = {
    "betting_patron": (betting, Audience.PATRON, "Ann"),
    "squeezing_public": (squeezing, Audience.PUBLIC, ""),
    "squeezing_patron": (squeezing, Audience.PATRON, "Ann"),
    "offered_patron": (offered, Audience.PATRON, "Bea"),
    "reported_dealer": (reported, Audience.DEALER, ""),
    "reported_pit": (reported, Audience.PIT, ""),
    "settled_pit": (settled, Audience.PIT, ""),
    "void_auditor": (void, Audience.AUDITOR, ""),
}


def written(name: str) -> str:
    """Return a view as it is kept."""
    state, audience, patron = GOLDEN[name]
    works = {Audience.DEALER: StaffPosition.DEALER, Audience.PIT: StaffPosition.PIT_SUPERVISOR}
    position = works.get(audience)
    one = view(state().table, audience, patron, held_since=41, position=position)
    return msgspec.json.format(msgspec.json.encode(one), indent=1).decode() + "\n"


@pytest.mark.parametrize("name", GOLDEN)
def test_a_view_is_as_it_was_reviewed(name: str) -> None:
    assert written(name) == (FOLDER / f"{name}.json").read_text(encoding="utf-8")


if __name__ == "__main__" and "--anew" in sys.argv:
    FOLDER.mkdir(exist_ok=True)
    for one in GOLDEN:
        (FOLDER / f"{one}.json").write_text(written(one), encoding="utf-8")
