"""What staff put right or decide in a walk: faces, stakes that were found, referred matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL, Coup, Position
from croupier.table import commands as c
from tests.table.machine_finish import some_decision

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from croupier.rules.cards import Card
    from croupier.table.settings import Plan
    from croupier.table.state import Table

COPIES = 9
"""As often as one of ten a correction makes one copy too many, where it can."""


def right_face(chance: Random, table: Table, place: Position) -> str:
    """Return the face that a card really has, so that all kinds of things follow.

    Faces are drawn by what they do to the coup: one that reveals a natural, one that hides
    it, one that makes a card due, or surplus, or the other hand's. Now and then it is a face
    that was seen as often as the decks have it.
    """
    plan, play, shoe = table.plan, table.round, table.shoe
    assert plan is not None
    assert play is not None
    seen = shoe.seen if shoe else {}
    full = [face for face, count in seen.items() if count >= plan.settings.decks]
    if full and chance.randrange(10) == COPIES:
        return chance.choice(full)
    kinds: dict[tuple[Position | None, ...], list[str]] = {}
    for card in plan.game.deck.cards:
        faces = [card if one.position is place else one.card for one in play.cards]
        kinds.setdefault(_called_for(plan, faces), []).append(card.text)
    return chance.choice(kinds[chance.choice(list(kinds))])


def _called_for(plan: Plan, faces: Sequence[Card | None]) -> tuple[Position | None, ...]:
    """Return where the tableau wants third cards, as far as these cards tell."""
    known = [card for card in faces if card is not None]
    if len(known) < max(len(INITIAL_DEAL), len(faces)):
        return ()
    coup = Coup(plan.game.tableau, plan.game.deck, known[: len(INITIAL_DEAL)])
    places = [coup.due]
    for card in known[len(INITIAL_DEAL) :]:
        if coup.due is None:
            break
        coup = coup.draw(card)
        places.append(coup.due)
    return tuple(places)


def found_stake(chance: Random, table: Table, patron: str) -> c.FindStake:
    """Find a stake of any amount that nobody entered."""
    plan = table.plan
    assert plan is not None
    wager = chance.choice(list(plan.offered))
    limit = plan.limits[wager]
    under = limit.minimum_cents - limit.step_cents or limit.step_cents // 2
    over = limit.maximum_cents + limit.step_cents
    cents = [
        *(under, under, over, under + 5, over + 1),
        chance.randrange(1, limit.minimum_cents + 1),
        chance.randrange(1, 2 * limit.maximum_cents),
        limit.maximum_cents + 2 * chance.randrange(1, limit.maximum_cents),
        table.credits.get(patron, 0),
    ]
    place = chance.randrange(plan.positions) + 1 if chance.randrange(4) == 0 else None
    return c.FindStake(patron, wager, chance.choice(cents), place, "on the layout")


def decision(chance: Random, table: Table) -> c.DecideReferral:
    """Decide a referred matter: mostly as it may be decided, sometimes in any other way."""
    if chance.randrange(4):
        return some_decision(table, chance)
    play = table.round
    assert play is not None
    laid = [dealt.position for dealt in play.cards]
    chance.shuffle(laid)
    return c.DecideReferral(
        chance.choice([c.Decision.RECONSTRUCT, *c.Decision]),
        chance.choice(["so it is fair", "so it is fair", ""]),
        stake=chance.choice([None, 1, *play.stakes]),
        patron=chance.choice([None, *table.seats]),
        won_cents=chance.choice([None, 0, 100, -100, -1]),
        laid=tuple(laid) if chance.randrange(3) else (),
    )
