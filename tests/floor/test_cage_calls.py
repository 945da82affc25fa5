"""The cage over a real server: what it shows to whom, tickets, and what may be done there."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.amount_words import chinese, english
from tests.floor.guarding import UNLIMITED, code_of, house

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.guarding import Door

SEES = ("cashier", "cage-supervisor", "acting-cashier", "auditor", "surveillance")
OTHERS = (
    None,
    "patron-01",
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "gaming-shift-manager",
    "technician",
    "administrator",
    "bare",
)


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with house(settings=UNLIMITED) as one:
        yield one


def act(door: Door, name: str, command: dict[str, Any], second: str | None = None) -> Any:  # noqa: ANN401  # JSON
    beside = {}
    if second is not None:
        beside["approval"] = door.approve(second, "cage", command, name).json()["approval"]
    answer = door.order(name, "cage", command, **beside)
    assert answer.status_code == 200, answer.text
    return answer.json()


def shown(door: Door, name: str = "cashier") -> Any:  # noqa: ANN401  # JSON
    answer = door.get(name, "/cage")
    assert answer.status_code == 200, answer.text
    return answer.json()


# Who may


@pytest.mark.parametrize("name", [*SEES, *OTHERS], ids=str)
def test_who_sees_the_cage(door: Door, name: str | None) -> None:
    answer = door.get(name, "/cage")
    if name is None:
        assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")
    elif name in SEES:
        assert answer.status_code == 200
    else:
        assert (answer.status_code, code_of(answer)) == (403, "forbidden")


@pytest.mark.parametrize("path", ["/me/tickets", "/me/tickets/preview?cents=100"])
@pytest.mark.parametrize("name", [*SEES, *OTHERS], ids=str)
def test_tickets_of_ones_own_are_a_patrons(door: Door, name: str | None, path: str) -> None:
    answer = door.get(name, path)
    patron = name is not None and name.startswith("patron")
    assert answer.status_code == (401 if name is None else 200 if patron else 403)


# What it shows


def test_all_accounts_together_hold_nothing(door: Door) -> None:
    ledger = shown(door)["ledger"]
    sums = {one["kind"]: one for one in ledger["sums"]}
    assert ledger["total_cents"] == 0 == sum(one["cents"] for one in ledger["sums"])
    assert {"wallet", "bank", "cash", "vault"} <= sums.keys()
    assert sums["wallet"]["accounts"] == 20
    assert sums["cash"]["cents"] < 0


def test_wallets_say_what_somebody_has_and_did(door: Door) -> None:
    seat = {"type": "take_seat", "position": 1}
    assert door.order("patron-02", "tiger", seat).status_code == 200
    act(door, "patron-02", {"type": "send_to_table", "table": "tiger", "cents": 50_000})
    cage = shown(door)
    (line,) = [one for one in cage["wallets"] if one["patron"] == "patron-02"]
    assert (line["cents"], line["tables_cents"]) == (25_000_000 - 50_000, 50_000)
    assert line["last"]["event"] == "sent_to_table"
    assert (line["last"]["cents"], line["last"]["table"]) == (50_000, "tiger")
    assert cage["on_the_way"] == []


def test_a_ticket_hides_what_proves_it_until_it_is_paid(door: Door) -> None:
    paid_out = act(door, "patron-03", {"type": "cash_out", "cents": 150_000})
    number, proof = paid_out["ticket"], paid_out["validation"]
    cage = shown(door, "auditor")
    ticket = cage["tickets"][0]
    assert (ticket["number"], ticket["state"]) == (number, "open")
    assert (ticket["patron"], ticket["cents"]) == ("patron-03", 150_000)
    assert ticket["validation"] == "•" * 12 + proof[-4:]
    assert proof not in door.get("auditor", "/cage").text
    assert (cage["tickets_open"], cage["tickets_open_cents"]) == (1, 150_000)
    assert ticket["figures"] == "S$ 1,500.00"
    assert ticket["words"]["en"] == "One thousand five hundred dollars and no cents"
    own = door.get("patron-03", "/me/tickets").json()
    assert [one["number"] for one in own] == [number]
    assert own[0]["patron"] is None
    assert proof not in door.get("patron-03", "/me/tickets").text
    assert door.get("patron-04", "/me/tickets").json() == []
    typed = "-".join(proof[at : at + 4] for at in range(0, len(proof), 4)).lower()
    act(door, "cashier", {"type": "pay_ticket", "ticket": number, "validation": f" {typed} "})
    (ticket,) = [one for one in shown(door)["tickets"] if one["number"] == number]
    assert (ticket["state"], ticket["ended_by"]) == ("paid", "cashier")
    assert ticket["validation"] == proof
    assert shown(door)["tickets_open"] == 0
    assert "pay_ticket" in _may(door, "cashier"), "a paid one may be brought again"


def test_a_preview_says_what_a_ticket_would_say_and_prints_none(door: Door) -> None:
    heads = door.heads()
    found = door.get("patron-02", "/me/tickets/preview?cents=12345").json()
    assert (found["cents"], found["figures"], found["allowed"]) == (12_345, "S$ 123.45", True)
    assert found["words"]["zh-Hans"] == "壹佰贰拾叁元肆角伍分"
    too_much = door.get("patron-02", "/me/tickets/preview?cents=900000000000").json()
    assert too_much["allowed"] is False
    assert door.heads() == heads
    assert code_of(door.get("patron-02", "/me/tickets/preview?cents=0")) == "not_readable"
    assert code_of(door.get("patron-02", "/me/tickets/preview")) == "not_readable"


def test_slips_and_banks_have_both_names(door: Door) -> None:
    bank = {one["table"]: one for one in shown(door)["banks"]}["tiger"]
    fill = {"type": "fill_table", "table": "tiger", "cents": 30_000}
    act(door, "cashier", fill, "pit-supervisor")
    cage = shown(door)
    after = {one["table"]: one for one in cage["banks"]}["tiger"]
    assert after["fills_cents"] == bank["fills_cents"] + 30_000
    assert after["tray_cents"] == bank["tray_cents"] + 30_000
    assert after["win_cents"] == bank["win_cents"]
    slip = cage["slips"][0]
    assert (slip["table"], slip["kind"], slip["cents"]) == ("tiger", "fill", 30_000)
    assert (slip["by"], slip["second"]) == ("cashier", "pit-supervisor")
    assert slip["expected_cents"] is None


PIT = ("pit-supervisor", "pit-manager", "gaming-shift-manager", "auditor", "surveillance")


@pytest.mark.parametrize("name", PIT)
def test_the_pit_sees_the_banks_of_its_tables(door: Door, name: str) -> None:
    answer = door.get(name, "/pit/banks")
    assert answer.status_code == 200, answer.text
    seen, cage = answer.json(), shown(door)
    assert [one["table"] for one in seen["banks"]] == [one["table"] for one in cage["banks"]]
    assert seen["slips"] == cage["slips"]


@pytest.mark.parametrize("name", ["patron-01", "dealer", "cashier", "administrator"])
def test_banks_of_tables_are_not_for_everybody(door: Door, name: str) -> None:
    answer = door.get(name, "/pit/banks")
    assert (answer.status_code, code_of(answer)) == (403, "forbidden")


def test_a_count_that_differs_says_by_how_much(door: Door) -> None:
    assert door.order("pit-manager", "no-commission", {"type": "close_table"}).status_code in (
        200,
        409,
    )
    may = _may(door, "cashier")
    closer = {one["table"]: one for one in may["count_closer"]["tables"]}["no-commission"]
    counted = closer["expected_cents"] - 100_00
    count = {"type": "count_closer", "table": "no-commission", "cents": counted}
    act(door, "cashier", count, "cage-supervisor")
    cage = shown(door)
    slip = cage["slips"][0]
    assert (slip["kind"], slip["cents"]) == ("closer", counted)
    assert slip["expected_cents"] == closer["expected_cents"]
    bank = {one["table"]: one for one in cage["banks"]}["no-commission"]
    assert (bank["open"], bank["over_cents"]) == (False, -100_00)
    (alarm,) = door.get("pit-manager", "/alarms").json()["no-commission"]
    assert (alarm["code"], alarm["counted"]) == ("count_differs", "closer")
    assert (alarm["cents"], alarm["limit_cents"]) == (counted, closer["expected_cents"])
    assert alarm["sentence"].endswith("so it is 100.00 short.")
    assert "no-commission" in [
        one["table"] for one in _may(door, "cashier")["set_opener"]["tables"]
    ]


# What may be done


def _may(door: Door, name: str) -> dict[str, Any]:
    found = door.get(name, "/cage/may").json()["may"]
    return {one["command"]: one for one in found}


def test_what_somebody_may_do_at_the_cage(door: Door) -> None:
    for name in ("cashier", "cage-supervisor", "acting-cashier"):
        may = _may(door, name)
        assert {"buy_in", "fill_table", "credit_table"} <= may.keys()
        assert may["buy_in"]["approvers"] == []
        assert may["fill_table"]["approvers"] == ["Cage Supervisor", "Pit Supervisor"]
        assert may["fill_table"]["fields"] == ["table", "cents"]
        assert "count_closer" not in may or "tiger" not in [
            one["table"] for one in may["count_closer"]["tables"]
        ], "the table is open"
    for name in ("dealer", "auditor", "pit-manager", "bare", "administrator"):
        assert _may(door, name) == {}
    patron = _may(door, "patron-05")
    assert patron.keys() == {"cash_out", "take_in_ticket"}
    assert patron["cash_out"]["most_cents"] == 25_000_000
    assert door.get(None, "/cage/may").status_code == 401


def test_what_may_be_done_is_done_and_no_more(door: Door) -> None:
    may = _may(door, "cashier")
    most = {one["table"]: one["most_cents"] for one in may["credit_table"]["tables"]}[
        "fabulous-4s"
    ]
    over = {"type": "credit_table", "table": "fabulous-4s", "cents": most + 1}
    approval = door.approve("pit-supervisor", "cage", over, "cashier").json()["approval"]
    assert code_of(door.order("cashier", "cage", over, approval=approval)) == "not_enough_chips"
    act(door, "cashier", {**over, "cents": most}, "pit-supervisor")
    left = _may(door, "cashier")["credit_table"]["tables"]
    assert "fabulous-4s" not in [one["table"] for one in left]


# Words


def test_words_tell_amounts_apart() -> None:
    factors = itertools.product((1, 10, 11, 101, 909), (1, 100, 10**5, 10**9), (0, 1, 50))
    amounts = {first * second + more for first, second, more in factors}
    for words in (english, chinese):
        assert len({words(one) for one in amounts}) == len(amounts)


# After a start


def test_a_start_finds_tickets_slips_and_discretions_again() -> None:
    with house(settings=UNLIMITED) as door:
        act(door, "patron-03", {"type": "cash_out", "cents": 150_000})
        fill = {"type": "fill_table", "table": "tiger", "cents": 30_000}
        act(door, "cashier", fill, "pit-supervisor")
        before = shown(door)
        discretions = door.get("auditor", "/performance/discretions").json()["acts"]
        assert door.stop() == 0
        door.start()
        after = shown(door)
        for name in ("tickets", "slips", "banks", "wallets", "tickets_open_cents"):
            assert after[name] == before[name], name
        assert after["ledger"]["sums"] == before["ledger"]["sums"]
        again = door.get("auditor", "/performance/discretions").json()["acts"]
        assert again == discretions
