"""Limits that two API processes share, and clients behind a proxy, on a service that runs."""

import http.client
import json
import time
from collections import Counter

import pytest

from service.settings import Settings
from service.supervisor import isolated_service
from tests.service.processes import await_true

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The port of a service with two API processes that believes what is forwarded from this machine."""
    settings = Settings(
        port=0,
        data=str(tmp_path_factory.mktemp("limits")),
        api_workers=2,
        registrations_per_address="20/hour",
        commands_per_player="100/hour",
        open_tables_per_host="4",
        proxies="127.0.0.1",
    )
    with isolated_service(settings) as running:
        yield running.port


def ask(port, method, path, *, token=None, address="203.0.113.1", body=None, **headers):
    """Sends a request over a connection of its own, which either process may accept."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    signed = {"Authorization": f"Bearer {token}"} if token else {}
    forwarded = {"X-Forwarded-For": f"198.51.100.7, {address}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body or {}), {**signed, **forwarded, **headers})
    response = connection.getresponse()
    answer = response.read()
    connection.close()
    return response.status, response.headers, answer


def registered(port, address):
    status, _, answer = ask(port, "POST", "/v1/players", address=address)
    assert status == 201
    return json.loads(answer)["token"]


def test_processes_share_what_they_count(port):
    """Each may admit the whole bound before it hears of the other, and neither admits more when it has heard."""
    first = Counter(ask(port, "POST", "/v1/players")[0] for _ in range(80))
    assert first.keys() == {201, 429}
    assert 20 <= first[201] <= 40

    await_true(lambda: {ask(port, "POST", "/v1/players")[0] for _ in range(10)} == {429})
    status, headers, answer = ask(port, "POST", "/v1/players")
    problem = json.loads(answer)
    assert (status, problem["code"]) == (429, "too_many_registrations")
    assert 1 <= int(headers["Retry-After"]) <= 7200
    assert headers["Content-Type"] == "application/problem+json"
    assert ask(port, "POST", "/v1/players", address="203.0.113.2")[0] == 201

    shown = ask(port, "GET", "/metrics")[2].decode()
    assert 'hoodwink_limit{limit="registrations_per_address",seconds="3600"} 20.0' in shown


def test_a_player_is_counted_by_both_ways_together(port):
    token = registered(port, "203.0.113.3")
    by_lane, by_flask = "/v1/tables/nowhere/actions", "/v1/tables/nowhere/seats"
    answers = Counter(
        ask(port, "POST", path, token=token)[0] for _ in range(130) for path in (by_lane, by_flask)
    )

    assert 100 <= answers.total() - answers[429] <= 200
    await_true(lambda: {ask(port, "POST", by_lane, token=token)[0] for _ in range(10)} == {429})
    refused = [ask(port, "POST", path, token=token) for path in (by_lane, by_flask)]
    assert [(status, json.loads(answer)["code"]) for status, _, answer in refused] == [
        (429, "too_many_commands")
    ] * 2
    assert refused[0][1].keys() == refused[1][1].keys()


def test_open_tables_are_counted_in_the_background(port):
    token = registered(port, "203.0.113.4")

    def opened():
        time.sleep(0.3)  # a few attempts, because they are commands, too
        status, _, answer = ask(
            port, "POST", "/v1/tables", token=token, body={"game": "blindside", "seats": 2}
        )
        document = json.loads(answer)
        assert status == 201 or document["code"] == "too_many_open_tables", answer
        return document["view"]["id"] if status == 201 else None

    tables = set[str]()

    def is_full():
        found = opened()
        tables.update([found] if found else [])
        return found is None and len(tables) >= 4

    await_true(is_full)
    assert len(tables) <= 6
    for table in tables:
        assert ask(port, "POST", f"/v1/tables/{table}/close", token=token, body={"confirm": True})[0] == 200
    await_true(opened)
