"""Rounds of all eleven games, played by people who ask again until they have an answer.

A :class:`Script` says which game is played at which table, who wagers what, and how the
cards come. :class:`People` are everybody around one table: they look at the table, bring what
comes next to its desk, and remember what they asked for and what they were told. They live
longer than any desk: when the house has stopped and started again, they first repeat, under
the same identification, whatever they got no answer to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import cache, wraps
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource
from croupier.journal import ledger
from croupier.journal.codec import Start, Started
from croupier.journal.decision import person
from croupier.journal.errors import PoisonedError
from croupier.journal.loading import decisions_of
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import GAMES, RULEBOOKS, find_game
from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.authority import needs
from croupier.table.evolve import fold
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.rulings import Situation
from croupier.table.settings import Method, Settings
from croupier.table.state import HoldKind, Phase, unopened
from tests.deals import in_deck_of
from tests.table.floor import ASSISTANT, HIGH_LIMIT_ROOM, MANAGER, NOW, SUPERVISOR, Floor
from tests.table.machine_finish import next_command

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Iterator, Mapping
    from datetime import datetime

    from croupier.floor.desk import Reply
    from croupier.journal.decision import Decision
    from croupier.journal.errors import JournalError
    from croupier.journal.frames import Frame
    from croupier.journal.store import Store
    from croupier.journal.tables import CardSource
    from croupier.table.roles import Actor
    from croupier.table.state import Table

TEST_SECONDS_MAX = 600
PATRONS = ("ann", "bob", "cyd")
CREDIT = 10_000_00
BURSTS_MAX = 150
"""More than any of these games needs from anywhere to its end."""

STAFF = {
    StaffPosition.DEALER: Staff("Dan", StaffPosition.DEALER),
    StaffPosition.PIT_SUPERVISOR: SUPERVISOR,
    StaffPosition.PIT_MANAGER: MANAGER,
    StaffPosition.ASSISTANT_CASINO_MANAGER: ASSISTANT,
    StaffPosition.GAMING_SHIFT_MANAGER: Staff("Gil", StaffPosition.GAMING_SHIFT_MANAGER),
}

BOTH_DRAW = "2C KH KD 3S 3H 4C"
"""Player draws on 2 to 5, Banker draws on 3 to 7 and wins."""
NATURAL = "9C 2H KD 3S"
PAIRS_AND_TIE = "3D 3H 3D 3C JC QD"
"""Two precious pairs of threes, and a tie on 6; nobody draws."""
BANKER_SIX = "2H 2C JD 4D TD"
"""Player draws on 2 and stays there; Banker wins with 6."""

Stakes = tuple[tuple[str, str, int], ...]
Until = Phase | int | Callable[["Table"], bool] | None


class Script(NamedTuple):
    """A table, what is staked at it, and the cards that come out of its device."""

    name: str
    settings: Settings
    stakes: Stakes
    cards: tuple[str, ...] = ()
    """In the order of the shoe; none: the table's own source has them."""
    die: int = 3
    rounds: int = 1
    withdraws: tuple[str, ...] = ("bob",)
    """Patrons who take the option to withdraw when there is one."""
    corrects: tuple[Position, str] | None = None
    """A card that is put right once its round is settled, and its right face."""

    @property
    def game(self) -> str:
        """Return the slug of the game."""
        return self.settings.game

    @property
    def code(self) -> str:
        """Return the rulebook's code."""
        return self.settings.rulebook


def settings_for(game: str, method: str | None = None, **others: object) -> Settings:
    """Return settings under which a table of a game opens."""
    code = find_game(game).edition.code
    if code in ("BAC8", "FF3"):
        others["method"] = Method(method or "B")
    if code == "FF3":
        others["positions"] = 5
    if method == "C":
        others["room"] = HIGH_LIMIT_ROOM
    return Settings(rulebook=code, game=game, **others)  # type: ignore[arg-type]


def stakes_for(game: str) -> Stakes:
    """Put something on every wager: ann on Player's, bob on Banker's, cyd on the others."""
    stakes = []
    for number, wager in enumerate(find_game(game).wagers, 1):
        side = wager.slug.partition("-")[0]
        patron = {"player": "ann", "banker": "bob"}.get(side, "cyd")
        main = wager.slug in ("player", "banker")
        stakes.append(
            (patron, wager.slug, 400_00 + 100_00 * number if main else 10_00 * number)
        )
    return tuple(stakes)


