"""Events: what happened at a table. Facts, in the past tense, under names of our own.

A field marked "house only" never reaches a patron or a display before the card is exposed.
A moment is when it happened: the clocks of a table measure from it.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.rules.coup import Position  # noqa: TC001
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.roles import StaffPosition  # noqa: TC001
from croupier.table.settings import Settings  # noqa: TC001


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that happened."""


class By(msgspec.Struct, frozen=True, gc=False):
    """Who did it, by which position, for which one, approved by whom, and when."""

    name: str
    position: StaffPosition | None
    moment: datetime
    acting_for: StaffPosition | None = None
    approved_by: str | None = None
    approved_as: StaffPosition | None = None


class DecisionRecorded(Event, frozen=True, tag="decision_recorded"):
    """Somebody used a discretion: who, what could be chosen, what was, and why."""

    by: By
    clause: str | None
    """None: it is not in the rules."""
    question: str
    options: tuple[str, ...]
    choice: str
    reason: str = ""


# Opening and setting


class TableOpened(Event, frozen=True, tag="table_opened"):
    """The table is open under a rulebook."""

    settings: Settings
    version: int
    effective: datetime
    by: By


class TableClosed(Event, frozen=True, tag="table_closed"):
    """The table is closed; patrons' memory of under-minimum wagers ends."""

    by: By


class ClosureAnnounced(Event, frozen=True, tag="closure_announced"):
    """Notice was given when the table closes, or was taken back."""

    closes: datetime | None
    by: By
    reason: str = ""


class SettingsChanged(Event, frozen=True, tag="settings_changed"):
    """Settings are in force from here on."""

    settings: Settings
    by: By


class SettingsScheduled(Event, frozen=True, tag="settings_scheduled"):
    """Settings will be in force from the next round on."""

    settings: Settings
    by: By


class DealerSignedIn(Event, frozen=True, tag="dealer_signed_in"):
    """A Dealer came to a table that the house deals, and deals it from the next round on."""

    dealer: str
    by: By


class DealerSignedOut(Event, frozen=True, tag="dealer_signed_out"):
    """The Dealer left; the house deals, and goes on with a round that was begun."""

    dealer: str
    by: By


class ShoeLoaded(Event, frozen=True, tag="shoe_loaded"):
    """A new shoe is in the device."""

    shoe: str
    cards: int
    cut_behind: int | None
    by: By


class ShoeEnded(Event, frozen=True, tag="shoe_ended"):
    """The shoe is out of play."""

    shoe: str
    why: str


class ShoeLost(Event, frozen=True, tag="shoe_lost"):
    """The shoe is out of play as lost; its cards that were not exposed stay unproved."""

    shoe: str
    by: By
    reason: str


class CardsRemoved(Event, frozen=True, tag="cards_removed"):
    """Cards were taken from the device unseen."""

    count: int
    by: By


# People, credit and terminals


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A patron came to a playing position."""

    patron: str
    position: int


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A patron left the table."""

    patron: str


class CreditBrought(Event, frozen=True, tag="credit_brought"):
    """Credit came from the cage, or was bought at the table, to a seat."""

    patron: str
    cents: int
    transfer: str | None = None


class CreditTaken(Event, frozen=True, tag="credit_taken"):
    """Credit went from a seat to the wallet, or was paid out at a live table."""

    patron: str
    cents: int
    to_wallet: bool = False
    """It is on its way to the cage, which takes it over; else staff paid it in cash."""


class TerminalLost(Event, frozen=True, tag="terminal_lost"):
    """A terminal failed; the round goes on."""

    position: int
    clause: str | None
    takes_part: bool
    flagged: bool
    """Accepted, but the terminal had not shown the closing: somebody should look at it."""


class TerminalRestored(Event, frozen=True, tag="terminal_restored"):
    """A terminal is back."""

    position: int


class ClosingAcknowledged(Event, frozen=True, tag="closing_acknowledged"):
    """A terminal showed the closing of bets."""

    position: int
    moment: datetime


# Betting


