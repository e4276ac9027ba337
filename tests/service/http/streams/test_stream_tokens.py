"""Browsers cannot send headers with event streams, so they use a short-lived token in the URL."""

import pytest
from structlog.testing import capture_logs

from hoodwink.service.application.players.identity import Use
from hoodwink.service.application.players.stream_tokens import LIFETIME_MS
from hoodwink.service.http.framework.streaming import STREAMS
from hoodwink.service.http.resources import history
from hoodwink.service.http.resources.tables import logs
from tests.service.http.api import problem
from tests.service.http.cup import standing_api
from tests.service.http.room import Room


@pytest.fixture
def api():
    return standing_api()


@pytest.fixture
def token(ada):
    return ada.post("/v1/me/stream-tokens", data=b"").json["token"]


def follow(api, path, below="events", *, header=None, **query):
    """Requests a live stream like `EventSource`, which sends `header` on reconnecting."""
    return api.spectator.get(
        f"{path}/{below}",
        query_string=query,
        headers={"Accept": "text/event-stream"} | ({"Last-Event-ID": header} if header else {}),
        environ_overrides={STREAMS: Room()},
    )


@pytest.fixture
def watched(monkeypatch):
    """The subscriptions of all started streams."""
    begun = []

    def begin_stream(call, subscription, **given):
        begun.append(subscription)
        return history.begin_stream(call, subscription, **given)

    monkeypatch.setattr(logs, "begin_stream", begin_stream)
    return begun


def test_a_stream_with_a_token_shows_the_players_view(api, ada, path, token, watched):
    assert follow(api, path, token=token).status_code == 200

    assert [(watch.player, watch.viewer) for watch in watched] == [(ada.id, 0)]


def test_a_stream_token_states_its_expiry_and_is_not_cached(api, ada):
    answer = ada.post("/v1/me/stream-tokens", data=b"")

    assert answer.json["expires_at"] == api.service.clock.now_ms() + LIFETIME_MS
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert ada.token not in answer.text


def test_only_players_get_stream_tokens(api):
    problem(api.spectator.post("/v1/me/stream-tokens", data=b""), 401, "token_missing")


def test_a_stream_token_is_valid_for_a_minute(api, path, token):
    api.service.clock.now += LIFETIME_MS - 1
    assert follow(api, path, token=token).status_code == 200
    api.service.clock.now += 1
    problem(follow(api, path, token=token), 401, "stream_token_invalid")


@pytest.mark.parametrize(
    "change",
    [
        lambda token, bob: token.replace(token.split("_")[1], bob),
        lambda token, _: token.replace(token.split("_")[2], str(int(token.split("_")[2]) + 1)),
        lambda token, _: token[:-1] + ("0" if token[-1] != "0" else "1"),
        lambda token, _: token.replace(token.split("_")[1], "nobody00"),
        lambda token, _: f"{token} ",
        lambda *_: "",
        lambda *_: "hws_",
    ],
)
def test_an_invalid_stream_token_is_refused(api, bob, path, token, change):
    problem(follow(api, path, token=change(token, bob.id)), 401, "stream_token_invalid")


def test_a_stream_token_ends_with_its_players_token(api, ada, path, token):
    assert ada.post("/v1/players/me/token", {}).status_code == 201

    problem(follow(api, path, token=token), 401, "stream_token_invalid")


def test_a_stream_token_is_not_a_bearer_token(api, path, token):
    bearer = {"Authorization": f"Bearer {token}"}

    refused = problem(api.spectator.get(path, headers=bearer), 401, "token_invalid")
    assert "event stream" in refused["detail"]
    problem(api.spectator.post("/v1/me/stream-tokens", data=b"", headers=bearer), 401, "token_invalid")


@pytest.mark.parametrize("below", ["events", "standings"])
def test_streams_of_tournaments_take_no_token(api, token, below):
    for given in (token, "hws_"):
        refused = problem(follow(api, "/v1/tournaments/nowhere0", below, token=given), 400, "invalid_query")
        assert [fault["name"] for fault in refused["faults"]] == ["token"]


def test_a_players_token_in_the_url_is_refused_and_not_echoed(api, ada, path):
    answer = follow(api, path, token=ada.token)

    problem(answer, 400, "lasting_token_in_url")
    assert ada.token not in answer.text


def test_a_stream_token_does_not_read_pages_of_events(api, path, token):
    asked = api.spectator.get(f"{path}/events", query_string={"token": token})
    answer = problem(asked, 400, "invalid_query")

    assert answer["faults"][0]["detail"] == "Only for a live stream."


def request_token(person, path, code):
    """Requests a token in place of a table's invitation code."""
    headers = {} if code is None else {"Hoodwink-Invitation": code}
    return person.post(f"/v1/me/stream-tokens?table={path.rpartition('/')[2]}", data=b"", headers=headers)


def test_g_3_an_invited_guest_follows_only_that_table(api, ada, bob, watched):
    tables = [
        ada.post("/v1/tables", {"game": "blindside", "seats": 2, "watch": "invited"}).headers["Location"]
        for _ in range(2)
    ]
    code = ada.get(f"{tables[0]}/invitation").json["invitation"]
    token = request_token(bob, tables[0], code).json["token"]

    assert follow(api, tables[0], token=token).status_code == 200
    problem(follow(api, tables[1], token=token), 403, "not_invited")
    plain = bob.post("/v1/me/stream-tokens", data=b"").json["token"]
    problem(follow(api, tables[0], token=plain), 403, "not_invited")
    forged = token.replace(tables[0].rpartition("/")[2], tables[1].rpartition("/")[2])
    problem(follow(api, tables[1], token=forged), 401, "stream_token_invalid")
    assert [watch.is_invited for watch in watched] == [True]


@pytest.mark.parametrize("code", [None, "AAAA-BBBB-CCCC"])
def test_g_3_a_stream_token_needs_the_invitation_code(ada, bob, code):
    path = ada.post("/v1/tables", {"game": "blindside", "seats": 2, "watch": "invited"}).headers["Location"]
    problem(request_token(bob, path, code), 403, "not_invited")


def test_stream_tokens_are_not_logged(api, path, token, monkeypatch):
    monkeypatch.setattr(api.service.tables, "load", lambda _: 1 / 0)

    with capture_logs() as lines:
        problem(follow(api, path, token=token), 500, "internal_error")

    assert [line["event"] for line in lines] == ["a request failed"]
    assert set(lines[0]) == {"event", "log_level", "method", "path", "exc_info"}  # no value of the error
    assert token not in str(lines)


def test_other_operations_refuse_stream_tokens(ada, path, token):
    for other in (path, f"{path}/legal-actions"):
        problem(ada.get(other, query_string={"token": token}), 400, "invalid_query")


def test_a_stream_resumes_by_query_first_and_by_header_when_reconnecting(api, path, watched):
    follow(api, path, last_event_id="2")
    follow(api, path, last_event_id="2", header="4")

    assert [watch.after.version for watch in watched] == [2, 4]
    problem(follow(api, path, last_event_id="x"), 400, "invalid_query")


def test_key_rotation_invalidates_stream_tokens(api, ada, path, token):
    api.service.identities.rotate(Use.STREAM_TOKENS)

    problem(follow(api, path, token=token), 401, "stream_token_invalid")
    another = ada.post("/v1/me/stream-tokens", data=b"").json["token"]
    assert follow(api, path, token=another).status_code == 200
