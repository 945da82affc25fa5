"""Views: what each audience may see of a table, built up and never taken away from the whole.

The public sees the layout, a patron also the own part; Dealer, pit and auditor see more and
more. A card that is drawn and not exposed is face down for all of them, the auditor too: its
face is in the journal alone. Nothing here reads a face, or what follows from one, before the
card is exposed; that is why no view says which wagers are decided, and none shows the counts
of sorted cards, from which the reserved ones would follow (A31).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL, ORDINALS, Position, points_of
from croupier.rules.errors import cited
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import shown as s
from croupier.table.announcements import ANNOUNCED, Announcement, public_event
from croupier.table.authority import needs
from croupier.table.order import drawer, handler_due, shoe_due
from croupier.table.phases import ALLOWED, ALWAYS, DURING, PHASES, UNPAID
from croupier.table.referral import decisions
from croupier.table.settings import DealtBy, Method
from croupier.table.shaking import shaker_due
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import all_or_none
from croupier.table.words import BETS_CLOSED, BETS_OPEN, MESSAGES, WAITS

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from croupier.table.events import PayLine
    from croupier.table.settings import Plan
    from croupier.table.state import Hold, Round, Stake, Table

__all__ = [
    "ANNOUNCED",
    "BETS_CLOSED",
    "BETS_OPEN",
    "MESSAGES",
    "WAITS",
    "Announcement",
    "allowed_commands",
    "auditor_view",
    "dealer_view",
    "own_part",
    "patron_view",
    "pit_view",
    "public_event",
    "public_view",
]

INITIAL_CARDS = 2
"""Of each hand."""


# The public


def public_view(table: Table) -> s.PublicView:
    """Return what a display, and everybody who stands at the table, may see."""
    play, plan = table.round, table.plan
    current = play is not None and not table.between_rounds
    holder = table.shoe_holder
    return s.PublicView(
        phase=table.phase,
        message=MESSAGES[table.phase],
        rules=_rules(plan, table.dealt_by) if plan else None,
        round=play.number if play else None,
        opened=play.opened if play else None,
        closed=play.closed if play else None,
        seats=tuple(sorted(set(table.seats.values()))),
        lost_terminals=tuple(sorted(table.lost_terminals)),
        areas=_areas(table, plan) if plan else (),
        differential=_differential(table, plan) if plan and current else None,
        power=play.power if play and current else False,
        die=play.die if play and current else None,
        hands=tuple(_hand(table, play, side) for side in Side) if play else (),
        waiting=len(play.waiting) if play else 0,
        first_hand=play.first_hand if play else None,
        outcome=s.OutcomeShown(*play.outcome) if play and play.outcome else None,
        hold=_hold_shown(table.hold) if table.hold else None,
        shoe=_shoe(table),
        shoe_holder=table.seats.get(holder) if holder else None,
        results=tuple(
            s.ResultShown(result.round, result.cards, result.die, result.void)
            for result in table.results
        ),
    )


@lru_cache(maxsize=256)
def _rules(plan: Plan, dealt_by: str) -> s.RulesShown:
    """Return what a table is played by; it is the same for as long as its settings are."""
    settings, edition, game = plan.settings, plan.rulebook.edition, plan.game
    layouts = plan.rulebook.layouts
    usual = next((one.name for one in layouts if one.game in (None, game.slug)), "")
    return s.RulesShown(
        rulebook=edition.code,
        title=edition.title,
        version=edition.version,
        effective=edition.effective,
        game=game.slug,
        name=game.name,
        decks=settings.decks,
        layout=settings.layout or usual,
        positions=settings.positions,
        method=settings.method,
        hlga=plan.hlga,
        dealt_by=dealt_by,
        rounding=settings.rounding,
        wagers_per_area=plan.cap,
        wagers=tuple(_wager(plan, slug) for slug in plan.offered),
    )


def _wager(plan: Plan, slug: str) -> s.WagerShown:
    wager, limit = plan.offered[slug], plan.limits[slug]
    area = plan.areas.get(slug)
    return s.WagerShown(
        slug,
        wager.name,
        limit.minimum_cents,
        limit.maximum_cents,
        limit.step_cents,
        cited(area) if area else None,
        tuple(s.RowShown(row.label, row.pays.text, cited(row.clause)) for row in wager.rows),
    )


def _lying(table: Table) -> tuple[Stake, ...]:
    """Return the stakes that lie on the layout: none any more once they are settled."""
    return table.stakes if table.round and table.round.lines is None else ()


def _areas(table: Table, plan: Plan) -> tuple[s.AreaShown, ...]:
    found: dict[tuple[int, int, str], list[s.StakeShown]] = {}
    for stake in _lying(table):
        shares = tuple(
            s.ShareShown(table.seats.get(share.patron), share.cents) for share in stake.shares
        )
        area = (stake.position, plan.places[stake.wager], stake.wager)
        shown = s.StakeShown(stake.number, stake.cents, stake.shared, shares)
        found.setdefault(area, []).append(shown)
    return tuple(
        s.AreaShown(position, wager, sum(stake.cents for stake in stakes), tuple(stakes))
        for (position, _, wager), stakes in sorted(found.items(), key=lambda item: item[0])
    )


def _differential(table: Table, plan: Plan) -> s.DifferentialShown | None:
    if plan.procedure.differential is None:
        return None
    totals = dict.fromkeys(("player", "banker"), 0)
    for stake in _lying(table):
        if stake.wager in totals:
            totals[stake.wager] += stake.cents
    apart = totals["player"] - totals["banker"]
    heavier = None if apart == 0 else Side.PLAYER if apart > 0 else Side.BANKER
    return s.DifferentialShown(abs(apart), plan.settings.differential_cents, heavier)


def _hand(table: Table, play: Round, side: Side) -> s.HandShown:
    cards = [dealt for dealt in play.cards if dealt.position.side is side]
    faces = [dealt.card for dealt in cards if dealt.exposed and dealt.card is not None]
    shown = tuple(
        s.CardShown(dealt.position, dealt.card.text, face_down=False)
        if dealt.exposed and dealt.card is not None
        else s.CardShown(dealt.position, None, face_down=True)
        for dealt in cards
    )
    open_to_all = len(faces) == len(cards)
    holder = None if open_to_all else play.handlers.get(side)
    return s.HandShown(
        side,
        shown,
        points_of(faces) if cards and open_to_all else None,
        holder is not None,
        table.seats.get(holder) if holder else None,
    )


def _hold_shown(hold: Hold) -> s.HoldShown:
    return s.HoldShown(hold.kind, cited(hold.clause) if hold.clause else None, WAITS[hold.kind])


def _shoe(table: Table) -> s.ShoeShown | None:
    shoe = table.shoe
    if shoe is None:
        return None
    return s.ShoeShown(shoe.name, shoe.cards, shoe.left, shoe.cut_card_seen, shoe.ended)


# One patron


def patron_view(table: Table, patron: str, public: s.PublicView | None = None) -> s.PatronView:
    """Return what one patron sees; a public view of the same table is used again."""
    return s.PatronView(public or public_view(table), own_part(table, patron))


def own_part(table: Table, patron: str) -> s.OwnPart:
    """Return what a patron sees beside the public view: credit, stakes, pay lines, options."""
    play, hold = table.round, table.hold
    stakes = tuple(
        s.OwnStake(
            stake.number,
            stake.position,
            stake.wager,
            share.cents,
            stake.cents,
            stake.shared,
            stake.found,
            share.placed_by,
        )
        for stake in _lying(table)
        for share in stake.shares
        if share.patron == patron
    )
    asked = hold is not None and patron in hold.patrons
    dues = {side: _due(table, side) for side in Side}
    return s.OwnPart(
        patron=patron,
        seat=table.seats.get(patron),
        credit_cents=table.credits.get(patron, 0),
        reserved_cents=table.reserved(patron),
        in_play_cents=sum(stake.cents for stake in stakes),
        stakes=stakes,
        lines=tuple(line for line in _lines(table) if line.patron == patron),
        corrected=tuple(line for line in _corrected(table) if line.patron == patron),
        option=_option(table, hold, patron, stakes) if hold and asked else None,
        withdrew=hold.answers.get(patron) if hold else None,
        hands=tuple(side for side in Side if _holder(table, side) == patron),
        hands_offered=tuple(side for side in Side if dues[side] == patron),
        shoe_held=table.shoe_holder == patron,
        shoe_offered=_shoe_due(table) == patron,
        shaker_held=play is not None and play.shaker == patron and play.shaker_opened is None,
    )


def _option(
    table: Table, hold: Hold, patron: str, own: tuple[s.OwnStake, ...]
) -> s.Option | None:
    """Return the option that waits for a patron's answer, as it was recorded when offered."""
    if patron in hold.answers or hold.kind is not HoldKind.WITHDRAWAL:
        return None
    may = tuple(stake.number for stake in own if stake.number in hold.stakes)
    together = all_or_none(table, hold.steps[0][0], patron)
    return s.Option(cited(hold.clause) if hold.clause else None, may, together)


