"""``croupier play``: play a script and compare it, or play at a table of your own."""

from __future__ import annotations

import json as json_text
import random
import secrets
import sys
from difflib import get_close_matches
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from croupier.cli.output import (
    Decks,
    JsonFlag,
    Whole,
    card_markup,
    console,
    new_table,
    standard_input,
)
from croupier.cli.roads import roads
from croupier.money import dollars
from croupier.playthrough import YOU, House, Step, play_script
from croupier.playthrough.asking import QUESTIONS
from croupier.playthrough.lines import read_amount
from croupier.playthrough.telling import signed
from croupier.playthrough.verbs import VERBS
from croupier.rules.errors import RulesError, cited, listed, quoted
from croupier.table import events as e
from croupier.table.state import HoldKind, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import Console

    from croupier.playthrough import Answer, Played
    from croupier.rules.coup import Hand
    from croupier.table.state import Table

PROMPT = "> "
SEEDS = 2**32
HELP = """\
bet WAGER AMOUNT   put credit on a wager, as in: bet player 50
deal               close the bets, deal the coup and settle it
draw               deal one card only
wagers             list the wagers with what they pay
clear              take your stakes back while bets are open
credit, stakes, cards, balance, show, shoe, decided
                   ask how things stand
roads              draw the roads of this shoe
quit               leave the table
Everything else is the language of playthroughs, and you are the patron `you`:
help VERB          show how a verb is written
"""
ANSWERS = {
    HoldKind.REPORT: "`confirm with=pit_supervisor`, or `dismiss reason=...`",
    HoldKind.BALANCE: "`lower`, `raise`, or `ask` and `take off`",
    HoldKind.WITHDRAWAL: "`withdraw you` or `keep you`, then `resume`",
    HoldKind.ORDER: "`order CARD CARD with=pit_supervisor`",
    HoldKind.RESET: "`reset with=pit_supervisor`",
    HoldKind.RESERVE: "`reserve` with two cards",
    HoldKind.SORT: "`sort missing=` with the cards that are gone",
    HoldKind.SUBSTITUTE: "`substitute` with the missing cards",
    HoldKind.REFERRAL: "`decide continue reason=...`, or `void` with=pit_supervisor",
}
"""How each kind of hold is answered."""


def play(
    script: Annotated[
        Path | None,
        Parameter(
            name="SCRIPT",
            help="A playthrough; - is standard input.",
            allow_leading_hyphen=True,
        ),
    ] = None,
    /,
    *,
    game: Annotated[
        str | None, Parameter(help="Play this game at a table of your own; see `games`.")
    ] = None,
    seed: Annotated[
        Whole | None, Parameter(help="A number from 0; the same seed shuffles the same shoe.")
    ] = None,
    decks: Decks = 8,
    credit: Annotated[
        str, Parameter(help="How many dollars you bring to the table.")
    ] = "1,000.00",
    json: JsonFlag = False,
) -> int:
    """Play a playthrough and compare its results, or play a game line by line."""
    if (script is None) == (game is None):
        message = "Name a script to play, or a game, as in `croupier play --game baccarat`."
        raise RulesError(message)
    if script is not None:
        if str(script).startswith("-") and str(script) != "-":
            message = f"{quoted(str(script))} is no option; `croupier play --help` lists them."
            raise RulesError(message)
        return play_file(script, as_json=json)
    assert game is not None
    if seed is not None and seed < 0:
        message = f"A seed of {seed} came; a seed is 0 or more."
        raise RulesError(message)
    cents = read_amount(credit)
    if cents <= 0:
        message = f"A credit of {credit} came; bring something above zero."
        raise RulesError(message)
    chance = random.Random(  # noqa: S311  # a game for fun that can be repeated
        secrets.randbelow(SEEDS) if seed is None else seed
    )
    house = House(game, chance.randrange, decks=decks, credit_cents=cents)
    return JsonSeat(house).sit() if json else Seat(house).sit()


# Scripts


def play_file(path: Path, *, as_json: bool) -> int:
    """Play a script; return 1 when something differs from what it says."""
    if str(path) == "-":
        text = standard_input().read()
    else:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    asked, wrong = 0, 0
    show = print_document if as_json else print_played
    for played in play_script(text):
        asked += played.line.asks
        wrong += not played.ok
        show(played)
    if not as_json:
        lines = "1 line" if asked == 1 else f"{asked} lines"
        say(f"{lines}, {wrong or 'none'} {'differs' if wrong == 1 else 'differ'}")
    return 1 if wrong else 0


