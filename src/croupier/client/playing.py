"""A patron who plays by chance within what is allowed: takes a seat, bets, answers, leaves."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from datetime import datetime
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.client import offers
from croupier.client.errors import Refused, Unavailable
from croupier.table.views.shapes import OwnPart

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from random import Random
    from typing import Any

    from croupier.client.client import Client
    from croupier.client.folding import Subscription, Update
    from croupier.client.offers import Order
    from croupier.client.wire import View

AFTER_REFUSAL_SECONDS: Final = 0.5
CAUGHT_UP_SECONDS: Final = 2.0
SEATS_TRIED: Final = 3
"""Somebody else may take the seat that was free a moment ago."""
BETTING_SECONDS_MAX: Final = 600.0
LOW_UNITS: Final = 10
"""A patron with less than so many times the least stake gets more credit."""
OPEN: Final = "OPEN"


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody plays: how often, how much, how fast."""

    sits_out: float = 0.0
    """The chance of a round without a wager."""
    more: float = 0.4
    """The chance of one wager more, after each."""
    refuses: float = 0.05
    """The chance of refusing what is offered, or of withdrawing."""
    units_max: int = 5
    """A stake is at most so many times the least."""
    credit_units: int = 200
    """Credit that is brought, in least stakes."""
    thinks_seconds: float = 0.0
    """How long an answer may take."""
    spread: float = 0.0
    """Over which part of the betting time wagers come."""


class Seen(msgspec.Struct):
    """What patrons saw while they played."""

    rounds: int = 0
    accepted: int = 0
    refused: Counter[str] = msgspec.field(default_factory=Counter)
    """By code."""
    staked_cents: int = 0
    won_cents: int = 0
    lost_cents: int = 0
    answers: int = 0
    """Options, shakers, devices and cards that came to somebody's hands."""
    seconds: list[float] = msgspec.field(default_factory=list)
    """From each wager to its answer."""


