"""Write docs/protocol.md: a guide with examples, then every call, message, view and event.

The guide is ``tools/protocol_guide.md``, whose examples the tests run; the rest is made from
the code.
"""

from __future__ import annotations

import inspect
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from croupier.floor.api.calls import BASE
from croupier.floor.api.openapi import COMMON, SAID, calls_of, described_of
from croupier.floor.app import routed
from croupier.floor.problems import ServerCode
from croupier.floor.sent import SENT
from croupier.table.amounts import Amounts
from croupier.table.events import By
from croupier.table.evolve import EVENTS
from croupier.table.preview import Effect, Preview
from croupier.table.reports import About, Content
from croupier.table.views import lobby, round_steps, rounds
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
GUIDE = Path(__file__).parent / "protocol_guide.md"
MAY = "croupier.table.may"
FINISHED: tuple[type[msgspec.Struct], ...] = (
    rounds.StaffRound,
    rounds.OwnRound,
    round_steps.StaffRoundInSteps,
    round_steps.OwnRoundInSteps,
)


def page() -> str:
    """Return the page."""
    guide = GUIDE.read_text(encoding="utf-8")
    title, _, rest = guide.partition("\n\n")
    lines = [
        title,
        "",
        *paragraph(GENERATED),
        "",
        *rest.rstrip().split("\n"),
        "",
        *calls_section(),
        "",
        *messages_section(),
        "",
        "## Views",
        "",
        *paragraph(
            "What `may` holds is in [may.md](may.md).",
            "Everybody sees the public view. Every other view is the public one with one field",
            "more, which holds all that this audience sees beside it:",
            ", ".join(f"`{PARTS[one]}` ({one.value})" for one in PARTS) + ".",
            "A card that is drawn and not exposed has no face in any of them.",
        ),
        "",
        *struct_section(PublicView, "###"),
    ]
    for audience, field in PARTS.items():
        lines += ["", *struct_section(part_of(audience), "###", f"`{field}`")]
    lines += ["", "### Parts of views"]
    for kind in parts_of(*VIEWS.values()):
        lines += ["", *struct_section(kind, "####")]
    lines += ["", *changes_section(), "", *preview_section(), "", *events_section()]
    lines += ["", *lists_section(), "", *values_section()]
    return "\n".join(lines) + "\n"


def calls_section() -> list[str]:
    """Return every HTTP call, from how its handler describes it."""
    rows = []
    for route, method, handler in calls_of(routed(None)):
        call = described_of(handler)
        path = route.path_format.removeprefix(BASE)
        query = "" if call.query is None else ", ".join(call.query.__struct_fields__)
        codes = ", ".join(f"`{code.value}`" for code in call.problems)
        if call.commands or call.refuses:
            codes += ", what is refused"
        who = "whoever is signed in" if call.signed_in or call.commands else "anybody"
        summary = (handler.fn.__doc__ or "").strip().partition("\n")[0]
        rows.append((f"`{method} {path}`", summary, query, who, codes))
    common = ", ".join(f"`{code.value}`" for code in COMMON)
    return [
        "## Calls",
        "",
        *paragraph(
            f"Under `{BASE}`, save the documents themselves. Every call may say no with",
            f"{common}, and what is not there is `not_found` or `not_allowed`. HEAD answers",
            "as GET does, without a body; OPTIONS tells the methods.",
        ),
        "",
        *table_lines(("call", "what it does", "parameters", "for", "problems beside"), rows),
        "",
        "### Codes of the server",
        "",
        *paragraph("What is turned away by these leaves no record."),
        "",
        *table_lines(
            ("code", "status", "meaning"),
            [(f"`{one.value}`", str(one.status), f"{one.title}.") for one in ServerCode],
        ),
    ]


def messages_section() -> list[str]:
    """Return every message of the socket."""
    lines = ["## Messages", ""]
    for heading, kinds in (("A client says", SAID), ("The server says", SENT)):
        rows = []
        for kind in kinds:
            fields = msgspec.structs.fields(kind)
            names = (
                f"`{one.encode_name}`" + ("" if one.required else " (optional)")
                for one in fields
            )
            summary = (kind.__doc__ or "").strip().partition("\n")[0]
            rows.append((f"`{kind.__struct_config__.tag}`", summary, ", ".join(names)))
        lines += [f"### {heading}", ""]
        lines += [*table_lines(("type", "what it means", "fields"), rows), ""]
    return lines[:-1]


