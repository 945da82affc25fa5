"""Changes for every audience: what they fold to, who hears nothing, what they cannot tell."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.decide import act
from croupier.table.may import may
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Device, Method
from croupier.table.state import Round, Table
from croupier.table.views import (
    Audience,
    Projection,
    Seen,
    changes,
    dealer_part,
    hear,
    merge,
    pit_part,
    view,
)
from croupier.table.views.lobby import TableSummary, summary
from croupier.table.views.own import Own, own_part
from croupier.table.views.parts import PIECES
from croupier.table.views.projection import CHANGES, VIEWS
from croupier.table.views.shapes import OwnPart, PatronView, PublicView
from tests.table.floor import (
    ASSISTANT,
    DEALER,
    NOW,
    PLAYER_WINS,
    SECOND,
    SHIFT,
    STAFF,
    SUPERVISOR,
    Floor,
    faces,
)
from tests.table.machine_private import Private
from tests.table.machine_views import WORKING, questions
from tests.table.machine_walk import NAMES, PATRONS, Walk
from tests.table.test_views import left_with_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.table import events as e
    from croupier.table.roles import Actor

SLUGS = [game.slug for game in GAMES]
STAFF_NAMES = tuple(name for names in NAMES.values() for name in names)
PEOPLE = (*PATRONS, *STAFF_NAMES)
STAFF_EYES = (Audience.DEALER, Audience.PIT, Audience.AUDITOR)
STEPS = 45
encode = msgspec.json.encode


def steps(slug: str, seed: int, count: int = STEPS) -> Iterator[tuple[Walk, c.Envelope, Table]]:
    """Walk, and yield every command that is about to be brought, with the table before it."""
    walk = Walk(slug, Random(seed))
    for _ in range(count):
        envelope, before = walk.next(), walk.table
        yield walk, envelope, before
        walk.bring(envelope)


Eyes = tuple[Audience, str, StaffPosition | None]


def eyes(*tables: Table) -> list[Eyes]:
    """Return everybody who may look at these tables."""
    names = dict.fromkeys(name for table in tables for name in (*table.seats, *table.credits))
    staff: list[Eyes] = [(audience, "", position) for audience, position in WORKING]
    patrons: list[Eyes] = [(Audience.PATRON, name, None) for name in (*names, "nobody")]
    return [(Audience.PUBLIC, "", None), *staff, *patrons]


def seen_by(table: Table, who: Eyes, held_since: int = 0) -> PublicView:
    """Return what somebody sees of a table, built from scratch."""
    audience, name, position = who
    return view(table, audience, name, held_since, position)


def changed_fields(change: msgspec.Struct) -> set[str]:
    """Return the fields that a change holds."""
    return {name for name, one in msgspec.structs.asdict(change).items() if one is not UNSET}


# A fold over changes is the view


@pytest.mark.parametrize("slug", SLUGS)
def test_a_view_with_its_change_is_the_view_afterwards(slug: str) -> None:
    """Projections that go on for a whole walk, and clients who fold what they are told."""
    for seed in range(3):
        walk = Walk(slug, Random(seed))
        shown = Projection(walk.table)
        folded = {who: shown.view(*who) for who in eyes(walk.table)}
        for number in range(STEPS):
            envelope = walk.next()
            answer = act(walk.table, envelope)
            walk.bring(envelope)
            if isinstance(answer, Refusal):
                continue
            for who in eyes(walk.table):
                folded.setdefault(who, shown.view(*who))
            told = shown.follow(walk.table, answer[0], number)
            for who, before in folded.items():
                change = told.of(*who)
                folded[who] = before if change is None else merge(before, change.view)
        for who, one in folded.items():
            assert one == seen_by(walk.table, who, shown.seen.held_since), who
            assert one == shown.view(*who)


@pytest.mark.parametrize("slug", SLUGS)
def test_whoever_is_told_ahead_of_everybody_misses_nothing(slug: str) -> None:
    """Own parts that are told at once, several steps before everybody hears of them."""
    again = 0
    for seed in range(4):
        walk, chance = Walk(slug, Random(seed)), Random(seed)
        shown = Projection(walk.table)
        held: list[e.Event] = []
        folded = {name: shown.own(name) for name in PATRONS}
        for _ in range(2 * STEPS):
            envelope = walk.next()
            answer = act(walk.table, envelope)
            walk.bring(envelope)
            if isinstance(answer, Refusal):
                continue
            held += answer[0]
            for name in chance.sample(PATRONS, chance.randrange(3)):
                folded[name] = shown.own_ahead(walk.table, name)
                assert folded[name] == own_part(walk.table, name)
            if chance.randrange(3):
                continue
            told, held = shown.follow(walk.table, held), []
            for name in PATRONS:
                change = told.of(Audience.PATRON, name)
                own = UNSET if change is None else getattr(change.view, "own", UNSET)
                again += own == folded[name]
                folded[name] = folded[name] if own is UNSET else own
                assert folded[name] == own_part(walk.table, name), (seed, name)
    assert again == 0, "told twice"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_single_change_leads_from_one_view_to_the_next(slug: str) -> None:
    compared = 0
    for _, envelope, before in chain(steps(slug, 7), steps(slug, 8)):
        answer = act(before, envelope)
        if isinstance(answer, Refusal):
            continue
        events, after = answer
        told = changes(Seen(before, 3), Seen(after, 4), events, WORKING)
        for who in eyes(before, after)[:-1]:
            audience, change = who[0], told.of(*who)
            old, new = seen_by(before, who, 3), seen_by(after, who, 4)
            assert (old if change is None else merge(old, change.view)) == new
            compared += 1
            if change is None:
                continue
            assert type(change.view) in (CHANGES[audience], CHANGES[Audience.PUBLIC])
            for field, value in msgspec.structs.asdict(change.view).items():
                if field == "areas" and value is not UNSET:
                    assert all(old.areas.get(area) != now for area, now in value.items())
                elif value is not UNSET:
                    assert value != getattr(old, field), f"{field} did not change"
    assert compared > 40


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", SLUGS)
def test_long_walks_fold_to_their_views(slug: str) -> None:
    for seed in range(100, 140):
        for _, envelope, before in steps(slug, seed, 150):
            answer = act(before, envelope)
            if isinstance(answer, Refusal):
                continue
            told = changes(Seen(before), Seen(answer[1]), answer[0], WORKING)
            for who in eyes(before, answer[1])[:-1]:
                change, old = told.of(*who), seen_by(before, who)
                new = old if change is None else merge(old, change.view)
                assert new == seen_by(answer[1], who), (seed, who, envelope)


def test_a_change_over_the_wire_is_merged_as_a_client_does() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann", "Bea")
    floor.open_bets()
    shown = Projection(floor.table)
    client = msgspec.json.decode(encode(shown.view(Audience.PATRON, "Ann")))
    acts: tuple[c.Command, ...] = (
        c.PlaceWager("Ann", "player", 100_00),
        c.PlaceWager("Bea", "tie", 50_00),
        c.RemoveWager("Bea", 2),
    )
    for command in acts:
        events = floor.do(command, Patron(command.patron))  # type: ignore[attr-defined]
        change = shown.follow(floor.table, events).of(Audience.PATRON, "Ann")
        assert change is not None
        sent = msgspec.json.decode(encode(change))["view"]
        areas = {**client["areas"], **sent.pop("areas", {})}
        client = {**client, **sent}
        client["areas"] = {name: area for name, area in areas.items() if area is not None}
    assert list(client["areas"]) == ["1/player"]
    assert client == msgspec.json.decode(encode(view(floor.table, Audience.PATRON, "Ann")))


# Who hears what


def test_one_wager_tells_its_patron_most_and_the_others_the_same_thing() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann", "Bea", "Cid")
    floor.open_bets()
    shown = Projection(floor.table)
    shown.view(Audience.DEALER)
    for name in ("Ann", "Bea", "Cid"):
        shown.own(name)
    events = floor.do(c.PlaceWager("Ann", "player", 100_00), Patron("Ann"))
    told = shown.follow(floor.table, events)
    assert list(told.patrons) == ["Ann"]
    assert told.of(Audience.PATRON, "Bea") is told.public
    assert told.public is not None
    assert set(told.public.view.areas) == {"1/player"}
    assert told.public.events[0].facts["seat"] == 1
    assert b"Ann" not in encode(told.public)
    dealer = told.of(Audience.DEALER)
    assert dealer is not None
    assert dealer.events[0].facts["patron"] == "Ann"
    assert changed_fields(told.public.view) == {"areas", "differential"}


@pytest.mark.parametrize("slug", ["baccarat", "tiger"])
def test_credit_is_heard_by_its_patron_and_staff_alone(slug: str) -> None:
    """At a live table the Dealer sees chips; at an electronic one the Dealer pays them out."""
    floor = Floor(slug)
    floor.seat("Ann", "Bea")
    shown = Projection(floor.table)
    for name in ("Ann", "Bea"):
        shown.own(name)
    for audience in STAFF_EYES:
        shown.view(audience)
    nothing = shown.follow(floor.table, ())
    assert [nothing.of(audience, "Ann") for audience in Audience] == [None] * len(Audience)
    before = dealer_part(floor.table).credits
    events = floor.do(c.BringCredit("Ann", 777_00))
    told = shown.follow(floor.table, events)
    assert told.public is None
    assert told.of(Audience.PATRON, "Bea") is None
    for audience in STAFF_EYES:
        change = told.of(audience)
        assert change is not None
        assert change.events[0].facts["cents"] == 777_00
    dealer = told.of(Audience.DEALER)
    assert dealer is not None
    assert dealer.view.dealer.credits[0].cents == before[0].cents + 777_00
    (own,) = told.patrons.values()
    assert own.events[0].name == "credit_brought"
    assert own.events[0].facts == {"cents": 777_00}


def test_at_the_settlement_everybody_hears_of_the_own_lines_alone() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "player", 100_00), ("Bea", "tie", 50_00))
    floor.deal("4S 2H 5D 3C")
    floor.do(c.AnnounceOutcome())
    shown = Projection(floor.table)
    shown.view(Audience.DEALER)
    for name in ("Ann", "Bea"):
        shown.own(name)
    events = floor.do(c.Settle())
    told = shown.follow(floor.table, events)
    assert told.public is not None
    assert [(one.name, one.facts) for one in told.public.events] == [("wagers_settled", {})]
    for name, won in (("Ann", 100_00), ("Bea", -50_00)):
        (heard,) = told.patrons[name].events
        assert [line.won_cents for line in heard.facts["lines"]] == [won]
        assert [line.won_cents for line in told.patrons[name].view.own.lines] == [won]
    dealer = told.of(Audience.DEALER)
    assert dealer is not None
    assert [line.patron for line in dealer.events[0].facts["lines"]] == ["Ann", "Bea"]


def test_a_patron_who_left_is_followed_until_nobody_watches() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann")
    shown = Projection(floor.table)
    assert shown.own("Ann").seat == 1
    events = floor.do(c.LeaveSeat("Ann"))
    told = shown.follow(floor.table, events)
    assert told.patrons["Ann"].view.own.seat is None
    assert {one.command for one in told.patrons["Ann"].view.own.may} == {"take_seat"}
    shown.forget("Ann")
    events = floor.do(c.TakeSeat("Ann", 2))
    assert shown.follow(floor.table, events).patrons == {}


def test_a_patron_who_comes_when_nobody_was_watched_for_sees_the_table_as_it_is() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann")
    shown = Projection(floor.table)
    called = floor.do(c.CallBets())
    shown.follow(floor.table, called)
    assert shown.own("Ann") == Projection(floor.table).own("Ann")
    events = floor.do(c.PlaceWager("Ann", "player", 100_00), Patron("Ann"))
    told = shown.follow(floor.table, events)
    assert told.patrons["Ann"].view.own == Projection(floor.table).own("Ann")


def test_only_whom_a_step_concerns_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    build = Own.part

    def counted(own: Own, patron: str) -> OwnPart:
        built.append(patron)
        return build(own, patron)

    floor = Floor("baccarat", method=Method.B)
    names = ("Ann", "Bea", "Cid", "Dee")
    floor.seat(*names)
    floor.open_bets()
    shown = Projection(floor.table)
    for name in (*names, "nobody"):
        shown.own(name)
    monkeypatch.setattr(Own, "part", counted)

    def looked_at(command: c.Command, actor: Actor, cards: tuple[str, ...] = ()) -> set[str]:
        built.clear()
        events = floor.do(command, actor, cards=cards)
        shown.follow(floor.table, events)
        return set(built)

    assert looked_at(c.PlaceWager("Bea", "player", 100_00), Patron("Bea")) == {"Bea"}
    assert looked_at(c.PlaceWager("Ann", "tie", 100_00), Patron("Ann")) == {"Ann"}
    assert looked_at(c.CloseBets(), DEALER) == {*names, "nobody"}
    for face in faces("baccarat", PLAYER_WINS).split():
        assert looked_at(c.DrawCard(), DEALER, (face,)) == set()
    assert looked_at(c.AnnounceOutcome(), DEALER) == set()
    assert looked_at(c.Settle(), DEALER) == {"Ann", "Bea"}


def test_a_hold_says_with_which_record_it_began() -> None:
    floor = Floor("baccarat", method=Method.B)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    shown = Projection(floor.table)
    events = floor.report(Situation.FOREIGN_CARD)
    told = shown.follow(floor.table, events, 41)
    assert told.public is not None
    assert told.public.view.hold.since == 41
    again = shown.follow(floor.table, (), 42)
    assert again.public is not None
    assert again.public.view.hold.since == 42


# What staff may do, by the position in which they work


@pytest.mark.parametrize("slug", SLUGS)
def test_staff_are_shown_what_they_may_do_in_their_position(slug: str) -> None:
    """It is the answer of ``may``; by name it differs in nothing but who signed in."""
    for _, _, table in chain(steps(slug, 11), steps(slug, 12)):
        for staff in STAFF:
            shown = pit_part(table, staff.position, NOW).may
            assert shown == may(table, Staff("", staff.position), NOW)
            named = {one.command for one in may(table, staff, NOW)}
            assert {one.command for one in shown} ^ named <= {"sign_in"}
        assert dealer_part(table, StaffPosition.DEALER, NOW).may == may(
            table, Staff("", StaffPosition.DEALER), NOW
        )
        assert pit_part(table).may == ()


def test_a_table_that_is_not_open_may_be_opened_under_the_rulebooks_in_force() -> None:
    manager, table = StaffPosition.PIT_MANAGER, Table(RULEBOOKS)
    assert pit_part(table, manager).may == ()
    assert [one.command for one in pit_part(table, manager, NOW).may] == ["open_table"]
    shown = Projection(table, moment=NOW)
    assert "open_table" in str(shown.view(Audience.PIT, position=manager))


def test_each_position_that_is_watched_in_is_told_what_it_may_do() -> None:
    floor = Floor("baccarat", method=Method.B)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    shown = Projection(floor.table)
    dealer = (Audience.DEALER, StaffPosition.DEALER)
    supervisor = (Audience.PIT, StaffPosition.PIT_SUPERVISOR)
    for audience, position in (dealer, supervisor):
        shown.view(audience, position=position)
    events = floor.report(Situation.FOREIGN_CARD)
    told = shown.follow(floor.table, events)
    assert set(told.staff) == {dealer, supervisor}
    changes_ = {watch: change.view for watch, change in told.staff.items() if change}
    assert "confirm_report" not in {one.command for one in changes_[dealer].dealer.may}
    (confirm,) = [
        one for one in changes_[supervisor].pit.may if one.command == "confirm_report"
    ]
    assert confirm.approver is StaffPosition.PIT_SUPERVISOR
    shown.forget_staff(*dealer)
    events = floor.confirm()
    assert set(shown.follow(floor.table, events).staff) == {supervisor}
    with pytest.raises(KeyError):
        told.of(Audience.AUDITOR)


# Tables that differ in what somebody may not know


@pytest.mark.parametrize("slug", SLUGS)
def test_nobody_can_tell_tables_apart_that_differ_in_what_they_may_not_know(slug: str) -> None:
    """Names, credit, notes and reasons; by views, changes, messages, what may be done."""
    seen: Counter[tuple[str, str]] = Counter()
    chance = Random(5)
    for seed in range(2):
        for _, envelope, before in steps(slug, seed):
            for audience, name in (
                (Audience.PUBLIC, ""),
                (Audience.DEALER, ""),
                (Audience.PATRON, chance.choice(PATRONS)),
            ):
                found = Private(audience, name, PEOPLE).check(before, envelope)
                seen[audience.value, found] += 1
    for one in ("public", "dealer", "patron"):
        assert seen[one, "change"] > 20


@pytest.mark.parametrize("slug", SLUGS)
def test_no_refusal_tells_a_patron_the_name_of_another(slug: str) -> None:
    asked: Counter[str] = Counter()
    chance = Random(6)
    for seed in range(3):
        for walk, _, table in steps(slug, seed):
            if table.round is None or table.plan is None:
                continue
            name = chance.choice(PATRONS)
            for question in chance.sample(list(questions(table)), 3):
                command: Any = question
                if "patron" in command.__struct_fields__:
                    command = replace(command, patron=name)
                envelope = c.Envelope(command, Patron(name), walk.moment)
                asked[Private(Audience.PATRON, name, PEOPLE).check(table, envelope)] += 1
    assert asked["refusal"] > 50


def test_the_twins_do_differ() -> None:
    """What is compared is no table compared with itself."""
    floor = Floor("baccarat")
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "player", 100_00))
    floor.report(Situation.OTHER, note="as Bea said")
    twin = Private(Audience.PATRON, "Ann", ("Ann", "Bea", "Dan")).twin(floor.table)
    assert set(twin.seats) == {"Ann", "Bea-else"}
    assert twin.credits["Bea-else"] != floor.table.credits["Bea"]
    assert twin.credits["Ann"] == floor.table.credits["Ann"]
    assert b"in other words" in encode(view(twin, Audience.AUDITOR))
    assert b"in other words" not in encode(view(twin, Audience.DEALER))


def test_reasons_are_for_the_pit_and_the_auditor() -> None:
    floor = Floor("baccarat", method=Method.B)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    floor.deal("4S 2H 5D 3C")
    words = "surveillance saw it"
    events = floor.do(
        c.CorrectCard(Position.P1, words), SUPERVISOR, approver=SECOND, cards=("3S",)
    )
    heard = {
        audience: encode([hear(event, audience, floor.table.seats, "Ann") for event in events])
        for audience in Audience
    }
    tells = {audience for audience, text in heard.items() if words.encode() in text}
    assert tells == {Audience.PIT, Audience.AUDITOR}


# Whitelists


class TableOfTomorrow(Table, frozen=True):
    """A table with a field that nobody decided on."""

    whispered: str = "7H"


class RoundOfTomorrow(Round, frozen=True):
    """A round with a field that nobody decided on."""

    whispered: str = "7H"


def test_a_new_field_of_the_state_is_shown_to_nobody_by_itself() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    table = floor.table
    assert table.round is not None
    play = RoundOfTomorrow(**msgspec.structs.asdict(table.round))
    tomorrow = TableOfTomorrow(**{**msgspec.structs.asdict(table), "round": play})
    for audience in Audience:
        assert encode(view(tomorrow, audience, "Ann")) == encode(view(table, audience, "Ann"))


def test_a_part_is_built_from_pieces_that_tables_have() -> None:
    assert {"phase", "credits", "round.cards", "round.stakes", "held_since"} <= PIECES
    assert "rulebooks" not in PIECES


# Every field is reached


def kinds_in(kind: Any) -> Iterator[type[msgspec.Struct]]:  # noqa: ANN401
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from kinds_in(field.type)
    for part in get_args(kind):
        yield from kinds_in(part)


def reached(value: Any, found: set[tuple[str, str]]) -> None:  # noqa: ANN401
    """Note every field that holds something, all the way down."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            one = getattr(value, name)
            if one not in (None, False, 0, "", (), {}):
                found.add((type(value).__name__, name))
            reached(one, found)
    elif isinstance(value, tuple | list):
        for one in value:
            reached(one, found)
    elif isinstance(value, dict):
        for one in value.values():
            reached(one, found)


