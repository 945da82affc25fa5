"""What a patron may still do, over all combinations of limits, exclusions and facts."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import product

import pytest

from croupier.accounts import commands as c
from croupier.accounts.authority import FOUNDER
from croupier.accounts.commands import UserKind
from croupier.accounts.decide import RAISE_DELAY, decide
from croupier.accounts.events import OwnLimit, PatronExcluded
from croupier.accounts.limits import (
    LimitCode,
    LimitRefusal,
    Near,
    Staking,
    Today,
    left,
    refusal,
)
from croupier.accounts.state import Accounts, evolve
from croupier.table.roles import Actor, Patron
from tests.cage.people import HOUR, NOW
from tests.wording import is_one_sentence

ANN = Patron("ann")
MINUTE = timedelta(minutes=1)
ENDS = NOW + 9 * HOUR


def with_ann(*asked: tuple[c.AccountsCommand, Actor], at: datetime = NOW) -> Accounts:
    """Return accounts of a patron to whom things happened."""
    accounts = Accounts()
    add = c.AddUser("ann", UserKind.PATRON)
    for command, actor in ((add, FOUNDER), *asked):
        events = decide(accounts, c.Envelope(command, actor, at))
        assert isinstance(events, tuple), events
        for event in events:
            accounts = evolve(accounts, event)
    return accounts


STAKE, LOSS, TIME = 50_00, 100_00, 60


@pytest.mark.parametrize("limits", [*product((False, True), repeat=3)])
def test_own_limits_hold_where_they_are_set(limits: tuple[bool, bool, bool]) -> None:
    """Compared with the limits written anew, over all facts around their edges."""
    sets = (
        c.SetStakeLimit("ann", STAKE),
        c.SetLossLimit("ann", LOSS),
        c.SetTimeLimit("ann", TIME),
    )
    chosen = [(one, ANN) for one, is_set in zip(sets, limits, strict=True) if is_set]
    accounts = with_ann(*chosen)
    stake, loss, time = limits
    seen = set()
    for cents, held, won, in_play, minutes, in_round in product(
        (1, 20_00, 50_00, 50_01), (0, 20_00), (-90_00, -50_00, 0, 30_00), (0, 40_00),
        (0, 59, 60, 61), (False, True),
    ):  # fmt: skip
        today = Today(ENDS, minutes * MINUTE, won, in_play)
        answer = refusal(accounts, "ann", today, NOW, Staking(cents, held, in_round=in_round))
        wanted = None
        if time and minutes >= TIME and not in_round:
            wanted = LimitCode.OWN_TIME_LIMIT
        elif stake and cents + held > STAKE:
            wanted = LimitCode.OWN_STAKE_LIMIT
        elif loss and won - in_play - cents < -LOSS:
            wanted = LimitCode.OWN_LOSS_LIMIT
        assert (None if answer is None else answer.code) is wanted, answer
        seen.add(wanted)
        if answer is not None:
            assert is_one_sentence(answer.sentence), answer.sentence
            left = LOSS + won - in_play
            if wanted is LimitCode.OWN_LOSS_LIMIT and left > 0:
                allowed = Staking(left, 0, in_round=in_round)
                again = refusal(accounts, "ann", today, NOW, allowed)
                assert again is None or again.code is LimitCode.OWN_STAKE_LIMIT
                assert f"so {left // 100}.{left % 100:02} may be put down" in answer.sentence
        # Whatever was played, nothing but a stake is limited.
        assert refusal(accounts, "ann", today, NOW) is None
    assert len(seen) == 1 + sum(limits)


@pytest.mark.parametrize("staking", [None, Staking(1), Staking(1, in_round=True)])
def test_who_is_barred_plays_no_more(staking: Staking | None) -> None:
    today = Today(ENDS)

    def code(accounts: Accounts, at: datetime = NOW) -> LimitCode | None:
        answer = refusal(accounts, "ann", today, at, staking)
        assert answer is None or is_one_sentence(str(answer)), answer
        return None if answer is None else answer.code

    assert code(with_ann()) is None
    assert code(Accounts()) is None, "nobody has limits whom the accounts do not know"
    assert code(with_ann((c.DisableUser("ann", "so"), FOUNDER))) is LimitCode.DISABLED
    back = ((c.DisableUser("ann", "so"), FOUNDER), (c.EnableUser("ann", "so"), FOUNDER))
    assert code(with_ann(*back)) is None
    out = with_ann((c.ExcludePatron("ann", NOW + HOUR), ANN))
    assert [code(out, NOW + time) for time in (0 * HOUR, HOUR - MINUTE, HOUR)] == [
        LimitCode.EXCLUDED, LimitCode.EXCLUDED, None,
    ]  # fmt: skip
    for_good = with_ann((c.ExcludePatron("ann"), ANN))
    assert code(for_good, NOW + 10_000 * HOUR) is LimitCode.EXCLUDED


@pytest.mark.parametrize(
    ("own", "house", "told"),
    [
        (HOUR, None, (MINUTE, None)),
        (HOUR, 2 * HOUR, (MINUTE, 2 * HOUR)),
        (2 * HOUR, HOUR, (0 * HOUR, 2 * HOUR)),
    ],
)
def test_of_two_exclusions_that_is_told_which_ends_later(
    own: timedelta, house: timedelta | None, told: tuple[timedelta, timedelta | None]
) -> None:
    out = with_ann((c.ExcludePatron("ann", NOW + own), ANN))
    until = None if house is None else NOW + house
    out = evolve(
        out, PatronExcluded("ann", by_self=False, since=NOW + MINUTE, until=until, reason="so")
    )
    barred = left(out, "ann", Today(ENDS), NOW + 2 * MINUTE).barred
    assert barred is not None
    assert (barred.since, barred.until) == (NOW + told[0], told[1] and NOW + told[1])


def test_only_an_exclusion_says_since_when_it_holds() -> None:
    accounts = with_ann((c.SetTimeLimit("ann", TIME), ANN))
    barred = left(accounts, "ann", Today(ENDS, TIME * MINUTE), NOW).barred
    assert barred is not None
    assert (barred.code, barred.since) == (LimitCode.OWN_TIME_LIMIT, None)


def test_a_lower_limit_holds_at_once_and_a_higher_one_a_day_later() -> None:
    lowered_and_raised = [c.SetLossLimit("ann", cents) for cents in (100_00, 40_00, 90_00)]
    accounts = with_ann(*((one, ANN) for one in lowered_and_raised))

    def allowed(cents: int, at: datetime) -> bool:
        return refusal(accounts, "ann", Today(ENDS), at, Staking(cents)) is None

    late = NOW + RAISE_DELAY
    assert [allowed(40_00, NOW), allowed(40_01, NOW), allowed(40_01, late - MINUTE)] == [
        True, False, False,
    ]  # fmt: skip
    assert [allowed(90_00, late), allowed(90_01, late)] == [True, False]


def test_the_figures_are_said() -> None:
    accounts = with_ann((c.SetTimeLimit("ann", 60), ANN), (c.SetLossLimit("ann", 100_00), ANN))
    today = Today(ENDS, 61 * MINUTE, -70_00, 10_00)
    time = refusal(accounts, "ann", today, NOW, Staking(50_00))
    assert str(time) == (
        "Patron ann has played 61 minutes of the 60 that they set for a gaming day;"
        " the next one begins 2026-01-01T21:00+00:00."
    )
    assert isinstance(time, LimitRefusal)
    loss = refusal(accounts, "ann", today, NOW, Staking(50_00, in_round=True))
    assert str(loss) == (
        "50.00 came; patron ann set 100.00 as the most to lose in a gaming day,"
        " has lost 70.00 and 10.00 in play, so 20.00 may be put down."
    )


@pytest.mark.parametrize(
    ("minutes", "told"), [(0, None), (49, None), (50, 10), (59, 1), (60, 0), (75, 0)]
)
def test_the_end_of_the_own_time_is_told_ten_minutes_before(
    minutes: int, told: int | None
) -> None:
    accounts = with_ann((c.SetTimeLimit("ann", TIME), ANN))
    near = left(accounts, "ann", Today(ENDS, minutes * MINUTE), NOW).near
    assert near == (() if told is None else (Near(OwnLimit.TIME, TIME, told, ENDS),))


@pytest.mark.parametrize(
    ("won", "told"),
    [(30_00, None), (0, None), (-79_99, None), (-80_00, 20_00), (-100_00, 0), (-130_00, 0)],
)
@pytest.mark.parametrize("in_play", [0, 90_00])
def test_the_own_loss_is_told_from_four_fifths_on(
    won: int, told: int | None, in_play: int
) -> None:
    accounts = with_ann((c.SetLossLimit("ann", LOSS), ANN))
    near = left(accounts, "ann", Today(ENDS, MINUTE, won, in_play), NOW).near
    assert near == (() if told is None else (Near(OwnLimit.LOSS, LOSS, told, ENDS),))


def test_what_is_far_or_was_not_set_is_not_told() -> None:
    accounts = with_ann((c.SetStakeLimit("ann", STAKE), ANN))
    assert left(accounts, "ann", Today(ENDS, 600 * MINUTE, -LOSS), NOW).near == ()
