"""Settlement: every stake of the round in one step, by row, odds and clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.money import Cents, pay
from croupier.rules.errors import cited
from croupier.rules.wagers import Result
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.draft import Draft
from croupier.table.refusals import Code, Refusal, refuse

if TYPE_CHECKING:
    from croupier.rules.wagers import Verdict
    from croupier.table.draft import Events, Handlers
    from croupier.table.procedure import Breaches
    from croupier.table.settings import Plan
    from croupier.table.state import Stake, Table

UNDER_MINIMUM = "under_minimum"
UNDER_MINIMUM_AGAIN = "under_minimum_again"
OVER_MAXIMUM = "over_maximum"


def settle(table: Table) -> tuple[e.PayLine, ...]:
    """Return the pay list of a round whose outcome is known."""
    plan, play = table.plan, table.round
    assert plan is not None and play is not None and play.coup is not None
    game = plan.game
    verdicts = game.verdicts(play.coup.index(game.precious), power=play.power)
    places = plan.places
    lines: list[e.PayLine] = []
    for stake in play.stakes.values():
        verdict = verdicts[places[stake.wager]]
        if stake.found:
            lines += _found_lines(table, plan, stake, verdict)
        else:
            for share in stake.shares:
                line = _line(plan, stake, share.patron, share.cents, share.cents, verdict)
                lines.append(line)
    return tuple(lines)


def _line(
    plan: Plan,
    stake: Stake,
    patron: str,
    cents: int,
    settled: int,
    verdict: Verdict,
    breach: str | None = None,
    breach_clause: str | None = None,
) -> e.PayLine:
    row = verdict.row
    commission = _takes_commission(plan, stake.wager)
    kept = 0 if commission else None
    if row is None:
        return e.PayLine(
            stake.number, patron, stake.wager, cents, settled, Result.LOSES.value,
            None, None, None, -settled, kept, breach, breach_clause,
        )  # fmt: skip
    won = _winnings(plan, settled, verdict)
    if commission and verdict.result is Result.WINS and won < settled:
        kept = settled - won
    return e.PayLine(
        stake.number, patron, stake.wager, cents, settled, verdict.result.value,
        row.label, row.pays.text, cited(row.clause), won, kept, breach, breach_clause,
    )  # fmt: skip


def _winnings(plan: Plan, settled: int, verdict: Verdict) -> int:
    net = verdict.net
    won, rest = divmod(settled * net.numerator, net.denominator)
    if rest:
        assert verdict.row is not None
        return pay(Cents(settled), verdict.row.pays, plan.settings.rounding)
    return won


def _takes_commission(plan: Plan, wager: str) -> bool:
    rule = plan.procedure.commission
    return rule is not None and wager == rule.wager and plan.game.slug in rule.games


def _found_lines(table: Table, plan: Plan, stake: Stake, verdict: Verdict) -> list[e.PayLine]:
    """Settle a stake that was found outside the limits (A25, A42)."""
    rule: Breaches | None = plan.procedure.breaches
    assert rule is not None, "a stake was found where no rule settles it"
    limit = plan.limits[stake.wager]
    if stake.cents < limit.minimum_cents:
        return [
            _under_minimum(table, plan, stake, verdict, rule, place)
            for place in range(len(stake.shares))
        ]
    left, lines = limit.maximum_cents, []
    # The surplus goes back from the last share placed: the first are settled in full.
    for share in sorted(stake.shares, key=lambda share: share.order):
        settled = min(left, share.cents)
        left -= settled
        lines.append(
            _line(
                plan,
                stake,
                share.patron,
                share.cents,
                settled,
                verdict,
                OVER_MAXIMUM,
                rule.over_maximum,
            )
        )
    return lines


def _under_minimum(
    table: Table, plan: Plan, stake: Stake, verdict: Verdict, rule: Breaches, place: int
) -> e.PayLine:
    share = stake.shares[place]
    if share.patron in table.under_minimum:
        return e.PayLine(
            stake.number, share.patron, stake.wager, share.cents, 0, Result.PUSHES.value,
            None, None, None, 0, None, UNDER_MINIMUM_AGAIN, rule.under_minimum,
        )  # fmt: skip
    return _line(
        plan,
        stake,
        share.patron,
        share.cents,
        share.cents,
        verdict,
        UNDER_MINIMUM,
        rule.under_minimum,
    )


def _settle(
    table: Table, envelope: c.Envelope, command: c.Settle, by: e.By
) -> Events | Refusal:
    plan = table.plan
    assert plan is not None
    draft = Draft(table)
    draft.add(e.WagersSettled(settle(table)))
    _end_of_control(draft)
    if not plan.procedure.dealer_confirms:
        _close_round(draft)
    return draft.done


def _end_of_control(draft: Draft) -> None:
    """End the shoe holder's control when the main wager loses (A28)."""
    table = draft.table
    holder, plan = table.shoe_holder, table.plan
    assert plan is not None and table.round is not None
    methods = plan.procedure.methods
    if holder is None or methods is None:
        return
    results = {
        line.wager: line.result
        for line in table.round.lines or ()
        if line.patron == holder and line.wager in ("player", "banker")
    }
    if len(results) == 1 and Result.LOSES.value in results.values():
        draft.add(e.ShoeGivenUp(holder, methods.by_patron.loses, "the wager lost"))


def _close_round(draft: Draft) -> None:
    table = draft.table
    assert table.round is not None
    draft.add(e.RoundClosed(table.round.number))
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
    _close_round(draft)
    return draft.done


def _correct_display(
    table: Table, envelope: c.Envelope, command: c.CorrectDisplay, by: e.By
) -> Events | Refusal:
    play, plan = table.round, table.plan
    assert plan is not None
    if play is None or play.outcome is None:
        return refuse(Code.NO_ROUND, "There is no outcome that a display could show")
    winner = play.outcome[2]
    actual = winner.value if winner else "tie"
    return (i.DisplayCorrected(command.shown, actual, plan.procedure.display, by),)


HANDLERS: Handlers = {
    c.Settle: _settle,
    c.ConfirmPayment: _confirm_payment,
    c.CorrectDisplay: _correct_display,
}
