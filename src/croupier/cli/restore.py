"""``croupier restore``: a backup made a journal again, in a new place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import (
    CheckpointFolder,
    SignedBy,
    counted,
    load_checkpoints,
    require_keys,
    run,
    say,
)
from croupier.cli.output import JsonFlag, console, print_json, progress_bar
from croupier.cli.simulate import plural
from croupier.cli.verify import shown_name, verified_document

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.verify import Verified


def restore(
    backup: Annotated[str, Parameter(name="BACKUP", help="A backup, or an export.")],
    journal: Annotated[
        str, Parameter(name="JOURNAL", help="A new SQLite file, or a postgresql:// address.")
    ],
    /,
    *,
    checkpoints: CheckpointFolder = None,
    signed_by: SignedBy = (),
    json: JsonFlag = False,
) -> None:
    """Restore a backup into a new place; nothing is written over an old journal.

    A backup that does not hold is refused, and with --checkpoints one that is behind the
    newest of them: rounds that were acknowledged would be gone.
    """
    keys = require_keys(signed_by)
    verified = run(restored(backup, journal, checkpoints, keys))
    if json:
        print_json(verified_document(journal, verified) | {"backup": backup})
        return
    records = plural(verified.records, "record")
    sentence = f"{shown_name(journal)} is restored from {backup} and holds: {records}."
    say(console(), sentence)


async def restored(
    backup: str, journal: str, folder: Path | None, keys: tuple[str, ...]
) -> Verified:
    """Open a backup and restore it."""
    from croupier.journal import backup as backups  # noqa: PLC0415  # slow to load
    from croupier.journal.opening import open_reader  # noqa: PLC0415

    checkpoints = load_checkpoints(folder, keys)
    async with await open_reader(backup, keys) as reader:
        with progress_bar("records", "verifying") as report:
            progress = await counted(reader, report)
            return await backups.restore(reader, journal, checkpoints, progress, keys)