def part_of(audience: Audience) -> type[msgspec.Struct]:
    """Return the shape of what an audience sees beside the public view."""
    fields = msgspec.structs.fields(VIEWS[audience])
    part: type[msgspec.Struct]
    (part,) = [one.type for one in fields if one.name == PARTS[audience]]
    return part


def parts_of(*roots: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """Return the shapes within these, each once, without those that are told elsewhere.

    What a command that is open holds is on a page of its own.
    """
    told = {*roots, *map(part_of, PARTS)}
    found: dict[type[msgspec.Struct], None] = {}
    for root in roots:
        for kind in _within(root):
            told_there = kind.__module__.startswith(MAY) or kind is Amounts
            struct = issubclass(kind, msgspec.Struct) and not issubclass(kind, About)
            if struct and kind not in told and not told_there:
                found.setdefault(kind)
    return list(found)


def _within(kind: Any) -> Iterator[type]:  # noqa: ANN401  # any annotation
    """Yield the shapes and enumerations within an annotation."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from _within(field.type)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield kind
    for part in get_args(kind):
        yield from _within(part)


def struct_section(kind: type[msgspec.Struct], marks: str, name: str = "") -> list[str]:
    """Return the heading and the fields of a shape, with those that it shares."""
    heading = f"{name} ({kind.__name__})" if name else kind.__name__
    rows = []
    for base in reversed(inspect.getmro(kind)):
        if base.__module__.startswith("croupier."):
            rows += [(f"`{one.name}`", f"`{one.kind}`", one.doc) for one in fields_of(base)]
    return [
        f"{marks} {heading}",
        "",
        first_paragraph(kind),
        "",
        *table_lines(("field", "type", "meaning"), rows),
    ]


def preview_section() -> list[str]:
    """Return what somebody is shown of a command before it is given."""
    lines = [
        "## Previews",
        "",
        *paragraph(
            "What a command would do is shown before it is given, to staff whoever may give",
            "it, to a patron of the own commands: as a change, and no more.",
        ),
    ]
    for kind in (Preview, Effect):
        lines += ["", *struct_section(kind, "###")]
    return lines


def values_section() -> list[str]:
    """Return the values of all enumerations, and what reports of each situation hold."""
    lines = ["## Values", ""]
    shapes = (*VIEWS.values(), *FINISHED, lobby.TableSummary, Preview)
    kinds = {kind for root in shapes for kind in _within(root) if issubclass(kind, Enum)}
    rows = [
        (f"`{kind.__name__}`", ", ".join(f"`{one.value}`" for one in kind))
        for kind in sorted(kinds, key=lambda one: one.__name__)
    ]
    lines += table_lines(("type", "values"), rows)
    lines += ["", "What a report is about, by its `situation` (`Content`):", ""]
    reports = [
        (f"`{one.__struct_config__.tag}`", first_paragraph(one), _fields(one))
        for one in get_args(Content)
    ]
    lines += table_lines(("situation", "meaning", "fields"), reports)
    return lines


def _fields(kind: type[msgspec.Struct]) -> str:
    return ", ".join(f"`{one.name}`: `{one.kind}`" for one in fields_of(kind)) or "-"


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
    return [*lines, *table_lines(heads, rows), "", *struct_section(By, "###", "`by`")]


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
    lines += [
        "",
        *paragraph(
            "A list has `StaffRound` for staff and auditor, `OwnRound` for a patron, and for",
            "everybody else what a patron without a stake reads. A single round has its",
            "decisions beside it, as `steps`: staff and auditor read all of them, a patron the",
            "own commands and of others' what everybody heard.",
        ),
    ]
    for kind in FINISHED[:2]:
        lines += ["", *struct_section(kind, "###")]
    for kind in parts_of(*FINISHED):
        if kind.__module__ in (rounds.__name__, round_steps.__name__):
            lines += ["", *struct_section(kind, "####")]
    return lines


def main() -> None:
    """Write the page."""
    (DOCS / PAGE).write_text(page(), encoding="utf-8")
    print(f"wrote docs/{PAGE}")


if __name__ == "__main__":
    main()
