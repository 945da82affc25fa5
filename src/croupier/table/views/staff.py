"""What Dealer, pit and auditor see beside the public view.

The face of a card that is not exposed is shown to none of them, and none sees the counts of
sorted cards, from which the reserved ones would follow (A31).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import cited
from croupier.table import commands as c
from croupier.table.authority import needs
from croupier.table.phases import DURING, PHASES
from croupier.table.referral import decisions
from croupier.table.shaking import shaker_due
from croupier.table.state import HoldKind, Phase
from croupier.table.views import shapes_staff as s
from croupier.table.views.allowed import ASKED, allowed_commands, answer_to, wire_name
from croupier.table.views.own import (
    corrected_of,
    device_due,
    hand_due,
    lines_of,
    patron_line,
)
from croupier.table.views.parts import SIDES, Part, Seen, field, holder_of, plain

if TYPE_CHECKING:
    from croupier.table.state import Round, Stake, Table
    from croupier.table.views.shapes import PatronLine


def dealer_part(table: Table) -> s.DealerPart:
    """Return what the Dealer sees beside the public view."""
    return s.DealerPart(**DEALER.build(Seen(table)))


def pit_part(table: Table) -> s.PitPart:
    """Return what the pit sees beside the public view."""
    seen = Seen(table)
    return s.PitPart(**DEALER.build(seen), **PIT.build(seen))


def auditor_part(table: Table) -> s.AuditorPart:
    """Return what the auditor sees beside the public view."""
    seen = Seen(table)
    return s.AuditorPart(**DEALER.build(seen), **PIT.build(seen), **AUDITOR.build(seen))


# The Dealer


def _patrons(seen: Seen) -> tuple[s.Seated, ...]:
    seats = sorted((seat, name) for name, seat in seen.table.seats.items())
    return tuple([s.Seated(name, seat) for seat, name in seats])


def _stakes(seen: Seen) -> tuple[s.OwnedStake, ...]:
    return tuple(seen.of_stakes("owned", _owned))


def _owned(stake: Stake) -> s.OwnedStake:
    return s.OwnedStake(
        stake.number,
        stake.position,
        stake.wager,
        stake.cents,
        stake.shared,
        stake.found,
        tuple([s.OwnedShare(one.patron, one.cents, one.placed_by) for one in stake.shares]),
    )


def _hands(seen: Seen) -> tuple[s.HandDue, ...]:
    table, play = seen.table, seen.table.round
    if play is None:
        return ()
    return tuple(
        s.HandDue(
            side, holder_of(table, side), hand_due(seen, side), play.refused.get(side, ())
        )
        for side in SIDES
    )


def _shaker(seen: Seen) -> s.ShakerShown | None:
    table, play, plan = seen.table, seen.table.round, seen.table.plan
    if play is None or plan is None or plan.procedure.shake is None:
        return None
    shaking = table.phase in (Phase.CLOSED, Phase.SHAKE) and not play.shaker_passed
    return s.ShakerShown(
        shakes=play.shakes,
        due=shaker_due(table) if shaking else None,
        held_by=play.shaker,
        passed=play.shaker_passed,
        refused=play.shaker_refused,
        confirmed=play.shake_confirmed,
        opened=play.shaker_opened is not None,
    )


def _drawer(seen: Seen) -> s.Drawer | None:
    table = seen.table
    if table.hold is not None or table.phase not in PHASES[c.DrawCard]:
        return None
    need = needs(table, c.DrawCard())
    if need.anyone:  # a patron takes the device first
        return None
    clause = cited(need.clause) if need.clause else None
    return s.Drawer(need.position, need.patron, need.system, clause)


def _hold(seen: Seen) -> s.OpenHold | None:
    table, plan, hold, play = seen.table, seen.table.plan, seen.table.hold, seen.table.round
    if plan is None or hold is None:
        return None
    kinds = [kind for kind in PHASES if kind in DURING[hold.kind]]
    referred = c.DecideReferral in DURING[hold.kind]
    return s.OpenHold(
        kind=hold.kind,
        clause=cited(hold.clause) if hold.clause else None,
        situation=hold.situation,
        steps=tuple(step for step, _ in hold.steps),
        asked=hold.patrons,
        answered=tuple(hold.answers),
        answers=tuple(answer_to(table, plan, kind) for kind in kinds),
        suggestion=hold.suggestion,
        decisions=decisions(table) if referred else (),
        behind=tuple(one.kind for one in reversed(table.suspended)),
        queued=tuple(one.report.situation for one in play.queue) if play else (),
        missing=play.missing if play and hold.kind is HoldKind.SUBSTITUTE else (),
    )


def _commands(seen: Seen) -> tuple[str, ...]:
    return tuple([wire_name(kind) for kind in allowed_commands(seen.table)])


def _lines(seen: Seen) -> tuple[PatronLine, ...]:
    return tuple([patron_line(line) for line in lines_of(seen.table)])


def _corrected(seen: Seen) -> tuple[PatronLine, ...]:
    return tuple([patron_line(line) for line in corrected_of(seen.table)])


def _replace_by(seen: Seen) -> str | None:
    shoe = seen.table.shoe
    return cited(shoe.replace_by) if shoe and shoe.replace_by else None


WHO_IS_DUE = "plan phase seats round shoe_holder shoe_permitted shoe_relinquished"
COMMANDS = "plan phase hold round.confirmed round.outcome results"

DEALER = Part(
    (
        plain("dealer"),
        field("patrons", "seats", _patrons),
        field("stakes", "round.stakes round.lines", _stakes),
        field("hands", WHO_IS_DUE, _hands),
        field("shaker", WHO_IS_DUE, _shaker),
        field("drawer", f"{WHO_IS_DUE} hold", _drawer),
        field("shoe_due", WHO_IS_DUE, device_due),
        field("hold", f"{WHO_IS_DUE} hold suspended", _hold),
        field("commands", COMMANDS, _commands),
        field("lines", "round.lines", _lines),
        field("corrected", "round.corrected", _corrected),
        field("replace_by", "shoe", _replace_by),
        plain("replacement_due"),
    )
)
"""What the Dealer sees."""


# The pit


def _credits(seen: Seen) -> tuple[s.Credit, ...]:
    reserved = seen.table.all_reserved()
    held = sorted(seen.table.credits.items())
    return tuple([s.Credit(patron, cents, reserved.get(patron, 0)) for patron, cents in held])


def _approvals(seen: Seen) -> tuple[s.Approval, ...]:
    table, plan = seen.table, seen.table.plan
    if plan is None:
        return ()
    kinds = [kind for kind in allowed_commands(table) if kind in ASKED]
    answers = [answer_to(table, plan, kind) for kind in kinds]
    return tuple(
        s.Approval(answer.command, answer.approval)
        for answer in answers
        if answer.approval is not None
    )


def _flagged(seen: Seen) -> tuple[s.Flagged, ...]:
    """Return the terminals whose wagers wait for a decision, and what it may still be (A30)."""
    table = seen.table
    now = 0 if table.round is None or table.between_rounds else table.round.number
    return tuple(
        s.Flagged(flag.position, flag.round, flag.round != now or table.cards_out)
        for flag in table.flagged
    )


PIT = Part(
    (
        field("credits", "credits phase round.lines", _credits),
        plain("in_play_cents", "in_play"),
        plain("bank_cents", "bank"),
        plain("commission_cents", "commission"),
        plain("brought_cents", "brought"),
        field(
            "under_minimum",
            "under_minimum",
            lambda seen: tuple(sorted(seen.table.under_minimum)),
        ),
        plain("scheduled"),
        field("approvals", f"{COMMANDS} round.cards", _approvals),
        field(
            "flagged",
            "flagged phase round.number round.confirmed round.cards round.waiting",
            _flagged,
        ),
    )
)
"""What the pit sees beside the Dealer's part."""


