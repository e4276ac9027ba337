"""Two processes that share counts, on each kind of Redis."""

import asyncio
import contextlib
from typing import NoReturn

import pytest
from fakeredis import FakeRedis, FakeServer

from hoodwink.service.adapters.limits import shared_counts
from hoodwink.service.adapters.limits.counters import Counters
from hoodwink.service.adapters.limits.shared_counts import RENEW_SECONDS, SharedCounts, keep_exchanging
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.application.errors import LimitReached
from hoodwink.service.application.limits import Bound, Limit, Rate
from hoodwink.service.application.ports import StoreUnavailable
from tests.service.adapters.servers import everywhere
from tests.service.adapters.test_counters import FakeClock, admitted, refusal

TABLES, COMMANDS, STREAMS = (
    Limit.TABLES_PER_PLAYER,
    Limit.COMMANDS_PER_PLAYER,
    Limit.STREAMS_PER_ADDRESS,
)
BOUNDS: dict[Limit, Bound] = {TABLES: Rate(10, 3600), COMMANDS: Rate(1000, 1), STREAMS: 3}


class Process:
    """The counters of a process, and their exchange."""

    def __init__(self, client, name):
        self.clock = FakeClock()
        self.counters = Counters(BOUNDS, clock=self.clock)
        self.shared = SharedCounts(
            self.counters,
            client=client,
            process=name,
            clock=self.clock,
        )

    def exchange(self):
        self.shared.exchange()

    def admitted(self, who="ada", limit=TABLES, *, attempts=20):
        return admitted(self.counters, limit, who, attempts=attempts)

    def agrees(self, who="192.0.2.1"):
        return self.shared.agree(STREAMS, who)

    def hold(self, who="192.0.2.1"):
        return self.counters.hold(STREAMS, who)


@pytest.fixture
def one(client):
    return Process(client, "one")


@pytest.fixture
def two(client):
    return Process(client, "two")


def keys(client):
    return sorted(key.decode() for key in client.keys("*", **everywhere(client)))


def test_processes_share_a_rate(one, two):
    assert one.admitted(attempts=6) == 6
    assert two.admitted(attempts=1) == 1
    one.exchange()
    two.exchange()

    assert two.admitted() == 3
    two.exchange()
    one.admitted(attempts=0)
    assert one.admitted() == 4, "it hears of the others with its own next count"
    one.exchange()
    assert one.admitted() == 0


def test_processes_exceed_a_shared_limit_at_most_once(one, two):
    """Each may admit the whole limit before the first exchange; then both wait until all of it has drained."""
    assert one.admitted() + two.admitted() == 20
    one.exchange()
    two.exchange()

    two.clock.now += 3600
    assert two.admitted() == 0
    assert refusal(two.counters.admit, TABLES, "ada").retry_after == 360
    two.clock.now += 3600
    assert two.admitted() == 10


def test_counts_during_an_exchange_are_kept(one, two, monkeypatch):
    one.admitted(attempts=4)
    run = shared_counts._RATES.run

    def slow(*given):
        reply = run(*given)
        one.admitted(attempts=3)
        return reply

    with monkeypatch.context() as patch:
        patch.setattr(shared_counts._RATES, "run", slow)
        one.exchange()

    one.exchange()
    two.admitted(attempts=1)
    two.exchange()
    assert two.admitted() == 2


def test_an_empty_bucket_is_removed_from_the_store(one, client):
    one.admitted(attempts=2)
    one.admitted("bob", COMMANDS, attempts=1)
    one.exchange()

    assert 700_000 < client.pttl("hw:{limits}:tables_per_player:ada") <= 720_000
    assert client.pttl("hw:{limits}:commands_per_player:bob") <= 1


def test_without_counts_nothing_is_exchanged(one, monkeypatch):
    one.admitted(attempts=1)
    one.hold().release()
    one.exchange()
    monkeypatch.setattr(Script, "run", lambda *_: pytest.fail("asked"))

    one.clock.now += RENEW_SECONDS
    one.exchange()


def test_processes_share_budgets(one, two):
    one.counters.draw(TABLES, "ada", 9.25)
    two.counters.draw(TABLES, "ada", 0.5)
    one.exchange()
    two.exchange()
    two.counters.check_budget(TABLES, "ada")
    two.counters.draw(TABLES, "ada", 0.5)
    two.exchange()
    one.counters.draw(TABLES, "ada", 0.001)
    one.exchange()

    assert refusal(one.counters.check_budget, TABLES, "ada").limit is TABLES


