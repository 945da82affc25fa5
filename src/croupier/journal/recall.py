"""Recalling the last rounds of a table: what was staked, dealt, paid, decided and refused.

Everything is folded from the decisions, whose chain is checked on the way. Each one that falls
into a round is a step of it, refused ones too. A card that was not exposed stays face down: its
face is in the journal alone.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping  # noqa: TC003  # structs look at their annotations
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from croupier.journal.decision import Decision, Head, check_chain, read_moment, read_record
from croupier.journal.errors import JournalError
from croupier.journal.tables import TableState, TableStream
from croupier.rules.errors import cited, listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import evolve, plan_for
from croupier.table.ordered import ordered_by
from croupier.table.settings import Method, Settings
from croupier.table.state import Phase, Shoe, Stake, Table, unopened
from croupier.table.views.hearing import Audience  # noqa: TC001
from croupier.table.views.round_steps import (
    READ_BY_STAFF,
    OwnRoundInSteps,
    RefusalShown,
    StaffRoundInSteps,
    StepFacts,
    round_steps,
)
from croupier.table.views.rounds import Interruption, RoundFacts, round_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from croupier.journal.decision import Record
    from croupier.journal.reader import Reader
    from croupier.table.rulebook import Rulebook
    from croupier.table.views.rounds import OwnRound, StaffRound


AFTERWARDS = (c.Report, c.ConfirmReport, c.DismissReport, c.DecideReferral)
"""What is asked about a round that was paid, where it can still be void."""


class Act(msgspec.Struct):
    """A decision of a round, with the table before it."""

    decision: Decision
    hash: bytes
    """Of its record."""
    before: Table

    @property
    def events(self) -> list[e.Event]:
        """Return what came of it at the table."""
        return [one for one in self.decision.events if isinstance(one, e.Event)]

    @property
    def clauses(self) -> list[str]:
        """Return the clauses by which it was decided, or refused, each once."""
        refusal = self.decision.refusal
        if refusal is not None:
            return [] if refusal.clause is None else [refusal.clause]
        found = (getattr(event, "clause", None) for event in self.events)
        return list(dict.fromkeys(clause for clause in found if clause))


class PayList(msgspec.Struct, frozen=True):
    """A pay list of a round, and why it was taken back, if it was."""

    sequence: int
    lines: tuple[e.PayLine, ...]
    reversed: str | None = None
    clause: str | None = None


class Recalled(msgspec.Struct):
    """A round of play as the journal has it."""

    number: int
    game: str
    opened: str
    first: int
    last: int
    table: Table
    """As it was at the end of the round, or is now."""
    ended: str | None = None
    """ "settled" or "void"; None: neither yet."""
    over: bool = False
    """Whether it is paid, or void: until then its pay list can be made anew."""
    stakes: tuple[Stake, ...] = ()
    """As they were when the round was settled or void."""
    dealt: dict[str, str | None] = {}
    """By place: the face; None: face down."""
    lists: list[PayList] = []
    """All pay lists in their order; the last one stands if it was not reversed."""
    refunds: tuple[i.Refund, ...] = ()
    acts: list[Act] = []
    patrons: frozenset[str] = frozenset()
    """Who had a stake at any moment of it."""
    credits: Mapping[str, int] | None = None
    """Who had how much credit when bets were called; None: it was not recorded then."""
    brought: Mapping[str, int] = {}
    """What came to whose credit from then on to its end."""
    taken: Mapping[str, int] = {}
    """What left it."""
    after: Mapping[str, int] = {}
    """Who had how much credit at its end."""
    withdrawn: Mapping[str, int] = {}
    """Who took back how much when that was offered."""

    @property
    def lines(self) -> tuple[e.PayLine, ...]:
        """Return the pay list that stands, if one does."""
        standing = self.lists[-1] if self.lists else None
        return standing.lines if standing is not None and standing.reversed is None else ()

    @property
    def refusals(self) -> list[Act]:
        """Return what was refused."""
        return [act for act in self.acts if act.decision.refusal is not None]

    @property
    def rulings(self) -> list[tuple[Act, e.DecisionRecorded]]:
        """Return the discretions that somebody used, with the decision each belongs to."""
        return [
            (act, event)
            for act in self.acts
            for event in act.events
            if isinstance(event, e.DecisionRecorded)
        ]


class Folded(msgspec.Struct):
    """A table as it was after a decision."""

    table: Table
    head: Head
    moment: str = ""
    held_since: int = 0
    """With which decision its hold began."""


def stream_of(table: str) -> str:
    """Return the stream of a table."""
    return f"table:{table}"


async def tables_of(reader: Reader) -> list[str]:
    """Return the names of a journal's tables."""
    streams = [head.stream for head in await reader.heads()]
    return [name.partition(":")[2] for name in streams if name.startswith(stream_of(""))]


