"""A process that serves a demo house for tests of its door, and tells what only it can know.

``python -m tests.floor.guard_worker FOLDER OPTIONS``. On every line of its input it does one
thing and prints one line of JSON: where every stream is (``heads``), what authority says to a
command (``verdict``), that time passed for people (``pass_by``), or what of shoes is secret.
"""

from __future__ import annotations

import asyncio
import functools
import json
import os
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec

from croupier import __version__
from croupier.accounts import authority as of_accounts
from croupier.accounts import commands as a
from croupier.accounts.commands import UserKind
from croupier.cage import authority as of_cage
from croupier.cage import commands as cage
from croupier.floor.configuration import Seconds
from croupier.floor.demo import found_demo
from croupier.floor.desk import Request
from croupier.floor.floor import Floor
from croupier.floor.founding import FOUNDER
from croupier.floor.house import SHOE_KEYS
from croupier.floor.people import People
from croupier.floor.running import run
from croupier.floor.server import Ready, Running, bind, write_ready
from croupier.floor.sessions import Settings
from croupier.floor.wire import KINDS, Place
from croupier.journal.decision import now
from croupier.journal.loading import decisions_of
from croupier.journal.seal import KeyBox, open_card
from croupier.rules.shoe import Shoe
from croupier.table import authority as of_tables
from croupier.table import commands as c
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import HouseStaff
from croupier.uuids import uuid7
from tests.floor.guarding import ACTING, CANARIES, EXTRA, PASSWORD


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a test sets."""

    deals: bool = False
    settings: Settings = Settings()
    betting: float = 1.0
    stacked: bool = False
    """Whether shoes are stacked, so that a face betrays the card that it is on."""
    screens: str = "nowhere"
    """The folder of the pages."""


def stack_shoes() -> None:
    """Stack every shoe: first each face once, then more of them, canaries last.

    As long as only the first cards are drawn, a face that is named somewhere is one card of
    the shoe and no other; and a canary is a card that nobody can have seen.
    """
    shuffled = Shoe.shuffled

    def stacked(self: Shoe, below: Any) -> Shoe:  # noqa: ANN401  # a source of chance
        first, more, last = [], [], []
        for card in shuffled(self, below).cards:
            if card.text.endswith(CANARIES):
                last.append(card)
            elif card in first:
                more.append(card)
            else:
                first.append(card)
        return Shoe((*first, *more, *last))

    Shoe.shuffled = stacked  # type: ignore[method-assign]


class Worker:
    """A floor that a test asks beside the API."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor

    def answer(self, asked: dict[str, Any]) -> Any:  # noqa: ANN401  # JSON
        return getattr(self, asked.pop("ask"))(**asked)

    def heads(self) -> dict[str, int]:
        house = self.floor.house
        seats = [house.cage.seat, house.accounts.seat]
        seats += [desk.seat for desk in house.tables.values()]
        return {seat.name: seat.sequence for seat in seats}

    def streams(self) -> int:
        return len(self.floor.hub.clients)

    def pass_by(self, seconds: float) -> None:
        PASSED.append(seconds)

    def verdict(self, where: str, name: str, command: Any) -> str | None:  # noqa: ANN401
        """Return as what a stream's authority refuses somebody; None: they may."""
        house = self.floor.house
        moment, actor = house.clock(), house.accounts.accounts.actor(name, house.clock())
        assert actor is not None, name
        place, _ = self.floor.reception.place(where)
        read = msgspec.convert(command, _union(place))
        refusal: Any = None
        if place is Place.CAGE:
            refusal = of_cage.authorise(cage.Envelope(read, actor, moment))
        elif place is Place.ACCOUNTS:
            accounts = house.accounts.accounts
            refusal = of_accounts.authorise(accounts, a.Envelope(read, actor, moment))
        else:
            table = house.tables[where].table
            if table.plan is None:
                opens = isinstance(read, c.OpenTable)
                return None if opens else str(Code.TABLE_NOT_OPEN.value)
            if isinstance(read, c.OpenTable):
                return str(Code.TABLE_ALREADY_OPEN.value)
            by = of_tables.authorise(table, c.Envelope(read, actor, moment))
            refusal = by if isinstance(by, Refusal) else None
            assert refusal is not None or not isinstance(actor, HouseStaff)
        return None if refusal is None else f"{refusal.code.value}"

    async def secrets(self, tables: list[str]) -> dict[str, Any]:
        """Return what of the shoes in play nobody may know, and when which card was exposed.

        All cards that may be drawn are looked at, and some of those that are far behind.
        """
        house, found = self.floor.house, {}
        for name in tables:
            desk = house.tables[name]
            head = desk.seat.sequence
            seal = desk.seat.state.sealed
            if seal is None:
                continue
            key, cards = KeyBox(house.folder / SHOE_KEYS).key(seal.seal), []
            for number in (*range(48), *range(48, seal.cards, 9)):
                kept = await house.store.sealed(seal.seal, number)
                card = open_card(seal.seal, number, kept, key)
                cards.append((number, card.card, card.salt.hex(), kept.hex()))
            exposed = [
                (decision.sequence, opening.number, opening.card)
                async for decision in decisions_of(house.store, desk.stream)
                for opening in decision.house.openings
                if opening.seal == seal.seal
            ]
            found[name] = {
                "head": head,
                "key": key.hex(),
                "cards": cards,
                "exposed": exposed,
            }
        return found

    def examples(self) -> dict[str, Any]:
        """Return the settings of a table, by which one would be opened."""
        table = self.floor.house.tables["tiger"].table
        assert table.plan is not None
        return dict(msgspec.to_builtins(table.plan.settings))


