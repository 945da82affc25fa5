"""Simulation: real shoes by the compiled kernel, or independent coups by one draw.

Shoes are dealt in chunks, each from its own random stream, so the same seed and version give
the same tally whatever the number of threads or processes. Memory does not depend on how many
coups are dealt.
"""

from __future__ import annotations

import secrets
import threading
import time
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version as installed
from math import sqrt
from numbers import Integral
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from croupier.odds.exact import count_outcomes, thread_count
from croupier.odds.figures import GameOdds, exact_odds
from croupier.odds.frames import Tabular
from croupier.odds.kernel import STREAMS, Limits, Plan, deal_shoes
from croupier.odds.plain import VALUES
from croupier.odds.tally import Part, Tally, rank_counts
from croupier.rules.errors import CompositionError, RulesError, quoted
from croupier.rules.outcome import INDEX_SIZE, PRECIOUS, outcome_index
from croupier.rules.shoe import require_decks
from croupier.rules.tableau import NATURALS, POINTS, TOTALS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from croupier.odds.frames import Columns
    from croupier.rules.game import Game
    from croupier.rules.tableau import Tableau
    from croupier.rules.wagers import Wager

    Ints = NDArray[np.int64]
    Progress = Callable[[int, int], None]
    """Called with what is done and what was asked for, in coups or in shoes."""

CHUNK = 1 << 12
"""Shoes dealt from one random stream."""
COUP_MAX = 6
"""A coup takes no more cards; it takes at least four."""
COUP_MIN = 4
BURN_MAX = 10
"""A first card that is a Ten or a picture burns so many cards."""
COUPS_MAX = 10**18
SEED_BITS = 48
SHOES_STREAM, DIE_STREAM, COUPS_STREAM = range(3)
"""What a random stream is for."""
TICK = 0.1
"""Seconds between two reports of progress."""

# The kernel computes an outcome's index as this sum.
assert outcome_index(1, 0, 0) == 1
assert outcome_index(0, 1, 0) == 10  # noqa: PLR2004
assert outcome_index(0, 0, 1) == 100  # noqa: PLR2004
assert outcome_index(0, 0, 0, 1) == 4 * 100
assert outcome_index(0, 0, 0, 0, 1) == 4 * 100 << 5


def whole(value: int, noun: str) -> int:
    """Return a whole number as an int; refuse what only looks like one.

    >>> whole(1.5, "number of coups")
    Traceback (most recent call last):
        ...
    croupier.rules.errors.RulesError: '1.5' came for the number of coups; it must be a whole \
number.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    message = f"{quoted(str(value))} came for the {noun}; it must be a whole number."
    raise RulesError(message)


@dataclass(frozen=True)
class ShoeRules:
    """How a shoe is dealt: decks, cut card, burned cards.

    >>> ShoeRules(behind_cut=10)
    Traceback (most recent call last):
        ...
    croupier.rules.errors.CompositionError: The cut card has 10 cards behind it; with 1 more \
