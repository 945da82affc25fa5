"""Recovery: the house stops without warning, starts again, and does what the rulebook says.

Every game, every phase, every card, every kind of hold; and the house stops again while it
recovers, and after it. The outcome is what the clause says, and the money is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from msgspec.structs import replace

from croupier.journal.codec import Start, Started
from croupier.journal.decision import person
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.shoes import Interrupted
from croupier.journal.verify import verify
from croupier.journal.writer import Request
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import fold
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Patron, System
from croupier.table.rulings import Situation
from croupier.table.state import HoldKind, Phase, unopened
from tests.floor.rounds import (
    CREDIT,
    PATRONS,
    SCRIPTS,
    Life,
    People,
    Stop,
    StoppingStore,
    check_all,
    events_of,
    goes_on,
    looped,
    told,
    wanted,
)
from tests.table import scenes
from tests.table.helpers import DAN, GAMES, NOW, Pit
from tests.table.machine_finish import Desk as TableOnly
from tests.table.machine_finish import next_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.decision import Decision
    from croupier.journal.store import Store
    from croupier.table.roles import Actor
    from croupier.table.state import Table

STREAM = "table:1"
EB4 = tuple(name for name, one in SCRIPTS.items() if one.code == "EB4")
WITH_OPTION = tuple(name for name, one in SCRIPTS.items() if one.code in ("BAC8", "FF3"))
REFERRED = tuple(name for name, one in SCRIPTS.items() if one.code in ("PB6", "F6T2"))
FACE_DOWN = tuple(name for name, one in SCRIPTS.items() if one.name.endswith(("-A", "-C")))
TIGERS = ("tiger", "tiger-no-commission")
DRAWN = ("P1", "B1", "P2", "B2", "P3", "B3")
TURNED = ("P1", "P2", "B1", "B2", "P3", "B3")
"""In which order cards are exposed where the Dealer says which hand comes first."""


CODES = tuple(GAMES)
OPTIONAL = ("BAC8", "FF3")
"""The rulebooks that give patrons an option after a failure."""
DECISIONS = (c.Decision.CONTINUE, c.Decision.VOID)
"""What may be decided of a failure; the one card cannot lie in another order."""
REFUSED = (c.Decision.OFFER_WITHDRAWAL, c.Decision.RESET, c.Decision.EXCLUDE)
"""What would let a patron out of the round, which these rulebooks never do."""


class Moment(NamedTuple):
    """Where a round stands when the house stops."""

    until: Callable[[Table], bool]
    phase: Phase
    known: int = 0
    """How many cards are known."""


def exposed(table: Table) -> int:
    play = table.round
    return sum(card.exposed for card in play.cards) if play else 0


def with_cards(count: int) -> Callable[[Table], bool]:
    return lambda table: table.phase is Phase.DEALING and exposed(table) == count


def staked(table: Table) -> bool:
    return table.phase is Phase.OPEN and table.in_play > 0


def in_phase(phase: Phase) -> Callable[[Table], bool]:
    return lambda table: table.phase is phase


def drawn_unseen(table: Table) -> bool:
    play = table.round
    return play is not None and len(play.cards) == 4 and exposed(table) == 0


def moments(name: str) -> dict[str, Moment]:
    """Return all points of a round of this script at which the house may stop."""
    found = {
        "open": Moment(in_phase(Phase.OPEN), Phase.OPEN),
        "staked": Moment(staked, Phase.OPEN),
        "closed": Moment(in_phase(Phase.CLOSED), Phase.CLOSED),
        "result": Moment(in_phase(Phase.RESULT), Phase.RESULT, 6),
    }
    if SCRIPTS[name].code == "PB6":
        found["shake"] = Moment(in_phase(Phase.SHAKE), Phase.SHAKE)
    if name in FACE_DOWN:
        found["drawn"] = Moment(drawn_unseen, Phase.DEALING)
    for count in range(1, 6 if name in EB4 else 7):
        found[f"card {count}"] = Moment(with_cards(count), Phase.DEALING, count)
    if name not in EB4:
        found["settled"] = Moment(in_phase(Phase.SETTLED), Phase.SETTLED, 6)
    return found


CASES = [(name, moment) for name in SCRIPTS for moment in moments(name)]


def is_established(name: str, moment: Moment) -> bool:
    """Say what the cards of these scripts decide: worked out by hand, from the clauses.

    Player has 2 and a king, Banker a king and 3. Player's two first cards decide the pair of
    the Player. Where there is no wager on it, Tiger Pair is decided with Banker's second;
    as Player has 2 only, Banker may still win with 6.
    """
    if name.endswith("-A"):
        return moment.known >= 2
    return moment.known >= (4 if name in TIGERS else 3)


async def interrupted(store: Store, people: People, moment: Moment) -> Table:
    """Play until a moment, stop from one instant to the next, and return the table."""
    life = Life(store)
    desk = await life.start()
    await people.play(desk, moment.until)
    assert desk.table.phase is moment.phase
    await life.drop()
    return desk.table


async def newest(store: Store) -> Decision:
    """Return the newest decision of the table."""
    return [one async for one in decisions_of(store, STREAM)][-1]


async def standing(store: Store) -> Table:
    """Return the table as its journal alone has it."""
    events = await events_of(store, STREAM)
    return fold(unopened(RULEBOOKS), [one for one in events if isinstance(one, e.Event)])


def check_same(before: Table, now: Table) -> None:
    """Check that a failure that voids nothing changes neither money, nor cards, nor phase."""
    assert now.phase is before.phase
    assert now.round is not None
    assert before.round is not None
    assert now.round.cards == before.round.cards
    assert now.round.stakes == before.round.stakes
    assert (now.round.die, now.round.lines) == (before.round.die, before.round.lines)
    assert now.credits == before.credits
    assert now.shoe == before.shoe
    assert (now.bank, now.commission) == (before.bank, before.commission)


# Every game, every phase, every card


@pytest.mark.clause(
    "EB4 5.9.1", "EB4 5.9.2", "BAC8 5.17.1", "BAC8 5.17.2", "FF3 5.17.1", "FF3 5.17.2"
)
@pytest.mark.parametrize(("name", "at"), CASES)
@looped
async def test_an_interrupted_round_ends_as_the_rulebook_says(name: str, at: str) -> None:
    script, moment = SCRIPTS[name], moments(name)[at]
    store, people = MemoryStore(), People(script)
    before = await interrupted(store, people, moment)
    count = len(await events_of(store, STREAM))

    life = Life(store)
    now = (await life.start()).table
    fact, *following = (await events_of(store, STREAM))[count:]
    places = (TURNED if name.endswith("-A") else DRAWN)[: moment.known]
    established, stakes = is_established(name, moment), before.in_play > 0
    assert isinstance(fact, Interrupted)
    assert (fact.phase, fact.hold, fact.epoch) == (moment.phase.value, None, 2)
    assert sorted(fact.cards) == sorted(places)
    assert fact.established is established
    assert told(following) == wanted(script.code, established=established, stakes=stakes)
    void = script.code == "EB4" and not established
    if void:
        assert (now.phase, now.in_play, now.hold) == (Phase.VOID, 0, None)
        assert set(now.credits.values()) == {CREDIT}
        assert now.shoe == before.shoe
    else:
        check_same(before, now)
    await life.drop()

    await interrupted_again(store, now)
    desk = await Life(store).start()
    await people.play(desk)
    played = await check_all(store, people)
    assert [one.void for one in played] == ([True, False] if void else [False])
    asked = script.code in ("BAC8", "FF3") and not established and stakes
    if asked:
        # Bob took the option, all of it; the others stayed in the round.
        assert desk.table.credits["bob"] == CREDIT
        assert {patron for patron, _, _ in played[0].stakes} == {"ann", "cyd"}
    else:
        assert played[-1].stakes == script.stakes
    await desk.close()


async def interrupted_again(store: Store, before: Table) -> None:
    """Stop while the house recovers, before and after its append, and once more after it."""
    for where in ("before", "after", "after"):
        count = len(await events_of(store, STREAM))
        stopping = StoppingStore(store, Stop(1, where))
        life = Life(stopping)
        assert not await goes_on(stopping, life.desk.start())
        await life.drop()
        fresh = (await events_of(store, STREAM))[count:]
        if where == "before" or before.between_rounds:
            assert fresh == []
        else:
            assert isinstance(fresh[0], Interrupted)
            assert not any(isinstance(event, i.RoundVoided) for event in fresh)
        now = await standing(store)
        if before.round is not None:
            check_same(before, now)
        assert (now.hold and now.hold.kind) == (before.hold and before.hold.kind)


@pytest.mark.parametrize("name", SCRIPTS)
@looped
async def test_between_rounds_nothing_is_interrupted(name: str) -> None:
    store, people = MemoryStore(), People(SCRIPTS[name])

    def seated(table: Table) -> bool:
        return len(table.credits) == len(PATRONS) and all(table.credits.values())

    def over(table: Table) -> bool:
        return table.rounds == 1 and table.between_rounds

    for until in (lambda table: table.plan is not None, seated, over, None):
        life = Life(store)
        desk = await life.start()
        await people.play(desk, until)
        await life.drop()
        life = Life(store)
        assert (await life.start()).table == desk.table
        await life.drop()
        await check_only_started(store)
    await check_all(store, people)
    kinds = [type(event) for event in await events_of(store, STREAM)]
    assert Interrupted not in kinds


async def check_only_started(store: Store) -> None:
    """Check that the house came back, and that nothing else is recorded of it."""
    one = await newest(store)
    assert isinstance(one.command, Start)
    assert one.house.interruption is None
    assert [type(event) for event in one.events] == [Started]


@looped
async def test_a_recovery_is_one_decision_of_the_house() -> None:
    """The start, the interruption and what follows from it are there together or not at all."""
    store, people = MemoryStore(), People(SCRIPTS["baccarat"])
    await interrupted(store, people, moments("baccarat")["closed"])
    head = (await store.head(STREAM)).sequence
    desk = await Life(store).start()
    one = await newest(store)
    assert (one.sequence, one.epoch, desk.epoch) == (head + 1, 2, 2)
    assert (one.actor.key, one.command_id) == ("system:house", "start-2")
    assert isinstance(one.command, Start)
    assert one.house.interruption is not None
    assert isinstance(one.events[0], Started)
    assert told(one.events[1:]) == [("withdrawal", "BAC8 5.17.1")]
    await desk.close()


# Where a person decides what follows


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("name", REFERRED)
@looped
async def test_what_no_rule_covers_is_held_and_decided_by_somebody(
    name: str, decision: c.Decision
) -> None:
    """Power Baccarat 98 and the Fortune Six Tournament say nothing on power failures (A50)."""
    store, people = MemoryStore(), People(SCRIPTS[name])
    await interrupted(store, people, moments(name)["card 1"])
    desk = await Life(store).start()
    hold = desk.table.hold
    assert hold is not None
    assert (hold.kind, hold.clause) == (HoldKind.REFERRAL, None)
    assert hold.suggestion is not None
    assert "A50" in hold.suggestion
    late = people.request(desk.table, c.DrawCard(), SCRIPTS[name].cards[1:2])
    reply = await people.ask(desk, late)
    assert reply.refusal is not None
    for never in REFUSED:
        decide = c.DecideReferral(never, "as at the other tables", 1)
        reply = await people.ask(desk, people.request(desk.table, decide))
        assert reply.refusal is not None
        assert reply.refusal.code is Code.NOT_IN_RULEBOOK
    decide = c.DecideReferral(decision, "as at the other tables")
    reply = await people.ask(desk, people.request(desk.table, decide))
    assert reply.accepted
    if decision is c.Decision.VOID:
        assert desk.table.phase is Phase.VOID
        assert set(desk.table.credits.values()) == {CREDIT}
    await people.play(desk)
    played = await check_all(store, people)
    assert [one.void for one in played] == (
        [True, False] if decision is c.Decision.VOID else [False]
    )
    await desk.close()


@pytest.mark.clause("BAC8 5.17.1", "FF3 5.17.1")
@pytest.mark.parametrize("name", WITH_OPTION)
@looped
async def test_an_option_that_was_answered_in_part_is_not_asked_again(name: str) -> None:
    """Whoever answered before the next failure has answered; the others still may."""
    store, people = MemoryStore(), People(SCRIPTS[name])
    await interrupted(store, people, moments(name)["closed"])
    life = Life(store)
    desk = await life.start()
    await people.ask(desk, people.request(desk.table, c.Withdraw("cyd")))
    await people.ask(desk, people.request(desk.table, c.KeepWagers("ann")))
    await life.drop()
    desk = await Life(store).start()
    hold = desk.table.hold
    assert hold is not None
    assert dict(hold.answers) == {"cyd": True, "ann": False}
    for patron in ("ann", "cyd"):
        again = people.request(desk.table, c.Withdraw(patron))
        assert not (await people.ask(desk, again)).accepted
    assert (await people.ask(desk, people.request(desk.table, c.EndOption()))).accepted
    await people.play(desk)
    played = await check_all(store, people)
    assert {patron for patron, _, _ in played[0].stakes} == {"ann", "bob"}
    assert desk.table.credits["cyd"] == CREDIT
    await desk.close()


@pytest.mark.clause("BAC8 5.17.1", "FF3 5.17.1")
@pytest.mark.parametrize("name", WITH_OPTION)
@looped
async def test_nobody_withdraws_a_part_and_nobody_withdraws_when_something_is_decided(
    name: str,
) -> None:
    store, people = MemoryStore(), People(SCRIPTS[name])
    await interrupted(store, people, moments(name)["card 1"])
    life = Life(store)
    desk = await life.start()
    own = [stake.number for stake in desk.table.stakes if stake.share("bob")]
    assert len(own) > 1
    part = people.request(desk.table, c.Withdraw("bob", (own[0],)))
    assert not (await people.ask(desk, part)).accepted
    await people.play(desk, 4)
    await people.play(desk, lambda table: exposed(table) == 4)
    await life.drop()
    desk = await Life(store).start()
    assert desk.table.hold is None
    late = people.request(desk.table, c.Withdraw("ann"))
    assert not (await people.ask(desk, late)).accepted
    await people.play(desk)
    await check_all(store, people)
    await desk.close()


# Terminals


@pytest.mark.clause("EB4 5.10")
@pytest.mark.parametrize("at", ["staked", "closed", "card 1", "card 2", "card 5"])
@pytest.mark.parametrize("name", EB4)
@looped
async def test_terminals_that_fail_are_no_interruption_of_the_round(name: str, at: str) -> None:
    """What was accepted takes part, all terminals down or not; and the house goes on."""
    script = SCRIPTS[name]
    store, people = MemoryStore(), People(script)
    desk = await Life(store).start()
    await people.play(desk, moments(name)[at].until)
    for position in range(1, len(PATRONS) + 1):
        lost = people.named(c.LoseTerminal(position), System())
        assert (await people.ask(desk, lost)).accepted
    if at == "staked":
        # A wager that comes from a terminal which is down was never accepted.
        late = people.named(c.PlaceWager("ann", "tie", 10_00), Patron("ann"))
        assert not (await people.ask(desk, late)).accepted
    await people.play(desk)
    played = await check_all(store, people)
    assert [(one.void, one.stakes) for one in played] == [(False, script.stakes)]
    events = await events_of(store, STREAM)
    lost_ones = [event for event in events if isinstance(event, e.TerminalLost)]
    assert [one.takes_part for one in lost_ones] == [True] * 3
    assert {one.clause for one in lost_ones} <= {"EB4 5.10", "EB4 5.10.1"}
    assert not any(isinstance(event, Interrupted | i.RoundVoided) for event in events)
    await desk.close()


@pytest.mark.clause("EB4 5.9.1", "EB4 5.9.2", "EB4 5.10")
@pytest.mark.parametrize(("at", "void"), [("card 2", True), ("card 4", False)])
@looped
async def test_when_house_and_terminals_fail_the_house_decides(at: str, *, void: bool) -> None:
    store, people = MemoryStore(), People(SCRIPTS["tiger"])
    life = Life(store)
    desk = await life.start()
    await people.play(desk, moments("tiger")[at].until)
    await people.ask(desk, people.named(c.LoseTerminal(1), System()))
    await life.drop()
    desk = await Life(store).start()
    assert (desk.table.phase is Phase.VOID) is void
    assert desk.table.lost_terminals == {1}
    await people.ask(desk, people.named(c.RestoreTerminal(1), System()))
    await people.play(desk)
    assert [one.void for one in await check_all(store, people)] == [True, False][not void :]
    await desk.close()


# Every kind of hold


class Finishing(People):
    """People who only bring the round to its end, with cards that follow from their number."""

    def next(self, table: Table) -> list[Request]:
        """Return the one thing that brings the round on."""
        if table.between_rounds and table.hold is None:
            return []
        command = next_command(table)
        return [self.request(table, command, self._faces(table, command))]

    def _faces(self, table: Table, command: c.Command) -> tuple[str, ...]:
        assert table.shoe is not None
        assert table.plan is not None
        deck, out = table.plan.game.deck.cards, table.shoe.out
        if isinstance(command, c.DrawCard):
            return (deck[17 * out % len(deck)].text,)
        if isinstance(command, c.ReserveCards):
            return tuple(deck[17 * number % len(deck)].text for number in (out, out + 1))
        return ()


HELD: dict[str, tuple[HoldKind, Callable[[str], Pit], tuple[str, ...]]] = {
    "report": (HoldKind.REPORT, scenes.foreign, CODES),
    "report with cards": (
        HoldKind.REPORT,
        lambda code: scenes.reported(scenes.four_cards(code), Situation.FOREIGN_CARD),
        CODES,
    ),
    "balance": (HoldKind.BALANCE, scenes.unbalanced, OPTIONAL),
    "withdrawal": (HoldKind.WITHDRAWAL, scenes.offered, (*OPTIONAL, "EB4")),
    "order": (HoldKind.ORDER, scenes.drawn_together, OPTIONAL),
    "reset": (HoldKind.RESET, scenes.to_reset, OPTIONAL),
    "reserve": (HoldKind.RESERVE, lambda code: scenes.left_with_cards(code, 1), OPTIONAL),
    "sort": (HoldKind.SORT, lambda code: scenes.left_with_cards(code, 2), OPTIONAL),
    "substitute": (
        HoldKind.SUBSTITUTE,
        lambda code: scenes.left_with_cards(code, 3),
        OPTIONAL,
    ),
    "referral": (HoldKind.REFERRAL, scenes.referred, CODES),
}
HOLDS = [(what, code) for what, (_, _, codes) in HELD.items() for code in codes]


class Scene(NamedTuple):
    """A table, and all that was asked of it until it stood so."""

    pit: Pit
    asked: list[Request]


def scene(build: Callable[[], Pit]) -> Scene:
    """Let a scene be played, and note what was asked for."""
    asked: list[Request] = []
    do = Pit.do

    def noting(pit: Pit, command: c.Command, actor: Actor = DAN, **how: Any) -> object:  # noqa: ANN401
        events = do(pit, command, actor, **how)
        cards = tuple(how.get("cards", ()))
        name = f"scene-{len(asked)}"
        asked.append(Request(name, actor, command, how.get("approver"), cards, how.get("die")))
        return events

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pit, "do", noting)
        pit = build()
    return Scene(pit, asked)


async def written(scene: Scene) -> MemoryStore:
    """Let everything that happened at a table happen at a desk; then the house stops."""
    store = MemoryStore()
    life = Life(store)
    desk = await life.start()
    for one in scene.asked:
        reply = await desk.submit(one)
        assert reply.accepted, reply.refusal
    # Who reported what led to it, when it was confirmed and since when it is on: other clocks.
    held, wanted = (
        None if one is None else replace(one, by=None, since=None, confirmed_at=None)
        for one in (desk.table.hold, scene.pit.table.hold)
    )
    assert held == wanted
    await life.drop()
    return store


async def finished(store: Store, code: str) -> tuple[Table, list[object]]:
    """Bring the round to its end, check everything, and return the table and its events."""
    people = Finishing(SCRIPTS[GAMES[code]])
    desk = await Life(store).start()
    await people.play(desk)
    await desk.close()
    verified = await verify(store, RULEBOOKS)
    assert verified.findings == [], verified.findings
    balances = await store.balances()
    assert balances["stakes:1"] == 0
    assert sum(balances.values()) == 0
    for patron, cents in desk.table.credits.items():
        assert balances[f"seat:1:{patron}"] == cents
    return desk.table, await events_of(store, STREAM)


@pytest.mark.clause("EB4 5.9.1", "BAC8 5.17.1", "BAC8 5.17.2", "FF3 5.17.1", "FF3 5.17.2")
@pytest.mark.parametrize(("what", "code"), HOLDS)
@looped
async def test_a_round_that_waits_is_interrupted(what: str, code: str) -> None:
    kind, build, _ = HELD[what]
    played = scene(lambda: build(code))
    store = await written(played)
    before = await standing(store)
    assert before.hold is not None
    assert before.hold.kind is kind
    count = len(await events_of(store, STREAM))
    life = Life(store)
    now = (await life.start()).table
    await life.drop()
    fact, *following = (await events_of(store, STREAM))[count:]
    assert isinstance(fact, Interrupted)
    assert (fact.hold, fact.established) == (kind.value, before.established)
    assert following
    void = code == "EB4" and not before.established
    if void:
        assert told(following) == [("void", "EB4 5.9.1")]
        assert set(now.credits.values()) == {CREDIT}
    else:
        check_same(before, now)
        assert now.hold is not None
        # What interrupts the round comes first, and the round then waits again (A52).
        expected = [kind]
        if code in ("PB6", "F6T2"):
            expected.append(HoldKind.REFERRAL)
        elif code in OPTIONAL and not before.established:
            expected.append(HoldKind.WITHDRAWAL)
        behind = [hold.kind for hold in (*now.suspended, now.hold)]
        assert behind == expected
    await interrupted_again(store, now)
    life = Life(store)
    assert (await life.start()).table == now
    await life.drop()

    table, events = await finished(store, code)
    assert sum(isinstance(event, i.RoundVoided) for event in events) == void
    options = [one for one in events if isinstance(one, i.HoldPlaced) and one.patrons]
    due = code in OPTIONAL and not before.established
    assert [one.clause for one in options].count(f"{code} 5.17.1") == due
    # Where no rule covers it the failure is referred, once, behind what the round waits for.
    referred = [one for one in events if isinstance(one, i.ReferralDecided)]
    silent = code in ("PB6", "F6T2")
    others = what in ("withdrawal", "referral")
    if silent and what != "referral":
        assert len(referred) == 1 + others
    if void:
        assert set(table.credits.values()) == {CREDIT}
        return
    # Nobody withdrew, so it ends as if there had been no failure.
    calm = await undisturbed(played.pit, code)
    assert table.credits == calm.credits
    assert (table.bank, table.commission) == (calm.bank, calm.commission)


async def undisturbed(pit: Pit, code: str) -> Table:
    """Bring a round to its end that nobody interrupted."""
    desk = TableOnly(pit.table)
    people = Finishing(SCRIPTS[GAMES[code]])
    for _ in range(100):
        asked = people.next(desk.table)
        if not asked:
            break
        (one,) = asked
        assert isinstance(one.command, c.Command)
        actor = person(one.actor).actor  # type: ignore[arg-type]
        envelope = c.Envelope(one.command, actor, NOW, one.approver, one.cards, one.die)
        assert not isinstance(desk.ask(envelope), Refusal)
    assert desk.table.between_rounds
    return desk.table


@pytest.mark.parametrize("code", CODES)
@looped
async def test_a_void_round_is_over_and_stays_void(code: str) -> None:
    played = scene(lambda: scenes.void(code))
    store = await written(played)
    before = await standing(store)
    for _ in range(3):
        life = Life(store)
        assert (await life.start()).table == before
        await life.drop()
        await check_only_started(store)
    assert set(before.credits.values()) == {CREDIT}
    assert (await verify(store, RULEBOOKS)).findings == []
