"""``croupier restore``: a backup made a journal again, in a new place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.journals import (
    CheckpointFolder,
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

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.verify import Verified


def restore(
    backup: Annotated[Text, Parameter(name="BACKUP", help="A backup, or an export.")],
    journal: Annotated[
        Text,
        Parameter(
            name="JOURNAL",
            help="A new SQLite file in a folder that is there, or a postgresql:// address.",
        ),
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
        print_json(verified_document(journal, verified) | {"backup": shown_name(backup)})
        return
    decisions = plural(verified.decisions, "decision")
    names = f"{shown_name(journal)} is restored from {shown_name(backup)}"
    say(console(), f"{names} and holds: {decisions}.")


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
    async with await open_reader(journal_at(backup), keys) as reader:
        require_signed(reader, keys, folder)
        with progress_bar("decisions", "verifying") as report:
            progress = await counted(reader, report)
            return await backups.restore(reader, journal, checkpoints, progress, keys)
