"""``croupier verify``: compute again everything that a journal claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.journals import (
    CheckpointFolder,
    JournalName,
    SignedBy,
    counted,
    found_sentence,
    load_checkpoints,
    require_keys,
    row,
    run,
    say,
)
from croupier.cli.output import JsonFlag, console, new_table, print_json, progress_bar
from croupier.cli.simulate import plural

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.verify import Verified


def verify(
    journal: JournalName,
    /,
    *,
    checkpoints: CheckpointFolder = None,
    signed_by: SignedBy = (),
    json: JsonFlag = False,
) -> int:
    """Verify a journal: chain, conservation, every settlement from its cards, every shoe.

    The exit code is 1 if anything does not hold; the first record that does not is named.
    """
    verified = run(verified_at(journal, checkpoints, require_keys(signed_by)))
    if json:
        print_json(verified_document(journal, verified))
    else:
        print_verified(journal, verified)
    return 0 if verified.holds else 1


async def verified_at(journal: str, folder: Path | None, keys: tuple[str, ...]) -> Verified:
    """Open a journal and verify it; checkpoints that do not hold are found, not refused."""
    from croupier.journal.backup import verify_backup  # noqa: PLC0415  # slow to load
    from croupier.journal.checkpoints import CheckpointError  # noqa: PLC0415
    from croupier.journal.opening import open_reader  # noqa: PLC0415
    from croupier.journal.reader import Finding  # noqa: PLC0415

    broken = None
    try:
        checkpoints = load_checkpoints(folder, keys)
    except CheckpointError as error:
        checkpoints, broken = [], Finding("", 0, "checkpoint", str(error))
    async with await open_reader(journal, keys) as reader:
        with progress_bar("records", "verifying") as report:
            progress = await counted(reader, report)
            verified = await verify_backup(reader, checkpoints, progress, keys)
    if broken is not None:
        verified.findings.append(broken)
    return verified


def verified_document(journal: str, verified: Verified) -> dict[str, object]:
    """Return what was verified in JSON."""
    findings = [
        {
            "stream": one.stream or None,
            "sequence": one.sequence if one.stream else None,
            "kind": one.kind,
            "sentence": one.sentence,
        }
        for one in verified.findings
    ]
    return {
        "journal": shown_name(journal),
        "holds": verified.holds,
        "streams": verified.streams,
        "records": verified.records,
        "postings": verified.postings,
        "settlements": verified.settlements,
        "openings": verified.openings,
        "answers": verified.answers,
        "checkpoints": verified.checkpoints,
        "heads": {
            stream: {"sequence": sequence, "hash": digest}
            for stream, (sequence, digest) in verified.heads.items()
        },
        "first": findings[0] if findings else None,
        "findings": findings,
    }


def shown_name(journal: str) -> str:
    """Name a journal without the password that its address may hold."""
    from croupier.journal.opening import is_address  # noqa: PLC0415  # slow to load

    if not is_address(journal):
        return journal
    from croupier.journal.postgres_reader import database_name  # noqa: PLC0415

    return database_name(journal)


def print_verified(journal: str, verified: Verified) -> None:
    """Show on a terminal what was verified."""
    out = console()
    name = shown_name(journal)
    for finding in verified.findings:
        say(out, found_sentence(finding), "red")
    if not verified.holds:
        say(out, f"{name} does not hold.", "bold")
        return
    if not verified.records:
        say(out, f"{name} holds no records.")
        return
    table = new_table("Stream", "Records", "Hash of the last", right=("Records",))
    for stream, (sequence, digest) in verified.heads.items():
        row(table, stream, f"{sequence:,}", digest)
    out.print(table)
    counts = ", ".join(
        (
            plural(verified.records, "record"),
            plural(verified.postings, "posting"),
            plural(verified.settlements, "settlement"),
            plural(verified.openings, "opening"),
            plural(verified.answers, "answer"),
            plural(verified.checkpoints, "checkpoint"),
        )
    )
    say(out, f"{name} holds: {counts}.")
