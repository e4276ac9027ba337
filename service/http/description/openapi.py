"""The description of the API, OpenAPI 3.1, made from the operations and the types that they name."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from domain.games import GAMES
from domain.kernel import Code
from service.application.leaderboards import RATED_PATTERN
from service.application.players import ID_PATTERN
from service.http.description.components import Components, ref
from service.http.description.examples import Examples
from service.http.framework.endpoint import KEY_PATTERN
from service.http.framework.operations import (
    JSON,
    Access,
    Operation,
    RawBody,
    Tag,
    declared,
    reads_invitation,
)
from service.http.framework.refusals import UNROUTED, refusals_of
from service.http.messages.forms import MOST_SEATS
from service.http.messages.jsonschema import new_spec
from service.http.messages.problems import refusal
from service.http.messages.requests import INVITATION
from service.http.messages.schemas import Chosen
from service.http.resources.access import NUMBER_PATTERN

_DESCRIPTION: Final = """\
Card games played partly blind. Everything that happens at a table is an event; views, ledgers and \
logs follow from the events.

* Errors are problem documents (RFC 9457); their `code` is stable. `ErrorCode` lists all codes with their meanings. Each \
operation lists the codes that it may answer with, and each action, as `x-refusals`, those of the rules that it may break. \
An address or a method that is not described here is answered with 404 `route_not_found` or 405 `method_not_allowed`.
* A hidden card is `??`. Cards are written as rank and suit: `9S`, `TH` or `10H`, `AS`, and `JK` for a joker.
* Versions count the events of a table or tournament. An `ETag` or a cursor consists of a version and the beginning of \
that event's hash; the version alone is accepted, too. An `ETag` is a weak one where the answer says what time it is \
(`now`), and `If-Match` accepts it all the same. With `If-Match` or `expected_version` a command takes effect only \
at that version.
* A POST with an `Idempotency-Key` may be repeated and takes effect once.
* Send a body whole, with a `Content-Length`; a request with a `Transfer-Encoding` is refused with 411. An empty JSON \
body is refused, too; an object without fields is `{}`.
* `OPTIONS` is answered at every address with 204 and its methods in `Allow`. Web pages of other origins may use the API \
if the operator has listed their origins.
* Every answer has an `X-Request-Id`: that of the request, if it is 1 to 64 letters, digits and `._-`, otherwise a new one. \
The operator finds it in the logs.
* A request whose body does not arrive whole has no effect. A command that cannot be undone needs `"confirm": true`.
"""

_TAGS: Final[Mapping[Tag, str]] = {
    Tag.PLAYERS: "Register players and look them up.",
    Tag.GAMES: "The games, with their options, actions and rules.",
    Tag.TABLES: "Open tables, take seats, and view tables.",
    Tag.PLAY: "Act at a table.",
    Tag.LOGS: "Events and logs, and the check that a table was played fairly.",
    Tag.TOURNAMENTS: "Competitions over rounds and sittings.",
    Tag.IMPORTS: "Logs of other services, to view and to play on from. They count in no ledger, history or rating.",
    Tag.BOOKS: "Ledgers, histories and statistics; they follow the tables with a short delay.",
    Tag.RATINGS: "Leaderboards and ratings; they follow the tables with a short delay.",
    Tag.ADMINISTRATION: "Decisions of administrators, each recorded with name and reason.",
    Tag.SERVICE: "Health, metrics and the description of the API.",
}

_PATH: Final[Mapping[str, Mapping[str, Any]]] = {
    "table_id": {"type": "string", "pattern": ID_PATTERN},
    "import_id": {"type": "string", "pattern": ID_PATTERN},
    "player_id": {"type": "string", "pattern": ID_PATTERN},
    "game": {"type": "string", "enum": list(GAMES)},
    "tournament_id": {"type": "string", "pattern": ID_PATTERN},
    "entrant_id": {
        "type": "string",
        "pattern": "^[a-z0-9:]{1,40}$",
        "description": "The id of a player who entered, or of a bot, such as `bot:1`.",
    },
    "entrant": {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
        "description": "The starting rank: the entrant's `number` once the tournament has started.",
    },
    **{name: {"type": "integer", "minimum": 1, "maximum": 1000} for name in ("round", "board", "sitting")},
    "seat": {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1},
}

_RATED: Final[Mapping[str, Any]] = {
    "type": "string",
    "pattern": RATED_PATTERN,
    "description": "The id of a player, or a bot's policy and version, such as `steady@1`.",
}
"""The `player_id` of ratings; nothing else of a bot lies below `/v1/players`."""

_PARAMETER: Final = re.compile(r"{(\w+)}")

_REQUEST_HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "Idempotency-Key": (
        "A random text. Repeating a request with the same key and the same bytes returns the first result.",
        {"type": "string", "pattern": KEY_PATTERN},
    ),
    INVITATION: (
        "The invitation code of a table that is private, or that not everyone may watch.",
        {"type": "string"},
    ),
    "If-Match": (
        "Refuses the command unless the table or tournament is at one of these versions.",
        {"type": "string"},
    ),
    "If-None-Match": (
        "Returns 304 if the table or tournament is at one of these versions.",
        {"type": "string"},
    ),
    "Last-Event-ID": (
        "Resumes a live stream after the event with this id.",
        {"type": "string", "pattern": NUMBER_PATTERN},
    ),
}

_ANSWER_HEADERS: Final[Mapping[str, str]] = {
    "ETag": "The version of the table or tournament, quoted; after `W/` where the answer says what time it is.",
    "Location": "The address of the new resource.",
    "Content-Disposition": "The name of the file.",
    "Link": 'The address of the next page, as `rel="next"`.',
}


@cache
def document(resources: tuple[type[Any], ...]) -> dict[str, Any]:
    """Returns the description of an API of these resources."""
    spec, converter = new_spec(
        "Hoodwink",
        version("hoodwink"),
        info={"description": _DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        tags=[{"name": tag.value, "description": text} for tag, text in _TAGS.items()],
        servers=[{"url": "/"}],
    )
    components = Components(spec)
    components.add_games()
    components.add_tournaments()
    components.add_codes(codes_of(resources))
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    spec.components.security_scheme(
        "administrator",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of an administrator; the operator has listed its hash.",
        },
    )
    examples = Examples()
    for name, operation in _operations(resources):
        described = _described(name, operation, components, converter)
        examples.add(name, operation, described)
        spec.path(path=operation.path, operations={operation.method.lower(): described})
    made: dict[str, Any] = msgspec.to_builtins(spec.to_dict())
    made["components"]["schemas"] = dict(sorted(made["components"]["schemas"].items()))
    made["components"]["examples"] = examples.components
    return {"openapi": made.pop("openapi"), **made}


def codes_of(resources: Iterable[type[Any]]) -> dict[Code, list[int]]:
    """Returns every code that an API of these resources may answer with, and its statuses, by status and name."""
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
        "parameters": [*_path(operation), *_query(operation.query, converter), *_headers(operation)],
        "requestBody": _body(operation, components),
        "responses": _responses(operation, components),
        "security": _SECURITY[operation.access],
    }
    return {key: value for key, value in described.items() if value not in ("", None, [])}


_SECURITY: Final[Mapping[Access, list[dict[str, list[str]]]]] = {
    Access.OPEN: [],
    Access.OPTIONAL: [{}, {"token": []}],
    Access.PLAYER: [{"token": []}],
    Access.ADMINISTRATOR: [{"administrator": []}],
}


def _path(operation: Operation) -> list[dict[str, Any]]:
    known = {**_PATH, "player_id": _RATED} if operation.tag is Tag.RATINGS else _PATH
    return [
        {"name": name, "in": "path", "required": True, "schema": known[name]}
        for name in _PARAMETER.findall(operation.path)
    ]


def _query(schema: Schema | None, converter: OpenAPIConverter) -> list[dict[str, Any]]:
    if schema is None:
        return []
    made: list[dict[str, Any]] = converter.schema2parameters(schema, location="query")
    return made


def _headers(operation: Operation) -> list[dict[str, Any]]:
    read = ("Idempotency-Key", *operation.reads) if operation.method == "POST" else operation.reads
    if reads_invitation(operation):
        read = (*read, INVITATION)
    return [
        {
            "name": name,
            "in": "header",
            "description": _REQUEST_HEADERS[name][0],
            "schema": _REQUEST_HEADERS[name][1],
        }
        for name in read
    ]


def _body(operation: Operation, components: Components) -> dict[str, Any] | None:
    body = operation.body
    if body is None:
        return None
    if isinstance(body, RawBody):
        most = f"At most {body.most_bytes:,} bytes."
        return {
            "description": f"{body.description} {most}",
            "required": True,
            "content": {body.media_type: {}},
        }
    if isinstance(body, Schema):
        return {"required": True, "content": {JSON: {"schema": components.form(body)}}}
    described = components.choice(body) if isinstance(body, Chosen) else ref("Action")
    return {"required": True, "content": {JSON: {"schema": described}}}


def _responses(operation: Operation, components: Components) -> dict[str, Any]:
    answer = operation.answer
    made: dict[str, Any] = {
        str(answer.status): {
            "description": answer.description,
            "content": {
                media: {"schema": _content(kind, components)} for media, kind in answer.types.items()
            },
            "headers": {
                name: {"description": _ANSWER_HEADERS[name], "schema": {"type": "string"}}
                for name in answer.headers
            },
        }
    }
    if "If-None-Match" in operation.reads:
        made["304"] = {"description": "The client has this version already."}
    if not operation.answer.headers:
        del made[str(answer.status)]["headers"]
    problems = {
        str(status): components.problem(status, codes) for status, codes in _problems(operation).items()
    }
    return made | problems


def _content(kind: Any, components: Components) -> dict[str, Any]:
    return kind if isinstance(kind, dict) else components.add_type(kind)


def _problems(operation: Operation) -> dict[int, list[Code]]:
    """Returns the codes that an operation may answer with, by status."""
    found: dict[int, list[Code]] = {}
    for status, code in refusals_of(operation):
        found.setdefault(status, []).append(code)
    return dict(sorted(found.items()))


def as_json(resources: tuple[type[Any], ...]) -> bytes:
    """Returns the description as JSON."""
    return msgspec.json.encode(document(resources))


def as_yaml(resources: tuple[type[Any], ...]) -> str:
    """Returns the description as YAML, as in the file `openapi.yaml`."""
    import yaml  # noqa: PLC0415 - it is rarely needed

    class Dumper(yaml.SafeDumper):
        """Writes a text of several lines as such."""

    def written(dumper: Dumper, text: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)

    Dumper.add_representer(str, written)
    text: str = yaml.dump(document(resources), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text
