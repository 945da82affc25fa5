"""People of a house, who do things by chance at its tables, its cage and its accounts.

They outlive the house: it stops, its medium is away, it starts again, and they go on. What they
ask may be refused, or never answered; in the end everybody goes home, the tables are closed
and counted, and all that patrons hold is in wallets and on tickets.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.accounts import commands as accounts
from croupier.accounts.authority import FOUNDER
from croupier.cage import commands as cage
from croupier.floor.problems import ConditionError
from croupier.journal.cages import BOX, TRAY
from croupier.journal.errors import JournalError
from croupier.journal.gathering import settling
from croupier.journal.writer import Request
from croupier.rulebooks import GAMES
from croupier.table import commands as c
from croupier.table.authority import needs, second_of
from croupier.table.course import due
from croupier.table.events import BetsOpened, WagersSettled
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.rulings import Situation
from croupier.table.settings import Clocks, DealtBy, Device, Method
from croupier.table.state import HoldKind, Phase
from tests.floor.casino import CARA, SUSI
from tests.floor.money import Money
from tests.floor.rounds import settings_for
from tests.table.machine_finish import answer_of
from tests.table.machine_reports import some_report

if TYPE_CHECKING:
    from croupier.floor.house import House
    from croupier.journal.writer import Landed, Reply
    from croupier.table.roles import Actor, Member
    from croupier.table.settings import Settings
    from croupier.table.state import Table

QUICK = Clocks(betting_ms=20, pause_ms=2, pace_ms=0, answer_ms=10)
PATRONS = ("ann", "bob", "cid")
DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
ASSISTANT = Staff("Ada", StaffPosition.ASSISTANT_CASINO_MANAGER)
SYSTEM = System()
ROUND_STEPS = 30
"""More than a round takes."""
HOME_SECONDS = 30
"""In which everybody has gone home, whatever the rounds still waited for."""


class Kind(NamedTuple):
    """A game by a method, and who deals it."""

    game: str
    method: str | None
    dealt_by: str


def kinds() -> dict[str, list[Kind]]:
    """Return every game by every method, electronic, dealt by the house and by Dealers."""
    found: dict[str, list[Kind]] = {"electronic": [], "dealt": [], "live": []}
    for game in GAMES:
        code = game.edition.code
        methods = [one.value for one in Method] if code in ("BAC8", "FF3") else [None]
        if code == "EB4":
            found["electronic"].append(Kind(game.slug, None, "system"))
            continue
        for method in methods:
            found["dealt"].append(Kind(game.slug, method, DealtBy.HOUSE.value))
            found["live"].append(Kind(game.slug, method, DealtBy.DEALER.value))
    return found


KINDS = kinds()


def tables_of(run: int) -> dict[str, Settings]:
    """Return the tables of a house by its number: as many houses have every kind of table."""
    return {
        # Dealers and the house do not deal the same games in one house.
        name: _settings(ones[(run + 3 * (name == "live")) % len(ones)])
        for name, ones in KINDS.items()
    }


def _settings(kind: Kind) -> Settings:
    dealt_by = DealtBy.HOUSE if kind.dealt_by == "house" else DealtBy.DEALER
    # Dealers who pass cards on have a shoe of paper: patrons turn cards that nobody has read.
    paper = kind.method == "A" and dealt_by is DealtBy.DEALER
    device = Device(reads_cards=not paper, physical=paper)
    return settings_for(
        kind.game, kind.method, decks=4, clocks=QUICK, dealt_by=dealt_by, device=device
    )


class Crowd:
    """Patrons and staff who ask for something by chance."""

    def __init__(self, seed: object, tables: dict[str, Settings]) -> None:
        self.chance, self.tables = Random(str(seed)), tables
        self.number = 0
        self.dealt_by: dict[str, str] = {}
        """Who called for bets last, by table."""
        self.settled: set[str] = set()
        """The tables that settled a stake, in a round by whoever should deal there."""
        self.money = Money()
        self.forbidden: Counter[str] = Counter()
        """What the house kept from its streams, by its reason."""

    def heard(self, landed: Landed) -> None:
        """Take note of what was settled: a subscriber of the writer."""
        self.money.heard(landed)
        name = landed.stream.partition(":")[2]
        for event in (event for one in landed.all for event in one.decision.events):
            if isinstance(event, BetsOpened):
                self.dealt_by[name] = event.dealt_by
            elif isinstance(event, WagersSettled) and event.lines:
                taken_over = name == "dealt" and self.dealt_by.get(name) == "dealer"
                self.settled |= set() if taken_over else {name}

    async def ask(
        self,
        house: House,
        name: str,
        command: Any,  # noqa: ANN401  # of whichever stream
        actor: Actor,
        second: Member | None = None,
    ) -> Reply | None:
        """Ask for something; nobody minds a refusal, or a house that cannot answer."""
        self.number += 1
        die = self.chance.randrange(6) + 1 if isinstance(command, c.AnnounceDie) else None
        cards = self.keyed(house, name, command) if isinstance(actor, Staff) else ()
        request = Request(f"crowd-{self.number}", actor, command, second, cards, die)
        try:
            return await self.hand_in(house, name, request)
        except ConditionError as error:
            self.forbidden[error.code.value] += 1
        except JournalError as error:
            self.not_done(error)
        return None

    async def hand_in(self, house: House, name: str, request: Request) -> Reply:
        """Hand a command to its desk, or to the house, which asks first whether it may be."""
        desks: dict[str, Any] = {"cage": house.cage, "accounts": house.accounts}
        desk = desks.get(name) or house.tables[name]
        if not house.closing and not self.through_house():
            reply: Reply = await desk.submit(request)
            return reply
        if self.chance.randrange(2):
            return await house.submit(desk.seat.name, request)
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        house.give(desk.seat, request, settling(answer))
        return await answer

    def through_house(self) -> bool:
        """Tell whether something is handed to the house, as its doors do."""
        return self.chance.randrange(2) > 0

    def not_done(self, error: JournalError) -> None:
        """Take note that something was not decided."""

    def keyed(self, house: House, name: str, command: object) -> tuple[str, ...]:
        """Return the faces that staff key in: those of paper that no device reads."""
        table = house.tables[name].table if name in house.tables else None
        if table is None or table.plan is None or table.round is None:
            return ()
        count = 0
        if isinstance(command, c.ExposeCard):
            cards = table.round.cards
            count = sum(one.card is None for one in cards if one.position is command.position)
        elif isinstance(command, c.ReserveCards) and table.settings.device.physical:
            count = 2 + sum(card is None for card in table.round.waiting)
        deck = table.plan.game.deck.cards
        return tuple(self.chance.choice(deck).text for _ in range(count))

    async def ask_by_right(self, house: House, name: str, command: c.Command) -> None:
        """Ask for something by whoever may, with a second person where one is needed."""
        table = house.tables[name].table
        need, plan = needs(table, command), table.plan
        assert plan is not None
        actor: Actor = DEALER
        if need.patron is not None:
            actor = Patron(need.patron)
        elif need.position is not None:
            actor = Staff("Pat", need.position)
        elif need.system:
            actor = SYSTEM
        wanted = second_of(plan, need)
        second = None if wanted is None else Staff("Sue", wanted)
        await self.ask(house, name, command, actor, second)

    async def open(self, house: House) -> None:
        """Open the tables that are not open."""
        for name, settings in self.tables.items():
            desk = await house.table(name)
            if desk.table.plan is None:
                opener = ASSISTANT if settings.method is Method.C else MANAGER
                await self.ask(house, name, c.OpenTable(settings), opener)

    async def arrive(self, house: House) -> None:
        """Let most people come to most tables, with credit."""
        for patron in PATRONS:
            await self.ask(house, "cage", cage.BuyIn(patron, 5_000_00), CARA)
            for name in self.tables:
                if self.chance.randrange(4):
                    await self.sits(house, patron, name)
                    await self.sends(house, patron, name)
        await house.transfers.quiet()

    async def steps(self, house: House) -> None:
        """Let some people do something at the same time."""
        await asyncio.gather(*(self.step(house) for _ in range(self.chance.randrange(1, 5))))
        if self.chance.randrange(3) == 0:
            await asyncio.sleep(0.004)

    async def step(self, house: House) -> None:
        """Let somebody do something."""
        chance = self.chance
        patron, name = chance.choice(PATRONS), chance.choice(list(self.tables))
        often = (self.sits, self.wagers, self.wagers, self.deals, self.deals, self.answers)
        acts = (
            *often, *often, self.at_the_cage, self.sends, self.sends, self.goes, self.takes,
            self.brings, self.signs, self.terminals, self.terminals, self.reports, self.closes,
            self.chips, self.own_account, self.regrets,
        )  # fmt: skip
        await chance.choice(acts)(house, patron, name)

    # At the cage, and in the accounts

    async def at_the_cage(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        await self.ask(house, "cage", cage.BuyIn(patron, 5_000_00), CARA)
        cashed = await self.ask(house, "cage", cage.CashOut(patron, 100_00), Patron(patron))
        if cashed is not None and cashed.accepted:
            number = self.chance.choice(list(house.cage.cage.tickets.all))
            proof = house.tickets.validation(number)
            if self.chance.randrange(3):
                await self.ask(house, "cage", cage.PayTicket(number, proof), CARA)
            else:
                takes = cage.TakeInTicket(patron, number, proof)
                await self.ask(house, "cage", takes, Patron(patron))

    async def sends(self, house: House, patron: str, name: str) -> None:
        await self.ask(house, "cage", cage.SendToTable(patron, name, 500_00), Patron(patron))

    async def chips(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Bring chips to a table, more of them, or take some away."""
        await self.ask(house, "cage", cage.SetOpener(name, 10_000_00), CARA, SUSI)
        kind = self.chance.choice([cage.FillTable, cage.CreditTable])
        await self.ask(house, "cage", kind(name, 900_00), CARA, SUSI)

    async def counts(self, house: House, name: str) -> None:
        """Count the chips and the box of a table; now and then something is over or short."""
        for kind, held in ((cage.CountCloser, TRAY), (cage.CountDrop, BOX)):
            with suppress(JournalError):
                known = await house.cage.held(name)
                cents = max(0, known.values[held] + self.chance.choice([0, 0, 0, 5_00, -5_00]))
                await self.ask(house, "cage", kind(name, cents), CARA, SUSI)

    async def own_account(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let a patron come to be known, and set limits of their own."""
        await self.ask(
            house, "accounts", accounts.AddUser(patron, accounts.UserKind.PATRON), FOUNDER
        )
        own = self.chance.choice(
            [accounts.SetLossLimit(patron, 10**9), accounts.SetTimeLimit(patron, 600)]
        )
        await self.ask(house, "accounts", own, Patron(patron))

    # Patrons at tables

    async def sits(self, house: House, patron: str, name: str) -> None:
        place = PATRONS.index(patron) + 1
        await self.ask(house, name, c.TakeSeat(patron, place), Patron(patron))

    async def wagers(self, house: House, patron: str, name: str) -> None:
        """Wager where bets are open, and now and then where they are not."""
        for at, desk in house.tables.items():
            plan, phase = desk.table.plan, desk.table.phase
            if plan is not None and (phase is Phase.OPEN or at == name):
                offered = ["player", "banker", *plan.offered]
                wager = c.PlaceWager(patron, self.chance.choice(offered), 100_00)
                await self.ask(house, at, wager, Patron(patron))

    async def goes(self, house: House, patron: str, name: str) -> None:
        command = c.LeaveSeat(patron, self.chance.randrange(3) == 0)
        by_staff = command.cash or self.chance.randrange(2) > 0
        await self.ask(house, name, command, DEALER if by_staff else Patron(patron))

    async def takes(self, house: House, patron: str, name: str) -> None:
        command = c.TakeCredit(patron, 50_00, self.chance.randrange(3) == 0)
        await self.ask(house, name, command, DEALER if command.cash else Patron(patron))

    async def brings(self, house: House, patron: str, name: str) -> None:
        """Buy credit at the table, for cash."""
        await self.ask(house, name, c.BringCredit(patron, 300_00), DEALER)

    async def answers(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let a patron answer, who is asked for something."""
        table = house.tables[name].table
        asked = due(table).patrons
        if not asked:
            return
        who, command = self.chance.choice(asked), due(table).command
        if command is None:
            command = self.chance.choice([c.Withdraw(who), c.KeepWagers(who)])
        await self.ask(house, name, command, Patron(who))

    # Staff at tables

    async def deals(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let people do what comes next where no system deals, or what it leaves to them."""
        name = self.chance.choice(["live", "live", "live", name])
        for _ in range(self.chance.randrange(1, 7)):
            await self.next_at(house, name)

    async def next_at(self, house: House, name: str) -> None:
        """Let people do what comes next at a table."""
        table = house.tables[name].table
        if table.plan is None:
            return
        if table.flagged:
            terminal = table.flagged[0].position
            stands = c.DecideTerminal(terminal, self.chance.randrange(2) > 0, "nobody saw it")
            await self.ask_by_right(house, name, stands)
            return
        if table.hold is not None:
            await self.ask_by_right(house, name, self.answer(table))
        elif table.replacement_due:
            again = c.DecideReplacement(replace=self.chance.randrange(2) > 0)
            await self.ask_by_right(house, name, again)
        else:
            coming = due(table)
            if coming.command is not None and not table.system_deals:
                await self.ask_by_right(house, name, coming.command)

    def answer(self, table: Table) -> c.Command:
        """Return how staff answer what a round waits for, with a word where one is needed."""
        hold = table.hold
        assert hold is not None
        if hold.kind is HoldKind.BALANCE and table.round is not None:
            first = due(table).command
            return first if first is not None else answer_of(table, self.chance)
        return answer_of(table, self.chance)

    async def signs(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let a Dealer take the table over that the house deals, or leave it."""
        sign = self.chance.choice([c.SignIn(), c.SignOut()])
        await self.ask(house, "dealt", sign, DEALER)

    async def terminals(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let a terminal fail, show the closing, or come back."""
        place, table = PATRONS.index(patron) + 1, house.tables["electronic"].table
        # What was closed is shown by most terminals.
        shows = 1 if table.round is None or table.round.closed is None else 5
        kinds = [c.LoseTerminal, c.LoseTerminal, c.RestoreTerminal]
        kind = self.chance.choice([*kinds, *shows * [c.AcknowledgeClosing]])
        await self.ask(house, "electronic", kind(place), SYSTEM)

    async def reports(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Report that something is not as it should be; a paid round may be void yet."""
        table = house.tables[name].table
        if table.round is None:
            return
        report = some_report(self.chance, table)
        if table.phase is Phase.SETTLED:
            report = c.report(Situation.WRONG_NUMBER)
        await self.ask_by_right(house, name, report)

    async def regrets(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let people leave whose round is settled, and have it void after that."""
        desk = house.tables["live"]
        for _ in range(ROUND_STEPS):
            if desk.table.phase is Phase.OPEN:
                for one in PATRONS:
                    await self.sits(house, one, "live")
                    await self.brings(house, one, "live")
                    stake = c.PlaceWager(one, self.chance.choice(["player", "banker"]), 100_00)
                    await self.ask(house, "live", stake, Patron(one))
            if desk.table.phase is Phase.SETTLED and desk.table.between_rounds:
                break
            await self.next_at(house, "live")
        if desk.table.phase is not Phase.SETTLED or desk.table.hold is not None:
            return
        for one in list(desk.table.seats):
            await self.ask(house, "live", c.LeaveSeat(one), Patron(one))
        if desk.table.plan is not None and desk.table.phase is Phase.SETTLED:
            await self.ask_by_right(house, "live", c.report(Situation.WRONG_NUMBER))
        hold = desk.table.hold
        if hold is not None and hold.kind is HoldKind.REFERRAL:
            void = c.DecideReferral(c.Decision.VOID, "the number was wrong")
            await self.ask_by_right(house, "live", void)
        elif hold is not None and hold.kind is HoldKind.REPORT:
            await self.ask_by_right(house, "live", c.ConfirmReport())

    async def closes(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Close a table, or send everybody away with it; count it, and open it."""
        await self.ask(house, name, c.CloseTable(), MANAGER)
        await self.counts(house, name)
        await self.open(house)

    # The end

    async def play(self, house: House) -> None:
        """Play on until every table has settled a stake."""
        self.settled.clear()
        async with asyncio.timeout(HOME_SECONDS):
            while waits := self.tables.keys() - self.settled:
                await self.open(house)
                for name, patron in product(sorted(waits), PATRONS):
                    table = house.tables[name].table
                    await self.restores(house, name)
                    if table.dealer is not None:
                        await self.ask(house, name, c.SignOut(), DEALER)
                    if not table.credits.get(patron):
                        await self.sits(house, patron, name)
                        await self.brings(house, patron, name)
                    await self.wagers(house, patron, name)
                    await self.next_at(house, name)

    async def restores(self, house: House, name: str) -> None:
        """Bring back the terminals that are gone."""
        for place in list(house.tables[name].table.lost_terminals):
            await self.ask(house, name, c.RestoreTerminal(place), SYSTEM)

    async def go_home(self, house: House) -> None:
        """End every round, take everything to the wallets, close the tables and count them."""
        async with asyncio.timeout(HOME_SECONDS):
            while any(desk.table.plan is not None for desk in house.tables.values()):
                for name in self.tables:
                    await self.leave_table(house, name)
                await asyncio.sleep(0.002)
        await house.transfers.quiet()
        for name in self.tables:
            await self.counts(house, name)

    async def leave_table(self, house: House, name: str) -> None:
        """Bring a table nearer to its end."""
        table = house.tables[name].table
        if table.dealer is not None:
            await self.ask(house, name, c.SignOut(), DEALER)
        await self.restores(house, name)
        for patron in list(table.seats):
            await self.ask(house, name, c.LeaveSeat(patron), Patron(patron))
        # What a void returned to somebody who had left, the house sends to the wallet.
        table = house.tables[name].table
        if not table.seats and not table.credits:
            await self.ask(house, name, c.CloseTable(), MANAGER)
        await self.next_at(house, name)
