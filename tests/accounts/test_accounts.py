"""The accounts: who may do what, every refusal, random walks, and no secret anywhere."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.accounts import commands as c
from croupier.accounts import events as e
from croupier.accounts.authority import FOUNDER, WHO
from croupier.accounts.commands import Access, DeviceKind, UserKind
from croupier.accounts.decide import (
    ACTING_MAX,
    HANDLERS,
    OWN_EXCLUSION_MIN,
    RAISE_DELAY,
    decide,
)
from croupier.accounts.events import OwnLimit
from croupier.accounts.refusals import AccountsCode, AccountsRefusal
from croupier.accounts.state import EVOLVE, Accounts, evolve
from croupier.floor.desk import Request
from croupier.journal.accounts_stream import AccountsStream
from croupier.journal.codec import COMMANDS, EVENTS
from croupier.journal.memory import MemoryStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table.roles import (
    Acting,
    Actor,
    HousePosition,
    HouseStaff,
    Patron,
    Staff,
    StaffPosition,
)
from tests.cage.people import EVERYBODY, NOW
from tests.floor.rounds import looped
from tests.wording import is_one_sentence

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ADA = HouseStaff("Ada", HousePosition.ADMINISTRATOR)
MIA = Staff("Mia", StaffPosition.PIT_MANAGER)


def done(
    accounts: Accounts, command: c.AccountsCommand, actor: Actor = FOUNDER, at: datetime = NOW
) -> Accounts:
    """Return the accounts after a command that must be accepted."""
    answer = decide(accounts, c.Envelope(command, actor, at))
    assert isinstance(answer, tuple), answer
    for event in answer:
        accounts = evolve(accounts, event)
    return accounts


def code(
    accounts: Accounts, command: c.AccountsCommand, actor: Actor = FOUNDER, at: datetime = NOW
) -> AccountsCode | None:
    """Return as what a command is refused; None: it is not."""
    answer = decide(accounts, c.Envelope(command, actor, at))
    if not isinstance(answer, AccountsRefusal):
        return None
    assert is_one_sentence(answer.sentence), answer.sentence
    return answer.code


def staffed(accounts: Accounts, somebody: Actor) -> Accounts:
    """Return accounts that know somebody in their position."""
    if isinstance(somebody, Patron):
        return done(accounts, c.AddUser(somebody.name, UserKind.PATRON))
    if not isinstance(somebody, Staff | HouseStaff):
        return accounts
    kinds = {"Auditor": UserKind.AUDITOR, "Administrator": UserKind.ADMIN}
    kind = kinds.get(somebody.position.value, UserKind.STAFF)
    accounts = done(accounts, c.AddUser(somebody.name, kind))
    accounts = done(accounts, c.GivePosition(somebody.name, somebody.position.value))
    acting = somebody.acting
    if acting is not None and acting.until > NOW:
        act = c.LetAct(somebody.name, acting.position.value, acting.since, acting.until)
        accounts = done(accounts, act, ADA)
    return accounts


def everybody() -> Accounts:
    """Return accounts of everybody there is, and of somebody to whom things are done."""
    accounts = staffed(Accounts(), ADA)
    for somebody in (MIA, *EVERYBODY.values()):
        accounts = staffed(accounts, somebody)
    for user, kind in (("new", UserKind.STAFF), ("off", UserKind.STAFF)):
        accounts = done(accounts, c.AddUser(user, kind))
    accounts = done(accounts, c.GivePosition("new", "Dealer"))
    accounts = done(accounts, c.DisableUser("off", "gone"))
    accounts = done(accounts, c.RegisterDevice("t-1", DeviceKind.TERMINAL, "1"))
    accounts = done(accounts, c.RegisterDevice("t-0", DeviceKind.TERMINAL))
    accounts = done(accounts, c.RetireDevice("t-0", "broken"))
    accounts = done(accounts, c.AddUser("out", UserKind.PATRON))
    return done(accounts, c.ExcludePatron("out", None, "so"), MIA)


# Rights

FOUNDS = {"house system"}
ADMINISTERS = {"Administrator"} | FOUNDS
TECHNICIANS = {"Technician", "acting Cashier", "acted as Cashier"} | ADMINISTERS
CASHIERS = {"Cashier", "Cage Supervisor", "acting Cashier"}
PIT_MANAGERS = {"Pit Manager", "Assistant Casino Manager", "Gaming Shift Manager"}
MAY: dict[c.AccountsCommand, set[str]] = {
    c.AddUser("x", UserKind.STAFF): ADMINISTERS,
    c.AddUser("x", UserKind.AUDITOR): ADMINISTERS,
    c.AddUser("x", UserKind.PATRON): ADMINISTERS | CASHIERS,
    c.DisableUser("new", "so"): ADMINISTERS,
    c.EnableUser("off", "so"): ADMINISTERS,
    c.GivePosition("new", "Pit Manager"): ADMINISTERS,
    c.WithdrawPosition("new", "so"): ADMINISTERS,
    c.LetAct("new", "Pit Supervisor", NOW, NOW + HOUR): PIT_MANAGERS | {"Administrator"},
    c.LetAct("new", "Pit Manager", NOW, NOW + HOUR): {
        "Assistant Casino Manager", "Gaming Shift Manager", "Administrator"},
    c.LetAct("new", "Gaming Shift Manager", NOW, NOW + HOUR): {"Administrator"},
    c.LetAct("h-TECHNICIAN", "Cashier", NOW, NOW + HOUR): {"Cage Supervisor", "Administrator"},
    c.EndActing("acts"): {"Cage Supervisor", "Administrator"},
    c.RegisterDevice("d", DeviceKind.SHOE, "1"): TECHNICIANS,
    c.MoveDevice("t-1", "2"): TECHNICIANS,
    c.RetireDevice("t-1", "so"): TECHNICIANS,
    c.NoteAccess(Access.PASSWORD_LINK, "new"): {"Administrator"},
    c.NoteAccess(Access.DEVICE_TOKEN, device="t-1"): TECHNICIANS - FOUNDS,
    c.ExcludePatron("ann", None, "so"): PIT_MANAGERS | {"own patron"},
    c.LiftExclusion("out", "so"): PIT_MANAGERS,
    c.SetStakeLimit("ann", 5): {"own patron"},
    c.SetLossLimit("ann", 5): {"own patron"},
    c.SetTimeLimit("ann", 5): {"own patron"},
}  # fmt: skip
"""Written by hand: who may."""


def test_every_command_and_event_is_handled() -> None:
    kinds = set(c.COMMANDS)
    assert {type(command) for command in MAY} == kinds == set(WHO) == set(HANDLERS)
    assert set(EVOLVE) == set(e.EVENTS)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("command", MAY, ids=repr)
def test_rights_of_every_command_and_position(command: c.AccountsCommand, who: str) -> None:
    refused = code(everybody(), command, EVERYBODY[who])
    assert (refused is None) is (who in MAY[command]), refused
    if refused is not None:
        order = list(AccountsCode)
        assert order.index(refused) <= order.index(AccountsCode.OWN_ACCOUNT)


def test_nobody_asks_in_a_position_that_the_accounts_do_not_know() -> None:
    accounts = everybody()
    register = c.RegisterDevice("d", DeviceKind.SHOE)
    for liar in (
        HouseStaff("nobody", HousePosition.ADMINISTRATOR),
        HouseStaff("new", HousePosition.ADMINISTRATOR),
        HouseStaff("off", HousePosition.TECHNICIAN),
        HouseStaff("ann", HousePosition.TECHNICIAN),
    ):
        assert code(accounts, register, liar) is AccountsCode.NOT_IN_POSITION
    ada = done(accounts, c.GivePosition("new", "Pit Manager"), ADA)
    new = Staff("new", StaffPosition.PIT_MANAGER)
    out = c.LiftExclusion("out", "so")
    assert code(ada, out, new) is None
    gone = done(ada, c.DisableUser("new", "left"), ADA)
    assert code(gone, out, new) is AccountsCode.NOT_IN_POSITION
    # Who acted yesterday acts no more.
    acting = Acting(StaffPosition.PIT_MANAGER, NOW, NOW + HOUR)
    accounts = done(accounts, c.LetAct("new", "Pit Manager", NOW, NOW + HOUR), ADA)
    dealer = Staff("new", StaffPosition.DEALER, acting)
    assert code(accounts, out, dealer) is None
    assert code(accounts, out, dealer, NOW + 2 * HOUR) is AccountsCode.NEEDS_PIT_MANAGER
    assert code(accounts, out, Staff("new", StaffPosition.DEALER)) is (
        AccountsCode.NOT_IN_POSITION
    )


POSITIONS_ACTED = (*StaffPosition, HousePosition.CASHIER, HousePosition.CAGE_SUPERVISOR)


def above(actor: Actor, position: StaffPosition | HousePosition) -> bool:
    """Tell who stands above whom, written anew."""
    ladder: list[set[object]] = [
        {StaffPosition.DEALER}, {StaffPosition.PIT_SUPERVISOR}, {StaffPosition.PIT_MANAGER},
        {StaffPosition.ASSISTANT_CASINO_MANAGER, StaffPosition.GAMING_SHIFT_MANAGER},
    ]  # fmt: skip
    if isinstance(actor, HouseStaff):
        pair = (actor.position, position)
        return pair == (HousePosition.CAGE_SUPERVISOR, HousePosition.CASHIER)
    if not isinstance(actor, Staff) or not isinstance(position, StaffPosition):
        return False
    (high,) = (n for n, one in enumerate(ladder) if actor.position in one)
    (low,) = (n for n, one in enumerate(ladder) if position in one)
    return high > low


@pytest.mark.parametrize("over", [False, True], ids=["stands", "is over"])
@pytest.mark.parametrize("stands", POSITIONS_ACTED, ids=lambda one: one.name)
def test_nobody_replaces_or_ends_an_acting_position_that_is_not_below(
    stands: StaffPosition | HousePosition, *, over: bool
) -> None:
    accounts = everybody()
    held = "Technician"
    if isinstance(stands, StaffPosition):
        held = "Dealer" if stands is not StaffPosition.DEALER else "Pit Supervisor"
    accounts = done(accounts, c.AddUser("cai", UserKind.STAFF, held))
    accounts = done(accounts, c.LetAct("cai", stands.value, NOW, NOW + HOUR), ADA)
    at = NOW + 2 * HOUR if over else NOW
    tried = 0
    for who, somebody in EVERYBODY.items():
        if "acting" in who and over:
            continue
        ends = code(accounts, c.EndActing("cai"), somebody, at) is None
        assert ends is (above(somebody, stands) or who == "Administrator"), who
        for wanted in POSITIONS_ACTED:
            if type(wanted) is not type(stands) or wanted.value == held:
                continue
            act = c.LetAct("cai", wanted.value, at, at + HOUR)
            may = above(somebody, wanted) and (over or above(somebody, stands))
            answer = code(accounts, act, somebody, at)
            assert (answer is None) is (may or who == "Administrator"), (who, wanted, answer)
            tried += 1
    assert tried > 15


@pytest.mark.parametrize("command", [one for one, may in MAY.items() if "own patron" in may])
def test_a_disabled_patron_changes_nothing(command: c.AccountsCommand) -> None:
    ann = Patron("ann")
    gone = done(everybody(), c.DisableUser("ann", "barred"), ADA)
    assert code(gone, command, ann) is AccountsCode.NOT_IN_POSITION
    assert code(done(gone, c.EnableUser("ann", "back"), ADA), command, ann) is None


@pytest.mark.parametrize("position", [*StaffPosition, *HousePosition])
def test_a_user_may_come_with_a_position(position: StaffPosition | HousePosition) -> None:
    kinds = {"Auditor": UserKind.AUDITOR, "Administrator": UserKind.ADMIN}
    assert not Accounts().staffed
    for kind in UserKind:
        add = c.AddUser("eva", kind, position.value)
        if kind is not kinds.get(position.value, UserKind.STAFF):
            assert code(Accounts(), add) is AccountsCode.WRONG_KIND
            continue
        accounts = done(Accounts(), add)
        assert accounts.staffed
        actor = accounts.actor("eva", NOW)
        assert isinstance(actor, Staff | HouseStaff)
        assert actor.position is position


# Refusals

LONG = "x" * 65
REFUSED: list[tuple[AccountsCode, c.AccountsCommand, Actor]] = [
    (AccountsCode.OWN_ACCOUNT, c.GivePosition("Ada", "Auditor"), ADA),
    (AccountsCode.OWN_ACCOUNT, c.DisableUser("Ada", "so"), ADA),
    (AccountsCode.OWN_ACCOUNT, c.LetAct("Mia", "Dealer", NOW, NOW + HOUR), MIA),
    (AccountsCode.BAD_NAME, c.AddUser("", UserKind.STAFF), ADA),
    (AccountsCode.BAD_NAME, c.AddUser(LONG, UserKind.STAFF), ADA),
    (AccountsCode.BAD_NAME, c.AddUser("a\nb", UserKind.STAFF), ADA),
    (AccountsCode.BAD_NAME, c.RegisterDevice("d", DeviceKind.SHOE, LONG), ADA),
    (AccountsCode.REASON_NEEDED, c.DisableUser("new", ""), ADA),
    (AccountsCode.REASON_NEEDED, c.RetireDevice("t-1", "x" * 501), ADA),
    (AccountsCode.UNKNOWN_POSITION, c.GivePosition("new", "Croupier"), ADA),
    (AccountsCode.UNKNOWN_POSITION, c.LetAct("new", "", NOW, NOW + HOUR), ADA),
    (AccountsCode.UNKNOWN_POSITION, c.AddUser("x", UserKind.STAFF, "Croupier"), ADA),
    (AccountsCode.WRONG_KIND, c.AddUser("x", UserKind.STAFF, "Auditor"), ADA),
    (AccountsCode.WRONG_KIND, c.AddUser("x", UserKind.PATRON, "Dealer"), ADA),
    (AccountsCode.BAD_PERIOD, c.LetAct("new", "Pit Manager", NOW, NOW), ADA),
    (AccountsCode.BAD_PERIOD, c.LetAct("new", "Pit Manager", NOW - DAY, NOW - HOUR), ADA),
    (AccountsCode.BAD_PERIOD,
     c.LetAct("new", "Pit Manager", NOW, NOW + ACTING_MAX + HOUR), ADA),
    (AccountsCode.BAD_PERIOD,
     c.LetAct("new", "Pit Manager", NOW.replace(tzinfo=None), NOW + HOUR), ADA),
    (AccountsCode.BAD_PERIOD, c.ExcludePatron("ann", NOW), Patron("ann")),
    (AccountsCode.BAD_PERIOD, c.ExcludePatron("ann", (NOW + DAY).replace(tzinfo=None)), MIA),
    (AccountsCode.BAD_AMOUNT, c.SetStakeLimit("ann", 0), Patron("ann")),
    (AccountsCode.BAD_AMOUNT, c.SetLossLimit("ann", 10**12 + 1), Patron("ann")),
    (AccountsCode.BAD_AMOUNT, c.SetTimeLimit("ann", 24 * 60 + 1), Patron("ann")),
    (AccountsCode.KNOWN_USER, c.AddUser("ann", UserKind.STAFF), ADA),
    (AccountsCode.UNKNOWN_USER, c.GivePosition("who", "Dealer"), ADA),
    (AccountsCode.UNKNOWN_USER, c.SetStakeLimit("who", 5), Patron("who")),
    (AccountsCode.UNKNOWN_USER, c.ExcludePatron("who"), MIA),
    (AccountsCode.UNKNOWN_USER, c.NoteAccess(Access.PASSWORD_LINK, "who"), ADA),
    (AccountsCode.DEVICE_RETIRED, c.NoteAccess(Access.DEVICE_TOKEN, device="t-0"), ADA),
    (AccountsCode.WRONG_KIND, c.GivePosition("ann", "Dealer"), ADA),
    (AccountsCode.WRONG_KIND, c.GivePosition("new", "Administrator"), ADA),
    (AccountsCode.WRONG_KIND, c.LetAct("new", "Auditor", NOW, NOW + HOUR), ADA),
    (AccountsCode.WRONG_KIND, c.ExcludePatron("new"), MIA),
    (AccountsCode.NO_CHANGE, c.GivePosition("new", "Dealer"), ADA),
    (AccountsCode.NO_CHANGE, c.LetAct("new", "Dealer", NOW, NOW + HOUR), ADA),
    (AccountsCode.NO_CHANGE, c.EndActing("new"), ADA),
    (AccountsCode.NO_CHANGE, c.EnableUser("new", "so"), ADA),
    (AccountsCode.NO_CHANGE, c.DisableUser("off", "so"), ADA),
    (AccountsCode.NO_CHANGE, c.WithdrawPosition("off", "so"), ADA),
    (AccountsCode.NO_CHANGE, c.MoveDevice("t-1", "1"), ADA),
    (AccountsCode.NO_POSITION, c.LetAct("off", "Dealer", NOW, NOW + HOUR), ADA),
    (AccountsCode.NO_POSITION, c.LetAct("new", "Cashier", NOW, NOW + HOUR), ADA),
    (AccountsCode.KNOWN_DEVICE, c.RegisterDevice("t-0", DeviceKind.SHOE), ADA),
    (AccountsCode.UNKNOWN_DEVICE, c.MoveDevice("t-9", "1"), ADA),
    (AccountsCode.DEVICE_RETIRED, c.MoveDevice("t-0", "1"), ADA),
    (AccountsCode.DEVICE_RETIRED, c.RetireDevice("t-0", "so"), ADA),
    (AccountsCode.NOT_EXCLUDED, c.LiftExclusion("ann", "so"), MIA),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "command", "actor"), REFUSED, ids=repr)
def test_refusals(wanted: AccountsCode, command: c.AccountsCommand, actor: Actor) -> None:
    assert code(everybody(), command, actor) is wanted


def test_the_last_administrator_stays() -> None:
    accounts = staffed(Accounts(), ADA)
    for command in (c.DisableUser("Ada", "so"), c.WithdrawPosition("Ada", "so")):
        assert code(accounts, command) is AccountsCode.LAST_ADMINISTRATOR
        assert code(everybody(), command) is None


def test_every_refusal_has_its_case() -> None:
    rights = set(list(AccountsCode)[: list(AccountsCode).index(AccountsCode.OWN_ACCOUNT)])
    elsewhere = {AccountsCode.LAST_ADMINISTRATOR, AccountsCode.EXCLUSION_STANDS}
    assert {one[0] for one in REFUSED} | elsewhere | rights == set(AccountsCode)


# Exclusions and limits


def test_a_patron_cannot_shorten_an_exclusion_of_their_own() -> None:
    ann = Patron("ann")
    accounts = done(everybody(), c.ExcludePatron("ann", NOW + 7 * DAY), ann)
    shorter = c.ExcludePatron("ann", NOW + 6 * DAY)
    assert code(accounts, shorter, ann) is AccountsCode.EXCLUSION_STANDS
    assert code(accounts, c.LiftExclusion("ann", "so"), MIA) is AccountsCode.EXCLUSION_STANDS
    # Neither by a shorter one of the house, which ends first.
    accounts = done(accounts, c.ExcludePatron("ann", NOW + DAY, "so"), MIA)
    accounts = done(accounts, c.LiftExclusion("ann", "so"), MIA)
    assert accounts.excluded("ann", NOW + 6 * DAY) is not None
    assert accounts.excluded("ann", NOW + 7 * DAY) is None
    longer = done(accounts, c.ExcludePatron("ann"), ann)
    assert longer.excluded("ann", NOW + 10_000 * DAY) is not None
    lift = c.LiftExclusion("ann", "asked for it")
    early, late = NOW + OWN_EXCLUSION_MIN - HOUR, NOW + OWN_EXCLUSION_MIN
    assert code(longer, lift, MIA, early) is AccountsCode.EXCLUSION_STANDS
    assert done(longer, lift, MIA, late).excluded("ann", late) is None


def plays_from(accounts: Accounts, now: datetime, asked: list[datetime]) -> datetime:
    """Return when ann plays again at the earliest, with a Pit Manager who lifts what they may.

    Nothing changes but at a moment that was asked for, or some days after a command.
    """
    lift = c.LiftExclusion("ann", "asked for it")
    return next(
        at
        for at in sorted({now, *(one for one in asked if one >= now)})
        if accounts.excluded("ann", at) is None or code(accounts, lift, MIA, at) is None
    )


@given(st.lists(st.tuples(
    st.sampled_from((0, 1, 30, 100, 179, 200)),
    st.sampled_from((None, 1, 90, 180, 365, 2000)),
), max_size=8))  # fmt: skip
@example([(0, 2000), (1, None)])
@example([(0, 2000), (1, None), (1, None)])
def test_nothing_that_a_patron_asks_for_brings_play_nearer(
    steps: list[tuple[int, int | None]],
) -> None:
    accounts, now, ann, asked = everybody(), NOW, Patron("ann"), []
    for wait, days in steps:
        now += wait * DAY
        until = None if days is None else now + days * DAY
        asked += [now + OWN_EXCLUSION_MIN, until or now]
        first = plays_from(accounts, now, asked)
        exclude = c.ExcludePatron("ann", until)
        if code(accounts, exclude, ann, now) is None:
            accounts = done(accounts, exclude, ann, now)
        assert plays_from(accounts, now, asked) >= first


def test_limits_are_lowered_at_once_and_raised_after_a_delay() -> None:
    ann, accounts = Patron("ann"), everybody()

    def limit(at: datetime) -> int | None:
        return accounts.limit("ann", OwnLimit.STAKE, at)

    assert limit(NOW) is None
    accounts = done(accounts, c.SetStakeLimit("ann", 100), ann)
    assert limit(NOW) == 100
    accounts = done(accounts, c.SetStakeLimit("ann", 200), ann, NOW + HOUR)
    assert [limit(NOW + HOUR), limit(NOW + RAISE_DELAY), limit(NOW + HOUR + RAISE_DELAY)] == [
        100, 100, 200,
    ]  # fmt: skip
    # Another raise begins to wait anew, and brings the first one no earlier.
    accounts = done(accounts, c.SetStakeLimit("ann"), ann, NOW + 2 * HOUR)
    assert limit(NOW + HOUR + RAISE_DELAY) == 100
    assert limit(NOW + 2 * HOUR + RAISE_DELAY) is None
    accounts = done(accounts, c.SetStakeLimit("ann", 50), ann, NOW + 3 * HOUR)
    assert [limit(NOW + 3 * HOUR), limit(NOW + 99 * DAY)] == [50, 50]
    assert accounts.limit("ann", OwnLimit.LOSS, NOW) is None


# Random walks, and the journal

NAMES = ("Ada", "ben", "cat", "dan", "pat")


class Walk:
    """Asks for anything, and keeps apart who may what by all that happened."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.accounts = Accounts()
        for somebody in (ADA, MIA, Patron("pat")):
            self.accounts = staffed(self.accounts, somebody)
        self.now = NOW
        self.positions: dict[str, str | None] = {"Ada": "Administrator", "Mia": "Pit Manager"}
        self.positions["pat"] = None
        self.enabled = {"Ada", "Mia", "pat"}
        self.limits: dict[str, list[tuple[datetime, int | None]]] = {}
        self.seen: Counter[str] = Counter()

    def command(self) -> c.AccountsCommand:
        pick = self.chance.choice
        user, device, table = pick(NAMES), pick(("d", "e")), pick((None, "1", "2"))
        position = pick(("Dealer", "Pit Manager", "Cashier", "Administrator", "Technician"))
        since = self.now + pick((-1, 0, 1)) * HOUR
        kinds: list[c.AccountsCommand] = [
            c.AddUser(user, pick(tuple(UserKind))), c.DisableUser(user, "so"),
            c.EnableUser(user, "so"), c.GivePosition(user, position),
            c.GivePosition(user, position), c.WithdrawPosition(user, "so"),
            c.LetAct(user, position, since, since + pick((0, 2)) * HOUR), c.EndActing(user),
            c.EndActing(user), c.EndActing(user),
            c.LetAct(user, "Dealer", since, since + 9 * HOUR),
            c.RegisterDevice(device, pick(tuple(DeviceKind)), table),
            c.MoveDevice(device, table), c.RetireDevice(device, "so"),
            c.NoteAccess(pick(tuple(Access)), *pick(((user, None), (None, device)))),
            c.ExcludePatron(user, pick((None, self.now + HOUR))), c.LiftExclusion(user, "so"),
            c.SetStakeLimit(user, pick((None, 0, 1, 5, 9))), c.SetLossLimit(user, 5),
            c.SetTimeLimit(user, 5),
            c.AddUser(user, UserKind.STAFF, pick(("Pit Supervisor", "Cashier", "Auditor"))),
            c.LetAct(user, "Pit Manager", since, since + 9 * HOUR),
        ]  # fmt: skip
        return pick(kinds)

    def actor(self, command: c.AccountsCommand) -> Actor:
        own = Patron(str(getattr(command, "patron", "ben")))
        known = self.accounts.actor(self.chance.choice(NAMES), self.now)
        return self.chance.choice((FOUNDER, ADA, MIA, own, known or FOUNDER))

    def step(self) -> None:
        self.now += self.chance.choice((0, 1, 13)) * HOUR
        command = self.command()
        actor = self.actor(command)
        before = msgspec.msgpack.encode(self.accounts)
        answer = decide(self.accounts, c.Envelope(command, actor, self.now))
        assert msgspec.msgpack.encode(self.accounts) == before
        if isinstance(answer, AccountsRefusal):
            assert is_one_sentence(answer.sentence), answer.sentence
            self.seen[answer.code.value] += 1
            return
        for event in answer:
            self.seen[str(event.__struct_config__.tag)] += 1
            self.accounts = evolve(self.accounts, event)
            self.note(event)
        self.check()

    def note(self, event: e.AccountsEvent) -> None:
        if isinstance(event, e.UserAdded):
            self.enabled.add(event.user)
            self.positions[event.user] = None
        elif isinstance(event, e.UserDisabled):
            self.enabled.remove(event.user)
        elif isinstance(event, e.UserEnabled):
            self.enabled.add(event.user)
        elif isinstance(event, e.PositionGiven):
            self.positions[event.user] = event.position
        elif isinstance(event, e.PositionWithdrawn):
            self.positions[event.user] = None
        elif isinstance(event, e.OwnLimitSet) and event.limit is OwnLimit.STAKE:
            self.limits.setdefault(event.patron, []).append((self.now, event.value))

    def check(self) -> None:
        for name, position in self.positions.items():
            actor: Any = self.accounts.actor(name, self.now)
            user = self.accounts.users.get(name)
            assert user is not None
            if name not in self.enabled or (user.kind is not UserKind.PATRON and not position):
                assert actor is None
            elif user.kind is UserKind.PATRON:
                assert actor == Patron(name)
            else:
                assert actor.position.value == position
        assert any(
            position == "Administrator" and name in self.enabled
            for name, position in self.positions.items()
        ), "nobody can give a position any more"
        for patron, asked in self.limits.items():
            self.check_limit(patron, asked)

    def check_limit(self, patron: str, asked: list[tuple[datetime, int | None]]) -> None:
        """Compute a limit anew from all that its patron asked for."""
        now: int | None = None
        waits: tuple[datetime, int | None] | None = None
        for at, value in [*asked, (self.now, ...)]:
            if waits is not None and at >= waits[0]:
                now, waits = waits[1], None
            if value is ...:
                break
            if now is not None and (value is None or value > now):
                waits = (at + RAISE_DELAY, value)
            else:
                now, waits = value, None
        assert self.accounts.limit(patron, OwnLimit.STAKE, self.now) == now


