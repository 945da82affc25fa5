"""``croupier admin``: administer a house that runs, over its API.

Every command signs in, does one thing and signs out. It may what the position of whoever signs
in may; what is refused is said in the server's own sentence. No secret is an argument: other
users of the machine could read it.
"""

from __future__ import annotations

import json as json_module
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path  # noqa: TC003  # read by cyclopts
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import quote

from cyclopts import App, Parameter

from croupier.cli.floors import secret_of
from croupier.cli.journals import row, say
from croupier.cli.output import JsonFlag, console, new_table, print_json
from croupier.money import dollars
from croupier.rules.errors import RulesError, quoted
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE = "/api/v1"
WAIT_SECONDS = 30.0
LOOK_SECONDS = 1.0
"""How often a backup that takes long is asked for."""

admin = App(name="admin", help="Administer a house that runs, over its API.")
Name = Annotated[str, Parameter(name="NAME", help="The name of a user.")]
Reason = Annotated[str, Parameter(help="Why; it is recorded.")]
TableArgument = Annotated[str, Parameter(name="TABLE", help="A table, by its name.")]


@Parameter(name="*")
@dataclass
class Access:
    """Where the server is, and who asks."""

    url: Annotated[
        str, Parameter(env_var="CROUPIER_URL", help="The address of the server.")
    ] = "http://127.0.0.1:8000"
    name: Annotated[
        str | None, Parameter(name="--name", help="Who signs in; it is asked for.")
    ] = None
    password_file: Annotated[
        Path | None,
        Parameter(help="A file with the password, - for standard input; else it is asked for."),
    ] = None
    json: JsonFlag = False


HERE = Access()


@Parameter(name="*")
@dataclass
class Second:
    """Who else approves, where a command needs two people."""

    approved_by: Annotated[
        str | None, Parameter(help="A second person, who approves exactly this command.")
    ] = None
    approver_password_file: Annotated[
        Path | None,
        Parameter(help="A file with the password of the second person; else it is asked for."),
    ] = None


NOBODY = Second()


