"""A verifier that shares no code with the rest: the standard library and the formats.

It reads an export (lines of JSON), and recomputes hashes, balances, answers, the openings of
sealed shoes and the signature from their description alone, so that a mistake of the journal
is not repeated by what checks it. This file is enough to run it::

    python verifier.py EXPORT [KEY]

With a key, the export must be signed by it. What a settlement should be it cannot tell: for
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

MAGIC = b"croupier-journal-1"
ZERO = "00" * 32
KINDS = ("header", "record", "posting", "answer", "balance", "sealed", "head")
REFUSED = 2
FINDINGS_MAX = 20
"""How many findings are named; the others are no news."""
KEY = re.compile("[0-9a-f]{64}")
USAGE = """usage: python verifier.py EXPORT [KEY]

Check an export of lines (croupier export --json, or a backup of a PostgreSQL journal). With
KEY, a public key of 64 hexadecimal digits, it must be signed by that key. The exit code is
0 if everything holds, 1 if anything does not, 2 if nothing could be checked.
"""
HOUSE = ("cash", "vault", "house", "bank:", "box:", "commission:", "difference:")
"""Accounts that may hold less than nothing."""


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
    line: int = 0
    roots: dict[str, tuple[str | None, int]] = field(default_factory=dict)
    opened: dict[str, dict[int, tuple[str, str]]] = field(default_factory=dict)
    """By seal and number: the card and its salt, until the shoe is opened."""
    commands: list[tuple[int, str, str]] = field(default_factory=list)
    """Where the records of each command begin, whose it is and its name."""
    answered: int = 0
    starts: set[int] | None = None
    """Where the records of a command begin, and the place behind the last one."""


# Hashes


def record_hash(record: dict[str, Any]) -> str:
    """Return the hash of a record of an export."""
    parts = [
        record["stream"].encode(),
        str(record["sequence"]).encode(),
        str(record["epoch"]).encode(),
        record["moment"].encode(),
        record["actor"].encode(),
        record["command"].encode(),
        record["name"].encode(),
        str(record["version"]).encode(),
        bytes.fromhex(record["previous"]),
        record["body"].encode(),
    ]
    digest = hashlib.sha256(MAGIC)
    for part in parts:
        digest.update(len(part).to_bytes(4, "big"))
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


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
        if body["root"] is None:
            return []  # a shoe of paper: nothing is sealed, and its name may come again
        if body["seal"] in stream.roots:
            return ["a seal is used twice"]
        stream.roots[body["seal"]] = (body["root"], body["cards"])
        stream.opened[body["seal"]] = {}
    elif name == "card_opened":
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
        self._lines = 0
        self._kind = ""
        self._key = key
        self._last: tuple[str, int] = ("", 0)
        self.signed_by = ""

    def take(self, raw: bytes) -> None:
        """Read one line, with its end."""
        self._lines += 1
        try:
            entry = json.loads(raw.decode())
            if not isinstance(entry, dict) or canonical(entry) != raw:
                message = "it is not written as an export writes it"
                raise ValueError(message)  # noqa: TRY301  # one way out for all of them
            self._take(entry, raw)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            self._found("", 0, f"line {self._lines} cannot be read: {error}")
            self._digest.update(raw)

    def _take(self, entry: dict[str, Any], raw: bytes) -> None:
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
        else:
            self._digest.update(raw)
        self._kind = kind
        if kind == "record":
            stream = self._streams.setdefault(entry["stream"], Stream())
            for what in _check_record(stream, entry):
                self._found(entry["stream"], entry["sequence"], what)
            self._last = (entry["stream"], entry["sequence"])
        elif kind == "posting":
            self._check_posting(entry)
        elif kind == "answer":
            stream = self._streams.setdefault(entry["stream"], Stream())
            for what in _check_answer(stream, entry):
                self._found(entry["stream"], entry["first"], what)
        elif kind == "balance":
            self._balances[entry["account"]] = entry["cents"]

    def _check_posting(self, entry: dict[str, Any]) -> None:
        stream = self._streams.get(entry["stream"], Stream())
        if (entry["stream"], entry["sequence"]) != self._last or entry["line"] != stream.line:
            self._found(entry["stream"], entry["sequence"], "a posting without its record")
            return
        stream.line += 1
        cents, source, target = entry["cents"], entry["source"], entry["target"]
        if type(cents) is not int or cents <= 0 or source == target:
            self._found(entry["stream"], entry["sequence"], "a posting that moves nothing")
            return
        self._posted[source] = self._posted.get(source, 0) - cents
        self._posted[target] = self._posted.get(target, 0) + cents

    def _check_head(self, head: dict[str, Any]) -> None:
        self.signed_by = head["key"]
        heads = {
            name: [stream.sequence, stream.hash]
            for name, stream in self._streams.items()
            if stream.sequence
        }
        if head["heads"] != heads:
            self._found("", 0, "the heads are not those of the records")
        if head["lines"] != self._lines - 1 or head["digest"] != self._digest.hexdigest():
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
        for name, stream in self._streams.items():
            if stream.answered < len(stream.commands):
                first, actor, command = stream.commands[stream.answered]
                self._found(name, first, f"no answer belongs to {command} of {actor}")
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
        records = sum(stream.sequence for stream in self._streams.values())
        counts = f"{self._lines} lines, {records} records, {len(self._posted)} accounts"
        return [*heads, counts, f"signed by {self.signed_by}", "holds"]

    def _found(self, stream: str, sequence: int, what: str) -> None:
        self.findings.append(Finding(stream, sequence, what))


def canonical(entry: dict[str, Any]) -> bytes:
    """Write an entry as its line: keys in order, no spaces, UTF-8."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def _check_record(stream: Stream, record: dict[str, Any]) -> list[str]:
    wrong = []
    if record["sequence"] != stream.sequence + 1:
        wrong.append(f"follows record {stream.sequence}")
    if record["previous"] != stream.hash:
        wrong.append("does not carry the hash before it")
    if record_hash(record) != record["hash"]:
        wrong.append("its hash is not that of its content")
    if record["epoch"] < stream.epoch:
        wrong.append("an epoch that was over")
    stream.sequence, stream.hash, stream.line = record["sequence"], record["hash"], 0
    stream.epoch = max(stream.epoch, record["epoch"])
    command = (record["actor"], record["command"])
    if not stream.commands or stream.commands[-1][1:] != command:
        stream.commands.append((record["sequence"], *command))
    return wrong + check_shoe(stream, record["name"], json.loads(record["body"]))


