"""Budgets of reads: which reads use them, and which are refused once they are spent."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.service.application.limits import Limit
from hoodwink.service.application.streams.parts import rest
from hoodwink.service.http.framework import budgets
from hoodwink.service.http.framework.operations import Cost
from hoodwink.service.http.serving.guards import costly_reads
from hoodwink.service.http.serving.guards.costly_reads import CostlyReads
from tests.service.http.api import Person
from tests.service.http.refused.listed import OPERATIONS
from tests.service.http.test_limits import assert_limited

STREAM = {"Accept": "text/event-stream"}


def scope(**given: Any) -> Any:
    return SimpleNamespace(**given)


class Processor:
    """Replaces the thread's CPU time: everything takes `ms`."""

    def __init__(self):
        self.ms = 0.0
        self._now = 0.0

    def __call__(self):
        self._now += self.ms / 1000
        return self._now


@pytest.fixture
def cost(monkeypatch):
    processor = Processor()
    monkeypatch.setattr(budgets, "thread_time", processor)
    return processor


@pytest.fixture
def api(api_with):
    return api_with(reads_per_player="100/minute", reads_per_address="300/minute")


def level(api, limit):
    return round(sum(level for level, _ in api.service.limits.rates[limit].levels.values()))


def test_a_costly_read_uses_the_budgets_of_player_and_address(api, cost):
    ada, bob = api.person("Ada"), api.person("Bob")
    path, cost.ms = api.playing(ada, bob), 60.0

    assert ada.get(f"{path}/events").status_code == 200
    assert (level(api, Limit.READS_PER_PLAYER), level(api, Limit.READS_PER_ADDRESS)) == (60, 60)
    assert ada.get(f"{path}/events").status_code == 200
    assert_limited(ada.get(f"{path}/events"), "too_many_reads", 12, "reads per player")
    assert (level(api, Limit.READS_PER_PLAYER), level(api, Limit.READS_PER_ADDRESS)) == (120, 120)
    assert bob.get(f"{path}/events").status_code == 200


@pytest.mark.parametrize("accept", ["application/json, text/event-stream", "*/*;x=text/event-stream"])
def test_a_page_is_charged_if_the_header_also_mentions_streams(api, cost, accept):
    path, cost.ms = api.playing(api.person("Ada"), api.person("Bob")), 60.0

    answer = api.spectator.get(f"{path}/events", headers={"Accept": accept})

    assert answer.content_type == "application/json"
    assert level(api, Limit.READS_PER_ADDRESS) == 60


def test_a_strangers_read_uses_only_the_budget_of_the_address(api, cost):
    path, cost.ms = api.playing(api.person("Ada"), api.person("Bob")), 310.0

    assert api.spectator.get(f"{path}/events").status_code == 200
    assert_limited(api.spectator.get(f"{path}/events"), "too_many_reads", 2, "reads per address")
    elsewhere = {"environ_overrides": {"REMOTE_ADDR": "203.0.113.9"}}
    assert api.spectator.get(f"{path}/events", **elsewhere).status_code == 200


def test_a_spent_budget_recovers_over_time(api, cost, still):
    path, cost.ms = api.playing(api.person("Ada"), api.person("Bob")), 310.0
    api.spectator.get(f"{path}/events")
    still.now += 3

    assert api.spectator.get(f"{path}/events").status_code == 200


def test_short_reads_are_free(api, cost):
    path, cost.ms = api.playing(api.person("Ada"), api.person("Bob")), budgets.FREE_MS * 0.99

    for _ in range(500):
        assert api.spectator.get(f"{path}/events").status_code == 200
    assert level(api, Limit.READS_PER_ADDRESS) == 0


def test_play_continues_after_a_budget_is_spent(api, cost):
    ada, bob = api.person("Ada"), api.person("Bob")
    path, cost.ms = api.playing(ada, bob), 400.0
    ada.get(f"{path}/events")
    assert_limited(ada.get(f"{path}?version=1"), "too_many_reads", 180, "reads per player")

    for below in ("", "/legal-actions", "?include=legal_actions"):
        assert ada.get(path + below).status_code == 200
    assert ada.get("/v1/tables").status_code == 200
    assert ada.get("/v1/me/tables").status_code == 200
    assert ada.get(f"{path}/events", headers=STREAM).status_code == 406, "there are no streams in this test"
    api.play_out(path, ada, bob)


