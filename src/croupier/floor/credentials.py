"""Credentials of a request: a token for programs, a cookie for browsers, and what guards it.

A browser sends its cookie with every request to this host, whoever made it ask; therefore a
request that changes something shows besides that its page could read an answer of ours.
"""

from __future__ import annotations

import base64
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from croupier.floor.door import ServerCode, TurnedAway, unauthenticated

if TYPE_CHECKING:
    from croupier.floor.sessions import Session, Sessions

COOKIE = "croupier_session"
CSRF_HEADER = "X-CSRF-Token"
BACKGROUND_HEADER = "X-Background"
"""Set by a page that asks by itself: such a request keeps no session open."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""They change nothing."""
CSRF = b"croupier-csrf-1"


class Presented(NamedTuple):
    """A token that came with a request."""

    token: str
    by_cookie: bool


def presented(authorization: str | None, cookies: str | None) -> Presented | None:
    """Return the token of a request, by its headers; that of a program comes first.

    >>> presented("Bearer abc", "croupier_session=def")
    Presented(token='abc', by_cookie=False)
    >>> presented(None, "a=b; croupier_session=def")
    Presented(token='def', by_cookie=True)
    """
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        return Presented(token.strip() if scheme.lower() == "bearer" else "", by_cookie=False)
    for part in (cookies or "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE and value:
            return Presented(value, by_cookie=True)
    return None


def authenticate(
    sessions: Sessions,
    method: str,
    authorization: str | None,
    cookies: str | None,
    csrf: str | None,
    *,
    counts: bool = True,
) -> Session | TurnedAway | None:
    """Return whose request this is; None: nobody's.

    A token that is not good is turned away; a cookie that is not good any more is nobody's,
    since its page shows what everybody may see. Without ``counts`` the session is not in use
    again by this.
    """
    found = presented(authorization, cookies)
    if found is None:
        return None
    if found.by_cookie and method not in SAFE_METHODS and not csrf_holds(found.token, csrf):
        if sessions.find(found.token, counts=counts) is None:
            return None
        return TurnedAway(
            ServerCode.FORBIDDEN,
            f"The header {CSRF_HEADER} is missing or is not that of this session.",
        )
    session = sessions.find(found.token, counts=counts)
    if session is None and not found.by_cookie:
        return unauthenticated(sessions.why_ended(found.token))
    return session


def csrf_of(token: str) -> str:
    """Return what a page shows with its cookie; it follows from the token and not back."""
    digest = sha256(CSRF + token.encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def csrf_holds(token: str, shown: str | None) -> bool:
    """Tell whether a page showed what belongs to its cookie."""
    return shown is not None and secrets.compare_digest(
        csrf_of(token).encode("ascii"), shown.encode("utf-8", "surrogatepass")
    )


def cookie(token: str, seconds: int, *, secure: bool) -> str:
    """Return the value of Set-Cookie for a session; secure where the house speaks TLS."""
    parts = [f"{COOKIE}={token}", "Path=/", f"Max-Age={seconds}", "HttpOnly", "SameSite=Strict"]
    return "; ".join([*parts, "Secure"] if secure else parts)


def cookie_removed(*, secure: bool) -> str:
    """Return the value of Set-Cookie that takes the cookie away."""
    return cookie("", 0, secure=secure)