def print_document(played: Played) -> None:
    """Print what a line of a script led to as one JSON object."""
    line = played.line
    if not line.asks:
        return
    document = {
        "line": line.number,
        "text": line.text,
        "ok": played.ok,
        "expected": line.expected,
        **answer_document(played.result, played.answer),
    }
    sys.stdout.write(json_text.dumps(document) + "\n")


def answer_document(result: str, answer: Answer | None) -> dict[str, object]:
    """Return what a line led to in JSON."""
    return {
        "result": result,
        "sentence": answer.sentence if answer else None,
        "events": [msgspec.to_builtins(event) for event in answer.events] if answer else [],
    }


def print_played(played: Played) -> None:
    """Print a line of a script with its result, and what was expected where it differs."""
    line, answer = played.line, played.answer
    say(played.written, style=None if played.ok else "red")
    if not line.asks:
        return
    if answer is None:
        say(f"  ! {played.result}", style="red")
    elif answer.sentence is not None and line.sentence is None:
        say(f"  | {answer.sentence}", style="dim")
    if not played.ok:
        say(f"  ! expected: {line.expected or 'no result'}", style="red")
        if line.sentence is not None:
            say(f"  ! expected: | {line.sentence}", style="red")


def say(text: str, style: str | None = None) -> None:
    """Print a line as it is: brackets are clauses here, and nothing is folded."""
    console().print(text, style=style, markup=False, soft_wrap=True)


# A table of one's own


