"""The language of playthroughs: every command can be asked for, every event is told."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.money import Rounding
from croupier.playthrough import (
    House,
    ScriptError,
    Session,
    differences,
    play_script,
    read_line,
    read_lines,
    write_script,
)
from croupier.playthrough.asking import QUESTIONS
from croupier.playthrough.session import check_money
from croupier.playthrough.telling import TEXTS, TEXTS_AT_TABLE, tell_event
from croupier.playthrough.verbs import VERBS
from croupier.rulebooks import GAMES, RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.errors import RulesError
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events, incidents
from croupier.table.evolve import evolve
from croupier.table.refusals import Code
from croupier.table.reports import CONTENTS
from croupier.table.roles import HigherManager, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Approvals, Device, Limits, Method, Readings, Settings
from croupier.table.state import unopened
from tests.wording import is_one_sentence
from tools import playthroughs as tool

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.table.rulebook import Rulebook

SCRIPTS = sorted(tool.FOLDER.rglob("*.txt"))

EXAMPLES = {
    "close table": "close table",
    "closes in": 'closes in 20 reason="end of the shift"',
    "method": 'method A reason="quiet"',
    "cap": "cap 2",
    "limits": "limits 10.00-500.00 tie 5.00-100.00/5.00",
    "differential": "differential 500.00",
    "offer": "offer none",
    "load shoe": "load shoe 2 cut=400",
    "end shoe": "end shoe",
    "lose shoe": 'lose shoe first reason="x"',
    "clocks": 'clocks betting=1000 pause=0 pace=0 answer=500 waits=no reason="a test"',
    "dealt by": "dealt by house",
    "sign in": "sign in",
    "sign out": "sign out",
    "pass over": "pass over 1",
    "remove cards": "remove cards 1",
    "patron": "patron 4 at 2 credit 500.00",
    "leave": "leave 1",
    "bring": "bring 1 5.00",
    "take": "take 1 5.00",
    "lose terminal": "lose terminal 1",
    "restore terminal": "restore terminal 1",
    "acknowledge": "acknowledge 1",
    "open": "open",
    "close": "close",
    "place": "place 1 tie 50.00 shared position=2 join=3",
    "raise": "raise 1 stake=3 50.00",
    "lower": "lower 1 player 50.00",
    "remove": "remove 1 player",
    "find": "find 1 tie 10.00 position=2",
    "ask": "ask",
    "take off": "take off 3",
    "shake": "shake",
    "pass shaker": "pass shaker 2",
    "refuse shaker": "refuse shaker 1",
    "confirm shake": "confirm shake",
    "open shaker": "open shaker",
    "die": "die 3",
    "invalid shake": 'invalid shake reason="it fell"',
    "take shoe": "take shoe 1",
    "refuse shoe": "refuse shoe 1",
    "relinquish": "relinquish 1",
    "allow shoe": "allow shoe 1",
    "disallow shoe": "disallow shoe 1",
    "end control": "end control 1",
    "attest": "attest",
    "draw": "draw 2C KH",
    "cut card": "cut card",
    "offer withdrawal": "offer withdrawal",
    "handler": "handler player 1",
    "squeeze": "squeeze banker 2 designee=Bo",
    "pass": "pass player 1",
    "refuse": "refuse banker 1",
    "first": "first banker",
    "expose": "expose P1 5S P2",
    "announce": "announce",
    "settle": "settle",
    "paid": "paid",
    "report": "report foreign_card",
    "confirm": "confirm",
    "dismiss": 'dismiss reason="nothing"',
    "withdraw": "withdraw 1 2 tie",
    "keep": "keep 1",
    "resume": "resume",
    "order": "order 1 0",
    "reset": "reset",
    "reserve": "reserve 5S 6H",
    "sort": "sort missing=7H 5S=3",
    "substitute": "substitute 7H",
    "decide": 'decide void reason="x"',
    "decide terminal": 'decide terminal 1 stand reason="x"',
    "replace cards": "replace cards",
    "keep cards": "keep cards",
    "correct": 'correct P1 5S reason="x"',
    "display": "display tie",
}


def at_table(game: str = "baccarat", *lines: str) -> Session:
    session = Session()
    for line in (f"game {game} seats 2", *lines):
        answer = session.play(line)
        assert answer.refusal is None, answer.sentence
    return session


def asked(line: str, *lines: str, game: str = "baccarat") -> c.Command:
    (command,) = at_table(game, *lines).play(line).commands
    return command


@pytest.mark.parametrize("name", sorted(VERBS))
def test_every_verb_asks_for_its_command(name: str) -> None:
    session = at_table("baccarat", "open", "place 2 tie 5")
    kinds = {type(command) for command in session.play(EXAMPLES[name]).commands}
    assert kinds
    assert kinds <= set(VERBS[name].kinds)


def test_every_command_can_be_asked_for() -> None:
    assert set(EXAMPLES) == set(VERBS)
    asked_for = {kind for verb in VERBS.values() for kind in verb.kinds}
    assert asked_for | {c.OpenTable} == set(c.COMMANDS)


SAID: dict[str, tuple[str, object]] = {
    "order_known": ("order=known", True),
    "value_known": ("value=known", True),
    "count": ("count=2", 2),
    "laid": ("laid=P1,B1", (Position.P1, Position.B1)),
    "position": ("position=P2", Position.P2),
    "side": ("side=banker", Side.BANKER),
    "patron": ("patron=2", "2"),
    "stake": ("stake=3", 3),
    "cents": ("amount=1.50", 150),
    "terminal": ("terminal=4", 4),
}
"""How each field of a report is said, and what it then is."""


@pytest.mark.parametrize("situation", Situation)
def test_every_field_of_a_report_can_be_said(situation: Situation) -> None:
    fields = CONTENTS[situation].__struct_fields__
    words = " ".join(SAID[name][0] for name in fields)
    report = asked(f'report {situation.value} {words} cards=5S,6H note="two words"', "open")
    facts = {name: SAID[name][1] for name in fields}
    assert report == c.report(situation, "two words", **facts)
    # What a situation does not ask for may be said, and is let go.
    others = " ".join(SAID[name][0] for name in SAID.keys() - set(fields))
    more = asked(f'report {situation.value} {words} {others} note="two words"', "open")
    assert more == report


def test_every_field_of_a_decision_can_be_said() -> None:
    line = (
        "decide correct_pay_list stake=3 patron=2 won=-1.50 laid=P1,B1"
        ' reason="the chips were counted again"'
    )
    decided = asked(line, "open")
    assert decided == c.DecideReferral(
        c.Decision.CORRECT,
        "the chips were counted again",
        stake=3,
        patron="2",
        won_cents=-150,
        laid=(Position.P1, Position.B1),
    )
    usual = msgspec.structs.asdict(c.DecideReferral(c.Decision.CORRECT, ""))
    assert [name for name, value in msgspec.structs.asdict(decided).items()
            if value == usual[name]] == ["decision"]  # fmt: skip
    for decision in c.Decision:
        assert asked(f"decide {decision.value} reason=x") == c.DecideReferral(decision, "x")


def test_cards_of_a_report_come_with_its_envelope() -> None:
    session = at_table("baccarat", "open", "close", "draw 2C KH 3D 4S")
    answer = session.play("report drawn_together count=2 cards=7H,9C")
    assert isinstance(answer.events[0], incidents.IrregularityReported)
    assert answer.events[0].cards == ("7H", "9C")


def test_what_a_line_says_reaches_its_command() -> None:
    assert asked("place 1 tie 50.00 shared position=2 join=3") == c.PlaceWager(
        "1", "tie", 5000, 2, shared=True, join=3
    )
    assert asked("squeeze banker 2 designee=Bo reason=why") == c.PermitSqueeze(
        Side.BANKER, "2", "Bo", "why"
    )
    assert asked("limits 10-500 tie 5-100/5") == c.SetLimits(
        {"*": Limits(1000, 50000), "tie": Limits(500, 10000, 500)}
    )
    assert asked("offer tiger tiger-pair", game="tiger") == c.OfferWagers(
        ("tiger", "tiger-pair")
    )
    assert asked("withdraw 1 2 tie", "open", "place 1 tie 5") == c.Withdraw("1", (2, 1))
    assert asked("differential none") == c.SetDifferential(None)
    assert asked("load shoe 2 cut=400") == c.LoadShoe("2", 400)
    assert asked("take off 1 tie", "open", "place 1 tie 5") == c.TakeOffWager(1)
    assert asked("disallow shoe 2") == c.AllowShoe("2", allowed=False)
    assert asked("keep cards") == c.DecideReplacement(replace=False)
    assert asked("decide terminal 3 stand reason=x") == c.DecideTerminal(3, True, "x")  # noqa: FBT003
    assert asked("decide terminal 3 return reason=x") == c.DecideTerminal(3, False, "x")  # noqa: FBT003
    assert asked("decide correct_pay_list stake=1 won=0.05") == c.DecideReferral(
        c.Decision.CORRECT, "", stake=1, won_cents=5
    )


def test_a_stake_is_named_by_its_wager_or_its_number() -> None:
    lines = ("open", "place 1 player 10", "place 2 tie 10", "place 1 tie 20")
    assert asked("raise 1 tie 5", *lines) == c.RaiseWager("1", 3, 500)
    assert asked("lower 1 stake=3 5", *lines) == c.LowerWager("1", 3, 500)
    assert asked("remove 1 banker", *lines) == c.RemoveWager("1", 0)


def test_waiting_cards_are_ordered_by_face_or_number() -> None:
    drawn = ("open", "close", "draw 2C KH 3D 4S")
    known = (*drawn, "report drawn_together count=2 cards=7H,7H", "confirm")
    assert asked("order 7H 7H", *known) == c.SetOrder((0, 1))
    assert asked("order 1 0", *known) == c.SetOrder((1, 0))
    assert asked("order 9C 7H", *known) == c.SetOrder((2, 0))
    unknown = at_table("baccarat", *drawn, "report drawn_together count=2", "confirm")
    with pytest.raises(ScriptError, match="name them by number"):
        unknown.play("order 7H 9C")


def test_a_sorting_counts_every_card_but_the_missing_ones() -> None:
    command = asked("sort missing=7H,7H 5S=3", "open", "close", "draw 2C KH")
    assert isinstance(command, c.RecordSorting)
    counts = command.counts
    assert (counts["7H"], counts["5S"], counts["2C"], counts["KH"]) == (6, 3, 7, 7)
    assert sum(counts.values()) == 416 - 2 - 2 - 5


def test_an_opening_sets_everything_a_table_has() -> None:
    session = Session()
    answer = session.play(
        'game baccarat seats 1 positions 5 layout B decks 6 method A room "Ruby Room"'
        " device hand differential 2000.00 cap 2 rounding down optional none"
        " limits 50.00-5000.00 limit.tie 10.00-500.00/5.00 approves.void pit_manager"
        " approves.limits off reading A14 reading A23 reading A27"
        " reading A29=gaming_shift_manager confirms pit_manager"
        " replaces gaming_shift_manager configures assistant_casino_manager credit 7.00"
        " at 2026-03-01T09:00+08:00 shoe first cut 300 rulebook BAC8"
    )
    assert answer.refusal is None, answer.sentence
    assert session.table.settings == Settings(
        rulebook="BAC8",
        game="baccarat",
        decks=6,
        layout="B",
        positions=5,
        optional=(),
        limits={"*": Limits(5000, 500000), "tie": Limits(1000, 50000, 500)},
        differential_cents=200000,
        method=Method.A,
        room="Ruby Room",
        device=Device(electronic=False, reads_cards=False, physical=True),
        rounding=Rounding.DOWN,
        wagers_per_area=2,
        readings=Readings(
            higher_manager=HigherManager.GAMING_SHIFT_MANAGER,
            shoe_ends_after_cut_card=False,
            seats_run_counter_clockwise=False,
            reset_refers_with_open_cards=True,
        ),
        approvals=Approvals(void=StaffPosition.PIT_MANAGER, limits=None),
        confirms=StaffPosition.PIT_MANAGER,
        replaces=StaffPosition.GAMING_SHIFT_MANAGER,
        configures=StaffPosition.ASSISTANT_CASINO_MANAGER,
    )
    opened = answer.events[0]
    assert isinstance(opened, events.TableOpened)
    assert opened.by.name == "Ann"
    assert opened.by.moment.isoformat() == "2026-03-01T09:00:00+08:00"
    assert session.table.credits == {"1": 700}
    assert session.table.shoe is not None
    assert (session.table.shoe.name, session.table.shoe.cut_behind) == ("first", 300)


@pytest.mark.parametrize(
    ("line", "name", "position"),
    [
        ("open", "Dan", None),
        ("method A", "Mia", StaffPosition.PIT_MANAGER),
        ("method A by=gaming_shift_manager", "Gil", StaffPosition.GAMING_SHIFT_MANAGER),
        ("method A by=pit_manager:Max", "Max", StaffPosition.PIT_MANAGER),
        ("method A by=dealer acting=pit_manager", "Dan", StaffPosition.DEALER),
    ],
)
def test_each_line_is_asked_by_who_should_or_is_named(
    line: str, name: str, position: StaffPosition | None
) -> None:
    (event, *_) = at_table().play(line).events
    by = event.by  # type: ignore[attr-defined]
    if position is None:
        assert by == name
    else:
        assert (by.name, by.position) == (name, position)


def test_an_acting_position_ends_with_its_time() -> None:
    acting = "method A by=dealer acting=pit_manager until=2026-01-01T13:00+08:00"
    session = at_table()
    assert session.play(f"{acting} at=2026-01-01T12:59+08:00").refusal is None
    late = session.play(f"{acting} at=2026-01-01T13:00+08:00")
    assert late.result == "refused needs_pit_manager [BAC8 3.8.2]"


def test_who_approves_is_another_person_unless_it_is_said() -> None:
    session = at_table("baccarat", "open", "close", "draw 2C", "report foreign_card")
    assert "self_approval" in session.play("confirm with=self").result
    told = session.play("confirm with=pit_supervisor").result
    assert "(Pit Supervisor Sue with Pit Supervisor Sid)" in told


@pytest.mark.parametrize("book", RULEBOOKS, ids=lambda book: book.code)
def test_a_line_without_a_name_is_asked_by_whom_the_table_wants(book: Rulebook) -> None:
    session = at_table(book.games[0].slug, "open", "place 1 player 10", "close")
    for line in EXAMPLES.values():
        again = at_table(book.games[0].slug, "open", "place 1 player 10", "close")
        refusal = again.play(line).refusal
        if refusal is not None:
            assert not refusal.code.value.startswith(("needs_dealer", "needs_system"))
            assert refusal.code is not Code.NOT_YOURS
    session.check_replay()


# Telling


def all_events() -> set[type[events.Event]]:
    return {
        kind
        for module in (events, incidents)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, events.Event)
    } - {events.Event}


def test_every_event_has_a_text() -> None:
    assert set(TEXTS) | set(TEXTS_AT_TABLE) == all_events()
    assert set(TEXTS) & set(TEXTS_AT_TABLE) == set()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_event_of_a_playthrough_is_told_in_one_line(path: Path) -> None:
    table = unopened(RULEBOOKS)
    for played in play_script(path.read_text(encoding="utf-8")):
        for event in played.answer.events if played.answer else ():
            table = evolve(table, event)
            text = tell_event(event, table)
            assert text
            assert "\n" not in text


# Lines


def test_a_result_may_go_on_below_and_have_a_sentence() -> None:
    text = "open\n  -> OPEN\n  ; more\n  | A whole\n  | sentence.\n# done\n\nclose -> x\n"
    first, comment, blank, last = read_lines(text)
    assert (first.text, first.expected) == ("open", "OPEN; more")
    assert first.sentence == "A whole sentence."
    assert (comment.asks, blank.asks, comment.remark) == (False, False, "# done")
    assert (last.number, last.text, last.expected) == (8, "close", "x")


def test_a_written_script_reads_as_it_was_and_stays_as_it_is() -> None:
    text = """\
