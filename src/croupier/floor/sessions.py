"""Sessions: who is signed in, found for every request in memory and kept in the file.

A token is 256 random bits; file and memory know its SHA-256. A session ends when it was not
used for a while, after a whole shift, when its owner signs out, or when the house closes it. In
a running process all of that is measured by a clock that nobody sets; after a start it follows
from the moments in the file, and never lasts longer than it could have before.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict, deque
from datetime import datetime, timedelta
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from croupier.accounts.commands import UserKind
from croupier.floor.door import Ended, Issued
from croupier.floor.people_file import micros, moment_of
from croupier.floor.rates import Allowance, Rates

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Container, Iterable, Sequence

    from croupier.accounts.state import Accounts
    from croupier.floor.people_file import PeopleFile

TOKEN_BYTES = 32
TOKEN_LENGTH = 43
"""How long a token is as text."""
TICKET_SECONDS = 30.0
"""Within which time a ticket opens a socket; the protocol says so."""
TICKETS_MAX = 20
"""Tickets of one session that may be open at a time."""
A_SECOND_US = 1_000_000
REMEMBERED = 10_000
"""Sessions that are over of which this process still knows why."""


class Times(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long sessions last; what an operator sets."""

    staff_idle_minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 15
    patron_idle_minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 120
    session_hours: Annotated[int, Meta(ge=1, le=7 * 24)] = 12
    sessions_per_name: Annotated[int, Meta(ge=1, le=10_000)] = 100
    """Whoever opens more loses the one that was not used for longest."""

    def idle_seconds(self, kind: UserKind) -> float:
        """Return after how long without a request somebody's session ends."""
        patron = kind is UserKind.PATRON
        return 60.0 * (self.patron_idle_minutes if patron else self.staff_idle_minutes)

    @property
    def most_seconds(self) -> float:
        """Return how long a session lasts at most."""
        return 3600.0 * self.session_hours


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an operator sets about people."""

    sessions: Times = Times()
    rates: Rates = Rates()


class Standing(msgspec.Struct, frozen=True):
    """What the accounts know of somebody; a session ends when it changes."""

    kind: UserKind
    position: str | None = None
    enabled: bool = True


def standing(accounts: Accounts, name: str) -> Standing | None:
    """Return what the accounts know of somebody; None: nothing."""
    user = accounts.users.get(name)
    return None if user is None else Standing(user.kind, user.position, user.enabled)


class Session:
    """Somebody who is signed in."""

    __slots__ = (
        "allowance",
        "digest",
        "ended",
        "ends",
        "expires",
        "idle_seconds",
        "kind",
        "last",
        "name",
        "number",
        "opened",
        "position",
        "saved",
    )

    def __init__(  # what a row has, and what the running process knows of it
        self,
        digest: bytes,
        number: str,
        name: str,
        known: Standing,
        opened: datetime,
        expires: datetime,
        allowance: Allowance,
    ) -> None:
        self.digest, self.number, self.name = digest, number, name
        self.kind, self.position = known.kind, known.position
        """As they were when the session was opened; it does not outlive a change of them."""
        self.opened, self.expires, self.allowance = opened, expires, allowance
        self.idle_seconds = self.ends = self.last = self.saved = 0.0
        self.ended: Ended | None = None
        """Why it is over; None: it is not. Whoever holds a session asks this first."""

    def __repr__(self) -> str:
        return f"Session({self.number}, {self.name!r}, ended={self.ended})"


class Listed(msgspec.Struct, frozen=True):
    """A session as its owner sees it in a list."""

    number: str
    opened: datetime
    seen: datetime
    expires: datetime


class SignedIn(Issued, frozen=True):
    """A session with its token, which is told this once."""

    session: Session


def _over(session: Session, now: float) -> Ended | None:
    """Say why a session is over: it lasted as long as it may, or was not used for too long."""
    if now >= session.ends:
        return Ended.ABSOLUTE
    return Ended.IDLE if now - session.last >= session.idle_seconds else None


class Sessions:
    """Everybody who is signed in."""

    def __init__(  # what all of it needs
        self,
        file: PeopleFile,
        clock: Callable[[], datetime],
        monotonic: Callable[[], float],
        times: Times,
        rates: Rates,
    ) -> None:
        self._file, self._clock, self._monotonic = file, clock, monotonic
        self._times, self._rates = times, rates
        self._open: dict[bytes, Session] = {}
        self._by_name: dict[str, dict[bytes, Session]] = {}
        self._gone: set[bytes] = set()
        """Sessions that are over here, and perhaps not yet in the file."""
        self._why: OrderedDict[bytes, Ended] = OrderedDict()
        """By digest: why the last sessions ended, the oldest first; no restart keeps it."""
        self._written_ahead_us = self._ahead_us()
        self.on_ended: list[Callable[[Session], None]] = []
        """Who is told at once that a session is over: whoever holds sockets of it."""

    def __len__(self) -> int:
        return len(self._open)

    @property
    def digests(self) -> Container[bytes]:
        """Return the digests of everybody's tokens."""
        return self._open.keys()

    # A start

    async def load(self, knows: Callable[[str], Standing | None]) -> None:
        """Read the sessions that still hold; those of whoever stands otherwise now do not."""
        rows = await self._file.run(
            lambda file: file.execute(
                "SELECT digest, number, name, kind, position, opened_us, seen_us, expires_us"
                " FROM session ORDER BY seen_us"
            ).fetchall()
        )
        now_us, now = micros(self._clock()), self._monotonic()
        latest_us = now_us + int(self._times.most_seconds) * A_SECOND_US
        for digest, number, name, kind, position, opened_us, seen_us, expires_us in rows:
            was = Standing(UserKind(kind), position)
            ends_us = min(expires_us, latest_us)
            session = self._made(digest, number, name, was, opened_us, ends_us)
            session.last = session.saved = now - max(0, now_us - seen_us) / A_SECOND_US
            session.ends = now + (ends_us - now_us) / A_SECOND_US
            if seen_us > now_us or ends_us < expires_us:
                # Somebody set the clock back: from here on, and not from every start anew.
                session.saved = -inf
            why = Ended.REVOKED if knows(name) != was else _over(session, self._monotonic())
            if why is None:
                self._keep(session)
            else:
                self._gone.add(digest)
                self._why[digest] = why
        await self.save()

    def _made(
        self,
        digest: bytes,
        number: str,
        name: str,
        known: Standing,
        opened_us: int,
        expires_us: int,
    ) -> Session:
        opened, expires = moment_of(opened_us), moment_of(expires_us)
        allowance = Allowance(self._rates, self._monotonic)
        session = Session(digest, number, name, known, opened, expires, allowance)
        session.idle_seconds = self._times.idle_seconds(known.kind)
        return session

    def _keep(self, session: Session) -> None:
        self._open[session.digest] = session
        self._by_name.setdefault(session.name, {})[session.digest] = session

    # Opening and finding

    async def open(self, name: str, known: Standing) -> SignedIn:
        """Open a session for somebody whose password was right; it is durable."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        now_us = micros(self._clock())
        expires_us = now_us + int(self._times.most_seconds) * A_SECOND_US
        number = secrets.token_hex(8)
        session = self._made(digest_of(token), number, name, known, now_us, expires_us)
        row = (session.digest, number, name, known.kind.value, known.position)
        await self._file.run(
            lambda file: file.execute(
                "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, now_us, now_us, expires_us),
            )
        )
        session.last = session.saved = self._monotonic()
        session.ends = session.last + self._times.most_seconds
        self._keep(session)
        self._make_room(session)
        return SignedIn(token, session.expires, session)

    def _make_room(self, newest: Session) -> None:
        others = [one for one in self.of(newest.name) if one is not newest]
        over = len(others) + 1 - self._times.sessions_per_name
        if over > 0:
            self._end(sorted(others, key=lambda one: one.last)[:over], Ended.REVOKED)

    def find(self, token: str, *, counts: bool = True) -> Session | None:
        """Return the session of a token, which is in use again; None: there is none."""
        if len(token) != TOKEN_LENGTH:
            return None
        session = self._open.get(digest_of(token))
        return None if session is None or not self.use(session, counts=counts) else session

    def use(self, session: Session, *, counts: bool = True) -> bool:
        """Count a request, or a message over a socket, as use; False: the session is over.

        What a page asks by itself does not count: nobody may be sitting there.
        """
        if session.ended is not None:
            return False
        now = self._monotonic()
        if now >= session.ends or now - session.last >= session.idle_seconds:
            why = _over(session, now)
            assert why is not None, "over for no reason"
            self._end((session,), why)
            return False
        if counts:
            session.last = now
        return True

    def why_ended(self, token: str) -> Ended | None:
        """Return why the session of a token is over; None: it is not, or nobody remembers."""
        return self._why.get(digest_of(token))

    def of(self, name: str) -> list[Session]:
        """Return the sessions of somebody, the oldest first."""
        return sorted(self._by_name.get(name, {}).values(), key=lambda one: one.opened)

    def listed(self, name: str) -> list[Listed]:
        """Return the sessions of somebody as they see them in a list."""
        return [
            Listed(one.number, one.opened, moment_of(self._seen_us(one)), one.expires)
            for one in self.of(name)
        ]

    def _seen_us(self, session: Session) -> int:
        return self._ahead_us() + int(session.last * A_SECOND_US)

    # Closing

    async def close(self, session: Session) -> None:
        """Close a session because its owner signs out; it is durable."""
        self._end((session,), Ended.SIGNED_OUT)
        await self.forget()

    async def close_number(self, name: str, number: str) -> bool:
        """Close one of somebody's own sessions by its number; False: they have none such."""
        found = [one for one in self.of(name) if one.number == number]
        self._end(found, Ended.SIGNED_OUT)
        await self.forget()
        return bool(found)

    def revoke_all(self, name: str) -> None:
        """Close all sessions of somebody at once; ``save`` makes it durable."""
        self._end(self.of(name), Ended.REVOKED)

    async def close_all(self, name: str) -> None:
        """Close all sessions of somebody at once; it is durable."""
        self.revoke_all(name)
        await self.forget()

    def drop(self, session: Session) -> None:
        """Take back a session that nobody was told of."""
        self._end((session,), Ended.REVOKED)

    def sweep(self) -> None:
        """Close what is over, also if nobody asks: somebody may hold a socket of it."""
        now = self._monotonic()
        over = [(one, why) for one in self._open.values() if (why := _over(one, now))]
        for session, why in over:
            self._end((session,), why)

    def _end(self, sessions: Iterable[Session], why: Ended) -> None:
        over = [one for one in sessions if one.ended is None]
        for session in over:
            session.ended = why
            self._gone.add(session.digest)
            self._why[session.digest] = why
            if len(self._why) > REMEMBERED:
                self._why.popitem(last=False)
            del self._open[session.digest]
            mine = self._by_name[session.name]
            del mine[session.digest]
            if not mine:
                del self._by_name[session.name]
        for session in over:
            for told in self.on_ended:
                told(session)

    # The file

    async def save(self) -> None:
        """Write what ended, and when the others were used last.

        If somebody set the clock on the wall, all moments in the file are by the wrong one.
        """
        ahead_us = self._ahead_us()
        was_set = abs(ahead_us - self._written_ahead_us) >= A_SECOND_US
        saved = [one for one in self._open.values() if was_set or one.last > one.saved]
        lasts = [one.last for one in saved]
        if was_set:
            for session in saved:
                session.expires = moment_of(ahead_us + int(session.ends * A_SECOND_US))
        await self.forget(
            [(self._seen_us(one), micros(one.expires), one.digest) for one in saved]
        )
        self._written_ahead_us = ahead_us if was_set else self._written_ahead_us
        for session, last in zip(saved, lasts, strict=True):
            session.saved = last

    def _ahead_us(self) -> int:
        """Return how far the clock on the wall is ahead of the one that nobody sets."""
        return micros(self._clock()) - int(self._monotonic() * A_SECOND_US)

    async def forget(self, seen: Sequence[tuple[int, int, bytes]] = ()) -> None:
        """Write what ended; after a start it must not come back, whatever the clock says."""
        gone = tuple(self._gone)
        if not gone and not seen:
            return

        def write(file: sqlite3.Connection) -> None:
            file.executemany(
                "UPDATE session SET seen_us = ?, expires_us = ? WHERE digest = ?", seen
            )
            file.executemany(
                "DELETE FROM session WHERE digest = ?", [(digest,) for digest in gone]
            )

        await self._file.run(write)
        self._gone.difference_update(gone)


