"""Money over the API: what an answer says of it is where it is."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from croupier.accounts.commands import UserKind
from croupier.cage.events import SentToTable
from croupier.floor.problems import Problem, ProblemError
from croupier.floor.reception import Asker, Reception
from croupier.journal.gathering import Reply
from croupier.table.refusals import Code, refuse
from croupier.table.views.hearing import Audience
from croupier.uuids import uuid7
from tests.floor.api.test_reads import problem

if TYPE_CHECKING:
    from croupier.floor.reception import Answered
    from tests.floor.api.served import Served

PATRON = "patron-17"


def test_nothing_is_sent_to_a_table_that_is_not_there(quiet: Served) -> None:
    wallet, heads = quiet.get("/me/wallet", PATRON).json(), quiet.heads()
    send = {"type": "send_to_table", "table": "nowhere", "cents": 1_000_00}
    answer = quiet.order("cage", send, PATRON)
    assert problem(answer, 404, "unknown_table") == "There is no table 'nowhere' in this house."
    assert "sequence" not in answer.json()
    assert quiet.heads() == heads
    assert quiet.get("/me/wallet", PATRON).json() == wallet


def test_a_ticket_has_what_is_printed_on_it(quiet: Served) -> None:
    cash = {"type": "cash_out", "cents": 1_234_05}
    body, headers = {"command": cash}, {"Idempotency-Key": uuid7()}
    path = "/cage/commands"
    first = quiet.ask("POST", path, PATRON, json=body, headers=headers).json()
    printed = first["printed"]
    assert printed["figures"] == "S$ 1,234.05"
    words = "One thousand two hundred and thirty-four dollars and five cents"
    assert printed["words"] == words
    assert printed["sequence"] == first["sequence"]
    life = datetime.fromisoformat(printed["expires"]) - datetime.now(UTC)
    assert timedelta(days=29) < life <= timedelta(days=30)
    again = quiet.ask("POST", path, PATRON, json=body, headers=headers).json()
    assert again == {name: one for name, one in first.items() if name != "validation"}
    with quiet.socket(PATRON) as socket:
        said = {"type": "command", "id": uuid7(), "table": "cage", "command": cash}
        socket.send(json.dumps(said))
        heard = json.loads(socket.recv(10))
    assert heard["printed"]["words"] == printed["words"]
    assert heard["validation"]


ANN = Asker("ann", UserKind.PATRON, None, None, Audience.PATRON)
SENT = SentToTable(7, "ann", "tiger", 1_000_00)
PEOPLE = SimpleNamespace(sessions=SimpleNamespace(on_ended=[]))


def told_of(arrived: Reply | None, *, sent: bool) -> Answered:
    """Return what a patron is told of credit that left the wallet by record 7."""

    async def arrival(sequence: int, elsewhere_seconds: float) -> Reply | None:
        assert (sequence, elsewhere_seconds > 0) == (7, True)
        return arrived

    cage = SimpleNamespace(cage=SimpleNamespace(sent={7: SENT} if sent else {}))
    house = SimpleNamespace(transfers=SimpleNamespace(arrival=arrival), cage=cage)
    reception = Reception(cast("Any", house), cast("Any", PEOPLE))
    return asyncio.run(reception.answer(ANN, "cage", Reply(7, None, (SENT,))))


def test_an_answer_says_that_credit_is_at_the_seat_only_when_it_is() -> None:
    assert not isinstance(told_of(Reply(3, None), sent=False), Problem)
    no = told_of(Reply(3, refuse(Code.NOT_AT_TABLE, "Ann is not there")), sent=False)
    assert isinstance(no, Problem)
    assert (no.status, no.code, no.sequence) == (409, "not_at_table", 7)


@pytest.mark.parametrize(
    ("sent", "code", "again"), [(True, "behind", True), (False, "not_taken", False)]
)
def test_what_no_table_took_is_not_said_to_be_there(
    sent: bool,  # noqa: FBT001  # parametrized
    code: str,
    again: bool,  # noqa: FBT001  # parametrized
) -> None:
    with pytest.raises(ProblemError) as no:
        told_of(None, sent=sent)
    assert no.value.code.value == code
    assert (no.value.retry_seconds is not None) is again
