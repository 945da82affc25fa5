"""Build the screens of web/ into the package, where that is needed.

Takes the machine's Node.js and npm where they are new enough, and otherwise Node.js from a
wheel (requirements-node.lock). What is built remembers the digest of its sources, so that a
second call does nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
STATIC = ROOT / "src" / "croupier" / "floor" / "static"
STAMP = STATIC / ".sources"
NODE_MIN = (20, 19)
NPM_MIN = (10, 8)

SOURCES = ("index.html", "package-lock.json", "tsconfig.json", "vite.config.ts")
FOLDERS = ("public", "scripts", "src")
DOCUMENTS = ("openapi.json", "asyncapi.json")


def digest() -> str:
    """Return the digest of everything that the screens are built from."""
    files = [WEB / name for name in SOURCES]
    for folder in FOLDERS:
        files += (one for one in (WEB / folder).rglob("*") if one.is_file())
    files += [ROOT / "docs" / name for name in DOCUMENTS]
    made = hashlib.sha256()
    for file in sorted(files):
        if "generated" not in file.parts:
            made.update(f"{file.relative_to(ROOT)}\n".encode())
            made.update(hashlib.sha256(file.read_bytes()).digest())
    return made.hexdigest()


def is_new_enough(command: str, least: tuple[int, int]) -> bool:
    """Tell whether a command is there and at least of this version."""
    found = shutil.which(command)
    if found is None:
        return False
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v?(\d+)\.(\d+)", said.stdout)
    return version is not None and tuple(map(int, version.groups())) >= least


def npm() -> list[str]:
    """Return the command that runs npm; install Node.js from a wheel where there is none."""
    found = shutil.which("npm")
    if found and is_new_enough("node", NODE_MIN) and is_new_enough("npm", NPM_MIN):
        return [found]
    print("This machine has no Node.js that will do; one comes from a wheel.", flush=True)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes"]
    subprocess.run([*install, "-r", str(ROOT / "requirements-node.lock")], check=True)
    return [str(Path(sys.executable).parent / "npm")]


def run(command: list[str]) -> None:
    """Run a command in web/, with its Node.js found first."""
    path = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path}, check=False)
    if done.returncode:
        sys.exit(
            f"The screens were not built: {' '.join(command[1:])} ended with {done.returncode}."
        )


def build() -> None:
    """Build the screens unless they are built from these very sources."""
    with (WEB / ".building").open("w") as lock:
        # Two workers of a test run may want them at the same time.
        fcntl.flock(lock, fcntl.LOCK_EX)
        _build(digest())


def _build(wanted: str) -> None:
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    print("Building the screens; this takes a moment.", flush=True)
    command = npm()
    run([*command, "ci", "--silent", "--no-progress"])
    run([*command, "run", "--silent", "types"])
    run([*command, "run", "--silent", "build"])
    STAMP.write_text(wanted)


def test() -> None:
    """Check the types of the screens and run their unit tests."""
    command = npm()
    run([*command, "run", "--silent", "check"])
    run([*command, "test", "--silent"])


if __name__ == "__main__":
    if "--test" in sys.argv[1:]:
        test()
    else:
        build()
