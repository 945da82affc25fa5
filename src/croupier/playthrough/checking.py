"""Playing a whole script: what each line led to, and whether that was expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.playthrough.lines import Line, read_lines, write_line
from croupier.playthrough.session import Answer, Session
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Played:
    """A line, and what it led to; without an answer it was not understood."""

    line: Line
    answer: Answer | None = None
    problem: str = ""

    @property
    def result(self) -> str:
        """Return what the line led to."""
        if self.answer is None:
            return f"not understood: {self.problem}"
        return self.answer.result

    @property
    def ok(self) -> bool:
        """Tell whether all is as the script says; only an opening needs no result."""
        line, answer = self.line, self.answer
        if not line.asks:
            return True
        if answer is None:
            return False
        if line.sentence is not None and line.sentence != answer.sentence:
            return False
        if line.expected is None:
            return line.opens and answer.refusal is None
        return line.expected == answer.result

    @property
    def written(self) -> str:
        """Return the line as a script should have it."""
        answer = self.answer
        if answer is None or not self.line.asks:
            return write_line(self.line, None)
        quiet = self.line.opens and self.line.expected is None and answer.refusal is None
        sentence = answer.sentence if self.line.sentence is not None else None
        return write_line(self.line, None if quiet else answer.result, sentence)


def play_script(text: str) -> Iterator[Played]:
    """Play a script line by line; at its end all events must fold to the same table."""
    session = Session()
    for line in read_lines(text):
        if not line.asks:
            yield Played(line)
            continue
        try:
            yield Played(line, session.play(line.text))
        except RulesError as error:
            yield Played(line, problem=str(error))
    session.check_replay()


def differences(text: str) -> list[str]:
    """Play a script and say where it differs from what it expects."""
    found = []
    for played in play_script(text):
        if played.ok:
            continue
        line = played.line
        found.append(f"line {line.number}: {line.text}")
        found.append(f"  expected: {line.expected}")
        found.append(f"  happened: {played.result}")
        sentence = played.answer.sentence if played.answer else None
        if line.sentence is not None and line.sentence != sentence:
            found += [f"  expected: | {line.sentence}", f"  happened: | {sentence}"]
    return found


def write_script(text: str) -> str:
    """Play a script and write its results in; a line that means nothing is refused."""
    written = []
    for played in play_script(text):
        if played.line.asks and played.answer is None:
            message = f"Line {played.line.number} was {played.result}"
            raise RulesError(message)
        written.append(played.written)
    return "\n".join(written) + "\n"