def test_many_counts_are_sent_in_batches(one, two):
    for number in range(1_200):
        one.admitted(f"player{number}", attempts=6)
        two.admitted(f"player{number}", attempts=4)
    one.exchange()
    two.exchange()

    assert {two.admitted(f"player{number}") for number in range(1_200)} == {0}


# ----------------------------------------------------------------------------------------- levels


def test_places_held_by_one_process_count_in_the_other(one, two):
    first, _second = one.hold(), one.hold()
    two.hold()
    one.exchange()
    two.exchange()

    assert refusal(two.hold).limit is STREAMS
    first.release()
    one.exchange()
    two.clock.now += RENEW_SECONDS
    two.exchange()
    two.hold()


def test_agreeing_processes_never_exceed_the_bound(one, two):
    """Agreement is immediate: with periodic exchanges, 322 of 400 streams were admitted at a limit of 200."""
    held = []
    for number in range(10):
        process = (one, two)[number % 2]
        with contextlib.suppress(LimitReached):
            hold = process.hold()
            held.append(hold)
            if not process.agrees():
                held.pop().release()

    assert len(held) == 3


def test_a_refused_process_learns_the_others_count(one, two):
    for _ in range(3):
        one.hold()
    assert one.agrees()

    last = two.hold()
    assert not two.agrees()
    last.release()

    refusal(two.hold)
    two.exchange()
    two.hold()  # a process that holds none does not count the others
    assert not two.agrees()


def test_an_unbounded_level_is_always_granted(one):
    assert one.shared.agree(Limit.STREAMS_PER_PLAYER, "ada")


def test_a_held_level_stays_in_the_store(one, two, client):
    one.hold()
    one.exchange()
    key = "hw:{limits}:streams_per_address:192.0.2.1"
    client.pexpire(key, 100)

    one.exchange()
    assert client.pttl(key) <= 100
    one.clock.now += RENEW_SECONDS
    one.exchange()
    assert client.pttl(key) > 14_000


def test_a_released_level_is_removed_from_the_store(one, client):
    hold = one.hold()
    one.exchange()
    hold.release()
    one.exchange()

    assert keys(client) == []


def test_places_of_a_dead_process_expire(one, two, client):
    one.hold()
    one.hold()
    one.exchange()
    client.hset("hw:{limits}:streams_per_address:192.0.2.1", "one", "2 1")  # it has expired

    two.hold()
    two.exchange()
    two.hold()
    two.hold()
    assert set(client.hgetall("hw:{limits}:streams_per_address:192.0.2.1")) == {b"two"}


# ------------------------------------------------------------------------------------- Redis away


@pytest.fixture
def server():
    return FakeServer(version=(7,))


@pytest.fixture
def alone(server):
    return Process(FakeRedis(server=server, protocol=2), "one")


def test_without_redis_only_the_processs_own_counts_apply(server, alone):
    other = Process(FakeRedis(server=server, protocol=2), "two")
    for _ in range(3):
        other.hold()
    other.exchange()
    alone.hold()
    alone.exchange()
    refusal(alone.hold)
    server.connected = False
    alone.admitted(attempts=4)

    with pytest.raises(StoreUnavailable):
        alone.exchange()

    assert alone.admitted() == 6
    alone.hold()
    assert alone.agrees()


def test_processes_share_counts_again_when_redis_is_back(server, alone):
    server.connected = False
    with pytest.raises(StoreUnavailable):
        alone.admitted(attempts=1)
        alone.exchange()
    server.connected = True
    alone.admitted(attempts=5)
    alone.exchange()

    other = Process(FakeRedis(server=server, protocol=2), "two")
    other.admitted(attempts=1)
    other.exchange()
    assert other.admitted() == 4


class Done(BaseException):
    """Raised at the end of a scenario; no error handler catches it."""


def test_the_exchange_continues_after_every_failure(monkeypatch):
    monkeypatch.setattr(shared_counts, "EXCHANGE_SECONDS", 0.0)
    outcomes = [StoreUnavailable("away"), StoreUnavailable("away"), ValueError("a bug"), Done()]

    def fails() -> NoReturn:
        raise outcomes.pop(0)

    with pytest.raises(Done):
        asyncio.run(keep_exchanging(fails))

    assert outcomes == []


def test_a_refusal_states_the_limit():
    refused = LimitReached(Limit.COMMANDS_PER_PLAYER, Rate(20, 1), 1)

    assert refused.detail == (
        "Too many requests were sent. The limit of commands per player is 20/second. "
        "Nothing has changed; try again in 1 second."
    )
