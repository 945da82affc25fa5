"""Manifests: what a backup was when it was made, signed, in a small file beside it.

A backup of an SQLite journal is an SQLite file, and whoever can write it can write another
history into it that holds. Its manifest has the SHA-256 of the file and the heads of the
streams, so that a backup is known again, years later, by the key that signed it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from croupier.journal.checkpoints import check_signature
from croupier.journal.codec import encode_canonical
from croupier.journal.files import write_once
from croupier.journal.reader import Finding
from croupier.journal.sqlite_file import manifest_of

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.checkpoints import Signer


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The checksum of a backup, how far its streams came, and who signed it."""

    sha256: str
    heads: dict[str, tuple[int, str]]
    key: str
    signature: str = ""
    """Of the manifest with an empty signature."""


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(
    backup: Path, content: Path, heads: dict[str, tuple[int, str]], signer: Signer
) -> Manifest:
    """Write the manifest of a backup whose content is still under another name."""
    unsigned = Manifest(checksum(content), heads, signer.public)
    manifest = replace(unsigned, signature=signer.sign(encode_canonical(unsigned)))
    write_once(manifest_of(backup), encode_canonical(manifest))
    return manifest


def read_manifest(backup: Path) -> Manifest | None:
    """Read the manifest of a backup, if there is one; it is written in one way only."""
    try:
        content = manifest_of(backup).read_bytes()
    except FileNotFoundError:
        return None
    manifest = msgspec.json.decode(content, type=Manifest)
    if encode_canonical(manifest) != content:
        message = "it is not written as manifests are"
        raise msgspec.ValidationError(message)
    return manifest


def check_manifest(
    backup: Path, heads: dict[str, tuple[int, str]], keys: tuple[str, ...] = ()
) -> list[Finding]:
    """Compare a backup, whose streams end at some heads, with its manifest if it has one."""
    name = manifest_of(backup).name
    try:
        manifest = read_manifest(backup)
    except (msgspec.MsgspecError, UnicodeError) as error:
        return [Finding("", 0, "backup", f"{name} cannot be read: {error}.")]
    if manifest is None:
        return []
    body = encode_canonical(replace(manifest, signature=""))
    if not check_signature(manifest.key, manifest.signature, body):
        return [Finding("", 0, "backup", f"{name} was changed: its signature does not hold.")]
    if keys and manifest.key not in keys:
        return [Finding("", 0, "backup", f"{name} is signed by another key.")]
    if checksum(backup) != manifest.sha256 or heads != manifest.heads:
        sentence = f"{backup.name} is not the backup that was signed in {name}."
        return [Finding("", 0, "backup", sentence)]
    return []
