"""Founding a house: its tables, one for each game, and the settings they open with."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Final

from croupier.floor.desk import Request
from croupier.journal.errors import JournalError
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.finding import payable_step
from croupier.table.roles import System
from croupier.table.settings import Clocks, DealtBy, Limits, Method, Settings
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from croupier.floor.desk import Desk
    from croupier.floor.house import House
    from croupier.journal.writer import Reply
    from croupier.rules.game import Game
    from croupier.rules.wagers import Wager
    from croupier.table.roles import Actor
    from croupier.table.rulebook import Rulebook

FOUNDER: Final = System("house")
HIGH_LIMIT_TABLE: Final = "baccarat-a"
DOLLAR: Final = 100
MAIN_MINIMUM, SIDE_MINIMUM, MAXIMUM = 10 * DOLLAR, 5 * DOLLAR, 50_000 * DOLLAR
HIGH_MINIMUM, HIGH_MAXIMUM = 100 * DOLLAR, 200_000 * DOLLAR
MAIN: Final = ("player", "banker")
SEATS_LIVE, SEATS_ELECTRONIC = 7, 20


def limits_of(game: Game, *, high: bool = False) -> dict[str, Limits]:
    """Return limits under which every wager pays whole cents, whatever its outcome."""
    return {wager.slug: _limits(wager, high=high) for wager in game.wagers}


def _limits(wager: Wager, *, high: bool) -> Limits:
    step = lcm(payable_step(wager), DOLLAR)
    least = MAIN_MINIMUM if wager.slug in MAIN else SIDE_MINIMUM
    most = MAXIMUM if wager.slug in MAIN else MAXIMUM // 10
    if high:
        least, most = HIGH_MINIMUM, HIGH_MAXIMUM if wager.slug in MAIN else HIGH_MAXIMUM // 10
    return Limits(-(-least // step) * step, most // step * step, step)


def settings_of(
    rulebook: Rulebook, game: Game, clocks: Clocks, *, method: Method | None = None
) -> Settings:
    """Return the settings with which a table of a game is founded."""
    procedure = rulebook.procedure
    live, high = not procedure.calls_by_system, method is Method.A
    if method is None and procedure.methods is not None:
        method = Method.B
    return Settings(
        rulebook=rulebook.code,
        game=game.slug,
        positions=_positions(rulebook, game, SEATS_LIVE if live else SEATS_ELECTRONIC),
        limits=limits_of(game, high=high),
        method=method,
        room=procedure.hlga_rooms[0] if high else "Main floor",
        dealt_by=DealtBy.HOUSE if live else DealtBy.DEALER,
        clocks=clocks,
    )


def _positions(rulebook: Rulebook, game: Game, wanted: int) -> int:
    """Return how many playing positions the first layout of a game has room for."""
    first = next(one for one in rulebook.layouts if one.game in (None, game.slug))
    return wanted if first.positions is None else min(wanted, first.positions[-1])


async def found_tables(house: House, opener: Actor | None = None) -> None:
    """Found one table for each game, named by its slug, and open those that may be.

    A dealing method is chosen by people: without an ``opener`` who may, such a table is
    founded, and waits for the pit to open it.
    """
    for rulebook in RULEBOOKS:
        for game in rulebook.games:
            settings = settings_of(rulebook, game, house.clocks_of(game.slug))
            await _found(house, game.slug, settings, opener)
    if opener is not None:
        rulebook = RULEBOOKS[0]
        clocks = house.clocks_of(HIGH_LIMIT_TABLE)
        settings = settings_of(rulebook, rulebook.games[0], clocks, method=Method.A)
        await _found(house, HIGH_LIMIT_TABLE, settings, opener)


async def _found(house: House, name: str, settings: Settings, opener: Actor | None) -> None:
    """Found a table; one that was closed stays so, and one that fails stops no other."""
    if name in house.failures:
        return
    desk = await house.table(name)
    if desk.table.plan is not None or desk.seat.sequence > desk.epoch:
        # Of one that was never opened the journal has nothing but its starts.
        return
    if opener is None and settings.method is not None:
        return
    await give(desk, opener or FOUNDER, c.OpenTable(settings))


async def give(desk: Desk, actor: Actor, command: c.Command) -> Reply:
    """Give a command that cannot be refused here."""
    reply = await desk.submit(Request(uuid7(), actor, command))
    if reply.refusal is not None:
        message = f"Table {desk.name} could not be founded: {reply.refusal.sentence}"
        raise JournalError(message)
    return reply
