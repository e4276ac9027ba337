"""The examples of the description: requests that the tests send, and the answers that they really get.

`python -m tests.service.http.examples` records them in the folder `recorded`, one file for each operation.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import msgspec

from service.http.framework.operations import JSON, Operation, RawBody

RECORDED: Final = Path(__file__).parent / "recorded"
"""A file for each operation, `<operation>.json`."""

_ITSELF: Final = frozenset({"openapi_json", "openapi_yaml"})
"""The operations whose answer is the description, which cannot contain itself."""

_PARAMETER: Final = re.compile(r"{(\w+)}")


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request and its answer.

    Attributes:
        path: with its query.
        headers: the request's headers that are parameters of the operation.
        body: the request's body: a JSON value, the lines of a text, or `None` without one.
        media_type: of the answer.
        answer_headers: those of the answer's headers that the operation documents.
        answer: the answer's body: a JSON value, or the lines of a text.
    """

    path: str
    headers: dict[str, str] = {}
    body: Any = None
    media_type: str
    answer_headers: dict[str, str] = {}
    answer: Any


def examples_of(name: str) -> Sequence[Example]:
    """Returns the examples of an operation, one for each media type of its answer; none if it has no file."""
    file = RECORDED / f"{name}.json"
    return msgspec.json.decode(file.read_bytes(), type=list[Example]) if file.exists() else ()


class Examples:
    """Adds the examples of operations to their descriptions."""

    def __init__(self) -> None:
        self.components: dict[str, Any] = {}

    def add(self, name: str, operation: Operation, described: dict[str, Any]) -> None:
        """Adds the examples of an operation; those of its bodies become components."""
        if name in _ITSELF:
            self._refer(operation, described)
        found = examples_of(name)
        for example in found:
            suffix = _suffix(example.media_type) if len(found) > 1 else ""
            answered = described["responses"][str(operation.answer.status)]
            _add_headers(answered.get("headers", {}), example.answer_headers)
            self._add(f"{name}{suffix}", example.media_type, example.answer, to=answered)
        for example in found[:1]:
            _add_parameters(described.get("parameters", ()), _sent(operation, example))
            if operation.body is not None:
                media_type = operation.body.media_type if isinstance(operation.body, RawBody) else JSON
                self._add(f"{name}_request", media_type, example.body, to=described["requestBody"])

    def _refer(self, operation: Operation, described: dict[str, Any]) -> None:
        (content,) = described["responses"][str(operation.answer.status)]["content"].values()
        content["examples"] = {"this_document": {"externalValue": operation.path}}

    def _add(self, name: str, media_type: str, body: Any, *, to: dict[str, Any]) -> None:
        value = body if media_type == JSON else "\n".join(body)
        self.components[name] = {"value": value}
        to["content"][media_type]["examples"] = {name: {"$ref": f"#/components/examples/{name}"}}


def _suffix(media_type: str) -> str:
    """Returns the end of the name of an example, where an operation answers with several media types.

    >>> _suffix("application/x-ndjson")
    '_ndjson'
    """
    return f"_{media_type.rpartition('/')[2].removeprefix('x-').replace('-', '_')}"


def _sent(operation: Operation, example: Example) -> Mapping[str, str]:
    """Returns the parameters of the request by name."""
    url = urlsplit(example.path)
    values = re.fullmatch(_PARAMETER.sub("([^/]+)", operation.path), url.path)
    assert values, f"{example.path} is not a path of {operation.path}"
    path = dict(zip(_PARAMETER.findall(operation.path), values.groups(), strict=True))
    return path | dict(parse_qsl(url.query)) | example.headers


def _add_parameters(parameters: Iterable[dict[str, Any]], sent: Mapping[str, str]) -> None:
    for parameter in parameters:
        if parameter["name"] in sent:
            text = sent[parameter["name"]]
            is_number = parameter["schema"].get("type") == "integer"
            parameter["example"] = int(text) if is_number else text


def _add_headers(described: dict[str, Any], sent: Mapping[str, str]) -> None:
    for name, text in sent.items():
        described[name]["example"] = text
