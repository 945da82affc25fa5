"""Tables of other houses that somebody of this house watches: folded here, and followed."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from croupier.floor.looking import Looking
from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.following import Followed
from croupier.journal.gathering import Landed, announce
from croupier.journal.tables import TableStream

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.gathering import Subscriber
    from croupier.journal.tables import TableState
    from croupier.journal.writer import Writer
    from croupier.table.rulebook import Rulebook
    from croupier.table.state import Table


class Fold:
    """A table of another house, and everybody who watches it."""

    def __init__(self, followed: Followed) -> None:
        self.followed = followed
        self.watches: list[Watch] = []
        self.failure: JournalError | None = None

    async def catch_up(self) -> None:
        """Read what was decided since, and tell whoever wants to hear."""
        try:
            told = await self.followed.catch_up(tell=True)
        except PoisonedError:
            raise  # what is here still holds, and is read on when the medium is back
        except JournalError as error:
            self.failure = error
            return
        self.failure = None
        if told:
            tells = [one.tell for one in self.watches if one.tell is not None]
            announce(tells, Landed.of(self.followed.seat.name, told))


class Watch:
    """One who watches a table of another house, until it is closed."""

    tell: Subscriber | None = None
    """Called with what is decided behind the table that was seen first."""

    def __init__(self, name: str, fold: Fold, close: Closer) -> None:
        self.name = name
        self._fold, self._close = fold, close

    @property
    def state(self) -> TableState:
        """Return the stream as it is in the journal, as far as this house has read it."""
        if self._fold.failure is not None:
            raise self._fold.failure
        state: TableState = self._fold.followed.seat.state
        return state

    @property
    def table(self) -> Table:
        """Return the table, as the desk of its own house has it."""
        return self.state.table

    @property
    def sequence(self) -> int:
        """Return the number of the newest decision that was read."""
        return self._fold.followed.seat.sequence

    def close(self) -> None:
        """Watch no more; when nobody else does, the table is followed no more."""
        self._close(self)


if TYPE_CHECKING:
    Closer = Callable[[Watch], None]


class Watches:
    """The tables of other houses that are watched, each folded once."""

    def __init__(
        self, writer: Writer, rulebooks: tuple[Rulebook, ...], seconds: Callable[[], float]
    ) -> None:
        self._writer, self._rulebooks = writer, rulebooks
        self._folds: dict[str, Fold] = {}
        self._heard: set[str] = set()
        self._seconds, self._clock = seconds, monotonic
        self._all_again = 0.0
        """When all tables are read again, whatever is heard."""
        self._looking = Looking(writer.store, self._look, seconds)

    def start(self) -> None:
        """Begin to follow what is watched."""
        self._looking.start()

    def heard(self, stream: str) -> None:
        """Read what was decided, if somebody watches."""
        if stream in self._folds:
            self._heard.add(stream)
            self._looking.wake()

    async def watch(self, name: str, tell: Subscriber | None = None) -> Watch:
        """Fold a table and follow it; ``tell`` is called with what is decided from now on."""
        stream = f"table:{name}"
        fold = self._folds.get(stream)
        if fold is None:
            table = TableStream(name, self._rulebooks)
            fold = self._folds[stream] = Fold(Followed.of(self._writer, table))
        watch = Watch(name, fold, self._closed)
        fold.watches.append(watch)
        try:
            await fold.catch_up()
        except BaseException:
            watch.close()
            raise
        if fold.failure is not None:
            watch.close()
            raise fold.failure
        watch.tell = tell
        return watch

    def _closed(self, watch: Watch) -> None:
        stream = f"table:{watch.name}"
        fold = self._folds.get(stream)
        if fold is None or watch not in fold.watches:
            return
        fold.watches.remove(watch)
        if not fold.watches:
            del self._folds[stream]

    async def _look(self) -> None:
        """Read what was heard of, and from time to time all of them."""
        heard, self._heard = self._heard, set()
        now = self._clock()
        if not heard or now >= self._all_again:
            # However much is heard of one table, of another nothing may have come.
            heard, self._all_again = set(self._folds), now + self._seconds()
        for stream in heard:
            fold = self._folds.get(stream)
            if fold is not None:
                await fold.catch_up()

    async def close(self) -> None:
        """Follow nothing any more."""
        await self._looking.stop()
        self._folds.clear()
