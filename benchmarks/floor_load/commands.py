"""Durable commands: every sender places a wager, waits for its answer, and places the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from floor_load.common import ACCEPTED, Dealers, Measured, key, order, spread, wager
from floor_load.crowd import Crowd, clock, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from floor_load.common import Plan, Row
    from floor_load.founding import Bettor

BRACE = 0x7D
"""The last byte of an answer over HTTP, and of no head of one."""


def sockets(plan: Plan) -> list[Row]:
    """Send over WebSockets."""
    crowd = Crowd(plan.port)
    Dealers(crowd, plan.house).call()
    bettors = plan.house.bettors[: plan.senders]
    numbers = crowd.join(one.token for one in bettors)
    saying = dict(zip(numbers, map(_saying, bettors), strict=True))
    return _run(plan, crowd, saying, ("15,000", "p99 50 ms"))


def http(plan: Plan) -> list[Row]:
    """Send over HTTP, on connections that stay open."""
    crowd = Crowd(plan.port)
    Dealers(crowd, plan.house).call()
    bettors = plan.house.bettors[: plan.senders]
    numbers = crowd.connect(len(bettors))
    posting = dict(zip(numbers, map(_posting, bettors), strict=True))
    return _run(plan, crowd, posting, ("4,000", ""))


def _run(
    plan: Plan, crowd: Crowd, making: dict[int, Callable[[], bytes]], wanted: tuple[str, str]
) -> list[Row]:
    waits: list[float] = []
    starts: dict[int, float] = {}
    refused = 0
    measured = Measured(plan)
    for number, make in making.items():
        starts[number] = clock()
        crowd.send(number, make())
    while measured.passed < plan.seconds:
        for number, data in crowd.parts(0.1):
            if data[-1] != BRACE:
                continue  # the body of an answer follows its head
            waits.append(clock() - starts[number])
            if ACCEPTED not in data:
                refused += 1
            starts[number] = clock()
            crowd.send(number, making[number]())
    assert waits, "nobody was answered"
    assert not crowd.gone, f"{len(crowd.gone)} were closed"
    rows = measured.rows(len(waits))
    return [
        ("commands a second", f"{len(waits) / measured.passed:,.0f}", wanted[0]),
        ("answered (p50, p99, longest)", spread(waits), wanted[1]),
        ("refused", str(refused), "0"),
        *rows,
    ]


def _saying(bettor: Bettor) -> Callable[[], bytes]:
    said = wager(bettor)
    return lambda: text(order(bettor.table, said).encode())


def _posting(bettor: Bettor) -> Callable[[], bytes]:
    body = f"{{{wager(bettor)}}}"
    head = (
        f"POST /api/v1/tables/{bettor.table}/commands HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {bettor.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nIdempotency-Key: "
    )

    def made() -> bytes:
        return f"{head}{key()}\r\n\r\n{body}".encode()

    return made
