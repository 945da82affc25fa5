"""Scenes: how a table comes to a point at which a command is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Clocks, DealtBy, Method
from croupier.table.state import Phase
from tests.table.helpers import (
    BOTH_DRAW,
    GUS,
    HIGH_LIMIT_ROOM,
    LIMITS,
    PATRONS,
    PLAYER_WINS,
    SUE,
    SYSTEM,
    UNREAD,
    WITH_METHODS,
    Pit,
    pit,
)
from tests.table.rights import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Callable


class Scene(NamedTuple):
    """A table, a command that is accepted there from the right person, and what it needs."""

    pit: Pit
    command: c.Command
    patron: str = "ann"
    """Whose matter it is, where it is a patron's."""
    cards: tuple[str, ...] = ()
    die: int | None = None


def second(p: Pit, act: str) -> Staff:
    """Return a second person who may approve an act at this table."""
    if act == ALWAYS:
        return Staff("Sam", StaffPosition.PIT_SUPERVISOR)
    return Staff("Sam", getattr(p.table.settings.approvals, act))


def staked(code: str, method: str | None = None, **others: Any) -> Pit:  # noqa: ANN401
    """Stakes lie on both hands, the larger one of ann on Player; bets are open."""
    p = pit(code, method, **others)
    p.call()
    p.bet("ann", "player", 300_00)
    p.bet("bob", "banker", 200_00)
    return p


def closed(code: str, method: str | None = None, **others: Any) -> Pit:  # noqa: ANN401
    p = staked(code, method, **others)
    p.close()
    return p


def dealing(code: str, method: str | None = None, **others: Any) -> Pit:  # noqa: ANN401
    """Go on until the next thing is a card."""
    p = closed(code, method, **others)
    if code == "PB6":
        p.shake()
    if method == "C":
        p.do(c.TakeShoe("ann"), Patron("ann"))
    return p


def four_cards(code: str, method: str | None = None, **others: Any) -> Pit:  # noqa: ANN401
    """Four cards are out: Player has 2 and Banker 3, and both will draw."""
    p = dealing(code, method, **others)
    for face in BOTH_DRAW.split()[:4]:
        p.draw(face)
    return p


def shaking(code: str, done: int = 3, **others: Any) -> Pit:  # noqa: ANN401
    """Let the Dealer shake the die so many times."""
    p = closed(code, **others)
    for _ in range(done):
        p.do(c.ShakeDie())
    return p


