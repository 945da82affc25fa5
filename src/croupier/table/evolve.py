"""evolve: a table and an event give the table after it. It never refuses."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve_incidents import (
    EVOLVE_INCIDENTS,
    closing_acknowledged,
    interrupted_at,
    terminal_lost,
    terminal_restored,
)
from croupier.table.folding import (
    coup_of,
    credit,
    give_back,
    nothing,
    plan_of,
    round_of,
    take_out,
    uses_up_the_one_time,
    with_round,
)
from croupier.table.settings import DealtBy, Plan
from croupier.table.state import (
    DealtCard,
    Phase,
    Result,
    Round,
    Share,
    Shoe,
    Stake,
    Table,
    with_move,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from croupier.rules.outcome import Side
    from croupier.table.settings import Settings


def evolve(table: Table, event: e.Event) -> Table:
    """Return the table after an event."""
    return EVOLVE[type(event)](table, event)


def fold(table: Table, events: Iterable[e.Event]) -> Table:
    """Return the table after many events."""
    for event in events:
        table = EVOLVE[type(event)](table, event)
    return table


def plan_for(table: Table, settings: Settings) -> Plan:
    """Look up what settings mean, at this table's rulebooks."""
    rulebook = next(book for book in table.rulebooks if book.code == settings.rulebook)
    game = next(game for game in rulebook.games if game.slug == settings.game)
    if settings.readings.power_ties_are_natural and rulebook.otherwise_read:
        game = rulebook.otherwise_read.get("A6", game)
    return Plan(rulebook, game, settings)


# Opening and setting


def _opened(table: Table, event: e.TableOpened) -> Table:
    return replace(table, phase=Phase.IDLE, plan=plan_for(table, event.settings))


def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return Table(
        table.rulebooks,
        bank=table.bank,
        commission=table.commission,
        brought=table.brought,
        rounds=table.rounds,
        loaded=table.loaded,
        seats=table.seats,
        credits=table.credits,
        flagged=table.flagged,
    )


def _closure_announced(table: Table, event: e.ClosureAnnounced) -> Table:
    return replace(table, closes=event.closes)


def _settings_changed(table: Table, event: e.SettingsChanged) -> Table:
    return replace(
        table, plan=plan_for(table, event.settings), scheduled=None, scheduled_by=None
    )


def _settings_scheduled(table: Table, event: e.SettingsScheduled) -> Table:
    return replace(table, scheduled=event.settings, scheduled_by=event.by)


def _signed_in(table: Table, event: e.DealerSignedIn) -> Table:
    return replace(table, dealer=event.dealer)


def _signed_out(table: Table, event: e.DealerSignedOut) -> Table:
    play, table = table.round, replace(table, dealer=None)
    if play is None or table.between_rounds or table.settings.dealt_by is not DealtBy.HOUSE:
        return table
    if play.dealt_by != DealtBy.DEALER.value:
        return table
    # The house goes on with the Dealer's round, and everybody has the whole time again.
    return replace(
        table, round=replace(play, dealt_by=DealtBy.HOUSE.value), since=event.by.moment
    )


def _shoe_loaded(table: Table, event: e.ShoeLoaded) -> Table:
    shoe = Shoe(event.shoe, event.cards, event.cut_behind)
    phase = Phase.IDLE if table.phase is Phase.VOID else table.phase
    return replace(
        table,
        shoe=shoe,
        shoes=table.shoes | {event.shoe},
        loaded=table.loaded + 1,
        results=(),
        replacement_due=False,
        phase=phase,
    )


def _shoe_ended(table: Table, event: e.ShoeEnded | e.ShoeLost) -> Table:
    assert table.shoe is not None, "no shoe"
    return replace(table, shoe=replace(table.shoe, ended=True))


def _cards_removed(table: Table, event: e.CardsRemoved) -> Table:
    return replace(table, shoe=take_out(table, event.count))


# People and credit


def _seat_taken(table: Table, event: e.SeatTaken) -> Table:
    credit = {event.patron: 0, **table.credits}
    return replace(table, seats={**table.seats, event.patron: event.position}, credits=credit)


