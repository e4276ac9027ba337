"""Imported logs are verified and shown, can be forked, and do not count."""

import json
from pathlib import Path

import pytest

from hoodwink.service.application.commands import imports as imports_module
from hoodwink.service.application.commands.import_shelf import Reason
from hoodwink.service.application.ports import StoreUnavailable, StreamId
from tests.pace import AT_ONCE
from tests.service.http.api import CONFIRMED, catch_up, problem
from tests.service.http.cup import standing_api

GOLDEN = Path(__file__).parents[3] / "golden"
LOG = (GOLDEN / "blindside-117.log").read_bytes()
NDJSON = "application/x-ndjson"


def import_log(who, log=LOG):
    return who.post("/v1/imports", data=log, content_type=NDJSON)


@pytest.mark.parametrize("log", sorted(GOLDEN.glob("*-[0-9]*.log"))[::4], ids=lambda log: log.stem)
def test_an_imported_log_is_returned_byte_for_byte(api, ada, log):
    answer = import_log(ada, log.read_bytes())

    assert answer.status_code == 201
    assert (answer.json["imported"], answer.headers["Location"]) == (True, f"/v1/imports/{answer.json['id']}")
    assert api.spectator.get(f"{answer.headers['Location']}/log").data == log.read_bytes()


def test_a_log_may_be_sent_as_octets(api, ada):
    answer = ada.post("/v1/imports", data=LOG, content_type="application/octet-stream")

    assert (answer.status_code, answer.json["id"]) == (201, import_log(ada).json["id"])


def test_a_long_log_is_stored_in_parts(api, ada, monkeypatch):
    monkeypatch.setattr(imports_module, "_CHUNK", 10)
    path = import_log(ada).headers["Location"]
    assert api.spectator.get(f"{path}/log").data == LOG


def test_an_interrupted_import_is_hidden_and_can_be_completed(api, ada, monkeypatch):
    monkeypatch.setattr(imports_module, "_CHUNK", 10)
    append, stored = api.service.store.append, []

    def append_until_failure(commit):
        stored.append(commit)
        if len(stored) == 3:
            raise StoreUnavailable("gone")
        return append(commit)

    monkeypatch.setattr(api.service.store, "append", append_until_failure)
    problem(import_log(ada), 503, "store_unavailable")
    path = f"/v1/imports/{imports_module.id_of(LOG)}"
    problem(api.spectator.get(path), 404, "import_not_found")
    assert import_log(ada).status_code == 201
    assert api.spectator.get(f"{path}/log").data == LOG


def test_the_same_log_is_the_same_import(api, ada, bob):
    first, second = import_log(ada).json, import_log(bob).json
    assert (first["id"], first["view"]) == (second["id"], second["view"])
    assert first["is_yours"] is second["is_yours"] is True


def test_an_imported_table_is_seen_at_any_version_by_any_viewer(api, ada):
    path = import_log(ada).headers["Location"]

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


def test_events_of_an_import_are_shown_in_words(api, ada):
    path = import_log(ada).headers["Location"]

    page = api.spectator.get(f"{path}/events?include=words&limit=6&viewer=1").json
    assert [event["words"] for event in page["events"]][-1] == "Player p0 drew a card from the stock."
    following = api.spectator.get(f"{path}/events?cursor={page['cursor']}").json
    assert (following["events"][0]["version"], following["more"]) == (7, False)
    lines = api.spectator.get(f"{path}/events", headers={"Accept": NDJSON}).data.splitlines()
    assert len(lines) == 34
    problem(api.spectator.get(f"{path}/events?cursor=3-0123456789abcdef"), 409, "history_changed")


def test_a_log_that_does_not_verify_is_refused_with_the_finding(api, ada):
    changed = LOG.replace(b'"card":"7D"', b'"card":"8D"', 1)

    document = problem(import_log(ada, changed), 422, "invalid_log")
    assert (document["finding"]["code"], document["finding"]["version"]) == ("chain_broken", 8)
    assert problem(import_log(ada, b""), 422, "invalid_log")["finding"]["code"] == "malformed"
    problem(import_log(api.spectator), 401, "token_missing")
    assert list(api.service.store.streams("import")) == []


