"""Commands find their node, and connections are returned or closed."""

import os
import re
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis
from redis.cluster import RedisCluster
from redis.connection import Connection
from redis.exceptions import ResponseError, TimeoutError  # noqa: A004

from hoodwink.service.adapters.redis.connection import Client, connect
from hoodwink.service.adapters.redis.scripts import Script
from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.event_store import RedisEventStore
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import Appended, Conflict, StoreUnavailable
from tests.service.adapters.commits import TABLE, commit, record

KEYS = Keys(16).touched(TABLE)


def test_replies_keep_the_order_of_the_commands(client):
    transport = Transport(client)
    keys = [f"hw:{{p{number:02d}}}:x" for number in range(16)]
    transport.call_each([(key, ("SET", key, number)) for number, key in enumerate(keys)])
    assert transport.call_each([(key, ("GET", key)) for key in keys]) == [b"%d" % n for n in range(16)]


def test_an_empty_batch_has_no_replies(client):
    assert Transport(client).call_each([]) == []


def test_one_wrong_command_raises_after_the_others_ran(client):
    transport = Transport(client)
    with pytest.raises(ResponseError, match=r"the key a has .*WRONGTYPE"):
        transport.call_each([("a", ("SET", "a", 1)), ("a", ("XLEN", "a")), ("b", ("SET", "b", 2))])
    assert [transport.call("a", "GET", "a"), transport.call("b", "GET", "b")] == [b"1", b"2"]


def test_a_script_names_its_keys_if_one_has_the_wrong_type(client):
    transport = Transport(client)
    transport.call("{a}1", "SET", "{a}1", 1)
    for number, subject in ((1, "the key {a}1"), (2, "one of the keys {a}1, {a}2")):
        with pytest.raises(ResponseError, match=re.escape(subject)):
            Script("return redis.call('XLEN', KEYS[1])").run(
                transport, ["{a}1", "{a}2"][:number], "an argument"
            )


def test_a_connection_left_in_mid_reply_is_not_reused(client):
    """An unread reply, which may not even have arrived, would be taken as the reply to the next command."""
    transport = Transport(client)

    def give_up(reply: Any) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transport.call_ahead("a", [("ECHO", "one"), ("BLPOP", "a", "0.2")], give_up)
    assert transport.call("a", "ECHO", "mine") == b"mine"


def test_reading_ahead_stops_on_request_and_leaves_no_replies(client):
    transport, taken = Transport(client), list[bytes]()

    def take(reply: bytes) -> bool:
        taken.append(reply)
        return reply != b"2"

    transport.call_ahead("a", [("ECHO", number) for number in range(1, 6)], take)
    assert taken == [b"1", b"2"]
    assert transport.call("a", "GET", "a") is None


def test_a_busy_connection_is_not_shared(embedded_redis):
    with connect(embedded_redis.url) as client:
        transport, ids = Transport(client), list[int]()

        def take(reply: int) -> bool:
            ids.extend((reply, transport.call("a", "CLIENT", "ID")))
            return True

        transport.call_ahead("a", [("CLIENT", "ID")], take)

        assert ids[0] != ids[1]
        assert transport.call("a", "CLIENT", "ID") in ids


def test_a_closed_connection_is_replaced_and_the_loss_reported(
    embedded_redis,
):
    opened = list[None]()
    with (
        connect(embedded_redis.url, on_connect=lambda: opened.append(None)) as client,
        connect(embedded_redis.url) as other,
    ):
        transport = Transport(client)
        transport.call("a", "SET", "a", 1)
        before = len(opened)
        assert other.client_kill_filter(_id=transport.call("a", "CLIENT", "ID")) == 1

        assert transport.call("a", "SET", "a", 1) == b"OK"

        assert len(opened) == before + 1


