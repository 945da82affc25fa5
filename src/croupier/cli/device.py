"""``croupier device``: a dealing device or a die of paper and plastic, played by a program.

It shuffles a shoe, looks at what its table waits for, and reads cards when they are due; with
mistakes it does what real ones do. For tests and training.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import time
from pathlib import Path  # noqa: TC003  # read by cyclopts
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote, urlsplit

from cyclopts import Parameter

from croupier.rulebooks import find_game
from croupier.rules.errors import RulesError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER_SECONDS: Final = 15.0
AWAY_SECONDS: Final = 0.5
"""After which time a server that is away is asked again, and how long the device may sleep."""
OFFLINE_SECONDS: Final = 2.0
OK, UNAUTHENTICATED, FORBIDDEN, TOO_MANY, UNAVAILABLE = 200, 401, 403, 429, 503
LATER: Final = (TOO_MANY, UNAVAILABLE)
"""The same reading is sent again."""
SCHEMES: Final = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}


class Server:
    """The server as a device sees it: one connection, opened again when it breaks."""

    def __init__(self, url: str, device: str, token: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES or not parts.hostname:
            message = f"{quoted(url)} came as the server; it is like http://127.0.0.1:8000."
            raise RulesError(message)
        kind = SCHEMES[parts.scheme]
        self._connection = kind(parts.hostname, parts.port, timeout=ANSWER_SECONDS)
        self._path = f"{parts.path.rstrip('/')}/api/v1/devices/{quote(device, safe='')}"
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        """Return the status and the body of an answer; 503 where there is none."""
        data = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, self._path + path, data, self._headers)
            answer = self._connection.getresponse()
            text = answer.read()
            found = json.loads(text) if text else {}
        except (OSError, http.client.HTTPException, ValueError):
            self._connection.close()
            return UNAVAILABLE, {"detail": "The server is away."}
        return answer.status, found

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Simulator:
    """A device at a table."""

    def __init__(
        self,
        server: Server,
        *,
        seed: int | None = None,
        mistakes: float = 0.0,
        pace: float = 0.0,
        offline: float = OFFLINE_SECONDS,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._server, self._seed, self._mistakes = server, seed, mistakes
        self._pace, self._offline, self._say = pace, offline, say
        self._chance = random.Random(seed) if seed is not None else random.SystemRandom()  # noqa: S311  # a toy
        self._shoe: str | None = None
        self.cards: list[str] = []
        """In the order in which they leave the shoe."""
        self.read = 0
        """How many readings were taken."""
        self.refused = 0
        self.stopping = False

    def run(self) -> None:
        """Read what is due until somebody stops it."""
        try:
            self._run()
        finally:
            self._server.close()

    def _run(self) -> None:
        sequence: int | None = None
        while not self.stopping:
            after = "" if sequence is None else f"?after={sequence + 1}"
            status, now = self._server.ask("GET", after)
            if status == UNAVAILABLE:
                if now.get("code") != "behind":
                    time.sleep(AWAY_SECONDS)
                    sequence = None
                continue
            if status != OK:
                self._turned_away(status, now)
                time.sleep(AWAY_SECONDS)
                continue
            sequence = now["sequence"]
            if self._step(now):
                sequence = None  # what comes next is asked at once

    def _turned_away(self, status: int, now: dict[str, Any]) -> None:
        if status in (UNAUTHENTICATED, FORBIDDEN):
            raise RulesError(str(now.get("detail") or "The token was not taken."))
        self._say(str(now.get("detail")))

    def _step(self, now: dict[str, Any]) -> bool:
        """Read what is due; tell whether anything was read."""
        if now["kind"] == "die":
            return self._throw(now) if now["due"] else False
        if now["shoe"] is None or now["number"] >= now["cards"]:
            return False
        self._shuffle(now)
        early = not now["due"] and now["round"] is not None and now["unreported"] == 0
        if not now["due"] and not (early and self._errs()):
            return False
        time.sleep(self._pace)
        self._card(now["number"])
        return True

    def _errs(self) -> bool:
        return self._mistakes > 0 and self._chance.random() < self._mistakes

    # Cards

    def _shuffle(self, now: dict[str, Any]) -> None:
        """Fill the shoe when the table has a new one; a seed gives the same order again."""
        if self._shoe == now["shoe"]:
            return
        self._shoe = now["shoe"]
        deck = [card.text for card in find_game(now["game"]).deck.cards]
        self.cards = deck * (now["cards"] // len(deck))
        chance = self._chance
        if self._seed is not None:
            chance = random.Random(f"{self._seed}/{self._shoe}")  # noqa: S311  # a toy
        chance.shuffle(self.cards)
        self._say(f"Shoe {self._shoe} with {len(self.cards)} cards is in the device.")

    def _card(self, number: int) -> None:
        """Read a card, perhaps with a mistake around it."""
        mistake = self._chance.choice(tuple(MISTAKES)) if self._errs() else None
        if mistake == "offline":
            self._say("The device is offline for a moment.")
            time.sleep(self._chance.uniform(0, self._offline))
        elif mistake == "skipped" and number + 1 < len(self.cards):
            self._send(number + 1, self.cards[number + 1])
        self._send(number, self.cards[number])
        if mistake == "twice":
            self._send(number, self.cards[number])
        elif mistake == "other":
            others = sorted(set(self.cards) - {self.cards[number]})
            self._send(number, self._chance.choice(others))

    def _send(self, number: int, face: str) -> None:
        """Send a reading until there is an answer."""
        while not self.stopping:
            status, came = self._server.ask("POST", "/cards", {"number": number, "face": face})
            if status not in LATER:
                break
            time.sleep(AWAY_SECONDS)
        else:
            return
        self._told(f"Card {number}", status, came)

    def _told(self, what: str, status: int, came: dict[str, Any]) -> None:
        if status == OK:
            self.read += 1
            self._say(f"{what}: {came['came']}.")
            return
        self.refused += 1
        self._say(f"{what}: refused, {came.get('code')}. {came.get('detail', '')}")
        if status in (UNAUTHENTICATED, FORBIDDEN):
            self._turned_away(status, came)

    # The die

    def _throw(self, now: dict[str, Any]) -> bool:
        die = find_game(now["game"]).die
        if die is None:
            return False
        time.sleep(self._pace)
        body = {"round": now["round"], "face": self._chance.choice(die.faces)}
        status, came = self._server.ask("POST", "/die", body)
        if status in LATER:
            time.sleep(AWAY_SECONDS)  # perhaps it was announced: the table says so
            return True
        self._told(f"The die of round {now['round']}", status, came)
        if self._errs():
            self._server.ask("POST", "/die", body)
        return True


MISTAKES: Final = ("twice", "skipped", "other", "offline")
"""What a device does wrong around a card; a card too early comes beside these."""


def token_of(path: Path) -> str:
    """Return the token in a file."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except UnicodeError as error:
        message = f"The file {path} holds no token: it is no text."
        raise RulesError(message) from error
    if not token:
        message = f"The file {path} is empty; it holds the token of the device."
        raise RulesError(message)
    return token


