"""``croupier restore``: a backup made a journal again, in a new place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import (
    CheckpointFolder,
    GivenPath,
    SignedBy,
    Text,
    counted,
    journal_at,
    load_checkpoints,
    require_keys,
    require_signed,
    run,
    say,
    shown_name,
)
from croupier.cli.output import JsonFlag, console, print_json, progress_bar
from croupier.cli.simulate import plural
from croupier.cli.verify import verified_document
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.journal.verify import Verified


HOUSE_BACKUP = "backup.json"
"""What the backup of a house has, and no export."""


def restore(
    backup: Annotated[Text, Parameter(name="BACKUP", help="A backup, or an export.")],
    journal: Annotated[
        Text,
        Parameter(
            name="JOURNAL",
            help="A new SQLite file in a folder that is there, or a postgresql:// address; the"
            " new folder, for the backup of a house.",
        ),
    ],
    /,
    *,
    keys: Annotated[
        GivenPath | None,
        Parameter(help="The folder of the keys that belong to the backup of a house."),
    ] = None,
    database: Annotated[
        Text | None,
        Parameter(help="The new database, where the house has its journal in one."),
    ] = None,
    checkpoints: CheckpointFolder = None,
    signed_by: SignedBy = (),
    json: JsonFlag = False,
) -> None:
    """Restore a backup into a new place; nothing is written over an old journal.

    A backup that does not hold is refused, and with --checkpoints one that is behind the
    newest of them: rounds that were acknowledged would be gone.
    """
    if (Path(backup) / HOUSE_BACKUP).is_file():
        verified = run(restored_house(Path(backup), Path(journal), keys, database))
    elif keys is not None or database is not None:
        message = f"{backup} is no backup of a house; --keys and --database are for those."
        raise RulesError(message)
    elif journal_at(backup) != backup:
        # Its journal alone would come out, without accounts, keys and checkpoints.
        message = f"{backup} is the folder of a house and no backup of one;"
        message += " croupier admin backup makes one while the house runs."
        raise RulesError(message)
    else:
        public = require_keys(signed_by)
        verified = run(restored(backup, journal, checkpoints, public))
    if json:
        print_json(verified_document(journal, verified) | {"backup": shown_name(backup)})
        return
    decisions = plural(verified.decisions, "decision")
    names = f"{shown_name(journal)} is restored from {shown_name(backup)}"
    say(console(), f"{names} and holds: {decisions}.")
    if Path(journal).is_dir() and keys is None:
        say(
            console(),
            "The keys were not given: shoes in play cannot be dealt on, and a new key signs.",
        )


async def restored_house(
    backup: Path, folder: Path, keys: Path | None, database: str | None
) -> Verified:
    """Restore a whole house into a new folder."""
    from croupier.floor.backups import restore_house  # noqa: PLC0415  # slow to load

    return await restore_house(backup, folder, keys, database)


async def restored(
    backup: str, journal: str, folder: Path | None, keys: tuple[str, ...]
) -> Verified:
    """Open a backup and restore it."""
    from croupier.journal import backup as backups  # noqa: PLC0415  # slow to load
    from croupier.journal.opening import (  # noqa: PLC0415
        open_reader,
        require_known_address,
    )

    require_known_address(journal)
    checkpoints = [one.checkpoint for one in load_checkpoints(folder, keys)]
    async with await open_reader(backup, keys) as reader:
        require_signed(reader, keys, folder)
        with progress_bar("decisions", "verifying") as report:
            progress = await counted(reader, report)
            return await backups.restore(reader, journal, checkpoints, progress, keys)
