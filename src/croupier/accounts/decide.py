"""decide: the accounts and a command give events, or a refusal. It never changes anything.

Tested in this order: may this person do it, can what came be written, and then what the
command itself asks for.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from croupier.accounting import unwritable
from croupier.accounts import commands as c
from croupier.accounts import events as e
from croupier.accounts.authority import ADMINISTRATOR, authorise
from croupier.accounts.commands import UserKind
from croupier.accounts.refusals import AccountsCode as Code
from croupier.accounts.refusals import AccountsRefusal, refuse
from croupier.money import dollars
from croupier.table.roles import POSITIONS, HousePosition, Patron, StaffPosition

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from croupier.accounts.state import Accounts, Device, User

ACTING_MAX = timedelta(days=31)
"""The longest time for which somebody acts in a position."""
RAISE_DELAY = timedelta(hours=24)
"""How long a patron waits until a limit of their own is raised."""
OWN_EXCLUSION_MIN = timedelta(days=180)
"""When the house may at the earliest lift a patron's own exclusion that has no end."""
CENTS_MAX = 10**12
MINUTES_MAX = 24 * 60
NAME_MAX = 64
"""Names of users and devices; accounts of patrons are named after them."""
REASON_MAX = 500
KINDS: dict[StaffPosition | HousePosition, UserKind] = {
    HousePosition.AUDITOR: UserKind.AUDITOR,
    ADMINISTRATOR: UserKind.ADMIN,
}
"""Of which kind somebody is in a position; all others are staff."""
Events = tuple[e.AccountsEvent, ...]
Answer = Events | AccountsRefusal


def decide(accounts: Accounts, envelope: c.Envelope) -> Answer:
    """Return what happens, or why nothing does."""
    command = envelope.command
    refusal = authorise(accounts, envelope) or _texts(command)
    if refusal is not None:
        return refusal
    return HANDLERS[type(command)](accounts, envelope, command)


def _texts(command: c.AccountsCommand) -> AccountsRefusal | None:
    """Refuse names that cannot be written, and acts without their reason."""
    for field in ("user", "patron", "device", "table"):
        name = getattr(command, field, None)
        if name is None:
            continue
        if len(name) > NAME_MAX:
            why = f"The name of a {field} has {len(name)} characters; at most {NAME_MAX}"
            return refuse(Code.BAD_NAME, f"{why} are allowed")
        reason = unwritable(name)
        if reason is not None:
            return AccountsRefusal(Code.BAD_NAME, reason)
    said = getattr(command, "reason", None)
    if said is None or (isinstance(command, c.ExcludePatron) and not said):
        return None
    if not 0 < len(said) <= REASON_MAX:
        why = f"A reason of {len(said)} characters came; it has 1 to {REASON_MAX}"
        return refuse(Code.REASON_NEEDED, why)
    return None


# Users and positions


def _known(accounts: Accounts, name: str) -> User | AccountsRefusal:
    user = accounts.users.get(name)
    return refuse(Code.UNKNOWN_USER, f"Nobody is named {name}") if user is None else user


def _patron(accounts: Accounts, name: str) -> User | AccountsRefusal:
    user = _known(accounts, name)
    if isinstance(user, AccountsRefusal) or user.kind is UserKind.PATRON:
        return user
    return refuse(Code.WRONG_KIND, f"User {name} is {user.kind.value}; this is for patrons")


def _add_user(accounts: Accounts, envelope: c.Envelope, command: c.AddUser) -> Answer:
    unknown = None if command.position is None else _unknown_position(command.position)
    if unknown is not None:
        return unknown
    if accounts.users.get(command.user) is not None:
        why = f"Somebody is, or was, named {command.user}; a name is given once"
        return refuse(Code.KNOWN_USER, why)
    added = e.UserAdded(command.user, command.kind)
    if command.position is None:
        return (added,)
    refusal = _unfit(command.user, command.kind, command.position)
    return refusal or (
        added,
        e.PositionGiven(command.user, command.position, envelope.moment),
    )


def _disable_user(accounts: Accounts, envelope: c.Envelope, command: c.DisableUser) -> Answer:
    user = _known(accounts, command.user)
    if isinstance(user, AccountsRefusal):
        return user
    if not user.enabled:
        return refuse(Code.NO_CHANGE, f"User {command.user} is disabled already")
    last = _last_administrator(accounts, command.user)
    return last or (e.UserDisabled(command.user, command.reason),)


def _enable_user(accounts: Accounts, envelope: c.Envelope, command: c.EnableUser) -> Answer:
    user = _known(accounts, command.user)
    if isinstance(user, AccountsRefusal):
        return user
    if user.enabled:
        return refuse(Code.NO_CHANGE, f"User {command.user} is enabled already")
    return (e.UserEnabled(command.user, command.reason),)


def _last_administrator(accounts: Accounts, name: str) -> AccountsRefusal | None:
    """Refuse to leave the house without anybody who could give a position again."""
    others = [
        other
        for other, user in accounts.users.all.items()
        if other != name and user.enabled and user.position == ADMINISTRATOR.value
    ]
    user = accounts.users.get(name)
    if others or user is None or user.position != ADMINISTRATOR.value or not user.enabled:
        return None
    return refuse(
        Code.LAST_ADMINISTRATOR, f"User {name} is the only Administrator of the house"
    )


