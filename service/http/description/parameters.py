"""The parameters of operations: path, query and headers."""

import re
from collections.abc import Mapping
from typing import Any, Final

from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from hoodwink.domain.games import GAMES
from hoodwink.domain.series.plan import MAX_DATES
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.application.reading.leaderboards import RATED_PATTERN
from hoodwink.service.http.description.simplified import with_constant
from hoodwink.service.http.framework.endpoint import KEY_PATTERN
from hoodwink.service.http.framework.operations import Operation, Tag, reads_invitation
from hoodwink.service.http.messages.forms import MAX_SEATS
from hoodwink.service.http.messages.requests import INVITATION

_PATH: Final[Mapping[str, Mapping[str, Any]]] = {
    "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "table_id": {"type": "string", "pattern": ID_PATTERN},
    "import_id": {"type": "string", "pattern": ID_PATTERN},
    "job_id": {"type": "string", "pattern": "^[a-z2-7]{32}$"},
    "player_id": {"type": "string", "pattern": ID_PATTERN},
    "passkey": {
        "type": "string",
        "pattern": "^[A-Za-z0-9_-]{1,1400}$",
        "description": "The id of its credential.",
    },
    "session": {"type": "integer", "minimum": 1, "maximum": 999_999_999},
    "push_id": {"type": "string", "pattern": ID_PATTERN},
    "webhook_id": {"type": "string", "pattern": ID_PATTERN},
    "game": {"type": "string", "enum": list(GAMES)},
    "tournament_id": {"type": "string", "pattern": ID_PATTERN},
    "series_id": {"type": "string", "pattern": ID_PATTERN},
    "date": {"type": "integer", "minimum": 1, "maximum": MAX_DATES, "description": "The number of the date."},
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
    **{
        name: {"type": "integer", "minimum": 1, "maximum": 1000}
        for name in ("round", "board", "deal", "sitting")
    },
    "seat": {"type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1},
}

_RATED: Final[Mapping[str, Any]] = {
    "type": "string",
    "pattern": RATED_PATTERN,
    "description": "The id of a player, or a bot's policy and version, such as `steady@1`.",
}
"""The `player_id` of ratings, the only part of `/v1/players` that bots have."""

_PARAMETER: Final = re.compile(r"{(\w+)}")

_REQUEST_HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "Idempotency-Key": (
        "A random text. Repeating a request with the same key and the same bytes returns the first result.",
        {"type": "string", "pattern": KEY_PATTERN},
    ),
    INVITATION: (
        "The invitation code of a table that is private or that not everyone may watch, or of a tournament.",
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
        {"type": "string"},
    ),
}


def parameters_of(operation: Operation, converter: OpenAPIConverter) -> list[dict[str, Any]]:
    query = _query(operation.query, converter)
    return [*_path(operation), *query, *_headers(operation, query)]


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
    return [{**parameter, "schema": with_constant(parameter["schema"])} for parameter in made]


def _headers(operation: Operation, query: list[dict[str, Any]]) -> list[dict[str, Any]]:
    # A header that the query takes as well has the same form there: the ids of events differ by the stream.
    by_name = {parameter["name"]: parameter["schema"] for parameter in query}
    read = ("Idempotency-Key", *operation.reads) if operation.method == "POST" else operation.reads
    if reads_invitation(operation):
        read = (*read, INVITATION)
    return [
        {
            "name": name,
            "in": "header",
            "description": _REQUEST_HEADERS[name][0],
            "schema": by_name.get(name.lower().replace("-", "_"), _REQUEST_HEADERS[name][1]),
        }
        for name in read
    ]
