"""The file of the people: for its owner only, for one process, durable, without a secret."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from croupier.floor.credentials import csrf_of
from croupier.floor.door import Issued, TurnedAway
from croupier.floor.people import People, Personal
from croupier.floor.people_file import PEOPLE, PeopleFile
from croupier.journal.errors import JournalError, NotDoneError
from tests.floor.people import PASSWORDS, known, open_people, people_in, signed_in
from tests.floor.rounds import looped
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 4
"""How often a process is killed, further on each time."""


def files(folder: Path) -> list[Path]:
    return [one for one in folder.iterdir() if one.name.startswith(PEOPLE)]


@looped
async def test_nobody_but_its_owner_reads_the_file(tmp_path: Path) -> None:
    (tmp_path / PEOPLE).touch(mode=0o644)
    before = os.umask(0)
    try:
        async with people_in(tmp_path) as people:
            await signed_in(people, "ann")
            modes = {
                one.name: stat.S_IMODE(one.stat().st_mode)
                for one in files(tmp_path)
                if not one.name.endswith(".lock")
            }
    finally:
        os.umask(before)
    assert set(modes) == {PEOPLE, f"{PEOPLE}-wal", f"{PEOPLE}-shm"}
    assert set(modes.values()) == {0o600}


@looped
async def test_no_secret_is_in_the_file_or_beside_it(tmp_path: Path) -> None:
    secret: list[str] = list(PASSWORDS.values())
    async with people_in(tmp_path) as people:
        token, mia = await signed_in(people, "mia")
        ticket = people.tickets.issue(mia)
        approval = await people.approvals.issue(mia, "tiger", b"{}", "dan")
        link, first = await people.reset_password("dan"), await people.first_link([])
        other = await people.set_by_link("not a link that there is", "unused password")
        assert isinstance(other, TurnedAway)
        await people.sign_in("dan", "a password that is wrong")
        for issued in (ticket, approval, link, first):
            assert isinstance(issued, Issued)
            secret.append(issued.token)
        assert isinstance(approval, Issued)
        used = await people.approvals.redeem(approval.token, "tiger", b"{}", "dan", "k")
        assert used == "mia"
        secret += [token, csrf_of(token), "a password that is wrong", "unused password"]
        await people.describe("dan", Personal("Dan, who can be found"))
        open_bytes = b"".join(one.read_bytes() for one in files(tmp_path))
    closed_bytes = b"".join(one.read_bytes() for one in files(tmp_path))
    for found in (open_bytes, closed_bytes):
        assert b"Dan, who can be found" in found, "the bytes are looked through"
        assert [one for one in secret if one.encode() in found] == []


@looped
async def test_one_process_has_the_file(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        token, _ = await signed_in(people, "ann")
        with pytest.raises(JournalError, match="written by another process") as refused:
            await open_people(tmp_path)
        assert is_one_sentence(str(refused.value))
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "tests.floor.people_worker", str(tmp_path)],
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )
        assert done.returncode != 0
        assert (
            f"The store {PEOPLE} is being written by another process ({os.getpid()})"
            in done.stderr
        )
        assert people.sessions.find(token) is not None
        await signed_in(people, "ann")


def lines_of(folder: Path, lines: int) -> list[list[str]]:
    """Let a process sign people in, kill it after so many lines, and return what it told."""
    process = subprocess.Popen(  # noqa: S603  # our own program
        [sys.executable, "-m", "tests.floor.people_worker", str(folder)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process:
        try:
            told = [process.stdout.readline() for _ in range(lines)]
        finally:
            process.send_signal(signal.SIGKILL)
        told += process.stdout.readlines()
    return [line.split() for line in told if line.endswith("\n")]


@pytest.mark.parametrize("kill", range(KILLS))
@looped
async def test_a_kill_loses_nothing_that_was_told(tmp_path: Path, kill: int) -> None:
    told = await asyncio.to_thread(lines_of, tmp_path, 20 + 9 * kill)
    assert told[0] == ["ready"]
    by_word: dict[str, list[str]] = {"opened": [], "closed": [], "approved": [], "used": []}
    for word, value in told[1:]:
        by_word[word].append(value)
    people = await People.open(tmp_path, known().get)
    found = [people.sessions.find(token) for token in by_word["opened"]]
    alive = [one.number for one in found if one is not None]
    # Sessions are closed in the order in which they were opened; one may be on its way.
    assert len(alive) in {len(found) - len(by_word["closed"]) - more for more in (0, 1)}
    assert set(alive).isdisjoint(by_word["closed"])
    open_tokens = [token for token, one in zip(by_word["opened"], found, strict=True) if one]
    for token in by_word["used"]:
        again = await people.approvals.redeem(token, "1", b"x", "dan", "another")
        assert isinstance(again, TurnedAway)
        assert await people.approvals.redeem(token, "1", b"x", "dan", "k") == "mia"
    assert open_tokens
    waiting = set(by_word["approved"]) - set(by_word["used"])
    good = [
        token
        for token in waiting
        if await people.approvals.redeem(token, "1", b"x", "dan", "another") == "mia"
    ]
    # Each session that is open has one that was not used, the last perhaps none or two.
    assert len(open_tokens) - 1 <= len(good) <= len(open_tokens) + 1
    await people.close()


@looped
async def test_a_copy_has_the_passwords_and_opens_nothing_by_itself(tmp_path: Path) -> None:
    other = tmp_path / "restored"
    other.mkdir()
    async with people_in(tmp_path) as people:
        token, mia = await signed_in(people, "mia")
        approval = await people.approvals.issue(mia, "tiger", b"{}", "dan")
        link = await people.reset_password("dan")
        assert isinstance(approval, Issued)
        assert isinstance(link, Issued)
        await people.describe("ann", Personal("Ann"))
        await people.copy(other / PEOPLE)
        assert stat.S_IMODE((other / PEOPLE).stat().st_mode) == 0o600
        assert mia.digest not in (other / PEOPLE).read_bytes()
        before = (other / PEOPLE).read_bytes()
        with pytest.raises(JournalError, match="already") as refused:
            await people.copy(other / PEOPLE)
        assert is_one_sentence(str(refused.value))
        assert (other / PEOPLE).read_bytes() == before
        assert people.sessions.find(token) is mia
    async with people_in(other) as people:
        assert people.sessions.find(token) is None
        redeemed = await people.approvals.redeem(approval.token, "tiger", b"{}", "dan", "k")
        assert isinstance(redeemed, TurnedAway)
        assert isinstance(await people.set_by_link(link.token, "a new password"), TurnedAway)
        assert (await people.described("ann")).display == "Ann"
        await signed_in(people, "mia")


# Files that cannot be used


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"x" * 5000])
@looped
async def test_a_file_that_is_something_else_is_told_of_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / PEOPLE).write_bytes(content)
    with pytest.raises(JournalError, match="cannot be used") as refused:
        await open_people(tmp_path)
    assert is_one_sentence(str(refused.value))
    assert (tmp_path / PEOPLE).read_bytes() == content


@looped
async def test_a_file_of_a_newer_version_is_told_of_and_left_alone(tmp_path: Path) -> None:
    async with people_in(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / PEOPLE)) as file:
        file.execute("PRAGMA user_version = 99")
    before = (tmp_path / PEOPLE).read_bytes()
    with pytest.raises(JournalError, match="form 99") as refused:
        await open_people(tmp_path)
    assert is_one_sentence(str(refused.value))
    assert (tmp_path / PEOPLE).read_bytes() == before


@looped
async def test_a_folder_that_is_none_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be opened") as refused:
        await open_people(tmp_path / "missing")
    assert is_one_sentence(str(refused.value))
    (tmp_path / PEOPLE).mkdir()
    with pytest.raises(JournalError, match="cannot be opened"):
        await open_people(tmp_path)


# A medium that fails for a while


@looped
async def test_a_medium_that_fails_is_told_of_and_used_again(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        token, mia = await signed_in(people, "mia")
        with closing(sqlite3.connect(tmp_path / PEOPLE)) as other:
            other.execute("ALTER TABLE session RENAME TO away")
            other.execute("ALTER TABLE approval RENAME TO approval_away")
            for failing in (
                people.sign_in("mia", PASSWORDS["mia"]),
                people.approvals.issue(mia, "1", b"x", "dan"),
                people.change_password(mia, PASSWORDS["mia"], "another password"),
                people.sessions.close(mia),
            ):
                with pytest.raises(NotDoneError) as failed:
                    await failing
                assert is_one_sentence(str(failed.value))
            other.execute("ALTER TABLE away RENAME TO session")
            other.execute("ALTER TABLE approval_away RENAME TO approval")
        assert people.sessions.find(token) is None, "closed here at once"
        assert isinstance(await people.sign_in("mia", "another password"), TurnedAway)
        again, _ = await signed_in(people, "mia")
    async with people_in(tmp_path) as people:
        assert people.sessions.find(token) is None, "and in the file when it could be"
        assert people.sessions.find(again) is not None


@looped
async def test_a_redemption_that_failed_is_durable_when_it_is_repeated(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        _, mia = await signed_in(people, "mia")
        approval = await people.approvals.issue(mia, "1", b"x", "dan")
        assert isinstance(approval, Issued)
        redeem = people.approvals.redeem
        with closing(sqlite3.connect(tmp_path / PEOPLE)) as other:
            other.execute("ALTER TABLE approval RENAME TO away")
            with pytest.raises(NotDoneError):
                await redeem(approval.token, "1", b"x", "dan", "k")
            other.execute("ALTER TABLE away RENAME TO approval")
        assert isinstance(await redeem(approval.token, "1", b"x", "dan", "l"), TurnedAway)
        assert await redeem(approval.token, "1", b"x", "dan", "k") == "mia"
    async with people_in(tmp_path) as people:
        redeem = people.approvals.redeem
        assert isinstance(await redeem(approval.token, "1", b"x", "dan", "l"), TurnedAway)
        assert await redeem(approval.token, "1", b"x", "dan", "k") == "mia"


@looped
async def test_a_job_that_fails_leaves_nothing(tmp_path: Path) -> None:
    file = await PeopleFile.open(tmp_path / PEOPLE)

    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO personal VALUES ('ann', 'Ann', '')")
        connection.execute("INSERT INTO personal VALUES ('ann', 'Ann', '')")

    with pytest.raises(NotDoneError):
        await file.run(fails)
    rows = await file.run(lambda one: one.execute("SELECT * FROM personal").fetchall())
    assert rows == []
    await file.close()
