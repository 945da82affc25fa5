"""Refusals: each code is used, in one order of precedence, in a sentence with its clause."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import croupier.table
from croupier.table.refusals import ORDER, Code, Refusal, refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = sorted(Path(croupier.table.__file__).parent.glob("*.py"))


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.stem}.{node.name}", node


def codes(node: ast.AST) -> list[Code]:
    """Return the codes with which something refuses, in the order of the text."""
    calls = [
        call
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("refuse", "Refusal")
    ]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    return [
        Code[first.attr]
        for first in (call.args[0] for call in calls)
        if isinstance(first, ast.Attribute) and isinstance(first.value, ast.Name)
    ]


REFUSING = [(name, node) for name, node in functions() if codes(node)]


@pytest.mark.parametrize(("name", "node"), REFUSING, ids=[name for name, _ in REFUSING])
def test_a_function_refuses_in_the_order_of_precedence(
    name: str, node: ast.FunctionDef
) -> None:
    places = [ORDER.index(code) for code in codes(node)]
    assert places == sorted(places), name


def test_refusals_are_found_in_every_module_that_decides() -> None:
    found = {name.partition(".")[0] for name, _ in REFUSING}
    assert found >= {
        "authority",
        "dealing",
        "decide",
        "handling",
        "irregular",
        "opening",
        "placement",
        "settlement",
        "shaking",
    }
    assert len(REFUSING) > 60


def test_every_code_is_used() -> None:
    used = {
        node.attr
        for path in MODULES
        if path.stem != "refusals"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Code"
    }
    assert used == {code.name for code in Code}


def test_codes_are_named_as_on_the_wire_and_say_what_they_mean() -> None:
    assert len({code.value for code in Code}) == len(ORDER)
    for code in Code:
        assert code.value == code.name.lower()
        assert code.meaning.endswith(".")
        assert code.meaning[0].isupper()


def test_a_refusal_is_one_sentence_with_its_clause_at_the_end() -> None:
    assert refuse(Code.NO_SHOE, "No shoe is in play") == Refusal(
        Code.NO_SHOE, "No shoe is in play."
    )
    cited = refuse(Code.HLGA_ONLY, "Not here", "BAC8 3.8.2#method-c")
    assert cited.sentence == str(cited) == "Not here [BAC8 3.8.2]."
    assert cited.clause == "BAC8 3.8.2"
