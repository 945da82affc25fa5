"""What comes next: tables that deal themselves, and a way to the end from anywhere."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import Phase as Stage
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.journal.recovery import consequence, interrupted
from croupier.rulebooks import GAMES, find_game
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.authority import DEALT
from croupier.table.course import Source
from croupier.table.decide import decide
from croupier.table.evolve import fold
from croupier.table.next import Act, WaitFor, WaitUntil, closes_at, next_act
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Clocks, DealtBy, Device, Method
from croupier.table.state import HoldKind, Phase
from croupier.table.views import public_view
from tests.table.floor import DEALER, MANAGER, SYSTEM, Floor
from tests.table.machine_finish import Desk, finish
from tests.table.machine_walk import Walk
from tests.table.next_house import AT_ONCE, PATRONS, STEPS_MAX, Dealt, settings_of
from tests.table.rights import ALL
from tests.table.scenes import SCENES

if TYPE_CHECKING:
    from croupier.table.state import Table
    from tests.table.rights import Right

SLUGS = [game.slug for game in GAMES]
TABLES: list[tuple[str, Method | None]] = [
    (slug, method)
    for slug in SLUGS
    for method in (Method if find_game(slug).edition.code in ("BAC8", "FF3") else (None,))
]
"""Every game, by every method that it has."""
LIVE = [one for one in TABLES if find_game(one[0]).edition.code != "EB4"]
ELECTRONIC = [one[0] for one in TABLES if find_game(one[0]).edition.code == "EB4"]
every_table = pytest.mark.parametrize(("game", "method"), TABLES)
RESTARTS, WALKS, WALK_STEPS = 40, 6, 60


def ms(number: int) -> timedelta:
    return timedelta(milliseconds=number)


def dealt(
    game: str, method: Method | None, seed: int, *, present: float = 1.0, **others: object
) -> Dealt:
    """Seat patrons, who answer so often, at a table that the system deals."""
    table = Dealt(settings_of(game, method, decks=4, **others), Random(seed))
    table.seat(*PATRONS)
    table.present = present
    return table


# Whole shoes


@pytest.mark.clause("EB4 3.1", "EB4 3.2", "BAC8 3.1", "FF3 3.1", "PB6 3.1", "F6T2 3.1")
@every_table
@pytest.mark.parametrize("present", [1.0, 0.5, 0.0])
def test_every_game_is_dealt_from_the_first_call_into_the_next_shoe(
    game: str, method: Method | None, present: float
) -> None:
    table = dealt(game, method, seed=len(game), present=present, behind_cut=80)
    while len(table.table.shoes) < 2:
        table.play_round()
    table.play_round()
    table.check()
    who = "system" if game in ELECTRONIC else "house"
    calls = [event for event in table.events if isinstance(event, e.BetsOpened)]
    assert len(calls) > 15
    assert {call.dealt_by for call in calls} == {who}
    assert public_view(table.table).rules.dealt_by == who  # type: ignore[union-attr]
    shoes = [event.shoe for event in table.events if isinstance(event, e.ShoeLoaded)]
    assert shoes == ["1", "2"]
    # No member of staff was needed.
    by = {
        event.by.position
        for event in table.events
        if hasattr(event, "by") and hasattr(event.by, "position")
    }
    assert by <= {None, StaffPosition.PIT_MANAGER, StaffPosition.ASSISTANT_CASINO_MANAGER}
    passed = any(isinstance(one, c.PassOver) for one in table.acts)
    asks = game == "power-98" or method in (Method.A, Method.C)
    assert passed is (asks and present < 1)


@pytest.mark.parametrize(("game", "method"), [("baccarat", Method.B), ("tiger", None)])
def test_a_shoe_without_a_cut_card_ends_before_a_round_runs_out_of_cards(
    game: str, method: Method | None
) -> None:
    table = dealt(game, method, seed=2, behind_cut=0)
    while len(table.table.shoes) < 2:
        table.play_round()
    assert not any(isinstance(event, i.RoundVoided) for event in table.events)
    (ended,) = [event for event in table.events if isinstance(event, e.ShoeEnded)]
    assert ended.why == "ended by system"


@every_table
def test_the_clocks_are_kept_to_the_millisecond(game: str, method: Method | None) -> None:
    table = dealt(game, method, seed=3, present=0.5)
    for _ in range(6):
        table.play_round()
    clocks = table.table.settings.clocks
    last: dict[str, object] = {}
    for event in table.events:
        name = type(event).__name__
        if isinstance(event, e.BetsClosed):
            assert event.moment - last["BetsOpened"].moment == ms(clocks.betting_ms)  # type: ignore[attr-defined]
        if isinstance(event, e.BetsOpened) and "RoundClosed" in last:
            assert event.moment - last["RoundClosed"].moment == ms(clocks.pause_ms)  # type: ignore[attr-defined]
        last[name] = event
    drawn = [one.moment for one in table.events if isinstance(one, e.CardDrawn)]
    if method is not Method.C:
        assert min(b - a for a, b in pairwise(drawn) if a and b) == ms(clocks.pace_ms)


@every_table
def test_a_pace_of_nothing_deals_without_waiting(game: str, method: Method | None) -> None:
    table = dealt(game, method, seed=4, clocks=AT_ONCE)
    start = table.moment
    for _ in range(3):
        table.play_round()
    assert table.moment == start
    assert table.waits == 0


def test_the_closing_is_told_and_a_hurried_house_does_not_wait_for_it() -> None:
    table = dealt("tiger", None, seed=1)
    while table.table.phase is not Phase.OPEN:
        table.step()
    opened = table.table.round
    assert opened is not None
    assert closes_at(table.table) == opened.opened + ms(15_000)
    assert next_act(table.table, table.moment) == WaitUntil(opened.opened + ms(15_000))
    assert next_act(table.table, table.moment, hurried=True) == Act(c.CloseBets())
    floor = Floor("baccarat")
    floor.open_bets()
    assert closes_at(floor.table) is None


# Who is there


@pytest.mark.parametrize(("game", "method"), [LIVE[0], ("tiger", None)])
def test_a_table_with_nobody_seated_waits_unless_it_is_set_not_to(
    game: str, method: Method | None
) -> None:
    empty = Dealt(settings_of(game, method), Random(1))
    now = next_act(empty.table, empty.moment)
    assert isinstance(now, WaitFor)
    assert (now.why, now.until, now.command) == ("Nobody is seated.", None, None)
    empty.seat("Ann")
    assert isinstance(next_act(empty.table, empty.moment), Act)
    alone = Dealt(settings_of(game, method, clocks=Clocks(waits_for_patrons=False)), Random(1))
    alone.play_round()
    assert alone.table.rounds == 1


@pytest.mark.clause("EB4 5.10")
@pytest.mark.parametrize("game", ELECTRONIC)
def test_terminals_that_are_lost_and_back_do_not_stop_an_electronic_table(game: str) -> None:
    table, chance = dealt(game, None, seed=9), Random(10)
    closings: Counter[str] = Counter()
    for _ in range(600):
        place = chance.randrange(len(PATRONS)) + 1
        if chance.randrange(4) == 0:
            before = closes_at(table.table)
            lost = place in table.table.lost_terminals
            command = c.RestoreTerminal(place) if lost else c.LoseTerminal(place)
            table.ask(command, SYSTEM)
            assert closes_at(table.table) == before
            closings["lost" if not lost else "back"] += 1
        now = table.step()
        assert not isinstance(now, WaitFor)
    assert table.table.rounds > 20
    assert min(closings["lost"], closings["back"]) > 20
    table.check()


@pytest.mark.parametrize(("game", "method"), LIVE)
def test_a_dealer_takes_over_between_rounds_and_gives_the_table_back(
    game: str, method: Method | None
) -> None:
    table = dealt(game, method, seed=5)
    table.play_round()
    while table.table.phase is not Phase.OPEN:
        table.step()
    table.ask(c.SignIn(), DEALER)
    assert table.table.dealt_by == "house"
    while not table.table.between_rounds:
        table.step()
    assert table.table.dealt_by == "dealer"
    now = next_act(table.table, table.moment + ms(60_000))
    assert isinstance(now, WaitFor)
    assert now.positions == (StaffPosition.DEALER,)
    assert isinstance(now.command, c.CallBets | c.LoadShoe)
    refusal = table.try_(c.CallBets(), SYSTEM)
    assert refusal is not None
    assert refusal.code is Code.NEEDS_DEALER
    table.ask(c.CallBets(), DEALER)
    assert table.table.round is not None
    assert table.table.round.dealt_by == "dealer"
    by_the_dealer(table)
    table.ask(c.SignOut(), DEALER)
    assert table.table.dealt_by == "house"
    table.play_round()
    stamps = [one.dealt_by for one in table.events if isinstance(one, e.BetsOpened)]
    assert stamps == ["house", "house", "dealer", "house"]
    table.check()


def by_the_dealer(table: Dealt, steps: int = STEPS_MAX) -> None:
    """Let the Dealer, and patrons whose turn it is, go on for so many steps of a round."""
    while steps and not table.table.between_rounds:
        now = table.next()
        assert isinstance(now, WaitFor)
        assert now.command is not None
        table.wagers()
        actor = Patron(now.patrons[0]) if now.patrons else DEALER
        table.ask(now.command, actor)
        steps -= 1


@pytest.mark.parametrize(("game", "method"), LIVE)
def test_a_dealer_who_leaves_in_the_middle_of_a_round_leaves_it_to_the_house(
    game: str, method: Method | None
) -> None:
    seen: set[Phase] = set()
    steps, over = 0, False
    while not over:
        table = dealt(game, method, seed=9, present=0.5)
        table.ask(c.SignIn(), DEALER)
        while table.table.round is None:
            now = table.next()
            assert isinstance(now, WaitFor)
            assert now.command is not None
            table.ask(now.command, DEALER)
        by_the_dealer(table, steps)
        over = table.table.between_rounds
        seen.add(table.table.phase)
        table.moment += timedelta(hours=1)
        table.ask(c.SignOut(), DEALER)
        assert (table.table.dealt_by, table.table.dealer) == ("house", None)
        if not over:
            check_given_back(table)
        # Whoever comes back deals the next round, and not this one.
        table.ask(c.SignIn(), DEALER)
        while not table.table.between_rounds:
            assert table.table.dealt_by == "house"
            table.step()
        assert table.table.dealt_by == "dealer"
        table.check()
        steps += 1
    assert seen >= {Phase.OPEN, Phase.CLOSED, Phase.DEALING, Phase.RESULT, Phase.SETTLED}
    assert (Phase.SHAKE in seen) is (game == "power-98")


def check_given_back(table: Dealt) -> None:
    """Test that the clocks of a round that the house goes on with begin anew."""
    now, clocks = table.next(), table.table.settings.clocks
    if table.table.phase is Phase.OPEN:
        assert now == WaitUntil(table.moment + ms(clocks.betting_ms))
        assert closes_at(table.table) == table.moment + ms(clocks.betting_ms)
    elif isinstance(now, WaitFor):
        assert now.patrons
        assert now.until == table.moment + ms(clocks.answer_ms)
    else:
        assert now == WaitUntil(table.moment + ms(clocks.pace_ms))


@pytest.mark.parametrize("within", [False, True])
def test_whoever_signed_in_is_out_when_dealers_deal_the_table_anyway(*, within: bool) -> None:
    table = dealt("baccarat", Method.B, seed=4)
    table.ask(c.SignIn(), DEALER)
    table.ask(c.LoadShoe("one"), DEALER)
    if within:
        table.ask(c.CallBets(), DEALER)
    table.ask(c.SetDealtBy(DealtBy.DEALER), MANAGER)
    assert (table.table.dealer is None) is not within
    by_the_dealer(table)
    table.ask(c.CallBets(), DEALER)
    assert table.table.dealer is None
    (out,) = [event for event in table.events if isinstance(event, e.DealerSignedOut)]
    assert (out.dealer, out.by.name) == (DEALER.name, MANAGER.name)
    by_the_dealer(table)
    table.ask(c.SetDealtBy(DealtBy.HOUSE), MANAGER)
    # Nobody signed in since: the house deals.
    assert table.table.dealt_by == "house"
    table.play_round()
    table.check()


def test_who_deals_can_be_set_during_a_round_and_counts_from_its_end() -> None:
    floor = Floor("baccarat", device=Device(physical=False))
    floor.seat("Ann")
    floor.open_bets()
    floor.do(c.SetDealtBy(DealtBy.HOUSE), MANAGER)
    assert not floor.table.system_deals
    assert isinstance(next_act(floor.table, floor.moment), WaitFor)
    floor.close_bets()
    floor.deal("4S 2H 5D 3C")
    floor.pay()
    assert floor.table.system_deals
    assert next_act(floor.table, floor.moment + ms(60_000)) == Act(c.CallBets())
    floor.do(c.CallBets(), SYSTEM)
    assert floor.last(e.BetsOpened).dealt_by == "house"


@pytest.mark.parametrize("device", [Device(physical=True), Device(reads_cards=False)])
def test_the_house_deals_no_cards_of_paper_and_none_it_cannot_read(device: Device) -> None:
    floor = Floor("baccarat", device=device)
    refusal = floor.refused(c.SetDealtBy(DealtBy.HOUSE), MANAGER)
    assert refusal.code is Code.DEVICE_CANNOT


# What the system may


def house_scene(right: Right) -> tuple[Table, c.Envelope]:
    """Return a scene at a table that the house deals, and the command as the system's."""
    others = {} if right.code == "EB4" else {"dealt_by": DealtBy.HOUSE}
    if right.what in ("sign in", "sign out", "pass over"):
        others = {}
    scene = SCENES[right.what](right.code, **others)
    moment = scene.pit.table.since or scene.pit.moment
    envelope = c.Envelope(
        scene.command, SYSTEM, max(moment, scene.pit.moment), None, scene.cards, scene.die
    )
    return scene.pit.table, envelope


