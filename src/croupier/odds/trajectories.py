"""Bankroll paths: what flat betting, progressions and counts do to many patrons' money.

Every patron plays real shoes, one after another, and gets the real result of every coup. A
stake is always a whole number of base stakes, so a path is kept in whole numbers and nothing
is rounded on the way. All patrons of a chunk move together, round by round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from croupier.odds.counting import CountingError, read_number
from croupier.odds.dealing import Dealer, Flags, Floats, Integers
from croupier.odds.exact import thread_count
from croupier.odds.frames import Tabular
from croupier.odds.simulate import ShoeRules
from croupier.odds.trigger import Estimate, Watcher
from croupier.rules.errors import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from croupier.odds.counting import Trigger
    from croupier.odds.frames import Columns
    from croupier.rules.game import Game

    Amount = int | str | Fraction

CELLS = 1 << 19
"""Patrons times rounds that are dealt together."""
CELLS_EXACT = 1 << 15
"""The same where every round needs exact expectations, so that Ctrl-C loses little."""
CHUNK_MIN, CHUNK_MAX = 64, 4096
"""Patrons who are dealt to together; a few alone would take nearly as long as many."""
ROUNDS_MAX = 10**5
PATRONS_MAX = 10**6
PLAYED_MAX = 10**8
"""Rounds times patrons: minutes of work, and a gigabyte of bankrolls kept."""
POINTS_MAX = 200
"""After how many rounds, at most, the bankrolls are kept for the bands."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MAXIMUM = 100
"""The table maximum in base stakes, where none is given."""
AMOUNT_MAX = 10**12
STAKES_MAX = 10**9
"""The largest bankroll and maximum in base stakes: whole numbers of 64 bits must hold them."""


class Progression(NamedTuple):
    """A ladder of stakes in base stakes, and the step to go to after a win and a loss.

    After a push, and in a round without a bet, the patron stays on the same step.
    """

    ladder: tuple[int, ...]
    after_win: tuple[int, ...]
    after_loss: tuple[int, ...]


def _ladder(
    stakes: Sequence[int], back: Callable[[int], int], most: int, *, loss: bool
) -> Progression:
    """Climb by one after a loss (or a win), else go back; no stake exceeds ``most``."""
    ladder = tuple(min(stake, most) for stake in stakes)
    up = tuple(min(step + 1, len(ladder) - 1) for step in range(len(ladder)))
    down = tuple(max(0, back(step)) for step in range(len(ladder)))
    return Progression(ladder, down, up) if loss else Progression(ladder, up, down)


def _until(most: int, stakes: Callable[[int], int], longest: int) -> list[int]:
    """Return stakes up to the first that reaches the maximum."""
    found = [stakes(0)]
    while found[-1] < most and len(found) < longest:
        found.append(stakes(len(found)))
    return found


def flat(most: int, rounds: int) -> Progression:
    """Stake the same every round."""
    del most, rounds
    return Progression((1,), (0,), (0,))


def martingale(most: int, rounds: int) -> Progression:
    """Double after every loss, start again after a win; at the maximum stay there."""
    stakes = _until(most, lambda step: 2**step, rounds + 1)
    return _ladder(stakes, lambda _: 0, most, loss=True)


def paroli(most: int, rounds: int) -> Progression:
    """Double after a win, for three wins in a row at most; start again after a loss."""
    del rounds
    found = _ladder((1, 2, 4), lambda _: 0, most, loss=False)
    return found._replace(after_win=(1, 2, 0))


def dalembert(most: int, rounds: int) -> Progression:
    """Stake one more after a loss, one less after a win."""
    stakes = _until(most, lambda step: step + 1, rounds + 1)
    return _ladder(stakes, lambda step: step - 1, most, loss=True)


def fibonacci(most: int, rounds: int) -> Progression:
    """Go one number on after a loss (1 1 2 3 5 ...), two back after a win."""
    stakes = [1, 1]
    while stakes[-1] < most and len(stakes) <= rounds:
        stakes.append(stakes[-1] + stakes[-2])
    return _ladder(stakes, lambda step: step - 2, most, loss=True)


SYSTEMS: dict[str, Callable[[int, int], Progression]] = {
    "flat": flat,
    "martingale": martingale,
    "paroli": paroli,
    "dalembert": dalembert,
    "fibonacci": fibonacci,
}


