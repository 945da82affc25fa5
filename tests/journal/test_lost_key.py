"""A shoe whose key is lost: its table goes on, and what was not opened stays unproved."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier import verifier
from croupier.accounts import commands as accounts
from croupier.floor.desk import Request
from croupier.journal.checkpoints import Signer
from croupier.journal.errors import JournalError
from croupier.journal.export import write_export
from croupier.journal.opening import open_reader
from croupier.journal.sqlite import SqliteStore
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.state import Phase
from tests.journal.casino import DECKS, Casino, open_house, verified
from tests.table.floor import MANAGER, SECOND

if TYPE_CHECKING:
    from pathlib import Path

CARDS = DECKS * 52
LOST = c.DeclareShoeLost("shoe-1", "the key folder burnt")


async def lose_the_key(folder: Path, draws: int) -> None:
    """Deal some cards, lose the keys, declare the shoe lost, and play on with another."""
    store = await SqliteStore.open(folder / "journal.sqlite")
    casino = Casino(store, folder)
    await casino.start()
    await open_house(casino)
    sol = accounts.AddUser(SECOND.name, accounts.UserKind.STAFF, SECOND.position.value)
    await casino.at_accounts(sol)
    await casino.do("1", c.CallBets())
    await casino.do("1", c.PlaceWager("ann", "banker", 100_00), Patron("ann"))
    await casino.do("1", c.CloseBets())
    for _ in range(draws):
        await casino.do("1", c.DrawCard())
    for path in (folder / "keys").iterdir():
        path.unlink()
    desk = casino.desks["1"]
    with pytest.raises(JournalError, match="There is no key for shoe shoe-1"):
        await casino.ask("1", c.DrawCard())
    alone = await desk.submit(Request("alone", MANAGER, LOST))
    assert not alone.accepted
    both = await desk.submit(Request("both", MANAGER, LOST, approver=SECOND))
    assert both.accepted, both.refusal
    assert desk.table.phase is Phase.VOID
    assert (desk.table.credits["ann"], desk.table.in_play) == (400_00, 0)
    await casino.do("1", c.DecideReplacement(replace=True), MANAGER)
    await casino.do("1", c.LoadShoe("shoe-3"))
    await casino.do("1", c.CallBets())
    await casino.do("1", c.CloseBets())
    await casino.deal("1")
    await casino.close()
    # A start folds the loss, and asks nobody for what is lost.
    casino = Casino(store, folder)
    await casino.start()
    await casino.start_desk("1")
    await casino.close()
    await store.close()


@pytest.mark.parametrize("draws", [0, 2])
def test_a_table_goes_on_without_its_key_and_everything_holds(
    tmp_path: Path, draws: int
) -> None:
    asyncio.run(lose_the_key(tmp_path, draws))
    journal, out = tmp_path / "journal.sqlite", tmp_path / "export.jsonl"
    done = verified(journal)
    assert done.findings == []
    assert not any(seal.startswith("shoe-1/") for seal in done.unopened)
    assert list(done.lost.values()) == [CARDS - draws]

    async def export() -> None:
        async with await open_reader(str(journal)) as reader:
            await write_export(reader, out, Signer.once())

    asyncio.run(export())
    checked = verifier.Export()
    with out.open("rb") as lines:
        for line in lines:
            checked.take(line)
    assert checked.finish() == []
    (lost,) = (line for line in checked.said() if "was lost" in line)
    assert lost.startswith("shoe shoe-1/")
    assert lost.endswith(f"{CARDS - draws} of its {CARDS} cards unproved")
