"""The book of shoes: what was dealt from each, how its rounds came out, and how it ended.

One pass over the decisions of tables. A round is counted by the cards that lie open when it is
closed, as roads show it; a void after that takes it out again.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.frozen import Named
from croupier.journal.decision import read_moment
from croupier.journal.performance import TABLES, rules_of
from croupier.rulebooks import same_game
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.state import Result
from croupier.table.views.public import result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.journal.decision import Decision
    from croupier.journal.performance import Rules
    from croupier.rules.coup import Position
    from croupier.table.views.shapes import ResultShown

KEPT: Final = 5_000
"""How many shoes are remembered; the oldest are forgotten."""


class ShoeEnd(Named):
    """How a shoe went out of play."""

    CUT_CARD = "cut_card"
    """The cut card was seen, and its last round was played."""
    CHANGED = "changed"
    """People took it out before."""
    REPLACED = "replaced"
    """Its cards were replaced after a void round."""
    LOST = "lost"
    """Its key was lost: nobody can prove the cards that were not exposed."""
    CLOSED = "closed"
    """Its table was closed."""


class Shoe(msgspec.Struct, kw_only=True):
    """A shoe of a table, from its loading on."""

    table: str
    shoe: str
    rulebook: str
    game: str
    cards: int
    cut_behind: int | None
    source: str | None
    """"virtual", or "device" for cards of paper; None: nothing was sealed."""
    loaded: datetime
    """When it was loaded; at that moment its order was sealed, if it is a virtual one."""
    loaded_by: str
    rounds: int = 0
    """That were played to their end."""
    voids: int = 0
    first_round: int | None = None
    last_round: int | None = None
    drawn: int = 0
    """Cards that were dealt to a hand."""
    removed: int = 0
    """Cards that left it otherwise: burnt, taken out, set aside."""
    player: int = 0
    banker: int = 0
    ties: int = 0
    player_pairs: int = 0
    banker_pairs: int = 0
    naturals: int = 0
    cut_card: datetime | None = None
    """When it was seen."""
    ended: datetime | None = None
    """None: it is in play."""
    how: ShoeEnd | None = None
    ended_by: str | None = None
    reason: str = ""


class _Table(msgspec.Struct):
    """What has to be remembered of a table from one decision to the next."""

    name: str
    moment: datetime
    by: str = ""
    source: str | None = None
    rules: Rules | None = None
    shoe: Shoe | None = None
    round: int = 0
    places: list[Position] = []
    faces: dict[Position, str] = {}
    die: int | None = None
    counted: ResultShown | None = None
    """The newest round, as long as it can become void."""


class ShoeBook:
    """All shoes, kept up to date one decision at a time; the newest come last."""

    def __init__(self, kept: int = KEPT) -> None:
        self.all: deque[Shoe] = deque(maxlen=kept)
        self._tables: dict[str, _Table] = {}

    def feed(self, decision: Decision) -> None:
        """Take a decision of a table; those of one table come in their order."""
        if not decision.events or RULES.keys().isdisjoint(map(type, decision.events)):
            return
        table = self._tables.get(decision.stream)
        moment = read_moment(decision.moment)
        if table is None:
            name = decision.stream.removeprefix(TABLES)
            table = self._tables[decision.stream] = _Table(name, moment)
        table.moment, table.by = moment, decision.actor.name
        seal = decision.house.seal
        table.source = None if seal is None else seal.source
        for event in decision.events:
            rule = RULES.get(type(event))
            if rule is not None:
                rule(self, table, event)

    def load(self, table: _Table, event: e.ShoeLoaded) -> None:
        """Take note of a new shoe; one that is in play is changed for it."""
        self.end(table, ShoeEnd.CHANGED, event.by.name)
        assert table.rules is not None, "the table is not open"
        table.shoe = Shoe(
            table=table.name,
            shoe=event.shoe,
            rulebook=table.rules.rulebook,
            game=table.rules.game,
            cards=event.cards,
            cut_behind=event.cut_behind,
            source=table.source,
            loaded=table.moment,
            loaded_by=event.by.name,
        )
        table.counted = None
        self.all.append(table.shoe)

    def end(self, table: _Table, how: ShoeEnd, by: str | None = None, reason: str = "") -> None:
        """Take note that a shoe is out of play, if it is not already."""
        shoe = table.shoe
        if shoe is not None and shoe.ended is None:
            shoe.ended, shoe.how, shoe.ended_by, shoe.reason = table.moment, how, by, reason


def _set(_: ShoeBook, table: _Table, event: e.TableOpened | e.SettingsChanged) -> None:
    table.rules = rules_of(event.settings)


def _ended(book: ShoeBook, table: _Table, _: e.ShoeEnded) -> None:
    seen = table.shoe is not None and table.shoe.cut_card is not None
    book.end(table, ShoeEnd.CUT_CARD if seen else ShoeEnd.CHANGED, table.by)


def _lost(book: ShoeBook, table: _Table, event: e.ShoeLost) -> None:
    book.end(table, ShoeEnd.LOST, event.by.name, event.reason)


def _closed(book: ShoeBook, table: _Table, event: e.TableClosed) -> None:
    book.end(table, ShoeEnd.CLOSED, event.by.name)


def _replaced(book: ShoeBook, table: _Table, event: i.ReplacementDecided) -> None:
    if event.replace:
        book.end(table, ShoeEnd.REPLACED, event.by.name)


def _cut_card(_: ShoeBook, table: _Table, __: e.CutCardSeen) -> None:
    if table.shoe is not None and table.shoe.cut_card is None:
        table.shoe.cut_card = table.moment


def _out(_: ShoeBook, table: _Table, event: e.CardsRemoved | e.CardsSetAside) -> None:
    if table.shoe is not None and not getattr(event, "waited", False):
        table.shoe.removed += event.count


# Rounds


def _called(_: ShoeBook, table: _Table, event: e.BetsOpened) -> None:
    table.round, table.counted = event.round, None
    table.die, shoe = None, table.shoe
    table.places.clear()
    table.faces.clear()
    if shoe is not None:
        shoe.last_round = event.round
        shoe.first_round = shoe.first_round or event.round


def _die(_: ShoeBook, table: _Table, event: e.DieAnnounced) -> None:
    table.die = event.die


def _drawn(_: ShoeBook, table: _Table, event: e.CardDrawn) -> None:
    table.places.append(event.position)
    if table.shoe is not None:
        table.shoe.drawn += 1


def _exposed(_: ShoeBook, table: _Table, event: e.CardExposed) -> None:
    table.faces[event.position] = event.card


def _corrected(_: ShoeBook, table: _Table, event: i.CardCorrected) -> None:
    table.faces[event.position] = event.after


def _reconstructed(_: ShoeBook, table: _Table, event: i.CardsReconstructed) -> None:
    table.places[:] = [one.position for one in event.after]
    table.faces.clear()
    known = {one.position: one.card for one in event.after if one.card is not None}
    table.faces.update(known)


def _reset(_: ShoeBook, table: _Table, __: i.DeviceReset) -> None:
    table.places.clear()
    table.faces.clear()


def _over(_: ShoeBook, table: _Table, event: e.RoundClosed) -> None:
    rules, shoe = table.rules, table.shoe
    if rules is None or shoe is None:
        return
    game = same_game(rules.rulebook, rules.game, rules.reading)
    cards = tuple(table.faces[place] for place in table.places if place in table.faces)
    table.counted = result_of(game, Result(event.round, cards, table.die))
    _count(shoe, table.counted, 1)


def _void(_: ShoeBook, table: _Table, __: i.RoundVoided) -> None:
    if table.shoe is None:
        return
    table.shoe.voids += 1
    if table.counted is not None:
        _count(table.shoe, table.counted, -1)
        table.counted = None


def _count(shoe: Shoe, result: ResultShown, sign: int) -> None:
    """Count a round, or take it out again."""
    shoe.rounds += sign
    shoe.player += sign * (result.winner == "player")
    shoe.banker += sign * (result.winner == "banker")
    shoe.ties += sign * (result.winner == "tie")
    shoe.player_pairs += sign * result.player_pair
    shoe.banker_pairs += sign * result.banker_pair
    shoe.naturals += sign * result.natural


RULES: Final[Mapping[type, Callable[[ShoeBook, _Table, Any], None]]] = {
    e.TableOpened: _set,
    e.SettingsChanged: _set,
    e.TableClosed: _closed,
    e.ShoeLoaded: ShoeBook.load,
    e.ShoeEnded: _ended,
    e.ShoeLost: _lost,
    i.ReplacementDecided: _replaced,
    e.CutCardSeen: _cut_card,
    e.CardsRemoved: _out,
    e.CardsSetAside: _out,
    e.BetsOpened: _called,
    e.DieAnnounced: _die,
    e.CardDrawn: _drawn,
    e.CardExposed: _exposed,
    i.CardCorrected: _corrected,
    i.CardsReconstructed: _reconstructed,
    i.DeviceReset: _reset,
    e.RoundClosed: _over,
    i.RoundVoided: _void,
}
