"""A real browser at a real server: pages of people, and what must hold for every page."""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

WAIT_MS = 20_000
"""How long a page may take for anything on a busy machine."""
LARGE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
WALL = {"width": 1920, "height": 1080}


class Place(Protocol):
    """A server that pages are of."""

    url: str

    def password(self, name: str) -> str:
        """Return the password of somebody."""
        ...


class Looked:
    """What a page did that no page may do: errors, and requests to other hosts."""

    def __init__(self, url: str) -> None:
        self._host = urlsplit(url).netloc
        self.errors: list[str] = []
        self.allowed: tuple[str, ...] = ("Failed to load resource",)

    def watch(self, context: BrowserContext) -> None:
        """Watch all pages of a context."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        # A refusal is an answer with a status that the browser prints as well.
        if message.type == "error" and not message.text.startswith(self.allowed):
            self.errors.append(message.text)

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in {"data", "blob"} and parts.netloc != self._host:
            self.errors.append(f"a request to {request.url}")


@contextmanager
def somebody(
    browser: Browser, floor: Place, name: str | None, options: dict[str, Any] | None = None
) -> Iterator[BrowserContext]:
    """Open a browser of somebody who is signed in; of nobody for None."""
    looked = Looked(floor.url)
    usual = {"viewport": LARGE, "reduced_motion": "reduce", "locale": "en-SG"}
    context = browser.new_context(base_url=floor.url, **(usual | (options or {})))
    context.set_default_timeout(WAIT_MS)
    looked.watch(context)
    try:
        if name is not None:
            answer = context.request.post(
                "/api/v1/sessions",
                data={"name": name, "password": floor.password(name)},
                headers={"Origin": floor.url},
            )
            assert answer.status == 201, answer.text()
        yield context
    except Exception as error:
        for page in context.pages:
            error.add_note(f"What {name} saw at {page.url}:\n{_shown(page)}")
        raise
    finally:
        context.close()
    assert looked.errors == []


def _shown(page: Page) -> str:
    """Return what a page shows, as its roles and names, for whoever reads why a test failed."""
    try:
        return page.locator("body").aria_snapshot(timeout=2_000)
    except PlaywrightError as error:
        return f"nothing: {error.message}"


def opened(context: BrowserContext, path: str) -> Page:
    """Open a page and wait until it shows its screen."""
    page = context.new_page()
    page.goto(path)
    page.locator("h1").first.wait_for()
    return page


@contextmanager
def several(
    browser: Browser, floor: Place, options: dict[str, Any] | None = None
) -> Iterator[Callable[[str | None, str], Page]]:
    """Open pages of several people: each by who it is of, and where."""
    with ExitStack() as people:

        def page_of(name: str | None, path: str) -> Page:
            context = people.enter_context(somebody(browser, floor, name, options))
            return opened(context, path)

        yield page_of


def setting(page: Page, settings: dict[str, Any]) -> None:
    """Set language, theme and the like as the settings do, and load the page anew."""
    page.evaluate(
        "settings => localStorage.setItem('croupier.settings', JSON.stringify(settings))",
        settings,
    )
    page.reload()
    page.locator("h1").first.wait_for()


LISTEN = """() => {
  window.heard = [];
  const said = new MutationObserver(changes => {
    for (const { target } of changes)
      if (target.id?.startsWith("announce") && target.textContent)
        window.heard.push(target.textContent);
  });
  said.observe(document.body, { childList: true, subtree: true });
}"""


def listen(page: Page) -> Callable[[], list[str]]:
    """Listen to what a screen reader is told from now on; the function returns all of it."""
    page.evaluate(LISTEN)

    def heard() -> list[str]:
        found: list[str] = page.evaluate("window.heard")
        return found

    return heard


def set_from_the_start(context: BrowserContext, settings: dict[str, Any]) -> None:
    """Set language, theme and the like for every page that is opened from now on."""
    kept = json.dumps(json.dumps(settings))
    context.add_init_script(
        "if (location.protocol.startsWith('http'))"
        f" localStorage.setItem('croupier.settings', {kept});"
    )
