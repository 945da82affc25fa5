"""Tokens of devices: told once, kept as a digest, void when another is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.floor.people_file import PEOPLE, PeopleFile
from tests.floor.people import people_in
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from pathlib import Path


@looped
async def test_a_token_outlives_a_restart_and_is_void_after_another(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        first = await people.device_tokens.issue("shoe-1")
        second = await people.device_tokens.issue("shoe-1")
        die = await people.device_tokens.issue("die-1")
        assert people.device_tokens.find(first) is None
    async with people_in(tmp_path) as people:
        tokens = people.device_tokens
        assert [tokens.find(one) for one in (first, second, die)] == [None, "shoe-1", "die-1"]
        assert await tokens.revoke("die-1")
        assert not await tokens.revoke("die-1")
        assert (tokens.find(die), tokens.has("shoe-1")) == (None, True)
    async with people_in(tmp_path) as people:
        assert people.device_tokens.find(die) is None
        assert people.device_tokens.find(second) == "shoe-1"


@looped
async def test_no_token_is_in_the_file_and_none_in_a_copy(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        token = await people.device_tokens.issue("shoe-1")
        await people.copy(tmp_path / "copy.sqlite")
        assert token.encode() not in _kept(tmp_path)
    copy = await PeopleFile.open(tmp_path / "copy.sqlite")
    try:
        rows = await copy.run(
            lambda file: file.execute("SELECT * FROM device_token").fetchall()
        )
    finally:
        await copy.close()
    assert rows == []


def _kept(folder: Path) -> bytes:
    files = [one for one in folder.iterdir() if one.name.startswith(PEOPLE)]
    return b"".join(one.read_bytes() for one in files)