ZERO = {("AuditorPart", "imbalance_cents")}
"""What is always zero, and shown because it is."""


def rare() -> Iterator[Table]:
    """Yield tables to which walks come seldom: cards gone, lines put right, shaker refused."""
    floor = Floor("baccarat", method=Method.C)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    floor.do(c.TakeShoe("Ann"), Patron("Ann"))
    floor.do(c.DrawCard(), Patron("Ann"), cards=("4S",))
    floor.do(c.AttestDraws())
    yield floor.table
    yield Floor("baccarat", layout="A").table
    floor = Floor("baccarat", differential_cents=10_00)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    floor.do(c.AskToLower())
    yield floor.table
    for floor in left_with_cards(["4S", "4H"], ("2S", "3D")):
        yield floor.table
    floor = Floor("baccarat", method=Method.B)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    floor.deal("4S 2H 5D 3C")
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    floor.report(Situation.OTHER)
    right = c.DecideReferral(c.Decision.CORRECT, "misread", stake=1, won_cents=50_00)
    floor.do(right, SHIFT, approver=SECOND)
    yield floor.table
    floor = Floor("baccarat", method=Method.A, device=Device(reads_cards=False, physical=True))
    floor.seat("Ann")
    floor.bets(("Ann", "player", 300_00))
    for _ in range(4):
        floor.do(c.DrawCard())
    floor.do(c.PassHand(Side.PLAYER, "Ann"))
    floor.do(c.ChooseFirstHand(Side.PLAYER))
    floor.do(c.ExposeCard(Position.P1), Patron("Ann"))
    yield floor.table
    floor = Floor("power-98")
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "player", 300_00), ("Bea", "player", 100_00))
    for _ in range(3):
        floor.do(c.ShakeDie())
    floor.do(c.PassShaker())
    floor.do(c.RefuseShaker("Ann"), Patron("Ann"))
    yield floor.table


