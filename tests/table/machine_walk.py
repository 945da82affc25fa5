"""A walk through a table's life: at every moment somebody asks for something.

Mostly it is what could well be asked at that moment by whoever may; sometimes the wrong
person asks, and sometimes it is nonsense. Whatever chance decides, it decides through a
``random.Random``, so that Hypothesis or a seed can be behind it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.rulebooks import find_game
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.authority import needs, second_of, system_may
from croupier.table.course import due
from croupier.table.order import handler_due, shoe_due
from croupier.table.roles import Acting, Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import DealtBy, Method
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import withdrawable
from tests.table.floor import NOW, SYSTEM
from tests.table.machine_decisions import decision, found_stake, right_face
from tests.table.machine_finish import Desk, finish, waiting_order
from tests.table.machine_nonsense import nonsense
from tests.table.machine_reports import some_report
from tests.table.machine_settings import (
    some_clocks,
    some_differential,
    some_limits,
    some_settings,
)
from tests.table.machine_views import check_views
from tests.table.machine_watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from croupier.table.roles import Actor
    from croupier.table.settings import Plan
    from croupier.table.state import Hold, Round, Table

Option = tuple[int, "Callable[[], c.Command]"]
"""How likely, and what is asked."""

PATRONS = ("Ann", "Bea", "Cid", "Dee")
NAMES = {
    StaffPosition.DEALER: ("Dan", "Dot"),
    StaffPosition.PIT_SUPERVISOR: ("Sue", "Sol"),
    StaffPosition.PIT_MANAGER: ("Mia", "Max"),
    StaffPosition.ASSISTANT_CASINO_MANAGER: ("Ada", "Art"),
    StaffPosition.GAMING_SHIFT_MANAGER: ("Gil", "Gus"),
}
PERCENT = 100


class Walk:
    """Somebody always asks for something."""

    def __init__(self, game: str, chance: Random) -> None:
        self.chance = chance
        self.game = find_game(game)
        self.watch = Watch()
        self.script: list[c.Envelope] = []
        self.moment = NOW
        self.shoes = 0
        self.closing = False
        """Everybody leaves, and the table closes."""
        deck = [card.text for card in self.game.deck.cards]
        few = [chance.choice(deck) for _ in range(chance.choice([2, 7]))]
        self.faces: Sequence[str] = few if chance.randrange(5) == 0 else deck
        """A shoe of few faces soon shows a card too often."""
        self.least, self.brought = chance.choice([(500_00, 9_000_00), (20_00, 60_00)])
        """With how little patrons play, and how much they bring then."""
        self.shy = chance.randrange(6) == 0
        """Patrons take neither the device nor cards."""

    @property
    def table(self) -> Table:
        """Return the table as it is."""
        return self.watch.table

    @property
    def plan(self) -> Plan:
        """Return what the settings of the open table mean."""
        assert self.table.plan is not None
        return self.table.plan

    @property
    def play(self) -> Round:
        """Return the round."""
        assert self.table.round is not None
        return self.table.round

    def go(self, steps: int) -> None:
        """Ask so many times, finish the round, then replay all that happened."""
        for _ in range(steps):
            self.bring(self.next())
            self.look()
            if self.often(10):
                check_views(self.table, self.chance, 8 if self.often(25) else 0)
        finish(self.watch, self.moment)
        self.watch.check_replay()

    def look(self) -> None:
        """Look whether the round could end from here: now and then, and from most holds."""
        table = self.table
        waits = table.round is not None and bool(table.round.queue or table.suspended)
        if self.often(50 if waits else 20 if table.hold is not None else 5):
            way: list[c.Envelope] = []
            try:
                finish(Desk(table), self.moment, self.chance if self.often(60) else None, way)
            except AssertionError:
                self.script += way
                raise

    def bring(self, envelope: c.Envelope) -> None:
        """Bring one command to the table."""
        self.script.append(envelope)
        self.watch.ask(envelope)

    def next(self) -> c.Envelope:
        """Think of the next command."""
        self.moment += timedelta(seconds=1)
        if self.often(7):
            return nonsense(self.chance, self.table, self.moment, self.faces)
        return self.envelope(self.pick(self.options()))

    # Chance

    def often(self, percent: int) -> bool:
        """Say yes so often."""
        return self.chance.randrange(PERCENT) < percent

    def pick(self, options: list[Option]) -> c.Command:
        """Choose one of the options by their weights."""
        at = self.chance.randrange(sum(weight for weight, _ in options))
        for weight, make in options:
            at -= weight
            if at < 0:
                return make()
        raise AssertionError

    def face(self) -> str:
        """Return the card that comes out of the device."""
        return self.chance.choice(self.faces)

    def patron(self) -> str:
        """Return one of the patrons, mostly one at the table."""
        seated = list(self.table.seats)
        return self.chance.choice(seated if seated and not self.often(5) else list(PATRONS))

    # Who asks, and what only the house knows

    def staff(self, position: StaffPosition, which: int = 0) -> Staff:
        """Return a member of staff in, or for a time acting in, a position."""
        name = NAMES[position][which]
        if self.often(4):
            acting = Acting(position, self.moment, self.moment + timedelta(hours=1))
            return Staff(f"{name} acting", self.chance.choice(list(StaffPosition)), acting)
        return Staff(name, position)

    def actor(self, command: c.Command) -> Actor:
        """Return somebody who may ask for this."""
        table = self.table
        if self.often(3):
            return self.anybody()
        if table.plan is None:
            if isinstance(command, c.OpenTable) and command.settings.method is Method.C:
                return self.staff(StaffPosition.ASSISTANT_CASINO_MANAGER)
            return self.staff(StaffPosition.PIT_MANAGER)
        need = needs(table, command)
        if need.patron is not None and (need.position is None or not self.often(25)):
            return Patron(need.patron)
        seldom = 90 if need.house_deals else 30
        if system_may(table, command, need) and (need.position is None or self.often(seldom)):
            return SYSTEM
        return self.staff(need.position) if need.position else self.anybody()

    def anybody(self) -> Actor:
        """Return any person, or the system."""
        people: list[Actor] = [SYSTEM, *map(Patron, PATRONS)]
        people += [Staff(NAMES[position][0], position) for position in StaffPosition]
        return self.chance.choice(people)

    def approver(self, command: c.Command) -> Staff | None:
        """Return a second person where one is asked for."""
        plan = self.table.plan
        if plan is None:
            return None
        need = needs(self.table, command)
        if (need.approval is None and need.second is None) or self.often(5):
            return None
        wanted = second_of(plan, need)
        return self.staff(wanted, 1) if wanted is not None else None

    def envelope(self, command: c.Command) -> c.Envelope:
        """Wrap a command."""
        die = self.chance.choice([1, 2, 3, 3, 3, 6]) if type(command) is c.AnnounceDie else None
        actor = self.actor(command)
        if isinstance(command, c.LeaveSeat | c.TakeCredit) and isinstance(actor, Staff):
            # Staff of live tables pay every other time in cash.
            plan = self.table.plan
            cash = plan is not None and plan.pays_cash and len(self.script) % 2 == 0
            command = replace(command, cash=cash)
        approver, cards = self.approver(command), self.cards(command, actor)
        return c.Envelope(command, actor, self.moment, approver, cards, die)

    def cards(self, command: c.Command, actor: Actor) -> tuple[str, ...]:
        """Return the cards that come with a command; of a patron the device seldom says any."""
        count = 0
        if isinstance(command, c.ReserveCards):
            count = 2 + sum(card is None for card in self.play.waiting)
        elif isinstance(command, c.CorrectCard):
            return (right_face(self.chance, self.table, command.position),)
        elif isinstance(command, c.DrawCard):
            reads = self.plan.settings.device.reads_cards or self.often(10)
            count = int(reads and not self.often(4))
        elif isinstance(command, c.ExposeCard):
            unread = [dealt.position for dealt in self.play.cards if dealt.card is None]
            turns = isinstance(actor, Patron) and not self.often(20)
            count = int(command.position in unread and not turns)
        elif isinstance(command, c.Report) and self.often(70):
            count = max(0, min(command.count, 6))
        return tuple(self.face() for _ in range(count))

    # What could be asked

    def options(self) -> list[Option]:
        """Return what could well be asked at this moment."""
        table, plan = self.table, self.table.plan
        if plan is None:
            self.closing = False
            return [(1, lambda: c.OpenTable(some_settings(self.game.slug, self.chance)))]
        if table.hold is not None:
            comes_first = (Situation.POWER_FAILURE, Situation.FOREIGN_CARD)
            first = c.report(self.chance.choice(comes_first))
            report: Option = (2, lambda: some_report(self.chance, table))
            options = [*self.on_hold(table, table.hold), (1, self.found_stake)]
            options += [(1, self.correction), (1, self.someone_moves)]
            if self.often(10):
                options.append((1, self.lost_shoe))
            return [*options, report, (2, lambda: first)]
        play = table.round
        if table.between_rounds or play is None:
            options = self.between(table)
            if table.phase is Phase.SETTLED:
                options.append((3, lambda: some_report(self.chance, table)))
            return options
        options = {
            Phase.OPEN: self.while_open,
            Phase.CLOSED: self.while_closed,
            Phase.SHAKE: self.while_shaking,
            Phase.DEALING: self.while_dealing,
            Phase.RESULT: self.with_a_result,
            Phase.SETTLED: self.while_paying,
        }[table.phase]()
        total = sum(weight for weight, _ in options)
        often = 5 if table.phase is Phase.SETTLED else 12
        report = (max(1, total // often), lambda: some_report(self.chance, table))
        if table.flagged:
            options.append((max(1, total // 5), self.flagged_terminal))
        return [*options, (1, self.someone_moves), (1, self.settings_change), report]

    def flagged_terminal(self) -> c.Command:
        """Decide on wagers of a terminal that was lost before it showed the closing."""
        which = self.chance.choice(self.table.flagged).position
        return c.DecideTerminal(which, self.often(40), "the patron saw nothing")

    def someone_moves(self) -> c.Command:
        """Somebody comes, goes, or brings or takes credit."""
        who, chance = self.patron(), self.chance
        position = chance.randrange(self.table.settings.positions) + 1
        return self.pick(
            [
                (3, lambda: c.BringCredit(who, chance.choice([100_00, 2_000_00, 37_05]))),
                (3, lambda: c.TakeCredit(who, self.part_of(who))),
                (1, lambda: c.TakeSeat(chance.choice(PATRONS), position)),
                (1, lambda: c.LeaveSeat(who)),
                (1, lambda: c.RelinquishShoe(self.table.shoe_holder or who)),
                (1, lambda: c.AllowShoe(who, self.often(60))),
                (1, lambda: c.LoseTerminal(position)),
                (1, lambda: c.RestoreTerminal(min(self.table.lost_terminals, default=1))),
                (1, lambda: c.AcknowledgeClosing(position)),
            ]
        )

    def part_of(self, patron: str) -> int:
        """Return an amount that a patron could take away: often everything."""
        held = self.table.credits.get(patron, 0)
        return held if self.often(15) else held // 5

    def settings_change(self) -> c.Command:
        """Somebody changes a setting."""
        chance = self.chance
        now = self.table.settings
        optional = [wager.slug for wager in self.game.wagers if wager.optional]
        some = tuple(slug for slug in optional if self.often(60))
        return self.pick(
            [
                (1, lambda: c.SetMethod(chance.choice(list(Method)), "as asked")),
                (1, lambda: c.SetAreaCap(chance.randrange(1, 4))),
                (1, lambda: c.SetLimits(some_limits(chance, now.rounding))),
                (1, lambda: c.SetDifferential(some_differential(chance))),
                (1, lambda: c.OfferWagers(some)),
                (1, lambda: c.CorrectDisplay("tie")),
                (1, lambda: c.RemoveCards(self.many_cards())),
                (1, c.AttestDraws),
                (1, lambda: c.AnnounceClosure(chance.choice((None, 0, 20, -1, 1_500)))),
                (1, lambda: c.SetClocks(some_clocks(chance))),
                (1, lambda: c.SetDealtBy(chance.choice(list(DealtBy)))),
                (1, c.SignIn),
                (1, c.SignOut),
                (2, lambda: c.PassOver(chance.choice(due(self.table).patrons or PATRONS))),
                (1, self.lost_shoe),
            ]
        )

    def lost_shoe(self) -> c.Command:
        """Declare the shoe lost whose key nobody has any more."""
        shoe = self.table.shoe
        return c.DeclareShoeLost(shoe.name if shoe else "none", "its key is gone")

    def many_cards(self) -> int:
        """Return how many cards are removed: few, or nearly all."""
        left = self.table.shoe.left if self.table.shoe else 0
        return self.chance.choice([1, 1, 2, 150, max(1, left - self.chance.randrange(12))])

    def between(self, table: Table) -> list[Option]:
        """Return what is asked between two rounds."""
        chance, shoe = self.chance, table.shoe
        positions = table.settings.positions
        options: list[Option] = [(2, self.someone_moves), (1, self.settings_change)]
        self.closing = self.closing or self.often(1)
        if self.closing:
            if not table.seats:
                return [(9, c.CloseTable)]
            who = chance.choice(list(table.seats))
            options.append((30, lambda: c.LeaveSeat(who)))
        absent = [name for name in PATRONS if name not in table.seats]
        if absent and (len(table.seats) < 3 or self.often(20)):
            free = [n + 1 for n in range(positions) if n + 1 not in table.seats.values()]
            place = chance.choice(free or [1])
            options.append((9, lambda: c.TakeSeat(chance.choice(absent), place)))
        poor = [name for name in table.seats if table.credits[name] < self.least]
        if poor:
            options.append((9, lambda: c.BringCredit(chance.choice(poor), self.brought)))
        if table.replacement_due or table.phase is Phase.VOID:
            options.append((9, lambda: c.DecideReplacement(self.often(50))))
        if shoe is None or shoe.ended or shoe.replace_by is not None:
            options.append((9, self.load_shoe))
        else:
            ready = len(table.seats) - len(poor) > 1 and not table.replacement_due
            options += [(14 if ready else 1, c.CallBets), (1, c.EndShoe)]
        if table.shoe_holder is not None:
            options.append((1, lambda: c.EndControl(str(table.shoe_holder))))
        if table.flagged:
            options.append((2, self.flagged_terminal))
        return options

    def load_shoe(self) -> c.Command:
        """Load the next shoe; often its cut card comes soon."""
        self.shoes += 1
        behind = self.chance.choice([None, 0, 3, 8, 20, 150])
        return c.LoadShoe(f"shoe {self.shoes}", behind)

    # Betting

    def some_stake(self, *, wagers: Sequence[str] = ()) -> c.Command:
        """Somebody puts a stake down."""
        chance, table, plan = self.chance, self.table, self.plan
        wager = chance.choice(list(wagers or plan.offered))
        if not wagers and self.often(40):
            wager = chance.choice(["player", "banker"])
        limit = plan.limits[wager]
        cents = limit.minimum_cents + limit.step_cents * chance.choice([0, 0, 1, 3, 10, 40])
        shared = self.often(15 if plan.procedure.joint else 1)
        if shared and self.often(50):
            cents = limit.step_cents
        join = None
        joinable = [stake for stake in table.stakes if stake.wager == wager and stake.shared]
        position = chance.randrange(plan.positions) + 1 if self.often(15) else None
        if joinable and self.often(60):
            stake = chance.choice(joinable)
            join, position, cents = stake.number, stake.position, limit.step_cents * 2
        return c.PlaceWager(self.patron(), wager, cents, position, shared, join)

    def change_stake(self) -> c.Command:
        """Somebody raises, lowers or removes a stake."""
        stakes = self.table.stakes
        if not stakes:
            return self.some_stake()
        stake = self.chance.choice(stakes)
        patron = self.chance.choice(stake.shares).patron
        step = self.plan.limits[stake.wager].step_cents
        cents = step * self.chance.choice([1, 2, 10])
        return self.pick(
            [
                (2, lambda: c.RaiseWager(patron, stake.number, cents)),
                (2, lambda: c.LowerWager(patron, stake.number, cents)),
                (1, lambda: c.RemoveWager(patron, stake.number)),
            ]
        )

    def while_open(self) -> list[Option]:
        """Return what is asked while bets are open."""
        close = 1 + len(self.play.stakes) ** 2 // 2
        stakes = self.table.stakes
        seated = list(self.table.seats)
        if self.closing and seated:
            who = self.chance.choice(seated)
            return [(20, lambda: c.LeaveSeat(who)), (5, c.CloseBets), (3, self.change_stake)]
        options: list[Option] = [(12, self.some_stake), (4, self.change_stake)]
        if self.plan.procedure.terminals is not None and stakes:
            place = self.chance.choice(stakes).position
            options.append((1, lambda: c.LoseTerminal(place)))
        return [*options, (close, c.CloseBets)]

    def while_closed(self) -> list[Option]:
        """Return what is asked before the first card."""
        chance, plan, play = self.chance, self.plan, self.play
        options: list[Option] = [(1, self.found_stake), (1, self.change_stake)]
        if self.often(20):
            options.append((2, c.ShowCutCard))
        if play.cut_card_first:
            options.append((6, c.OfferWithdrawal))
        if plan.procedure.shake is not None:
            return [*options, (20, c.ShakeDie), (1, c.DrawCard)]
        if plan.procedure.terminals is not None:
            place = chance.randrange(plan.positions) + 1
            options.append((3, lambda: c.AcknowledgeClosing(place)))
            places = [stake.position for stake in self.table.stakes] or [place]
            options.append((2, lambda: c.LoseTerminal(chance.choice(places))))
        return [*options, *self.dealing()]

    def found_stake(self) -> c.Command:
        """Find a stake that nobody entered."""
        return found_stake(self.chance, self.table, self.patron())

    def correction(self) -> c.Command:
        """Put the face of a card right."""
        shown = [dealt.position for dealt in self.play.cards if dealt.exposed]
        places = shown or list(Position)
        return c.CorrectCard(self.chance.choice(places), "misread")

    # The die

    def while_shaking(self) -> list[Option]:
        """Return what is asked around the die."""
        who, play = self.patron(), self.play
        options: list[Option] = [(1, self.found_stake)]
        if play.shakes < 3:
            return [*options, (20, c.ShakeDie), (1, c.PassShaker)]
        if not play.shaker_passed:
            return [*options, (20, c.PassShaker), (2, lambda: c.PassShaker(who, "asked for"))]
        if play.shaker is not None and self.often(25):
            options.append((5, lambda: c.RefuseShaker(str(play.shaker))))
        if not play.shake_confirmed:
            return [*options, (20, c.ConfirmShake)]
        options.append((3, lambda: c.CallShakeInvalid("it fell down")))
        if play.shaker_opened is None:
            return [*options, (20, c.OpenShaker)]
        announce = 2 if play.die is not None else 20
        draw = 20 if play.die is not None else 1
        return [*options, (announce, c.AnnounceDie), (draw, c.DrawCard)]

    # Dealing

    def dealing(self) -> list[Option]:
        """Return how the next card comes."""
        table, plan = self.table, self.plan
        if plan.settings.method is not Method.C:
            return [(12, c.DrawCard)]
        due = shoe_due(table) or self.patron()
        if table.shoe_holder is None:
            return [
                (8, lambda: c.TakeShoe(due)),
                (40 if self.shy else 2, lambda: c.RefuseShoe(due)),
                (2, lambda: c.AllowShoe(due)),
                (9 if shoe_due(table) is None else 1, c.DrawCard),
            ]
        holder = table.shoe_holder
        return [
            (14, c.DrawCard),
            (1, lambda: c.RelinquishShoe(holder)),
            (1, lambda: c.AllowShoe(holder)),
            (1, c.AttestDraws),
        ]

    def while_dealing(self) -> list[Option]:
        """Return what is asked while cards are dealt."""
        plan, play = self.plan, self.play
        options: list[Option] = [(1, self.found_stake), (1, c.ShowCutCard)]
        options.append((1, self.change_stake))
        hidden = [dealt for dealt in play.cards if not dealt.exposed]
        if len(hidden) < len(play.cards):
            options.append((2, self.correction))
        if play.coup is not None and play.coup.complete:
            return [*options, (24, c.AnnounceOutcome)]
        if len(play.cards) < 4 or not hidden:
            options += self.dealing()
        if hidden and (len(play.cards) >= 4 or not plan.face_down):
            first = [one for one in hidden if one.position.side is play.first_hand]
            some = self.chance.choice(first or hidden).position
            chosen = plan.settings.method is not Method.A or play.first_hand is not None
            options.append((12 if chosen else 1, lambda: c.ExposeCard(some)))
        if plan.face_down:
            options += self.handling()
        return options

    def handling(self) -> list[Option]:
        """Return what patrons and staff ask about hands."""
        table, play = self.table, self.play
        side = self.chance.choice(list(Side))
        who, due = self.patron(), handler_due(table, side)
        friend = "a friend" if self.often(20) else None
        options: list[Option] = [(1, lambda: c.PermitSqueeze(side, who, friend, "asked"))]
        if play.first_hand is None and len(play.cards) >= 4:
            options.append((6, lambda: c.ChooseFirstHand(side)))
        held = play.handlers.get(side)
        if held is not None:
            gone = c.report(Situation.LEFT_WITH_CARDS, patron=held)
            options += [(1, lambda: c.RefuseHand(side, held)), (1, lambda: gone)]
            options.append((1, lambda: c.PassHand(side, who)))
        elif due is not None:
            drawn = sum(dealt.position.side is side for dealt in play.cards)
            options += [
                (6 if drawn > 1 else 1, lambda: c.PassHand(side, due)),
                (9 if self.shy else 1, lambda: c.RefuseHand(side, due)),
            ]
        else:
            options.append((3, lambda: c.NameHandler(side, who, "nobody left")))
        return options

    def with_a_result(self) -> list[Option]:
        """Return what is asked between the outcome and the settlement."""
        return [
            (14, c.Settle),
            (1, self.found_stake),
            (1, self.correction),
            (1, lambda: c.CorrectDisplay("player")),
        ]

    def while_paying(self) -> list[Option]:
        """Return what is asked between the settlement and its confirmation."""
        who = self.patron()
        held = self.table.credits.get(who, 0)
        less = self.table.reserved(who)
        cents = self.chance.choice([held, held - less, held - less // 2])
        return [
            (10, c.ConfirmPayment),
            (4, self.someone_moves),
            (3, lambda: c.TakeCredit(who, cents)),
            (3, self.found_stake),
            (4, self.correction),
            (1, lambda: c.EndControl(self.table.shoe_holder or who)),
        ]

    # Holds

    def on_hold(self, table: Table, hold: Hold) -> list[Option]:
        """Return what the round waits for."""
        if hold.kind is HoldKind.BALANCE:
            return self.while_balanced(table)
        if hold.kind is HoldKind.WITHDRAWAL:
            return self.while_asked(table, hold)
        play = self.play
        options: list[Option] = []
        numbers = list(range(waiting_order(hold, play)))
        self.chance.shuffle(numbers)
        missing = list(play.missing)
        self.chance.shuffle(missing)
        hidden = [dealt.position for dealt in play.cards if not dealt.exposed]
        answers: dict[HoldKind, list[Option]] = {
            HoldKind.REPORT: [
                (12, lambda: c.ConfirmReport("seen")),
                (3, lambda: c.DismissReport("not so")),
            ],
            HoldKind.ORDER: [
                (12, lambda: c.SetOrder(tuple(numbers), "as they lay")),
                (1, lambda: c.SetOrder((0, 0))),
            ],
            HoldKind.RESET: [(12, lambda: c.ResetDevice("done"))],
            HoldKind.RESERVE: [(12, c.ReserveCards)],
            HoldKind.SORT: [
                (12, self.sorting),
                (1, lambda: c.RecordSorting({self.face(): 3})),
            ],
            HoldKind.SUBSTITUTE: [
                (12, lambda: c.Substitute(tuple(missing))),
                (1, lambda: c.Substitute((self.face(),))),
            ],
            HoldKind.REFERRAL: [(12, lambda: decision(self.chance, table))],
        }
        if hold.kind in (HoldKind.RESERVE, HoldKind.SORT, HoldKind.SUBSTITUTE):
            options.append((1, lambda: decision(self.chance, table)))
        if hidden and hold.kind in (HoldKind.RESERVE, HoldKind.SORT):
            some = self.chance.choice(hidden)
            options.append((4, lambda: c.ExposeCard(some)))
        return [*options, *answers[hold.kind]]

    def while_balanced(self, table: Table) -> list[Option]:
        """Return what brings the differential down, and what does not."""
        player, banker = (table.on_hand(side) for side in Side)
        heavy, light = ("player", "banker") if player > banker else ("banker", "player")
        there = [stake for stake in table.stakes if stake.wager == heavy]
        options: list[Option] = [
            (2, c.AskToLower),
            (3, lambda: self.some_stake(wagers=(light,))),
            (3, self.change_stake),
        ]
        if there:
            stake = self.chance.choice(there)
            patron = self.chance.choice(stake.shares).patron
            options += [
                (3, lambda: c.TakeOffWager(stake.number, "too much")),
                (2, lambda: c.RemoveWager(patron, stake.number)),
            ]
        return options

    def while_asked(self, table: Table, hold: Hold) -> list[Option]:
        """Return how patrons answer an option to withdraw."""
        waiting = [name for name in hold.patrons if name not in hold.answers]
        end: Option = (1 if waiting else 12, c.EndOption)
        again: Option = (1, lambda: c.KeepWagers(self.patron()))
        other: Option = (1, lambda: c.Withdraw(self.patron(), (self.play.placed,)))
        if not waiting:
            return [end, again]
        who = self.chance.choice(waiting)
        may = withdrawable(table, hold.steps[0][0]).get(who, [])
        some = tuple(number for number in may if self.often(60))
        return [
            end,
            again,
            other,
            (3, lambda: c.Withdraw(who)),
            (2, lambda: c.Withdraw(who, some)),
            (3, lambda: c.KeepWagers(who)),
        ]

    def sorting(self) -> c.Command:
        """Count the cards so that as many are missing as were taken."""
        play, plan = self.play, self.plan
        assert play.reported is not None
        patron = play.reported.patron
        deck = [card.text for card in plan.game.deck.cards]
        counts = dict.fromkeys(deck, plan.settings.decks)
        for card in (*(dealt.card for dealt in play.cards), *play.waiting):
            if card is not None:
                counts[card.text] -= 1
        for dealt in play.cards:
            if dealt.handed_to == patron and not dealt.exposed and dealt.card is None:
                counts[self.chance.choice(deck)] -= 1
        return c.RecordSorting({face: count for face, count in counts.items() if count > 0})
