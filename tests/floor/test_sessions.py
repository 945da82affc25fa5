"""Sessions end when they should, in a running process and after a start, and are told of."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from croupier.accounts.commands import UserKind
from croupier.floor.credentials import (
    COOKIE,
    authenticate,
    cookie,
    cookie_removed,
    csrf_of,
)
from croupier.floor.door import Ended, ServerCode, TurnedAway
from croupier.floor.sessions import TICKETS_MAX, Session, Settings, Standing, Times
from tests.floor.people import (
    BEGIN,
    HOUR,
    MINUTE,
    PASSWORDS,
    Hands,
    known,
    people_in,
    signed_in,
)
from tests.floor.rounds import looped
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.people import People


@looped
async def test_a_session_is_found_by_its_token_alone(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        token, session = await signed_in(people, "dan")
        assert people.sessions.find(token) is session
        assert (session.name, session.kind, session.position) == (
            "dan", UserKind.STAFF, "Dealer",
        )  # fmt: skip
        assert session.expires == BEGIN + timedelta(hours=12)
        for other in ("", token[:-1], token + "A", token.swapcase(), "\ud800" * 43, "é" * 43):
            assert people.sessions.find(other) is None
        assert token not in repr(session)


@pytest.mark.parametrize(
    ("name", "idle_seconds"), [("dan", 15 * MINUTE), ("ann", 2 * HOUR), ("ada", 15 * MINUTE)]
)
@looped
async def test_a_session_that_nobody_uses_ends(
    tmp_path: Path, name: str, idle_seconds: int
) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, session = await signed_in(people, name)
        for _ in range(3):
            hands.pass_by(idle_seconds - 1)
            assert people.sessions.find(token) is session, "in use"
        hands.pass_by(idle_seconds)
        assert people.sessions.find(token) is None
        assert session.ended is Ended.IDLE


@looped
async def test_a_session_in_use_ends_with_the_shift(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, session = await signed_in(people, "dan")
        for _ in range(12 * 6 - 1):
            hands.pass_by(10 * MINUTE)
            assert people.sessions.use(session)
        hands.pass_by(10 * MINUTE)
        assert not people.sessions.use(session)
        assert people.sessions.find(token) is None


@looped
async def test_a_clock_on_the_wall_that_jumps_ends_and_keeps_no_session(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, session = await signed_in(people, "dan")
        hands.jump(100 * HOUR)
        assert people.sessions.find(token) is session
        hands.jump(-200 * HOUR)
        assert people.sessions.find(token) is session
        hands.pass_by(15 * MINUTE)
        assert people.sessions.find(token) is None


@looped
async def test_what_is_over_is_told_of_although_nobody_asks(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        told: list[Session] = []
        people.sessions.on_ended.append(told.append)
        _, dan = await signed_in(people, "dan")
        _, ann = await signed_in(people, "ann")
        hands.pass_by(20 * MINUTE)
        people.sessions.sweep()
        assert told == [dan]
        assert ann.ended is None


@looped
async def test_people_who_were_started_sweep_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.floor.people.SWEEP_SECONDS", 0.001)
    monkeypatch.setattr("croupier.floor.people.SAVE_SWEEPS", 1)
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        over = asyncio.Event()
        people.sessions.on_ended.append(lambda _: over.set())
        people.start()
        await signed_in(people, "dan")
        hands.pass_by(20 * MINUTE)
        await over.wait()


@looped
async def test_signing_out_is_final_also_after_a_start(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        told: list[Session] = []
        people.sessions.on_ended.append(told.append)
        token, session = await signed_in(people, "dan")
        other, _ = await signed_in(people, "dan")
        await people.sessions.close(session)
        await people.sessions.close(session)
        assert told == [session], "told once"
        assert session.ended is Ended.SIGNED_OUT
        assert people.sessions.find(token) is None
        assert not people.sessions.use(session)
    async with people_in(tmp_path, hands) as people:
        assert people.sessions.find(token) is None
        assert people.sessions.find(other) is not None


@looped
async def test_all_sessions_of_somebody_are_closed_at_once(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        tokens = [(await signed_in(people, "dan"))[0] for _ in range(3)]
        kept, _ = await signed_in(people, "ann")
        told: list[str] = []
        people.sessions.on_ended.append(lambda one: told.append(one.name))
        await people.close_all("dan")
        assert told == ["dan"] * 3
        assert [people.sessions.find(token) for token in tokens] == [None] * 3
        assert people.sessions.find(kept) is not None


@looped
async def test_people_list_their_own_sessions_and_close_one(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, session = await signed_in(people, "dan")
        hands.pass_by(60)
        await signed_in(people, "dan")
        await signed_in(people, "ann")
        hands.pass_by(60)
        people.sessions.find(token)
        listed = people.sessions.listed("dan")
        assert [one.opened for one in listed] == [BEGIN, BEGIN + timedelta(seconds=60)]
        assert [one.seen for one in listed] == [
            BEGIN + timedelta(seconds=120), BEGIN + timedelta(seconds=60),
        ]  # fmt: skip
        assert not await people.sessions.close_number("ann", session.number), "not theirs"
        assert await people.sessions.close_number("dan", session.number)
        assert people.sessions.find(token) is None
        assert len(people.sessions.listed("dan")) == 1


@looped
async def test_a_start_measures_idleness_by_the_moments_in_the_file(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, _ = await signed_in(people, "dan")
        hands.pass_by(10 * MINUTE)
    hands.seconds = 5.0  # the machine was started, too
    async with people_in(tmp_path, hands) as people:
        hands.pass_by(4 * MINUTE)
        assert people.sessions.find(token) is not None
        hands.pass_by(14 * MINUTE)
    async with people_in(tmp_path, hands) as people:
        hands.pass_by(1 * MINUTE)
        assert people.sessions.find(token) is None


@looped
async def test_a_clock_set_back_before_a_start_makes_no_session_longer(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        token, _ = await signed_in(people, "ann")
    hands.jump(-1000 * HOUR)
    async with people_in(tmp_path, hands) as people:
        for _ in range(11):
            hands.pass_by(HOUR)
            assert people.sessions.find(token) is not None
        hands.pass_by(HOUR)
        assert people.sessions.find(token) is None


@pytest.mark.parametrize(
    "changed",
    [
        None,
        Standing(UserKind.STAFF, "Dealer", enabled=False),
        Standing(UserKind.STAFF, "Pit Supervisor"),
        Standing(UserKind.STAFF),
        Standing(UserKind.ADMIN, "Dealer"),
    ],
)
@looped
async def test_a_start_drops_sessions_of_whoever_stands_otherwise(
    tmp_path: Path, changed: Standing | None
) -> None:
    """The accounts recorded it, and the process was killed before it closed the session."""
    users = known()
    async with people_in(tmp_path, users=users) as people:
        token, _ = await signed_in(people, "dan")
        kept, _ = await signed_in(people, "ann")
    if changed is None:
        del users["dan"]
    else:
        users["dan"] = changed
    async with people_in(tmp_path, users=users) as people:
        assert people.sessions.find(token) is None
        assert people.sessions.find(kept) is not None
    async with people_in(tmp_path) as people:
        assert people.sessions.find(token) is None, "also in the file"


@looped
async def test_whoever_opens_too_many_loses_the_one_least_used(tmp_path: Path) -> None:
    hands = Hands()
    settings = Settings(sessions=Times(sessions_per_name=3))
    async with people_in(tmp_path, hands, settings=settings) as people:
        tokens = []
        for _ in range(3):
            tokens.append((await signed_in(people, "ann"))[0])
            hands.pass_by(1)
        people.sessions.find(tokens[0])
        tokens.append((await signed_in(people, "ann"))[0])
        found = [people.sessions.find(token) is not None for token in tokens]
        assert found == [True, False, True, True]


# Tickets of sockets


@looped
async def test_a_ticket_opens_one_socket_once_and_soon(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, session = await signed_in(people, "ann")
        first, second = people.tickets.issue(session), people.tickets.issue(session)
        assert first.expires == BEGIN + timedelta(seconds=30)
        assert people.tickets.redeem(first.token) is session
        assert people.tickets.redeem(first.token) is None, "once"
        hands.pass_by(29)
        third = people.tickets.issue(session)
        assert people.tickets.redeem(second.token) is session
        hands.pass_by(30)
        assert people.tickets.redeem(third.token) is None, "soon"
        assert people.tickets.redeem("") is None


@looped
async def test_a_ticket_ends_with_its_session(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        _, session = await signed_in(people, "ann")
        ticket = people.tickets.issue(session)
        await people.sessions.close(session)
        assert people.tickets.redeem(ticket.token) is None


@looped
async def test_tickets_take_bounded_memory(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, ann = await signed_in(people, "ann")
        _, dan = await signed_in(people, "dan")
        tickets = [people.tickets.issue(ann) for _ in range(TICKETS_MAX + 5)]
        good = [people.tickets.redeem(one.token) is ann for one in tickets]
        assert good == [False] * 5 + [True] * TICKETS_MAX
        for _ in range(TICKETS_MAX):
            people.tickets.issue(ann)
        hands.pass_by(30)
        people.tickets.issue(dan)
        assert len(people.tickets) == 1


# Credentials of requests


async def asked(people: People, method: str, **headers: str) -> str | ServerCode | None:
    found = authenticate(
        people.sessions,
        method,
        headers.get("authorization"),
        headers.get("cookie"),
        headers.get("csrf"),
    )
    if isinstance(found, TurnedAway):
        assert is_one_sentence(found.sentence)
        return found.code
    return None if found is None else found.name


@looped
async def test_programs_send_a_token_and_browsers_a_cookie(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        ann, session = await signed_in(people, "ann")
        dan, _ = await signed_in(people, "dan")
        bearer, browser = f"Bearer {dan}", f"theme=dark; {COOKIE}={ann}; x=y"
        assert await asked(people, "GET") is None
        assert await asked(people, "POST", authorization=bearer) == "dan"
        assert await asked(people, "POST", authorization=bearer.replace("B", "b", 1)) == "dan"
        assert await asked(people, "GET", cookie=browser) == "ann"
        assert await asked(people, "POST", authorization=bearer, cookie=browser) == "dan"
        for wrong in ("Bearer", "Bearer x", f"Basic {dan}", dan, ""):
            code = await asked(people, "GET", authorization=wrong, cookie=browser)
            assert code is ServerCode.UNAUTHENTICATED
        await people.sessions.close(session)
        assert await asked(people, "GET", cookie=browser) is None
        assert await asked(people, "POST", cookie=browser) is None
        assert await asked(people, "POST", cookie=browser, csrf=csrf_of(ann)) is None


@looped
async def test_a_cookie_alone_changes_nothing(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        ann, _ = await signed_in(people, "ann")
        other, _ = await signed_in(people, "ann")
        browser = f"{COOKIE}={ann}"
        for method in ("POST", "PUT", "PATCH", "DELETE", "BREW"):
            assert await asked(people, method, cookie=browser) is ServerCode.FORBIDDEN
            for wrong in ("", ann, csrf_of(other), csrf_of(ann)[:-1], "é"):
                found = await asked(people, method, cookie=browser, csrf=wrong)
                assert found is ServerCode.FORBIDDEN
            assert await asked(people, method, cookie=browser, csrf=csrf_of(ann)) == "ann"


def test_a_cookie_is_read_by_no_script_and_sent_from_no_other_site() -> None:
    parts = cookie("TOKEN", 43_200, secure=True).split("; ")
    assert parts[0] == "croupier_session=TOKEN"
    assert set(parts[1:]) == {
        "Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict", "Secure",
    }  # fmt: skip
    assert "Secure" not in cookie("TOKEN", 1, secure=False)
    assert cookie_removed(secure=True).startswith("croupier_session=; Path=/; Max-Age=0;")


@looped
async def test_a_csrf_token_tells_nothing_of_the_session(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        token, session = await signed_in(people, "ann")
        shown = csrf_of(token)
        assert people.sessions.find(shown) is None
        assert session.digest.hex() not in shown
        assert PASSWORDS["ann"] not in shown
