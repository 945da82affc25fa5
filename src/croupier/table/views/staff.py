"""What Dealer, pit and auditor see beside the public view.

The face of a card that is not exposed is shown to none of them, and none sees the counts of
sorted cards, from which the reserved ones would follow (A31).

What somebody may do is the answer of ``may`` for the position in which they work, and nobody
in particular: whoever signed in may not sign in again, nobody approves what they ask for
themselves, and whoever acts in another position for a time may do more. Who wants to know that
asks ``may`` about the person. It depends on the moment at a table that is not open alone, by
the rulebooks in force; there it is as of the last step.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from croupier.rules.errors import cited
from croupier.table import commands as c
from croupier.table.authority import needs
from croupier.table.course import due
from croupier.table.may import answers, may, open_in
from croupier.table.next import clocks_of
from croupier.table.order import shoe_order
from croupier.table.phases import DURING, PHASES
from croupier.table.referral import decisions
from croupier.table.roles import Staff, StaffPosition
from croupier.table.rulings import CONDITIONS, not_here
from croupier.table.settings import Method
from croupier.table.shaking import shaker_due
from croupier.table.state import HoldKind, Phase
from croupier.table.steps import ruled_out
from croupier.table.suggestions import NAMED
from croupier.table.views import shapes_staff as s
from croupier.table.views.allowed import wire_name
from croupier.table.views.hearing import Audience
from croupier.table.views.own import (
    corrected_of,
    holding_of,
    lines_of,
    patron_line,
)
from croupier.table.views.parts import SIDES, Part, Seen, field, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.table.events import By
    from croupier.table.may import Answers, Open
    from croupier.table.rulings import Situation, Step
    from croupier.table.state import Hold, Round, Stake, Table
    from croupier.table.views.shapes import PatronLine


Watch = tuple[Audience, StaffPosition | None]
"""Who of staff looks: by which part, and in which position; None: in none, to do nothing."""
NO_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""Before any rulebook was in force."""
OFFERED = (Phase.CLOSED, Phase.DEALING)
"""While the dealing device is offered, and held."""


def dealer_part(
    table: Table, position: StaffPosition | None = None, moment: datetime = NO_MOMENT
) -> s.DealerPart:
    """Return what the Dealer sees beside the public view."""
    part = StaffParts(Seen(table), moment).part(Audience.DEALER, position)
    assert isinstance(part, s.DealerPart)
    return part


def pit_part(
    table: Table, position: StaffPosition | None = None, moment: datetime = NO_MOMENT
) -> s.PitPart:
    """Return what the pit sees beside the public view."""
    part = StaffParts(Seen(table), moment).part(Audience.PIT, position)
    assert isinstance(part, s.PitPart)
    return part


def auditor_part(table: Table) -> s.AuditorPart:
    """Return what the auditor sees beside the public view."""
    part = StaffParts(Seen(table)).part(Audience.AUDITOR)
    assert isinstance(part, s.AuditorPart)
    return part


