"""Find a Chromium for tests and pictures, or get one.

An installed one, else Playwright's own download, else the system's package manager. Tests fail
where none can be had; they never go without.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools.system import with_system_programs

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MANAGERS = (
    ("apt-get", (("apt-get", "update"), ("apt-get", "install", "-y", "chromium"))),
    ("dnf", (("dnf", "install", "-y", "chromium"),)),
    ("apk", (("apk", "add", "chromium"),)),
    ("pacman", (("pacman", "-Sy", "--noconfirm", "chromium"),)),
)


def installed() -> str | None:
    """Return the Chromium that this machine has."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    return None


def downloaded() -> str | None:
    """Return Playwright's own Chromium, where it is there."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def _tried(*command: str) -> bool:
    path = with_system_programs(os.environ.get("PATH", os.defpath))
    environment = {**os.environ, "PATH": path, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=600, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@cache
def chromium() -> str:
    """Return the path of a Chromium; get one where there is none."""
    if found := installed() or downloaded():
        return found
    print("There is no Chromium yet; getting one.", file=sys.stderr, flush=True)
    if _tried(sys.executable, "-m", "playwright", "install", "chromium") and (
        found := downloaded()
    ):
        return found
    for manager, commands in MANAGERS:
        if shutil.which(manager):
            all(_tried(*command) for command in commands)
            break
    if found := installed():
        return found
    message = "There is no Chromium and none could be installed; the browser tests need one."
    raise RuntimeError(message)


if __name__ == "__main__":
    try:
        print(chromium())
    except RuntimeError as error:
        sys.exit(str(error))