def _seat_left(table: Table, event: e.SeatLeft) -> Table:
    seats = {name: seat for name, seat in table.seats.items() if name != event.patron}
    credit = {name: held for name, held in table.credits.items() if name != event.patron}
    permitted = tuple(name for name in table.shoe_permitted if name != event.patron)
    return replace(table, seats=seats, credits=credit, shoe_permitted=permitted)


def _credit_brought(table: Table, event: e.CreditBrought) -> Table:
    return replace(
        table,
        credits=credit(table, event.patron, event.cents),
        brought=table.brought + event.cents,
    )


def _credit_taken(table: Table, event: e.CreditTaken) -> Table:
    held = credit(table, event.patron, -event.cents)
    if event.patron not in table.seats and not held[event.patron]:
        # Whoever left, and took what a void had returned, has nothing more to do here.
        held = {name: cents for name, cents in held.items() if name != event.patron}
    return replace(table, credits=held, brought=table.brought - event.cents)


# Betting


def _bets_opened(table: Table, event: e.BetsOpened) -> Table:
    return replace(
        table,
        phase=Phase.OPEN,
        round=Round(event.round, event.moment, event.dealt_by, event.shoe),
        rounds=event.round,
        replacement_due=False,
    )


def _put_down(table: Table, stake: Stake, patron: str, cents: int) -> Table:
    plan, play = table.plan, table.round
    assert plan is not None and play is not None
    credits_ = dict(table.credits)
    credits_[patron] -= cents
    course = play.course
    if plan.ranks_patrons:
        course = with_move(course, patron, stake.wager, cents)
    return replace(
        table,
        round=replace(
            play,
            stakes={**play.stakes, stake.number: stake},
            placed=play.placed + 1,
            course=course,
        ),
        credits=credits_,
        in_play=table.in_play + cents,
    )


def _wager_placed(table: Table, event: e.WagerPlaced) -> Table:
    order = round_of(table).placed
    share = Share(event.patron, event.cents, order, event.placed_by)
    stake = Stake(event.stake, event.position, event.wager, (share,), event.shared)
    return _put_down(table, stake, event.patron, event.cents)


def _stake_found(table: Table, event: e.StakeFound) -> Table:
    play = round_of(table)
    held = play.stakes.get(event.stake)
    if held is not None:
        shares = tuple(
            replace(
                share,
                cents=share.cents + event.cents,
                found_cents=share.found_cents + event.cents,
            )
            if share.patron == event.patron
            else share
            for share in held.shares
        )
        stake = replace(held, shares=shares, found=True)
        return _put_down(table, stake, event.patron, event.cents)
    share = Share(event.patron, event.cents, play.placed, found_cents=event.cents)
    stake = Stake(event.stake, event.position, event.wager, (share,), shared=False, found=True)
    return _put_down(table, stake, event.patron, event.cents)


def _wager_raised(table: Table, event: e.WagerRaised) -> Table:
    play = round_of(table)
    stake = play.stakes[event.stake]
    held = stake.share(event.patron)
    if held is None:
        more = Share(event.patron, event.cents, play.placed, event.placed_by)
        shares = (*stake.shares, more)
    else:
        raised = replace(held, cents=held.cents + event.cents)
        shares = (raised,)
        if len(stake.shares) > 1:
            shares = tuple(raised if share is held else share for share in stake.shares)
    return _put_down(table, replace(stake, shares=shares), event.patron, event.cents)


def _wager_lowered(table: Table, event: e.WagerLowered) -> Table:
    return give_back(table, event.stake, event.patron, event.cents)


def _wager_returned(table: Table, event: e.WagerReturned) -> Table:
    for share in round_of(table).stakes[event.stake].shares:
        table = give_back(table, event.stake, share.patron, share.cents)
    return table


def _bets_closed(table: Table, event: e.BetsClosed) -> Table:
    play = replace(round_of(table), closed=event.moment, closings=round_of(table).closings + 1)
    return replace(table, phase=Phase.CLOSED, round=play)