coup after the one in which it comes out, at least 11 are needed.
    """

    decks: int = 8
    behind_cut: int = 14
    """Cards behind the cut card."""
    after_cut: int = 1
    """Coups dealt after the one in which the cut card comes out."""
    burn: bool = True
    """Whether the first card is shown and as many cards as it counts are burned, ten for a
    Ten or a picture."""

    def __post_init__(self) -> None:
        """Refuse a shoe that could not be dealt."""
        whole(self.decks, "number of decks")
        require_decks(self.decks)
        whole(self.behind_cut, "number of cards behind the cut card")
        whole(self.after_cut, "number of coups after the cut card")
        if not isinstance(self.burn, bool):
            message = f"{self.burn!r} came for burning; it must be True or False."
            raise CompositionError(message)
        if self.after_cut < 0:
            message = (
                f"{self.after_cut} coups after the cut card were asked for; 0 or more can be."
            )
            raise CompositionError(message)
        least = COUP_MAX - 1 + COUP_MAX * self.after_cut
        if self.behind_cut < least:
            more = f"{self.after_cut} more coup{'s' * (self.after_cut != 1)}"
            message = (
                f"The cut card has {self.behind_cut} cards behind it; with {more} after"
                f" the one in which it comes out, at least {least} are needed."
            )
            raise CompositionError(message)

    def reach(self, cards: int) -> int:
        """Return how many cards a shoe may need at most; refuse what no shoe allows."""
        gone = (1 + BURN_MAX) * self.burn
        if self.behind_cut > cards:
            message = (
                f"The cut card cannot have {self.behind_cut} cards behind it;"
                f" the shoe has {cards}."
            )
            raise CompositionError(message)
        if self.after_cut == 0 and cards - self.behind_cut <= gone:
            message = (
                f"With {self.behind_cut} of {cards} cards behind the cut card"
                " there may be no coup at all."
            )
            raise CompositionError(message)
        need = max(cards - self.behind_cut + COUP_MAX - 1, gone) + COUP_MAX * self.after_cut
        if need > cards:
            message = f"The shoe may need {need} cards, but it has {cards}."
            raise CompositionError(message)
        return need


def limits_of(tableau: Tableau) -> Limits:
    """Read the third-card rules off the tableau as limits; they must have that form."""
    columns = [[row[column] for row in tableau.grid] for column in (*range(1, 11), 0)]
    draws = [sum(column) for column in columns]
    for column, count in zip(columns, draws, strict=True):
        assert column == [total < count for total in TOTALS], "not a limit: the grid has gaps"
    player = len(tableau.player_draws.totals)
    assert sorted(tableau.player_draws.totals) == list(range(player)), "the Player has gaps"
    natural = min(NATURALS)
    assert POINTS[natural:] == NATURALS, "naturals are not the highest points"
    first_zero = VALUES.index(0) + 1
    points = [number if number < first_zero else 0 for number in range(1, len(VALUES) + 1)]
    assert tuple(points) == VALUES, "ranks do not count their number, or nothing"
    *against, stood = map(np.uint8, draws)
    return Limits(tuple(against), stood, *map(np.uint8, (player, natural, first_zero)))


def card_codes(game: Game, decks: int) -> NDArray[np.uint8]:
    """Return the cards of a full shoe, deck by deck, as the kernel writes them.

    A code is the rank number, plus PRECIOUS for a card of the precious suit.
    """
    deck = [
        rank.number + PRECIOUS * (suit is game.precious)
        for rank in game.deck.ranks
        for suit in game.deck.suits
    ]
    return np.tile(np.array(deck, np.uint8), decks)


def burn_table(rules: ShoeRules) -> Ints:
    """Return, by the code of the first card, how many cards are gone before the first coup.

    The first card is one of them; all are zero where none is burned.
    """
    burned = 1 + np.minimum(np.arange(2 * PRECIOUS) % PRECIOUS, BURN_MAX)
    return (burned * rules.burn).astype(np.int64)


def coups_max(rules: ShoeRules, cards: int) -> int:
    """Return a number of coups that no shoe of so many cards exceeds."""
    return (cards - rules.behind_cut) // COUP_MIN + 1 + rules.after_cut


def plan_of(game: Game, rules: ShoeRules) -> Plan:
    """Return what the kernel needs to deal shoes of a game."""
    codes = card_codes(game, rules.decks)
    cards = len(codes)
    width = 2 * STREAMS
    size = -(-rules.reach(cards) // width) * width
    fresh = np.zeros(-(-cards // 64) * 64 + 64, np.uint8)
    fresh[:cards] = codes
    left = np.maximum(cards - np.arange(size), 1).astype(np.uint64)
    bounds = np.ascontiguousarray(left.reshape(-1, 2).T)
    thresholds = (1 << 32) % (bounds[0] * bounds[1])
    return Plan(
        fresh.view(np.uint64),
        bounds,
        thresholds,
        limits_of(game.tableau),
        burn_table(rules),
        cards - rules.behind_cut,
        rules.after_cut,
        coups_max(rules, cards),
    )


# --- results -------------------------------------------------------------------------------


class WagerResult(NamedTuple):
    """What a simulation found for one wager, beside the exact value."""

    wager: Wager
    mean: float
    """The mean net result per unit staked."""
    se: float
    """Its standard error, from the exact variance."""
    exact: float
    z: float
    """How many standard errors the mean lies off the exact value."""


@dataclass(frozen=True, eq=False)
class Simulation(Tabular):
    """What a simulation dealt, and how it was run."""

    tally: Tally
    decks: int
    coups: int
    shoes: int | None
    """None for independent coups: each has a full shoe of its own."""
    seed: int
    threads: int
    seconds: float
    """The run itself, without start-up and compilation."""
    version: str
    complete: bool = True
    """False if it was interrupted before all was dealt."""

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.tally.game

    @property
    def coups_per_second(self) -> float:
        """Return the speed of the run."""
        return self.coups / self.seconds if self.seconds else 0.0

    @cached_property
    def odds(self) -> GameOdds:
        """Return the exact odds of the full shoe."""
        return exact_odds(self.game, decks=self.decks)

    @cached_property
    def wagers(self) -> tuple[WagerResult, ...]:
        """Return what was found for every wager, in the order of the game."""
        if not self.coups:
            return ()
        found = []
        for exact, counts in zip(self.odds.wagers, self.tally.row_counts, strict=True):
            verdicts = exact.wager.verdicts
            total = sum(
                verdict.net * count for verdict, count in zip(verdicts, counts, strict=True)
            )
            mean = total / self.coups
            se = sqrt(exact.variance / self.coups)
            z = float(mean - exact.ev) / se if se else 0.0
            found.append(WagerResult(exact.wager, float(mean), se, float(exact.ev), z))
        return tuple(found)

    def tables(self) -> Mapping[str, Callable[[], Columns]]:
        """Return the tables for data frames: a line for each wager."""
        return {"wagers": self._wager_columns}

    def _wager_columns(self) -> Columns:
        found = self.wagers
        same: dict[str, str | int] = {
            "game": self.game.slug,
            "decks": self.decks,
            "coups": self.coups,
            "seed": self.seed,
        }
        return {
            **{name: [value] * len(found) for name, value in same.items()},
            "wager": [result.wager.slug for result in found],
            "mean": [result.mean for result in found],
            "se": [result.se for result in found],
            "exact": [result.exact for result in found],
            "z": [result.z for result in found],
        }

    def caption(self) -> str:
        """Return the heading of the table in a notebook."""
        return f"{self.game.name}, {self.decks} decks, {self.coups:,} coups, seed {self.seed}"

    def __getitem__(self, slug: str) -> WagerResult:
        wager = self.game.wager(slug)
        return next(found for found in self.wagers if found.wager is wager)

    def __repr__(self) -> str:
        return f"Simulation({self.game.slug}, {self.coups} coups, seed {self.seed})"


def tally_of(game: Game, counts: Ints, seed: int) -> Tally:
    """Return a tally of simulated counts; a die splits each count into its kinds of hand."""
    places = np.flatnonzero(counts)
    found = counts[places]

    def part(own: Ints, *, power: bool) -> Part:
        held = own > 0
        pairs = zip(places[held].tolist(), own[held].tolist(), strict=True)
        return Part(power, 1, dict(pairs))

    if game.die is None:
        return Tally(game, (part(found, power=False),))
    chance = np.random.default_rng(stream(seed, DIE_STREAM))
    shown = chance.binomial(found, 1 / len(game.die.faces))
    return Tally(game, (part(found - shown, power=False), part(shown, power=True)))


# --- running -------------------------------------------------------------------------------


def stream(seed: int, purpose: int, chunk: int = 0) -> np.random.SeedSequence:
    """Return the random stream for a purpose and a chunk."""
    return np.random.SeedSequence(seed, spawn_key=(purpose, chunk))


def deal_chunk(
    plan: Plan, seed: int, chunk: int, most: tuple[int, int], tally: Ints
) -> tuple[int, int]:
    """Deal at most so many shoes and coups of a chunk; return how many coups and shoes."""
    words = stream(seed, SHOES_STREAM, chunk).generate_state(4 * STREAMS).astype(np.uint32)
    coups, shoes = deal_shoes(plan, *most, words.reshape(4, STREAMS), tally)
    return coups, shoes


class Batch(NamedTuple):
    """Chunks that can be dealt side by side."""

    first: int
    chunks: int
    shoes: int
    """Shoes in all; every chunk but the last is full."""
    coups_max: int
    """Where to break off: only for a batch of one chunk."""

    def shoes_of(self, chunk: int) -> int:
        """Return how many shoes a chunk has."""
        return min(CHUNK, self.shoes - (chunk - self.first) * CHUNK)


class Done(NamedTuple):
    """What was dealt of a batch."""

    coups: int
    shoes: int
    complete: bool = True


class Crew(Protocol):
    """Who deals the chunks: threads of this process, or a cluster."""

    workers: int

    def deal(self, batch: Batch, report: Callable[[int, int], None]) -> Done:
        """Deal a batch into the crew's tally; report coups and shoes as they are done."""

    def counts(self) -> Ints:
        """Return the tally of all that was dealt."""


