"""Plots: the data behind them are right, the images are images, and the same every time."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.figure import Figure

from croupier import BACCARAT, FA_FA_FABULOUS_4, POWER_98
from croupier.odds import WagerOdds, exact_odds, plots
from croupier.odds.extras import MissingExtraError
from croupier.odds.rounds import StakesError
from croupier.odds.trajectories import Betting, bankroll_paths
from croupier.odds.views import DECKS, odds_by_decks, odds_by_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes


def convolved(wager: WagerOdds, rounds: int) -> dict[float, float]:
    """Return the distribution of the net result, by the definition."""
    total = {0.0: 1.0}
    one = plots.pay_chances(wager)
    for _ in range(rounds):
        longer: dict[float, float] = {}
        for net, chance in total.items():
            for more, weight in one:
                place = round(net + float(more), 9)
                longer[place] = longer.get(place, 0.0) + chance * float(weight)
        total = longer
    return total


@pytest.mark.parametrize("slug", ["banker", "player", "tie", "player-pair"])
def test_the_bars_of_few_rounds_are_the_convolution(slug: str) -> None:
    wager = exact_odds(BACCARAT)[slug]
    expected = convolved(wager, 6)
    bars = plots.result_bars(wager, 6)
    for bar in bars:
        inside = sum(p for net, p in expected.items() if bar.low < net < bar.high)
        assert bar.chance == pytest.approx(inside, abs=1e-11)
    for left, right in pairwise(bars):
        assert left.high == right.low
        assert right.high - right.low == pytest.approx(bars[0].high - bars[0].low)


def test_the_bars_of_many_rounds_hold_nearly_everything_around_the_mean() -> None:
    wager = exact_odds(FA_FA_FABULOUS_4)["tie"]
    bars = plots.result_bars(wager, 1000)
    # A tie that pays 800 to 1 comes once in 33 times and lies outside.
    assert 0.97 < sum(bar.chance for bar in bars) < 0.98
    ordinary = plots.result_bars(exact_odds(BACCARAT)["banker"], 1000)
    assert 0.9999 < sum(bar.chance for bar in ordinary) <= 1
    mean = 1000 * float(wager.ev)
    assert bars[0].low < mean - 3.9 * wager.sd * 1000**0.5
    assert bars[-1].high > mean + 3.9 * wager.sd * 1000**0.5


@pytest.mark.parametrize("rounds", [0, -5])
def test_a_number_of_rounds_that_nobody_plays_is_refused(rounds: int) -> None:
    with pytest.raises(StakesError):
        plots.results_of_rounds(exact_odds(BACCARAT), rounds)


def test_images_are_svg_and_png_and_the_same_every_time() -> None:
    odds = odds_by_decks(BACCARAT)
    svg = plots.edge_by_decks(odds), plots.results_of_rounds(odds[8], 100)
    again = plots.edge_by_decks(odds), plots.results_of_rounds(odds[8], 100)
    assert svg == again
    for image in svg:
        assert ET.fromstring(image).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  # ours
    assert plots.edge_by_decks(odds, "png").startswith(b"\x89PNG\r\n\x1a\n")
    assert plots.results_of_rounds(odds[8], 100, "png").startswith(b"\x89PNG\r\n\x1a\n")
    assert svg[0] != plots.edge_by_decks(odds_by_decks(POWER_98))


def test_the_bands_of_bankrolls_are_drawn_where_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = bankroll_paths(BACCARAT, "player", Betting(50, 1, "martingale"), rounds=30, seed=1)
    image = plots.bankroll_bands(paths)
    assert ET.fromstring(image).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  # ours
    assert image == plots.bankroll_bands(paths)
    assert plots.bankroll_bands(paths, "png").startswith(b"\x89PNG\r\n\x1a\n")
    drawn: list[Axes] = []
    whole = plots.panels

    def watched(
        drawings: Mapping[str, Callable[[Axes], None]],
        across: str,
        up: str,
        kind: plots.Format,
        *,
        height: float,
    ) -> bytes:
        assert list(drawings) == ["Player, martingale, 1,000 patrons"]
        for draw in drawings.values():
            drawn.append(Figure().add_subplot())
            draw(drawn[-1])
        return whole(drawings, across, up, kind, height=height)

    monkeypatch.setattr(plots, "panels", watched)
    plots.bankroll_bands(paths)
    columns = paths.to_columns()
    lines = {str(line.get_label()): line for line in drawn[0].lines}
    for label, name in (("median", "q50"), ("mean", "mean")):
        assert np.asarray(lines[label].get_ydata()).tolist() == list(columns[name])
        assert np.asarray(lines[label].get_xdata()).tolist() == list(range(31))
    wide, narrow = (band.get_paths()[0].get_extents() for band in drawn[0].collections)
    low, lower, _, upper, high = paths.bands.T
    assert (wide.y0, wide.y1) == (low.min(), high.max())
    assert (narrow.y0, narrow.y1) == (lower.min(), upper.max())


def test_wagers_that_are_the_same_share_a_panel() -> None:
    same = plots.grouped({"a": 1, "b": 2, "c": 1})
    assert same == {"a\nc": 1, "b": 2}


def test_drawing_leaves_no_global_state_behind() -> None:
    # Whoever asks for the backend gets pyplot loaded, so it is not asked for.
    code = (
        "import sys, matplotlib as m;"
        "state = lambda: {key: m.rcParams[key] for key in m.rcParams if key != 'backend'};"
        "before = state();"
        "from croupier import BACCARAT; from croupier.odds import exact_odds, plots;"
        "plots.results_of_rounds(exact_odds(BACCARAT), 50);"
        "print('matplotlib.pyplot' in sys.modules, state() == before)"
    )
    ended = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "False True\n"


def test_missing_matplotlib_is_asked_for_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"needs matplotlib.*croupier\[plots\]"):
        plots.edge_by_decks({8: exact_odds(BACCARAT)})


def test_odds_by_decks_are_those_of_each_shoe() -> None:
    found = odds_by_decks(POWER_98, die=3)
    assert list(found) == list(DECKS) == [4, 5, 6, 7, 8, 9, 10]
    assert found[6]["tie"].ev == exact_odds(POWER_98, decks=6, die=3)["tie"].ev


def test_odds_by_hand_equal_those_counted_for_a_die() -> None:
    averaged, ordinary, power = odds_by_hand(exact_odds(POWER_98))
    assert [hand.title for hand in (averaged, ordinary, power)] == [
        "Averaged over the die",
        "Ordinary hand: the die does not show 3",
        "Power hand: the die shows 3",
    ]
    for hand, die in ((ordinary, 1), (power, 3)):
        counted = exact_odds(POWER_98, die=die)
        assert hand.odds.total == counted.total
        assert hand.odds.tally.row_counts == counted.tally.row_counts
        assert hand.odds.covariance == counted.covariance
    for wager in averaged.odds.wagers:
        slug = wager.wager.slug
        assert 6 * wager.ev == 5 * ordinary.odds[slug].ev + power.odds[slug].ev
    assert len(odds_by_hand(exact_odds(POWER_98, die=2))) == 1
    assert len(odds_by_hand(exact_odds(BACCARAT))) == 1
