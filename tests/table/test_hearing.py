"""Events as each audience hears them: by whitelists, and no word more."""

from __future__ import annotations

import re
from datetime import datetime
from enum import Enum
from itertools import pairwise
from typing import get_args, get_origin

import msgspec
import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import EVENTS
from croupier.table.views import Audience, Heard, hear
from croupier.table.views.hearing import ANNOUNCED, BESIDE, FOR_DEALER, FOR_PIT, OWN
from tools.round_walks import MOMENT
from tools.table_pages import HOUSE_ONLY, fields_of

encode = msgspec.json.encode

# Everybody


def filled(kind: object, name: str) -> object:
    """Return a value of a type in which every word says which field it came from."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = msgspec.structs.fields(kind)
        return kind(**{field.name: filled(field.type, field.name) for field in fields})
    if isinstance(kind, type):
        plain = {str: f"<{name}>", int: 1, bool: True, datetime: MOMENT}
        return next(iter(kind)) if issubclass(kind, Enum) else plain[kind]
    parts = [part for part in get_args(kind) if part not in (type(None), ...)]
    values = [filled(part, name) for part in parts]
    if get_origin(kind) is dict:
        return {values[0]: values[1]}
    return tuple(values) if get_origin(kind) is tuple else values[0]


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_an_announcement_has_the_public_fields_of_its_event_and_no_word_more(
    kind: type[e.Event],
) -> None:
    event = filled(kind, "")
    assert isinstance(event, kind)
    told = hear(event, seats={"<patron>": 7, "<handed_to>": 7})
    if kind not in ANNOUNCED:
        assert told is None
        return
    assert told is not None
    assert told.name == kind.__struct_config__.tag
    public = {name.rpartition(".")[2] for name in ANNOUNCED[kind]}
    people = public & {"patron", "handed_to"}
    assert set(told.facts) == public - people | ({"seat"} if people else set())
    if people:
        assert told.facts["seat"] == 7
    words = set(re.findall(r"<(\w+)>", encode(told).decode()))
    faces_of_exposed = {"card"} if kind is i.CardsReconstructed else set()
    assert words <= public - people | faces_of_exposed
    secret = {"name", "reason", "note", "drawn_by", "by", "placed_by", "patron", "handed_to"}
    assert not words & secret


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_no_field_that_the_events_call_house_only_is_heard_by_anybody(
    kind: type[e.Event],
) -> None:
    house_only = {field.name for field in fields_of(kind) if field.doc.startswith(HOUSE_ONLY)}
    for whitelist in (*BESIDE[Audience.AUDITOR], OWN):
        assert not house_only & set(whitelist.get(kind, ()))


def test_some_fields_are_called_house_only_and_some_events_are_not_announced() -> None:
    marked = {
        f"{kind.__name__}.{field.name}"
        for kind in EVENTS
        for field in fields_of(kind)
        if field.doc.startswith(HOUSE_ONLY)
    }
    assert marked == {
        "CardDrawn.card",
        "CardsSetAside.cards",
        "IrregularityReported.cards",
        "ReportQueued.cards",
        "CardsTakenUp.cards",
        "CardsTakenUp.read",
        "CardsSorted.counts",
        "MissingDeduced.cards",
        "CardsSubstituted.cards",
    }
    assert set(EVENTS) - set(ANNOUNCED) == {
        e.DecisionRecorded,
        e.SettingsScheduled,
        e.CreditBrought,
        e.CreditTaken,
        e.ClosingAcknowledged,
        e.ShoeAllowed,
        e.DrawsAttested,
    }
    assert set(ANNOUNCED) <= set(EVENTS)


@pytest.mark.clause("BAC8 3.9.1", "BAC8 3.11.3")
def test_a_card_is_announced_without_its_face_and_then_with_it() -> None:
    drawn = e.CardDrawn(Position.P1, "Dan", "7H", "Ann")
    told = hear(drawn, seats={"Ann": 3})
    assert told == Heard("card_drawn", {"position": Position.P1, "seat": 3, "waited": False})
    exposed = hear(e.CardExposed(Position.P1, "7H", "Ann"))
    assert exposed == Heard("card_exposed", {"position": Position.P1, "card": "7H"})


@pytest.mark.parametrize("audience", Audience)
def test_an_event_nobody_decided_on_is_heard_by_nobody(audience: Audience) -> None:
    class Whispered(e.Event, frozen=True):
        secret: str

    assert hear(Whispered("7H"), audience, patron="Ann") is None


def test_an_announcement_reads_back_as_it_was_written() -> None:
    told = hear(e.TotalsAnnounced(5, 4))
    assert msgspec.json.decode(encode(told), type=Heard) == told


# The other audiences

LADDER = (Audience.PUBLIC, Audience.DEALER, Audience.PIT, Audience.AUDITOR)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_each_audience_hears_all_that_the_one_below_it_hears(kind: type[e.Event]) -> None:
    event = filled(kind, "")
    assert isinstance(event, kind)
    facts = []
    for audience in LADDER:
        heard = hear(event, audience)
        facts.append({} if heard is None else heard.facts)
    for less, more in pairwise(facts):
        assert less.keys() <= more.keys()
    patron = hear(event, Audience.PATRON, patron="<patron>")
    assert facts[0].keys() <= (patron.facts.keys() if patron else set())


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_the_auditor_hears_every_field_that_is_not_the_houses_alone(
    kind: type[e.Event],
) -> None:
    """A list that was forgotten for a new event, or a new field of one, is found here.

    A message has a time of its own.
    """
    fields = {field.name for field in fields_of(kind) if not field.doc.startswith(HOUSE_ONLY)}
    listed = {
        name.partition(".")[0]
        for whitelist in BESIDE[Audience.AUDITOR]
        for name in whitelist.get(kind, ())
    }
    assert fields - {"moment"} == listed - {"moment"}


@pytest.mark.parametrize("kind", OWN, ids=lambda kind: kind.__name__)
def test_another_patron_hears_what_everybody_does(kind: type[e.Event]) -> None:
    event = filled(kind, "")
    assert isinstance(event, kind)
    own = hear(event, Audience.PATRON, patron="<patron>")
    assert own is not None
    assert set(OWN[kind]) <= set(own.facts)
    assert b"<patron>" not in encode(own)
    assert hear(event, Audience.PATRON, patron="somebody else") == hear(event)


def test_words_are_not_for_the_dealer_and_credit_is() -> None:
    for kind, fields in FOR_DEALER.items():
        assert not {"reason", "report.note", "note", "transfer"} & set(fields), kind
    assert {"patron", "cents"} <= set(FOR_DEALER[e.CreditBrought])
    assert "reason" in FOR_PIT[e.DecisionRecorded]


def test_a_tie_is_heard_as_a_tie() -> None:
    for winner, named in ((None, "tie"), (Side.PLAYER, "player"), (Side.BANKER, "banker")):
        heard = hear(e.OutcomeAnnounced(6, 6, winner, "Dan"))
        assert heard is not None
        assert heard.facts["winner"] == named
