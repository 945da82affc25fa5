"""The documents of the API: fresh, well formed, and true of what is served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema_rs
import msgspec
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from croupier.floor.api.calls import CALL
from croupier.floor.api.openapi import SAID, asyncapi, calls_of, openapi
from croupier.floor.app import routed
from croupier.floor.sent import SENT
from croupier.floor.wire import KINDS, Place, tag
from tools.api_documents import documents
from tools.table_pages import DOCS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.api.served import Served

Document = dict[str, Any]


@pytest.fixture(scope="module")
def http() -> Document:
    return openapi(routed(None))


@pytest.fixture(scope="module")
def socket() -> Document:
    return asyncapi()


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_the_documents_are_fresh(name: str) -> None:
    kept = (DOCS / name).read_text(encoding="utf-8")
    assert kept == documents()[name], f"docs/{name} is stale: run make docs"


def test_what_is_served_is_what_is_kept(quiet: Served) -> None:
    for name, text in documents().items():
        found = quiet.http.get(f"/{name}")
        assert found.text == text
        assert found.headers["etag"]
    assert quiet.get("/openapi.json").text == documents()["openapi.json"]


def test_every_call_is_described() -> None:
    calls = [
        (route.path_format, method, CALL in one.opt)
        for route, method, one in calls_of(routed(None))
    ]
    assert [(path, method) for path, method, told in calls if not told] == []


def test_openapi_is_well_formed(http: Document) -> None:
    OPENAPI_31_VALIDATOR.validate(http)
    names = [one["operationId"] for path in http["paths"].values() for one in path.values()]
    assert len(names) == len(set(names))
    for path, item in http["paths"].items():
        for one in item.values():
            places = {p["name"] for p in one["parameters"] if p["in"] == "path"}
            assert places == {part[1:-1] for part in path.split("/") if part.startswith("{")}
            assert one["summary"].endswith(".")


def references(value: object) -> Iterator[str]:
    """Yield every reference of a document, those of discriminators too."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name == "$ref":
                yield one
            elif name == "mapping":
                yield from one.values()
            else:
                yield from references(one)
    elif isinstance(value, list):
        for one in value:
            yield from references(one)


def resolved(document: Document, reference: str) -> Any:  # noqa: ANN401  # of any kind
    found: Any = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def test_every_reference_leads_somewhere(http: Document, socket: Document) -> None:
    for document in (http, socket):
        found = set(references(document))
        assert found
        for one in found:
            assert isinstance(resolved(document, one), dict)


def test_every_shape_is_a_schema_and_is_used(http: Document, socket: Document) -> None:
    for document in (http, socket):
        used = {one.rpartition("/")[2] for one in references(document)}
        for name, schema in document["components"]["schemas"].items():
            jsonschema_rs.meta.validate(schema)
            assert name in used, name


def test_asyncapi_is_well_formed(socket: Document) -> None:
    assert socket["asyncapi"] == "3.0.0"
    assert socket.keys() == {"asyncapi", "info", "channels", "operations", "components"}
    channel = socket["channels"]["live"]
    assert {one["action"] for one in socket["operations"].values()} == {"send", "receive"}
    told = [
        one["$ref"]
        for operation in socket["operations"].values()
        for one in operation["messages"]
    ]
    assert sorted(told) == sorted(
        f"#/channels/live/messages/{one}" for one in channel["messages"]
    )
    assert len(told) == len(SAID) + len(SENT)
    for message in socket["components"]["messages"].values():
        assert message.keys() == {"name", "contentType", "summary", "payload"}


@pytest.mark.parametrize("place", Place)
def test_every_command_is_told_by_its_name(http: Document, place: Place) -> None:
    name = {Place.TABLE: "TableOrder", Place.CAGE: "CageOrder"}.get(place, "AccountsOrder")
    command = http["components"]["schemas"][name]["properties"]["command"]
    assert command["discriminator"]["propertyName"] == "type"
    assert set(command["discriminator"]["mapping"]) == set(map(tag, KINDS[place]))


def test_a_patrons_command_may_leave_out_the_patron(http: Document) -> None:
    schemas = http["components"]["schemas"]
    assert "patron" not in schemas["PlaceWager"]["required"]
    assert "patron" in schemas["BuyIn"]["required"]


def test_shapes_of_messages_are_those_that_are_read(socket: Document) -> None:
    payloads = {
        one["name"]: resolved(socket, one["payload"]["$ref"])
        for one in socket["components"]["messages"].values()
    }
    for kind in (*SAID, *SENT):
        fields = [one.encode_name for one in msgspec.structs.fields(kind)]
        assert list(payloads[tag(kind)]["properties"]) == ["type", *fields]