def test_a_child_process_has_its_own_connections(embedded_redis):
    """On a shared socket, parent and child could read each other's replies."""
    with connect(embedded_redis.url) as client:
        transport = Transport(client)
        mine = transport.call("a", "CLIENT", "ID")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, b"%d" % transport.call("a", "CLIENT", "ID"))
            os._exit(0)
        os.waitpid(child, 0)

        assert int(os.read(reading, 20)) != mine
        assert transport.call("a", "CLIENT", "ID") == mine
        os.close(reading)
        os.close(writing)


def test_a_vanished_server_is_unavailable():
    server = FakeServer(version=(7,))
    transport = Transport(FakeRedis(server=server, protocol=2))
    transport.call("a", "GET", "a")
    server.connected = False
    with pytest.raises(StoreUnavailable):
        transport.call("a", "GET", "a")
    server.connected = True
    assert transport.call("a", "GET", "a") is None


@pytest.mark.parametrize("client", ["embedded"], indirect=True)
def test_a_full_server_is_unavailable_but_a_wrong_command_raises(client):
    transport = Transport(client)
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable, match="maxmemory"):
            RedisEventStore(client=client).append(commit(0))
    finally:
        client.config_set("maxmemory", 0)
    assert [client.exists(key) for key in KEYS] == [0, 0, 0]
    with pytest.raises(ResponseError, match="wrong number"):
        transport.call("a", "GET")


@pytest.mark.parametrize("client", ["embedded"], indirect=True)
def test_a_server_with_a_failing_disk_is_unavailable(client):
    class Refusing(Transport):
        def _exchange(self, *_: object) -> Any:
            raise ResponseError("MISCONF Errors writing to the AOF file: No space left on device")

    with pytest.raises(StoreUnavailable, match="No space left"):
        Refusing(client).call("a", "SET", "a", 1)


@pytest.mark.parametrize(
    "command", [("SET", "a", 1), ("EVAL", "return redis.call('SET', KEYS[1], 1)", 1, "a")]
)
@pytest.mark.parametrize("client", ["embedded"], indirect=True)
def test_a_demotion_without_lost_connection_counts_as_a_loss(client, command):
    """While it was a replica, the server may have taken over an older copy."""
    lost = list[None]()
    transport = Transport(client, on_loss=lambda: lost.append(None))
    client.execute_command("REPLICAOF", "127.0.0.1", "1")
    try:
        with pytest.raises(StoreUnavailable, match="read only replica"):
            transport.call("a", *command)
    finally:
        client.execute_command("REPLICAOF", "NO", "ONE")
    assert lost == [None]
    with pytest.raises(ResponseError):
        transport.call("a", "GET")
    assert lost == [None]  # a wrong command is no loss


@pytest.mark.parametrize("client", [pytest.param("cluster", marks=pytest.mark.cluster)], indirect=True)
def test_all_nodes_get_their_commands_before_any_reply_is_read(client, monkeypatch):
    transport, steps = Transport(client), list[str]()
    commands = [(key, ("GET", key)) for key in map(str, range(50))]
    transport.call_each(commands)  # opens the connections
    for name in ("send_packed_command", "read_response"):
        monkeypatch.setattr(Connection, name, recording(steps, name, getattr(Connection, name)))

    transport.call_each(commands)

    assert steps == ["send_packed_command"] * 3 + ["read_response"] * 50


