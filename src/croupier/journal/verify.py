"""Verification: everything a journal claims, computed again from its records.

Chain and epochs, the postings of every event, every settlement from its cards, the opening
of every sealed shoe, balances against postings, transfers between cage and tables, answers
against records, and the checkpoints. The openings are checked by the verifier that shares
no code with the sealing.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.journal import cage as c
from croupier.journal.checkpoints import NO_ANSWERS, Checkpoint, behind, digest_answer
from croupier.journal.codec import decode_record
from croupier.journal.ledger import expected, moves, own_balances
from croupier.journal.openings import OpeningCheck
from croupier.journal.reader import (
    DamagedError,
    Finding,
    Reader,
    StoreReader,
    UnreadableError,
)
from croupier.journal.record import GENESIS, Head, hash_of
from croupier.journal.replay import check_chain, postings_of
from croupier.journal.shoes import Interrupted, ShoeEvent
from croupier.journal.store import JournalError, may_be_negative
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import EVOLVE
from croupier.table.settlement import settle
from croupier.table.state import unopened
from croupier.verifier import tree_root

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from croupier.journal.record import Answer, Posting, Record
    from croupier.journal.store import Store
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table

LEAF_BYTES = 32
OWN = ("seat:", "stakes:", "wallet:", "ticket:")
"""Accounts that one stream alone changes, so that it shows every moment of them."""
IMPOSSIBLE = (LookupError, ValueError, TypeError, AttributeError, AssertionError)
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


class Transfer(msgspec.Struct, frozen=True):
    """Credit on its way between the cage and a table, seen from one side."""

    name: str
    kind: str
    """What the cage calls it."""
    patron: str
    table: str
    cents: int
    stream: str
    sequence: int

    def same(self, other: Transfer) -> bool:
        """Tell whether both sides mean the same."""
        mine = (self.kind, self.patron, self.table, self.cents)
        return mine == (other.kind, other.patron, other.table, other.cents)


class Transfers:
    """Transfers seen from both sides."""

    def __init__(self) -> None:
        self._cage: dict[str, Transfer] = {}
        """What the cage did last with each."""
        self._tables: dict[str, Transfer] = {}
        self._twice: list[Finding] = []

    def add(self, transfers: list[Transfer]) -> None:
        """Take what one stream shows."""
        for one in transfers:
            if one.stream == c.STREAM:
                self._cage[one.name] = one
            elif one.name in self._tables:
                self._twice.append(_transfer(one, "reached a table twice"))
            else:
                self._tables[one.name] = one

    @property
    def findings(self) -> list[Finding]:
        """Return transfers of which one side knows nothing, or something else."""
        found = list(self._twice)
        for name, one in self._tables.items():
            there = self._cage.get(name)
            # What left a table may still be on its way to the cage.
            on_its_way = there is None and one.kind == RECEIVED
            if not on_its_way and (there is None or not one.same(there)):
                found.append(_transfer(one, "is another one at the cage"))
        found += [
            _transfer(one, "was received, and no table sent it")
            for name, one in self._cage.items()
            if one.kind == RECEIVED and name not in self._tables
        ]
        return found


SENT, RECEIVED = "sent_to_table", "received_from_table"


def _transfer(one: Transfer, what: str) -> Finding:
    return Finding(one.stream, one.sequence, "transfer", f"Transfer {one.name} {what}.")


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
        self.epoch = 0
        self.records = self.postings = self.settlements = self.answers = 0
        self.transfers: list[Transfer] = []
        self.findings: list[Finding] = []
        self._claims: dict[type[msgspec.Struct], Callable[..., tuple[str, str] | None]] = {
            e.WagersSettled: self._settled,
            i.RoundVoided: self._voided,
            Interrupted: self._interrupted,
            c.SentToTable: self._transferred,
            c.SentBack: self._transferred,
            c.ReceivedFromTable: self._transferred,
            e.CreditBrought: self._transferred,
            e.CreditTaken: self._transferred,
        }
        self._kinds = c.CageEvent if stream == c.STREAM else (e.Event, ShoeEvent)

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
        return self._check(record, event, postings)

    def _check(self, record: Record, event: msgspec.Struct, postings: list[Posting]) -> bool:
        """Check what an event claims, post it, and fold it."""
        try:
            claim = self._claims.get(type(event))
            wrong = claim(record, event) if claim else None
            if wrong is not None:
                return self._found(record, *wrong)
            opening = self.shoes.check(self.table, record, event)
            if opening is not None:
                return self._found(record, "shoe", f"{opening}.")
            moved = moves(self.name, self.table, event)
            if (moved or postings) and not self._post(record, moved, postings):
                return False
            if isinstance(event, e.Event):
                self.table = EVOLVE[type(event)](self.table, event)
            elif isinstance(event, c.CageEvent):
                c.check(self.cage, event)
                self.cage = c.evolve_cage(self.cage, event)
        except IMPOSSIBLE as error:
            said = str(error).rstrip(".") or type(error).__name__
            return self._found(record, "content", f"It cannot have happened: {said}.")
        return True

    def _post(
        self,
        record: Record,
        moved: tuple[tuple[str, str, int], ...],
        postings: list[Posting],
    ) -> bool:
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
        if self.stream != c.STREAM:
            held = own_balances(self.name, self.balances)
            if held != expected(self.name, self.table):
                self._found_at_end("balance", "The ledger disagrees with the table's records.")

    def _settled(self, _: Record, event: e.WagersSettled) -> tuple[str, str] | None:
        self.settlements += 1
        if self.table.round is None or settle(self.table) != event.lines:
            return "settlement", "The pay list is not what the cards and stakes give."
        return None

    def _voided(self, _: Record, event: i.RoundVoided) -> tuple[str, str] | None:
        play = self.table.round
        owed = [
            i.Refund(stake.number, share.patron, share.cents)
            for stake in self.table.stakes
            for share in stake.shares
        ]
        paid = (play.lines or ()) if play else ()
        if event.refunds != tuple(owed) or event.reversed != paid:
            return "settlement", "The void does not undo exactly what was staked and paid."
        return None

    def _interrupted(self, _: Record, event: Interrupted) -> tuple[str, str] | None:
        table = self.table
        hold = table.hold.kind.value if table.hold else None
        is_ = (table.phase.value, table.established, hold)
        if (event.phase, event.established, event.hold) != is_:
            return "content", "The interruption found another table than the records give."
        return None

    def _transferred(self, record: Record, event: Any) -> None:  # noqa: ANN401  # five kinds
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
            self.findings,
        )

    def _found(self, record: Record, kind: str, sentence: str) -> bool:
        finding = Finding(record.stream, record.sequence, kind, sentence)
        self.findings.append(finding)
        return False

    def _found_at_end(self, kind: str, sentence: str) -> None:
        finding = Finding(self.stream, self.head.sequence, kind, sentence)
        self.findings.append(finding)


class AnswerCheck:
    """Goes through the answers of a stream beside its records.

    The answers that led to records cover all records, each once and in order; a command
    that led to none was answered at the place where its records would have begun.
    """

    def __init__(
        self, stream: str, pages: AsyncIterator[list[Answer]], *, digests: bool
    ) -> None:
        self._stream, self._pages, self._digests = stream, pages, digests
        self._waiting: deque[Answer] = deque()
        self._covered = 0
        self._accepted: Answer | None = None
        self._more = True
        self.count = 0
        self.digest = NO_ANSWERS

    async def load(self, sequence: int) -> None:
        """Have all answers at hand that begin at a record or before it."""
        while self._more and (not self._waiting or self._waiting[-1].first <= sequence):
            page = await anext(self._pages, None)
            self._more = page is not None
            self._waiting += page or ()

    def reach(self, record: Record) -> Finding | None:
        """Take all answers up to a record, and see that one of them led to it."""
        sequence = record.sequence
        if self._waiting and self._waiting[0].first <= sequence:
            wrong = self._take_up_to(sequence)
            if wrong is not None:
                return wrong
        answer = self._accepted
        if answer is None or self._covered < sequence:
            sentence = f"No answer belongs to record {sequence}."
            return Finding(self._stream, sequence, "answer", sentence)
        if answer.command != record.command or answer.actor != record.actor:
            sentence = f"Command {answer.command} did not lead to this record."
            return Finding(self._stream, sequence, "answer", sentence)
        return None

    async def finish(self, last: int) -> Finding | None:
        """Take the answers behind the last record; there can be refusals only."""
        await self.load(last + 1)
        wrong = self._take_up_to(last + 1)
        if wrong is None and self._waiting:
            wrong = self._wrong(self._waiting[0], "names records that do not exist")
        if wrong is None and self._covered > last and self._accepted is not None:
            wrong = self._wrong(self._accepted, "names records that do not exist")
        return wrong

    def _take_up_to(self, sequence: int) -> Finding | None:
        waiting = self._waiting
        while waiting and waiting[0].first <= sequence:
            answer = waiting.popleft()
            self.count += 1
            if self._digests:
                self.digest = digest_answer(self.digest, answer)
            if answer.last >= answer.first:
                if answer.first != self._covered + 1:
                    return self._wrong(answer, "names records of another command")
                if answer.result != b"null":
                    return self._wrong(answer, "says that it was refused, and led to records")
                self._accepted, self._covered = answer, answer.last
            elif answer.first != answer.last + 1 or not self._is_next(answer.first):
                return self._wrong(answer, "names a place that is not its own")
        return None

    def _is_next(self, place: int) -> bool:
        """Tell whether a refusal stands where the next record was to come.

        In the order of the answers it may stand behind the command that led to that record.
        """
        newest = self._accepted
        return place == self._covered + 1 or (newest is not None and place == newest.first)

    def _wrong(self, answer: Answer, why: str) -> Finding:
        sentence = f"The answer to {answer.command} of {answer.actor} {why}."
        return Finding(self._stream, answer.first, "answer", sentence)


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
    answers = AnswerCheck(stream, reader.answers(stream), digests=bool(marks))
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
        self._transfers = Transfers()
        self._balances: dict[str, int] = {}

    def found(self, stream: str, sequence: int, kind: str, sentence: str) -> None:
        """Take note of something that does not hold."""
        self.verified.findings.append(Finding(stream, sequence, kind, sentence))

    async def run(self, streams: Callable[[list[str]], AsyncIterator[StreamSeen]]) -> None:
        """Check every stream, and then the whole."""
        heads = await self._reader.heads()
        epochs = await self._reader.epochs()
        async for seen in streams([head.stream for head in heads]):
            self._add(seen)
            if epochs is not None and epochs.get(seen.head.stream, 0) < seen.epoch:
                sentence = f"The owner of {seen.head.stream} has an epoch that was over."
                self.found(seen.head.stream, seen.head.sequence, "epoch", sentence)
        self.verified.heads = dict(sorted(self.verified.heads.items()))
        self.verified.findings.sort(key=lambda one: (one.stream, one.sequence))
        for checkpoint in self._checkpoints[::-1]:
            late = behind(checkpoint, heads)
            if late is not None:
                sentence = f"The journal was cut off or rolled back: {late}."
                self.found("", 0, "checkpoint", sentence)
                break
        if self.verified.holds:
            await self._check_accounts()
            self.verified.findings += self._transfers.findings
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
