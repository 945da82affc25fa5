"""What must hold of events that tell of no command, whatever led to them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from croupier.journal.shoes import Interrupted
from croupier.rules.coup import INITIAL_DEAL, points_of
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.draft import Draft
from croupier.table.opening import settings_refusal
from croupier.table.phases import PHASES
from croupier.table.refusals import Refusal
from croupier.table.roles import System
from croupier.table.rulings import Situation
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import reconstruction, resume
from croupier.table.terminals import lose_terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

    from croupier.table.state import Table

NOW = datetime(2000, 1, 1, tzinfo=UTC)
"""For decisions that no moment changes."""
ANYBODY = System("verification")
NOBODY = e.By("", None, NOW)
DRAW = c.DrawCard()
DIFFERS = "The table decides otherwise here."


def _table_opened(table: Table, event: e.TableOpened) -> str | None:
    if table.plan:
        return "It cannot have happened: the table was open."
    settings = event.settings
    book = next((book for book in table.rulebooks if book.code == settings.rulebook), None)
    if book is None:
        return f"There is no rulebook {settings.rulebook}."
    if (event.version, event.effective) != (book.edition.version, book.edition.effective):
        return f"{book.edition} is not the edition by which the table was opened."
    refusal = settings_refusal(book, settings)
    return f"It cannot have happened: {refusal.sentence}" if refusal else None


def _table_closed(table: Table, _: e.TableClosed) -> str | None:
    if table.seats or not table.between_rounds:
        return "The table was closed with patrons or a round at it."
    return None


def _shoe_ended(table: Table, event: e.ShoeEnded) -> str | None:
    shoe = table.shoe
    in_play = shoe is not None and not shoe.ended and shoe.name == event.shoe
    if not in_play or not table.between_rounds:
        return f"Shoe {event.shoe} was not in play, or a round was."
    return None


def _exposed(table: Table, event: e.CardExposed) -> str | None:
    for dealt in table.round.cards if table.round else ():
        if dealt.position is event.position:
            same = dealt.card is None or dealt.card.text == event.card
            return None if same and not dealt.exposed else "Another card lies there."
    return f"No card lies at {event.position.value}."


def _set_aside(table: Table, event: e.CardsSetAside) -> str | None:
    play = table.round
    over = play is not None and play.coup is not None and play.coup.complete
    if event.waited and not (play and over and event.count == len(play.waiting)):
        return "Cards that waited were set aside before the coup was over."
    return None


def _cut_card(table: Table, event: e.CutCardSeen) -> str | None:
    shoe, play = table.shoe, table.round
    due = shoe is not None and not shoe.cut_card_seen and play is not None
    first = play is not None and not play.cards
    if not due or table.phase not in PHASES[c.ShowCutCard] or event.first is not first:
        return "The cut card cannot have come here."
    return None


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
    if reconstruction(table, report.laid, event.clause) != event:
        return "The cards were not put in the order that was reported."
    return None


def _waited(table: Table, event: i.HoldLifted | i.HoldSuspended) -> str | None:
    if table.hold is None or table.hold.kind is not HoldKind(event.kind):
        return "The round did not wait for that."
    return None


def _hold_placed(table: Table, event: i.HoldPlaced) -> str | None:
    if table.hold is not None or table.phase in (Phase.IDLE, Phase.VOID):
        return f"The round cannot wait for {event.kind}."
    return None


def _hold_resumed(table: Table, event: i.HoldResumed) -> str | None:
    if table.hold is not None or not table.suspended:
        return "Nothing waited behind something else."
    draft = Draft(table)
    resume(draft, c.Envelope(DRAW, ANYBODY, NOW), NOBODY)
    return None if draft.events[0] == event else DIFFERS


def _unsettled(table: Table, event: i.SettlementReversed) -> str | None:
    play = table.round
    if play is None or play.confirmed or play.lines is None or play.lines != event.lines:
        return "The pay list that was taken back is not the one of an unpaid round."
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


def _kept(table: Table, event: i.WagersKept) -> str | None:
    hold = table.hold
    asked = hold.patrons if hold and hold.kind is HoldKind.WITHDRAWAL else ()
    if hold is None or event.patron not in asked or event.patron in hold.answers:
        return f"Patron {event.patron} was not asked."
    return None


def _reopened(table: Table, _: i.BetsReopened) -> str | None:
    if table.round is None or table.round.cards or table.phase not in PHASES[c.DrawCard]:
        return "Bets were open again after cards were dealt, or were not closed."
    return None


def _interrupted(table: Table, event: Interrupted) -> str | None:
    play, hold = table.round, table.hold.kind.value if table.hold else None
    if play is None or table.between_rounds:
        return "There was no round that could be interrupted."
    places = tuple([dealt.position.value for dealt in play.cards if dealt.known])
    is_ = (table.phase.value, places, table.established, hold)
    if (event.phase, event.cards, event.established, event.hold) != is_:
        return "The interruption found another table than the records give."
    return None


def _terminal_lost(table: Table, event: e.TerminalLost) -> str | None:
    command = c.LoseTerminal(event.position)
    decided = lose_terminal(table, c.Envelope(command, ANYBODY, NOW), command, NOBODY)
    if isinstance(decided, Refusal):
        return f"It cannot have happened: {decided.sentence}"
    return None if decided == (event,) else DIFFERS


RULES: dict[type[msgspec.Struct], Callable[[Table, Any], str | None]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.ShoeEnded: _shoe_ended,
    e.TerminalLost: _terminal_lost,
    e.CardExposed: _exposed,
    e.CardsSetAside: _set_aside,
    e.CutCardSeen: _cut_card,
    e.TotalsAnnounced: _totals,
    e.OutcomeAnnounced: _outcome,
    i.CardsTakenUp: _taken_up,
    i.CardsReconstructed: _reconstructed,
    i.HoldPlaced: _hold_placed,
    i.HoldLifted: _waited,
    i.HoldSuspended: _waited,
    i.HoldResumed: _hold_resumed,
    i.SettlementReversed: _unsettled,
    i.WagersKept: _kept,
    i.BetsReopened: _reopened,
    i.RoundVoided: _voided,
    Interrupted: _interrupted,
}
