"""A table's stream written by hand: true decisions, and forged ones with a chain that fits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.journal.again import StreamCheck
from croupier.journal.codec import Start
from croupier.journal.decision import (
    NOTHING,
    Decision,
    Head,
    House,
    Person,
    Posting,
    Record,
    chain,
    encode,
    person,
    versions_in,
    written_moment,
    wrong_person,
)
from croupier.journal.release import release
from croupier.journal.shoes import ShoeSealed
from croupier.journal.streams import Envelope, Needs
from croupier.journal.tables import TableNeeds, TableStream
from croupier.rulebooks import RULEBOOKS
from tests.table.floor import NOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import msgspec

    from croupier.journal.reader import Finding
    from croupier.table import commands as c

STARTS = Person("system", "house")


class Book:
    """The stream of one table whose cards come from a device."""

    def __init__(self) -> None:
        self.stream = TableStream("1", RULEBOOKS)
        self.state = self.stream.initial()
        self.head = Head(self.stream.name)
        self.written: list[tuple[Decision, Record, list[Posting]]] = []
        self.add(self.decided(Start("book"), STARTS, NOW))

    def decided(  # what a command has
        self,
        command: msgspec.Struct,
        actor: Person,
        moment: datetime,
        approver: Person | None = None,
        cards: tuple[str, ...] = (),
        die: int | None = None,
    ) -> Decision:
        """Return the next decision, as a writer takes it."""
        house = House(cards=cards, die=die) if cards or die is not None else NOTHING
        while True:
            at = moment.astimezone(UTC)
            envelope = Envelope(command, actor, at, approver, house, 1, release())
            done = self.stream.decide(self.state, envelope)
            if not isinstance(done, Needs):
                break
            assert isinstance(done, TableNeeds)
            assert done.shoe is not None
            plan = self.state.table.plan
            assert plan is not None
            count = plan.settings.decks * len(plan.game.deck)
            seal = ShoeSealed(done.shoe, done.shoe, count, "device")
            house = replace(house, seal=seal)
        one = Decision(
            self.stream.name, self.head.sequence + 1, 1, release(), written_moment(moment),
            "start-1" if isinstance(command, Start) else f"c{self.head.sequence + 1}", actor,
            command, approver, house,
        )  # fmt: skip
        if isinstance(done, tuple):
            events = tuple(done)
            return replace(one, events=events, versions=versions_in(command, events))
        refusal = self.stream.refused(done)
        return replace(one, refusal=refusal, versions=versions_in(command, ()))

    def add(self, one: Decision) -> None:
        """Write a decision, true or not, with its postings and a hash that fits."""
        body = encode(one)
        digest = chain(self.head.hash, body)
        record = Record(one.stream, one.sequence, one.command_id, one.actor.key, body, digest)
        postings: list[Posting] = []
        if one.refusal is None:
            self.state, moved = self.stream.advance(
                self.state, one.house, one.events, one.sequence
            )
            postings = [
                Posting(one.stream, one.sequence, line, *move)
                for line, move in enumerate(moved)
            ]
        self.head = Head(one.stream, one.sequence, digest)
        self.written.append((one, record, postings))

    def follow(self, script: Iterable[c.Envelope]) -> None:
        """Decide and write what was asked at a table."""
        for asked in script:
            approver = None if asked.approver is None else person(asked.approver)
            self.add(
                self.decided(
                    asked.command, person(asked.actor), asked.moment, approver, asked.cards,
                    asked.die,
                )
            )  # fmt: skip

    def findings(self) -> list[Finding]:
        """Verify the stream."""
        check = self.check()
        return check.findings

    def check(self) -> StreamCheck:
        """Verify the stream, up to its first fault."""
        check = StreamCheck(TableStream("1", RULEBOOKS))
        if all(check.take(record, postings) for _, record, postings in self.written):
            check.finish()
        return check

    def steps(self) -> Iterator[tuple[StreamCheck, Decision]]:
        """Yield every decision, with the stream checked up to the one before it."""
        check = StreamCheck(TableStream("1", RULEBOOKS))
        for one, record, postings in self.written:
            yield check, one
            assert check.take(record, postings), check.findings


def judged(check: StreamCheck, one: Decision) -> str | None:
    """Say why a decision cannot come next in a stream; None: it can."""
    try:
        assert wrong_person(one.actor) is None
        if one.approver is not None:
            assert wrong_person(one.approver) is None
        check._check_when(one)  # noqa: SLF001  # the true one comes at the same moment
        check._agreed(one, encode(one))  # noqa: SLF001  # nothing of the stream changes
    except Exception as error:  # noqa: BLE001  # whatever says no
        return f"{error}"
    return None
