"""The public view: what a display, and everybody who stands at the table, may see.

Nothing here reads a face, or what follows from one, before the card is exposed; that is why no
view says which wagers are decided.
"""

from __future__ import annotations

from datetime import UTC
from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL, ORDINALS, points_of
from croupier.rules.errors import CoupError, NotationError, cited
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.next import closes_at
from croupier.table.order import MAIN
from croupier.table.phases import PHASES
from croupier.table.views import shapes as s
from croupier.table.views.parts import SIDES, Part, Seen, field, lying, plain
from croupier.table.words import MESSAGES, WAITS

if TYPE_CHECKING:
    from croupier.rules.game import Game
    from croupier.table.settings import Plan
    from croupier.table.state import Result, Stake, Table


def public_view(table: Table, held_since: int = 0) -> s.PublicView:
    """Return what everybody may see.

    ``held_since`` is the sequence of the record with which the table's hold began, if any.
    """
    return s.PublicView(**PUBLIC.build(Seen(table, held_since)))


# By what the table is played


def _rules(seen: Seen) -> s.RulesShown | None:
    table = seen.table
    return None if table.plan is None else rules_of(table.plan, table.dealt_by)


@lru_cache(maxsize=256)
def rules_of(plan: Plan, dealt_by: str) -> s.RulesShown:
    """Return what a table is played by; it is the same for as long as its settings are."""
    settings, edition, game = plan.settings, plan.rulebook.edition, plan.game
    layouts = plan.rulebook.layouts
    usual = next((one.name for one in layouts if one.game in (None, game.slug)), "")
    return s.RulesShown(
        game=game.slug,
        name=game.name,
        rulebook=edition.code,
        title=edition.title,
        version=edition.version,
        effective=edition.effective.astimezone(UTC),
        room=settings.room,
        decks=settings.decks,
        layout=settings.layout or usual,
        positions=settings.positions,
        method=settings.method,
        hlga=plan.hlga,
        dealt_by=dealt_by,
        rounding=settings.rounding,
        wagers_per_area=plan.cap,
        differential=_differential_limit(plan),
        limits=limits_of(plan),
        wagers=tuple(_wager(plan, slug) for slug in plan.offered),
    )


def limits_of(plan: Plan) -> s.LimitsShown:
    """Return the limits of the wagers on the two hands."""
    limits = [plan.limits[slug] for slug in MAIN]
    return s.LimitsShown(
        min(one.minimum_cents for one in limits), max(one.maximum_cents for one in limits)
    )


def _differential_limit(plan: Plan) -> s.DifferentialLimit | None:
    rule, cents = plan.procedure.differential, plan.settings.differential_cents
    return (
        None
        if rule is None or cents is None
        else s.DifferentialLimit(cents, cited(rule.clause))
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
        tuple(
            s.Dependence(one.main, one.wagers, cited(one.clause))
            for one in plan.preconditions
            if slug in one.wagers
        ),
        tuple(s.RowShown(row.label, row.pays.text, cited(row.clause)) for row in wager.rows),
    )


# Stakes


def _areas(seen: Seen) -> dict[str, s.AreaShown]:
    plan, seats = seen.table.plan, seen.table.seats
    if plan is None:
        return {}
    places = plan.places

    def placed(stake: Stake) -> tuple[tuple[int, int, str], s.StakeShown]:
        shares = tuple([s.ShareShown(seats.get(one.patron), one.cents) for one in stake.shares])
        place = (stake.position, places[stake.wager], stake.wager)
        return place, s.StakeShown(stake.number, stake.cents, stake.shared, shares)

    found: dict[tuple[int, int, str], list[s.StakeShown]] = {}
    for place, shown in seen.of_stakes("area", placed, plan, seats):
        found.setdefault(place, []).append(shown)
    return {f"{place[0]}/{place[2]}": _area(place, found[place]) for place in sorted(found)}


def _area(place: tuple[int, int, str], stakes: list[s.StakeShown]) -> s.AreaShown:
    position, _, wager = place
    whole = stakes[0].cents if len(stakes) == 1 else sum([stake.cents for stake in stakes])
    return s.AreaShown(position, wager, whole, tuple(stakes))


def _differential(seen: Seen) -> s.DifferentialShown | None:
    table, plan = seen.table, seen.table.plan
    if plan is None or table.round is None or table.between_rounds:
        return None
    rule = plan.procedure.differential
    if rule is None:
        return None
    totals = dict.fromkeys(MAIN, 0)
    for stake in lying(table).values():
        if stake.wager in totals:
            totals[stake.wager] += stake.cents
    apart = totals["player"] - totals["banker"]
    heavier = None if apart == 0 else Side.PLAYER if apart > 0 else Side.BANKER
    limit = plan.settings.differential_cents
    return s.DifferentialShown(abs(apart), limit, heavier, cited(rule.clause))


# Cards and the outcome


def _hands(seen: Seen) -> tuple[s.HandShown, ...]:
    return tuple(_hand(seen.table, side) for side in SIDES)


