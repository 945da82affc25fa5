"""The journal over HTTP, for auditors: streams, decisions, checkpoints, verifying, exports."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncIterator  # noqa: TC003  # read by Litestar
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath  # noqa: TC002  # read by Litestar
from litestar.response import Stream
from msgspec import Meta

from croupier.floor.api.calls import (
    AnyRequest,
    Sequence,
    answered,
    described,
    encode,
    floor_of,
    query_of,
    signed_in,
)
from croupier.floor.decisions import TABLES, DecisionShown, has_kind, shown
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.verifications import VerificationShown
from croupier.journal.codec import encode_canonical
from croupier.journal.decision import written_moment
from croupier.journal.errors import JournalError
from croupier.journal.export import HeadLine, signed_head
from croupier.rules.errors import quoted
from croupier.table.views.hearing import Audience

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.journal.checkpoints import Signed
    from croupier.journal.decision import Head, Record

PAGE: Final = 200
"""How many decisions are read before others have their turn."""
LOOKED_MAX: Final = 5_000
"""How many decisions are looked at for those of one kind; then one asks on from there."""
LINES: Final = "application/x-ndjson"
CSV: Final = "text/csv; charset=utf-8"
COLUMNS: Final = (
    "kind", "stream", "sequence", "moment", "by_kind", "by_position", "by_name",
    "approved_by_position", "approved_by_name", "command", "content", "accepted",
    "refusal_code", "refusal_clause", "refusal_sentence", "clauses", "events", "hash",
)  # fmt: skip


class CheckpointShown(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint: how far every stream had come, signed."""

    number: int
    moment: datetime
    decisions: int
    """Of all streams together."""
    heads: dict[str, int]
    previous: str
    """The digest of the checkpoint before it."""
    key: str
    signature: str


class StreamShown(msgspec.Struct, frozen=True, kw_only=True):
    """A stream of the journal, and how far it is covered."""

    name: str
    kind: Literal["table", "cage", "accounts"]
    decisions: int
    hash: str
    """Of the last decision."""
    signed: int
    """The last decision that the newest checkpoint has seen."""
    verified: int | None
    """The last decision that was verified by this process, and held; None: none was."""


class StreamsShown(msgspec.Struct, frozen=True, kw_only=True):
    """The journal at a glance."""

    time: datetime
    decisions: int
    streams: list[StreamShown]
    checkpoint: CheckpointShown | None
    """The newest one."""
    key: str
    """By which this house signs."""


class DecisionsShown(msgspec.Struct, frozen=True, kw_only=True):
    """Some decisions of a stream, the newest first."""

    stream: str
    head: int
    decisions: list[DecisionShown]
    before: int | None
    """To read on with; None: there is nothing before."""


class DecisionsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which decisions of a stream."""

    before: Sequence | None = None
    """The number of a decision: show those before it."""
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    kind: Annotated[str, Meta(max_length=60)] | None = None
    """A command, an event, or ``refused``."""


class CheckpointsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which checkpoints."""

    before: Sequence | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is exported, and how."""

    form: Literal["json", "csv"] = "json"
    stream: str | None = None
    """None: all of them."""


def _audited(request: AnyRequest) -> Floor:
    """Return the floor; refuse whoever does not audit it."""
    if signed_in(request).audience is not Audience.AUDITOR:
        message = "The journal is for auditors and surveillance."
        raise ProblemError(ServerCode.FORBIDDEN, message)
    return floor_of(request)


async def _head(floor: Floor, name: str) -> Head:
    head = await floor.house.store.head(name)
    if not head.sequence:
        message = f"The journal has no stream {quoted(name[:80])}."
        raise ProblemError(ServerCode.NOT_FOUND, message)
    return head


def _called(floor: Floor, stream: str) -> datetime | None:
    """Return when the round of a table was called that is not over; None: none is."""
    desk = floor.house.tables.get(stream.removeprefix(TABLES))
    if not stream.startswith(TABLES) or desk is None:
        return None
    play = desk.table.round
    return None if play is None or desk.table.between_rounds else play.opened


# Streams and decisions


@get(
    "/journal/streams",
    opt=described(gives=StreamsShown, signed_in=True, problems=(ServerCode.FORBIDDEN,)),
)
async def journal_streams(request: AnyRequest) -> Response[bytes]:
    """List the streams of the journal, and how far each is signed and verified."""
    floor = _audited(request)
    heads = await floor.house.store.heads()
    newest = await _checkpoints(floor, None, 1)
    seen = newest[0].checkpoint.heads if newest else {}
    verified = floor.verifications.newest
    held = verified.result if verified is not None else None
    known = held.heads if held is not None and held.holds else {}
    return answered(
        StreamsShown(
            time=floor.house.clock(),
            decisions=sum(head.sequence for head in heads),
            streams=[
                StreamShown(
                    name=head.stream,
                    kind=head.stream.partition(":")[0],  # type: ignore[arg-type]  # of three
                    decisions=head.sequence,
                    hash=head.hash.hex(),
                    signed=seen.get(head.stream, (0, ""))[0],
                    verified=known.get(head.stream),
                )
                for head in heads
            ],
            checkpoint=_checkpoint(newest[0]) if newest else None,
            key=floor.house.signer.public,
        )
    )


@get(
    "/journal/streams/{name:str}/decisions",
    opt=described(
        gives=DecisionsShown,
        query=DecisionsQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.NOT_FOUND),
    ),
)
async def journal_decisions(request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
    """List decisions of a stream, the newest first: commands, events, refusals, hashes."""
    floor, query = _audited(request), query_of(request, DecisionsQuery)
    head = await _head(floor, name)
    last = head.sequence if query.before is None else min(query.before - 1, head.sequence)
    found: list[DecisionShown] = []
    looked = 0
    size = query.limit if query.kind is None else PAGE
    while last > 0 and len(found) < query.limit and looked < LOOKED_MAX:
        first = max(0, last - size)
        since = _called(floor, name)
        for record in reversed(await floor.house.store.read(name, first, last - first)):
            one = shown(record, since)
            looked, last = looked + 1, record.sequence - 1
            if query.kind is None or has_kind(one, query.kind):
                found.append(one)
                if len(found) == query.limit:
                    break
        await asyncio.sleep(0)
    before = last + 1 if last > 0 else None
    return answered(
        DecisionsShown(stream=name, head=head.sequence, decisions=found, before=before)
    )


# Checkpoints


async def _checkpoints(floor: Floor, before: int | None, limit: int) -> list[Signed]:
    house = floor.house
    return await asyncio.to_thread(house.checkpoints.page, before, limit, house.signer.public)


def _checkpoint(one: Signed) -> CheckpointShown:
    heads = {stream: sequence for stream, (sequence, _) in one.checkpoint.heads.items()}
    return CheckpointShown(
        number=one.checkpoint.number,
        moment=datetime.fromisoformat(one.checkpoint.moment),
        decisions=sum(heads.values()),
        heads=heads,
        previous=one.checkpoint.previous,
        key=one.key,
        signature=one.signature,
    )


@get(
    "/journal/checkpoints",
    opt=described(
        gives=list[CheckpointShown],
        query=CheckpointsQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.NOT_DONE),
    ),
)
async def journal_checkpoints(request: AnyRequest) -> Response[bytes]:
    """List checkpoints, the newest first; each was checked with its signature."""
    floor, query = _audited(request), query_of(request, CheckpointsQuery)
    return answered(
        [_checkpoint(one) for one in await _checkpoints(floor, query.before, query.limit)]
    )


# Verification


@post(
    "/journal/verifications",
    status_code=202,
    opt=described(
        gives=VerificationShown,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.BUSY, ServerCode.GOING_DOWN),
    ),
)
async def begin_verification(request: AnyRequest) -> Response[bytes]:
    """Begin to verify the whole journal beside everything else; one runs at a time."""
    floor = _audited(request)
    if floor.closing:
        message = "The server is going down; verify the journal when it is back."
        raise ProblemError(ServerCode.GOING_DOWN, message, 5.0)
    name = signed_in(request).name
    assert name is not None, "whoever is signed in has a name"
    return answered(floor.verifications.begin(name), 202)


@get(
    "/journal/verifications",
    opt=described(
        gives=list[VerificationShown], signed_in=True, problems=(ServerCode.FORBIDDEN,)
    ),
)
async def verifications(request: AnyRequest) -> Response[bytes]:
    """List the verifications of this process, the newest first."""
    floor = _audited(request)
    return answered(list(reversed(floor.verifications.shown.values())))


@get(
    "/journal/verifications/{number:int}",
    opt=described(
        gives=VerificationShown,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.NOT_FOUND),
    ),
)
async def verification(request: AnyRequest, number: FromPath[int]) -> Response[bytes]:
    """Return a verification: how far it is, or what came of it."""
    found = _audited(request).verifications.shown.get(number)
    if found is None:
        message = f"There is no verification {number} of this process."
        raise ProblemError(ServerCode.NOT_FOUND, message)
    return answered(found)


# Export


IDLE_SECONDS: Final = 30.0
"""An export of which nothing was read for so long makes room for another."""
EXPORT_SECONDS: Final = 600.0
"""And one that takes longer, if somebody else wants one."""


class Exporting(msgspec.Struct, eq=False):
    """An export that is being written: since when, and when some of it was read last."""

    since: float
    read: float

    def may_be_ended(self, now: float) -> bool:
        """Tell whether another export may take its place."""
        return now - self.read > IDLE_SECONDS or now - self.since > EXPORT_SECONDS


class _Export:
    """Writes decisions line by line, and a signed head at the end."""

    def __init__(self, floor: Floor, form: str) -> None:
        self._floor, self._form = floor, form
        self._digest, self._lines = sha256(), 0
        self._heads: dict[str, tuple[int, str]] = {}

    async def parts(self, heads: list[Head]) -> AsyncIterator[bytes]:
        """Yield the export, as far as the streams went when it was asked for."""
        store = self._floor.house.store
        if self._form == "csv":
            yield self._noted([_row(COLUMNS)])
        for head in heads:
            after = 0
            while after < head.sequence:
                page = await store.read(head.stream, after, min(PAGE, head.sequence - after))
                since = _called(self._floor, head.stream)
                yield self._noted([self._line(record, since) for record in page])
                after = page[-1].sequence
                self._heads[head.stream] = (after, page[-1].hash.hex())
                await asyncio.sleep(0)
        signed = signed_head(
            self._heads, self._lines, self._digest.hexdigest(), self._floor.house.signer
        )
        yield self._head(signed)

    def _noted(self, lines: list[bytes]) -> bytes:
        part = b"".join(lines)
        self._digest.update(part)
        self._lines += len(lines)
        return part

    def _line(self, record: Record, since: datetime | None) -> bytes:
        one = shown(record, since)
        if self._form == "csv":
            return _row(_cells(one))
        return b'{"kind":"decision",' + encode(one)[1:] + b"\n"

    def _head(self, signed: HeadLine) -> bytes:
        text = encode_canonical(signed)
        if self._form == "json":
            return text + b"\n"
        cells = dict.fromkeys(COLUMNS, "") | {"kind": "head", "content": text.decode()}
        return _row(tuple(cells.values()))


def _cells(one: DecisionShown) -> tuple[str, ...]:
    refusal, second = one.refusal, one.approved_by
    return (
        "decision",
        one.stream,
        str(one.sequence),
        written_moment(one.moment),
        one.by.kind,
        one.by.position or "",
        one.by.name or "",
        "" if second is None else second.position or "",
        "" if second is None else second.name or "",
        one.command.type,
        encode(one.command.content).decode(),
        "yes" if one.accepted else "no",
        "" if refusal is None else refusal.code,
        "" if refusal is None else refusal.clause or "",
        "" if refusal is None else refusal.sentence,
        " ".join(one.clauses),
        encode(one.events).decode(),
        one.hash,
    )


def _row(cells: tuple[str, ...]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_plain(one) for one in cells])
    return line.getvalue().encode()


def _plain(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


@get(
    "/journal/export",
    opt=described(
        gives=str,
        media_type=LINES,
        other_media_types=("text/csv",),
        query=ExportQuery,
        signed_in=True,
        problems=(ServerCode.FORBIDDEN, ServerCode.NOT_FOUND, ServerCode.BUSY),
    ),
)
async def journal_export(request: AnyRequest) -> Stream:
    """Export decisions as an auditor reads them, line by line, with a signed head."""
    floor, query = _audited(request), query_of(request, ExportQuery)
    if query.stream is not None:
        heads = [await _head(floor, query.stream)]
    else:
        heads = await floor.house.store.heads()
    before, now = floor.exporting, floor.loop.time()
    if before is not None and not before.may_be_ended(now):
        message = "An export is being written; wait until it is done."
        raise ProblemError(ServerCode.BUSY, message, 5.0)
    mine = floor.exporting = Exporting(now, now)

    async def parts() -> AsyncIterator[bytes]:
        try:
            async for part in _Export(floor, query.form).parts(heads):
                if floor.exporting is not mine:
                    message = "An export was read so slowly that another one took its place."
                    raise JournalError(message)  # half an export must not look like a whole
                mine.read = floor.loop.time()
                yield part
        finally:
            if floor.exporting is mine:
                floor.exporting = None

    name = f"journal-{floor.house.clock():%Y%m%dT%H%M%SZ}.{_ENDS[query.form]}"
    return Stream(
        parts,
        media_type=LINES if query.form == "json" else CSV,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


_ENDS: Final = {"json": "ndjson", "csv": "csv"}

CALLS = (
    journal_streams,
    journal_decisions,
    journal_checkpoints,
    begin_verification,
    verifications,
    verification,
    journal_export,
)