async def require_table(reader: Reader, table: str) -> Head:
    """Return where a table's stream ends; refuse a table that the journal does not have."""
    heads = {head.stream: head for head in await reader.heads()}
    head = heads.get(stream_of(table))
    if head is None:
        names = await tables_of(reader)
        have = f"its tables are {listed(names)}" if names else "it has no tables"
        message = f"There is no table {table!r} in {reader.name}; {have}."
        raise JournalError(message)
    return head


async def fold_until(
    reader: Reader, table: str, rulebooks: tuple[Rulebook, ...], until: int | None = None
) -> Folded:
    """Return a table as it was after a decision; None: after the last one."""
    head = await require_table(reader, table)
    last = head.sequence if until is None else until
    if not 0 <= last <= head.sequence:
        message = (
            f"Table {table} has the decisions 1 to {head.sequence}; {until} is not one of"
            " them, nor 0, before the first."
        )
        raise JournalError(message)
    stream = TableStream(table, rulebooks)
    state, at, moment = stream.initial(), Head(head.stream), ""
    async for page in reader.pages(head.stream):
        for record in page.records:
            if record.sequence > last:
                break
            at = check_chain(at, record)
            decision = read_record(record)
            state, moment = _fold(stream, state, decision), decision.moment
    return Folded(state.table, at, moment, state.held_since)


def _fold(stream: TableStream, state: TableState, decision: Decision) -> TableState:
    """Return a table after a decision; refuse one that cannot have happened there."""
    if decision.refusal is not None:
        return state
    try:
        return stream.fold(state, decision.house, decision.events, decision.sequence)
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        where = f"Decision {decision.sequence} of {decision.stream}"
        message = f"{where} cannot have happened at this table."
        raise JournalError(message) from error


def finished_round(
    one: Recalled, audience: Audience, patron: str = ""
) -> OwnRound | StaffRound:
    """Return a round that is over, as an audience, and which patron of all, reads it."""
    return round_shown(facts_of(one), audience, patron)


def round_in_steps(
    one: Recalled, audience: Audience, patron: str = ""
) -> OwnRoundInSteps | StaffRoundInSteps:
    """Return a round that is over with its decisions, as an audience reads them."""
    shown = msgspec.structs.asdict(finished_round(one, audience, patron))
    steps = round_steps([step_of(act) for act in one.acts], audience, patron)
    kind = StaffRoundInSteps if audience in READ_BY_STAFF else OwnRoundInSteps
    return kind(**shown, steps=steps)


def facts_of(one: Recalled) -> RoundFacts:
    """Return what the journal says of a round that is over."""
    assert one.table.round is not None, "no round"
    assert one.over, "a round that is in progress"
    moments = {act.decision.sequence: act.decision.moment for act in one.acts}
    standing = one.lists[-1] if one.lists and one.lists[-1].reversed is None else None
    return RoundFacts(
        one.table,
        one.stakes,
        one.lines,
        tuple(line for paid in one.lists if paid.reversed is not None for line in paid.lines),
        None if standing is None else read_moment(moments[standing.sequence]),
        one.ended == "void",
        next(_voided_by(one), None),
        tuple(_interruptions(one)),
        one.credits,
        one.brought,
        one.taken,
        one.after,
        one.withdrawn,
    )


