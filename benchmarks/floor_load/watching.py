"""Everybody watches: wagers and changes all the time, one change to all, a burst at the end."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from floor_load.common import MIB, Floor, Measured, spread
from floor_load.crowd import clock
from floor_load.machine import resident_bytes
from floor_load.playing import BETTING_SECONDS, CLOSE, Playing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from floor_load.common import Plan, Row

PACE_SECONDS = 0.6
"""From one change that everybody hears at once to the next, at each table."""
APART_SECONDS = 0.35
"""From one change to a whole crowd to the next; behind it a wager waits for no tick."""
CROWD_SECONDS = 20.0
BURST_SECONDS, LATE_SECONDS = 1.0, 0.05
"""How long wagers come before the closing, and how long some still come behind it."""
TURN_SECONDS = 0.0005
LOOKS = 10
"""How often memory is told: every minute of ten."""


def steady(plan: Plan) -> list[Row]:
    """Place wagers all the time, and let everybody hear of cards or guests at each table."""
    floor = Floor(plan)
    bettors, tables = itertools.cycle(floor.bettors), floor.tables
    # Not all tables at once: in a house, too, some take bets while others deal.
    playing = {
        table: Playing(floor, table, BETTING_SECONDS * place / len(tables))
        for place, table in enumerate(tables, 1)
    }
    memory: list[int] = []
    wagers = changes = 0
    measured = Measured(plan)
    while (passed := measured.passed) < plan.seconds:
        while passed * plan.rate > wagers:
            wagers += 1
            _bet(floor, playing, bettors)
        while passed * len(tables) / PACE_SECONDS > changes:
            playing[tables[changes % len(tables)]].go_on()
            changes += 1
        if passed > len(memory):
            memory.append(resident_bytes(plan.server))
        floor.listen(TURN_SECONDS)
    rows = measured.rows()
    rate = len(floor.waits) / measured.passed
    floor.finish()
    looks = [memory[len(memory) * n // LOOKS] for n in range(LOOKS)] + memory[-1:]
    return [
        ("clients, tables", f"{len(floor.at):,}, {len(tables)}", ""),
        ("rounds played", str(sum(one.round - 1 for one in playing.values())), ""),
        ("wagers a second", f"{rate:,.0f}, {floor.refused} refused", f"{plan.rate}"),
        ("a wager answered (p50, p99, longest)", spread(floor.waits), ""),
        ("a change heard (p50, p99, longest)", spread(floor.changed), "p99 100 ms"),
        *rows,
        floor.memory,
        ("memory as time goes, MiB", ", ".join(f"{one / MIB:.0f}" for one in looks), "flat"),
    ]


def _bet(floor: Floor, playing: dict[str, Playing], bettors: Iterator[int]) -> None:
    """Let the next bettor place a wager who can: at a table that takes bets, and answered."""
    for number in itertools.islice(bettors, len(floor.bettors)):
        at = playing[floor.at[number]]
        if at.open and number not in floor.starts:
            floor.bet(number, at.round)
            return


def everybody(plan: Plan) -> list[Row]:
    """Let one thing happen at a table, wait for the last of all clients, and again."""
    table = plan.house.tables[0]
    floor = Floor(plan, [table])
    floor.listen_to(list(floor.at))
    bettor = next(iter(floor.bettors))

    def change() -> None:
        floor.change(table)

    def bet() -> None:
        floor.bet(bettor)

    rows: list[Row] = [("clients at one table", f"{len(floor.at):,}", "")]
    for what, do in (("a seat", change), ("a wager", bet)):
        measured = Measured(plan)
        lasts = [_last(floor, do) for _ in range(plan.changes)]
        (_, busy, _), (_, one, _) = measured.rows(plan.changes * len(floor.at))
        rows += [
            (f"{what}: the last hears (p50, p99, longest)", spread(lasts), "200 ms"),
            (f"{what}: us a client, server (kernel)", one.partition("),")[0] + ")", ""),
            (f"{what}: cores: server, writer, load", busy, ""),
        ]
    return [*rows, floor.memory]


def _last(floor: Floor, do: Callable[[], None]) -> float:
    """Let something happen; return how long it takes until everybody heard of it."""
    pause = clock() + APART_SECONDS
    while clock() < pause:
        floor.listen(0.01)
    for heard in floor.heard.values():
        heard.clear()
    began = clock()
    do()
    missing = set(floor.heard)
    while missing:
        assert clock() - began < CROWD_SECONDS, f"{len(missing)} hear nothing"
        floor.listen(0.005)
        missing = {number for number in missing if not floor.heard[number]}
    return max(heard[0][1] for heard in floor.heard.values()) - began


def burst(plan: Plan) -> list[Row]:
    """Place wagers in the last second before the closing, and some behind it."""
    floor = Floor(plan)
    bettors, tables = list(floor.bettors), floor.tables
    sent, closing, measured = 0, False, Measured(plan)
    late, before = 0, 0
    while (passed := measured.passed) < BURST_SECONDS + LATE_SECONDS:
        while sent < len(bettors) and passed * len(bettors) / BURST_SECONDS > sent:
            floor.bet(bettors[sent])
            sent += 1
        if passed > BURST_SECONDS and not closing:
            closing, before = True, len(floor.waits)
            for table in tables:
                floor.order(table, CLOSE)
        if closing and late < len(bettors) and bettors[late] not in floor.starts:
            floor.bet(bettors[late])
            late += 1
        floor.listen(TURN_SECONDS)
    floor.finish()
    overdue = sum(
        sequence > max(floor.sent[table])
        for table, sequences in floor.accepted.items()
        for sequence in sequences
    )
    count = sum(map(len, floor.accepted.values()))
    return [
        ("clients, tables", f"{len(floor.at):,}, {len(tables)}", ""),
        ("wagers before, behind the closing", f"{sent:,}, {late:,}", "1,000"),
        (
            "accepted, refused, not answered",
            f"{count}, {floor.refused}, {len(floor.starts)}",
            "",
        ),
        ("accepted though late", str(overdue), "0"),
        (
            "before the closing, answered (p50, p99, longest)",
            spread(floor.waits[:before]),
            "p99 50 ms",
        ),
        ("all, also those behind it, sent at once", spread(floor.waits), ""),
        *measured.rows(),
    ]
