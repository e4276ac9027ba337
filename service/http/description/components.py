"""The components of the API's description: problems, answers, and the views, events and actions of all games."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, get_type_hints

import msgspec
from apispec import APISpec
from marshmallow import Schema

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Code, Event, Game
from hoodwink.domain.tables.events import TABLE_EVENTS
from hoodwink.domain.tables.view import TableView
from hoodwink.domain.tournaments.life import FullSetup
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS
from hoodwink.service.application.reading.seen import tag_of
from hoodwink.service.http.description.simplified import answer_schema, enums_in, form_schema, renamed
from hoodwink.service.http.framework.operations import JSON
from hoodwink.service.http.messages.answers import LegalAnswer
from hoodwink.service.http.messages.forms import ACTION_FORMS
from hoodwink.service.http.messages.job_answers import JobAnswer
from hoodwink.service.http.messages.jsonschema import json_schema
from hoodwink.service.http.messages.problems import MEDIA_TYPE, ProblemDocument
from hoodwink.service.http.messages.schemas import (
    EXPECTED_VERSION,
    Chosen,
    ExpectationSchema,
    options_schema,
    title_of,
)
from hoodwink.service.http.messages.standings_answers import RankedEntrant
from hoodwink.service.http.messages.streams import AtVersion, Messages

_REF: Final = "#/components/schemas/{name}"


def ref(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


def one_of(by: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Returns the schema for one of several components; the value of the field `by` picks it."""
    mapping = {value: _REF.format(name=name) for value, name in names.items()}
    return {**either(names.values()), "discriminator": {"propertyName": by, "mapping": mapping}}


def extended(base: str, own: Mapping[str, Any], required: Iterable[str]) -> dict[str, Any]:
    """Returns the schema of a base with fields of its own."""
    # Next to `allOf`, some generators would overlook them.
    return {"allOf": [ref(base), {"properties": dict(own), "required": list(required)}]}


def either(names: Iterable[str]) -> dict[str, Any]:
    """Returns the schema for one of many components. Each requires another value of the same field."""
    # A discriminator would repeat every name and value, and generators go by the required values, too.
    return {"oneOf": [ref(name) for name in names]}


