"""Exports as tables: a folder of CSV or Parquet files, with a signed head beside them.

A row of ``decisions`` has what people look for in columns of their own: who asked, in which
position, who approved, the command, what came of it. All of that is taken from the body, which
stands in the last column but one with its hash behind it; a row whose columns do not say what
its body says is found.
"""

from __future__ import annotations

import csv
import hashlib
import io
from typing import TYPE_CHECKING, Any, Protocol, get_type_hints

import msgspec

from croupier.journal.checkpoints import check_signature
from croupier.journal.codec import encode_canonical
from croupier.journal.decision import Head, Posting, Record
from croupier.journal.errors import JournalError
from croupier.journal.export import (
    BalanceLine,
    DecisionLine,
    Line,
    PostingLine,
    lines_of,
    old_form,
    to_posting,
    to_record,
)
from croupier.journal.files import new_target, require_new, sync_folder, write_once
from croupier.journal.reader import Finding, Page, Reader, UnreadableError
from croupier.rules.errors import quoted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping
    from pathlib import Path

    from croupier.journal.checkpoints import Signer

HEAD = "head.json"


class DecisionRow(Line, frozen=True, tag="decision"):
    """A decision with its parts in columns; what it does not have is empty."""

    stream: str
    sequence: int
    epoch: int
    release: str
    moment: str
    command_id: str
    actor_kind: str
    actor_name: str
    position: str
    acting: str
    approver: str
    approver_position: str
    command: str
    asked: str
    house: str
    events: str
    refusal: str
    clause: str
    sentence: str
    body: str
    hash: str


SHEETS: dict[str, type[Line]] = {
    "decisions": DecisionRow,
    "postings": PostingLine,
    "balances": BalanceLine,
}
ROWS = 5_000
BROKEN = (
    *(ValueError, TypeError, KeyError, RuntimeError, OSError),
    csv.Error,
    msgspec.MsgspecError,
)
"""What a file raises that is not what was written."""


class _Someone(msgspec.Struct, frozen=True):
    kind: str = ""
    name: str = ""
    position: str = ""
    acting: dict[str, str] = {}


class _Refused(msgspec.Struct, frozen=True):
    code: str = ""
    sentence: str = ""
    clause: str | None = None


class _Shown(msgspec.Struct, frozen=True):
    """The parts of a decision as they are written, whatever versions they are of."""

    stream: str
    sequence: int
    epoch: int
    release: str
    moment: str
    command_id: str
    actor: _Someone
    command: msgspec.Raw
    approver: _Someone = _Someone()
    house: msgspec.Raw = msgspec.Raw(b"")
    events: msgspec.Raw = msgspec.Raw(b"")
    refusal: _Refused = _Refused()


class _Kind(msgspec.Struct, frozen=True):
    type: str


_shown = msgspec.json.Decoder(_Shown).decode
_kind = msgspec.json.Decoder(_Kind).decode


def decision_row(body: bytes, digest: str) -> DecisionRow:
    """Return the row of a decision, from its body and its hash."""
    one = _shown(body)
    return DecisionRow(
        one.stream,
        one.sequence,
        one.epoch,
        one.release,
        one.moment,
        one.command_id,
        one.actor.kind,
        one.actor.name,
        one.actor.position,
        one.actor.acting.get("position", ""),
        one.approver.name,
        one.approver.position,
        _kind(one.command).type,
        bytes(one.command).decode(),
        bytes(one.house).decode(),
        bytes(one.events).decode(),
        one.refusal.code,
        one.refusal.clause or "",
        one.refusal.sentence,
        body.decode(),
        digest,
    )


class FolderHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where every stream ends, and the digest of every file, signed."""

    content: str
    """ "csv" or "parquet"."""
    files: dict[str, str]
    heads: dict[str, tuple[int, str]]
    key: str
    signature: str = ""

    def signed(self) -> bytes:
        """Return what the signature covers: all but itself."""
        return encode_canonical(msgspec.structs.replace(self, signature=""))

    @property
    def holds(self) -> bool:
        """Tell whether the signature is that of the key."""
        return check_signature(self.key, self.signature, self.signed())


class Sheet(Protocol):
    """Writes the rows of one file."""

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Write rows."""

    def close(self) -> None:
        """Finish the file."""