class Server:
    """A server, as a program talks to it."""

    def __init__(self, url: str) -> None:
        if not url.startswith(("http://", "https://")):
            message = f"{quoted(url)} is no address of a server, such as {HERE.url}."
            raise RulesError(message)
        self._url, self.token, self.name = url.rstrip("/"), "", ""

    def call(self, method: str, path: str, body: object = None, *, key: str = "") -> Any:  # noqa: ANN401  # as it comes
        """Return what the server answers; its refusal is ours."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else json_module.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310  # checked above
            f"{self._url}{BASE}{path}", data, headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:  # noqa: S310
                content = answer.read()
        except urllib.error.HTTPError as error:
            raise RulesError(_refusal(error)) from error
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            why = getattr(why, "strerror", None) or why
            message = f"The server at {self._url} does not answer: {why}."
            raise RulesError(message) from error
        try:
            return json_module.loads(content) if content else None
        except ValueError as error:
            message = f"What answers at {self._url} is no house."
            raise RulesError(message) from error

    def order(self, where: str, command: dict[str, Any], approval: str | None = None) -> Any:  # noqa: ANN401
        """Give a command to a table, the cage or the accounts."""
        path = where if where in ("cage", "accounts") else f"tables/{quote(where)}"
        body = {"command": command} | ({} if approval is None else {"approval": approval})
        return self.call("POST", f"/{path}/commands", body, key=str(uuid7()))


def _refusal(error: urllib.error.HTTPError) -> str:
    """Return the sentence of a problem."""
    try:
        problem = json_module.loads(error.read())
        sentence, clause = str(problem["detail"]), problem.get("clause")
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        return f"The server answers with status {error.code}."
    # Most sentences name their clause themselves.
    return sentence if not clause or clause in sentence else f"{sentence} [{clause}]"


@contextmanager
def signed_in(at: Access) -> Iterator[Server]:
    """Sign in, and out again, whatever comes between."""
    Server(at.url)  # a wrong address is told before anything is asked for
    name = at.name or _asked("Name")
    with session(at.url, name, secret_of(at.password_file)) as server:
        yield server


@contextmanager
def session(url: str, name: str, password: str) -> Iterator[Server]:
    """Open a session of somebody, and close it, whatever comes between."""
    server = Server(url)
    body = {"name": name, "password": password}
    server.token, server.name = server.call("POST", "/sessions", body)["token"], name
    try:
        yield server
    finally:
        server.call("DELETE", "/sessions/current")


def _asked(what: str) -> str:
    if not sys.stdin.isatty():
        message = f"The {what.lower()} is missing, and there is no terminal to ask at."
        raise RulesError(message)
    sys.stderr.write(f"{what}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


# The first administrator


@admin.command
def setup(
    name: Annotated[str, Parameter(name="NAME", help="How the administrator is called.")],
    /,
    *,
    secret_file: Annotated[
        Path,
        Parameter(
            help="A file with the link that was printed, or with what stands behind its #."
        ),
    ],
    at: Access = HERE,
) -> None:
    """Make the first administrator of a new house."""
    secret = secret_file.read_text(encoding="utf-8").strip().rpartition("#")[2]
    password = secret_of(at.password_file, "New password")
    body = {"secret": secret, "name": name, "password": password}
    _said(at, Server(at.url).call("POST", "/setup", body), f"{name} can sign in now.")


# Users


@admin.command
def users(*, at: Access = HERE) -> None:
    """List everybody with an account."""
    with signed_in(at) as server:
        found = server.call("GET", "/users")
    if at.json:
        print_json(found)
        return
    table = new_table("name", "kind", "position", "acts as", "sessions", "state")
    for one in found:
        row(table, *_user_cells(one))
    console().print(table)


def _user_cells(one: dict[str, Any]) -> list[str]:
    acts = one.get("acts")
    notes = ["may act"] if one["enabled"] else ["disabled"]
    notes += ["excluded"] if one.get("exclusions") else []
    return [
        one["name"],
        one["kind"],
        one.get("position") or "",
        "" if acts is None else f"{acts['position']} until {acts['until']}",
        str(one["sessions"]),
        ", ".join(notes),
    ]


@admin.command
def user(name: Name, /, *, at: Access = HERE) -> None:
    """Show somebody: position, own limits and exclusions of a patron, sessions."""
    with signed_in(at) as server:
        found = server.call("GET", f"/users/{quote(name)}")
    if at.json:
        print_json(found)
        return
    table = new_table("what", "how")
    heads = ("name", "kind", "position", "acts as", "sessions", "state")
    for head, cell in (*zip(heads, _user_cells(found), strict=True), *_patron_cells(found)):
        if cell:
            row(table, head, cell)
    console().print(table)


def _patron_cells(one: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Give what holds for a patron: exclusions, and limits that they set themselves."""
    for exclusion in one.get("exclusions", ()):
        until = exclusion["until"]
        end = "without an end" if until is None else f"until {until}"
        yield "excluded", f"since {exclusion['since']}, {end}"
    limits = one.get("limits") or {}
    if limits.get("stake_cents") is not None:
        yield "own stake limit", f"{dollars(limits['stake_cents'])} for one stake"
    if limits.get("loss_cents") is not None:
        yield "own loss limit", f"{dollars(limits['loss_cents'])} in a gaming day"
    if limits.get("minutes") is not None:
        yield "own time limit", f"{limits['minutes']} minutes in a gaming day"


@admin.command
def add(
    name: Name,
    kind: Annotated[
        Literal["patron", "staff", "auditor", "admin"],
        Parameter(name="KIND", help="What they are."),
    ],
    /,
    *,
    position: Annotated[
        str | None, Parameter(help="A position, such as 'Pit Manager'; see positions.")
    ] = None,
    at: Access = HERE,
) -> None:
    """Add somebody; prints the link by which they set their password, once."""
    with signed_in(at) as server:
        command = {"type": "add_user", "user": name, "kind": kind, "position": position}
        done = server.order("accounts", command)
        try:
            link = server.call("POST", f"/users/{quote(name)}/password-link")
        except RulesError as refused:
            # It is added all the same: who adds patrons need not make links.
            _said(at, done, f"{name} is added, without a link for a password: {refused}")
            return
    _linked(at, done | {"link": link}, name, link)


def _linked(at: Access, document: object, name: str, link: dict[str, Any]) -> None:
    url = f"{at.url.rstrip('/')}{link['path']}"
    _said(at, document, f"{name} sets a password once, until {link['expires']}, at\n  {url}")


