"""Write docs/conformance.md: every clause of the five rulebooks with its code and its tests.

Run it with ``make docs``; a test fails when the page is stale or a clause is not accounted for.

A clause is accounted for in one of three ways. Computed and decision clauses need code (a
pay row, a line of the tableau, a mechanic of the procedure, a ruling or one of its steps, an
area of the layout, or a provision of the rulebook's module that names the function) and a
test that carries its citation; or a line in docs/pending.csv with the reason. Physical and
descriptive clauses need a line that says how they show: the rulebook's glossary, its layouts
or its approval, or docs/shown.csv.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from types import FunctionType, MethodType
from typing import TYPE_CHECKING

from croupier.clauses import CODES, Clause, clauses
from croupier.rulebooks import RULEBOOKS
from croupier.rules.errors import UnknownNameError
from croupier.rules.game import Game
from croupier.rules.wagers import Wager
from croupier.table.rulebook import Layout, Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.rules.tableau import Tableau
    from croupier.table.rulings import Ruling

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conformance.md"
NEEDS_CODE = ("computed", "decision")
CITATION = re.compile(
    rf"\b(?:{'|'.join(CODES)}) "
    r"(?:(?:preamble|appendix|diagram)[\w#-]*\w|[1-7](?:\.\d{1,2})+(?:#\w[\w-]*)?)(?![.\d]*\d)"
)
"""Finds every citation in code, tests and docs."""


@dataclass
class Account:
    """How one clause is accounted for."""

    clause: Clause
    code: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    pending: str = ""

    @property
    def complete(self) -> bool:
        """Tell whether the clause is done, shown, or pending with a reason."""
        if self.pending:
            return True
        if self.clause.kind in NEEDS_CODE:
            return bool(self.code and self.tests)
        return bool(self.shown)

    @property
    def status(self) -> str:
        """Say it in one word."""
        if self.pending:
            return "pending"
        if self.clause.kind in NEEDS_CODE:
            return "done" if self.complete else "MISSING"
        return "shown" if self.complete else "MISSING"


def module_of(rulebook: Rulebook) -> str:
    """Return the name of the module that declares a rulebook."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("croupier.rulebooks.") and (
            getattr(module, rulebook.code, None) is rulebook
        ):
            return name
    raise AssertionError(rulebook)


def code_name(thing: object, module: str) -> str:
    """Name a function, class, property or declared value by where it lives."""
    if isinstance(thing, property):
        thing = thing.fget
    elif isinstance(thing, cached_property):
        thing = thing.func
    if isinstance(thing, Game | Wager):
        values = vars(sys.modules[module])
        name = next(name for name, value in values.items() if value is thing)
        full = f"{module}.{name}"
    else:
        assert isinstance(thing, type | FunctionType | MethodType), thing
        full = f"{thing.__module__}.{thing.__qualname__}"
    return full.removeprefix("croupier.")


def citations(rulebook: Rulebook) -> dict[str, list[str]]:
    """Return what the module of a rulebook declares for each clause it cites."""
    found: dict[str, list[str]] = defaultdict(list)
    for clause, name in (*play_clauses(rulebook), *table_clauses(rulebook)):
        if name not in found[clause]:
            found[clause].append(name)
    return found


