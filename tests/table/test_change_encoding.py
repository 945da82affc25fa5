"""Changes as bytes: what is shared and remembered gives the bytes of encoding it anew."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.table.decide import act
from croupier.table.refusals import Refusal
from croupier.table.views import Audience, Projection, encoding
from croupier.table.views.encoding import ChangeEncoder
from croupier.table.views.hearing import BESIDE, STAFF, hears_as
from tests.table.machine_views import WORKING
from tests.table.machine_walk import Walk

if TYPE_CHECKING:
    from croupier.table.views import Change, Changes


def everybodys(told: Changes) -> list[tuple[Audience, Change]]:
    """Return what each audience is told, and each patron who is told more than everybody."""
    changes = [(Audience.PUBLIC, told.public)]
    changes += [(audience, change) for (audience, _), change in told.staff.items()]
    changes += [(Audience.PATRON, change) for change in told.patrons.values()]
    return [(audience, change) for audience, change in changes if change is not None]


@pytest.mark.parametrize("kept", [1, 40, encoding.KEPT])
@pytest.mark.parametrize("slug", ["baccarat", "power-98", "tiger"])
def test_what_everybody_is_told_is_encoded_as_if_anew(
    slug: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "KEPT", kept)
    walk, encoder = Walk(slug, Random(5)), ChangeEncoder()
    shown, options, own = Projection(walk.table), 0, 0
    for audience, position in WORKING:
        shown.view(audience, position=position)
    for _ in range(60):
        envelope = walk.next()
        answer = act(walk.table, envelope)
        walk.bring(envelope)
        if isinstance(answer, Refusal):
            continue
        for patron in walk.table.seats:
            shown.own(patron)
        told = shown.follow(walk.table, answer[0])
        step = encoder.step(told)
        for audience, change in everybodys(told):
            found = step.view(change, audience)
            assert found == msgspec.json.encode(change.view)
            assert step.events(change) == msgspec.json.encode(change.events)
            options += found.count(b'"command"')
            own += found.count(b'"own"')
    assert options > 100
    assert own > 20


def test_who_hears_an_event_alike_hears_the_same_facts() -> None:
    kinds = {kind for lists in BESIDE.values() for known in lists for kind in known}
    for kind in kinds:
        for audience in STAFF:
            like = hears_as(kind, audience)
            facts, other = (
                [known.get(kind) for known in BESIDE[one] if kind in known]
                for one in (audience, like)
            )
            assert facts == other
    assert {hears_as(kind, Audience.AUDITOR) for kind in kinds} == set(STAFF)
