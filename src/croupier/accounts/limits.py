"""What a patron may still do: exclusions and own limits, from facts alone.

Whoever is disabled or excluded plays no more: no seat, no credit to a table, no buying in, no
ticket into the wallet, no wager. Leaving, taking credit and cashing out are never in the way;
for whoever is disabled, and so cannot sign in, staff and the cage do it.
Own limits hold for a gaming day of the house: what one stake may be, what may be lost, and how
long a patron may play.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from croupier.accounts.events import OwnLimit
from croupier.frozen import Reason
from croupier.money import dollars

if TYPE_CHECKING:
    from croupier.accounts.state import Accounts, User

MINUTE = timedelta(minutes=1)
NEAR_MINUTES = 10
"""A limit of time is near when no more than this is left of it."""
NEAR_LOSS = 80
"""A limit of loss is near when so many in a hundred of it are lost."""


class LimitCode(Reason):
    """A reason why a patron may not play, or not as asked."""

    DISABLED = "disabled", "The patron's account is disabled."
    EXCLUDED = "excluded", "The patron is excluded from play."
    OWN_TIME_LIMIT = "own_time_limit", "The patron has played as long as they set for a day."
    OWN_STAKE_LIMIT = "own_stake_limit", "The stake is above what the patron set for one."
    OWN_LOSS_LIMIT = (
        "own_loss_limit",
        "The stake could lose more than the patron set for a day.",
    )


class LimitRefusal(msgspec.Struct, frozen=True):
    """The house says no to a patron before a stream is asked; nothing is recorded."""

    code: LimitCode
    sentence: str

    def __str__(self) -> str:
        return self.sentence


class Barred(msgspec.Struct, frozen=True):
    """Why a patron may not begin to play, and until when."""

    code: LimitCode
    sentence: str
    until: datetime | None
    """None: without an end."""
    since: datetime | None
    """From when on somebody is excluded; None: it is no exclusion that bars."""


class Near(msgspec.Struct, frozen=True):
    """A limit of one's own that is nearly used up, or quite."""

    limit: OwnLimit
    value: int
    """Cents of a loss, minutes of a time, as the patron set it."""
    left: int
    """What of it was neither lost nor played; stakes in play are not lost. 0: it is reached."""
    until: datetime
    """When the gaming day is over, for which it holds."""


class Left(msgspec.Struct, frozen=True):
    """What exclusions and own limits leave a patron at a moment."""

    barred: Barred | None
    """By ``own_time_limit`` a round in which the patron has a stake may still be played."""
    stake_cents: int | None
    """What a whole stake may be; None: no own limit."""
    loss_cents: int | None
    """What may still be put down, stakes in play taken off; None: no own limit."""
    near: tuple[Near, ...]
    """Limits of which the patron is told before they are reached."""


class Today(msgspec.Struct, frozen=True):
    """What a patron has done on the gaming day, at all tables together."""

    ends: datetime
    """When the gaming day is over."""
    played: timedelta = timedelta()
    """How long the patron was seated anywhere."""
    won_cents: int = 0
    """What was won by the pay lists that stand; negative: what was lost."""
    in_play_cents: int = 0
    """Stakes whose rounds are not settled."""


class Staking(msgspec.Struct, frozen=True):
    """A stake that a patron wants to put down, or to raise."""

    cents: int
    held_cents: int = 0
    """What of it the patron has down already."""
    in_round: bool = False
    """The patron has a stake in this round."""


def refusal(
    accounts: Accounts,
    patron: str,
    today: Today,
    moment: datetime,
    staking: Staking | None = None,
) -> LimitRefusal | None:
    """Say why a patron may not play, or put down a stake; None: nothing is in the way.

    Somebody whom the accounts do not know has no limits.
    """
    user = accounts.users.get(patron)
    if user is None:
        return None
    barred = _barred(accounts, user, patron, moment)
    if barred is not None or staking is None:
        return barred
    return (
        _time(user, patron, today, moment, staking)
        or _stake(user, patron, moment, staking)
        or _loss(user, patron, today, moment, staking)
    )


