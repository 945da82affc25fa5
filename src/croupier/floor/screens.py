"""The screens: files that were built from ``web/``, served beside the calls.

Every file is known by its path since it was listed, so no path leads out of the folder. Files
under ``/assets/`` have a hash in their names and never change; the page itself is asked for
every time. Without the folder one plain page says how to build it.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from croupier.floor.headers import Message, Receive, Scope, Send

FOLDER: Final = Path(__file__).resolve().parent / "static"
"""Where the build puts them; a wheel has them, a checkout after ``make web``."""
PAGE: Final = "/index.html"
ASSETS: Final = "/assets/"
ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
"""Variants that the build made beside a file, the smaller one first."""
FOREVER: Final = "public, max-age=31536000, immutable"
ASKED: Final = "no-cache"
"""Kept, and asked for every time whether it is still the same."""
WITH_NAME: Final = frozenset({"table", "dealer", "display"})
"""Screens of a table, with at most a part of them behind it: ``/table/tiger/history``."""
ALONE: Final = frozenset(
    (
        *("", "signin", "setup", "password"),
        *("lobby", "tables", "dealer", "display", "pit", "cage", "audit", "house"),
    )
)
DEEPER: Final = frozenset({"pit", "cage", "audit"})
"""Screens of several parts, as ``/pit/alarms``."""
PARTS_MAX: Final = 6
NAME_AND_PART: Final = 2
HOST: Final = re.compile(rb"[A-Za-z0-9.-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; media-src 'self'; manifest-src 'self'; connect-src 'self'{sockets};"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
"""No inline script and no inline style; data goes to this host alone."""
NOT_BUILT: Final = b"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Croupier</title></head>
<body>
<h1>Croupier</h1>
<p>The house is open, and its screens are not built yet. In the folder of the project run
<code>make web</code>, then load this page again.</p>
<p>Programs need no screens: <a href="/openapi.json">/openapi.json</a> and
<a href="/asyncapi.json">/asyncapi.json</a> describe all calls.</p>
</body>
</html>
"""
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""By ending; what a machine says of endings differs."""
BYTES: Final = "application/octet-stream"
OK, NOT_MODIFIED, MISSING, UNAVAILABLE = 200, 304, 404, 503
Header = tuple[bytes, bytes]


class File(msgspec.Struct, frozen=True):
    """A file as it is sent: what it is, and its bytes by the encodings that there are."""

    kind: str
    tag: str
    bodies: dict[str, bytes]
    """By encoding; an empty one: as it is."""
    cache: str


def listed(folder: Path) -> dict[str, File]:
    """Return every file of a folder by the path at which it is served."""
    found: dict[str, File] = {}
    variants = tuple(ending for _, ending in ENCODINGS)
    for place in sorted(folder.rglob("*")):
        if place.is_symlink() or not place.is_file() or place.name.endswith(variants):
            continue
        path = f"/{place.relative_to(folder).as_posix()}"
        bodies = {"": place.read_bytes()}
        for name, ending in ENCODINGS:
            variant = place.with_name(place.name + ending)
            if variant.is_file() and not variant.is_symlink():
                bodies[name] = variant.read_bytes()
        found[path] = File(
            KINDS.get(place.suffix, BYTES),
            f'"{sha256(bodies[""]).hexdigest()[:32]}"',
            bodies,
            FOREVER if path.startswith(ASSETS) else ASKED,
        )
    return found


def is_screen(path: str) -> bool:
    """Tell whether a path is that of a screen: the page itself finds out which.

    >>> is_screen("/"), is_screen("/table/tiger"), is_screen("/table"), is_screen("/nowhere")
    (True, True, False, False)
    """
    first, *rest = path.removeprefix("/").removesuffix("/").split("/")
    if len(rest) >= PARTS_MAX or not all(rest):
        return False
    if first in WITH_NAME and rest:
        return len(rest) <= NAME_AND_PART
    return first in ALONE and (not rest or first in DEEPER)


class Screens:
    """An application before another one: it answers for pages and their files."""

    def __init__(self, application: Any, folder: Path = FOLDER) -> None:  # noqa: ANN401  # an ASGI application
        self._application, self._folder = application, folder
        self._files: dict[str, File] = {}
        self._stamp: int | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for a page, or let the other application do so."""
        if scope["type"] == "http" and scope["method"] == "GET":
            headers = {name: value for name, value in scope["headers"] if name in USED}
            found = self._found(scope["path"], headers)
            if found is not None:
                status, told, body = found
                length = (b"content-length", str(len(body)).encode())
                start = {"type": "http.response.start", "status": status}
                await send({**start, "headers": [*told, length]})
                await send({"type": "http.response.body", "body": body})
                return
            if _shows_page(scope["path"], headers) and (file := self._files.get(PAGE)):
                send = _missing(file, headers, send)
        await self._application(scope, receive, send)

    def _found(
        self, path: str, headers: dict[bytes, bytes]
    ) -> tuple[int, list[Header], bytes] | None:
        """Return status, headers and body of what is at a path; None: it is no page's."""
        if path.startswith("/api/"):
            return None
        self._look()
        page = path == "/" or (is_screen(path) and b"text/html" in headers.get(b"accept", b""))
        file = self._files.get(PAGE if page else path)
        if file is not None:
            return _sent(file, headers)
        if page:
            return UNAVAILABLE, _headers(KINDS[".html"], "no-store", b""), NOT_BUILT
        return None

    def _look(self) -> None:
        """List the files anew after the page was built again."""
        try:
            stamp = (self._folder / PAGE[1:]).stat().st_mtime_ns
        except OSError:
            self._files, self._stamp = {}, None
            return
        if stamp != self._stamp:
            self._files, self._stamp = listed(self._folder), stamp


