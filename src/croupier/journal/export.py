"""Exports: a whole journal as lines of JSON, or as tables, with a signed head at the end.

The lines are canonical: two exports of the same journal are the same byte for byte. First a
header; then, stream by stream, every decision with its postings behind it; the balances; in a
backup also the sealed cards, encrypted as they are kept; and at the end a signed head with the
digest of all lines before it. A decision stands in its line as it was written, so everybody
can read who asked for what, and compute every hash without any code of ours.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.checkpoints import check_signature
from croupier.journal.codec import encode_canonical
from croupier.journal.decision import Head, Posting, Record, check_chain
from croupier.journal.errors import JournalError
from croupier.journal.reader import Finding, Page, Reader, UnreadableError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping
    from pathlib import Path

    from croupier.journal.checkpoints import Signer

FORMAT = "croupier-export"
VERSION = 2
"""Version 1 had one record for each event, and answers beside them."""
START = b'{"content":'
"""How an export begins."""
PAGE = 5_000
FINDINGS_MAX = 20
"""How many broken lines are named; the others are no news."""


class Line(msgspec.Struct, frozen=True, gc=False, tag_field="kind", forbid_unknown_fields=True):
    """A line of an export."""


class HeaderLine(Line, frozen=True, tag="header"):
    """What this is."""

    content: str
    """ "export", or "backup": with the sealed cards."""
    format: str = FORMAT
    version: int = VERSION


class DecisionLine(Line, frozen=True, tag="decision"):
    """A decision as it is stored: its body, and the hash over it and the hash before it."""

    decision: msgspec.Raw
    hash: str


class PostingLine(Line, frozen=True, tag="posting"):
    """A posting, behind the decision it belongs to."""

    stream: str
    sequence: int
    line: int
    source: str
    target: str
    cents: int


class BalanceLine(Line, frozen=True, tag="balance"):
    """What an account holds."""

    account: str
    cents: int


class SealedLine(Line, frozen=True, tag="sealed"):
    """A sealed card, encrypted: its key is not here."""

    shoe: str
    number: int
    card: str


class HeadLine(Line, frozen=True, tag="head"):
    """Where every stream ends, and the digest of everything before, signed."""

    heads: dict[str, tuple[int, str]]
    lines: int
    digest: str
    key: str
    signature: str

    def signed(self) -> bytes:
        """Return what the signature covers: all but itself."""
        fields = {name: getattr(self, name) for name in ("heads", "lines", "digest", "key")}
        return encode_canonical({"kind": "head", **fields})

    @property
    def holds(self) -> bool:
        """Tell whether the signature is that of the key."""
        return check_signature(self.key, self.signature, self.signed())


AnyLine = HeaderLine | DecisionLine | PostingLine | BalanceLine | SealedLine | HeadLine
decode_line = msgspec.json.Decoder(AnyLine).decode


class Asker(msgspec.Struct, frozen=True, gc=False):
    """Who asked, as far as a store must know it."""

    kind: str
    name: str


class Columns(msgspec.Struct, frozen=True, gc=False):
    """What of a decision is also a column of a store."""

    stream: str
    sequence: int
    epoch: int
    command_id: str
    actor: Asker


columns_of = msgspec.json.Decoder(Columns).decode
decode_any = msgspec.json.Decoder().decode


def old_form(name: str) -> JournalError:
    """Say that an export is of the form that had a record for each event."""
    why = "which kept effects and their answers; it is not read here"
    return JournalError(f"{name} is an export of the old form, {why}.")


def is_canonical(raw: bytes) -> bool:
    """Tell whether JSON is written in the one way in which journals write it."""
    try:
        return encode_canonical(decode_any(raw)) == raw
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False


def decision_line(record: Record) -> DecisionLine:
    """Return the line of a decision; what is not written as decisions are is refused."""
    if not is_canonical(record.body):
        message = (
            f"The body of decision {record.sequence} of {record.stream}"
            " is not written as decisions are."
        )
        raise UnreadableError(message, record.stream, record.sequence)
    return DecisionLine(msgspec.Raw(record.body), record.hash.hex())


def to_record(body: bytes, digest: str) -> Record:
    """Return the record of a decision's body and its hash, as an export has them."""
    columns = columns_of(body)
    actor = f"{columns.actor.kind}:{columns.actor.name}"
    return Record(
        columns.stream, columns.sequence, columns.command_id, actor, body, bytes.fromhex(digest)
    )


def to_posting(line: PostingLine) -> Posting:
    """Return the posting of a line."""
    return Posting(*msgspec.structs.astuple(line))


# Writing


