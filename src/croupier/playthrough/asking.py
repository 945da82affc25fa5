"""Questions that a line may ask; they change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.playthrough.lines import ScriptError
from croupier.playthrough.telling import signed
from croupier.playthrough.telling_incidents import clause_text
from croupier.rules.decided import Standing
from croupier.rules.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.playthrough.lines import Words
    from croupier.table.state import DealtCard


def _credit(words: Words) -> str:
    table = words.table
    patron = words.next("a patron")
    if patron not in table.credits:
        message = f"Patron {quoted(patron)} is not at this table."
        raise ScriptError(message)
    return dollars(table.credits[patron])


def _balance(words: Words) -> str:
    table = words.table
    told = [f"{patron}: {dollars(table.credits[patron])}" for patron in sorted(table.credits)]
    told.append(f"in play {dollars(table.in_play)}")
    told.append(f"bank {signed(table.bank)}, commission {dollars(table.commission)}")
    told.append(f"brought {dollars(table.brought)}")
    return "; ".join(told)


def _show(words: Words) -> str:
    table = words.table
    if table.hold is None:
        return table.phase.value
    waits = f"HOLD {table.hold.kind.value}{clause_text(table.hold.clause)}"
    return f"{table.phase.value}; {waits}"


def _stakes(words: Words) -> str:
    table = words.table
    told = []
    for stake in table.stakes:
        owners = ", ".join(f"{share.patron} {dollars(share.cents)}" for share in stake.shares)
        told.append(f"{stake.number} on {stake.wager} at {stake.position}: {owners}")
    return "; ".join(told) or "no stakes"


def _cards(words: Words) -> str:
    table = words.table
    play = table.round
    if play is None:
        return "no cards"
    told = [f"{dealt.position.value} {_face(dealt)}" for dealt in play.cards]
    told += [f"waiting {card.text if card else 'not read'}" for card in play.waiting]
    return ", ".join(told) or "no cards"


def _face(dealt: DealtCard) -> str:
    if dealt.exposed and dealt.card is not None:
        return dealt.card.text
    return f"with patron {dealt.handed_to}" if dealt.handed_to else "face down"


def _shoe(words: Words) -> str:
    table = words.table
    shoe = table.shoe
    if shoe is None:
        return "no shoe"
    ended = ", out of play" if shoe.ended else ""
    replace = f", to be replaced{clause_text(shoe.replace_by)}" if shoe.replace_by else ""
    return f"shoe {shoe.name}: {shoe.left} of {shoe.cards} cards left{ended}{replace}"


def _decided(words: Words) -> str:
    table = words.table
    if table.plan is None or table.round is None:
        return "no round"
    decided = table.decided
    told = ["established" if table.established else "not established"]
    for standing in (Standing.WON, Standing.LOST):
        wagers = [wager for wager, found in decided.wagers.items() if found is standing]
        if wagers:
            told.append(f"{standing.value} {', '.join(wagers)}")
    return "; ".join(told)


QUESTIONS: dict[str, tuple[str, Callable[[Words], str]]] = {
    "credit": ("credit PATRON", _credit),
    "balance": ("balance", _balance),
    "show": ("show", _show),
    "stakes": ("stakes", _stakes),
    "cards": ("cards", _cards),
    "shoe": ("shoe", _shoe),
    "decided": ("decided", _decided),
}
"""Every question by its verb: how it is written, and its answer."""
