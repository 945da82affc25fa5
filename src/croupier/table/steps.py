"""Carrying a ruling out: its steps in order, until one must wait for somebody."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL, Coup, Position, points_of
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.differential import balanced, hold_if_unbalanced
from croupier.table.reversal import device_back, unsettle
from croupier.table.rulings import CONDITIONS, OFFERS, Ruling, Situation, Step
from croupier.table.state import HoldKind, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from croupier.rules.cards import Card
    from croupier.table.draft import Draft, Events
    from croupier.table.rulebook import Rulebook
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Hold, Round, Table

Steps = tuple[tuple[Step, "str | None"], ...]
NOT_RULED_ON = "drawn together, and not ruled on"
OPENED = (HoldKind.SORT, HoldKind.SUBSTITUTE)
"""What a round waits for while the cards of device and discards are sorted."""


def ruling_for(table: Table, report: c.Report) -> Ruling | None:
    """Return the ruling of the table's rulebook that fits, or None: it is referred."""
    plan = table.plan
    assert plan is not None, "the table is not open"
    for ruling in _rulings_on(plan.rulebook, report.situation):
        if ruling.when(table, report):
            return ruling
    return None


@lru_cache(maxsize=256)
def _rulings_on(rulebook: Rulebook, situation: Situation) -> tuple[Ruling, ...]:
    """Return the rulings of a rulebook on a situation, in its order."""
    return tuple(ruling for ruling in rulebook.rulings if situation in ruling.situations)


def ruled_out(plan: Plan, situation: Situation, clause: str | None) -> Ruling | None:
    """Return the ruling on a situation that would apply if its condition were fulfilled.

    ``clause`` is that of the ruling that applies; None also where no word names a condition.
    """
    found = (one for one in _rulings_on(plan.rulebook, situation) if one.when in CONDITIONS)
    others = [one for one in found if one.clause != clause]
    return others[0] if len(others) == 1 else None


def steps_of(table: Table, report: c.Report, ruling: Ruling | None) -> Steps:
    """Return the steps that rule a report; without a ruling it is referred."""
    assert table.plan is not None
    if ruling is None:
        clause = table.plan.procedure.referral
        if report.situation is Situation.DRAWN_TOGETHER:
            return (Step.TAKE_UP, clause), (Step.REFER, clause)
        return ((Step.REFER, clause),)
    return tuple((do.step, do.clause) for do in ruling.steps)


def reported(
    table: Table, report: c.Report, cards: tuple[str, ...], by: e.By
) -> tuple[i.IrregularityReported, Steps]:
    """Return the record of a report, and its steps."""
    ruling = ruling_for(table, report)
    steps = steps_of(table, report, ruling)
    clause = ruling.clause if ruling else steps[0][1]
    event = i.IrregularityReported(report, clause, tuple(step for step, _ in steps), by, cards)
    return event, steps


def detect(draft: Draft, envelope: c.Envelope, report: c.Report, by: e.By) -> None:
    """Rule at once what the table itself detects; it needs no confirmation."""
    suspend(draft)
    event, steps = reported(draft.table, report, envelope.cards[1:], by)
    draft.add(event)
    run(draft, steps, envelope, by)


def suspend(draft: Draft) -> None:
    """Let what the round waits for wait behind something that comes first (A52)."""
    if draft.table.hold is not None:
        draft.add(i.HoldSuspended(draft.table.hold.kind.value))


def too_many(draft: Draft, envelope: c.Envelope, face: str, by: e.By) -> bool:
    """Rule on a face that was seen more often than the decks have it."""
    shoe = draft.table.shoe
    if shoe is None or shoe.seen[face] <= _plan(draft).settings.decks:
        return False
    note = f"{face} was seen {shoe.seen[face]} times"
    detect(draft, envelope, c.report(Situation.EXTRA_CARD, note=note), by)
    return True


