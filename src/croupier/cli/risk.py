"""``croupier risk``: what n rounds at flat stakes may bring, and the bankroll they take.

The JSON has these keys; amounts are cents, seen from the patron unless said otherwise:

    game, rulebook, decks, die, rounding, rounds
    stakes_cents   by wager, for one round
    round          staked_cents, mean_cents, sd_cents and edge of one round
    result         of all rounds: method (exact, fourier or normal) and error, the bound of
                   the error of every chance; mean_cents, sd_cents; ahead, level, behind
                   (chances); quantiles [{chance, cents}]; table [{from_cents, to_cents,
                   chance}]
    hold           of the house: expected; bands [{confidence, low, high, normal_low,
                   normal_high, rounds_to_exclude_zero}], shares of all that is staked
    ruin           of (patron or house); needed_cents for one more round; bankroll_cents,
                   within and ever {chance, lower, upper, method}: null without --bankroll
    required       risk; within and ever {cents, method}, cents null if none is enough

Exact up to a number of rounds that depends on the stakes (377 with Banker at 100 alone, see
:mod:`croupier.odds.rounds`); the answer says which method was used.
"""

from __future__ import annotations

import re
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
    shown_die,
)
from croupier.money import Cents, Rounding, dollars
from croupier.odds.rounds import (
    HoldBand,
    RoundDistribution,
    RoundsResult,
    StakesError,
    hold_bands,
    require_rounds,
    round_distribution,
)
from croupier.odds.ruin import Bankroll, Ruin, RuinEver, RuinMethod, RuinWithin, require_risk
from croupier.odds.tally import exact_tally
from croupier.rulebooks import find_game

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.rules.game import Game

QUANTILES = (0.01, 0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99)

AMOUNT = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")

METHOD_NAMES = {
    RuinMethod.RECURSION: "round by round",
    RuinMethod.DIFFUSION: "continuous approximation",
    RuinMethod.LUNDBERG: "Lundberg",
    RuinMethod.CERTAIN: "for certain",
}
"""How people read the methods."""


class Answer:
    """Everything that the command says, worked out once."""

    def __init__(self, one: RoundDistribution, rounds: int, *, house: bool) -> None:
        self.one = one
        self.result: RoundsResult = one.after(rounds)
        self.bands: list[HoldBand] = hold_bands(self.result)
        self.party = "house" if house else "patron"
        self.needed = (one.house if house else one).needed
        self.within = RuinWithin(one.house if house else one, rounds)
        self.ever = RuinEver(one.house if house else one)


def risk(  # noqa: PLR0913  # a command has an argument for each option
    game: GameName,
    /,
    *,
    stake: Annotated[
        list[str],
        Parameter(
            negative="", help="A stake in dollars, such as banker=100 or tie=10.50; repeat it."
        ),
    ],
    rounds: Annotated[
        Whole, Parameter(allow_leading_hyphen=True, help="How many rounds are played.")
    ],
    bankroll: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="A bankroll in dollars: its risk of ruin."),
    ] = None,
    risk: Annotated[
        float,
        Parameter(allow_leading_hyphen=True, help="The risk of ruin to find a bankroll for."),
    ] = 0.05,
    house: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="The bankroll is the house's."),
    ] = False,
    decks: Decks = 8,
    die: Annotated[
        Whole | None, Parameter(help="power-98: every round with a die that shows this.")
    ] = None,
    rounding: Annotated[
        Rounding, Parameter(help="What happens to parts of a cent that a stake wins.")
    ] = Rounding.REFUSE,
    json: JsonFlag = False,
) -> None:
    """Say what n rounds at flat stakes may bring, and the bankroll they take."""
    chosen = find_game(game)
    stakes = read_stakes(chosen, stake)
    require_rounds(rounds)
    require_risk(risk)
    one = round_distribution(exact_tally(chosen, chosen.shoe(decks), die=die), stakes, rounding)
    answer = Answer(one, rounds, house=house)
    cents = None if bankroll is None else read_bankroll(bankroll, answer)
    if json:
        document = {
            "game": chosen.slug,
            "rulebook": chosen.edition.code,
            "decks": decks,
            "die": die,
            "rounding": rounding.value,
            "rounds": rounds,
            "stakes_cents": stakes,
        }
        print_json(document | risk_document(answer, cents, risk))
        return
    print_heading(chosen, decks, die, stakes)
    if rounding is not Rounding.REFUSE:
        console().print(f"Parts of a cent are rounded {rounding.value}.")
    print_risk(answer, cents, risk)