def shaker_passed(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = shaking(code, **others)
    p.do(c.PassShaker())
    return p


def shaken(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = shaker_passed(code, **others)
    p.do(c.ConfirmShake())
    return p


def unbalanced(code: str, *, asked: bool = False, **others: Any) -> Pit:  # noqa: ANN401
    """Stakes are 100.00 apart, and the table differential is 50.00."""
    p = closed(code, differential_cents=50_00, **others)
    if asked:
        p.do(c.AskToLower())
    return p


def signed_in(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Let a Dealer take a table over that the house deals."""
    p = pit(code, dealt_by=DealtBy.HOUSE, **others)
    p.do(c.SignIn())
    return p


def unanswered(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Ask a patron for something, and leave no time to answer: the system deals."""
    others["clocks"] = Clocks(answer_ms=0)
    if code != "EB4":
        others["dealt_by"] = DealtBy.HOUSE
    return shaker_passed(code, **others) if code == "PB6" else offered(code, **others)


def reported(p: Pit, situation: Situation, **what: Any) -> Pit:  # noqa: ANN401
    cards = what.pop("cards", ())
    p.do(c.report(situation, **what), cards=cards)
    return p


def confirmed(p: Pit) -> Pit:
    p.do(c.ConfirmReport(), SUE, approver=second(p, "void"))
    return p


def referred(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Something happened that no rulebook covers."""
    return reported(closed(code, **others), Situation.OTHER)


def referred_later(code: str, before: Callable[..., Pit], **others: Any) -> Pit:  # noqa: ANN401
    """Something happened that no rulebook covers, at this later point of the round."""
    return reported(before(code, **others), Situation.OTHER)


def offered(code: str, *, answered: bool = False, **others: Any) -> Pit:  # noqa: ANN401
    """Patrons may withdraw all their wagers, as the Gaming Shift Manager decided."""
    p = referred(code, **others)
    p.do(c.DecideReferral(c.Decision.OFFER_WITHDRAWAL, "as a courtesy"), GUS)
    if answered:
        p.do(c.KeepWagers("ann"), Patron("ann"))
        p.do(c.KeepWagers("bob"), Patron("bob"))
    return p


def void(code: str, **others: Any) -> Pit:  # noqa: ANN401
    return confirmed(reported(closed(code, **others), Situation.FOREIGN_CARD))


def drawn_together(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Two third cards came together in no known order."""
    p = four_cards(code, **others)
    cards = p.faces("3H 4C")
    return confirmed(reported(p, Situation.DRAWN_TOGETHER, count=2, cards=cards))


def to_reset(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Wait for the device to be reset; nobody withdrew."""
    p = confirmed(reported(closed(code, **others), Situation.DEVICE_RESET))
    p.do(c.EndOption(), SUE)
    return p


def left_with_cards(code: str, step: int, **others: Any) -> Pit:  # noqa: ANN401
    """Patron ann left with the Player hand that no device read, so many steps ago."""
    p = dealing(code, "A", device=UNREAD, **others)
    for _ in range(4):
        p.draw()
    p.do(c.PassHand(Side.PLAYER, "ann"))
    p.do(c.ChooseFirstHand(Side.BANKER))
    for place, face in ((Position.B1, "KH"), (Position.B2, "3S")):
        p.do(c.ExposeCard(place), cards=p.faces(face))
    reported(p, Situation.LEFT_WITH_CARDS, patron="ann")
    if step > 0:
        p.do(c.ConfirmReport(), GUS)
    if step > 1:
        p.do(c.ReserveCards(), GUS, cards=p.faces("3H 4C"))
    if step > 2:
        p.do(c.RecordSorting(sorted_counts(p)))
    return p


def sorted_counts(p: Pit, missing: str = "2C KD") -> dict[str, int]:
    """Count all cards but those on the table, two reserved ones and the missing ones."""
    assert p.table.plan is not None
    counts = {card.text: p.table.settings.decks for card in p.table.plan.game.deck}
    for face in p.faces(f"KH 3S 3H 4C {missing}"):
        counts[face] -= 1
    return counts


def gambled(code: str, method: str | None = None, **others: Any) -> Pit:  # noqa: ANN401
    """Let the Player win; nobody has announced it."""
    p = closed(code, method, **others)
    p.deal(PLAYER_WINS)
    return p


def announced(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = gambled(code, **others)
    if p.table.phase is Phase.DEALING:
        p.do(c.AnnounceOutcome())
    return p


def settled(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = announced(code, **others)
    p.do(c.Settle(), p.caller)
    return p


def faceless(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Leave cards face down that no device read and nobody holds."""
    p = dealing(code, "A" if code in WITH_METHODS else None, device=UNREAD, **others)
    for _ in range(4):
        p.draw()
    if code in WITH_METHODS:
        p.do(c.ChooseFirstHand(Side.PLAYER))
    return p


def held(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Pass the Player hand, which is revealed first, to ann."""
    p = four_cards(code, "A", **others)
    p.do(c.PassHand(Side.PLAYER, "ann"))
    p.do(c.ChooseFirstHand(Side.PLAYER))
    return p


def on_both_hands(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Let ann control the device, wager on both hands, and lose one wager."""
    p = pit(code, "C", **others)
    p.bets(("ann", "player", 300_00), ("ann", "banker", 200_00))
    p.do(c.TakeShoe("ann"), Patron("ann"))
    p.deal(PLAYER_WINS)
    p.finish()
    return p


def cut_card_first(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = closed(code, room=HIGH_LIMIT_ROOM, **others)
    p.do(c.ShowCutCard())
    return p


def ended(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = pit(code, **others)
    p.do(c.EndShoe())
    return p


def empty(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = pit(code, **others)
    for patron in PATRONS:
        p.do(c.LeaveSeat(patron))
    return p


def lost(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = pit(code, **others)
    p.do(c.LoseTerminal(2), SYSTEM)
    return p


def nobody_draws(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Let every patron with a wager refuse the dealing device."""
    p = closed(code, "C", **others)
    for patron in ("ann", "bob"):
        p.do(c.RefuseShoe(patron), Patron(patron))
    return p


def flagged(code: str, before: Callable[..., Pit], **others: Any) -> Pit:  # noqa: ANN401
    """Lose the terminal of ann, whose wager was accepted and who was not shown the closing."""
    p = before(code, **others)
    p.do(c.LoseTerminal(1), SYSTEM)
    return p


def dealt(code: str, cards: str = "2C KH", **others: Any) -> Pit:  # noqa: ANN401
    p = dealing(code, **others)
    for face in cards.split():
        p.draw(face)
    return p


def altered(code: str, **others: Any) -> Pit:  # noqa: ANN401
    return reported(closed(code, **others), ALTERED, order_known=True)


def foreign(code: str, **others: Any) -> Pit:  # noqa: ANN401
    return reported(closed(code, **others), FOREIGN)


def shaker_open(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = shaken(code, **others)
    p.do(c.OpenShaker())
    return p


def nobody_on_banker(code: str, **others: Any) -> Pit:  # noqa: ANN401
    p = pit(code, "A", **others)
    p.bets(("ann", "player", 300_00))
    return p


def sorting(code: str, **others: Any) -> Scene:  # noqa: ANN401
    p = left_with_cards(code, 2, **others)
    return Scene(p, c.RecordSorting(sorted_counts(p)))


def substituting(code: str, **others: Any) -> Scene:  # noqa: ANN401
    p = left_with_cards(code, 3, **others)
    return Scene(p, c.Substitute(p.faces("2C KD")))


def at(
    build: Callable[..., Pit],
    command: c.Command,
    patron: str = "ann",
    *,
    cards: str = "",
    die: int | None = None,
    **fixed: Any,  # noqa: ANN401
) -> Callable[..., Scene]:
    """Return a scene: a way to build the table, and the command that comes then."""

    def scene(code: str, **others: Any) -> Scene:  # noqa: ANN401
        p = build(code, **fixed, **others)
        return Scene(p, command, patron, p.faces(cards), die)

    return scene


REASON = "a reason"
FOREIGN, ALTERED = Situation.FOREIGN_CARD, Situation.ORDER_ALTERED
CONTINUE, MAKE_VOID = c.Decision.CONTINUE, c.Decision.VOID
OFFER, RESET = c.Decision.OFFER_WITHDRAWAL, c.Decision.RESET
SWAPPED = c.DecideReferral(c.Decision.RECONSTRUCT, REASON, laid=(Position.B1, Position.P1))
EXCLUDED = c.DecideReferral(c.Decision.EXCLUDE, REASON, stake=1)
PUSHED = c.DecideReferral(c.Decision.CORRECT, REASON, stake=1, won_cents=0)
STANDS, RETURNED = c.DecideTerminal(1, True, REASON), c.DecideTerminal(1, False, REASON)  # noqa: FBT003
PLAYER, BANKER = Side.PLAYER, Side.BANKER
FOUND = c.FindStake("ann", "tie", 30_00)

# At these tables the command is accepted from whoever has the right to it.
SCENES: dict[str, Callable[..., Scene]] = {
    "close table": at(empty, c.CloseTable()),
    "set method A": at(pit, c.SetMethod(Method.A, REASON)),
    "set method B": at(pit, c.SetMethod(Method.B, REASON), method="A"),
    "set method C": at(pit, c.SetMethod(Method.C, REASON), room=HIGH_LIMIT_ROOM),
    "set area cap": at(pit, c.SetAreaCap(1, REASON)),
    "set limits": at(pit, c.SetLimits(LIMITS, REASON)),
    "set differential": at(pit, c.SetDifferential(500_00, REASON)),
    "offer wagers": at(pit, c.OfferWagers((), REASON)),
    "announce closure": at(pit, c.AnnounceClosure(20, REASON)),
    "set clocks": at(pit, c.SetClocks(Clocks(pace_ms=0), REASON)),
    "set dealt by": at(pit, c.SetDealtBy(DealtBy.HOUSE, REASON)),
    "sign in": at(pit, c.SignIn(), dealt_by=DealtBy.HOUSE),
    "sign out": at(signed_in, c.SignOut()),
    "pass over": at(unanswered, c.PassOver("ann")),
    "load shoe": at(ended, c.LoadShoe("second")),
    "end shoe": at(pit, c.EndShoe()),
    "declare shoe lost": at(pit, c.DeclareShoeLost("first", REASON)),
    "remove cards": at(pit, c.RemoveCards(2)),
    "take seat": at(pit, c.TakeSeat("eve", 5), "eve"),
    "leave seat": at(pit, c.LeaveSeat("ann")),
    "bring credit": at(pit, c.BringCredit("ann", 5_00)),
    "take credit": at(pit, c.TakeCredit("ann", 5_00)),
    "lose terminal": at(pit, c.LoseTerminal(2)),
    "restore terminal": at(lost, c.RestoreTerminal(2)),
    "acknowledge closing": at(closed, c.AcknowledgeClosing(2)),
    "call bets": at(pit, c.CallBets()),
    "close bets": at(staked, c.CloseBets()),
    "place wager": at(staked, c.PlaceWager("ann", "tie", 50_00)),
    "raise wager": at(staked, c.RaiseWager("ann", 1, 50_00)),
    "lower wager": at(staked, c.LowerWager("ann", 1, 50_00)),
    "remove wager": at(staked, c.RemoveWager("ann", 1)),
    "find stake": at(closed, FOUND, limits=LIMITS),
    "find stake late": at(dealt, FOUND, limits=LIMITS),
    "ask to lower": at(unbalanced, c.AskToLower()),
    "take off wager": at(unbalanced, c.TakeOffWager(1, REASON), asked=True),
    "shake die": at(closed, c.ShakeDie()),
    "pass shaker": at(shaking, c.PassShaker()),
    "pass shaker on": at(shaking, c.PassShaker("bob", REASON)),
    "refuse shaker": at(shaker_passed, c.RefuseShaker("ann")),
    "confirm shake": at(shaker_passed, c.ConfirmShake()),
    "open shaker": at(shaken, c.OpenShaker()),
    "announce die": at(shaker_open, c.AnnounceDie(), die=3),
    "call shake invalid": at(shaken, c.CallShakeInvalid("it fell")),
    "take shoe": at(closed, c.TakeShoe("ann"), method="C"),
    "refuse shoe": at(closed, c.RefuseShoe("ann"), method="C"),
    "relinquish shoe": at(dealing, c.RelinquishShoe("ann"), method="C"),
    "allow shoe": at(pit, c.AllowShoe("dee", reason=REASON), method="C"),
    "end control": at(on_both_hands, c.EndControl("ann", REASON)),
    "attest draws": at(dealing, c.AttestDraws(), method="C"),
    "draw card A": at(dealing, c.DrawCard(), method="A"),
    "draw card B": at(dealing, c.DrawCard(), method="B"),
    "draw card C": at(dealing, c.DrawCard(), method="C"),
    "draw card refused": at(nobody_draws, c.DrawCard()),
    "draw card": at(dealing, c.DrawCard()),
    "show cut card": at(closed, c.ShowCutCard()),
    "offer withdrawal": at(cut_card_first, c.OfferWithdrawal(REASON)),
    "name handler": at(nobody_on_banker, c.NameHandler(BANKER, "cyd", REASON)),
    "permit squeeze": at(closed, c.PermitSqueeze(PLAYER, "cyd", reason=REASON), method="A"),
    "pass hand": at(four_cards, c.PassHand(PLAYER, "ann"), method="A"),
    "refuse hand": at(closed, c.RefuseHand(PLAYER, "ann"), method="A"),
    "choose first hand": at(four_cards, c.ChooseFirstHand(BANKER), method="A"),
    "expose card held": at(held, c.ExposeCard(Position.P1)),
    "expose card": at(faceless, c.ExposeCard(Position.P1), cards="2C"),
    "announce outcome": at(gambled, c.AnnounceOutcome()),
    "settle": at(announced, c.Settle()),
    "confirm payment": at(settled, c.ConfirmPayment()),
    "report": at(closed, c.report(FOREIGN)),
    "confirm report": at(altered, c.ConfirmReport(REASON)),
    "confirm report void": at(foreign, c.ConfirmReport(REASON)),
    "confirm report gone": at(left_with_cards, c.ConfirmReport(REASON), step=0),
    "dismiss report": at(foreign, c.DismissReport(REASON)),
    "withdraw": at(offered, c.Withdraw("ann")),
    "keep wagers": at(offered, c.KeepWagers("ann")),
    "end option": at(offered, c.EndOption()),
    "end option answered": at(offered, c.EndOption(), answered=True),
    "set order": at(drawn_together, c.SetOrder((1, 0), REASON)),
    "reset device": at(to_reset, c.ResetDevice(REASON)),
    "reserve cards": at(left_with_cards, c.ReserveCards(), step=1, cards="3H 4C"),
    "record sorting": sorting,
    "substitute": substituting,
    "decide referral": at(referred, c.DecideReferral(CONTINUE, REASON)),
    "decide referral void": at(referred, c.DecideReferral(MAKE_VOID, REASON)),
    "decide referral offer": at(referred, c.DecideReferral(OFFER, REASON)),
    "decide referral order": at(referred_later, SWAPPED, before=dealt),
    "decide referral reset": at(referred, c.DecideReferral(RESET, REASON)),
    "decide referral out": at(referred, EXCLUDED),
    "decide referral out late": at(referred_later, EXCLUDED, before=dealt),
    "decide referral list": at(referred_later, PUSHED, before=settled),
    "decide terminal": at(flagged, STANDS, before=closed),
    "decide terminal out": at(flagged, RETURNED, before=closed),
    "decide terminal late": at(flagged, STANDS, before=dealt),
    "decide terminal out late": at(flagged, RETURNED, before=dealt),
    "decide replacement": at(void, c.DecideReplacement(replace=True, reason=REASON)),
    "correct card": at(dealt, c.CorrectCard(Position.P1, REASON), cards="3C"),
    "correct display": at(announced, c.CorrectDisplay("tie")),
}
