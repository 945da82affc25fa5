"""Security headers: what every answer tells a browser about itself.

A page of this house runs its own scripts and styles from files alone, is shown in no frame,
and sends nothing elsewhere; what it is told by calls is kept in no cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Scope = MutableMapping[str, Any]
    Message = MutableMapping[str, Any]
    Send = Callable[[Message], Awaitable[None]]
    Receive = Callable[[], Awaitable[Message]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
    " object-src 'none'"
)
"""No inline script and no inline style: neither is named, so neither is run."""
PERMISSIONS: Final = ", ".join(
    f"{one}=()" for one in ("camera", "microphone", "geolocation", "payment", "usb", "serial")
)
ALWAYS: Final = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", PERMISSIONS),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
TRANSPORT: Final = ("Strict-Transport-Security", "max-age=31536000")
"""Where the house speaks TLS: a browser comes by TLS alone from then on."""
CACHE: Final = ("Cache-Control", "no-store")
"""Where an answer does not say itself how long it holds."""


def answer_headers(*, secure: bool = False) -> list[tuple[str, str]]:
    """Return what every answer carries; ``secure`` where it goes over TLS."""
    return [*ALWAYS, CACHE, *([TRANSPORT] if secure else [])]


def guarded(application: Application) -> Application:
    """Return an application all of whose answers carry these headers, problems too."""
    plain, tls = (_encoded(secure=secure) for secure in (False, True))

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        ours = tls if scope["scheme"] == "https" else plain

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                theirs = list(message.get("headers", ()))
                said = {name.lower() for name, _ in theirs}
                theirs += [one for one in ours if one[0] not in said]
                message["headers"] = theirs
            await send(message)

        await application(scope, receive, sent)

    return guard


def _encoded(*, secure: bool) -> list[tuple[bytes, bytes]]:
    return [
        (name.lower().encode(), value.encode()) for name, value in answer_headers(secure=secure)
    ]
