"""Webhooks: signed messages in order, none lost or early, to nobody whom the guard would not let through."""

import hmac
import json
from base64 import b64decode, b64encode
from socket import AF_INET, EAI_NONAME, SOCK_STREAM, gaierror
from typing import Any

import msgspec
import pytest
from standardwebhooks import Webhook as Receiver

from hoodwink.service.adapters.outgoing.guard import Guard
from hoodwink.service.adapters.store.webhooks import LEASE_MS
from hoodwink.service.application.webhooks.delivering import GIVE_UP_MS, MAX_GIVEN_UP, REST, STAYS_MS
from hoodwink.service.application.webhooks.webhooks import MAX_WEBHOOKS, OVERLAP_MS, MessageType, Webhook
from hoodwink.service.settings import Settings
from tests.service.http.api import CONFIRMED, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.tournaments.test_duplicates import SAME
from tests.service.push_server import push_server

ALL = [kind.value for kind in MessageType]
HOUR_MS = 3_600_000
MOMENT_MS = 10


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with push_server(tmp_path_factory.mktemp("webhooks")) as running:
        yield running


@pytest.fixture
def told(server):
    server.requests.clear()
    # Every name leads to the server, although it does not listen at the usual port.
    here = [(AF_INET, SOCK_STREAM, 6, "", ("127.0.0.1", server.port))]
    return standing_api(webhook_guard=server.guard(resolve=lambda *_, **__: here))


@pytest.fixture
def cup(told):
    return Cup(told, told.person("Olga"))


def url(path):
    return f"https://localhost{path}"


def form(url="https://example.org/hook", types=ALL):
    return {"url": url, "types": types}


def add(cup, at, types=ALL):
    """Adds a webhook; returns its id and its secret."""
    made = cup.command("/webhooks", form(at, types))
    return made["id"], made["secret"]


def listed(cup):
    return cup.organiser.get(f"{cup.path}/webhooks").json["webhooks"]


def read_feed(cup):
    """Lets the projector read everything that has happened, a moment later."""
    cup.clock.now += MOMENT_MS
    feed = cup.api.service.feed
    entries = feed.read(group="test", consumer="test", partitions=feed.partitions, count=1_000, block_ms=1)
    cup.api.service.webhook_watch.watch(entries)


def deliver(cup):
    """Lets the workers send everything that waits."""
    read_feed(cup)
    while cup.api.service.deliverer.visit_next():
        pass


def messages(server, path=None):
    found = [json.loads(body) for asked, _, body in server.requests if path in (None, asked)]
    server.requests.clear()
    return found


def types(server, path=None):
    return [message["type"] for message in messages(server, path)]


def is_signed(secret, headers, body):
    """Checks a signature as docs/API.md says."""
    key = b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    right = "v1," + b64encode(hmac.digest(key, signed, "sha256")).decode()
    return any(hmac.compare_digest(right, given) for given in headers["webhook-signature"].split())


def test_a_tournament_is_told_in_order_from_the_first_pairing_to_the_last_standings(told, cup, server):
    add(cup, url("/all"))
    add(cup, url("/news"), ["announcement", "tournament.ended"])
    ada, bob, cy = (told.person(name) for name in ("Ada", "Bob", "Cy"))
    cup.start(ada, bob, cy)
    cup.play_round()
    cup.command("/announcements", {"text": "Tea is ready."})
    deliver(cup)

    news = messages(server, "/all")
    assert [each["type"] for each in news] == [*ALL[:3], "round.ended", "announcement"]
    paired, started, result, ended, announced = [each["data"] for each in news]
    assert paired["boards"] == [
        {"board": 1, "seats": cup.view["rounds"][0]["boards"][0]["tables"][0]["seats"]}
    ]
    assert (started["round"], started["tournament"]) == (1, cup.id)
    table = cup.view["rounds"][0]["boards"][0]["tables"][0]
    assert result == {
        **{name: result[name] for name in ("tournament", "version")},
        "round": 1,
        "board": 1,
        "deal": 1,
        "table": table["table"],
        "seats": table["seats"],
        **{name: table["report"][name] for name in ("outcome", "places", "points", "no_shows")},
    }
    shown = cup.get("/standings?round=1").json["rows"]
    assert ended["standings"] == [
        {name: row[name] for name in ("entrant", "id", "rank", "score", "decimals")} for row in shown
    ]
    assert announced["text"] == "Tea is ready."
    assert "Ada" not in str(news), "names are left to the API, where they can be erased"

    cup.play_round()
    cup.command("/finish", CONFIRMED)
    cup.run_due()
    deliver(cup)
    *_, last = messages(server, "/all")
    assert (last["type"], last["data"]["phase"]) == ("tournament.ended", "finished")
    assert last["data"]["standings"][0]["rank"] == 1
    problem(cup.order("/webhooks", form()), 422, "tournament_over")
    cup.clock.now += STAYS_MS
    deliver(cup)
    assert listed(cup) == []


