"""``croupier recall``: the last rounds of a table, as the journal has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import Parameter

from croupier.cli.journals import (
    JournalName,
    TableName,
    Text,
    journal_at,
    row,
    run,
    say,
    table_in,
    warn,
)
from croupier.cli.output import JsonFlag, Whole, console, new_table, print_json
from croupier.cli.simulate import plural
from croupier.money import dollars
from croupier.rules.errors import RulesError, cited

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.journal.recall import Act, Recalled
    from croupier.table.events import PayLine

ROUNDS_MAX = 10_000


def recall(
    journal: JournalName,
    /,
    *,
    table: TableName = None,
    rounds: Annotated[
        Whole, Parameter(help=f"How many rounds at most, 1 to {ROUNDS_MAX}.")
    ] = 10,
    round_: Annotated[
        Whole | None, Parameter(name="--round", help="One round, by its number.")
    ] = None,
    patron: Annotated[
        Text | None, Parameter(help="Only rounds in which this patron had a stake.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Show the last rounds: stakes, cards, payments, and every decision step by step.

    Each step says who decided, in which position and with whom, by which clause, and what came
    of it; what was refused is a step like the others. Pay lists that were taken back stay.
    """
    if not 1 <= rounds <= ROUNDS_MAX:
        message = f"{rounds} rounds cannot be recalled; ask for 1 to {ROUNDS_MAX}."
        raise RulesError(message)
    asked = Asked(rounds, round_, patron)
    name, recalled = run(recalled_at(journal_at(journal), table, asked))
    if json:
        print_json({"table": name, "rounds": [round_document(one) for one in recalled]})
        return
    out = console()
    if not recalled:
        say(out, f"Table {name} has played {asked.nothing}.")
    for one in recalled:
        print_recalled(out, one)


class Asked(NamedTuple):
    """Which rounds were asked for."""

    rounds: int
    number: int | None = None
    patron: str | None = None

    def wants(self, one: Recalled) -> bool:
        """Tell whether a round is one of those."""
        right = self.number is None or one.number == self.number
        return right and (self.patron is None or self.patron in one.patrons)

    @property
    def nothing(self) -> str:
        """Say what a table has not played where none of those is found."""
        which = "no round" if self.number is None else f"no round {self.number}"
        return which if self.patron is None else f"{which} in which {self.patron} had a stake"


async def recalled_at(
    journal: str, table: str | None, asked: Asked
) -> tuple[str, list[Recalled]]:
    """Open a journal and recall rounds of a table; return its name, too."""
    from croupier.journal.opening import open_reader  # noqa: PLC0415  # slow to load
    from croupier.journal.recall import recall as recall_  # noqa: PLC0415
    from croupier.rulebooks import RULEBOOKS  # noqa: PLC0415

    async with await open_reader(journal) as reader:
        await warn(reader)
        name = await table_in(reader, table)
        return name, await recall_(reader, name, RULEBOOKS, asked.rounds, asked.wants)


def act_text(act: Act) -> str:
    """Tell what came of a command, as playthroughs do."""
    from croupier.playthrough.telling import tell  # noqa: PLC0415  # slow to load

    decision = act.decision
    if decision.refusal is not None:
        return f"refused: {decision.refusal.sentence}"
    texts = []
    if decision.house.interruption is not None:
        texts.append(f"interrupted in {decision.house.interruption.phase}")
    if act.events:
        texts.append(tell(act.before, act.events))
    return "; ".join(texts)


def who(act: Act) -> str:
    """Say who asked, in which position, and who approved it."""
    asked, second = act.decision.actor, act.decision.approver
    said = asked.key if asked.position is None else f"{asked.position} {asked.name}"
    if asked.acting is not None:
        said += f" (acting {asked.acting.position})"
    if second is not None:
        position = "" if second.position is None else f"{second.position} "
        said += f" with {position}{second.name}"
    return said


def step_document(act: Act) -> dict[str, object]:
    """Return a step in JSON."""
    import msgspec  # noqa: PLC0415  # only for JSON

    decision = act.decision
    return {
        "decision": decision.sequence,
        "moment": decision.moment,
        "actor": msgspec.to_builtins(decision.actor),
        "approver": msgspec.to_builtins(decision.approver),
        "command": msgspec.to_builtins(decision.command),
        "command_id": decision.command_id,
        "clauses": act.clauses,
        "what": act_text(act),
        "refusal": msgspec.to_builtins(decision.refusal),
    }


