"""A verifier that shares no code with the rest: the standard library and the formats.

It reads an export (lines of JSON), and recomputes hashes, identifications, balances, the
openings of sealed shoes and the signature from their description alone, so that a mistake of
the journal is not repeated by what checks it. This file is enough to run it::

    python verifier.py EXPORT [KEY]

With a key, the export must be signed by it. What a command should lead to it cannot tell: for
that one needs the rules.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

MAGIC = b"croupier-decision-1"
ZERO = "00" * 32
KINDS = ("header", "decision", "posting", "balance", "sealed", "head")
FORMAT, VERSION = "croupier-export", 2
BROKEN = (
    *(ValueError, LookupError, TypeError, AttributeError),
    *(RecursionError, ArithmeticError, MemoryError),
)
"""What a line raises that no export has."""
WHO = ("patron", "staff", "system")
REFUSED = 2
FINDINGS_MAX = 20
"""How many findings are named; the others are no news."""
CARDS_MAX = 1_000
"""No shoe holds more."""
KEY = re.compile("[0-9a-f]{64}")
USAGE = """usage: python verifier.py EXPORT [KEY]

Check an export of lines (croupier export --json, or a backup of a PostgreSQL journal). With
KEY, a public key of 64 hexadecimal digits, it must be signed by that key. The exit code is
0 if everything holds, 1 if anything does not, 2 if nothing could be checked.
"""
HOUSE = ("cash", "vault", "house", "bank:", "box:", "commission:", "difference:")
"""Accounts that may hold less than nothing."""
OWN = ("seat:", "stakes:", "wallet:", "ticket:")
"""Accounts that one stream alone changes: they never fall below zero on the way either."""


@dataclass(frozen=True)
class Finding:
    """Something that does not hold, and where."""

    stream: str
    sequence: int
    what: str

    def __str__(self) -> str:
        return f"{self.stream} {self.sequence}: {self.what}" if self.stream else self.what


@dataclass
class Stream:
    """How far one stream was read."""

    sequence: int = 0
    hash: str = ZERO
    epoch: int = 0
    release: str = ""
    moment: str = ""
    line: int = 0
    refused: bool = False
    """Whether the last decision was refused."""
    asked: set[tuple[str, str]] = field(default_factory=set)
    """Who asked under which identification."""
    seal: str | None = None
    """The sealed shoe in play."""
    roots: dict[str, tuple[str | None, int]] = field(default_factory=dict)
    opened: dict[str, dict[int, tuple[str, str]]] = field(default_factory=dict)
    """By seal and number: the card and its salt, until the shoe is opened."""
    lost: list[str] = field(default_factory=list)
    """Shoes that were declared lost, and how many of their cards stay unproved."""


# Hashes


def decision_hash(previous: str, body: bytes) -> str:
    """Return the hash of a decision: over the hash before it and its body."""
    return hashlib.sha256(MAGIC + bytes.fromhex(previous) + body).hexdigest()


def leaf(seal: str, number: int, card: str, salt: str) -> bytes:
    """Return the leaf of a card."""
    name = seal.encode()
    digest = hashlib.sha256(b"\x00" + len(name).to_bytes(2, "big") + name)
    digest.update(number.to_bytes(4, "big") + bytes.fromhex(salt) + card.encode())
    return digest.digest()


def card_root(opening: dict[str, Any], cards: int) -> str:
    """Return the root to which a card's salt and path lead."""
    number = opening["number"]
    if not 0 <= number < cards:
        return ""
    here = leaf(opening["seal"], number, opening["card"], opening["salt"])
    sides = _sides(number, cards)
    path = [bytes.fromhex(step) for step in opening["path"]]
    if len(sides) != len(path):
        return ""
    for on_left, other in zip(sides, path, strict=True):
        pair = here + other if on_left else other + here
        here = hashlib.sha256(b"\x01" + pair).digest()
    return here.hex()


