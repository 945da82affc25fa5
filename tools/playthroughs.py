"""Check the playthroughs of tests/playthroughs, or write their results in.

``--check`` plays all of them, or the files that are named, and fails on any difference.
``--write FILE...`` fills in what happens; whoever wrote the script then reads every result
against the rulebook.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from croupier.playthrough import differences, write_script
from croupier.rules.errors import RulesError

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "playthroughs"


def check(paths: list[Path]) -> int:
    """Say where scripts differ; return how many do."""
    wrong = 0
    for path in paths:
        found = _differences(path)
        if found:
            wrong += 1
            print(path.name)
            print("\n".join(f"  {line}" for line in found))
    print(f"{len(paths)} playthroughs, {wrong} differ")
    return wrong


def _differences(path: Path) -> list[str]:
    try:
        return differences(path.read_text(encoding="utf-8"))
    except RulesError as error:
        return [str(error)]


def write(paths: list[Path]) -> int:
    """Write results in; return how many scripts could not be played."""
    wrong = 0
    for path in paths:
        before = path.read_text(encoding="utf-8")
        try:
            after = write_script(before)
        except RulesError as error:
            wrong += 1
            print(f"{path.name}: {error}")
            continue
        if after == before:
            print(f"{path.name}: as it was")
        else:
            path.write_text(after, encoding="utf-8")
            print(f"{path.name}: written; read it against the rulebook")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """Check or write, as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--check", action="store_true", help="fail on any difference")
    how.add_argument("--write", action="store_true", help="fill in the results")
    parser.add_argument("files", nargs="*", type=Path, help="scripts; all, for --check")
    asked = parser.parse_args(arguments)
    if asked.write and not asked.files:
        parser.error("name the files to write")
    paths = asked.files or sorted(FOLDER.rglob("*.txt"))
    return 1 if (write(paths) if asked.write else check(paths)) else 0


if __name__ == "__main__":
    sys.exit(main())
