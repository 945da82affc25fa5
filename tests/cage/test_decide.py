"""The cage decides: every refusal, in its order, and random walks with books kept apart."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.accounting import CASH
from croupier.cage import commands as c
from croupier.cage import events as e
from croupier.cage.authority import CAGE
from croupier.cage.decide import HANDLERS, decide
from croupier.cage.evolve import EVOLVE, evolve
from croupier.cage.ledger import bank, box, moves, ticket, transit, wallet
from croupier.cage.refusals import CageCode, CageRefusal
from croupier.cage.state import Cage
from croupier.journal.cages import CageStream
from croupier.table.roles import HousePosition, HouseStaff, Patron
from tests.cage.people import NOW
from tests.wording import is_one_sentence

CARA = HouseStaff("Cara", HousePosition.CASHIER)
SUSI = HouseStaff("Susi", HousePosition.CAGE_SUPERVISOR)
OWN = (c.SendToTable, c.CashOut, c.TakeInTicket)
HOUSE = (c.NoteArrival, c.SendBack, c.ReceiveFromTable)
PROOF = c.validation_digest("7", "right")


def envelope(command: c.CageCommand, **known: Any) -> c.Envelope:  # noqa: ANN401
    """Return a command by whoever may give it."""
    actor: Any = CARA
    if isinstance(command, OWN):
        actor = Patron(command.patron)
    elif isinstance(command, HOUSE):
        actor = CAGE
    return c.Envelope(command, actor, NOW, SUSI, **known)


def test_every_command_and_event_is_handled() -> None:
    assert set(HANDLERS) == set(c.COMMANDS)
    assert set(EVOLVE) == set(e.EVENTS)


def some_cage() -> Cage:
    """Return a cage with a wallet, three tickets, something on its way, and a table's chips."""
    cage = Cage()
    for event in (
        e.BoughtIn("ann", 110_00),
        e.CashedOut("7", "ann", 10_00, PROOF),
        e.CashedOut("8", "ann", 10_00, c.validation_digest("8", "right")),
        e.TicketPaid("8", 10_00),
        e.CashedOut("6", "ann", 10_00, c.validation_digest("6", "right"), NOW),
        e.SentToTable(5, "ann", "1", 20_00),
        e.TableOpenerSet("1", 500_00),
    ):
        cage = evolve(cage, event)
    return cage


OPEN = c.Held(500_00, 0, open=True)
CLOSED = c.Held(500_00, 30_00, open=False)
NEVER = c.Held(0, 0, open=False, exists=False)
REFUSED: list[tuple[CageCode, c.CageCommand, dict[str, object], str]] = [
    (CageCode.BAD_AMOUNT, c.BuyIn("ann", 0), {},
     "An amount of 0 cents came to the cage; it is a whole number from 1 to 1000000000000."),
    (CageCode.BAD_AMOUNT, c.CountDrop("1", -1), {"held": CLOSED},
     ("An amount of -1 cents came to the cage; it is a whole number from 0 to"
     " 9223372036854775807.")),
    (CageCode.BAD_NAME, c.BuyIn("", 1), {}, "A name is empty; it has 1 to 200 characters."),
    (CageCode.UNKNOWN_TICKET, c.PayTicket("9", PROOF), {}, "There is no ticket 9."),
    (CageCode.WRONG_VALIDATION, c.PayTicket("7", "right"), {},
     "The validation number that came is not that of ticket 7."),
    (CageCode.TICKET_PAID, c.PayTicket("8", c.validation_digest("8", "right")), {},
     "Ticket 8 was paid already."),
    (CageCode.TICKET_EXPIRED, c.PayTicket("6", c.validation_digest("6", "right")), {},
     f"Ticket 6 was paid until {NOW:%Y-%m-%d %H:%M} UTC; it expired."),
    (CageCode.NOT_ENOUGH_CREDIT, c.CashOut("ann", 60_01), {},
     "60.01 was asked for; the wallet of patron ann holds 60.00."),
    (CageCode.NOT_ENOUGH_CREDIT, c.SendToTable("bea", "1", 1), {},
     "0.01 was asked for; the wallet of patron bea holds 0.00."),
    (CageCode.NOT_ENOUGH_CREDIT, c.PayOut("ann", 60_01), {},
     "60.01 was asked for; the wallet of patron ann holds 60.00."),
    (CageCode.UNKNOWN_TRANSFER, c.SendBack(4), {},
     "Nothing that decision 4 sent is on its way to a table."),
    (CageCode.UNKNOWN_TRANSFER, c.NoteArrival(6), {},
     "Nothing that decision 6 sent is on its way to a table."),
    (CageCode.HAS_CHIPS, c.SetOpener("1", 1), {},
     "Table 1 has its opener; it is counted before the next one."),
    (CageCode.UNKNOWN_TABLE, c.SetOpener("9", 1), {"held": NEVER}, "There is no table 9."),
    (CageCode.UNKNOWN_TABLE, c.CountDrop("9", 0), {"held": NEVER}, "There is no table 9."),
    (CageCode.DROP_NOT_COUNTED, c.SetOpener("2", 1), {"held": CLOSED},
     "The box of table 2 holds 30.00; it is counted before the next opener."),
    (CageCode.NO_CHIPS, c.FillTable("2", 1), {},
     "Table 2 has no chips of the house; it needs an opener first."),
    (CageCode.NO_CHIPS, c.CountCloser("2", 1), {"held": CLOSED},
     "Table 2 has no chips of the house; it needs an opener first."),
    (CageCode.TABLE_OPEN, c.CountDrop("1", 1), {"held": OPEN},
     "Table 1 is open; what it holds is counted once it closed."),
    (CageCode.NOT_ENOUGH_CHIPS, c.CreditTable("1", 500_01), {"held": OPEN},
     "500.01 was asked for; the tray of table 1 holds 500.00."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "command", "known", "sentence"), REFUSED)
