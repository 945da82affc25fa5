"""``croupier replay``: a table as it was, folded from its decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import (
    JournalName,
    TableName,
    journal_at,
    row,
    run,
    say,
    table_in,
    warn,
)
from croupier.cli.output import JsonFlag, Whole, console, new_table, print_json
from croupier.money import dollars

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.journal.recall import Folded
    from croupier.table.state import Table
    from croupier.table.views.shapes import HandShown, PublicView


def replay(
    journal: JournalName,
    /,
    *,
    table: TableName = None,
    until: Annotated[
        Whole | None,
        Parameter(help="The last decision to fold, 0 for none; without it all of them."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Show a table as it was after a decision: phase, cards, stakes, credits."""
    name, folded = run(folded_at(journal_at(journal), table, until))
    if json:
        print_json(folded_document(name, folded))
    else:
        print_folded(name, folded)


async def folded_at(journal: str, table: str | None, until: int | None) -> tuple[str, Folded]:
    """Open a journal and fold one of its tables; return its name, too."""
    from croupier.journal.opening import open_reader  # noqa: PLC0415  # slow to load
    from croupier.journal.recall import fold_until  # noqa: PLC0415
    from croupier.rulebooks import RULEBOOKS  # noqa: PLC0415

    async with await open_reader(journal) as reader:
        await warn(reader)
        name = await table_in(reader, table)
        return name, await fold_until(reader, name, RULEBOOKS, until)


def folded_document(name: str, folded: Folded) -> dict[str, object]:
    """Return a table in JSON, as an auditor sees it."""
    import msgspec  # noqa: PLC0415  # only for JSON

    from croupier.table.views import Audience, view  # noqa: PLC0415

    shown = view(folded.table, Audience.AUDITOR, held_since=folded.held_since)
    return {
        "table": name,
        "decision": folded.head.sequence,
        "hash": folded.head.hash.hex(),
        "moment": folded.moment or None,
        "view": msgspec.to_builtins(shown),
    }


def print_folded(name: str, folded: Folded) -> None:
    """Show a table on a terminal."""
    from croupier.table.views import public_view  # noqa: PLC0415  # slow to load

    out, table, view = console(), folded.table, public_view(folded.table, folded.held_since)
    when = f" of {folded.moment}" if folded.moment else ""
    say(out, f"Table {name} after decision {folded.head.sequence}{when}", "bold")
    say(out, f"{view.phase.value}: {view.calls}.")
    if view.rules is not None:
        rules = view.rules
        of = f"{rules.rulebook} version {rules.version}"
        say(out, f"{rules.name}, {of}, {rules.decks} decks")
    if view.hold is not None:
        say(out, f"On hold: {view.hold.kind.value}", "yellow")
    if view.round is not None:
        print_round(out, view)
    print_money(out, table)


def print_round(out: Console, view: PublicView) -> None:
    """Show the cards of the round, and its outcome."""
    die = f", die {view.die}" if view.die else ""
    say(out, f"Round {view.round}{die}")
    for hand in view.hands:
        if hand.cards:
            say(out, hand_text(hand))
    if view.outcome is not None:
        winner = view.outcome.winner
        say(out, "Tie" if winner == "tie" else f"{winner.title()} wins")


def hand_text(hand: HandShown) -> str:
    """Write the cards of a hand; one that is not exposed is face down."""
    cards = " ".join(card.face or "face down" for card in hand.cards)
    points = f" ({hand.points})" if hand.points is not None else ""
    return f"{hand.side.value.title()}: {cards}{points}"


def print_money(out: Console, table: Table) -> None:
    """Show stakes, credits and the house's result."""
    if table.stakes:
        stakes = new_table("Stake", "Wager", "Patron", "Amount", right=("Stake", "Amount"))
        for stake in table.stakes:
            for share in stake.shares:
                amount = dollars(share.cents)
                row(stakes, str(stake.number), stake.wager, share.patron, amount)
        out.print(stakes)
    if table.credits:
        credits_ = new_table("Patron", "Seat", "Credit", right=("Seat", "Credit"))
        for patron, cents in sorted(table.credits.items()):
            row(credits_, patron, str(table.seats.get(patron, "")), dollars(cents))
        out.print(credits_)
    shoe = table.shoe
    if shoe is not None:
        say(out, f"Shoe {shoe.name}: {shoe.out} of {shoe.cards} cards are out")
    say(
        out,
        f"In play {dollars(table.in_play)}, house {dollars(table.bank)},"
        f" commission {dollars(table.commission)}",
    )
