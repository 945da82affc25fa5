"""Ending a round by what staff and patrons may do, whatever it waits for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.referral import decisions
from croupier.table.refusals import Refusal
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from tests.table.helpers import PATRONS
from tests.table.pairs_book import DeadEndError
from tests.table.pairs_happen import swapped
from tests.table.pairs_world import Ask, World, draw, expose, hidden, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.state import Hold

STEPS_MAX = 60
"""More than the longest round needs from anywhere."""


class Policy(NamedTuple):
    """How staff and patrons answer what the round waits for."""

    name: str
    confirms: bool = True
    withdraws: str = "nobody"
    decides: tuple[c.Decision, ...] = (c.Decision.CONTINUE,)


D = c.Decision
PLAIN = Policy("all stays")
POLICIES = (
    PLAIN,
    Policy("all withdraw", withdraws="all", decides=(D.OFFER_WITHDRAWAL, D.CONTINUE)),
    Policy("some withdraw", withdraws="some", decides=(D.RESET, D.EXCLUDE, D.CONTINUE)),
    Policy("put right", decides=(D.RECONSTRUCT, D.CORRECT, D.CONTINUE)),
    Policy("void", withdraws="silent", decides=(D.VOID,)),
    Policy("dismissed", confirms=False, withdraws="bob"),
)


def answers(world: World, policy: Policy) -> Iterator[Ask]:
    """Give what may bring the round on, the best first."""
    table = world.table
    if table.hold is not None:
        yield from HOLDS[table.hold.kind](world, table.hold, policy)
        return
    for position in (1, 2) if world.plan.code == "EB4" else ():
        yield Ask(c.DecideTerminal(position, stands=True, reason="it was accepted"))
    if table.phase is Phase.OPEN:
        yield Ask(c.CloseBets())
    elif table.phase is Phase.RESULT:
        yield Ask(c.Settle())
    elif table.phase is Phase.SETTLED:
        yield Ask(c.ConfirmPayment())
    else:
        yield from _dealing(world)


def _dealing(world: World) -> Iterator[Ask]:
    play = world.play
    if world.plan.procedure.shake is not None and play.die is None:
        yield from (Ask(c.ShakeDie()), Ask(c.PassShaker()), Ask(c.ConfirmShake()))
        yield from (Ask(c.OpenShaker()), Ask(c.AnnounceDie(), die=3))
        return
    if len(play.cards) >= len(INITIAL_DEAL):
        if play.first_hand is None and world.plan.settings.method is Method.A:
            yield Ask(c.ChooseFirstHand(Side.PLAYER))
        for dealt in sorted(hidden(world), key=lambda one: one.position.side is Side.BANKER):
            yield expose(dealt.position)(world)
    yield Ask(c.AnnounceOutcome())
    yield draw(world)
    if world.plan.settings.method is Method.C:
        for patron in PATRONS:
            yield Ask(c.TakeShoe(patron))
        for patron in PATRONS:
            yield Ask(c.AllowShoe(patron))
    for dealt in hidden(world):
        yield expose(dealt.position)(world)


def _report_answers(world: World, hold: Hold, policy: Policy) -> Iterator[Ask]:  # noqa: ARG001
    if policy.confirms:
        yield Ask(c.ConfirmReport("seen"))
    yield Ask(c.DismissReport("it was nothing"))


def _option_answers(world: World, hold: Hold, policy: Policy) -> Iterator[Ask]:
    for patron in hold.patrons:
        if patron in hold.answers or policy.withdraws == "silent":
            continue
        own = tuple(
            number
            for number in hold.stakes
            if (stake := world.play.stakes.get(number)) and stake.share(patron)
        )
        if policy.withdraws == "some":
            yield Ask(c.Withdraw(patron, own[:1]))
        if policy.withdraws in ("all", "some", patron):
            yield Ask(c.Withdraw(patron))
        yield Ask(c.KeepWagers(patron))
    yield Ask(c.EndOption("all answered"))


def _order_answers(world: World, hold: Hold, policy: Policy) -> Iterator[Ask]:  # noqa: ARG001
    count = hold.report.count if hold.report else 0
    for many in (count, len(world.play.waiting)):
        yield Ask(c.SetOrder(tuple(reversed(range(many))), "as it was seen"))


def _gone_answers(world: World, hold: Hold, policy: Policy) -> Iterator[Ask]:  # noqa: ARG001
    if hold.kind is HoldKind.RESERVE:
        read = [
            world.truth[number]
            for card, number in zip(world.play.waiting, world.play.waiting_numbers, strict=True)
            if card is None
        ]
        yield Ask(c.ReserveCards(), (*read, *world.next_faces(2)))
    elif hold.kind is HoldKind.SORT:
        counts = Counter(world.truth)
        numbers = [one.number for one in world.play.cards] + list(world.play.waiting_numbers)
        counts.subtract(world.truth[number] for number in numbers)
        yield Ask(c.RecordSorting({face: count for face, count in counts.items() if count}))
        for dealt in hidden(world):
            if dealt.handed_to is None:
                yield expose(dealt.position)(world)
        for dealt in hidden(world):
            yield expose(dealt.position)(world)
    else:
        yield Ask(c.Substitute(world.play.missing))
    yield Ask(c.DecideReferral(D.VOID, "the cards are gone"))


def _referral_answers(world: World, hold: Hold, policy: Policy) -> Iterator[Ask]:  # noqa: ARG001
    choices = decisions(world.table)
    for choice in (*policy.decides, D.CONTINUE):
        if choice in choices:
            yield Ask(_decision(world, choice))


def _decision(world: World, choice: c.Decision) -> c.DecideReferral:
    reason, lie = "it is fair", list(world.play.stakes.values())
    if choice is D.EXCLUDE and lie:
        return c.DecideReferral(choice, reason, stake=lie[0].number)
    if choice is D.CORRECT and lie:
        owner = lie[-1].shares[0].patron
        return c.DecideReferral(choice, reason, lie[-1].number, owner, won_cents=7_00)
    if choice is D.RECONSTRUCT:
        return c.DecideReferral(choice, reason, laid=swapped(world, last=True))
    return c.DecideReferral(choice, reason)


def _balance_answers(world: World, hold: Hold, policy: Policy) -> Iterator[Ask]:  # noqa: ARG001
    table = world.table
    ahead = table.on_hand(Side.PLAYER) > table.on_hand(Side.BANKER)
    heavy = Side.PLAYER if ahead else Side.BANKER
    if world.play.asked_to_lower is not heavy:
        yield Ask(c.AskToLower())
    for stake in reversed(table.stakes):
        if stake.wager == heavy.value:
            if policy.withdraws == "all":
                yield Ask(c.RemoveWager(stake.shares[0].patron, stake.number))
            yield Ask(c.TakeOffWager(stake.number, "to balance"))


HOLDS: dict[HoldKind, Callable[[World, Hold, Policy], Iterator[Ask]]] = {
    HoldKind.REPORT: _report_answers,
    HoldKind.BALANCE: _balance_answers,
    HoldKind.WITHDRAWAL: _option_answers,
    HoldKind.ORDER: _order_answers,
    HoldKind.RESET: lambda *_: iter((Ask(c.ResetDevice("as ruled")),)),
    HoldKind.RESERVE: _gone_answers,
    HoldKind.SORT: _gone_answers,
    HoldKind.SUBSTITUTE: _gone_answers,
    HoldKind.REFERRAL: _referral_answers,
}


def step(world: World, policy: Policy) -> int:
    """Bring the round one command on, and tell which of the answers it was."""
    refused: list[str] = []
    for number, ask in enumerate(answers(world, policy)):
        answer = world.ask(ask)
        if not isinstance(answer, Refusal):
            return number
        refused.append(f"  {told(ask)}: {answer}")
    waits = world.table.hold.kind.value if world.table.hold else "nothing"
    why = f"dead end in {world.table.phase.value}, waiting for {waits} ({policy.name})"
    raise DeadEndError(why, (*world.script, "refused:", *refused))


def end(world: World, policy: Policy) -> None:
    """Bring the round to its end, and see that all is resolved."""
    for _ in range(STEPS_MAX):
        if world.over:
            world.check_end()
            return
        step(world, policy)
    why = f"the round does not end ({policy.name})"
    raise DeadEndError(why, world.script)


def again(world: World) -> None:
    """See that another round can begin."""
    for ask in (
        Ask(c.DecideReplacement(replace=True, reason="to be sure")),
        Ask(c.EndShoe()),
        Ask(c.LoadShoe("second")),
    ):
        world.ask(ask)
    world.do(Ask(c.CallBets()))