def tree_root(leaves: list[bytes]) -> bytes:
    """Return the root of a whole shoe."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    pair = tree_root(leaves[:half]) + tree_root(leaves[half:])
    return hashlib.sha256(b"\x01" + pair).digest()


@cache
def _sides(number: int, cards: int) -> tuple[bool, ...]:
    """Return on which side of each node the card lies, from the leaf up."""
    first, count = 0, cards
    sides: list[bool] = []
    while count > 1:
        half = 1
        while half * 2 < count:
            half *= 2
        on_left = number < first + half
        sides.append(on_left)
        if on_left:
            count = half
        else:
            first, count = first + half, count - half
    return tuple(sides[::-1])


# Sealed shoes


def check_shoe(stream: Stream, name: str, body: dict[str, Any]) -> list[str]:
    """Return what does not hold of a shoe by this event."""
    if name == "shoe_sealed":
        # Of a shoe of paper nothing is sealed, and its name may come again.
        return [] if body["root"] is None else _check_sealed(stream, body)
    if name == "card_opened":
        root, cards = stream.roots.get(body["seal"], (None, 0))
        opened = stream.opened.get(body["seal"], {})
        here = body["card"], body["salt"]
        if root is None or card_root(body, cards) != root:
            return [f"card {body['number']} does not lead to the root of its shoe"]
        if opened.setdefault(body["number"], here) != here:
            return [f"card {body['number']} was opened otherwise before"]
    elif name == "shoe_opened":
        return _check_rest(stream, body)
    return []


def _check_sealed(stream: Stream, body: dict[str, Any]) -> list[str]:
    if body["seal"] in stream.roots:
        return ["a seal is used twice"]
    if not 0 < _whole(body["cards"]) <= CARDS_MAX:
        return [f"a shoe of {body['cards']} cards"]
    stream.roots[body["seal"]] = (body["root"], body["cards"])
    stream.opened[body["seal"]] = {}
    return []


def _check_rest(stream: Stream, body: dict[str, Any]) -> list[str]:
    """Rebuild the whole tree when a shoe is opened to its end."""
    seal = body["seal"]
    root, cards = stream.roots.get(seal, (None, 0))
    known = stream.opened.pop(seal, None)
    if known is None:
        return ["a shoe is opened that was not sealed, or twice"]
    rest = {int(number): tuple(opening) for number, opening in body["cards"].items()}
    if rest.keys() & known.keys() or rest.keys() | known.keys() != set(range(cards)):
        return ["does not open exactly the cards that were left"]
    whole = rest | known
    leaves = [leaf(seal, number, *whole[number]) for number in range(cards)]
    if not leaves or tree_root(leaves).hex() != root:
        return ["the cards of the shoe do not lead to its root"]
    faces = [card for card, _ in whole.values()]
    if len({faces.count(face) for face in set(faces)}) != 1:
        return ["the shoe does not hold every card as often as every other"]
    return []


# An export, line by line


class Export:
    """Reads an export from its first line to its last."""

    def __init__(self, key: str | None = None) -> None:
        self.findings: list[Finding] = []
        self._streams: dict[str, Stream] = {}
        self._posted: dict[str, int] = {}
        self._balances: dict[str, int] = {}
        self._digest = hashlib.sha256()
        self._before = self._digest.hexdigest()
        """The digest of all lines before the present one."""
        self._lines = 0
        self._kind = ""
        self._key = key
        self._last: tuple[str, int] = ("", 0)
        self.signed_by = ""

    def take(self, raw: bytes) -> None:
        """Read one line, with its end."""
        self._lines += 1
        try:
            self._before = self._digest.hexdigest()
            self._digest.update(raw)
            entry = json.loads(raw.decode())
            if not isinstance(entry, dict) or canonical(entry) != raw:
                message = "it is not written as an export writes it"
                raise ValueError(message)  # one way out for all of them
            self._take(entry)
        except BROKEN as error:
            self._found("", 0, f"line {self._lines} cannot be read: {error}")

    def _take(self, entry: dict[str, Any]) -> None:
        kind = entry["kind"]
        if (
            kind not in KINDS
            or self._kind == "head"
            or (kind == "header") != (self._lines == 1)
        ):
            message = f"a {kind} does not stand here"
            raise ValueError(message)
        if kind == "head":
            self._check_head(entry)
        self._kind = kind
        if kind == "header":
            if (entry["format"], entry["version"]) != (FORMAT, VERSION):
                self._found("", 0, "the header is of no export that is known here")
        elif kind == "decision":
            decision = entry["decision"]
            name, sequence = _text(decision["stream"]), _whole(decision["sequence"])
            stream = self._streams.setdefault(name, Stream())
            for what in check_decision(stream, decision, _text(entry["hash"])):
                self._found(name, sequence, what)
            self._last = (name, sequence)
        elif kind == "posting":
            self._check_posting(entry)
        elif kind == "balance":
            self._balances[_text(entry["account"])] = _whole(entry["cents"])

    def _check_posting(self, entry: dict[str, Any]) -> None:
        name, sequence = _text(entry["stream"]), _whole(entry["sequence"])
        stream = self._streams.get(name, Stream())
        if (name, sequence) != self._last or entry["line"] != stream.line:
            self._found(name, sequence, "a posting without its decision")
            return
        if stream.refused:
            self._found(name, sequence, "a posting of what was refused")
        stream.line += 1
        cents = _whole(entry["cents"])
        source, target = _text(entry["source"]), _text(entry["target"])
        if cents <= 0 or source == target:
            self._found(name, sequence, "a posting that moves nothing")
            return
        self._posted[source] = self._posted.get(source, 0) - cents
        self._posted[target] = self._posted.get(target, 0) + cents
        if self._posted[source] < 0 and source.startswith(OWN):
            self._found(name, sequence, f"account {source} falls below zero")

    def _check_head(self, head: dict[str, Any]) -> None:
        self.signed_by = head["key"]
        heads = {
            name: [stream.sequence, stream.hash]
            for name, stream in self._streams.items()
            if stream.sequence
        }
        if head["heads"] != heads:
            self._found("", 0, "the heads are not those of the decisions")
        if head["lines"] != self._lines - 1 or head["digest"] != self._before:
            self._found("", 0, "the lines are not those that were signed")
        signed = {name: value for name, value in head.items() if name != "signature"}
        key, signature = bytes.fromhex(head["key"]), bytes.fromhex(head["signature"])
        written_once = (key.hex(), signature.hex()) == (head["key"], head["signature"])
        if not written_once or not signature_holds(key, canonical(signed)[:-1], signature):
            self._found("", 0, "the signature of the head does not hold")
        if self._key is not None and head["key"] != self._key:
            self._found("", 0, "the export is signed by another key")

    def finish(self) -> list[Finding]:
        """Check what can only be seen at the end, and return all that was found."""
        if self._kind != "head":
            self._found("", 0, "the last line is no signed head")
        for account, cents in sorted(self._posted.items()):
            if cents < 0 and not account.startswith(HOUSE):
                self._found("", 0, f"account {account} holds less than nothing")
            if cents != self._balances.get(account, 0):
                self._found("", 0, f"account {account} does not hold what its postings give")
        for account, cents in self._balances.items():
            if cents and account not in self._posted:
                self._found("", 0, f"account {account} does not hold what its postings give")
        return self.findings

    def said(self) -> list[str]:
        """Say what was found, or what holds and who signed it."""
        if self.findings:
            more = len(self.findings) - FINDINGS_MAX
            rest = [f"and {more} more"] if more > 0 else []
            return [*map(str, self.findings[:FINDINGS_MAX]), *rest, "does not hold"]
        heads = [
            f"{name} {stream.sequence} {stream.hash}"
            for name, stream in sorted(self._streams.items())
        ]
        decisions = sum(stream.sequence for stream in self._streams.values())
        counts = f"{self._lines} lines, {decisions} decisions, {len(self._posted)} accounts"
        lost = [one for stream in self._streams.values() for one in stream.lost]
        return [*heads, *lost, counts, f"signed by {self.signed_by}", "holds"]

    def _found(self, stream: str, sequence: int, what: str) -> None:
        self.findings.append(Finding(stream, sequence, what))


def canonical(entry: dict[str, Any]) -> bytes:
    """Write an entry as its line: keys in order, no spaces, UTF-8."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = f"{value!r:.40} stands where a text should"
        raise TypeError(message)
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        message = f"{value!r:.40} stands where a whole number should"
        raise TypeError(message)
    return value


