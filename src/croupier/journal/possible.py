"""What can have happened at a table: its decisions are taken once more.

Most records tell which command they came from. Then the table as it was before decides that
command again, and what it decides must be what was recorded, with everything that follows at
once. Who may ask for what is not tested: a record does not say by which position its actor
asked. Events that rulings lead to are tested by what must hold of them in any case.
"""

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from croupier.journal.shoes import Interrupted
from croupier.rules.coup import INITIAL_DEAL, points_of
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import HANDLERS
from croupier.table.draft import Drafted
from croupier.table.evolve import EVOLVE
from croupier.table.phases import ALWAYS, BETWEEN, DURING, PHASES
from croupier.table.refusals import Refusal
from croupier.table.roles import StaffPosition, System
from croupier.table.rulings import Situation
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import reconstruction

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

    from croupier.table.state import Table

NOW = datetime(2000, 1, 1, tzinfo=UTC)
"""For decisions that no moment changes."""
ANYBODY = System("verification")
NOBODY = e.By("", None, NOW)

Asked = tuple[c.Envelope, e.By]
"""A command as an event tells of it, and who asked."""


class TableCheck:
    """Goes through the events of one table, each before it is folded."""

    def __init__(self) -> None:
        self._due: deque[e.Event] = deque()
        """What was decided together with the event before."""
        self._after: deque[Table] = deque()
        """The table after the event, and after each that is due, as the decision folded it."""

    def check(self, table: Table, event: msgspec.Struct) -> str | None:
        """Say why an event cannot have happened; the table is before it."""
        kind = type(event)
        if self._due and kind in EVOLVE:
            due = self._due.popleft()
            return None if event == due else f"{_named(due)} was to follow here."
        asked = ASKED.get(kind)
        if asked is not None:
            if table.plan is None:
                return CLOSED
            return self._again(table, event, asked(table, event))
        rule = RULES.get(kind)
        if rule is not None:
            return rule(table, event)
        return CLOSED if table.plan is None and kind in EVOLVE else None

    def fold(self, table: Table, event: e.Event) -> Table:
        """Return the table after an event that was checked."""
        if self._after:
            return self._after.popleft()
        return EVOLVE[type(event)](table, event)

    def missing(self) -> str | None:
        """Say what should still have followed the last record."""
        return _named(self._due[0]) + " was to follow." if self._due else None

    def _again(self, table: Table, event: Any, asked: Asked | None) -> str | None:  # noqa: ANN401
        """Decide a command again, and say how the decision differs from the event."""
        if asked is None:
            return "Nothing led to it."
        envelope, by = asked
        command = envelope.command
        kind = type(command)
        if not _timely(table, kind):
            hold = f", on hold for {table.hold.kind.value}" if table.hold else ""
            return f"It cannot have happened: the table was {table.phase.value}{hold}."
        decided = HANDLERS[kind](table, envelope, command, by)
        if isinstance(decided, Refusal):
            return f"It cannot have happened: {decided.sentence}"
        # A discretion is recorded in front of what it decides; its words are somebody's own.
        first = 1 if type(decided[0]) is e.DecisionRecorded else 0
        if decided[first] != event:
            return OTHERWISE.get(type(event), "The table decides otherwise here.")
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


CLOSED = "It cannot have happened: the table was not open."
OTHERWISE = {e.WagersSettled: "The pay list is not what the cards and stakes give."}


def _named(event: e.Event) -> str:
    return str(event.__struct_config__.tag)


def _timely(table: Table, kind: type[c.Command]) -> bool:
    hold = table.hold
    if hold is None:
        return table.phase in PHASES[kind]
    return kind in DURING[hold.kind] or (kind in ALWAYS and table.phase in PHASES[kind])


# Commands that events tell of


@cache
def _staff(name: str | None) -> e.By:
    return NOBODY if name is None else e.By(name, StaffPosition.DEALER, NOW)


