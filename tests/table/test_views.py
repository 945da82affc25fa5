"""Views: what each audience sees, and that nobody sees a card before it is exposed."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.money import Rounding
from croupier.rulebooks import GAMES, RULEBOOKS, find_game
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import amounts
from croupier.table import commands as c
from croupier.table.folding import plan_of
from croupier.table.may import may
from croupier.table.may import shapes as may_shapes
from croupier.table.next import Act, WaitFor, WaitUntil, next_act
from croupier.table.phases import DURING
from croupier.table.refusals import Code
from croupier.table.reports import About, about
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import (
    Approvals,
    Clocks,
    DealtBy,
    Device,
    Limits,
    Method,
    Readings,
    Settings,
)
from croupier.table.state import Hold, HoldKind, Phase, Table, unopened
from croupier.table.views import (
    Audience,
    Projection,
    absent_commands,
    auditor_part,
    dealer_part,
    hear,
    own_part,
    pit_part,
    public_view,
    shapes,
    shapes_staff,
    view,
    wire_name,
)
from croupier.table.views.lobby import summary
from croupier.table.views.projection import PARTS as PARTS_OF
from croupier.table.views.projection import VIEWS
from croupier.table.words import BETS_CLOSED, BETS_OPEN, MESSAGES, WAITS
from tests.table.floor import (
    CREDIT,
    MANAGER,
    NOW,
    SECOND,
    SHIFT,
    SIX_CARDS,
    STAFF,
    SUPERVISOR,
    SYSTEM,
    TIE,
    Floor,
    faces,
)
from tests.table.machine_views import check_answers, hides
from tools.round_walks import walks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.roles import Actor
    from croupier.table.rulebook import Rulebook

encode = msgspec.json.encode
DECK = [card.text for card in find_game("baccarat").deck.cards]
PATRONS = ("Ann-Marie", "Bettina")


def seen_by_all(table: Table) -> list[bytes]:
    """Return every view as it goes over the wire, for every patron there is."""
    shown = Projection(table)
    return [encode(shown.view(audience)) for audience in Audience] + [
        encode(shown.view(Audience.PATRON, patron)) for patron in table.seats
    ]


def heard_by_all(floor: Floor) -> list[bytes]:
    """Return all that happened as every audience hears it, over the wire."""
    return [
        encode(hear(event, audience, floor.table.seats, PATRONS[0]))
        for event in floor.events
        for audience in Audience
    ]


def squeezing(method: Method, **settings: Any) -> Floor:  # noqa: ANN401  # of the table
    """Return a table with bets closed, Ann on Player and Bettina on Banker."""
    floor = Floor("baccarat", method=method, **settings)
    floor.seat(*PATRONS)
    ann, bea = PATRONS
    floor.bets((ann, "player", 300_00), (bea, "banker", 200_00), (ann, "tie", 50_00))
    return floor


# Nobody sees a card before it is exposed


@st.composite
def two_deals(draw: st.DrawFn, count: int) -> tuple[list[str], list[str]]:
    """Draw two deals of so many cards."""
    cards = st.lists(st.sampled_from(DECK), min_size=count, max_size=count)
    return draw(cards), draw(cards)


def initial_deal(method: Method, cards: list[str], *, passed: bool) -> Iterator[Floor]:
    """Deal four cards face down and go on to their exposure; yield the table at each step."""
    floor = squeezing(method)
    yield floor
    for card in cards:
        floor.draw(card)
        yield floor
    if passed:
        for side, patron in zip(Side, PATRONS, strict=True):
            floor.do(c.PassHand(side, patron))
            yield floor
    if method is Method.A:
        floor.do(c.ChooseFirstHand(Side.PLAYER))
        yield floor


@pytest.mark.clause("BAC8 1.1.8", "FF3 1.1.10", "BAC8 3.9.2", "BAC8 3.11.1")
@pytest.mark.parametrize("method", [Method.A, Method.C])
@pytest.mark.parametrize("passed", [True, False])
@given(deals=two_deals(4))
def test_views_and_announcements_are_the_same_whatever_lies_face_down(
    *, method: Method, passed: bool, deals: tuple[list[str], list[str]]
) -> None:
    one, other = (initial_deal(method, cards, passed=passed) for cards in deals)
    for table, its_double in zip(one, other, strict=True):
        assert seen_by_all(table.table) == seen_by_all(its_double.table)
        assert heard_by_all(table) == heard_by_all(its_double)


@pytest.mark.clause("BAC8 3.9.6", "BAC8 3.9.7", "BAC8 1.1.8")
@given(exposed=st.integers(0, 3), deals=two_deals(4))
def test_what_is_still_face_down_stays_so_while_other_cards_are_exposed(
    exposed: int, deals: tuple[list[str], list[str]]
) -> None:
    order = (Position.P1, Position.P2, Position.B1, Position.B2)
    drawn = (Position.P1, Position.B1, Position.P2, Position.B2)
    common = {place: deals[0][drawn.index(place)] for place in order[:exposed]}
    seen = []
    for deal in deals:
        cards = [common.get(place, card) for place, card in zip(drawn, deal, strict=True)]
        *_, floor = initial_deal(Method.A, cards, passed=True)
        for place in order[:exposed]:
            holder = PATRONS[0] if place.side is Side.PLAYER else PATRONS[1]
            floor.do(c.ExposeCard(place), Patron(holder))
        seen.append((seen_by_all(floor.table), heard_by_all(floor)))
    assert seen[0] == seen[1]
    if exposed:
        assert all(common[Position.P1].encode() in view for view in seen[0][0])


@pytest.mark.clause("BAC8 3.9.7", "BAC8 3.11.6")
@pytest.mark.parametrize("method", [Method.A, Method.C])
@given(thirds=st.tuples(st.sampled_from(DECK), st.sampled_from(DECK)))
def test_a_third_card_that_somebody_squeezes_is_shown_to_nobody_else(
    method: Method, thirds: tuple[str, str]
) -> None:
    seen = []
    for third in thirds:
        *_, floor = initial_deal(method, ["2S", "3H", "3D", "2C"], passed=True)
        floor.turn_up()
        floor.draw(third)
        assert public_view(floor.table).hands[0].squeezed_by == 1
        seen.append((seen_by_all(floor.table), heard_by_all(floor)))
    assert seen[0] == seen[1]


@pytest.mark.clause("BAC8 5.8", "BAC8 5.8.1")
@given(pairs=two_deals(2))
def test_cards_drawn_together_are_face_down_while_they_wait(
    pairs: tuple[list[str], list[str]],
) -> None:
    seen: list[list[object]] = []
    for pair in pairs:
        floor = squeezing(Method.B)
        steps: list[object] = []
        floor.report(Situation.DRAWN_TOGETHER, cards=pair, count=2, order_known=True)
        steps.append(seen_by_all(floor.table))
        floor.confirm()
        steps += [seen_by_all(floor.table), heard_by_all(floor)]
        assert public_view(floor.table).waiting == 2
        floor.do(c.EndOption(), SUPERVISOR)
        steps += [seen_by_all(floor.table), heard_by_all(floor)]
        seen.append(steps)
    assert seen[0] == seen[1]


def left_with_cards(reserved: list[str], missing: tuple[str, str]) -> Iterator[Floor]:
    """Let Ann leave with the Player hand of a device that cannot read, and recover it."""
    floor = squeezing(Method.A, device=Device(reads_cards=False))
    for _ in range(4):
        floor.draw()
    floor.do(c.PassHand(Side.PLAYER, PATRONS[0]))
    floor.do(c.ChooseFirstHand(Side.BANKER))
    for place, face in ((Position.B1, "9H"), (Position.B2, "KC")):
        floor.do(c.ExposeCard(place), cards=(face,))
    floor.report(Situation.LEFT_WITH_CARDS, patron=PATRONS[0])
    floor.confirm(SHIFT)
    yield floor
    floor.do(c.ReserveCards(), SHIFT, cards=reserved)
    yield floor
    counts = dict.fromkeys(DECK, 8)
    for face in ("9H", "KC", *reserved, *missing):
        counts[face] -= 1
    floor.do(c.RecordSorting(counts))
    yield floor
    floor.do(c.Substitute(missing))
    yield floor


@pytest.mark.clause("BAC8 5.11.1", "BAC8 5.11.2.1", "BAC8 5.11.3")
@given(pairs=two_deals(2))
def test_reserved_cards_are_shown_to_nobody_and_follow_from_nothing_shown(
    pairs: tuple[list[str], list[str]],
) -> None:
    missing = ("2S", "3D")
    one, other = (left_with_cards(pair, missing) for pair in pairs)
    for table, its_double in zip(one, other, strict=True):
        assert seen_by_all(table.table) == seen_by_all(its_double.table)
        assert heard_by_all(table) == heard_by_all(its_double)


@pytest.mark.clause("BAC8 5.11.2.1", "BAC8 5.11.3")
def test_the_missing_set_is_shown_to_staff_alone_and_only_to_be_substituted() -> None:
    shown_missing = []
    for floor in left_with_cards(["4S", "4H"], ("2S", "3D")):
        hold = dealer_part(floor.table).hold
        shown_missing.append(hold.missing if hold else ())
        assert b"2S" not in encode(view(floor.table, Audience.PATRON, PATRONS[1]))
    assert shown_missing == [(), (), ("2S", "3D"), ()]
    floor.report(Situation.FOREIGN_CARD)
    hold = dealer_part(floor.table).hold
    assert hold is not None
    assert hold.missing == ()


@given(other=st.lists(st.sampled_from(DECK), min_size=8, max_size=8))
def test_faces_that_came_with_a_report_are_shown_to_nobody(other: list[str]) -> None:
    *_, floor = initial_deal(Method.A, ["2S", "3H", "3D", "2C"], passed=True)
    floor.report(Situation.DRAWN_TOGETHER, cards=("7S", "7H"), count=2, order_known=True)
    floor.confirm()
    play = floor.table.round
    assert play is not None
    parse = find_game("baccarat").deck.parse
    cards = tuple(
        replace(dealt, card=parse(face)) for dealt, face in zip(play.cards, other, strict=False)
    )
    waiting = tuple(parse(face) for face in other[4:6])
    disguised = replace(play, cards=cards, waiting=waiting, reported_cards=tuple(other[6:]))
    assert seen_by_all(replace(floor.table, round=disguised)) == seen_by_all(floor.table)


# Nobody is told a card by an answer, a refusal or an offer


def dealt(method: Method, steps: int, *, passed: bool) -> Floor:
    """Go so many steps of an initial deal."""
    *_, floor = islice(initial_deal(method, ["2S", "3H", "3D", "2C"], passed=passed), steps)
    return floor


def third_card(method: Method) -> Floor:
    """Let Ann squeeze a third card."""
    *_, floor = initial_deal(method, ["2S", "3H", "3D", "2C"], passed=True)
    floor.turn_up()
    floor.draw("5H")
    return floor


def waiting(order: str = "known") -> Floor:
    """Let two cards come together after the initial deal, which is squeezed."""
    *_, floor = initial_deal(Method.A, ["2S", "3H", "3D", "2C"], passed=True)
    known = order == "known"
    floor.report(Situation.DRAWN_TOGETHER, cards=("7S", "7H"), count=2, order_known=known)
    return floor


def offered() -> Floor:
    """Offer withdrawal while the initial deal is squeezed and two cards wait."""
    floor = waiting()
    floor.confirm()
    return floor


def set_aside() -> Floor:
    """Settle a round in which two cards waited in vain, and which is not paid."""
    floor = squeezing(Method.B)
    floor.deal("2S 3H 3D")
    floor.report(Situation.DRAWN_TOGETHER, cards=("6C", "7H", "8H"), count=3, order_known=True)
    floor.confirm()
    floor.do(c.EndOption(), SUPERVISOR)
    floor.do(c.DrawCard())  # a natural
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    return floor


def gone(steps: int) -> Floor:
    """Let Ann leave with her cards, and recover them so far."""
    *_, floor = islice(left_with_cards(["4S", "4H"], ("2S", "3D")), steps)
    return floor


HIDING: dict[str, Callable[[], Floor]] = {
    "two cards": lambda: dealt(Method.A, 3, passed=False),
    "squeezed": lambda: dealt(Method.A, 8, passed=True),
    "not passed": lambda: dealt(Method.C, 5, passed=False),
    "third card": lambda: third_card(Method.A),
    "offered": offered,
    "reserved": lambda: gone(2),
    "set aside": set_aside,
}
MORE_HIDING: dict[str, Callable[[], Floor]] = {
    "one card": lambda: dealt(Method.C, 2, passed=False),
    "passed": lambda: dealt(Method.C, 6, passed=True),
    "third card of a patron": lambda: third_card(Method.C),
    "waiting": waiting,
    "waiting in no known order": lambda: waiting("unknown"),
    "left": lambda: gone(1),
    "sorted": lambda: gone(3),
    "substituted": lambda: gone(4),
}


@pytest.mark.clause("BAC8 1.1.8", "BAC8 5.8.1", "BAC8 5.11.1", "BAC8 5.17.1")
@pytest.mark.parametrize("scene", HIDING)
def test_answers_and_offers_are_the_same_whatever_lies_face_down(scene: str) -> None:
    table = HIDING[scene]().table
    assert hides(table)
    check_answers(table, Random(1))


@pytest.mark.exhaustive
@pytest.mark.parametrize("scene", [*HIDING, *MORE_HIDING])
def test_whoever_asks_is_told_no_card(scene: str) -> None:
    table = {**HIDING, **MORE_HIDING}[scene]().table
    assert hides(table)
    for seed in range(3):
        check_answers(table, Random(seed), everybody=True)


@pytest.mark.clause("BAC8 5.7", "FF3 5.7")
def test_cards_are_put_in_order_only_by_faces_that_lie_open() -> None:
    """Where the other cards go would tell the one that is squeezed."""
    floor = third_card(Method.A)
    drawn = (Position.P1, Position.B1, Position.P2, Position.P3, Position.B2)
    refusal = floor.refused(c.report(Situation.WRONG_ORDER, laid=drawn))
    assert refusal.code is Code.CANNOT_RECONSTRUCT
    assert "expose the cards first" in refusal.sentence
    floor.turn_up()
    floor.report(Situation.WRONG_ORDER, laid=drawn)


WAGERS = ("player", "banker", "tie", "player-pair", "banker-pair")


@pytest.mark.clause("BAC8 5.8.1", "FF3 5.8.1")
@pytest.mark.parametrize("exposed", range(4))
@given(deals=two_deals(4))
def test_an_option_names_whom_and_what_by_the_exposed_cards_alone(
    exposed: int, deals: tuple[list[str], list[str]]
) -> None:
    order = (Position.P1, Position.P2, Position.B1, Position.B2)
    drawn = (Position.P1, Position.B1, Position.P2, Position.B2)
    common = {place: deals[0][drawn.index(place)] for place in order[:exposed]}
    holds, options = [], []
    for deal in deals:
        floor = Floor("baccarat", method=Method.A)
        floor.seat(*PATRONS)
        ann, bea = PATRONS
        bets = [(ann, wager, 50_00) for wager in WAGERS if wager != "banker"]
        floor.bets(*bets, *((bea, wager, 50_00) for wager in WAGERS if wager != "player"))
        for place, card in zip(drawn, deal, strict=True):
            floor.draw(common.get(place, card))
        for side, patron in zip(Side, PATRONS, strict=True):
            floor.do(c.PassHand(side, patron))
        floor.do(c.ChooseFirstHand(Side.PLAYER))
        for place in order[:exposed]:
            holder = ann if place.side is Side.PLAYER else bea
            floor.do(c.ExposeCard(place), Patron(holder))
        pair = ("7S", "7H")
        floor.report(Situation.DRAWN_TOGETHER, cards=pair, count=2, order_known=True)
        floor.confirm()
        hold = floor.table.hold
        assert hold is not None
        holds.append((hold.kind, hold.patrons, hold.stakes))
        options.append([own_part(floor.table, patron).option for patron in PATRONS])
        for patron, place in zip(PATRONS, (Position.P2, Position.B2), strict=True):
            option = own_part(floor.table, patron).option
            assert option is not None
            assert option.all_or_none is (place not in order[:exposed])
    assert holds[0] == holds[1]
    assert options[0] == options[1]
    # A pair is decided when both cards lie open, and not when somebody squeezes them.
    player_pairs = {stake for stake in holds[0][2] if stake in (3, 7)}
    assert (not player_pairs) is (exposed >= 2)


@pytest.mark.clause("BAC8 5.17", "FF3 5.17", "BAC8 5.17.1", "FF3 5.17.1", "BAC8 5.17.2")
@pytest.mark.parametrize("game", ["baccarat", "fa-fa-fabulous-4"])
@pytest.mark.parametrize("reads", [True, False])
def test_what_is_established_depends_on_which_cards_are_known_and_not_on_their_faces(
    *, game: str, reads: bool
) -> None:
    """A hand that somebody squeezes counts as known, whatever its faces (3.1 of the readings).

    In these games a pair wager of that hand is decided then, won or lost.
    """
    deck = [card.text for card in find_game(game).deck.cards]
    chance = Random(17)
    for _ in range(30 if reads else 2):
        floor = Floor(game, method=Method.A, device=Device(reads_cards=reads))
        floor.seat(*PATRONS)
        floor.bets((PATRONS[0], "player", 300_00), (PATRONS[1], "banker", 300_00))
        for _ in range(4):
            floor.draw(chance.choice(deck) if reads else None)
            assert not floor.table.established
        side, patron = chance.choice(list(zip(Side, PATRONS, strict=True)))
        floor.do(c.PassHand(side, patron))
        assert floor.table.established
        # So nobody is asked, and nobody learns anything.
        floor.report(Situation.POWER_FAILURE, SYSTEM)
        assert floor.table.hold is None


# Views are whitelists, and go over the wire

PARTS = {c.Report, Settings, Limits, Device, Readings, Approvals, Clocks}
"""What of other modules a view may hold: nothing in them is secret before its time."""
SHAPES = (shapes.__name__, shapes_staff.__name__, may_shapes.__name__, amounts.__name__)


def structs_in(kind: object) -> Iterator[type[msgspec.Struct]]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from structs_in(field.type)
    for part in get_args(kind):
        yield from structs_in(part)


@pytest.mark.parametrize("audience", Audience)
def test_a_view_holds_no_piece_of_the_state(audience: Audience) -> None:
    for struct in set(structs_in(VIEWS[audience])):
        known = struct in PARTS or issubclass(struct, About)
        assert known or struct.__module__ in SHAPES, struct
        assert struct.__struct_config__.frozen


@pytest.mark.parametrize("audience", PARTS_OF)
def test_every_view_is_the_public_one_with_one_field_more(audience: Audience) -> None:
    fields = VIEWS[audience].__struct_fields__
    assert fields == (*shapes.PublicView.__struct_fields__, PARTS_OF[audience])


@cache
def tables_of(rulebook: Rulebook) -> tuple[Table, ...]:
    """Return the tables on all walks through a rulebook, each of them once."""
    found: list[Table] = []
    for walk in walks(rulebook):
        found += [table for table in walk.tables if table not in found]
    return tuple(found)


def tables() -> list[Table]:
    """Return the tables on all walks through all rulebooks."""
    return [table for rulebook in RULEBOOKS for table in tables_of(rulebook)]


def test_every_view_of_every_table_reads_back_as_it_was_written() -> None:
    assert len(tables()) > 100
    for table in tables():
        shown = Projection(table)
        for audience, kind in VIEWS.items():
            one = shown.view(audience, "Ann")
            assert msgspec.json.decode(encode(one), type=kind) == one


def test_a_table_that_is_not_open_has_views_too() -> None:
    table = unopened(RULEBOOKS)
    part = auditor_part(table)
    assert public_view(table).calls == "The table is not open"
    assert part.next.positions == (StaffPosition.PIT_MANAGER,)
    assert (part.settings, part.record, part.shoe) == (None, None, None)
    assert own_part(table, "Ann").credit_cents == 0


def test_no_name_of_a_patron_or_of_staff_is_public() -> None:
    *_, floor = initial_deal(Method.C, ["2S", "3H", "3D", "2C"], passed=True)
    floor.turn_up()
    floor.report(Situation.POWER_FAILURE, note="as Bettina said")
    names = [name.encode() for name in (*PATRONS, *(staff.name for staff in STAFF))]
    heard = [hear(event, seats=floor.table.seats) for event in floor.events]
    told = [encode(public_view(floor.table)), *map(encode, heard)]
    assert [name for name in names for one in told if name in one] == []
    assert b"seat" in b"".join(told)


def test_a_patron_sees_nothing_of_another_patron() -> None:
    *_, floor = initial_deal(Method.A, ["2S", "3H", "3D", "2C"], passed=True)
    assert PATRONS[1].encode() not in encode(view(floor.table, Audience.PATRON, PATRONS[0]))


def test_the_money_of_the_house_is_the_pits_alone() -> None:
    floor = Floor("baccarat")
    floor.seat(*PATRONS, cents=777_777_00)
    floor.play(faces("baccarat", TIE), (PATRONS[0], "player", 300_00))
    for audience in (Audience.PUBLIC, Audience.PATRON, Audience.DEALER):
        assert b"bank_cents" not in encode(view(floor.table, audience))
    assert b"bank_cents" in encode(pit_part(floor.table))
    assert b"77777700" not in encode(view(floor.table))
    assert b"77777700" not in encode(view(floor.table, Audience.PATRON, "nobody"))


@pytest.mark.parametrize("slug", ["baccarat", "power-98", "tiger"])
def test_the_dealer_sees_the_credit_that_the_dealers_commands_speak_of(slug: str) -> None:
    floor = Floor(slug)
    floor.seat(*PATRONS, cents=777_700)
    shown = dealer_part(floor.table, StaffPosition.DEALER)
    held = {one.patron: one.cents for one in shown.credits}
    assert held == floor.table.credits
    (take,) = [one for one in shown.may if one.command == "take_credit"]
    assert str(777_700) in encode(take).decode()
    refusal = floor.refused(c.TakeCredit(PATRONS[0], 888_800))
    assert "7,777.00" in refusal.sentence


# The public view


def test_the_public_view_says_by_what_the_table_is_played() -> None:
    limits = {"*": Limits(50_00, 5_000_00), "tie": Limits(10_00, 500_00, 10_00)}
    floor = Floor("baccarat", limits=limits, rounding=Rounding.DOWN, wagers_per_area=2)
    rules = public_view(floor.table).rules
    assert rules is not None
    assert (rules.rulebook, rules.version, rules.game) == ("BAC8", 8, "baccarat")
    assert (rules.layout, rules.positions, rules.method) == ("A", 7, Method.B)
    assert (rules.rounding, rules.wagers_per_area, rules.hlga) == (Rounding.DOWN, 2, False)
    tie = next(wager for wager in rules.wagers if wager.slug == "tie")
    assert (tie.minimum_cents, tie.maximum_cents, tie.step_cents) == (10_00, 500_00, 10_00)
    assert tie.rows == (shapes.RowShown("Tie", "8 to 1", "BAC8 4.1"),)
    assert tie.area == "BAC8 2.2.3"


@pytest.mark.clause("EB4 2.2")
@pytest.mark.parametrize("game", [game.slug for game in RULEBOOKS[4].games])
def test_a_terminal_shows_layout_and_limits_for_every_wager_it_offers(game: str) -> None:
    floor = Floor(game, limits={"*": Limits(10_00, 500_00)})
    rules = public_view(floor.table).rules
    assert rules is not None
    assert rules.layout
    assert [wager.slug for wager in rules.wagers] == [
        wager.slug for wager in find_game(game).wagers
    ]
    assert {(one.minimum_cents, one.maximum_cents) for one in rules.wagers} == {(1000, 50000)}


@pytest.mark.clause("EB4 2.2")
def test_a_wager_that_is_not_offered_is_not_shown() -> None:
    rules = public_view(Floor("tiger", optional=("tiger",)).table).rules
    assert rules is not None
    assert [wager.slug for wager in rules.wagers] == ["player", "banker", "tie", "tiger"]


@pytest.mark.clause("EB4 3.1", "EB4 3.2")
def test_a_terminal_takes_wagers_only_while_it_says_that_bets_are_open() -> None:
    floor = Floor("super-six")
    floor.seat("Ann")
    wager = c.PlaceWager("Ann", "player", 100_00)
    assert public_view(floor.table).calls not in (BETS_OPEN, BETS_CLOSED)
    assert floor.refused(wager, Patron("Ann")).code is Code.BETS_NOT_OPEN
    floor.open_bets()
    assert public_view(floor.table).calls == BETS_OPEN
    floor.do(wager, Patron("Ann"))
    floor.close_bets()
    assert public_view(floor.table).calls == BETS_CLOSED
    assert floor.refused(wager, Patron("Ann")).code is Code.BETS_CLOSED
    floor.deal(faces("super-six", SIX_CARDS))
    assert public_view(floor.table).calls.startswith(BETS_CLOSED)


def test_every_phase_has_its_message_and_every_hold_its_sentence() -> None:
    assert list(MESSAGES) == list(Phase)
    assert list(WAITS) == list(HoldKind)
    assert [phase for phase, message in MESSAGES.items() if message == BETS_OPEN] == [
        Phase.OPEN
    ]


@pytest.mark.clause("BAC8 1.1.8", "BAC8 3.9", "BAC8 3.11.5", "BAC8 3.11.7")
def test_a_squeezed_hand_is_face_down_with_its_position_until_it_is_exposed() -> None:
    *_, floor = initial_deal(Method.A, ["2S", "9H", "3D", "KC"], passed=True)
    player, banker = public_view(floor.table).hands
    down = shapes.CardShown(Position.P1, None, face_down=True)
    assert player.cards[0] == down
    assert (player.squeezed, player.squeezed_by, player.points) == (True, 1, None)
    assert (banker.squeezed, banker.squeezed_by, banker.points) == (True, 2, None)
    floor.do(c.ExposeCard(Position.P2), Patron(PATRONS[0]))
    player = public_view(floor.table).hands[0]
    assert player.cards == (down, shapes.CardShown(Position.P2, "3D", face_down=False))
    assert (player.squeezed, player.points) == (True, None)
    floor.do(c.ExposeCard(Position.P1), Patron(PATRONS[0]))
    player = public_view(floor.table).hands[0]
    assert [card.face for card in player.cards] == ["2S", "3D"]
    assert (player.squeezed, player.squeezed_by, player.points) == (False, None, 5)


@pytest.mark.clause("BAC8 3.10", "BAC8 3.10.1")
def test_under_method_b_six_draws_lie_open_in_six_places_and_nobody_squeezes() -> None:
    floor = squeezing(Method.B)
    floor.deal("2S 3H 3D 2C 5S 4H")
    hands = public_view(floor.table).hands
    assert [[card.place.value for card in hand.cards] for hand in hands] == [
        ["P1", "P2", "P3"],
        ["B1", "B2", "B3"],
    ]
    assert [(hand.points, hand.squeezed) for hand in hands] == [(0, False), (9, False)]


@pytest.mark.clause("BAC8 3.11")
def test_under_method_c_everybody_sees_at_which_position_the_shoe_is() -> None:
    floor = squeezing(Method.C)
    assert public_view(floor.table).shoe_holder is None
    floor.draw("2S")
    assert public_view(floor.table).shoe_holder == 1


@pytest.mark.clause("PB6 1.1.8")
def test_the_power_marker_is_shown_in_its_round_and_not_longer() -> None:
    floor = Floor("power-98")
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    assert not public_view(floor.table).power
    floor.shake(3)
    assert public_view(floor.table).power
    floor.deal(faces("power-98", TIE))
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    assert public_view(floor.table).power
    floor.do(c.ConfirmPayment())
    assert not public_view(floor.table).power
    floor.bets(("Ann", "player", 100_00))
    assert not public_view(floor.table).power
    floor.shake(1)
    assert (public_view(floor.table).die, public_view(floor.table).power) == (1, False)


@pytest.mark.clause("PB6 1.1.8")
def test_a_void_round_shows_no_power_marker() -> None:
    floor = Floor("power-98")
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    floor.shake(3)
    floor.report(Situation.FOREIGN_CARD)
    floor.confirm()
    shown = public_view(floor.table)
    assert (shown.phase, shown.power, shown.die) == (Phase.VOID, False, None)


def test_stakes_are_shown_by_area_and_position_until_they_are_settled() -> None:
    floor = Floor("baccarat", differential_cents=1_000_00)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 100_00, shared=True)
    floor.bet("Bea", "player", 50_00, position=1, join=1)
    floor.bet("Bea", "tie", 10_00)
    areas = public_view(floor.table).areas
    assert areas == {
        "1/player": shapes.AreaShown(
            1,
            "player",
            150_00,
            (
                shapes.StakeShown(
                    1,
                    150_00,
                    shared=True,
                    shares=(shapes.ShareShown(1, 100_00), shapes.ShareShown(2, 50_00)),
                ),
            ),
        ),
        "2/tie": shapes.AreaShown(
            2,
            "tie",
            10_00,
            (shapes.StakeShown(3, 10_00, shared=False, shares=(shapes.ShareShown(2, 10_00),)),),
        ),
    }
    floor.close_bets()
    floor.deal(faces("baccarat", TIE))
    floor.pay()
    assert public_view(floor.table).areas == {}


@pytest.mark.clause("BAC8 1.1.9", "BAC8 5.18")
def test_the_meter_shows_how_far_stakes_are_apart_and_how_far_they_may_be() -> None:
    floor = Floor("baccarat", differential_cents=250_00)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "banker", 300_00)
    floor.bet("Bea", "tie", 900_00)
    meter = public_view(floor.table).differential
    assert meter == shapes.DifferentialShown(300_00, 250_00, Side.BANKER, "BAC8 5.18")
    floor.close_bets()
    closed = floor.moment
    hold = public_view(floor.table, held_since=77).hold
    sentence = WAITS[HoldKind.BALANCE]
    assert hold == shapes.HoldShown(
        HoldKind.BALANCE, "BAC8 5.18", sentence, 77, None, closed, 0, 0
    )
    floor.do(c.LowerWager("Ann", 1, 100_00), Patron("Ann"))
    shown = public_view(floor.table)
    assert (shown.hold, shown.differential) == (
        None,
        shapes.DifferentialShown(200_00, 250_00, Side.BANKER, "BAC8 5.18"),
    )


def test_a_rulebook_without_a_differential_shows_no_meter() -> None:
    floor = Floor("super-six")
    floor.open_bets()
    assert public_view(floor.table).differential is None


def test_outcome_results_and_the_cards_left_are_shown() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann")
    floor.play("4S 2H 5D 3C", ("Ann", "player", 100_00))
    floor.bets(("Ann", "player", 100_00))
    floor.draw("9S")
    floor.report(Situation.FOREIGN_CARD)
    floor.confirm()
    shown = public_view(floor.table)
    assert shown.results == (
        shapes.ResultShown(
            round=1,
            cards=("4S", "2H", "5D", "3C"),
            player=9,
            banker=5,
            winner="player",
            player_pair=False,
            banker_pair=False,
            natural=True,
            die=None,
            power=False,
            void=False,
        ),
        shapes.ResultShown(
            round=2,
            cards=(),
            player=None,
            banker=None,
            winner=None,
            player_pair=False,
            banker_pair=False,
            natural=False,
            die=None,
            power=False,
            void=True,
        ),
    )
    assert shown.shoe == shapes.ShoeShown("shoe 1", 416, 411, cut_card_seen=False, ended=False)
    assert (shown.outcome, shown.phase) == (None, Phase.VOID)
    floor = Floor("baccarat")
    floor.seat("Ann")
    floor.play("4S 2H 5D 3C", ("Ann", "player", 100_00))
    assert public_view(floor.table).outcome == shapes.OutcomeShown(9, 5, "player")


# One patron


@pytest.mark.clause("BAC8 3.7", "BAC8 3.7#responsibility")
def test_a_wager_placed_by_staff_is_its_owners_and_says_who_placed_it() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann")
    floor.open_bets()
    floor.do(c.PlaceWager("Ann", "player", 100_00))
    floor.bet("Ann", "tie", 20_00)
    own = own_part(floor.table, "Ann")
    assert [(stake.wager, stake.cents, stake.placed_by) for stake in own.stakes] == [
        ("player", 100_00, "Dan"),
        ("tie", 20_00, None),
    ]
    assert (own.seat, own.credit_cents, own.in_play_cents) == (1, CREDIT - 120_00, 120_00)


def test_a_patron_sees_the_own_pay_lines_and_what_of_the_credit_is_reserved() -> None:
    floor = Floor("power-98")
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "player", 100_00), ("Bea", "banker", 100_00))
    floor.deal(faces("power-98", "4 2 5 3"))
    floor.pay()
    own = own_part(floor.table, "Ann")
    assert [(line.wager, line.won_cents) for line in own.lines] == [("player", 100_00)]
    assert (own.credit_cents, own.reserved_cents) == (CREDIT + 100_00, 200_00)
    assert own_part(floor.table, "Bea").reserved_cents == 0
    floor.open_bets()
    own = own_part(floor.table, "Ann")
    assert (own.lines, own.reserved_cents) == ((), 0)


@pytest.mark.clause("BAC8 5.17.1")
def test_an_option_says_which_stakes_and_that_all_or_none_are_withdrawn() -> None:
    floor = squeezing(Method.B)
    floor.report(Situation.POWER_FAILURE, SYSTEM)
    ann, bea = PATRONS
    option = own_part(floor.table, ann).option
    assert option == shapes.Option("BAC8 5.17.1", (1, 3), all_or_none=True)
    assert own_part(floor.table, bea).option == shapes.Option(
        "BAC8 5.17.1", (2,), all_or_none=True
    )
    floor.do(c.Withdraw(ann), Patron(ann))
    own = own_part(floor.table, ann)
    assert (own.option, own.withdrew, own.stakes) == (None, True, ())
    assert own_part(floor.table, "nobody").option is None


@pytest.mark.clause("BAC8 5.8.1")
def test_an_option_may_be_for_any_of_the_own_stakes() -> None:
    floor = squeezing(Method.B)
    floor.report(Situation.DRAWN_TOGETHER, cards=("2S", "3H"), count=2, order_known=True)
    floor.confirm()
    option = own_part(floor.table, PATRONS[0]).option
    assert option == shapes.Option("BAC8 5.8.1", (1, 3), all_or_none=False)


@pytest.mark.clause("BAC8 3.9.2", "BAC8 3.9.3")
def test_a_patron_sees_the_hand_that_is_offered_and_then_held() -> None:
    *_, floor = initial_deal(Method.A, ["2S", "3H", "3D", "2C"], passed=False)
    own = own_part(floor.table, PATRONS[0])
    assert (own.hands_offered, own.hands) == ((Side.PLAYER,), ())
    floor.do(c.PassHand(Side.PLAYER, PATRONS[0]))
    own = own_part(floor.table, PATRONS[0])
    assert (own.hands_offered, own.hands) == ((), (Side.PLAYER,))


def test_a_patron_sees_the_shoe_and_the_shaker_that_come_to_them() -> None:
    floor = squeezing(Method.C)
    own = own_part(floor.table, PATRONS[0])
    assert (own.shoe_offered, own.shoe_held) == (True, False)
    assert not own_part(floor.table, PATRONS[1]).shoe_offered
    floor.do(c.TakeShoe(PATRONS[0]), Patron(PATRONS[0]))
    own = own_part(floor.table, PATRONS[0])
    assert (own.shoe_offered, own.shoe_held) == (False, True)
    floor = Floor("power-98")
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    for _ in range(3):
        floor.do(c.ShakeDie())
    assert not own_part(floor.table, "Ann").shaker_held
    floor.do(c.PassShaker())
    assert own_part(floor.table, "Ann").shaker_held


# Dealer, pit and auditor


@pytest.mark.clause("BAC8 3.9.2", "BAC8 3.14", "BAC8 3.12")
def test_the_dealer_sees_who_is_due_and_which_card_is_called_for() -> None:
    floor = squeezing(Method.A)
    shown = dealer_part(floor.table)
    assert shown.patrons == (
        shapes_staff.Seated(PATRONS[0], 1),
        shapes_staff.Seated(PATRONS[1], 2),
    )
    assert [hand.due for hand in shown.hands] == list(PATRONS)
    assert public_view(floor.table).next == shapes.NextCard(
        Position.P1, "the first card of the initial deal", "BAC8 3.12"
    )
    assert shown.drawer == shapes_staff.Drawer(
        StaffPosition.DEALER, None, system=False, clause="BAC8 3.8.1"
    )
    for card in ("2S", "3H", "3D", "2C"):
        floor.draw(card)
    assert public_view(floor.table).next is None
    floor.do(c.RefuseHand(Side.PLAYER, PATRONS[0]), Patron(PATRONS[0]))
    hand = dealer_part(floor.table).hands[0]
    assert (hand.due, hand.held_by, hand.refused) == (None, None, (PATRONS[0],))
    floor.turn_up()
    assert public_view(floor.table).next == shapes.NextCard(
        Position.P3, "Player has 5 and draws", "BAC8 3.14"
    )


@pytest.mark.clause("PB6 3.6")
def test_the_dealer_sees_to_whom_the_shaker_goes() -> None:
    floor = Floor("power-98")
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "player", 300_00), ("Bea", "banker", 500_00))
    shaker = dealer_part(floor.table).shaker
    assert shaker is not None
    assert (shaker.shakes, shaker.due, shaker.passed) == (0, "Bea", False)
    assert public_view(floor.table).next is None
    floor.shake()
    shaker = dealer_part(floor.table).shaker
    assert shaker is not None
    assert (shaker.shakes, shaker.due, shaker.held_by, shaker.opened) == (3, None, "Bea", True)
    assert public_view(floor.table).next is not None


def test_the_dealer_sees_stakes_with_their_owners_and_then_the_pay_list() -> None:
    floor = squeezing(Method.B)
    stakes = dealer_part(floor.table).stakes
    assert [(stake.wager, stake.shares[0].patron) for stake in stakes] == [
        ("player", PATRONS[0]),
        ("banker", PATRONS[1]),
        ("tie", PATRONS[0]),
    ]
    floor.deal("4S 2H 5D 3C")
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    shown = dealer_part(floor.table)
    assert shown.stakes == ()
    assert [line.won_cents for line in shown.lines] == [300_00, -200_00, -50_00]


def answers(table: Table) -> dict[str, StaffPosition]:
    """Return what answers the hold of a table, with the lowest position that may."""
    assert table.hold is not None
    asked = {wire_name(kind) for kind in DURING[table.hold.kind]}
    found: dict[str, StaffPosition] = {}
    for position in StaffPosition:
        for one in pit_part(table, position).may:
            if one.command in asked:
                found.setdefault(one.command, position)
    return found


@pytest.mark.clause("BAC8 5.8.2.2", "BAC8 5.13")
def test_a_hold_says_what_answers_it_and_who_may() -> None:
    floor = squeezing(Method.B)
    floor.deal("2S 3H 3D 2C")
    floor.report(Situation.DRAWN_TOGETHER, cards=("5S", "4H"), count=2)
    hold = dealer_part(floor.table).hold
    assert hold is not None
    assert answers(floor.table) == {
        "confirm_report": StaffPosition.PIT_SUPERVISOR,
        "dismiss_report": StaffPosition.PIT_SUPERVISOR,
    }
    floor.confirm()
    hold = dealer_part(floor.table).hold
    assert hold is not None
    assert (hold.kind, hold.clause) == (HoldKind.ORDER, "BAC8 5.8.2.2")
    assert answers(floor.table) == {"set_order": StaffPosition.PIT_MANAGER}
    assert dealer_part(floor.table).next.positions == (StaffPosition.PIT_MANAGER,)
    floor.do(c.SetOrder((0, 1)), MANAGER, approver=SECOND)
    floor.do(c.KeepWagers(PATRONS[1]), Patron(PATRONS[1]))
    hold = dealer_part(floor.table).hold
    assert hold is not None
    assert (hold.asked, hold.answered) == (PATRONS, (PATRONS[1],))
    assert answers(floor.table) == {"end_option": StaffPosition.PIT_SUPERVISOR}
    assert dealer_part(floor.table).next.patrons == (PATRONS[0],)
    floor = squeezing(Method.B)
    floor.report(Situation.FOREIGN_CARD)
    floor.confirm()
    assert dealer_part(floor.table).replacement_due


@pytest.mark.clause("BAC8 1.1.3", "FF3 1.1.4")
@pytest.mark.parametrize(("room", "hlga"), [("Ruby Room", True), ("Main floor", False)])
@pytest.mark.parametrize("game", ["baccarat", "fa-fa-fabulous-4"])
def test_what_exists_in_the_high_limit_rooms_only_is_hidden_elsewhere(
    *, game: str, room: str, hlga: bool
) -> None:
    floor = Floor(game, room=room)
    floor.bets()
    rules = public_view(floor.table).rules
    assert rules is not None
    assert rules.hlga is hlga
    absent = absent_commands(plan_of(floor.table))
    assert (c.OfferWithdrawal not in absent) is hlga
    assert offers(floor.table, "offer_withdrawal") is False  # the cut card did not come


def test_the_pit_sees_the_money_and_what_is_set_for_the_next_round() -> None:
    floor = Floor("baccarat")
    floor.seat("Ann", "Bea")
    floor.bets(("Ann", "banker", 100_00), ("Bea", "tie", 50_00))
    floor.do(c.SetDifferential(900_00), MANAGER, approver=SECOND)
    floor.deal(faces("baccarat", "A 4 5 3"))
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    shown = pit_part(floor.table)
    assert shown.credits == (
        shapes_staff.Credit("Ann", CREDIT + 95_00, 195_00),
        shapes_staff.Credit("Bea", CREDIT - 50_00, 0),
    )
    assert (shown.in_play_cents, shown.bank_cents, shown.commission_cents) == (0, -50_00, 5_00)
    assert shown.scheduled is not None
    assert shown.scheduled.differential_cents == 900_00


def test_the_pit_sees_which_commands_need_a_second_person() -> None:
    floor = squeezing(Method.B, approvals=Approvals(void=StaffPosition.PIT_MANAGER))
    floor.report(Situation.FOREIGN_CARD)
    manager = pit_part(floor.table, StaffPosition.PIT_MANAGER)
    approvals = {one.command: one.approver for one in manager.may}
    assert approvals["confirm_report"] is StaffPosition.PIT_MANAGER
    assert approvals["set_limits"] is StaffPosition.PIT_SUPERVISOR
    assert approvals["dismiss_report"] is None


@pytest.mark.clause("BAC8 5.14")
def test_the_pit_sees_whose_under_minimum_wager_was_settled_once() -> None:
    floor = Floor("baccarat", limits={"*": Limits(50_00, 500_00)})
    floor.seat("Ann")
    floor.bets()
    floor.do(c.FindStake("Ann", "player", 20_00))
    floor.deal("4S 2H 5D 3C")
    floor.pay()
    assert pit_part(floor.table).under_minimum == ("Ann",)


def test_reserved_credit_is_the_same_for_pit_and_patron() -> None:
    for table in tables():
        for credit in pit_part(table).credits:
            own = own_part(table, credit.patron)
            assert (credit.cents, credit.reserved_cents) == (
                own.credit_cents,
                own.reserved_cents,
            )


def test_the_auditor_sees_that_the_money_adds_up_on_every_table() -> None:
    assert {auditor_part(table).imbalance_cents for table in tables()} == {0}


def test_the_auditor_counts_the_faces_that_were_seen_and_no_others() -> None:
    *_, floor = initial_deal(Method.A, ["2S", "3H", "3D", "2S"], passed=False)
    shoe = auditor_part(floor.table).shoe
    assert shoe is not None
    assert (shoe.out, shoe.seen) == (4, {})
    floor.turn_up()
    shoe = auditor_part(floor.table).shoe
    assert shoe is not None
    assert shoe.seen == {"2S": 2, "3D": 1, "3H": 1}


# What may be asked for


def offers(table: Table, command: str) -> bool:
    """Tell whether anybody of staff, or the system, may give a command."""
    people: list[Actor] = [SYSTEM, *(Staff("", position) for position in StaffPosition)]
    return any(one.command == command for person in people for one in may(table, person, NOW))


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.code)
def test_what_a_table_has_no_use_for_is_offered_to_nobody(rulebook: Rulebook) -> None:
    for table in tables_of(rulebook):
        if table.plan is not None:
            for kind in absent_commands(table.plan):
                assert not offers(table, wire_name(kind)), (kind, table.phase)


def test_a_table_that_is_on_hold_shows_what_answers_it_and_what_no_hold_stops() -> None:
    floor = squeezing(Method.B, differential_cents=10_00)
    shown = pit_part(floor.table, StaffPosition.PIT_MANAGER)
    commands = {one.command for one in shown.may}
    assert {"ask_to_lower", "raise_wager", "take_seat", "report"} <= commands
    assert not {"draw_card", "confirm_report", "take_off_wager"} & commands
    floor.do(c.AskToLower())
    assert "take_off_wager" in answers(floor.table)
    assert shown.drawer is None


# What comes next, and what is reported


def test_staff_see_who_is_waited_for_and_until_when() -> None:
    floor = Floor("baccarat", method=Method.A, dealt_by=DealtBy.HOUSE)
    floor.seat(*PATRONS)
    floor.bets((PATRONS[0], "player", 300_00))
    shown = dealer_part(floor.table).next
    since = floor.table.since
    assert since is not None
    assert (shown.command, shown.system, shown.since) == ("draw_card", True, since)
    clocks = Clocks()
    assert shown.begins == since + timedelta(milliseconds=clocks.pace_ms)
    assert shown.until is None
    for face in ("2S", "3H", "3D", "2C"):
        floor.draw(face)
    floor.do(c.PassHand(Side.PLAYER, PATRONS[0]))
    floor.do(c.ChooseFirstHand(Side.PLAYER))
    shown = dealer_part(floor.table).next
    assert floor.table.since is not None
    assert (shown.command, shown.patrons, shown.system) == (
        "expose_card",
        (PATRONS[0],),
        False,
    )
    assert shown.until == floor.table.since + timedelta(milliseconds=clocks.answer_ms)
    assert shown.begins is None


def test_what_comes_next_is_shown_as_it_is_acted_on() -> None:
    for table in tables():
        if table.plan is None:
            continue
        shown, act = dealer_part(table).next, next_act(table, NOW)
        match act:
            case Act(c.PassOver(patron)):
                assert shown.until is not None
                assert patron in shown.patrons
                assert shown.until <= NOW
            case Act(command):
                assert (shown.system, shown.command) == (True, wire_name(type(command)))
                assert shown.begins is None or shown.begins <= NOW
            case WaitUntil(moment):
                assert (shown.system, shown.begins) == (True, moment)
            case WaitFor():
                assert not shown.system
                assert (shown.why, shown.positions) == (act.why, act.positions)
                assert (shown.patrons, shown.until) == (act.patrons, act.until)


def test_staff_see_what_a_report_is_about_by_whom_and_since_when() -> None:
    floor = squeezing(Method.B)
    what: dict[str, Any] = {"count": 2, "order_known": True}
    floor.report(Situation.DRAWN_TOGETHER, cards=("5S", "4H"), note="by the draught", **what)
    for part in (dealer_part(floor.table), pit_part(floor.table)):
        assert part.hold is not None
        assert part.hold.report == shapes_staff.ReportShown(
            Situation.DRAWN_TOGETHER,
            about(Situation.DRAWN_TOGETHER, **what),
            STAFF[0].name,
            StaffPosition.DEALER,
            floor.moment,
        )
    assert pit_part(floor.table).note == "by the draught"
    assert b"draught" not in encode(view(floor.table, Audience.DEALER))


def test_a_hold_that_no_report_led_to_shows_none() -> None:
    floor = squeezing(Method.B, differential_cents=100_00)
    assert floor.table.hold is None
    floor.report(Situation.OTHER)
    floor.do(c.DecideReferral(c.Decision.CONTINUE, "seen"), SHIFT)
    assert floor.table.round is not None
    assert floor.table.round.reported is not None
    balance = Hold(HoldKind.BALANCE, None, report=floor.table.round.reported)
    hold = dealer_part(replace(floor.table, hold=balance)).hold
    assert hold is not None
    assert hold.report is None


def test_settings_of_a_view_have_every_field_on_the_wire() -> None:
    floor = Floor("baccarat")
    floor.open_bets()
    floor.do(c.SetDifferential(900_00), MANAGER, approver=SECOND)
    sent = msgspec.json.decode(encode(view(floor.table, Audience.AUDITOR)))["auditor"]
    assert set(sent["settings"]) == set(Settings.__struct_fields__)
    assert set(sent["scheduled"]) == set(Settings.__struct_fields__)
    heard = [hear(event, Audience.DEALER) for event in floor.events]
    (facts,) = [one.facts for one in heard if one and one.name == "settings_scheduled"]
    assert set(msgspec.to_builtins(facts["settings"])) == set(Settings.__struct_fields__)


# What the public is told of rules and results


def test_the_rules_say_which_wagers_need_another_and_how_far_stakes_may_be_apart() -> None:
    for game in GAMES:
        floor = Floor(game.slug)
        rules = public_view(floor.table).rules
        assert rules is not None
        shown = {wager.slug: wager.depends for wager in rules.wagers if wager.depends}
        for condition in game.preconditions:
            for slug in condition.wagers:
                (one,) = [one for one in shown.pop(slug) if one.main == condition.main]
                assert one.together == condition.wagers
                assert condition.clause.startswith(one.clause)
        assert shown == {}
        assert rules.differential is None
    assert find_game("power-98").preconditions
    rules = public_view(Floor("baccarat", differential_cents=900_00).table).rules
    assert rules is not None
    assert rules.differential is not None
    assert rules.differential.limit_cents == 900_00
    assert public_view(Floor("tiger").table).rules is not None


@pytest.mark.parametrize("slug", ["baccarat", "tiger"])
def test_everybody_sees_when_the_table_closes_once_notice_is_given(slug: str) -> None:
    floor = Floor(slug)
    floor.open_bets()
    events = floor.do(c.AnnounceClosure(20, "end of the shift"), MANAGER)
    closes = floor.moment + timedelta(minutes=20)
    assert public_view(floor.table).table_closes == closes
    assert summary("1", floor.table, 1).table_closes == closes
    heard = hear(events[0])
    assert heard is not None
    assert heard.facts == {"closes": closes}
    for minutes in (-1, 1_441):
        refusal = floor.refused(c.AnnounceClosure(minutes), MANAGER)
        assert refusal.code is Code.BAD_NOTICE
    assert floor.refused(c.AnnounceClosure(20)).code is Code.NEEDS_PIT_MANAGER
    floor.do(c.AnnounceClosure(None), MANAGER)
    assert public_view(floor.table).table_closes is None


def test_a_result_says_whether_it_was_a_power_hand() -> None:
    floor = Floor("power-98")
    floor.seat("Ann")
    for die in (3, 4):
        floor.bets(("Ann", "player", 100_00))
        floor.deal("4S 2H 5D 3C", die=die)
        floor.pay()
    assert [one.power for one in public_view(floor.table).results] == [True, False]


@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("slug", ["power-98", "fortune-six-tournament"])
def test_a_paid_round_that_is_void_leaves_its_lines_and_a_result(
    slug: str, *, loaded: bool
) -> None:
    floor = Floor(slug)
    floor.seat("Ann", "Bea")
    floor.play("4S 2H 5D 3C", ("Ann", "player", 100_00), ("Bea", "banker", 100_00))
    lines = own_part(floor.table, "Ann").lines
    assert len(lines) == 1
    if loaded:
        floor.do(c.EndShoe())
        floor.do(c.LoadShoe("another"))
    number = public_view(floor.table).round
    floor.report(Situation.WRONG_NUMBER, order_known=False)
    floor.confirm()
    assert floor.table.phase is Phase.VOID
    for name in ("Ann", "Bea"):
        own = own_part(floor.table, name)
        assert own.lines == ()
        assert len(own.corrected) == 1
    assert own_part(floor.table, "Ann").corrected == lines
    assert {line.patron for line in dealer_part(floor.table).corrected} == {"Ann", "Bea"}
    (result,) = public_view(floor.table).results
    assert (result.round, result.void) == (number, True)