# Decisions


def check_decision(stream: Stream, decision: dict[str, Any], digest: str) -> list[str]:
    """Return what does not hold of the next decision of a stream."""
    wrong = []
    if decision["sequence"] != stream.sequence + 1:
        wrong.append(f"follows decision {stream.sequence}")
    if decision_hash(stream.hash, canonical(decision)[:-1]) != digest:
        wrong.append("its hash is not that of its content and of the one before it")
    stream.sequence, stream.hash, stream.line = decision["sequence"], digest, 0
    events, stream.refused = decision.get("events", []), "refusal" in decision
    if events and stream.refused:
        wrong.append("it was refused, and something happened")
    wrong += _check_who(stream, decision)
    wrong += _check_start(stream, decision, events)
    return wrong + _check_house(stream, decision.get("house", {}), events)


def _check_who(stream: Stream, decision: dict[str, Any]) -> list[str]:
    """Check who asked, and that nobody asks for two things under one identification."""
    wrong = []
    for role in ("actor", *(["approver"] if "approver" in decision else [])):
        someone = decision[role]
        kind, name = someone["kind"], _text(someone["name"])
        if kind not in WHO or (kind != "staff" and "position" in someone):
            wrong.append(f"{role} {name} is nobody that a house knows")
    actor = decision["actor"]
    asked = (f"{actor['kind']}:{actor['name']}", _text(decision["command_id"]))
    if asked in stream.asked:
        wrong.append(f"{asked[0]} asked under {asked[1]} before")
    stream.asked.add(asked)
    return wrong