class BetsOpened(Event, frozen=True, tag="bets_opened"):
    """The call for bets: a round begins, stamped with what it needs to be read by itself."""

    round: int
    rulebook: str
    version: int
    effective: datetime
    game: str
    method: str | None
    moment: datetime
    by: str
    dealt_by: str = "dealer"
    """A Dealer, the system of an electronic table, or the house, which no rulebook knows."""
    shoe: str = ""
    """The shoe in play."""
    seats: dict[str, int] = {}
    """Who sits where."""
    credits: dict[str, int] | None = None
    """Who has how much credit there; None: it was called before that was recorded."""


class WagerPlaced(Event, frozen=True, tag="wager_placed"):
    """A stake lies on a wager."""

    stake: int
    patron: str
    position: int
    wager: str
    cents: int
    placed_by: str | None = None
    """Staff who placed it at the patron's request."""
    shared: bool = False


class WagerRaised(Event, frozen=True, tag="wager_raised"):
    """A patron added to a stake."""

    stake: int
    patron: str
    cents: int
    placed_by: str | None = None


class WagerLowered(Event, frozen=True, tag="wager_lowered"):
    """A patron took a part, or all, of a stake back."""

    stake: int
    patron: str
    cents: int
    placed_by: str | None = None


class StakeFound(Event, frozen=True, tag="stake_found"):
    """A stake outside the limits was found on the layout after the closing."""

    stake: int
    patron: str
    position: int
    wager: str
    cents: int
    by: By
    reason: str = ""


class WagerReturned(Event, frozen=True, tag="wager_returned"):
    """A stake went back to its owners."""

    stake: int
    clause: str
    why: str


class BetsClosed(Event, frozen=True, tag="bets_closed"):
    """The call "no more bets"."""

    moment: datetime
    by: str
    again: bool = False


class LoweringAsked(Event, frozen=True, tag="lowering_asked"):
    """The Dealer asked the patrons of the heavier hand to lower their wagers."""

    side: Side
    by: By


# The die


class DieShaken(Event, frozen=True, tag="die_shaken"):
    """The Dealer shook the die once."""

    times: int
    by: By


class ShakerPassed(Event, frozen=True, tag="shaker_passed"):
    """The shaker went to a patron; None: nobody takes it and the Dealer shakes."""

    patron: str | None
    by: By
    reason: str = ""


class ShakerRefused(Event, frozen=True, tag="shaker_refused"):
    """A patron would not shake."""

    patron: str
    answered: bool = True
    """False: the patron gave no answer in time."""
    moment: datetime | None = None


class ShakeConfirmed(Event, frozen=True, tag="shake_confirmed"):
    """The die was heard tumbling."""

    shaken_by: str
    confirmed_by: str
    moment: datetime | None = None


class ShakerOpened(Event, frozen=True, tag="shaker_opened"):
    """The shaker is open."""

    opened_by: str
    moment: datetime | None = None


class DieAnnounced(Event, frozen=True, tag="die_announced"):
    """The Dealer announced the die, and turned the marker for a Power hand."""

    die: int
    power: bool
    by: By


class ShakeInvalid(Event, frozen=True, tag="shake_invalid"):
    """The shake does not count; it is shaken again."""

    reason: str
    by: By


# Dealing


class ShoeTaken(Event, frozen=True, tag="shoe_taken"):
    """A patron controls the dealing device."""

    patron: str
    moment: datetime | None = None


class ShoeAllowed(Event, frozen=True, tag="shoe_allowed"):
    """Staff let a patron draw the cards without a valid wager, or no longer."""

    patron: str
    allowed: bool
    by: By


class ShoeRefused(Event, frozen=True, tag="shoe_refused"):
    """A patron would not draw the cards."""

    patron: str
    answered: bool = True
    """False: the patron gave no answer in time."""
    moment: datetime | None = None


class ShoeGivenUp(Event, frozen=True, tag="shoe_given_up"):
    """A patron no longer controls the dealing device."""

    patron: str
    clause: str
    why: str
    settled: bool = False
    """It follows from the settlement, and a reversal of that gives the device back."""
    relinquished: bool = False
    """The patron chose to: the device is offered to all others first."""
    moment: datetime | None = None