class CsvSheet:
    """Writes rows as comma-separated values."""

    def __init__(self, path: Path, kind: type[Line]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(self._file, lineterminator="\n")
        self._rows.writerow(kind.__struct_fields__)

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Write rows."""
        self._rows.writerows(rows)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class ParquetSheet:
    """Writes rows in columns."""

    def __init__(self, path: Path, kind: type[Line]) -> None:
        arrow = load_arrow()
        fields = [
            (name, arrow.int64() if whole else arrow.string()) for name, whole in columns(kind)
        ]
        self._schema = arrow.schema(fields)
        self._arrow = arrow
        self._file = arrow.parquet.ParquetWriter(path, self._schema)

    def add(self, rows: list[tuple[Any, ...]]) -> None:
        """Write rows."""
        arrays = [
            self._arrow.array(column, type=self._schema.field(place).type)
            for place, column in enumerate(zip(*rows, strict=True))
        ]
        if arrays:
            self._file.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


WRITERS: dict[str, Callable[[Path, type[Line]], Sheet]] = {
    "csv": CsvSheet,
    "parquet": ParquetSheet,
}


def columns(kind: type[Line]) -> list[tuple[str, bool]]:
    """Return the columns of a sheet, and whether they hold whole numbers."""
    hints = get_type_hints(kind)
    return [(name, hints[name] is int) for name in kind.__struct_fields__]


def load_arrow() -> Any:  # noqa: ANN401  # a module without types
    """Return the library that reads and writes Parquet, or ask for it in a sentence."""
    try:
        import pyarrow as pa  # noqa: PLC0415  # an optional library
        import pyarrow.parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        message = "Parquet needs pyarrow, which is not installed; croupier[data] brings it."
        raise JournalError(message) from error
    return pa


async def write_sheets(
    reader: Reader,
    folder: Path,
    signer: Signer,
    content: str,
    progress: Callable[[int], None] | None = None,
) -> FolderHead:
    """Write an export into a new folder; return its signed head."""
    with new_target(folder) as part:
        part.mkdir()
        heads = await _write_rows(reader, part, content, progress)
        files = {f"{name}.{content}": "" for name in SHEETS}
        files = {name: digest_of_file(part / name) for name in files}
        head = FolderHead(content, files, heads, signer.public)
        head = msgspec.structs.replace(head, signature=signer.sign(head.signed()))
        write_once(part / HEAD, encode_canonical(head) + b"\n")
        require_new(folder)
        part.rename(folder)
        sync_folder(folder.parent)
    return head


async def _write_rows(
    reader: Reader, part: Path, content: str, progress: Callable[[int], None] | None
) -> dict[str, tuple[int, str]]:
    heads: dict[str, tuple[int, str]] = {}
    sheets: dict[type[Line], Sheet] = {}
    try:
        for name, kind in SHEETS.items():
            sheets[kind] = WRITERS[content](part / f"{name}.{content}", kind)
        rows: dict[type[Line], list[tuple[Any, ...]]] = {kind: [] for kind in sheets}
        decisions = 0
        async for line in lines_of(reader, heads=heads):
            row = _row(line)
            kind = type(row)
            if kind not in rows:
                continue
            rows[kind].append(msgspec.structs.astuple(row))
            decisions += kind is DecisionRow
            if len(rows[kind]) == ROWS:
                sheets[kind].add(rows[kind])
                rows[kind] = []
                if progress is not None:
                    progress(decisions)
        for kind, left in rows.items():
            sheets[kind].add(left)
    finally:
        for sheet in sheets.values():
            sheet.close()
    return heads


def _row(line: Line) -> Line:
    """Return a line as its row; a decision that cannot be read is refused."""
    if not isinstance(line, DecisionLine):
        return line
    body = bytes(line.decision)
    try:
        return decision_row(body, line.hash)
    except (msgspec.MsgspecError, UnicodeError) as error:
        message = f"A decision cannot be read: {str(error).rstrip('.')}."
        raise UnreadableError(message) from error


def digest_of_file(path: Path) -> str:
    """Return the digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class FolderReader(Reader):
    """Reads an export of CSV or Parquet files into memory."""

    def __init__(self, folder: Path, keys: tuple[str, ...] = ()) -> None:
        self.name = str(folder)
        self._folder = folder
        self._findings: list[Finding] = []
        self._records: dict[str, list[Record]] = {}
        self._postings: dict[str, list[Posting]] = {}
        self._balances: dict[str, int] = {}
        self.head = self._read_head(folder / HEAD)
        self._check_head(keys)
        for name, kind in SHEETS.items():
            path = folder / f"{name}.{self.head.content}"
            if path.exists():
                self._take_all(path, kind)
        self._check_heads()

    def _read_head(self, path: Path) -> FolderHead:
        try:
            content = path.read_bytes()
            head = msgspec.json.decode(content, type=FolderHead)
        except (OSError, msgspec.MsgspecError, UnicodeError) as error:
            message = f"{self.name} is not an export: its {HEAD} cannot be read."
            raise JournalError(message) from error
        if encode_canonical(head) + b"\n" != content:
            self._found(f"{HEAD} is not written as an export writes it.")
        if f"records.{head.content}" in head.files:
            raise old_form(self.name)
        if head.content not in WRITERS:
            message = f"{self.name} is an export in a form that is not known here."
            raise JournalError(message)
        return head

    def _check_head(self, keys: tuple[str, ...]) -> None:
        head = self.head
        if not head.holds:
            self._found("The signature of the head does not hold.")
        if keys and head.key not in keys:
            self._found("The export is signed by another key.")
        if head.files.keys() != {f"{name}.{head.content}" for name in SHEETS}:
            self._found("The head does not name the files of an export.")
        for name, digest in head.files.items():
            path = self._folder / name
            if not path.is_file():
                self._found(f"{name} is not there.")
            elif digest_of_file(path) != digest:
                self._found(f"{name} is not the file that was signed.")
        known = {HEAD, *head.files}
        for path in sorted(self._folder.iterdir()):
            if path.name not in known:
                self._found(f"{path.name} does not belong to the export.")

    def _check_heads(self) -> None:
        have = {
            stream: (records[-1].sequence, records[-1].hash.hex())
            for stream, records in self._records.items()
        }
        if self.head.heads != have:
            self._found("The heads are not those of the decisions.")

    def _take_all(self, path: Path, kind: type[Line]) -> None:
        rows = (
            _csv_rows(path, kind) if self.head.content == "csv" else _parquet_rows(path, kind)
        )
        try:
            for line in rows:
                self._take(line)
        except BROKEN as error:
            said = str(error).partition("\n")[0].rstrip(".")
            self._found(f"{path.name} cannot be read: {said}.")

    def _take(self, line: Line) -> None:
        if isinstance(line, DecisionRow):
            body = line.body.encode()
            record = to_record(body, line.hash)  # one that cannot be read makes no stream
            if decision_row(body, line.hash) != line:
                where = f"Decision {record.sequence} of {record.stream}"
                self._found(f"{where} stands in other columns than in its body.")
            self._records.setdefault(record.stream, []).append(record)
        elif isinstance(line, PostingLine):
            self._postings.setdefault(line.stream, []).append(to_posting(line))
        elif isinstance(line, BalanceLine):
            self._balances[line.account] = line.cents

    def _found(self, sentence: str) -> None:
        self._findings.append(Finding("", 0, "export", sentence))

    async def heads(self) -> list[Head]:
        """Return where every stream ends that has left any trace."""
        streams = self._records.keys() | self._postings.keys()
        return [self._head(stream) for stream in sorted(streams)]

    def _head(self, stream: str) -> Head:
        records = self._records.get(stream)
        if not records:
            return Head(stream)
        return Head(stream, records[-1].sequence, records[-1].hash)

    async def pages(self, stream: str) -> AsyncIterator[Page]:
        """Yield the decisions of a stream in order, with their postings."""
        yield Page(self._records.get(stream, []), self._postings.get(stream, []))

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account."""
        return self._balances

    async def findings(self) -> list[Finding]:
        """Return what does not hold of the files and their seal."""
        return self._findings

    async def close(self) -> None:
        """Nothing is open."""


def _csv_rows(path: Path, kind: type[Line]) -> Iterator[Line]:
    wholes = [whole for _, whole in columns(kind)]
    with io.TextIOWrapper(path.open("rb"), encoding="utf-8", newline="") as file:
        rows = csv.reader(file, strict=True)
        _require_columns(next(rows, []), kind)
        for row in rows:
            if len(row) != len(wholes):
                message = f"line {rows.line_num} has {len(row)} columns and not {len(wholes)}"
                raise ValueError(message)
            pairs = zip(row, wholes, strict=True)
            yield kind(*(_whole(text) if whole else text for text, whole in pairs))


def _require_columns(names: list[str], kind: type[Line]) -> None:
    if tuple(names) != kind.__struct_fields__:
        message = "its columns are others"
        raise ValueError(message)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"{quoted(text)} stands where a whole number should"
        raise ValueError(message) from None


def _parquet_rows(path: Path, kind: type[Line]) -> Iterator[Line]:
    file = load_arrow().parquet.ParquetFile(path)
    _require_columns(file.schema_arrow.names, kind)
    for batch in file.iter_batches(ROWS):
        for row in batch.to_pylist():
            yield msgspec.convert(row, kind)


__all__ = ["FolderHead", "FolderReader", "UnreadableError", "write_sheets"]