class SocketTickets:
    """Tickets that open one socket each, once and soon; no restart keeps them."""

    def __init__(self, clock: Callable[[], datetime], monotonic: Callable[[], float]) -> None:
        self._clock, self._monotonic = clock, monotonic
        self._open: dict[bytes, tuple[Session, float]] = {}
        """By digest: whose it is, and when it ends; the oldest first."""
        self._by_session: dict[bytes, deque[bytes]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def issue(self, session: Session) -> Issued:
        """Return a ticket for a session; the oldest of too many is no longer good."""
        self._drop_old()
        ticket = secrets.token_urlsafe(TOKEN_BYTES)
        digest = digest_of(ticket)
        mine = self._by_session.setdefault(session.digest, deque())
        if len(mine) >= TICKETS_MAX:
            del self._open[mine.popleft()]
        mine.append(digest)
        self._open[digest] = session, self._monotonic() + TICKET_SECONDS
        return Issued(ticket, self._clock() + timedelta(seconds=TICKET_SECONDS))

    def redeem(self, ticket: str) -> Session | None:
        """Return whose ticket this was; None: it is not good, or not any more."""
        digest = digest_of(ticket)
        session, ends = self._open.get(digest, (None, 0.0))
        if session is None:
            return None
        self._remove(digest, session)
        good = self._monotonic() < ends and session.ended is None
        return session if good else None

    def _drop_old(self) -> None:
        now = self._monotonic()
        while self._open:
            digest, (session, ends) = next(iter(self._open.items()))
            if now < ends:
                return
            self._remove(digest, session)

    def _remove(self, digest: bytes, session: Session) -> None:
        del self._open[digest]
        mine = self._by_session[session.digest]
        mine.remove(digest)
        if not mine:
            del self._by_session[session.digest]


def digest_of(token: str) -> bytes:
    """Return what is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
