"""The web application: every HTTP call of a floor, and what all answers carry."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Response, Router
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from croupier.floor.api import (
    admin,
    attendant,
    cage,
    commands,
    devices,
    events,
    games,
    health,
    house,
    journal,
    openapi,
    performance,
    pit,
    play,
    reports,
    rounds,
    sessions,
    setup,
    shoes,
    tables,
)
from croupier.floor.api.calls import (
    BASE,
    AnyRequest,
    check_request,
    on_http,
    on_problem,
    problem_response,
)
from croupier.floor.api.straight import Straight
from croupier.floor.history import History
from croupier.floor.passing import Passing
from croupier.floor.played import Played
from croupier.floor.problems import ProblemError, ServerCode, failed
from croupier.floor.screens import FOLDER, Screens
from croupier.journal.errors import JournalError
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.floor import Floor

LOGGER = logging.getLogger("croupier.http")
CALLS = (
    *house.CALLS,
    *sessions.CALLS,
    *games.CALLS,
    *tables.CALLS,
    *rounds.CALLS,
    *shoes.CALLS,
    *commands.CALLS,
    *events.CALLS,
    *setup.CALLS,
    *admin.CALLS,
    *devices.CALLS,
    *attendant.CALLS,
    *pit.CALLS,
    *performance.CALLS,
    *reports.CALLS,
    *cage.CALLS,
    *journal.CALLS,
    *play.CALLS,
    *openapi.CALLS,
)
"""Under /api/v1."""
BESIDE = (*openapi.BESIDE, *health.CALLS)
"""Not under it."""


def on_journal(_: AnyRequest, error: JournalError) -> Response[bytes]:
    """Answer what the journal cannot do now."""
    problem = failed(error)
    return problem_response(problem.problem, problem.retry_seconds)


def on_failure(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Answer our own bug: one sentence to whoever asks, the rest to the log."""
    LOGGER.error("%s %s failed", request.method, request.url.path, exc_info=error)
    sentence = "The server could not do this; it is in its log."
    return problem_response(ProblemError(ServerCode.FAILED, sentence).problem)


def routed(floor: Floor | None) -> Litestar:
    """Return all calls of a floor; without one they can be described, and not answered."""
    return Litestar(
        [Router(BASE, route_handlers=list(CALLS)), *BESIDE],
        state=_state(floor),
        before_request=check_request,
        openapi_config=None,
        logging_config=None,
        exception_handlers={
            ProblemError: on_problem,
            JournalError: on_journal,
            HTTPException: on_http,
            Exception: on_failure,
        },
    )


def _state(floor: Floor | None) -> State:
    """Return what calls share."""
    state = State(
        {
            "floor": floor,
            "odds": games.OddsDesk(),
            "shoes": shoes.Shoes(),
            "ledger": cage.LedgerDesk(),
            "openapi": None,
        }
    )
    if floor is not None:
        store = floor.house.store
        state["history"] = History(store, RULEBOOKS)
        state["played"] = Played(store, floor.house.tables)
    return state


def application(floor: Floor, *, access: bool = False, screens: Path = FOLDER) -> Any:  # noqa: ANN401  # an ASGI application
    """Return the application of a floor; with ``access``, every request is logged.

    ``screens`` is the folder of the pages, which may be missing.
    """
    answering = answering_heads(Screens(Straight(routed(floor)), screens))
    return Passing(answering, floor.metrics, access=access)


def answering_heads(app: Any) -> Any:  # noqa: ANN401  # ASGI applications
    """Let an application answer HEAD as it does GET, without the body."""

    async def gone() -> dict[str, str]:
        # Whoever wants no body does not wait for one: a stream of events ends at once.
        return {"type": "http.disconnect"}

    async def answer(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await app(scope, receive, send)
            return

        async def without_body(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await app({**scope, "method": "GET"}, gone, without_body)

    return answer