def _lines(table: Table) -> tuple[PayLine, ...]:
    return (table.round.lines or ()) if table.round else ()


def _corrected(table: Table) -> tuple[PayLine, ...]:
    return table.round.corrected if table.round else ()


def _holder(table: Table, side: Side) -> str | None:
    """Return who holds a hand of which a card lies face down."""
    play = table.round
    if play is None or all(d.exposed for d in play.cards if d.position.side is side):
        return None
    return play.handlers.get(side)


def _due(table: Table, side: Side) -> str | None:
    """Return to whom a hand goes next, while it is face down and in nobody's hands."""
    play, plan = table.round, table.plan
    if play is None or plan is None or not plan.face_down:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING):
        return None
    own = [dealt for dealt in play.cards if dealt.position.side is side]
    shown = bool(own) and all(dealt.exposed for dealt in own)
    in_error = len(own) == INITIAL_CARDS and any(dealt.exposed for dealt in own)
    if shown or in_error or side in play.handlers:
        return None
    return handler_due(table, side)


def _shoe_due(table: Table) -> str | None:
    """Return to whom the dealing device is offered, while nobody has it."""
    if table.plan is None or table.plan.settings.method is not Method.C:
        return None
    if table.phase not in (Phase.CLOSED, Phase.DEALING) or drawer(table) is not None:
        return None
    return shoe_due(table)


