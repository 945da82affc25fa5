"""The walker's turns: what many tables have to tell never keeps commands waiting together."""

from __future__ import annotations

import asyncio
from functools import partial

from croupier.floor.rings import Walker
from tests.floor.rounds import looped


@looped
async def test_each_table_that_has_something_to_tell_has_a_turn_of_its_own() -> None:
    walker, turn, told = Walker(asyncio.get_running_loop()), 0, dict[str, int]()

    def tell(name: str) -> None:
        assert name not in told, "told twice"
        told[name] = turn

    works = {name: partial(tell, name) for name in "abcdef"}
    for name in "abc":
        walker.at_end(works[name])
        walker.at_end(works[name])  # however often it is asked for
    for name in "def":
        walker.in_turn(works[name])
    while len(told) < len(works):
        turn += 1
        assert turn < 20
        await asyncio.sleep(0)
    assert told["a"] == 1  # the first of them at once
    assert len({told[name] for name in "bcdef"}) == 5


@looped
async def test_a_turn_that_fails_ends_no_other() -> None:
    loop, failed, told = asyncio.get_running_loop(), list[str](), list[int]()
    loop.set_exception_handler(lambda _, what: failed.append(str(what["exception"])))
    walker = Walker(loop)

    def fail() -> None:
        message = "it cannot be told"
        raise ValueError(message)

    for number in range(3):
        walker.in_turn(fail)
        walker.in_turn(partial(told.append, number))
    for _ in range(10):
        await asyncio.sleep(0)
    assert failed == 3 * ["it cannot be told"]
    assert told == [0, 1, 2]