UNREAD = ("expose card", "confirm report gone", "reserve cards", "record sorting", "substitute")
"""Scenes with cards that no device read: from such a one the house does not deal."""
HOUSE_SCENES = [one for one in ALL if one.what not in UNREAD or one.code == "EB4"]


@pytest.mark.parametrize("right", HOUSE_SCENES, ids=lambda right: f"{right.code}-{right.what}")
def test_the_system_may_what_a_dealer_deals_where_it_deals_and_never_more(right: Right) -> None:
    table, envelope = house_scene(right)
    answer = decide(table, envelope)
    refused = isinstance(answer, Refusal) and answer.code.value.startswith(
        ("needs_", "not_yours", "no_proxy")
    )
    dealing = right.position is StaffPosition.DEALER and type(envelope.command) in DEALT
    house = table.plan is not None and table.dealt_by == "house"
    assert refused is not (right.system or (dealing and house)), answer


def test_at_a_table_that_dealers_deal_the_system_does_nothing() -> None:
    for right in ALL:
        if right.position is not StaffPosition.DEALER or right.system or right.code == "EB4":
            continue
        if right.what.startswith("sign"):
            continue
        scene = SCENES[right.what](right.code)
        now = next_act(scene.pit.table, scene.pit.moment + ms(10**9))
        assert isinstance(now, WaitFor), right
        assert now.until is None
        envelope = c.Envelope(
            scene.command, SYSTEM, scene.pit.moment, None, scene.cards, scene.die
        )
        assert isinstance(decide(scene.pit.table, envelope), Refusal), right