@cache
def reached_by_walks() -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for slug in SLUGS:
        for seed in range(6):
            for walk, _, table in steps(slug, seed, 110):
                if walk.chance.random() < 0.5:
                    continue
                shown = Projection(table, 9)
                reached(shown.view(Audience.AUDITOR), found)
                for name in list(table.seats)[:2]:
                    reached(shown.own(name), found)
                reached(summary("1", table, 5, number=8), found)
    for table in rare():
        shown = Projection(table, 9)
        reached(shown.view(Audience.AUDITOR), found)
        for name in table.seats:
            reached(shown.own(name), found)
    return frozenset(found)


def test_every_field_of_every_view_holds_something_on_some_walk() -> None:
    shapes = {
        kind
        for root in (*VIEWS.values(), TableSummary)
        for kind in kinds_in(root)
        if kind.__module__.startswith("croupier.table.views")
    }
    of_part = {"DealerView", "PitView", "PatronView", "PublicView", "DealerPart", "PitPart"}
    wanted = {
        (kind.__name__, name)
        for kind in shapes
        if kind.__name__ not in of_part
        for name in kind.__struct_fields__
    }
    assert wanted - reached_by_walks() - ZERO == set()


# The lobby


def test_a_summary_says_what_a_list_of_tables_shows() -> None:
    floor = Floor("tiger")
    floor.seat("Ann", "Bea")
    floor.play("4S 2H 5D 3C", ("Ann", "player", 100_00))
    one = summary("31", floor.table, 77)
    assert (one.name, one.game, one.rulebook, one.kind) == ("31", "tiger", "EB4", "electronic")
    assert (one.seats.taken, one.sequence, one.winners) == (2, 77, ("player",))
    assert one.last is not None
    assert (one.last.winner, one.last.player, one.last.banker, one.last.natural) == (
        *("player", 9, 5),
        True,
    )
    assert msgspec.json.decode(encode(one), type=TableSummary) == one