def recording(steps: list[str], name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def note(*arguments: Any, **options: Any) -> Any:
        steps.append(name)
        return method(*arguments, **options)

    return note


@pytest.mark.parametrize("client", [pytest.param("cluster", marks=pytest.mark.cluster)], indirect=True)
def test_a_failed_command_does_not_wait_for_failover_discovery(client, monkeypatch):
    class Silent(Transport):
        def _exchange(self, *_: object) -> Any:
            raise TimeoutError("the node does not answer")

    searching, go_on, searched = list[Client](), Event(), Event()

    def ping(client: Client) -> None:
        searching.append(client)
        go_on.wait(60)
        searched.set()

    monkeypatch.setattr("hoodwink.service.adapters.redis.transport.ping", ping)
    transport = Silent(client)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            transport.call("a", "GET", "a")
    assert not searched.is_set()
    go_on.set()
    assert searched.wait(60)
    assert searching == [client]  # one search at a time


# --------------------------------------------------------------------------------- moving slots


class Move:
    """Moves the slot of a table from the node that has it to another, step by step."""

    def __init__(self, client: Client, ports: list[int]) -> None:
        assert isinstance(client, RedisCluster)
        keyslot: Any = client.keyslot
        self.slot: int = keyslot(KEYS[0])
        home = client.nodes_manager.get_node_from_slot(self.slot)
        self.source = Redis(port=home.port)
        self.target = Redis(port=next(port for port in ports if port != home.port))
        self._nodes = [Redis(port=port) for port in ports]
        self._ids = {node: node.execute_command("CLUSTER", "MYID").decode() for node in self._nodes}
        self._ids |= {
            node: node.execute_command("CLUSTER", "MYID").decode() for node in (self.source, self.target)
        }

    def begin(self) -> None:
        self.target.execute_command("CLUSTER", "SETSLOT", self.slot, "IMPORTING", self._ids[self.source])
        self.source.execute_command("CLUSTER", "SETSLOT", self.slot, "MIGRATING", self._ids[self.target])

    def carry(self, *keys: str) -> None:
        port = self.target.connection_pool.connection_kwargs["port"]
        self.source.execute_command("MIGRATE", "127.0.0.1", port, "", 0, 5000, "KEYS", *keys)

    def finish(self) -> None:
        for node in (self.target, self.source, *self._nodes):
            node.execute_command("CLUSTER", "SETSLOT", self.slot, "NODE", self._ids[self.target])

    def close(self) -> None:
        for node in (self.source, self.target, *self._nodes):
            node.close()


@pytest.fixture
def move(client, cluster_ports):
    move = Move(client, cluster_ports)
    yield move
    move.source.flushall()  # a slot with keys in it cannot be given away
    move.finish()
    move.close()


@pytest.mark.parametrize("client", [pytest.param("cluster", marks=pytest.mark.cluster)], indirect=True)
class TestMovingSlots:
    def test_a_moved_stream_is_found_at_its_new_node(self, client, store, move):
        store.append(commit(0, events=300))
        move.begin()
        move.carry(*KEYS)
        move.finish()
        assert store.append(commit(300)) == Appended(301)
        assert len(store.read(TABLE)) == 301

    def test_batches_of_commands_follow_a_move(self, client, move):
        transport = Transport(client)
        transport.call(KEYS[0], "GET", KEYS[0])
        move.begin()
        move.finish()
        replies = transport.call_each([(key, ("SET", key, 1)) for key in (*KEYS, "elsewhere")])
        assert replies == [b"OK"] * 4

    def test_redirected_replies_are_raw_and_leave_the_client_unchanged(self, client, move):
        transport, key = Transport(client), KEYS[0]
        transport.call(key, "HSET", key, "field", "value")
        move.begin()
        move.carry(key)
        assert transport.call(key, "HGETALL", key) == [b"field", b"value"]  # redirected by ASK
        move.finish()
        assert transport.call(key, "HGETALL", key) == [b"field", b"value"]  # redirected by MOVED
        assert client.hgetall(key) == {b"field": b"value"}

    def test_a_migrating_stream_is_found_on_either_node(self, client, store, move):
        store.append(commit(0, events=2))
        move.begin()
        assert store.append(commit(2)) == Appended(3)  # all keys are still at the old node
        move.carry(*KEYS)
        assert store.append(commit(2, key="late")) == Conflict(3, (record(3),))  # and now at the new one
        assert store.append(commit(3)) == Appended(4)
        assert store.version(TABLE) == 4

    def test_keys_split_by_a_migration_are_temporarily_unavailable(self, client, store, move):
        store.append(commit(0))
        move.begin()
        move.carry(KEYS[0])
        with pytest.raises(StoreUnavailable):
            store.append(commit(1))
        move.carry(*KEYS[1:])
        assert store.append(commit(1)) == Appended(2)
