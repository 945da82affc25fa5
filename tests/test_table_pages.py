"""The pages on refusals, events, phases and the round are generated, fresh and complete."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from croupier.accounts.limits import LimitCode
from croupier.accounts.refusals import AccountsCode
from croupier.cage.refusals import CageCode
from croupier.frozen import Reason
from croupier.rulebooks import RULEBOOKS, find_rulebook
from croupier.table import commands as c
from croupier.table.evolve import EVENTS
from croupier.table.phases import DURING, PHASES
from croupier.table.refusals import Code
from croupier.table.rulings import OFFERS, WAITS, Situation, Step
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from croupier.table.views import wire_name
from tools import round_walks, table_pages

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.table.rulebook import Rulebook


@cache
def page(name: str) -> str:
    return table_pages.PAGES[name]()


def section(name: str, heading: str) -> str:
    """Return the part of a page under a heading, up to the next of its kind."""
    marks = heading.partition(" ")[0]
    return page(name).split(f"\n{heading}")[1].split(f"\n{marks} ")[0]


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of tables by the name in their first cell."""
    found = re.findall(r"^\| `(\w+)`[^|]*\|(.*)\|$", text, flags=re.MULTILINE)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in found}


@pytest.mark.parametrize("name", table_pages.PAGES)
def test_the_page_is_fresh(name: str) -> None:
    written = (table_pages.DOCS / name).read_text(encoding="utf-8")
    assert written == page(name), f"docs/{name} is stale: run make docs"


@pytest.mark.parametrize("name", table_pages.PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page(name)):
        assert (table_pages.DOCS / target).exists(), target


# Refusals


def test_every_refusal_stands_in_its_place_with_its_meaning() -> None:
    text = section("refusals.md", "## Tables")
    found = re.findall(r"^\| (\d+) \| `(\w+)` \| (.*?) \|", text, re.MULTILINE)
    assert [(int(number), code, meaning) for number, code, meaning in found] == [
        (number, code.value, code.meaning) for number, code in enumerate(Code, start=1)
    ]


@pytest.mark.parametrize(
    ("part", "codes"), [("The cage", CageCode), ("The accounts", AccountsCode)]
)
def test_refusals_of_the_house_stand_there_too(
    part: str, codes: type[CageCode | AccountsCode]
) -> None:
    text = section("refusals.md", f"## {part}")
    found = re.findall(r"^\| (\d+) \| `(\w+)` \| [^|]+ \| (.*?) \|$", text, re.MULTILINE)
    assert [(int(number), code, meaning) for number, code, meaning in found] == [
        (number, code.value, code.meaning) for number, code in enumerate(codes, start=1)
    ]


def test_every_code_that_a_record_can_have_is_listed() -> None:
    """Whatever refuses; a limit of a patron's own alone is asked before, and not recorded."""
    text = page("refusals.md")
    kinds = [kind for kind in Reason.__subclasses__() if kind is not LimitCode]
    assert {Code, CageCode, AccountsCode} <= {*kinds}
    for kind in kinds:
        for code in kind:
            assert f"| `{code.value}` | " in text, code


def test_a_refusal_has_the_sentence_of_its_playthrough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_pages, "PLAYTHROUGHS", tmp_path)
    monkeypatch.setattr(table_pages, "ROOT", tmp_path.parent)
    assert table_pages.example(Code.BETS_CLOSED) == ""
    script = tmp_path / "refused_bets_closed.txt"
    link = f"[refused_bets_closed](../{tmp_path.name}/refused_bets_closed.txt)"
    script.write_text("place 1 tie 50.00   -> refused bets_closed [BAC8 5.4]\n", "utf-8")
    assert table_pages.example(Code.BETS_CLOSED) == link
    script.write_text(
        "open      -> OPEN\n"
        "place 1 tie 5.00   -> refused below_minimum [BAC8 3.5.1]\n"
        "           | Another sentence.\n"
        "place 1 tie 50.00  -> refused bets_closed [BAC8 5.4]\n"
        "           | Bets are closed;\n"
        "           | no wager is placed or raised now [BAC8 5.4].\n"
        "settle    -> settled\n",
        "utf-8",
    )
    sentence = "Bets are closed; no wager is placed or raised now [BAC8 5.4]."
    assert table_pages.example(Code.BETS_CLOSED) == f"{sentence} ({link})"


# Events


def test_every_event_has_its_section_with_all_its_fields() -> None:
    sections = page("events.md").split("\n### ")[1:]
    assert len(sections) >= len(EVENTS)
    for kind, text in zip(EVENTS, sections, strict=False):
        assert text.startswith(f"`{kind.__struct_config__.tag}` ({kind.__name__})")
        assert list(rows(text)) == list(kind.__struct_fields__)


def test_what_is_house_only_is_marked() -> None:
    drawn = section("events.md", "### `card_drawn`")
    assert rows(drawn)["card"][2:] == [
        "**house only**",
        "House only: the face, where the device read it.",
    ]
    assert rows(drawn)["handed_to"][2] == "as seat"
    assert "*Announced.*" in drawn
    assert "*For the house only: never announced.*" in section(
        "events.md", "### `credit_brought`"
    )
    assert rows(section("events.md", "### `table_opened`"))["settings"][1] == (
        "its rulebook and game"
    )


# Phases


