"""The description of the API is up to date, valid and true."""

import gzip
import re
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, settings

from hoodwink.domain.games import GAMES
from hoodwink.service.application.players.player_lookup import ID_PATTERN
from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import document
from hoodwink.service.http.description.simplified import SPARSE
from hoodwink.service.http.framework.operations import Access
from tests.service.http.api import new_api
from tests.service.http.cup import Cup
from tests.service.http.refused.listed import OPERATIONS

ROOT = Path(__file__).parents[3]


class Described(NamedTuple):
    """The description of an API that has tables and tournaments, and the token of a player who takes part in them."""

    schema: Any
    token: str | None


@pytest.fixture(scope="module")
def described():
    import schemathesis

    schemathesis.serializer("application/x-ndjson")(lines)
    api = new_api()
    ada, bob = api.person("Ada"), api.person("Bob")
    playing, over, waiting = (
        api.playing(ada, bob),
        api.table(ada, bob),
        api.table(ada, bots=1, game="shithead"),
    )
    ada.close(over)
    tables = [path.rpartition("/")[2] for path in (playing, over, waiting)]
    imported = api.service.imports.add(min((ROOT / "tests" / "golden").glob("blindside-*.log")).read_bytes())

    cups = [Cup(api, ada) for _ in range(4)]
    _, entering, running, finished = cups
    entering.enter(bob)
    for cup in (running, finished):
        cup.start(ada, bob, bots=2).play_round()
    running.pair()
    finished.cancel()

    schema = schemathesis.openapi.from_wsgi("/openapi.json", api.app)
    for check in (
        schema.config.checks.positive_data_acceptance,
        schema.config.checks.negative_data_rejection,
    ):
        # Refusals by the rules, stale versions and missing live streams (they need a server) are not the description's fault.
        check.expected_statuses = [*check.expected_statuses, "406", "412", "422"]
    # A text that is too long may make the whole body too large.
    schema.config.checks.negative_data_rejection.expected_statuses.append("413")

    @schema.hook
    def map_query(_context, query):
        """Drops parameters the description cannot rule out: those of live streams, and those excluded for earlier versions."""
        for name in ("with", *(("include",) if "version" in (query or {}) else ())):
            (query or {}).pop(name, None)
        if "legal_actions" in str((query or {}).get("include")) and {"cursor", "limit"} & query.keys():
            del query["include"]
        return query

    @schema.hook
    def map_path_parameters(_context, path_parameters):
        """Replaces half of the ids of tables, imports and tournaments by existing ones."""
        named = str((path_parameters or {}).get("import_id"))
        if path_parameters and re.fullmatch(ID_PATTERN, named) and len(named) % 2:
            path_parameters["import_id"] = imported
        named = str((path_parameters or {}).get("table_id"))
        if path_parameters and re.fullmatch(ID_PATTERN, named) and len(named) % 6 < len(tables):
            path_parameters["table_id"] = tables[len(named) % 6]
        named = str((path_parameters or {}).get("tournament_id"))
        if path_parameters and re.fullmatch(ID_PATTERN, named) and len(named) % 2:
            _name_in_tournament(path_parameters, cups[len(named) // 2 % 4].id, ada.id)
        return path_parameters

    @schema.hook
    def filter_case(_context, case):
        """Drops bodies that violate the schema of a text only before they are sent: all bytes are a text."""
        return case.media_type != "application/x-ndjson" or isinstance(case.body, str | bytes)

    return Described(schema, ada.token)


def _name_in_tournament(path_parameters, tournament, entrant):
    path_parameters["tournament_id"] = tournament
    for name in path_parameters.keys() & {"round", "board", "sitting", "entrant"}:
        if isinstance(path_parameters[name], int):
            path_parameters[name] = max(1, path_parameters[name]) % 3
    if re.fullmatch("[a-z0-9:]{1,40}", str(path_parameters.get("entrant_id"))):
        path_parameters["entrant_id"] = (entrant, "bot:1")[len(path_parameters["entrant_id"]) % 2]


def is_value_of_another(path):
    """Returns whether the path is also a value of another one, whose methods it then has, too: `/passkeys/options`."""
    others = {operation.path for operation in OPERATIONS.values()} - {path}
    return any(re.fullmatch(re.sub(r"\{\w+\}", "[^/{}]+", other), path) for other in others)


def lines(_context, value):
    return value if isinstance(value, bytes) else str(value).encode()


MAX_ALIKE = 1
"""The cases of one operation that break, or keep, the same rule in the same part of the request."""


def kind_of(case):
    """Returns what cases of an operation have in common that are unlikely to find different faults."""
    data = case.meta.phase.data
    return case.meta.phase.name, *(getattr(data, name, None) for name in ("scenario", "parameter_location"))


def unlike(examples):
    """Yields the last examples of each kind; Hypothesis would spend as long on each of the others as on a request."""
    known = Counter[Any]()
    for example in reversed(examples):
        kind = kind_of(example.kwargs["case"])
        known[kind] += 1
        if known[kind] <= MAX_ALIKE:
            yield example


def checks_of(operation):
    """Returns what decides which requests are made for an operation, and which of them are refused unread."""
    is_alone = operation.method == "GET" and "{" not in operation.path
    declared = operation.method, operation.access, type(operation.body), type(operation.query)
    return operation.path if is_alone else declared


LABELS = {name: f"{operation.method} {operation.path}" for name, operation in OPERATIONS.items()}
DIFFERENT = {checks_of(OPERATIONS[name]): label for name, label in reversed(LABELS.items())}.values()
"""The first of all operations with the same checks; `test_examples` compares the answers of each with its schema."""


# Its cases are made here and not when tests are collected, which every test process does.
@pytest.mark.parametrize(
    ("label", "is_thorough"),
    [
        *[(label, False) for label in DIFFERENT],
        *[pytest.param(label, True, marks=pytest.mark.campaign) for label in LABELS.values()],
    ],
)
def test_the_api_behaves_as_described(described, label, is_thorough):
    from schemathesis.generation.hypothesis.builder import (
        HypothesisTestConfig,
        HypothesisTestMode,
        create_test,
    )
    from schemathesis.specs.openapi.checks import allow_header_conformance, unsupported_method

    excluded = (
        [unsupported_method, allow_header_conformance] if is_value_of_another(label.partition(" ")[2]) else []
    )

    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
    def behaves(case):
        # Flask's test client decodes nothing.
        case.call_and_validate(
            headers={"Authorization": f"Bearer {described.token}", "Accept-Encoding": "identity"},
            excluded_checks=excluded,
        )

    # Boundary values and one broken rule at a time. Random cases are for the campaign: most of their time goes into drawing them.
    modes = list(HypothesisTestMode) if is_thorough else [HypothesisTestMode.COVERAGE]
    cases = HypothesisTestConfig(project=described.schema.config, modes=modes)
    operation = described.schema.find_operation_by_label(label)
    test: Any = create_test(operation=operation, test_func=behaves, config=cases)
    assert test.hypothesis_explicit_examples
    if not is_thorough:
        test.hypothesis_explicit_examples = list(unlike(test.hypothesis_explicit_examples))
    test()


def test_the_committed_description_is_up_to_date(api):
    assert committed().encode() == api.spectator.get("/openapi.yaml").data


def committed():
    return (ROOT / "openapi.yaml").read_text(encoding="utf-8")


def test_the_description_is_valid_openapi_3_1():
    from openapi_spec_validator import validate

    validate(document(API))
    assert document(API)["openapi"].startswith("3.1.")


def test_the_api_has_the_version_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert document(API)["info"]["version"] == project["version"]


def test_operations_say_whose_token_they_take():
    described = document(API)
    tokens: dict[Access, Any] = {
        Access.OPEN: [],
        Access.OPTIONAL: [{}, {"token": []}],
        Access.PLAYER: [{"token": []}],
        Access.ADMINISTRATOR: [{"administrator": []}],
    }
    for declared in OPERATIONS.values():
        operation = described["paths"][declared.path][declared.method.lower()]
        assert operation.get("security", described["security"]) == tokens[declared.access], declared.path


def test_only_ratings_accept_bot_names_as_player_ids():
    known = document(API)["components"]["parameters"]
    for path, item in document(API)["paths"].items():
        for reference in (parameter for of in item.values() for parameter in of.get("parameters", ())):
            parameter = known[reference["$ref"].rpartition("/")[2]]
            if parameter["name"] == "player_id":
                is_described = re.fullmatch(parameter["schema"]["pattern"], "steady@1") is not None
                assert is_described == ("/ratings" in path), path


def test_every_required_field_is_in_the_schema():
    schemas = document(API)["components"]["schemas"]

    assert [
        (path, field)
        for path, schema in schemas_in(schemas)
        if "properties" in schema
        and isinstance(schema.get("required"), list)
        and not path.endswith("/allOf/1")
        for field in schema["required"]
        if field not in schema["properties"]
    ] == []
    assert all(
        "title" in schemas[name]["required"] for name in ("ProblemDocument", "GameAnswer", "GameSummary")
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_view_of_a_table_is_discriminated_by_its_game(game):
    schemas = document(API)["components"]["schemas"]
    discriminator = schemas["TableView"]["discriminator"]

    _, _, name = discriminator["mapping"][game.name].rpartition("/")
    _, own = schemas[name]["allOf"]
    fields = own["properties"]

    assert discriminator["propertyName"] == "game"
    assert fields["game"]["const"] == game.name
    assert fields["view"]["$ref"].endswith(f"/{name.removesuffix('TableView')}View")
    assert fields["options"]["allOf"][1]["required"] == list(game.options.__struct_fields__)


def test_only_two_types_of_answers_leave_out_defaults():
    """`simplified.py` describes the fields of all others as required."""
    sparse, known = set(), [msgspec.Struct]
    while known:
        kinds = known.pop().__subclasses__()
        sparse |= {kind for kind in kinds if kind.__struct_config__.omit_defaults}
        known += kinds

    assert {kind.__name__ for kind in sparse if kind.__module__.startswith("hoodwink.")} == SPARSE


def test_no_schema_has_a_form_that_generators_refuse():
    for path, schema in schemas_in(document(API)):
        types = schema.get("type")
        assert "prefixItems" not in schema, path
        assert "allOf" not in schema or "properties" not in schema, path
        assert "items" in schema or "array" not in ([types] if isinstance(types, str) else types or ()), path
        assert len(schema.get("enum", "many")) > 1, path
        assert not any(schema.get(key) is False for key in ("items", "unevaluatedProperties")), path


def schemas_in(part, path=""):
    """Yields every object in the description with its place."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from schemas_in(item, f"{path}/{index}")
    elif isinstance(part, dict):
        yield path, part
        for name, inner in part.items():
            if name not in ("example", "examples"):
                yield from schemas_in(inner, f"{path}/{name}")


def test_no_description_is_empty():
    schemas = document(API)["components"]["schemas"]

    assert [name for name, schema in schemas.items() if schema.get("description") == ""] == []


def test_the_description_has_no_python_terms_or_rule_ids():
    assert re.findall(r"`None`|\b[A-Z]{1,2}-\d+[a-z]?\b", committed()) == []


def test_game_descriptions_have_no_rule_ids(api):
    answers = [api.spectator.get(f"/v1/games/{game}").json for game in GAMES]
    meanings = [part["meaning"] for answer in answers for part in (*answer["options"], *answer["actions"])]

    assert [meaning for meaning in meanings if re.search(r"\b[A-Z]{1,2}-\d", meaning)] == []


def test_every_status_of_a_seed_is_explained():
    status = document(API)["components"]["schemas"]["SeedStatus"]

    assert [value for value in status["enum"] if f"`{value}`: " not in status["description"]] == []


def test_the_description_is_served_as_json_and_as_yaml(api):
    assert api.spectator.get("/openapi.json").json == document(API)
    assert yaml.load(api.spectator.get("/openapi.yaml").data, yaml.CSafeLoader) == document(API)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_action_of_every_game_is_described(game):
    schemas = document(API)["components"]["schemas"]
    title = game.name.title().replace("_", "")

    discriminator = schemas[f"{title}Action"]["discriminator"]

    assert discriminator["propertyName"] == "type"
    assert list(discriminator["mapping"]) == [kind.__struct_config__.tag for kind in game.actions]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_option_is_described_with_default_and_meaning(game):
    schemas = document(API)["components"]["schemas"]
    options = schemas[f"{game.name.title().replace('_', '')}Options"]["properties"]

    assert list(options) == list(game.options.__struct_fields__)
    for name, option in options.items():
        default = getattr(game.options(), name)
        default = str(default) if isinstance(default, Fraction) else default
        meaning, _, said = option["description"].rpartition("Default: ")
        assert meaning
        assert said == f"`{msgspec.json.encode(default).decode()}`.", name


@pytest.mark.parametrize("path", ["/openapi.json", "/openapi.yaml"])
def test_the_description_is_compressed_on_request(api, path):
    plain = api.spectator.get(path)
    zipped = api.spectator.get(path, headers={"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in plain.headers
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == zipped.headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(zipped.data) == plain.data
