"""Positions of the house at a table: nobody in one of them does what a rulebook gives."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.commands import COMMANDS
from croupier.table.decide import decide
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import (
    HOUSE_ABOVE,
    POSITIONS,
    ActingInHouse,
    HousePosition,
    HouseStaff,
    StaffPosition,
)
from croupier.table.settings import Limits, Settings
from croupier.table.state import unopened
from tests.table.floor import MANAGER, NOW, Floor
from tests.wording import is_one_sentence
from tools.table_pages import samples

ABOUT_WHO = {
    Code.NEEDS_SYSTEM, Code.NOT_YOURS, Code.NO_PROXY, Code.NEEDS_DEALER,
    Code.NEEDS_PIT_SUPERVISOR, Code.NEEDS_PIT_MANAGER, Code.NEEDS_ASSISTANT_CASINO_MANAGER,
    Code.NEEDS_GAMING_SHIFT_MANAGER,
}  # fmt: skip
GAMES = ("baccarat", "fa-fa-fabulous-4", "fortune-six-tournament", "power-98", "tiger")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("position", HousePosition)
def test_nobody_of_the_house_gives_a_command_to_a_table(
    game: str, position: HousePosition
) -> None:
    floor, hal = Floor(game), HouseStaff("Hal", position)
    floor.seat("Ann")
    for table in (floor.table, unopened(RULEBOOKS)):
        for kind in COMMANDS:
            if (table.plan is None) is not (kind is c.OpenTable):
                continue
            for command in samples(kind):
                if kind is c.OpenTable:
                    settings = floor.table.plan.settings  # type: ignore[union-attr]
                    command = c.OpenTable(settings)  # noqa: PLW2901
                answer = decide(table, c.Envelope(command, hal, NOW))
                assert isinstance(answer, Refusal), command
                assert answer.code in ABOUT_WHO, answer
                assert answer.sentence.startswith(f"{position.value} Hal asks; ")
                assert is_one_sentence(answer.sentence)


@pytest.mark.parametrize("position", HousePosition)
def test_nobody_of_the_house_approves_at_a_table(position: HousePosition) -> None:
    floor = Floor("baccarat")
    limits = c.SetLimits({"*": Limits(50_00, 500_00)}, "so")
    second = HouseStaff("Hal", position)
    answer = decide(floor.table, c.Envelope(limits, MANAGER, NOW, second))
    assert isinstance(answer, Refusal)
    assert answer.code is Code.APPROVER_TOO_LOW
    assert f"Hal approves as {position.value}" in answer.sentence


def test_every_position_has_one_name() -> None:
    assert len(POSITIONS) == len(StaffPosition) + len(HousePosition)
    assert Settings(rulebook="BAC8", game="baccarat").configures in StaffPosition


def test_who_stands_for_a_position_of_the_house() -> None:
    for held in HousePosition:
        for needed in HousePosition:
            stands = held is needed or held in HOUSE_ABOVE.get(needed, ())
            assert HouseStaff("Hal", held).stands_for(needed, NOW) is stands
    hour = timedelta(hours=1)
    acts = ActingInHouse(HousePosition.CAGE_SUPERVISOR, NOW, NOW + hour)
    hal = HouseStaff("Hal", HousePosition.TECHNICIAN, acts)
    for moment, stands in ((NOW - hour, False), (NOW, True), (NOW + hour, False)):
        assert hal.stands_for(HousePosition.CASHIER, moment) is stands
        assert hal.stands_for(HousePosition.TECHNICIAN, moment)
