"""A client of a floor: reads and commands over HTTP or the socket, topics over the socket.

A command keeps its key until it is answered. After 503, a time-out or a broken connection it
is sent again under the same key, over whichever way is open, so it is done exactly once.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import httpx
import msgspec

from croupier.client.addresses import BASE, floor_address, socket_address, trusted
from croupier.client.backoff import Backoff
from croupier.client.errors import ClientError, Refused, SignedOut, Unavailable
from croupier.client.live import FRAME_BYTES, Broken, Live
from croupier.client.wire import (
    Actor,
    Answer,
    Approval,
    Problem,
    SignedIn,
    TableSeen,
    Wallet,
    problem_of,
)
from croupier.table.views.lobby import TableSummary
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from croupier.client.folding import Subscription

ATTEMPT_SECONDS: Final = 12.0
"""A floor answers within 10 seconds."""
PATIENCE_SECONDS: Final = 60.0
"""How long a floor that is away is waited for."""
SIGN_OUT_SECONDS: Final = 1.0
AGAIN: Final = (502, 503, 504)
"""Statuses after which the same is asked again; two of them come from what stands in front."""
OK_MAX, UNAUTHENTICATED, TOO_MANY = 299, 401, 429
CAGE: Final = "cage"
RETRY_AFTER: Final = re.compile(r"[0-9]{1,9}")
"""Seconds; a date is not waited for, and nothing that no floor says."""
encode = msgspec.json.Encoder().encode
Shape = TypeVar("Shape")
Command = msgspec.Struct | dict[str, Any]
"""A command by its struct, or as it is on the wire."""


def written(command: Command) -> dict[str, Any]:
    """Return a command as it goes over the wire.

    An empty name of a patron is left out, and cash that is not asked for: a patron's command
    has no such field.
    """
    body: dict[str, Any] = msgspec.to_builtins(command)
    unsaid = (("patron", ""), ("cash", False))
    return {name: value for name, value in body.items() if (name, value) not in unsaid}


class Client:
    """Somebody at a floor. ``async with Client(url, name, password) as client:`` signs in."""

    def __init__(
        self,
        url: str,
        name: str,
        password: str,
        *,
        patience_seconds: float = PATIENCE_SECONDS,
        attempt_seconds: float = ATTEMPT_SECONDS,
    ) -> None:
        self.url = floor_address(url)
        self.name, self._password = name, password
        self._patience, self._attempt = patience_seconds, attempt_seconds
        self._http = httpx.AsyncClient(
            base_url=f"{self.url}{BASE}",
            timeout=attempt_seconds,
            trust_env=False,  # a floor is asked directly
            verify=trusted(),
        )
        self._live: Live | None = None
        self._session: SignedIn | None = None

    def __repr__(self) -> str:
        return f"Client({self.url!r}, {self.name!r})"

    @property
    def actor(self) -> Actor:
        """Return who is signed in."""
        assert self._session is not None, "not signed in"
        return self._session.actor

    @property
    def connected(self) -> bool:
        """Tell whether there is a socket now."""
        return self._live is not None and self._live.open

    # Coming and going

    async def __aenter__(self) -> Self:
        try:
            await self.sign_in()
        except BaseException:
            await self._http.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def sign_in(self) -> None:
        """Sign in. A floor that is not there is told at once, one that is busy waited for."""
        body = encode({"name": self.name, "password": self._password})
        self._session = await self._ask(
            "POST", "/sessions", SignedIn, body=body, wait_for_floor=False
        )
        self._http.cookies.clear()  # programs have the token
        self._http.headers["Authorization"] = f"Bearer {self._session.token}"
        self._live = Live(socket_address(self.url), self._session.token)

    async def close(self) -> None:
        """Close the socket and sign out, as far as the floor can be reached."""
        live, self._live = self._live, None
        if live is not None:
            await live.close()
        try:
            if self._session is not None and (live is None or live.error is None):
                with contextlib.suppress(httpx.HTTPError, TimeoutError):
                    async with asyncio.timeout(SIGN_OUT_SECONDS):
                        await self._http.delete("/sessions/current")
        finally:
            self._session = None
            await self._http.aclose()

    # Reading

    async def tables(self) -> list[TableSummary]:
        """Return the list of tables."""
        return await self._ask("GET", "/tables", list[TableSummary])

    async def table(self, name: str, *, after: int | None = None) -> TableSeen:
        """Return a table as this person may see it, at a record or later."""
        params = {} if after is None else {"after": after}
        return await self._ask("GET", f"/tables/{name}", TableSeen, params=params)

    async def round(self, table: str, number: int) -> dict[str, Any]:
        """Return a finished round as this person may know it."""
        return await self._ask("GET", f"/tables/{table}/rounds/{number}", dict[str, Any])

    async def rounds(
        self, table: str, *, before: int | None = None, limit: int | None = None
    ) -> list[dict[str, Any]]:
        """Return finished rounds of a table, newest first."""
        given = {"before": before, "limit": limit}
        params = {name: value for name, value in given.items() if value is not None}
        path = f"/tables/{table}/rounds"
        return await self._ask("GET", path, list[dict[str, Any]], params=params)

    async def wallet(self) -> Wallet:
        """Return what this patron has: in the wallet, on its way, at tables."""
        return await self._ask("GET", "/me/wallet", Wallet)

    def subscribe(self, topic: str) -> Subscription:
        """Hear of a topic: ``table:NAME``, ``tables`` or ``me``."""
        return self._socket().subscribe(topic)

    def shown(self, table: str, number: int) -> None:
        """Say that this terminal displayed the closing of a round."""
        self._socket().shown(table, number)

    def _socket(self) -> Live:
        if self._live is None:
            message = "The client is not signed in."
            raise ClientError(message)
        return self._live

    # Commands

    async def command(
        self,
        table: str,
        command: Command,
        *,
        round: int | None = None,  # noqa: A002  # as on the wire
        hold: int | None = None,
        approval: str | None = None,
        cards: tuple[str, ...] = (),
        die: int | None = None,
        key: str | None = None,
    ) -> Answer:
        """Give a command to a table, exactly once; raise ``Refused`` if it is refused."""
        beside = {
            "round": round,
            "hold": hold,
            "approval": approval,
            "cards": cards or None,
            "die": die,
        }
        body: dict[str, object] = {"command": written(command)}
        body |= {name: value for name, value in beside.items() if value is not None}
        return await self._order(table, f"/tables/{table}/commands", body, key or uuid7())

    async def cage(
        self, command: Command, *, approval: str | None = None, key: str | None = None
    ) -> Answer:
        """Give a command to the cage, exactly once."""
        body: dict[str, object] = {"command": written(command)}
        if approval is not None:
            body["approval"] = approval
        return await self._order(CAGE, "/cage/commands", body, key or uuid7())

    async def approve(
        self, table: str, command: Command, name: str, cards: Sequence[str] = ()
    ) -> Approval:
        """Approve exactly this command of somebody else at a table, or at ``cage``.

        Faces that go with the command are approved with it.
        """
        said: dict[str, object] = {"table": table, "command": written(command), "for": name}
        if cards:
            said["cards"] = list(cards)
        return await self._ask("POST", "/approvals", Approval, body=encode(said))

    async def _order(self, where: str, path: str, body: dict[str, object], key: str) -> Answer:
        message = encode({"type": "command", "id": key, "table": where, **body})
        over_http = encode(body)
        end, backoff = monotonic() + self._patience, Backoff()
        tried_socket = unknown = False
        while True:
            live, wait = self._live, backoff.next()
            try:
                socket = live is not None and live.open and len(message) <= FRAME_BYTES
                if socket and not tried_socket and live is not None:
                    tried_socket = True
                    answer = await live.order(key, message, self._attempt)
                else:
                    tried_socket = False
                    answer, wait = await self._over_http(path, over_http, key, wait)
            except Broken:
                answer, unknown = None, True
            if isinstance(answer, Answer):
                return answer
            # What an unanswered attempt did is known only when this is looked at.
            again = (*AGAIN, TOO_MANY) if unknown else AGAIN
            if answer is not None and answer.status not in again:
                raise _refusal(answer)
            if live is not None and live.error is not None:
                raise live.error
            if monotonic() + wait > end:
                raise _unavailable(self.url, answer)
            await asyncio.sleep(wait)

    async def _over_http(
        self, path: str, body: bytes, key: str, wait: float
    ) -> tuple[Answer | Problem, float]:
        """Give a command over HTTP; return the answer, and how long to wait after a 503."""
        try:
            response = await self._http.post(
                path, content=body, headers={"Idempotency-Key": key}
            )
        except httpx.TransportError as error:
            raise Broken from error
        if response.status_code <= OK_MAX:
            return self._shaped(response, Answer), wait
        problem = problem_of(response.status_code, response.content)
        return problem, max(wait, _retry_after(response))

    # Asking over HTTP

    async def _ask(
        self,
        method: str,
        path: str,
        shape: type[Shape],
        *,
        body: bytes | None = None,
        params: Mapping[str, int] | None = None,
        wait_for_floor: bool = True,
    ) -> Shape:
        """Ask until there is an answer, for as long as the client is patient."""
        end, backoff = monotonic() + self._patience, Backoff()
        while True:
            wait, problem = backoff.next(), None
            try:
                response = await self._http.request(method, path, content=body, params=params)
            except httpx.TransportError as error:
                if not wait_for_floor or monotonic() + wait > end:
                    raise _unavailable(self.url, None) from error
            else:
                if response.status_code <= OK_MAX:
                    return self._shaped(response, shape)
                problem = problem_of(response.status_code, response.content)
                if problem.status not in AGAIN:
                    raise _refusal(problem)
                wait = max(wait, _retry_after(response))
                if monotonic() + wait > end:
                    raise _unavailable(self.url, problem)
            await asyncio.sleep(wait)

    def _shaped(self, response: httpx.Response, shape: type[Shape]) -> Shape:
        try:
            return msgspec.json.decode(response.content, type=shape)
        except (msgspec.MsgspecError, UnicodeError) as error:
            message = f"What answers at {self.url} is not a floor."
            raise ClientError(message) from error


def _refusal(problem: Problem) -> Refused:
    return SignedOut(problem) if problem.status == UNAUTHENTICATED else Refused(problem)


def _unavailable(url: str, problem: Problem | None) -> Unavailable:
    why = (
        "does not answer" if problem is None else f"is not ready: {problem.detail.rstrip('.')}"
    )
    return Unavailable(f"The floor at {url} {why}.")


def _retry_after(response: httpx.Response) -> float:
    """Return after how many seconds the floor would be asked again; 0: it does not say."""
    text = response.headers.get("Retry-After", "")
    return float(text) if RETRY_AFTER.fullmatch(text) else 0.0
