"""The house over HTTP: what its door says to whoever comes, before anybody signs in."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003  # read by msgspec
from typing import Final

import msgspec
from litestar import Response, get

from croupier import __version__
from croupier.floor.api.calls import AnyRequest, answered, asker_of, described, floor_of
from croupier.floor.demo import DemoLogin  # noqa: TC001  # read by msgspec
from croupier.gaming_day import Currency, Shift  # noqa: TC001  # read by msgspec

LANGUAGES: Final = ("en", "zh-Hans")
"""Those in which the screens are complete."""


class DayNow(msgspec.Struct, frozen=True):
    """The gaming day, and its shift now."""

    day: date
    begins: datetime
    ends: datetime
    shift: str
    shift_begins: datetime
    shift_ends: datetime


class HouseShown(msgspec.Struct, frozen=True):
    """What a house says of itself to everybody."""

    name: str
    version: str
    time: datetime
    zone: str
    currency: Currency
    gaming_day: DayNow
    shifts: tuple[Shift, ...]
    languages: tuple[str, ...]
    numbers: dict[str, int]
    """What is written over tables, by their names."""
    demo: bool
    """Play money: everybody may sign in."""
    logins: tuple[DemoLogin, ...]
    """Of a demo, all of them; of every other house none."""


@get("/house", opt=described(gives=HouseShown))
async def house(request: AnyRequest) -> Response[bytes]:
    """Say what the house is called, what day it has, and, of a demo, who may sign in how."""
    floor = floor_of(request)
    asker_of(request)
    configuration, moment = floor.house.configuration, floor.house.clock()
    gaming_day = configuration.gaming_day
    period = gaming_day.period(moment)
    periods = gaming_day.periods(period.day)
    return answered(
        HouseShown(
            name=configuration.server.name,
            version=__version__,
            time=moment,
            zone=gaming_day.zone,
            currency=gaming_day.currency,
            gaming_day=DayNow(
                period.day,
                periods[0].begins,
                periods[-1].ends,
                period.shift,
                period.begins,
                period.ends,
            ),
            shifts=gaming_day.shifts,
            languages=LANGUAGES,
            numbers=floor.house.numbers.all,
            demo=floor.logins is not None,
            logins=tuple(floor.logins or ()),
        )
    )


CALLS = (house,)