def test_refusals_say_what_came_and_what_is_allowed(
    code: CageCode, command: c.CageCommand, known: dict[str, object], sentence: str
) -> None:
    answer = decide(some_cage(), envelope(command, **known))
    assert answer == CageRefusal(code, sentence)
    assert is_one_sentence(sentence)


def test_every_refusal_has_its_case() -> None:
    """Those about who asks are with the rights."""
    about_rights = set(list(CageCode)[: list(CageCode).index(CageCode.BAD_AMOUNT)])
    assert {one[0] for one in REFUSED} == set(CageCode) - about_rights


def test_a_patron_who_cannot_sign_in_is_paid_out_of_the_wallet() -> None:
    answer = decide(some_cage(), envelope(c.PayOut("ann", 60_00)))
    assert answer == (e.PaidOut("ann", 60_00),)
    cage = evolve(some_cage(), answer[0])
    assert cage.held("ann") == 0
    assert moves(answer[0]) == ((wallet("ann"), CASH, 60_00),)
    again = decide(cage, envelope(c.PayOut("ann", 1)))
    assert isinstance(again, CageRefusal)
    assert again.code is CageCode.NOT_ENOUGH_CREDIT


def test_a_ticket_is_paid_for_thirty_days_and_not_after() -> None:
    printed = c.Printed("5", c.validation_digest("5", "right"))
    answer = decide(some_cage(), envelope(c.CashOut("ann", 10_00), printed=printed))
    assert isinstance(answer, tuple)
    (cashed,) = answer
    assert isinstance(cashed, e.CashedOut)
    assert cashed.expires == NOW + timedelta(days=30)
    cage = evolve(some_cage(), cashed)
    for command in (
        c.PayTicket("5", printed.digest),
        c.TakeInTicket("bea", "5", printed.digest),
    ):
        asked, before = envelope(command), cashed.expires - timedelta(microseconds=1)
        assert isinstance(decide(cage, msgspec.structs.replace(asked, moment=before)), tuple)
        late = decide(cage, msgspec.structs.replace(asked, moment=cashed.expires))
        assert isinstance(late, CageRefusal)
        assert late.code is CageCode.TICKET_EXPIRED


def worse(command: c.CageCommand) -> list[c.Envelope]:
    """Return one command with more and more wrong with it, the last first to be said."""
    wrong = [envelope(command)]
    if hasattr(command, "table"):
        wrong.append(envelope(msgspec.structs.replace(command, table="")))
    if hasattr(command, "cents"):
        last: Any = wrong[-1].command
        wrong.append(envelope(msgspec.structs.replace(last, cents=-1)))
    alone = msgspec.structs.replace(wrong[-1], approver=None)
    wrong.append(alone)
    wrong.append(msgspec.structs.replace(alone, actor=Patron("eve")))
    return wrong


