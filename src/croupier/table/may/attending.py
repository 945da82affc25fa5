"""Who deals, how long patrons are waited for, and who is passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.course import due
from croupier.table.settings import DealtBy

if TYPE_CHECKING:
    from croupier.table.may.look import StaffLook


def set_clocks(look: StaffLook) -> None:
    """Set how long a table that the system deals waits."""
    need = look.need(c.SetClocks(look.plan.settings.clocks))
    if need is not None:
        look.add(c.SetClocks, need)


def set_dealt_by(look: StaffLook) -> None:
    """Say whether Dealers or the house deal the rounds to come."""
    need = look.need(c.SetDealtBy(DealtBy.DEALER))
    found = [one for one in DealtBy if look.accepts(c.SetDealtBy(one))] if need else []
    if need is not None and found:
        allowed = tuple(one.value for one in found)
        look.add(c.SetDealtBy, need, fields=look.fields(c.SetDealtBy, dealt_by=allowed))


def sign_in(look: StaffLook) -> None:
    """Take a table over from the house."""
    look.plain(c.SignIn())


def sign_out(look: StaffLook) -> None:
    """Give the table back to the house."""
    look.plain(c.SignOut())


def pass_over(look: StaffLook) -> None:
    """Go on without a patron who gave no answer in time."""
    need = look.need(c.PassOver(""))
    if need is None:
        return
    patrons = tuple(name for name in due(look.table).patrons if look.accepts(c.PassOver(name)))
    if patrons:
        look.add(c.PassOver, need, fields=look.fields(c.PassOver, patron=patrons))