def script(
    game: str, method: str | None = None, cards: str = BOTH_DRAW, **others: object
) -> Script:
    """Return a script of a game; the cards are those of the 52-card deck."""
    name = f"{game}-{method}" if method else game
    faces = tuple(in_deck_of(game, cards).split())
    return Script(name, settings_for(game, method), stakes_for(game), faces, **others)  # type: ignore[arg-type]


SLUGS = tuple(game.slug for game in GAMES)
METHODS: tuple[tuple[str, str | None], ...] = (
    *((slug, None) for slug in SLUGS),
    ("baccarat", "A"),
    ("baccarat", "C"),
    ("fa-fa-fabulous-4", "A"),
    ("fa-fa-fabulous-4", "C"),
)
"""All eleven games, and the methods in which cards lie face down or patrons draw."""
SCRIPTS = {one.name: one for one in (script(game, method) for game, method in METHODS)}

UNPAID = ("baccarat", "fa-fa-fabulous-4", "fortune-six-tournament", "power-98")
"""A game of each rulebook in which a Dealer confirms the payment."""


def misread(game: str, cards: str, place: Position, face: str) -> Script:
    """Return a script in which a card turns out to be another when the round is settled."""
    right = in_deck_of(game, face)
    return script(game, None, cards)._replace(corrects=(place, right))


MISREAD = {
    f"{game}-{name}": one
    for game in UNPAID
    for name, one in (
        ("natural", misread(game, BOTH_DRAW, Position.P2, "7D")),
        ("draws", misread(game, f"{NATURAL} 3H 4C", Position.P1, "2C")),
    )
}
"""A natural was hidden, and third cards lie there; or one was none, and cards are due."""