class Components:
    """Collects the components that a description refers to."""

    def __init__(self, spec: APISpec) -> None:
        self._spec = spec
        self._types: dict[str, dict[str, Any]] = {}
        self._add("ExactNumber", _EXACT_NUMBER)
        self._add("ExpectedVersion", _EXPECTED_VERSION)
        self._add("Log", _LOG)
        self._add("RecordBase", _RECORD_BASE)

    def add_games(self) -> None:
        """Adds the views, actions and events of all games, and the schemas that combine them."""
        self.add_type(TableView)
        schemas = self._spec.components.schemas
        base = schemas["TableViewBase"] = schemas.pop("TableView")
        # Each game describes these in a form of its own.
        for field in ("game", "options", "view"):
            del base["properties"][field]
            base["required"].remove(field)
        for game in GAMES.values():
            self._add_views(game)
            self._add_actions(game)
        self._add(
            "TableView", one_of("game", {name: f"{title_of(game)}TableView" for name, game in GAMES.items()})
        )
        # Not `oneOf`: an action can have the same form in two games.
        self._add("Action", {"anyOf": [ref(f"{title_of(game)}Action") for game in GAMES.values()]})
        self._add("EventRecord", either(self._events()))

    def _add_views(self, game: Game[Any]) -> None:
        view = self.add_type(get_type_hints(game.view)["return"], prefix=title_of(game))
        name = _name_in(view)
        self._extend(name, "GameView")
        # In a request options may be missing; a view has them all.
        options = extended(_name_in(self.form(options_schema(game))), {}, game.options.__struct_fields__)
        fields = {"game": {"type": "string", "const": game.name}, "options": options, "view": view}
        described = f"A table of {game.title} at one version for one viewer."
        self._add(
            f"{title_of(game)}TableView",
            {**extended("TableViewBase", fields, fields), "description": described},
        )

    def _add_actions(self, game: Game[Any]) -> None:
        chosen = ACTION_FORMS[game.name].chosen
        self._add(f"{title_of(game)}Action", self.choice(chosen))
        for kind in game.actions:
            name = _name_in(self.form(chosen.schemas[tag_of(kind)]))
            self._spec.components.schemas[name]["x-refusals"] = list(map(str, kind.refusals))

    def add_tournaments(self) -> None:
        """Adds every event of tournaments, and the schema that combines them."""
        self._add("TournamentEventRecord", either([self._event("", kind) for kind in TOURNAMENT_EVENTS]))

    def extend_types(self) -> None:
        """Makes types refer to the fields of their base classes instead of repeating them."""
        for kind in _EXTENSIONS:
            (base,) = kind.__bases__
            self._extend(kind.__name__, base.__name__)

    def add_type(self, kind: Any, *, prefix: str = "") -> dict[str, Any]:
        """Adds a type and the types of its fields, with the prefix unless they exist already; returns its schema."""
        (schema,), parts = msgspec.json.schema_components((kind,), schema_hook=_exact, ref_template=_REF)
        names = {
            name: name if self._types.get(name) == part else self._name(f"{prefix}{name}", part)
            for name, part in parts.items()
        }
        for name, part in parts.items():
            self._add(names[name], answer_schema(name, part, names))
        return renamed(schema, names)

    def _name(self, name: str, part: dict[str, Any]) -> str:
        """Returns the name of a type; the second type of a name, which is one of tournaments, gets a prefix."""
        if self._types.setdefault(name, part) == part:
            return name
        assert not name.startswith(_OTHER), f"two types are called {name}"
        return self._name(f"{_OTHER}{name}", part)

    def messages(self, messages: Messages) -> dict[str, Any]:
        """Adds each message of a stream, and the schema that combines them; returns a reference to it."""
        names = {
            event: f"{'' if data is AtVersion else messages.name}{event.title().replace('_', '')}Message"
            for event, data in messages.data.items()
        }
        for event, data in messages.data.items():
            fields = {
                "event": {"type": "string", "const": event},
                **({"id": {"type": "string"}} if event not in messages.without_ids else {}),
                "data": self.add_type(data),
            }
            self._add(names[event], {"type": "object", "properties": fields, "required": list(fields)})
        combined = f"{messages.name}StreamMessage"
        self._add(combined, {"description": _MESSAGE, **either(names.values())})
        return ref(combined)

    def form(self, schema: Schema) -> dict[str, Any]:
        """Adds the form of a request; returns a reference to it."""
        name = type(schema).__name__.removesuffix("Schema") + ("" if _is_made(schema) else "Form")
        if name not in self._spec.components.schemas:
            self._spec.components.schema(name, schema=schema)
            described = self._spec.components.schemas[name]
            if text := (type(schema).__doc__ or "").strip():
                described["description"] = text  # apispec ignores docstrings
            if EXPECTED_VERSION in described["properties"]:
                described["properties"][EXPECTED_VERSION] = ref("ExpectedVersion")
            form_schema(described, enums_in(self._spec.components.schemas))
        return ref(name)

    def choice(self, chosen: Chosen) -> dict[str, Any]:
        """Adds each form of a choice; returns the schema of the choice."""
        return one_of(
            chosen.by, {value: _name_in(self.form(schema)) for value, schema in chosen.schemas.items()}
        )

    def forms(self, chosen: Chosen) -> dict[str, Any]:
        """Adds the form of each game, a base with the fields that all of them share, and the choice; returns a reference."""
        described = self.choice(chosen)
        names = [_name_in(form) for form in described["oneOf"]]
        game = next(iter(chosen.schemas))
        kind = names[0].removeprefix(title_of(GAMES[game]))
        if f"{kind}Form" in self._spec.components.schemas:  # another operation has the same body
            return ref(f"{kind}Form")
        first, *others = (self._spec.components.schemas[name] for name in names)
        shared = {
            field: schema
            for field, schema in first["properties"].items()
            if all(other["properties"].get(field) == schema for other in others)
        }
        # Without a base, a change of a shared field would change the description once per game.
        base = f"{kind}Base"
        required = [field for field in first["required"] if field in shared]
        self._add(base, {"type": "object", "properties": shared, "required": required})
        for name in names:
            self._extend(name, base)
        self._add(f"{kind}Form", described)
        return ref(f"{kind}Form")

    def _extend(self, name: str, base: str) -> None:
        """Makes a schema extend a base, and removes the fields that it inherits.

        A field that it narrows or describes in other words is its own.
        """
        schema, fields = (self._spec.components.schemas[each] for each in (name, base))
        inherited = {
            field
            for field, described in fields["properties"].items()
            if schema["properties"].get(field, {}) | described == described
        }
        own = {
            field: described
            for field, described in schema.pop("properties").items()
            if field not in inherited
        }
        required = [field for field in schema.pop("required") if field not in inherited]
        del schema["type"]
        if "additionalProperties" in schema:
            # `additionalProperties` does not see the fields of the base, and would forbid them. Not `false`, which is
            # the same, but which some generators refuse.
            del schema["additionalProperties"]
            schema["unevaluatedProperties"] = {"not": {}}
        self._spec.components.schemas[name] = {**extended(base, own, required), **schema}

    def add_codes(self, codes: Mapping[Code, Sequence[int]]) -> None:
        """Adds the list of all codes with their statuses and meanings, and the problem document."""
        meanings = [
            {"const": str(code), "description": f"{' or '.join(map(str, statuses))}: {code.meaning}"}
            for code, statuses in codes.items()
        ]
        self._add("ErrorCode", {"type": "string", "anyOf": meanings})
        self.add_type(ProblemDocument)
        members = self._spec.components.schemas["ProblemDocument"]["properties"]
        members["code"] = {"description": members["code"]["description"], **ref("ErrorCode")}

    def add_responses(self, common: Sequence[Code]) -> None:
        """Adds the responses that operations share; `common` are their codes."""
        job = {
            "description": "A job does the work, because it takes longer than a moment. View or follow the job at `Location`.",
            "content": {JSON: {"schema": self.add_type(JobAnswer)}},
            "headers": {"Location": _header("The address of the job.")},
        }
        problem = {
            "description": "The request was refused; `code` is the reason.",
            "content": {MEDIA_TYPE: {"schema": ref("ProblemDocument")}},
            "headers": {
                "WWW-Authenticate": _header("The authentication scheme to use; with 401."),
                "Retry-After": _header("Seconds to wait before the next attempt; with 429 and 503."),
            },
            "x-refusals": list(map(str, common)),
        }
        self._spec.components.responses |= {
            "JobBegun": job,
            "NotModified": {"description": "The client has this version already."},
            "Problem": problem,
        }

    def parameter(self, described: dict[str, Any], *scopes: str) -> str:
        """Adds a parameter, with a scope before its name if the name is taken; returns the component's name."""
        known = self._spec.components.parameters
        same = [name for name, other in known.items() if other == described]
        names = [described["name"], *(f"{scope}_{described['name']}" for scope in scopes)]
        # Generators spell names in their own way, such as `Format` for `format`.
        taken = {_spelt(other) for other in (*known, *self._spec.components.schemas)}
        name: str = next(name for name in (*same, *names) if name in same or _spelt(name) not in taken)
        known[name] = described
        return name

    def header(self, name: str, description: str) -> dict[str, Any]:
        """Adds the header of an answer; returns a reference to it."""
        self._spec.components.headers.setdefault(name, _header(description))
        return ref(name, "headers")

    def _events(self) -> Iterable[str]:
        """Adds each kind of event; yields its component."""
        for kind in TABLE_EVENTS:
            yield self._event("", kind)
        for game in GAMES.values():
            for kind in game.events:
                yield self._event(title_of(game), kind)

    def _event(self, prefix: str, kind: type[Event]) -> str:
        data = self.add_type(kind, prefix=prefix)
        name = f"{_name_in(data)}Record"
        own = {"type": {"const": kind.wire}, "data": data}
        self._add(name, extended("RecordBase", own, own))
        return name

    def _add(self, name: str, schema: dict[str, Any]) -> None:
        # Not `components.schema()` of apispec, which mistakes `"items": false` for the name of a schema.
        if name not in _ONLY_BASES:
            self._spec.components.schemas.setdefault(name, schema)


