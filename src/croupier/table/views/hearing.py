"""Events as each audience hears them.

An event is heard only if it stands here, with only the facts that are named here. Everybody
hears no face before its card is exposed, no name of a patron (their playing position instead)
or of staff, no credit, no reason in somebody's words. A patron hears beside it what concerns
the own money. The Dealer hears names and credit, the pit also reasons and decisions, the
auditor all that is recorded; a face that is the house's alone is heard by none of them.
"""

from __future__ import annotations

from datetime import UTC
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.frozen import Named
from croupier.rules.errors import cited
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.views.own import own_line, patron_line
from croupier.table.views.public import winner_named
from croupier.table.views.shapes_staff import settings_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


class Audience(Named):
    """Who looks at a table."""

    PUBLIC = "public"
    PATRON = "patron"
    DEALER = "dealer"
    PIT = "pit"
    AUDITOR = "auditor"


class Heard(msgspec.Struct, frozen=True, gc=False):
    """An event as somebody hears of it: its name, and the facts."""

    name: str
    facts: dict[str, Any]


Whitelist = dict[type[e.Event], tuple[str, ...]]

ANNOUNCED: dict[type[e.Event], tuple[str, ...]] = {
    e.TableOpened: ("settings.rulebook", "settings.game", "version", "effective"),
    e.TableClosed: (),
    e.ClosureAnnounced: ("closes",),
    e.SettingsChanged: (),
    e.DealerSignedIn: (),
    e.DealerSignedOut: (),
    e.ShoeLoaded: ("shoe", "cards"),
    e.ShoeEnded: ("shoe",),
    e.ShoeLost: ("shoe",),
    e.CardsRemoved: ("count",),
    e.SeatTaken: ("position",),
    e.SeatLeft: ("patron",),
    e.TerminalLost: ("position", "clause"),
    e.TerminalRestored: ("position",),
    e.BetsOpened: (
        *("round", "rulebook", "version", "effective", "game", "method", "moment"),
        *("dealt_by", "shoe"),
    ),
    e.WagerPlaced: ("stake", "patron", "position", "wager", "cents", "shared"),
    e.WagerRaised: ("stake", "patron", "cents"),
    e.WagerLowered: ("stake", "patron", "cents"),
    e.StakeFound: ("stake", "patron", "position", "wager", "cents"),
    e.WagerReturned: ("stake", "clause", "why"),
    e.BetsClosed: ("moment", "again"),
    e.LoweringAsked: ("side",),
    e.DieShaken: ("times",),
    e.ShakerPassed: ("patron",),
    e.ShakerRefused: ("patron",),
    e.ShakeConfirmed: (),
    e.ShakerOpened: (),
    e.DieAnnounced: ("die", "power"),
    e.ShakeInvalid: (),
    e.ShoeTaken: ("patron",),
    e.ShoeRefused: ("patron",),
    e.ShoeGivenUp: ("patron", "clause"),
    e.CardDrawn: ("position", "handed_to", "waited"),
    e.CardTurned: ("position", "patron"),
    e.CardExposed: ("position", "card"),
    e.CardsSetAside: ("count", "clause"),
    e.CutCardSeen: ("first",),
    e.HandlerNamed: ("side", "patron", "clause"),
    e.HandPassed: ("side", "patron", "clause"),
    e.HandRefused: ("side", "patron"),
    e.FirstHandChosen: ("side",),
    e.TotalsAnnounced: ("player", "banker"),
    e.OutcomeAnnounced: ("player", "banker", "winner"),
    e.WagersSettled: (),
    e.PaymentConfirmed: (),
    e.RoundClosed: ("round",),
    i.IrregularityReported: ("report.situation", "clause", "steps"),
    i.ReportQueued: ("report.situation",),
    i.ReportDismissed: ("situation",),
    i.StepTaken: ("step", "clause"),
    i.HoldPlaced: ("kind", "clause", "situation"),
    i.HoldSuspended: ("kind",),
    i.HoldResumed: ("kind",),
    i.HoldLifted: ("kind",),
    i.WagersWithdrawn: ("patron", "stakes", "cents", "clause"),
    i.WagersKept: ("patron", "answered"),
    i.CardsTakenUp: ("count", "clause"),
    i.OrderSet: ("before", "after"),
    i.CardsReconstructed: ("before", "after", "moved", "set_aside", "clause"),
    i.CardCorrected: ("position", "before", "after"),
    i.DeviceReset: ("cards", "faces"),
    i.BetsReopened: ("clause", "moment"),
    i.HandRetrieved: ("side", "patron", "clause"),
    i.CardsSorted: (),
    i.MissingDeduced: ("clause",),
    i.CardsSubstituted: (),
    i.ReplacementRequired: ("clause",),
    i.ReplacementDecided: ("replace",),
    i.ReferralDecided: ("decision", "clause"),
    i.TerminalDecided: ("position", "round", "stands", "clause"),
    i.WithdrawalOffered: ("clause",),
    i.SettlementReversed: ("clause", "why"),
    i.RoundVoided: ("clause",),
    i.DisplayCorrected: ("actual", "clause"),
}
"""The fields of each event that everybody may know; what is not here is not announced."""

