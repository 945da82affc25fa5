"""Topics of tables: what happens at one, projected once for each audience, encoded once.

One change for each table and frame. Wagers of others wait for a tick and come together;
answers, a patron's own part, calls and cards go at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.floor.framing import frame
from croupier.floor.rings import UNHEARD, Ring, Subscription
from croupier.journal.decision import written_moment
from croupier.table.events import WagerLowered, WagerPlaced, WagerRaised
from croupier.table.roles import StaffPosition
from croupier.table.views.encoding import ChangeEncoder
from croupier.table.views.hearing import Audience
from croupier.table.views.own import own_part
from croupier.table.views.projection import Projection

if TYPE_CHECKING:
    import asyncio
    from datetime import datetime

    from croupier.floor.desk import Desk
    from croupier.floor.reception import Asker
    from croupier.floor.rings import Receiver, Walker
    from croupier.journal.gathering import Landed
    from croupier.table.views.encoding import EncodedStep
    from croupier.table.views.projection import Changes

TABLE = "table:"
"""How the name of a table's topic begins."""
TICK_SECONDS = 0.25
"""How long wagers of others may wait."""
LEFT_SECONDS = 30.0
"""How long public changes are kept when nobody watches any more: whoever reloads a page, or
comes back when all sockets broke, goes on from there."""
PATIENT = frozenset((WagerPlaced, WagerRaised, WagerLowered))
"""Events that others may hear of a tick later; who caused them is answered at once."""
encode = msgspec.json.Encoder().encode
RingKey = tuple[Audience, StaffPosition | None]
"""Patrons walk with the public; what is their own comes beside it. Staff of one position share
a ring, because what they may do is among what they see."""
PUBLIC: RingKey = (Audience.PUBLIC, None)


def ring_key(asker: Asker) -> RingKey:
    """Return the ring in which somebody hears of tables."""
    if asker.audience in (Audience.PUBLIC, Audience.PATRON):
        return PUBLIC
    return asker.audience, asker.works_as


