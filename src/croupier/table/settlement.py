"""Settlement: every stake of the round in one step, by row, odds and clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.money import Cents, pay
from croupier.rules.errors import cited
from croupier.rules.wagers import Result
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.draft import Draft
from croupier.table.order import MAIN
from croupier.table.refusals import Code, Refusal, refuse

if TYPE_CHECKING:
    from croupier.rules.wagers import Verdict
    from croupier.table.draft import Events, Handlers
    from croupier.table.procedure import Breaches
    from croupier.table.settings import Plan
    from croupier.table.state import Share, Stake, Table

UNDER_MINIMUM = "under_minimum"
UNDER_MINIMUM_AGAIN = "under_minimum_again"
OVER_MAXIMUM = "over_maximum"


class Paid:
    """How a wager of this round is paid: looked up once for all stakes on it."""

    __slots__ = ("clause", "commission", "label", "net", "odds", "pays", "result")

    def __init__(self, plan: Plan, wager: str, verdict: Verdict) -> None:
        row, rule = verdict.row, plan.procedure.commission
        self.result = verdict.result.value
        self.label = row.label if row else None
        self.pays = row.pays.text if row else None
        self.odds = row.pays if row else None
        self.clause = cited(row.clause) if row else None
        self.net = verdict.net.as_integer_ratio()
        self.commission = (
            rule is not None and wager == rule.wager and plan.game.slug in rule.games
        )

    def winnings(self, plan: Plan, settled: int) -> int:
        """Return the net winnings of so many cents; negative: what is collected."""
        numerator, denominator = self.net
        won, rest = divmod(settled * numerator, denominator)
        if rest:
            assert self.odds is not None
            return pay(Cents(settled), self.odds, plan.settings.rounding)
        return won

    def kept(self, settled: int, won: int) -> int | None:
        """Return the commission that winnings had taken off, where there is one."""
        if not self.commission:
            return None
        return settled - won if 0 < won < settled else 0


def settle(table: Table) -> tuple[e.PayLine, ...]:
    """Return the pay list of a round whose outcome is known."""
    plan, play = table.plan, table.round
    assert plan is not None and play is not None and play.coup is not None
    game = plan.game
    verdicts = game.verdicts(play.coup.index(game.precious), power=play.power)
    paid: dict[str, Paid] = {}
    lines: list[e.PayLine] = []
    for stake in play.stakes.values():
        wager = stake.wager
        how = paid.get(wager)
        if how is None:
            how = paid[wager] = Paid(plan, wager, verdicts[plan.places[wager]])
        if stake.found:
            lines += _found_lines(table, plan, stake, how)
        else:
            lines += [
                _line(plan, stake, share.patron, share.cents, how) for share in stake.shares
            ]
    # What somebody put right stays so as long as the cards give the same line.
    return tuple(_as_decided(line, play.put_right) for line in lines)


def _as_decided(
    line: e.PayLine, put_right: tuple[tuple[e.PayLine, e.PayLine], ...]
) -> e.PayLine:
    return next((right for given, right in put_right if given == line), line)


def _line(plan: Plan, stake: Stake, patron: str, cents: int, how: Paid) -> e.PayLine:
    won = how.winnings(plan, cents)
    return e.PayLine(
        stake.number, patron, stake.wager, cents, cents, how.result,
        how.label, how.pays, how.clause, won, how.kept(cents, won),
    )  # fmt: skip


def _found_lines(table: Table, plan: Plan, stake: Stake, how: Paid) -> list[e.PayLine]:
    """Settle a stake that was found outside the limits (A25, A42)."""
    rule: Breaches | None = plan.procedure.breaches
    assert rule is not None, "a stake was found where no rule settles it"
    limit = plan.limits[stake.wager]
    if stake.cents < limit.minimum_cents:
        return [_under_minimum(table, plan, stake, share, how) for share in stake.shares]
    if stake.cents <= limit.maximum_cents:
        return [_line(plan, stake, one.patron, one.cents, how) for one in stake.shares]
    return [
        replace(
            _line(plan, stake, share.patron, settled, how),
            cents=share.cents,
            breach=OVER_MAXIMUM,
            breach_clause=rule.over_maximum,
        )
        for share, settled in _to_maximum(stake, limit.maximum_cents)
    ]


def _to_maximum(stake: Stake, most: int) -> list[tuple[Share, int]]:
    """Share the maximum out: what was placed first is settled first (A25)."""
    shares = sorted(stake.shares, key=lambda share: share.order)
    settled, left = dict.fromkeys((share.patron for share in shares), 0), most
    parts = [(share.patron, share.cents - share.found_cents) for share in shares]
    parts += [(share.patron, share.found_cents) for share in shares]
    for patron, cents in parts:
        taken = min(left, cents)
        settled[patron] += taken
        left -= taken
    return [(share, settled[share.patron]) for share in shares]


def _under_minimum(
    table: Table, plan: Plan, stake: Stake, share: Share, how: Paid
) -> e.PayLine:
    """Settle it once; from then on that patron's are returned."""
    rule = plan.procedure.breaches
    assert rule is not None
    if share.patron in table.under_minimum:
        return e.PayLine(
            stake.number, share.patron, stake.wager, share.cents, 0, Result.PUSHES.value,
            None, None, None, 0, how.kept(0, 0), UNDER_MINIMUM_AGAIN, rule.under_minimum,
        )  # fmt: skip
    line = _line(plan, stake, share.patron, share.cents, how)
    return replace(line, breach=UNDER_MINIMUM, breach_clause=rule.under_minimum)