USED: Final = frozenset((b"accept", b"accept-encoding", b"if-none-match", b"host"))
"""The headers that matter here."""


def _shows_page(path: str, headers: dict[bytes, bytes]) -> bool:
    """Tell whether somebody looks for a page there: no call, and no file."""
    wants = b"text/html" in headers.get(b"accept", b"")
    return wants and not path.startswith(("/api/", ASSETS)) and "." not in path


def _missing(file: File, headers: dict[bytes, bytes], send: Send) -> Send:
    """Show whoever looks for a page that is not there the page that says so."""
    absent = False

    async def shown(message: Message) -> None:
        nonlocal absent
        if message["type"] == "http.response.start" and message["status"] == MISSING:
            absent = True
            _, told, body = _sent(file, {**headers, b"if-none-match": b""})
            told.append((b"content-length", str(len(body)).encode()))
            await send({"type": "http.response.start", "status": MISSING, "headers": told})
            await send({"type": "http.response.body", "body": body})
        elif not absent:
            await send(message)

    return shown


def _sent(file: File, headers: dict[bytes, bytes]) -> tuple[int, list[Header], bytes]:
    told = _headers(file.kind, file.cache, headers.get(b"host", b""))
    told += [(b"etag", file.tag.encode()), (b"vary", b"Accept-Encoding")]
    if file.tag.encode() in headers.get(b"if-none-match", b""):
        return NOT_MODIFIED, told, b""
    encoding = _encoding(file, headers.get(b"accept-encoding", b""))
    if encoding:
        told.append((b"content-encoding", encoding.encode()))
    return OK, told, file.bodies[encoding]


def _encoding(file: File, accepted: bytes) -> str:
    """Return the encoding in which a file is sent: one that is there and is accepted."""
    names = set()
    for one in accepted.decode("latin-1").split(","):
        name, _, quality = one.partition(";")
        if quality.strip().replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            names.add(name.strip().lower())
    return next((name for name, _ in ENCODINGS if name in names and name in file.bodies), "")


def _headers(kind: str, cache: str, host: bytes) -> list[Header]:
    """Return what every file is sent with; a page may open sockets to the host it is from."""
    # Browsers that take 'self' for http alone need the sockets by name.
    name = host.decode("latin-1")
    sockets = f" ws://{name} wss://{name}" if HOST.fullmatch(host) else ""
    return [
        (b"content-type", kind.encode()),
        (b"cache-control", cache.encode()),
        (b"content-security-policy", POLICY.format(sockets=sockets).encode()),
    ]
