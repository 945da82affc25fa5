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
    queued: bool = False
    """It had waited behind something else."""


class ReportQueued(Event, frozen=True, tag="report_queued"):
    """A report came while the round waits, and is ruled when it no longer does (A52)."""

    report: Report
    by: By
    cards: tuple[str, ...] = ()
    """House only: faces that came with the report."""


class ReportDismissed(Event, frozen=True, tag="report_dismissed"):
    """There was no irregularity, or none any more when its turn came."""

    situation: Situation
    by: By
    reason: str
    queued: bool = False
    """It had waited behind something else."""


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
    moment: datetime | None = None


class HoldSuspended(Event, frozen=True, tag="hold_suspended"):
    """Something came first that voids or interrupts the round; this waits behind it (A52)."""

    kind: str


class HoldResumed(Event, frozen=True, tag="hold_resumed"):
    """What came first is over, and the round waits for this again."""

    kind: str
    patrons: tuple[str, ...] = ()
    """Who is still asked."""
    stakes: tuple[int, ...] = ()
    """What may still be withdrawn."""
    moment: datetime | None = None


class HoldLifted(Event, frozen=True, tag="hold_lifted"):
    """The round no longer waits."""

    kind: str
    moment: datetime | None = None


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
    read: tuple[str, ...] = ()
    """House only: faces of cards that had come out before and had not been read."""


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
    """The cards of the hands, then those that were set aside before."""
    after: tuple[Placement, ...]
    moved: tuple[int, ...]
    """The old numbers of the cards, in their new order."""
    set_aside: tuple[int, ...]
    """The old numbers of cards that no hand takes."""
    clause: str | None
    waiting: int = 0
    """How many cards that had waited in vain wait for their turn again."""


class CardCorrected(Event, frozen=True, tag="card_corrected"):
    """A face that was read or keyed in wrongly was corrected."""

    position: Position
    before: str
    after: str
    by: By
    reason: str


class DeviceReset(Event, frozen=True, tag="device_reset"):
    """The dealing device was reset; the cards of the round, seen or not, were set aside."""

    cards: int
    by: By
    faces: tuple[str, ...] = ()
    """Those of them that lay open."""


class BetsReopened(Event, frozen=True, tag="bets_reopened"):
    """Bets are open again, until a second call."""

    clause: str
    moment: datetime


class HandRetrieved(Event, frozen=True, tag="hand_retrieved"):
    """A hand came back from a patron."""

    side: Side
    patron: str | None
    clause: str | None
    dealer_exposes: bool = False
    """Whoever had it is absent, and the Dealer turns its cards up."""


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
    stake: int | None = None
    patron: str | None = None
    won_cents: int | None = None
    laid: tuple[Position, ...] = ()


class TerminalDecided(Event, frozen=True, tag="terminal_decided"):
    """Whether accepted wagers stand whose terminal never showed the closing (A30)."""

    position: int
    round: int
    stands: bool
    outcome_known: bool
    """A card was out already."""
    clause: str | None
    by: By


class WithdrawalOffered(Event, frozen=True, tag="withdrawal_offered"):
    """The Dealer let patrons withdraw because the cut card came first; once."""

    clause: str
    by: By


class SettlementReversed(Event, frozen=True, tag="settlement_reversed"):
    """A pay list that was not paid yet was taken back, line by line; another one follows."""

    lines: tuple[PayLine, ...]
    clause: str | None
    why: str


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
    moment: datetime | None = None


class DisplayCorrected(Event, frozen=True, tag="display_corrected"):
    """A display showed another outcome than the cards; the cards stand."""

    shown: str
    actual: str
    clause: str | None
    by: By
