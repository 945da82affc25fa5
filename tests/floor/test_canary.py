"""Canaries: no undealt card, and no card before it is exposed, is to be found anywhere.

Every shoe is stacked: its first cards are each face once, so a face that is named is one card
of the shoe and no other; and one suit lies behind all others, so nobody can have seen it. All
audiences watch, everything that can be read is read, errors are provoked; then what came over
the network, what was logged and what lies in the files is searched.
"""

from __future__ import annotations

import json
import re
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.floor.guarding import CANARIES, UNLIMITED, house, new_key, say

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from tests.floor.guarding import Door

TABLES = ("tiger", "baccarat", "baccarat-a", "power-98", "fa-fa-fabulous-4", "super-6")
PATRONS = ("patron-01", "patron-02")
WATCHERS = (*PATRONS, "dealer", "pit-manager", "gaming-shift-manager", "auditor", "cashier")
ROUNDS = 2
FACES_FIRST = 39
"""So many cards of a stacked shoe have each a face of its own."""
FACE = re.compile(
    r"(?:10|[2-9TAJQK])[SHDC]|(?:[2-9TA]|Shou|Lu|Fu)-(?:Fire|Gold|Earth|Wood|Water)"
)


class Heard:
    """All that came over the network: whose it was, how far the table was, and the text."""

    def __init__(self) -> None:
        self.all: list[tuple[str, str, int, Any]] = []
        """By whom, of which table, at which record of it, and what, as JSON."""
        self.text: list[str] = []

    def add(self, who: str, text: str, table: str | None = None, head: int = 0) -> Any:  # noqa: ANN401
        self.text.append(text)
        try:
            message = json.loads(text)
        except ValueError:
            return None
        topic = message.get("topic", "") if isinstance(message, dict) else ""
        if topic.startswith("table:"):
            table, head = topic.removeprefix("table:"), message["sequence"]
        if table is not None:
            self.all.append((who, table, head, message))
        return message


def faces(value: Any) -> set[str]:  # noqa: ANN401  # JSON
    """Return the faces that a document names, as values or as names."""
    if isinstance(value, dict):
        return faces(list(value)) | faces(list(value.values()))
    if isinstance(value, list):
        return set().union(*map(faces, value))
    return {value} if isinstance(value, str) and FACE.fullmatch(value) else set()


def watch(live: ClientConnection, who: str, heard: Heard, rounds: dict[str, int]) -> None:
    """Hear all that a socket is told until it is closed."""
    try:
        for text in live:
            message = heard.add(who, str(text))
            view = message.get("view", {}) if message else {}
            if message and message.get("topic", "").startswith("table:") and "results" in view:
                rounds[message["topic"].removeprefix("table:")] = len(view["results"])
    except ConnectionClosed:
        pass


READS = ("", "/rounds", "/rounds/1", "/rounds/2", "/roads", "/shoes/1", "/may")
BESIDE = (
    "/tables",
    "/me",
    "/sessions/current",
    "/me/rounds",
    "/me/wallet",
    "/house",
    "/pit/floor",
    "/performance/win",
    "/performance/ratings",
    "/performance/discretions",
    "/alarms/history",
    "/cage",
    "/cage/may",
    "/journal/streams",
    "/journal/checkpoints",
    "/journal/export?form=csv",
)
PREVIEWS = ({"type": "draw_card"}, {"type": "announce_outcome"}, {"type": "settle"})


def read_all(door: Door, heard: Heard, name: str | None) -> None:
    """Read everything that somebody can read, and provoke errors."""
    for table in TABLES:
        answers = [door.get(name, f"/tables/{table}{path}") for path in READS]
        if name is not None:
            for body in PREVIEWS:
                sent: dict[str, Any] = {
                    "json": {"command": body},
                    "headers": door.headers(name),
                }
                answers.append(door.http.post(f"/tables/{table}/preview", **sent))
                answers.append(door.order(name, table, body))
            answers.append(door.order(name, table, {"type": "nonsense"}))
        stream = f"table:{table}"
        answers.append(door.get(name, f"/journal/streams/{stream}/decisions?limit=200"))
        texts = [answer.text for answer in answers]
        texts += door.get(name, f"/journal/export?stream={stream}").text.splitlines()
        head = door.heads()[stream]
        for text in texts:
            heard.add(name or "nobody", text, table, head)
    for path in BESIDE:
        heard.text.append(door.get(name, path).text)
    for path in ("/metrics", "/readyz", "/version", "/openapi.json"):
        heard.text.append(door.http.get(f"{door.url}{path}").text)


def seat(door: Door) -> None:
    for position, name in enumerate(PATRONS, 1):
        for table in TABLES:
            door.order(name, table, {"type": "take_seat", "position": position})
            send = {"type": "send_to_table", "table": table, "cents": 1_000_000}
            assert door.order(name, "cage", send).status_code == 200


