"""Who may do what, as the rulebooks and the readings have it.

Written down here and not read from the table, so that the two can be compared.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest

from croupier.table.refusals import Code
from croupier.table.roles import Acting, Patron, Staff, StaffPosition, System
from tests.table.helpers import ASSISTANT, DEALER, GAMES, MANAGER, SHIFT, SUPERVISOR, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from croupier.table.roles import Actor

ALWAYS = "always"
"""A second person is needed whatever the house has set."""
# What is done | rulebooks | lowest position | clause | who else | approval by a second person.
# Where a rulebook names no position, it is the one of readings A20, A26, A28, A30, A36 and A49.
# "house": no rulebook names who does it, so that a higher position always may (A51). The second
# person is the house's own control as well, and so it has no clause.
RIGHTS = """
close table          | all             | Pit Manager |                | system house |
set method A         | FF3 BAC8        | Pit Manager | 3.8.2          |        |
set method B         | FF3 BAC8        | Pit Manager | 3.8.2          |        |
set method C         | FF3 BAC8        | Assistant Casino Manager | 3.8.2#method-c | |
set area cap         | FF3 BAC8        | Pit Manager | 3.6.1          |        |
set limits           | FF3 BAC8        | Pit Manager | 3.5.1          | house  | limits
set limits           | EB4             | Pit Manager | 2.2            | house  | limits
set limits           | PB6 F6T2        | Pit Manager |                | house  | limits
set differential     | FF3 BAC8        | Pit Manager | 5.18           | house  | limits
offer wagers         | all             | Pit Manager |                | system house |
announce closure     | all             | Pit Manager |                | house  |
set clocks           | all             | Pit Manager |                | house  |
set dealt by         | FF3 BAC8 PB6 F6T2 | Pit Manager |              | house  |
sign in              | FF3 BAC8 PB6 F6T2 | Dealer    |                |        |
sign out             | FF3 BAC8 PB6 F6T2 | Dealer    |                | system house |
pass over            | FF3 BAC8 PB6 EB4 |            |                | system |
load shoe            | all             | Dealer      |                | system house |
end shoe             | all             | Dealer      |                | system house |
declare shoe lost    | all             | Pit Manager |                | house  | always
remove cards         | all             | Dealer      |                | system house |
take seat            | all             | Dealer      |                | patron system house |
leave seat           | all             | Dealer      |                | patron system house |
bring credit         | all             | Dealer      |                | system house |
take credit          | all             | Dealer      |                | patron system house |
lose terminal        | EB4             |             | 1.1.15         | system |
restore terminal     | EB4             |             | 1.1.15         | system |
acknowledge closing  | EB4             |             | 1.1.15         | system |
call bets            | FF3 BAC8 PB6 F6T2 | Dealer    | 3.1            |        |
call bets            | EB4             |             | 3.1            | system |
close bets           | FF3 BAC8 PB6 F6T2 | Dealer    | 3.2            |        |
close bets           | EB4             |             | 3.2            | system |
place wager          | FF3 BAC8        | Dealer      | 3.7            | patron |
place wager          | PB6 F6T2 EB4    |             |                | patron |
raise wager          | FF3 BAC8        | Dealer      | 3.7            | patron |
raise wager          | PB6 F6T2 EB4    |             |                | patron |
lower wager          | FF3 BAC8        | Dealer      | 3.7            | patron |
lower wager          | PB6 F6T2 EB4    |             |                | patron |
remove wager         | FF3 BAC8        | Dealer      | 3.7            | patron |
remove wager         | PB6 F6T2 EB4    |             |                | patron |
find stake           | FF3 BAC8        | Dealer      |                | house  |
find stake late      | FF3 BAC8        | Pit Supervisor |             | house  | correction
ask to lower         | FF3 BAC8        | Dealer      | 5.18.1         |        |
take off wager       | FF3 BAC8        | Pit Manager | 5.18.3         |        |
shake die            | PB6             | Dealer      | 3.6            |        |
pass shaker          | PB6             | Dealer      | 3.6            |        |
pass shaker on       | PB6             | Dealer      | 3.6            |        |
refuse shaker        | PB6             |             |                | patron |
confirm shake        | PB6             | Dealer      | 3.6.1          | patron house |
open shaker          | PB6             | Dealer      | 3.6.1          | patron |
announce die         | PB6             | Dealer      | 3.6.1          |        |
call shake invalid   | PB6             | Dealer      | 3.6.1          | house  |
take shoe            | FF3 BAC8        |             |                | patron |
refuse shoe          | FF3 BAC8        |             |                | patron |
relinquish shoe      | FF3 BAC8        |             |                | patron |
allow shoe           | FF3 BAC8        | Assistant Casino Manager | 3.11.2 | |
end control          | FF3 BAC8        | Pit Supervisor | 3.11.8.2    |        |
attest draws         | FF3 BAC8        | Dealer      | 3.11.4         |        |
draw card A          | FF3 BAC8        | Dealer      | 3.8.1          |        |
draw card B          | FF3 BAC8        | Dealer      | 3.8.1          |        |
draw card C          | FF3 BAC8        |             | 3.11.1         | patron |
draw card refused    | FF3 BAC8        | Dealer      | 3.11.1         |        |
draw card            | PB6 F6T2        | Dealer      |                | house  |
draw card            | EB4             |             |                | system |
show cut card        | FF3 BAC8        | Dealer      |                |        |
show cut card        | PB6 F6T2        | Dealer      |                | house  |
show cut card        | EB4             |             |                | system |
offer withdrawal     | FF3 BAC8        | Dealer      | 3.17.1         |        |
name handler         | FF3 BAC8        | Pit Supervisor | 3.9.4.1     |        |
permit squeeze       | FF3 BAC8        | Pit Manager | 3.16           |        |
pass hand            | FF3 BAC8        | Dealer      |                |        |
refuse hand          | FF3 BAC8        |             |                | patron |
choose first hand    | FF3 BAC8        | Dealer      | 3.9.6          |        |
expose card held     | FF3 BAC8        |             | 3.9.2          | patron |
expose card          | FF3 BAC8        | Dealer      |                |        |
expose card          | PB6 F6T2        | Dealer      |                | house  |
expose card          | EB4             |             |                | system |
announce outcome     | FF3 BAC8 PB6 F6T2 | Dealer    |                |        |
settle               | FF3 BAC8 PB6 F6T2 | Dealer    |                |        |
settle               | EB4             |             |                | system |
confirm payment      | FF3 BAC8 PB6 F6T2 | Dealer    |                |        |
report               | all             | Dealer      |                | system house |
confirm report       | FF3 BAC8 EB4    | Pit Supervisor | 5.2         | house  |
confirm report       | PB6 F6T2        | Pit Supervisor | 5.4         | house  |
confirm report void  | all             | Pit Supervisor | 5.1         | house  | void
confirm report gone  | FF3 BAC8        | Gaming Shift Manager | 5.11  |        |
dismiss report       | all             | Pit Supervisor | 5.1         | house  |
withdraw             | FF3 BAC8 EB4    |             |                | patron |
keep wagers          | FF3 BAC8 EB4    |             |                | patron |
end option           | FF3 BAC8 EB4    | Pit Supervisor | 6.1         | house  |
end option answered  | FF3 BAC8 EB4    | Dealer      | 6.1            | system house |
set order            | FF3 BAC8        | Pit Manager | 5.8.2.2        |        | order
reset device         | FF3 BAC8        | Pit Supervisor | 5.9         | house  | reset
reserve cards        | FF3 BAC8        | Gaming Shift Manager | 5.11.1 |       |
record sorting       | FF3 BAC8        | Dealer      | 5.11.2         |        |
substitute           | FF3 BAC8        | Dealer      | 5.11.3         |        |
decide referral      | FF3 BAC8 EB4    | Gaming Shift Manager | 6.1   |        |
decide referral      | PB6 F6T2        | Gaming Shift Manager |       | house  |
decide referral void | FF3 BAC8 EB4    | Gaming Shift Manager | 6.1   |        | void
decide referral void | PB6 F6T2        | Gaming Shift Manager |       | house  | void
decide referral offer | FF3 BAC8 EB4   | Gaming Shift Manager | 6.1   |        |
decide referral order | FF3 BAC8 EB4   | Gaming Shift Manager | 6.1   |        |
decide referral order | PB6 F6T2       | Gaming Shift Manager |       | house  |
decide referral reset | FF3 BAC8       | Gaming Shift Manager | 6.1   |        |
decide referral out  | FF3 BAC8 EB4    | Gaming Shift Manager | 6.1   |        |
decide referral out late | FF3 BAC8 EB4 | Gaming Shift Manager | 6.1  |        | correction
decide referral list | FF3 BAC8        | Gaming Shift Manager | 6.1   |        | correction
decide terminal      | EB4             | Gaming Shift Manager | 6.1   |        |
decide terminal out  | EB4             | Gaming Shift Manager | 6.1   |        |
decide terminal late | EB4             | Gaming Shift Manager | 6.1   |        |
decide terminal out late | EB4         | Gaming Shift Manager | 6.1   |        | correction
decide replacement   | FF3 BAC8        | Pit Manager | 5.13           | house  |
decide replacement   | PB6 F6T2 EB4    | Pit Manager |                | house  |
correct card         | all             | Pit Supervisor |             | house  | correction
correct display      | all             | Dealer      |                | system house |
"""
HIGHER_MAY_ACT = ("FF3", "BAC8", "EB4")
"""The rulebooks that have a clause 6.2; elsewhere only the house's own functions are shared."""
ABOVE = {
    DEALER: {SUPERVISOR, MANAGER, ASSISTANT, SHIFT},
    SUPERVISOR: {MANAGER, ASSISTANT, SHIFT},
    MANAGER: {ASSISTANT, SHIFT},
    ASSISTANT: set[StaffPosition](),
    SHIFT: set[StaffPosition](),
}
"""Who stands above whom, until the operator says more (A29)."""
NEEDS = {
    DEALER: Code.NEEDS_DEALER,
    SUPERVISOR: Code.NEEDS_PIT_SUPERVISOR,
    MANAGER: Code.NEEDS_PIT_MANAGER,
    ASSISTANT: Code.NEEDS_ASSISTANT_CASINO_MANAGER,
    SHIFT: Code.NEEDS_GAMING_SHIFT_MANAGER,
}
PLACEMENTS = ("place wager", "raise wager", "lower wager", "remove wager")


