"""Commands: what somebody asks of the table, and the envelope the desk puts it in.

A client sends the command. What only the house knows comes with the envelope: who asks,
who approves, the time, the cards that came out of the device and the die.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.frozen import Named
from croupier.rules.coup import Position  # noqa: TC001  # read at run time to decode
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.reports import Content, Facts, about
from croupier.table.roles import Actor, Member  # noqa: TC001
from croupier.table.rulings import Situation  # noqa: TC001
from croupier.table.settings import Clocks, DealtBy, Limits, Method, Settings  # noqa: TC001


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command; each kind has a name of its own on the wire."""


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """A command with what only the house knows."""

    command: Command
    actor: Actor
    moment: datetime
    approver: Member | None = None
    """The second person, where an act needs one."""
    cards: tuple[str, ...] = ()
    """Cards that came out of the device, or were keyed in, in order."""
    die: int | None = None
    supplies: bool = False
    """The house has the cards of a sealed shoe, and gives those that are asked for."""


# Opening and setting


class OpenTable(Command, frozen=True, tag="open_table"):
    """Open the table with its settings."""

    settings: Settings


class CloseTable(Command, frozen=True, tag="close_table"):
    """Close the table for the day; the memory of under-minimum wagers ends."""


class AnnounceClosure(Command, frozen=True, tag="announce_closure"):
    """Give notice that the table closes in so many minutes; None: take the notice back."""

    minutes: int | None
    reason: str = ""


class SetMethod(Command, frozen=True, tag="set_method"):
    """Choose the dealing method of the rounds to come."""

    method: Method
    reason: str = ""


class SetAreaCap(Command, frozen=True, tag="set_area_cap"):
    """Allow fewer wagers in each playing area."""

    wagers: int
    reason: str = ""


class SetLimits(Command, frozen=True, tag="set_limits"):
    """Change minimum, maximum and step of wagers."""

    limits: dict[str, Limits]
    reason: str = ""


class SetDifferential(Command, frozen=True, tag="set_differential"):
    """Set how far stakes on Player and Banker may be apart; None: no limit."""

    cents: int | None
    reason: str = ""


class OfferWagers(Command, frozen=True, tag="offer_wagers"):
    """Say which optional wagers are offered from the next round on."""

    optional: tuple[str, ...]
    reason: str = ""


class SetClocks(Command, frozen=True, tag="set_clocks"):
    """Change how long a table that the system deals waits."""

    clocks: Clocks
    reason: str = ""


class SetDealtBy(Command, frozen=True, tag="set_dealt_by"):
    """Say whether Dealers or the house deal the rounds to come."""

    dealt_by: DealtBy
    reason: str = ""


class SignIn(Command, frozen=True, tag="sign_in"):
    """Take a table over from the house, as its Dealer, from the next round on."""


class SignOut(Command, frozen=True, tag="sign_out"):
    """Give the table back to the house, also in the middle of a round."""


class LoadShoe(Command, frozen=True, tag="load_shoe"):
    """Load a new shoe; the cut card lies behind so many cards."""

    shoe: str
    cut_behind: int | None = None


class EndShoe(Command, frozen=True, tag="end_shoe"):
    """Take the shoe out of play between rounds."""


class DeclareShoeLost(Command, frozen=True, tag="declare_shoe_lost"):
    """Declare the shoe in play lost: its key is gone, and no card of it can be opened."""

    shoe: str
    reason: str


class RemoveCards(Command, frozen=True, tag="remove_cards"):
    """Take cards from the device unseen (A15)."""

    count: int = 1


# People, credit and terminals


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """Come to the table, to a playing position or terminal."""

    patron: str
    position: int


class LeaveSeat(Command, frozen=True, tag="leave_seat"):
    """Leave the table; all credit goes to the wallet, or staff of a live table pay it out."""

    patron: str
    cash: bool = False


class BringCredit(Command, frozen=True, tag="bring_credit"):
    """Bring credit to the seat: from the cage by a transfer, or bought at the table."""

    patron: str
    cents: int
    transfer: str | None = None


class TakeCredit(Command, frozen=True, tag="take_credit"):
    """Take credit from the seat to the wallet, or staff of a live table pay it out."""

    patron: str
    cents: int
    cash: bool = False


class PassOver(Command, frozen=True, tag="pass_over"):
    """Go on without a patron who gave no answer in time, as if absent."""

    patron: str


class LoseTerminal(Command, frozen=True, tag="lose_terminal"):
    """Record that a terminal failed."""

    position: int


class RestoreTerminal(Command, frozen=True, tag="restore_terminal"):
    """Record that a terminal is back."""

    position: int