def test_what_is_above_a_dealer_waits_for_people() -> None:
    table = dealt("baccarat", Method.B, seed=1, differential_cents=100_00)
    while table.table.phase is not Phase.OPEN:
        table.step()
    table.ask(c.PlaceWager("Ann", "player", 900_00), Patron("Ann"))
    closing = closes_at(table.table)
    assert closing is not None
    table.wait(closing)
    for kind in (c.CloseBets, c.AskToLower):
        now = table.next()
        while isinstance(now, WaitUntil):
            table.wait(now.moment)
            now = table.next()
        assert isinstance(now, Act)
        assert type(now.command) is kind
        table.ask(now.command, now.actor)
    now = next_act(table.table, table.moment + ms(10**9))
    assert isinstance(now, WaitFor)
    assert (now.positions, now.patrons) == ((StaffPosition.PIT_MANAGER,), ("Ann",))
    assert (now.until, now.clause) == (None, "BAC8 5.18.3")


# Patrons who do not answer


@pytest.mark.clause("BAC8 5.10", "FF3 5.10")
@pytest.mark.parametrize(("game", "method"), LIVE)
def test_whoever_is_absent_keeps_wagers_and_the_round_goes_on(
    game: str, method: Method | None
) -> None:
    absent, there = (dealt(game, method, seed=6, present=one) for one in (0.0, 1.0))
    for table in (absent, there):
        for _ in range(5):
            table.play_round()
        table.check()
    refused = (e.ShakerRefused, e.ShoeRefused, e.HandRefused)
    gone = [one for one in absent.events if isinstance(one, refused)]
    assert all(not one.answered for one in gone)
    assert all(one.answered for one in there.events if isinstance(one, refused))
    if method is Method.A:
        reports = [one for one in absent.events if isinstance(one, i.IrregularityReported)]
        assert {one.report.situation for one in reports} == {Situation.HANDLER_ABSENT}
        assert {one.clause for one in reports} == {f"{absent.table.settings.rulebook} 5.10"}
    elif method is Method.C or game == "power-98":
        assert gone
    # Nobody's wager left a round because of it.
    assert not any(isinstance(one, e.WagerReturned) for one in absent.events)