class People:
    """Everybody around one table, and what they asked for and were told."""

    def __init__(self, script: Script, prefix: str = "") -> None:
        self.script = script
        self.asked: dict[str, Request] = {}
        self.replies: dict[str, Reply] = {}
        self.open: dict[str, Request] = {}
        """What was asked for and not answered."""
        self._prefix = prefix or script.name
        self._tried: set[int] = set()
        self._withdrawn: dict[int, set[str]] = {}

    # Asking

    def request(self, table: Table, command: c.Command, cards: tuple[str, ...] = ()) -> Request:
        """Return a command as the right person brings it."""
        plan = table.plan
        assert plan is not None
        need = needs(table, command)
        actor: Actor = System()
        if need.patron is not None:
            actor = Patron(need.patron)
        elif need.position is not None and not need.house_deals:
            actor = STAFF[need.position]
        approver = None
        if need.approval is not None:
            approver = Staff("Ivo", getattr(plan.settings.approvals, need.approval))
        die = self.script.die if isinstance(command, c.AnnounceDie) else None
        return self.named(command, actor, approver=approver, cards=cards, die=die)

    def named(
        self,
        command: c.Command,
        actor: Actor,
        *,
        approver: Staff | None = None,
        cards: tuple[str, ...] = (),
        die: int | None = None,
    ) -> Request:
        """Give a command the next identification."""
        number = len(self.asked) + 1
        name = f"{self._prefix}-{number}"
        made = Request(name, actor, command, approver, cards, die)
        self.asked[name] = made
        return made

    async def ask(self, desk: Desk, request: Request) -> Reply:
        """Bring a command; it stays open until there is an answer."""
        self.open[request.command_id] = request
        reply = await desk.submit(request)
        self.told(request, reply)
        return reply

    def told(self, request: Request, reply: Reply) -> None:
        """Note an answer; a second one must be the same."""
        known = self.replies.setdefault(request.command_id, reply)
        assert known == reply, f"{request} got two answers: {known} and {reply}"
        self.open.pop(request.command_id, None)

    async def repeat(self, desk: Desk) -> None:
        """Bring everything again that got no answer, all at once."""
        await asyncio.gather(*[self.ask(desk, one) for one in list(self.open.values())])

    async def play(self, desk: Desk, until: Until = None) -> None:
        """Play on until a phase, so many cards, something else, or the end."""
        await self.repeat(desk)
        for _ in range(BURSTS_MAX):
            if _is_there(desk.table, until):
                return
            burst = self.next(desk.table)
            if not burst:
                return
            replies = await asyncio.gather(*[self.ask(desk, one) for one in burst])
            assert any(reply.accepted for reply in replies), replies
        message = f"the game does not end: {desk.table.phase} {desk.table.hold}"
        raise AssertionError(message)

    # What comes next

    def next(self, table: Table) -> list[Request]:
        """Return what is asked for next, all at the same time; nothing at the end."""
        before = self._before(table)
        if before:
            return before
        if table.hold is not None and table.hold.kind is HoldKind.WITHDRAWAL:
            return self._answers(table)
        if table.hold is None and table.between_rounds:
            return self._between(table)
        if table.hold is None and self._misread(table):
            assert self.script.corrects is not None
            place, face = self.script.corrects
            return [self.request(table, c.CorrectCard(place, "misread"), (face,))]
        if table.hold is None and table.phase is Phase.OPEN:
            missing = self._missing(table)
            if missing:
                return missing
        command = next_command(table)
        if isinstance(command, c.PassHand):
            # Nobody wants the cards, and the Dealer turns them up.
            command = c.RefuseHand(command.side, command.patron)
        return [self.request(table, command, self._faces(table, command))]

    def _misread(self, table: Table) -> bool:
        """Tell whether a pay list lies there that was made of a wrong face."""
        if self.script.corrects is None or table.phase is not Phase.SETTLED:
            return False
        place, face = self.script.corrects
        return any(
            dealt.position is place and dealt.card is not None and dealt.card.text != face
            for dealt in (table.round.cards if table.round else ())
        )

    def _before(self, table: Table) -> list[Request]:
        """Return what comes before the first round."""
        if table.plan is None:
            opener = ASSISTANT if self.script.settings.method is Method.C else MANAGER
            return [self.named(c.OpenTable(self.script.settings), opener)]
        if table.shoe is None:
            return [self.request(table, c.LoadShoe("first"))]
        if table.rounds or table.round is not None:
            return []
        away = [patron for patron in PATRONS if patron not in table.seats]
        if away:
            return [
                self.request(table, c.TakeSeat(patron, PATRONS.index(patron) + 1))
                for patron in away
            ]
        return [
            self.request(table, c.BringCredit(patron, CREDIT))
            for patron in PATRONS
            if not table.credits.get(patron)
        ]

    def _between(self, table: Table) -> list[Request]:
        assert table.shoe is not None
        if table.shoe.ended:
            return []
        if table.replacement_due:
            return [self.request(table, c.DecideReplacement(replace=False))]
        if sum(not result.void for result in table.results) >= self.script.rounds:
            return [self.request(table, c.EndShoe())]
        return [self.request(table, c.CallBets())]

    def _missing(self, table: Table) -> list[Request]:
        """Return the wagers that nobody has placed yet, and once one that is refused."""
        assert table.round is not None
        number = table.round.number
        gone = self._withdrawn.get(number, set())
        there = {
            (share.patron, stake.wager) for stake in table.stakes for share in stake.shares
        }
        wagers: list[c.Command] = [
            c.PlaceWager(patron, wager, cents)
            for patron, wager, cents in self.script.stakes
            if (patron, wager) not in there and patron not in gone
        ]
        if wagers and number not in self._tried:
            self._tried.add(number)
            wagers.insert(1, c.PlaceWager("cyd", "tie", 2 * CREDIT))
        return [self.request(table, wager) for wager in wagers]

    def _answers(self, table: Table) -> list[Request]:
        assert table.hold is not None
        assert table.round is not None
        asked = [one for one in table.hold.patrons if one not in table.hold.answers]
        leave = [one for one in asked if one in self.script.withdraws]
        keep = [one for one in asked if one not in self.script.withdraws]
        self._withdrawn.setdefault(table.round.number, set()).update(leave)
        answers: list[c.Command] = [c.Withdraw(one) for one in leave]
        # One of them stays silent, and the option is ended over that.
        answers += [c.KeepWagers(one) for one in keep[:-1]]
        answers = answers or [c.EndOption()]
        return [self.request(table, answer) for answer in answers]

    def _faces(self, table: Table, command: c.Command) -> tuple[str, ...]:
        """Return what the device reads: the card of this number in its shoe."""
        assert table.shoe is not None
        if not isinstance(command, c.DrawCard) or not self.script.cards:
            return ()
        return (self.script.cards[table.shoe.out % len(self.script.cards)],)


