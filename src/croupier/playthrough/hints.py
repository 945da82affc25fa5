"""What a prompt tells a beginner: its own words, what can be done next, what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.playthrough.asking import QUESTIONS
from croupier.playthrough.house import YOU
from croupier.playthrough.verbs import VERBS
from croupier.rules.errors import RulesError, quoted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.course import due
from croupier.table.state import HoldKind, Phase

if TYPE_CHECKING:
    from croupier.playthrough.session import Answer
    from croupier.table.state import Hold, Table

OWN_WORDS = {
    "bet": ("bet WAGER AMOUNT", "put credit on a wager, as in: bet player 50"),
    "deal": ("deal", "close the bets, deal the coup and settle it"),
    "draw": ("draw", "close the bets if they are open, and deal one card only"),
    "wagers": ("wagers", "list the wagers with what they pay"),
    "clear": ("clear", "take your stakes back while bets are open"),
    "roads": ("roads", "draw the roads of this shoe"),
    "help": ("help [WORD]", "list the commands, or show how one is written; also: ?"),
    "quit": ("quit", "take your stakes back if bets are open, and leave; also: q, exit"),
}
"""What only the prompt understands: how it is written, and what it does."""
SHORT = {"?": "help", "q": "quit", "exit": "quit"}
"""Other ways to write some of them."""
COLUMN = 19
ANSWERS = {
    HoldKind.REPORT: '`confirm with=pit_supervisor`, or `dismiss reason="..."`',
    HoldKind.BALANCE: "`lower`, `raise`, or `ask` and `take off`",
    HoldKind.WITHDRAWAL: "`withdraw you` or `keep you`, then `resume`",
    HoldKind.ORDER: "`order CARD CARD with=pit_supervisor`",
    HoldKind.RESET: "`reset with=pit_supervisor`",
    HoldKind.RESERVE: "`reserve` with two cards",
    HoldKind.SORT: "`sort missing=` with the cards that are gone",
    HoldKind.SUBSTITUTE: "`substitute` with the missing cards",
    HoldKind.REFERRAL: (
        '`decide continue reason="..."` or `decide void reason="..." with=pit_supervisor`'
    ),
}
"""How each kind of hold is answered."""


def help_text(words: list[str]) -> str:
    """List the commands, or show how those are written that begin with these words."""
    start = " ".join(words).lower()
    start = SHORT.get(start, start)
    found = [
        f"{syntax:<{COLUMN}}{about}"
        for name, (syntax, about) in OWN_WORDS.items()
        if name.startswith(start)
    ]
    if not start:
        verbs = ", ".join(sorted({*VERBS, *QUESTIONS}))
        asks = f"{', '.join(QUESTIONS)}\n{'':<{COLUMN}}ask how things stand"
        rest = "Everything else is the language of playthroughs, and you are the patron `you`"
        return "\n".join([*found, asks, f"{rest}.", f"The verbs are {verbs}."])
    found += [verb.syntax for name, verb in VERBS.items() if name.startswith(start)]
    found += [syntax for name, (syntax, _) in QUESTIONS.items() if name.startswith(start)]
    if not found:
        message = f"There is no verb {quoted(start)}; `help` lists them."
        raise RulesError(message)
    return "\n".join(found)


def in_small_letters(line: str) -> str:
    """Return a line whose first words, if they are a command, are in small letters.

    >>> in_small_letters("BET Player 50"), in_small_letters("Take Off 3"), in_small_letters("?")
    ('bet Player 50', 'take off 3', 'help')
    """
    words = line.split(maxsplit=2)
    pair = " ".join(words[:2]).lower()
    if pair in VERBS:
        return " ".join([pair, *words[2:]])
    first, *rest = line.split(maxsplit=1)
    first = first.lower()
    return " ".join([SHORT.get(first, first), *rest])


def next_hint(table: Table) -> str:
    """Say what patron `you` can do next at a table."""
    if table.hold is not None:
        return f"The round waits for its {table.hold.kind.value}: {answers(table.hold)}."
    if table.phase is not Phase.OPEN and not table.between_rounds:
        return _hint_in_round(table)
    staked = 0 if table.between_rounds else table.staked(YOU)
    if staked:
        return f"{dollars(staked)} in play. Bet more, or `deal`."
    if not table.credits.get(YOU, 0):
        return f"You have nothing left to bet. `bring {YOU} 100`, or `quit`."
    if table.between_rounds:
        return "The round is over. Bet again, as in `bet player 50`, or `quit`."
    return "Place your bets, as in `bet player 50`; then `deal`. `wagers` lists them all."


def answers(hold: Hold) -> str:
    """Say how a hold is answered; who has answered an option, or has none, only resumes."""
    asked = YOU in hold.patrons and YOU not in hold.answers
    if hold.kind is HoldKind.WITHDRAWAL and not asked:
        return "`resume`"
    return ANSWERS[hold.kind]


SHAKING = (c.ShakeDie, c.PassShaker, c.ConfirmShake, c.OpenShaker, c.AnnounceDie)
PAYING = (c.AnnounceOutcome, c.Settle, c.ConfirmPayment)


def _hint_in_round(table: Table) -> str:
    command = due(table).command
    if isinstance(command, SHAKING):
        return "The die comes before the cards: `deal` shakes it and plays on."
    if isinstance(command, PAYING):
        return "The coup is complete: `deal` settles it."
    return "The round goes on: `deal` plays it to its end, `draw` deals one card."


# What is shown in another way


QUIET = (
    e.BetsOpened,
    e.BetsClosed,
    e.CardDrawn,
    e.CardExposed,
    e.TotalsAnnounced,
    e.OutcomeAnnounced,
    e.DieShaken,
    e.ShakerPassed,
    e.ShakeConfirmed,
    e.ShakerOpened,
    e.PaymentConfirmed,
    e.RoundClosed,
)
"""What a drawing of the hands, or the hint that follows, says better."""


def is_quiet(answer: Answer) -> bool:
    """Tell whether all that happened is shown in another way."""
    return bool(answer.events) and all(isinstance(event, QUIET) for event in answer.events)


def no_power(answer: Answer) -> str:
    """Say that a die which was announced makes no Power hand; the language leaves it out."""
    for event in answer.events:
        if isinstance(event, e.DieAnnounced) and not event.power:
            return ", no Power hand"
    return ""


def outcomes(table: Table) -> str:
    """Write the coups of this shoe as roads read them; void rounds are not part of it."""
    plan = table.plan
    assert plan is not None
    written = []
    for result in table.results:
        if not result.void:
            settlement = plan.game.settle(" ".join(result.cards), die=result.die)
            seen, winner = settlement.outcome, settlement.winner
            pairs = "+pp" * (seen.player.pair > 0) + "+bp" * (seen.banker.pair > 0)
            written.append((winner.value[0].upper() if winner else "T") + pairs)
    return " ".join(written)