class Right(NamedTuple):
    """One rulebook's answer to who may do something."""

    what: str
    code: str
    position: StaffPosition | None
    clause: str | None
    patron: bool
    system: bool
    approval: str | None
    house: bool = False

    @property
    def higher_may(self) -> bool:
        """Tell whether a higher or acting position may do it too."""
        return self.house or self.code in HIGHER_MAY_ACT

    @property
    def cited(self) -> str | None:
        """Return the clause as a refusal shows it."""
        return self.clause.partition("#")[0] if self.clause else None

    def allows(self, actor: Actor, inside: bool, own: str) -> bool:  # noqa: FBT001
        """Tell whether somebody may do it; ``inside`` the time of an acting position."""
        if isinstance(actor, Patron):
            return self.patron and actor.name == own
        if isinstance(actor, System):
            return self.system
        if self.position is None:
            return False
        if actor.position is self.position:
            return True
        held = {actor.position}
        if actor.acting is not None and inside:
            held.add(actor.acting.position)
        return self.higher_may and (self.position in held or bool(held & ABOVE[self.position]))

    def refusal(self, actor: Actor) -> tuple[Code, str | None]:
        """Return why somebody who may not do it is refused."""
        if isinstance(actor, Staff) and self.position is None and self.what in PLACEMENTS:
            return Code.NO_PROXY, None
        if isinstance(actor, Patron) and self.patron:
            return Code.NOT_YOURS, self.cited
        if self.position is not None:
            return NEEDS[self.position], self.cited
        if self.system:
            return Code.NEEDS_SYSTEM, self.cited
        return Code.NOT_YOURS, self.cited


