"""Who may do what at the cage: every command by everybody, and every second person."""

from __future__ import annotations

import pytest

from croupier.cage import commands as c
from croupier.cage.authority import WHO
from croupier.cage.decide import decide
from croupier.cage.refusals import CageCode, CageRefusal
from croupier.cage.state import Cage
from croupier.table.roles import HousePosition, HouseStaff, Staff
from tests.cage.people import EVERYBODY, NOW
from tests.wording import is_one_sentence

CASHIERS = {"Cashier", "Cage Supervisor", "acting Cashier"}
MAY: dict[c.CageCommand, set[str]] = {
    c.SendToTable("ann", "1", 1): {"own patron"},
    c.CashOut("ann", 1): {"own patron"},
    c.TakeInTicket("ann", "7", "x"): {"own patron"},
    c.BuyIn("ann", 1): CASHIERS,
    c.PayTicket("7", "x"): CASHIERS,
    c.PayOut("ann", 1): CASHIERS,
    c.SetOpener("1", 1): CASHIERS,
    c.FillTable("1", 1): CASHIERS,
    c.CreditTable("1", 1): CASHIERS,
    c.CountCloser("1", 1): CASHIERS,
    c.CountDrop("1", 1): CASHIERS,
    c.NoteArrival(1): {"cage system"},
    c.SendBack(1): {"cage system"},
    c.ReceiveFromTable("x", "ann", "1", 1): {"cage system"},
}
"""Written by hand: by whom each command is heard."""
SECONDS = {
    "Cage Supervisor",
    "Pit Supervisor",
    "Pit Manager",
    "Assistant Casino Manager",
    "Gaming Shift Manager",
}
"""Who may be the second person of a Cashier where chips and cash of a table go."""
OF_WALLETS = {"Cage Supervisor"}
NEEDS_SECOND = (
    c.PayOut,
    c.SetOpener,
    c.FillTable,
    c.CreditTable,
    c.CountCloser,
    c.CountDrop,
)
WHO_CODES = {
    CageCode.NEEDS_SYSTEM,
    CageCode.NOT_YOURS,
    CageCode.NEEDS_CASHIER,
    CageCode.NEEDS_APPROVAL,
    CageCode.SELF_APPROVAL,
    CageCode.APPROVER_TOO_LOW,
}
SECOND = HouseStaff("second", HousePosition.CAGE_SUPERVISOR)


def test_every_command_is_asked_of_everybody() -> None:
    assert {type(command) for command in MAY} == set(c.COMMANDS) == set(WHO)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("command", MAY, ids=lambda one: type(one).__name__)
def test_rights_of_every_command_and_position(command: c.CageCommand, who: str) -> None:
    answer = decide(Cage(), c.Envelope(command, EVERYBODY[who], NOW, SECOND))
    refused = isinstance(answer, CageRefusal) and answer.code in WHO_CODES
    assert refused is (who not in MAY[command]), answer
    if refused:
        assert isinstance(answer, CageRefusal)
        assert is_one_sentence(answer.sentence)
        code = CageCode.NEEDS_CASHIER
        if "own patron" in MAY[command]:
            code = CageCode.NOT_YOURS
        elif "cage system" in MAY[command]:
            code = CageCode.NEEDS_SYSTEM
        assert answer.code is code


@pytest.mark.parametrize("who", [None, *EVERYBODY])
@pytest.mark.parametrize("command", MAY, ids=lambda one: type(one).__name__)
def test_a_second_person_is_of_a_position_asked_for(
    command: c.CageCommand, who: str | None
) -> None:
    second = None if who is None else EVERYBODY[who]
    if second is not None and not isinstance(second, Staff | HouseStaff):
        return  # nobody else is a second person, by shape
    allowed = next(iter(sorted(MAY[command])))
    actor = EVERYBODY["Cashier" if "Cashier" in MAY[command] else allowed]
    answer = decide(Cage(), c.Envelope(command, actor, NOW, second))
    code = answer.code if isinstance(answer, CageRefusal) else None
    if not isinstance(command, NEEDS_SECOND):
        assert code not in WHO_CODES, "a second person changed something"
    elif second is None:
        assert code is CageCode.NEEDS_APPROVAL
    elif second.name == actor.name:
        assert code is CageCode.SELF_APPROVAL
    else:
        wanted = OF_WALLETS if isinstance(command, c.PayOut) else SECONDS
        assert (code is CageCode.APPROVER_TOO_LOW) is (who not in wanted)
        assert code not in WHO_CODES - {CageCode.APPROVER_TOO_LOW}


def test_nobody_approves_themselves_in_another_position() -> None:
    cara = HouseStaff("Cara", HousePosition.CASHIER)
    for second in (HouseStaff("Cara", HousePosition.CAGE_SUPERVISOR), cara):
        answer = decide(Cage(), c.Envelope(c.SetOpener("1", 1), cara, NOW, second))
        assert isinstance(answer, CageRefusal)
        assert answer.code is CageCode.SELF_APPROVAL
