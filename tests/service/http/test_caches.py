"""Answers that depend on the caller are never cached. `Person.ask` checks this in every test."""

import pytest

from tests.service.http.refused.listed import OPERATIONS
from tests.service.http.refused.world import World

PRIVATE = ("private, no-store", "Authorization, Hoodwink-Invitation")


@pytest.fixture(scope="module")
def world():
    return World()


def caching(answer):
    return answer.headers["Cache-Control"], answer.headers.get("Vary")


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_problems_are_not_cached(world, name):
    for who in (world.nobody, world.ada):
        answer = world.send(who, name, query_string="colour=red")
        assert answer.status_code >= 400
        assert caching(answer) == PRIVATE


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("below", ["", "/log", "/events", "/statement", "/ledger", "/presence"])
def test_answers_of_tables_and_tournaments_are_not_cached(world, method, below):
    for path in (world.played(), world.cup().path):  # a tournament may be private, too (T-24)
        kept, varies = caching(world.nobody.ask(method, f"{path}{below}"))
        assert (kept, varies.removesuffix(", Accept")) == PRIVATE


def test_not_modified_repeats_the_cache_headers(world):
    path = world.played()
    first = world.ada.get(path)
    again = world.ada.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert caching(again) == caching(first) == PRIVATE


def test_answers_equal_for_all_are_cached_with_revalidation(world):
    for path, varies in (
        ("/v1/games", None),
        ("/openapi.json", "Accept-Encoding"),
        ("/v1/tournaments", None),
    ):
        assert caching(world.ada.get(path)) == ("no-cache", varies)


def test_problems_at_unknown_paths_are_not_cached(world):
    assert caching(world.nobody.get("/v1/nothing")) == PRIVATE
    assert caching(world.nobody.ask("PUT", "/v1/games")) == PRIVATE
