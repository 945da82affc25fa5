"""A program that signs people in and out, approves and redeems, and tells what it was told.

Somebody kills it at any moment, and looks whether everything that was told is so::

    python -m tests.floor.people_worker FOLDER

A line is ``opened TOKEN``, ``closed TOKEN``, ``approved TOKEN`` or ``used TOKEN``, written when
the answer was there; the first is ``ready``.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from croupier.floor.door import Issued
from croupier.floor.passwords import Passwords
from croupier.floor.people import People
from tests.floor.people import CHEAP, PASSWORDS, known, signed_in


def tell(word: str, token: str = "") -> None:
    """Write one line at once, whole."""
    os.write(1, f"{word} {token}\n".encode())


async def main(folder: Path) -> None:
    """Sign in and out for ever."""
    people = await People.open(folder, known().get, passwords=Passwords(CHEAP))
    await people.set_passwords(PASSWORDS)
    people.start()
    tell("ready")
    while True:
        token, session = await signed_in(people, "mia")
        tell("opened", token)
        kept = [await people.approvals.issue(session, "1", b"x", "dan") for _ in range(2)]
        for approval in kept:
            assert isinstance(approval, Issued)
            tell("approved", approval.token)
        assert isinstance(kept[0], Issued)
        assert await people.approvals.redeem(kept[0].token, "1", b"x", "dan", "k") == "mia"
        tell("used", kept[0].token)
        if len(people.sessions) > 5:
            oldest = people.sessions.of("mia")[0]
            await people.sessions.close(oldest)
            tell("closed", oldest.number)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