def _check_start(
    stream: Stream, decision: dict[str, Any], events: list[dict[str, Any]]
) -> list[str]:
    """Check that every epoch begins with a start, is of one release, and time goes on."""
    wrong = []
    epoch, release, moment = decision["epoch"], decision["release"], decision["moment"]
    starts = decision["command"]["type"] == "start"
    if epoch < stream.epoch or (epoch > stream.epoch) is not starts:
        wrong.append(f"epoch {epoch} follows epoch {stream.epoch}")
    if starts:
        stream.release = release
        if not events or (events[0]["type"], events[0].get("release")) != ("started", release):
            wrong.append("an epoch starts without its release")
    elif release != stream.release:
        wrong.append("it is of another release than its epoch")
    if _text(moment) < stream.moment:
        wrong.append("it is of a moment before the last one")
    stream.epoch, stream.moment = max(stream.epoch, epoch), max(stream.moment, moment)
    return wrong


def _check_house(
    stream: Stream, house: dict[str, Any], events: list[dict[str, Any]]
) -> list[str]:
    """Check what the house let be known of a sealed shoe with a decision."""
    wrong: list[str] = []
    names = [event["type"] for event in events]
    openings, ended, sealed = house.get("openings", []), house.get("ended"), house.get("seal")
    if stream.seal is None and (openings or ended is not None):
        return ["a card is opened, and no sealed shoe is in play"]
    if stream.seal is not None and "shoe_lost" in names:
        _lose(stream)
    exposed = [event["card"] for event in events if event["type"] == "card_exposed"]
    if stream.seal is not None and [one["card"] for one in openings] != exposed:
        wrong.append("the cards that are exposed are not those that are opened")
    facts = [("card_opened", one) for one in openings]
    facts += [("shoe_opened", ended)] if ended is not None else []
    for name, fact in facts:
        if fact["seal"] != stream.seal:
            wrong.append("another shoe is opened than the one in play")
        wrong += check_shoe(stream, name, fact)
    replaced = any(event.get("replace") for event in events)
    out = replaced or sealed is not None or {"shoe_ended", "table_closed"} & set(names)
    if stream.seal is not None and out and ended is None:
        wrong.append("a sealed shoe goes out of play and is not opened")
    if ended is not None:
        stream.seal = None
    if sealed is not None:
        wrong += check_shoe(stream, "shoe_sealed", sealed)
        stream.seal = None if sealed.get("root") is None else _text(sealed["seal"])
    return wrong


