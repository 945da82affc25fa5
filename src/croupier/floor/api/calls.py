"""What every HTTP call shares: who asks, answers as JSON, problems, how a call is described.

A call says in its options what it takes and gives; the OpenAPI document is made from that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from litestar import Request, Response

from croupier.floor.credentials import CSRF_HEADER, authenticate
from croupier.floor.door import TurnedAway
from croupier.floor.problems import MEDIA_TYPE, Problem, ProblemError, ServerCode, turned_away
from croupier.floor.wire import BODY_BYTES

if TYPE_CHECKING:
    from litestar.exceptions import HTTPException

    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker

BASE: Final = "/api/v1"
JSON: Final = "application/json"
AnyRequest = Request[Any, Any, Any]
encode = msgspec.json.Encoder().encode
CODES_BY_STATUS: Final = {404: ServerCode.NOT_FOUND, 405: ServerCode.NOT_ALLOWED}


def floor_of(request: AnyRequest) -> Floor:
    """Return the floor that serves a request."""
    floor: Floor = request.app.state.floor
    return floor


def asker_of(request: AnyRequest) -> Asker:
    """Return who asks; nobody, where no session comes with the request."""
    floor, headers = floor_of(request), request.headers
    found = authenticate(
        floor.people.sessions,
        request.method,
        headers.get("authorization"),
        headers.get("cookie"),
        headers.get(CSRF_HEADER.lower()),
    )
    if isinstance(found, TurnedAway):
        raise turned_away(found)
    if found is not None:
        floor.people.sessions.use(found)
        too_many = found.allowance.message()
        if too_many is not None:
            raise turned_away(too_many)
    return floor.reception.asker(found)


def signed_in(request: AnyRequest) -> Asker:
    """Return who asks; refuse nobody."""
    asker = asker_of(request)
    if asker.name is None:
        message = "This is for whoever is signed in: POST /api/v1/sessions."
        raise ProblemError(ServerCode.UNAUTHENTICATED, message)
    return asker


async def body_of(request: AnyRequest) -> bytes:
    """Return the body of a request, which may not be larger than allowed."""
    if int(request.headers.get("content-length") or 0) > BODY_BYTES:
        raise too_large()
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > BODY_BYTES:
            raise too_large()
        parts.append(part)
    return b"".join(parts)


def too_large() -> ProblemError:
    """Say how large a body may be."""
    return ProblemError(ServerCode.TOO_LARGE, f"A body may have {BODY_BYTES} bytes.")


def answered(
    body: object, status: int = 200, headers: dict[str, str] | None = None
) -> Response[bytes]:
    """Return something as JSON."""
    data = body if isinstance(body, bytes) else encode(body)
    return Response(data, status_code=status, media_type=JSON, headers=headers)


def problem_response(problem: Problem, retry_seconds: float | None = None) -> Response[bytes]:
    """Return a problem."""
    headers = (
        {} if retry_seconds is None else {"Retry-After": str(max(1, round(retry_seconds)))}
    )
    return Response(
        encode(problem), status_code=problem.status, media_type=MEDIA_TYPE, headers=headers
    )


def on_problem(request: AnyRequest, error: ProblemError) -> Response[bytes]:
    """Answer somebody who is turned away."""
    floor_of(request).metrics.problems[error.code.value] += 1
    return problem_response(error.problem, error.retry_seconds)


def on_http(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """Answer what the framework turns away."""
    code = CODES_BY_STATUS.get(error.status_code, ServerCode.NOT_READABLE)
    floor_of(request).metrics.problems[code.value] += 1
    return problem_response(ProblemError(code, f"{error.detail.rstrip('.')}.").problem)
