"""Loading a stream: the newest snapshot that can be believed, and the decisions after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.journal.decision import (
    Decision,
    Head,
    Record,
    check_chain,
    read_moment,
    read_record,
)
from croupier.journal.errors import JournalError, OtherCommandError
from croupier.journal.gathering import Committed, Place, Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from croupier.journal.gathering import Asked, Seat
    from croupier.journal.snapshots import Snapshots
    from croupier.journal.store import Key, Store

PAGE = 5_000
IMPOSSIBLE = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    StopIteration,
)
"""What deciding or folding raises about something that cannot have happened."""


async def records_of(store: Store, stream: str, after: int = 0) -> AsyncIterator[Record]:
    """Yield all records of a stream in order."""
    while True:
        page = await store.read(stream, after, PAGE)
        for record in page:
            yield record
        if len(page) < PAGE:
            return
        after = page[-1].sequence


async def decisions_of(store: Store, stream: str, after: int = 0) -> AsyncIterator[Decision]:
    """Yield all decisions of a stream in order; the chain from the first read is checked."""
    head = None
    async for record in records_of(store, stream, after):
        if head is None and after:
            head = Head(stream, record.sequence, record.hash)
        else:
            head = check_chain(head or Head(stream), record)
        yield read_record(record)


async def load(store: Store, seat: Seat, snapshots: Snapshots | None) -> None:
    """Bring a stream to its head: from a snapshot, or from the beginning."""
    if snapshots is not None:
        await _from_snapshot(store, seat, snapshots)
    await follow(store, seat, tell=False)


async def _from_snapshot(store: Store, seat: Seat, snapshots: Snapshots) -> None:
    kept = await store.snapshot(seat.name)
    if kept is None or not snapshots.believable(seat.name, kept):
        return
    at = await store.read(seat.name, kept.sequence - 1, 1)
    if not at or (at[0].sequence, at[0].hash) != (kept.sequence, kept.hash):
        return  # ahead of the journal, or of another one
    try:
        state = seat.stream.unpack(kept.state)
    except (msgspec.MsgspecError, LookupError, ValueError, TypeError):
        return
    seat.durable = seat.ahead = Place(state, kept.sequence, kept.hash)
    seat.moment = read_moment(read_record(at[0]).moment)
    seat.snapshot_at = kept.sequence


async def follow(store: Store, seat: Seat, *, tell: bool = True) -> list[Committed]:
    """Fold what the journal has behind the durable state; return it, if it is to be told."""
    place, fold = seat.durable, seat.stream.fold
    head = Head(seat.name, place.sequence, place.hash)
    newest = await store.head(seat.name)
    if newest.sequence < place.sequence:
        message = (
            f"The journal was cut off or rolled back: {seat.name} ends at decision"
            f" {newest.sequence}, and decision {place.sequence} was in it."
        )
        raise JournalError(message)
    state, told, decision = place.state, [], None
    async for record in records_of(store, seat.name, place.sequence):
        head = check_chain(head, record)
        decision = read_record(record)
        before = state
        if decision.refusal is None:
            try:
                state = fold(state, decision.house, decision.events, decision.sequence)
            except IMPOSSIBLE as error:
                message = (
                    f"Decision {record.sequence} of {seat.name} cannot have happened:"
                    f" {type(error).__name__} {error}".rstrip(". ")
                    + "."
                )
                raise JournalError(message) from error
        if tell:
            told.append(Committed(record, decision, before, state))
    if decision is not None:
        seat.durable = seat.ahead = Place(state, head.sequence, head.hash)
        seat.moment = read_moment(decision.moment)
    return told


async def check_balances(store: Store, seat: Seat) -> None:
    """Refuse to go on when the ledger and the state disagree."""
    held: dict[str, int] = {}
    for prefix in seat.stream.owned():
        held |= await store.balances(prefix)
    owned = seat.stream.owned()
    held = {
        account: cents
        for account, cents in held.items()
        if cents and (account in owned or account.startswith(_groups(owned)))
    }
    wanted = seat.stream.expected(seat.state)
    if held != wanted:
        account = min(set(held.items()) ^ set(wanted.items()))[0]
        message = (
            f"The ledger of {seat.name} disagrees with its journal"
            f" about {account}: {held.get(account, 0)} and {wanted.get(account, 0)} cents."
        )
        raise JournalError(message)


def anywhere(found: Mapping[Key, Record]) -> dict[Key, Record]:
    """Return records by their keys, and by their identifications alone."""
    return {**{("", *key[1:]): record for key, record in found.items()}, **found}


def replied(asked: Asked, record: Record) -> Reply | JournalError:
    """Return the answer that the journal has to a command that came again."""
    if record.stream != asked.seat.name:
        return other_command(asked)
    try:
        decision = read_record(record)
    except JournalError as error:
        return error
    if asked.content and decision.asked != asked.content:
        return other_command(asked)
    refused = decision.refusal
    if refused is None:
        return Reply(record.sequence, None, decision.events)
    try:
        return Reply(record.sequence, asked.seat.stream.refusal(refused))
    except (ValueError, LookupError, msgspec.MsgspecError):
        # Of a release that had other codes: as the journal has it.
        return Reply(record.sequence, refused)


def repeated(asked: Asked, known: tuple[object, Reply]) -> Reply | JournalError:
    """Return an answer again, or refuse another content under the same identification."""
    content, reply = known
    return reply if content == asked.content else other_command(asked)


def other_command(asked: Asked) -> OtherCommandError:
    """Say that an identification is another command's."""
    message = f"Command {asked.command_id} of {asked.actor.key} was another one before."
    return OtherCommandError(message)


def _groups(owned: tuple[str, ...]) -> tuple[str, ...]:
    """Return those beginnings that name many accounts, and not just one."""
    return tuple(one for one in owned if one.endswith(":"))
