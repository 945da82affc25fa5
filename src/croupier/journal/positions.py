"""Positions by the accounts: in which position somebody asked, and where that is written.

Once anybody holds a position in the accounts, a decision of a table or of the cage in which
staff ask or approve names the decision of the accounts as of which their positions are known:
the newest durable one when it was taken. The writer compares before it decides, so nobody
acts in a position that was taken away meanwhile; verification compares again. A house whose
accounts know nobody in a position has actors as they come: nothing is named or compared.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from croupier.accounts import events as e
from croupier.accounts.commands import UserKind
from croupier.journal.accounts_stream import STREAM
from croupier.journal.decision import Decision, House, Known, Person, person
from croupier.journal.errors import NotInPositionError

if TYPE_CHECKING:
    from croupier.accounts.state import Accounts, User
    from croupier.journal.gathering import Seat

SETTLING = timedelta(minutes=1)
"""How long a decision may have been on its way while the first position was given: moments of
two streams say no more than that about their order."""


def staff_in(actor: Person, approver: Person | None) -> tuple[Person, ...]:
    """Return those of the staff who ask or approve."""
    both = (actor,) if approver is None else (actor, approver)
    return tuple(one for one in both if one.kind == "staff")


def not_in_position(one: Person, user: User | None, moment: datetime) -> str | None:
    """Say that somebody is not what the accounts have; None: they are."""
    actor = None if user is None else user.actor(one.name, moment)
    known = None if actor is None else person(actor)
    if known == one:
        return None
    has = "nobody who may act" if known is None else _described(known)
    return f"User {one.name} came as {_described(one)}; the accounts know {one.name} as {has}"


def _described(one: Person) -> str:
    if one.position is None:
        return f"a {one.kind}"
    acts = one.acting
    if acts is None:
        return one.position
    until = acts.until.isoformat()
    return f"{one.position} who acts as {acts.position} until {until}"


class Positions:
    """The positions of a house as its writer asks for them: those that are durable."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def named(
        self, house: House, actor: Person, approver: Person | None, moment: datetime
    ) -> House:
        """Return the house with the fact as of which positions are known.

        Raises ``NotInPositionError`` where somebody is not in the position that they came in.
        """
        place = self._seat.durable
        accounts: Accounts = place.state
        staff = staff_in(actor, approver)
        if not staff or not accounts.staffed:
            return house
        for one in staff:
            wrong = not_in_position(one, accounts.users.get(one.name), moment)
            if wrong is not None:
                message = f"{wrong}."
                raise NotInPositionError(message)
        facts = {**house.facts, STREAM: Known(place.sequence, {})}
        return msgspec.structs.replace(house, facts=facts)


# Verification

CHANGES = (
    e.UserAdded,
    e.UserDisabled,
    e.UserEnabled,
    e.PositionGiven,
    e.PositionWithdrawn,
    e.ActingBegun,
    e.ActingEnded,
)
"""Events after which somebody may be in another position."""


class Members(msgspec.Struct):
    """Everybody but patrons, as of every decision of the accounts."""

    users: dict[str, list[tuple[int, User]]] = {}
    """By name: from which decision on somebody was what."""
    end: int = 0
    since: datetime | None = None
    """When somebody was given a position for the first time."""

    def note(self, one: Decision, accounts: Accounts, moment: datetime) -> None:
        """Take a decision of the accounts that was verified, with the state after it."""
        for event in one.events:
            if not isinstance(event, CHANGES):
                continue
            user = accounts.users.get(event.user)
            assert user is not None, "nobody has this name"
            if user.kind is not UserKind.PATRON:
                self.users.setdefault(event.user, []).append((one.sequence, user))
            if isinstance(event, e.PositionGiven) and self.since is None:
                self.since = moment

    def at(self, name: str, sequence: int) -> User | None:
        """Return somebody as of a decision of the accounts."""
        history = self.users.get(name, [])
        place = bisect_right(history, sequence, key=lambda one: one[0])
        return history[place - 1][1] if place else None


class PositionCheck:
    """Compares who asked and who approved in one stream with the accounts."""

    def __init__(self, members: Members | None) -> None:
        self._members = members
        """None: the accounts do not hold, and nothing can be compared with them."""
        self._newest = 0
        """The newest decision of the accounts that was named."""

    def wrong(self, one: Decision, moment: datetime) -> str | None:
        """Say what does not hold about the positions of a decision; None: it holds."""
        named, staff = one.house.facts.get(STREAM), staff_in(one.actor, one.approver)
        if named is None:
            return self._unnamed(moment) if staff else None
        if not staff or named.values:
            return "It names the accounts, and takes nothing from them."
        before, self._newest = self._newest, named.sequence
        where = f"decision {named.sequence} of {STREAM}"
        if named.sequence < before:
            return f"It knew positions as of {where}, and decision {before} was known before."
        if self._members is None:
            return None
        return _wrong_as_of(named.sequence, self._members, staff, moment)

    def _unnamed(self, moment: datetime) -> str | None:
        since = None if self._members is None else self._members.since
        if not self._newest and (since is None or moment <= since + SETTLING):
            return None
        return "Staff asked or approved, and it does not name the accounts."


def _wrong_as_of(
    sequence: int, members: Members, staff: tuple[Person, ...], moment: datetime
) -> str | None:
    where = f"decision {sequence} of {STREAM}"
    if not 0 < sequence <= members.end:
        return f"It knew positions as of {where}, which does not exist."
    for somebody in staff:
        user = members.at(somebody.name, sequence)
        wrong = not_in_position(somebody, user, moment)
        if wrong is not None:
            return f"{wrong}, as of {where}."
    return None