def test_a_table_that_is_not_open_is_in_the_list_too() -> None:
    one = summary("35", Table(RULEBOOKS), 0)
    assert (one.game, one.kind, one.limits, one.last) == (None, None, None, None)
    assert one.calls == "The table is not open"


@pytest.mark.parametrize("first", ["Ann", "Bea"])
def test_whoever_may_take_the_device_hears_when_it_is_taken_or_given_up(first: str) -> None:
    """Staff let Ann draw without a wager: she is asked whenever nobody has the device."""
    floor = Floor("baccarat", method=Method.C)
    floor.seat("Ann", "Bea", "Cid")
    floor.do(c.AllowShoe("Ann"), ASSISTANT)
    floor.open_bets()
    floor.bet(first, "player", 100_00)
    floor.bet("Cid", "banker", 50_00)
    floor.close_bets()
    shown = Projection(floor.table)
    for name in floor.table.seats:
        shown.own(name)
    for command in (c.TakeShoe(first), c.RelinquishShoe(first)):
        events = floor.do(command, Patron(first))
        shown.follow(floor.table, events)
        for name in floor.table.seats:
            true = view(floor.table, Audience.PATRON, name)
            assert isinstance(true, PatronView)
            assert shown.own(name) == true.own, (command, name)


def test_a_change_of_several_records_names_the_seats_of_each_moment() -> None:
    floor = Floor("tiger")
    floor.seat("Ann", "Bea")
    shown = Projection(floor.table)
    events: list[e.Event] = []
    for command in (
        c.LeaveSeat("Bea"),
        c.TakeSeat("Bea", 5),
        c.TakeSeat("Cid", 2),
        c.LeaveSeat("Cid"),
    ):
        events += floor.do(command)
    change = shown.follow(floor.table, tuple(events)).of(Audience.PUBLIC)
    assert change is not None
    heard = [
        (one.name, one.facts.get("seat", one.facts.get("position"))) for one in change.events
    ]
    assert [one for one in heard if one[0].startswith("seat_")] == [
        ("seat_left", 2),
        ("seat_taken", 5),
        ("seat_taken", 2),
        ("seat_left", 2),
    ]
