"""Who may do what: the one place where an actor's right to a command is tested.

The position comes from the rulebook or, where it names none, from the table's settings.
A higher or acting position counts only where the rulebook says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from croupier.table import commands as c
from croupier.table.events import By
from croupier.table.order import anybody_takes_shoe, drawer
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import HouseStaff, Patron, Staff, StaffPosition, System, authority
from croupier.table.rulings import Step
from croupier.table.settings import DealtBy, Method
from croupier.table.state import HoldKind
from croupier.table.unentitled import a_position, by_the_house, refused, refused_patron

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.table.roles import Actor, Authority
    from croupier.table.settings import Plan
    from croupier.table.state import Table

DEALER = StaffPosition.DEALER
PIT_SUPERVISOR = StaffPosition.PIT_SUPERVISOR
PIT_MANAGER = StaffPosition.PIT_MANAGER
ASSISTANT_CASINO_MANAGER = StaffPosition.ASSISTANT_CASINO_MANAGER
GAMING_SHIFT_MANAGER = StaffPosition.GAMING_SHIFT_MANAGER

PLACEMENTS = (c.PlaceWager, c.RaiseWager, c.LowerWager, c.RemoveWager)


class Needs(msgspec.Struct, frozen=True, gc=False):
    """Who may do something: a position, a patron, the system; and who approves it."""

    position: StaffPosition | None = None
    clause: str | None = None
    patron: str | None = None
    system: bool = False
    approval: str | None = None
    """The name of the approval that the table's settings have."""
    second: StaffPosition | None = None
    """Of which position a second person must be, whatever the settings say."""
    anyone: bool = False
    house: bool = False
    """No rulebook names who does this: the house's own ladder, and no clause (A51)."""
    house_deals: bool = False
    """The house deals and does this itself: staff may not, unless they sign in first (A54)."""


def needs(table: Table, command: c.Command) -> Needs:
    """Return who may do this at this table now."""
    assert table.plan is not None, "the table is not open"
    return WHO[type(command)](table, table.plan, command)


def second_of(plan: Plan, need: Needs) -> StaffPosition | None:
    """Return of which position a second person must be; None: none is asked for."""
    if need.approval is None:
        return need.second
    wanted: StaffPosition | None = getattr(plan.settings.approvals, need.approval)
    return wanted


DEALT = frozenset(
    {
        c.CallBets,
        c.CloseBets,
        c.AskToLower,
        c.ShakeDie,
        c.PassShaker,
        c.ConfirmShake,
        c.OpenShaker,
        c.AnnounceDie,
        c.DrawCard,
        c.PassHand,
        c.ChooseFirstHand,
        c.ExposeCard,
        c.AnnounceOutcome,
        c.Settle,
        c.ConfirmPayment,
    }
)
"""What the house gives as a Dealer would, where it deals; all else is left to people."""


RULED = frozenset({HoldKind.RESERVE, HoldKind.SORT})
"""Holds in which people turn up cards: it is part of what a ruling asks of them."""


def house_deals(table: Table) -> bool:
    """Tell whether the house deals by itself: what a Dealer would do, staff may not."""
    if table.dealt_by != DealtBy.HOUSE.value:
        return False
    return table.hold is None or table.hold.kind not in RULED


def system_may(table: Table, command: c.Command, need: Needs) -> bool:
    """Tell whether the system may do something: its own part, or the Dealer's."""
    if need.system:
        return True
    dealt = need.position is DEALER and type(command) in DEALT
    return dealt and table.dealt_by == DealtBy.HOUSE.value


def authorise(table: Table, envelope: c.Envelope) -> By | Refusal:
    """Return by which right somebody acts, or refuse."""
    command, actor = envelope.command, envelope.actor
    assert table.plan is not None, "the table is not open"
    if (
        type(actor) is Patron
        and isinstance(command, PLACEMENTS)
        and (command.patron == actor.name)
    ):
        # One's own wagers, the most frequent command of all, need nobody's leave.
        return By(actor.name, None, envelope.moment)
    need = WHO[type(command)](table, table.plan, command)
    by = entitled(table, envelope, need)
    if isinstance(by, Refusal) or need.anyone or not isinstance(actor, Staff):
        return by
    return _seconded(table.plan, envelope, actor, need, by)