def test_a_patron_is_passed_over_when_the_time_is_over_and_not_before() -> None:
    table = dealt("power-98", None, seed=2)
    while not (table.table.round and table.table.round.shaker):
        table.step()
    assert table.table.round is not None
    patron = table.table.round.shaker
    assert patron is not None
    now = table.next()
    assert isinstance(now, WaitFor)
    assert now.until is not None
    assert now.patrons == (patron,)
    for actor in (SYSTEM, DEALER, Patron(patron), MANAGER):
        early = table.try_(c.PassOver(patron), actor)
        assert early is not None
        assert (early.code is Code.TIME_LEFT) is (actor is SYSTEM)
    table.wait(now.until)
    assert table.next() == Act(c.PassOver(patron))


# The house stands still, and starts again


@pytest.mark.clause("EB4 5.9.1", "EB4 5.9.2", "BAC8 5.17.1", "BAC8 5.17.2")
@pytest.mark.clause("FF3 5.17.1", "FF3 5.17.2")
@every_table
def test_a_clock_that_ran_out_while_the_house_was_down_does_nothing_by_itself(
    game: str, method: Method | None
) -> None:
    chance, seen = Random(f"{game} {method}"), Counter[str]()
    table = dealt(game, method, seed=7, present=0.5)
    for _ in range(RESTARTS):
        for _ in range(chance.randrange(1, 40)):
            table.step()
        restart(table, chance, seen)
        table.play_round()
    table.check()
    assert seen["open"] > 0
    assert seen["later"] > 0