@pytest.mark.parametrize(
    "command",
    [
        c.FillTable("2", 1), c.CreditTable("2", 1), c.CountCloser("2", 1),
        c.SendToTable("ann", "1", 10**9), c.CashOut("ann", 10**9), c.SendBack(1),
        c.PayTicket("8", "x"), c.PayTicket("9", "x"),
    ],
    ids=repr,
)  # fmt: skip
def test_of_several_reasons_the_first_in_the_order_is_given(command: c.CageCommand) -> None:
    order = list(CageCode)
    answers = [decide(some_cage(), one) for one in worse(command)]
    codes = [order.index(one.code) for one in answers if isinstance(one, CageRefusal)]
    assert len(codes) == len(answers)
    assert all(after <= before for before, after in pairwise(codes)), answers


def test_what_only_the_house_knows_is_asked_for_last() -> None:
    cage = some_cage()
    assert decide(cage, envelope(c.CashOut("ann", 1))) == c.Needs(ticket=True)
    taken = c.Printed("7", "x")  # a number that there was is no new one
    assert decide(cage, envelope(c.CashOut("ann", 1), printed=taken)) == c.Needs(ticket=True)
    for command in (c.CreditTable("1", 1), c.CountCloser("1", 1), c.CountDrop("1", 1)):
        assert decide(cage, envelope(command)) == c.Needs(table="1")
    assert decide(cage, envelope(c.SetOpener("2", 1))) == c.Needs(table="2")


# Random walks


