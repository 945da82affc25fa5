"""What every HTTP call shares: who asks, answers as JSON, problems, how a call is described.

A call says in its options what it takes and gives; the OpenAPI document is made from that.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from msgspec.inspect import IntType, UnionType, type_info

from croupier.floor.credentials import (
    BACKGROUND_HEADER,
    CSRF_HEADER,
    SAFE_METHODS,
    authenticate,
    presented,
)
from croupier.floor.door import TurnedAway
from croupier.floor.problems import MEDIA_TYPE, Problem, ProblemError, ServerCode, turned_away
from croupier.floor.wire import BODY_BYTES, INTEGER_MAX, check_shape, digits, not_readable
from croupier.rules.errors import listed, quoted

if TYPE_CHECKING:
    from litestar.exceptions import HTTPException

    from croupier.floor.door import Ended
    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker

BASE: Final = "/api/v1"
SIGN_IN: Final = f"{BASE}/sessions"
CURRENT_SESSION: Final = f"{SIGN_IN}/current"
JSON: Final = "application/json"
AnyRequest = Request[Any, Any, Any]
encode = msgspec.json.Encoder().encode
BODY_SECONDS: Final = 8.0
"""Within which time a body comes, since an answer comes within ten."""
BROWSING: Final = frozenset(("origin", "sec-fetch-site", "accept-language"))
"""What browsers say of themselves; the last even where a name leads them without TLS, and no
page can leave it out."""
CODES_BY_STATUS: Final = {404: ServerCode.NOT_FOUND, 405: ServerCode.NOT_ALLOWED}
NO_STORE: Final = "no-store"
"""Nobody on the way keeps an answer: the next one may be another, or for somebody else."""
CONSTANT: Final = "public, max-age=3600"
"""What does not change while this release runs may be kept."""
WHOLE: Final = re.compile(r"-?[0-9]+")
"""A number in a path."""
CALL: Final = "call"
"""Under which name of a handler's options its call is described."""

Sequence = Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)]
Query = TypeVar("Query", bound=msgspec.Struct)


# How a call is described


@dataclass(frozen=True, kw_only=True)
class Call:
    """What a call takes, gives and says no to."""

    gives: Any = None
    """The type of the answer; None: it has no body."""
    takes: Any = None
    """The type of the body; None: it has none."""
    shapes: tuple[type, ...] = ()
    """Those of which something in the answer has one."""
    query: type[msgspec.Struct] | None = None
    """The parameters behind the question mark."""
    problems: tuple[ServerCode, ...] = ()
    signed_in: bool = False
    """Whether it is for those alone who are signed in."""
    commands: bool = False
    """Whether it gives a command: it needs a key, and what is refused is recorded."""
    refuses: bool = False
    """Whether it says what would be refused, and nothing is recorded."""
    media_type: str = JSON
    other_media_types: tuple[str, ...] = ()
    """In which the answer comes, if the request wants it so."""
    constant: bool = False
    """Whether the answer is the same while this release runs."""

    def __deepcopy__(self, _: object) -> Call:
        """Return the same: Litestar copies the options of handlers, and this is frozen."""
        return self


def described(**call: Any) -> dict[str, Any]:  # noqa: ANN401  # the fields of Call
    """Return the options of a handler that describe its call."""
    return {CALL: Call(**call)}


