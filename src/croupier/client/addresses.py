"""Where a floor is: its address as somebody types it, and the addresses made from it."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from croupier.client.errors import ClientError

BASE: Final = "/api/v1"
SCHEMES: Final = {"http": "ws", "https": "wss"}


def floor_address(url: str) -> str:
    """Return the address of a floor without what does not belong to it.

    >>> floor_address("localhost:8000/"), floor_address("https://floor.example/baccarat/")
    ('http://localhost:8000', 'https://floor.example/baccarat')
    """
    text = url if "://" in url else f"http://{url}"
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in SCHEMES or not host:
        message = f"{url[:200]!r} is not the address of a floor, such as http://127.0.0.1:8000."
        raise ClientError(message)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def socket_address(floor: str) -> str:
    """Return where the socket of a floor is.

    >>> socket_address("http://localhost:8000")
    'ws://localhost:8000/api/v1/live'
    """
    scheme, rest = floor.split("://", 1)
    return f"{SCHEMES[scheme]}://{rest}{BASE}/live"


@cache
def trusted() -> ssl.SSLContext:
    """Return what certificates are checked by: read once, since it takes a while."""
    return ssl.create_default_context()