def round_document(one: Recalled) -> dict[str, object]:
    """Return a round in JSON."""
    import msgspec  # noqa: PLC0415  # only for JSON

    play = one.table.round
    return {
        "round": one.number,
        "game": one.game,
        "opened": one.opened,
        "decisions": [one.first, one.last],
        "ended": one.ended,
        "stakes": [
            {
                "stake": stake.number,
                "patron": share.patron,
                "position": stake.position,
                "wager": stake.wager,
                "cents": share.cents,
            }
            for stake in one.stakes
            for share in stake.shares
        ],
        "cards": one.dealt,
        "die": play.die if play else None,
        "steps": [step_document(act) for act in one.acts],
        "pay": msgspec.to_builtins(one.lines),
        "pay_lists": msgspec.to_builtins(one.lists),
        "refunds": msgspec.to_builtins(one.refunds),
        "balances": dict(sorted(one.table.credits.items())),
        "rulings": [
            {"decision": act.decision.sequence, **msgspec.to_builtins(event)}
            for act, event in one.rulings
        ],
    }


def print_recalled(out: Console, one: Recalled) -> None:
    """Show a round on a terminal."""
    ended = one.ended or "in progress"
    say(
        out,
        f"Round {one.number}  {one.game}  {one.opened}  {ended}"
        f"  decisions {one.first} to {one.last}",
        "bold",
    )
    if one.dealt:
        cards = ", ".join(f"{place} {face or 'face down'}" for place, face in one.dealt.items())
        say(out, f"Cards: {cards}")
    for paid in one.lists:
        if paid.reversed is not None:
            by = f" [{cited(paid.clause)}]" if paid.clause else ""
            say(out, f"Pay list of decision {paid.sequence}, taken back: {paid.reversed}{by}")
        elif len(one.lists) > 1:
            say(out, f"Pay list of decision {paid.sequence}")
        print_lines(out, paid.lines)
    if one.stakes and not one.lines:
        print_stakes(out, one)
    steps = new_table("Decision", "Who", "Step", "Clause", right=("Decision",))
    for act in one.acts:
        clauses = ", ".join(dict.fromkeys(cited(clause) for clause in act.clauses))
        row(steps, str(act.decision.sequence), who(act), act_text(act), clauses)
    out.print(steps)
    if one.table.credits:
        held = ", ".join(
            f"{patron} {dollars(cents)}" for patron, cents in sorted(one.table.credits.items())
        )
        say(out, f"Balances: {held}")
    decisions, refused = plural(len(one.acts), "decision"), plural(len(one.refusals), "refusal")
    say(out, f"{decisions}, {plural(len(one.rulings), 'ruling')}, {refused}")
    for act, ruling in one.rulings:
        by = cited(ruling.clause) if ruling.clause else "not in rules"
        say(out, f"  {who(act)}: {ruling.question}: {ruling.choice} [{by}]")
    say(out, "")


def print_lines(out: Console, lines: tuple[PayLine, ...]) -> None:
    """Show the pay list."""
    pay = new_table(
        "Patron", "Wager", "Stake", "Result", "Pays", "Won", "Clause", right=("Stake", "Won")
    )
    for line in lines:
        row(
            pay,
            line.patron,
            line.wager,
            dollars(line.cents),
            line.result,
            line.pays or "",
            dollars(line.won_cents),
            cited(line.clause or ""),
        )
    out.print(pay)


def print_stakes(out: Console, one: Recalled) -> None:
    """Show the stakes of a round that was not settled, and what went back of them."""
    back = {(refund.stake, refund.patron): refund.cents for refund in one.refunds}
    stakes = new_table("Patron", "Wager", "Stake", "Returned", right=("Stake", "Returned"))
    for stake in one.stakes:
        for share in stake.shares:
            returned = back.get((stake.number, share.patron))
            row(
                stakes,
                share.patron,
                stake.wager,
                dollars(share.cents),
                dollars(returned) if returned is not None else "",
            )
    out.print(stakes)
