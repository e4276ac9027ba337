"""All resources of the API, and the operations that return its description."""

import gzip
from functools import cache
from typing import Any, Final

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.description.openapi import as_json, as_yaml
from hoodwink.service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.resources import RESOURCES
from hoodwink.service.web.files import accepts_gzip

YAML: Final = "application/yaml"

_DOCUMENT: Final = {"type": "object", "additionalProperties": True}


class DescriptionResource:
    def __init__(self, _service: Service) -> None:
        """Needs nothing: the description follows from the code."""

    @operation(
        method="GET",
        path="/openapi.json",
        tag=Tag.SERVICE,
        summary="Describe this API",
        answer=Answer("OpenAPI 3.1.", {JSON: _DOCUMENT}),
        needs_store=False,
    )
    def openapi_json(self, call: Call) -> Reply:
        return _compressed(call, JSON, _as_json())

    @operation(
        method="GET",
        path="/openapi.yaml",
        tag=Tag.SERVICE,
        summary="Describe this API, as YAML",
        answer=Answer("OpenAPI 3.1.", {YAML: _DOCUMENT}),
        needs_store=False,
    )
    def openapi_yaml(self, call: Call) -> Reply:
        return _compressed(call, YAML, _as_yaml())


# Cached, because writing the YAML takes almost a second of CPU time, and anybody may ask for it.
@cache
def _as_json() -> tuple[bytes, bytes]:
    return _with_gzip(as_json(API))


@cache
def _as_yaml() -> tuple[bytes, bytes]:
    return _with_gzip(as_yaml(API).encode())


def _with_gzip(text: bytes) -> tuple[bytes, bytes]:
    return text, gzip.compress(text, 9, mtime=0)


def _compressed(call: Call, media_type: str, bodies: tuple[bytes, bytes]) -> Reply:
    """Returns the plain or the compressed text, as the client prefers."""
    plain, zipped = bodies
    headers = {"Vary": "Accept-Encoding"}
    if not accepts_gzip(call.request.headers.get("Accept-Encoding", "")):
        return Reply(plain, headers, media_type)
    return Reply(zipped, {**headers, "Content-Encoding": "gzip"}, media_type)


API: Final[tuple[type[Any], ...]] = (*RESOURCES, DescriptionResource)
"""Every resource, in the order of the description, which is a resource itself."""