def permits(
    table: Table, command: c.Command, actor: Actor, moment: datetime, need: Needs
) -> bool:
    """Tell whether somebody has the right to a command, whoever must approve it."""
    if isinstance(actor, Patron):
        return actor.name == need.patron
    if isinstance(actor, System):
        return system_may(table, command, need)
    if isinstance(actor, HouseStaff):
        return False
    assert table.plan is not None, "the table is not open"
    return not need.house_deals and right_of(table.plan, actor, moment, need) is not None


def entitled(table: Table, envelope: c.Envelope, need: Needs) -> By | Refusal:
    """Return by which right somebody acts, whoever approves it, or refuse."""
    actor, moment = envelope.actor, envelope.moment
    assert table.plan is not None, "the table is not open"
    if isinstance(actor, HouseStaff):
        return refused(actor, need)
    if need.anyone:
        return By(actor.name, None, moment)
    if isinstance(actor, Staff):
        by = _staff(table.plan, envelope, actor, need)
        if need.house_deals and not isinstance(by, Refusal):
            return by_the_house(table, actor)
        return by
    if permits(table, envelope.command, actor, moment, need):
        return By(actor.name, None, moment)
    return refused_patron(actor, need) if isinstance(actor, Patron) else refused(actor, need)


def right_of(plan: Plan, staff: Staff, moment: datetime, need: Needs) -> Authority | None:
    """Return by which position a member of staff may do something, or None."""
    if need.position is None:
        return None
    higher = need.house or plan.procedure.higher_may_act is not None
    top = plan.settings.readings.higher_manager
    return authority(staff, need.position, moment, higher_may_act=higher, top=top)


def _staff(plan: Plan, envelope: c.Envelope, staff: Staff, need: Needs) -> By | Refusal:
    if need.position is None:
        if isinstance(envelope.command, PLACEMENTS) and plan.procedure.proxy is None:
            why = f"{staff.position.value} {staff.name} asks; {plan.rulebook.edition.title}"
            why += " lets no staff place wagers for patrons"
            return refuse(Code.NO_PROXY, why)
        return refused(staff, need)
    right = right_of(plan, staff, envelope.moment, need)
    if right is None:
        return refused(staff, need)
    acting_for = right.acting_for
    if right.position is not staff.position and acting_for is None:
        acting_for = right.position
    return By(staff.name, staff.position, envelope.moment, acting_for)


def _seconded(
    plan: Plan, envelope: c.Envelope, staff: Staff, need: Needs, by: By
) -> By | Refusal:
    """Return the right of somebody with that of the second person, where one is needed."""
    top = plan.settings.readings.higher_manager
    wanted = second_of(plan, need)
    if wanted is None:
        return by
    second = envelope.approver
    if second is None:
        why = (
            f"This needs the approval of a second person (house control),"
            f" {a_position(wanted)}, and {staff.name} came alone"
        )
        return refuse(Code.NEEDS_APPROVAL, why)
    if second.name == staff.name:
        why = f"{staff.name} asks and approves; a second person must approve (house control)"
        return refuse(Code.SELF_APPROVAL, why)
    # The second person is the house's own rule, so a higher position always may.
    approved = authority(second, wanted, envelope.moment, higher_may_act=True, top=top)
    if approved is None:
        why = (
            f"{second.name} approves as {second.position.value};"
            f" this table asks for {a_position(wanted)} (house control)"
        )
        return refuse(Code.APPROVER_TOO_LOW, why)
    return msgspec.structs.replace(by, approved_by=second.name, approved_as=approved.position)


