"""Croupier: casino baccarat by the book, as a library.

>>> import croupier
>>> settlement = croupier.find_game("tiger").settle("QC QS QS QD 3H 8S")
>>> settlement.winner, settlement["tiger-pair"].pays
(Side.BANKER, '100 to 1')
"""

from __future__ import annotations

from croupier.clauses import Clause, clauses, find_clause
from croupier.money import Cents, Odds, Rounding, pay
from croupier.rulebooks import (
    BACCARAT,
    FA_FA_FABULOUS_4,
    FABULOUS_4S,
    FORTUNE_SIX,
    FORTUNE_SIX_TOURNAMENT,
    GAMES,
    NO_COMMISSION,
    POWER_98,
    POWER_98_NATURAL_TIES,
    RULEBOOKS,
    SUPER_6,
    SUPER_SIX,
    TIGER,
    TIGER_NO_COMMISSION,
    find_game,
    find_rulebook,
)
from croupier.rules.cards import (
    FIVE_ELEMENTS,
    STANDARD,
    Card,
    Deck,
    Element,
    Rank,
    Suit,
    format_cards,
)
from croupier.rules.coup import Coup, Draw, Hand, Position
from croupier.rules.decided import Decided, Standing, decide_wagers, parse_known
from croupier.rules.errors import (
    CompositionError,
    CoupError,
    NotationError,
    RulesError,
    UnknownNameError,
)
from croupier.rules.game import Edition, Game, PowerDie, Precondition, Settlement
from croupier.rules.outcome import Condition, HandSummary, Outcome, Side
from croupier.rules.paysheet import PayClass, Paysheet
from croupier.rules.shoe import Composition, Shoe
from croupier.rules.tableau import Call, Line, Tableau
from croupier.rules.wagers import Result, Row, Verdict, Wager
from croupier.table.rulebook import Area, Layout, Rulebook, Term


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415  # slow and seldom asked for

        return version("croupier")
    message = f"module 'croupier' has no attribute {name!r}"
    raise AttributeError(message)


__all__ = [
    "BACCARAT",
    "FABULOUS_4S",
    "FA_FA_FABULOUS_4",
    "FIVE_ELEMENTS",
    "FORTUNE_SIX",
    "FORTUNE_SIX_TOURNAMENT",
    "GAMES",
    "NO_COMMISSION",
    "POWER_98",
    "POWER_98_NATURAL_TIES",
    "RULEBOOKS",
    "STANDARD",
    "SUPER_6",
    "SUPER_SIX",
    "TIGER",
    "TIGER_NO_COMMISSION",
    "Area",
    "Call",
    "Card",
    "Cents",
    "Clause",
    "Composition",
    "CompositionError",
    "Condition",
    "Coup",
    "CoupError",
    "Decided",
    "Deck",
    "Draw",
    "Edition",
    "Element",
    "Game",
    "Hand",
    "HandSummary",
    "Layout",
    "Line",
    "NotationError",
    "Odds",
    "Outcome",
    "PayClass",
    "Paysheet",
    "Position",
    "PowerDie",
    "Precondition",
    "Rank",
    "Result",
    "Rounding",
    "Row",
    "Rulebook",
    "RulesError",
    "Settlement",
    "Shoe",
    "Side",
    "Standing",
    "Suit",
    "Tableau",
    "Term",
    "UnknownNameError",
    "Verdict",
    "Wager",
    "clauses",
    "decide_wagers",
    "find_clause",
    "find_game",
    "find_rulebook",
    "format_cards",
    "parse_known",
    "pay",
]