class StaffParts:
    """What staff see of a table as it goes on; built for those alone who watch."""

    __slots__ = ("_answers", "_may", "_moment", "_seen", "_values", "watched")

    def __init__(self, seen: Seen, moment: datetime = NO_MOMENT) -> None:
        self._seen, self._moment = seen, moment
        self._values: dict[Audience, dict[str, Any]] = {}
        self._may: dict[StaffPosition, tuple[Open, ...]] = {}
        """What whoever works in a position may do, of those who watch."""
        self._answers: Answers | None = None
        """From what that was found, command by command, to go on from."""
        self.watched: set[Watch] = set()
        """Who is told of changes."""

    def part(self, audience: Audience, position: StaffPosition | None = None) -> s.StaffPart:
        """Return what somebody of staff sees, who is told of changes from then on."""
        self.watched.add((audience, position))
        return self._part(audience, position)

    def forget(self, audience: Audience, position: StaffPosition | None = None) -> None:
        """Note that nobody watches in this position any more."""
        self.watched.discard((audience, position))

    def follow(
        self, seen: Seen, moment: datetime | None, changed: frozenset[str]
    ) -> dict[Watch, s.StaffPart]:
        """Go on to another table, and return the parts that changed, of those who watch."""
        self._seen, self._moment = seen, moment or self._moment
        if not self.watched or not changed:
            if changed:
                self._values, self._may, self._answers = {}, {}, None
            return {}
        fields = {audience for audience in LEVELS if self._renew(audience, changed)}
        positions = self._renew_may(changed)
        return {
            (audience, position): self._part(audience, position)
            for audience, position in self.watched
            if position in positions or not fields.isdisjoint(UP_TO[audience])
        }

    def _renew(self, audience: Audience, changed: frozenset[str]) -> bool:
        values = self._values.get(audience)
        if values is None:
            return False
        renewed = PARTS[audience].renew(values, self._seen, changed)
        values.update(renewed)
        return bool(renewed)

    def _renew_may(self, changed: frozenset[str]) -> set[StaffPosition]:
        """Go on with what staff may do; return the positions for which it changed."""
        before, known = self._may, self._answers
        watched = {one for _, one in self.watched}
        same = before.keys() <= watched
        self._may = {}
        self._ask([one for one in before if one in watched], known if same else None, changed)
        return {one for one, found in self._may.items() if found != before[one]}

    def _part(self, audience: Audience, position: StaffPosition | None) -> s.StaffPart:
        fields: dict[str, Any] = {}
        for level in UP_TO[audience]:
            fields.update(self._level(level))
        if audience is not Audience.AUDITOR:
            fields["may"] = () if position is None else self._may_of(position)
        return SHAPES[audience](**fields)

    def _level(self, level: Audience) -> dict[str, Any]:
        values = self._values.get(level)
        if values is None:
            values = self._values[level] = PARTS[level].build(self._seen)
        return values

    def _may_of(self, position: StaffPosition) -> tuple[Open, ...]:
        if position not in self._may:
            self._ask([*self._may, position])
        return self._may[position]

    def _ask(
        self,
        positions: Sequence[StaffPosition],
        known: Answers | None = None,
        changed: frozenset[str] = frozenset(),
    ) -> None:
        """Find what staff may do in these positions, all at once."""
        table, common, self._answers = self._seen.table, self._seen.common, None
        if not positions:
            return
        if common is None:
            self._may = {one: may(table, Staff("", one), self._moment) for one in positions}
            return
        self._answers = found = answers(common, positions, known, changed)
        self._may = {one: open_in(common.plan, one, found) for one in positions}


# The Dealer


def _patrons(seen: Seen) -> tuple[s.Seated, ...]:
    seats = sorted((seat, name) for name, seat in seen.table.seats.items())
    return tuple([s.Seated(name, seat) for seat, name in seats])


