"""No undealt card is in a page: not in what it hears, and not in what it shows."""

from __future__ import annotations

import base64
import json
import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from tests.floor.guarding import CANARIES, UNLIMITED, house
from tests.web.looking import somebody
from tests.web.playing import sit
from tools.build_web import STATIC
from tools.people import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

    from tests.floor.guarding import Door

ROUNDS = 3
WATCHED = [
    ("patron-01", "/table/tiger"),
    ("patron-02", "/table/baccarat-a"),
    ("dealer", "/dealer/baccarat"),
    ("pit-manager", "/pit/tiger"),
    ("auditor", "/audit/table:tiger"),
    (None, "/display/fa-fa-fabulous-4"),
    ("patron-04", "/tables"),
    ("patron-05", "/lobby"),
    ("cashier", "/cage"),
    ("pit-supervisor", "/pit"),
]
PLAYED = ("tiger", "fa-fa-fabulous-4")
SHOWS_CARDS = {
    "/table/tiger": "tiger",
    "/display/fa-fa-fabulous-4": "fa-fa-fabulous-4",
}
PINNED = f"localStorage.setItem('croupier.pinned', '{json.dumps(['tiger', 'baccarat-a'])}')"
"""What several tables show; a browser that has chosen none shows none."""
HEARD = {
    "/tables": '"face":',
    "/lobby": '"phase":',
    "/cage": '"approvers":',
    "/pit": '"turnover_cents":',
}
"""What comes to a page that works: whoever hears nothing is told no secret either."""
CANARY = rf"\b(?:10|[2-9TAJQK]){CANARIES[0]}\b|\b(?:[2-9AT]|10|Shou|Lu|Fu)-{CANARIES[1]}\b"
"""A card that nobody can have seen, as the wire would write it.

A page's memory holds its program as well, which knows all cards: there it is one that is
quoted, or that something calls its face.
"""


class Heard:
    """All that comes to pages: frames of sockets, answers, and streams that never end."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}

    def by(self, page: Page, path: str) -> CDPSession:
        """Keep what comes to a page from now on; return the wire to its browser."""
        texts = self._texts.setdefault(path, [])
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: texts.append(str(frame))),
        )

        def answered(response: Any) -> None:  # noqa: ANN401  # of Playwright
            if "/api/" in response.url and "/events" not in response.url:
                texts.append(response.text())

        page.on("requestfinished", lambda request: answered(request.response()))
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")

        def began(event: dict[str, Any]) -> None:
            if event["response"]["mimeType"] == "text/event-stream":
                to_stream(event["requestId"])

        def to_stream(request: str) -> None:
            streamed = wire.send("Network.streamResourceContent", {"requestId": request})
            texts.append(_decoded(streamed["bufferedData"]))
            wire.on("Network.dataReceived", lambda event: came(request, event))

        def came(request: str, event: dict[str, Any]) -> None:
            if event["requestId"] == request and "data" in event:
                texts.append(_decoded(event["data"]))

        wire.on("Network.responseReceived", began)
        return wire

    def at(self, path: str) -> str:
        """Return what came to a page."""
        return "\n".join(self._texts[path])


def _decoded(data: str) -> str:
    return base64.b64decode(data).decode(errors="replace")


def memory_of(page: Page, wire: CDPSession) -> tuple[str, set[str]]:
    """Return the strings that a page's script holds, and those called a face or card."""
    pieces: list[str] = []
    wire.on("HeapProfiler.addHeapSnapshotChunk", lambda event: pieces.append(event["chunk"]))
    wire.send("HeapProfiler.enable")
    wire.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    until(lambda: _whole(page, pieces), "the snapshot is whole")
    heap = json.loads("".join(pieces))
    meta, nodes, edges = heap["snapshot"]["meta"], heap["nodes"], heap["edges"]
    strings: list[str] = heap["strings"]
    assert meta["edge_fields"] == ["type", "name_or_index", "to_node"]
    named = meta["edge_types"][0].index("property")
    name = meta["node_fields"].index("name")
    called = {number for number, text in enumerate(strings) if text in {"face", "card"}}
    faces = {
        strings[nodes[to + name]]
        for kind, edge, to in zip(edges[::3], edges[1::3], edges[2::3], strict=True)
        if kind == named and edge in called
    }
    return "\n".join(strings), faces