def _lowering_asked(table: Table, event: e.LoweringAsked) -> Table:
    return with_round(table, asked_to_lower=event.side)


# The die


def _die_shaken(table: Table, event: e.DieShaken) -> Table:
    return replace(table, phase=Phase.SHAKE, round=replace(round_of(table), shakes=event.times))


def _shaker_passed(table: Table, event: e.ShakerPassed) -> Table:
    return with_round(table, shaker=event.patron, shaker_passed=True)


def _shaker_refused(table: Table, event: e.ShakerRefused) -> Table:
    refused = (*round_of(table).shaker_refused, event.patron)
    return with_round(table, shaker=None, shaker_passed=False, shaker_refused=refused)


def _shake_confirmed(table: Table, event: e.ShakeConfirmed) -> Table:
    return with_round(table, shake_confirmed=True)


def _shaker_opened(table: Table, event: e.ShakerOpened) -> Table:
    return with_round(table, shaker_opened=event.opened_by)


def _die_announced(table: Table, event: e.DieAnnounced) -> Table:
    return with_round(table, die=event.die, power=event.power)


def _shake_invalid(table: Table, event: e.ShakeInvalid) -> Table:
    return with_round(table, shake_confirmed=False, shaker_opened=None, die=None, power=False)


# Dealing


def _shoe_taken(table: Table, event: e.ShoeTaken) -> Table:
    lost = table.round and table.round.shoe_lost
    # Whose settlement was taken back never lost it.
    since = table.shoe_held_since if lost == event.patron else table.rounds
    if lost is not None:
        table = with_round(table, shoe_lost=None)
    return replace(
        table, shoe_holder=event.patron, shoe_held_since=since, shoe_relinquished=None
    )


def _shoe_allowed(table: Table, event: e.ShoeAllowed) -> Table:
    others = tuple(name for name in table.shoe_permitted if name != event.patron)
    return replace(table, shoe_permitted=(*others, *([event.patron] if event.allowed else ())))


def _shoe_refused(table: Table, event: e.ShoeRefused) -> Table:
    return with_round(table, shoe_refused=(*round_of(table).shoe_refused, event.patron))


def _shoe_given_up(table: Table, event: e.ShoeGivenUp) -> Table:
    last = event.patron if event.relinquished else table.shoe_relinquished
    table = replace(table, shoe_holder=None, shoe_relinquished=last)
    return with_round(table, shoe_lost=event.patron) if event.settled else table


def _draws_attested(table: Table, event: e.DrawsAttested) -> Table:
    return with_round(table, draws_attested=(event.by.name, table.shoe_holder))


def _card_drawn(table: Table, event: e.CardDrawn) -> Table:
    play = round_of(table)
    card = None if event.card is None else plan_of(table).game.deck.parse(event.card)
    dealt = DealtCard(event.position, card, False, event.handed_to, event.number)  # noqa: FBT003
    play = replace(play, cards=(*play.cards, dealt), coup=None)
    if event.waited:
        play = replace(play, waiting=play.waiting[1:], waiting_numbers=play.waiting_numbers[1:])
    shoe = table.shoe if event.waited else take_out(table, 1)
    return replace(table, phase=Phase.DEALING, round=play, shoe=shoe)


def _card_turned(table: Table, event: e.CardTurned) -> Table:
    cards = tuple(
        replace(dealt, turned_by=event.patron) if dealt.position is event.position else dealt
        for dealt in round_of(table).cards
    )
    return with_round(table, cards=cards)


def _card_exposed(table: Table, event: e.CardExposed) -> Table:
    play = round_of(table)
    card = plan_of(table).game.deck.parse(event.card)
    cards = tuple(
        [
            DealtCard(dealt.position, card, True, None, dealt.number)  # noqa: FBT003
            if dealt.position is event.position
            else dealt
            for dealt in play.cards
        ]
    )
    shoe = table.shoe
    if shoe is not None:
        face = card.text
        shoe = replace(shoe, seen={**shoe.seen, face: shoe.seen.get(face, 0) + 1})
    play = replace(play, cards=cards, coup=coup_of(table, cards))
    return replace(table, round=play, shoe=shoe)


