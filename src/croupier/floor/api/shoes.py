"""Shoes over HTTP: the commitment of the house, and all cards once they are out of play."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from datetime import datetime  # noqa: TC003  # clients read shoes back
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from litestar import Response, get
from litestar.params import FromPath  # noqa: TC002  # read by Litestar

from croupier.floor.api.calls import After, AnyRequest, answered, asker_of, described, floor_of
from croupier.floor.api.tables import OF_TABLES, reached
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.decision import read_moment, read_record
from croupier.journal.tables import is_lost
from croupier.rules.errors import quoted
from croupier.table import events as e

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.floor.desk import Desk
    from croupier.journal.decision import Decision
    from croupier.journal.shoes import CardOpened, ShoeOpened
    from croupier.journal.store import Store

CHUNK: Final = 2_000
"""How many records are read at once."""
KEPT: Final = 64
"""How many shoes that are out of play are remembered."""
READ_SECONDS: Final = 6.0
"""How long somebody waits while the shoes of a table are looked up."""
SEAL: Final = b'"seal":'
"""What the record of a shoe that is sealed has in it; another may have it too."""
MARKS: Final = (SEAL, b"shoe_lost", b"bets_opened", b"card_drawn")
"""What a record has in it that tells something of a shoe; another may have it too."""
Place: TypeAlias = tuple[int | None, str | None]
"""The round for which a card was drawn, and the place in its hand."""
NOWHERE: Final[Place] = (None, None)


class Opening(msgspec.Struct, frozen=True):
    """A card that was exposed: its salt and the way to the root prove that it was there."""

    number: int
    card: str
    salt: str
    path: tuple[str, ...]
    round: int | None
    place: str | None
    """The round in which it was drawn, and to which place, such as P1."""


class Unexposed(msgspec.Struct, frozen=True):
    """A card that was never exposed: with all others its salt gives the root."""

    number: int
    card: str
    salt: str
    round: int | None
    place: str | None
    """Where it lay face down; None: it was not drawn for a hand."""


class ShoeKnown(msgspec.Struct, frozen=True):
    """What the house lets be known of a shoe.

    While it is in play that is the commitment: nobody learns a card by it. Afterwards every
    card has its opening; of a shoe of paper nobody knows the order.
    """

    table: str
    shoe: str
    seal: str
    """What its leaves are named by."""
    cards: int
    source: str
    """"virtual", or "device" for cards of paper: then there is no root."""
    root: str | None
    in_play: bool
    lost: bool
    """Whether its key was lost: what was not exposed stays unknown."""
    sealed_by: int
    """The sequence of the record with the commitment."""
    sealed: datetime
    openings: tuple[Opening, ...]
    rest: tuple[Unexposed, ...]


class Sealed(msgspec.Struct):
    """Where the shoes of a table were sealed, as far as its stream was read."""

    by_shoe: dict[str, int] = {}
    in_order: list[int] = []
    read_to: int = 0


class Drawn:
    """Where the cards of a shoe were drawn to, as its records come in their order."""

    def __init__(self) -> None:
        self._round: int | None = None
        self.to: dict[int, Place] = {}

    def note(self, decision: Decision) -> None:
        """Note the round that is called, and where cards are drawn to."""
        for event in decision.events if decision.accepted else ():
            if isinstance(event, e.BetsOpened):
                self._round = event.round
            elif isinstance(event, e.CardDrawn):
                self.to[event.number] = self._round, event.position.value


class Shoes:
    """Finds shoes in the journal; those that are out of play are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], ShoeKnown] = OrderedDict()
        self._sealed: dict[str, Sealed] = {}
        self._reading: dict[str, asyncio.Lock] = {}

    async def find(self, store: Store, desk: Desk, shoe: str) -> ShoeKnown | None:
        """Return a shoe of a table; None: it had none of this name."""
        key = desk.name, shoe
        async with self._reading.setdefault(desk.name, asyncio.Lock()):
            sealed = await self._index(store, desk)
            sequence = sealed.by_shoe.get(shoe)
            if sequence is None:
                return None
            kept = self._kept.get(key)
            if kept is not None and kept.sealed_by == sequence:
                return kept
            found = await _read(store, desk, sequence, sealed)
        if not found.in_play:
            self._kept[key] = found
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    async def _index(self, store: Store, desk: Desk) -> Sealed:
        """Read on to the end of the stream, once; who asks meanwhile may come back."""
        sealed = self._sealed.setdefault(desk.name, Sealed())
        loop, head = asyncio.get_running_loop(), desk.seat.sequence
        end = loop.time() + READ_SECONDS
        while sealed.read_to < head:
            if loop.time() > end:
                message = f"The shoes of table {desk.name} are being looked up."
                raise ProblemError(ServerCode.BUSY, message, 1.0)
            page = await store.read(desk.stream, sealed.read_to, CHUNK)
            for record in page:
                decision = read_record(record) if SEAL in record.body else None
                if decision is not None and decision.house.seal is not None:
                    sealed.by_shoe[decision.house.seal.shoe] = record.sequence
                    sealed.in_order.append(record.sequence)
            sealed.read_to = page[-1].sequence
        return sealed