def _credits(seen: Seen) -> tuple[s.Credit, ...]:
    reserved = seen.table.all_reserved()
    held = sorted(seen.table.credits.items())
    return tuple([s.Credit(patron, cents, reserved.get(patron, 0)) for patron, cents in held])


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
    play = seen.table.round
    if play is None:
        return ()
    has = holding_of(seen)
    return tuple(
        [
            s.HandDue(side, holder, due, play.refused.get(side, ()))
            for side, holder, due in zip(SIDES, has.hands, has.hands_due, strict=True)
        ]
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
    position = None if need.house_deals else need.position
    return s.Drawer(position, need.patron, need.system or need.house_deals, clause)


def _hold(seen: Seen) -> s.OpenHold | None:
    table, hold, play = seen.table, seen.table.hold, seen.table.round
    if hold is None:
        return None
    referred = c.DecideReferral in DURING[hold.kind]
    ruling, confirms = _ruling(table, hold)
    return s.OpenHold(
        kind=hold.kind,
        clause=cited(hold.clause) if hold.clause else None,
        situation=hold.situation,
        steps=tuple(step for step, _ in hold.steps),
        asked=hold.patrons,
        answered=tuple(hold.answers),
        report=_led_to(hold),
        suggestion=hold.suggestion,
        decisions=decisions(table) if referred else (),
        behind=tuple(one.kind for one in reversed(table.suspended)),
        queued=tuple(_report(one.report, one.by) for one in play.queue) if play else (),
        missing=play.missing if play and hold.kind is HoldKind.SUBSTITUTE else (),
        since=hold.since,
        instead=_instead(table, hold.situation, hold.clause),
        suggested=NAMED.get(hold.suggestion or ""),
        ruling=ruling,
        confirms=confirms,
        confirmed=hold.confirmed_at if confirms is not None else None,
    )


def _ruling(table: Table, hold: Hold) -> tuple[tuple[Step, ...], StaffPosition | None]:
    """Return all steps of the ruling that a hold is part of, and who confirms its report."""
    still = tuple(step for step, _ in hold.steps)
    if table.plan is None or _led_to(hold) is None:
        return still, None
    steps = hold.ruling or still
    if hold.kind is not HoldKind.REPORT and hold.confirmed_at is None:
        return steps, None
    asked = replace(hold, kind=HoldKind.REPORT, steps=tuple((step, None) for step in steps))
    return steps, needs(replace(table, hold=asked), c.ConfirmReport()).position


def _instead(table: Table, situation: Situation | None, clause: str | None) -> s.Instead | None:
    """Return the ruling that does not apply, where it is known on what that turns."""
    if situation is None or table.plan is None:
        return None
    other = ruled_out(table.plan, situation, clause)
    if other is None:
        return None
    steps = tuple(do.step for do in other.steps)
    return s.Instead(cited(other.clause), CONDITIONS[other.when], steps)


def _ruled(seen: Seen) -> s.RuledShown | None:
    table, play = seen.table, seen.table.round
    if play is None or play.ruled is None or table.hold is not None or table.between_rounds:
        return None
    ruled = play.ruled
    clause = cited(ruled.clause) if ruled.clause else None
    instead = None if ruled.dismissed else _instead(table, ruled.situation, ruled.clause)
    return s.RuledShown(ruled.situation, clause, ruled.reported, ruled.dismissed, instead)


def _not_here(seen: Seen) -> tuple[Situation, ...]:
    plan = seen.table.plan
    return () if plan is None else not_here(plan)


def _shoe_due(seen: Seen) -> str | None:
    return holding_of(seen).shoe_due


def _shoe_offers(seen: Seen) -> tuple[s.ShoeOffer, ...]:
    table, play = seen.table, seen.table.round
    if play is None or table.plan is None or table.settings.method is not Method.C:
        return ()
    if table.phase not in OFFERED:
        return ()
    due = holding_of(seen).shoe_due

    def answer(patron: str) -> s.ShoeAnswer:
        if patron == table.shoe_holder:
            return s.ShoeAnswer.HOLDS
        if patron == due:
            return s.ShoeAnswer.DUE
        refused = patron in play.shoe_refused
        return s.ShoeAnswer.REFUSED if refused else s.ShoeAnswer.LATER

    return tuple([s.ShoeOffer(name, cents, answer(name)) for name, cents in shoe_order(table)])


def _shoe_control(seen: Seen) -> s.ShoeControl | None:
    table, plan = seen.table, seen.table.plan
    methods = None if plan is None else plan.procedure.methods
    if table.shoe_holder is None or methods is None:
        return None
    clause = cited(methods.by_patron.keeps)
    return s.ShoeControl(table.shoe_holder, table.shoe_held_since, clause)


def _draws_attested_by(seen: Seen) -> str | None:
    table, play = seen.table, seen.table.round
    if play is None or play.draws_attested is None or table.between_rounds:
        return None
    name, patron = play.draws_attested
    # Whoever lost the device by the settlement had drawn.
    return name if patron == (table.shoe_holder or play.shoe_lost) else None


def _led_to(hold: Hold) -> s.ReportShown | None:
    """Return the report that led to a hold; the last one of a round may not have."""
    report, by = hold.report, hold.by
    if report is None or by is None or report.situation is not hold.situation:
        return None
    return _report(report, by)


def _report(report: c.Report, by: By) -> s.ReportShown:
    return s.ReportShown(report.situation, report.about, by.name, by.position, by.moment)


def _next(seen: Seen) -> s.NextStep:
    return next_step(seen.table)


def next_step(table: Table) -> s.NextStep:
    """Return what comes next at a table: who is waited for, for what, and until when."""
    now = due(table)
    begins, until = clocks_of(table, now)
    return s.NextStep(
        why=now.why,
        command=None if now.command is None else wire_name(type(now.command)),
        positions=now.positions,
        patrons=now.patrons,
        system=table.system_deals and now.system and not now.asks,
        clause=cited(now.clause) if now.clause else None,
        source=now.source,
        since=table.since,
        begins=begins,
        until=until,
    )


def _lines(seen: Seen) -> tuple[PatronLine, ...]:
    return tuple([patron_line(line) for line in lines_of(seen.table)])


def _corrected(seen: Seen) -> tuple[PatronLine, ...]:
    return tuple([patron_line(line) for line in corrected_of(seen.table)])


def _replace_by(seen: Seen) -> str | None:
    shoe = seen.table.shoe
    return cited(shoe.replace_by) if shoe and shoe.replace_by else None


WHO_IS_DUE = "plan phase seats round shoe_holder shoe_permitted shoe_relinquished"
OFFER = (
    "plan phase seats shoe_holder shoe_permitted shoe_relinquished"
    " round.stakes round.course round.lines round.shoe_refused"
)
"""From what it follows to whom the dealing device is offered."""
COURSE = f"{WHO_IS_DUE} since closes dealer scheduled hold suspended shoe shoes replacement_due"
"""From what it follows what comes next."""

ATTESTED = "phase shoe_holder round.draws_attested round.shoe_lost round.confirmed"

DEALER = Part(
    (
        plain("dealer"),
        field("patrons", "seats", _patrons),
        field("credits", "credits phase round.lines", _credits),
        field("stakes", "round.stakes round.lines", _stakes),
        field("hands", WHO_IS_DUE, _hands, later=True),
        field("shaker", WHO_IS_DUE, _shaker, later=True),
        field("drawer", f"{WHO_IS_DUE} hold scheduled dealer", _drawer, later=True),
        field("shoe_due", WHO_IS_DUE, _shoe_due, later=True),
        field("shoe_offers", OFFER, _shoe_offers, later=True),
        field("shoe_control", "plan shoe_holder shoe_held_since", _shoe_control),
        field("draws_attested_by", ATTESTED, _draws_attested_by),
        field("next", COURSE, _next, later=True),
        field("hold", f"{WHO_IS_DUE} hold suspended", _hold, later=True),
        field("ruled", "phase round.ruled round.confirmed hold", _ruled),
        field("not_here", "plan", _not_here),
        field("lines", "round.lines", _lines),
        field("corrected", "round.corrected", _corrected),
        field("replace_by", "shoe", _replace_by),
        plain("replacement_due"),
    )
)
"""What the Dealer sees."""


# The pit


def _note(seen: Seen) -> str | None:
    hold = seen.table.hold
    if hold is None or hold.report is None or _led_to(hold) is None:
        return None
    return hold.report.note


def _queued_notes(seen: Seen) -> tuple[str, ...]:
    play = seen.table.round
    return tuple(one.report.note for one in play.queue) if play and seen.table.hold else ()


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
        plain("in_play_cents", "in_play"),
        plain("bank_cents", "bank"),
        plain("commission_cents", "commission"),
        plain("brought_cents", "brought"),
        field(
            "under_minimum",
            "under_minimum",
            lambda seen: tuple(sorted(seen.table.under_minimum)),
        ),
        field(
            "settings",
            "plan",
            lambda seen: s.settings_shown(seen.table.settings if seen.table.plan else None),
        ),
        field("scheduled", "scheduled", lambda seen: s.settings_shown(seen.table.scheduled)),
        field("note", "hold", _note),
        field("queued_notes", "hold round.queue", _queued_notes),
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
        plain("rounds"),
        field("record", "round", _record),
        field("shoe", "shoe", _shoe),
        plain("shoe_permitted"),
        field("imbalance_cents", "credits in_play bank commission brought", _imbalance),
    )
)
"""What the auditor sees beside the pit's part."""


LEVELS = (Audience.DEALER, Audience.PIT, Audience.AUDITOR)
"""Staff, those who see least first: everybody sees what those before them do."""
PARTS = {Audience.DEALER: DEALER, Audience.PIT: PIT, Audience.AUDITOR: AUDITOR}
SHAPES: dict[Audience, type[s.StaffPart]] = {
    Audience.DEALER: s.DealerPart,
    Audience.PIT: s.PitPart,
    Audience.AUDITOR: s.AuditorPart,
}


UP_TO = {audience: LEVELS[: place + 1] for place, audience in enumerate(LEVELS)}
"""Whose fields each audience of staff sees."""
