"""``croupier count``: card counting against a wager, and bankroll paths.

The JSON has these keys:

    game, rulebook, wager, decks, ev     ev as a fraction, of the full shoe
    effects    [{face, cards, wager, effect, effect_exact}]: the change of ev when one such
               card is removed
    tags       [{size, tags, correlation, balanced, break_even}]: the best whole tags of each
               size, then those given (size null); break_even is a true count
    study      trigger, tags, shoes, seed, complete, cards_behind_cut; rounds, bets, gain,
               edge, perfect_bets, perfect_gain, perfect_edge, every_round: {mean, se} by the
               shoe (edges by the bet), null where there was no bet; by_count [{count,
               rounds, ev}]
    bankroll   instead of effects, tags and study: system, trigger, rounds, patrons, seed,
               complete, profit {mean, se}, bets, staked, ruined, stopped, reached, ahead,
               largest_stake, bands [{round, q05 ... q95, mean}]
"""

from __future__ import annotations

import math
import secrets
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.output import Decks, GameName, JsonFlag, Whole, console, print_json
from croupier.odds.counting import (
    CountingError,
    RemovalEffects,
    Tags,
    Trigger,
    effects_of_removal,
    parse_tags,
)
from croupier.rulebooks import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from croupier.odds.simulate import ShoeRules
    from croupier.odds.trajectories import Trajectories
    from croupier.odds.trigger import Estimate, TriggerStudy
    from croupier.rules.game import Game

SIZES = (1, 2, 3, 4)
SEED_BITS = 48
BAND_LINES = 10


@Parameter(name="*", group="Count")
@dataclass(frozen=True)
class CountOptions:
    """Which count, and when it bets."""

    tags: Annotated[
        str | None,
        Parameter(
            help='What each rank adds when it is seen: "A=1 2=1 K=-1"; others add 0. Without'
            " them the best tags of --size are taken."
        ),
    ] = None
    size: Annotated[Whole, Parameter(help="How large the best tags may be, 1 to 9.")] = 2
    trigger: Annotated[
        float | None,
        Parameter(
            allow_leading_hyphen=True,
            help="Bet at this true count or above; without it where the expectation is"
            " estimated to be 0.",
        ),
    ] = None
    running: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="The trigger is a running count."),
    ] = False
    above: Annotated[
        float | None,
        Parameter(
            allow_leading_hyphen=True,
            help="Bet when the exact expectation is above this, without any count.",
        ),
    ] = None
    effects: Annotated[
        bool,
        Parameter(
            negative="",
            show_default=False,
            help="Show the effects of removal only; of all wagers without --wager.",
        ),
    ] = False

    @property
    def chosen(self) -> bool:
        """Tell whether any way to choose rounds was asked for."""
        return not (self.tags is None and self.trigger is None and self.above is None)


@Parameter(name="*", group="Shoes")
@dataclass(frozen=True)
class ShoeOptions:
    """How shoes are dealt."""

    shoes: Annotated[Whole, Parameter(help="Shoes to deal for the study.")] = 200
    decks: Decks = 8
    cut: Annotated[Whole, Parameter(help="Cards behind the cut card.")] = 14
    after: Annotated[
        Whole, Parameter(help="Coups after the one in which the cut card comes out.")
    ] = 1
    burn: Annotated[
        bool,
        Parameter(help="Show the first card and burn as many as it counts, unseen."),
    ] = True
    seed: Annotated[
        Whole | None, Parameter(help="Deal the same shoes again; without it any shoes.")
    ] = None

    def rules(self) -> ShoeRules:
        """Return the rules of the shoe."""
        from croupier.odds.simulate import ShoeRules  # noqa: PLC0415  # loads numba

        return ShoeRules(self.decks, self.cut, self.after, self.burn)

    def chance(self) -> int:
        """Return the seed, or take one."""
        return secrets.randbits(SEED_BITS) if self.seed is None else self.seed


@Parameter(name="*", group="Bankroll paths (with --bankroll, instead of the study)")
@dataclass(frozen=True)
class BankrollOptions:
    """How patrons bet."""

    bankroll: Annotated[
        str | None,
        Parameter(
            help="What every patron brings. Every round is bet on, unless --tags, --trigger"
            " or --above chooses them."
        ),
    ] = None
    stake: Annotated[str, Parameter(help="The base stake.")] = "1"
    system: Annotated[
        str, Parameter(help="flat, martingale, paroli, dalembert or fibonacci.")
    ] = "flat"
    maximum: Annotated[
        str | None, Parameter(help="The table maximum; without it 100 base stakes.")
    ] = None
    rounds: Annotated[Whole, Parameter(help="Rounds that every patron stays.")] = 500
    patrons: Annotated[Whole, Parameter(help="How many patrons.")] = 1000
    stop_loss: Annotated[
        str | None, Parameter(help="A patron leaves when so much is lost.")
    ] = None
    target: Annotated[
        str | None, Parameter(help="A patron leaves when the bankroll is so large.")
    ] = None