# What may be asked for

Kinds = frozenset[type[c.Command]]

SHAKING: Kinds = frozenset(
    {
        c.ShakeDie,
        c.PassShaker,
        c.RefuseShaker,
        c.ConfirmShake,
        c.OpenShaker,
        c.AnnounceDie,
        c.CallShakeInvalid,
    }
)
HANDLING: Kinds = frozenset(
    {c.NameHandler, c.PermitSqueeze, c.PassHand, c.RefuseHand, c.ChooseFirstHand}
)
DEVICE: Kinds = frozenset(
    {
        c.TakeShoe,
        c.RefuseShoe,
        c.RelinquishShoe,
        c.AllowShoe,
        c.EndControl,
        c.AttestDraws,
    }
)
TERMINALS: Kinds = frozenset(
    {c.LoseTerminal, c.RestoreTerminal, c.AcknowledgeClosing, c.DecideTerminal}
)
NEXT_ROUND: Kinds = frozenset({c.CloseTable, c.LoadShoe, c.EndShoe, c.CallBets})
"""What waits until the payment of a settled round is confirmed."""


@lru_cache(maxsize=256)
def absent_commands(plan: Plan) -> Kinds:
    """Return the commands that a table has no use for, by its rulebook, room and method."""
    procedure, method = plan.procedure, plan.settings.method
    cut_card = procedure.cut_card
    cut_first = plan.hlga and cut_card is not None and cut_card.first is not None
    absent: set[type[c.Command]] = set()
    of_mechanics: tuple[tuple[AbstractSet[type[c.Command]], bool], ...] = (
        (SHAKING, procedure.shake is not None),
        (HANDLING, plan.face_down),
        (DEVICE, method is Method.C),
        (TERMINALS, procedure.terminals is not None),
        ({c.SetMethod}, procedure.methods is not None),
        ({c.SetDealtBy}, not plan.calls_by_system),
        ({c.SignIn, c.SignOut}, plan.settings.dealt_by is DealtBy.HOUSE),
        ({c.PassOver}, plan.calls_by_system or plan.settings.dealt_by is DealtBy.HOUSE),
        ({c.SetAreaCap}, procedure.area_cap is not None),
        ({c.SetDifferential}, procedure.differential is not None),
        ({c.FindStake}, procedure.breaches is not None),
        ({c.OfferWithdrawal}, cut_first),
        ({c.ConfirmPayment}, procedure.dealer_confirms),
    )
    for kinds, present in of_mechanics:
        if not present:
            absent |= kinds
    return frozenset(absent)