def _union(place: Place) -> Any:  # noqa: ANN401  # a type
    return functools.reduce(lambda one, other: one | other, KINDS[place])  # type: ignore[arg-type, return-value]


PASSED = [0.0]


def _monotonic() -> float:
    return time.monotonic() + sum(PASSED)


async def _add_people(floor: Floor) -> None:
    """Add whom the demo does not have: without a position, acting, disabled."""
    desk, moment = floor.house.accounts, floor.house.clock()
    commands: list[a.AccountsCommand] = []
    for name, kind, position in EXTRA:
        if desk.accounts.users.get(name) is None:
            commands.append(a.AddUser(name, UserKind(kind), position))
    for command in commands:
        reply = await desk.submit(Request(uuid7(), FOUNDER, command))
        assert reply.refusal is None, reply.refusal
    administrator = desk.accounts.actor("administrator", moment)
    assert administrator is not None
    for name, position in ACTING if commands else ():
        let = a.LetAct(name, position, moment, moment + timedelta(hours=12))
        reply = await desk.submit(Request(uuid7(), administrator, let))
        assert reply.refusal is None, reply.refusal
    names = [name for name, _, _ in EXTRA if not await floor.people.has_password(name)]
    assert await floor.people.set_passwords(dict.fromkeys(names, PASSWORD)) is None


async def _tell(worker: Worker, asked: dict[str, Any]) -> None:
    try:
        answer = worker.answer(asked)
        if asyncio.iscoroutine(answer):
            answer = await answer
    except Exception as error:  # noqa: BLE001  # the test fails, and not by waiting
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)  # noqa: T201


async def serve(folder: Path, options: Options) -> None:
    """Serve until a signal comes."""
    People.open = functools.partial(  # type: ignore[method-assign]
        People.open,
        monotonic=_monotonic,
        clock=lambda: now() + timedelta(seconds=sum(PASSED)),
    )
    if options.stacked:
        stack_shoes()
    listening = bind("127.0.0.1", 0)
    floor = await Floor.open(
        folder / "house",
        settings=options.settings,
        clocks=Seconds(options.betting, 0.2, 0.02, 0.5),
    )
    try:
        logins = await found_demo(floor)
        await _add_people(floor)
        if not options.deals:
            floor.house.drive = lambda: None  # type: ignore[method-assign]
        floor.start()
    except BaseException:
        await floor.close()
        raise
    running = Running(floor, listening, screens=Path(options.screens))
    await running.start()
    worker = Worker(floor)

    def said() -> None:
        line = sys.stdin.readline()
        if line:
            floor.spawn(_tell(worker, json.loads(line)))
        else:
            asyncio.get_running_loop().remove_reader(sys.stdin)

    asyncio.get_running_loop().add_reader(sys.stdin, said)
    write_ready(folder / "ready", Ready(running.url, os.getpid(), __version__, logins))
    await running.wait()
    await running.close()


if __name__ == "__main__":
    run(serve(Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=Options)))
