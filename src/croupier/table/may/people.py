"""What may be done about the table itself: its settings, shoes, people, credit, terminals."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.finding import exact, payable_step
from croupier.table.may.shapes import Field, FieldKind, Open
from croupier.table.notice import MINUTES_MAX
from croupier.table.opening import OPENS, close_refusal, latest, load_refusal
from croupier.table.roles import HigherManager, Patron, System, authority
from croupier.table.settable import CENTS_MAX, method_refusal
from croupier.table.settings import Method

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from croupier.table.authority import Needs
    from croupier.table.may.look import StaffLook
    from croupier.table.may.shapes import Way
    from croupier.table.roles import Actor
    from croupier.table.rulebook import Rulebook
    from croupier.table.settings import Plan
    from croupier.table.state import Table


# Opening


def open_table(table: Table, person: Actor, moment: datetime) -> tuple[Open, ...]:
    """Return by which settings somebody may open the table."""
    if isinstance(person, Patron) or moment.tzinfo is None:
        return ()
    ways = [
        {"settings.rulebook": (book.code,), **way}
        for book in table.rulebooks
        if book.edition.in_force(moment)
        for way in _methods(book, person, moment)
    ]
    fields = (Field("settings", FieldKind.SETTINGS, required=True),)
    return (Open("open_table", fields, ways=(tuple(ways),)),) if ways else ()


def _methods(book: Rulebook, person: Actor, moment: datetime) -> Iterator[Way]:
    """Return which dealing methods somebody may open a table with."""
    methods = book.procedure.methods
    if isinstance(person, System):
        if methods is None:
            yield {"settings.method": (None,)}
        return
    assert not isinstance(person, Patron)
    by: dict[tuple[str, ...], list[str | None]] = {}
    for method in Method if methods else (None,):
        needed = methods.choice(method)[0] if methods and method else OPENS
        tops = tuple(
            top.value
            for top in HigherManager
            if authority(person, needed, moment, higher_may_act=True, top=top) is not None
        )
        if tops:
            by.setdefault(tops, []).append(method.value if method else None)
    for tops, chosen in by.items():
        way: Way = {"settings.method": tuple(chosen)}
        if len(tops) < len(HigherManager):
            way["settings.readings.higher_manager"] = tops
        yield way


def close_table(look: StaffLook) -> None:
    """Close the table for the day."""
    need = look.need(c.CloseTable())
    if need is not None and close_refusal(look.table) is None:
        look.add(c.CloseTable, need)


def announce_closure(look: StaffLook) -> None:
    """Give notice that the table closes."""
    need = look.need(c.AnnounceClosure(None))
    if need is not None:
        ways: list[Way] = [{"minutes": (None,)}, {"minutes": Amounts(0, MINUTES_MAX)}]
        look.add(c.AnnounceClosure, need, ways)


# Settings


def set_method(look: StaffLook) -> None:
    """Choose the dealing method of the rounds to come."""
    rulebook = look.plan.rulebook
    by: dict[Needs, list[str]] = {}
    if rulebook.procedure.methods is None:
        return
    settings = latest(look.table)
    for method in Method:
        need = look.need(c.SetMethod(method))
        if need is None:
            continue
        if method_refusal(rulebook, replace(settings, method=method)) is None:
            by.setdefault(need, []).append(method.value)
    for need, methods in by.items():
        fields = look.fields(c.SetMethod, method=tuple(methods))
        look.add(c.SetMethod, need, fields=fields)


def set_area_cap(look: StaffLook) -> None:
    """Allow fewer wagers in each playing area."""
    cap, need = look.plan.procedure.area_cap, look.need(c.SetAreaCap(1))
    if cap is not None and need is not None:
        fields = look.fields(c.SetAreaCap, wagers=Amounts(1, cap.most))
        look.add(c.SetAreaCap, need, fields=fields)


@lru_cache(maxsize=256)
def _steps(plan: Plan) -> Way:
    """Return of what minimum, maximum and step of every wager are multiples."""
    return {
        f"limits.{wager.slug}": Amounts(step, CENTS_MAX, step)
        for wager in plan.game.wagers
        for step in (payable_step(wager) if exact(plan) else 1,)
    }


def set_limits(look: StaffLook) -> None:
    """Change minimum, maximum and step of wagers."""
    need = look.need(c.SetLimits({}))
    if need is not None:
        look.add(c.SetLimits, need, (_steps(look.plan),))


def set_differential(look: StaffLook) -> None:
    """Set how far stakes on Player and Banker may be apart."""
    need = look.need(c.SetDifferential(None))
    if need is not None and look.plan.procedure.differential is not None:
        ways: list[Way] = [{"cents": (None,)}, {"cents": Amounts(0, CENTS_MAX)}]
        look.add(c.SetDifferential, need, ways)


def offer_wagers(look: StaffLook) -> None:
    """Say which optional wagers are offered."""
    need = look.need(c.OfferWagers(()))
    if need is not None:
        optional = tuple(wager.slug for wager in look.plan.game.wagers if wager.optional)
        look.add(c.OfferWagers, need, fields=look.fields(c.OfferWagers, optional=optional))


# The shoe


def load_shoe(look: StaffLook) -> None:
    """Load a new shoe."""
    need, plan = look.need(c.LoadShoe("")), look.plan
    if need is None or load_refusal(look.table) is not None:
        return
    cards = plan.settings.decks * len(plan.game.deck)
    used = {"shoe": tuple(sorted(look.table.shoes))}
    fields = look.fields(c.LoadShoe, other_than=used, cut_behind=Amounts(0, cards))
    look.add(c.LoadShoe, need, fields=fields)


def end_shoe(look: StaffLook) -> None:
    """Take the shoe out of play between rounds."""
    look.plain(c.EndShoe())


def declare_shoe_lost(look: StaffLook) -> None:
    """Declare the shoe in play lost."""
    shoe, need = look.table.shoe, look.need(c.DeclareShoeLost("", ""))
    if need is not None and shoe is not None and not shoe.ended:
        fields = look.fields(c.DeclareShoeLost, shoe=(shoe.name,))
        look.add(c.DeclareShoeLost, need, fields=fields)


def remove_cards(look: StaffLook) -> None:
    """Take cards from the device unseen."""
    shoe, need = look.table.shoe, look.need(c.RemoveCards())
    if need is not None and shoe is not None and not shoe.ended and shoe.left:
        fields = look.fields(c.RemoveCards, count=Amounts(1, shoe.left))
        look.add(c.RemoveCards, need, fields=fields)


# Seats and credit


def take_seat(look: StaffLook) -> None:
    """Come to the table."""
    need, free = look.need(c.TakeSeat("", 0)), look.common.free_seats
    if need is None or not free:
        return
    seated = {"patron": tuple(look.table.seats)}
    fields = look.fields(c.TakeSeat, other_than=seated, position=free)
    fields = tuple(
        replace(one, kind=FieldKind.TEXT) if one.name == "patron" else one for one in fields
    )
    look.add(c.TakeSeat, need, fields=fields)


def leave_seat(look: StaffLook) -> None:
    """Leave the table with all credit."""
    need, stay = look.need(c.LeaveSeat("")), look.common.bound
    if need is None:
        return
    may = tuple([name for name in look.table.seats if name not in stay])
    if may:
        look.add(c.LeaveSeat, need, fields=look.fields(c.LeaveSeat, patron=may))


def bring_credit(look: StaffLook) -> None:
    """Bring credit to a seat."""
    need = look.need(c.BringCredit("", 0))
    if need is not None and look.table.seats:
        patrons, amounts = tuple(look.table.seats), Amounts(1, CENTS_MAX)
        fields = look.fields(c.BringCredit, patron=patrons, cents=amounts)
        look.add(c.BringCredit, need, fields=fields)


def take_credit(look: StaffLook) -> None:
    """Take credit from a seat: what no pay list can still take back."""
    need = look.need(c.TakeCredit("", 0))
    if need is not None:
        free = [way for way in look.common.purses.values() if way is not None]
        look.add(c.TakeCredit, need, free, fields=look.fields(c.TakeCredit))


# Terminals


def _at_terminals(look: StaffLook, kind: type[c.Command], need: Needs, *, lost: bool) -> None:
    gone = look.table.lost_terminals
    positions = tuple(at for at in range(1, look.plan.positions + 1) if (at in gone) is lost)
    if positions and look.plan.procedure.terminals is not None:
        look.add(kind, need, fields=look.fields(kind, position=positions))


def lose_terminal(look: StaffLook) -> None:
    """Record that a terminal failed."""
    need = look.need(c.LoseTerminal(0))
    if need is not None:
        _at_terminals(look, c.LoseTerminal, need, lost=False)


def restore_terminal(look: StaffLook) -> None:
    """Record that a terminal is back."""
    need = look.need(c.RestoreTerminal(0))
    if need is not None:
        _at_terminals(look, c.RestoreTerminal, need, lost=True)


def acknowledge_closing(look: StaffLook) -> None:
    """Record that a terminal showed the closing of bets."""
    need = look.need(c.AcknowledgeClosing(0))
    if need is not None:
        _at_terminals(look, c.AcknowledgeClosing, need, lost=False)
