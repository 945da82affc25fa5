"""The conformance matrix is our conscience: every clause is accounted for, and truly."""

from __future__ import annotations

from functools import cache

import pytest

from croupier.clauses import CODES, clauses, find_clause
from croupier.rules.errors import UnknownNameError
from tools import conformance

DONE_TOPICS = ("deck", "points", "tableau", "outcome", "settlement")
NEEDS_TABLE = {
    "rounds": {"BAC8 1.1.7", "FF3 1.1.9", "F6T2 1.1.7", "PB6 1.1.9", "EB4 1.1.16"},
    "commission as a record": {"BAC8 1.1.1", "PB6 1.1.1", "EB4 1.1.4"},
    "terminals": {"EB4 1.1.15"},
    "proxies": {"BAC8 3.7", "FF3 3.7"},
    "differential": {"BAC8 1.1.9", "FF3 1.1.11"},
    "HLGA": {"BAC8 1.1.3", "FF3 1.1.4"},
}


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


def test_every_clause_is_accounted_for() -> None:
    missing = [
        f"{cite}: code {account.code}, tests {account.tests}"
        for cite, account in accounts().items()
        if not account.complete
    ]
    assert missing == []


def test_what_this_project_has_is_not_pending() -> None:
    pending = {cite for cite, account in accounts().items() if account.pending}
    of_done_topics = {cite for cite in pending if clauses()[cite].topic in DONE_TOPICS}
    assert of_done_topics == set()
    needs_table = set().union(*NEEDS_TABLE.values())
    of_definitions = {
        cite for cite in pending if clauses()[cite].topic in ("definition", "wager")
    }
    assert of_definitions <= needs_table


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