class Seat:
    """Somebody at a table of their own: lines come in, answers go out."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.out: Console = console()

    @property
    def table(self) -> Table:
        """Return the table as it is now."""
        return self.house.table

    def sit(self) -> int:
        """Play until somebody quits or nothing more comes."""
        self.begin()
        self.welcome()
        for line in typed():
            if line in ("quit", "exit"):
                break
            try:
                self.answer(line)
            except RulesError as error:
                say(str(error), style="yellow")
            if not self.here:
                break
            self.hint()
        self.leave()
        return 0

    @property
    def here(self) -> bool:
        """Tell whether the table is open and somebody sits at it."""
        return self.table.plan is not None and YOU in self.table.seats

    def begin(self) -> list[Step]:
        """Open the table, or refuse what it cannot be opened with."""
        steps = list(self.house.begin())
        refusal = steps[-1].answer.sentence
        if refusal is not None:
            raise RulesError(refusal)
        return steps

    def welcome(self) -> None:
        """Say how to play."""
        game = self.house.game
        self.out.rule(f"[bold]{game.name}[/bold]", align="left")
        held = dollars(self.table.credits[YOU])
        say(f"You sit at a table of {game.edition} with {held}. `help` lists the commands.")
        self.hint()

    def leave(self) -> None:
        """Say what is left, and draw the roads."""
        if self.table.plan is not None and self.table.results:
            self.roads([])
        staked = self.table.staked(YOU) if not self.table.between_rounds else 0
        in_play = f", and {dollars(staked)} stay in play" if staked else ""
        if self.here:
            say(f"You leave with {dollars(self.table.credits[YOU])}{in_play}.")

    def answer(self, line: str) -> None:
        """Do what a line asks for."""
        words = line.split()
        if not words:
            return
        own = self.commands().get(words[0])
        if own is not None:
            own(words[1:])
        else:
            self.require_verb(words)
            self.tell(self.one(f"credit {YOU}" if line == "credit" else line))

    def require_verb(self, words: list[str]) -> None:
        """Refuse what is no command, with those that look like it."""
        known = {*self.commands(), *VERBS, *QUESTIONS, "game", "quit"}
        if words[0] in known or " ".join(words[:2]) in known:
            return
        near = [f"`{name}`" for name in get_close_matches(words[0], sorted(known))]
        meant = f"did you mean {listed(near, 'or')}? " if near else ""
        message = f"{quoted(words[0])} is no command; {meant}`help` lists them."
        raise RulesError(message)

    def commands(self) -> dict[str, Callable[[list[str]], None]]:
        """Return what is no line of the language."""
        return {
            "help": self.help,
            "bet": self.bet,
            "deal": self.deal,
            "clear": self.clear,
            "wagers": self.wagers,
            "roads": self.roads,
        }

    def hint(self) -> None:
        """Say what can be done next."""
        say(next_hint(self.table), style="dim")

    # What a beginner types

    def help(self, words: list[str]) -> None:
        """List the commands, or show how one verb is written."""
        if not words:
            say(HELP)
            say(f"The verbs are {', '.join(sorted({*VERBS, *QUESTIONS}))}.")
            return
        start = " ".join(words)
        found = [verb.syntax for name, verb in VERBS.items() if name.startswith(start)]
        found += [syntax for name, (syntax, _) in QUESTIONS.items() if name.startswith(start)]
        if not found:
            message = f"There is no verb {quoted(start)}; `help` lists them."
            raise RulesError(message)
        for syntax in found:
            say(syntax)

    def bet(self, words: list[str]) -> None:
        """Put credit on a wager; bets are called for first where they are not open."""
        if len(words) != len(("wager", "amount")):
            message = "Say which wager and how much, as in: bet player 50."
            raise RulesError(message)
        wager, amount = words if not words[0][:1].isdigit() else reversed(words)
        offered = self.table.plan.offered if self.table.plan else {}
        if wager not in offered:
            message = f"{quoted(wager)} is no wager here; the wagers are"
            message += f" {listed(list(offered))}."
            raise RulesError(message)
        read_amount(amount)
        if self.table.between_rounds:
            self.tell(self.house.open(), brief=True)
        self.tell(self.one(f"place {YOU} {wager} {amount}"))

    def deal(self, words: list[str]) -> None:
        """Play the round to its end."""
        alone(words)
        self.tell(self.house.deal(), brief=True)

    def clear(self, words: list[str]) -> None:
        """Take all stakes back; those that others need go last."""
        alone(words)
        stakes = [stake for stake in self.table.stakes if stake.share(YOU) is not None]
        if not stakes:
            message = "You have no stake on the table."
            raise RulesError(message)
        for stake in reversed(stakes):
            self.tell(self.one(f"remove {YOU} stake={stake.number}"))

    def one(self, line: str) -> Iterator[Step]:
        """Play one line of the language."""
        yield Step(line, self.house.session.play(line))

    def wagers(self, words: list[str]) -> None:
        """List the wagers that are offered, with what they pay."""
        alone(words)
        plan = self.table.plan
        assert plan is not None
        table = new_table("Wager", "Row", "Pays", "Clause")
        for wager in plan.offered.values():
            for place, row in enumerate(wager.rows):
                name = wager.slug if place == 0 else ""
                table.add_row(name, row.label, row.pays.text, cited(row.clause))
        self.out.print(table)

    def roads(self, words: list[str]) -> None:
        """Draw the roads of this shoe."""
        alone(words)
        roads(outcomes=outcomes(self.table))

    # What is shown

    def tell(self, steps: Iterable[Step], *, brief: bool = False) -> None:
        """Show what happened: hands as cards, the pay list as a table, the rest as text.

        In brief what the hands and the hint show anyway is left out.
        """
        for step in steps:
            answer = step.answer
            over = any(isinstance(event, e.OutcomeAnnounced) for event in answer.events)
            if over:
                self.show_hands()
            settled = [one for one in answer.events if isinstance(one, e.WagersSettled)]
            if settled:
                self.show_payment(settled[0])
            elif answer.refusal is None and not (over or (brief and is_quiet(answer))):
                say(answer.result)
            if answer.sentence is not None:
                say(answer.sentence, style="yellow")

    def show_hands(self) -> None:
        """Draw the cards of both hands with their totals, and name the winner."""
        play = self.table.round
        assert play is not None
        if play.coup is None or play.outcome is None:
            return
        for hand in (play.coup.player, play.coup.banker):
            self.show_hand(hand)
        winner = play.outcome[2]
        power = "  Power hand" if play.power else ""
        self.out.print(
            f"[bold]{f'{winner.value.title()} wins' if winner else 'Tie'}[/bold]{power}"
        )

    def show_hand(self, hand: Hand) -> None:
        """Draw the cards of one hand side by side."""
        widths = [len(card.text) for card in hand.cards]
        natural = "  natural" if hand.natural else ""
        self.out.print("  ".join(f"+-{'-' * width}-+" for width in widths))
        faces = "  ".join(f"| {card_markup(card)} |" for card in hand.cards)
        self.out.print(f"{faces}   {hand.side.value.title()} {hand.points}{natural}")
        self.out.print("  ".join(f"+-{'-' * width}-+" for width in widths))

    def show_payment(self, event: e.WagersSettled) -> None:
        """Show the pay list, and what is left."""
        if not event.lines:
            say("You had nothing in play.")
            return
        table = new_table("Wager", "Stake", "Result", "Pays", "Won", "Clause", right=("Stake",))
        styles = {"wins": "green", "pushes": "yellow", "loses": "dim"}
        for line in event.lines:
            table.add_row(
                line.wager,
                dollars(line.cents),
                line.result,
                line.pays or "",
                signed(line.won_cents),
                cited(line.clause or ""),
                style=styles[line.result],
            )
        self.out.print(table)
        won = sum(line.won_cents for line in event.lines)
        say(f"{signed(won)}; you have {dollars(self.table.credits[YOU])}.")


class JsonSeat(Seat):
    """A seat for programs: one JSON object for every line that is played."""

    number = 0
    wrong = 0

    def commands(self) -> dict[str, Callable[[list[str]], None]]:
        """Return only what plays; the rest is for people."""
        return {"bet": self.bet, "deal": self.deal, "clear": self.clear}

    def sit(self) -> int:
        """Play all lines that come; return 1 when one was refused or not understood."""
        self.tell(self.begin())
        for self.number, line in enumerate(typed(), start=1):
            if line in ("quit", "exit"):
                break
            try:
                self.answer(line)
            except RulesError as error:
                self.write(line, f"not understood: {error}", None)
        return 1 if self.wrong else 0

    def tell(self, steps: Iterable[Step], *, brief: bool = False) -> None:  # noqa: ARG002
        """Write what each line led to; programs want all of it."""
        for step in steps:
            self.write(step.line, step.answer.result, step.answer)

    def write(self, text: str, result: str, answer: Answer | None) -> None:
        """Write one line and its answer."""
        ok = answer is not None and answer.refusal is None
        self.wrong += not ok
        document = {"line": self.number, "text": text, "ok": ok}
        sys.stdout.write(json_text.dumps(document | answer_document(result, answer)) + "\n")


def typed() -> Iterator[str]:
    """Yield what is typed, behind a prompt; lines of a pipe come without one."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield from (line.strip() for line in standard_input())
        return
    while True:
        try:
            yield input(PROMPT).strip()
        except EOFError:
            sys.stdout.write("\n")
            return


