"""Card counting, exactly: effects of removal, linear tags and how well they see a wager.

A counter adds a tag for every card seen. Removing a card changes the expectation of a wager
by its *effect of removal*; tags that are proportional to the effects estimate the expectation
best (least squares), and how well other tags do is their *betting correlation* with the
effects, each face weighted by its number of cards. All of this is exact; what a count earns
over real shoes is in :mod:`croupier.odds.trigger`. Importing this does not load numpy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, isfinite, lcm, perm, sqrt
from typing import TYPE_CHECKING

from croupier.odds.frames import Tabular
from croupier.odds.tally import CARDS_MIN, power_weights, rank_counts
from croupier.rules.cards import Card, Rank
from croupier.rules.errors import RulesError, listed, quoted
from croupier.rules.outcome import PRECIOUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from croupier.odds.frames import Columns
    from croupier.rules.cards import Element, Suit
    from croupier.rules.game import Game
    from croupier.rules.shoe import Composition

NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,12}(?:[.][0-9]{1,6}|/[0-9]{1,6})?|[.][0-9]{1,6})",
)
"""No exponents: a few characters could then ask for a number that no memory holds."""
TAG_MAX = 100
TAG_SIZE_MAX = 9
CLIMBS = 8
"""From how many of the best roundings the search for tags goes on."""


class CountingError(RulesError):
    """Tags, a trigger or a bankroll that cannot be studied."""


def read_number(text: str, what: str) -> Fraction:
    """Read a number that a person wrote: twelve digits and six decimals at most.

    >>> read_number("-1.25", "a trigger"), read_number("1/3", "a tag")
    (Fraction(-5, 4), Fraction(1, 3))
    >>> read_number("1e400", "a tag")
    Traceback (most recent call last):
        ...
    croupier.odds.counting.CountingError: '1e400' is not a number for a tag; write one such \
