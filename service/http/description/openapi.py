"""The description of the API, in OpenAPI 3.1, generated from the operations and their types."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from hoodwink.domain.kernel import Code
from hoodwink.service.http.description.components import Components, ref
from hoodwink.service.http.description.examples import add_examples
from hoodwink.service.http.description.layout import as_text
from hoodwink.service.http.description.parameters import parameters_of
from hoodwink.service.http.framework.operations import (
    JSON,
    NDJSON,
    OCTETS,
    Access,
    Operation,
    RawBody,
    Tag,
    declared,
)
from hoodwink.service.http.framework.refusals import COMMON, UNROUTED, refusals_of
from hoodwink.service.http.messages.jsonschema import new_spec
from hoodwink.service.http.messages.problems import refusal
from hoodwink.service.http.messages.schemas import Chosen
from hoodwink.service.http.messages.streams import Messages

_DESCRIPTION: Final = """\
Card games played partly blind. Everything that happens at a table is an event; views, ledgers and \
logs follow from the events.

- Errors are problem documents (RFC 9457) with a stable `code`. `ErrorCode` lists all codes with their meanings. \
`x-refusals` of an operation lists the codes that it may return; of the response `Problem`, those that follow from the form of \
the request, its token and the store; and of an action, those of the rules that it may break. \
The response to an unknown address is 404 `route_not_found`, and to an unknown method 405 `method_not_allowed`.
- Examples show the first items and lines of long lists and texts.
- A hidden card is `??`. Cards are written as rank and suit: `9S`, `TH` or `10H`, `AS`, and `JK` for a joker.
- Versions count the events of a table or tournament. An `ETag` or a cursor consists of a version and the beginning of \
that event's hash; the version alone is accepted, too. An `ETag` is weak if the response has the time (`now`), but \
`If-Match` accepts it. With `If-Match` or `expected_version`, a command takes effect only at that version.
- You can repeat a POST with an `Idempotency-Key`; it takes effect once.
- Jobs do expensive work. If a job ends within a moment, the request gets the usual response. Otherwise the response is 202 \
with the job: view or follow it at `GET /v1/jobs/{job_id}` until it is `done` or has `failed`; its `result` or `problem` is \
the response that the request would have got. The outcome is kept for up to an hour.
- Send bodies with a `Content-Length`; a request with a `Transfer-Encoding` is refused with 411. An empty JSON body is \
refused, too; send `{}` for an object without fields.
- Responses that depend on the caller, and all errors, are `private, no-store`. If the operation lists the header \
`If-None-Match`, you may still send an `ETag` there.
- `OPTIONS` returns 204 and the methods of the address in `Allow`. Web pages of other origins can use the API if the \
operator has listed them.
- Every response has an `X-Request-Id`: the one in the request, if it has 1 to 64 letters, digits and `._-`, otherwise a new \
one. The operator can find it in the logs.
- A request whose body does not arrive completely has no effect. A command that cannot be undone needs `"confirm": true`.
"""

_TAGS: Final[Mapping[Tag, str]] = {
    Tag.PLAYERS: "Register players and look them up.",
    Tag.GAMES: "The games, with their options, actions and rules.",
    Tag.TABLES: "Open tables, take seats, and view tables.",
    Tag.PLAY: "Act at a table.",
    Tag.LOGS: "Events and logs, and the check that a table was played fairly.",
    Tag.TOURNAMENTS: "Competitions over rounds and sittings.",
    Tag.IMPORTS: "Logs of other services, to view and to fork. They count in no ledger, history or rating.",
    Tag.BOOKS: "Ledgers, histories and statistics; they follow the tables with a short delay.",
    Tag.RATINGS: "Leaderboards and ratings; they follow the tables with a short delay.",
    Tag.ADMINISTRATION: "Decisions of administrators, each recorded with name and reason.",
    Tag.SERVICE: "Health, metrics and the description of the API.",
}

_ANSWER_HEADERS: Final[Mapping[str, str]] = {
    "ETag": "The version of the table or tournament, quoted; after `W/` if the response has the time.",
    "Location": "The address of the new resource.",
    "Content-Disposition": "The name of the file.",
    "Link": 'The address of the next page, as `rel="next"`.',
}


@cache
def document(resources: tuple[type[Any], ...]) -> dict[str, Any]:
    spec, converter = new_spec(
        "Hoodwink",
        version("hoodwink"),
        info={"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        tags=[{"name": tag.value, "description": text} for tag, text in _TAGS.items()],
        servers=[{"url": "/"}],
        externalDocs={
            "description": "Write a client",
            "url": "https://github.com/hoodwink-games/hoodwink/blob/main/docs/CLIENT.md",
        },
        security=_SECURITY[Access.PLAYER],  # of the operations that name none
    )
    components = Components(spec)
    components.add_games()
    components.add_tournaments()
    components.add_codes(codes_of(resources))
    components.add_responses(COMMON)
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    spec.components.security_scheme(
        "administrator",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of an administrator, whose hash the operator has listed.",
        },
    )
    for name, operation in _operations(resources):
        described = _described(name, operation, components, converter)
        spec.path(path=operation.path, operations={operation.method.lower(): described})
    components.extend_types()
    # A copy, because the examples that are added to it must not get into constants that it contains.
    made: dict[str, Any] = msgspec.to_builtins(spec.to_dict())
    # In the order of names, so that an operation that moves within the code changes few lines of `openapi.yaml`.
    for kind in ("schemas", "parameters"):
        made["components"][kind] = dict(sorted(made["components"][kind].items()))
    _share_answers(made)
    add_examples(made)
    return {"openapi": made.pop("openapi"), **made}


def _share_answers(made: dict[str, Any]) -> None:
    """Replaces answers that differ only in their descriptions by references to one response."""
    answers = [
        (operation["responses"], status)
        for item in made["paths"].values()
        for operation in item.values()
        for status, answer in operation["responses"].items()
        if JSON in answer.get("content", ()) and len(answer["content"]) == 1
    ]
    shapes = Counter(_shape(responses[status]) for responses, status in answers)
    for responses, status in answers:
        answer = responses[status]
        if shapes[_shape(answer)] > 1:
            described = answer.pop("description")
            name = answer["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
            common = {"description": made["components"]["schemas"][name]["description"], **answer}
            name += "Created" if "Location" in answer.get("headers", ()) else ""
            assert made["components"]["responses"].setdefault(name, common) == common
            responses[status] = {**ref(name, "responses"), "description": described}


def _shape(answer: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode({key: value for key, value in answer.items() if key != "description"})


def codes_of(resources: Iterable[type[Any]]) -> dict[Code, list[int]]:
    """Returns every code that these resources may answer with, with its statuses, by status and name."""
    found = {refused for _, operation in _operations(resources) for refused in refusals_of(operation)}
    statuses: dict[Code, list[int]] = {}
    for status, code in sorted({*found, *map(refusal, UNROUTED)}):
        statuses.setdefault(code, []).append(status)
    return statuses


def _operations(resources: Iterable[type[Any]]) -> Iterable[tuple[str, Operation]]:
    for resource in resources:
        yield from declared(resource)


def _described(
    name: str, operation: Operation, components: Components, converter: OpenAPIConverter
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": name,
        "tags": [operation.tag.value],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [
            components.parameter(described, operation.tag.value, name)
            for described in parameters_of(operation, converter)
        ],
        "requestBody": _body(operation, components),
        "responses": _responses(operation, components),
        "x-refusals": _refusals(operation),
    }
    given = {key: value for key, value in described.items() if value not in ("", None, [])}
    if operation.access is not Access.PLAYER:
        given["security"] = _SECURITY[operation.access]
    return given


_SECURITY: Final[Mapping[Access, list[dict[str, list[str]]]]] = {
    Access.OPEN: [],
    Access.OPTIONAL: [{}, {"token": []}],  # in OpenAPI, `{}` makes the token optional
    Access.PLAYER: [{"token": []}],
    Access.ADMINISTRATOR: [{"administrator": []}],
}


def _body(operation: Operation, components: Components) -> dict[str, Any] | None:
    body = operation.body
    if body is None:
        return None
    if isinstance(body, RawBody):
        most = f"At most {body.max_bytes:,} bytes."
        return {
            "description": f"{body.description} {most}",
            "required": True,
            # Many generators know only the second type, and would drop the operation.
            "content": {
                body.media_type: {"schema": ref("Log")},
                OCTETS: {"schema": {"type": "string", "format": "binary"}},
            },
        }
    if isinstance(body, Schema):
        return {"required": True, "content": {JSON: {"schema": components.form(body)}}}
    described = components.forms(body) if isinstance(body, Chosen) else ref("Action")
    return {"required": True, "content": {JSON: {"schema": described}}}


def _responses(operation: Operation, components: Components) -> dict[str, Any]:
    answer = operation.answer
    described = {
        "description": answer.description,
        "content": {
            media: {"schema": _schema(media, kind, components)} for media, kind in answer.types.items()
        },
        "headers": {name: components.header(name, _ANSWER_HEADERS[name]) for name in answer.headers},
    }
    return {
        str(answer.status): {key: value for key, value in described.items() if value},
        **({"202": ref("JobBegun", "responses")} if operation.leads_to_job else {}),
        **({"304": ref("NotModified", "responses")} if "If-None-Match" in operation.reads else {}),
        # One for all errors: clients go by the code, and a response per status would only repeat this one.
        "default": ref("Problem", "responses"),
    }


def _schema(media_type: str, kind: Any, components: Components) -> dict[str, Any]:
    if isinstance(kind, Messages):
        return components.messages(kind)
    if not isinstance(kind, dict):
        return components.add_type(kind)
    return ref("Log") if media_type == NDJSON else kind


def _refusals(operation: Operation) -> list[str]:
    """Returns the codes that the operation may answer with, except the common ones."""
    codes = dict.fromkeys(code for _, code in sorted(refusals_of(operation)))
    return [str(code) for code in codes if code not in COMMON]


def as_json(resources: tuple[type[Any], ...]) -> bytes:
    return msgspec.json.encode(document(resources))


def as_yaml(resources: tuple[type[Any], ...]) -> str:
    """Returns the description as YAML, as in the file `openapi.yaml`."""
    return as_text(document(resources))
