"""How fast the terminal is in a browser. Prints; asserts no times.

Until a page is usable, cold and from the cache; frames while a round is dealt, with a trace
that Chromium records (open it in chrome://tracing); and what the script of a terminal weighs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.table import Table

from tools.browser import ARGUMENTS, chromium
from tools.build_web import STATIC, build

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

TABLE, PATRON = "tiger", "patron-01"
CLOCKS = ("--betting", "6", "--pause", "1")
WAIT_MS = 60_000
GOAL_KB = 150
USABLE = """
new MutationObserver((_, watching) => {
  if (document.querySelector('.spots .spot') === null) return;
  watching.disconnect();
  const root = document.documentElement;
  requestAnimationFrame(() => setTimeout(() => { root.dataset.usable = performance.now(); }));
}).observe(document, {childList: true, subtree: true});
"""
"""Notes when the bet spots have been painted, in milliseconds since the navigation began."""
FRAMES = """
() => {
  window.frames_ = [];
  const note = at => { window.frames_.push(at); requestAnimationFrame(note); };
  requestAnimationFrame(note);
}
"""


@contextmanager
def served(folder: Path) -> Iterator[dict[str, Any]]:
    """Serve a demo house; give what its ready file says."""
    ready = folder / "ready"
    where = ("--data", str(folder / "house"), "--port", "0", "--ready", str(ready))
    with (folder / "log").open("wb") as log:
        command = [sys.executable, "-m", "croupier", "serve", "--demo", *where, *CLOCKS]
        process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603  # our own
    try:
        while not ready.exists():
            if process.poll() is not None:
                sys.exit((folder / "log").read_text())
            time.sleep(0.05)
        yield json.loads(ready.read_bytes())
    finally:
        process.terminate()
        process.wait()


@contextmanager
def patron(browser: Browser, house: dict[str, Any]) -> Iterator[BrowserContext]:
    """Open a browser of a patron, with nothing in its cache."""
    context = browser.new_context(
        base_url=house["url"], viewport={"width": 1280, "height": 800}
    )
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(USABLE)
    logins = {one["name"]: one["password"] for one in house["logins"]}
    context.request.post(
        "/api/v1/sessions",
        data={"name": PATRON, "password": logins[PATRON]},
        headers={"Origin": house["url"]},
    )
    yield context
    context.close()


def sit(context: BrowserContext) -> None:
    """Take a position by the page."""
    page = context.new_page()
    page.goto(f"/table/{TABLE}")
    page.get_by_role("radio", name="Position 1,").click()
    page.get_by_role("button", name="Take position 1").click()
    page.locator(".spots").wait_for()
    page.close()


def usable(page: Page) -> float:
    """Return after how long the page that is loading can be used."""
    root = page.locator("html[data-usable]")
    root.wait_for()
    return float(root.get_attribute("data-usable") or 0)


def loading(browser: Browser, house: dict[str, Any], times: int) -> list[tuple[str, str]]:
    """Return how long pages take."""
    cold, warm = [], []
    for _ in range(times):
        with patron(browser, house) as context:
            page = context.new_page()
            page.goto(f"/table/{TABLE}")
            cold.append(usable(page))
            page.reload()
            warm.append(usable(page))
    return [
        ("usable, nothing cached (median, worst)", f"{median(cold):.0f}, {max(cold):.0f} ms"),
        ("usable, from the cache (median, worst)", f"{median(warm):.0f}, {max(warm):.0f} ms"),
    ]


def dealing(browser: Browser, house: dict[str, Any], trace: Path) -> list[tuple[str, str]]:
    """Return how many frames a second come while a round is dealt; record a trace of it."""
    trace.parent.mkdir(parents=True, exist_ok=True)
    with patron(browser, house) as context:
        page = context.new_page()
        page.goto(f"/table/{TABLE}")
        page.locator(".term[data-phase=OPEN]").wait_for()
        page.locator(".term[data-phase=DEALING]").wait_for()
        browser.start_tracing(page=page, path=trace)
        page.evaluate(FRAMES)
        page.locator(".term:not([data-phase=DEALING])").wait_for()
        at: list[float] = page.evaluate("window.frames_")
        browser.stop_tracing()
    gaps = sorted(later - earlier for earlier, later in itertools.pairwise(at))
    a_second = 1000 * len(gaps) / (at[-1] - at[0])
    late = sum(gap > 1.5 * 1000 / 60 for gap in gaps)
    return [
        ("frames a second while dealing (goal 60)", f"{a_second:.1f}"),
        ("frames, late ones, the longest", f"{len(gaps)}, {late}, {gaps[-1]:.0f} ms"),
        ("trace", str(trace)),
    ]


def weight(browser: Browser, house: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what the scripts weigh that the terminal loads."""
    loaded: set[str] = set()
    with patron(browser, house) as context:
        context.on("request", lambda request: loaded.add(request.url.rsplit("/", 1)[1]))
        page = context.new_page()
        page.goto(f"/table/{TABLE}")
        usable(page)
    scripts = sorted(name for name in loaded if name.endswith(".js"))

    def kilobytes(ending: str) -> float:
        sizes = [(STATIC / "assets" / f"{name}{ending}").stat().st_size for name in scripts]
        return sum(sizes) / 1000

    return [
        (f"scripts of the terminal, gzip (goal {GOAL_KB})", f"{kilobytes('.gz'):.1f} kB"),
        ("the same, Brotli", f"{kilobytes('.br'):.1f} kB"),
        ("the same, as they are", f"{kilobytes(''):.1f} kB in {len(scripts)} files"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--trace", type=Path, default=Path("build/terminal-trace.json"))
    given = parser.parse_args()
    build()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        with patron(browser, house) as context:
            sit(context)
        rows = loading(browser, house, given.times)
        rows += dealing(browser, house, given.trace)
        rows += weight(browser, house)
        browser.close()
    table = Table("what", "how much", title="Screens")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
