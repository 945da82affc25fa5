"""What a person may do now, and what each thing needs.

The same answer serves the API, the buttons of every screen and the tests. It asks the rules
that decide: who may (:mod:`croupier.table.authority`), when (:mod:`croupier.table.phases`),
and what each mechanic refuses or leaves room for; it has no rules of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.authority import Needs, right_of
from croupier.table.may import attending, betting, dealing, incidents, people
from croupier.table.may.common import Common
from croupier.table.may.look import Answer, Needed, Rights, StaffLook
from croupier.table.may.patrons import OF_PATRONS, of_patrons, open_to
from croupier.table.may.shapes import Allowed, Field, FieldKind, Open, Value, Way
from croupier.table.roles import Patron, Staff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.table.roles import Actor, StaffPosition
    from croupier.table.settings import Plan
    from croupier.table.state import Table

__all__ = [
    "OF_PATRONS",
    "Allowed",
    "Amounts",
    "Answers",
    "Common",
    "Field",
    "FieldKind",
    "Open",
    "Value",
    "Way",
    "answers",
    "may",
    "of_patrons",
    "open_in",
]

NO_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""Only of whoever acts in a position for a time, and of a table that is not open, does it
matter when they ask."""
Ask = Callable[[StaffLook], None]
ASKS: dict[type[c.Command], Ask | tuple[tuple[str, Ask], ...]] = {
    c.CloseTable: people.close_table,
    c.AnnounceClosure: people.announce_closure,
    c.SetMethod: people.set_method,
    c.SetClocks: attending.set_clocks,
    c.SetDealtBy: attending.set_dealt_by,
    c.SignIn: attending.sign_in,
    c.SignOut: attending.sign_out,
    c.PassOver: attending.pass_over,
    c.SetAreaCap: people.set_area_cap,
    c.SetLimits: people.set_limits,
    c.SetDifferential: people.set_differential,
    c.OfferWagers: people.offer_wagers,
    c.LoadShoe: people.load_shoe,
    c.EndShoe: people.end_shoe,
    c.DeclareShoeLost: people.declare_shoe_lost,
    c.RemoveCards: people.remove_cards,
    c.TakeSeat: people.take_seat,
    c.LeaveSeat: people.leave_seat,
    c.BringCredit: people.bring_credit,
    c.TakeCredit: people.take_credit,
    c.LoseTerminal: people.lose_terminal,
    c.RestoreTerminal: people.restore_terminal,
    c.AcknowledgeClosing: people.acknowledge_closing,
    c.CallBets: betting.call_bets,
    c.CloseBets: betting.close_bets,
    c.PlaceWager: betting.place_wager,
    c.RaiseWager: betting.raise_wager,
    c.LowerWager: betting.lower_wager,
    c.RemoveWager: betting.remove_wager,
    c.FindStake: betting.find_stake,
    c.AskToLower: betting.ask_to_lower,
    c.TakeOffWager: betting.take_off_wager,
    c.ShakeDie: dealing.shake_die,
    c.PassShaker: dealing.pass_shaker,
    c.ConfirmShake: dealing.confirm_shake,
    c.OpenShaker: dealing.open_shaker,
    c.AnnounceDie: dealing.announce_die,
    c.CallShakeInvalid: dealing.call_shake_invalid,
    c.AllowShoe: dealing.allow_shoe,
    c.EndControl: dealing.end_control,
    c.AttestDraws: dealing.attest_draws,
    c.DrawCard: dealing.draw_card,
    c.ShowCutCard: dealing.show_cut_card,
    c.OfferWithdrawal: dealing.offer_withdrawal,
    c.NameHandler: dealing.name_handler,
    c.PermitSqueeze: dealing.permit_squeeze,
    c.PassHand: dealing.pass_hand,
    c.ChooseFirstHand: dealing.choose_first_hand,
    c.ExposeCard: dealing.expose_card,
    c.AnnounceOutcome: dealing.announce_outcome,
    c.Settle: dealing.settle,
    c.ConfirmPayment: dealing.confirm_payment,
    c.Report: incidents.REPORTS,
    c.ConfirmReport: incidents.confirm_report,
    c.DismissReport: incidents.dismiss_report,
    c.EndOption: incidents.end_option,
    c.SetOrder: incidents.set_order,
    c.ResetDevice: incidents.reset_device,
    c.ReserveCards: incidents.reserve_cards,
    c.RecordSorting: incidents.record_sorting,
    c.Substitute: incidents.substitute,
    c.DecideReferral: incidents.decide_referral,
    c.DecideTerminal: incidents.decide_terminal,
    c.DecideReplacement: incidents.decide_replacement,
    c.CorrectCard: dealing.correct_card,
    c.CorrectDisplay: incidents.correct_display,
}
"""What each command of staff and the system asks before it is said to be open, a report for
each situation; opening a table is told apart."""
assert {c.OpenTable, *ASKS, *OF_PATRONS} == set(c.COMMANDS), "a command that nobody is told of"


