"""Chips between a table and the vault, by two people; what an auditor takes away."""

from __future__ import annotations

import csv
import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec
import pytest

from croupier.journal.export import HeadLine
from tests.cli.run import run
from tests.web.dealing import signs
from tests.web.looking import opened, somebody

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.floor.serving import Served
    from tests.web.staff import Staff

TABLE = "power-98"


@pytest.mark.parametrize(
    ("act", "do", "slip"),
    [
        ("Fill a table", "Fill {table} with 750.00", "Fill"),
        ("Credit from a table", "Credit 750.00 from {table}", "Credit"),
    ],
)
def test_chips_go_with_two_names(
    browser: Browser, quiet: Served, staff: Staff, act: str, do: str, slip: str
) -> None:
    def tray() -> int:
        banks = staff.get("pit-manager", "/pit/banks")["banks"]
        cents: int = next(one["tray_cents"] for one in banks if one["table"] == TABLE)
        return cents

    before = tray()
    with somebody(browser, quiet, "cashier") as context:
        cage = opened(context, "/cage")
        number = cage_number(staff)
        cage.get_by_role("button", name=act, exact=True).click()
        asked = cage.get_by_role("dialog")
        asked.get_by_label("Table").select_option(TABLE)
        asked.get_by_label("Amount").fill("750")
        asked.get_by_role("button", name="Next: second person").click()
        second = asked.get_by_role("form", name="Second person")
        sign = second.get_by_role("button", name=do.format(table=number))
        signs(second, quiet, "cashier")
        sign.click()
        asked.get_by_text("Nobody approves a command of their own").wait_for()
        assert tray() == before
        signs(second, quiet, "cage-supervisor")
        sign.click()
        asked.wait_for(state="detached")
        row = cage.get_by_role("table", name="Fills, credits and counts").get_by_role("row")
        newest = row.nth(1)
        newest.get_by_text("cashier, cage-supervisor").wait_for()
        assert [number, slip, "750.00"] == newest.locator("td").all_inner_texts()[1:4]
    assert tray() - before == (750_00 if slip == "Fill" else -750_00)


def cage_number(staff: Staff) -> str:
    """Return what the table is called on screens."""
    number: int = staff.get("cashier", "/house")["numbers"][TABLE]
    return f"Table {number:02}"


def test_an_auditor_takes_the_journal_away(
    browser: Browser, quiet: Served, staff: Staff, tmp_path: Path
) -> None:
    staff.open_with_paper("baccarat")
    staff.coup("baccarat", "4S 2H 5D 3C")
    with somebody(browser, quiet, "auditor") as context:
        page = opened(context, "/audit")
        with page.expect_download() as downloading:
            page.get_by_role("link", name=re.compile("JSON")).click()
        lines = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(lines)
        with page.expect_download() as downloading:
            page.get_by_role("link", name=re.compile("CSV")).click()
        table = tmp_path / downloading.value.suggested_filename
        downloading.value.save_as(table)
        streams = context.request.get("/api/v1/journal/streams").json()
        decisions, key = streams["decisions"], streams["key"]
    *rows, head = [json.loads(one) for one in lines.read_text(encoding="utf-8").splitlines()]
    assert {one["kind"] for one in rows} == {"decision"}
    assert head["kind"] == "head"
    assert 0 < len(rows) <= decisions
    with table.open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert len(cells) - 1 >= len(rows)
    signed = msgspec.json.decode(lines.read_bytes().splitlines()[-1], type=HeadLine)
    before = b"".join(lines.read_bytes().splitlines(keepends=True)[:-1])
    assert (signed.lines, signed.digest) == (len(rows), sha256(before).hexdigest())
    assert signed.holds
    assert signed.key == key
    assert sum(sequence for sequence, _ in signed.heads.values()) == len(rows)
    verified = run("verify", str(lines), "--signed-by", key)
    assert (verified.code, f"{len(rows)} decisions as they were told" in verified.out) == (
        0,
        True,
    )
