"""``croupier backup``: a copy of a journal that is verified before it counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import (
    JournalName,
    KeyFile,
    Text,
    counted,
    journal_at,
    key_at,
    run,
    say,
    shown_name,
    signer_of,
)
from croupier.cli.output import JsonFlag, console, print_json, progress_bar
from croupier.cli.simulate import plural
from croupier.cli.verify import verified_document
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.journal.verify import Verified


def backup(
    journal: Annotated[
        JournalName,
        Parameter(help="An SQLite file, a house folder, or a postgresql:// address."),
    ],
    target: Annotated[
        Text, Parameter(name="TARGET", help="The new file, in a folder that is there.")
    ],
    /,
    *,
    key: KeyFile = None,
    json: JsonFlag = False,
) -> None:
    """Back a journal up while the floor goes on, and verify the copy.

    An SQLite journal becomes an SQLite file with a signed manifest beside it, one in
    PostgreSQL a signed export with the sealed cards. The keys of shoes are in neither.
    """
    name = journal_at(journal)
    verified, public = run(backed_up(name, target, key_at(journal, key)))
    digest = file_digest(Path(target))
    if json:
        made = {"backup": target, "sha256": digest, "key": public}
        print_json(verified_document(name, verified) | made)
        return
    decisions = plural(verified.decisions, "decision")
    sentence = f"{target} is a backup of {shown_name(name)} and holds: {decisions}."
    say(console(), sentence)
    say(console(), f"SHA-256 {digest}, signed by {public}.")


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a backup, as others compute it too."""
    from croupier.journal.manifest import checksum  # noqa: PLC0415  # slow to load

    return checksum(path)


async def backed_up(journal: str, target: str, key: Path | None) -> tuple[Verified, str]:
    """Open a journal and back it up; return the public key that signed the copy, too."""
    from croupier.journal.backup import back_up  # noqa: PLC0415  # slow to load
    from croupier.journal.opening import names_database, open_reader  # noqa: PLC0415

    if names_database(target):
        message = "A backup is a file; to fill a database use restore."
        raise RulesError(message)

    async with await open_reader(journal) as reader:
        signer = signer_of(key)
        with progress_bar("decisions", "verifying") as report:
            progress = await counted(reader, report)
            return await back_up(reader, Path(target), signer, progress), signer.public