ALWAYS_ASKED: frozenset[str] = frozenset()
"""What follows from more than a few pieces is looked up at every step."""
CARDS = frozenset({"round.cards"})
HANDS = CARDS | {"round.handlers"}
SHOE = frozenset({"shoe"})
DEALS = "plan phase hold scheduled dealer round.dealt_by round.confirmed"
OFFERS = "plan phase seats round.stakes round.course round.lines round.refused round.named"
FACTS: dict[str, frozenset[str]] = {
    "cards_known": CARDS,
    "reportable": CARDS | {"plan", "phase", "round.closed", "round.confirmed", "round.coup"},
    "order": CARDS | {"round.aside", "round.waiting", "round.confirmed"},
    "handed": CARDS,
    "unread": CARDS,
    "faces": CARDS,
    "coup_over": frozenset({"round.coup"}),
    "cards_left": SHOE,
    "shoe_in_play": SHOE,
    "cut_card_seen": SHOE,
    "late_stakes": frozenset({"round.stakes", "round.closed"}),
    "bound": frozenset({"phase", "round.stakes", "round.lines", "round.confirmed"}),
    "reserved": frozenset({"phase", "round.lines"}),
    "on_hold": frozenset({"hold"}),
    "house_deals": frozenset(DEALS.split()),
    "handlers": HANDS,
    "held": HANDS,
    "hands_offered": frozenset(OFFERS.split()),
    "first_hand": frozenset({"round.first_hand"}),
    "device_with": frozenset({"shoe_holder"}),
    "sealed": ALWAYS_ASKED,
    "to_draw": ALWAYS_ASKED,
}
"""What several questions need to know of a table, and changes less often than its pieces;
with the pieces from which it follows."""


class Question:
    """What staff ask: how a command is open, or the report of one situation."""

    __slots__ = ("ask", "facts", "kind", "pieces")

    def __init__(self, kind: type[c.Command], ask: Ask, pieces: frozenset[str] | None) -> None:
        self.kind, self.ask, self.pieces = kind, ask, pieces
        """From which pieces of the state, or facts in common, the answer follows: as long as
        they are the same, so is the answer. None: it is asked for anew at every step."""
        facts = () if pieces is None else tuple([one for one in FACTS if one in pieces])
        alone = pieces is not None and pieces == {"plan", *facts}
        self.facts = attrgetter(*facts) if alone and facts else None
        """How to get the facts, where the answer follows from them alone: rounds are alike,
        so what was answered to the same facts once is remembered."""