OWN: Whitelist = {
    e.CreditBrought: ("cents",),
    e.CreditTaken: ("cents",),
    e.ShoeAllowed: ("allowed",),
    e.WagersSettled: ("lines",),
    i.SettlementReversed: ("lines",),
    i.RoundVoided: ("refunds", "reversed"),
}
"""What a patron hears beside it of the own credit, leave to draw, pay lines and refunds."""

FOR_DEALER: Whitelist = {
    e.TableOpened: ("by",),
    e.TableClosed: ("by",),
    e.ClosureAnnounced: ("by",),
    e.SettingsChanged: ("settings", "by"),
    e.SettingsScheduled: ("settings", "by"),
    e.DealerSignedIn: ("dealer", "by"),
    e.DealerSignedOut: ("dealer", "by"),
    e.ShoeLoaded: ("cut_behind", "by"),
    e.ShoeEnded: ("why",),
    e.ShoeLost: ("by",),
    e.CardsRemoved: ("by",),
    e.SeatTaken: ("patron",),
    e.SeatLeft: ("patron",),
    e.CreditBrought: ("patron", "cents"),
    e.CreditTaken: ("patron", "cents", "to_wallet"),
    e.TerminalLost: ("takes_part", "flagged"),
    e.ClosingAcknowledged: ("position", "moment"),
    e.BetsOpened: ("by", "seats"),
    e.WagerPlaced: ("patron", "placed_by"),
    e.WagerRaised: ("patron", "placed_by"),
    e.WagerLowered: ("patron", "placed_by"),
    e.StakeFound: ("patron", "by"),
    e.BetsClosed: ("by",),
    e.LoweringAsked: ("by",),
    e.DieShaken: ("by",),
    e.ShakerPassed: ("patron", "by"),
    e.ShakerRefused: ("patron", "answered"),
    e.ShakeConfirmed: ("shaken_by", "confirmed_by"),
    e.ShakerOpened: ("opened_by",),
    e.DieAnnounced: ("by",),
    e.ShakeInvalid: ("by",),
    e.ShoeTaken: ("patron",),
    e.ShoeAllowed: ("patron", "allowed", "by"),
    e.ShoeRefused: ("patron", "answered"),
    e.ShoeGivenUp: ("patron", "why"),
    e.DrawsAttested: ("by",),
    e.CardDrawn: ("drawn_by", "handed_to"),
    e.CardTurned: ("patron",),
    e.CardExposed: ("exposed_by",),
    e.CardsSetAside: ("why", "waited"),
    e.CutCardSeen: ("by",),
    e.HandlerNamed: ("patron", "designee", "by"),
    e.HandPassed: ("patron", "way"),
    e.HandRefused: ("patron", "answered"),
    e.FirstHandChosen: ("by",),
    e.OutcomeAnnounced: ("by",),
    e.WagersSettled: ("lines",),
    e.PaymentConfirmed: ("by",),
    i.IrregularityReported: ("report.about", "by", "queued"),
    i.ReportQueued: ("report.about", "by"),
    i.ReportDismissed: ("by", "queued"),
    i.HoldPlaced: ("steps", "patrons", "stakes", "suggestion"),
    i.HoldResumed: ("patrons", "stakes"),
    i.WagersWithdrawn: ("patron",),
    i.WagersKept: ("patron",),
    i.CardsTakenUp: ("why",),
    i.OrderSet: ("by",),
    i.CardCorrected: ("by",),
    i.DeviceReset: ("by",),
    i.HandRetrieved: ("patron", "dealer_exposes"),
    i.CardsSorted: ("by",),
    i.CardsSubstituted: ("by",),
    i.ReplacementDecided: ("by",),
    i.ReferralDecided: ("stake", "patron", "won_cents", "laid", "by"),
    i.TerminalDecided: ("outcome_known", "by"),
    i.WithdrawalOffered: ("by",),
    i.SettlementReversed: ("lines",),
    i.RoundVoided: ("phase", "refunds", "reversed"),
    i.DisplayCorrected: ("shown", "by"),
}
"""What the Dealer hears beside what everybody does: who, for whom, and credit."""

FOR_PIT: Whitelist = {
    e.DecisionRecorded: ("by", "clause", "question", "options", "choice", "reason"),
    e.ClosureAnnounced: ("reason",),
    e.ShoeLost: ("reason",),
    e.CreditBrought: ("transfer",),
    e.StakeFound: ("reason",),
    e.ShakerPassed: ("reason",),
    e.ShakeInvalid: ("reason",),
    i.IrregularityReported: ("report.note",),
    i.ReportQueued: ("report.note",),
    i.ReportDismissed: ("reason",),
    i.StepTaken: ("note",),
    i.CardCorrected: ("reason",),
    i.ReferralDecided: ("reason",),
}
"""What the pit hears beside what the Dealer does: reasons, and discretions used."""

FOR_AUDITOR: Whitelist = {
    e.BetsOpened: ("credits",),
    e.ShoeGivenUp: ("settled", "relinquished"),
    e.CardDrawn: ("number",),
    i.CardsReconstructed: ("waiting",),
}
"""What the auditor hears beside what the pit does."""

