"""The worked examples of the clause list, each dealt, settled and paid in cents."""

from __future__ import annotations

import csv
import re
from fractions import Fraction
from importlib import resources
from typing import NamedTuple

import pytest

from croupier.money import Cents, pay
from croupier.rulebooks import find_game
from croupier.rules.wagers import Result

GAMES_OF_TABLE = {
    "BAC8 4.1": ["baccarat"],
    "FF3 4.1": ["fa-fa-fabulous-4"],
    "FF3 4.2": ["fa-fa-fabulous-4"],
    "F6T2 4.1": ["fortune-six-tournament"],
    "PB6 4.1": ["power-98"],
    "PB6 4.2": ["power-98"],
    "EB4 4.1": ["super-six"],
    "EB4 4.2": ["fortune-six"],
    "EB4 4.3": ["super-6"],
    "EB4 4.4": ["no-commission"],
    "EB4 4.5": ["fortune-six", "super-6"],
    "EB4 4.6": ["fortune-six", "super-6"],
    "EB4 4.7": ["tiger"],
    "EB4 4.8": ["tiger-no-commission"],
    "EB4 4.9": ["tiger", "tiger-no-commission"],
    "EB4 4.10": ["tiger", "tiger-no-commission"],
    "EB4 4.11": ["fabulous-4s"],
    "EB4 4.12": ["fabulous-4s"],
}

DEAL = re.compile(
    r"deal order (?P<cards>\S+)"
    r" \(P=(?P<player>\d) on (?P<player_cards>[23])(?: cards)?,"
    r" B=(?P<banker>\d) on (?P<banker_cards>[23])\)(?P<power>, Power hand)?"
)
STAKE = re.compile(r"(?P<wager>[A-Z][\w ]*?) (?P<stake>\d+) -> (?P<paid>.+)")
OTHER_STAKE = re.compile(r"stake (?P<stake>\d+) -> (?P<paid>.+)")
PROFIT = re.compile(
    r"profit (?P<profit>[\d.]+)(?:, total returned (?P<returned>\d+)| exactly| \(A6\))?"
)
PUSH = re.compile(r"push: stake (?P<returned>\d+) returned, profit (?P<profit>0)")


class Deal(NamedTuple):
    cards: str
    player: int
    player_cards: int
    banker: int
    banker_cards: int
    power: bool


class Example(NamedTuple):
    cite: str
    deal: Deal
    wager: str
    stake: int
    profit: Fraction
    returned: int | None
    """The total returned, where the example says it."""


def read_examples() -> list[Example]:
    """Read every example; a part of one that cannot be read is an error, never passed over."""
    text = resources.files("croupier").joinpath("data/clauses.csv").read_text(encoding="utf-8")
    examples: list[Example] = []
    for row in csv.DictReader(text.splitlines()):
        if "deal order" in row["test_idea"]:
            examples += read_row(row["cite"], row["test_idea"])
    return examples


def read_row(cite: str, idea: str) -> list[Example]:
    examples: list[Example] = []
    deal: Deal | None = None
    wager = ""
    for part in idea.split("; "):
        if found := DEAL.fullmatch(part):
            deal = Deal(
                found["cards"].replace(",", " "),
                int(found["player"]),
                int(found["player_cards"]),
                int(found["banker"]),
                int(found["banker_cards"]),
                found["power"] is not None,
            )
            continue
        found = OTHER_STAKE.fullmatch(part) or STAKE.fullmatch(part)
        assert found is not None, f"{cite}: cannot read {part!r}"
        assert deal is not None, f"{cite}: no deal before {part!r}"
        wager = found.groupdict().get("wager") or wager
        paid = PROFIT.fullmatch(found["paid"]) or PUSH.fullmatch(found["paid"])
        assert paid is not None, f"{cite}: cannot read {found['paid']!r}"
        returned = int(paid["returned"]) if paid["returned"] else None
        slug = wager.lower().replace(" ", "-")
        examples.append(
            Example(cite, deal, slug, int(found["stake"]), Fraction(paid["profit"]), returned)
        )
    return examples


EXAMPLES = read_examples()


def test_no_example_is_overlooked() -> None:
    assert len({example.cite for example in EXAMPLES}) == 116
    assert len({(example.cite, example.deal.cards) for example in EXAMPLES}) == 119
    assert len(EXAMPLES) == 122
    assert sum(example.profit == 0 for example in EXAMPLES) == 4
    assert sum(example.deal.power for example in EXAMPLES) == 11


@pytest.mark.parametrize(
    ("slug", "example"),
    [
        pytest.param(
            slug,
            example,
            marks=pytest.mark.clause(example.cite),
            id=f"{example.cite} {slug} {example.wager} {example.stake} {example.deal.cards}",
        )
        for example in EXAMPLES
        for slug in GAMES_OF_TABLE[example.cite.partition("#")[0]]
    ],
)
def test_an_example_is_paid_to_the_cent(slug: str, example: Example) -> None:
    deal = example.deal
    settlement = find_game(slug).settle(deal.cards, die=3 if deal.power else None)
    player, banker = settlement.coup.player, settlement.coup.banker
    assert (player.points, len(player.cards)) == (deal.player, deal.player_cards)
    assert (banker.points, len(banker.cards)) == (deal.banker, deal.banker_cards)

    verdict = settlement[example.wager]
    assert verdict.result is (Result.WINS if example.profit else Result.PUSHES)
    assert verdict.row is not None
    assert verdict.row.clause == example.cite
    profit = pay(Cents(example.stake * 100), verdict.row.pays)
    assert profit == example.profit * 100
    if example.returned is not None:
        assert example.stake * 100 + profit == example.returned * 100
