"""Two tables that differ in what somebody may not know: names, credit, notes and reasons.

A patron and the public know no name of another patron or of staff, no credit but the own, no
word of a report or a reason. The Dealer knows names and credit, not those words, nor what the
house won.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from croupier.table.decide import act
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.views import Audience, Projection

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table import commands as c
    from croupier.table.state import Table

ENCODE = msgspec.json.Encoder().encode
MORE_CENTS = 1_234_00
WORDS = ("note", "reason")
"""Fields that hold somebody's words."""


def mapped(value: Any, change: Callable[[str], str], words: str | None) -> Any:  # noqa: ANN401
    """Return a piece of the state, or a command, with other names and other words."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        new = {
            name: words
            if name in WORDS and one and words is not None
            else mapped(one, change, words)
            for name, one in fields.items()
            if name != "rulebooks"
        }
        return replace(value, **new)
    if isinstance(value, Mapping):
        return {
            mapped(key, change, words): mapped(one, change, words) for key, one in value.items()
        }
    if type(value) is tuple:
        return tuple(mapped(one, change, words) for one in value)
    if isinstance(value, frozenset):
        return frozenset(mapped(one, change, words) for one in value)
    return value


class Private:
    """A table, and its twin for one audience."""

    def __init__(self, audience: Audience, patron: str, people: tuple[str, ...]) -> None:
        self.audience, self.patron = audience, patron
        renamed = {} if audience is Audience.DEALER else {n: f"{n}-else" for n in people}
        renamed.pop(patron, None)
        self._names = renamed
        self._known: set[str] = set()

    def _change(self, text: str) -> str:
        return text if text in self._known else self._names.get(text, text)

    def know(self, table: Table, envelope: c.Envelope) -> None:
        """Note who of staff placed wagers for the patron: that is theirs to know."""
        shares = [stake.share(self.patron) for stake in table.stakes]
        self._known = {one.placed_by for one in shares if one is not None and one.placed_by}
        named = getattr(envelope.command, "patron", None)
        if named == self.patron:
            self._known.add(envelope.actor.name)
        elif envelope.actor == Patron(self.patron):
            self._known.add(str(named))  # whom one names oneself

    def twin(self, table: Table) -> Table:
        """Return a table that this audience may not tell from this one."""
        other: Table = mapped(table, self._change, "in other words")
        own = self.patron if self.audience is Audience.PATRON else None
        known = set(other.credits) if self.audience is Audience.DEALER else {own}
        held = {
            name: cents if name in known else cents + MORE_CENTS
            for name, cents in other.credits.items()
        }
        more = sum(held.values()) - sum(other.credits.values())
        other = replace(other, credits=held, bank=other.bank + 77, brought=other.brought + 77)
        return replace(other, brought=other.brought + more, plan=table.plan)

    def ask(self, envelope: c.Envelope) -> c.Envelope:
        """Return what is asked at the twin."""
        actor, approver = envelope.actor, envelope.approver
        if isinstance(actor, Patron | Staff):
            actor = replace(actor, name=self._change(actor.name))
        if approver is not None:
            approver = replace(approver, name=self._change(approver.name))
        command = mapped(envelope.command, self._change, "in other words")
        return replace(envelope, command=command, actor=actor, approver=approver)

    def check(self, table: Table, envelope: c.Envelope) -> str:
        """Ask both; test that this audience learns the same. Return what was compared."""
        self.know(table, envelope)
        double, asked = self.twin(table), self.ask(envelope)
        one, other = act(table, envelope), act(double, asked)
        who = f"{self.audience.value} {self.patron} at {envelope}"
        projections = Projection(table), Projection(double)
        works = StaffPosition.DEALER if self.audience is Audience.DEALER else None
        views = [ENCODE(p.view(self.audience, self.patron, works)) for p in projections]
        assert views[0] == views[1], f"{who}: {difference(*views)}"
        if isinstance(one, Refusal) or isinstance(other, Refusal):
            return self._refused(one, other, envelope, who)
        learnt = [
            projection.follow(after, events).of(self.audience, self.patron, works)
            for projection, (events, after) in zip(projections, (one, other), strict=True)
        ]
        assert (learnt[0] is None) == (learnt[1] is None), f"{who}: a message tells"
        told = [ENCODE(change) for change in learnt]
        assert told[0] == told[1], f"{who}: {difference(*told)}"
        return "change" if learnt[0] is not None else "nothing"

    def _refused(self, one: object, other: object, envelope: c.Envelope, who: str) -> str:
        """Compare what whoever asked is told, if that is this audience."""
        asks = envelope.actor
        if self.audience is Audience.DEALER:
            own = isinstance(asks, Staff) and asks.position is StaffPosition.DEALER
        else:
            own = self.audience is Audience.PATRON and asks == Patron(self.patron)
        if not own:
            return "refused to others"
        assert ENCODE(one) == ENCODE(other), f"{who}: {one} / {other}"
        return "refusal"


def difference(one: bytes, other: bytes) -> str:
    """Show where two texts part."""
    pairs = zip(one, other, strict=False)
    at = next((place for place, (a, b) in enumerate(pairs) if a != b), 0)
    return f"{one[max(0, at - 80) : at + 80]!r} / {other[max(0, at - 80) : at + 80]!r}"
