"""Commands of the accounts: what somebody asks, and the envelope the house puts it in.

No secret is in any of them. Users have opaque names; passwords, tokens and whatever names a
person outside of the house lie in a store of their own, which can be erased.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.frozen import Named
from croupier.table.roles import Actor, Member  # noqa: TC001


class UserKind(Named):
    """What somebody is to the house."""

    PATRON = "patron"
    STAFF = "staff"
    AUDITOR = "auditor"
    ADMIN = "admin"


class DeviceKind(Named):
    """What a device is; a shoe is a dealing device that reads its cards."""

    TERMINAL = "terminal"
    SHOE = "shoe"
    DIE = "die"
    SCANNER = "scanner"
    DISPLAY = "display"


class Access(Named):
    """What lets somebody in, or no longer does; it lies beside the journal."""

    PASSWORD_LINK = "password_link"  # noqa: S105  # what it is, no password
    SESSIONS_CLOSED = "sessions_closed"
    DEVICE_TOKEN = "device_token"  # noqa: S105  # what it is, no token
    DEVICE_TOKEN_VOID = "device_token_void"  # noqa: S105  # as above


class AccountsCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of the accounts; each kind has a name of its own on the wire."""


# Users and positions


class AddUser(AccountsCommand, frozen=True, tag="add_user"):
    """Add somebody under a name that nobody has had."""

    user: str
    kind: UserKind
    position: str | None = None
    """The name of a position that is given at once."""


class DisableUser(AccountsCommand, frozen=True, tag="disable_user"):
    """Let somebody do nothing more until they are enabled again."""

    user: str
    reason: str


class EnableUser(AccountsCommand, frozen=True, tag="enable_user"):
    """Let somebody who was disabled act again."""

    user: str
    reason: str


class GivePosition(AccountsCommand, frozen=True, tag="give_position"):
    """Give a position to somebody, instead of the one that they have."""

    user: str
    position: str
    """The name of a position, of a rulebook or of the house."""


class WithdrawPosition(AccountsCommand, frozen=True, tag="withdraw_position"):
    """Take somebody's position away, and that in which they act."""

    user: str
    reason: str


class LetAct(AccountsCommand, frozen=True, tag="let_act"):
    """Let somebody act in a position for a time."""

    user: str
    position: str
    since: datetime
    until: datetime


class EndActing(AccountsCommand, frozen=True, tag="end_acting"):
    """Let somebody act in another position no more."""

    user: str


# Devices


class RegisterDevice(AccountsCommand, frozen=True, tag="register_device"):
    """Register a device, perhaps at a table."""

    device: str
    kind: DeviceKind
    table: str | None = None


class MoveDevice(AccountsCommand, frozen=True, tag="move_device"):
    """Bring a device to a table, or away from one."""

    device: str
    table: str | None = None


class RetireDevice(AccountsCommand, frozen=True, tag="retire_device"):
    """Take a device out of use for good."""

    device: str
    reason: str


# What the house itself notes


class NoteAccess(AccountsCommand, frozen=True, tag="note_access"):
    """Note who gives access to somebody or a device, or takes it, before it is done."""

    access: Access
    user: str | None = None
    device: str | None = None


# Exclusions and own limits of patrons


class ExcludePatron(AccountsCommand, frozen=True, tag="exclude_patron"):
    """Exclude a patron from play: oneself, or by the house."""

    patron: str
    until: datetime | None = None
    """None: without an end."""
    reason: str = ""


class LiftExclusion(AccountsCommand, frozen=True, tag="lift_exclusion"):
    """Let a patron play again before an exclusion ends by itself."""

    patron: str
    reason: str


class SetStakeLimit(AccountsCommand, frozen=True, tag="set_stake_limit"):
    """Set what one stake of one's own may be at most; None: no limit of one's own."""

    patron: str
    cents: int | None = None


class SetLossLimit(AccountsCommand, frozen=True, tag="set_loss_limit"):
    """Set what one may lose in a day; None: no limit of one's own."""

    patron: str
    cents: int | None = None


class SetTimeLimit(AccountsCommand, frozen=True, tag="set_time_limit"):
    """Set how long one may play in a day; None: no limit of one's own."""

    patron: str
    minutes: int | None = None


COMMANDS: tuple[type[AccountsCommand], ...] = tuple(AccountsCommand.__subclasses__())


class Envelope(msgspec.Struct, frozen=True):
    """A command with what only the house knows."""

    command: AccountsCommand
    actor: Actor
    moment: datetime
    approver: Member | None = None
