"""Changes as bytes: what is remembered of options gives the bytes of encoding it anew."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from croupier.table.decide import act
from croupier.table.refusals import Refusal
from croupier.table.views import Audience, Projection, encoding
from croupier.table.views.encoding import ChangeEncoder
from tests.table.machine_views import WORKING
from tests.table.machine_walk import Walk


@pytest.mark.parametrize("kept", [1, 40, encoding.KEPT])
@pytest.mark.parametrize("slug", ["baccarat", "power-98", "tiger"])
def test_what_staff_may_do_is_encoded_as_if_anew(
    slug: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "KEPT", kept)
    walk, encoder = Walk(slug, Random(5)), ChangeEncoder()
    shown, options = Projection(walk.table), 0
    for audience, position in WORKING:
        shown.view(audience, position=position)
    for _ in range(60):
        envelope = walk.next()
        answer = act(walk.table, envelope)
        walk.bring(envelope)
        if isinstance(answer, Refusal):
            continue
        told = shown.follow(walk.table, answer[0])
        changes = [(Audience.PUBLIC, told.public)]
        changes += [(audience, change) for (audience, _), change in told.staff.items()]
        for audience, change in changes:
            if change is not None:
                found = encoder.encode(change.view, audience)
                assert found == msgspec.json.encode(change.view)
                options += found.count(b'"command"')
    assert options > 100