@admin.command
def disable(name: Name, /, *, reason: Reason, at: Access = HERE) -> None:
    """Let somebody do nothing more until they are enabled again."""
    _order(at, f"{name} is disabled.", type="disable_user", user=name, reason=reason)


@admin.command
def enable(name: Name, /, *, reason: Reason, at: Access = HERE) -> None:
    """Let somebody who was disabled act again."""
    _order(at, f"{name} is enabled.", type="enable_user", user=name, reason=reason)


@admin.command
def position(
    name: Name,
    position: Annotated[
        str | None,
        Parameter(name="POSITION", help="The position; without it theirs is taken away."),
    ] = None,
    /,
    *,
    reason: Annotated[str, Parameter(show_default=False, help="Why it is taken away.")] = "",
    at: Access = HERE,
) -> None:
    """Give somebody a position, or take it away."""
    if position is not None:
        _order(at, f"{name} is {position}.", type="give_position", user=name, position=position)
        return
    _order(at, f"{name} has no position.", type="withdraw_position", user=name, reason=reason)


@admin.command
def act(
    name: Name,
    position: Annotated[str, Parameter(name="POSITION", help="The position to act in.")],
    /,
    *,
    hours: Annotated[float, Parameter(help="For how long.")] = 8.0,
    at: Access = HERE,
) -> None:
    """Let somebody act in a position for a time."""
    since = datetime.now(UTC)
    until = since + timedelta(hours=hours)
    _order(
        at, f"{name} acts as {position} until {until:%Y-%m-%d %H:%M} UTC.",
        type="let_act", user=name, position=position,
        since=since.isoformat(), until=until.isoformat(),
    )  # fmt: skip


@admin.command(name="end-acting")
def end_acting(name: Name, /, *, at: Access = HERE) -> None:
    """Let somebody act in another position no more."""
    _order(at, f"{name} acts in no other position.", type="end_acting", user=name)


@admin.command(name="reset-password")
def reset_password(name: Name, /, *, at: Access = HERE) -> None:
    """Print a link by which somebody sets a new password, once, within a day."""
    with signed_in(at) as server:
        link = server.call("POST", f"/users/{quote(name)}/password-link")
    _linked(at, link, name, link)


@admin.command
def positions(*, at: Access = HERE) -> None:
    """List the positions that somebody can have."""
    with signed_in(at) as server:
        found = server.call("GET", "/positions")
    if at.json:
        print_json(found)
        return
    for one in found:
        say(console(), one["name"])


@admin.command
def sessions(
    name: Name,
    /,
    *,
    close: Annotated[
        bool, Parameter(negative="", show_default=False, help="Close all of them.")
    ] = False,
    at: Access = HERE,
) -> None:
    """List the sessions of somebody, or close them."""
    path = f"/users/{quote(name)}/sessions"
    with signed_in(at) as server:
        found = server.call("GET", path)
        if close:
            server.call("DELETE", path)
    if at.json:
        print_json(found)
        return
    for one in found:
        say(console(), f"{one['number']}  opened {one['opened']}  seen {one['seen']}")
    if close:
        say(console(), f"All sessions of {name} are closed.")


# Tables


@admin.command
def tables(*, at: Access = HERE) -> None:
    """List the tables: phase, seats, what they wait for."""
    found = Server(at.url).call("GET", "/tables")
    if at.json:
        print_json(found)
        return
    table = new_table("table", "game", "phase", "waits for", "seats", "dealt by")
    for one in found:
        seats = f"{one['seats']['taken']} of {one['seats']['positions']}"
        row(
            table, one["name"], one["game"] or "", one["phase"], one["hold"] or "", seats,
            one["dealt_by"] or "",
        )  # fmt: skip
    console().print(table)


@admin.command(name="close-table")
def close_table(
    table: TableArgument,
    /,
    *,
    minutes: Annotated[int | None, Parameter(help="Give notice only: it closes then.")] = None,
    second: Second = NOBODY,
    at: Access = HERE,
) -> None:
    """Close a table, or give notice that it closes."""
    if minutes is not None:
        command: dict[str, object] = {"type": "announce_closure", "minutes": minutes}
        _order_at(at, table, command, f"{table} closes in {minutes} minutes.", second)
        return
    _order_at(at, table, {"type": "close_table"}, f"{table} is closed.", second)


