"""What irregularities and lost terminals do to a table: the part of evolve for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.commands import Decision
from croupier.table.folding import (
    coup_of,
    give_back,
    hold_of,
    line_of,
    nothing,
    plan_of,
    right_line,
    round_of,
    take_out,
    uses_up_the_one_time,
    with_round,
)
from croupier.table.reports import ExposedInError
from croupier.table.rulings import Situation
from croupier.table.state import (
    Flag,
    Hold,
    HoldKind,
    Mend,
    Mended,
    Phase,
    Queued,
    Result,
    Ruled,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from croupier.rules.coup import Position
    from croupier.rules.outcome import Side
    from croupier.table.commands import Report
    from croupier.table.events import PayLine
    from croupier.table.state import DealtCard, Round

LEFT = Situation.LEFT_WITH_CARDS


def _reported(table: Table, event: i.IrregularityReported) -> Table:
    if event.queued:
        table = _next_in_queue(table)
    if table.hold is not None:
        # The round still waits for another matter, which stays the one that is ruled.
        return table
    return with_round(
        table,
        reported=event.report,
        reported_cards=event.cards,
        reported_by=event.by,
        reported_steps=event.steps,
        reported_confirmed_at=None,
        ruled=Ruled(event.report.situation, event.clause, event.by.moment),
    )


def interrupted_at(event: i.IrregularityReported) -> datetime | None:
    """Return when the power failed, if it did: no clock ran while nobody could see it."""
    failed = event.report.situation is Situation.POWER_FAILURE
    return event.by.moment if failed else None


def _queued(table: Table, event: i.ReportQueued) -> Table:
    waits = Queued(event.report, event.cards, event.by)
    return with_round(table, queue=(*round_of(table).queue, waits))


def _next_in_queue(table: Table) -> Table:
    return with_round(table, queue=round_of(table).queue[1:])


def _dismissed(table: Table, event: i.ReportDismissed) -> Table:
    if event.queued:
        return _next_in_queue(table)
    ruled = round_of(table).ruled
    return with_round(table, ruled=ruled and replace(ruled, dismissed=True))


def _hold_placed(table: Table, event: i.HoldPlaced) -> Table:
    play = round_of(table)
    hold = Hold(
        HoldKind(event.kind),
        event.clause,
        event.situation,
        event.steps,
        event.patrons,
        event.stakes,
        {},
        event.suggestion,
        play.reported,
        play.reported_cards,
        play.reported_by,
        event.moment,
        play.reported_steps,
        play.reported_confirmed_at,
    )
    return replace(table, hold=hold)


def _hold_suspended(table: Table, event: i.HoldSuspended) -> Table:
    return replace(table, hold=None, suspended=(*table.suspended, hold_of(table)))


def _hold_resumed(table: Table, event: i.HoldResumed) -> Table:
    hold = replace(table.suspended[-1], patrons=event.patrons, stakes=event.stakes)
    table = with_round(
        table,
        reported=hold.report,
        reported_cards=hold.cards,
        reported_by=hold.by,
        reported_steps=hold.ruling,
        reported_confirmed_at=hold.confirmed_at,
    )
    return replace(table, hold=hold, suspended=table.suspended[:-1])


def _hold_lifted(table: Table, event: i.HoldLifted) -> Table:
    hold = hold_of(table)
    if hold.kind is HoldKind.WITHDRAWAL and hold.situation is Situation.POWER_FAILURE:
        table = with_round(table, answered_at=table.reached)
    if hold.kind is HoldKind.REPORT:
        table = with_round(table, reported_confirmed_at=event.moment)
    ruled = round_of(table).ruled
    if hold.situation is not None and hold.by is not None:
        dismissed = ruled is not None and ruled.dismissed
        ruled = Ruled(hold.situation, hold.clause, hold.by.moment, dismissed)
    return replace(with_round(table, ruled=ruled), hold=None)


def _answered(table: Table, patron: str, *, withdrawn: bool) -> Table:
    hold = table.hold
    assert hold is not None, "nothing was asked"
    return replace(table, hold=replace(hold, answers={**hold.answers, patron: withdrawn}))


def _withdrawn(table: Table, event: i.WagersWithdrawn) -> Table:
    for number in event.stakes:
        share = round_of(table).stakes[number].share(event.patron)
        assert share is not None, "withdrawn by whom it does not belong to"
        table = give_back(table, number, event.patron, share.cents)
        stakes = round_of(table).stakes
        if number in stakes:
            # What the others keep stays valid even below the minimum (A19).
            # Above the maximum it stays a stake that was found there.
            left = stakes[number]
            most = plan_of(table).limits[left.wager].maximum_cents
            kept = replace(left, shared=True, found=left.found and left.cents > most)
            table = with_round(table, stakes={**stakes, number: kept})
    return _answered(table, event.patron, withdrawn=True)


def _kept(table: Table, event: i.WagersKept) -> Table:
    return _answered(table, event.patron, withdrawn=False)


def _taken_up(table: Table, event: i.CardsTakenUp) -> Table:
    parse = plan_of(table).game.deck.parse
    faces = event.cards or (None,) * event.count
    cards = tuple(None if face is None else parse(face) for face in faces)
    out = table.shoe.out if table.shoe else 0
    play, read = round_of(table), iter([parse(face) for face in event.read])
    waited = tuple(next(read, None) if card is None else card for card in play.waiting)
    return replace(
        table,
        shoe=take_out(table, event.count),
        round=replace(
            play,
            waiting=(*waited, *cards),
            waiting_numbers=(*play.waiting_numbers, *range(out, out + event.count)),
        ),
    )


def _set_aside(table: Table, event: e.CardsSetAside) -> Table:
    table = with_round(table, mended=Mended(Mend.ASIDE, event.clause, event.count))
    if not event.waited:
        return replace(table, shoe=take_out(table, event.count))
    play = round_of(table)
    return with_round(
        table,
        waiting=play.waiting[event.count :],
        waiting_numbers=play.waiting_numbers[event.count :],
        unused=(*play.unused, *play.waiting[: event.count]),
        unused_numbers=(*play.unused_numbers, *play.waiting_numbers[: event.count]),
    )


def _order_set(table: Table, event: i.OrderSet) -> Table:
    play = round_of(table)
    # Cards that came out before keep their place: an order is fixed of the last ones (A52).
    first = len(play.waiting) - len(event.after)
    order = (*range(first), *(first + number for number in event.after))
    return with_round(
        table,
        waiting=tuple(play.waiting[number] for number in order),
        waiting_numbers=tuple(play.waiting_numbers[number] for number in order),
        mended=Mended(Mend.FIXED),
    )


def _reconstructed(table: Table, event: i.CardsReconstructed) -> Table:
    play = round_of(table)
    out = (*play.cards, *play.aside)
    moved = tuple(
        replace(
            out[old],
            position=place.position,
            handed_to=_now_with(play, out[old], place.position.side),
        )
        for old, place in zip(event.moved, event.after, strict=True)
    )
    lay = [card.position for card in play.cards]
    now = {
        lay[old]: place.position
        for old, place in zip(event.moved, event.after, strict=True)
        if old < len(lay)
    }
    again = event.waiting
    open_now = tuple(place for place in event.after if place.card is not None)
    play = replace(
        play,
        cards=moved,
        queue=tuple(replace(one, report=_of_moved(one.report, now)) for one in play.queue),
        aside=tuple(replace(out[old], handed_to=None) for old in event.set_aside),
        waiting=(*play.unused[:again], *play.waiting),
        waiting_numbers=(*play.unused_numbers[:again], *play.waiting_numbers),
        unused=play.unused[again:],
        unused_numbers=play.unused_numbers[again:],
        coup=coup_of(table, moved),
        outcome=None,
        mended=Mended(Mend.ORDER, event.clause, len(event.set_aside), open_now),
    )
    phase = Phase.DEALING if table.phase is Phase.RESULT else table.phase
    suspended = tuple(
        replace(hold, report=_of_moved(hold.report, now)) if hold.report else hold
        for hold in table.suspended
    )
    return replace(table, round=play, phase=phase, suspended=suspended)


def _now_with(play: Round, card: DealtCard, side: Side) -> str | None:
    """Return who has a card that was put in its place.

    One that moves to the other hand goes to whoever handles that one, unless it is gone, or
    whoever would get it is.
    """
    if card.exposed:
        return None
    left = {one.report.patron for one in play.queue if one.report.situation is LEFT}
    handler = play.handlers.get(side)
    if card.handed_to in left:
        return card.handed_to
    return None if handler in left else handler


def _of_moved(report: Report, now: Mapping[Position, Position]) -> Report:
    """Return a report that waits, with the places where its cards lie now (A52)."""
    about = report.about
    if isinstance(about, ExposedInError):
        return replace(report, about=ExposedInError(now.get(about.position, about.position)))
    if not report.laid:
        return report
    laid = tuple(now[place] for place in report.laid if place in now)
    return replace(report, about=replace(about, laid=laid))


def _corrected(table: Table, event: i.CardCorrected) -> Table:
    play = round_of(table)
    card = plan_of(table).game.deck.parse(event.after)
    cards = tuple(
        replace(dealt, card=card) if dealt.position is event.position else dealt
        for dealt in play.cards
    )
    shoe = table.shoe
    if shoe is not None:
        seen = dict(shoe.seen)
        seen[event.before] -= 1
        seen[event.after] = seen.get(event.after, 0) + 1
        shoe = replace(shoe, seen=seen)
    phase = Phase.DEALING
    now = i.Placement(event.position, event.after)
    play = replace(
        play,
        cards=cards,
        coup=coup_of(table, cards),
        outcome=None,
        mended=Mended(Mend.FACE, cards=(now,), before=event.before),
    )
    return replace(table, round=play, shoe=shoe, phase=phase)


def _device_reset(table: Table, event: i.DeviceReset) -> Table:
    # All that was said about the cards and the device ends with them.
    return with_round(
        table,
        cards=(),
        waiting=(),
        waiting_numbers=(),
        aside=(),
        unused=(),
        unused_numbers=(),
        coup=None,
        outcome=None,
        handlers={},
        named={},
        named_by={},
        refused={},
        with_dealer=(),
        shoe_refused=(),
        first_hand=None,
        mended=Mended(Mend.RESET),
    )


def _bets_reopened(table: Table, event: i.BetsReopened) -> Table:
    play = replace(round_of(table), closed=None, asked_to_lower=None)
    return replace(table, phase=Phase.OPEN, round=play)


def _hand_retrieved(table: Table, event: i.HandRetrieved) -> Table:
    play = round_of(table)
    cards = tuple(
        replace(dealt, handed_to=None) if dealt.position.side is event.side else dealt
        for dealt in play.cards
    )
    handlers = {side: name for side, name in play.handlers.items() if side is not event.side}
    with_dealer = (*play.with_dealer, event.side) if event.dealer_exposes else play.with_dealer
    return with_round(table, cards=cards, handlers=handlers, with_dealer=with_dealer)


def _sorted(table: Table, event: i.CardsSorted) -> Table:
    return with_round(table, sorted=event.counts)


def _deduced(table: Table, event: i.MissingDeduced) -> Table:
    return with_round(table, missing=event.cards)


def _substituted(table: Table, event: i.CardsSubstituted) -> Table:
    play = round_of(table)
    report = play.reported
    faces = iter([plan_of(table).game.deck.parse(face) for face in event.cards])
    cards = tuple(
        replace(dealt, card=next(faces), handed_to=None, turned_by=None)
        if report is not None and dealt.handed_to == report.patron and not dealt.exposed
        else dealt
        for dealt in play.cards
    )
    return with_round(table, cards=cards)


def _replacement_required(table: Table, event: i.ReplacementRequired) -> Table:
    assert table.shoe is not None, "no shoe"
    return replace(table, shoe=replace(table.shoe, replace_by=event.clause))


def _replacement_decided(table: Table, event: i.ReplacementDecided) -> Table:
    assert table.shoe is not None, "no shoe"
    shoe = replace(table.shoe, ended=True) if event.replace else table.shoe
    return replace(table, shoe=shoe, replacement_due=False, phase=Phase.IDLE)


def _unpaid(table: Table, lines: tuple[PayLine, ...]) -> Table:
    """Return the table with lines of a pay list reversed, and the stakes in play again."""
    held = dict(table.credits)
    in_play, bank, commission = table.in_play, table.bank, table.commission
    forgotten = {line.patron for line in lines if uses_up_the_one_time(line)}
    for line in lines:
        # Who lost all may have left; a void gives the stake back all the same.
        held[line.patron] = held.get(line.patron, 0) - line.paid_cents
        in_play += line.cents
        bank += line.won_cents + (line.commission_cents or 0)
        commission -= line.commission_cents or 0
    return replace(
        table,
        credits=held,
        in_play=in_play,
        bank=bank,
        commission=commission,
        under_minimum=table.under_minimum - forgotten,
    )


def _settlement_reversed(table: Table, event: i.SettlementReversed) -> Table:
    table = _unpaid(table, event.lines)
    corrected = (*round_of(table).corrected, *event.lines)
    return replace(with_round(table, lines=None, corrected=corrected), phase=Phase.RESULT)


def _voided(table: Table, event: i.RoundVoided) -> Table:
    play = round_of(table)
    table = _unpaid(table, event.reversed)
    held, in_play = dict(table.credits), table.in_play
    for refund in event.refunds:
        held[refund.patron] = held.get(refund.patron, 0) + refund.cents
        in_play -= refund.cents
    procedure = plan_of(table).procedure
    results = table.results
    if results and results[-1].round == play.number:
        results = results[:-1]  # it was shown as over
    results = (*results, Result(play.number, (), void=True))
    return replace(
        table,
        phase=Phase.VOID,
        round=replace(
            play,
            stakes={},
            lines=None,
            corrected=(*play.corrected, *event.reversed),
            queue=(),
        ),
        # A wager that was returned needs no decision any more.
        flagged=tuple(flag for flag in table.flagged if flag.round != play.number),
        credits=held,
        in_play=in_play,
        hold=None,
        suspended=(),
        results=results,
        replacement_due=procedure.replacement is not None,
    )


def _referral_decided(table: Table, event: i.ReferralDecided) -> Table:
    """Remember how a line is paid, for as long as the cards give the same line."""
    play = round_of(table)
    if event.decision is not Decision.CORRECT or event.won_cents is None:
        return table
    line = line_of(play, event.stake, event.patron)
    assert line is not None, "a line that was not there was corrected"
    given = next((base for base, right in play.put_right if right == line), line)
    right = right_line(given, event.won_cents, plan_of(table).procedure.referral)
    others = tuple(pair for pair in play.put_right if pair[0] != given)
    return with_round(table, put_right=(*others, (given, right)))


def _terminal_decided(table: Table, event: i.TerminalDecided) -> Table:
    flagged = [one for one in table.flagged if one != Flag(event.position, event.round)]
    table = replace(table, flagged=tuple(flagged))
    play = table.round
    if play is None or play.number != event.round:
        return table  # the decision was on an earlier round
    return with_round(table, terminals_decided=(*play.terminals_decided, event.position))


def terminal_lost(table: Table, event: e.TerminalLost) -> Table:
    """Return the table without a terminal, its accepted wagers flagged where it must be."""
    table = replace(table, lost_terminals=table.lost_terminals | {event.position})
    if not event.flagged:
        return table
    flag = Flag(event.position, round_of(table).number)
    table = _unflagged(table, event.position)
    return replace(table, flagged=(*table.flagged, flag))


def _unflagged(table: Table, position: int) -> Table:
    """Return the table without the flag that a terminal has in this round."""
    flag = Flag(position, round_of(table).number)
    return replace(table, flagged=tuple(one for one in table.flagged if one != flag))


def terminal_restored(table: Table, event: e.TerminalRestored) -> Table:
    """Return the table with a terminal that is back."""
    table = replace(table, lost_terminals=table.lost_terminals - {event.position})
    # While bets are open it will still show their closing.
    return _unflagged(table, event.position) if table.phase is Phase.OPEN else table


def closing_acknowledged(table: Table, event: e.ClosingAcknowledged) -> Table:
    """Return the table after a terminal showed the closing of bets."""
    shown = round_of(table).terminals_closed
    table = with_round(table, terminals_closed=(*shown, event.position))
    return _unflagged(table, event.position)


def _withdrawal_offered(table: Table, event: i.WithdrawalOffered) -> Table:
    return with_round(table, cut_card_offered=True)


EVOLVE_INCIDENTS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.CardsSetAside: _set_aside,
    i.IrregularityReported: _reported,
    i.ReportQueued: _queued,
    i.ReportDismissed: _dismissed,
    i.StepTaken: nothing,
    i.HoldPlaced: _hold_placed,
    i.HoldSuspended: _hold_suspended,
    i.HoldResumed: _hold_resumed,
    i.HoldLifted: _hold_lifted,
    i.WagersWithdrawn: _withdrawn,
    i.WagersKept: _kept,
    i.CardsTakenUp: _taken_up,
    i.OrderSet: _order_set,
    i.CardsReconstructed: _reconstructed,
    i.CardCorrected: _corrected,
    i.DeviceReset: _device_reset,
    i.BetsReopened: _bets_reopened,
    i.HandRetrieved: _hand_retrieved,
    i.CardsSorted: _sorted,
    i.MissingDeduced: _deduced,
    i.CardsSubstituted: _substituted,
    i.ReplacementRequired: _replacement_required,
    i.ReplacementDecided: _replacement_decided,
    i.ReferralDecided: _referral_decided,
    i.TerminalDecided: _terminal_decided,
    i.WithdrawalOffered: _withdrawal_offered,
    i.SettlementReversed: _settlement_reversed,
    i.RoundVoided: _voided,
    i.DisplayCorrected: nothing,
}