def turn_up(
    draft: Draft, envelope: c.Envelope, position: Position, card: Card, by: e.By
) -> None:
    """Turn a card up, and do what follows from it."""
    turned = [one.turned_by for one in draft.round.cards if one.position is position]
    who = turned[0] if turned and turned[0] is not None else by.name
    draft.add(e.CardExposed(position, card.text, who, envelope.moment))
    if too_many(draft, envelope, card.text, by):
        return
    coup = draft.round.coup
    if coup is not None and len(coup.cards) == len(INITIAL_DEAL):
        announce_totals(draft, coup)
    announce_by_system(draft, by)


def announce_totals(draft: Draft, coup: Coup) -> None:
    """Announce the points of both hands after the initial deal."""
    player, banker = points_of(coup.cards[0:3:2]), points_of(coup.cards[1:4:2])
    draft.add(e.TotalsAnnounced(player, banker))


def announce_by_system(draft: Draft, by: e.By) -> None:
    """Announce the outcome of a complete coup where no Dealer does."""
    coup = draft.round.coup
    if _plan(draft).calls_by_system and coup is not None and coup.complete:
        announce(draft, by)


def announce(draft: Draft, by: e.By) -> None:
    """Announce the outcome of a complete coup, and set aside cards that no hand took."""
    coup, waiting = draft.round.coup, draft.round.waiting
    assert coup is not None and coup.complete, "announced too early"
    if waiting:
        faces = tuple(card.text for card in waiting if card is not None)
        draft.add(e.CardsSetAside(len(waiting), "not called for", None, faces, waited=True))
    player, banker = coup.player.points, coup.banker.points
    winner = None if player == banker else Side.PLAYER if player > banker else Side.BANKER
    draft.add(e.OutcomeAnnounced(player, banker, winner, by.name, by.moment))


def run(draft: Draft, steps: Steps, envelope: c.Envelope, by: e.By) -> None:
    """Carry steps out; a step that waits puts the round on hold with the rest."""
    while steps:
        step, clause = steps[0]
        hold = WAITING.get(step)
        if hold is not None:
            if hold(draft, steps, envelope):
                return
        else:
            ACTING[step](draft, clause, envelope, by)
            if step is Step.VOID:
                _after_void(draft, steps[1:], envelope, by)
                return
        steps = steps[1:]


def resume(draft: Draft, envelope: c.Envelope, by: e.By) -> Events:
    """Go on when nothing is waited for: with what was suspended, then with queued reports.

    The differential is tested again where a hold ended before the first card.
    """
    while draft.table.hold is None and draft.table.suspended:
        _wait_again(draft, envelope, by)
    table = draft.table
    if table.hold is None and table.phase is Phase.CLOSED and not draft.round.cards:
        hold_if_unbalanced(draft, envelope.moment)
    return draft.done


def _wait_again(draft: Draft, envelope: c.Envelope, by: e.By) -> None:
    """Wait again for what was suspended, unless what came first settled it."""
    hold = draft.table.suspended[-1]
    patrons, numbers, over = hold.patrons, hold.stakes, False
    if hold.kind is HoldKind.WITHDRAWAL:
        may = _offered(draft.table, hold.steps[0][0])
        asked = [name for name in hold.patrons if name in hold.answers or name in may]
        patrons, numbers = tuple(asked), _numbers(may)
        over = not set(may) & set(hold.patrons) - set(hold.answers)
    elif hold.kind is HoldKind.BALANCE:
        over = balanced(draft.table)
    draft.add(i.HoldResumed(hold.kind.value, patrons, numbers, envelope.moment))
    if over:
        draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
        run(draft, hold.steps[1:], envelope, by)


def _after_void(draft: Draft, steps: Steps, envelope: c.Envelope, by: e.By) -> None:
    for step, clause in steps:
        if step in (Step.EARLIER_STAND, Step.REPLACE_CARDS):
            ACTING[step](draft, clause, envelope, by)


def _report(draft: Draft) -> c.Report:
    return draft.round.reported or c.report(Situation.OTHER)


def _plan(draft: Draft) -> Plan:
    assert draft.table.plan is not None
    return draft.table.plan


# Steps that wait


def _place(draft: Draft, kind: HoldKind, steps: Steps, envelope: c.Envelope) -> bool:
    report = _report(draft)
    draft.add(
        i.HoldPlaced(kind.value, steps[0][1], report.situation, steps, moment=envelope.moment)
    )
    return True