def _unknown_position(name: str) -> AccountsRefusal | None:
    if name in POSITIONS:
        return None
    there = ", ".join(POSITIONS)
    return refuse(Code.UNKNOWN_POSITION, f"There is no position {name!a}; there are {there}")


def _unfit(user: str, kind: UserKind, position: str) -> AccountsRefusal | None:
    """Refuse a position to somebody of a kind that it is not for."""
    wanted = KINDS.get(POSITIONS[position], UserKind.STAFF)
    if kind is wanted:
        return None
    why = f"User {user} is {kind.value}; {position} is a position of {wanted.value}"
    return refuse(Code.WRONG_KIND, why)


def _give_position(accounts: Accounts, envelope: c.Envelope, command: c.GivePosition) -> Answer:
    refusal = _unknown_position(command.position)
    if refusal is not None:
        return refusal
    user = _known(accounts, command.user)
    if isinstance(user, AccountsRefusal):
        return user
    refusal = _unfit(command.user, user.kind, command.position)
    if refusal is not None:
        return refusal
    if user.position == command.position:
        return refuse(Code.NO_CHANGE, f"User {command.user} is {command.position} already")
    return (e.PositionGiven(command.user, command.position, envelope.moment),)


def _withdraw_position(
    accounts: Accounts, envelope: c.Envelope, command: c.WithdrawPosition
) -> Answer:
    user = _known(accounts, command.user)
    if isinstance(user, AccountsRefusal):
        return user
    if user.position is None:
        return refuse(Code.NO_CHANGE, f"User {command.user} holds no position")
    last = _last_administrator(accounts, command.user)
    return last or (e.PositionWithdrawn(command.user, command.reason),)


def _let_act(accounts: Accounts, envelope: c.Envelope, command: c.LetAct) -> Answer:
    refusal = _unknown_position(command.position) or _period(command, envelope.moment)
    if refusal is not None:
        return refusal
    user = _known(accounts, command.user)
    if isinstance(user, AccountsRefusal):
        return user
    position = POSITIONS[command.position]
    if KINDS.get(position) is not None:
        why = f"Nobody acts as {command.position}; the position is given, or not"
        return refuse(Code.WRONG_KIND, why)
    held = None if user.position is None else POSITIONS[user.position]
    if held is None or type(held) is not type(position):
        has = user.position or "no position"
        why = f"User {command.user} has {has}; {command.position} is acted in from a position"
        return refuse(Code.NO_POSITION, f"{why} of the same kind")
    if held is position:
        return refuse(Code.NO_CHANGE, f"User {command.user} is {command.position} already")
    begun = e.ActingBegun(command.user, command.position, command.since, command.until)
    return (begun,)


def _period(command: c.LetAct, moment: datetime) -> AccountsRefusal | None:
    since, until = command.since, command.until
    if since.tzinfo is None or until.tzinfo is None:
        return refuse(Code.BAD_PERIOD, "A moment came without its time zone")
    if not (since < until and moment < until and until - since <= ACTING_MAX):
        why = f"A period from {since.isoformat()} to {until.isoformat()} came; it begins"
        why += f" before it ends, ends later than now, and has at most {ACTING_MAX.days} days"
        return refuse(Code.BAD_PERIOD, why)
    return None


def _end_acting(accounts: Accounts, envelope: c.Envelope, command: c.EndActing) -> Answer:
    user = _known(accounts, command.user)
    if isinstance(user, AccountsRefusal):
        return user
    if user.acts is None:
        return refuse(Code.NO_CHANGE, f"User {command.user} acts in no other position")
    return (e.ActingEnded(command.user),)


# Devices


def _in_use(accounts: Accounts, name: str) -> Device | AccountsRefusal:
    device = accounts.devices.get(name)
    if device is None:
        return refuse(Code.UNKNOWN_DEVICE, f"No device is named {name}")
    if device.retired:
        return refuse(Code.DEVICE_RETIRED, f"Device {name} is out of use for good")
    return device


def _register(accounts: Accounts, envelope: c.Envelope, command: c.RegisterDevice) -> Answer:
    if accounts.devices.get(command.device) is not None:
        why = f"A device is, or was, named {command.device}; a name is given once"
        return refuse(Code.KNOWN_DEVICE, why)
    return (e.DeviceRegistered(command.device, command.kind, command.table),)


def _move(accounts: Accounts, envelope: c.Envelope, command: c.MoveDevice) -> Answer:
    device = _in_use(accounts, command.device)
    if isinstance(device, AccountsRefusal):
        return device
    if device.table == command.table:
        where = "no table" if command.table is None else f"table {command.table}"
        return refuse(Code.NO_CHANGE, f"Device {command.device} is at {where} already")
    return (e.DeviceMoved(command.device, command.table),)


def _retire(accounts: Accounts, envelope: c.Envelope, command: c.RetireDevice) -> Answer:
    device = _in_use(accounts, command.device)
    if isinstance(device, AccountsRefusal):
        return device
    return (e.DeviceRetired(command.device, command.reason),)


