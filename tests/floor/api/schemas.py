"""Strategies from JSON Schemas as msgspec writes them, and mutations of what they give."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=20),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


def strategy(document: Schema, schema: Schema) -> st.SearchStrategy[Any]:
    """Return what a schema of a document allows."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return st.deferred(lambda: strategy(document, document["components"]["schemas"][name]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([strategy(document, one) for one in schema["anyOf"]])
    return _of_type(document, schema)


def _of_type(document: Schema, schema: Schema) -> st.SearchStrategy[Any]:
    kind = schema.get("type")
    if kind == "object":
        return _object(document, schema)
    if kind == "array":
        inner = schema.get("items") or schema.get("prefixItems", [{}])[0]
        return st.lists(strategy(document, inner), max_size=4)
    plain: dict[str | None, st.SearchStrategy[Any]] = {
        "string": st.text(max_size=12) | st.sampled_from(["tiger", "banker", "table:tiger"]),
        "integer": st.integers(-10, 200_000),
        "number": st.floats(allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
        "null": st.none(),
    }
    return plain.get(kind, ANYTHING)


def _object(document: Schema, schema: Schema) -> st.SearchStrategy[Any]:
    fields = {
        name: strategy(document, one) for name, one in schema.get("properties", {}).items()
    }
    if not fields:
        inner = schema.get("additionalProperties")
        values = strategy(document, inner) if isinstance(inner, dict) else ANYTHING
        return st.dictionaries(st.text(max_size=8), values, max_size=3)
    required = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: one for name, one in fields.items() if name in required},
        optional={name: one for name, one in fields.items() if name not in required},
    )


@st.composite
def mutated(draw: st.DrawFn, messages: st.SearchStrategy[Any]) -> bytes:
    """Draw a message that was changed on its way: a field, its type, or its bytes."""
    message = draw(messages)
    data = json.dumps(message).encode()
    change = draw(st.sampled_from(["none", "field", "drop", "more", "deep", "cut", "twist"]))
    if change in ("field", "drop"):
        name = draw(st.sampled_from(sorted(message)))
        message = {key: one for key, one in message.items() if key != name or change != "drop"}
        if change == "field":
            message[name] = draw(ANYTHING)
    elif change == "more":
        message = {**message, draw(st.text(min_size=1, max_size=8)): draw(ANYTHING)}
    elif change == "deep":
        depth = draw(st.integers(1, 900))
        return b"[" * depth + data + b"]" * depth
    elif change == "cut":
        return data[: draw(st.integers(0, len(data)))]
    elif change == "twist":
        place = draw(st.integers(0, len(data) - 1))
        return data[:place] + draw(st.binary(min_size=1, max_size=3)) + data[place + 1 :]
    return json.dumps(message).encode()
