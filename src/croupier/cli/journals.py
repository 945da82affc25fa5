"""What the commands of the journal share: naming journals, keys and checkpoints."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Parameter

from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence

    from cyclopts import Token
    from rich.console import Console
    from rich.table import Table

    from croupier.journal.checkpoints import Signed, Signer
    from croupier.journal.reader import Finding, Reader


def given_text(_: type, tokens: Sequence[Token]) -> str:
    """Read a text, and refuse an empty one: a variable was not set, most likely."""
    text = tokens[0].value
    if not text:
        message = "it is empty."
        raise ValueError(message)
    return text


def given_path(kind: type, tokens: Sequence[Token]) -> Path:
    """Read a path; an empty one would be the folder one is in."""
    text = given_text(kind, tokens)
    if text.startswith("-") and text != "-":
        message = f"{quoted(text)} is an option; name the file ./{text} if it is one."
        raise ValueError(message)
    return Path(text)


Text = Annotated[str, Parameter(converter=given_text)]
GivenPath = Annotated[Path, Parameter(converter=given_path)]
JournalName = Annotated[
    Text,
    Parameter(
        name="JOURNAL",
        help="An SQLite file, a house folder, a postgresql:// address, or an export of either.",
    ),
]
TableName = Annotated[
    Text | None,
    Parameter(
        name="--table", help="The table, by its name; not needed where there is one only."
    ),
]
CheckpointFolder = Annotated[
    GivenPath | None,
    Parameter(name="--checkpoints", help="The folder of the signed checkpoints."),
]
SignedBy = Annotated[
    tuple[str, ...],
    Parameter(
        name="--signed-by",
        negative="",
        show_default=False,
        help="A public key, or a file with a public or a signing key; checkpoints, exports and"
        " backups must be signed by one that is given.",
    ),
]
KeyFile = Annotated[
    GivenPath | None,
    Parameter(
        name="--key",
        help="The file of the signing key; it is made if it is not there, and its public key"
        " is printed. Without it, the key of the house signs whose folder is named; else one"
        " that is kept nowhere.",
    ),
]
KEY = re.compile("[0-9a-f]{64}")
KEY_BYTES_MAX = 100
"""Beyond that, a file is no key."""
Answer = TypeVar("Answer")


def run(work: Coroutine[object, object, Answer]) -> Answer:
    """Run what a command does; every refusal becomes one sentence."""
    try:
        with stopping_at_once():
            return asyncio.run(work)
    except JournalError as error:
        raise RulesError(str(error)) from error


@contextmanager
def stopping_at_once() -> Iterator[None]:
    """Let Ctrl-C stop long work wherever it is.

    asyncio would wait for the next moment at which the work waits for something, and work
    that reads a file never does.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _stop(_: int, __: object) -> None:
    raise KeyboardInterrupt


# Names of journals and tables


def journal_at(name: str) -> str:
    """Return the journal of a house, if a house folder is named, or what was named."""
    from croupier.floor.house import JOURNAL  # noqa: PLC0415  # slow to load
    from croupier.journal.opening import names_database  # noqa: PLC0415

    kept = Path(name) / JOURNAL
    return str(kept) if not names_database(name) and kept.is_file() else name


def checkpoints_at(name: str, folder: Path | None) -> Path | None:
    """Return the folder of checkpoints that was named, or that of a house."""
    from croupier.floor.house import CHECKPOINTS  # noqa: PLC0415  # slow to load

    if folder is not None or journal_at(name) == name:
        return folder
    return Path(name) / CHECKPOINTS


def shown_name(journal: str) -> str:
    """Name a journal without the password that its address may hold."""
    from croupier.journal.opening import is_address  # noqa: PLC0415  # slow to load

    if not is_address(journal):
        return journal
    from croupier.journal.postgres_reader import database_name  # noqa: PLC0415

    return database_name(journal)


async def table_in(reader: Reader, table: str | None) -> str:
    """Return the table that was named, or the only one."""
    from croupier.journal.recall import tables_of  # noqa: PLC0415  # slow to load

    if table is not None:
        return table
    names = await tables_of(reader)
    if not names:
        message = f"{reader.name} has no tables."
        raise RulesError(message)
    if len(names) > 1:
        message = f"{reader.name} has the tables {listed(names)}; name one by --table."
        raise RulesError(message)
    return names[0]


async def warn(reader: Reader) -> None:
    """Say before anything is shown that a journal is not what was signed or kept."""
    for finding in (await reader.findings())[:1]:
        sentence = f"{reader.name} does not hold: {finding.sentence}"
        sys.stderr.write(f"croupier: {sentence} What is shown may be wrong or not all.\n")


