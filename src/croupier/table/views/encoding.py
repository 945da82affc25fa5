"""Changes as bytes of JSON: what several audiences are told is encoded once.

What everybody learns of a step is a part of what each audience learns. Staff see what those
before them do and more, field by field the same objects, and most of them stay from step to
step; so do most of the options by which they are told what they may do. Whatever is the same
object has the same bytes.
"""

from __future__ import annotations

from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import UNSET

from croupier.table.views import shapes_staff as s
from croupier.table.views.hearing import Audience
from croupier.table.views.projection import PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.table.may import Open
    from croupier.table.views.hearing import Heard
    from croupier.table.views.projection import Change, Changes

KEPT = 1024
"""How many options are remembered: several times as many as one table has."""
NOTHING = b"{}"
plain = msgspec.json.Encoder().encode


class Fields:
    """Some fields of staff's parts as bytes: only those are encoded that are other objects."""

    __slots__ = ("_bytes", "_each", "_get", "_keys", "_values")

    def __init__(self, names: tuple[str, ...], *, first: bool = False) -> None:
        self._get = attrgetter(*names)
        self._keys = [b',"%b":' % name.encode() for name in names]
        if first:
            self._keys[0] = b"{" + self._keys[0][1:]
        self._values: tuple[object, ...] = (UNSET,) * len(names)
        self._each = [b""] * len(names)
        self._bytes = b""

    def encode(self, part: s.StaffPart) -> bytes:
        """Return the fields of a part, after a brace or a comma."""
        before, values = self._values, self._get(part)
        if not all(map(is_, values, before)):
            for at, value in enumerate(values):
                if value is not before[at]:
                    self._each[at] = self._keys[at] + plain(value)
            self._values, self._bytes = values, b"".join(self._each)
        return self._bytes


STAFF, MONEY = s.StaffPart.__struct_fields__, s.MoneyPart.__struct_fields__
"""The fields that all of staff see, and those with what pit and auditor see beside."""


class ChangeEncoder:
    """Encodes what changed for the audiences of one table."""

    __slots__ = ("_kept", "_known", "levels")

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}
        """Options by identity, each after a comma."""
        self._kept: list[Open] = []
        """Those options: as long as one is kept, nothing else has its identity."""
        every, money = Fields(STAFF, first=True), Fields(MONEY[len(STAFF) :])
        recorded = Fields(s.AuditorPart.__struct_fields__[len(MONEY) :])
        self.levels = {
            Audience.DEALER: (every,),
            Audience.PIT: (every, money),
            Audience.AUDITOR: (every, money, recorded),
        }
        """Of whoever is of staff: the fields that they see, those first that all of them do."""

    def step(self, changes: Changes) -> EncodedStep:
        """Return what a step of the table is as bytes, to be asked for each audience."""
        return EncodedStep(self, changes)

    def options(self, may: Sequence[Open]) -> list[bytes]:
        """Return options as bytes, all but the first after a comma."""
        known = self._known
        found = list(map(known.get, map(id, may)))
        for at in [at for at, piece in enumerate(found) if piece is None]:
            found[at] = self._option(may[at])
        pieces = cast("list[bytes]", found)
        if pieces:
            pieces[0] = pieces[0][1:]
        return pieces

    def _option(self, option: Open) -> bytes:
        if len(self._kept) >= KEPT:
            self._known.clear()
            self._kept.clear()
        self._kept.append(option)
        known = self._known[id(option)] = b"," + plain(option)
        return known


class EncodedStep:
    """What all audiences learn of one step, as bytes."""

    __slots__ = ("_encoder", "_heard", "_levels", "public")

    def __init__(self, encoder: ChangeEncoder, changes: Changes) -> None:
        self._encoder = encoder
        self._heard: dict[int, tuple[tuple[Heard, ...], bytes]] = {}
        self._levels: dict[Fields, bytes] = {}
        """What several of staff see alike."""
        self.public = NOTHING if changes.public is None else plain(changes.public.view)
        """What changed for everybody, and is told to all."""

    def events(self, change: Change) -> bytes:
        """Return what an audience hears; those who hear the same share it."""
        heard = change.events
        known = self._heard.get(id(heard))
        if known is None:
            known = self._heard[id(heard)] = heard, plain(heard)
        return known[1]

    def view(self, change: Change, audience: Audience) -> bytes:
        """Return what changed in the view of an audience."""
        name = PARTS.get(audience)
        part = UNSET if name is None else getattr(change.view, name)
        if name is None or part is UNSET:
            return self.public
        begins = b"{" if self.public == NOTHING else self.public[:-1] + b","
        return b"".join([begins, b'"%b":' % name.encode(), *self._part(part, audience), b"}"])

    def _part(self, part: Any, audience: Audience) -> list[bytes]:  # noqa: ANN401  # of any audience
        """Return what an audience sees beside the public view, in pieces.

        They are put together once, by whoever asked: what staff are told is long.
        """
        levels = self._encoder.levels.get(audience)
        if levels is None:
            return [plain(part)]
        for one in levels:
            if one not in self._levels:
                self._levels[one] = one.encode(part)
        pieces = [self._levels[one] for one in levels]
        if audience is not Audience.AUDITOR:
            pieces += [b',"may":[', *self._encoder.options(part.may), b"]"]
        return [*pieces, b"}"]
