"""One look at a table by one person: what each mechanic adds to what that person may do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from croupier.rules.errors import cited
from croupier.table import commands as c
from croupier.table.authority import WHO, permits, second_of
from croupier.table.decide import HANDLERS
from croupier.table.events import By
from croupier.table.may.shapes import Field, FieldKind, Open
from croupier.table.refusals import Refusal
from croupier.table.roles import Staff, System

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from croupier.table.authority import Needs
    from croupier.table.may.common import Common
    from croupier.table.may.shapes import Allowed, Way
    from croupier.table.roles import Actor, StaffPosition

Fact = TypeVar("Fact")
Needed = tuple["StaffPosition | None", bool]
"""Which position something needs, and whether by the house's ladder."""
Answer = tuple[Needed, Open]
"""How a command is open, and who may give it."""
Rights = dict[Needed, bool]
"""Whether somebody may do what needs a position."""
KINDS: dict[str, FieldKind] = {
    **dict.fromkeys(("cents", "won_cents"), FieldKind.CENTS),
    **dict.fromkeys(("wagers", "cut_behind", "count", "minutes"), FieldKind.NUMBER),
    **dict.fromkeys(("shared", "allowed", "stands", "replace", "cash"), FieldKind.FLAG),
    **dict.fromkeys(("reason", "note", "shoe", "transfer", "designee"), FieldKind.TEXT),
    **dict.fromkeys(("order", "laid", "cards"), FieldKind.EACH),
    **dict.fromkeys(("optional", "stakes"), FieldKind.SOME),
    "shown": FieldKind.TEXT,
    "counts": FieldKind.COUNTS,
    "limits": FieldKind.LIMITS,
    "clocks": FieldKind.CLOCKS,
    "settings": FieldKind.SETTINGS,
}
"""What fields hold that are no choice."""


def _fields(kind: type[c.Command]) -> tuple[Field, ...]:
    names = kind.__struct_fields__
    needed = len(names) - len(kind.__struct_defaults__)
    return tuple(
        Field(name, KINDS.get(name, FieldKind.CHOICE), required=at < needed)
        for at, name in enumerate(names)
        if name != "about"
    )


FIELDS: dict[type[c.Command], tuple[Field, ...]] = {kind: _fields(kind) for kind in c.COMMANDS}
"""The fields of every command; what a report is about is told by its situations."""
TAGS: dict[type[c.Command], str] = {
    kind: str(kind.__struct_config__.tag) for kind in c.COMMANDS
}


def one_way(fields: tuple[Field, ...], way: Way) -> tuple[Field, ...]:
    """Return the fields of a command that can be given in one way only: they say it."""
    return tuple(
        [
            replace(field, allowed=way[field.name]) if field.name in way else field
            for field in fields
        ]
    )


class Look:
    """Somebody looks at a table."""

    __slots__ = ("common", "moment", "person", "plan", "table")

    def __init__(self, common: Common, person: Actor, moment: datetime) -> None:
        self.common, self.table, self.plan = common, common.table, common.plan
        self.person, self.moment = person, moment

    def need(self, sample: c.Command) -> Needs | None:
        """Return who may do this, if this person may; somebody else may have to approve."""
        need = WHO[type(sample)](self.table, self.plan, sample)
        allowed = permits(self.table, sample, self.person, self.moment, need)
        return need if allowed else None

    def accepts(self, command: c.Command, die: int | None = None) -> bool:
        """Try a command on the table, which stays as it is; for small commands only."""
        envelope = c.Envelope(command, self.person, self.moment, die=die)
        by = By(self.person.name, None, self.moment)
        answer = HANDLERS[type(command)](self.table, envelope, command, by)
        return not isinstance(answer, Refusal)


