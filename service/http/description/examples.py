"""The examples of the description: requests of the tests, and the real answers to them.

`python -m tests.service.http.examples` records one for each schema, parameter and header in the folder `recorded`.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from hoodwink.service.http.framework.operations import JSON, OCTETS

Part: TypeAlias = Literal["parameters", "requests", "answers", "headers"]
PARTS: Final[tuple[Part, ...]] = ("parameters", "requests", "answers", "headers")
RECORDED: Final = Path(__file__).parent / "recorded"
"""The folder with a file for each part; a file has the examples by the keys of their slots."""

ITSELF: Final = frozenset({"openapi_json", "openapi_yaml"})
"""The operations whose answer is the description, which cannot contain itself."""


PROBLEM: Final = "problem"
"""Replaces the id of an operation in the slot for refusals, which all operations share."""


class Slot(NamedTuple):
    """A place in the description for an example. Operations that refer to the same component share its example.

    Attributes:
        operation: the id of the operation.
        method: the method of the operation.
        name: the name of the parameter or header, or the media type of the body.
        key: the key of the example in its file.
        described: the component, or the content of a body whose schema is not a component.
        is_schema: whether `described` is a schema, which has a list of examples.
    """

    operation: str
    method: str
    part: Part
    name: str
    key: str
    described: dict[str, Any]
    is_schema: bool = False

    def fill(self, example: Any) -> None:
        self.described.update({"examples": [example]} if self.is_schema else {"example": example})


def add_examples(document: dict[str, Any]) -> None:
    recorded = {part: msgspec.json.decode((RECORDED / f"{part}.json").read_bytes()) for part in PARTS}
    itself = {
        "openapi": document["openapi"],
        "info": {name: document["info"][name] for name in ("title", "version")},
    }
    for slot in slots_of(document):
        if slot.operation in ITSELF:
            slot.fill(itself)
        elif slot.key in recorded[slot.part]:
            slot.fill(recorded[slot.part][slot.key])


def slots_of(document: Mapping[str, Any]) -> Iterator[Slot]:
    """Yields the slots of each operation; a component occurs once for each operation that refers to it."""
    components = document["components"]
    for methods in document["paths"].values():
        for method, operation in methods.items():
            yield from _slots_of(components, method.upper(), operation)
    yield from _bodies(components, PROBLEM, "GET", "answers", components["responses"]["Problem"]["content"])


def _slots_of(components: Mapping[str, Any], method: str, operation: Mapping[str, Any]) -> Iterator[Slot]:
    name = operation["operationId"]
    for key, parameter in _referred(components, "parameters", operation.get("parameters", ())):
        yield Slot(name, method, "parameters", parameter["name"], key, parameter)
    if "requestBody" in operation:
        yield from _bodies(components, name, method, "requests", operation["requestBody"]["content"])
    for status, answer in operation["responses"].items():
        # Refusals and jobs have one slot for all operations, and 304 has no body.
        if status in ("200", "201"):
            if "$ref" in answer:
                ((_, answer),) = _referred(components, "responses", [answer])  # noqa: PLW2901
            yield from _bodies(components, name, method, "answers", answer["content"])
            for key, header in _referred(components, "headers", answer.get("headers", {}).values()):
                yield Slot(name, method, "headers", key, key, header)


def _bodies(
    components: Mapping[str, Any], operation: str, method: str, part: Part, contents: Mapping[str, Any]
) -> Iterator[Slot]:
    for media_type, content in contents.items():
        if media_type == OCTETS:  # the same bytes under another name
            continue
        key = operation if media_type == JSON else f"{operation} {media_type}"
        found = [Slot(operation, method, part, media_type, key, content)]
        schema = content.get("schema", {})
        if "$ref" in schema:
            found = [
                Slot(operation, method, part, media_type, name, component, is_schema=True)
                for name, component in _referred(components, "schemas", [schema])
            ]
        yield from found


def _referred(
    components: Mapping[str, Any], kind: str, references: Iterable[Mapping[str, str]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for reference in references:
        name = reference["$ref"].rpartition("/")[2]
        yield name, components[kind][name]