class Visit:
    """One patron at one table."""

    def __init__(
        self, client: Client, table: str, habits: Habits, chance: Random, seen: Seen
    ) -> None:
        self.client, self.table, self._habits = client, table, habits
        self._chance, self.seen = chance, seen
        self.rounds = 0
        """Rounds that were over while the patron sat here."""
        self._subscription: Subscription | None = None
        self._noted: int | None = None
        self._bets: tuple[int | None, list[float]] = (None, [])
        """The round for which it was decided when to bet, and the moments."""
        self._poor = False

    # Coming

    async def sit(self) -> bool:
        """Take a seat, or find the one that was taken; tell whether there is one."""
        self._subscription = self.client.subscribe(f"table:{self.table}")
        view = await self._subscription.until(bool)
        self._noted = _newest(view)
        for _ in range(SEATS_TRIED):
            own = _own(self._subscription.view)
            one = offers.opened(own).get("take_seat")
            if own.seat is not None or one is None:
                return own.seat is not None
            taken = self._subscription.view["seats"]
            if await self._give(offers.seat(one, taken, self._chance)):
                await self._subscription.until(lambda view: view["own"]["seat"] is not None)
                return True
        return False

    def close(self) -> None:
        """Hear no more of the table; the seat stays."""
        if self._subscription is not None:
            self._subscription.close()

    # Playing

    async def play(self, stop: asyncio.Event, rounds: int | None = None) -> None:
        """Play until it is enough: so many rounds, told to stop, or no money left."""
        while not stop.is_set() and not self._poor and (rounds is None or self.rounds < rounds):
            view = self._reading.view
            own = _own(view)
            order = offers.answer(own, self._chance, self._habits.refuses)
            if order is not None:
                await self._think(stop)
                await self._answer(order)
            elif own.seat is None:
                return
            elif self._is_low(view, own):
                await self._bring_credit(view)
            else:
                await self._bet_or_wait(view, own, stop)

    async def leave(self, seconds: float) -> bool:
        """Take stakes back while that is allowed, leave the seat; tell whether it is left.

        A round in progress is waited for, and what the patron is asked is answered.
        """
        end = monotonic() + seconds
        while monotonic() < end:
            own = _own(self._reading.view)
            if own.seat is None:
                return True
            may = offers.opened(own)
            order = offers.answer(own, self._chance, 0.0)
            if order is None and "leave_seat" in may:
                order = {"type": "leave_seat"}
            elif order is None and "remove_wager" in may and own.stakes:
                order = {"type": "remove_wager", "stake": own.stakes[0].number}
            if order is None:
                await self._changed(end - monotonic())
            else:
                await self._give(order)
        return False

    @property
    def _reading(self) -> Subscription:
        assert self._subscription is not None, "nobody sits here"
        return self._subscription

    async def _bet_or_wait(self, view: View, own: OwnPart, stop: asyncio.Event) -> None:
        due = self._due(view)
        wait = None if due is None else due - monotonic()
        if wait is None or wait > 0:
            await self._changed(wait, stop)
            return
        self._bets[1].pop(0)
        order = offers.wager(own, self._chance, self._habits.units_max)
        if order is not None:
            await self._place(order, view["round"])

    def _due(self, view: View) -> float | None:
        """Return when the next wager of this round is due; None: no more."""
        if view["phase"] != OPEN or view["hold"] is not None:
            return None
        if self._bets[0] != view["round"]:
            self._bets = (view["round"], self._moments(view))
        return self._bets[1][0] if self._bets[1] else None

    def _moments(self, view: View) -> list[float]:
        """Decide when to bet in a round; never: sit it out."""
        habits, chance = self._habits, self._chance
        if chance.random() < habits.sits_out:
            return []
        count = 1
        while chance.random() < habits.more:
            count += 1
        spread = habits.spread * _betting_seconds(view, self._reading.now)
        return sorted(monotonic() + chance.uniform(0.0, spread) for _ in range(count))

    # Money

    def _is_low(self, view: View, own: OwnPart) -> bool:
        return own.credit_cents < LOW_UNITS * _least(view) and not own.in_play_cents

    async def _bring_credit(self, view: View) -> None:
        """Send credit from the wallet to the seat; whoever has too little is done."""
        wanted = self._habits.credit_units * _least(view)
        wallet = await self.client.wallet()
        cents = min(wanted, wallet.cents)
        if cents < LOW_UNITS * _least(view):
            self._poor = True
            return
        command = {"type": "send_to_table", "table": self.table, "cents": cents}
        try:
            await self.client.cage(command)
        except Refused as error:
            self._refused(error)
            self._poor = True
            return
        with contextlib.suppress(Unavailable):
            reading = self._reading
            await reading.until(lambda view: not self._is_low(view, _own(view)), 2.0)

    # Commands

    async def _place(self, order: Order, number: int) -> None:
        begun, own = perf_counter(), self._reading.view["own"]
        try:
            answer = await self.client.command(self.table, order, round=number)
        except Refused as error:
            self._refused(error)
            return
        self.seen.seconds.append(perf_counter() - begun)
        self.seen.accepted += 1
        self.seen.staked_cents += order["cents"]
        await self._caught_up(answer.sequence, own)

    async def _answer(self, order: Order) -> None:
        may = offers.opened(_own(self._reading.view))
        if order["type"] in may and await self._give(order):
            self.seen.answers += 1

    async def _give(self, order: Order) -> bool:
        """Give a command; what is refused is counted, and not tried again at once."""
        own = self._reading.view["own"]
        try:
            answer = await self.client.command(self.table, order)
        except Refused as error:
            self._refused(error)
            await self._changed(AFTER_REFUSAL_SECONDS)
            return False
        await self._caught_up(answer.sequence, own)
        return True

    def _refused(self, error: Refused) -> None:
        if error.problem.status in (401, 403):
            raise error
        self.seen.refused[error.code] += 1

    # What comes

    async def _think(self, stop: asyncio.Event) -> None:
        if self._habits.thinks_seconds:
            seconds = self._chance.uniform(0.2, 1.0) * self._habits.thinks_seconds
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await stop.wait()

    async def _caught_up(self, sequence: int, own: object) -> None:
        """Wait until the own part is another, or the view shows what was just done."""
        end, reading = monotonic() + CAUGHT_UP_SECONDS, self._reading
        while reading.view["own"] is own and reading.sequence < sequence:
            if monotonic() > end:
                return
            await self._changed(end - monotonic())

    async def _changed(
        self, seconds: float | None = None, stop: asyncio.Event | None = None
    ) -> None:
        """Wait until something is different, for so long at most, and take note of rounds."""
        wait = self._reading.next(seconds)
        if stop is None:
            update = await wait
        else:
            update = await _unless(stop, wait)
        while update is not None:
            self._note(update.view)
            update = await self._reading.next(0)

    def _note(self, view: View) -> None:
        """Count rounds that are over, and what the own lines of the newest say."""
        for result in view["results"]:
            if self._noted is not None and result["round"] <= self._noted:
                continue
            self._noted = result["round"]
            self.rounds += 1
            self.seen.rounds += 1
            lines = view["own"]["lines"] if view["round"] == self._noted else ()
            for line in lines:
                won = line["won_cents"]
                self.seen.won_cents += max(won, 0)
                self.seen.lost_cents += max(-won, 0)


async def _unless(
    stop: asyncio.Event, wait: Coroutine[Any, Any, Update | None]
) -> Update | None:
    """Wait for an update unless somebody stops."""
    stopped, update = asyncio.ensure_future(stop.wait()), asyncio.ensure_future(wait)
    try:
        await asyncio.wait({stopped, update}, return_when=asyncio.FIRST_COMPLETED)
        return update.result() if update.done() else None
    finally:
        stopped.cancel()
        update.cancel()


def _own(view: View) -> OwnPart:
    return msgspec.convert(view["own"], OwnPart)


def _newest(view: View) -> int | None:
    """Return the last round that was over when somebody came."""
    return max((result["round"] for result in view["results"]), default=0)


def _least(view: View) -> int:
    """Return the least stake on Player or Banker."""
    least: int = view["rules"]["limits"]["minimum_cents"]
    return least


def _betting_seconds(view: View, now: datetime) -> float:
    """Return how long bets are open from now on; 0 where nobody knows."""
    if view["closes_at"] is None:
        return 0.0
    left = (datetime.fromisoformat(view["closes_at"]) - now).total_seconds()
    return left if 0 < left < BETTING_SECONDS_MAX else 0.0