QUIET = (
    e.BetsOpened,
    e.BetsClosed,
    e.CardDrawn,
    e.CardExposed,
    e.TotalsAnnounced,
    e.OutcomeAnnounced,
    e.DieShaken,
    e.ShakerPassed,
    e.ShakeConfirmed,
    e.ShakerOpened,
    e.PaymentConfirmed,
    e.RoundClosed,
)
"""What a drawing of the hands, or the hint that follows, says better."""


def is_quiet(answer: Answer) -> bool:
    """Tell whether all that happened is shown in another way."""
    return bool(answer.events) and all(isinstance(event, QUIET) for event in answer.events)


def alone(words: list[str]) -> None:
    """Refuse words behind a command that takes none."""
    if words:
        message = f"{quoted(words[0])} means nothing here; this command stands alone."
        raise RulesError(message)


def outcomes(table: Table) -> str:
    """Write the coups of this shoe as roads read them; void rounds are not part of it."""
    plan = table.plan
    assert plan is not None
    written = []
    for result in table.results:
        if not result.void:
            settlement = plan.game.settle(" ".join(result.cards), die=result.die)
            seen, winner = settlement.outcome, settlement.winner
            pairs = "+pp" * (seen.player.pair > 0) + "+bp" * (seen.banker.pair > 0)
            written.append((winner.value[0].upper() if winner else "T") + pairs)
    return " ".join(written)


def next_hint(table: Table) -> str:
    """Say what can be done next at a table."""
    if table.hold is not None:
        return f"The round waits for its {table.hold.kind.value}: {ANSWERS[table.hold.kind]}."
    if table.between_rounds:
        return "The round is over. Bet again, as in `bet player 50`, or `quit`."
    if table.phase is not Phase.OPEN:
        return _hint_in_round(table)
    if table.staked(YOU):
        return f"{dollars(table.staked(YOU))} in play. Bet more, or `deal`."
    return "Place your bets, as in `bet player 50`; then `deal`. `wagers` lists them all."


def _hint_in_round(table: Table) -> str:
    play, plan = table.round, table.plan
    assert play is not None
    assert plan is not None
    if plan.procedure.shake is not None and play.die is None:
        return "The die comes before the cards: `deal` shakes it and plays on."
    if play.coup is not None and play.coup.complete and play.cards:
        return "The coup is complete: `deal` settles it."
    return "The round goes on: `deal` plays it to its end, `draw` deals one card."
