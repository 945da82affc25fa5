"""Verification: every decision decided again, and everything computed that follows from it.

The chain; epochs, releases and moments; who asked in which position and who approved, because
``decide`` is asked again with the same envelope; the postings of every decision; the faces and
openings of sealed shoes; balances against postings; what passes between cage and tables; the
checkpoints. Snapshots are never believed: nothing here reads one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.accounting import may_be_negative
from croupier.journal.accounts_stream import STREAM as ACCOUNTS
from croupier.journal.again import NOBODY, StreamCheck, StreamSeen, stream_of
from croupier.journal.between import Facts, Transfers
from croupier.journal.checkpoints import behind
from croupier.journal.errors import JournalError
from croupier.journal.reader import (
    DamagedError,
    Finding,
    Reader,
    StoreReader,
    UnreadableError,
)
from croupier.verifier import tree_root

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.decision import Record
    from croupier.journal.positions import Members
    from croupier.journal.store import Store
    from croupier.table.rulebook import Rulebook

    Streams = Callable[[list[str], Members | None], AsyncIterator[StreamSeen]]
    """Checks streams, whose staff are compared with members."""

LEAF_BYTES = 32


class Verified(msgspec.Struct):
    """What was looked at, and what does not hold."""

    streams: int = 0
    decisions: int = 0
    refusals: int = 0
    postings: int = 0
    settlements: int = 0
    openings: int = 0
    checkpoints: int = 0
    heads: dict[str, tuple[int, str]] = msgspec.field(default_factory=dict)
    unopened: dict[str, str] = msgspec.field(default_factory=dict)
    """Sealed shoes whose cards are still needed, with their roots."""
    lost: dict[str, int] = msgspec.field(default_factory=dict)
    """Shoes that were declared lost: how many of their cards stay unproved."""
    otherwise: list[Finding] = msgspec.field(default_factory=list)
    """Decisions of another release that come out differently today: no fault by itself."""
    findings: list[Finding] = msgspec.field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


async def check_stream(
    reader: Reader,
    stream: str,
    rulebooks: tuple[Rulebook, ...],
    checkpoints: Sequence[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
    members: Members | None = NOBODY,
) -> StreamCheck:
    """Go through one stream up to the first thing that does not hold.

    Positions are compared with those of the members; None: they are not known.
    """
    check = StreamCheck(stream_of(stream, rulebooks), members)
    marks: dict[int, list[Checkpoint]] = {}
    for checkpoint in checkpoints:
        if stream in checkpoint.heads:
            marks.setdefault(checkpoint.heads[stream][0], []).append(checkpoint)
    try:
        await _go_through(reader, check, marks, progress)
        if check.holds:
            check.finish()
    except UnreadableError as error:
        check.found(error.sequence, "content", str(error))
    return check


async def _go_through(
    reader: Reader,
    check: StreamCheck,
    marks: dict[int, list[Checkpoint]],
    progress: Callable[[int], None] | None,
) -> None:
    take = check.take
    async for page in reader.pages(check.name):
        postings, place = page.postings, 0
        count, due = len(postings), postings[0].sequence if postings else -1
        for record in page.records:
            sequence = record.sequence
            if due == sequence:
                first = place
                while place < count and postings[place].sequence == sequence:
                    place += 1
                due = postings[place].sequence if place < count else -1
                holds = take(record, postings[first:place])
            else:
                holds = take(record)
            if not holds or (sequence in marks and not _compare(check, record, marks)):
                return
        if place < count:
            sentence = "There are postings of a decision that does not exist."
            check.found(postings[place].sequence, "postings", sentence)
            return
        if progress is not None:
            progress(len(page.records))


def _compare(check: StreamCheck, record: Record, marks: dict[int, list[Checkpoint]]) -> bool:
    """Compare a decision with what checkpoints have seen."""
    for checkpoint in marks[record.sequence]:
        if checkpoint.heads[record.stream][1] != record.hash.hex():
            sentence = f"Checkpoint {checkpoint.number} has seen another decision here."
            check.found(record.sequence, "checkpoint", sentence)
            return False
    return True


async def verify(
    journal: Store | Reader,
    rulebooks: tuple[Rulebook, ...],
    checkpoints: Iterable[Checkpoint] = (),
    progress: Callable[[int], None] | None = None,
    elsewhere: Streams | None = None,
) -> Verified:
    """Go through a whole journal, and return what was looked at and what was found.

    A store must not be written meanwhile; a reader sees one moment anyway. The accounts come
    first, because they know who was in which position. The other streams are checked one after
    the other here, or elsewhere, in whatever order.
    """
    reader = journal if isinstance(journal, Reader) else StoreReader(journal)
    signed = list(checkpoints)
    whole = JournalCheck(reader, signed)

    async def here(streams: list[str], members: Members | None) -> AsyncIterator[StreamSeen]:
        for stream in streams:
            check = await check_stream(reader, stream, rulebooks, signed, progress, members)
            yield check.seen()

    try:
        await whole.run(here, elsewhere or here)
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
        self._transfers, self._facts = Transfers(), Facts()
        self._balances: dict[str, int] = {}

    def found(self, stream: str, sequence: int, kind: str, sentence: str) -> None:
        """Take note of something that does not hold."""
        self.verified.findings.append(Finding(stream, sequence, kind, sentence))

    async def run(self, here: Streams, elsewhere: Streams) -> None:
        """Check the accounts, then every other stream, and then the whole."""
        heads = await self._reader.heads()
        epochs = await self._reader.epochs()
        streams = self._known(sorted(head.stream for head in heads))
        members: Members | None = NOBODY
        if ACCOUNTS in streams:
            async for seen in here([ACCOUNTS], members):
                self._add(seen, epochs)
                members = None if seen.findings else seen.members
        others = [stream for stream in streams if stream != ACCOUNTS]
        async for seen in elsewhere(others, members):
            self._add(seen, epochs)
        verified = self.verified
        verified.heads = dict(sorted(verified.heads.items()))
        for found in (verified.findings, verified.otherwise):
            found.sort(key=lambda one: (one.stream, one.sequence))
        for checkpoint in self._checkpoints[::-1]:
            late = behind(checkpoint, heads)
            if late is not None:
                sentence = (
                    "The journal was cut off or rolled back, or is an older copy than"
                    f" the checkpoints: {late}."
                )
                self.found("", 0, "checkpoint", sentence)
                break
        if verified.holds:
            await self._check_accounts()
            verified.findings += self._transfers.findings + self._facts.findings
            await self._check_sealed()

    def _known(self, streams: list[str]) -> list[str]:
        """Return the streams of a known kind; whatever else is there is found."""
        known = []
        for stream in streams:
            try:
                stream_of(stream, ())
            except JournalError as error:
                self.found(stream, 1, "content", str(error))
            else:
                known.append(stream)
        return known

    def _add(self, seen: StreamSeen, epochs: Mapping[str, int] | None) -> None:
        verified, stream = self.verified, seen.head.stream
        if epochs is not None and epochs.get(stream, 0) < seen.epoch:
            sentence = f"The owner of {stream} has an epoch that was over."
            self.found(stream, seen.head.sequence, "epoch", sentence)
        verified.streams += 1
        verified.decisions += seen.head.sequence
        verified.refusals += seen.refusals
        verified.postings += seen.postings
        verified.settlements += seen.settlements
        verified.openings += seen.openings
        verified.heads[stream] = (seen.head.sequence, seen.head.hash.hex())
        verified.unopened |= seen.unopened
        verified.lost |= seen.lost
        verified.otherwise += seen.otherwise
        verified.findings += seen.findings
        for account, cents in seen.balances.items():
            self._balances[account] = self._balances.get(account, 0) + cents
        self._transfers.add(seen.transfers)
        self._facts.add(stream, seen.facts, seen.held, seen.head.sequence)

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
