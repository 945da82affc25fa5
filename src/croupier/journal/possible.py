"""What can have happened at a table: its decisions are taken once more.

Most records tell which command they came from. Then the table as it was before decides that
command again, and what it decides must be what was recorded, with everything that follows at
once. Who may ask for what is not tested: a record does not say by which position its actor
asked. What was reported is believed, but what follows must be a step of the ruling that the
rulebook has for it. Other events are tested by what must hold of them in any case.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Any

from croupier.journal.conditions import ANYBODY, DIFFERS, DRAW, NOBODY, NOW, RULES
from croupier.journal.shoes import Interrupted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import HANDLERS
from croupier.table.draft import Draft, Drafted
from croupier.table.evolve import EVOLVE
from croupier.table.missing import RESERVED_CARDS
from croupier.table.phases import ALWAYS, DURING, PHASES, UNPAID
from croupier.table.refusals import Refusal
from croupier.table.reporting import refused, taken
from croupier.table.reversal import device_back
from croupier.table.roles import StaffPosition
from croupier.table.rulings import Situation, Step
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import ACTING, NOT_RULED_ON, WAITING, resume

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

    from croupier.table.state import Table
    from croupier.table.steps import Steps

Asked = tuple[c.Envelope, e.By]
"""A command as an event tells of it, and who asked."""
Told = Asked | str | None
"""What an event tells: a command, why it cannot have happened, or nothing that is wrong."""


class TableCheck:
    """Goes through the events of one table, each before it is folded."""

    def __init__(self) -> None:
        self._due: deque[e.Event] = deque()
        """What was decided together with the event before."""
        self._after: deque[Table] = deque()
        """The table after the event, and after each that is due, as the decision folded it."""
        self._steps: Steps = ()
        """What a ruling has still to do, as long as nobody asks for anything else."""
        self._reversed: tuple[Table, i.SettlementReversed] | None = None
        """A pay list that was taken back, and the table before: what did it must follow."""
        self._suspended: Table | None = None
        """The table before something came first that was not told yet."""
        self._epoch: int | None = None

    def check(
        self, table: Table, event: msgspec.Struct, epoch: int | None = None
    ) -> str | None:
        """Say why an event cannot have happened; the table is before it."""
        kind = type(event)
        before, self._epoch = self._epoch, epoch
        if self._due and kind in EVOLVE:
            due = self._due.popleft()
            # Who closes the table, and when, is told by nothing before.
            same = event == due or (kind is e.TableClosed and type(due) is kind)
            return None if same else f"{_named(due)} was to follow here."
        wrong = self._out_of_turn(table, kind) if kind in EVOLVE else None
        if wrong is not None:
            return wrong
        asked = ASKED.get(kind)
        if asked is not None:
            self._steps = ()
            return self._again(table, event, asked(table, event))
        rule = RULES.get(kind)
        wrong = rule(table, event) if rule is not None else None
        if wrong is not None:
            return wrong
        if isinstance(event, Interrupted) and epoch is not None:
            return None if event.epoch == epoch != before else INTERRUPTED
        ruled = RULED.get(kind)
        return ruled(self, table, event) if ruled is not None else None

    def _out_of_turn(self, table: Table, kind: type[msgspec.Struct]) -> str | None:
        """Say why nothing of this kind can come here, whatever it is."""
        if table.plan is None and kind is not e.TableOpened:
            return CLOSED
        expected = self._suspended is None or kind in COMES_FIRST
        if self._reversed is not None:
            expected = kind is REVERSING[self._reversed[1].why]
        if not expected:
            return BEGUN
        begun = self._suspended is not None  # what it belongs to is decided again with it
        first = kind in ASKED and kind is not i.ReportDismissed and not begun and _waits(table)
        return WAITED if first else None

    def fold(self, table: Table, event: e.Event) -> Table:
        """Return the table after an event that was checked."""
        if self._after:
            return self._after.popleft()
        return EVOLVE[type(event)](table, event)

    def missing(self) -> str | None:
        """Say what should still have followed the last record."""
        if self._reversed is not None or self._suspended is not None:
            return BEGUN
        return _named(self._due[0]) + " was to follow." if self._due else None

    def _again(self, table: Table, event: Any, asked: Told) -> str | None:  # noqa: ANN401
        """Decide a command again, and say how the decision differs from the event."""
        if asked is None or isinstance(asked, str):
            return asked
        envelope, by = asked
        command = envelope.command
        undone, self._reversed = self._reversed, None
        waited, self._suspended = self._suspended, None
        if undone is not None:
            table = undone[0]
        if waited is not None:
            table = waited
        kind = type(command)
        if not _timely(table, kind):
            hold = f", on hold for {table.hold.kind.value}" if table.hold else ""
            return f"It cannot have happened: the table was {table.phase.value}{hold}."
        decided = HANDLERS[kind](table, envelope, command, by)
        if isinstance(decided, Refusal):
            return f"It cannot have happened: {decided.sentence}"
        # A discretion is recorded in front of what it decides; its words are somebody's own.
        first = 1 if waited is not None else 0
        first += 1 if type(decided[first]) is e.DecisionRecorded else 0
        if undone is not None:
            if decided[first] != undone[1]:
                return DIFFERS
            first += 2 if type(decided[first + 1]) is e.ShoeTaken else 1
        if decided[first] != event:
            return OTHERWISE.get(type(event), DIFFERS)
        if type(event) is not e.WagerReturned:  # who called the closing behind it, and when?
            self._follow(decided, first + 1)
        return None

    def _follow(self, decided: tuple[e.Event, ...], start: int) -> None:
        for event in decided[start:]:
            if type(event) is i.IrregularityReported:
                break  # by whom it was detected is not known here
            self._due.append(event)
        if type(decided) is Drafted:
            end = start + len(self._due)
            self._after.extend(decided.tables[start - 1 : end])

    def unsettled(self, table: Table, event: i.SettlementReversed) -> str | None:
        """Note that what took a pay list back must follow; control of the device first."""
        if event.why not in REVERSING:
            return NOTHING
        self._reversed = table, event
        self._device_back(table, event)
        return None

    def _device_back(self, table: Table, event: e.Event) -> None:
        """Note who has the dealing device again when a settlement is undone."""
        draft = Draft(table)
        lost = draft.round.shoe_lost
        draft.add(event)
        device_back(draft, lost)
        self._due.extend(draft.events[1:])

    # What rulings do

    def reported(self, table: Table, event: i.IrregularityReported) -> str | None:
        """Say whether the rulebook rules otherwise on a report, and note its steps."""
        if table.phase not in PHASES[c.Report]:
            return "There was no round of which anything could be reported."
        what, suspended = event.report.situation, self._suspended
        self._suspended = None
        if suspended and what is not Situation.POWER_FAILURE and Step.VOID not in event.steps:
            return "What it rules does not come before what the round waited for."
        terminal = what is Situation.TERMINAL_FAILURE and Step.REFER not in event.steps
        if table.hold is not None and not terminal:
            return "The round waited for something else; the report was to wait too."
        if event.queued and table.suspended:
            return WAITED
        refusal = refused(table, event.report, event.cards)
        if refusal is not None:
            return f"It cannot have happened: {refusal.sentence}"
        found, self._steps = taken(table, event.report, event.cards, event.by)
        return None if found == event else "The rulebook rules otherwise on this report."

    def hold_placed(self, table: Table, event: i.HoldPlaced) -> str | None:
        """Say why a round cannot wait: the next step is another, or asks others."""
        steps, draft = event.steps, Draft(table)
        if event.kind == HoldKind.BALANCE.value:
            resume(draft, c.Envelope(DRAW, ANYBODY, NOW), NOBODY)
        elif not steps or self._steps[-len(steps) :] != steps:
            return UNRULED
        elif event.kind == HoldKind.REPORT.value:
            draft.add(event)
        else:
            WAITING[steps[0][0]](draft, steps)
        self._steps = ()
        return None if draft.events == [event] else DIFFERS

    def hold_suspended(self, table: Table, _: i.HoldSuspended) -> None:
        """Note that what comes first must follow."""
        self._suspended = table

    def hold_lifted(self, table: Table, _: i.HoldLifted) -> str | None:
        """Say why a round still had to wait, and note what is to be done now."""
        hold = table.hold
        assert hold is not None, "tested before"
        if hold.kind in ANSWERED or set(hold.patrons) - set(hold.answers):
            return NOTHING
        done = 0 if hold.kind is HoldKind.REPORT else 1
        self._steps = hold.steps[done:]
        return None

    def step(self, _: Table, event: Any) -> str | None:  # noqa: ANN401  # one of those in STEPS
        """Say whether no ruling led to an event."""
        led = (STEPS[type(event)], event.clause) in self._steps
        return None if led else UNRULED

    def rebuilt(self, table: Table, event: i.CardsReconstructed) -> str | None:
        """Say whether no ruling led to another order, or another reversal came before it."""
        undone, self._reversed = self._reversed, None
        if undone is not None and undone[1].clause != event.clause:
            return DIFFERS
        return self.step(table, event)

    def voided(self, table: Table, event: i.RoundVoided) -> str | None:
        """Say whether no ruling made a round void, and note who has the device again."""
        wrong = self.step(table, event)
        if wrong is None:
            self._device_back(table, event)
        return wrong

    def hand_retrieved(self, table: Table, event: i.HandRetrieved) -> str | None:
        """Say why no hand came back: nobody refused it, and no ruling asks for it."""
        if any((step, event.clause) in self._steps for step in RETRIEVING):
            return None
        refused = c.RefuseHand(event.side, event.patron or "")
        return self._again(table, event, _ask(refused))

    def step_with_cards(self, table: Table, event: Any) -> str | None:  # noqa: ANN401
        """Say whether a ruling takes other cards out of the device, or none."""
        hold = table.hold
        if type(event) is e.CardsSetAside and event.waited:
            return None
        if type(event) is e.CardsSetAside and event.why == NOT_RULED_ON:
            # What was reported and not ruled on is believed, as reports are.
            left = table.shoe.left if table.shoe else 0
            return None if 0 < event.count <= left else DIFFERS
        if type(event) is i.CardsTakenUp and hold and hold.kind is HoldKind.RESERVE:
            return None if event.count == len(event.cards) == RESERVED_CARDS else DIFFERS
        wrong = self.step(table, event)
        if wrong is None:
            draft, envelope = Draft(table), c.Envelope(DRAW, ANYBODY, NOW)
            ACTING[STEPS[type(event)]](draft, event.clause, envelope, NOBODY)
            wrong = None if event in draft.events else DIFFERS
        return wrong


CLOSED = "It cannot have happened: the table was not open."
NOTHING = "Nothing led to it."
COMES_FIRST = (
    i.IrregularityReported,
    e.DecisionRecorded,
    i.SettlementReversed,
    e.ShoeTaken,
    i.CardCorrected,
    e.StakeFound,
)
"""What may come while the round waits for something else, or belongs to it."""
BEGUN = "What made the table take something back, or put it off, was to follow here."
UNQUEUED = "No report waited that could not be ruled on."
WAITED = "What had waited was to come first."
UNRULED = "No ruling led to it."
INTERRUPTED = "No writer began here whom the interruption could have come before."
OTHERWISE = {e.WagersSettled: "The pay list is not what the cards and stakes give."}


def _named(event: e.Event) -> str:
    return str(event.__struct_config__.tag)


def _timely(table: Table, kind: type[c.Command]) -> bool:
    hold = table.hold
    if hold is None or kind is c.Report:
        paid = kind in UNPAID and table.between_rounds
        return table.phase in PHASES[kind] and not paid
    return kind in DURING[hold.kind] or (kind in ALWAYS and table.phase in PHASES[kind])


def _waits(table: Table) -> bool:
    """Tell whether something that waited behind something else has its turn."""
    queue = table.round.queue if table.round else ()
    return table.hold is None and bool(table.suspended or queue)


# Commands that events tell of


@cache
def _staff(name: str | None) -> e.By:
    return NOBODY if name is None else e.By(name, StaffPosition.DEALER, NOW)


def _ask(command: c.Command, by: e.By = NOBODY, cards: tuple[str, ...] = ()) -> Asked:
    return c.Envelope(command, ANYBODY, by.moment, None, cards), by


def _called(command: c.Command, event: e.BetsOpened | e.BetsClosed) -> Asked:
    return c.Envelope(command, ANYBODY, event.moment), _staff(event.by)


def _opened_bets(table: Table, event: e.BetsOpened) -> Told:
    if table.in_play and table.between_rounds:
        return f"Bets were opened while {table.in_play} cents were still in play."
    return _called(c.CallBets(), event)


def _set(table: Table, event: e.SettingsChanged | e.SettingsScheduled) -> Told:
    """Tell which setting was changed; those that were scheduled come with the next call."""
    latest = table.scheduled or table.settings
    scheduled = (table.scheduled, table.scheduled_by) == (event.settings, event.by)
    if scheduled and table.between_rounds and type(event) is e.SettingsChanged:
        return None
    for field, command in SETTERS.items():
        value = getattr(event.settings, field)
        if value != getattr(latest, field):
            return _ask(command(value), event.by)
    return _ask(c.SetLimits(latest.limits), event.by)


def _credit_taken(table: Table, event: e.CreditTaken) -> Told:
    held = table.credits[event.patron]
    if 0 < event.cents <= held - table.reserved(event.patron):
        return None
    if event.cents == held:
        # Only the closing of the table ends what a void could still ask for.
        return _ask(c.CloseTable())
    return f"{event.cents} cents were taken; the seat of {event.patron} holds {held}."


def _seat_left(table: Table, event: e.SeatLeft) -> Told:
    play = table.round
    lines = play.lines if play is not None else None
    staked = 0 if table.between_rounds else table.staked(event.patron)
    if table.credits[event.patron] or staked:
        return f"Patron {event.patron} left with credit or stakes at the table."
    if table.phase is Phase.SETTLED and lines and table.reserved(event.patron):
        return _ask(c.CloseTable())
    return None


def _placed(_: Table, event: e.WagerPlaced) -> Asked:
    command = c.PlaceWager(event.patron, event.wager, event.cents, event.position, event.shared)
    return _ask(command, _staff(event.placed_by))


def _raised(table: Table, event: e.WagerRaised) -> Told:
    stake = table.round.stakes.get(event.stake) if table.round else None
    if stake is None:
        return NOTHING
    command: c.Command = c.RaiseWager(event.patron, event.stake, event.cents)
    if stake.share(event.patron) is None:
        command = c.PlaceWager(event.patron, stake.wager, event.cents, join=event.stake)
    return _ask(command, _staff(event.placed_by))


def _lowered(_: Table, event: e.WagerLowered) -> Asked:
    command = c.LowerWager(event.patron, event.stake, event.cents)
    return _ask(command, _staff(event.placed_by))


def _found(_: Table, event: e.StakeFound) -> Asked:
    command = c.FindStake(event.patron, event.wager, event.cents, event.position, event.reason)
    return _ask(command, event.by)


def _returned(table: Table, event: e.WagerReturned) -> Asked:
    return _ask(c.CloseBets() if table.phase is Phase.OPEN else c.TakeOffWager(event.stake))


def _die(_: Table, event: e.DieAnnounced) -> Asked:
    return c.Envelope(c.AnnounceDie(), ANYBODY, NOW, die=event.die), event.by


def _passed(_: Table, event: e.ShakerPassed) -> Asked:
    return _ask(c.PassShaker(event.patron, event.reason), event.by)


def _hand_passed(_: Table, event: e.HandPassed) -> Asked:
    return _ask(c.PassHand(event.side, event.patron), _staff(event.way[-2]))


def _drawn(_: Table, event: e.CardDrawn) -> Asked:
    cards = () if event.card is None else (event.card,)
    return _ask(DRAW, _staff(event.drawn_by), cards)


def _corrected(_: Table, event: i.CardCorrected) -> Asked:
    command = c.CorrectCard(event.position, event.reason)
    return _ask(command, event.by, (event.after,))


def _decided(_: Table, event: i.ReferralDecided) -> Asked:
    named = (event.stake, event.patron, event.won_cents, event.laid)
    return _ask(c.DecideReferral(event.decision, event.reason, *named), event.by)


def _dismissed(table: Table, event: i.ReportDismissed) -> Told:
    if not event.queued:
        return _ask(c.DismissReport(event.reason), event.by)
    queue = table.round.queue if table.round else ()
    first = queue[0] if queue and not table.suspended and table.hold is None else None
    refusal = refused(table, first.report, first.cards) if first else None
    if first is None or refusal is None:
        return UNQUEUED
    due = i.ReportDismissed(first.report.situation, first.by, refusal.sentence, queued=True)
    return None if event == due else UNQUEUED


def _terminal(_: Table, event: i.TerminalDecided) -> Asked:
    return _ask(c.DecideTerminal(event.position, event.stands, "recorded"), event.by)


SETTERS: dict[str, Callable[[Any], c.Command]] = {
    "method": c.SetMethod,
    "wagers_per_area": c.SetAreaCap,
    "limits": c.SetLimits,
    "differential_cents": c.SetDifferential,
    "optional": c.OfferWagers,
}
ASKED: dict[type[msgspec.Struct], Callable[[Table, Any], Told]] = {
    e.SettingsChanged: _set,
    e.SettingsScheduled: _set,
    e.ShoeLoaded: lambda _, event: _ask(c.LoadShoe(event.shoe, event.cut_behind), event.by),
    e.CardsRemoved: lambda _, event: _ask(c.RemoveCards(event.count), event.by),
    e.SeatTaken: lambda _, event: _ask(c.TakeSeat(event.patron, event.position)),
    e.CreditBrought: lambda _, event: _ask(
        c.BringCredit(event.patron, event.cents, event.transfer)
    ),
    e.CreditTaken: _credit_taken,
    e.SeatLeft: _seat_left,
    e.BetsOpened: _opened_bets,
    e.WagerPlaced: _placed,
    e.WagerRaised: _raised,
    e.WagerLowered: _lowered,
    e.StakeFound: _found,
    e.WagerReturned: _returned,
    e.BetsClosed: lambda _, event: _called(c.CloseBets(), event),
    e.DieShaken: lambda _, event: _ask(c.ShakeDie(), event.by),
    e.ShakerPassed: _passed,
    e.ShakerRefused: lambda _, event: _ask(c.RefuseShaker(event.patron)),
    e.ShakeConfirmed: lambda _, event: _ask(c.ConfirmShake(), _staff(event.confirmed_by)),
    e.ShakerOpened: lambda _, event: _ask(c.OpenShaker(), _staff(event.opened_by)),
    e.ShakeInvalid: lambda _, event: _ask(c.CallShakeInvalid(event.reason), event.by),
    e.DieAnnounced: _die,
    e.ShoeTaken: lambda _, event: _ask(c.TakeShoe(event.patron)),
    e.CardDrawn: _drawn,
    e.HandPassed: _hand_passed,
    e.FirstHandChosen: lambda _, event: _ask(c.ChooseFirstHand(event.side), event.by),
    e.WagersSettled: lambda *_: _ask(c.Settle()),
    e.PaymentConfirmed: lambda _, event: _ask(c.ConfirmPayment(), event.by),
    e.RoundClosed: lambda *_: NOTHING,
    i.ReportQueued: lambda _, event: _ask(event.report, event.by, event.cards),
    i.ReportDismissed: _dismissed,
    i.WithdrawalOffered: lambda _, event: _ask(c.OfferWithdrawal(), event.by),
    i.TerminalDecided: _terminal,
    i.WagersWithdrawn: lambda _, event: _ask(c.Withdraw(event.patron, event.stakes)),
    i.OrderSet: lambda _, event: _ask(c.SetOrder(event.after), event.by),
    i.DeviceReset: lambda _, event: _ask(c.ResetDevice(), event.by),
    i.CardCorrected: _corrected,
    i.CardsSorted: lambda _, event: _ask(c.RecordSorting(event.counts), event.by),
    i.MissingDeduced: lambda *_: NOTHING,
    i.CardsSubstituted: lambda _, event: _ask(c.Substitute(event.cards), event.by),
    i.ReplacementDecided: lambda _, event: _ask(c.DecideReplacement(event.replace), event.by),
    i.ReferralDecided: _decided,
}
"""By event: what was asked for. NOTHING: it only ever follows another one."""


# What rulings lead to

ANSWERED = frozenset(
    {HoldKind.ORDER, HoldKind.RESET, HoldKind.SORT, HoldKind.SUBSTITUTE, HoldKind.REFERRAL}
)
"""What a round waits for until an event that is decided again, with all that follows."""
RETRIEVING = (Step.RETRIEVE, Step.DEALER_EXPOSES, Step.EXPOSE)
REVERSING: dict[str, type[msgspec.Struct]] = {
    "a card was corrected": i.CardCorrected,
    "a stake was found": e.StakeFound,
    "cards reconstructed": i.CardsReconstructed,
}
"""By why a pay list was taken back: what follows. Decisions tell theirs themselves."""
STEPS: dict[type[msgspec.Struct], Step] = {
    e.CardsSetAside: Step.RECONSTRUCT,
    i.CardsTakenUp: Step.TAKE_UP,
    i.CardsReconstructed: Step.RECONSTRUCT,
    i.BetsReopened: Step.REOPEN,
    i.ReplacementRequired: Step.REPLACE_CARDS,
    i.RoundVoided: Step.VOID,
}
"""By event: the step of a ruling that leads to it."""
RULED: dict[type[msgspec.Struct], Callable[[TableCheck, Table, Any], str | None]] = {
    i.IrregularityReported: TableCheck.reported,
    i.HoldPlaced: TableCheck.hold_placed,
    i.HoldSuspended: TableCheck.hold_suspended,
    i.HoldLifted: TableCheck.hold_lifted,
    i.HandRetrieved: TableCheck.hand_retrieved,
    i.SettlementReversed: TableCheck.unsettled,
    **dict.fromkeys(STEPS, TableCheck.step),
    i.CardsReconstructed: TableCheck.rebuilt,
    i.RoundVoided: TableCheck.voided,
    e.CardsSetAside: TableCheck.step_with_cards,
    i.CardsTakenUp: TableCheck.step_with_cards,
}