class Threads:
    """Deals chunks on threads; the kernel runs without the interpreter's lock."""

    def __init__(self, plan: Plan, seed: int, threads: int) -> None:
        self.plan = plan
        self.seed = seed
        self.workers = threads
        self._tallies: list[Ints] = []

    def deal(self, batch: Batch, report: Callable[[int, int], None]) -> Done:
        """Deal a batch; after Ctrl-C finish the chunks that are under way and return."""
        waiting = iter(range(batch.first, batch.first + batch.chunks))
        stop = threading.Event()
        busy = min(self.workers, batch.chunks)
        while len(self._tallies) < busy:
            self._tallies.append(np.zeros(INDEX_SIZE, np.int64))
        sums = [[0, 0] for _ in range(busy)]

        def work(own: list[int], tally: Ints) -> None:
            for chunk in waiting:
                most = batch.shoes_of(chunk), batch.coups_max
                coups, shoes = deal_chunk(self.plan, self.seed, chunk, most, tally)
                own[0] += coups
                own[1] += shoes
                if stop.is_set():
                    return

        def now() -> tuple[int, int]:
            return sum(own[0] for own in sums), sum(own[1] for own in sums)

        complete = True
        with ThreadPoolExecutor(busy) as pool:
            jobs = [pool.submit(work, *each) for each in zip(sums, self._tallies, strict=False)]
            try:
                while wait(jobs, TICK, FIRST_EXCEPTION).not_done:
                    report(*now())
            except KeyboardInterrupt:
                complete = False
                stop.set()
        for job in jobs:
            job.result()
        report(*now())
        return Done(*now(), complete=complete)

    def counts(self) -> Ints:
        """Return the tally of all that was dealt."""
        total: Ints = sum(self._tallies[1:], start=self._tallies[0])
        return total


