"""The conformance matrix is our conscience: every clause is accounted for, and truly."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from croupier.clauses import CODES, clauses, find_clause
from croupier.rulebooks import RULEBOOKS, find_rulebook
from croupier.rules.errors import UnknownNameError
from tools import conformance

if TYPE_CHECKING:
    from croupier.table.rulebook import Rulebook


@cache
def accounts() -> dict[str, conformance.Account]:
    return conformance.accounts()


def test_the_clause_list_has_655_rows_with_the_kinds_counted_in_the_readings() -> None:
    kinds = [clause.kind for clause in clauses().values()]
    assert len(kinds) == 655
    counts = {kind: kinds.count(kind) for kind in ("computed", "decision", "physical")}
    assert counts == {"computed": 540, "decision": 57, "physical": 16}
    assert kinds.count("descriptive") == 42
    by_rulebook = [clause.rulebook for clause in clauses().values()]
    assert [by_rulebook.count(code) for code in CODES] == [134, 156, 71, 100, 194]


def test_an_unknown_clause_is_refused_with_its_name() -> None:
    with pytest.raises(UnknownNameError, match="There is no clause 'BAC8 99'"):
        find_clause("BAC8 99")


@pytest.mark.parametrize("folder", ["src", "tests", "docs", "tools", "."])
def test_every_citation_in_the_tree_is_a_clause(folder: str) -> None:
    patterns = ["*.md"] if folder == "." else ["**/*.py", "**/*.md"]
    root = conformance.ROOT / folder
    shown = {clause.shown for clause in clauses().values()}
    wrong = [
        f"{path.relative_to(conformance.ROOT)}: {cite}"
        for pattern in patterns
        for path in sorted(root.glob(pattern))
        if path.name != "test_conformance.py"
        for cite in conformance.CITATION.findall(path.read_text(encoding="utf-8"))
        if cite not in clauses() and cite not in shown
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("cite", "code"),
    [
        ("BAC8 3.9.2", "rulebooks.baccarat_v8 PROCEDURE.methods.by_dealer.handler"),
        ("BAC8 5.18.3", "rulebooks.baccarat_v8 PROCEDURE.differential.removed"),
        ("PB6 1.1.8", "rulebooks.power_98_v6 PROCEDURE.shake.marker"),
        ("EB4 preamble#version", "rulebooks.electronic_v4 PROCEDURE.version"),
        ("BAC8 5.8.2.1", "rulebooks.baccarat_v8 IRREGULARITIES: drawn_together -> void"),
        (
            "PB6 5.1.2",
            "rulebooks.power_98_v6 IRREGULARITIES: foreign_card -> earlier_stand",
        ),
        (
            "BAC8 5.12",
            "rulebooks.baccarat_v8 IRREGULARITIES: exposed_in_movement -> stand",
        ),
        (
            "BAC8 2.2.4",
            "rulebooks.baccarat_v8 AREAS: player-pair, banker-pair (table.placement)",
        ),
    ],
)
def test_procedure_rulings_and_areas_are_code_of_their_clauses(cite: str, code: str) -> None:
    rulebook = find_rulebook(cite.partition(" ")[0])
    assert code in conformance.citations(rulebook)[cite]


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.code)
def test_all_that_the_module_of_a_rulebook_cites_is_in_the_clause_list(
    rulebook: Rulebook,
) -> None:
    cited = conformance.citations(rulebook)
    assert set(cited) <= set(clauses())
    assert {clauses()[cite].rulebook for cite in cited} == {rulebook.code}


def test_a_word_of_the_procedure_that_is_no_clause_is_not_cited() -> None:
    procedure = find_rulebook("BAC8").procedure
    cited = dict(conformance.procedure_clauses(procedure, "BAC8", "PROCEDURE"))
    assert procedure.commission is not None
    assert "PROCEDURE.commission.clause" in cited.values()
    assert "PROCEDURE.commission.wager" not in cited.values()


def test_every_clause_is_accounted_for() -> None:
    missing = [
        f"{cite}: code {account.code}, tests {account.tests}"
        for cite, account in accounts().items()
        if not account.complete
    ]
    assert missing == []


def test_nothing_is_pending() -> None:
    assert [cite for cite, account in accounts().items() if account.pending] == []


def test_nothing_done_is_called_pending() -> None:
    done = [
        cite
        for cite, account in accounts().items()
        if account.pending and account.code and account.tests
    ]
    assert done == []


def test_the_lists_name_clauses_of_the_right_kind_with_a_reason() -> None:
    for cite, reason in conformance.read_list("pending.csv").items():
        assert find_clause(cite).kind in conformance.NEEDS_CODE, cite
        assert len(reason) > 20, cite
    for cite, way in conformance.read_list("shown.csv").items():
        assert find_clause(cite).kind not in conformance.NEEDS_CODE, cite
        assert way.split(":")[0] in ("recorded", "displayed", "glossary"), cite


def test_the_page_is_fresh() -> None:
    written = conformance.PAGE.read_text(encoding="utf-8")
    assert written == conformance.page(accounts()), (
        "docs/conformance.md is stale: run make docs"
    )
