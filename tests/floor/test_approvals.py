"""A second person approves exactly one command, once, for two minutes."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from croupier.floor import approvals as module
from croupier.floor.approvals import APPROVALS_MAX, about_of
from croupier.floor.door import Issued, ServerCode, TurnedAway
from tests.floor.people import BEGIN, HOUR, Hands, people_in, signed_in
from tests.floor.rounds import looped
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.people import People
    from croupier.floor.sessions import Session

VOID = b'{"reason":"A card fell.","type":"void_round"}'
OTHER = b'{"reason":"A card fell!","type":"void_round"}'


async def approved(people: People, by: Session, command: bytes = VOID) -> str:
    answer = await people.approvals.issue(by, "tiger", command, "dan")
    assert isinstance(answer, Issued), answer
    return answer.token


async def used(  # what identifies a command
    people: People,
    token: str,
    key: str = "k1",
    table: str = "tiger",
    command: bytes = VOID,
    by: str = "dan",
) -> str:
    """Return who approved, or the word of the refusal that tells it from others."""
    answer = await people.approvals.redeem(token, table, command, by, key)
    if isinstance(answer, str):
        return answer
    assert answer.code is ServerCode.BAD_APPROVAL
    assert is_one_sentence(answer.sentence)
    words = {"not known": "unknown", "for another": "other", "used already": "used"}
    (word,) = [word for part, word in words.items() if part in answer.sentence]
    return word


@looped
async def test_an_approval_is_for_one_command_of_one_person_at_one_table(
    tmp_path: Path,
) -> None:
    async with people_in(tmp_path) as people:
        _, mia = await signed_in(people, "mia")
        token = await approved(people, mia)
        assert await used(people, token, command=OTHER) == "other"
        assert await used(people, token, table="tiger2") == "other"
        assert await used(people, token, by="mia") == "other"
        assert await used(people, "x" + token) == "unknown"
        assert await used(people, token) == "mia", "a wrong use did not use it up"


@looped
async def test_an_approval_is_used_once_and_found_again_for_the_same_identification(
    tmp_path: Path,
) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, mia = await signed_in(people, "mia")
        token = await approved(people, mia)
        assert await used(people, token, "k1") == "mia"
        assert await used(people, token, "k2") == "used"
        assert await used(people, token, "k1") == "mia"
        await people.sessions.close(mia)
        hands.pass_by(HOUR)
        assert await used(people, token, "k1") == "mia", "a late repetition, mia has gone"
    async with people_in(tmp_path, hands) as people:
        assert await used(people, token, "k1") == "mia"
        assert await used(people, token, "k2") == "used"
        hands.pass_by(24 * HOUR)
        assert await used(people, token, "k1") == "unknown"


@looped
async def test_of_many_at_once_one_uses_it(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        _, mia = await signed_in(people, "mia")
        token = await approved(people, mia)
        answers = await asyncio.gather(
            *(used(people, token, f"k{number % 5}") for number in range(20))
        )
        assert answers.count("mia") == 4
        assert answers.count("used") == 16


@looped
async def test_an_approval_lasts_two_minutes(tmp_path: Path) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, mia = await signed_in(people, "mia")
        answer = await people.approvals.issue(mia, "tiger", VOID, "dan")
        assert isinstance(answer, Issued)
        assert answer.expires == BEGIN + timedelta(minutes=2)
        assert answer.token not in repr(answer)
        late = await approved(people, mia)
        hands.jump(-HOUR)
        hands.pass_by(119)
        assert await used(people, answer.token) == "mia"
        hands.pass_by(1)
        assert await used(people, late) == "unknown"


@looped
async def test_an_approval_survives_a_start_and_no_longer_than_its_time(
    tmp_path: Path,
) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, mia = await signed_in(people, "mia")
        first, second = await approved(people, mia), await approved(people, mia)
    hands.pass_by(60)
    hands.seconds = 3.0
    async with people_in(tmp_path, hands) as people:
        assert await used(people, first) == "mia"
        hands.pass_by(60)
        assert await used(people, second) == "unknown"


@pytest.mark.parametrize("restart", [False, True])
@looped
async def test_an_approval_ends_with_the_session_of_its_giver(
    tmp_path: Path, *, restart: bool
) -> None:
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, first = await signed_in(people, "mia")
        _, second = await signed_in(people, "mia")
        revoked, kept = await approved(people, first), await approved(people, second)
        await people.sessions.close(first)
        if not restart:
            assert await used(people, revoked) == "unknown"
            assert await used(people, kept) == "mia"
    if restart:
        async with people_in(tmp_path, hands) as people:
            assert await used(people, revoked) == "unknown"
            assert await used(people, kept) == "mia"


@looped
async def test_who_may_not_approve_is_told_so(tmp_path: Path) -> None:
    async with people_in(tmp_path) as people:
        _, dan = await signed_in(people, "dan")
        _, ann = await signed_in(people, "ann")
        _, mia = await signed_in(people, "mia")
        own = await people.approvals.issue(dan, "tiger", VOID, "dan")
        patron = await people.approvals.issue(ann, "tiger", VOID, "dan")
        assert isinstance(own, TurnedAway)
        assert isinstance(patron, TurnedAway)
        assert (own.code, own.code.status) == (ServerCode.SELF_APPROVAL, 403)
        assert patron.code is ServerCode.FORBIDDEN
        assert is_one_sentence(own.sentence)
        assert is_one_sentence(patron.sentence)
        # Whoever signs out while the file is written has approved nothing.
        late = asyncio.ensure_future(people.approvals.issue(mia, "tiger", VOID, "dan"))
        await asyncio.sleep(0)
        await people.sessions.close(mia)
        answer = await late
        assert isinstance(answer, TurnedAway)
        assert answer.code is ServerCode.UNAUTHENTICATED
        assert len(people.approvals) == 0


@looped
async def test_approvals_take_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "APPROVALS_MAX", 3)
    hands = Hands()
    async with people_in(tmp_path, hands) as people:
        _, mia = await signed_in(people, "mia")
        tokens = [await approved(people, mia) for _ in range(5)]
        found = [await used(people, token) for token in tokens]
        assert found == ["unknown"] * 2 + ["mia"] * 3
        hands.pass_by(25 * HOUR)
        await people.approvals.sweep()
        assert len(people.approvals) == 0
    assert APPROVALS_MAX > 3


def test_parts_of_an_approval_cannot_pass_for_one_another() -> None:
    same = {
        about_of("ab", b"c", "d"),
        about_of("a", b"bc", "d"),
        about_of("a", b"c", "bd"),
        about_of("", b"abc", "d"),
        about_of("d", b"c", "ab"),
    }
    assert len(same) == 5
