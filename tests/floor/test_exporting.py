"""One export of the journal at a time, and none for ever that nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.api import journal
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.errors import JournalError
from tests.floor.fed import fed, settings_of
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from pathlib import Path


@looped
async def test_one_export_at_a_time_and_none_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with fed(tmp_path, settings_of("baccarat")) as table:
        floor = table.floor
        monkeypatch.setattr(journal, "_audited", lambda _: floor)
        monkeypatch.setattr(journal, "query_of", lambda *_: journal.ExportQuery())

        async def begin() -> Any:  # noqa: ANN401  # a stream of Litestar
            request: Any = None
            return await journal.journal_export.fn(request)

        first = await begin()
        with pytest.raises(ProblemError) as busy:
            await begin()
        assert busy.value.code is ServerCode.BUSY
        assert floor.exporting is not None
        floor.exporting.read -= journal.IDLE_SECONDS + 1
        second = await begin()
        with pytest.raises(JournalError, match="slowly"):
            assert [part async for part in first.iterator()]
        assert len([part async for part in second.iterator()]) > 0
        assert floor.exporting is None
        await begin()
        floor.exporting.since -= journal.EXPORT_SECONDS + 1
        assert [part async for part in (await begin()).iterator()]
