"""``croupier backup``: a copy of a journal that is verified before it counts."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import JournalName, KeyFile, counted, run, say, signer_of
from croupier.cli.output import JsonFlag, console, print_json, progress_bar
from croupier.cli.simulate import plural
from croupier.cli.verify import shown_name, verified_document

if TYPE_CHECKING:
    from croupier.journal.checkpoints import Signer
    from croupier.journal.verify import Verified


def backup(
    journal: JournalName,
    target: Annotated[Path, Parameter(name="TARGET", help="The new file.")],
    /,
    *,
    key: KeyFile = None,
    json: JsonFlag = False,
) -> None:
    """Back a journal up while the floor goes on, and verify the copy.

    An SQLite journal becomes an SQLite file with a signed manifest beside it, one in
    PostgreSQL a signed export with the sealed cards. The keys of shoes are in neither.
    """
    signer = signer_of(key)
    verified = run(backed_up(journal, target, signer))
    digest = file_digest(target)
    if json:
        made = {"backup": str(target), "sha256": digest, "key": signer.public}
        print_json(verified_document(journal, verified) | made)
        return
    records = plural(verified.records, "record")
    sentence = f"{target} is a backup of {shown_name(journal)} and holds: {records}."
    say(console(), sentence)
    say(console(), f"SHA-256 {digest}, signed by {signer.public}.")


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a backup, as others compute it too."""
    from croupier.journal.manifest import checksum  # noqa: PLC0415  # slow to load

    return checksum(path)


async def backed_up(journal: str, target: Path, signer: Signer) -> Verified:
    """Open a journal and back it up."""
    from croupier.journal.backup import back_up  # noqa: PLC0415  # slow to load
    from croupier.journal.opening import open_reader  # noqa: PLC0415

    async with await open_reader(journal) as reader:
        with progress_bar("records", "verifying") as report:
            return await back_up(reader, target, signer, await counted(reader, report))
