"""What the commands of the journal share: naming journals, keys and checkpoints."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Parameter

from croupier.journal.store import JournalError
from croupier.rules.errors import RulesError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from rich.console import Console
    from rich.table import Table

    from croupier.journal.checkpoints import Checkpoint, Signer
    from croupier.journal.reader import Finding, Reader

JournalName = Annotated[
    str,
    Parameter(
        name="JOURNAL", help="An SQLite file, a postgresql:// address, or an export of either."
    ),
]
TableName = Annotated[str, Parameter(name="--table", help="The table, by its name.")]
CheckpointFolder = Annotated[
    Path | None,
    Parameter(name="--checkpoints", help="The folder of the signed checkpoints."),
]
SignedBy = Annotated[
    tuple[str, ...],
    Parameter(
        name="--signed-by",
        negative="",
        help="A public key; checkpoints and exports must be signed by one that is given.",
    ),
]
KeyFile = Annotated[
    Path | None,
    Parameter(
        name="--key",
        help="The file of the signing key; it is made if it is not there."
        " Without it, a key signs that is kept nowhere.",
    ),
]
KEY = re.compile("[0-9a-f]{64}")
Answer = TypeVar("Answer")


def run(work: Coroutine[object, object, Answer]) -> Answer:
    """Run what a command does; every refusal becomes one sentence."""
    try:
        return asyncio.run(work)
    except JournalError as error:
        raise RulesError(str(error)) from error


def require_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what is not a public key."""
    for key in keys:
        if not KEY.fullmatch(key):
            message = f"{quoted(key)} is not a public key of 64 hexadecimal digits."
            raise RulesError(message)
    return keys


def signer_of(path: Path | None) -> Signer:
    """Return who signs: a key in a file, or one that is kept nowhere."""
    from croupier.journal.checkpoints import Signer  # noqa: PLC0415  # loads cryptography

    return Signer.once() if path is None else Signer.at(path)


def load_checkpoints(folder: Path | None, keys: tuple[str, ...]) -> list[Checkpoint]:
    """Read and check all checkpoints of a folder."""
    from croupier.journal.checkpoints import (  # noqa: PLC0415  # loads cryptography
        CheckpointError,
        Checkpoints,
    )

    if folder is None:
        return []
    if not folder.is_dir():
        message = f"There is no folder {folder} of checkpoints."
        raise RulesError(message)
    signed = Checkpoints(folder).all()
    if not signed:
        message = f"There are no checkpoints in {folder}."
        raise RulesError(message)
    if keys and signed[0].key not in keys:
        message = "The checkpoints are signed by another key."
        raise CheckpointError(message)
    return [one.checkpoint for one in signed]


async def counted(
    reader: Reader, report: Callable[[int, int], None] | None
) -> Callable[[int], None] | None:
    """Return what shows how many of a journal's records are done."""
    if report is None:
        return None
    whole = sum(head.sequence for head in await reader.heads())
    return lambda done: report(min(done, whole), whole)


def found_sentence(finding: Finding) -> str:
    """Say what does not hold, and where."""
    if not finding.stream:
        return finding.sentence
    where = f"Record {finding.sequence} of {finding.stream}"
    if finding.sentence.startswith(where):
        return finding.sentence
    return f"{where} does not hold: {finding.sentence}"


def say(out: Console, text: str, style: str = "") -> None:
    """Print a line as it is: names in it are not taken for markup, and it is not cut."""
    out.print(text, style=style, markup=False, soft_wrap=True)


def row(table: Table, *cells: str) -> None:
    """Add a row of texts as they are."""
    from rich.text import Text  # noqa: PLC0415  # not needed for JSON

    table.add_row(*(Text(cell) for cell in cells))
