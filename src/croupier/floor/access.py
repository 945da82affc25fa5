"""What is given or taken beside the journal, and recorded there first, with both names.

Links for passwords, sessions and tokens of devices lie in a file that no journal knows. Whoever
hands one out could be anybody afterwards, so that the record comes before the deed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounts.commands import NoteAccess
from croupier.floor.problems import ProblemError, ServerCode
from croupier.journal.writer import Request
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from croupier.accounts.commands import Access
    from croupier.floor.floor import Floor
    from croupier.floor.reception import Asker


async def note_access(
    floor: Floor,
    asker: Asker,
    access: Access,
    *,
    user: str | None = None,
    device: str | None = None,
) -> None:
    """Record what somebody is about to do; raise why they may not."""
    assert asker.person is not None, "whoever asks was let in"
    note = NoteAccess(access, user, device)
    reply = await floor.house.accounts.submit(Request(uuid7(), asker.person, note))
    if reply.refusal is not None:
        raise ProblemError(ServerCode.FORBIDDEN, reply.refusal.sentence)