def _whole(page: Page, pieces: list[str]) -> bool:
    page.wait_for_timeout(20)
    return bool(pieces) and pieces[-1].rstrip().endswith("]}")


def undealt(door: Door, table: str) -> tuple[set[str], set[str]]:
    """Return what of a shoe in play nobody knows: salts and keys, and of the exposed cards."""
    told = door.ask("secrets", tables=[table])[table]
    known = {number for _, number, _ in told["exposed"]}
    sealed = [one for one in told["cards"] if one[0] not in known]
    assert sealed
    secret = {told["key"]} | {text for _, _, salt, kept in sealed for text in (salt, kept)}
    return secret, {face for _, _, face in told["exposed"]}


def test_no_undealt_card_is_in_any_page(browser: Browser, screens: None) -> None:
    del screens
    heard, canary = Heard(), re.compile(CANARY)
    quoted = re.compile(f'"(?:{CANARY})"')
    with (
        house(settings=UNLIMITED, stacked=True, deals=True, screens=str(STATIC)) as door,
        ExitStack() as opened,
    ):
        pages: dict[str, tuple[Page, CDPSession]] = {}
        for name, path in WATCHED:
            context = opened.enter_context(somebody(browser, door, name))
            context.add_init_script(f"if (location.pathname === '/tables') {PINNED};")
            page = context.new_page()
            pages[path] = page, heard.by(page, path)
            page.goto(path)
            page.locator("h1").first.wait_for()
        sit(pages["/table/tiger"][0])
        sit(pages["/table/baccarat-a"][0])
        seated = door.order("patron-03", PLAYED[1], {"type": "take_seat", "position": 1})
        assert seated.status_code == 200, seated.text
        for table in PLAYED:
            until(lambda: _rounds(door, table) >= ROUNDS, "rounds")  # noqa: B023
        for page, _wire in pages.values():
            page.wait_for_timeout(50)
        kept = {path: memory_of(*one) for path, one in pages.items()}
        shown = {path: page.content() for path, (page, _) in pages.items()}
        told = {table: undealt(door, table) for table in PLAYED}
        for path, table in SHOWS_CARDS.items():
            # Between two rounds there is no card: then it is looked for in the next one.
            if not told[table][1] & kept[path][1]:
                until(lambda: has_a_face(door, table, *pages[path]), "a face")  # noqa: B023
    secrets = set().union(*(secret for secret, _ in told.values()))
    for path in pages:
        for where, text in (
            ("heard", heard.at(path)), ("memory", kept[path][0]), ("page", shown[path])
        ):  # fmt: skip
            found = (quoted if where == "memory" else canary).search(text)
            near = "" if found is None else text[max(0, found.start() - 80) : found.end() + 80]
            assert found is None, (path, where, near)
            assert {one for one in secrets if one in text} == set(), (path, where)
        assert {one for one in kept[path][1] if canary.fullmatch(one)} == set(), path

    # What may be known is found in the same way: this test can find what is there.
    assert "card_exposed" in heard.at("/table/tiger")
    assert '"face_down":true' in heard.at("/table/baccarat-a")
    for path, words in HEARD.items():
        assert words in heard.at(path), path
    for path, table in SHOWS_CARDS.items():
        faces = told[table][1]
        assert {face for face in faces if f'"{face}"' in heard.at(path)}, path


def has_a_face(door: Door, table: str, page: Page, wire: CDPSession) -> bool:
    """Tell whether a page holds a card that lies open: then it would be found there."""
    held = memory_of(page, wire)[1]
    return bool(undealt(door, table)[1] & held)


def _rounds(door: Door, table: str) -> int:
    return len(door.get(None, f"/tables/{table}").json()["view"]["results"])