class End(IntEnum):
    """How a patron's play ended."""

    PLAYING = 0
    """All rounds were played."""
    RUINED = 1
    """Less than a base stake was left."""
    STOPPED = 2
    """The loss reached the stop-loss."""
    REACHED = 3
    """The bankroll reached the target."""


@dataclass(frozen=True)
class Betting:
    """How a patron bets: bankroll, base stake, system, and when to leave.

    A stake that the bankroll does not cover is cut to the whole base stakes that it does.
    """

    bankroll: Amount
    stake: Amount = 1
    system: str = "flat"
    maximum: Amount | None = None
    """The table maximum; without one, a hundred base stakes."""
    stop_loss: Amount | None = None
    """Leave when so much is lost."""
    target: Amount | None = None
    """Leave when the bankroll is so large."""
    trigger: Trigger | None = None
    """When to bet; without one, every round."""

    def __post_init__(self) -> None:
        """Refuse amounts with which nobody could play."""
        base = _amount("stake", self.stake)
        owned = _amount("bankroll", self.bankroll)
        if self.system not in SYSTEMS:
            names = listed(list(SYSTEMS))
            message = f"{self.system!r} is not a system; the systems are {names}."
            raise CountingError(message)
        if owned < base:
            message = f"A bankroll of {self.bankroll} does not cover a stake of {self.stake}."
            raise CountingError(message)
        if self.most < 1:
            message = f"A stake of {self.stake} exceeds the table maximum of {self.maximum}."
            raise CountingError(message)
        if self.stop_loss is not None:
            _amount("stop-loss", self.stop_loss)
        if self.target is not None and _amount("target", self.target) <= owned:
            message = f"A target of {self.target} is not above the bankroll of {self.bankroll}."
            raise CountingError(message)
        if owned / base > STAKES_MAX or self.most > STAKES_MAX:
            message = (
                f"The bankroll and the table maximum can be {STAKES_MAX:,} base stakes at most."
            )
            raise CountingError(message)

    @property
    def base(self) -> Fraction:
        """Return the base stake."""
        return Fraction(self.stake)

    @property
    def most(self) -> int:
        """Return the table maximum in whole base stakes."""
        if self.maximum is None:
            return MAXIMUM
        return floor(_amount("table maximum", self.maximum) / self.base)

    def limits(self, parts: int) -> tuple[int, int, int]:
        """Return bankroll, stop and goal in parts of a base stake; the last two as profit."""
        owned = Fraction(self.bankroll)
        stop, goal = -(2**62), 2**62
        if self.stop_loss is not None:
            stop = floor(-Fraction(self.stop_loss) * parts / self.base)
        if self.target is not None:
            goal = ceil((Fraction(self.target) - owned) * parts / self.base)
        return floor(owned * parts / self.base), stop, goal


def _amount(name: str, amount: Amount) -> Fraction:
    value = read_number(amount, f"the {name}") if isinstance(amount, str) else Fraction(amount)
    if value <= 0:
        message = f"A {name} of {amount} came; it must be more than 0."
        raise CountingError(message)
    if value >= AMOUNT_MAX:
        message = f"The {name} must be less than {AMOUNT_MAX:,}."
        raise CountingError(message)
    return value


