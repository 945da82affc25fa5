"""Random walks over sessions, tickets and approvals, compared with a plain model at each step.

Time passes, the clock on the wall is set, people sign in and out, somebody changes position,
the house closes and starts again or is killed: what the model says is good is good, and
nothing else is.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from croupier.accounts.commands import UserKind
from croupier.floor.door import Issued, ServerCode, TurnedAway
from croupier.floor.people_file import PEOPLE
from croupier.floor.sessions import SignedIn
from tests.floor.people import HOUR, PASSWORDS, Hands, known, open_people

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import datetime

    from croupier.floor.people import People
    from croupier.floor.sessions import Session

Result = TypeVar("Result")
MOST = 12 * HOUR
IDLE = {UserKind.PATRON: 2 * HOUR, UserKind.STAFF: 15 * 60}
NAMES = ("ann", "dan", "mia")
TABLES, COMMANDS, KEYS = ("1", "2"), (b"a", b"b"), ("k", "l", "m")
POSITIONS = ("Dealer", "Pit Manager")
TIMES = st.sampled_from(
    (1, 1, 5, 10, 29, 29, 30, 31, 119, 119, 120, 121, 600, 899, 900, 7199, 7200, 43_199)
)
NUMBERS = st.integers(0, 3)
MOSTLY = st.sampled_from((True, True, True, False))


class OneSession(msgspec.Struct, eq=False):
    """What the model knows of a session."""

    token: str
    name: str
    object: Any
    expires: datetime
    ends: float
    last: float
    saved: datetime
    over: bool = False

    def good(self, seconds: float) -> bool:
        idle = IDLE[known()[self.name].kind]
        return not self.over and seconds < self.ends and seconds - self.last < idle


class OneTicket(msgspec.Struct, eq=False):
    """What the model knows of a ticket."""

    token: str
    session: OneSession
    ends: float
    used: bool = False


class OneApproval(msgspec.Struct, eq=False):
    """What the model knows of an approval."""

    token: str
    session: OneSession
    about: tuple[str, bytes, str]
    expires: datetime
    ends: float
    key: str | None = None
    over: bool = False


def newest(known: list[Result], which: int) -> Result:
    """Return one of the newest: the older ones are mostly over."""
    return known[-1 - which % len(known)]


class Walk(RuleBasedStateMachine):
    """People, and what must be true of them."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp())
        self.lives = 0
        self.hands, self.users = Hands(), known()
        self.sessions: list[OneSession] = []
        self.tickets: list[OneTicket] = []
        self.approvals: list[OneApproval] = []
        self.failed: dict[str, list[float]] = {}
        self.seen: set[str] = set()
        """What this walk came by."""
        self.people: People = self.do(open_people(self.folder, self.hands, self.users))
        assert self.do(self.people.set_passwords(PASSWORDS)) is None

    def do(self, act: Coroutine[Any, Any, Result]) -> Result:
        return self.runner.run(act)

    def teardown(self) -> None:
        self.do(self.people.close())
        self.runner.close()
        shutil.rmtree(self.folder)

    # Signing in and out

    @rule(name=st.sampled_from((*NAMES, "nobody")), right=MOSTLY)
    def sign_in(self, name: str, *, right: bool) -> None:
        failed = self.failed.setdefault(name, [])
        recent = [one for one in failed if one > self.hands.seconds - 900]
        password = PASSWORDS.get(name, "x") if right else "wrong"
        answer = self.do(self.people.sign_in(name, password))
        if len(recent) >= 5:
            assert isinstance(answer, TurnedAway)
            assert answer.code is ServerCode.TOO_MANY
            assert answer.retry_seconds == recent[-5] + 900 - self.hands.seconds
        elif not right or name == "nobody":
            assert isinstance(answer, TurnedAway)
            assert answer.code is ServerCode.WRONG_LOGIN
            failed.append(self.hands.seconds)
        else:
            assert isinstance(answer, SignedIn)
            now, wall = self.hands.seconds, self.hands.wall
            assert answer.expires == wall + timedelta(seconds=MOST)
            self.sessions.append(
                OneSession(
                    answer.token, name, answer.session, answer.expires, now + MOST, now, wall
                )
            )

    def session_of(self, name: str) -> OneSession | None:
        """Return a session of somebody, who signs in if they may and there is none."""
        now = self.hands.seconds
        good = [one for one in self.sessions if one.name == name and one.good(now)]
        if not good:
            self.sign_in(name=name, right=True)
            good = [one for one in self.sessions if one.name == name and one.good(now)]
        return good[-1] if good else None

    @precondition(lambda self: self.sessions)
    @rule(which=NUMBERS)
    def use(self, which: int) -> None:
        session = newest(self.sessions, which)
        found = self.people.sessions.find(session.token)
        self.found(session, found)

    def found(self, session: OneSession, found: Session | None) -> None:
        self.seen.add("session" if session.good(self.hands.seconds) else "no session")
        if session.good(self.hands.seconds):
            assert found is not None
            assert found is session.object
            assert (found.name, found.ended) == (session.name, None)
            session.last = self.hands.seconds
        else:
            assert found is None
            session.over = True

    @precondition(lambda self: self.sessions)
    @rule(which=NUMBERS)
    def sign_out(self, which: int) -> None:
        session = newest(self.sessions, which)
        if session.good(self.hands.seconds):
            self.do(self.people.sessions.close(session.object))
        session.over = True

    @rule(name=st.sampled_from(NAMES))
    def close_all(self, name: str) -> None:
        self.do(self.people.close_all(name))
        for session in self.sessions:
            session.over |= session.name == name

    # Tickets

    @rule(name=st.sampled_from(NAMES))
    def issue_ticket(self, name: str) -> None:
        session = self.session_of(name)
        if session is None:
            return
        ticket = self.people.tickets.issue(session.object)
        self.tickets.append(OneTicket(ticket.token, session, self.hands.seconds + 30))

    @rule(which=NUMBERS, name=st.sampled_from(NAMES))
    def redeem_ticket(self, which: int, name: str) -> None:
        if which == 0:
            self.issue_ticket(name=name)
        if not self.tickets:
            return
        ticket = newest(self.tickets, which)
        self.people.sessions.sweep()
        good = not ticket.used and self.hands.seconds < ticket.ends
        good &= ticket.session.good(self.hands.seconds)
        found = self.people.tickets.redeem(ticket.token)
        self.seen.add("good ticket" if good else "used ticket" if ticket.used else "bad ticket")
        assert found is (ticket.session.object if good else None)
        ticket.used = True

    # Approvals

    @rule(
        by=st.sampled_from(("mia", "mia", *NAMES)),
        table=st.sampled_from(TABLES),
        command=st.sampled_from(COMMANDS),
        name=st.sampled_from(("dan", "dan", *NAMES)),
    )
    def approve(self, by: str, table: str, command: bytes, name: str) -> None:
        session = self.session_of(by)
        if session is None:
            return
        answer = self.do(self.people.approvals.issue(session.object, table, command, name))
        if session.name in {name, "ann"}:
            assert isinstance(answer, TurnedAway)
            own = name == session.name
            assert answer.code is (ServerCode.SELF_APPROVAL if own else ServerCode.FORBIDDEN)
        else:
            assert isinstance(answer, Issued)
            about, ends = (table, command, name), self.hands.seconds + 120
            self.approvals.append(
                OneApproval(answer.token, session, about, answer.expires, ends)
            )

    @rule(
        which=NUMBERS,
        table=st.sampled_from((None, None, None, *TABLES)),
        command=st.sampled_from((None, None, None, *COMMANDS)),
        name=st.sampled_from((None, None, None, *NAMES)),
        key=st.sampled_from(KEYS),
    )
    def redeem(
        self, which: int, table: str | None, command: bytes | None, name: str | None, key: str
    ) -> None:
        """Use an approval for what it is about, where nothing else was drawn."""
        if which == 0:
            self.approve(by="mia", table="1", command=b"a", name="dan")
        if not self.approvals:
            return
        approval = newest(self.approvals, which)
        self.people.sessions.sweep()
        right = approval.about
        about = (table or right[0], command or right[1], name or right[2])
        approval.over |= self.hands.seconds >= approval.ends
        good = about == right and not approval.over
        if approval.key is None:
            good &= approval.session.good(self.hands.seconds)
        else:
            good &= approval.key == key
        answer = self.do(self.people.approvals.redeem(approval.token, *about, key))
        self.seen.add(self.kind_of(approval, about, key))
        if good:
            assert answer == approval.session.name
            if approval.key is None:
                approval.key, approval.ends = key, self.hands.seconds + 24 * HOUR
                approval.expires = self.hands.wall + timedelta(hours=24)
        else:
            assert isinstance(answer, TurnedAway)
            assert answer.code is ServerCode.BAD_APPROVAL

    def kind_of(self, approval: OneApproval, about: tuple[str, bytes, str], key: str) -> str:
        if about != approval.about:
            return "other command"
        if approval.over:
            return "late approval"
        if approval.key is not None:
            return "used again" if approval.key == key else "used otherwise"
        return "used" if approval.session.good(self.hands.seconds) else "revoked approval"

    # Time, and starts

    @rule(seconds=TIMES)
    def pass_by(self, seconds: int) -> None:
        self.hands.pass_by(seconds)

    @rule(hours=st.integers(-48, 48))
    def set_the_wall(self, hours: int) -> None:
        self.hands.jump(hours * HOUR)

    @rule()
    def sweep(self) -> None:
        self.people.sessions.sweep()
        self.save()

    def save(self) -> None:
        self.do(self.people.sessions.save())
        for session in self.sessions:
            ago = timedelta(seconds=self.hands.seconds - session.last)
            session.saved = self.hands.wall - ago
            left = timedelta(seconds=session.ends - self.hands.seconds)
            session.expires = self.hands.wall + left

    @precondition(lambda self: self.sessions)
    @rule(name=st.sampled_from(("dan", "mia")), which=st.sampled_from(POSITIONS))
    def restart_with_somebody_moved(self, name: str, which: str) -> None:
        moved = self.users[name].position != which
        self.users[name] = msgspec.structs.replace(self.users[name], position=which)
        for session in self.sessions:
            session.over |= moved and session.name == name
        self.restart(away_seconds=0)

    @precondition(lambda self: self.sessions)
    @rule(away_seconds=TIMES)
    def restart(self, away_seconds: int) -> None:
        self.save()
        self.do(self.people.close())
        self.start(away_seconds)

    @precondition(lambda self: self.sessions)
    @rule(away_seconds=TIMES)
    def kill(self, away_seconds: int) -> None:
        """Start from what the file has at this moment, in another folder."""
        self.lives += 1
        folder = self.folder / str(self.lives)
        folder.mkdir()
        old = self.people
        path = self.path
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", folder / f"{PEOPLE}{end}")
        self.do(old.close())
        self.start(away_seconds)

    @property
    def path(self) -> Path:
        """Return the file of this life's people, before the next begins."""
        before = self.folder / str(self.lives - 1) if self.lives > 1 else self.folder
        return before / PEOPLE

    def start(self, away_seconds: int) -> None:
        self.hands.pass_by(away_seconds)
        folder = self.folder / str(self.lives) if self.lives else self.folder
        self.people = self.do(open_people(folder, self.hands, self.users))
        now, wall = self.hands.seconds, self.hands.wall
        self.tickets.clear()
        self.failed.clear()
        for session in self.sessions:
            session.saved = min(session.saved, wall)
            session.expires = min(session.expires, wall + timedelta(seconds=MOST))
            session.last = now - (wall - session.saved).total_seconds()
            session.ends = now + (session.expires - wall).total_seconds()
            session.object = self.people.sessions.find(session.token) or session.object
            self.found(session, self.people.sessions.find(session.token))
        for approval in self.approvals:
            most = 120 if approval.key is None else 24 * HOUR
            left = (approval.expires - wall).total_seconds()
            approval.ends = now + min(left, most)

    # What is always so

    @invariant()
    def nobody_is_listed_who_is_not_good(self) -> None:
        self.people.sessions.sweep()
        self.do(self.people.sessions.forget())
        good = [one for one in self.sessions if one.good(self.hands.seconds)]
        for session in self.sessions:
            session.over = session not in good  # for ever
        self.do(self.people.approvals.sweep())
        for approval in self.approvals:
            approval.over |= self.hands.seconds >= approval.ends
        assert len(self.people.sessions) == len(good)
        for name in NAMES:
            listed = {one.number for one in self.people.sessions.listed(name)}
            assert listed == {one.object.number for one in good if one.name == name}


