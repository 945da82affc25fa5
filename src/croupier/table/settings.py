"""What an operator sets at a table: game, decks, layout, limits, method, device, clocks.

Settings come to the table with its opening; a change takes effect between rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.frozen import Named
from croupier.money import Rounding
from croupier.table.roles import HigherManager, StaffPosition

if TYPE_CHECKING:
    from croupier.rules.game import Game
    from croupier.rules.wagers import Wager
    from croupier.table.procedure import Procedure
    from croupier.table.rulebook import Rulebook


class Method(Named):
    """A dealing method: who draws the cards, and who may turn them."""

    A = "A"
    B = "B"
    C = "C"


class DealtBy(Named):
    """Who gives what a Dealer gives at a live table; no rulebook knows the house as one."""

    DEALER = "dealer"
    HOUSE = "house"


class Clocks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a table that the system deals waits, in milliseconds, and for whom."""

    betting_ms: int = 15_000
    """From the call for bets to the closing."""
    pause_ms: int = 5_000
    """From the end of a round to the next call."""
    pace_ms: int = 600
    """Between cards, and between closing, outcome, settlement and payment."""
    answer_ms: int = 20_000
    """For the answer of a patron, who counts as absent after it."""
    waits_for_patrons: bool = True
    """Bets are called for only while somebody is seated."""


CLOCK_MS_MAX = 3_600_000
"""An hour; a longer clock is a typing error."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and most that may be staked on a kind of wager, and in which steps."""

    minimum_cents: int
    maximum_cents: int
    step_cents: int = 100


WHOLE_DOLLARS = Limits(100, 10**12, 100)
"""Where an operator sets no limits: any whole number of dollars."""


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dealing device: what it is and whether it reads the cards it gives."""

    electronic: bool = True
    reads_cards: bool = True
    physical: bool = False
    """Real cards; otherwise the shoe is virtual."""


class Readings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The operator's answers where we let a reading be decided otherwise."""

    power_ties_are_natural: bool = False
    """A6: in a Power hand, "Tie on 8 or 9" means natural ties only."""
    higher_manager: HigherManager = HigherManager.NEITHER
    """A29: which of the two highest positions stands above the other."""
    shoe_ends_after_cut_card: bool = True
    """A14: the round in which the cut card came is the last of its shoe."""
    seats_run_counter_clockwise: bool = True
    """A27: seat numbers ascend counter-clockwise."""
    reset_refers_with_open_cards: bool = False
    """A23: a reset of the device is referred once a card of the round lies open."""


class Approvals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which position the second person must be, for each act; None: none is asked for.

    It is the house's own control, and no clause of a rulebook (A51).
    """

    void: StaffPosition | None = StaffPosition.PIT_SUPERVISOR
    order: StaffPosition | None = StaffPosition.PIT_SUPERVISOR
    reset: StaffPosition | None = StaffPosition.PIT_SUPERVISOR
    limits: StaffPosition | None = StaffPosition.PIT_SUPERVISOR
    correction: StaffPosition | None = StaffPosition.PIT_SUPERVISOR


class Settings(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """All that is set at a table; every round is stamped with it."""

    rulebook: str
    game: str
    decks: int = 8
    layout: str = ""
    """Empty: the first layout that the game has."""
    positions: int = 7
    optional: tuple[str, ...] | None = None
    """The optional wagers that are offered; None: all the game has."""
    limits: dict[str, Limits] = {}
    """By wager; ``"*"`` stands for every wager that is not named."""
    differential_cents: int | None = None
    method: Method | None = None
    room: str = "Main floor"
    device: Device = Device()
    rounding: Rounding = Rounding.REFUSE
    wagers_per_area: int | None = None
    readings: Readings = Readings()
    approvals: Approvals = Approvals()
    dealt_by: DealtBy = DealtBy.DEALER
    clocks: Clocks = Clocks()
    behind_cut: int = 14
    """How many cards lie behind the cut card of a shoe that the system loads."""
    confirms: StaffPosition = StaffPosition.PIT_SUPERVISOR
    """Who confirms a reported irregularity (A20)."""
    replaces: StaffPosition = StaffPosition.PIT_MANAGER
    """Who decides whether cards are replaced after a void (A20)."""
    configures: StaffPosition = StaffPosition.PIT_MANAGER
    """Who opens the table and sets what no rulebook gives to a position."""


class Plan:
    """What follows from the settings: looked up once, used at every command."""

    __slots__ = (
        "_hash",
        "areas",
        "calls_by_system",
        "cap",
        "code",
        "face_down",
        "game",
        "hlga",
        "limits",
        "offered",
        "pays_cash",
        "places",
        "positions",
        "preconditions",
        "procedure",
        "ranks_patrons",
        "rulebook",
        "settings",
    )

    def __init__(self, rulebook: Rulebook, game: Game, settings: Settings) -> None:
        self.settings = settings
        self.rulebook = rulebook
        self.code = rulebook.code
        self.game = game
        self._hash = hash((self.code, game.slug))
        procedure: Procedure = rulebook.procedure
        self.procedure = procedure
        optional = settings.optional
        self.offered: dict[str, Wager] = {
            wager.slug: wager
            for wager in game.wagers
            if not wager.optional or optional is None or wager.slug in optional
        }
        usual = settings.limits.get("*", WHOLE_DOLLARS)
        self.limits: dict[str, Limits] = {
            slug: settings.limits.get(slug, usual) for slug in self.offered
        }
        self.areas = {slug: area.clause for area in rulebook.areas for slug in area.wagers}
        self.positions = settings.positions
        self.places = {wager.slug: place for place, wager in enumerate(game.wagers)}
        self.preconditions = game.preconditions
        cap = procedure.area_cap
        self.cap = None if cap is None else (settings.wagers_per_area or cap.most)
        self.ranks_patrons = procedure.methods is not None or procedure.shake is not None
        """Whether somebody is chosen by the amount of the wagers, and who reached it first."""
        self.hlga = settings.room in procedure.hlga_rooms
        self.calls_by_system = procedure.calls_by_system
        self.pays_cash = procedure.terminals is None
        """Whether staff may pay credit out at the table; at terminals nobody does."""
        self.face_down = settings.method in (Method.A, Method.C)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.settings == other.settings

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Plan({self.code}, {self.game.slug})"