def test_messages_are_signed_and_an_old_secret_signs_for_a_day(cup, server):
    id_, secret = add(cup, url("/signed"))
    cup.command("/announcements", {"text": "One."})
    deliver(cup)
    ((_, headers, body),) = server.requests
    assert is_signed(secret, headers, body)
    assert headers["webhook-timestamp"] == str(cup.clock.now // 1_000)
    assert headers["webhook-id"].startswith("msg_")
    # The library checks the time, too, and the clock of these tests stands still.
    with pytest.raises(Exception, match="too old"):
        Receiver(secret).verify(body, headers)

    newer, repeated = (
        cup.command(f"/webhooks/{id_}/secret", key="a-new-secret-now")["secret"] for _ in range(2)
    )
    assert newer == repeated
    for given, is_old_right in ((60_000, True), (OVERLAP_MS, False)):
        cup.clock.now += given
        server.requests.clear()
        cup.command("/announcements", {"text": "More."})
        deliver(cup)
        ((_, headers, body),) = server.requests
        assert (is_signed(newer, headers, body), is_signed(secret, headers, body)) == (True, is_old_right)
    assert newer not in str(listed(cup))


@pytest.mark.parametrize(("first", "second"), [("secret", "test"), ("test", "secret")])
def test_a_test_and_a_new_secret_at_the_same_moment_both_count(cup, server, monkeypatch, first, second):
    id_, _ = add(cup, url("/hurry"))
    replace = msgspec.structs.replace
    answers: dict[str, Any] = {}

    def replace_later(struct, /, **changes):
        if isinstance(struct, Webhook) and not answers:
            answers[second] = None
            answers[second] = cup.command(f"/webhooks/{id_}/{second}")
        return replace(struct, **changes)

    monkeypatch.setattr(msgspec.structs, "replace", replace_later)
    answers[first] = cup.command(f"/webhooks/{id_}/{first}")
    deliver(cup)
    ((_, headers, body),) = server.requests
    assert json.loads(body)["type"] == "ping"
    assert is_signed(answers["secret"]["secret"], headers, body)


def test_a_message_is_sent_again_with_its_id_until_it_arrives_and_others_wait(cup, server):
    add(cup, url("/busy/hook"))
    add(cup, url("/other"), ["announcement"])
    for text in ("One.", "Two."):
        cup.command("/announcements", {"text": text})
        cup.clock.now += 60_000
    deliver(cup)
    (first,) = [headers["webhook-id"] for asked, headers, _ in server.requests if asked == "/busy/hook"]
    assert [message["data"]["text"] for message in messages(server, "/other")] == ["One.", "Two."]
    failing, working = sorted(listed(cup), key=lambda each: each["url"])
    assert (failing["state"], failing["outcome"], working["state"]) == ("failing", "rejected", "working")
    assert failing["next_at"] == cup.clock.now + 40_000, "as Retry-After says"

    cup.clock.now = failing["next_at"] - 2 * MOMENT_MS
    deliver(cup)
    assert server.requests == []
    cup.clock.now += MOMENT_MS
    deliver(cup)
    ((_, headers, _),) = server.requests
    assert headers["webhook-id"] == first


def test_a_webhook_stops_after_days_and_a_test_lets_it_work_again(cup, server, told):
    id_, _ = add(cup, url("/broken"))
    for text in ("One.", "Two.", "Three."):
        cup.command("/announcements", {"text": text})
        cup.clock.now += 60_000
    deliver(cup)
    began = cup.clock.now
    while next_at := listed(cup)[0]["next_at"]:
        cup.clock.now = next_at
        deliver(cup)
    assert 0 <= cup.clock.now - began - MAX_GIVEN_UP * GIVE_UP_MS < MAX_GIVEN_UP * 6 * HOUR_MS
    assert (listed(cup)[0]["state"], listed(cup)[0]["outcome"]) == ("stopped", "broken")
    attempts = len(server.requests)
    assert len({headers["webhook-id"] for _, headers, _ in server.requests}) == MAX_GIVEN_UP
    assert attempts < 40
    cup.command("/announcements", {"text": "Four."})
    deliver(cup)
    assert len(server.requests) == attempts

    tested = cup.command(f"/webhooks/{id_}/test")["webhooks"]
    assert not tested[0]["is_tested"]
    deliver(cup)
    assert listed(cup)[0] | {"attempted_at": 0} == tested[0] | {"is_tested": True, "attempted_at": 0}
    assert types(server)[-1] == "ping"
    replace_url(cup, id_, url("/mended"))
    cup.command(f"/webhooks/{id_}/test")
    deliver(cup)
    cup.clock.now += 60_000
    cup.command("/announcements", {"text": "Five."})
    deliver(cup)
    assert [each["data"].get("text") for each in messages(server)] == [None, "Five."]
    assert listed(cup)[0]["state"] == "working"


def replace_url(cup, id_, at):
    """Lets the receiver of a webhook answer in another way."""
    store: Any = cup.api.service.webhook_store
    store.change(cup.id, id_, lambda webhook: msgspec.structs.replace(webhook, url=at))


def test_a_receiver_that_is_gone_or_elsewhere_gets_no_more(cup, server):
    for path in ("/gone", "/redirect", "/nonsense"):
        add(cup, url(path))
    cup.command("/announcements", {"text": "One."})
    deliver(cup)

    assert sorted(asked for asked, _, _ in server.requests) == ["/gone", "/nonsense", "/redirect"]
    assert {(each["state"], each["outcome"]) for each in listed(cup)} == {
        ("stopped", "gone"),
        ("failing", "redirected"),
        ("failing", "unanswered"),
    }


def test_only_public_addresses_are_sent_to(server):
    api = standing_api()  # with the usual guard
    cup = Cup(api, api.person("Olga"))
    add(cup, "https://127.0.0.1/hook")
    cup.command("/announcements", {"text": "One."})
    deliver(cup)

    assert listed(cup)[0]["outcome"] == "refused"
    for wrong in (
        "http://example.org/",
        "https://example.org",
        "https://example.org:8443/",
        "https://a@example.org/",
        f"https://example.org/{'a' * 2_000}",
    ):
        problem(cup.order("/webhooks", form(wrong)), 400, "invalid_body")
    for kinds in ([], ["nonsense"], ["announcement"] * 8):
        problem(cup.order("/webhooks", form(types=kinds)), 400, "invalid_body")


def test_nobody_learns_which_names_the_network_of_the_service_has():
    def resolve(host: str, *_: Any, **__: Any) -> Any:
        if host == "db.internal":
            return [(AF_INET, SOCK_STREAM, 6, "", ("10.0.0.7", 443))]
        raise gaierror(EAI_NONAME, "Name or service not known")

    api = standing_api(webhook_guard=Guard(resolve=resolve))
    cup = Cup(api, api.person("Olga"))
    for host in ("db.internal", "nothing.internal"):
        add(cup, f"https://{host}/")
    cup.command("/announcements", {"text": "One."})
    deliver(cup)

    assert [each["outcome"] for each in listed(cup)] == ["refused", "refused"]


def test_a_killed_worker_loses_nothing_and_repeats_the_same_id(cup, server, monkeypatch):
    add(cup, url("/hook"))
    service = cup.api.service
    read_feed(cup)
    deliver(cup)
    cup.command("/announcements", {"text": "One."})
    read_feed(cup)

    def killed(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(service.webhook_store, "note", killed)
        with pytest.raises(SystemExit):
            service.deliverer.visit_next()
    assert not service.deliverer.visit_next(), "it is leased"
    cup.clock.now += LEASE_MS
    deliver(cup)

    first, second = server.requests
    assert first[1]["webhook-id"] == second[1]["webhook-id"]
    assert first[2] == second[2]
    server.requests.clear()
    cup.clock.now += 2 * LEASE_MS
    deliver(cup)
    assert server.requests == []


def test_something_that_happens_during_a_visit_is_not_forgotten(cup, server, monkeypatch):
    add(cup, url("/hook"))
    deliver(cup)
    service = cup.api.service
    cup.command("/announcements", {"text": "One."})
    read_feed(cup)
    cup.clock.now += 60_000
    history, ends = service.tournaments.history, []

    def late(*given: Any, **more: Any) -> Any:
        found = history(*given, **more)
        if not found:
            ends.append(cup.clock.now)
        if len(ends) == 2:  # the visit after the rest, which finds nothing
            monkeypatch.undo()
            cup.command("/announcements", {"text": "Two."})
            read_feed(cup)
        return found

    monkeypatch.setattr(service.tournaments, "history", late)
    while service.deliverer.visit_next():
        pass

    assert [message["data"]["text"] for message in messages(server)] == ["One.", "Two."]


def test_a_slow_receiver_rests_even_if_events_follow(cup, server, monkeypatch):
    id_, _ = add(cup, url("/hook"))
    deliver(cup)
    service, took = cup.api.service, 9_900
    send = service.deliverer._sender.send

    def wake() -> None:
        service.webhook_times.wake([(cup.id, id_)], cup.clock.now)

    def slow(*given: Any, **more: Any) -> Any:
        wake()
        cup.clock.now += took
        return send(*given, **more)

    monkeypatch.setattr(service.deliverer._sender, "send", slow)
    for text in ("One.", "Two."):
        cup.command("/announcements", {"text": text})
        read_feed(cup)
        assert service.deliverer.visit_next()
        for _ in range(2):
            wake()
            assert not service.deliverer.visit_next(), "nine times as long as the visit took"
            cup.clock.now += REST * took // 2
        assert server.requests[-1][2].count(text.encode()) == 1
        cup.clock.now += 2 * MOMENT_MS


def test_a_test_waits_until_the_message_before_it_was_sent(cup, server, monkeypatch):
    id_, _ = add(cup, url("/hook"))
    deliver(cup)
    service = cup.api.service
    cup.command("/announcements", {"text": "One."})
    read_feed(cup)
    send = service.deliverer._sender.send

    def tested(*given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        cup.command(f"/webhooks/{id_}/test")
        assert not service.deliverer.visit_next(), "another thread has it"
        return send(*given, **more)

    monkeypatch.setattr(service.deliverer._sender, "send", tested)
    deliver(cup)

    assert types(server) == ["announcement", "ping"]
    assert listed(cup)[0]["is_tested"]


def test_a_service_that_sends_no_messages_refuses_webhooks():
    api = standing_api(Settings(webhook_slots=0))
    cup = Cup(api, api.person("Olga"))
    problem(cup.order("/webhooks", form()), 409, "no_webhooks_here")
    assert listed(cup) == []


def test_webhooks_are_few_and_only_for_the_organiser(told, cup):
    ada = told.person("Ada")
    for method, path in (
        ("GET", ""),
        ("POST", ""),
        ("POST", "/x/secret"),
        ("POST", "/x/test"),
        ("DELETE", "/x"),
    ):
        sent = {"json": form()} if (method, path) == ("POST", "") else {"data": b""}
        answer = ada.ask(method, f"{cup.path}/webhooks{path}", **sent)
        problem(answer, 403, "not_organiser")
    same = [cup.order("/webhooks", form(), key="the-first-webhook") for _ in range(2)]
    assert same[0].json == same[1].json
    assert same[0].json["secret"].startswith("whsec_")
    problem(
        cup.order("/webhooks", form("https://b.example/"), key="the-first-webhook"),
        409,
        "idempotency_key_reused",
    )
    for _ in range(MAX_WEBHOOKS - 1):
        cup.command("/webhooks", form())
    problem(cup.order("/webhooks", form()), 409, "too_many_webhooks")

    assert list(told.service.stored_records.faults()) == []
    first = listed(cup)[0]["id"]
    assert len(cup.organiser.delete(f"{cup.path}/webhooks/{first}").json["webhooks"]) == MAX_WEBHOOKS - 1
    problem(cup.organiser.delete(f"{cup.path}/webhooks/{first}"), 404, "webhook_not_found")


def test_changes_are_limited_per_player():
    api = standing_api(Settings(partitions=4, webhook_changes_per_player="2/hour"))
    cup = Cup(api, api.person("Olga"))
    id_ = cup.command("/webhooks", form())["id"]
    cup.command(f"/webhooks/{id_}/test")
    problem(cup.order(f"/webhooks/{id_}/test"), 429, "too_many_webhook_changes")


@pytest.mark.parametrize("leave", ["ban", "erase"])
def test_an_erased_or_banned_organiser_leaves_no_address(told, cup, server, leave):
    add(cup, url("/hook"))
    if leave == "ban":
        told.service.erasure.ban(cup.organiser.id)
        cup.run_due()
    else:
        cup.cancel()
        cup.run_due()
        cup.organiser.post("/v1/players/me/erase", CONFIRMED)

    assert cup.api.service.webhook_store.of(cup.id) == {}
    deliver(cup)
    assert server.requests == []


def test_the_webhook_of_a_former_co_organiser_is_removed(told, cup, server):
    cleo = told.person("Cleo")
    cup.command("/co-organisers", {"player": cleo.id})
    cup.command("/webhooks", form(url("/hers")), by=cleo)
    cup.command("/co-organisers/removal", {"player": cleo.id})
    cup.command("/announcements", {"text": "One."})

    deliver(cup)

    assert server.requests == []
    assert listed(cup) == []


def test_d_7_a_result_is_told_only_after_the_release_of_its_deal(told, server):
    cup = Cup(told, told.person("Olga"), **SAME)
    add(cup, url("/hook"), ["table.result", "round.ended", "tournament.ended"])
    cup.start(*[told.person(name) for name in ("Ada", "Bob", "Cy", "Dee")])
    cup.pair()
    cup.start_round()
    first, second = cup.tables()

    cup.end_table(first)
    deliver(cup)
    assert server.requests == []
    cup.end_table(second)
    deliver(cup)
    assert types(server) == ["table.result", "table.result", "round.ended"]
