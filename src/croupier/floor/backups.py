"""Backups of a whole house while it is open, and its return into a new folder.

A backup is a folder: a verified copy of the journal with its signed manifest, or an export of a
database, the people without their sessions, the checkpoints and the configuration. The keys
go to a folder of their own, which is kept elsewhere: whoever finds a backup opens no shoe.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from croupier import __version__
from croupier.floor.configuration import CONFIGURATION
from croupier.floor.copying import Copied, Order
from croupier.floor.demo import LOGINS
from croupier.floor.house import (
    CHECKPOINTS,
    JOURNAL,
    SHOE_KEYS,
    SIGNING_KEY,
    SNAPSHOT_KEY,
    TICKET_KEY,
)
from croupier.floor.people_file import PEOPLE
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.backup import restore
from croupier.journal.checkpoints import Checkpoints
from croupier.journal.decision import written_moment
from croupier.journal.errors import JournalError
from croupier.journal.files import already, require_folder, require_new, sync_folder, write_once
from croupier.journal.opening import open_reader
from croupier.journal.seal import OWNER_FILE, OWNER_FOLDER
from croupier.rules.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.floor.floor import Floor
    from croupier.journal.verify import Verified

MANIFEST: Final = "backup.json"
EXPORT: Final = "journal.export"
"""What a journal in a database becomes."""
KEYS: Final = (SIGNING_KEY, SNAPSHOT_KEY, TICKET_KEY)
BESIDE: Final = (PEOPLE, CONFIGURATION, LOGINS)
BACKUPS: Final = "backups"
"""Where backups go, in the house's folder, where no place is configured."""
SHOWN_MAX: Final = 100


class HouseBackup(msgspec.Struct, frozen=True):
    """What a backup says of itself."""

    version: str
    moment: str
    journal: str
    decisions: int
    signed_by: str
    """The public key of the journal's copy."""
    files: dict[str, str]
    """SHA-256 of everything beside the journal."""


# Making


async def back_up_house(floor: Floor, target: Path, keys: Path | None) -> HouseBackup:
    """Back a house up into a new folder, and its keys into another, while it is open.

    What is in the folder when this returns was verified and is durable; what failed has left
    nothing.
    """
    for one in (target, keys):
        if one is not None:
            require_new(one)
            require_folder(one.parent)
    part = target.with_name(f"{target.name}.part")
    parts = [part] if keys is None else [part, keys.with_name(f"{keys.name}.part")]
    try:
        for one in parts:
            _fresh(one)
        made = await _fill(floor, part, None if keys is None else parts[1])
        if keys is not None:
            parts[1].rename(keys)
        part.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        message = f"The backup {target} cannot be written: {error.strerror or error}."
        raise JournalError(message) from error
    finally:
        for one in parts:
            await asyncio.to_thread(shutil.rmtree, one, ignore_errors=True)
    return made


async def _fill(floor: Floor, part: Path, keys: Path | None) -> HouseBackup:
    house = floor.house
    database = house.database
    if keys is not None:
        await asyncio.to_thread(_copy_keys, house.folder, keys)
    # Before the journal: a copy must not be behind the checkpoints that lie beside it.
    await asyncio.to_thread(shutil.copytree, house.folder / CHECKPOINTS, part / CHECKPOINTS)
    name = JOURNAL if database is None else EXPORT
    where = str(house.folder / JOURNAL) if database is None else database
    copied = await _apart(where, part / name, house.folder / SIGNING_KEY)
    await floor.people.copy(part / PEOPLE)
    for one in (CONFIGURATION, LOGINS):
        with suppress(FileNotFoundError):
            await asyncio.to_thread(shutil.copy2, house.folder / one, part / one)
    if keys is not None:
        # Again: shoes were loaded meanwhile, and the journal's copy may have them.
        await asyncio.to_thread(_copy_keys, house.folder, keys)
    made = HouseBackup(
        __version__, written_moment(house.clock()), name, copied.decisions, copied.key,
        await asyncio.to_thread(_digests, part, name),
    )  # fmt: skip
    await asyncio.to_thread(
        write_once, part / MANIFEST, msgspec.json.format(msgspec.json.encode(made)) + b"\n"
    )
    return made


