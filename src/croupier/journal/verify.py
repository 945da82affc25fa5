"""Verification: every decision decided again, and everything computed that follows from it.

The chain; epochs, releases and moments; who asked in which position and who approved, because
``decide`` is asked again with the same envelope; the postings of every decision; the faces and
openings of sealed shoes; balances against postings. Snapshots are never believed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.journal import cage as c
from croupier.journal.accounts import SUMS, may_be_negative
from croupier.journal.cages import CageStream
from croupier.journal.codec import Start, encode_canonical
from croupier.journal.decision import (
    Decision,
    Head,
    Person,
    check_chain,
    read_moment,
    read_record,
)
from croupier.journal.errors import JournalError
from croupier.journal.openings import ShoeCheck
from croupier.journal.release import release
from croupier.journal.streams import Envelope, Needs
from croupier.journal.tables import TableStream

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from croupier.journal.decision import Posting, Record
    from croupier.journal.store import Store
    from croupier.journal.streams import Move, Stream
    from croupier.table.rulebook import Rulebook

PAGE = 5_000
IMPOSSIBLE = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    StopIteration,
)
"""What deciding or folding raises about something that cannot have happened."""
STARTS = Person("system", "house")


class Finding(msgspec.Struct, frozen=True):
    """Something that does not hold: where it is first seen, and what it is."""

    stream: str
    sequence: int
    kind: str
    sentence: str


class Verified(msgspec.Struct):
    """What was looked at, and what does not hold."""

    streams: int = 0
    decisions: int = 0
    refusals: int = 0
    postings: int = 0
    openings: int = 0
    heads: dict[str, tuple[int, str]] = msgspec.field(default_factory=dict)
    otherwise: list[Finding] = msgspec.field(default_factory=list)
    """Decisions of another release that come out differently today: no fault by itself."""
    findings: list[Finding] = msgspec.field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


def stream_of(name: str, rulebooks: tuple[Rulebook, ...]) -> Stream:
    """Return the stream of a name, with nothing that could supply anything."""
    if name == c.STREAM:
        return CageStream()
    kind, _, table = name.partition(":")
    if kind != "table" or not table:
        message = f"No kind of stream is named {name}."
        raise JournalError(message)
    return TableStream(table, rulebooks)


class StreamCheck:
    """Follows one stream: give it every record in order, with the postings of each."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.head = Head(stream.name)
        self.state: Any = stream.initial()
        self.findings: list[Finding] = []
        self.otherwise: list[Finding] = []
        self.refusals = self.postings = 0
        self.balances: dict[str, int] = {}
        self._shoes = ShoeCheck()
        self._epoch, self._release, self._moment = 0, "", ""
        self.broken = False
        """Behind something that cannot be folded nothing more can be said."""

    @property
    def openings(self) -> int:
        """Return how many openings were checked."""
        return self._shoes.openings

    def take(self, record: Record, postings: Sequence[Posting]) -> None:
        """Check the next record."""
        if self.broken:
            return
        try:
            self.head = check_chain(self.head, record)
            decision = read_record(record)
        except JournalError as error:
            self._find(record.sequence, "chain", str(error))
            self.broken = True
            return
        self._check_epoch(decision)
        try:
            moved = self._decide_again(decision)
        except IMPOSSIBLE as error:
            said = f"{type(error).__name__}: {error}".rstrip(".")
            self._find(record.sequence, "decision", f"It cannot have been decided: {said}.")
            self.broken = True
            return
        self._check_postings(record.sequence, moved, postings)

    def _find(self, sequence: int, kind: str, sentence: str) -> None:
        self.findings.append(Finding(self.stream.name, sequence, kind, sentence))

    def _check_epoch(self, one: Decision) -> None:
        """Check that epochs begin with a start, and are of one release."""
        starts = isinstance(one.command, Start)
        if one.epoch < self._epoch or (one.epoch > self._epoch) is not starts:
            what = f"Epoch {one.epoch} follows epoch {self._epoch}"
            self._find(one.sequence, "epoch", f"{what}, and {_begins(starts)}.")
        elif not starts and one.release != self._release:
            what = f"It is of release {one.release}; its epoch started as {self._release}."
            self._find(one.sequence, "release", what)
        if starts and (one.actor != STARTS or one.approver is not None):
            self._find(one.sequence, "epoch", "Somebody else than the house started it.")
        if one.moment < self._moment:
            self._find(one.sequence, "moment", f"It is of {one.moment}, before the last one.")
        self._epoch, self._moment = one.epoch, max(self._moment, one.moment)
        if starts:
            self._release = one.release

    def _decide_again(self, one: Decision) -> list[Move]:
        """Decide again, compare, and go on with what is recorded."""
        envelope = Envelope(
            one.command, one.actor, read_moment(one.moment), one.approver, one.house, one.epoch,
            one.release,
        )  # fmt: skip
        try:
            again = self.stream.decide(self.state, envelope)
            self._compare(one, again)
        except IMPOSSIBLE as error:
            self._differs(one, f"it cannot be decided: {type(error).__name__}: {error}")
        if one.refusal is not None:
            self.refusals += 1
            return []
        wrong = self._shoes.check(self.state, one)
        if wrong is not None:
            self._find(one.sequence, "opening", f"{wrong}.")
        self.state, moved = self.stream.advance(self.state, one.house, one.events)
        return moved

    def _compare(self, one: Decision, again: Any) -> None:  # noqa: ANN401  # as decide has it
        if isinstance(again, Needs):
            self._differs(one, f"the house did not know what it needed: {again}")
        elif isinstance(again, tuple):
            if one.refusal is not None:
                self._differs(one, f"it was refused as {one.refusal.code}; it would be done")
            elif encode_canonical(again) != encode_canonical(one.events):
                self._differs(one, "other events come of it")
        else:
            refused = self.stream.refused(again)
            if one.refusal is None:
                self._differs(one, f"it would be refused: {refused.sentence}")
            elif (refused.code, refused.clause) != (one.refusal.code, one.refusal.clause):
                self._differs(one, f"it would be refused as {refused.code}, not"
                                   f" {one.refusal.code}")  # fmt: skip
            elif refused != one.refusal:
                self._differs(one, "it would be refused in other words")

    def _differs(self, one: Decision, what: str) -> None:
        sentence = f"Decided again, {what}.".replace("..", ".")
        finding = Finding(self.stream.name, one.sequence, "decision", sentence)
        (self.findings if one.release == release() else self.otherwise).append(finding)

    def _check_postings(
        self, sequence: int, moved: list[Move], postings: Sequence[Posting]
    ) -> None:
        there = [(one.line, one.source, one.target, one.cents) for one in postings]
        wanted = [(line, *move) for line, move in enumerate(moved)]
        self.postings += len(there)
        if there != wanted:
            self._find(sequence, "posting", "Its postings are not what its events move.")
        for _, source, target, cents in there:
            for account, change in ((source, -cents), (target, cents)):
                self.balances[account] = self.balances.get(account, 0) + change

    def finish(self, stray: Sequence[Posting]) -> None:
        """Check what is left: postings of no decision."""
        for one in stray:
            self._find(one.sequence, "posting", "A posting belongs to no decision.")