def _follows() -> Iterator[tuple[type[c.Command], frozenset[str]]]:
    def pieces(
        names: str, *kinds: type[c.Command]
    ) -> Iterator[tuple[type[c.Command], frozenset[str]]]:
        for kind in kinds:
            yield kind, frozenset(("plan", *names.split()))

    settings = (c.SetClocks, c.SetAreaCap, c.SetLimits, c.SetDifferential, c.OfferWagers)
    yield from pieces("", c.AnnounceClosure, c.PassOver, c.AttestDraws, *settings)
    yield from pieces("house_deals", c.CloseBets)
    yield from pieces("scheduled", c.SetMethod, c.SetDealtBy)
    yield from pieces("scheduled dealer", c.SignIn, c.SignOut)
    yield from pieces("shoe_in_play", c.DeclareShoeLost)
    yield from pieces("shoe_in_play cards_left", c.RemoveCards)
    yield from pieces("seats", c.TakeSeat, c.BringCredit, c.AllowShoe)
    yield from pieces("seats bound", c.LeaveSeat)
    yield from pieces("credits reserved", c.TakeCredit)
    yield from pieces("lost_terminals", c.LoseTerminal, c.RestoreTerminal, c.AcknowledgeClosing)
    yield from pieces("results round.outcome", c.CorrectDisplay)
    draws = "round.waiting round.stakes round.shoe_refused shoe_holder shoe_permitted"
    yield from pieces(f"to_draw {draws} house_deals", c.DrawCard)
    yield from pieces("cut_card_seen", c.ShowCutCard)
    yield from pieces("seats held hands_offered round.refused", c.NameHandler)
    yield from pieces("seats held", c.PermitSqueeze)
    yield from pieces("order handlers hands_offered device_with house_deals", c.PassHand)
    yield from pieces("order first_hand house_deals", c.ChooseFirstHand)
    yield from pieces("order unread handlers first_hand on_hold house_deals", c.ExposeCard)
    yield from pieces("order coup_over house_deals", c.AnnounceOutcome)
    yield from pieces("faces sealed", c.CorrectCard)
    yield from pieces("cards_known seats credits reserved round.stakes", c.FindStake)


FOLLOWS: dict[type[c.Command], frozenset[str]] = dict(_follows())
"""From what it follows how a command is open to staff, where that is few."""


def _questions() -> Iterator[Question]:
    for kind, ask in ASKS.items():
        if callable(ask):
            yield Question(kind, ask, FOLLOWS.get(kind))
            continue
        for pieces, one in ask:
            yield Question(kind, one, frozenset(("plan", *pieces.split())))


QUESTIONS = tuple(_questions())
"""All that staff ask, in the order of the commands."""


class Answers:
    """How each command is open to staff, and to whom of them."""

    __slots__ = ("by_question", "every", "facts", "remembered", "timely")

    def __init__(self, common: Common | None = None) -> None:
        self.by_question: dict[Question, tuple[Answer, ...]] = {}
        self.every: list[Answer] = []
        """All answers, whatever was asked."""
        self.timely = NO_COMMANDS if common is None else common.timely
        """The commands that were asked about."""
        self.facts: dict[str, object] = {}
        self.remembered: dict[tuple[Question, object], tuple[Answer, ...]] = {}
        """What was answered to facts, for as long as the plan is the same."""

    def look_up(self, common: Common, before: Answers, changed: frozenset[str]) -> set[str]:
        """Find the facts from which answers follow now; return which are not what they were."""
        same, known, others = before.timely is self.timely, before.facts, set[str]()
        if same:
            self.facts = known.copy()
        for name in _facts_at(self.timely, changed if same else None):
            fact = self.facts[name] = getattr(common, name)
            if name not in known or known[name] != fact:
                others.add(name)
        return others

    def ask(self, one: Question, look: StaffLook) -> tuple[Answer, ...]:
        """Return the answer to a question, or what was answered to the same facts."""
        if one.facts is None:
            return _answer(one, look)
        key = one, one.facts(look.common)
        answer = self.remembered.get(key)
        if answer is None:
            if len(self.remembered) >= REMEMBERED:
                self.remembered.clear()
            answer = self.remembered[key] = _answer(one, look)
        return answer


def _answer(one: Question, look: StaffLook) -> tuple[Answer, ...]:
    look.found = []
    one.ask(look)
    return tuple(look.found)


REMEMBERED = 1024
"""How many answers to facts are remembered: several times as many as a round has."""
NO_COMMANDS: frozenset[type[c.Command]] = frozenset()
UNASKED = Answers()


@lru_cache(maxsize=256)
def _asked(timely: frozenset[type[c.Command]]) -> tuple[Question, ...]:
    """Return what is asked at a point of a round, in the order of the commands."""
    return tuple(one for one in QUESTIONS if one.kind in timely)