def _configures(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(plan.settings.configures, system=True, house=True)


def _limits(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(plan.settings.configures, plan.procedure.limits, approval="limits", house=True)


def _differential(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.differential
    clause = rule.clause if rule else None
    return Needs(PIT_MANAGER, clause, approval="limits", house=True)


def _method(table: Table, plan: Plan, command: c.Command) -> Needs:
    methods = plan.procedure.methods
    if methods is None:
        return Needs(plan.settings.configures, house=True)
    return Needs(*methods.choice(cast("c.SetMethod", command).method))


def _area_cap(table: Table, plan: Plan, command: c.Command) -> Needs:
    cap = plan.procedure.area_cap
    if cap is None:
        return Needs(plan.settings.configures, house=True)
    return Needs(cap.lowered_by, cap.lowered)


def _clocks(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(plan.settings.configures, house=True)


def _sign_in(table: Table, plan: Plan, command: c.Command) -> Needs:
    # Whoever takes over must be allowed to go on: the same as who may call for bets.
    return Needs(DEALER)


def _sign_out(table: Table, plan: Plan, command: c.Command) -> Needs:
    # The system gives a table back whose Dealer has gone.
    return Needs(DEALER, system=True, house=True)


def _passing_over(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(system=True)


def _round_call(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.round
    clause = rule.closes if isinstance(command, c.CloseBets) else rule.opens
    if plan.calls_by_system:
        return Needs(clause=clause, system=True)
    return Needs(DEALER, clause)


def _dealing(table: Table, plan: Plan, command: c.Command) -> Needs:
    if plan.calls_by_system:
        return Needs(system=True)
    return Needs(DEALER)


def _cards(table: Table, plan: Plan, command: c.Command) -> Needs:
    """Where no rulebook says who deals, the house does."""
    return Needs(system=True) if plan.calls_by_system else Needs(DEALER, house=True)


def _draw(table: Table, plan: Plan, command: c.Command) -> Needs:
    # Whoever draws a card of paper, the device says that it left: the system may, too.
    device = plan.settings.device
    read = device.physical and device.reads_cards
    methods = plan.procedure.methods
    if methods is None:
        if plan.calls_by_system:
            return Needs(system=True)
        return Needs(DEALER, system=read, house=True)
    if plan.settings.method is Method.C:
        if table.shoe_holder is None or drawer(table) is None:
            if table.round is not None and not anybody_takes_shoe(table):
                return Needs(DEALER, methods.by_patron.draws, system=read)
            return Needs(anyone=True)
        return Needs(clause=methods.by_patron.draws, patron=table.shoe_holder, system=read)
    return Needs(DEALER, methods.by_dealer.control, system=read)


def _turned(table: Table, command: c.ExposeCard) -> bool:
    """Tell whether a patron turned a card up, so that its face is only to be keyed in."""
    cards = table.round.cards if table.round else ()
    return any(one.position is command.position and one.turned_by is not None for one in cards)


def _expose(table: Table, plan: Plan, command: c.Command) -> Needs:
    exposing = cast("c.ExposeCard", command)
    play = table.round
    holder = play.handlers.get(exposing.position.side) if play else None
    if holder is not None and not _turned(table, exposing):
        return Needs(patron=holder, clause=_handling(plan))
    if plan.procedure.methods is None:
        return _cards(table, plan, command)
    return _dealing(table, plan, command)


def _handling(plan: Plan) -> str | None:
    methods = plan.procedure.methods
    return methods.by_dealer.handler if methods else None


def _dealer(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(DEALER)


def _own(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(patron=command.patron)  # type: ignore[attr-defined]


def _own_or_staff(table: Table, plan: Plan, command: c.Command) -> Needs:
    if getattr(command, "cash", False):
        # Cash changes hands at the table: nobody is paid by their own word.
        return Needs(DEALER, house=True)
    patron: str = command.patron  # type: ignore[attr-defined]
    return Needs(DEALER, patron=patron, system=True, house=True)


def _cashier(table: Table, plan: Plan, command: c.Command) -> Needs:
    if getattr(command, "transfer", None) is not None:
        # A transfer is the cage's: nobody else may use its name.
        return Needs(system=True)
    return Needs(DEALER, system=True, house=True)


def _lost_shoe(table: Table, plan: Plan, command: c.Command) -> Needs:
    # No rulebook knows of keys; nobody alone may end a shoe that is never opened.
    return Needs(PIT_MANAGER, house=True, second=PIT_SUPERVISOR)


def _cut_card(table: Table, plan: Plan, command: c.Command) -> Needs:
    if plan.procedure.cut_card is None:
        return _cards(table, plan, command)
    return _dealing(table, plan, command)


def _system(table: Table, plan: Plan, command: c.Command) -> Needs:
    terminals = plan.procedure.terminals
    return Needs(clause=terminals.clause if terminals else None, system=True)


def _wager(table: Table, plan: Plan, command: c.Command) -> Needs:
    patron: str = command.patron  # type: ignore[attr-defined]
    proxy = plan.procedure.proxy
    if proxy is None:
        return Needs(patron=patron)
    return Needs(proxy.lowest, proxy.clause, patron=patron)


def _found(table: Table, plan: Plan, command: c.Command) -> Needs:
    if table.round is not None and any(card.known for card in table.round.cards):
        return Needs(plan.settings.confirms, approval="correction", house=True)
    return Needs(DEALER, house=True)


def _take_off(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.differential
    return Needs(rule.removed_by, rule.removed) if rule else Needs(PIT_MANAGER)


def _lower(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.differential
    return Needs(DEALER, rule.lower if rule else None)


def _shake(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.shake
    return Needs(DEALER, rule.clause if rule else None)


def _shaker(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.shake
    patron = table.round.shaker if table.round else None
    # Patron and Dealer open it; who hears that the die tumbled is not named.
    heard = isinstance(command, c.ConfirmShake)
    return Needs(DEALER, rule.patron if rule else None, patron=patron, house=heard)


def _allow_shoe(table: Table, plan: Plan, command: c.Command) -> Needs:
    methods = plan.procedure.methods
    return Needs(ASSISTANT_CASINO_MANAGER, methods.by_patron.without_wager if methods else None)


def _shoe_control(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.methods.by_patron if plan.procedure.methods else None
    if isinstance(command, c.AttestDraws):
        return Needs(DEALER, rule.in_view if rule else None)
    return Needs(PIT_SUPERVISOR, rule.loses if rule else None)


def _die(table: Table, plan: Plan, command: c.Command) -> Needs:
    clause = plan.procedure.shake.patron if plan.procedure.shake else None
    if isinstance(command, c.CallShakeInvalid):
        announced = table.round is not None and table.round.die is not None
        if announced and table.dealt_by == DealtBy.HOUSE.value:
            # Nobody saw or heard what the house threw: it is put right as a result is.
            return Needs(plan.settings.confirms, approval="correction", house=True)
        return Needs(DEALER, clause, house=True)  # who does is not named
    if table.dealt_by == DealtBy.HOUSE.value:
        # There is no shaker that anybody could look into: nobody keys in what the house threw.
        return Needs(clause=clause, system=True)
    return Needs(DEALER, clause, system=plan.settings.device.physical)


def _name_handler(table: Table, plan: Plan, command: c.Command) -> Needs:
    methods = plan.procedure.methods
    if methods is None:
        return Needs(PIT_SUPERVISOR)
    return Needs(methods.by_dealer.discretion_by, methods.by_dealer.discretion)


def _squeeze(table: Table, plan: Plan, command: c.Command) -> Needs:
    methods = plan.procedure.methods
    return Needs(methods.squeeze_by, methods.squeeze) if methods else Needs(PIT_MANAGER)


def _first_hand(table: Table, plan: Plan, command: c.Command) -> Needs:
    methods = plan.procedure.methods
    return Needs(DEALER, methods.by_dealer.first_hand if methods else None)


def _cut_card_offer(table: Table, plan: Plan, command: c.Command) -> Needs:
    rule = plan.procedure.cut_card
    return Needs(DEALER, rule.first if rule else None)


def _confirm(table: Table, plan: Plan, command: c.Command) -> Needs:
    hold = table.hold
    if hold is None or hold.kind is not HoldKind.REPORT:
        return Needs(plan.settings.confirms, house=True)
    steps = [step for step, _ in hold.steps]
    if Step.RESERVE_CARDS in steps:
        return Needs(GAMING_SHIFT_MANAGER, hold.clause)
    voids = Step.VOID in steps and isinstance(command, c.ConfirmReport)
    approval = "void" if voids else None
    return Needs(plan.settings.confirms, hold.clause, approval=approval, house=True)


def _end_option(table: Table, plan: Plan, command: c.Command) -> Needs:
    hold = table.hold
    if hold is not None and set(hold.patrons) <= set(hold.answers):
        return Needs(DEALER, hold.clause, system=True, house=True)
    return Needs(plan.settings.confirms, hold.clause if hold else None, house=True)


def _of_hold(
    position: StaffPosition, approval: str | None = None
) -> Callable[[Table, Plan, c.Command], Needs]:
    def who(table: Table, plan: Plan, command: c.Command) -> Needs:
        return Needs(position, table.hold.clause if table.hold else None, approval=approval)

    return who


def _reset(table: Table, plan: Plan, command: c.Command) -> Needs:
    clause = table.hold.clause if table.hold else None
    return Needs(plan.settings.confirms, clause, approval="reset", house=True)


def _referral(table: Table, plan: Plan, command: c.Command) -> Needs:
    decision, clause = cast("c.DecideReferral", command).decision, plan.procedure.referral
    approval = None
    if decision is c.Decision.VOID:
        approval = "void"
    elif decision is c.Decision.CORRECT or (
        decision is c.Decision.EXCLUDE and bool(table.known)
    ):
        # Whoever decides this could know the outcome.
        approval = "correction"
    return Needs(GAMING_SHIFT_MANAGER, clause, approval=approval, house=clause is None)


def _flagged(table: Table, plan: Plan, command: c.Command) -> Needs:
    returned = not cast("c.DecideTerminal", command).stands
    approval = "correction" if returned and table.cards_out else None
    return Needs(GAMING_SHIFT_MANAGER, plan.procedure.referral, approval=approval)


def _replacement(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(plan.settings.replaces, plan.procedure.replacement, house=True)


def _correction(table: Table, plan: Plan, command: c.Command) -> Needs:
    return Needs(plan.settings.confirms, approval="correction", house=True)


WHO: dict[type[c.Command], Callable[[Table, Plan, c.Command], Needs]] = {
    c.OpenTable: _configures,
    c.CloseTable: _configures,
    c.AnnounceClosure: _clocks,
    c.SetMethod: _method,
    c.SetAreaCap: _area_cap,
    c.SetLimits: _limits,
    c.SetDifferential: _differential,
    c.OfferWagers: _configures,
    c.SetClocks: _clocks,
    c.SetDealtBy: _clocks,
    c.SignIn: _sign_in,
    c.SignOut: _sign_out,
    c.LoadShoe: _cashier,
    c.EndShoe: _cashier,
    c.DeclareShoeLost: _lost_shoe,
    c.RemoveCards: _cashier,
    c.TakeSeat: _own_or_staff,
    c.LeaveSeat: _own_or_staff,
    c.BringCredit: _cashier,
    c.TakeCredit: _own_or_staff,
    c.PassOver: _passing_over,
    c.LoseTerminal: _system,
    c.RestoreTerminal: _system,
    c.AcknowledgeClosing: _system,
    c.CallBets: _round_call,
    c.CloseBets: _round_call,
    c.PlaceWager: _wager,
    c.RaiseWager: _wager,
    c.LowerWager: _wager,
    c.RemoveWager: _wager,
    c.FindStake: _found,
    c.AskToLower: _lower,
    c.TakeOffWager: _take_off,
    c.ShakeDie: _shake,
    c.PassShaker: _shake,
    c.RefuseShaker: _own,
    c.ConfirmShake: _shaker,
    c.OpenShaker: _shaker,
    c.AnnounceDie: _die,
    c.CallShakeInvalid: _die,
    c.TakeShoe: _own,
    c.RefuseShoe: _own,
    c.RelinquishShoe: _own,
    c.AllowShoe: _allow_shoe,
    c.EndControl: _shoe_control,
    c.AttestDraws: _shoe_control,
    c.DrawCard: _draw,
    c.ShowCutCard: _cut_card,
    c.OfferWithdrawal: _cut_card_offer,
    c.NameHandler: _name_handler,
    c.PermitSqueeze: _squeeze,
    c.PassHand: _dealer,
    c.RefuseHand: _own,
    c.ChooseFirstHand: _first_hand,
    c.ExposeCard: _expose,
    c.AnnounceOutcome: _dealing,
    c.Settle: _dealing,
    c.ConfirmPayment: _dealer,
    c.Report: _cashier,
    c.ConfirmReport: _confirm,
    c.DismissReport: _confirm,
    c.Withdraw: _own,
    c.KeepWagers: _own,
    c.EndOption: _end_option,
    c.SetOrder: _of_hold(PIT_MANAGER, "order"),
    c.ResetDevice: _reset,
    c.ReserveCards: _of_hold(GAMING_SHIFT_MANAGER),
    c.RecordSorting: _of_hold(DEALER),
    c.Substitute: _of_hold(DEALER),
    c.DecideReferral: _referral,
    c.DecideTerminal: _flagged,
    c.DecideReplacement: _replacement,
    c.CorrectCard: _correction,
    c.CorrectDisplay: _cashier,
}


def _unless_house_deals(
    who: Callable[[Table, Plan, c.Command], Needs],
) -> Callable[[Table, Plan, c.Command], Needs]:
    """Leave to the house what a Dealer does elsewhere, where the house deals by itself."""

    def of(table: Table, plan: Plan, command: c.Command) -> Needs:
        need = who(table, plan, command)
        if need.position is None or not house_deals(table):
            return need
        return msgspec.structs.replace(need, house_deals=True)

    return of


WHO |= {kind: _unless_house_deals(WHO[kind]) for kind in DEALT}
