"""Plots of odds and bankrolls, as bytes of SVG or PNG, with ``croupier[plots]``.

Every wager has a panel and a scale of its own: the edges of one game lie between 1 % and
30 %, and on one scale nobody would see what the number of decks does. Wagers that are the
same to the last digit share a panel. The same odds give the same bytes.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from io import BytesIO
from itertools import pairwise
from math import ceil, lcm
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from croupier.money import Cents
from croupier.odds.extras import load
from croupier.odds.rounds import Method, RoundDistribution

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from croupier.odds.figures import GameOdds, WagerOdds
    from croupier.odds.trajectories import Trajectories

    Format = Literal["svg", "png"]

Same = TypeVar("Same")
EXTRA = "plots"
ROUNDS = 1000
DEVIATIONS = 4
"""How far from the mean a distribution is drawn."""
BARS_PER_DEVIATION = 5

# Blue and vermilion of Okabe and Ito: told apart with every kind of colour blindness.
BLUE, VERMILION, GREY = "#0072b2", "#d55e00", "#8a8a8a"
STYLE = {
    "svg.hashsalt": "croupier",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.linewidth": 0.6,
    "axes.formatter.useoffset": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
}
WIDTH_INCHES = 7.1
PANEL_INCHES = 1.75
PANELS_ABREAST = 3
DPI = 160


def edge_by_decks(odds: Mapping[int, GameOdds], kind: Format = "svg") -> bytes:
    """Draw the edge of every wager against the number of decks."""
    first = next(iter(odds.values()))
    decks = list(odds)
    edges = {
        wager.wager.name: tuple(shoe[wager.wager.slug].edge for shoe in odds.values())
        for wager in first.wagers
    }

    def draw(edge: tuple[Fraction, ...], panel: Any) -> None:  # noqa: ANN401  # no types
        percent = [float(100 * one) for one in edge]
        panel.plot(decks, percent, color=BLUE, marker="o", markersize=3, linewidth=1.2)
        panel.set_xticks(decks)
        middle = (min(percent) + max(percent)) / 2
        # A flat line must look flat: the scale never spans less than this.
        half = max(max(percent) - min(percent), 0.002) * 0.65
        panel.set_ylim(middle - half, middle + half)

    return panels(
        {names: partial(draw, edge) for names, edge in grouped(edges).items()},
        "decks in the shoe",
        "edge (% of the stake)",
        kind,
    )


def results_of_rounds(odds: GameOdds, rounds: int = ROUNDS, kind: Format = "svg") -> bytes:
    """Draw what each wager may bring in so many rounds, beside the normal curve."""
    wagers = {wager.wager.name: wager for wager in odds.wagers}
    same = grouped({name: pay_chances(wager) for name, wager in wagers.items()})
    groups = {names: wagers[names.split("\n")[0]] for names in same}
    return panels(
        {names: partial(draw_results, wager, rounds) for names, wager in groups.items()},
        f"net result of {rounds:,} rounds (stakes)",
        "chance (%)",
        kind,
    )


def draw_results(wager: WagerOdds, rounds: int, panel: Any) -> None:  # noqa: ANN401  # no types
    """Draw the distribution of one wager's result, the normal curve and the mean."""
    bars = result_bars(wager, rounds)
    width = bars[0].high - bars[0].low
    centres = [(bar.low + bar.high) / 2 for bar in bars]
    heights = [100 * bar.chance for bar in bars]
    panel.bar(
        centres, heights, width, color=BLUE, alpha=0.55, linewidth=0, label="distribution"
    )
    normal = NormalDist(rounds * float(wager.ev), wager.sd * rounds**0.5)
    line = [normal.mean + normal.stdev * place / 20 for place in range(-80, 81)]
    curve = [100 * width * normal.pdf(x) for x in line]
    panel.plot(line, curve, color=VERMILION, linewidth=1.1, label="normal curve")
    panel.axvline(normal.mean, color=GREY, linewidth=0.9, linestyle="--", label="mean")
    panel.set_xlim(line[0], line[-1])
    panel.set_ylim(bottom=0)


