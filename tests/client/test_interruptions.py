"""What breaks between client and server is mended by the client, and nothing happens twice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from croupier.client import Client, Refused, SignedOut, Subscription, Unavailable
from croupier.client.folding import Feed
from tests.client.proxy import Proxy
from tests.floor.serving import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.floor.serving import Served

CREDIT_CENTS = 1_000_000
STAKE_CENTS = 50_000


def takes_bets(view: dict[str, Any]) -> bool:
    return view["phase"] == "OPEN" and not view["own"]["stakes"]


async def sit(client: Client, table: str, position: int) -> Subscription:
    subscription = client.subscribe(f"table:{table}")
    await client.command(table, {"type": "take_seat", "position": position})
    await client.cage({"type": "send_to_table", "table": table, "cents": CREDIT_CENTS})
    return subscription


async def leave(client: Client, table: str, subscription: Subscription) -> None:
    await subscription.until(
        lambda view: any(one["command"] == "leave_seat" for one in view["own"]["may"])
    )
    await client.command(table, {"type": "leave_seat"})


@pytest.mark.parametrize("way", ["socket", "http"])
def test_a_command_whose_answer_was_lost_is_done_once(served: Served, way: str) -> None:
    async def lose() -> None:
        name, table = "patron-01", "tiger"
        password = served.password(name)
        async with (
            Proxy(served.port) as proxy,
            Client(served.url, name, password) as observer,
            Client(proxy.url, name, password) as client,
        ):
            subscription = await sit(observer, table, 5)
            if way == "socket":
                await client.subscribe("me").until(bool)
                assert client.connected
            opened = await subscription.until(takes_bets)
            proxy.loses_next = True
            answer = await client.command(
                table,
                {"type": "place_wager", "wager": "banker", "cents": STAKE_CENTS},
                round=opened["round"],
            )
            assert proxy.lost == 1
            assert [event.name for event in answer.events] == ["wager_placed"]
            seen = await observer.table(table, after=answer.sequence)
            if seen.view["round"] == opened["round"] and seen.view["own"]["stakes"]:
                (stake,) = seen.view["own"]["stakes"]
                assert stake["cents"] == STAKE_CENTS
            over = await subscription.until(
                lambda view: any(one["round"] == opened["round"] for one in view["results"])
            )
            (line,) = over["own"]["lines"]
            assert line["cents"] == STAKE_CENTS
            await leave(observer, table, subscription)

    asyncio.run(lose())


def test_topics_go_on_after_the_connection_was_cut(served: Served) -> None:
    async def cut() -> None:
        name, table = "patron-02", "fabulous-4s"
        async with (
            Proxy(served.port) as proxy,
            Client(proxy.url, name, served.password(name)) as client,
        ):
            subscription = await sit(client, table, 7)
            sequences = []
            for _ in range(3):
                await subscription.until(lambda view: view["phase"] == "OPEN")
                proxy.cut()
                sequences.append(subscription.sequence)
                await subscription.until(lambda view: view["phase"] != "OPEN")
            assert sequences == sorted(sequences)
            assert proxy.connections > 3
            seen = await client.table(table, after=subscription.sequence)
            while subscription.sequence < seen.sequence:
                assert await subscription.next(5) is not None
            if subscription.sequence == seen.sequence:
                assert subscription.view == seen.view
            await leave(client, table, subscription)

    asyncio.run(cut())


def test_what_is_held_for_a_tick_is_not_lost_to_whoever_comes_back(served: Served) -> None:
    async def come_back() -> None:
        table, names = "no-commission", ("patron-10", "patron-11")
        async with (
            Client(served.url, names[0], served.password(names[0])) as first,
            Client(served.url, names[1], served.password(names[1])) as second,
            Client(served.url, names[1], served.password(names[1])) as back,
        ):
            await back.subscribe("me").until(bool)
            both = [await sit(first, table, 1), await sit(second, table, 2)]
            opened = await both[0].until(takes_bets)
            await both[1].until(takes_bets)
            wager = {"type": "place_wager", "wager": "banker", "cents": STAKE_CENTS}
            await first.command(table, wager, round=opened["round"])
            # Within a tick others hear of this one later; its patron hears at once.
            await second.command(table, wager, round=opened["round"])
            view = await both[1].until(lambda view: view["own"]["stakes"])
            feed = Feed(f"table:{table}")
            feed.view, feed.after = view, both[1].sequence
            live = back._live  # noqa: SLF001  # as if it had heard so far
            assert live is not None
            live._feeds[feed.topic] = feed  # noqa: SLF001
            live._ask(feed)  # noqa: SLF001
            resumed = back.subscribe(feed.topic)
            await resumed.until(lambda view: "2/banker" in view["areas"], 5.0)
            for one in both:
                await one.until(lambda view: view["results"])
            await leave(first, table, both[0])
            await leave(second, table, both[1])

    asyncio.run(come_back())


def test_a_server_that_is_killed_and_comes_back_is_not_noticed(tmp_path: Path) -> None:
    async def kill(served: Served) -> None:
        name, table = "patron-03", "baccarat"
        async with Client(served.url, name, served.password(name)) as client:
            before_cents = (await client.wallet()).cents
            subscription = await sit(client, table, 3)
            opened = await subscription.until(takes_bets)
            stake = {"type": "place_wager", "wager": "player", "cents": STAKE_CENTS}
            placed = await client.command(table, stake, round=opened["round"])
            before = subscription.sequence
            served.kill()
            taken = asyncio.create_task(
                client.command(table, {"type": "take_credit", "cents": 100})
            )
            await asyncio.sleep(0.2)
            assert not taken.done()
            await asyncio.to_thread(served.start)
            assert (await taken).sequence > placed.sequence
            view = await subscription.until(
                lambda view: any(one["round"] == opened["round"] for one in view["results"]),
                60.0,
            )
            assert subscription.sequence > before
            result = next(one for one in view["results"] if one["round"] == opened["round"])
            won = {"player": STAKE_CENTS, "banker": -STAKE_CENTS}.get(result["winner"], 0)
            await leave(client, table, subscription)
            me = client.subscribe("me")
            await me.until(lambda view: not view["wallet"]["seats"])
            await me.until(lambda view: not view["wallet"]["in_transit_cents"])
            assert me.view["wallet"]["cents"] == before_cents + won

    with serving(tmp_path) as served:
        asyncio.run(kill(served))


def test_a_wrong_login_and_a_floor_that_is_not_there_are_sentences(served: Served) -> None:
    async def refused() -> None:
        with pytest.raises(SignedOut, match="password") as wrong:
            async with Client(served.url, "patron-04", "not the password"):
                pass
        assert wrong.value.code == "wrong_login"
        with pytest.raises(Unavailable, match="does not answer"):
            async with Client("http://127.0.0.1:1", "patron-04", "x"):
                pass

    asyncio.run(refused())


def test_a_session_that_is_over_ends_topics_and_commands_with_a_sentence(
    served: Served,
) -> None:
    async def sign_out() -> None:
        name = "patron-05"
        async with Client(served.url, name, served.password(name)) as client:
            subscription = client.subscribe("tables")
            await subscription.until(bool)
            response = await client._http.delete("/sessions/current")  # noqa: SLF001  # elsewhere
            assert response.status_code == 204
            with pytest.raises(SignedOut, match="session"):
                await subscription.until(lambda _: False, 10.0)
            with pytest.raises(SignedOut):
                await client.command("tiger", {"type": "take_seat", "position": 1})

    asyncio.run(sign_out())


def test_what_cannot_be_followed_or_read_is_refused_and_the_client_goes_on(
    served: Served,
) -> None:
    async def ask() -> None:
        name = "patron-06"
        async with Client(served.url, name, served.password(name)) as client:
            lobby = client.subscribe("tables")
            await lobby.until(bool)
            with pytest.raises(Refused) as unknown:
                await anext(client.subscribe("table:nowhere"))
            assert unknown.value.code == "unknown_table"
            with pytest.raises(Refused) as unreadable:
                await client.command("tiger", {"type": "take_seat", "position": 1 << 70})
            assert unreadable.value.code == "not_readable"
            with pytest.raises(Refused) as refused:
                await client.command("tiger", {"type": "take_seat", "position": 99})
            assert refused.value.problem.sequence is not None
            assert client.connected
            assert "tiger" in lobby.view

    asyncio.run(ask())
