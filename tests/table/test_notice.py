"""Tables that close: from the announced moment on the system begins no further round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.table import commands as c
from croupier.table.next import Act, WaitFor
from croupier.table.roles import Patron, StaffPosition
from croupier.table.state import Phase
from croupier.table.views.staff import dealer_part
from tests.table.floor import MANAGER
from tests.table.next_house import AT_ONCE, PATRONS, STEPS_MAX, Dealt
from tests.table.test_next import dealt, every_table

if TYPE_CHECKING:
    from croupier.table.settings import Method


def until_it_rests(table: Dealt) -> WaitFor:
    """Let the table be dealt until people come next between two rounds."""
    for _ in range(STEPS_MAX):
        now = table.next()
        if isinstance(now, WaitFor) and table.table.between_rounds:
            return now
        table.step()
    message = "it goes on and on"
    raise AssertionError(message)


def phase(table: Dealt) -> Phase:
    return table.table.phase


@every_table
def test_the_system_begins_no_round_once_the_announced_closing_has_come(
    game: str, method: Method | None
) -> None:
    """Without a pause nobody else would ever find a moment between two rounds."""
    table = dealt(game, method, 5, clocks=replace(AT_ONCE, waits_for_patrons=False))
    while phase(table) is not Phase.OPEN:
        table.step()
    table.ask(c.AnnounceClosure(0, "end of the shift"), MANAGER)
    now = until_it_rests(table)
    assert table.table.rounds == 1, "it was dealt to its end, and no other was begun"
    assert now.positions == (StaffPosition.PIT_MANAGER,)
    assert "no further round" in now.why
    assert dealer_part(table.table).next.begins is None
    # Whoever takes the notice back would let it go on.
    table.ask(c.AnnounceClosure(None), MANAGER)
    assert isinstance(table.next(), Act)
    for patron in PATRONS if phase(table) is not Phase.SETTLED else ():
        table.ask(c.LeaveSeat(patron), Patron(patron))
    table.ask(c.CloseTable(), MANAGER)
    assert phase(table) is Phase.UNOPENED


def test_a_table_that_closes_later_is_dealt_until_then() -> None:
    table = dealt("tiger", None, 1)
    table.ask(c.AnnounceClosure(2), MANAGER)
    closes = table.table.closes
    assert closes is not None
    begun = 0
    while table.moment < closes or not table.table.between_rounds:
        before = table.table.rounds
        table.step()
        begun += table.table.rounds > before
        assert table.table.rounds == before or table.moment < closes
    assert begun > 1
    assert "no further round" in until_it_rests(table).why
    assert table.table.rounds == begun