@dataclass(frozen=True, eq=False)
class Trajectories(Tabular):
    """The bankrolls of many patrons over many rounds."""

    game: Game
    wager: str
    betting: Betting
    rules: ShoeRules
    rounds: int
    seed: int
    complete: bool
    """Whether all patrons that were asked for have played."""
    at: tuple[int, ...]
    """After which rounds the bankrolls were kept."""
    paths: Floats
    """By patron and round kept: the bankroll."""
    bets: Integers
    """How many bets each patron made."""
    staked: Floats
    """How much each patron staked in all."""
    ends: Integers
    """How the play of each patron ended (:class:`End`)."""
    largest: Floats
    """The largest stake of each patron."""

    @property
    def patrons(self) -> int:
        """Return how many patrons played."""
        return len(self.paths)

    @property
    def final(self) -> Floats:
        """Return the bankrolls at the end."""
        return self.paths[:, -1]

    @cached_property
    def bands(self) -> Floats:
        """Return the quantiles of the bankrolls, by round kept and quantile."""
        return self.quantiles(QUANTILES)

    def quantiles(self, shares: Sequence[float]) -> Floats:
        """Return any quantiles of the bankrolls, by round kept and quantile."""
        # Round by round: all at once would need a copy of all bankrolls.
        found: Floats = np.array([np.quantile(kept, shares) for kept in self.paths.T])
        return found

    @property
    def profit(self) -> Estimate:
        """Return the mean profit of a patron."""
        profit = self.final - float(Fraction(self.betting.bankroll))
        if self.patrons == 1:
            return Estimate(float(profit[0]), float("nan"))
        return Estimate(float(profit.mean()), float(profit.std(ddof=1)) / sqrt(self.patrons))

    def ended(self, end: End) -> float:
        """Return the share of patrons whose play ended so."""
        return float((self.ends == end).mean())

    @property
    def ruined(self) -> float:
        """Return the share of patrons who could not stake any more."""
        return self.ended(End.RUINED)

    @property
    def ahead(self) -> float:
        """Return the share of patrons who ended with more than they brought."""
        return float((self.final > float(Fraction(self.betting.bankroll))).mean())

    def to_columns(self) -> Columns:
        """Return a line for each round kept: the quantiles and the mean."""
        names = [f"q{round(100 * share):02d}" for share in QUANTILES]
        lines: dict[str, Sequence[str | int | float | None]] = {"round": list(self.at)}
        for name, band in zip(names, self.bands.T, strict=True):
            lines[name] = band.tolist()
        lines["mean"] = self.paths.mean(0).tolist()
        return lines

    def patron_columns(self) -> Columns:
        """Return a line for each patron."""
        return {
            "patron": list(range(1, self.patrons + 1)),
            "final": self.final.tolist(),
            "bets": self.bets.tolist(),
            "staked": self.staked.tolist(),
            "largest_stake": self.largest.tolist(),
            "end": [End(end).name.lower() for end in self.ends.tolist()],
        }

    def tables(self) -> Mapping[str, Callable[[], Columns]]:
        """Return the tables by name."""
        return {"bands": self.to_columns, "patrons": self.patron_columns}

    def __repr__(self) -> str:
        return (
            f"Trajectories({self.game.slug}, {self.wager}, {self.betting.system},"
            f" {self.patrons} patrons, {self.rounds} rounds)"
        )


class Crowd:
    """Patrons who play side by side, each at a separate table."""

    def __init__(self, betting: Betting, parts: int, rounds: int, patrons: int) -> None:
        self.parts = parts
        self.owned, self.stop, self.goal = betting.limits(parts)
        found = SYSTEMS[betting.system](betting.most, rounds)
        self.ladder, self.after_win, self.after_loss = (np.array(part) for part in found)
        self.step: Integers = np.zeros(patrons, np.int64)
        self.profit: Integers = np.zeros(patrons, np.int64)
        """In parts of a base stake."""
        self.bets: Integers = np.zeros(patrons, np.int64)
        self.staked: Integers = np.zeros(patrons, np.int64)
        self.largest: Integers = np.zeros(patrons, np.int64)
        self.ends: Integers = np.zeros(patrons, np.int64)

    @property
    def playing(self) -> Flags:
        """Tell who still plays."""
        playing: Flags = self.ends == End.PLAYING
        return playing

    def play(self, results: Integers, betting: Flags) -> None:
        """Play one round: what the wager returns to each, and who bets on it."""
        covered = (self.owned + self.profit) // self.parts
        stakes = np.minimum(self.ladder[self.step], covered) * betting
        self.profit += stakes * results
        self.bets += betting
        self.staked += stakes
        np.maximum(self.largest, stakes, out=self.largest)
        won, lost = betting & (results > 0), betting & (results < 0)
        step = np.where(won, self.after_win[self.step], self.step)
        self.step = np.where(lost, self.after_loss[self.step], step)
        left = (self.owned + self.profit) // self.parts
        for end, holds in (
            (End.RUINED, left < 1),
            (End.STOPPED, self.profit <= self.stop),
            (End.REACHED, self.profit >= self.goal),
        ):
            self.ends[betting & holds & self.playing] = end


