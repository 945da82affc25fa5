"""By which names a house is reached.

A page elsewhere can let its own name lead to this machine (DNS rebinding). To a browser that
page is one of this house then, and Origin and Host agree; so the name itself must be known. An
address in figures always is: nobody can give it another meaning.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

LOCAL: Final = "localhost"


def names_of(origins: Iterable[str], *others: str) -> frozenset[str]:
    """Return the names of a house: this machine's, those of its origins, and others."""
    found = (_name(urlsplit(one).netloc) for one in origins)
    names = (LOCAL, socket.gethostname(), *others)
    return frozenset(one.lower() for one in (*names, *found) if one)


def is_known(host: str, names: frozenset[str]) -> bool:
    """Tell whether a house is reached by what a request calls it.

    >>> names = names_of(["https://floor.example:8443"])
    >>> [is_known(one, names) for one in ("127.0.0.1:8000", "[::1]:8000", "LOCALHOST:1")]
    [True, True, True]
    >>> [is_known(one, names) for one in ("floor.example", "evil.example", "", "a b", "[x")]
    [True, False, False, False, False]
    """
    name = _name(host)
    return name in names or _is_address(name)


def _name(host: str) -> str:
    """Return the name in a header Host, without a port; empty: there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