async def _read(store: Store, desk: Desk, sequence: int, sealed: Sealed) -> ShoeKnown:
    """Read what the journal has of a shoe, from its commitment to the next one."""
    place = bisect_right(sealed.in_order, sequence)
    last = sealed.in_order[place] if place < len(sealed.in_order) else sealed.read_to
    (record,) = await store.read(desk.stream, sequence - 1, 1)
    sealing = read_record(record)
    seal = sealing.house.seal
    assert seal is not None, "a shoe was sealed there"
    over, lost = place < len(sealed.in_order), False
    opened: list[CardOpened] = []
    ended: ShoeOpened | None = None
    drawn = Drawn()
    after = sequence
    while after < last:
        page = await store.read(desk.stream, after, min(CHUNK, last - after))
        for record in page:
            if not any(mark in record.body for mark in MARKS):
                continue
            one = read_record(record)
            drawn.note(one)
            opened += (card for card in one.house.openings if card.seal == seal.seal)
            if one.house.ended is not None and one.house.ended.seal == seal.seal:
                over, ended = True, one.house.ended
            if one.accepted and is_lost(one.events):
                over = lost = True
        after = page[-1].sequence
    return ShoeKnown(
        table=desk.name,
        shoe=seal.shoe,
        seal=seal.seal,
        cards=seal.cards,
        source=seal.source,
        root=seal.root,
        in_play=not over,
        lost=lost,
        sealed_by=sequence,
        sealed=read_moment(sealing.moment),
        openings=_openings(opened, drawn.to) if over else (),
        rest=() if ended is None else _unexposed(ended, drawn.to),
    )


def _openings(opened: list[CardOpened], drawn: Mapping[int, Place]) -> tuple[Opening, ...]:
    found = (
        Opening(one.number, one.card, one.salt, one.path, *drawn.get(one.number, NOWHERE))
        for one in opened
    )
    return tuple(sorted(found, key=lambda one: one.number))


def _unexposed(ended: ShoeOpened, drawn: Mapping[int, Place]) -> tuple[Unexposed, ...]:
    left = (
        Unexposed(int(number), *card, *drawn.get(int(number), NOWHERE))
        for number, card in ended.cards.items()
    )
    return tuple(sorted(left, key=lambda one: one.number))


@get(
    "/tables/{name:str}/shoes/{shoe:str}",
    opt=described(
        gives=ShoeKnown,
        query=After,
        problems=(*OF_TABLES, ServerCode.UNKNOWN_SHOE, ServerCode.BUSY),
    ),
)
async def shoe_known(
    request: AnyRequest, name: FromPath[str], shoe: FromPath[str]
) -> Response[bytes]:
    """Return the commitment to a shoe, and all its cards once it is out of play."""
    floor = floor_of(request)
    asker_of(request)
    await reached(request, name)
    shoes: Shoes = request.app.state.shoes
    found = await shoes.find(floor.house.store, floor.house.tables[name], shoe)
    if found is None:
        message = f"Table {name} had no shoe {quoted(shoe)}."
        raise ProblemError(ServerCode.UNKNOWN_SHOE, message)
    return answered(found)


CALLS = (shoe_known,)
