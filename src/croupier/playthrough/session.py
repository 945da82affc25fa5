"""A table that lines are played at: each line is decided, folded in, told and checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Protocol

import msgspec

from croupier.playthrough.asking import QUESTIONS
from croupier.playthrough.cast import (
    acting,
    natural_actor,
    read_actor,
    read_approver,
    read_moment,
    read_position,
)
from croupier.playthrough.lines import ScriptError, Words, split_words
from croupier.playthrough.setting import SYNTAX, read_opening
from croupier.playthrough.telling import tell, tell_preview, tell_refusal
from croupier.playthrough.verb import Asked
from croupier.playthrough.verbs import VERBS
from croupier.rulebooks import RULEBOOKS
from croupier.rules.errors import listed, quoted
from croupier.table import commands as c
from croupier.table.decide import decide
from croupier.table.evolve import fold
from croupier.table.preview import preview
from croupier.table.refusals import Refusal
from croupier.table.rulebook import SINGAPORE
from croupier.table.state import unopened
from croupier.table.views import Audience

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.draft import Events
    from croupier.table.events import Event
    from croupier.table.roles import Actor, Staff
    from croupier.table.state import Table

START = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
TICK = timedelta(seconds=1)
MEANT = {"bet": "place", "deal": "draw", "clear": "remove"}
"""Words of the prompt that are no verbs, and the verb that does the same."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a line led to."""

    result: str
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    commands: tuple[c.Command, ...] = ()

    @property
    def sentence(self) -> str | None:
        """Return the sentence of a refusal."""
        return None if self.refusal is None else self.refusal.sentence


@dataclass(slots=True)
class People:
    """Who a line says acts and approves."""

    by: str | None
    approver: str | None
    acting: str | None
    since: datetime | None
    until: datetime | None


class Feed(Protocol):
    """Where the house deals the cards itself: what comes next, and that it was taken."""

    def card(self) -> str | None:
        """Return the next card without taking it; None: there is none."""

    def take(self) -> None:
        """Take the next card."""


