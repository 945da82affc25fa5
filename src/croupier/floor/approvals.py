"""Approvals: a second person approves exactly one command of one person at one place.

An approval is used once, with the identification of the command. Whoever got no answer sends
the command again under the same identification, and finds the same second person; under any
other the approval is used up, also after a restart: it is marked in the file before the command
is handed over. An approval that was not used ends with the session of whoever gave it.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING

from croupier.accounts.commands import UserKind
from croupier.floor.door import Issued, ServerCode, TurnedAway, unauthenticated
from croupier.floor.people_file import micros, moment_of
from croupier.floor.sessions import A_SECOND_US, TOKEN_BYTES, digest_of
from croupier.journal.codec import encode_canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from datetime import datetime

    import msgspec

    from croupier.floor.people_file import PeopleFile
    from croupier.floor.sessions import Session

APPROVAL_SECONDS = 120
"""Within which time an approval is used; the protocol says so."""
RETRY_SECONDS = 24 * 3600
"""For how long a used one is found again for the same identification."""
APPROVALS_MAX = 100
"""Approvals of one session that may wait to be used at a time."""
ABOUT = b"croupier-approval-1"


class _Approval:
    """An approval as memory knows it."""

    __slots__ = ("about", "approver", "durable", "ends", "key", "session")

    def __init__(self, about: bytes, approver: str, session: bytes, ends: float) -> None:
        self.about, self.approver, self.session, self.ends = about, approver, session, ends
        self.key: str | None = None
        """The identification of the command that it was used for."""
        self.durable = True
        """Whether the file knows that it was used."""


class Approvals:
    """Approvals that wait to be used, and those that were."""

    def __init__(
        self, file: PeopleFile, clock: Callable[[], datetime], monotonic: Callable[[], float]
    ) -> None:
        self._file, self._clock, self._monotonic = file, clock, monotonic
        self._known: dict[bytes, _Approval] = {}
        self._waiting: dict[bytes, dict[bytes, _Approval]] = {}
        """By session of whoever approved: what was not used yet, the oldest first."""
        self._gone: set[bytes] = set()
        """What is over here, and perhaps still in the file."""

    def __len__(self) -> int:
        return len(self._known)

    async def load(self, sessions: Container[bytes]) -> None:
        """Read what holds; what was not used holds while the session of its giver does."""
        rows = await self._file.run(
            lambda file: file.execute(
                "SELECT digest, about, approver, session, expires_us, key FROM approval"
                " ORDER BY expires_us"
            ).fetchall()
        )
        now_us = micros(self._clock())
        for digest, about, approver, session, expires_us, key in rows:
            most = APPROVAL_SECONDS if key is None else RETRY_SECONDS
            left = min((expires_us - now_us) / A_SECOND_US, most)
            if left <= 0 or (key is None and session not in sessions):
                self._gone.add(digest)
                continue
            approval = _Approval(about, approver, session, self._monotonic() + left)
            approval.key = key
            self._keep(digest, approval)
        await self.sweep()

    def _keep(self, digest: bytes, approval: _Approval) -> None:
        self._known[digest] = approval
        if approval.key is None:
            self._waiting.setdefault(approval.session, {})[digest] = approval

    # Approving

    async def issue(
        self, approver: Session, table: str, command: bytes, for_name: str
    ) -> Issued | TurnedAway:
        """Approve a command, given by its canonical bytes, of somebody at a table or the cage.

        Whether the position of whoever approves is high enough is for the table to decide.
        """
        if approver.name == for_name:
            return TurnedAway(
                ServerCode.SELF_APPROVAL,
                "Nobody approves a command of their own; somebody else must.",
            )
        if approver.kind is UserKind.PATRON:
            return TurnedAway(ServerCode.FORBIDDEN, "Patrons approve nothing; staff do.")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        digest, about = digest_of(token), about_of(table, command, for_name)
        expires_us = micros(self._clock()) + APPROVAL_SECONDS * A_SECOND_US
        row = (digest, about, approver.name, approver.digest, expires_us, None)
        await self._file.run(
            lambda file: file.execute("INSERT INTO approval VALUES (?, ?, ?, ?, ?, ?)", row)
        )
        if approver.ended is not None:
            self._gone.add(digest)  # signed out meanwhile
            return unauthenticated()
        ends = self._monotonic() + APPROVAL_SECONDS
        self._keep(digest, _Approval(about, approver.name, approver.digest, ends))
        mine = self._waiting[approver.digest]
        if len(mine) > APPROVALS_MAX:
            self._drop(next(iter(mine)))
        return Issued(token, moment_of(expires_us))

    def revoke(self, session: Session) -> None:
        """Take back what was approved in a session that is over, and not used.

        The file does so by itself when the session is removed from it.
        """
        for digest in self._waiting.pop(session.digest, {}):
            del self._known[digest]

    # Using

    async def redeem(
        self, token: str, table: str, command: bytes, for_name: str, key: str
    ) -> str | TurnedAway:
        """Use an approval for a command with its identification; return who approved it.

        That is durable before this returns. Whoever approved may have lost their position
        since; the accounts know.
        """
        digest = digest_of(token)
        approval = self._known.get(digest)
        if approval is None or self._monotonic() >= approval.ends:
            return _bad("is not known, was taken back, or is older than two minutes")
        if not secrets.compare_digest(approval.about, about_of(table, command, for_name)):
            return _bad("is for another command, table or person")
        if approval.key is None:
            self._use(digest, approval, key)
        elif approval.key != key:
            return _bad("was used already, under another identification")
        if not approval.durable:
            expires_us = micros(self._clock()) + RETRY_SECONDS * A_SECOND_US
            row = (key, expires_us, digest)
            await self._file.run(
                lambda file: file.execute(
                    "UPDATE approval SET key = ?, expires_us = ? WHERE digest = ?", row
                )
            )
            approval.durable = True
        return approval.approver

    def _use(self, digest: bytes, approval: _Approval, key: str) -> None:
        """Mark it at once: whoever comes while the file is written finds it used."""
        approval.key, approval.durable = key, False
        approval.ends = self._monotonic() + RETRY_SECONDS
        self._take_out(digest, approval)

    def _take_out(self, digest: bytes, approval: _Approval) -> None:
        mine = self._waiting[approval.session]
        del mine[digest]
        if not mine:
            del self._waiting[approval.session]

    def _drop(self, digest: bytes) -> None:
        approval = self._known.pop(digest)
        self._gone.add(digest)
        if approval.key is None:
            self._take_out(digest, approval)

    async def sweep(self) -> None:
        """Forget what is over, in memory and in the file."""
        now = self._monotonic()
        for digest in [one for one, known in self._known.items() if now >= known.ends]:
            self._drop(digest)
        gone = tuple(self._gone)
        if gone:
            rows = [(digest,) for digest in gone]
            query = "DELETE FROM approval WHERE digest = ?"
            await self._file.run(lambda file: file.executemany(query, rows))
            self._gone.difference_update(gone)


def approved_bytes(command: msgspec.Struct, cards: tuple[str, ...], die: int | None) -> bytes:
    """Return what a second person approves: a command with the faces that come with it."""
    said = encode_canonical(command)
    return said if not cards and die is None else said + encode_canonical((cards, die))


def about_of(table: str, command: bytes, for_name: str) -> bytes:
    """Return what an approval is bound to; the parts cannot pass for one another."""
    digest = sha256(ABOUT)
    names = (one.encode("utf-8", "surrogatepass") for one in (table, for_name))
    for part in (*names, command):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def _bad(why: str) -> TurnedAway:
    return TurnedAway(ServerCode.BAD_APPROVAL, f"The approval {why}; ask for a new one.")
