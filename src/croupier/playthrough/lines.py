"""The lines of a script: what is asked, and the result that is expected after ``->``.

A result may stand below its line as well; a line that begins with ``;`` goes on with it,
and one that begins with ``|`` is the sentence of a refusal.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.rules.errors import RulesError, quoted
from croupier.table.settable import CENTS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.table.state import Table

ARROW = re.compile(r"(?:^|\s+)->(?:\s+|$)")
RESULT_COLUMN = 40
WIDTH = 110
OPTION = re.compile(r"([a-z_]+)=(.*)", re.DOTALL)


class ScriptError(RulesError):
    """A line that nobody can understand; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script, with what goes on below it."""

    number: int
    text: str
    """What is asked; empty for comments and blank lines."""
    expected: str | None = None
    """The result, one line; None: the script does not say."""
    sentence: str | None = None
    """The sentence of a refusal, where the script has it."""
    remark: str = ""
    """A comment or blank line, as it was written."""

    @property
    def asks(self) -> bool:
        """Tell whether this line asks for something."""
        return bool(self.text)

    @property
    def opens(self) -> bool:
        """Tell whether this is the line that opens the table."""
        return self.text.split()[:1] == ["game"]


def read_lines(text: str) -> list[Line]:
    """Read a whole script."""
    lines: list[Line] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        bare = raw.strip()
        if bare.startswith(("->", "|", ";")):
            lines.append(_longer(lines.pop() if lines else None, number, bare))
        elif not bare or bare.startswith("#"):
            lines.append(Line(number, "", remark=raw.rstrip()))
        else:
            lines.append(read_line(bare, number))
    return lines


def read_line(text: str, number: int = 1) -> Line:
    """Read one line that asks for something."""
    parts = ARROW.split(text, maxsplit=1)
    expected = parts[1].strip() if len(parts) > 1 else None
    return Line(number, parts[0].strip(), expected)


def _longer(line: Line | None, number: int, more: str) -> Line:
    """Return a line with one more line of its result or sentence."""
    result = more.startswith("->")
    if line is None or not line.asks or (line.expected is None) is not result:
        message = f"Line {number} goes on with a line or result that does not stand above it."
        raise ScriptError(message)
    expected, sentence, words = line.expected, line.sentence, more[1:].strip()
    if result:
        expected = more[2:].strip()
    elif more.startswith(";"):
        expected = f"{expected}; {words}"
    else:
        sentence = words if sentence is None else f"{sentence} {words}"
    return Line(line.number, line.text, expected, sentence)


def write_line(line: Line, result: str | None, sentence: str | None = None) -> str:
    """Write a line with a result, as scripts have it; long results go on below."""
    if not line.asks:
        return line.remark
    if result is None:
        return line.text
    pieces = result.split("; ")
    rows = [pieces[0]]
    for piece in pieces[1:]:
        longer = f"{rows[-1]}; {piece}"
        if RESULT_COLUMN + len(longer) > WIDTH:
            rows.append(piece)
        else:
            rows[-1] = longer
    written, start = [], line.text
    if len(start) >= RESULT_COLUMN:
        written, start = [start], ""
    written.append(f"{start:<{RESULT_COLUMN - 2}} -> {rows[0]}")
    indent = " " * (RESULT_COLUMN - 1)
    written += [f"{indent} ; {row}" for row in rows[1:]]
    if sentence is not None:
        written.append(f"{indent} | {sentence}")
    return "\n".join(written)


class Words:
    """The words of a line behind its verb: words in their order, and options by name."""

    def __init__(self, words: list[str], syntax: str, table: Table) -> None:
        self.syntax = syntax
        self.table = table
        """The table as it is before the line."""
        self.words: list[str] = []
        self.options: dict[str, str] = {}
        for word in words:
            found = OPTION.fullmatch(word)
            if found is None:
                self.words.append(word)
            else:
                self.options[found[1]] = found[2]

    def wrong(self, why: str) -> ScriptError:
        """Return an error that shows how the line is written."""
        return ScriptError(f"{why}; write: {self.syntax}.")

    def next(self, what: str) -> str:
        """Take the next word."""
        if not self.words:
            message = f"Here comes {what}, and nothing came"
            raise self.wrong(message)
        return self.words.pop(0)

    def rest(self) -> list[str]:
        """Take all words that are left."""
        words, self.words = self.words, []
        return words

    def flag(self, word: str) -> bool:
        """Take a word that may be there."""
        if word not in self.words:
            return False
        self.words.remove(word)
        return True

    def option(self, name: str, usual: str = "") -> str:
        """Take an option, or the usual value."""
        return self.options.pop(name, usual)

    def maybe(self, name: str) -> str | None:
        """Take an option that may be missing."""
        return self.options.pop(name, None)

    def end(self) -> None:
        """Refuse what nobody took."""
        left = [*self.words, *(f"{name}=" for name in self.options)]
        if left:
            message = f"{quoted(left[0])} means nothing here"
            raise self.wrong(message)


def split_words(text: str) -> list[str]:
    """Split a line into words; double quotes keep words together."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.quotes = '"'
    lexer.escape = ""
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        message = "A quotation mark is open and never closed."
        raise ScriptError(message) from None


AMOUNT = re.compile(r"-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]{1,2})?")
WHOLE = re.compile(r"-?[0-9]+")
DIGITS_MAX = 15
"""More digits before the point are no amount of money."""
WHOLE_DIGITS_MAX = 9


def read_amount(text: str) -> int:
    """Read an amount of dollars as cents.

    >>> read_amount("1,000.50"), read_amount("50"), read_amount("0.5")
    (100050, 5000, 50)
    """
    if AMOUNT.fullmatch(text) is None:
        message = f"{quoted(text)} is not an amount; write dollars and cents, as 100.00."
        raise ScriptError(message)
    whole, _, part = text.replace(",", "").lstrip("-").partition(".")
    if len(whole) > DIGITS_MAX:
        message = f"{quoted(text)} is too long; an amount is at most {dollars(CENTS_MAX)}."
        raise ScriptError(message)
    cents = int(whole) * 100 + int(part.ljust(2, "0"))
    return -cents if text.startswith("-") else cents


def read_whole(text: str) -> int:
    """Read a whole number."""
    if WHOLE.fullmatch(text) is None:
        message = f"{quoted(text)} is not a whole number."
        raise ScriptError(message)
    if len(text.lstrip("-")) > WHOLE_DIGITS_MAX:
        message = f"{quoted(text)} is too long; a number is at most {'9' * WHOLE_DIGITS_MAX}."
        raise ScriptError(message)
    return int(text)


def named_by(title: str) -> Iterator[str]:
    """Yield the citations at the start of a script's first comment line.

    >>> list(named_by("# BAC8 5.8.2.2, BAC8 3.1  Cards drawn together."))
    ['BAC8 5.8.2.2', 'BAC8 3.1']
    """
    head = re.split(r"\s{2,}", title.lstrip("# "), maxsplit=1)[0]
    for cite in head.split(","):
        if cite.strip():
            yield cite.strip()


def read_won(text: str) -> int:
    """Read what a line wins: an amount, with a minus sign what it loses."""
    return -read_amount(text[1:]) if text.startswith("-") else read_amount(text)


def yes(text: str) -> bool:
    """Read yes or no, known or unknown."""
    answers = {"yes": True, "known": True, "no": False, "unknown": False}
    if text not in answers:
        message = f"{quoted(text)} is neither known nor unknown."
        raise ScriptError(message)
    return answers[text]
