"""All resources of the API, and the operations that return its description."""

from functools import cached_property
from typing import Any, Final

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.description.openapi import as_json, as_yaml
from hoodwink.service.http.framework.operations import JSON, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.resources import RESOURCES

YAML: Final = "application/yaml"


class DescriptionResource:
    """Returns the description of the API."""

    def __init__(self, _service: Service) -> None:
        """Needs nothing: the description follows from the code."""

    @operation(
        method="GET",
        path="/openapi.json",
        tag=Tag.SERVICE,
        summary="Describe this API",
        answer=Answer("OpenAPI 3.1.", {JSON: {"type": "object"}}),
        needs_store=False,
    )
    def openapi_json(self, _call: Call) -> Reply:
        return Reply(self._as_json)

    @operation(
        method="GET",
        path="/openapi.yaml",
        tag=Tag.SERVICE,
        summary="Describe this API, as YAML",
        answer=Answer("OpenAPI 3.1.", {YAML: {"type": "object"}}),
        needs_store=False,
    )
    def openapi_yaml(self, _call: Call) -> Reply:
        return Reply(self._as_yaml, media_type=YAML)

    # Cached, because writing the YAML takes almost a second of CPU time, and anybody may ask for it.
    @cached_property
    def _as_json(self) -> bytes:
        return as_json(API)

    @cached_property
    def _as_yaml(self) -> bytes:
        return as_yaml(API).encode()


API: Final[tuple[type[Any], ...]] = (*RESOURCES, DescriptionResource)
"""Every resource, in the order of the description, which is a resource itself."""
