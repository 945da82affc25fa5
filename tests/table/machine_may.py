"""Reading what somebody may do: does a command fit it, and which commands does it speak of."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from croupier.frozen import Named
from croupier.rulebooks import find_rulebook
from croupier.table import commands as c
from croupier.table.may import Amounts, FieldKind
from croupier.table.roles import HigherManager, Patron, Staff
from croupier.table.settings import WHOLE_DOLLARS, Clocks, Limits, Method
from tests.table.machine_settings import some_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from random import Random

    from croupier.table.may import Allowed, Field, Open, Way
    from croupier.table.roles import Actor
    from croupier.table.settings import Settings
    from croupier.table.state import Table

KINDS = {str(kind.__struct_config__.tag): kind for kind in c.COMMANDS}
LEFT_OUT = object()
"""A field that is not said."""


UNREAD: dict[c.Decision, frozenset[str]] = {
    choice: frozenset({"stake", "patron", "won_cents", "laid"}) - read
    for choice, read in {
        **dict.fromkeys(c.Decision, frozenset[str]()),
        c.Decision.RECONSTRUCT: frozenset({"laid"}),
        c.Decision.EXCLUDE: frozenset({"stake"}),
        c.Decision.CORRECT: frozenset({"stake", "patron", "won_cents"}),
    }.items()
}
"""What a decision on a referred matter may say though nobody reads it: it is not listed."""


# Does a command fit


def _wire(value: Any) -> Any:  # noqa: ANN401
    wired = msgspec.to_builtins(value)
    return list(wired) if isinstance(wired, tuple) else wired


def facts_of(command: c.Command) -> dict[str, Any]:
    """Return what a command says, by the names of its fields; what is the default is not."""
    facts: dict[str, Any] = {}
    said: list[tuple[str, msgspec.Struct]] = [("", command)]
    if isinstance(command, c.Report):
        facts["about.situation"] = command.situation.value
        said.append(("about.", command.about))
    for prefix, struct in said:
        names = struct.__struct_fields__
        defaults = struct.__struct_defaults__
        needed = len(names) - len(defaults)
        for at, name in enumerate(names):
            value = getattr(struct, name)
            if name == "about" or (at >= needed and value == defaults[at - needed]):
                continue
            facts[prefix + name] = value
    return facts


def _inner(command: c.Command, path: str) -> Any:  # noqa: ANN401
    found: Any = command
    for name in path.split("."):
        found = getattr(found, name)
    return found.value if isinstance(found, Named) else found


def fits(one: Open, command: c.Command, table: Table, person: Actor) -> bool:
    """Tell whether a command of somebody is one of those that are meant.

    A patron's commands do not say whose they are: nobody else may be named.
    """
    facts = facts_of(command)
    if isinstance(person, Patron) and facts.pop("patron", person.name) != person.name:
        return False
    if isinstance(command, c.DecideReferral):
        facts = {name: facts[name] for name in facts if name not in UNREAD[command.decision]}
    fields = {field.name: field for field in one.fields if not field.house}
    if not facts.keys() <= fields.keys():
        return False
    for name, field in fields.items():
        value = _wire(facts[name]) if name in facts else LEFT_OUT
        if value is LEFT_OUT:
            if field.required:
                return False
        elif not _holds(field, field.allowed, value):
            return False
    return all(any(_fits_way(one, way, command, table) for way in ways) for ways in one.ways)


def _fits_way(one: Open, way: Way, command: c.Command, table: Table) -> bool:
    for name, allowed in way.items():
        if name.startswith("limits."):
            if not _limits_fit(command, name.removeprefix("limits."), allowed):
                return False
            continue
        value = _inner(command, name)
        if name == "position" and value is None:
            value = _where(command, table)
        field = next((field for field in one.fields if field.name == name), None)
        if field is not None and field.kind is FieldKind.EACH:
            if not _holds(field, allowed, _wire(value)):
                return False
        elif not _among(allowed, _wire(value)):
            return False
    return True


def _limits_fit(command: c.Command, wager: str, allowed: Allowed) -> bool:
    assert isinstance(command, c.SetLimits)
    assert isinstance(allowed, Amounts)
    usual = command.limits.get("*", WHOLE_DOLLARS)
    return command.limits.get(wager, usual).step_cents in allowed


def _where(command: Any, table: Table) -> int | None:  # noqa: ANN401
    """Return where a stake lies when no position is named."""
    join = getattr(command, "join", None)
    joined = table.round.stakes.get(join) if table.round and join is not None else None
    return joined.position if joined else table.seats.get(command.patron)


def _among(allowed: Allowed | None, value: Any) -> bool:  # noqa: ANN401
    if allowed is None:
        return True
    if isinstance(allowed, Amounts):
        return isinstance(value, int) and value in allowed
    # True is not 1 here.
    return any(value == one and type(value) is type(one) for one in allowed)


def _holds(field: Field, allowed: Allowed | None, value: Any) -> bool:  # noqa: ANN401, PLR0911
    if not isinstance(value, list | dict) and value in field.other_than:
        return False
    kind = field.kind
    if kind is FieldKind.SOME:
        assert isinstance(allowed, tuple)
        return set(value) <= set(allowed)
    if kind is FieldKind.ALL:
        assert isinstance(allowed, tuple)
        return set(value) == set(allowed)
    if kind is FieldKind.EACH:
        assert isinstance(allowed, tuple)
        head = value[: len(value) - len(field.then)]
        same = Counter(head) == Counter(allowed)
        return same and value[len(head) :] == list(field.then)
    if kind is FieldKind.COUNTS:
        assert isinstance(allowed, tuple)
        return set(value) <= set(allowed)
    if kind is FieldKind.TEXT and field.name == "reason" and field.required:
        return bool(value.strip())
    if kind in (FieldKind.LIMITS, FieldKind.SETTINGS, FieldKind.CLOCKS, FieldKind.PLACES):
        return bool(value) or kind is not FieldKind.PLACES
    return _among(allowed, value)


# Which commands it speaks of


class Maker:
    """Makes commands of what somebody may do: the first, the last, or any allowed values."""

    def __init__(self, table: Table, chance: Random, which: str) -> None:
        self.table, self.chance, self.which = table, chance, which

    def envelope(self, one: Open, person: Actor, moment: datetime) -> c.Envelope:
        """Return a command that is meant, by this person, with the second person named."""
        command = self.command(one, person)
        approver = Staff("Ivo", one.approver) if one.approver is not None else None
        cards, die = self._supplied(one)
        return c.Envelope(command, person, moment, approver, cards, die)

    def command(self, one: Open, person: Actor) -> c.Command:
        """Return a command that is meant."""
        chosen = self._pick(list(_together(one.ways)))
        facts: dict[str, Any] = {}
        if isinstance(person, Patron) and "patron" in KINDS[one.command].__struct_fields__:
            facts["patron"] = person.name
        for field in one.fields:
            limits = [field.allowed, *(way.get(field.name) for way in chosen)]
            named = [limit for limit in limits if limit is not None]
            in_way = any(field.name in way for way in chosen)
            if field.house or not (field.required or in_way or self._says()):
                continue
            value = self._value(one, field, named, chosen)
            if value is not LEFT_OUT:
                _put(facts, field.name, value)
        return msgspec.convert(facts, KINDS[one.command])

    def _says(self) -> bool:
        """Tell whether a field is said that need not be."""
        return self.which == "last" or (self.which == "any" and self.chance.randrange(2) > 0)

    def _pick(self, values: list[Any]) -> Any:  # noqa: ANN401
        if self.which == "any":
            return self.chance.choice(values)
        return values[0] if self.which == "first" else values[-1]

    def _value(  # noqa: PLR0911
        self, one: Open, field: Field, limits: list[Allowed], ways: tuple[Way, ...]
    ) -> Any:  # noqa: ANN401
        kind = field.kind
        if kind is FieldKind.CLOCKS:
            return _wire(Clocks())
        if kind is FieldKind.SETTINGS:
            return _wire(self._settings(ways))
        if kind is FieldKind.LIMITS:
            return self._limits(ways)
        if kind is FieldKind.TEXT and not limits:
            words = [
                word for word in ("so it is", "one", "two") if word not in field.other_than
            ]
            return self._pick(words)
        if kind is FieldKind.FLAG and not limits:
            return self._pick([False, True])
        if kind is FieldKind.COUNTS:
            return self._counts()
        if kind is FieldKind.PLACES:
            return self._pick([["P1"], ["B2", "P1"], ["P1", "P1", "B3"]])
        if kind in (FieldKind.SOME, FieldKind.ALL, FieldKind.EACH):
            return self._list(field, limits)
        if not limits:
            assert kind is FieldKind.CENTS, (one.command, field)
            return self._pick([0, 100])
        values = [one for one in _common(limits) if one not in field.other_than]
        return self._pick(values) if values else LEFT_OUT

    def _list(self, field: Field, limits: list[Allowed]) -> list[Any]:
        (allowed,) = limits
        assert isinstance(allowed, tuple)
        values = list(allowed)
        if self.which == "any" and field.kind is not FieldKind.ALL:
            self.chance.shuffle(values)
        if field.kind is FieldKind.EACH:
            return [*(values[::-1] if self.which == "last" else values), *field.then]
        if self.which == "first":
            return []
        cut = self.chance.randrange(len(values) + 1) if self.which == "any" else len(values)
        return values[:cut] if field.kind is FieldKind.SOME else values

    def _counts(self) -> dict[str, int]:
        """Count the cards that device and discards really hold: who sorts them sees them."""
        table = self.table
        assert table.plan is not None
        assert table.round is not None
        deck = [card.text for card in table.plan.game.deck.cards]
        counts = dict.fromkeys(deck, table.plan.settings.decks)
        for card in (*(dealt.card for dealt in table.round.cards), *table.round.waiting):
            if card is not None:
                counts[card.text] -= 1
        for dealt in table.round.cards:
            if dealt.card is None:
                face = max(counts, key=counts.__getitem__)
                counts[face] -= 1
        return {face: count for face, count in counts.items() if count > 0}

    def _limits(self, ways: tuple[Way, ...]) -> dict[str, Any]:
        steps = {
            name.removeprefix("limits."): amounts.step
            for way in ways
            for name, amounts in way.items()
            if isinstance(amounts, Amounts)
        }
        usual = lcm(*steps.values())
        wager = self._pick(list(steps))
        own = Limits(steps[wager], steps[wager] * 50, steps[wager])
        return _wire({"*": Limits(usual, usual * 90, usual), wager: own})  # type: ignore[no-any-return]

    def _settings(self, ways: tuple[Way, ...]) -> Settings:
        (way,) = ways
        code, methods = way["settings.rulebook"], way["settings.method"]
        assert isinstance(code, tuple)
        assert isinstance(methods, tuple)
        method = self._pick([None if one is None else Method(one) for one in methods])
        top = way.get("settings.readings.higher_manager")
        while True:
            game = self.chance.choice(find_rulebook(str(code[0])).games)
            made = some_settings(game.slug, self.chance)
            if made.method is method:
                break
        if isinstance(top, tuple):
            higher = HigherManager(self._pick(list(top)))
            made = replace(made, readings=replace(made.readings, higher_manager=higher))
        return made

    # What only the house knows

    def _supplied(self, one: Open) -> tuple[tuple[str, ...], int | None]:
        plan = self.table.plan
        if plan is None:
            return (), None
        die: int | None = None
        cards: tuple[str, ...] = ()
        for field in one.fields:
            if field.kind is FieldKind.DIE and field.house:
                assert isinstance(field.allowed, Amounts)
                die = self._pick([field.allowed.minimum, field.allowed.maximum])
            if field.kind is FieldKind.CARDS:
                amount = field.allowed
                ends = (
                    (amount.minimum, amount.maximum) if isinstance(amount, Amounts) else (0, 2)
                )
                cards = self._faces(self._pick(list(range(ends[0], ends[1] + 1))), field)
        return cards, die

    def _faces(self, count: int, field: Field) -> tuple[str, ...]:
        assert self.table.plan is not None
        deck = [card.text for card in self.table.plan.game.deck.cards]
        faces = [face for face in deck if face not in field.other_than]
        return tuple(self._pick(faces) for _ in range(count))


def _together(lists: tuple[tuple[Way, ...], ...]) -> Iterator[tuple[Way, ...]]:
    """Return the ways that go together, one of each list."""
    for ways in product(*lists):
        names = {name for way in ways for name in way}
        if all(_common([way[name] for way in ways if name in way]) for name in names):
            yield ways


def _common(limits: list[Allowed]) -> list[Any]:
    """Return values that all limits allow: all of them, or the ends and some between."""
    values = next((limit for limit in limits if isinstance(limit, tuple)), None)
    if values is not None:
        return [one for one in values if all(_among(limit, one) for limit in limits)]
    amounts = [limit for limit in limits if isinstance(limit, Amounts)]
    first, last = max(one.minimum for one in amounts), min(one.maximum for one in amounts)
    coarse = max(amounts, key=lambda one: one.step)
    first += -(first - coarse.minimum) % coarse.step
    last -= (last - coarse.minimum) % coarse.step
    if first > last:
        return []
    middle = first + (last - first) // coarse.step // 2 * coarse.step
    near = (first, first + coarse.step, middle, last - coarse.step, last)
    return sorted({one for one in near if first <= one <= last})


def _put(facts: dict[str, Any], path: str, value: Any) -> None:  # noqa: ANN401
    *outer, name = path.split(".")
    for step in outer:
        facts = facts.setdefault(step, {})
    facts[name] = value