def count(
    game: GameName,
    /,
    *,
    wager: Annotated[str | None, Parameter(help="The wager to bet on.")] = None,
    count_options: CountOptions | None = None,
    shoe_options: ShoeOptions | None = None,
    bankroll_options: BankrollOptions | None = None,
    threads: Annotated[
        Whole | None, Parameter(help="Threads to use; without it all cores.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Study card counting against a wager: effects of removal, best tags, what a count earns.

    The gain is the sum of exact expectations before each coup that is bet on, not a sampled
    result. Only cards seen count; burned cards stay among those that may still come.
    """
    chosen = find_game(game)
    counting = count_options or CountOptions()
    shoes = shoe_options or ShoeOptions()
    money = bankroll_options or BankrollOptions()
    if wager is not None:
        chosen.wager(wager)
    elif not counting.effects:
        names = ", ".join(own.slug for own in chosen.wagers)
        message = f"Name the wager with --wager; {chosen.name} has {names}."
        raise CountingError(message)
    require_sense(counting, shoes, money)
    effects = effects_of_removal(chosen, decks=shoes.decks)
    if counting.effects:
        show_effects(effects, wager, as_json=json)
        return
    assert wager is not None
    own = own_tags(effects, wager, counting)
    head = head_document(effects, wager)
    if money.bankroll is not None:
        trigger = trigger_of(effects, wager, counting, own) if counting.chosen else None
        paths = run_paths(chosen, wager, trigger, shoes, money)
        if json:
            print_json({**head, "bankroll": paths_document(paths)})
        else:
            print_title(effects)
            print_paths(paths)
        return
    study = run_study(chosen, wager, trigger_of(effects, wager, counting, own), shoes, threads)
    if json:
        known = {
            "effects": effect_lines(effects, wager),
            "tags": tag_lines(effects, wager, own),
        }
        print_json({**head, **known, "study": study_document(study)})
    else:
        print_title(effects)
        print_known(effects, wager, own)
        print_study(study, effects)


def require_sense(counting: CountOptions, shoes: ShoeOptions, money: BankrollOptions) -> None:
    """Refuse options that contradict each other."""
    if counting.above is not None and (
        counting.trigger is not None or counting.tags is not None or counting.running
    ):
        message = "Give either --above, for exact expectations, or --tags and --trigger."
        raise CountingError(message)
    if counting.running and counting.trigger is None:
        message = "A running count has no trigger of its own; give --trigger."
        raise CountingError(message)
    if shoes.shoes < 1:
        message = f"{shoes.shoes} shoes were asked for; at least 1 is needed."
        raise CountingError(message)
    if money.bankroll is None and money != BankrollOptions():
        message = "Bankroll paths need --bankroll, what every patron brings."
        raise CountingError(message)


def own_tags(effects: RemovalEffects, wager: str, counting: CountOptions) -> Tags | None:
    """Return the tags that were given, else the best ones; None where no count can see."""
    if counting.tags is not None:
        assert effects.decks is not None
        return parse_tags(effects.game, counting.tags, effects.decks)
    if effects.blind(wager):
        return None
    return effects.best_tags(wager, counting.size)


def trigger_of(
    effects: RemovalEffects, wager: str, counting: CountOptions, tags: Tags | None
) -> Trigger:
    """Return the trigger that was asked for, or the best guess."""
    if counting.above is not None:
        return Trigger(counting.above)
    if tags is None:
        if counting.trigger is not None:
            effects.best_tags(wager, counting.size)
        return Trigger(0.0)
    if counting.trigger is not None:
        return Trigger(counting.trigger, tags, running=counting.running)
    even = effects.break_even(wager, tags)
    if even is None:
        message = (
            "With these tags the expectation does not rise with the count;"
            " turn their signs, or give --trigger."
        )
        raise CountingError(message)
    # A trigger that people can read; rounded up, so that it is not below break-even.
    return Trigger(math.ceil(even * 100) / 100, tags)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show progress on standard error if it is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415  # slow to load and seldom needed

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def run_study(
    game: Game, wager: str, trigger: Trigger, shoes: ShoeOptions, threads: int | None
) -> TriggerStudy:
    """Deal the shoes of the study."""
    from croupier.odds.trigger import study_trigger  # noqa: PLC0415  # loads numba

    with progress_bar("shoes") as progress:
        return study_trigger(
            game,
            wager,
            trigger,
            rules=shoes.rules(),
            shoes=shoes.shoes,
            seed=shoes.chance(),
            threads=threads,
            progress=progress,
        )


def run_paths(
    game: Game,
    wager: str,
    trigger: Trigger | None,
    shoes: ShoeOptions,
    money: BankrollOptions,
) -> Trajectories:
    """Let the patrons play."""
    from croupier.odds.trajectories import Betting, bankroll_paths  # noqa: PLC0415

    assert money.bankroll is not None
    betting = Betting(
        money.bankroll,
        money.stake,
        money.system,
        money.maximum,
        money.stop_loss,
        money.target,
        trigger,
    )
    with progress_bar("patrons") as progress:
        return bankroll_paths(
            game,
            wager,
            betting,
            rules=shoes.rules(),
            rounds=money.rounds,
            patrons=money.patrons,
            seed=shoes.chance(),
            progress=progress,
        )


# --- JSON ----------------------------------------------------------------------------------


def lines_of(columns: Mapping[str, Sequence[object]]) -> list[dict[str, object]]:
    """Turn columns into a list of lines."""
    every = zip(*columns.values(), strict=True)
    return [dict(zip(columns, line, strict=True)) for line in every]


def effect_lines(effects: RemovalEffects, wager: str | None) -> list[dict[str, object]]:
    """Return the effects on one wager or all."""
    keep = ("face", "cards", "wager", "effect", "effect_exact")
    columns = effects.to_columns()
    lines = lines_of({name: columns[name] for name in keep})
    return [line for line in lines if wager in (None, line["wager"])]


def tag_lines(effects: RemovalEffects, wager: str, own: Tags | None) -> list[dict[str, object]]:
    """Return the best tags of every size, and the own ones, with their correlation."""
    found: list[tuple[int | None, Tags]] = []
    if not effects.blind(wager):
        found = [(size, effects.best_tags(wager, size)) for size in SIZES]
    if own is not None and own not in [tags for _, tags in found]:
        found.append((None, own))
    lines: list[dict[str, object]] = []
    for size, tags in found:
        even = effects.break_even(wager, tags)
        lines.append(
            {
                "size": size,
                "tags": str(tags),
                "correlation": effects.correlation(wager, tags),
                "balanced": tags.balanced,
                "break_even": None if even is None else float(even),
            }
        )
    return lines


def head_document(effects: RemovalEffects, wager: str) -> dict[str, object]:
    """Say which game, shoe and wager this is about."""
    return {
        "game": effects.game.slug,
        "rulebook": effects.game.edition.code,
        "wager": wager,
        "decks": effects.decks,
        "ev": str(effects.ev(wager)),
    }


def estimate_document(estimate: Estimate | None) -> dict[str, float | None] | None:
    """Return a mean and its error; a single shoe has none."""
    if estimate is None:
        return None
    se = None if math.isnan(estimate.se) else estimate.se
    return {"mean": estimate.mean, "se": se}


def study_document(study: TriggerStudy) -> dict[str, object]:
    """Return the study in JSON."""
    names = "rounds bets gain edge perfect_bets perfect_gain perfect_edge every_round"
    return {
        "trigger": str(study.trigger),
        "tags": None if study.trigger.tags is None else str(study.trigger.tags),
        "shoes": study.shoes,
        "seed": study.seed,
        "complete": study.complete,
        "cards_behind_cut": study.rules.behind_cut,
        **{name: estimate_document(getattr(study, name)) for name in names.split()},
        "by_count": lines_of(study.count_columns()),
    }


def paths_document(paths: Trajectories) -> dict[str, object]:
    """Return bankroll paths in JSON."""
    from croupier.odds.trajectories import End  # noqa: PLC0415  # loads numba

    trigger = paths.betting.trigger
    return {
        "system": paths.betting.system,
        "trigger": None if trigger is None else str(trigger),
        "rounds": paths.rounds,
        "patrons": paths.patrons,
        "seed": paths.seed,
        "complete": paths.complete,
        "profit": estimate_document(paths.profit),
        "bets": float(paths.bets.mean()),
        "staked": float(paths.staked.mean()),
        "ruined": paths.ruined,
        "stopped": paths.ended(End.STOPPED),
        "reached": paths.ended(End.REACHED),
        "ahead": paths.ahead,
        "largest_stake": float(paths.largest.max()),
        "bands": lines_of(paths.to_columns()),
    }


# --- for people ----------------------------------------------------------------------------


def show_effects(effects: RemovalEffects, wager: str | None, *, as_json: bool) -> None:
    """Show the effects of removal and nothing else."""
    game = effects.game
    if as_json:
        head = {"game": game.slug, "rulebook": game.edition.code, "decks": effects.decks}
        print_json({**head, "effects": effect_lines(effects, wager)})
        return
    print_title(effects)
    print_effects(effects, [own.slug for own in game.wagers if wager in (None, own.slug)])


def print_title(effects: RemovalEffects) -> None:
    """Say which game and shoe this is about."""
    game = effects.game
    shoe = f"{effects.decks} decks, {effects.cards} cards"
    console().print(f"[bold]{game.name}[/bold]  {game.edition.code}  {shoe}")


def print_effects(effects: RemovalEffects, wagers: list[str]) -> None:
    """Show the effects of removal as a table."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    console().print("Effect of the removal of one card, in % of a stake:")
    table = Table()
    table.add_column("Card")
    table.add_column("Cards", justify="right")
    for slug in wagers:
        table.add_column(effects.game.wager(slug).name, justify="right")
    for number, face in enumerate(effects.faces):
        cells = [f"{float(100 * effects.of(slug)[number]):+.6f}" for slug in wagers]
        table.add_row(face.label, str(face.count), *cells)
    console().print(table)


def print_known(effects: RemovalEffects, wager: str, own: Tags | None) -> None:
    """Show the effects of removal and the best tags."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    out = console()
    print_effects(effects, [wager])
    lines = tag_lines(effects, wager, own)
    if effects.blind(wager):
        out.print("No card changes this wager from a full shoe, so no linear count can see it.")
    if not lines:
        return
    out.print("Tags and their betting correlation:")
    table = Table()
    for heading in ("Up to", "Tags", "Correlation", "Pays from true count"):
        table.add_column(heading, justify="left" if heading == "Tags" else "right")
    for line in lines:
        even = line["break_even"]
        table.add_row(
            "given" if line["size"] is None else str(line["size"]),
            f"{line['tags']}{'' if line['balanced'] else '  (unbalanced)'}",
            f"{line['correlation']:.4f}",
            "never" if even is None else f"{even:+.2f}",
        )
    out.print(table)


def plus_minus(estimate: Estimate | None, *, percent: bool = False) -> str:
    """Write a mean with its standard error."""
    if estimate is None:
        return "-"
    mean, se = estimate
    return f"{mean:.4%} ± {se:.4%}" if percent else f"{mean:.4f} ± {se:.4f}"


def print_study(study: TriggerStudy, effects: RemovalEffects) -> None:
    """Show what the trigger did."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    out = console()
    ended = "" if study.complete else " (interrupted)"
    out.print(f"Bets at a {study.trigger}; {study.shoes} shoes{ended}, seed {study.seed}.")
    if study.trigger.tags is not None:
        out.print(f"Tags: {study.trigger.tags}")
    out.print("By the shoe, in units of one bet:")
    table = Table()
    for heading in ("", "Bets", "Gain", "Expectation of a bet"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, bets, gain, edge in (
        ("this trigger", study.bets, study.gain, study.edge),
        ("perfect play", study.perfect_bets, study.perfect_gain, study.perfect_edge),
    ):
        table.add_row(name, plus_minus(bets), plus_minus(gain), plus_minus(edge, percent=True))
    every = plus_minus(study.every_round, percent=True)
    table.add_row("every round", plus_minus(study.rounds), "", every)
    out.print(table)
    out.print(
        f"[dim]Exact expectation before each coup, ± one standard error over shoes; the full"
        f" shoe has {float(effects.ev(study.wager)):.4%}. Perfect play bets whenever the"
        " expectation is above 0.[/dim]"
    )


def print_paths(paths: Trajectories) -> None:
    """Show bankroll paths as bands."""
    from rich.table import Table  # noqa: PLC0415  # not needed for JSON

    out = console()
    betting = paths.betting
    when = "every round" if betting.trigger is None else f"at a {betting.trigger}"
    ended = "" if paths.complete else " (interrupted)"
    out.print(
        f"{paths.patrons} patrons{ended} with {betting.bankroll}, {betting.system} from"
        f" {betting.stake}, {when}; seed {paths.seed}."
    )
    columns = paths.to_columns()
    out.print("Bankroll by quantile of the patrons:")
    table = Table()
    for name in columns:
        heading = "Round" if name == "round" else name.replace("q", "") + "%"
        table.add_column("Mean" if name == "mean" else heading, justify="right")
    lines = list(zip(*columns.values(), strict=True))
    step = max(1, (len(lines) - 1) // BAND_LINES)
    for line in [*lines[:-1:step], lines[-1]]:
        table.add_row(str(line[0]), *(f"{value:.2f}" for value in line[1:]))
    out.print(table)
    summary = paths_document(paths)
    out.print(
        f"Profit {plus_minus(paths.profit)} of {summary['staked']:.2f} staked in"
        f" {summary['bets']:.1f} bets; ahead {paths.ahead:.2%}, ruined {paths.ruined:.2%},"
        f" stopped {summary['stopped']:.2%}, target reached {summary['reached']:.2%};"
        f" largest stake {summary['largest_stake']:g}."
    )
