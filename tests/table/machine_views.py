"""What each audience sees, hears and is answered does not depend on cards that lie face down.

Two tables that differ only in cards that nobody has exposed are asked the same: whoever asks
gets the same refusal, word by word, or everybody hears and sees the same afterwards, until
the first card that the answer turns up.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import msgspec
from msgspec.structs import replace

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.authority import needs
from croupier.table.decide import act
from croupier.table.phases import DURING
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Clocks, DealtBy, Limits, Method
from croupier.table.state import HoldKind
from croupier.table.views import Audience, Projection, Seen, changes, hear, own_part
from tests.table.floor import NOW, SECOND, STAFF, SYSTEM
from tests.table.told import told as reported

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from croupier.rules.cards import Card
    from croupier.table.roles import Actor
    from croupier.table.state import Hold, Queued, Table

ENCODE = msgspec.json.Encoder().encode
HOUSE = ("dealer", "pit", "auditor")

# Two tables


WORKING: tuple[tuple[Audience, StaffPosition | None], ...] = (
    (Audience.DEALER, StaffPosition.DEALER),
    *((Audience.PIT, one) for one in StaffPosition if one is not StaffPosition.DEALER),
    (Audience.AUDITOR, None),
)
"""Everybody of staff who may watch a table, in every position."""
FEW = (WORKING[0], (Audience.PIT, StaffPosition.GAMING_SHIFT_MANAGER), WORKING[-1])


def named(audience: Audience, position: StaffPosition | None) -> str:
    """Name somebody who watches."""
    return f"{audience.value} {position.value}" if position else audience.value


def seen(table: Table) -> dict[str, bytes]:
    """Return what every audience sees of an open table, as it goes over the wire."""
    shown = Projection(table)
    views = {"public": ENCODE(shown.view(Audience.PUBLIC))}
    for one, position in WORKING:
        views[named(one, position)] = ENCODE(shown.view(one, position=position))
    for patron in (*table.seats, "nobody"):
        views[patron] = ENCODE(shown.view(Audience.PATRON, patron))
    return views


def with_other_faces(table: Table, chance: Random, *, counted: bool) -> Table:
    """Return the table with other faces on every card that is not exposed.

    If ``counted``, also with other faces found out by counting: staff see those, because
    they put equal cards in their place.
    """
    play, plan = table.round, table.plan
    assert play is not None
    assert plan is not None
    deck = plan.game.deck.cards

    def other(card: Card | None) -> Card | None:
        return None if card is None else chance.choice([one for one in deck if one is not card])

    def came(faces: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(chance.choice(deck).text for _ in faces)

    def held(hold: Hold) -> Hold:
        return replace(hold, cards=came(hold.cards))

    def queued(waits: Queued) -> Queued:
        return replace(waits, cards=came(waits.cards))

    changed = replace(
        play,
        cards=tuple(
            one if one.exposed else replace(one, card=other(one.card)) for one in play.cards
        ),
        aside=tuple(
            one if one.exposed else replace(one, card=other(one.card)) for one in play.aside
        ),
        waiting=tuple(map(other, play.waiting)),
        unused=tuple(map(other, play.unused)),
        reported_cards=came(play.reported_cards),
        queue=tuple(map(queued, play.queue)),
    )
    if counted:
        changed = replace(
            changed,
            missing=tuple(chance.choice(deck).text for _ in play.missing),
            sorted=None if play.sorted is None else {deck[0].text: 1},
        )
    return replace(
        table,
        round=changed,
        hold=held(table.hold) if table.hold else None,
        suspended=tuple(map(held, table.suspended)),
    )


def hides(table: Table) -> bool:
    """Tell whether there is a card that nobody has exposed."""
    play = table.round
    if play is None or table.plan is None:
        return False
    lying = (*play.cards, *play.aside)
    return bool(play.waiting or play.unused) or not all(dealt.exposed for dealt in lying)


# What can be asked without a card in the hand

REASON = "so it was"
FINDS_OUT = (c.RecordSorting,)
"""Counting all cards is how staff find out which are gone, so its answer depends on them."""
AMOUNTS = {"cents": (100_00,), "count": (1,), "wagers": (2,), "terminal": (1,)}


def questions(table: Table) -> Iterator[c.Command]:
    """Yield every kind of command, with all that lies on this table in its fields."""
    yield from _reports(table)
    yield from _decisions(table)
    for stake in table.stakes:
        for share in stake.shares:
            yield c.Withdraw(share.patron, (stake.number,))
    for kind in c.COMMANDS:
        if kind in (c.OpenTable, c.CloseTable, c.Report, c.DecideReferral, *FINDS_OUT):
            continue
        hints = get_type_hints(kind)
        required = [field.name for field in msgspec.structs.fields(kind) if field.required]
        values = [_values(table, name, hints[name]) for name in required]
        for chosen in product(*values):
            yield kind(**dict(zip(required, chosen, strict=True)))


def _values(table: Table, name: str, hint: object) -> tuple[Any, ...]:
    play, plan = table.round, table.plan
    assert play is not None
    assert plan is not None
    if hint is int and name == "position":
        return tuple(sorted(set(table.seats.values()))) or (1,)
    named: dict[str, tuple[Any, ...]] = {
        **AMOUNTS,
        "patron": tuple(table.seats) or ("Ann",),
        "stake": tuple(play.stakes) or (1,),
        "wager": tuple(plan.offered),
        "shown": ("player", "tie"),
        "reason": (REASON,),
        "order": ((0, 1), (1, 0)),
        "cards": (play.missing,),
        "shoe": ("another shoe",),
        "optional": ((),),
        "limits": ({"*": Limits(100, 100_000, 100)},),
    }
    if name in named:
        return named[name]
    if hint is bool:
        return (True, False)
    kinds: dict[object, tuple[Any, ...]] = {
        Position: tuple(Position),
        Side: tuple(Side),
        Method: tuple(Method),
        Clocks: (Clocks(pace_ms=0),),
        DealtBy: tuple(DealtBy),
        int | None: (100_00,),
    }
    return kinds[hint]


def _orders(table: Table) -> Iterator[tuple[Position, ...]]:
    """Yield where cards could have lain: as they lie, reversed, and every swap of two."""
    play = table.round
    assert play is not None
    places = [dealt.position for dealt in play.cards]
    yield ()
    yield tuple(reversed(places))
    for one in range(len(places)):
        for other in range(one):
            laid = list(places)
            laid[one], laid[other] = laid[other], laid[one]
            yield tuple(laid)


def _reports(table: Table) -> Iterator[c.Report]:
    play = table.round
    assert play is not None
    patrons = tuple(table.seats) or ("Ann",)
    stake = next(iter(play.stakes), 1)
    for situation, known in product(Situation, (True, False)):
        said: dict[str, Any] = {"order_known": known, "value_known": known}
        said |= {"stake": stake, "terminal": 1}
        if situation is Situation.DRAWN_TOGETHER:
            yield reported(situation, count=2, **said)
        elif situation in (Situation.WRONG_ORDER, Situation.WRONG_NUMBER):
            for laid in _orders(table):
                yield reported(situation, laid=laid, **said)
        elif situation is Situation.EXPOSED_IN_ERROR:
            for dealt in play.cards:
                yield reported(situation, position=dealt.position, **said)
        else:
            for patron, side in product(patrons, Side):
                yield reported(situation, patron=patron, side=side, **said)


def _decisions(table: Table) -> Iterator[c.DecideReferral]:
    play = table.round
    assert play is not None
    for decision in c.Decision:
        if decision is c.Decision.RECONSTRUCT:
            for laid in _orders(table):
                yield c.DecideReferral(decision, REASON, laid=laid)
        else:
            stake = next(iter(play.stakes), None)
            yield c.DecideReferral(decision, REASON, stake=stake, won_cents=0)


# Asking both


class Told(NamedTuple):
    """What comes of a command: to whoever asks, to everybody, and to each who looks."""

    refusal: bytes
    heard: tuple[bytes, ...]
    recorded: tuple[bytes, ...]
    """The events as staff may read them: without what is the house's alone."""
    turned_up: bool
    learnt: dict[str, bytes]
    """The change that each audience gets; null: no message comes. Views follow from it."""
    table: Table | None
    """As it is afterwards, if nothing was turned up."""


