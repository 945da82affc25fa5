"""``croupier export``: a whole journal as lines of JSON, CSV or Parquet, signed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import JournalName, KeyFile, counted, run, signer_of
from croupier.cli.output import progress_bar
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.journal.checkpoints import Signer
    from croupier.journal.reader import Reader

Form = Annotated[bool, Parameter(negative="", show_default=False)]


def export(
    journal: JournalName,
    /,
    *,
    csv: Annotated[Form, Parameter(help="A folder of CSV files.")] = False,
    json: Annotated[Form, Parameter(help="Lines of JSON: the canonical export.")] = False,
    parquet: Annotated[Form, Parameter(help="A folder of Parquet files.")] = False,
    out: Annotated[
        Path | None,
        Parameter(
            help="The new file, or for CSV and Parquet the new folder. Without it JSON goes"
            " to standard output, and the folder is named after the journal."
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
    signed_by = run(exported(journal, forms[0], out, signer_of(key)))
    sys.stderr.write(f"Signed by {signed_by}.\n")


async def exported(journal: str, form: str, out: Path | None, signer: Signer) -> str:
    """Write an export, and return the key that signed it."""
    from croupier.journal.opening import open_reader  # noqa: PLC0415  # slow to load
    from croupier.journal.sheets import write_sheets  # noqa: PLC0415

    async with await open_reader(journal) as reader:
        await require_sound(reader)
        if form == "json":
            await write_json(reader, out, signer)
        else:
            folder = out or Path(f"{Path(reader.name).stem.partition(' ')[0]}-{form}")
            require_new(folder)
            with progress_bar("records", "exporting") as report:
                progress = await counted(reader, report)
                await write_sheets(reader, folder, signer, form, progress)
    return signer.public


async def write_json(reader: Reader, out: Path | None, signer: Signer) -> None:
    """Write lines of JSON to a new file, or to standard output."""
    from croupier.journal.export import write_lines  # noqa: PLC0415  # slow to load
    from croupier.journal.files import new_file  # noqa: PLC0415

    if out is None:
        await write_lines(reader, write_standard, signer)
        return
    require_new(out)
    with new_file(out) as file, progress_bar("records", "exporting") as report:
        progress = await counted(reader, report)
        await write_lines(reader, file.write, signer, progress=progress)


def write_standard(text: bytes) -> None:
    """Write to standard output; the lines are UTF-8 whatever the terminal speaks."""
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text.decode())
    else:
        sys.stdout.flush()
        binary.write(text)


def require_new(path: Path) -> None:
    """Refuse to write over something."""
    if path.exists():
        message = f"There is {path} already; nothing is written over it."
        raise RulesError(message)


async def require_sound(reader: Reader) -> None:
    """Refuse to sign again what was changed after it was signed."""
    for finding in await reader.findings():
        message = f"{reader.name} is not exported: {finding.sentence}"
        raise RulesError(message)
