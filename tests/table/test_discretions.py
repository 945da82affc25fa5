"""Who may do what: every command, by every position, under every rulebook.

The rights are written down here from the rulebooks and the readings, not read from the
table; each is shown in a situation in which the command is accepted from the right person.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.rulebooks import RULEBOOKS
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import decide
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Acting, HigherManager, Patron, Staff, StaffPosition
from croupier.table.settings import Approvals, Readings
from croupier.table.state import Phase, unopened
from tests.table.helpers import (
    ASSISTANT,
    DAN,
    DEALER,
    GAMES,
    GUS,
    MANAGER,
    MIA,
    NOW,
    PLAYER_WINS,
    SAM,
    SHIFT,
    SUE,
    SUPERVISOR,
    SYSTEM,
    Pit,
    pit,
    settings,
)
from tests.table.rights import ABOVE, ALL, ALWAYS, HIGHER_MAY_ACT, NEEDS, Right, each, people
from tests.table.scenes import REASON, SCENES, Scene, offered, referred, second, void

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.table.roles import Actor


def ask(scene: Scene, actor: Actor, approver: Staff | None) -> tuple[e.Event, ...] | Refusal:
    p, command, _, cards, die = scene
    return p.try_(command, actor, approver=approver, cards=cards, die=die)


@pytest.mark.clause("BAC8 6.2", "FF3 6.2", "EB4 6.2")
@each(ALL)
def test_only_the_right_person_may_do_it(right: Right) -> None:
    scene = SCENES[right.what](right.code)
    approver = second(scene.pit, right.approval) if right.approval else None
    for actor, inside in people(right, scene.patron, scene.pit.moment):
        answer = ask(scene, actor, approver)
        if right.allows(actor, inside, scene.patron):
            assert not isinstance(answer, Refusal), (actor, answer)
            assert answer
        else:
            assert isinstance(answer, Refusal), actor
            assert (answer.code, answer.clause) == right.refusal(actor), actor


def test_every_command_has_its_row_and_its_scene() -> None:
    assert {right.what for right in ALL} == set(SCENES)
    shown = {type(SCENES[right.what](right.code).command) for right in ALL}
    assert {*shown, c.OpenTable} == set(c.COMMANDS)


# A second person

APPROVED = [right for right in ALL if right.approval not in (None, ALWAYS)]


@each(APPROVED)
def test_what_needs_a_second_person_is_not_done_alone(right: Right) -> None:
    assert right.position is not None
    scene = SCENES[right.what](right.code)
    asks = Staff("Eli", right.position)
    alone = ask(scene, asks, None)
    assert isinstance(alone, Refusal)
    assert (alone.code, alone.clause) == (Code.NEEDS_APPROVAL, None)
    assert "house control" in alone.sentence
    for position in StaffPosition:
        itself = ask(scene, asks, Staff("Eli", position))
        assert isinstance(itself, Refusal)
        assert (itself.code, itself.clause) == (Code.SELF_APPROVAL, None)
        assert "house control" in itself.sentence


@each(APPROVED)
def test_a_house_that_sets_no_second_person_lets_it_be_done_alone(right: Right) -> None:
    assert right.position is not None
    off = Approvals(**dict.fromkeys(Approvals.__struct_fields__))
    scene = SCENES[right.what](right.code, approvals=off)
    asks = Staff("Eli", right.position)
    answer = ask(scene, asks, None)
    assert isinstance(answer, tuple), answer
    told = [getattr(event, "by", None) for event in answer]
    doers = [by for by in told if isinstance(by, e.By)]
    assert doers
    assert {(by.name, by.approved_by, by.approved_as) for by in doers} == {("Eli", None, None)}
    # Whoever came along approves nothing, and one act's control is not another's.
    assert ask(scene, asks, Staff("Sam", DEALER)) == answer
    others = {act: None for act in Approvals.__struct_fields__ if act != right.approval}
    scene = SCENES[right.what](right.code, approvals=Approvals(**others))
    alone = ask(scene, asks, None)
    assert isinstance(alone, Refusal)
    assert alone.code is Code.NEEDS_APPROVAL


@pytest.mark.parametrize("needed", [SUPERVISOR, MANAGER, SHIFT])
@each(APPROVED)
def test_the_second_person_is_of_the_position_that_is_set(
    right: Right, needed: StaffPosition
) -> None:
    assert right.position is not None
    assert right.approval is not None
    approvals = Approvals(**dict.fromkeys(Approvals.__struct_fields__, needed))
    scene = SCENES[right.what](right.code, approvals=approvals)
    # It is the house's own control, so a higher position may approve under every rulebook.
    wanted = right._replace(position=needed, house=True)
    for approver, inside in people(right, "ann", scene.pit.moment):
        if not isinstance(approver, Staff):
            continue
        answer = ask(scene, Staff("Flo", right.position), approver)
        if wanted.allows(approver, inside, "ann"):
            assert not isinstance(answer, Refusal), (approver, answer)
        else:
            assert isinstance(answer, Refusal), approver
            assert (answer.code, answer.clause) == (Code.APPROVER_TOO_LOW, None)
            assert "house control" in answer.sentence


# Which of the two highest stands above the other (A29)

TOP = [right for right in ALL if right.position in (ASSISTANT, SHIFT)]


@pytest.mark.parametrize("top", HigherManager)
@each(TOP)
def test_the_operator_says_which_manager_may_stand_in_for_the_other(
    right: Right, top: HigherManager
) -> None:
    assert right.position is not None
    scene = SCENES[right.what](right.code, readings=Readings(higher_manager=top))
    approver = second(scene.pit, right.approval) if right.approval else None
    other = SHIFT if right.position is ASSISTANT else ASSISTANT
    answer = ask(scene, Staff("Eli", other), approver)
    if right.higher_may and top.value == other.value:
        assert not isinstance(answer, Refusal), answer
        record = next(event for event in answer if isinstance(event, e.DecisionRecorded))
        assert (record.by.position, record.by.acting_for) == (other, right.position)
    else:
        assert isinstance(answer, Refusal)
        assert answer.code is NEEDS[right.position]


# The record of a decision

# What is done | question | options, or when it is referred | choice.
DECISIONS = """
set method A | dealing method | A B | A
set method B | dealing method | A B | B
set method C | dealing method | A B C | C
set area cap | wagers for each area | 1 2 3 | 1
set limits | limits |  | * 50.00-1,000.00
set differential | table differential |  | 500.00
offer wagers | optional wagers | | none
take off wager | stake removed | 1 | 1
pass shaker on | who shakes | ann bob cyd dee | bob
allow shoe | dee draws without a valid wager | allowed, not allowed | allowed
end control | control of the device | keeps ends | ends
offer withdrawal | withdrawal because the cut card came first | offered, not offered | offered
name handler | who handles the banker hand | ann bob cyd dee Dealer | cyd
permit squeeze | who squeezes the player hand | ann bob cyd dee | cyd
choose first hand | hand revealed first | player banker | banker
confirm report | order_altered | confirmed dismissed | confirmed
confirm report void | foreign_card | confirmed dismissed | confirmed
confirm report gone | left_with_cards | confirmed dismissed | confirmed
dismiss report | foreign_card | confirmed dismissed | dismissed
set order | order of the cards |  | 1 0
reset device | device reset | reset | reset
reserve cards | two cards reserved | reserved | reserved
decide referral | other | closed | continue
decide referral void | other | closed | void
decide referral offer | other | closed | offer_withdrawal
decide referral order | other | dealt | reconstruct
decide referral reset | other | closed | reset_and_wager_again
decide referral out | other | closed | exclude_stake
decide referral out late | other | dealt | exclude_stake
decide referral list | other | settled | correct_pay_list
decide terminal | (its wagers) | stand returned | stand
decide terminal out | (its wagers) | stand returned | returned
decide terminal late | (its wagers) | stand returned | stand
decide terminal out late | (its wagers) | stand returned | returned
decide replacement | replacement of the cards | replaced kept | replaced
correct card | face of P1 |  | 3C
"""
QUESTIONS = {line.split("|")[0].strip(): line for line in DECISIONS.strip().splitlines()}
TERMINAL = "wagers of terminal 1, which never showed the closing"
# When it is referred|rulebooks|what may be decided then (6.1, A23, A50).
REFERRED = """
closed|FF3 BAC8|continue void offer_withdrawal reset_and_wager_again exclude_stake
closed|EB4|continue void offer_withdrawal reset_and_wager_again exclude_stake
closed|PB6 F6T2|continue void
dealt|FF3 BAC8|continue void offer_withdrawal reconstruct reset_and_wager_again exclude_stake
dealt|EB4|continue void offer_withdrawal reconstruct reset_and_wager_again exclude_stake
dealt|PB6 F6T2|continue void reconstruct
settled|FF3 BAC8|continue void reconstruct exclude_stake correct_pay_list
"""
LEFT_OPEN = {
    (when.strip(), code): options
    for when, codes, options in (line.split("|") for line in REFERRED.strip().splitlines())
    for code in codes.split()
}
# No clause says who offers optional wagers, but some say that they may be: tested apart.
OFFERS = ("EB4", "offer wagers")
DRAGONS = ("banker-dragon-bonus", "player-dragon-bonus")
TIGERS = ("tiger-pair", "tiger", "small-tiger", "big-tiger", "tiger-tie")
DECIDED = [
    right for right in ALL if right.what in QUESTIONS and (right.code, right.what) != OFFERS
]
ACTUAL_CARDS = {code: f"{code} 6.3" for code in HIGHER_MAY_ACT}
"""By which clause a face is put right; who does it is not named there (A20)."""
WITHOUT_REASON = ("choose first hand", "reserve cards")


def expected(right: Right, p: Pit) -> tuple[str, tuple[str, ...], str]:
    """Return the question of a decision, what could be chosen, and what was."""
    cells = [cell.strip() for cell in QUESTIONS[right.what].split("|")]
    _, question, choices, choice = cells
    question = TERMINAL if question == "(its wagers)" else question
    choices = LEFT_OPEN.get((choices, right.code), choices)
    options = tuple(choices.split(", ") if ", " in choices else choices.split())
    if right.what == "correct card":
        choice = p.faces(choice)[0]
    return question, options, choice


@each(DECIDED)
def test_a_decision_is_recorded_with_who_for_whom_why_and_what_could_be_chosen(
    right: Right,
) -> None:
    assert right.position is not None
    scene = SCENES[right.what](right.code)
    p = scene.pit
    question, options, choice = expected(right, p)
    reason = "" if right.what in WITHOUT_REASON else REASON
    clause = right.clause
    if right.what == "correct card":
        clause = ACTUAL_CARDS.get(right.code)
    approver = second(p, right.approval) if right.approval else None
    approved = (approver.name, approver.position) if approver else (None, None)
    above = ABOVE[right.position] if right.higher_may else set[StaffPosition]()
    for position in (right.position, *above):
        answer = ask(scene, Staff("Eli", position), approver)
        assert not isinstance(answer, Refusal)
        acting_for = None if position is right.position else right.position
        by = e.By("Eli", position, p.moment, acting_for, *approved)
        record = e.DecisionRecorded(by, clause, question, options, choice, reason)
        assert answer[0] == record


@pytest.mark.parametrize(
    ("game", "offered_wager", "clause", "options"),
    [
        ("fortune-six", "banker-dragon-bonus", "EB4 4.5", DRAGONS),
        ("fortune-six", "player-dragon-bonus", "EB4 4.6", DRAGONS),
        ("super-6", "player-dragon-bonus", "EB4 4.6", DRAGONS),
        ("tiger", "tiger-pair", "EB4 4.9", TIGERS),
        ("tiger", "small-tiger", "EB4 4.10", TIGERS),
        ("tiger-no-commission", "tiger-tie", "EB4 4.10", TIGERS),
        ("tiger", "", "EB4 4.9", TIGERS),
        ("super-six", "", None, ()),
    ],
)
def test_the_optional_wagers_that_are_offered_are_a_recorded_decision(
    game: str, offered_wager: str, clause: str | None, options: tuple[str, ...]
) -> None:
    p = pit("EB4", game=game)
    by = e.By("Mia", MANAGER, p.moment)
    chosen = (offered_wager,) if offered_wager else ()
    p.do(c.OfferWagers(chosen, REASON), MIA)
    choice = offered_wager or "none"
    record = e.DecisionRecorded(by, clause, "optional wagers", options, choice, REASON)
    assert p.last(e.DecisionRecorded) == record
    assert p.table.settings.optional == chosen


@pytest.mark.clause("BAC8 6.2", "FF3 6.2", "EB4 6.2")
@each([right for right in DECIDED if right.higher_may])
def test_who_acts_in_a_position_is_recorded_with_the_own_one_and_the_one_acted_in(
    right: Right,
) -> None:
    assert right.position is not None
    scene = SCENES[right.what](right.code)
    moment = scene.pit.moment
    approver = second(scene.pit, right.approval) if right.approval else None
    for position in {right.position, *ABOVE[right.position]} - {DEALER}:
        acting = Acting(position, moment, moment + timedelta(hours=1))
        answer = ask(scene, Staff("Eli", DEALER, acting), approver)
        assert not isinstance(answer, Refusal)
        record = answer[0]
        assert isinstance(record, e.DecisionRecorded)
        assert record.by.position is DEALER
        assert record.by.acting_for is (None if right.position is DEALER else right.position)


@pytest.mark.clause("BAC8 3.1", "BAC8 3.2", "FF3 3.1", "FF3 3.2", "PB6 3.1", "PB6 3.2")
@pytest.mark.clause("F6T2 3.1", "F6T2 3.2", "EB4 3.1", "EB4 3.2")
@pytest.mark.parametrize("code", GAMES)
def test_the_calls_are_recorded_with_who_made_them_and_when(code: str) -> None:
    p = pit(code)
    opening = p.moment
    p.call()
    closing = p.moment
    p.close()
    called, shut = p.last(e.BetsOpened), p.last(e.BetsClosed)
    assert (called.by, called.moment) == (p.caller.name, opening)
    assert (shut.by, shut.moment, shut.again) == (p.caller.name, closing, False)


# What patrons decide is recorded as well


@pytest.mark.clause("BAC8 3.9.3", "FF3 3.9.3", "BAC8 3.11.8.1", "FF3 3.11.8.1")
@pytest.mark.parametrize("code", ["BAC8", "FF3"])
def test_what_a_patron_accepts_refuses_or_gives_up_is_recorded(code: str) -> None:
    expects: dict[str, e.Event] = {
        "refuse hand": e.HandRefused(Side.PLAYER, "ann", answered=True),
        "take shoe": e.ShoeTaken("ann"),
        "refuse shoe": e.ShoeRefused("ann", answered=True),
        "relinquish shoe": e.ShoeGivenUp(
            "ann", f"{code} 3.11.8.1", "relinquished", relinquished=True
        ),
        "withdraw": i.WagersWithdrawn("ann", (1,), 300_00, f"{code} 6.1"),
        "keep wagers": i.WagersKept("ann"),
    }
    for what, event in expects.items():
        scene = SCENES[what](code)
        if hasattr(event, "moment"):
            event = msgspec.structs.replace(event, moment=scene.pit.moment)  # noqa: PLW2901
        assert ask(scene, Patron("ann"), None) == (event,)


# What a rulebook does not have, nobody gets


NO_EXCEPTION = ("PB6", "F6T2")
"""Where no wager is withdrawn after the closing, whatever is decided (A50)."""


def walk(code: str) -> Iterator[Pit]:
    """Stop at every point of a round, and at a void one."""
    p = pit(code)
    yield p
    p.call()
    p.bet("ann", "player", 300_00)
    p.bet("bob", "banker", 200_00)
    yield p
    p.close()
    yield p
    if code == "PB6":
        p.shake()
        yield p
    for face in PLAYER_WINS.split():
        p.draw(face)
        yield p
    if p.table.phase is Phase.DEALING:
        p.do(c.AnnounceOutcome())
        yield p
    p.do(c.Settle(), p.caller)
    yield p
    if p.table.phase is Phase.SETTLED:
        p.do(c.ConfirmPayment())
        yield p
    yield referred(code)
    if code not in NO_EXCEPTION:
        yield offered(code)
    yield void(code)


@pytest.mark.parametrize("code", GAMES)
def test_what_a_rulebook_does_not_have_is_refused_to_all_at_every_point(code: str) -> None:
    has = {type(SCENES[right.what](code).command) for right in ALL if right.code == code}
    lacks = {
        type(scene.command): scene
        for right in ALL
        for scene in [SCENES[right.what](right.code)]
        if type(scene.command) not in has
    }
    assert len(lacks) == {"BAC8": 11, "FF3": 11, "PB6": 30, "F6T2": 38, "EB4": 35}[code]
    asks: list[Actor] = [Staff("Eli", position) for position in StaffPosition]
    asks += [Patron("ann"), Patron("bob"), SYSTEM]
    for p in walk(code):
        for scene in lacks.values():
            for actor in asks:
                answer = p.try_(scene.command, actor, approver=SAM, die=scene.die)
                assert isinstance(answer, Refusal), (scene.command, p.table.phase, answer)


# Opening a table


@pytest.mark.clause("BAC8 3.8.2", "BAC8 3.8.2#method-c", "FF3 3.8.2", "FF3 3.8.2#method-c")
@pytest.mark.parametrize("method", ["A", "B", "C"])
@pytest.mark.parametrize("code", ["BAC8", "FF3"])
def test_who_opens_a_table_may_choose_its_method(code: str, method: str) -> None:
    needed = ASSISTANT if method == "C" else MANAGER
    clause = f"{code} 3.8.2"
    right = Right("open table", code, needed, clause, patron=False, system=False, approval=None)
    opening = c.OpenTable(settings(code, method))
    for actor, inside in people(right, "ann", NOW):
        answer = decide(unopened(RULEBOOKS), c.Envelope(opening, actor, NOW))
        if right.allows(actor, inside, "ann"):
            assert isinstance(answer, tuple), actor
        else:
            assert isinstance(answer, Refusal), actor
            patron = isinstance(actor, Patron)
            assert answer.code is (Code.NOT_YOURS if patron else NEEDS[needed])
            assert answer.clause == (None if patron else clause)


@pytest.mark.parametrize("code", ["PB6", "F6T2", "EB4"])
def test_a_pit_manager_or_the_system_opens_a_table_without_methods(code: str) -> None:
    right = Right("open table", code, MANAGER, None, False, True, None, house=True)  # noqa: FBT003
    opening = c.OpenTable(settings(code))
    for actor, inside in people(right, "ann", NOW):
        answer = decide(unopened(RULEBOOKS), c.Envelope(opening, actor, NOW))
        assert isinstance(answer, tuple) is right.allows(actor, inside, "ann"), actor


# Named cases of the clause list


def test_a_refusal_says_who_asks_and_whose_matter_it_is() -> None:
    # What is asked, under which rulebook, by whom; and what the refusal names.
    cases: tuple[tuple[str, str, Actor, tuple[str, ...]], ...] = (
        ("call bets", "BAC8", Patron("ann"), ("Patron ann", "a Dealer [BAC8 3.1].")),
        ("call bets", "EB4", Patron("ann"), ("Patron ann", "system [EB4 3.1].")),
        ("call bets", "EB4", DAN, ("Dealer Dan", "system alone [EB4 3.1].")),
        ("call bets", "BAC8", SYSTEM, ("The system", "a Dealer [BAC8 3.1].")),
        ("set method C", "BAC8", MIA, ("Pit Manager Mia", "an Assistant Casino Manager")),
        ("withdraw", "EB4", Patron("bob"), ("Patron bob", "for another patron.")),
        ("withdraw", "EB4", DAN, ("Dealer Dan", "for patron ann.")),
        ("place wager", "EB4", DAN, ("Dealer Dan", "Electronic Baccarat", "no staff")),
        ("set limits", "PB6", MIA, ("Mia", "second person (house", "a Pit Supervisor")),
    )
    for what, code, actor, names in cases:
        answer = ask(SCENES[what](code), actor, None)
        assert isinstance(answer, Refusal)
        assert [name for name in names if name not in answer.sentence] == [], answer.sentence


@pytest.mark.clause("BAC8 6.2", "FF3 6.2")
@pytest.mark.parametrize("code", ["BAC8", "FF3"])
def test_a_pit_manager_does_what_a_pit_supervisor_may_and_not_the_reverse(code: str) -> None:
    naming = SCENES["name handler"](code)
    assert isinstance(ask(naming, MIA, None), tuple)
    squeeze = SCENES["permit squeeze"](code)
    answer = ask(squeeze, SUE, None)
    assert isinstance(answer, Refusal)
    assert answer.code is Code.NEEDS_PIT_MANAGER
    assert (
        answer.sentence == f"Pit Supervisor Sue asks; this needs a Pit Manager [{code} 3.16]."
    )


@pytest.mark.clause("EB4 6.1", "EB4 6.2")
def test_an_acting_gaming_shift_manager_decides_a_referral_in_time_only() -> None:
    scene = SCENES["decide referral"]("EB4")
    moment = scene.pit.moment
    acting = Staff("Eli", MANAGER, Acting(SHIFT, moment, moment + timedelta(minutes=1)))
    assert isinstance(ask(scene, acting, None), tuple)
    scene.pit.moment += timedelta(minutes=1)
    for staff in (acting, MIA):
        answer = ask(scene, staff, None)
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clause) == (Code.NEEDS_GAMING_SHIFT_MANAGER, "EB4 6.1")


@pytest.mark.clause("BAC8 6.1", "FF3 6.1", "EB4 6.1")
@pytest.mark.parametrize("code", ["BAC8", "FF3", "EB4"])
def test_what_is_not_covered_pauses_the_round_until_it_is_decided_with_a_reason(
    code: str,
) -> None:
    p = referred(code)
    assert p.refused(c.DrawCard(), p.caller).code is Code.ON_HOLD
    decision = c.DecideReferral(c.Decision.VOID, "a flood")
    assert p.refused(decision, MIA, approver=SAM).code is Code.NEEDS_GAMING_SHIFT_MANAGER
    silent = c.DecideReferral(c.Decision.VOID, " ")
    assert p.refused(silent, GUS, approver=SAM).code is Code.REASON_NEEDED
    p.do(decision, GUS, approver=SAM)
    assert p.last(i.ReferralDecided).reason == "a flood"
    assert p.last(i.RoundVoided).clause == f"{code} 6.1"
    assert p.table.phase is Phase.VOID
    assert set(p.table.credits.values()) == {10_000_00}


@pytest.mark.parametrize("code", ["PB6", "F6T2"])
def test_without_such_a_clause_it_is_decided_as_not_in_the_rules(code: str) -> None:
    p = referred(code)
    p.do(c.DecideReferral(c.Decision.CONTINUE, "nothing was wrong"), GUS)
    assert p.last(e.DecisionRecorded).clause is None
    assert p.last(i.ReferralDecided).clause is None
    assert p.table.hold is None