def _lose(stream: Stream) -> None:
    """Take note of a shoe that was declared lost: nothing more of it is opened."""
    seal = stream.seal or ""
    cards, proved = stream.roots[seal][1], len(stream.opened.pop(seal))
    stream.lost.append(f"shoe {seal} was lost: {cards - proved} of its {cards} cards unproved")
    stream.seal = None


def check(lines: Iterable[str | bytes], key: str | None = None) -> list[Finding]:
    """Return everything that does not hold in an export, given by its lines with their ends."""
    export = Export(key)
    for line in lines:
        export.take(line.encode() if isinstance(line, str) else line)
    return export.finish()


# Ed25519, as RFC 8032 describes it

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME
ROOT = pow(2, (PRIME - 1) // 4, PRIME)
Point = tuple[int, int, int, int]


def _add(one: Point, two: Point) -> Point:
    a = (one[1] - one[0]) * (two[1] - two[0]) % PRIME
    b = (one[1] + one[0]) * (two[1] + two[0]) % PRIME
    c = 2 * one[3] * two[3] * CURVE % PRIME
    d = 2 * one[2] * two[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME)


def _times(factor: int, point: Point) -> Point:
    total: Point = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = _add(total, point)
        point = _add(point, point)
        factor >>= 1
    return total


def _packed(point: Point) -> bytes:
    inverse = pow(point[2], -1, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _unpacked(packed: bytes) -> Point | None:
    number = int.from_bytes(packed, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= PRIME:
        return None
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * ROOT % PRIME
    if (x * x - square) % PRIME or (x == 0 and sign):
        return None
    x = PRIME - x if x & 1 != sign else x
    return (x, y, 1, x * y % PRIME)


_BASE = _unpacked((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether an Ed25519 signature of a message was made by the owner of a key."""
    if len(key) != 32 or len(signature) != 64:  # noqa: PLR2004  # as the standard has it
        return False
    point, scalar = _unpacked(key), int.from_bytes(signature[32:], "little")
    if point is None or scalar >= ORDER or _BASE is None:
        return False
    hashed = hashlib.sha512(signature[:32] + key + message).digest()
    factor = int.from_bytes(hashed, "little") % ORDER
    minus = (PRIME - point[0], point[1], 1, PRIME - point[3])
    return _packed(_add(_times(scalar, _BASE), _times(factor, minus))) == signature[:32]


# The program


def main(arguments: list[str]) -> int:
    """Check an export; say what was found, and return 1 if anything was."""
    if arguments in (["-h"], ["--help"]):
        sys.stdout.write(USAGE)
        return 0
    if len(arguments) not in (1, 2):
        sys.stderr.write(USAGE)
        return REFUSED
    path, key = Path(arguments[0]), "".join(arguments[1:]).lower()
    if arguments[1:] and not KEY.fullmatch(key):
        sys.stderr.write("The key is not a public key of 64 hexadecimal digits.\n")
        return REFUSED
    try:
        export = _read(path, key or None)
    except OSError as error:
        sys.stderr.write(f"{path} cannot be read: {error.strerror}.\n")
        return REFUSED
    if isinstance(export, str):
        sys.stderr.write(f"{path} {export}.\n")
        return REFUSED
    return _written(export)


def _read(path: Path, key: str | None) -> Export | str:
    """Go through an export, or say what else it is."""
    if path.exists() and not path.is_file():
        return "is not an export of lines"
    export = Export(key)
    with path.open("rb") as file:
        first, second = file.readline(), file.readline()
        if not first.startswith(b"{"):
            return "is not an export of lines"
        if b'"version":1}' in first and b'"kind":"decision"' not in second:
            return "is an export of an earlier form, which is not read here"
        file.seek(0)
        for line in file:
            export.take(line)
    export.finish()
    return export


def _written(export: Export) -> int:
    """Write what was found; an output that takes nothing is no finding."""
    try:
        sys.stdout.writelines(f"{line}\n" for line in export.said())
        sys.stdout.flush()
    except OSError as error:
        # What is left would be written once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"The output cannot be written: {error.strerror}.\n")
        return REFUSED
    return 1 if export.findings else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