def _ask(command: c.Command, by: e.By = NOBODY, cards: tuple[str, ...] = ()) -> Asked:
    return c.Envelope(command, ANYBODY, NOW, None, cards), by


def _called(command: c.Command, event: e.BetsOpened | e.BetsClosed) -> Asked:
    return c.Envelope(command, ANYBODY, event.moment), _staff(event.by)


def _placed(_: Table, event: e.WagerPlaced) -> Asked:
    command = c.PlaceWager(event.patron, event.wager, event.cents, event.position, event.shared)
    return _ask(command, _staff(event.placed_by))


def _raised(table: Table, event: e.WagerRaised) -> Asked | None:
    stake = table.round.stakes.get(event.stake) if table.round else None
    if stake is None:
        return None
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


def _drawn(_: Table, event: e.CardDrawn) -> Asked:
    cards = () if event.card is None else (event.card,)
    return _ask(DRAW, _staff(event.drawn_by), cards)


def _corrected(_: Table, event: i.CardCorrected) -> Asked:
    command = c.CorrectCard(event.position, event.reason)
    return _ask(command, event.by, (event.after,))


DRAW = c.DrawCard()
ASKED: dict[type[msgspec.Struct], Callable[[Table, Any], Asked | None]] = {
    e.ShoeLoaded: lambda _, event: _ask(c.LoadShoe(event.shoe, event.cut_behind), event.by),
    e.CardsRemoved: lambda _, event: _ask(c.RemoveCards(event.count), event.by),
    e.SeatTaken: lambda _, event: _ask(c.TakeSeat(event.patron, event.position)),
    e.CreditBrought: lambda _, event: _ask(
        c.BringCredit(event.patron, event.cents, event.transfer)
    ),
    e.BetsOpened: lambda _, event: _called(c.CallBets(), event),
    e.WagerPlaced: _placed,
    e.WagerRaised: _raised,
    e.WagerLowered: _lowered,
    e.StakeFound: _found,
    e.WagerReturned: _returned,
    e.BetsClosed: lambda _, event: _called(c.CloseBets(), event),
    e.DieAnnounced: _die,
    e.CardDrawn: _drawn,
    e.WagersSettled: lambda *_: _ask(c.Settle()),
    e.PaymentConfirmed: lambda _, event: _ask(c.ConfirmPayment(), event.by),
    e.RoundClosed: lambda *_: None,
    i.WagersWithdrawn: lambda _, event: _ask(c.Withdraw(event.patron, event.stakes)),
    i.CardCorrected: _corrected,
}
"""By event: what was asked for. None: it only ever follows another one."""


# What must hold of other events


def _table_opened(table: Table, _: e.TableOpened) -> str | None:
    return "It cannot have happened: the table was open." if table.plan else None


def _table_closed(table: Table, _: e.TableClosed) -> str | None:
    if table.plan is None:
        return CLOSED
    if table.seats or not table.between_rounds:
        return "The table was closed with patrons or a round at it."
    return None


def _shoe_ended(table: Table, event: e.ShoeEnded) -> str | None:
    shoe = table.shoe
    in_play = shoe is not None and not shoe.ended and shoe.name == event.shoe
    if not in_play or table.phase not in BETWEEN:
        return f"Shoe {event.shoe} was not in play, or a round was."
    return None


def _credit_taken(table: Table, event: e.CreditTaken) -> str | None:
    held = table.credits[event.patron]
    # Whoever leaves takes everything; of what stays, a void could still ask for a part.
    if 0 < event.cents == held or 0 < event.cents <= held - table.reserved(event.patron):
        return None
    return f"{event.cents} cents were taken; the seat of {event.patron} holds {held}."


def _seat_left(table: Table, event: e.SeatLeft) -> str | None:
    play = table.round
    staked = table.staked(event.patron) if play is not None and play.lines is None else 0
    if table.credits[event.patron] or (staked and not table.between_rounds):
        return f"Patron {event.patron} left with credit or stakes at the table."
    return None


