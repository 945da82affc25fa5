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
from dataclasses import dataclass, fields
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
    say_compiling,
)
from croupier.odds.counting import (
    CountingError,
    RemovalEffects,
    Tags,
    Trigger,
    effects_of_removal,
    parse_tags,
    read_number,
)
from croupier.rulebooks import find_game
from croupier.rules.errors import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.odds.simulate import ShoeRules
    from croupier.odds.trajectories import Trajectories
    from croupier.odds.trigger import Estimate, TriggerStudy
    from croupier.rules.game import Game

SIZES = (1, 2, 3, 4)
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
        str | None,
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
        str | None,
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
    behind_cut: Annotated[Whole, Parameter(help="Cards behind the cut card.")] = 14
    after_cut: Annotated[
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

        return ShoeRules(self.decks, self.behind_cut, self.after_cut, self.burn)

    def chance(self) -> int:
        """Return the seed, or take one."""
        from croupier.odds.simulate import required_seed  # noqa: PLC0415  # loads numba

        return required_seed(self.seed)


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
    rounds: Annotated[Whole, Parameter(help="Rounds of each patron, 100,000 at most.")] = 500
    patrons: Annotated[Whole, Parameter(help="How many patrons, 1,000,000 at most.")] = 1000
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
    say_compiling()
    counting = count_options or CountOptions()
    shoes = shoe_options or ShoeOptions()
    money = bankroll_options or BankrollOptions()
    if wager is not None:
        chosen.wager(wager)
    elif not counting.effects:
        names = ", ".join(own.slug for own in chosen.wagers)
        message = f"Name the wager with --wager; {chosen.name} has {names}."
        raise CountingError(message)
    require_sense(counting, shoes, money, threads)
    effects = effects_of_removal(chosen, decks=shoes.decks)
    if counting.effects:
        show_effects(effects, wager, as_json=json)
        return
    assert wager is not None
    own = own_tags(effects, wager, counting)
    head = head_document(effects, wager)
    if money.bankroll is not None:
        trigger = trigger_of(effects, wager, counting, own) if counting.chosen else None
        paths = run_paths(chosen, wager, trigger, (shoes, money), threads)
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


def given_options(*groups: CountOptions | ShoeOptions | BankrollOptions) -> list[str]:
    """Return the options that are not as they are by default, as they are written."""
    return [
        f"--{'no-' * (field.default is True)}{field.name.replace('_', '-')}"
        for group in groups
        for field in fields(group)
        if getattr(group, field.name) != field.default
    ]


def refuse_idle(idle: list[str], why: str) -> None:
    """Refuse options that would change nothing."""
    if idle:
        has = "has" if len(idle) == 1 else "have"
        message = f"{listed(idle)} {has} no effect {why}."
        raise CountingError(message)


def require_sense(
    counting: CountOptions, shoes: ShoeOptions, money: BankrollOptions, threads: int | None
) -> None:
    """Refuse options that contradict each other, or that would change nothing."""
    given = given_options(counting, shoes, money) + ["--threads"] * (threads is not None)
    if counting.effects:
        idle = [option for option in given if option not in ("--effects", "--decks")]
        refuse_idle(idle, "with --effects, which shows the effects of removal only")
    exact = counting.above is not None
    if exact and (counting.trigger, counting.tags, counting.running) != (None, None, False):
        message = "Give either --above, for exact expectations, or --tags and --trigger."
        raise CountingError(message)
    if counting.running and counting.trigger is None:
        message = "A running count has no trigger of its own; give --trigger."
        raise CountingError(message)
    size = [option for option in given if option == "--size"]
    if exact or counting.tags is not None:
        refuse_idle(size, "with --tags or --above: it is for the best tags")
    if money.bankroll is None:
        refuse_idle(given_options(money), "without --bankroll, what every patron brings")
        return
    if "--shoes" in given:
        refuse_idle(["--shoes"], "with --bankroll: patrons play so many --rounds")
    if not exact and threads is not None:
        refuse_idle(["--threads"], "with --bankroll, unless it comes with --above")
    if not counting.chosen:
        refuse_idle(size, "with --bankroll, unless --trigger chooses the rounds")


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
        return Trigger(float(read_number(counting.above, "--above")))
    if tags is None:
        if counting.trigger is not None:
            effects.best_tags(wager, counting.size)
        return Trigger(0.0)
    if counting.trigger is not None:
        at = float(read_number(counting.trigger, "--trigger"))
        return Trigger(at, tags, running=counting.running)
    even = effects.break_even(wager, tags)
    if even is None:
        message = (
            "With these tags the expectation does not rise with the count;"
            " turn their signs, or give --trigger."
        )
        raise CountingError(message)
    # A trigger that people can read; rounded up, so that it is not below break-even.
    return Trigger(math.ceil(even * 100) / 100, tags)


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
    options: tuple[ShoeOptions, BankrollOptions],
    threads: int | None,
) -> Trajectories:
    """Let the patrons play."""
    from croupier.odds.trajectories import Betting, bankroll_paths  # noqa: PLC0415

    shoes, money = options
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
            threads=threads,
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