def _cut_card_seen(table: Table, event: e.CutCardSeen) -> Table:
    shoe = None if table.shoe is None else replace(table.shoe, cut_card_seen=True)
    play = replace(round_of(table), cut_card_seen=True, cut_card_first=event.first)
    return replace(table, shoe=shoe, round=play)


def _handler_named(table: Table, event: e.HandlerNamed) -> Table:
    play = round_of(table)
    named = event.designee or event.patron
    # Whoever turned the first cards up does not handle what comes to the hand now.
    handlers = {side: name for side, name in play.handlers.items() if side is not event.side}
    return with_round(
        table,
        handlers=handlers,
        refused={
            side: tuple(one for one in names if side is not event.side or one != named)
            for side, names in play.refused.items()
        },
        with_dealer=_not_with_dealer(play, event.side),
        named={**play.named, event.side: named},
        named_by={**play.named_by, event.side: event.clause},
    )


def _hand_passed(table: Table, event: e.HandPassed) -> Table:
    play = round_of(table)
    cards = tuple(
        replace(dealt, handed_to=event.patron)
        if dealt.position.side is event.side and not dealt.exposed
        else dealt
        for dealt in play.cards
    )
    return with_round(
        table,
        cards=cards,
        handlers={**play.handlers, event.side: event.patron},
        with_dealer=_not_with_dealer(play, event.side),
    )


def _not_with_dealer(play: Round, side: Side) -> tuple[Side, ...]:
    """Return the hands that the Dealer turns up, without one that somebody handles now."""
    return tuple(one for one in play.with_dealer if one is not side)


def _hand_refused(table: Table, event: e.HandRefused) -> Table:
    refused = round_of(table).refused
    more = (*refused.get(event.side, ()), event.patron)
    return with_round(table, refused={**refused, event.side: more})


def _first_hand_chosen(table: Table, event: e.FirstHandChosen) -> Table:
    return with_round(table, first_hand=event.side)


def _outcome_announced(table: Table, event: e.OutcomeAnnounced) -> Table:
    outcome = (event.player, event.banker, event.winner)
    return replace(table, phase=Phase.RESULT, round=replace(round_of(table), outcome=outcome))


# Settlement


def _wagers_settled(table: Table, event: e.WagersSettled) -> Table:
    held = dict(table.credits)
    out, won, kept = 0, 0, 0
    under = table.under_minimum
    for line in event.lines:
        out += line.cents
        won += line.won_cents
        kept += line.commission_cents or 0
        held[line.patron] += line.cents + line.won_cents
        if uses_up_the_one_time(line):
            under |= {line.patron}
    return replace(
        table,
        phase=Phase.SETTLED,
        round=replace(round_of(table), lines=event.lines),
        credits=held,
        in_play=table.in_play - out,
        bank=table.bank - won - kept,
        commission=table.commission + kept,
        under_minimum=under,
    )


def _payment_confirmed(table: Table, event: e.PaymentConfirmed) -> Table:
    return with_round(table, confirmed=True)


def _round_closed(table: Table, event: e.RoundClosed) -> Table:
    play = round_of(table)
    cards = tuple([dealt.card.text for dealt in play.cards if dealt.card is not None])
    result = Result(event.round, cards, play.die)
    voidable = plan_of(table).procedure.voidable is not None
    return replace(
        table,
        phase=Phase.SETTLED if voidable else Phase.IDLE,
        round=replace(play, confirmed=True),
        results=(*table.results, result),
    )


