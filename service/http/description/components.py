"""The components of the API's description: problems, answers, and the views, events and actions of all games."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import cleandoc
from typing import Any, Final, get_type_hints

import msgspec
from apispec import APISpec
from marshmallow import Schema

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Code, Event, Game, GameView
from hoodwink.domain.tables.events import TABLE_EVENTS
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS
from hoodwink.service.http.framework.operations import JSON
from hoodwink.service.http.messages.forms import ACTION_FORMS
from hoodwink.service.http.messages.job_answers import JobAnswer
from hoodwink.service.http.messages.jsonschema import json_schema
from hoodwink.service.http.messages.problems import MEDIA_TYPE, ProblemDocument
from hoodwink.service.http.messages.schemas import (
    EXPECTED_VERSION,
    Chosen,
    ExpectationSchema,
    tag_of,
    title_of,
    without_rule_ids,
)

_REF: Final = "#/components/schemas/{name}"
_ATTRIBUTE: Final = re.compile(r"^ {4}([a-z_, ]+): ")


def ref(name: str, kind: str = "schemas") -> dict[str, Any]:
    return {"$ref": f"#/components/{kind}/{name}"}


def one_of(by: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Returns the schema for one of several components; the value of the field `by` picks it."""
    mapping = {value: _REF.format(name=name) for value, name in names.items()}
    return {
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {"propertyName": by, "mapping": mapping},
    }


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
        self.add_type(GameView)
        schemas = self._spec.components.schemas
        schemas["ViewBase"] = schemas.pop("GameView")  # the name is for the combined views of all games
        for game in GAMES.values():
            self._add_view(game)
            self._add_actions(game)
        titles = [title_of(game) for game in GAMES.values()]
        # Not `oneOf`: an action can have the same form in two games.
        self._add("GameView", {"anyOf": [ref(f"{title}View") for title in titles]})
        self._add("Action", {"anyOf": [ref(f"{title}Action") for title in titles]})
        self._add("EventRecord", one_of("type", dict(self._events())))

    def _add_view(self, game: Game[Any]) -> None:
        name = _name_in(self.add_type(get_type_hints(game.view)["return"], prefix=title_of(game)))
        base = self._spec.components.schemas["ViewBase"]["properties"]
        own = self._spec.components.schemas[name]["properties"]
        # A game may narrow a field of the base, which it then has to describe again.
        self._extend(name, "ViewBase", [field for field in base if own[field] | base[field] == base[field]])

    def _add_actions(self, game: Game[Any]) -> None:
        chosen = ACTION_FORMS[game.name].chosen
        self._add(f"{title_of(game)}Action", self.choice(chosen))
        for kind in game.actions:
            name = _name_in(self.form(chosen.schemas[tag_of(kind)]))
            self._spec.components.schemas[name]["x-refusals"] = list(map(str, kind.refusals))

    def add_tournaments(self) -> None:
        """Adds every event of tournaments, and the schema that combines them."""
        kinds = {kind.wire: self._event("", kind) for kind in TOURNAMENT_EVENTS}
        self._add("TournamentEventRecord", one_of("type", kinds))

    def add_type(self, kind: Any, *, prefix: str = "") -> dict[str, Any]:
        """Adds a type and the types of its fields, with the prefix unless they exist already; returns its schema."""
        (schema,), parts = msgspec.json.schema_components((kind,), schema_hook=_exact, ref_template=_REF)
        names = {
            name: name if self._types.get(name) == part else self._name(f"{prefix}{name}", part)
            for name, part in parts.items()
        }
        for name, part in parts.items():
            self._add(names[name], _renamed(_explained(part), names))
        renamed: dict[str, Any] = _renamed(schema, names)
        return renamed

    def _name(self, name: str, part: dict[str, Any]) -> str:
        """Returns the name of a type; the second type of a name, which is one of tournaments, gets a prefix."""
        if self._types.setdefault(name, part) == part:
            return name
        assert not name.startswith(_OTHER), f"two types are called {name}"
        return self._name(f"{_OTHER}{name}", part)

    def form(self, schema: Schema) -> dict[str, Any]:
        """Adds the form of a request; returns a reference to it."""
        name = type(schema).__name__.removesuffix("Schema") + ("" if _is_made(schema) else "Form")
        if name not in self._spec.components.schemas:
            self._spec.components.schema(name, schema=schema)
            described = self._spec.components.schemas[name]
            described["description"] = (type(schema).__doc__ or "").strip()  # apispec ignores docstrings
            if EXPECTED_VERSION in described["properties"]:
                described["properties"][EXPECTED_VERSION] = ref("ExpectedVersion")
        return ref(name)

    def choice(self, chosen: Chosen) -> dict[str, Any]:
        """Adds each form of a choice; returns the schema of the choice."""
        return one_of(
            chosen.by, {value: _name_in(self.form(schema)) for value, schema in chosen.schemas.items()}
        )

    def forms(self, chosen: Chosen) -> dict[str, Any]:
        """Adds the form of each game, and a base with the fields that all of them share."""
        described = self.choice(chosen)
        names = [_name_in(form) for form in described["oneOf"]]
        first, *others = (self._spec.components.schemas[name] for name in names)
        shared = {
            field: schema
            for field, schema in first["properties"].items()
            if all(other["properties"].get(field) == schema for other in others)
        }
        # Without a base, a change of a shared field would change the description once per game.
        game = next(iter(chosen.schemas))
        base = f"{names[0].removeprefix(title_of(GAMES[game]))}Base"
        required = [field for field in first["required"] if field in shared]
        self._add(base, {"type": "object", "properties": shared, "required": required})
        for name in names:
            self._extend(name, base, shared)
        return described

    def _extend(self, name: str, base: str, inherited: Collection[str]) -> None:
        """Makes a schema extend a base, and removes the fields that it inherits."""
        schema = self._spec.components.schemas[name]
        schema["properties"] = {
            field: own for field, own in schema["properties"].items() if field not in inherited
        }
        schema["required"] = [field for field in schema["required"] if field not in inherited]
        if "additionalProperties" in schema:
            # `additionalProperties` does not see the fields of the base, and would forbid them.
            schema["unevaluatedProperties"] = schema.pop("additionalProperties")
        self._spec.components.schemas[name] = {"allOf": [ref(base)], **schema}

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
        name: str = next(name for name in (*same, *names) if name in same or name not in known)
        known[name] = described
        return name

    def header(self, name: str, description: str) -> dict[str, Any]:
        """Adds the header of an answer; returns a reference to it."""
        self._spec.components.headers.setdefault(name, _header(description))
        return ref(name, "headers")

    def _events(self) -> Iterable[tuple[str, str]]:
        """Adds each kind of event; yields its wire name and its component."""
        for kind in TABLE_EVENTS:
            yield kind.wire, self._event("", kind)
        for game in GAMES.values():
            for kind in game.events:
                yield kind.wire, self._event(title_of(game), kind)

    def _event(self, prefix: str, kind: type[Event]) -> str:
        data = self.add_type(kind, prefix=prefix)
        name = f"{_name_in(data)}Record"
        own = {"type": {"const": kind.wire}, "data": data}
        self._add(name, {"allOf": [ref("RecordBase")], "properties": own, "required": list(own)})
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


