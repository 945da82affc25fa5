"""Previews: what would change for whoever asks, no card face down, nobody else's money."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from croupier.rulebooks import GAMES
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.decide import act
from croupier.table.preview import UNTOLD, Preview, preview
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition
from croupier.table.settings import Method
from croupier.table.views import Audience, Seen, changes, merge, view
from tests.table.floor import NOW, SECOND, Floor
from tests.table.machine_private import Private
from tests.table.machine_views import (
    FEW,
    doubles,
    enveloped,
    hides,
    named,
    questions,
    right_asker,
)
from tests.table.machine_walk import PATRONS
from tests.table.test_projection import PEOPLE, steps

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.state import Table
    from croupier.table.views import Change

SLUGS = [game.slug for game in GAMES]
encode = msgspec.json.encode
HIGHEST = Staff("Gil", StaffPosition.GAMING_SHIFT_MANAGER)
ANN, BEA = "Ann-Marie", "Bettina"


def asked(table: Table, chance: Random, count: int) -> list[c.Envelope]:
    """Return commands by whoever may give them, as far as there is somebody."""
    commands = chance.sample(list(questions(table)), count)
    return [enveloped(command, right_asker(table, command)) for command in commands]


def perhaps_higher(envelope: c.Envelope, chance: Random) -> c.Envelope:
    """Let the highest position act for a lower one in every second case."""
    higher = isinstance(envelope.actor, Staff) and chance.random() < 1 / 2
    return replace(envelope, actor=HIGHEST) if higher else envelope


def shown_to_all(table: Table, envelope: c.Envelope) -> dict[str, bytes]:
    """Return a preview as staff are shown it, and whoever asks if that is a patron."""
    found = {
        named(audience, position): encode(preview(table, envelope, audience, position))
        for audience, position in FEW
    }
    if isinstance(envelope.actor, Patron):
        found["patron"] = encode(preview(table, envelope, Audience.PATRON))
    return found


def unseconded(change: Change | None) -> object:
    """Return what changed and happened, but for who approved it: a preview asks nobody."""
    if change is None:
        return None
    heard = msgspec.json.decode(encode(change.events))
    for one in heard:
        by = one["facts"].get("by")
        if isinstance(by, dict):
            by["approved_by"] = by["approved_as"] = None
    return encode(change.view), heard


@pytest.mark.parametrize("slug", SLUGS)
def test_a_preview_is_the_change_that_comes(slug: str) -> None:
    compared: Counter[str] = Counter()
    chance = Random(3)
    for seed in range(2):
        for _, _, table in steps(slug, seed):
            if table.plan is None or table.round is None:
                continue
            for envelope in (perhaps_higher(one, chance) for one in asked(table, chance, 4)):
                answer = act(table, envelope)
                if isinstance(answer, Refusal) or isinstance(envelope.command, c.RecordSorting):
                    continue
                events, after = answer
                told = changes(Seen(table), Seen(after), events, FEW)
                for audience, position in FEW:
                    found = preview(table, envelope, audience, position)
                    assert isinstance(found, Preview)
                    if found.turns_up is None:
                        # Who approves is not asked, so that alone may differ.
                        same = told.of(audience, position=position)
                        assert unseconded(found.change) == unseconded(same)
                        compared[audience.value] += 1
                        continue
                    compared["a card"] += 1
                    assert found.turns_up.value not in {
                        one.facts.get("position", Position.P1).value
                        for one in (found.change.events if found.change else ())
                        if one.name == "card_exposed"
                    }
    assert compared["dealer"] > 30


@pytest.mark.parametrize("slug", ["baccarat", "fa-fa-fabulous-4", "tiger", "power-98"])
def test_previews_are_the_same_whatever_lies_face_down(slug: str) -> None:
    compared = 0
    chance = Random(4)
    for seed in range(6):
        for _, _, table in steps(slug, seed):
            if not hides(table):
                continue
            others = doubles(table, chance)
            for envelope in asked(table, chance, 3):
                double = others[not isinstance(envelope.actor, Patron)]
                ours, theirs = shown_to_all(table, envelope), shown_to_all(double, envelope)
                if isinstance(envelope.actor, Patron):
                    # Staff see what was found out by counting, and there it differs.
                    ours, theirs = {"": ours["patron"]}, {"": theirs["patron"]}
                assert ours == theirs, envelope
                compared += 1
    assert compared > 0


@pytest.mark.parametrize("slug", ["baccarat", "fa-fa-fabulous-4"])
def test_no_face_is_found_by_trying_all_of_them(slug: str) -> None:
    tried = 0
    for seed in range(12):
        for walk, _, table in steps(slug, seed):
            play = table.round
            lying = [
                one for one in (play.cards if play else ()) if not one.exposed and one.card
            ]
            for dealt in lying[:1]:
                expose = c.ExposeCard(dealt.position)
                told = {
                    encode(preview(table, _keyed(expose, face, walk.moment), Audience.DEALER))
                    for face in walk_faces(table)
                }
                assert len(told) == 1, (dealt.position, told)
                tried += 1
    assert tried > 20


def walk_faces(table: Table) -> list[str]:
    """Return every face of the deck."""
    assert table.plan is not None
    return [card.text for card in table.plan.game.deck.cards]


def _keyed(command: c.Command, face: str, moment: datetime) -> c.Envelope:
    return c.Envelope(command, Staff("dora", StaffPosition.DEALER), moment, cards=(face,))


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_is_told_of_counts_before_they_are_recorded(slug: str) -> None:
    for _, _, table in steps(slug, 0):
        if table.plan is None:
            continue
        counts = c.RecordSorting(dict.fromkeys(walk_faces(table), 8))
        assert preview(table, _keyed(counts, "AS", NOW), Audience.PIT) == UNTOLD


@pytest.mark.parametrize("slug", SLUGS)
def test_a_patron_is_shown_nothing_of_others_by_a_preview(slug: str) -> None:
    compared: Counter[str] = Counter()
    chance = Random(6)
    for seed in range(2):
        for walk, _, table in steps(slug, seed):
            if table.plan is None or table.round is None:
                continue
            name = chance.choice(PATRONS)
            for command in chance.sample(list(questions(table)), 3):
                if "patron" in command.__struct_fields__:
                    command = replace(command, patron=name)  # noqa: PLW2901
                envelope = c.Envelope(command, Patron(name), walk.moment)
                twins = Private(Audience.PATRON, name, PEOPLE)
                twins.know(table, envelope)
                one = preview(table, envelope, Audience.PATRON)
                twin, same = twins.twin(table), twins.ask(envelope)
                assert encode(one) == encode(preview(twin, same, Audience.PATRON)), envelope
                compared[type(one).__name__] += 1
                if isinstance(one, Preview):
                    assert {effect.patron for effect in one.effects} <= {name}
                    assert one.bank_cents is None
                    assert one.commission_cents is None
    assert compared["Refusal"] > 50


def test_a_preview_turns_no_card_up() -> None:
    floor = Floor("baccarat", method=Method.A)
    floor.seat(ANN, BEA)
    floor.bets((ANN, "player", 300_00), (BEA, "banker", 200_00))
    for face in ("2S", "3H", "3D", "2C"):
        floor.draw(face)
    floor.do(c.PassHand(Side.PLAYER, ANN))
    floor.do(c.ChooseFirstHand(Side.PLAYER))
    envelope = c.Envelope(c.ExposeCard(Position.P1), Patron(ANN), NOW)
    for audience in (Audience.PATRON, Audience.DEALER, Audience.PIT, Audience.AUDITOR):
        found = preview(floor.table, envelope, audience)
        assert isinstance(found, Preview)
        assert (found.turns_up, found.change, found.effects) == (Position.P1, None, ())
        assert b"2S" not in encode(found)


def test_a_preview_shows_the_own_money_to_a_patron_and_all_to_staff() -> None:
    floor = Floor("tiger")
    floor.seat(ANN, BEA)
    floor.open_bets()
    command = c.PlaceWager(ANN, "player", 300_00)
    own = preview(floor.table, c.Envelope(command, Patron(ANN), NOW), Audience.PATRON)
    assert isinstance(own, Preview)
    assert [(one.credit_cents, one.in_play_cents) for one in own.effects] == [(-300_00, 300_00)]
    refused = preview(floor.table, c.Envelope(command, Patron(BEA), NOW), Audience.PATRON)
    assert isinstance(refused, Refusal)
    floor.bet(ANN, "player", 300_00)
    floor.bet(BEA, "banker", 200_00)
    floor.close_bets()
    floor.deal("4S 2H 5D 3C")
    settle = c.Envelope(c.Settle(), floor.caller, NOW)
    before = view(floor.table, Audience.PIT)
    pit = preview(floor.table, settle, Audience.PIT, StaffPosition.PIT_MANAGER)
    dealer = preview(floor.table, settle, Audience.DEALER, StaffPosition.DEALER)
    assert isinstance(pit, Preview)
    assert isinstance(dealer, Preview)
    assert {one.patron for one in dealer.effects} == {ANN, BEA}
    assert (dealer.bank_cents, pit.bank_cents) == (None, -100_00)
    assert pit.change is not None
    assert merge(before, pit.change.view).phase.value != before.phase.value


def test_staff_are_shown_what_they_may_not_do_themselves() -> None:
    floor = Floor("baccarat")
    floor.open_bets()
    envelope = c.Envelope(c.SetDifferential(900_00), Staff("Dan", StaffPosition.DEALER), NOW)
    assert isinstance(preview(floor.table, envelope, Audience.DEALER), Preview)
    assert isinstance(act(floor.table, replace(envelope, approver=SECOND)), Refusal)