def _exposed(table: Table, event: e.CardExposed) -> str | None:
    for dealt in table.round.cards if table.round else ():
        if dealt.position is event.position:
            same = dealt.card is None or dealt.card.text == event.card
            return None if same and not dealt.exposed else "Another card lies there."
    return f"No card lies at {event.position.value}."


def _totals(table: Table, event: e.TotalsAnnounced) -> str | None:
    coup = table.round.coup if table.round else None
    if coup is not None:
        cards = coup.cards[: len(INITIAL_DEAL)]
        if (points_of(cards[0::2]), points_of(cards[1::2])) == (event.player, event.banker):
            return None
    return "The points are not those of the cards."


def _outcome(table: Table, event: e.OutcomeAnnounced) -> str | None:
    coup = table.round.coup if table.round else None
    if coup is None or not coup.complete or table.phase is not Phase.DEALING:
        return "An outcome was announced before the coup was over, or twice."
    player, banker = coup.player.points, coup.banker.points
    winner = None if player == banker else Side.PLAYER if player > banker else Side.BANKER
    if (event.player, event.banker, event.winner) != (player, banker, winner):
        return "The outcome is not that of the cards."
    return None


def _taken_up(table: Table, event: i.CardsTakenUp) -> str | None:
    left = table.shoe.left if table.shoe else 0
    fits = event.count <= left and len(event.cards) in (0, event.count)
    if table.phase not in PHASES[c.DrawCard] or not fits:
        return f"{event.count} cards cannot have come out of the device."
    return None


def _reconstructed(table: Table, event: i.CardsReconstructed) -> str | None:
    play = table.round
    report = (play.reported if play else None) or c.Report(Situation.OTHER)
    if play is None or play.lines is not None:
        return "Cards were put in another order that are settled."
    if reconstruction(table, report, event.clause) != event:
        return "The cards were not put in the order that was reported."
    return None


def _hold_lifted(table: Table, event: i.HoldLifted) -> str | None:
    if table.hold is None or table.hold.kind is not HoldKind(event.kind):
        return "The round did not wait for that."
    return None


def _hold_placed(table: Table, event: i.HoldPlaced) -> str | None:
    if table.hold is not None or table.phase in (Phase.IDLE, Phase.VOID):
        return f"The round cannot wait for {event.kind}."
    return None


def _voided(table: Table, event: i.RoundVoided) -> str | None:
    play, plan = table.round, table.plan
    if play is None or plan is None or table.phase in (Phase.IDLE, Phase.VOID):
        return "There was no round that could be void."
    if play.confirmed and plan.procedure.voidable is None:
        return "A round that was over was made void."
    owed = tuple(
        [
            i.Refund(stake.number, share.patron, share.cents)
            for stake in table.stakes
            for share in stake.shares
        ]
    )
    paid = play.lines or ()
    if (event.refunds, event.reversed, event.phase) != (owed, paid, table.phase.value):
        return "The void does not undo exactly what was staked and paid."
    return None


def _interrupted(table: Table, event: Interrupted) -> str | None:
    hold = table.hold.kind.value if table.hold else None
    is_ = (table.phase.value, table.established, hold)
    if (event.phase, event.established, event.hold) != is_:
        return "The interruption found another table than the records give."
    return None


RULES: dict[type[msgspec.Struct], Callable[[Table, Any], str | None]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.ShoeEnded: _shoe_ended,
    e.CreditTaken: _credit_taken,
    e.SeatLeft: _seat_left,
    e.CardExposed: _exposed,
    e.TotalsAnnounced: _totals,
    e.OutcomeAnnounced: _outcome,
    i.CardsTakenUp: _taken_up,
    i.CardsReconstructed: _reconstructed,
    i.HoldPlaced: _hold_placed,
    i.HoldLifted: _hold_lifted,
    i.RoundVoided: _voided,
    Interrupted: _interrupted,
}
