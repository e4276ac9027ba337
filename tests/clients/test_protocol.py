"""hoodwink-client repeats requests and resumes streams when the service fails, and its generated files are up to date."""

import asyncio
import json
import runpy
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from hoodwink_client import Client, Refused, Unreachable, random_action
from hoodwink_client.protocol import Turns
from tests.clients import in_process
from tests.service.http.api import new_api
from tests.service.inline_jobs import queue_jobs, runner

FOLDER = Path(__file__).parents[2] / "clients/python"
LOG = (Path(__file__).parents[1] / "golden/blindside-117.log").read_bytes()
OK = httpx.Response(200, json={"done": True})
LOST = httpx.ConnectError("The connection is lost.")


@pytest.fixture
def pauses(monkeypatch):
    """The seconds that the client would have waited."""
    waited = list[float]()
    monkeypatch.setattr("hoodwink_client.synchronous.time.sleep", waited.append)
    monkeypatch.setattr("hoodwink_client.protocol.random.uniform", lambda _least, _most: 1)
    return waited


def client_of(*answers, received=None, **options):
    """Returns a client of a service that gives these answers, or fails in these ways."""
    left = list(answers)

    def answer(request):
        if received is not None:
            received.append(request)
        if isinstance(left[0], Exception):
            raise left.pop(0)
        return left.pop(0)

    return Client("http://test", transport=httpx.MockTransport(answer), **options)


def stream_of(*lines):
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, text="\n".join(lines))


def refusal(status, code, **headers):
    return httpx.Response(status, headers=headers, json={"code": code, "detail": "No.", "status": status})


def test_a_request_is_repeated_with_its_key_until_there_is_an_answer(pauses):
    received = list[httpx.Request]()
    busy = refusal(503, "busy"), refusal(429, "too_many_commands", **{"Retry-After": "7"})

    with client_of(LOST, *busy, OK, received=received, token="hw_1") as client:
        assert client.request("POST", "/v1/tables", {"seats": 2}) == {"done": True}

    assert pauses == [0.25, 0.5, 7]
    assert len({request.headers["Idempotency-Key"] for request in received}) == 1
    assert {request.headers["Authorization"] for request in received} == {"Bearer hw_1"}
    assert {request.content for request in received} == {b'{"seats":2}'}


def test_the_next_request_has_another_key(pauses):
    received = list[httpx.Request]()
    with client_of(OK, OK, received=received) as client:
        client.request("POST", "/v1/tables", {})
        client.request("POST", "/v1/tables", {})

    assert len({request.headers["Idempotency-Key"] for request in received}) == 2


def test_a_rejected_request_is_not_repeated(pauses):
    rejecting = client_of(refusal(422, "not_your_turn", **{"X-Request-Id": "r1"}))
    with rejecting as client, pytest.raises(Refused, match=r"No\.") as refused:
        client.request("POST", "/v1/tables/t/actions", {})

    assert (refused.value.status, refused.value.code, refused.value.request_id) == (
        422,
        "not_your_turn",
        "r1",
    )
    assert not pauses


def test_the_error_for_an_invalid_field_names_it(pauses):
    faults = [{"name": "seats", "detail": "Too many."}, {"name": "rounds", "detail": "Too few."}]
    with (
        client_of(
            httpx.Response(400, json={"code": "invalid_body", "detail": "No.", "faults": faults})
        ) as client,
        pytest.raises(Refused, match=r"^seats: Too many\. rounds: Too few\.$"),
    ):
        client.request("POST", "/v1/tables", {})


def job(state, result=None, problem=None):
    return {"id": "j", "kind": "verify", "state": state, "result": result, "problem": problem}


def begun():
    return httpx.Response(202, headers={"Location": "/v1/jobs/j"}, json=job("queued"))


