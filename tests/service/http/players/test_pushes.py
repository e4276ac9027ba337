"""Subscriptions to pushes: they belong to a token, there are few of them, and a table calls each player once."""

from typing import Any

import pytest

from hoodwink.domain.tables.deciding.talking import NUDGE_AFTER_MS
from hoodwink.service.application.players.pushes import PushOutcome
from hoodwink.service.application.work.calling import MAX_ANNOUNCED_PER_HOUR, MAX_PER_HOUR, calls_of
from hoodwink.service.application.work.recalls import (
    MAX_PAUSE_MS,
    MAX_PER_PLAYER,
    MAX_WAITING,
    PAUSES_MS,
    Recall,
    Recalls,
)
from hoodwink.service.settings import Settings
from tests.pace import AT_ONCE
from tests.service.http.api import CONFIRMED, Person, new_api, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.examples.players import SUBSCRIPTION
from tests.service.push_server import Browser, push_server

PUSHES = "/v1/me/pushes"


def subscription(endpoint="https://push.example.org/a", keys=None):
    return {"endpoint": endpoint, "keys": keys or SUBSCRIPTION["keys"]}


def endpoints(who):
    return [push["endpoint"] for push in who.get(PUSHES).json["pushes"]]


def test_another_subscription_replaces_the_oldest_of_five(api, ada, bob):
    names = [f"https://push.example.org/{number}" for number in range(6)]

    for name in [names[0], *names]:
        assert ada.ask("PUT", PUSHES, json=subscription(name)).status_code == 200

    assert endpoints(ada) == names[1:]
    assert endpoints(bob) == []
    first = ada.get(PUSHES).json["pushes"][0]["id"]
    problem(bob.delete(f"{PUSHES}/{first}"), 404, "push_not_found")
    assert len(ada.delete(f"{PUSHES}/{first}").json["pushes"]) == 4
    assert len(bob.get(PUSHES).json["public_key"]) == 87


@pytest.mark.parametrize(
    "form",
    [
        subscription("http://push.example.org/a"),
        subscription("https://push.example.org/" + "a" * 2_000),
        subscription(keys={"p256dh": "x", "auth": "A" * 22}),
        {"endpoint": "https://push.example.org/a"},
    ],
)
def test_other_subscriptions_are_refused(ada, form):
    problem(ada.ask("PUT", PUSHES, json=form), 400, "invalid_body")


def test_a_subscription_ends_with_its_token_and_with_its_player(api, ada, bob):
    for who in (ada, bob):
        who.ask("PUT", PUSHES, json=subscription())

    token = ada.post("/v1/players/me/token").json["token"]
    assert endpoints(Person(api.app, token, ada.id)) == []
    bob.post("/v1/players/me/erase", CONFIRMED)
    assert api.service.subscriptions.of(bob.id) == ()
    assert bob.id not in api.service.subscriptions.players()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with push_server(tmp_path_factory.mktemp("push")) as running:
        yield running


@pytest.fixture
def calling(server):
    server.requests.clear()
    return standing_api(guard=server.guard())


def call(api, path):
    api.service.caller.call(path.rpartition("/")[2])


def test_a_table_calls_each_player_once_and_says_only_where(calling, server):
    ada, bob, browser = calling.person(), calling.person("Bob"), Browser()
    ada.ask("PUT", PUSHES, json=subscription(server.url("/ada"), browser.keys))
    bob.ask("PUT", PUSHES, json=subscription(server.url("/gone"), browser.keys))

    path = calling.playing(ada, bob, game="blindside")
    for _ in range(2):
        call(calling, path)

    assert sorted(asked for asked, _, _ in server.requests) == ["/ada", "/gone"]
    assert {str(browser.read(body)) for _, _, body in server.requests} == {
        str({"url": path.removeprefix("/v1")})
    }
    assert (len(endpoints(ada)), endpoints(bob)) == (1, [])


def test_a_nudge_calls_once_more_in_the_same_turn_but_not_in_the_next(calling, server):
    ada, bob, browser = calling.person(), calling.person("Bob"), Browser()
    bob.ask("PUT", PUSHES, json=subscription(server.url("/bob"), browser.keys))
    path = calling.playing(ada, bob, game="blindside", rated=False)
    table = path.rpartition("/")[2]
    caller = calling.service.caller
    caller.call(table)
    caller.nudge(table)
    assert len(server.requests) == 1

    calling.service.clock.now += NUDGE_AFTER_MS
    ada.post(f"{path}/sayings", {"saying": "nudge", "to": 1})
    caller.nudge(table)
    caller.call(table)

    assert [browser.read(body) for _, _, body in server.requests] == [{"url": path.removeprefix("/v1")}] * 2
    state = calling.service.tables.load(table).state
    calling.service.sayings.nudge(table, 1, state.owing_since[1] - 1)
    caller.nudge(table)
    assert len(server.requests) == 2


