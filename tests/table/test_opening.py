"""Opening a table: its rulebook in force, layout, room, method, shoe and seats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from croupier.money import Rounding
from croupier.rulebooks import GAMES as ALL_GAMES
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import decide
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Acting, Patron, Staff, StaffPosition
from croupier.table.rulebook import SINGAPORE
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Method, Readings
from croupier.table.state import Phase, unopened
from tests.table.helpers import (
    ADA,
    CREDIT,
    DAN,
    GAMES,
    LIMITS,
    MIA,
    NOW,
    PLAYER_WINS,
    SAM,
    SUE,
    SYSTEM,
    UNREAD,
    WITH_METHODS,
    Pit,
    pit,
    settings,
)
from tests.table.scenes import dealing, staked

if TYPE_CHECKING:
    from croupier.table.roles import Actor

# Version and effective moment, as each title page has them.
EDITIONS = {
    "BAC8": (8, datetime(2020, 1, 23, tzinfo=SINGAPORE)),
    "FF3": (3, datetime(2020, 1, 23, tzinfo=SINGAPORE)),
    "PB6": (6, datetime(2017, 2, 17, tzinfo=SINGAPORE)),
    "F6T2": (2, datetime(2017, 5, 5, tzinfo=SINGAPORE)),
    "EB4": (4, datetime(2025, 3, 20, 9, tzinfo=SINGAPORE)),
}
MINUTE = timedelta(minutes=1)


def opening(
    code: str,
    moment: datetime = NOW,
    method: str | None = None,
    **others: Any,  # noqa: ANN401
) -> Refusal | tuple[e.Event, ...]:
    """Return the answer to the opening of a table."""
    command = c.OpenTable(settings(code, method, **others))
    actor = ADA if method == "C" else MIA
    return decide(unopened(RULEBOOKS), c.Envelope(command, actor, moment))


def refused(
    code: str,
    method: str | None = None,
    **others: Any,  # noqa: ANN401
) -> tuple[Code, str | None]:
    """Return why a table does not open."""
    answer = opening(code, method=method, **others)
    assert isinstance(answer, Refusal), answer
    return answer.code, answer.clause


# The rulebook in force


@pytest.mark.clause("BAC8 preamble#version", "FF3 preamble#version", "PB6 preamble#version")
@pytest.mark.clause("F6T2 preamble#version", "EB4 preamble#version")
@pytest.mark.parametrize("code", EDITIONS)
def test_a_table_opens_from_the_effective_moment_on_and_not_a_minute_before(code: str) -> None:
    version, effective = EDITIONS[code]
    early = opening(code, effective - MINUTE)
    assert isinstance(early, Refusal)
    assert (early.code, early.clause) == (Code.NOT_IN_FORCE, f"{code} preamble")
    answer = opening(code, effective)
    assert isinstance(answer, tuple)
    (opened,) = answer
    assert isinstance(opened, e.TableOpened)
    assert (opened.version, opened.effective) == (version, effective)
    assert (opened.settings.rulebook, opened.by.moment) == (code, effective)


@pytest.mark.clause("EB4 preamble#version")
def test_the_effective_moment_is_one_instant_in_every_time_zone() -> None:
    nine = datetime(2025, 3, 20, 1, tzinfo=UTC)
    assert isinstance(opening("EB4", nine), tuple)
    assert isinstance(opening("EB4", nine - MINUTE), Refusal)
    assert isinstance(opening("EB4", datetime(2026, 1, 1)), Refusal)  # noqa: DTZ001


@pytest.mark.clause("BAC8 preamble#version", "FF3 preamble#version", "PB6 preamble#version")
@pytest.mark.clause("F6T2 preamble#version", "EB4 preamble#version")
@pytest.mark.parametrize("code", EDITIONS)
def test_every_round_is_stamped_with_its_rulebook_version_and_effective_moment(
    code: str,
) -> None:
    p = pit(code)
    for number in (1, 2):
        p.round(PLAYER_WINS)
        stamp = p.last(e.BetsOpened)
        assert (stamp.round, stamp.rulebook, stamp.game) == (number, code, GAMES[code])
        assert (stamp.version, stamp.effective) == EDITIONS[code]


def test_an_unknown_rulebook_or_game_is_named_with_those_there_are() -> None:
    command = c.OpenTable(settings("PB6", game="baccarat"))
    answer = decide(unopened(RULEBOOKS), c.Envelope(command, MIA, NOW))
    assert isinstance(answer, Refusal)
    assert answer.code is Code.GAME_NOT_IN_RULEBOOK
    assert answer.sentence == "Power Baccarat 98 has no game 'baccarat'; it has power-98."
    unknown = c.OpenTable(settings("PB6", game="power-98")).settings
    answer = decide(unopened(RULEBOOKS[:2]), c.Envelope(c.OpenTable(unknown), MIA, NOW))
    assert isinstance(answer, Refusal)
    assert answer.code is Code.UNKNOWN_RULEBOOK
    assert "the rulebooks are BAC8 and FF3" in answer.sentence


def test_nothing_is_done_before_the_opening_and_no_table_opens_twice() -> None:
    for command in (c.CallBets(), c.TakeSeat("ann", 1), c.CloseTable()):
        answer = decide(unopened(RULEBOOKS), c.Envelope(command, DAN, NOW))
        assert isinstance(answer, Refusal)
        assert answer.code is Code.TABLE_NOT_OPEN
    again = pit("BAC8").refused(c.OpenTable(settings("PB6")), MIA)
    assert again.code is Code.TABLE_ALREADY_OPEN


@pytest.mark.clause("BAC8 6.2")
def test_who_opened_a_table_is_recorded_with_the_own_position_and_the_one_acted_for() -> None:
    acting = Acting(StaffPosition.PIT_MANAGER, NOW, NOW + MINUTE)
    for staff, acts_for in (
        (MIA, None),
        (ADA, StaffPosition.PIT_MANAGER),
        (Staff("Eli", StaffPosition.DEALER, acting), StaffPosition.PIT_MANAGER),
    ):
        p = Pit(settings("BAC8"), staff)
        by = p.last(e.TableOpened).by
        assert (by.name, by.position, by.acting_for) == (staff.name, staff.position, acts_for)


# Layouts

# Layout and least and most playing positions, as the appendices have them; 0: none stated.
LAYOUTS = """
BAC8 A 1 7,  BAC8 B 1 9,  BAC8 C 7 14, BAC8 D 1 1,  BAC8 E 1 1
FF3 A 1 5,   FF3 B 1 7,   FF3 C 1 9,   FF3 D 1 1,   FF3 E 8 16
PB6 A 0 0,   PB6 B 0 0,   PB6 C 0 0,   PB6 D 0 0,   PB6 E 0 0
F6T2 A 0 0,  F6T2 B 0 0,  F6T2 C 0 0,  F6T2 D 0 0
"""
EACH_LAYOUT = [cell.split() for cell in LAYOUTS.replace("\n", ",").split(",") if cell.strip()]


@pytest.mark.clause("BAC8 2.2", "FF3 2.2", "PB6 2.2", "F6T2 2.2")
@pytest.mark.parametrize(("code", "layout", "least", "most"), EACH_LAYOUT)
def test_a_table_has_one_of_the_layouts_with_as_many_positions_as_it_allows(
    code: str, layout: str, least: str, most: str
) -> None:
    low, high = int(least) or 1, int(most) or 20
    for positions in {low, high}:
        opened = opening(code, layout=layout, positions=positions)
        assert isinstance(opened, tuple), (positions, opened)
    kind = "appendix" if int(most) else "diagram"
    for positions in {0, low - 1, *([high + 1] if int(most) else [])}:
        answer = refused(code, layout=layout, positions=positions)
        assert answer == (Code.BAD_POSITIONS, f"{code} {kind}-{layout}")


@pytest.mark.clause("BAC8 2.2", "FF3 2.2", "PB6 2.2", "F6T2 2.2")
@pytest.mark.parametrize(
    ("code", "letter"), [("BAC8", "F"), ("FF3", "F"), ("PB6", "F"), ("F6T2", "E")]
)
def test_a_layout_that_the_rulebook_does_not_have_is_refused(code: str, letter: str) -> None:
    assert refused(code, layout=letter) == (Code.BAD_LAYOUT, f"{code} 2.2")


@pytest.mark.clause("EB4 2.2")
@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("super-six", "A"),
        ("fortune-six", "BJ"),
        ("super-6", "CK"),
        ("no-commission", "D"),
        ("tiger", "EI"),
        ("tiger-no-commission", "FH"),
        ("fabulous-4s", "G"),
    ],
)
def test_a_terminal_shows_a_layout_of_its_game(game: str, letters: str) -> None:
    for letter in "ABCDEFGHIJKL":
        if letter in letters:
            assert isinstance(opening("EB4", game=game, layout=letter), tuple)
        else:
            answer = refused("EB4", game=game, layout=letter)
            assert answer == (Code.BAD_LAYOUT, "EB4 2.2")


# Rooms and methods


@pytest.mark.clause("BAC8 1.1.3", "FF3 1.1.4")
@pytest.mark.parametrize("code", WITH_METHODS)
@pytest.mark.parametrize(
    ("room", "high_limit"),
    [("Paiza Club", True), ("Ruby Room", True), ("Main floor", False), ("", False)],
)
def test_two_rooms_are_high_limit_and_only_they_have_what_is_for_high_limits(
    code: str, room: str, *, high_limit: bool
) -> None:
    p = pit(code, room=room)
    assert p.table.plan is not None
    assert p.table.plan.hlga is high_limit
    p.bets(("ann", "player", 100_00))
    p.do(c.ShowCutCard())
    for command, actor in ((c.OfferWithdrawal(), DAN), (c.SetMethod(Method.C), ADA)):
        answer = p.try_(command, actor)
        if high_limit:
            assert not isinstance(answer, Refusal), answer
        else:
            assert isinstance(answer, Refusal)
            assert answer.code is Code.HLGA_ONLY


@pytest.mark.clause("BAC8 3.8", "FF3 3.8")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_a_table_does_not_open_without_a_dealing_method(code: str) -> None:
    assert refused(code, "") == (Code.METHOD_NEEDED, f"{code} 3.8")


@pytest.mark.clause("BAC8 3.8", "FF3 3.8")
@pytest.mark.parametrize("code", WITH_METHODS)
@pytest.mark.parametrize("method", ["A", "B", "C"])
def test_every_round_carries_its_one_method(code: str, method: str) -> None:
    p = pit(code, method)
    p.call()
    assert p.last(e.BetsOpened).method == method


@pytest.mark.clause("BAC8 3.8.2#method-c", "FF3 3.8.2#method-c")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_method_c_is_for_the_high_limit_rooms(code: str) -> None:
    assert refused(code, "C", room="Main floor") == (Code.HLGA_ONLY, f"{code} 3.8.2")
    assert isinstance(opening(code, method="C", room="Paiza Club"), tuple)
    p = pit(code)
    answer = p.refused(c.SetMethod(Method.C), ADA)
    assert (answer.code, answer.clause) == (Code.HLGA_ONLY, f"{code} 3.8.2")


@pytest.mark.clause("BAC8 3.11.1", "FF3 3.11.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_method_c_needs_a_device_that_reads_cards(code: str) -> None:
    assert refused(code, "C", device=UNREAD) == (Code.DEVICE_CANNOT, f"{code} 3.11.1")
    p = pit(code, room="Ruby Room", device=UNREAD)
    answer = p.refused(c.SetMethod(Method.C), ADA)
    assert (answer.code, answer.clause) == (Code.DEVICE_CANNOT, f"{code} 3.11.1")


@pytest.mark.clause("BAC8 3.8.2", "FF3 3.8.2")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_another_method_holds_at_once_between_rounds_and_else_from_the_next_on(
    code: str,
) -> None:
    p = pit(code, "A")
    p.do(c.SetMethod(Method.B, "a full table"), MIA)
    assert p.table.settings.method is Method.B
    p.call()
    assert p.last(e.BetsOpened).method == "B"
    p.do(c.SetMethod(Method.A, "asked for"), MIA)
    assert isinstance(p.events[-1], e.SettingsScheduled)
    assert p.table.settings.method is Method.B
    p.close()
    p.deal(PLAYER_WINS)
    p.finish()
    assert p.table.settings.method is Method.B
    p.call()
    assert p.last(e.BetsOpened).method == "A"
    changed = p.last(e.SettingsChanged)
    assert (changed.settings.method, changed.by.name) == (Method.A, "Mia")


@pytest.mark.parametrize("code", ["PB6", "F6T2", "EB4"])
@pytest.mark.parametrize(
    "asked",
    [
        {"method": "A"},
        {"differential_cents": 100_00},
        {"wagers_per_area": 2},
        {"readings": Readings(power_ties_are_natural=True)},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_what_the_rulebook_has_no_rule_on_cannot_be_set(
    code: str, asked: dict[str, Any]
) -> None:
    if code == "PB6" and "readings" in asked:
        assert isinstance(opening(code, **asked), tuple)
    else:
        assert refused(code, **asked) == (Code.NOT_IN_RULEBOOK, None)


@pytest.mark.parametrize("code", WITH_METHODS)
def test_a_table_differential_is_not_negative_and_may_be_nothing(code: str) -> None:
    for cents in (-1, 10**12 + 1):
        assert refused(code, differential_cents=cents) == (Code.BAD_LIMITS, f"{code} 5.18")
        answer = pit(code).refused(c.SetDifferential(cents), MIA, approver=SAM)
        assert (answer.code, answer.clause) == (Code.BAD_LIMITS, f"{code} 5.18")
    assert isinstance(opening(code, differential_cents=0), tuple)


@pytest.mark.parametrize("cents", [None, 100_00])
@pytest.mark.parametrize("code", ["PB6", "F6T2", "EB4"])
def test_a_rulebook_without_a_differential_has_none_to_set_or_to_lift(
    code: str, cents: int | None
) -> None:
    answer = pit(code).refused(c.SetDifferential(cents), MIA, approver=SAM)
    assert answer.code is Code.NOT_IN_RULEBOOK


# What else is set


@pytest.mark.clause("BAC8 2.1", "FF3 2.1", "PB6 2.1", "F6T2 2.1", "EB4 2.1")
@pytest.mark.parametrize("code", GAMES)
def test_a_shoe_has_four_to_ten_decks(code: str) -> None:
    for decks in (4, 10):
        p = pit(code, decks=decks)
        assert p.table.shoe is not None
        assert p.table.shoe.cards == decks * (65 if code == "FF3" else 52)
    for decks in (0, 3, 11):
        assert refused(code, decks=decks) == (Code.BAD_DECKS, f"{code} 2.1")


BAD_LIMITS = [
    {"fortune": Limits(100, 1000)},
    {"*": Limits(0, 1000)},
    {"*": Limits(1000, 500)},
    {"*": Limits(150, 1000)},
    {"*": Limits(100, 1050)},
    {"*": Limits(100, 1000, 0)},
    {"*": Limits(100, 10**12 + 100)},
]


@pytest.mark.parametrize("code", GAMES)
@pytest.mark.parametrize("limits", BAD_LIMITS, ids=str)
def test_limits_name_a_wager_are_in_order_and_fit_the_step(
    code: str, limits: dict[str, Limits]
) -> None:
    clause = {"BAC8": "BAC8 3.5.1", "FF3": "FF3 3.5.1", "EB4": "EB4 2.2"}.get(code)
    assert refused(code, limits=limits) == (Code.BAD_LIMITS, clause)
    answer = pit(code).refused(c.SetLimits(limits), MIA, approver=SAM)
    assert (answer.code, answer.clause) == (Code.BAD_LIMITS, clause)


@pytest.mark.parametrize("game", [game.slug for game in ALL_GAMES])
def test_a_step_that_would_round_needs_a_rounding(game: str) -> None:
    code = next(one.edition.code for one in ALL_GAMES if one.slug == game)
    cent = {"*": Limits(1, 1000, 1)}
    if game == "fortune-six-tournament":
        # Its odds are whole: no line ever rounds.
        assert isinstance(opening(code, game=game, limits=cent), tuple)
        return
    assert refused(code, game=game, limits=cent)[0] is Code.ROUNDING_NEEDED
    assert isinstance(opening(code, game=game, limits=cent, rounding=Rounding.DOWN), tuple)


def test_an_optional_wager_is_one_that_the_game_has() -> None:
    assert refused("EB4", optional=("tiger", "super-6")) == (Code.BAD_OFFER, None)
    assert refused("BAC8", optional=("tie",)) == (Code.BAD_OFFER, None)
    assert isinstance(opening("EB4", optional=("tiger",)), tuple)


@pytest.mark.clause("BAC8 3.6.1", "FF3 3.6.1")
@pytest.mark.parametrize("code", WITH_METHODS)
def test_an_area_cannot_hold_more_than_three_wagers_or_none(code: str) -> None:
    for wagers in (0, 4):
        assert refused(code, wagers_per_area=wagers) == (Code.BAD_CAP, f"{code} 3.6")
        answer = pit(code).refused(c.SetAreaCap(wagers), MIA)
        assert (answer.code, answer.clause) == (Code.BAD_CAP, f"{code} 3.6")
    assert isinstance(opening(code, wagers_per_area=1), tuple)


@pytest.mark.parametrize("code", WITH_METHODS)
def test_settings_changed_during_a_round_add_up_and_hold_from_the_next(code: str) -> None:
    p = staked(code)
    before = p.table.settings
    p.do(c.SetAreaCap(2), MIA)
    p.do(c.SetLimits(LIMITS), MIA, approver=SAM)
    p.do(c.SetDifferential(900_00), MIA, approver=SAM)
    assert p.table.settings == before
    p.close()
    p.deal(PLAYER_WINS)
    p.finish()
    p.call()
    after = p.table.settings
    assert (after.wagers_per_area, after.limits, after.differential_cents) == (
        2,
        LIMITS,
        900_00,
    )
    assert p.table.scheduled is None


# The shoe


def test_a_shoe_is_loaded_and_ended_between_rounds_only() -> None:
    p = pit("BAC8")
    assert p.refused(c.LoadShoe("second")).code is Code.SHOE_IN_USE
    p.call()
    for command in (c.LoadShoe("second"), c.EndShoe()):
        assert p.refused(command).code is Code.ROUND_IN_PROGRESS
    p.close()
    p.deal(PLAYER_WINS)
    p.finish()
    p.do(c.EndShoe())
    assert p.refused(c.EndShoe()).code is Code.NO_SHOE
    assert p.refused(c.CallBets()).code is Code.NO_SHOE
    assert p.refused(c.LoadShoe("second", 417)).code is Code.BAD_CUT
    p.do(c.LoadShoe("second", 416))
    assert p.table.shoe is not None
    assert (p.table.shoe.name, p.table.shoe.left, p.table.results) == ("second", 416, ())


def test_a_shoe_that_was_in_play_is_not_loaded_again() -> None:
    p = pit("BAC8")
    p.do(c.EndShoe())
    assert p.refused(c.LoadShoe("first")).code is Code.CARDS_MUST_BE_REPLACED
    p.do(c.LoadShoe("second"))
    p.do(c.EndShoe())
    for name in ("first", "second"):
        assert p.refused(c.LoadShoe(name)).code is Code.CARDS_MUST_BE_REPLACED


def test_cards_removed_unseen_are_counted() -> None:
    p = pit("BAC8", decks=4)
    p.do(c.RemoveCards(8))
    assert p.table.shoe is not None
    assert p.table.shoe.left == 200
    for count in (0, -1, 201):
        assert p.refused(c.RemoveCards(count)).code is Code.NOT_ENOUGH_CARDS
    p.do(c.EndShoe())
    assert p.refused(c.RemoveCards(1)).code is Code.NO_SHOE


# Seats, credit and terminals


@pytest.mark.parametrize("code", GAMES)
def test_a_patron_comes_to_one_position_that_exists(code: str) -> None:
    p = pit(code)
    for position in (0, 8):
        assert p.refused(c.TakeSeat("eve", position)).code is Code.UNKNOWN_POSITION
    assert p.refused(c.TakeSeat("ann", 5)).code is Code.ALREADY_SEATED
    p.do(c.TakeSeat("eve", 5), Patron("eve"))
    assert (p.table.seats["eve"], p.table.credits["eve"]) == (5, 0)


@pytest.mark.clause("EB4 1.1.15")
def test_a_terminal_has_one_patron_and_a_playing_position_may_have_several() -> None:
    answer = pit("EB4").refused(c.TakeSeat("eve", 1))
    assert (answer.code, answer.clause) == (Code.POSITION_TAKEN, "EB4 1.1.15")
    for code in ("BAC8", "FF3", "PB6", "F6T2"):
        p = pit(code)
        p.do(c.TakeSeat("eve", 1))
        assert p.table.seats["eve"] == p.table.seats["ann"] == 1


@pytest.mark.clause("EB4 1.1.15")
def test_at_a_terminal_a_patron_buys_500_loses_100_and_cashes_out_400() -> None:
    p = Pit(settings("EB4"), SYSTEM)
    p.do(c.TakeSeat("eve", 1), Patron("eve"))
    p.do(c.BringCredit("eve", 500_00), SYSTEM)
    p.round(PLAYER_WINS, ("eve", "banker", 100_00))
    assert p.refused(c.TakeCredit("eve", 400_01), Patron("eve")).code is Code.NOT_ENOUGH_CREDIT
    p.do(c.TakeCredit("eve", 400_00), Patron("eve"))
    assert p.last(e.CreditTaken) == e.CreditTaken("eve", 400_00, to_wallet=True)
    assert p.table.credits["eve"] == 0
    assert p.table.bank == 100_00


@pytest.mark.clause("EB4 1.1.15")
def test_a_terminal_that_fails_between_rounds_is_in_no_round() -> None:
    p = pit("EB4")
    p.round(PLAYER_WINS, ("ann", "player", 100_00))
    p.do(c.LoseTerminal(1), SYSTEM)
    assert p.last(e.TerminalLost) == e.TerminalLost(1, None, takes_part=False, flagged=False)
    p.call()
    p.bet("bob", "player", 100_00)
    p.do(c.LoseTerminal(2), SYSTEM)
    accepted = p.last(e.TerminalLost)
    assert (accepted.takes_part, accepted.flagged) == (True, True)


@pytest.mark.clause("EB4 1.1.15")
def test_each_terminal_has_a_connection_of_its_own() -> None:
    p = pit("EB4")
    p.call()
    p.do(c.LoseTerminal(1), SYSTEM)
    answer = p.refused(c.PlaceWager("ann", "player", 100_00), Patron("ann"))
    assert answer.code is Code.TERMINAL_DOWN
    p.bet("bob", "player", 100_00)
    assert p.refused(c.LoseTerminal(1), SYSTEM).code is Code.TERMINAL_STATE
    assert p.refused(c.RestoreTerminal(2), SYSTEM).code is Code.TERMINAL_STATE
    assert p.refused(c.LoseTerminal(8), SYSTEM).code is Code.UNKNOWN_POSITION
    p.do(c.RestoreTerminal(1), SYSTEM)
    p.bet("ann", "player", 100_00)
    assert p.table.lost_terminals == frozenset()


@pytest.mark.parametrize("code", GAMES)
def test_a_patron_leaves_with_all_credit_when_nothing_is_in_play(code: str) -> None:
    p = staked(code)
    answer = p.refused(c.LeaveSeat("ann"), Patron("ann"))
    assert answer.code is Code.STAKES_IN_PLAY
    assert "300.00 in play" in answer.sentence
    p.do(c.LeaveSeat("dee"), Patron("dee"))
    assert p.last(e.CreditTaken) == e.CreditTaken("dee", CREDIT, to_wallet=True)
    assert "dee" not in p.table.seats
    for command in (c.LeaveSeat("dee"), c.TakeCredit("dee", 1), c.BringCredit("dee", 1)):
        assert p.refused(command).code is Code.NOT_AT_TABLE


@pytest.mark.clause("EB4 1.1.15")
@pytest.mark.parametrize("cash", [False, True])
@pytest.mark.parametrize("actor", [DAN, MIA, Patron("dee"), Patron("ann"), SYSTEM], ids=str)
@pytest.mark.parametrize("code", GAMES)
def test_credit_goes_to_the_wallet_unless_staff_of_a_live_table_pay_it_out(
    code: str, actor: Actor, *, cash: bool
) -> None:
    # Where no rulebook names who pays, whoever stands above a Dealer may.
    staff, own = isinstance(actor, Staff), actor in (Patron("dee"), SYSTEM)
    for command in (c.LeaveSeat("dee", cash), c.TakeCredit("dee", CREDIT, cash)):
        p = pit(code)
        answer = p.try_(command, actor)
        if cash and staff and code == "EB4":
            assert isinstance(answer, Refusal)
            assert (answer.code, answer.clause) == (Code.NOT_IN_RULEBOOK, "EB4 1.1.15")
        elif cash and not staff:
            assert isinstance(answer, Refusal)
            assert answer.code is Code.NEEDS_DEALER
        elif staff or own:
            assert isinstance(answer, tuple)
            assert answer[0] == e.CreditTaken("dee", CREDIT, to_wallet=not cash)
        else:
            assert isinstance(answer, Refusal)
            assert answer.code is Code.NOT_YOURS


def test_an_amount_of_credit_is_above_zero() -> None:
    p = pit("BAC8")
    for cents in (0, -1, 10**12 + 1):
        assert p.refused(c.BringCredit("ann", cents)).code is Code.BAD_AMOUNT
        assert p.refused(c.TakeCredit("ann", cents)).code is Code.BAD_AMOUNT


def test_a_table_closes_between_rounds_when_everybody_has_left() -> None:
    p = dealing("BAC8")
    assert p.refused(c.CloseTable(), MIA).code is Code.ROUND_IN_PROGRESS
    p.deal(PLAYER_WINS)
    p.finish()
    answer = p.refused(c.CloseTable(), MIA)
    assert answer.code is Code.PATRONS_AT_TABLE
    assert "ann, bob, cyd and dee must leave" in answer.sentence
    for patron in ("ann", "bob", "cyd", "dee"):
        p.do(c.LeaveSeat(patron))
    p.do(c.CloseTable(), MIA)
    assert p.table.phase is Phase.UNOPENED
    assert p.refused(c.CallBets()).code is Code.TABLE_NOT_OPEN
    assert p.table.bank == 200_00 - 300_00
    p.do(c.OpenTable(settings("PB6")), MIA)
    assert p.table.settings.rulebook == "PB6"


@pytest.mark.clause("PB6 5.2", "F6T2 5.2")
@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_the_closing_of_the_table_ends_what_could_still_be_void(code: str) -> None:
    p = pit(code)
    p.round(PLAYER_WINS, ("ann", "player", 100_00), ("bob", "banker", 50_00))
    assert p.refused(c.LeaveSeat("ann"), Patron("ann")).code is Code.RESERVED
    p.do(c.CloseTable(), MIA)
    paid = {event.patron: event.cents for event in p.events if isinstance(event, e.CreditTaken)}
    assert paid == {
        "ann": CREDIT + 100_00,
        "bob": CREDIT - 50_00,
        "cyd": CREDIT,
        "dee": CREDIT,
    }
    assert p.table.phase is Phase.UNOPENED
    assert (p.table.seats, p.table.bank) == ({}, -50_00)


@pytest.mark.clause("PB6 5.2", "F6T2 5.2")
@pytest.mark.parametrize("takes", [0, 20_00, 50_00])
@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_a_table_that_closes_sends_away_what_a_void_returned_to_who_left(
    code: str, takes: int
) -> None:
    p = pit(code)
    p.round(PLAYER_WINS, ("ann", "player", 100_00), ("bob", "banker", 50_00))
    p.do(c.LeaveSeat("bob"), Patron("bob"))
    p.do(c.report(Situation.WRONG_NUMBER))
    p.do(c.ConfirmReport(), SUE, approver=SAM)
    assert p.table.credits["bob"] == 50_00
    if takes:
        p.do(c.TakeCredit("bob", takes), Patron("bob"))
    assert ("bob" in p.table.credits) is (takes < 50_00)
    for patron in ("ann", "cyd", "dee"):
        p.do(c.LeaveSeat(patron), Patron(patron))
    closed = p.do(c.CloseTable(), MIA)
    left = () if takes == 50_00 else (e.CreditTaken("bob", 50_00 - takes, to_wallet=True),)
    assert closed[:-1] == left
    assert (p.table.seats, p.table.credits, p.table.brought) == ({}, {}, 0)