BESIDE: dict[Audience, tuple[Whitelist, ...]] = {
    Audience.PUBLIC: (ANNOUNCED,),
    Audience.PATRON: (ANNOUNCED,),
    Audience.DEALER: (ANNOUNCED, FOR_DEALER),
    Audience.PIT: (ANNOUNCED, FOR_DEALER, FOR_PIT),
    Audience.AUDITOR: (ANNOUNCED, FOR_DEALER, FOR_PIT, FOR_AUDITOR),
}
"""The lists that say together what an audience hears; a patron hears the own facts beside."""

NOBODY: Mapping[str, int] = MappingProxyType({})
SEAT = "seat"
PATRONS = ("patron", "handed_to")
"""Fields that hold a patron's name: everybody hears the playing position instead."""


def _fact(field: str, get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return how a fact is written: clauses as people see them, pay lines with their patron."""
    if field == "clause":
        return lambda event: None if get(event) is None else cited(get(event))
    if field == "effective":
        return lambda event: get(event).astimezone(UTC)
    if field == "settings":
        return lambda event: settings_shown(get(event))
    if field == "winner":
        return lambda event: winner_named(get(event))
    if field in ("lines", "reversed"):
        return lambda event: [patron_line(one) for one in get(event)]
    return get


@cache
def _getters(
    kind: type[e.Event], audience: Audience
) -> tuple[str, tuple[tuple[str, bool, Callable[[Any], Any]], ...]] | None:
    """Return an event's name, and of each fact heard: name, if as a seat, how it is got."""
    found: list[tuple[str, bool, Callable[[Any], Any]]] = []
    heard = False
    for whitelist in BESIDE[audience]:
        fields = whitelist.get(kind)
        if fields is None:
            continue
        heard = True
        for field in fields:
            name, get = field.rpartition(".")[2], attrgetter(field)
            if whitelist is ANNOUNCED and field in PATRONS:
                found.append((SEAT, True, get))
            else:
                found.append((name, False, _fact(name, get)))
    return (str(kind.__struct_config__.tag), tuple(found)) if heard else None


STAFF = (Audience.DEALER, Audience.PIT, Audience.AUDITOR)
"""Those who hear least first: each has a list of what it hears beside the one before."""


@cache
def hears_as(kind: type[e.Event], audience: Audience) -> Audience:
    """Return who of staff hears least of those that hear the same of such an event."""
    before = STAFF[: STAFF.index(audience) + 1]
    return next((one for one in reversed(before) if kind in BESIDE[one][-1]), Audience.DEALER)


def _facts(event: e.Event, audience: Audience, seats: Mapping[str, int]) -> Heard | None:
    getters = _getters(type(event), audience)
    if getters is None:
        return None
    tag, fields = getters
    facts = {name: seats.get(get(event)) if seat else get(event) for name, seat, get in fields}
    return Heard(tag, facts)


def hear(
    event: e.Event,
    audience: Audience = Audience.PUBLIC,
    seats: Mapping[str, int] = NOBODY,
    patron: str | None = None,
) -> Heard | None:
    """Return an event as an audience hears it, or None when it does not.

    ``seats`` are those before the event: a patron's name becomes the position where they
    sit, and None where that is not given. ``patron`` says who hears it, of all patrons.
    """
    heard = _facts(event, audience, seats)
    if patron is None or audience is not Audience.PATRON or type(event) not in OWN:
        return heard
    own = own_facts(event).get(patron)
    return heard if own is None else with_own(event, heard, own)


def seats_at(
    seats: Mapping[str, int], events: Iterable[e.Event]
) -> Iterator[Mapping[str, int]]:
    """Yield where everybody sits at each event, whoever comes or leaves by it included."""
    for event in events:
        if isinstance(event, e.SeatTaken):
            seats = {**seats, event.patron: event.position}
        yield seats
        if isinstance(event, e.SeatLeft):
            seats = {name: place for name, place in seats.items() if name != event.patron}


def with_own(event: e.Event, heard: Heard | None, own: dict[str, Any]) -> Heard:
    """Return an event as everybody hears it, with facts for one patron."""
    facts = {} if heard is None else heard.facts
    return Heard(str(type(event).__struct_config__.tag), {**facts, **own})


def own_facts(event: e.Event) -> dict[str, dict[str, Any]]:
    """Return what each patron whom an event of ``OWN`` concerns hears of it: own entries."""
    fields = OWN[type(event)]
    named: str | None = getattr(event, "patron", None)
    if named is not None:
        return {named: {name: getattr(event, name) for name in fields}}
    found: dict[str, dict[str, Any]] = {}
    for name in fields:
        for one in getattr(event, name):
            facts = found.get(one.patron)
            if facts is None:
                facts = found[one.patron] = {field: [] for field in fields}
            facts[name].append(own_line(one) if isinstance(one, e.PayLine) else _refund(one))
    return found


def _refund(one: i.Refund) -> dict[str, int]:
    return {"stake": one.stake, "cents": one.cents}