EVOLVE: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.DecisionRecorded: nothing,
    e.TableOpened: _opened,
    e.TableClosed: _table_closed,
    e.ClosureAnnounced: _closure_announced,
    e.SettingsChanged: _settings_changed,
    e.SettingsScheduled: _settings_scheduled,
    e.DealerSignedIn: _signed_in,
    e.DealerSignedOut: _signed_out,
    e.ShoeLoaded: _shoe_loaded,
    e.ShoeEnded: _shoe_ended,
    e.ShoeLost: _shoe_ended,
    e.CardsRemoved: _cards_removed,
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.CreditBrought: _credit_brought,
    e.CreditTaken: _credit_taken,
    e.TerminalLost: terminal_lost,
    e.TerminalRestored: terminal_restored,
    e.ClosingAcknowledged: closing_acknowledged,
    e.BetsOpened: _bets_opened,
    e.WagerPlaced: _wager_placed,
    e.WagerRaised: _wager_raised,
    e.WagerLowered: _wager_lowered,
    e.StakeFound: _stake_found,
    e.WagerReturned: _wager_returned,
    e.BetsClosed: _bets_closed,
    e.LoweringAsked: _lowering_asked,
    e.DieShaken: _die_shaken,
    e.ShakerPassed: _shaker_passed,
    e.ShakerRefused: _shaker_refused,
    e.ShakeConfirmed: _shake_confirmed,
    e.ShakerOpened: _shaker_opened,
    e.DieAnnounced: _die_announced,
    e.ShakeInvalid: _shake_invalid,
    e.ShoeTaken: _shoe_taken,
    e.ShoeAllowed: _shoe_allowed,
    e.ShoeRefused: _shoe_refused,
    e.ShoeGivenUp: _shoe_given_up,
    e.DrawsAttested: _draws_attested,
    e.CardDrawn: _card_drawn,
    e.CardTurned: _card_turned,
    e.CardExposed: _card_exposed,
    e.CutCardSeen: _cut_card_seen,
    e.HandlerNamed: _handler_named,
    e.HandPassed: _hand_passed,
    e.HandRefused: _hand_refused,
    e.FirstHandChosen: _first_hand_chosen,
    e.TotalsAnnounced: nothing,
    e.OutcomeAnnounced: _outcome_announced,
    e.WagersSettled: _wagers_settled,
    e.PaymentConfirmed: _payment_confirmed,
    e.RoundClosed: _round_closed,
    **EVOLVE_INCIDENTS,
}

TIMED: dict[type[e.Event], Callable[[Any], datetime | None]] = {
    **dict.fromkeys(
        (
            e.BetsOpened,
            e.BetsClosed,
            i.BetsReopened,
            e.ShakerRefused,
            e.ShakeConfirmed,
            e.ShakerOpened,
            e.ShoeTaken,
            e.ShoeRefused,
            e.ShoeGivenUp,
            e.CardDrawn,
            e.CardTurned,
            e.CardExposed,
            e.HandPassed,
            e.HandRefused,
            e.OutcomeAnnounced,
            e.WagersSettled,
            e.RoundClosed,
            i.HoldPlaced,
            i.HoldResumed,
            i.HoldLifted,
            i.RoundVoided,
        ),
        attrgetter("moment"),
    ),
    **dict.fromkeys(
        (
            e.DieShaken,
            e.ShakerPassed,
            e.DieAnnounced,
            e.ShakeInvalid,
            e.FirstHandChosen,
            e.PaymentConfirmed,
            i.CardCorrected,
        ),
        attrgetter("by.moment"),
    ),
    i.IrregularityReported: interrupted_at,
}
"""What brings a table a step further, or asks somebody something, and when it did."""


def _timed(
    evolve_: Callable[[Table, Any], Table], when: Callable[[Any], datetime | None]
) -> Callable[[Table, Any], Table]:
    """Let an event also set the moment that clocks run from."""

    def evolve_timed(table: Table, event: e.Event) -> Table:
        moment = when(event)
        table = evolve_(table, event)
        return table if moment is None else replace(table, since=moment)

    return evolve_timed


EVOLVE.update({kind: _timed(EVOLVE[kind], when) for kind, when in TIMED.items()})

EVENTS: tuple[type[e.Event], ...] = tuple(EVOLVE)
