"""``croupier ratings``: how long, how often and for how much patrons played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import JournalName, Text, journal_at, row, run, say, shown_name
from croupier.cli.output import JsonFlag, console, new_table, print_json
from croupier.cli.win import (
    Asked,
    Days,
    Shifts,
    Tables,
    Zone,
    days_of,
    gaming_day_at,
    gaming_day_of,
    heading,
    performance_at,
    print_day,
    require_respects,
)
from croupier.money import dollars

if TYPE_CHECKING:
    from datetime import timedelta

    from rich.console import Console

    from croupier.floor.performance import Rated

MINUTE = 60


def ratings(
    journal: JournalName,
    /,
    *,
    by: Annotated[
        tuple[Text, ...],
        Parameter(
            negative="",
            show_default=", ".join,
            help="day, patron, game or table; repeat it for several together.",
        ),
    ] = ("day", "patron", "game"),
    patron: Annotated[
        tuple[Text, ...],
        Parameter(negative="", show_default=False, help="Only this patron; repeatable."),
    ] = (),
    table: Tables = (),
    day: Days = (),
    zone: Zone = None,
    shift: Shifts = (),
    json: JsonFlag = False,
) -> None:
    """Show time, turnover, average stake, win and theoretical win of patrons.

    Time is from taking a seat to leaving it; whoever is still seated counts until the newest
    decision of the table. The average is of all stakes of a round together.
    """
    from croupier.floor.performance import RATED_BY  # noqa: PLC0415  # slow to load
    from croupier.floor.performance import ratings as ratings_by  # noqa: PLC0415

    respects = require_respects(by, RATED_BY)
    asked = Asked(days_of(day), table, gaming_day_of(zone, shift, gaming_day_at(journal)))
    book = run(performance_at(journal_at(journal), asked))
    rated = ratings_by(book, respects, days=asked.days, patrons=patron, tables=table)
    if json:
        print_json(
            heading(journal, asked)
            | {"by": respects, "patrons": list(patron)}
            | {"ratings": [rating_document(one) for one in rated]}
        )
        return
    out = console()
    if not rated:
        what = "patron" if not patron else "play of the patrons that were named"
        say(out, asked.nothing(shown_name(journal_at(journal)), what))
        return
    print_ratings(out, respects, rated)
    say(out, "Win is the house's; theoretical is the turnover times the exact edge.")
    print_day(out, asked.gaming_day)


def rating_document(one: Rated) -> dict[str, object]:
    """Return a rating in JSON."""
    sums, average = one.sums, one.average_cents
    return {
        **one.of,
        "seated_seconds": int(one.seated.total_seconds()),
        "rounds": sums.rounds,
        "stakes": sums.stakes,
        "turnover_cents": sums.turnover_cents,
        "pushed_cents": sums.pushed_cents,
        "average_cents": None if average is None else round(average),
        "bought_cents": one.bought_cents,
        "taken_cents": one.taken_cents,
        "win_cents": sums.win_cents,
        "commission_cents": sums.commission_cents,
        "theoretical_cents": round(one.expected_cents),
    }


COLUMNS = ("Time", "Rounds", "Turnover", "Average", "Bought in", "Win", "Theoretical")


def print_ratings(out: Console, respects: list[str], rated: list[Rated]) -> None:
    """Show ratings on a terminal."""
    table = new_table(*(one.capitalize() for one in respects), *COLUMNS, right=COLUMNS)
    for one in rated:
        average = one.average_cents
        row(
            table,
            *one.of.values(),
            hours(one.seated),
            f"{one.sums.rounds:,}",
            dollars(one.sums.turnover_cents),
            "" if average is None else dollars(round(average)),
            dollars(one.bought_cents),
            dollars(one.sums.win_cents),
            dollars(round(one.expected_cents)),
        )
    out.print(table)


def hours(time: timedelta) -> str:
    """Write a time in hours, minutes and seconds.

    >>> from datetime import timedelta
    >>> hours(timedelta(days=1, minutes=2, seconds=3))
    '24:02:03'
    """
    minutes, seconds = divmod(int(time.total_seconds()), MINUTE)
    whole, minutes = divmod(minutes, MINUTE)
    return f"{whole}:{minutes:02}:{seconds:02}"
