"""No cache keeps an answer that depends on who asks. `Person.ask` checks this for every answer of every test."""

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
def test_caches_keep_no_problem_of_any_operation(world, name):
    for who in (world.nobody, world.ada):
        answer = world.send(who, name, query_string="colour=red")
        assert answer.status_code >= 400
        assert caching(answer) == PRIVATE


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("below", ["", "/log", "/events", "/statement", "/ledger", "/presence"])
def test_caches_keep_nothing_of_a_table(world, method, below):
    path = world.played()
    kept, varies = caching(world.nobody.ask(method, f"{path}{below}"))
    assert (kept, varies.removesuffix(", Accept")) == PRIVATE


def test_an_answer_without_change_says_the_same_of_caches(world):
    path = world.played()
    first = world.ada.get(path)
    again = world.ada.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert caching(again) == caching(first) == PRIVATE


def test_caches_may_keep_what_is_the_same_for_all_if_they_ask_each_time(world):
    for path in ("/v1/games", "/openapi.json", world.cup().path):
        assert caching(world.ada.get(path)) == ("no-cache", None)


def test_caches_keep_no_problem_of_an_unknown_address(world):
    assert caching(world.nobody.get("/v1/nothing")) == PRIVATE
    assert caching(world.nobody.ask("PUT", "/v1/games")) == PRIVATE
