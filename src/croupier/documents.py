"""What programs are told of games, odds and roads: the same from the command line and a server.

Each document is a shape whose fields are the keys of its JSON, in their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.roads import Derived
from croupier.rules.errors import cited
from croupier.rules.shoe import DECKS_MAX, DECKS_MIN
from croupier.rules.tableau import POINTS, TOTALS

if TYPE_CHECKING:
    from croupier.odds import GameOdds, WagerOdds
    from croupier.roads import Colour, Roads
    from croupier.rules.game import Game
    from croupier.rules.tableau import Tableau
    from croupier.rules.wagers import Wager
    from croupier.table.rulebook import Layout, Rulebook


class Document(msgspec.Struct, frozen=True, gc=False):
    """Something that goes out as JSON."""


# Games


class Span(Document, frozen=True):
    """From the least to the most, both allowed."""

    min: int
    max: int


class GameBase(Document, frozen=True, kw_only=True):
    """Which game it is, of which rulebook, with which cards."""

    game: str
    name: str
    rulebook: str
    title: str
    version: int
    effective: str
    """From when the rulebook is in force."""
    deck: int
    """Cards in a deck."""
    decks: Span


class GameListed(GameBase, frozen=True, kw_only=True):
    """A game as the list of games has it."""

    wagers: tuple[str, ...]
    optional: tuple[str, ...]
    """Wagers that the house may leave out."""


class PayRow(Document, frozen=True):
    """When a wager is paid or pushes, and its odds as written."""

    label: str
    pays: str
    clause: str


class WagerRules(Document, frozen=True):
    """A wager with its rows: the first that holds applies, and without one it loses."""

    wager: str
    name: str
    optional: bool
    clause: str
    rows: tuple[PayRow, ...]


class Stated(Document, frozen=True):
    """Something that a clause says."""

    text: str
    clause: str


class DieRules(Document, frozen=True):
    """A die that is shaken before the cards; its power face makes a Power hand."""

    faces: tuple[int, ...]
    power: int
    clause: str


class NeedsMain(Document, frozen=True):
    """Wagers that need a main wager and together may not exceed it."""

    wagers: tuple[str, ...]
    main: str
    clause: str


class BankerLine(Document, frozen=True):
    """On one total: whether the Banker draws when the Player stood, and against which cards."""

    total: int
    player_stood: bool
    against: tuple[int, ...]
    clauses: tuple[str, ...]


class TableauRules(Document, frozen=True):
    """The Table of Play."""

    clause: str
    player_draws: tuple[int, ...]
    player_stands: tuple[int, ...]
    banker_draws: tuple[BankerLine, ...]


class AreaRules(Document, frozen=True):
    """An area of the layout, at every playing position."""

    wagers: tuple[str, ...]
    clause: str


class LayoutRules(Document, frozen=True):
    """A layout on which the game may be offered."""

    layout: str
    positions: Span | None
    terminal: str | None
    clause: str


class Word(Document, frozen=True):
    """A word that the rulebook defines."""

    word: str
    also: tuple[str, ...]
    meaning: str
    clause: str


class GameRules(GameBase, frozen=True, kw_only=True):
    """The rules of a game, with their clauses."""

    wagers: tuple[WagerRules, ...]
    optional: tuple[str, ...]
    approval: Stated | None
    die: DieRules | None
    preconditions: tuple[NeedsMain, ...]
    tableau: TableauRules
    areas: tuple[AreaRules, ...]
    layouts: tuple[LayoutRules, ...]
    glossary: tuple[Word, ...]


def game_document(game: Game) -> GameListed:
    """Return what the list of games says of one."""
    edition = game.edition
    return GameListed(
        game=game.slug,
        name=game.name,
        rulebook=edition.code,
        title=edition.title,
        version=edition.version,
        effective=edition.effective.isoformat(),
        deck=len(game.deck),
        decks=Span(DECKS_MIN, DECKS_MAX),
        wagers=tuple(wager.slug for wager in game.wagers),
        optional=tuple(wager.slug for wager in game.wagers if wager.optional),
    )


def rules_document(game: Game, rulebook: Rulebook) -> GameRules:
    """Return the rules of a game."""
    approval, die = rulebook.approval, game.die
    listed = msgspec.structs.asdict(game_document(game))
    listed["wagers"] = tuple(map(_wager_rules, game.wagers))
    return GameRules(
        **listed,
        approval=Stated(approval.meaning, cited(approval.clause)) if approval else None,
        die=DieRules(tuple(die.faces), die.power, cited(die.clause)) if die else None,
        preconditions=tuple(
            NeedsMain(one.wagers, one.main, cited(one.clause)) for one in game.preconditions
        ),
        tableau=_tableau_rules(game.tableau),
        areas=tuple(AreaRules(area.wagers, cited(area.clause)) for area in rulebook.areas),
        layouts=tuple(_layout_rules(layout) for layout in layouts_of(game, rulebook)),
        glossary=tuple(
            Word(term.name, term.also, term.meaning, cited(term.clause))
            for term in rulebook.glossary
        ),
    )


def layouts_of(game: Game, rulebook: Rulebook) -> list[Layout]:
    """Return the layouts on which a game may be offered."""
    return [layout for layout in rulebook.layouts if layout.game in (None, game.slug)]


def _wager_rules(wager: Wager) -> WagerRules:
    rows = (PayRow(row.label, row.pays.text, cited(row.clause)) for row in wager.rows)
    return WagerRules(wager.slug, wager.name, wager.optional, cited(wager.clause), tuple(rows))


def _tableau_rules(tableau: Tableau) -> TableauRules:
    banker = (
        BankerLine(
            total,
            tableau.grid[total][0],
            tuple(third for third in POINTS if tableau.grid[total][1 + third]),
            tuple(dict.fromkeys(cited(call.clause) for call in calls)),
        )
        for total, calls in zip(TOTALS, tableau.calls, strict=True)
    )
    return TableauRules(
        cited(tableau.clause),
        tableau.player_draws.totals,
        tableau.player_stands.totals,
        tuple(banker),
    )


def _layout_rules(layout: Layout) -> LayoutRules:
    positions = layout.positions
    return LayoutRules(
        layout.name,
        Span(positions[0], positions[-1]) if positions else None,
        layout.terminal,
        cited(layout.clause),
    )


# Odds


class RowFigures(Document, frozen=True):
    """How often a row applies; the count is a string because it exceeds 2**53."""

    label: str
    pays: str | None
    count: str
    probability: float


class WagerFigures(Document, frozen=True):
    """The exact price of a wager."""

    wager: str
    name: str
    optional: bool
    ev: str
    """The expectation of a unit staked, as a fraction."""
    edge: float
    edge_resolved: float
    """The edge where pushes do not count."""
    hit_rate: float
    push_rate: float
    sd: float
    volatility_index: float
    rows: tuple[RowFigures, ...]


class OddsFigures(Document, frozen=True):
    """The exact odds of a game for the cards of a shoe."""

    game: str
    rulebook: str
    decks: int | None
    """None: the shoe was given card by card."""
    cards: int
    die: int | None
    """None: averaged over the die, where there is one."""
    total: str
    """Ordered deals counted."""
    wagers: tuple[WagerFigures, ...]


def odds_document(found: GameOdds, decks: int | None, wagers: list[WagerOdds]) -> OddsFigures:
    """Return the odds of these wagers."""
    return OddsFigures(
        found.game.slug,
        found.game.edition.code,
        decks,
        len(found.composition),
        found.die,
        str(found.total),
        tuple(map(wager_document, wagers)),
    )


def wager_document(odds: WagerOdds) -> WagerFigures:
    """Return the figures of one wager."""
    rows = (
        RowFigures(row.label, row.pays, str(row.count), float(row.probability))
        for row in odds.rows
    )
    return WagerFigures(
        odds.wager.slug,
        odds.wager.name,
        odds.wager.optional,
        str(odds.ev),
        float(odds.edge),
        float(odds.edge_resolved),
        float(odds.hit_rate),
        float(odds.push_rate),
        odds.sd,
        odds.volatility_index,
        tuple(rows),
    )


# Roads


class BeadShown(Document, frozen=True):
    """A disc of the bead plate."""

    col: int
    row: int
    outcome: str
    player_pair: bool
    banker_pair: bool


class StoneShown(Document, frozen=True):
    """A ring of the big road, and the ties that followed it."""

    col: int
    row: int
    side: str
    ties: int
    player_pair: bool
    banker_pair: bool


class MarkShown(Document, frozen=True):
    """A mark of a derived road: red is regular, blue is not."""

    col: int
    row: int
    colour: str


class AskShown(Document, frozen=True):
    """The colour that each derived road would get next; None: no mark."""

    big_eye: str | None
    small: str | None
    cockroach: str | None


class Ask(Document, frozen=True):
    """What the derived roads would show if this side won next."""

    player: AskShown
    banker: AskShown


class RoadsShown(Document, frozen=True):
    """All roads of a shoe. They are information only, and forecast nothing."""

    bead: tuple[BeadShown, ...]
    leading_ties: int
    """Ties before the first winner."""
    big: tuple[StoneShown, ...]
    big_eye: tuple[MarkShown, ...]
    small: tuple[MarkShown, ...]
    cockroach: tuple[MarkShown, ...]
    ask: Ask


DERIVED = {
    Derived.BIG_EYE: "big_eye",
    Derived.SMALL: "small",
    Derived.COCKROACH: "cockroach",
}
"""The names of the derived roads."""


def roads_document(drawn: Roads) -> RoadsShown:
    """Return all roads of a shoe."""
    bead = (
        BeadShown(
            one.col,
            one.row,
            one.mark.winner.value if one.mark.winner else "tie",
            one.mark.player_pair,
            one.mark.banker_pair,
        )
        for one in drawn.bead
    )
    big = (
        StoneShown(one.col, one.row, one.side.value, one.ties, one.player_pair, one.banker_pair)
        for one in drawn.big
    )
    derived = {
        DERIVED[road]: tuple(MarkShown(one.col, one.row, one.colour.value) for one in marks)
        for road, marks in drawn.derived.items()
    }
    ask = Ask(**{side.value: _ask(colours) for side, colours in drawn.ask.items()})
    return RoadsShown(tuple(bead), drawn.leading_ties, tuple(big), **derived, ask=ask)


def _ask(colours: dict[Derived, Colour | None]) -> AskShown:
    return AskShown(
        **{DERIVED[road]: one.value if one else None for road, one in colours.items()}
    )
