"""Pictures of the message line beside the panel of whoever holds cards, shaker or shoe."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tools.people import until
from tools.pictures.patron import OTHER_LOOK, PATRON, holds_cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.pictures.camera import Camera
    from tools.pictures.house import House

CARDS, DIE = "baccarat-a", "power-98"
MINUTES = 45


@contextmanager
def _closes(house: House, table: str) -> Iterator[None]:
    """Give notice that a table closes, and take it back."""
    house.give("pit-manager", table, "announce_closure", minutes=MINUTES)
    yield
    house.give("pit-manager", table, "announce_closure", minutes=None)


def _both(camera: Camera, table: str, name: str) -> None:
    """Take a terminal in two looks."""
    camera.shoot(PATRON, f"/table/{table}", f"terminal-{name}")
    camera.shoot(PATRON, f"/table/{table}", f"terminal-{name}-zh", **OTHER_LOOK)


def beside_cards(camera: Camera) -> None:
    """Take a patron with cards while the table closes, and while the round is held."""
    house = camera.house
    holds_cards(house, CARDS)
    with _closes(house, CARDS):
        _both(camera, CARDS, "squeeze-closing")
        house.report(CARDS, "power_failure")
        _both(camera, CARDS, "squeeze-held")
    house.play_out(CARDS)


def beside_shaker(camera: Camera) -> None:
    """Take a patron with the shaker while the table closes."""
    house = camera.house
    house.seat(PATRON, DIE, None, 30_000_00)
    house.take_over(DIE)
    house.call(DIE)
    house.bet(PATRON, DIE, (("banker", 20_000_00),))
    until(
        lambda: house.step(DIE) and house.view(DIE, PATRON)["own"]["shaker_held"],
        "the patron has the shaker",
    )
    with _closes(house, DIE):
        _both(camera, DIE, "shaker-closing")
    house.play_out(DIE)


def beside_shoe(camera: Camera) -> None:
    """Take a patron to whom the shoe is offered while the table closes."""
    house = camera.house
    house.seat(PATRON, CARDS, None, 30_000_00)
    house.take_over(CARDS)
    who = "assistant-casino-manager"
    house.give(who, CARDS, "set_method", method="C", reason="asked for")
    house.call(CARDS)
    house.bet(PATRON, CARDS, (("banker", 20_000_00),))
    house.draw(CARDS, 0)
    with _closes(house, CARDS):
        _both(camera, CARDS, "shoe-closing")
    house.play_out(CARDS)
    house.give("pit-manager", CARDS, "set_method", method="A", reason="ended")


SCENES = (beside_cards, beside_shaker, beside_shoe)