def restart(table: Dealt, chance: Random, seen: Counter[str]) -> None:
    """Let the house be down for hours, and test what stands when it starts again."""
    before, code = table.table, table.table.settings.rulebook
    table.moment += timedelta(hours=chance.randrange(1, 5))
    if interrupted(before, 2) is None:
        return
    table.table = fold(before, events := consequence(before, table.moment))
    table.events += events
    after, clocks = table.table, table.table.settings.clocks
    if before.phase is not Phase.OPEN:
        seen["later"] += 1
    elif before.hold is None:
        seen["open"] += 1
        expected = {"EB4": Phase.VOID}.get(code, Phase.OPEN)
        assert after.phase is expected
        if code in ("PB6", "F6T2"):
            assert after.hold is not None
            assert after.hold.kind is HoldKind.REFERRAL
        elif code != "EB4":
            assert (after.hold is not None) is bool(before.stakes)
    now = table.next()
    if after.phase is Phase.OPEN and after.hold is None:
        # Nobody could wager meanwhile: the betting time begins anew.
        assert now == WaitUntil(table.moment + ms(clocks.betting_ms))
    elif after.hold is not None and after.hold.kind is HoldKind.WITHDRAWAL:
        assert isinstance(now, WaitFor)
        assert now.until == table.moment + ms(clocks.answer_ms)
    else:
        assert now != Act(c.CloseBets())