class TableTopic:
    """One table, who watches it, and its last changes."""

    def __init__(self, desk: Desk, walker: Walker, tick_seconds: float = TICK_SECONDS) -> None:
        self.desk, self.walker, self.name = desk, walker, f"{TABLE}{desk.name}"
        self._tick_seconds = tick_seconds
        self._rings: dict[RingKey, Ring] = {}
        self._patrons: dict[str, dict[Subscription, None]] = {}
        self._projection: Projection | None = None
        self._encoder = ChangeEncoder()
        self._state = desk.seat.state
        self._held: list[Any] = []
        self._timer: asyncio.TimerHandle | None = None
        self.sequence, self.moment = desk.seat.sequence, _moment(desk)
        self._announced = self.sequence
        """How far the table was when something began to be held for a tick."""
        self._left = -LEFT_SECONDS
        """When the last who watched went."""
        self.changes = 0
        """How many were encoded, for the metrics."""

    @property
    def watched(self) -> int:
        """Return how many watch."""
        return sum(len(ring.subscriptions) for ring in self._rings.values())

    @property
    def _followed(self) -> bool:
        """Tell whether somebody watches, or did a moment ago and may come back."""
        return bool(self.watched) or self.walker.loop.time() < self._left + LEFT_SECONDS

    # What happens

    def happened(self, landed: Landed) -> None:
        """Take durable decisions of the table."""
        before, last = self.sequence, landed.last
        self.sequence, self.moment = last.record.sequence, last.decision.moment
        self._state = last.after
        if self._projection is None or not landed.changed:
            return
        events = [event for one in landed.all for event in one.decision.events]
        if not self._held:
            self._announced = before
        self._held += events
        if self._timer is not None and landed.kinds <= PATIENT:
            self._own_at_once({event.patron for event in events})  # type: ignore[attr-defined]
            return
        self.walker.at_end(self._announce)

    def _own_at_once(self, patrons: set[str]) -> None:
        """Let patrons have their own part now, though others hear of it a tick later."""
        for patron in patrons:
            for one in self._patrons.get(patron, ()):
                one.own_due = True
                self.walker.soon(one.client)

    def _ticked(self) -> None:
        # The ticks of many tables come together; each has a turn of its own.
        self.walker.in_turn(self._tell_held)

    def _tell_held(self) -> None:
        self._timer = None
        if self._held:
            self._announce()

    def _announce(self) -> None:
        """Project what was held once, encode it once, and let the walk carry it."""
        projection, state = self._projection, self._state
        if projection is None or (not self._held and projection.seen.table is state.table):
            return
        held, self._held = self._held, []
        if not self._followed:
            # Nobody looks: whoever comes gets a snapshot, which is projected then.
            self._projection = None
            for ring in self._rings.values():
                ring.clear(self.sequence)
            return
        changes = projection.follow(
            state.table,
            held,
            state.held_since,
            self._now(),
            sealed=state.sealed is not None,
        )
        self._publish(changes)
        if self._timer is None and self._tick_seconds:
            self._timer = self.walker.loop.call_later(self._tick_seconds, self._ticked)

    def _publish(self, changes: Changes) -> None:
        step = self._encoder.step(changes)
        for key, ring in self._rings.items():
            change = changes.of(key[0], position=key[1])
            if change is None:
                continue
            self.changes += 1
            message = self._message(step.events(change), step.view(change, key[0]))
            ring.publish(self.sequence, frame(message))
        self._to_patrons(changes, step)

    def _to_patrons(self, changes: Changes, step: EncodedStep) -> None:
        """Give patrons what everybody learns and their own part in one message."""
        everybodys = changes.public is not None
        for patron, change in changes.patrons.items():
            subscriptions = self._patrons.get(patron)
            if not subscriptions:
                continue
            view = step.view(change, Audience.PATRON)
            data = frame(self._message(step.events(change), view))
            for one in subscriptions:
                behind = one.ring.last - one.mark
                if behind == int(everybodys) and not one.client.full and not one.own_due:
                    one.mark = one.ring.last
                    one.client.send(data)  # type: ignore[attr-defined]
                else:
                    one.own_due = True
                    self.walker.soon(one.client)

    def _message(self, events: bytes, view: bytes, sequence: int | None = None) -> bytes:
        return (
            b'{"type":"change","topic":"%b","sequence":%d,"time":"%b","events":%b,"view":%b}'
            % (
                self.name.encode(),
                self.sequence if sequence is None else sequence,
                self.moment.encode(),
                events,
                view,
            )
        )

    # Who watches

    def subscribe(self, client: Receiver, asker: Asker, after: int | None) -> Subscription:
        """Let a client hear of the table, from a sequence on, or from a snapshot."""
        key = ring_key(asker)
        seen = self._seen()  # what waits is told first, to those who were there
        ring = self._rings.get(key)
        if ring is None:
            ring = self._rings[key] = Ring(self.walker, self.sequence)
        seen.view(key[0], position=key[1])
        one = Subscription(client, ring, asker.patron)
        ring.subscriptions[one] = None
        if asker.patron is not None:
            self._patrons.setdefault(asker.patron, {})[one] = None
            seen.own(asker.patron)
            one.own_due = True
        mark = None if after is None or after > self.sequence else ring.mark_after(after)
        # However often somebody asks in one turn, there is one snapshot, and only with room.
        one.mark = UNHEARD if mark is None else mark
        self.walker.soon(client)
        return one

    def unsubscribe(self, one: Subscription) -> None:
        """Let a client hear no more."""
        one.ring.subscriptions.pop(one, None)
        if not one.ring.subscriptions:
            self._drop(one.ring)
        if not self.watched:
            self._left = self.walker.loop.time()
        if one.patron is not None:
            others = self._patrons.get(one.patron)
            if others is not None:
                others.pop(one, None)
                if not others:
                    del self._patrons[one.patron]
                    if self._projection is not None:
                        self._projection.forget(one.patron)

    def _drop(self, ring: Ring) -> None:
        """Let a ring of staff go in which nobody watches any more."""
        for key in [key for key, kept in self._rings.items() if kept is ring and key != PUBLIC]:
            del self._rings[key]
            if self._projection is not None:
                self._projection.forget_staff(*key)

    def due(self, one: Subscription) -> list[bytes]:
        """Return what a client has not heard yet, and mark it as heard."""
        found: list[bytes] = []
        if one.mark != one.ring.last:
            missed = one.ring.since(one.mark)
            if missed is None:
                one.own_due = False
                return [self.snapshot(one)]
            one.mark = one.ring.last
            found.append(missed)
        if one.own_due:
            one.own_due = False
            assert one.patron is not None, "only a patron has an own part"
            own = encode(self._own(one.patron))
            # Whoever goes on from here must still hear what is held for everybody.
            heard = self._announced if self._held else self.sequence
            found.append(frame(self._message(b"[]", b'{"own":%b}' % own, heard)))
        return found

    # Views

    def _seen(self) -> Projection:
        """Return the projection, at what is durable."""
        if self._held:
            self._announce()
        if self._projection is None:
            state = self._state
            self._projection = Projection(
                state.table, state.held_since, self._now(), sealed=state.sealed is not None
            )
            for key, ring in self._rings.items():
                ring.clear(self.sequence)
                self._projection.view(key[0], position=key[1])  # whoever is seen is told on
            for patron in self._patrons:
                self._projection.own(patron)
        return self._projection

    def _now(self) -> datetime:
        return self.desk.writer.clock()

    def _own(self, patron: str) -> Any:  # noqa: ANN401  # an own part
        projection, state = self._projection, self._state
        # Of whoever only asks once nothing is kept: nobody would forget it.
        if projection is None or patron not in self._patrons:
            return own_part(state.table, patron)
        known = projection.own(patron)
        if projection.seen.table is state.table:
            return known
        part = projection.own_ahead(state.table, patron, sealed=state.sealed is not None)
        if len(self._patrons[patron]) > 1 and part != known:
            self._own_at_once({patron})  # it counts as told, so all their sockets hear it
        return part

    def view(self, asker: Asker) -> bytes:
        """Return the view of whoever asks, encoded."""
        key = ring_key(asker)
        projection, ring = self._seen(), self._rings.get(key)
        whole = None if ring is None else ring.whole
        if whole is None:
            whole = encode(projection.view(key[0], position=key[1]))
            if ring is not None:
                ring.whole = whole
            elif key != PUBLIC:
                projection.forget_staff(*key)
        if asker.patron is not None:
            return b'%b,"own":%b}' % (whole[:-1], encode(self._own(asker.patron)))
        return whole

    def snapshot(self, one: Subscription) -> bytes:
        """Return the whole view for a client, and mark everything as heard."""
        view = self.view(one.client.asker)  # type: ignore[attr-defined]
        ring = one.ring
        one.mark = ring.last
        if one.patron is None and ring.snapshot[0] == self.sequence:
            return ring.snapshot[1]
        data = frame(
            b'{"type":"snapshot","topic":"%b","sequence":%d,"time":"%b","view":%b}'
            % (self.name.encode(), self.sequence, self.moment.encode(), view)
        )
        if one.patron is None:
            ring.snapshot = self.sequence, data  # the same bytes for everybody
        return data


def _moment(desk: Desk) -> str:
    moment = desk.seat.moment or desk.writer.clock()
    return written_moment(moment)
