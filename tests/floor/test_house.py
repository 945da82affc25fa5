"""A house in a folder: journal, keys and checkpoints belong together."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from croupier.floor.house import CHECKPOINTS, JOURNAL, SHOE_KEYS, SIGNING_KEY, House
from croupier.journal.checkpoints import CheckpointError, Checkpoints
from croupier.journal.errors import JournalError
from croupier.table.state import Phase
from tests.floor.rounds import SCRIPTS, People, check_all, looped

if TYPE_CHECKING:
    from pathlib import Path

TIGER = SCRIPTS["tiger"]._replace(cards=(), rounds=2)


@looped
async def test_a_house_keeps_everything_in_its_folder(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    await house.start(drive=False)
    people = People(TIGER)
    desk = await house.table("1")
    await people.play(desk, Phase.CLOSED)
    await house.close()
    again = await House.open(tmp_path / "house")
    await again.start(drive=False)
    assert again.signer.public == house.signer.public
    await people.play(await again.table("1"))
    await check_all(again.store, people)
    heads = await again.store.heads()
    assert again.new_name() == "2"
    await again.close()
    newest = Checkpoints(tmp_path / "house" / CHECKPOINTS).newest(house.signer.public)
    assert newest is not None
    assert newest.heads == {one.stream: (one.sequence, one.hash.hex()) for one in heads}
    modes = {
        name: (tmp_path / "house" / name).stat().st_mode & 0o777
        for name in (SHOE_KEYS, SIGNING_KEY)
    }
    assert modes == {SHOE_KEYS: 0o700, SIGNING_KEY: 0o600}


@looped
async def test_a_journal_that_was_put_back_opens_no_house(tmp_path: Path) -> None:
    people = People(TIGER)
    house = await House.open(tmp_path / "house")
    await house.start(drive=False)
    await people.play(await house.table("1"), Phase.OPEN)
    await house.close()
    shutil.copy(tmp_path / "house" / JOURNAL, tmp_path / "old")
    house = await House.open(tmp_path / "house")
    await house.start(drive=False)
    await people.play(await house.table("1"), Phase.CLOSED)
    await house.close()
    shutil.copy(tmp_path / "old", tmp_path / "house" / JOURNAL)
    with pytest.raises(CheckpointError, match="nothing starts"):
        await House.open(tmp_path / "house")


@looped
async def test_a_house_is_open_once(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    with pytest.raises(JournalError, match="being written by another process"):
        await House.open(tmp_path / "house")
    await house.close()
    await (await House.open(tmp_path / "house")).close()


def test_a_process_that_serves_desks_returns_what_its_main_does() -> None:
    """In a process of its own, because it is set up for ever."""
    code = (
        "import asyncio, gc, sys\n"
        "from croupier.floor.running import TURN_SECONDS, run\n"
        "async def main():\n"
        "    await asyncio.sleep(0)\n"
        "    return type(asyncio.get_running_loop()).__module__\n"
        "assert run(main()).startswith('uvloop')\n"
        "assert sys.getswitchinterval() == TURN_SECONDS\n"
        "assert gc.get_freeze_count() > 0\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  # our own code