# The auditor


def _record(seen: Seen) -> s.RoundRecord | None:
    play: Round | None = seen.table.round
    if play is None:
        return None
    return s.RoundRecord(
        placed=play.placed,
        closings=play.closings,
        asked_to_lower=play.asked_to_lower,
        named={side.value: name for side, name in play.named.items()},
        shoe_refused=play.shoe_refused,
        cut_card_first=play.cut_card_first,
        cut_card_seen=play.cut_card_seen,
        shaker_opened_by=play.shaker_opened,
        confirmed=play.confirmed,
        reported=play.reported,
        terminals_closed=play.terminals_closed,
    )


def _shoe(seen: Seen) -> s.ShoeRecord | None:
    shoe = seen.table.shoe
    return s.ShoeRecord(shoe.cut_behind, shoe.out, dict(shoe.seen)) if shoe else None


def _imbalance(seen: Seen) -> int:
    table = seen.table
    held = sum(table.credits.values())
    return held + table.in_play + table.bank + table.commission - table.brought


AUDITOR = Part(
    (
        field("settings", "plan", lambda seen: seen.table.plan and seen.table.plan.settings),
        plain("rounds"),
        field("record", "round", _record),
        field("shoe", "shoe", _shoe),
        plain("shoe_permitted"),
        field("imbalance_cents", "credits in_play bank commission brought", _imbalance),
    )
)
"""What the auditor sees beside the pit's part."""
