"""Take pictures of every screen and state: `python -m tools.pictures [SCENE ...]`."""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tools.browser import ARGUMENTS, chromium
from tools.build_web import build
from tools.people import until
from tools.pictures import back, beside, console, door, patron, pit, told
from tools.pictures.camera import Camera, missing_fonts
from tools.pictures.house import House

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "docs" / "screens"
SCENES = (
    *door.SCENES,
    *patron.SCENES,
    *beside.SCENES,
    *told.SCENES,
    *console.SCENES,
    *pit.SCENES,
    *back.SCENES,
    *patron.LAST,
)
ROUNDS = 30
"""So many rounds are in the roads before the first picture."""
PHONES = (
    "lobby-360.png",
    "terminal-accepted-360.png",
    "terminal-withdraw-all-zh-360.png",
    "dealer-deal-360.png",
)
NO_FONT = "Signs of a language have no font, so they are not shown: install"


def main(wanted: list[str]) -> int:
    """Take the pictures of some scenes, of all when none is named; return the exit code."""
    names = [scene.__name__ for scene in SCENES]
    if unknown := set(wanted) - set(names):
        print(f"There is no scene {', '.join(unknown)}; scenes are {', '.join(names)}.")
        return 2
    if missing := missing_fonts():
        print(f"{NO_FONT} {' '.join(missing)}.", file=sys.stderr)
        return 1
    build()
    scenes = [scene for scene in SCENES if not wanted or scene.__name__ in wanted]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder) / "demo")
        house.start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        camera = Camera(browser, house, FOLDER)
        try:
            until(lambda: (house.view("tiger")["round"] or 0) >= ROUNDS, "roads fill", 300)
            _calm(house)
            failed = [scene.__name__ for scene in scenes if not _took(scene, camera)]
            camera.row("phones", *PHONES)
        finally:
            browser.close()
            house.stop()
    print(f"{len(camera.taken)} pictures in {FOLDER.relative_to(ROOT)}.")
    for file in camera.wide:
        print(f"Wider than its window: {file}")
    if failed:
        print(f"Not taken: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed or camera.wide else 0


def _calm(house: House) -> None:
    """Slow the tables down to what people see: each has its own time until bets close."""
    for number, one in enumerate(house.get("pit-manager", "/tables")):
        least = 10 if one["kind"] == "live" else 16
        house.clocks(one["name"], betting=least + number, pause=5, pace=0.4)


def _took(scene: Callable[[Camera], None], camera: Camera) -> bool:
    """Take a scene; one that fails is told and stops no other."""
    start = time.monotonic()
    try:
        scene(camera)
    except Exception:  # noqa: BLE001  # whatever it is, the others go on
        traceback.print_exc()
        return False
    print(f"{scene.__name__}: {time.monotonic() - start:.0f} s", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
