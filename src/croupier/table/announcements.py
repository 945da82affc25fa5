"""Announcements: events as everybody may hear of them.

An event is announced only if it stands here, with only the fields that are named here: no
face before its card is exposed, no name of a patron (their playing position instead) or of
staff, no credit, no reason in somebody's words.
"""

from __future__ import annotations

from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ANNOUNCED: dict[type[e.Event], tuple[str, ...]] = {
    e.TableOpened: ("settings.rulebook", "settings.game", "version", "effective"),
    e.TableClosed: (),
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
        "dealt_by",
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

NOBODY: Mapping[str, int] = MappingProxyType({})
SEAT = "seat"
PATRONS = ("patron", "handed_to")
"""Fields that hold a patron's name: they are announced as the playing position."""

GETTERS: dict[type[e.Event], tuple[tuple[str, Callable[[Any], Any]], ...]] = {
    kind: tuple((field.rpartition(".")[2], attrgetter(field)) for field in fields)
    for kind, fields in ANNOUNCED.items()
}


class Announcement(msgspec.Struct, frozen=True):
    """An event as everybody may hear of it: its name, and the facts that are public."""

    name: str
    facts: dict[str, Any]


def public_event(event: e.Event, seats: Mapping[str, int] = NOBODY) -> Announcement | None:
    """Return an event as it may be announced, or None when it is for the house alone.

    ``seats`` are those before the event: a patron's name becomes the position where they
    sit, and None where that is not given.
    """
    getters = GETTERS.get(type(event))
    if getters is None:
        return None
    facts: dict[str, Any] = {}
    for field, get in getters:
        if field in PATRONS:
            facts[SEAT] = seats.get(get(event))
        else:
            facts[field] = get(event)
    return Announcement(str(type(event).__struct_config__.tag), facts)
