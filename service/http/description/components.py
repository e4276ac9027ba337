"""The components of the API's description: problems, answers, and every game's views, events and actions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import cleandoc
from typing import Any, Final, get_type_hints

import msgspec
from apispec import APISpec
from marshmallow import Schema

from domain.games import GAMES
from domain.kernel import Code, Event, Game, GameView
from domain.tables.events import TABLE_EVENTS
from domain.tournaments.life.events import TOURNAMENT_EVENTS
from service.http.messages.forms import ACTION_FORMS
from service.http.messages.problems import MEDIA_TYPE, ProblemDocument, phrase_of
from service.http.messages.schemas import Chosen, tag_of, title_of, without_rule_ids

_REF: Final = "#/components/schemas/{name}"
_ATTRIBUTE: Final = re.compile(r"^ {4}([a-z_, ]+): ")


def ref(name: str) -> dict[str, Any]:
    """Returns a reference to a component."""
    return {"$ref": _REF.format(name=name)}


def one_of(by: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Returns the schema of one of several components, selected by the value of a field."""
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

    def add_games(self) -> None:
        """Adds every game's view, actions and events, and the schemas that combine those of all games."""
        self.add_type(GameView)
        for game in GAMES.values():
            self._add_view(game)
            self._add_actions(game)
        titles = [title_of(game) for game in GAMES.values()]
        self._spec.components.schemas["GameView"]["anyOf"] = [ref(f"{title}View") for title in titles]
        self._add("Action", {"anyOf": [ref(f"{title}Action") for title in titles]})
        self._add("EventRecord", one_of("type", dict(self._events())))

    def _add_view(self, game: Game[Any]) -> None:
        """Adds the view of a game; fields that it only inherits are explained by the base of all views."""
        name = self.add_type(get_type_hints(game.view)["return"], prefix=title_of(game))["$ref"].rpartition(
            "/"
        )[2]
        schemas = self._spec.components.schemas
        for field, described in schemas["GameView"]["properties"].items():
            own = schemas[name]["properties"][field]
            own.setdefault("description", described["description"])

    def _add_actions(self, game: Game[Any]) -> None:
        chosen = ACTION_FORMS[game.name].chosen
        self._add(f"{title_of(game)}Action", self.choice(chosen))
        for kind in game.actions:
            name = self.form(chosen.schemas[tag_of(kind)])["$ref"].rpartition("/")[2]
            self._spec.components.schemas[name]["x-refusals"] = list(map(str, kind.refusals))

    def add_tournaments(self) -> None:
        """Adds every event of tournaments, and the schema that combines them."""
        kinds = {kind.wire: self._event("", kind) for kind in TOURNAMENT_EVENTS}
        self._add("TournamentEventRecord", one_of("type", kinds))

    def add_type(self, kind: Any, *, prefix: str = "") -> dict[str, Any]:
        """Adds a type and the types of its fields, without the prefix if they are there already; returns its schema."""
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
        """Returns the name of a type; a second type of the same name, one of tournaments, gets a prefix."""
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
            described["description"] = (type(schema).__doc__ or "").strip()
        return ref(name)

    def choice(self, chosen: Chosen) -> dict[str, Any]:
        """Adds each form of a choice; returns the schema of the choice."""
        forms = {
            value: self.form(schema)["$ref"].rpartition("/")[2] for value, schema in chosen.schemas.items()
        }
        return one_of(chosen.by, forms)

    def add_codes(self, codes: Mapping[Code, Sequence[int]]) -> None:
        """Adds the list of all codes with their statuses and meanings, and the document that has one."""
        meanings = [
            {"const": str(code), "description": f"{' or '.join(map(str, statuses))}: {code.meaning}"}
            for code, statuses in codes.items()
        ]
        self._add("ErrorCode", {"type": "string", "anyOf": meanings})
        self.add_type(ProblemDocument)
        self._spec.components.schemas["ProblemDocument"]["properties"]["code"]["$ref"] = ref("ErrorCode")[
            "$ref"
        ]

    def problem(self, status: int, codes: Sequence[Code]) -> dict[str, Any]:
        """Returns the response of a problem with that status; a single code becomes a component of that name."""
        schema = ref("ProblemDocument") | {"properties": {"code": {"enum": list(map(str, codes))}}}
        described: dict[str, Any] = {
            "description": phrase_of(status),
            "content": {MEDIA_TYPE: {"schema": schema}},
            **_PROBLEM_HEADERS.get(status, {}),
        }
        if len(codes) > 1:
            return described
        name = codes[0].title().replace("_", "")
        if name not in self._spec.components.responses:
            self._spec.components.response(name, described)
        assert self._spec.components.responses[name] == described, f"{name} has two statuses"
        return {"$ref": f"#/components/responses/{name}"}

    def _events(self) -> Iterable[tuple[str, str]]:
        """Adds each kind of event; yields its wire name and its component."""
        for kind in TABLE_EVENTS:
            yield kind.wire, self._event("", kind)
        for game in GAMES.values():
            for kind in game.events:
                yield kind.wire, self._event(title_of(game), kind)

    def _event(self, prefix: str, kind: type[Event]) -> str:
        data = self.add_type(kind, prefix=prefix)
        name = f"{data['$ref'].rpartition('/')[2]}Record"
        members = {
            "version": {"type": "integer", "description": "The number of the event in its history, from 1."},
            "type": {"const": kind.wire},
            "at": {"type": "integer", "description": "Milliseconds since the epoch."},
            "by": {"type": "string", "description": _ASKERS[kind in TOURNAMENT_EVENTS]},
            "data": data,
        }
        words = {"type": "string", "description": "A sentence; only with `include=words`."}
        described = {**members, "words": words}
        self._add(name, {"type": "object", "properties": described, "required": list(members)})
        return name

    def _add(self, name: str, schema: dict[str, Any]) -> None:
        # Not `components.schema()` of apispec, which takes `"items": false` for the name of a schema.
        if name not in _ONLY_BASES:
            self._spec.components.schemas.setdefault(name, schema)


