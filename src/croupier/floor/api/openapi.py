"""The documents of the API: OpenAPI 3.1 of the HTTP calls, AsyncAPI 3 of the socket.

Both are made from what the server itself uses: the calls as their handlers describe them, and
the shapes by which messages are read and written.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec
from litestar import Litestar, Response, get
from litestar.routes import HTTPRoute

from croupier import __version__
from croupier.floor.alarms import Alarm
from croupier.floor.api.bodies import SaidCommand
from croupier.floor.api.calls import CALL, AnyRequest, Call, constant, described
from croupier.floor.credentials import COOKIE, CSRF_HEADER, SAFE_METHODS
from croupier.floor.problems import MEDIA_TYPE, Problem, ServerCode
from croupier.floor.sent import CHANGE_KINDS, SENT, VIEW_KINDS, Mine
from croupier.floor.wire import FRAME_BYTES, KEY_PATTERN, Commanded, Said
from croupier.table.views.lobby import TableSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from litestar.handlers import HTTPRouteHandler

REFS: Final = "#/components/schemas/{name}"
COMMON: Final = (
    ServerCode.UNAUTHENTICATED,
    ServerCode.BAD_ORIGIN,
    ServerCode.NOT_READABLE,
    ServerCode.TOO_MANY,
)
"""What every call may say no with: a token that is not good, a name that is none of this house,
something that cannot be read, one request too many."""
REFUSED: Final = (
    "and every code of docs/refusals.md: the table, the cage or the accounts refused"
)
SIGNED_IN: Final[list[dict[str, list[str]]]] = [{"bearer": []}, {"cookie": []}]
ANYBODY: Final[list[dict[str, list[str]]]] = [{}, *SIGNED_IN]
SAID: Final = tuple(SaidCommand if one is Commanded else one for one in get_args(Said))
"""Everything that a client may say."""
INDENT: Final = 1
Schema = dict[str, Any]


# Shapes


class Schemas:
    """The shapes of a document, each named once."""

    def __init__(self, kinds: Iterable[Any]) -> None:
        self._kinds = tuple(dict.fromkeys(kinds))
        found, self.named = msgspec.json.schema_components(self._kinds, ref_template=REFS)
        self._by_kind = dict(zip(self._kinds, found, strict=True))

    def of(self, kind: Any) -> Schema:  # noqa: ANN401  # any type
        """Return the schema of a type: where the document has it."""
        return dict(self._by_kind[kind])

    @property
    def components(self) -> Schema:
        """Return all shapes by name."""
        return dict(sorted(self.named.items()))


# HTTP


def calls_of(app: Litestar) -> Iterator[tuple[HTTPRoute, str, HTTPRouteHandler]]:
    """Yield every call of an application, in the order of paths; OPTIONS tells the methods."""
    routes = (route for route in app.routes if isinstance(route, HTTPRoute))
    for route in sorted(routes, key=lambda one: one.path_format):
        for method, found in sorted(route.route_handler_map.items()):
            if method != "OPTIONS":
                yield route, str(method), found[0]


def described_of(handler: HTTPRouteHandler) -> Call:
    """Return how a call is described."""
    call: Call = handler.opt[CALL]
    return call


def openapi(app: Litestar) -> Schema:
    """Return the OpenAPI document of an application."""
    calls = [one for one in calls_of(app) if CALL in one[2].opt]
    told = [described_of(handler) for _, _, handler in calls]
    kinds = [kind for call in told for kind in (call.gives, call.takes, *call.shapes)]
    schemas = Schemas((Problem, *(kind for kind in kinds if kind is not None)))
    paths: dict[str, Schema] = {}
    for route, method, handler in calls:
        item = paths.setdefault(route.path_format, {})
        item[method.lower()] = _operation(route, handler, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Croupier: a floor of casino baccarat",
            "version": __version__,
            "description": "Money is integer cents; moments are ISO 8601 in UTC. HEAD answers"
            " as GET does, without a body. The socket is described by /asyncapi.json.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": f"Of a browser; what changes something has {CSRF_HEADER}.",
                },
            },
        },
    }


def _operation(route: HTTPRoute, handler: HTTPRouteHandler, schemas: Schemas) -> Schema:
    call = described_of(handler)
    summary = (handler.fn.__doc__ or "").strip().partition("\n")[0]
    found: Schema = {
        "operationId": handler.handler_name,
        "summary": summary,
        "security": SIGNED_IN if call.signed_in or call.commands else ANYBODY,
        "parameters": [*_path_parameters(route), *_query_parameters(call), *_headers(call)],
        "responses": _responses(handler, call, schemas),
    }
    if call.takes is not None:
        body = {"application/json": {"schema": schemas.of(call.takes)}}
        found["requestBody"] = {"required": True, "content": body}
    return found


def _path_parameters(route: HTTPRoute) -> list[Schema]:
    kinds: dict[type, Schema] = {
        int: {"type": "integer", "minimum": 0},
        str: {"type": "string", "minLength": 1},
    }
    return [
        {"name": name, "in": "path", "required": True, "schema": kinds[parameter.type]}
        for name, parameter in route.path_parameters.items()
    ]


def _query_parameters(call: Call) -> list[Schema]:
    if call.query is None:
        return []
    named = msgspec.json.schema(call.query)["$defs"]
    schema = named[call.query.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": _whole(_without_null(one), named),
        }
        for name, one in schema["properties"].items()
    ]


def _whole(schema: Schema, named: dict[str, Schema]) -> Schema:
    """Return the schema of a parameter itself, where it is a name."""
    return named[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _without_null(schema: Schema) -> Schema:
    """Return the schema of a parameter: what is null in code is left out on the wire."""
    kinds = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else schema


def _headers(call: Call) -> list[Schema]:
    if not call.commands:
        return []
    return [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": True,
            "description": "The same key and command give the same answer; best a UUIDv7.",
            "schema": {"type": "string", "pattern": f"^{KEY_PATTERN.pattern}$"},
        }
    ]


def _responses(handler: HTTPRouteHandler, call: Call, schemas: Schemas) -> Schema:
    done: Schema = {"description": "Done."}
    if call.gives is not None:
        kinds = (call.media_type, *call.other_media_types)
        done["content"] = {kind: {"schema": schemas.of(call.gives)} for kind in kinds}
    found = {str(handler.status_code): done}
    if call.constant:
        found["304"] = {"description": "As it was known by its ETag."}
    by_status: dict[int, list[str]] = {}
    unsafe = () if set(handler.http_methods) <= SAFE_METHODS else (ServerCode.BAD_ORIGIN,)
    for code in dict.fromkeys((*COMMON, *call.problems, *unsafe)):
        by_status.setdefault(code.status, []).append(code.value)
    if call.commands or call.refuses:
        by_status.setdefault(409, []).append(REFUSED)
    for status, codes in sorted(by_status.items()):
        found[str(status)] = {
            "description": f"{', '.join(codes)}.",
            "content": {MEDIA_TYPE: {"schema": schemas.of(Problem)}},
        }
    return found


# The socket


def asyncapi() -> Schema:
    """Return the AsyncAPI document of the socket."""
    schemas = Schemas((*SAID, *SENT, *VIEW_KINDS, *CHANGE_KINDS, TableSummary, Mine, Alarm))
    said = {kind.__name__: kind for kind in SAID}
    sent = {kind.__name__: kind for kind in SENT}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Croupier: the socket of a floor",
            "version": __version__,
            "description": "One socket for everything, text frames of JSON. A client is a"
            " fold: view = {...view, ...change.view}; areas merges one level deep, and null"
            " removes.",
        },
        "channels": {
            "live": {
                "address": "/api/v1/live",
                "description": f"Opened by a ticket of POST /api/v1/tickets, or a token. A"
                f" message of a client has at most {FRAME_BYTES} bytes.",
                "messages": {
                    name: {"$ref": f"#/components/messages/{name}"} for name in (*said, *sent)
                },
                "bindings": {"ws": {"query": _TICKET}},
            }
        },
        "operations": {
            "say": _operation_of("receive", "What clients say.", said),
            "hear": _operation_of("send", "What the server says.", sent),
        },
        "components": {
            "messages": {name: _message(kind, schemas) for name, kind in (said | sent).items()},
            "schemas": schemas.components,
        },
    }


_TICKET: Final[Schema] = {
    "type": "object",
    "properties": {"ticket": {"type": "string", "description": "Used once, within 30 s."}},
}


def _operation_of(action: str, summary: str, kinds: Iterable[str]) -> Schema:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/live"},
        "messages": [{"$ref": f"#/channels/live/messages/{name}"} for name in kinds],
    }


def _message(kind: type[msgspec.Struct], schemas: Schemas) -> Schema:
    return {
        "name": str(kind.__struct_config__.tag),
        "contentType": "application/json",
        "summary": (kind.__doc__ or "").strip().partition("\n")[0],
        "payload": schemas.of(kind),
    }


# Serving


def written(document: Schema) -> str:
    """Return a document as it is kept in the project and served."""
    text = msgspec.json.format(msgspec.json.encode(document), indent=INDENT)
    return f"{text.decode()}\n"


@cache
def _asyncapi() -> bytes:
    return written(asyncapi()).encode()


def _openapi(request: AnyRequest) -> Response[bytes]:
    state = request.app.state
    if state.openapi is None:
        state.openapi = written(openapi(request.app)).encode()
    return constant(request, state.openapi)


@get("/openapi.json", opt=described(gives=dict[str, Any], constant=True))
async def openapi_json(request: AnyRequest) -> Response[bytes]:
    """Return this document."""
    return _openapi(request)


@get("/openapi.json", opt=described(gives=dict[str, Any], constant=True))
async def base_openapi_json(request: AnyRequest) -> Response[bytes]:
    """Return this document, also beside the calls that it describes."""
    return _openapi(request)


@get("/asyncapi.json", opt=described(gives=dict[str, Any], constant=True))
async def asyncapi_json(request: AnyRequest) -> Response[bytes]:
    """Return the document of the socket."""
    return constant(request, _asyncapi())


CALLS = (base_openapi_json,)
BESIDE = (openapi_json, asyncapi_json)
