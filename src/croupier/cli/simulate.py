"""``croupier simulate``: deal shoes or independent coups, and compare with the exact odds."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import Decks, GameName, JsonFlag, Whole, console, print_json
from croupier.rulebooks import find_game
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.odds.simulate import Progress, ShoeRules, Simulation
    from croupier.rules.game import Game

COUPS = 10_000_000
"""What is dealt when nothing else is asked for."""


def simulate(  # noqa: PLR0913  # the options of a command
    game: GameName,
    /,
    *,
    coups: Annotated[
        Whole | None,
        Parameter(help="Coups to deal; the last shoe breaks off there. Without it 10 million."),
    ] = None,
    shoes: Annotated[Whole | None, Parameter(help="Whole shoes to deal.")] = None,
    decks: Decks = 8,
    seed: Annotated[
        Whole | None,
        Parameter(help="The same seed gives the same tally; without it a new one."),
    ] = None,
    threads: Annotated[
        Whole | None, Parameter(help="Threads to use; without it one for each core.")
    ] = None,
    independent: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Every coup from a full shoe."),
    ] = False,
    behind_cut: Annotated[Whole, Parameter(help="Cards behind the cut card.")] = 14,
    after_cut: Annotated[
        Whole, Parameter(help="Coups after the one in which the cut card comes out.")
    ] = 1,
    burn: Annotated[
        bool, Parameter(help="Burn as many cards as the first card counts.")
    ] = True,
    workers: Annotated[
        Whole | None, Parameter(help="Deal on a local cluster of so many processes.")
    ] = None,
    scheduler: Annotated[
        str | None, Parameter(help="Deal on the cluster of this scheduler, tcp://...")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Simulate a game and compare every wager with its exact value."""
    chosen = find_game(game)
    if coups is None and shoes is None:
        coups = COUPS
    elif coups is not None and shoes is not None:
        message = "Give either --coups or --shoes."
        raise RulesError(message)
    cluster = scheduler, workers
    if independent:
        _refuse_with_independent(shoes=shoes, workers=workers, at=scheduler)
        found = draw(chosen, coups or 0, decks, seed)
    else:
        from croupier.odds.simulate import ShoeRules  # noqa: PLC0415  # loads numba

        rules = ShoeRules(decks, behind_cut, after_cut, burn)
        found = deal(chosen, (coups, shoes), rules, seed, threads, cluster)
    if json:
        print_json(simulation_document(found))
    else:
        print_simulation(found)


def _refuse_with_independent(*, shoes: int | None, workers: int | None, at: str | None) -> None:
    """Refuse options of real shoes for independent coups."""
    given = {"shoes": shoes, "workers": workers, "scheduler": at}
    for option, value in given.items():
        if value is not None:
            message = f"Give either --independent or --{option}: one draw gives all coups."
            raise RulesError(message)


def draw(game: Game, coups: int, decks: int, seed: int | None) -> Simulation:
    """Draw independent coups."""
    from croupier.odds.simulate import simulate_independent  # noqa: PLC0415  # loads numba

    return simulate_independent(game, coups, decks=decks, seed=seed)


def deal(
    game: Game,
    amount: tuple[int | None, int | None],
    rules: ShoeRules,
    seed: int | None,
    threads: int | None,
    cluster: tuple[str | None, int | None],
) -> Simulation:
    """Deal shoes, here or on a cluster."""
    coups, shoes = amount
    unit = "coups" if coups is not None else "shoes"
    if cluster == (None, None):
        from croupier.odds.simulate import simulate as dealt  # noqa: PLC0415  # loads numba

        with progress_bar(unit) as progress:
            return dealt(
                game,
                coups=coups,
                shoes=shoes,
                rules=rules,
                seed=seed,
                threads=threads,
                progress=progress,
            )
    if threads is not None:
        message = "Give either --threads or a cluster, whose workers have a thread each."
        raise RulesError(message)
    from croupier.odds.cluster import simulate_on_cluster  # noqa: PLC0415  # loads numba

    scheduler, workers = cluster
    with progress_bar(unit) as progress:
        return simulate_on_cluster(
            game,
            coups=coups,
            shoes=shoes,
            rules=rules,
            seed=seed,
            scheduler=scheduler,
            workers=workers,
            progress=progress,
        )


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress | None]:
    """Show rate and time left on a terminal; nothing where there is none."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415  # only for a terminal
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("dealing"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("dealing", total=None, rate="")

        def report(done: int, asked: int) -> None:
            speed = bar.tasks[0].speed
            rate = f"{speed / 1e6:,.1f} million {unit}/s" if speed else ""
            bar.update(task, completed=done, total=asked, rate=rate)

        yield report


def simulation_document(found: Simulation) -> dict[str, object]:
    """Return a simulation in JSON."""
    return {
        "game": found.game.slug,
        "decks": found.decks,
        "coups": found.coups,
        "shoes": found.shoes,
        "seed": found.seed,
        "threads": found.threads,
        "seconds": found.seconds,
        "coups_per_second": found.coups_per_second,
        "version": found.version,
        "complete": found.complete,
        "wagers": [
            {
                "wager": result.wager.slug,
                "mean": result.mean,
                "se": result.se,
                "exact": result.exact,
                "z": result.z,
            }
            for result in found.wagers
        ],
    }


def print_simulation(found: Simulation) -> None:
    """Show a simulation on a terminal."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    out = console()
    kind = "independent" if found.shoes is None else f"{found.shoes:,} shoes"
    out.print(
        f"[bold]{found.game.name}[/bold]  {found.decks} decks  {found.coups:,} coups"
        f" ({kind})  seed {found.seed}"
    )
    if not found.complete:
        out.print("Interrupted: these are the coups dealt so far.")
    table = Table()
    table.add_column("Wager")
    for heading in ("Mean", "Standard error", "Exact", "z"):
        table.add_column(heading, justify="right")
    for result in found.wagers:
        table.add_row(
            result.wager.name,
            f"{result.mean:+.6f}",
            f"{result.se:.6f}",
            f"{result.exact:+.6f}",
            f"{result.z:+.2f}",
        )
    out.print(table)
    threads = "1 thread" if found.threads == 1 else f"{found.threads} threads"
    out.print(
        f"[dim]{found.seconds:.2f} s on {threads},"
        f" {found.coups_per_second / 1e6:,.1f} million coups a second;"
        f" version {found.version}[/dim]"
    )