def read_stakes(game: Game, texts: list[str]) -> dict[str, int]:
    """Read stakes such as ``banker=100``; refuse wagers that the game does not have."""
    stakes: dict[str, int] = {}
    for text in texts:
        slug, equals, amount = text.partition("=")
        if not equals:
            message = f"{text!r} is not a stake; write a wager and dollars, such as banker=100."
            raise StakesError(message)
        wager = game.wager(slug.strip()).slug
        if wager in stakes:
            message = f"The stake on {wager} came twice; give one stake for each wager."
            raise StakesError(message)
        stakes[wager] = read_amount(amount, f"The stake on {wager}")
    return stakes


def read_amount(text: str, what: str) -> Cents:
    """Read dollars, with or without cents, as more than zero cents."""
    written = AMOUNT.fullmatch(text.strip())
    cents = int(written[1]) * 100 + int((written[2] or "").ljust(2, "0")) if written else 0
    if not cents:
        message = (
            f"{what} is {text!r}; write dollars, more than zero, such as 100 or 100.50,"
            " with at most twelve digits before the point."
        )
        raise StakesError(message)
    return Cents(cents)


def read_bankroll(text: str, answer: Answer) -> Cents:
    """Read a bankroll; refuse one that does not last for one round."""
    cents = read_amount(text, "The bankroll")
    if cents < answer.needed:
        message = (
            f"A bankroll of {dollars(cents)} does not last for one round;"
            f" the {answer.party} needs {dollars(answer.needed)} for it."
        )
        raise StakesError(message)
    return cents


def risk_document(answer: Answer, bankroll: int | None, risk: float) -> dict[str, object]:
    """Return what the rounds may bring, in JSON."""
    one, result = answer.one, answer.result
    return {
        "round": {
            "staked_cents": one.staked,
            "mean_cents": float(one.mean),
            "sd_cents": one.sd,
            "edge": float(-one.mean / one.staked),
        },
        "result": {
            "method": result.method.value,
            "error": result.error,
            "mean_cents": float(result.mean),
            "sd_cents": result.sd,
            "ahead": result.ahead,
            "level": result.level,
            "behind": result.behind,
            "quantiles": [
                {"chance": chance, "cents": result.quantile(chance)} for chance in QUANTILES
            ],
            "table": [
                {"from_cents": low, "to_cents": high, "chance": chance}
                for low, high, chance in result.table()
            ],
        },
        "hold": {
            "expected": float(-one.mean / one.staked),
            "bands": [band._asdict() for band in answer.bands],
        },
        "ruin": {
            "of": answer.party,
            "needed_cents": answer.needed,
            "bankroll_cents": bankroll,
            "within": None
            if bankroll is None
            else ruin_document(answer.within.chance(bankroll)),
            "ever": None if bankroll is None else ruin_document(answer.ever.chance(bankroll)),
        },
        "required": {
            "risk": risk,
            "within": bankroll_document(answer.within.bankroll(risk)),
            "ever": bankroll_document(answer.ever.bankroll(risk)),
        },
    }


def ruin_document(ruin: Ruin) -> dict[str, object]:
    """Return a chance of ruin in JSON."""
    return {
        "chance": ruin.chance,
        "lower": ruin.lower,
        "upper": ruin.upper,
        "method": ruin.method.value,
    }


def bankroll_document(bankroll: Bankroll) -> dict[str, object]:
    """Return a required bankroll in JSON."""
    return {"cents": bankroll.cents, "method": bankroll.method.value}