# What the house itself notes


def _note_access(accounts: Accounts, envelope: c.Envelope, command: c.NoteAccess) -> Answer:
    whose: User | Device | AccountsRefusal | None
    if command.device is None:
        whose = _known(accounts, command.user or "")
    elif command.access is c.Access.DEVICE_TOKEN_VOID:
        whose = None  # what one has that is out of use is taken as well
    else:
        whose = _in_use(accounts, command.device)
    if isinstance(whose, AccountsRefusal):
        return whose
    return (e.AccessNoted(command.access, command.user, command.device),)


# Exclusions and own limits of patrons


def _exclude(accounts: Accounts, envelope: c.Envelope, command: c.ExcludePatron) -> Answer:
    until, moment = command.until, envelope.moment
    if until is not None and (until.tzinfo is None or until <= moment):
        why = f"An exclusion until {until.isoformat()} came; it ends later than now"
        return refuse(Code.BAD_PERIOD, why)
    user = _patron(accounts, command.patron)
    if isinstance(user, AccountsRefusal):
        return user
    by_self = isinstance(envelope.actor, Patron)
    own = user.own_exclusion
    if by_self and own is not None and own.at(moment):
        shorter = until is not None and (own.until is None or until < own.until)
        if shorter:
            ends = "has no end" if own.until is None else f"ends {own.until.isoformat()}"
            why = f"The own exclusion of patron {command.patron} {ends}; it is not shortened"
            return refuse(Code.EXCLUSION_STANDS, why)
    return (e.PatronExcluded(command.patron, by_self, moment, until, command.reason),)


def _lift(accounts: Accounts, envelope: c.Envelope, command: c.LiftExclusion) -> Answer:
    user, moment = _patron(accounts, command.patron), envelope.moment
    if isinstance(user, AccountsRefusal):
        return user
    house, own = user.house_exclusion, user.own_exclusion
    if house is not None and house.at(moment):
        return (e.ExclusionLifted(command.patron, by_self=False, reason=command.reason),)
    if own is None or not own.at(moment):
        return refuse(Code.NOT_EXCLUDED, f"Patron {command.patron} is not excluded")
    earliest = own.since + OWN_EXCLUSION_MIN
    if own.promised is not None:
        earliest = max(earliest, own.promised)
    if own.until is not None or moment < earliest:
        ends = (own.until or earliest).isoformat()
        why = f"Patron {command.patron} asked to be excluded; this stands until {ends}"
        return refuse(Code.EXCLUSION_STANDS, why)
    return (e.ExclusionLifted(command.patron, by_self=True, reason=command.reason),)


def _set_stake(accounts: Accounts, envelope: c.Envelope, command: c.SetStakeLimit) -> Answer:
    return _own_limit(accounts, envelope, e.OwnLimit.STAKE, command.patron, command.cents)


def _set_loss(accounts: Accounts, envelope: c.Envelope, command: c.SetLossLimit) -> Answer:
    return _own_limit(accounts, envelope, e.OwnLimit.LOSS, command.patron, command.cents)


def _set_time(accounts: Accounts, envelope: c.Envelope, command: c.SetTimeLimit) -> Answer:
    return _own_limit(accounts, envelope, e.OwnLimit.TIME, command.patron, command.minutes)


def _own_limit(
    accounts: Accounts, envelope: c.Envelope, limit: e.OwnLimit, patron: str, value: int | None
) -> Answer:
    """Lower a limit at once; raise it, or take it away, after a delay."""
    time = limit is e.OwnLimit.TIME
    most = MINUTES_MAX if time else CENTS_MAX
    if value is not None and not 0 < value <= most:
        came, up_to = (f"{value} minutes", f"{most} minutes") if time else (
            dollars(value), dollars(most))  # fmt: skip
        why = f"A limit of {came} came; it is above zero and at most {up_to}"
        return refuse(Code.BAD_AMOUNT, why)
    user, moment = _patron(accounts, patron), envelope.moment
    if isinstance(user, AccountsRefusal):
        return user
    now = user.limit(limit, moment)
    raised = now is not None and (value is None or value > now)
    since = moment + RAISE_DELAY if raised else moment
    return (e.OwnLimitSet(patron, limit, now, value, since),)


HANDLERS: dict[type[c.AccountsCommand], Callable[[Accounts, c.Envelope, Any], Answer]] = {
    c.AddUser: _add_user,
    c.DisableUser: _disable_user,
    c.EnableUser: _enable_user,
    c.GivePosition: _give_position,
    c.WithdrawPosition: _withdraw_position,
    c.LetAct: _let_act,
    c.EndActing: _end_acting,
    c.RegisterDevice: _register,
    c.MoveDevice: _move,
    c.RetireDevice: _retire,
    c.NoteAccess: _note_access,
    c.ExcludePatron: _exclude,
    c.LiftExclusion: _lift,
    c.SetStakeLimit: _set_stake,
    c.SetLossLimit: _set_loss,
    c.SetTimeLimit: _set_time,
}