def step_of(act: Act) -> StepFacts:
    """Return what the journal says of a decision of a round."""
    decision, refused = act.decision, act.decision.refusal
    return StepFacts(
        decision.sequence,
        read_moment(decision.moment),
        decision.actor.actor,
        None if decision.approver is None else decision.approver.member,
        decision.command,
        None
        if refused is None
        else RefusalShown(refused.code, refused.clause, refused.sentence),
        tuple(act.events),
        dict(act.before.seats),
        cited(ordered) if (ordered := ordered_by(act.before, decision.command)) else None,
        act.hash.hex(),
    )


def _voided_by(one: Recalled) -> Iterator[str | None]:
    """Yield the clause by which a round was void."""
    for act in one.acts:
        for event in act.events:
            if isinstance(event, i.RoundVoided):
                yield event.clause


def _interruptions(one: Recalled) -> Iterator[Interruption]:
    """Yield when the house stood still in the middle of a round, and how it was ruled."""
    for act in one.acts:
        stood = act.decision.house.interruption
        if stood is not None:
            reports = (e for e in act.events if isinstance(e, i.IrregularityReported))
            clause = next((report.clause for report in reports), None)
            yield Interruption(
                read_moment(act.decision.moment),
                stood.phase,
                stood.cards,
                stood.established,
                cited(clause) if clause else None,
            )


async def recall(
    reader: Reader,
    table: str,
    rulebooks: tuple[Rulebook, ...],
    rounds: int,
    wanted: Callable[[Recalled], bool] = lambda _: True,
) -> list[Recalled]:
    """Return the last rounds of a table that are wanted, the oldest first."""
    head = await require_table(reader, table)
    stream = TableStream(table, rulebooks)
    memory = _Memory(stream, stream.initial(), rounds, wanted)
    at = Head(head.stream)
    async for page in reader.pages(head.stream):
        for record in page.records:
            at = check_chain(at, record)
            memory.take(read_record(record), record.hash)
    memory.keep()
    return list(memory.rounds)


def opened_by(decision: Decision) -> e.BetsOpened | None:
    """Return the call for bets with which a round began, if a decision was one."""
    for event in decision.events:
        if isinstance(event, e.BetsOpened):
            return event
    return None


def recall_round(
    table: str, rulebooks: tuple[Rulebook, ...], records: Sequence[Record]
) -> Recalled:
    """Return a round from its own records, from its call for bets to before the next.

    Of the table it knows what the call for bets says: rulebook and game, the shoe, who sits
    where and with how much credit. Where that was not recorded, credit counts from zero, and
    only what the round does to it is told.
    """
    decisions = [read_record(record) for record in records]
    opened = opened_by(decisions[0])
    assert opened is not None, "a round begins with its call for bets"
    settings = Settings(
        rulebook=opened.rulebook,
        game=opened.game,
        method=None if opened.method is None else Method(opened.method),
    )
    blank = unopened(rulebooks)
    names = {name for one in decisions for event in one.events for name in _named(event)}
    start = replace(
        blank,
        phase=Phase.IDLE,
        plan=plan_for(blank, settings),
        rounds=opened.round - 1,
        shoe=Shoe(opened.shoe, 0),
        seats=opened.seats,
        credits=dict.fromkeys((*opened.seats, *sorted(names)), 0) | (opened.credits or {}),
    )
    stream = TableStream(table, rulebooks)
    memory = _Memory(stream, TableState(start), 1, lambda _: True)
    for decision, record in zip(decisions, records, strict=True):
        memory.take(decision, record.hash)
    memory.keep()
    return memory.rounds[0]


def _named(event: object) -> Iterator[str]:
    """Yield the patrons whose credit an event may change."""
    patron = getattr(event, "patron", None)
    if patron is not None:
        yield patron
    for field in ("lines", "reversed", "refunds"):
        for one in getattr(event, field, ()):
            yield one.patron


