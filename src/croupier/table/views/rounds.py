"""Rounds that are over, as staff read them and as each patron does.

Who has them in a journal says what the table no longer knows: what lay on the layout when the
round ended, when it was settled, and whether it was interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  # structs look at their annotations
from datetime import datetime  # noqa: TC003  # clients read them back
from typing import Any

import msgspec

from croupier.rules.errors import cited
from croupier.table.events import PayLine  # noqa: TC001
from croupier.table.state import Stake, Table  # noqa: TC001
from croupier.table.views.hearing import Audience
from croupier.table.views.own import own_line, patron_line
from croupier.table.views.public import winner_named
from croupier.table.views.shapes import OwnLine, PatronLine, Winner  # noqa: TC001
from croupier.table.words import SITUATION_WORDS

DECIDED = "a referred matter"
"""Why a round is void that nothing was reported of."""


class VoidShown(msgspec.Struct, frozen=True, gc=False):
    """By which clause a round is void, and why."""

    clause: str | None
    why: str


class Interruption(msgspec.Struct, frozen=True, gc=False):
    """That the house stood still in the middle of a round, and how that was ruled."""

    moment: datetime
    phase: str
    known: tuple[str, ...]
    """The places of the cards that somebody knew."""
    established: bool
    """Whether any wager had conclusively won or lost."""
    clause: str | None


class OwnStaked(msgspec.Struct, frozen=True, gc=False):
    """A patron's part of a stake, when the round ended."""

    stake: int
    wager: str
    position: int
    cents: int
    shared: bool


class OwnBalance(msgspec.Struct, frozen=True, gc=False):
    """A patron's credit at the table, from the call for bets to the end of the round."""

    before_cents: int
    brought_cents: int
    """What came to it meanwhile, from elsewhere."""
    taken_cents: int
    """What left it meanwhile, for elsewhere."""
    after_cents: int


class PatronStaked(OwnStaked, frozen=True, gc=False):
    """A part of a stake with its patron, as staff see it."""

    patron: str


class FinishedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over: what everybody may know of it."""

    round: int
    dealt_by: str
    """A round that the house dealt is not by the rulebook."""
    shoe: str | None
    opened: datetime
    closed: datetime | None
    settled: datetime | None
    cards: tuple[str | None, ...]
    """In the order that counts; one that was never exposed has no face."""
    die: int | None
    power: bool
    player: int | None
    banker: int | None
    winner: Winner | None
    void: VoidShown | None
    interruptions: tuple[Interruption, ...]


class OwnRound(FinishedRound, frozen=True, kw_only=True):
    """A round with a patron's own stakes and lines."""

    stakes: tuple[OwnStaked, ...]
    lines: tuple[OwnLine, ...]
    corrected: tuple[OwnLine, ...]
    """Lines of earlier pay lists, which were reversed."""
    balance: OwnBalance | None
    """None: nobody's, or it was not recorded when bets were called."""
    withdrawn_cents: int
    """What the patron took back when that was offered."""


class StaffRound(FinishedRound, frozen=True, kw_only=True):
    """A round with the stakes and lines of all, as staff and auditor read it."""

    stakes: tuple[PatronStaked, ...]
    lines: tuple[PatronLine, ...]
    corrected: tuple[PatronLine, ...]
    """Lines of earlier pay lists, which were reversed."""


class RoundFacts(msgspec.Struct, frozen=True):
    """What a journal says of a round that is over."""

    table: Table
    """As it was at the end of the round."""
    stakes: tuple[Stake, ...]
    """As they lay when the round was settled or void."""
    lines: tuple[PayLine, ...]
    """The pay list that stands."""
    corrected: tuple[PayLine, ...]
    settled: datetime | None
    void: bool
    voided_by: str | None
    interruptions: tuple[Interruption, ...]
    credits: Mapping[str, int] | None = None
    """Who had how much credit when bets were called; None: it was not recorded then."""
    brought: Mapping[str, int] = {}
    """What came to whose credit from then on to the end of the round."""
    taken: Mapping[str, int] = {}
    """What left it."""
    after: Mapping[str, int] = {}
    """Who had how much credit at its end."""
    withdrawn: Mapping[str, int] = {}
    """Who took back how much when that was offered."""


def staff_round(facts: RoundFacts) -> StaffRound:
    """Return a round as staff and auditor read it."""
    stakes = (
        PatronStaked(one.number, one.wager, one.position, share.cents, one.shared, share.patron)
        for one in facts.stakes
        for share in one.shares
    )
    return StaffRound(
        **_common(facts),
        stakes=tuple(stakes),
        lines=tuple(map(patron_line, facts.lines)),
        corrected=tuple(map(patron_line, facts.corrected)),
    )


def own_round(facts: RoundFacts, patron: str) -> OwnRound:
    """Return a round as one patron reads it."""
    stakes = (
        OwnStaked(one.number, one.wager, one.position, share.cents, one.shared)
        for one in facts.stakes
        for share in one.shares
        if share.patron == patron
    )
    return OwnRound(
        **_common(facts),
        stakes=tuple(stakes),
        lines=tuple(own_line(one) for one in facts.lines if one.patron == patron),
        corrected=tuple(own_line(one) for one in facts.corrected if one.patron == patron),
        balance=_balance(facts, patron),
        withdrawn_cents=facts.withdrawn.get(patron, 0),
    )


def _balance(facts: RoundFacts, patron: str) -> OwnBalance | None:
    if facts.credits is None or not patron:
        return None
    return OwnBalance(
        facts.credits.get(patron, 0),
        facts.brought.get(patron, 0),
        facts.taken.get(patron, 0),
        facts.after.get(patron, 0),
    )


def round_shown(
    facts: RoundFacts, audience: Audience, patron: str = ""
) -> OwnRound | StaffRound:
    """Return a round as an audience, and which patron of all, reads it.

    The public reads it as somebody does who had no stake in it.
    """
    if audience in (Audience.DEALER, Audience.PIT, Audience.AUDITOR):
        return staff_round(facts)
    assert (audience is Audience.PATRON) == bool(patron), "a patron has a name, nobody else"
    return own_round(facts, patron)


def _common(facts: RoundFacts) -> dict[str, Any]:
    play = facts.table.round
    assert play is not None, "no round"
    stands = None if facts.void else play.outcome
    return {
        "round": play.number,
        "dealt_by": play.dealt_by,
        "shoe": play.shoe or None,
        "opened": play.opened,
        "closed": play.closed,
        "settled": facts.settled,
        "cards": tuple(
            dealt.card.text if dealt.exposed and dealt.card is not None else None
            for dealt in play.cards
        ),
        "die": play.die,
        "power": play.power,
        "player": stands[0] if stands else None,
        "banker": stands[1] if stands else None,
        "winner": winner_named(stands[2]) if stands else None,
        "void": _void(facts) if facts.void else None,
        "interruptions": facts.interruptions,
    }


def _void(facts: RoundFacts) -> VoidShown:
    play = facts.table.round
    reported = play.reported if play else None
    why = DECIDED if reported is None else SITUATION_WORDS[reported.situation]
    return VoidShown(cited(facts.voided_by) if facts.voided_by else None, why)
