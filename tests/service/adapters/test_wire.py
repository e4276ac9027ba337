"""How commands find their node, and what becomes of a connection."""

import threading
from typing import Any

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from service.adapters.connection import Client, connect
from service.adapters.event_store import RedisEventStore
from service.adapters.keys import Keys
from service.adapters.wire import Wire
from service.application.ports import Appended, Conflict, StoreUnavailable
from tests.service.adapters.commits import TABLE, commit, record

KEYS = Keys(16).touched(TABLE)


def test_replies_keep_the_order_of_the_commands(client):
    wire = Wire(client)
    keys = [f"hw:{{p{number:02d}}}:x" for number in range(16)]
    wire.call_each([(key, ("SET", key, number)) for number, key in enumerate(keys)])
    assert wire.call_each([(key, ("GET", key)) for key in keys]) == [b"%d" % n for n in range(16)]


def test_no_commands_have_no_replies(client):
    assert Wire(client).call_each([]) == []


def test_one_wrong_command_among_many_is_raised_and_the_others_have_run(client):
    wire = Wire(client)
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        wire.call_each([("a", ("SET", "a", 1)), ("a", ("XLEN", "a")), ("b", ("SET", "b", 2))])
    assert [wire.call("a", "GET", "a"), wire.call("b", "GET", "b")] == [b"1", b"2"]


def test_a_connection_left_in_the_middle_is_not_used_again(client):
    """A reply that nobody took, and that is not even there yet, would answer the next command."""
    wire = Wire(client)

    def give_up(reply: Any) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wire.call_ahead("a", [("ECHO", "one"), ("BLPOP", "a", "0.2")], give_up)
    assert wire.call("a", "ECHO", "mine") == b"mine"


def test_reading_ahead_stops_when_told_and_leaves_nothing_behind(client):
    wire, taken = Wire(client), list[bytes]()

    def take(reply: bytes) -> bool:
        taken.append(reply)
        return reply != b"2"

    wire.call_ahead("a", [("ECHO", number) for number in range(1, 6)], take)
    assert taken == [b"1", b"2"]
    assert wire.call("a", "GET", "a") is None


def test_each_thread_has_a_connection_of_its_own(embedded_redis):
    with connect(embedded_redis.url) as client:
        wire = Wire(client)
        ids = [wire.call("a", "CLIENT", "ID")]
        thread = threading.Thread(target=lambda: ids.append(wire.call("a", "CLIENT", "ID")))
        thread.start()
        thread.join()
        assert ids[0] != ids[1]
        assert wire.call("a", "CLIENT", "ID") == ids[0]


def test_a_connection_that_the_server_closed_is_replaced_before_it_is_used(embedded_redis):
    with connect(embedded_redis.url) as client:
        wire = Wire(client)
        client.client_kill_filter(_id=wire.call("a", "CLIENT", "ID"))
        assert wire.call("a", "SET", "a", 1) == b"OK"


def test_a_server_that_is_gone_is_unavailable():
    server = FakeServer(version=(7,))
    wire = Wire(FakeRedis(server=server, protocol=2))
    wire.call("a", "GET", "a")
    server.connected = False
    with pytest.raises(StoreUnavailable):
        wire.call("a", "GET", "a")
    server.connected = True
    assert wire.call("a", "GET", "a") is None


@pytest.mark.parametrize("client", ["embedded"], indirect=True)
def test_a_full_server_is_unavailable_and_a_wrong_command_is_wrong(client):
    wire = Wire(client)
    client.config_set("maxmemory", 1)
    try:
        with pytest.raises(StoreUnavailable, match="maxmemory"):
            RedisEventStore(client=client).append(commit(0))
    finally:
        client.config_set("maxmemory", 0)
    assert [client.exists(key) for key in KEYS] == [0, 0, 0]
    with pytest.raises(ResponseError, match="wrong number"):
        wire.call("a", "GET")


@pytest.mark.parametrize("client", ["embedded"], indirect=True)
def test_a_server_that_cannot_write_to_its_disk_is_unavailable(client):
    class Refusing(Wire):
        def _call(self, *_: object) -> Any:
            raise ResponseError("MISCONF Errors writing to the AOF file: No space left on device")

    with pytest.raises(StoreUnavailable, match="No space left"):
        Refusing(client).call("a", "SET", "a", 1)


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

    def test_many_commands_follow_a_move_too(self, client, move):
        wire = Wire(client)
        wire.call(KEYS[0], "GET", KEYS[0])
        move.begin()
        move.finish()
        replies = wire.call_each([(key, ("SET", key, 1)) for key in (*KEYS, "elsewhere")])
        assert replies == [b"OK"] * 4

    def test_a_stream_on_its_way_is_found_on_either_node(self, client, store, move):
        store.append(commit(0, events=2))
        move.begin()
        assert store.append(commit(2)) == Appended(3)  # all keys are still at the old node
        move.carry(*KEYS)
        assert store.append(commit(2, key="late")) == Conflict(3, (record(3),))  # and now at the new one
        assert store.append(commit(3)) == Appended(4)
        assert store.version(TABLE) == 4

    def test_keys_torn_apart_on_the_way_are_unavailable_for_the_moment(self, client, store, move):
        store.append(commit(0))
        move.begin()
        move.carry(KEYS[0])
        with pytest.raises(StoreUnavailable):
            store.append(commit(1))
        move.carry(*KEYS[1:])
        assert store.append(commit(1)) == Appended(2)
