"""Imported logs are verified, shown and played on from, and count nowhere."""

import json
from pathlib import Path

import pytest

from service.application import imports as imports_module
from service.application.ports import StoreUnavailable, StreamId
from tests.pace import AT_ONCE
from tests.service.http.api import problem
from tests.service.http.test_books import catch_up

GOLDEN = Path(__file__).parents[2] / "golden"
LOG = (GOLDEN / "blindside-117.log").read_bytes()
NDJSON = "application/x-ndjson"


def imported(who, log=LOG):
    return who.post("/v1/imports", data=log, content_type=NDJSON)


@pytest.mark.parametrize("log", sorted(GOLDEN.glob("*-[0-9]*.log"))[::4], ids=lambda log: log.stem)
def test_a_log_comes_back_byte_for_byte(api, ada, log):
    answer = imported(ada, log.read_bytes())

    assert answer.status_code == 201
    assert (answer.json["imported"], answer.headers["Location"]) == (True, f"/v1/imports/{answer.json['id']}")
    assert api.spectator.get(f"{answer.headers['Location']}/log").data == log.read_bytes()


def test_a_long_log_is_stored_in_parts(api, ada, monkeypatch):
    monkeypatch.setattr(imports_module, "_CHUNK", 10)
    path = imported(ada).headers["Location"]
    assert api.spectator.get(f"{path}/log").data == LOG


def test_an_interrupted_import_is_not_shown_and_can_be_completed(api, ada, monkeypatch):
    monkeypatch.setattr(imports_module, "_CHUNK", 10)
    append, stored = api.service.store.append, []

    def breaking(commit):
        stored.append(commit)
        if len(stored) == 3:
            raise StoreUnavailable("gone")
        return append(commit)

    monkeypatch.setattr(api.service.store, "append", breaking)
    problem(imported(ada), 503, "store_unavailable")
    path = f"/v1/imports/{imports_module.id_of(LOG)}"
    problem(api.spectator.get(path), 404, "import_not_found")
    assert imported(ada).status_code == 201
    assert api.spectator.get(f"{path}/log").data == LOG


def test_the_same_log_is_the_same_import(api, ada, bob):
    assert imported(ada).json == imported(bob).json


def test_an_imported_table_is_seen_at_any_version_by_any_viewer(api, ada):
    path = imported(ada).headers["Location"]

    spectator = api.spectator.get(f"{path}?version=8").json
    everybody = api.spectator.get(f"{path}?version=8&viewer=everybody").json
    assert (spectator["version"], spectator["view"]["viewer"], spectator["imported"]) == (
        8,
        "spectator",
        True,
    )
    assert "??" in json.dumps(spectator["view"]["view"])
    assert "??" not in json.dumps(everybody["view"]["view"])
    assert api.spectator.get(path).json["view"]["phase"] == "ended"
    assert api.spectator.get(f"{path}?viewer=1").json["view"]["viewer"] == 1
    problem(api.spectator.get(f"{path}?version=99"), 404, "version_not_found")
    problem(api.spectator.get(f"{path}?viewer=5"), 404, "no_such_seat")


def test_its_events_are_read_in_words(api, ada):
    path = imported(ada).headers["Location"]

    page = api.spectator.get(f"{path}/events?include=words&limit=6&viewer=0").json
    assert [event["words"] for event in page["events"]][-1] == "Random bot 1 drew a card from the stock."
    following = api.spectator.get(f"{path}/events?cursor={page['cursor']}").json
    assert (following["events"][0]["version"], following["more"]) == (7, False)
    lines = api.spectator.get(f"{path}/events", headers={"Accept": NDJSON}).data.splitlines()
    assert len(lines) == 34
    problem(api.spectator.get(f"{path}/events?cursor=3-0123456789abcdef"), 409, "history_changed")


def test_a_log_that_does_not_verify_is_refused_with_the_finding(api, ada):
    changed = LOG.replace(b'"card":"KH"', b'"card":"KD"', 1)

    document = problem(imported(ada, changed), 422, "invalid_log")
    assert (document["finding"]["code"], document["finding"]["version"]) == ("chain_broken", 8)
    assert problem(imported(ada, b""), 422, "invalid_log")["finding"]["code"] == "malformed"
    problem(imported(api.spectator), 401, "token_missing")
    assert list(api.service.store.streams("import")) == []


def test_an_import_is_in_no_list_and_no_book(api, ada):
    made = imported(ada).json
    catch_up(api)

    for query in ("", "?phase=ended"):
        assert api.spectator.get(f"/v1/tables{query}").json["tables"] == []
    assert api.spectator.get("/v1/games/blindside/statistics").json["tables_ended"] == 0
    for path in (f"/v1/tables/{made['id']}", f"/v1/tables/{made['view']['id'].replace('-', '')}"):
        problem(api.spectator.get(path), 404, "table_not_found")
    assert [stream.category for stream in api.service.store.streams("table")] == []
    assert list(api.service.store.streams("import")) == [StreamId("import", made["id"])]


def test_an_imported_table_can_be_played_on(api, ada):
    path = imported(ada).headers["Location"]
    opened = ada.post(f"{path}/fork", {"version": 12, "seats": ["steady", "me"], **AT_ONCE})
    fork = opened.headers["Location"]

    assert opened.json["view"]["parent"]["table"] == "blindside-117"
    ada.post(f"{fork}/start")
    api.play_out(fork, ada)
    log = api.spectator.get(f"{fork}/log").data
    verdict = api.spectator.post("/v1/verify", data=log + LOG, content_type=NDJSON).json
    assert (verdict["valid"], verdict["generations"]) == (True, 2)
    assert imported(ada, log).status_code == 201


def test_an_unknown_import_is_not_found(api):
    for path in (
        "/v1/imports/nowhere",
        "/v1/imports/NO",
        "/v1/imports/nowhere/events",
        "/v1/imports/nowhere/log",
    ):
        problem(api.spectator.get(path), 404, "import_not_found")