@pytest.mark.parametrize("name", [name for name, operation in OPERATIONS.items() if operation.budgets])
def test_costly_operations_are_recognised(name):
    operation = OPERATIONS[name]
    path = "/".join("x" if part.startswith("{") else part for part in operation.path.split("/"))
    reads = CostlyReads(OPERATIONS.values())

    def finds(method="GET", query="", accept="application/json"):
        return reads.has(scope(method=method, path=path, query_string=query, headers={"accept": accept}))

    is_at_version, is_unless_live = (
        operation.cost is each for each in (Cost.MUCH_AT_VERSION, Cost.MUCH_UNLESS_LIVE)
    )
    assert finds() is not is_at_version
    assert finds(query="version=3")
    assert finds(query="viewer=0&version=3", accept="text/event-stream") is not is_unless_live
    assert finds(query="version=3", accept="application/json, text/event-stream")
    assert finds(query="%76ersion=3"), "the handler decodes the names of parameters"
    assert finds(method="HEAD", query="version=3"), "HEAD runs the handler of GET"
    assert not finds(method="POST")


def test_a_repeated_accept_header_is_read_as_a_list():
    headers = Repeated((("accept", "text/event-stream"), ("accept", "application/json")))
    path = "/v1/tables/x/events"

    assert CostlyReads(OPERATIONS.values()).has(
        scope(method="GET", path=path, query_string="", headers=headers)
    )


class Repeated(tuple[tuple[str, str], ...]):
    """Headers as the server passes them on: `get` knows only the first of two with one name."""

    __slots__ = ()

    def get(self, name, default=None):
        return next((value for known, value in self if known == name), default)

    def items(self):
        return [*self]


def test_other_operations_are_not_costly():
    reads = CostlyReads(OPERATIONS.values())
    for path in ("/v1/tables", "/readyz", "/", "/v1/tables/x/actions", "/v1/tables/x/legal-actions"):
        assert not reads.has(scope(method="GET", path=path, query_string="", headers={}))


def test_the_costly_thread_rests_twice_as_long_as_it_computed(monkeypatch):
    slept, processor = list[float](), Processor()
    monkeypatch.setattr(costly_reads, "thread_time", processor)
    monkeypatch.setattr(costly_reads, "monotonic", lambda: 0.0)
    monkeypatch.setattr(costly_reads, "sleep", slept.append)
    thread = CostlyReads([]).thread
    processor.ms = 30.0

    for number in range(3):
        assert thread.submit(lambda value: value, number).result(timeout=60) == number
    processor.ms = 900.0
    for _ in range(2):
        thread.submit(int).result(timeout=60)
    thread.shutdown()

    assert slept == pytest.approx([0.0, 0.06, 0.06, 0.06, 1.0]), "but never longer than a second"


def test_the_costly_thread_rests_between_parts_of_a_long_read(monkeypatch):
    slept, computed, between = list[float](), iter([0.0, 0.001, 0.021, 0.021, 0.021, 0.024, 0.025]), []
    monkeypatch.setattr(costly_reads, "thread_time", lambda: next(computed))
    monkeypatch.setattr(costly_reads, "monotonic", lambda: 0.0)
    monkeypatch.setattr(costly_reads, "sleep", slept.append)

    def read():
        for _ in range(3):
            rest()
            between.append(len(slept))

    with CostlyReads([]).thread as thread:
        thread.submit(read).result(timeout=60)

    assert slept == pytest.approx([0.0, 0.042]), "only after it has computed for a while"
    assert between == [1, 2, 2]


def test_the_switch_interval_is_shorter_during_costly_reads():
    usual = sys.getswitchinterval()
    with CostlyReads([]).thread as thread:
        assert thread.submit(sys.getswitchinterval).result(timeout=60) == pytest.approx(0.001)
        with pytest.raises(ZeroDivisionError):
            thread.submit(lambda: 1 // 0).result(timeout=60)
    assert sys.getswitchinterval() == usual


def test_thirty_players_at_one_address_stay_within_default_budgets(api_with):
    """A school class opens the replays of its tables within one minute, page by page and version by version."""
    api = api_with(reads_per_player="1501/minute", reads_per_address="3001/minute")
    ada, bob = api.person("Ada"), api.person("Bob")
    path = api.playing(ada, bob, options={"rounds": 2})
    api.play_out(path, ada, bob)
    last = ada.get(path).json["version"]
    people = [Person(api.app, ada.token, ada.id), *[api.person(f"Player {number}") for number in range(29)]]

    for person in people:
        asked = [f"{path}/log", f"{path}/events?include=words&limit=1000", path]
        asked += [f"{path}?version={version}" for version in range(1, last, max(1, last // 10))]
        assert {person.get(each).status_code for each in asked} == {200}
