"""Write docs/house.md: commands, rights and events of the cage and the accounts.

Run it with ``make docs``; a test fails when the page is stale.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.accounts import authority as accounts_authority
from croupier.accounts import commands as accounts_commands
from croupier.accounts import events as accounts_events
from croupier.accounts.decide import OWN_EXCLUSION_MIN, RAISE_DELAY
from croupier.accounts.limits import LimitCode
from croupier.cage import authority as cage_authority
from croupier.cage import commands as cage_commands
from croupier.cage import events as cage_events
from croupier.floor.limits import PLAYS
from croupier.rules.errors import listed
from croupier.table.roles import HOUSE_ABOVE, HousePosition
from tools.table_pages import (
    DOCS,
    GENERATED,
    OF_HOUSES,
    fields_of,
    first_paragraph,
    headings,
    paragraph,
    table_lines,
    typed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    import msgspec

PAGE = DOCS / "house.md"


def house_page() -> str:
    """Return the page of the cage and the accounts."""
    seconds = " or ".join(f"a {one.value}" for one in cage_authority.SECOND)
    lines = [
        "# The house: cage and accounts",
        "",
        *paragraph(
            GENERATED,
            "The cage and the accounts are streams of the journal as tables are: a command is",
            "decided, and what came of it is recorded, done or refused. A command of a patron",
            "that leaves out `patron` is whoever asks. Positions of the house stand beside",
            "those of the rulebooks; nobody in one of them does what a rulebook gives to a",
            "position at a table.",
        ),
        "",
        *paragraph(f"Positions of the house: {listed([one.value for one in HousePosition])}.",
                   *(f"Above {one.value}: {listed([up.value for up in above])}."
                     for one, above in HOUSE_ABOVE.items()),
                   "All others stand apart."),
        "",
        "## The cage",
        "",
        *paragraph(
            "A higher position always may; *second* means that a second person approves:",
            f"{seconds}, or somebody higher, and nobody approves an act of their own.",
            "`validation` never reaches the journal: its digest does.",
        ),
        *commands(cage_commands, cage_commands.COMMANDS, cage_who),
        *refusals("The cage"),
        *events(cage_events, cage_events.EVENTS),
        "",
        "## The accounts",
        "",
        *paragraph(
            "Nobody asks in a position that the accounts do not know of, and nobody changes",
            "the rights of their own account. No command has a secret in it. Once anybody",
            "holds a position here, nobody else acts as staff at a table or the cage: the",
            "record of what staff do names the decision of the accounts as of which it was so.",
            "The first Administrator is added by the house itself.",
        ),
        *commands(accounts_commands, accounts_commands.COMMANDS, accounts_who),
        *refusals("The accounts"),
        *events(accounts_events, accounts_events.EVENTS),
        "",
        "## What keeps a patron from playing",
        "",
        *limits(),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def cage_who(kind: type[cage_commands.CageCommand]) -> str:
    """Say who gives a command of the cage."""
    need = cage_authority.WHO[kind]
    if need.patron:
        return "the patron"
    if need.position is None:
        return "the house itself"
    if need.second in ((), cage_authority.SECOND):
        return need.position.value + (", with a second" if need.second else "")
    return f"{need.position.value}, with a {listed([one.value for one in need.second])}"


def accounts_who(kind: type[accounts_commands.AccountsCommand]) -> str:
    """Say who gives a command of the accounts."""
    need = accounts_authority.WHO[kind]
    who = ["the patron"] if need.patron else []
    who += [one.value for one in need.positions]
    if kind is accounts_commands.AddUser:
        who.append("Cashier for patrons")
    if kind is accounts_commands.NoteAccess:
        who.append("Technician for devices")
    if kind in (accounts_commands.LetAct, accounts_commands.EndActing):
        who.append("whoever stands above that position")
    if need.founds:
        who.append("the house itself")
    return ", ".join(who)


def commands(module: ModuleType, kinds: Iterable[type], who: object) -> Iterator[str]:
    """Yield the tables of commands, with who gives them."""
    yield from _by_heading(module, "Commands", kinds, ("command", "fields", "who", ""), who)


def events(module: ModuleType, kinds: Iterable[type]) -> Iterator[str]:
    """Yield the tables of events."""
    yield from _by_heading(module, "Events", kinds, ("event", "fields", ""), None)


def _by_heading(
    module: ModuleType, title: str, kinds: Iterable[type], head: tuple[str, ...], who: object
) -> Iterator[str]:
    groups = headings(module, "", r"class (\w+)\(")
    last = ""
    yield from ("", f"### {title}")
    for kind in kinds:
        if groups[kind.__name__] != last:
            last = groups[kind.__name__]
            yield from ("", f"**{last}**", "", *table_lines(head, ()))
        name: type[msgspec.Struct] = kind
        cells = [f"`{name.__struct_config__.tag}`", _fields(kind)]
        if callable(who):
            cells.append(who(kind))
        yield from list(table_lines((), [(*cells, first_paragraph(kind))]))[2:]


def _fields(kind: type) -> str:
    return ", ".join(f"`{one.name}` {typed(one)}" for one in fields_of(kind))


def refusals(title: str) -> Iterator[str]:
    """Say where the refusals are."""
    assert title in OF_HOUSES, f"docs/refusals.md has no part {title}"
    anchor = title.lower().replace(" ", "-")
    yield from ("", f"What is refused here is in [refusals.md](refusals.md#{anchor}).")


def limits() -> Iterator[str]:
    """Yield what is said of exclusions and own limits."""
    kinds = listed([f"`{kind.__struct_config__.tag}`" for kind in PLAYS])
    hours, days = RAISE_DELAY // timedelta(hours=1), OWN_EXCLUSION_MIN.days
    yield from paragraph(
        f"The house asks before it gives {kinds} to a stream; what is refused here is not",
        "recorded. Everything else, leaving, taking credit and cashing out above all, is in",
        "nobody's way. Own limits hold for a gaming day and for stakes only: what one stake",
        "may be, what may be lost (the pay lists of the day that stand, and all that is in",
        "play), and how many minutes somebody may be seated, two seats at once counted once.",
        "When the time is over no wager opens a new round for the patron; stakes in play go",
        "on and may be added to.",
    )
    yield ""
    yield from paragraph(
        f"A limit is lowered at once; a higher one, or none, holds {hours} hours after it was",
        "asked for (a cooling-off), and asking again begins the time anew. A patron's own",
        "exclusion is never shortened; one without an end may be lifted by the house after",
        f"{days} days, and not before the end of one that it took the place of.",
    )
    yield ""
    rows = [
        (str(number), f"`{code.value}`", code.meaning)
        for number, code in enumerate(LimitCode, start=1)
    ]
    yield from table_lines(("", "code", "meaning"), rows)


def main() -> None:
    """Write the page."""
    PAGE.write_text(house_page(), encoding="utf-8")
    print("wrote docs/house.md")


if __name__ == "__main__":
    main()
