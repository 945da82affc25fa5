"""``croupier verify``: compute again everything that a journal claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.cli.journals import (
    CheckpointFolder,
    JournalName,
    SignedBy,
    checkpoints_at,
    counted,
    found_sentence,
    journal_at,
    load_checkpoints,
    require_keys,
    require_signed,
    row,
    run,
    say,
    shown_name,
)
from croupier.cli.output import JsonFlag, console, new_table, print_json, progress_bar
from croupier.cli.simulate import plural

if TYPE_CHECKING:
    from croupier.journal.told import Told
    from croupier.journal.verify import Finding, Verified


class Checked(NamedTuple):
    """What was verified, and which keys signed it."""

    verified: Verified
    signed_by: str | None
    """Of an export, or of the manifest of a backup."""
    checkpoints_signed_by: str | None


def verify(
    journal: JournalName,
    /,
    *,
    checkpoints: CheckpointFolder = None,
    signed_by: SignedBy = (),
    json: JsonFlag = False,
) -> int:
    """Verify a journal: every decision is decided again, every posting and shoe computed.

    The exit code is 1 if anything does not hold; the first decision that does not is named.
    The journal of a house folder is verified with the house's checkpoints. Of an export from
    an auditor's page, which does not tell all that was decided, the signature is checked, and
    that no decision is missing or changed.
    """
    from croupier.journal.told import is_told  # noqa: PLC0415  # slow to load

    folder, name = checkpoints_at(journal, checkpoints), journal_at(journal)
    keys = require_keys(signed_by)
    if is_told(Path(name)):
        return verify_told(Path(name), folder, keys, json=json)
    # A house that is new, or was killed early, has signed nothing yet.
    checked = run(verified_at(name, folder, keys, required=checkpoints is not None))
    if json:
        signed = {
            "signed_by": checked.signed_by,
            "checkpoints_signed_by": checked.checkpoints_signed_by,
        }
        print_json(verified_document(name, checked.verified) | signed)
    else:
        print_verified(name, checked)
    return 0 if checked.verified.holds else 1


async def verified_at(
    journal: str, folder: Path | None, keys: tuple[str, ...], *, required: bool = True
) -> Checked:
    """Open a journal and verify it; checkpoints that do not hold are found, not refused."""
    from croupier.journal.backup import (  # noqa: PLC0415  # slow to load
        signed_by,
        verify_backup,
    )
    from croupier.journal.checkpoints import CheckpointError  # noqa: PLC0415
    from croupier.journal.opening import open_reader  # noqa: PLC0415
    from croupier.journal.reader import Finding  # noqa: PLC0415

    broken = None
    try:
        signed = load_checkpoints(folder, keys, required=required)
    except CheckpointError as error:
        signed, broken = [], Finding("", 0, "checkpoint", str(error))
    checkpoints = [one.checkpoint for one in signed]
    async with await open_reader(journal, keys) as reader:
        require_signed(reader, keys, folder)
        with progress_bar("decisions", "verifying") as report:
            progress = await counted(reader, report)
            verified = await verify_backup(reader, checkpoints, progress, keys)
        by = signed_by(reader) if verified.holds else None
    if broken is not None:
        verified.findings.append(broken)
    return Checked(verified, by, signed[0].key if signed else None)


def verify_told(path: Path, folder: Path | None, keys: tuple[str, ...], *, json: bool) -> int:
    """Verify an export of the page as far as that can be done, and say how far that is."""
    from croupier.journal.checkpoints import CheckpointError  # noqa: PLC0415  # slow to load
    from croupier.journal.reader import Finding  # noqa: PLC0415
    from croupier.journal.told import Told  # noqa: PLC0415

    broken = None
    try:
        signed = load_checkpoints(folder, keys) if folder is not None else []
    except CheckpointError as error:
        signed, broken = [], Finding("", 0, "checkpoint", str(error))
    # Who signed the checkpoints signs the export: both are the house's.
    known = keys or tuple({one.key for one in signed})
    told = Told(path, known, [one.checkpoint for one in signed])
    if broken is not None:
        told.findings.append(broken)
    if json:
        print_json(told_document(str(path), told))
    else:
        print_told(str(path), told, known=bool(known))
    return 1 if told.findings else 0


def told_document(name: str, told: Told) -> dict[str, object]:
    """Return what was verified of an export of the page in JSON."""
    findings = [finding_document(one) for one in told.findings]
    return {
        "journal": shown_name(name),
        "told": True,
        "holds": not findings,
        "streams": len(told.heads),
        "decisions": sum(sequence for sequence, _ in told.heads.values()),
        "checkpoints": len(told.matched),
        "heads": heads_document(told.heads),
        "first": findings[0] if findings else None,
        "findings": findings,
        "signed_by": told.head.key if told.head is not None and not findings else None,
    }


def print_told(name: str, told: Told, *, known: bool) -> None:
    """Show on a terminal what was verified of an export of the page."""
    out = console()
    for finding in told.findings:
        say(out, found_sentence(finding), "red")
    if told.findings or told.head is None:
        say(out, f"{shown_name(name)} does not hold.", "bold")
        return
    print_heads(told.heads)
    decisions = plural(sum(sequence for sequence, _ in told.heads.values()), "decision")
    seen = plural(len(told.matched), "checkpoint")
    say(out, f"{shown_name(name)} holds: {decisions} as they were told, {seen}.")
    whose = "" if known else "; that this is the house's key, --signed-by or --checkpoints says"
    say(out, f"It is signed by {told.head.key}{whose}.")
    say(
        out,
        "What stays secret is left out of it: that its decisions are right, and their hashes"
        " theirs, the journal or `croupier export` of it shows.",
    )


def print_heads(heads: dict[str, tuple[int, str]]) -> None:
    """Show where every stream ends."""
    table = new_table("Stream", "Decisions", "Hash of the last", right=("Decisions",))
    for stream, (sequence, digest) in heads.items():
        row(table, stream, f"{sequence:,}", digest)
    console().print(table)


def heads_document(heads: dict[str, tuple[int, str]]) -> dict[str, object]:
    """Return where every stream ends in JSON."""
    return {
        stream: {"sequence": sequence, "hash": digest}
        for stream, (sequence, digest) in heads.items()
    }


def verified_document(journal: str, verified: Verified) -> dict[str, object]:
    """Return what was verified in JSON."""
    findings = [finding_document(one) for one in verified.findings]
    return {
        "journal": shown_name(journal),
        "holds": verified.holds,
        "streams": verified.streams,
        "decisions": verified.decisions,
        "refusals": verified.refusals,
        "postings": verified.postings,
        "settlements": verified.settlements,
        "openings": verified.openings,
        "checkpoints": verified.checkpoints,
        "lost_shoes": verified.lost,
        "heads": heads_document(verified.heads),
        "first": findings[0] if findings else None,
        "findings": findings,
        "otherwise": [finding_document(one) for one in verified.otherwise],
    }


def finding_document(one: Finding) -> dict[str, object]:
    """Return what was found in JSON."""
    return {
        "stream": one.stream or None,
        "sequence": one.sequence if one.stream else None,
        "kind": one.kind,
        "sentence": one.sentence,
    }


def print_verified(journal: str, checked: Checked) -> None:
    """Show on a terminal what was verified."""
    out, verified = console(), checked.verified
    name = shown_name(journal)
    for finding in verified.findings:
        say(out, found_sentence(finding), "red")
    if not verified.holds:
        say(out, f"{name} does not hold.", "bold")
        return
    if not verified.decisions:
        say(out, f"{name} holds no decisions.")
        return
    print_heads(verified.heads)
    counts = ", ".join(
        (
            plural(verified.decisions, "decision"),
            plural(verified.refusals, "refusal"),
            plural(verified.postings, "posting"),
            plural(verified.settlements, "settlement"),
            plural(verified.openings, "opening"),
            plural(verified.checkpoints, "checkpoint"),
        )
    )
    say(out, f"{name} holds: {counts}.")
    for seal, cards in sorted(verified.lost.items()):
        say(out, f"Shoe {seal} was declared lost: {plural(cards, 'card')} of it stay unproved.")
    for one in verified.otherwise:
        where = f"Decision {one.sequence} of {one.stream}, by another release"
        say(out, f"{where}: {one.sentence}", "yellow")
    if checked.signed_by is not None:
        say(out, f"It is signed by {checked.signed_by}.")
    if checked.checkpoints_signed_by is not None:
        say(out, f"The checkpoints are signed by {checked.checkpoints_signed_by}.")
    else:
        say(
            out,
            "No checkpoints were given: whether decisions are missing at the end is not known.",
        )
