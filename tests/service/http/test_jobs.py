"""Expensive requests run as jobs: answered directly if quick, otherwise 202 with a job to follow."""

from pathlib import Path

import pytest

from hoodwink.service.settings import Settings
from tests.service.http.api import new_api, problem
from tests.service.inline_jobs import queue_jobs, runner

LOG = (Path(__file__).parents[2] / "golden" / "blindside-117.log").read_bytes()
NDJSON = "application/x-ndjson"
KEY = "a_key_of_sixteen_or_more"


@pytest.fixture
def api():
    return queued_api()


def queued_api(**settings):
    """Returns an API whose jobs run only when a test runs them."""
    api = new_api(Settings(**settings))
    service = api.service
    queue_jobs(service)
    return api


def post(who, path="/v1/verify", log=LOG, **given):
    return who.post(path, data=log, content_type=NDJSON, **given)


def run(api, job):
    runner(api.service).run(job["id"])
    return api.spectator.get(f"/v1/jobs/{job['id']}")


def test_a_request_is_answered_with_a_job_that_leads_to_its_outcome(api):
    begun = post(api.spectator)
    assert (begun.status_code, begun.headers["Retry-After"]) == (202, "1")
    assert begun.headers["Location"] == f"/v1/jobs/{begun.json['id']}"
    assert begun.json | {"id": ""} == {
        "id": "", "kind": "verify", "state": "queued", "done": 0, "total": 0,
        "location": None, "result": None, "problem": None,
    }  # fmt: skip
    assert api.spectator.get(begun.headers["Location"]).json == begun.json

    ended = run(api, begun.json)
    assert (ended.json["state"], ended.json["result"]["valid"]) == ("done", True)
    assert ended.headers["Cache-Control"] == "private, no-store"


def test_a_refused_log_has_the_same_problem_in_a_job_as_directly(api, ada):
    begun = post(ada, "/v1/imports", LOG[:-1]).json
    ended = run(api, begun).json
    assert (ended["state"], ended["result"], ended["problem"]["code"]) == ("failed", None, "invalid_log")
    assert ended["problem"]["finding"]["code"] == "malformed"


def test_the_outcome_of_an_import_job_links_to_the_import(api, ada):
    ended = run(api, post(ada, "/v1/imports").json).json
    assert ended["location"] == f"/v1/imports/{ended['result']['id']}"
    shown = ada.get(f"{ended['location']}?viewer=everybody")
    assert shown.json == ended["result"]


def test_an_import_job_of_an_erased_player_stores_nothing(api, ada):
    begun = post(ada, "/v1/imports").json
    assert ada.post("/v1/players/me/erase", {"confirm": True}).status_code == 200
    ended = run(api, begun).json
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "token_invalid")
    assert list(api.service.store.streams("import")) == []


def test_an_import_job_of_a_banned_player_stores_nothing(api, ada):
    begun = post(ada, "/v1/imports").json
    checked = post(ada).json
    api.service.players.ban(ada.id)
    ended = run(api, begun).json
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "player_banned")
    assert list(api.service.store.streams("import")) == []
    assert run(api, checked).json["state"] == "done", "a banned player may still check logs"


def test_a_repeated_request_gets_the_same_job_and_then_its_outcome(api, ada, bob):
    first = post(ada, "/v1/imports", key=KEY).json
    assert post(ada, "/v1/imports", key=KEY).json == first
    others = [
        post(bob, "/v1/imports", key=KEY),
        post(ada, "/v1/imports"),
        post(ada, "/v1/imports", LOG[1:], key=KEY),
        post(ada, key=KEY),
    ]
    assert len({first["id"], *[other.json["id"] for other in others]}) == 5
    run(api, first)
    again = post(ada, "/v1/imports", key=KEY)
    assert (again.status_code, again.json["imported"]) == (201, True)


def test_job_ids_cannot_be_guessed(api):
    ids = {post(api.spectator).json["id"] for _ in range(3)}
    assert len(ids) == 3
    assert all(len(job_id) == 32 for job_id in ids)
    for guess in ("a" * 32, "A" * 32, "a" * 31, "nobody00"):
        problem(api.spectator.get(f"/v1/jobs/{guess}"), 404, "job_not_found")


def test_unfinished_jobs_are_limited_per_address_and_player():
    api = queued_api(jobs_per_address="3", jobs_per_player="1")
    ada, bob = api.person("Ada"), api.person("Bob")
    first = post(ada, "/v1/imports", key=KEY).json
    refused = problem(post(ada, "/v1/imports"), 429, "too_many_jobs")
    assert "The limit of jobs per player is 1." in refused["detail"]
    assert post(ada, "/v1/imports", key=KEY).json == first, "a repeated request begins nothing"
    post(bob, "/v1/imports")
    post(api.spectator)
    problem(post(api.spectator), 429, "too_many_jobs")
    run(api, first)
    assert post(api.spectator).status_code == 202


def test_a_full_job_store_is_reported(monkeypatch):
    api = queued_api()
    monkeypatch.setattr(api.service.job_store, "_max_bytes", 4_000)
    problem(post(api.spectator), 503, "no_room_for_jobs")
