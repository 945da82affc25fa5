"""Telling what happened: a short text for every kind of event, and one for a whole line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.money import dollars
from croupier.playthrough.telling_incidents import INCIDENT_TEXTS, clause_text, order_text, who
from croupier.rules.errors import cited
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import evolve
from croupier.table.state import HoldKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.rules.coup import Coup
    from croupier.table.preview import Preview
    from croupier.table.refusals import Refusal
    from croupier.table.state import Table


def tell_refusal(refusal: Refusal) -> str:
    """Tell a refusal by its code and clause."""
    clause = f" [{cited(refusal.clause)}]" if refusal.clause else ""
    return f"refused {refusal.code.value}{clause}"


def tell_event(event: e.Event, table: Table) -> str:
    """Tell one event; the table is as it is after it."""
    kind = type(event)
    if kind in TEXTS_AT_TABLE:
        return TEXTS_AT_TABLE[kind](event, table)
    return TEXTS[kind](event)


def tell(before: Table, events: Sequence[e.Event]) -> str:
    """Tell the events of one line, without what others of them say already."""
    texts: list[str] = []
    table, last = before, None
    exposed = {event.position for event in events if isinstance(event, e.CardExposed)}
    after = before
    for event in events:
        after = evolve(after, event)
    summary = _summary(events, after)
    for place, event in enumerate(events):
        table = evolve(table, event)
        if _is_said(event, events[place + 1 :], exposed, summary):
            continue
        text = tell_event(event, table)
        if isinstance(event, e.CardDrawn | e.CardExposed) and type(event) is last:
            texts[-1] = _joined(texts[-1], text)
        else:
            texts.append(text)
        last = type(event)
    if summary:
        texts.append(summary)
    return "; ".join(texts) or "the round goes on"


def tell_preview(found: Preview) -> str:
    """Say what a command would move: credit of seats, stakes in play, the bank."""
    told = []
    for one in found.effects:
        moved = [
            *([signed(one.credit_cents)] if one.credit_cents else []),
            *([f"in play {signed(one.in_play_cents)}"] if one.in_play_cents else []),
        ]
        told.append(f"{one.patron}: {', '.join(moved)}")
    if found.bank_cents:
        told.append(f"bank {signed(found.bank_cents)}")
    if found.commission_cents:
        told.append(f"commission {signed(found.commission_cents)}")
    return f"would move {'; '.join(told) or 'no money'}"


FACE_DOWN = " face down"


def _joined(before: str, text: str) -> str:
    """Join cards that came one after another."""
    if before.endswith(FACE_DOWN) and text.endswith(FACE_DOWN):
        return f"{before.removesuffix(FACE_DOWN)}, {text}"
    return f"{before}, {text}"


def _is_said(event: e.Event, rest: Sequence[e.Event], exposed: set[Any], summary: str) -> bool:
    """Tell whether other events of the same line say this as well."""
    if isinstance(event, e.CardDrawn):
        return event.position in exposed
    if isinstance(event, e.CardExposed):
        outcome = any(isinstance(one, e.OutcomeAnnounced) for one in rest)
        return bool(summary) or outcome
    if isinstance(event, e.TotalsAnnounced):
        return True
    if isinstance(event, i.IrregularityReported):
        return any(
            isinstance(one, i.HoldPlaced) and one.kind == HoldKind.REPORT.value for one in rest
        )
    return isinstance(event, i.HoldLifted) and event.kind != HoldKind.BALANCE.value


MOVED = (e.CardExposed, i.CardsReconstructed, i.CardCorrected, i.CardsSubstituted)


def _summary(events: Sequence[e.Event], after: Table) -> str:
    """Say the totals of both hands and what comes next, when all cards lie open."""
    play = after.round
    moved = any(isinstance(event, MOVED) for event in events)
    over = any(isinstance(event, e.OutcomeAnnounced | i.RoundVoided) for event in events)
    if play is None or play.coup is None or not moved or over:
        return ""
    coup = play.coup
    return totals(coup) if len(coup.cards) >= len("PBPB") else ""


def totals(coup: Coup) -> str:
    """Say the totals of both hands, and which card comes next."""
    points = f"player {coup.player.points}, banker {coup.banker.points}"
    draw = coup.next
    if draw is not None:
        return f"{points}; {draw.position.side.value.title()} draws [{cited(draw.clause)}]"
    natural = coup.player.natural or coup.banker.natural
    return f"{points}; {'natural' if natural else 'no more cards'}"


# Opening and setting


def _opened(event: e.TableOpened) -> str:
    settings = event.settings
    method = f", method {settings.method.value}" if settings.method else ""
    book = f"{settings.rulebook} version {event.version}"
    return f"opened {settings.game} by {book}{method} ({who(event.by)})"


def _shoe_loaded(event: e.ShoeLoaded) -> str:
    cut = "" if event.cut_behind is None else f", cut card behind {event.cut_behind}"
    return f"shoe {event.shoe} loaded with {event.cards} cards{cut}"


# People, credit and terminals


def _terminal_lost(event: e.TerminalLost) -> str:
    if event.clause is None:
        return f"terminal {event.position} lost"
    part = "its wagers stand" if event.takes_part else "no part in the round"
    flag = ", to be looked at" if event.flagged else ""
    return f"terminal {event.position} lost: {part}{flag} [{cited(event.clause)}]"


# Betting


def _placed(event: e.WagerPlaced, table: Table) -> str:
    told = f"placed {dollars(event.cents)} on {event.wager} (stake {event.stake}"
    if event.shared:
        told += ", shared"
    if event.position != table.seats.get(event.patron):
        told += f", at position {event.position}"
    return f"{told}{_for(event.placed_by)})"


def _for(placed_by: str | None) -> str:
    return f", by {placed_by}" if placed_by else ""


def _stake_cents(table: Table, number: int) -> str:
    stake = table.round.stakes.get(number) if table.round else None
    return dollars(stake.cents) if stake else "0.00"


def _raised(event: e.WagerRaised, table: Table) -> str:
    now = _stake_cents(table, event.stake)
    by = _for(event.placed_by)
    return f"raised stake {event.stake} by {dollars(event.cents)} to {now}{by}"


def _lowered(event: e.WagerLowered, table: Table) -> str:
    now = _stake_cents(table, event.stake)
    by = _for(event.placed_by)
    if now == "0.00":
        return f"removed stake {event.stake}, returned {dollars(event.cents)}{by}"
    return f"lowered stake {event.stake} by {dollars(event.cents)} to {now}{by}"


def _found(event: e.StakeFound) -> str:
    told = f"found {dollars(event.cents)} of patron {event.patron} on {event.wager}"
    reason = f', "{event.reason}"' if event.reason else ""
    return f"{told} (stake {event.stake}, {who(event.by)}{reason})"


# Dealing


def _drawn(event: e.CardDrawn) -> str:
    to = f" to patron {event.handed_to}" if event.handed_to else ""
    return f"{event.position.value}{to}{FACE_DOWN}"


def _set_aside(event: e.CardsSetAside) -> str:
    cards = "1 card" if event.count == 1 else f"{event.count} cards"
    clause = f" [{cited(event.clause)}]" if event.clause else ""
    return f"{cards} set aside: {event.why}{clause}"


def _handler(event: e.HandlerNamed) -> str:
    designee = f", by {event.designee}" if event.designee else ""
    told = f"{event.side.value} hand for patron {event.patron}{designee}"
    return f"{told} [{cited(event.clause)}]"


def _outcome(event: e.OutcomeAnnounced) -> str:
    points = f"player {event.player}, banker {event.banker}"
    return f"{points}; {f'{event.winner.value.title()} wins' if event.winner else 'Tie'}"


# Settlement


def _settled(event: e.WagersSettled) -> str:
    house = -sum(line.won_cents for line in event.lines)
    lines = [pay_line(line) for line in event.lines]
    return "; ".join([*lines, f"house {signed(house)}"])


def signed(cents: int) -> str:
    """Write an amount with its sign.

    >>> signed(500), signed(-500), signed(0)
    ('+5.00', '-5.00', '0.00')
    """
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _declined(event: e.ShakerRefused | e.ShoeRefused | e.HandRefused, what: str) -> str:
    how = "refused" if event.answered else "gave no answer to"
    return f"patron {event.patron} {how} {what}"


def pay_line(line: e.PayLine) -> str:
    """Tell what the settlement does to one stake of a patron."""
    about: list[str] = []
    if line.pays is not None:
        about += [line.pays, cited(line.clause or "")]
    if line.commission_cents:
        about.append(f"commission {dollars(line.commission_cents)}")
    if line.breach is not None:
        back = line.cents - line.settled_cents
        about.append(f"{line.breach} {cited(line.breach_clause or '')}")
        about += [f"returned {dollars(back)}"] if back else []
    if line.corrected is not None:
        about.append(f"corrected{clause_text(line.corrected or None)}")
    cents = line.cents if line.result == "pushes" else abs(line.won_cents)
    told = f"{line.patron} {line.wager} {line.result} {dollars(cents)}"
    return f"{told} ({', '.join(about)})" if about else told


TEXTS: dict[type[e.Event], Callable[[Any], str]] = {
    **INCIDENT_TEXTS,
    e.TableOpened: _opened,
    e.TableClosed: lambda event: f"table closed ({who(event.by)})",
    e.SettingsChanged: lambda _: "settings changed",
    e.ClosureAnnounced: lambda event: (
        f"the table closes at {event.closes:%H:%M}" if event.closes else "no closure any more"
    ),
    e.SettingsScheduled: lambda _: "settings from the next round on",
    e.DealerSignedIn: lambda event: f"{event.dealer} deals from the next round on",
    e.DealerSignedOut: lambda event: f"{event.dealer} left; the house deals again",
    e.ShoeLoaded: _shoe_loaded,
    e.ShoeEnded: lambda event: f"shoe {event.shoe} ended: {event.why}",
    e.ShoeLost: lambda event: f"shoe {event.shoe} is lost",
    e.CardsRemoved: lambda event: f"{event.count} removed from the device unseen",
    e.SeatTaken: lambda event: f"patron {event.patron} at position {event.position}",
    e.SeatLeft: lambda event: f"patron {event.patron} left",
    e.CreditBrought: lambda event: f"patron {event.patron} brought {dollars(event.cents)}",
    e.CreditTaken: lambda event: (
        f"patron {event.patron} took {dollars(event.cents)}"
        f"{'' if event.to_wallet else ' in cash'}"
    ),
    e.TerminalLost: _terminal_lost,
    e.TerminalRestored: lambda event: f"terminal {event.position} restored",
    e.ClosingAcknowledged: lambda event: f"terminal {event.position} showed the closing",
    e.BetsOpened: lambda _: "OPEN",
    e.StakeFound: _found,
    e.WagerReturned: lambda event: (
        f"returned stake {event.stake}: {event.why}{clause_text(event.clause)}"
    ),
    e.BetsClosed: lambda event: "CLOSED again" if event.again else "CLOSED",
    e.LoweringAsked: lambda event: f"asked to lower {event.side.value}",
    e.DieShaken: lambda event: f"shaken {event.times}",
    e.ShakerPassed: lambda event: (
        f"shaker to patron {event.patron}" if event.patron else "shaker stays with the Dealer"
    ),
    e.ShakerRefused: lambda event: _declined(event, "the shaker"),
    e.ShakeConfirmed: lambda event: (
        f"shake of {event.shaken_by} confirmed by {event.confirmed_by}"
    ),
    e.ShakerOpened: lambda event: f"shaker opened by {event.opened_by}",
    e.DieAnnounced: lambda event: f"die {event.die}{', POWER hand' * event.power}",
    e.ShakeInvalid: lambda event: f'shake invalid ({who(event.by)}, "{event.reason}")',
    e.ShoeTaken: lambda event: f"patron {event.patron} took the shoe",
    e.ShoeAllowed: lambda event: (
        f"patron {event.patron} {'may' if event.allowed else 'may no longer'} draw"
    ),
    e.ShoeRefused: lambda event: _declined(event, "the shoe"),
    e.ShoeGivenUp: lambda event: (
        f"patron {event.patron} gave up the shoe: {event.why} [{cited(event.clause)}]"
    ),
    e.DrawsAttested: lambda event: f"draws attested ({who(event.by)})",
    e.CardDrawn: _drawn,
    e.CardTurned: lambda event: (
        f"{event.position.value} turned by patron {event.patron}; its face is to be entered"
    ),
    e.CardExposed: lambda event: f"{event.position.value} {event.card}",
    e.CardsSetAside: _set_aside,
    e.CutCardSeen: lambda event: f"cut card{' first' * event.first}",
    e.HandlerNamed: _handler,
    e.HandPassed: lambda event: f"{event.side.value} hand to patron {event.patron}",
    e.HandRefused: lambda event: _declined(event, f"the {event.side.value} hand"),
    e.FirstHandChosen: lambda event: f"{event.side.value} hand first",
    e.TotalsAnnounced: lambda event: f"player {event.player}, banker {event.banker}",
    e.OutcomeAnnounced: _outcome,
    e.WagersSettled: _settled,
    e.PaymentConfirmed: lambda _: "paid",
    e.RoundClosed: lambda event: f"round {event.round} over",
}
"""How each kind of event is told."""

TEXTS_AT_TABLE: dict[type[e.Event], Callable[[Any, Table], str]] = {
    e.WagerPlaced: _placed,
    e.WagerRaised: _raised,
    e.WagerLowered: _lowered,
    i.OrderSet: order_text,
}
"""How those are told that say little without the table as it is after them."""