def test_a_request_that_starts_a_job_returns_the_result_of_the_job(pauses):
    received = list[httpx.Request]()
    progress = LOST, httpx.Response(200, json=job("running"))
    ended = httpx.Response(200, json=job("done", {"valid": True}))

    with client_of(begun(), *progress, ended, received=received) as client:
        assert client.request("POST", "/v1/verify", b"{}") == {"valid": True}

    assert [request.url.path for request in received] == ["/v1/verify", *["/v1/jobs/j"] * 3]
    assert pauses == [1, 0.25, 1]


def test_a_text_is_bytes_with_or_without_a_job(pauses):
    text = httpx.Response(200, text="a,b", headers={"Content-Type": "text/csv"})
    with client_of(text, begun(), httpx.Response(200, json=job("done", "a,b"))) as client:
        assert {client.request("GET", "/v1/tournaments/t/report") for _ in range(2)} == {b"a,b"}


def test_the_service_does_a_job_and_the_client_gets_its_result(monkeypatch):
    monkeypatch.setattr("hoodwink_client.asynchronous.JOB_PAUSE_SECONDS", 0)
    api = new_api()
    queue_jobs(api.service)

    async def work(response):
        if response.status_code == httpx.codes.ACCEPTED:
            await response.aread()
            runner(api.service).run(response.json()["id"])

    async def verify_and_import():
        async with in_process.client_of(api.person("Ada")) as client:
            client.http.event_hooks = {"response": [work]}
            verdict = await client.request("POST", "/v1/verify", LOG)
            with pytest.raises(Refused) as refused:
                await client.request("POST", "/v1/imports", LOG[:-1])
            return verdict, refused.value

    verdict, refused = asyncio.run(verify_and_import())

    assert verdict["valid"]
    assert (refused.status, refused.code) == (422, "invalid_log")


def test_an_impatient_client_gives_up(pauses):
    with client_of(LOST, patience=0.1) as client, pytest.raises(Unreachable, match="connection is lost"):
        client.request("GET", "/v1/games")
    with client_of(stream_of(""), patience=0) as client, pytest.raises(Unreachable, match="stream ended"):
        list(client.follow("/v1/me/events"))
    broken = client_of(httpx.Response(502, text="Bad gateway"), patience=0.1)
    with broken as client, pytest.raises(Refused, match="502"):
        client.request("GET", "/v1/games")


def test_an_address_without_a_scheme_is_reported_immediately(pauses):
    with Client("localhost:8000") as client, pytest.raises(httpx.UnsupportedProtocol):
        client.request("GET", "/v1/games")

    assert not pauses


def test_a_token_that_no_header_can_carry_is_reported_immediately(pauses):
    # Over real connections, because only those check the headers.
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with Client(address, token="hw_1\n") as client, pytest.raises(httpx.LocalProtocolError):
            client.request("GET", "/v1/me/tables")

    assert not pauses


def test_a_stream_resumes_after_its_last_message(pauses):
    received = list[httpx.Request]()
    answers = (
        stream_of("retry: 1000", "", ":", "", "id: 1-a", "event: view", 'data: {"version":1}', "", ""),
        LOST,
        stream_of("id: 2-b", "event: view", 'data: {"version":2}', "", "id: 3-c", 'data: {"vers'),
        stream_of("id:", "event: reset", 'data: {"version":1}', "", ""),
        stream_of("id: 1-a", "event: end", 'data: {"version":1}', "", ""),
    )
    with client_of(*answers, received=received) as client:
        messages = list(client.table("t", invitation="code").follow(after="0-0"))

    assert [message["event"] for message in messages] == ["view", "view", "reset", "end"]
    assert [request.headers.get("Last-Event-ID") for request in received] == [
        "0-0",
        "1-a",
        "1-a",
        "2-b",
        None,
    ]
    assert {request.headers["Hoodwink-Invitation"] for request in received} == {"code"}
    assert pauses == [0.25, 0.5, 0.25, 0.25]