UNREAD: dict[type[e.Event], tuple[str, ...]] = {
    e.CardDrawn: ("card",),
    e.CardsSetAside: ("cards",),
    i.IrregularityReported: ("cards",),
    i.ReportQueued: ("cards",),
    i.CardsTakenUp: ("cards", "read"),
    i.CardsSorted: ("counts",),
    i.MissingDeduced: ("cards",),
    i.CardsSubstituted: ("cards",),
}
"""What of an event is for the house only."""


def read_by_staff(event: e.Event) -> bytes:
    """Return an event as staff may read it."""
    secret = UNREAD.get(type(event), ())
    fields = {
        name: getattr(event, name) for name in event.__struct_fields__ if name not in secret
    }
    return ENCODE([type(event).__name__, fields])


def told(table: Table, envelope: c.Envelope) -> Told:
    """Bring a command; return what everybody learns, up to the first card that is turned up."""
    answer = act(table, envelope)
    if isinstance(answer, Refusal):
        return Told(ENCODE(answer), (), (), turned_up=False, learnt={}, table=None)
    events, after = answer
    heard: list[bytes] = []
    recorded: list[bytes] = []
    for event in events:
        if isinstance(event, e.CardExposed):
            place = event.position.value.encode()
            return Told(b"", (*heard, place), (*recorded, place), True, {}, None)  # noqa: FBT003
        heard.append(ENCODE(hear(event, seats=table.seats)))
        recorded.append(read_by_staff(event))
    learnt = learnt_by_all(table, after, events)
    return Told(b"", tuple(heard), tuple(recorded), False, learnt, after)  # noqa: FBT003


