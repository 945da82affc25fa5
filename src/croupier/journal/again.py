"""One stream decided again: every decision from the state before it, and what it claims.

``decide`` is asked with the same envelope, so who asked in which position and who approved is
part of the answer. What only the house knew is given to it step by step, as it asks for it: it
must get all that it needs, and nothing may be left that nobody asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from croupier.cage.ledger import bank, box
from croupier.journal import codec
from croupier.journal.accounts_stream import STREAM as ACCOUNTS
from croupier.journal.accounts_stream import AccountsStream
from croupier.journal.between import TRANSFERRED, Held, fact_of, transfer_in
from croupier.journal.cages import STREAM as CAGE
from croupier.journal.cages import CageNeeds, CageStream
from croupier.journal.codec import Start, Started, encode_canonical
from croupier.journal.decision import (
    NOTHING,
    Decision,
    Head,
    House,
    Person,
    chain,
    check_chain,
    encode,
    read,
    read_moment,
    read_record,
    versions_in,
    wrong_person,
)
from croupier.journal.errors import JournalError
from croupier.journal.ledger import commission
from croupier.journal.loading import IMPOSSIBLE
from croupier.journal.openings import ShoeCheck
from croupier.journal.positions import Members, PositionCheck
from croupier.journal.reader import Finding
from croupier.journal.release import release
from croupier.journal.streams import Envelope, Needs
from croupier.journal.tables import TableNeeds, TableState, TableStream
from croupier.table import events as e
from croupier.table.commands import DeclareShoeLost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.journal.between import Fact, Transfer
    from croupier.journal.decision import Posting, Record
    from croupier.journal.streams import Move, Stream
    from croupier.table.rulebook import Rulebook

OWN = ("seat:", "stakes:", "wallet:", "ticket:")
"""Accounts that one stream alone changes, so that it shows every moment of them."""
STARTS = Person("system", "house")
MOMENT_LENGTH = len("2026-01-01T00:00:00.000000Z")
SUPPLIED = {
    "cards": "drawn",
    "openings": "openings",
    "left": "ended",
    "shoe": "seal",
    "interruption": "interruption",
    "opens": "opens",
}
"""What a table asks for, and where its house has it."""
NOBODY = Members()
STEPS_MAX = 8
"""More than any decision asks one after the other."""


class StreamSeen(msgspec.Struct):
    """What one stream showed."""

    head: Head
    epoch: int
    refusals: int
    postings: int
    settlements: int
    openings: int
    unopened: dict[str, str]
    lost: dict[str, int]
    balances: dict[str, int]
    transfers: list[Transfer]
    facts: list[Fact]
    held: list[Held]
    members: Members
    otherwise: list[Finding]
    findings: list[Finding]


class _WrongError(Exception):
    """Something does not hold; behind it nothing more is said of the stream."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind, self.sentence = kind, sentence


def _refuse(kind: str, sentence: str) -> NoReturn:
    raise _WrongError(kind, sentence)


def stream_of(name: str, rulebooks: tuple[Rulebook, ...]) -> Stream:
    """Return the stream of a name, with nothing that could supply anything."""
    if name == CAGE:
        return CageStream()
    if name == ACCOUNTS:
        return AccountsStream()
    kind, _, table = name.partition(":")
    if kind != "table" or not table:
        message = f"No kind of stream is named {name}."
        raise JournalError(message)
    return TableStream(table, rulebooks)