class After(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Show at least this record."""

    after: Sequence | None = None
    """The sequence of a record: wait for it, up to 2 s."""


def call_of(request: AnyRequest) -> Call | None:
    """Return how the call of a request is described."""
    found: Call | None = request.route_handler.opt.get(CALL)
    return found


async def check_request(request: AnyRequest) -> None:
    """Refuse a request that is not meant for this house, or has what its call does not know.

    It waits for nothing; but Litestar would call a plain function in a thread, every time.
    """
    # What stands beside is for whoever watches the machine, by whatever name.
    if request.scope["path"].startswith(BASE):
        headers, floor = request.headers, floor_of(request)
        found = presented(headers.get("authorization"), headers.get("cookie"))
        known = found is not None and floor.people.sessions.find(found.token, counts=False)
        if not BROWSING.isdisjoint(headers):
            floor.require_host(headers.get("host"))
        if not known:
            _check_stranger(request)
    _check_numbers(request)
    _check_query(request)


def _check_stranger(request: AnyRequest) -> None:
    """Refuse one request too many of an address from which nobody is signed in.

    Signing in has limits of its own, and comes from many behind one address after a failure.
    """
    signs_in = request.method == "POST" and request.scope["path"] == SIGN_IN
    if request.client is None or signs_in:
        return
    too_many = floor_of(request).people.strangers.request(request.client.host)
    if too_many is not None:
        raise turned_away(too_many)


def _check_numbers(request: AnyRequest) -> None:
    """Refuse a path with a number that is not digits: the router takes what Python takes."""
    if not any(isinstance(one, int) for one in request.path_params.values()):
        return
    path = request.scope["path"]
    asked = zip(request.scope["path_template"].split("/"), path.split("/"), strict=False)
    for part, text in asked:
        number = isinstance(request.path_params.get(part.strip("{}")), int)
        if part.startswith("{") and number and not WHOLE.fullmatch(text):
            raise ProblemError(ServerCode.NOT_FOUND, f"There is nothing at {quoted(path)}.")


def _check_query(request: AnyRequest) -> None:
    """Refuse a parameter that the call does not know: a misspelt one is no wish."""
    if not request.scope["query_string"]:
        return
    came = request.query_params
    call = call_of(request)
    if not came or call is None:
        return
    known = () if call.query is None else call.query.__struct_fields__
    for name in came:
        if name not in known:
            allowed = f"known are {listed(list(known))}" if known else "it knows none"
            message = f"The call has no parameter {quoted(name)}; {allowed}."
            raise ProblemError(ServerCode.NOT_READABLE, message)


def query_of(request: AnyRequest, kind: type[Query]) -> Query:
    """Return the parameters of a request."""
    values = request.query_params.dict()
    for name, given in values.items():
        if len(given) > 1:
            message = f"The parameter {quoted(name)} came {len(given)} times; it is given once."
            raise ProblemError(ServerCode.NOT_READABLE, message)
    whole = _whole_numbers(kind)
    try:
        return msgspec.convert(
            {
                name: _number(name, given[0]) if name in whole else given[0]
                for name, given in values.items()
            },
            kind,
        )
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise not_readable(error, "query") from error


@cache
def _whole_numbers(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return which parameters of a call are whole numbers."""
    found = set()
    for one in msgspec.structs.fields(kind):
        info = type_info(one.type)
        kinds = info.types if isinstance(info, UnionType) else (info,)
        if any(isinstance(part, IntType) for part in kinds):
            found.add(one.name)
    return frozenset(found)


def _number(name: str, text: str) -> int:
    """Return the number that a parameter is: digits, and nothing that Python reads beside."""
    number = digits(text)
    if number is None:
        message = f"The parameter {quoted(name)} is a whole number in digits, of 64 bits."
        raise ProblemError(ServerCode.NOT_READABLE, message)
    return number


# Who asks, and what they bring


def floor_of(request: AnyRequest) -> Floor:
    """Return the floor that serves a request."""
    floor: Floor = request.app.state.floor
    return floor


def asker_of(request: AnyRequest) -> Asker:
    """Return who asks; nobody, where no session comes with the request."""
    floor, headers = floor_of(request), request.headers
    if request.method not in SAFE_METHODS:
        floor.require_origin(headers.get("origin"), headers.get("host"))
    found = authenticate(
        floor.people.sessions,
        request.method,
        headers.get("authorization"),
        headers.get("cookie"),
        headers.get(CSRF_HEADER.lower()),
        counts=headers.get(BACKGROUND_HEADER.lower()) is None,
    )
    if isinstance(found, TurnedAway):
        raise turned_away(found)
    if found is not None and not _signs_out(request):
        too_many = found.allowance.message()
        if too_many is not None:
            raise turned_away(too_many)
    return floor.reception.asker(found)


def _signs_out(request: AnyRequest) -> bool:
    """Tell whether a session is to end: nobody who floods keeps its owner from that."""
    return request.method == "DELETE" and request.scope["path"] == CURRENT_SESSION


def signed_in(request: AnyRequest) -> Asker:
    """Return who asks; refuse nobody."""
    asker = asker_of(request)
    if asker.name is None:
        message = "This is for whoever is signed in: POST /api/v1/sessions."
        raise ProblemError(ServerCode.UNAUTHENTICATED, message, ended=why_ended(request))
    return asker


def why_ended(request: AnyRequest) -> Ended | None:
    """Return why the session of a browser's cookie is over."""
    found = presented(None, request.headers.get("cookie"))
    return None if found is None else floor_of(request).people.sessions.why_ended(found.token)


async def body_of(request: AnyRequest) -> bytes:
    """Return the body of a request, which may not be larger than allowed."""
    length = digits(request.headers.get("content-length") or "0")
    if length is None or length > BODY_BYTES:
        raise too_large()
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                size += len(part)
                if size > BODY_BYTES:
                    raise too_large()
                parts.append(part)
    except TimeoutError:
        message = f"The body did not come within {BODY_SECONDS:.0f} seconds."
        raise ProblemError(ServerCode.NOT_READABLE, message) from None
    return b"".join(parts)


async def read_body(request: AnyRequest, kind: type[Query]) -> Query:
    """Return the body of a request; one that all may be left out of may be empty."""
    data = await body_of(request) or b"{}"
    check_shape(data)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise not_readable(error, "body") from error


def too_large() -> ProblemError:
    """Say how large a body may be."""
    return ProblemError(ServerCode.TOO_LARGE, f"A body may have {BODY_BYTES} bytes.")


def answered(
    body: object, status: int = 200, headers: dict[str, str] | None = None
) -> Response[bytes]:
    """Return something as JSON, for whoever asks and for now."""
    data = body if isinstance(body, bytes) else encode(body)
    return Response(
        data,
        status_code=status,
        media_type=JSON,
        headers={"Cache-Control": NO_STORE, **(headers or {})},
    )


def constant(request: AnyRequest, data: bytes) -> Response[bytes]:
    """Return JSON that does not change while this release runs; nothing, if it is known."""
    tag = f'"{sha256(data).hexdigest()[:32]}"'
    headers = {"Cache-Control": CONSTANT, "ETag": tag}
    if tag in (request.headers.get("if-none-match") or ""):
        return Response(b"", status_code=304, media_type=JSON, headers=headers)
    return Response(data, media_type=JSON, headers=headers)


def problem_response(problem: Problem, retry_seconds: float | None = None) -> Response[bytes]:
    """Return a problem."""
    headers = {"Cache-Control": NO_STORE}
    if retry_seconds is not None:
        headers["Retry-After"] = str(max(1, round(retry_seconds)))
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
    path = quoted(request.url.path)
    sentences = {
        ServerCode.NOT_FOUND: f"There is nothing at {path}.",
        ServerCode.NOT_ALLOWED: f"There is no {request.method} at {path}; OPTIONS tells more.",
    }
    sentence = sentences.get(code, f"{error.detail.rstrip('.')}.")
    return problem_response(ProblemError(code, sentence).problem)
