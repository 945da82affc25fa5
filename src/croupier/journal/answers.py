"""Checking the answers to commands beside the records they led to."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.journal import cage
from croupier.journal.checkpoints import (
    NO_ANSWERS,
    digest_answer,
    refusal_digest,
    signed_refusals,
)
from croupier.journal.reader import Finding
from croupier.journal.record import encode_canonical
from croupier.table.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from croupier.journal.checkpoints import Checkpoint
    from croupier.journal.record import Answer, Record

REFUSALS: tuple[msgspec.json.Decoder[Any], ...] = (
    msgspec.json.Decoder(Refusal),
    msgspec.json.Decoder(cage.CageRefusal),
)
"""How refusals are read: those of tables, and those of the cage."""


class AnswerCheck:
    """Goes through the answers of a stream beside its records.

    The answers that led to records cover all records, each once and in order; a command
    that led to none was answered at the place where its records would have begun.
    """

    def __init__(
        self,
        stream: str,
        pages: AsyncIterator[list[Answer]],
        checkpoints: Sequence[Checkpoint] = (),
    ) -> None:
        self._stream, self._pages = stream, pages
        self._digests = bool(checkpoints)
        self._signed = signed_refusals(stream, checkpoints)
        self._refusals = REFUSALS[stream == cage.STREAM]
        self._waiting: deque[Answer] = deque()
        self._covered = 0
        self._accepted: Answer | None = None
        self._more = True
        self.count = 0
        self.digest = NO_ANSWERS

    async def load(self, sequence: int) -> None:
        """Have all answers at hand that begin at a record or before it."""
        while self._more and (not self._waiting or self._waiting[-1].first <= sequence):
            page = await anext(self._pages, None)
            self._more = page is not None
            self._waiting += page or ()

    def reach(self, record: Record) -> Finding | None:
        """Take all answers up to a record, and see that one of them led to it."""
        sequence = record.sequence
        if self._waiting and self._waiting[0].first <= sequence:
            wrong = self._take_up_to(sequence)
            if wrong is not None:
                return wrong
        answer = self._accepted
        if answer is None or self._covered < sequence:
            sentence = f"No answer belongs to record {sequence}."
            return Finding(self._stream, sequence, "answer", sentence)
        if answer.command != record.command or answer.actor != record.actor:
            sentence = f"Command {answer.command} did not lead to this record."
            return Finding(self._stream, sequence, "answer", sentence)
        return None

    async def finish(self, last: int) -> Finding | None:
        """Take the answers behind the last record; there can be refusals only."""
        await self.load(last + 1)
        wrong = self._take_up_to(last + 1)
        if wrong is None and self._waiting:
            wrong = self._wrong(self._waiting[0], "names records that do not exist")
        if wrong is None and self._covered > last and self._accepted is not None:
            wrong = self._wrong(self._accepted, "names records that do not exist")
        if wrong is None and self._signed:
            (place, _), number = min(self._signed.items())
            sentence = f"Checkpoint {number} has seen a refusal here that is no longer there."
            wrong = Finding(self._stream, place, "checkpoint", sentence)
        return wrong

    def _take_up_to(self, sequence: int) -> Finding | None:
        waiting = self._waiting
        while waiting and waiting[0].first <= sequence:
            answer = waiting.popleft()
            self.count += 1
            if self._digests:
                self.digest = digest_answer(self.digest, answer)
            if answer.last >= answer.first:
                if answer.first != self._covered + 1:
                    return self._wrong(answer, "names records of another command")
                if answer.result != b"null":
                    return self._wrong(answer, "says that it was refused, and led to records")
                self._accepted, self._covered = answer, answer.last
            elif answer.first != answer.last + 1 or not self._is_next(answer.first):
                return self._wrong(answer, "names a place that is not its own")
            elif self._refuses(answer):
                if self._signed:
                    self._signed.pop((answer.first, refusal_digest(answer)), None)
            else:
                return self._wrong(answer, "led to no records, and holds no refusal")
        return None

    def _refuses(self, answer: Answer) -> bool:
        """Tell whether an answer holds a refusal of its stream, written as all are."""
        try:
            refusal = self._refusals.decode(answer.result)
        except (msgspec.MsgspecError, UnicodeError):
            return False
        return encode_canonical(refusal) == answer.result

    def _is_next(self, place: int) -> bool:
        """Tell whether a refusal stands where the next record was to come.

        In the order of the answers it may stand behind the command that led to that record.
        """
        newest = self._accepted
        return place == self._covered + 1 or (newest is not None and place == newest.first)

    def _wrong(self, answer: Answer, why: str) -> Finding:
        sentence = f"The answer to {answer.command} of {answer.actor} {why}."
        return Finding(self._stream, answer.first, "answer", sentence)