def test_an_import_is_in_no_list_or_book(api, ada):
    made = import_log(ada).json
    catch_up(api)

    for query in ("", "?phase=ended"):
        assert api.spectator.get(f"/v1/tables{query}").json["tables"] == []
    assert api.spectator.get("/v1/games/blindside/statistics").json["tables_ended"] == 0
    for path in (f"/v1/tables/{made['id']}", f"/v1/tables/{made['view']['id'].replace('-', '')}"):
        problem(api.spectator.get(path), 404, "table_not_found")
    assert [stream.category for stream in api.service.store.streams("table")] == []
    assert list(api.service.store.streams("import")) == [StreamId("import", made["id"])]


def test_an_imported_table_can_be_played_on(api, ada):
    path = import_log(ada).headers["Location"]
    opened = ada.post(f"{path}/fork", {"version": 12, "seats": ["steady", "me"], **AT_ONCE})
    fork = opened.headers["Location"]

    assert opened.json["view"]["parent"]["table"] == "blindside-117"
    ada.post(f"{fork}/start")
    api.play_out(fork, ada)
    log = api.spectator.get(f"{fork}/log").data
    verdict = api.spectator.post("/v1/verify", data=log + LOG, content_type=NDJSON).json
    assert (verdict["valid"], verdict["generations"]) == (True, 2)
    assert import_log(ada, log).status_code == 201


def test_an_unknown_import_is_not_found(api):
    for path in (
        "/v1/imports/nowhere",
        "/v1/imports/NO",
        "/v1/imports/nowhere/events",
        "/v1/imports/nowhere/log",
    ):
        problem(api.spectator.get(path), 404, "import_not_found")


def keys(api):
    return sorted(key.decode() for key in api.service.client.keys("*") if b"import" in key)


def test_reading_an_import_uses_the_cached_log(api, ada, monkeypatch):
    path = import_log(ada).headers["Location"]
    api.spectator.get(path)
    store, read = api.service.store, []
    reading = store.read

    def count_read(stream, *, after=0, count=None):
        entries = reading(stream, after=after, count=count)
        read.append(len(entries))
        return entries

    def named(streams):
        assert {stream.category for stream in streams} == {"player"}
        return reading_named(streams)

    reading_named = store.read_named
    monkeypatch.setattr(store, "read", count_read)
    monkeypatch.setattr(store, "read_named", named)
    for query in ("", "?viewer=everybody"):
        assert api.spectator.get(path + query).json["view"]["phase"] == "ended"
    api.spectator.get(f"{path}/events?limit=2&include=words")
    assert read == [1, 1, 1, 2]


def test_imports_are_limited_for_new_accounts(api_with):
    api = api_with(imports_per_player="2", imports_per_address="3")
    ada, bob = api.person("Ada"), api.person("Bob")
    logs = [(GOLDEN / f"blindside-{number}.log").read_bytes() for number in (117, 147, 172, 6001)]
    assert [import_log(ada, log).status_code for log in logs[:2]] == [201, 201]

    refused = problem(import_log(ada, logs[2]), 429, "too_many_imports")
    assert "The limit of imports per player is 2." in refused["detail"]
    assert import_log(ada, logs[0]).status_code == 201
    assert import_log(bob, logs[2]).status_code == 201
    assert "per address" in problem(import_log(bob, logs[3]), 429, "too_many_imports")["detail"]
    assert len(list(api.service.store.streams("import"))) == 3


def test_limits_are_checked_again_when_the_log_is_stored(api_with, monkeypatch):
    api = api_with(imports_per_player="1")
    ada = api.person("Ada")
    monkeypatch.setattr(
        api.service.import_retention, "check", lambda *_: None
    )  # nothing was stored at that moment
    assert import_log(ada).status_code == 201
    problem(import_log(ada, (GOLDEN / "blindside-147.log").read_bytes()), 429, "too_many_imports")
    assert len(list(api.service.store.streams("import"))) == 1