class _Memory:
    """Folds a table and keeps its last rounds."""

    def __init__(
        self,
        stream: TableStream,
        state: TableState,
        rounds: int,
        wanted: Callable[[Recalled], bool],
    ) -> None:
        self._stream, self._state = stream, state
        self.rounds: deque[Recalled] = deque(maxlen=rounds)
        self._wanted = wanted
        self._open: Recalled | None = None
        self._last: Recalled | None = None
        """The newest round, open or not; at its end it shows whether it is wanted."""
        self._brought: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        """What came to whose credit, and left it, since bets were called."""

    def take(self, decision: Decision, sealed: bytes) -> None:
        """Fold one decision, and note it with its hash in the round that it belongs to."""
        before = self._state.table
        state = _fold(self._stream, self._state, decision)
        opened = opened_by(decision)
        if opened is not None:
            self.keep()
            here = decision.sequence
            self._open = self._last = Recalled(
                opened.round, opened.game, decision.moment, here, here, before, lists=[],
                acts=[], credits=opened.credits,
            )  # fmt: skip
            self._brought, self._taken = Counter(), Counter()
        self._count(decision)
        one = self._open
        if one is None and self._last is not None and _belongs(self._last, decision):
            one = self._last
        if one is not None:
            one.last, table = decision.sequence, state.table
            if table.round is not None:  # a table that was closed since has none
                one.table = table
            one.acts.append(Act(decision, sealed, before))
            table = before
            for event in decision.events:
                if isinstance(event, e.Event):
                    after = evolve(table, event)
                    self._note(one, decision.sequence, event, table, after)
                    table = after
        self._state = state

    def _count(self, decision: Decision) -> None:
        """Count what came from elsewhere to a patron's credit, and what left for elsewhere."""
        for event in decision.events:
            if isinstance(event, e.CreditBrought):
                self._brought[event.patron] += event.cents
            elif isinstance(event, e.CreditTaken):
                self._taken[event.patron] += event.cents

    def keep(self) -> None:
        """Keep the newest round, which is over or in progress, if it is wanted."""
        if self._last is not None and self._wanted(self._last):
            self.rounds.append(self._last)

    def _note(
        self, one: Recalled, sequence: int, event: e.Event, before: Table, table: Table
    ) -> None:
        if table.stakes is not before.stakes:
            here = (share.patron for stake in table.stakes for share in stake.shares)
            one.patrons |= {*here}
        play = table.round
        if play is not None and play.number == one.number:
            one.dealt = {
                card.position.value: card.card.text if card.exposed and card.card else None
                for card in play.cards
            }
        if isinstance(event, e.WagersSettled):
            one.ended, one.stakes = "settled", before.stakes
            one.lists.append(PayList(sequence, event.lines))
        elif isinstance(event, i.SettlementReversed):
            _reverse(one, event.why, event.clause)
            one.ended = None
        elif isinstance(event, i.RoundVoided):
            if event.reversed:
                _reverse(one, "the round is void", event.clause)
            one.ended, one.refunds = "void", event.refunds
            one.stakes = before.stakes or one.stakes
        elif one.ended is None:
            one.stakes = table.stakes
        if isinstance(event, i.WagersWithdrawn):
            so_far = one.withdrawn.get(event.patron, 0)
            one.withdrawn = {**one.withdrawn, event.patron: so_far + event.cents}
        if isinstance(event, e.RoundClosed | i.RoundVoided):
            self._open, one.over = None, True
            one.brought, one.taken = dict(self._brought), dict(self._taken)
            one.after = table.credits


def _belongs(one: Recalled, decision: Decision) -> bool:
    """Tell whether something is asked about a round that is over: it may be void after all."""
    return one.ended == "settled" and isinstance(decision.command, AFTERWARDS)


def _reverse(one: Recalled, why: str, clause: str | None) -> None:
    if one.lists:
        one.lists[-1] = replace(one.lists[-1], reversed=why, clause=clause)