async def _apart(where: str, target: Path, key: Path) -> Copied:
    """Copy a journal in a process of its own: closing a file here would drop its locks.

    What it is to do goes over a pipe, since an address may hold a password.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "croupier.floor.copying",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    order = msgspec.json.encode(Order(where, str(target), str(key)))
    try:
        answer, _ = await process.communicate(order)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    try:
        copied = msgspec.json.decode(answer, type=Copied)
    except msgspec.MsgspecError as error:
        message = "The journal could not be copied: the process that copies it failed."
        raise JournalError(message) from error
    if copied.error:
        raise JournalError(copied.error)
    return copied


def _fresh(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=OWNER_FOLDER)


def _copy_keys(house: Path, keys: Path) -> None:
    """Copy keys that are not there yet, for their owner only."""
    (keys / SHOE_KEYS).mkdir(mode=OWNER_FOLDER, exist_ok=True)
    for path in (*(house / one for one in KEYS), *(house / SHOE_KEYS).glob("*.key")):
        target = keys / path.relative_to(house)
        if path.exists() and not target.exists():
            write_once(target, path.read_bytes(), mode=OWNER_FILE)


def _digests(folder: Path, journal: str) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(journal)
    }


# Restoring


def is_house_backup(folder: Path) -> bool:
    """Tell whether a folder is the backup of a house."""
    return (folder / MANIFEST).is_file()


async def restore_house(
    backup: Path, target: Path, keys: Path | None = None, database: str | None = None
) -> Verified:
    """Make a house of a backup in a new folder; refuse what does not hold.

    Without the keys, shoes in play cannot be dealt on, and a new key signs from now on.
    """
    made = _read_manifest(backup)
    _require_whole(backup, made)
    if (made.journal == JOURNAL) != (database is None):
        message = (
            f"{backup} holds an SQLite journal; it is restored without --database."
            if made.journal == JOURNAL
            else f"{backup} holds the journal of a database; name a new one by --database."
        )
        raise JournalError(message)
    if keys is not None and not (keys / SIGNING_KEY).is_file():
        message = f"{keys} holds no keys of a house."
        raise JournalError(message)
    _require_elsewhere(target, backup)
    require_new(target)
    require_folder(target.parent)
    part = target.with_name(f"{target.name}.part")
    try:
        _fresh(part)
        signed = [one.checkpoint for one in Checkpoints(backup / CHECKPOINTS).all()]
        async with await open_reader(str(backup / made.journal), (made.signed_by,)) as reader:
            where = database or str(part / JOURNAL)
            verified = await restore(reader, where, signed, None, (made.signed_by,))
        _bring_back(backup, part, keys)
        part.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        message = f"{target} cannot be written: {error.strerror or error}."
        raise JournalError(message) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return verified


def _require_elsewhere(target: Path, backup: Path) -> None:
    if target.resolve().is_relative_to(backup.resolve()):
        message = f"{target} lies in the backup itself; restore it elsewhere."
        raise JournalError(message)


def _bring_back(backup: Path, part: Path, keys: Path | None) -> None:
    for name in BESIDE:
        if (backup / name).exists():
            write_once(part / name, (backup / name).read_bytes(), mode=OWNER_FILE)
    if keys is None:
        # The checkpoints are of the old key, so they come back only with it.
        (part / CHECKPOINTS).mkdir()
        return
    shutil.copytree(backup / CHECKPOINTS, part / CHECKPOINTS)
    _copy_keys(keys, part)


def _read_manifest(backup: Path) -> HouseBackup:
    try:
        return msgspec.json.decode((backup / MANIFEST).read_bytes(), type=HouseBackup)
    except (OSError, msgspec.MsgspecError) as error:
        message = f"{backup} is no backup of a house: {error}."
        raise JournalError(message) from error


def _require_whole(backup: Path, made: HouseBackup) -> None:
    found = _digests(backup, made.journal)
    found.pop(MANIFEST, None)
    for name in _differing(found, made.files):
        message = f"{backup} is not restored: {quoted(name)} is not as it was backed up."
        raise JournalError(message)


def _differing(found: dict[str, str], wanted: dict[str, str]) -> Iterator[str]:
    yield from (name for name in {**wanted, **found} if found.get(name) != wanted.get(name))


# Of a running server


class BackupShown(msgspec.Struct, frozen=True, kw_only=True):
    """A backup that is being made, was made, or failed since the start."""

    name: str
    folder: str
    keys_folder: str | None = None
    done: bool = False
    error: str | None = None
    made: HouseBackup | None = None


class Backups:
    """Backups of this process: one at a time, with what came of each."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self.shown: dict[str, BackupShown] = {}
        self.task: asyncio.Task[None] | None = None

    @property
    def _places(self) -> tuple[Path, Path | None]:
        house = self._floor.house
        set_ = house.configuration.backup
        folder = house.folder / BACKUPS if set_.folder is None else Path(set_.folder)
        return folder, None if set_.keys_folder is None else Path(set_.keys_folder)

    def begin(self, name: str) -> BackupShown:
        """Begin a backup, unless one is being made."""
        if self.task is not None and not self.task.done():
            message = "A backup is being made; wait until it is done."
            raise ProblemError(ServerCode.BUSY, message, 5.0)
        folder, keys = self._places
        target = folder / name
        made = self.shown.get(name)
        if made is not None and made.made is not None and target.exists():
            # Refused here: what came of it must not stand where the good one is shown.
            raise ProblemError(ServerCode.NOT_DONE, str(already(target)))
        apart = None if keys is None else str(keys / name)
        shown = BackupShown(name=name, folder=str(target), keys_folder=apart)
        self.shown.pop(name, None)
        self.shown[name] = shown
        for old in list(self.shown)[:-SHOWN_MAX]:
            del self.shown[old]
        self.task = self._floor.spawn(self._make(shown))
        return shown

    async def close(self) -> None:
        """Give up what is being made; nothing of it is left."""
        if self.task is not None and not self.task.done():
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def _make(self, shown: BackupShown) -> None:
        replace = msgspec.structs.replace
        keys = None if shown.keys_folder is None else Path(shown.keys_folder)
        try:
            for one in (Path(shown.folder), keys):
                if one is not None:
                    await asyncio.to_thread(one.parent.mkdir, mode=OWNER_FOLDER, exist_ok=True)
            made = await back_up_house(self._floor, Path(shown.folder), keys)
        except (JournalError, OSError) as error:
            self.shown[shown.name] = replace(shown, done=True, error=str(error))
        else:
            self.shown[shown.name] = replace(shown, done=True, made=made)
