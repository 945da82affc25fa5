"""``croupier play``: play a script and compare it, or play at a table of your own."""

from __future__ import annotations

import json as json_text
import random
import secrets
import sys
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import Whole, standard_input
from croupier.cli.seat import JsonSeat, Seat, answer_document, say
from croupier.playthrough import House, play_script
from croupier.playthrough.lines import read_amount, read_lines
from croupier.rules.errors import RulesError, listed, quoted

if TYPE_CHECKING:
    from croupier.playthrough import Played

SEEDS = 2**32
USUAL_DECKS, USUAL_CREDIT = 8, "1,000.00"


def play(
    script: Annotated[
        Path | None,
        Parameter(
            name="SCRIPT",
            help="A playthrough; - is standard input.",
            allow_leading_hyphen=True,
        ),
    ] = None,
    /,
    *,
    game: Annotated[
        str | None, Parameter(help="Play this game at a table of your own; see `games`.")
    ] = None,
    seed: Annotated[
        Whole | None, Parameter(help="A number from 0; the same seed shuffles the same shoe.")
    ] = None,
    decks: Annotated[
        Whole | None, Parameter(help="Decks in the shoe, 4 to 10; 8 if you do not say.")
    ] = None,
    credit: Annotated[
        str | None,
        Parameter(help="How many dollars you bring; 1,000.00 if you do not say."),
    ] = None,
    house: Annotated[
        Path | None,
        Parameter(
            help="Keep the table in this house's folder: its journal, keys and checkpoints;"
            " the folder is made if it is not there."
        ),
    ] = None,
    json: Annotated[
        bool,
        Parameter(
            negative="",
            show_default=False,
            help="Print JSON, one object for each line. Exit code 1: a line of a script"
            " differs or, with --game and --json, a line was refused or not understood.",
        ),
    ] = False,
) -> int:
    """Play a playthrough and compare its results, or play a game line by line."""
    if script is None and game is None:
        message = "Name a script to play, or a game, as in `croupier play --game baccarat`."
        raise RulesError(message)
    if script is not None:
        if game is not None:
            message = "Name a script or a game, not both."
            raise RulesError(message)
        refuse_options({"--seed": seed, "--decks": decks, "--credit": credit, "--house": house})
        return play_file(script, as_json=json)
    assert game is not None
    cents = read_credit(USUAL_CREDIT if credit is None else credit)
    many = USUAL_DECKS if decks is None else decks
    dealer = House(game, chance(seed).randrange, decks=many, credit_cents=cents)
    seat = JsonSeat(dealer) if json else Seat(dealer)
    given = [name for name, one in (("--decks", decks), ("--credit", credit)) if one]
    return seat.sit() if house is None else sit_in(house, seat, seed, given)


def sit_in(folder: Path, seat: Seat, seed: int | None, given: list[str]) -> int:
    """Play at a table of a house, which keeps everything: one that was left is found again.

    ``given`` names the options that came and mean a new table.
    """
    from croupier.cli.kept import KeptTable  # noqa: PLC0415  # only who keeps a journal waits

    game = seat.house.game.slug
    kept = KeptTable(folder, game, None if seed is None else chance(seed).randrange)
    for notice in [*kept.notices, *unused(given if kept.found else [])]:
        sys.stderr.write(f"{notice}\n")
    seat.house.session.decider = kept.decide
    seat.house.session.table = kept.table
    seat.kept = kept
    if kept.wallet_cents and "--credit" not in given:
        seat.house.credit_cents = 0  # what the wallet holds is enough to sit down with
    try:
        return seat.sit()
    finally:
        sys.stderr.write(f"{kept.close()}\n")


def unused(given: list[str]) -> list[str]:
    """Say which options do nothing at a table that was found again."""
    if not given:
        return []
    verb = "is" if len(given) == 1 else "are"
    return [f"The table keeps its decks and your credit: {listed(given)} {verb} not used."]


def chance(seed: int | None) -> random.Random:
    """Return where the order of the cards comes from."""
    if seed is not None and seed < 0:
        message = f"A seed of {seed} came; a seed is 0 or more."
        raise RulesError(message)
    return random.Random(  # noqa: S311  # a game for fun that can be repeated
        secrets.randbelow(SEEDS) if seed is None else seed
    )


def refuse_options(options: dict[str, object]) -> None:
    """Refuse options that would do nothing: a script opens its own table."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        verb = "does" if len(given) == 1 else "do"
        message = f"A script opens its own table; {listed(given)} {verb} nothing with it."
        raise RulesError(message)


def read_credit(text: str) -> int:
    """Read what somebody brings; the table says what is too much."""
    cents = read_amount(text)
    if cents <= 0:
        message = f"A credit of {text} came; bring something above zero."
        raise RulesError(message)
    return cents


# Scripts


def play_file(path: Path, *, as_json: bool) -> int:
    """Play a script; return 1 when something differs from what it says."""
    if str(path).startswith("-") and str(path) != "-":
        message = f"{quoted(str(path))} is no option; `croupier play --help` lists them."
        raise RulesError(message)
    if str(path) == "-":
        text = standard_input().read()
    else:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    if not any(line.asks for line in read_lines(text)):
        message = "The script is empty: no line of it asks for anything."
        raise RulesError(message)
    asked, wrong = 0, 0
    show = print_document if as_json else print_played
    for played in play_script(text):
        asked += played.line.asks
        wrong += not played.ok
        show(played)
    if not as_json:
        lines = "1 line" if asked == 1 else f"{asked} lines"
        say(f"{lines}, {wrong or 'none'} {'differs' if wrong == 1 else 'differ'}")
    return 1 if wrong else 0


def print_document(played: Played) -> None:
    """Print what a line of a script led to as one JSON object."""
    line = played.line
    if not line.asks:
        return
    document = {
        "line": line.number,
        "text": line.text,
        "ok": played.ok,
        "expected": line.expected,
        **answer_document(played.result, played.answer),
    }
    sys.stdout.write(json_text.dumps(document) + "\n")


def print_played(played: Played) -> None:
    """Print a line of a script with its result, and what was expected where it differs."""
    line, answer = played.line, played.answer
    say(played.written, style=None if played.ok else "red")
    if not line.asks:
        return
    if answer is None:
        say(f"  ! {played.result}", style="red")
    elif answer.sentence is not None and line.sentence is None:
        say(f"  | {answer.sentence}", style="dim")
    if line.expected is None and answer is not None and not played.ok:
        say("  ! this line has no result yet", style="red")
    elif not played.ok:
        if line.expected is not None:
            say(f"  ! expected: {line.expected}", style="red")
        if line.sentence is not None:
            say(f"  ! expected: | {line.sentence}", style="red")