async def lines_of(
    reader: Reader, *, sealed: bool = False, heads: dict[str, tuple[int, str]]
) -> AsyncIterator[Line]:
    """Yield all lines but the head; a decision that does not follow is refused.

    Into ``heads`` goes where every stream ends.
    """
    yield HeaderLine("backup" if sealed else "export")
    streams = [head.stream for head in await reader.heads()]
    for stream in streams:
        async for line in _stream_lines(reader, stream, heads):
            yield line
    for account, cents in sorted((await reader.balances()).items()):
        yield BalanceLine(account, cents)
    if sealed:
        async for card in _sealed_lines(reader):
            yield card


async def _stream_lines(
    reader: Reader, stream: str, heads: dict[str, tuple[int, str]]
) -> AsyncIterator[Line]:
    head = Head(stream)
    async for page in reader.pages(stream):
        for record in page.records:
            head = check_chain(head, record)
        for line in _page_lines(stream, page):
            yield line
    if head.sequence:
        heads[stream] = (head.sequence, head.hash.hex())


async def _sealed_lines(reader: Reader) -> AsyncIterator[Line]:
    for shoe in await reader.sealed_shoes() or ():
        for number, card in enumerate(await reader.sealed(shoe)):
            yield SealedLine(shoe, number, card.hex())


def _page_lines(stream: str, page: Page) -> Iterator[Line]:
    """Yield decisions with their postings behind them."""
    left = deque(page.postings)
    for record in page.records:
        yield decision_line(record)
        while left and left[0].sequence == record.sequence:
            yield PostingLine(*msgspec.structs.astuple(left.popleft()))
    if left:
        message = f"A posting of {stream} belongs to no decision."
        raise UnreadableError(message, stream, left[0].sequence)


async def write_lines(
    reader: Reader,
    write: Callable[[bytes], object],
    signer: Signer,
    *,
    sealed: bool = False,
    progress: Callable[[int], None] | None = None,
) -> HeadLine:
    """Write an export line by line; return its signed head."""
    digest, count, decisions = hashlib.sha256(), 0, 0
    heads: dict[str, tuple[int, str]] = {}
    part: list[bytes] = []
    async for line in lines_of(reader, sealed=sealed, heads=heads):
        part.append(encode_canonical(line) + b"\n")
        decisions += isinstance(line, DecisionLine)
        if len(part) == PAGE:
            text = b"".join(part)
            digest.update(text)
            write(text)
            count, part = count + PAGE, []
            if progress is not None:
                progress(decisions)
    text = b"".join(part)
    digest.update(text)
    write(text)
    head = signed_head(heads, count + len(part), digest.hexdigest(), signer)
    write(encode_canonical(head) + b"\n")
    return head


async def write_export(
    reader: Reader,
    path: Path,
    signer: Signer,
    *,
    sealed: bool = False,
    progress: Callable[[int], None] | None = None,
) -> HeadLine:
    """Write an export into a new file, durably."""
    with path.open("xb") as file:
        head = await write_lines(reader, file.write, signer, sealed=sealed, progress=progress)
        file.flush()
        os.fsync(file.fileno())
    return head


def signed_head(
    heads: dict[str, tuple[int, str]], lines: int, digest: str, signer: Signer
) -> HeadLine:
    """Sign a head."""
    head = HeadLine(heads, lines, digest, signer.public, "")
    return msgspec.structs.replace(head, signature=signer.sign(head.signed()))


# Reading