def device(
    url: Annotated[str, Parameter(name="URL", help="The server, as http://127.0.0.1:8000.")],
    /,
    *,
    device: Annotated[str, Parameter(help="The name under which it is registered.")],
    token_file: Annotated[Path, Parameter(help="The file that holds its token.")],
    table: Annotated[
        str | None, Parameter(help="The table at which it must stand; any, without it.")
    ] = None,
    seed: Annotated[int | None, Parameter(help="The same shoes again.")] = None,
    mistakes: Annotated[
        float, Parameter(help="How often it errs, 0 to 1: twice, out of order, early, away.")
    ] = 0.0,
    pace: Annotated[float, Parameter(help="Seconds before each reading.")] = 0.3,
) -> int:
    """Play a dealing device or a die at a table, until Ctrl-C."""
    if not 0 <= mistakes <= 1:
        message = f"--mistakes {mistakes:g} came; 0 to 1 is allowed."
        raise RulesError(message)
    if not 0 <= pace <= ANSWER_SECONDS:
        message = f"--pace {pace:g} came; 0 to {ANSWER_SECONDS:g} seconds are allowed."
        raise RulesError(message)
    server = Server(url, device, token_of(token_file))
    simulator = Simulator(server, seed=seed, mistakes=mistakes, pace=pace, say=_say)
    try:
        _say(_standing(server, device, table))
        simulator.run()
    except KeyboardInterrupt:
        _say(f"The device stops; {simulator.read} readings, {simulator.refused} refused.")
    finally:
        server.close()
    return 0


def _standing(server: Server, device: str, table: str | None) -> str:
    """Say where a device stands, or refuse."""
    status, now = server.ask("GET", "")
    if status == UNAVAILABLE:
        message = "The server is away; start it first, or look at its address."
        raise RulesError(message)
    if status == UNAUTHENTICATED:
        message = f"The token is not that of {device}, or not any more; ask for a new one."
        raise RulesError(message)
    if status != OK:
        raise RulesError(str(now.get("detail") or f"The server answered {status}."))
    where = "no table" if now["table"] is None else f"table {now['table']}"
    if table is not None and now["table"] != table:
        message = f"The device stands at {where}; {quoted(table)} was asked for."
        raise RulesError(message)
    return f"{device} stands at {where} and waits until it is to read (Ctrl-C ends it)."


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