def next_batch(plan: Plan, first: int, coups: int) -> Batch:
    """Plan which chunks to deal for so many more coups.

    As many chunks as are needed in any case; at the end one chunk that breaks off at the
    last coup. So what is dealt depends on the request alone.
    """
    sure = coups // (CHUNK * plan.coups_max)
    return Batch(first, max(sure, 1), max(sure, 1) * CHUNK, COUPS_MAX if sure else coups)


def run(
    crew: Crew, plan: Plan, coups: int | None, shoes: int | None, progress: Progress | None
) -> Done:
    """Let a crew deal what was asked for; after Ctrl-C return what is done."""
    dealt, used, first = 0, 0, 0

    def report(more_coups: int, more_shoes: int) -> None:
        if progress is not None and coups is not None:
            progress(dealt + more_coups, coups)
        elif progress is not None and shoes is not None:
            progress(used + more_shoes, shoes)

    while first == 0 or (coups is not None and dealt < coups):
        if shoes is not None:
            batch = Batch(0, -(-shoes // CHUNK), shoes, COUPS_MAX)
        else:
            batch = next_batch(plan, first, (coups or 0) - dealt)
        done = crew.deal(batch, report)
        first += batch.chunks
        dealt, used = dealt + done.coups, used + done.shoes
        if not done.complete:
            return Done(dealt, used, complete=False)
    return Done(dealt, used)


def simulate(
    game: Game,
    *,
    coups: int | None = None,
    shoes: int | None = None,
    decks: int | None = None,
    rules: ShoeRules | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Deal real shoes and tally their coups.

    Give either ``shoes``, which are dealt whole, or ``coups``: then shoe after shoe is dealt
    and the last one breaks off at exactly so many coups. ``rules`` says how shoes are dealt;
    without it so many ``decks`` (8 where none are named) are dealt as :class:`ShoeRules` has
    it. After Ctrl-C the simulation holds what is done so far.

    >>> from croupier import find_game
    >>> found = simulate(find_game("baccarat"), coups=50_000, seed=1, threads=1)
    >>> found.coups, abs(found["banker"].z) < 4.5
    (50000, True)
    """
    rules = chosen_rules(rules, decks)
    plan = plan_of(game, rules)
    require_amount(coups, shoes)
    seed = required_seed(seed)
    crew = Threads(plan, seed, thread_count(threads))
    # Compiling, or loading what was compiled, is no part of the run.
    deal_chunk(plan, seed, 0, (1, 1), np.zeros(INDEX_SIZE, np.int64))
    return finish(crew, (game, rules, plan, seed), coups, shoes, progress)


def finish(
    crew: Crew,
    request: tuple[Game, ShoeRules, Plan, int],
    coups: int | None,
    shoes: int | None,
    progress: Progress | None,
) -> Simulation:
    """Let a crew deal, and time it."""
    game, rules, plan, seed = request
    started = time.perf_counter()
    done = run(crew, plan, coups, shoes, progress)
    counts = crew.counts()
    seconds = time.perf_counter() - started
    assert int(counts.sum()) == done.coups, "the tally lost coups"
    return Simulation(
        tally_of(game, counts, seed),
        rules.decks,
        done.coups,
        done.shoes,
        seed,
        crew.workers,
        seconds,
        installed("croupier"),
        done.complete,
    )


def simulate_independent(
    game: Game, coups: int, *, decks: int = 8, seed: int | None = None
) -> Simulation:
    """Draw the tally of independent coups, each from its own full shoe.

    It is multinomial with the exact chances, so any number of coups is one draw.

    >>> from croupier import find_game
    >>> simulate_independent(find_game("tiger"), 10**12, seed=1).tally.total
    1000000000000
    """
    require_amount(coups, None)
    coups, decks = int(coups), whole(decks, "number of decks")
    seed = required_seed(seed)
    held = rank_counts(game, game.shoe(decks))
    count_outcomes(game.tableau, *held)
    started = time.perf_counter()
    counts = count_outcomes(game.tableau, *held)
    # From the rarest to the most frequent: what is left of the chances, by which numpy
    # divides at each step, is then never small and keeps its accuracy.
    order = np.argsort(counts, kind="stable")
    order = order[counts[order] > 0]
    chances = counts[order] / counts.sum()
    chance = np.random.default_rng(stream(seed, COUPS_STREAM))
    drawn = np.zeros(INDEX_SIZE, np.int64)
    drawn[order] = chance.multinomial(coups, chances / chances.sum())
    tally = tally_of(game, drawn, seed)
    seconds = time.perf_counter() - started
    return Simulation(tally, decks, coups, None, seed, 1, seconds, installed("croupier"))


def chosen_rules(rules: ShoeRules | None, decks: int | None) -> ShoeRules:
    """Return how to deal; refuse rules together with another number of decks."""
    if rules is None:
        return ShoeRules() if decks is None else ShoeRules(decks)
    if decks is not None and decks != rules.decks:
        message = (
            f"{decks} decks were asked for together with rules for {rules.decks};"
            " give the decks in the rules."
        )
        raise CompositionError(message)
    return rules


def require_amount(coups: int | None, shoes: int | None) -> None:
    """Refuse anything but a positive number of either coups or shoes."""
    if (coups is None) == (shoes is None):
        message = "Give either a number of coups or a number of shoes."
        raise RulesError(message)
    amount, noun = (coups, "coups") if coups is not None else (shoes, "shoes")
    if amount is not None and not 1 <= whole(amount, f"number of {noun}") <= COUPS_MAX:
        message = f"{amount} {noun} cannot be dealt; 1 to 10**18 can be asked for."
        raise RulesError(message)


def required_seed(seed: int | None) -> int:
    """Return the seed, or a new one where none was given."""
    if seed is None:
        return secrets.randbits(SEED_BITS)
    number = whole(seed, "seed")
    if number < 0:
        message = f"A seed of {number} came; a seed is 0 or more."
        raise RulesError(message)
    return number