class AcknowledgeClosing(Command, frozen=True, tag="acknowledge_closing"):
    """Record that a terminal showed the closing of bets."""

    position: int


# Betting


class CallBets(Command, frozen=True, tag="call_bets"):
    """Call for bets: the round begins."""


class CloseBets(Command, frozen=True, tag="close_bets"):
    """Call "no more bets"."""


class PlaceWager(Command, frozen=True, tag="place_wager"):
    """Put a stake on a wager; on one's own stake there it is a raise."""

    patron: str
    wager: str
    cents: int
    position: int | None = None
    """The playing position; None: where the patron sits, or where the joined stake lies."""
    shared: bool = False
    """Others may add to it until bets close."""
    join: int | None = None
    """The number of the shared stake to add to."""


class RaiseWager(Command, frozen=True, tag="raise_wager"):
    """Add to one's stake."""

    patron: str
    stake: int
    cents: int


class LowerWager(Command, frozen=True, tag="lower_wager"):
    """Take a part of one's stake back."""

    patron: str
    stake: int
    cents: int


class RemoveWager(Command, frozen=True, tag="remove_wager"):
    """Take one's stake back."""

    patron: str
    stake: int


class FindStake(Command, frozen=True, tag="find_stake"):
    """Report a stake on the layout that nobody entered, and that is outside the limits."""

    patron: str
    wager: str
    cents: int
    position: int | None = None
    reason: str = ""


class AskToLower(Command, frozen=True, tag="ask_to_lower"):
    """Ask the patrons of the heavier hand to lower their wagers."""


class TakeOffWager(Command, frozen=True, tag="take_off_wager"):
    """Remove a stake to meet the table differential."""

    stake: int
    reason: str = ""


# The die


class ShakeDie(Command, frozen=True, tag="shake_die"):
    """Shake the die once, as the Dealer."""


class PassShaker(Command, frozen=True, tag="pass_shaker"):
    """Pass the shaker to a patron; None: to whom it is due."""

    patron: str | None = None
    reason: str = ""


class RefuseShaker(Command, frozen=True, tag="refuse_shaker"):
    """Refuse to shake."""

    patron: str


class ConfirmShake(Command, frozen=True, tag="confirm_shake"):
    """Confirm that the die was heard tumbling."""


class OpenShaker(Command, frozen=True, tag="open_shaker"):
    """Open the shaker."""


class AnnounceDie(Command, frozen=True, tag="announce_die"):
    """Announce the die; its value comes with the envelope."""


class CallShakeInvalid(Command, frozen=True, tag="call_shake_invalid"):
    """Have it shaken again, before any card."""

    reason: str


# Dealing and settlement


class TakeShoe(Command, frozen=True, tag="take_shoe"):
    """Accept the dealing device."""

    patron: str


class RefuseShoe(Command, frozen=True, tag="refuse_shoe"):
    """Refuse the dealing device in this round."""

    patron: str


class RelinquishShoe(Command, frozen=True, tag="relinquish_shoe"):
    """Give the dealing device up."""

    patron: str


class AllowShoe(Command, frozen=True, tag="allow_shoe"):
    """Let a patron without a valid wager draw the cards, or end that."""

    patron: str
    allowed: bool = True
    reason: str = ""


class EndControl(Command, frozen=True, tag="end_control"):
    """End a patron's control of the dealing device who had wagers on both hands (A28)."""

    patron: str
    reason: str = ""


class AttestDraws(Command, frozen=True, tag="attest_draws"):
    """Attest that staff see every draw of the patron."""


class DrawCard(Command, frozen=True, tag="draw_card"):
    """Draw the next card; a card that was read comes with the envelope."""


class ShowCutCard(Command, frozen=True, tag="show_cut_card"):
    """Record that the cut card came, and remove it."""


class OfferWithdrawal(Command, frozen=True, tag="offer_withdrawal"):
    """Let patrons withdraw because the cut card came first."""

    reason: str = ""


class NameHandler(Command, frozen=True, tag="name_handler"):
    """Say who handles the cards of a hand when the order cannot be met."""

    side: Side
    patron: str
    reason: str = ""


class PermitSqueeze(Command, frozen=True, tag="permit_squeeze"):
    """Let a patron, or somebody the patron names, squeeze a hand."""

    side: Side
    patron: str
    designee: str | None = None
    reason: str = ""


class PassHand(Command, frozen=True, tag="pass_hand"):
    """Pass a hand face down to a patron."""

    side: Side
    patron: str


