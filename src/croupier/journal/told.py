"""The export of an auditor's page: decisions as they are told, and a signed head at the end.

What lies in shoes in play, what opens a ticket and what proves who somebody is stand in the
bodies of decisions and are told to nobody. So the hashes cannot be computed from this file, and
nothing can be decided again. But the head signs every byte of it, and its decisions follow
without a gap. So it is worth as much as its key: whoever knows that to be the house's knows
that the house told this. Checkpoints bind hashes and where streams were, not what a line tells.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from croupier.journal.export import FINDINGS_MAX, HeadLine
from croupier.journal.reader import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from croupier.journal.checkpoints import Checkpoint

START: Final = b'{"kind":"decision",'
"""How a line begins, and so the file; the lines of other exports begin otherwise."""


class ToldLine(msgspec.Struct, frozen=True, gc=False, tag_field="kind", tag="decision"):
    """What a line says of its place; the rest of it is signed, and not read here."""

    stream: str
    sequence: int
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


decode_line = msgspec.json.Decoder(ToldLine | HeadLine).decode


def is_told(path: Path) -> bool:
    """Tell whether a file is an export of the page, by how it begins."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(START)) == START


class Told:
    """What an export of the page tells, and what does not hold of it."""

    def __init__(
        self,
        path: Path,
        keys: Sequence[str] = (),
        checkpoints: Sequence[Checkpoint] = (),
    ) -> None:
        """Read a file to its end, once."""
        self.findings: list[Finding] = []
        self.heads: dict[str, tuple[int, str]] = {}
        self.head: HeadLine | None = None
        self.matched: set[int] = set()
        """The numbers of checkpoints that have seen decisions of the file."""
        self._keys = keys
        self._seen: dict[tuple[str, int], list[tuple[int, str]]] = {}
        for one in checkpoints:
            for stream, (sequence, digest) in one.heads.items():
                self._seen.setdefault((stream, sequence), []).append((one.number, digest))
        self._read(path)

    def _read(self, path: Path) -> None:
        digest, lines = hashlib.sha256(), 0
        with path.open("rb") as file:
            for raw in file:
                self._take(raw, lines, digest.hexdigest())
                digest.update(raw)
                lines += 1
        if self.head is None:
            self._found("The last line is no signed head.")

    def _take(self, raw: bytes, before: int, digest: str) -> None:
        if self.head is not None:
            self._found(f"Line {before + 1} stands behind the head.")
        try:
            line: ToldLine | HeadLine = decode_line(raw)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            self._found(f"Line {before + 1} is no line of an export.")
            return
        if isinstance(line, HeadLine):
            self._check_head(line, before, digest)
        else:
            self._follow(line)

    def _follow(self, line: ToldLine) -> None:
        """Compare a decision with the one before it, and with what checkpoints have seen."""
        last, _ = self.heads.get(line.stream, (0, ""))
        if line.sequence != last + 1:
            self._found(
                f"Decision {last + 1} stands here, not {line.sequence}.", line, "sequence"
            )
        self.heads[line.stream] = (line.sequence, line.hash)
        for number, digest in self._seen.get((line.stream, line.sequence), ()):
            self.matched.add(number)
            if digest != line.hash:
                sentence = f"Checkpoint {number} has seen another decision here."
                self._found(sentence, line, "checkpoint")

    def _check_head(self, head: HeadLine, lines: int, digest: str) -> None:
        self.head = head
        if head.heads != self.heads:
            self._found("The heads are not those of the decisions.")
        if (head.lines, head.digest) != (lines, digest):
            self._found("The lines are not those that were signed.")
        if not head.holds:
            self._found("The signature of the head does not hold.")
        if self._keys and head.key not in self._keys:
            self._found("The export is signed by another key.")

    def _found(self, sentence: str, at: ToldLine | None = None, kind: str = "export") -> None:
        if len(self.findings) < FINDINGS_MAX:
            stream, sequence = ("", 0) if at is None else (at.stream, at.sequence)
            self.findings.append(Finding(stream, sequence, kind, sentence))
