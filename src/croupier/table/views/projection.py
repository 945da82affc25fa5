"""Views that go on with their table: what each audience sees, and what changed for it.

A ``Projection`` keeps what every audience sees of one table. When the table goes on, it builds
anew only the fields whose pieces changed, and gives what changed to each audience: the public
part once for all, the own part of each patron who is watched for and whose own part changed,
and the parts of Dealer, pit and auditor once each. A change holds the fields that changed,
whole; of ``areas`` it holds those areas that changed, and None for one that is gone. So
``merge(view, change)`` is the view of the table afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from croupier.table.events import SeatLeft, SeatTaken
from croupier.table.views import shapes_staff as staff
from croupier.table.views.hearing import OWN, Audience, Heard, hear, own_facts, with_own
from croupier.table.views.own import Own, people_at
from croupier.table.views.parts import Seen, changed_pieces
from croupier.table.views.public import PUBLIC
from croupier.table.views.shapes import AreaShown, OwnPart, PatronView, PublicView
from croupier.table.views.staff import AUDITOR, DEALER, PIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from croupier.table.events import Event
    from croupier.table.state import Table
    from croupier.table.views.parts import Part

View = TypeVar("View", bound=PublicView)
AREAS = "areas"


def _change_of(view: type[PublicView], name: str) -> type[msgspec.Struct]:
    """Return the shape of what may change in a view: every field of it, or nothing."""
    fields: list[tuple[str, Any, Any]] = []
    for one in msgspec.structs.fields(view):
        kind = dict[str, AreaShown | None] if one.name == AREAS else one.type
        fields.append((one.name, kind | UnsetType, UNSET))
    doc = f"What changed in a {view.__name__}: the fields that did, whole."
    return msgspec.defstruct(
        name, fields, namespace={"__doc__": doc}, module=__name__, frozen=True, kw_only=True
    )


PublicChange = _change_of(PublicView, "PublicChange")
PatronChange = _change_of(PatronView, "PatronChange")
DealerChange = _change_of(staff.DealerView, "DealerChange")
PitChange = _change_of(staff.PitView, "PitChange")
AuditorChange = _change_of(staff.AuditorView, "AuditorChange")
CHANGES: dict[Audience, type[msgspec.Struct]] = {
    Audience.PUBLIC: PublicChange,
    Audience.PATRON: PatronChange,
    Audience.DEALER: DealerChange,
    Audience.PIT: PitChange,
    Audience.AUDITOR: AuditorChange,
}
VIEWS: dict[Audience, type[PublicView]] = {
    Audience.PUBLIC: PublicView,
    Audience.PATRON: PatronView,
    Audience.DEALER: staff.DealerView,
    Audience.PIT: staff.PitView,
    Audience.AUDITOR: staff.AuditorView,
}
"""The view of each audience."""
PARTS = {
    Audience.PATRON: "own",
    Audience.DEALER: "dealer",
    Audience.PIT: "pit",
    Audience.AUDITOR: "auditor",
}
"""The one field that each audience sees beside the public view."""


class Change(msgspec.Struct, frozen=True):
    """What an audience learns of a step of the table: what it hears, and what changed."""

    events: tuple[Heard, ...]
    view: Any
    """A ``PublicChange``, ``PatronChange`` and so on: what did not change is unset."""


class Changes(msgspec.Struct, frozen=True):
    """What every audience learns of a step of the table; None: nothing."""

    public: Change | None
    patrons: dict[str, Change]
    """Of those who are watched for, who learn more than everybody; others learn what all do."""
    dealer: Change | None
    pit: Change | None
    auditor: Change | None

    def of(self, audience: Audience, patron: str = "") -> Change | None:
        """Return what an audience, and which patron of all, learns."""
        if audience is Audience.PATRON:
            return self.patrons.get(patron, self.public)
        one: Change | None = getattr(self, audience.value)
        return one


class Projection:
    """What every audience sees of one table, as the table goes on."""

    __slots__ = ("_auditor", "_dealer", "_own", "_parts", "_pit", "_public", "seen")

    def __init__(self, table: Table, held_since: int = 0) -> None:
        self.seen = seen = Seen(table, held_since)
        self._public = PUBLIC.build(seen)
        self._dealer = DEALER.build(seen)
        self._pit = PIT.build(seen)
        self._auditor = AUDITOR.build(seen)
        self._parts = Own(seen)
        self._own: dict[str, OwnPart] = {}
        """Of the patrons for whom somebody watches."""

    # As it is

    def view(self, audience: Audience, patron: str = "") -> PublicView:
        """Return what an audience, and which patron of all, sees."""
        parts: dict[Audience, Callable[[], msgspec.Struct]] = {
            Audience.PATRON: lambda: self.own(patron),
            Audience.DEALER: self._dealer_part,
            Audience.PIT: self._pit_part,
            Audience.AUDITOR: self._auditor_part,
        }
        if audience is Audience.PUBLIC:
            return PublicView(**self._public)
        fields: dict[str, Any] = {**self._public, PARTS[audience]: parts[audience]()}
        return VIEWS[audience](**fields)

    def own(self, patron: str) -> OwnPart:
        """Return what a patron sees beside the public view.

        A patron who is asked about is told of changes from then on, at the table or not,
        until nobody watches for them any more (``forget``).
        """
        part = self._own.get(patron)
        if part is None:
            if self._parts.table is not self.seen.table:
                self._parts = Own(self.seen)
            part = self._own[patron] = self._parts.part(patron)
        return part

    def forget(self, patron: str) -> None:
        """Note that nobody watches for a patron any more."""
        self._own.pop(patron, None)

    def _dealer_part(self) -> staff.DealerPart:
        return staff.DealerPart(**self._dealer)

    def _pit_part(self) -> staff.PitPart:
        return staff.PitPart(**self._dealer, **self._pit)

    def _auditor_part(self) -> staff.AuditorPart:
        return staff.AuditorPart(**self._dealer, **self._pit, **self._auditor)

    # Going on

    def follow(self, table: Table, events: Iterable[Event], held_since: int = 0) -> Changes:
        """Go on to the table after these events, and return what everybody learns of it."""
        before, after = self.seen, Seen(table, held_since, self.seen.memory)
        changed = changed_pieces(before, after)
        happened = tuple(events)
        seats = _seats(before.table, table, happened)
        self.seen = after
        public = self._renew_public(after, changed)
        dealer = _renew(DEALER, self._dealer, after, changed)
        pit = _renew(PIT, self._pit, after, changed) or dealer
        auditor = _renew(AUDITOR, self._auditor, after, changed) or pit
        own = self._renew_own(changed)
        to_all = [
            hear(event, Audience.PUBLIC, at) for event, at in zip(happened, seats, strict=True)
        ]
        return Changes(
            _change(PublicChange, _audible(to_all), public),
            self._to_patrons(happened, to_all, public, own),
            _change(
                DealerChange,
                _hear(happened, Audience.DEALER, seats),
                {**public, "dealer": self._dealer_part()} if dealer else public,
            ),
            _change(
                PitChange,
                _hear(happened, Audience.PIT, seats),
                {**public, "pit": self._pit_part()} if pit else public,
            ),
            _change(
                AuditorChange,
                _hear(happened, Audience.AUDITOR, seats),
                {**public, "auditor": self._auditor_part()} if auditor else public,
            ),
        )

    def _renew_public(self, seen: Seen, changed: frozenset[str]) -> dict[str, Any]:
        """Return the fields of the public view that changed; of the areas, those that did."""
        areas = self._public[AREAS]
        renewed = PUBLIC.renew(self._public, seen, changed)
        self._public.update(renewed)
        if AREAS in renewed:
            renewed[AREAS] = _areas_changed(areas, renewed[AREAS])
        return renewed

    def _renew_own(self, changed: AbstractSet[str]) -> dict[str, OwnPart]:
        """Return the own parts that changed."""
        if not changed or not self._own:
            return {}
        before, self._parts = self._parts, Own(self.seen)
        names: AbstractSet[str] = self._own.keys()
        if not self._parts.concerns_everybody(before, changed):
            names = names & self._parts.touched(before, changed)
        renewed: dict[str, OwnPart] = {}
        for name in names:
            part, known = self._parts.part(name), self._own[name]
            # Comparing takes longer than counting.
            if len(part.may) != len(known.may) or part != known:
                renewed[name] = part
        self._own.update(renewed)
        return renewed

    def _to_patrons(
        self,
        events: Sequence[Event],
        to_all: Sequence[Heard | None],
        public: dict[str, Any],
        own: Mapping[str, OwnPart],
    ) -> dict[str, Change]:
        """Return what those patrons learn who learn more than everybody."""
        told: dict[str, list[tuple[int, Heard]]] = {}
        for place, event in enumerate(events):
            if type(event) in OWN:
                for name, facts in own_facts(event).items():
                    if name in self._own:
                        heard = with_own(event, to_all[place], facts)
                        told.setdefault(name, []).append((place, heard))
        everybodys, shown = _audible(to_all), PatronChange(**public)
        found: dict[str, Change] = {}
        for name in (*own, *(told.keys() - own.keys())):
            hears = everybodys
            if name in told:
                every = list(to_all)
                for place, heard in told[name]:
                    every[place] = heard
                hears = _audible(every)
            part = own.get(name)
            seen = shown if part is None else msgspec.structs.replace(shown, own=part)
            found[name] = Change(hears, seen)
        return found


def view(
    table: Table, audience: Audience = Audience.PUBLIC, patron: str = "", held_since: int = 0
) -> PublicView:
    """Return what an audience, and which patron of all, sees of a table."""
    return Projection(table, held_since).view(audience, patron)


def changes(before: Seen, after: Seen, events: Iterable[Event]) -> Changes:
    """Return what everybody learns of a step from one table to another, by these events."""
    shown = Projection(before.table, before.held_since)
    for name in {*people_at(before.table), *people_at(after.table)}:
        shown.own(name)
    return shown.follow(after.table, events, after.held_since)


def merge(view: View, change: msgspec.Struct) -> View:
    """Return a view with what changed; a client does the same with objects of JSON."""
    fields: dict[str, Any] = {
        name: value
        for name, value in msgspec.structs.asdict(change).items()
        if value is not UNSET
    }
    if AREAS in fields:
        merged = {**view.areas, **fields[AREAS]}
        fields[AREAS] = {name: area for name, area in merged.items() if area is not None}
    return msgspec.structs.replace(view, **fields)


# Changes


def _seats(before: Table, after: Table, events: Sequence[Event]) -> Sequence[Mapping[str, int]]:
    """Return where everybody sits at each event, whoever comes or leaves by it included."""
    if before.seats is after.seats:
        return [after.seats] * len(events)
    seats, found = dict(before.seats), []
    for event in events:
        if isinstance(event, SeatTaken):
            seats = {**seats, event.patron: event.position}
        found.append(seats)
        if isinstance(event, SeatLeft):
            seats = {name: place for name, place in seats.items() if name != event.patron}
    return found


def _hear(
    events: Sequence[Event], audience: Audience, seats: Sequence[Mapping[str, int]]
) -> tuple[Heard, ...]:
    heard = [hear(event, audience, at) for event, at in zip(events, seats, strict=True)]
    return _audible(heard)


def _audible(heard: Sequence[Heard | None]) -> tuple[Heard, ...]:
    return tuple([one for one in heard if one is not None])


def _renew(
    part: Part, values: dict[str, Any], seen: Seen, changed: frozenset[str]
) -> dict[str, Any]:
    renewed = part.renew(values, seen, changed)
    values.update(renewed)
    return renewed


def _areas_changed(
    before: Mapping[str, AreaShown], after: Mapping[str, AreaShown]
) -> dict[str, AreaShown | None]:
    found: dict[str, AreaShown | None] = {
        name: area for name, area in after.items() if before.get(name) != area
    }
    found.update({name: None for name in before if name not in after})
    return found


def _change(
    shape: type[msgspec.Struct], events: tuple[Heard, ...], fields: Mapping[str, Any]
) -> Change | None:
    return Change(events, shape(**fields)) if events or fields else None