# BAC8 3.1  A title.
game baccarat seats 2 limits 50.00-5000.00

open
place 1 player 5 -> ?
   | ?
place 1 player 100.00 -> placed
"""
    written = write_script(text)
    assert differences(written) == []
    assert write_script(written) == written
    asked_for = [line.text for line in read_lines(text) if line.asks]
    assert [line.text for line in read_lines(written) if line.asks] == asked_for
    assert "| A stake of 5.00 on Player is below the minimum" in written


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("game baccarat seats 1\nopen -> CLOSED", "line 2: open"),
        ("game baccarat seats 1\nopen", "line 2: open"),
        ("game baccarat decks 3", "line 1: game baccarat decks 3"),
        ("game baccarat seats 1\nopn -> OPEN", "line 2: opn"),
        ("game baccarat\nplace 1 tie 5 -> refused bets_not_open [BAC8 3.1]\n| Why.", "line 2"),
    ],
)
def test_every_difference_is_found(text: str, where: str) -> None:
    found = differences(text)
    assert found
    assert found[0].startswith(where)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "Nothing was asked"),
        ("opne", "did you mean `open`?"),
        ("bet player 50", "'bet' is no verb; did you mean `place`?"),
        ("clear", "did you mean `remove`?"),
        ("deal", "did you mean `draw`?"),
        ("place 1 tie 9999999999999999", "an amount is at most 10,000,000,000.00"),
        (f"place 1 tie 1{',000' * 2000}", "an amount is at most 10,000,000,000.00"),
        ("die 1234567890", "a number is at most 999999999"),
        ("xyzzy", "is no verb; they are acknowledge, "),
        ("place 1 tie", "Here comes an amount"),
        ("place 1 tie five", "'five' is not an amount"),
        ("place 1 tie 5 6", "'6' means nothing here"),
        ("place 1 tie 5 colour=red", "'colour=' means nothing here"),
        ("pass both 1", "'both' is no hand"),
        ("expose", "No card was named"),
        ("expose P9", "'P9' is no place"),
        ("report rain", "'rain' is no situation"),
        ("report wrong_order order=maybe", "neither known nor unknown"),
        ("decide nothing", "'nothing' is no decision"),
        ("decide terminal 1 maybe", "'maybe' is no decision; its wagers stand or return"),
        ("decide correct_pay_list won=-five", "'five' is not an amount"),
        ("method D", "'D' is no dealing method"),
        ("method none", "A table has a method"),
        ("limits 5", "'5' are no limits"),
        ("limits tie", "The limits of 'tie' are missing"),
        ("die six", "'six' is not a whole number"),
        ("open by=king", "'king' is no position"),
        ("confirm with=system", "Only staff approve"),
        ("open by=system acting=dealer", "Only staff act"),
        ("open at=noon", "'noon' is no moment"),
        ("open at=2026-01-01T12:00", "is no moment"),
        ('confirm reason="x', "A quotation mark is open"),
        ("credit 9", "Patron '9' is not at this table"),
        ("game", "No game was named"),
        ("game poker", "There is no game 'poker'"),
        ("game baccarat colour red", "'colour' is nothing that a table has"),
        ("game baccarat seats", "The value of 'seats' is missing"),
        ("game baccarat device steam", "'steam' is no device"),
        ("game baccarat rounding sideways", "'sideways' is no rounding"),
        ("game baccarat reading A99", "'A99' is no reading"),
        ("game baccarat reading A29=dealers", "'A29=dealers' is no reading"),
        ("game baccarat approves.lunch dealer", "'lunch' needs no approval"),
    ],
)
def test_a_line_that_means_nothing_says_why_and_changes_nothing(line: str, why: str) -> None:
    session = at_table()
    table, moment = session.table, session.moment
    with pytest.raises(RulesError, match=re.escape(why)) as error:
        session.play(line)
    message = str(error.value)
    assert message.endswith((".", "?"))
    assert "; write: " in message or message.endswith("?") or is_one_sentence(message)
    assert (session.table, session.moment) == (table, moment)


def test_a_result_without_a_line_is_refused() -> None:
    for text in ("-> OPEN", "open -> OPEN\n-> CLOSED", "open\n; more", "# title\n| Why."):
        with pytest.raises(ScriptError, match="does not stand above it"):
            read_lines(text)
    assert read_line("open->x").text == "open->x"


# What is checked on the way


def test_money_that_comes_or_goes_is_found() -> None:
    table = at_table().table
    check_money(table)
    with pytest.raises(AssertionError, match="were brought"):
        check_money(msgspec.structs.replace(table, bank=1))
    poor = msgspec.structs.replace(table, credits={"1": -1, "2": 2000001})
    with pytest.raises(AssertionError, match="negative credit"):
        check_money(poor)


def test_a_replay_that_differs_is_found() -> None:
    session = at_table("baccarat", "open")
    session.check_replay()
    session.events.pop()
    with pytest.raises(AssertionError, match="replay differs"):
        session.check_replay()


@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_a_question_changes_nothing(question: str) -> None:
    session = at_table("baccarat", "open", "place 1 tie 5", "close", "draw 2C ?")
    table, moment = session.table, session.moment
    answer = session.play("credit 1" if question == "credit" else question)
    assert answer.result
    assert answer.events == ()
    assert (session.table, session.moment) == (table, moment)


def test_questions_say_how_things_stand() -> None:
    empty = at_table("baccarat shoe none")
    assert [empty.play(line).result for line in ("shoe", "cards", "decided", "stakes")] == [
        "no shoe",
        "no cards",
        "no round",
        "no stakes",
    ]
    session = at_table("baccarat", "open", "place 1 tie 5 ", "close", "draw 2C ?")
    answers = {name: session.play(name).result for name in ("show", "stakes", "cards", "shoe")}
    assert answers == {
        "show": "DEALING",
        "stakes": "1 on tie at 1: 1 5.00",
        "cards": "P1 2C, B1 face down",
        "shoe": "shoe 1: 414 of 416 cards left",
    }
    session.play("report foreign_card")
    assert session.play("show").result == "DEALING; HOLD report [BAC8 5.1]"


# A house of one's own


@pytest.mark.parametrize("game", [game.slug for game in GAMES])
def test_a_house_plays_a_shoe_and_goes_on_with_the_next(game: str) -> None:
    house = House(game, random.Random(5).randrange, decks=4)
    steps = list(house.begin())
    while house.shoes < 2:
        steps += house.open() if house.table.between_rounds else ()
        house.session.play("place you player 1")
        steps += house.deal()
        assert house.table.between_rounds
    assert [step.answer.sentence for step in steps if step.answer.refusal] == []
    assert any("cut card" in step.answer.result for step in steps)
    assert house.table.rounds > 20
    house.session.check_replay()


def test_a_house_deals_by_method_a_as_well_and_stops_at_a_hold() -> None:
    house = House("baccarat", random.Random(5).randrange)
    list(house.begin())
    list(house.deal())
    assert house.session.play("method A").refusal is None
    lines = [step.line for step in house.deal()]
    assert "first player" in lines
    assert "expose P1" in lines
    assert house.table.between_rounds
    list(house.open())
    house.session.play("close")
    house.session.play("report foreign_card")
    assert list(house.deal()) == []


def test_a_card_that_was_refused_stays_in_the_shoe() -> None:
    house = House("baccarat", random.Random(5).randrange)
    list(house.begin())
    card = house.card()
    assert house.session.play("draw").refusal is not None
    house.session.play("close")
    assert house.session.play("draw").result == f"P1 {card}"
    assert house.card() != card or len(house.shoe) == 415


def test_a_house_seats_nobody_who_brings_too_much() -> None:
    house = House("tiger", lambda n: n // 2, credit_cents=10**12 + 1)
    steps = list(house.begin())
    assert steps[-1].line.startswith("patron you")
    assert steps[-1].answer.refusal is not None


def test_a_plain_draw_of_a_script_is_a_card_that_is_named_when_it_is_exposed() -> None:
    session = at_table()
    for line in ("open", "close"):
        session.play(line)
    assert session.play("draw").result == "P1 face down"
    session.play("draw 2C KH 3D")
    assert session.play("expose P1 4S").result.startswith("player 4, banker 5")


# The tool and the page


def test_the_tool_checks_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game_x.txt"
    path.write_text("# BAC8 3.1  A title.\ngame baccarat\nopen -> no\n", encoding="utf-8")
    assert tool.main(["--check", str(path)]) == 1
    assert "happened: OPEN" in capsys.readouterr().out
    assert tool.main(["--write", str(path)]) == 0
    assert tool.main(["--write", str(path)]) == 0
    assert "as it was" in capsys.readouterr().out
    assert tool.main(["--check", str(path)]) == 0
    path.write_text("game baccarat\nnonsense\n", encoding="utf-8")
    assert tool.main(["--write", str(path)]) == 1
    assert "Line 2 was not understood" in capsys.readouterr().out
    path.write_text("; more\n", encoding="utf-8")
    assert tool.main(["--check", str(path)]) == 1
    with pytest.raises(SystemExit):
        tool.main(["--write"])


def test_the_page_lists_every_verb_as_it_is_written() -> None:
    page = tool.ROOT.joinpath("docs", "playthroughs.md").read_text(encoding="utf-8")
    lines = page.splitlines()
    for syntax in [verb.syntax for verb in VERBS.values()] + [
        syntax for syntax, _ in QUESTIONS.values()
    ]:
        assert syntax in lines
    script = re.search(r"```\n(# BAC8.*?)```", page, re.DOTALL)
    assert script is not None
    assert differences(script[1]) == []
    assert write_script(script[1]) == script[1]