def wager(door: Door) -> None:
    """Let patrons stake where bets are open."""
    for table in TABLES:
        view = door.get(None, f"/tables/{table}").json()["view"]
        if view["phase"] == "OPEN":
            for name, on in zip(PATRONS, ("player", "banker"), strict=True):
                stake = {"type": "place_wager", "wager": on, "cents": 10_000}
                door.order(name, table, stake, new_key(), round=view["round"])


@pytest.fixture(scope="module")
def played() -> tuple[Heard, dict[str, Any], bytes, str]:
    """Play rounds at several tables; return what was heard, the secrets, files and the log."""
    heard, rounds = Heard(), dict.fromkeys(TABLES, 0)
    with (
        house(settings=UNLIMITED, deals=True, stacked=True, betting=2.0) as door,
        ExitStack() as opened,
    ):
        seat(door)
        threads = []
        for name in WATCHERS:
            live = opened.enter_context(door.live(name))
            threads.append(
                threading.Thread(target=watch, args=(live, name, heard, rounds), daemon=True)
            )
            threads[-1].start()
            for topic in (*(f"table:{table}" for table in TABLES), "tables", "me"):
                say(live, type="subscribe", topic=topic)
        people = (None, *WATCHERS)
        for turn in range(40):
            wager(door)
            read_all(door, heard, people[turn % len(people)])
            if turn >= len(people) and min(rounds.values()) >= ROUNDS:
                break
        # The files first: what is exposed while they are read is known to be.
        files = b"".join(
            path.read_bytes()
            for path in door.folder.rglob("*")
            if path.is_file() and "keys" not in path.parent.name
        )
        secrets = door.ask("secrets", tables=TABLES)
        log = door.log
    return heard, secrets, files, log


def drawn(secret: dict[str, Any]) -> int:
    """Return how many cards of a shoe were drawn at least: up to the last exposed."""
    return 1 + max((number for _, number, _ in secret["exposed"]), default=-1)


def test_the_canary_can_sing(played: tuple[Heard, dict[str, Any], bytes, str]) -> None:
    """Cards were dealt and named, as few as the stacked shoe has faces for."""
    heard, secrets, _, _ = played
    assert set(TABLES) <= secrets.keys()
    assert sum(len(one["exposed"]) for one in secrets.values()) > 40
    for table in TABLES:
        assert 4 <= drawn(secrets[table]) < FACES_FIRST, table
        named = set().union(*(faces(message) for _, of, _, message in heard.all if of == table))
        assert named >= {card for _, _, card in secrets[table]["exposed"][:4]}, table
    assert {who for who, _, _, _ in heard.all} >= {"nobody", *WATCHERS}


def test_no_face_is_named_before_its_card_is_exposed(
    played: tuple[Heard, dict[str, Any], bytes, str],
) -> None:
    heard, secrets, _, _ = played
    for who, table, head, message in heard.all:
        secret = secrets[table]
        if head > secret["head"]:
            continue  # it came when the secrets were known already
        exposed = {card for sequence, _, card in secret["exposed"] if sequence <= head}
        assert faces(message) <= exposed, f"{who} at record {head} of {table}: {message}"


def test_no_canary_is_heard(played: tuple[Heard, dict[str, Any], bytes, str]) -> None:
    heard, secrets, _, log = played
    hidden = {
        face
        for secret in secrets.values()
        for number, face, _, _ in secret["cards"]
        if number >= drawn(secret)
    }
    canaries = {one for one in hidden if one.endswith(CANARIES)}
    assert len(canaries) >= 13
    for text in {*heard.text, log}:
        assert not canaries & set(re.findall(r'"([^"]{2,10})"', text)), text[:2000]


def test_no_salt_no_leaf_and_no_key_is_heard(
    played: tuple[Heard, dict[str, Any], bytes, str],
) -> None:
    """Of a shoe in play not even those of cards that were exposed go over the wire."""
    heard, secrets, files, log = played
    digits = re.compile("[0-9a-f]{32,}")
    texts = {*heard.text, log}
    everything = " ".join({run for text in texts for run in digits.findall(text)})
    for table, secret in secrets.items():
        assert secret["key"] not in everything, table
        assert secret["key"].encode() not in files, table
        assert bytes.fromhex(secret["key"]) not in files, table
        shown = {number for _, number, _ in secret["exposed"]}
        for number, _, salt, kept in secret["cards"]:
            assert salt not in everything, f"the salt of card {number} of {table}"
            assert kept[:64] not in everything, f"the leaf of card {number} of {table}"
            assert kept[64:128] not in everything, f"the cipher of card {number} of {table}"
            if number not in shown:
                assert salt.encode() not in files, f"the salt of card {number} of {table}"
                assert bytes.fromhex(salt) not in files, f"the salt of {number} of {table}"