def test_limits_are_checked_before_verification(api_with, monkeypatch):
    api = api_with(imports_per_player="1")
    ada = api.person("Ada")
    import_log(ada)
    monkeypatch.setattr(imports_module, "verify_log", None)
    problem(import_log(ada, LOG + b"x"), 429, "too_many_imports")


def test_a_player_sees_and_deletes_imports():
    api = standing_api()
    ada, bob = api.person("Ada"), api.person("Bob")
    path = import_log(ada).headers["Location"]
    named = path.rpartition("/")[2]
    shown, listed = ada.get(path).json, ada.get("/v1/me/imports").json["imports"]

    assert listed == [
        {
            "id": named,
            "table": "blindside-117",
            "game": "blindside",
            "size": len(LOG),
            "events": 34,
            "imported_at": listed[0]["imported_at"],
            "expires_at": shown["expires_at"],
        }
    ]
    assert shown["expires_at"] - listed[0]["imported_at"] == 30 * 86_400_000
    assert (shown["is_yours"], bob.get(path).json["is_yours"]) == (True, False)
    assert api.spectator.get(path).json["is_yours"] is False

    problem(bob.delete(path), 403, "not_your_import")
    problem(api.spectator.delete(path), 401, "token_missing")
    assert ada.delete(path).json == {"id": named, "is_gone": True}
    problem(ada.delete(path), 404, "import_not_found")
    for below in ("", "/events", "/log"):
        problem(api.spectator.get(path + below), 404, "import_not_found")
    problem(ada.post(f"{path}/fork", {"version": 12}), 404, "import_not_found")
    assert ada.get("/v1/me/imports").json["imports"] == []
    assert keys(api) == ["hw:{imports}:removed", "hw:{imports}:total"]
    assert import_log(ada).status_code == 201


def test_a_shared_import_is_deleted_with_its_last_owner(api, ada, bob):
    path = import_log(ada).headers["Location"]
    import_log(bob)
    assert ada.delete(path).json["is_gone"] is False
    assert api.spectator.get(path).status_code == 200
    assert bob.delete(path).json["is_gone"] is True
    problem(api.spectator.get(path), 404, "import_not_found")


def test_an_erasure_deletes_the_players_imports(api, ada, bob):
    path = import_log(ada).headers["Location"]
    assert ada.post("/v1/players/me/erase", CONFIRMED).status_code == 200
    problem(bob.get(path), 404, "import_not_found")
    assert list(api.service.store.streams("import")) == []


@pytest.mark.parametrize(("evictions", "status"), [(1, 201), (99, 503)])
def test_an_import_evicted_while_being_stored_leaves_no_parts(api, ada, monkeypatch, evictions, status):
    monkeypatch.setattr(imports_module, "_CHUNK", 10)
    append, keeping, evicted = api.service.store.append, api.service.import_retention, list[int]()

    def append_and_evict(commit):
        if commit.stream.category == "import" and commit.expected_version and len(evicted) < evictions:
            evicted.append(commit.expected_version)
            keeping._drop(commit.stream.id, ada.id, Reason.EVICTED)
        return append(commit)

    monkeypatch.setattr(api.service.store, "append", append_and_evict)
    answer = import_log(ada)
    assert answer.status_code == status
    kept = [import_id for import_id, _ in keeping.kept_by(ada.id)]
    assert [stream.id for stream in api.service.store.streams("import")] == kept
    if status == 201:
        assert api.spectator.get(f"/v1/imports/{kept[0]}/log").data == LOG
    else:
        assert keys(api) == ["hw:{imports}:removed", "hw:{imports}:total"]


def test_reading_an_expired_import_reads_no_log(api, ada, monkeypatch):
    path = import_log(ada).headers["Location"]
    api.service.client.zadd("hw:{imports}:expiry", {path.rpartition("/")[2]: 1})
    monkeypatch.setattr(api.service.store, "read_named", None)
    problem(api.spectator.get(path), 404, "import_not_found")


def test_import_counts_store_no_plain_addresses(api, ada):
    import_log(ada)
    assert not [key for key in keys(api) if "127.0.0.1" in key]
