"""The release: which code decides, as every decision names it.

The version alone would not do: whoever changes a rule and forgets the version would decide
otherwise under the same name. So the digest of the deciding code goes with it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
DECIDING = (
    "accounting.py",
    "accounts",
    "frozen.py",
    "money.py",
    "shelf.py",
    "rules",
    "table",
    "cage",
    "rulebooks",
    "journal/accounts_stream.py",
    "journal/cages.py",
    "journal/codec.py",
    "journal/decision.py",
    "journal/ledger.py",
    "journal/packing.py",
    "journal/recovery.py",
    "journal/shoes.py",
    "journal/streams.py",
    "journal/tables.py",
)
"""What takes part in a decision, from the package's folder."""
DIGEST_LENGTH = 16


@cache
def release() -> str:
    """Return the version and the digest of the deciding code, as ``0.1.0+0123456789abcdef``."""
    return f"{version('croupier')}+{code_digest()[:DIGEST_LENGTH]}"


@cache
def code_digest() -> str:
    """Return the digest of all files that take part in a decision, read once."""
    return digest_of_code(PACKAGE)


def digest_of_code(package: Path) -> str:
    """Return the digest of the deciding files of a package, with their names and lengths."""
    whole = sha256()
    for part in DECIDING:
        place = package / part
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            content = path.read_bytes()
            name = path.relative_to(package).as_posix()
            whole.update(b"%s\0%d\0" % (name.encode(), len(content)))
            whole.update(content)
    return whole.hexdigest()