def test_an_offered_seat_calls_and_a_player_who_has_acted_is_not_called(calling, server):
    ada, bob = calling.person(), calling.person("Bob")
    for who in (ada, bob):
        who.ask("PUT", PUSHES, json=subscription(server.url(f"/{who.id}"), Browser().keys))
    opened = ada.post("/v1/tables", {"game": "blindside", "seats": 2, **AT_ONCE}).headers["Location"]

    ada.post(f"{opened}/offers", {"player": bob.id})
    call(calling, opened)

    assert [asked for asked, _, _ in server.requests] == [f"/{bob.id}"]
    for who in (bob, ada):
        who.post(f"{opened}/seats")
    assert calls_of(calling.service.tables.load(opened.rpartition("/")[2]).state) == {}


def test_t_61_an_announcement_calls_entrants_once_and_says_only_where(calling, server):
    olga, ada, bob, cy = (calling.person(name) for name in ("Olga", "Ada", "Bob", "Cy"))
    browser = Browser()
    for who in (olga, ada, bob, cy):
        place = "/busy/ada" if who is ada else f"/{who.id}"
        who.ask("PUT", PUSHES, json=subscription(server.url(place), browser.keys))
    cup = Cup(calling, olga)
    cup.enter(olga, ada, bob)
    cup.command(f"/entrants/{bob.id}/withdrawal", CONFIRMED, by=bob)
    cup.command("/announcements", {"text": "Lunch at one."})
    sent: list[str] = []
    calling.service.call_watch._tasks = Queue(sent)
    calling.service.call_watch.watch(read_feed(calling))
    assert sent == [cup.id]

    for _ in range(2):
        calling.service.caller.announce(cup.id)
    assert [asked for asked, _, _ in server.requests] == ["/busy/ada"]
    calling.service.clock.now += 40_000
    send_again(calling)

    assert [asked for asked, _, _ in server.requests] == ["/busy/ada"] * 2, "the writer needs no push"
    assert {str(browser.read(body)) for _, _, body in server.requests} == {
        str({"url": f"/tournaments/{cup.id}"})
    }


def test_t_28_an_offer_of_an_entry_calls_once_until_it_is_answered(calling, server):
    olga, ada, bob = (calling.person(name) for name in ("Olga", "Ada", "Bob"))
    for who in (ada, bob):
        who.ask("PUT", PUSHES, json=subscription(server.url(f"/busy/{who.id}"), Browser().keys))
    cup = Cup(calling, olga)
    cup.command("/registration")
    cup.command("/offers", {"players": [ada.id, bob.id]})
    sent: list[str] = []
    calling.service.call_watch._tasks = Queue(sent)
    calling.service.call_watch.watch(read_feed(calling))
    assert sent == [cup.id]

    for _ in range(2):
        calling.service.caller.offer_entries(cup.id)
    assert sorted(asked for asked, _, _ in server.requests) == sorted([f"/busy/{ada.id}", f"/busy/{bob.id}"])
    bob.post(f"{cup.path}/offers/refusal")
    server.requests.clear()
    calling.service.clock.now += 40_000
    send_again(calling)

    assert [asked for asked, _, _ in server.requests] == [f"/busy/{ada.id}"]


def test_t_19_an_offer_of_a_place_calls_once(calling, server):
    olga, ada, bob, eve = (calling.person(name) for name in ("Olga", "Ada", "Bob", "Eve"))
    eve.ask("PUT", PUSHES, json=subscription(server.url("/eve"), Browser().keys))
    cup = Cup(calling, olga).start(ada, bob)
    offering = {"player": eve.id, "reason": "Ada is ill."}
    for _ in range(2):
        cup.command(f"/entrants/{ada.id}/substitute", offering)
        sent: list[str] = []
        calling.service.call_watch._tasks = Queue(sent)
        calling.service.call_watch.watch(read_feed(calling))
        assert set(sent) == {cup.id}
        calling.service.caller.offer_entries(cup.id)
        cup.command("/place/refusal", by=eve)
    calling.service.caller.offer_entries(cup.id)

    assert [asked for asked, _, _ in server.requests] == ["/eve"]


def test_a_push_that_failed_is_sent_again_until_the_player_has_acted(calling, server):
    ada, bob = calling.person(), calling.person("Bob")
    for who in (ada, bob):
        who.ask("PUT", PUSHES, json=subscription(server.url(f"/busy/{who.id}"), Browser().keys))
    path, outcomes = calling.playing(ada, bob, game="blindside"), list[PushOutcome]()
    calling.service.caller._count = outcomes.append
    call(calling, path)
    assert (len(server.requests), outcomes) == (2, [PushOutcome.DELAYED] * 2)

    assert calling.service.recalls.take() is None
    calling.service.clock.now += 40_000
    send_again(calling)
    assert len(server.requests) == 4
    ada.post(f"{path}/actions", ada.get(f"{path}/legal-actions").json["actions"][0])
    calling.service.clock.now += 120_000
    send_again(calling)

    assert sum(asked.endswith(ada.id) for asked, _, _ in server.requests) == 2
    assert sum(asked.endswith(bob.id) for asked, _, _ in server.requests) == 3