class Books:
    """What every account holds, kept apart from the cage; and tables that play a little."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.held: Counter[str] = Counter()
        self.cage = Cage()
        self.sequence, self.moment = 0, NOW
        self.given_up: dict[str, tuple[str, str, int]] = {}
        self.open = {"1": True, "2": False}
        self.proofs: dict[str, str] = {}
        self.seen: Counter[str] = Counter()

    def post(self, source: str, target: str, cents: int) -> None:
        assert cents > 0
        self.held[source] -= cents
        self.held[target] += cents

    def command(self) -> c.CageCommand:
        pick = self.chance.choice
        patron, table = pick(("ann", "bea", "cid")), pick(("1", "2", "1", "2", "none"))
        cents = pick((-1, 0, 1, 5, 20, 100))
        sent = pick((*self.cage.sent, 0, 1))
        number = pick((*self.cage.tickets.all, "none"))
        proof = pick((self.proofs.get(number, "x"), "x", "wrong"))
        kinds: list[c.CageCommand] = [
            c.BuyIn(patron, cents), c.BuyIn(patron, cents),
            c.SendToTable(patron, table, cents), c.SendToTable(patron, table, cents),
            c.CashOut(patron, cents), c.TakeInTicket(patron, number, proof),
            c.PayOut(patron, cents),
            c.PayTicket(number, proof), c.SetOpener(table, cents), c.FillTable(table, cents),
            c.CreditTable(table, cents), c.CountCloser(table, max(cents, 0)),
            c.CountDrop(table, max(cents, 0)), c.SendBack(sent),
        ]  # fmt: skip
        # As the house does it: what a table took over, and what it gave up.
        if self.cage.sent:
            kinds += [c.NoteArrival(pick(tuple(self.cage.sent)))] * 2
        if self.given_up:
            name = pick(tuple(self.given_up))
            kinds += [c.ReceiveFromTable(name, *self.given_up[name])] * 2
        return pick(kinds)

    def table_plays(self) -> None:
        """Let a patron win or lose at a table, buy chips there, or take credit away."""
        pick = self.chance.choice
        table, patron, cents = pick(("1", "2")), pick(("ann", "bea")), pick((1, 5, 20))
        seat = f"seat:{table}:{patron}"
        what = self.chance.randrange(4)
        if what == 0:
            self.post("cash", box(table), cents)
            self.post(bank(table), seat, cents)
        elif what == 1 and self.held[seat] >= cents:
            self.post(seat, bank(table), cents)
        elif what == 2 and self.held[seat] >= cents:
            self.post(seat, transit(table, patron), cents)
            self.given_up[f"{self.sequence}-{len(self.given_up)}"] = (patron, table, cents)
        else:
            self.open[table] = not self.open[table]

    def known(self, command: c.CageCommand) -> dict[str, object]:
        if isinstance(command, c.CashOut):
            number = f"n{self.sequence}"
            self.proofs[number] = c.validation_digest(number, "right")
            return {"printed": c.Printed(number, self.proofs[number])}
        table = getattr(command, "table", None)
        if table is None or isinstance(command, c.SendToTable):
            return {}
        held = c.Held(
            self.held[bank(table)],
            self.held[box(table)],
            self.open.get(table, False),
            exists=table in self.open,
        )
        return {"held": held}

    def step(self) -> None:
        if self.chance.random() < 0.4:
            self.table_plays()
        command = self.command()
        self.sequence += 1
        asked = envelope(command, sequence=self.sequence, **self.known(command))
        self.moment += timedelta(hours=self.chance.randrange(24))
        asked = msgspec.structs.replace(asked, moment=self.moment)
        before = msgspec.msgpack.encode(self.cage)
        answer = decide(self.cage, asked)
        assert decide(self.cage, asked) == answer, "asked again, it decided otherwise"
        assert msgspec.msgpack.encode(self.cage) == before, "deciding changed something"
        if isinstance(answer, CageRefusal):
            assert is_one_sentence(answer.sentence)
            self.seen[answer.code.value] += 1
            return
        assert isinstance(answer, tuple)
        for event in answer:
            self.seen[str(event.__struct_config__.tag)] += 1
            arrived = self.cage.sent.get(getattr(event, "transfer", 0))
            if isinstance(event, e.CreditArrived):
                assert arrived is not None
                way = transit(arrived.table, arrived.patron)
                self.post(way, f"seat:{arrived.table}:{arrived.patron}", arrived.cents)
            for move in moves(event):
                self.post(*move)
            self.cage = evolve(self.cage, event)
        if isinstance(command, c.ReceiveFromTable):
            del self.given_up[command.transfer]
        self.check()

    def check(self) -> None:
        """Compare the cage with the books."""
        assert sum(self.held.values()) == 0
        for account, cents in self.held.items():
            if account.startswith(("wallet:", "ticket:", "transit:", "seat:")):
                assert cents >= 0, account
        for patron, cents in self.cage.wallets.all.items():
            assert self.held[wallet(patron)] == cents
        for number, one in self.cage.tickets.all.items():
            assert self.held[ticket(number)] == (0 if one.paid else one.cents)
        under_way: Counter[str] = Counter()
        for sent in self.cage.sent.values():
            under_way[transit(sent.table, sent.patron)] += sent.cents
        for patron, table, cents in self.given_up.values():
            under_way[transit(table, patron)] += cents
        on_books = {n: v for n, v in self.held.items() if v and n.startswith("transit:")}
        assert under_way == on_books
        assert "none" not in self.cage.sheets, "a table that never was has a sheet"


def test_random_walks_of_the_cage_agree_with_books_kept_apart() -> None:
    seen: Counter[str] = Counter()
    for seed in range(40):
        books = Books(seed)
        for _ in range(150):
            books.step()
        seen += books.seen
    every = {str(one.__struct_config__.tag) for one in e.EVENTS}
    assert every - set(seen) == set(), "an event never happened"
    rights = {"needs_system", "not_yours", "needs_cashier", "needs_approval",
              "self_approval", "approver_too_low", "bad_name"}  # fmt: skip
    assert {one.value for one in CageCode} - rights - set(seen) == set(), "never refused"


def test_a_cage_of_many_patrons_stays_what_it_is() -> None:
    cage, wanted = Cage(), Counter[str]()
    chance = Random(1)
    for number in range(3_000):
        patron = f"p{chance.randrange(1_500)}"
        cage = evolve(cage, e.BoughtIn(patron, number + 1))
        wanted[patron] += number + 1
    assert cage.wallets.all == wanted
    assert all(cage.held(patron) == cents for patron, cents in wanted.items())


def test_a_snapshot_of_the_cage_is_the_cage() -> None:
    stream = CageStream()
    for cage in (Cage(), some_cage()):
        assert stream.unpack(stream.pack(cage)) == cage