class Session:
    """A table, its clock, and all that has happened at it.

    >>> session = Session()
    >>> session.play("game baccarat seats 1").events[-1].cents
    1000000
    >>> session.play("open").result, session.play("place 1 tie 20").result
    ('OPEN', 'placed 20.00 on tie (stake 1)')
    """

    def __init__(self, feed: Feed | None = None, moment: datetime = START) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.decider: Callable[[Table, c.Envelope], Events | Refusal] = decide
        """Who decides; a desk also writes it down."""
        self.events: list[Event] = []
        self.moment = moment
        self.feed = feed

    def play(self, text: str) -> Answer:
        """Play one line; a line that means nothing is a ScriptError and changes nothing."""
        words = split_words(text)
        if words[:1] == ["preview"]:
            return self._preview(words[1:])
        return self._play(words)

    def _play(self, text: list[str]) -> Answer:
        words, read = self._verb(text)
        people = self._people(words)
        moment = words.maybe("at")
        answered = read(words)
        words.end()
        if isinstance(answered, str):
            return Answer(answered)
        if moment is not None:
            self.moment = read_moment(moment)
        answer = self._ask(answered, people)
        self.moment += TICK
        self._check(answer)
        return answer

    def _preview(self, text: list[str]) -> Answer:
        """Say what a line would do to the money, and change nothing."""
        words, read = self._verb(text)
        people = self._people(words)
        asked = read(words)
        words.end()
        if isinstance(asked, str):
            return Answer(asked)
        actor, approver = self._cast(asked[0].command, people)
        one = asked[0]
        envelope = c.Envelope(one.command, actor, self.moment, approver, one.cards, one.die)
        found = preview(self.table, envelope, Audience.AUDITOR)
        if isinstance(found, Refusal):
            return Answer(tell_refusal(found), refusal=found)
        return Answer(tell_preview(found))

    def _verb(self, words: list[str]) -> tuple[Words, Callable[[Words], list[Asked] | str]]:
        """Find the verb of a line, the longer one first, and how its words are read."""
        if not words:
            message = "Nothing was asked."
            raise ScriptError(message)
        if words[0] == "game":
            return Words(_clock_as_option(words[1:]), SYNTAX, self.table), self._open
        for length in (2, 1):
            name = " ".join(words[:length])
            if len(words) >= length and name in VERBS:
                found = VERBS[name]
                return Words(words[length:], found.syntax, self.table), found.read
        if words[0] in QUESTIONS:
            syntax, answer = QUESTIONS[words[0]]
            return Words(words[1:], syntax, self.table), answer
        verbs = sorted({"game", *VERBS, *QUESTIONS})
        meant = MEANT.get(words[0].lower())
        near = [
            f"`{name}`" for name in ([meant] if meant else get_close_matches(words[0], verbs))
        ]
        which = f"did you mean {listed(near, 'or')}" if near else f"they are {listed(verbs)}"
        message = f"{quoted(words[0])} is no verb; {which}{'?' if near else '.'}"
        raise ScriptError(message)

    def _people(self, words: Words) -> People:
        since, until = words.maybe("since"), words.maybe("until")
        return People(
            words.maybe("by"),
            words.maybe("with"),
            words.maybe("acting"),
            None if since is None else read_moment(since),
            None if until is None else read_moment(until),
        )

    def _open(self, words: Words) -> list[Asked]:
        """Open the table, load the shoe, and seat patrons 1 to N with their credit."""
        options = [f"{name}={value}" for name, value in words.options.items()]
        words.options.clear()
        opening = read_opening([*words.rest(), *options])
        asked: list[c.Command] = [c.OpenTable(opening.settings)]
        if opening.shoe is not None:
            asked.append(c.LoadShoe(opening.shoe, opening.cut_behind))
        for number in range(1, opening.seats + 1):
            asked.append(c.TakeSeat(str(number), number))
            if opening.credit_cents:
                asked.append(c.BringCredit(str(number), opening.credit_cents))
        return [Asked(command) for command in asked]

    def _ask(self, asked: list[Asked], people: People) -> Answer:
        """Decide commands one after another, until one is refused."""
        before = self.table
        events: list[Event] = []
        commands: list[c.Command] = []
        refusal: Refusal | None = None
        for one in asked:
            actor, approver = self._cast(one.command, people)
            feed = self.feed if one.feed and not self._waiting else None
            card = feed.card() if feed is not None else None
            cards = one.cards if card is None else (card,)
            envelope = c.Envelope(one.command, actor, self.moment, approver, cards, one.die)
            commands.append(one.command)
            decided = self.decider(self.table, envelope)
            if isinstance(decided, Refusal):
                refusal = decided
                break
            if feed is not None:
                feed.take()
            events += decided
            self.table = fold(self.table, decided)
        self.events += events
        texts = [tell(before, events)] if events else []
        if refusal is not None:
            texts.append(tell_refusal(refusal))
        return Answer("; ".join(texts), tuple(events), refusal, tuple(commands))

    @property
    def _waiting(self) -> bool:
        """Tell whether cards that came out before wait for their turn."""
        return self.table.round is not None and bool(self.table.round.waiting)

    def _cast(self, command: c.Command, people: People) -> tuple[Actor, Staff | None]:
        actor = natural_actor(self.table, command)
        if people.by is not None:
            actor = read_actor(people.by)
        if people.acting is not None:
            position = read_position(people.acting)
            actor = acting(actor, position, people.since, people.until, self.moment)
        if people.approver is None:
            return actor, None
        return actor, read_approver(people.approver, actor)

    def _check(self, answer: Answer) -> None:
        """Check what must hold after every line; a failure is a bug of ours."""
        check_money(self.table)
        for thing in (*answer.events, *answer.commands):
            again = decoder(type(thing)).decode(msgspec.json.encode(thing))
            assert again == thing, f"{thing!r} came back as {again!r}"

    def check_replay(self) -> None:
        """Check that all events, folded from the unopened table, give the same table."""
        assert fold(unopened(RULEBOOKS), self.events) == self.table, "replay differs"


def _clock_as_option(words: list[str]) -> list[str]:
    """Write ``at MOMENT`` of an opening as the option that every line may have."""
    if "at" not in words[:-1]:
        return words
    place = words.index("at")
    return [*words[:place], *words[place + 2 :], f"at={words[place + 1]}"]


def check_money(table: Table) -> None:
    """Check that no cent came or went, and that nobody owes."""
    held = sum(table.credits.values()) + table.in_play + table.bank + table.commission
    assert held == table.brought, f"{held} cents are there, and {table.brought} were brought"
    assert min(table.credits.values(), default=0) >= 0, f"negative credit: {table.credits}"


@cache
def decoder(kind: type[msgspec.Struct]) -> msgspec.json.Decoder[msgspec.Struct]:
    """Return the decoder of a kind of event or command."""
    return msgspec.json.Decoder(kind)
