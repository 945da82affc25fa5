"""Commands answered before the router: three calls that come thousands of times a second.

What they do is the same as behind the router, and the documents of the API describe them there;
here they are only found and answered with less around them.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final, cast

from croupier.floor.api.calls import BASE, AnyRequest, on_problem, problem_response
from croupier.floor.api.commands import order
from croupier.floor.problems import ProblemError, ServerCode, failed
from croupier.floor.reception import ACCOUNTS, CAGE
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from litestar import Litestar, Response

    Scope = Mapping[str, Any]
    Receive = Callable[[], Awaitable[Any]]
    Send = Callable[[Any], Awaitable[None]]

LOGGER = logging.getLogger("croupier.http")
TABLES: Final = f"{BASE}/tables/"
COMMANDS: Final = "/commands"
KEY: Final = "idempotency-key"
BESIDE: Final = {f"{BASE}/{where}{COMMANDS}": where for where in (CAGE, ACCOUNTS)}


def meant(scope: Scope) -> str | None:
    """Return whom the command of a request is for; None: it is another request."""
    if scope["type"] != "http" or scope["method"] != "POST" or scope["query_string"]:
        return None
    path: str = scope["path"]
    if not path.endswith(COMMANDS):
        return None
    if not path.startswith(TABLES):
        return BESIDE.get(path)
    name = path[len(TABLES) : -len(COMMANDS)]
    return name if name and "/" not in name else None


class Asked:
    """A request as a command needs it: its headers, and its body as it comes."""

    method = "POST"

    def __init__(self, app: Litestar, scope: Scope, receive: Receive) -> None:
        self.app, self.scope, self._receive = app, scope, receive
        self.headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            field, text = str(name, "latin-1"), str(value, "latin-1")
            if field == KEY and KEY in self.headers:
                # As HTTP joins them: two keys are none that is allowed.
                self.headers[KEY] += f", {text}"
            self.headers.setdefault(field, text)

    async def stream(self) -> AsyncIterator[bytes]:
        """Give the body part by part."""
        more = True
        while more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                sentence = "The connection ended before the body did."
                raise ProblemError(ServerCode.NOT_READABLE, sentence)
            yield message.get("body", b"")
            more = message.get("more_body", False)


class Straight:
    """An ASGI application that answers commands, and lets the router answer the rest."""

    def __init__(self, app: Litestar) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a command; whatever else comes goes on."""
        where = meant(scope)
        if where is None:
            await self._app(cast("Any", scope), receive, send)
            return
        asked = cast("AnyRequest", Asked(self._app, scope, receive))
        await _sent(await self._answer(asked, where), send)

    async def _answer(self, asked: AnyRequest, where: str) -> Response[bytes]:
        try:
            return await order(asked, where)
        except ProblemError as error:
            return on_problem(asked, error)
        except JournalError as error:
            problem = failed(error)
            return problem_response(problem.problem, problem.retry_seconds)
        except Exception:
            LOGGER.exception("POST of a command failed")
            sentence = "The server could not do this; it is in its log."
            return problem_response(ProblemError(ServerCode.FAILED, sentence).problem)


async def _sent(response: Response[bytes], send: Send) -> None:
    body = response.content
    headers = [
        (b"content-type", str(response.media_type).encode()),
        (b"content-length", str(len(body)).encode()),
        *((name.lower().encode(), value.encode()) for name, value in response.headers.items()),
    ]
    status = response.status_code
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