def kept_rounds(rounds: int) -> tuple[int, ...]:
    """Return after which rounds the bankrolls are kept: 0, the last, and some between."""
    points = min(rounds, POINTS_MAX)
    return tuple(round(rounds * point / points) for point in range(points + 1))


class Part(NamedTuple):
    """What became of the patrons of one chunk."""

    paths: Floats
    bets: Integers
    staked: Floats
    ends: Integers
    largest: Floats


def _play_chunk(
    table: tuple[Dealer, str, Watcher | None],
    betting: Betting,
    chunk: int,
    shape: tuple[int, int],
) -> Part:
    """Let the patrons of one chunk play."""
    dealer, wager, watcher = table
    patrons, rounds = shape
    dealt = dealer.rounds(chunk, patrons, rounds, keep=watcher is not None)
    nets, parts = dealer.nets(wager)
    results = nets[dealer.power_hands(chunk, shape), dealt.outcomes]
    crowd = Crowd(betting, parts, rounds, patrons)
    at = kept_rounds(rounds)
    kept = np.zeros((patrons, len(at)), np.int64)
    point = 1
    for number in range(rounds):
        bets = crowd.playing
        if watcher is not None and bets.any():
            seen = dealt.seen[bets, number]
            counts = watcher.counts(seen)
            evs = watcher.expectations(seen) if counts is None else None
            bets[bets] = watcher.bets(counts, evs)
        crowd.play(results[:, number], bets)
        if number + 1 == at[point]:
            kept[:, point] = crowd.profit
            point += 1
    base = np.float64(betting.base)
    paths: Floats = np.float64(Fraction(betting.bankroll)) + kept * (base / parts)
    staked: Floats = crowd.staked * base
    largest: Floats = crowd.largest * base
    return Part(paths, crowd.bets, staked, crowd.ends, largest)


def _require_numbers(rounds: int, patrons: int) -> None:
    """Refuse numbers of rounds and patrons that nobody could wait for, or keep."""
    for name, number, most in (
        ("rounds", rounds, ROUNDS_MAX),
        ("patrons", patrons, PATRONS_MAX),
    ):
        if number < 1:
            message = f"{number} {name} were asked for; at least 1 is needed."
            raise CountingError(message)
        if number > most:
            message = f"{number} {name} were asked for; {most:,} is the most."
            raise CountingError(message)
    if rounds * patrons > PLAYED_MAX:
        message = (
            f"{rounds} rounds of {patrons} patrons are {rounds * patrons:,};"
            f" {PLAYED_MAX:,} is the most."
        )
        raise CountingError(message)


def bankroll_paths(  # noqa: PLR0913  # all but the first three have defaults
    game: Game,
    wager: str,
    betting: Betting,
    *,
    rules: ShoeRules | None = None,
    rounds: int = 500,
    patrons: int = 1000,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Trajectories:
    """Let patrons play so many rounds of real shoes, each at a separate table.

    The same seed gives the same paths. Ctrl-C ends it with the patrons who are done. Threads
    are used where a trigger needs exact expectations.
    """
    game.wager(wager)
    _require_numbers(rounds, patrons)
    thread_count(threads)
    rules = ShoeRules() if rules is None else rules
    dealer = Dealer(game, rules, seed)
    trigger = betting.trigger
    watcher = None if trigger is None else Watcher(dealer, wager, trigger, threads)
    table = dealer, wager, watcher
    if trigger is not None and trigger.tags is None:
        size = max(1, min(CHUNK_MAX, CELLS_EXACT // rounds))
    else:
        size = max(CHUNK_MIN, min(CHUNK_MAX, CELLS // rounds))
    found: list[Part] = []
    done = 0
    try:
        while done < patrons:
            count = min(size, patrons - done)
            found.append(_play_chunk(table, betting, len(found), (count, rounds)))
            done += count
            if progress is not None:
                progress(done, patrons)
    except KeyboardInterrupt:
        if not found:
            raise
    joined = Part(*(np.concatenate(each) for each in zip(*found, strict=True)))
    return Trajectories(
        game,
        wager,
        betting,
        rules,
        rounds,
        seed,
        done == patrons,
        kept_rounds(rounds),
        *joined,
    )