def _begins(starts: bool) -> str:  # noqa: FBT001  # it begins, or it does not
    return "no epoch begins twice" if starts else "it does not begin with a start"


async def check_stream(store: Store, name: str, rulebooks: tuple[Rulebook, ...]) -> StreamCheck:
    """Check one stream of a store."""
    check = StreamCheck(stream_of(name, rulebooks))
    postings = await store.postings(name)
    place, after = 0, 0
    while True:
        page = await store.read(name, after, PAGE)
        for record in page:
            first = place
            while place < len(postings) and postings[place].sequence == record.sequence:
                place += 1
            check.take(record, postings[first:place])
        if len(page) < PAGE:
            break
        after = page[-1].sequence
    check.finish([] if check.broken else postings[place:])
    return check


async def verify(store: Store, rulebooks: tuple[Rulebook, ...]) -> Verified:
    """Verify everything that a store has."""
    verified = Verified()
    balances: dict[str, int] = {}
    for head in await store.heads():
        try:
            check = await check_stream(store, head.stream, rulebooks)
        except JournalError as error:
            verified.findings.append(Finding(head.stream, 0, "stream", str(error)))
            continue
        verified.streams += 1
        verified.decisions += check.head.sequence
        verified.refusals += check.refusals
        verified.postings += check.postings
        verified.openings += check.openings
        verified.heads[head.stream] = (check.head.sequence, check.head.hash.hex())
        verified.findings += check.findings
        verified.otherwise += check.otherwise
        for account, cents in check.balances.items():
            balances[account] = balances.get(account, 0) + cents
    verified.findings += _check_balances(balances, dict(await store.balances()))
    return verified


def _check_balances(wanted: dict[str, int], held: dict[str, int]) -> list[Finding]:
    found = []
    for account in sorted(wanted.keys() | held.keys()):
        have, want = held.get(account, 0), wanted.get(account, 0)
        if have != want and account not in SUMS:
            sentence = f"Account {account} holds {have} cents; its postings give {want}."
            found.append(Finding("", 0, "balance", sentence))
        if want < 0 and not may_be_negative(account):
            sentence = f"Account {account} holds less than nothing."
            found.append(Finding("", 0, "balance", sentence))
    return found
