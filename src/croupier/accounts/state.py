"""The state of the accounts, and events folded into it."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from croupier.accounts import events as e
from croupier.accounts.commands import DeviceKind, UserKind
from croupier.shelf import Shelf
from croupier.table.roles import (
    POSITIONS,
    Acting,
    ActingInHouse,
    HouseStaff,
    Patron,
    Staff,
    StaffPosition,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.roles import Actor


class Acts(msgspec.Struct, frozen=True):
    """In which position somebody acts, from when and until when."""

    position: str
    since: datetime
    until: datetime


class Limit(msgspec.Struct, frozen=True):
    """A limit of one's own, and perhaps another one that holds from a moment on."""

    value: int | None = None
    then: int | None = None
    since: datetime | None = None
    """From when on the other one holds; None: there is none."""

    def at(self, moment: datetime) -> int | None:
        """Return the limit that holds at a moment."""
        if self.since is not None and moment >= self.since:
            return self.then
        return self.value


class Exclusion(msgspec.Struct, frozen=True):
    """An exclusion of a patron."""

    since: datetime
    until: datetime | None
    """None: without an end."""
    promised: datetime | None = None
    """Until when an own one was to hold that this one took the place of, while it held."""

    def at(self, moment: datetime) -> bool:
        """Tell whether it holds at a moment."""
        return self.since <= moment and (self.until is None or moment < self.until)


class User(msgspec.Struct, frozen=True):
    """Somebody with an account."""

    kind: UserKind
    enabled: bool = True
    position: str | None = None
    acts: Acts | None = None
    own_exclusion: Exclusion | None = None
    house_exclusion: Exclusion | None = None
    limits: dict[e.OwnLimit, Limit] = {}

    @property
    def unlimited(self) -> bool:
        """Tell whether nothing can keep somebody from playing, whatever they did, ever."""
        excluded = self.own_exclusion is not None or self.house_exclusion is not None
        return self.enabled and not excluded and not self.limits

    def limit(self, limit: e.OwnLimit, moment: datetime) -> int | None:
        """Return an own limit at a moment: cents, or minutes; None: none."""
        return self.limits.get(limit, Limit()).at(moment)

    def actor(self, name: str, moment: datetime) -> Actor | None:
        """Return somebody as tables and the cage know people; None: they may not act."""
        if not self.enabled:
            return None
        if self.kind is UserKind.PATRON:
            return Patron(name)
        if self.position is None:
            return None
        position, acts = POSITIONS[self.position], self.acts
        if acts is not None and not acts.since <= moment < acts.until:
            acts = None
        other = None if acts is None else POSITIONS[acts.position]
        if isinstance(position, StaffPosition):
            if acts is None or not isinstance(other, StaffPosition):
                return Staff(name, position)
            return Staff(name, position, Acting(other, acts.since, acts.until))
        if acts is None or other is None or isinstance(other, StaffPosition):
            return HouseStaff(name, position)
        return HouseStaff(name, position, ActingInHouse(other, acts.since, acts.until))


class Device(msgspec.Struct, frozen=True):
    """A device that is registered."""

    kind: DeviceKind
    table: str | None = None
    retired: bool = False


class Accounts(msgspec.Struct, frozen=True):
    """The state of the accounts."""

    users: Shelf[User] = Shelf()
    devices: Shelf[Device] = Shelf()
    staffed: bool = False
    """Somebody was given a position: from then on nobody else acts as staff in the house."""

    def actor(self, name: str, moment: datetime) -> Actor | None:
        """Return somebody as tables and the cage know people; None: they may not act."""
        user = self.users.get(name)
        return None if user is None else user.actor(name, moment)

    def excluded(self, patron: str, moment: datetime) -> Exclusion | None:
        """Return the exclusion of a patron that holds at a moment; of two, what ends later."""
        user = self.users.get(patron)
        both = () if user is None else (user.own_exclusion, user.house_exclusion)
        holding = [one for one in both if one is not None and one.at(moment)]
        return max(
            holding, key=lambda one: (one.until is None, one.until or moment), default=None
        )

    def limit(self, patron: str, limit: e.OwnLimit, moment: datetime) -> int | None:
        """Return a patron's own limit at a moment: cents, or minutes; None: none."""
        user = self.users.get(patron)
        return None if user is None else user.limit(limit, moment)


