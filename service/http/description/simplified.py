"""Turns the schemas that msgspec and apispec generate into schemas that code generators understand."""

import re
from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any, Final

import msgspec

from hoodwink.domain.kernel import CardChoice
from hoodwink.service.application.reading.seen import without_rule_ids
from hoodwink.service.http.messages.problems import ProblemDocument

_ATTRIBUTE: Final = re.compile(r"^ {4}([a-z_, ]+): ")
SPARSE: Final = frozenset(kind.__name__ for kind in (CardChoice, ProblemDocument))
"""The types whose fields are left out where they have their default. All others are sent complete."""

_TYPES: Final[Mapping[type, str]] = {str: "string", bool: "boolean", int: "integer"}


def answer_schema(name: str, schema: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Returns the schema of a type in answers, as msgspec generates it, with references to the components by these names."""
    made: dict[str, Any] = _simplified(_explained(schema), names)
    made.pop("additionalProperties", None)  # clients ignore fields that they do not know
    for field, described in made.get("properties", {}).items():
        # msgspec describes what it would decode, where a field with a default may be missing.
        if "default" not in described:
            continue
        del described["default"]
        if name in SPARSE:
            made["properties"][field] = _without_null(described)
        else:
            made["required"].append(field)
    return made


def renamed(schema: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    made: dict[str, Any] = _simplified(schema, names)
    return made


def form_schema(schema: dict[str, Any], enums: Mapping[frozenset[str], str]) -> None:
    """Simplifies the schema of a request, as apispec generates it; `enums` are components by their values."""
    for described in schema["properties"].values():
        _name_enum(described.get("items", described), enums)
        if "default" in described:
            # As text: generators make the field required, or send the default of the day on which they ran.
            default = msgspec.json.encode(described.pop("default")).decode()
            described["description"] = f"{described.get('description', '')} Default: `{default}`.".lstrip()


def enums_in(schemas: Mapping[str, Any]) -> dict[frozenset[str], str]:
    """Returns the components that are enumerations by their values."""
    return {frozenset(schema["enum"]): name for name, schema in schemas.items() if "enum" in schema}


def _name_enum(schema: dict[str, Any], enums: Mapping[frozenset[str], str]) -> None:
    """Replaces an enumeration by the component with the same values, or generators would make up a second name."""
    with_constant(schema)
    name = enums.get(frozenset(schema.get("enum", ())))
    if name is not None:
        del schema["enum"], schema["type"]
        schema["$ref"] = f"#/components/schemas/{name}"


def _simplified(schema: Any, names: Mapping[str, str]) -> Any:
    """Returns the schema with references to the components by these names, without titles, which repeat the names."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return schema | {"$ref": f"#/components/schemas/{names.get(name, name)}"}
        made = {
            key: _simplified(value, names)
            for key, value in schema.items()
            if key != "title" or not isinstance(value, str)
        }
        return with_constant(_with_plain_items(_with_null_as_type(made)))
    # The default of a tuple is still a tuple here, and JSON has only lists.
    return [_simplified(item, names) for item in schema] if isinstance(schema, list | tuple) else schema


def _with_null_as_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a plain value or `null` with a list of types instead of two alternatives.

    >>> _with_null_as_type({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None})
    {'type': ['integer', 'null'], 'minimum': 1, 'default': None}
    """
    match schema.get("anyOf"):
        case [{"type": str(plain)} as only, {"type": "null"}] if plain != "object":
            del schema["anyOf"]
            return {**only, "type": [plain, "null"], **schema}
    return schema


def _with_plain_items(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a tuple of equal items with `items`, because few generators understand `prefixItems`."""
    if "prefixItems" not in schema:
        return schema
    items = schema.pop("prefixItems")
    assert items.count(items[0]) == len(items), f"items of several types: {items}"
    return {**schema, "items": items[0]}


def with_constant(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema with `const` instead of an enumeration of one value, for which generators make up a name."""
    match schema.get("enum"):
        case [only]:
            schema["type"], schema["const"] = _TYPES[type(only)], only
            del schema["enum"]
    return schema


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema without `null`, for a field that is left out instead.

    >>> _without_null({"type": ["integer", "null"]})
    {'type': 'integer'}
    >>> _without_null({"anyOf": [{"$ref": "#/components/schemas/Finding"}, {"type": "null"}]})
    {'$ref': '#/components/schemas/Finding'}
    """
    match schema:
        case {"anyOf": [only, {"type": "null"}], **more}:
            return {**only, **more}
        case {"type": [plain, "null"]}:
            return {**schema, "type": plain}
    return schema


def _explained(schema: dict[str, Any]) -> dict[str, Any]:
    """Moves the `Attributes` of a docstring to the fields that they explain."""
    # `cleandoc`, because Python itself removes the indentation of docstrings only since 3.13.
    summary, _, attributes = cleandoc(schema.get("description", "")).partition("Attributes:\n")
    explained = {**schema, "description": prose(summary)}
    if "properties" in schema:
        explained["properties"] = {name: dict(described) for name, described in schema["properties"].items()}
    for names, text in _attributes(attributes):
        for name in names:
            if name in schema.get("properties", {}):
                explained["properties"][name]["description"] = text
    return explained


def _attributes(text: str) -> Iterable[tuple[list[str], str]]:
    """Yields the names and the explanation in each paragraph."""
    for paragraph in re.split(r"\n(?= {4}[a-z_])", "\n" + text):
        found = _ATTRIBUTE.match(paragraph)
        if found:
            explanation = prose(paragraph[found.end() :])
            yield found[1].split(", "), explanation[:1].upper() + explanation[1:]


def prose(text: str) -> str:
    """Returns the text of a docstring for clients: on one line, without rule ids, with `null` for `None`."""
    return without_rule_ids(" ".join(text.split())).replace("`None`", "`null`")