as 100, -1.25 or 1/2, of at most twelve digits and six decimals.
    """
    if NUMBER.fullmatch(text):
        try:
            return Fraction(text)
        except ZeroDivisionError:
            pass
    message = (
        f"{quoted(text)} is not a number for {what}; write one such as 100, -1.25 or 1/2,"
        " of at most twelve digits and six decimals."
    )
    raise CountingError(message)


@dataclass(frozen=True, slots=True)
class Face:
    """Cards that no wager of a game tells apart, and how many of them the shoe holds."""

    rank: Rank
    suit: Suit | Element | None
    """The precious suit, where the game has one and these cards are of it."""
    others: bool
    """Whether these are the cards of the rank that are not of the precious suit."""
    count: int
    card: Card
    """One of them."""

    @property
    def code(self) -> int:
        """Return the byte that stands for these cards where shoes are dealt."""
        return self.rank.number + (0 if self.suit is None else PRECIOUS)

    @property
    def label(self) -> str:
        """Return the rank, and what part of it."""
        if self.suit is not None:
            return self.card.text
        return f"{self.rank.symbol} others" if self.others else self.rank.symbol


def faces_of(game: Game, composition: Composition) -> tuple[Face, ...]:
    """Return the faces that a game tells apart and that the composition holds.

    >>> from croupier import find_game
    >>> game = find_game("fabulous-4s")
    >>> [face.label for face in faces_of(game, game.shoe(8))[:4]]
    ['A others', 'AD', '2 others', '2D']
    """
    held = dict(zip(game.deck.cards, composition.counts, strict=True))
    faces = []
    for rank in game.deck.ranks:
        cards = [Card(rank, suit) for suit in game.deck.suits]
        for precious in (False, True):
            alike = [card for card in cards if (card.suit is game.precious) is precious]
            count = sum(held[card] for card in alike)
            if count:
                card = next(card for card in alike if held[card])
                others = game.precious is not None and not precious
                suit = game.precious if precious else None
                faces.append(Face(rank, suit, others, count, card))
    return tuple(faces)


@dataclass(frozen=True)
class Tags:
    """What a counter adds for every card seen, face by face.

    Tags are balanced if they come to nothing over the whole shoe. For others the true count
    takes away what an average card brings, so that it is 0 on average for them too.
    """

    faces: tuple[Face, ...]
    values: tuple[Fraction, ...]
    deck: int
    """How many cards one deck has: true counts are by the deck."""

    @property
    def cards(self) -> int:
        """Return how many cards the shoe holds."""
        return sum(face.count for face in self.faces)

    @property
    def total(self) -> Fraction:
        """Return what the whole shoe comes to: the running count at its end."""
        return sum((face.count * tag for face, tag in self._pairs()), Fraction(0))

    @property
    def mean(self) -> Fraction:
        """Return what an average card adds."""
        return self.total / self.cards

    @property
    def balanced(self) -> bool:
        """Tell whether the whole shoe comes to nothing."""
        return self.total == 0

    @property
    def pivot(self) -> Fraction:
        """Return the true count at which the running count is ``total`` at any depth."""
        return self.mean * self.deck

    def true_count(self, running: Fraction, seen: int) -> Fraction:
        """Return the true count, by the deck of unseen cards, from a running count.

        >>> from croupier import find_game
        >>> tags = parse_tags(find_game("baccarat"), "5=1 6=-1")
        >>> tags.true_count(Fraction(6), 260)
        Fraction(2, 1)
        """
        return (running - self.mean * seen) * self.deck / (self.cards - seen)

    def key_count(self, true_count: Fraction, seen: int) -> Fraction:
        """Return the running count that stands for a true count after so many cards seen."""
        return true_count * (self.cards - seen) / self.deck + self.mean * seen

    def _pairs(self) -> Iterable[tuple[Face, Fraction]]:
        return zip(self.faces, self.values, strict=True)

    def __str__(self) -> str:
        """Write the tags as they are read; a rank of one tag only once."""
        ranks: dict[Rank, list[tuple[Face, Fraction]]] = {}
        for face, tag in self._pairs():
            ranks.setdefault(face.rank, []).append((face, tag))
        words = []
        for rank, own in ranks.items():
            if len({tag for _, tag in own}) == 1:
                words.append(f"{rank.symbol}={own[0][1]}")
                continue
            for face, tag in own:
                words.append(f"{rank.symbol if face.others else face.label}={tag}")
        return " ".join(words)


def parse_tags(game: Game, text: str, decks: int = 8) -> Tags:
    """Read tags: ``A=1 2=1 T=-1``, for the precious suit also ``4D=2``; 0 where none is given.

    >>> from croupier import find_game
    >>> str(parse_tags(find_game("fabulous-4s"), "4=1, 4D=3 10=-1/2")).split()[3:6]
    ['4=1', '4D=3', '5=0']
    >>> parse_tags(find_game("baccarat"), "1=1")
    Traceback (most recent call last):
        ...
    croupier.odds.counting.CountingError: '1' is not a rank; the ranks are \