def allowed_commands(table: Table) -> tuple[type[c.Command], ...]:
    """Return what may be asked for at this point of the round, by whom it is due."""
    plan, hold = table.plan, table.hold
    if plan is None:
        return (c.OpenTable,)
    kinds: set[type[c.Command]] = set(ALLOWED[table.phase])
    if hold is not None:
        paid = UNPAID if table.between_rounds else frozenset()
        kinds = {*DURING[hold.kind], *(kinds & ALWAYS - paid), c.Report}
    elif table.phase is Phase.SETTLED:
        over = table.between_rounds
        kinds -= {c.ConfirmPayment, *UNPAID} if over else NEXT_ROUND
        if over and plan.procedure.voidable is None:
            kinds -= {c.Report}
    announced = table.round is not None and table.round.outcome is not None
    if not announced and all(result.void for result in table.results):
        kinds -= {c.CorrectDisplay}
    kinds -= absent_commands(plan)
    return tuple(kind for kind in PHASES if kind in kinds)


def wire_name(kind: type[c.Command]) -> str:
    """Return the name of a command on the wire."""
    return str(kind.__struct_config__.tag)


ASKED: dict[type[c.Command], c.Command] = {
    c.SetLimits: c.SetLimits({}),
    c.SetDifferential: c.SetDifferential(None),
    c.FindStake: c.FindStake("", "", 0),
    c.AskToLower: c.AskToLower(),
    c.TakeOffWager: c.TakeOffWager(0),
    c.ConfirmReport: c.ConfirmReport(),
    c.DismissReport: c.DismissReport(""),
    c.EndOption: c.EndOption(),
    c.SetOrder: c.SetOrder(()),
    c.ResetDevice: c.ResetDevice(),
    c.ReserveCards: c.ReserveCards(),
    c.RecordSorting: c.RecordSorting({}),
    c.Substitute: c.Substitute(()),
    c.DecideReferral: c.DecideReferral(c.Decision.VOID, ""),
    c.CorrectCard: c.CorrectCard(Position.P1, ""),
}
"""Commands of staff by which a hold is answered, or that a second person approves; a
referral is asked about at its gravest."""


def _answer(table: Table, plan: Plan, kind: type[c.Command]) -> s.Answer:
    if kind not in ASKED:
        return s.Answer(wire_name(kind), None, None)
    need = needs(table, ASKED[kind])
    approval = getattr(plan.settings.approvals, need.approval) if need.approval else None
    return s.Answer(wire_name(kind), need.position, approval)


# The Dealer


def dealer_view(table: Table) -> s.DealerView:
    """Return what the Dealer sees."""
    play, plan, shoe = table.round, table.plan, table.shoe
    return s.DealerView(
        public=public_view(table),
        patrons=tuple(
            s.Seated(patron, position)
            for position, patron in sorted((seat, name) for name, seat in table.seats.items())
        ),
        stakes=tuple(_owned(stake) for stake in _lying(table)),
        hands=tuple(_hand_due(table, play, side) for side in Side) if play else (),
        shaker=_shaker(table, play) if play and plan and plan.procedure.shake else None,
        drawer=_drawer(table),
        shoe_due=_shoe_due(table),
        next_card=_next_card(table),
        hold=_open_hold(table, plan, table.hold) if plan and table.hold else None,
        commands=tuple(wire_name(kind) for kind in allowed_commands(table)),
        lines=_lines(table),
        replace_by=cited(shoe.replace_by) if shoe and shoe.replace_by else None,
        replacement_due=table.replacement_due,
    )


def _owned(stake: Stake) -> s.OwnedStake:
    return s.OwnedStake(
        stake.number,
        stake.position,
        stake.wager,
        stake.cents,
        stake.shared,
        stake.found,
        tuple(s.OwnedShare(one.patron, one.cents, one.placed_by) for one in stake.shares),
    )


def _hand_due(table: Table, play: Round, side: Side) -> s.HandDue:
    return s.HandDue(
        side,
        _holder(table, side),
        _due(table, side),
        play.refused.get(side, ()),
    )


def _shaker(table: Table, play: Round) -> s.ShakerShown:
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


