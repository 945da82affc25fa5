"""The web application: every HTTP call of a floor, and what all answers carry."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Response, Router
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from croupier.floor.api import admin, commands, events, health, sessions, setup, tables
from croupier.floor.api.calls import (
    BASE,
    AnyRequest,
    on_http,
    on_problem,
    problem_response,
)
from croupier.floor.passing import Passing
from croupier.floor.problems import ProblemError, ServerCode, failed
from croupier.journal.errors import JournalError

if TYPE_CHECKING:
    from croupier.floor.floor import Floor

LOGGER = logging.getLogger("croupier.http")
CALLS = (
    *sessions.CALLS,
    *tables.CALLS,
    *commands.CALLS,
    *events.CALLS,
    *setup.CALLS,
    *admin.CALLS,
)


def on_journal(_: AnyRequest, error: JournalError) -> Response[bytes]:
    """Answer what the journal cannot do now."""
    problem = failed(error)
    return problem_response(problem.problem, problem.retry_seconds)


def on_failure(request: AnyRequest, error: Exception) -> Response[bytes]:
    """Answer our own bug: one sentence to whoever asks, the rest to the log."""
    LOGGER.error("%s %s failed", request.method, request.url.path, exc_info=error)
    sentence = "The server could not do this; it is in its log."
    return problem_response(ProblemError(ServerCode.FAILED, sentence).problem)


def application(floor: Floor, *, access: bool = False) -> Any:  # noqa: ANN401  # an ASGI application
    """Return the application of a floor; with ``access``, every request is logged."""
    made = Litestar(
        [Router(BASE, route_handlers=list(CALLS)), *health.CALLS],
        state=State({"floor": floor}),
        openapi_config=None,
        logging_config=None,
        exception_handlers={
            ProblemError: on_problem,
            JournalError: on_journal,
            HTTPException: on_http,
            Exception: on_failure,
        },
    )
    return Passing(made, floor.metrics, access=access)
