"""Write docs/protocol.md: the fields of every view, change, event and list, from the code."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from croupier.table.evolve import EVENTS
from croupier.table.views import lobby, rounds
from croupier.table.views.hearing import ANNOUNCED, BESIDE, OWN, PATRONS, SEAT, Audience
from croupier.table.views.projection import PARTS, VIEWS
from croupier.table.views.shapes import PublicView
from tools.table_pages import (
    DOCS,
    GENERATED,
    fields_of,
    first_paragraph,
    paragraph,
    table_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = "protocol.md"
OURS = "croupier.table.views"


def page() -> str:
    """Return the page."""
    lines = [
        "# The protocol: what each audience sees and hears",
        "",
        *paragraph(
            GENERATED,
            "Money is integer cents in fields that end in `cents`; moments are ISO 8601;",
            "a clause is written as people cite it, such as `BAC8 5.4`. What `may` holds is in",
            "[may.md](may.md).",
        ),
        "",
        "## Views",
        "",
        *paragraph(
            "Everybody sees the public view. Every other view is the public one with one field",
            "more, which holds all that this audience sees beside it:",
            ", ".join(f"`{PARTS[one]}` ({one.value})" for one in PARTS) + ".",
            "A card that is drawn and not exposed has no face in any of them.",
        ),
        "",
        *struct_section(PublicView, "###"),
    ]
    for audience, field in PARTS.items():
        (part,) = [
            one.type for one in msgspec.structs.fields(VIEWS[audience]) if one.name == field
        ]
        lines += ["", *struct_section(part, "###", f"`{field}`")]
    lines += ["", "### Parts of views"]
    for kind in parts_of(*VIEWS.values()):
        lines += ["", *struct_section(kind, "####")]
    lines += ["", *changes_section(), "", *events_section(), "", *lists_section()]
    return "\n".join(lines) + "\n"


def parts_of(*roots: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """Return the shapes within these, each once, without those that are told by themselves."""
    told = {*roots, *(one.type for root in roots for one in msgspec.structs.fields(root))}
    found: dict[type[msgspec.Struct], None] = {}
    for root in roots:
        for kind in _within(root):
            if kind not in told and kind.__module__.startswith(OURS):
                found.setdefault(kind)
    return list(found)


def _within(kind: Any) -> Iterator[type[msgspec.Struct]]:  # noqa: ANN401  # any annotation
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from _within(field.type)
    for part in get_args(kind):
        yield from _within(part)


def struct_section(kind: type[msgspec.Struct], marks: str, name: str = "") -> list[str]:
    """Return the heading and the fields of a shape, with those that it shares."""
    heading = f"{name} ({kind.__name__})" if name else kind.__name__
    rows = []
    for base in reversed(inspect.getmro(kind)):
        if base.__module__.startswith(OURS):
            rows += [(f"`{one.name}`", f"`{one.kind}`", one.doc) for one in fields_of(base)]
    return [
        f"{marks} {heading}",
        "",
        first_paragraph(kind),
        "",
        *table_lines(("field", "type", "meaning"), rows),
    ]


def changes_section() -> list[str]:
    """Return what a change holds."""
    return [
        "## Changes",
        "",
        *paragraph(
            'A change is `{"events", "view"}`: what the audience hears, and the fields of its',
            "view that changed, whole. A client is a fold: `view = {...view, ...change.view}`.",
            "One exception: `areas` holds the areas that changed, by `POSITION/WAGER`, and",
            "null for one that is gone; it is merged one level deep. Who hears nothing",
            "and sees nothing changed gets no change.",
        ),
    ]


def events_section() -> list[str]:
    """Return what each audience hears of every event."""
    lines = [
        "## Events",
        "",
        *paragraph(
            'An event is `{"name", "facts"}`. *Everybody* hears the first facts; a patron',
            "hears *own* ones beside them, of the own entries alone; the Dealer, the pit and",
            "the auditor hear what stands in their columns beside what is to the left of",
            "them. `seat` is the playing position of the patron meant. A dash: nothing more.",
            "What the fields mean is in [events.md](events.md).",
        ),
        "",
    ]
    rows = []
    for kind in EVENTS:
        name = f"`{kind.__struct_config__.tag}`"
        columns = [_facts(ANNOUNCED.get(kind), seat=True), _facts(OWN.get(kind))]
        columns += [_facts(one.get(kind)) for one in BESIDE[Audience.AUDITOR][1:]]
        rows.append((name, *columns))
    heads = ("event", "everybody", "own", "Dealer", "pit", "auditor")
    return [*lines, *table_lines(heads, rows)]


def _facts(fields: tuple[str, ...] | None, *, seat: bool = False) -> str:
    if fields is None:
        return "-"
    names = [SEAT if seat and one in PATRONS else one.rpartition(".")[2] for one in fields]
    return ", ".join(f"`{name}`" for name in names) or "its name"


def lists_section() -> list[str]:
    """Return the shapes of the lobby and of finished rounds."""
    lines = ["## The list of tables", "", *struct_section(lobby.TableSummary, "###")]
    for kind in parts_of(lobby.TableSummary):
        if kind.__module__ == lobby.__name__:
            lines += ["", *struct_section(kind, "####")]
    lines += ["", "## Finished rounds"]
    for kind in (rounds.StaffRound, rounds.OwnRound):
        lines += ["", *struct_section(kind, "###")]
    for kind in parts_of(rounds.StaffRound, rounds.OwnRound):
        if kind.__module__ == rounds.__name__:
            lines += ["", *struct_section(kind, "####")]
    return lines


def main() -> None:
    """Write the page."""
    (DOCS / PAGE).write_text(page(), encoding="utf-8")
    print(f"wrote docs/{PAGE}")


if __name__ == "__main__":
    main()