# Keys and checkpoints


def require_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return public keys as they are compared; refuse what is none, and no file with one."""
    return tuple(public_key(key) for key in keys)


def public_key(given: str) -> str:
    """Return the public key that was given: itself, or by a file."""
    path = Path(given)
    text = given
    if not KEY.fullmatch(given.lower()) and path.is_file():
        content = read_key(path)
        text = content.decode("ascii", "replace").strip()
        if not KEY.fullmatch(text.lower()):
            return signer_of(path).public
    if not KEY.fullmatch(text.lower()):
        message = (
            f"{quoted(given)} is not a public key of 64 hexadecimal digits,"
            " nor a file that holds a key."
        )
        raise RulesError(message)
    return text.lower()


def read_key(path: Path) -> bytes:
    """Read what may be a key; a file that is larger is none."""
    with path.open("rb") as file:
        return file.read(KEY_BYTES_MAX)


def require_signed(reader: Reader, keys: tuple[str, ...], folder: Path | None) -> None:
    """Refuse --signed-by where nothing is signed: it would be taken for a check."""
    from croupier.journal.backup import can_be_signed  # noqa: PLC0415  # slow to load

    if keys and folder is None and not can_be_signed(reader):
        message = (
            f"{reader.name} is signed by its checkpoints alone;"
            " give them by --checkpoints, or leave --signed-by out."
        )
        raise RulesError(message)


def key_at(name: str, key: Path | None) -> Path | None:
    """Return the file of the key that was named, or that of a house whose folder was."""
    from croupier.floor.house import SIGNING_KEY  # noqa: PLC0415  # slow to load

    own = Path(name) / SIGNING_KEY
    return own if key is None and journal_at(name) != name and own.is_file() else key


def signer_of(path: Path | None) -> Signer:
    """Return who signs: a key in a file, or one that is kept nowhere."""
    from croupier.journal.checkpoints import Signer  # noqa: PLC0415  # loads cryptography
    from croupier.journal.files import require_folder  # noqa: PLC0415

    if path is None:
        return Signer.once()
    try:
        require_folder(path.parent)
        if path.exists() and not path.is_file():
            message = f"{path} is not a file with a signing key."
            raise RulesError(message)
        return Signer.at(path)
    except JournalError as error:
        raise RulesError(str(error)) from error
    except OSError as error:
        message = f"The key {path} cannot be used: {error.strerror}."
        raise RulesError(message) from error


def load_checkpoints(
    folder: Path | None, keys: tuple[str, ...], *, required: bool = True
) -> list[Signed]:
    """Read and check all checkpoints of a folder; a house that is new may have none yet."""
    from croupier.journal.checkpoints import (  # noqa: PLC0415  # loads cryptography
        CheckpointError,
        Checkpoints,
    )

    if folder is None:
        return []
    if not folder.is_dir():
        message = f"There is no folder {folder} of checkpoints."
        raise RulesError(message)
    list(folder.iterdir())  # a folder that may not be read would look empty
    try:
        signed = Checkpoints(folder).all()
    except CheckpointError as error:
        if isinstance(error.__cause__, OSError):
            # That a file may not be read says nothing about the journal.
            message = f"{error.__cause__.filename} cannot be read: {error.__cause__.strerror}."
            raise RulesError(message) from error
        raise
    if not signed:
        if not required:
            return []
        message = f"There are no checkpoints in {folder}."
        raise RulesError(message)
    if keys and signed[0].key not in keys:
        message = "The checkpoints are signed by another key."
        raise CheckpointError(message)
    return signed


# What is shown


async def counted(
    reader: Reader, report: Callable[[int, int], None] | None
) -> Callable[[int], None] | None:
    """Return what shows how many of a journal's decisions are done."""
    if report is None:
        return None
    whole = sum(head.sequence for head in await reader.heads())
    return lambda done: report(min(done, whole), whole)


def found_sentence(finding: Finding) -> str:
    """Say what does not hold, and where."""
    if not finding.stream:
        return finding.sentence
    where = f"Decision {finding.sequence} of {finding.stream}"
    if finding.sentence.startswith(where):
        return finding.sentence
    return f"{where} does not hold: {finding.sentence}"


def say(out: Console, text: str, style: str = "") -> None:
    """Print a line as it is: names in it are not taken for markup, and it is not cut."""
    out.print(text, style=style, markup=False, soft_wrap=True)


def row(table: Table, *cells: str) -> None:
    """Add a row of texts as they are."""
    from rich.text import Text as Cell  # noqa: PLC0415  # not needed for JSON

    table.add_row(*(Cell(cell) for cell in cells))
