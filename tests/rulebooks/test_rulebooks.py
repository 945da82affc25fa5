"""The five rulebooks as data: editions, glossaries, layouts, areas, approvals."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta, timezone
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from croupier.rulebooks import (
    GAMES,
    POWER_98,
    POWER_98_NATURAL_TIES,
    RULEBOOKS,
    TIGER,
    find_game,
    find_rulebook,
)
from croupier.rules.errors import RulesError, UnknownNameError

if TYPE_CHECKING:
    from croupier.table.rulebook import Rulebook

SINGAPORE = timezone(timedelta(hours=8))
CODES = ("BAC8", "FF3", "F6T2", "PB6", "EB4")
each_rulebook = pytest.mark.parametrize("rulebook", RULEBOOKS, ids=CODES)


def all_cites() -> set[str]:
    text = resources.files("croupier").joinpath("data/clauses.csv").read_text(encoding="utf-8")
    return {row["cite"] for row in csv.DictReader(text.splitlines())}


CITES = all_cites()


def test_there_are_five_rulebooks_and_eleven_games() -> None:
    assert tuple(rulebook.code for rulebook in RULEBOOKS) == CODES
    assert {
        rulebook.code: [game.name for game in rulebook.games] for rulebook in RULEBOOKS
    } == {
        "BAC8": ["Baccarat"],
        "FF3": ["Fa Fa Fabulous 4 Baccarat"],
        "F6T2": ["Fortune Six Baccarat Tournament"],
        "PB6": ["Power Baccarat 98"],
        "EB4": [
            "Super Six No Commission Baccarat",
            "Fortune Six No Commission Baccarat",
            "Super 6 No Commission Baccarat",
            "No Commission Baccarat",
            "Tiger Baccarat",
            "Tiger No Commission Baccarat",
            "Fabulous 4's Baccarat",
        ],
    }
    assert len(GAMES) == 11


@pytest.mark.parametrize(
    ("cite", "name", "slug", "table"),
    [
        pytest.param(cite, name, slug, table, marks=pytest.mark.clause(cite), id=slug)
        for cite, name, slug, table in (
            (
                "EB4 preamble#game-1",
                "Super Six No Commission Baccarat",
                "super-six",
                "EB4 4.1",
            ),
            (
                "EB4 preamble#game-2",
                "Fortune Six No Commission Baccarat",
                "fortune-six",
                "EB4 4.2",
            ),
            ("EB4 preamble#game-3", "Super 6 No Commission Baccarat", "super-6", "EB4 4.3"),
            ("EB4 preamble#game-4", "No Commission Baccarat", "no-commission", "EB4 4.4"),
            ("EB4 preamble#game-5", "Tiger Baccarat", "tiger", "EB4 4.7"),
            (
                "EB4 preamble#game-6",
                "Tiger No Commission Baccarat",
                "tiger-no-commission",
                "EB4 4.8",
            ),
            ("EB4 preamble#game-7", "Fabulous 4's Baccarat", "fabulous-4s", "EB4 4.11"),
        )
    ],
)
def test_an_electronic_game_is_distinct_and_settles_by_its_own_table(
    cite: str, name: str, slug: str, table: str
) -> None:
    place = int(cite[-1])
    game = find_rulebook("EB4").games[place - 1]
    assert (game.name, game.slug, game.clause) == (name, slug, table)
    main = {
        row.clause.partition("#")[0]
        for wager in game.wagers
        if wager.slug in {"player", "banker", "tie"}
        for row in wager.rows
    }
    assert main == {table, "EB4 3.9.1"}


# Editions


@pytest.mark.parametrize(
    ("code", "title", "version", "effective"),
    [
        pytest.param(
            code,
            title,
            version,
            effective,
            marks=pytest.mark.clause(f"{code} preamble#version"),
            id=code,
        )
        for code, title, version, effective in (
            ("BAC8", "Baccarat", 8, "2020-01-23T00:00+08:00"),
            ("FF3", "Fa Fa Fabulous 4 Baccarat", 3, "2020-01-23T00:00+08:00"),
            ("F6T2", "Fortune Six Baccarat Tournament", 2, "2017-05-05T00:00+08:00"),
            ("PB6", "Power Baccarat 98", 6, "2017-02-17T00:00+08:00"),
            ("EB4", "Electronic Baccarat", 4, "2025-03-20T09:00+08:00"),
        )
    ],
)
def test_an_edition_is_in_force_from_its_moment_on(
    code: str, title: str, version: int, effective: str
) -> None:
    edition = find_rulebook(code).edition
    moment = datetime.fromisoformat(effective)
    assert (edition.code, edition.title, edition.version) == (code, title, version)
    assert edition.effective == moment
    assert edition.effective.utcoffset() == timedelta(hours=8)
    assert edition.in_force(moment)
    assert edition.in_force(moment.astimezone(UTC))
    assert edition.in_force(moment + timedelta(days=400))
    assert not edition.in_force(moment - timedelta(minutes=1))
    assert not edition.in_force((moment - timedelta(minutes=1)).astimezone(UTC))
    assert str(edition) == f"{title}, version {version}"
    assert all(game.edition is edition for game in find_rulebook(code).games)


@pytest.mark.clause("EB4 preamble#version")
def test_only_the_electronic_rulebook_starts_at_an_hour() -> None:
    hours = {rulebook.code: rulebook.edition.effective.hour for rulebook in RULEBOOKS}
    assert hours == {"BAC8": 0, "FF3": 0, "F6T2": 0, "PB6": 0, "EB4": 9}
    electronic = find_rulebook("EB4").edition
    assert not electronic.in_force(datetime(2025, 3, 20, 8, 59, tzinfo=SINGAPORE))
    assert electronic.in_force(datetime(2025, 3, 20, 1, 0, tzinfo=UTC))


@pytest.mark.clause("EB4 preamble#version", "PB6 preamble#version")
def test_a_game_is_found_from_the_moment_its_rulebook_is_in_force() -> None:
    nine = datetime(2025, 3, 20, 9, tzinfo=SINGAPORE)
    assert find_game("tiger", nine) is TIGER
    assert find_game("tiger") is TIGER
    with pytest.raises(
        UnknownNameError, match="No rulebook of tiger is in force at 2025-03-20"
    ):
        find_game("tiger", nine - timedelta(minutes=1))
    assert find_game("power-98", nine) is POWER_98
    with pytest.raises(UnknownNameError, match="No rulebook of power-98 is in force at 2017"):
        find_game("power-98", datetime(2017, 2, 16, 23, 59, tzinfo=SINGAPORE))


@each_rulebook
def test_a_moment_without_a_time_zone_is_refused(rulebook: Rulebook) -> None:
    with pytest.raises(RulesError, match="has no time zone"):
        rulebook.edition.in_force(datetime(2026, 1, 1))  # noqa: DTZ001  # that is the point


# Approval


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(code, marks=pytest.mark.clause(f"{code} preamble#approval"))
        for code in ("BAC8", "FF3", "EB4")
    ],
)
def test_the_approval_names_authority_act_and_operator(code: str) -> None:
    approval = find_rulebook(code).approval
    assert approval is not None
    assert approval.clause == f"{code} preamble#approval"
    for words in (
        "Gambling Regulatory Authority of Singapore",
        "Casino Control Act 2006 s.100(1)",
        "Marina Bay Sands Pte. Ltd.",
    ):
        assert words in approval.meaning


@pytest.mark.parametrize("code", ["F6T2", "PB6"])
def test_no_approval_is_claimed_where_the_text_has_none(code: str) -> None:
    assert find_rulebook(code).approval is None
    assert f"{code} preamble#approval" not in CITES


# Glossaries


@pytest.mark.parametrize(
    ("code", "clause", "says"),
    [
        pytest.param(code, clause, says, marks=pytest.mark.clause(f"{code} 1.1"), id=code)
        for code, clause, says in (
            ("BAC8", "BAC8 1.1.6", "a ten and a picture card, never pair"),
            ("FF3", "FF3 1.1.8", "a ten and a picture card, never pair"),
            ("F6T2", "F6T2 1.1.5", "are of the same rank"),
            ("PB6", "PB6 1.1.6", "are of the same rank"),
            ("EB4", "EB4 1.1.13", "a ten and a picture card, never pair"),
        )
    ],
)
def test_a_pair_is_what_this_rulebook_says_it_is(code: str, clause: str, says: str) -> None:
    rulebook = find_rulebook(code)
    term = rulebook.term("Pair")
    assert (term.name, term.clause) == ("Pair", clause)
    assert says in term.meaning
    assert rulebook.term("PAIR") is term


@each_rulebook
def test_every_term_has_a_clause_of_its_own_rulebook_and_a_meaning(rulebook: Rulebook) -> None:
    names = [name.casefold() for term in rulebook.glossary for name in (term.name, *term.also)]
    assert len(names) == len(set(names))
    for term in rulebook.glossary:
        assert term.clause in CITES
        assert term.clause.startswith(f"{rulebook.code} ")
        assert rulebook.term(term.name) is term
        assert term.meaning.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_every_definition_of_a_word_is_in_the_glossary(code: str) -> None:
    defined = {
        cite for cite in CITES if cite.startswith(f"{code} 1.1.") and cite.count(".") == 2
    }
    explained = {term.clause for term in find_rulebook(code).glossary}
    assert defined - explained == set()


@pytest.mark.parametrize(
    ("code", "other_name", "clause"),
    [
        ("BAC8", "Player Pair", "BAC8 1.1.6"),
        ("BAC8", "banker pair", "BAC8 1.1.6"),
        ("FF3", "Banker Precious Pair", "FF3 1.1.8.1"),
        ("EB4", "Super Six", "EB4 1.1.18"),
        ("EB4", "Super 6", "EB4 1.1.18"),
        ("PB6", "Power hand", "PB6 3.6.2"),
    ],
)
def test_a_term_is_found_by_its_other_names(code: str, other_name: str, clause: str) -> None:
    assert find_rulebook(code).term(other_name).clause == clause


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("BAC8", "Dice shaker"),
        ("PB6", "HLGA"),
        ("F6T2", "Commission"),
        ("EB4", ""),
        ("FF3", "Tiger"),
    ],
)
def test_a_word_never_takes_its_meaning_from_another_rulebook(code: str, word: str) -> None:
    with pytest.raises(UnknownNameError, match=f"does not define '{word}'"):
        find_rulebook(code).term(word)


# Layouts


POSITIONS = {
    ("BAC8", "A"): (1, 7),
    ("BAC8", "B"): (1, 9),
    ("BAC8", "C"): (7, 14),
    ("BAC8", "D"): (1, 1),
    ("BAC8", "E"): (1, 1),
    ("FF3", "A"): (1, 5),
    ("FF3", "B"): (1, 7),
    ("FF3", "C"): (1, 9),
    ("FF3", "D"): (1, 1),
    ("FF3", "E"): (8, 16),
}


@pytest.mark.parametrize(
    ("code", "name", "first", "last"),
    [
        pytest.param(
            code,
            name,
            *limits,
            marks=pytest.mark.clause(f"{code} appendix-{name}"),
            id=f"{code} {name}",
        )
        for (code, name), limits in POSITIONS.items()
    ],
)
def test_a_layout_is_available_with_so_many_positions(
    code: str, name: str, first: int, last: int
) -> None:
    layout = find_rulebook(code).layout(name)
    assert layout.clause == f"{code} appendix-{name}"
    for positions in range(first, last + 1):
        layout.require_positions(positions)
    for outside in (first - 1, last + 1, 0, -1, 100):
        with pytest.raises(RulesError) as refusal:
            layout.require_positions(outside)
        message = str(refusal.value)
        assert message.startswith(f"Layout {name} cannot have {outside} playing positions; ")
        assert message.endswith(f" [{code} appendix-{name}].")
        allowed = "1 playing position" if last == 1 else f"{first} to {last} positions"
        assert f"it has {allowed}" in message


@pytest.mark.parametrize(
    ("code", "names"),
    [
        pytest.param(code, names, marks=pytest.mark.clause(f"{code} 2.2"), id=code)
        for code, names in (
            ("BAC8", "ABCDE"),
            ("FF3", "ABCDE"),
            ("F6T2", "ABCD"),
            ("PB6", "ABCDE"),
        )
    ],
)
def test_the_layouts_of_a_rulebook_and_no_others(code: str, names: str) -> None:
    rulebook = find_rulebook(code)
    assert "".join(layout.name for layout in rulebook.layouts) == names
    assert rulebook.layout("a") is rulebook.layouts[0]
    for unknown in (chr(ord(names[-1]) + 1), "Z", "", "AB"):
        with pytest.raises(UnknownNameError) as refusal:
            rulebook.layout(unknown)
        assert f"has no layout {unknown!r}; its layouts are A, B" in str(refusal.value)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        pytest.param(code, name, marks=pytest.mark.clause(f"{code} diagram-{name}"))
        for code, names in (("F6T2", "ABCD"), ("PB6", "ABCDE"))
        for name in names
    ],
)
def test_a_diagram_leaves_its_positions_to_the_table(code: str, name: str) -> None:
    layout = find_rulebook(code).layout(name)
    assert (layout.clause, layout.positions) == (f"{code} diagram-{name}", None)
    for positions in (1, 7, 16):
        layout.require_positions(positions)
    with pytest.raises(RulesError, match=r"set by the table's configuration"):
        layout.require_positions(0)


@pytest.mark.parametrize(
    ("name", "slug", "terminal"),
    [
        pytest.param(
            name, slug, terminal, marks=pytest.mark.clause(f"EB4 appendix-{name}"), id=name
        )
        for name, slug, terminal in (
            ("A", "super-six", None),
            ("B", "fortune-six", None),
            ("C", "super-6", None),
            ("D", "no-commission", None),
            ("E", "tiger", None),
            ("F", "tiger-no-commission", None),
            ("G", "fabulous-4s", None),
            ("H", "tiger-no-commission", "Quartz Terminal"),
            ("I", "tiger", "Quartz Terminal"),
            ("J", "fortune-six", "Quartz Terminal"),
            ("K", "super-6", "Quartz Terminal"),
        )
    ],
)
def test_a_terminal_layout_belongs_to_a_game(
    name: str, slug: str, terminal: str | None
) -> None:
    rulebook = find_rulebook("EB4")
    layout = rulebook.layout(name)
    assert layout.clause == f"EB4 appendix-{name}"
    assert (layout.game, layout.terminal, layout.positions) == (slug, terminal, None)
    assert len(rulebook.layouts) == 11
    assert slug in {game.slug for game in rulebook.games}


# Areas


AREAS = {
    "BAC8 2.2.1": "player",
    "BAC8 2.2.2": "banker",
    "BAC8 2.2.3": "tie",
    "BAC8 2.2.4": "player-pair banker-pair",
    "FF3 2.2.1": "player",
    "FF3 2.2.2": "banker",
    "FF3 2.2.3": "tie",
    "FF3 2.2.4": "player-precious-pair banker-precious-pair",
    "FF3 2.2.5": "player-fabulous-4 banker-fabulous-4",
    "F6T2 2.2.1": "banker",
    "F6T2 2.2.2": "player",
    "F6T2 2.2.3": "tie",
    "F6T2 2.2.4": "player-pair banker-pair",
    "F6T2 2.2.5": "fortune-six",
    "PB6 2.2.1": "banker",
    "PB6 2.2.2": "player",
    "PB6 2.2.3": "tie",
    "PB6 2.2.4": "player-pair banker-pair",
    "PB6 2.2.5": "banker-natural-8",
    "PB6 2.2.6": "banker-natural-9",
    "PB6 2.2.7": "player-natural-8",
    "PB6 2.2.8": "player-natural-9",
}


@pytest.mark.parametrize(
    ("cite", "wagers"),
    [
        pytest.param(cite, wagers, marks=pytest.mark.clause(cite), id=cite)
        for cite, wagers in AREAS.items()
    ],
)
def test_an_area_takes_these_wagers(cite: str, wagers: str) -> None:
    code = cite.partition(" ")[0]
    areas = {area.clause: area.wagers for area in find_rulebook(code).areas}
    assert areas[cite] == tuple(wagers.split())


@pytest.mark.parametrize("code", ["BAC8", "FF3", "F6T2", "PB6"])
def test_the_areas_of_a_table_take_exactly_the_wagers_of_its_game(code: str) -> None:
    rulebook = find_rulebook(code)
    assert [area.clause for area in rulebook.areas] == [
        cite for cite in AREAS if cite.startswith(f"{code} ")
    ]
    taken = [wager for area in rulebook.areas for wager in area.wagers]
    assert sorted(taken) == sorted(wager.slug for wager in rulebook.games[0].wagers)


def test_terminals_have_layouts_and_no_areas() -> None:
    assert find_rulebook("EB4").areas == ()


# Citations, readings, names


@each_rulebook
def test_everything_declared_cites_a_clause_of_its_own_rulebook(rulebook: Rulebook) -> None:
    cites = {game.clause for game in rulebook.games}
    cites |= {game.deck_clause for game in rulebook.games}
    cites |= {rule.clause for game in rulebook.games for rule in game.preconditions}
    cites |= {wager.clause for game in rulebook.games for wager in game.wagers}
    cites |= {
        row.clause for game in rulebook.games for wager in game.wagers for row in wager.rows
    }
    cites |= {layout.clause for layout in rulebook.layouts}
    cites |= {call.clause for row in rulebook.tableau.calls for call in row}
    cites |= set(rulebook.provisions)
    assert cites - CITES == set()
    assert {cite.partition(" ")[0] for cite in cites} == {rulebook.code}


def test_the_reading_an_operator_may_decide_otherwise() -> None:
    others = {rulebook.code: dict(rulebook.otherwise_read or {}) for rulebook in RULEBOOKS}
    assert others == {
        "BAC8": {},
        "FF3": {},
        "F6T2": {},
        "PB6": {"A6": POWER_98_NATURAL_TIES},
        "EB4": {},
    }
    ours, theirs = POWER_98, POWER_98_NATURAL_TIES
    assert (ours.slug, ours.edition) == (theirs.slug, theirs.edition)
    assert [wager.slug for wager in ours.wagers] == [wager.slug for wager in theirs.wagers]


def test_rulebooks_are_found_by_code() -> None:
    assert [find_rulebook(code) for code in CODES] == list(RULEBOOKS)
    assert find_rulebook("bac8") is RULEBOOKS[0]
    assert repr(find_rulebook("EB4")) == "Rulebook('EB4', 7 games)"
    with pytest.raises(UnknownNameError) as refusal:
        find_rulebook("BAC9")
    assert "'BAC9'" in str(refusal.value)
    assert all(code in str(refusal.value) for code in CODES)