class DrawsAttested(Event, frozen=True, tag="draws_attested"):
    """Staff attested that the draws are in their view."""

    by: By


class CardDrawn(Event, frozen=True, tag="card_drawn"):
    """A card came out of the device to its place, face down."""

    position: Position
    drawn_by: str
    card: str | None = None
    """House only: the face, where the device read it."""
    handed_to: str | None = None
    waited: bool = False
    """It had come out before, and waited."""
    number: int = 0
    """Which card of its shoe it is, counted from 0."""
    moment: datetime | None = None


class CardTurned(Event, frozen=True, tag="card_turned"):
    """Whoever holds a card that no device read turned it up; its face is to be keyed in."""

    position: Position
    patron: str
    moment: datetime | None = None


class CardExposed(Event, frozen=True, tag="card_exposed"):
    """A card lies face up for all to see."""

    position: Position
    card: str
    exposed_by: str
    moment: datetime | None = None


class CardsSetAside(Event, frozen=True, tag="cards_set_aside"):
    """Cards that no hand takes were put aside."""

    count: int
    why: str
    clause: str | None = None
    cards: tuple[str, ...] = ()
    """House only: their faces, as far as they are known."""
    waited: bool = False
    """They had come out before, and waited."""


class CutCardSeen(Event, frozen=True, tag="cut_card_seen"):
    """The cut card came and was removed; it takes no card's place."""

    first: bool
    by: str


class HandlerNamed(Event, frozen=True, tag="handler_named"):
    """Staff named who handles the cards of a hand."""

    side: Side
    patron: str
    designee: str | None
    clause: str
    by: By


class HandPassed(Event, frozen=True, tag="hand_passed"):
    """A hand went face down to a patron."""

    side: Side
    patron: str
    way: tuple[str, ...]
    """The hands it went through."""
    clause: str | None = None
    """The clause by which it went to this patron."""
    moment: datetime | None = None


class HandRefused(Event, frozen=True, tag="hand_refused"):
    """A patron would not handle the cards."""

    side: Side
    patron: str
    answered: bool = True
    """False: the patron gave no answer in time."""
    moment: datetime | None = None


class FirstHandChosen(Event, frozen=True, tag="first_hand_chosen"):
    """The Dealer said which hand is revealed first."""

    side: Side
    by: By


class TotalsAnnounced(Event, frozen=True, tag="totals_announced"):
    """The points of both hands after the initial deal."""

    player: int
    banker: int


class OutcomeAnnounced(Event, frozen=True, tag="outcome_announced"):
    """The outcome of the coup: points of both hands, and the winner; None: a tie."""

    player: int
    banker: int
    winner: Side | None
    by: str
    moment: datetime | None = None


# Settlement


class PayLine(msgspec.Struct, frozen=True, gc=False):
    """What the settlement does to one patron's part of a stake."""

    stake: int
    patron: str
    wager: str
    cents: int
    """What was staked."""
    settled_cents: int
    """What of it was settled; the rest is returned."""
    result: str
    row: str | None
    pays: str | None
    clause: str | None
    won_cents: int
    """Net winnings; negative: what was collected."""
    commission_cents: int | None = None
    """What the house kept; None: the wager has no commission in this game."""
    breach: str | None = None
    """Why a stake outside the limits was settled in part, once, or not at all."""
    breach_clause: str | None = None
    corrected: str | None = None
    """The clause by which somebody put the line right."""

    @property
    def paid_cents(self) -> int:
        """Return what goes back to the patron's credit."""
        return self.cents + self.won_cents


class WagersSettled(Event, frozen=True, tag="wagers_settled"):
    """All wagers of the round were settled in one step."""

    lines: tuple[PayLine, ...]
    moment: datetime | None = None


class PaymentConfirmed(Event, frozen=True, tag="payment_confirmed"):
    """The Dealer carried the pay list out."""

    by: By


class RoundClosed(Event, frozen=True, tag="round_closed"):
    """The round is over."""

    round: int
    moment: datetime | None = None