@pytest.mark.parametrize("seed", range(3))
def test_long_walks_come_by_everything(seed: int) -> None:
    chance, walk = Random(seed), Walk()
    which, name = partial(chance.randrange, 4), partial(chance.choice, NAMES)
    times = partial(chance.choice, (1, 1, 10, 29, 30, 119, 120, 600, 900, 7200))

    def redeem() -> None:
        right = chance.random() < 0.7
        about = (None, None, None) if right else (chance.choice(TABLES), None, name())
        walk.redeem(which(), *about, chance.choice(KEYS))

    steps: dict[Callable[[], None], int] = {
        lambda: walk.sign_in(chance.choice((name(), "nobody")), right=chance.random() < 0.8): 4,
        lambda: walk.use(which()): 4,
        lambda: walk.sign_out(which()): 4,
        lambda: walk.close_all(name()): 3,
        lambda: walk.issue_ticket(name()): 4,
        lambda: walk.redeem_ticket(which(), name()): 4,
        lambda: walk.approve(name(), chance.choice(TABLES), b"a", name()): 4,
        redeem: 10,
        lambda: walk.pass_by(times()): 3,
        lambda: walk.set_the_wall(chance.randint(-20, 20)): 1,
        walk.sweep: 1,
        lambda: walk.restart(times()): 1,
        lambda: walk.kill(times()): 1,
        lambda: walk.restart_with_somebody_moved("dan", chance.choice(POSITIONS)): 1,
    }
    try:
        walk.sign_in("mia", right=True)
        for _ in range(600):
            chance.choices(list(steps), list(steps.values()))[0]()
            walk.nobody_is_listed_who_is_not_good()
    finally:
        walk.teardown()
    assert walk.seen == {
        "session", "no session", "good ticket", "used ticket", "bad ticket",
        "used", "used again", "used otherwise", "late approval", "revoked approval",
        "other command",
    }  # fmt: skip


WalkTest = Walk.TestCase
WalkTest.settings = settings(max_examples=15, stateful_step_count=40)
