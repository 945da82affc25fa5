"""The names of a house: its machine, its origins, and addresses in figures."""

from __future__ import annotations

import socket

import pytest

from croupier.floor.hosts import is_known, names_of

NAMES = names_of(["https://Floor.example:8443", "http://[2001:db8::1]"], "house.internal")


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8000", "LOCALHOST.", socket.gethostname().upper()),
        *("floor.example", "floor.example:1", "house.internal:8000"),
        *("127.0.0.1:8000", "10.1.2.3:80", "[::1]:8000", "[2001:db8::2]"),
    ],
)
def test_names_of_the_house(host: str) -> None:
    assert is_known(host, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "floor.example.evil.example", "xfloor.example", "example", ""),
        *("evil.example:localhost", "localhost@evil.example", "127.1.evil.example", "[", "a b"),
        *("evil.example/localhost", "2130706433.evil", "evil.example?localhost", ":8000"),
    ],
)
def test_names_of_others(host: str) -> None:
    assert not is_known(host, NAMES)