def rights() -> Iterator[Right]:
    for line in RIGHTS.strip().splitlines():
        what, codes, position, clause, others, approval = (
            cell.strip() for cell in line.split("|")
        )
        for code in GAMES if codes == "all" else codes.split():
            yield Right(
                what,
                code,
                StaffPosition(position) if position else None,
                f"{code} {clause}" if clause else None,
                "patron" in others.split(),
                "system" in others.split(),
                approval or None,
                "house" in others.split(),
            )


ALL = list(rights())
# Clauses that name who does or decides it, whatever else they say.
NAMING = (
    "3.1 3.2 3.6 3.6.1 3.7 3.8.1 3.8.2 3.8.2#method-c 3.9.4.1 3.9.6 3.11.1 3.11.2 3.16 3.17.1"
)
NAMING += " 5.8.2.2 5.11.1 5.13 5.18.1 5.18.3 6.1"


def each(chosen: list[Right]) -> pytest.MarkDecorator:
    """Run a test for each right, under the clause that names who has it."""
    cases = []
    for right in chosen:
        names = right.clause is not None and right.clause.split()[1] in NAMING.split()
        marks = (pytest.mark.clause(right.clause),) if names else ()
        name = f"{right.code}-{right.what.replace(' ', '_')}"
        cases.append(pytest.param(right, marks=marks, id=name))
    return pytest.mark.parametrize("right", cases)


def people(right: Right, own: str, moment: datetime) -> Iterator[tuple[Actor, bool]]:
    """Return everybody who may ask, and whether it is in the time of an acting position."""
    for position in StaffPosition:
        yield Staff("Eli", position), False
        hour = timedelta(hours=1)
        inside = Acting(position, moment - hour, moment + hour)
        yield Staff("Eli", DEALER, inside), True
        yield Staff("Eli", DEALER, Acting(position, moment - hour, moment)), False
        yield Staff("Eli", DEALER, Acting(position, moment + hour, moment + 2 * hour)), False
    yield Patron(own), False
    yield Patron("bob"), False
    yield SYSTEM, False
    assert right.code in GAMES
