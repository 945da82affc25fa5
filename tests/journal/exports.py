"""An exported casino, as tests of exports and of the verifier need it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from croupier.journal.checkpoints import Signer
from croupier.journal.export import write_lines
from croupier.journal.reader import SqliteReader
from tests.journal.casino import built

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("casino"))


@pytest.fixture(scope="module")
def exported(journal: Path) -> Path:
    path = journal.with_name("export.jsonl")
    path.write_bytes(export(journal))
    return path


@pytest.fixture(scope="module")
def exported_lines(exported: Path) -> list[bytes]:
    return exported.read_bytes().splitlines(keepends=True)


def export(journal: Path, signer: Signer | None = None, *, sealed: bool = False) -> bytes:
    async def write() -> bytes:
        parts: list[bytes] = []
        async with SqliteReader(journal) as reader:
            await write_lines(reader, parts.append, signer or Signer.once(), sealed=sealed)
        return b"".join(parts)

    return asyncio.run(write())


def kinds(content: bytes) -> list[str]:
    return [json.loads(line)["kind"] for line in content.splitlines()]
