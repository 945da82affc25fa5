"""A seat at a table of one's own: lines come in, answers go out, for people or programs."""

from __future__ import annotations

import json as json_text
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING

import msgspec

from croupier.cli.output import card_markup, console, new_table, standard_input
from croupier.cli.roads import roads
from croupier.money import dollars
from croupier.playthrough import YOU, House, Step
from croupier.playthrough.asking import QUESTIONS
from croupier.playthrough.hints import (
    OWN_WORDS,
    help_text,
    in_small_letters,
    is_quiet,
    next_hint,
    no_power,
    outcomes,
)
from croupier.playthrough.lines import read_amount
from croupier.playthrough.telling import signed
from croupier.playthrough.verbs import VERBS
from croupier.rules.errors import RulesError, cited, listed, quoted
from croupier.table import events as e
from croupier.table.next import WaitFor, next_act
from croupier.table.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import Console
    from rich.table import Table as RichTable

    from croupier.cli.kept import KeptTable
    from croupier.playthrough import Answer
    from croupier.rules.coup import Hand
    from croupier.table.state import Table

PROMPT = "> "
ROADS_FROM = 5
"""How many rounds somebody has played who sees the roads without asking."""


def say(text: str, style: str | None = None) -> None:
    """Print a line as it is: brackets are clauses here, and nothing is folded."""
    console().print(text, style=style, markup=False, soft_wrap=True)


def answer_document(result: str, answer: Answer | None) -> dict[str, object]:
    """Return what a line led to in JSON."""
    return {
        "result": result,
        "sentence": answer.sentence if answer else None,
        "events": [msgspec.to_builtins(event) for event in answer.events] if answer else [],
    }