@lru_cache(maxsize=4096)
def _facts_at(
    timely: frozenset[type[c.Command]], changed: frozenset[str] | None
) -> tuple[str, ...]:
    """Return the facts from which answers follow at a point of a round.

    Of those, the ones that may be other than before because these pieces changed; None: all.
    """
    needed = frozenset().union(*[one.pieces or () for one in _asked(timely)])

    def may_change(pieces: frozenset[str]) -> bool:
        return changed is None or not pieces or not pieces.isdisjoint(changed)

    return tuple([one for one, pieces in FACTS.items() if one in needed and may_change(pieces)])


@lru_cache(maxsize=4096)
def _anew(
    before: frozenset[type[c.Command]],
    timely: frozenset[type[c.Command]],
    changed: frozenset[str],
) -> tuple[Question, ...]:
    """Return what was not asked before, or is asked again because these pieces changed."""

    def again(one: Question) -> bool:
        return one.pieces is None or not one.pieces.isdisjoint(changed)

    return tuple(one for one in _asked(timely) if one.kind not in before or again(one))


def answers(
    common: Common,
    positions: Iterable[StaffPosition],
    known: Answers | None = None,
    changed: frozenset[str] = frozenset(),
) -> Answers:
    """Return what those who work in these positions may do at an open table now.

    ``known`` is the answer at the table before, of which these pieces ``changed``, for the
    same positions; what did not change is the same object. Somebody who acts in a position
    for a time is asked about by ``may``: only that looks at the clock.
    """
    people, rights = _nameless(common.plan, tuple(positions))
    look = StaffLook(common, people, NO_MOMENT, rights)
    found, known = Answers(common), known or UNASKED
    timely, before = common.timely, known.by_question
    if "plan" not in changed:
        found.remembered = known.remembered if known is not UNASKED else {}
    now = before.copy()
    if timely is not known.timely:
        now = {one: before.get(one, ()) for one in _asked(timely)}
    others = changed | found.look_up(common, known, changed)
    for one in _anew(known.timely, timely, others):
        answer = found.ask(one, look)
        if answer != now[one]:
            now[one] = answer
    found.by_question = now
    found.every = list(chain.from_iterable(now.values()))
    return found


def open_in(plan: Plan, position: StaffPosition, found: Answers) -> tuple[Open, ...]:
    """Return what is open to whoever works in one position."""
    rights = _rights(plan, position)
    return tuple([one for needed, one in found.every if rights[needed]])


class PositionRights(Rights):
    """Whether one position may do what needs another one; found once."""

    def __init__(self, plan: Plan, position: StaffPosition) -> None:
        super().__init__()
        self._plan, self._staff = plan, Staff("", position)

    def __missing__(self, needed: Needed) -> bool:
        need = Needs(needed[0], house=needed[1])
        right = right_of(self._plan, self._staff, NO_MOMENT, need) is not None
        self[needed] = right
        return right


@lru_cache(maxsize=1024)
def _rights(plan: Plan, position: StaffPosition) -> PositionRights:
    return PositionRights(plan, position)


@lru_cache(maxsize=256)
def _nameless(
    plan: Plan,  # by which rights are what they are
    positions: tuple[StaffPosition, ...],
) -> tuple[tuple[Staff, ...], Rights]:
    """Return somebody of each position, and what is known of their rights at a plan."""
    return tuple(Staff("", position) for position in positions), {}


def may(
    table: Table, person: Actor, moment: datetime, common: Common | None = None
) -> tuple[Open, ...]:
    """Return what a person may do at this table now, in the order of the commands.

    A command stands in it more than once where another clause, another second person or
    other fields belong to other values. ``common`` is what whoever asks for many people has
    found of this table already.
    """
    plan = table.plan
    if plan is None:
        return people.open_table(table, person, moment)
    common = common or Common(table, plan)
    if isinstance(person, Patron):
        return open_to(common, person.name, moment)
    look = StaffLook(common, (person,), moment)
    for one in _asked(common.timely):
        one.ask(look)
    return tuple([one for _, one in look.found])