def send_again(api):
    while recall := api.service.recalls.take():
        api.service.caller.call_again(recall)


def recall(player="ada", attempts=1):
    return Recall(player=player, subscription="s", table="t", reason="r", attempts=attempts)


def test_a_push_is_given_up_after_some_attempts_or_if_it_would_come_late():
    clock: Any = Steps()
    recalls = Recalls(clock)

    assert not recalls.add(recall(attempts=len(PAUSES_MS) + 1))
    assert not recalls.add(recall(), wait_ms=MAX_PAUSE_MS + 1)
    assert recalls.add(recall(), wait_ms=MAX_PAUSE_MS)
    clock.ms += PAUSES_MS[0]
    assert recalls.take() is None
    clock.ms += MAX_PAUSE_MS
    assert recalls.take() == recall()


def test_a_waiting_push_is_sent_when_its_pause_is_over():
    clock: Any = Steps()
    recalls, sent = Recalls(clock), list[Recall]()

    def send(waiting):
        sent.append(waiting)
        raise InterruptedError

    recalls.add(recall())
    clock.ms += PAUSES_MS[0]
    with pytest.raises(InterruptedError):
        recalls.run(send)

    assert sent == [recall()]


def test_a_limited_number_of_pushes_wait_to_be_sent_again():
    clock: Any = Steps()
    recalls = Recalls(clock)

    assert [recalls.add(recall()) for _ in range(MAX_PER_PLAYER + 1)] == [True] * MAX_PER_PLAYER + [False]
    others = [recalls.add(recall(str(number))) for number in range(MAX_WAITING)]
    assert sum(others) == MAX_WAITING - MAX_PER_PLAYER
    clock.ms += PAUSES_MS[0]
    assert recalls.take()
    assert recalls.add(recall())


def test_subscriptions_end_with_the_key_that_signs_their_pushes(api, ada):
    ada.ask("PUT", PUSHES, json=subscription())
    newer = new_api(Settings(partitions=4, push_key=2), client=api.service.client)
    again = Person(newer.app, ada.token, ada.id)

    assert again.get(PUSHES).json["public_key"] != ada.get(PUSHES).json["public_key"]
    assert endpoints(again) == []
    again.ask("PUT", PUSHES, json=subscription("https://push.example.org/b"))

    # A process that still has the old key leaves the new subscription alone.
    assert endpoints(ada) == []
    assert endpoints(again) == ["https://push.example.org/b"]


def test_pushes_are_limited_per_player_and_announcements_apart(calling, server):
    ada, olga = calling.person(), calling.person("Olga")
    ada.ask("PUT", PUSHES, json=subscription(server.url("/ada"), Browser().keys))
    cup = Cup(calling, olga)
    cup.enter(ada)
    cup.command("/announcements", {"text": "Lunch at one."})
    count = calling.service.subscriptions.count
    for _ in range(MAX_ANNOUNCED_PER_HOUR):
        count(ada.id, "tournaments", per_hour=MAX_ANNOUNCED_PER_HOUR)
    calling.service.caller.announce(cup.id)
    assert server.requests == []

    path = calling.playing(ada, calling.person("Bob"), game="blindside")
    call(calling, path)
    assert len(server.requests) == 1
    for _ in range(MAX_PER_HOUR):
        count(ada.id, "tables", per_hour=MAX_PER_HOUR)
    call(calling, calling.playing(ada, calling.person("Cy"), game="blindside"))
    assert len(server.requests) == 1


def test_the_projector_sends_watched_tables_a_moment_later(calling):
    ada, bob = calling.person(), calling.person("Bob")
    sent: list[str] = []
    watch, clock = calling.service.call_watch, Steps()
    watch._clock, watch._tasks = clock, Queue(sent)
    ada.ask("PUT", PUSHES, json=subscription())
    watch.watch([])
    watched, other = calling.playing(ada, bob), calling.playing(bob, bots=1)
    entries = read_feed(calling)
    assert {entry.stream.id for entry in entries} >= {path.rpartition("/")[2] for path in (watched, other)}

    watch.watch(entries)
    assert sent == []
    clock.ms += 6_000
    for _ in range(2):
        watch.watch([])

    assert sent == [watched.rpartition("/")[2]]

    calling.play_out(watched, ada, bob)
    watch.watch(read_feed(calling))
    clock.ms += 6_000
    watch.watch([])
    assert len(sent) == 1, "a table that has ended calls nobody"


class Steps:
    ms = 0

    def elapsed_ms(self):
        return self.ms


class Queue:
    def __init__(self, sent):
        self._sent = sent

    def send(self, _task, *ids):
        self._sent.extend(ids)


def read_feed(api):
    feed = api.service.feed
    return feed.read(group="test", consumer="test", partitions=feed.partitions, count=1_000, block_ms=1)
