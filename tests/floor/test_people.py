"""Who somebody is: signing in, passwords, links, and what can be erased."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from argon2 import PasswordHasher, extract_parameters

from croupier.accounts import commands as c
from croupier.accounts.commands import UserKind
from croupier.floor import people as module
from croupier.floor.desk import Request
from croupier.floor.door import Ended, Issued, ServerCode, TurnedAway
from croupier.floor.house import House
from croupier.floor.passwords import HASHER, LENGTH_MAX, Passwords
from croupier.floor.people import People, Personal
from croupier.floor.people_file import PEOPLE
from croupier.floor.rates import Rates
from croupier.floor.sessions import Settings, SignedIn, Standing, standing
from croupier.table.roles import System
from tests.floor.people import (
    CHEAP,
    HOUR,
    MINUTE,
    PASSWORDS,
    Hands,
    known,
    open_people,
    people_in,
    signed_in,
)
from tests.floor.rounds import looped
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.sessions import Session
    from croupier.journal.gathering import Landed

NEW = "another password, longer"
HOUSE = System("house")


def code_of(answer: object) -> ServerCode:
    assert isinstance(answer, TurnedAway), answer
    assert is_one_sentence(answer.sentence), answer.sentence
    return answer.code


async def tried(people: People, name: str, password: str) -> ServerCode | None:
    """Sign in; return why not, or None."""
    answer = await people.sign_in(name, password)
    return None if isinstance(answer, SignedIn) else code_of(answer)


def kept_in(folder: Path, name: str) -> str:
    """Return what the file keeps of somebody's password."""
    with closing(sqlite3.connect(folder / PEOPLE)) as file:
        query = "SELECT hash FROM password WHERE name = ?"
        ((kept,),) = file.execute(query, (name,)).fetchall()
    return str(kept)


# Signing in


@looped
async def test_a_wrong_name_and_a_wrong_password_are_answered_alike(tmp_path: Path) -> None:
    users = known() | {"eve": Standing(UserKind.STAFF, "Dealer", enabled=False)}
    async with people_in(tmp_path, users=users) as people:
        await people.set_passwords({"eve": NEW, "gone": NEW})
        answers = [
            await people.sign_in(name, password)
            for name, password in (
                ("ann", "the password of dan"),
                ("nobody", "the password of dan"),
                ("eve", NEW),
                ("gone", NEW),
                ("mia", ""),
                ("dan", "x" * 100_000),
                ("\ud800", "\udfff"),
                ("a\x00b", "\x00"),
                ("", ""),
                ("n" * 100_000, NEW),
            )
        ]
        assert len(set(answers)) == 1
        assert code_of(answers[0]) is ServerCode.WRONG_LOGIN
        assert ServerCode.WRONG_LOGIN.status == 401


@looped
async def test_right_passwords_of_whoever_is_disabled_count_as_wrong(tmp_path: Path) -> None:
    users = known() | {"ann": Standing(UserKind.PATRON, enabled=False)}
    async with people_in(tmp_path, users=users) as people:
        codes = [await tried(people, "ann", PASSWORDS["ann"]) for _ in range(6)]
        assert codes == [ServerCode.WRONG_LOGIN] * 5 + [ServerCode.TOO_MANY]


