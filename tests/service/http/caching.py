"""Checks the cache headers of every answer in a test."""

from typing import Any

from hoodwink.service.http.framework.operations import Access, reads_invitation
from tests.service.http.refused.listed import OPERATIONS, operation_at

_CALLER = {"Authorization", "Hoodwink-Invitation"}


def check_caching(method: str, path: str, headers: Any, *, is_problem: bool) -> None:
    """Asserts that answers for one caller are never cached or given to another."""
    name = operation_at(method, path)
    if name is None and not is_problem:
        return  # a page, or the methods of a path
    kept, varies = headers.getlist("Cache-Control"), headers.getlist("Vary")
    named = {part.strip() for value in varies for part in value.split(",") if part}
    operation = None if name is None else OPERATIONS[name]
    if is_problem or operation is None or _knows_caller(operation):
        assert kept == ["private, no-store"], (method, path, kept)
        assert named >= _CALLER, (method, path, varies)
    else:
        assert kept in (["no-cache"], ["no-store"]), (method, path, kept)
    if not is_problem and operation is not None and len(operation.answer.types) > 1:
        assert "Accept" in named, (method, path, varies)
    assert len(varies) <= 1, (method, path, varies)


def _knows_caller(operation: Any) -> bool:
    is_secret = reads_invitation(operation) or "{job_id}" in operation.path
    return operation.method != "GET" or operation.access is not Access.OPEN or is_secret