def test_a_stream_that_was_quiet_for_long_is_resumed(pauses, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("hoodwink_client.protocol.time.monotonic", lambda: clock[0])
    end = stream_of("id: 1-a", "event: end", 'data: {"version":1}', "", "")

    def quiet():
        yield b"retry: 1000\n\n"
        clock[0] += 15 * 60
        yield b":\n\n"

    headers = {"Content-Type": "text/event-stream"}
    answers = [httpx.Response(200, headers=headers, content=quiet()) for _ in range(2)]
    with client_of(*answers, LOST, end) as client:
        messages = list(client.table("t").follow(after="0-0"))

    assert [message["event"] for message in messages] == ["end"]
    assert pauses == [0.25, 0.25, 0.5]


def test_messages_without_an_id_do_not_move_the_place_in_a_stream(pauses):
    received = list[httpx.Request]()
    presence = stream_of("event: presence", 'data: {"seats":[0]}', "", "")
    end = stream_of("id: 2-b", "event: end", 'data: {"version":2}', "", "")
    with client_of(presence, end, received=received) as client:
        messages = list(client.table("t").follow(after="1-a"))

    assert [message["id"] for message in messages] == ["1-a", "2-b"]
    assert [request.headers["Last-Event-ID"] for request in received] == ["1-a", "1-a"]


def turn_in(turns, message):
    """Returns the turn in a message; there must be exactly one."""
    turn = turns.turn_in(message)
    assert turn
    return turn


def message(event, version, *, actions=(), events=(), owes=True):
    legal = {"seat": 0, "actions": list(actions), "choices": [], "offences": []}
    view = {"seats": [{"seat": 0, "owes": owes}]}
    return {
        "event": event,
        "id": "",
        "data": {"version": version, "view": view, "legal_actions": legal, "events": list(events)},
    }


def test_a_turn_has_the_events_since_the_turn_before():
    turns = Turns()

    assert turns.turn_in(message("view", 1, events=["dealt"])) is None
    assert turn_in(turns, message("view", 2, events=["led"], actions=["draw"])).events == ["dealt", "led"]
    assert turn_in(turns, message("view", 3, events=["drew"], actions=["keep"], owes=False)).must_act is False
    assert turn_in(turns, message("snapshot", 9, actions=["draw"])).events == []


def test_a_message_from_before_the_last_action_is_no_turn():
    turns = Turns()
    turns.acknowledge(5)

    assert turns.turn_in(message("view", 4, actions=["draw"])) is None
    assert turn_in(turns, message("view", 5, actions=["draw"])).version == 5


def test_after_a_reset_lower_versions_are_turns_again():
    turns = Turns()
    turns.acknowledge(5)
    turns.turn_in(message("reset", 2))

    assert turn_in(turns, message("snapshot", 2, actions=["draw"])).version == 2


def test_a_spectator_has_no_turns():
    assert (
        Turns().turn_in({"event": "snapshot", "id": "", "data": {"version": 1, "legal_actions": None}})
        is None
    )


def test_a_random_choice_has_the_allowed_number_of_cards_and_the_required_one():
    choice = {"type": "play", "cards": ["3C", "3D", "3S"], "at_least": 1, "at_most": 2, "including": "3C"}
    legal: Any = {"seat": 0, "actions": [], "choices": [choice], "offences": []}

    for _ in range(50):
        action: Any = random_action(legal)
        assert action["type"] == "play"
        assert "3C" in action["cards"]
        assert len(set(action["cards"])) == len(action["cards"]) in {1, 2}


def test_the_models_match_the_description():
    """To update them, run `make client`."""
    command = (sys.executable, "-W", "ignore", "-m", "datamodel_code_generator", "--check")
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_synchronous_client_matches_the_asynchronous_one():
    """To update it, run `make client`."""
    made = runpy.run_path(str(FOLDER / "unasync.py"))

    assert made["TARGET"].read_text(encoding="utf-8") == made["synchronous"]()


def test_requests_that_are_not_json_are_lines_of_a_log():
    received = list[httpx.Request]()
    with client_of(httpx.Response(200, json={"valid": True}), received=received) as client:
        assert client.request("POST", "/v1/verify", b"{}\n") == {"valid": True}

    assert received[0].headers["Content-Type"] == "application/x-ndjson"
    assert json.loads(received[0].content) == {}