def evolve(accounts: Accounts, event: e.AccountsEvent) -> Accounts:
    """Return the accounts after an event; these stay as they are."""
    return EVOLVE[type(event)](accounts, event)


def _user(accounts: Accounts, name: str, **changes: object) -> Accounts:
    user = accounts.users.get(name)
    assert user is not None, "there is no such user"
    return replace(accounts, users=accounts.users.put(name, replace(user, **changes)))


def _device(accounts: Accounts, name: str, **changes: object) -> Accounts:
    device = accounts.devices.get(name)
    assert device is not None, "there is no such device"
    return replace(accounts, devices=accounts.devices.put(name, replace(device, **changes)))


def _added(accounts: Accounts, event: e.UserAdded) -> Accounts:
    return replace(accounts, users=accounts.users.put(event.user, User(event.kind)))


def _disabled(accounts: Accounts, event: e.UserDisabled) -> Accounts:
    return _user(accounts, event.user, enabled=False)


def _enabled(accounts: Accounts, event: e.UserEnabled) -> Accounts:
    return _user(accounts, event.user, enabled=True)


def _given(accounts: Accounts, event: e.PositionGiven) -> Accounts:
    accounts = replace(accounts, staffed=True)
    return _user(accounts, event.user, position=event.position, acts=None)


def _withdrawn(accounts: Accounts, event: e.PositionWithdrawn) -> Accounts:
    return _user(accounts, event.user, position=None, acts=None)


def _acts(accounts: Accounts, event: e.ActingBegun) -> Accounts:
    acts = Acts(event.position, event.since, event.until)
    return _user(accounts, event.user, acts=acts)


def _acts_no_more(accounts: Accounts, event: e.ActingEnded) -> Accounts:
    return _user(accounts, event.user, acts=None)


def _registered(accounts: Accounts, event: e.DeviceRegistered) -> Accounts:
    device = Device(event.kind, event.table)
    return replace(accounts, devices=accounts.devices.put(event.device, device))


def _moved(accounts: Accounts, event: e.DeviceMoved) -> Accounts:
    return _device(accounts, event.device, table=event.table)


def _retired(accounts: Accounts, event: e.DeviceRetired) -> Accounts:
    return _device(accounts, event.device, table=None, retired=True)


def _noted(accounts: Accounts, event: e.AccessNoted) -> Accounts:
    return accounts


def _excluded(accounts: Accounts, event: e.PatronExcluded) -> Accounts:
    if not event.by_self:
        return _user(
            accounts, event.patron, house_exclusion=Exclusion(event.since, event.until)
        )
    user = accounts.users.get(event.patron)
    before = None if user is None else user.own_exclusion
    promised = None
    if before is not None and before.at(event.since):
        promised = max(filter(None, (before.until, before.promised)), default=None)
    own = Exclusion(event.since, event.until, promised)
    return _user(accounts, event.patron, own_exclusion=own)


def _lifted(accounts: Accounts, event: e.ExclusionLifted) -> Accounts:
    whose = "own_exclusion" if event.by_self else "house_exclusion"
    return _user(accounts, event.patron, **{whose: None})


def _limited(accounts: Accounts, event: e.OwnLimitSet) -> Accounts:
    user = accounts.users.get(event.patron)
    assert user is not None, "there is no such user"
    limit = Limit(event.until_then, event.value, event.since)
    return _user(accounts, event.patron, limits={**user.limits, event.limit: limit})


EVOLVE: dict[type[e.AccountsEvent], Callable[[Accounts, Any], Accounts]] = {
    e.UserAdded: _added,
    e.UserDisabled: _disabled,
    e.UserEnabled: _enabled,
    e.PositionGiven: _given,
    e.PositionWithdrawn: _withdrawn,
    e.ActingBegun: _acts,
    e.ActingEnded: _acts_no_more,
    e.DeviceRegistered: _registered,
    e.DeviceMoved: _moved,
    e.DeviceRetired: _retired,
    e.AccessNoted: _noted,
    e.PatronExcluded: _excluded,
    e.ExclusionLifted: _lifted,
    e.OwnLimitSet: _limited,
}