def learnt_by_all(before: Table, after: Table, events: Sequence[e.Event]) -> dict[str, bytes]:
    """Return the change that each audience gets, as it goes over the wire."""
    told = changes(Seen(before), Seen(after), events, FEW)
    learnt = {"public": ENCODE(told.public)}
    for one, position in FEW:
        learnt[named(one, position)] = ENCODE(told.of(one, position=position))
    patrons = {*before.seats, *after.seats}
    return learnt | {name: ENCODE(told.of(Audience.PATRON, name)) for name in patrons}


def check_answer(
    table: Table, double: Table, envelope: c.Envelope
) -> tuple[Table, Table] | None:
    """Test that an answer is the same at a table with other faces; return both afterwards."""
    by_staff = not isinstance(envelope.actor, Patron)
    one, other = told(table, envelope), told(double, envelope)
    asked = f"{envelope.command} by {envelope.actor}"
    assert one.refusal == other.refusal, f"{asked}: {one.refusal!r}, or {other.refusal!r}"
    assert one.heard == other.heard, f"{asked} tells a card: {one.heard} or {other.heard}"
    if by_staff:
        assert one.recorded == other.recorded, f"{asked} tells staff a card"
    assert one.turned_up == other.turned_up
    for audience, change in one.learnt.items():
        if by_staff or audience.split()[0] not in HOUSE:
            assert change == other.learnt[audience], f"{audience} learns a card by {asked}"
    if one.table is None or other.table is None:
        return None
    return one.table, other.table


def doubles(table: Table, chance: Random) -> dict[bool, Table]:
    """Return the table with other faces, as it may differ for staff and for all others."""
    return {
        staff: with_other_faces(table, chance, counted=not staff) for staff in (True, False)
    }


def askers(table: Table) -> list[Actor]:
    """Return everybody who could ask for something."""
    patrons: list[Actor] = [Patron(name) for name in table.seats]
    return [*patrons, *STAFF, SYSTEM]


def right_asker(table: Table, command: c.Command) -> Actor:
    """Return somebody who may ask for this, as far as there is."""
    need = needs(table, command)
    if need.patron is not None:
        return Patron(need.patron)
    return Staff("Ida", need.position) if need.position and not need.house_deals else SYSTEM


def enveloped(command: c.Command, actor: Actor) -> c.Envelope:
    """Wrap a command, with a second person of the highest position at hand."""
    second = Staff("Ivo", StaffPosition.GAMING_SHIFT_MANAGER)
    return c.Envelope(command, actor, NOW, second if actor == SECOND else SECOND)


def check_answers(
    table: Table, chance: Random, most: int | None = None, *, everybody: bool = False
) -> None:
    """Ask everything, or so many things, at two tables that differ in unexposed cards.

    Whoever may ask does, ``everybody``: all the others too. Where the round waits for
    something afterwards, its answers are compared as well, until nothing is waited for.
    """
    if not hides(table) or most == 0:
        return
    others = doubles(table, chance)
    asked = list(questions(table))
    if most is not None:
        asked = [chance.choice(asked) for _ in range(most)]
    for command in asked:
        right = right_asker(table, command)
        who = [right, chance.choice(askers(table))]
        for actor in {right, *askers(table)} if everybody else set(who):
            double = others[not isinstance(actor, Patron)]
            then = check_answer(table, double, enveloped(command, actor))
            if then is None or actor != right or isinstance(right, Patron):
                continue
            if then[0].hold != table.hold:
                check_waiting(*then, deep=0 if most is not None else 2)


def check_waiting(table: Table, double: Table, deep: int) -> None:
    """Compare the answers to what the round waits for at two tables, and so on."""
    assert (table.hold is None) == (double.hold is None)
    if table.hold is None or double.hold is None or not deep:
        return
    hold, other = table.hold, double.hold
    assert (hold.kind, hold.patrons, hold.stakes) == (other.kind, other.patrons, other.stakes)
    for command in questions(table):
        if type(command) in DURING[table.hold.kind]:
            actor = right_asker(table, command)
            then = check_answer(table, double, enveloped(command, actor))
            if then is not None:
                check_waiting(*then, deep - 1)


def check_options(table: Table, chance: Random) -> None:
    """Test that whom and what an option names, and how, is the same with other faces."""
    hold = table.hold
    if hold is None or hold.kind is not HoldKind.WITHDRAWAL:
        return
    for other in doubles(table, chance).values():
        for patron in hold.patrons:
            one, its_double = own_part(table, patron), own_part(other, patron)
            assert one.option == its_double.option


def check_views(table: Table, chance: Random, most: int | None = None) -> None:
    """Test that nobody sees, hears or is told a card that is not exposed."""
    if table.plan is None:
        return
    views = seen(table)
    if not hides(table):
        return
    for staff, other in doubles(table, chance).items():
        for audience, view in seen(other).items():
            if staff or audience.split()[0] not in HOUSE:
                assert view == views[audience], f"{audience} sees a card that lies face down"
    check_options(table, chance)
    check_answers(table, chance, most)
