"""What a person may do now, and what each thing needs.

The same answer serves the API, the buttons of every screen and the tests. It asks the rules
that decide: who may (:mod:`croupier.table.authority`), when (:mod:`croupier.table.phases`),
and what each mechanic refuses or leaves room for; it has no rules of its own.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.authority import Needs, right_of
from croupier.table.may import attending, betting, dealing, incidents, people
from croupier.table.may.common import Common
from croupier.table.may.look import Answer, Rights, StaffLook
from croupier.table.may.patrons import OF_PATRONS, of_patrons, open_to
from croupier.table.may.shapes import Allowed, Field, FieldKind, Open, Value, Way
from croupier.table.roles import Patron, Staff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from croupier.table.roles import Actor, StaffPosition
    from croupier.table.settings import Plan
    from croupier.table.state import Table

__all__ = [
    "OF_PATRONS",
    "Allowed",
    "Amounts",
    "Answers",
    "Common",
    "Field",
    "FieldKind",
    "Open",
    "Value",
    "Way",
    "answers",
    "may",
    "of_patrons",
    "open_in",
]

NO_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""Only of whoever acts in a position for a time, and of a table that is not open, does it
matter when they ask."""
ASKS: dict[type[c.Command], Callable[[StaffLook], None]] = {
    c.CloseTable: people.close_table,
    c.AnnounceClosure: people.announce_closure,
    c.SetMethod: people.set_method,
    c.SetClocks: attending.set_clocks,
    c.SetDealtBy: attending.set_dealt_by,
    c.SignIn: attending.sign_in,
    c.SignOut: attending.sign_out,
    c.PassOver: attending.pass_over,
    c.SetAreaCap: people.set_area_cap,
    c.SetLimits: people.set_limits,
    c.SetDifferential: people.set_differential,
    c.OfferWagers: people.offer_wagers,
    c.LoadShoe: people.load_shoe,
    c.EndShoe: people.end_shoe,
    c.DeclareShoeLost: people.declare_shoe_lost,
    c.RemoveCards: people.remove_cards,
    c.TakeSeat: people.take_seat,
    c.LeaveSeat: people.leave_seat,
    c.BringCredit: people.bring_credit,
    c.TakeCredit: people.take_credit,
    c.LoseTerminal: people.lose_terminal,
    c.RestoreTerminal: people.restore_terminal,
    c.AcknowledgeClosing: people.acknowledge_closing,
    c.CallBets: betting.call_bets,
    c.CloseBets: betting.close_bets,
    c.PlaceWager: betting.place_wager,
    c.RaiseWager: betting.raise_wager,
    c.LowerWager: betting.lower_wager,
    c.RemoveWager: betting.remove_wager,
    c.FindStake: betting.find_stake,
    c.AskToLower: betting.ask_to_lower,
    c.TakeOffWager: betting.take_off_wager,
    c.ShakeDie: dealing.shake_die,
    c.PassShaker: dealing.pass_shaker,
    c.ConfirmShake: dealing.confirm_shake,
    c.OpenShaker: dealing.open_shaker,
    c.AnnounceDie: dealing.announce_die,
    c.CallShakeInvalid: dealing.call_shake_invalid,
    c.AllowShoe: dealing.allow_shoe,
    c.EndControl: dealing.end_control,
    c.AttestDraws: dealing.attest_draws,
    c.DrawCard: dealing.draw_card,
    c.ShowCutCard: dealing.show_cut_card,
    c.OfferWithdrawal: dealing.offer_withdrawal,
    c.NameHandler: dealing.name_handler,
    c.PermitSqueeze: dealing.permit_squeeze,
    c.PassHand: dealing.pass_hand,
    c.ChooseFirstHand: dealing.choose_first_hand,
    c.ExposeCard: dealing.expose_card,
    c.AnnounceOutcome: dealing.announce_outcome,
    c.Settle: dealing.settle,
    c.ConfirmPayment: dealing.confirm_payment,
    c.Report: incidents.report,
    c.ConfirmReport: incidents.confirm_report,
    c.DismissReport: incidents.dismiss_report,
    c.EndOption: incidents.end_option,
    c.SetOrder: incidents.set_order,
    c.ResetDevice: incidents.reset_device,
    c.ReserveCards: incidents.reserve_cards,
    c.RecordSorting: incidents.record_sorting,
    c.Substitute: incidents.substitute,
    c.DecideReferral: incidents.decide_referral,
    c.DecideTerminal: incidents.decide_terminal,
    c.DecideReplacement: incidents.decide_replacement,
    c.CorrectCard: dealing.correct_card,
    c.CorrectDisplay: incidents.correct_display,
}
"""What each command of staff and the system asks before it is said to be open; opening a
table is told apart."""
assert {c.OpenTable, *ASKS, *OF_PATRONS} == set(c.COMMANDS), "a command that nobody is told of"


STAKES = frozenset({"round.stakes"})