def _header(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


def _name_in(reference: Mapping[str, Any]) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


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
        "`organiser`, `entrant:<id>`, `worker` or `admin`.",
    },
    "words": {"type": "string", "description": "A sentence; only with `include=words`."},
}
_RECORD_BASE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "The fields of every event.",
    "properties": _RECORDED,
    "required": ["version", "at", "by"],
}

_OTHER: Final = "Tournament"


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """Returns the schema with references to the components by these names."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return schema | ref(names.get(name, name))
        # Titles only repeat names. A schema under that key is not a title, but describes a property `title`.
        renamed = {
            key: _renamed(value, names)
            for key, value in schema.items()
            if key != "title" or not isinstance(value, str)
        }
        return _with_null_as_type(renamed)
    # The default of a tuple is still a tuple here, and JSON has only lists.
    return [_renamed(item, names) for item in schema] if isinstance(schema, list | tuple) else schema


def _with_null_as_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema of a plain value or `null` with a list of types instead of two alternatives.

    >>> _with_null_as_type({"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None})
    {'type': ['integer', 'null'], 'default': None}
    """
    match schema.get("anyOf"):
        case [{"type": str(plain), **more}, {"type": "null"}] if not more:
            del schema["anyOf"]
            return {"type": [plain, "null"], **schema}
    return schema


def _explained(schema: dict[str, Any]) -> dict[str, Any]:
    """Moves the `Attributes` of a docstring to the fields that they explain."""
    # `cleandoc`, because Python itself removes the indentation of docstrings only since 3.13.
    summary, _, attributes = cleandoc(schema.get("description", "")).partition("Attributes:\n")
    explained = {**schema, "description": _prose(summary)}
    if "properties" in schema:
        explained["properties"] = {name: dict(described) for name, described in schema["properties"].items()}
    for names, text in _attributes(attributes):
        for name in names:
            if name in schema.get("properties", {}):
                explained["properties"][name]["description"] = text
    return explained


def _attributes(text: str) -> Iterable[tuple[list[str], str]]:
    """Yields the names and the explanation in each paragraph."""
    for paragraph in re.split(r"\n(?= {4}[a-z_])", "\n" + text):
        found = _ATTRIBUTE.match(paragraph)
        if found:
            explanation = _prose(paragraph[found.end() :])
            yield found[1].split(", "), explanation[:1].upper() + explanation[1:]


def _prose(text: str) -> str:
    """Returns the text of a docstring for clients: on one line, without rule ids, with `null` for `None`."""
    return without_rule_ids(" ".join(text.split())).replace("`None`", "`null`")