@looped
async def test_a_wrong_name_takes_the_same_work(tmp_path: Path) -> None:
    """Not the times are compared, which vary, but what is worked on."""
    worked: list[str] = []

    class Watched(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Any:  # noqa: A002, ANN401
            worked.append(str(extract_parameters(str(hash))))
            return super().verify(hash, password)

    hasher = Watched(time_cost=1, memory_cost=8, parallelism=1)
    people = await open_people(tmp_path, hasher=hasher)
    await people.set_passwords(PASSWORDS)
    for name in ("ann", "nobody", "n" * 500, "\ud800"):
        assert await tried(people, name, NEW) is ServerCode.WRONG_LOGIN
    assert len(worked) == 4
    assert len(set(worked)) == 1
    await people.close()


@looped
async def test_a_password_is_the_same_however_a_keyboard_composes_it(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        await people.set_passwords({"ann": "Crème brûlée, très"})
        assert await tried(people, "ann", "Cre\u0300me bru\u0302le\u0301e, tre\u0300s") is None
        assert await tried(people, "ann", "Creme brulee, tres") is ServerCode.WRONG_LOGIN


@looped
async def test_a_name_fails_five_times_in_a_quarter_of_an_hour(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        for name in ("ann", "nobody"):
            right = PASSWORDS.get(name, NEW)
            for _ in range(5):
                assert await tried(people, name, "wrong") is ServerCode.WRONG_LOGIN
                hands.pass_by(MINUTE)
            answer = await people.sign_in(name, right)
            assert code_of(answer) is ServerCode.TOO_MANY
            assert isinstance(answer, TurnedAway)
            assert answer.retry_seconds == 10 * MINUTE
            assert answer.code.status == 429
        assert await tried(people, "dan", PASSWORDS["dan"]) is None, "others may"
        hands.jump(HOUR)
        assert await tried(people, "ann", PASSWORDS["ann"]) is ServerCode.TOO_MANY
        hands.pass_by(5 * MINUTE)
        assert await tried(people, "ann", PASSWORDS["ann"]) is None
        assert people.failed_logins == 10


@looped
async def test_of_many_attempts_at_once_five_count(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        codes = await asyncio.gather(*(tried(people, "ann", f"{n}") for n in range(40)))
        assert codes.count(ServerCode.WRONG_LOGIN) == 5
        assert codes.count(ServerCode.TOO_MANY) == 35


@looped
async def test_somebody_may_sign_in_often_at_once(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        codes = await asyncio.gather(
            *(tried(people, "ann", PASSWORDS["ann"]) for _ in range(40))
        )
        assert codes == [None] * 40
        assert len(people.sessions.of("ann")) == 40


@looped
async def test_a_flood_is_sent_away_instead_of_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAITING_MAX", 10)
    async with people_in(tmp_path) as people:
        codes = await asyncio.gather(*(tried(people, f"{n}", NEW) for n in range(30)))
        assert codes.count(ServerCode.BUSY) == 20
        assert ServerCode.BUSY.status == 503
        assert await tried(people, "ann", PASSWORDS["ann"]) is None, "when the flood is over"
        assert people.waiting == 0, "nothing is left of it"


@looped
async def test_whoever_would_wait_too_long_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with people_in(tmp_path) as people:
        monkeypatch.setattr(module, "ANSWER_SECONDS", 0.0)
        answer = await people.sign_in("ann", PASSWORDS["ann"])
        assert code_of(answer) is ServerCode.BUSY
        assert isinstance(answer, TurnedAway)
        assert answer.retry_seconds == 5
        monkeypatch.undo()
        assert await tried(people, "ann", PASSWORDS["ann"]) is None


@looped
async def test_whoever_goes_away_while_signing_in_leaves_nothing(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        for turns in range(12):
            waits = [
                asyncio.ensure_future(people.sign_in(name, PASSWORDS["ann"]))
                for name in ("ann", "ann", "nobody")
            ]
            for _ in range(turns):
                await asyncio.sleep(0)
            for one in waits:
                one.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        assert people.waiting == 0
        assert await tried(people, "ann", PASSWORDS["ann"]) is None


@looped
async def test_whoever_is_disabled_while_signing_in_stays_outside(tmp_path: Path) -> None:
    """At whichever step the accounts record it."""
    users, outside = known(), 0
    settings = Settings(rates=Rates(failed_logins=100))
    async with people_in(tmp_path, users=users, settings=settings) as people:
        for turns in range(60):
            users["dan"] = known()["dan"]
            answer = asyncio.ensure_future(people.sign_in("dan", PASSWORDS["dan"]))
            for _ in range(turns // 6):
                await asyncio.sleep(0.0003 * (turns % 6))
            users["dan"] = Standing(UserKind.STAFF, "Dealer", enabled=False)
            people.revoke("dan")
            found = await answer
            outside += isinstance(found, TurnedAway)
            assert people.sessions.of("dan") == []
            if isinstance(found, SignedIn):
                assert people.sessions.find(found.token) is None
        assert outside


@looped
async def test_a_password_of_other_costs_is_hashed_anew_when_it_is_used(tmp_path: Path) -> None:
    async with people_in(tmp_path):
        pass
    costly = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    people = await open_people(tmp_path, hasher=costly)
    before = kept_in(tmp_path, "ann")
    assert costly.check_needs_rehash(before)
    assert await tried(people, "ann", "wrong") is ServerCode.WRONG_LOGIN
    assert kept_in(tmp_path, "ann") == before
    assert await tried(people, "ann", PASSWORDS["ann"]) is None
    assert not costly.check_needs_rehash(kept_in(tmp_path, "ann"))
    assert await tried(people, "ann", PASSWORDS["ann"]) is None
    await people.close()


@looped
async def test_passwords_cost_what_is_advised(tmp_path: Path) -> None:
    people = await People.open(tmp_path, known().get)
    await people.set_passwords({"ann": NEW})
    kept = kept_in(tmp_path, "ann")
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert not HASHER.check_needs_rehash(kept)
    assert await tried(people, "ann", NEW) is None
    await people.close()


@looped
async def test_a_hash_that_cannot_be_read_opens_nothing(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        with closing(sqlite3.connect(tmp_path / PEOPLE)) as file, file:
            file.execute("UPDATE password SET hash = 'x'")
        assert await tried(people, "ann", PASSWORDS["ann"]) is ServerCode.WRONG_LOGIN


@looped
async def test_at_most_two_passwords_are_worked_on_at_a_time() -> None:
    working: list[int] = []
    most: list[int] = []

    class Counting(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            working.append(1)
            most.append(len(working))
            try:
                return super().hash(password, salt=salt)
            finally:
                working.pop()

    passwords = Passwords(Counting(time_cost=1, memory_cost=1024, parallelism=1))
    await asyncio.gather(*(passwords.hashed(NEW) for _ in range(30)))
    await passwords.close()
    assert max(most) == 2


# Changing a password


@looped
async def test_changing_a_password_needs_the_old_one(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, session = await signed_in(people, "dan")
        other, _ = await signed_in(people, "dan")
        wrong = await people.change_password(session, "not the old one", NEW)
        assert code_of(wrong) is ServerCode.WRONG_LOGIN
        assert people.sessions.find(token) is session, "nothing is lost"
        answer = await people.change_password(session, PASSWORDS["dan"], NEW)
        assert isinstance(answer, SignedIn)
        assert people.sessions.find(token) is None
        assert people.sessions.find(other) is None
        assert people.sessions.find(answer.token) is answer.session
        assert await tried(people, "dan", PASSWORDS["dan"]) is ServerCode.WRONG_LOGIN
    async with people_in(tmp_path, hands) as people:
        assert people.sessions.find(token) is None
        assert people.sessions.find(answer.token) is not None
        assert await tried(people, "dan", NEW) is None


@looped
async def test_guesses_of_the_old_password_count_as_sign_ins(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        _, session = await signed_in(people, "dan")
        codes = [
            code_of(await people.change_password(session, f"guess {number}", NEW))
            for number in range(6)
        ]
        assert codes == [ServerCode.WRONG_LOGIN] * 5 + [ServerCode.TOO_MANY]
        assert await tried(people, "dan", PASSWORDS["dan"]) is ServerCode.TOO_MANY


@pytest.mark.parametrize("wrong", ["", "elevenchars", "x" * (LENGTH_MAX + 1), "DAN-the-dealer"])
@looped
async def test_a_password_that_is_none_is_told_so(tmp_path: Path, wrong: str) -> None:
    users = {"dan-the-dealer": Standing(UserKind.STAFF, "Dealer")}
    people = await open_people(tmp_path, users=users)
    assert code_of(await people.set_passwords({"dan-the-dealer": wrong})) is (
        ServerCode.BAD_PASSWORD
    )
    assert not await people.has_password("dan-the-dealer")
    link = await people.reset_password("dan-the-dealer")
    assert isinstance(link, Issued)
    assert code_of(await people.set_by_link(link.token, wrong)) is ServerCode.BAD_PASSWORD
    assert await people.set_by_link(link.token, NEW) == "dan-the-dealer", "nothing is lost"
    session = await people.sign_in("dan-the-dealer", NEW)
    assert isinstance(session, SignedIn)
    answer = await people.change_password(session.session, NEW, wrong)
    assert code_of(answer) is ServerCode.BAD_PASSWORD
    await people.close()


# Links


@looped
async def test_a_reset_is_used_once_and_ends_all_sessions(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, _ = await signed_in(people, "dan")
        replaced = await people.reset_password("dan")
        link = await people.reset_password("dan")
        assert isinstance(replaced, Issued)
        assert isinstance(link, Issued)
        assert people.sessions.find(token) is not None, "until it is used"
        assert code_of(await people.set_by_link(replaced.token, NEW)) is ServerCode.BAD_LINK
    async with people_in(tmp_path, hands) as people:
        both = await asyncio.gather(*(people.set_by_link(link.token, NEW) for _ in range(2)))
        assert [one for one in both if one == "dan"] == ["dan"], "once"
        assert people.sessions.find(token) is None
        assert code_of(await people.set_by_link(link.token, NEW)) is ServerCode.BAD_LINK
        assert await tried(people, "dan", NEW) is None
        assert code_of(await people.reset_password("nobody")) is ServerCode.UNKNOWN_USER
    async with people_in(tmp_path, hands) as people:
        assert code_of(await people.set_by_link(link.token, NEW)) is ServerCode.BAD_LINK


@pytest.mark.parametrize("restart", [False, True])
@looped
async def test_a_link_lasts_a_day(tmp_path: Path, *, restart: bool) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        link = await people.reset_password("dan")
        assert isinstance(link, Issued)
        hands.pass_by(24 * HOUR)
        if not restart:
            assert code_of(await people.set_by_link(link.token, NEW)) is ServerCode.BAD_LINK
    async with people_in(tmp_path, hands) as people:
        assert code_of(await people.set_by_link(link.token, NEW)) is ServerCode.BAD_LINK


class Accounts:
    """Records users as the accounts would."""

    def __init__(self) -> None:
        self.users: dict[str, Standing] = {}
        self.refusal: str | None = None

    async def create(self, name: str) -> str | None:
        await asyncio.sleep(0)
        if self.refusal is None:
            self.users[name] = Standing(UserKind.ADMIN, "Administrator")
        return self.refusal


@looped
async def test_the_first_administrator_comes_in_by_a_link(tmp_path: Path) -> None:
    accounts = Accounts()
    people = await open_people(tmp_path, users=accounts.users)
    old = await people.first_link([])
    link = await people.first_link([])
    assert old is not None
    assert link is not None
    found, create = people.found, accounts.create
    assert code_of(await found(old.token, "ada", NEW, create)) is ServerCode.BAD_LINK
    assert code_of(await found(link.token, "ada", "short", create)) is ServerCode.BAD_PASSWORD
    assert code_of(await found(link.token, "", NEW, create)) is ServerCode.BAD_TEXT
    assert code_of(await found(link.token, "a" * 65, NEW, create)) is ServerCode.BAD_TEXT
    assert code_of(await people.set_by_link(link.token, NEW)) is ServerCode.BAD_LINK
    accounts.refusal = "no"
    assert await found(link.token, "ada", NEW, create) == "no"
    assert not await people.has_password("ada"), "nothing is left of it"
    accounts.refusal = None
    twice = await asyncio.gather(
        *(found(link.token, name, NEW, create) for name in ("ada", "eve"))
    )
    assert twice[0] is None
    assert code_of(twice[1]) is ServerCode.BAD_LINK
    assert code_of(await found(link.token, "eve", NEW, create)) is ServerCode.BAD_LINK
    assert await tried(people, "ada", NEW) is None
    assert await people.first_link(["ada"]) is None
    await people.close()


@looped
async def test_a_start_makes_a_new_link_while_no_administrator_can_sign_in(
    tmp_path: Path,
) -> None:
    accounts = Accounts()
    people = await open_people(tmp_path, users=accounts.users)
    old = await people.first_link([])
    assert old is not None
    await people.close()
    people = await open_people(tmp_path, users=accounts.users)
    # An account without a password does not help anybody.
    link = await people.first_link(["somebody"])
    assert link is not None
    answer = await people.found(old.token, "ada", NEW, accounts.create)
    assert code_of(answer) is ServerCode.BAD_LINK
    accounts.users["bob"] = Standing(UserKind.PATRON)
    answer = await people.found(link.token, "bob", NEW, accounts.create)
    assert code_of(answer) is ServerCode.KNOWN_USER
    assert not await people.has_password("bob")
    assert await people.found(link.token, "ada", NEW, accounts.create) is None
    await people.close()


@looped
async def test_founding_that_was_interrupted_can_be_done_again(tmp_path: Path) -> None:
    """The password is there and the account is not, or the link still is."""
    accounts = Accounts()

    async def crash(name: str) -> str | None:
        await accounts.create(name)
        raise OSError

    async def crash_before(_: str) -> str | None:
        raise OSError

    people = await open_people(tmp_path, users=accounts.users)
    link = await people.first_link([])
    assert link is not None
    with pytest.raises(OSError):  # noqa: PT011  # the one above
        await people.found(link.token, "ada", NEW, crash_before)
    await people.close()
    people = await open_people(tmp_path, users=accounts.users)
    assert await tried(people, "ada", NEW) is ServerCode.WRONG_LOGIN, "no account"
    link = await people.first_link([])
    assert link is not None
    with pytest.raises(OSError):  # noqa: PT011  # the one above
        await people.found(link.token, "ada", NEW, crash)
    await people.close()
    people = await open_people(tmp_path, users=accounts.users)
    assert await people.first_link(["ada"]) is None
    assert await tried(people, "ada", NEW) is None
    answer = await people.found(link.token, "eve", NEW, accounts.create)
    assert code_of(answer) is ServerCode.BAD_LINK, "the link went with the start"
    await people.close()


# What is known of a person


def bytes_beside(folder: Path) -> bytes:
    return b"".join(one.read_bytes() for one in folder.iterdir() if one.name.startswith(PEOPLE))


@looped
async def test_a_person_is_described_and_erased(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        token, session = await signed_in(people, "ann")
        link = await people.reset_password("ann")
        assert isinstance(link, Issued)
        personal = Personal("Ann Canary", "Prefers the corner.\nTea.")
        assert await people.described("ann") == Personal()
        assert await people.describe("ann", Personal("Before-Canary")) is None
        assert await people.describe("ann", personal) is None
        assert await people.described("ann") == personal
        assert b"Ann Canary" in bytes_beside(tmp_path)
        await people.erase("ann")
        assert await people.described("ann") == Personal()
        assert session.ended is Ended.REVOKED
        assert people.sessions.find(token) is None
        assert not await people.has_password("ann")
        assert code_of(await people.set_by_link(link.token, NEW)) is ServerCode.BAD_LINK
        assert await tried(people, "ann", PASSWORDS["ann"]) is ServerCode.WRONG_LOGIN
        assert b"Canary" not in bytes_beside(tmp_path), "nor in the log, nor in a free page"
        assert await people.has_password("dan")


class Slow(Passwords):
    """Compares a password when a test lets it, long after it was read."""

    def __init__(self) -> None:
        super().__init__(CHEAP)
        self.read, self.go_on = asyncio.Event(), asyncio.Event()
        self.go_on.set()

    async def holds(self, kept: str | None, password: str) -> bool:
        self.read.set()
        await self.go_on.wait()
        return await super().holds(kept, password)


@pytest.mark.parametrize("changing", [False, True])
@pytest.mark.parametrize("erased", [False, True])
@looped
async def test_nothing_comes_of_a_password_that_is_erased_or_replaced_meanwhile(
    tmp_path: Path, *, changing: bool, erased: bool
) -> None:
    slow = Slow()
    people = await People.open(tmp_path, known().get, passwords=slow)
    await people.set_passwords(PASSWORDS)
    _, session = await signed_in(people, "ann")
    slow.read.clear()
    slow.go_on.clear()
    old = PASSWORDS["ann"]
    coming = asyncio.ensure_future(
        people.change_password(session, old, "a password of a thief")
        if changing
        else people.sign_in("ann", old)
    )
    await slow.read.wait()
    if erased:
        await people.erase("ann")
    else:
        link = await people.reset_password("ann")
        assert isinstance(link, Issued)
        await people.set_by_link(link.token, NEW)
    slow.go_on.set()
    assert code_of(await coming) is ServerCode.WRONG_LOGIN
    assert people.sessions.of("ann") == []
    assert await people.has_password("ann") is not erased
    assert await tried(people, "ann", NEW) is (ServerCode.WRONG_LOGIN if erased else None)
    await people.close()


@pytest.mark.parametrize(
    "wrong", [Personal("x" * 101), Personal("a\x00"), Personal("", "\ud800"), Personal("\x1b")]
)
@looped
async def test_a_description_that_cannot_be_written_is_told_so(
    tmp_path: Path, wrong: Personal
) -> None:
    async with people_in(tmp_path) as people:
        assert code_of(await people.describe("ann", wrong)) is ServerCode.BAD_TEXT
        assert await people.described("ann") == Personal()


# Where the accounts meet


@looped
async def test_what_the_accounts_record_ends_sessions_at_once(tmp_path: Path) -> None:
    told: list[People] = []

    def tell(landed: Landed) -> None:
        for one in told:
            one.committed(landed)

    house = await House.open(tmp_path, subscribers=[tell])
    await house.start(drive=False)
    people = await People.open(
        tmp_path,
        lambda name: standing(house.accounts.accounts, name),
        passwords=Passwords(CHEAP),
    )
    told.append(people)
    numbers = count(1)

    async def do(*commands: c.AccountsCommand) -> None:
        for command in commands:
            request = Request(f"c{next(numbers)}", HOUSE, command)
            reply = await house.accounts.submit(request)
            assert reply.accepted, reply.refusal

    await do(
        c.AddUser("dan", UserKind.STAFF),
        c.GivePosition("dan", "Dealer"),
        c.AddUser("ann", UserKind.PATRON),
    )
    await people.set_passwords(PASSWORDS)
    ended: list[Session] = []
    people.sessions.on_ended.append(ended.append)
    ann, _ = await signed_in(people, "ann")
    for command in (
        c.GivePosition("dan", "Pit Supervisor"),
        c.WithdrawPosition("dan", "It ends."),
        c.DisableUser("dan", "It ends."),
    ):
        token, session = await signed_in(people, "dan")
        await do(command)
        assert ended.pop() is session, "before the answer"
        assert people.sessions.find(token) is None
    assert await tried(people, "dan", PASSWORDS["dan"]) is ServerCode.WRONG_LOGIN
    await do(c.EnableUser("dan", "Again."))
    assert await tried(people, "dan", PASSWORDS["dan"]) is None
    assert people.sessions.find(ann) is not None
    assert ended == []
    await people.close()
    await house.close()


@looped
async def test_settings_reach_what_they_set(tmp_path: Path) -> None:
    settings = Settings(rates=Rates(failed_logins=1, messages_burst=2))
    async with people_in(tmp_path, settings=settings) as people:
        _, session = await signed_in(people, "ann")
        assert [session.allowance.message() is None for _ in range(3)] == [True, True, False]
        assert await tried(people, "dan", "wrong") is ServerCode.WRONG_LOGIN
        assert await tried(people, "dan", "wrong") is ServerCode.TOO_MANY