def _exact(kind: type) -> dict[str, Any]:
    """Returns the schema of an exact fraction, the only type of answers that msgspec cannot describe."""
    assert kind is Fraction, f"no schema for {kind!r}"
    return {
        "type": "string",
        "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$",
        "description": "An exact number, such as `5/2`.",
    }


def _is_made(schema: Schema) -> bool:
    return not type(schema).__name__.endswith("Schema")


def _header(name: str, description: str) -> dict[str, Any]:
    return {"headers": {name: {"description": description, "schema": {"type": "string"}}}}


_PROBLEM_HEADERS: Final[Mapping[int, dict[str, Any]]] = {
    401: _header("WWW-Authenticate", "The authentication scheme to use."),
    429: _header("Retry-After", "Seconds to wait before the next attempt."),
    503: _header("Retry-After", "Seconds to wait before the next attempt."),
}

_ONLY_BASES: Final = frozenset({"Event"})
_ASKERS: Final = (
    "`player:<seat>`, `bot:<seat>`, `host`, `worker` or `admin`.",
    "`organiser`, `entrant:<id>`, `worker` or `admin`.",
)
"""The possible causes of an event at a table, and in a tournament."""

_OTHER: Final = "Tournament"


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """Returns the schema with its references pointing at the components of those names."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return schema | ref(names[name])
        # A title is a text; a schema under that key describes a property of that name.
        return {
            key: _renamed(value, names)
            for key, value in schema.items()
            if key != "title" or not isinstance(value, str)
        }
    # The default of a tuple is still a tuple here; JSON schema has only lists.
    return [_renamed(item, names) for item in schema] if isinstance(schema, list | tuple) else schema


def _explained(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns the schema with a docstring's `Attributes` moved to the fields that they explain."""
    # `cleandoc`, because Python removes the indentation of docstrings by itself only from 3.13 on.
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
    """Yields the names and the explanation of each paragraph."""
    for paragraph in re.split(r"\n(?= {4}[a-z_])", "\n" + text):
        found = _ATTRIBUTE.match(paragraph)
        if found:
            explanation = _prose(paragraph[found.end() :])
            yield found[1].split(", "), explanation[:1].upper() + explanation[1:]


def _prose(text: str) -> str:
    """Returns a text of a docstring for clients: on one line, without rule ids, with `null` for `None`."""
    return without_rule_ids(" ".join(text.split())).replace("`None`", "`null`")