def _drawer(table: Table) -> s.Drawer | None:
    if table.hold is not None or table.phase not in PHASES[c.DrawCard]:
        return None
    need = needs(table, c.DrawCard())
    if need.anyone:  # a patron takes the device first
        return None
    clause = cited(need.clause) if need.clause else None
    return s.Drawer(need.position, need.patron, need.system, clause)


def _next_card(table: Table) -> s.NextCard | None:
    """Return the card that is called for, as far as the exposed cards tell."""
    play, plan = table.round, table.plan
    if play is None or plan is None or table.phase not in PHASES[c.DrawCard]:
        return None
    if plan.procedure.shake is not None and play.die is None:
        return None
    drawn, tableau = len(play.cards), plan.game.tableau
    if drawn < len(INITIAL_DEAL):
        why = f"the {ORDINALS[drawn]} card of the initial deal"
        return s.NextCard(INITIAL_DEAL[drawn], why, cited(tableau.initial_deal))
    draw = play.coup.next if play.coup else None
    return s.NextCard(draw.position, draw.why, cited(draw.clause)) if draw else None


def _open_hold(table: Table, plan: Plan, hold: Hold) -> s.OpenHold:
    kinds = [kind for kind in PHASES if kind in DURING[hold.kind]]
    play = table.round
    return s.OpenHold(
        kind=hold.kind,
        clause=cited(hold.clause) if hold.clause else None,
        situation=hold.situation,
        steps=tuple(step for step, _ in hold.steps),
        asked=hold.patrons,
        answered=tuple(hold.answers),
        answers=tuple(_answer(table, plan, kind) for kind in kinds),
        suggestion=hold.suggestion,
        decisions=_decisions(table, hold),
        behind=tuple(one.kind for one in reversed(table.suspended)),
        queued=tuple(one.report.situation for one in play.queue) if play else (),
        missing=play.missing if play and hold.kind is HoldKind.SUBSTITUTE else (),
    )


def _decisions(table: Table, hold: Hold) -> tuple[c.Decision, ...]:
    return decisions(table) if c.DecideReferral in DURING[hold.kind] else ()


# The pit and the auditor


def pit_view(table: Table) -> s.PitView:
    """Return what the pit sees."""
    reserved = _reserved(table)
    return s.PitView(
        dealer=dealer_view(table),
        credits=tuple(
            s.Credit(patron, cents, reserved.get(patron, 0))
            for patron, cents in sorted(table.credits.items())
        ),
        in_play_cents=table.in_play,
        bank_cents=table.bank,
        commission_cents=table.commission,
        brought_cents=table.brought,
        under_minimum=tuple(sorted(table.under_minimum)),
        scheduled=table.scheduled,
        approvals=_approvals(table, table.plan) if table.plan else (),
        flagged=_flagged(table),
    )


def _flagged(table: Table) -> tuple[s.Flagged, ...]:
    """Return the terminals whose wagers wait for a decision, and what it may still be (A30)."""
    now = 0 if table.round is None or table.between_rounds else table.round.number
    return tuple(
        s.Flagged(flag.position, flag.round, flag.round != now or table.cards_out)
        for flag in table.flagged
    )


def _reserved(table: Table) -> dict[str, int]:
    """Return what of everybody's credit a void could take back, going once through the list."""
    held: dict[str, int] = {}
    for line in _lines(table) if table.phase is Phase.SETTLED else ():
        held[line.patron] = held.get(line.patron, 0) + line.paid_cents
    return held


def _approvals(table: Table, plan: Plan) -> tuple[s.Approval, ...]:
    answers = [_answer(table, plan, kind) for kind in allowed_commands(table) if kind in ASKED]
    return tuple(
        s.Approval(answer.command, answer.approval)
        for answer in answers
        if answer.approval is not None
    )


def auditor_view(table: Table) -> s.AuditorView:
    """Return what the auditor sees: all that is recorded, and no face before its time."""
    shoe, held = table.shoe, sum(table.credits.values())
    return s.AuditorView(
        pit=pit_view(table),
        settings=table.plan.settings if table.plan else None,
        rounds=table.rounds,
        round=_record(table.round) if table.round else None,
        shoe=s.ShoeRecord(shoe.cut_behind, shoe.out, dict(shoe.seen)) if shoe else None,
        shoe_permitted=table.shoe_permitted,
        imbalance_cents=held + table.in_play + table.bank + table.commission - table.brought,
    )


def _record(play: Round) -> s.RoundRecord:
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
