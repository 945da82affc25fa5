"""Write docs/openapi.json and docs/asyncapi.json: the API as it is served."""

from __future__ import annotations

from croupier.floor.api.openapi import asyncapi, openapi, written
from croupier.floor.app import routed
from tools.table_pages import DOCS


def documents() -> dict[str, str]:
    """Return the documents by the names of their files."""
    return {
        "openapi.json": written(openapi(routed(None))),
        "asyncapi.json": written(asyncapi()),
    }


def main() -> None:
    """Write the documents."""
    for name, text in documents().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/{name}")


if __name__ == "__main__":
    main()
