"""Views that go on with their table: what each audience sees, and what changed for it.

A ``Projection`` keeps what every audience sees of one table. When the table goes on, it builds
anew only the fields whose pieces changed, and gives what changed to each audience: the public
part once for all, the own part of each patron who is watched for and whose own part changed,
and the parts of Dealer, pit and auditor once for each position in which somebody watches. A
change holds the fields that changed, whole; of ``areas`` it holds those areas that changed, and
None for one that is gone. So ``merge(view, change)`` is the view of the table afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from croupier.table.views import shapes_staff as staff
from croupier.table.views.hearing import (
    OWN,
    Audience,
    Heard,
    hear,
    hears_as,
    own_facts,
    seats_at,
    with_own,
)
from croupier.table.views.own import Own, people_at
from croupier.table.views.parts import Seen, changed_pieces, only_wagers
from croupier.table.views.public import PUBLIC
from croupier.table.views.shapes import AreaShown, OwnPart, PatronView, PublicView
from croupier.table.views.staff import NO_MOMENT, StaffParts, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from croupier.table.events import Event
    from croupier.table.roles import StaffPosition
    from croupier.table.state import Table

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
    staff: dict[Watch, Change | None]
    """Of those who are watched for: by their part, and the position in which they work."""

    def of(
        self, audience: Audience, patron: str = "", position: StaffPosition | None = None
    ) -> Change | None:
        """Return what an audience, and which patron or position of it, learns.

        Of staff it is known for those who are watched for alone.
        """
        if audience is Audience.PUBLIC:
            return self.public
        if audience is Audience.PATRON:
            return self.patrons.get(patron, self.public)
        return self.staff[audience, position]


class Projection:
    """What every audience sees of one table, as the table goes on."""

    __slots__ = ("_ahead", "_later", "_own", "_parts", "_public", "_staff", "seen")

    def __init__(
        self,
        table: Table,
        held_since: int = 0,
        moment: datetime = NO_MOMENT,
        *,
        sealed: bool = False,
    ) -> None:
        """Look at a table; the moment tells which rulebooks it may be opened under."""
        self.seen = seen = Seen(table, held_since, sealed)
        self._public = PUBLIC.build(seen)
        self._staff = StaffParts(seen, moment)
        self._parts = self._later = Own(seen)
        self._own: dict[str, OwnPart] = {}
        """Of the patrons for whom somebody watches."""
        self._ahead: set[str] = set()
        """Who of them was told more than what everybody has heard of."""

    # As it is

    def view(
        self, audience: Audience, patron: str = "", position: StaffPosition | None = None
    ) -> PublicView:
        """Return what an audience sees, and which patron or position of it.

        Who of staff asks in a position is told of changes from then on, as a patron is,
        until nobody watches in it any more (``forget_staff``).
        """
        if audience is Audience.PUBLIC:
            return PublicView(**self._public)
        part: msgspec.Struct = (
            self.own(patron)
            if audience is Audience.PATRON
            else self._staff.part(audience, position)
        )
        fields: dict[str, Any] = {**self._public, PARTS[audience]: part}
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

    def own_ahead(self, table: Table, patron: str, *, sealed: bool = False) -> OwnPart:
        """Return the own part of a patron at a table of which everybody hears later.

        It counts as told: when everybody hears of it, it is not told again.
        """
        if self._later.table is not table:
            self._later = Own(Seen(table, 0, sealed, self.seen.memory))
        part = self._later.part(patron)
        if patron in self._own:
            self._own[patron] = part
            self._ahead.add(patron)
        return part

    def forget(self, patron: str) -> None:
        """Note that nobody watches for a patron any more."""
        self._own.pop(patron, None)

    def forget_staff(self, audience: Audience, position: StaffPosition | None = None) -> None:
        """Note that nobody watches in a position any more."""
        self._staff.forget(audience, position)

    # Going on

    def follow(
        self,
        table: Table,
        events: Iterable[Event],
        held_since: int = 0,
        moment: datetime | None = None,
        *,
        sealed: bool = False,
    ) -> Changes:
        """Go on to the table after these events, and return what everybody learns of it."""
        before, after = self.seen, Seen(table, held_since, sealed, self.seen.memory)
        changed = changed_pieces(before, after)
        happened = tuple(events)
        seats = list(seats_at(before.table.seats, happened))
        self.seen = after
        public = self._renew_public(after, changed)
        staff = self._to_staff(
            happened, seats, public, self._staff.follow(after, moment, changed)
        )
        own = self._renew_own(changed)
        to_all = [
            hear(event, Audience.PUBLIC, at) for event, at in zip(happened, seats, strict=True)
        ]
        return Changes(
            _change(PublicChange, _audible(to_all), public),
            self._to_patrons(happened, to_all, public, own),
            staff,
        )

    def _to_staff(
        self,
        events: Sequence[Event],
        seats: Sequence[Mapping[str, int]],
        public: dict[str, Any],
        parts: Mapping[Watch, msgspec.Struct],
    ) -> dict[Watch, Change | None]:
        """Return what staff learn; what several hear alike is one value."""
        heard: dict[tuple[Audience, ...], tuple[Heard, ...]] = {}
        found: dict[Watch, Change | None] = {}
        for watch in self._staff.watched:
            audience, part = watch[0], parts.get(watch)
            alike = tuple([hears_as(type(event), audience) for event in events])
            if alike not in heard:
                heard[alike] = _hear(events, alike, seats)
            fields = public if part is None else {**public, PARTS[audience]: part}
            found[watch] = _change(CHANGES[audience], heard[alike], fields)
        return found

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
        ahead, self._ahead = self._ahead, set()
        if not self._own or not (changed or ahead):
            return {}
        before, betting = self._parts, only_wagers(self.seen.table, changed)
        self._parts = Own(self.seen, before if betting else None)
        names: AbstractSet[str] = self._own.keys()
        if not self._parts.concerns_everybody(before, changed):
            names = names & (self._parts.touched(before, changed) | ahead)
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
    table: Table,
    audience: Audience = Audience.PUBLIC,
    patron: str = "",
    held_since: int = 0,
    position: StaffPosition | None = None,
) -> PublicView:
    """Return what an audience sees of a table, and which patron or position of it."""
    return Projection(table, held_since).view(audience, patron, position)


NOT_WORKING: tuple[Watch, ...] = tuple(
    (one, None) for one in Audience if one not in (Audience.PUBLIC, Audience.PATRON)
)


def changes(
    before: Seen, after: Seen, events: Iterable[Event], watched: Iterable[Watch] = NOT_WORKING
) -> Changes:
    """Return what everybody learns of a step from one table to another, by these events.

    Of staff: those who are named as watching.
    """
    shown = Projection(before.table, before.held_since)
    for name in {*people_at(before.table), *people_at(after.table)}:
        shown.own(name)
    for audience, position in watched:
        shown.view(audience, position=position)
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


def _hear(
    events: Sequence[Event], audiences: Sequence[Audience], seats: Sequence[Mapping[str, int]]
) -> tuple[Heard, ...]:
    """Return events, each as an audience hears it."""
    return _audible(list(map(hear, events, audiences, seats)))


def _audible(heard: Sequence[Heard | None]) -> tuple[Heard, ...]:
    return tuple([one for one in heard if one is not None])


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
