"""A crowd whom the accounts know: who asks or approves is compared with the position they have.

Some act in another position for a moment, some are disabled or excluded meanwhile, or have
limits of their own; what the door would turn away does not come to a table. The house deals a
table or leaves it to Dealers, and tables are announced to close.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from croupier.accounts import commands as accounts
from croupier.accounts.authority import FOUNDER
from croupier.cage import commands as cage
from croupier.journal.errors import JournalError, NotInPositionError
from croupier.table import commands as c
from croupier.table.roles import HousePosition, HouseStaff, Patron, Staff, StaffPosition
from croupier.table.settings import DealtBy
from tests.floor.casino import CARA, SUSI
from tests.floor.crowd import MANAGER, PATRONS, Crowd

if TYPE_CHECKING:
    from croupier.floor.house import House
    from croupier.journal.writer import Reply
    from croupier.table.roles import Actor, Member

ROOT, STAND_IN, LIMITED = "Root", "Tom", PATRONS[-1]
MILLISECONDS = (5, 40, 300)
HIGHER = [one.value for one in StaffPosition if one is not StaffPosition.DEALER]


def named(position: StaffPosition, *, second: bool = False) -> str:
    """Return who has a position; another one approves."""
    return f"{position.value} {2 if second else 1}"


class Staffed(Crowd):
    """Patrons and staff who ask for something by chance, as the accounts know them."""

    def __init__(self, seed: object, tables: dict[str, Any]) -> None:
        super().__init__(seed, tables)
        self.turned_away: Counter[str] = Counter()
        """What came to no table, by its reason."""
        self.stands_in = True
        """Whether somebody asks for others, now and then, perhaps without the position."""

    async def ask(
        self,
        house: House,
        name: str,
        command: Any,  # noqa: ANN401  # of whichever stream
        actor: Actor,
        second: Member | None = None,
    ) -> Reply | None:
        """Ask as somebody whom the accounts know, if the door lets it pass."""
        asks = self.somebody(house, actor)
        approves = None if second is None else self.somebody(house, second, second=True)
        if asks is None or (second is not None and approves is None):
            self.turned_away["nobody"] += 1
            return None
        patron = getattr(command, "patron", None)
        if isinstance(patron, str):
            stream = name if name in ("cage", "accounts") else f"table:{name}"
            barred = house.allowed(patron, stream, command, house.clock())
            if barred is not None and not self.through_house():
                self.turned_away[barred.code.value] += 1
                return None
        return await super().ask(house, name, command, asks, approves)

    def not_done(self, error: JournalError) -> None:
        """Count who was not what they came as any more when it was decided."""
        self.turned_away["not in position"] += isinstance(error, NotInPositionError)

    def somebody(
        self,
        house: House,
        actor: Any,  # noqa: ANN401  # an actor or a member
        *,
        second: bool = False,
    ) -> Any:  # noqa: ANN401  # the same
        """Return who has the position of somebody, as the accounts know them now."""
        if not isinstance(actor, Staff):
            return actor
        name = named(actor.position, second=second)
        if self.stands_in and not second and self.chance.randrange(8) == 0:
            name = STAND_IN
        return house.accounts.actor(name)

    async def open(self, house: House) -> None:
        """Found the accounts, and open the tables."""
        kind = accounts.UserKind
        everybody = [
            (ROOT, kind.ADMIN, HousePosition.ADMINISTRATOR.value),
            (STAND_IN, kind.STAFF, StaffPosition.DEALER.value),
            *((one.name, kind.STAFF, one.position.value) for one in (CARA, SUSI)),
            *(
                (named(position, second=second), kind.STAFF, position.value)
                for position in StaffPosition
                for second in (False, True)
            ),
            *((patron, kind.PATRON, None) for patron in PATRONS),
        ]
        known = house.accounts.accounts.users
        for user in everybody:
            if known.get(user[0]) is None:
                await super().ask(house, "accounts", accounts.AddUser(*user), FOUNDER)
        await super().open(house)

    async def step(self, house: House) -> None:
        """Let somebody do something, and now and then let somebody be another one."""
        await super().step(house)
        if self.chance.randrange(3) == 0:
            patron, name = self.chance.choice(PATRONS), self.chance.choice(list(self.tables))
            acts = (self.acting, self.disabling, self.excluding, self.limiting, self.leaving)
            await self.chance.choice(acts)(house, patron, name)

    async def by_root(self, house: House, command: accounts.AccountsCommand) -> None:
        administrator = HouseStaff(ROOT, HousePosition.ADMINISTRATOR)
        await super().ask(house, "accounts", command, administrator)

    async def acting(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let somebody act in a higher position for a moment."""
        since = house.clock()
        until = since + timedelta(milliseconds=self.chance.choice(MILLISECONDS))
        position = self.chance.choice(HIGHER)
        await self.by_root(house, accounts.LetAct(STAND_IN, position, since, until))

    async def disabling(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Disable somebody, or enable them again."""
        who = self.chance.choice([named(StaffPosition.DEALER), STAND_IN])
        kind = self.chance.choice([accounts.DisableUser, *3 * [accounts.EnableUser]])
        await self.by_root(house, kind(who, "as chance wants"))

    async def excluding(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Exclude a patron for a moment."""
        until = house.clock() + timedelta(milliseconds=self.chance.choice(MILLISECONDS))
        command = accounts.ExcludePatron(patron, until, "as chance wants")
        await self.ask(house, "accounts", command, MANAGER)

    async def limiting(self, house: House, patron: str, name: str) -> None:  # noqa: ARG002
        """Let one patron have limits of their own that bind."""
        own = self.chance.choice(
            [accounts.SetStakeLimit(LIMITED, 50_00), accounts.SetLossLimit(LIMITED, 150_00)]
        )
        await self.ask(house, "accounts", own, Patron(LIMITED))

    async def leaving(self, house: House, patron: str, name: str) -> None:
        """Leave a table to others: to the house, to Dealers, to nobody."""
        command = self.chance.choice(
            [*(c.SetDealtBy(one, "as chance wants") for one in DealtBy),
             c.AnnounceClosure(3, "as chance wants")]
        )  # fmt: skip
        await self.ask(house, name, command, MANAGER)
        await self.ask(house, "cage", cage.PayOut(patron, 50_00), CARA, SUSI)

    async def play(self, house: House) -> None:
        """Let everybody whom chance has barred be back, and play on."""
        self.stands_in = False
        dealer = named(StaffPosition.DEALER)
        await self.by_root(house, accounts.EnableUser(dealer, "the last life"))
        for name, settings in self.tables.items():
            await self.ask(house, name, c.SetDealtBy(settings.dealt_by, "as before"), MANAGER)
            await self.ask(house, name, c.AnnounceClosure(None, "it stays open"), MANAGER)
        await super().play(house)