def withdrawable(table: Table, step: Step) -> dict[str, list[int]]:
    """Return which stakes each patron may withdraw under an option."""
    may: dict[str, list[int]] = {}
    if table.round is not None and table.round.lines is not None:
        return may
    undecided = step in (Step.OFFER_UNDECIDED, Step.OFFER_REMAINING)
    wagers = table.undecided() if undecided and table.stakes else None
    for stake in table.stakes:
        if wagers is None or stake.wager in wagers:
            for share in stake.shares:
                may.setdefault(share.patron, []).append(stake.number)
    return may


def all_or_none(table: Table, step: Step, patron: str) -> bool:
    """Tell whether a patron withdraws all that an option names, or nothing.

    Whoever holds cards face down could choose by what nobody else knows (A19).
    """
    if step is Step.OFFER_UNDECIDED:
        return table.holds_cards(patron)
    return step in (Step.OFFER_ALL, Step.OFFER_REMAINING)


def _offered(table: Table, step: Step) -> dict[str, list[int]]:
    """Return what an option offers; a power failure's, only while nothing is decided."""
    if step is Step.OFFER_ALL and table.established:
        return {}
    return withdrawable(table, step)


def _numbers(may: dict[str, list[int]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(number for stakes in may.values() for number in stakes))


def _offer(draft: Draft, steps: Steps, envelope: c.Envelope) -> bool:
    step, clause = steps[0]
    may = _offered(draft.table, step)
    if not may:
        return False
    situation = _report(draft).situation
    kind = HoldKind.WITHDRAWAL.value
    draft.add(
        i.HoldPlaced(
            kind, clause, situation, steps, tuple(may), _numbers(may), moment=envelope.moment
        )
    )
    return True


def _refer(draft: Draft, steps: Steps, envelope: c.Envelope) -> bool:
    situation = _report(draft).situation
    suggestion = _plan(draft).rulebook.suggestions.get(situation)
    clause = steps[0][1]
    draft.add(
        i.HoldPlaced(
            HoldKind.REFERRAL.value,
            clause,
            situation,
            steps,
            suggestion=suggestion,
            moment=envelope.moment,
        )
    )
    return True


def _hold_for(kind: HoldKind) -> Callable[[Draft, Steps, c.Envelope], bool]:
    return lambda draft, steps, envelope: _place(draft, kind, steps, envelope)


WAITING: dict[Step, Callable[[Draft, Steps, c.Envelope], bool]] = {
    **dict.fromkeys(OFFERS, _offer),
    Step.SET_ORDER: _hold_for(HoldKind.ORDER),
    Step.RESET_DEVICE: _hold_for(HoldKind.RESET),
    Step.RESERVE_CARDS: _hold_for(HoldKind.RESERVE),
    Step.SORT_CARDS: _hold_for(HoldKind.SORT),
    Step.SUBSTITUTE: _hold_for(HoldKind.SUBSTITUTE),
    Step.REFER: _refer,
}


# Steps that act


def _note(step: Step) -> Callable[[Draft, str | None, c.Envelope, e.By], None]:
    def take(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
        draft.add(i.StepTaken(step, clause))

    return take


def _void(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    """Void the round: reverse what was paid, and return every stake (A21)."""
    play = draft.round
    refunds = tuple(
        i.Refund(stake.number, share.patron, share.cents)
        for stake in play.stakes.values()
        for share in stake.shares
    )
    phase = draft.table.phase.value
    waits = [(hold.report, hold.cards) for hold in draft.table.suspended if _to_take_up(hold)]
    waits += [(one.report, one.cards) for one in play.queue]
    for report, cards in waits:
        if report is not None:
            came_out(draft, report, cards)
    sorted_ = [hold for hold in draft.table.suspended if hold.kind in OPENED]
    draft.add(i.RoundVoided(clause, phase, refunds, play.lines or (), envelope.moment))
    for hold in sorted_:
        # The cards of the device lie open: they are not played with any more.
        _after_void(draft, hold.steps, envelope, by)
    device_back(draft, play.shoe_lost)


def _to_take_up(hold: Hold) -> bool:
    """Tell whether cards that came out together are still to be taken up."""
    return any(step is Step.TAKE_UP for step, _ in hold.steps)


def came_out(draft: Draft, report: c.Report, cards: tuple[str, ...]) -> None:
    """Set cards aside that came out together and that nothing was ruled on."""
    shoe = draft.table.shoe
    # Whatever was reported while the round waited, no more came than there were.
    count = min(report.count, shoe.left) if shoe else 0
    if report.situation is Situation.DRAWN_TOGETHER and count > 0:
        draft.add(e.CardsSetAside(count, NOT_RULED_ON, cards=cards[:count]))


def _expose(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    """Turn up the cards in question: those seen by error, or those taken away."""
    report, parse = _report(draft), _plan(draft).game.deck.parse
    faces = list(draft.round.reported_cards)
    sides: dict[Side, None] = {}
    for dealt in draft.round.cards:
        taken = report.patron is not None and dealt.handed_to == report.patron
        if dealt.exposed or not (taken or dealt.position is report.position):
            continue
        card = dealt.card or (parse(faces.pop(0)) if faces else None)
        if card is not None:
            turn_up(draft, envelope, dealt.position, card, by)
            if draft.table.phase is Phase.VOID:
                return
        if taken:
            sides[dealt.position.side] = None
    for side in sides:
        draft.add(i.HandRetrieved(side, report.patron, clause))
    draft.add(i.StepTaken(Step.EXPOSE, clause, report.note))


def _take_up(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    """Let cards that came together wait for their turn."""
    report, faces = _report(draft), draft.round.reported_cards
    cards = tuple(faces) if len(faces) == report.count else ()
    draft.add(i.CardsTakenUp(report.count, "drawn together", clause, cards))


def allot(table: Table, dealt: Sequence[DealtCard]) -> tuple[list[Position], bool] | None:
    """Give cards, in the order drawn, the places that the tableau calls for.

    Returns the places of the cards that are used, the others being surplus, and whether a
    further card may be called for; or None where the tableau must know faces that are not
    exposed: where a card goes must not tell what another is that lies face down.
    """
    plan = table.plan
    assert plan is not None
    places: list[Position] = list(INITIAL_DEAL[: len(dealt)])
    if len(dealt) < len(INITIAL_DEAL):
        return places, True
    initial = dealt[: len(INITIAL_DEAL)]
    faces = [card.card for card in initial if card.exposed and card.card is not None]
    if len(faces) < len(INITIAL_DEAL):
        return (places, True) if len(dealt) == len(INITIAL_DEAL) else None
    coup = Coup(plan.game.tableau, plan.game.deck, faces)
    third = dealt[len(INITIAL_DEAL) :]
    for number, card in enumerate(third):
        place = coup.due
        if place is None:
            return places, False
        places.append(place)
        if card.card is None or not card.exposed:
            # Where the next card goes follows from this face.
            return (places, True) if number == len(third) - 1 else None
        coup = coup.draw(card.card)
    return places, coup.due is not None


def reconstruction(
    table: Table, laid: Sequence[Position], clause: str | None
) -> i.CardsReconstructed | None:
    """Return the cards in the order drawn, or None where that cannot be done."""
    play = table.round
    assert play is not None
    at = {card.position: number for number, card in enumerate(play.cards)}
    if len(laid) != len(at) or set(laid) != set(at):
        return None
    return rebuild(table, [at[place] for place in laid], clause)


def rebuild(
    table: Table, order: Sequence[int], clause: str | None
) -> i.CardsReconstructed | None:
    """Return the cards of the hands, in this order, where the tableau wants them.

    Cards that were set aside come after them: they were drawn when no hand took a card.
    """
    play = table.round
    assert play is not None
    out = (*play.cards, *play.aside)
    order = (*order, *range(len(play.cards), len(out)))
    allotted = allot(table, [out[number] for number in order])
    if allotted is None:
        return None
    places, due = allotted
    used = len(places)
    return i.CardsReconstructed(
        before=tuple(_shown(card) for card in out),
        after=tuple(
            i.Placement(place, _face(out[number]))
            for place, number in zip(places, order[:used], strict=True)
        ),
        moved=order[:used],
        set_aside=order[used:],
        clause=clause,
        waiting=len(play.unused) if due else 0,
    )


def put_in_place(draft: Draft, rebuilt: i.CardsReconstructed, by: e.By) -> None:
    """Put cards where they belong; a pay list that was made of them is taken back."""
    unsettle(draft, rebuilt.clause, "cards reconstructed")
    draft.add(rebuilt)
    announce_by_system(draft, by)


def _face(card: DealtCard) -> str | None:
    return card.card.text if card.exposed and card.card else None


def _shown(card: DealtCard) -> i.Placement:
    return i.Placement(card.position, _face(card))


def _reconstruct(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    report = _report(draft)
    surplus = report.count if report.situation is Situation.WRONG_NUMBER else 0
    if surplus:
        faces = draft.round.reported_cards
        draft.add(e.CardsSetAside(surplus, "not called for", clause, faces))
    rebuilt = reconstruction(draft.table, report.laid, clause) if report.laid else None
    if rebuilt is not None:
        put_in_place(draft, rebuilt, by)
    else:
        draft.add(i.StepTaken(Step.RECONSTRUCT, clause, report.note))


def _reopen(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    draft.add(i.BetsReopened(clause or "", envelope.moment))


def _retrieve(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    report = _report(draft)
    assert report.side is not None
    draft.add(i.HandRetrieved(report.side, report.patron, clause))


def _dealer_exposes(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    report = _report(draft)
    side = report.side
    assert side is not None
    holder = draft.round.handlers.get(side)
    draft.add(i.HandRetrieved(side, holder, clause, dealer_exposes=True))
    draft.add(i.StepTaken(Step.DEALER_EXPOSES, clause, report.note))


def taken_cards(play: Round, patron: str | None) -> list[DealtCard]:
    """Return the face-down cards that a patron holds."""
    return [
        card
        for card in play.cards
        if patron is not None and card.handed_to == patron and not card.exposed
    ]


def unaccounted(table: Table) -> dict[str, int]:
    """Return how many of each face the full decks have beside the cards at the table."""
    plan, play = table.plan, table.round
    assert plan is not None and play is not None and play.reported is not None
    left = dict.fromkeys((card.text for card in plan.game.deck.cards), plan.settings.decks)
    gone = taken_cards(play, play.reported.patron)
    here = [dealt.card for dealt in play.cards if dealt not in gone]
    for card in (*here, *play.waiting):
        if card is not None:
            left[card.text] -= 1
    return left


def _deduce(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    """Find which cards are gone: the full decks less all that is counted (A31)."""
    left = unaccounted(draft.table)
    for face, count in (draft.round.sorted or {}).items():
        left[face] -= count
    missing = tuple(face for face, count in left.items() for _ in range(count))
    draft.add(i.MissingDeduced(missing, clause))


def _replace(draft: Draft, clause: str | None, envelope: c.Envelope, by: e.By) -> None:
    draft.add(i.ReplacementRequired(clause or ""))


NOTED = (
    Step.STAND,
    Step.NOT_HONOURED,
    Step.REMAINS,
    Step.EARLIER_STAND,
    Step.CONCLUDE,
    Step.TAKES_PART,
    Step.NO_PART,
)
ACTING: dict[Step, Callable[[Draft, str | None, c.Envelope, e.By], None]] = {
    **{step: _note(step) for step in NOTED},
    Step.EXPOSE: _expose,
    Step.RECONSTRUCT: _reconstruct,
    Step.TAKE_UP: _take_up,
    Step.VOID: _void,
    Step.REOPEN: _reopen,
    Step.RETRIEVE: _retrieve,
    Step.DEALER_EXPOSES: _dealer_exposes,
    Step.DEDUCE_MISSING: _deduce,
    Step.REPLACE_CARDS: _replace,
}
assert not set(ACTING) & set(WAITING), "a step both acts and waits"
assert set(ACTING) | set(WAITING) == set(Step), "a step that does nothing"
