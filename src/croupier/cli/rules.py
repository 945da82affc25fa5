"""``croupier rules``: the rules of a game as a person would like to read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.games import effective
from croupier.cli.output import GameName, JsonFlag, console, new_table, print_json
from croupier.documents import layouts_of, rules_document
from croupier.rulebooks import find_game, find_rulebook
from croupier.rules.errors import cited, listed
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN
from croupier.rules.tableau import POINTS, STOOD, TOTALS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from croupier.rules.game import Game
    from croupier.rules.tableau import Tableau
    from croupier.table.rulebook import Layout, Rulebook

CARD_POINTS = (
    "Ace counts 1, 2 to 9 their number, ten and picture cards 0; the last digit counts."
)


def rules(game: GameName, /, *, json: JsonFlag = False) -> None:
    """Show pay table, tableau, conditions, layouts and glossary of a game, with clauses."""
    chosen = find_game(game)
    rulebook = find_rulebook(chosen.edition.code)
    if json:
        print_json(rules_document(chosen, rulebook))
        return
    out = console()
    _print_heading(out, chosen, rulebook)
    out.print(_pay_table(chosen))
    for precondition in chosen.preconditions:
        names = " and ".join(chosen.wager(slug).name for slug in precondition.wagers)
        main = chosen.wager(precondition.main).name
        out.print(
            f"{names} need a {main} wager of the same patron in the same round and together"
            f" may not exceed it.  [dim]{cited(precondition.clause)}[/dim]"
        )
    if chosen.die is not None:
        out.print(
            f"A die of {chosen.die.power}, shaken before the cards, makes a Power hand for"
            f" everybody at the table.  [dim]{cited(chosen.die.clause)}[/dim]"
        )
    _print_tableau(out, chosen.tableau)
    out.print(_layout_table(chosen, rulebook))
    if rulebook.areas:
        out.print(_area_table(chosen, rulebook))
    out.print(_glossary_table(rulebook))
    out.print(
        "A1, A2 and so on are our readings of unclear clauses: see docs/readings.md."
        + "".join(
            f" {reading} may be decided otherwise by the operator."
            for reading in rulebook.otherwise_read or ()
        )
    )


def _print_heading(out: Console, game: Game, rulebook: Rulebook) -> None:
    edition = game.edition
    out.rule(f"[bold]{game.name}[/bold]", align="left")
    out.print(f"{edition}, in force {effective(game)} (Singapore time).")
    if rulebook.approval is None:
        out.print("The text of this rulebook holds no approval.")
    else:
        out.print(
            f"Approved: {rulebook.approval.meaning}"
            f"  [dim]{cited(rulebook.approval.clause)}[/dim]"
        )
    zeros = listed([rank.symbol for rank in game.deck.ranks if not rank.points])
    points = f"Ace counts 1, 2 to 9 their number, {zeros} 0; the last digit counts."
    out.print(
        f"{DECKS_MIN} to {DECKS_MAX} decks of {len(game.deck)} cards."
        f"  [dim]{cited(game.deck_clause)}[/dim]  {points}  [dim]{edition.code} 3.3,"
        f" {edition.code} 3.4[/dim]\n"
    )


def _pay_table(game: Game) -> Table:
    table = new_table("Wager", "When", "Pays", "Clause", title="What each wager pays")
    for wager in game.wagers:
        optional = " [dim](optional)[/dim]" if wager.optional else ""
        for number, row in enumerate(wager.rows):
            name = f"{wager.name}{optional}" if number == 0 else ""
            last = number == len(wager.rows) - 1
            table.add_row(name, row.label, row.pays.text, cited(row.clause), end_section=last)
    table.caption = "The first line that holds applies; if none does, the wager loses."
    table.caption_justify = "left"
    return table


def _print_tableau(out: Console, tableau: Tableau) -> None:
    draws, stands = tableau.player_draws, tableau.player_stands
    out.print(
        f"\n[bold]Table of Play[/bold]  [dim]{cited(tableau.clause)}[/dim]\n"
        f"A two-card 8 or 9 is a natural: no more cards.  [dim]{cited(tableau.natural)}[/dim]\n"
        f"Otherwise Player draws on {draws.totals[0]} to {draws.totals[-1]} and stands on"
        f" {stands.totals[0]} and {stands.totals[-1]}.  [dim]{cited(draws.clause)}[/dim]"
    )
    headings = ["stood" if third is STOOD else str(third) for third in (STOOD, *POINTS)]
    out.print("Banker draws (D) or stands (-), by its total and the Player's third card:")
    table = new_table("Banker", *headings, "Clauses")
    for total, calls in zip(TOTALS, tableau.calls, strict=True):
        cells = ["D" if call.draws else "-" for call in calls]
        clauses = dict.fromkeys(cited(call.clause) for call in calls)
        table.add_row(str(total), *cells, ", ".join(clauses))
    out.print(table)


def _layout_table(game: Game, rulebook: Rulebook) -> Table:
    table = new_table("Layout", "Playing positions", "Clause", title="Layouts")
    for layout in layouts_of(game, rulebook):
        where = f"{layout.name} ({layout.terminal})" if layout.terminal else layout.name
        table.add_row(where, positions_text(layout, rulebook), cited(layout.clause))
    return table


def _area_table(game: Game, rulebook: Rulebook) -> Table:
    table = new_table("For wagers on", "Clause", title="Areas at every playing position")
    for area in rulebook.areas:
        names = " and ".join(game.wager(slug).name for slug in area.wagers)
        table.add_row(names, cited(area.clause))
    return table


def positions_text(layout: Layout, rulebook: Rulebook) -> str:
    """Say how many playing positions a layout has."""
    if layout.positions is not None:
        first, last = layout.positions[0], layout.positions[-1]
        return "1" if last == 1 else f"{first} to {last}"
    return "terminal" if not rulebook.areas else "set by the table's configuration"


def _glossary_table(rulebook: Rulebook) -> Table:
    table = new_table("Word", "Meaning", "Clause", title=f"Words of {rulebook.code}")
    for term in rulebook.glossary:
        names = ", ".join((term.name, *term.also))
        table.add_row(names, term.meaning, cited(term.clause))
    return table
