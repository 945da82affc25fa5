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
    left = dollars(max(0, most - staking.held_cents))
    why = f"A stake of {dollars(whole)} came; patron {patron} set {dollars(most)} for one,"
    return LimitRefusal(LimitCode.OWN_STAKE_LIMIT, f"{why} so {left} may be put down.")


def _loss(
    user: User, patron: str, today: Today, moment: datetime, staking: Staking
) -> LimitRefusal | None:
    most = user.limit(OwnLimit.LOSS, moment)
    if most is None:
        return None
    left = most + today.won_cents - today.in_play_cents
    if staking.cents <= left:
        return None
    so_far = "lost" if today.won_cents <= 0 else "won"
    why = f"{dollars(staking.cents)} came; patron {patron} set {dollars(most)} as the most to"
    why += f" lose in a gaming day, has {so_far} {dollars(abs(today.won_cents))} and"
    why += (
        f" {dollars(today.in_play_cents)} in play, so {dollars(max(0, left))} may be put down."
    )
    return LimitRefusal(LimitCode.OWN_LOSS_LIMIT, why)


def _at(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