A, 2, 3, 4, 5, 6, 7, 8, 9, T, J, Q and K.
    """
    faces = faces_of(game, game.shoe(decks))
    given: dict[tuple[Rank, Suit | Element | None], Fraction] = {}
    words = text.replace(",", " ").split()
    if not words:
        message = 'No tags came; write them as "A=1 2=1 K=-1".'
        raise CountingError(message)
    for word in words:
        name, equals, tag = word.partition("=")
        if not equals:
            message = f'{quoted(word)} is not a tag; write tags as "A=1 2=1 K=-1".'
            raise CountingError(message)
        key = _named_face(game, name)
        if key in given:
            message = f"The tag of {name} was given twice."
            raise CountingError(message)
        given[key] = _tag(name, tag)
    values = tuple(
        given.get((face.rank, face.suit), given.get((face.rank, None), Fraction(0)))
        for face in faces
    )
    return _useful(Tags(faces, values, len(game.deck)))


def _named_face(game: Game, name: str) -> tuple[Rank, Suit | Element | None]:
    """Read a rank, or a card of the precious suit."""
    wanted = {"10": "t"}.get(name, name.casefold())
    for rank in game.deck.ranks:
        if wanted in (rank.symbol.casefold(), rank.symbol[0].casefold()):
            return rank, None
    if game.precious is not None:
        for rank in game.deck.ranks:
            card = Card(rank, game.precious)
            if name and card.text.casefold() == name.replace("10", "T").casefold():
                return rank, game.precious
    ranks = listed([rank.symbol for rank in game.deck.ranks])
    more = ""
    if game.precious is not None:
        card = Card(Rank.FOUR, game.precious)
        more = f"; a card of the precious suit is written as {card}"
    message = f"{quoted(name)} is not a rank; the ranks are {ranks}{more}."
    raise CountingError(message)


def _tag(name: str, text: str) -> Fraction:
    tag = read_number(text, f"the tag of {name}")
    if abs(tag) > TAG_MAX:
        message = f"A tag of {text} came for {name}; tags go from -{TAG_MAX} to {TAG_MAX}."
        raise CountingError(message)
    return tag


def _useful(tags: Tags) -> Tags:
    if len(set(tags.values)) == 1:
        message = "All tags are the same; such a count says nothing about the cards left."
        raise CountingError(message)
    return tags


@dataclass(frozen=True)
class Trigger:
    """When to bet: on a count of at least ``at``, or on an exact expectation above it."""

    at: float
    tags: Tags | None = None
    """The count; None for the exact expectation."""
    running: bool = False
    """Whether the running count decides (from 0 at the start), and not the true count."""

    def __post_init__(self) -> None:
        """Refuse a number that is none."""
        if not isfinite(self.at):
            message = f"A trigger of {self.at} came; it must be a finite number."
            raise CountingError(message)
        if self.running and self.tags is None:
            message = "A running count needs tags."
            raise CountingError(message)

    def __str__(self) -> str:
        if self.tags is None:
            return f"exact expectation above {self.at:g}"
        return f"{'running' if self.running else 'true'} count of at least {self.at:g}"


@dataclass(frozen=True, eq=False)
class RemovalEffects(Tabular):
    """How the expectation of every wager changes when one card of a face is removed, exactly.

    >>> from croupier import find_game
    >>> effects = effects_of_removal(find_game("baccarat"))
    >>> max(effects.of("player"), key=abs) == effects.of("player")[3]  # a Four
    True
    >>> effects.weighted_sum("tie")
    Fraction(0, 1)
    """

    game: Game
    decks: int | None
    die: int | None
    faces: tuple[Face, ...]
    before: tuple[Fraction, ...]
    """The expectation of each wager before the removal."""
    changes: tuple[tuple[Fraction, ...], ...]
    """For each wager the effects, face by face."""

    @cached_property
    def cards(self) -> int:
        """Return how many cards the shoe holds."""
        return sum(face.count for face in self.faces)

    def _number(self, wager: str) -> int:
        return self.game.wagers.index(self.game.wager(wager))

    def of(self, wager: str) -> tuple[Fraction, ...]:
        """Return the effects on one wager, face by face."""
        return self.changes[self._number(wager)]

    def ev(self, wager: str) -> Fraction:
        """Return the expectation of a wager before any removal."""
        return self.before[self._number(wager)]

    def weighted_sum(self, wager: str) -> Fraction:
        """Return the sum of the effects times the cards of the face; by law it is 0."""
        counted = zip(self.faces, self.of(wager), strict=True)
        return sum((face.count * effect for face, effect in counted), Fraction(0))

    def blind(self, wager: str) -> bool:
        """Tell whether every effect is 0, so that no linear count can see the wager."""
        return not any(self.of(wager))

    def _moments(self, wager: str, tags: Tags) -> tuple[Fraction, Fraction, Fraction]:
        """Return the weighted products effect x tag, effect x effect and tag x tag."""
        if tags.faces != self.faces:
            message = "The tags are of another game or shoe than the effects."
            raise CountingError(message)
        mean = tags.mean
        both = own = other = Fraction(0)
        for face, effect, tag in zip(self.faces, self.of(wager), tags.values, strict=True):
            both += face.count * effect * (tag - mean)
            own += face.count * effect**2
            other += face.count * (tag - mean) ** 2
        return both, own, other

    def correlation_squared(self, wager: str, tags: Tags) -> Fraction:
        """Return the square of the betting correlation, exactly; 0 where there is none."""
        both, own, other = self._moments(wager, tags)
        return both**2 / (own * other) if own and other else Fraction(0)

    def correlation(self, wager: str, tags: Tags) -> float:
        """Return the betting correlation of tags; below 0 if they count the wrong way."""
        both, _, _ = self._moments(wager, tags)
        root = sqrt(self.correlation_squared(wager, tags))
        return root if both >= 0 else -root

    def slope(self, wager: str, tags: Tags) -> Fraction:
        """Return by how much the expectation rises with a true count of one, as estimated."""
        both, _, other = self._moments(wager, tags)
        return both / other * (self.cards - 1) / tags.deck if other else Fraction(0)

    def break_even(self, wager: str, tags: Tags) -> Fraction | None:
        """Return the true count at which the estimate is 0; None if it never rises."""
        slope = self.slope(wager, tags)
        return -self.ev(wager) / slope if slope > 0 else None

    def optimal_tags(self, wager: str) -> Tags:
        """Return the least-squares best tags: the effects, the largest scaled to one."""
        effects = self.of(wager)
        self._require_seen(wager)
        largest = max(abs(effect) for effect in effects)
        return Tags(
            self.faces, tuple(effect / largest for effect in effects), len(self.game.deck)
        )

    def best_tags(self, wager: str, size: int = 1) -> Tags:
        """Return whole tags from -size to size with the highest betting correlation found.

        The effects are scaled, shifted and rounded in many ways, and the best roundings are
        then improved by steps of one; faces of equal effect keep equal tags.
        """
        self._require_seen(wager)
        if not 1 <= size <= TAG_SIZE_MAX:
            message = (
                f"Tags up to {size} were asked for; they can go up to 1 to {TAG_SIZE_MAX}."
            )
            raise CountingError(message)
        effects = self.of(wager)
        common = lcm(*(effect.denominator for effect in effects))
        counts: dict[int, int] = {}
        for face, effect in zip(self.faces, effects, strict=True):
            whole = int(effect * common)
            counts[whole] = counts.get(whole, 0) + face.count
        found = _best_rounding(list(counts), list(counts.values()), size)
        by_effect = dict(zip(counts, found, strict=True))
        values = tuple(Fraction(by_effect[int(effect * common)]) for effect in effects)
        return Tags(self.faces, values, len(self.game.deck))

    def _require_seen(self, wager: str) -> None:
        if self.blind(wager):
            message = (
                f"Removing a card changes nothing for {self.game.wager(wager).name} from this"
                " shoe, whatever the card; no linear count can see it."
            )
            raise CountingError(message)

    def to_columns(self) -> Columns:
        """Return a line for each face and wager."""
        lines = [
            (face, wager.slug, effect)
            for wager, effects in zip(self.game.wagers, self.changes, strict=True)
            for face, effect in zip(self.faces, effects, strict=True)
        ]
        return {
            "game": [self.game.slug] * len(lines),
            "wager": [wager for _, wager, _ in lines],
            "face": [face.label for face, _, _ in lines],
            "rank": [face.rank.symbol for face, _, _ in lines],
            "cards": [face.count for face, _, _ in lines],
            "effect": [float(effect) for _, _, effect in lines],
            "effect_exact": [str(effect) for _, _, effect in lines],
        }

    def tables(self) -> Mapping[str, Callable[[], Columns]]:
        """Return the one table."""
        return {"effects": self.to_columns}

    def __repr__(self) -> str:
        return f"RemovalEffects({self.game.slug}, {self.cards} cards)"


def _score(effects: Sequence[int], counts: Sequence[int], tags: Sequence[int]) -> Fraction:
    """Return the squared correlation, but for a factor that is the same for all tags."""
    both = cards = total = square = 0
    for effect, count, tag in zip(effects, counts, tags, strict=True):
        both += count * effect * tag
        cards += count
        total += count * tag
        square += count * tag * tag
    spread = cards * square - total * total
    return Fraction(both * both, spread) if both > 0 and spread else Fraction(0)


def _best_rounding(effects: list[int], counts: list[int], size: int) -> list[int]:
    """Return whole tags from -size to size: rounded at many scales, then improved by steps."""
    largest = max(abs(effect) for effect in effects)
    shares = [effect / largest for effect in effects]
    # A count need not be balanced, so the effects may be shifted before they are rounded.
    rounded = {
        tuple(max(-size, min(size, round(share * scale / 8 + shift / 4))) for share in shares)
        for scale in range(4, 16 * size + 5)
        for shift in range(-4 * size, 4 * size + 1)
    }

    def score(tags: tuple[int, ...]) -> tuple[Fraction, int]:
        # Of tags that are equally good the smaller ones are easier to count.
        return _score(effects, counts, tags), -sum(abs(tag) for tag in tags)

    starts = sorted(rounded, key=score)[-CLIMBS:]
    best = max((_climbed(start, size, score) for start in starts), key=score)
    common = gcd(*best) or 1
    return _shifted([tag // common for tag in best], counts, size)


def _shifted(tags: list[int], counts: list[int], size: int) -> list[int]:
    """Add the same to all tags, which changes no correlation, so that most cards have 0."""
    shifts = range(-size - min(tags), size - max(tags) + 1)
    every = [[tag + shift for tag in tags] for shift in shifts]
    return min(
        every,
        key=lambda shifted: sum(
            count * abs(tag) for count, tag in zip(counts, shifted, strict=True)
        ),
    )


def _climbed(
    tags: tuple[int, ...], size: int, score: Callable[[tuple[int, ...]], tuple[Fraction, int]]
) -> tuple[int, ...]:
    """Change one tag by one as long as that helps."""
    while True:
        steps = [
            (*tags[:i], tags[i] + step, *tags[i + 1 :])
            for i in range(len(tags))
            for step in (-1, 1)
            if abs(tags[i] + step) <= size
        ]
        better = max(steps, key=score)
        if score(better) <= score(tags):
            return tags
        tags = better


def _expectations(
    game: Game, shoes: list[Composition], die: int | None
) -> list[tuple[Fraction, ...]]:
    """Return the exact expectation of every wager, for many compositions at once."""
    from croupier.odds.exact import row_counts  # noqa: PLC0415  # loads numba

    counted = [rank_counts(game, shoe) for shoe in shoes]
    ranks = [ranks for ranks, _ in counted]
    precious = None if game.precious is None else [gold or () for _, gold in counted]
    nets = [[verdict.net for verdict in wager.verdicts] for wager in game.wagers]
    found = [[Fraction(0)] * len(nets) for _ in shoes]
    weights = power_weights(game, die)
    for power, weight in weights:
        lines = row_counts(game, ranks, precious, power=power).tolist()
        for evs, line in zip(found, lines, strict=True):
            counts = iter(line)
            for number, own in enumerate(nets):
                evs[number] += weight * sum(net * next(counts) for net in own)
    parts = sum(weight for _, weight in weights)
    return [
        tuple(ev / (parts * perm(len(shoe), CARDS_MIN)) for ev in evs)
        for evs, shoe in zip(found, shoes, strict=True)
    ]


def effects_of_removal(
    game: Game,
    composition: Composition | None = None,
    *,
    decks: int = 8,
    die: int | None = None,
) -> RemovalEffects:
    """Return the exact effects of removal, for a full shoe or any composition."""
    shoe = game.shoe(decks) if composition is None else composition
    if len(shoe) <= CARDS_MIN:
        message = (
            f"{len(shoe)} cards are left; to remove one there must be more than {CARDS_MIN}."
        )
        raise CountingError(message)
    faces = faces_of(game, shoe)
    shoes = [shoe, *(shoe.without([face.card]) for face in faces)]
    before, *after = _expectations(game, shoes, die)
    changes = tuple(
        tuple(evs[number] - ev for evs in after) for number, ev in enumerate(before)
    )
    whole = decks if composition is None else None
    return RemovalEffects(game, whole, die, faces, before, changes)
