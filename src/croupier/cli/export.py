"""``croupier export``: a whole journal as lines of JSON, CSV or Parquet, signed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from croupier.cli.journals import (
    GivenPath,
    JournalName,
    KeyFile,
    counted,
    journal_at,
    key_at,
    run,
    signer_of,
)
from croupier.cli.output import progress_bar
from croupier.cli.simulate import plural
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.checkpoints import Signer
    from croupier.journal.export import HeadLine
    from croupier.journal.reader import Reader
    from croupier.journal.sheets import FolderHead

STANDARD_OUTPUT = Path("-")
Form = Annotated[bool, Parameter(negative="", show_default=False)]


def export(
    journal: JournalName,
    /,
    *,
    csv: Annotated[Form, Parameter(help="A folder of CSV files.")] = False,
    json: Annotated[Form, Parameter(help="Lines of JSON: the canonical export.")] = False,
    parquet: Annotated[Form, Parameter(help="A folder of Parquet files.")] = False,
    out: Annotated[
        GivenPath | None,
        Parameter(
            allow_leading_hyphen=True,
            help="The new file, or for CSV and Parquet the new folder, in a folder that is"
            " there. Without it, or as -, JSON goes to standard output; without it, the folder"
            " is named after the journal.",
        ),
    ] = None,
    key: KeyFile = None,
) -> None:
    """Export a journal; the export ends with a signed head, and `croupier verify` reads it."""
    forms = [
        name for name, asked in (("csv", csv), ("json", json), ("parquet", parquet)) if asked
    ]
    if len(forms) != 1:
        message = "Give one of --csv, --json and --parquet."
        raise RulesError(message)
    target = None if out == STANDARD_OUTPUT else out
    if forms[0] == "json" and target is None:
        require_output()
    elif out == STANDARD_OUTPUT:
        message = f"An export as {forms[0]} is a folder, and cannot go to standard output."
        raise RulesError(message)
    done = run(exported(journal_at(journal), forms[0], target, key_at(journal, key)))
    decisions = plural(done.decisions, "decision")
    sys.stderr.write(f"{done.where}: {decisions}, signed by {done.signed_by}.\n")


class Exported(NamedTuple):
    """What was exported, and where to."""

    where: str
    decisions: int
    signed_by: str


async def exported(journal: str, form: str, out: Path | None, key: Path | None) -> Exported:
    """Write an export, and say what was written."""
    from croupier.journal.opening import open_reader  # noqa: PLC0415  # slow to load
    from croupier.journal.sheets import write_sheets  # noqa: PLC0415

    async with await open_reader(journal) as reader:
        await require_sound(reader)
        signer = signer_of(key)
        head: HeadLine | FolderHead
        with progress_bar("decisions", "exporting") as report:
            progress = await counted(reader, report)
            if form == "json":
                where = "Standard output" if out is None else str(out)
                head = await write_json(reader, out, signer, progress)
            else:
                folder = out or Path(f"{Path(reader.name).stem.partition(' ')[0]}-{form}")
                where = str(folder)
                head = await write_sheets(reader, folder, signer, form, progress)
    return Exported(where, sum(sequence for sequence, _ in head.heads.values()), head.key)


async def write_json(
    reader: Reader,
    out: Path | None,
    signer: Signer,
    progress: Callable[[int], None] | None,
) -> HeadLine:
    """Write lines of JSON to a new file, or to standard output."""
    from croupier.journal.export import write_export, write_lines  # noqa: PLC0415
    from croupier.journal.files import name_once, new_target  # noqa: PLC0415

    if out is None:
        head = await write_lines(reader, write_standard, signer, progress=progress)
        sys.stdout.flush()  # before anybody is told that it was written
        return head
    with new_target(out) as part:
        head = await write_export(reader, part, signer, progress=progress)
        name_once(part, out)
    return head


def require_output() -> None:
    """Refuse to write to an output that was closed: nobody would get the export."""
    if sys.__stdout__ is None:
        message = "Standard output is closed; name a file by --out."
        raise RulesError(message)


def write_standard(text: bytes) -> None:
    """Write to standard output; the lines are UTF-8 whatever the terminal speaks."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text.decode())
    else:
        sys.stdout.flush()
        binary.write(text)


async def require_sound(reader: Reader) -> None:
    """Refuse to sign again what was changed after it was signed."""
    for finding in await reader.findings():
        message = f"{reader.name} is not exported: {finding.sentence}"
        raise RulesError(message)