def _is_there(table: Table, until: Until) -> bool:
    if until is None or isinstance(until, Phase):
        return table.phase is until
    if isinstance(until, int):
        play = table.round
        return play is not None and len(play.cards) >= until and table.hold is None
    return until(table)


def looped(test: Callable[..., Coroutine[object, object, None]]) -> Callable[..., None]:
    """Run a test that is a coroutine in an event loop of its own, and not for ever."""

    @wraps(test)
    def run(*values: object, **named: object) -> None:
        async def limited() -> None:
            await asyncio.wait_for(test(*values, **named), TEST_SECONDS_MAX)

        asyncio.run(limited())

    return run


class Clock:
    """A clock of the tests' own: a second passes whenever somebody looks."""

    def __init__(self) -> None:
        self._moment = NOW

    def __call__(self) -> datetime:
        self._moment += timedelta(seconds=1)
        return self._moment


class Life:
    """One run of the house at a table: it ends in order, or from one moment to the next."""

    def __init__(self, store: Store, source: CardSource | None = None, name: str = "1") -> None:
        self.writer = Writer(store, clock=Clock())
        self.desk = Desk(self.writer, name, RULEBOOKS, source or DeviceSource())
        self._before = asyncio.all_tasks()

    async def start(self) -> Desk:
        """Start the desk."""
        await self.desk.start()
        return self.desk

    async def drop(self) -> None:
        """Stop everything that was begun in this life, wherever it is."""
        begun = asyncio.all_tasks() - self._before - {asyncio.current_task()}
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)


class Stop(NamedTuple):
    """At which append of a life everything stops, and where in it."""

    number: int
    where: str
    """before; during: written and not committed; after: committed and not answered."""


class StoppingStore:
    """A store whose process stops at one append: whoever waits for it waits for ever."""

    def __init__(
        self,
        store: Store,
        stop: Stop | None = None,
        halfway: Callable[[Store, Frame], Coroutine[object, object, None]] | None = None,
    ) -> None:
        self._store, self._stop, self._halfway = store, stop, halfway
        self._gone = False
        self._on_their_way: set[asyncio.Future[Mapping[str, JournalError]]] = set()
        self.appends = 0
        self.stopped = asyncio.Event()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a store can do
        return self._never if self._gone else getattr(self._store, name)

    def append(self, frame: Frame) -> asyncio.Future[Mapping[str, JournalError]]:
        """Append, or stop on the way; what comes behind a stop never reaches the store."""
        self.appends += 1
        if self._gone:
            return asyncio.ensure_future(self._never())
        if self._stop is None or self._stop.number > self.appends:
            future = asyncio.ensure_future(self._append(frame))
            self._on_their_way.add(future)
            future.add_done_callback(self._on_their_way.discard)
            return future
        self._gone = True
        return asyncio.ensure_future(self._stop_at(frame, self._stop.where))

    async def _append(self, frame: Frame) -> Mapping[str, JournalError]:
        # No store answers at once, so that a burst makes the same frames on all of them.
        await asyncio.sleep(0)
        return await self._store.append(frame)

    async def _never(self, *_: object) -> Any:  # noqa: ANN401  # it is not answered
        return await asyncio.get_running_loop().create_future()

    async def _stop_at(self, frame: Frame, where: str) -> Mapping[str, JournalError]:
        # What was on its way before comes first: it is written in its order.
        if self._on_their_way:
            await asyncio.wait(self._on_their_way)
        if where == "during":
            assert self._halfway is not None
            with suppress(PoisonedError):
                await self._halfway(self._store, frame)
        elif where == "after":
            await self._store.append(frame)
        self.stopped.set()
        never: Mapping[str, JournalError] = await self._never()
        return never