def _follows() -> Iterator[tuple[type[c.Command], frozenset[str]]]:
    def pieces(
        names: str, *kinds: type[c.Command]
    ) -> Iterator[tuple[type[c.Command], frozenset[str]]]:
        for kind in kinds:
            yield kind, frozenset(("plan", *names.split()))

    settings = (c.SetClocks, c.SetAreaCap, c.SetLimits, c.SetDifferential, c.OfferWagers)
    yield from pieces("", c.AnnounceClosure, c.PassOver, *settings)
    yield from pieces("scheduled", c.SetMethod, c.SetDealtBy)
    yield from pieces("scheduled dealer", c.SignIn, c.SignOut)
    yield from pieces("shoe", c.DeclareShoeLost, c.RemoveCards)
    yield from pieces("seats", c.TakeSeat, c.BringCredit)
    yield from pieces("seats phase round.stakes round.lines round.confirmed", c.LeaveSeat)
    yield from pieces("credits phase round.lines", c.TakeCredit)
    yield from pieces("lost_terminals", c.LoseTerminal, c.RestoreTerminal, c.AcknowledgeClosing)
    yield from pieces("results round.outcome", c.CorrectDisplay)
    cards = "round.cards round.waiting round.aside round.coup round.handlers"
    yield from pieces(
        f"phase shoe lost_terminals round.stakes round.closed round.confirmed {cards}", c.Report
    )


FOLLOWS: dict[type[c.Command], frozenset[str]] = dict(_follows())
"""From which pieces of the state it follows how a command is open to staff, where that is few:
as long as they are the same, so is the answer. All others are asked for anew at every step."""
Answers = dict[type[c.Command], tuple[Answer, ...]]
"""How each command is open to staff, and to whom of them."""


@lru_cache(maxsize=1024)
def _kept(changed: frozenset[str], *, closed: bool) -> frozenset[type[c.Command]]:
    """Return to which commands the answers stay, whatever these pieces are now.

    What a report says of stakes, it says of those that lay there at the closing.
    """
    kept = {kind for kind, pieces in FOLLOWS.items() if pieces.isdisjoint(changed)}
    if not closed and FOLLOWS[c.Report].isdisjoint(changed - STAKES):
        kept.add(c.Report)
    return frozenset(kept)


@lru_cache(maxsize=256)
def _asked(timely: frozenset[type[c.Command]]) -> tuple[type[c.Command], ...]:
    """Return what is asked at a point of a round, in the order of the commands."""
    return tuple(kind for kind in ASKS if kind in timely)


def answers(
    common: Common,
    positions: Iterable[StaffPosition],
    known: Answers | None = None,
    changed: frozenset[str] = frozenset(),
) -> Answers:
    """Return what those who work in these positions may do at an open table now.

    ``known`` is the answer at the table before, of which these pieces ``changed``, for the
    same positions; what did not change is the same object. Somebody who acts in a position
    for a time is asked about by ``may``: only that looks at the clock.
    """
    people, rights = _nameless(common.plan, tuple(positions))
    look = StaffLook(common, people, NO_MOMENT, rights)
    found, known, play = Answers(), known or {}, common.table.round
    kept = _kept(changed, closed=play is not None and play.closed is not None)
    for kind in _asked(common.timely):
        before = known.get(kind)
        if before is not None and kind in kept:
            found[kind] = before
            continue
        look.found = []
        ASKS[kind](look)
        now = tuple(look.found)
        found[kind] = before if before is not None and now == before else now
    return found


def open_in(plan: Plan, position: StaffPosition, found: Answers) -> tuple[Open, ...]:
    """Return what is open to whoever works in one position."""
    return tuple(
        [
            one
            for asked in found.values()
            for need, one in asked
            if _right(plan, position, need.position, house=need.house)
        ]
    )


@lru_cache(maxsize=256)
def _nameless(
    plan: Plan,  # by which rights are what they are
    positions: tuple[StaffPosition, ...],
) -> tuple[tuple[Staff, ...], Rights]:
    """Return somebody of each position, and what is known of their rights at a plan."""
    return tuple(Staff("", position) for position in positions), {}


@lru_cache(maxsize=4096)
def _right(
    plan: Plan, position: StaffPosition, needed: StaffPosition | None, *, house: bool
) -> bool:
    """Tell whether one position may do what needs another one."""
    need = Needs(needed, house=house)
    return right_of(plan, Staff("", position), NO_MOMENT, need) is not None


def may(
    table: Table, person: Actor, moment: datetime, common: Common | None = None
) -> tuple[Open, ...]:
    """Return what a person may do at this table now, in the order of the commands.

    A command stands in it more than once where another clause, another second person or
    other fields belong to other values. ``common`` is what whoever asks for many people has
    found of this table already.
    """
    plan = table.plan
    if plan is None:
        return people.open_table(table, person, moment)
    common = common or Common(table, plan)
    if isinstance(person, Patron):
        return open_to(common, person.name, moment)
    look = StaffLook(common, (person,), moment)
    for kind in _asked(common.timely):
        ASKS[kind](look)
    return tuple([one for _, one in look.found])
