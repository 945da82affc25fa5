"""Events of the accounts: what happened there."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.accounts.commands import Access, DeviceKind, UserKind  # noqa: TC001
from croupier.frozen import Named


class OwnLimit(Named):
    """A limit that patrons set for themselves."""

    STAKE = "stake"
    LOSS = "loss"
    TIME = "time"


class AccountsEvent(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that happened to the accounts."""


# Users and positions


class UserAdded(AccountsEvent, frozen=True, tag="user_added"):
    """Somebody has an account."""

    user: str
    kind: UserKind


class UserDisabled(AccountsEvent, frozen=True, tag="user_disabled"):
    """Somebody does nothing more until they are enabled again."""

    user: str
    reason: str


class UserEnabled(AccountsEvent, frozen=True, tag="user_enabled"):
    """Somebody who was disabled acts again."""

    user: str
    reason: str


class PositionGiven(AccountsEvent, frozen=True, tag="position_given"):
    """Somebody holds a position."""

    user: str
    position: str
    since: datetime


class PositionWithdrawn(AccountsEvent, frozen=True, tag="position_withdrawn"):
    """Somebody holds no position any more."""

    user: str
    reason: str


class ActingBegun(AccountsEvent, frozen=True, tag="acting_begun"):
    """Somebody acts in a position for a time."""

    user: str
    position: str
    since: datetime
    until: datetime


class ActingEnded(AccountsEvent, frozen=True, tag="acting_ended"):
    """Somebody acts in another position no more."""

    user: str


# Devices


class DeviceRegistered(AccountsEvent, frozen=True, tag="device_registered"):
    """A device is registered, perhaps at a table."""

    device: str
    kind: DeviceKind
    table: str | None


class DeviceMoved(AccountsEvent, frozen=True, tag="device_moved"):
    """A device is at another table, or at none."""

    device: str
    table: str | None


class DeviceRetired(AccountsEvent, frozen=True, tag="device_retired"):
    """A device is out of use for good."""

    device: str
    reason: str


# What the house itself notes


class AccessNoted(AccountsEvent, frozen=True, tag="access_noted"):
    """Somebody gives access to a user or a device, or takes it."""

    access: Access
    user: str | None
    device: str | None


# Exclusions and own limits of patrons


class PatronExcluded(AccountsEvent, frozen=True, tag="patron_excluded"):
    """A patron is excluded from play."""

    patron: str
    by_self: bool
    since: datetime
    until: datetime | None
    reason: str


class ExclusionLifted(AccountsEvent, frozen=True, tag="exclusion_lifted"):
    """An exclusion of a patron is over."""

    patron: str
    by_self: bool
    """Whether it is the patron's own that is over, or that by the house."""
    reason: str


class OwnLimitSet(AccountsEvent, frozen=True, tag="own_limit_set"):
    """A patron set a limit, which holds from a moment on."""

    patron: str
    limit: OwnLimit
    until_then: int | None
    """Cents of a stake or a loss, minutes of a time; None: no limit."""
    value: int | None
    since: datetime


EVENTS: tuple[type[AccountsEvent], ...] = tuple(AccountsEvent.__subclasses__())
