from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from croupier import GAMES, find_game
from croupier.odds import exact_odds
from croupier.odds.counting import CountingError, Trigger, parse_tags
from croupier.odds.dealing import Dealer
from croupier.odds.simulate import ShoeRules
from croupier.odds.trajectories import SYSTEMS, Betting, Crowd, End, bankroll_paths, kept_rounds
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.rules.game import Game

BACCARAT = find_game("baccarat")
SE_MAX = 4.5


def walk(betting: Betting, results: str, parts: int = 1) -> tuple[list[int], Crowd]:
    """Let one patron win, lose and push (W, L, P); return the stakes."""
    crowd = Crowd(betting, parts, len(results), 1)
    stakes = []
    for result in results:
        before = int(crowd.staked[0])
        net = {"W": parts, "L": -parts, "P": 0}[result]
        crowd.play(np.array([net]), crowd.playing)
        stakes.append(int(crowd.staked[0]) - before)
    return stakes, crowd


@pytest.mark.parametrize(
    ("system", "results", "stakes"),
    [
        ("flat", "LLWPL", [1, 1, 1, 1, 1]),
        ("martingale", "LLLWLPLW", [1, 2, 4, 8, 1, 2, 2, 4]),
        ("martingale", "LLLLLLW", [1, 2, 4, 8, 16, 20, 20]),
        ("paroli", "WWWWLWL", [1, 2, 4, 1, 2, 1, 2]),
        ("dalembert", "LLLWWPW", [1, 2, 3, 4, 3, 2, 2]),
        ("fibonacci", "LLLLLWLWWW", [1, 1, 2, 3, 5, 8, 3, 5, 2, 1]),
    ],
)
def test_systems_stake_as_their_books_say(system: str, results: str, stakes: list[int]) -> None:
    found, _ = walk(Betting(1000, 1, system, maximum=20), results)
    assert found == stakes


def test_a_bankroll_covers_whole_base_stakes_only() -> None:
    stakes, crowd = walk(Betting(10, 1, "martingale"), "LLLL")
    assert stakes == [1, 2, 4, 3]
    assert crowd.ends[0] == End.RUINED
    assert walk(Betting("10.9", 1, "martingale"), "LLLLW")[0] == [1, 2, 4, 3, 0]


def test_leaving_at_a_loss_or_a_target() -> None:
    stakes, crowd = walk(Betting(100, 10, stop_loss=30), "LLLLL")
    assert (stakes, crowd.ends[0]) == ([1, 1, 1, 0, 0], End.STOPPED)
    stakes, crowd = walk(Betting(100, 10, target="119.99"), "WWWW")
    assert (stakes, crowd.ends[0]) == ([1, 1, 0, 0], End.REACHED)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_flat_betting_loses_the_expectation(game: Game) -> None:
    for wager in (game.wagers[0], game.wagers[-1]):
        paths = bankroll_paths(
            game, wager.slug, Betting(10_000), rounds=120, patrons=1500, seed=3
        )
        exact = 120 * float(exact_odds(game)[wager.slug].ev)
        assert paths.ruined == 0
        assert set(paths.bets.tolist()) == {120}
        assert abs(paths.profit.mean - exact) < SE_MAX * paths.profit.se


def test_a_path_is_the_sum_of_live_results() -> None:
    game = find_game("power-98")
    paths = bankroll_paths(game, "player", Betting(1000, 5), rounds=50, patrons=4, seed=8)
    dealer = Dealer(game, ShoeRules(), 8)
    outcomes = dealer.rounds(0, 4, 50, keep=False).outcomes
    power = dealer.power_hands(0, (4, 50))
    assert 0 < power.sum() < 100
    number = game.wagers.index(game.wager("player"))
    for patron in range(4):
        nets = [
            game.verdicts(int(outcome), power=bool(shown))[number].net
            for outcome, shown in zip(outcomes[patron], power[patron], strict=True)
        ]
        assert paths.final[patron] == pytest.approx(float(1000 + 5 * sum(nets, Fraction(0))))
        half = float(1000 + 5 * sum(nets[:25], Fraction(0)))
        assert paths.paths[patron, paths.at.index(25)] == pytest.approx(half)


def test_rounds_go_on_from_shoe_to_shoe() -> None:
    dealer = Dealer(BACCARAT, ShoeRules(), 8)
    shoes = dealer.shoes(0, 2)
    joined = np.concatenate([shoes.outcomes[i, : shoes.coups[i]] for i in (0, 1)])
    rounds = dealer.rounds(0, 1, len(joined), keep=True)
    assert rounds.outcomes[0].tolist() == joined.tolist()
    assert rounds.seen[0, shoes.coups[0]].tolist() == shoes.seen[1, 0].tolist()


@pytest.mark.parametrize("system", SYSTEMS)
def test_bands_are_ordered_and_the_maximum_holds(system: str) -> None:
    betting = Betting(60, 2, system, maximum=17)
    paths = bankroll_paths(BACCARAT, "banker", betting, rounds=300, patrons=800, seed=1)
    assert paths.paths.shape == (800, 201)
    assert (np.diff(paths.bands, axis=1) >= 0).all()
    assert paths.bands[0].tolist() == [60] * 5
    assert paths.paths.min() >= 0
    assert paths.largest.max() == {"flat": 2, "paroli": 8}.get(system, 16)
    gone = paths.ends == End.RUINED
    assert gone.mean() == paths.ruined
    assert (paths.final[gone] < 2).all()
    assert (paths.final[~gone] >= 2).all()
    assert (paths.bets[~gone] == 300).all()
    columns = paths.to_columns()
    assert list(columns) == ["round", "q05", "q25", "q50", "q75", "q95", "mean"]
    assert columns["q50"][-1] == np.median(paths.final)
    assert len(paths.patron_columns()["end"]) == 800


