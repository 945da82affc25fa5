"""Settings of tables that their rulebooks allow, drawn by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.money import Rounding
from croupier.rulebooks import find_game, find_rulebook
from croupier.table.roles import HigherManager, StaffPosition
from croupier.table.settings import (
    Approvals,
    Clocks,
    DealtBy,
    Device,
    Limits,
    Method,
    Readings,
    Settings,
)

if TYPE_CHECKING:
    from random import Random


def some_limits(chance: Random, rounding: Rounding) -> dict[str, Limits]:
    """Draw limits: whole dollars, or cents where the table rounds."""
    step = 100 if rounding is Rounding.REFUSE else chance.choice([1, 5, 100])
    usual = Limits(10 * step, 2_000 * step, step)
    if chance.randrange(3) == 0:
        return {"*": usual, "tie": Limits(2 * step, 50 * step, step)}
    return {"*": usual}


def some_differential(chance: Random) -> int | None:
    """Draw a table differential, often none."""
    return chance.choice([None, None, 0, 50_00, 200_00])


def some_clocks(chance: Random) -> Clocks:
    """Draw clocks: often as usual, often such that nobody waits."""
    return Clocks(
        betting_ms=chance.choice([0, 3_000, 15_000]),
        pause_ms=chance.choice([0, 5_000]),
        pace_ms=chance.choice([0, 0, 600]),
        answer_ms=chance.choice([0, 1_000, 20_000]),
        waits_for_patrons=chance.randrange(2) > 0,
    )


def some_approvals(chance: Random) -> Approvals:
    """Draw of which position each second person must be; often none is asked for."""
    one_of = [None, None, *StaffPosition]
    return Approvals(**{act: chance.choice(one_of) for act in Approvals.__struct_fields__})


def some_settings(game: str, chance: Random) -> Settings:
    """Draw the settings of a table that its rulebook allows."""
    found = find_game(game)
    rulebook = find_rulebook(found.edition.code)
    procedure = rulebook.procedure
    rounding = chance.choice([Rounding.REFUSE, Rounding.REFUSE, *Rounding])
    method = chance.choice(list(Method)) if procedure.methods else None
    room = "Main floor"
    if method is Method.C or (procedure.hlga_rooms and chance.randrange(3) == 0):
        room = chance.choice(procedure.hlga_rooms)
    reads = method is Method.C or chance.randrange(3) > 0
    optional = [wager.slug for wager in found.wagers if wager.optional]
    positions = list(StaffPosition)
    supervisor = StaffPosition.PIT_SUPERVISOR
    usual = chance.randrange(3) > 0
    physical = chance.randrange(2) > 0
    house = reads and not physical and not procedure.calls_by_system
    return Settings(
        rulebook=rulebook.code,
        game=game,
        decks=chance.choice([4, 4, 6, 8, 10]),
        positions=chance.randrange(4, 6),
        optional=None if chance.randrange(2) else tuple(optional[: chance.randrange(3)]),
        limits=some_limits(chance, rounding) if chance.randrange(4) else {},
        differential_cents=some_differential(chance) if procedure.differential else None,
        method=method,
        room=room,
        device=Device(
            electronic=chance.randrange(4) > 0,
            reads_cards=reads,
            physical=physical,
        ),
        dealt_by=DealtBy.HOUSE if house and chance.randrange(2) else DealtBy.DEALER,
        clocks=some_clocks(chance),
        rounding=rounding,
        wagers_per_area=chance.choice([None, 1, 2, 3]) if procedure.area_cap else None,
        readings=Readings(
            power_ties_are_natural=bool(rulebook.otherwise_read) and chance.randrange(3) == 0,
            higher_manager=chance.choice(list(HigherManager)),
            shoe_ends_after_cut_card=chance.randrange(3) > 0,
            seats_run_counter_clockwise=chance.randrange(2) > 0,
            reset_refers_with_open_cards=chance.randrange(2) > 0,
        ),
        approvals=Approvals() if usual else some_approvals(chance),
        confirms=supervisor if usual else chance.choice(positions),
        configures=StaffPosition.ASSISTANT_CASINO_MANAGER,
    )
