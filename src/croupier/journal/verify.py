"""Verification: everything a journal claims, computed again from its records.

Chain and epochs, the postings of every event, every settlement from its cards, the opening
of every sealed shoe, balances against postings, transfers between cage and tables, answers
against records, and the checkpoints. The openings are checked by the verifier that shares
no code with the sealing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.journal import cage as c
from croupier.journal.answers import AnswerCheck
from croupier.journal.between import (
    RECEIVED,
    SENT,
    Closing,
    Count,
    CountCheck,
    Counts,
    Transfer,
    Transfers,
)
from croupier.journal.checkpoints import behind
from croupier.journal.codec import decode_record
from croupier.journal.ledger import MOVES, expected, own_balances, tray_cents
from croupier.journal.openings import OpeningCheck
from croupier.journal.possible import TableCheck
from croupier.journal.reader import (
    DamagedError,
    Finding,
    Reader,
    StoreReader,
    UnreadableError,
)
from croupier.journal.record import GENESIS, Head, hash_of
from croupier.journal.replay import check_chain, postings_of
from croupier.journal.shoes import ShoeEvent
from croupier.journal.store import JournalError, may_be_negative
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.state import unopened
from croupier.verifier import tree_root

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.record import Posting, Record
    from croupier.journal.store import Store
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table

LEAF_BYTES = 32
OWN = ("seat:", "stakes:", "wallet:", "ticket:")
"""Accounts that one stream alone changes, so that it shows every moment of them."""
PAYING: dict[type[msgspec.Struct], str] = {
    e.WagersSettled: "settlement",
    i.RoundVoided: "settlement",
}
"""What a finding about these is called; about all others it is their content."""
IMPOSSIBLE = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    StopIteration,
)
"""What folding an event raises that cannot have happened at this point."""


class Verified(msgspec.Struct):
    """What was looked at, and what does not hold."""

    streams: int = 0
    records: int = 0
    postings: int = 0
    settlements: int = 0
    openings: int = 0
    answers: int = 0
    checkpoints: int = 0
    heads: dict[str, tuple[int, str]] = msgspec.field(default_factory=dict)
    unopened: dict[str, str] = msgspec.field(default_factory=dict)
    """Sealed shoes whose cards are still needed, with their roots."""
    findings: list[Finding] = msgspec.field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


class StreamSeen(msgspec.Struct):
    """What one stream showed."""

    head: Head
    epoch: int
    records: int
    postings: int
    settlements: int
    openings: int
    answers: int
    unopened: dict[str, str]
    balances: dict[str, int]
    transfers: list[Transfer]
    counts: list[Count]
    closings: list[Closing]
    findings: list[Finding]


class StreamCheck:
    """Goes through one stream, record by record, and notes what does not hold."""

    def __init__(self, stream: str, rulebooks: tuple[Rulebook, ...]) -> None:
        self.stream = stream
        self.name = stream.partition(":")[2] or stream
        self.head = Head(stream, 0, GENESIS)
        self.table: Table = unopened(rulebooks)
        self.cage = c.Cage()
        self.balances: dict[str, int] = {}
        self.shoes = OpeningCheck()
        self.decisions = TableCheck()
        self.counts = CountCheck()
        self.closings: list[Closing] = []
        self.epoch = 0
        self.records = self.postings = self.settlements = self.answers = 0
        self.transfers: list[Transfer] = []
        self.findings: list[Finding] = []
        self._at_cage = stream == c.STREAM
        self._kinds = c.CageEvent if self._at_cage else (e.Event, ShoeEvent)

    def take(self, record: Record, postings: list[Posting]) -> bool:
        """Check one record; after a broken one nothing that follows can be judged."""
        self.records += 1
        head = self.head
        if (
            record.sequence != head.sequence + 1
            or record.previous != head.hash
            or hash_of(record) != record.hash
        ):
            try:
                check_chain(head, record)  # says which of these it is
            except JournalError as error:
                return self._found(record, "chain", str(error))
        self.head = Head(record.stream, record.sequence, record.hash)
        try:
            event = decode_record(record)
        except JournalError as error:
            return self._found(record, "content", str(error))
        if record.epoch < self.epoch:
            return self._found(record, "epoch", f"Epoch {record.epoch} was over.")
        self.epoch = record.epoch
        if not isinstance(event, self._kinds):
            return self._found(record, "content", f"{record.name} does not belong here.")
        try:
            return self._check(record, event, postings)
        except IMPOSSIBLE as error:
            said = str(error).rstrip(".") or type(error).__name__
            return self._found(record, "content", f"It cannot have happened: {said}.")

    def _check(self, record: Record, event: msgspec.Struct, postings: list[Posting]) -> bool:
        """Check what an event claims, post it, and fold it."""
        kind = type(event)
        if isinstance(event, c.CageEvent):
            c.check(self.cage, event)
            wrong = self.counts.check(event)
            moved = c.moves(event)
        else:
            opening = self.shoes.check(self.table, record, event)
            if opening is not None:
                return self._found(record, "shoe", f"{opening}.")
            wrong = self.decisions.check(self.table, event, record.epoch)
            move = MOVES.get(kind)
            moved = move(self.name, self.table, event) if move else ()
        if wrong is not None:
            return self._found(record, PAYING.get(kind, "content"), wrong)
        if (moved or postings) and not self._post(record, moved, postings):
            return False
        if isinstance(event, e.Event):
            self.table = self.decisions.fold(self.table, event)
        elif isinstance(event, c.CageEvent):
            self.cage = c.evolve_cage(self.cage, event)
            self.counts.take(event, self.balances, record.sequence)
        note = NOTED.get(kind)
        if note is not None:
            note(self, record, event)
        return True

    def _post(self, record: Record, moved: tuple[c.Move, ...], postings: list[Posting]) -> bool:
        self.postings += len(postings)
        if list(postings_of(record.stream, record.sequence, moved)) != postings:
            return self._found(record, "postings", "The postings are not those of the event.")
        balances = self.balances
        for source, target, cents in moved:
            balances[target] = balances.get(target, 0) + cents
            balances[source] = balances.get(source, 0) - cents
        for source, _, _ in moved:
            if balances[source] < 0 and source.startswith(OWN):
                return self._found(record, "balance", f"Account {source} fell below zero.")
        return True

    def finish(self) -> None:
        """Check what can only be seen at the end of the stream."""
        missing = self.shoes.missing()
        if missing is not None:
            self._found_at_end("shoe", f"{missing}.")
        unfinished = self.decisions.missing() or self.counts.missing()
        if unfinished is not None:
            self._found_at_end("content", unfinished)
        if not self._at_cage:
            held = own_balances(self.name, self.balances)
            if held != expected(self.name, self.table):
                self._found_at_end("balance", "The ledger disagrees with the table's records.")

    def note_settled(self, _: Record, __: e.WagersSettled) -> None:
        """Count a settlement."""
        self.settlements += 1

    def note_closed(self, _: Record, __: e.TableClosed) -> None:
        """Note what lies in tray and box when the table closes."""
        tray = tray_cents(self.name, self.balances)
        self.closings.append(Closing(tray, self.balances.get(c.box(self.name), 0)))

    def note_transfer(self, record: Record, event: Any) -> None:  # noqa: ANN401  # five kinds
        """Note credit that came from another stream, or goes to one."""
        if event.transfer is not None:
            brought = {"credit_brought": SENT, "credit_taken": RECEIVED}
            kind = brought.get(record.name, record.name)
            table = getattr(event, "table", self.name)
            place = (record.stream, record.sequence)
            one = Transfer(event.transfer, kind, event.patron, table, event.cents, *place)
            self.transfers.append(one)

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings

    def seen(self) -> StreamSeen:
        """Return what the stream showed."""
        return StreamSeen(
            self.head,
            self.epoch,
            self.records,
            self.postings,
            self.settlements,
            self.shoes.openings,
            self.answers,
            self.shoes.unopened,
            self.balances,
            self.transfers,
            self.counts.counts,
            self.closings,
            self.findings,
        )

    def _found(self, record: Record, kind: str, sentence: str) -> bool:
        finding = Finding(record.stream, record.sequence, kind, sentence)
        self.findings.append(finding)
        return False

    def _found_at_end(self, kind: str, sentence: str) -> None:
        finding = Finding(self.stream, self.head.sequence, kind, sentence)
        self.findings.append(finding)


NOTED: dict[type[msgspec.Struct], Callable[[StreamCheck, Record, Any], None]] = {
    e.WagersSettled: StreamCheck.note_settled,
    e.TableClosed: StreamCheck.note_closed,
    c.SentToTable: StreamCheck.note_transfer,
    c.SentBack: StreamCheck.note_transfer,
    c.ReceivedFromTable: StreamCheck.note_transfer,
    e.CreditBrought: StreamCheck.note_transfer,
    e.CreditTaken: StreamCheck.note_transfer,
}
"""What is kept of a stream beside its table, to be compared with other streams."""


async def check_stream(
    reader: Reader,
    stream: str,
    rulebooks: tuple[Rulebook, ...],
    checkpoints: Sequence[Checkpoint],
    progress: Callable[[int], None] | None = None,
) -> StreamCheck:
    """Go through one stream up to the first thing that does not hold."""
    check = StreamCheck(stream, rulebooks)
    marks: dict[int, list[Checkpoint]] = {}
    for checkpoint in checkpoints:
        if stream in checkpoint.heads:
            marks.setdefault(checkpoint.heads[stream][0], []).append(checkpoint)
    answers = AnswerCheck(stream, reader.answers(stream), checkpoints)
    try:
        wrong = await _go_through(reader, check, answers, marks, progress)
        if wrong is None and check.holds:
            wrong = await answers.finish(check.head.sequence)
        if wrong is not None:
            check.findings.append(wrong)
        elif check.holds:
            check.finish()
    except UnreadableError as error:
        check.findings.append(Finding(stream, error.sequence, "content", str(error)))
    check.answers = answers.count
    return check


async def _go_through(
    reader: Reader,
    check: StreamCheck,
    answers: AnswerCheck,
    marks: dict[int, list[Checkpoint]],
    progress: Callable[[int], None] | None,
) -> Finding | None:
    nothing: list[Posting] = []
    async for page in reader.pages(check.stream):
        by_record: dict[int, list[Posting]] = {}
        for posting in page.postings:
            by_record.setdefault(posting.sequence, []).append(posting)
        if page.records:
            await answers.load(page.records[-1].sequence)
        for record in page.records:
            if not check.take(record, by_record.pop(record.sequence, nothing)):
                return None
            wrong = answers.reach(record)
            if wrong is None and record.sequence in marks:
                wrong = _compare(record, answers.digest, marks[record.sequence])
            if wrong is not None:
                return wrong
        if by_record:
            sentence = "There are postings of a record that does not exist."
            return Finding(check.stream, min(by_record), "postings", sentence)
        if progress is not None:
            progress(len(page.records))
    return None


def _compare(record: Record, answers: bytes, seen: list[Checkpoint]) -> Finding | None:
    """Compare a record, and the answers up to it, with what checkpoints have seen."""
    stream, sequence = record.stream, record.sequence
    for checkpoint in seen:
        if checkpoint.heads[stream][1] != record.hash.hex():
            sentence = f"Checkpoint {checkpoint.number} has seen another record here."
            return Finding(stream, sequence, "checkpoint", sentence)
        if checkpoint.answers.get(stream, answers.hex()) != answers.hex():
            sentence = f"Checkpoint {checkpoint.number} has seen other answers up to here."
            return Finding(stream, sequence, "checkpoint", sentence)
    return None


async def verify(
    journal: Store | Reader,
    rulebooks: tuple[Rulebook, ...],
    checkpoints: Iterable[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
    elsewhere: Callable[[list[str]], AsyncIterator[StreamSeen]] | None = None,
) -> Verified:
    """Go through a whole journal, and return what was looked at and what was found.

    A store must not be written meanwhile; a reader sees one moment anyway. The streams are
    checked one after the other here, or elsewhere, in whatever order.
    """
    reader = journal if isinstance(journal, Reader) else StoreReader(journal)
    signed = list(checkpoints)

    async def here(streams: list[str]) -> AsyncIterator[StreamSeen]:
        for stream in streams:
            yield (await check_stream(reader, stream, rulebooks, signed, progress)).seen()

    whole = JournalCheck(reader, signed)
    try:
        await whole.run(elsewhere or here)
        whole.verified.findings += await reader.findings()
    except UnreadableError as error:
        whole.found(error.stream, error.sequence, "content", str(error))
        whole.verified.findings += await reader.findings()
    except DamagedError as error:
        whole.found("", 0, "medium", str(error))
    return whole.verified


class JournalCheck:
    """Puts the streams of a journal together, and checks what belongs to no single one."""

    def __init__(self, reader: Reader, checkpoints: list[Checkpoint]) -> None:
        self._reader, self._checkpoints = reader, checkpoints
        self.verified = Verified(checkpoints=len(checkpoints))
        self._transfers, self._counts = Transfers(), Counts()
        self._balances: dict[str, int] = {}

    def found(self, stream: str, sequence: int, kind: str, sentence: str) -> None:
        """Take note of something that does not hold."""
        self.verified.findings.append(Finding(stream, sequence, kind, sentence))

    async def run(self, streams: Callable[[list[str]], AsyncIterator[StreamSeen]]) -> None:
        """Check every stream, and then the whole."""
        heads = await self._reader.heads()
        epochs = await self._reader.epochs()
        # A stream whose refusals are all gone has left its trace in checkpoints alone.
        names = {head.stream for head in heads}.union(
            *(one.refused for one in self._checkpoints)
        )
        async for seen in streams(sorted(names)):
            self._add(seen)
            if epochs is not None and epochs.get(seen.head.stream, 0) < seen.epoch:
                sentence = f"The owner of {seen.head.stream} has an epoch that was over."
                self.found(seen.head.stream, seen.head.sequence, "epoch", sentence)
        self.verified.heads = dict(sorted(self.verified.heads.items()))
        self.verified.findings.sort(key=lambda one: (one.stream, one.sequence))
        for checkpoint in self._checkpoints[::-1]:
            late = behind(checkpoint, heads)
            if late is not None:
                sentence = (
                    "The journal was cut off or rolled back, or is an older copy than"
                    f" the checkpoints: {late}."
                )
                self.found("", 0, "checkpoint", sentence)
                break
        if self.verified.holds:
            await self._check_accounts()
            self.verified.findings += self._transfers.findings + self._counts.findings
            await self._check_sealed()

    def _add(self, seen: StreamSeen) -> None:
        verified = self.verified
        verified.streams += 1
        verified.records += seen.records
        verified.postings += seen.postings
        verified.settlements += seen.settlements
        verified.openings += seen.openings
        verified.answers += seen.answers
        verified.heads[seen.head.stream] = (seen.head.sequence, seen.head.hash.hex())
        verified.unopened |= seen.unopened
        verified.findings += seen.findings
        for account, cents in seen.balances.items():
            self._balances[account] = self._balances.get(account, 0) + cents
        self._transfers.add(seen.transfers)
        self._counts.add(seen.counts, seen.head.stream.partition(":")[2], seen.closings)

    async def _check_accounts(self) -> None:
        kept = {one: cents for one, cents in (await self._reader.balances()).items() if cents}
        wanted = {account: cents for account, cents in self._balances.items() if cents}
        if kept != wanted:
            account = min(set(kept.items()) ^ set(wanted.items()))[0]
            sentence = (
                f"Account {account} holds {kept.get(account, 0)} cents;"
                f" its postings come to {wanted.get(account, 0)}."
            )
            self.found("", 0, "balance", sentence)
        for account, cents in sorted(wanted.items()):
            if cents < 0 and not may_be_negative(account):
                self.found("", 0, "balance", f"Account {account} holds less than nothing.")
        if sum(wanted.values()):
            self.found("", 0, "balance", "All accounts together do not hold nothing.")

    async def _check_sealed(self) -> None:
        """Check that the cards which are still to come are those that were sealed."""
        if await self._reader.sealed_shoes() is None:
            return
        for seal, root in sorted(self.verified.unopened.items()):
            leaves = [card[:LEAF_BYTES] for card in await self._reader.sealed(seal)]
            together = b"".join(await self._reader.sealed(f"{seal}/leaves"))
            if not leaves or not together:
                self.found("", 0, "shoe", f"The sealed cards of shoe {seal} are not there.")
            elif together != b"".join(leaves) or tree_root(leaves).hex() != root:
                self.found("", 0, "shoe", f"The sealed cards of shoe {seal} were changed.")


__all__ = ["Finding", "StreamCheck", "StreamSeen", "Verified", "check_stream", "verify"]
