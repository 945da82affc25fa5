"""The shapes of what Dealer, pit and auditor see beside the public view.

The pit sees all that the Dealer sees, and the auditor all that the pit sees, apart from what
somebody may do: the auditor does nothing at a table. A card that is drawn and not exposed is
face down for all of them: its face is in the journal alone.

The Dealer sees what patrons hold at the table. At a live table it is the chips in front of
them; at an electronic one the Dealer brings credit and pays it out, and is told of it by every
refusal. What the house won, and words of reports and reasons, are the pit's.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # clients read views back

import msgspec

from croupier.frozen import Named
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.commands import Decision, Report  # noqa: TC001
from croupier.table.course import Source  # noqa: TC001
from croupier.table.may.shapes import Open  # noqa: TC001
from croupier.table.reports import Content  # noqa: TC001
from croupier.table.roles import StaffPosition  # noqa: TC001
from croupier.table.rulings import Condition, Situation, Step  # noqa: TC001
from croupier.table.settings import Settings
from croupier.table.state import HoldKind  # noqa: TC001
from croupier.table.suggestions import Suggestion  # noqa: TC001
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


class ReportShown(msgspec.Struct, frozen=True):
    """An irregularity that was reported: what it is, by whom, and when."""

    situation: Situation
    about: Content
    """What was said of it; the words of its note are the pit's."""
    by: str
    position: StaffPosition | None
    """None: the system noticed it."""
    moment: datetime


class Instead(msgspec.Struct, frozen=True, gc=False):
    """The ruling on the same situation that does not apply, and what it turns on."""

    clause: str
    condition: Condition
    """What would have to be so, and is not."""
    steps: tuple[Step, ...]
    """What it would do."""


class OpenHold(msgspec.Struct, frozen=True):
    """What the round waits for; who answers is in ``next``, and by what in ``may``."""

    kind: HoldKind
    clause: str | None
    situation: Situation | None
    steps: tuple[Step, ...]
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    report: ReportShown | None
    """What led to it; None: no report did."""
    suggestion: str | None
    decisions: tuple[Decision, ...]
    """What may be decided, where the matter is referred."""
    behind: tuple[HoldKind, ...]
    """What the round will wait for again afterwards."""
    queued: tuple[ReportShown, ...]
    """What was reported meanwhile, and is ruled then."""
    missing: tuple[str, ...]
    """The faces of the cards to substitute, while that is waited for."""
    since: datetime | None
    """From when on the round waits for it."""
    instead: Instead | None
    suggested: Suggestion | None
    """The suggestion by its name; None: there is none, or it has none."""
    ruling: tuple[Step, ...]
    """All steps of what is ruled, those that are done too; ``steps`` are those still to do."""
    confirms: StaffPosition | None
    """Who confirms the report, or has; None: it needed nobody."""
    confirmed: datetime | None
    """When somebody did."""


class RuledShown(msgspec.Struct, frozen=True, gc=False):
    """A report of this round that is ruled, or was dismissed: the round goes on."""

    situation: Situation
    clause: str | None
    reported: datetime
    dismissed: bool
    instead: Instead | None


class ShoeAnswer(Named):
    """What became of the offer of the dealing device to a patron."""

    HOLDS = "holds"
    DUE = "due"
    REFUSED = "refused"
    LATER = "later"


class ShoeOffer(msgspec.Struct, frozen=True, gc=False):
    """A patron to whom the dealing device is offered, by the stakes that count for it."""

    patron: str
    cents: int
    answer: ShoeAnswer


class ShoeControl(msgspec.Struct, frozen=True, gc=False):
    """Who controls the dealing device, where patrons draw."""

    patron: str
    since: int | None
    """The round in which it was taken; None: it was not noted then."""
    clause: str
    """By which it is kept."""