def _exact(kind: type) -> dict[str, Any]:
    """Returns the schema of an exact fraction, the only type in answers that msgspec cannot describe."""
    assert kind is Fraction, f"no schema for {kind!r}"
    return ref("ExactNumber")


def _is_made(schema: Schema) -> bool:
    return not type(schema).__name__.endswith("Schema")


def _spelt(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


def _name_in(reference: Mapping[str, Any]) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


_MESSAGE: Final = (
    "A message of the live stream: the name and the id of the server-sent event, and its data, which are sent as JSON. An "
    "event without a name is a `message`."
)
_EXTENSIONS: Final[tuple[type, ...]] = (FullSetup, LegalAnswer, RankedEntrant)
_ONLY_BASES: Final = frozenset({"Event"})
_EXACT_NUMBER: Final[dict[str, Any]] = {
    "type": "string",
    "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$",
    "description": "An exact number, such as `5/2`.",
}
_EXPECTED_VERSION: Final = json_schema(ExpectationSchema())["properties"][EXPECTED_VERSION]
_LOG: Final = {
    "type": "string",
    "description": "An exported log of a table or tournament, one JSON object per line.",
}
_RECORDED: Final[Mapping[str, Any]] = {
    "version": {"type": "integer", "description": "The number of the event in its history, from 1."},
    "at": {"type": "integer", "description": "Milliseconds since the epoch."},
    "by": {
        "type": "string",
        "description": "At a table `player:<seat>`, `bot:<seat>`, `host`, `worker` or `admin`; in a tournament "
        "`organiser`, `co_organiser:<id>`, `entrant:<id>`, `worker` or `admin`.",
    },
    "words": {"type": "string", "description": "A sentence; only with `include=words`."},
    "now": {"type": "integer", "description": "The service's clock, in ms; only in live streams of a table."},
}
_RECORD_BASE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "The fields of every event.",
    "properties": _RECORDED,
    "required": ["version", "at", "by"],
}

_OTHER: Final = "Tournament"