def play_clauses(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield the clauses that provisions, tableau and games cite, each with its code."""
    module = module_of(rulebook)
    where = module.removeprefix("croupier.")
    for clause, thing in rulebook.provisions.items():
        yield clause, code_name(thing, module)
    for clause in tableau_clauses(rulebook.tableau):
        yield clause, f"{where}.TABLE_OF_PLAY"
    for game in rulebook.games:
        for clause, name in game_clauses(game):
            yield clause, f"{where} {name}"


def table_clauses(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield the clauses that layouts, areas, procedure and rulings cite, each with its code."""
    module = module_of(rulebook)
    where = module.removeprefix("croupier.")
    for layout in rulebook.layouts:
        yield layout.clause, code_name(Layout.require_positions, module)
    for area in rulebook.areas:
        yield area.clause, f"{where} AREAS: {', '.join(area.wagers)} (table.placement)"
    for clause, name in procedure_clauses(rulebook.procedure, rulebook.code, "PROCEDURE"):
        yield clause, f"{where} {name}"
    for ruling in rulebook.rulings:
        for clause, name in ruling_clauses(ruling):
            yield clause, f"{where} IRREGULARITIES: {name}"


def procedure_clauses(part: object, code: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses that a procedure cites, each with the way to it."""
    assert is_dataclass(part), path
    for one in fields(part):
        value, name = getattr(part, one.name), f"{path}.{one.name}"
        if is_dataclass(value):
            yield from procedure_clauses(value, code, name)
        elif isinstance(value, str) and value.startswith(f"{code} "):
            yield value, name


def ruling_clauses(ruling: Ruling) -> Iterator[tuple[str, str]]:
    """Yield the clause of a ruling and those of its steps, each with what they do."""
    situations = ", ".join(situation.value for situation in ruling.situations)
    steps = ", ".join(do.step.value for do in ruling.steps)
    yield ruling.clause, f"{situations} -> {steps}"
    for do in ruling.steps:
        yield do.clause, f"{situations} -> {do.step.value}"


def tableau_clauses(tableau: Tableau) -> Iterator[str]:
    """Yield the clauses that the lines of a tableau cite."""
    yield tableau.natural
    lines = (tableau.player_draws, tableau.player_stands, tableau.player_stood, *tableau.banker)
    yield from (line.clause for line in lines)
    if tableau.otherwise:
        yield tableau.otherwise


def game_clauses(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the clauses that a game's data cite, each with what cites it."""
    if game.die:
        yield game.die.clause, f"{game.slug}: die"
    for precondition in game.preconditions:
        yield precondition.clause, f"{game.slug}: precondition on {precondition.main}"
    for wager in game.wagers:
        yield wager.clause, wager.slug
        for row in wager.rows:
            yield row.clause, f'{wager.slug}: "{row.label}"'


def shown_by(rulebook: Rulebook) -> dict[str, list[str]]:
    """Return how a rulebook's module shows the clauses that are not computed."""
    found: dict[str, list[str]] = defaultdict(list)
    for term in rulebook.glossary:
        found[term.clause].append(f"glossary: {term.name}")
    for layout in rulebook.layouts:
        found[layout.clause].append(f"displayed: layout {layout.name} in `croupier rules`")
    if rulebook.approval:
        found[rulebook.approval.clause].append("displayed: approval in `croupier rules`")
    return found


def read_list(name: str) -> dict[str, str]:
    """Read a two-column list of docs/: citation, and reason or way of showing."""
    with (ROOT / "docs" / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    listed = dict(rows)
    assert len(listed) == len(rows), f"{name} names a clause twice"
    return listed


def collect_tests() -> dict[str, list[str]]:
    """Ask pytest which tests carry which citation."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "marks.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-q",
            "-p",
            "no:cacheprovider",
        ]
        environment = {**os.environ, "CROUPIER_CLAUSE_MARKS": str(target)}
        # Inside a parallel run this process is a worker; the collection must not be one.
        environment = {
            key: value for key, value in environment.items() if not key.startswith("PYTEST_")
        }
        result = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        marks: dict[str, list[str]] = json.loads(target.read_text(encoding="utf-8"))
    return marks


class Accounts(dict[str, Account]):
    """The account of every clause; a citation of none is our mistake, and says so."""

    def __missing__(self, cite: str) -> Account:
        """Refuse a citation that is not in the clause list."""
        message = f"{cite!r} is cited but is not in the clause list."
        raise UnknownNameError(message)


def accounts() -> dict[str, Account]:
    """Return the account of every clause."""
    found = Accounts({cite: Account(clause) for cite, clause in clauses().items()})
    for rulebook in RULEBOOKS:
        for cite, names in citations(rulebook).items():
            found[cite].code.extend(names)
        for cite, ways in shown_by(rulebook).items():
            found[cite].shown.extend(ways)
    for cite, way in read_list("shown.csv").items():
        found[cite].shown.append(way)
    for cite, reason in read_list("pending.csv").items():
        found[cite].pending = reason
    for cite, tests in collect_tests().items():
        found[cite].tests.extend(tests)
    return found


def page(every: dict[str, Account]) -> str:
    """Return the whole page."""
    kinds = ("done", "shown", "pending", "MISSING")
    lines = [
        "# Conformance: every clause, its code and its tests",
        "",
        "Generated by `make docs`; a test fails when it is stale. A citation is a row of",
        "`src/croupier/data/clauses.csv`. *Done*: code and a test that can fail cite it.",
        "*Shown*: nothing to compute; the line says how it shows. *Pending*: not yet, with",
        "the reason.",
        "",
        f"| rulebook | clauses | {' | '.join(kinds[:3])} |",
        "|---|---|---|---|---|",
    ]
    for code in CODES:
        mine = [account for account in every.values() if account.clause.rulebook == code]
        counts = [sum(account.status == kind for account in mine) for kind in kinds[:3]]
        lines.append(f"| {code} | {len(mine)} | {' | '.join(map(str, counts))} |")
    for rulebook in RULEBOOKS:
        edition = rulebook.edition
        lines += [
            "",
            f"## {edition.code}: {edition}",
            "",
            "| clause | what it asks | status | code, or how it shows | tests |",
            "|---|---|---|---|---|",
        ]
        for account in every.values():
            if account.clause.rulebook == edition.code:
                lines.append(_row(account))
    return "\n".join(lines) + "\n"


def _row(account: Account) -> str:
    clause = account.clause
    number = clause.cite.partition(" ")[2]
    code = [f"`{name}`" for name in account.code]
    if clause.kind not in NEEDS_CODE:
        code = account.shown
    if account.pending:
        code = [*code, f"*{account.pending}*"]
    tests = [f"`{name}`" for name in account.tests]
    cells = (number, clause.requirement, account.status, "<br>".join(code), "<br>".join(tests))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    """Write the page and say what is missing."""
    every = accounts()
    PAGE.write_text(page(every), encoding="utf-8")
    missing = [cite for cite, account in every.items() if not account.complete]
    print(f"wrote {PAGE.relative_to(ROOT)}: {len(clauses())} clauses, {len(missing)} missing")
    for cite in missing:
        print(f"  {cite}")


if __name__ == "__main__":
    main()
