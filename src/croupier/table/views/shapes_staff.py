"""The shapes of what Dealer, pit and auditor see beside the public view.

The pit sees all that the Dealer sees, and the auditor all that the pit sees. A card that is
drawn and not exposed is face down for all of them: its face is in the journal alone.
"""

from __future__ import annotations

import msgspec

from croupier.rules.outcome import Side  # noqa: TC001  # clients read views back
from croupier.table.commands import Decision, Report  # noqa: TC001
from croupier.table.roles import StaffPosition  # noqa: TC001
from croupier.table.rulings import Situation, Step  # noqa: TC001
from croupier.table.settings import Settings  # noqa: TC001
from croupier.table.state import HoldKind  # noqa: TC001
from croupier.table.views.shapes import PatronLine, PublicView

# The Dealer


class Seated(msgspec.Struct, frozen=True, gc=False):
    """A patron and where they sit."""

    patron: str
    position: int


class OwnedShare(msgspec.Struct, frozen=True, gc=False):
    """A part of a stake with its owner, and who of staff placed it."""

    patron: str
    cents: int
    placed_by: str | None


class OwnedStake(msgspec.Struct, frozen=True):
    """A stake with its owners."""

    number: int
    position: int
    wager: str
    cents: int
    shared: bool
    found: bool
    shares: tuple[OwnedShare, ...]


class HandDue(msgspec.Struct, frozen=True):
    """Who holds a hand, to whom it is due, and who would not take it."""

    side: Side
    held_by: str | None
    due: str | None
    refused: tuple[str, ...]


class ShakerShown(msgspec.Struct, frozen=True):
    """Where the shake of the die is."""

    shakes: int
    due: str | None
    held_by: str | None
    passed: bool
    refused: tuple[str, ...]
    confirmed: bool
    opened: bool


class Drawer(msgspec.Struct, frozen=True, gc=False):
    """Who may draw the next card."""

    position: StaffPosition | None
    patron: str | None
    system: bool
    clause: str | None


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A command that answers a hold, and who may give it."""

    command: str
    position: StaffPosition | None
    """None: patrons, or whoever holds the card."""
    approval: StaffPosition | None


class OpenHold(msgspec.Struct, frozen=True):
    """What the round waits for, and what answers it."""

    kind: HoldKind
    clause: str | None
    situation: Situation | None
    steps: tuple[Step, ...]
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    answers: tuple[Answer, ...]
    suggestion: str | None
    decisions: tuple[Decision, ...]
    """What may be decided, where the matter is referred."""
    behind: tuple[HoldKind, ...]
    """What the round will wait for again afterwards."""
    queued: tuple[Situation, ...]
    """What was reported meanwhile, and is ruled then."""
    missing: tuple[str, ...]
    """The faces of the cards to substitute, while that is waited for."""


class DealerPart(msgspec.Struct, frozen=True, kw_only=True):
    """What the Dealer sees: who sits where, whose turn it is, what may be asked and is paid."""

    dealer: str | None
    """Who signed in as Dealer, at a table that the house deals otherwise."""
    patrons: tuple[Seated, ...]
    stakes: tuple[OwnedStake, ...]
    hands: tuple[HandDue, ...]
    shaker: ShakerShown | None
    drawer: Drawer | None
    shoe_due: str | None
    hold: OpenHold | None
    commands: tuple[str, ...]
    lines: tuple[PatronLine, ...]
    corrected: tuple[PatronLine, ...]
    """Lines of earlier pay lists of this round, which were reversed."""
    replace_by: str | None
    """The clause by which the cards must be replaced before the next round."""
    replacement_due: bool


class DealerView(PublicView, frozen=True, kw_only=True):
    """What the Dealer sees."""

    dealer: DealerPart


# The pit and the auditor


class Credit(msgspec.Struct, frozen=True, gc=False):
    """What a patron's seat holds."""

    patron: str
    cents: int
    reserved_cents: int


class Approval(msgspec.Struct, frozen=True, gc=False):
    """A command that needs a second person now, and of which position."""

    command: str
    position: StaffPosition


class Flagged(msgspec.Struct, frozen=True, gc=False):
    """A lost terminal that never showed the closing, with wagers to be decided on."""

    position: int
    round: int
    stands: bool
    """A card is out: the wagers stand unless excepted with a second person."""


class PitPart(DealerPart, frozen=True, kw_only=True):
    """What the pit sees: the Dealer's part, the money, and what it must approve."""

    credits: tuple[Credit, ...]
    in_play_cents: int
    bank_cents: int
    commission_cents: int
    brought_cents: int
    under_minimum: tuple[str, ...]
    """Patrons whose under-minimum wager was settled once."""
    scheduled: Settings | None
    approvals: tuple[Approval, ...]
    flagged: tuple[Flagged, ...]


class PitView(PublicView, frozen=True, kw_only=True):
    """What the pit sees."""

    pit: PitPart


class RoundRecord(msgspec.Struct, frozen=True):
    """What is recorded of a round beside what the other views show."""

    placed: int
    closings: int
    asked_to_lower: Side | None
    named: dict[str, str]
    shoe_refused: tuple[str, ...]
    cut_card_first: bool
    cut_card_seen: bool
    shaker_opened_by: str | None
    confirmed: bool
    reported: Report | None
    terminals_closed: tuple[int, ...]


class ShoeRecord(msgspec.Struct, frozen=True):
    """The accounts of the shoe: how many are out, and which faces were seen."""

    cut_behind: int | None
    out: int
    seen: dict[str, int]


class AuditorPart(PitPart, frozen=True, kw_only=True):
    """What the auditor sees: the pit's part and all else that is recorded of the table."""

    settings: Settings | None
    rounds: int
    record: RoundRecord | None
    shoe: ShoeRecord | None
    shoe_permitted: tuple[str, ...]
    imbalance_cents: int
    """Credits, stakes, bank and commission less what was brought: zero."""


class AuditorView(PublicView, frozen=True, kw_only=True):
    """What the auditor sees."""

    auditor: AuditorPart
