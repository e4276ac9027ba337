"""Compares every problem in a test with its operation's list of codes."""

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import Operation, declared
from hoodwink.service.http.framework.refusals import UNROUTED, refusals_of
from hoodwink.service.http.messages.problems import refusal

_DECLARED: Final = [(resource, *named) for resource in API for named in declared(resource)]
OPERATIONS: Final[dict[str, Operation]] = {name: operation for _, name, operation in _DECLARED}
RESOURCES: Final = {name: resource for resource, name, _ in _DECLARED}

_ROUTES: Final = {
    name: re.compile(f"{operation.method} " + re.sub(r"{\w+}", "[^/]+", operation.path))
    for name, operation in OPERATIONS.items()
}
_LISTED: Final = {name: set(refusals_of(operation)) for name, operation in OPERATIONS.items()}
_UNROUTED: Final = set(map(refusal, UNROUTED))


@lru_cache(10_000)
def operation_at(method: str, path: str) -> str | None:
    """Returns the name of the operation for a request, if there is one."""
    asked = f"{method.replace('HEAD', 'GET')} {unquote(urlsplit(path).path)}"
    return next((name for name, route in _ROUTES.items() if route.fullmatch(asked)), None)


def check_listed(method: str, path: str, status: int, body: bytes) -> None:
    """Asserts that the operation lists the code of a problem. Answers to HEAD have no body."""
    name = operation_at(method, path)
    listed = _UNROUTED if name is None else _LISTED[name]
    assert not body or (status, msgspec.json.decode(body)["code"]) in listed, (name, body)