def test_random_walks_of_the_accounts_agree_with_books_kept_apart() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        walk = Walk(seed)
        for _ in range(150):
            walk.step()
        seen += walk.seen
    every = {str(one.__struct_config__.tag) for one in e.EVENTS}
    assert every - set(seen) == set(), "an event never happened"


@looped
async def test_the_journal_keeps_accounts_and_decides_them_again() -> None:
    store = MemoryStore()
    for day in range(3):
        writer = Writer(store)
        (seat,) = await writer.open(AccountsStream())
        asked: list[tuple[c.AccountsCommand, Actor]] = [
            (c.AddUser(f"ann-{day}", UserKind.PATRON), FOUNDER),
            (c.SetStakeLimit(f"ann-{day}", 5), Patron(f"ann-{day}")),
            (c.SetStakeLimit(f"ann-{day}", 9), Patron(f"ann-{day}")),
            (c.ExcludePatron(f"ann-{day}"), Patron("eve")),
            (c.AddUser("Ada", UserKind.ADMIN), FOUNDER),
            (c.GivePosition("Ada", "Administrator"), FOUNDER),
            (c.AddUser(f"dan-{day}", UserKind.STAFF), ADA),
        ]
        for number, (command, actor) in enumerate(asked):
            reply = await writer.submit(seat, Request(f"{day}-{number}", actor, command))
            again = await writer.submit(seat, Request(f"{day}-{number}", actor, command))
            assert reply == again
        state = seat.state
        stream = AccountsStream()
        assert stream.unpack(stream.pack(state)) == state
        await writer.close()
    whole = await verify(store, RULEBOOKS)
    assert whole.findings == []
    assert whole.refusals == 3 + 2 * 2
    assert state.users.all.keys() == {f"{n}-{d}" for n in ("ann", "dan") for d in range(3)} | {
        "Ada"
    }


SECRETS = re.compile(
    r"passw|pin\b|^pin|token|secret|approval|otp|key$|birth|mail|phone|address"
)


@pytest.mark.parametrize("name", sorted({**COMMANDS, **EVENTS}))
def test_no_command_and_no_event_has_a_field_for_a_secret(name: str) -> None:
    """Passwords, PINs, tokens and whatever names a person lie in a store of their own."""
    kind = {**COMMANDS, **EVENTS}[name]
    assert [field for field in kind.__struct_fields__ if SECRETS.search(field)] == []
    # A validation number comes with a command, and goes no further than to the writer.
    assert ("validation" in kind.__struct_fields__) is hasattr(kind, "concealed")
