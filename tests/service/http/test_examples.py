"""The examples of the API's description are complete, fit their schemas, and are what is really answered."""

from functools import cache

import pytest
from openapi_schema_validator import OAS31Validator

from service.http.description import API
from service.http.description.examples import RECORDED, examples_of
from service.http.description.openapi import document
from service.http.framework.operations import JSON
from tests.service.http.examples.recording import as_file, recorded
from tests.service.http.refused.listed import OPERATIONS

ITSELF = {"openapi_json", "openapi_yaml"}
"""The operations that answer with the description, and refer to themselves instead of an example."""

played = cache(recorded)


def test_every_operation_has_an_example_of_every_media_type():
    shown = {
        name: sorted([example.media_type for example in examples_of(name)])
        for name in OPERATIONS.keys() - ITSELF
    }

    assert shown == {name: sorted(OPERATIONS[name].answer.types) for name in shown}


def test_every_example_belongs_to_an_operation():
    assert {file.stem for file in RECORDED.iterdir()} == OPERATIONS.keys() - ITSELF


@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - ITSELF))
def test_an_example_is_what_is_answered(name):
    """Record it again with `python -m tests.service.http.examples`, and look at the difference."""
    assert (RECORDED / f"{name}.json").read_text(encoding="utf-8") == as_file(played()[name])


def described():
    """Yields each described request and response of a successful operation, under the operation's name."""
    for item in document(API)["paths"].values():
        for operation in item.values():
            answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
            yield operation, [*answers, *filter(None, [operation.get("requestBody")])]


def test_every_body_and_path_is_described_with_an_example():
    for operation, bodies in described():
        contents = [content for body in bodies for content in body["content"].values()]
        assert all(content["examples"] for content in contents), operation["operationId"]
        in_path = [parameter for parameter in operation.get("parameters", ()) if parameter["in"] == "path"]
        assert all("example" in parameter for parameter in in_path), operation["operationId"]


@pytest.mark.parametrize("of", ["parameters", "bodies"])
def test_every_example_fits_its_schema(of):
    components = document(API)["components"]

    def check(schema, value, where):
        errors = OAS31Validator({"components": components, **schema}).iter_errors(value)
        assert [error.message for error in errors] == [], where

    for operation, bodies in described():
        for body in bodies if of == "bodies" else ():
            content = body["content"].get(JSON, {})
            for name in content.get("examples", {}).keys() & components["examples"].keys():
                check(content["schema"], components["examples"][name]["value"], name)
        for parameter in operation.get("parameters", ()) if of == "parameters" else ():
            if "example" in parameter:
                check(
                    parameter["schema"], parameter["example"], (operation["operationId"], parameter["name"])
                )


def test_the_description_refers_to_itself_where_it_is_the_answer():
    for name in ITSELF:
        (content,) = document(API)["paths"][OPERATIONS[name].path]["get"]["responses"]["200"][
            "content"
        ].values()
        assert content["examples"] == {"this_document": {"externalValue": OPERATIONS[name].path}}