def left(accounts: Accounts, patron: str, today: Today, moment: datetime) -> Left:
    """Say what a patron may still do, as ``refusal`` judges it."""
    user = accounts.users.get(patron)
    assert user is not None, "nobody has limits without an account"
    why, until, since = _barred(accounts, user, patron, moment), None, None
    if why is None:
        why, until = _time(user, patron, today, moment, Staking(0)), today.ends
    elif (exclusion := accounts.excluded(patron, moment)) is not None:
        until, since = exclusion.until, exclusion.since
    barred = None if why is None else Barred(why.code, why.sentence, until, since)
    most = user.limit(OwnLimit.LOSS, moment)
    loss = None if most is None else max(0, _loss_left(most, today))
    near = _near(user, today, moment)
    return Left(barred, user.limit(OwnLimit.STAKE, moment), loss, near)


def _near(user: User, today: Today, moment: datetime) -> tuple[Near, ...]:
    minutes, most = user.limit(OwnLimit.TIME, moment), user.limit(OwnLimit.LOSS, moment)
    found = []
    if minutes is not None and (left := minutes - today.played // MINUTE) <= NEAR_MINUTES:
        found.append(Near(OwnLimit.TIME, minutes, max(0, left), today.ends))
    if most is not None and -100 * today.won_cents >= NEAR_LOSS * most:
        found.append(Near(OwnLimit.LOSS, most, max(0, most + today.won_cents), today.ends))
    return tuple(found)


def _barred(
    accounts: Accounts, user: User, patron: str, moment: datetime
) -> LimitRefusal | None:
    if not user.enabled:
        why = f"The account of patron {patron} is disabled; staff clear the seat, and the cage"
        why += " pays the wallet out."
        return LimitRefusal(LimitCode.DISABLED, why)
    exclusion = accounts.excluded(patron, moment)
    if exclusion is None:
        return None
    until = "without an end" if exclusion.until is None else f"until {_at(exclusion.until)}"
    why = f"Patron {patron} is excluded from play {until}; leaving and cashing out are allowed."
    return LimitRefusal(LimitCode.EXCLUDED, why)


def _time(
    user: User, patron: str, today: Today, moment: datetime, staking: Staking
) -> LimitRefusal | None:
    minutes = user.limit(OwnLimit.TIME, moment)
    if minutes is None or staking.in_round or today.played < minutes * MINUTE:
        return None
    why = f"Patron {patron} has played {today.played // MINUTE} minutes of the {minutes} that"
    why += f" they set for a gaming day; the next one begins {_at(today.ends)}."
    return LimitRefusal(LimitCode.OWN_TIME_LIMIT, why)


def _stake(user: User, patron: str, moment: datetime, staking: Staking) -> LimitRefusal | None:
    most = user.limit(OwnLimit.STAKE, moment)
    whole = staking.held_cents + staking.cents
    if most is None or whole <= most:
        return None
    free = dollars(max(0, most - staking.held_cents))
    why = f"A stake of {dollars(whole)} came; patron {patron} set {dollars(most)} for one,"
    return LimitRefusal(LimitCode.OWN_STAKE_LIMIT, f"{why} so {free} may be put down.")


def _loss(
    user: User, patron: str, today: Today, moment: datetime, staking: Staking
) -> LimitRefusal | None:
    most = user.limit(OwnLimit.LOSS, moment)
    if most is None:
        return None
    free = _loss_left(most, today)
    if staking.cents <= free:
        return None
    so_far = "lost" if today.won_cents <= 0 else "won"
    why = f"{dollars(staking.cents)} came; patron {patron} set {dollars(most)} as the most to"
    why += f" lose in a gaming day, has {so_far} {dollars(abs(today.won_cents))} and"
    why += (
        f" {dollars(today.in_play_cents)} in play, so {dollars(max(0, free))} may be put down."
    )
    return LimitRefusal(LimitCode.OWN_LOSS_LIMIT, why)


def _loss_left(most: int, today: Today) -> int:
    return most + today.won_cents - today.in_play_cents


def _at(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