async def goes_on(store: StoppingStore, work: Coroutine[object, object, None]) -> bool:
    """Let something happen; tell whether it came to its end or the house stopped first."""
    doing, stopping = asyncio.ensure_future(work), asyncio.ensure_future(store.stopped.wait())
    await asyncio.wait({doing, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not doing.done():
        return False
    doing.result()
    return True


# What must hold afterwards


class Played(NamedTuple):
    """A round as the journal has it."""

    cards: tuple[str, ...]
    stakes: Stakes
    die: int
    void: bool


def rounds_of(events: Iterable[object]) -> list[Played]:
    """Return the rounds that are over, from the events alone."""
    rounds: list[Played] = []
    stakes: dict[tuple[int, str], tuple[str, str, int]] = {}
    wagers: dict[int, str] = {}
    places: list[Position] = []
    faces: dict[Position, str] = {}
    die = 1
    for event in events:
        if isinstance(event, e.BetsOpened):
            stakes, wagers, places, faces, die = {}, {}, [], {}, 1
        elif isinstance(event, e.WagerPlaced):
            wagers[event.stake] = event.wager
            stakes[event.stake, event.patron] = (event.patron, event.wager, event.cents)
        elif isinstance(event, i.WagersWithdrawn):
            for number in event.stakes:
                del stakes[number, event.patron]
        elif isinstance(event, e.DieAnnounced):
            die = event.die
        elif isinstance(event, e.RoundClosed | i.RoundVoided):
            void = isinstance(event, i.RoundVoided)
            cards = tuple(faces[place] for place in places if place in faces)
            rounds.append(Played(cards, tuple(stakes.values()), die, void))
        else:
            _lay(event, places, faces)
    return rounds


def _lay(event: object, places: list[Position], faces: dict[Position, str]) -> None:
    """Note where cards lie after an event, in the order drawn, and which lie open."""
    if isinstance(event, e.CardDrawn):
        places.append(event.position)
    elif isinstance(event, e.CardExposed):
        faces[event.position] = event.card
    elif isinstance(event, i.CardCorrected):
        faces[event.position] = event.after
    elif isinstance(event, i.CardsReconstructed):
        places[:] = [one.position for one in event.after]
        faces.clear()
        faces.update({one.position: one.card for one in event.after if one.card is not None})


@cache
def won(game: str, played: Played) -> dict[str, int]:
    """Return what each patron wins in a round, by a table that nobody interrupts."""
    if played.void:
        return {}
    floor = Floor(game)
    floor.seat(*PATRONS)
    before = dict(floor.table.credits)
    floor.play(" ".join(played.cards), *played.stakes, die=played.die)
    return {patron: floor.table.credits[patron] - before[patron] for patron in PATRONS}


async def events_of(store: Store, stream: str) -> list[object]:
    """Return all events of a stream, with what the house knew where it belongs."""
    return [fact async for one in decisions_of(store, stream) for fact in facts_of(one)]


def facts_of(one: Decision) -> Iterator[object]:
    """Yield the events of a decision, and what its house knew behind what it belongs to."""
    openings = iter(one.house.openings)
    if one.house.interruption is not None:
        yield one.house.interruption
    for event in one.events:
        if isinstance(event, Started):
            continue
        yield event
        if isinstance(event, e.CardExposed):
            yield from islice(openings, 1)
        elif isinstance(event, e.ShoeLoaded):
            yield from (fact for fact in (one.house.ended, one.house.seal) if fact)
        elif isinstance(event, e.ShoeEnded | e.TableClosed | i.ReplacementDecided):
            yield from (fact for fact in (one.house.ended,) if fact)


async def interruptions_of(store: Store, stream: str) -> int:
    """Return how often a round of a stream was interrupted."""
    found = [one.house.interruption async for one in decisions_of(store, stream)]
    return sum(one is not None for one in found)


async def check_money(store: Store, game: str, table: str = "1") -> list[Played]:
    """Check that every seat holds what was brought and what its rounds gave."""
    played = rounds_of(await events_of(store, f"table:{table}"))
    balances = await store.balances()
    for patron in PATRONS:
        result = sum(won(game, one).get(patron, 0) for one in played)
        assert balances[ledger.seat(table, patron)] == CREDIT + result, patron
    assert balances.get(ledger.stakes(table), 0) == 0
    assert sum(balances.values()) == 0
    return played


async def check_answers(
    store: Store, people: People, stream: str = "table:1", others: Iterable[str] = ()
) -> None:
    """Check that everything told is there, once, and as it was told.

    Every decision is the answer to exactly one command, and says what its sender asked for;
    ``others`` are the commands of somebody else at the table.
    """
    known: dict[tuple[str, str], Decision] = {}
    async for one in decisions_of(store, stream):
        assert (one.actor.key, one.command_id) not in known
        known[one.actor.key, one.command_id] = one
    for name, reply in people.replies.items():
        asked = people.asked[name]
        one = known[person(asked.actor).key, name]  # type: ignore[arg-type]
        assert one.sequence == reply.sequence
        assert one.accepted is reply.accepted
        assert (one.command, one.house.cards, one.house.die) == (
            asked.command, asked.cards, asked.die
        )  # fmt: skip
        assert one.actor == person(asked.actor)  # type: ignore[arg-type]
    # Nobody else asked for anything: the house began its epochs, and that is all.
    left = [one for (_, name), one in known.items() if name not in people.asked]
    left = [one for one in left if not isinstance(one.command, Start)]
    assert sorted(one.command_id for one in left) == sorted(others)


def wanted(code: str, *, established: bool, stakes: bool) -> list[tuple[str, str | None]]:
    """Return what a rulebook says on a failure: what follows, and by which clause."""
    if code == "EB4":
        return [("conclude", "EB4 5.9.2") if established else ("void", "EB4 5.9.1")]
    if code in ("PB6", "F6T2"):
        return [("referral", None)]
    if established:
        return [("conclude", f"{code} 5.17.2")]
    return [("withdrawal", f"{code} 5.17.1") if stakes else ("conclude", f"{code} 5.17")]


def told(events: Iterable[object]) -> list[tuple[str, str | None]]:
    """Return what followed a failure, and by which clause."""
    found: list[tuple[str, str | None]] = []
    for event in events:
        if isinstance(event, i.RoundVoided):
            found.append(("void", event.clause))
        elif isinstance(event, i.HoldPlaced):
            found.append((event.kind, event.clause))
        elif isinstance(event, i.StepTaken):
            found.append((event.step.value, event.clause))
        elif not isinstance(event, i.HoldSuspended | i.HoldResumed):
            assert isinstance(event, i.IrregularityReported)
            assert event.report.situation is Situation.POWER_FAILURE
    return found


async def check_recoveries(store: Store, code: str, stream: str = "table:1") -> int:
    """Check that every interruption has the consequence of its rulebook; count them.

    Who was asked and answered is not asked again before another card or wager.
    """
    table, found = unopened(RULEBOOKS), 0
    asked: object = None
    async for one in decisions_of(store, stream):
        fact = one.house.interruption
        if fact is not None:
            found += 1
            assert isinstance(one.command, Start)
            assert (one.command_id, one.epoch) == (f"start-{fact.epoch}", fact.epoch)
            assert fact.established is table.established
            assert fact.hold == (table.hold.kind.value if table.hold else None)
            stakes = table.in_play > 0 and asked != _lies(table)
            assert isinstance(one.events[0], Started)
            if fact.hold is None:
                due = wanted(code, established=fact.established, stakes=stakes)
                assert told(one.events[1:]) == due, (one.sequence, table.phase, one.events)
        hold = table.hold
        table = fold(table, [event for event in one.events if isinstance(event, e.Event)])
        failed = hold is not None and hold.situation is Situation.POWER_FAILURE
        if failed and any(isinstance(event, i.HoldLifted) for event in one.events):
            asked = _lies(table)
    return found


def _lies(table: Table) -> object:
    """Return what lies on the table, and in whose hands."""
    play = table.round
    if play is None:
        return None
    return play.number, table.phase, play.cards, table.stakes, play.handlers, play.refused


async def check_all(store: Store, people: People, others: Iterable[str] = ()) -> list[Played]:
    """Check all that must hold when the game is over and everybody has an answer."""
    assert not people.open
    await check_answers(store, people, others=others)
    verified = await verify(store, RULEBOOKS)
    assert verified.findings == [], verified.findings
    assert verified.decisions > 0
    await check_recoveries(store, people.script.code)
    return await check_money(store, people.script.game)
