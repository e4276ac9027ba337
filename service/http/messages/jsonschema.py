"""Converts marshmallow schemas to JSON schemas."""

from typing import Any, Final

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields

from hoodwink.service.http.messages.fields import MultipleOf

OPENAPI: Final = "3.1.0"


def new_spec(title: str, version: str, **more: Any) -> tuple[APISpec, OpenAPIConverter]:
    """Returns an empty description with its converter from marshmallow to JSON schema."""
    plugin = MarshmallowPlugin()
    spec = APISpec(title=title, version=version, openapi_version=OPENAPI, plugins=[plugin], **more)
    assert plugin.converter is not None
    # apispec knows only the validators of marshmallow itself.
    plugin.converter.add_attribute_function(_multiple_of)  # type: ignore[no-untyped-call]
    return spec, plugin.converter


def json_schema(schema: Schema) -> dict[str, Any]:
    """Returns the JSON schema of a flat marshmallow schema, without references."""
    _, converter = new_spec("", "")
    described: dict[str, Any] = converter.schema2jsonschema(schema)  # type: ignore[no-untyped-call]
    return described


def _multiple_of(_converter: OpenAPIConverter, field: fields.Field[Any], **_: Any) -> dict[str, Any]:
    found = [validator.number for validator in field.validators if isinstance(validator, MultipleOf)]
    return {"multipleOf": found[0]} if found else {}