def _settle(
    table: Table, envelope: c.Envelope, command: c.Settle, by: e.By
) -> Events | Refusal:
    plan = table.plan
    assert plan is not None
    draft = Draft(table)
    enter(draft, settle(table), by)
    if not plan.procedure.dealer_confirms:
        _close_round(draft, by)
    return draft.done


def enter(draft: Draft, lines: tuple[e.PayLine, ...], by: e.By) -> None:
    """Settle the wagers by a pay list, and do what follows from it."""
    draft.add(e.WagersSettled(lines, by.moment))
    _end_of_control(draft)


def _end_of_control(draft: Draft) -> None:
    """End the shoe holder's control when the main wager, or all without one, lose (A28)."""
    table = draft.table
    holder, plan = table.shoe_holder, table.plan
    assert plan is not None and table.round is not None
    methods = plan.procedure.methods
    if holder is None or methods is None:
        return
    own = [line for line in table.round.lines or () if line.patron == holder]
    main = [line for line in own if line.wager in MAIN]
    both = len({line.wager for line in main}) > 1
    # With wagers on both hands a Pit Supervisor decides.
    if own and not both and all(line.result == Result.LOSES.value for line in main or own):
        clause = methods.by_patron.loses
        draft.add(e.ShoeGivenUp(holder, clause, "the wager lost", settled=True))


def _close_round(draft: Draft, by: e.By) -> None:
    table = draft.table
    assert table.round is not None
    draft.add(e.RoundClosed(table.round.number, by.moment))
    shoe = table.shoe
    if (
        shoe is not None
        and shoe.cut_card_seen
        and table.settings.readings.shoe_ends_after_cut_card
    ):
        draft.add(e.ShoeEnded(shoe.name, "the cut card came"))


def _confirm_payment(
    table: Table, envelope: c.Envelope, command: c.ConfirmPayment, by: e.By
) -> Events | Refusal:
    play, plan = table.round, table.plan
    assert play is not None and plan is not None
    if play.confirmed:
        why = f"The pay list of round {play.number} was confirmed already"
        return refuse(Code.NO_ROUND, why, plan.procedure.round.definition)
    draft = Draft(table)
    draft.add(e.PaymentConfirmed(by))
    _close_round(draft, by)
    return draft.done


def to_be_shown(table: Table) -> str | None:
    """Return the outcome that a display should show: of this round, or of the last one."""
    play, plan = table.round, table.plan
    assert plan is not None
    if play is not None and play.outcome is not None:
        winner = play.outcome[2]
    else:
        last = next((result for result in reversed(table.results) if not result.void), None)
        if last is None:
            return None
        winner = plan.game.settle(last.cards, die=last.die).winner
    return winner.value if winner else "tie"


def _correct_display(
    table: Table, envelope: c.Envelope, command: c.CorrectDisplay, by: e.By
) -> Events | Refusal:
    plan, actual = table.plan, to_be_shown(table)
    assert plan is not None
    if actual is None:
        return refuse(Code.NO_ROUND, "There is no outcome that a display could show")
    if command.shown == actual:
        why = f"The display shows {command.shown}, and so do the cards"
        return refuse(Code.NOT_NOW, why, plan.procedure.display)
    return (i.DisplayCorrected(command.shown, actual, plan.procedure.display, by),)


HANDLERS: Handlers = {
    c.Settle: _settle,
    c.ConfirmPayment: _confirm_payment,
    c.CorrectDisplay: _correct_display,
}
