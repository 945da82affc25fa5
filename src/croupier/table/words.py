"""Words for refusals and displays: what a command does, where a round is, what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table.phases import PHASES
from croupier.table.rulings import Situation
from croupier.table.state import HoldKind, Phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.table.state import Table

COMMAND_WORDS: dict[type[c.Command], str] = {
    c.OpenTable: "a table is opened",
    c.CloseTable: "the table is closed",
    c.AnnounceClosure: "notice of the closure is given",
    c.SetMethod: "the dealing method is chosen",
    c.SetAreaCap: "the number of wagers for each area is set",
    c.SetLimits: "limits are set",
    c.SetDifferential: "the table differential is set",
    c.OfferWagers: "optional wagers are offered",
    c.SetClocks: "the clocks are set",
    c.SetDealtBy: "it is set who deals",
    c.SignIn: "a Dealer signs in",
    c.SignOut: "a Dealer signs out",
    c.LoadShoe: "a shoe is loaded",
    c.EndShoe: "a shoe is ended",
    c.DeclareShoeLost: "a shoe is declared lost",
    c.RemoveCards: "cards are removed",
    c.TakeSeat: "a patron comes",
    c.LeaveSeat: "a patron leaves",
    c.BringCredit: "credit is brought",
    c.TakeCredit: "credit is taken",
    c.PassOver: "a patron is passed over",
    c.LoseTerminal: "a terminal is lost",
    c.RestoreTerminal: "a terminal is restored",
    c.AcknowledgeClosing: "the closing is shown",
    c.CallBets: "the next call for bets comes",
    c.CloseBets: "the closing is called",
    c.PlaceWager: "a wager is placed",
    c.RaiseWager: "a wager is raised",
    c.LowerWager: "a wager is lowered",
    c.RemoveWager: "a wager is removed",
    c.FindStake: "a stake is found",
    c.ShakeDie: "the die is shaken",
    c.PassShaker: "the shaker is passed",
    c.RefuseShaker: "the shaker is refused",
    c.ConfirmShake: "a shake is confirmed",
    c.OpenShaker: "the shaker is opened",
    c.AnnounceDie: "the die is announced",
    c.CallShakeInvalid: "a shake is called invalid",
    c.TakeShoe: "the dealing device is taken",
    c.RefuseShoe: "the dealing device is refused",
    c.RelinquishShoe: "the dealing device is given up",
    c.AllowShoe: "drawing without a wager is allowed or forbidden",
    c.EndControl: "control of the dealing device is ended",
    c.AttestDraws: "draws are attested",
    c.DrawCard: "a card is drawn",
    c.ShowCutCard: "the cut card comes",
    c.OfferWithdrawal: "withdrawal for a cut card is offered",
    c.NameHandler: "a handler is named",
    c.PermitSqueeze: "squeezing is permitted",
    c.PassHand: "a hand is passed",
    c.RefuseHand: "a hand is refused",
    c.ChooseFirstHand: "the first hand is chosen",
    c.ExposeCard: "a card is exposed",
    c.AnnounceOutcome: "the outcome is announced",
    c.Settle: "wagers are settled",
    c.ConfirmPayment: "payment is confirmed",
    c.Report: "an irregularity is reported",
    c.DecideTerminal: "wagers of a lost terminal are decided on",
    c.DecideReplacement: "replacement of the cards is decided",
    c.CorrectCard: "a card is corrected",
    c.CorrectDisplay: "a display is corrected",
}
"""What each command does, as the second half of a sentence."""

UNASKED: dict[type[c.Command], str] = {
    c.AskToLower: "there are no stakes to balance",
    c.TakeOffWager: "there are no stakes to balance",
    c.ConfirmReport: "there is no report to confirm",
    c.DismissReport: "there is no report to dismiss",
    c.Withdraw: "nobody was asked to withdraw",
    c.KeepWagers: "nobody was asked to withdraw",
    c.EndOption: "nobody was asked to withdraw",
    c.SetOrder: "there is no order of cards to fix",
    c.ResetDevice: "there is no device to reset",
    c.ReserveCards: "no cards are to be reserved now",
    c.RecordSorting: "no cards are to be sorted now",
    c.Substitute: "no cards are to be substituted now",
    c.DecideReferral: "there is no referred matter to decide",
}
"""What is not there, for each command that answers a hold."""
assert not set(COMMAND_WORDS) & set(UNASKED), "a command with two phrases"
assert set(COMMAND_WORDS) | set(UNASKED) == set(c.COMMANDS), "a command without a phrase"

PHASE_WORDS = {
    Phase.OPEN: "Bets are open",
    Phase.CLOSED: "Bets are closed",
    Phase.SHAKE: "The die is being shaken",
    Phase.DEALING: "The cards are being dealt",
    Phase.RESULT: "The outcome is known",
    Phase.SETTLED: "The wagers are settled and not yet paid",
}
"""Where a round is, as a whole sentence."""

HOLD_WORDS = {
    HoldKind.REPORT: "a report to be confirmed",
    HoldKind.BALANCE: "the stakes on Player and Banker to be balanced",
    HoldKind.WITHDRAWAL: "patrons to withdraw or keep their wagers",
    HoldKind.ORDER: "the order of the cards to be fixed",
    HoldKind.RESET: "the dealing device to be reset",
    HoldKind.RESERVE: "two cards to be reserved",
    HoldKind.SORT: "the other cards to be sorted",
    HoldKind.SUBSTITUTE: "the missing cards to be substituted",
    HoldKind.REFERRAL: "a referred matter to be decided",
}
"""What a round waits for."""

SITUATION_WORDS = {
    Situation.EXTRA_CARD: "an extra card",
    Situation.MISSING_CARD: "a missing card",
    Situation.FOREIGN_CARD: "a foreign card",
    Situation.UNSHUFFLED_CARDS: "unshuffled cards",
    Situation.ORDER_ALTERED: "an altered order",
    Situation.INSUFFICIENT_CARDS: "too few cards",
    Situation.LATE_INCREASE: "a late increase",
    Situation.LATE_REMOVAL: "a late removal",
    Situation.FACE_UP_CARD: "a card found face up",
    Situation.WRONG_ORDER: "a wrong order",
    Situation.WRONG_NUMBER: "a wrong number of cards",
    Situation.WRONG_PATRON: "cards at the wrong patron",
    Situation.NOT_PASSED: "cards that were not passed",
    Situation.EXPOSED_IN_ERROR: "a card exposed in error",
    Situation.DRAWN_TOGETHER: "cards drawn together",
    Situation.DEVICE_RESET: "a reset of the device",
    Situation.HANDLER_ABSENT: "an absent handler",
    Situation.LEFT_WITH_CARDS: "a patron who left with cards",
    Situation.EXPOSED_IN_MOVEMENT: "a card exposed in movement",
    Situation.ALTERED_IN_MOVEMENT: "an order altered in movement",
    Situation.POWER_FAILURE: "a power failure",
    Situation.TERMINAL_FAILURE: "a failed terminal",
    Situation.DISPLAY_WRONG: "a wrong display",
    Situation.OTHER: "something else",
}
"""Each irregularity, as one speaks of it."""
assert set(SITUATION_WORDS) == set(Situation), "a situation without words"

FROM = {
    Phase.CLOSED: "when they are closed",
    Phase.SHAKE: "after the Dealer's shakes",
    Phase.DEALING: "once cards are dealt",
    Phase.RESULT: "when the outcome is known",
    Phase.SETTLED: "when the wagers are settled",
    Phase.VOID: "after a void round",
}
"""From when on a command is taken, by its first phase; before the closing bets are open."""
UNTIL = {
    Phase.OPEN: "while bets are open",
    Phase.CLOSED: "before the first card",
    Phase.SHAKE: "before the first card",
    Phase.DEALING: "before the outcome",
    Phase.RESULT: "before the settlement",
}
"""Until when a command is taken, by its last phase."""
ONCE = frozenset({c.AnnounceOutcome, c.Settle})
"""What brings its phase to an end, and so is not done again in the round."""
COURSE = tuple(Phase)
BETS_OPEN, BETS_CLOSED = "Bets are open", "Bets are closed"
MESSAGES = {
    Phase.UNOPENED: "The table is not open",
    Phase.IDLE: "The next round has not begun",
    Phase.OPEN: BETS_OPEN,
    Phase.CLOSED: BETS_CLOSED,
    Phase.SHAKE: f"{BETS_CLOSED}; the die is shaken",
    Phase.DEALING: f"{BETS_CLOSED}; the cards are dealt",
    Phase.RESULT: f"{BETS_CLOSED}; the outcome stands",
    Phase.SETTLED: f"{BETS_CLOSED}; the wagers are settled",
    Phase.VOID: "The round is void; every stake was returned",
}
WAITS = {
    HoldKind.REPORT: "The round waits: an irregularity was reported.",
    HoldKind.BALANCE: "The round waits: stakes on Player and Banker are too far apart.",
    HoldKind.WITHDRAWAL: "The round waits: patrons may withdraw wagers.",
    HoldKind.ORDER: "The round waits: the order of cards drawn together is being fixed.",
    HoldKind.RESET: "The round waits: the dealing device is being reset.",
    HoldKind.RESERVE: "The round waits: cards are gone, and two are being reserved.",
    HoldKind.SORT: "The round waits: cards are gone, and the others are being counted.",
    HoldKind.SUBSTITUTE: "The round waits: cards that are gone are being replaced.",
    HoldKind.REFERRAL: "The round waits: a matter is being decided.",
}
"""What everybody is told while the round waits."""


def when(kind: type[c.Command], phase: Phase) -> str:
    """Say when in a round a command is taken that is not taken now."""
    places = sorted(COURSE.index(one) for one in PHASES[kind])
    here = COURSE.index(phase)
    if here < places[0]:
        return FROM[COURSE[places[0]]]
    if here > places[-1]:
        return "once" if kind in ONCE else UNTIL[COURSE[places[-1]]]
    return "when no die is shaken"


def not_over(kind: type[c.Command], phase: Phase) -> str:
    """Say that a command waits for the end of the round."""
    return f"{PHASE_WORDS[phase]}; {COMMAND_WORDS[kind]} when the round is over"


def at_position(table: Table, patron: str) -> str:
    """Speak of a patron to others: by the playing position, never by name."""
    position = table.seats.get(patron)
    return "another patron" if position is None else f"the patron at position {position}"


def counted(number: int, what: str) -> str:
    """Write a number of things.

    >>> counted(1, "card"), counted(2, "card")
    ('1 card', '2 cards')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def named(what: str, names: Iterable[object]) -> str:
    """Name one or several things.

    >>> named("stake", [1]), named("stake", [1, 3])
    ('stake 1', 'stakes 1 and 3')
    """
    words = [str(name) for name in names]
    return f"{what if len(words) == 1 else f'{what}s'} {listed(words)}"


def begun(text: str) -> str:
    """Write a text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]
