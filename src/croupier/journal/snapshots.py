"""Snapshots: the state of a stream at one of its decisions, so that a start folds the rest.

A snapshot is believed only by the release that made it, only if it is authenticated with a
key that is not in the store, and only if the journal still has the decision it was made at.
Verification never believes one.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

from croupier.journal.files import KEY_BYTES, key_at
from croupier.journal.frames import Kept
from croupier.journal.release import release

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.gathering import Place, Seat

EVERY = 10_000
"""At the latest after so many decisions there is a new snapshot."""
BETWEEN = 100
"""Between rounds there is one when so many decisions came since the last."""
MAGIC = b"croupier-snapshot-1"


class Snapshots:
    """Makes snapshots, and tells which of them can be believed."""

    def __init__(self, key: bytes, *, every: int = EVERY, between: int = BETWEEN) -> None:
        assert len(key) == KEY_BYTES, "a key of another length"
        self._key, self._every, self._between = key, every, between

    @classmethod
    def at(cls, path: Path) -> Snapshots:
        """Return snapshots with the key of a file, which is made if there is none."""
        return cls(key_at(path, "snapshots"))

    def due(self, seat: Seat, before: Any, place: Place) -> Kept | None:  # noqa: ANN401
        """Return a snapshot of a stream after a frame, if it is time for one."""
        since = place.sequence - seat.snapshot_at
        if since < self._every:
            if since < self._between:
                return None
            stream = seat.stream
            # The newer one first: in the middle of a round that is all.
            if not stream.resting(place.state) or stream.resting(before):
                return None
        seat.snapshot_at = place.sequence
        try:
            state = seat.stream.pack(place.state)
        except Exception:  # noqa: BLE001  # without one a start folds more, and that is all
            return None
        mark = self._mark(seat.name, place.sequence, place.hash, release(), state)
        return Kept(seat.name, place.sequence, place.hash, release(), state, mark)

    def believable(self, stream: str, kept: Kept) -> bool:
        """Tell whether this house made a snapshot, with the code that runs now."""
        mark = self._mark(kept.stream, kept.sequence, kept.hash, kept.release, kept.state)
        same = hmac.compare_digest(mark, kept.mark)
        return same and kept.stream == stream and kept.release == release()

    def _mark(
        self, stream: str, sequence: int, digest: bytes, made_by: str, state: bytes
    ) -> bytes:
        texts = (stream.encode(), b"%d" % sequence, digest, made_by.encode(), state)
        lengths = b",".join(b"%d" % len(text) for text in texts)
        return hmac.digest(self._key, b"\0".join((MAGIC, lengths, *texts)), "sha256")
