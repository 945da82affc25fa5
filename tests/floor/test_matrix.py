"""Every command by every kind of person, over the real API: who is turned away, who is refused.

What is expected is computed from the declarations of authority. No record: the door turned
somebody away. A record: the table, the cage or the accounts decided.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec
import msgspec.inspect as mi
import pytest

from croupier.accounts import commands as accounts
from croupier.accounts.authority import WHO as OF_ACCOUNTS
from croupier.cage import commands as cage
from croupier.cage.authority import HOUSE as THE_HOUSE
from croupier.cage.authority import WHO as OF_CAGE
from croupier.floor.wire import tag
from croupier.table import commands as table
from croupier.table.may import OF_PATRONS
from croupier.table.roles import HousePosition, StaffPosition
from tests.floor.guarding import EXTRA, UNLIMITED, code_of, house
from tests.floor.guarding import command as over_socket

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.sync.client import ClientConnection

    from tests.floor.guarding import Door

GONE = tuple(name for name, _, _ in EXTRA if name.startswith("gone-"))
POSITIONS = tuple(
    one.value.lower().replace(" ", "-") for one in (*StaffPosition, *HousePosition)
)
PEOPLE = (None, "patron-01", *POSITIONS, "acting-supervisor", "acting-cashier", "bare", *GONE)
PATRON, SOCKET_PATRON = PATRONS = ("patron-01", "patron-03")
AUDITOR, ADMINISTRATOR = "auditor", "administrator"
TURNED_AWAY = {401, 403}
SHAKERS = (table.RefuseShaker, table.ConfirmShake, table.OpenShaker)
SHOES = (table.TakeShoe, table.RefuseShoe, table.RelinquishShoe, table.DrawCard)
HANDS = (table.RefuseHand, table.ExposeCard)
NEVER_PATRONS: dict[str, tuple[type[Any], ...]] = {
    "tiger": (*SHAKERS, *SHOES, *HANDS),
    "power-98": (*SHOES, *HANDS),
    "baccarat": SHAKERS,
    "baccarat-a": SHAKERS,
}
"""What patrons do at other tables, and no state of this one could let them."""
LAST = (table.CloseTable,)
"""What leaves nothing to ask for behind it."""


def commands(where: str) -> tuple[type[msgspec.Struct], ...]:
    """Return every command of a place, those that close it last."""
    if where == "cage":
        return cage.COMMANDS
    if where == "accounts":
        return accounts.COMMANDS
    return (*(one for one in table.COMMANDS if one not in LAST), *LAST)


CELLS = [
    (where, kind)
    for where in ("cage", "tiger", "baccarat", "power-98", "accounts")
    for kind in commands(where)
]


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings=UNLIMITED) as one:
        for name in GONE:
            one.token(name)
            gone = {"type": "disable_user", "user": name, "reason": "left"}
            assert one.order("administrator", "accounts", gone).status_code == 200
        yield one


@pytest.fixture(scope="module")
def settings(door: Door) -> dict[str, Any]:
    found: dict[str, Any] = door.ask("examples")
    return found


# A command of each kind, made from its declaration

NAMES = {"patron": "patron-02", "user": "spare", "table": "tiger", "wager": "player"}


def example(kind: type[msgspec.Struct], settings: dict[str, Any]) -> dict[str, Any]:
    """Return a command with the fields that it must have."""
    if kind is table.OpenTable:
        return {"type": tag(kind), "settings": settings}
    info = mi.type_info(kind)
    assert isinstance(info, mi.StructType)
    body = {one.encode_name: value(one.type, one.name) for one in info.fields if one.required}
    return {"type": tag(kind), **body}


def value(of: mi.Type, name: str) -> Any:  # noqa: ANN401  # JSON
    """Return a value that can be read."""
    if isinstance(of, mi.UnionType):
        return value(next(one for one in of.types if not isinstance(one, mi.NoneType)), name)
    if isinstance(of, mi.EnumType):
        return next(iter(of.cls)).value
    if isinstance(of, mi.StructType):
        body = {one.encode_name: value(one.type, one.name) for one in of.fields if one.required}
        return body if of.tag is None else {of.tag_field: of.tag, **body}
    simple = {
        mi.IntType: 1,
        mi.BoolType: True,
        mi.StrType: NAMES.get(name, "spare"),
        mi.DateTimeType: "2026-11-16T20:00:00Z",
    }
    if type(of) in simple:
        return simple[type(of)]
    assert isinstance(of, mi.VarTupleType | mi.DictType | mi.ListType), of
    return {} if isinstance(of, mi.DictType) else []


# What is expected


def expected(
    door: Door, name: str | None, where: str, kind: type[Any], body: dict[str, Any]
) -> tuple[int, str | None]:
    """Return status and code; 0 stands for whatever the stream decides of its own accord."""
    if name is None or name in GONE:
        return 401, "unauthenticated"
    if not could(name, where, kind):
        return 403, "forbidden"
    if name in PATRONS:
        body = {**body, "patron": name} if "patron" in kind.__struct_fields__ else body
    code: str | None = door.ask("verdict", where=where, name=name, command=body)
    return (0, None) if code is None else (409, code)


def could(name: str, where: str, kind: type[Any]) -> bool:
    """Tell whether any state could let somebody of this kind give a command there."""
    # Access is noted by the house itself, on behalf of whoever gives it.
    houses = where == "cage" and OF_CAGE[kind] == THE_HOUSE
    if name == "bare" or houses or kind is accounts.NoteAccess:
        return False
    if name in PATRONS:
        if where == "cage":
            return OF_CAGE[kind].patron
        if where == "accounts":
            return OF_ACCOUNTS[kind].patron
        return kind in OF_PATRONS and kind not in NEVER_PATRONS.get(where, ())
    if name == ADMINISTRATOR:
        return where == "accounts"
    return name != AUDITOR


def settled(door: Door) -> dict[str, int]:
    """Return where streams are when nothing is on its way between them."""
    heads = door.heads()
    while True:
        time.sleep(0.005)
        now = door.heads()
        if now == heads:
            return now
        heads = now


def check(
    where: str, before: dict[str, int], after: dict[str, int], status: int, *, record: bool
) -> None:
    """Compare what was written with what an answer says."""
    stream = where if where in ("cage", "accounts") else f"table:{where}"
    moved = {one: after[one] - before[one] for one in after if after[one] != before[one]}
    if not record:
        assert moved == {}, "somebody who was turned away left a record"
    elif status == 409 and where == "cage" and "table:tiger" in moved:
        assert moved["cage"] > 1, "what the table would not have is back"
    elif status == 409:
        assert moved == {stream: 1}, "a refusal is one record"
    else:
        assert moved.get(stream, 0) >= 1, "what was done is recorded"


@pytest.mark.parametrize(
    ("where", "kind"), CELLS, ids=[f"{where}-{tag(kind)}" for where, kind in CELLS]
)
def test_a_command_by_everybody(
    door: Door, settings: dict[str, Any], where: str, kind: type[msgspec.Struct]
) -> None:
    body = example(kind, settings)
    mine = {name: value for name, value in body.items() if name != "patron"}
    for name in PEOPLE:
        sent = mine if name in PATRONS else body
        status, code = expected(door, name, where, kind, sent)
        before = door.heads()
        answer = door.order(name, where, sent)
        who = f"{tag(kind)} by {name or 'nobody'}: {answer.text}"
        found = code_of(answer)
        after = settled(door) if answer.is_success or where == "cage" else door.heads()
        if status == 0:
            assert answer.status_code in (200, 409), who
            assert answer.json()["sequence"] > before[stream_of(where)], who
        else:
            assert (answer.status_code, found) == (status, code), who
        recorded = answer.status_code not in TURNED_AWAY
        assert ("sequence" in answer.json()) is recorded, who
        check(where, before, after, answer.status_code, record=recorded)


@pytest.mark.parametrize("name", [AUDITOR, ADMINISTRATOR, "bare"])
@pytest.mark.parametrize(
    ("where", "sent", "status", "code"),
    [
        ("tiger", {"type": "take_seat", "position": 2}, 403, "forbidden"),
        ("tiger", {"type": "leave_seat"}, 403, "forbidden"),
        ("tiger", {"type": "place_wager", "wager": "tie", "cents": 5_00}, 403, "forbidden"),
        ("cage", {"type": "send_to_table", "table": "tiger"}, 403, "forbidden"),
        ("tiger", {"type": "fly"}, 422, "not_readable"),
        ("tiger", {"position": 2}, 422, "not_readable"),
    ],
    ids=str,
)
def test_whoever_gives_no_commands_is_told_so_whatever_fields_are_left_out(
    door: Door, name: str, where: str, sent: dict[str, Any], status: int, code: str
) -> None:
    before = door.heads()
    answer = door.order(name, where, sent)
    assert (answer.status_code, code_of(answer)) == (status, code), answer.text
    assert door.heads() == before


def stream_of(where: str) -> str:
    return where if where in ("cage", "accounts") else f"table:{where}"


def test_everybody_has_somebody_who_may() -> None:
    """The matrix would say little if nobody could ever do something."""
    for kind, who in OF_CAGE.items():
        if who != THE_HOUSE:
            assert any(could(name, "cage", kind) for name in (PATRON, "cashier"))


# The same over a socket

SOCKET_PEOPLE = (
    SOCKET_PATRON,
    "dealer",
    "pit-manager",
    "cashier",
    AUDITOR,
    ADMINISTRATOR,
    "bare",
)


@pytest.fixture(scope="module")
def sockets(door: Door) -> Iterator[dict[str, ClientConnection]]:
    found = {name: door.live(name) for name in SOCKET_PEOPLE}
    yield found
    for one in found.values():
        one.close()


SOCKET_CELLS = [(where, kind) for where, kind in CELLS if where not in ("tiger", "power-98")]


@pytest.mark.parametrize(
    ("where", "kind"),
    [one for one in SOCKET_CELLS if one[1] is not table.CloseTable],
    ids=[
        f"{where}-{tag(kind)}" for where, kind in SOCKET_CELLS if kind is not table.CloseTable
    ],
)
def test_a_command_over_a_socket(
    door: Door,
    settings: dict[str, Any],
    sockets: dict[str, ClientConnection],
    where: str,
    kind: type[msgspec.Struct],
) -> None:
    where = "baccarat-a" if where == "baccarat" else where
    body = example(kind, settings)
    mine = {name: value for name, value in body.items() if name != "patron"}
    for name in SOCKET_PEOPLE:
        sent = mine if name in PATRONS else body
        status, code = expected(door, name, where, kind, sent)
        before = door.heads()
        answer = over_socket(sockets[name], where, sent)
        after = settled(door) if answer["accepted"] or where == "cage" else door.heads()
        who = f"{tag(kind)} by {name}: {answer}"
        problem = answer.get("problem")
        assert (problem is None) is answer["accepted"], who
        found = 200 if problem is None else problem["status"]
        if status == 0:
            assert found in (200, 409), who
        else:
            assert (found, problem["code"]) == (status, code), who
        recorded = found not in TURNED_AWAY
        assert (answer["sequence"] is not None) is recorded, who
        check(where, before, after, found, record=recorded)