class StreamCheck:
    """Follows one stream up to the first thing that does not hold."""

    def __init__(self, stream: Stream, members: Members | None = NOBODY) -> None:
        self.stream, self.name = stream, stream.name
        self.members = Members()
        """Those of the accounts, if this is their stream."""
        self._positions = PositionCheck(members)
        self.head = Head(stream.name)
        self.state: Any = stream.initial()
        self.findings: list[Finding] = []
        self.otherwise: list[Finding] = []
        self.balances: dict[str, int] = {}
        self.refusals = self.postings = self.settlements = 0
        self.transfers: list[Transfer] = []
        self.facts: list[Fact] = []
        self.held: list[Held] = []
        self._accounts: tuple[str, str, str] | None = None
        """Those of a table's tray and box."""
        if isinstance(stream, TableStream):
            name = stream.table
            self._accounts = bank(name), commission(name), box(name)
        self._open = False
        self._in_debt: list[str] = []
        self._shoes = ShoeCheck()
        self._epoch, self._release, self._moment = 0, "", ""
        self._at = read_moment("1970-01-01T00:00:00.000000Z")
        self._commands: dict[str, set[str]] = {}
        """By actor: the identifications of commands that were decided."""

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings

    def seen(self) -> StreamSeen:
        """Return what the stream showed."""
        self.members.end = self.head.sequence
        sealed = self.state.sealed if isinstance(self.state, TableState) else None
        return StreamSeen(
            self.head,
            self._epoch,
            self.refusals,
            self.postings,
            self.settlements,
            self._shoes.openings,
            {} if sealed is None else {sealed.seal: str(sealed.root)},
            self._shoes.lost,
            self.balances,
            self.transfers,
            self.facts,
            self.held,
            self.members,
            self.otherwise,
            self.findings,
        )

    def take(self, record: Record, postings: Sequence[Posting] = ()) -> bool:
        """Check the next record with its postings; tell whether it holds."""
        try:
            one = self._read(record)
            self._check_who(one)
            self._check_when(one)
            self._check_positions(one)
            self._take(one, record, postings)
        except _WrongError as wrong:
            self.found(record.sequence, wrong.kind, wrong.sentence)
            return False
        except IMPOSSIBLE as error:
            said = f"{type(error).__name__} {error}".rstrip(". ")
            sentence = f"It cannot have been decided: {said}."
            self.found(record.sequence, "decision", sentence)
            return False
        return True

    def found(self, sequence: int, kind: str, sentence: str) -> None:
        """Take note of something that does not hold."""
        self.findings.append(Finding(self.name, sequence, kind, sentence))

    def _read(self, record: Record) -> Decision:
        head, body = self.head, record.body
        if record.sequence != head.sequence + 1 or chain(head.hash, body) != record.hash:
            try:
                check_chain(head, record)  # says which of these it is
            except JournalError as error:
                _refuse("chain", str(error))
        try:
            one = read(body)
            if (
                one.sequence != record.sequence
                or one.command_id != record.command_id
                or one.stream != self.name
                or one.actor.key != record.actor
            ):
                read_record(record)  # says so
        except JournalError as error:
            _refuse("content", str(error))
        self.head = Head(self.name, record.sequence, record.hash)
        return one

    # Who, when and in which epoch

    def _check_who(self, one: Decision) -> None:
        actor = one.actor
        for person in (actor, one.approver):
            wrong = None if person is None else wrong_person(person)
            if wrong is not None:
                _refuse("decision", wrong)
        commands = self._commands.setdefault(actor.key, set())
        if one.command_id in commands:
            sentence = f"Command {one.command_id} of {actor.key} was decided before."
            _refuse("command", sentence)
        commands.add(one.command_id)

    def _check_when(self, one: Decision) -> None:
        """Check that epochs begin with a start, are of one release, and moments never fall."""
        starts = type(one.command) is Start
        if one.epoch != self._epoch or starts:
            if one.epoch <= self._epoch or not starts:
                what = f"Epoch {one.epoch} follows epoch {self._epoch}"
                why = "no epoch begins twice" if starts else "it does not begin with a start"
                _refuse("epoch", f"{what}, and {why}.")
            wanted = (STARTS, None, f"start-{one.epoch}")
            if (one.actor, one.approver, one.command_id) != wanted:
                sentence = "Somebody else than the house started it."
                _refuse("epoch", sentence)
            first = one.events[0] if one.events else None
            if not isinstance(first, Started) or first.release != one.release:
                sentence = f"The start does not announce its release {one.release}."
                _refuse("release", sentence)
            self._epoch, self._release = one.epoch, one.release
        elif one.release != self._release:
            what = f"It is of release {one.release}; its epoch started as {self._release}."
            _refuse("release", what)
        moment = one.moment
        if moment != self._moment:
            if moment < self._moment:
                _refuse("moment", f"It is of {moment}, before {self._moment}.")
            if len(moment) != MOMENT_LENGTH or moment[10] != "T" or moment[-1] != "Z":
                _refuse("moment", "Its moment is not written as moments are.")
            self._at, self._moment = read_moment(moment), moment

    def _check_positions(self, one: Decision) -> None:
        """Check that staff were in the positions that the accounts know of."""
        if self.name != ACCOUNTS:
            wrong = self._positions.wrong(one, self._at)
            if wrong is not None:
                _refuse("position", wrong)

    # Deciding again

    def _take(self, one: Decision, record: Record, postings: Sequence[Posting]) -> None:
        """Decide again, compare, and go on with what is recorded."""
        events = self._agreed(one, record.body)
        lost = type(one.command) is DeclareShoeLost
        if lost or one.house is not NOTHING or one.release != release():
            wrong = self._shoes.check(self.state, one)
            if wrong is not None:
                _refuse("shoe", f"{wrong}.")
        if self.name == CAGE:
            self._note_fact(one)
        if one.refusal is not None:
            self.refusals += 1
            self._post([], postings)
            return
        self.state, moved = self.stream.advance(self.state, one.house, events, one.sequence)
        self._post(moved, postings)
        self._note(one, record)
        if self.name == ACCOUNTS:
            self.members.note(one, self.state, self._at)
        accounts = self._accounts
        if accounts is not None:
            for source, target, _ in moved:
                if source in accounts or target in accounts:
                    self._note_held(one.sequence, accounts)
                    return
            if self._open is (self.state.table.plan is None):
                self._note_held(one.sequence, accounts)

    def _agreed(self, one: Decision, body: bytes) -> Any:  # noqa: ANN401  # as they are recorded
        """Return the events of a decision, once they are what comes of its command."""
        try:
            again = self._decide(one)
            if self._written(one, again) == body:
                # The same, and with the table after each of them.
                return () if one.refusal else again
            self._compare(one, again, body)
        except IMPOSSIBLE as error:
            said = f"{type(error).__name__} {error}".rstrip(". ")
            self._differs(one, f"it cannot be decided: {said}")
        except _WrongError as wrong:
            if one.release == release() or wrong.kind == "content":
                raise
            self._apart(one, wrong.sentence)
        return one.events

    def _decide(self, one: Decision) -> Any:  # noqa: ANN401  # events, or as it refuses
        """Return what comes of a command; whatever the house knew is asked for first."""
        wanted, house = one.house, NOTHING
        if wanted is not NOTHING:
            named = {name: known for name, known in wanted.facts.items() if name == ACCOUNTS}
            house = House(cards=wanted.cards, die=wanted.die, facts=named)
        decide, state = self.stream.decide, self.state
        for _ in range(STEPS_MAX):
            again = decide(
                state,
                Envelope(
                    one.command, one.actor, self._at, one.approver, house, one.epoch,
                    one.release, one.sequence,
                ),
            )  # fmt: skip
            if not isinstance(again, Needs):
                if house is not wanted and house != wanted:
                    _refuse("house", "The house knew something that nobody asked for.")
                return again
            known = _supplied(house, again, wanted)
            if known == house:
                break
            house = known
        _refuse("house", "The house did not know what it needed to decide.")

    def _written(self, one: Decision, again: Any) -> bytes:  # noqa: ANN401
        """Return the body that a decision has when this comes of it."""
        events, refusal = (), None
        if isinstance(again, tuple):
            events = again
        else:
            refusal = self.stream.refused(again)
        return encode(
            Decision(
                one.stream, one.sequence, one.epoch, one.release, one.moment, one.command_id,
                one.actor, one.command, one.approver, one.house, events, refusal,
                versions_in(one.command, events),
            )
        )  # fmt: skip

    def _compare(self, one: Decision, again: Any, body: bytes) -> None:  # noqa: ANN401
        """Say what differs; a sentence may, between two releases."""
        if one.refusal is not None and one.events:
            _refuse("content", "It was refused, and events stand beside the refusal.")
        if isinstance(again, tuple):
            if one.refusal is not None:
                self._differs(one, f"it was refused as {one.refusal.code}; it would be done")
                return
            if encode_canonical(tuple(again)) != encode_canonical(one.events):
                self._differs(one, f"other events come of it{_first(again, one.events)}")
                return
        else:
            refused = self.stream.refused(again)
            if one.refusal is None:
                self._differs(one, f"it would be refused: {refused.sentence}")
                return
            if (refused.code, refused.clause) != (one.refusal.code, one.refusal.clause):
                what = f"it would be refused as {refused.code}, not {one.refusal.code}"
                self._differs(one, what)
                return
            if refused.sentence != one.refusal.sentence:
                if one.release == release():
                    self._differs(one, "it would be refused in other words")
                return
        versions = versions_in(one.command, one.events)
        if not _is_older(one) and (one.versions != versions or encode(one) != body):
            _refuse("content", "It is not written as decisions are.")

    def _differs(self, one: Decision, what: str) -> None:
        sentence = f"Decided again, {what}.".replace("..", ".")
        if one.release == release():
            _refuse("decision", sentence)
        self._apart(one, sentence)

    def _apart(self, one: Decision, sentence: str) -> None:
        self.otherwise.append(Finding(self.name, one.sequence, "decision", sentence))

    # What it moved, and what else is kept of it

    def _post(self, moved: list[Move], postings: Sequence[Posting]) -> None:
        if not moved and not postings:
            return
        self.postings += len(postings)
        there = [(one.source, one.target, one.cents) for one in postings]
        if there != moved or any(one.line != line for line, one in enumerate(postings)):
            _refuse("postings", "Its postings are not what its events move.")
        balances = self.balances
        for source, target, cents in moved:
            balances[target] = balances.get(target, 0) + cents
            balances[source] = left = balances.get(source, 0) - cents
            if left < 0:
                self._in_debt.append(source)
        if self._in_debt:
            for account in self._in_debt:
                if balances[account] < 0 and account.startswith(OWN):
                    _refuse("balance", f"Account {account} fell below zero.")
            self._in_debt.clear()

    def _note(self, one: Decision, record: Record) -> None:
        """Keep what is compared with other streams."""
        for line, event in enumerate(one.events):
            kind = type(event)
            if kind is e.WagersSettled:
                self.settlements += 1
            elif kind in TRANSFERRED:
                transfer = transfer_in(event, one, record.hash, line)
                if transfer is not None:
                    self.transfers.append(transfer)

    def _note_fact(self, one: Decision) -> None:
        """Keep what the cage took from a table."""
        fact = fact_of(one, self.balances)
        if isinstance(fact, str):
            _refuse("fact", fact)
        if fact is not None:
            self.facts.append(fact)

    def _note_held(self, sequence: int, accounts: tuple[str, str, str]) -> None:
        """Keep what a table has in its tray and its box, whenever that changes."""
        balances, held = self.balances, self.held
        tray, kept, cash = (balances.get(account, 0) for account in accounts)
        self._open = self.state.table.plan is not None
        # The commission lies among the chips of the tray.
        now = (tray + kept, cash, self._open)
        last = held[-1] if held else None
        if last is None or (last.tray_cents, last.box_cents, last.open) != now:
            held.append(Held(sequence, *now))

    def finish(self) -> None:
        """Check what can only be seen at the end: the ledger is what the state stands for."""
        owned = self.stream.owned()
        groups = tuple(one for one in owned if one.endswith(":"))
        have = {
            account: cents
            for account, cents in self.balances.items()
            if cents and (account in owned or account.startswith(groups))
        }
        if have != self.stream.expected(self.state):
            sentence = "The ledger disagrees with the decisions."
            self.found(self.head.sequence, "balance", sentence)


