"""The examples in the API's description are complete, fit their schemas, and match real answers."""

from functools import cache
from pathlib import Path

import msgspec
import pytest

from hoodwink.domain.players import hash_token
from hoodwink.service.application.streams.history import Position
from hoodwink.service.http.description import API
from hoodwink.service.http.description.examples import ITSELF, PARTS, PROBLEM, RECORDED, slots_of
from hoodwink.service.http.description.openapi import document
from hoodwink.service.http.serving.streams.frames import (
    end_frame,
    my_tables_reset_frame,
    offer_frame,
    presence_frame,
    reset_frame,
)
from tests.service.http.api import SECRET
from tests.service.http.examples.recorder import ROOT
from tests.service.http.examples.recording import as_files, found_in, messages_in, record_examples
from tests.service.http.refused.listed import OPERATIONS


@cache
def slots():
    return [*slots_of(document(API))]


played = cache(record_examples)


def test_every_operation_has_examples_of_its_bodies_and_media_types():
    shown = {name: sorted(example.media_type for example in examples) for name, examples in played().items()}

    assert shown.pop(PROBLEM) == ["application/problem+json"]
    assert shown == {name: sorted(OPERATIONS[name].answer.types) for name in OPERATIONS.keys() - ITSELF}
    for name in (name for name in shown if OPERATIONS[name].body is not None):
        assert any(example.body is not None for example in played()[name]), name


@pytest.mark.parametrize("part", PARTS)
def test_examples_match_recorded_requests_and_answers(part):
    """To update the examples, run `python -m tests.service.http.examples` and review the difference."""
    assert (RECORDED / f"{part}.json").read_text(encoding="utf-8") == as_files(played())[f"{part}.json"]


def test_no_stale_example_files_are_left():
    assert {file.name for file in RECORDED.iterdir()} == {f"{part}.json" for part in PARTS}


def test_no_example_contains_a_secret_of_the_service():
    text = "".join(file.read_text(encoding="utf-8") for file in RECORDED.iterdir())

    assert [secret for secret in (ROOT, SECRET, hash_token(ROOT), str(Path.cwd())) if secret in text] == []


def examples_in(slot):
    """Returns the description's examples in a slot."""
    described = slot.described
    return (
        described.get("examples", [])
        if slot.is_schema
        else [described["example"]]
        if "example" in described
        else []
    )


def test_every_body_and_path_has_an_example():
    assert [
        (slot.operation, slot.name)
        for slot in slots()
        if slot.part != "headers" and slot.described.get("in", "path") == "path" and not examples_in(slot)
    ] == []


def validator_of(schema):
    from jsonschema_rs import Draft202012Validator

    # References lead to the registry, because a validator with all components would compile them again.
    return Draft202012Validator(
        msgspec.json.decode(msgspec.json.encode(schema).replace(b'"#/', b'"urn:api#/')), registry=registry()
    )


@cache
def registry():
    from jsonschema_rs import Registry

    return Registry([("urn:api", {"components": document(API)["components"]})])


def slot_validator(slot):
    return validator_of(slot.described if slot.is_schema else slot.described.get("schema", {}))


@pytest.mark.parametrize("part", PARTS)
def test_every_example_fits_its_schema(part):
    for slot in (slot for slot in slots() if slot.part == part):
        validator = slot_validator(slot)
        for value in examples_in(slot):
            assert [error.message for error in validator.iter_errors(value)] == [], (slot.operation, slot.key)


@pytest.mark.parametrize("part", PARTS)
def test_every_recorded_answer_fits_its_schema(part):
    for slot in (slot for slot in slots() if slot.part == part and slot.operation not in ITSELF):
        validator = slot_validator(slot)
        for value in found_in(played()[slot.operation], slot):
            assert [error.message for error in validator.iter_errors(value)] == [], (slot.operation, slot.key)


@pytest.mark.parametrize(
    ("stream", "frame"),
    [
        ("Table", reset_frame(3)),
        ("Table", end_frame(Position(9, "5e8dd316726b0335"))),
        ("Tournament", reset_frame(3)),
        ("Tournament", end_frame(Position(9, "5e8dd316726b0335"))),
        ("Standings", reset_frame(0)),
        ("Standings", end_frame(Position(9, "5e8dd316726b0335"))),
        ("MyTables", my_tables_reset_frame(1_750_000_000_000)),
        ("MyTables", offer_frame("x6hrvkc55adc2s6s", "The Cup", now=1_750_000_000_000)),
        ("Table", presence_frame((0, 2))),
    ],
)
def test_rare_messages_fit_the_schema_of_their_stream(stream, frame):
    validator = validator_of({"$ref": f"#/components/schemas/{stream}StreamMessage"})
    (message,) = messages_in(frame.decode())

    assert list(validator.iter_errors(message)) == []
    assert list(validator.iter_errors(message | {"event": "other"}))


def test_the_description_is_its_own_shortened_example():
    shown = [example for slot in slots() if slot.operation in ITSELF for example in examples_in(slot)]

    assert len(shown) == len(ITSELF)
    for example in shown:
        assert example["openapi"] == document(API)["openapi"]
        assert example["info"].items() <= document(API)["info"].items()
