"""``croupier simulate``: deal shoes or independent coups, and compare with the exact odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import (
    Decks,
    GameName,
    JsonFlag,
    Whole,
    console,
    new_table,
    print_json,
    progress_bar,
    rate_text,
    say_compiling,
)
from croupier.rulebooks import find_game
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.odds.simulate import ShoeRules, Simulation
    from croupier.rules.game import Game

COUPS = 10_000_000
"""What is dealt when nothing else is asked for."""

BehindCut = Annotated[
    Whole | None,
    Parameter(
        help="Cards behind the cut card. Without it 14 by common practice; the rulebooks"
        " are silent (reading A14)."
    ),
]
AfterCut = Annotated[
    Whole | None,
    Parameter(
        help="Coups after the one in which the cut card comes out. Without it 1 by common"
        " practice; the rulebooks are silent (reading A14)."
    ),
]
Burn = Annotated[
    bool | None,
    Parameter(
        help="Burn as many cards as the first card counts, or none. Without it burn by"
        " common practice; the rulebooks are silent (reading A15)."
    ),
]


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
        Parameter(
            negative="",
            show_default=False,
            help="Coups from full shoes, drawn at once from the exact chances.",
        ),
    ] = False,
    behind_cut: BehindCut = None,
    after_cut: AfterCut = None,
    burn: Burn = None,
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
    say_compiling()
    if coups is None and shoes is None:
        coups = COUPS
    elif coups is not None and shoes is not None:
        message = "Give either --coups or --shoes."
        raise RulesError(message)
    shoe = {"behind_cut": behind_cut, "after_cut": after_cut, "burn": burn}
    if independent:
        elsewhere = {"workers": workers, "scheduler": scheduler}
        _refuse_with_independent({"shoes": shoes, **elsewhere, **shoe})
        found = draw(chosen, coups or 0, decks, seed, threads)
    else:
        rules = shoe_rules(decks, shoe)
        found = deal(chosen, (coups, shoes), rules, seed, threads, (scheduler, workers))
    if json:
        print_json(simulation_document(found))
    else:
        print_simulation(found)


def _refuse_with_independent(given: dict[str, object]) -> None:
    """Refuse options of real shoes for independent coups."""
    for name, value in given.items():
        if value is not None:
            option = ("no-" if value is False else "") + name.replace("_", "-")
            message = (
                f"Give either --independent or --{option}:"
                " independent coups are one draw, each from a full shoe."
            )
            raise RulesError(message)


def shoe_rules(decks: int, given: dict[str, int | None]) -> ShoeRules:
    """Return how to deal, as the library does where an option is not given."""
    from croupier.odds.simulate import ShoeRules  # noqa: PLC0415  # loads numba

    return ShoeRules(
        decks,
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]  # a flag too
    )


def draw(
    game: Game, coups: int, decks: int, seed: int | None, threads: int | None
) -> Simulation:
    """Draw independent coups; a number of threads must be possible, but one is enough."""
    from croupier.odds.exact import thread_count  # noqa: PLC0415  # loads numba
    from croupier.odds.simulate import simulate_independent  # noqa: PLC0415  # loads numba

    thread_count(threads)
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
    out = console()
    kind = "independent" if found.shoes is None else plural(found.shoes, "shoe")
    out.print(
        f"[bold]{found.game.name}[/bold]  {plural(found.decks, 'deck')}"
        f"  {plural(found.coups, 'coup')} ({kind})  seed {found.seed}"
    )
    if not found.complete:
        out.print("Interrupted: these are the coups dealt so far.")
    figures = ("Mean", "Standard error", "Exact", "z")
    table = new_table("Wager", *figures, right=figures)
    for result in found.wagers:
        table.add_row(
            result.wager.name,
            f"{result.mean:+.6f}",
            f"{result.se:.6f}",
            f"{result.exact:+.6f}",
            f"{result.z:+.2f}",
        )
    out.print(table)
    if found.shoes is None:
        how = "drawn at once from the exact chances: no card was dealt"
    else:
        rate = rate_text(found.coups_per_second, "coups")
        how = f"{found.seconds:.2f} s on {plural(found.threads, 'core')}, {rate}"
    out.print(f"[dim]{how}; version {found.version}[/dim]")


def plural(count: int, noun: str) -> str:
    """Write a count and its noun.

    >>> plural(1, "shoe"), plural(2000, "coup")
    ('1 shoe', '2,000 coups')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
