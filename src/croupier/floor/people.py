"""The people of a house: who somebody is, how they prove it, and what is known of them.

The journal knows opaque names and positions. What proves that somebody is who they say, and
what names a person outside of the house, lies in a file beside it, and can be erased.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Self, TypeVar

import msgspec

from croupier.accounting import unwritable
from croupier.accounts import events as e
from croupier.accounts.decide import NAME_MAX
from croupier.floor.approvals import Approvals
from croupier.floor.device_tokens import DeviceTokens
from croupier.floor.door import ServerCode, TurnedAway, whole_seconds
from croupier.floor.links import Links, Purpose, delete_links
from croupier.floor.passwords import Passwords, unsuitable
from croupier.floor.people_file import PEOPLE, PeopleFile
from croupier.floor.rates import Attempts, Strangers
from croupier.floor.sessions import Sessions, Settings, SignedIn, SocketTickets, Standing
from croupier.floor.shown_tickets import ShownTickets
from croupier.journal.accounts_stream import STREAM
from croupier.journal.decision import now
from croupier.journal.errors import JournalError
from croupier.rules.errors import quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from croupier.floor.door import Issued
    from croupier.floor.links import Link
    from croupier.floor.sessions import Session
    from croupier.journal.gathering import Landed

Result = TypeVar("Result")
WAITING_MAX = 200
"""How many may be signing in at a time."""
ANSWER_SECONDS = 8.0
"""After how long somebody who is signing in is sent away: an answer comes within ten."""
BUSY_SECONDS = 5
SWEEP_SECONDS = 1.0
"""How often sessions that are over are closed; their sockets close within five seconds."""
SAVE_SWEEPS = 30
"""Every so many sweeps the file learns who was there; a kill loses so many seconds of it."""
DISPLAY_MAX = 100
NOTE_MAX = 2_000
WRITTEN = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]*").fullmatch
REVOKING = (e.UserDisabled, e.PositionGiven, e.PositionWithdrawn)
"""Events after which somebody signs in anew."""
REPLACE_PASSWORD = "INSERT OR REPLACE INTO password VALUES (?, ?)"  # noqa: S105  # SQL
WRONG_LOGIN = TurnedAway(
    ServerCode.WRONG_LOGIN,
    "The name or the password is wrong; both are read as they are typed.",
)


class Personal(msgspec.Struct, frozen=True):
    """What is known of a person beside an opaque name."""

    display: str = ""
    note: str = ""


class _Turn:
    """Those who sign in under one name, one after the other, so that failures are counted."""

    __slots__ = ("lock", "people", "revoked")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.people = 0
        self.revoked = 0
        """How often all sessions of the name were closed meanwhile."""


class People:
    """Everybody who may come in, with the file that proves it."""

    def __init__(
        self,
        file: PeopleFile,
        knows: Callable[[str], Standing | None],
        *,
        settings: Settings,
        passwords: Passwords,
        clock: Callable[[], datetime],
        monotonic: Callable[[], float],
    ) -> None:
        self._file, self._knows, self._passwords = file, knows, passwords
        self.settings = settings
        rates = settings.rates
        self.sessions = Sessions(file, clock, monotonic, settings.sessions, rates)
        self.tickets = SocketTickets(clock, monotonic)
        self.approvals = Approvals(file, clock, monotonic)
        self.shown_tickets = ShownTickets(file)
        self.links = Links(file, clock, monotonic)
        self.device_tokens = DeviceTokens(file, rates, monotonic)
        self.strangers = Strangers(rates, monotonic)
        self.sessions.on_ended.append(self.approvals.revoke)
        self._failures = Attempts(
            rates.failed_logins, 60.0 * rates.failed_logins_minutes, monotonic
        )
        self._turns: dict[bytes, _Turn] = {}
        self._waiting = 0
        self._sweeping: asyncio.Task[None] | None = None
        self.failed_logins = 0
        """How many sign-ins failed since the start: for a metric."""

    # Opening and closing

    @classmethod
    async def open(  # what people are given once
        cls,
        folder: Path,
        knows: Callable[[str], Standing | None],
        *,
        settings: Settings | None = None,
        passwords: Passwords | None = None,
        clock: Callable[[], datetime] = now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Open the people of a house, whose accounts are open: they tell who stands how."""
        file = await PeopleFile.open(folder / PEOPLE)
        people = cls(
            file,
            knows,
            settings=settings or Settings(),
            passwords=passwords or Passwords(),
            clock=clock,
            monotonic=monotonic,
        )
        try:
            await people._passwords.start()
            await people.sessions.load(knows)
            await people.approvals.load(people.sessions.digests)
            await people.shown_tickets.load()
            await people.links.load()
            await people.device_tokens.load()
        except BaseException:
            await people.close()
            raise
        return people

    @property
    def file(self) -> PeopleFile:
        """Return the file, for what else lies there."""
        return self._file

    def start(self) -> None:
        """Close from now on what is over, and let the file know who is there."""
        self._sweeping = asyncio.get_running_loop().create_task(self._sweep())

    async def _sweep(self) -> None:
        sweeps = 0
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sessions.sweep()
            sweeps += 1
            with suppress(JournalError):  # the medium is away: the next one does it
                await self.sessions.forget()
                await self.approvals.sweep()
                if sweeps % SAVE_SWEEPS == 0:
                    await self.sessions.save()

    async def close(self) -> None:
        """Let the file know who was there, and close it; sessions go on after a start."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)
        with suppress(JournalError):
            await self.sessions.save()
        await self._passwords.close()
        await self.shown_tickets.close()
        await self._file.close()

    def committed(self, landed: Landed) -> None:
        """Close the sessions of whoever was disabled or moved; a subscriber of the writer."""
        if landed.stream != STREAM:
            return
        for one in landed.all:
            for event in one.decision.events:
                if isinstance(event, REVOKING):
                    self.revoke(event.user)

    def revoke(self, name: str) -> None:
        """Close all sessions of somebody at once; the file learns of it with the next save."""
        self._interrupt(name)
        self.sessions.revoke_all(name)

    def _interrupt(self, name: str) -> None:
        """Let nothing come of what somebody proves at this moment."""
        turn = self._turns.get(_key(name))
        if turn is not None:
            turn.revoked += 1

    async def close_all(self, name: str) -> None:
        """Close all sessions of somebody; it is durable."""
        self.revoke(name)
        await self.sessions.close_all(name)

    async def copy(self, target: Path) -> None:
        """Copy passwords and what is known of people to a new file, for a backup."""
        await self._file.copy(target)

    # Signing in

    @property
    def waiting(self) -> int:
        """Return how many are signing in: for a metric."""
        return self._waiting

    async def sign_in(self, name: str, password: str) -> SignedIn | TurnedAway:
        """Open a session for whoever knows the password.

        A wrong name and a wrong password give the same answer after the same work; failures
        are counted for names that nobody has, too.
        """
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._in_turn(
                    name, lambda turn: self._sign_in(name, password, turn)
                )
        except TimeoutError:
            return self._busy()

    async def _sign_in(self, name: str, password: str, turn: _Turn) -> SignedIn | TurnedAway:
        revoked = turn.revoked
        wrong = await self._prove(name, password)
        return wrong or await self._opened(name, turn, revoked)

    async def _opened(self, name: str, turn: _Turn, revoked: int) -> SignedIn | TurnedAway:
        """Open a session, unless its owner was disabled or moved since the proof began."""
        known = self._knows(name)
        if known is None or not known.enabled or turn.revoked != revoked:
            return WRONG_LOGIN
        signed_in = await self.sessions.open(name, known)
        if turn.revoked != revoked:
            self.sessions.drop(signed_in.session)
            return WRONG_LOGIN
        return signed_in

    async def _prove(self, name: str, password: str) -> TurnedAway | None:
        """Say why a name and a password do not prove anything; None: they do."""
        wait = self._failures.wait_seconds(_key(name))
        if wait > 0:
            return TurnedAway(
                ServerCode.TOO_MANY,
                f"{self._failures.most} sign-ins with this name failed;"
                f" wait {whole_seconds(wait)} seconds.",
                whole_seconds(wait),
            )
        kept = await self._kept(name)
        known = self._knows(name)
        if known is None or not known.enabled:
            kept = None
        if not await self._passwords.holds(kept, password):
            # What failed keeps counting after a success, or a guesser would gain new
            # attempts whenever the owner signs in.
            left = self._failures.failed(_key(name))
            self.failed_logins += 1
            return msgspec.structs.replace(WRONG_LOGIN, tries_left=left)
        if kept is not None and self._passwords.outdated(kept):
            await self._rehash(name, kept, password)
        return None

    async def _kept(self, name: str) -> str | None:
        if unwritable(name) is not None:
            name = ""  # nobody's, and it takes the same way
        query = "SELECT hash FROM password WHERE name = ?"
        row = await self._file.run(lambda file: file.execute(query, (name,)).fetchone())
        return None if row is None else row[0]

    async def _rehash(self, name: str, kept: str, password: str) -> None:
        """Hash a password at the costs of today, unless it was changed meanwhile."""
        row = (await self._passwords.hashed(password), name, kept)
        query = "UPDATE password SET hash = ? WHERE name = ? AND hash = ?"
        await self._file.run(lambda file: file.execute(query, row))

    def _busy(self) -> TurnedAway:
        why = f"Too many people, {self._waiting}, are signing in; try again in a few seconds."
        return TurnedAway(ServerCode.BUSY, why, BUSY_SECONDS)

    async def _in_turn(
        self, name: str, act: Callable[[_Turn], Awaitable[Result]]
    ) -> Result | TurnedAway:
        """Do something for a name when those before it are done."""
        key = _key(name)
        if self._waiting >= WAITING_MAX:
            return self._busy()
        turn = self._turns.setdefault(key, _Turn())
        turn.people += 1
        self._waiting += 1
        try:
            async with turn.lock:
                return await act(turn)
        finally:
            turn.people -= 1
            self._waiting -= 1
            if not turn.people:
                del self._turns[key]

    # Passwords

    async def change_password(
        self, session: Session, old: str, new: str
    ) -> SignedIn | TurnedAway:
        """Change one's own password, which needs the old one; one is signed in anew.

        All sessions are closed, this one too: somebody may have taken its token.
        """
        name = session.name

        async def change(turn: _Turn) -> SignedIn | TurnedAway:
            revoked = turn.revoked
            wrong = unsuitable(new, name) or await self._prove(name, old)
            if wrong is not None:
                return wrong
            made = {name: await self._passwords.hashed(new)}
            if not await _whole(self._write_passwords(made, lambda: turn.revoked == revoked)):
                return WRONG_LOGIN  # erased, disabled or set anew meanwhile
            return await self._opened(name, turn, turn.revoked)

        return await self._in_turn(name, change)

    async def set_passwords(self, passwords: Mapping[str, str]) -> TurnedAway | None:
        """Set passwords of the house's own making; whoever had one signs in anew."""
        for name, password in passwords.items():
            wrong = unsuitable(password, name)
            if wrong is not None:
                return wrong
        made = await asyncio.gather(
            *(self._passwords.hashed(password) for password in passwords.values())
        )
        await _whole(self._write_passwords(dict(zip(passwords, made, strict=True))))
        return None

    async def has_password(self, name: str) -> bool:
        """Tell whether somebody could sign in at all."""
        return await self._kept(name) is not None

    async def _write_passwords(
        self, hashes: Mapping[str, str], still: Callable[[], bool] = lambda: True
    ) -> bool:
        """Keep passwords if they still may be, and close the sessions of whoever has them."""
        if not still():
            return False
        for name in hashes:
            self._interrupt(name)

        def write(file: sqlite3.Connection) -> None:
            file.executemany(REPLACE_PASSWORD, list(hashes.items()))
            for name in hashes:
                file.execute("DELETE FROM session WHERE name = ?", (name,))
                delete_links(file, Purpose.PASSWORD, name)

        await self._file.run(write)
        for name in hashes:
            self.links.drop(Purpose.PASSWORD, name)
            self.revoke(name)
        return True

    async def reset_password(self, name: str) -> Issued | TurnedAway:
        """Return a link by which somebody sets a password once, within a day.

        Whoever may ask for it is an Administrator; the old password holds until then.
        """
        if self._knows(name) is None:
            return TurnedAway(ServerCode.UNKNOWN_USER, f"Nobody has the name {quoted(name)}.")
        return await self.links.issue(Purpose.PASSWORD, name)

    async def set_by_link(self, token: str, password: str) -> str | TurnedAway:
        """Set the password that a link is for; return whose it is."""
        link = self.links.find(token, Purpose.PASSWORD)
        if isinstance(link, TurnedAway):
            return link
        assert link.name is not None, "a link for nobody's password"
        wrong = unsuitable(password, link.name)
        if wrong is not None:
            return wrong
        name = link.name

        async def write() -> None:
            await self._write_passwords({name: await self._passwords.hashed(password)})

        await _whole(_using(link, write()))
        return name

    # The first administrator

    async def first_link(self, administrators: Iterable[str]) -> Issued | None:
        """Return a link for the first administrator; None: one can sign in already.

        Every start makes a new one as long as it is needed.
        """
        purpose = Purpose.FIRST_ADMINISTRATOR
        for name in administrators:
            if await self.has_password(name):
                await self._file.run(lambda file: delete_links(file, purpose, None))
                self.links.drop(purpose, None)
                return None
        return await self.links.issue(purpose, None)

    async def found(
        self,
        token: str,
        name: str,
        password: str,
        create: Callable[[str], Awaitable[Result | None]],
    ) -> Result | TurnedAway | None:
        """Make the first administrator by a link; None: it is done.

        ``create`` lets the accounts record user and position, and returns why they did not.
        The password is kept before: without an account it opens nothing, and a start after
        an interruption finds either no administrator, or one who can sign in.
        """
        link = self.links.find(token, Purpose.FIRST_ADMINISTRATOR)
        wrong = (
            link
            if isinstance(link, TurnedAway)
            else _unfit_name(name) or unsuitable(password, name)
        )
        if wrong is None and self._knows(name) is not None:
            wrong = TurnedAway(
                ServerCode.KNOWN_USER, "Somebody has, or had, this name; choose another one."
            )
        if wrong is not None:
            return wrong
        assert not isinstance(link, TurnedAway)
        return await _whole(_using(link, self._found(name, password, create)))

    async def _found(
        self, name: str, password: str, create: Callable[[str], Awaitable[Result | None]]
    ) -> Result | None:
        await self._write_passwords({name: await self._passwords.hashed(password)})
        refused = await create(name)
        if refused is not None:
            await self._file.run(
                lambda file: file.execute("DELETE FROM password WHERE name = ?", (name,))
            )
            return refused
        purpose = Purpose.FIRST_ADMINISTRATOR
        await self._file.run(lambda file: delete_links(file, purpose, None))
        self.links.drop(purpose, None)
        return None

    # What is known of a person

    async def describe(self, name: str, personal: Personal) -> TurnedAway | None:
        """Keep what is known of a person, instead of what was."""
        for what, text, most in (
            ("display name", personal.display, DISPLAY_MAX),
            ("note", personal.note, NOTE_MAX),
        ):
            if len(text) > most or WRITTEN(text) is None:
                return TurnedAway(
                    ServerCode.BAD_TEXT,
                    f"A {what} of {len(text)} characters came; it has at most {most},"
                    " none of them a control character.",
                )
        row = (name, personal.display, personal.note)
        query = "INSERT OR REPLACE INTO personal VALUES (?, ?, ?)"
        await self._file.run(lambda file: file.execute(query, row))
        return None

    async def described(self, name: str) -> Personal:
        """Return what is known of a person."""
        query = "SELECT display, note FROM personal WHERE name = ?"
        row = await self._file.run(lambda file: file.execute(query, (name,)).fetchone())
        return Personal() if row is None else Personal(*row)

    async def erase(self, name: str) -> None:
        """Erase all that proves or names a person; the journal keeps an opaque name."""

        def write(file: sqlite3.Connection) -> None:
            for table in ("password", "session", "personal", "link"):
                file.execute(f"DELETE FROM {table} WHERE name = ?", (name,))  # noqa: S608

        async def all_of_it() -> None:
            # Whoever read the password before is in a turn, and revoked; the file does one
            # thing after the other, so whoever reads it from here on finds none.
            self.revoke(name)
            await self._file.run(write)
            self.links.drop(Purpose.PASSWORD, name)
            await self._file.wipe()

        await _whole(all_of_it())


async def _whole(act: Coroutine[Any, Any, Result]) -> Result:
    """Do something to its end, even if whoever asked for it has gone."""
    return await asyncio.shield(asyncio.ensure_future(act))


def _using(link: Link, act: Coroutine[Any, Any, Result]) -> Coroutine[Any, Any, Result]:
    """Keep a link from being used a second time meanwhile; when it was used, it is gone."""
    link.used = True

    async def use() -> Result:
        try:
            return await act
        finally:
            link.used = False

    return use()


def _unfit_name(name: str) -> TurnedAway | None:
    reason = unwritable(name)
    if reason is None and len(name) > NAME_MAX:
        reason = f"A name of {len(name)} characters came; it has 1 to {NAME_MAX}."
    return None if reason is None else TurnedAway(ServerCode.BAD_TEXT, reason)


def _key(name: str) -> bytes:
    """Return a key for a name, which may be of any length."""
    return sha256(name.encode("utf-8", "surrogatepass")).digest()