class StaffLook(Look):
    """Staff or the system look at a table: what was found so far that one of them may do.

    Several members of staff look together: what can be done is the same whoever does it, and
    only by the right to it do positions differ.
    """

    __slots__ = ("_rights", "found", "people")

    def __init__(
        self,
        common: Common,
        people: tuple[Actor, ...],
        moment: datetime,
        rights: Rights | None = None,
    ) -> None:
        super().__init__(common, people[0], moment)
        self.people = people
        self.found: list[Answer] = []
        self._rights = {} if rights is None else rights
        """What is known of who may do what; the same people at the same plan share it."""

    def once(self, find: Callable[[StaffLook], Fact]) -> Fact:
        """Return what is the same whoever looks; at one table it is found once."""
        return self._found(find, self.common.found)

    def lasting(self, find: Callable[[StaffLook], Fact]) -> Fact:
        """Return likewise what follows from plan, seats and stakes, while they are the same."""
        return self._found(find, self.common.lasting)

    def _found(self, find: Callable[[StaffLook], Fact], known: dict[object, Any]) -> Fact:
        if find not in known:
            known[find] = find(self)
        fact: Fact = known[find]
        return fact

    def need(self, sample: c.Command) -> Needs | None:
        """Return who may do this, if one of them may; of staff by position alone."""
        if not isinstance(self.person, Staff):
            return super().need(sample)
        need = WHO[type(sample)](self.table, self.plan, sample)
        if need.house_deals:
            return None
        key = need.position, need.house
        right = self._rights.get(key)
        if right is None:
            right = self._rights[key] = any(
                permits(self.table, sample, one, self.moment, need) for one in self.people
            )
        return need if right else None

    def plain(self, command: c.Command) -> None:
        """Add a command whose fields may hold anything, if it is accepted."""
        need = self.need(command)
        if need is not None and self.accepts(command):
            self.add(type(command), need)

    def add(
        self,
        kind: type[c.Command],
        need: Needs,
        *ways: Iterable[Way],
        fields: tuple[Field, ...] | None = None,
    ) -> None:
        """Add a command; a list of ways that has none means that it cannot be given."""
        lists = tuple([tuple(way) for way in ways])
        if all(lists):
            self.found.append(self.answer(kind, need, lists, fields))

    def answer(
        self,
        kind: type[c.Command],
        need: Needs,
        lists: tuple[tuple[Way, ...], ...] = (),
        fields: tuple[Field, ...] | None = None,
    ) -> Answer:
        """Return how a command is open, and who may give it."""
        shown = FIELDS[kind] if fields is None else fields
        if len(lists) == 1 and len(lists[0]) == 1 and kind is not c.SetLimits:
            # There is one way only: its fields say it.
            (way,), lists = lists[0], ()
            shown = one_way(shown, way)
        clause = need.clause
        second = second_of(self.plan, need) if isinstance(self.person, Staff) else None
        tag = TAGS[kind]
        cites = cited(clause) if clause else None
        return (need.position, need.house), Open(tag, shown, cites, second, lists)

    def fields(
        self,
        kind: type[c.Command],
        *more: Field,
        without: tuple[str, ...] = (),
        required: tuple[str, ...] = (),
        other_than: dict[str, tuple[Any, ...]] | None = None,
        **allowed: Allowed,
    ) -> tuple[Field, ...]:
        """Return the fields of a command with what they may hold.

        The name of a transfer is the system's to give, and cash is paid by staff of a live
        table.
        """
        others = other_than or {}
        if not isinstance(self.person, Staff) or not self.plan.pays_cash:
            without = (*without, "cash")
        shown = []
        for field in FIELDS[kind]:
            name = field.name
            if name in without or (name == "transfer" and not isinstance(self.person, System)):
                continue
            if name in allowed or name in required or name in others:
                shown.append(
                    Field(
                        name,
                        field.kind,
                        field.required or name in required,
                        allowed=allowed.get(name),
                        other_than=others.get(name, ()),
                    )
                )
            else:
                shown.append(field)
        return (*shown, *more)
