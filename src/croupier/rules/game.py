"""Games: frozen values that join a deck, a tableau and wagers, and settle coups.

The rows are evaluated once for each outcome and remembered: a paysheet. It is the same
rows, not a second definition of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.rules.coup import Coup, pair_code
from croupier.rules.errors import RulesError, UnknownNameError, cited, listed
from croupier.rules.outcome import Outcome, Side, outcome_index
from croupier.rules.paysheet import PayClass, Paysheet
from croupier.rules.shoe import Composition, require_decks
from croupier.rules.tableau import NATURALS, POINTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from croupier.rules.cards import Card, Deck, Element, Suit
    from croupier.rules.tableau import Tableau
    from croupier.rules.wagers import Verdict, Wager


@dataclass(frozen=True, slots=True)
class PowerDie:
    """A die that is shaken before the cards; one of its faces makes a Power hand."""

    faces: range
    power: int
    clause: str


@dataclass(frozen=True, slots=True)
class Edition:
    """Which rulebook a game is from: code, title, version, and from when it is in force."""

    code: str
    title: str
    version: int
    effective: datetime

    def in_force(self, moment: datetime) -> bool:
        """Tell whether the rulebook may be used at this moment."""
        if moment.tzinfo is None:
            message = f"The moment {moment} has no time zone; give it one."
            raise RulesError(message)
        return moment >= self.effective

    def __str__(self) -> str:
        return f"{self.title}, version {self.version}"


@dataclass(frozen=True, slots=True)
class Precondition:
    """Wagers that need a main wager of the same patron and may not sum to more than it."""

    main: str
    wagers: tuple[str, ...]
    clause: str

    def breach(self, stakes: Mapping[str, int]) -> str | None:
        """Say how these stakes of one patron break the precondition, or return None."""
        placed = [slug for slug in self.wagers if stakes.get(slug, 0) > 0]
        main = max(0, stakes.get(self.main, 0))
        total = sum(stakes[slug] for slug in placed)
        if total <= main:
            return None
        if main == 0:
            return (
                f"A stake on {listed(placed)} needs a stake on {self.main}"
                f" by the same patron in the same round [{cited(self.clause)}]."
            )
        return (
            f"The stakes on {listed(placed)} come to {dollars(total)};"
            f" they may not exceed the {dollars(main)} on {self.main} [{cited(self.clause)}]."
        )

    def room(self, stakes: Mapping[str, int], slug: str) -> tuple[int | None, int | None]:
        """Return by how much a stake may change at least and at most; None: any amount."""
        total = sum(max(0, stakes.get(wager, 0)) for wager in self.wagers)
        most = max(0, stakes.get(self.main, 0)) - total
        if slug in self.wagers:
            return None, most
        if slug == self.main:
            return (-most, None) if total else (None, None)
        return (None, None) if most >= 0 else (1, 0)


@dataclass(frozen=True)
class Settlement:
    """A coup settled: what it does to every wager of its game.

    >>> from croupier.rulebooks import BACCARAT
    >>> settlement = BACCARAT.settle("5S 6S 5D 4C QS 7H")
    >>> settlement["banker"]
    Verdict(banker wins, net 19/20)
    >>> settlement.winner
    Side.BANKER
    """

    __slots__ = ("coup", "game", "index", "power", "verdicts")

    game: Game
    coup: Coup
    index: int
    power: bool
    verdicts: tuple[Verdict, ...]

    @property
    def outcome(self) -> Outcome:
        """Return what settlement saw of the coup."""
        return Outcome.from_index(self.index, power=self.power)

    @property
    def winner(self) -> Side | None:
        """Return the winning hand, or None for a tie."""
        return self.outcome.winner

    def __getitem__(self, slug: str) -> Verdict:
        self.game.wager(slug)
        return next(verdict for verdict in self.verdicts if verdict.wager == slug)

    def __contains__(self, slug: object) -> bool:
        return any(verdict.wager == slug for verdict in self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __reduce__(self) -> tuple[object, tuple[Game, Coup, bool]]:
        """Copy and unpickle by settling again."""
        return _settle_again, (self.game, self.coup, self.power)

    def __repr__(self) -> str:
        winner = self.winner.value if self.winner else "tie"
        return f"Settlement({self.game.slug}, {self.coup!r}, {winner})"


@dataclass(frozen=True, eq=False)
class Game:
    """One game of one rulebook. A game is the value declared there, compared by identity."""

    slug: str
    name: str
    edition: Edition
    clause: str
    """The clause of its pay table."""
    deck: Deck
    tableau: Tableau
    wagers: tuple[Wager, ...]
    deck_clause: str
    precious: Suit | Element | None = None
    """The suit whose pairs pay more, where there is one."""
    preconditions: tuple[Precondition, ...] = ()
    die: PowerDie | None = None
    """The die that decides on Power hands, where there is one."""
    reading: str | None = None
    """The reading that is decided otherwise than we recommend, as A6."""
    _ordinary: dict[int, tuple[Verdict, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _power: dict[int, tuple[Verdict, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def wager(self, slug: str) -> Wager:
        """Return one of the wagers; refuse a name that the game does not have."""
        for wager in self.wagers:
            if wager.slug == slug:
                return wager
        names = listed([wager.slug for wager in self.wagers])
        message = f"{slug!r} is not a wager of {self.name}; its wagers are {names}."
        raise UnknownNameError(message)

    def coup(self, cards: str | Iterable[Card | str] = ()) -> Coup:
        """Return a coup of this game from cards in draw order, or from their notation."""
        if isinstance(cards, str):
            return Coup(self.tableau, self.deck, self.deck.parse_cards(cards))
        parse = self.deck.parse
        read = [parse(card) if isinstance(card, str) else card for card in cards]
        return Coup(self.tableau, self.deck, read)

    def shoe(self, decks: int = 8) -> Composition:
        """Return the composition of a full shoe of four to ten decks."""
        require_decks(decks, cited(self.deck_clause))
        return Composition.full(self.deck, decks)

    def require_held(self, cards: tuple[Card, ...], decks: int) -> None:
        """Refuse more copies of a card than so many decks hold."""
        require_decks(decks, cited(self.deck_clause))
        if len(cards) > decks:
            self.shoe(decks).without(cards)

    def is_power(self, die: int | None) -> bool:
        """Tell whether this die value makes a Power hand; refuse what no die shows."""
        if die is None:
            return False
        if self.die is None:
            message = f"A die of {die} came, but {self.name} is played without a die."
            raise RulesError(message)
        if die not in self.die.faces:
            faces = f"{self.die.faces[0]} to {self.die.faces[-1]}"
            message = f"The die cannot show {die}; it shows {faces} [{cited(self.die.clause)}]."
            raise RulesError(message)
        return die == self.die.power

    def verdicts(self, index: int, *, power: bool = False) -> tuple[Verdict, ...]:
        """Return what the outcome with this index does to every wager."""
        known = self._power if power else self._ordinary
        verdicts = known.get(index)
        if verdicts is None:
            outcome = Outcome.from_index(index, power=power)
            verdicts = tuple(wager.resolve(outcome) for wager in self.wagers)
            known[index] = verdicts
        return verdicts

    def settle(
        self, coup: Coup | str | Iterable[Card | str], *, die: int | None = None
    ) -> Settlement:
        """Settle a complete coup for every wager of the game, the optional ones too."""
        power = self.is_power(die)
        if not isinstance(coup, Coup):
            coup = self.coup(coup)
        elif coup.tableau is not self.tableau or coup.deck is not self.deck:
            # Dealt for another game: deal the cards again by this game's deck and tableau.
            coup = self.coup(coup.cards)
        index = coup.index(self.precious)
        verdicts = self.verdicts(index, power=power)
        return Settlement(self, coup, index, power, verdicts)

    @cached_property
    def outcomes(self) -> tuple[int, ...]:
        """Return the indices of all reachable outcomes, in order."""
        return reachable_outcomes(self)

    def paysheet(self, *, power: bool = False) -> Paysheet:
        """Return the rows evaluated for every reachable outcome."""
        return self._power_sheet if power else self._ordinary_sheet

    @cached_property
    def _ordinary_sheet(self) -> Paysheet:
        return Paysheet(self)

    @cached_property
    def _power_sheet(self) -> Paysheet:
        return Paysheet(self, power=True)

    def pay_classes(self, *, power: bool = False) -> tuple[PayClass, ...]:
        """Group the reachable outcomes by the rows that they pay."""
        return self.paysheet(power=power).classes()

    def __repr__(self) -> str:
        otherwise = f", {self.reading} otherwise" if self.reading else ""
        return f"Game({self.slug!r}, {self.edition.code}, {len(self.wagers)} wagers{otherwise})"


def _settle_again(game: Game, coup: Coup, power: bool) -> Settlement:  # noqa: FBT001  # positional
    index = coup.index(game.precious)
    return Settlement(game, coup, index, power, game.verdicts(index, power=power))


def initial_hands(game: Game) -> tuple[tuple[int, int], ...]:
    """Return every kind of two-card hand a game can tell apart: points and pair code."""
    cards = game.deck.cards
    return tuple(
        sorted(
            {
                ((first.points + second.points) % 10, pair_code(first, second, game.precious))
                for first in cards
                for second in cards
            }
        )
    )


def reachable_outcomes(game: Game) -> tuple[int, ...]:
    """Return the index of every outcome that some coup of the game has."""
    hands = initial_hands(game)
    return tuple(
        sorted(
            {
                outcome_index(*ending, player_pair, banker_pair)
                for player, player_pair in hands
                for banker, banker_pair in hands
                for ending in endings(game.tableau, player, banker)
            }
        )
    )


def endings(
    tableau: Tableau,
    player: int,
    banker: int,
    player_thirds: Iterable[int] = POINTS,
    banker_thirds: Iterable[int] = POINTS,
) -> Iterator[tuple[int, int, int]]:
    """Complete two-card totals by the tableau with the given third cards.

    Yields the final points of Player and Banker and who drew (1 Player, 2 Banker).
    """
    if player in NATURALS or banker in NATURALS:
        yield player, banker, 0
    elif player in tableau.player_draws.totals:
        for third in player_thirds:
            if tableau.grid[banker][1 + third]:
                for last in banker_thirds:
                    yield (player + third) % 10, (banker + last) % 10, 3
            else:
                yield (player + third) % 10, banker, 1
    elif tableau.grid[banker][0]:
        for last in banker_thirds:
            yield player, (banker + last) % 10, 2
    else:
        yield player, banker, 0
