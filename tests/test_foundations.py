"""The libraries used by every request have version bounds, are tested in their newest version, and used only publicly."""

import ast
import re
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.test_packaging import FOLDERS, ROOT, RUNS, locked, named, required

FOUNDATIONS = ("celery", "flask", "granian", "greenlet", "hiredis", "kombu", "redis", "uvloop", "werkzeug")
NOT_FOR_SUBCLASSES = {"flask", "granian", "hiredis", "redis", "werkzeug"}
"""Greenlets are designed for subclassing; their internal calls vary."""

INNER = {"connection_class", "connection_kwargs", "nodes_manager", "response_callbacks", "url_map_class"}
"""Attributes without underscore that are undocumented in redis-py or Flask."""

OWN = {"cls", "self", "super()"}
DOCUMENTED = {"_exit", "_replace"}
"""Underscore names documented by Python, in `os` and named tuples; those of enumerations also end with one."""

SETTINGS = {"request.max_content_length", "sys.excepthook", "threading.excepthook"}
"""Attributes assigned by applications according to the documentation of Flask and Python."""

MODULES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


TRIED = locked(RUNS)


@pytest.mark.parametrize("name", FOUNDATIONS)
def test_version_bounds_allow_the_newest_tried_but_not_the_next_major(name):
    (requirement,) = [text for text in required("service") if named(text) == name]
    bounds = re.fullmatch(rf"{name}>=([\d.]+),<(\d+)", requirement)
    assert bounds is not None, requirement

    assert numbers(bounds[1]) <= numbers(TRIED[name])
    assert numbers(TRIED[name])[0] + 1 == int(bounds[2])


@pytest.mark.parametrize("name", FOUNDATIONS)
def test_the_installed_version_is_not_newer_than_the_one_tried(name):
    """To update, run all tests with the newer version, and then `make lock`."""
    assert numbers(version(name)) <= numbers(TRIED[name])


def foreign(nodes: list[ast.AST]) -> dict[str, str]:
    """Returns the names imported by a module with the full names of their objects."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: alias.name for alias in node.names}
    return found


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in DOCUMENTED


def private_attributes(nodes: list[ast.AST]) -> set[str]:
    """Returns the underscore attributes of other objects used by a module."""
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    by_name = [
        call for call in calls(nodes, "delattr", "getattr", "hasattr", "setattr") if len(call.args) > 1
    ]
    return {
        ast.unparse(node)
        for node in attributes
        if is_private(node.attr) and ast.unparse(node.value) not in OWN
    } | {ast.unparse(call) for call in by_name if is_private(ast.unparse(call.args[1]).strip("'"))}


def calls(nodes: list[ast.AST], *functions: str) -> list[ast.Call]:
    return [
        node
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
    ]


def assigned(nodes: list[ast.AST], imported: dict[str, str]) -> set[str]:
    """Returns the attributes of imported names assigned or deleted by a module."""
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    targets = [
        *(ast.unparse(node) for node in attributes if isinstance(node.ctx, ast.Store | ast.Del)),
        *(ast.unparse(call.args[0]) for call in calls(nodes, "delattr", "setattr")),
    ]
    return {target for target in targets if target.partition(".")[0] in imported} - SETTINGS


def leanings(path: Path) -> set[str]:
    """Returns a module's uses of non-public parts: names, attributes, and overridden classes."""
    nodes = [*ast.walk(ast.parse(path.read_text()))]
    imported = foreign(nodes)
    bases = [base for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases]
    full = [imported.get(ast.unparse(base).partition(".")[0], "") for base in bases]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    private = {
        name for name in imported.values() if is_of(FOUNDATIONS, name) and re.search(r"(^|\.)_(?!_)", name)
    }
    overridden = {name for name in full if is_of(NOT_FOR_SUBCLASSES, name)}
    return private | overridden | attributes & INNER | private_attributes(nodes) | assigned(nodes, imported)


def is_of(packages: Iterable[str], name: str) -> bool:
    return name.partition(".")[0] in packages


def test_only_public_names_are_used_and_no_class_is_overridden():
    assert {str(path): found for path in MODULES if (found := leanings(path))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from redis._parsers.helpers import parse_stream_list",
        "from flask import Flask\nclass Lean(Flask): ...",
        "import flask\nclass Lean(flask.Flask): ...",
        "client.nodes_manager.initialize()",
        "from flask import Flask\nFlask.dispatch_request = fast",
        "import flask\nflask.Flask.dispatch_request = fast",
        "import flask\ndel flask.Flask.dispatch_request",
        "from flask import Flask\nsetattr(Flask, 'dispatch_request', fast)",
        "app._got_first_request = True",
        "connection._parser.x()",
        "pool._available_connections.clear()",
        "self._client._parser.x()",
        "getattr(connection, '_parser').x()",
    ],
)
def test_a_use_of_a_private_name_is_found(text, tmp_path):
    (tmp_path / "module.py").write_text(text)

    assert leanings(tmp_path / "module.py")


@pytest.mark.parametrize(
    "text",
    [
        "self._parts.clear()",
        "super()._count(1)",
        "answer._replace(body=body)",
        "from flask import request\nrequest.path",
    ],
)
def test_uses_of_own_and_public_names_are_allowed(text, tmp_path):
    (tmp_path / "module.py").write_text(text)

    assert leanings(tmp_path / "module.py") == set()