class NextStep(msgspec.Struct, frozen=True):
    """What comes next at the table: who is waited for, for what, and until when."""

    why: str
    """What the round waits for, as a sentence."""
    command: str | None
    """The command that is given in the usual course; None: people decide, or answer."""
    positions: tuple[StaffPosition, ...]
    patrons: tuple[str, ...]
    system: bool
    """The system gives the command by itself."""
    clause: str | None
    source: Source | None
    """What comes with the command that only the house, or whoever keys it in, has."""
    since: datetime | None
    """From when the clocks of this step run."""
    begins: datetime | None
    """From when on the system takes the step; None: at once, or people do."""
    until: datetime | None
    """When the system goes on without the patrons' answers; None: it does not."""


class Credit(msgspec.Struct, frozen=True, gc=False):
    """What a patron's seat holds."""

    patron: str
    cents: int
    reserved_cents: int


class StaffPart(msgspec.Struct, frozen=True, kw_only=True):
    """What all staff see: who sits where, whose turn it is, what is waited for and paid."""

    dealer: str | None
    """Who signed in as Dealer, at a table that the house deals otherwise."""
    patrons: tuple[Seated, ...]
    credits: tuple[Credit, ...]
    stakes: tuple[OwnedStake, ...]
    hands: tuple[HandDue, ...]
    shaker: ShakerShown | None
    drawer: Drawer | None
    shoe_due: str | None
    shoe_offers: tuple[ShoeOffer, ...]
    """In which order the dealing device is offered, where patrons draw."""
    shoe_control: ShoeControl | None
    draws_attested_by: str | None
    """Who attested in this round that staff see every draw of whoever holds the device."""
    next: NextStep
    hold: OpenHold | None
    ruled: RuledShown | None
    """The last report of the round in progress, while nothing is waited for."""
    not_here: tuple[Situation, ...]
    """Situations of another method of dealing, or of terminals that this table has not."""
    lines: tuple[PatronLine, ...]
    corrected: tuple[PatronLine, ...]
    """Lines of earlier pay lists of this round, which were reversed."""
    replace_by: str | None
    """The clause by which the cards must be replaced before the next round."""
    replacement_due: bool


class DealerPart(StaffPart, frozen=True, kw_only=True):
    """What the Dealer sees."""

    may: tuple[Open, ...]
    """The commands open to the position in which somebody works, each with what it needs."""


class DealerView(PublicView, frozen=True, kw_only=True):
    """What the Dealer sees."""

    dealer: DealerPart


# The pit and the auditor


class SettingsShown(Settings, frozen=True, kw_only=True, omit_defaults=False):
    """All that is set at a table, with what nobody changed."""


def settings_shown(settings: Settings | None) -> SettingsShown | None:
    """Return settings with every field of them."""
    return None if settings is None else SettingsShown(**msgspec.structs.asdict(settings))


class Flagged(msgspec.Struct, frozen=True, gc=False):
    """A lost terminal that never showed the closing, with wagers to be decided on."""

    position: int
    round: int
    stands: bool
    """A card is out: the wagers stand unless excepted with a second person."""


class MoneyPart(StaffPart, frozen=True, kw_only=True):
    """What all staff see, with the money, what was said, and what waits for a decision."""

    in_play_cents: int
    bank_cents: int
    commission_cents: int
    brought_cents: int
    under_minimum: tuple[str, ...]
    """Patrons whose under-minimum wager was settled once."""
    settings: SettingsShown | None
    scheduled: SettingsShown | None
    """What comes into force with the next call for bets; None: nothing waits."""
    note: str | None
    """The words of the report that led to the hold."""
    queued_notes: tuple[str, ...]
    """The words of the reports that wait behind it."""
    flagged: tuple[Flagged, ...]


class PitPart(MoneyPart, frozen=True, kw_only=True):
    """What the pit sees."""

    may: tuple[Open, ...]
    """The commands open to the position in which somebody works, each with what it needs."""


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


class AuditorPart(MoneyPart, frozen=True, kw_only=True):
    """What the auditor sees: all that the pit does, and all else that is recorded."""

    rounds: int
    record: RoundRecord | None
    shoe: ShoeRecord | None
    shoe_permitted: tuple[str, ...]
    imbalance_cents: int
    """Credits, stakes, bank and commission less what was brought: zero."""


class AuditorView(PublicView, frozen=True, kw_only=True):
    """What the auditor sees."""

    auditor: AuditorPart