def _supplied(house: House, needs: Needs, wanted: House) -> House:
    """Return a house that knows what was asked for as well, out of what was recorded."""
    if isinstance(needs, CageNeeds):
        if needs.ticket:
            return msgspec.structs.replace(house, tickets=wanted.tickets)
        stream = f"table:{needs.table}"
        known = {stream: wanted.facts[stream]} if stream in wanted.facts else {}
        return msgspec.structs.replace(house, facts={**house.facts, **known})
    assert isinstance(needs, TableNeeds), "a need of another kind of stream"
    nothing = type(needs)()
    new = {
        SUPPLIED[field]: getattr(wanted, SUPPLIED[field])
        for field in needs.__struct_fields__
        if getattr(needs, field) != getattr(nothing, field)
    }
    return msgspec.structs.replace(house, **new)


def _is_older(one: Decision) -> bool:
    """Tell whether a decision was written when some kind in it had another version."""
    if not codec.VERSIONS or one.versions == versions_in(one.command, one.events):
        return False
    return all(1 < version <= codec.version_of(name) for name, version in one.versions.items())


def _first(again: Sequence[msgspec.Struct], events: Sequence[msgspec.Struct]) -> str:
    """Name the first event that is not what comes of a command."""
    for wanted, there in zip(again, events, strict=False):
        if encode_canonical(wanted) != encode_canonical(there):
            return f", first {_name(wanted)} instead of {_name(there)}"
    if len(again) > len(events):
        return f": {_name(again[len(events)])} is missing"
    return f": {_name(events[len(again)])} is too much"


def _name(event: msgspec.Struct) -> str:
    return str(type(event).__struct_config__.tag)
