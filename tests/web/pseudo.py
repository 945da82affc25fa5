"""A language for tests alone: English with marks on every letter, and longer.

Whatever is still plain English in it comes from no catalogue, and whatever is cut or stands
beside the window would be so in a language with longer words. It is never built: the page asks
for Malay and is given this instead.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import BrowserContext, Route

WORDS = Path(__file__).parents[2] / "web" / "src" / "i18n"
LANGUAGE = "ms"
"""Whose catalogues are replaced."""
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MARKED = "áƀçđéƒĝĥíĵķĺɱñóƥɋŕšŧúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹḾÑÓƤɊŔŠŦÚṼŴẊÝŽ"
LETTERS = str.maketrans(PLAIN, MARKED)
VOWELS = re.compile("[áéíóúÁÉÍÓÚ]")
PLURAL = re.compile(r"\{(\w+), plural, ((?:\w+ \{[^{}]*(?:\{\w+\}[^{}]*)*\} ?)+)\}")
FORM = re.compile(r"(\w+) \{([^{}]*(?:\{\w+\}[^{}]*)*)\}")
PLACEHOLDER = re.compile(r"(\{\w+\})")


def _longer(text: str) -> str:
    """Mark every letter, and say every vowel twice; placeholders stay."""
    parts = PLACEHOLDER.split(text)
    marked = (
        VOWELS.sub(lambda one: one[0] * 2, part.translate(LETTERS)) for part in parts[::2]
    )
    kept = [*parts[1::2], ""]
    return "".join(part for pair in zip(marked, kept, strict=True) for part in pair)


def pseudo(text: str) -> str:
    """Return a message of English in this language.

    >>> pseudo("{n, plural, one {# card of {name}} other {# cards}} left")
    '{n, plural, one {# çááŕđ óóƒ {name}} other {# çááŕđš}} ĺééƒŧ'
    """
    found, at = "", 0
    for message in PLURAL.finditer(text):
        forms = FORM.sub(lambda one: f"{one[1]} {{{_longer(one[2])}}}", message[2])
        found += _longer(text[at : message.start()]) + f"{{{message[1]}, plural, {forms}}}"
        at = message.end()
    return found + _longer(text[at:])


def _catalogues() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the name of each catalogue, a message that it is known by, and what is given.

    What stands beside names and sentences of the house has no English of its own, and is left
    out: they are said as they are.
    """
    for file in sorted((WORDS / LANGUAGE).glob("*.json")):
        replaced: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        plain = (one for one in replaced.values() if not set(one) & set("\"'`\\\n"))
        source = WORDS / "en" / file.name
        english = json.loads(source.read_text(encoding="utf-8")) if source.exists() else {}
        given = {key: pseudo(one) for key, one in english.items()}
        yield file.stem, max(plain, key=len), given


def drawn_words() -> set[str]:
    """Return the words that drawings say of themselves: they have no catalogue."""
    kit = WORDS.parent / "draw"
    told = re.compile(r"\bms: (`[^`]*`|\"[^\"]*\")")
    said = (told.findall(file.read_text("utf-8")) for file in kit.glob("*.ts"))
    return {word for all_ in said for text in all_ for word in re.findall(r"[A-Za-z]+", text)}


def speak(context: BrowserContext) -> None:
    """Give every page of a context this language instead of Malay."""
    catalogues = list(_catalogues())

    def answer(route: Route) -> None:
        response = route.fetch()
        script = response.text()
        for name, known, words in catalogues:
            if f"/{name}-" in route.request.url and known in script:
                route.fulfill(response=response, body=f"export default {json.dumps(words)};")
                return
        route.fulfill(response=response)

    context.route(re.compile(r"/assets/[a-z]\w*-[\w-]+\.js$"), answer)