@admin.command(name="open-table")
def open_table(
    table: TableArgument,
    settings: Annotated[
        Path,
        Parameter(
            name="SETTINGS",
            allow_leading_hyphen=True,
            help="A file with its settings as JSON; - is standard input.",
        ),
    ],
    /,
    *,
    second: Second = NOBODY,
    at: Access = HERE,
) -> None:
    """Open a table with the settings of a JSON file."""
    command = {"type": "open_table", "settings": _document(settings)}
    _order_at(at, table, command, f"{table} is open.", second)


@admin.command
def limits(
    table: TableArgument,
    wager: Annotated[str, Parameter(name="WAGER", help="A wager, such as banker.")],
    /,
    *,
    minimum: Annotated[int, Parameter(help="Cents.")],
    maximum: Annotated[int, Parameter(help="Cents.")],
    step: Annotated[int, Parameter(help="Cents.")],
    reason: Annotated[str, Parameter(show_default=False, help="Why; it is recorded.")] = "",
    second: Second = NOBODY,
    at: Access = HERE,
) -> None:
    """Set minimum, maximum and step of a wager, from the next round on."""
    one = {"minimum_cents": minimum, "maximum_cents": maximum, "step_cents": step}
    command = {"type": "set_limits", "limits": {wager: one}, "reason": reason}
    _order_at(at, table, command, f"The limits of {wager} at {table} are set.", second)


@admin.command
def order(
    where: Annotated[str, Parameter(name="WHERE", help="A table, cage or accounts.")],
    command: Annotated[
        Path,
        Parameter(
            name="FILE",
            allow_leading_hyphen=True,
            help="A file with the command as JSON; - is standard input.",
        ),
    ],
    /,
    *,
    second: Second = NOBODY,
    at: Access = HERE,
) -> None:
    """Give any command that is in a JSON file."""
    _order_at(at, where, _document(command), "It is done.", second)


def _document(path: Path) -> Any:  # noqa: ANN401  # as it is written
    text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    try:
        return json_module.loads(text)
    except ValueError as error:
        message = f"{path} holds no JSON: {error}."
        raise RulesError(message) from error


# Backups


@admin.command
def backup(
    name: Annotated[
        str | None, Parameter(name="NAME", help="How it is called; by its moment.")
    ] = None,
    /,
    *,
    at: Access = HERE,
) -> None:
    """Back the house up where the server's configuration says, and verify the copy."""
    with signed_in(at) as server:
        shown = server.call("POST", "/admin/backup", {"name": name})
        while not shown["done"]:
            time.sleep(LOOK_SECONDS)
            every = server.call("GET", "/admin/backups")
            shown = next(one for one in every if one["name"] == shown["name"])
    if shown["error"] is not None:
        raise RulesError(shown["error"])
    made = shown["made"]
    keys = shown["keys_folder"]
    where = "The keys are in no backup." if keys is None else f"The keys are in {keys}."
    decisions = f"{made['decisions']} decisions, signed by {made['signed_by']}"
    _said(at, shown, f"{shown['folder']} is a backup and holds: {decisions}. {where}")


def _order(at: Access, sentence: str, **command: object) -> None:
    """Give a command to the accounts."""
    _order_at(at, "accounts", command, sentence)


def _order_at(
    at: Access, where: str, command: dict[str, Any], sentence: str, second: Second = NOBODY
) -> None:
    """Give a command; a second person, where one is named, approves it first."""
    with (
        signed_in(at) as server,
        _approved(server, at, where, command, second) as approval,
    ):
        done = server.order(where, command, approval)
    _said(at, done, sentence)


@contextmanager
def _approved(
    server: Server, at: Access, where: str, command: dict[str, Any], second: Second
) -> Iterator[str | None]:
    """Yield the approval of a second person, who is signed in for as long as it is needed."""
    name = second.approved_by
    if name is None:
        yield None
        return
    file, option = second.approver_password_file, "--approver-password-file"
    password = secret_of(file, f"Password of {name}", option)
    with session(at.url, name, password) as other:
        wanted = {"table": where, "command": command, "for": server.name}
        yield other.call("POST", "/approvals", wanted)["approval"]


def _said(at: Access, document: object, sentence: str) -> None:
    if at.json:
        print_json(document)
        return
    say(console(), sentence)