class Seat:
    """Somebody at a table of their own: lines come in, answers go out."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.kept: KeptTable | None = None
        """Where everything is kept; None: nothing outlives the visit."""
        self.out: Console = console()
        self.number = 0
        """How many lines were typed."""
        self.line = ""
        """What was typed last."""
        self.done = False
        """Whether somebody wants to leave."""

    @property
    def table(self) -> Table:
        """Return the table as it is now."""
        return self.house.table

    def sit(self) -> int:
        """Play until somebody quits or nothing more comes."""
        self.begin()
        self.welcome()
        try:
            self.listen()
        except KeyboardInterrupt:
            say("")
            self.leave()
            raise
        self.leave()
        return 0

    def listen(self) -> None:
        """Answer lines until somebody leaves or nothing more comes."""
        for line in typed():
            self.number += 1
            self.hear(line)
            if self.done or not self.here:
                return
            self.hint()

    def hear(self, line: str) -> None:
        """Answer a line; what cannot be done gets a sentence."""
        try:
            self.answer(line)
        except RulesError as error:
            say(str(error), style="yellow")

    @property
    def here(self) -> bool:
        """Tell whether the table is open and somebody sits at it."""
        return self.table.plan is not None and YOU in self.table.seats

    def begin(self) -> list[Step]:
        """Open the table, or refuse what it cannot be opened with."""
        steps = list(self.house.begin())
        for step in steps:
            if step.answer.sentence is not None:
                raise RulesError(step.answer.sentence)
        came = None if self.kept is None else self.kept.bring()
        if self.kept is not None and came is not None:
            self.house.session.table = self.kept.table
            sys.stderr.write(f"{came}\n")
        return steps

    def welcome(self) -> None:
        """Say how to play."""
        game = self.house.game
        self.out.rule(f"[bold]{game.name}[/bold]", align="left")
        held = dollars(self.table.credits[YOU])
        say(f"You sit at a table of {game.edition} with {held}. `help` lists the commands.")
        self.hint()

    def leave(self) -> None:
        """Draw the roads of a longer visit, take back what can be, and say what is left."""
        if self.table.plan is not None and len(self.table.results) >= ROADS_FROM:
            self.roads([])
        self.part()

    def part(self) -> None:
        """Take back what can be, and say what is left; what is kept is not left half done."""
        if self.here and self.table.phase is Phase.OPEN:
            self.tell(self.taken_back())
        if self.kept is not None:
            self.end_round()
        if self.here:
            self.show("quit", self.goodbye())

    def end_round(self) -> None:
        """Let the house deal a round to its end before it closes, if nobody is waited for."""
        table = self.table
        if table.plan is None or (table.between_rounds and table.hold is None):
            return
        number = table.rounds
        if table.hold is None:
            self.show("quit", f"The house deals round {number} to its end before it closes.")
            self.tell(self.house.deal(), brief=True)
        if self.table.hold is not None or not self.table.between_rounds:
            waits = next_act(self.table, self.house.session.moment, hurried=True)
            why = waits.why[:-1] if isinstance(waits, WaitFor) else "It is not over"
            ruled = "the next visit begins with what the rulebook says about an interruption"
            self.show("quit", f"Round {number} stays as it is. {why}; {ruled}.")

    def goodbye(self) -> str:
        """Say what somebody leaves with, and what stays in play."""
        staked = self.table.staked(YOU) if not self.table.between_rounds else 0
        stays = f"; {dollars(staked)} stays in play" if staked else ""
        return f"You leave with {dollars(self.table.credits[YOU])}{stays}."

    def taken_back(self) -> Iterator[Step]:
        """Take all stakes back; those that others need go last."""
        for stake in reversed(self.table.stakes):
            if stake.share(YOU) is not None:
                yield from self.one(f"remove {YOU} stake={stake.number}")

    def answer(self, line: str) -> None:
        """Do what a line asks for; a comment asks for nothing."""
        self.line = line
        if not line or line.startswith("#"):
            return
        line = in_small_letters(line)
        words = line.split()
        own = self.commands().get(words[0])
        if own is not None:
            own(words[1:])
        else:
            self.require_verb(words)
            self.tell(self.one(f"credit {YOU}" if line == "credit" else line))

    def require_verb(self, words: list[str]) -> None:
        """Refuse what is no command, with those that look like it."""
        known = {*OWN_WORDS, *VERBS, *QUESTIONS, "game"}
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
            "draw": self.draw,
            "clear": self.clear,
            "wagers": self.wagers,
            "roads": self.roads,
            "quit": self.quit,
        }

    def hint(self) -> None:
        """Say what can be done next."""
        say(next_hint(self.table), style="dim")

    # What a beginner types

    def help(self, words: list[str]) -> None:
        """List the commands, or show how one is written."""
        self.show(self.line, help_text(words))

    def quit(self, words: list[str]) -> None:
        """Leave the table."""
        alone(words)
        self.done = True

    def bet(self, words: list[str]) -> None:
        """Put credit on a wager; bets are called for first where they are not open."""
        if len(words) != len(("wager", "amount")):
            message = "Say which wager and how much, as in: bet player 50."
            raise RulesError(message)
        wager, amount = words if not words[0][:1].isdigit() else reversed(words)
        wager = wager.lower()
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

    def draw(self, words: list[str]) -> None:
        """Deal one card; bets are closed first where they are open."""
        if self.table.phase is Phase.OPEN:
            self.tell(self.one("close"))
            if self.table.phase is Phase.OPEN or self.table.hold is not None:
                return
        self.tell(self.one(" ".join(["draw", *words])))

    def clear(self, words: list[str]) -> None:
        """Take all stakes back."""
        alone(words)
        if not any(stake.share(YOU) is not None for stake in self.table.stakes):
            message = "You have no stake on the table."
            raise RulesError(message)
        self.tell(self.taken_back())

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

    def show(self, line: str, text: str) -> None:  # noqa: ARG002  # programs want the line
        """Show a text that a line asked for."""
        say(text)

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
                say(answer.result + no_power(answer))
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
        """Show the pay list, and what `you` won and have; others get a column of their own."""
        own = [line.won_cents for line in event.lines if line.patron == YOU]
        if event.lines:
            patrons = {YOU, *self.table.seats, *(line.patron for line in event.lines)}
            self.out.print(pay_table(event, with_patrons=len(patrons) > 1))
        if own:
            say(f"{signed(sum(own))}; you have {dollars(self.table.credits[YOU])}.")
        else:
            say("You had nothing in play.")


def pay_table(event: e.WagersSettled, *, with_patrons: bool) -> RichTable:
    """Return the pay list as a table."""
    headings = ("Wager", "Stake", "Result", "Pays", "Won", "Clause")
    table = new_table(*(("Patron",) if with_patrons else ()), *headings, right=("Stake",))
    styles = {"wins": "green", "pushes": "yellow", "loses": "dim"}
    for line in event.lines:
        table.add_row(
            *((line.patron,) if with_patrons else ()),
            line.wager,
            dollars(line.cents),
            line.result,
            line.pays or "",
            signed(line.won_cents),
            cited(line.clause or ""),
            style=styles[line.result],
        )
    return table


class JsonSeat(Seat):
    """A seat for programs: one JSON object for every line that is played."""

    wrong = 0

    def sit(self) -> int:
        """Play all lines that come; return 1 when one was refused or not understood."""
        self.tell(self.begin())
        try:
            self.listen()
        except KeyboardInterrupt:
            self.leave()
            raise
        self.leave()
        return 1 if self.wrong else 0

    def hint(self) -> None:
        """Say nothing; a program knows what it wants."""

    def leave(self) -> None:
        """Take back what can be, and say what is left; a program asks for roads itself."""
        self.number += not self.done
        self.part()

    def hear(self, line: str) -> None:
        """Answer a line; one that is not understood is written as well."""
        try:
            self.answer(line)
        except RulesError as error:
            self.wrong += 1
            self.write(line, f"not understood: {error}", None, ok=False)

    def tell(self, steps: Iterable[Step], *, brief: bool = False) -> None:  # noqa: ARG002
        """Write what each line led to; programs want all of it."""
        for step in steps:
            ok = step.answer.refusal is None
            self.wrong += not ok
            self.write(step.line, step.answer.result, step.answer, ok=ok)

    def wagers(self, words: list[str]) -> None:
        """Write the wagers that are offered, with what they pay."""
        alone(words)
        plan = self.table.plan
        assert plan is not None
        rows = (
            f"{wager.slug}: {row.label} {row.pays.text} [{cited(row.clause)}]"
            for wager in plan.offered.values()
            for row in wager.rows
        )
        self.show(self.line, "\n".join(rows))

    def roads(self, words: list[str]) -> None:
        """Write the coups of this shoe, as `croupier roads` reads them."""
        alone(words)
        self.show(self.line, outcomes(self.table) or "no coup yet")

    def show(self, line: str, text: str) -> None:
        """Write a text that a line asked for as its result."""
        self.write(line, text, None, ok=True)

    def write(self, text: str, result: str, answer: Answer | None, *, ok: bool) -> None:
        """Write one line and its answer."""
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


def alone(words: list[str]) -> None:
    """Refuse words behind a command that takes none."""
    if words:
        message = f"{quoted(words[0])} means nothing here; this command stands alone."
        raise RulesError(message)
