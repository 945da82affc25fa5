"""The procedure of a rulebook: which mechanics it has, and by which clause.

The table knows the mechanics and never a rulebook by name; what a rulebook does not have
is None here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.table.roles import StaffPosition

if TYPE_CHECKING:
    from croupier.table.settings import Method


@dataclass(frozen=True, slots=True)
class Round:
    """A round of play: when it begins, closes for bets, and ends."""

    definition: str
    opens: str
    closes: str
    late_increase: str
    late_removal: str
    excepted: bool = True
    """Other rules may let a wager be withdrawn after the closing (A50)."""


@dataclass(frozen=True, slots=True)
class AreaCap:
    """How many wagers one playing area holds, and who may allow fewer."""

    clause: str
    lowered: str
    most: int = 3
    lowered_by: StaffPosition = StaffPosition.PIT_MANAGER


@dataclass(frozen=True, slots=True)
class Proxy:
    """Staff who may place a wager for a patron who asks."""

    clause: str
    lowest: StaffPosition = StaffPosition.DEALER


@dataclass(frozen=True, slots=True)
class DealerMethods:
    """Methods A and B: the Dealer draws."""

    chosen: str
    control: str
    handler: str
    refused: str
    equal: str
    discretion: str
    equal_refused: str
    first_hand: str
    further: str
    no_handling: str
    chosen_by: StaffPosition = StaffPosition.PIT_MANAGER
    discretion_by: StaffPosition = StaffPosition.PIT_SUPERVISOR


@dataclass(frozen=True, slots=True)
class PatronMethod:
    """Method C: a patron draws, in the high-limit rooms."""

    allowed: str
    draws: str
    without_wager: str
    passed: str
    in_view: str
    further: str
    keeps: str
    relinquishes: str
    loses: str
    allowed_by: StaffPosition = StaffPosition.ASSISTANT_CASINO_MANAGER


@dataclass(frozen=True, slots=True)
class Methods:
    """The dealing methods of a rulebook; a round has exactly one."""

    clause: str
    by_dealer: DealerMethods
    by_patron: PatronMethod
    squeeze: str
    squeeze_by: StaffPosition = StaffPosition.PIT_MANAGER

    def choice(self, method: Method) -> tuple[StaffPosition, str]:
        """Return who may choose a method, and by which clause."""
        if method.value == "C":
            return self.by_patron.allowed_by, self.by_patron.allowed
        return self.by_dealer.chosen_by, self.by_dealer.chosen


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card: removed, and the round is completed."""

    clause: str
    first: str | None = None
    """The clause by which the Dealer may let patrons withdraw when it comes first."""


@dataclass(frozen=True, slots=True)
class Shake:
    """The die: three shakes by the Dealer, then by a patron, opened and announced."""

    clause: str
    patron: str
    marker: str
    shakes: int = 3


@dataclass(frozen=True, slots=True)
class Differential:
    """How far stakes on Player and Banker may be apart, and what is done beyond it."""

    definition: str
    clause: str
    lower: str
    higher: str
    removed: str
    removed_by: StaffPosition = StaffPosition.PIT_MANAGER


@dataclass(frozen=True, slots=True)
class Breaches:
    """Stakes outside the limits that are found when the wagers are settled."""

    under_minimum: str
    over_maximum: str
    earlier: str


@dataclass(frozen=True, slots=True)
class Commission:
    """What the house keeps of a winning wager, in the games that have it."""

    clause: str
    games: tuple[str, ...]
    wager: str = "banker"


@dataclass(frozen=True, slots=True)
class Terminals:
    """Player terminals: one patron each, with credit and a connection."""

    clause: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Procedure:
    """The mechanics of a round as a rulebook has them."""

    version: str
    round: Round
    layouts: str
    limits: str | None = None
    joint: str | None = None
    """Several patrons may fund one wager."""
    area_cap: AreaCap | None = None
    proxy: Proxy | None = None
    methods: Methods | None = None
    hlga: str | None = None
    hlga_rooms: tuple[str, ...] = ()
    cut_card: CutCard | None = None
    shake: Shake | None = None
    differential: Differential | None = None
    breaches: Breaches | None = None
    commission: Commission | None = None
    terminals: Terminals | None = None
    replacement: str | None = None
    """After a void the cards may be replaced."""
    referral: str | None = None
    """Who decides what the rulebook does not cover; None: it is not in the rules."""
    higher_may_act: str | None = None
    display: str | None = None
    """Displays are information only."""
    dealer_confirms: bool = True
    """The round ends when the Dealer has paid and collected."""
    earlier: str | None = None
    """Earlier rounds stand."""
    voidable: str | None = None
    """A paid round can be voided until the next call for bets."""

    @property
    def calls_by_system(self) -> bool:
        """Tell whether terminals make the calls, not a Dealer."""
        return self.terminals is not None
