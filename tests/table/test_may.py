"""What a person may do now is what the table takes from that person, no more and no less.

Walks through the lives of tables: whatever the table takes is listed, with its values and
with who approves it; whatever is listed the table takes, with the first, the last and any of
the values that are said. Scenes in which every command is accepted are looked at by everybody.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import permutations, product
from math import factorial
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.rules.game import Precondition
from croupier.table import commands as c
from croupier.table.amounts import between
from croupier.table.decide import decide
from croupier.table.may import ASKS, OF_PATRONS, Amounts, Common, FieldKind, Open, may
from croupier.table.may.look import FIELDS
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Acting, Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from croupier.table.state import Phase, unopened
from tests.table.floor import NOW, SECOND, SHIFT, SUPERVISOR, SYSTEM, Floor
from tests.table.helpers import BOTH_DRAW, LIMITS, PLAYER_DRAWS
from tests.table.machine_finish import Desk
from tests.table.machine_may import KINDS, Maker, fits
from tests.table.machine_views import hides, with_other_faces
from tests.table.machine_walk import NAMES, PATRONS, Walk
from tests.table.rights import ALL, ALWAYS, Right, each
from tests.table.rights import people as askers
from tests.table.scenes import SCENES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from croupier.table.roles import Actor
    from croupier.table.state import Table

SLUGS = [game.slug for game in GAMES]
WALKS, STEPS, CANDIDATES = 3, 80, 6
OFTEN, SELDOM = 25, 40
"""What was tried so often is then tried once in so many times."""
LONG_WALKS, LONG_STEPS = 60, 500

NOT_KNOWN: dict[tuple[str, Code], str] = {
    ("record_sorting", Code.BAD_COUNTS): "only who sorts the cards can count them",
}
"""What may be refused though it was said to be open, and why nobody could say so."""


def people(moment: datetime) -> list[Actor]:
    """Return everybody who could ask: patrons, staff of all positions, the system."""
    hour = timedelta(hours=1)
    acts = Acting(StaffPosition.PIT_MANAGER, moment - hour, moment + hour)
    return [
        *map(Patron, PATRONS),
        *(Staff(NAMES[position][0], position) for position in StaffPosition),
        Staff("Dot", StaffPosition.DEALER, acts),
        SYSTEM,
    ]


def walk_of(game: str, seed: int) -> Walk:
    """Return a walk whose table is asked, and not watched: that is tested elsewhere."""
    walk = Walk(game, Random(seed))
    walk.watch = Desk(unopened(RULEBOOKS))  # type: ignore[assignment]
    return walk


def listed(table: Table, command: c.Command, person: Actor, moment: datetime) -> list[Open]:
    """Return what is said to be open that means this command."""
    tag = str(type(command).__struct_config__.tag)
    opens = [one for one in may(table, person, moment) if one.command == tag]
    return [one for one in opens if fits(one, command, table, person)]


def check_listed(table: Table, envelope: c.Envelope) -> bool:
    """Whatever is accepted is listed, with its values and with who approves it."""
    if isinstance(decide(table, envelope), Refusal):
        return False
    found = listed(table, envelope.command, envelope.actor, envelope.moment)
    assert found, f"{envelope} is not listed"
    if isinstance(envelope.actor, Staff) and not isinstance(envelope.command, c.OpenTable):
        alone = decide(table, replace(envelope, approver=None))
        needs = isinstance(alone, Refusal) and alone.code is Code.NEEDS_APPROVAL
        assert {one.approver is not None for one in found} == {needs}, envelope
    return True


def which(one: Open) -> str:
    """Name what is open, so that each situation and each decision is tried."""
    chosen = [one.allowed for one in one.fields if one.name in ("about.situation", "decision")]
    return f"{one.command} {chosen} {one.approver is None}"


def check_open(
    table: Table, person: Actor, moment: datetime, chance: Random, met: Counter[str]
) -> None:
    """Every command that is listed is accepted; without who must approve it, it is not."""
    for one in may(table, person, moment):
        met[which(one)] += 1
        if met[which(one)] > OFTEN and chance.randrange(SELDOM):
            continue
        for values in ("first", "last", "any"):
            envelope = Maker(table, chance, values).envelope(one, person, moment)
            assert fits(one, envelope.command, table, person), (envelope, one)
            answer = decide(table, envelope)
            if isinstance(answer, Refusal):
                assert (one.command, answer.code) in NOT_KNOWN, (answer, envelope, one)
            if one.approver is not None:
                alone = decide(table, replace(envelope, approver=None))
                assert isinstance(alone, Refusal)
                assert alone.code is Code.NEEDS_APPROVAL


def check_walk(game: str, seed: int, steps: int, met: Counter[str]) -> int:
    """Walk, and compare at every step; return how many candidates were accepted."""
    walk, accepted = walk_of(game, seed), 0
    for _ in range(steps):
        table = walk.table
        accepted += sum(check_listed(table, walk.next()) for _ in range(CANDIDATES))
        for person in people(walk.moment):
            check_open(table, person, walk.moment, walk.chance, met)
        walk.bring(walk.next())
    return accepted


@pytest.mark.parametrize("game", SLUGS)
def test_what_somebody_may_do_is_what_the_table_takes(game: str) -> None:
    met: Counter[str] = Counter()
    accepted = sum(check_walk(game, seed, STEPS, met) for seed in range(WALKS))
    assert accepted > WALKS * STEPS
    assert len({name.split()[0] for name in met}) > 25


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", SLUGS)
def test_long_walks_find_nothing_else(game: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(1000, 1000 + LONG_WALKS):
        check_walk(game, seed, LONG_STEPS, met)


FACTS = ("bound", "reserved", "free_seats", "areas", "by_patron", "shared", "full", "most")


@pytest.mark.parametrize("game", SLUGS)
def test_what_is_taken_over_from_the_table_before_is_what_would_be_found_anew(
    game: str,
) -> None:
    walk, kept, taken = walk_of(game, 21), None, 0
    for _ in range(STEPS):
        walk.bring(walk.next())
        table = walk.table
        if table.plan is None:  # a walk may close its table
            kept = None
            continue
        kept, anew = Common(table, table.plan, kept), Common(table, table.plan)
        taken += len(vars(kept)) - len(vars(anew))
        assert [getattr(kept, name) for name in FACTS] == [
            getattr(anew, name) for name in FACTS
        ]
        if table.round is not None:
            assert kept.hands_due == anew.hands_due
        for person in people(walk.moment):
            told = may(table, person, walk.moment, kept)
            assert told == may(table, person, walk.moment)
    assert taken > STEPS


def test_patrons_who_may_do_the_same_are_told_the_same_values() -> None:
    floor = Floor("baccarat", limits=LIMITS)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    assert floor.table.plan is not None
    common = Common(floor.table, floor.table.plan)
    ann, bea = (may(floor.table, Patron(name), NOW, common) for name in ("Ann", "Bea"))
    assert [one.command for one in ann] == ["leave_seat", "take_credit", "place_wager"]
    assert ann == bea
    assert ann[0] is bea[0]
    assert ann[2] is bea[2]


# Stakes: every combination


def amounts_near(table: Table, wager: str, opens: list[Open]) -> list[int]:
    """Return amounts at, and just beyond, what is said and what the limits are."""
    assert table.plan is not None
    limit = table.plan.limits[wager]
    ends = {limit.minimum_cents, limit.maximum_cents, limit.step_cents}
    for one in opens:
        said = [field.allowed for field in one.fields if field.name == "cents"]
        said += [way.get("cents") for ways in one.ways for way in ways]
        for amounts in said:
            if isinstance(amounts, Amounts):
                ends |= {amounts.minimum, amounts.maximum}
    step = limit.step_cents
    return sorted({end + by for end in ends for by in (-step, -1, 0, 1, step)})


def stakes_asked(table: Table, patron: str, opens: list[Open]) -> Iterator[c.Command]:
    """Yield every combination of area, stake and amount that somebody could ask for."""
    assert table.plan is not None
    assert table.round is not None
    numbers = [*table.round.stakes, 999]
    positions = [None, *range(table.plan.positions + 2)]
    for wager in (*table.plan.offered, "no-wager"):
        near = amounts_near(table, wager if wager in table.plan.offered else "player", opens)
        for position, cents in product(positions, near):
            yield c.FindStake(patron, wager, cents, position)
            for join, shared in product([None, *numbers], (False, True)):
                yield c.PlaceWager(patron, wager, cents, position, shared, join)
    for number in numbers:
        stake = table.round.stakes.get(number)
        yield c.RemoveWager(patron, number)
        for cents in amounts_near(table, stake.wager if stake else "player", opens):
            yield c.RaiseWager(patron, number, cents)
            yield c.LowerWager(patron, number, cents)


ASKED = 400
STAKED = ("place_wager", "raise_wager", "lower_wager", "remove_wager", "find_stake")


def check_stakes(
    table: Table, person: Actor, patron: str, chance: Random, most: int = ASKED
) -> int:
    """Whatever could be asked about stakes is taken where it is listed, and nowhere else."""
    moment, taken = NOW + timedelta(days=1), 0
    opens = [one for one in may(table, person, moment) if one.command in STAKED]
    asked = list(stakes_asked(table, patron, opens))
    approver = Staff("Ivo", StaffPosition.GAMING_SHIFT_MANAGER)
    for command in chance.sample(asked, min(len(asked), most)):
        answer = decide(table, c.Envelope(command, person, moment, approver))
        tag = str(type(command).__struct_config__.tag)
        told = any(one.command == tag and fits(one, command, table, person) for one in opens)
        assert told is not isinstance(answer, Refusal), (command, person, answer)
        taken += told
    return taken


@pytest.mark.parametrize("game", ["baccarat", "fa-fa-fabulous-4", "power-98", "tiger"])
def test_every_combination_of_area_stake_and_amount_is_as_it_is_said(game: str) -> None:
    looked, taken = 0, 0
    for seed in range(100, 106):
        walk = walk_of(game, seed)
        for _ in range(150):
            walk.bring(walk.next())
            table = walk.table
            if table.round is None or len(table.stakes) < 2 or walk.chance.randrange(4):
                continue
            looked += 1
            patron = walk.patron()
            staff = Staff("Dan", walk.chance.choice(list(StaffPosition)))
            for person in (Patron(patron), staff):
                taken += check_stakes(table, person, patron, walk.chance)
    assert looked > 40
    assert taken > 40


def test_a_full_area_holds_no_further_wager() -> None:
    floor = Floor("baccarat", limits=LIMITS, wagers_per_area=1, positions=3)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 100_00)
    (one,) = [
        one for one in may(floor.table, Patron("Bea"), NOW) if one.command == "place_wager"
    ]
    areas = {(wager, way["position"]) for way in one.ways[0] for wager in names(way["wager"])}
    assert ("player", (2, 3)) in areas
    assert ("banker", (1, 2, 3)) in areas
    for person in (Patron("Ann"), Patron("Bea"), Staff("Dan", StaffPosition.DEALER)):
        for patron in ("Ann", "Bea"):
            check_stakes(floor.table, person, patron, Random(patron))


def test_stakes_of_one_patron_in_one_area_are_told_apart() -> None:
    """One was shared and its first owner left; another was found, and bets opened again."""
    floor = Floor("baccarat", limits=LIMITS, positions=2)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 100_00, shared=True)
    floor.bet("Bea", "player", 50_00, join=1)
    floor.bet("Bea", "player", 60_00, position=1)
    floor.do(c.RemoveWager("Ann", 1), Patron("Ann"))
    states = [floor.table]
    floor.close_bets()
    floor.do(c.FindStake("Ann", "player", 30_00, 2, "on the layout"))
    floor.do(c.FindStake("Bea", "player", 990_00, 1, "on the layout"))
    states.append(floor.table)
    floor.draw("2C")
    floor.report(Situation.DEVICE_RESET)
    floor.confirm()
    floor.do(c.EndOption(), SUPERVISOR)
    floor.do(c.ResetDevice(), SUPERVISOR, approver=SECOND)
    assert floor.table.phase is Phase.OPEN
    states.append(floor.table)
    floor.bet("Ann", "player", 70_00, position=2)
    for table in (*states, floor.table):
        for patron in ("Ann", "Bea"):
            for person in (Patron(patron), Staff("Dan", StaffPosition.DEALER)):
                check_stakes(table, person, patron, Random(patron), 3000)


def names(allowed: object) -> tuple[str, ...]:
    assert isinstance(allowed, tuple)
    return allowed


def test_only_what_an_option_names_may_be_withdrawn() -> None:
    """The option is on what is undecided: Player Pair has lost by now."""
    floor = Floor("baccarat", limits=LIMITS)
    floor.seat("Ann", "Bea")
    pair, main, tie = ("Ann", "player-pair", 50_00), ("Ann", "player", 50_00), "tie"
    floor.bets(pair, main, ("Ann", tie, 50_00), ("Bea", "banker", 50_00))
    floor.deal(" ".join(PLAYER_DRAWS.split()[:4]))
    floor.report(Situation.OTHER)
    floor.do(c.DecideReferral(c.Decision.OFFER_WITHDRAWAL, "so it is fair"), SHIFT)
    ann = Patron("Ann")
    for count in range(4):
        for stakes in permutations((1, 2, 3, 4), count):
            command = c.Withdraw("Ann", stakes)
            answer = decide(floor.table, c.Envelope(command, ann, NOW))
            told = bool(listed(floor.table, command, ann, NOW))
            assert told is not isinstance(answer, Refusal), (stakes, answer)
    (one,) = [one for one in may(floor.table, ann, NOW) if one.command == "withdraw"]
    (stakes_said,) = one.fields
    assert stakes_said.allowed == (2, 3)
    assert stakes_said.kind is FieldKind.ALL


# Every command, by everybody


@each(ALL)
def test_a_command_is_listed_for_those_who_may_and_for_nobody_else(right: Right) -> None:
    scene = SCENES[right.what](right.code)
    table, command, moment = scene.pit.table, scene.command, scene.pit.moment
    approvals = table.settings.approvals
    second = None
    if right.approval is not None:
        always = right.approval == ALWAYS
        second = StaffPosition.PIT_SUPERVISOR if always else getattr(approvals, right.approval)
    for person, inside in askers(right, scene.patron, moment):
        found = listed(table, command, person, moment)
        assert bool(found) is right.allows(person, inside, scene.patron), (person, found)
        if isinstance(person, Staff):
            assert all(one.clause == right.cited for one in found)
            assert all(one.approver is second for one in found)


@each(ALL)
def test_all_that_is_listed_where_a_command_is_accepted_is_accepted(right: Right) -> None:
    scene = SCENES[right.what](right.code)
    chance, moment = Random(right.what), scene.pit.moment
    for person in (*people(moment), Patron("ann"), Patron("bob"), Patron("nobody")):
        check_open(scene.pit.table, person, moment, chance, Counter())


def test_the_scenes_show_every_command() -> None:
    shown = {type(SCENES[right.what](right.code).command) for right in ALL}
    assert shown | {c.OpenTable} == set(c.COMMANDS) == {*ASKS, *OF_PATRONS, c.OpenTable}


def test_what_a_patron_could_do_is_what_the_rights_give_patrons() -> None:
    given = {type(SCENES[one.what](one.code).command) for one in ALL if one.patron}
    assert given == set(OF_PATRONS)


# Orders of cards


def third_cards(faces: str) -> Floor:
    """Deal by method A, the last card face down."""
    floor = Floor("baccarat", method=Method.A)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    for at, face in enumerate(faces.split()):
        if at > 3:
            floor.turn_up()
        floor.draw(face)
    return floor


@pytest.mark.parametrize("cards", [PLAYER_DRAWS, BOTH_DRAW])
def test_an_order_with_a_card_face_down_is_one_that_can_be_made(cards: str) -> None:
    """Of the orders of six cards some more are taken that cannot be said in short.

    Those have four cards first that end the deal, so that nobody needs the one face down.
    """
    table = third_cards(cards).table
    assert table.plan is not None
    assert table.round is not None
    faces = {dealt.position: dealt.card for dealt in table.round.cards}
    found = 0
    for order in permutations(faces):
        command = c.report(Situation.WRONG_ORDER, laid=order)
        taken = decide(table, c.Envelope(command, SYSTEM, NOW))
        told = bool(listed(table, command, SYSTEM, NOW))
        found += told
        if told is isinstance(taken, Refusal):
            assert not told
            coup = table.plan.game.coup([str(faces[place]) for place in order[:4]])
            assert coup.complete
    assert found == factorial(len(faces) - 1)


# Nobody is told what they may not know


def test_cards_that_nobody_has_seen_change_nothing() -> None:
    compared = 0
    for game in ("baccarat", "fa-fa-fabulous-4", "power-98", "tiger"):
        for seed in range(4):
            walk = walk_of(game, seed)
            for _ in range(STEPS):
                walk.bring(walk.next())
                table = walk.table
                if not hides(table):
                    continue
                compared += 1
                for counted in (False, True):
                    other = with_other_faces(table, walk.chance, counted=counted)
                    for person in people(walk.moment):
                        # Staff are told what is gone: they put equal cards in its place.
                        if counted and not isinstance(person, Patron):
                            continue
                        told = may(table, person, walk.moment)
                        assert told == may(other, person, walk.moment)
    assert compared > 100


def test_a_patron_is_told_no_other_name_and_gives_no_card() -> None:
    for game in SLUGS:
        walk = walk_of(game, 7)
        for _ in range(STEPS):
            walk.bring(walk.next())
            for name in PATRONS:
                opens = may(walk.table, Patron(name), walk.moment)
                sent = msgspec.json.encode(opens).decode()
                assert not [one for one in PATRONS if f'"{one}"' in sent]
                assert not [one for one in opens for field in one.fields if field.house]
                assert not [one for one in opens if one.approver is not None]


# Its shape


def test_it_can_be_sent_and_read_back() -> None:
    walk = walk_of("baccarat", 3)
    for _ in range(80):
        walk.bring(walk.next())
        for person in people(walk.moment):
            opens = may(walk.table, person, walk.moment)
            sent = msgspec.json.encode(opens)
            assert msgspec.json.decode(sent, type=tuple[Open, ...]) == opens


def test_every_field_of_every_command_has_a_kind_that_fits_its_type() -> None:
    of_type = {
        bool: {FieldKind.FLAG},
        str: {FieldKind.TEXT, FieldKind.CHOICE},
        int: {FieldKind.CENTS, FieldKind.NUMBER, FieldKind.CHOICE},
    }
    for kind in KINDS.values():
        for field in msgspec.structs.fields(kind):
            shown = {one.name: one for one in FIELDS[kind]}.get(field.name)
            if shown is None:
                assert field.name == "about"
                continue
            assert shown.required is field.required
            if field.type in of_type:
                assert shown.kind in of_type[field.type], (kind, field.name)


def test_a_reason_is_needed_where_its_field_is_required() -> None:
    scene = SCENES["dismiss report"]("BAC8")
    opens = may(scene.pit.table, Staff("Sue", StaffPosition.PIT_SUPERVISOR), scene.pit.moment)
    reasons = {one.command: one.reason for one in opens}
    assert reasons["dismiss_report"]
    assert not reasons["confirm_report"]


# Amounts


def test_amounts_are_whole_steps_with_what_is_there() -> None:
    for first in range(-3, 8):
        for last in range(first - 1, 12):
            for step in (1, 2, 5):
                for whole in (0, 3, 7):
                    rooms = between(first, last, step, whole)
                    meant = {n for n in range(first, last + 1) if (n + whole) % step == 0}
                    found = {n for n in range(-9, 20) if any(n in room for room in rooms)}
                    assert found == meant


def test_the_room_of_a_precondition_is_where_it_is_not_broken() -> None:
    condition = Precondition("player", ("eight", "nine"), "PB6 3.5")
    for main in range(4):
        for eight in range(3):
            stakes = {"player": main, "eight": eight, "tie": 1}
            for slug in ("player", "eight", "nine", "tie"):
                low, high = condition.room(stakes, slug)
                held = stakes.get(slug, 0)
                for change in range(-held, 5):
                    changed = {**stakes, slug: held + change}
                    room = (low is None or low <= change) and (high is None or change <= high)
                    assert room is (condition.breach(changed) is None), (stakes, slug, change)


def test_nobody_opens_a_table_but_staff_and_the_system() -> None:
    table = unopened(RULEBOOKS)
    assert may(table, Patron("Ann"), NOW) == ()
    assert may(table, Staff("Dan", StaffPosition.DEALER), NOW) == ()
    (system,) = may(table, SYSTEM, NOW)
    books = [way["settings.rulebook"] for way in system.ways[0]]
    assert books == [(one.code,) for one in RULEBOOKS if one.procedure.methods is None]
