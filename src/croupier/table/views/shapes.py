"""The shapes of the public view and of a patron's own part.

Every shape is a list of what is shown, so a new field of the table is seen by nobody until
somebody adds it here. The modules beside this one fill them in. Every other view is the public
one with one field more, which holds all that its audience sees beside it.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # clients read views back
from typing import Literal

import msgspec

from croupier.money import Rounding  # noqa: TC001
from croupier.rules.coup import Position  # noqa: TC001
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.may.shapes import Open  # noqa: TC001
from croupier.table.rulings import Situation  # noqa: TC001
from croupier.table.settings import Method  # noqa: TC001
from croupier.table.state import HoldKind, Mend, Phase  # noqa: TC001

Winner = Literal["player", "banker", "tie"]


# By what the table is played


class RowShown(msgspec.Struct, frozen=True, gc=False):
    """A pay line as it is displayed."""

    label: str
    pays: str
    clause: str


class LimitsShown(msgspec.Struct, frozen=True, gc=False):
    """The least and most that may be staked on Player or Banker: what a sign says."""

    minimum_cents: int
    maximum_cents: int


class Dependence(msgspec.Struct, frozen=True, gc=False):
    """That wagers need a stake on another one by the same patron, and may not exceed it."""

    main: str
    together: tuple[str, ...]
    """The wagers whose stakes count together."""
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
    depends: tuple[Dependence, ...]
    """What else the patron must have staked in the same round."""
    rows: tuple[RowShown, ...]


class DifferentialLimit(msgspec.Struct, frozen=True, gc=False):
    """How far the stakes on Player and Banker may be apart."""

    limit_cents: int
    clause: str


class RulesShown(msgspec.Struct, frozen=True, kw_only=True):
    """By what the table is played: all that changes between rounds only."""

    game: str
    name: str
    rulebook: str
    title: str
    version: int
    effective: datetime
    room: str
    decks: int
    layout: str
    positions: int
    method: Method | None
    hlga: bool
    dealt_by: str
    """A Dealer, the system of an electronic table, or the house, which no rulebook knows."""
    rounding: Rounding
    wagers_per_area: int | None
    differential: DifferentialLimit | None
    """None: the rulebook has none, or no limit is set."""
    limits: LimitsShown
    wagers: tuple[WagerShown, ...]


# The round


class CardShown(msgspec.Struct, frozen=True, gc=False):
    """A card in its place: its face, or that it lies face down."""

    place: Position
    face: str | None
    face_down: bool
    turned: bool = False
    """Whoever holds it turned it up; its face is not keyed in yet."""


class HandShown(msgspec.Struct, frozen=True):
    """A hand; its points while none of its cards lies face down."""

    side: Side
    cards: tuple[CardShown, ...]
    points: int | None
    squeezed: bool
    squeezed_by: int | None
    """The playing position of whoever squeezes; None: nobody, or somebody not seated."""


class NextCard(msgspec.Struct, frozen=True, gc=False):
    """The card that is called for, why, and by which clause."""

    place: Position
    why: str
    clause: str


class OutcomeShown(msgspec.Struct, frozen=True, gc=False):
    """The outcome as announced."""

    player: int
    banker: int
    winner: Winner


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


class DifferentialShown(msgspec.Struct, frozen=True, gc=False):
    """How far the stakes on Player and Banker are apart, and how far they may be."""

    cents: int
    limit_cents: int | None
    heavier: Side | None
    clause: str


class HoldShown(msgspec.Struct, frozen=True, gc=False):
    """That the round waits, and why, in a sentence for everybody."""

    kind: HoldKind
    clause: str | None
    sentence: str
    since: int
    """The sequence of the record with which it began, or began again; 0: not in a journal."""
    situation: Situation | None
    """What was reported and led to it."""
    moment: datetime | None
    """From when on the round waits for it."""
    asked: int
    """How many patrons are asked whether they withdraw."""
    answered: int
    """How many of them have answered."""


class LaidShown(msgspec.Struct, frozen=True, gc=False):
    """An exposed card, and where it lies."""

    place: Position
    face: str


class MendedShown(msgspec.Struct, frozen=True, gc=False):
    """What was put right last in a round."""

    what: Mend
    clause: str | None
    count: int
    """How many cards were set aside."""
    cards: tuple[LaidShown, ...]
    """Those that lay open, as they lie since; of a face that was wrong, its card."""
    before: str | None
    """The face that was wrong."""


class ShoeShown(msgspec.Struct, frozen=True, gc=False):
    """The shoe in the device."""

    name: str
    cards: int
    left: int
    cut_card_seen: bool
    ended: bool


class ResultShown(msgspec.Struct, frozen=True, gc=False):
    """A round that is over, as a road shows it; a void one has no cards.

    It is of this shoe, unless it was void after another shoe was loaded.
    """

    round: int
    cards: tuple[str, ...]
    player: int | None
    banker: int | None
    winner: Winner | None
    player_pair: bool
    banker_pair: bool
    natural: bool
    die: int | None
    power: bool
    """Whether it was a Power hand."""
    void: bool


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """What a display, and everybody who stands at the table, may see."""

    phase: Phase
    calls: str
    """The words of the state line."""
    round: int | None
    opened: datetime | None
    closed: datetime | None
    closes_at: datetime | None
    """When the house calls "no more bets"; None: nobody knows, or bets are not open."""
    table_closes: datetime | None
    """When the table closes, where notice of it was given."""
    rules: RulesShown | None
    seats: tuple[int, ...]
    """The playing positions that are taken."""
    lost_terminals: tuple[int, ...]
    areas: dict[str, AreaShown]
    """By ``"POSITION/WAGER"``; a change has those that changed, and null for what is gone."""
    differential: DifferentialShown | None
    power: bool
    """The marker of a Power hand, for the round in progress only."""
    die: int | None
    hands: tuple[HandShown, ...]
    waiting: int
    """How many cards lie face down beside the device."""
    first_hand: Side | None
    next: NextCard | None
    outcome: OutcomeShown | None
    hold: HoldShown | None
    mended: MendedShown | None
    """What was put right last in this round."""
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


class OwnLine(msgspec.Struct, frozen=True, gc=False):
    """What the settlement does to a patron's part of a stake, with nobody's name."""

    stake: int
    wager: str
    cents: int
    """What was staked."""
    settled_cents: int
    """What of it was settled; the rest is returned."""
    result: str
    row: str | None
    pays: str | None
    clause: str | None
    won_cents: int
    """Net winnings; negative: what was collected."""
    commission_cents: int | None
    """What the house kept; None: the wager has no commission in this game."""
    breach: str | None
    """Why a stake outside the limits was settled in part, once, or not at all."""
    breach_clause: str | None
    corrected: str | None
    """The clause by which somebody put the line right."""


class PatronLine(OwnLine, frozen=True, gc=False):
    """A line of the pay list with its patron, as staff see it."""

    patron: str


class Option(msgspec.Struct, frozen=True, gc=False):
    """An option to withdraw that waits for this patron's answer."""

    clause: str | None
    stakes: tuple[int, ...]
    all_or_none: bool


class OwnPart(msgspec.Struct, frozen=True, kw_only=True):
    """What a patron sees beside the public view."""

    seat: int | None
    credit_cents: int
    reserved_cents: int
    """What of the credit stays at the seat: all that a pay list credited that can change."""
    in_play_cents: int
    stakes: tuple[OwnStake, ...]
    lines: tuple[OwnLine, ...]
    corrected: tuple[OwnLine, ...]
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
    may: tuple[Open, ...]
    """The commands open to this patron now, each with what it needs."""


class PatronView(PublicView, frozen=True, kw_only=True):
    """What one patron sees."""

    own: OwnPart
