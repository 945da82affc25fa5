"""The line that opens the table: ``game tiger seats 3 limits 50.00-5000.00``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from croupier.money import Rounding
from croupier.playthrough.cast import POSITIONS, read_position
from croupier.playthrough.lines import ScriptError, read_amount, read_whole, yes
from croupier.rulebooks import RULEBOOKS, find_game
from croupier.rules.errors import listed, quoted
from croupier.table.roles import HigherManager
from croupier.table.settings import (
    Approvals,
    Clocks,
    DealtBy,
    Device,
    Limits,
    Method,
    Readings,
    Settings,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SYNTAX = "game NAME [seats 3] [limits 50.00-5000.00] [method B] ..."
KEYS = (
    "seats", "positions", "limits", "layout", "decks", "method", "room", "device",
    "differential", "cap", "rounding", "optional", "reading", "credit", "shoe", "cut",
    "rulebook", "confirms", "replaces", "configures", "dealt_by", "behind",
    "betting", "pause", "pace", "answer", "waits",
)  # fmt: skip
"""What the line may set; ``limit.WAGER`` and ``approves.ACT`` come on top."""
USUAL_POSITIONS = 7
USUAL_CREDIT = 1_000_000
DEVICE_WORDS = ("electronic", "reading", "physical", "hand", "virtual")


@dataclass(frozen=True, slots=True)
class Opening:
    """What the opening line asks for."""

    settings: Settings
    seats: int
    credit_cents: int
    shoe: str | None
    cut_behind: int | None


def read_opening(words: list[str]) -> Opening:
    """Read the words behind ``game``."""
    if not words:
        message = f"No game was named; write: {SYNTAX}."
        raise ScriptError(message)
    slug, values = words[0], read_values(words[1:])
    one = {key: found[-1] for key, found in values.items()}
    seats = read_whole(one.get("seats", "0"))
    settings = Settings(**_settings(slug, values, one, seats))
    shoe = one.get("shoe", "1")
    return Opening(
        settings,
        seats,
        read_amount(one["credit"]) if "credit" in one else USUAL_CREDIT,
        None if shoe == "none" else shoe,
        read_whole(one["cut"]) if "cut" in one else None,
    )


def read_values(words: list[str]) -> dict[str, list[str]]:
    """Read pairs of a key and its value, written apart or with an equals sign."""
    values: dict[str, list[str]] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        key, sign, value = word.partition("=")
        if key not in KEYS and not key.startswith(("limit.", "approves.")):
            message = f"{quoted(key)} is nothing that a table has; it has {listed(list(KEYS))}."
            raise ScriptError(message)
        if not sign:
            if not left:
                message = f"The value of {quoted(key)} is missing."
                raise ScriptError(message)
            value = left.pop(0)
        values.setdefault(key, []).append(value)
    return values


def _settings(
    slug: str, values: dict[str, list[str]], one: dict[str, str], seats: int
) -> dict[str, Any]:
    code = one.get("rulebook") or find_game(slug).edition.code
    asked: dict[str, Any] = {"rulebook": code, "game": slug}
    for key, (field, read) in PLAIN.items():
        if key in one:
            asked[field] = read(one[key])
    book = next((book for book in RULEBOOKS if book.code == code), None)
    if "method" not in one and book is not None and book.procedure.methods is not None:
        asked["method"] = Method.B
    asked["limits"] = _limits(values)
    asked["clocks"] = read_clocks({name: one[name] for name in CLOCKS if name in one})
    asked["approvals"] = _approvals(values)
    asked["readings"] = _readings(values.get("reading", []))
    if "positions" not in one:
        asked["positions"] = _positions(code, slug, one.get("layout", ""), seats)
    return asked


def _positions(code: str, slug: str, name: str, seats: int) -> int:
    """Return as many playing positions as the layout has, seven where it may."""
    book = next((book for book in RULEBOOKS if book.code == code), None)
    wanted = max(USUAL_POSITIONS, seats)
    for layout in book.layouts if book else ():
        if layout.game in (None, slug) and name in ("", layout.name):
            allowed = layout.positions
            return wanted if allowed is None else max(allowed[0], min(allowed[-1], wanted))
    return wanted


def read_method(text: str) -> Method | None:
    """Read a dealing method, or none."""
    if text.upper() in Method.__members__:
        return Method[text.upper()]
    if text == "none":
        return None
    message = f"{quoted(text)} is no dealing method; they are A, B, C and none."
    raise ScriptError(message)


def read_limits(text: str) -> Limits:
    """Read limits, as ``50.00-5000.00`` or with a step, ``50.00-5000.00/5.00``."""
    span, _, step = text.partition("/")
    low, dash, high = span.partition("-")
    if not dash:
        message = f"{quoted(text)} are no limits; write 50.00-5000.00 or 50.00-5000.00/5.00."
        raise ScriptError(message)
    if step:
        return Limits(read_amount(low), read_amount(high), read_amount(step))
    return Limits(read_amount(low), read_amount(high))


def read_optional(text: str) -> tuple[str, ...]:
    """Read the optional wagers offered, with commas between them, or none."""
    return () if text == "none" else tuple(text.split(","))


CLOCKS = ("betting", "pause", "pace", "answer", "waits")
"""The clocks of a table that the system deals, in milliseconds, and whether it waits."""


def read_clocks(texts: dict[str, str]) -> Clocks:
    """Read the clocks that are named; the others are as usual."""
    asked: dict[str, Any] = {}
    for name, text in texts.items():
        if name == "waits":
            asked["waits_for_patrons"] = yes(text)
        else:
            asked[f"{name}_ms"] = read_whole(text)
    return Clocks(**asked)


def read_dealt_by(text: str) -> DealtBy:
    """Read who deals."""
    if text in {one.value for one in DealtBy}:
        return DealtBy(text)
    message = f"{quoted(text)} deals nowhere; say dealer or house."
    raise ScriptError(message)


def read_differential(text: str) -> int | None:
    """Read a table differential, or none."""
    return None if text == "none" else read_amount(text)


def _device(text: str) -> Device:
    words = text.split(",")
    for word in words:
        if word not in DEVICE_WORDS:
            message = f"{quoted(word)} is no device; say {listed(list(DEVICE_WORDS), 'or')}."
            raise ScriptError(message)
    if "hand" in words:
        return Device(electronic=False, reads_cards=False, physical=True)
    return Device("electronic" in words, "reading" in words, "physical" in words)


def _rounding(text: str) -> Rounding:
    if text.upper() in Rounding.__members__:
        return Rounding[text.upper()]
    names = listed([rounding.value for rounding in Rounding])
    message = f"{quoted(text)} is no rounding; they are {names}."
    raise ScriptError(message)


def _limits(values: dict[str, list[str]]) -> dict[str, Limits]:
    limits = {}
    for key, found in values.items():
        if key == "limits":
            limits["*"] = read_limits(found[-1])
        elif key.startswith("limit."):
            limits[key.removeprefix("limit.")] = read_limits(found[-1])
    return limits


def _approvals(values: dict[str, list[str]]) -> Approvals:
    asked = {
        key.removeprefix("approves."): None if found[-1] == "off" else read_position(found[-1])
        for key, found in values.items()
        if key.startswith("approves.")
    }
    for act in asked:
        if act not in Approvals.__struct_fields__:
            acts = listed(list(Approvals.__struct_fields__))
            message = f"{quoted(act)} needs no approval; what does is {acts}."
            raise ScriptError(message)
    return Approvals(**asked)


def _readings(found: list[str]) -> Readings:
    """Read readings decided otherwise: ``A6``, ``A14``, ``A23``, ``A27``, ``A29=...``."""
    asked: dict[str, Any] = {}
    for text in found:
        name, _, value = text.partition("=")
        if name == "A29" and value in POSITIONS:
            asked["higher_manager"] = HigherManager(POSITIONS[value].value)
        elif name in FLAGS and not value:
            field, otherwise = FLAGS[name]
            asked[field] = otherwise
        else:
            message = f"{quoted(text)} is no reading; say {listed(list(FLAGS))}"
            message += " or A29=gaming_shift_manager or A29=assistant_casino_manager."
            raise ScriptError(message)
    return Readings(**asked)


FLAGS: dict[str, tuple[str, bool]] = {
    "A6": ("power_ties_are_natural", True),
    "A14": ("shoe_ends_after_cut_card", False),
    "A23": ("reset_refers_with_open_cards", True),
    "A27": ("seats_run_counter_clockwise", False),
}
"""Readings with two answers: the setting, and its unusual value."""

PLAIN: dict[str, tuple[str, Callable[[str], Any]]] = {
    "decks": ("decks", read_whole),
    "layout": ("layout", str),
    "positions": ("positions", read_whole),
    "optional": ("optional", read_optional),
    "differential": ("differential_cents", read_differential),
    "method": ("method", read_method),
    "room": ("room", str),
    "device": ("device", _device),
    "rounding": ("rounding", _rounding),
    "cap": ("wagers_per_area", read_whole),
    "dealt_by": ("dealt_by", read_dealt_by),
    "behind": ("behind_cut", read_whole),
    "confirms": ("confirms", read_position),
    "replaces": ("replaces", read_position),
    "configures": ("configures", read_position),
}
"""Keys that set one field each."""