def _check_answer(stream: Stream, answer: dict[str, Any]) -> list[str]:
    """Check that answers which led to records cover them all, each once and in order."""
    first, last = answer["first"], answer["last"]
    if stream.starts is None:
        stream.starts = {stream.sequence + 1, *(place for place, _, _ in stream.commands)}
    if last < first:
        right = first == last + 1 and first in stream.starts
        return [] if right else ["an answer out of its place"]
    place, stream.answered = stream.answered, stream.answered + 1
    if place >= len(stream.commands):
        return ["an answer to a command without records"]
    if answer["result"] != "null":
        return ["an answer that refuses what was done"]
    if stream.commands[place] != (first, answer["actor"], answer["command"]):
        return ["an answer that belongs to other records"]
    later = stream.commands[place + 1 : place + 2] or [(stream.sequence + 1, "", "")]
    return [] if last + 1 == later[0][0] else ["an answer that belongs to other records"]


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
    if export is None:
        sys.stderr.write(f"{path} is not an export of lines.\n")
        return REFUSED
    return _written(export)


def _read(path: Path, key: str | None) -> Export | None:
    """Go through an export; None: it is something else."""
    if path.exists() and not path.is_file():
        return None
    export = Export(key)
    with path.open("rb") as file:
        if file.read(1) != b"{":
            return None
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
