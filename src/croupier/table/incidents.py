"""Events of irregularities: reports, holds, rulings carried out, voids.

They are events like those of :mod:`croupier.table.events`.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.rules.coup import Position  # noqa: TC001
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.commands import Decision, Report  # noqa: TC001
from croupier.table.events import By, Event, PayLine
from croupier.table.rulings import Situation, Step  # noqa: TC001


class IrregularityReported(Event, frozen=True, tag="irregularity_reported"):
    """Somebody reported, or the table detected, an irregularity; its ruling follows."""

    report: Report
    clause: str | None
    """The clause that rules it; None: it is not in the rules."""
    steps: tuple[Step, ...]
    by: By
    cards: tuple[str, ...] = ()
    """House only: faces that came with the report."""


class ReportDismissed(Event, frozen=True, tag="report_dismissed"):
    """There was no irregularity."""

    situation: Situation
    by: By
    reason: str


class StepTaken(Event, frozen=True, tag="step_taken"):
    """A step of a ruling was carried out that changes nothing else."""

    step: Step
    clause: str | None
    note: str = ""


class HoldPlaced(Event, frozen=True, tag="hold_placed"):
    """The round waits: for a confirmation, an answer, an order, a decision."""

    kind: str
    clause: str | None
    situation: Situation | None = None
    steps: tuple[tuple[Step, str | None], ...] = ()
    """What is still to do, this one first."""
    patrons: tuple[str, ...] = ()
    """Who is asked."""
    stakes: tuple[int, ...] = ()
    """What may be withdrawn."""
    suggestion: str | None = None


class HoldExtended(Event, frozen=True, tag="hold_extended"):
    """Something came while the round waits that is done when it no longer does."""

    steps: tuple[tuple[Step, str | None], ...]
    note: str = ""


class HoldLifted(Event, frozen=True, tag="hold_lifted"):
    """The round no longer waits."""

    kind: str


class WagersWithdrawn(Event, frozen=True, tag="wagers_withdrawn"):
    """A patron took the option and has the stakes back."""

    patron: str
    stakes: tuple[int, ...]
    cents: int
    clause: str | None


class WagersKept(Event, frozen=True, tag="wagers_kept"):
    """A patron declined the option, or gave no answer."""

    patron: str
    answered: bool = True


class CardsTakenUp(Event, frozen=True, tag="cards_taken_up"):
    """Cards that came out together, or were reserved, wait for their turn."""

    count: int
    why: str
    clause: str | None
    cards: tuple[str | None, ...] = ()
    """House only: their faces, as far as they are known."""


class OrderSet(Event, frozen=True, tag="order_set"):
    """The order of the waiting cards was fixed."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    by: By


class Placement(msgspec.Struct, frozen=True, gc=False):
    """Where a card lies; its face only if it is exposed."""

    position: Position
    card: str | None


class CardsReconstructed(Event, frozen=True, tag="cards_reconstructed"):
    """Cards were put back in the order in which they were drawn; both orders are kept."""

    before: tuple[Placement, ...]
    after: tuple[Placement, ...]
    moved: tuple[int, ...]
    """The old numbers of the cards, in their new order."""
    set_aside: tuple[int, ...]
    """The old numbers of cards that no hand takes."""
    clause: str | None


class CardCorrected(Event, frozen=True, tag="card_corrected"):
    """A face that was read or keyed in wrongly was corrected."""

    position: Position
    before: str
    after: str
    by: By
    reason: str


class DeviceReset(Event, frozen=True, tag="device_reset"):
    """The dealing device was reset; unseen cards were set aside."""

    cards: int
    by: By


class BetsReopened(Event, frozen=True, tag="bets_reopened"):
    """Bets are open again, until a second call."""

    clause: str
    moment: datetime


class HandRetrieved(Event, frozen=True, tag="hand_retrieved"):
    """A hand came back from a patron."""

    side: Side
    patron: str | None
    clause: str | None


class CardsSorted(Event, frozen=True, tag="cards_sorted"):
    """The cards of device and discards were sorted and counted."""

    counts: dict[str, int]
    """House only: the reserved cards could be told from them."""
    by: By


class MissingDeduced(Event, frozen=True, tag="missing_deduced"):
    """Which cards are gone was deduced from the counts."""

    cards: tuple[str, ...]
    """House only."""
    clause: str | None


class CardsSubstituted(Event, frozen=True, tag="cards_substituted"):
    """Equal cards of a complete deck took the place of the missing ones."""

    cards: tuple[str, ...]
    """House only."""
    by: By


class ReplacementRequired(Event, frozen=True, tag="replacement_required"):
    """No further round is played with these cards."""

    clause: str


class ReplacementDecided(Event, frozen=True, tag="replacement_decided"):
    """Whether the cards are replaced after a void was decided."""

    replace: bool
    by: By


class ReferralDecided(Event, frozen=True, tag="referral_decided"):
    """A referred matter was decided."""

    decision: Decision
    clause: str | None
    reason: str
    by: By


class Refund(msgspec.Struct, frozen=True, gc=False):
    """What a patron gets back of a stake."""

    stake: int
    patron: str
    cents: int


class RoundVoided(Event, frozen=True, tag="round_voided"):
    """The round is void: payments are reversed, every stake is returned."""

    clause: str | None
    phase: str
    """Where the round was: whether the outcome was known."""
    refunds: tuple[Refund, ...]
    reversed: tuple[PayLine, ...] = ()


class DisplayCorrected(Event, frozen=True, tag="display_corrected"):
    """A display showed another outcome than the cards; the cards stand."""

    shown: str
    actual: str
    clause: str | None
    by: By
