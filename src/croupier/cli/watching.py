"""How ``croupier watch`` shows a table: as a picture on a terminal, or line by line."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.markup import escape
from rich.text import Text

from croupier.cli.output import RED_SUITS
from croupier.cli.roads import CELL, drawings, grid
from croupier.money import dollars
from croupier.roads import Mark, draw_roads
from croupier.rules.outcome import Side

if TYPE_CHECKING:
    from typing import Any

    from croupier.client.wire import View

SIDES: Final = {"player": Side.PLAYER, "banker": Side.BANKER, "tie": None}
ROADS: Final = ("Bead plate", "Big road")
WON: Final = {"player": "Player wins", "banker": "Banker wins", "tie": "Tie"}
COLUMNS_MIN: Final = 10
FACE_DOWN: Final = "██"


def picture(view: View, now: datetime, width: int, *, live: bool) -> Group:
    """Return a table as a terminal shows it."""
    lines = [_head(view), _state(view, now), *_hands(view)]
    if view["hold"] is not None:
        lines.append(f"[bold yellow]On hold:[/bold yellow] {_hold(view['hold'])}")
    lines += ["", _counts(view), *_roads(view, width), "", _seats(view)]
    if "own" in view:
        lines.append(_own(view["own"]))
    if not live:
        lines.append("[bold red]The floor does not answer; reconnecting.[/bold red]")
    return Group(*(Text.from_markup(line) for line in lines))


def _head(view: View) -> str:
    rules = view["rules"]
    if rules is None:
        return "[bold]The table is closed[/bold]"
    limits = rules["limits"]
    least, most = dollars(limits["minimum_cents"]), dollars(limits["maximum_cents"])
    return (
        f"[bold]{escape(rules['name'])}[/bold]  {rules['rulebook']}  {escape(rules['room'])}"
        f"  {least} to {most}  dealt by {rules['dealt_by']}"
    )


def _state(view: View, now: datetime) -> str:
    number = "" if view["round"] is None else f"Round {view['round']}: "
    left = _seconds_left(view, now)
    countdown = "" if left is None else f"  [bold cyan]{left} s[/bold cyan]"
    power = "  [bold magenta]Power hand[/bold magenta]" if view["power"] else ""
    die = "" if view["die"] is None else f"  die {view['die']}"
    return f"{number}[bold]{escape(view['calls'])}[/bold]{countdown}{die}{power}"


def _seconds_left(view: View, now: datetime) -> int | None:
    if view["closes_at"] is None:
        return None
    left = (datetime.fromisoformat(view["closes_at"]) - now).total_seconds()
    return max(0, round(left))


def _hands(view: View) -> list[str]:
    lines = []
    for hand in view["hands"]:
        points = "-" if hand["points"] is None else hand["points"]
        cards = "  ".join(_card(card) for card in hand["cards"])
        squeezed = "  [dim]squeezed[/dim]" if hand["squeezed"] else ""
        lines.append(f"{hand['side'].title():<7} {points}   {cards}{squeezed}")
    if view["next"] is not None:
        lines.append(f"[dim]Next: {_next(view['next'])}[/dim]")
    if view["outcome"] is not None:
        lines.append(f"[bold green]{_outcome(view['outcome'])}[/bold green]")
    return lines


def _card(card: dict[str, Any]) -> str:
    face: str | None = card["face"]
    if face is None:
        return FACE_DOWN
    return f"[red]{face}[/red]" if face[-1] in RED_SUITS else face


def _next(one: dict[str, Any]) -> str:
    return f"{one['place']}, {escape(one['why'])} {escape('[' + one['clause'] + ']')}"


def _outcome(one: dict[str, Any]) -> str:
    return f"{WON[one['winner']]}: Player {one['player']}, Banker {one['banker']}"


def _hold(hold: dict[str, Any]) -> str:
    clause = "" if hold["clause"] is None else f" [{hold['clause']}]"
    return escape(f"{hold['sentence']}{clause}")


def _counts(view: View) -> str:
    """Return how often what came in this shoe."""
    played = [one for one in view["results"] if not one["void"]]
    won = Counter(one["winner"] for one in played)
    pairs = sum(one["player_pair"] for one in played), sum(one["banker_pair"] for one in played)
    left = "" if view["shoe"] is None else f"  {view['shoe']['left']} cards left"
    return (
        f"[blue]Player {won['player']}[/blue]  [red]Banker {won['banker']}[/red]"
        f"  [green]Tie {won['tie']}[/green]  Player Pair {pairs[0]}  Banker Pair {pairs[1]}"
        f"{left}"
    )


def _roads(view: View, width: int) -> list[str]:
    """Return bead plate and big road, as many of their last columns as there is room for."""
    drawn = draw_roads(_marks(view))
    fit = max(COLUMNS_MIN, width // CELL)
    lines: list[str] = []
    for title, cells in drawings(drawn):
        if title in ROADS:
            first = max(0, 1 + max((col for col, _, _ in cells), default=0) - fit)
            shown = [(col - first, row, mark) for col, row, mark in cells if col >= first]
            lines += [f"[bold]{title}[/bold]", *grid(shown, fit)]
    return lines


def _marks(view: View) -> list[Mark]:
    return [
        Mark(SIDES[one["winner"]], one["player_pair"], one["banker_pair"])
        for one in view["results"]
        if not one["void"]
    ]


def _seats(view: View) -> str:
    positions = 0 if view["rules"] is None else view["rules"]["positions"]
    taken = ", ".join(map(str, view["seats"])) or "none"
    staked = sum(area["cents"] for area in view["areas"].values())
    on = f"; {dollars(staked)} on the layout" if staked else ""
    return f"Positions taken: {taken}; there are {positions}{on}"


def _own(own: dict[str, Any]) -> str:
    seat = "no seat" if own["seat"] is None else f"seat {own['seat']}"
    return (
        f"You: {seat}, {dollars(own['credit_cents'])} credit,"
        f" {dollars(own['in_play_cents'])} in play"
    )


# Line by line


def news(before: View, view: View) -> list[str]:
    """Return what is new in a view, a line for each thing that happened."""
    lines: list[str] = []
    if not before and view["rules"] is not None:
        rules = view["rules"]
        lines.append(f"{rules['name']} ({rules['rulebook']}), dealt by {rules['dealt_by']}")
    round_before, round_now = before.get("round"), view["round"]
    if (before.get("calls"), round_before) != (view["calls"], round_now):
        closes = "" if view["closes_at"] is None else f", until {view['closes_at']}"
        number = "" if round_now is None else f"Round {round_now}: "
        lines.append(f"{number}{view['calls']}{closes}")
    shown = _faces(before) if round_before == round_now else set()
    for hand in view["hands"]:
        for card in hand["cards"]:
            if card["face"] is not None and (card["place"], card["face"]) not in shown:
                points = "" if hand["points"] is None else f", hand of {hand['points']}"
                lines.append(f"{card['place']} {card['face']}{points}")
    if view["next"] is not None and view["next"] != before.get("next"):
        lines.append(f"Next {view['next']['place']}: {view['next']['why']}")
    if view["hold"] is not None and view["hold"] != before.get("hold"):
        lines.append(f"On hold: {view['hold']['sentence']}")
    return lines + _results(before, view)


def _faces(view: View) -> set[tuple[str, str]]:
    return {
        (card["place"], card["face"])
        for hand in view.get("hands", ())
        for card in hand["cards"]
    }


def _results(before: View, view: View) -> list[str]:
    """Return the rounds that are over since the view before."""
    if not before:
        return [f"{len(view['results'])} rounds of this shoe are over"]
    known = {one["round"] for one in before["results"]}
    lines = []
    for one in view["results"]:
        if one["round"] not in known:
            said = "void" if one["void"] else _outcome(one)
            lines.append(f"Result of round {one['round']}: {said}")
    return lines