def _hand(table: Table, side: Side) -> s.HandShown:
    play = table.round
    if play is None:
        return s.HandShown(side, (), None, squeezed=False, squeezed_by=None)
    cards = [dealt for dealt in play.cards if dealt.position.side is side]
    faces = [dealt.card for dealt in cards if dealt.exposed and dealt.card is not None]
    shown = tuple(
        s.CardShown(dealt.position, dealt.card.text, face_down=False)
        if dealt.exposed and dealt.card is not None
        else s.CardShown(
            dealt.position, None, face_down=True, turned=dealt.turned_by is not None
        )
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


def _next_card(seen: Seen) -> s.NextCard | None:
    """Return the card that is called for, as far as the exposed cards tell."""
    table = seen.table
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


def _current(seen: Seen) -> bool:
    """Tell whether a round is in progress."""
    return seen.table.round is not None and not seen.table.between_rounds


def _die(seen: Seen) -> int | None:
    play = seen.table.round
    return play.die if play and _current(seen) else None


def _power(seen: Seen) -> bool:
    play = seen.table.round
    return play.power if play and _current(seen) else False


def winner_named(winner: Side | None) -> s.Winner:
    """Return the winner as it is written; None: a tie."""
    return "tie" if winner is None else "player" if winner is Side.PLAYER else "banker"


def _outcome(seen: Seen) -> s.OutcomeShown | None:
    play = seen.table.round
    if play is None or play.outcome is None:
        return None
    player, banker, winner = play.outcome
    return s.OutcomeShown(player, banker, winner_named(winner))


def _results(seen: Seen) -> tuple[s.ResultShown, ...]:
    plan = seen.table.plan
    if plan is None:
        return ()
    game = plan.game
    return seen.of_each(
        "results", seen.table.results, lambda result: result_of(game, result), game
    )


@lru_cache(maxsize=16_384)
def result_of(game: Game, result: Result) -> s.ResultShown:
    """Return a round that is over as a road shows it."""
    number, cards, die = result.round, result.cards, result.die
    power = game.is_power(die)
    try:
        coup = None if result.void else game.coup(" ".join(cards))
    except (NotationError, CoupError):
        coup = None
    if coup is None or not coup.complete:
        return s.ResultShown(
            number, cards, None, None, None, False, False, False, die, power, result.void,  # noqa: FBT003
        )  # fmt: skip
    outcome = coup.outcome()
    player, banker = outcome.player, outcome.banker
    return s.ResultShown(
        number,
        cards,
        player.points,
        banker.points,
        winner_named(outcome.winner),
        bool(player.pair),
        bool(banker.pair),
        player.natural or banker.natural,
        die,
        power,
        result.void,
    )


# The rest


def _hold(seen: Seen) -> s.HoldShown | None:
    hold = seen.table.hold
    if hold is None:
        return None
    clause = cited(hold.clause) if hold.clause else None
    return s.HoldShown(
        kind=hold.kind,
        clause=clause,
        sentence=WAITS[hold.kind],
        since=seen.held_since,
        situation=hold.situation,
        moment=hold.since,
        asked=len(hold.patrons),
        answered=len(hold.answers),
    )


def _mended(seen: Seen) -> s.MendedShown | None:
    mended = seen.table.round.mended if seen.table.round else None
    if mended is None:
        return None
    cards = (
        s.LaidShown(one.position, one.card) for one in mended.cards if one.card is not None
    )
    clause = cited(mended.clause) if mended.clause else None
    return s.MendedShown(mended.what, clause, mended.count, tuple(cards), mended.before)


def _shoe(seen: Seen) -> s.ShoeShown | None:
    shoe = seen.table.shoe
    if shoe is None:
        return None
    return s.ShoeShown(shoe.name, shoe.cards, shoe.left, shoe.cut_card_seen, shoe.ended)


def _shoe_holder(seen: Seen) -> int | None:
    holder = seen.table.shoe_holder
    return seen.table.seats.get(holder) if holder else None


def _waiting(seen: Seen) -> int:
    return len(seen.table.round.waiting) if seen.table.round else 0


DEALT_BY = "plan phase scheduled dealer round.dealt_by round.confirmed"
"""From what it follows who deals."""


PUBLIC = Part(
    (
        plain("phase"),
        field("calls", "phase", lambda seen: MESSAGES[seen.table.phase]),
        plain("round", "round.number"),
        plain("opened", "round.opened"),
        plain("closed", "round.closed"),
        field("closes_at", f"{DEALT_BY} hold since", lambda seen: closes_at(seen.table)),
        plain("table_closes", "closes"),
        field("rules", DEALT_BY, _rules),
        field("seats", "seats", lambda seen: tuple(sorted(set(seen.table.seats.values())))),
        field(
            "lost_terminals",
            "lost_terminals",
            lambda seen: tuple(sorted(seen.table.lost_terminals)),
        ),
        field("areas", "plan seats round.stakes round.lines", _areas),
        field(
            "differential",
            "plan phase round.stakes round.lines round.confirmed",
            _differential,
        ),
        field("power", "phase round.power round.confirmed", _power),
        field("die", "phase round.die round.confirmed", _die),
        field("hands", "seats round.cards round.handlers", _hands),
        field("waiting", "round.waiting", _waiting),
        plain("first_hand", "round.first_hand"),
        field("next", "plan phase round.die round.cards round.coup", _next_card),
        field("outcome", "round.outcome", _outcome),
        field("hold", "hold held_since", _hold),
        field("mended", "round.mended", _mended),
        field("shoe", "shoe", _shoe),
        field("shoe_holder", "seats shoe_holder", _shoe_holder),
        field("results", "plan results", _results),
    )
)
"""The public view."""
