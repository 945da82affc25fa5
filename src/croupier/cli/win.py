"""``croupier win``: win and hold beside what the exact odds expect."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter
from msgspec.structs import replace

from croupier.cli.journals import (
    JournalName,
    Text,
    counted,
    journal_at,
    row,
    run,
    say,
    shown_name,
    warn,
)
from croupier.cli.output import JsonFlag, console, new_table, print_json, progress_bar
from croupier.cli.simulate import plural
from croupier.gaming_day import GamingDay, Shift, read_day
from croupier.money import dollars
from croupier.rules.errors import RulesError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date
    from fractions import Fraction

    from rich.console import Console

    from croupier.floor.performance import Line
    from croupier.journal.performance import Performance

ROUNDS_FEW = 100
"""With fewer rounds the normal curve is no guide."""

Tables = Annotated[
    tuple[Text, ...],
    Parameter(
        name="--table", negative="", show_default=False, help="Only this table; repeatable."
    ),
]
Days = Annotated[
    tuple[Text, ...],
    Parameter(
        name="--day",
        negative="",
        show_default=False,
        help="Only this gaming day, as 2026-03-01; repeatable.",
    ),
]
Zone = Annotated[
    Text | None,
    Parameter(
        name="--zone",
        help="The time zone of the house, as Europe/Paris; Asia/Singapore unless it is given.",
    ),
]
Shifts = Annotated[
    tuple[Text, ...],
    Parameter(
        name="--shift",
        negative="",
        show_default=False,
        help="A shift and when it begins, as day=08:00, in their order; the first begins the"
        " gaming day. Unless any are given: day=06:00, swing=14:00, night=22:00.",
    ),
]
SHIFT = re.compile("(.+)=([^=]+)")


def win(
    journal: JournalName,
    /,
    *,
    by: Annotated[
        tuple[Text, ...],
        Parameter(
            negative="",
            show_default=", ".join,
            help="table, game, wager, shift or day; repeat it for several together.",
        ),
    ] = ("table",),
    table: Tables = (),
    day: Days = (),
    zone: Zone = None,
    shift: Shifts = (),
    json: JsonFlag = False,
) -> None:
    """Show turnover, win and hold, the theoretical win, and whether the win is plausible.

    Turnover is all that was settled, pushes too. The band is where the win lies in 95 of 100
    cases by the exact variance of the stakes as they were. Rounds that were void do not count,
    and a pay list that was corrected counts as it was finally paid.
    """
    from croupier.floor.performance import BY  # noqa: PLC0415  # slow to load
    from croupier.floor.performance import win as win_by  # noqa: PLC0415

    respects = require_respects(by, BY)
    asked = Asked(days_of(day), table, gaming_day_of(zone, shift, gaming_day_at(journal)))
    book = run(performance_at(journal_at(journal), asked))
    lines = win_by(book, respects, days=asked.days, tables=table)
    whole = win_by(book, (), days=asked.days, tables=table)
    if json:
        print_json(
            heading(journal, asked)
            | {"by": respects, "lines": [line_document(line) for line in lines]}
            | {"total": line_document(whole[0]) if whole else None}
        )
        return
    out = console()
    if not lines:
        say(out, asked.nothing(shown_name(journal_at(journal)), "round"))
        return
    print_lines(out, respects, lines, whole[0])
    print_meaning(out, asked, lines)


class Asked(NamedTuple):
    """What was asked of a journal."""

    days: tuple[date, ...]
    tables: tuple[str, ...]
    gaming_day: GamingDay

    def nothing(self, journal: str, what: str) -> str:
        """Say that nothing of it is in the journal."""
        days = [day.isoformat() for day in self.days]
        when = f" on {listed(days, 'or')}" if days else ""
        where = f" at table {listed(list(self.tables), 'or')}" if self.tables else ""
        return f"{journal} has no {what}{where}{when}."


def require_respects(by: Collection[str], known: Collection[str]) -> list[str]:
    """Return what figures are told by, in the order of the columns; refuse anything else."""
    unknown = next((one for one in by if one not in known), None)
    if unknown is not None:
        message = (
            f"Figures cannot be told by {quoted(unknown)}; they can be by"
            f" {listed(list(known), 'or')}."
        )
        raise RulesError(message)
    return [respect for respect in known if respect in by]


def days_of(days: tuple[str, ...]) -> tuple[date, ...]:
    """Return the gaming days that were named."""
    return tuple(read_day(day) for day in days)


def gaming_day_at(journal: str) -> GamingDay | None:
    """Return the gaming day that a house has set; None: the journal is not in its folder."""
    from croupier.floor.configuration import (  # noqa: PLC0415  # slow to load
        CONFIGURATION,
        read_configuration,
    )
    from croupier.journal.errors import JournalError  # noqa: PLC0415

    if journal_at(journal) == journal:
        return None
    try:
        return read_configuration(Path(journal) / CONFIGURATION).gaming_day
    except JournalError as error:
        raise RulesError(str(error)) from error


def gaming_day_of(
    zone: str | None, shifts: tuple[str, ...], usual: GamingDay | None = None
) -> GamingDay:
    """Return the usual gaming day, with what was described otherwise."""
    usual = GamingDay() if usual is None else usual
    found = []
    for text in shifts:
        match = SHIFT.fullmatch(text)
        if match is None:
            message = f"{quoted(text)} is not a shift; write it as in day=08:00."
            raise RulesError(message)
        found.append(Shift(*match.groups()))
    return GamingDay(zone or usual.zone, tuple(found) or usual.shifts, usual.currency)


async def performance_at(journal: str, asked: Asked) -> Performance:
    """Open a journal and count what its tables did."""
    from croupier.journal.opening import open_reader  # noqa: PLC0415  # slow to load
    from croupier.journal.performance import Performance, read_tables  # noqa: PLC0415

    book = Performance(asked.gaming_day)
    async with await open_reader(journal) as reader:
        await warn(reader)
        with progress_bar("decisions", "counting") as report:
            progress = await counted(reader, report)
            await read_tables(book, reader, asked.tables, progress)
    return book


def heading(journal: str, asked: Asked) -> dict[str, object]:
    """Return in JSON what figures are of."""
    day = asked.gaming_day
    return {
        "journal": shown_name(journal_at(journal)),
        "currency": day.currency.code,
        "zone": day.zone,
        "shifts": [{"name": one.name, "begins": one.begins} for one in day.shifts],
        "days": [one.isoformat() for one in asked.days],
        "tables": list(asked.tables),
    }


def line_document(line: Line) -> dict[str, object]:
    """Return a line in JSON; theoretical win and band are rounded to cents here."""
    sums, wager = line.sums, "wager" in line.of
    low, high = line.band_cents
    return {
        **line.of,
        "rounds": sums.rounds,
        "stakes": sums.stakes,
        "turnover_cents": sums.turnover_cents,
        "pushed_cents": sums.pushed_cents,
        "win_cents": sums.win_cents,
        "commission_cents": sums.commission_cents,
        "drop_cents": line.drop_cents,
        "hold": number(line.hold),
        "hold_of": line.hold_of,
        "hold_expected": number(line.hold_expected),
        "voids": None if wager else line.voids,
        "corrections": None if wager else line.corrections,
        "rounds_an_hour": number(line.rounds_an_hour),
        "edge": number(line.edge),
        "expected_cents": round(line.expected_cents),
        "sd_cents": round(line.sd_cents),
        "band_cents": [low, high],
        "z": None if line.z is None else round(line.z, 4),
        "standing": line.standing.value,
    }


def number(part: Fraction | None) -> float | None:
    """Return a part as a number with six decimals."""
    return None if part is None else round(float(part), 6)


def percent(part: Fraction | None) -> str:
    """Write a part in percent."""
    return "" if part is None else f"{float(part):.2%}"


COLUMNS = ("Rounds", "Turnover", "Drop", "Win", "Hold", "Edge", "Expected", "± 95 %", "z")


def print_lines(out: Console, respects: list[str], lines: list[Line], whole: Line) -> None:
    """Show win and hold on a terminal."""
    drops = "wager" not in respects
    if not drops:
        whole = replace(whole, drop_cents=None)  # hold of turnover, as in the lines above
    columns = [name for name in COLUMNS if drops or name != "Drop"]
    table = new_table(
        *(respect.capitalize() for respect in respects), *columns, "Standing", right=columns
    )
    for line in lines:
        row(table, *line.of.values(), *cells(line, drops=drops))
    if len(lines) > 1 and respects:
        table.add_section()
        row(table, "all", *[""] * (len(respects) - 1), *cells(whole, drops=drops))
    out.print(table)
    said = [plural(whole.sums.rounds, "round"), plural(whole.sums.stakes, "stake")]
    said.append(f"commission of {dollars(whole.sums.commission_cents)} in the win")
    if whole.voids:
        said.append(f"{plural(whole.voids, 'round')} void")
    if whole.corrections:
        said.append(f"{plural(whole.corrections, 'pay list')} corrected")
    say(out, f"{', '.join(said)}.")


def cells(line: Line, *, drops: bool) -> list[str]:
    """Return the cells of a line."""
    sums, (_, high) = line.sums, line.band_cents
    return [
        f"{sums.rounds:,}",
        dollars(sums.turnover_cents),
        *([dollars(line.drop_cents or 0)] if drops else []),
        dollars(sums.win_cents),
        percent(line.hold),
        percent(line.edge),
        dollars(round(line.expected_cents)),
        dollars(high - round(line.expected_cents)),
        "" if line.z is None else f"{line.z:+.2f}",
        line.standing.value,
    ]


def print_meaning(out: Console, asked: Asked, lines: list[Line]) -> None:
    """Say what the columns mean."""
    kinds = {line.hold_of for line in lines}
    for kind in sorted(kinds):
        where = " where nothing was brought to the table" if len(kinds) > 1 else ""
        say(out, f"Hold is win of {kind}{where if kind == 'turnover' else ''}.")
    if any(line.sums.rounds < ROUNDS_FEW for line in lines):
        say(out, f"With fewer than {ROUNDS_FEW} rounds the band is a rough guide only.")
    print_day(out, asked.gaming_day)


def print_day(out: Console, day: GamingDay) -> None:
    """Say what amounts are in, and when gaming days begin."""
    amounts = f"Amounts are in {day.currency.code}"
    say(out, f"{amounts}; gaming days begin at {day.begins}, {day.zone}.")
