"""Commands that are answered before the router: the same as behind it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.floor.api.straight import meant


def scope(path: str, method: str = "POST", query: bytes = b"", kind: str = "http") -> Any:  # noqa: ANN401  # of ASGI
    return {"type": kind, "method": method, "path": path, "query_string": query}


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        (scope("/api/v1/tables/tiger/commands"), "tiger"),
        (scope("/api/v1/cage/commands"), "cage"),
        (scope("/api/v1/accounts/commands"), "accounts"),
        (scope("/api/v1/tables/cage/commands"), "cage"),
        (scope("/api/v1/tables/tiger/commands", "GET"), None),
        (scope("/api/v1/tables/tiger/commands", query=b"after=1"), None),
        (scope("/api/v1/tables/tiger/commands/"), None),
        (scope("/api/v1/tables//commands"), None),
        (scope("/api/v1/tables/a/b/commands"), None),
        (scope("/api/v1/pit/commands"), None),
        (scope("/tables/tiger/commands"), None),
        (scope("/api/v1/tables/tiger/preview"), None),
        ({"type": "lifespan"}, None),
    ],
)
def test_only_commands_are_answered_here(asked: Any, where: str | None) -> None:  # noqa: ANN401
    assert meant(asked) == where