FACES_WIDTH = 20
EFFECT_WIDTH = 13
"""Letters that the columns of the cards, and of each wager, take at most."""


def print_title(effects: RemovalEffects) -> None:
    """Say which game and shoe this is about."""
    game = effects.game
    shoe = f"{effects.decks} decks, {effects.cards} cards"
    console().print(f"[bold]{game.name}[/bold]  {game.edition.code}  {shoe}")


def print_effects(effects: RemovalEffects, wagers: list[str]) -> None:
    """Show the effects of removal as a table."""
    out = console()
    out.print("Effect of the removal of one card, in % of a stake:")
    fit = max(1, (out.width - FACES_WIDTH) // EFFECT_WIDTH)
    for first in range(0, len(wagers), fit):
        shown = wagers[first : first + fit]
        names = [effects.game.wager(slug).name for slug in shown]
        table = new_table("Card", "Cards", *names, right=("Cards", *names))
        for number, face in enumerate(effects.faces):
            cells = [f"{float(100 * effects.of(slug)[number]):+.6f}" for slug in shown]
            table.add_row(face.label, str(face.count), *cells)
        out.print(table)


def print_known(effects: RemovalEffects, wager: str, own: Tags | None) -> None:
    """Show the effects of removal and the best tags."""
    out = console()
    print_effects(effects, [wager])
    lines = tag_lines(effects, wager, own)
    if effects.blind(wager):
        out.print("No card changes this wager from a full shoe, so no linear count can see it.")
    if not lines:
        return
    out.print("Tags and their betting correlation:")
    right = ("Up to", "Correlation", "Pays from true count")
    table = new_table("Up to", "Tags", *right[1:], right=right)
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
    """Write a mean with its standard error, which one shoe or patron does not tell."""
    if estimate is None:
        return "-"
    digits = ".4%" if percent else ".4f"
    mean, se = estimate
    return f"{mean:{digits}} ± {'unknown' if math.isnan(se) else format(se, digits)}"


def when(trigger: Trigger | None) -> str:
    """Say when bets are made."""
    if trigger is None:
        return "every round"
    return f"at {'an' if trigger.tags is None else 'a'} {trigger}"


def counted(number: int, noun: str) -> str:
    """Write how many there are: one without a plural."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def print_study(study: TriggerStudy, effects: RemovalEffects) -> None:
    """Show what the trigger did."""
    out = console()
    shoes = counted(study.shoes, "shoe") + " (interrupted)" * (not study.complete)
    out.print(f"Bets {when(study.trigger)}; {shoes}, seed {study.seed}.")
    if study.trigger.tags is not None:
        out.print(f"Tags: {study.trigger.tags}")
    out.print("By the shoe, in units of one bet:")
    figures = ("Bets", "Gain", "Expectation of a bet")
    table = new_table("", *figures, right=figures)
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
    out = console()
    betting = paths.betting
    patrons = counted(paths.patrons, "patron") + " (interrupted)" * (not paths.complete)
    out.print(
        f"{patrons} with {betting.bankroll}, {betting.system} from {betting.stake},"
        f" {when(betting.trigger)}; seed {paths.seed}."
    )
    columns = paths.to_columns()
    out.print("Bankroll by quantile of the patrons:")
    plain = {"round": "Round", "mean": "Mean"}
    headings = [plain.get(name) or f"{int(name.removeprefix('q'))}%" for name in columns]
    table = new_table(*headings, right=headings)
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