def print_heading(game: Game, decks: int, die: int | None, stakes: dict[str, int]) -> None:
    """Show what is played."""
    out = console()
    out.print(f"[bold]{game.name}[/bold]  {game.edition.code}  {decks} decks")
    placed = ", ".join(f"{dollars(cents)} on {slug}" for slug, cents in stakes.items())
    out.print(f"In every round {placed}.")
    if game.die:
        out.print(f"Figures {shown_die(die)}.")


def print_risk(answer: Answer, bankroll: int | None, risk: float) -> None:
    """Show what the rounds may bring on a terminal."""
    result, out = answer.result, console()
    error = f", every chance within {result.error:.1g}" if result.error else ""
    out.print(f"\n[bold]The patron after {result.rounds:,} rounds[/bold]")
    if answer.party == "house":
        out.print("The house wins what the patron loses: its result has the other sign.")
    out.print(
        f"Expected {money(float(result.mean))}, standard deviation"
        f" {dollars(round(result.sd))};"
        f" ahead {result.ahead:.4%}, level {result.level:.4%}, behind {result.behind:.4%}."
    )
    quantiles = _figures("With a chance of", "no more than")
    for chance in QUANTILES:
        quantiles.add_row(f"{chance:.0%}", money(result.quantile(chance)))
    out.print(quantiles)
    chances = _figures("Result from", "to", "Chance")
    for low, high, chance in result.table():
        chances.add_row(money(low), money(high), f"{chance:.4%}")
    out.print(chances)
    out.print(f"[dim]Method: {result.method.value}{error}.[/dim]")
    print_hold(answer)
    print_ruin(answer, bankroll, risk)


def print_hold(answer: Answer) -> None:
    """Show the bands of hold on a terminal."""
    out = console()
    expected = float(-answer.one.mean / answer.one.staked)
    out.print(f"\n[bold]Hold of the house[/bold]: {expected:.4%} of all stakes expected")
    table = _figures("Band", "from", "to", "normal from", "to", "excludes zero after")
    for band in answer.bands:
        rounds = band.rounds_to_exclude_zero
        table.add_row(
            f"{band.confidence:.0%}",
            f"{band.low:.4%}",
            f"{band.high:.4%}",
            f"{band.normal_low:.4%}",
            f"{band.normal_high:.4%}",
            "never" if rounds is None else f"{rounds:,} rounds",
        )
    out.print(table)


def print_ruin(answer: Answer, bankroll: int | None, risk: float) -> None:
    """Show risk of ruin and required bankroll on a terminal."""
    out, rounds = console(), f"within {answer.result.rounds:,} rounds"
    needed = f"less than the {dollars(answer.needed)} that one more round needs"
    out.print(f"\n[bold]Ruin of the {answer.party}[/bold]: {needed}")
    table = _figures("", rounds, "method", "ever", "method")
    if bankroll is not None:
        within, ever = answer.within.chance(bankroll), answer.ever.chance(bankroll)
        table.add_row(
            f"Risk with {dollars(bankroll)}",
            chance_text(within),
            METHOD_NAMES[within.method],
            chance_text(ever),
            METHOD_NAMES[ever.method],
        )
    enough, always = answer.within.bankroll(risk), answer.ever.bankroll(risk)
    table.add_row(
        f"Bankroll for a risk of {risk:g}",
        bankroll_text(enough),
        METHOD_NAMES[enough.method],
        bankroll_text(always),
        METHOD_NAMES[always.method],
    )
    out.print(table)


def chance_text(ruin: Ruin) -> str:
    """Write a chance of ruin, with its bounds where they are apart."""
    text = f"{ruin.chance:.4%}"
    apart = f"{ruin.lower:.4%} to {ruin.upper:.4%}"
    return text if apart == f"{text} to {text}" else f"{text} ({apart})"


def bankroll_text(bankroll: Bankroll) -> str:
    """Write a required bankroll."""
    return "none is enough" if bankroll.cents is None else dollars(bankroll.cents)


def money(cents: float) -> str:
    """Write an amount, to the nearest cent, as dollars with its sign."""
    return f"{'+' * (round(cents) > 0)}{dollars(round(cents))}"


def _figures(first: str, *headings: str) -> Table:
    """Return a table whose columns, but the first, are aligned to the right."""
    return new_table(first, *headings, right=headings)