def test_no_system_changes_the_expectation_of_what_is_staked() -> None:
    exact = float(exact_odds(BACCARAT)["player"].ev)
    for system in SYSTEMS:
        betting = Betting(10**6, 1, system, maximum=64)
        paths = bankroll_paths(BACCARAT, "player", betting, rounds=200, patrons=2000, seed=5)
        profit = paths.final - 10**6
        difference = profit - exact * paths.staked
        error = difference.std() / np.sqrt(len(difference))
        assert abs(difference.mean()) < SE_MAX * error, system


def test_a_trigger_chooses_the_rounds() -> None:
    tags = parse_tags(BACCARAT, "5=1 6=1 7=1 A=-1 3=-1 4=-1")
    every = bankroll_paths(BACCARAT, "player", Betting(500), rounds=160, patrons=50, seed=2)
    low = Betting(500, trigger=Trigger(-1e6, tags))
    same = bankroll_paths(BACCARAT, "player", low, rounds=160, patrons=50, seed=2)
    assert (same.paths == every.paths).all()
    high = Betting(500, trigger=Trigger(5, tags))
    some = bankroll_paths(BACCARAT, "player", high, rounds=160, patrons=50, seed=2)
    assert 0 < some.bets.mean() < 60
    exact = Betting(500, trigger=Trigger(-0.0115))
    few = bankroll_paths(BACCARAT, "player", exact, rounds=160, patrons=50, seed=2)
    assert 0 < few.bets.mean() < 80
    never = Betting(500, trigger=Trigger(1.0))
    none = bankroll_paths(BACCARAT, "player", never, rounds=10, patrons=5, seed=2)
    assert none.final.tolist() == [500] * 5


def test_the_same_seed_gives_the_same_paths() -> None:
    betting = Betting(100, 1, "fibonacci")
    first = bankroll_paths(BACCARAT, "tie", betting, rounds=99, patrons=40, seed=1)
    again = bankroll_paths(BACCARAT, "tie", betting, rounds=99, patrons=40, seed=1)
    other = bankroll_paths(BACCARAT, "tie", betting, rounds=99, patrons=40, seed=2)
    assert (first.paths == again.paths).all()
    assert (first.paths != other.paths).any()


def test_as_many_rounds_as_are_allowed_can_be_played() -> None:
    paths = bankroll_paths(BACCARAT, "player", Betting(9), rounds=10**5, patrons=2, seed=1)
    assert paths.at[-1] == 10**5
    assert paths.ruined == 1


def test_threads_change_nothing_but_the_time() -> None:
    betting = Betting(500, trigger=Trigger(-0.0115))
    one, two = (
        bankroll_paths(
            BACCARAT, "player", betting, rounds=60, patrons=9, seed=2, threads=threads
        )
        for threads in (1, 2)
    )
    assert (one.paths == two.paths).all()


def test_an_interruption_keeps_the_patrons_who_are_done() -> None:
    def progress(done: int, total: int) -> None:
        assert done < total
        raise KeyboardInterrupt

    paths = bankroll_paths(
        BACCARAT, "tie", Betting(9), rounds=2, patrons=5000, progress=progress
    )
    assert (paths.patrons, paths.complete) == (4096, False)


def test_kept_rounds_begin_and_end_with_the_path() -> None:
    assert kept_rounds(3) == (0, 1, 2, 3)
    kept = kept_rounds(1234)
    assert (kept[0], kept[-1], len(kept)) == (0, 1234, 201)
    assert len(set(kept)) == 201


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"bankroll": 0}, "bankroll of 0"),
        ({"bankroll": "x"}, "'x' is not a number for the bankroll"),
        ({"bankroll": 10, "stake": -1}, "stake of -1"),
        ({"bankroll": 10, "stake": 11}, "does not cover"),
        ({"bankroll": 10, "system": "oscar"}, "'oscar' is not a system"),
        ({"bankroll": 10, "stake": 2, "maximum": 1}, "exceeds the table maximum"),
        ({"bankroll": 10, "target": 10}, "not above"),
        ({"bankroll": 10, "stop_loss": 0}, "stop-loss of 0"),
        ({"bankroll": 10**10}, "at most"),
        ({"bankroll": 10**12}, "less than"),
        ({"bankroll": "1e999999999"}, "'1e999999999' is not a number"),
        ({"bankroll": 10, "target": 10**400}, "target must be less than"),
    ],
)
def test_bad_betting_is_refused(values: dict[str, int | str], words: str) -> None:
    with pytest.raises(CountingError, match=words):
        Betting(**values)  # type: ignore[arg-type]  # what a careless caller gives


def test_bad_runs_are_refused() -> None:
    for rounds, patrons in ((0, 1), (1, 0)):
        with pytest.raises(CountingError, match="at least 1"):
            bankroll_paths(BACCARAT, "tie", Betting(9), rounds=rounds, patrons=patrons)
    for rounds, patrons in ((10**5 + 1, 1), (1, 10**6 + 1), (10**5, 1001)):
        with pytest.raises(CountingError, match="is the most"):
            bankroll_paths(BACCARAT, "tie", Betting(9), rounds=rounds, patrons=patrons)
    with pytest.raises(RulesError, match="-1 threads"):
        bankroll_paths(BACCARAT, "tie", Betting(9), threads=-1)
    with pytest.raises(RulesError, match="not a wager"):
        bankroll_paths(BACCARAT, "x", Betting(9))