def test_betting_goes_on_after_an_option_with_the_whole_betting_time() -> None:
    table = dealt("baccarat", Method.B, seed=8, present=0.0)
    while not table.table.stakes:
        table.step()
    # The clock stands at the closing, and the power fails before it is called.
    restart(table, Random(1), Counter())
    while table.table.hold is not None:
        table.step()
    lifted = table.moment
    assert table.table.phase is Phase.OPEN
    assert closes_at(table.table) == lifted + ms(15_000)
    assert [one for one in table.events if isinstance(one, i.WagersKept)][-1].answered is False


# From anywhere


def test_from_wherever_a_walk_comes_there_is_a_way_to_the_end_of_the_round() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=WALKS * len(SLUGS), phases=(Stage.generate,))
    @given(seed=st.integers(0, 2**32), game=st.sampled_from(SLUGS))
    def walks(seed: int, game: str) -> None:
        walk = Walk(game, Random(seed))
        for _ in range(WALK_STEPS):
            walk.bring(walk.next())
            if walk.table.plan is None:
                continue
            seen[walk.table.dealt_by] += 1
            for chance in (None, Random(seed)):
                script: list[c.Envelope] = []
                finish(Desk(walk.table), walk.moment, chance, script)
                seen.update(type(one.command).__name__ for one in script if one.actor == SYSTEM)
            check_next(walk.table, walk)

    walks()
    assert min(seen["house"], seen["dealer"], seen["system"]) > 100
    assert min(seen[one] for one in ("PassOver", "EndOption", "PassHand", "AnnounceDie")) > 5


def check_next(table: Table, walk: Walk) -> None:
    """Test what must hold of what comes next, at any table."""
    for later in (0, 600, 20_000, 10**7):
        moment = walk.moment + ms(later)
        now = next_act(table, moment)
        assert now == next_act(table, moment)
        if isinstance(now, Act):
            assert table.system_deals
            cards = (walk.face(),) if now.source is Source.CARD else ()
            envelope = c.Envelope(now.command, now.actor, moment, None, cards, 3)
            assert not isinstance(decide(table, envelope), Refusal), now
        elif isinstance(now, WaitUntil):
            assert table.system_deals
            assert now.moment > moment
        elif now.command is None:
            assert now.positions or now.patrons or now.why == "Nobody is seated."
    msgspec.json.encode(now)


def test_a_dealer_who_relieves_another_deals() -> None:
    table = dealt("baccarat", Method.B, seed=1)
    table.ask(c.SignIn(), DEALER)
    table.ask(c.SignIn(), Staff("Dot", StaffPosition.DEALER))
    assert table.table.dealer == "Dot"