@pytest.mark.parametrize("kind", PHASES, ids=lambda kind: kind.__name__)
def test_there_are_samples_of_every_command(kind: type[c.Command]) -> None:
    found = list(table_pages.samples(kind))
    assert found
    assert {type(command) for command in found} == {kind}


def test_samples_go_through_the_choices_that_an_authority_depends_on() -> None:
    methods = [command.method for command in table_pages.samples(c.SetMethod)]
    assert methods == list(Method)
    assert len(list(table_pages.samples(c.DecideReferral))) == len(c.Decision)


@pytest.mark.clause("BAC8 3.8.2", "BAC8 3.8.2#method-c", "BAC8 3.16", "BAC8 5.13")
@pytest.mark.parametrize(
    ("command", "who"),
    [
        ("set_method", "Pit Manager [BAC8 3.8.2]; Assistant Casino Manager [BAC8 3.8.2]"),
        ("permit_squeeze", "Pit Manager [BAC8 3.16]"),
        ("decide_replacement", "Pit Manager [BAC8 5.13]"),
        ("draw_card", "Dealer [BAC8 3.8.1]; patron [BAC8 3.11.1]"),
        ("place_wager", "patron or Dealer [BAC8 3.7]"),
        ("set_limits", "Pit Manager with Pit Supervisor [BAC8 3.5.1]"),
        ("correct_card", "Pit Supervisor with another Pit Supervisor"),
    ],
)
def test_the_page_says_who_may_do_it_at_least(command: str, who: str) -> None:
    assert rows(section("phases.md", "## BAC8"))[command][-1] == who


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.code)
def test_the_phases_of_a_rulebook_are_those_of_the_table(rulebook: Rulebook) -> None:
    text = section("phases.md", f"## {rulebook.code}")
    phases = table_pages.phases_of(rulebook)
    found = rows(text.split("\n### ")[0])
    for kind, allowed in PHASES.items():
        cells = found.get(wire_name(kind))
        if cells is not None:
            marks = [phase for phase, cell in zip(phases, cells, strict=False) if cell == "x"]
            assert marks == [phase for phase in phases if phase in allowed], kind
    assert ("shake_die" in found) is (rulebook.code == "PB6")
    assert ("lose_terminal" in found) is (rulebook.code == "EB4")
    assert ("name_handler" in found) is (rulebook.code in ("BAC8", "FF3"))
    assert ("confirm_payment" in found) is (rulebook.code != "EB4")


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.code)
def test_every_situation_is_ruled_or_referred_and_every_hold_answered(
    rulebook: Rulebook,
) -> None:
    text = section("phases.md", f"## {rulebook.code}")
    holds = rows(text.split("\n### ")[1])
    for kind in table_pages.holds_of(rulebook):
        commands = re.findall(r"`(\w+)` by \w", holds[kind.value][0])
        assert set(commands) == {wire_name(command) for command in DURING[kind]}
    rulings = text.split("\n### ")[2]
    referred = re.findall(r"^- `(\w+)`", rulings, re.MULTILINE)
    ruled = [
        situation.value
        for situation in Situation
        if any(situation in ruling.situations for ruling in rulebook.rulings)
    ]
    assert list(rows(rulings)) == ruled
    assert {*ruled, *referred} == {situation.value for situation in Situation}
    assert not {*ruled} & {*referred}


def test_holds_that_a_rulebook_cannot_come_to_are_left_out() -> None:
    assert table_pages.holds_of(find_rulebook("BAC8")) == list(HoldKind)
    few = [HoldKind.REPORT, HoldKind.WITHDRAWAL, HoldKind.REFERRAL]
    assert table_pages.holds_of(find_rulebook("EB4")) == few


def test_every_step_that_waits_has_its_hold() -> None:
    assert set(table_pages.HOLDS) == WAITS
    assert {table_pages.HOLDS[step] for step in OFFERS} == {HoldKind.WITHDRAWAL}
    steps = rows(section("phases.md", "## Steps of rulings"))
    assert list(steps) == [step.value for step in Step]


# The round


def test_the_diagram_has_every_change_that_was_seen_and_reaches_every_phase() -> None:
    text = page("round.md")
    seen = round_walks.changes(RULEBOOKS)
    for before, command, after in seen:
        arrow = re.search(rf"^    {before.value} --> {after.value} : (.*)$", text, re.MULTILINE)
        assert arrow is not None
        assert command in arrow[1]
    assert {after for _, _, after in seen} == set(Phase)


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        (Phase.CLOSED, Phase.SHAKE, {"PB6"}),
        (Phase.CLOSED, Phase.OPEN, {"BAC8", "FF3"}),
        (Phase.SETTLED, Phase.OPEN, {"F6T2", "PB6"}),
        (Phase.RESULT, Phase.IDLE, {"EB4"}),
        (Phase.OPEN, Phase.DEALING, set()),
        (Phase.CLOSED, Phase.RESULT, set()),
    ],
)
def test_changes_are_seen_where_the_rulebook_has_them(
    before: Phase, after: Phase, codes: set[str]
) -> None:
    seen = round_walks.changes(RULEBOOKS)
    found = {
        code
        for (one, _, other), where in seen.items()
        if (one, other) == (before, after)
        for code in where
    }
    assert found == codes


def test_the_second_diagram_has_every_hold() -> None:
    diagram = page("round.md").split("```mermaid")[2]
    ends = set(re.findall(r"--> (\w+)", diagram))
    assert {kind.value for kind in HoldKind} <= ends
