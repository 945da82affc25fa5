"""The client plays every game over the network, and is paid as ``croupier settle`` says."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from croupier.cage import commands as cage
from croupier.cli.settle import settled, settlement_document
from croupier.client import Client, Refused, read_view
from croupier.rulebooks import GAMES, find_game
from croupier.table import commands as c
from croupier.table.views.shapes import PatronView

if TYPE_CHECKING:
    from tests.floor.serving import Served

CREDIT_CENTS = 10_000_000


def open_round(view: dict[str, Any]) -> bool:
    return view["phase"] == "OPEN" and not view["own"]["stakes"]


async def wager_on_all(client: Client, table: str, view: dict[str, Any]) -> dict[str, int]:
    """Stake on everything that is offered, the main wagers first; return what was staked."""
    staked = {}
    for number, wager in enumerate(view["rules"]["wagers"]):
        cents = wager["minimum_cents"] + number * wager["step_cents"]
        command = c.PlaceWager("", wager["slug"], cents)
        try:
            await client.command(table, command, round=view["round"])
        except Refused as error:
            assert error.problem.clause is not None, error  # noqa: PT017  # a rule, not a fault
            assert error.problem.sequence is not None  # noqa: PT017
            continue
        staked[wager["slug"]] = cents
    return staked


async def play(served: Served, number: int, table: str) -> None:
    name = f"patron-{number:02}"
    async with Client(served.url, name, served.password(name)) as client:
        assert (client.actor.kind, client.actor.name) == ("patron", name)
        before = await client.wallet()
        subscription = client.subscribe(f"table:{table}")
        await client.command(table, c.TakeSeat(name, 2))
        await client.cage(cage.SendToTable(name, table, CREDIT_CENTS))
        opened = await subscription.until(open_round)
        staked = await wager_on_all(client, table, opened)
        assert {"player", "banker", "tie"} <= staked.keys()
        number = opened["round"]
        # To a client that is behind, its own part comes in a message after what all hear.
        over = await subscription.until(
            lambda view: (
                any(one["round"] == number for one in view["results"])
                and (view["own"]["lines"] or view["round"] != number)
            )
        )
        shape = read_view(over)
        assert isinstance(shape, PatronView)
        result = next(one for one in shape.results if one.round == number)
        assert not result.void
        assert shape.rules is not None
        game = find_game(opened["rules"]["game"])
        settlement = settled(game, " ".join(result.cards), result.die, shape.rules.decks)
        document = settlement_document(settlement)
        assert document["winner"] == result.winner
        results: Any = document["results"]
        # The round that is over: the table itself may be at the next one by now.
        done = await client.round(table, number)
        lines = {line["wager"]: line for line in done["lines"]}
        assert lines.keys() == staked.keys()
        won = 0
        for wager, line in lines.items():
            for key in ("result", "row", "pays", "clause"):
                assert line[key] == results[wager][key]
            assert line["won_cents"] == Fraction(results[wager]["net"]) * staked[wager]
            won += line["won_cents"]
        assert shape.own.credit_cents == CREDIT_CENTS + won
        await subscription.until(
            lambda view: any(one["command"] == "leave_seat" for one in view["own"]["may"])
        )
        await client.command(table, c.LeaveSeat(name))
        async with asyncio.timeout(5):
            me = client.subscribe("me")
            after = await me.until(lambda view: view["wallet"]["cents"] == before.cents + won)
        assert after["wallet"]["seats"] == []


def test_a_round_of_every_game_is_played_and_settled_by_its_rulebook(served: Served) -> None:
    tables = [*(game.slug for game in GAMES), "baccarat-a"]
    assert len(tables) == 12

    async def all_of_them() -> None:
        async with asyncio.TaskGroup() as group:
            for number, table in enumerate(tables, 1):
                group.create_task(play(served, number, table))

    asyncio.run(all_of_them())


def test_a_second_person_approves_exactly_one_command(served: Served) -> None:
    async def approve() -> None:
        fill = cage.FillTable("tiger", 123_400)
        async with (
            Client(served.url, "cashier", served.password("cashier")) as cashier,
            Client(
                served.url, "cage-supervisor", served.password("cage-supervisor")
            ) as supervisor,
        ):
            with pytest.raises(Refused) as alone:
                await cashier.cage(fill)
            assert alone.value.problem.sequence is not None
            given = await supervisor.approve("cage", fill, "cashier")
            assert given.approval not in repr(given)
            answer = await cashier.cage(fill, approval=given.approval)
            assert [event.name for event in answer.events] == ["table_filled"]
            with pytest.raises(Refused) as again:
                await cashier.cage(fill, approval=given.approval)
            assert again.value.code == "bad_approval"
            with pytest.raises(Refused) as own:
                await cashier.approve("cage", fill, "cashier")
            assert own.value.code == "self_approval"

    asyncio.run(approve())