class ExportReader(Reader):
    """Reads an export of lines: all of it once to check the seal, then stream by stream."""

    def __init__(self, path: Path, keys: tuple[str, ...] = ()) -> None:
        self.name = str(path)
        self._path = path
        self._keys = keys
        self._findings: list[Finding] = []
        self._records: dict[str, int] = {}
        """Where in the file the decisions of a stream begin."""
        self._heads: dict[str, Head] = {}
        self._balances: dict[str, int] = {}
        self._shoes: dict[str, int] = {}
        self.header: HeaderLine | None = None
        self.head: HeadLine | None = None
        self._read()

    def _read(self) -> None:
        """Go through all lines once: digest, order, and where everything begins."""
        digest, place, count = hashlib.sha256(), 0, 0
        with self._path.open("rb") as file:
            for raw in file:
                count += 1
                line = self._decoded(count, raw)
                if isinstance(line, HeadLine) and self.head is None:
                    self._check_head(line, count, digest.hexdigest())
                elif line is not None:
                    self._take(line, place, count)
                digest.update(raw)
                place += len(raw)
        if self.head is None:
            self._found("The last line is no signed head.")
        if self.header is None:
            self._found("The first line is no header.")

    def _decoded(self, count: int, raw: bytes) -> AnyLine | None:
        try:
            line: AnyLine = decode_line(raw)
        except (msgspec.MsgspecError, UnicodeError):
            ended = raw.endswith(b"\n")
            what = "is no line of an export" if ended else "is cut off"
            self._found(f"Line {count} {what}.")
            return None
        if not raw.endswith(b"\n") or not is_canonical(raw[:-1]):
            self._found(f"Line {count} is not written as an export writes it.")
        if self.head is not None:
            self._found(f"Line {count} stands behind the head.")
        return line

    def _take(self, line: AnyLine, place: int, count: int) -> None:
        if isinstance(line, DecisionLine):
            self._take_decision(line, place, count)
        elif isinstance(line, BalanceLine):
            self._balances[line.account] = line.cents
        elif isinstance(line, SealedLine):
            self._shoes.setdefault(line.shoe, place)
        elif isinstance(line, HeaderLine):
            known = (line.format, line.version) == (FORMAT, VERSION)
            if count != 1 or not known or line.content not in ("export", "backup"):
                self._found(f"Line {count} is no header of an export that is known here.")
            self.header = line

    def _take_decision(self, line: DecisionLine, place: int, count: int) -> None:
        try:
            record = to_record(bytes(line.decision), line.hash)
        except (msgspec.MsgspecError, UnicodeError, ValueError):
            self._found(f"Line {count} holds no decision.")
            return
        self._records.setdefault(record.stream, place)
        self._heads[record.stream] = Head(record.stream, record.sequence, record.hash)

    def _check_head(self, head: HeadLine, count: int, digest: str) -> None:
        self.head = head
        have = {name: (one.sequence, one.hash.hex()) for name, one in self._heads.items()}
        if head.heads != have:
            self._found("The heads are not those of the decisions.")
        if (head.lines, head.digest) != (count - 1, digest):
            self._found("The lines are not those that were signed.")
        if not head.holds:
            self._found("The signature of the head does not hold.")
        if self._keys and head.key not in self._keys:
            self._found("The export is signed by another key.")

    def _found(self, sentence: str) -> None:
        if len(self._findings) < FINDINGS_MAX:
            self._findings.append(Finding("", 0, "export", sentence))

    def _from(self, place: int | None) -> Iterator[AnyLine]:
        """Yield the lines from a place on, until one cannot be read."""
        if place is None:
            return
        with self._path.open("rb") as file:
            file.seek(place)
            for raw in file:
                try:
                    yield decode_line(raw)
                except (msgspec.MsgspecError, UnicodeError):
                    return

    async def heads(self) -> list[Head]:
        """Return where every stream ends that has left any trace."""
        return [self._heads[name] for name in sorted(self._heads)]

    async def pages(self, stream: str) -> AsyncIterator[Page]:
        """Yield the decisions of a stream in order, with their postings."""
        page = Page([], [])
        for line in self._from(self._records.get(stream)):
            if isinstance(line, PostingLine) and line.stream == stream:
                page.postings.append(to_posting(line))
                continue
            record = _record_of(line)
            if record is None or record.stream != stream:
                break
            if len(page.records) == PAGE:
                yield page
                page = Page([], [])
            page.records.append(record)
        yield page

    async def balances(self) -> Mapping[str, int]:
        """Return the balance of every account."""
        return self._balances

    async def sealed_shoes(self) -> list[str] | None:
        """Return the shoes whose sealed cards are in a backup."""
        backup = self.header is not None and self.header.content == "backup"
        return sorted(self._shoes) if backup else None

    async def sealed(self, shoe: str) -> list[bytes]:
        """Return the sealed cards of a shoe, in their order."""
        cards: list[bytes] = []
        for line in self._from(self._shoes.get(shoe)):
            if not isinstance(line, SealedLine) or line.shoe != shoe:
                break
            if line.number != len(cards):
                message = f"Sealed card {len(cards)} of shoe {shoe} is not there."
                raise UnreadableError(message)
            try:
                cards.append(bytes.fromhex(line.card))
            except ValueError as error:
                message = f"Sealed card {line.number} of shoe {shoe} cannot be read."
                raise UnreadableError(message) from error
        return cards

    async def findings(self) -> list[Finding]:
        """Return what does not hold of the lines and their seal."""
        return self._findings

    async def close(self) -> None:
        """Nothing is open between two calls."""


def _record_of(line: AnyLine) -> Record | None:
    """Return the record of a line that holds a decision; its faults were named before."""
    if not isinstance(line, DecisionLine):
        return None
    try:
        return to_record(bytes(line.decision), line.hash)
    except (msgspec.MsgspecError, UnicodeError, ValueError):
        return None