def bankroll_bands(trajectories: Trajectories, kind: Format = "svg") -> bytes:
    """Draw how the bankrolls of many patrons spread over the rounds."""
    columns = trajectories.to_columns()
    rounds = columns["round"]

    def draw(panel: Any) -> None:  # noqa: ANN401  # no types
        for low, high, share, shade in (
            ("q05", "q95", "90 % of the patrons", 0.2),
            ("q25", "q75", "50 % of the patrons", 0.45),
        ):
            band = columns[low], columns[high]
            panel.fill_between(rounds, *band, color=BLUE, alpha=shade, linewidth=0, label=share)
        panel.plot(rounds, columns["q50"], color=BLUE, linewidth=1.2, label="median")
        panel.plot(rounds, columns["mean"], color=VERMILION, linewidth=1.1, label="mean")
        brought = float(Fraction(trajectories.betting.bankroll))
        panel.axhline(brought, color=GREY, linewidth=0.9, linestyle="--", label="at the start")
        panel.set_xlim(rounds[0], rounds[-1])

    name = trajectories.game.wager(trajectories.wager).name
    title = f"{name}, {trajectories.betting.system}, {trajectories.patrons:,} patrons"
    return panels({title: draw}, "rounds", "bankroll", kind, height=2 * PANEL_INCHES)


class ResultBar(NamedTuple):
    """The chance of a net result between two bounds, in stakes."""

    low: float
    high: float
    chance: float


def result_bars(wager: WagerOdds, rounds: int) -> list[ResultBar]:
    """Return the chances of bands of results, four deviations to either side of the mean.

    All bands are equally wide and hold the same number of possible results, so no band is
    higher only because more results fall into it.
    """
    unit = lcm(*(row.net.denominator for row in wager.rows))
    counts: dict[int, int] = {}
    for row in wager.rows:
        net = int(row.net * unit)
        counts[net] = counts.get(net, 0) + row.count
    result = RoundDistribution(counts, Cents(unit), Cents(unit)).after(rounds, Method.FOURIER)
    step, mean, sd = result.one.step, float(result.mean), result.sd
    width = step * max(1, round(sd / BARS_PER_DEVIATION / step))
    reach = ceil(DEVIATIONS * sd / width)
    start = result.low + round((mean - result.low) / step) * step - reach * width
    # A band begins just above the last result of the one before, half a step below its first.
    edges = [start + place * width for place in range(2 * reach + 1)]
    return [
        ResultBar(
            (low + step / 2) / unit,
            (high + step / 2) / unit,
            max(0.0, result.at_most(high) - result.at_most(low)),
        )
        for low, high in pairwise(edges)
    ]


def pay_chances(wager: WagerOdds) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the possible net results of a round, in order, with their chances."""
    chances: dict[Fraction, Fraction] = {}
    for row in wager.rows:
        chances[row.net] = chances.get(row.net, Fraction(0)) + row.probability
    return tuple(sorted(chances.items()))


def grouped(things: Mapping[str, Same]) -> dict[str, Same]:
    """Put names of equal things together, one on each line."""
    names: dict[Same, list[str]] = {}
    for name, thing in things.items():
        names.setdefault(thing, []).append(name)
    return {"\n".join(together): thing for thing, together in names.items()}


def panels(
    drawings: Mapping[str, Callable[[Any], None]],
    across: str,
    up: str,
    kind: Format,
    *,
    height: float = PANEL_INCHES,
) -> bytes:
    """Draw a panel for each name, three abreast, and return the image."""
    matplotlib = load("matplotlib", EXTRA)
    figures = load("matplotlib.figure", EXTRA)
    abreast = min(PANELS_ABREAST, len(drawings))
    rows = -(-len(drawings) // abreast)
    with matplotlib.rc_context(STYLE):
        figure = figures.Figure(
            figsize=(WIDTH_INCHES, height * rows), layout="constrained", dpi=DPI
        )
        for place, (name, draw) in enumerate(drawings.items(), start=1):
            panel = figure.add_subplot(rows, abreast, place)
            panel.set_title(name, loc="left")
            panel.spines[["top", "right"]].set_visible(False)
            panel.grid(axis="y", color="#e4e4e4", linewidth=0.6)
            panel.set_axisbelow(True)
            draw(panel)
            panel.locator_params(axis="y", nbins=4, min_n_ticks=3)
            if place > len(drawings) - abreast:
                panel.set_xlabel(across)
            if (place - 1) % abreast == 0:
                panel.set_ylabel(up)
        handles, labels = panel.get_legend_handles_labels()
        if labels:
            figure.legend(
                handles, labels, loc="outside lower center", ncols=len(labels), frameon=False
            )
        image = BytesIO()
        # A date or a version inside would make equal plots differ.
        nothing = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        figure.savefig(image, format=kind, metadata=nothing)
    return image.getvalue()
