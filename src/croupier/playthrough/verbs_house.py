"""Verbs of tables that the system deals: clocks, who deals, Dealers who come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.playthrough.lines import read_whole
from croupier.playthrough.setting import CLOCKS, read_clocks, read_dealt_by
from croupier.playthrough.verb import ask, verb
from croupier.table import commands as c

if TYPE_CHECKING:
    from croupier.playthrough.lines import Words
    from croupier.playthrough.verb import Asked


def _clocks(words: Words) -> list[Asked]:
    asked = {name: value for name in CLOCKS if (value := words.maybe(name)) is not None}
    return ask(c.SetClocks(read_clocks(asked), words.option("reason")))


def _dealt_by(words: Words) -> list[Asked]:
    dealt_by = read_dealt_by(words.next("dealer or house"))
    return ask(c.SetDealtBy(dealt_by, words.option("reason")))


def _closure(words: Words) -> list[Asked]:
    asked = words.next("so many minutes, or none")
    minutes = None if asked == "none" else read_whole(asked)
    return ask(c.AnnounceClosure(minutes, words.option("reason")))


HOUSE_VERBS = (
    verb('closes in MINUTES|none [reason="..."]', c.AnnounceClosure, _closure),
    verb(
        'clocks [betting=MS] [pause=MS] [pace=MS] [answer=MS] [waits=yes|no] [reason="..."]',
        c.SetClocks,
        _clocks,
    ),
    verb('dealt by dealer|house [reason="..."]', c.SetDealtBy, _dealt_by),
    verb("sign in", c.SignIn, lambda _: ask(c.SignIn())),
    verb("sign out", c.SignOut, lambda _: ask(c.SignOut())),
    verb("pass over PATRON", c.PassOver, lambda words: ask(c.PassOver(words.next("a patron")))),
)
"""What only tables have that the house, or the system of terminals, deals."""
