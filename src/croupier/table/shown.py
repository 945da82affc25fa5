"""The shapes of the views: what each audience may see of a table.

Every shape is a list of what is shown, so a new field of the table is seen by nobody until
somebody adds it here. :mod:`croupier.table.views` fills them in.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # clients read views back

import msgspec

from croupier.money import Rounding  # noqa: TC001
from croupier.rules.coup import Position  # noqa: TC001
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.commands import Decision, Report  # noqa: TC001
from croupier.table.events import PayLine  # noqa: TC001
from croupier.table.roles import StaffPosition  # noqa: TC001
from croupier.table.rulings import Situation, Step  # noqa: TC001
from croupier.table.settings import Method, Settings  # noqa: TC001
from croupier.table.state import HoldKind, Phase  # noqa: TC001

# The public


class RowShown(msgspec.Struct, frozen=True, gc=False):
    """A pay line as it is displayed."""

    label: str
    pays: str
    clause: str


class WagerShown(msgspec.Struct, frozen=True):
    """A wager that is offered, with its limits and odds."""

    slug: str
    name: str
    minimum_cents: int
    maximum_cents: int
    step_cents: int
    area: str | None
    """The clause of its area on the layout."""
    rows: tuple[RowShown, ...]


class RulesShown(msgspec.Struct, frozen=True):
    """By what the table is played: all that changes between rounds only."""

    rulebook: str
    title: str
    version: int
    effective: datetime
    game: str
    name: str
    decks: int
    layout: str
    positions: int
    method: Method | None
    hlga: bool
    dealt_by: str
    """A Dealer, the system of an electronic table, or the house, which no rulebook knows."""
    rounding: Rounding
    wagers_per_area: int | None
    wagers: tuple[WagerShown, ...]


class CardShown(msgspec.Struct, frozen=True, gc=False):
    """A card in its place: its face, or that it lies face down."""

    place: Position
    face: str | None
    face_down: bool


class HandShown(msgspec.Struct, frozen=True):
    """A hand; its points while none of its cards lies face down."""

    side: Side
    cards: tuple[CardShown, ...]
    points: int | None
    squeezed: bool
    squeezed_by: int | None
    """The playing position of whoever squeezes; None: nobody, or somebody not seated."""


class ShareShown(msgspec.Struct, frozen=True, gc=False):
    """A part of a stake, by the playing position of its owner."""

    seat: int | None
    cents: int


class StakeShown(msgspec.Struct, frozen=True):
    """A stake as it lies on the layout."""

    number: int
    cents: int
    shared: bool
    shares: tuple[ShareShown, ...]


class AreaShown(msgspec.Struct, frozen=True):
    """The stakes on one wager at one playing position."""

    position: int
    wager: str
    cents: int
    stakes: tuple[StakeShown, ...]


class OutcomeShown(msgspec.Struct, frozen=True, gc=False):
    """The outcome as announced; no winner: a tie."""

    player: int
    banker: int
    winner: Side | None


class DifferentialShown(msgspec.Struct, frozen=True, gc=False):
    """How far the stakes on Player and Banker are apart, and how far they may be."""

    cents: int
    limit_cents: int | None
    heavier: Side | None


class HoldShown(msgspec.Struct, frozen=True, gc=False):
    """That the round waits, and why, in a sentence for everybody."""

    kind: HoldKind
    clause: str | None
    sentence: str


class ShoeShown(msgspec.Struct, frozen=True, gc=False):
    """The shoe in the device."""

    name: str
    cards: int
    left: int
    cut_card_seen: bool
    ended: bool


class ResultShown(msgspec.Struct, frozen=True, gc=False):
    """A round of this shoe that is over, as a road shows it."""

    round: int
    cards: tuple[str, ...]
    die: int | None
    void: bool


class PublicView(msgspec.Struct, frozen=True):
    """What a display, and everybody who stands at the table, may see."""

    phase: Phase
    message: str
    rules: RulesShown | None
    round: int | None
    opened: datetime | None
    closed: datetime | None
    seats: tuple[int, ...]
    """The playing positions that are taken."""
    lost_terminals: tuple[int, ...]
    areas: tuple[AreaShown, ...]
    differential: DifferentialShown | None
    power: bool
    """The marker of a Power hand, for the round in progress only."""
    die: int | None
    hands: tuple[HandShown, ...]
    waiting: int
    """How many cards lie face down beside the device."""
    first_hand: Side | None
    outcome: OutcomeShown | None
    hold: HoldShown | None
    shoe: ShoeShown | None
    shoe_holder: int | None
    """The playing position of the patron who draws."""
    results: tuple[ResultShown, ...]


# One patron


class OwnStake(msgspec.Struct, frozen=True, gc=False):
    """A patron's part of a stake; who of staff placed it, where somebody did."""

    number: int
    position: int
    wager: str
    cents: int
    whole_cents: int
    shared: bool
    found: bool
    placed_by: str | None


class Option(msgspec.Struct, frozen=True, gc=False):
    """An option to withdraw that waits for this patron's answer."""

    clause: str | None
    stakes: tuple[int, ...]
    all_or_none: bool


class OwnPart(msgspec.Struct, frozen=True):
    """What a patron sees beside the public view."""

    patron: str
    seat: int | None
    credit_cents: int
    reserved_cents: int
    """What of the credit stays at the seat: all that a pay list credited that can change."""
    in_play_cents: int
    stakes: tuple[OwnStake, ...]
    lines: tuple[PayLine, ...]
    corrected: tuple[PayLine, ...]
    """Lines of earlier pay lists of this round, which were reversed."""
    option: Option | None
    withdrew: bool | None
    """How the patron answered an option; None: not, or not yet."""
    hands: tuple[Side, ...]
    """The hands that the patron holds face down."""
    hands_offered: tuple[Side, ...]
    shoe_held: bool
    shoe_offered: bool
    shaker_held: bool


class PatronView(msgspec.Struct, frozen=True):
    """What one patron sees."""

    public: PublicView
    own: OwnPart


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


class NextCard(msgspec.Struct, frozen=True, gc=False):
    """The card that is called for, why, and by which clause."""

    place: Position
    why: str
    clause: str


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


class DealerView(msgspec.Struct, frozen=True):
    """What the Dealer sees: who sits where, whose turn it is, what is called for and paid."""

    public: PublicView
    patrons: tuple[Seated, ...]
    stakes: tuple[OwnedStake, ...]
    hands: tuple[HandDue, ...]
    shaker: ShakerShown | None
    drawer: Drawer | None
    shoe_due: str | None
    next_card: NextCard | None
    hold: OpenHold | None
    commands: tuple[str, ...]
    lines: tuple[PayLine, ...]
    replace_by: str | None
    """The clause by which the cards must be replaced before the next round."""
    replacement_due: bool


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


class PitView(msgspec.Struct, frozen=True):
    """What the pit sees: the Dealer's view, the money, and what it must approve."""

    dealer: DealerView
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


class AuditorView(msgspec.Struct, frozen=True):
    """What the auditor sees: the pit's view and all else that is recorded of the table."""

    pit: PitView
    settings: Settings | None
    rounds: int
    round: RoundRecord | None
    shoe: ShoeRecord | None
    shoe_permitted: tuple[str, ...]
    imbalance_cents: int
    """Credits, stakes, bank and commission less what was brought: zero."""
