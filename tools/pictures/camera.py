"""The camera: browsers of people, and pictures of a page at each width."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

    from tools.pictures.house import House

COLOURS: Final = 256
"""A quarter as large, and no colour is off by more than an eye sees."""
PASSES: Final = 3
"""So often the colours are put amid those that they stand for; shades then show no edges."""
SETTLE_MS: Final = 250
LONGEST: Final = 4_000
GAP: Final = 24
WAIT_MS: Final = 30_000
FONTS: Final = {"zh-cn": "fonts-noto-cjk", "ta": "fonts-lohit-taml"}
WITHOUT_CARET: Final = "*, *::before, *::after { caret-color: transparent !important; }"


class Size(NamedTuple):
    """A size at which pictures are taken."""

    width: int
    height: int
    whole: bool = False
    """The whole page, however long."""


LARGE: Final = Size(1280, 800)
LONG: Final = Size(1280, 800, whole=True)
SMALL: Final = Size(360, 740, whole=True)
PHONE: Final = Size(360, 740)
WALL: Final = Size(1920, 1080)
BOTH: Final = (LARGE, SMALL)
EVERY: Final = (LARGE, WALL, SMALL)


class Camera:
    """Takes pictures of pages of one house into a folder."""

    def __init__(self, browser: Browser, house: House, folder: Path) -> None:
        self.browser, self.house, self.folder = browser, house, folder
        self.taken: list[str] = []
        self.wide: list[str] = []
        """Pictures of pages that are wider than their window."""

    @contextmanager
    def of(self, name: str | None, **settings: Any) -> Iterator[BrowserContext]:  # noqa: ANN401
        """Open a browser of somebody, with settings as a person sets them; nobody for None."""
        url = self.house.url
        context = self.browser.new_context(
            base_url=url,
            viewport={"width": LARGE.width, "height": LARGE.height},
            reduced_motion="reduce",
            locale="en-SG",
            timezone_id="Asia/Singapore",
        )
        context.set_default_timeout(WAIT_MS)
        kept = json.dumps(json.dumps({"language": "en", **settings}))
        context.add_init_script(f"localStorage.setItem('croupier.settings', {kept})")
        try:
            if name is not None:
                login = {"name": name, "password": self.house.password(name)}
                headers = {"Origin": url}
                answer = context.request.post("/api/v1/sessions", data=login, headers=headers)
                if not answer.ok:
                    raise RuntimeError(answer.text())
            yield context
        finally:
            context.close()

    @contextmanager
    def page(self, name: str | None, path: str, **settings: Any) -> Iterator[Page]:  # noqa: ANN401
        """Open a page of somebody, and wait until it shows its screen."""
        with self.of(name, **settings) as context:
            page = context.new_page()
            page.goto(path)
            page.locator("h1").first.wait_for(state="attached")
            yield page

    def take(self, page: Page, name: str, *sizes: Size) -> None:
        """Take a picture of a page as it is now, at each size; a large and a small one."""
        for size in sizes or BOTH:
            page.set_viewport_size({"width": size.width, "height": size.height})
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(SETTLE_MS)
            if size.whole:
                # What sticks to the foot of the window then lies at the foot of the page.
                height = page.evaluate("document.documentElement.scrollHeight")
                height = max(size.height, min(height, LONGEST))
                page.set_viewport_size({"width": size.width, "height": height})
                page.wait_for_timeout(SETTLE_MS)
            file = f"{name}-{size.width}.png"
            self._keep(page.screenshot(style=WITHOUT_CARET), file)
            if page.evaluate("document.documentElement.scrollWidth") > size.width:
                self.wide.append(file)
        page.set_viewport_size({"width": LARGE.width, "height": LARGE.height})

    def shoot(
        self,
        who: str | None,
        path: str,
        name: str,
        *sizes: Size,
        **settings: Any,  # noqa: ANN401  # as people set them
    ) -> None:
        """Open a page, take its picture, close it."""
        with self.page(who, path, **settings) as page:
            page.wait_for_timeout(1200)
            self.take(page, name, *sizes)

    def row(self, name: str, *files: str) -> None:
        """Lay the upper parts of small pictures beside each other."""
        found = [self.folder / file for file in files]
        if not all(path.exists() for path in found):
            return
        width = len(files) * (SMALL.width + GAP) - GAP
        whole = Image.new("RGBA", (width, SMALL.height), (0, 0, 0, 0))
        for number, path in enumerate(found):
            part = Image.open(path).convert("RGB").crop((0, 0, SMALL.width, SMALL.height))
            whole.paste(part, (number * (SMALL.width + GAP), 0))
        self._save(whole, f"{name}.png")

    @contextmanager
    def elsewhere(self, house: House) -> Iterator[Camera]:
        """Take pictures of another house, which runs for them alone."""
        house.start()
        other = Camera(self.browser, house, self.folder)
        try:
            yield other
        finally:
            house.stop()
        self.taken += other.taken
        self.wide += other.wide

    def _keep(self, shot: bytes, file: str) -> None:
        self._save(Image.open(BytesIO(shot)).convert("RGB"), file)

    def _save(self, image: Image.Image, file: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        clear = image.mode == "RGBA"
        method = Image.Quantize.FASTOCTREE if clear else Image.Quantize.MAXCOVERAGE
        drawn = image.quantize(COLOURS, method, PASSES, dither=Image.Dither.NONE)
        drawn.save(self.folder / file, optimize=True)
        self.taken.append(file)


def missing_fonts() -> list[str]:
    """Return what to install, so that this machine has the signs of every language."""
    return [package for language, package in FONTS.items() if not _has_font(language)]


def _has_font(language: str) -> bool:
    lister = shutil.which("fc-list")
    if lister is None:
        return False
    found = subprocess.run([lister, f":lang={language}"], capture_output=True, check=False)
    return bool(found.stdout.strip())