class RefuseHand(Command, frozen=True, tag="refuse_hand"):
    """Refuse to handle the cards of a hand."""

    side: Side
    patron: str


class ChooseFirstHand(Command, frozen=True, tag="choose_first_hand"):
    """Say which hand is revealed first."""

    side: Side


class ExposeCard(Command, frozen=True, tag="expose_card"):
    """Turn a card up; its face comes with the envelope where the device did not read it."""

    position: Position


class AnnounceOutcome(Command, frozen=True, tag="announce_outcome"):
    """Announce the outcome of a complete coup."""


class Settle(Command, frozen=True, tag="settle"):
    """Collect and pay all wagers in one step."""


class ConfirmPayment(Command, frozen=True, tag="confirm_payment"):
    """Confirm that the pay list was carried out: the round is over."""


# Irregularities


class Report(Facts, Command, frozen=True, tag="report"):
    """Report an irregularity: what it is, with what that situation needs."""

    about: Content
    note: str = ""


def report(situation: Situation, note: str = "", **facts: object) -> Report:
    """Return the report of a situation, with what is known of it.

    >>> report(Situation.DRAWN_TOGETHER, count=2).about
    DrawnTogether(count=2, order_known=False)
    """
    return Report(about(situation, **facts), note)


class ConfirmReport(Command, frozen=True, tag="confirm_report"):
    """Confirm a report; its ruling is carried out."""

    reason: str = ""


class DismissReport(Command, frozen=True, tag="dismiss_report"):
    """Dismiss a report: there is no irregularity."""

    reason: str


class Withdraw(Command, frozen=True, tag="withdraw"):
    """Take the option to withdraw; no stakes named: all that may be withdrawn."""

    patron: str
    stakes: tuple[int, ...] = ()


class KeepWagers(Command, frozen=True, tag="keep_wagers"):
    """Decline the option to withdraw."""

    patron: str


class EndOption(Command, frozen=True, tag="end_option"):
    """End the option; the wagers of whoever gave no answer stay."""

    reason: str = ""


class SetOrder(Command, frozen=True, tag="set_order"):
    """Fix the order of cards that came together: their numbers, the first drawn first."""

    order: tuple[int, ...]
    reason: str = ""


class ResetDevice(Command, frozen=True, tag="reset_device"):
    """Record that the dealing device was reset."""

    reason: str = ""


class ReserveCards(Command, frozen=True, tag="reserve_cards"):
    """Take two cards from the device, unseen, in drawn order."""


class RecordSorting(Command, frozen=True, tag="record_sorting"):
    """Enter how many of each face were sorted from device and discards."""

    counts: dict[str, int]


class Substitute(Command, frozen=True, tag="substitute"):
    """Put equal cards of a complete deck in the place of the missing ones."""

    cards: tuple[str, ...]


class Decision(Named):
    """What somebody may decide when a matter is referred."""

    CONTINUE = "continue"
    VOID = "void"
    OFFER_WITHDRAWAL = "offer_withdrawal"
    RECONSTRUCT = "reconstruct"
    RESET = "reset_and_wager_again"
    """The cards of the round are set aside, the device is reset, and bets open again (A23)."""
    EXCLUDE = "exclude_stake"
    """A named stake is taken out of the round and returned."""
    CORRECT = "correct_pay_list"
    """A line of the pay list is put right before it is paid."""


class DecideReferral(Command, frozen=True, tag="decide_referral"):
    """Decide a matter that the rulebook does not cover."""

    decision: Decision
    reason: str
    stake: int | None = None
    """The stake that is excluded, or whose line is corrected."""
    patron: str | None = None
    """Whose part of the stake it is; None: it has one owner."""
    won_cents: int | None = None
    """What the corrected line wins; negative: what it loses."""
    laid: tuple[Position, ...] = ()
    """Where the cards lay, in the order in which they were drawn, to reconstruct them."""


class DecideTerminal(Command, frozen=True, tag="decide_terminal"):
    """Decide on accepted wagers of a terminal that never showed the closing (A30)."""

    position: int
    stands: bool
    reason: str


class DecideReplacement(Command, frozen=True, tag="decide_replacement"):
    """Decide whether the cards are replaced after a void."""

    replace: bool
    reason: str = ""


class CorrectCard(Command, frozen=True, tag="correct_card"):
    """Correct a face that was read or keyed in wrongly; the right one is in the envelope."""

    position: Position
    reason: str


class CorrectDisplay(Command, frozen=True, tag="correct_display"):
    """Record that a display showed another outcome than the cards."""

    shown: str
    reason: str = ""


COMMANDS: tuple[type[Command], ...] = tuple(Command.__subclasses__())
